/* output.c: prints results on the standard output and messages on the standard error. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* -- Streams ---------------------------------------------------------------------------------- */

/* Writes escaped bytes to a stream.  All output but workflow commands and images goes through here,
 * so that text of strangers can neither control a terminal nor be a command to a program that reads
 * the output. */
static void put(FILE *stream, const char *bytes, size_t len, uint32_t flags)
{
    struct cupel_text plain;
    cupel_text_init(&plain, NULL);
    cupel_text_add_escaped(&plain, bytes, len, SIZE_MAX, flags);
    if (plain.failed)
        fputs("cupel: out of memory: output is missing\n", stderr);
    else if (plain.len != 0)
        fwrite(plain.bytes, 1, plain.len, stream);
    cupel_text_free(&plain);
}

/* Appends formatted text, escaped.  Formats twice: once for the length. */
static void add_formatted(struct cupel_text *text, const char *format, va_list arguments)
{
    char *buffer = NULL;
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, arguments);
    if (n >= 0)
        buffer = malloc((size_t)n + 1);
    if (buffer != NULL) {
        vsnprintf(buffer, (size_t)n + 1, format, again);
        cupel_text_add_escaped(text, buffer, (size_t)n, SIZE_MAX, 0);
    }
    text->failed |= buffer == NULL;
    free(buffer);
    va_end(again);
}

void cli_add_line(struct cupel_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_formatted(text, format, arguments);
    va_end(arguments);
    cupel_text_adds(text, "\n");
}

void cli_add_verdict(struct cupel_text *text, const struct cli_origin *origin, const char *verdict,
                     const char *reason)
{
    char line[16] = "";
    if (origin->line != 0)
        snprintf(line, sizeof(line), ":%u", (unsigned)origin->line);
    if (reason[0] != '\0')
        cli_add_line(text, "%s%s: %s (%s)", origin->file, line, verdict, reason);
    else
        cli_add_line(text, "%s%s: %s", origin->file, line, verdict);
}

static void put_line(FILE *stream, const char *before, const char *format, va_list arguments)
{
    struct cupel_text line;
    cupel_text_init(&line, NULL);
    cupel_text_adds(&line, before);
    add_formatted(&line, format, arguments);
    cupel_text_adds(&line, "\n");
    if (!line.failed)
        put(stream, line.bytes, line.len, CUPEL_TEXT_LINES);
    cupel_text_free(&line);
}

void cli_print_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_line(stderr, "cupel: ", format, arguments);
    va_end(arguments);
}

void cli_line(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_line(stream, "", format, arguments);
    va_end(arguments);
}

int cli_usage(enum cli_verb_id id)
{
    const struct cli_verb *verb = &cli_verbs[id];
    cli_print_error("usage: cupel %s [OPTION…] %s", verb->name, verb->arguments);
    return CLI_USAGE;
}

void cli_flush_to(FILE *stream, struct cupel_text *text)
{
    if (text->failed)
        cli_print_error("out of memory: output is missing");
    else if (text->len != 0)
        put(stream, text->bytes, text->len, CUPEL_TEXT_LINES);
    cupel_text_clear(text);
}

void cli_flush(struct cupel_text *text)
{
    cli_flush_to(stdout, text);
}

/* -- Colours ---------------------------------------------------------------------------------- */

