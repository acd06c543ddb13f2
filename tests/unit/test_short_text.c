/* test_short_text.c: that short texts judged by their tokens (vm/run/short_text.c) are judged as
 * they are on a tape.
 *
 * Each schema has texts that are judged directly.  These and thousands of others, made of them by
 * changing a byte or two, go to two scratches of which one puts everything on a tape: verdict,
 * reason, steps and the place of an error must be the same, and so must what a report says
 * afterwards of the same text. */
#include "report_counts.h"
#include "test.h"

#include "shape.h"
#include "vm/run/scratch.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

enum { CHANGED = 1500, ROOM = 300 };

struct set {
    const char *schema;
    const char *direct[5]; /* up to NULL */
};

static const struct set sets[] = {
    {"{\"type\": \"object\", \"properties\": {\"city\": {\"type\": \"string\"}, \"days\": "
     "{\"type\": \"integer\", "
     "\"minimum\": 1, \"maximum\": 14}, \"unit\": {\"enum\": [\"metric\", \"imperial\"]}}, "
     "\"required\": [\"city\"]}",
     {"{\"city\":\"Lund\",\"days\":3,\"unit\":\"metric\"}", "{ \"city\" : \"\", \"days\" : 1 }",
      "{\"city\":\"x\",\"other\":[{},[],true,null,-1.5e3,{\"a\":{\"b\":false}}]}",
      "{\"other\":1,\"city\":\"y\"}"}},
    {"{\"type\": \"object\", \"properties\": {\"at\": {\"type\": \"object\", \"properties\": "
     "{\"lat\": {\"type\": "
     "\"number\", \"minimum\": -90.5}, \"on\": {\"type\": \"boolean\"}}, \"required\": [\"lat\"], "
     "\"additionalProperties\": false}, \"tags\": {\"type\": \"array\", \"items\": {\"type\": "
     "\"string\", "
     "\"minLength\": 1, \"maxLength\": 5}}, \"map\": {\"type\": \"object\", "
     "\"additionalProperties\": {\"type\": "
     "[\"integer\", \"null\"]}}, \"rows\": {\"type\": \"array\", \"items\": {\"type\": \"array\", "
     "\"items\": "
     "{\"const\": 7}}}}, \"additionalProperties\": {\"maxLength\": 3}}",
     {"{\"at\":{\"lat\":40.25,\"on\":true},\"tags\":[\"a\",\"bcde\"],\"map\":{\"x\":1,\"y\":null}}",
      "{\"rows\":[[7,7.0],[],[70e-1]],\"tags\":[],\"map\":{},\"at\":{\"lat\":-90.5}}",
      "{\"x\":\"abc\",\"y\":12345678,\"z\":123456789012,\"map\":{\"a\":0,\"b\":-0}}", "{}"}},
    {"{\"properties\": {\"a\": {\"properties\": {\"b\": {\"items\": {\"format\": \"date\"}}}}, "
     "\"c\": {\"pattern\": "
     "\"^[a-z]+$\", \"minimum\": 3}, \"d\": {\"not\": {\"const\": 1}}, \"e\": {\"uniqueItems\": "
     "true}}}",
     {"{\"a\":{\"b\":[1,\"2020-01-01\"]},\"c\":\"abc\"}",
      "{\"a\":3,\"c\":5,\"a_long_name_of_24_bytes_\":{}}"}},
    {"{\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/$defs/tree\"}, \"$defs\": "
     "{\"tree\": {\"type\": "
     "[\"object\", \"integer\"], \"additionalProperties\": {\"$ref\": \"#/$defs/tree\"}}}}",
     {"{\"a\":{\"b\":{\"c\":{\"d\":5}},\"e\":1},\"f\":2}", "{\"a\":{},\"b\":{}}"}},
    {"{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"number\", \"multipleOf\": 0.5}, "
     "\"kind\": {\"type\": "
     "\"string\", \"enum\": [\"first\", \"second\", \"third one of them\"]}, \"s\": {\"anyOf\": "
     "[{\"minLength\": 2}, "
     "{\"const\": \"x\"}]}, \"t\": true, \"u\": false}}",
     {"{\"n\":2.5,\"kind\":\"third one of them\",\"t\":[[[[[[1]]]]]]}",
      "{\"n\":-3,\"kind\":\"first\",\"s\":\"x\"}"}},
};

