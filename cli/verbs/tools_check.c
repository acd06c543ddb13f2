/* tools_check.c: cupel tools check: a verdict for each tool of one or more catalogs. */
#include "cli/verbs/tools.h"

#include <stdlib.h>
#include <string.h>

/* What is counted over all catalogs. */
struct tally {
    struct cli_settings *settings;
    struct cupel_text out, initialize; /* the verdict on the file of --initialize */
    uint32_t verdicts[3], catalogs;
    uint64_t *bytes, *times; /* of the tools that have a program */
    size_t count, bytes_capacity, times_capacity;
};

static void count_tool(struct tally *tally, const struct cupel_tool *tool)
{
    tally->verdicts[tool->verdict]++;
    if (tool->input == NULL)
        return;
    tally->bytes = cli_grow(tally->bytes, &tally->bytes_capacity, tally->count + 1, 8);
    tally->times = cli_grow(tally->times, &tally->times_capacity, tally->count + 1, 8);
    tally->bytes[tally->count] = tool->image_bytes;
    tally->times[tally->count++] = tool->compile_ns;
}

/* -- For people ------------------------------------------------------------------------------- */

/* One line for a tool, and one for each of its problems, with its position in the file first. */
static void print_tool(struct cupel_text *out, const struct cli_file *file,
                       const struct cupel_tool *tool, struct cli_line_index *places)
{
    cupel_text_addf(out, "%-8s ", cupel_tool_verdict_name(tool->verdict));
    cli_add_name(out, tool->name, tool->name_len);
    cupel_text_adds(out, "\n");
    for (uint32_t i = 0; i < tool->problem_count; i++) {
        const struct cupel_rule_problem *problem = &tool->problems[i];
        char place[32] = "";
        /* Of several pages the texts are not kept, and the name is that of the first. */
        const bool named = file->text.len != 0;
        if (named && problem->offset != 0) {
            uint32_t line, column;
            cli_line_index_find(places, (size_t)problem->offset, &line, &column);
            snprintf(place, sizeof(place), ":%u:%u", (unsigned)line, (unsigned)column);
        }
        cli_add_line(out, "%s%s%s%s[%s]: %s%s%s: %s", named ? file->name : "", place,
                     named ? ": " : "", cupel_severity_name(problem->severity), problem->rule,
                     cupel_part_name(problem->part), problem->pointer[0] != '\0' ? " " : "",
                     problem->pointer, problem->message);
    }
}

static void print_human(struct tally *tally, const struct cli_file *file,
                        const struct cupel_catalog *catalog)
{
    struct cli_line_index places = {.text = &file->text};
    if (tally->settings->count > 1 && !tally->settings->pages)
        cli_add_line(&tally->out, "%s:", file->name);
    for (uint32_t i = 0; catalog != NULL && i < cupel_catalog_count(catalog); i++)
        print_tool(&tally->out, file, cupel_catalog_tool(catalog, i), &places);
    cli_line_index_free(&places);
}

static void print_human_end(struct tally *tally)
{
    const uint32_t *n = tally->verdicts;
    cupel_text_addf(&tally->out, "%u tools: %u ok, %u warning, %u invalid\n",
                    (unsigned)(n[0] + n[1] + n[2]), (unsigned)n[0], (unsigned)n[1], (unsigned)n[2]);
    if (!tally->settings->stats)
        return;
    cupel_text_addf(&tally->out, "image bytes: median %llu, 99th percentile %llu\n",
                    (unsigned long long)cli_percentile(tally->bytes, tally->count, 50),
                    (unsigned long long)cli_percentile(tally->bytes, tally->count, 99));
    cupel_text_addf(&tally->out, "compile ns:  median %llu, 99th percentile %llu\n",
                    (unsigned long long)cli_percentile(tally->times, tally->count, 50),
                    (unsigned long long)cli_percentile(tally->times, tally->count, 99));
}

/* -- For programs ----------------------------------------------------------------------------- */

/* One object for a tool: verdict, problems, and sizes and times with --stats. */
static void print_json_tool(struct cupel_text *out, const struct cupel_tool *tool)
{
    cupel_text_adds(out, "{\"name\":");
    cupel_text_add_json(out, tool->name, tool->name_len);
    cli_json_string(out, "verdict", cupel_tool_verdict_name(tool->verdict));
    cupel_text_adds(out, ",\"problems\":[");
    for (uint32_t i = 0; i < tool->problem_count; i++) {
        const struct cupel_rule_problem *problem = &tool->problems[i];
        cupel_text_addf(out, "%s{\"rule\":\"%s\"", i != 0 ? "," : "", problem->rule);
        cli_json_string(out, "severity", cupel_severity_name(problem->severity));
        cli_json_string(out, "part", cupel_part_name(problem->part));
        cli_json_string(out, "pointer", problem->pointer);
        cli_json_string(out, "message", problem->message);
        cli_json_number(out, "offset", problem->offset);
        if (problem->status != CUPEL_OK)
            cli_json_string(out, "status", cupel_status_name(problem->status));
        cupel_text_adds(out, "}");
    }
    cupel_text_adds(out, "]");
    cli_json_number(out, "image_bytes", tool->image_bytes);
    cli_json_number(out, "compile_ns", tool->compile_ns);
    cupel_text_adds(out, "}");
}

