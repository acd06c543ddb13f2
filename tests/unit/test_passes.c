/* test_passes.c: the rewrites of the intermediate form.
 *
 * Two kinds of test.  A case of tests/passes is text: a module, the passes to run, the module after
 * them; with --bless what comes out is written into the case.  And modules made at random are run
 * on values made at random, by an interpreter that takes ir.def at its word (ir_meaning.h):
 * whatever passes run in whatever order, the verdicts must stay.
 *
 *   test_passes [--bless] [FOLDER] */
#define _GNU_SOURCE /* memmem, scandir */
#include "test.h"

#include "base/json/tape.h"
#include "compiler/passes/passes.h"
#include "ir_meaning.h"
#include <dirent.h>

static const struct pass {
    const char *name;
    enum cupel_status (*run)(struct ir_module *);
    bool settles; /* run again it changes nothing */
} passes[] = {{"fold", cupel__pass_fold, true},
              {"enum", cupel__pass_enum, true},
              {"inline", cupel__pass_inline, false},
              {"unevaluated", cupel__pass_unevaluated, false},
              {"narrow", cupel__pass_narrow, true},
              {"merge", cupel__pass_merge, false},
              {"partition", cupel__pass_partition, false},
              {"required", cupel__pass_required, true},
              {"dedupe", cupel__pass_dedupe, true},
              {"cases", cupel__pass_cases, false},
              {"mark", cupel__ir_mark_tracked, true},
              {"memo", cupel__pass_memo, true},
              {"names", cupel__pass_names, true},
              {"discriminate", cupel__pass_discriminate, true}};
enum {
    PASSES = sizeof passes / sizeof *passes,
    ANYWHERE = PASSES - 2
}; /* the last two come last */

/* -- Cases ------------------------------------------------------------------------------------- */

struct section {
    const char *p;
    size_t n;
};

