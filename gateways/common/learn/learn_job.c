/* learn_job.c: learning a page, and loading what another process learned, in pieces.
 *
 *     learn:   LOOK_UP ──▶ BASE ──▶ COMPILE ──▶ SAVE ──▶ WITHHELD ──▶ PUBLISH
 *                 └─ an equal list is there ──▶ RESTORE ────┘
 *     load:    RESTORE ──▶ WITHHELD ──▶ PUBLISH
 *
 * Each unit of work is one tool or a few known ones.  A step runs as many units as fit into its
 * time, so the host serves others between steps.  A definition is never compiled in parts: the
 * limits of learn_config bound one unit.
 *
 * A job owns references to all blobs that it uses until it ends, so that the store cannot free a
 * program between COMPILE and PUBLISH.  It may end at any point; nothing is visible to others
 * before PUBLISH. */
#include "gateways/common/learn/learn_internal.h"

#include <cupel/program.h>

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 8 }; /* tools whose programs are verified in one unit */

enum phase { LOOK_UP, BASE, COMPILE, SAVE, RESTORE, WITHHELD, PUBLISH, FINISHED };

/* A list in the store that is read into a catalog. */
struct source {
    cupel_gw_blob blob; /* held */
    const void *image;
    size_t len;
    uint32_t tools, done;
};

struct cupel_gw_job {
    struct cupel_gw_learner *learner;
    const struct cupel_gw_learn_config *learning;
    struct cupel_gw_identity id;
    bool learns;               /* a page, not only a load */
    struct cupel_gw_name name; /* of what is loaded */
    bool share; /* CUPEL_GW_SHARE_CALLER, or all pages are public: the caller's list too */
    enum phase phase;
    enum cupel_gw_job_step result;
    struct cupel_gw_page page;
    struct cupel_text text, cursor; /* the response; its nextCursor */
    struct page_text read;
    struct cupel_catalog *catalog;
    struct cached *previous; /* used: its programs are shared */
    struct source source;    /* the earlier pages, or the whole list */
    uint32_t pages;          /* with this one */
    uint64_t bytes;
    uint32_t at;         /* tools compiled of this page, or whose flags are known */
    cupel_gw_blob *uses; /* programs in the store, in the order of the tools; held */
    uint32_t use_count, use_capacity, use_next;
    unsigned char digest[CUPEL_GW_DIGEST_BYTES];
    uint8_t *withheld;
    cupel_gw_blob blob; /* of the finished list; held */
    struct cached *cached;
    struct cupel_gw_cut *cuts;
};

/* -- Failing --------------------------------------------------------------------------------- */

/* Ends the job without a list.  What was known before stays. */
static void fail(struct cupel_gw_job *job, const char *reason, enum cupel_status status)
{
    job->page.reason = reason;
    job->page.status = status;
    job->page.teaches = false;
    job->result = CUPEL_GW_JOB_FAILED;
    job->phase = FINISHED;
}

/* Ends the job for a status.  A list that cannot be loaded is removed from the store, so that it
 * is learned again and not loaded for each request. */
static void fail_with(struct cupel_gw_job *job, enum cupel_status status)
{
    if (!job->learns && status != CUPEL_E_NO_MEMORY)
        cupel_gw_store_forget(job->learner->store, &job->name);
    fail(job, status == CUPEL_E_NO_MEMORY ? "no-memory" : "internal", status);
}

/* The page is still judged, because its tools may have to be hidden, but no entry of the store
 * will lead to it. */
static void judge_only(struct cupel_gw_job *job, const char *reason)
{
    job->page.teaches = false;
    job->page.reason = reason;
}

/* -- Programs in the store ------------------------------------------------------------------- */

/* Appends a reference that the job holds; false without memory. */
static bool keep_use(struct cupel_gw_job *job, cupel_gw_blob blob)
{
    if (job->use_count == job->use_capacity) {
        uint32_t capacity = job->use_capacity * 2 + 64;
        cupel_gw_blob *grown = realloc(job->uses, capacity * sizeof(*grown));
        if (grown == NULL)
            return false;
        job->uses = grown;
        job->use_capacity = capacity;
    }
    job->uses[job->use_count++] = blob;
    return true;
}

/* Publishes a program under the digest of its image, so that equal programs of any lists share
 * one blob. */
