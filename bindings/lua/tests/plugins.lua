-- Loads the plug-ins for Kong and APISIX against stand-ins for the hosts' modules, and tells how a
-- host would call them.  nginx runs this file in the access phase: tests/nginx.py.
local M = {}

package.preload["kong.db.schema.typedefs"] = function()
    return { protocols_http = {} }
end
package.preload["apisix.core"] = function()
    return {
        log = { error = function(...) ngx.log(ngx.ERR, ...) end },
        schema = { check = function(schema, config)
            local missing = type(config.catalog) ~= "string"
            return not missing, missing and "catalog is required" or nil, schema
        end },
    }
end

local function kong_host()
    return {
        log = { err = function(...) ngx.log(ngx.ERR, ...) end },
        response = { exit = function(status)
            ngx.status = status
            return ngx.exit(status)
        end },
    }
end

function M.kong(catalog)
    rawset(_G, "kong", kong_host())
    local schema = require "kong.plugins.cupel.schema"
    assert(schema.name == "cupel" and schema.fields[2].config.fields[1].catalog.required)
    local handler = require "kong.plugins.cupel.handler"
    return handler:access { catalog = catalog, any_arguments = false }
end

function M.apisix(catalog)
    local plugin = require "apisix.plugins.cupel"
    assert(plugin.check_schema { catalog = catalog } and not plugin.check_schema {})
    local status = plugin.access { catalog = catalog }
    if status then
        ngx.status = status
        return ngx.exit(status)
    end
end

return M
