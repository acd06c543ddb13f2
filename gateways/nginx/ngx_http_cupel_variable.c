/* ngx_http_cupel_variable.c: what is known about a judged message, as variables for logs and maps.
 * They are not found where the module judged nothing. */
#include "gateways/nginx/ngx_http_cupel.h"

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
    return read_static(ctx->x.request.verdict, ret);
}

static ngx_int_t read_reason(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx, ngx_str_t *ret)
{
    (void)r;
    return read_static(ctx->x.request.reason, ret);
}

/* $cupel_result: the verdict of the response without the prefix that tells it from a request's in
 * counters. */
static ngx_int_t read_result(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx, ngx_str_t *ret)
{
    static const char prefix[] = "result-";
    const char *verdict = ctx->x.response.verdict != NULL ? ctx->x.response.verdict : "";
    size_t len = sizeof(prefix) - 1;
    (void)r;
    return read_static(ngx_strncmp(verdict, prefix, len) == 0 ? verdict + len : verdict, ret);
}

/* -- Names of tools -------------------------------------------------------------------- */

enum { MOST_SHOWN = 256 }; /* bytes of a name */

static const struct {
    uint32_t first, last;
} escaped[] = {
    {0, 0x1F},        {'"', '"'},       {'\\', '\\'},       {0x7F, 0x9F},
    {0x61C, 0x61C},   {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},
    {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
};

/* What a terminal or a reader of logs might obey, or not see. */
static ngx_uint_t is_escaped(uint32_t c)
{
    for (size_t i = 0; i < sizeof(escaped) / sizeof(escaped[0]); i++)
        if (c >= escaped[i].first && c <= escaped[i].last)
            return 1;
    return 0;
}

/* Appends whole characters of a name, at most MOST_SHOWN bytes of it.  Characters that a terminal
 * may obey, or a reader would not see, are written as \u{…}. */
static u_char *escape_name(u_char *to, struct cupel_gw_text text)
{
    u_char *at = (u_char *)text.bytes, *end = at + ngx_min(text.len, MOST_SHOWN);
    while (at < end) {
        u_char *next = at;
        uint32_t c = ngx_http_cupel_decode(&next, (size_t)(end - at));
        if (c > 0x10FFFF) /* cut in the middle of a character, or none */
            break;
        to = is_escaped(c) ? ngx_sprintf(to, "\\u{%xD}", c)
                           : ngx_cpymem(to, at, (size_t)(next - at));
        at = next;
    }
    return to;
}

/* $cupel_tool: the tool of the first message. */
static ngx_int_t read_tool(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx, ngx_str_t *ret)
{
    ngx_str_null(ret);
    if (ctx->x.note_count == 0 || ctx->x.notes[0].tool.bytes == NULL)
        return NGX_OK;
    ret->data = ngx_pnalloc(r->pool, MOST_SHOWN * sizeof("\\u{10ffff}"));
    if (ret->data == NULL)
        return NGX_ERROR;
    ret->len = (size_t)(escape_name(ret->data, ctx->x.notes[0].tool) - ret->data);
    return NGX_OK;
}

/* -- Numbers --------------------------------------------------------------------------------- */

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
    return read_number(r, ctx->x.request.steps, ret);
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

/* Called by nginx to read a variable; `data` is its index in the list.  A variable is not found
 * where the module judged nothing. */
static ngx_int_t get_variable(ngx_http_request_t *r, ngx_http_variable_value_t *value,
                              uintptr_t data)
{
    const ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    ngx_str_t text;
    value->not_found = 1;
    if (ctx == NULL || ctx->x.request.verdict == NULL)
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
