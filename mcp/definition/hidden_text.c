/* hidden_text.c: the rule hidden-text: looks for hidden text in every string and every name of a
 * definition, at any depth, and for names in one object that look alike.
 *
 * One traversal.  The skeletons of the names of all objects are in one member index, by the number
 * of the object in the traversal.  The search ends after MOST_REPORTS problems. */
#include "mcp/definition/check.h"
#include "mcp/json/member_index.h"
#include "mcp/text/hidden.h"

#include <cupel/checks.h>
#include <stdio.h>
#include <string.h>

/* Problems of this rule for one tool; more would displace problems of other rules. */
enum { MOST_REPORTS = 8 };

struct search {
    struct cupel__mcp_check *check;
    struct cupel__member_index skeletons; /* of names, by the number of their object */
    struct cupel_text skeleton;
    uint64_t objects;
    uint32_t reports;
};

/* -- Reports ---------------------------------------------------------------------------------- */

/* Returns the part of the definition that has the current place, and the length of its own pointer
 * (/inputSchema), which problems of that part leave out. */
static enum cupel_part find_part(const struct search *search, size_t *ret_skip)
{
    static const char *const names[] = {"inputSchema", "outputSchema"};
    const struct cupel__mcp_traversal *traversal = &search->check->traversal;
    uint32_t key = traversal->depth != 0 ? traversal->frames[0].key : CUPEL_NO_NODE;
    *ret_skip = 0;
    for (size_t i = 0; key != CUPEL_NO_NODE && i < 2; i++) {
        if (!cupel_json_is(traversal->doc, key, names[i]))
            continue;
        *ret_skip = strlen(names[i]) + 1;
        return i == 0 ? CUPEL_PART_INPUT : CUPEL_PART_OUTPUT;
    }
    return CUPEL_PART_TOOL;
}

/* Reports hidden text in the string or (`name`) the name at `node`. */
static void report(struct search *search, uint32_t node, bool name,
                   const struct cupel_hidden *found)
{
    char pointer[CUPEL__MCP_POINTER], code[32] = "";
    size_t skip;
    cupel__mcp_traversal_pointer(&search->check->traversal, pointer);
    enum cupel_part part = find_part(search, &skip);
    if (found->code_point != 0 || found->kind == CUPEL_HIDDEN_CONTROL)
        snprintf(code, sizeof(code), " (U+%04X)", (unsigned)found->code_point);
    cupel__mcp_problem(search->check, CUPEL__RULE_HIDDEN_TEXT, part, node, pointer + skip,
                       "%s has %s%s at byte %llu", name ? "the name" : "the text",
                       cupel_hidden_name(found->kind), code, (unsigned long long)found->offset);
    search->reports++;
}

/* -- Names ------------------------------------------------------------------------------------ */

/* Checks one name: hidden text in it, and its skeleton among those of its object. */
static void check_name(struct search *search, uint64_t object, uint32_t key)
{
    struct cupel__mcp_check *check = search->check;
    struct cupel_hidden found;
    size_t len;
    const char *name = cupel_json_string(check->doc, key, &len);
    if (cupel_hidden_find(name, len, CUPEL_HIDDEN_IN_NAME, &found)) {
        report(search, key, true, &found);
        return;
    }
    cupel_text_clear(&search->skeleton);
    cupel__skeleton(&search->skeleton, name, len);
    const char *skeleton = search->skeleton.bytes != NULL ? search->skeleton.bytes : "";
    if (cupel__member_index_add(&search->skeletons, object, skeleton, search->skeleton.len, key) ==
        CUPEL_NO_NODE)
        return;
    char pointer[CUPEL__MCP_POINTER];
    size_t skip;
    cupel__mcp_traversal_pointer(&check->traversal, pointer);
    enum cupel_part part = find_part(search, &skip);
    cupel__mcp_problem(check, CUPEL__RULE_HIDDEN_TEXT, part, key, pointer + skip, "the name is %s",
                       cupel_hidden_name(CUPEL_HIDDEN_CONFUSABLE) + 2);
    search->reports++;
}

/* -- The traversal ---------------------------------------------------------------------------- */

static void check_string(struct search *search, uint32_t node)
{
    struct cupel_hidden found;
    size_t len;
    const char *text = cupel_json_string(search->check->doc, node, &len);
    if (cupel_hidden_find(text, len, 0, &found))
        report(search, node, false, &found);
}

/* Opens a container and numbers it, in frame->kind. */
static bool enter(struct search *search, uint32_t node)
{
    return cupel__mcp_traversal_enter(&search->check->traversal, node,
                                      (int)(search->objects++ & 0x7fffffff));
}

/* Checks the current child, and opens it if it is a container. */
static void visit(struct search *search, const struct cupel__mcp_frame *frame)
{
    struct cupel__mcp_check *check = search->check;
    uint32_t value = frame->value;
    if (frame->key != CUPEL_NO_NODE)
        check_name(search, CUPEL__FIRST_OWNER + (uint64_t)frame->kind, frame->key);
    enum cupel_json_type type = cupel_json_type(check->doc, value);
    if (type == CUPEL_JSON_STRING && search->reports < MOST_REPORTS)
        check_string(search, value);
    else if (type == CUPEL_JSON_OBJECT || type == CUPEL_JSON_ARRAY)
        check->no_memory |= !enter(search, value);
}

/* Also runs for a definition with duplicate names; check->doc is then the list, so the traversal is
 * pointed at it for the time of the search. */
void cupel__mcp_check_hidden(struct cupel__mcp_check *check, uint32_t tool)
{
    const struct cupel_alloc *alloc = &check->pool->alloc;
    struct search search = {.check = check};
    struct cupel__mcp_traversal *traversal = &check->traversal;
    struct cupel_document *before = traversal->doc;
    enum cupel_json_type type = cupel_json_type(check->doc, tool);
    cupel__member_index_init(&search.skeletons, alloc);
    cupel_text_init(&search.skeleton, alloc);
    traversal->doc = check->doc;
    if (type == CUPEL_JSON_OBJECT || type == CUPEL_JSON_ARRAY)
        check->no_memory |= !enter(&search, tool);
    while (traversal->depth != 0 && !check->no_memory && search.reports < MOST_REPORTS) {
        const struct cupel__mcp_frame *frame = cupel__mcp_traversal_next(traversal);
        if (frame != NULL)
            visit(&search, frame);
        check->no_memory |= search.skeletons.failed || search.skeleton.failed;
    }
    traversal->depth = 0;
    traversal->doc = before;
    cupel__member_index_free(&search.skeletons);
    cupel_text_free(&search.skeleton);
}

void cupel__mcp_keep_skeleton(struct cupel__mcp_check *check)
{
    struct cupel__mcp_tool *tool = check->tool;
    cupel_text_clear(&check->text);
    cupel__skeleton(&check->text, tool->view.name, tool->view.name_len);
    tool->skeleton.len = check->text.len;
    tool->skeleton.bytes =
        check->text.failed ? NULL
                           : cupel__mcp_pool_copy(check->pool, check->text.bytes, check->text.len);
    check->no_memory |= tool->skeleton.bytes == NULL;
}
