/* ngx_http_cupel_fetch.c: lists that the module requests from the upstream of a location, for a
 * call that came before any list, and for all requests that wait under the same key.
 *
 * The request is a background subrequest of the call: nginx sends it the way that the call would
 * go, to the upstream that proxy_pass names for this request.  It carries the caller's identity,
 * session and version fields and no other field of the client.  Its response goes to no client:
 * the filters hand it to the core.
 *
 *     call ──▶ ngx_http_cupel_fetch ──▶ send_request ──▶ filters ──▶ take_message ──▶ job ──▶
 * page_done │ another one fetches                                                         │ └─▶
 * timer: look again                              finish: the phases run again ◀┘
 *
 * Ownership: the fetch lies in the pool of the call and ends with it (ngx_http_cupel_end_fetch).
 * A response that comes later finds reading->fetch NULL and is dropped. */
#include "gateways/nginx/ngx_http_cupel.h"

#include "gateways/common/stream/events.h"

/* How often one who waits looks again: for the list that another fetches, or for a turn. */
enum { POLL_MSEC = 10, TURN_MSEC = 250 };

struct ngx_http_cupel_fetch_s {
    ngx_http_cupel_ctx_t *ctx;
    struct cupel_gw_fetch *fetch; /* NULL: another request fetches */
    ngx_event_t timer;            /* of polling, or the end of wait_deadline */
    ngx_msec_t until;
    ngx_http_cupel_work_t work;
    struct ngx_http_cupel_reading_s *reading;
};

/* The response to one request of a fetch. */
typedef struct ngx_http_cupel_reading_s {
    struct ngx_http_cupel_fetch_s *fetch; /* NULL: the fetch has ended */
    struct cupel_gw_events events;
    u_char *text; /* JSON so far */
    size_t len, size;
    unsigned streams : 1; /* an event stream */
    unsigned failed : 1;
    unsigned found : 1; /* the response was among what was read */
} ngx_http_cupel_reading_t;

static ngx_int_t on_fetch_over(ngx_http_request_t *r, void *data, ngx_int_t rc);

static ngx_http_cupel_main_conf_t *main_conf(const ngx_http_cupel_ctx_t *ctx)
{
    return ngx_http_cupel_main(ctx->r);
}

/* -- The end --------------------------------------------------------------------------------- */

/* Ends everything that the fetch has going: timer, job, and the turn in the store. */
static void release(struct ngx_http_cupel_fetch_s *fetch, bool failed)
{
    if (fetch->timer.timer_set)
        ngx_del_timer(&fetch->timer);
    if (fetch->timer.posted) { /* the macro is two statements */
        ngx_delete_posted_event(&fetch->timer);
    }
    ngx_http_cupel_stop_work(&fetch->work);
    if (fetch->reading != NULL)
        fetch->reading->fetch = NULL;
    if (fetch->fetch != NULL)
        cupel_gw_fetch_end(fetch->fetch, failed);
    fetch->fetch = NULL;
    fetch->ctx->fetch = NULL;
}

/* Ends a fetch whose caller has gone away.  That is no failure: others who wait must not be
 * refused for it. */
void ngx_http_cupel_end_fetch(ngx_http_cupel_ctx_t *ctx)
{
    if (ctx->fetch != NULL)
        release(ctx->fetch, false);
}

/* Ends the fetch.  The call is judged by the catalog as it is known now. */
static void finish(struct ngx_http_cupel_fetch_s *fetch, bool failed)
{
    ngx_http_cupel_ctx_t *ctx = fetch->ctx;
    release(fetch, failed);
    ctx->x.fetched = true;
    ngx_http_cupel_resume(ctx);
}

/* -- A request ------------------------------------------------------------------------------- */

/* The header and the body of a request for a list. */
typedef struct {
    ngx_pool_t *pool;
    ngx_http_headers_in_t in;
    ngx_http_request_body_t *body;
} ngx_http_cupel_listing_t;

