/* train.c: the work by which gcc learns what of the library is hot (scripts/build.sh).
 *
 *   train FOLDER…    each with schema.json and instances.jsonl
 *
 * Everything is done a fixed number of times, so that the same sources give the same profile.  What
 * a gateway does most is done most: bytes to a verdict, documents in turn; then schemas are
 * compiled, and it is said what is wrong with a document. */
#include "../measuring.h"
#include <cupel/cupel.h>

enum { COMPILATIONS = 40, PASSES = 60 };

struct set {
    struct cupel_options options;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_document *document;
    char *schema, *instances;
    size_t schema_len, len;
    unsigned judged, valid;
};

static void judge(struct set *s, const char *text, size_t len, bool report)
{
    enum cupel_verdict v = cupel_validate(s->program, s->scratch, text, len, NULL);
    must(v != CUPEL_UNDECIDED, "a document is undecided");
    must(cupel_document_read(s->document, text, len, NULL) == CUPEL_OK, "a document is refused");
    must(cupel_validate_node(s->program, s->scratch, s->document, 0, NULL) == v,
         "on a tape it is judged otherwise");
    s->judged++;
    s->valid += v == CUPEL_VALID;
    if (!report)
        return;
    int what = v == CUPEL_INVALID ? CUPEL_REPORT_PROBLEMS : CUPEL_REPORT_ANNOTATIONS;
    must(cupel_report_run(s->program, s->scratch, s->document, 0, what, NULL) == v,
         "the report says something else");
}

static void judge_all(struct set *s, bool report)
{
    const char *at = s->instances, *end = at + s->len, *line;
    for (size_t len; (line = next_line(&at, end, &len)) != NULL;)
        judge(s, line, len, report);
}

static void run_set(const char *folder)
{
    struct set s = {.program = NULL};
    cupel_options_init(&s.options);
    s.options.flags |= CUPEL_ANNOTATIONS;
    s.schema = load_from(folder, "schema.json", &s.schema_len);
    s.instances = load_from(folder, "instances.jsonl", &s.len);
    for (int i = 0; i < COMPILATIONS; i++) {
        cupel_program_free(s.program);
        must(cupel_compile(s.schema, s.schema_len, &s.options, &s.program, NULL) == CUPEL_OK,
             "a schema is refused");
    }
    must(cupel_scratch_new(&s.options, &s.scratch) == CUPEL_OK &&
             cupel_document_new(&s.options, &s.document) == CUPEL_OK,
         "no memory");
    for (int i = 0; i < PASSES; i++)
        judge_all(&s, false);
    judge_all(&s, true);
    must(s.valid >= s.judged / 10 * 9, "most documents should be valid");
    cupel_document_free(s.document);
    cupel_scratch_free(s.scratch);
    cupel_program_free(s.program);
    free(s.schema);
    free(s.instances);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        run_set(argv[i]);
    return 0;
}
