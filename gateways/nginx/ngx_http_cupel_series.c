/* ngx_http_cupel_series.c: counters that all workers share, and the page that prints them in the
 * text format of Prometheus.
 *
 * A series is a set of labels (catalog, tool, verdict, reason) with its counters.  Series lie in a
 * shared zone, are found by their labels once for each worker and then through the worker's own
 * links, and are never removed, so counting takes no lock.  Tools that no catalog knows share one
 * series: strangers cannot fill the zone.  When it is full, what would be new is counted as lost.
 */
#include "ngx_http_cupel.h"

enum {
    MOST_CATALOG = 64,
    MOST_TOOL = 128, /* the specification's bound on names */
    MOST_VERDICT = 16,
    MOST_REASON = 32,
    LINK_SLOTS = 1024 /* a power of two */
};

/* Filled with zeros where a text ends, so that labels can be compared as memory. */
typedef struct {
    char catalog[MOST_CATALOG];
    char tool[MOST_TOOL];
    char verdict[MOST_VERDICT];
    char reason[MOST_REASON];
} labels_t;

typedef struct {
    ngx_atomic_t calls;
    ngx_atomic_t steps;
    ngx_atomic_t nanoseconds;
    labels_t labels;
} series_t;

typedef struct {
    ngx_atomic_t lost;
    ngx_atomic_t count; /* series in use; grows under the pool's lock */
    ngx_uint_t most;
    series_t series[];
} series_zone_t;

/* How a worker finds a series again: what the labels are made of never moves. */
typedef struct {
    const void *catalog;
    const void *tool;
    const char *verdict;
    const char *reason;
    series_t *series; /* NULL: the zone was full */
} link_t;

struct ngx_http_cupel_links_s {
    ngx_uint_t count;
    link_t slots[LINK_SLOTS];
};

/* -- The zone -----------------------------------------------------------------------------------
 */

ngx_int_t ngx_http_cupel_init_zone(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)zone->shm.addr;
    if (data != NULL || zone->shm.exists) { /* kept over a reload: counters go on */
        zone->data = data != NULL ? data : pool->data;
        return NGX_OK;
    }
    ngx_uint_t most = 0;
    series_zone_t *made = NULL;
    /* As much as the pool gives: its own pages take some. */
    for (size_t size = zone->shm.size; made == NULL && size > sizeof(*made); size -= size / 16) {
        most = (size - sizeof(*made)) / sizeof(series_t);
        pool->log_nomem = 0;
        made = ngx_slab_calloc(pool, sizeof(*made) + most * sizeof(series_t));
    }
    if (made == NULL || most == 0)
        return NGX_ERROR;
    made->most = most;
    pool->data = made;
    zone->data = made;
    return NGX_OK;
}

static void put(char *label, size_t size, const void *text, size_t len)
{
    ngx_memcpy(label, text, ngx_min(len, size));
}

static void make_labels(labels_t *ret, const ngx_http_cupel_catalog_t *catalog,
                        const ngx_http_cupel_event_t *event)
{
    ngx_memzero(ret, sizeof(*ret));
    put(ret->catalog, MOST_CATALOG, catalog->name.data, catalog->name.len);
    if (event->definition != NULL)
        put(ret->tool, MOST_TOOL, event->definition->name, event->definition->name_len);
    put(ret->verdict, MOST_VERDICT, event->verdict, ngx_strlen(event->verdict));
    put(ret->reason, MOST_REASON, event->reason, ngx_strlen(event->reason));
}

/* Finds the series with these labels or makes it; NULL if the zone is full. */
static series_t *find_series(ngx_shm_zone_t *zone, const labels_t *labels)
{
    series_zone_t *all = zone->data;
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)zone->shm.addr;
    series_t *found = NULL;
    ngx_shmtx_lock(&pool->mutex);
    ngx_uint_t count = all->count;
    for (ngx_uint_t i = 0; i < count && found == NULL; i++)
        if (ngx_memcmp(&all->series[i].labels, labels, sizeof(*labels)) == 0)
            found = &all->series[i];
    if (found == NULL && count < all->most) {
        found = &all->series[count];
        found->labels = *labels;
        ngx_memory_barrier();
        all->count = count + 1;
    }
    ngx_shmtx_unlock(&pool->mutex);
    return found;
}

/* -- Counting -----------------------------------------------------------------------------------
 */

struct ngx_http_cupel_links_s *ngx_http_cupel_new_links(ngx_pool_t *pool)
{
    return ngx_pcalloc(pool, sizeof(struct ngx_http_cupel_links_s));
}

static ngx_uint_t link_hash(const link_t *key)
{
    uintptr_t sum = (uintptr_t)key->catalog * 3 + (uintptr_t)key->tool * 5 +
                    (uintptr_t)key->verdict * 7 + (uintptr_t)key->reason * 11;
    return (ngx_uint_t)((sum * 0x9E3779B97F4A7C15U) >> 32) & (LINK_SLOTS - 1);
}