static void print_json(struct tally *tally, const struct cli_file *file,
                       const struct cupel_catalog *catalog)
{
    struct cupel_text *out = &tally->out;
    cupel_text_adds(out, tally->catalogs++ != 0 ? ",{\"file\":" : "{\"catalogs\":[{\"file\":");
    cupel_text_add_json(out, file->name, strlen(file->name));
    if (catalog == NULL)
        cli_json_string(out, "error", "the catalog cannot be read");
    cupel_text_adds(out, ",\"tools\":[");
    for (uint32_t i = 0; catalog != NULL && i < cupel_catalog_count(catalog); i++) {
        cupel_text_adds(out, i != 0 ? "," : "");
        print_json_tool(out, cupel_catalog_tool(catalog, i));
    }
    cupel_text_adds(out, "]}");
}

static void print_json_pair(struct cupel_text *out, const char *name, uint64_t *values,
                            size_t count)
{
    cupel_text_addf(out, "\"%s\":{\"median\":%llu,\"p99\":%llu}", name,
                    (unsigned long long)cli_percentile(values, count, 50),
                    (unsigned long long)cli_percentile(values, count, 99));
}

static void print_json_end(struct tally *tally)
{
    struct cupel_text *out = &tally->out;
    const uint32_t *n = tally->verdicts;
    cupel_text_adds(out, tally->catalogs != 0 ? "]" : "{\"catalogs\":[]");
    if (tally->settings->initialize != NULL) {
        cupel_text_adds(out, ",\"initialize\":");
        cupel_text_add(out, tally->initialize.bytes, tally->initialize.len);
    }
    cupel_text_addf(out, ",\"summary\":{\"tools\":%u,\"ok\":%u,\"warning\":%u,\"invalid\":%u}",
                    (unsigned)(n[0] + n[1] + n[2]), (unsigned)n[0], (unsigned)n[1], (unsigned)n[2]);
    if (tally->settings->stats) {
        cupel_text_adds(out, ",\"stats\":{");
        print_json_pair(out, "image_bytes", tally->bytes, tally->count);
        cupel_text_adds(out, ",");
        print_json_pair(out, "compile_ns", tally->times, tally->count);
        cupel_text_adds(out, "}");
    }
    cupel_text_adds(out, "}\n");
}

/* -- The verb --------------------------------------------------------------------------------- */

/* Prints and counts one catalog; NULL if it could not be read. */
static int check_catalog(struct tally *tally, const struct cli_file *file,
                         const struct cupel_catalog *catalog)
{
    uint32_t invalid = tally->verdicts[CUPEL_TOOL_INVALID];
    for (uint32_t i = 0; catalog != NULL && i < cupel_catalog_count(catalog); i++)
        count_tool(tally, cupel_catalog_tool(catalog, i));
    if (tally->settings->format == CLI_FORMAT_JSON)
        print_json(tally, file, catalog);
    else
        print_human(tally, file, catalog);
    cli_flush(&tally->out);
    return tally->verdicts[CUPEL_TOOL_INVALID] != invalid ? CLI_INVALID : CLI_VALID;
}

static int check_file(struct tally *tally, const char *path)
{
    struct cli_file file;
    struct cupel_catalog *catalog = NULL;
    int status = CLI_INPUT;
    if (cli_read(path, &file))
        status = cli_load_catalog(tally->settings, &file, &catalog);
    if (status == CLI_VALID) {
        cli_check_page(&file, cupel_catalog_last_page(catalog));
        cli_check_last_page(&file, cupel_catalog_last_page(catalog));
    }
    const struct cupel_catalog *read = status == CLI_VALID ? catalog : NULL;
    status = cli_worst(status, check_catalog(tally, &file, read));
    cupel_catalog_free(catalog);
    cli_file_free(&file);
    return status;
}

/* All files are pages of one list.  Their texts are not kept, so problems have no line. */
static int check_pages(struct tally *tally)
{
    const struct cli_settings *settings = tally->settings;
    struct cli_file none = {.name = settings->arguments[0]};
    struct cupel_catalog *catalog = NULL;
    int status = cli_load_catalogs(settings, settings->arguments, settings->count, &catalog);
    status = cli_worst(status, check_catalog(tally, &none, catalog));
    cupel_catalog_free(catalog);
    return status;
}

/* Checks each catalog, or all files as pages of one list with --pages.  The exit status is that of
 * the worst tool. */
int cli_run_tools_check(struct cli_settings *settings)
{
    struct tally tally = {.settings = settings};
    int worst = CLI_VALID;
    if (settings->count == 0 && settings->initialize == NULL)
        return cli_usage(CLI_VERB_TOOLS_CHECK);
    cupel_text_init(&tally.out, NULL);
    cupel_text_init(&tally.initialize, NULL);
    if (settings->initialize != NULL)
        worst = cli_check_initialize(settings, &tally.initialize);
    if (settings->format != CLI_FORMAT_JSON)
        cli_flush(&tally.initialize);
    if (settings->pages && settings->count != 0)
        worst = cli_worst(worst, check_pages(&tally));
    for (int i = 0; i < settings->count && !settings->pages; i++)
        worst = cli_worst(worst, check_file(&tally, settings->arguments[i]));
    if (settings->format == CLI_FORMAT_JSON)
        print_json_end(&tally);
    else
        print_human_end(&tally);
    cli_flush(&tally.out);
    cupel_text_free(&tally.out);
    cupel_text_free(&tally.initialize);
    free(tally.bytes);
    free(tally.times);
    return worst;
}
