/* law_mcp.c: work for an instruction counter, as in law.c: calls, results, HTTP fields, digests,
 * lock files, formats, patterns, event streams and learned catalogs at default limits.
 *
 *   law_mcp EVIL [--quick]
 *
 * EVIL is tests/regex/evil.txt, whose patterns are families too.  law.py runs it under callgrind.
 */
#include "gateways/common/learn/learn.h"
#include "gateways/common/stream/envelope.h"
#include "gateways/common/stream/events.h"
#include "law.h"
#include "request_families.h"
#include "test_arena.h"
#include <cupel/gateway.h>
#include <stdlib.h>

static void must(bool good)
{
    if (!good)
        abort();
}

/* The largest n that keeps a text within TEXT_BYTES, by doubling. */
static unsigned largest(void (*write)(struct cupel_text *, unsigned n, const void *ctx),
                        const void *ctx, struct cupel_text *text)
{
    unsigned n = 1;
    for (cupel_text_clear(text), write(text, n, ctx); text->len <= TEXT_BYTES && n < 1u << 17;
         n *= 2) {
        cupel_text_clear(text);
        write(text, 2 * n, ctx);
    }
    for (; text->len > TEXT_BYTES && n > 1; n /= 2) {
        cupel_text_clear(text);
        write(text, n / 2, ctx);
    }
    return n;
}

/* -- Calls, results, digests, learned catalogs ------------------------------------------------ */

/* A tool that has the schema of a family as that of a parameter and of its output, and messages
 * with the family's instance. */
struct tool {
    const struct family *family;
    struct cupel_text schema, value, list, call, result, answer, saved;
    struct cupel_catalog *catalog;
    struct cupel_call_context *context;
    uint64_t steps; /* of the call; those of the result are as many, and are not told */
};

static void wrap(struct cupel_text *t, const char *before, const struct cupel_text *inner,
                 const char *after)
{
    cupel_text_adds(t, before);
    cupel_text_add(t, inner->bytes, inner->len);
    cupel_text_adds(t, after);
}

static void write_tool(struct tool *t, unsigned n)
{
    const struct family *f = t->family;
    cupel_text_clear(&t->schema);
    cupel_text_clear(&t->value);
    cupel_text_clear(&t->list);
    cupel_text_clear(&t->call);
    cupel_text_clear(&t->result);
    shape_build(&t->schema, &f->schema, f->grows & SCHEMA_GROWS ? n : 1);
    shape_build(&t->value, &f->instance, f->grows & INSTANCE_GROWS ? n : 1);
    wrap(&t->list,
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"name\":\"t\",\"inputSchema\":{"
         "\"type\":\"object\",\"properties\":{\"a\":",
         &t->schema, "}},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"a\":");
    wrap(&t->list, "", &t->schema, "}}}]}}");
    wrap(&t->call,
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\","
         "\"arguments\":{\"a\":",
         &t->value, "}}}");
    wrap(&t->result,
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"structuredContent\":{\"a\":",
         &t->value, "}}}");
}

static bool take_tool(struct tool *t, unsigned n)
{
    write_tool(t, n);
    cupel_catalog_free(t->catalog);
    must(cupel_catalog_new(NULL, &t->catalog) == CUPEL_OK);
    return t->list.len <= 2 * TEXT_BYTES && t->call.len <= TEXT_BYTES &&
           cupel_catalog_add(t->catalog, t->list.bytes, t->list.len, NULL) == CUPEL_OK &&
           cupel_catalog_tool(t->catalog, 0)->verdict != CUPEL_TOOL_INVALID;
}

static struct charge call(void *ctx)
{
    struct tool *t = ctx;
    struct cupel_call_outcome outcome = {.steps = 0};
    if (cupel_call_check(t->catalog, t->context, t->call.bytes, t->call.len, NULL, &t->answer, NULL,
                         NULL, &outcome) == CUPEL_CALL_VALID)
        cupel_text_clear(&t->answer);
    t->steps = outcome.steps;
    return (struct charge){t->steps, t->call.len};
}

