/* ngx_http_cupel_filter.c: what leaves in place of what the upstream, or nginx itself, would have
 * sent.
 *
 * The response to a call of a tool with an output schema is held back until it is whole and judged;
 * one that does not conform is replaced by an error.  Only JSON is: an event stream passes as it
 * comes.
 *
 * A body over `client_max_body_size` ends in nginx before our handler runs, with a page in HTML.  A
 * client of MCP reads JSON, so the page is exchanged for a JSON-RPC error. */
#include "ngx_http_cupel.h"

static const char too_large[] = "The result is too large to be checked";

static ngx_http_output_header_filter_pt next_header;
static ngx_http_output_body_filter_pt next_body;

/* -- Sending our own text -----------------------------------------------------------------------
 */

static void describe(ngx_http_request_t *r, const ngx_str_t *text)
{
    ngx_http_clear_accept_ranges(r);
    ngx_http_clear_last_modified(r);
    ngx_http_clear_etag(r);
    ngx_http_clear_content_length(r);
    ngx_str_set(&r->headers_out.content_type, "application/json");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;
    r->headers_out.content_length_n = (off_t)text->len;
}

static ngx_int_t send_text(ngx_http_request_t *r, const ngx_str_t *text)
{
    ngx_chain_t chain = {.buf = ngx_http_cupel_answer_buf(r->pool, text), .next = NULL};
    return chain.buf != NULL ? next_body(r, &chain) : NGX_ERROR;
}

static void drop(ngx_chain_t *in)
{
    for (; in != NULL; in = in->next)
        in->buf->pos = in->buf->last;
}

/* -- 413 ----------------------------------------------------------------------------------------
 */

static ngx_uint_t is_own_413(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_cupel_module);
    if (r->headers_out.status != NGX_HTTP_REQUEST_ENTITY_TOO_LARGE || r->upstream != NULL ||
        r != r->main)
        return 0;
    if (ctx == NULL)
        return conf->catalog != NULL;
    return !ctx->judged || (ctx->status == NGX_HTTP_REQUEST_ENTITY_TOO_LARGE && !ctx->answered);
}

/* nginx found the body too large before our handler ran or while the body was read, or our own
 * filter did. */
static ngx_int_t exchange_413(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    if (ctx == NULL && (ctx = ngx_http_cupel_new_ctx(r)) == NULL)
        return NGX_ERROR;
    if (!ctx->judged)
        ngx_http_cupel_refuse_large(r, ctx);
    ctx->exchange = 1;
    describe(r, &ctx->answer);
    return NGX_OK;
}

/* -- Interim responses --------------------------------------------------------------------------
 */

/* The upstream has nothing more to say: nginx ends the response in good order and closes the
 * connection.  What a module of an upstream protocol reads of the header decides about the length.
 */
static void end_upstream(ngx_http_upstream_t *u)
{
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

/* nginx takes 1xx for a final response: 101 opens a tunnel, and what follows a 100 would come to
 * the client as a body that nobody judged. */
static ngx_uint_t is_interim(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_cupel_module);
    return r == r->main && r->upstream != NULL && r->headers_out.status < NGX_HTTP_OK &&
           (ctx != NULL ? !ctx->answered : conf->catalog != NULL);
}

static ngx_int_t refuse_interim(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    if (ctx == NULL && (ctx = ngx_http_cupel_new_ctx(r)) == NULL)
        return NGX_ERROR;
    end_upstream(r->upstream);
    r->headers_out.status = NGX_HTTP_BAD_GATEWAY;
    r->headers_out.status_line.len = 0;
    ctx->exchange = 1;
    if (ngx_http_cupel_internal_error(r, ctx, "The upstream sent an interim response") != NGX_OK)
        return NGX_ERROR;
    describe(r, &ctx->answer);
    return NGX_OK;
}

/* -- Results ------------------------------------------------------------------------------------
 */

/* Whether this response answers a call that was let pass to a tool with an output schema. */
static ngx_uint_t is_result(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx)
{
    return ctx != NULL && ctx->judged && !ctx->answered && r == r->main && ctx->conf->results &&
           ctx->definition != NULL && ctx->definition->output != NULL &&
           r->headers_out.status == NGX_HTTP_OK &&
           ngx_http_cupel_is_json(&r->headers_out.content_type);
}

