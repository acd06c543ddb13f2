/* record.c: the fields of a definition: their types and formats, and what is kept of them for
 * listings.  Icons are in icons.c, schemas in schema.c.
 *
 * A field is checked in the profiles that have it.  Fields that no rule names are kept in the text
 * and not checked: later versions of the specification add fields, and a tool must not be lost for
 * one of them.
 *
 * Fields of the specification by profile: `annotations` from 2025-03-26 on; `title` and `_meta`
 * from 2025-06-18 on; `icons` from 2025-11-25 on; `execution` in 2025-11-25 only.  `namespace`,
 * `version` and `tags` are fields of registries and are read in every profile. */
#include "mcp/definition/check.h"
#include "mcp/definition/tool_id.h"
#include "mcp/text/characters.h"

#include <cupel/protocol.h>

#include <stdio.h>
#include <string.h>

/* -- Helpers ---------------------------------------------------------------------------------- */

#define TOOL_PROBLEM CUPEL__TOOL_PROBLEM

static enum cupel_mcp_profile profile_of(const struct cupel__mcp_check *check)
{
    return check->options->profile;
}

/* Copies a string of the definition into the pool of the catalog.  False if the node is no string.
 */
static bool keep_string(struct cupel__mcp_check *check, uint32_t node, const char **ret,
                        size_t *ret_len)
{
    size_t len = 0;
    const char *text = node != CUPEL_NO_NODE ? cupel_json_string(check->doc, node, &len) : NULL;
    if (text == NULL)
        return false;
    const char *copy = cupel__mcp_pool_copy(check->pool, text, len);
    check->no_memory |= copy == NULL;
    *ret = copy != NULL ? copy : "";
    *ret_len = copy != NULL ? len : 0;
    return true;
}

/* -- The name --------------------------------------------------------------------------------- */

/* Returns the longest name in characters (specification, page "Tools"; registries allow 64). */
static size_t longest_name(const struct cupel__mcp_check *check)
{
    return check->options->names == CUPEL_NAMES_SPEC ? 128 : 64;
}

static bool is_name_character(enum cupel_name_rules rules, char c)
{
    if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
        return true;
    if (c == '_' || c == '-')
        return true;
    return (c == '.' && rules != CUPEL_NAMES_PORTABLE) ||
           (c == '/' && rules == CUPEL_NAMES_SEP_986);
}

/* Reports the characters that a name may not have: the first MOST of them, each once. */
static void check_characters(struct cupel__mcp_check *check, uint32_t node)
{
    enum { MOST = 8 };
    static const char *const sets[] = {"A-Z a-z 0-9 _ . and -", "A-Z a-z 0-9 _ . / and -",
                                       "A-Z a-z 0-9 _ and -"};
    const struct cupel_tool *tool = &check->tool->view;
    enum cupel_name_rules rules = check->options->names;
    char found[MOST * 4 + 1] = "", *end = found;
    unsigned count = 0;
    for (size_t i = 0, n; i < tool->name_len && count < MOST; i += n) {
        char one[5] = "";
        n = cupel__mcp_sequence_length(tool->name[i]);
        memcpy(one, tool->name + i, n);
        if (is_name_character(rules, one[0]) || (one[0] != '\0' && strstr(found, one) != NULL))
            continue;
        memcpy(end, one, n);
        end += n;
        count++;
    }
    if (count != 0)
        TOOL_PROBLEM(check, NAME_CHARACTERS, node, "/name",
                     "the name holds characters other than %s: %s", sets[rules],
                     cupel__mcp_quote(check, found, (size_t)(end - found)));
}

static size_t count_characters(const char *bytes, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < len; i += cupel__mcp_sequence_length(bytes[i]))
        count++;
    return count;
}

/* Checks the length and the characters of the name. */
static void check_name_format(struct cupel__mcp_check *check, uint32_t node)
{
    const struct cupel_tool *tool = &check->tool->view;
    size_t len = count_characters(tool->name, tool->name_len), most = longest_name(check);
    if (len == 0)
        TOOL_PROBLEM(check, NAME_LENGTH, node, "/name", "the name is empty");
    if (len > most)
        TOOL_PROBLEM(check, NAME_LENGTH, node, "/name",
                     "the name has %zu characters; at most %zu are expected", len, most);
    check_characters(check, node);
}

