/* ngx_http_cupel_status.c: the page that prints the counters, in the text format of Prometheus
 * (0.0.4).
 *
 * The number of series is read once, so the page is consistent in length although workers go on
 * counting.  Each line fits into LINE_BYTES, from which the size of the page follows. */
#include "gateways/nginx/ngx_http_cupel_series.h"

/* Appends a label.  Backslash and quote are escaped; the other characters that would need it were
 * replaced when the label was made. */
static u_char *add_label(u_char *to, const char *name, const char *text, size_t size)
{
    to = ngx_sprintf(to, "%s=\"", name);
    for (size_t i = 0; i < size && text[i] != '\0'; i++) {
        if (text[i] == '\\' || text[i] == '"')
            *to++ = '\\';
        *to++ = (u_char)text[i];
    }
    *to++ = '"';
    return to;
}

enum { LINE_BYTES = 128 + 2 * (MOST_CATALOG + MOST_TOOL + MOST_VERDICT + MOST_REASON) };

/* Appends the beginning of a line, up to its value. */
static u_char *add_line(u_char *to, const char *metric, const ngx_http_cupel_series_t *series)
{
    const ngx_http_cupel_labels_t *labels = &series->labels;
    to = ngx_sprintf(to, "%s{", metric);
    to = add_label(to, "catalog", labels->catalog, MOST_CATALOG);
    to = add_label(to, ",tool", labels->tool, MOST_TOOL);
    to = add_label(to, ",verdict", labels->verdict, MOST_VERDICT);
    to = add_label(to, ",reason", labels->reason, MOST_REASON);
    return ngx_sprintf(to, "} ");
}

static const struct {
    const char *name, *help;
    enum { CALLS, STEPS, SECONDS } what;
} metrics[] = {
    {"cupel_messages_total", "Messages judged.", CALLS},
    {"cupel_steps_total", "Steps of the virtual machine.", STEPS},
    {"cupel_seconds_total", "Time spent on judging.", SECONDS},
};

static u_char *add_value(u_char *to, const ngx_http_cupel_series_t *series, int what)
{
    if (what == SECONDS)
        return ngx_sprintf(to, "%uA.%09uA\n", series->nanoseconds / 1000000000,
                           series->nanoseconds % 1000000000);
    return ngx_sprintf(to, "%uA\n", what == CALLS ? series->calls : series->steps);
}

/* Prints the metrics that have labels. */
static u_char *print_series(u_char *to, const ngx_http_cupel_zone_t *all, ngx_uint_t count)
{
    for (size_t m = 0; m < sizeof(metrics) / sizeof(metrics[0]); m++) {
        to = ngx_sprintf(to, "# HELP %s %s\n# TYPE %s counter\n", metrics[m].name, metrics[m].help,
                         metrics[m].name);
        for (ngx_uint_t i = 0; i < count; i++) {
            to = add_line(to, metrics[m].name, &all->series[i]);
            to = add_value(to, &all->series[i], metrics[m].what);
        }
    }
    return to;
}

/* -- Figures without labels ------------------------------------------------------------------ */

static u_char *add_figure(u_char *to, const char *name, const char *help, const char *type,
                          uint64_t value)
{
    return ngx_sprintf(to, "# HELP %s %s\n# TYPE %s %s\n%s %uL\n", name, help, name, type, name,
                       value);
}

static u_char *add_counter(u_char *to, const char *name, const char *help, uint64_t value)
{
    return add_figure(to, name, help, "counter", value);
}

static u_char *add_gauge(u_char *to, const char *name, const char *help, uint64_t value)
{
    return add_figure(to, name, help, "gauge", value);
}

