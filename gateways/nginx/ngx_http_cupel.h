/* ngx_http_cupel.h: what the files of the module share.
 *
 * The module puts gateways/common behind nginx: the core reads and judges messages, learns catalogs
 * and attributes results; the module has nginx's connections, phases, filters, memory and time.
 *
 *   ngx_http_cupel_config.c    directives
 *   ngx_http_cupel_limits.c    directives of limits
 *   ngx_http_cupel_conf.c      where the other files find the configuration
 *   ngx_http_cupel_catalog.c   catalogs of files, compiled once for each configuration
 *   ngx_http_cupel_guard.c     what other modules are configured to do in a judged location
 *   ngx_http_cupel_phase.c     the handler: has the body read and judged, lets pass or answers
 *   ngx_http_cupel_record.c    the record of a request, which outlives redirects within nginx
 *   ngx_http_cupel_body.c      the body as it was read, and the bound on it
 *   ngx_http_cupel_request.c   hands the request to the core
 *   ngx_http_cupel_judgement.c counts, logs and refuses what was judged
 *   ngx_http_cupel_wait.c      requests that wait for a catalog
 *   ngx_http_cupel_learn.c     learned catalogs: the shared store, callers, jobs
 *   ngx_http_cupel_fetch.c     lists that the module requests from the upstream
 *   ngx_http_cupel_memory.c    shared tables by which results are attributed
 *   ngx_http_cupel_filter.c    hands the response to the core, and sends what comes of it
 *   ngx_http_cupel_output.c    buffers of a response
 *   ngx_http_cupel_answer.c    sends the module's own answers
 *   ngx_http_cupel_series.c    counters shared by the workers
 *   ngx_http_cupel_status.c    the page that prints them
 *   ngx_http_cupel_variable.c  variables for logs
 *
 * Names follow nginx's custom, for nginx calls into these files. */
#ifndef NGX_HTTP_CUPEL_H
#define NGX_HTTP_CUPEL_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "gateways/common/exchange/exchange.h"
#include "gateways/common/learn/learn.h"
#include "gateways/common/request/request.h"
#include "gateways/common/response/response.h"

/* -- Configuration --------------------------------------------------------------------------- */

/* The tools of one server. */
typedef struct {
    ngx_str_t name;
    ngx_array_t files;   /* of ngx_str_t: the pages of the list, in order */
    ngx_str_t conf_file; /* where the directive stands */
    ngx_uint_t conf_line;
    enum cupel_mcp_profile profile;
    ngx_uint_t strict_names;
    ngx_str_t pins_file;
    struct cupel_lock *pins;

    /* of files; immutable once made, so the workers share its pages */
    struct cupel_catalog *tools;
    uint8_t *withheld; /* of each tool: enum cupel_gw_withheld_why */

    /* learned */
    ngx_uint_t learns;
    enum cupel_gw_caller_by by;
    ngx_int_t key_variable; /* index of the variable of key= */
    ngx_str_t key_field;    /* the field that this variable is, or empty */
    ngx_uint_t most;        /* max= */
    struct cupel_gw_learn_config learning;
} ngx_http_cupel_catalog_t;

typedef struct {
    ngx_array_t catalogs; /* of ngx_http_cupel_catalog_t */
    struct cupel_options options;
    struct cupel_gw_limits limits;
    struct cupel_gw_learn_config learning; /* bounds for all learned catalogs */
    size_t status_size, store_size, memory_size;
    ngx_shm_zone_t *status_zone, *store_zone, *memory_zone;
    /* Of the worker: it has one thread, and judging never waits. */
    struct cupel_gw_worker *worker;
    struct cupel_gw_store *store;
    struct cupel_gw_learner *learner;
    struct cupel_gw_memory memory;
    struct ngx_http_cupel_series_cache_s *series_cache; /* series known to this worker */
} ngx_http_cupel_main_conf_t;

/* Bits of `cupel_allow`: those of enum cupel_gw_allow, moved by one, because the first bit of
 * nginx's bit masks tells whether something was set, and one of the module's own. */
enum { NGX_HTTP_CUPEL_ALLOW_SHIFT = 1, NGX_HTTP_CUPEL_ALLOW_ACCEL = 1 << 16 };

typedef struct {
    ngx_str_t catalog_name;
    ngx_http_cupel_catalog_t *catalog; /* NULL: off */
    ngx_str_t name; /* of catalog, server and location: the same after a reload */
    ngx_uint_t mode, unknown_tool, undecided, unattributed, headers, argument_names, results;
    ngx_uint_t changed, hidden_text, unlearned, allow;
    ngx_flag_t elicitation;
    ngx_uint_t proxy_index; /* index of the proxy module */
    size_t
        proxy_url; /* offset, in its configuration, of the scripts of a proxy_pass with variables */
    struct cupel_gw_policy policy; /* made of the above */
    struct cupel_gw_policy known;  /* the same once a list of the location was learned */
} ngx_http_cupel_loc_conf_t;

