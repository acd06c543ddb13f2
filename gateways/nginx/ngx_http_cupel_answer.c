/* ngx_http_cupel_answer.c: what is sent instead of passing a request on, and what else the other
 * files share. */
#include "ngx_http_cupel.h"

#include <time.h>

/* The id is null: JSON-RPC 2.0 section 5 asks for that where the request's id is not known. */
#define ERROR_TEXT(code, message) \
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":" #code ",\"message\":\"" message "\"}}"

const char ngx_http_cupel_too_large[] =
    ERROR_TEXT(-32600, "Invalid request: the body is larger than this gateway takes");
const char ngx_http_cupel_not_json[] =
    ERROR_TEXT(-32600, "Invalid request: the body must be application/json and not encoded");
const char ngx_http_cupel_no_body[] = ERROR_TEXT(-32603, "The body could not be read");
const char ngx_http_cupel_no_memory[] = ERROR_TEXT(-32603, "Out of memory");

void ngx_http_cupel_refuse(ngx_http_cupel_ctx_t *ctx, ngx_uint_t status, const char *verdict,
                           const char *reason, const char *json)
{
    ctx->verdict = verdict;
    ctx->reason = reason;
    ctx->status = status;
    ctx->answer.data = (u_char *)json;
    ctx->answer.len = ngx_strlen(json);
}

ngx_int_t ngx_http_cupel_internal_error(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx,
                                        const char *message)
{
    static const ngx_str_t no_id = ngx_string("null");
    const ngx_str_t *id = ctx->id.len != 0 ? &ctx->id : &no_id;
    size_t room = id->len + ngx_strlen(message) + 96;
    u_char *text = ngx_pnalloc(r->pool, room);
    if (text == NULL)
        return NGX_ERROR;
    ctx->answer.data = text;
    ctx->answer.len = (size_t)(ngx_snprintf(text, room,
                                            "{\"jsonrpc\":\"2.0\",\"id\":%V,\"error\":"
                                            "{\"code\":-32603,\"message\":\"%s\"}}",
                                            id, message) -
                               text);
    return NGX_OK;
}

/* -- Small things -------------------------------------------------------------------------------
 */

uint64_t ngx_http_cupel_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

ngx_int_t ngx_http_cupel_keep(ngx_pool_t *pool, const char *bytes, size_t len, ngx_str_t *ret)
{
    ret->data = ngx_pnalloc(pool, len + 1);
    if (ret->data == NULL)
        return NGX_ERROR;
    ngx_memcpy(ret->data, bytes, len);
    ret->len = len;
    return NGX_OK;
}

/* -- Headers ------------------------------------------------------------------------------------
 */

ngx_uint_t ngx_http_cupel_is_json(const ngx_str_t *value)
{
    static const char type[] = "application/json";
    size_t len = sizeof(type) - 1;
    if (value->len < len || ngx_strncasecmp(value->data, (u_char *)type, len) != 0)
        return 0;
    return value->len == len || value->data[len] == ';' || value->data[len] == ' ';
}

static ngx_uint_t encodes(const ngx_table_elt_t *header)
{
    static const char name[] = "content-encoding", plain[] = "identity";
    if (header->hash == 0 || header->key.len != sizeof(name) - 1 ||
        ngx_strncasecmp(header->key.data, (u_char *)name, sizeof(name) - 1) != 0)
        return 0;
    return header->value.len != sizeof(plain) - 1 ||
           ngx_strncasecmp(header->value.data, (u_char *)plain, sizeof(plain) - 1) != 0;
}

ngx_uint_t ngx_http_cupel_is_encoded(ngx_list_t *headers)
{
    for (ngx_list_part_t *part = &headers->part; part != NULL; part = part->next) {
        const ngx_table_elt_t *header = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++)
            if (encodes(&header[i]))
                return 1;
    }
    return 0;
}

/* -- Sending ------------------------------------------------------------------------------------
 */

ngx_buf_t *ngx_http_cupel_answer_buf(ngx_pool_t *pool, const ngx_str_t *answer)
{
    ngx_buf_t *buf = ngx_calloc_buf(pool);
    if (buf == NULL)
        return NULL;
    buf->pos = answer->data;
    buf->last = answer->data + answer->len;
    buf->memory = answer->len != 0;
    buf->last_buf = 1;
    buf->last_in_chain = 1;
    return buf;
}

static ngx_int_t send_body(ngx_http_request_t *r, const ngx_str_t *answer)
{
    ngx_chain_t chain = {.buf = ngx_http_cupel_answer_buf(r->pool, answer), .next = NULL};
    return chain.buf != NULL ? ngx_http_output_filter(r, &chain) : NGX_ERROR;
}

void ngx_http_cupel_send(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    ctx->answered = 1;
    r->err_status = 0; /* of an `error_page` that led here */
    r->expect_tested = 1;
    ngx_int_t rc = ngx_http_discard_request_body(r);
    if (rc == NGX_OK) {
        r->headers_out.status = ctx->status;
        ngx_str_set(&r->headers_out.content_type, "application/json");
        r->headers_out.content_type_len = r->headers_out.content_type.len;
        r->headers_out.content_type_lowcase = NULL;
        r->headers_out.content_length_n = (off_t)ctx->answer.len;
        rc = ngx_http_send_header(r);
        if (rc == NGX_OK && !r->header_only)
            rc = send_body(r, &ctx->answer);
    }
    ngx_http_finalize_request(r, rc);
}