/* The lines between "-- name" and the next line with "-- ". */
static struct section find_section(const char *text, const char *name)
{
    char head[32];
    snprintf(head, sizeof head, "-- %s", name);
    const char *line = text;
    while (line != NULL && (strncmp(line, head, strlen(head)) != 0)) {
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    if (line == NULL || (line = strchr(line, '\n')) == NULL)
        return (struct section){text, 0};
    const char *end = strstr(++line, "\n-- ");
    return (struct section){line, end == NULL ? strlen(line) : (size_t)(end + 1 - line)};
}

static const struct pass *find_pass(const char *name, size_t n)
{
    for (int i = 0; i < PASSES; i++)
        if (strlen(passes[i].name) == n && strncmp(passes[i].name, name, n) == 0)
            return &passes[i];
    return NULL;
}

/* Runs the passes that the line "-- pass a b c" names. */
static enum cupel_status run_named(struct ir_module *m, const char *text, bool *ret_settles)
{
    const char *p = strstr(text, "-- pass");
    enum cupel_status status = p == NULL ? CUPEL_E_ARGUMENT : CUPEL_OK;
    int count = 0;
    *ret_settles = true;
    for (p = p == NULL ? "" : p + 7; *p == ' ' && status == CUPEL_OK; count++) {
        size_t n = strcspn(++p, " \n");
        const struct pass *pass = find_pass(p, n);
        status = pass == NULL ? CUPEL_E_ARGUMENT : pass->run(m);
        *ret_settles &= pass != NULL && pass->settles;
        p += n;
    }
    *ret_settles &= count == 1;
    return status;
}

/* Appends the module after the passes; *err has what went wrong. */
static enum cupel_status run_case(const char *text, const struct cupel_alloc *alloc,
                                  struct cupel_text *out, struct cupel_error *err)
{
    struct section before = find_section(text, "before");
    struct cupel__arena arena;
    struct ir_module m;
    struct ir_text keep;
    bool settles;
    cupel__arena_init(&arena, alloc, 0);
    cupel__ir_init(&m, &arena);
    enum cupel_status status = cupel__ir_parse(&m, before.p, before.n, &keep, err);
    if (status == CUPEL_OK)
        status = run_named(&m, text, &settles);
    if (status == CUPEL_OK)
        status = cupel__ir_check(&m, err);
    if (status == CUPEL_OK)
        cupel__ir_print(&m, out);
    if (status == CUPEL_OK && settles && alloc == NULL) {
        struct cupel_text again;
        cupel_text_init(&again, NULL);
        CHECK_INT(run_named(&m, text, &settles), CUPEL_OK);
        cupel__ir_print(&m, &again);
        CHECK(again.len == out->len && memcmp(again.bytes, out->bytes, out->len) == 0);
        cupel_text_free(&again);
    }
    cupel__ir_text_free(&keep);
    cupel__arena_free(&arena);
    return status;
}

/* The case again, with an allocator that fails for good at every request in turn. */
static void check_case_memory(const char *text)
{
    enum cupel_status status = CUPEL_E_NO_MEMORY;
    for (unsigned long n = 1; status == CUPEL_E_NO_MEMORY && n < 10000; n++) {
        struct test_alloc counter = {.fail_at = n, .for_ever = true};
        struct cupel_alloc alloc = test_allocator(&counter);
        struct cupel_text out;
        cupel_text_init(&out, NULL);
        status = run_case(text, &alloc, &out, NULL);
        cupel_text_free(&out);
        if (!CHECK_INT(counter.live, 0))
            return;
    }
    CHECK_INT(status, CUPEL_OK);
}

static void bless(const char *path, const char *text, const struct cupel_text *after)
{
    FILE *f = fopen(path, "wb");
    if (!CHECK(f != NULL))
        return;
    struct section old = find_section(text, "after");
    size_t head = old.n == 0 ? strlen(text) : (size_t)(old.p - text);
    fwrite(text, 1, head, f);
    if (old.n == 0)
        fputs("-- after\n", f);
    fwrite(after->bytes, 1, after->len, f);
    CHECK(fclose(f) == 0);
}

static void test_case(const char *path, const char *text, bool blessing)
{
    struct cupel_error err = {0};
    struct cupel_text out;
    cupel_text_init(&out, NULL);
    struct section after = find_section(text, "after");
    enum cupel_status status = run_case(text, NULL, &out, &err);
    bool ok = CHECK_INT(status, CUPEL_OK);
    if (ok && blessing)
        bless(path, text, &out);
    else if (ok)
        ok = test_check_mem(out.bytes, out.len, after.p, after.n, "after", __FILE__, __LINE__);
    if (ok)
        check_case_memory(text);
    else
        fprintf(stderr, "    %s: %s (line %u of it)\n", path, err.detail, (unsigned)err.line);
    cupel_text_free(&out);
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (f != NULL && text != NULL && fread(text, 1, (1 << 16) - 1, f) == (1 << 16) - 1)
        text[0] = '\0'; /* too long, which will be seen */
    if (f != NULL)
        fclose(f);
    return text;
}

static void test_cases(const char *folder, bool blessing)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort), cases = 0;
    for (int i = 0; i < n; i++) {
        size_t length = strlen(entries[i]->d_name);
        if (length > 5 && strcmp(entries[i]->d_name + length - 5, ".case") == 0) {
            char path[4096 + 300];
            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
            char *text = read_text(path);
            if (text != NULL)
                test_case(path, text, blessing);
            free(text);
            cases++;
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    if (!CHECK(cases > 0))
        fprintf(stderr, "    no cases in %s\n", folder);
}

/* -- Modules and values at random -------------------------------------------------------------- */

static uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % n);
}

static const char *const scalars[] = {
    "null", "true", "false", "0",     "1",     "1.0",    "2",           "-1",
    "1.5",  "1e20", "\"\"",  "\"a\"", "\"b\"", "\"ab\"", "\"\\u0061\"", "100000000000000000000"};
static const char *const keys[] = {"a", "b", "ab", "c"};
enum { SCALARS = sizeof scalars / sizeof *scalars, KEYS = 4, ANCHORS = 2 };

