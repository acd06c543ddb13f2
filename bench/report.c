/* report.c: what it costs to say what is wrong, beside the verdict.
 *
 *   report [--steps] FOLDER…    each with schema.json and instances.jsonl
 *
 * A line for each folder, then geometric means and the most of the ratios.  The valid documents are
 * judged, and run once more by the report program with all annotations collected.  Then a mistake
 * is put into each document: a member renamed, dropped or added, or a value of another type; where
 * one leaves it valid another is tried, seeded by the number of the document.  Those that are
 * invalid then are judged, and reported with every problem chosen.
 *
 * A verdict may end at the first failure, while the report has to look at the whole document; so
 * the report of an invalid document is compared with the verdict of that document and also with
 * that of the valid one it was made from.  Figures are nanoseconds a document, the sums over all
 * documents of the least of several rounds; with --steps the machine's steps, which are the same
 * everywhere.
 *
 * For instructions: valgrind --tool=callgrind --toggle-collect=reported_counted, or the name of
 * another of the functions that are measured.
 */
#include "measuring.h"
#include <cupel/cupel.h>
#include <math.h>
#include <string.h>

enum { DOCUMENTS = 200, TRIES = 24, ROUNDS = 5, SCHEMA_BYTES = 1 << 20, OTHERS = 7, NODES = 4096 };
enum { RATIOS = 3 };

struct sample {
    struct cupel_document *valid, *invalid; /* invalid NULL: no mistake was found */
};

struct set {
    const char *name;
    struct cupel_options options;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct sample samples[DOCUMENTS];
    size_t count, mistaken;
};

/* What is measured, in the order of the columns. */
enum figure { VERDICT, ANNOTATED, BEFORE, REFUSED, REPORTED, FIGURES };

/* -- Mistakes -------------------------------------------------------------------------------------
 */

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Appends the document's text with `n` bytes at `at` replaced by `with`. */
static void splice(struct cupel_document *doc, const char *at, size_t n, const char *with,
                   struct cupel_text *text)
{
    size_t len;
    const char *start = cupel_json_span(doc, 0, &len);
    cupel_text_add(text, start, (size_t)(at - start));
    cupel_text_adds(text, with);
    cupel_text_add(text, at + n, len - (size_t)(at + n - start));
}

/* The values of a document, in its order. */
struct values {
    uint32_t node[NODES];
    uint32_t parent[NODES]; /* an index of `node`; of the root itself */
    uint32_t count;
};

static void gather(struct cupel_document *doc, struct values *v)
{
    v->node[0] = v->parent[0] = 0;
    v->count = 1;
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t node = v->node[i];
        bool object = cupel_json_type(doc, node) == CUPEL_JSON_OBJECT;
        uint32_t child = cupel_json_first(doc, node);
        for (; child != CUPEL_NO_NODE && v->count < NODES;
             child = cupel_json_next(doc, node, child + object)) {
            v->node[v->count] = child + object;
            v->parent[v->count++] = i;
        }
    }
}

/* The member's key; `node` is its value. */
static void rename_member(struct cupel_document *doc, uint32_t node, struct cupel_text *text)
{
    size_t len;
    const char *key = cupel_json_span(doc, node - 1, &len);
    splice(doc, key + 1, 0, "q", text);
}

/* From the member's key up to the next one, or from the end of what is before it. */
static void drop_member(struct cupel_document *doc, uint32_t parent, uint32_t node,
                        struct cupel_text *text)
{
    size_t len, parent_len;
    uint32_t next = cupel_json_next(doc, parent, node);
    const char *from = cupel_json_span(doc, node - 1, &len);
    const char *end = cupel_json_span(doc, parent, &parent_len) + parent_len - 1;
    if (next != CUPEL_NO_NODE)
        end = cupel_json_span(doc, next, &len);
    else
        while (*from != ',' && *from != '{')
            from--;
    from += *from == '{';
    splice(doc, from, (size_t)(end - from), "", text);
}

static void make_mistake(struct cupel_document *doc, const struct values *v, uint32_t *random,
                         struct cupel_text *text)
{
    static const char *const others[OTHERS] = {"7",   "\"x\"",      "true", "null",
                                               "[1]", "{\"zq\":1}", "2.5"};
    uint32_t i = next_random(random) % v->count, node = v->node[i], parent = v->node[v->parent[i]];
    bool member = i != 0 && cupel_json_type(doc, parent) == CUPEL_JSON_OBJECT;
    uint32_t kind = next_random(random) % 4;
    size_t len;
    const char *span = cupel_json_span(doc, node, &len);
    if (kind == 0 && member)
        rename_member(doc, node, text);
    else if (kind == 1 && member)
        drop_member(doc, parent, node, text);
    else if (kind == 2 && cupel_json_type(doc, node) == CUPEL_JSON_OBJECT)
        splice(doc, span + 1, 0, cupel_json_count(doc, node) != 0 ? "\"zqxv\":1," : "\"zqxv\":1",
               text);
    else
        splice(doc, span, len, others[next_random(random) % OTHERS], text);
}

