/* ngx_http_cupel_config.c: the module's directives, the configuration of locations, and the
 * module's life in the processes of nginx.  Catalogs are read in ngx_http_cupel_catalog.c, limits
 * in ngx_http_cupel_limits.c.
 *
 * Order: all of http{} is read first, then locations are merged and each judged one gets its
 * policy (merge_loc_conf), then files are read (init_main_conf).  So directives may stand in any
 * order. */
#include "gateways/nginx/ngx_http_cupel.h"

#include <stddef.h>

enum { DEFAULT_ZONE = 256 << 10, DEFAULT_STORE = 32 << 20, DEFAULT_MEMORY = 2 << 20 };

/* Less than the default of the library, so that a body of 1 MiB takes a worker at most about 30 ms:
 * meanwhile it serves no other request. */
enum { STEPS_PER_BYTE = 2 };

/* -- cupel_catalog NAME FILE…|learn [spec=VERSION] [key=$variable|shared] [pins=FILE] [max=N]
 *    [strict_names] ------------------------------------------------------------------------------
 */

/* Reads spec=VERSION.  Returns 0 for an unknown version. */
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

/* Returns the catalog with a name, or NULL. */
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

/* Reads key=.  A variable that is a field of the request, or a cookie, names the field that a
 * fetch has to carry, or the upstream would not know the caller. */
static char *set_key(ngx_conf_t *cf, ngx_http_cupel_catalog_t *catalog, ngx_str_t value)
{
    if (value.len == 6 && ngx_memcmp(value.data, "shared", 6) == 0) {
        catalog->by = CUPEL_GW_BY_NOTHING;
        return NGX_CONF_OK;
    }
    if (value.len < 2 || value.data[0] != '$')
        return "has a key= that is neither a variable nor \"shared\"";
    ngx_str_t name = {value.len - 1, value.data + 1};
    catalog->by = CUPEL_GW_BY_VARIABLE;
    catalog->key_variable = ngx_http_get_variable_index(cf, &name);
    if (catalog->key_variable == NGX_ERROR)
        return NGX_CONF_ERROR;
    if (name.len > 5 && ngx_strncmp(name.data, "http_", 5) == 0) {
        catalog->key_field.len = name.len - 5;
        catalog->key_field.data = name.data + 5;
        for (ngx_uint_t i = 0; i < catalog->key_field.len; i++)
            if (catalog->key_field.data[i] == '_')
                catalog->key_field.data[i] = '-';
    } else if (name.len > 7 && ngx_strncmp(name.data, "cookie_", 7) == 0) {
        ngx_str_set(&catalog->key_field, "cookie");
    }
    return NGX_CONF_OK;
}

/* Reads pins=FILE.  The file is read at the end of http{}. */
static char *set_pins(ngx_conf_t *cf, ngx_http_cupel_catalog_t *catalog, ngx_str_t value)
{
    catalog->pins_file = value;
    return value.len != 0 && ngx_conf_full_name(cf->cycle, &catalog->pins_file, 1) == NGX_OK
               ? NGX_CONF_OK
               : "has pins= without a file";
}

/* Reads max=N. */
static char *set_most(ngx_http_cupel_catalog_t *catalog, ngx_str_t value)
{
    ngx_int_t most = ngx_atoi(value.data, value.len);
    if (most <= 0 || most > 1000000)
        return "has a max= that is not a number from 1 to 1000000";
    catalog->most = (ngx_uint_t)most;
    return NGX_CONF_OK;
}

/* Reads one argument of cupel_catalog: an option, or the name of a file. */
static char *add_catalog_argument(ngx_conf_t *cf, ngx_http_cupel_catalog_t *catalog,
                                  const ngx_str_t *value)
{
    ngx_str_t rest;
    if (ngx_strcmp(value->data, "strict_names") == 0) {
        catalog->strict_names = 1;
        return NGX_CONF_OK;
    }
    if (ngx_http_cupel_has_prefix(value, "spec=", &rest))
        return read_profile(value, &catalog->profile) ? NGX_CONF_OK
                                                      : "has a spec= that is not a known version";
    if (ngx_http_cupel_has_prefix(value, "key=", &rest))
        return set_key(cf, catalog, rest);
    if (ngx_http_cupel_has_prefix(value, "pins=", &rest))
        return set_pins(cf, catalog, rest);
    if (ngx_http_cupel_has_prefix(value, "max=", &rest))
        return set_most(catalog, rest);
    ngx_str_t *file = ngx_array_push(&catalog->files);
    if (file == NULL)
        return NGX_CONF_ERROR;
    *file = *value;
    return ngx_conf_full_name(cf->cycle, file, 1) == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}