static void put_program(struct cupel_gw_job *job, const struct cupel_program *program)
{
    unsigned char digest[CUPEL_GW_DIGEST_BYTES];
    struct cupel_gw_part parts[2] = {{"program", 7}, {NULL, 0}};
    if (program == NULL || job->phase == FINISHED)
        return;
    parts[1].bytes = cupel_program_image(program, &parts[1].len);
    cupel_gw_digest(parts, 2, digest);
    cupel_gw_blob blob =
        cupel_gw_store_put(job->learner->store, digest, parts[1].bytes, parts[1].len, NULL, 0);
    if (blob == 0) {
        fail(job, "store-full", CUPEL_E_LIMIT_MEMORY);
    } else if (!keep_use(job, blob)) {
        cupel_gw_store_release(job->learner->store, blob);
        fail_with(job, CUPEL_E_NO_MEMORY);
    }
}

/* Publishes the programs of the tools from `first` on. */
static void put_programs(struct cupel_gw_job *job, uint32_t first)
{
    for (uint32_t i = first; i < cupel_catalog_count(job->catalog) && job->page.teaches; i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(job->catalog, i);
        put_program(job, tool->input);
        put_program(job, tool->output);
    }
}

static void release_uses(struct cupel_gw_job *job)
{
    while (job->use_count != 0)
        cupel_gw_store_release(job->learner->store, job->uses[--job->use_count]);
}

/* For cupel_catalog_save: the reference of the next program.  Programs are saved in the order in
 * which put_programs saw them. */
static int keep_program(void *ctx, const char *schema, size_t schema_len, const void *image,
                        size_t len, uint64_t *ret_ref)
{
    struct cupel_gw_job *job = ctx;
    (void)schema;
    (void)schema_len;
    (void)image;
    (void)len;
    if (job->use_next == job->use_count)
        return -1;
    *ret_ref = job->uses[job->use_next++];
    return 0;
}

/* For cupel_catalog_add_image: the image of a program in the store. */
static int find_program(void *ctx, uint64_t ref, const void **ret_image, size_t *ret_len)
{
    struct cupel_gw_job *job = ctx;
    const void *image = cupel_gw_store_bytes(job->learner->store, ref, ret_len);
    if (image == NULL)
        return -1;
    *ret_image = image;
    return 0;
}

/* -- Phases ---------------------------------------------------------------------------------- */

/* Opens a list of the store for reading, after its header was checked. */
static bool open_source(struct cupel_gw_job *job, cupel_gw_blob blob)
{
    struct source *source = &job->source;
    *source = (struct source){.blob = blob};
    source->image = cupel_gw_store_bytes(job->learner->store, blob, &source->len);
    return source->image != NULL &&
           cupel_catalog_image_check(source->image, source->len, &job->learning->options,
                                     &source->tools, NULL) == CUPEL_OK;
}

static void close_source(struct cupel_gw_job *job)
{
    if (job->source.blob != 0)
        cupel_gw_store_release(job->learner->store, job->source.blob);
    job->source.blob = 0;
}

/* Makes the catalog.  With `share` it takes over the programs of the caller's current list, which
 * usually has nearly the same tools. */
static bool make_catalog(struct cupel_gw_job *job, bool share)
{
    struct cupel_catalog_options options = job->learning->options;
    if (share && job->previous == NULL)
        job->previous = learner_current(job->learner, job->learning, &job->id);
    options.previous = job->previous != NULL ? job->previous->catalog : NULL;
    if (job->catalog != NULL)
        return true;
    return cupel_catalog_new(&options, &job->catalog) == CUPEL_OK;
}

/* Computes the digest of the list: its definitions in order, the list of the earlier pages, and
 * the options under which they are compiled. */
static bool make_digest(struct cupel_gw_job *job)
{
    unsigned char options[CUPEL_GW_DIGEST_BYTES];
    struct cupel_gw_part *parts = calloc((size_t)job->read.count + 3, sizeof(*parts));
    if (parts == NULL)
        return false;
    cupel_gw_options_digest(&job->learning->options, options);
    parts[0] = (struct cupel_gw_part){"list", 4};
    parts[1] = (struct cupel_gw_part){options, sizeof(options)};
    if (job->source.blob != 0)
        parts[2] = (struct cupel_gw_part){
            cupel_gw_store_digest(job->learner->store, job->source.blob), CUPEL_GW_DIGEST_BYTES};
    for (uint32_t i = 0; i < job->read.count; i++)
        parts[i + 3] =
            (struct cupel_gw_part){job->text.bytes + job->read.items[i].at, job->read.items[i].len};
    cupel_gw_digest(parts, (size_t)job->read.count + 3, job->digest);
    free(parts);
    return true;
}

