-- The interface: verdicts, errors, options, catalogs, memory.
local check = require "check"
local cupel = require "resty.cupel"

local SCHEMA = '{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}},' ..
    '"additionalProperties":false}'

local function test_verdicts()
    local v = assert(cupel.compile(SCHEMA))
    check.equal(v:verdict '{"id":1}', 0, "valid")
    check.equal(v:verdict '{"id":"1"}', 1, "invalid")
    check.equal(v:verdict '{"id":', 2, "no JSON")
    check.equal(v:valid '{"id":1}', true, "valid")
    check.equal(v:valid '{"id":1', false, "no JSON is not valid")
    check.equal(v:validate '{"id":1}', true, "validate")
    check.equal(v:valid('{"id":1}\0'), false, "a NUL after the text")
    check.equal(v:valid '', false, "an empty text")
end

local function test_errors()
    local v = assert(cupel.compile(SCHEMA))
    local ok, err = v:validate '{"id":"1","x":2}'
    check.equal(ok, nil, "invalid")
    check.equal(err.kind, "invalid", "kind")
    check.equal(#err.problems, 2, "problems")
    check.equal(err.problems[1].pointer, "/id", "pointer")
    check.equal(err.problems[1].keyword, "type", "keyword")
    check.equal(err.problems[1].schema_pointer, "/properties/id/type", "schema pointer")
    check.equal(err.problems[1].message, "expected integer, found string", "sentence")
    check.equal(err.problems[2].code, "unknown-property", "code")
    check.check(tostring(err):find("id: expected integer", 1, true), "message for a model")
    ok, err = v:validate '{"id":\n 1,}'
    check.equal(ok, nil, "no JSON")
    check.equal(err.kind, "json", "kind")
    check.equal(err.line, 2, "line")
    check.equal(err.column, 4, "column")
    ok, err = cupel.compile '{"type": "sting"}'
    check.equal(ok, nil, "a schema that is refused")
    check.equal(err.kind, "schema", "kind")
    check.equal(err.reason, "SCHEMA", "reason")
    check.equal(err.pointer, "/type", "pointer")
end

local function test_undecided()
    local v = assert(cupel.compile('{"items": {"type": "integer"}}',
        { limits = { steps = 3, steps_per_byte = 0 } }))
    local text = "[" .. ("1,"):rep(100) .. "1]"
    check.equal(v:verdict(text), 2, "undecided")
    check.equal(v:valid(text), false, "undecided is not valid")
    local ok, err = v:validate(text)
    check.equal(ok, nil, "undecided")
    check.equal(err.kind, "undecided", "kind")
    check.equal(err.reason, "LIMIT_STEPS", "reason")
    v = assert(cupel.compile("true", { limits = { body_bytes = 3 } }))
    ok, err = v:validate "[1,2]"
    check.equal(ok, nil, "too long")
    check.equal(err.kind, "json", "kind")
    check.equal(err.reason, "JSON_SIZE", "reason")
end

local function test_options()
    for _, wrong in ipairs { { formats_ = true }, { dialect = "draft-99" }, { limits = { stpes = 1 } },
        { limits = { steps = -1 } }, { limits = { steps = 1.5 } }, { profile = "2025-06-18" } } do
        check.equal(pcall(cupel.compile, "true", wrong), false, "a wrong option is refused")
    end
    check.equal(pcall(cupel.compile, { type = "object" }), false, "a table is refused")
    local formats = assert(cupel.compile('{"format":"date"}', { formats = true }))
    check.equal(formats:verdict '"2026-02-30"', 1, "formats assert")
    check.equal(assert(cupel.compile '{"format":"date"}'):verdict '"x"', 0, "formats annotate")
    local old = assert(cupel.compile('{"items":[{"type":"null"}]}', { dialect = "draft7" }))
    check.equal(old:verdict "[1]", 1, "draft 7")
    local last = assert(cupel.compile('{"const":{"a":2}}', { allow_duplicate_keys = true }))
    check.equal(last:verdict '{"a":1,"a":2}', 0, "the last member counts")
    local with = assert(cupel.compile('{"$ref":"https://example.com/a"}',
        { registry = { ["https://example.com/a"] = '{"type":"null"}' } }))
    check.equal(with:verdict "null", 0, "a registry")
    check.equal(with:verdict "1", 1, "a registry")
    check.equal(cupel.compile('{"$ref":"https://example.com/b"}', { registry = {} }), nil,
        "a reference that does not resolve")
end

local function test_images()
    local v = assert(cupel.compile(SCHEMA))
    local image = v:image()
    local again = assert(cupel.load(image))
    check.equal(again:verdict '{"id":1}', 0, "loaded")
    check.equal(again:verdict '{}', 1, "loaded")
    check.equal(again:image(), image, "the same image")
    for at = 1, #image, 7 do
        local damaged = image:sub(1, at - 1) .. string.char((image:byte(at) + 1) % 256)
            .. image:sub(at + 1)
        local other, err = cupel.load(damaged)
        check.check(other or err.kind == "image", "a damaged image is loaded or refused")
    end
    check.equal(cupel.load "", nil, "an empty image")
end

local function test_repair()
    local v = assert(cupel.compile(SCHEMA))
    local result, text, patch = v:repair '{"id":"5"}'
    check.equal(result, "repaired", "repair")
    check.equal(text, '{"id":5}', "repaired")
    check.equal(patch, '[{"op":"replace","path":"/id","value":5}]', "patch")
    check.equal(v:repair '{"id":1}', "not-needed", "repair of a valid text")
    check.equal(v:repair '{"id":', "undecided", "repair of no JSON")
    check.equal(v:repair '{"id":{}}', "impossible", "no repair")
end

local TOOLS = '{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":' ..
    '{"type":"integer"}},"required":["a"]},"outputSchema":{"type":"object","required":["sum"]}},' ..
    '{"name":"bad","inputSchema":{"type":"sting"}}]}'

local function call_of(name, arguments)
    return ('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"%s","arguments":%s}}')
        :format(name, arguments)
end

local function test_calls()
    local catalog = assert(cupel.catalog(TOOLS, { profile = "2025-06-18" }))
    local tools = catalog:tools()
    check.equal(#tools, 2, "tools")
    check.equal(tools[1].verdict, "ok", "a good tool")
    check.equal(tools[2].verdict, "invalid", "a bad tool")
    check.equal(tools[2].problems[1].severity, "error", "its problem")
    for _, case in ipairs {
        { call_of("add", '{"a":1}'), "valid" },
        { call_of("add", '{"a":"1"}'), "invalid" },
        { call_of("add", '{"A":1,"a":1}'), "invalid" },
        { call_of("bad", "{}"), "undecided" },
        { call_of("none", "{}"), "unknown-tool" },
        { '{"jsonrpc":"2.0","id":1,"method":"ping"}', "valid" },
        { '{"jsonrpc":"2.0","method":"notifications/initialized"}', "valid" },
        { '{"jsonrpc":"2.0","id":1,"Method":"ping"}', "bad-request" },
        { '{"jsonrpc":"2.0"', "bad-request" },
    } do
        local verdict, answer, about = catalog:call(case[1])
        check.equal(verdict, case[2], case[1])
        check.equal(answer == "", verdict == "valid", "an answer for " .. case[1])
        check.equal(type(about.reason), "string", "a reason")
    end
    local _, answer, about = catalog:call(call_of("add", '{"a":"1"}'))
    check.check(answer:find('"id":7', 1, true), "the id of the request")
    check.equal(about.tool, "add", "tool")
    check.equal(about.method, "tools/call", "method")
    check.equal(about.problems, 1, "problems")
    local headers = { ["Mcp-Method"] = "tools/call", ["Mcp-Name"] = { "add", "bad" } }
    check.equal(catalog:call(call_of("add", '{"a":1}'), { headers = headers }), "header-mismatch",
        "a repeated field")
    local loose = assert(cupel.catalog(TOOLS, { any_arguments = true }))
    check.equal(loose:call(call_of("add", '{"A":1,"a":1}')), "valid", "any arguments")
    check.equal(cupel.catalog '{"tools":{}}', nil, "no list")
    check.equal(pcall(cupel.catalog, TOOLS, { profil = "x" }), false, "a wrong option")
    check.equal(pcall(cupel.catalog, TOOLS, { profile = "x" }), false, "a wrong profile")
end

local function test_results()
    local catalog = assert(cupel.catalog(TOOLS))
    local result = '{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[],' ..
        '"structuredContent":%s}}'
    check.equal(catalog:result("add", result:format '{"sum":1}'), "valid", "a result")
    local verdict, answer = catalog:result("add", result:format "{}")
    check.equal(verdict, "invalid", "a wrong result")
    check.check(answer:find('"code":-32603', 1, true), "its error")
    check.equal(catalog:result("none", result:format "{}"), "unknown-tool", "an unknown tool")
    check.equal(catalog:result("add", "[]"), "bad-result", "no result")
end

-- Memory stays level: what Lua does not refer to is freed.
local function test_memory()
    local function resident()
        for line in io.lines "/proc/self/status" do
            local kib = line:match "^VmRSS:%s+(%d+)"
            if kib then
                return tonumber(kib)
            end
        end
    end
    local before
    for round = 1, 4000 do
        local v = assert(cupel.compile(SCHEMA, { limits = { steps = 100000 } }))
        v:validate '{"id":"x"}'
        assert(cupel.catalog(TOOLS)):call(call_of("add", '{"a":"1"}'))
        collectgarbage()
        if round == 500 then
            before = resident()
        end
    end
    check.check(resident() <= before + 2048, "memory grows by less than 2 MiB")
end

test_verdicts()
test_errors()
test_undecided()
test_options()
test_images()
test_repair()
test_calls()
test_results()
test_memory()
check.finish()
