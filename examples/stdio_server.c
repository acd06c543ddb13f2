/* stdio_server.c: three tools declared in C, and their functions, which get structs that are right.
 * The protocol is spoken by server.c.
 *
 *     cc stdio_server.c server.c $(pkg-config --cflags --libs libcupel) -o stdio_server */
#include "server.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* -- The tools -------------------------------------------------------------------------------- */

#define SEARCH_FIELDS(F)                                                    \
    F(string, query, required, "the text to search for", "\"minLength\":1") \
    F(integer, max_results, optional, "how many matches to return",         \
      "\"minimum\":1,\"maximum\":100")                                      \
    F(boolean, case_sensitive, optional, "match case exactly", "")
CUPEL_ARGUMENTS(search, SEARCH_FIELDS)

#define SUM_FIELDS(F)                                                \
    F(numbers, values, required, "what to add up", "\"minItems\":1") \
    F(number, scale, optional, "multiplies the sum", "")
CUPEL_ARGUMENTS(sum, SUM_FIELDS)

static enum cupel_status run_search(struct cupel_document *doc, uint32_t arguments,
                                    struct cupel_text *result);
static enum cupel_status run_sum(struct cupel_document *doc, uint32_t arguments,
                                 struct cupel_text *result);
static enum cupel_status run_clock(struct cupel_document *doc, uint32_t arguments,
                                   struct cupel_text *result);

static const struct cupel_declared_tool tools[] = {
    {
        .name = "search_files",
        .title = "Search Files",
        .description = "Search the indexed files for a query string.",
        .arguments = search_arguments,
        .annotations = "{\"readOnlyHint\":true,\"openWorldHint\":false}",
    },
    {
        .name = "add_up",
        .description = "Adds numbers.",
        .arguments = sum_arguments,
        .output_schema = "{\"type\":\"object\",\"properties\":{\"sum\":{\"type\":\"number\"}},"
                         "\"required\":[\"sum\"]}",
        .annotations = "{\"readOnlyHint\":true,\"openWorldHint\":false}",
    },
    {
        /* What fields cannot say is written by hand. */
        .name = "set_clock",
        .description = "Chooses how times are shown.",
        .input_schema = "{\"type\":\"object\",\"properties\":{\"mode\":{\"enum\":[\"12h\",\"24h\"],"
                        "\"description\":\"hours of the day\"}},\"required\":[\"mode\"],"
                        "\"additionalProperties\":false}",
    },
};

static run_tool *const runs[] = {run_search, run_sum, run_clock};

/* -- search_files ----------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool contains(const char *text, struct cupel_string query, bool exactly)
{
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (i < query.len && text[i] != '\0' &&
               (exactly ? text[i] == query.bytes[i] : lower(text[i]) == lower(query.bytes[i])))
            i++;
        if (i == query.len)
            return true;
    }
    return false;
}

static enum cupel_status run_search(struct cupel_document *doc, uint32_t arguments,
                                    struct cupel_text *result)
{
    static const char *const files[] = {"README.md", "readme-first.txt", "src/main.c",
                                        "src/reader.c", "docs/reading.md"};
    struct search search;
    struct cupel_text found;
    enum cupel_status status = cupel_arguments_decode(search_arguments(), doc, arguments, &search);
    if (status != CUPEL_OK)
        return status;
    int64_t left = search.has_max_results ? search.max_results : 10;
    cupel_text_init(&found, NULL);
    cupel_text_add(&found, "", 0);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && left > 0; i++) {
        if (!contains(files[i], search.query, search.case_sensitive != 0))
            continue;
        cupel_text_addf(&found, "%s%s", found.len != 0 ? "\n" : "", files[i]);
        left--;
    }
    add_content(result, found.bytes, found.len);
    result->failed |= found.failed;
    cupel_text_free(&found);
    return CUPEL_OK;
}

/* -- add_up ----------------------------------------------------------------------------------- */

static enum cupel_status run_sum(struct cupel_document *doc, uint32_t arguments,
                                 struct cupel_text *result)
{
    struct sum sum;
    char text[64];
    double total = 0;
    enum cupel_status status = cupel_arguments_decode(sum_arguments(), doc, arguments, &sum);
    if (status != CUPEL_OK)
        return status;
    uint32_t node = cupel_json_first(doc, sum.values);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(doc, sum.values, node)) {
        double value;
        status = cupel_json_double(doc, node, &value);
        if (status != CUPEL_OK)
            return status;
        total += value;
    }
    if (sum.has_scale)
        total *= sum.scale;
    if (total - total != 0) /* infinite, which JSON cannot say */
        return CUPEL_E_LIMIT_NUMBER;
    int n = snprintf(text, sizeof(text), "{\"sum\":%.17g}", total);
    /* The text is a copy of the structured content, for clients that do not know that. */
    add_content(result, text, (size_t)n);
    cupel_text_addf(result, ",\"structuredContent\":%s", text);
    return CUPEL_OK;
}

/* -- set_clock -------------------------------------------------------------------------------- */

static enum cupel_status run_clock(struct cupel_document *doc, uint32_t arguments,
                                   struct cupel_text *result)
{
    uint32_t mode = cupel_json_member(doc, arguments, "mode", 4);
    const char *now = cupel_json_is(doc, mode, "12h") ? "6 pm" : "18:00";
    add_content(result, now, strlen(now));
    return CUPEL_OK;
}

int main(void)
{
    return serve(tools, runs, sizeof(tools) / sizeof(tools[0]));
}