/* Adds a field to the header that is made, and returns it in *ret if `ret` is not NULL. */
static ngx_int_t add_field(ngx_http_cupel_listing_t *listing, const char *name,
                           const ngx_str_t *value, ngx_table_elt_t **ret)
{
    ngx_table_elt_t *field = ngx_list_push(&listing->in.headers);
    if (field == NULL)
        return NGX_ERROR;
    ngx_memzero(field, sizeof(*field));
    field->key.len = ngx_strlen(name);
    field->key.data = (u_char *)name;
    field->value = *value;
    field->lowcase_key = ngx_pnalloc(listing->pool, field->key.len);
    if (field->lowcase_key == NULL)
        return NGX_ERROR;
    field->hash = ngx_hash_strlow(field->lowcase_key, field->key.data, field->key.len);
    if (ret != NULL)
        *ret = field;
    return NGX_OK;
}

/* Copies the client's fields with this name. */
static ngx_int_t copy_field(ngx_http_request_t *r, ngx_http_cupel_listing_t *listing,
                            const char *name)
{
    for (ngx_list_part_t *part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        const ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            struct cupel_header header = {(const char *)field[i].key.data, field[i].key.len,
                                          (const char *)field[i].value.data, field[i].value.len};
            if (!cupel_gw_field_is(&header, name))
                continue;
            ngx_table_elt_t *copy = ngx_list_push(&listing->in.headers);
            if (copy == NULL)
                return NGX_ERROR;
            *copy = field[i];
        }
    }
    return NGX_OK;
}

/* Makes the header: who calls, and what for. */
static ngx_int_t make_fields(ngx_http_cupel_ctx_t *ctx, ngx_http_cupel_listing_t *listing,
                             size_t len)
{
    static const ngx_str_t json = ngx_string("application/json"),
                           accept = ngx_string("application/json, text/event-stream"),
                           method = ngx_string("tools/list");
    ngx_http_request_t *r = ctx->r;
    const ngx_http_cupel_catalog_t *catalog = ctx->conf->catalog;
    ngx_http_headers_in_t *in = &listing->in;
    ngx_str_t value;
    ngx_memzero(in, sizeof(*in));
    in->server = r->headers_in.server;
    in->host = r->headers_in.host;
    in->authorization = r->headers_in.authorization;
    in->user = r->headers_in.user;
    in->passwd = r->headers_in.passwd;
    in->keep_alive_n = -1;
    in->content_length_n = (off_t)len;
    if (ngx_list_init(&in->headers, r->pool, 10, sizeof(ngx_table_elt_t)) != NGX_OK ||
        ngx_array_init(&in->cookies, r->pool, 1, sizeof(ngx_table_elt_t *)) != NGX_OK)
        return NGX_ERROR;
    value.data = ngx_pnalloc(r->pool, NGX_SIZE_T_LEN);
    if (value.data == NULL)
        return NGX_ERROR;
    value.len = (size_t)(ngx_sprintf(value.data, "%uz", len) - value.data);
    if (copy_field(r, listing, "host") != NGX_OK ||
        copy_field(r, listing, "authorization") != NGX_OK ||
        copy_field(r, listing, "mcp-session-id") != NGX_OK ||
        copy_field(r, listing, "mcp-protocol-version") != NGX_OK ||
        add_field(listing, "Content-Type", &json, &in->content_type) != NGX_OK ||
        add_field(listing, "Content-Length", &value, &in->content_length) != NGX_OK ||
        add_field(listing, "Accept", &accept, NULL) != NGX_OK)
        return NGX_ERROR;
    if (catalog->key_field.len != 0 &&
        copy_field(r, listing, (const char *)catalog->key_field.data) != NGX_OK)
        return NGX_ERROR;
    return ngx_http_cupel_find_field(r, "mcp-method").bytes != NULL
               ? add_field(listing, "Mcp-Method", &method, NULL)
               : NGX_OK;
}

static ngx_int_t make_body(ngx_http_cupel_listing_t *listing, struct cupel_gw_text text)
{
    ngx_buf_t *buf = ngx_create_temp_buf(listing->pool, text.len + 1);
    ngx_chain_t *link = ngx_alloc_chain_link(listing->pool);
    listing->body = ngx_pcalloc(listing->pool, sizeof(*listing->body));
    if (listing->body == NULL || buf == NULL || link == NULL)
        return NGX_ERROR;
    buf->last = ngx_cpymem(buf->pos, text.bytes, text.len);
    buf->last_buf = 1;
    buf->last_in_chain = 1;
    link->buf = buf;
    link->next = NULL;
    listing->body->bufs = link;
    listing->body->buf = buf;
    return NGX_OK;
}

