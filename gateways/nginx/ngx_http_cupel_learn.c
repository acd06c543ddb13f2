/* ngx_http_cupel_learn.c: catalogs that are learned from the lists of upstreams: the store in
 * shared memory, whose list counts for a request, and jobs in pieces between which the worker
 * serves other requests (gateways/common/learn/learn.h).
 *
 * A request holds its list until it ends (ctx->list).  It has at most one job at a time
 * (ctx->work): loading a list before its call is judged, or learning one from its response. */
#include "gateways/nginx/ngx_http_cupel.h"

#include <errno.h>
#include <signal.h>

/* -- The store ------------------------------------------------------------------------------- */

static void lock(void *pool)
{
    ngx_shmtx_lock(&((ngx_slab_pool_t *)pool)->mutex);
}

static void unlock(void *pool)
{
    ngx_shmtx_unlock(&((ngx_slab_pool_t *)pool)->mutex);
}

/* Whether a process runs.  kill with signal 0 fails with ESRCH only if it does not. */
static bool is_alive(void *ctx, uint64_t process)
{
    (void)ctx;
    return kill((pid_t)process, 0) == 0 || errno != ESRCH;
}

static struct cupel_gw_store_host store_host(ngx_slab_pool_t *pool)
{
    return (struct cupel_gw_store_host){lock, unlock, ngx_http_cupel_random, is_alive, pool};
}

/* Formats the store when the zone is new, and keeps it over a reload.  Slab allocations of a page
 * or more begin on a page, so the block is aligned. */
ngx_int_t ngx_http_cupel_init_store(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)zone->shm.addr;
    struct cupel_gw_store_host host = store_host(pool);
    if (data != NULL || zone->shm.exists) {
        zone->data = data != NULL ? data : pool->data;
        return NGX_OK;
    }
    size_t size;
    void *block = ngx_http_cupel_take_zone(zone, 256 << 10, &size);
    if (block == NULL || cupel_gw_store_format(block, size, true, &host) != CUPEL_OK) {
        ngx_log_error(NGX_LOG_EMERG, zone->shm.log, 0, "cupel: \"cupel_learn_zone\" is too small");
        return NGX_ERROR;
    }
    pool->data = block;
    zone->data = block;
    return NGX_OK;
}

/* Opens the store for this worker and makes its learner.  Without them the worker does not start.
 */
ngx_int_t ngx_http_cupel_open_store(ngx_http_cupel_main_conf_t *conf, ngx_log_t *log)
{
    struct cupel_gw_store_host host = store_host((ngx_slab_pool_t *)conf->store_zone->shm.addr);
    struct cupel_gw_learner_host learner = {ngx_http_cupel_milliseconds, ngx_http_cupel_nanoseconds,
                                            ngx_http_cupel_random, NULL};
    enum cupel_status status =
        cupel_gw_store_open(conf->store_zone->data, &host, (uint64_t)ngx_pid, &conf->store);
    if (status == CUPEL_OK)
        status = cupel_gw_learner_new(conf->store, &learner, 0, &conf->learner);
    if (status == CUPEL_OK)
        return NGX_OK;
    ngx_log_error(NGX_LOG_EMERG, log, 0, "cupel: cannot open the zone of learned catalogs: %s",
                  cupel_status_message(status));
    return NGX_ERROR;
}

/* -- Jobs ------------------------------------------------------------------------------------ */

/* Runs one step of a job and posts the next one behind the events that have come meanwhile. */
static void on_work(ngx_event_t *event)
{
    ngx_http_cupel_work_t *work = event->data;
    enum cupel_gw_job_step step = cupel_gw_job_step(work->job);
    if (step == CUPEL_GW_JOB_MORE) {
        ngx_post_event(&work->event, &ngx_posted_next_events);
        return;
    }
    work->done(work->ctx, step);
}

