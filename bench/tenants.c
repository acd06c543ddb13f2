/* tenants.c: what it costs that many tenants' programs are used in turn.
 *
 *   tenants [COPIES] FILE.jsonl…
 *
 * A line of a file has `inputSchema` and `arguments`, as for call.c; lines whose arguments are
 * valid are taken, a sample of them evenly.  The program of each is copied COPIES times (4,096
 * unless given), each with memory of its own as programs of different tenants have it, and the call
 * is judged by one copy after the other, in an order that no prefetcher knows.  Beside it the same
 * call by one copy.  Document and scratch are hot in both, so the difference is what a program that
 * is not in the cache costs.
 *
 * "mixed" is one copy of each call's program, all calls in turn: another document and another way
 * through the code each time, which no predictor knows. */
#include "measuring.h"
#include <cupel/cupel.h>
#include <string.h>

enum { MOST_CALLS = 4096, SAMPLE = 24, COPIES = 4096, ROUNDS = 5 };

struct call {
    struct cupel_document *doc;
    uint32_t arguments;
    struct cupel_program *program;
};

struct bench {
    struct call calls[MOST_CALLS];
    size_t ncalls, ncopies, image_bytes;
    struct cupel_program **copies; /* of one program, in random order */
    struct cupel_scratch *scratch;
    unsigned valid;
};

static void judge(struct bench *b, const struct call *call, const struct cupel_program *program)
{
    b->valid +=
        cupel_validate_node(program, b->scratch, call->doc, call->arguments, NULL) == CUPEL_VALID;
}

/* Takes the line's call if its arguments are valid. */
static void add_call(struct bench *b, const char *line, size_t len)
{
    struct call *call = &b->calls[b->ncalls];
    uint32_t schema;
    memset(call, 0, sizeof *call);
    if (cupel_document_new(NULL, &call->doc) != CUPEL_OK)
        return;
    if (cupel_document_read(call->doc, line, len, NULL) == CUPEL_OK &&
        (schema = cupel_json_member(call->doc, 0, "inputSchema", 11)) != CUPEL_NO_NODE &&
        (call->arguments = cupel_json_member(call->doc, 0, "arguments", 9)) != CUPEL_NO_NODE &&
        cupel_compile_node(call->doc, schema, NULL, &call->program, NULL) == CUPEL_OK) {
        unsigned before = b->valid;
        judge(b, call, call->program);
        if (b->valid > before) {
            b->ncalls++;
            return;
        }
    }
    cupel_program_free(call->program);
    cupel_document_free(call->doc);
}

static void read_calls(struct bench *b, const char *path)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    FILE *f = fopen(path, "rb");
    must(f != NULL, path);
    while (b->ncalls < MOST_CALLS && (len = getline(&line, &cap, f)) > 0)
        add_call(b, line, (size_t)len);
    free(line);
    fclose(f);
}

/* In a random order, so that neighbours in memory are not neighbours in time. */
static void copy_program(struct bench *b, const struct cupel_program *program)
{
    uint64_t random = 1;
    size_t len;
    const void *image = cupel_program_image(program, &len);
    b->image_bytes += len;
    for (size_t i = 0; i < b->ncopies; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        size_t k = (size_t)(random >> 33) % (i + 1);
        b->copies[i] = b->copies[k];
        must(cupel_program_load(image, len, 0, NULL, &b->copies[k], NULL) == CUPEL_OK,
             "an image is refused");
    }
}

/* The least time of several rounds for one judgement; `step` 0: always the first copy. */
static double time_copies(struct bench *b, const struct call *call, size_t step)
{
    double best = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        double start = used_ns();
        for (size_t i = 0; i < b->ncopies; i++)
            judge(b, call, b->copies[i * step]);
        double time = (used_ns() - start) / (double)b->ncopies;
        best = time < best ? time : best;
    }
    return best;
}

static double time_mixed(struct bench *b)
{
    double best = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        double start = used_ns();
        for (size_t i = 0; i < b->ncalls; i++)
            judge(b, &b->calls[i], b->calls[i].program);
        double time = (used_ns() - start) / (double)b->ncalls;
        best = time < best ? time : best;
    }
    return best;
}

static void tear_down(struct bench *b)
{
    for (size_t i = 0; i < b->ncalls; i++) {
        cupel_program_free(b->calls[i].program);
        cupel_document_free(b->calls[i].doc);
    }
    free(b->copies);
    cupel_scratch_free(b->scratch);
    free(b);
}

int main(int argc, char **argv)
{
    struct bench *b = allocate(1, sizeof *b);
    char *end = NULL;
    int first = argc > 1 && strtoul(argv[1], &end, 10) > 0 && *end == '\0' ? 2 : 1;
    b->ncopies = first == 2 ? strtoul(argv[1], NULL, 10) : COPIES;
    must(cupel_scratch_new(NULL, &b->scratch) == CUPEL_OK, "out of memory");
    for (int i = first; i < argc; i++)
        read_calls(b, argv[i]);
    if (b->ncalls == 0) {
        printf("skipped: no calls\n");
        return 0;
    }
    b->copies = allocate(b->ncopies, sizeof *b->copies);
    size_t n = b->ncalls < SAMPLE ? b->ncalls : SAMPLE;
    double many = 0, one = 0, mixed = time_mixed(b);
    for (size_t i = 0; i < n; i++) {
        const struct call *call = &b->calls[i * b->ncalls / n];
        copy_program(b, call->program);
        many += time_copies(b, call, 1);
        one += time_copies(b, call, 0);
        for (size_t k = 0; k < b->ncopies; k++)
            cupel_program_free(b->copies[k]);
    }
    printf("%zu of %zu calls, programs of %zu bytes in the mean: %zu copies in turn %.1f ns, hot "
           "%.1f ns, "
           "ratio %.2f; mixed %.1f ns\n",
           n, b->ncalls, b->image_bytes / n, b->ncopies, many / (double)n, one / (double)n,
           many / one, mixed);
    tear_down(b);
    return 0;
}