/* Looks for an equal list.  If this process has it there is nothing to do but to publish; if only
 * the store has it, it is restored. */
static void run_look_up(struct cupel_gw_job *job)
{
    if (!make_digest(job)) {
        fail_with(job, CUPEL_E_NO_MEMORY);
        return;
    }
    cupel_gw_blob same =
        job->page.teaches ? cupel_gw_store_find(job->learner->store, job->digest) : 0;
    job->phase = BASE;
    if (same == 0) {
        if (!make_catalog(job, true))
            fail_with(job, CUPEL_E_NO_MEMORY);
        return;
    }
    close_source(job);
    job->page.shared = true;
    job->blob = same;
    job->cached = learner_find(job->learner, same, job->learning);
    job->phase = PUBLISH;
    if (job->cached != NULL) {
        job->cached->users++;
        return;
    }
    job->phase = RESTORE;
    if (!cupel_gw_store_hold(job->learner->store, same) || !open_source(job, same) ||
        !make_catalog(job, false))
        fail_with(job, CUPEL_E_BAD_IMAGE);
}

/* Restores some tools of the source.  Programs are copied before they are verified, because other
 * processes can write to the block. */
static void restore_some(struct cupel_gw_job *job, enum phase next)
{
    struct source *source = &job->source;
    uint32_t left = source->tools - source->done, count = left < CHUNK ? left : CHUNK;
    uint32_t first = cupel_catalog_count(job->catalog);
    enum cupel_status status = cupel_catalog_add_image(
        job->catalog, source->image, source->len, source->done, count, 0, find_program, job, NULL);
    if (status != CUPEL_OK) {
        fail_with(job, status);
        return;
    }
    if (next == COMPILE)
        put_programs(job, first);
    source->done += count;
    if (source->done == source->tools && job->phase != FINISHED)
        job->phase = next;
}

/* Restores the tools of the earlier pages, whose programs the new list uses too. */
static void run_base(struct cupel_gw_job *job)
{
    if (job->source.blob == 0)
        job->phase = COMPILE;
    else
        restore_some(job, COMPILE);
}

static void run_restore(struct cupel_gw_job *job)
{
    restore_some(job, WITHHELD);
}

/* Adds one definition to the catalog. */
static enum cupel_status add_tool(struct cupel_gw_job *job, struct cupel_gw_cut item)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_adds(&text, "[");
    cupel_text_add(&text, job->text.bytes + item.at, item.len);
    cupel_text_adds(&text, "]");
    enum cupel_status status = CUPEL_E_NO_MEMORY;
    if (!text.failed)
        status = cupel_catalog_add(job->catalog, text.bytes, text.len, NULL);
    cupel_text_free(&text);
    return status;
}

/* Compiles one definition of the page and publishes its programs. */
static void run_compile(struct cupel_gw_job *job)
{
    if (job->at == job->read.count) {
        job->phase = job->page.teaches ? SAVE : WITHHELD;
        return;
    }
    uint32_t before = cupel_catalog_count(job->catalog);
    enum cupel_status status = add_tool(job, job->read.items[job->at++]);
    if (status == CUPEL_E_ARGUMENT)
        fail(job, "list-tools", status);
    else if (status != CUPEL_OK)
        fail_with(job, status);
    else
        put_programs(job, before);
}

/* Saves the catalog as a blob that refers to its programs. */
static void run_save(struct cupel_gw_job *job)
{
    struct cupel_text image;
    cupel_text_init(&image, NULL);
    enum cupel_status status = cupel_catalog_save(job->catalog, &image, keep_program, job);
    if (status == CUPEL_OK)
        job->blob = cupel_gw_store_put(job->learner->store, job->digest, image.bytes, image.len,
                                       job->uses, job->use_count);
    cupel_text_free(&image);
    job->phase = WITHHELD;
    if (status != CUPEL_OK)
        fail_with(job, status);
    else if (job->blob == 0)
        fail(job, "store-full", CUPEL_E_LIMIT_MEMORY);
}