/* -- A request ------------------------------------------------------------------------------- */

/* A job that runs in pieces, between which the worker serves other requests. */
typedef struct {
    ngx_event_t event;
    struct cupel_gw_job *job;
    void (*done)(void *ctx, enum cupel_gw_job_step step); /* ends the job */
    void *ctx;
} ngx_http_cupel_work_t;

/* What leaves through the body filter. */
typedef struct {
    ngx_chain_t *in; /* of the upstream, not handed to the core yet */
    ngx_chain_t *out, **last;
    ngx_chain_t *free, *busy;
} ngx_http_cupel_output_t;

/* What becomes of a list of which tools may be hidden. */
typedef struct {
    enum cupel_gw_list_disposition fate; /* LATER until it is known */
    struct cupel_gw_text instead;        /* REPLACED */
} ngx_http_cupel_page_t;

enum ngx_http_cupel_state {
    NGX_HTTP_CUPEL_READING = 0, /* the body is being read */
    NGX_HTTP_CUPEL_READ,        /* it is there, and can be judged */
    NGX_HTTP_CUPEL_WAITING,     /* for a catalog */
    NGX_HTTP_CUPEL_JUDGED
};

enum ngx_http_cupel_reply {
    NGX_HTTP_CUPEL_THROUGH = 0, /* the response goes on as it comes */
    NGX_HTTP_CUPEL_HELD,        /* nothing has gone out */
    NGX_HTTP_CUPEL_STREAMED,    /* what the core writes goes out */
    NGX_HTTP_CUPEL_OVER         /* nothing more goes out */
};

typedef struct ngx_http_cupel_ctx_s {
    ngx_http_request_t *r;
    const ngx_http_cupel_loc_conf_t *conf; /* of the location that judges, whatever comes later */
    struct cupel_gw_exchange x;
    struct cupel_gw_identity id; /* learned catalogs */
    struct cupel_gw_list *list;
    ngx_http_cupel_work_t work;
    struct ngx_http_cupel_fetch_s *fetch;
    ngx_msec_t wait_deadline; /* until when it waits for lists that others fetch; 0: not set */
    struct cupel_gw_lists lists;
    ngx_array_t pages; /* of ngx_http_cupel_page_t: the lists of the text that is judged, in order;
                          `work` reads the last one */
    struct cupel_gw_counter counter;

    size_t received; /* of the body */
    ngx_str_t body;
    uint64_t nanoseconds;

    ngx_http_cupel_output_t output;
    ngx_http_upstream_t *upstream; /* whose response is read */
    ngx_event_t deadline;

    enum ngx_http_cupel_state state;
    enum ngx_http_cupel_reply reply;
    void (*go_on)(struct ngx_http_cupel_ctx_s *ctx); /* once a list in the response is learned */
    unsigned refused : 1;                            /* x.answer goes out in place of the request */
    unsigned answered : 1;                           /* and was sent */
    unsigned header_gone : 1;                        /* of a response */
    unsigned learning : 1;    /* a list in the response is learned before the response goes out */
    unsigned waiting : 1;     /* the core's step was WAIT */
    unsigned last_read : 1;   /* the piece for which it was WAIT is the last of the response */
    unsigned sending : 1;     /* the next body filter runs: it may call the first one */
    unsigned load_failed : 1; /* a list of another worker could not be loaded */
} ngx_http_cupel_ctx_t;

extern ngx_module_t ngx_http_cupel_module;
extern ngx_module_t ngx_http_cupel_filter_module;

/* -- What nginx keeps for the module --------------------------------------------------------- */

void ngx_http_cupel_set_module(ngx_module_t *self);
ngx_http_cupel_main_conf_t *ngx_http_cupel_main(const ngx_http_request_t *r);
const ngx_http_cupel_loc_conf_t *ngx_http_cupel_location(const ngx_http_request_t *r);
/* The record that nginx keeps; it forgets it at redirects (ngx_http_cupel_get_ctx does not). */
ngx_http_cupel_ctx_t *ngx_http_cupel_context(const ngx_http_request_t *r);
void ngx_http_cupel_set_context(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx);

/* -- Configuration --------------------------------------------------------------------------- */