static struct charge exact_call(void *ctx)
{
    struct tool *t = ctx;
    struct cupel_request_options options;
    cupel_request_options_init(&options);
    options.flags = CUPEL_REQUEST_EXACT_ARGUMENTS;
    if (cupel_request_check(t->catalog, t->context, t->call.bytes, t->call.len, &options,
                            &t->answer, NULL, NULL) == CUPEL_CALL_VALID)
        cupel_text_clear(&t->answer);
    return (struct charge){t->steps, t->call.len + t->schema.len};
}

static struct charge fill_defaults(void *ctx)
{
    struct tool *t = ctx;
    cupel_text_clear(&t->saved);
    (void)cupel_call_defaults_write(t->context, &t->saved);
    return (struct charge){0, t->call.len + t->schema.len};
}

static struct charge check_result(void *ctx)
{
    struct tool *t = ctx;
    if (cupel_result_check(cupel_catalog_tool(t->catalog, 0), t->context, t->result.bytes,
                           t->result.len, CUPEL_MCP_2026_07_28, &t->answer, NULL,
                           NULL) == CUPEL_RESULT_VALID)
        cupel_text_clear(&t->answer);
    return (struct charge){t->steps, t->result.len};
}

static struct charge digest(void *ctx)
{
    struct tool *t = ctx;
    struct cupel_pin pin;
    (void)cupel_tool_pin(t->catalog, cupel_catalog_tool(t->catalog, 0), &pin);
    return (struct charge){0, t->list.len};
}

static void run_tool(const struct family *f)
{
    struct tool t = {.family = f};
    struct cupel_text *texts[] = {&t.schema, &t.value,  &t.list, &t.call,
                                  &t.result, &t.answer, &t.saved};
    unsigned n = f->n;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cupel_text_init(texts[i], NULL);
    must(cupel_call_context_new(NULL, &t.context) == CUPEL_OK);
    for (write_tool(&t, n); t.list.len < 2 * TEXT_BYTES && t.call.len < TEXT_BYTES && n < 1u << 20;
         n *= 2)
        write_tool(&t, 2 * n);
    while (n > 0 && !take_tool(&t, n))
        n /= 2;
    if (n > 0) {
        measure("call", f->name, call, &t);
        measure("defaults", f->name, fill_defaults, &t);
        measure("call, exact names", f->name, exact_call, &t);
        measure("result", f->name, check_result, &t);
        measure("digest", f->name, digest, &t);
    }
    cupel_call_context_free(t.context);
    cupel_catalog_free(t.catalog);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cupel_text_free(texts[i]);
}

/* -- HTTP fields ------------------------------------------------------------------------------- */

struct http {
    struct request request;
    struct cupel_text list, body, answer;
    struct cupel_catalog *catalog;
    struct cupel_call_context *context;
    size_t field_bytes;
};

static struct charge check_fields(void *ctx)
{
    struct http *h = ctx;
    struct cupel_request_options options;
    cupel_request_options_init(&options);
    options.flags = CUPEL_REQUEST_FIELDS | CUPEL_REQUEST_FIELDS_NEEDED;
    options.headers = h->request.fields;
    options.header_count = h->request.field_count;
    if (cupel_call_check(h->catalog, h->context, h->body.bytes, h->body.len, &options, &h->answer,
                         NULL, NULL, NULL) == CUPEL_CALL_VALID)
        cupel_text_clear(&h->answer);
    return (struct charge){0, h->field_bytes + h->body.len + h->request.schema.len};
}

static void run_fields(const struct request_family *f)
{
    static struct http h;
    unsigned n = f->n;
    struct cupel_text *texts[] = {&h.list, &h.body, &h.answer};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cupel_text_init(texts[i], NULL);
    begin_request(&h.request);
    f->write(&h.request, n);
    set_fields(&h.request);
    write_request(&h.request, &h.body);
    wrap(&h.list, "[{\"name\":\"t\",\"inputSchema\":", &h.request.schema, "}]");
    must(cupel_catalog_new(NULL, &h.catalog) == CUPEL_OK);
    must(cupel_catalog_add(h.catalog, h.list.bytes, h.list.len, NULL) == CUPEL_OK);
    must(cupel_call_context_new(NULL, &h.context) == CUPEL_OK);
    h.field_bytes = 0;
    for (size_t i = 0; i < h.request.field_count; i++)
        h.field_bytes += h.request.fields[i].name_len + h.request.fields[i].value_len;
    measure("fields", f->name, check_fields, &h);
    cupel_call_context_free(h.context);
    cupel_catalog_free(h.catalog);
    end_request(&h.request);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cupel_text_free(texts[i]);
}

