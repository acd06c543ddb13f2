/* catalog.c: the tools of one server: adding the text of a list, and finding a tool by its name.
 * mcp/definition checks each definition and compiles its schemas.
 *
 * cupel_catalog_add either adds all tools of a text or none: new tools are made first, which can
 * fail, and then entered into the tables, whose memory was reserved.  A catalog is immutable after
 * the last text was added; any number of threads may read it.
 *
 * Three tables find tools: by name, by ID (only tools with a namespace), and by the skeleton of the
 * name, to report names that look alike.  A fourth finds compiled schemas by their text, so that
 * the next catalog of the same server can share their programs (options.previous).
 *
 * A name that two definitions share is an error of the server.  If both have the same schemas,
 * calls and results are judged by them; otherwise the tools of the name are ambiguous: calls are
 * UNDECIDED, and so are results if the output schemas differ. */
#include "mcp/catalog/catalog.h"
#include "mcp/definition/check.h"
#include "mcp/options/options.h"

#include <cupel/catalog.h>
#include <string.h>

const char *cupel_tool_verdict_name(enum cupel_tool_verdict verdict)
{
    static const char *const names[] = {"ok", "warning", "invalid"};
    return (size_t)verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "?";
}

/* -- Creation --------------------------------------------------------------------------------- */

static void init_names(const struct cupel_catalog *catalog, struct cupel__mcp_names *names)
{
    names->alloc = catalog->pool.alloc;
    memcpy(names->key, catalog->options.hash_key, sizeof(names->key));
}

/* Copies the options. Tables share one hash key; it is random unless the host gives one. */
enum cupel_status cupel_catalog_new(const struct cupel_catalog_options *options,
                                    struct cupel_catalog **ret)
{
    if (ret == NULL)
        return CUPEL_E_ARGUMENT;
    struct cupel_catalog_options chosen;
    struct cupel_options engine;
    enum cupel_status status = cupel__mcp_options_copy(options, &chosen, &engine, NULL);
    if (status != CUPEL_OK)
        return status;
    struct cupel_alloc alloc = engine.alloc;
    struct cupel_catalog *catalog = alloc.realloc(alloc.ctx, NULL, 0, sizeof(*catalog));
    if (catalog == NULL)
        return CUPEL_E_NO_MEMORY;
    memset(catalog, 0, sizeof(*catalog));
    catalog->options = chosen;
    catalog->engine = engine;
    catalog->options.engine = &catalog->engine;
    catalog->pattern_steps = engine.limits[CUPEL_LIMIT_CATALOG_PATTERN_STEPS];
    catalog->pool.alloc = alloc;
    if (chosen.hash_key[0] == 0 && chosen.hash_key[1] == 0)
        cupel__mcp_hash_key(&engine, catalog->options.hash_key);
    init_names(catalog, &catalog->names);
    init_names(catalog, &catalog->ids);
    init_names(catalog, &catalog->skeletons);
    init_names(catalog, &catalog->texts);
    *ret = catalog;
    return CUPEL_OK;
}

/* NULL is allowed. Programs that another catalog shares live on. */
void cupel_catalog_free(struct cupel_catalog *catalog)
{
    if (catalog == NULL)
        return;
    struct cupel_alloc alloc = catalog->pool.alloc;
    for (size_t i = 0; i < catalog->count; i++)
        cupel__mcp_tool_release(catalog->tools[i]);
    if (catalog->tools != NULL)
        alloc.realloc(alloc.ctx, catalog->tools, catalog->capacity * sizeof(*catalog->tools), 0);
    cupel__mcp_names_free(&catalog->names);
    cupel__mcp_names_free(&catalog->ids);
    cupel__mcp_names_free(&catalog->skeletons);
    cupel__mcp_names_free(&catalog->texts);
    cupel__mcp_pool_rewind(&catalog->pool, (struct cupel__mcp_pool){alloc, NULL, 0});
    alloc.realloc(alloc.ctx, catalog, sizeof(*catalog), 0);
}

/* -- Look-up ---------------------------------------------------------------------------------- */

uint32_t cupel_catalog_count(const struct cupel_catalog *catalog)
{
    return catalog != NULL ? (uint32_t)catalog->count : 0;
}

const struct cupel_tool *cupel_catalog_tool(const struct cupel_catalog *catalog, uint32_t index)
{
    return index < cupel_catalog_count(catalog) ? &catalog->tools[index]->view : NULL;
}

const struct cupel_tool *cupel_catalog_find(const struct cupel_catalog *catalog, const char *name,
                                            size_t len)
{
    if (catalog == NULL || (name == NULL && len > 0))
        return NULL;
    const struct cupel__mcp_name *found = cupel__mcp_names_find(&catalog->names, name, len);
    return found != NULL ? &catalog->tools[found->value]->view : NULL;
}

