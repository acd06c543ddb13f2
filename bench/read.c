/* read.c: how long reading a document takes, a scanner of the reader beside the other, memcpy
 * below.
 *
 *   read FILE.jsonl…    a document a line; without files, 58-byte arguments alone
 *
 * All documents of a file are read in turn, with one struct cupel__doc, which is what a gateway
 * does; the figures are the fastest of several rounds, which other work on the machine disturbs
 * least.  `padded` is reading in place (CUPEL__READ_PADDED). */
#include "base/json/reader.h"
#include "measuring.h"
#include <string.h>

enum { ROUNDS = 100, ROUND_NS = 1000000 };

struct set {
    char *data; /* the documents, with padding after the last */
    size_t *start, *length;
    size_t count, bytes;
};

struct column {
    const char *name;
    enum cupel__scanner scanner;
    uint32_t flags;
};

static const struct column columns[] = {
    {"portable", CUPEL__SCAN_PORTABLE, 0},
    {"sse4.2", CUPEL__SCAN_SSE42, 0},
    {"avx2", CUPEL__SCAN_AVX2, 0},
    {"avx2 padded", CUPEL__SCAN_AVX2, CUPEL__READ_PADDED},
    {"avx512", CUPEL__SCAN_AVX512, 0},
    {"avx512 padded", CUPEL__SCAN_AVX512, CUPEL__READ_PADDED},
    {"neon", CUPEL__SCAN_NEON, 0},
    {"neon padded", CUPEL__SCAN_NEON, CUPEL__READ_PADDED},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* Splits the data into lines; empty ones are left out. */
static void split(struct set *s, size_t size)
{
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += s->data[i] == '\n';
    s->start = allocate(lines, sizeof *s->start);
    s->length = allocate(lines, sizeof *s->length);
    const char *at = s->data, *line;
    for (size_t len; (line = next_line(&at, s->data + size, &len)) != NULL;) {
        if (len == 0)
            continue;
        s->start[s->count] = (size_t)(line - s->data);
        s->length[s->count++] = len;
        s->bytes += len;
    }
}

static void load(const char *path, struct set *ret)
{
    size_t size;
    *ret = (struct set){.data = load_file(path, &size)};
    split(ret, size);
}

/* Tool arguments of the median length. */
static void make_arguments(struct set *ret)
{
    static const char *const formats[] = {
        "{\"path\":\"/home/anna/src/cupel/base/file%02d.c\",\"limit\":%d}\n",
        "{\"query\": \"weather in town %02d tomorrow\", \"max\": %d, \"x\":0}\n",
        "{\"owner\":\"anna\",\"repo\":\"cupel%02d\",\"issue\":%d,\"full\":false}\n",
    };
    enum { COUNT = 200, ROOM = 80 };
    *ret = (struct set){.data = allocate(COUNT + 1, ROOM)};
    size_t size = 0;
    for (int i = 0; i < COUNT; i++)
        size +=
            (size_t)snprintf(ret->data + size, ROOM, formats[i % 3], i % 100, 1000 + i * 37 % 9000);
    split(ret, size);
}

static void read_all(const struct set *s, const struct column *c, struct cupel__doc *doc)
{
    const struct cupel__read_options options = {c->flags, 128, 1024, UINT32_MAX, 0};
    for (size_t i = 0; i < s->count; i++) {
        must(cupel__json_read_with(doc, c->scanner, s->data + s->start[i], s->length[i], &options,
                                   NULL) == CUPEL_OK,
             "a document is refused");
    }
}

static void copy_all(const struct set *s, char *to)
{
    for (size_t i = 0; i < s->count; i++) {
        memcpy(to, s->data + s->start[i], s->length[i]);
        __asm__ volatile("" : : "r"(to) : "memory");
    }
}

static void run(const struct set *s, const struct column *c, struct cupel__doc *doc, char *to)
{
    if (c != NULL)
        read_all(s, c, doc);
    else
        copy_all(s, to);
}

/* Nanoseconds for a pass over the set; without a column, of memcpy. */
static double measure(const struct set *s, const struct column *c)
{
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    char *to = allocate(s->bytes, 1);
    double start = now_ns();
    run(s, c, &doc, to);
    double once = now_ns() - start;
    int repeat = once > ROUND_NS ? 1 : (int)(ROUND_NS / once);
    double best = once;
    for (int round = 0; round < ROUNDS; round++) {
        start = now_ns();
        for (int i = 0; i < repeat; i++)
            run(s, c, &doc, to);
        double pass = (now_ns() - start) / repeat;
        best = pass < best ? pass : best;
    }
    free(to);
    cupel__doc_free(&doc);
    return best;
}

static void report(const char *name, const struct set *s)
{
    printf("%-24.24s %5.0f B", name, (double)s->bytes / (double)s->count);
    double ns = measure(s, NULL);
    printf("  %6.1f %.3f", ns / (double)s->count, ns / (double)s->bytes);
    for (int i = 0; i < COLUMNS; i++) {
        if (!cupel__scanner_supported(columns[i].scanner))
            continue;
        ns = measure(s, &columns[i]);
        printf("  %6.1f %.3f", ns / (double)s->count, ns / (double)s->bytes);
    }
    printf("\n");
    fflush(stdout);
}

static void free_set(struct set *s)
{
    free(s->data);
    free(s->start);
    free(s->length);
}

/* The name of a set: its file's folder. */
static const char *name_of(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return path;
    *slash = '\0';
    char *folder = strrchr(path, '/');
    return folder != NULL ? folder + 1 : path;
}

int main(int argc, char **argv)
{
    struct set set;
    printf("ns/document and ns/byte:  memcpy");
    for (int i = 0; i < COLUMNS; i++)
        if (cupel__scanner_supported(columns[i].scanner))
            printf(" | %s", columns[i].name);
    printf("\n");
    make_arguments(&set);
    report("arguments", &set);
    free_set(&set);
    for (int i = 1; i < argc; i++) {
        load(argv[i], &set);
        report(name_of(argv[i]), &set);
        free_set(&set);
    }
    return 0;
}
