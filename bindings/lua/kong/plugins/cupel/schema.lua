-- The configuration of Kong's plugin `cupel`.
local typedefs = require "kong.db.schema.typedefs"

return {
    name = "cupel",
    fields = {
        { protocols = typedefs.protocols_http },
        {
            config = {
                type = "record",
                fields = {
                    -- A file with the server's response to tools/list.
                    { catalog = { type = "string", required = true } },
                    { profile = { type = "string", one_of = { "2024-11-05", "2025-03-26",
                        "2025-06-18", "2025-11-25", "2026-07-28" } } },
                    { any_arguments = { type = "boolean", default = false } },
                },
            },
        },
    },
}
