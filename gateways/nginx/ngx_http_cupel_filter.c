/* ngx_http_cupel_filter.c: hands the response of a judged request to the core, and sends what
 * comes of it: the response as it is, a stream in which events are replaced, or an answer in its
 * place.
 *
 * The header filter asks the core what to do (begin_response) and holds the header back unless
 * the response passes.  The body filter collects buffers in output.in, and pump() hands them over
 * one by one, does what each step demands (apply_step), and flushes what the core wrote.
 * ctx->reply is the state:
 *
 *     HELD ──▶ STREAMED ──▶ OVER        HELD ──▶ THROUGH        HELD ──▶ OVER (an answer)
 *
 * A body over `client_max_body_size` ends in nginx before the phase handler runs, with a page in
 * HTML.  A client of MCP reads JSON, so the page is replaced by a JSON-RPC error. */
#include "gateways/nginx/ngx_http_cupel.h"

/* In request->buffered: we hold something back.  nginx leaves this bit to filters. */
enum { HOLDING = 0x08 };

static ngx_http_output_header_filter_pt next_header;
static ngx_http_output_body_filter_pt next_body;

/* Hands buffers to the next body filter.  A filter behind this one may begin the chain of filters
 * anew before it returns, as ngx_http_addition_filter_module does to send the end of the response.
 * filter_body passes such buffers on. */
static ngx_int_t send_body(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    ngx_uint_t sending = ctx->sending;
    ctx->sending = 1;
    ngx_int_t rc = next_body(r, in);
    ctx->sending = sending & 1;
    return rc;
}

/* -- The header ------------------------------------------------------------------------------ */

/* Sends the header once.  A response without a body, to HEAD, is over then. */
static ngx_int_t send_header(ngx_http_cupel_ctx_t *ctx)
{
    if (ctx->header_gone)
        return NGX_OK;
    ctx->header_gone = 1;
    ngx_int_t rc = next_header(ctx->r);
    if (rc == NGX_ERROR || rc > NGX_OK || ctx->r->header_only)
        ctx->reply = NGX_HTTP_CUPEL_OVER;
    return rc;
}

/* Removes the fields that the core drops from the header.  nginx has some of them in places of
 * its own. */
static void drop_fields(ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_headers_out_t *out = &ctx->r->headers_out;
    for (ngx_list_part_t *part = &out->headers.part; part != NULL; part = part->next) {
        ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++)
            if (cupel_gw_response_drops(&ctx->x, (const char *)field[i].key.data, field[i].key.len))
                field[i].hash = 0;
    }
#define DROP(name) cupel_gw_response_drops(&ctx->x, name, sizeof(name) - 1)
    if (DROP("location"))
        out->location = NULL;
    if (DROP("content-length"))
        ngx_http_clear_content_length(ctx->r);
    if (DROP("accept-ranges"))
        ngx_http_clear_accept_ranges(ctx->r);
    if (DROP("last-modified"))
        ngx_http_clear_last_modified(ctx->r);
    if (DROP("etag"))
        ngx_http_clear_etag(ctx->r);
    if (DROP("content-encoding") && out->content_encoding != NULL) {
        out->content_encoding->hash = 0;
        out->content_encoding = NULL;
    }
    if (DROP("trailer"))
        out->trailers.part.nelts = 0;
#undef DROP
    ctx->r->allow_ranges = 0;
}

/* Ends the core's part of the response: it counts no more bytes against the worker. */
static void end_reading(ngx_http_cupel_ctx_t *ctx)
{
    if (ctx->deadline.timer_set)
        ngx_del_timer(&ctx->deadline);
    cupel_gw_response_end(&ctx->x);
}

/* -- Steps ----------------------------------------------------------------------------------- */

/* Sends x.answer in place of the response, and ends the upstream's. */
static ngx_int_t replace(ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_request_t *r = ctx->r;
    drop_fields(ctx);
    end_reading(ctx);
    ngx_http_cupel_end_upstream(ctx->upstream);
    ctx->reply = NGX_HTTP_CUPEL_OVER;
    if (ngx_http_cupel_describe(r, &ctx->x.answer) != NGX_OK)
        return NGX_ERROR;
    ngx_int_t rc = send_header(ctx);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only)
        return rc;
    ngx_chain_t chain = {ngx_http_cupel_answer_buf(r->pool, &ctx->x.answer), NULL};
    return chain.buf != NULL ? send_body(r, &chain) : NGX_ERROR;
}