static ngx_uint_t same_link(const link_t *a, const link_t *b)
{
    return a->catalog == b->catalog && a->tool == b->tool && a->verdict == b->verdict &&
           a->reason == b->reason;
}

/* The worker's link with this key; a fresh one has no verdict yet.  Starts over when half full. */
static link_t *find_link(struct ngx_http_cupel_links_s *links, const link_t *key)
{
    if (links->count > LINK_SLOTS / 2)
        ngx_memzero(links, sizeof(*links));
    ngx_uint_t i = link_hash(key);
    while (links->slots[i].verdict != NULL && !same_link(&links->slots[i], key))
        i = (i + 1) & (LINK_SLOTS - 1);
    return &links->slots[i];
}

void ngx_http_cupel_count(ngx_http_request_t *r, const ngx_http_cupel_event_t *event)
{
    ngx_http_cupel_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_cupel_get_ctx(r)->conf;
    link_t key = {conf->catalog, event->definition, event->verdict, event->reason, NULL};
    link_t *link = find_link(main->links, &key);
    if (link->verdict == NULL) {
        labels_t labels;
        make_labels(&labels, conf->catalog, event);
        key.series = find_series(main->zone, &labels);
        *link = key;
        main->links->count++;
    }
    if (link->series == NULL) {
        ngx_atomic_fetch_add(&((series_zone_t *)main->zone->data)->lost, 1);
        return;
    }
    ngx_atomic_fetch_add(&link->series->calls, 1);
    ngx_atomic_fetch_add(&link->series->steps, (ngx_atomic_int_t)event->steps);
    ngx_atomic_fetch_add(&link->series->nanoseconds, (ngx_atomic_int_t)event->nanoseconds);
}

/* -- The page -----------------------------------------------------------------------------------
 */

/* Appends a label's value: backslash, quote and line feed escaped as the format asks, other
 * controls as question marks. */
static u_char *add_label(u_char *to, const char *name, const char *text, size_t size)
{
    to = ngx_sprintf(to, "%s=\"", name);
    for (size_t i = 0; i < size && text[i] != '\0'; i++) {
        u_char c = (u_char)text[i];
        if (c == '\\' || c == '"')
            *to++ = '\\';
        *to++ = c < 0x20 || c == 0x7F ? '?' : c;
    }
    *to++ = '"';
    return to;
}

enum { LINE_BYTES = 128 + 2 * (MOST_CATALOG + MOST_TOOL + MOST_VERDICT + MOST_REASON) };

static u_char *add_line(u_char *to, const char *metric, const series_t *series)
{
    const labels_t *labels = &series->labels;
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

static u_char *add_value(u_char *to, const series_t *series, int what)
{
    if (what == SECONDS)
        return ngx_sprintf(to, "%uA.%09uA\n", series->nanoseconds / 1000000000,
                           series->nanoseconds % 1000000000);
    return ngx_sprintf(to, "%uA\n", what == CALLS ? series->calls : series->steps);
}

static u_char *print_series(u_char *to, const series_zone_t *all, ngx_uint_t count)
{
    for (size_t m = 0; m < sizeof(metrics) / sizeof(metrics[0]); m++) {
        to = ngx_sprintf(to, "# HELP %s %s\n# TYPE %s counter\n", metrics[m].name, metrics[m].help,
                         metrics[m].name);
        for (ngx_uint_t i = 0; i < count; i++) {
            to = add_line(to, metrics[m].name, &all->series[i]);
            to = add_value(to, &all->series[i], metrics[m].what);
        }
    }
    return ngx_sprintf(to,
                       "# HELP cupel_lost_total Messages not counted above for want of room.\n"
                       "# TYPE cupel_lost_total counter\ncupel_lost_total %uA\n",
                       all->lost);
}

ngx_int_t ngx_http_cupel_status_handler(ngx_http_request_t *r)
{
    const ngx_http_cupel_main_conf_t *main =
        ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    if (!(r->method & (NGX_HTTP_GET | NGX_HTTP_HEAD)))
        return NGX_HTTP_NOT_ALLOWED;
    ngx_int_t rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK)
        return rc;
    const series_zone_t *all = main->zone->data;
    ngx_uint_t count = all->count;
    ngx_buf_t *buf = ngx_create_temp_buf(r->pool, 1024 + 3 * count * LINE_BYTES);
    if (buf == NULL)
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    buf->last = print_series(buf->last, all, count);
    buf->last_buf = r == r->main;
    buf->last_in_chain = 1;
    r->headers_out.status = NGX_HTTP_OK;
    ngx_str_set(&r->headers_out.content_type, "text/plain; version=0.0.4");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_length_n = buf->last - buf->pos;
    rc = ngx_http_send_header(r);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only)
        return rc;
    ngx_chain_t chain = {.buf = buf, .next = NULL};
    return ngx_http_output_filter(r, &chain);
}