/* Checks that the arguments of a catalog belong together. */
static char *check_catalog(const ngx_http_cupel_catalog_t *catalog, ngx_uint_t keyed)
{
    if (catalog->learns)
        return catalog->files.nelts == 0 ? NGX_CONF_OK : "combines learn with files";
    if (keyed)
        return "has key= or max=, which need learn";
    return catalog->files.nelts != 0 ? NGX_CONF_OK : "names neither a file nor learn";
}

static ngx_http_cupel_catalog_t *new_catalog(ngx_conf_t *cf, ngx_http_cupel_main_conf_t *main,
                                             const ngx_str_t *values)
{
    ngx_http_cupel_catalog_t *catalog = ngx_array_push(&main->catalogs);
    if (catalog == NULL)
        return NULL;
    ngx_memzero(catalog, sizeof(*catalog));
    catalog->name = values[1];
    catalog->conf_file = cf->conf_file->file.name;
    catalog->conf_line = cf->conf_file->line;
    catalog->profile = CUPEL_MCP_2026_07_28;
    catalog->learns = ngx_strcmp(values[2].data, "learn") == 0;
    return ngx_array_init(&catalog->files, cf->pool, 2, sizeof(ngx_str_t)) == NGX_OK ? catalog
                                                                                     : NULL;
}

/* The directive cupel_catalog. */
static char *set_catalog(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
    (void)command;
    ngx_http_cupel_main_conf_t *main = conf;
    const ngx_str_t *values = cf->args->elts;
    if (find_catalog(main, &values[1]) != NULL)
        return "defines a catalog that exists already";
    ngx_http_cupel_catalog_t *catalog = new_catalog(cf, main, values);
    if (catalog == NULL)
        return NGX_CONF_ERROR;
    for (ngx_uint_t i = catalog->learns ? 3 : 2; i < cf->args->nelts; i++) {
        char *result = add_catalog_argument(cf, catalog, &values[i]);
        if (result != NGX_CONF_OK)
            return result;
    }
    return check_catalog(catalog, catalog->by != CUPEL_GW_BY_AUTHORIZATION || catalog->most != 0);
}

/* -- Locations ------------------------------------------------------------------------------- */

static char *set_status(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
    (void)command;
    (void)conf;
    ngx_http_core_loc_conf_t *core = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    core->handler = ngx_http_cupel_status_handler;
    return NGX_CONF_OK;
}

/* Makes the settings of a location, none of them set. */
static void *create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_cupel_loc_conf_t *conf = ngx_pcalloc(cf->pool, sizeof(*conf));
    if (conf == NULL)
        return NULL;
    conf->mode = NGX_CONF_UNSET_UINT;
    conf->unknown_tool = NGX_CONF_UNSET_UINT;
    conf->undecided = NGX_CONF_UNSET_UINT;
    conf->unattributed = NGX_CONF_UNSET_UINT;
    conf->headers = NGX_CONF_UNSET_UINT;
    conf->argument_names = NGX_CONF_UNSET_UINT;
    conf->results = NGX_CONF_UNSET_UINT;
    conf->changed = NGX_CONF_UNSET_UINT;
    conf->hidden_text = NGX_CONF_UNSET_UINT;
    conf->unlearned = NGX_CONF_UNSET_UINT;
    conf->elicitation = NGX_CONF_UNSET;
    return conf; /* `allow` is 0: a bitmask that nothing has set */
}