/* `few`: arrays and objects, mostly. */
static void add_random_value(struct cupel_text *b, uint64_t *state, int depth, bool few)
{
    uint32_t what = random_below(state, depth > 2 ? 4 : 8), n = random_below(state, 4);
    if (few && depth == 0)
        what = 3 + random_below(state, 5);
    if (what < 4) {
        cupel_text_adds(b, scalars[random_below(state, SCALARS)]);
    } else if (what < 6) {
        cupel_text_adds(b, "[");
        for (uint32_t i = 0; i < n; i++) {
            cupel_text_adds(b, i == 0 ? "" : ",");
            add_random_value(b, state, depth + 1, few);
        }
        cupel_text_adds(b, "]");
    } else {
        const char *comma = "{";
        for (uint32_t i = 0; i < KEYS; i++) {
            if (random_below(state, 2) == 0)
                continue;
            cupel_text_addf(b, "%s\"%s\":", comma, keys[i]);
            add_random_value(b, state, depth + 1, few);
            comma = ",";
        }
        cupel_text_adds(b, *comma == '{' ? "{}" : "}");
    }
}

/* An array of n values. */
static void read_random_values(struct cupel__doc *doc, uint64_t *state, uint32_t n, bool few)
{
    static const struct cupel__read_options options = {
        .max_depth = 99, .max_number = 99, .max_bytes = 1 << 20};
    struct cupel_text b;
    cupel_text_init(&b, NULL);
    for (uint32_t i = 0; i < n; i++) {
        cupel_text_adds(&b, i == 0 ? "[" : ",");
        add_random_value(&b, state, 0, few);
    }
    cupel_text_adds(&b, "]");
    cupel__doc_init(doc, NULL);
    CHECK_INT(cupel__json_read(doc, b.bytes, b.len, &options, NULL), CUPEL_OK);
    cupel_text_free(&b);
}

struct maker {
    struct ir_module *m;
    struct cupel__doc *values; /* an array to take values from */
    uint64_t state;
    uint32_t n;        /* schemas */
    uint32_t rank[12]; /* schemas in the order in which one may apply another in place */
    uint32_t at;       /* rank of the schema that is being made */
    bool focus;        /* on evaluation: schemas for children are trivial */
};

static uint32_t some(struct maker *k, uint32_t n)
{
    return random_below(&k->state, n);
}

static struct ir_value some_value(struct maker *k, uint32_t types)
{
    for (;;) {
        uint32_t i = 1;
        for (uint32_t skip = some(k, k->values->nodes[0].count); skip > 0; skip--)
            i = cupel__node_next(k->values->nodes, i);
        if ((CUPEL__BIT(k->values->nodes[i].type) & types) != 0)
            return (struct ir_value){k->values, i};
    }
}

static uint32_t some_types(struct maker *k)
{
    static const uint32_t sets[] = {CUPEL__M_NULL,   CUPEL__M_BOOLEAN, CUPEL__M_INTEGER,
                                    CUPEL__M_NUMBER, CUPEL__M_STRING,  CUPEL__M_ARRAY,
                                    CUPEL__M_OBJECT};
    return sets[some(k, 7)] | sets[some(k, 7)];
}

/* A schema for the same instance has a higher rank, so that there are no cycles without progress.
 */
static uint32_t some_schema(struct maker *k, bool in_place)
{
    if (!in_place && k->focus && some(k, 8) != 0)
        return k->rank[k->n - 1 - some(k, 2)]; /* one of them is empty, the other FAIL or empty */
    if (!in_place)
        return some(k, k->n);
    uint32_t higher = k->n - k->at - 1;
    return k->rank[k->at + 1 + some(k, k->focus && higher > 3 ? 3 : higher)];
}

static void fill_bounds(struct maker *k, struct ir_op *op)
{
    op->a = some(k, 3);
    op->b = some(k, 2) == 0 ? IR_MANY : op->a + some(k, 3);
    if (op->kind == IR_DYNAMIC)
        op->a = some(k, ANCHORS);
}

static void fill_names(struct maker *k, struct ir_op *op)
{
    uint32_t n = 0, bits = some(k, 1 << KEYS);
    struct ir_name *names = cupel__ir_op_names(k->m, op, KEYS);
    for (uint32_t i = 0; i < KEYS; i++) {
        if ((bits >> i & 1) == 0)
            continue;
        names[n].name = (struct cupel__str){keys[i], strlen(keys[i])};
        if (op->kind == IR_PROPS)
            names[n].schema = some_schema(k, false);
        n++;
    }
    op->nnames = n;
}

