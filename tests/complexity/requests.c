/* requests.c: that a gateway's work for a request grows in proportion to the request, for fields of
 * HTTP and names of arguments made to grow it faster.
 *
 * request_families.h has the families.  The processor time of eight times the
 * size may be eight times as much, with a margin that still tells linear from quadratic (64).
 *
 *   requests [--show] [FAMILY] */
#include "gateways/common/request/request.h"
#include "request_families.h"
#include "test.h"
#include "test_arena.h"
#include <time.h>

enum { GROWTH = 8, MOST = 24 };

/* -- Measuring ------------------------------------------------------------------------------- */

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct cupel_options large_options(void)
{
    struct cupel_options options;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = 64 << 20;
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 64 << 20;
    options.limits[CUPEL_LIMIT_SUBSCHEMAS] = 1 << 20;
    options.limits[CUPEL_LIMIT_IMAGE_BYTES] = 64 << 20;
    options.limits[CUPEL_LIMIT_COMPILE_BYTES] = SIZE_MAX;
    options.limits[CUPEL_LIMIT_STEPS] = UINT64_MAX / 2;
    return options;
}

static struct cupel_catalog *make_catalog(const struct request *r)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    struct cupel_text text;
    cupel_catalog_options_init(&options);
    struct cupel_options engine = large_options();
    options.engine = &engine;
    options.catalog_bytes = 64 << 20;
    cupel_text_init(&text, NULL);
    cupel_text_addf(&text, "[{\"name\":\"t\",\"inputSchema\":");
    cupel_text_add(&text, r->schema.bytes, r->schema.len);
    cupel_text_adds(&text, "}]");
    CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, text.bytes, text.len, NULL), CUPEL_OK);
    CHECK(cupel_catalog_find(catalog, "t", 1) != NULL &&
          cupel_catalog_find(catalog, "t", 1)->verdict != CUPEL_TOOL_INVALID);
    cupel_text_free(&text);
    return catalog;
}

/* Judges the request once; seconds. */
static double judge(const struct request *r, const struct cupel_catalog *catalog,
                    struct cupel_gw_worker *worker, const struct cupel_text *body)
{
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory = test_arena_of(&arena);
    struct cupel_gw_policy policy;
    struct cupel_gw_exchange x;
    struct cupel_gw_request_head head = {.method = {"POST", 4},
                                         .fields = r->fields,
                                         .field_count = r->field_count,
                                         .has_length = true,
                                         .content_length = body->len};
    cupel_gw_policy_init(&policy);
    policy.profile = CUPEL_MCP_2025_11_25;
    policy.limits.body = 64 << 20;
    double start = processor_time();
    cupel_gw_exchange_init(&x, worker, &policy, &memory);
    x.catalog = catalog;
    enum cupel_gw_step step = cupel_gw_request_head(&x, &head);
    CHECK_INT(step, CUPEL_GW_BODY);
    step = cupel_gw_request_judge_text(&x, body->bytes, body->len);
    double time = processor_time() - start;
    if (x.request.verdict == NULL || strcmp(x.request.verdict, "undecided") == 0)
        fprintf(stderr, "    %s\n", x.request.reason);
    CHECK(x.request.verdict != NULL && strcmp(x.request.verdict, "undecided") != 0);
    test_arena_free(&arena);
    return time;
}

/* The processor time of a request, the best of several. */
static double measure(const struct request_family *family, unsigned n)
{
    static struct request r;
    struct cupel_options options = large_options();
    struct cupel_gw_worker *worker = NULL;
    struct cupel_text body;
    double best = 0;
    cupel_text_init(&body, NULL);
    begin_request(&r);
    family->write(&r, n);
    set_fields(&r);
    write_request(&r, &body);
    struct cupel_catalog *catalog = make_catalog(&r);
    CHECK_INT(cupel_gw_worker_new(&options, NULL, NULL, &worker), CUPEL_OK);
    for (int i = 0; i < 5; i++) {
        double time = judge(&r, catalog, worker, &body);
        best = i == 0 || time < best ? time : best;
    }
    cupel_gw_worker_free(worker);
    cupel_catalog_free(catalog);
    cupel_text_free(&body);
    end_request(&r);
    return best;
}

int main(int argc, char **argv)
{
    bool show = argc > 1 && strcmp(argv[1], "--show") == 0;
    for (size_t i = 0; i < sizeof(request_families) / sizeof(request_families[0]); i++) {
        const struct request_family *family = &request_families[i];
        if (argc > 1 + show && strcmp(argv[argc - 1], family->name) != 0)
            continue;
        double first = measure(family, family->n), now = measure(family, GROWTH * family->n);
        bool good = CHECK(now <= 0.0005 + MOST * first);
        if (show || !good)
            fprintf(stderr, "    %s: %.3f ms for %u, %.3f ms for %u\n", family->name, 1e3 * first,
                    family->n, 1e3 * now, GROWTH * family->n);
    }
    return test_end();
}
