/* learn.h: catalogs that are learned from tools/list responses.
 *
 *     at start-up     cupel_gw_store_format(block, …)                         store.h
 *     each worker     cupel_gw_store_open, cupel_gw_learner_new
 *
 *     a request       cupel_gw_identify(secret, fields, &id)                   key.h
 *                     cupel_gw_learner_acquire(learner, config, &id, &acquired)
 *                         FOUND:   x->catalog = acquired.list->catalog … cupel_gw_learner_release
 *                         LOAD:    run acquired.job, then acquire again
 *                         UNKNOWN: act by policy->unlearned
 *     a 2xx answer    cupel_gw_learn_begin(learner, config, &id, cursor, text, &job)
 *     to tools/list   run the job; cupel_gw_job_end
 *     a notification  cupel_gw_learner_mark_stale(learner, &id)
 *     list_changed
 *
 * Running a job: the host calls cupel_gw_job_step until it returns something other than
 * CUPEL_GW_JOB_MORE.  Each call takes about config->piece of time at most, and between two calls
 * the host serves other requests.  A definition is compiled in one call, which config->options
 * bound: with the limits of cupel_gw_learn_config_init compiling a hostile definition ends within
 * about 5 ms.
 *
 * Only answers to tools/list with a status 2xx may be handed over, from JSON or from the data of an
 * event.
 *
 * Which list counts:
 * - While no complete list is known for the caller, each page counts as it comes.  Afterwards a new
 *   list replaces the old one when its last page is there.
 * - A page with a cursor continues the reading of the same caller, session and reader that the page
 *   with this cursor belongs to.  Without such a reading it is not used.
 * - A list that was received in a session counts for that session first.  A session that has
 *   received none uses its caller's newest list.
 *
 * Threads: a learner and its jobs belong to one thread. */
#ifndef CUPEL_GATEWAY_LEARN_H
#define CUPEL_GATEWAY_LEARN_H

#include "gateways/common/exchange/exchange.h"
#include "gateways/common/learn/withheld.h"
#include "gateways/common/store/key.h"
#include "gateways/common/store/store.h"

/* -- Configuration --------------------------------------------------------------------------- */

/* The configuration of learning for a location. It is immutable and outlives every learner that
 * uses it. */
struct cupel_gw_learn_config {
    struct cupel_catalog_options options; /* the version of the specification */
    struct cupel_options
        engine; /* limits for definitions; options.engine points here, in copies too */
    const struct cupel_lock *pins;        /* of pins=FILE, or NULL */
    uint64_t piece;                       /* nanoseconds of one step of a job: 1,500,000 */
    uint32_t pages;                       /* of one list: 64 */
    size_t bytes;                         /* of the texts of one list: 4 MiB */
    struct cupel_gw_entry_bounds entries; /* 16 of a caller, max=N of the location, 4 readings */
    struct cupel_gw_fetch_bounds fetches; /* its members in order: 16, 2, 4, 10 s, 5 s */
    uint32_t fetch_pages;                 /* 32 */
};

/* Fills in the defaults, given in the comments above. */
void cupel_gw_learn_config_init(struct cupel_gw_learn_config *learning);

/* -- Learner --------------------------------------------------------------------------------- */

/* The catalogs of one process: those that it has loaded or learned, within a bound of memory. */
struct cupel_gw_learner;

struct cupel_gw_learner_host {
    cupel_gw_clock *milliseconds;       /* the same in all processes: CLOCK_MONOTONIC */
    uint64_t (*nanoseconds)(void *ctx); /* from any origin, for pieces */
    int (*random)(void *ctx, void *bytes, size_t len);
    void *ctx;
};

/* Makes a learner. `memory` bounds the catalogs that this process keeps beside the store, in bytes;
 * 0 is 64 MiB. Catalogs in use are kept beyond it. The store stays the host's and must outlive the
 * learner. CUPEL_OK or CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_gw_learner_new(struct cupel_gw_store *store,
                                       const struct cupel_gw_learner_host *host, size_t memory,
                                       struct cupel_gw_learner **ret);
void cupel_gw_learner_free(struct cupel_gw_learner *learner);

/* -- Acquiring ----------------------------------------------------------------------------------
 */

/* A catalog in use. It does not change until it is released. */
struct cupel_gw_list {
    const struct cupel_catalog *catalog;
    const uint8_t
        *withheld; /* for each tool enum cupel_gw_withheld_why (withheld.h), by its index */
};

enum cupel_gw_lookup {
    CUPEL_GW_FOUND,   /* *ret has the list */
    CUPEL_GW_LOAD,    /* another process learned it: run ret->job, end it, and acquire again; if it
                         FAILED, the list is UNKNOWN */
    CUPEL_GW_UNKNOWN, /* no list, or sharing is NOTHING, or there is no memory */
};

struct cupel_gw_acquired {
    struct cupel_gw_list *list;
    struct cupel_gw_job *job;
    bool certain; /* the list is complete, not stale, and was received in this session or without
                     one: a tool that it lacks does not exist.  Otherwise the host looks an unknown
                     tool up, by policy->unlearned, before its call is refused */
    bool stale;
};

/* Acquires the list by which calls of this caller in this session are judged. A list that this
 * process has already costs no lock and no allocation. */
enum cupel_gw_lookup cupel_gw_learner_acquire(struct cupel_gw_learner *learner,
                                              const struct cupel_gw_learn_config *learning,
                                              const struct cupel_gw_identity *id,
                                              struct cupel_gw_acquired *ret);
/* NULL does nothing. */
void cupel_gw_learner_release(struct cupel_gw_learner *learner, struct cupel_gw_list *list);

/* Why a tool of the list is withheld; 0 if it is not, or if the list does not have it. */
uint8_t cupel_gw_list_withheld(const struct cupel_gw_list *list, const struct cupel_tool *tool);

