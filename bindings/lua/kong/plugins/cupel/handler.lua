-- Kong's plugin `cupel`: judges requests to an MCP server before they are proxied.
local access = require "resty.cupel.access"
local cupel = require "resty.cupel"
local files = require "resty.cupel.files"

-- Behind authentication (1,000 and above), before transformers of requests (801).
local Handler = { PRIORITY = 850, VERSION = cupel._VERSION }

function Handler:access(config)
    local catalog, err = files.catalog(config.catalog,
        { profile = config.profile, any_arguments = config.any_arguments })
    if not catalog then
        kong.log.err("cupel: ", config.catalog, ": ", tostring(err))
        return kong.response.exit(500, { message = "the catalog of tools cannot be used" })
    end
    return access.judge(catalog)
end

return Handler