/* Notes the verdict on a result.  Whether it is to be replaced. */
static ngx_uint_t result_refused(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx,
                                 enum cupel_result_verdict verdict, const char *reason,
                                 uint64_t nanoseconds)
{
    static const char *const counted[] = {"result-valid", "result-invalid", "result-undecided",
                                          "result-bad"};
    const ngx_http_cupel_loc_conf_t *conf = ctx->conf;
    ctx->result = cupel_result_verdict_name(verdict);
    ngx_http_cupel_event_t event = {ctx->definition, counted[verdict], reason, 0, nanoseconds};
    ngx_http_cupel_count(r, &event);
    if (verdict == CUPEL_RESULT_VALID || conf->mode == NGX_HTTP_CUPEL_REPORT)
        return 0;
    return verdict != CUPEL_RESULT_UNDECIDED || conf->undecided == NGX_HTTP_CUPEL_REFUSE;
}

/* Judges what is held; ctx->answer is what to send in its place if it is to be replaced. */
static ngx_int_t judge_result(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx, ngx_uint_t *replace)
{
    ngx_http_cupel_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    const ngx_http_cupel_loc_conf_t *conf = ctx->conf;
    struct cupel_result_outcome outcome;
    uint64_t start = ngx_http_cupel_nanoseconds();
    enum cupel_result_verdict verdict = cupel_result_check(
        ctx->definition, conf->catalog->profile, main->caller, (const char *)ctx->held.data,
        ctx->held.len, &main->answer, NULL, &outcome);
    *replace =
        result_refused(r, ctx, verdict, outcome.reason, ngx_http_cupel_nanoseconds() - start);
    if (!*replace)
        return NGX_OK;
    if (main->answer.failed)
        return NGX_ERROR;
    return ngx_http_cupel_keep(r->pool, main->answer.bytes, main->answer.len, &ctx->answer);
}

static ngx_int_t hold(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx, const ngx_buf_t *buf)
{
    size_t more = (size_t)(buf->last - buf->pos), needed = ctx->held.len + more;
    if (needed > ctx->held_size) {
        size_t size = ngx_max(needed, 2 * ctx->held_size);
        u_char *room = ngx_palloc(r->pool, size);
        if (room == NULL)
            return NGX_ERROR;
        ngx_memcpy(room, ctx->held.data, ctx->held.len);
        ctx->held.data = room;
        ctx->held_size = size;
    }
    ngx_memcpy(ctx->held.data + ctx->held.len, buf->pos, more);
    ctx->held.len = needed;
    return NGX_OK;
}

/* Stops holding, and sends the headers, which have waited. */
static ngx_int_t let_go(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    ctx->holding = 0;
    return next_header(r);
}

/* Sends the answer in place of the response, of which nothing more is to be sent. */
static ngx_int_t replace_result(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    ctx->exchange = 1;
    ctx->answered = 1;
    describe(r, &ctx->answer);
    ngx_int_t rc = let_go(r, ctx);
    return rc == NGX_ERROR || rc > NGX_OK || r->header_only ? rc : send_text(r, &ctx->answer);
}

/* Sends what was held as it came, and after it what has not been looked at. */
static ngx_int_t pass_result(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx, ngx_uint_t last,
                             ngx_chain_t *rest)
{
    ngx_int_t rc = let_go(r, ctx);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only)
        return rc;
    ngx_chain_t chain = {.buf = ngx_http_cupel_answer_buf(r->pool, &ctx->held), .next = rest};
    if (chain.buf == NULL)
        return NGX_ERROR;
    chain.buf->last_buf = last & 1;
    chain.buf->last_in_chain = last & 1;
    return next_body(r, &chain);
}

/* Judges the whole result and sends it or what stands for it. */
static ngx_int_t finish_result(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    ngx_uint_t replace;
    if (judge_result(r, ctx, &replace) != NGX_OK)
        return NGX_ERROR;
    return replace ? replace_result(r, ctx) : pass_result(r, ctx, 1, NULL);
}

/* The result has outgrown what a body may be; the rest of it has not been taken in. */
static ngx_int_t give_up(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx, ngx_uint_t last,
                         ngx_chain_t *rest)
{
    if (!result_refused(r, ctx, CUPEL_RESULT_UNDECIDED, "JSON_SIZE", 0))
        return pass_result(r, ctx, last, rest);
    drop(rest);
    if (ngx_http_cupel_internal_error(r, ctx, too_large) != NGX_OK)
        return NGX_ERROR;
    return replace_result(r, ctx);
}