/* Starts a job, whose `done` is called later, never from here. */
void ngx_http_cupel_start_work(ngx_http_cupel_work_t *work, ngx_log_t *log)
{
    work->event.handler = on_work;
    work->event.data = work;
    work->event.log = log;
    ngx_post_event(&work->event, &ngx_posted_events);
}

void ngx_http_cupel_stop_work(ngx_http_cupel_work_t *work)
{
    if (work->event.posted) { /* the macro is two statements */
        ngx_delete_posted_event(&work->event);
    }
    cupel_gw_job_end(work->job);
    work->job = NULL;
}

/* -- Whose list ------------------------------------------------------------------------------ */

static struct cupel_gw_text text_of(const ngx_str_t *string)
{
    return (struct cupel_gw_text){string->len != 0 ? (const char *)string->data : "", string->len};
}

struct cupel_gw_text ngx_http_cupel_find_field(ngx_http_request_t *r, const char *name)
{
    for (ngx_list_part_t *part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        const ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            struct cupel_header header = {(const char *)field[i].key.data, field[i].key.len,
                                          (const char *)field[i].value.data, field[i].value.len};
            if (cupel_gw_field_is(&header, name))
                return text_of(&field[i].value);
        }
    }
    return (struct cupel_gw_text){NULL, 0};
}

/* The caller, by the key= of the catalog. */
static struct cupel_gw_text find_caller(ngx_http_request_t *r,
                                        const ngx_http_cupel_catalog_t *catalog)
{
    if (catalog->by == CUPEL_GW_BY_AUTHORIZATION)
        return ngx_http_cupel_find_field(r, "authorization");
    if (catalog->by == CUPEL_GW_BY_NOTHING)
        return (struct cupel_gw_text){"", 0};
    const ngx_http_variable_value_t *value =
        ngx_http_get_indexed_variable(r, (ngx_uint_t)catalog->key_variable);
    if (value == NULL || value->not_found)
        return (struct cupel_gw_text){"", 0};
    return (struct cupel_gw_text){(const char *)value->data, value->len};
}

/* Evaluates the location's proxy_pass for this request: *ret is the name of an upstream or a
 * whole URL, and empty for other modules. */
static ngx_int_t evaluate_upstream(ngx_http_request_t *r, const ngx_http_cupel_loc_conf_t *conf,
                                   ngx_str_t *ret)
{
    ngx_str_null(ret);
    if (conf->proxy_url == 0)
        return NGX_OK;
    char *proxy = r->loc_conf[conf->proxy_index];
    const ngx_http_upstream_conf_t *upstream = (const ngx_http_upstream_conf_t *)(void *)proxy;
    ngx_array_t *const *scripts = (ngx_array_t *const *)(void *)(proxy + conf->proxy_url);
    if (upstream->upstream != NULL) {
        *ret = upstream->upstream->host;
        return NGX_OK;
    }
    if (scripts[0] == NULL || scripts[1] == NULL)
        return NGX_OK;
    return ngx_http_script_run(r, ret, scripts[0]->elts, 0, scripts[1]->elts) != NULL ? NGX_OK
                                                                                      : NGX_ERROR;
}

/* The URI with its query.  An upstream may take either for the name of its caller. */
static ngx_int_t whole_uri(ngx_http_request_t *r, ngx_str_t *ret)
{
    ret->data = ngx_pnalloc(r->pool, r->uri.len + r->args.len + 1);
    if (ret->data == NULL)
        return NGX_ERROR;
    ret->len = (size_t)(ngx_sprintf(ret->data, "%V?%V", &r->uri, &r->args) - ret->data);
    return NGX_OK;
}

/* Gives the request a list, which it holds until its end. */
static void set_list(ngx_http_cupel_ctx_t *ctx, const struct cupel_gw_acquired *taken)
{
    ctx->list = taken->list;
    ctx->x.catalog = taken->list->catalog;
    ctx->x.borrowed = !taken->certain;
}

