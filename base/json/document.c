/* document.c: the public interface of documents (include/cupel/json.h) over the tape.
 *
 * A node of the interface is the index of a tape node, and stays valid until the next read.  The
 * accessors cost a few loads, except those that are noted below; reading is json/read.c's. */
#include "base/json/document.h"
#include "base/error.h"
#include "base/json/equal.h"
#include "base/options.h"
#include <cupel/debug.h>
#include <string.h>

void cupel__document_init(struct cupel_document *d, const struct cupel_options *options)
{
    uint32_t flags = 0;
    if (options->flags & CUPEL_ALLOW_DUPLICATE_KEYS)
        flags |= CUPEL__READ_DUPLICATES;
    if (options->flags & CUPEL_ALLOW_BOM)
        flags |= CUPEL__READ_BOM;
    if (options->flags & CUPEL_INPUT_PADDED)
        flags |= CUPEL__READ_PADDED;
    if (options->flags & CUPEL_NO_SIMD)
        flags |= CUPEL__READ_PORTABLE;
    d->read = (struct cupel__read_options){
        .flags = flags,
        .max_depth = (uint32_t)options->limits[CUPEL_LIMIT_DEPTH],
        .max_number = (uint32_t)options->limits[CUPEL_LIMIT_NUMBER_CHARS],
        .max_bytes = (size_t)options->limits[CUPEL_LIMIT_BODY_BYTES]};
    cupel__doc_init(&d->doc, &options->alloc);
    d->build = (struct cupel__build){.status = CUPEL_E_ARGUMENT, .open = UINT32_MAX};
}

enum cupel_status cupel_document_new(const struct cupel_options *given, struct cupel_document **ret)
{
    struct cupel_options options;
    if (ret == NULL)
        return CUPEL_E_ARGUMENT;
    enum cupel_status status = cupel__options_copy(given, &options, NULL);
    if (status != CUPEL_OK)
        return status;
    struct cupel_document *d = cupel__realloc(&options.alloc, NULL, 0, sizeof *d);
    if (d == NULL)
        return CUPEL_E_NO_MEMORY;
    cupel__document_init(d, &options);
    *ret = d;
    return CUPEL_OK;
}

void cupel_document_free(struct cupel_document *d)
{
    if (d == NULL)
        return;
    struct cupel_alloc alloc = d->doc.alloc;
    cupel__doc_free(&d->doc);
    cupel__free(&alloc, d, sizeof *d);
}

enum cupel_status cupel_document_read(struct cupel_document *d, const char *text, size_t len,
                                      struct cupel_error *err)
{
    if (d == NULL || d->doc.in_callback || (text == NULL && len != 0))
        return cupel__error_set(err, CUPEL_E_ARGUMENT,
                                "no document, no text, or a document in use");
    return cupel__json_read(&d->doc, text, len, &d->read, err);
}

/* The interface has six types; the tape tells numbers and strings apart further. */
enum cupel_json_type cupel_json_type(const struct cupel_document *d, uint32_t node)
{
    if (d == NULL)
        return CUPEL_JSON_NULL;
    static const uint8_t types[CUPEL__TYPES] = {
        [CUPEL__NULL] = CUPEL_JSON_NULL,      [CUPEL__FALSE] = CUPEL_JSON_BOOLEAN,
        [CUPEL__TRUE] = CUPEL_JSON_BOOLEAN,   [CUPEL__INT] = CUPEL_JSON_NUMBER,
        [CUPEL__BIGINT] = CUPEL_JSON_NUMBER,  [CUPEL__INTREAL] = CUPEL_JSON_NUMBER,
        [CUPEL__REAL] = CUPEL_JSON_NUMBER,    [CUPEL__STRING] = CUPEL_JSON_STRING,
        [CUPEL__ESCAPED] = CUPEL_JSON_STRING, [CUPEL__ARRAY] = CUPEL_JSON_ARRAY,
        [CUPEL__OBJECT] = CUPEL_JSON_OBJECT,
    };
    return (enum cupel_json_type)types[d->doc.nodes[node].type];
}

uint32_t cupel_json_count(const struct cupel_document *d, uint32_t node)
{
    if (d == NULL)
        return 0;
    const struct cupel__node *n = &d->doc.nodes[node];
    return n->type >= CUPEL__ARRAY ? n->count : 0;
}

uint32_t cupel_json_first(const struct cupel_document *d, uint32_t node)
{
    return cupel_json_count(d, node) > 0 ? node + 1 : CUPEL_NO_NODE;
}

/* The node after the last child of a container is the container's end. */
uint32_t cupel_json_next(const struct cupel_document *d, uint32_t parent, uint32_t node)
{
    if (d == NULL)
        return CUPEL_NO_NODE;
    uint32_t next = cupel__node_next(d->doc.nodes, node);
    return next < d->doc.nodes[parent].end ? next : CUPEL_NO_NODE;
}

