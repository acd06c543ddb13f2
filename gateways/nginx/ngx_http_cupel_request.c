/* ngx_http_cupel_request.c: hands a request to the core: its head, then its body. */
#include "gateways/nginx/ngx_http_cupel.h"

/* -- The head -------------------------------------------------------------------------------- */

static size_t count_fields(const ngx_list_t *list)
{
    size_t count = 0;
    for (const ngx_list_part_t *part = &list->part; part != NULL; part = part->next)
        count += part->nelts;
    return count;
}

/* The fields of the request, in order and with repetitions; NULL without memory. */
static struct cupel_header *list_fields(ngx_http_request_t *r, size_t *ret_count)
{
    size_t count = count_fields(&r->headers_in.headers);
    struct cupel_header *fields = ngx_palloc(r->pool, (count + 1) * sizeof(*fields));
    if (fields == NULL)
        return NULL;
    *ret_count = 0;
    for (ngx_list_part_t *part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        const ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++)
            fields[(*ret_count)++] =
                (struct cupel_header){(const char *)field[i].key.data, field[i].key.len,
                                      (const char *)field[i].value.data, field[i].value.len};
    }
    return fields;
}

/* Hands the head to the core. */
enum cupel_gw_step ngx_http_cupel_judge_head(ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_request_t *r = ctx->r;
    struct cupel_gw_request_head head = {
        .method = {(const char *)r->method_name.data, r->method_name.len},
        .has_length = r->headers_in.content_length_n >= 0,
        .content_length =
            r->headers_in.content_length_n >= 0 ? (uint64_t)r->headers_in.content_length_n : 0,
        .chunked = r->headers_in.chunked,
    };
    head.fields = list_fields(r, &head.field_count);
    if (head.fields == NULL)
        return cupel_gw_answer_error(&ctx->x, NGX_HTTP_INTERNAL_SERVER_ERROR, NULL, -32603,
                                     "Out of memory");
    return cupel_gw_request_head(&ctx->x, &head);
}

/* -- The body -------------------------------------------------------------------------------- */

/* Hands the body to the core, again after a list was fetched.  The time that judging takes is
 * added up for the counters. */
enum cupel_gw_step ngx_http_cupel_judge_body(ngx_http_cupel_ctx_t *ctx)
{
    uint64_t start = ngx_http_cupel_nanoseconds(NULL);
    if (ctx->body.data == NULL && ngx_http_cupel_whole_body(ctx->r, &ctx->body) != NGX_OK) {
        ctx->x.request.verdict = "undecided";
        ctx->x.request.reason = "body-unreadable";
        return cupel_gw_answer_error(&ctx->x, NGX_HTTP_INTERNAL_SERVER_ERROR, NULL, -32603,
                                     "The body could not be read");
    }
    enum cupel_gw_step step =
        cupel_gw_request_judge_text(&ctx->x, (const char *)ctx->body.data, ctx->body.len);
    ctx->nanoseconds += ngx_http_cupel_nanoseconds(NULL) - start;
    return step;
}
