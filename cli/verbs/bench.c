/* bench.c: cupel bench: nanoseconds per pass over all documents, as medians of rounds.
 *
 *   parse      reads every text into one document, which is reused
 *   eval       validates every document once; all were read before, so caches see a stream
 *   eval_hot   validates each document many times before the next; the time of one is counted
 *   e2e        reads and validates every text, with one scratch */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 10001, FEWEST_ROUNDS = 5 };
#define ROUNDS_NS 300000000u

/* An allocator that counts its calls. */
static void *counting_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    ++*(uint64_t *)ctx;
    return realloc(ptr, new_size);
}

struct instance {
    const char *text;
    size_t len;
    struct cupel_document *doc;
};

struct bench {
    struct cupel_options engine;
    struct cli_file schema, file;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_document *doc;
    struct instance *instances;
    size_t count, capacity, bytes;
    uint32_t valid;
    uint64_t allocations; /* calls of counting_realloc() */
    uint64_t times[MOST_ROUNDS];
    uint64_t sink; /* the sum of results, so that the compiler keeps every pass */
};

/* -- Passes ----------------------------------------------------------------------------------- */

static uint64_t pass_compile(struct bench *bench)
{
    struct cupel_program *program = NULL;
    uint64_t start = cli_clock(NULL);
    enum cupel_status status = cupel_compile(bench->schema.text.bytes, bench->schema.text.len,
                                             &bench->engine, &program, NULL);
    uint64_t time = cli_clock(NULL) - start;
    bench->sink += status == CUPEL_OK;
    cupel_program_free(program);
    return time;
}

static uint64_t pass_parse(struct bench *bench)
{
    uint64_t start = cli_clock(NULL);
    for (size_t i = 0; i < bench->count; i++) {
        const struct instance *instance = &bench->instances[i];
        bench->sink +=
            cupel_document_read(bench->doc, instance->text, instance->len, NULL) == CUPEL_OK;
    }
    return cli_clock(NULL) - start;
}

static uint64_t pass_eval(struct bench *bench)
{
    uint64_t start = cli_clock(NULL);
    for (size_t i = 0; i < bench->count; i++)
        bench->sink += cupel_validate_node(bench->program, bench->scratch, bench->instances[i].doc,
                                           0, NULL) == CUPEL_VALID;
    return cli_clock(NULL) - start;
}

static uint64_t pass_e2e(struct bench *bench)
{
    uint64_t start = cli_clock(NULL);
    for (size_t i = 0; i < bench->count; i++) {
        const struct instance *instance = &bench->instances[i];
        bench->sink += cupel_validate(bench->program, bench->scratch, instance->text, instance->len,
                                      NULL) == CUPEL_VALID;
    }
    return cli_clock(NULL) - start;
}

/* The median time of a pass over rounds of about 0.3 s together, after one to warm up. */
static uint64_t measure(struct bench *bench, uint64_t (*pass)(struct bench *bench))
{
    size_t rounds = 0;
    uint64_t start = cli_clock(NULL);
    pass(bench);
    while (rounds < FEWEST_ROUNDS || (rounds < MOST_ROUNDS && cli_clock(NULL) - start < ROUNDS_NS))
        bench->times[rounds++] = pass(bench);
    return cli_percentile(bench->times, rounds, 50);
}

/* The time of one run, measured over `repeats` runs so that reading the clock does not count. */
static uint64_t time_repeats(struct bench *bench, struct cupel_document *doc, uint32_t repeats)
{
    uint64_t valid = 0, start = cli_clock(NULL);
    for (uint32_t k = 0; k < repeats; k++)
        valid += cupel_validate_node(bench->program, bench->scratch, doc, 0, NULL) == CUPEL_VALID;
    bench->sink += valid;
    return cli_clock(NULL) - start;
}

/* Sums the medians of each document.  A round over all documents would take so long that the
 * scheduler always interrupts it.  All repeats together take about 0.3 s. */
static uint64_t measure_hot(struct bench *bench, uint64_t eval_ns)
{
    enum { ROUNDS = 7 };
    uint64_t all = ROUNDS_NS / ROUNDS / (eval_ns + 1), total = 0;
    uint32_t repeats = all < 4 ? 4 : all > 1000 ? 1000 : (uint32_t)all;
    for (size_t i = 0; i < bench->count; i++) {
        struct cupel_document *doc = bench->instances[i].doc;
        for (size_t round = 0; round < ROUNDS; round++)
            bench->times[round] = time_repeats(bench, doc, repeats);
        total += cli_percentile(bench->times, ROUNDS, 50);
    }
    return total / repeats;
}

/* -- Instances -------------------------------------------------------------------------------- */

/* Reads an instance, keeps its document and counts it if it is valid.  Returns the exit status. */
static int add_instance(struct bench *bench, const char *text, size_t len, uint32_t line)
{
    struct cupel_document *doc = NULL;
    struct cupel_error err;
    memset(&err, 0, sizeof(err));
    err.status = cupel_document_new(&bench->engine, &doc);
    if (err.status == CUPEL_OK)
        err.status = cupel_document_read(doc, text, len, &err);
    if (err.status != CUPEL_OK) {
        cli_print_error("%s:%u: %s", bench->file.name, (unsigned)line,
                        cupel_status_message(err.status));
        cupel_document_free(doc);
        return cli_read_exit(err.status);
    }
    bench->instances =
        cli_grow(bench->instances, &bench->capacity, bench->count + 1, sizeof(*bench->instances));
    bench->instances[bench->count++] = (struct instance){text, len, doc};
    bench->bytes += len;
    bench->valid += cupel_validate_node(bench->program, bench->scratch, doc, 0, NULL) == 0;
    return CLI_VALID;
}

