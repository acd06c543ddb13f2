/* target.c: a schema and an instance, judged by the library and by the evaluator of
 * tests/differential, which shares nothing with it but the JSON reader.
 *
 * The input is a schema, a zero byte, and an instance.  Where both decide, they agree.  The
 * evaluator knows no dialect but those that are released, and only schemas that the compiler took
 * are put to it. */
#include "../../tests/differential/reference.h"
#include "../pair.h"

/* Reads as the compiler and the loop do; NULL if it is no JSON. */
static struct cupel_document *read(const struct cupel_options *options, const char *text,
                                   size_t len)
{
    struct cupel_document *doc = NULL;
    require(cupel_document_new(options, &doc) == CUPEL_OK);
    if (cupel_document_read(doc, text, len, NULL) == CUPEL_OK)
        return doc;
    cupel_document_free(doc);
    return NULL;
}

static enum cupel_verdict judge(const struct cupel_program *program,
                                const struct cupel_options *options, const struct pair *in)
{
    struct cupel_scratch *scratch = NULL;
    require(cupel_scratch_new(options, &scratch) == CUPEL_OK);
    enum cupel_verdict verdict = cupel_validate(program, scratch, in->text, in->text_len, NULL);
    cupel_scratch_free(scratch);
    return verdict;
}

static enum reference_verdict ask(struct cupel_document *schema, struct cupel_document *instance)
{
    const char *why;
    struct reference *reference = reference_new(schema, 0, CUPEL_2020_12, NULL, NULL);
    enum reference_verdict verdict = REFERENCE_UNKNOWN;
    if (reference != NULL)
        verdict = reference_judge(reference, instance, 0, &why);
    reference_free(reference);
    return verdict;
}

/* Whether all strings of a schema with patterns are free of what PCRE2, which the evaluator gives
 * patterns to as they are, may take otherwise than ECMA-262.  With escapes a keyword may be one of
 * patterns and not look so. */
static bool is_plain(const struct pair *in)
{
    bool inside = false, pattern = false, odd = false;
    for (size_t i = 0; i < in->schema_len; i++) {
        char c = in->schema[i];
        inside ^= c == '"';
        odd |= inside && strchr("\\[](){}.?|", c) != NULL;
        pattern |= in->schema_len - i >= 6 && memcmp(in->schema + i, "attern", 6) == 0;
    }
    return !odd || (!pattern && memchr(in->schema, '\\', in->schema_len) == NULL);
}

static void compare(const struct cupel_program *program, const struct cupel_options *options,
                    const struct pair *in)
{
    struct cupel_document *schema = read(options, in->schema, in->schema_len);
    struct cupel_document *instance = read(options, in->text, in->text_len);
    enum cupel_verdict verdict = judge(program, options, in);
    if (verdict != CUPEL_UNDECIDED && is_plain(in) && schema != NULL && instance != NULL) {
        enum reference_verdict expected = ask(schema, instance);
        require(expected > REFERENCE_INVALID || (int)expected == (int)verdict);
    }
    cupel_document_free(schema);
    cupel_document_free(instance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pair in = pair_split(data, size);
    struct cupel_options options;
    struct cupel_program *program = NULL;
    pair_options(&options);
    options.flags |= CUPEL_NO_JIT | CUPEL_NO_REPORT | CUPEL_FORMAT_ANNOTATES;
    if (cupel_compile(in.schema, in.schema_len, &options, &program, NULL) == CUPEL_OK)
        compare(program, &options, &in);
    cupel_program_free(program);
    return 0;
}
