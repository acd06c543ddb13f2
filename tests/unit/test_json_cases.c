/* test_json_cases.c: texts in files, which the reader must accept or refuse.
 *
 *   test_json_cases FOLDER
 *
 * FOLDER/accept/ and FOLDER/reject/ hold the texts, one idea each; each must come to the same with
 * every scanner.  FOLDER/reject/EXPECT has a line for each file there: its name, the status, and
 * the pointer that the error names, "-" for the root. */
#include "json_check.h"
#include "test.h"
#include <dirent.h>

static char *read_file(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    enum { MOST = 1 << 20 };
    char *data = malloc(MOST);
    if (data != NULL)
        *ret_size = fread(data, 1, MOST, file);
    fclose(file);
    return data;
}

/* Limits small enough for a file to reach. */
static struct cupel__read_options case_options(void)
{
    return (struct cupel__read_options){0, 16, 64, 1 << 20, 0};
}

static bool agree(const char *path, const char *text, size_t n)
{
    for (unsigned shift = 0; shift < 64; shift += 7) {
        enum cupel_status status;
        const char *wrong = check_read(text, n, shift, case_options(), &status);
        if (!CHECK(wrong == NULL)) {
            fprintf(stderr, "    %s: %s\n", path, wrong);
            return false;
        }
    }
    return true;
}

/* Reads a file; its error's status, with the pointer in `where`. */
static enum cupel_status run_file(const char *path, char *where, size_t size)
{
    size_t n = 0;
    char *text = read_file(path, &n);
    if (!CHECK(text != NULL)) {
        fprintf(stderr, "    %s\n", path);
        return CUPEL_E_INTERNAL;
    }
    agree(path, text, n);
    struct cupel__doc doc;
    struct cupel_error err = {0};
    struct cupel__read_options options = case_options();
    cupel__doc_init(&doc, NULL);
    enum cupel_status status = cupel__json_read(&doc, text, n, &options, &err);
    snprintf(where, size, "%s", err.where[0] != '\0' ? err.where : "-");
    cupel__doc_free(&doc);
    free(text);
    return status;
}

static bool is_case(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

/* Every file of a folder must be accepted.  Returns how many. */
static unsigned run_accept(const char *folder)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    if (!CHECK(dir != NULL))
        return 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[5000], where[300];
        if (!is_case(entry->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count++;
        if (!CHECK(run_file(path, where, sizeof where) == CUPEL_OK))
            fprintf(stderr, "    %s\n", path);
    }
    closedir(dir);
    return count;
}

static unsigned count_cases(const char *folder)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += is_case(entry->d_name);
    closedir(dir);
    return count;
}

static unsigned run_reject(const char *folder)
{
    unsigned count = 0;
    char path[5000], name[256], status[64], pointer[256], where[300];
    snprintf(path, sizeof path, "%s/EXPECT", folder);
    FILE *list = fopen(path, "r");
    if (!CHECK(list != NULL))
        return 0;
    while (fscanf(list, "%255s %63s %255s", name, status, pointer) == 3) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        count++;
        enum cupel_status got = run_file(path, where, sizeof where);
        bool ok = CHECK_STR(cupel_status_name(got), status);
        if (!(CHECK_STR(where, pointer) && ok))
            fprintf(stderr, "    %s\n", path);
    }
    fclose(list);
    return count;
}

int main(int argc, char **argv)
{
    char folder[4096];
    if (argc != 2) {
        fprintf(stderr, "usage: test_json_cases FOLDER\n");
        return 2;
    }
    snprintf(folder, sizeof folder, "%s/accept", argv[1]);
    CHECK(run_accept(folder) > 0);
    snprintf(folder, sizeof folder, "%s/reject", argv[1]);
    CHECK_INT(run_reject(folder), count_cases(folder));
    return test_end();
}