/* Takes each setting that a location does not have from the outer level, or its default. */
static void merge_settings(ngx_http_cupel_loc_conf_t *conf, const ngx_http_cupel_loc_conf_t *outer)
{
    ngx_conf_merge_uint_value(conf->mode, outer->mode, CUPEL_GW_ENFORCE);
    ngx_conf_merge_uint_value(conf->unknown_tool, outer->unknown_tool, CUPEL_GW_REFUSE_IT);
    ngx_conf_merge_uint_value(conf->undecided, outer->undecided, CUPEL_GW_REFUSE_IT);
    ngx_conf_merge_uint_value(conf->unattributed, outer->unattributed, CUPEL_GW_REFUSE_IT);
    ngx_conf_merge_uint_value(conf->headers, outer->headers, CUPEL_GW_HEADERS_AUTO);
    ngx_conf_merge_uint_value(conf->argument_names, outer->argument_names, CUPEL_GW_NAMES_EXACT);
    ngx_conf_merge_uint_value(conf->results, outer->results, CUPEL_GW_RESULTS_ON);
    ngx_conf_merge_uint_value(conf->changed, outer->changed, CUPEL_GW_WITHHOLD_REFUSE);
    ngx_conf_merge_uint_value(conf->hidden_text, outer->hidden_text, CUPEL_GW_WITHHOLD_REPORT);
    ngx_conf_merge_uint_value(conf->unlearned, outer->unlearned, CUPEL_GW_UNLEARNED_FETCH);
    ngx_conf_merge_value(conf->elicitation, outer->elicitation, 0);
    ngx_conf_merge_bitmask_value(conf->allow, outer->allow, NGX_CONF_BITMASK_SET);
}

/* Makes the policy of the core from the settings.  `known` is the policy once a list of the
 * location was learned: `cupel_unlearned pass` ends there. */
static void make_policy(const ngx_http_cupel_main_conf_t *main, ngx_http_cupel_loc_conf_t *conf)
{
    cupel_gw_policy_init(&conf->policy);
    conf->policy.profile = conf->catalog->profile;
    conf->policy.mode = (enum cupel_gw_mode)conf->mode;
    conf->policy.unknown_tool = (enum cupel_gw_choice)conf->unknown_tool;
    conf->policy.undecided = (enum cupel_gw_choice)conf->undecided;
    conf->policy.unattributed = (enum cupel_gw_choice)conf->unattributed;
    conf->policy.headers = (enum cupel_gw_headers)conf->headers;
    conf->policy.argument_names = (enum cupel_gw_argument_names)conf->argument_names;
    conf->policy.results = (enum cupel_gw_results)conf->results;
    conf->policy.changed = (enum cupel_gw_withhold)conf->changed;
    conf->policy.hidden_text = (enum cupel_gw_withhold)conf->hidden_text;
    conf->policy.unlearned = (enum cupel_gw_unlearned)conf->unlearned;
    conf->policy.elicitation = conf->elicitation != 0;
    conf->policy.learns = conf->catalog->learns != 0;
    conf->policy.allow =
        (uint32_t)(conf->allow & (NGX_HTTP_CUPEL_ALLOW_ACCEL - 1)) >> NGX_HTTP_CUPEL_ALLOW_SHIFT;
    conf->policy.limits = main->limits;
    conf->known = conf->policy;
    conf->known.unlearned = CUPEL_GW_UNLEARNED_FETCH;
}

/* Makes the name of the location: catalog, server and location.  Learned lists are stored under
 * it, so it must be the same after a reload. */
static ngx_int_t name_location(ngx_conf_t *cf, ngx_http_cupel_loc_conf_t *conf)
{
    const ngx_http_core_loc_conf_t *core =
        ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    const ngx_http_core_srv_conf_t *server =
        ngx_http_conf_get_module_srv_conf(cf, ngx_http_core_module);
    size_t room = conf->catalog_name.len + server->server_name.len + core->name.len + 2;
    conf->name.data = ngx_pnalloc(cf->pool, room);
    if (conf->name.data == NULL)
        return NGX_ERROR;
    u_char *end = ngx_sprintf(conf->name.data, "%V\n%V\n%V", &conf->catalog_name,
                              &server->server_name, &core->name);
    conf->name.len = (size_t)(end - conf->name.data);
    return NGX_OK;
}

/* Refuses a location with directives of other modules that would carry unjudged bodies past this
 * one. */
static char *guard(ngx_conf_t *cf, ngx_http_cupel_loc_conf_t *conf)
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

/* Warns of the policy that lets calls pass unjudged for a while. */
static void warn_of_pass(ngx_conf_t *cf, const ngx_http_cupel_loc_conf_t *conf)
{
    if (conf->catalog->learns && conf->unlearned == CUPEL_GW_UNLEARNED_PASS)
        ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                           "cupel: \"cupel_unlearned pass\" lets calls by catalog \"%V\" pass "
                           "unjudged until the first list is learned",
                           &conf->catalog_name);
}