/* Schema i of an operation that may have none there.  What is left unevaluated is often refused. */
static uint32_t some_part(struct maker *k, enum ir_kind kind, uint32_t i)
{
    if (some(k, 3) == 0)
        return IR_NONE;
    if (kind == IR_UNEVALUATED && some(k, 2) == 0)
        return k->rank[k->n - 1];
    return some_schema(k, cupel__ir_in_place(kind, i));
}

static void fill_schemas(struct maker *k, struct ir_op *op)
{
    uint32_t n = strchr(cupel__ir_kind_operands(op->kind), 's') != NULL ? 1 : 1 + some(k, 3);
    if (op->kind == IR_IF || op->kind == IR_UNEVALUATED)
        n = 3;
    if (op->kind == IR_SCOPE)
        n = 1 + ANCHORS;
    cupel__ir_op_schemas(k->m, op, n);
    for (uint32_t i = 0; i < n; i++)
        op->schemas[i] = cupel__ir_may_be_none(op->kind, i)
                             ? some_part(k, op->kind, i)
                             : some_schema(k, cupel__ir_in_place(op->kind, i));
}

static void fill_operand(struct maker *k, struct ir_op *op, char letter)
{
    uint32_t n = 1;
    switch (letter) {
    case 'm':
        op->mask = op->kind == IR_AMONG ? (uint32_t)CUPEL__M_NUMBER : some_types(k);
        break;
    case 'a':
        fill_bounds(k, op);
        if (strchr(cupel__ir_kind_operands(op->kind), 'b') == NULL)
            op->b = IR_MANY;
        break;
    case 'x':
        op->exclusive = some(k, 2) != 0;
        break;
    case 'V':
        n = 1 + some(k, 4) * some(k, 4);
        /* fallthrough */
    case 'v':
        cupel__ir_op_values(k->m, op, n);
        for (uint32_t i = 0; i < n; i++)
            op->values[i] =
                some_value(k, op->kind == IR_AMONG ? op->mask : cupel__ir_kind_types(op->kind));
        break;
    case 'S':
    case 's':
        fill_schemas(k, op);
        break;
    case 'n':
        op->name = (struct cupel__str){keys[some(k, KEYS)], 1};
        break;
    case 'N':
        fill_names(k, op);
        break;
    case 'P':
        fill_names(k, op);
        op->other = some(k, 2) == 0 ? IR_NONE : some_schema(k, false);
        if (some(k, 2) == 0)
            *cupel__ir_op_matches(k->m, op, 1) =
                (struct ir_match){some(k, 2), some_schema(k, false)};
        break;
    case 'p':
        op->pattern = some(k, 2);
        break;
    }
}

/* Those around evaluation, and what meets them. */
static enum ir_kind some_focus(struct maker *k)
{
    static const enum ir_kind kinds[] = {
        IR_UNEVALUATED, IR_UNEVALUATED, IR_PROPS,   IR_PROPS, IR_PROPS,   IR_PREFIX,
        IR_ITEMS,       IR_CONTAINS,    IR_SCOPE,   IR_SCOPE, IR_DYNAMIC, IR_ANY_OF,
        IR_ONE_OF,      IR_NOT,         IR_IF,      IR_REF,   IR_REF,     IR_ALL,
        IR_ALL,         IR_DEP_SCHEMA,  IR_REQUIRED};
    return kinds[some(k, sizeof kinds / sizeof *kinds)];
}

static void make_op(struct maker *k, bool first)
{
    enum ir_kind kind = (enum ir_kind)some(k, IR_KINDS);
    if (k->focus)
        kind = first && k->at == 0 ? IR_UNEVALUATED : some_focus(k);
    bool in_place = kind >= IR_REF || kind == IR_DEP_SCHEMA;
    if (kind == IR_FAIL || kind == IR_CASES || (in_place && k->at + 1 >= k->n))
        return;
    struct ir_op *op = cupel__ir_add_op(k->m, k->rank[k->at], kind, IR_NONE);
    for (const char *letter = cupel__ir_kind_operands(kind); *letter != '\0'; letter++)
        fill_operand(k, op, *letter);
    if (kind == IR_MULTIPLE) /* a divisor is above zero */
        *cupel__ir_op_values(k->m, op, 1) = (struct ir_value){k->values, k->values->nnodes - 1};
}

