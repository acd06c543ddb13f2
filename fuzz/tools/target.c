/* target.c: schemas of tools from strangers: the argument schema, exports for vendors of models,
 * and elicitation.
 *
 * The input is a schema, a newline, and arguments, with a choice of options behind them (choice.h).
 * What must hold whatever they are: arguments that the argument schema's program finds invalid have
 * a message and no others have one; an export is JSON that its target takes; nothing ends in an
 * internal error. */
#include "../target.h"
#include "../choice.h"
#include "../ways.h"
#include <cupel/cupel.h>
#include <stdio.h>
#include <string.h>

static void must(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* Small limits, so that inputs reach them and each is quick. */
static struct cupel_options small_options(uint64_t chosen)
{
    struct cupel_options options;
    cupel_options_init(&options);
    ways_set(&options, chosen);
    options.flags &= ~(uint32_t)CUPEL_INPUT_PADDED;
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 8192;
    options.limits[CUPEL_LIMIT_BODY_BYTES] = 16384;
    options.limits[CUPEL_LIMIT_STEPS] = 100000;
    return options;
}

static struct cupel_document *read(const struct cupel_options *options, const char *text,
                                   size_t len)
{
    struct cupel_document *doc = NULL;
    if (cupel_document_new(options, &doc) != CUPEL_OK)
        return NULL;
    if (cupel_document_read(doc, text, len, NULL) == CUPEL_OK)
        return doc;
    cupel_document_free(doc);
    return NULL;
}

/* -- The argument schema ---------------------------------------------------------------------- */

static int count_problem(void *ctx, const struct cupel_argument_problem *problem)
{
    must(problem->message_len != 0 && problem->message[problem->message_len] == '\0',
         "a message is text");
    ++*(int *)ctx;
    return 0;
}

/* The JSON Schema that an argument schema becomes is compiled as any is, from a document too. */
static void check_translation(const struct cupel_options *options,
                              const struct cupel_argument_schema *args)
{
    struct cupel_options wide = *options;
    struct cupel_program *program = NULL;
    size_t len, b;
    const char *text = cupel_argument_schema_json(args, &len);
    for (uint32_t i = 0; cupel_argument_schema_warning(args, i) != NULL; i++)
        must(i < 32 && cupel_argument_schema_warning(args, i)[0] != '\0', "a warning is text");
    wide.limits[CUPEL_LIMIT_BODY_BYTES] = wide.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 1 << 22;
    struct cupel_document *doc = read(&wide, text, len);
    must(doc != NULL, "the JSON Schema of an argument schema is not JSON");
    enum cupel_status status = cupel_compile_node(doc, 0, &wide, &program, NULL);
    must(status != CUPEL_E_INTERNAL && status != CUPEL_E_SCHEMA,
         "the JSON Schema of an argument schema is none");
    must(status != CUPEL_OK || cupel_program_image(program, &b) != NULL, "a program has no image");
    cupel_program_free(program);
    cupel_document_free(doc);
}

static void check_args(const struct cupel_options *options, const char *schema, size_t schema_len,
                       struct cupel_document *arguments, uint32_t flags)
{
    struct cupel_argument_schema_options given;
    struct cupel_argument_schema *args = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_text text;
    struct cupel_outcome outcome;
    cupel_argument_schema_options_init(&given);
    given.engine = options;
    given.flags = flags;
    enum cupel_status status = cupel_argument_schema_new(schema, schema_len, &given, &args, NULL);
    must(status != CUPEL_E_INTERNAL, "an argument schema ends in an internal error");
    if (status != CUPEL_OK || cupel_scratch_new(options, &scratch) != CUPEL_OK)
        return;
    cupel_text_init(&text, NULL);
    check_translation(options, args);
    for (int i = 0; i < 2 && (i == 0 || arguments != NULL); i++) {
        int count = 0;
        enum cupel_verdict verdict =
            cupel_argument_schema_check(args, scratch, arguments, i == 0 ? CUPEL_NO_NODE : 0, &text,
                                        count_problem, &count, &outcome);
        must((verdict == CUPEL_INVALID) == (count != 0) || outcome.reason != CUPEL_OK,
             "a verdict and its messages differ");
        must(outcome.reason != CUPEL_E_INTERNAL, "a check ends in an internal error");
    }
    cupel_text_free(&text);
    cupel_scratch_free(scratch);
    cupel_argument_schema_free(args);
}

/* -- Targets ---------------------------------------------------------------------------------- */

static int no_problem(void *ctx, const struct cupel_rule_problem *problem)
{
    const char *exported = ctx;
    if (strcmp(problem->rule, "target-limit") == 0)
        return 0;
    fprintf(stderr, "%s\n%s %s\n", exported, problem->rule, problem->pointer);
    must(0, "an export is not taken by its target");
    return 0;
}

static void check_targets(const struct cupel_options *options, const char *schema, size_t len)
{
    struct cupel_text tool, exported;
    cupel_text_init(&tool, NULL);
    cupel_text_init(&exported, NULL);
    cupel_text_adds(&tool, "{\"name\":\"t\",\"inputSchema\":");
    cupel_text_add(&tool, schema, len);
    cupel_text_adds(&tool, "}");
    struct cupel_document *doc = read(options, tool.bytes, tool.len);
    for (int target = CUPEL_TARGET_OPENAI; doc != NULL && target <= CUPEL_TARGET_GEMINI; target++) {
        cupel_text_clear(&exported);
        if (cupel_target_export(doc, 0, (enum cupel_target)target, options, &exported, NULL,
                                NULL) != CUPEL_OK)
            continue;
        struct cupel_options wide = *options;
        wide.limits[CUPEL_LIMIT_BODY_BYTES] = 1 << 20;
        struct cupel_document *again = read(&wide, exported.bytes, exported.len);
        must(again != NULL, "an export is not JSON");
        must(cupel_target_check(again, 0, (enum cupel_target)target, options, no_problem,
                                exported.bytes) == CUPEL_OK,
             "an export cannot be checked");
        cupel_document_free(again);
    }
    cupel_document_free(doc);
    cupel_text_free(&tool);
    cupel_text_free(&exported);
}

/* -- All of it -------------------------------------------------------------------------------- */

static int count_elicitation(void *ctx, const struct cupel_rule_problem *problem)
{
    ++*(int *)ctx;
    must(problem->message[0] != '\0', "a message is text");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint64_t choice = choice_cut(data, &size);
    const char *text = (const char *)data;
    const char *line = size != 0 ? memchr(text, '\n', size) : NULL;
    size_t len = line != NULL ? (size_t)(line - text) : size;
    struct cupel_options options = small_options(choice >> 16);
    struct cupel_document *arguments =
        line != NULL ? read(&options, line + 1, size - len - 1) : NULL;
    struct cupel_document *schema = read(&options, text, len);
    check_args(&options, text, len, arguments, 0);
    check_args(&options, text, len, arguments,
               CUPEL_ARGS_NULL_IS_ABSENT | CUPEL_ARGS_STRICT_INTEGER);
    check_targets(&options, text, len);
    if (schema != NULL) {
        int problems = 0;
        enum cupel_tool_verdict verdict = cupel_elicitation_check(
            schema, 0, CUPEL_MCP_2026_07_28, &options, count_elicitation, &problems, NULL);
        must((verdict == CUPEL_TOOL_OK) == (problems == 0), "a verdict and its problems differ");
    }
    cupel_document_free(schema);
    cupel_document_free(arguments);
    return 0;
}
