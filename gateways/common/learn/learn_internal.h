/* learn_internal.h: what learn.c, learn_job.c and learn_fetch.c share. */
#ifndef CUPEL_GATEWAY_LEARN_INTERNAL_H
#define CUPEL_GATEWAY_LEARN_INTERNAL_H

#include "gateways/common/learn/learn.h"

#include <cupel/catalog.h>
#include <cupel/listing.h>

enum { KNOWN = 4096 };

/* A catalog of this process.  `view` comes first, so a pointer to one can be cast to the other. */
struct cached {
    struct cupel_gw_list view;
    struct cupel_catalog *catalog;
    uint8_t *withheld;
    uint32_t tools, users;
    cupel_gw_blob blob; /* whose copy this is; 0: no other request finds it, and it is freed with
                           its last user */
    const struct cupel_gw_learn_config *learning;
    size_t bytes;
    struct cached *newer, *older; /* by use */
};

/* What a name led to when it was looked up last. */
struct known {
    struct cupel_gw_name name;
    uint32_t index;
    uint64_t version;
    struct cached *cached; /* NULL: an empty place */
};

struct cupel_gw_learner {
    struct cupel_gw_store *store;
    struct cupel_gw_learner_host host;
    size_t memory, bytes; /* the bound, and what the cached catalogs take */
    struct cached *newest, *oldest;
    struct known known[KNOWN];
};

/* -- The cache (learn_cache.c) --------------------------------------------------------------- */

/* The entry for a name in the cache of look-ups. */
struct known *learner_known_of(struct cupel_gw_learner *learner, const struct cupel_gw_name *name);
/* The catalog that a name led to, if the store has no newer one; NULL otherwise. */
struct cached *learner_find_known(struct cupel_gw_learner *learner,
                                  const struct cupel_gw_learn_config *learning,
                                  const struct cupel_gw_name *name, uint32_t *ret_flags);
/* Adds a user, and makes the catalog the one that was used last. */
struct cached *learner_use(struct cupel_gw_learner *learner, struct cached *cached);
void learner_free_cached(struct cupel_gw_learner *learner, struct cached *cached);
/* The catalog of a blob, or NULL. */
struct cached *learner_find(struct cupel_gw_learner *learner, cupel_gw_blob blob,
                            const struct cupel_gw_learn_config *learning);
/* Takes over a catalog and its flags; it has one user.  NULL without memory, and then nothing was
 * taken over. */
struct cached *learner_add(struct cupel_gw_learner *learner, struct cupel_catalog *catalog,
                           uint8_t *withheld, cupel_gw_blob blob,
                           const struct cupel_gw_learn_config *learning);
void learner_release(struct cupel_gw_learner *learner, struct cached *cached);
/* The catalog that a session or caller has now, if this process has it; one user more. */
struct cached *learner_current(struct cupel_gw_learner *learner,
                               const struct cupel_gw_learn_config *learning,
                               const struct cupel_gw_identity *id);

static inline uint64_t learner_now(const struct cupel_gw_learner *learner)
{
    return learner->host.milliseconds(learner->host.ctx);
}

/* A job to load what another process learned under a name; takes over one hold of the blob.  If the
 * list cannot be loaded the name is forgotten.  NULL without memory. */
struct cupel_gw_job *learner_load(struct cupel_gw_learner *learner,
                                  const struct cupel_gw_learn_config *learning,
                                  const struct cupel_gw_name *name, cupel_gw_blob blob);

/* A response to tools/list that is read (learn_page.c). */
struct page_text {
    struct cupel_document *doc;
    struct cupel_list_page page;
    struct cupel_gw_cut *items; /* the tools' ranges in the text */
    uint32_t count;
};

/* Reads the text, as catalogs do.  Free it in every case.  CUPEL_OK, or a status of
 * cupel_gw_learn_begin. */
enum cupel_status page_read(const struct cupel_catalog_options *options, struct cupel_gw_text text,
                            struct page_text *ret, struct cupel_error *err);
void page_free(struct page_text *page);

#endif
