/* ngx_http_cupel_answer.c: sends the module's own answers, and reads clocks.
 *
 * An answer is a text in the pool of the request (struct cupel_gw_answer).  It goes out in one of
 * two ways: ngx_http_cupel_send in place of a request that was refused, or by the filter in place
 * of a response. */
#include "gateways/nginx/ngx_http_cupel.h"

#include <time.h>

/* -- Clocks ---------------------------------------------------------------------------------- */

/* CLOCK_MONOTONIC: it never goes back, and all workers have the same. */
uint64_t ngx_http_cupel_nanoseconds(void *ctx)
{
    (void)ctx;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t ngx_http_cupel_milliseconds(void *ctx)
{
    return ngx_http_cupel_nanoseconds(ctx) / 1000000U;
}

/* -- Sending --------------------------------------------------------------------------------- */

/* A buffer that points to the text of the answer: nothing is copied. */
ngx_buf_t *ngx_http_cupel_answer_buf(ngx_pool_t *pool, const struct cupel_gw_answer *answer)
{
    ngx_buf_t *buf = ngx_calloc_buf(pool);
    if (buf == NULL)
        return NULL;
    buf->pos = (u_char *)answer->bytes;
    buf->last = buf->pos + answer->len;
    buf->memory = answer->len != 0;
    buf->last_buf = 1;
    buf->last_in_chain = 1;
    return buf;
}

static ngx_int_t send_body(ngx_http_request_t *r, const struct cupel_gw_answer *answer)
{
    ngx_chain_t chain = {.buf = ngx_http_cupel_answer_buf(r->pool, answer), .next = NULL};
    return chain.buf != NULL ? ngx_http_output_filter(r, &chain) : NGX_ERROR;
}

/* Adds the fields that the core requires for its answers.  nginx has a place of its own for the
 * type. */
static ngx_int_t add_fields(ngx_http_request_t *r)
{
    size_t count;
    const struct cupel_header *fields = cupel_gw_response_fields(&count);
    for (size_t i = 0; i < count; i++) {
        if (cupel_gw_field_is(&fields[i], "content-type"))
            continue;
        ngx_table_elt_t *field = ngx_list_push(&r->headers_out.headers);
        if (field == NULL)
            return NGX_ERROR;
        ngx_memzero(field, sizeof(*field));
        field->hash = 1;
        field->key.data = (u_char *)fields[i].name;
        field->key.len = fields[i].name_len;
        field->value.data = (u_char *)fields[i].value;
        field->value.len = fields[i].value_len;
    }
    return NGX_OK;
}

/* Makes r->headers_out the header of the answer: status, type, length and fields.  What described
 * the response that the answer replaces is cleared by the caller, or was never set. */
ngx_int_t ngx_http_cupel_describe(ngx_http_request_t *r, const struct cupel_gw_answer *answer)
{
    r->headers_out.status = answer->status;
    r->headers_out.status_line.len = 0;
    ngx_str_set(&r->headers_out.content_type, "application/json");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;
    ngx_str_null(&r->headers_out.charset);
    ngx_http_clear_content_length(r);
    r->headers_out.content_length_n = (off_t)answer->len;
    r->allow_ranges = 0;
    r->disable_not_modified = 1;
    return add_fields(r);
}

/* Sends x.answer and ends the request.  The rest of the request's body is discarded first, so
 * that the connection can be used again.  A client that waits for 100 Continue gets the answer at
 * once. */
void ngx_http_cupel_send(ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_request_t *r = ctx->r;
    ctx->answered = 1;
    r->err_status = 0; /* of an `error_page` that led here */
    r->expect_tested = 1;
    ngx_int_t rc = ngx_http_discard_request_body(r);
    if (rc == NGX_OK)
        rc = ngx_http_cupel_describe(r, &ctx->x.answer);
    if (rc == NGX_OK)
        rc = ngx_http_send_header(r);
    if (rc == NGX_OK && !r->header_only)
        rc = send_body(r, &ctx->x.answer);
    ngx_http_finalize_request(r, rc);
}
