/* input.c: reads files and their lines, and finds positions in them.  The library opens no file;
 * all input of the command comes through here. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bounds memory for an endless stream. */
#define MAX_BYTES ((size_t)1 << 30)

/* Appends a stream to file->text, followed by padding that `len` does not count.  False after an
 * error message. */
static bool read_stream(FILE *stream, size_t most, struct cli_file *file)
{
    static const char padding[CLI_PADDING] = {0};
    char chunk[16384];
    size_t n;
    while ((n = fread(chunk, 1, sizeof(chunk), stream)) != 0) {
        if (n > most - file->text.len) {
            cli_print_error("%s: larger than %zu bytes", file->name, most);
            return false;
        }
        cupel_text_add(&file->text, chunk, n);
    }
    if (ferror(stream)) {
        cli_print_error("%s: %s", file->name, strerror(errno));
        return false;
    }
    cupel_text_add(&file->text, padding, sizeof(padding));
    if (file->text.failed) {
        cli_print_error("%s: out of memory", file->name);
        return false;
    }
    file->text.len -= sizeof(padding);
    return true;
}

bool cli_read(const char *path, struct cli_file *ret)
{
    bool standard = strcmp(path, "-") == 0;
    ret->name = standard ? "<stdin>" : path;
    cupel_text_init(&ret->text, NULL);
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (stream == NULL) {
        cli_print_error("%s: %s", path, strerror(errno));
        return false;
    }
    bool ok = read_stream(stream, MAX_BYTES, ret);
    if (!standard)
        fclose(stream);
    return ok;
}

bool cli_read_fd(int fd, const char *name, size_t most, struct cli_file *ret)
{
    FILE *stream = fdopen(fd, "rb");
    ret->name = name;
    cupel_text_init(&ret->text, NULL);
    if (stream == NULL) {
        close(fd);
        return false;
    }
    bool ok = read_stream(stream, most, ret);
    fclose(stream);
    return ok;
}

void cli_file_free(struct cli_file *file)
{
    cupel_text_free(&file->text);
}

/* A line is blank if it has spaces, tabs and carriage returns only. */
bool cli_next_line(struct cli_lines *lines, const char **ret_line, size_t *ret_len)
{
    while (lines->at < lines->len) {
        const char *start = lines->text + lines->at;
        const char *end = memchr(start, '\n', lines->len - lines->at);
        size_t len = end != NULL ? (size_t)(end - start) : lines->len - lines->at;
        lines->at += len + 1;
        lines->number++;
        size_t blank = 0;
        while (blank < len && strchr(" \t\r", start[blank]) != NULL && start[blank] != '\0')
            blank++;
        if (blank == len)
            continue;
        *ret_line = start;
        *ret_len = len;
        return true;
    }
    return false;
}

bool cli_has_suffix(const char *path, const char *suffix)
{
    size_t len = strlen(path), n = strlen(suffix);
    return len >= n && memcmp(path + len - n, suffix, n) == 0;
}

static _Noreturn void end_without_memory(void)
{
    cli_print_error("out of memory");
    exit(CLI_INTERNAL);
}

/* Grows by half, so that appending one by one stays linear. */
void *cli_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return array;
    size_t grown = need + *capacity / 2 + 8;
    void *result = grown <= SIZE_MAX / size ? realloc(array, grown * size) : NULL;
    if (result == NULL)
        end_without_memory();
    *capacity = grown;
    return result;
}

char *cli_copy(const char *text, size_t len)
{
    size_t capacity = 0;
    if (len == SIZE_MAX)
        end_without_memory();
    char *copy = cli_grow(NULL, &capacity, len + 1, 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

/* Lines keep their numbers: blank ones count. */
static int each_line(struct cli_file *file, cli_on_document *on_document, void *ctx)
{
    struct cli_lines lines = {.text = file->text.bytes, .len = file->text.len};
    struct cli_origin origin = {file->name, 0};
    int worst = CLI_VALID;
    const char *line;
    size_t len;
    while (cli_next_line(&lines, &line, &len)) {
        origin.line = lines.number;
        worst = cli_worst(worst, on_document(ctx, &origin, line, len));
    }
    return worst;
}

int cli_each_line(const char *path, cli_on_document *on_line, void *ctx)
{
    struct cli_file file;
    int worst = cli_read(path, &file) ? each_line(&file, on_line, ctx) : CLI_INPUT;
    cli_file_free(&file);
    return worst;
}

int cli_each_document(const struct cli_settings *settings, const char *path,
                      cli_on_document *on_document, void *ctx)
{
    struct cli_file file;
    bool ok = cli_read(path, &file);
    struct cli_origin origin = {file.name, 0};
    int worst = CLI_VALID;
    if (!ok) {
        worst = on_document(ctx, &origin, NULL, 0);
    } else if (settings->lines || cli_has_suffix(path, ".jsonl") ||
               cli_has_suffix(path, ".ndjson")) {
        worst = each_line(&file, on_document, ctx);
    } else {
        worst = on_document(ctx, &origin, file.text.bytes, file.text.len);
    }
    cli_file_free(&file);
    return worst;
}

/* -- Positions ------------------------------------------------------------------------------- */

/* A look-up goes over at most MARK_BYTES bytes, so many problems in a long file stay linear. */
enum { MARK_BYTES = 256 };

struct cli_mark {
    uint32_t line, column;
};

/* Moves a position over the bytes from one offset to another. */
static struct cli_mark advance(const struct cupel_text *text, struct cli_mark at, size_t from,
                               size_t to)
{
    for (; from < to && from < text->len; from++) {
        unsigned char c = (unsigned char)text->bytes[from];
        at.column = c == '\n' ? 1 : at.column + ((c & 0xc0) != 0x80);
        at.line += c == '\n';
    }
    return at;
}

/* Records the position of every MARK_BYTES-th byte, in one pass. */
static void make_marks(struct cli_line_index *index)
{
    struct cli_mark at = {1, 1};
    size_t need = index->text->len / MARK_BYTES + 1;
    index->marks = cli_grow(NULL, &index->capacity, need, sizeof(at));
    for (; index->count < need; index->count++) {
        size_t from = index->count * MARK_BYTES;
        index->marks[index->count] = at;
        at = advance(index->text, at, from, from + MARK_BYTES);
    }
}

void cli_line_index_find(struct cli_line_index *index, size_t offset, uint32_t *ret_line,
                         uint32_t *ret_column)
{
    if (index->marks == NULL)
        make_marks(index);
    size_t i = offset / MARK_BYTES < index->count ? offset / MARK_BYTES : index->count - 1;
    struct cli_mark at = advance(index->text, index->marks[i], i * MARK_BYTES, offset);
    *ret_line = at.line;
    *ret_column = at.column;
}

void cli_line_index_free(struct cli_line_index *index)
{
    free(index->marks);
    index->marks = NULL;
}