/* A schema that asks for certain strings, or for types, of a member. */
static uint32_t make_condition(struct maker *k)
{
    uint32_t value = cupel__ir_add_schema(k->m, IR_NONE),
             schema = cupel__ir_add_schema(k->m, IR_NONE);
    if (some(k, 4) == 0) {
        k->m->schemas[value].types = some_types(k);
    } else {
        struct ir_op *op = cupel__ir_add_op(k->m, value, IR_AMONG, IR_NONE);
        op->mask = CUPEL__M_STRING;
        cupel__ir_op_values(k->m, op, 1)[0] = some_value(k, CUPEL__M_STRING);
        k->m->schemas[value].types = some(k, 2) == 0 ? CUPEL__M_STRING : CUPEL__M_ANY;
    }
    struct ir_name *name =
        cupel__ir_op_names(k->m, cupel__ir_add_op(k->m, schema, IR_PROPS, IR_NONE), 1);
    *name = (struct ir_name){.name = {keys[some(k, 2)], 1}, .schema = value};
    name->flags = some(k, 2) == 0 ? IR_NAME_REQUIRED : 0;
    if (some(k, 4) != 0)
        return schema;
    uint32_t not = cupel__ir_add_schema(k->m, IR_NONE);
    cupel__ir_op_schemas(k->m, cupel__ir_add_op(k->m, not, IR_NOT, IR_NONE), 1)[0] = schema;
    return not ;
}

/* Some IF about members, one after the other, or each in the last branch of the one before. */
static void make_switch(struct maker *k)
{
    uint32_t schema = k->rank[k->at];
    for (uint32_t n = 1 + some(k, 3); n > 0; n--) {
        uint32_t *branches =
            cupel__ir_op_schemas(k->m, cupel__ir_add_op(k->m, schema, IR_IF, IR_NONE), 3);
        for (int i = 1; i < 3; i++)
            branches[i] = some(k, 5) == 0 ? IR_NONE : some_schema(k, true);
        branches[0] = make_condition(k);
        if (some(k, 2) == 0)
            schema = branches[2] = cupel__ir_add_schema(k->m, IR_NONE);
    }
}

static void make_module(struct maker *k)
{
    uint32_t pattern;
    k->n = 2 + some(k, 11);
    for (uint32_t i = 0; i < k->n; i++) {
        cupel__ir_add_schema(k->m, IR_NONE);
        uint32_t other = some(k, i + 1);
        k->rank[i] = k->rank[other];
        k->rank[other] = i;
    }
    CHECK_INT(cupel__ir_add_pattern(k->m, CUPEL__STR("a"), 0, 0, &pattern, NULL), CUPEL_OK);
    CHECK_INT(cupel__ir_add_pattern(k->m, CUPEL__STR("b"), 0, 0, &pattern, NULL), CUPEL_OK);
    for (k->at = 0; k->at + 2 * k->focus < k->n; k->at++) {
        for (uint32_t i = 0, n = k->focus + some(k, 4 - k->focus); i < n; i++)
            make_op(k, i == 0);
        if (some(k, 8) == 0 && k->at + 1 < k->n)
            make_switch(k);
    }
    if (some(k, 2) == 0)
        cupel__ir_add_op(k->m, k->rank[k->n - 1], IR_FAIL, IR_NONE);
    k->m->root = k->rank[0];
    CHECK_INT(cupel__ir_mark_tracked(k->m), CUPEL_OK);
}

/* -- Verdicts stay ----------------------------------------------------------------------------- */

enum { VALUES = 40 };