/* Finishes the configuration of a location.  Catalogs may be named after the locations that use
 * them, because all of http{} was read before. */
static char *merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    const ngx_http_cupel_loc_conf_t *outer = parent;
    ngx_http_cupel_loc_conf_t *conf = child;
    const ngx_http_cupel_main_conf_t *main =
        ngx_http_conf_get_module_main_conf(cf, ngx_http_cupel_module);
    ngx_conf_merge_str_value(conf->catalog_name, outer->catalog_name, "off");
    merge_settings(conf, outer);
    if (ngx_strcmp(conf->catalog_name.data, "off") == 0)
        return NGX_CONF_OK;
    conf->catalog = find_catalog(main, &conf->catalog_name);
    if (conf->catalog == NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "cupel: unknown catalog \"%V\"",
                           &conf->catalog_name);
        return NGX_CONF_ERROR;
    }
    if (name_location(cf, conf) != NGX_OK)
        return NGX_CONF_ERROR;
    make_policy(main, conf);
    warn_of_pass(cf, conf);
    return guard(cf, conf);
}

/* -- The module ------------------------------------------------------------------------------ */

/* Makes the main configuration with the defaults of the library. */
static void *create_main_conf(ngx_conf_t *cf)
{
    ngx_http_cupel_main_conf_t *conf = ngx_pcalloc(cf->pool, sizeof(*conf));
    if (conf == NULL ||
        ngx_array_init(&conf->catalogs, cf->pool, 4, sizeof(ngx_http_cupel_catalog_t)) != NGX_OK)
        return NULL;
    struct cupel_gw_policy policy;
    cupel_gw_policy_init(&policy);
    conf->limits = policy.limits;
    cupel_options_init(&conf->options);
    conf->options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = STEPS_PER_BYTE;
    cupel_gw_learn_config_init(&conf->learning);
    conf->status_size = conf->store_size = conf->memory_size = NGX_CONF_UNSET_SIZE;
    return conf;
}

static ngx_uint_t learns(const ngx_http_cupel_main_conf_t *conf)
{
    const ngx_http_cupel_catalog_t *catalogs = conf->catalogs.elts;
    for (ngx_uint_t i = 0; i < conf->catalogs.nelts; i++)
        if (catalogs[i].learns)
            return 1;
    return 0;
}

/* Adds a shared zone.  Its tag is the module, so another module's zone with this name is an
 * error. */
static ngx_shm_zone_t *add_zone(ngx_conf_t *cf, const char *name, size_t size,
                                ngx_shm_zone_init_pt init)
{
    ngx_str_t text = {ngx_strlen(name), (u_char *)name};
    ngx_shm_zone_t *zone = ngx_shared_memory_add(cf, &text, size, &ngx_http_cupel_module);
    if (zone != NULL)
        zone->init = init;
    return zone;
}

/* Adds the zones that this configuration needs, with their sizes.  A zone keeps its contents over
 * a reload if its size stays. */
static char *add_zones(ngx_conf_t *cf, ngx_http_cupel_main_conf_t *conf)
{
    size_t least = ngx_http_cupel_least_zone(conf->catalogs.nelts);
    ngx_conf_init_size_value(conf->status_size, ngx_max(DEFAULT_ZONE, least));
    if (conf->status_size < least) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "cupel: \"cupel_status_zone\" of %uz bytes is too small for %ui "
                           "catalogs, %uz are needed",
                           conf->status_size, conf->catalogs.nelts, least);
        return NGX_CONF_ERROR;
    }
    ngx_conf_init_size_value(conf->store_size, DEFAULT_STORE);
    ngx_conf_init_size_value(conf->memory_size, DEFAULT_MEMORY);
    conf->status_zone = add_zone(cf, "cupel", conf->status_size, ngx_http_cupel_init_zone);
    conf->memory_zone = add_zone(cf, "cupel_memory", conf->memory_size, ngx_http_cupel_init_memory);
    if (conf->status_zone == NULL || conf->memory_zone == NULL)
        return NGX_CONF_ERROR;
    if (!learns(conf))
        return NGX_CONF_OK;
    conf->store_zone = add_zone(cf, "cupel_learn", conf->store_size, ngx_http_cupel_init_store);
    return conf->store_zone != NULL ? NGX_CONF_OK : NGX_CONF_ERROR;
}

