/* slot.c: the current object, and older ones until no reader holds them (cupel/catalog.h).
 *
 * Every reader has a cell in which it announces the object that it is about to use.  Then it checks
 * that this object is still the current one.  The publisher first replaces the current object and
 * then reads the cells.  Sequential consistency gives these four steps one order for all threads:
 * either the reader sees the new object, or the publisher sees the announcement (hazard pointers).
 *
 * Invariant: each older object is held by a reader when a function of the publisher returns, and a
 * reader holds at most one, so there are at most as many older objects as readers.  One more place
 * is needed while an object is published. */
#include "mcp/containers/pool.h"

#include <cupel/catalog.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { CACHE_LINE = 64 };

/* One to a cache line, so that readers do not slow each other down. */
struct cell {
    _Atomic(void *) held;
    char padding[CACHE_LINE - sizeof(_Atomic(void *))];
};

enum kind { NOTHING, CATALOGS, PROGRAMS };

struct cupel_slot {
    struct cupel_alloc alloc;
    _Atomic(void *) current;
    enum kind
        kind; /* written before the first object is published, so readers that see one see it */
    uint32_t readers;
    void **older; /* behind the cells: readers + 1 places */
    uint32_t count;
    struct cell cells[];
};

static size_t size_of(uint32_t readers)
{
    return sizeof(struct cupel_slot) + (size_t)readers * sizeof(struct cell) +
           ((size_t)readers + 1) * sizeof(void *);
}

enum cupel_status cupel_slot_new(uint32_t readers, const struct cupel_alloc *alloc,
                                 struct cupel_slot **ret)
{
    struct cupel_alloc chosen =
        cupel__mcp_alloc(alloc != NULL ? alloc : &(struct cupel_alloc){NULL, NULL});
    if (ret == NULL)
        return CUPEL_E_ARGUMENT;
    struct cupel_slot *slot = chosen.realloc(chosen.ctx, NULL, 0, size_of(readers));
    if (slot == NULL)
        return CUPEL_E_NO_MEMORY;
    slot->alloc = chosen;
    slot->kind = NOTHING;
    slot->readers = readers;
    slot->older = (void **)&slot->cells[readers];
    slot->count = 0;
    atomic_init(&slot->current, NULL);
    for (uint32_t i = 0; i < readers; i++)
        atomic_init(&slot->cells[i].held, NULL);
    *ret = slot;
    return CUPEL_OK;
}

static void free_object(const struct cupel_slot *slot, void *object)
{
    if (slot->kind == CATALOGS)
        cupel_catalog_free(object);
    else
        cupel_program_free(object);
}

static bool is_held(struct cupel_slot *slot, const void *object)
{
    for (uint32_t i = 0; i < slot->readers; i++)
        if (atomic_load(&slot->cells[i].held) == object)
            return true;
    return false;
}

uint32_t cupel_slot_collect(struct cupel_slot *slot)
{
    uint32_t kept = 0;
    if (slot == NULL)
        return 0;
    for (uint32_t i = 0; i < slot->count; i++) {
        if (is_held(slot, slot->older[i]))
            slot->older[kept++] = slot->older[i];
        else
            free_object(slot, slot->older[i]);
    }
    slot->count = kept;
    return kept + (atomic_load(&slot->current) != NULL);
}

static enum cupel_status publish(struct cupel_slot *slot, enum kind kind, void *object)
{
    if (slot == NULL || object == NULL || (slot->kind != NOTHING && slot->kind != kind))
        return CUPEL_E_ARGUMENT;
    if (slot->kind == NOTHING)
        slot->kind = kind;
    void *replaced = atomic_exchange(&slot->current, object);
    if (replaced != NULL)
        slot->older[slot->count++] = replaced;
    cupel_slot_collect(slot);
    return CUPEL_OK;
}

enum cupel_status cupel_slot_publish_catalog(struct cupel_slot *slot, struct cupel_catalog *catalog)
{
    return publish(slot, CATALOGS, catalog);
}

enum cupel_status cupel_slot_publish_program(struct cupel_slot *slot, struct cupel_program *program)
{
    return publish(slot, PROGRAMS, program);
}

void cupel_slot_free(struct cupel_slot *slot)
{
    if (slot == NULL)
        return;
    struct cupel_alloc alloc = slot->alloc;
    for (uint32_t i = 0; i < slot->count; i++)
        free_object(slot, slot->older[i]);
    free_object(slot, atomic_load(&slot->current));
    alloc.realloc(alloc.ctx, slot, size_of(slot->readers), 0);
}

static void *acquire(struct cupel_slot *slot, enum kind kind, uint32_t reader)
{
    if (slot == NULL || reader >= slot->readers)
        return NULL;
    struct cell *cell = &slot->cells[reader];
    void *object = atomic_load(&slot->current);
    if (object == NULL || slot->kind != kind ||
        atomic_load_explicit(&cell->held, memory_order_relaxed) != NULL)
        return NULL;
    /* Repeats only if another object was published meanwhile. */
    for (;;) {
        atomic_store(&cell->held, object);
        void *now = atomic_load(&slot->current);
        if (now == object)
            return object;
        object = now;
    }
}

const struct cupel_catalog *cupel_slot_acquire_catalog(struct cupel_slot *slot, uint32_t reader)
{
    return acquire(slot, CATALOGS, reader);
}

const struct cupel_program *cupel_slot_acquire_program(struct cupel_slot *slot, uint32_t reader)
{
    return acquire(slot, PROGRAMS, reader);
}

void cupel_slot_release(struct cupel_slot *slot, uint32_t reader)
{
    if (slot != NULL && reader < slot->readers)
        atomic_store_explicit(&slot->cells[reader].held, NULL, memory_order_release);
}