uint32_t cupel_json_next_name(struct cupel_document *d, uint32_t root, uint32_t node,
                              const char **ret_name, size_t *ret_len)
{
    if (d == NULL || ret_name == NULL || ret_len == NULL)
        return CUPEL_NO_NODE;
    const struct cupel__node *nodes = d->doc.nodes;
    uint32_t end = cupel__node_next(nodes, root);
    *ret_name = NULL;
    *ret_len = 0;
    for (uint32_t i = node + 1; i < end; i++) {
        if (nodes[i].type != CUPEL__STRING || (nodes[i].flags & CUPEL__KEY) == 0)
            continue;
        *ret_name = d->doc.base[nodes[i].flags >> 1 & 1] + nodes[i].off; /* names are decoded */
        *ret_len = nodes[i].len;
        return i;
    }
    return CUPEL_NO_NODE;
}

/* Looks at each member in turn. */
uint32_t cupel_json_member(struct cupel_document *d, uint32_t node, const char *key, size_t len)
{
    if (d == NULL || (key == NULL && len > 0))
        return CUPEL_NO_NODE;
    if (d->doc.nodes[node].type != CUPEL__OBJECT)
        return CUPEL_NO_NODE;
    uint32_t value = cupel__doc_member(&d->doc, node, (struct cupel__str){key, len});
    return value != 0 ? value : CUPEL_NO_NODE;
}

/* May decode the string in place, for which the document is not const. */
const char *cupel_json_string(struct cupel_document *d, uint32_t node, size_t *ret_len)
{
    if (d == NULL || ret_len == NULL)
        return NULL;
    struct cupel__node *n = &d->doc.nodes[node];
    *ret_len = 0;
    if ((CUPEL__BIT(n->type) & CUPEL__M_STRING) == 0)
        return NULL;
    struct cupel__str s = cupel__doc_str(&d->doc, n);
    *ret_len = s.n;
    return s.p;
}

int cupel_json_is(struct cupel_document *d, uint32_t node, const char *text)
{
    if (text == NULL)
        return 0;
    size_t len;
    const char *s = cupel_json_string(d, node, &len);
    return s != NULL && len == strlen(text) && memcmp(s, text, len) == 0;
}

int cupel_json_boolean(const struct cupel_document *d, uint32_t node)
{
    if (d == NULL)
        return -1;
    switch (d->doc.nodes[node].type) {
    case CUPEL__TRUE:
        return 1;
    case CUPEL__FALSE:
        return 0;
    default:
        return -1;
    }
}

/* 1.0 and 1e3 are integers too (JSON Schema validation 6.1.1). */
int cupel_json_integer(const struct cupel_document *d, uint32_t node, int64_t *ret)
{
    if (d == NULL || ret == NULL)
        return -1;
    const struct cupel__node *n = &d->doc.nodes[node];
    if ((n->type != CUPEL__INT && n->type != CUPEL__INTREAL) || (n->flags & CUPEL__BIG))
        return -1;
    *ret = n->i;
    return 0;
}

/* Of a container, takes time in proportion to its children. */
const char *cupel_json_span(const struct cupel_document *d, uint32_t node, size_t *ret_len)
{
    if (d == NULL || ret_len == NULL)
        return NULL;
    struct cupel__str s = cupel__doc_span(&d->doc, node);
    *ret_len = s.n;
    return s.p;
}

uint64_t cupel_json_offset(const struct cupel_document *d, uint32_t node)
{
    if (d == NULL)
        return 0;
    return cupel__doc_offset(&d->doc, node);
}

/* Counts line and column from the first byte. */
void cupel_json_place(const struct cupel_document *d, uint32_t node, uint64_t *ret_offset,
                      uint32_t *ret_line, uint32_t *ret_column)
{
    if (d == NULL || ret_offset == NULL || ret_line == NULL || ret_column == NULL)
        return;
    struct cupel_error place;
    size_t offset = cupel__doc_offset(&d->doc, node);
    cupel__error_set_position(&place, d->doc.base[0], d->doc.len, offset);
    *ret_offset = offset;
    *ret_line = place.line;
    *ret_column = place.column;
}

/* Without a budget: the host has bounded both documents. */
int cupel_json_equal(struct cupel_document *a, uint32_t node_a, struct cupel_document *b,
                     uint32_t node_b)
{
    if (a == NULL || b == NULL)
        return -1;
    struct cupel__budget budget = {.remaining = INT64_MAX};
    return cupel__json_equal(&a->doc, node_a, &b->doc, node_b, &budget);
}
