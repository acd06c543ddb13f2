/* tools_persona.c: reduces a catalog to the tools that the file of --persona allows:
 *
 *     {"allow": ["read_*", "search"], "descriptions": {"search": "Looks things up."}}
 *
 * A mistake in the file must not allow more: other members, and strings with NUL, where C would end
 * them, are refused.  Patterns and descriptions that match no tool are reported. */
#include "cli/verbs/tools.h"

#include <stdlib.h>
#include <string.h>

/* The strings of a persona file, copied because the library takes terminated strings. */
struct lists {
    char **allow;
    struct cupel_description *descriptions;
    size_t allow_count, allow_capacity, description_count, description_capacity;
};

/* A string without NUL, or NULL. */
static const char *read_string(struct cupel_document *doc, uint32_t node, size_t *ret_len)
{
    const char *text = cupel_json_string(doc, node, ret_len);
    return text != NULL && memchr(text, '\0', *ret_len) == NULL ? text : NULL;
}

static bool read_allow(struct cupel_document *doc, uint32_t list, struct lists *ret)
{
    if (list == CUPEL_NO_NODE || cupel_json_type(doc, list) != CUPEL_JSON_ARRAY)
        return false;
    uint32_t node = cupel_json_first(doc, list);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(doc, list, node)) {
        size_t len;
        const char *text = read_string(doc, node, &len);
        if (text == NULL)
            return false;
        ret->allow =
            cli_grow(ret->allow, &ret->allow_capacity, ret->allow_count + 1, sizeof(char *));
        ret->allow[ret->allow_count++] = cli_copy(text, len);
    }
    return true;
}

static bool read_descriptions(struct cupel_document *doc, uint32_t map, struct lists *ret)
{
    if (map == CUPEL_NO_NODE)
        return true;
    uint32_t key = cupel_json_first(doc, map);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(doc, map, key + 1)) {
        size_t tool_len, text_len;
        const char *tool = read_string(doc, key, &tool_len);
        const char *text = read_string(doc, key + 1, &text_len);
        if (tool == NULL || text == NULL)
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

/* Whether the object has no other members than the two; prints the name of another one. */
static bool check_members(const struct cli_file *file, struct cupel_document *doc)
{
    uint32_t key = cupel_json_first(doc, 0);
    bool object = cupel_json_type(doc, 0) == CUPEL_JSON_OBJECT;
    for (; object && key != CUPEL_NO_NODE; key = cupel_json_next(doc, 0, key + 1)) {
        struct cupel_text text;
        size_t len;
        if (cupel_json_is(doc, key, "allow") || cupel_json_is(doc, key, "descriptions"))
            continue;
        const char *name = cupel_json_string(doc, key, &len);
        cupel_text_init(&text, NULL);
        cli_add_name(&text, name, len);
        cli_print_error("%s: a persona has no member %s", file->name,
                        text.failed ? "" : text.bytes);
        cupel_text_free(&text);
        return false;
    }
    return true;
}

static bool read_members(const struct cli_file *file, struct cupel_document *doc, struct lists *ret)
{
    if (!check_members(file, doc))
        return false;
    if (read_allow(doc, cupel_json_member(doc, 0, "allow", 5), ret) &&
        read_descriptions(doc, cupel_json_member(doc, 0, "descriptions", 12), ret))
        return true;
    cli_print_error(
        "%s: allow is an array of strings, descriptions an object of them, all without NUL",
        file->name);
    return false;
}

/* Reads a persona file.  Returns the exit status. */
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
        else if (read_members(&file, doc, ret))
            status = CLI_VALID;
    }
    cupel_document_free(doc);
    cli_file_free(&file);
    return status;
}

/* -- What matches nothing ---------------------------------------------------------------------- */

typedef int match(const char *pattern, const struct cupel_tool *tool);

static bool any_matches(const struct cupel_catalog *catalog, match *matches, const char *pattern)
{
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++)
        if (matches(pattern, cupel_catalog_tool(catalog, i)))
            return true;
    return false;
}

static void report(const char *path, const char *what, const char *pattern)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cli_add_name(&text, pattern, strlen(pattern));
    cli_print_error("%s: %s %s matches no tool", path, what, text.failed ? "" : text.bytes);
    cupel_text_free(&text);
}

/* Whether the key of a description stands for the tool: its name or, with a colon, its ID. */
static int is_key_of(const char *key, const struct cupel_tool *tool)
{
    size_t len = strlen(key);
    if (strchr(key, ':') == NULL)
        return len == tool->name_len && memcmp(key, tool->name, len) == 0;
    return tool->space_len != 0 && len == tool->id_len && memcmp(key, tool->id, len) == 0;
}

/* Patterns are matched against all tools, descriptions against the allowed ones (`mine`). */
static void report_unused(const char *path, const struct lists *lists,
                          const struct cupel_catalog *all, const struct cupel_catalog *mine)
{
    for (size_t i = 0; i < lists->allow_count; i++)
        if (!any_matches(all, cupel_persona_pattern_matches, lists->allow[i]))
            report(path, "the pattern", lists->allow[i]);
    for (size_t i = 0; i < lists->description_count; i++)
        if (!any_matches(mine, is_key_of, lists->descriptions[i].tool))
            report(path, "the description of", lists->descriptions[i].tool);
}

/* -- The whole --------------------------------------------------------------------------------- */

/* Makes a catalog of the allowed tools with the file's descriptions, and frees the old one. */
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
            report_unused(settings->persona, &lists, *catalog, mine);
            cupel_catalog_free(*catalog);
            *catalog = mine;
        } else {
            status = cli_schema_error(settings->persona, &err);
        }
    }
    free_lists(&lists);
    return status;
}
