/* check_names.c: recorded calls under CUPEL_CATALOG_EXACT_ARGUMENTS: none that is valid without it
 * is refused with it.  Reads the files given, a JSON object a line with `inputSchema` and
 * `arguments`; prints the lines that are refused, and `N passed, N failed`. */
#include <cupel/cupel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct cupel_document *doc;
    struct cupel_call_context *caller;
    struct cupel_text tool, request, answer;
    unsigned long passed, failed, other;
};

static void add_member(struct run *run, const char *key, struct cupel_text *text)
{
    size_t len;
    uint32_t node = cupel_json_member(run->doc, 0, key, strlen(key));
    const char *span = node != CUPEL_NO_NODE ? cupel_json_span(run->doc, node, &len) : NULL;
    if (span != NULL)
        cupel_text_add(text, span, len);
    else
        cupel_text_adds(text, "{}");
}

static enum cupel_call_verdict judge(struct run *run, uint32_t flags)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    enum cupel_call_verdict verdict = CUPEL_CALL_UNDECIDED;
    cupel_catalog_options_init(&options);
    options.flags = flags;
    if (cupel_catalog_new(&options, &catalog) == CUPEL_OK &&
        cupel_catalog_add(catalog, run->tool.bytes, run->tool.len, NULL) == CUPEL_OK)
        verdict = cupel_call_check(catalog, run->caller, run->request.bytes, run->request.len, NULL,
                                   &run->answer, NULL, NULL, NULL);
    cupel_catalog_free(catalog);
    return verdict;
}

static void check_line(struct run *run, const char *line, size_t len)
{
    cupel_text_clear(&run->tool);
    cupel_text_clear(&run->request);
    if (cupel_document_read(run->doc, line, len, NULL) != CUPEL_OK)
        return;
    cupel_text_adds(&run->tool, "[{\"name\":\"t\",\"inputSchema\":");
    add_member(run, "inputSchema", &run->tool);
    cupel_text_adds(&run->tool, "}]");
    cupel_text_adds(&run->request, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                                   "\"params\":{\"name\":\"t\",\"arguments\":");
    add_member(run, "arguments", &run->request);
    cupel_text_adds(&run->request, "}}");
    if (judge(run, 0) != CUPEL_CALL_VALID) {
        run->other++;
        return;
    }
    if (judge(run, CUPEL_CATALOG_EXACT_ARGUMENTS) == CUPEL_CALL_VALID) {
        run->passed++;
        return;
    }
    run->failed++;
    printf("%.*s\n    %.*s\n", (int)run->answer.len, run->answer.bytes, (int)run->request.len,
           run->request.bytes);
}

static int check_file(struct run *run, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t len;
    if (file == NULL)
        return 1;
    while ((len = getline(&line, &size, file)) > 0)
        check_line(run, line, (size_t)len);
    free(line);
    fclose(file);
    return 0;
}

int main(int argc, char **argv)
{
    struct run run = {.doc = NULL};
    cupel_text_init(&run.tool, NULL);
    cupel_text_init(&run.request, NULL);
    cupel_text_init(&run.answer, NULL);
    if (cupel_document_new(NULL, &run.doc) != CUPEL_OK ||
        cupel_call_context_new(NULL, &run.caller) != CUPEL_OK)
        return 1;
    for (int i = 1; i < argc; i++)
        if (check_file(&run, argv[i]) != 0)
            return 1;
    printf("not valid with any names: %lu\n%lu passed, %lu failed\n", run.other, run.passed,
           run.failed);
    cupel_document_free(run.doc);
    cupel_call_context_free(run.caller);
    cupel_text_free(&run.tool);
    cupel_text_free(&run.request);
    cupel_text_free(&run.answer);
    return run.failed != 0 || run.passed == 0;
}
