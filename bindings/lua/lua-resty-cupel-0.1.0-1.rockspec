package = "lua-resty-cupel"
version = "0.1.0-1"
source = { url = "git+https://example.invalid/cupel.git", tag = "v0.1.0", dir = "cupel/bindings/lua" }
description = {
    summary = "JSON Schema validation from bytes, for OpenResty and LuaJIT",
    detailed = "Binds the C library cupel, which must be installed as libcupel.so.0.",
    license = "MIT",
}
dependencies = { "lua >= 5.1, < 5.2" }
build = {
    type = "builtin",
    modules = {
        ["resty.cupel"] = "lib/resty/cupel.lua",
        ["resty.cupel.access"] = "lib/resty/cupel/access.lua",
        ["resty.cupel.catalog"] = "lib/resty/cupel/catalog.lua",
        ["resty.cupel.cdef"] = "lib/resty/cupel/cdef.lua",
        ["resty.cupel.files"] = "lib/resty/cupel/files.lua",
        ["kong.plugins.cupel.handler"] = "kong/plugins/cupel/handler.lua",
        ["kong.plugins.cupel.schema"] = "kong/plugins/cupel/schema.lua",
        ["apisix.plugins.cupel"] = "apisix/plugins/cupel.lua",
    },
}
