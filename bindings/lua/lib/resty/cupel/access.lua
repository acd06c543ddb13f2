--- The access phase of a location in front of an MCP server: judges requests before they are
-- passed on.
--
--     access_by_lua_block { require("resty.cupel.access").judge(catalog) }
--
-- What is refused gets its JSON-RPC answer, and nothing of it reaches the upstream.  Results of the
-- server are not looked at here: catalog:result judges them.
local M = {}

local MEDIA_TYPE = "application/json"

-- The status of an answer: 4xx for messages that are malformed, 200 for JSON-RPC errors and tool
-- errors, which a client has to read.
local function status_of(verdict, about)
    if about.reason == "JSON_SIZE" then
        return 413
    end
    if about.reason == "NO_MEMORY" then
        return 500
    end
    local malformed = verdict == "bad-request" or verdict == "header-mismatch"
    return malformed and 400 or 200
end

local function refuse(status, answer)
    ngx.status = status
    ngx.header.content_type = MEDIA_TYPE
    ngx.header.cache_control = "no-store"
    ngx.print(answer)
    return ngx.exit(status)
end

local function refuse_request(status, message)
    return refuse(status,
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"' .. message .. '"}}')
end

-- Whether the one Content-Type says JSON in UTF-8.
local function is_json(content_type)
    if type(content_type) ~= "string" then
        return false
    end
    local kind, rest = content_type:lower():match "^%s*([^;%s]+)%s*(.-)%s*$"
    if kind ~= MEDIA_TYPE then
        return false
    end
    return rest == "" or rest:match '^;%s*charset="?utf%-8"?$' ~= nil
end

-- Why the fields do not fit a message that every receiver reads the same: a status and a sentence.
local function check_fields(headers)
    if not is_json(headers["content-type"]) then
        return 415, "Invalid request: exactly one Content-Type of application/json is needed"
    end
    local encoding = headers["content-encoding"]
    if encoding and encoding ~= "identity" then
        return 415, "Invalid request: the body is encoded"
    end
    for _, name in ipairs { "x-http-method-override", "x-http-method", "x-method-override" } do
        if headers[name] then
            return 400, "Invalid request: the method is overridden"
        end
    end
    for name, value in pairs(headers) do
        if type(value) == "table" and (name:find("^mcp%-") or name == "authorization") then
            return 400, "Invalid request: a field is repeated"
        end
    end
end

-- The body, from memory or from nginx's temporary file.
local function read_body()
    ngx.req.read_body()
    local body = ngx.req.get_body_data()
    local path = not body and ngx.req.get_body_file()
    if not path then
        return body or ""
    end
    local file = assert(io.open(path, "rb"))
    body = file:read "*a"
    file:close()
    return body
end

--- Judges the request of this location.
-- @param catalog from resty.cupel.catalog
-- @param given table or nil: the options of catalog:call but for `headers`
function M.judge(catalog, given)
    local method = ngx.req.get_method()
    local headers = ngx.req.get_headers(0)
    if method ~= "POST" then
        -- A body of HTTP/2 needs no field that announces it.
        if read_body() ~= "" then
            return refuse_request(400, "Invalid request: only POST has a body")
        end
        return
    end
    local status, message = check_fields(headers)
    if status then
        return refuse_request(status, message)
    end
    local options = {}
    for name, value in pairs(given or {}) do
        options[name] = value
    end
    options.headers = headers
    local verdict, answer, about = catalog:call(read_body(), options)
    if verdict == "valid" then
        return
    end
    if answer == "" then -- a notification has no answer, its POST has one
        return refuse_request(400, "Invalid request: the notification was refused")
    end
    return refuse(status_of(verdict, about), answer)
end

return M
