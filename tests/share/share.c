/* share.c: how much of the budget of steps real traffic uses.
 *
 *   share CALLS.jsonl               an object a line, with `inputSchema` and `arguments`
 *   share SCHEMA.json VALUES.jsonl  a value a line
 *
 * Prints how many were judged, how many of them stayed undecided, and the largest share of the
 * default budget that a verdict and that a report took, in tenths of a per cent. */
#include <cupel/cupel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shares {
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_options options;
    unsigned judged, undecided;
    uint64_t verdict, report; /* per mille */
};

static int ignore(void *ctx, const struct cupel_problem *problem)
{
    (void)ctx, (void)problem;
    return 0;
}

static void note(struct shares *s, uint64_t steps, size_t len, uint64_t *most)
{
    uint64_t budget = s->options.limits[CUPEL_LIMIT_STEPS] +
                      s->options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] * (uint64_t)len;
    uint64_t share = 1000 * steps / budget;
    *most = share > *most ? share : *most;
}

static void judge(struct shares *s, const struct cupel_program *program, uint32_t node, size_t len)
{
    struct cupel_outcome outcome;
    s->judged++;
    enum cupel_verdict verdict = cupel_validate_node(program, s->scratch, s->doc, node, &outcome);
    note(s, outcome.steps, len, &s->verdict);
    enum cupel_verdict reported =
        cupel_report(program, s->scratch, s->doc, node, ignore, NULL, &outcome);
    s->undecided += verdict == CUPEL_UNDECIDED || reported != verdict;
    note(s, outcome.steps, len, &s->report);
}

/* A line of a set, whose program is there; or a call, which has its own. */
static void judge_line(struct shares *s, const struct cupel_program *given, const char *line,
                       size_t len)
{
    struct cupel_program *own = NULL;
    uint32_t node = 0;
    if (cupel_document_read(s->doc, line, len, NULL) != CUPEL_OK)
        return;
    if (given == NULL) {
        uint32_t schema = cupel_json_member(s->doc, 0, "inputSchema", 11);
        node = cupel_json_member(s->doc, 0, "arguments", 9);
        if (cupel_compile_node(s->doc, schema, &s->options, &own, NULL) != CUPEL_OK)
            return;
    }
    judge(s, given != NULL ? given : own, node, len);
    cupel_program_free(own);
}

static char *read_all(const char *path, size_t *ret_len)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t len = 0, cap = 0, n = 1;
    while (file != NULL && n > 0) {
        cap = cap == 0 ? 1 << 20 : 2 * cap;
        text = realloc(text, cap);
        if (text == NULL)
            exit(2);
        n = fread(text + len, 1, cap - len, file);
        len += n;
    }
    if (file != NULL)
        fclose(file);
    *ret_len = len;
    return text;
}

/* NULL if there is no such file, or the schema is refused. */
static struct cupel_program *compile(const struct shares *s, const char *path)
{
    struct cupel_program *program = NULL;
    struct cupel_options options = s->options;
    size_t len;
    char *text = read_all(path, &len);
    options.limits[CUPEL_LIMIT_COMPILE_BYTES] = 64 << 20;
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] =
        4 << 20; /* one public set is larger than the default */
    if (text == NULL || cupel_compile(text, len, &options, &program, NULL) != CUPEL_OK)
        program = NULL;
    free(text);
    return program;
}

int main(int argc, char **argv)
{
    struct shares s = {.judged = 0};
    struct cupel_program *program = NULL;
    cupel_options_init(&s.options);
    if (argc < 2 || (argc > 2 && (program = compile(&s, argv[1])) == NULL) ||
        cupel_document_new(NULL, &s.doc) != CUPEL_OK ||
        cupel_scratch_new(NULL, &s.scratch) != CUPEL_OK)
        return 2;
    size_t len;
    char *text = read_all(argv[argc - 1], &len), *p = text, *end = text + len;
    while (p < end) {
        char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop != NULL ? stop : end;
        judge_line(&s, program, p, (size_t)(stop - p));
        p = stop + 1;
    }
    printf("%u %u %llu %llu\n", s.judged, s.undecided, (unsigned long long)s.verdict,
           (unsigned long long)s.report);
    free(text);
    cupel_program_free(program);
    cupel_scratch_free(s.scratch);
    cupel_document_free(s.doc);
    return 0;
}
