/* tools_persona.c: the tools that --persona leaves, from a file:
 *
 *     {"allow": ["read_*", "search"], "descriptions": {"search": "Looks things up."}} */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

/* The strings of a persona file; they are copied, for what C takes is terminated. */
struct lists {
    char **allow;
    struct cupel_description *descriptions;
    size_t allow_count, allow_capacity, description_count, description_capacity;
};

static bool take_allow(struct cupel_document *doc, uint32_t list, struct lists *ret)
{
    if (list == CUPEL_NO_NODE || cupel_json_type(doc, list) != CUPEL_JSON_ARRAY)
        return false;
    uint32_t node = cupel_json_first(doc, list);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(doc, list, node)) {
        size_t len;
        const char *text = cupel_json_string(doc, node, &len);
        if (text == NULL)
            return false;
        ret->allow =
            cli_grow(ret->allow, &ret->allow_capacity, ret->allow_count + 1, sizeof(char *));
        ret->allow[ret->allow_count++] = cli_copy(text, len);
    }
    return true;
}

static bool take_descriptions(struct cupel_document *doc, uint32_t map, struct lists *ret)
{
    if (map == CUPEL_NO_NODE)
        return true;
    uint32_t key = cupel_json_first(doc, map);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(doc, map, key + 1)) {
        size_t tool_len, text_len;
        const char *tool = cupel_json_string(doc, key, &tool_len);
        const char *text = cupel_json_string(doc, key + 1, &text_len);
        if (text == NULL)
            return false;
        ret->descriptions = cli_grow(ret->descriptions, &ret->description_capacity,
                                     ret->description_count + 1, sizeof(*ret->descriptions));
        ret->descriptions[ret->description_count++] =
            (struct cupel_description){cli_copy(tool, tool_len), cli_copy(text, text_len)};
    }
    return cupel_json_type(doc, map) == CUPEL_JSON_OBJECT;
}

static void free_lists(struct lists *lists)
{
    for (size_t i = 0; i < lists->allow_count; i++)
        free(lists->allow[i]);
    for (size_t i = 0; i < lists->description_count; i++) {
        free((char *)lists->descriptions[i].tool);
        free((char *)lists->descriptions[i].text);
    }
    free(lists->allow);
    free(lists->descriptions);
}

static int read_lists(const char *path, struct lists *ret)
{
    struct cli_file file;
    struct cupel_document *doc = NULL;
    struct cupel_error err = {0};
    int status = CLI_INPUT;
    if (cli_read(path, &file) && cupel_document_new(NULL, &doc) == CUPEL_OK) {
        err.status = cupel_document_read(doc, file.text.bytes, file.text.len, &err);
        if (err.status != CUPEL_OK)
            cli_schema_error(file.name, &err);
        else if (take_allow(doc, cupel_json_member(doc, 0, "allow", 5), ret) &&
                 take_descriptions(doc, cupel_json_member(doc, 0, "descriptions", 12), ret))
            status = CLI_VALID;
        else
            cli_say("%s: allow is an array of strings, descriptions an object of them", file.name);
    }
    cupel_document_free(doc);
    cli_file_free(&file);
    return status;
}

int cli_apply_persona(const struct cli_settings *settings, struct cupel_catalog **catalog)
{
    struct lists lists = {0};
    struct cupel_error err = {0};
    struct cupel_catalog *mine = NULL;
    if (settings->persona == NULL)
        return CLI_VALID;
    int status = read_lists(settings->persona, &lists);
    if (status == CLI_VALID) {
        struct cupel_persona persona = {(const char *const *)lists.allow, lists.allow_count,
                                        lists.descriptions, lists.description_count};
        if (cupel_catalog_derive(*catalog, &persona, &mine, &err) == CUPEL_OK) {
            cupel_catalog_free(*catalog);
            *catalog = mine;
        } else {
            status = cli_schema_error(settings->persona, &err);
        }
    }
    free_lists(&lists);
    return status;
}