static enum cupel_gw_list_disposition take_page(void *data, struct cupel_gw_exchange *x,
                                                const struct cupel_gw_list_answer *answer,
                                                struct cupel_gw_text *ret);

/* For the core: a notification list_changed passes. */
static void list_changed(void *data, struct cupel_gw_exchange *x)
{
    (void)x;
    ngx_http_cupel_ctx_t *ctx = data;
    const ngx_http_cupel_main_conf_t *main = ngx_http_cupel_main(ctx->r);
    cupel_gw_learner_mark_stale(main->learner, &ctx->id);
}

/* Computes whose list counts for the request.  Until it is known who calls, x.fetched is set, so
 * that nothing is looked up under a wrong name. */
void ngx_http_cupel_identify(ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_request_t *r = ctx->r;
    const ngx_http_cupel_main_conf_t *main = ngx_http_cupel_main(r);
    const ngx_http_cupel_catalog_t *catalog = ctx->conf->catalog;
    ngx_str_t upstream, uri;
    if (!catalog->learns)
        return;
    ctx->x.fetched = true; /* until it is known who calls, nothing can be looked up for him */
    if (evaluate_upstream(r, ctx->conf, &upstream) != NGX_OK || whole_uri(r, &uri) != NGX_OK)
        return;
    struct cupel_gw_identity_fields fields = {
        .location = text_of(&ctx->conf->name),
        .upstream = text_of(&upstream),
        .prefix = text_of(&uri),
        .options = &catalog->learning.options,
        .by = catalog->by,
        .caller = find_caller(r, catalog),
        .session = ngx_http_cupel_find_field(r, "mcp-session-id"),
        .reader = text_of(&r->connection->addr_text),
    };
    if (catalog->by == CUPEL_GW_BY_VARIABLE && fields.caller.len != 0)
        ctx->x.identity = fields.caller;
    if (cupel_gw_identify(cupel_gw_store_secret(main->store), &fields, &ctx->id) != CUPEL_OK)
        return;
    ctx->x.fetched = ctx->id.sharing == CUPEL_GW_SHARE_NOTHING;
    ngx_memcpy(ctx->x.key, ctx->id.key.bytes, sizeof(ctx->x.key));
    ctx->lists = (struct cupel_gw_lists){take_page, list_changed, ctx};
    ctx->x.lists = &ctx->lists;
    if (ctx->conf->policy.unlearned == CUPEL_GW_UNLEARNED_PASS &&
        cupel_gw_store_has_group(main->store, &ctx->id.group))
        ctx->x.policy = &ctx->conf->known;
}

/* -- Taking ---------------------------------------------------------------------------------- */

/* Called when a list of another worker was loaded, or could not be. */
static void loaded(void *data, enum cupel_gw_job_step step)
{
    ngx_http_cupel_ctx_t *ctx = data;
    ngx_http_cupel_stop_work(&ctx->work);
    if (step == CUPEL_GW_JOB_FAILED)
        ctx->load_failed = 1;
    ngx_http_cupel_resume(ctx);
}

/* Takes the list that counts for the request.  Returns WAIT if it has to be loaded first. */
enum ngx_http_cupel_turn ngx_http_cupel_take_catalog(ngx_http_cupel_ctx_t *ctx)
{
    const ngx_http_cupel_main_conf_t *main = ngx_http_cupel_main(ctx->r);
    struct cupel_gw_acquired taken;
    if (!ctx->conf->catalog->learns || ctx->id.sharing == CUPEL_GW_SHARE_NOTHING)
        return NGX_HTTP_CUPEL_GO_ON;
    ngx_http_cupel_end_learning(ctx);
    switch (
        cupel_gw_learner_acquire(main->learner, &ctx->conf->catalog->learning, &ctx->id, &taken)) {
    case CUPEL_GW_FOUND:
        set_list(ctx, &taken);
        return NGX_HTTP_CUPEL_GO_ON;
    case CUPEL_GW_LOAD:
        if (ctx->load_failed) {
            cupel_gw_job_end(taken.job);
            return NGX_HTTP_CUPEL_GO_ON;
        }
        ctx->work.job = taken.job;
        ctx->work.done = loaded;
        ctx->work.ctx = ctx;
        ngx_http_cupel_start_work(&ctx->work, ctx->r->connection->log);
        return NGX_HTTP_CUPEL_WAIT;
    default:
        return NGX_HTTP_CUPEL_GO_ON;
    }
}

