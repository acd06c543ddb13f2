--- Catalogs by file name, each made once in a worker.
local cupel = require "resty.cupel"

local M = {}
local made = {}

local function key_of(path, options)
    return table.concat({ path, tostring(options.profile), tostring(options.any_arguments) }, "\0")
end

--- The catalog of a file that holds a response of tools/list.  A file is read when a worker first
-- needs it; a reload of the workers reads it again.
-- @return a catalog; or nil and the reason.  A failure is not kept
function M.catalog(path, options)
    local key = key_of(path, options)
    if made[key] then
        return made[key]
    end
    local file, reason = io.open(path, "rb")
    if not file then
        return nil, reason
    end
    local text = file:read "*a"
    file:close()
    if not text then
        return nil, path .. " cannot be read"
    end
    local catalog, err = cupel.catalog(text, options)
    made[key] = catalog
    return catalog, err
end

return M