/* Replaces the response by an error with status 502 and the id of the request. */
static ngx_int_t refuse_response(ngx_http_cupel_ctx_t *ctx, const char *message)
{
    const struct cupel_gw_text *id = ctx->x.note_count != 0 ? &ctx->x.notes[0].id : NULL;
    (void)cupel_gw_answer_error(&ctx->x, NGX_HTTP_BAD_GATEWAY, id, -32603, message);
    return replace(ctx);
}

/* Ends a response so that the client sees that it is not whole: what was written goes out, then
 * nginx closes the connection.  Without a header the client gets 502. */
static ngx_int_t abort_response(ngx_http_cupel_ctx_t *ctx)
{
    if (!ctx->header_gone)
        return refuse_response(ctx, "The upstream broke off its response");
    end_reading(ctx);
    ctx->reply = NGX_HTTP_CUPEL_OVER;
    ctx->r->keepalive = 0;
    if (ctx->output.out != NULL)
        (void)ngx_http_cupel_flush(ctx->r, &ctx->output, send_body);
    return NGX_ERROR;
}

/* Ends the reading: the response ends with what was written, or with `through` goes on as it
 * comes.  `last`: the upstream has sent all of it. */
static ngx_int_t finish(ngx_http_cupel_ctx_t *ctx, ngx_uint_t last, ngx_uint_t through)
{
    if (!through)
        drop_fields(ctx);
    end_reading(ctx);
    if (!through && !last)
        ngx_http_cupel_end_upstream(ctx->upstream);
    ctx->reply = through && !last ? NGX_HTTP_CUPEL_THROUGH : NGX_HTTP_CUPEL_OVER;
    ngx_int_t rc = send_header(ctx);
    if (rc == NGX_ERROR || rc > NGX_OK || ctx->r->header_only)
        return rc;
    return ctx->reply == NGX_HTTP_CUPEL_OVER ? ngx_http_cupel_write_last(ctx->r, &ctx->output)
                                             : NGX_OK;
}

/* Sends the output of the core, or continues to send it.  The header goes out at once: a stream may
 * be silent for long, and a client waits for the header. */
static ngx_int_t stream(ngx_http_cupel_ctx_t *ctx)
{
    ctx->reply = NGX_HTTP_CUPEL_STREAMED;
    if (ctx->header_gone)
        return NGX_OK;
    drop_fields(ctx);
    ngx_int_t rc = send_header(ctx);
    if (rc == NGX_ERROR || rc > NGX_OK || ctx->r->header_only)
        return rc;
    return ngx_http_cupel_write_flush(ctx->r, &ctx->output);
}

/* Does what a step of the core demands.  `last`: the piece that led to it was the last of the
 * response. */
static ngx_int_t apply_step(ngx_http_cupel_ctx_t *ctx, enum cupel_gw_step step, ngx_uint_t last)
{
    switch (step) {
    case CUPEL_GW_PASS:
        return finish(ctx, last, 1);
    case CUPEL_GW_END:
        return finish(ctx, last, 0);
    case CUPEL_GW_ABORT:
        return abort_response(ctx);
    case CUPEL_GW_HOLD:
        return last ? refuse_response(ctx, "The response could not be judged") : NGX_OK;
    case CUPEL_GW_WAIT: /* go_on_sending goes on */
        ctx->waiting = 1;
        ctx->last_read = last & 1;
        return NGX_OK;
    case CUPEL_GW_STREAM:
        return last ? finish(ctx, 1, 0) : stream(ctx);
    default:
        return replace(ctx);
    }
}

/* -- The body -------------------------------------------------------------------------------- */

static int write_bytes(void *data, const char *bytes, size_t len)
{
    ngx_http_cupel_ctx_t *ctx = data;
    return ngx_http_cupel_write(ctx->r, &ctx->output, bytes, len) != NGX_OK;
}

static ngx_uint_t is_read(const ngx_http_cupel_ctx_t *ctx)
{
    return ctx->reply == NGX_HTTP_CUPEL_HELD || ctx->reply == NGX_HTTP_CUPEL_STREAMED;
}

