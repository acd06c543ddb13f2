/* known.c: the list of known failures: lines `path-suffix | group | test | reason`. */
#include "cli/suite/suite.h"

#include <stdlib.h>
#include <string.h>

/* Cuts the next field off at " | ", or NULL if there is none. */
static char *cut(char **rest)
{
    char *field = *rest;
    char *bar = field != NULL ? strstr(field, " | ") : NULL;
    *rest = bar != NULL ? bar + 3 : NULL;
    if (bar != NULL)
        *bar = '\0';
    return field;
}

/* Adds one line of the list; lines that begin with `#` are comments.  False if it lacks a part. */
static bool add_line(struct suite_list *list, const char *line, size_t len, uint32_t number)
{
    if (line[0] == '#')
        return true;
    char *copy = cli_copy(line, len - (line[len - 1] == '\r'));
    char *rest = copy;
    char *path = cut(&rest), *group = cut(&rest), *test = cut(&rest);
    if (group == NULL || test == NULL || rest == NULL || *rest == '\0') {
        free(copy);
        return false;
    }
    list->entries =
        cli_grow(list->entries, &list->capacity, list->count + 1, sizeof(*list->entries));
    list->entries[list->count++] = (struct suite_known){path, group, test, number, 0, 0};
    return true;
}

bool suite_list_read(struct suite_list *list, const char *path)
{
    struct cli_file file;
    bool ok = cli_read(path, &file);
    struct cli_lines lines = {.text = file.text.bytes, .len = ok ? file.text.len : 0};
    const char *line;
    size_t len;
    while (ok && cli_next_line(&lines, &line, &len)) {
        ok = add_line(list, line, len, lines.number);
        if (!ok)
            cli_print_error("%s:%u: not PATH-SUFFIX | GROUP | TEST | REASON", path,
                            (unsigned)lines.number);
    }
    cli_file_free(&file);
    return ok;
}

void suite_list_free(struct suite_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].path);
    free(list->entries);
}

/* `*` matches everything. */
static bool matches(const char *pattern, const char *text)
{
    return strcmp(pattern, "*") == 0 || strcmp(pattern, text) == 0;
}

struct suite_known *suite_list_find(struct suite_list *list, const char *path, const char *group,
                                    const char *test)
{
    for (size_t i = 0; i < list->count; i++) {
        struct suite_known *known = &list->entries[i];
        if (cli_has_suffix(path, known->path) && matches(known->group, group) &&
            matches(known->test, test))
            return known;
    }
    return NULL;
}
