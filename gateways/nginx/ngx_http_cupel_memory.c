/* ngx_http_cupel_memory.c: the shared tables by which results are attributed to calls of other
 * requests (gateways/common/store/attribution.h).
 *
 * The three tables lie in one block of a shared zone, behind the secret under which the tags of
 * their entries are made.  Half of the block is for requests, a quarter for tasks and a quarter
 * for the schemas of elicitations, which are longer.  A reload keeps the block. */
#include "gateways/nginx/ngx_http_cupel.h"

#include <sys/random.h>

enum {
    TOOL_BYTES = 320,   /* the value of a request or a task: the name of a tool */
    SCHEMA_BYTES = 8192 /* of a question: its requestedSchema */
};

struct memory_block {
    unsigned char secret[CUPEL_GW_SECRET_BYTES];
    size_t size; /* of what follows */
};

int ngx_http_cupel_random(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    return getrandom(bytes, len, 0) == (ssize_t)len ? 0 : -1;
}

/* Takes nearly all of a zone in one block: as much as the slab pool gives, whose own pages take
 * some.  Sets *ret_size.  Returns NULL if there is not as much as `least`. */
void *ngx_http_cupel_take_zone(ngx_shm_zone_t *zone, size_t least, size_t *ret_size)
{
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)zone->shm.addr;
    pool->log_nomem = 0;
    /* As much as the pool gives: its own pages take some. */
    for (size_t size = zone->shm.size - zone->shm.size % ngx_pagesize; size >= least;
         size -= ngx_pagesize) {
        void *block = ngx_slab_calloc(pool, size);
        if (block != NULL) {
            *ret_size = size;
            return block;
        }
    }
    return NULL;
}

ngx_int_t ngx_http_cupel_init_memory(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)zone->shm.addr;
    if (data != NULL || zone->shm.exists) {
        zone->data = data != NULL ? data : pool->data;
        return NGX_OK;
    }
    size_t size;
    struct memory_block *block = ngx_http_cupel_take_zone(zone, 4 * ngx_pagesize, &size);
    if (block == NULL || ngx_http_cupel_random(NULL, block->secret, sizeof(block->secret)) != 0)
        return NGX_ERROR;
    block->size = size - sizeof(*block);
    pool->data = block;
    zone->data = block;
    return NGX_OK;
}

static void lock(void *mutex)
{
    ngx_shmtx_lock(mutex);
}

static void unlock(void *mutex)
{
    ngx_shmtx_unlock(mutex);
}

/* Computes the tag of the parts: an HMAC, under the secret of the block, of a digest in which
 * each part has its length before it. */
static void make_mac(void *ctx, const struct cupel_gw_text *parts, size_t count,
                     unsigned char ret[CUPEL_GW_TAG])
{
    static const struct cupel_gw_name none;
    enum { MOST_PARTS = 8 };
    struct cupel_gw_part digested[MOST_PARTS];
    unsigned char digest[CUPEL_GW_DIGEST_BYTES];
    struct cupel_gw_name tag;
    const struct memory_block *block = ctx;
    for (size_t i = 0; i < count && i < MOST_PARTS; i++)
        digested[i] = (struct cupel_gw_part){parts[i].bytes, parts[i].len};
    cupel_gw_digest(digested, ngx_min(count, MOST_PARTS), digest);
    cupel_gw_derive(block->secret, "attribution", &none, (const char *)digest, sizeof(digest),
                    &tag);
    ngx_memcpy(ret, tag.bytes, CUPEL_GW_TAG);
}

/* Opens a table in a part of the block, and moves *at behind it.  A table that does not fit is
 * left out. */
static void open_table(struct cupel_gw_table *table, unsigned char **at, size_t size,
                       uint32_t value, const struct cupel_gw_lock *locking)
{
    size &= ~(size_t)63;
    if (!cupel_gw_table_open(table, *at, size, value, locking))
        table->block = NULL;
    *at += size;
}

/* Opens the tables for this worker. */
void ngx_http_cupel_open_memory(ngx_http_cupel_main_conf_t *conf)
{
    struct memory_block *block = conf->memory_zone->data;
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)conf->memory_zone->shm.addr;
    struct cupel_gw_lock locking = {lock, unlock, &pool->mutex};
    unsigned char *at = (unsigned char *)(block + 1) + 64 - (uintptr_t)(block + 1) % 64;
    size_t size = block->size - 64;
    conf->memory.mac = make_mac;
    conf->memory.mac_ctx = block;
    open_table(&conf->memory.requests, &at, size / 2, TOOL_BYTES, &locking);
    open_table(&conf->memory.tasks, &at, size / 4, TOOL_BYTES, &locking);
    open_table(&conf->memory.elicitations, &at, size / 4, SCHEMA_BYTES, &locking);
}