/* -- Lock files ---------------------------------------------------------------------------------
 */

/* Two lists of tools whose names and order are given by functions of the index. */
struct lists {
    const char *name;
    const char *before, *after; /* definitions; @ is the index, ! counts down */
};

static const struct lists lists[] = {
    {"the same", "{\"name\":\"t@\",\"inputSchema\":{\"type\":\"object\"}}",
     "{\"name\":\"t@\",\"inputSchema\":{\"type\":\"object\"}}"},
    {"the other way round", "{\"name\":\"t@\",\"inputSchema\":{\"type\":\"object\"}}",
     "{\"name\":\"t!\",\"inputSchema\":{\"type\":\"object\"}}"},
    {"all renamed", "{\"name\":\"t@\",\"inputSchema\":{\"type\":\"object\"}}",
     "{\"name\":\"u@\",\"inputSchema\":{\"type\":\"object\"}}"},
    {"one name", "{\"name\":\"t\",\"description\":\"@\",\"inputSchema\":{\"type\":\"object\"}}",
     "{\"name\":\"t\",\"description\":\"!\",\"inputSchema\":{\"type\":\"object\"}}"},
    {"all changed", "{\"name\":\"t@\",\"inputSchema\":{\"type\":\"object\"}}",
     "{\"name\":\"t@\",\"title\":\"a\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"a\"]}"
     "}"},
};

struct locks {
    struct cupel_text texts[2], saved;
    struct cupel_catalog *catalogs[2];
    struct cupel_lock *locks[2];
};

static struct charge make_locks(void *ctx)
{
    struct locks *l = ctx;
    for (int i = 0; i < 2; i++)
        must(cupel_lock_new(l->catalogs[i], &l->locks[i], NULL) == CUPEL_OK);
    return (struct charge){0, l->texts[0].len + l->texts[1].len};
}

static struct charge compare_locks(void *ctx)
{
    struct locks *l = ctx;
    (void)cupel_lock_diff(l->locks[0], l->locks[1], NULL, NULL);
    return (struct charge){0, l->texts[0].len + l->texts[1].len};
}

static struct charge load_lock(void *ctx)
{
    struct locks *l = ctx;
    struct cupel_lock *lock = NULL;
    must(cupel_lock_load(l->saved.bytes, l->saved.len, NULL, &lock, NULL) == CUPEL_OK);
    cupel_lock_free(lock);
    return (struct charge){0, l->saved.len};
}

static void write_list(struct cupel_text *t, unsigned n, const void *ctx)
{
    const struct shape shape = {"[", ctx, ",", "]", NULL, NULL};
    shape_build(t, &shape, n);
}

static void run_locks(const struct lists *f)
{
    struct locks l = {.locks = {NULL, NULL}};
    for (int i = 0; i < 2; i++) {
        cupel_text_init(&l.texts[i], NULL);
        must(cupel_catalog_new(NULL, &l.catalogs[i]) == CUPEL_OK);
    }
    cupel_text_init(&l.saved, NULL);
    unsigned n = largest(write_list, f->after, &l.texts[1]);
    write_list(&l.texts[0], n, f->before);
    for (int i = 0; i < 2; i++)
        must(cupel_catalog_add(l.catalogs[i], l.texts[i].bytes, l.texts[i].len, NULL) == CUPEL_OK);
    measure("lock", f->name, make_locks, &l);
    measure("diff", f->name, compare_locks, &l);
    cupel_lock_save(l.locks[1], &l.saved);
    measure("lock file", f->name, load_lock, &l);
    for (int i = 0; i < 2; i++) {
        cupel_lock_free(l.locks[i]);
        cupel_catalog_free(l.catalogs[i]);
        cupel_text_free(&l.texts[i]);
    }
    cupel_text_free(&l.saved);
}

