/* persona.c: derives the catalog of the tools that one persona may use, some with descriptions of
 * its own (cupel/listing.h).
 *
 * The derived catalog is added from a text like any other, with the base catalog as `previous`, so
 * it shares the programs of all schemas that are unchanged.
 *
 * A pattern without a colon is compared with names, one with a colon with IDs:
 *
 *     search_files      the tool of this name
 *     search_*          names that begin with search_
 *     files:*           IDs of the namespace files that have no version */
#include "mcp/catalog/catalog.h"
#include "mcp/options/options.h"
#include "mcp/rules/rules.h"

#include <cupel/listing.h>
#include <string.h>

/* -- Allowed tools ---------------------------------------------------------------------------- */

/* Whether a pattern matches a text: as the same bytes or, if it ends with *, as a prefix after
 * which no colon follows. */
static bool matches(const char *pattern, const char *text, size_t len)
{
    size_t n = strlen(pattern);
    if (n == 0 || pattern[n - 1] != '*')
        return len == n && memcmp(text, pattern, n) == 0;
    return len >= n - 1 && memcmp(text, pattern, n - 1) == 0 &&
           memchr(text + n - 1, ':', len - n + 1) == NULL;
}

int cupel_persona_pattern_matches(const char *pattern, const struct cupel_tool *tool)
{
    if (pattern == NULL || tool == NULL)
        return 0;
    if (strchr(pattern, ':') == NULL)
        return matches(pattern, tool->name, tool->name_len);
    /* The ID of a tool without a namespace is its name, which such a pattern does not match. */
    return tool->id != tool->name && matches(pattern, tool->id, tool->id_len);
}

/* Whether the key of a description stands for the tool: its name or, with a colon, its ID. */
static bool is_key_of(const char *key, const struct cupel_tool *tool)
{
    size_t len = strlen(key);
    if (strchr(key, ':') == NULL)
        return len == tool->name_len && memcmp(key, tool->name, len) == 0;
    return tool->id != tool->name && len == tool->id_len && memcmp(key, tool->id, len) == 0;
}

static bool is_allowed(const struct cupel_persona *persona, const struct cupel_tool *tool)
{
    for (size_t i = 0; i < persona->allow_count; i++)
        if (cupel_persona_pattern_matches(persona->allow[i], tool))
            return true;
    return false;
}

static const char *find_description(const struct cupel_persona *persona,
                                    const struct cupel_tool *tool)
{
    for (size_t i = 0; i < persona->description_count; i++)
        if (is_key_of(persona->descriptions[i].tool, tool))
            return persona->descriptions[i].text;
    return NULL;
}

/* -- The derived text ------------------------------------------------------------------------- */

/* Appends a definition with another description, in the place of its own or as the first member. An
 * unreadable definition stays as it is; the derived catalog refuses it too.  `doc` is scratch. */
static enum cupel_status write_described(struct cupel_document *doc, const struct cupel_tool *tool,
                                         const char *description, struct cupel_text *text)
{
    enum cupel_status status = cupel_document_read(doc, tool->text, tool->text_len, NULL);
    if (status == CUPEL_E_NO_MEMORY)
        return status;
    if (status != CUPEL_OK || cupel_json_count(doc, 0) == 0 ||
        cupel_json_type(doc, 0) != CUPEL_JSON_OBJECT) {
        cupel_text_add(text, tool->text, tool->text_len);
        return CUPEL_OK;
    }
    size_t root_len, len = 0;
    uint32_t node = cupel_json_member(doc, 0, "description", 11);
    const char *root = cupel_json_span(doc, 0, &root_len), *own = root + 1;
    if (node != CUPEL_NO_NODE)
        own = cupel_json_span(doc, node, &len);
    cupel_text_add(text, root, (size_t)(own - root));
    cupel_text_adds(text, node == CUPEL_NO_NODE ? "\"description\":" : "");
    cupel_text_add_json(text, description, strlen(description));
    cupel_text_adds(text, node == CUPEL_NO_NODE ? "," : ""); /* a tool has other members */
    cupel_text_add(text, own + len, (size_t)(root + root_len - own) - len);
    return CUPEL_OK;
}

/* Appends the array of allowed tools.  Invalid definitions stay in it: listings leave them out, and
 * lock files have them. */
static enum cupel_status write_tools(const struct cupel_catalog *base,
                                     const struct cupel_persona *persona,
                                     struct cupel_document *doc, struct cupel_text *text)
{
    enum cupel_status status = CUPEL_OK;
    cupel_text_adds(text, "[");
    for (uint32_t i = 0; i < cupel_catalog_count(base) && status == CUPEL_OK; i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(base, i);
        if (!is_allowed(persona, tool))
            continue;
        const char *description = find_description(persona, tool);
        cupel_text_adds(text, text->len > 1 ? "," : "");
        if (description != NULL)
            status = write_described(doc, tool, description, text);
        else
            cupel_text_add(text, tool->text, tool->text_len);
    }
    cupel_text_adds(text, "]");
    return text->failed ? CUPEL_E_NO_MEMORY : status;
}

/* Keeps tools ambiguous that are ambiguous in the base catalog: the server may still run either of
 * two tools with one name, also if the persona may use only one of them. */
static void keep_ambiguous(const struct cupel_catalog *base, struct cupel_catalog *derived)
{
    for (uint32_t i = 0; i < derived->count; i++) {
        struct cupel__mcp_tool *tool = derived->tools[i];
        const struct cupel__mcp_name *found =
            cupel__mcp_names_find(&base->names, tool->view.name, tool->view.name_len);
        if (!tool->named || found == NULL)
            continue;
        tool->ambiguous |= base->tools[found->value]->ambiguous;
        tool->ambiguous_output |= base->tools[found->value]->ambiguous_output;
    }
}

/* Returns the new catalog in *ret only if it returns CUPEL_OK. */
enum cupel_status cupel_catalog_derive(const struct cupel_catalog *base,
                                       const struct cupel_persona *persona,
                                       struct cupel_catalog **ret, struct cupel_error *err)
{
    if (base == NULL || persona == NULL || ret == NULL)
        return cupel__mcp_refuse_null(err);
    struct cupel_catalog_options options = base->options;
    struct cupel_catalog *catalog = NULL;
    struct cupel_document *doc = NULL;
    struct cupel_text text;
    options.previous = base;
    /* New descriptions may be longer than the old ones; the base text was within its limit. */
    options.catalog_bytes = SIZE_MAX / 2;
    cupel_text_init(&text, &base->pool.alloc);
    enum cupel_status status = cupel__mcp_make_document(base, 0, &doc);
    if (status == CUPEL_OK)
        status = write_tools(base, persona, doc, &text);
    if (status == CUPEL_OK)
        status = cupel_catalog_new(&options, &catalog);
    if (status != CUPEL_OK)
        cupel__mcp_refuse(err, status, cupel_status_message(status));
    else
        status = cupel_catalog_add(catalog, text.bytes, text.len, err);
    if (status == CUPEL_OK) {
        catalog->options.previous = NULL;
        catalog->options.catalog_bytes = base->options.catalog_bytes;
        keep_ambiguous(base, catalog);
        *ret = catalog;
    } else {
        cupel_catalog_free(catalog);
    }
    cupel_document_free(doc);
    cupel_text_free(&text);
    return status;
}
