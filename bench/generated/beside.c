/* beside.c: the VM beside C that was generated from the same schema, over the same documents.
 *
 *   beside CORPUS
 *
 * Prints nanoseconds a document for each set, hot and streaming (bench/README.md), and the ratios.
 * Both judge every document, and each again with one scalar changed at random; they have to agree.
 */
#include "../measuring.h"
#include "base/json/document.h"
#include "generated.h"
#include <cupel/cupel.h>
#include <math.h>

enum { MOST_DOCUMENTS = 8192, ROUNDS = 9, TABLE = 1 << 16 };
#define ROUND_NS 2e7

struct run {
    const struct generated_set *set;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct generated g;
    struct cupel_document *documents[MOST_DOCUMENTS];
    size_t n;
};

static char *load_of_set(const char *corpus, const char *set, const char *name, size_t *ret_size)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/%s", corpus, set);
    return load_from(folder, name, ret_size);
}

static bool by_vm(struct run *r, size_t i)
{
    return cupel_validate_node(r->program, r->scratch, r->documents[i], 0, NULL) == CUPEL_VALID;
}

static bool by_c(struct run *r, size_t i)
{
    r->g.doc = &r->documents[i]->doc;
    return r->set->check(&r->g, &r->g.doc->nodes[0]);
}

/* How many documents the two judge differently. */
static unsigned count_differences(struct run *r)
{
    unsigned differences = 0;
    srand(1);
    for (size_t i = 0; i < r->n; i++) {
        struct cupel__doc *doc = &r->documents[i]->doc;
        struct cupel__node *v = &doc->nodes[(uint32_t)rand() % doc->nnodes], old = *v;
        differences += by_vm(r, i) != by_c(r, i);
        if (v->type >= CUPEL__ARRAY || (v->type == CUPEL__STRING && (v->flags & CUPEL__KEY)))
            continue;
        v->type = v->type == CUPEL__NULL ? CUPEL__TRUE : CUPEL__NULL;
        differences += by_vm(r, i) != by_c(r, i);
        *v = old;
    }
    return differences;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double stream(struct run *r, bool judge(struct run *, size_t))
{
    double times[ROUNDS];
    unsigned valid = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (size_t i = 0; i < r->n; i++)
            valid += judge(r, i);
        times[round] = now_ns() - start;
    }
    qsort(times, ROUNDS, sizeof *times, compare);
    return valid == 0 ? NAN : times[ROUNDS / 2] / (double)r->n;
}

static double hot(struct run *r, bool judge(struct run *, size_t), double estimate)
{
    unsigned repeats = (unsigned)(ROUND_NS / estimate / (double)r->n) + 2, valid = 0;
    double sum = 0;
    for (size_t i = 0; i < r->n; i++) {
        double best = INFINITY;
        for (int round = 0; round < 3; round++) {
            double start = now_ns();
            for (unsigned k = 0; k < repeats; k++)
                valid += judge(r, i);
            double time = now_ns() - start;
            best = time < best ? time : best;
        }
        sum += best / repeats;
    }
    return valid == 0 ? NAN : sum / (double)r->n;
}

static void read_documents(struct run *r, const struct cupel_options *options, char *text)
{
    for (char *line = strtok(text, "\n"); line != NULL && r->n < MOST_DOCUMENTS;
         line = strtok(NULL, "\n")) {
        struct cupel_document *doc = NULL;
        must(cupel_document_new(options, &doc) == CUPEL_OK &&
                 cupel_document_read(doc, line, strlen(line), NULL) == CUPEL_OK,
             "a document is refused");
        r->documents[r->n++] = doc;
    }
}

static bool set_up(struct run *r, const char *corpus)
{
    struct cupel_options options;
    size_t len;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 1 << 20;
    char *schema = load_of_set(corpus, r->set->name, "schema.json", &len);
    bool ok = cupel_compile(schema, len, &options, &r->program, NULL) == CUPEL_OK &&
              cupel_scratch_new(&options, &r->scratch) == CUPEL_OK &&
              cupel__matcher_scratch_new(&options.alloc, SIZE_MAX, &r->g.matching) == CUPEL_OK;
    char *text = load_of_set(corpus, r->set->name, "instances.jsonl", &len);
    if (ok)
        read_documents(r, &options, text);
    r->g.code = &r->program->verdict;
    r->g.ntable = TABLE;
    r->g.table = allocate(TABLE, sizeof *r->g.table);
    free(schema);
    free(text);
    return ok;
}

static void tear_down(struct run *r)
{
    for (size_t i = 0; i < r->n; i++)
        cupel_document_free(r->documents[i]);
    cupel_scratch_free(r->scratch);
    cupel__matcher_scratch_free(r->g.matching);
    cupel_program_free(r->program);
    free(r->g.table);
    free(r);
}

int main(int argc, char **argv)
{
    double sum[2] = {0, 0};
    unsigned sets = 0, wrong = 0;
    if (argc != 2)
        return 2;
    printf("%-24s%10s%10s%8s%12s%10s%8s\n", "set", "VM hot", "C hot", "ratio", "VM stream",
           "C stream", "ratio");
    for (const struct generated_set *set = generated_sets; set->name != NULL; set++) {
        struct run *r = allocate(1, sizeof *r);
        r->set = set;
        if (!set_up(r, argv[1]))
            return 3;
        unsigned differences = count_differences(r);
        double vm = stream(r, by_vm), c = stream(r, by_c);
        double hot_vm = hot(r, by_vm, vm), hot_c = hot(r, by_c, c);
        printf("%-24s%10.1f%10.1f%8.2f%12.1f%10.1f%8.2f\n", set->name, hot_vm, hot_c,
               hot_vm / hot_c, vm, c, vm / c);
        if (differences > 0)
            printf("%s: %u verdicts differ\n", set->name, differences);
        wrong += differences;
        sum[0] += log(hot_vm / hot_c);
        sum[1] += log(vm / c);
        sets++;
        tear_down(r);
    }
    if (sets > 0)
        printf("geometric mean of %u sets: hot %.2f, stream %.2f times C\n", sets,
               exp(sum[0] / sets), exp(sum[1] / sets));
    return wrong > 0;
}