static int read_instances(struct bench *bench, const char *path)
{
    int status = CLI_VALID;
    if (!cli_read(path, &bench->file))
        return CLI_INPUT;
    if (cli_has_suffix(path, ".json"))
        return add_instance(bench, bench->file.text.bytes, bench->file.text.len, 1);
    struct cli_lines lines = {.text = bench->file.text.bytes, .len = bench->file.text.len};
    const char *line;
    size_t len;
    while (status == CLI_VALID && cli_next_line(&lines, &line, &len))
        status = add_instance(bench, line, len, lines.number);
    if (status == CLI_VALID && bench->count == 0) {
        cli_print_error("%s: there are no documents", path);
        return CLI_INPUT;
    }
    return status;
}

static int prepare(struct bench *bench, struct cli_settings *settings)
{
    struct cupel_error err;
    if (!cli_read(settings->arguments[0], &bench->schema))
        return CLI_INPUT;
    memset(&err, 0, sizeof(err));
    err.status = cupel_compile(bench->schema.text.bytes, bench->schema.text.len, &bench->engine,
                               &bench->program, &err);
    if (err.status != CUPEL_OK)
        return cli_schema_error(bench->schema.name, &err);
    if (cupel_document_new(&bench->engine, &bench->doc) != CUPEL_OK ||
        cupel_scratch_new(&bench->engine, &bench->scratch) != CUPEL_OK) {
        cli_print_error("out of memory");
        return CLI_INTERNAL;
    }
    return read_instances(bench, settings->arguments[1]);
}

/* -- Results ---------------------------------------------------------------------------------- */

struct results {
    uint64_t compile_ns, parse_ns, eval_ns, eval_hot_ns, e2e_ns, warm_allocations, image_bytes;
};

/* Measures every pass.  Allocations are counted in one more pass of e2e, when the scratch is warm.
 */
static struct results run(struct bench *bench)
{
    struct results r = {0};
    struct cupel_program_info info;
    cupel_program_info(bench->program, &info);
    r.image_bytes = info.image_bytes;
    r.compile_ns = measure(bench, pass_compile);
    r.parse_ns = measure(bench, pass_parse);
    r.eval_ns = measure(bench, pass_eval);
    r.eval_hot_ns = measure_hot(bench, r.eval_ns);
    r.e2e_ns = measure(bench, pass_e2e);
    uint64_t before = bench->allocations;
    pass_e2e(bench);
    r.warm_allocations = bench->allocations - before;
    return r;
}

static void print_json(const struct bench *bench, const struct results *r)
{
    struct cupel_text out;
    cupel_text_init(&out, NULL);
    cupel_text_addf(&out, "{\"instances\":%zu", bench->count);
    cli_json_number(&out, "bytes", bench->bytes);
    cli_json_number(&out, "valid", bench->valid);
    cli_json_number(&out, "compile_ns", r->compile_ns);
    cli_json_number(&out, "image_bytes", r->image_bytes);
    cli_json_number(&out, "parse_ns", r->parse_ns);
    cli_json_number(&out, "eval_ns", r->eval_ns);
    cli_json_number(&out, "eval_hot_ns", r->eval_hot_ns);
    cli_json_number(&out, "e2e_ns", r->e2e_ns);
    cli_json_number(&out, "warm_allocations", r->warm_allocations);
    cupel_text_adds(&out, "}\n");
    cli_flush(&out);
    cupel_text_free(&out);
}

static void print_row(const struct bench *bench, const char *name, uint64_t ns)
{
    double each = (double)ns / (double)bench->count;
    double rate = ns != 0 ? (double)bench->bytes / (double)ns : 0;
    printf("%-9s %12llu ns  %10.1f ns/document  %6.2f GB/s\n", name, (unsigned long long)ns, each,
           rate);
}

static void print_human(const struct bench *bench, const struct results *r)
{
    printf("%zu documents, %zu bytes, %u valid; image %llu bytes; %llu warm allocations\n",
           bench->count, bench->bytes, (unsigned)bench->valid, (unsigned long long)r->image_bytes,
           (unsigned long long)r->warm_allocations);
    printf("%-9s %12llu ns\n", "compile", (unsigned long long)r->compile_ns);
    print_row(bench, "parse", r->parse_ns);
    print_row(bench, "eval", r->eval_ns);
    print_row(bench, "eval hot", r->eval_hot_ns);
    print_row(bench, "e2e", r->e2e_ns);
}

static void free_bench(struct bench *bench)
{
    for (size_t i = 0; i < bench->count; i++)
        cupel_document_free(bench->instances[i].doc);
    free(bench->instances);
    cupel_document_free(bench->doc);
    cupel_scratch_free(bench->scratch);
    cupel_program_free(bench->program);
    cli_file_free(&bench->schema);
    cli_file_free(&bench->file);
    free(bench);
}

/* Compiles the schema, reads all instances, measures and prints. */
int cli_run_bench(struct cli_settings *settings)
{
    if (settings->count != 2)
        return cli_usage(CLI_VERB_BENCH);
    struct bench *bench = calloc(1, sizeof(*bench));
    if (bench == NULL) {
        cli_print_error("out of memory");
        return CLI_INTERNAL;
    }
    cupel_text_init(&bench->schema.text, NULL);
    cupel_text_init(&bench->file.text, NULL);
    bench->engine = settings->engine;
    bench->engine.alloc = (struct cupel_alloc){counting_realloc, &bench->allocations};
    /* The file is followed by padding, and so is each of its lines. */
    if (settings->padded)
        bench->engine.flags |= CUPEL_INPUT_PADDED;
    int status = prepare(bench, settings);
    if (status == CLI_VALID) {
        struct results results = run(bench);
        if (settings->json)
            print_json(bench, &results);
        else
            print_human(bench, &results);
    }
    free_bench(bench);
    return status;
}
