/* ngx_http_cupel_series.c: counters that all workers share.
 *
 * A series is a set of labels (catalog, tool, verdict, reason) with its counters.  Series lie in a
 * shared zone, are found by their labels once for each worker and then in the worker's own cache,
 * and are never removed, so counting takes no lock.
 *
 * Strangers cannot fill the zone: tools that no catalog knows share the series without a tool, and
 * each catalog has a share of its own, part of it kept for series without a tool.  Tools beyond the
 * share are counted there too.  What finds no room even so is counted as lost. */
#include "gateways/nginx/ngx_http_cupel_series.h"

enum {
    CACHE_SLOTS = 1024, /* a power of two */
    WITHOUT_TOOL = 64,  /* series of a catalog that have no tool */
    FEWEST_TOOLS = 8
};

typedef ngx_http_cupel_series_t series_t;
typedef ngx_http_cupel_labels_t labels_t;

/* A cache of a worker, from labels to their series.  Catalogs, verdicts and reasons never move, so
 * their addresses are compared; tools move, so their names are compared. */
typedef struct {
    const void *catalog;
    const char *verdict;
    const char *reason;
    size_t tool_len;
    char tool[MOST_TOOL];
    series_t *series; /* NULL: the zone was full */
} cached_series_t;

struct ngx_http_cupel_series_cache_s {
    ngx_uint_t count;
    cached_series_t slots[CACHE_SLOTS];
};

/* -- The zone -------------------------------------------------------------------------------- */

ngx_int_t ngx_http_cupel_init_zone(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)zone->shm.addr;
    if (data != NULL || zone->shm.exists) { /* kept over a reload: counters go on */
        zone->data = data != NULL ? data : pool->data;
        return NGX_OK;
    }
    size_t size;
    ngx_http_cupel_zone_t *made =
        ngx_http_cupel_take_zone(zone, sizeof(*made) + sizeof(series_t), &size);
    if (made == NULL)
        return NGX_ERROR;
    made->most = (size - sizeof(*made)) / sizeof(series_t);
    pool->data = made;
    zone->data = made;
    return NGX_OK;
}

size_t ngx_http_cupel_least_zone(ngx_uint_t catalogs)
{
    return 8 * ngx_pagesize + catalogs * (WITHOUT_TOOL + FEWEST_TOOLS) * sizeof(series_t);
}

/* -- Labels ---------------------------------------------------------------------------------- */

/* The bytes of the character at `text`; 0 if it is none of UTF-8, or a control character. */
static size_t character(const u_char *text, size_t len)
{
    u_char *at = (u_char *)text;
    uint32_t c = ngx_http_cupel_decode(&at, len);
    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c > 0x10FFFF)
        return 0;
    return (size_t)(at - text);
}

/* Copies whole characters as far as there is space.  Invalid bytes become question marks, so that
 * the page is valid UTF-8. */
static void copy_label(char *label, size_t room, const void *text, size_t len)
{
    const u_char *at = text, *end = at + len;
    while (at < end) {
        size_t size = character(at, (size_t)(end - at));
        if (ngx_max(size, 1) > room)
            return;
        if (size != 0)
            ngx_memcpy(label, at, size);
        else
            *label = '?';
        size = ngx_max(size, 1);
        label += size;
        room -= size;
        at += size;
    }
}

static void make_labels(labels_t *ret, const ngx_http_cupel_event_t *event)
{
    ngx_memzero(ret, sizeof(*ret));
    copy_label(ret->catalog, MOST_CATALOG, event->catalog->name.data, event->catalog->name.len);
    if (event->tool.bytes != NULL)
        copy_label(ret->tool, MOST_TOOL, event->tool.bytes, event->tool.len);
    copy_label(ret->verdict, MOST_VERDICT, event->verdict, ngx_strlen(event->verdict));
    copy_label(ret->reason, MOST_REASON, event->reason, ngx_strlen(event->reason));
}

/* -- Finding a series ------------------------------------------------------------------------ */

/* Returns the series with these labels; if there is none, NULL, and in *ret_kind the number of the
 * catalog's series of the same kind: with a tool, or without. */
static series_t *look_up(ngx_http_cupel_zone_t *all, const labels_t *labels, ngx_uint_t *ret_kind)
{
    *ret_kind = 0;
    for (ngx_uint_t i = 0; i < all->count; i++) {
        series_t *series = &all->series[i];
        if (ngx_memcmp(&series->labels, labels, sizeof(*labels)) == 0)
            return series;
        if (ngx_memcmp(series->labels.catalog, labels->catalog, MOST_CATALOG) == 0)
            *ret_kind += (series->labels.tool[0] != '\0') == (labels->tool[0] != '\0');
    }
    return NULL;
}

/* How many series a catalog may have, with a tool or without.  Each catalog has the same share of
 * the zone. */
