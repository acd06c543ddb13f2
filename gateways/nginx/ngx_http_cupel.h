/* ngx_http_cupel.h: what the files of the module share.
 *
 * The module judges MCP messages in the request, before an upstream sees them:
 *
 *   ngx_http_cupel_config.c    directives
 *   ngx_http_cupel_catalog.c   catalogs, compiled once for each configuration
 *   ngx_http_cupel_guard.c     what other modules are configured to do in a judged location
 *   ngx_http_cupel_phase.c     the handler: has the body read and judged, lets pass or answers
 *   ngx_http_cupel_record.c    the record of a request, which outlives redirects within nginx
 *   ngx_http_cupel_body.c      the body as it was read, and the bound on it
 *   ngx_http_cupel_request.c   judges the body
 *   ngx_http_cupel_batch.c     several messages in one body
 *   ngx_http_cupel_fields.c    the request's header, to be compared with its body
 *   ngx_http_cupel_answer.c    what is sent instead of passing a request on
 *   ngx_http_cupel_filter.c    what the upstream answered: results checked, 413 told in JSON
 *   ngx_http_cupel_series.c    counters shared by the workers, and the page that prints them
 *   ngx_http_cupel_variable.c  variables for logs
 *
 * Names follow nginx's custom, for nginx calls into these files; all of libcupel is behind its
 * public headers. */
#ifndef NGX_HTTP_CUPEL_H
#define NGX_HTTP_CUPEL_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include <cupel/cupel.h>

/* -- Configuration ------------------------------------------------------------------------------
 */

/* The tools of one server.  Immutable once made, so the workers share its pages. */
typedef struct {
    ngx_str_t name;
    ngx_array_t files;   /* of ngx_str_t: the pages of the list, in order */
    ngx_str_t conf_file; /* where the directive stands */
    ngx_uint_t conf_line;
    enum cupel_mcp_profile profile;
    ngx_uint_t strict_names;
    struct cupel_catalog *tools;
} ngx_http_cupel_catalog_t;

typedef struct {
    ngx_array_t catalogs; /* of ngx_http_cupel_catalog_t */
    struct cupel_options options;
    size_t zone_size;
    ngx_shm_zone_t *zone;
    /* Of the worker: it has one thread, and judging never waits. */
    struct cupel_caller *caller;
    struct cupel_text answer, answers;    /* to one message, to those of a batch */
    struct ngx_http_cupel_links_s *links; /* series known to this worker */
} ngx_http_cupel_main_conf_t;

enum { NGX_HTTP_CUPEL_REFUSE = 0, NGX_HTTP_CUPEL_PASS = 1 };
enum { NGX_HTTP_CUPEL_OFF = 0, NGX_HTTP_CUPEL_AUTO = 1, NGX_HTTP_CUPEL_REQUIRE = 2 };
enum { NGX_HTTP_CUPEL_ENFORCE = 0, NGX_HTTP_CUPEL_REPORT = 1 };

/* What `cupel_allow` allows, beside the bits of enum cupel_gw_allow. */
enum { NGX_HTTP_CUPEL_ALLOW_ACCEL = 1 << 16 };

typedef struct {
    ngx_str_t catalog_name;
    ngx_http_cupel_catalog_t *catalog; /* NULL: off */
    ngx_uint_t mode;                   /* enforce, report */
    ngx_uint_t unknown_tool;           /* refuse, pass */
    ngx_uint_t undecided;
    ngx_uint_t headers; /* off, auto, require */
    ngx_flag_t results;
    ngx_uint_t allow;
} ngx_http_cupel_loc_conf_t;

/* -- A request ----------------------------------------------------------------------------------
 */

typedef struct {
    const ngx_http_cupel_loc_conf_t *conf; /* of the location that judges, whatever comes later */
    size_t received;                       /* of the body */

    const char *verdict;                 /* static; NULL before it was judged */
    const char *reason;                  /* static */
    ngx_str_t tool;                      /* as requested, in the request's pool */
    const struct cupel_tool *definition; /* of the catalog, or NULL */
    uint64_t steps;
    uint64_t nanoseconds;

    ngx_uint_t status; /* HTTP status of the answer below; 0: let it pass */
    ngx_str_t answer;  /* JSON, in the request's pool */

    ngx_str_t id;       /* of the request, as it was written */
    ngx_str_t held;     /* the upstream's response while it is held back */
    size_t held_size;   /* what there is room for */
    const char *result; /* verdict of the response; NULL before it was judged */

    unsigned judged : 1;
    unsigned answered : 1; /* nothing of the upstream's is to be sent any more */
    unsigned exchange : 1; /* the answer replaces what comes through the filter */
    unsigned holding : 1;
} ngx_http_cupel_ctx_t;

extern ngx_module_t ngx_http_cupel_module;
extern ngx_module_t ngx_http_cupel_filter_module;

/* -- Between the files --------------------------------------------------------------------------
 */

/* For a configuration: the catalogs compiled, in the order of `catalogs`.  NGX_CONF_OK, or
 * NGX_CONF_ERROR after saying why. */
char *ngx_http_cupel_load_catalogs(ngx_conf_t *cf, ngx_http_cupel_main_conf_t *conf);