/* Prints the figures of learned lists. */
static u_char *print_store(u_char *to, struct cupel_gw_store *store)
{
    struct cupel_gw_store_counts counts;
    cupel_gw_store_count(store, &counts);
    to = add_counter(to, "cupel_lists_learned_total", "Lists of tools that were learned.",
                     counts.learned);
    to = add_counter(to, "cupel_lists_shared_total", "Learned lists that were known already.",
                     counts.shared);
    to = add_counter(to, "cupel_lists_stale_total", "Lists that their server said have changed.",
                     counts.stale);
    to = add_counter(to, "cupel_lists_evicted_total", "Lists that made room for others.",
                     counts.evicted);
    to = add_counter(to, "cupel_lists_full_total", "Lists for which there was no room.",
                     counts.full);
    to = add_counter(to, "cupel_lists_damaged_total", "Lists whose checksum was wrong.",
                     counts.damaged);
    to =
        add_counter(to, "cupel_fetches_total", "Lists that the gateway requested.", counts.fetched);
    to = add_counter(to, "cupel_fetches_failed_total", "Requests for lists that failed.",
                     counts.fetch_failed);
    to = add_counter(to, "cupel_fetches_limited_total",
                     "Requests for lists that a bound prevented.", counts.fetch_limited);
    to = add_counter(to, "cupel_workers_reclaimed_total",
                     "Workers that ended while they held lists.", counts.reclaimed);
    to = add_gauge(to, "cupel_lists", "Lists that are known.", counts.entries);
    to = add_gauge(to, "cupel_learn_zone_used_bytes", "Bytes of the zone that lists take.",
                   counts.bytes);
    return add_gauge(to, "cupel_learn_zone_size_bytes", "Bytes of the zone that lists could take.",
                     counts.capacity);
}

/* How many remembered requests were replaced before their results came. */
static uint64_t attributions_evicted(const struct cupel_gw_memory *memory)
{
    const struct cupel_gw_table *tables[] = {&memory->requests, &memory->tasks,
                                             &memory->elicitations};
    uint64_t evicted = 0;
    for (size_t i = 0; i < 3; i++)
        if (tables[i]->block != NULL)
            evicted += cupel_gw_table_stats(tables[i]).evicted;
    return evicted;
}

static u_char *print_all(u_char *to, const ngx_http_cupel_main_conf_t *main, ngx_uint_t count)
{
    const ngx_http_cupel_zone_t *all = main->status_zone->data;
    to = print_series(to, all, count);
    to = add_counter(to, "cupel_lost_total", "Messages not counted above for lack of memory.",
                     all->lost);
    to = add_counter(to, "cupel_attributions_evicted_total",
                     "Calls that were forgotten before their results came.",
                     attributions_evicted(&main->memory));
    return main->store != NULL ? print_store(to, main->store) : to;
}

/* -- The page -------------------------------------------------------------------------------- */

static ngx_int_t send_page(ngx_http_request_t *r, ngx_buf_t *buf)
{
    buf->last_buf = r == r->main;
    buf->last_in_chain = 1;
    r->headers_out.status = NGX_HTTP_OK;
    ngx_str_set(&r->headers_out.content_type, "text/plain; version=0.0.4; charset=utf-8");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_length_n = buf->last - buf->pos;
    ngx_int_t rc = ngx_http_send_header(r);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only)
        return rc;
    ngx_chain_t chain = {.buf = buf, .next = NULL};
    return ngx_http_output_filter(r, &chain);
}

/* The handler of a location with cupel_status. */
ngx_int_t ngx_http_cupel_status_handler(ngx_http_request_t *r)
{
    const ngx_http_cupel_main_conf_t *main = ngx_http_cupel_main(r);
    if (!(r->method & (NGX_HTTP_GET | NGX_HTTP_HEAD)))
        return NGX_HTTP_NOT_ALLOWED;
    if (main->status_zone == NULL) /* no catalog, so nothing is counted */
        return NGX_HTTP_NO_CONTENT;
    ngx_int_t rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK)
        return rc;
    ngx_uint_t count = ((const ngx_http_cupel_zone_t *)main->status_zone->data)->count;
    ngx_buf_t *buf = ngx_create_temp_buf(r->pool, 8192 + 3 * count * LINE_BYTES);
    if (buf == NULL)
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    buf->last = print_all(buf->last, main, count);
    return send_page(r, buf);
}
