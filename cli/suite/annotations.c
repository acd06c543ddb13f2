/* annotations.c: tests of annotations: the annotations of a keyword for a value must be exactly
 * those expected.  A test lists them by the schema location, a URI fragment, of the subschema they
 * come from. */
#include "cli/suite/suite.h"

#include <stdlib.h>
#include <string.h>

/* The annotations of one instance. */
struct note {
    char *keyword, *instance, *value;
    char *schema; /* the location of the subschema that the keyword is in */
};

struct notes {
    struct note *notes;
    size_t count, capacity;
};

static char *copy(const char *text)
{
    return cli_copy(text, strlen(text));
}

static int on_annotation(void *ctx, const struct cupel_annotation *annotation)
{
    struct notes *notes = ctx;
    const char *last = strrchr(annotation->schema, '/');
    size_t len = last != NULL ? (size_t)(last - annotation->schema) : 0;
    notes->notes =
        cli_grow(notes->notes, &notes->capacity, notes->count + 1, sizeof(*notes->notes));
    notes->notes[notes->count++] =
        (struct note){copy(annotation->keyword), copy(annotation->instance),
                      copy(annotation->value), cli_copy(annotation->schema, len)};
    return 0;
}

static void free_notes(struct notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->notes[i].keyword);
        free(notes->notes[i].instance);
        free(notes->notes[i].value);
        free(notes->notes[i].schema);
    }
    free(notes->notes);
}

/* -- Comparing -------------------------------------------------------------------------------- */

static int hex(char c)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)((at - digits) % 16) : -1;
}

/* Whether a fragment, such as `#/a%20b`, equals a pointer. */
static bool is_fragment(const char *fragment, size_t len, const char *pointer)
{
    if (len == 0 || fragment[0] != '#')
        return false;
    for (size_t i = 1; i < len; i++) {
        int c = (unsigned char)fragment[i];
        if (c == '%' && len - i > 2 && hex(fragment[i + 1]) >= 0 && hex(fragment[i + 2]) >= 0) {
            c = hex(fragment[i + 1]) * 16 + hex(fragment[i + 2]);
            i += 2;
        }
        if (c == 0 || c != (unsigned char)*pointer++)
            return false;
    }
    return *pointer == '\0';
}

/* The value expected from a schema location, or CUPEL_NO_NODE. */
static uint32_t find_expected(struct suite *suite, uint32_t expected, const char *pointer)
{
    uint32_t key = cupel_json_first(suite->doc, expected);
    while (key != CUPEL_NO_NODE) {
        size_t len;
        const char *fragment = cupel_json_string(suite->doc, key, &len);
        if (is_fragment(fragment, len, pointer))
            return key + 1;
        key = cupel_json_next(suite->doc, expected, key + 1);
    }
    return CUPEL_NO_NODE;
}

static bool same_value(struct suite *suite, uint32_t node, const char *text)
{
    struct cupel_document *value;
    if (cupel_document_new(&suite->settings->engine, &value) != CUPEL_OK)
        return false;
    bool same = cupel_document_read(value, text, strlen(text), NULL) == CUPEL_OK &&
                cupel_json_equal(suite->doc, node, value, 0) == 1;
    cupel_document_free(value);
    return same;
}

/* Whether an earlier note has the same keyword, value and schema: a schema may apply to a value
 * more than once. */
static bool is_repeated(const struct notes *notes, size_t at)
{
    const struct note *a = &notes->notes[at];
    for (size_t i = 0; i < at; i++) {
        const struct note *b = &notes->notes[i];
        if (strcmp(a->keyword, b->keyword) == 0 && strcmp(a->instance, b->instance) == 0 &&
            strcmp(a->schema, b->schema) == 0)
            return true;
    }
    return false;
}

/* Compares the annotations of a keyword for a value with those expected; returns the result in
 * words. */
