/* learn.c: learned catalogs of one process: which one counts for a request, and marking lists as
 * stale.  Loading and learning are jobs (learn_job.c); the catalogs themselves are in
 * learn_cache.c. */
#include "gateways/common/learn/learn_internal.h"

#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, MIB = 1024 * KIB };

/* Fills in the defaults.  The limits of one definition are those under which a hostile one ends
 * within about 5 ms (bench/gateway_learn.c). */
void cupel_gw_learn_config_init(struct cupel_gw_learn_config *learning)
{
    *learning = (struct cupel_gw_learn_config){
        .piece = 1500000,
        .pages = 64,
        .bytes = 4 * (size_t)MIB,
        .entries = {.of_caller = 16, .of_group = 0, .readings_of_caller = 4},
        .fetches = {.at_once = 16,
                    .at_once_of_address = 2,
                    .per_second = 4,
                    .time = 10000,
                    .remember_failure = 5000},
        .fetch_pages = 32,
    };
    cupel_catalog_options_init(&learning->options);
    learning->options.tools = 2000;
    cupel_options_init(&learning->engine);
    learning->options.engine = &learning->engine;
    uint64_t *limits = learning->engine.limits;
    limits[CUPEL_LIMIT_SCHEMA_BYTES] = 80 * KIB;
    limits[CUPEL_LIMIT_SCHEMA_DEPTH] = 64;
    limits[CUPEL_LIMIT_SUBSCHEMAS] = 4096;
    limits[CUPEL_LIMIT_IMAGE_BYTES] = 512 * KIB;
    limits[CUPEL_LIMIT_PATTERN_BYTES] = 1 * KIB;
    limits[CUPEL_LIMIT_MATCHER_BYTES] = 1 * (size_t)MIB;
    limits[CUPEL_LIMIT_PATTERN_STEPS] = 200000;
}

/* -- Life ------------------------------------------------------------------------------------ */

enum cupel_status cupel_gw_learner_new(struct cupel_gw_store *store,
                                       const struct cupel_gw_learner_host *host, size_t memory,
                                       struct cupel_gw_learner **ret)
{
    struct cupel_gw_learner *learner = calloc(1, sizeof(*learner));
    if (learner == NULL)
        return CUPEL_E_NO_MEMORY;
    learner->store = store;
    learner->host = *host;
    learner->memory = memory != 0 ? memory : 64 * (size_t)MIB;
    *ret = learner;
    return CUPEL_OK;
}

void cupel_gw_learner_free(struct cupel_gw_learner *learner)
{
    if (learner == NULL)
        return;
    while (learner->newest != NULL)
        learner_free_cached(learner, learner->newest);
    free(learner);
}

/* -- Taking ---------------------------------------------------------------------------------- */

/* Looks a name up in the cache and in the store.  FOUND adds a user to *ret; LOAD leaves
 * a reference to *ret_blob to the caller; UNKNOWN changes nothing. */
static enum cupel_gw_lookup look_up(struct cupel_gw_learner *learner,
                                    const struct cupel_gw_learn_config *learning,
                                    const struct cupel_gw_name *name, struct cached **ret,
                                    uint32_t *ret_flags, cupel_gw_blob *ret_blob)
{
    struct cupel_gw_entry entry;
    struct cached *cached = learner_find_known(learner, learning, name, ret_flags);
    if (cached != NULL) {
        *ret = learner_use(learner, cached);
        return CUPEL_GW_FOUND;
    }
    if (!cupel_gw_store_look_up(learner->store, name, learner_now(learner), &entry))
        return CUPEL_GW_UNKNOWN;
    *ret_flags = entry.flags;
    cached = learner_find(learner, entry.blob, learning);
    if (cached == NULL) {
        *ret_blob = entry.blob;
        return CUPEL_GW_LOAD;
    }
    cupel_gw_store_release(learner->store, entry.blob);
    *learner_known_of(learner, name) = (struct known){*name, entry.index, entry.version, cached};
    *ret = learner_use(learner, cached);
    return CUPEL_GW_FOUND;
}

/* Looks for the list of the session, and then for that of the caller.  Whether the list is
 * certain depends on where it was found: a caller's list is only borrowed by a session that has
 * not listed itself. */
enum cupel_gw_lookup cupel_gw_learner_acquire(struct cupel_gw_learner *learner,
                                              const struct cupel_gw_learn_config *learning,
                                              const struct cupel_gw_identity *id,
                                              struct cupel_gw_acquired *ret)
{
    struct cached *cached = NULL;
    cupel_gw_blob blob = 0;
    uint32_t flags = 0;
    bool in_session = cupel_gw_name_is_set(&id->session), own = true;
    enum cupel_gw_lookup taking = CUPEL_GW_UNKNOWN;
    memset(ret, 0, sizeof(*ret));
    if (id->sharing == CUPEL_GW_SHARE_NOTHING)
        return taking;
    const struct cupel_gw_name *name = &id->session;
    if (in_session)
        taking = look_up(learner, learning, name, &cached, &flags, &blob);
    if (taking == CUPEL_GW_UNKNOWN) {
        own = !in_session;
        name = &id->key;
        taking = look_up(learner, learning, name, &cached, &flags, &blob);
    }
    if (taking == CUPEL_GW_LOAD) {
        ret->job = learner_load(learner, learning, name, blob);
        return ret->job != NULL ? CUPEL_GW_LOAD : CUPEL_GW_UNKNOWN;
    }
    ret->list = cached != NULL ? &cached->view : NULL;
    ret->stale = flags & CUPEL_GW_ENTRY_STALE;
    ret->certain = own && !(flags & (CUPEL_GW_ENTRY_PARTIAL | CUPEL_GW_ENTRY_STALE));
    return taking;
}

void cupel_gw_learner_release(struct cupel_gw_learner *learner, struct cupel_gw_list *list)
{
    learner_release(learner, (struct cached *)list);
}

uint8_t cupel_gw_list_withheld(const struct cupel_gw_list *list, const struct cupel_tool *tool)
{
    return cupel_gw_withheld_by_name(list->catalog, list->withheld, tool);
}

void cupel_gw_learner_mark_stale(struct cupel_gw_learner *learner,
                                 const struct cupel_gw_identity *id)
{
    if (id->sharing == CUPEL_GW_SHARE_NOTHING)
        return;
    cupel_gw_store_mark_stale(learner->store, &id->key);
    if (cupel_gw_name_is_set(&id->session))
        cupel_gw_store_mark_stale(learner->store, &id->session);
}