static char *init_main_conf(ngx_conf_t *cf, void *data)
{
    ngx_http_cupel_main_conf_t *conf = data;
    conf->options.limits[CUPEL_LIMIT_BODY_BYTES] = conf->limits.body;
    if (conf->catalogs.nelts != 0 && add_zones(cf, conf) != NGX_CONF_OK)
        return NGX_CONF_ERROR;
    return ngx_http_cupel_load_catalogs(cf, conf);
}

static ngx_int_t before_reading(ngx_conf_t *cf)
{
    ngx_http_cupel_set_module(&ngx_http_cupel_module);
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

/* The options of a worker's documents.  Results and events may be larger than requests; the core
 * bounds each kind by a limit of its own. */
static struct cupel_options worker_options(const ngx_http_cupel_main_conf_t *conf)
{
    struct cupel_options options = conf->options;
    size_t most = ngx_max(conf->limits.result, conf->limits.event);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = ngx_max(most, conf->limits.body);
    return options;
}

/* Makes what each worker has for itself.  The master and helper processes have none of it. */
static ngx_int_t init_process(ngx_cycle_t *cycle)
{
    ngx_http_cupel_main_conf_t *conf =
        ngx_http_cycle_get_module_main_conf(cycle, ngx_http_cupel_module);
    if (conf == NULL || conf->status_zone == NULL ||
        (ngx_process != NGX_PROCESS_WORKER && ngx_process != NGX_PROCESS_SINGLE))
        return NGX_OK;
    struct cupel_options options = worker_options(conf);
    conf->series_cache = ngx_http_cupel_new_series_cache(cycle->pool);
    if (conf->series_cache == NULL ||
        cupel_gw_worker_new(&options, ngx_http_cupel_milliseconds, NULL, &conf->worker) != CUPEL_OK)
        return NGX_ERROR;
    ngx_http_cupel_open_memory(conf);
    return conf->store_zone != NULL ? ngx_http_cupel_open_store(conf, cycle->log) : NGX_OK;
}

/* Gives back what the worker held in shared memory.  A worker that is killed leaves that to the
 * others. */
static void exit_process(ngx_cycle_t *cycle)
{
    ngx_http_cupel_main_conf_t *conf =
        ngx_http_cycle_get_module_main_conf(cycle, ngx_http_cupel_module);
    if (conf == NULL)
        return;
    cupel_gw_learner_free(conf->learner);
    conf->learner = NULL;
    cupel_gw_store_close(conf->store);
    cupel_gw_worker_free(conf->worker);
}

/* -- Directives ------------------------------------------------------------------------------ */

static ngx_conf_enum_t modes[] = {
    {ngx_string("enforce"), CUPEL_GW_ENFORCE},
    {ngx_string("report"), CUPEL_GW_REPORT},
    {ngx_null_string, 0},
};

static ngx_conf_enum_t choices[] = {
    {ngx_string("refuse"), CUPEL_GW_REFUSE_IT},
    {ngx_string("pass"), CUPEL_GW_PASS_IT},
    {ngx_null_string, 0},
};

static ngx_conf_enum_t header_modes[] = {
    {ngx_string("off"), CUPEL_GW_HEADERS_OFF},
    {ngx_string("auto"), CUPEL_GW_HEADERS_AUTO},
    {ngx_string("require"), CUPEL_GW_HEADERS_REQUIRE},
    {ngx_null_string, 0},
};

static ngx_conf_enum_t name_modes[] = {
    {ngx_string("exact"), CUPEL_GW_NAMES_EXACT},
    {ngx_string("any"), CUPEL_GW_NAMES_ANY},
    {ngx_null_string, 0},
};

static ngx_conf_enum_t result_modes[] = {
    {ngx_string("on"), CUPEL_GW_RESULTS_ON},
    {ngx_string("off"), CUPEL_GW_RESULTS_OFF},
    {ngx_string("count"), CUPEL_GW_RESULTS_COUNT},
    {ngx_null_string, 0},
};

static ngx_conf_enum_t withhold_modes[] = {
    {ngx_string("report"), CUPEL_GW_WITHHOLD_REPORT},
    {ngx_string("refuse"), CUPEL_GW_WITHHOLD_REFUSE},
    {ngx_string("hide"), CUPEL_GW_WITHHOLD_HIDE},
    {ngx_null_string, 0},
};

static ngx_conf_enum_t unlearned_modes[] = {
    {ngx_string("fetch"), CUPEL_GW_UNLEARNED_FETCH},
    {ngx_string("refuse"), CUPEL_GW_UNLEARNED_REFUSE},
    {ngx_string("pass"), CUPEL_GW_UNLEARNED_PASS},
    {ngx_null_string, 0},
};

static ngx_conf_bitmask_t allowances[] = {
    {ngx_string("encoded_body"), CUPEL_GW_ALLOW_ENCODED_BODY << NGX_HTTP_CUPEL_ALLOW_SHIFT},
    {ngx_string("method_override"), CUPEL_GW_ALLOW_METHOD_OVERRIDE << NGX_HTTP_CUPEL_ALLOW_SHIFT},
    {ngx_string("other_methods"), CUPEL_GW_ALLOW_OTHER_METHODS << NGX_HTTP_CUPEL_ALLOW_SHIFT},
    {ngx_string("repeated_fields"), CUPEL_GW_ALLOW_REPEATED_FIELDS << NGX_HTTP_CUPEL_ALLOW_SHIFT},
    {ngx_string("upgrade"), CUPEL_GW_ALLOW_UPGRADE << NGX_HTTP_CUPEL_ALLOW_SHIFT},
    {ngx_string("redirect"), CUPEL_GW_ALLOW_REDIRECT << NGX_HTTP_CUPEL_ALLOW_SHIFT},
    {ngx_string("accel_headers"), NGX_HTTP_CUPEL_ALLOW_ACCEL},
    {ngx_null_string, 0},
};

#define ANYWHERE        (NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF)
#define LOCATION(field) NGX_HTTP_LOC_CONF_OFFSET, offsetof(ngx_http_cupel_loc_conf_t, field)
#define MAIN(field)     NGX_HTTP_MAIN_CONF_OFFSET, offsetof(ngx_http_cupel_main_conf_t, field)
#define CHOICE(name, field, values)                                                           \
    {                                                                                         \
        ngx_string(name), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_enum_slot, LOCATION(field), \
            values                                                                            \
    }

static ngx_command_t commands[] = {
    {ngx_string("cupel_catalog"), NGX_HTTP_MAIN_CONF | NGX_CONF_2MORE, set_catalog,
     NGX_HTTP_MAIN_CONF_OFFSET, 0, NULL},
    {ngx_string("cupel_limits"), NGX_HTTP_MAIN_CONF | NGX_CONF_1MORE, ngx_http_cupel_set_limits,
     NGX_HTTP_MAIN_CONF_OFFSET, 0, NULL},
    {ngx_string("cupel_learn_limits"), NGX_HTTP_MAIN_CONF | NGX_CONF_1MORE,
     ngx_http_cupel_set_learn_limits, NGX_HTTP_MAIN_CONF_OFFSET, 0, NULL},
    {ngx_string("cupel_status_zone"), NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, ngx_conf_set_size_slot,
     MAIN(status_size), NULL},
    {ngx_string("cupel_learn_zone"), NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, ngx_conf_set_size_slot,
     MAIN(store_size), NULL},
    {ngx_string("cupel_memory_zone"), NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, ngx_conf_set_size_slot,
     MAIN(memory_size), NULL},
    {ngx_string("cupel"), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_str_slot, LOCATION(catalog_name),
     NULL},
    CHOICE("cupel_mode", mode, modes),
    CHOICE("cupel_unknown_tool", unknown_tool, choices),
    CHOICE("cupel_undecided", undecided, choices),
    CHOICE("cupel_unattributed", unattributed, choices),
    CHOICE("cupel_headers", headers, header_modes),
    CHOICE("cupel_argument_names", argument_names, name_modes),
    CHOICE("cupel_results", results, result_modes),
    CHOICE("cupel_changed", changed, withhold_modes),
    CHOICE("cupel_hidden_text", hidden_text, withhold_modes),
    CHOICE("cupel_unlearned", unlearned, unlearned_modes),
    {ngx_string("cupel_elicitation"), ANYWHERE | NGX_CONF_FLAG, ngx_conf_set_flag_slot,
     LOCATION(elicitation), NULL},
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