/* Checks the name and keeps it; until other fields are read, it is also the label and the ID. */
void cupel__mcp_check_name(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t node = cupel__mcp_member(check, tool, "name");
    struct cupel_tool *view = &check->tool->view;
    if (node == CUPEL_NO_NODE)
        TOOL_PROBLEM(check, NAME_MISSING, tool, "", "the tool has no name");
    else if (!keep_string(check, node, &view->name, &view->name_len))
        TOOL_PROBLEM(check, NAME_TYPE, node, "/name", "the name is not a string");
    else
        check_name_format(check, node);
    check->tool->named = node != CUPEL_NO_NODE && cupel__mcp_is(check, node, CUPEL_JSON_STRING);
    view->label = view->id = view->name;
    view->label_len = view->id_len = view->name_len;
    cupel__mcp_keep_skeleton(check);
}

/* -- Texts ------------------------------------------------------------------------------------ */

/* Keeps the label that people see: the title, or the title of the annotations, or the name
 * (specification, BaseMetadata). */
static void keep_label(struct cupel__mcp_check *check, uint32_t tool)
{
    struct cupel_tool *view = &check->tool->view;
    uint32_t title = CUPEL_NO_NODE, annotations = CUPEL_NO_NODE;
    if (profile_of(check) >= CUPEL_MCP_2025_06_18)
        title = cupel__mcp_member(check, tool, "title");
    if (profile_of(check) >= CUPEL_MCP_2025_03_26)
        annotations = cupel__mcp_member(check, tool, "annotations");
    if (!keep_string(check, title, &view->label, &view->label_len) && annotations != CUPEL_NO_NODE)
        keep_string(check, cupel__mcp_member(check, annotations, "title"), &view->label,
                    &view->label_len);
}

/* Checks title and description, and keeps the label. */
static void check_texts(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t node = cupel__mcp_member(check, tool, "title");
    if (profile_of(check) >= CUPEL_MCP_2025_06_18 &&
        cupel__mcp_is_other(check, node, CUPEL_JSON_STRING))
        TOOL_PROBLEM(check, TITLE_TYPE, node, "/title", "the title is not a string");
    node = cupel__mcp_member(check, tool, "description");
    if (cupel__mcp_is_other(check, node, CUPEL_JSON_STRING))
        TOOL_PROBLEM(check, DESCRIPTION_TYPE, node, "/description",
                     "the description is not a string");
    keep_label(check, tool);
}

/* -- _meta (specification, page "Overview", section _meta) ------------------------------------- */

static bool is_alphanumeric(char c)
{
    return cupel__mcp_is_letter(c) || (c >= '0' && c <= '9');
}

/* Whether a text is a prefix: labels separated by dots, each of which begins with a letter, ends
 * with a letter or digit and has hyphens only between. */
static bool is_prefix(const char *text, size_t len)
{
    size_t start = 0;
    for (size_t i = 0; i <= len; i++) {
        if (i < len && text[i] != '.') {
            if (!is_alphanumeric(text[i]) && text[i] != '-')
                return false;
            continue;
        }
        if (i == start || !cupel__mcp_is_letter(text[start]) || !is_alphanumeric(text[i - 1]))
            return false;
        start = i + 1;
    }
    return true;
}

/* Empty, or begins and ends with a letter or digit. */
static bool is_key_name(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!is_alphanumeric(text[i]) && (i == 0 || i == len - 1 || strchr("-_.", text[i]) == NULL))
            return false;
    return memchr(text, '\0', len) == NULL;
}

static bool is_meta_key(const char *key, size_t len)
{
    const char *slash = memchr(key, '/', len);
    if (slash == NULL)
        return is_key_name(key, len);
    size_t prefix = (size_t)(slash - key);
    return is_prefix(key, prefix) && is_key_name(slash + 1, len - prefix - 1);
}

/* Checks the keys of _meta; its values belong to the author of the key. */
static void check_meta(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t node = cupel__mcp_member(check, tool, "_meta");
    if (node == CUPEL_NO_NODE || profile_of(check) < CUPEL_MCP_2025_06_18)
        return;
    if (!cupel__mcp_is(check, node, CUPEL_JSON_OBJECT)) {
        TOOL_PROBLEM(check, META_TYPE, node, "/_meta", "_meta is not an object");
        return;
    }
    uint32_t key = cupel_json_first(check->doc, node);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(check->doc, node, key + 1)) {
        size_t len;
        const char *text = cupel_json_string(check->doc, key, &len);
        if (!is_meta_key(text, len))
            TOOL_PROBLEM(check, META_KEY, key, "/_meta", "%s is not a key of _meta",
                         cupel__mcp_quote(check, text, len));
    }
}

