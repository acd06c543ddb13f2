/* ngx_http_cupel_phase.c: the phase handler.  It has the body of a request read and judged, lets
 * the request go on or has it answered, and keeps what was refused from going anywhere by another
 * way.
 *
 * It stands in the phase before content: access rules and authentication have been passed, so that
 * a stranger cannot make a worker judge anything, and modules that copy requests have not run.
 * nginx runs the phase again when it moves the request to another location; there the judgement
 * stays. */
#include "gateways/nginx/ngx_http_cupel.h"

/* -- The first time -------------------------------------------------------------------------- */

/* Called when the body has been read. */
static void body_ready(ngx_http_request_t *r)
{
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    ctx->state = NGX_HTTP_CUPEL_READ;
    r->preserve_body = 1;
    r->write_event_handler = ngx_http_core_run_phases;
    ngx_http_core_run_phases(r);
}

static ngx_int_t read_body(ngx_http_request_t *r, ngx_http_client_body_handler_pt ready)
{
    r->request_body_in_single_buf = 1;
    ngx_int_t rc = ngx_http_read_client_request_body(r, ready);
    if (rc >= NGX_HTTP_SPECIAL_RESPONSE)
        return rc;
    ngx_http_finalize_request(r, NGX_DONE);
    return NGX_DONE;
}

/* Judges the body.  NGX_OK once there is a judgement, NGX_DONE if a catalog has to come first. */
static ngx_int_t judge(ngx_http_cupel_ctx_t *ctx)
{
    enum cupel_gw_step step = CUPEL_GW_LEARN;
    if (ngx_http_cupel_take_catalog(ctx) == NGX_HTTP_CUPEL_WAIT) {
        ngx_http_cupel_wait(ctx);
        return NGX_DONE;
    }
    while (step == CUPEL_GW_LEARN) {
        step = ngx_http_cupel_judge_body(ctx);
        if (step == CUPEL_GW_LEARN && ngx_http_cupel_fetch(ctx) == NGX_HTTP_CUPEL_WAIT) {
            ngx_http_cupel_wait(ctx);
            return NGX_DONE;
        }
    }
    ctx->refused = step != CUPEL_GW_PASS;
    ngx_http_cupel_finish_judging(ctx);
    return NGX_OK;
}

static void refused_body_ready(ngx_http_request_t *r)
{
    r->write_event_handler = ngx_http_core_run_phases;
    ngx_http_core_run_phases(r);
}

/* In HTTP/2 nginx resets a stream whose body it did not read, and some clients then lose the
 * answer. */
static ngx_uint_t is_read_first(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx)
{
#if (NGX_HTTP_V2)
    return r->stream != NULL && !r->stream->in_closed &&
           r->headers_in.content_length_n <= (off_t)ctx->conf->policy.limits.body;
#else
    return 0;
#endif
}

/* Whether the response may be a stream with results of earlier calls, for which the caller's list
 * is needed.  A GET without a body goes the way of requests with one. */
static ngx_uint_t may_resume(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx)
{
    return r->method == NGX_HTTP_GET && ctx->conf->catalog->learns;
}

/* Judges the head.  NGX_OK once there is a judgement; otherwise what the phase returns. */
static ngx_int_t start(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    if (ctx == NULL)
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    ngx_http_cupel_identify(ctx);
    enum cupel_gw_step step = ngx_http_cupel_judge_head(ctx);
    if (step == CUPEL_GW_BODY || (step == CUPEL_GW_PASS && may_resume(r, ctx)))
        return read_body(r, body_ready);
    ctx->refused = step != CUPEL_GW_PASS;
    ngx_http_cupel_finish_judging(ctx);
    if (ctx->refused && is_read_first(r, ctx))
        return read_body(r, refused_body_ready);
    return NGX_OK;
}

/* -- Another location ------------------------------------------------------------------------ */

/* A body was judged as that of its method.  A redirect within nginx makes the request a GET,
 * without a body as any GET. */
static void drop_body(ngx_http_request_t *r)
{
    if (r->method != NGX_HTTP_GET || r->request_body == NULL || !r->internal)
        return;
    r->request_body->bufs = NULL;
    r->headers_in.content_length_n = -1;
    r->headers_in.chunked = 0;
}

/* What the phase returns for a request that was judged and may go on. */
static ngx_int_t forward(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx,
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
    ngx_http_cupel_send(ctx);
    return NGX_DONE;
}

/* Keeps an Upgrade field that `cupel_allow upgrade` or `cupel_mode report` lets pass from the
 * upstream, whose 101 response would open a tunnel.  A server may ignore the field (RFC 9110, 7.8).
 * `proxy_set_header` sends no field with an empty value.  The field stays in nginx's list, because
 * nginx looks it up there to leave it out. */
static void ignore_upgrade(ngx_http_request_t *r)
{
    if (r->headers_in.upgrade != NULL)
        r->headers_in.upgrade->value.len = 0;
    r->headers_in.upgrade = NULL;
}

/* Another request than the client's.  `mirror` and others send the main request's body. */
static ngx_int_t handle_subrequest(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx)
{
    if (ngx_http_cupel_is_fetch(r) || ctx == NULL || !ctx->refused)
        return NGX_DECLINED;
    return NGX_HTTP_FORBIDDEN;
}

/* Takes the request as far as it can be taken now.  NGX_OK once there is a judgement; otherwise
 * what the phase returns. */
static ngx_int_t advance(ngx_http_cupel_ctx_t *ctx)
{
    switch (ctx->state) {
    case NGX_HTTP_CUPEL_READ:
        return judge(ctx);
    case NGX_HTTP_CUPEL_WAITING:
        return NGX_DONE;
    case NGX_HTTP_CUPEL_READING: /* nginx could not read the body, and `error_page` sent it here */
        ngx_http_cupel_refuse(ctx, NGX_HTTP_BAD_REQUEST, -32600, "bad-request", "body-unreadable",
                              "Invalid request: the body could not be read");
        return NGX_OK;
    default:
        return NGX_OK;
    }
}

ngx_int_t ngx_http_cupel_handler(ngx_http_request_t *r)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_cupel_location(r);
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    ngx_int_t rc;
    if (r != r->main)
        return handle_subrequest(r, ctx);
    if (ctx != NULL) {
        rc = advance(ctx);
    } else {
        if (conf->catalog == NULL)
            return NGX_DECLINED;
        ignore_upgrade(r);
        ctx = ngx_http_cupel_new_ctx(r);
        rc = start(r, ctx);
    }
    if (rc != NGX_OK)
        return rc;
    return ctx->refused ? refuse(r, ctx) : forward(r, ctx, conf);
}
