/* test_catalog.c: what the options of a catalog make of its tools, what it takes over from the one
 * before, and memory that runs out where names are long.  The rules themselves are test_mcp.c's. */
#include "test.h"
#include <cupel/catalog.h>
#include <cupel/cupel.h>

#define LEN(s)  (sizeof(s) - 1)
#define TOOL(s) "[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"" s "}}]"

static struct cupel_catalog *catalog_of(const struct cupel_catalog_options *options,
                                        const char *list)
{
    struct cupel_catalog *catalog = NULL;
    CHECK_INT(cupel_catalog_new(options, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, list, strlen(list), NULL), CUPEL_OK);
    return catalog;
}

/* -- Refusals -----------------------------------------------------------------------------------
 */

static int not_json(void *ctx, const char *uri, size_t len, const char **ret_text, size_t *ret_len)
{
    (void)ctx, (void)uri, (void)len;
    *ret_text = "{]";
    *ret_len = 2;
    return 0;
}

/* What a schema is refused for has the rule that is about it. */
static void test_refusals(void)
{
    static const struct {
        const char *list;
        struct {
            uint32_t flags;
            size_t pattern_bytes, matcher_bytes, image_bytes;
            uint64_t pattern_steps;
            cupel_resolver *resolver;
        } engine; /* 0: as by default */
        const char *rule;
        enum cupel_status status;
    } rows[] = {
        {TOOL(",\"pattern\":\"abc\""),
         {.pattern_bytes = 2},
         "schema-pattern",
         CUPEL_E_PATTERN_SIZE},
        {TOOL(",\"pattern\":\"[a-c]{2,9}x\""),
         {.matcher_bytes = 1},
         "schema-pattern",
         CUPEL_E_PATTERN_SIZE},
        {TOOL(",\"pattern\":\"[a-c]{2,9}x\""),
         {.pattern_steps = 1},
         "schema-pattern",
         CUPEL_E_PATTERN_STEPS},
        {TOOL(",\"pattern\":\"(a)\\\\1\""),
         {.flags = CUPEL_NO_BACK_REFERENCES},
         "schema-pattern",
         CUPEL_E_BACK_REFERENCE},
        {TOOL(",\"$schema\":\"https://json-schema.org/v1\",\"format\":\"x\""),
         {.flags = CUPEL_EXPERIMENTAL},
         "schema-invalid",
         CUPEL_E_FORMAT},
        {TOOL(",\"$ref\":\"x:y\""), {.resolver = not_json}, "schema-text", CUPEL_E_SYNTAX},
        {TOOL(",\"maxProperties\":1"), {.image_bytes = 1}, "schema-size", CUPEL_E_IMAGE_SIZE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct cupel_catalog_options options;
        struct cupel_options engine;
        cupel_catalog_options_init(&options);
        cupel_options_init(&engine);
        options.engine = &engine;
        uint64_t *limits = engine.limits;
        engine.flags |= rows[i].engine.flags;
        engine.resolver = rows[i].engine.resolver;
        limits[CUPEL_LIMIT_PATTERN_BYTES] = rows[i].engine.pattern_bytes
                                                ? rows[i].engine.pattern_bytes
                                                : limits[CUPEL_LIMIT_PATTERN_BYTES];
        limits[CUPEL_LIMIT_MATCHER_BYTES] = rows[i].engine.matcher_bytes
                                                ? rows[i].engine.matcher_bytes
                                                : limits[CUPEL_LIMIT_MATCHER_BYTES];
        limits[CUPEL_LIMIT_IMAGE_BYTES] = rows[i].engine.image_bytes
                                              ? rows[i].engine.image_bytes
                                              : limits[CUPEL_LIMIT_IMAGE_BYTES];
        limits[CUPEL_LIMIT_PATTERN_STEPS] = rows[i].engine.pattern_steps
                                                ? rows[i].engine.pattern_steps
                                                : limits[CUPEL_LIMIT_PATTERN_STEPS];
        struct cupel_catalog *catalog = catalog_of(&options, rows[i].list);
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, 0);
        CHECK_INT(tool->verdict, CUPEL_TOOL_INVALID);
        bool found = false;
        for (uint32_t p = 0; p < tool->problem_count; p++)
            found |= strcmp(tool->problems[p].rule, rows[i].rule) == 0 &&
                     tool->problems[p].status == rows[i].status;
        if (!CHECK(found))
            fprintf(stderr, "    %s: %s %d %s\n", rows[i].list, tool->problems[0].rule,
                    tool->problems[0].status, tool->problems[0].message);
        cupel_catalog_free(catalog);
    }
}