void ngx_http_cupel_end_learning(ngx_http_cupel_ctx_t *ctx)
{
    if (!ctx->conf->catalog->learns)
        return;
    const ngx_http_cupel_main_conf_t *main = ngx_http_cupel_main(ctx->r);
    ngx_http_cupel_stop_work(&ctx->work);
    if (main->learner != NULL)
        cupel_gw_learner_release(main->learner, ctx->list);
    ctx->list = NULL;
    ctx->x.catalog = NULL;
}

/* -- Lists that pass ------------------------------------------------------------------------- */

/* Logs what became of a list, without anything from it. */
static void log_page(const ngx_http_cupel_ctx_t *ctx, const struct cupel_gw_page *page,
                     enum cupel_gw_job_step step)
{
    ngx_log_error(NGX_LOG_INFO, ctx->r->connection->log, 0, "cupel: a list of %uD tools was %s%s%s",
                  page->tools,
                  step == CUPEL_GW_JOB_DONE && page->teaches ? "learned" : "not learned",
                  *page->reason != '\0' ? ": " : "", page->reason);
}

struct text_sink {
    char *bytes;
    size_t len;
};

static int append_text(void *data, const char *bytes, size_t len)
{
    struct text_sink *to = data;
    ngx_memcpy(to->bytes + to->len, bytes, len);
    to->len += len;
    return 0;
}

/* Writes the list without the tools that the policy hides.  Without memory an error takes its
 * place. */
static void hide_tools(ngx_http_cupel_ctx_t *ctx, struct cupel_gw_job *job,
                       ngx_http_cupel_page_t *page)
{
    const struct cupel_gw_cut *cuts;
    struct cupel_gw_text text = cupel_gw_job_text(job);
    size_t count = cupel_gw_job_cuts(job, &ctx->conf->policy, &cuts);
    page->fate = count == 0 ? CUPEL_GW_LIST_PASSES : CUPEL_GW_LIST_REPLACED;
    if (count == 0)
        return;
    ngx_http_cupel_event_t event = {
        .catalog = ctx->conf->catalog, .verdict = "hidden", .reason = ""};
    ngx_http_cupel_count(ngx_http_cupel_main(ctx->r), &event);
    struct text_sink to = {ngx_pnalloc(ctx->r->pool, text.len + 1), 0};
    struct cupel_gw_sink sink = {append_text, &to};
    if (count == SIZE_MAX || to.bytes == NULL)
        return;
    (void)cupel_gw_cut_text(text.bytes, text.len, cuts, count, &sink);
    page->instead = (struct cupel_gw_text){to.bytes, to.len};
}

/* The list whose fate is not known yet, or NULL: the last one. */
static ngx_http_cupel_page_t *unknown_page(const ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_cupel_page_t *pages = ctx->pages.elts;
    ngx_uint_t count = ctx->pages.nelts;
    return count != 0 && pages[count - 1].fate == CUPEL_GW_LIST_LATER ? &pages[count - 1] : NULL;
}

/* The job of a list has ended.  A list of which the tools are not known does not go out where tools
 * have to be hidden. */
