/* ngx_http_cupel_record.c: the record of a request, and how it is found.
 *
 * nginx clears the contexts of modules whenever it moves a request to another location: by an
 * internal redirect, `error_page`, `try_files`, a named location, X-Accel-Redirect.  The judgement
 * of a request has to outlive that, so the record belongs to the request's pool and is found again
 * by its cleanup. */
#include "gateways/nginx/ngx_http_cupel.h"

/* Called when the pool of the request goes away: gives back all that the request holds. */
static void clean_up(void *data)
{
    ngx_http_cupel_ctx_t *ctx = data;
    ngx_http_cupel_end_fetch(ctx);
    if (ctx->deadline.timer_set)
        ngx_del_timer(&ctx->deadline);
    if (ctx->reply == NGX_HTTP_CUPEL_HELD || ctx->reply == NGX_HTTP_CUPEL_STREAMED)
        cupel_gw_response_end(&ctx->x);
    ngx_http_cupel_end_learning(ctx);
}

/* Finds the record of the main request: in nginx's place for it or, after a redirect cleared
 * that, by its cleanup.  Only a request that was redirected is searched for, because the list of
 * cleanups may be long. */
ngx_http_cupel_ctx_t *ngx_http_cupel_get_ctx(ngx_http_request_t *r)
{
    r = r->main;
    ngx_http_cupel_ctx_t *ctx = ngx_http_cupel_context(r);
    if (ctx != NULL || (!r->internal && !r->filter_finalize))
        return ctx;
    for (ngx_pool_cleanup_t *cleanup = r->pool->cleanup; cleanup != NULL; cleanup = cleanup->next) {
        if (cleanup->handler == clean_up) {
            ngx_http_cupel_set_context(r, cleanup->data);
            return cleanup->data;
        }
    }
    return NULL;
}

static void *alloc(void *pool, size_t size)
{
    return ngx_palloc(pool, size);
}

/* Makes the record, with the policy of the location that the request is in now. */
ngx_http_cupel_ctx_t *ngx_http_cupel_new_ctx(ngx_http_request_t *r)
{
    r = r->main;
    const ngx_http_cupel_main_conf_t *main = ngx_http_cupel_main(r);
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(r->pool, sizeof(ngx_http_cupel_ctx_t));
    if (cleanup == NULL)
        return NULL;
    ngx_http_cupel_ctx_t *ctx = cleanup->data;
    ngx_memzero(ctx, sizeof(*ctx));
    ctx->r = r;
    ctx->conf = ngx_http_cupel_location(r);
    ngx_http_cupel_init_output(&ctx->output);
    struct cupel_gw_arena arena = {alloc, r->pool};
    cupel_gw_exchange_init(&ctx->x, main->worker, &ctx->conf->policy, &arena);
    ctx->x.catalog = ctx->conf->catalog->tools;
    ctx->x.memory = &main->memory;
    ctx->x.address = (struct cupel_gw_text){(const char *)r->connection->addr_text.data,
                                            r->connection->addr_text.len};
    ctx->x.withheld = ngx_http_cupel_why_withheld;
    ctx->x.withheld_ctx = ctx;
    ctx->counter = (struct cupel_gw_counter){ngx_http_cupel_count_response, ctx};
    ctx->x.counter = &ctx->counter;
    cleanup->handler = clean_up;
    ngx_http_cupel_set_context(r, ctx);
    return ctx;
}
