/* suite_groups.h: the groups of files written in the official suite's format: a schema, its
 * instances. */
#ifndef CUPEL_TESTS_SUITE_GROUPS_H
#define CUPEL_TESTS_SUITE_GROUPS_H

#include "test.h"
#include <cupel/cupel.h>

struct suite_group {
    const char *path;
    struct cupel_document *doc;
    uint32_t schema, tests; /* nodes */
};

static inline char *suite_read_file(const char *path, size_t *ret_len)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
        text = malloc((size_t)size + 1);
    if (text != NULL)
        *ret_len = fread(text, 1, (size_t)size, file);
    if (file != NULL)
        fclose(file);
    return text;
}

/* Calls back for each group of a file. The dialect is that of the folder: options->dialect is set
 * by it. */
static inline void suite_each_group(const char *path, struct cupel_options *options,
                                    void (*each)(const struct suite_group *, void *), void *ctx)
{
    static const struct {
        const char *folder;
        enum cupel_dialect dialect;
    } folders[] = {{"/draft4/", CUPEL_DRAFT_4},
                   {"/draft6/", CUPEL_DRAFT_6},
                   {"/draft7/", CUPEL_DRAFT_7},
                   {"/draft2019-09/", CUPEL_2019_09},
                   {"/draft2020-12/", CUPEL_2020_12}};
    struct suite_group g = {.path = path};
    size_t len = 0;
    char *text = suite_read_file(path, &len);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strstr(path, folders[i].folder) != NULL)
            options->dialect = folders[i].dialect;
    if (text == NULL || cupel_document_new(NULL, &g.doc) != CUPEL_OK ||
        cupel_document_read(g.doc, text, len, NULL) != CUPEL_OK) {
        test_check(false, path, __FILE__, __LINE__);
    } else {
        uint32_t group = cupel_json_first(g.doc, 0);
        for (; group != CUPEL_NO_NODE; group = cupel_json_next(g.doc, 0, group)) {
            g.schema = cupel_json_member(g.doc, group, "schema", 6);
            g.tests = cupel_json_member(g.doc, group, "tests", 5);
            each(&g, ctx);
        }
    }
    cupel_document_free(g.doc);
    free(text);
}

/* Calls back for the instances of a group, `most` at most. */
static inline void suite_each_instance(const struct suite_group *g, unsigned most,
                                       void (*each)(uint32_t node, void *), void *ctx)
{
    uint32_t test = cupel_json_first(g->doc, g->tests);
    for (; test != CUPEL_NO_NODE && most-- > 0; test = cupel_json_next(g->doc, g->tests, test))
        each(cupel_json_member(g->doc, test, "data", 4), ctx);
}

#endif
