/* check_reference.c: holds the reference evaluator to the required tests of the official suite.
 *
 * usage: check_reference SUITE METASCHEMAS
 *
 * SUITE has tests/DRAFT and remotes, METASCHEMAS is compiler/metaschemas.  What the suite calls
 * optional is left out. */
#include "reference.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DOCUMENTS = 256 };

/* A document that schemas refer to, kept to the end. */
struct remote {
    char uri[256];
    char *text;
    size_t len;
};

struct run {
    const char *suite;
    struct remote remotes[MOST_DOCUMENTS];
    size_t count;
    struct cupel_document *doc;
    enum cupel_dialect dialect;
    const char *file;
    unsigned long passed, failed;
};

/* -- Files ------------------------------------------------------------------------------------ */

static char *read_file(const char *path, size_t *ret_len)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    if (f == NULL)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long size = ftell(f);
        rewind(f);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (text != NULL)
            *ret_len = fread(text, 1, (size_t)size, f);
    }
    fclose(f);
    return text;
}

static bool has_suffix(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static void add_remote(struct run *run, const char *uri, size_t uri_len, char *text, size_t len)
{
    if (run->count == MOST_DOCUMENTS || uri_len >= sizeof(run->remotes[0].uri)) {
        free(text);
        return;
    }
    struct remote *r = &run->remotes[run->count++];
    memcpy(r->uri, uri, uri_len);
    r->uri[uri_len] = '\0';
    r->text = text;
    r->len = len;
}

/* Adds a meta-schema under its own URI. */
static void add_metaschema(struct run *run, const char *path)
{
    size_t len = 0, uri_len = 0;
    char *text = read_file(path, &len);
    if (text == NULL || cupel_document_read(run->doc, text, len, NULL) != CUPEL_OK) {
        free(text);
        return;
    }
    uint32_t id = cupel_json_member(run->doc, 0, "$id", 3);
    if (id == CUPEL_NO_NODE)
        id = cupel_json_member(run->doc, 0, "id", 2);
    const char *uri = id != CUPEL_NO_NODE ? cupel_json_string(run->doc, id, &uri_len) : "";
    uri_len -= uri_len > 0 && uri[uri_len - 1] == '#';
    add_remote(run, uri, uri_len, text, len);
}

static struct remote *find_remote(struct run *run, const char *uri, size_t len)
{
    static const char base[] = "http://localhost:1234/";
    size_t n = sizeof(base) - 1;
    char path[1024];
    for (size_t i = 0; i < run->count; i++)
        if (strlen(run->remotes[i].uri) == len && memcmp(run->remotes[i].uri, uri, len) == 0)
            return &run->remotes[i];
    if (len <= n || memcmp(uri, base, n) != 0)
        return NULL;
    snprintf(path, sizeof(path), "%s/remotes/%.*s", run->suite, (int)(len - n), uri + n);
    size_t count = run->count, size = 0;
    char *text = read_file(path, &size);
    if (text != NULL)
        add_remote(run, uri, len, text, size);
    return run->count > count ? &run->remotes[count] : NULL;
}

static int resolve(void *ctx, const char *uri, size_t len, const char **ret_text, size_t *ret_len)
{
    const struct remote *r = find_remote(ctx, uri, len);
    if (r == NULL)
        return -1;
    *ret_text = r->text;
    *ret_len = r->len;
    return 0;
}

/* -- Tests ------------------------------------------------------------------------------------ */

static const char *description(struct run *run, uint32_t object, int *ret_len)
{
    size_t len = 0;
    uint32_t node = cupel_json_member(run->doc, object, "description", 11);
    const char *text = node != CUPEL_NO_NODE ? cupel_json_string(run->doc, node, &len) : "?";
    *ret_len = (int)len;
    return text;
}

static void run_test(struct run *run, struct reference *ref, uint32_t group, uint32_t test)
{
    static const char *const words[] = {"valid", "invalid", "unknown", "broken"};
    const char *why = "dialect";
    uint32_t data = cupel_json_member(run->doc, test, "data", 4);
    uint32_t valid = cupel_json_member(run->doc, test, "valid", 5);
    enum reference_verdict got = REFERENCE_UNKNOWN;
    if (ref != NULL && data != CUPEL_NO_NODE)
        got = reference_judge(ref, run->doc, data, &why);
    int want = valid != CUPEL_NO_NODE ? cupel_json_boolean(run->doc, valid) : -1;
    if ((got == REFERENCE_VALID && want == 1) || (got == REFERENCE_INVALID && want == 0)) {
        run->passed++;
        return;
    }
    int group_len, test_len;
    const char *group_text = description(run, group, &group_len);
    const char *test_text = description(run, test, &test_len);
    run->failed++;
    printf("%s | %.*s | %.*s | got %s%s%s\n", run->file, group_len, group_text, test_len, test_text,
           words[got], got >= REFERENCE_UNKNOWN ? ": " : "", got >= REFERENCE_UNKNOWN ? why : "");
}

static void run_group(struct run *run, uint32_t group)
{
    uint32_t schema = cupel_json_member(run->doc, group, "schema", 6);
    uint32_t tests = cupel_json_member(run->doc, group, "tests", 5);
    if (schema == CUPEL_NO_NODE || tests == CUPEL_NO_NODE)
        return;
    struct reference *ref = reference_new(run->doc, schema, run->dialect, resolve, run);
    uint32_t test = cupel_json_first(run->doc, tests);
    for (; test != CUPEL_NO_NODE; test = cupel_json_next(run->doc, tests, test))
        run_test(run, ref, group, test);
    reference_free(ref);
}

static void run_file(struct run *run, const char *path)
{
    size_t len = 0;
    char *text = read_file(path, &len);
    run->file = path;
    if (text == NULL || cupel_document_read(run->doc, text, len, NULL) != CUPEL_OK) {
        printf("%s: cannot be read\n", path);
        run->failed++;
    } else {
        uint32_t group = cupel_json_first(run->doc, 0);
        for (; group != CUPEL_NO_NODE; group = cupel_json_next(run->doc, 0, group))
            run_group(run, group);
    }
    free(text);
}

/* Every .json file of a folder, but not of folders in it. */
static void for_each_file(struct run *run, const char *folder,
                          void (*use)(struct run *run, const char *path))
{
    char path[1024];
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (has_suffix(path, ".json"))
            use(run, path);
    }
    if (dir != NULL)
        closedir(dir);
}