/* The verdicts on all values of an array: V valid, I invalid, ? given up. */
static void judge(const struct ir_module *m, struct cupel__doc *doc, char verdicts[VALUES + 1])
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < doc->nnodes && n < VALUES; i = cupel__node_next(doc->nodes, i)) {
        struct machine x = {.m = m, .doc = doc, .fuel = 20000};
        bool valid = child_passes(&x, m->root, i);
        verdicts[n++] = x.fuel < 0 ? '?' : valid ? 'V' : 'I';
    }
    verdicts[n] = '\0';
}

static bool same_verdicts(const char *a, const char *b)
{
    for (; *a != '\0'; a++, b++)
        if (*a != *b && *a != '?' && *b != '?')
            return false;
    return *b == '\0';
}

/* What the text form says of a module it says again after a round trip. */
static void check_text(const struct cupel_text *text)
{
    struct cupel__arena arena;
    struct ir_module m;
    struct ir_text keep;
    struct cupel_text again;
    cupel__arena_init(&arena, NULL, 0);
    cupel_text_init(&again, NULL);
    cupel__ir_init(&m, &arena);
    CHECK_INT(cupel__ir_parse(&m, text->bytes, text->len, &keep, NULL), CUPEL_OK);
    cupel__ir_print(&m, &again);
    CHECK(again.len == text->len && memcmp(again.bytes, text->bytes, text->len) == 0);
    cupel_text_free(&again);
    cupel__ir_text_free(&keep);
    cupel__arena_free(&arena);
}

/* Runs up to six passes, names and choose, and asks for the verdicts after each. */
static void check_passes(struct maker *k, struct cupel__doc *doc, const struct cupel_text *before)
{
    char want[VALUES + 1], got[VALUES + 1], names[100] = "";
    struct cupel_error err = {0};
    judge(k->m, doc, want);
    for (uint32_t n = some(k, 6); n < 6 + PASSES - ANYWHERE; n++) {
        const struct pass *pass = &passes[n < 6 ? some(k, ANYWHERE) : ANYWHERE + n - 6];
        strcat(strcat(names, " "), pass->name);
        CHECK_INT(pass->run(k->m), CUPEL_OK);
        bool ok = CHECK_INT(cupel__ir_check(k->m, &err), CUPEL_OK);
        if (ok)
            judge(k->m, doc, got);
        if (ok && CHECK(same_verdicts(want, got)))
            continue;
        struct cupel_text after;
        cupel_text_init(&after, NULL);
        cupel__ir_print(k->m, &after);
        fprintf(stderr, "    after%s: %s\n%s\n%.*s%.*s", names, err.detail, ok ? want : "",
                (int)before->len, before->bytes, (int)after.len, after.bytes);
        for (uint32_t i = 1, v = 0; ok && i < doc->nnodes && want[v] != '\0'; v++) {
            struct cupel__str span = cupel__doc_span(doc, i);
            if (want[v] != got[v])
                fprintf(stderr, "    %c%c %.*s\n", want[v], got[v], (int)span.n, span.p);
            i = cupel__node_next(doc->nodes, i);
        }
        cupel_text_free(&after);
        return;
    }
}

static void test_random(uint64_t seed)
{
    static const char pool[] =
        "[null,true,false,0,1,1.0,2,1.5,1e20,100000000000000000000,\"a\",\"ab\",\"\",\"b\","
        "\"\\u0061\",[],[1],[1.0],{},{\"a\":1},{\"a\":1.0},3,4,5,\"x\",\"y\",\"z\",2]";
    static const struct cupel__read_options options = {
        .max_depth = 9, .max_number = 99, .max_bytes = 999};
    struct cupel__arena arena;
    struct ir_module m;
    struct cupel__doc values, instances;
    struct cupel_text before;
    struct maker k = {.m = &m, .values = &values, .state = seed, .focus = seed % 2 != 0};
    cupel__arena_init(&arena, NULL, 0);
    cupel__ir_init(&m, &arena);
    cupel__doc_init(&values, NULL);
    cupel_text_init(&before, NULL);
    CHECK_INT(cupel__json_read(&values, pool, sizeof pool - 1, &options, NULL), CUPEL_OK);
    read_random_values(&instances, &k.state, VALUES, k.focus);

    make_module(&k);
    cupel__ir_print(&m, &before);
    if (CHECK_INT(cupel__ir_check(&m, NULL), CUPEL_OK)) {
        if (seed % 16 == 0)
            check_text(&before);
        check_passes(&k, &instances, &before);
    }
    cupel_text_free(&before);
    cupel__doc_free(&instances);
    cupel__doc_free(&values);
    cupel__arena_free(&arena);
}

