/* ngx_http_cupel_body.c: the body of a request as nginx read it, and the bound on it.
 *
 * nginx leaves a body in one buffer, in several, or in a temporary file, by its settings.
 * libcupel reads one text.  A body in one buffer is judged where it lies, which is the case that
 * the README's configuration makes the usual one. */
#include "gateways/nginx/ngx_http_cupel.h"

/* The length of the body. */
static size_t body_length(ngx_http_request_t *r)
{
    off_t len = 0;
    if (r->request_body == NULL)
        return 0;
    for (ngx_chain_t *link = r->request_body->bufs; link != NULL; link = link->next)
        len += ngx_buf_size(link->buf);
    return (size_t)len;
}

/* Copies one buffer to `to` and returns the end of the copy; NULL if its file cannot be read.  A
 * buffer may be nothing but the flag of the end. */
static u_char *copy_buffer(u_char *to, ngx_buf_t *buf)
{
    if (ngx_buf_special(buf) || ngx_buf_size(buf) == 0)
        return to;
    if (ngx_buf_in_memory(buf))
        return ngx_cpymem(to, buf->pos, (size_t)(buf->last - buf->pos));
    size_t len = (size_t)(buf->file_last - buf->file_pos);
    ssize_t got = ngx_read_file(buf->file, to, len, buf->file_pos);
    return got == (ssize_t)len ? to + len : NULL;
}

/* Sets *ret to the body in one piece.  Reading a temporary file blocks the worker for as long as
 * the disk takes. */
ngx_int_t ngx_http_cupel_whole_body(ngx_http_request_t *r, ngx_str_t *ret)
{
    ngx_chain_t *chain = r->request_body != NULL ? r->request_body->bufs : NULL;
    ret->len = body_length(r);
    if (chain != NULL && chain->next == NULL && ngx_buf_in_memory(chain->buf)) {
        ret->data = chain->buf->pos;
        return NGX_OK;
    }
    u_char *bytes = ngx_pnalloc(r->pool, ret->len + 1);
    u_char *end = bytes;
    if (bytes == NULL)
        return NGX_ERROR;
    for (; chain != NULL; chain = chain->next)
        if ((end = copy_buffer(end, chain->buf)) == NULL)
            return NGX_ERROR;
    ret->data = bytes;
    return NGX_OK;
}

/* -- The bound ------------------------------------------------------------------------------- */

static ngx_http_request_body_filter_pt next_filter;

/* A filter of request bodies, called with each piece that nginx reads.  A chunked body has no
 * length: it is refused with the first byte over the limit, before nginx writes it to a file. */
static ngx_int_t filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_http_cupel_ctx_t *ctx = r == r->main ? ngx_http_cupel_get_ctx(r) : NULL;
    if (ctx == NULL || (ctx->state != NGX_HTTP_CUPEL_READING && !ctx->refused))
        return next_filter(r, in);
    for (ngx_chain_t *link = in; link != NULL; link = link->next)
        ctx->received += (size_t)ngx_buf_size(link->buf);
    if (ctx->received <= ctx->conf->policy.limits.body)
        return next_filter(r, in);
    if (!ctx->refused)
        ngx_http_cupel_refuse_large(ctx);
    return NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
}

void ngx_http_cupel_add_body_filter(void)
{
    next_filter = ngx_http_top_request_body_filter;
    ngx_http_top_request_body_filter = filter;
}