static const char *compare(struct suite *suite, const struct notes *notes, const char *instance,
                           const char *keyword, uint32_t expected)
{
    uint32_t found = 0;
    for (size_t i = 0; i < notes->count; i++) {
        const struct note *note = &notes->notes[i];
        if (strcmp(note->instance, instance) != 0 || strcmp(note->keyword, keyword) != 0)
            continue;
        uint32_t node = find_expected(suite, expected, note->schema);
        if (node == CUPEL_NO_NODE)
            return "one from another schema";
        if (!same_value(suite, node, note->value))
            return "another value";
        found += !is_repeated(notes, i);
    }
    return found == cupel_json_count(suite->doc, expected) ? "the annotations" : "too few";
}

/* -- Running ---------------------------------------------------------------------------------- */

/* Counts one assertion.  `why` is NULL, or the reason why there are no annotations. */
static void run_assertion(struct suite *suite, const struct notes *notes, const char *why,
                          uint32_t assertion, uint32_t number)
{
    char *instance = suite_text(suite, assertion, "location");
    char *keyword = suite_text(suite, assertion, "keyword");
    uint32_t expected = cupel_json_member(suite->doc, assertion, "expected", 8);
    size_t capacity = 0, size = strlen(instance) + strlen(keyword) + 32;
    suite->test = cli_grow(NULL, &capacity, size, 1);
    snprintf(suite->test, size, "%u: %s of \"%s\"", (unsigned)number, keyword, instance);
    if (why == NULL)
        why =
            expected == CUPEL_NO_NODE || cupel_json_type(suite->doc, expected) != CUPEL_JSON_OBJECT
                ? "an assertion without what is expected"
                : compare(suite, notes, instance, keyword, expected);
    suite_count(suite, "the annotations", why);
    free(suite->test);
    free(instance);
    free(keyword);
}

/* The annotations of a test's instance.  NULL, or why there are none. */
static const char *annotate(struct suite *suite, const struct cupel_program *program, uint32_t test,
                            struct notes *notes)
{
    struct cupel_outcome outcome;
    uint32_t instance = cupel_json_member(suite->doc, test, "instance", 8);
    if (instance == CUPEL_NO_NODE)
        return "a test without an instance";
    switch (cupel_annotate(program, suite->scratch, suite->doc, instance, on_annotation, notes,
                           &outcome)) {
    case CUPEL_VALID:
        return NULL;
    case CUPEL_INVALID:
        return "invalid";
    default:
        return cupel_status_name(outcome.reason);
    }
}

static void run_test(struct suite *suite, const struct cupel_program *program, const char *refusal,
                     uint32_t test, uint32_t number)
{
    struct notes notes = {0};
    const char *why = program == NULL ? refusal : annotate(suite, program, test, &notes);
    uint32_t all = cupel_json_member(suite->doc, test, "assertions", 10);
    uint32_t one = all == CUPEL_NO_NODE ? CUPEL_NO_NODE : cupel_json_first(suite->doc, all);
    for (; one != CUPEL_NO_NODE; one = cupel_json_next(suite->doc, all, one))
        run_assertion(suite, &notes, why, one, number);
    free_notes(&notes);
}

void suite_run_annotations(struct suite *suite, uint32_t group)
{
    char why[SUITE_WHY];
    uint32_t number = 1, tests = cupel_json_member(suite->doc, group, "tests", 5);
    if (tests == CUPEL_NO_NODE)
        return;
    suite->engine.flags |= CUPEL_ANNOTATIONS;
    suite->group = suite_text(suite, group, "description");
    struct cupel_program *program = suite_compile(suite, group, why);
    uint32_t test = cupel_json_first(suite->doc, tests);
    for (; test != CUPEL_NO_NODE; test = cupel_json_next(suite->doc, tests, test))
        run_test(suite, program, why, test, number++);
    cupel_program_free(program);
    cupel_program_free(suite->plain);
    suite->plain = NULL;
    free(suite->group);
}
