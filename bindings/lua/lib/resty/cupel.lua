--- JSON Schema validation from bytes, by the C library cupel through LuaJIT's FFI.
--
--     local cupel = require "resty.cupel"
--     local schema = assert(cupel.compile '{"type": "object", "required": ["id"]}')
--     local ok, err = schema:validate(body)
--     if not ok then ngx.log(ngx.WARN, err.kind, ": ", err.message) end
--
-- A document is the text itself, a Lua string; it is not decoded.  There are three outcomes: valid,
-- invalid, and undecided (a limit, no memory, or a text that is not JSON).  Nothing but valid is
-- ever true.
--
-- Objects belong to the Lua state that made them: in nginx, to one worker.  The garbage collector
-- frees them.
local ffi = require "ffi"
ffi.cdef(require "resty.cupel.cdef")

local M = { _VERSION = "0.1.0" }

-- Tries the names in turn: CUPEL_LIBRARY, the soname, the name for development.
local function load_library()
    local names, failures = { os.getenv "CUPEL_LIBRARY" or false, "libcupel.so.0", "cupel" }, {}
    for _, name in ipairs(names) do
        if name then
            local found, library = pcall(ffi.load, name)
            if found then
                return library
            end
            failures[#failures + 1] = tostring(library)
        end
    end
    error("libcupel was not found: " .. table.concat(failures, "; "), 0)
end

local C = load_library()
M.library = C

--- The version of the library that was loaded, such as "0.1.0".
M.library_version = ffi.string(C.cupel_version())

local VALID = ffi.C.CUPEL_VALID
local INVALID = ffi.C.CUPEL_INVALID
local OK = ffi.C.CUPEL_OK

local DIALECTS = {
    draft4 = ffi.C.CUPEL_DRAFT_4,
    draft6 = ffi.C.CUPEL_DRAFT_6,
    draft7 = ffi.C.CUPEL_DRAFT_7,
    ["2019-09"] = ffi.C.CUPEL_2019_09,
    ["2020-12"] = ffi.C.CUPEL_2020_12,
}

-- The bounds by name ("steps", "body_bytes", …): what the library knows, not a list of ours.
local LIMITS = {}
for i = 0, tonumber(ffi.C.CUPEL_LIMITS) - 1 do
    local name = C.cupel_limit_name(i)
    if name ~= nil then
        LIMITS[ffi.string(name)] = i
    end
end

-- -- Options ------------------------------------------------------------------------------------

local KNOWN = { dialect = true, formats = true, limits = true, allow_duplicate_keys = true,
    registry = true }

local function set_limits(options, limits)
    for name, value in pairs(limits) do
        local index = LIMITS[name]
        if not index then
            error("there is no limit '" .. tostring(name) .. "'", 0)
        end
        if type(value) ~= "number" or value < 0 or value ~= math.floor(value) or value > 2 ^ 53 then
            error("limit '" .. name .. "' is not an integer from 0 to 2^53", 0)
        end
        options.limits[index] = value
    end
end

local function set_flag(options, value, flag)
    if value then
        options.flags = bit.bor(options.flags, flag)
    end
end

--- struct cupel_options of a table.  Raises an error for a name that does not exist: an option
-- that is misspelt must not leave a schema weaker than was meant.
-- @param given table or nil: dialect, formats, limits, allow_duplicate_keys; `more` names others
function M.options(given, more)
    local options = ffi.new "struct cupel_options"
    C.cupel_options_init_sized(options, ffi.sizeof(options))
    for name in pairs(given or {}) do
        if not KNOWN[name] and not (more and more[name]) then
            error("there is no option '" .. tostring(name) .. "'", 0)
        end
    end
    if not given then
        return options
    end
    if given.dialect then
        options.dialect = DIALECTS[given.dialect]
            or error("there is no dialect '" .. tostring(given.dialect) .. "'", 0)
    end
    set_flag(options, given.formats, ffi.C.CUPEL_ASSERT_FORMAT)
    set_flag(options, given.allow_duplicate_keys, ffi.C.CUPEL_ALLOW_DUPLICATE_KEYS)
    set_limits(options, given.limits or {})
    return options
end

-- -- Errors -------------------------------------------------------------------------------------

local Failure = {}
Failure.__index = Failure
function Failure:__tostring()
    return self.message
end

--- An error table of a struct cupel_error.  Its fields: kind, reason (the name of the status),
-- message, line, column, pointer.
function M.failure(kind, err)
    local detail = ffi.string(err.detail)
    if detail == "" then
        detail = ffi.string(C.cupel_status_message(err.status))
    end
    return setmetatable({
        kind = kind,
        reason = ffi.string(C.cupel_status_name(err.status)),
        message = detail,
        line = err.line > 0 and err.line or nil,
        column = err.column > 0 and err.column or nil,
        pointer = ffi.string(err.where),
    }, Failure)
end

-- -- Texts --------------------------------------------------------------------------------------

--- A text buffer of the library, which the garbage collector frees.
function M.text()
    local text = ffi.new "struct cupel_text"
    C.cupel_text_init(text, nil)
    return ffi.gc(text, C.cupel_text_free)
end

--- The content of a buffer as a string; nil if it could not grow.
function M.content(text)
    if text.failed ~= 0 then
        return nil
    end
    return text.len > 0 and ffi.string(text.bytes, text.len) or ""
end

-- One buffer serves all functions below: none of them calls another one while it uses it.
local buffer = M.text()

-- -- Validators ---------------------------------------------------------------------------------

local Validator = {}
Validator.__index = Validator

local outcome = ffi.new "struct cupel_outcome"
local returned_scratch = ffi.new "struct cupel_scratch *[1]"
local returned_program = ffi.new "struct cupel_program *[1]"
local error_of_schema = ffi.new "struct cupel_error"

local function new_scratch(options)
    if C.cupel_scratch_new(options, returned_scratch) ~= OK then
        error("out of memory", 0)
    end
    return ffi.gc(returned_scratch[0], C.cupel_scratch_free)
end

-- Validators without options of their own share one scratch, which grows to what the largest text
-- needed.
local shared_scratch

local function new_validator(options, given)
    local program = ffi.gc(returned_program[0], C.cupel_program_free)
    if not given then
        shared_scratch = shared_scratch or new_scratch(options)
    end
    return setmetatable({
        program = program,
        scratch = given and new_scratch(options) or shared_scratch,
    }, Validator)
end

local function check_text(text, what)
    if type(text) ~= "string" then
        error(what .. " is a " .. type(text) .. ", not a string with JSON text", 3)
    end
end

-- The resolver for a registry; the table keeps its texts alive while the compiler reads them.
local function resolver_of(registry)
    return ffi.cast("cupel_resolver *", function(_, uri, length, ret_text, ret_length)
        local text = registry[ffi.string(uri, length)]
        if type(text) ~= "string" then
            return -1
        end
        ret_text[0], ret_length[0] = text, #text
        return 0
    end)
end

-- A compilation that calls back into Lua must be called from the interpreter.
local function compile_with(schema, options, registry)
    local resolver = resolver_of(registry)
    options.resolver = resolver
    local status = C.cupel_compile(schema, #schema, options, returned_program, error_of_schema)
    options.resolver = nil
    resolver:free()
    return status
end
jit.off(compile_with)

--- Compiles a schema.
-- @param schema string: the schema's JSON text
-- @param given table or nil: `dialect` of schemas without $schema ("2020-12", "draft7", …),
-- `formats` (true: `format` asserts), `limits` (by name, as `cupel help limits` lists them),
-- `allow_duplicate_keys`, `registry` (a table of schema texts by URI, which references find)
-- @return a validator; or nil and an error table with kind "schema"
function M.compile(schema, given)
    check_text(schema, "the schema")
    local options = M.options(given)
    local status
    if given and given.registry then
        status = compile_with(schema, options, given.registry)
    else
        status = C.cupel_compile(schema, #schema, options, returned_program, error_of_schema)
    end
    if status ~= OK then
        error_of_schema.status = status
        return nil, M.failure("schema", error_of_schema)
    end
    return new_validator(options, given)
end

--- Loads what image() of a validator gave.  The image is verified and may come from anybody.
-- @return a validator; or nil and an error table with kind "image"
function M.load(image, given)
    check_text(image, "the image")
    local options = M.options(given)
    local status = C.cupel_program_load(image, #image, 0, options, returned_program, error_of_schema)
    if status ~= OK then
        error_of_schema.status = status
        return nil, M.failure("image", error_of_schema)
    end
    return new_validator(options, given)
end

--- The compiled program as a string, for M.load in another process.
function Validator:image()
    local length = ffi.new "size_t[1]"
    local bytes = C.cupel_program_image(self.program, length)
    return ffi.string(bytes, length[0])
end

--- The verdict on a text: 0 valid, 1 invalid, 2 undecided or not JSON.
function Validator:verdict(text)
    check_text(text, "the document")
    return tonumber(C.cupel_validate(self.program, self.scratch, text, #text, nil))
end

--- Whether a text is valid: false for everything else.
function Validator:valid(text)
    check_text(text, "the document")
    return C.cupel_validate(self.program, self.scratch, text, #text, nil) == VALID
end

local counts = ffi.new "struct cupel_report_counts"
local record = ffi.new "struct cupel_record"

local PARTS = {
    pointer = ffi.C.CUPEL_RECORD_INSTANCE,
    schema_pointer = ffi.C.CUPEL_RECORD_SCHEMA,
    keyword = ffi.C.CUPEL_RECORD_KEYWORD,
    message = ffi.C.CUPEL_RECORD_SENTENCE,
}

-- The problems that the last report of a scratch found.
local function problems_of(scratch)
    local problems = {}
    C.cupel_report_count(scratch, counts)
    for i = 0, counts.problems - 1 do
        local number = C.cupel_report_problem(scratch, i)
        C.cupel_report_record(scratch, number, record)
        local problem = { code = ffi.string(C.cupel_problem_id(record.code)) }
        for name, part in pairs(PARTS) do
            C.cupel_text_clear(buffer)
            C.cupel_report_write(scratch, number, part, nil, buffer)
            problem[name] = M.content(buffer)
        end
        problems[#problems + 1] = problem
    end
    return problems
end

-- The message for a model, and the problems, of the text that was judged last.
local function report(self)
    C.cupel_text_clear(buffer)
    local verdict = C.cupel_render(self.program, self.scratch, nil, 0, ffi.C.CUPEL_RENDER_MODEL, nil,
        buffer, nil)
    local message = M.content(buffer)
    local problems = verdict == INVALID and problems_of(self.scratch) or {}
    return setmetatable({
        kind = "invalid",
        reason = "",
        message = message and message ~= "" and message or "the document is not valid",
        problems = problems,
    }, Failure)
end

--- Judges a text.
-- @return true; or nil and an error table: kind "invalid" (message, problems: code, pointer,
-- keyword, message, schema_pointer), "json" (line, column, message) or "undecided" (reason,
-- message)
function Validator:validate(text)
    check_text(text, "the document")
    local verdict = C.cupel_validate(self.program, self.scratch, text, #text, outcome)
    if verdict == VALID then
        return true
    end
    if verdict == INVALID then
        return nil, report(self)
    end
    local reading = outcome.reason <= ffi.C.CUPEL_E_SYNTAX
        and outcome.reason >= ffi.C.CUPEL_E_NUMBER_SIZE
    if not reading then
        ffi.fill(outcome.error, ffi.sizeof(outcome.error))
        outcome.error.status = outcome.reason
    end
    return nil, M.failure(reading and "json" or "undecided", outcome.error)
end

--- Tries to repair a text that is not valid: only where one reading exists.
-- @return "repaired", the repaired text and an RFC 6902 patch; or the name of another result:
-- "not-needed", "impossible", "ambiguous", "undecided"
function Validator:repair(text)
    check_text(text, "the document")
    local verdict = C.cupel_validate(self.program, self.scratch, text, #text, nil)
    if verdict ~= INVALID then
        return verdict == VALID and "not-needed" or "undecided"
    end
    local patch, repaired = M.text(), M.text()
    local result = C.cupel_repair(self.program, self.scratch, nil, 0, patch, repaired, nil)
    local name = ffi.string(C.cupel_repair_name(result))
    if name ~= "repaired" then
        return name
    end
    local new, operations = M.content(repaired), M.content(patch)
    if not new or not operations then
        return "undecided"
    end
    return name, new, operations
end

--- A catalog of tools: resty.cupel.catalog.
function M.catalog(...)
    return require("resty.cupel.catalog").new(...)
end

return M
