/* ngx_http_cupel_config.c: the module's directives and its life in nginx.  The catalogs that the
 * directives name are read in ngx_http_cupel_catalog.c. */
#include "ngx_http_cupel.h"

#include <stddef.h>

enum { DEFAULT_ZONE = 256 << 10 };

/* -- cupel_catalog NAME FILE… [spec=VERSION] [strict_names] -------------------------------------
 */

static ngx_uint_t read_profile(const ngx_str_t *value, enum cupel_mcp_profile *ret)
{
    static const struct {
        const char *name;
        enum cupel_mcp_profile profile;
    } profiles[] = {
        {"spec=2024-11-05", CUPEL_MCP_2024_11_05}, {"spec=2025-03-26", CUPEL_MCP_2025_03_26},
        {"spec=2025-06-18", CUPEL_MCP_2025_06_18}, {"spec=2025-11-25", CUPEL_MCP_2025_11_25},
        {"spec=2026-07-28", CUPEL_MCP_2026_07_28},
    };
    for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        if (ngx_strcmp(value->data, profiles[i].name) == 0) {
            *ret = profiles[i].profile;
            return 1;
        }
    }
    return 0;
}

static ngx_http_cupel_catalog_t *find_catalog(const ngx_http_cupel_main_conf_t *main,
                                              const ngx_str_t *name)
{
    ngx_http_cupel_catalog_t *catalogs = main->catalogs.elts;
    for (ngx_uint_t i = 0; i < main->catalogs.nelts; i++)
        if (catalogs[i].name.len == name->len &&
            ngx_memcmp(catalogs[i].name.data, name->data, name->len) == 0)
            return &catalogs[i];
    return NULL;
}

static char *add_catalog_argument(ngx_conf_t *cf, ngx_http_cupel_catalog_t *catalog,
                                  const ngx_str_t *value)
{
    if (ngx_strcmp(value->data, "strict_names") == 0) {
        catalog->strict_names = 1;
        return NGX_CONF_OK;
    }
    if (ngx_strncmp(value->data, "spec=", 5) == 0)
        return read_profile(value, &catalog->profile) ? NGX_CONF_OK : "has an unknown spec";
    ngx_str_t *file = ngx_array_push(&catalog->files);
    if (file == NULL)
        return NGX_CONF_ERROR;
    *file = *value;
    return ngx_conf_full_name(cf->cycle, file, 1) == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}

static char *set_catalog(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
    (void)command;
    ngx_http_cupel_main_conf_t *main = conf;
    const ngx_str_t *values = cf->args->elts;
    if (find_catalog(main, &values[1]) != NULL)
        return "names a catalog twice";
    ngx_http_cupel_catalog_t *catalog = ngx_array_push(&main->catalogs);
    if (catalog == NULL)
        return NGX_CONF_ERROR;
    ngx_memzero(catalog, sizeof(*catalog));
    catalog->name = values[1];
    catalog->conf_file = cf->conf_file->file.name;
    catalog->conf_line = cf->conf_file->line;
    catalog->profile = CUPEL_MCP_2026_07_28;
    if (ngx_array_init(&catalog->files, cf->pool, 2, sizeof(ngx_str_t)) != NGX_OK)
        return NGX_CONF_ERROR;
    for (ngx_uint_t i = 2; i < cf->args->nelts; i++) {
        char *result = add_catalog_argument(cf, catalog, &values[i]);
        if (result != NGX_CONF_OK)
            return result;
    }
    return catalog->files.nelts != 0 ? NGX_CONF_OK : "names no file";
}

/* -- cupel_limits NAME=N… -----------------------------------------------------------------------
 */

static const struct limit {
    ngx_str_t name;
    size_t offset;
    size_t size;
} limits[] = {
#define LIMIT(name, field)                                      \
    {                                                           \
        ngx_string(name), offsetof(struct cupel_limits, field), \
            sizeof(((struct cupel_limits *)0)->field)           \
    }
    LIMIT("body=", body_bytes), LIMIT("depth=", depth),          LIMIT("errors=", errors),
    LIMIT("steps=", steps),     LIMIT("memory=", scratch_bytes),
#undef LIMIT
};

static char *set_limit(struct cupel_limits *to, ngx_str_t *value)
{
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        const struct limit *limit = &limits[i];
        if (value->len <= limit->name.len ||
            ngx_memcmp(value->data, limit->name.data, limit->name.len) != 0)
            continue;
        ngx_str_t number = {value->len - limit->name.len, value->data + limit->name.len};
        ssize_t bytes = ngx_parse_size(&number);
        uint32_t narrow = (uint32_t)bytes;
        uint64_t wide = (uint64_t)bytes;
        if (bytes < 0 || (limit->size == sizeof(narrow) && wide > UINT32_MAX))
            return "has a number that is not one";
        ngx_memcpy((char *)to + limit->offset,
                   limit->size == sizeof(narrow) ? (void *)&narrow : (void *)&wide, limit->size);
        return NGX_CONF_OK;
    }
    return "has an unknown limit";
}

