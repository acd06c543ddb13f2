/* ngx_http_cupel_output.c: the buffers in which a response leaves, and the end of an upstream's
 * response.
 *
 * Buffers are used again as soon as the client has taken them, so a stream of any length takes as
 * much memory as its slowest moment.  Once MOST_BUSY bytes wait for the client the filter reads
 * no more of the upstream. */
#include "gateways/nginx/ngx_http_cupel.h"

enum {
    BUFFER_BYTES = 16 << 10,
    MOST_BUSY = 256 << 10 /* that the client has not taken */
};

static const char owner; /* whose address is the tag of our buffers */
static const ngx_buf_tag_t tag = (ngx_buf_tag_t)&owner;

void ngx_http_cupel_init_output(ngx_http_cupel_output_t *output)
{
    output->last = &output->out;
}

static void append(ngx_http_cupel_output_t *output, ngx_chain_t *link)
{
    link->next = NULL;
    *output->last = link;
    output->last = &link->next;
}

/* Returns the last buffer of the output if it has space, or a new one behind it; NULL without
 * memory. */
static ngx_buf_t *writable(ngx_http_request_t *r, ngx_http_cupel_output_t *output)
{
    for (ngx_chain_t *link = output->out; link != NULL; link = link->next)
        if (link->next == NULL && link->buf->last < link->buf->end)
            return link->buf;
    ngx_chain_t *link = ngx_chain_get_free_buf(r->pool, &output->free);
    if (link == NULL)
        return NULL;
    ngx_buf_t *buf = link->buf;
    if (buf->start == NULL) {
        buf->start = ngx_palloc(r->pool, BUFFER_BYTES);
        if (buf->start == NULL)
            return NULL;
        buf->end = buf->start + BUFFER_BYTES;
        buf->tag = tag;
    }
    buf->pos = buf->last = buf->start;
    buf->temporary = 1;
    buf->flush = 1;
    buf->last_buf = buf->last_in_chain = 0;
    append(output, link);
    return buf;
}

ngx_int_t ngx_http_cupel_write(ngx_http_request_t *r, ngx_http_cupel_output_t *output,
                               const char *bytes, size_t len)
{
    while (len != 0) {
        ngx_buf_t *buf = writable(r, output);
        if (buf == NULL)
            return NGX_ERROR;
        size_t part = ngx_min(len, (size_t)(buf->end - buf->last));
        buf->last = ngx_cpymem(buf->last, bytes, part);
        bytes += part;
        len -= part;
    }
    return NGX_OK;
}

/* Appends a buffer without bytes and returns it; NULL without memory. */
static ngx_buf_t *append_mark(ngx_http_request_t *r, ngx_http_cupel_output_t *output)
{
    ngx_chain_t *link = ngx_alloc_chain_link(r->pool);
    if (link == NULL || (link->buf = ngx_calloc_buf(r->pool)) == NULL)
        return NULL;
    append(output, link);
    return link->buf;
}

ngx_int_t ngx_http_cupel_write_flush(ngx_http_request_t *r, ngx_http_cupel_output_t *output)
{
    ngx_buf_t *buf = append_mark(r, output);
    if (buf == NULL)
        return NGX_ERROR;
    buf->flush = 1;
    return NGX_OK;
}

ngx_int_t ngx_http_cupel_write_last(ngx_http_request_t *r, ngx_http_cupel_output_t *output)
{
    ngx_buf_t *buf = append_mark(r, output);
    if (buf == NULL)
        return NGX_ERROR;
    buf->last_buf = 1;
    buf->last_in_chain = 1;
    return NGX_OK;
}

/* Hands the output to the next filter and takes back the buffers that have gone out. */
ngx_int_t ngx_http_cupel_flush(ngx_http_request_t *r, ngx_http_cupel_output_t *output,
                               ngx_http_output_body_filter_pt next)
{
    ngx_int_t rc = next(r, output->out);
    ngx_chain_update_chains(r->pool, &output->free, &output->busy, &output->out, tag);
    output->last = &output->out;
    return rc;
}

ngx_uint_t ngx_http_cupel_is_full(const ngx_http_cupel_output_t *output)
{
    off_t size = 0;
    for (const ngx_chain_t *link = output->busy; link != NULL; link = link->next)
        size += ngx_buf_size(link->buf);
    return size > MOST_BUSY;
}

/* -- The end of the upstream ----------------------------------------------------------------- */

/* Makes nginx end the upstream's response in good order and close the connection. Modules of
 * upstream protocols compute the length that is still to come from the header, so the header is
 * made one without a body.
 */
void ngx_http_cupel_end_upstream(ngx_http_upstream_t *u)
{
    if (u == NULL)
        return;
    u->headers_in.status_n = NGX_HTTP_NO_CONTENT;
    u->headers_in.connection_close = 1;
    u->keepalive = 0;
    u->upgrade = 0;
    u->length = 0;
    if (u->pipe != NULL) {
        u->pipe->length = 0;
        u->pipe->upstream_done = 1;
    }
}