/* The content of a regular file, in cf->temp_pool.  NGX_OK, or NGX_ERROR after saying why. */
ngx_int_t ngx_http_cupel_read_file(ngx_conf_t *cf, const ngx_str_t *name, ngx_str_t *ret);

/* Makes other modules' settings in a judged location harmless, at the end of merging.  Why that
 * cannot be done, or NULL. */
const char *ngx_http_cupel_guard(ngx_conf_t *cf, const ngx_http_cupel_loc_conf_t *conf);

/* The record of the main request of `r`; NULL if it is in no judged location. */
ngx_http_cupel_ctx_t *ngx_http_cupel_get_ctx(ngx_http_request_t *r);

/* Makes one, for the location in which the main request is; NULL without memory. */
ngx_http_cupel_ctx_t *ngx_http_cupel_new_ctx(ngx_http_request_t *r);

/* The phase handler. */
ngx_int_t ngx_http_cupel_handler(ngx_http_request_t *r);

/* The length of the body as it was read. */
off_t ngx_http_cupel_body_length(ngx_http_request_t *r);

/* The body in one piece, of the length above: where it lies, or a copy in the request's pool.
 * NGX_OK or NGX_ERROR. */
ngx_int_t ngx_http_cupel_whole_body(ngx_http_request_t *r, size_t len, ngx_str_t *ret);

/* Puts the filter that bounds request bodies before the others. */
void ngx_http_cupel_add_body_filter(void);

/* Judges the body that has arrived.  Whatever goes wrong refuses the request. */
void ngx_http_cupel_judge_body(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx);

/* Counts and logs the judgement. */
void ngx_http_cupel_finish_judging(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx);

/* Refuses a body that is over the limit. */
void ngx_http_cupel_refuse_large(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx);

/* Whether a message with this verdict may go on, by the policies of the location. */
ngx_uint_t ngx_http_cupel_passes(ngx_http_request_t *r, enum cupel_call_verdict verdict,
                                 const struct cupel_call_outcome *outcome);

/* Keeps what logs, counters and the filter need to know of a judged message. */
void ngx_http_cupel_note(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx,
                         enum cupel_call_verdict verdict, const struct cupel_call_outcome *outcome);

/* Whether the body is a batch, in a catalog whose version has them. */
ngx_uint_t ngx_http_cupel_is_batch(const ngx_http_cupel_catalog_t *catalog, const ngx_str_t *body);

/* Judges a batch; ctx->status and ctx->answer are set unless it may pass.  NGX_OK or NGX_ERROR. */
ngx_int_t ngx_http_cupel_judge_batch(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx,
                                     const ngx_str_t *body);

/* Notes that a request is refused with this HTTP status and static JSON text. */
void ngx_http_cupel_refuse(ngx_http_cupel_ctx_t *ctx, ngx_uint_t status, const char *verdict,
                           const char *reason, const char *json);

/* The last buffer of a response, with this text; NULL without memory. */
ngx_buf_t *ngx_http_cupel_answer_buf(ngx_pool_t *pool, const ngx_str_t *answer);

/* Sends ctx->answer and ends the request. */
void ngx_http_cupel_send(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx);

/* JSON-RPC errors of the gateway's own.  The first also stands for the page that nginx would send
 * in HTML. */
extern const char ngx_http_cupel_too_large[];
extern const char ngx_http_cupel_not_json[];
extern const char ngx_http_cupel_no_body[];
extern const char ngx_http_cupel_no_memory[];

/* Makes a JSON-RPC error -32603 with the request's id the answer.  The message is plain ASCII
 * without quotes.  NGX_OK or NGX_ERROR. */
ngx_int_t ngx_http_cupel_internal_error(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx,
                                        const char *message);

/* Whether a header's value is the media type application/json, parameters aside. */
ngx_uint_t ngx_http_cupel_is_json(const ngx_str_t *value);

/* Whether a header says that the body is encoded (`identity` is not). */
ngx_uint_t ngx_http_cupel_is_encoded(ngx_list_t *headers);

/* What is counted of a message: verdict and reason are static texts. */
typedef struct {
    const struct cupel_tool *definition;
    const char *verdict;
    const char *reason;
    uint64_t steps;
    uint64_t nanoseconds;
} ngx_http_cupel_event_t;

/* Counts a judged message. */
void ngx_http_cupel_count(ngx_http_request_t *r, const ngx_http_cupel_event_t *event);

/* The fields of the request's header that are to be compared with its body; NULL if none are.
 * NGX_OK or NGX_ERROR. */
ngx_int_t ngx_http_cupel_fields(ngx_http_request_t *r, ngx_uint_t mode, ngx_array_t **ret);

/* A clock that only goes forward. */
uint64_t ngx_http_cupel_nanoseconds(void);

/* Copies text into a pool.  NGX_OK or NGX_ERROR. */
ngx_int_t ngx_http_cupel_keep(ngx_pool_t *pool, const char *bytes, size_t len, ngx_str_t *ret);

ngx_int_t ngx_http_cupel_init_zone(ngx_shm_zone_t *zone, void *data);
struct ngx_http_cupel_links_s *ngx_http_cupel_new_links(ngx_pool_t *pool);
ngx_int_t ngx_http_cupel_status_handler(ngx_http_request_t *r);

ngx_int_t ngx_http_cupel_add_variables(ngx_conf_t *cf);

#endif