/* Hands one buffer to the core and does what its step demands. */
static ngx_int_t read_buffer(ngx_http_cupel_ctx_t *ctx, ngx_buf_t *buf)
{
    struct cupel_gw_sink sink = {write_bytes, ctx};
    size_t len = ngx_buf_in_memory(buf) ? (size_t)(buf->last - buf->pos) : 0;
    const char *bytes = (const char *)buf->pos;
    buf->pos = buf->last;
    if (len == 0 && !buf->last_buf)
        return NGX_OK;
    return apply_step(ctx, cupel_gw_response_body(&ctx->x, bytes, len, buf->last_buf, &sink),
                      buf->last_buf);
}

static void discard(ngx_chain_t *in)
{
    for (; in != NULL; in = in->next) {
        in->buf->pos = in->buf->last;
        in->buf->file_pos = in->buf->file_last;
    }
}

/* Whether nginx has let go of the upstream although its response was not read to its end. */
static ngx_uint_t is_upstream_gone(const ngx_http_cupel_ctx_t *ctx)
{
    return ctx->upstream != NULL && ctx->upstream->cleanup == NULL;
}

/* Sends the buffers behind the last one that was read: as they are after PASS, otherwise not at
 * all. */
static ngx_int_t send_rest(ngx_http_cupel_ctx_t *ctx)
{
    ngx_chain_t *rest = ctx->output.in;
    ctx->output.in = NULL;
    if (ctx->reply == NGX_HTTP_CUPEL_THROUGH)
        return send_body(ctx->r, rest);
    discard(rest);
    return NGX_OK;
}

/* Sets the timer for what is held, or clears it. */
static void watch_deadline(ngx_http_cupel_ctx_t *ctx)
{
    uint64_t due = is_read(ctx) ? cupel_gw_response_deadline(&ctx->x) : 0;
    if (ctx->deadline.timer_set)
        ngx_del_timer(&ctx->deadline);
    if (due == 0)
        return;
    uint64_t now = ngx_http_cupel_milliseconds(NULL);
    ngx_add_timer(&ctx->deadline, (ngx_msec_t)(due > now ? due - now : 1));
}

/* Reads what there is, as far as the client keeps up, and sends what came of it.  While a list is
 * learned nothing is read or sent.  r->buffered makes nginx keep the request open meanwhile. */
static ngx_int_t pump(ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_request_t *r = ctx->r;
    ngx_http_cupel_output_t *output = &ctx->output;
    ngx_int_t rc = NGX_OK;
    while (rc == NGX_OK && is_read(ctx) && output->in != NULL && !ctx->learning &&
           !ngx_http_cupel_is_full(output)) {
        ngx_chain_t *link = output->in;
        output->in = link->next;
        rc = read_buffer(ctx, link->buf);
        ngx_free_chain(r->pool, link);
    }
    if (rc == NGX_OK && is_read(ctx) && output->in == NULL && !ctx->learning &&
        is_upstream_gone(ctx))
        rc = apply_step(ctx, cupel_gw_response_broken(&ctx->x), 0);
    watch_deadline(ctx);
    if (rc != NGX_ERROR && !ctx->learning && ctx->header_gone)
        rc = ngx_http_cupel_flush(r, output, send_body);
    if (rc != NGX_ERROR && !ctx->learning && !is_read(ctx))
        rc = send_rest(ctx);
    if (output->in != NULL || ctx->learning)
        r->buffered |= HOLDING;
    else
        r->buffered &= (unsigned)~HOLDING & 0xF;
    return rc;
}

/* -- Time ------------------------------------------------------------------------------------ */

/* Makes nginx look at the upstream's connection, whose state the module has changed, or else at
 * the client's. */
static void wake(ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_upstream_t *u = ctx->upstream;
    ngx_event_t *event = ctx->r->connection->write;
    if (u != NULL && u->cleanup != NULL && u->peer.connection != NULL)
        event = u->peer.connection->read;
    ngx_post_event(event, &ngx_posted_events);
}

