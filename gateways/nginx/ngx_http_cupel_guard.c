/* ngx_http_cupel_guard.c: what other modules of nginx are configured to do in a judged location.
 *
 * Some directives of other modules would send on what was never judged, or bring back what was
 * never judged.  `nginx -t` refuses them here, with the reason; the X-Accel-… fields of an upstream
 * are ignored unless `cupel_allow accel_headers` is there.
 *
 * The settings of other modules are private to them.  Their directives are not: nginx's table of
 * directives has the offset of each value and the function that sets it, and so its type. */
#include "gateways/nginx/ngx_http_cupel.h"

enum {
    ACCEL = NGX_HTTP_UPSTREAM_IGN_XA_REDIRECT | NGX_HTTP_UPSTREAM_IGN_XA_EXPIRES |
            NGX_HTTP_UPSTREAM_IGN_XA_LIMIT_RATE | NGX_HTTP_UPSTREAM_IGN_XA_BUFFERING |
            NGX_HTTP_UPSTREAM_IGN_XA_CHARSET
};

static ngx_uint_t is_named(const ngx_command_t *command, const char *name)
{
    return ngx_strcmp(command->name.data, name) == 0;
}

/* proxy_ignore_headers and the directives of the other upstream modules that are like it. */
static ngx_uint_t ignores_headers(const ngx_command_t *command)
{
    static const char suffix[] = "_ignore_headers";
    size_t len = sizeof(suffix) - 1;
    return command->name.len > len && command->set == ngx_conf_set_bitmask_slot &&
           ngx_memcmp(command->name.data + command->name.len - len, suffix, len) == 0;
}

/* Why the value that a directive stored cannot stay in a judged location, or NULL. */
static const char *objection(const ngx_command_t *command, const void *value)
{
    if (is_named(command, "proxy_method") && command->set == ngx_http_set_complex_value_slot)
        return *(ngx_http_complex_value_t *const *)value != NULL
                   ? "\"proxy_method\" would send a body with another method than the judged one"
                   : NULL;
    if (is_named(command, "proxy_set_body") && command->set == ngx_conf_set_str_slot)
        return ((const ngx_str_t *)value)->len != 0
                   ? "\"proxy_set_body\" would send another body than the judged one"
                   : NULL;
    return NULL;
}

/* Looks at all directives of one module that stand in the location. */
static const char *guard_module(void *conf, const ngx_command_t *command, ngx_uint_t ignore_accel)
{
    for (; command->name.len != 0; command++) {
        if (command->conf != NGX_HTTP_LOC_CONF_OFFSET)
            continue;
        void *value = (char *)conf + command->offset;
        if (ignore_accel && ignores_headers(command))
            *(ngx_uint_t *)value |= ACCEL;
        const char *reason = objection(command, value);
        if (reason != NULL)
            return reason;
    }
    return NULL;
}

static const char *guard_core(ngx_conf_t *cf)
{
    const ngx_http_core_loc_conf_t *core =
        ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    return core->post_action.len != 0 ? "\"post_action\" would forward a refused request" : NULL;
}

/* The scripts of a proxy_pass with variables: two arrays, which the proxy module keeps behind what
 * proxy_set_header gave it. */
static void find_proxy(ngx_http_cupel_loc_conf_t *conf, const ngx_module_t *module)
{
    for (const ngx_command_t *command = module->commands; command->name.len != 0; command++) {
        if (is_named(command, "proxy_set_header") && command->set == ngx_conf_set_keyval_slot) {
            conf->proxy_index = module->ctx_index;
            conf->proxy_url = command->offset + sizeof(ngx_array_t *);
        }
    }
}

const char *ngx_http_cupel_guard(ngx_conf_t *cf, ngx_http_cupel_loc_conf_t *conf)
{
    ngx_uint_t ignore_accel = !(conf->allow & NGX_HTTP_CUPEL_ALLOW_ACCEL);
    const char *reason = guard_core(cf);
    for (ngx_uint_t i = 0; cf->cycle->modules[i] != NULL && reason == NULL; i++) {
        ngx_module_t *module = cf->cycle->modules[i];
        if (module->type != NGX_HTTP_MODULE || module->commands == NULL ||
            module == &ngx_http_core_module)
            continue;
        find_proxy(conf, module);
        reason = guard_module(((ngx_http_conf_ctx_t *)cf->ctx)->loc_conf[module->ctx_index],
                              module->commands, ignore_accel);
    }
    return reason;
}