/* A tool without a namespace has its name as its ID and is not in catalog->ids. */
const struct cupel_tool *cupel_catalog_find_id(const struct cupel_catalog *catalog, const char *id,
                                               size_t len)
{
    if (catalog == NULL || (id == NULL && len > 0))
        return NULL;
    const struct cupel__mcp_name *found = cupel__mcp_names_find(&catalog->ids, id, len);
    if (found != NULL)
        return &catalog->tools[found->value]->view;
    const struct cupel_tool *tool = cupel_catalog_find(catalog, id, len);
    return tool != NULL && tool->id == tool->name ? tool : NULL;
}

/* -- Reading ---------------------------------------------------------------------------------- */

enum cupel_status cupel__mcp_make_document(const struct cupel_catalog *catalog, uint32_t flags,
                                           struct cupel_document **ret)
{
    struct cupel_options options = catalog->engine;
    options.flags &= (uint32_t) ~(CUPEL_INPUT_PADDED | CUPEL_ALLOW_DUPLICATE_KEYS);
    options.flags |= flags;
    options.limits[CUPEL_LIMIT_BODY_BYTES] = catalog->options.catalog_bytes;
    options.limits[CUPEL_LIMIT_DEPTH] = catalog->options.catalog_depth;
    return cupel_document_new(&options, ret);
}

/* Copies the cursor of a page into the pool; the node of its list is not kept. */
static bool copy_page(struct cupel_catalog *catalog, struct cupel_list_page *page)
{
    page->tools = CUPEL_NO_NODE;
    if (page->next_cursor == NULL)
        return true;
    page->next_cursor =
        cupel__mcp_pool_copy(&catalog->pool, page->next_cursor, page->next_cursor_len);
    return page->next_cursor != NULL;
}

/* -- Adding ----------------------------------------------------------------------------------- */

/* Reserves memory for `more` tools in the array and in all tables. */
static bool reserve(struct cupel_catalog *catalog, size_t more)
{
    const struct cupel_alloc *alloc = &catalog->pool.alloc;
    size_t need = catalog->count + more, size = sizeof(*catalog->tools);
    if (need > catalog->capacity) {
        size_t capacity = need + catalog->capacity / 2;
        void *grown =
            alloc->realloc(alloc->ctx, catalog->tools, catalog->capacity * size, capacity * size);
        if (grown == NULL)
            return false;
        catalog->tools = grown;
        catalog->capacity = capacity;
    }
    return cupel__mcp_names_reserve(&catalog->names, more) &&
           cupel__mcp_names_reserve(&catalog->ids, more) &&
           cupel__mcp_names_reserve(&catalog->skeletons, more) &&
           cupel__mcp_names_reserve(&catalog->texts, more * CUPEL__MCP_SCHEMAS);
}

/* Adds a problem that another tool causes, unless the tool has it already. */
static void add_late_problem(struct cupel_catalog *catalog, struct cupel__mcp_tool *tool,
                             enum cupel__mcp_rule rule, const char *message)
{
    const char *id = cupel__mcp_rule_id(rule);
    tool->view.hidden_text |= rule == CUPEL__RULE_HIDDEN_TEXT;
    for (uint32_t i = 0; i < tool->view.problem_count; i++)
        if (tool->problems[i].rule == id && strcmp(tool->problems[i].message, message) == 0)
            return;
    enum cupel_severity severity = cupel__mcp_severity(&catalog->options, rule);
    tool->problems[tool->view.problem_count++] = (struct cupel_rule_problem){
        .rule = id,
        .severity = severity,
        .part = CUPEL_PART_TOOL,
        .pointer = "/name",
        .message = message,
    };
    if (tool->view.verdict == CUPEL_TOOL_OK || severity == CUPEL_SEVERITY_ERROR)
        tool->view.verdict =
            severity == CUPEL_SEVERITY_ERROR ? CUPEL_TOOL_INVALID : CUPEL_TOOL_WARNING;
}

static void add_duplicate(struct cupel_catalog *catalog, struct cupel__mcp_tool *tool)
{
    add_late_problem(catalog, tool, CUPEL__RULE_NAME_DUPLICATE,
                     "another tool of the catalog has this name");
}

/* Reports the name of the tool and of the first one whose name looks the same, if their names
 * differ. */