/* Marks the lists of this caller and session as stale: the server sent
 * notifications/tools/list_changed. */
void cupel_gw_learner_mark_stale(struct cupel_gw_learner *learner,
                                 const struct cupel_gw_identity *id);

/* -- Jobs ------------------------------------------------------------------------------------ */

enum cupel_gw_job_step {
    CUPEL_GW_JOB_MORE = 0, /* call again */
    CUPEL_GW_JOB_DONE,
    CUPEL_GW_JOB_FAILED /* page->reason and page->status have the cause; what was known before is
                         * unchanged
                         */
};

struct cupel_gw_job;

/* What is known of a page from cupel_gw_learn_begin on; with `cuts` and `list` when the job is
 * DONE. */
struct cupel_gw_page {
    bool teaches;       /* the page, when it is DONE, counts for calls: now or with its last page */
    const char *reason; /* static; a word of cli/reasons.def: why the page does not teach, or why
                           the job FAILED; "" if neither */
    enum cupel_status status;
    const char *next_cursor; /* NULL: this was the last page.  Not terminated */
    size_t next_cursor_len;
    uint32_t tools;                   /* on this page */
    uint32_t first;                   /* the index in `list` of its first tool */
    const struct cupel_gw_list *list; /* this page's tools, and those of earlier pages */
    bool shared;                      /* an equal list was there: nothing was compiled */
    uint64_t worst;                   /* nanoseconds of the longest step so far */
};

/* Begins to learn from the text of a response to tools/list, copied.  `cursor`: the cursor of the
 * request, bytes NULL for the first page.  A page that does not teach (page->teaches) is judged all
 * the same, so that withheld tools can be hidden.  CUPEL_OK; CUPEL_E_ARGUMENT if the text holds no
 * list, or it can be read in two ways; a status of the group "Reading JSON"; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_gw_learn_begin(struct cupel_gw_learner *learner,
                                       const struct cupel_gw_learn_config *learning,
                                       const struct cupel_gw_identity *id,
                                       struct cupel_gw_text cursor, struct cupel_gw_text text,
                                       struct cupel_gw_job **ret, struct cupel_error *err);

enum cupel_gw_job_step cupel_gw_job_step(struct cupel_gw_job *job);

/* Lives until the job ends. */
const struct cupel_gw_page *cupel_gw_job_page(const struct cupel_gw_job *job);

/* The text given to cupel_gw_learn_begin.  Lives until the job ends. */
struct cupel_gw_text cupel_gw_job_text(const struct cupel_gw_job *job);

/* Computes what is cut out of the text given to cupel_gw_learn_begin, so that the client does not
 * receive the tools that the policy hides (withheld.h: cupel_gw_cut_text, cupel_gw_cut_event).  The
 * job is DONE. *ret_cuts lives until it ends.  Returns the number of cuts; SIZE_MAX without memory:
 * do not pass the text on. */
size_t cupel_gw_job_cuts(struct cupel_gw_job *job, const struct cupel_gw_policy *policy,
                         const struct cupel_gw_cut **ret_cuts);

/* Ends a job, whether it is done or not.  NULL does nothing. */
void cupel_gw_job_end(struct cupel_gw_job *job);

/* -- Fetching -------------------------------------------------------------------------------- */

/* A list that the gateway itself requests from the upstream, for all requests that wait under one
 * key.  The host does the I/O:
 *
 *     turn = cupel_gw_fetch_begin(learner, config, &id, &fetch)
 *     START:   send the text of cupel_gw_fetch_request as POST
 *              each message of a 2xx answer → cupel_gw_fetch_response, until it returns a job
 *              run the job → cupel_gw_fetch_page: 1: send the next request
 *              cupel_gw_fetch_end in every case; then all requests that wait acquire again
 *     WAIT:    begin again every few milliseconds, for config->fetches.time at most
 *
 * The request has these fields: the caller's Authorization, and those that key= names; its session
 * and MCP-Protocol-Version; Content-Type: application/json; Accept: application/json,
 * text/event-stream; and Mcp-Method: tools/list where the caller sent one.  No other field of the
 * caller is copied. */
struct cupel_gw_fetch;

enum cupel_gw_fetch_turn cupel_gw_fetch_begin(struct cupel_gw_learner *learner,
                                              const struct cupel_gw_learn_config *learning,
                                              const struct cupel_gw_identity *id,
                                              struct cupel_gw_fetch **ret);

/* The body of the next request.  `version`: the value of the caller's MCP-Protocol-Version, for
 * `_meta` from 2026-07-28 on; bytes NULL: none.  CUPEL_OK or CUPEL_E_NO_MEMORY.  Lives until the
 * next call. */
enum cupel_status cupel_gw_fetch_request(struct cupel_gw_fetch *fetch, struct cupel_gw_text version,
                                         struct cupel_gw_text *ret);

/* Reads a message of the answer.  1: it is the response, and *ret_job learns from it.  0: it is
 * another message (a notification, a request of the server): go on.  -1: the fetch has failed, for
 * an error, a bound, no list, or a response with another id. */
int cupel_gw_fetch_response(struct cupel_gw_fetch *fetch, struct cupel_gw_text message,
                            struct cupel_gw_job **ret_job);

/* After the job has stopped, and before cupel_gw_job_end: 1: there is another page to fetch; 0: all
 * pages are there; -1: failed. */
int cupel_gw_fetch_page(struct cupel_gw_fetch *fetch, const struct cupel_gw_job *job);

/* Ends a fetch.  `failed` is also set for failures of the host's I/O: no connection, no 2xx, the
 * time is over. */
void cupel_gw_fetch_end(struct cupel_gw_fetch *fetch, bool failed);

#endif