static char *set_limits(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
    (void)command;
    ngx_http_cupel_main_conf_t *main = conf;
    ngx_str_t *values = cf->args->elts;
    for (ngx_uint_t i = 1; i < cf->args->nelts; i++) {
        char *result = set_limit(&main->options.limits, &values[i]);
        if (result != NGX_CONF_OK)
            return result;
    }
    return NGX_CONF_OK;
}

/* -- Locations ----------------------------------------------------------------------------------
 */

static char *set_status(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
    (void)command;
    (void)conf;
    ngx_http_core_loc_conf_t *core = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    core->handler = ngx_http_cupel_status_handler;
    return NGX_CONF_OK;
}

static void *create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_cupel_loc_conf_t *conf = ngx_pcalloc(cf->pool, sizeof(*conf));
    if (conf == NULL)
        return NULL;
    conf->mode = NGX_CONF_UNSET_UINT;
    conf->unknown_tool = NGX_CONF_UNSET_UINT;
    conf->undecided = NGX_CONF_UNSET_UINT;
    conf->headers = NGX_CONF_UNSET_UINT;
    conf->results = NGX_CONF_UNSET;
    return conf; /* `allow` is 0: a bitmask that nothing has set */
}

static char *guard(ngx_conf_t *cf, const ngx_http_cupel_loc_conf_t *conf)
{
    const ngx_http_core_loc_conf_t *core =
        ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    const char *reason = ngx_http_cupel_guard(cf, conf);
    if (reason == NULL)
        return NGX_CONF_OK;
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "cupel: in location \"%V\", which \"%V\" judges: %s",
                       &core->name, &conf->catalog_name, reason);
    return NGX_CONF_ERROR;
}

/* Catalogs may be named after the locations that use them: everything in http{} has been read. */
static char *merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    const ngx_http_cupel_loc_conf_t *outer = parent;
    ngx_http_cupel_loc_conf_t *conf = child;
    ngx_conf_merge_str_value(conf->catalog_name, outer->catalog_name, "off");
    ngx_conf_merge_uint_value(conf->mode, outer->mode, NGX_HTTP_CUPEL_ENFORCE);
    ngx_conf_merge_uint_value(conf->unknown_tool, outer->unknown_tool, NGX_HTTP_CUPEL_REFUSE);
    ngx_conf_merge_uint_value(conf->undecided, outer->undecided, NGX_HTTP_CUPEL_REFUSE);
    ngx_conf_merge_uint_value(conf->headers, outer->headers, NGX_HTTP_CUPEL_AUTO);
    ngx_conf_merge_value(conf->results, outer->results, 1);
    ngx_conf_merge_bitmask_value(conf->allow, outer->allow, NGX_CONF_BITMASK_SET);
    if (ngx_strcmp(conf->catalog_name.data, "off") == 0)
        return NGX_CONF_OK;
    conf->catalog = find_catalog(ngx_http_conf_get_module_main_conf(cf, ngx_http_cupel_module),
                                 &conf->catalog_name);
    if (conf->catalog != NULL)
        return guard(cf, conf);
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "cupel: there is no catalog \"%V\"",
                       &conf->catalog_name);
    return NGX_CONF_ERROR;
}

/* -- The module ---------------------------------------------------------------------------------
 */

static void *create_main_conf(ngx_conf_t *cf)
{
    ngx_http_cupel_main_conf_t *conf = ngx_pcalloc(cf->pool, sizeof(*conf));
    if (conf == NULL ||
        ngx_array_init(&conf->catalogs, cf->pool, 4, sizeof(ngx_http_cupel_catalog_t)) != NGX_OK)
        return NULL;
    cupel_options_init(&conf->options);
    conf->zone_size = NGX_CONF_UNSET_SIZE;
    return conf;
}

static char *init_main_conf(ngx_conf_t *cf, void *data)
{
    ngx_http_cupel_main_conf_t *conf = data;
    ngx_str_t name = ngx_string("cupel");
    ngx_conf_init_size_value(conf->zone_size, DEFAULT_ZONE);
    conf->zone = ngx_shared_memory_add(cf, &name, conf->zone_size, &ngx_http_cupel_module);
    if (conf->zone == NULL)
        return NGX_CONF_ERROR;
    conf->zone->init = ngx_http_cupel_init_zone;
    return ngx_http_cupel_load_catalogs(cf, conf);
}

static ngx_int_t before_reading(ngx_conf_t *cf)
{
    return ngx_http_cupel_add_variables(cf);
}