/* Whether this build judges short texts directly: it needs a scanner with SIMD. */
static bool is_built(void)
{
    return strcmp(cupel__json_scanner(), "portable") != 0;
}

struct ways {
    struct cupel_program *program;
    struct cupel_scratch *direct, *tape;
    unsigned taken; /* texts that were judged directly */
};

struct limits {
    uint64_t of[CUPEL_LIMITS];
};

static struct limits narrow(void)
{
    struct cupel_options options;
    struct limits limits;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_DEPTH] = 8;
    options.limits[CUPEL_LIMIT_NUMBER_CHARS] = 12;
    memcpy(limits.of, options.limits, sizeof limits.of);
    return limits;
}

static struct cupel_scratch *new_scratch(uint32_t flags, struct limits limits)
{
    struct cupel_options options;
    struct cupel_scratch *s = NULL;
    cupel_options_init(&options);
    options.flags = flags;
    memcpy(options.limits, limits.of, sizeof options.limits);
    CHECK_INT(cupel_scratch_new(&options, &s), CUPEL_OK);
    return s;
}

static struct ways begin_within(const char *schema, struct limits limits)
{
    struct ways w = {.direct = new_scratch(0, limits),
                     .tape = new_scratch(CUPEL_NO_DIRECT, limits)};
    struct cupel_options options;
    cupel_options_init(&options);
    options.flags = CUPEL_ANNOTATIONS | CUPEL_ASSERT_FORMAT;
    CHECK_INT(cupel_compile(schema, strlen(schema), &options, &w.program, NULL), CUPEL_OK);
    return w;
}

static struct ways begin(const char *schema)
{
    return begin_within(schema, narrow());
}

static void end(struct ways *w)
{
    cupel_program_free(w->program);
    cupel_scratch_free(w->direct);
    cupel_scratch_free(w->tape);
}

/* A report of the text that was judged last; it may take more steps than there are. */
static void compare_reports(struct ways *w, enum cupel_verdict verdict)
{
    struct cupel_outcome a, b;
    enum cupel_verdict told =
        cupel_report_run(w->program, w->direct, NULL, 0, CUPEL_REPORT_ANNOTATIONS, &a);
    CHECK_INT(cupel_report_run(w->program, w->tape, NULL, 0, CUPEL_REPORT_ANNOTATIONS, &b), told);
    CHECK(told == verdict || (told == CUPEL_UNDECIDED && a.reason == CUPEL_E_LIMIT_STEPS));
    CHECK_INT(a.steps, b.steps);
    CHECK_INT(count_records(w->direct), count_records(w->tape));
}

/* Whether the text was judged directly. */
static bool compare(struct ways *w, const char *text, size_t len)
{
    struct cupel_outcome a = {.reason = CUPEL_OK}, b = {.reason = CUPEL_OK};
    w->direct->backoff = 0; /* also after others that were not */
    enum cupel_verdict verdict = cupel_validate(w->program, w->direct, text, len, &a);
    const bool direct = w->direct->tokens != 0;
    bool same = cupel_validate(w->program, w->tape, text, len, &b) == verdict &&
                a.reason == b.reason && a.steps == b.steps && a.error.offset == b.error.offset;
    if (!CHECK(same && w->tape->tokens == 0))
        fprintf(stderr, "    %.*s: %d, %s, %u steps; on a tape %s, %u steps\n", (int)len, text,
                verdict, cupel_status_name(a.reason), (unsigned)a.steps,
                cupel_status_name(b.reason), (unsigned)b.steps);
    if (verdict != CUPEL_UNDECIDED)
        compare_reports(w, verdict);
    w->taken += direct;
    return direct;
}