static void check_skeleton(struct cupel_catalog *catalog, size_t index)
{
    static const char message[] = "the name looks like that of another tool of the catalog";
    struct cupel__mcp_tool *tool = catalog->tools[index];
    if (tool->skeleton.len == 0)
        return;
    struct cupel__mcp_name *found =
        cupel__mcp_names_find(&catalog->skeletons, tool->skeleton.bytes, tool->skeleton.len);
    if (found == NULL) {
        cupel__mcp_names_put(&catalog->skeletons, tool->skeleton.bytes, tool->skeleton.len,
                             (uint32_t)index);
        return;
    }
    struct cupel__mcp_tool *first = catalog->tools[found->value];
    if (first->view.name_len == tool->view.name_len &&
        memcmp(first->view.name, tool->view.name, tool->view.name_len) == 0)
        return;
    add_late_problem(catalog, first, CUPEL__RULE_HIDDEN_TEXT, message);
    add_late_problem(catalog, tool, CUPEL__RULE_HIDDEN_TEXT, message);
}

/* Whether two programs are there and have equal images, as equal schemas do. */
static bool same_program(const struct cupel_program *a, const struct cupel_program *b)
{
    if (a == NULL || b == NULL)
        return false;
    size_t len_a, len_b;
    const void *image_a = cupel_program_image(a, &len_a);
    const void *image_b = cupel_program_image(b, &len_b);
    return len_a == len_b && memcmp(image_a, image_b, len_a) == 0;
}

/* Whether it does not matter which of two tools a call reaches. */
static bool same_input(const struct cupel__mcp_tool *a, const struct cupel__mcp_tool *b)
{
    return same_program(a->view.input, b->view.input);
}

/* Whether it does not matter from which of two tools a result comes. */
static bool same_output(const struct cupel__mcp_tool *a, const struct cupel__mcp_tool *b)
{
    if (!cupel__mcp_has_output(a) && !cupel__mcp_has_output(b))
        return true;
    return same_program(a->view.output, b->view.output);
}

/* Compares a tool with the first one of its name.  Returns whether the first became ambiguous by
 * it; then tools between the two are not marked yet. */
static bool compare_namesakes(struct cupel__mcp_tool *first, struct cupel__mcp_tool *tool)
{
    bool ambiguous = first->ambiguous, output = first->ambiguous_output;
    first->ambiguous_output |= !same_output(first, tool);
    first->ambiguous |= !same_input(first, tool) || first->ambiguous_output;
    tool->ambiguous = first->ambiguous;
    tool->ambiguous_output = first->ambiguous_output;
    return first->ambiguous != ambiguous || first->ambiguous_output != output;
}

/* Marks each tool as the first one of its name is marked. */
static void mark_namesakes(struct cupel_catalog *catalog)
{
    for (size_t i = 0; i < catalog->count; i++) {
        struct cupel__mcp_tool *tool = catalog->tools[i];
        struct cupel__mcp_name *found =
            cupel__mcp_names_find(&catalog->names, tool->view.name, tool->view.name_len);
        if (!tool->named || found == NULL)
            continue;
        tool->ambiguous = catalog->tools[found->value]->ambiguous;
        tool->ambiguous_output = catalog->tools[found->value]->ambiguous_output;
    }
}

/* Adds a name to a set with reserved memory, unless it is there. */
static void put_once(struct cupel__mcp_names *names, const char *bytes, size_t len, size_t value)
{
    if (cupel__mcp_names_find(names, bytes, len) == NULL)
        cupel__mcp_names_put(names, bytes, len, (uint32_t)value);
}

/* Whether cupel_catalog_find_id finds the tool by its name, without an entry in catalog->ids: the
 * first tool of this name has no namespace. */
static bool is_found_by_name(const struct cupel_catalog *catalog, const struct cupel_tool *tool)
{
    const struct cupel_tool *first = cupel_catalog_find(catalog, tool->name, tool->name_len);
    return tool->id == tool->name && (first == NULL || first->id == first->name);
}

/* Enters the ID and the texts of the compiled schemas. */
static void put_ids_and_texts(struct cupel_catalog *catalog, size_t index)
{
    const struct cupel__mcp_tool *tool = catalog->tools[index];
    if (!is_found_by_name(catalog, &tool->view))
        put_once(&catalog->ids, tool->view.id, tool->view.id_len, index);
    for (size_t i = 0; i < CUPEL__MCP_SCHEMAS; i++)
        if (tool->programs[i] != NULL)
            put_once(&catalog->texts, tool->schemas[i].bytes, tool->schemas[i].len,
                     index * CUPEL__MCP_SCHEMAS + i);
}