/* -- Patterns of all tools ------------------------------------------------------------------------
 */

/* Tools whose patterns take about the same; the last one has none. */
static void list_of(unsigned n, struct cupel_text *text)
{
    cupel_text_adds(text, "[");
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(text,
                        "{\"name\":\"t%03u\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                        "{\"p\":{\"pattern\":\"^(a|b)*a(a|b){6}%03u$\"}}}},",
                        i, i);
    cupel_text_adds(text, "{\"name\":\"none\",\"inputSchema\":{\"type\":\"object\"}}]");
}

static bool is_refused(const struct cupel_tool *tool)
{
    const struct cupel_rule_problem *p = &tool->problems[0];
    return tool->problem_count == 1 && strcmp(p->rule, "catalog-patterns") == 0 &&
           p->status == CUPEL_E_CATALOG_PATTERNS &&
           (p->pointer[0] == '\0' || strcmp(p->pointer, "/properties/p/pattern") == 0);
}

/* The number of tools before the first that is refused; those behind it are refused too, all with
 * the reason that is theirs, but for the one without a pattern. */
static unsigned taken(const struct cupel_catalog *catalog, unsigned n)
{
    unsigned first = 0;
    while (first < n && cupel_catalog_tool(catalog, first)->input != NULL)
        first++;
    for (unsigned i = first; i < n; i++)
        CHECK(is_refused(cupel_catalog_tool(catalog, i)));
    CHECK(cupel_catalog_tool(catalog, n)->input != NULL);
    return first;
}

static void test_pattern_budget(void)
{
    enum { TOOLS = 40 };
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_text list, image;
    unsigned before = 0;
    cupel_catalog_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    cupel_text_init(&list, NULL);
    cupel_text_init(&image, NULL);
    list_of(TOOLS, &list);
    struct cupel_catalog *all = catalog_of(&options, list.bytes);
    CHECK_INT(taken(all, TOOLS), TOOLS);
    for (uint64_t steps = 1000; before < TOOLS; steps *= 2) {
        engine.limits[CUPEL_LIMIT_CATALOG_PATTERN_STEPS] = steps;
        struct cupel_catalog *catalog = catalog_of(&options, list.bytes), *again = NULL;
        unsigned now = taken(catalog, TOOLS);
        CHECK(now >= before && (before == 0 || now == TOOLS || now >= 2 * before - 2));
        /* Its image has the same tools, and what was refused stays so. */
        cupel_text_clear(&image);
        CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_OK);
        CHECK_INT(cupel_catalog_load(image.bytes, image.len, 0, &options, &again, NULL), CUPEL_OK);
        CHECK_INT(taken(again, TOOLS), now);
        cupel_catalog_free(again);
        cupel_catalog_free(catalog);
        before = now;
        CHECK(steps < 100000000);
    }
    /* What is taken over takes no steps. */
    engine.limits[CUPEL_LIMIT_CATALOG_PATTERN_STEPS] = 0;
    options.previous = all;
    struct cupel_catalog *next = catalog_of(&options, list.bytes);
    CHECK_INT(taken(next, TOOLS), TOOLS);
    cupel_catalog_free(next);
    cupel_catalog_free(all);
    cupel_text_free(&list);
    cupel_text_free(&image);
}

/* Compilations that fail take what they used; without patterns they take nothing. */
static void test_shared_budget(void)
{
    static const struct {
        const char *schema;
        enum cupel_status status;
        bool uses;
    } rows[] = {{"{\"pattern\":\"^(a|b)*a(a|b){6}$\"}", CUPEL_OK, true},
                {"{\"pattern\":\"^(a|b)*a(a|b){6}$\",\"type\":1}", CUPEL_E_SCHEMA, false},
                {"{\"allOf\":[{\"pattern\":\"^(a|b)*a(a|b){6}$\"},{\"pattern\":\"(?<\"}]}",
                 CUPEL_E_PATTERN, true},
                {"{\"type\":\"object\"}", CUPEL_OK, false}};
    struct cupel_options options;
    cupel_options_init(&options);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t left = 1000000;
        struct cupel_program *program = NULL;
        options.pattern_budget = &left;
        CHECK_INT(cupel_compile(rows[i].schema, strlen(rows[i].schema), &options, &program, NULL),
                  rows[i].status);
        if (!CHECK((left < 1000000) == rows[i].uses))
            fprintf(stderr, "    %s\n", rows[i].schema);
        cupel_program_free(program);
        uint64_t used = 1000000 - left;
        if (rows[i].status != CUPEL_OK || !rows[i].uses)
            continue;
        for (int more = 0; more < 2; more++) {
            left = used - 1 + (uint64_t)more;
            program = NULL;
            CHECK_INT(
                cupel_compile(rows[i].schema, strlen(rows[i].schema), &options, &program, NULL),
                more ? CUPEL_OK : CUPEL_E_PATTERN_STEPS);
            CHECK_INT(left, 0);
            cupel_program_free(program);
        }
    }
}

