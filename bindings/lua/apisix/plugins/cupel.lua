-- APISIX's plugin `cupel`: judges requests to an MCP server before they are proxied.
local access = require "resty.cupel.access"
local core = require "apisix.core"
local cupel = require "resty.cupel"
local files = require "resty.cupel.files"

local schema = {
    type = "object",
    properties = {
        -- A file with the server's response to tools/list.
        catalog = { type = "string", minLength = 1 },
        profile = { enum = { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28" } },
        any_arguments = { type = "boolean", default = false },
    },
    required = { "catalog" },
}

-- Behind authentication (2,000 and above), before the plugins that transform requests.
local M = { version = 0.1, priority = 1050, name = "cupel", schema = schema }

function M.check_schema(config)
    return core.schema.check(schema, config)
end

function M.access(config)
    local catalog, err = files.catalog(config.catalog,
        { profile = config.profile, any_arguments = config.any_arguments })
    if not catalog then
        core.log.error("cupel: ", config.catalog, ": ", tostring(err))
        return 500, { error_msg = "the catalog of tools cannot be used" }
    end
    return access.judge(catalog)
end

M.library_version = cupel.library_version
return M