/* The document with a mistake, or NULL. */
static struct cupel_document *mistaken(struct set *s, struct cupel_document *doc, uint32_t seed)
{
    static struct values values;
    struct cupel_document *made = NULL;
    struct cupel_text text;
    uint32_t random = seed * 2654435761u + 1;
    enum cupel_verdict verdict = CUPEL_VALID;
    gather(doc, &values);
    cupel_text_init(&text, NULL);
    must(cupel_document_new(&s->options, &made) == CUPEL_OK, "no memory");
    for (int i = 0; i < TRIES && verdict != CUPEL_INVALID; i++) {
        cupel_text_clear(&text);
        make_mistake(doc, &values, &random, &text);
        must(!text.failed, "no memory");
        if (cupel_document_read(made, text.bytes, text.len, NULL) == CUPEL_OK)
            verdict = cupel_validate_node(s->program, s->scratch, made, 0, NULL);
    }
    cupel_text_free(&text);
    if (verdict == CUPEL_INVALID)
        return made;
    cupel_document_free(made);
    return NULL;
}

static void read_documents(struct set *s, const char *p, size_t len)
{
    const char *end = p + len, *line;
    while (s->count < DOCUMENTS && (line = next_line(&p, end, &len)) != NULL) {
        struct sample *sample = &s->samples[s->count];
        must(cupel_document_new(&s->options, &sample->valid) == CUPEL_OK &&
                 cupel_document_read(sample->valid, line, len, NULL) == CUPEL_OK,
             "a document is refused");
        sample->invalid = mistaken(s, sample->valid, (uint32_t)++s->count);
        s->mistaken += sample->invalid != NULL;
    }
}

/* -- Measuring ------------------------------------------------------------------------------------
 */

void verdict_counted(struct set *s, struct cupel_document *doc, struct cupel_outcome *ret);
void before_counted(struct set *s, struct cupel_document *doc, struct cupel_outcome *ret);
void refused_counted(struct set *s, struct cupel_document *doc, struct cupel_outcome *ret);
void annotated_counted(struct set *s, struct cupel_document *doc, struct cupel_outcome *ret);
void reported_counted(struct set *s, struct cupel_document *doc, struct cupel_outcome *ret);

__attribute__((noinline)) void verdict_counted(struct set *s, struct cupel_document *doc,
                                               struct cupel_outcome *ret)
{
    must(cupel_validate_node(s->program, s->scratch, doc, 0, ret) == CUPEL_VALID, "not valid");
}

__attribute__((noinline)) void before_counted(struct set *s, struct cupel_document *doc,
                                              struct cupel_outcome *ret)
{
    must(cupel_validate_node(s->program, s->scratch, doc, 0, ret) == CUPEL_VALID, "not valid now");
}

__attribute__((noinline)) void refused_counted(struct set *s, struct cupel_document *doc,
                                               struct cupel_outcome *ret)
{
    must(cupel_validate_node(s->program, s->scratch, doc, 0, ret) == CUPEL_INVALID, "not invalid");
}

__attribute__((noinline)) void annotated_counted(struct set *s, struct cupel_document *doc,
                                                 struct cupel_outcome *ret)
{
    must(cupel_report_run(s->program, s->scratch, doc, 0, CUPEL_REPORT_ANNOTATIONS, ret) ==
             CUPEL_VALID,
         "the report finds something");
}

__attribute__((noinline)) void reported_counted(struct set *s, struct cupel_document *doc,
                                                struct cupel_outcome *ret)
{
    must(cupel_report_run(s->program, s->scratch, doc, 0, CUPEL_REPORT_PROBLEMS, ret) ==
             CUPEL_INVALID,
         "the report finds nothing");
}

static const struct {
    void (*run)(struct set *, struct cupel_document *, struct cupel_outcome *);
    bool invalid, paired; /* of which documents; of valid ones those that have an invalid one */
} figures[FIGURES] = {
    [VERDICT] = {verdict_counted, false, false}, [ANNOTATED] = {annotated_counted, false, false},
    [BEFORE] = {before_counted, false, true},    [REFUSED] = {refused_counted, true, true},
    [REPORTED] = {reported_counted, true, true},
};

