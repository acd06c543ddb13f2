/* call.c: how long a tools/call takes from the raw message to the verdict, and which part of it is
 * which step.
 *
 *   call [FEWEST MOST] FILE.jsonl…
 *
 * A line of a file has `inputSchema` and `arguments`; calls whose arguments have FEWEST to MOST
 * bytes are taken, 54 to 62 unless given: about the median of recorded ones.  All tools are in one
 * catalog. Each call is judged many times before the next; the figures are medians over the calls
 * of the least time of several rounds, in which the steps take turns:
 *
 *   read      the message into a document
 *   find      its envelope, name and arguments, and the tool: the rest
 *   evaluate  the tool's program on the arguments
 *   answer    for calls that are refused: the message to send back */
#include "measuring.h"
#include <cupel/cupel.h>
#include <string.h>

enum { ROUNDS = 7, REPEATS = 300, STEPS = 3 };

struct request {
    char *text;
    size_t len;
    const struct cupel_tool *tool;
    bool valid;
    double times[STEPS]; /* the whole, reading, evaluating */
};

struct bench {
    struct cupel_catalog *catalog;
    struct cupel_call_context *caller;
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_text list, answer;
    struct request *requests;
    size_t count, capacity, fewest, most;
    uint64_t sink;
};

/* -- Input ------------------------------------------------------------------------------------ */

static void add_request(struct bench *b, const char *arguments, size_t len)
{
    struct cupel_text text;
    if (b->count == b->capacity) {
        b->capacity = b->capacity * 2 + 64;
        b->requests = realloc(b->requests, b->capacity * sizeof(*b->requests));
        must(b->requests != NULL, "out of memory");
    }
    cupel_text_init(&text, NULL);
    cupel_text_addf(&text,
                    "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"tools/call\",\"params\":"
                    "{\"name\":\"tool_%zu\",\"arguments\":",
                    b->count, b->count);
    cupel_text_add(&text, arguments, len);
    cupel_text_adds(&text, "}}");
    b->requests[b->count++] = (struct request){.text = text.bytes, .len = text.len};
}

static void take_line(struct bench *b, const char *line, size_t len)
{
    if (cupel_document_read(b->doc, line, len, NULL) != CUPEL_OK)
        return;
    uint32_t schema = cupel_json_member(b->doc, 0, "inputSchema", 11);
    uint32_t arguments = cupel_json_member(b->doc, 0, "arguments", 9);
    size_t schema_len, arguments_len;
    if (schema == CUPEL_NO_NODE || arguments == CUPEL_NO_NODE)
        return;
    const char *schema_text = cupel_json_span(b->doc, schema, &schema_len);
    const char *arguments_text = cupel_json_span(b->doc, arguments, &arguments_len);
    if (arguments_len < b->fewest || arguments_len > b->most)
        return;
    cupel_text_addf(
        &b->list, "%s{\"name\":\"tool_%zu\",\"inputSchema\":", b->count != 0 ? "," : "[", b->count);
    cupel_text_add(&b->list, schema_text, schema_len);
    cupel_text_adds(&b->list, "}");
    add_request(b, arguments_text, arguments_len);
}

static void take_file(struct bench *b, const char *path)
{
    FILE *file = fopen(path, "rb");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len;
    must(file != NULL, path);
    while ((len = getline(&line, &capacity, file)) > 0)
        take_line(b, line, (size_t)len);
    free(line);
    fclose(file);
}

static void load(struct bench *b)
{
    struct cupel_catalog_options options;
    cupel_catalog_options_init(&options);
    options.tools = 1000000;
    options.catalog_bytes = (size_t)1 << 30;
    cupel_text_adds(&b->list, b->count != 0 ? "]" : "[]");
    must(cupel_catalog_new(&options, &b->catalog) == CUPEL_OK &&
             cupel_catalog_add(b->catalog, b->list.bytes, b->list.len, NULL) == CUPEL_OK,
         "the catalog cannot be made");
    for (size_t i = 0; i < b->count; i++)
        b->requests[i].tool = cupel_catalog_tool(b->catalog, (uint32_t)i);
}

/* -- Steps ------------------------------------------------------------------------------------ */