/* Whether a value begins with a name such as "key="; *ret is the rest of it. */
ngx_uint_t ngx_http_cupel_has_prefix(const ngx_str_t *value, const char *name, ngx_str_t *ret);

/* The directives cupel_limits and cupel_learn_limits. */
char *ngx_http_cupel_set_limits(ngx_conf_t *cf, ngx_command_t *command, void *conf);
char *ngx_http_cupel_set_learn_limits(ngx_conf_t *cf, ngx_command_t *command, void *conf);

/* Compiles the catalogs and reads the pins of a configuration.  NGX_CONF_OK, or NGX_CONF_ERROR
 * after saying why. */
char *ngx_http_cupel_load_catalogs(ngx_conf_t *cf, ngx_http_cupel_main_conf_t *conf);

/* Makes other modules' settings in a judged location harmless, at the end of merging, and finds the
 * location's proxy_pass.  Why that cannot be done, or NULL. */
const char *ngx_http_cupel_guard(ngx_conf_t *cf, ngx_http_cupel_loc_conf_t *conf);

/* -- Requests -------------------------------------------------------------------------------- */

/* The record of the main request of `r`; NULL if it is in no judged location. */
ngx_http_cupel_ctx_t *ngx_http_cupel_get_ctx(ngx_http_request_t *r);

/* Makes one, for the location in which the main request is; NULL without memory. */
ngx_http_cupel_ctx_t *ngx_http_cupel_new_ctx(ngx_http_request_t *r);

/* The phase handler. */
ngx_int_t ngx_http_cupel_handler(ngx_http_request_t *r);

/* Lets a request wait, and runs the phases again for one that waited. */
void ngx_http_cupel_wait(ngx_http_cupel_ctx_t *ctx);
void ngx_http_cupel_resume(ngx_http_cupel_ctx_t *ctx);

/* Puts the filter that bounds request bodies before the others. */
void ngx_http_cupel_add_body_filter(void);

/* The body in one piece: where it lies, or a copy in the request's pool.  NGX_OK or NGX_ERROR. */
ngx_int_t ngx_http_cupel_whole_body(ngx_http_request_t *r, ngx_str_t *ret);

/* Hands the head, and the body when it has come, to the core. */
enum cupel_gw_step ngx_http_cupel_judge_head(ngx_http_cupel_ctx_t *ctx);
enum cupel_gw_step ngx_http_cupel_judge_body(ngx_http_cupel_ctx_t *ctx);

/* For the core: the word under which calls of this tool are refused because it is held back, or
 * NULL. */
const char *ngx_http_cupel_why_withheld(void *data, const struct cupel_tool *tool);

/* For the core: counts what was judged in a response. */
void ngx_http_cupel_count_response(void *data, struct cupel_gw_exchange *x,
                                   const struct cupel_tool *definition,
                                   const struct cupel_gw_count *count);

/* Refuses with a JSON-RPC error of the module's own; `verdict` and `reason` are for counters. */
void ngx_http_cupel_refuse(ngx_http_cupel_ctx_t *ctx, ngx_uint_t status, int code,
                           const char *verdict, const char *reason, const char *message);

/* Refuses a body that is over the limit. */
void ngx_http_cupel_refuse_large(ngx_http_cupel_ctx_t *ctx);

/* Counts and logs the judgement; the request is refused if it is not to pass. */
void ngx_http_cupel_finish_judging(ngx_http_cupel_ctx_t *ctx);

/* Sends x.answer and ends the request. */
void ngx_http_cupel_send(ngx_http_cupel_ctx_t *ctx);

/* -- Learning -------------------------------------------------------------------------------- */

enum ngx_http_cupel_turn {
    NGX_HTTP_CUPEL_GO_ON = 0, /* x.catalog is set, if a list is known */
    NGX_HTTP_CUPEL_WAIT       /* the phases run again when it is */
};

/* The value of the first field of the request with this name, given in lower case; bytes NULL if
 * there is none. */
struct cupel_gw_text ngx_http_cupel_find_field(ngx_http_request_t *r, const char *name);

/* Finds out whose list counts for the request, and takes it. */
void ngx_http_cupel_identify(ngx_http_cupel_ctx_t *ctx);
enum ngx_http_cupel_turn ngx_http_cupel_take_catalog(ngx_http_cupel_ctx_t *ctx);

/* Gives back what the request holds, at its end. */
void ngx_http_cupel_end_learning(ngx_http_cupel_ctx_t *ctx);

/* Requests the list, or waits for the request that does. */
enum ngx_http_cupel_turn ngx_http_cupel_fetch(ngx_http_cupel_ctx_t *ctx);
void ngx_http_cupel_end_fetch(ngx_http_cupel_ctx_t *ctx);