static void page_learned(void *data, enum cupel_gw_job_step step)
{
    ngx_http_cupel_ctx_t *ctx = data;
    ngx_http_cupel_page_t *page = unknown_page(ctx);
    log_page(ctx, cupel_gw_job_page(ctx->work.job), step);
    if (page != NULL) {
        page->fate = CUPEL_GW_LIST_REPLACED;
        if (step == CUPEL_GW_JOB_DONE)
            hide_tools(ctx, ctx->work.job, page);
    }
    ngx_http_cupel_stop_work(&ctx->work);
    if (ctx->learning)
        ctx->go_on(ctx);
}

static void start_learning(ngx_http_cupel_ctx_t *ctx, struct cupel_gw_job *job)
{
    ctx->learning = 1;
    ctx->work.job = job;
    ctx->work.done = page_learned;
    ctx->work.ctx = ctx;
    ngx_http_cupel_start_work(&ctx->work, ctx->r->connection->log);
}

static bool hides(const ngx_http_cupel_ctx_t *ctx)
{
    const struct cupel_gw_policy *policy = &ctx->conf->policy;
    return policy->mode == CUPEL_GW_ENFORCE && (policy->changed == CUPEL_GW_WITHHOLD_HIDE ||
                                                policy->hidden_text == CUPEL_GW_WITHHOLD_HIDE);
}

/* A record for a new list; NULL without memory. */
static ngx_http_cupel_page_t *add_page(ngx_http_cupel_ctx_t *ctx,
                                       const struct cupel_gw_list_answer *answer)
{
    if (ctx->pages.elts == NULL &&
        ngx_array_init(&ctx->pages, ctx->r->pool, 1, sizeof(ngx_http_cupel_page_t)) != NGX_OK)
        return NULL;
    ctx->pages.nelts = answer->index;
    ngx_http_cupel_page_t *page = ngx_array_push(&ctx->pages);
    if (page != NULL)
        ngx_memzero(page, sizeof(*page));
    return page;
}

/* Begins to learn a list.  LATER: some of its tools may have to be hidden, which is known when it
 * is learned.  PASSES: the body filter holds the list back until then. */
static enum cupel_gw_list_disposition learn_page(ngx_http_cupel_ctx_t *ctx,
                                                 const struct cupel_gw_list_answer *answer)
{
    const ngx_http_cupel_main_conf_t *main = ngx_http_cupel_main(ctx->r);
    struct cupel_gw_job *job;
    if (ctx->work.job != NULL) /* a second list while the first is learned: of a batch */
        ngx_http_cupel_stop_work(&ctx->work);
    enum cupel_status status =
        cupel_gw_learn_begin(main->learner, &ctx->conf->catalog->learning, &ctx->id,
                             answer->note->cursor, answer->text, &job, NULL);
    if (status == CUPEL_OK) {
        start_learning(ctx, job);
        return hides(ctx) ? CUPEL_GW_LIST_LATER : CUPEL_GW_LIST_PASSES;
    }
    /* CUPEL_E_ARGUMENT: clients may find another list in the text than the gateway, or none. */
    return hides(ctx) || status == CUPEL_E_ARGUMENT ? CUPEL_GW_LIST_REPLACED : CUPEL_GW_LIST_PASSES;
}

/* For the core: struct cupel_gw_lists. */
static enum cupel_gw_list_disposition take_page(void *data, struct cupel_gw_exchange *x,
                                                const struct cupel_gw_list_answer *answer,
                                                struct cupel_gw_text *ret)
{
    ngx_http_cupel_ctx_t *ctx = data;
    const ngx_http_cupel_page_t *known = ctx->pages.elts;
    (void)x;
    *ret = (struct cupel_gw_text){NULL, 0};
    if (!hides(ctx))
        return learn_page(ctx, answer);
    if (answer->again && answer->index < ctx->pages.nelts) {
        *ret = known[answer->index].instead;
        return known[answer->index].fate;
    }
    ngx_http_cupel_page_t *page = add_page(ctx, answer);
    return page != NULL ? page->fate = learn_page(ctx, answer) : CUPEL_GW_LIST_REPLACED;
}
