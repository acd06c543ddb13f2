/* ngx_http_cupel_variable.c: what is known about a judged message, as variables for logs and maps.
 * They are not found where the module judged nothing. */
#include "ngx_http_cupel.h"

typedef ngx_int_t read_variable(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx,
                                ngx_str_t *ret);

static ngx_int_t read_static(const char *text, ngx_str_t *ret)
{
    ret->data = (u_char *)text;
    ret->len = ngx_strlen(text);
    return NGX_OK;
}

static ngx_int_t read_verdict(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx,
                              ngx_str_t *ret)
{
    (void)r;
    return read_static(ctx->verdict, ret);
}

static ngx_int_t read_reason(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx, ngx_str_t *ret)
{
    (void)r;
    return read_static(ctx->reason, ret);
}

static ngx_int_t read_result(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx, ngx_str_t *ret)
{
    (void)r;
    return read_static(ctx->result != NULL ? ctx->result : "", ret);
}

static ngx_int_t read_tool(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx, ngx_str_t *ret)
{
    (void)r;
    *ret = ctx->tool;
    return NGX_OK;
}

static ngx_int_t read_number(ngx_http_request_t *r, uint64_t number, ngx_str_t *ret)
{
    ret->data = ngx_pnalloc(r->pool, NGX_INT64_LEN + 1);
    if (ret->data == NULL)
        return NGX_ERROR;
    ret->len = (size_t)(ngx_sprintf(ret->data, "%uL", number) - ret->data);
    return NGX_OK;
}

static ngx_int_t read_steps(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx, ngx_str_t *ret)
{
    return read_number(r, ctx->steps, ret);
}

static ngx_int_t read_time(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx, ngx_str_t *ret)
{
    return read_number(r, ctx->nanoseconds, ret);
}

static const struct {
    ngx_str_t name;
    read_variable *read;
} variables[] = {
    {ngx_string("cupel_verdict"), read_verdict}, {ngx_string("cupel_reason"), read_reason},
    {ngx_string("cupel_tool"), read_tool},       {ngx_string("cupel_steps"), read_steps},
    {ngx_string("cupel_time_ns"), read_time},    {ngx_string("cupel_result"), read_result},
};

/* Called by nginx; `data` is the index in the list. */
static ngx_int_t get_variable(ngx_http_request_t *r, ngx_http_variable_value_t *value,
                              uintptr_t data)
{
    const ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    ngx_str_t text;
    value->not_found = 1;
    if (ctx == NULL || !ctx->judged)
        return NGX_OK;
    if (variables[data].read(r, ctx, &text) != NGX_OK)
        return NGX_ERROR;
    value->data = text.data;
    value->len = (unsigned)text.len & 0x0FFFFFFF;
    value->valid = 1;
    value->no_cacheable = 0;
    value->not_found = 0;
    return NGX_OK;
}

ngx_int_t ngx_http_cupel_add_variables(ngx_conf_t *cf)
{
    for (uintptr_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        ngx_str_t name = variables[i].name;
        ngx_http_variable_t *variable = ngx_http_add_variable(cf, &name, NGX_HTTP_VAR_NOCACHEABLE);
        if (variable == NULL)
            return NGX_ERROR;
        variable->get_handler = get_variable;
        variable->data = i;
    }
    return NGX_OK;
}