/* Whether nginx has let go of the upstream although its response is not whole. */
static ngx_uint_t is_broken_off(ngx_http_request_t *r)
{
    return r->upstream != NULL && r->upstream->cleanup == NULL;
}

static ngx_int_t replace_broken(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    r->headers_out.status = NGX_HTTP_BAD_GATEWAY;
    r->headers_out.status_line.len = 0;
    if (ngx_http_cupel_internal_error(r, ctx, "The upstream broke off its response") != NGX_OK)
        return NGX_ERROR;
    return replace_result(r, ctx);
}

/* Takes in what has come. */
static ngx_int_t hold_all(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx, ngx_chain_t *in)
{
    const ngx_http_cupel_main_conf_t *main =
        ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    ngx_uint_t last = 0;
    for (ngx_chain_t *link = in; link != NULL && !last; link = link->next) {
        if (hold(r, ctx, link->buf) != NGX_OK)
            return NGX_ERROR;
        link->buf->pos = link->buf->last;
        last = link->buf->last_buf;
        if (ctx->held.len > main->options.limits.body_bytes)
            return give_up(r, ctx, last, link->next);
    }
    if (last)
        return finish_result(r, ctx);
    return is_broken_off(r) ? replace_broken(r, ctx) : NGX_OK;
}

/* A result that cannot be read here, or is known to be too large, before anything of it was taken
 * in. */
static ngx_int_t unreadable_result(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx,
                                   const char *reason, const char *message)
{
    if (!result_refused(r, ctx, CUPEL_RESULT_UNDECIDED, reason, 0))
        return NGX_OK;
    if (ngx_http_cupel_internal_error(r, ctx, message) != NGX_OK)
        return NGX_ERROR;
    ctx->exchange = 1;
    describe(r, &ctx->answer);
    if (r->headers_out.content_encoding != NULL) {
        r->headers_out.content_encoding->hash = 0;
        r->headers_out.content_encoding = NULL;
    }
    return NGX_OK;
}

static ngx_int_t begin_result(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_main_conf_t *main =
        ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    if (ngx_http_cupel_is_encoded(&r->headers_out.headers))
        return unreadable_result(r, ctx, "content-encoding",
                                 "The result is encoded and cannot be checked");
    if (r->headers_out.content_length_n > (off_t)main->options.limits.body_bytes)
        return unreadable_result(r, ctx, "JSON_SIZE", too_large);
    ctx->holding = 1;
    r->main_filter_need_in_memory = 1;
    return NGX_OK;
}

/* -- The filters --------------------------------------------------------------------------------
 */

static ngx_int_t filter_header(ngx_http_request_t *r)
{
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    if (is_own_413(r, ctx) && exchange_413(r, ctx) != NGX_OK)
        return NGX_ERROR;
    if (is_interim(r, ctx) && refuse_interim(r, ctx) != NGX_OK)
        return NGX_ERROR;
    if (is_result(r, ctx)) {
        if (begin_result(r, ctx) != NGX_OK)
            return NGX_ERROR;
        if (ctx->holding)
            return NGX_OK;
    }
    return next_header(r);
}

static ngx_int_t filter_body(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_http_cupel_ctx_t *ctx = r == r->main ? ngx_http_cupel_get_ctx(r) : NULL;
    if (ctx == NULL || in == NULL || (!ctx->holding && !ctx->exchange))
        return next_body(r, in);
    if (ctx->holding)
        return hold_all(r, ctx, in);
    drop(in);
    if (ctx->answered)
        return NGX_OK;
    ctx->answered = 1;
    return send_text(r, &ctx->answer);
}

static ngx_int_t after_reading(ngx_conf_t *cf)
{
    (void)cf;
    next_header = ngx_http_top_header_filter;
    ngx_http_top_header_filter = filter_header;
    next_body = ngx_http_top_body_filter;
    ngx_http_top_body_filter = filter_body;
    ngx_http_cupel_add_body_filter();
    return NGX_OK;
}

static ngx_http_module_t context = {.postconfiguration = after_reading};

ngx_module_t ngx_http_cupel_filter_module = {
    NGX_MODULE_V1, &context, NULL, NGX_HTTP_MODULE,       NULL, NULL, NULL, NULL,
    NULL,          NULL,     NULL, NGX_MODULE_V1_PADDING,
};
