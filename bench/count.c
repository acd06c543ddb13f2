/* count.c: work for an instruction counter: instructions.py runs it under callgrind.
 *
 *   count FOLDER…    each with schema.json and instances.jsonl
 *
 * For each folder the functions compile_counted, parse_counted and eval_counted run once, in this
 * order, after a pass that warms everything up. */
#include "measuring.h"
#include <cupel/cupel.h>

/* So many documents of each folder: under callgrind a program is slow. */
enum { DOCUMENTS = 40, SCHEMA_BYTES = 1 << 20 };

struct line {
    const char *text;
    size_t len;
    struct cupel_document *document;
};

struct set {
    char *schema, *instances;
    size_t schema_len, count;
    struct line lines[DOCUMENTS];
    struct cupel_options options;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_document *document;
};

void compile_counted(struct set *s);
void parse_counted(struct set *s);
void eval_counted(struct set *s);

__attribute__((noinline)) void compile_counted(struct set *s)
{
    must(cupel_compile(s->schema, s->schema_len, &s->options, &s->program, NULL) == CUPEL_OK,
         "the schema is refused");
}

__attribute__((noinline)) void parse_counted(struct set *s)
{
    for (size_t i = 0; i < s->count; i++)
        must(cupel_document_read(s->document, s->lines[i].text, s->lines[i].len, NULL) == CUPEL_OK,
             "a document is refused");
}

__attribute__((noinline)) void eval_counted(struct set *s)
{
    for (size_t i = 0; i < s->count; i++)
        must(cupel_validate_node(s->program, s->scratch, s->lines[i].document, 0, NULL) ==
                 CUPEL_VALID,
             "a document is invalid");
}

static void split(struct set *s, size_t len)
{
    const char *at = s->instances, *end = at + len;
    struct line *line = s->lines;
    for (; s->count < DOCUMENTS && (line->text = next_line(&at, end, &line->len)) != NULL; line++) {
        must(cupel_document_new(&s->options, &line->document) == CUPEL_OK &&
                 cupel_document_read(line->document, line->text, line->len, NULL) == CUPEL_OK,
             "a document is refused");
        s->count++;
    }
}

static void count(const char *folder)
{
    struct set s = {0};
    size_t len;
    cupel_options_init(&s.options);
    s.options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = SCHEMA_BYTES;
    must(cupel_document_new(&s.options, &s.document) == CUPEL_OK &&
             cupel_scratch_new(&s.options, &s.scratch) == CUPEL_OK,
         "no memory");
    s.schema = load_from(folder, "schema.json", &s.schema_len);
    s.instances = load_from(folder, "instances.jsonl", &len);
    split(&s, len);
    compile_counted(&s);
    for (size_t i = 0; i < s.count; i++)
        must(cupel_validate(s.program, s.scratch, s.lines[i].text, s.lines[i].len, NULL) ==
                     CUPEL_VALID &&
                 cupel_document_read(s.document, s.lines[i].text, s.lines[i].len, NULL) == CUPEL_OK,
             "a document is invalid");
    parse_counted(&s);
    eval_counted(&s);
    for (size_t i = 0; i < s.count; i++)
        cupel_document_free(s.lines[i].document);
    cupel_document_free(s.document);
    cupel_scratch_free(s.scratch);
    cupel_program_free(s.program);
    free(s.schema);
    free(s.instances);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        count(argv[i]);
    return 0;
}