/* Sends the next request of the fetch.  ngx_http_subrequest posts a copy of the client's request,
 * which nginx will send whatever happens next: all that can fail comes before. */
static ngx_int_t send_request(struct ngx_http_cupel_fetch_s *fetch)
{
    static const ngx_str_t post = ngx_string("POST");
    ngx_http_cupel_ctx_t *ctx = fetch->ctx;
    ngx_http_request_t *r = ctx->r, *sr;
    ngx_http_cupel_listing_t listing = {.pool = r->pool};
    struct cupel_gw_text text;
    if (cupel_gw_fetch_request(fetch->fetch, ngx_http_cupel_find_field(r, "mcp-protocol-version"),
                               &text) != CUPEL_OK)
        return NGX_ERROR;
    ngx_http_cupel_reading_t *reading = ngx_pcalloc(r->pool, sizeof(*reading));
    ngx_http_post_subrequest_t *after = ngx_palloc(r->pool, sizeof(*after));
    if (reading == NULL || after == NULL || make_fields(ctx, &listing, text.len) != NGX_OK ||
        make_body(&listing, text) != NGX_OK)
        return NGX_ERROR;
    reading->fetch = fetch;
    after->handler = on_fetch_over;
    after->data = reading;
    if (ngx_http_subrequest(r, &r->uri, &r->args, &sr, after,
                            NGX_HTTP_SUBREQUEST_BACKGROUND | NGX_HTTP_SUBREQUEST_CLONE) != NGX_OK)
        return NGX_ERROR;
    fetch->reading = reading;
    sr->method = NGX_HTTP_POST;
    sr->method_name = post;
    sr->headers_in = listing.in;
    /* The list's last part is found by its address when the list has one part. */
    if (listing.in.headers.last == &listing.in.headers.part)
        sr->headers_in.headers.last = &sr->headers_in.headers.part;
    sr->request_body = listing.body;
    return NGX_OK;
}

/* -- A response ------------------------------------------------------------------------------ */

ngx_uint_t ngx_http_cupel_is_fetch(const ngx_http_request_t *r)
{
    return r->post_subrequest != NULL && r->post_subrequest->handler == on_fetch_over;
}

/* Called when the job of a page ends: requests the next page, or ends the fetch. */
static void page_done(void *data, enum cupel_gw_job_step step)
{
    struct ngx_http_cupel_fetch_s *fetch = data;
    ngx_connection_t *c = fetch->ctx->r->connection;
    (void)step;
    int more = cupel_gw_fetch_page(fetch->fetch, fetch->work.job);
    ngx_http_cupel_stop_work(&fetch->work);
    if (more == 1 && send_request(fetch) == NGX_OK) {
        ngx_http_run_posted_requests(c);
        return;
    }
    finish(fetch, more != 0);
}

/* Hands a message of the response to the core, and starts the job if it is the list.  NGX_OK: it
 * was the response.  NGX_AGAIN: it was another message.  NGX_ERROR: the fetch has failed. */
static ngx_int_t take_message(ngx_http_cupel_reading_t *reading, struct cupel_gw_text message)
{
    struct ngx_http_cupel_fetch_s *fetch = reading->fetch;
    int taken = cupel_gw_fetch_response(fetch->fetch, message, &fetch->work.job);
    if (taken == 0)
        return NGX_AGAIN;
    if (taken < 0)
        return NGX_ERROR;
    reading->found = 1;
    fetch->work.done = page_done;
    fetch->work.ctx = fetch;
    ngx_http_cupel_start_work(&fetch->work, fetch->ctx->r->connection->log);
    return NGX_OK;
}

/* Reads events until the response is among them. */
static ngx_int_t read_events(ngx_http_cupel_reading_t *reading, const char *bytes, size_t len)
{
    struct cupel_gw_piece piece;
    while (!reading->found && cupel_gw_events_next(&reading->events, &bytes, &len, &piece)) {
        if (piece.kind != CUPEL_GW_PIECE_EVENT || piece.data.len == 0)
            continue;
        if (piece.dropped != CUPEL_GW_NOT_DROPPED || take_message(reading, piece.data) == NGX_ERROR)
            return NGX_ERROR;
    }
    return NGX_OK;
}

