/* ngx_http_cupel_phase.c: the phase handler.  It has the body of a request read and judged, lets
 * the request go on or has it answered, and keeps what was refused from going anywhere by another
 * way.
 *
 * It stands in the phase before content: access rules and authentication have been passed, so that
 * a stranger cannot make a worker judge anything, and modules that copy requests have not run.
 * nginx runs the phase again when it moves the request to another location; there the judgement
 * stays. */
#include "ngx_http_cupel.h"

/* -- The end of judging -------------------------------------------------------------------------
 */

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

void ngx_http_cupel_finish_judging(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    ctx->judged = 1;
    ngx_http_cupel_event_t event = {ctx->definition, ctx->verdict, ctx->reason, ctx->steps,
                                    ctx->nanoseconds};
    ngx_http_cupel_count(r, &event);
    if (ctx->status == 0)
        return;
    log_refusal(r, ctx);
    if (ctx->conf->mode == NGX_HTTP_CUPEL_REPORT)
        ctx->status = 0;
}

void ngx_http_cupel_refuse_large(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_cupel_refuse(ctx, NGX_HTTP_REQUEST_ENTITY_TOO_LARGE, "bad-request", "JSON_SIZE",
                          ngx_http_cupel_too_large);
    ngx_http_cupel_finish_judging(r, ctx);
    ctx->status = NGX_HTTP_REQUEST_ENTITY_TOO_LARGE; /* in report mode too: nobody read the rest */
}

/* -- The first time -----------------------------------------------------------------------------
 */

/* Called when the body has been read. */
static void body_ready(ngx_http_request_t *r)
{
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    ngx_http_cupel_judge_body(r, ctx);
    ngx_http_cupel_finish_judging(r, ctx);
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

/* Judges what can be judged before the body is read. */
static void judge_head(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_main_conf_t *main =
        ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    const char *reason = unsupported_media(r);
    if (reason != NULL) {
        ngx_http_cupel_refuse(ctx, NGX_HTTP_UNSUPPORTED_MEDIA_TYPE, "bad-request", reason,
                              ngx_http_cupel_not_json);
        ngx_http_cupel_finish_judging(r, ctx);
    } else if (r->headers_in.content_length_n > (off_t)main->options.limits.body_bytes) {
        ngx_http_cupel_refuse_large(r, ctx);
    }
}

/* NGX_OK once there is a judgement; otherwise what the phase returns. */
static ngx_int_t start(ngx_http_request_t *r)
{
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_new_ctx(r);
    if (ctx == NULL)
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    judge_head(r, ctx);
    if (ctx->judged)
        return NGX_OK;
    r->request_body_in_single_buf = 1;
    ngx_int_t rc = ngx_http_read_client_request_body(r, body_ready);
    if (rc >= NGX_HTTP_SPECIAL_RESPONSE)
        return rc;
    ngx_http_finalize_request(r, NGX_DONE);
    return NGX_DONE;
}

/* -- Another location ---------------------------------------------------------------------------
 */

/* A body was judged as that of a POST.  A redirect within nginx makes the request a GET, without a
 * body for those who count on that; so it has none. */
static void drop_body(ngx_http_request_t *r)
{
    if (r->method == NGX_HTTP_POST || r->request_body == NULL)
        return;
    r->request_body->bufs = NULL;
    r->headers_in.content_length_n = -1;
    r->headers_in.chunked = 0;
}

/* What the phase returns for a request that was judged and may go on. */
static ngx_int_t go_on(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx,
                       const ngx_http_cupel_loc_conf_t *conf)
{
    if (conf->catalog != NULL && conf->catalog != ctx->conf->catalog) {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                      "cupel: a request that catalog \"%V\" judged came to a location of \"%V\"",
                      &ctx->conf->catalog->name, &conf->catalog->name);
        return NGX_HTTP_BAD_GATEWAY;
    }
    drop_body(r);
    return NGX_DECLINED;
}

/* What the phase returns for a request that must not go on.  Its answer may have been sent, and
 * `post_action` begun. */
static ngx_int_t refuse(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    if (ctx->answered || r->header_sent)
        return NGX_HTTP_CLOSE;
    ngx_http_cupel_send(r, ctx);
    return NGX_DONE;
}

/* An Upgrade would open a tunnel to the upstream.  A server may ignore it (RFC 9110, 7.8), and
 * without the field nginx does.  An empty value is none for `proxy_set_header`; the field itself
 * has to stay, or nginx would not find that it must not be sent on. */
static void ignore_upgrade(ngx_http_request_t *r)
{
    if (r->headers_in.upgrade != NULL)
        r->headers_in.upgrade->value.len = 0;
    r->headers_in.upgrade = NULL;
}

ngx_int_t ngx_http_cupel_handler(ngx_http_request_t *r)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_cupel_module);
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    if (r != r->main) /* `mirror` and others send the main request's body */
        return ctx != NULL && ctx->status != 0 ? NGX_HTTP_FORBIDDEN : NGX_DECLINED;
    if (ctx == NULL) {
        if (conf->catalog == NULL)
            return NGX_DECLINED;
        ignore_upgrade(r);
        if (r->method != NGX_HTTP_POST)
            return NGX_DECLINED;
        ngx_int_t rc = start(r);
        if (rc != NGX_OK)
            return rc;
        ctx = ngx_http_cupel_get_ctx(r);
    } else if (!ctx->judged) { /* nginx could not read the body, and `error_page` sent it here */
        ngx_http_cupel_refuse(ctx, NGX_HTTP_BAD_REQUEST, "bad-request", "body-unreadable",
                              ngx_http_cupel_no_body);
        ngx_http_cupel_finish_judging(r, ctx);
        ctx->status = NGX_HTTP_BAD_REQUEST;
    }
    return ctx->status != 0 ? refuse(r, ctx) : go_on(r, ctx, conf);
}