static ngx_int_t after_reading(ngx_conf_t *cf)
{
    ngx_http_core_main_conf_t *core = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
    ngx_http_handler_pt *handler =
        ngx_array_push(&core->phases[NGX_HTTP_PRECONTENT_PHASE].handlers);
    if (handler == NULL)
        return NGX_ERROR;
    *handler = ngx_http_cupel_handler;
    return NGX_OK;
}

/* What only a worker has. */
static ngx_int_t init_process(ngx_cycle_t *cycle)
{
    ngx_http_cupel_main_conf_t *conf =
        ngx_http_cycle_get_module_main_conf(cycle, ngx_http_cupel_module);
    if (conf == NULL)
        return NGX_OK;
    cupel_text_init(&conf->answer, NULL);
    cupel_text_init(&conf->answers, NULL);
    conf->links = ngx_http_cupel_new_links(cycle->pool);
    if (conf->links == NULL || cupel_caller_new(&conf->options, &conf->caller) != CUPEL_OK)
        return NGX_ERROR;
    return NGX_OK;
}

static void exit_process(ngx_cycle_t *cycle)
{
    ngx_http_cupel_main_conf_t *conf =
        ngx_http_cycle_get_module_main_conf(cycle, ngx_http_cupel_module);
    if (conf == NULL)
        return;
    cupel_caller_free(conf->caller);
    cupel_text_free(&conf->answer);
    cupel_text_free(&conf->answers);
}

static ngx_conf_enum_t modes[] = {
    {ngx_string("enforce"), NGX_HTTP_CUPEL_ENFORCE},
    {ngx_string("report"), NGX_HTTP_CUPEL_REPORT},
    {ngx_null_string, 0},
};

static ngx_conf_enum_t policies[] = {
    {ngx_string("refuse"), NGX_HTTP_CUPEL_REFUSE},
    {ngx_string("pass"), NGX_HTTP_CUPEL_PASS},
    {ngx_null_string, 0},
};

static ngx_conf_enum_t header_modes[] = {
    {ngx_string("off"), NGX_HTTP_CUPEL_OFF},
    {ngx_string("auto"), NGX_HTTP_CUPEL_AUTO},
    {ngx_string("require"), NGX_HTTP_CUPEL_REQUIRE},
    {ngx_null_string, 0},
};

static ngx_conf_bitmask_t allowances[] = {
    {ngx_string("accel_headers"), NGX_HTTP_CUPEL_ALLOW_ACCEL},
    {ngx_null_string, 0},
};

#define ANYWHERE        (NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF)
#define LOCATION(field) NGX_HTTP_LOC_CONF_OFFSET, offsetof(ngx_http_cupel_loc_conf_t, field)

static ngx_command_t commands[] = {
    {ngx_string("cupel_catalog"), NGX_HTTP_MAIN_CONF | NGX_CONF_2MORE, set_catalog,
     NGX_HTTP_MAIN_CONF_OFFSET, 0, NULL},
    {ngx_string("cupel_limits"), NGX_HTTP_MAIN_CONF | NGX_CONF_1MORE, set_limits,
     NGX_HTTP_MAIN_CONF_OFFSET, 0, NULL},
    {ngx_string("cupel_status_zone"), NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, ngx_conf_set_size_slot,
     NGX_HTTP_MAIN_CONF_OFFSET, offsetof(ngx_http_cupel_main_conf_t, zone_size), NULL},
    {ngx_string("cupel"), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_str_slot, LOCATION(catalog_name),
     NULL},
    {ngx_string("cupel_mode"), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_enum_slot, LOCATION(mode),
     modes},
    {ngx_string("cupel_unknown_tool"), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_enum_slot,
     LOCATION(unknown_tool), policies},
    {ngx_string("cupel_undecided"), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_enum_slot,
     LOCATION(undecided), policies},
    {ngx_string("cupel_headers"), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_enum_slot,
     LOCATION(headers), header_modes},
    {ngx_string("cupel_results"), ANYWHERE | NGX_CONF_FLAG, ngx_conf_set_flag_slot,
     LOCATION(results), NULL},
    {ngx_string("cupel_allow"), ANYWHERE | NGX_CONF_1MORE, ngx_conf_set_bitmask_slot,
     LOCATION(allow), allowances},
    {ngx_string("cupel_status"), NGX_HTTP_LOC_CONF | NGX_CONF_NOARGS, set_status, 0, 0, NULL},
    ngx_null_command,
};

static ngx_http_module_t context = {
    .preconfiguration = before_reading,
    .postconfiguration = after_reading,
    .create_main_conf = create_main_conf,
    .init_main_conf = init_main_conf,
    .create_loc_conf = create_loc_conf,
    .merge_loc_conf = merge_loc_conf,
};

ngx_module_t ngx_http_cupel_module = {
    NGX_MODULE_V1, &context, commands, NGX_HTTP_MODULE, NULL, NULL,
    init_process,  NULL,     NULL,     exit_process,    NULL, NGX_MODULE_V1_PADDING,
};
