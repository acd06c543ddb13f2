/* ngx_http_cupel_conf.c: how the other files find the module's configuration.
 *
 * nginx finds the data of a module by its struct ngx_module_t, which names all handlers and so
 * stands above them (ngx_http_cupel_config.c).  The handlers reach it through a pointer that is set
 * before the configuration is read. */
#include "gateways/nginx/ngx_http_cupel.h"

static ngx_module_t *module;

void ngx_http_cupel_set_module(ngx_module_t *self)
{
    module = self;
}

ngx_http_cupel_main_conf_t *ngx_http_cupel_main(const ngx_http_request_t *r)
{
    return ngx_http_get_module_main_conf(r, (*module));
}

const ngx_http_cupel_loc_conf_t *ngx_http_cupel_location(const ngx_http_request_t *r)
{
    return ngx_http_get_module_loc_conf(r, (*module));
}

ngx_http_cupel_ctx_t *ngx_http_cupel_context(const ngx_http_request_t *r)
{
    return ngx_http_get_module_ctx(r, (*module));
}

void ngx_http_cupel_set_context(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_set_ctx(r, ctx, (*module));
}