/* Finds out whether a tool is withheld.  A tool that cannot be compared with its pin is, because it
 * may not be the one that was approved. */
static void find_withheld(struct cupel_gw_job *job, uint32_t index)
{
    const struct cupel_tool *tool = cupel_catalog_tool(job->catalog, index);
    if (cupel_gw_withheld_find(&job->learning->options, job->catalog, tool, job->learning->pins,
                               &job->withheld[index]) != CUPEL_OK)
        job->withheld[index] = CUPEL_GW_WITHHELD_CHANGED;
}

/* Finds out which tools are withheld, one in a unit where pins are compared, otherwise all at
 * once. */
static void run_withheld(struct cupel_gw_job *job)
{
    uint32_t count = cupel_catalog_count(job->catalog);
    if (job->withheld == NULL) {
        job->at = 0;
        job->withheld = calloc((size_t)count + 1, 1);
        if (job->withheld == NULL) {
            fail_with(job, CUPEL_E_NO_MEMORY);
            return;
        }
    }
    bool costly = job->learning->pins != NULL;
    for (bool more = true; more && job->at < count; more = !costly)
        find_withheld(job, job->at++);
    if (job->at == count)
        job->phase = PUBLISH;
}

/* -- Publishing ------------------------------------------------------------------------------ */

/* Whether a complete list is known under a name. */
static bool is_complete(struct cupel_gw_job *job, const struct cupel_gw_name *name)
{
    struct cupel_gw_entry entry;
    struct cupel_gw_store *store = job->learner->store;
    if (!cupel_gw_name_is_set(name) ||
        !cupel_gw_store_look_up(store, name, learner_now(job->learner), &entry))
        return false;
    cupel_gw_store_release(store, entry.blob);
    return !(entry.flags & CUPEL_GW_ENTRY_PARTIAL);
}

/* Sets the entry of a name to the finished list. */
static void set_entry(struct cupel_gw_job *job, const struct cupel_gw_name *name, uint32_t flags)
{
    struct cupel_gw_entry entry = {.name = *name,
                                   .caller = job->id.caller,
                                   .group = job->id.group,
                                   .blob = job->blob,
                                   .flags = flags,
                                   .pages = job->pages,
                                   .bytes = job->bytes,
                                   .learned = learner_now(job->learner)};
    cupel_gw_store_set(job->learner->store, &entry, &job->learning->entries);
}

/* Stores the list so far under the cursor of the next page, for the client that will request it. */
static void set_reading(struct cupel_gw_job *job)
{
    struct cupel_gw_name name;
    cupel_gw_derive(cupel_gw_store_secret(job->learner->store), "cursor", &job->id.reader,
                    job->page.next_cursor, job->page.next_cursor_len, &name);
    set_entry(job, &name,
              CUPEL_GW_ENTRY_READING | CUPEL_GW_ENTRY_PARTIAL |
                  (job->share ? CUPEL_GW_ENTRY_PUBLIC : 0));
}

/* Makes the list count.  A page that is not the last one replaces no complete list. */
static void publish(struct cupel_gw_job *job)
{
    uint32_t flags = 0;
    if (job->page.next_cursor != NULL) {
        set_reading(job);
        flags = CUPEL_GW_ENTRY_PARTIAL;
        if (is_complete(job, &job->id.session) || is_complete(job, &job->id.key))
            return;
    }
    if (cupel_gw_name_is_set(&job->id.session))
        set_entry(job, &job->id.session, flags);
    if (job->share)
        set_entry(job, &job->id.key, flags);
}

/* Hands the catalog to the cache and publishes it, if the page teaches.  After this the job is
 * DONE. */
static void run_publish(struct cupel_gw_job *job)
{
    if (job->cached == NULL) {
        job->cached =
            learner_add(job->learner, job->catalog, job->withheld, job->blob, job->learning);
        if (job->cached == NULL) {
            fail_with(job, CUPEL_E_NO_MEMORY);
            return;
        }
        job->catalog = NULL;
        job->withheld = NULL;
    }
    if (job->learns && job->page.teaches)
        publish(job);
    job->page.list = &job->cached->view;
    job->page.first = job->cached->tools - job->page.tools;
    job->result = CUPEL_GW_JOB_DONE;
    job->phase = FINISHED;
}