/* -- Texts that are not well made
 * ---------------------------------------------------------------------- */

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Replaces, takes out, puts in or doubles. */
static size_t change(char *text, size_t len, uint32_t *random)
{
    static const char bytes[] = "{}[]:,\" \\\n0159-.eEtfnaxu\x7f\xc3";
    size_t at = next_random(random) % len, n = 1 + next_random(random) % 12;
    char byte = bytes[next_random(random) % (sizeof bytes - 1)];
    n = n < len - at ? n : len - at;
    switch (next_random(random) % 4) {
    case 0:
        text[at] = byte;
        return len;
    case 1:
        memmove(text + at, text + at + 1, len - at - 1);
        return len - 1;
    case 2:
        memmove(text + at + 1, text + at, len - at);
        text[at] = byte;
        return len + 1;
    default: /* a few bytes again: names and brackets that were there before */
        memmove(text + at + n, text + at, len - at);
        return len + n;
    }
}

static void compare_changed(struct ways *w, const char *text, uint32_t *random)
{
    for (int i = 0; i < CHANGED; i++) {
        char changed[ROOM];
        size_t len = strlen(text);
        memcpy(changed, text, len);
        for (uint32_t times = 1 + next_random(random) % 2; times > 0 && len > 1; times--)
            len = change(changed, len, random);
        compare(w, changed, len);
    }
}

static void test_sets(void)
{
    uint32_t random = 2463534242u;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct ways w = begin(sets[i].schema);
        compare(&w, "{}", 2); /* the first has no room yet */
        for (int k = 0; k < 5 && sets[i].direct[k] != NULL; k++) {
            compare(&w, sets[i].direct[k], strlen(sets[i].direct[k]));
            if (!CHECK(compare(&w, sets[i].direct[k], strlen(sets[i].direct[k])) == is_built()))
                fprintf(stderr, "    %s goes by a tape\n", sets[i].direct[k]);
            compare_changed(&w, sets[i].direct[k], &random);
        }
        CHECK(w.taken > 100 || !is_built()); /* of those that were changed too */
        end(&w);
    }
}

/* -- Where it gives up
 * ---------------------------------------------------------------------------------- */

static void test_given_up(void)
{
    static const char *const texts[] = {
        "{\"a\":1,\"a\":1}",         /* twice */
        "{\"a\":\"\\u0061\"}",       /* an escape */
        "{\"a\":\"\xc3\xa9\"}",      /* beyond ASCII */
        "{\"a\":1} ",                /* and one that is none of these */
        "{\"a\":[[[[[[[[1]]]]]]]]}", /* deeper than the limit */
        "{\"a\":1234567890123}",     /* longer than the limit */
        "[1]",
        "7",
        "\"a\"",
        "",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1}x",
        "{\"a\":1}}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":}",
        "{\"a\":tru}",
        "{\"a\":nul}",
        "{\"a\":truex}",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":[1,]}",
        "{\"a\":[1}",
        "{\"a\":{\"b\":1]}",
    };
    struct ways w = begin("{\"type\": \"object\", \"properties\": {\"a\": {}}}");
    compare(&w, "{}", 2);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK_INT(
            (compare(&w, texts[i], strlen(texts[i])), compare(&w, texts[i], strlen(texts[i]))),
            i == 3 && is_built());
    end(&w);
}

