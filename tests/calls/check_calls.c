/* check_calls.c: judges recorded calls of tools and compares each verdict with the recorded one.
 *
 * Reads the files given, a JSON object a line with `inputSchema`, `arguments` and `oracle.ajv`
 * (true, false, or null where there is no opinion).  For each line it prints one of its own,
 *
 *     FILE:LINE WANT GOT DETAIL
 *
 * where WANT is valid, invalid or none and GOT is valid, invalid, undecided or refused (the schema
 * did not compile).  What to make of a difference is run.py's business.  A verdict that the report
 * program does not share is printed as GOT disagree. */
#include <cupel/cupel.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
};

static const char *const verdict_names[] = {"valid", "invalid", "undecided"};

static const char *wanted(struct cupel_document *doc)
{
    uint32_t oracle = cupel_json_member(doc, 0, "oracle", 6);
    if (oracle == CUPEL_NO_NODE)
        return "none";
    uint32_t ajv = cupel_json_member(doc, oracle, "ajv", 3);
    int value = ajv == CUPEL_NO_NODE ? -1 : cupel_json_boolean(doc, ajv);
    return value < 0 ? "none" : value ? "valid" : "invalid";
}

static int ignore_problem(void *ctx, const struct cupel_problem *problem)
{
    (void)ctx;
    (void)problem;
    return 0;
}

static const char *judge(struct run *run, const struct cupel_program *program, const char **detail)
{
    struct cupel_outcome outcome;
    uint32_t arguments = cupel_json_member(run->doc, 0, "arguments", 9);
    enum cupel_verdict verdict =
        cupel_validate_node(program, run->scratch, run->doc, arguments, &outcome);
    *detail = cupel_status_name(outcome.reason);
    enum cupel_verdict report =
        cupel_report(program, run->scratch, run->doc, arguments, ignore_problem, NULL, &outcome);
    if (report == verdict)
        return verdict_names[verdict];
    *detail = verdict_names[report];
    return "disagree";
}

static void check_line(struct run *run, const char *place, const char *line, size_t len)
{
    struct cupel_error err;
    struct cupel_program *program;
    if (cupel_document_read(run->doc, line, len, &err) != CUPEL_OK) {
        printf("%s none unreadable %s\n", place, cupel_status_name(err.status));
        return;
    }
    const char *want = wanted(run->doc);
    uint32_t schema = cupel_json_member(run->doc, 0, "inputSchema", 11);
    if (cupel_compile_node(run->doc, schema, NULL, &program, &err) != CUPEL_OK) {
        printf("%s %s refused %s at %s: %s\n", place, want, cupel_status_name(err.status),
               err.where, err.detail);
        return;
    }
    const char *detail;
    const char *got = judge(run, program, &detail);
    printf("%s %s %s %s\n", place, want, got, detail);
    cupel_program_free(program);
}

static bool check_file(struct run *run, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return false;
    }
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    char *line = NULL, place[512];
    size_t capacity = 0;
    ssize_t len;
    for (unsigned number = 1; (len = getline(&line, &capacity, file)) >= 0; number++) {
        snprintf(place, sizeof place, "%s:%u", name, number);
        check_line(run, place, line, (size_t)len);
    }
    free(line);
    fclose(file);
    return true;
}

int main(int argc, char **argv)
{
    struct run run = {NULL, NULL};
    bool ok = cupel_document_new(NULL, &run.doc) == CUPEL_OK &&
              cupel_scratch_new(NULL, &run.scratch) == CUPEL_OK;
    for (int i = 1; ok && i < argc; i++)
        ok = check_file(&run, argv[i]);
    cupel_scratch_free(run.scratch);
    cupel_document_free(run.doc);
    return ok ? 0 : 1;
}