/* Runs one figure for a document about so often that a microsecond's clock would do. */
static double time_figure(struct set *s, int figure, struct cupel_document *doc)
{
    double least = 0;
    int repeats = 1;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (int i = 0; i < repeats; i++)
            figures[figure].run(s, doc, NULL);
        double took = (now_ns() - start) / repeats;
        if (round == 0)
            repeats = took > 20000 ? 1 : (int)(20000 / (took + 1)) + 1;
        else if (round == 1 || took < least)
            least = took;
    }
    return least;
}

static double measure_one(struct set *s, int figure, struct cupel_document *doc, bool steps)
{
    struct cupel_outcome outcome = {0};
    if (!steps)
        return time_figure(s, figure, doc);
    figures[figure].run(s, doc, &outcome);
    return (double)outcome.steps;
}

static void measure(struct set *s, bool steps, double *ret)
{
    memset(ret, 0, FIGURES * sizeof *ret);
    for (size_t i = 0; i < s->count; i++) {
        const struct sample *sample = &s->samples[i];
        for (int f = 0; f < FIGURES; f++) {
            struct cupel_document *doc = figures[f].invalid ? sample->invalid : sample->valid;
            if (sample->invalid != NULL || !figures[f].paired)
                ret[f] += measure_one(s, f, doc, steps);
        }
    }
}

/* -- Printing -------------------------------------------------------------------------------------
 */

/* The ratios of all sets. */
struct ratios {
    double logs[RATIOS], most[RATIOS];
    unsigned count;
};

static void print(const struct set *s, const double *sum, struct ratios *all)
{
    const char *slash = strrchr(s->name, '/');
    const char *name = slash != NULL ? slash + 1 : s->name;
    double n = s->count != 0 ? (double)s->count : 1;
    double m = s->mistaken != 0 ? (double)s->mistaken : 1;
    double ratio[RATIOS] = {sum[ANNOTATED] / sum[VERDICT], sum[REPORTED] / sum[BEFORE],
                            sum[REPORTED] / sum[REFUSED]};
    for (int i = 0; i < RATIOS; i++) {
        all->logs[i] += log(ratio[i]);
        all->most[i] = ratio[i] > all->most[i] ? ratio[i] : all->most[i];
    }
    all->count++;
    printf("%-24s%9.0f%10.0f%7.1f%9.0f%9.0f%10.0f%9.1f%10.1f%6zu\n", name, sum[VERDICT] / n,
           sum[ANNOTATED] / n, ratio[0], sum[BEFORE] / m, sum[REFUSED] / m, sum[REPORTED] / m,
           ratio[1], ratio[2], s->mistaken);
}

static void print_ratios(const struct ratios *all)
{
    double mean[RATIOS];
    for (int i = 0; i < RATIOS; i++)
        mean[i] = exp(all->logs[i] / all->count);
    printf("%-43s%7.1f%37.1f%10.1f\n", "geometric mean", mean[0], mean[1], mean[2]);
    printf("%-43s%7.1f%37.1f%10.1f\n", "most", all->most[0], all->most[1], all->most[2]);
}

static void run_set(const char *folder, bool steps, struct ratios *all)
{
    static struct set s;
    double sum[FIGURES];
    size_t schema_len, len;
    s = (struct set){.name = folder};
    cupel_options_init(&s.options);
    s.options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = SCHEMA_BYTES;
    s.options.flags |= CUPEL_ANNOTATIONS;
    char *schema = load_from(folder, "schema.json", &schema_len);
    char *instances = load_from(folder, "instances.jsonl", &len);
    must(cupel_compile(schema, schema_len, &s.options, &s.program, NULL) == CUPEL_OK &&
             cupel_scratch_new(&s.options, &s.scratch) == CUPEL_OK,
         "the schema is refused");
    read_documents(&s, instances, len);
    measure(&s, steps, sum);
    print(&s, sum, all);
    for (size_t i = 0; i < s.count; i++) {
        cupel_document_free(s.samples[i].valid);
        cupel_document_free(s.samples[i].invalid);
    }
    cupel_scratch_free(s.scratch);
    cupel_program_free(s.program);
    free(schema);
    free(instances);
}

int main(int argc, char **argv)
{
    bool steps = argc > 1 && strcmp(argv[1], "--steps") == 0;
    struct ratios all = {.count = 0};
    printf("%-24s%9s%10s%7s%9s%9s%10s%9s%10s%6s\n",
           steps ? "steps a document" : "nanoseconds a document", "verdict", "annotated", "times",
           "before", "refused", "reported", "/before", "/refused", "of");
    for (int i = 1 + steps; i < argc; i++)
        run_set(argv[i], steps, &all);
    if (all.count != 0)
        print_ratios(&all);
    return 0;
}