/* -- Annotations ------------------------------------------------------------------------------ */

/* Reads a hint.  True if it is a boolean; any other value is a problem and counts as absent. */
static bool read_hint(struct cupel__mcp_check *check, uint32_t annotations, const char *name,
                      int *ret)
{
    char pointer[64];
    uint32_t node = cupel__mcp_member(check, annotations, name);
    if (node == CUPEL_NO_NODE)
        return false;
    if (cupel__mcp_is(check, node, CUPEL_JSON_BOOLEAN)) {
        *ret = cupel_json_boolean(check->doc, node);
        return true;
    }
    snprintf(pointer, sizeof(pointer), "/annotations/%s", name);
    return TOOL_PROBLEM(check, HINT_TYPE, node, pointer, "%s is not a boolean", name);
}

/* Reads the four hints.  Defaults are those of the specification: destructive and open-world. */
static void check_annotations(struct cupel__mcp_check *check, uint32_t tool)
{
    struct cupel_tool_hints *hints = &check->tool->view.hints;
    uint32_t node = cupel__mcp_member(check, tool, "annotations");
    *hints = (struct cupel_tool_hints){.destructive = 1, .open_world = 1};
    if (node == CUPEL_NO_NODE || profile_of(check) < CUPEL_MCP_2025_03_26)
        return;
    if (!cupel__mcp_is(check, node, CUPEL_JSON_OBJECT)) {
        TOOL_PROBLEM(check, ANNOTATIONS_TYPE, node, "/annotations",
                     "the annotations are not an object");
        return;
    }
    uint32_t title = cupel__mcp_member(check, node, "title");
    if (cupel__mcp_is_other(check, title, CUPEL_JSON_STRING))
        TOOL_PROBLEM(check, ANNOTATIONS_TYPE, title, "/annotations/title",
                     "the title is not a string");
    read_hint(check, node, "readOnlyHint", &hints->read_only);
    bool destructive = read_hint(check, node, "destructiveHint", &hints->destructive);
    read_hint(check, node, "idempotentHint", &hints->idempotent);
    read_hint(check, node, "openWorldHint", &hints->open_world);
    if (hints->read_only && destructive && hints->destructive)
        TOOL_PROBLEM(check, HINT_CONTRADICTION, cupel__mcp_member(check, node, "destructiveHint"),
                     "/annotations/destructiveHint",
                     "the tool says that it only reads, and that it is destructive");
}

/* -- Execution (profile 2025-11-25 alone) ----------------------------------------------------- */

/* Reads taskSupport; another value is a problem and counts as forbidden. */
static void read_task_support(struct cupel__mcp_check *check, uint32_t node)
{
    static const char *const names[] = {"forbidden", "optional", "required"};
    for (int i = CUPEL_TASK_FORBIDDEN; i <= CUPEL_TASK_REQUIRED; i++) {
        if (cupel_json_is(check->doc, node, names[i])) {
            check->tool->view.task_support = (enum cupel_task_support)i;
            return;
        }
    }
    TOOL_PROBLEM(check, EXECUTION_TYPE, node, "/execution/taskSupport",
                 "taskSupport is none of \"forbidden\", \"optional\", \"required\"");
}

/* Only profile 2025-11-25 has this field: earlier ones ignore it, later ones report it as
 * obsolete. */
static void check_execution(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t node = cupel__mcp_member(check, tool, "execution");
    if (node == CUPEL_NO_NODE || profile_of(check) < CUPEL_MCP_2025_11_25)
        return;
    if (profile_of(check) > CUPEL_MCP_2025_11_25) {
        TOOL_PROBLEM(check, EXECUTION_OBSOLETE, node, "/execution",
                     "execution is not part of this version of the specification");
        return;
    }
    if (!cupel__mcp_is(check, node, CUPEL_JSON_OBJECT)) {
        TOOL_PROBLEM(check, EXECUTION_TYPE, node, "/execution", "execution is not an object");
        return;
    }
    uint32_t support = cupel__mcp_member(check, node, "taskSupport");
    if (support != CUPEL_NO_NODE)
        read_task_support(check, support);
}

/* -- Identity (fields of registries, not of the specification) --------------------------------- */

