/* files.c: finds the files of a test suite, its remotes, and dialects and options by their names.
 */
#include "cli/suite/suite.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Folders nested deeper are skipped: a symbolic link may lead back up. */
enum { MAX_DEPTH = 32 };

struct names {
    char **names;
    size_t count, capacity;
};

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists a folder sorted by name, without hidden files.  False after an error message. */
static bool list_folder(const char *path, struct names *names)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    if (folder == NULL) {
        cli_print_error("%s: %s", path, strerror(errno));
        return false;
    }
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        names->names = cli_grow(names->names, &names->capacity, names->count + 1, sizeof(char *));
        names->names[names->count++] = cli_copy(entry->d_name, strlen(entry->d_name));
    }
    closedir(folder);
    if (names->count != 0)
        qsort(names->names, names->count, sizeof(char *), compare);
    return true;
}

static char *join(const char *folder, const char *name)
{
    size_t capacity = 0, len = strlen(folder), size = len + strlen(name) + 2;
    char *path = cli_grow(NULL, &capacity, size, 1);
    bool slash = len != 0 && folder[len - 1] == '/';
    snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
    return path;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Recurses into folders, at most MAX_DEPTH deep. */
static bool visit(const char *path, bool optional, int depth,
                  void (*on_file)(void *ctx, const char *path), void *ctx)
{
    struct names names = {0};
    bool ok = depth < MAX_DEPTH && list_folder(path, &names);
    for (size_t i = 0; i < names.count; i++) {
        char *child = join(path, names.names[i]);
        if (is_folder(child))
            ok = ((!optional && strcmp(names.names[i], "optional") == 0) ||
                  visit(child, optional, depth + 1, on_file, ctx)) &&
                 ok;
        else if (cli_has_suffix(child, ".json"))
            on_file(ctx, child);
        free(child);
        free(names.names[i]);
    }
    free(names.names);
    return ok;
}

bool suite_each_file(const char *path, bool optional, void (*on_file)(void *ctx, const char *path),
                     void *ctx)
{
    if (is_folder(path))
        return visit(path, optional, 0, on_file, ctx);
    on_file(ctx, path);
    return true;
}

/* Goes up the full path until a folder `tests` is left behind, and looks for `remotes` beside it.
 */
char *suite_find_remotes(const char *path)
{
    char *full = realpath(path, NULL);
    char *found = NULL;
    while (full != NULL && found == NULL) {
        char *slash = strrchr(full, '/');
        if (slash == NULL)
            break;
        bool tests = strcmp(slash, "/tests") == 0;
        *slash = '\0';
        if (!tests)
            continue;
        found = join(full, "remotes");
        if (!is_folder(found)) {
            free(found);
            found = NULL;
        }
    }
    free(full);
    return found;
}

const struct suite_dialect suite_dialects[SUITE_DIALECTS] = {
    {"draft4", CUPEL_DRAFT_4},       {"draft6", CUPEL_DRAFT_6},       {"draft7", CUPEL_DRAFT_7},
    {"draft2019-09", CUPEL_2019_09}, {"draft2020-12", CUPEL_2020_12}, {"v1", CUPEL_V1},
};

/* Calls `on_part` for each name in the full path of a file. */
static void each_part(const char *path, void (*on_part)(void *ctx, const char *part, size_t len),
                      void *ctx)
{
    char *full = realpath(path, NULL);
    for (const char *at = full; at != NULL; at = strchr(at + 1, '/')) {
        const char *part = at + (*at == '/');
        on_part(ctx, part, strcspn(part, "/"));
    }
    free(full);
}

static bool is(const char *part, size_t len, const char *name)
{
    return strlen(name) == len && memcmp(part, name, len) == 0;
}

static void note_dialect(void *ctx, const char *part, size_t len)
{
    for (int i = 0; i < SUITE_DIALECTS; i++)
        if (is(part, len, suite_dialects[i].name))
            *(enum cupel_dialect *)ctx = suite_dialects[i].dialect;
}

enum cupel_dialect suite_dialect(const char *path)
{
    enum cupel_dialect dialect = CUPEL_DIALECT_DEFAULT;
    each_part(path, note_dialect, &dialect);
    return dialect;
}

/* The options that a name in the path of a file implies. */
static const struct {
    const char *name;
    uint32_t flags;
} path_flags[] = {
    {"format", CUPEL_ASSERT_FORMAT},
    {"ecmascript-regex.json",
     CUPEL_ASSERT_FORMAT}, /* has one `format` in older copies of the suite */
    {"content.json", CUPEL_ASSERT_CONTENT},
    {"format-annotation.json", CUPEL_FORMAT_ANNOTATES},
    {"optional", CUPEL_UNKNOWN_KEYWORDS},
};

static void note_flags(void *ctx, const char *part, size_t len)
{
    for (size_t i = 0; i < sizeof(path_flags) / sizeof(path_flags[0]); i++)
        if (is(part, len, path_flags[i].name))
            *(uint32_t *)ctx |= path_flags[i].flags;
}

uint32_t suite_flags(const char *path)
{
    uint32_t flags = CUPEL_EXPERIMENTAL;
    each_part(path, note_flags, &flags);
    return flags;
}
