/* shelf.h: replacing a catalog while other threads use it.
 *
 *     struct cupel_shelf *shelf;
 *     cupel_shelf_new(NULL, threads, &shelf);
 *     cupel_shelf_put(shelf, catalog);                  // from now on the shelf's
 *
 *     const struct cupel_catalog *catalog = cupel_shelf_take(shelf, me);     // each thread, each
 * call … cupel_call_check(catalog, …) … cupel_shelf_give_back(shelf, me);
 *
 * A catalog is immutable once the adding is done, so replacing is putting another one in its place:
 * readers see the old one or the new one, whole.  No reader ever waits: taking is a load, a store
 * and a load.  An old catalog is freed when nobody holds it any more. */
#ifndef CUPEL_SHELF_H
#define CUPEL_SHELF_H

#include <cupel/mcp.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct cupel_shelf;

/* Makes a shelf for readers numbered from 0 to `readers` - 1, of which each is one thread at a
 * time; NULL is the C library's allocator.  CUPEL_OK or CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_shelf_new(const struct cupel_alloc *alloc, uint32_t readers,
                                  struct cupel_shelf **ret);

/* Frees the shelf and every catalog on it; no reader may hold one.  NULL does nothing. */
void cupel_shelf_free(struct cupel_shelf *shelf);

/* Puts a catalog on the shelf in place of the one that is there.  It belongs to the shelf from then
 * on, and nothing may be added to it.  Frees the catalogs put there before that nobody holds; with
 * NULL for the catalog that is all it does.  One thread at a time, whichever. */
void cupel_shelf_put(struct cupel_shelf *shelf, struct cupel_catalog *catalog);

/* The catalog that is on the shelf, NULL if there is none.  It stays as it is until the reader
 * gives it back; a reader holds one at a time.  Never blocks, never allocates. */
const struct cupel_catalog *cupel_shelf_take(struct cupel_shelf *shelf, uint32_t reader);

/* Ends the use of what cupel_shelf_take returned last for this reader. */
void cupel_shelf_give_back(struct cupel_shelf *shelf, uint32_t reader);

/* How many catalogs there are on the shelf: the one in place, and older ones that were still held
 * when the last one was put there.  The thread that puts. */
uint32_t cupel_shelf_count(const struct cupel_shelf *shelf);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