/* Enters finished tools into the tables.  Nothing here can fail. */
static void commit(struct cupel_catalog *catalog, size_t count)
{
    bool ambiguous = false;
    for (size_t i = catalog->count; i < count; i++) {
        struct cupel__mcp_tool *tool = catalog->tools[i];
        const struct cupel_tool *view = &tool->view;
        put_ids_and_texts(catalog, i);
        check_skeleton(catalog, i);
        /* Depends on the order: a cursor is the number of a tool.  An odd factor loses no bit. */
        catalog->fingerprint =
            catalog->fingerprint * 31 + cupel_checksum(view->text, view->text_len);
        if (!tool->named)
            continue;
        struct cupel__mcp_name *found =
            cupel__mcp_names_find(&catalog->names, view->name, view->name_len);
        if (found == NULL) {
            cupel__mcp_names_put(&catalog->names, view->name, view->name_len, (uint32_t)i);
            continue;
        }
        struct cupel__mcp_tool *first = catalog->tools[found->value];
        ambiguous |= compare_namesakes(first, tool);
        add_duplicate(catalog, first);
        add_duplicate(catalog, tool);
    }
    catalog->count = count;
    if (ambiguous)
        mark_namesakes(catalog);
}

/* Makes the tools of a list and enters them; releases all of them if one fails. */
static enum cupel_status add_tools(struct cupel_catalog *catalog, struct cupel__mcp_check *check,
                                   uint32_t list)
{
    struct cupel__mcp_pool mark = catalog->pool;
    size_t count = catalog->count;
    if (!reserve(catalog, cupel_json_count(check->list, list)))
        return CUPEL_E_NO_MEMORY;
    uint32_t node = cupel_json_first(check->list, list);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(check->list, list, node)) {
        struct cupel__mcp_tool *tool = cupel__mcp_tool_new(check, node);
        if (tool == NULL)
            goto fail;
        catalog->tools[count++] = tool;
        if (check->stored != NULL)
            check->stored += CUPEL__MCP_SCHEMAS;
    }
    commit(catalog, count);
    return CUPEL_OK;
fail:
    while (count > catalog->count)
        cupel__mcp_tool_release(catalog->tools[--count]);
    cupel__mcp_pool_rewind(&catalog->pool, mark);
    bool stored = check->stored_error.status != CUPEL_OK && !check->no_memory;
    return stored ? check->stored_error.status : CUPEL_E_NO_MEMORY;
}

/* After a duplicate key: checks the text with [] in place of the list.  If that has no duplicate,
 * the list itself is unambiguous and only the tool with the duplicate is refused. */
static enum cupel_status check_envelope(struct cupel__mcp_check *check, uint32_t list,
                                        const char *text, size_t len, struct cupel_error *err)
{
    uint64_t start = cupel_json_offset(check->list, list);
    size_t span;
    cupel_json_span(check->list, list, &span);
    cupel_text_clear(&check->text);
    cupel_text_add(&check->text, text, (size_t)start);
    cupel_text_adds(&check->text, "[]");
    cupel_text_add(&check->text, text + start + span, len - (size_t)start - span);
    if (check->text.failed)
        return cupel__mcp_refuse(err, CUPEL_E_NO_MEMORY, cupel_status_message(CUPEL_E_NO_MEMORY));
    return cupel_document_read(check->inner, check->text.bytes, check->text.len, err);
}

/* Reads the text into a new document. */
static enum cupel_status read_text(const struct cupel_catalog *catalog,
                                   struct cupel__mcp_check *check, uint32_t flags, const char *text,
                                   size_t len, struct cupel_error *err)
{
    cupel_document_free(check->list);
    check->list = NULL;
    enum cupel_status status = cupel__mcp_make_document(catalog, flags, &check->list);
    if (status != CUPEL_OK)
        return cupel__mcp_refuse(err, status, cupel_status_message(status));
    return cupel_document_read(check->list, text, len, err);
}

/* Whether two catalogs have equal limits of those that affect programs. */
static bool same_limits(const uint64_t *x, const uint64_t *y)
{
    static const enum cupel_limit compared[] = {
#define AFFECTS_PROGRAM(limit) limit,
#define AFFECTS_CATALOG(limit)
#define AFFECTS_RUN(limit)
#define L(name, number, lower, value, most, affects, meaning) AFFECTS_##affects(CUPEL_LIMIT_##name)
#include <cupel/limits.def>
    };
    for (size_t i = 0; i < sizeof(compared) / sizeof(compared[0]); i++)
        if (x[compared[i]] != y[compared[i]])
            return false;
    return true;
}