/* As many members, names and bytes as it takes, and one more. */
static void test_bounds(void)
{
    struct cupel_text text;
    struct ways w =
        begin("{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"integer\"}}}");
    cupel_text_init(&text, NULL);
    compare(&w, "{}", 2);
    for (unsigned n = 30; n <= 32; n++) {
        cupel_text_clear(&text);
        cupel_text_adds(&text, "{\"a\":[0");
        for (unsigned i = 1; i < n; i++)
            cupel_text_adds(&text, ",0");
        cupel_text_adds(&text, "]}");
        struct ways items = begin("{\"type\": \"object\"}");
        compare(&items, "{}", 2);
        compare(&items, text.bytes, text.len);
        CHECK_INT(compare(&items, text.bytes, text.len), n <= 31 && is_built());
        end(&items);
    }
    for (unsigned len = 254; len <= 256; len++) {
        cupel_text_clear(&text);
        cupel_text_adds(&text, "{\"a\":1,\"b\":\"");
        while (text.len < len - 2)
            cupel_text_adds(&text, "x");
        cupel_text_adds(&text, "\"}");
        compare(&w, text.bytes, text.len);
        CHECK_INT(compare(&w, text.bytes, text.len), len <= 255 && is_built());
    }
    cupel_text_free(&text);
    end(&w);
}

/* Leaves room for runs that are deeper in place than those of the program. */
static void make_room(struct ways *w)
{
    static const struct shape nested = {.before = "",
                                        .each = "{\"allOf\": [{\"title\": \"@\"}, ~]}",
                                        .between = "{\"type\": \"object\"}",
                                        .after = ""};
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_text schema;
    cupel_text_init(&schema, NULL);
    shape_build(&schema, &nested, 40);
    cupel_options_init(&options);
    options.passes = 0;
    CHECK_INT(cupel_compile(schema.bytes, schema.len, &options, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_validate(program, w->direct, "{}", 2, NULL), CUPEL_VALID);
    cupel_program_free(program);
    cupel_text_free(&schema);
}

/* The limits of the scratch, at which it ends, and before. */
static void test_limits(void)
{
    static const char text[] = "{\"a\":{\"b\":{\"c\":[1,2,3]}},\"d\":\"xyz\"}";
    static const char schema[] =
        "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"object\", "
        "\"additionalProperties\": {\"type\": \"object\"}}, \"d\": {\"maxLength\": 3, "
        "\"type\": \"string\"}}}";
    unsigned direct[3] = {0};
    for (unsigned n = 1; n < 48; n++) {
        struct limits limits[3] = {narrow(), narrow(), narrow()};
        limits[0].of[CUPEL_LIMIT_DEPTH] = n;
        limits[1].of[CUPEL_LIMIT_BODY_BYTES] = n;
        limits[2].of[CUPEL_LIMIT_STEPS] = n;
        limits[2].of[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
        for (int which = 0; which < 3; which++) {
            struct ways w = begin_within(schema, limits[which]);
            compare(&w, "{}", 2);
            compare(&w, text, strlen(text));
            if (which == 0)
                make_room(&w);
            direct[which] += compare(&w, text, strlen(text));
            end(&w);
        }
    }
    if (!is_built())
        return;
    CHECK_INT(direct[0], 47 - 3); /* depth 4 */
    CHECK_INT(direct[1], 47 - (sizeof text - 2));
    CHECK(direct[2] > 0 && direct[2] < 47);
}

/* After tries in vain there are pauses, and a text that is judged directly ends them. */
static void test_pauses(void)
{
    struct ways w =
        begin("{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"integer\"}}}");
    static const char wrong[] = "{\"a\":\"x\"}", right[] = "{\"a\":1}";
    unsigned tried = 0;
    for (int i = 0; i < 200; i++) {
        tried += w.direct->backoff == 0;
        CHECK_INT(cupel_validate(w.program, w.direct, wrong, strlen(wrong), NULL), CUPEL_INVALID);
    }
    CHECK(tried > 3 && tried < 20);
    bool direct = false;
    for (int i = 0; i < 40 && !direct; i++) {
        CHECK_INT(cupel_validate(w.program, w.direct, right, strlen(right), NULL), CUPEL_VALID);
        direct = w.direct->tokens != 0;
    }
    CHECK(direct && w.direct->backoff == 0);
    end(&w);
}

int main(void)
{
    test_sets();
    test_given_up();
    test_bounds();
    test_limits();
    if (is_built())
        test_pauses();
    return test_end();
}
