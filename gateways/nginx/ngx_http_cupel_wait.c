/* ngx_http_cupel_wait.c: a request that waits for a catalog, and goes on when it is there.
 *
 * Meanwhile nginx only tests whether the client is still connected. */
#include "gateways/nginx/ngx_http_cupel.h"

void ngx_http_cupel_wait(ngx_http_cupel_ctx_t *ctx)
{
    ctx->state = NGX_HTTP_CUPEL_WAITING;
    ctx->r->read_event_handler = ngx_http_test_reading;
    ctx->r->write_event_handler = ngx_http_request_empty_handler;
}

/* Runs the phases again, which continue with the handler of this module.  Called from events,
 * where no request is being served. */
void ngx_http_cupel_resume(ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_request_t *r = ctx->r;
    ngx_connection_t *c = r->connection;
    if (ctx->state != NGX_HTTP_CUPEL_WAITING)
        return;
    ngx_http_set_log_request(c->log, r);
    ctx->state = NGX_HTTP_CUPEL_READ;
    r->read_event_handler = ngx_http_block_reading;
    r->write_event_handler = ngx_http_core_run_phases;
    ngx_http_core_run_phases(r);
    ngx_http_run_posted_requests(c);
}