static void run_unit(struct cupel_gw_job *job)
{
    static void (*const units[])(struct cupel_gw_job *) = {
        [LOOK_UP] = run_look_up, [BASE] = run_base,       [COMPILE] = run_compile,
        [SAVE] = run_save,       [RESTORE] = run_restore, [WITHHELD] = run_withheld,
        [PUBLISH] = run_publish};
    units[job->phase](job);
}

/* Runs units until the time of a step is over or the job has ended, and notes the longest step. */
enum cupel_gw_job_step cupel_gw_job_step(struct cupel_gw_job *job)
{
    const struct cupel_gw_learner_host *host = &job->learner->host;
    uint64_t start = host->nanoseconds(host->ctx), taken = 0;
    while (job->phase != FINISHED && taken < job->learning->piece) {
        run_unit(job);
        taken = host->nanoseconds(host->ctx) - start;
        if (job->phase == SAVE)
            break; /* writing the whole list is one unit, and gets a step to itself */
    }
    if (taken > job->page.worst)
        job->page.worst = taken;
    return job->phase == FINISHED ? job->result : CUPEL_GW_JOB_MORE;
}

/* -- Beginning and ending -------------------------------------------------------------------- */

static struct cupel_gw_job *make_job(struct cupel_gw_learner *learner,
                                     const struct cupel_gw_learn_config *learning)
{
    struct cupel_gw_job *job = calloc(1, sizeof(*job));
    if (job == NULL)
        return NULL;
    job->learner = learner;
    job->learning = learning;
    job->page.reason = "";
    cupel_text_init(&job->text, NULL);
    cupel_text_init(&job->cursor, NULL);
    return job;
}

/* Makes a job that restores a list under a name.  A list that cannot be opened makes a job that
 * has FAILED. */
struct cupel_gw_job *learner_load(struct cupel_gw_learner *learner,
                                  const struct cupel_gw_learn_config *learning,
                                  const struct cupel_gw_name *name, cupel_gw_blob blob)
{
    struct cupel_gw_job *job = make_job(learner, learning);
    if (job == NULL || !make_catalog(job, false)) {
        cupel_gw_store_release(learner->store, blob);
        cupel_gw_job_end(job);
        return NULL;
    }
    job->phase = RESTORE;
    job->name = *name;
    job->blob = blob;
    if (!cupel_gw_store_hold(learner->store, blob) || !open_source(job, blob))
        fail_with(job, CUPEL_E_BAD_IMAGE);
    return job;
}

/* Finds the pages before this one, by the cursor that led to it.  A cursor that this client did
 * not get teaches nothing. */
static void find_base(struct cupel_gw_job *job, struct cupel_gw_text cursor)
{
    struct cupel_gw_name name;
    struct cupel_gw_entry entry;
    struct cupel_gw_store *store = job->learner->store;
    cupel_gw_derive(cupel_gw_store_secret(store), "cursor", &job->id.reader, cursor.bytes,
                    cursor.len, &name);
    if (!cupel_gw_store_look_up(store, &name, learner_now(job->learner), &entry)) {
        judge_only(job, "list-cursor");
        return;
    }
    job->pages += entry.pages;
    job->bytes += entry.bytes;
    job->share &=
        job->id.sharing == CUPEL_GW_SHARE_CALLER || (entry.flags & CUPEL_GW_ENTRY_PUBLIC) != 0;
    if (!open_source(job, entry.blob)) {
        close_source(job);
        judge_only(job, "list-cursor");
    }
}

/* Decides whether the page may teach, and whom, by who may share it and by the bounds. */
static void decide(struct cupel_gw_job *job, struct cupel_gw_text cursor)
{
    const struct cupel_gw_identity *id = &job->id;
    job->page.teaches = true;
    job->share =
        id->sharing == CUPEL_GW_SHARE_CALLER || job->read.page.cache_scope == CUPEL_CACHE_PUBLIC;
    job->pages = 1;
    job->bytes = job->text.len;
    if (id->sharing == CUPEL_GW_SHARE_NOTHING) {
        judge_only(job, "list-sharing");
        return;
    }
    if (cursor.bytes != NULL)
        find_base(job, cursor);
    if (!job->page.teaches)
        return;
    if (!job->share && !cupel_gw_name_is_set(&id->session))
        judge_only(job, "list-private");
    else if (job->pages > job->learning->pages)
        judge_only(job, "list-pages");
    else if (job->bytes > job->learning->bytes)
        judge_only(job, "list-bytes");
    if (!job->page.teaches)
        close_source(job);
}