/* Whether `r` is the module's own request for a list; its filters. */
ngx_uint_t ngx_http_cupel_is_fetch(const ngx_http_request_t *r);
ngx_int_t ngx_http_cupel_fetch_header(ngx_http_request_t *r);
ngx_int_t ngx_http_cupel_fetch_body(ngx_http_request_t *r, ngx_chain_t *in);

/* Runs a job, soon; ends a job, whether it has run or not. */
void ngx_http_cupel_start_work(ngx_http_cupel_work_t *work, ngx_log_t *log);
void ngx_http_cupel_stop_work(ngx_http_cupel_work_t *work);

ngx_int_t ngx_http_cupel_init_store(ngx_shm_zone_t *zone, void *data);
ngx_int_t ngx_http_cupel_open_store(ngx_http_cupel_main_conf_t *conf, ngx_log_t *log);
ngx_int_t ngx_http_cupel_init_memory(ngx_shm_zone_t *zone, void *data);
void ngx_http_cupel_open_memory(ngx_http_cupel_main_conf_t *conf);

/* Takes nearly all of a zone in one block. NULL if there is not as much as `least`. */
void *ngx_http_cupel_take_zone(ngx_shm_zone_t *zone, size_t least, size_t *ret_size);

int ngx_http_cupel_random(void *ctx, void *bytes, size_t len);

/* -- Responses ------------------------------------------------------------------------------- */

void ngx_http_cupel_init_output(ngx_http_cupel_output_t *output);

/* Appends bytes, a mark that what came before has to go out at once, or the end of the response.
 * NGX_OK or NGX_ERROR. */
ngx_int_t ngx_http_cupel_write(ngx_http_request_t *r, ngx_http_cupel_output_t *output,
                               const char *bytes, size_t len);
ngx_int_t ngx_http_cupel_write_flush(ngx_http_request_t *r, ngx_http_cupel_output_t *output);
ngx_int_t ngx_http_cupel_write_last(ngx_http_request_t *r, ngx_http_cupel_output_t *output);

/* Hands over what was appended. */
ngx_int_t ngx_http_cupel_flush(ngx_http_request_t *r, ngx_http_cupel_output_t *output,
                               ngx_http_output_body_filter_pt next);

/* Whether the client is so slow that no more should be appended. */
ngx_uint_t ngx_http_cupel_is_full(const ngx_http_cupel_output_t *output);

/* Makes the header one of an answer, with the fields that the core sets.  NGX_OK or NGX_ERROR. */
ngx_int_t ngx_http_cupel_describe(ngx_http_request_t *r, const struct cupel_gw_answer *answer);

/* Has nginx end the upstream's response in good order, whatever is still to come.  NULL does
 * nothing. */
void ngx_http_cupel_end_upstream(ngx_http_upstream_t *u);

/* The last buffer of a response, with this text; NULL without memory. */
ngx_buf_t *ngx_http_cupel_answer_buf(ngx_pool_t *pool, const struct cupel_gw_answer *answer);

/* -- Seen outside ---------------------------------------------------------------------------- */

/* What is counted of a message: verdict and reason are static texts. */
typedef struct {
    const ngx_http_cupel_catalog_t *catalog;
    struct cupel_gw_text tool; /* of the catalog; bytes NULL: none, or none that is known */
    const char *verdict;
    const char *reason;
    uint64_t steps;
    uint64_t nanoseconds;
} ngx_http_cupel_event_t;

/* Counts a judged message. */
void ngx_http_cupel_count(ngx_http_cupel_main_conf_t *main, const ngx_http_cupel_event_t *event);

/* A clock that only goes forward. */
uint64_t ngx_http_cupel_nanoseconds(void *ctx);
uint64_t ngx_http_cupel_milliseconds(void *ctx);

/* The bytes of the zone of the counters that suffice for so many catalogs. */
size_t ngx_http_cupel_least_zone(ngx_uint_t catalogs);

ngx_int_t ngx_http_cupel_init_zone(ngx_shm_zone_t *zone, void *data);
struct ngx_http_cupel_series_cache_s *ngx_http_cupel_new_series_cache(ngx_pool_t *pool);
ngx_int_t ngx_http_cupel_status_handler(ngx_http_request_t *r);

ngx_int_t ngx_http_cupel_add_variables(ngx_conf_t *cf);

/* The character at *at, which moves behind it; over 0x10FFFF if there is none within `len` bytes.
 */
static inline uint32_t ngx_http_cupel_decode(u_char **at, size_t len)
{
    return **at < 0x80 ? *(*at)++ : ngx_utf8_decode(at, len);
}

#endif
