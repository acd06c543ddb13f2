/* requests.c: that a gateway's work for a request grows in proportion to the request, for fields of
 * HTTP and names of arguments made to grow it faster.
 *
 * A family writes a schema, fields and arguments of size n.  The processor time of eight times the
 * size may be eight times as much, with a margin that still tells linear from quadratic (64).
 *
 *   requests [--show] [FAMILY] */
#include "gateways/common/request/request.h"
#include "test.h"
#include "test_arena.h"
#include <time.h>

enum { GROWTH = 8, MOST = 24, MOST_FIELDS = 1 << 16 };

/* -- Families -------------------------------------------------------------------------------- */

/* What is sent. */
struct request {
    struct cupel_text schema, names, arguments; /* names: of fields, each followed by a NUL */
    struct cupel_header fields[MOST_FIELDS];
    size_t field_count, field_names[MOST_FIELDS]; /* where each name begins in `names` */
    const char *value;                            /* of every field but Content-Type */
};

static void add_field(struct request *r, const char *name)
{
    r->field_names[r->field_count++] = r->names.len;
    cupel_text_add(&r->names, name, strlen(name) + 1);
}

static void add_fields(struct request *r, unsigned n, const char *prefix)
{
    char name[64];
    for (unsigned i = 0; i < n; i++) {
        snprintf(name, sizeof(name), "%s%u", prefix, i);
        add_field(r, name);
    }
}

static void distinct_fields(struct request *r, unsigned n)
{
    add_fields(r, n, "Mcp-Param-");
}

static void other_fields(struct request *r, unsigned n)
{
    add_fields(r, n, "X-");
}

/* Names that begin alike and end in the same place of a table of any size up to 2^14, if the table
 * is found by FNV-1a: only names whose hash has 14 zero bits are taken. */
static void colliding_fields(struct request *r, unsigned n)
{
    char name[64];
    for (unsigned i = 0; r->field_count < n; i++) {
        uint32_t hash = 2166136261u;
        snprintf(name, sizeof(name), "mcp-param-%u", i);
        for (const char *c = name; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * 16777619u;
        if (((hash ^ hash >> 15) & 0x3FFF) == 0)
            add_field(r, name);
    }
}

/* Each declared header parameter is looked for among as many fields. */
static void declared_fields(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"properties\":{");
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(&r->schema, "%s\"p%u\":{\"type\":\"string\",\"x-mcp-header\":\"H%u\"}",
                        i != 0 ? "," : "", i, i);
    cupel_text_adds(&r->schema, "}}");
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(&r->arguments, "%s\"p%u\":\"v\"", i != 0 ? "," : "", i);
    add_fields(r, n, "Mcp-Param-H");
}

static void names_of(struct cupel_text *text, unsigned n, const char *prefix, const char *value)
{
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(text, "%s\"%s%u\":%s",
                        text->len != 0 && text->bytes[text->len - 1] != '{' ? "," : "", prefix, i,
                        value);
}

static void undeclared_names(struct request *r, unsigned n)
{
    names_of(&r->arguments, n, "PATH", "1");
}

static void declared_and_undeclared(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"properties\":{");
    names_of(&r->schema, n, "name", "{}");
    cupel_text_adds(&r->schema, "}}");
    names_of(&r->arguments, n, "other", "1");
}

static void branches(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"allOf\":[true");
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(&r->schema, ",{\"properties\":{\"name%u\":{}}}", i);
    cupel_text_adds(&r->schema, "]}");
    names_of(&r->arguments, n, "other", "1");
}

static void small_objects(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"properties\":{\"list\":{\"items\":{"
                                "\"properties\":{\"path\":{},\"other\":{}}}}}}");
    cupel_text_adds(&r->arguments, "\"list\":[0");
    for (unsigned i = 0; i < n; i++)
        cupel_text_adds(&r->arguments, ",{\"path\":1,\"more\":2}");
    cupel_text_adds(&r->arguments, "]");
}

/* A name of letters whose folding is longer than they are. */
static void long_name(struct request *r, unsigned n)
{
    cupel_text_adds(&r->arguments, "\"");
    for (unsigned i = 0; i < n; i++)
        cupel_text_adds(&r->arguments, "\\u0149\xEF\xAC\x83");
    cupel_text_adds(&r->arguments, "\":1");
}

static void patterns(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"properties\":{\"path\":{}},"
                                "\"patternProperties\":{\"^x[0-9]*$\":{},\"(a|b)+c\":{}}}");
    names_of(&r->arguments, n, "abab", "1");
}

static const struct family {
    const char *name;
    void (*write)(struct request *r, unsigned n);
    unsigned n;
} families[] = {
    {"distinct fields", distinct_fields, 250},
    {"other fields", other_fields, 250},
    {"colliding fields", colliding_fields, 250},
    {"declared fields", declared_fields, 100},
    {"undeclared names", undeclared_names, 1000},
    {"declared and undeclared names", declared_and_undeclared, 400},
    {"names of branches", branches, 200},
    {"small objects", small_objects, 1000},
    {"a long name", long_name, 1000},
    {"names and patterns", patterns, 500},
};

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
    struct cupel_mcp_options options;
    struct cupel_catalog *catalog = NULL;
    struct cupel_text text;
    cupel_mcp_options_init(&options);
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

static void set_fields(struct request *r)
{
    for (size_t i = 0; i < r->field_count; i++) {
        const char *name = r->names.bytes + r->field_names[i];
        r->fields[i] = (struct cupel_header){name, strlen(name), r->value, strlen(r->value)};
    }
    r->fields[r->field_count++] = (struct cupel_header){"Content-Type", 12, "application/json", 16};
}

/* The processor time of a request, the best of several. */
static double measure(const struct family *family, unsigned n)
{
    static struct request r;
    struct cupel_options options = large_options();
    struct cupel_gw_worker *worker = NULL;
    struct cupel_text body;
    double best = 0;
    memset(&r, 0, sizeof(r));
    r.value = "v";
    cupel_text_init(&r.schema, NULL);
    cupel_text_init(&r.names, NULL);
    cupel_text_init(&r.arguments, NULL);
    cupel_text_init(&body, NULL);
    cupel_text_adds(&r.schema, "{\"type\":\"object\",\"properties\":{\"path\":{},\"name\":{}}}");
    family->write(&r, n);
    set_fields(&r);
    cupel_text_adds(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                           "\"name\":\"t\",\"arguments\":{");
    if (r.arguments.len != 0)
        cupel_text_add(&body, r.arguments.bytes, r.arguments.len);
    cupel_text_adds(&body, "}}}");
    struct cupel_catalog *catalog = make_catalog(&r);
    CHECK_INT(cupel_gw_worker_new(&options, NULL, NULL, &worker), CUPEL_OK);
    for (int i = 0; i < 5; i++) {
        double time = judge(&r, catalog, worker, &body);
        best = i == 0 || time < best ? time : best;
    }
    cupel_gw_worker_free(worker);
    cupel_catalog_free(catalog);
    cupel_text_free(&body);
    cupel_text_free(&r.schema);
    cupel_text_free(&r.names);
    cupel_text_free(&r.arguments);
    return best;
}

int main(int argc, char **argv)
{
    bool show = argc > 1 && strcmp(argv[1], "--show") == 0;
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        const struct family *family = &families[i];
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