/* -- What is taken over -------------------------------------------------------------------------
 */

static int always(void *ctx, const char *text, size_t len)
{
    (void)ctx, (void)text, (void)len;
    return 0;
}

static int never(void *ctx, const char *text, size_t len)
{
    (void)ctx, (void)text, (void)len;
    return 1;
}

static const struct cupel_format uu = {"uu", always, NULL};

static int nothing(void *ctx, const char *uri, size_t len, const char **ret_text, size_t *ret_len)
{
    (void)ctx, (void)uri, (void)len, (void)ret_text, (void)ret_len;
    return 1;
}

/* Changes one option that compiling looks at; false if there are no more. */
static bool change(struct cupel_options *o, int which)
{
    static const struct cupel_format other_check = {"uu", never, NULL},
                                     other_name = {"vv", always, NULL},
                                     other_ctx = {"uu", always, (void *)&uu};
    static const struct cupel_format *const formats[] = {&other_check, &other_name, &other_ctx};
    static const enum cupel_limit bounds[] = {CUPEL_LIMIT_NUMBER_CHARS, CUPEL_LIMIT_SCHEMA_BYTES,
                                              CUPEL_LIMIT_SCHEMA_DEPTH, CUPEL_LIMIT_SUBSCHEMAS,
                                              CUPEL_LIMIT_IMAGE_BYTES,  CUPEL_LIMIT_PATTERN_BYTES,
                                              CUPEL_LIMIT_MATCHER_BYTES};
    enum { BOUNDS = sizeof(bounds) / sizeof(*bounds) };
    if (which < BOUNDS)
        --o->limits[bounds[which]];
    else if ((which -= BOUNDS) == 0)
        --o->passes;
    else if (which == 1)
        --o->format_count;
    else if ((which -= 2) < 3)
        o->formats = formats[which];
    else if (which == 3)
        o->flags ^= CUPEL_STRICT_REGEX;
    else if (which == 4)
        o->dialect = CUPEL_DRAFT_7;
    else if (which == 5)
        o->limits[CUPEL_LIMIT_PATTERN_STEPS]--;
    else if (which == 6)
        o->resolver = nothing;
    return which <= 6;
}

static const char shared_list[] =
    "[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"^a+"
    "$\",\"format\":\"uu\"}}},"
    "\"outputSchema\":{\"type\":\"object\",\"maxProperties\":2}}]";

static void init(struct cupel_catalog_options *options, struct cupel_options *engine)
{
    cupel_catalog_options_init(options);
    cupel_options_init(engine);
    options->engine = engine;
    engine->flags |= CUPEL_ASSERT_FORMAT;
    engine->formats = &uu;
    engine->format_count = 1;
}

/* A program is taken over only where compiling the same text again would make the same of it. */
static void test_sharing(void)
{
    struct cupel_catalog_options options;
    struct cupel_options engine;
    init(&options, &engine);
    struct cupel_catalog *first = catalog_of(&options, shared_list);
    options.previous = first;
    engine.limits[CUPEL_LIMIT_STEPS]--; /* which is the validation's business */
    struct cupel_catalog *second = catalog_of(&options, shared_list);
    CHECK_INT(cupel_catalog_tool(first, 0)->shared, 0);
    CHECK_INT(cupel_catalog_tool(second, 0)->shared, 2);
    CHECK(cupel_catalog_tool(second, 0)->input == cupel_catalog_tool(first, 0)->input);
    cupel_catalog_free(second);
    for (int i = 0;; i++) {
        init(&options, &engine);
        options.previous = first;
        if (!change(&engine, i))
            break;
        second = catalog_of(&options, shared_list);
        if (!CHECK_INT(cupel_catalog_tool(second, 0)->shared, 0))
            fprintf(stderr, "    change %d\n", i);
        options.previous = second;
        struct cupel_catalog *third = catalog_of(&options, shared_list);
        CHECK_INT(cupel_catalog_tool(third, 0)->shared, engine.resolver != NULL ? 0 : 2);
        init(&options, &engine); /* from there back again */
        options.previous = second;
        struct cupel_catalog *fourth = catalog_of(&options, shared_list);
        CHECK_INT(cupel_catalog_tool(fourth, 0)->shared, 0);
        cupel_catalog_free(fourth);
        cupel_catalog_free(third);
        cupel_catalog_free(second);
    }
    cupel_catalog_free(first);
}