static void run_drafts(struct run *run)
{
    static const struct {
        const char *folder;
        enum cupel_dialect dialect;
    } drafts[] = {{"draft4", CUPEL_DRAFT_4},
                  {"draft6", CUPEL_DRAFT_6},
                  {"draft7", CUPEL_DRAFT_7},
                  {"draft2019-09", CUPEL_2019_09},
                  {"draft2020-12", CUPEL_2020_12},
                  {"v1", CUPEL_V1},
                  {"v1/proposals/propertyDependencies", CUPEL_V1}};
    for (size_t i = 0; i < sizeof(drafts) / sizeof(drafts[0]); i++) {
        char folder[1024];
        snprintf(folder, sizeof(folder), "%s/tests/%s", run->suite, drafts[i].folder);
        run->dialect = drafts[i].dialect;
        for_each_file(run, folder, run_file);
    }
}

int main(int argc, char **argv)
{
    struct run *run = argc == 3 ? calloc(1, sizeof(*run)) : NULL;
    struct cupel_options options;
    if (run == NULL) {
        fprintf(stderr, "usage: check_reference SUITE METASCHEMAS\n");
        return 2;
    }
    run->suite = argv[1];
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = (size_t)1 << 24;
    if (cupel_document_new(&options, &run->doc) == CUPEL_OK) {
        for_each_file(run, argv[2], add_metaschema);
        run_drafts(run);
    }
    bool ok = run->failed == 0 && run->passed != 0;
    printf("%lu passed, %lu failed\n", run->passed, run->failed);
    cupel_document_free(run->doc);
    for (size_t i = 0; i < run->count; i++)
        free(run->remotes[i].text);
    free(run);
    return !ok;
}
