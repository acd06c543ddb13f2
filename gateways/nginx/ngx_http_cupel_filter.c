/* ngx_http_cupel_filter.c: what leaves in place of what nginx or the upstream would have sent.
 *
 * A body over `client_max_body_size` ends in nginx before our handler runs, with a page in HTML.  A
 * client of MCP reads JSON, so the page is exchanged for a JSON-RPC error. */
#include "ngx_http_cupel.h"

static ngx_http_output_header_filter_pt next_header;
static ngx_http_output_body_filter_pt next_body;

/* -- 413 ---------------------------------------------------------------------------------------- */

static ngx_uint_t is_own_413(ngx_http_request_t *r)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_cupel_module);
    return r->headers_out.status == NGX_HTTP_REQUEST_ENTITY_TOO_LARGE && r->upstream == NULL &&
           conf->catalog != NULL && r == r->main;
}

static ngx_int_t exchange_413(ngx_http_request_t *r)
{
    ngx_http_cupel_ctx_t *ctx = ngx_pcalloc(r->pool, sizeof(*ctx));
    if (ctx == NULL)
        return NGX_ERROR;
    ngx_http_set_ctx(r, ctx, ngx_http_cupel_module);
    ngx_http_cupel_refuse(ctx, NGX_HTTP_REQUEST_ENTITY_TOO_LARGE, "bad-request", "JSON_SIZE",
                          ngx_http_cupel_too_large);
    ctx->judged = 1;
    ctx->exchange = 1;
    ngx_http_cupel_count(r, ctx);
    ngx_str_set(&r->headers_out.content_type, "application/json");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;
    ngx_http_clear_accept_ranges(r);
    ngx_http_clear_last_modified(r);
    ngx_http_clear_content_length(r);
    r->headers_out.content_length_n = (off_t)ctx->answer.len;
    return NGX_OK;
}

/* Sends ctx->answer once, whatever comes in. */
static ngx_int_t send_exchange(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx, ngx_chain_t *in)
{
    for (; in != NULL; in = in->next)
        in->buf->pos = in->buf->last;
    if (ctx->answered)
        return NGX_OK;
    ctx->answered = 1;
    ngx_buf_t *buf = ngx_http_cupel_answer_buf(r->pool, &ctx->answer);
    if (buf == NULL)
        return NGX_ERROR;
    ngx_chain_t chain = {.buf = buf, .next = NULL};
    return next_body(r, &chain);
}

/* -- The filters -------------------------------------------------------------------------------- */

static ngx_int_t filter_header(ngx_http_request_t *r)
{
    ngx_http_cupel_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_cupel_module);
    if ((ctx == NULL || !ctx->answered) && is_own_413(r) && exchange_413(r) != NGX_OK)
        return NGX_ERROR;
    return next_header(r);
}

static ngx_int_t filter_body(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_http_cupel_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_cupel_module);
    if (ctx == NULL || !ctx->exchange || in == NULL)
        return next_body(r, in);
    return send_exchange(r, ctx, in);
}

static ngx_int_t after_reading(ngx_conf_t *cf)
{
    (void)cf;
    next_header = ngx_http_top_header_filter;
    ngx_http_top_header_filter = filter_header;
    next_body = ngx_http_top_body_filter;
    ngx_http_top_body_filter = filter_body;
    return NGX_OK;
}

static ngx_http_module_t context = {.postconfiguration = after_reading};

ngx_module_t ngx_http_cupel_filter_module = {
    NGX_MODULE_V1, &context, NULL, NGX_HTTP_MODULE, NULL, NULL, NULL, NULL, NULL,
    NULL,          NULL,     NGX_MODULE_V1_PADDING,
};