/* Keeps the version of a tool. The specification has no such field; registries do. */
static void check_version(struct cupel__mcp_check *check, uint32_t tool)
{
    struct cupel_tool *view = &check->tool->view;
    uint32_t node = cupel__mcp_member(check, tool, "version");
    view->version = "";
    if (node == CUPEL_NO_NODE)
        return;
    if (!keep_string(check, node, &view->version, &view->version_len))
        TOOL_PROBLEM(check, IDENTITY_TYPE, node, "/version", "the version is not a string");
    else if (view->version_len != 0 && !cupel__tool_version_valid(view->version, view->version_len))
        TOOL_PROBLEM(check, VERSION_FORMAT, node, "/version",
                     "the version is not a semantic version, such as 1.2.3");
}

/* Builds the ID namespace:name:version if there is a namespace.  An ID that cannot be split into
 * the same parts again is a problem, and the tool keeps its name as its ID. */
static void check_id(struct cupel__mcp_check *check, uint32_t tool)
{
    struct cupel_tool *view = &check->tool->view;
    struct cupel__tool_id id = {.name = view->name, .name_len = view->name_len}, again;
    uint32_t node = cupel__mcp_member(check, tool, "namespace");
    view->space = "";
    if (node == CUPEL_NO_NODE)
        return;
    id.space = cupel_json_string(check->doc, node, &id.space_len);
    if (id.space == NULL) {
        TOOL_PROBLEM(check, IDENTITY_TYPE, node, "/namespace", "the namespace is not a string");
        return;
    }
    if (cupel__tool_version_valid(view->version, view->version_len)) {
        id.version = view->version;
        id.version_len = view->version_len;
    }
    cupel_text_clear(&check->text);
    cupel__tool_id_write(&id, &check->text);
    check->no_memory |= check->text.failed != 0;
    if (check->text.failed || id.space_len == 0)
        return;
    if (cupel__tool_id_read(check->text.bytes, check->text.len, &again) != CUPEL_OK ||
        again.space_len != id.space_len || again.name_len != id.name_len) {
        TOOL_PROBLEM(check, NAMESPACE_FORMAT, node, "/namespace",
                     "namespace and name make no ID: one of them is empty or holds a colon");
        return;
    }
    const char *copy = cupel__mcp_pool_copy(check->pool, check->text.bytes, check->text.len);
    check->no_memory |= copy == NULL;
    view->id = copy;
    view->id_len = copy != NULL ? check->text.len : 0;
    view->space = copy != NULL ? copy : "";
    view->space_len = copy != NULL ? id.space_len : 0;
}

/* Keeps normalised tags. */
static void check_tags(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t list = cupel__mcp_member(check, tool, "tags");
    if (list == CUPEL_NO_NODE)
        return;
    struct cupel_tags *tags = cupel__mcp_pool_get(check->pool, sizeof(*tags));
    check->no_memory |= tags == NULL;
    bool strings = cupel__mcp_is(check, list, CUPEL_JSON_ARRAY);
    uint32_t node = strings && tags != NULL ? cupel_json_first(check->doc, list) : CUPEL_NO_NODE;
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(check->doc, list, node)) {
        size_t len;
        const char *tag = cupel_json_string(check->doc, node, &len);
        strings = strings && tag != NULL;
        if (tag != NULL)
            cupel__tags_add(tags, tag, len);
    }
    check->tool->view.tags = tags;
    if (!strings)
        TOOL_PROBLEM(check, IDENTITY_TYPE, list, "/tags", "the tags are not an array of strings");
}

/* -- Names of members ------------------------------------------------------------------------- */

/* Checks that no member has a name that case folding turns into one of the specification. */
static void check_member_names(struct cupel__mcp_check *check, uint32_t object,
                               enum cupel_place place, const char *pointer)
{
    struct cupel_message_problem problem;
    if (cupel_message_names_check(check->doc, object, place, NULL, 0, &problem) != CUPEL_OK)
        TOOL_PROBLEM(check, MEMBER_NAME, object, pointer, "%s", problem.text);
}

/* -- All fields ------------------------------------------------------------------------------- */

/* The order is that of the problems in reports: the name first. */
void cupel__mcp_check_fields(struct cupel__mcp_check *check, uint32_t tool)
{
    cupel__mcp_check_name(check, tool);
    check_member_names(check, tool, CUPEL_PLACE_TOOL, "");
    uint32_t annotations = cupel__mcp_member(check, tool, "annotations");
    if (annotations != CUPEL_NO_NODE)
        check_member_names(check, annotations, CUPEL_PLACE_ANNOTATIONS, "/annotations");
    check_texts(check, tool);
    check_meta(check, tool);
    check_annotations(check, tool);
    check_execution(check, tool);
    check_version(check, tool);
    check_id(check, tool);
    check_tags(check, tool);
}