static ngx_uint_t share(const ngx_http_cupel_zone_t *all, ngx_uint_t catalogs, ngx_uint_t with_tool)
{
    ngx_uint_t each = all->most / catalogs;
    if (!with_tool)
        return WITHOUT_TOOL;
    return each > WITHOUT_TOOL ? each - WITHOUT_TOOL : 0;
}

/* Finds the series with these labels or makes it; NULL if there is no room for it. */
static series_t *find_series(const ngx_http_cupel_main_conf_t *main, const labels_t *labels)
{
    ngx_http_cupel_zone_t *all = main->status_zone->data;
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)main->status_zone->shm.addr;
    ngx_uint_t kind;
    ngx_shmtx_lock(&pool->mutex);
    series_t *found = look_up(all, labels, &kind);
    if (found == NULL && all->count < all->most &&
        kind < share(all, main->catalogs.nelts, labels->tool[0] != '\0')) {
        found = &all->series[all->count];
        found->labels = *labels;
        ngx_memory_barrier();
        all->count++;
    }
    ngx_shmtx_unlock(&pool->mutex);
    return found;
}

/* -- Counting -------------------------------------------------------------------------------- */

struct ngx_http_cupel_series_cache_s *ngx_http_cupel_new_series_cache(ngx_pool_t *pool)
{
    return ngx_pcalloc(pool, sizeof(struct ngx_http_cupel_series_cache_s));
}

static void make_cached(cached_series_t *ret, const ngx_http_cupel_event_t *event)
{
    ret->catalog = event->catalog;
    ret->verdict = event->verdict;
    ret->reason = event->reason;
    ret->tool_len = event->tool.bytes != NULL ? ngx_min(event->tool.len, MOST_TOOL) : 0;
    ngx_memcpy(ret->tool, event->tool.bytes != NULL ? event->tool.bytes : "", ret->tool_len);
}

static ngx_uint_t cached_hash(const cached_series_t *key)
{
    uintptr_t sum = (uintptr_t)key->catalog * 3 + (uintptr_t)key->verdict * 7 +
                    (uintptr_t)key->reason * 11 +
                    ngx_murmur_hash2((u_char *)key->tool, key->tool_len);
    return (ngx_uint_t)((sum * 0x9E3779B97F4A7C15U) >> 32) & (CACHE_SLOTS - 1);
}

/* Whether two keys are equal.  Verdict and reason are compared by address: they are static texts.
 */
static ngx_uint_t same_cached(const cached_series_t *a, const cached_series_t *b)
{
    return a->catalog == b->catalog && a->verdict == b->verdict && a->reason == b->reason &&
           a->tool_len == b->tool_len && ngx_memcmp(a->tool, b->tool, a->tool_len) == 0;
}

/* Returns the place in the worker's cache for this key; `verdict` is NULL in a new one.  The
 * cache starts over when it is half full. */
static cached_series_t *find_cached(struct ngx_http_cupel_series_cache_s *series_cache,
                                    const cached_series_t *key)
{
    if (series_cache->count > CACHE_SLOTS / 2)
        ngx_memzero(series_cache, sizeof(*series_cache));
    ngx_uint_t i = cached_hash(key);
    while (series_cache->slots[i].verdict != NULL && !same_cached(&series_cache->slots[i], key))
        i = (i + 1) & (CACHE_SLOTS - 1);
    return &series_cache->slots[i];
}

/* Returns the series of an event, from the cache or the zone.  If the zone has no space for a
 * series of the tool, the message is counted without the tool.  NULL if there is no space for
 * that either. */
static series_t *series_of(ngx_http_cupel_main_conf_t *main, const ngx_http_cupel_event_t *event)
{
    cached_series_t key;
    make_cached(&key, event);
    cached_series_t *link = find_cached(main->series_cache, &key);
    if (link->verdict == NULL) {
        labels_t labels;
        make_labels(&labels, event);
        key.series = find_series(main, &labels);
        if (key.series == NULL && labels.tool[0] != '\0') {
            ngx_memzero(labels.tool, MOST_TOOL);
            key.series = find_series(main, &labels);
        }
        *link = key;
        main->series_cache->count++;
    }
    return link->series;
}

/* Counts a judged message.  Counters are atomic and never move, so no lock is needed. */
void ngx_http_cupel_count(ngx_http_cupel_main_conf_t *main, const ngx_http_cupel_event_t *event)
{
    series_t *series = series_of(main, event);
    if (series == NULL) {
        ngx_atomic_fetch_add(&((ngx_http_cupel_zone_t *)main->status_zone->data)->lost, 1);
        return;
    }
    ngx_atomic_fetch_add(&series->calls, 1);
    ngx_atomic_fetch_add(&series->steps, (ngx_atomic_int_t)event->steps);
    ngx_atomic_fetch_add(&series->nanoseconds, (ngx_atomic_int_t)event->nanoseconds);
}