/* Whether two sets of options have the same host formats in the same order. */
static bool same_formats(const struct cupel_options *x, const struct cupel_options *y)
{
    if (x->format_count != y->format_count)
        return false;
    for (size_t i = 0; i < x->format_count; i++) {
        const struct cupel_format *a = &x->formats[i], *b = &y->formats[i];
        if (strcmp(a->name, b->name) != 0 || a->check != b->check || a->ctx != b->ctx)
            return false;
    }
    return true;
}

/* Whether two catalogs compile every schema to the same program. */
static bool same_engine(const struct cupel_catalog *a, const struct cupel_catalog *b)
{
    const struct cupel_options *x = &a->engine, *y = &b->engine;
    return x->resolver == NULL && y->resolver == NULL && x->flags == y->flags &&
           x->dialect == y->dialect && x->passes == y->passes &&
           same_limits(x->limits, y->limits) && same_formats(x, y);
}

/* Reads a text, finds its list and adds the tools. */
static enum cupel_status add_text(struct cupel_catalog *catalog, struct cupel__mcp_check *check,
                                  const char *text, size_t len, struct cupel_error *err)
{
    enum cupel_status status = cupel__mcp_make_document(catalog, 0, &check->inner);
    if (status != CUPEL_OK)
        return cupel__mcp_refuse(err, status, cupel_status_message(status));
    status = read_text(catalog, check, 0, text, len, err);
    /* A duplicate key in one tool must not cost the whole list: read again and allow duplicates. */
    bool duplicates = status == CUPEL_E_DUPLICATE_KEY;
    if (duplicates)
        status = read_text(catalog, check, CUPEL_ALLOW_DUPLICATE_KEYS, text, len, err);
    if (status != CUPEL_OK)
        return status;
    struct cupel_list_page page;
    status = cupel_list_page_read(check->list, &page, err);
    if (status != CUPEL_OK)
        return status;
    uint32_t list = page.tools;
    if (cupel_json_count(check->list, list) + catalog->count > catalog->options.tools)
        return cupel__mcp_refuse(err, CUPEL_E_ARGUMENT, "there are more tools than the limit");
    if (check->stored != NULL && cupel_json_count(check->list, list) != check->stored_tools)
        return cupel__mcp_refuse(err, CUPEL_E_BAD_IMAGE,
                                 "the image has other tools than its texts");
    if (duplicates)
        status = check_envelope(check, list, text, len, err);
    if (status != CUPEL_OK)
        return status;
    check->traversal.doc = check->inner;
    status = copy_page(catalog, &page) ? add_tools(catalog, check, list) : CUPEL_E_NO_MEMORY;
    if (status == CUPEL_OK) {
        catalog->page = page;
        catalog->has_page = true;
    }
    if (check->stored_error.status != CUPEL_OK && status != CUPEL_E_NO_MEMORY)
        *err = check->stored_error;
    else if (status != CUPEL_OK)
        cupel__mcp_refuse(err, status, cupel_status_message(status));
    return status;
}

enum cupel_status cupel_catalog_add(struct cupel_catalog *catalog, const char *text, size_t len,
                                    struct cupel_error *err)
{
    if (catalog == NULL || text == NULL)
        return cupel__mcp_refuse_null(err);
    return cupel__mcp_add_stored(catalog, text, len, NULL, 0, err);
}

/* Sets up the checker and frees what it used. On failure the catalog is as before, and *err says
 * why. */
enum cupel_status cupel__mcp_add_stored(struct cupel_catalog *catalog, const char *text, size_t len,
                                        const struct cupel__mcp_stored *stored, uint32_t count,
                                        struct cupel_error *err)
{
    const struct cupel_alloc *alloc = &catalog->pool.alloc;
    struct cupel__mcp_check check = {.options = &catalog->options,
                                     .pool = &catalog->pool,
                                     .pattern_steps = &catalog->pattern_steps,
                                     .traversal = {.alloc = *alloc},
                                     .names = {.alloc = *alloc},
                                     .stored = stored,
                                     .stored_tools = count};
    struct cupel_error detail = {0};
    memcpy(check.names.key, catalog->names.key, sizeof(check.names.key));
    cupel_text_init(&check.text, alloc);
    const struct cupel_catalog *previous = catalog->options.previous;
    if (previous != NULL && same_engine(previous, catalog)) {
        check.shared_texts = &previous->texts;
        check.shared_tools = previous->tools;
    }
    enum cupel_status status = add_text(catalog, &check, text, len, &detail);
    if (status != CUPEL_OK && err != NULL) {
        *err = detail;
        err->status = status;
    }
    cupel_text_free(&check.text);
    cupel__mcp_names_free(&check.names);
    cupel__mcp_traversal_free(&check.traversal);
    cupel_document_free(check.list);
    cupel_document_free(check.inner);
    return status;
}
