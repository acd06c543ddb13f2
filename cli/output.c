/* output.c: results on the standard output, talk on the standard error. */
#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void cli_say(const char *format, ...)
{
    va_list arguments;
    fputs("cupel: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

int cli_usage(enum cli_verb_id id)
{
    const struct cli_verb *verb = &cli_verbs[id];
    cli_say("usage: cupel %s [OPTION…] %s", verb->name, verb->arguments);
    return CLI_USAGE;
}

void cli_flush(struct cupel_text *text)
{
    if (text->failed)
        cli_say("out of memory: output is missing");
    else if (text->len != 0)
        fwrite(text->bytes, 1, text->len, stdout);
    cupel_text_clear(text);
}

bool cli_is_read_status(enum cupel_status status)
{
    return status <= CUPEL_E_SYNTAX && status >= CUPEL_E_NUMBER_SIZE;
}

int cli_read_exit(enum cupel_status status)
{
    switch (status) {
    case CUPEL_E_JSON_DEPTH:
    case CUPEL_E_JSON_SIZE:
    case CUPEL_E_NUMBER_SIZE:
    case CUPEL_E_NO_MEMORY:
        return CLI_UNDECIDED;
    case CUPEL_E_INTERNAL:
        return CLI_INTERNAL;
    default:
        return CLI_INPUT;
    }
}

int cli_schema_error(const char *file, const struct cupel_error *err)
{
    const char *detail = err->detail[0] != '\0' ? err->detail : cupel_status_message(err->status);
    fprintf(stderr, "%s:", file);
    if (err->line != 0)
        fprintf(stderr, "%u:%u:", (unsigned)err->line, (unsigned)err->column);
    fprintf(stderr, " error[%s]", cupel_status_name(err->status));
    if (err->where[0] != '\0')
        fprintf(stderr, " at %s", err->where);
    fprintf(stderr, ": %s\n", detail);
    if (err->status == CUPEL_E_INTERNAL)
        return CLI_INTERNAL;
    return CLI_SCHEMA;
}

void cli_place_error(const struct cli_place *place, const struct cupel_error *err)
{
    uint32_t line = err->line + (place->line != 0 ? place->line - 1 : 0);
    fprintf(stderr, "%s:%u:%u: error[%s]: %s\n", place->file, (unsigned)line,
            (unsigned)err->column, cupel_status_name(err->status), err->detail);
}

void cli_json_string(struct cupel_text *text, const char *name, const char *value)
{
    size_t len = 0;
    while (value[len] != '\0')
        len++;
    cupel_text_addf(text, ",\"%s\":", name);
    cupel_text_json(text, value, len);
}

void cli_json_number(struct cupel_text *text, const char *name, uint64_t value)
{
    cupel_text_addf(text, ",\"%s\":%llu", name, (unsigned long long)value);
}

void cli_json_problem(struct cupel_text *text, const struct cupel_problem *problem, uint32_t line,
                      uint32_t column)
{
    cupel_text_addf(text, "{\"offset\":%llu", (unsigned long long)problem->offset);
    if (line != 0) {
        cli_json_number(text, "line", line);
        cli_json_number(text, "column", column);
    }
    cli_json_string(text, "instance", problem->instance);
    cli_json_string(text, "keyword", problem->keyword);
    cli_json_string(text, "schema", problem->schema);
    cli_json_string(text, "message", problem->message);
    cupel_text_adds(text, "}");
}

uint64_t cli_clock(void *ctx)
{
    struct timespec t;
    (void)ctx;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint64_t cli_percentile(uint64_t *values, size_t count, unsigned percent)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof(*values), compare);
    return values[(count - 1) * percent / 100];
}