/* Appends a piece of a JSON body, which may be as long as a list. */
static ngx_int_t keep_text(ngx_http_cupel_reading_t *reading, ngx_pool_t *pool, const char *bytes,
                           size_t len)
{
    size_t most = reading->fetch->ctx->conf->catalog->learning.bytes;
    if (len > most - reading->len)
        return NGX_ERROR;
    if (reading->len + len > reading->size) {
        size_t size = ngx_max(2 * reading->size, reading->len + len + 4096);
        u_char *text = ngx_palloc(pool, size);
        if (text == NULL)
            return NGX_ERROR;
        ngx_memcpy(text, reading->text, reading->len);
        (void)ngx_pfree(pool, reading->text);
        reading->text = text;
        reading->size = size;
    }
    ngx_memcpy(reading->text + reading->len, bytes, len);
    reading->len += len;
    return NGX_OK;
}

/* Whether a media type is this one, with or without parameters. */
static ngx_uint_t has_type(const ngx_str_t *value, const char *type)
{
    size_t len = ngx_strlen(type);
    return value->len >= len && ngx_strncasecmp(value->data, (u_char *)type, len) == 0 &&
           (value->len == len || value->data[len] == ';' || value->data[len] == ' ');
}

/* The header filter for the subrequest: decides whether and how the response is read.  Without
 * `buffering` nginx would write the response of a subrequest to a file first. */
ngx_int_t ngx_http_cupel_fetch_header(ngx_http_request_t *r)
{
    ngx_http_cupel_reading_t *reading = r->post_subrequest->data;
    const ngx_str_t *type = &r->headers_out.content_type;
    r->filter_need_in_memory = 1;
    if (r->upstream != NULL) /* nginx would write the response of a subrequest to a file first */
        r->upstream->buffering = 0;
    if (reading->fetch == NULL || r->upstream == NULL || r->headers_out.status < NGX_HTTP_OK ||
        r->headers_out.status >= NGX_HTTP_SPECIAL_RESPONSE ||
        r->headers_out.content_encoding != NULL) {
        reading->failed = 1;
        ngx_http_cupel_end_upstream(r->upstream);
        return NGX_OK;
    }
    struct cupel_gw_arena arena = reading->fetch->ctx->x.arena;
    cupel_gw_events_init(&reading->events, &arena,
                         reading->fetch->ctx->conf->catalog->learning.bytes);
    reading->streams = has_type(type, "text/event-stream") & 1;
    reading->failed = !reading->streams && !has_type(type, "application/json");
    return NGX_OK;
}

/* The body filter for the subrequest: consumes all buffers.  It never returns an error, because
 * nginx would take it for one of the client's connection. */
ngx_int_t ngx_http_cupel_fetch_body(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_http_cupel_reading_t *reading = r->post_subrequest->data;
    for (; in != NULL; in = in->next) {
        ngx_buf_t *buf = in->buf;
        size_t len = ngx_buf_in_memory(buf) ? (size_t)(buf->last - buf->pos) : 0;
        const char *bytes = (const char *)buf->pos;
        buf->pos = buf->last;
        buf->file_pos = buf->file_last;
        if (reading->fetch == NULL || reading->failed || reading->found || len == 0)
            continue;
        ngx_int_t rc = reading->streams ? read_events(reading, bytes, len)
                                        : keep_text(reading, r->pool, bytes, len);
        reading->failed = rc != NGX_OK;
    }
    /* An error would be one of the client's connection: nginx counts all filters' errors as such.
     */
    if (reading->fetch == NULL || reading->failed || reading->found)
        ngx_http_cupel_end_upstream(r->upstream);
    return NGX_OK;
}

/* Called when the subrequest ends.  A list in JSON is complete now.  A posted event ends a failed
 * fetch later: the waiting call must not run its phases while nginx ends another request. */
