/* learn_cache.c: the catalogs that one process keeps, ordered by their last use, and what the names
 * that were looked up last led to.
 *
 * A catalog is loaded from the store once, because the verifier has to read each of its programs.
 * Catalogs that requests use have users and stay; the others go, oldest first, once all together
 * are over learner->memory. */
#include "gateways/common/learn/learn_internal.h"

#include <stdlib.h>
#include <string.h>

/* -- Catalogs, by use ------------------------------------------------------------------------ */

static void unlink_cached(struct cupel_gw_learner *learner, struct cached *cached)
{
    *(cached->newer != NULL ? &cached->newer->older : &learner->newest) = cached->older;
    *(cached->older != NULL ? &cached->older->newer : &learner->oldest) = cached->newer;
    cached->newer = cached->older = NULL;
}

static void link_newest(struct cupel_gw_learner *learner, struct cached *cached)
{
    cached->older = learner->newest;
    *(learner->newest != NULL ? &learner->newest->newer : &learner->oldest) = cached;
    learner->newest = cached;
}

static void forget_names(struct cupel_gw_learner *learner, const struct cached *cached)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (learner->known[i].cached == cached)
            learner->known[i].cached = NULL;
}

void learner_free_cached(struct cupel_gw_learner *learner, struct cached *cached)
{
    unlink_cached(learner, cached);
    forget_names(learner, cached);
    learner->bytes -= cached->bytes;
    cupel_catalog_free(cached->catalog);
    free(cached->withheld);
    free(cached);
}

/* Frees the oldest catalogs without users until the rest is within the bound. */
static void keep_within(struct cupel_gw_learner *learner)
{
    struct cached *cached = learner->oldest;
    while (cached != NULL && learner->bytes > learner->memory) {
        struct cached *newer = cached->newer;
        if (cached->users == 0)
            learner_free_cached(learner, cached);
        cached = newer;
    }
}

/* Estimates what a catalog takes: its texts, and its programs with reports and matchers.  The
 * factors fit 1,382 tools of real servers, which take 7.9 KB each. */
static size_t bytes_of(const struct cupel_catalog *catalog)
{
    enum { TOOL = 2048 };
    size_t bytes = sizeof(struct cached);
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, i);
        bytes += TOOL + 2 * tool->text_len + 3 * tool->image_bytes;
    }
    return bytes;
}

struct cached *learner_find(struct cupel_gw_learner *learner, cupel_gw_blob blob,
                            const struct cupel_gw_learn_config *learning)
{
    struct cached *cached = learner->newest;
    while (cached != NULL && (cached->blob != blob || cached->learning != learning))
        cached = cached->older;
    return cached;
}

/* Takes over a catalog and its flags, with one user.  Returns NULL without memory, and then the
 * caller still owns both. */
struct cached *learner_add(struct cupel_gw_learner *learner, struct cupel_catalog *catalog,
                           uint8_t *withheld, cupel_gw_blob blob,
                           const struct cupel_gw_learn_config *learning)
{
    struct cached *cached = calloc(1, sizeof(*cached));
    if (cached == NULL)
        return NULL;
    *cached = (struct cached){.view = {.catalog = catalog, .withheld = withheld},
                              .catalog = catalog,
                              .withheld = withheld,
                              .tools = cupel_catalog_count(catalog),
                              .users = 1,
                              .blob = blob,
                              .learning = learning,
                              .bytes = bytes_of(catalog)};
    link_newest(learner, cached);
    learner->bytes += cached->bytes;
    keep_within(learner);
    return cached;
}

/* Removes a user.  A catalog that is no blob's copy goes with its last user, because nobody finds
 * it again. */
void learner_release(struct cupel_gw_learner *learner, struct cached *cached)
{
    if (cached == NULL || --cached->users != 0)
        return;
    if (cached->blob == 0)
        learner_free_cached(learner, cached);
    else if (learner->bytes > learner->memory)
        keep_within(learner);
}

/* -- Names ----------------------------------------------------------------------------------- */

struct known *learner_known_of(struct cupel_gw_learner *learner, const struct cupel_gw_name *name)
{
    uint64_t word;
    memcpy(&word, name->bytes, sizeof(word));
    return &learner->known[word % KNOWN];
}

/* Returns the catalog that a name led to, if the store says that its entry is still the same;
 * NULL otherwise.  Costs no lock. */
struct cached *learner_find_known(struct cupel_gw_learner *learner,
                                  const struct cupel_gw_learn_config *learning,
                                  const struct cupel_gw_name *name, uint32_t *ret_flags)
{
    struct known *known = learner_known_of(learner, name);
    if (known->cached == NULL || memcmp(&known->name, name, sizeof(*name)) != 0 ||
        known->cached->learning != learning ||
        !cupel_gw_store_current(learner->store, known->index, known->version, learner_now(learner),
                                ret_flags))
        return NULL;
    return known->cached;
}

struct cached *learner_use(struct cupel_gw_learner *learner, struct cached *cached)
{
    cached->users++;
    if (learner->newest != cached) {
        unlink_cached(learner, cached);
        link_newest(learner, cached);
    }
    return cached;
}

struct cached *learner_current(struct cupel_gw_learner *learner,
                               const struct cupel_gw_learn_config *learning,
                               const struct cupel_gw_identity *id)
{
    uint32_t flags;
    struct cached *cached = NULL;
    if (cupel_gw_name_is_set(&id->session))
        cached = learner_find_known(learner, learning, &id->session, &flags);
    if (cached == NULL)
        cached = learner_find_known(learner, learning, &id->key, &flags);
    return cached != NULL ? learner_use(learner, cached) : NULL;
}
