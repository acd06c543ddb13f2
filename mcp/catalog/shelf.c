/* shelf.c: the catalog in use, and older ones until nobody holds them (cupel/shelf.h).
 *
 * Every reader has a cell in which it announces the catalog that it is about to use, and then looks
 * whether that is still the one in place; whoever replaces it puts the new one in place first and
 * then looks into the cells.  As these four steps have one order for all threads, either the reader
 * sees the new catalog, or the announcement is seen (hazard pointers).  That order is what
 * memory_order_seq_cst is for. */
#include "mcp/catalog/catalog.h"

#include <cupel/shelf.h>
#include <stdatomic.h>

enum { CACHE_LINE = 64 };

/* One to a cache line, so that readers do not slow each other down. */
struct cell {
    _Atomic(struct cupel_catalog *) held;
    char padding[CACHE_LINE - sizeof(_Atomic(struct cupel_catalog *))];
};

struct cupel_shelf {
    struct cupel_alloc alloc;
    _Atomic(struct cupel_catalog *) current;
    struct cupel_catalog *old; /* a list through cupel_catalog.older */
    uint32_t readers;
    struct cell cells[];
};

static size_t size_of(uint32_t readers)
{
    return sizeof(struct cupel_shelf) + (size_t)readers * sizeof(struct cell);
}

enum cupel_status cupel_shelf_new(const struct cupel_alloc *alloc, uint32_t readers,
                                  struct cupel_shelf **ret)
{
    struct cupel_alloc chosen =
        cupel__mcp_alloc(alloc != NULL ? alloc : &(struct cupel_alloc){NULL, NULL});
    struct cupel_shelf *shelf = chosen.realloc(chosen.ctx, NULL, 0, size_of(readers));
    if (shelf == NULL)
        return CUPEL_E_NO_MEMORY;
    shelf->alloc = chosen;
    shelf->old = NULL;
    shelf->readers = readers;
    atomic_init(&shelf->current, NULL);
    for (uint32_t i = 0; i < readers; i++)
        atomic_init(&shelf->cells[i].held, NULL);
    *ret = shelf;
    return CUPEL_OK;
}

static bool is_held(struct cupel_shelf *shelf, const struct cupel_catalog *catalog)
{
    for (uint32_t i = 0; i < shelf->readers; i++)
        if (atomic_load(&shelf->cells[i].held) == catalog)
            return true;
    return false;
}

static void free_old(struct cupel_shelf *shelf)
{
    struct cupel_catalog **link = &shelf->old;
    while (*link != NULL) {
        struct cupel_catalog *catalog = *link;
        if (is_held(shelf, catalog)) {
            link = &catalog->older;
            continue;
        }
        *link = catalog->older;
        cupel_catalog_free(catalog);
    }
}

void cupel_shelf_put(struct cupel_shelf *shelf, struct cupel_catalog *catalog)
{
    if (catalog != NULL) {
        struct cupel_catalog *replaced = atomic_exchange(&shelf->current, catalog);
        if (replaced != NULL) {
            replaced->older = shelf->old;
            shelf->old = replaced;
        }
    }
    free_old(shelf);
}

void cupel_shelf_free(struct cupel_shelf *shelf)
{
    if (shelf == NULL)
        return;
    struct cupel_alloc alloc = shelf->alloc;
    free_old(shelf);
    cupel_catalog_free(atomic_load(&shelf->current));
    alloc.realloc(alloc.ctx, shelf, size_of(shelf->readers), 0);
}

const struct cupel_catalog *cupel_shelf_take(struct cupel_shelf *shelf, uint32_t reader)
{
    struct cell *cell = &shelf->cells[reader];
    struct cupel_catalog *catalog = atomic_load(&shelf->current);
    /* Goes round again only if a catalog was put in place meanwhile. */
    for (;;) {
        atomic_store(&cell->held, catalog);
        struct cupel_catalog *now = atomic_load(&shelf->current);
        if (now == catalog)
            return catalog;
        catalog = now;
    }
}

void cupel_shelf_give_back(struct cupel_shelf *shelf, uint32_t reader)
{
    atomic_store_explicit(&shelf->cells[reader].held, NULL, memory_order_release);
}

uint32_t cupel_shelf_count(const struct cupel_shelf *shelf)
{
    uint32_t count = atomic_load(&shelf->current) != NULL;
    for (const struct cupel_catalog *old = shelf->old; old != NULL; old = old->older)
        count++;
    return count;
}