static ngx_int_t on_fetch_over(ngx_http_request_t *r, void *data, ngx_int_t rc)
{
    ngx_http_cupel_reading_t *reading = data;
    struct ngx_http_cupel_fetch_s *fetch = reading->fetch;
    (void)r;
    if (fetch == NULL || reading->found)
        return NGX_OK;
    if (rc == NGX_OK && !reading->failed && !reading->streams && reading->len != 0 &&
        take_message(reading, (struct cupel_gw_text){(const char *)reading->text, reading->len}) ==
            NGX_OK)
        return NGX_OK;
    fetch->reading = NULL;
    reading->fetch = NULL;
    ngx_post_event(&fetch->timer, &ngx_posted_events); /* not within the end of another request */
    return NGX_OK;
}

/* -- Turns ----------------------------------------------------------------------------------- */

/* The timer of a fetch.  For the request that fetches, the time is over or the response failed.
 * For one that waits it is time to look again, until wait_deadline. */
static void on_timer(ngx_event_t *event)
{
    struct ngx_http_cupel_fetch_s *fetch = event->data;
    ngx_http_cupel_ctx_t *ctx = fetch->ctx;
    if (fetch->fetch != NULL) {
        finish(fetch, true);
        return;
    }
    ngx_uint_t late = (ngx_msec_int_t)(ngx_current_msec - fetch->until) >= 0;
    release(fetch, false);
    ctx->x.fetched = late;
    ngx_http_cupel_resume(ctx);
}

/* Makes the state of a fetch or of a wait.  All waits of one request end at the same time,
 * however often it looks again. */
static struct ngx_http_cupel_fetch_s *new_fetch(ngx_http_cupel_ctx_t *ctx)
{
    struct ngx_http_cupel_fetch_s *fetch = ngx_pcalloc(ctx->r->pool, sizeof(*fetch));
    if (fetch == NULL)
        return NULL;
    fetch->ctx = ctx;
    fetch->timer.handler = on_timer;
    fetch->timer.data = fetch;
    fetch->timer.log = ctx->r->connection->log;
    if (ctx->wait_deadline == 0)
        ctx->wait_deadline =
            ngx_current_msec + (ngx_msec_t)ctx->conf->catalog->learning.fetches.time;
    fetch->until = ctx->wait_deadline;
    return fetch;
}

/* Whether the list was learned by another worker after it was looked for, and before this request
 * became the one that fetches. */
static ngx_uint_t came_meanwhile(ngx_http_cupel_ctx_t *ctx, enum ngx_http_cupel_turn *ret)
{
    if (ctx->x.catalog != NULL)
        return 0;
    *ret = ngx_http_cupel_take_catalog(ctx);
    return ctx->x.catalog != NULL || *ret == NGX_HTTP_CUPEL_WAIT;
}

/* Requests the list, or waits for the request that does.  Returns WAIT if the phases will run
 * again, GO_ON if the call has to be judged by what is known: then x.fetched is set. */
enum ngx_http_cupel_turn ngx_http_cupel_fetch(ngx_http_cupel_ctx_t *ctx)
{
    enum ngx_http_cupel_turn taken;
    struct cupel_gw_fetch *begun = NULL;
    struct ngx_http_cupel_fetch_s *fetch = new_fetch(ctx);
    if (fetch == NULL) {
        ctx->x.fetched = true;
        return NGX_HTTP_CUPEL_GO_ON;
    }
    enum cupel_gw_fetch_turn turn = cupel_gw_fetch_begin(
        main_conf(ctx)->learner, &ctx->conf->catalog->learning, &ctx->id, &begun);
    ctx->fetch = fetch;
    if (turn == CUPEL_GW_FETCH_START) {
        fetch->fetch = begun;
        if (came_meanwhile(ctx, &taken)) {
            release(fetch, false);
            return taken;
        }
        if (send_request(fetch) == NGX_OK) {
            ngx_add_timer(&fetch->timer, (ngx_msec_t)ctx->conf->catalog->learning.fetches.time);
            return NGX_HTTP_CUPEL_WAIT;
        }
    } else if (turn == CUPEL_GW_FETCH_WAIT || turn == CUPEL_GW_FETCH_LIMITED) {
        ngx_add_timer(&fetch->timer, turn == CUPEL_GW_FETCH_WAIT ? POLL_MSEC : TURN_MSEC);
        return NGX_HTTP_CUPEL_WAIT;
    }
    release(fetch, turn == CUPEL_GW_FETCH_START);
    ctx->x.fetched = true;
    return NGX_HTTP_CUPEL_GO_ON;
}
