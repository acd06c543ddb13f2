--- Catalogs of tools of the Model Context Protocol: calls and results judged from bytes.
--
--     local catalog = assert(cupel.catalog(tools_list_response))
--     local verdict, answer, about = catalog:call(body, { headers = fields })
--     if verdict ~= "valid" then ngx.say(answer) end
local ffi = require "ffi"
local cupel = require "resty.cupel"

local C = cupel.library
local OK = ffi.C.CUPEL_OK

local PROFILES = {
    ["2024-11-05"] = ffi.C.CUPEL_MCP_2024_11_05,
    ["2025-03-26"] = ffi.C.CUPEL_MCP_2025_03_26,
    ["2025-06-18"] = ffi.C.CUPEL_MCP_2025_06_18,
    ["2025-11-25"] = ffi.C.CUPEL_MCP_2025_11_25,
    ["2026-07-28"] = ffi.C.CUPEL_MCP_2026_07_28,
}
local NAMES = {
    spec = ffi.C.CUPEL_NAMES_SPEC,
    ["sep-986"] = ffi.C.CUPEL_NAMES_SEP_986,
    portable = ffi.C.CUPEL_NAMES_PORTABLE,
}
local FLAGS = {
    strict_names = ffi.C.CUPEL_CATALOG_STRICT_NAMES,
    strict_dialects = ffi.C.CUPEL_CATALOG_STRICT_DIALECTS,
    strict_text = ffi.C.CUPEL_CATALOG_STRICT_TEXT,
}
local OWN_OPTIONS = { profile = true, names = true, any_arguments = true, strict_names = true,
    strict_dialects = true, strict_text = true }
local VERDICTS = { [0] = "ok", "warning", "invalid" }
local SEVERITIES = { [0] = "info", "warning", "error" }

local Catalog = {}
Catalog.__index = Catalog

local function choose(list, word, what)
    return list[word] or error("there is no " .. what .. " '" .. tostring(word) .. "'", 0)
end

local function catalog_options(given, engine)
    local options = ffi.new "struct cupel_catalog_options"
    C.cupel_catalog_options_init_sized(options, ffi.sizeof(options))
    options.engine = engine
    if given.profile then
        options.profile = choose(PROFILES, given.profile, "profile")
    end
    if given.names then
        options.names = choose(NAMES, given.names, "set of name rules")
    end
    options.flags = given.any_arguments and 0 or ffi.C.CUPEL_CATALOG_EXACT_ARGUMENTS
    for name, flag in pairs(FLAGS) do
        if given[name] then
            options.flags = bit.bor(options.flags, flag)
        end
    end
    return options
end

local function take(status, returned, free)
    if status ~= OK then
        error("cupel: " .. ffi.string(C.cupel_status_message(status)), 0)
    end
    return ffi.gc(returned[0], free)
end