/* The timer of what is held: the core refuses it. */
static void on_deadline(ngx_event_t *event)
{
    ngx_http_cupel_ctx_t *ctx = event->data;
    struct cupel_gw_sink sink = {write_bytes, ctx};
    if (!is_read(ctx) || ctx->learning)
        return;
    ngx_http_set_log_request(ctx->r->connection->log, ctx->r);
    ngx_int_t rc = apply_step(ctx, cupel_gw_response_expire(&ctx->x, &sink), 0);
    if (rc == NGX_OK)
        rc = pump(ctx);
    if (rc == NGX_ERROR)
        ctx->r->connection->error = 1;
    if (!is_read(ctx))
        wake(ctx);
}

/* The list in the response is learned: what was held back may go out. */
static void go_on_sending(ngx_http_cupel_ctx_t *ctx)
{
    struct cupel_gw_sink sink = {write_bytes, ctx};
    ngx_int_t rc = NGX_OK;
    ctx->learning = 0;
    if (ctx->waiting) {
        ctx->waiting = 0;
        rc = apply_step(ctx, cupel_gw_response_resume(&ctx->x, &sink), ctx->last_read);
    }
    if (rc == NGX_ERROR || pump(ctx) == NGX_ERROR)
        ctx->r->connection->error = 1;
    wake(ctx);
}

/* -- Responses ------------------------------------------------------------------------------- */

/* The fields of the response as the core reads them; NULL without memory. */
static struct cupel_header *list_fields(ngx_http_request_t *r, size_t *ret_count)
{
    size_t most = 1;
    for (ngx_list_part_t *part = &r->headers_out.headers.part; part != NULL; part = part->next)
        most += part->nelts;
    struct cupel_header *fields = ngx_palloc(r->pool, most * sizeof(*fields));
    if (fields == NULL)
        return NULL;
    size_t count = 0;
    for (ngx_list_part_t *part = &r->headers_out.headers.part; part != NULL; part = part->next) {
        const ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++)
            if (field[i].hash != 0)
                fields[count++] =
                    (struct cupel_header){(const char *)field[i].key.data, field[i].key.len,
                                          (const char *)field[i].value.data, field[i].value.len};
    }
    const ngx_str_t *type = &r->headers_out.content_type;
    if (type->len != 0)
        fields[count++] = (struct cupel_header){"Content-Type", sizeof("Content-Type") - 1,
                                                (const char *)type->data, type->len};
    *ret_count = count;
    return fields;
}

/* The scheme and the host by which the client knows this server; bytes NULL if the response is not
 * that of an upstream, or without memory for it, which *ret_failed tells. */
static struct cupel_gw_text origin_of(ngx_http_request_t *r, ngx_uint_t *ret_failed)
{
    struct cupel_gw_text origin = {NULL, 0};
    const ngx_table_elt_t *host = r->headers_in.host;
    ngx_str_t name = host != NULL ? host->value : r->headers_in.server;
    *ret_failed = 0;
    if (r->upstream == NULL)
        return origin;
    char *bytes = ngx_pnalloc(r->pool, name.len + sizeof("https://"));
    *ret_failed = bytes == NULL;
    if (bytes == NULL)
        return origin;
    const char *scheme = "http://";
#if (NGX_HTTP_SSL)
    if (r->connection->ssl != NULL)
        scheme = "https://";
#endif
    const u_char *end = ngx_sprintf((u_char *)bytes, "%s%V", scheme, &name);
    origin = (struct cupel_gw_text){bytes, (size_t)((const char *)end - bytes)};
    return origin;
}

/* Hands the header to the core.  Ranges and 304 are switched off: the core must see the whole
 * body. */