static void judge(struct bench *b, const struct request *r)
{
    b->sink += cupel_call_check(b->catalog, b->caller, r->text, r->len, NULL, &b->answer, NULL,
                                NULL, NULL) == CUPEL_CALL_VALID;
}

static void read_message(struct bench *b, const struct request *r)
{
    b->sink += cupel_document_read(b->doc, r->text, r->len, NULL) == CUPEL_OK;
}

/* The document holds the message since the step before. */
static void evaluate(struct bench *b, const struct request *r)
{
    uint32_t params = cupel_json_member(b->doc, 0, "params", 6);
    uint32_t arguments = cupel_json_member(b->doc, params, "arguments", 9);
    if (r->tool->input == NULL)
        return;
    for (int i = 0; i < REPEATS; i++)
        b->sink += cupel_validate_node(r->tool->input, b->scratch, b->doc, arguments, NULL);
}

static void measure(struct bench *b, struct request *r)
{
    b->sink = 0;
    judge(b, r);
    r->valid = b->sink != 0;
    for (int round = 0; round < ROUNDS; round++) {
        double t[STEPS + 1];
        t[0] = now_ns();
        for (int i = 0; i < REPEATS; i++)
            judge(b, r);
        t[1] = now_ns();
        for (int i = 0; i < REPEATS; i++)
            read_message(b, r);
        t[2] = now_ns();
        evaluate(b, r);
        t[3] = now_ns();
        for (int step = 0; step < STEPS; step++) {
            double time = (t[step + 1] - t[step]) / REPEATS;
            if (round == 0 || time < r->times[step])
                r->times[step] = time;
        }
    }
}

/* -- Output ----------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over calls that are (or are not) valid; `step` STEPS is what is not reading or
 * evaluating. */
static double median(const struct bench *b, int step, bool valid, size_t *ret_count)
{
    double *values = allocate(b->count, sizeof(*values));
    size_t count = 0;
    for (size_t i = 0; i < b->count; i++) {
        const double *t = b->requests[i].times;
        if (b->requests[i].valid == valid)
            values[count++] = step < STEPS ? t[step] : t[0] - t[1] - t[2];
    }
    qsort(values, count, sizeof(*values), compare);
    double result = count != 0 ? values[count / 2] : 0;
    free(values);
    *ret_count = count;
    return result;
}

static void print(const struct bench *b, bool valid)
{
    size_t count;
    double whole = median(b, 0, valid, &count);
    if (count == 0)
        return;
    double read = median(b, 1, valid, &count), eval = median(b, 2, valid, &count);
    double rest = median(b, STEPS, valid, &count);
    printf("%zu calls that are %s: %.0f ns; read %.0f (%.0f %%), find%s %.0f (%.0f %%), "
           "evaluate %.0f (%.0f %%)\n",
           count, valid ? "valid" : "refused", whole, read, 100 * read / whole,
           valid ? "" : " and answer", rest, 100 * rest / whole, eval, 100 * eval / whole);
}

int main(int argc, char **argv)
{
    struct bench b = {.fewest = 54, .most = 62};
    int first = 1;
    if (argc > 3 && strspn(argv[1], "0123456789") == strlen(argv[1])) {
        b.fewest = strtoul(argv[1], NULL, 10);
        b.most = strtoul(argv[2], NULL, 10);
        first = 3;
    }
    cupel_text_init(&b.list, NULL);
    cupel_text_init(&b.answer, NULL);
    must(cupel_document_new(NULL, &b.doc) == CUPEL_OK &&
             cupel_scratch_new(NULL, &b.scratch) == CUPEL_OK &&
             cupel_call_context_new(NULL, &b.caller) == CUPEL_OK,
         "out of memory");
    for (int i = first; i < argc; i++)
        take_file(&b, argv[i]);
    load(&b);
    for (size_t i = 0; i < b.count; i++)
        measure(&b, &b.requests[i]);
    print(&b, true);
    print(&b, false);
    for (size_t i = 0; i < b.count; i++)
        free(b.requests[i].text);
    free(b.requests);
    cupel_catalog_free(b.catalog);
    cupel_call_context_free(b.caller);
    cupel_document_free(b.doc);
    cupel_scratch_free(b.scratch);
    cupel_text_free(&b.list);
    cupel_text_free(&b.answer);
    return 0;
}