/* The host's format is asked that the catalog was given, whatever the one before it had. */
static void test_formats(void)
{
    static const char good[] = "{\"a\":\"a\"}";
    static const struct cupel_format bad = {"uu", never, NULL};
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_scratch *scratch = NULL;
    init(&options, &engine);
    struct cupel_catalog *first = catalog_of(&options, shared_list);
    engine.formats = &bad;
    options.previous = first;
    struct cupel_catalog *second = catalog_of(&options, shared_list);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(cupel_catalog_tool(first, 0)->input, scratch, good, LEN(good), NULL),
              CUPEL_VALID);
    CHECK_INT(cupel_validate(cupel_catalog_tool(second, 0)->input, scratch, good, LEN(good), NULL),
              CUPEL_INVALID);
    cupel_scratch_free(scratch);
    cupel_catalog_free(second);
    cupel_catalog_free(first);
}

/* -- Names --------------------------------------------------------------------------------------
 */

/* A key of which one half is 0 is a key. */
static void test_keys(void)
{
    for (int half = 0; half < 2; half++) {
        struct cupel_catalog_options options;
        cupel_catalog_options_init(&options);
        options.hash_key[half] = 7;
        struct cupel_catalog *catalog = catalog_of(&options, TOOL(""));
        CHECK(cupel_catalog_find(catalog, "t", 1) == cupel_catalog_tool(catalog, 0));
        CHECK(cupel_catalog_find(catalog, "u", 1) == NULL);
        cupel_catalog_free(catalog);
    }
}

/* Strict about names, tools of one name are all refused. */
static void test_strict_names(void)
{
    static const char list[] =
        "[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}},"
        "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"minProperties\":1}},"
        "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"pattern\":\"(?=a)\"}}]";
    for (int strict = 0; strict < 2; strict++) {
        struct cupel_catalog_options options;
        cupel_catalog_options_init(&options);
        options.flags = strict ? CUPEL_CATALOG_STRICT_NAMES : 0;
        struct cupel_catalog *catalog = catalog_of(&options, list);
        for (uint32_t i = 0; i < 3; i++) { /* the last has been warned of before */
            const struct cupel_tool *tool = cupel_catalog_tool(catalog, i);
            const struct cupel_rule_problem *last = &tool->problems[tool->problem_count - 1];
            CHECK_INT(tool->verdict, strict ? CUPEL_TOOL_INVALID : CUPEL_TOOL_WARNING);
            CHECK_INT(tool->problem_count, i < 2 ? 1 : 2);
            CHECK_STR(last->rule, "name-duplicate");
            CHECK_INT(last->severity, strict ? CUPEL_SEVERITY_ERROR : CUPEL_SEVERITY_WARNING);
        }
        cupel_catalog_free(catalog);
    }
}

static void test_name_rules(void)
{
    static const struct {
        enum cupel_name_rules rules;
        const char *name;
        bool fine;
    } rows[] = {
        {CUPEL_NAMES_SPEC, "a.b", true},        {CUPEL_NAMES_SPEC, "a/b", false},
        {CUPEL_NAMES_SEP_986, "a.b", true},     {CUPEL_NAMES_SEP_986, "a/b", true},
        {CUPEL_NAMES_PORTABLE, "a.b", false},   {CUPEL_NAMES_PORTABLE, "a/b", false},
        {CUPEL_NAMES_PORTABLE, "a_b-C9", true},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct cupel_catalog_options options;
        char list[100];
        snprintf(list, sizeof(list), "[{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}]",
                 rows[i].name);
        cupel_catalog_options_init(&options);
        options.names = rows[i].rules;
        struct cupel_catalog *catalog = catalog_of(&options, list);
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, 0);
        CHECK_INT(tool->verdict, rows[i].fine ? CUPEL_TOOL_OK : CUPEL_TOOL_WARNING);
        CHECK(rows[i].fine || strcmp(tool->problems[0].rule, "name-characters") == 0);
        cupel_catalog_free(catalog);
    }
}

