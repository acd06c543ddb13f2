-- Reads JSON with the library, so that tests get the text of each value as it was written.
local ffi = require "ffi"
local cupel = require "resty.cupel"

local C = cupel.library
local M = {}
M.__index = M

function M.read(text)
    local options = cupel.options { limits = { body_bytes = 2 ^ 30 } }
    local returned = ffi.new "struct cupel_document *[1]"
    assert(C.cupel_document_new(options, returned) == 0)
    local doc = ffi.gc(returned[0], C.cupel_document_free)
    assert(C.cupel_document_read(doc, text, #text, nil) == 0)
    return setmetatable({ doc = doc }, M)
end

function M.read_file(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read "*a"
    file:close()
    return M.read(text), text
end

function M:member(node, name)
    local found = C.cupel_json_member(self.doc, node, name, #name)
    return found ~= 0xffffffff and found or nil
end

function M:text(node)
    local length = ffi.new "size_t[1]"
    local span = C.cupel_json_span(self.doc, node, length)
    return ffi.string(span, length[0])
end

function M:string(node)
    local length = ffi.new "size_t[1]"
    local bytes = C.cupel_json_string(self.doc, node, length)
    return bytes ~= nil and ffi.string(bytes, length[0]) or nil
end

-- true, false, or nil for what is no boolean
function M:boolean(node)
    local value = C.cupel_json_boolean(self.doc, node)
    return ({ [0] = false, [1] = true })[value]
end

-- Iterates over the items of an array.
function M:items(parent)
    local node = C.cupel_json_first(self.doc, parent)
    return function()
        if node == 0xffffffff then
            return nil
        end
        local item = node
        node = C.cupel_json_next(self.doc, parent, node)
        return item
    end
end

return M
