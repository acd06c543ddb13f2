-- The official suite and recorded calls through the Lua interface.
--
-- usage: luajit corpora.lua suite SUITE_FOLDER FILE…
--        luajit corpora.lua calls FILE…
local check = require "check"
local cupel = require "resty.cupel"
local document = require "document"

local DIALECTS = { draft4 = "draft4", draft6 = "draft6", draft7 = "draft7",
    ["draft2019-09"] = "2019-09", ["draft2020-12"] = "2020-12" }

-- Remote schemas by URI, each read when it is first needed.
local function remotes(folder)
    return setmetatable({}, { __index = function(self, uri)
        local path = uri:match "^http://localhost:1234/(.*)$"
        local file = path and not path:find("..", 1, true) and io.open(folder .. "/remotes/" .. path)
        if not file then
            return nil
        end
        local text = file:read "*a"
        file:close()
        rawset(self, uri, text)
        return text
    end })
end

local function run_group(doc, group, options, path)
    local schema = doc:text(doc:member(group, "schema"))
    local v, err = cupel.compile(schema, options)
    if not check.check(v, path .. ": " .. tostring(err)) then
        return
    end
    for test in doc:items(doc:member(group, "tests")) do
        local valid = doc:boolean(doc:member(test, "valid"))
        check.equal(v:verdict(doc:text(doc:member(test, "data"))), valid and 0 or 1,
            path .. ": " .. doc:string(doc:member(test, "description")))
    end
end

local function run_suite(folder, files)
    local registry = remotes(folder)
    for _, path in ipairs(files) do
        local doc = document.read_file(path)
        local options = {
            dialect = DIALECTS[path:match "/tests/(draft[^/]*)/"],
            registry = registry,
            formats = path:find("/optional/format", 1, true) ~= nil,
        }
        for group in doc:items(0) do
            run_group(doc, group, options, path)
        end
    end
end

-- A recorded verdict of another validator; it is null where that one refused the schema.
local function run_call(doc, path, number)
    local v = cupel.compile(doc:text(doc:member(0, "inputSchema")))
    local valid = doc:boolean(doc:member(0, "valid"))
    if v and valid ~= nil then
        check.equal(v:verdict(doc:text(doc:member(0, "arguments"))), valid and 0 or 1,
            path .. ":" .. number)
    end
end

local function run_calls(files)
    for _, path in ipairs(files) do
        local number = 0
        for line in io.lines(path) do
            number = number + 1
            run_call(document.read(line), path, number)
        end
    end
end

if arg[1] == "suite" then
    run_suite(arg[2], { select(3, unpack(arg)) })
else
    run_calls { select(2, unpack(arg)) }
end
check.finish()
