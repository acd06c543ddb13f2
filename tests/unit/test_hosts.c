/* test_hosts.c: what docs/hosts.md promises to hosts: NULL, callbacks that call back, results after
 * a failure, columns of texts. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <pthread.h>
#include <string.h>

static struct cupel_program
    *program; /* {"type": "object", "properties": {"a": {"type": "string"}}} */
static struct cupel_scratch *scratch;
static struct cupel_document *doc;

static const char schema[] = "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}";
static const char wrong[] = "{\"a\":1}";

/* -- NULL ------------------------------------------------------------------------------------- */

/* Where NULL is not allowed it is refused with CUPEL_E_ARGUMENT. */
static void test_null(void)
{
    struct cupel_program *made = NULL;
    struct cupel_outcome outcome;
    struct cupel_text text;
    struct cupel_error err = {.status = CUPEL_OK};
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_compile(NULL, 0, NULL, &made, &err), CUPEL_E_ARGUMENT);
    CHECK_INT(err.status, CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_compile("true", 4, NULL, NULL, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_compile_node(NULL, 0, NULL, &made, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_compile_node(doc, 0, NULL, NULL, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_compile_dump(schema, strlen(schema), NULL, NULL, &text, NULL),
              CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_compile_dump(schema, strlen(schema), "lower", NULL, NULL, NULL),
              CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_program_load(NULL, 0, 0, NULL, &made, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_program_load("", 0, 0, NULL, NULL, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_program_load("", 0, 2, NULL, &made, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_scratch_new(NULL, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_document_new(NULL, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_document_read(NULL, "1", 1, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_document_read(doc, NULL, 1, NULL), CUPEL_E_ARGUMENT);
    CHECK(made == NULL);
    const struct {
        const struct cupel_program *program;
        struct cupel_scratch *scratch;
    } rows[] = {{NULL, scratch}, {program, NULL}, {NULL, NULL}};
    for (int i = 0; i < 3; i++) {
        const struct cupel_program *p = rows[i].program;
        struct cupel_scratch *s = rows[i].scratch;
        CHECK_INT(cupel_validate(p, s, "1", 1, &outcome), CUPEL_UNDECIDED);
        CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
        CHECK_INT(cupel_validate_node(p, s, doc, 0, &outcome), CUPEL_UNDECIDED);
        CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
        CHECK_INT(cupel_report(p, s, doc, 0, NULL, NULL, &outcome), CUPEL_UNDECIDED);
        CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
        CHECK_INT(cupel_annotate(p, s, doc, 0, NULL, NULL, &outcome), CUPEL_UNDECIDED);
        CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
        CHECK_INT(cupel_report_run(p, s, doc, 0, 0, &outcome), CUPEL_UNDECIDED);
        CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
        CHECK_INT(cupel_render(p, s, doc, 0, CUPEL_RENDER_JSON, NULL, &text, &outcome),
                  CUPEL_UNDECIDED);
        CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
        CHECK_INT(cupel_repair(p, s, doc, 0, NULL, NULL, &outcome), CUPEL_REPAIR_UNDECIDED);
        CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
    }
    CHECK_INT(cupel_validate(program, scratch, NULL, 1, NULL), CUPEL_UNDECIDED);
    CHECK_INT(cupel_validate_node(program, scratch, NULL, 0, NULL), CUPEL_UNDECIDED);
    CHECK_INT(cupel_render(program, scratch, doc, 0, CUPEL_RENDER_JSON, NULL, NULL, NULL),
              CUPEL_UNDECIDED);
    CHECK_INT(text.len, 0);
    cupel_text_free(&text);
}

/* A callback that is NULL is not called; the verdict is the same. */
static void test_null_callbacks(void)
{
    CHECK_INT(cupel_document_read(doc, wrong, strlen(wrong), NULL), CUPEL_OK);
    CHECK_INT(cupel_report(program, scratch, doc, 0, NULL, NULL, NULL), CUPEL_INVALID);
    CHECK_INT(cupel_document_read(doc, "{}", 2, NULL), CUPEL_OK);
    CHECK_INT(cupel_annotate(program, scratch, doc, 0, NULL, NULL, NULL), CUPEL_VALID);
    cupel_program_free(NULL);
    cupel_scratch_free(NULL);
    cupel_document_free(NULL);
}

/* -- Callbacks that call back -------------------------------------------------------------------
 */

static unsigned calls;

/* Uses the scratch and the document that called it: all of that is refused. */
static void use_again(void)
{
    struct cupel_outcome outcome;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    calls++;
    CHECK_INT(cupel_validate(program, scratch, "{}", 2, &outcome), CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_validate_node(program, scratch, doc, 0, &outcome), CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_report_run(program, scratch, doc, 0, 0, &outcome), CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_render(program, scratch, doc, 0, CUPEL_RENDER_JSON, NULL, &text, &outcome),
              CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_repair(program, scratch, doc, 0, NULL, NULL, &outcome), CUPEL_REPAIR_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
    const int64_t offsets[] = {0, 2};
    uint8_t verdict = 9;
    CHECK_INT(cupel_validate_many(program, scratch, "{}", offsets, 1, &verdict), CUPEL_E_ARGUMENT);
    CHECK_INT(verdict, 9);
    CHECK_INT(cupel_document_read(doc, "{}", 2, NULL), CUPEL_E_ARGUMENT);
    cupel_text_free(&text);
}

static int on_problem(void *ctx, const struct cupel_problem *problem)
{
    (void)ctx;
    (void)problem;
    use_again();
    return 0;
}

static int on_annotation(void *ctx, const struct cupel_annotation *annotation)
{
    (void)ctx;
    (void)annotation;
    use_again();
    return 0;
}

static int check_format(void *ctx, const char *text, size_t len)
{
    (void)ctx;
    (void)text;
    (void)len;
    use_again();
    return CUPEL_VALID;
}

static void test_callbacks(void)
{
    static const char annotated[] =
        "{\"title\":\"t\",\"properties\":{\"a\":{\"format\":\"mine\"}}}";
    const struct cupel_format mine = {"mine", check_format, NULL};
    struct cupel_options options;
    struct cupel_program *other = NULL;
    CHECK_INT(cupel_document_read(doc, wrong, strlen(wrong), NULL), CUPEL_OK);
    calls = 0;
    CHECK_INT(cupel_report(program, scratch, doc, 0, on_problem, NULL, NULL), CUPEL_INVALID);
    CHECK_INT(calls, 1);
    cupel_options_init(&options);
    options.flags = CUPEL_ANNOTATIONS | CUPEL_ASSERT_FORMAT;
    options.formats = &mine;
    options.format_count = 1;
    CHECK_INT(cupel_compile(annotated, strlen(annotated), &options, &other, NULL), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, "{\"a\":\"x\"}", 9, NULL), CUPEL_OK);
    CHECK_INT(cupel_validate_node(other, scratch, doc, 0, NULL), CUPEL_VALID);
    CHECK_INT(calls, 2);
    CHECK_INT(cupel_annotate(other, scratch, doc, 0, on_annotation, NULL, NULL), CUPEL_VALID);
    CHECK(calls >= 4);
    /* Afterwards both can be used again. */
    CHECK_INT(cupel_document_read(doc, "{}", 2, NULL), CUPEL_OK);
    CHECK_INT(cupel_validate_node(program, scratch, doc, 0, NULL), CUPEL_VALID);
    cupel_program_free(other);
}

static struct cupel_catalog *catalog;
static struct cupel_call_context *context;

/* Calls back with the context that called it, and with its answer. */
static int judge_again(void *ctx, const struct cupel_problem *problem)
{
    struct cupel_text *answer = ctx;
    struct cupel_call_outcome outcome;
    struct cupel_result_outcome result;
    (void)problem;
    calls++;
    CHECK_INT(cupel_call_check(catalog, context, "{}", 2, NULL, answer, NULL, NULL, &outcome),
              CUPEL_CALL_UNDECIDED);
    CHECK_STR(outcome.reason, "ARGUMENT");
    CHECK_INT(cupel_request_check(catalog, context, "{}", 2, NULL, answer, NULL, NULL),
              CUPEL_CALL_UNDECIDED);
    CHECK_INT(cupel_list_request_check(catalog, context, "{}", 2, 0, answer, &outcome),
              CUPEL_CALL_UNDECIDED);
    CHECK_STR(outcome.reason, "ARGUMENT");
    CHECK_INT(cupel_result_check(cupel_catalog_tool(catalog, 0), context, "{}", 2,
                                 CUPEL_MCP_2026_07_28, answer, NULL, &result),
              CUPEL_RESULT_UNDECIDED);
    CHECK_STR(result.reason, "ARGUMENT");
    return 0;
}

static void test_context(void)
{
    static const char list[] = "[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\","
                               "\"required\":[\"a\"]}}]";
    static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                               "\"params\":{\"name\":\"t\"}}";
    struct cupel_call_outcome outcome;
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    CHECK_INT(cupel_catalog_new(NULL, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, list, strlen(list), NULL), CUPEL_OK);
    CHECK_INT(cupel_call_context_new(NULL, &context), CUPEL_OK);
    calls = 0;
    CHECK_INT(cupel_call_check(catalog, context, call, strlen(call), NULL, &answer, judge_again,
                               &answer, &outcome),
              CUPEL_CALL_INVALID);
    CHECK_INT(calls, 1);
    CHECK_INT(outcome.problems, 1);
    CHECK(answer.len > 0 && strstr(answer.bytes, "isError") != NULL);
    CHECK_INT(cupel_call_check(NULL, context, call, strlen(call), NULL, &answer, NULL, NULL, NULL),
              CUPEL_CALL_UNKNOWN_TOOL);
    CHECK_INT(
        cupel_call_check(catalog, NULL, call, strlen(call), NULL, &answer, NULL, NULL, &outcome),
        CUPEL_CALL_UNDECIDED);
    CHECK_STR(outcome.reason, "ARGUMENT");
    CHECK_INT(cupel_call_check(catalog, context, call, strlen(call), NULL, NULL, NULL, NULL, NULL),
              CUPEL_CALL_UNDECIDED);
    CHECK_INT(cupel_result_check(NULL, context, "{}", 2, CUPEL_MCP_2026_07_28, &answer, NULL, NULL),
              CUPEL_RESULT_UNDECIDED);
    cupel_call_context_free(context);
    cupel_catalog_free(catalog);
    cupel_text_free(&answer);
}

/* -- After a failure ----------------------------------------------------------------------------
 */

/* *ret is as it was. */
static void test_failures(void)
{
    struct cupel_program *mark = (struct cupel_program *)&calls, *made = mark;
    struct cupel_options zero;
    memset(&zero, 0, sizeof zero);
    CHECK_INT(cupel_compile("{", 1, NULL, &made, NULL), CUPEL_E_SYNTAX);
    CHECK_INT(cupel_compile("true", 4, &zero, &made, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_compile("{\"type\":1}", 10, NULL, &made, NULL), CUPEL_E_SCHEMA);
    CHECK_INT(cupel_program_load("x", 1, 0, NULL, &made, NULL), CUPEL_E_BAD_IMAGE);
    CHECK(made == mark);
    struct cupel_scratch *s = (struct cupel_scratch *)mark;
    CHECK_INT(cupel_scratch_new(&zero, &s), CUPEL_E_ARGUMENT);
    CHECK((void *)s == (void *)mark);
    struct cupel_document *d = (struct cupel_document *)mark;
    CHECK_INT(cupel_document_new(&zero, &d), CUPEL_E_ARGUMENT);
    CHECK((void *)d == (void *)mark);
}

/* What is reserved is 0, whatever was there. */
static void test_reserved(void)
{
    static const uint64_t zero[4] = {0, 0, 0, 0};
    struct cupel_outcome outcome;
    struct cupel_program *made = NULL;
    memset(&outcome, 0xff, sizeof outcome);
    CHECK_INT(cupel_validate(program, scratch, "{}", 2, &outcome), CUPEL_VALID);
    CHECK(outcome.reserved32 == 0 && memcmp(outcome.reserved, zero, sizeof zero) == 0);
    memset(&outcome, 0xff, sizeof outcome);
    CHECK_INT(cupel_report_run(program, scratch, NULL, 0, 0, &outcome), CUPEL_VALID);
    CHECK(outcome.reserved32 == 0 && memcmp(outcome.reserved, zero, sizeof zero) == 0);
    memset(&outcome, 0xff, sizeof outcome);
    CHECK_INT(cupel_compile("{", 1, NULL, &made, &outcome.error), CUPEL_E_SYNTAX);
    CHECK(memcmp(outcome.error.reserved, zero, sizeof zero) == 0);
    memset(&outcome, 0xff, sizeof outcome);
    CHECK_INT(cupel_compile("{\"type\":1}", 10, NULL, &made, &outcome.error), CUPEL_E_SCHEMA);
    CHECK(memcmp(outcome.error.reserved, zero, sizeof zero) == 0);
}

/* -- Columns ------------------------------------------------------------------------------------
 */

static void test_many(void)
{
    static const char base[] = "xx{\"a\":\"b\"}{\"a\":1}{\"a\"[]{}";
    const int64_t offsets[] = {2, 11, 18, 22, 24, 24, 26};
    static const uint8_t want[] = {CUPEL_VALID,   CUPEL_INVALID,   CUPEL_UNDECIDED,
                                   CUPEL_INVALID, CUPEL_UNDECIDED, CUPEL_VALID};
    uint8_t verdicts[6] = {9, 9, 9, 9, 9, 9};
    CHECK_INT(cupel_validate_many(program, scratch, base, offsets, 6, verdicts), CUPEL_OK);
    CHECK(memcmp(verdicts, want, sizeof want) == 0);
    for (int i = 0; i < 6; i++)
        CHECK_INT(cupel_validate(program, scratch, base + offsets[i],
                                 (size_t)(offsets[i + 1] - offsets[i]), NULL),
                  want[i]);
    CHECK_INT(cupel_validate_many(program, scratch, base, offsets, 0, NULL), CUPEL_OK);
    const int64_t empty[] = {0, 0, 0};
    CHECK_INT(cupel_validate_many(program, scratch, NULL, empty, 2, verdicts), CUPEL_OK);
    CHECK_INT(verdicts[0] + verdicts[1], 2 * CUPEL_UNDECIDED);
    const int64_t falling[] = {0, 4, 2}, negative[] = {-1, 0};
    memset(verdicts, 9, sizeof verdicts);
    CHECK_INT(cupel_validate_many(program, scratch, base, falling, 2, verdicts), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_validate_many(program, scratch, base, negative, 1, verdicts), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_validate_many(program, scratch, NULL, offsets, 6, verdicts), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_validate_many(NULL, scratch, base, offsets, 6, verdicts), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_validate_many(program, NULL, base, offsets, 6, verdicts), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_validate_many(program, scratch, base, NULL, 6, verdicts), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_validate_many(program, scratch, base, offsets, 6, NULL), CUPEL_E_ARGUMENT);
    for (int i = 0; i < 6; i++)
        CHECK_INT(verdicts[i], 9);
}

/* -- Slots --------------------------------------------------------------------------------------
 */

static struct cupel_program *compiled(void)
{
    struct cupel_program *made = NULL;
    CHECK_INT(cupel_compile("true", 4, NULL, &made, NULL), CUPEL_OK);
    return made;
}

static void test_slot(void)
{
    struct cupel_slot *slot = NULL;
    struct cupel_catalog *other = NULL;
    struct cupel_program *first = compiled(), *second = compiled();
    CHECK_INT(cupel_slot_new(2, NULL, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_slot_new(2, NULL, &slot), CUPEL_OK);
    CHECK_INT(cupel_catalog_new(NULL, &other), CUPEL_OK);
    CHECK(cupel_slot_acquire_program(slot, 0) == NULL);
    CHECK_INT(cupel_slot_publish_program(slot, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_slot_publish_program(NULL, first), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_slot_publish_program(slot, first), CUPEL_OK);
    CHECK_INT(cupel_slot_publish_catalog(slot, other), CUPEL_E_ARGUMENT);
    CHECK(cupel_slot_acquire_catalog(slot, 0) == NULL);
    CHECK(cupel_slot_acquire_program(slot, 2) == NULL);
    CHECK(cupel_slot_acquire_program(slot, UINT32_MAX) == NULL);
    CHECK(cupel_slot_acquire_program(NULL, 0) == NULL);
    CHECK(cupel_slot_acquire_program(slot, 0) == first);
    CHECK(cupel_slot_acquire_program(slot, 0) == NULL); /* it holds one */
    CHECK(cupel_slot_acquire_program(slot, 1) == first);
    CHECK_INT(cupel_slot_publish_program(slot, second), CUPEL_OK);
    CHECK_INT(cupel_slot_collect(slot), 2);
    CHECK_INT(cupel_validate(first, scratch, "1", 1, NULL), CUPEL_VALID);
    cupel_slot_release(slot, 0);
    CHECK_INT(cupel_slot_collect(slot), 2);
    CHECK(cupel_slot_acquire_program(slot, 0) == second);
    cupel_slot_release(slot, 0);
    cupel_slot_release(slot, 1);
    cupel_slot_release(slot, 2);
    CHECK_INT(cupel_slot_collect(slot), 1);
    cupel_slot_release(NULL, 0);
    CHECK_INT(cupel_slot_collect(NULL), 0);
    cupel_slot_free(slot);
    cupel_slot_free(NULL);
    cupel_catalog_free(other);
}

/* -- Stack --------------------------------------------------------------------------------------
 */

/* Appends `n` times a text. */
static void repeat(struct cupel_text *text, const char *part, int n)
{
    for (int i = 0; i < n; i++)
        cupel_text_adds(text, part);
}

/* Nesting at the bounds, all renderings, repair. */
static void test_deep(void)
{
    struct cupel_text deep, text;
    struct cupel_program *nested = NULL;
    cupel_text_init(&deep, NULL);
    cupel_text_init(&text, NULL);
    repeat(&deep, "{\"not\":{\"properties\":{\"a\":", 80);
    cupel_text_adds(&deep, "{\"pattern\":\"^(a|b)*c{2,5}$\",\"type\":\"integer\"}");
    repeat(&deep, "}}}", 80);
    CHECK_INT(cupel_compile(deep.bytes, deep.len, NULL, &nested, NULL), CUPEL_OK);
    repeat(&text, "{\"a\":", 120);
    cupel_text_adds(&text, "\"5\"");
    repeat(&text, "}", 120);
    enum cupel_verdict verdict = cupel_validate(nested, scratch, text.bytes, text.len, NULL);
    CHECK(verdict != CUPEL_UNDECIDED);
    for (int i = 0; i <= CUPEL_RENDER_HIERARCHICAL; i++) {
        cupel_text_clear(&deep);
        CHECK_INT(
            cupel_render(nested, scratch, NULL, 0, (enum cupel_rendering)i, NULL, &deep, NULL),
            verdict);
    }
    (void)!cupel_repair(nested, scratch, NULL, 0, NULL, NULL, NULL);
    cupel_text_clear(&deep);
    repeat(&deep, "[", 1 << 18);
    CHECK_INT(cupel_validate(nested, scratch, deep.bytes, deep.len, NULL), CUPEL_UNDECIDED);
    cupel_program_free(nested);
    cupel_text_free(&deep);
    cupel_text_free(&text);
}

static void *run_all(void *unused)
{
    (void)unused;
    CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, "{}", 2, NULL), CUPEL_OK);
    test_null();
    test_null_callbacks();
    test_callbacks();
    test_context();
    test_failures();
    test_reserved();
    test_many();
    test_slot();
    test_deep();
    cupel_document_free(doc);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    return NULL;
}

/* Everything runs on a stack of the size that docs/hosts.md has; sanitizers need more. */
int main(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined __clang__
    run_all(NULL);
#else
    pthread_t thread;
    pthread_attr_t attributes;
    CHECK_INT(pthread_attr_init(&attributes), 0);
    CHECK_INT(pthread_attr_setstacksize(&attributes, 64 << 10), 0);
    CHECK_INT(pthread_create(&thread, &attributes, run_all, NULL), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
#endif
    return test_end();
}
