/* rebuild.h: a document built again from the values of another one, by the public interface. */
#ifndef CUPEL_TEST_REBUILD_H
#define CUPEL_TEST_REBUILD_H

#include <cupel/json.h>
#include <string.h>

static inline void rebuild_scalar(struct cupel_document *from, uint32_t node,
                                  struct cupel_document *to)
{
    size_t len;
    int64_t integer;
    const char *text;
    switch (cupel_json_type(from, node)) {
    case CUPEL_JSON_NULL:
        (void)cupel_document_add_null(to);
        return;
    case CUPEL_JSON_BOOLEAN:
        (void)cupel_document_add_boolean(to, cupel_json_boolean(from, node));
        return;
    case CUPEL_JSON_STRING:
        text = cupel_json_string(from, node, &len);
        (void)cupel_document_add_string(to, text, len);
        return;
    default:
        text = cupel_json_span(from, node, &len);
        if (cupel_json_integer(from, node, &integer) == 0 && len < 19 && text[0] != '-' &&
            memchr(text, '.', len) == NULL && memchr(text, 'e', len) == NULL &&
            memchr(text, 'E', len) == NULL)
            (void)cupel_document_add_integer(to, integer);
        else
            (void)cupel_document_add_number(to, text, len);
    }
}

/* Adds the value of a node, at most 256 levels deep. */
static inline void rebuild_value(struct cupel_document *from, uint32_t node,
                                 struct cupel_document *to)
{
    uint32_t open[256], child[256], depth = 0;
    for (;;) {
        enum cupel_json_type type = cupel_json_type(from, node);
        if (type == CUPEL_JSON_ARRAY || type == CUPEL_JSON_OBJECT) {
            (void)(type == CUPEL_JSON_ARRAY ? cupel_document_open_array(to)
                                            : cupel_document_open_object(to));
            open[depth] = node;
            child[depth++] = cupel_json_first(from, node);
        } else {
            rebuild_scalar(from, node, to);
        }
        while (depth > 0 && child[depth - 1] == CUPEL_NO_NODE) {
            (void)cupel_document_close(to);
            depth--;
        }
        if (depth == 0)
            return;
        uint32_t parent = open[depth - 1];
        node = child[depth - 1];
        if (cupel_json_type(from, parent) == CUPEL_JSON_OBJECT) {
            size_t len;
            const char *name = cupel_json_string(from, node, &len);
            (void)cupel_document_add_name(to, name, len);
            node++;
        }
        child[depth - 1] = cupel_json_next(from, parent, node);
    }
}

#endif