static ngx_int_t begin_response(ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_request_t *r = ctx->r;
    struct cupel_gw_response_head head = {
        .status = (unsigned)r->headers_out.status,
        .content_length = r->headers_out.content_length_n >= 0
                              ? (uint64_t)r->headers_out.content_length_n
                              : UINT64_MAX,
        .has_body = r->method != NGX_HTTP_HEAD && r->headers_out.content_length_n != 0 &&
                    r->headers_out.status != NGX_HTTP_NO_CONTENT &&
                    r->headers_out.status != NGX_HTTP_NOT_MODIFIED,
    };
    ngx_uint_t failed;
    ctx->x.origin = origin_of(r, &failed);
    head.fields = list_fields(r, &head.field_count);
    if (head.fields == NULL || failed)
        return NGX_ERROR;
    r->main_filter_need_in_memory = 1;
    r->filter_need_in_memory = 1;
    r->allow_ranges = 0;
    r->disable_not_modified = 1;
    ctx->upstream = r->upstream != NULL && r->upstream->cleanup != NULL ? r->upstream : NULL;
    ctx->go_on = go_on_sending;
    ctx->deadline.handler = on_deadline;
    ctx->deadline.data = ctx;
    ctx->deadline.log = r->connection->log;
    enum cupel_gw_step step = cupel_gw_response_head(&ctx->x, &head);
    if (step == CUPEL_GW_PASS)
        return next_header(r);
    ctx->reply = NGX_HTTP_CUPEL_HELD;
    return apply_step(ctx, step, 0);
}

/* -- Pages of nginx -------------------------------------------------------------------------- */

/* Whether the response is nginx's page for a body that is too large, found before the handler ran
 * or while the body was read, and no answer of an upstream. */
static ngx_uint_t is_own_413(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_cupel_location(r);
    if (r->headers_out.status != NGX_HTTP_REQUEST_ENTITY_TOO_LARGE || r->upstream != NULL)
        return 0;
    if (ctx == NULL)
        return conf->catalog != NULL;
    return ctx->state == NGX_HTTP_CUPEL_READING || (ctx->refused && !ctx->answered);
}

static ngx_int_t exchange_413(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    if (ctx == NULL && (ctx = ngx_http_cupel_new_ctx(r)) == NULL)
        return NGX_ERROR;
    if (!ctx->refused)
        ngx_http_cupel_refuse_large(ctx);
    ctx->answered = 1;
    return replace(ctx);
}

/* Whether the upstream sent a 1xx as its response.  nginx takes it for a final one: 101 would
 * open a tunnel, and what follows a 100 would reach the client as a body without a judgement. */
static ngx_uint_t is_interim(ngx_http_request_t *r, const ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_cupel_location(r);
    return r->upstream != NULL && r->headers_out.status < NGX_HTTP_OK &&
           (ctx != NULL ? !ctx->answered : conf->catalog != NULL);
}

static ngx_int_t refuse_interim(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx)
{
    if (ctx == NULL && (ctx = ngx_http_cupel_new_ctx(r)) == NULL)
        return NGX_ERROR;
    ctx->upstream = r->upstream;
    if (r->headers_out.status != 0)
        return refuse_response(ctx, "The upstream sent an interim response");
    /* A response without a status line: nginx takes it for HTTP/0.9, and would send this answer
     * without a header as well. */
    if (r->http_version < NGX_HTTP_VERSION_10 && r->http_major != 0)
        r->http_version = r->http_major * 1000 + r->http_minor;
    return refuse_response(ctx, "The upstream sent no status line");
}

/* -- The filters ----------------------------------------------------------------------------- */

static ngx_int_t filter_header(ngx_http_request_t *r)
{
    if (r != r->main)
        return ngx_http_cupel_is_fetch(r) ? ngx_http_cupel_fetch_header(r) : next_header(r);
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    if (is_own_413(r, ctx))
        return exchange_413(r, ctx);
    if (is_interim(r, ctx))
        return refuse_interim(r, ctx);
    if (ctx == NULL || ctx->answered || ctx->refused || ctx->state != NGX_HTTP_CUPEL_JUDGED ||
        ctx->header_gone)
        return next_header(r);
    return begin_response(ctx);
}

static ngx_int_t filter_body(ngx_http_request_t *r, ngx_chain_t *in)
{
    if (r != r->main)
        return ngx_http_cupel_is_fetch(r) ? ngx_http_cupel_fetch_body(r, in) : next_body(r, in);
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_get_ctx(r);
    if (ctx == NULL || ctx->sending ||
        (ctx->reply == NGX_HTTP_CUPEL_THROUGH && ctx->output.in == NULL && !ctx->learning))
        return next_body(r, in);
    if (in != NULL && ngx_chain_add_copy(r->pool, &ctx->output.in, in) != NGX_OK)
        return NGX_ERROR;
    return pump(ctx);
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
