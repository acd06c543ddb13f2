-- Times a verdict on a small call beside cjson's decoding of the same text, minima of rounds in
-- turn.
--
-- usage: luajit bench.lua, with LUA_PATH and CUPEL_LIBRARY set as scripts/lua.sh does
local cupel = require "resty.cupel"
local found, cjson = pcall(require, "cjson")

local ROUNDS, TURNS = 9, 1000000
local schema = assert(cupel.compile [[{"type": "object", "properties": {
    "city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}, "metric": {"type": "boolean"}},
    "required": ["city"]}]])
local text = '{"city":"San Francisco","days":5,"metric":true}'

local function judge()
    local valid = 0
    for _ = 1, TURNS do
        valid = valid + (schema:valid(text) and 1 or 0)
    end
    return valid
end

local function decode()
    local valid = 0
    for _ = 1, TURNS do
        valid = valid + (cjson.decode(text).days == 5 and 1 or 0)
    end
    return valid
end

local function time(work)
    local start = os.clock()
    assert(work() == TURNS)
    return (os.clock() - start) / TURNS * 1e9
end

local least, decoded = math.huge, math.huge
for _ = 1, ROUNDS do
    least = math.min(least, time(judge))
    if found then
        decoded = math.min(decoded, time(decode))
    end
end
print(("%d bytes, from text to verdict: %.1f ns"):format(#text, least))
if found then
    print(("cjson.decode of the text alone: %.1f ns, %.1f times"):format(decoded, decoded / least))
end