/* -- Many -------------------------------------------------------------------------------------- */

/* So many values and names that hashing meets collisions; each is there twice and stays once, in
 * order. */
static void test_many(const char *keyword, const char *result, const char *format)
{
    enum { N = 32000, TWICE = 768 };
    static const char *const head = "root @0\nschema @0 any\n  ";
    struct cupel_text text, out;
    cupel_text_init(&text, NULL);
    cupel_text_init(&out, NULL);
    cupel_text_addf(&text, "-- pass enum required\n-- before\n%s%s", head, keyword);
    for (int i = 0; i < N; i++)
        cupel_text_addf(&text, format, i);
    if (strcmp(keyword, "required") == 0)
        cupel_text_addf(&text, "\n  %s", keyword);
    for (int i = TWICE; i-- > 0;)
        cupel_text_addf(&text, format, i);
    cupel_text_adds(&text, "\n");
    CHECK_INT(run_case(text.bytes, NULL, &out, NULL), CUPEL_OK);

    cupel_text_clear(&text);
    cupel_text_adds(&text, result);
    for (int i = 0; i < N; i++) {
        cupel_text_adds(&text, strcmp(keyword, "required") == 0 && i > 0 ? " required," : "");
        cupel_text_addf(&text, format, i);
    }
    cupel_text_adds(&text, strcmp(keyword, "required") == 0 ? " required\n" : "\n");
    CHECK(text.len == out.len && memcmp(text.bytes, out.bytes, out.len) == 0);
    cupel_text_free(&text);
    cupel_text_free(&out);
}

/* A module for which every pass needs memory, and more than a block of the arena has left. */
static void test_memory(void)
{
    enum { N = 90 };
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_adds(&text,
                    "-- pass mark enum inline unevaluated narrow required dedupe memo\n-- before\n"
                    "root @0\n");
    for (int i = 0; i < N; i++)
        cupel_text_addf(&text,
                        "schema @%d any\n  enum \"a\" 1 [%d] \"a\"\n  required \"a\"\n"
                        "  items 0 @%d\n  all @%d @%d\n  unevaluated @%d @%d @%d\n",
                        i, i, (i + 1) % N, N, N, N + 1, N, N);
    cupel_text_addf(&text, "schema @%d any\n  unique\n  length 1 2\n", N);
    cupel_text_addf(&text, "schema @%d any\n  ref @%d\n  props ", N + 1, N + 2);
    for (int i = 0; i < N; i++)
        cupel_text_addf(&text, "\"n%d\":@%d, ", i, N);
    cupel_text_addf(&text, "\"a\":@%d\nschema @%d any\n  props \"b\":@%d, \"n5\":@%d\n", N, N + 2,
                    N, N);
    check_case_memory(text.bytes);
    cupel_text_free(&text);
}

int main(int argc, char **argv)
{
    bool blessing = argc > 1 && strcmp(argv[1], "--bless") == 0;
    char folder[4096];
    const char *slash = strrchr(__FILE__, '/'); /* the cases lie beside the folder of this file */
    snprintf(folder, sizeof folder, "%.*s../passes",
             slash == NULL ? 0 : (int)(slash + 1 - __FILE__), __FILE__);
    test_cases(argc > 1 + blessing ? argv[1 + blessing] : folder, blessing);
    test_many("enum", "root @0\nschema @0 string\n  among string", " \"v%d\"");
    test_many("enum", "root @0\nschema @0 int|intreal\n  among number", " %d");
    test_many("required", "root @0\nschema @0 any\n  props", " \"v%d\"");
    test_memory();
    for (uint64_t seed = 0; seed < 4000 && test_failed == 0; seed++)
        test_random(seed);
    return test_end();
}