/* Copies the text, finds the definitions in it, and copies the cursor of the next page. */
static enum cupel_status read_page(struct cupel_gw_job *job, struct cupel_gw_text text,
                                   struct cupel_error *err)
{
    cupel_text_add(&job->text, text.bytes, text.len);
    if (job->text.failed)
        return CUPEL_E_NO_MEMORY;
    struct cupel_gw_text copy = {job->text.bytes, job->text.len};
    enum cupel_status status = page_read(&job->learning->options, copy, &job->read, err);
    if (status != CUPEL_OK)
        return status;
    job->page.tools = job->read.count;
    if (job->read.page.next_cursor != NULL) {
        cupel_text_add(&job->cursor, job->read.page.next_cursor, job->read.page.next_cursor_len);
        cupel_text_adds(&job->cursor, "");
        job->page.next_cursor = job->cursor.bytes != NULL ? job->cursor.bytes : "";
        job->page.next_cursor_len = job->cursor.len;
    }
    cupel_document_free(job->read.doc);
    job->read.doc = NULL;
    return job->cursor.failed ? CUPEL_E_NO_MEMORY : CUPEL_OK;
}

/* Makes a job for a page.  The text is copied, for the host's buffer does not live as long as the
 * job. */
enum cupel_status cupel_gw_learn_begin(struct cupel_gw_learner *learner,
                                       const struct cupel_gw_learn_config *learning,
                                       const struct cupel_gw_identity *id,
                                       struct cupel_gw_text cursor, struct cupel_gw_text text,
                                       struct cupel_gw_job **ret, struct cupel_error *err)
{
    struct cupel_gw_job *job = make_job(learner, learning);
    if (job == NULL)
        return CUPEL_E_NO_MEMORY;
    job->learns = true;
    job->id = *id;
    enum cupel_status status = read_page(job, text, err);
    if (status != CUPEL_OK) {
        cupel_gw_job_end(job);
        return status;
    }
    decide(job, cursor);
    *ret = job;
    return CUPEL_OK;
}

const struct cupel_gw_page *cupel_gw_job_page(const struct cupel_gw_job *job)
{
    return &job->page;
}

struct cupel_gw_text cupel_gw_job_text(const struct cupel_gw_job *job)
{
    return (struct cupel_gw_text){job->text.bytes, job->text.len};
}

/* Computes which definitions of the page are cut out by the policy.  Returns SIZE_MAX without
 * memory. */
size_t cupel_gw_job_cuts(struct cupel_gw_job *job, const struct cupel_gw_policy *policy,
                         const struct cupel_gw_cut **ret_cuts)
{
    uint32_t count = job->page.tools;
    uint8_t *hide = calloc((size_t)count + 1, 1);
    free(job->cuts);
    job->cuts = calloc((size_t)count + 1, sizeof(*job->cuts));
    if (hide == NULL || job->cuts == NULL || job->result != CUPEL_GW_JOB_DONE) {
        free(hide);
        return SIZE_MAX;
    }
    for (uint32_t i = 0; i < count; i++)
        hide[i] = cupel_gw_withheld_action(policy, job->cached->withheld[job->page.first + i]) ==
                  CUPEL_GW_WITHHOLD_HIDE;
    size_t cuts = cupel_gw_cuts(job->text.bytes, job->read.items, hide, count, job->cuts);
    free(hide);
    *ret_cuts = job->cuts;
    return cuts;
}

/* Releases what the job holds.  The catalog that it made stays in the cache. */
void cupel_gw_job_end(struct cupel_gw_job *job)
{
    if (job == NULL)
        return;
    cupel_catalog_free(job->catalog);
    learner_release(job->learner, job->cached);
    learner_release(job->learner, job->previous);
    close_source(job);
    release_uses(job);
    if (job->blob != 0)
        cupel_gw_store_release(job->learner->store, job->blob);
    page_free(&job->read);
    cupel_text_free(&job->text);
    cupel_text_free(&job->cursor);
    free(job->uses);
    free(job->withheld);
    free(job->cuts);
    free(job);
}
