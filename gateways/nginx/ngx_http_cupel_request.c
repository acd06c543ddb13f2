/* ngx_http_cupel_request.c: judges the body of a request by libcupel, and notes what is to become
 * of the request. */
#include "ngx_http_cupel.h"

/* -- The verdict --------------------------------------------------------------------------------
 */

/* The HTTP status of an answer: what the tool or the model can mend is a JSON-RPC matter and
 * travels with 200; what is no request at all is the client's mistake. */
static ngx_uint_t http_status(enum cupel_call_verdict verdict, const struct cupel_text *answer)
{
    if (verdict == CUPEL_CALL_BAD_REQUEST || verdict == CUPEL_CALL_HEADER_MISMATCH ||
        answer->len == 0)
        return NGX_HTTP_BAD_REQUEST;
    return NGX_HTTP_OK;
}

ngx_uint_t ngx_http_cupel_passes(ngx_http_request_t *r, enum cupel_call_verdict verdict,
                                 const struct cupel_call_outcome *outcome)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_cupel_get_ctx(r)->conf;
    if (verdict == CUPEL_CALL_VALID)
        return 1;
    if (verdict == CUPEL_CALL_UNKNOWN_TOOL)
        return conf->unknown_tool == NGX_HTTP_CUPEL_PASS;
    if (verdict == CUPEL_CALL_UNDECIDED)
        return conf->undecided == NGX_HTTP_CUPEL_PASS;
    return verdict == CUPEL_CALL_BAD_REQUEST && ngx_strcmp(outcome->reason, "method-unknown") == 0;
}

void ngx_http_cupel_note(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx,
                         enum cupel_call_verdict verdict, const struct cupel_call_outcome *outcome)
{
    enum { MOST_NAME = 256 };
    ctx->verdict = cupel_call_verdict_name(verdict);
    ctx->reason = outcome->reason;
    ctx->definition = outcome->definition;
    if (outcome->tool != NULL &&
        ngx_http_cupel_keep(r->pool, outcome->tool, ngx_min(outcome->tool_len, MOST_NAME),
                            &ctx->tool) != NGX_OK)
        ctx->tool.len = 0;
    if (outcome->id != NULL &&
        ngx_http_cupel_keep(r->pool, outcome->id, outcome->id_len, &ctx->id) != NGX_OK)
        ctx->id.len = 0;
}

/* Judges one message; ctx->status and ctx->answer are set unless it may pass. */
static ngx_int_t judge_message(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx,
                               const ngx_str_t *body)
{
    ngx_http_cupel_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_cupel_get_ctx(r)->conf;
    const struct cupel_catalog *tools = conf->catalog->tools;
    struct cupel_text *answer = &main->answer;
    const char *text = (const char *)body->data;
    struct cupel_call_outcome outcome;
    enum cupel_call_verdict verdict;
    ngx_array_t *fields;
    if (ngx_http_cupel_fields(r, conf->headers, &fields) != NGX_OK)
        return NGX_ERROR;
    if (fields == NULL)
        verdict =
            cupel_call_check(tools, main->caller, text, body->len, answer, NULL, NULL, &outcome);
    else
        verdict = cupel_call_check_http(tools, main->caller, fields->elts, fields->nelts, text,
                                        body->len, answer, NULL, NULL, &outcome);
    ngx_http_cupel_note(r, ctx, verdict, &outcome);
    ctx->steps = outcome.steps;
    if (ngx_http_cupel_passes(r, verdict, &outcome))
        return NGX_OK;
    ctx->status = http_status(verdict, answer);
    if (answer->failed)
        return NGX_ERROR;
    return ngx_http_cupel_keep(r->pool, answer->bytes, answer->len, &ctx->answer);
}

static void judge(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx, const ngx_str_t *body)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_cupel_get_ctx(r)->conf;
    uint64_t start = ngx_http_cupel_nanoseconds();
    ngx_int_t rc = ngx_http_cupel_is_batch(conf->catalog, body)
                       ? ngx_http_cupel_judge_batch(r, ctx, body)
                       : judge_message(r, ctx, body);
    ctx->nanoseconds = ngx_http_cupel_nanoseconds() - start;
    if (rc != NGX_OK)
        ngx_http_cupel_refuse(ctx, NGX_HTTP_INTERNAL_SERVER_ERROR, "undecided", "NO_MEMORY",
                              ngx_http_cupel_no_memory);
}

void ngx_http_cupel_judge_body(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_main_conf_t *main =
        ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    off_t len = ngx_http_cupel_body_length(r);
    ngx_str_t body;
    if (len > (off_t)main->options.limits.body_bytes)
        ngx_http_cupel_refuse(ctx, NGX_HTTP_REQUEST_ENTITY_TOO_LARGE, "bad-request", "JSON_SIZE",
                              ngx_http_cupel_too_large);
    else if (ngx_http_cupel_whole_body(r, (size_t)len, &body) != NGX_OK)
        ngx_http_cupel_refuse(ctx, NGX_HTTP_INTERNAL_SERVER_ERROR, "undecided", "body-unreadable",
                              ngx_http_cupel_no_body);
    else
        judge(r, ctx, &body);
}