bool cli_wants_color(enum cli_color color)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (color != CLI_COLOR_AUTO)
        return color == CLI_COLOR_ALWAYS;
    return isatty(STDOUT_FILENO) && (no == NULL || *no == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

#define BOLD   "\033[1m"
#define RED    "\033[1;31m"
#define YELLOW "\033[1;33m"
#define CYAN   "\033[1;36m"
#define PLAIN  "\033[0m"

/* Writes a part of a line in a colour. */
static void put_part(const char *color, const char *bytes, size_t len)
{
    if (len == 0)
        return;
    fputs(color, stdout);
    put(stdout, bytes, len, CUPEL_TEXT_LINES);
    fputs(*color != '\0' ? PLAIN : "", stdout);
}

/* The length of what precedes `mark`, or SIZE_MAX. */
static size_t find(const char *line, size_t len, const char *mark)
{
    size_t n = strlen(mark);
    for (size_t i = 0; i + n <= len; i++)
        if (memcmp(line + i, mark, n) == 0)
            return i;
    return SIZE_MAX;
}

/* "FILE:LINE:COLUMN: error[ID]: message".  False if the line is another. */
static bool put_headline(const char *line, size_t len, const char *mark, const char *color)
{
    size_t level = find(line, len, mark);
    size_t end = level != SIZE_MAX ? find(line + level, len - level, "]: ") : SIZE_MAX;
    if (end == SIZE_MAX)
        return false;
    level += 2; /* ": " */
    end += level - 2 + 1;
    put_part(BOLD, line, level);
    put_part(color, line + level, end - level);
    put_part(BOLD, line + end, len - end);
    return true;
}

/* A line of carets: "    | ^^^ at /a". */
static bool put_carets(const char *line, size_t len)
{
    size_t start = strspn(line, " "), end;
    if (start == 0 || start >= len || line[start] != '|')
        return false;
    start += 1 + strspn(line + start + 1, " ");
    end = start + strspn(line + start, "^");
    if (end == start || end > len)
        return false;
    put_part("", line, start);
    put_part(RED, line + start, end - start);
    put_part("", line + end, len - end);
    return true;
}

static void put_colored(const char *line, size_t len)
{
    static const char help[] = "  help:";
    if (put_carets(line, len) || put_headline(line, len, ": error[", RED) ||
        put_headline(line, len, ": warning[", YELLOW))
        return;
    size_t n = strncmp(line, help, sizeof(help) - 1) == 0 ? sizeof(help) - 1 : 0;
    put_part(CYAN, line, n);
    put_part("", line + n, len - n);
}

void cli_flush_colored(struct cupel_text *text)
{
    if (text->failed)
        cli_print_error("out of memory: output is missing");
    for (size_t at = 0; !text->failed && at < text->len;) {
        const char *end = memchr(text->bytes + at, '\n', text->len - at);
        size_t next = end != NULL ? (size_t)(end - text->bytes) : text->len;
        put_colored(text->bytes + at, next - at);
        fputs(end != NULL ? "\n" : "", stdout);
        at = next + 1;
    }
    cupel_text_clear(text);
}

void cli_flush_commands(struct cupel_text *text)
{
    if (text->failed)
        cli_print_error("out of memory: output is missing");
    else if (text->len != 0)
        fwrite(text->bytes, 1, text->len, stdout);
    cupel_text_clear(text);
}

bool cli_is_read_status(enum cupel_status status)
{
    return status <= CUPEL_E_SYNTAX && status >= CUPEL_E_NUMBER_SIZE;
}

/* A limit of the reader leaves a document undecided; any other reason makes it an input that is not
 * JSON. */
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
    const char *at = err->where[0] != '\0' ? " at " : "";
    const char *status = cupel_status_name(err->status);
    if (err->line != 0)
        cli_line(stderr, "%s:%u:%u: error[%s]%s%s: %s", file, (unsigned)err->line,
                 (unsigned)err->column, status, at, err->where, detail);
    else
        cli_line(stderr, "%s: error[%s]%s%s: %s", file, status, at, err->where, detail);
    return err->status == CUPEL_E_INTERNAL ? CLI_INTERNAL : CLI_SCHEMA;
}

void cli_document_error(const struct cli_origin *origin, const struct cupel_error *err)
{
    uint32_t line = err->line + (origin->line != 0 ? origin->line - 1 : 0);
    cli_line(stderr, "%s:%u:%u: error[%s]: %s", origin->file, (unsigned)line, (unsigned)err->column,
             cupel_status_name(err->status), err->detail);
}

/* A plain name has printable ASCII characters without blanks and quotes. */
void cli_add_name(struct cupel_text *text, const char *name, size_t len)
{
    bool plain = len != 0;
    for (size_t i = 0; i < len; i++)
        plain = plain && name[i] > ' ' && name[i] < 0x7f && name[i] != '"';
    if (plain)
        cupel_text_add_escaped(text, name, len, SIZE_MAX, 0);
    else
        cupel_text_add_json(text, name, len);
}

void cli_json_string(struct cupel_text *text, const char *name, const char *value)
{
    size_t len = 0;
    while (value[len] != '\0')
        len++;
    cupel_text_addf(text, ",\"%s\":", name);
    cupel_text_add_json(text, value, len);
}

void cli_json_number(struct cupel_text *text, const char *name, uint64_t value)
{
    cupel_text_addf(text, ",\"%s\":%llu", name, (unsigned long long)value);
}

/* Appends all members of struct cupel_problem but the node. */
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
