/* ngx_http_cupel_request.c: the phase handler.  It reads the request's body, asks libcupel about the
 * message in it, and lets the request go on or has it answered (ngx_http_cupel_answer.c).
 *
 * It stands in the phase before content: access rules and authentication have been passed, so that a
 * stranger cannot make a worker judge anything, and modules that copy requests have not run. */
#include "ngx_http_cupel.h"

/* -- The body ----------------------------------------------------------------------------------- */

/* The length of the body, or NGX_ERROR if nginx and we disagree about it. */
static off_t body_length(ngx_http_request_t *r)
{
    off_t len = 0;
    if (r->request_body == NULL)
        return 0;
    for (ngx_chain_t *link = r->request_body->bufs; link != NULL; link = link->next)
        len += ngx_buf_size(link->buf);
    return len;
}

/* Copies one buffer, which may lie in a temporary file, or be nothing but a flag at the end. */
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

/* The body in one piece: where it lies if it is in one buffer, otherwise copied together. */
static ngx_int_t whole_body(ngx_http_request_t *r, size_t len, ngx_str_t *ret)
{
    ngx_chain_t *chain = r->request_body != NULL ? r->request_body->bufs : NULL;
    if (chain != NULL && chain->next == NULL && ngx_buf_in_memory(chain->buf)) {
        ret->data = chain->buf->pos;
        ret->len = len;
        return NGX_OK;
    }
    u_char *bytes = ngx_pnalloc(r->pool, len + 1);
    u_char *end = bytes;
    if (bytes == NULL)
        return NGX_ERROR;
    for (; chain != NULL; chain = chain->next)
        if ((end = copy_buffer(end, chain->buf)) == NULL)
            return NGX_ERROR;
    ret->data = bytes;
    ret->len = len;
    return NGX_OK;
}

/* -- The verdict -------------------------------------------------------------------------------- */

/* The HTTP status of an answer: what the tool or the model can mend is a JSON-RPC matter and travels
 * with 200; what is no request at all is the client's mistake. */
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
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_cupel_module);
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
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_cupel_module);
    const struct cupel_catalog *tools = conf->catalog->tools;
    struct cupel_text *answer = &main->answer;
    const char *text = (const char *)body->data;
    struct cupel_call_outcome outcome;
    enum cupel_call_verdict verdict;
    ngx_array_t *fields;
    if (ngx_http_cupel_fields(r, conf->headers, &fields) != NGX_OK)
        return NGX_ERROR;
    if (fields == NULL)
        verdict = cupel_call_check(tools, main->caller, text, body->len, answer, NULL, NULL,
                                   &outcome);
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
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_cupel_module);
    uint64_t start = ngx_http_cupel_nanoseconds();
    ngx_int_t rc = ngx_http_cupel_is_batch(conf->catalog, body)
                       ? ngx_http_cupel_judge_batch(r, ctx, body)
                       : judge_message(r, ctx, body);
    ctx->nanoseconds = ngx_http_cupel_nanoseconds() - start;
    if (rc != NGX_OK)
        ngx_http_cupel_refuse(ctx, NGX_HTTP_INTERNAL_SERVER_ERROR, "undecided", "NO_MEMORY",
                              ngx_http_cupel_no_memory);
}

/* Judges the body that has arrived.  Whatever goes wrong here refuses the request. */
static void judge_body(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_main_conf_t *main =
        ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    off_t len = body_length(r);
    ngx_str_t body;
    if (len > (off_t)main->options.limits.body_bytes)
        ngx_http_cupel_refuse(ctx, NGX_HTTP_REQUEST_ENTITY_TOO_LARGE, "bad-request", "JSON_SIZE",
                              ngx_http_cupel_too_large);
    else if (whole_body(r, (size_t)len, &body) != NGX_OK)
        ngx_http_cupel_refuse(ctx, NGX_HTTP_INTERNAL_SERVER_ERROR, "undecided", "body-unreadable",
                              ngx_http_cupel_no_body);
    else
        judge(r, ctx, &body);
}

/* -- The phase ---------------------------------------------------------------------------------- */

/* Says what happened, for a person: never more than a line, and nothing of the arguments. */
static void log_refusal(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx)
{
    u_char name[6 * 64];
    size_t shown = ngx_min(ctx->tool.len, 64);
    u_char *end = (u_char *)ngx_escape_json(name, ctx->tool.data, shown);
    ngx_log_error(NGX_LOG_INFO, r->connection->log, 0, "cupel: tool \"%*s\": %s%s%s",
                  (size_t)(end - name), name, ctx->verdict, *ctx->reason != '\0' ? ", " : "",
                  ctx->reason);
}

static void finish_judging(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_cupel_module);
    ctx->judged = 1;
    ngx_http_cupel_event_t event = {ctx->definition, ctx->verdict, ctx->reason, ctx->steps,
                                    ctx->nanoseconds};
    ngx_http_cupel_count(r, &event);
    if (ctx->status == 0)
        return;
    log_refusal(r, ctx);
    if (conf->mode == NGX_HTTP_CUPEL_REPORT)
        ctx->status = 0;
}

/* Called when the body has been read. */
static void body_ready(ngx_http_request_t *r)
{
    ngx_http_cupel_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_cupel_module);
    judge_body(r, ctx);
    finish_judging(r, ctx);
    r->preserve_body = 1;
    r->write_event_handler = ngx_http_core_run_phases;
    ngx_http_core_run_phases(r);
}

/* Refuses what libcupel could only misread; NULL means that the body is worth reading. */
static const char *unsupported_media(ngx_http_request_t *r)
{
    if (r->headers_in.content_type == NULL ||
        !ngx_http_cupel_is_json(&r->headers_in.content_type->value))
        return "content-type";
    return ngx_http_cupel_is_encoded(&r->headers_in.headers) ? "content-encoding" : NULL;
}

static ngx_int_t start(ngx_http_request_t *r)
{
    ngx_http_cupel_ctx_t *ctx = ngx_pcalloc(r->pool, sizeof(*ctx));
    if (ctx == NULL)
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    ngx_http_set_ctx(r, ctx, ngx_http_cupel_module);
    const char *reason = unsupported_media(r);
    if (reason != NULL) {
        ngx_http_cupel_refuse(ctx, NGX_HTTP_UNSUPPORTED_MEDIA_TYPE, "bad-request", reason,
                              ngx_http_cupel_not_json);
        finish_judging(r, ctx);
        return NGX_OK;
    }
    r->request_body_in_single_buf = 1;
    ngx_int_t rc = ngx_http_read_client_request_body(r, body_ready);
    if (rc >= NGX_HTTP_SPECIAL_RESPONSE)
        return rc;
    ngx_http_finalize_request(r, NGX_DONE);
    return NGX_DONE;
}

ngx_int_t ngx_http_cupel_handler(ngx_http_request_t *r)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_cupel_module);
    if (conf->catalog == NULL || r != r->main || r->method != NGX_HTTP_POST)
        return NGX_DECLINED;
    ngx_http_cupel_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_cupel_module);
    if (ctx == NULL) {
        ngx_int_t rc = start(r);
        if (rc != NGX_OK)
            return rc;
        ctx = ngx_http_get_module_ctx(r, ngx_http_cupel_module);
    }
    if (!ctx->judged)
        return NGX_DONE;
    if (ctx->status == 0)
        return NGX_DECLINED;
    ngx_http_cupel_send(r, ctx);
    return NGX_DONE;
}