/* -- Formats and patterns ------------------------------------------------------------------------
 */

/* A schema and a text of a unit over and over: one long string, or an array of strings. */
struct strings {
    const char *entry, *name, *schema;
    const char *begin, *unit, *between, *end;
};

#define STRING_OF(format, unit, end)                                                        \
    {                                                                                       \
        "format", format ", " unit, "{\"format\":\"" format "\"}", "\"", unit, "", end "\"" \
    }
#define STRINGS_OF(format, unit)                                                            \
    {                                                                                       \
        "format", format " of each, " unit, "{\"items\":{\"format\":\"" format "\"}}", "[", \
            "\"" unit "\"", ",", "]"                                                        \
    }

static const struct strings formats[] = {
    STRINGS_OF("date-time", "2024-02-29T23:59:60.123456789+00:00"),
    STRING_OF("date-time", "2024-02-29T23:59:59.", "Z"),
    STRINGS_OF("date", "2024-02-29"),
    STRINGS_OF("time", "23:59:60Z"),
    STRINGS_OF("duration", "P1Y2M3DT4H5M6S"),
    STRING_OF("duration", "P1111111111", "Y"),
    STRINGS_OF("ipv4", "255.255.255.255"),
    STRINGS_OF("ipv6", "1:2:3:4:5:6:255.255.255.255"),
    STRINGS_OF("ipv6", "::"),
    STRINGS_OF("hostname", "a"),
    STRINGS_OF("hostname", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z"),
    STRINGS_OF("hostname", "xn--4ca"),
    STRINGS_OF("hostname", "xn--a"),
    STRING_OF("hostname", "a.", "a"),
    STRINGS_OF("idn-hostname", "\xc3\xa9"),
    STRINGS_OF("idn-hostname", "\xef\xb7\xba"),
    STRING_OF("idn-hostname", "\xc3\xa9.", "a"),
    STRINGS_OF("email", "a@b"),
    STRINGS_OF("email", "\\\"a b\\\"@[IPv6:::1]"),
    STRING_OF("email", "a.", "a@b"),
    STRINGS_OF("idn-email", "\xc3\xa9@\xc3\xa9"),
    STRINGS_OF("uri", "a:"),
    STRINGS_OF("uri", "http://u@[::1]:80/p?q#f"),
    STRING_OF("uri", "a:%41", ""),
    STRING_OF("uri-reference", "../", ""),
    STRING_OF("iri", "a:\xc3\xa9", ""),
    STRINGS_OF("iri-reference", "\xc3\xa9"),
    STRING_OF("uri-template", "{a,b*,c:3}", ""),
    STRINGS_OF("uri-template", "{+a}"),
    STRINGS_OF("uuid", "01234567-89ab-cdef-0123-456789abcdef"),
    STRING_OF("json-pointer", "/~0~1", ""),
    STRINGS_OF("relative-json-pointer", "0#"),
    STRING_OF("relative-json-pointer", "1", "#"),
    STRINGS_OF("regex", "a"),
    STRINGS_OF("regex", "(?:(a)|[^b-c]{2,3})*?"),
    STRING_OF("regex", "(a", ""),
    STRING_OF("regex", "a|", ""),
    STRING_OF("regex", "[a-z]", ""),
    STRING_OF("regex", "\\\\p{L}", ""),
    STRINGS_OF("regex", "\\\\p{Script=Greek}"),
    STRING_OF("regex", "(?<a>)|", ""),
};

struct pattern {
    struct cupel_text schema, text;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_document *doc;
    struct cupel_options options;
    enum cupel_verdict verdict;
};

static struct charge judge(void *ctx)
{
    struct pattern *p = ctx;
    struct cupel_outcome outcome = {.steps = 0};
    p->verdict = cupel_validate_node(p->program, p->scratch, p->doc, 0, &outcome);
    return (struct charge){outcome.steps, 0};
}

static struct charge compile(void *ctx)
{
    struct pattern *p = ctx;
    struct cupel_program *program = NULL;
    uint64_t left = UINT64_MAX / 2;
    p->options.pattern_budget = &left;
    (void)cupel_compile(p->schema.bytes, p->schema.len, &p->options, &program, NULL);
    p->options.pattern_budget = NULL;
    cupel_program_free(program);
    return (struct charge){UINT64_MAX / 2 - left, p->schema.len};
}

static void begin_pattern(struct pattern *p)
{
    cupel_text_init(&p->schema, NULL);
    cupel_text_init(&p->text, NULL);
    cupel_options_init(&p->options);
    p->options.flags |= CUPEL_ASSERT_FORMAT | CUPEL_IDN_OPTIONAL;
    p->program = NULL;
    must(cupel_scratch_new(&p->options, &p->scratch) == CUPEL_OK);
    must(cupel_document_new(&p->options, &p->doc) == CUPEL_OK);
}

/* False if the schema is refused. */
static bool take_pattern(struct pattern *p)
{
    cupel_program_free(p->program);
    p->program = NULL;
    return cupel_document_read(p->doc, p->text.bytes, p->text.len, NULL) == CUPEL_OK &&
           cupel_compile(p->schema.bytes, p->schema.len, &p->options, &p->program, NULL) ==
               CUPEL_OK;
}

static void end_pattern(struct pattern *p)
{
    cupel_program_free(p->program);
    cupel_scratch_free(p->scratch);
    cupel_document_free(p->doc);
    cupel_text_free(&p->schema);
    cupel_text_free(&p->text);
}

static void write_strings(struct cupel_text *t, unsigned n, const void *ctx)
{
    const struct strings *s = ctx;
    cupel_text_adds(t, s->begin);
    for (unsigned i = 0; i < n; i++) {
        cupel_text_adds(t, i > 0 ? s->between : "");
        cupel_text_adds(t, s->unit);
    }
    cupel_text_adds(t, s->end);
}

static void run_strings(const struct strings *s)
{
    struct pattern p;
    begin_pattern(&p);
    largest(write_strings, s, &p.text);
    cupel_text_adds(&p.schema, s->schema);
    if (take_pattern(&p))
        measure(s->entry, s->name, judge, &p);
    end_pattern(&p);
}

/* Appends the inside of a JSON string; \n in the unit is a line feed. */
static void add_inside(struct cupel_text *t, const char *bytes, size_t len)
{
    struct cupel_text json;
    cupel_text_init(&json, NULL);
    cupel_text_add_json(&json, bytes, len);
    cupel_text_add(t, json.bytes + 1, json.len - 2);
    cupel_text_free(&json);
}

/* A line of evil.txt: pattern TAB unit TAB tail. */
static void run_evil(char *line)
{
    struct pattern p;
    char *unit = strchr(line, '\t'), *tail = unit != NULL ? strchr(unit + 1, '\t') : NULL;
    char name[128];
    if (line[0] == '#' || tail == NULL)
        return;
    *unit++ = '\0';
    *tail++ = '\0';
    tail[strcspn(tail, "\n")] = '\0';
    begin_pattern(&p);
    cupel_text_adds(&p.schema, "{\"pattern\":");
    cupel_text_add_json(&p.schema, line, strlen(line));
    cupel_text_adds(&p.schema, "}");
    cupel_text_adds(&p.text, "\"");
    while (p.text.len + 2 * strlen(tail) + 6 * strlen(unit) + 2 < TEXT_BYTES) {
        add_inside(&p.text, unit, strlen(unit));
        if (unit[0] == '\0')
            break;
    }
    add_inside(&p.text, tail, strlen(tail));
    cupel_text_adds(&p.text, "\"");
    snprintf(name, sizeof name, "%.60s", line);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '\t' || *c == '\n' ? ' ' : *c;
    if (take_pattern(&p)) {
        measure("pattern", name, judge, &p);
        measure("compiling a pattern", name, compile, &p);
    }
    end_pattern(&p);
}

static void run_patterns(const char *path, bool quick)
{
    FILE *file = fopen(path, "r");
    char line[4096];
    must(file != NULL);
    for (unsigned i = 0; fgets(line, sizeof line, file) != NULL; i++)
        if (!quick || i % QUICK == 0)
            run_evil(line);
    fclose(file);
}

/* -- Event streams ------------------------------------------------------------------------------
 */

struct stream {
    struct cupel_text text;
    size_t piece; /* bytes that arrive at a time */
};

static const struct strings streams[] = {
    {"", "small events", "", "", "data: {}\n\n", "", ""},
    {"", "blank lines", "", "", "\n", "", ""},
    {"", "one event of a line", "", "data: ", "{\"a\":1}", ",", "\n\n"},
    {"", "one event of many lines", "", "", "data:\n", "", "\n"},
    {"", "comments", "", "", ":\n", "", ""},
    {"", "comments in an event", "", "data: 1\n", ":\n", "", "\n"},
    {"", "a line without an end", "", "data: 1\n", "x", "", ""},
    {"", "ids", "", "", "id\r", "", "\r"},
    {"", "line ends of two bytes", "", "", "data\r\n", "", "\r\n"},
    {"", "line separators", "", "event: ", "\xe2\x80\xa8", "", "\ndata\n\n"},
};

static struct charge read_events(void *ctx)
{
    struct stream *s = ctx;
    struct test_arena memory = {.fail_at = 0};
    struct cupel_gw_arena arena = test_arena_of(&memory);
    struct cupel_gw_events events;
    struct cupel_gw_piece piece;
    cupel_gw_events_init(&events, &arena, TEXT_BYTES);
    for (size_t at = 0; at < s->text.len; at += s->piece) {
        const char *bytes = s->text.bytes + at;
        size_t len = s->text.len - at < s->piece ? s->text.len - at : s->piece;
        while (cupel_gw_events_next(&events, &bytes, &len, &piece))
            ;
    }
    test_arena_free(&memory);
    return (struct charge){0, s->text.len};
}

static struct charge read_envelope(void *ctx)
{
    struct stream *s = ctx;
    struct cupel_gw_envelope envelope;
    cupel_gw_envelope_init(&envelope);
    for (size_t at = 0; at < s->text.len; at += s->piece)
        (void)cupel_gw_envelope_read(&envelope, s->text.bytes + at,
                                     s->text.len - at < s->piece ? s->text.len - at : s->piece);
    return (struct charge){0, s->text.len};
}

static const struct strings messages[] = {
    {"", "a long text", "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"", "a", "", "\"}"},
    {"", "escapes", "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"", "\\\"", "", "\"}"},
    {"", "members", "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{", "\"a\":1", ",", "}}"},
    {"", "numbers", "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[", "1", ",", "]}"},
    {"", "white space", "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1", " ", "", "}"},
};

static void run_stream(const char *entry, const struct strings *family, charged_work *work)
{
    struct stream s;
    char name[64];
    cupel_text_init(&s.text, NULL);
    largest(write_strings, family, &s.text);
    for (s.piece = 1; s.piece <= TEXT_BYTES; s.piece *= TEXT_BYTES) {
        snprintf(name, sizeof name, "%s, pieces of %zu", family->name, s.piece);
        measure(entry, name, work, &s);
    }
    cupel_text_free(&s.text);
}

/* -- Learned catalogs
 * ------------------------------------------------------------------------------ */

static void no_lock(void *ctx)
{
    (void)ctx;
}

static bool always_alive(void *ctx, uint64_t process)
{
    (void)ctx, (void)process;
    return true;
}

static int some_bytes(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    memset(bytes, 7, len);
    return 0;
}

static uint64_t no_time(void *ctx)
{
    (void)ctx;
    return 1;
}

struct lesson {
    struct cupel_text list;
    struct cupel_gw_learner *learner;
    struct cupel_gw_learn_config config;
    struct cupel_gw_identity id;
};

static struct charge learn(void *ctx)
{
    struct lesson *l = ctx;
    struct cupel_gw_job *job = NULL;
    const struct cupel_gw_text all = {l->list.bytes, l->list.len}, first = {NULL, 0};
    if (cupel_gw_learn_begin(l->learner, &l->config, &l->id, first, all, &job, NULL) == CUPEL_OK)
        while (cupel_gw_job_step(job) == CUPEL_GW_JOB_MORE)
            ;
    cupel_gw_job_end(job);
    return (struct charge){0, l->list.len};
}

#define TOOL_OF(schema) "{\"name\":\"t@\",\"inputSchema\":" schema "}"

static const struct strings lessons[] = {
    {"", "small tools", "", "", TOOL_OF("{\"type\":\"object\"}"), "", ""},
    {"", "tools of one name", "", "", "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}", "",
     ""},
    {"", "refused tools", "", "", "{\"name\":\"t@\",\"inputSchema\":{}}", "", ""},
    {"", "tools without a name", "", "", "{}", "", ""},
    {"", "hidden text", "", "",
     "{\"name\":\"t@\",\"description\":\"\xe2\x80\x8b\",\"inputSchema\":{\"type\":\"object\"}}", "",
     ""},
    {"", "parameters", "", "",
     TOOL_OF("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"enum\":"
             "[1,2,3]},\"c\":{\"items\":{\"$ref\":\"#\"}}},\"required\":[\"a\"]}"),
     "", ""},
    {"", "references", "", "",
     TOOL_OF("{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/b\"}},\"$defs\":{"
             "\"b\":{\"$ref\":\"#/$defs/c\"},\"c\":{\"type\":\"string\"}}}"),
     "", ""},
};

static void write_lesson(struct cupel_text *t, unsigned n, const void *ctx)
{
    const struct strings *s = ctx;
    const struct shape shape = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[", s->unit, ",", "]}}", NULL, NULL};
    shape_build(t, &shape, n);
}

