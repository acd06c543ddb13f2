/* list_reading.c: finds the list of tools in a server's answer to tools/list.
 *
 * This is the only reader of lists: catalogs, all verbs of the command and gateways use it, so a
 * server cannot show them different lists.  A text in which two readers could find different lists
 * is refused: with a list beside `result`, a `method`, an `error`, or with names that differ from
 * those of the specification in case only.
 *
 * Three forms are accepted:
 *
 *     [tool, …]                                   the tools alone
 *     {"tools": [tool, …], "nextCursor": …}       the result of tools/list
 *     {"jsonrpc": "2.0", "id": …, "result": {…}}  the response */
#include "mcp/options/options.h"
#include "mcp/rules/rules.h"

#include <cupel/listing.h>
#include <cupel/protocol.h>

#include <stdio.h>

/* The members of the envelope, or of the result, that any caller reads. */
enum field {
    JSONRPC,
    RESULT,
    ERROR_FIELD,
    METHOD,
    TOOLS,
    NEXT_CURSOR,
    CACHE_SCOPE,
    TTL,
    LOCK,
    FIELDS
};

static const char *const names[FIELDS] = {"jsonrpc",    "result",     "error", "method",   "tools",
                                          "nextCursor", "cacheScope", "ttlMs", "cupelLock"};

/* Fills in an error with the pointer `where`. */
static enum cupel_status refuse(struct cupel_error *err, const char *where, const char *detail)
{
    cupel__mcp_refuse(err, CUPEL_E_ARGUMENT, detail);
    if (err != NULL)
        snprintf(err->where, sizeof(err->where), "%s", where);
    return CUPEL_E_ARGUMENT;
}

/* Finds the fields of one object; CUPEL_NO_NODE for absent ones. */
static void read_fields(struct cupel_document *doc, uint32_t object, uint32_t ret[FIELDS])
{
    for (int i = 0; i < FIELDS; i++)
        ret[i] = CUPEL_NO_NODE;
    uint32_t key = cupel_json_first(doc, object);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(doc, object, key + 1)) {
        for (int i = 0; i < FIELDS; i++)
            if (cupel_json_is(doc, key, names[i]))
                ret[i] = key + 1;
    }
}

/* Refuses an object with a name that folds to one of the specification.  `where` is the object's
 * pointer. */
static enum cupel_status check_names(struct cupel_document *doc, uint32_t object,
                                     enum cupel_place place, const char *where,
                                     struct cupel_error *err)
{
    static const char method[] = "tools/list";
    struct cupel_message_problem problem;
    return cupel_message_names_check(doc, object, place, method, sizeof(method) - 1, &problem) ==
                   CUPEL_OK
               ? CUPEL_OK
               : refuse(err, where, problem.text);
}

/* Finds the object that holds the list, the result of a response or the root, and its fields. */
static enum cupel_status find_result(struct cupel_document *doc, uint32_t fields[FIELDS],
                                     struct cupel_error *err)
{
    enum cupel_status status = check_names(doc, 0, CUPEL_PLACE_ENVELOPE, "", err);
    if (status == CUPEL_OK)
        status = check_names(doc, 0, CUPEL_PLACE_RESULT, "", err);
    if (status != CUPEL_OK)
        return status;
    read_fields(doc, 0, fields);
    uint32_t result = fields[RESULT];
    if (fields[ERROR_FIELD] != CUPEL_NO_NODE)
        return refuse(err, "/error",
                      result != CUPEL_NO_NODE
                          ? "the response has a result and an error"
                          : "the response is an error and holds no list of tools");
    if (fields[JSONRPC] == CUPEL_NO_NODE && result == CUPEL_NO_NODE)
        return fields[LOCK] == CUPEL_NO_NODE
                   ? CUPEL_OK
                   : refuse(err, "/cupelLock", "the text is a lock file, not a list of tools");
    if (fields[JSONRPC] != CUPEL_NO_NODE && !cupel_json_is(doc, fields[JSONRPC], "2.0"))
        return refuse(err, "/jsonrpc", "jsonrpc is not \"2.0\"");
    if (fields[METHOD] != CUPEL_NO_NODE)
        return refuse(err, "/method", "the message is a request, or a response with a method");
    if (fields[TOOLS] != CUPEL_NO_NODE)
        return refuse(err, "/tools", "tools stands beside the result of a response");
    if (fields[NEXT_CURSOR] != CUPEL_NO_NODE)
        return refuse(err, "/nextCursor", "nextCursor stands beside the result of a response");
    if (result == CUPEL_NO_NODE)
        return refuse(err, "", "the text holds no list of tools");
    if (cupel_json_type(doc, result) != CUPEL_JSON_OBJECT)
        return refuse(err, "/result", "the result is not an object");
    read_fields(doc, result, fields);
    return check_names(doc, result, CUPEL_PLACE_RESULT, "/result", err);
}

/* Reads cacheScope and ttlMs.  Invalid values count as the most restrictive: private, 0. */
static void read_caching(struct cupel_document *doc, const uint32_t fields[FIELDS],
                         struct cupel_list_page *page)
{
    if (fields[CACHE_SCOPE] != CUPEL_NO_NODE)
        page->cache_scope = cupel_json_is(doc, fields[CACHE_SCOPE], "public") ? CUPEL_CACHE_PUBLIC
                                                                              : CUPEL_CACHE_PRIVATE;
    page->ttl_ms = -1;
    if (fields[TTL] != CUPEL_NO_NODE &&
        (cupel_json_integer(doc, fields[TTL], &page->ttl_ms) != 0 || page->ttl_ms < 0))
        page->ttl_ms = 0;
}

enum cupel_status cupel_list_page_read(struct cupel_document *doc, struct cupel_list_page *ret,
                                       struct cupel_error *err)
{
    if (doc == NULL || ret == NULL)
        return cupel__mcp_refuse_null(err);
    struct cupel_list_page page = {.ttl_ms = -1};
    uint32_t fields[FIELDS];
    if (cupel_json_type(doc, 0) == CUPEL_JSON_ARRAY) {
        *ret = page; /* an array of tools: node 0 */
        return CUPEL_OK;
    }
    enum cupel_status status = find_result(doc, fields, err);
    if (status != CUPEL_OK)
        return status;
    page.tools = fields[TOOLS];
    if (page.tools == CUPEL_NO_NODE || cupel_json_type(doc, page.tools) != CUPEL_JSON_ARRAY)
        return refuse(err, "", "the text holds no list of tools");
    uint32_t cursor = fields[NEXT_CURSOR];
    if (cursor != CUPEL_NO_NODE && cupel_json_type(doc, cursor) == CUPEL_JSON_NULL)
        page.null_cursor = 1;
    else if (cursor != CUPEL_NO_NODE)
        page.next_cursor = cupel_json_string(doc, cursor, &page.next_cursor_len);
    if (cursor != CUPEL_NO_NODE && !page.null_cursor && page.next_cursor == NULL)
        return refuse(err,
                      cupel_json_member(doc, 0, "result", 6) != CUPEL_NO_NODE ? "/result/nextCursor"
                                                                              : "/nextCursor",
                      "nextCursor is not a string");
    read_caching(doc, fields, &page);
    *ret = page;
    return CUPEL_OK;
}