--- Makes a catalog.
-- @param lists string, or a table of strings: responses of tools/list, results of it, or arrays of
-- tools; the pages of one list in their order
-- @param given table or nil: the options of cupel.compile; `profile` (a version of the
-- specification), `names` ("spec", "sep-986", "portable"), `strict_names`, `strict_dialects`,
-- `strict_text`; `any_arguments`: true permits names of arguments that differ from declared ones by
-- case alone
-- @return a catalog; or nil and an error table with kind "catalog".  A definition that is refused
-- is not an error of the catalog: see tools()
local function new(lists, given)
    given = given or {}
    if given.registry then
        error("schemas of tools have no registry", 2)
    end
    local engine = cupel.options(given, OWN_OPTIONS)
    local options = catalog_options(given, engine)
    local returned = ffi.new "struct cupel_catalog *[1]"
    local catalog = take(C.cupel_catalog_new(options, returned), returned, C.cupel_catalog_free)
    local err = ffi.new "struct cupel_error"
    for _, text in ipairs(type(lists) == "table" and lists or { lists }) do
        if type(text) ~= "string" then
            error("a list of tools is a " .. type(text) .. ", not a string with JSON text", 2)
        end
        local status = C.cupel_catalog_add(catalog, text, #text, err)
        if status ~= OK then
            err.status = status
            return nil, cupel.failure("catalog", err)
        end
    end
    local context = ffi.new "struct cupel_call_context *[1]"
    return setmetatable({
        catalog = catalog,
        context = take(C.cupel_call_context_new(engine, context), context, C.cupel_call_context_free),
        profile = options.profile,
        answer = cupel.text(),
    }, Catalog)
end

--- The tools: an array of tables with name, verdict ("ok", "warning", "invalid") and problems
-- (rule, severity, pointer, message).  An invalid tool cannot be called.
function Catalog:tools()
    local tools = {}
    for i = 0, C.cupel_catalog_count(self.catalog) - 1 do
        local tool = C.cupel_catalog_tool(self.catalog, i)
        local problems = {}
        for k = 0, tool.problem_count - 1 do
            local p = tool.problems[k]
            problems[k + 1] = {
                rule = ffi.string(p.rule),
                severity = SEVERITIES[tonumber(p.severity)],
                pointer = ffi.string(p.pointer),
                message = ffi.string(p.message),
            }
        end
        tools[i + 1] = {
            name = ffi.string(tool.name, tool.name_len),
            verdict = VERDICTS[tonumber(tool.verdict)],
            problems = problems,
        }
    end
    return tools
end

-- -- Calls ---------------------------------------------------------------------------------------

local FIELD = ffi.typeof "struct cupel_header[?]"

-- The fields as an array for the library; a table as a value is a field that was sent repeatedly.
-- `anchor` keeps the strings alive.
local function fields_of(headers)
    local anchor = {}
    for name, value in pairs(headers) do
        for _, one in ipairs(type(value) == "table" and value or { value }) do
            anchor[#anchor + 1] = { tostring(name), tostring(one) }
        end
    end
    local fields = FIELD(math.max(#anchor, 1))
    for i, pair in ipairs(anchor) do
        local field = fields[i - 1]
        field.name, field.name_len = pair[1], #pair[1]
        field.value, field.value_len = pair[2], #pair[2]
    end
    return fields, #anchor, anchor
end

local request_options = ffi.new "struct cupel_request_options"
local outcome = ffi.new "struct cupel_call_outcome"

local function set_request_options(given)
    C.cupel_request_options_init_sized(request_options, ffi.sizeof(request_options))
    if given.profile then
        request_options.profile = choose(PROFILES, given.profile, "profile")
    end
    if given.batch then
        request_options.batch = given.batch
    end
    if not given.headers then
        return nil
    end
    local fields, count, anchor = fields_of(given.headers)
    request_options.flags = ffi.C.CUPEL_REQUEST_FIELDS
    if given.fields_needed then
        request_options.flags = bit.bor(request_options.flags, ffi.C.CUPEL_REQUEST_FIELDS_NEEDED)
    end
    request_options.headers = fields
    request_options.header_count = count
    return { fields, anchor }
end

local function string_of(bytes, length)
    return bytes ~= nil and ffi.string(bytes, length) or nil
end

local function name_of(verdict)
    return ffi.string(C.cupel_call_verdict_name(verdict))
end

-- cupel_call_check answers other methods with an error; cupel_request_check judges them too.
local function is_other_request(verdict, about)
    return verdict == ffi.C.CUPEL_CALL_BAD_REQUEST and about.method ~= "tools/call"
end

--- Judges whatever a client may send: a request, a notification, an answer, or a batch where the
-- profile has batches.  Arguments of tools/call are held to the tool's input schema.
-- @param text string: the body
-- @param given table or nil: `headers` (fields of the HTTP request by name, to be compared with the
-- body), `fields_needed` (refuse messages without them), `profile`, `batch` (the most messages)
-- @return the verdict: "valid" (pass the text on as it is), "invalid", "undecided", "unknown-tool",
-- "bad-request", "header-mismatch"; the JSON-RPC message to send back ("" if there is none, as for a
-- notification); and a table: reason, method, tool, problems (their number)
function Catalog:call(text, given)
    if type(text) ~= "string" then
        error("the request is a " .. type(text) .. ", not a string with JSON text", 2)
    end
    self.anchor = set_request_options(given or {}) -- until the fields are no longer in use
    local verdict = C.cupel_call_check(self.catalog, self.context, text, #text, request_options,
        self.answer, nil, nil, outcome)
    local about = {
        reason = ffi.string(outcome.reason),
        method = string_of(outcome.method, outcome.method_len),
        tool = string_of(outcome.tool, outcome.tool_len),
        problems = outcome.problems,
    }
    if is_other_request(verdict, about) then
        verdict = C.cupel_request_check(self.catalog, self.context, text, #text, request_options,
            self.answer, nil, nil)
        if verdict == ffi.C.CUPEL_CALL_VALID then
            about.reason = ""
        end
    end
    request_options.headers, request_options.header_count = nil, 0
    self.anchor = nil
    return name_of(verdict), cupel.content(self.answer) or "", about
end

local result_outcome = ffi.new "struct cupel_result_outcome"

--- Judges the response to a call.
-- @param tool string: the name of the tool that was called
-- @param text string: a JSON-RPC response, or a CallToolResult alone
-- @param profile string or nil: a version of the specification; nil: the catalog's
-- @return the verdict: "valid", "invalid", "undecided", "bad-result", or "unknown-tool"; and the
-- JSON-RPC error to send in place of the response ("" if it is valid or the tool is unknown)
function Catalog:result(tool, text, profile)
    if type(text) ~= "string" then
        error("the result is a " .. type(text) .. ", not a string with JSON text", 2)
    end
    local definition = C.cupel_catalog_find(self.catalog, tool, #tool)
    if definition == nil then
        return "unknown-tool", ""
    end
    local version = profile and choose(PROFILES, profile, "profile") or self.profile
    local verdict = C.cupel_result_check(definition, self.context, text, #text, version, self.answer,
        nil, result_outcome)
    return ffi.string(C.cupel_result_verdict_name(verdict)), cupel.content(self.answer) or ""
end

return { new = new }
