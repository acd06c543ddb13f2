/* slot.h: replacing a catalog or a program while other threads use it.
 *
 *     struct cupel_slot *slot;
 *     cupel_slot_new(NULL, threads, &slot);
 *     cupel_slot_publish_catalog(slot, catalog);         // the slot owns the catalog from now on
 *
 *     // each thread, for each call:
 *     const struct cupel_catalog *catalog = cupel_slot_acquire_catalog(slot, me);
 *     … cupel_call_check(catalog, …) …
 *     cupel_slot_release(slot, me);
 *
 * Catalogs and programs are immutable, so replacing one means publishing another one: readers see
 * the old one or the new one, whole.  No reader ever waits: acquiring is a load, a store and a
 * load.  An old object is freed when no reader holds it any more. */
#ifndef CUPEL_SLOT_H
#define CUPEL_SLOT_H

#include <cupel/mcp.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Holds catalogs or programs, whichever is published first. */
struct cupel_slot;

/* Makes a slot for readers numbered from 0 to `readers` - 1, each of which is one thread at a time.
 * `alloc` NULL is the C library's.  CUPEL_OK; CUPEL_E_NO_MEMORY; CUPEL_E_ARGUMENT if `ret` is NULL.
 */
enum cupel_status cupel_slot_new(const struct cupel_alloc *alloc, uint32_t readers,
                                 struct cupel_slot **ret);

/* Frees the slot and every object in it; no reader may hold one.  NULL does nothing. */
void cupel_slot_free(struct cupel_slot *slot);

/* Puts an object in place of the current one.  The slot owns it from then on, and nothing may be
 * added to a published catalog.  Frees older objects that no reader holds.  One thread at a time.
 * Never allocates.  CUPEL_OK; CUPEL_E_ARGUMENT, with the object still the caller's, if an argument
 * is NULL or the slot has objects of the other kind. */
enum cupel_status cupel_slot_publish_catalog(struct cupel_slot *slot,
                                             struct cupel_catalog *catalog);
enum cupel_status cupel_slot_publish_program(struct cupel_slot *slot,
                                             struct cupel_program *program);

/* Frees older objects that no reader holds, without publishing another one.  The thread that
 * publishes. */
void cupel_slot_collect(struct cupel_slot *slot);

/* The current object; it stays as it is until the reader releases it.  NULL if there is none, if it
 * is of the other kind, if there is no such reader, or if the reader has not released an earlier
 * one. Never blocks, never allocates. */
const struct cupel_catalog *cupel_slot_acquire_catalog(struct cupel_slot *slot, uint32_t reader);
const struct cupel_program *cupel_slot_acquire_program(struct cupel_slot *slot, uint32_t reader);

/* Ends the use of the object that this reader acquired; does nothing if it holds none. */
void cupel_slot_release(struct cupel_slot *slot, uint32_t reader);

/* The number of objects in the slot: the current one, and older ones that readers still held when
 * one was last published or collected.  The thread that publishes. */
uint32_t cupel_slot_count(const struct cupel_slot *slot);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