static void run_lesson(const struct strings *family)
{
    enum { STORE = 16 << 20 };
    const struct cupel_gw_store_host host = {no_lock, no_lock, some_bytes, always_alive, NULL};
    const struct cupel_gw_learner_host times = {no_time, no_time, some_bytes, NULL};
    struct cupel_gw_store *store = NULL;
    struct lesson l = {.learner = NULL};
    void *block = aligned_alloc(64, STORE);
    must(block != NULL);
    cupel_text_init(&l.list, NULL);
    cupel_gw_learn_config_init(&l.config);
    largest(write_lesson, family, &l.list);
    must(cupel_gw_store_format(block, STORE, true, &host) == CUPEL_OK);
    must(cupel_gw_store_open(block, &host, 1, &store) == CUPEL_OK);
    must(cupel_gw_learner_new(store, &times, 0, &l.learner) == CUPEL_OK);
    const struct cupel_gw_identity_fields fields = {.location = {"l", 1},
                                                    .upstream = {"u", 1},
                                                    .prefix = {"/", 1},
                                                    .options = &l.config.options,
                                                    .caller = {"c", 1}};
    must(cupel_gw_identify(cupel_gw_store_secret(store), &fields, &l.id) == CUPEL_OK);
    measure("learning", family->name, learn, &l);
    cupel_gw_learner_free(l.learner);
    cupel_gw_store_close(store);
    cupel_text_free(&l.list);
    free(block);
}

/* -- All
 * ------------------------------------------------------------------------------------------- */

#define COUNT(array) (sizeof(array) / sizeof *(array))

int main(int argc, char **argv)
{
    const bool quick = argc > 2 && strcmp(argv[2], "--quick") == 0;
    const size_t step = quick ? QUICK : 1;
    must(argc > 1);
    for (size_t i = 0; i < COUNT(families); i += step)
        run_tool(&families[i]);
    for (size_t i = 0; i < COUNT(request_families); i++)
        run_fields(&request_families[i]);
    for (size_t i = 0; i < COUNT(lists); i++)
        run_locks(&lists[i]);
    for (size_t i = 0; i < COUNT(formats); i += step)
        run_strings(&formats[i]);
    run_patterns(argv[1], quick);
    for (size_t i = 0; i < COUNT(streams); i++)
        run_stream("events", &streams[i], read_events);
    for (size_t i = 0; i < COUNT(messages); i++)
        run_stream("envelope", &messages[i], read_envelope);
    for (size_t i = 0; i < COUNT(lessons); i++)
        run_lesson(&lessons[i]);
    return 0;
}