/* Who is allowed nothing by name, or everything. */
static void test_personas(void)
{
    static const char *const patterns[] = {"", "*", "t*", "tt*", "t", "x:t"};
    static const bool allowed[] = {false, true, true, false, true, false};
    struct cupel_catalog *base = catalog_of(NULL, TOOL(""));
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        const struct cupel_persona persona = {&patterns[i], 1, NULL, 0};
        struct cupel_catalog *mine = NULL;
        CHECK_INT(cupel_catalog_derive(base, &persona, &mine, NULL), CUPEL_OK);
        CHECK_INT(cupel_catalog_count(mine), allowed[i]);
        cupel_catalog_free(mine);
    }
    cupel_catalog_free(base);
}

/* A slot is its own allocator's. */
static void test_slot(void)
{
    struct test_alloc counted = {.fail_at = 0};
    struct cupel_alloc alloc = test_allocator(&counted);
    struct cupel_slot *slot = NULL;
    struct cupel_catalog *catalog = catalog_of(NULL, TOOL(""));
    CHECK_INT(cupel_slot_new(2, &alloc, &slot), CUPEL_OK);
    CHECK_INT(counted.requests, 1);
    (void)cupel_slot_publish_catalog(slot, catalog);
    cupel_slot_free(slot);
    CHECK_INT(counted.live, 0);
    counted = (struct test_alloc){.fail_at = 1};
    CHECK_INT(cupel_slot_new(2, &alloc, &slot), CUPEL_E_NO_MEMORY);
}

/* -- Memory -------------------------------------------------------------------------------------
 */

/* Every text is so long that it gets a block of its own, and each of these may be what fails. */
static void write_long(struct cupel_text *text)
{
    static char n[17000];
    memset(n, 'n', sizeof(n) - 1);
    cupel_text_addf(text, "{\"nextCursor\":\"%s\",\"tools\":[{\"name\":\"%s\",\"title\":\"%s\",", n,
                    n, n);
    cupel_text_addf(text, "\"version\":\"1.0.0-%s\",\"namespace\":\"%s\",\"tags\":[\"a\",\"b\"],",
                    n, n);
    cupel_text_addf(
        text, "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"%s\":{\"type\":\"string\",",
        n);
    cupel_text_addf(text, "\"x-mcp-header\":\"H%s\"}}}}]}", n);
}

static enum cupel_status run_failing(struct test_alloc *failing, const struct cupel_text *list)
{
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_catalog *catalog = NULL;
    struct cupel_lock *lock = NULL, *again = NULL;
    struct cupel_text text;
    cupel_catalog_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    engine.alloc = test_allocator(failing);
    cupel_text_init(&text, &engine.alloc);
    enum cupel_status status = cupel_catalog_new(&options, &catalog);
    if (status == CUPEL_OK)
        status = cupel_catalog_add(catalog, list->bytes, list->len, NULL);
    if (status == CUPEL_OK)
        status = cupel_lock_new(catalog, &lock, NULL);
    if (status == CUPEL_OK) {
        cupel_lock_save(lock, &text);
        status = text.failed ? CUPEL_E_NO_MEMORY
                             : cupel_lock_load(text.bytes, text.len, &engine.alloc, &again, NULL);
    }
    if (status == CUPEL_OK)
        CHECK_INT(cupel_lock_diff(lock, again, NULL, NULL), 0);
    cupel_lock_free(lock);
    cupel_lock_free(again);
    cupel_text_free(&text);
    cupel_catalog_free(catalog);
    CHECK_INT(failing->live, 0);
    return status;
}

static void test_memory(void)
{
    struct cupel_text list;
    cupel_text_init(&list, NULL);
    write_long(&list);
    for (unsigned long n = 1; CHECK(n < 1000); n++) {
        struct test_alloc failing = {.fail_at = n};
        enum cupel_status status = run_failing(&failing, &list);
        if (failing.requests < n) {
            CHECK(status == CUPEL_OK ||
                  status == CUPEL_E_UNSUPPORTED); /* the latter without SHA-256 */
            break;
        }
        CHECK(status == CUPEL_OK || status == CUPEL_E_NO_MEMORY || status == CUPEL_E_UNSUPPORTED);
    }
    cupel_text_free(&list);
}

int main(void)
{
    test_refusals();
    test_pattern_budget();
    test_shared_budget();
    test_sharing();
    test_formats();
    test_keys();
    test_strict_names();
    test_name_rules();
    test_personas();
    test_slot();
    test_memory();
    return test_end();
}
