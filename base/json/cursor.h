/* cursor.h: positions of nodes: JSON Pointers, lines and columns, spans.
 *
 * The tape has neither the index of an item nor the line of a node; both are counted.  A cursor
 * keeps the counts of the last node, so that the positions of nodes in document order take one pass
 * over the document in all.  Lines also go back from there, or on from the first byte, whichever is
 * nearer; siblings cannot be visited backwards, so an earlier index is counted from the first
 * child.  Every sibling and byte that is counted is charged to `remaining`. */
#ifndef CUPEL_BASE_JSON_CURSOR_H
#define CUPEL_BASE_JSON_CURSOR_H

#include "base/json/tape.h"
#include "base/pointer.h"

/* A step from a container to a child. */
struct cupel__level {
    uint32_t container;
    uint32_t child; /* the item, or the key of the member */
    uint32_t index; /* its position among the children */
};

struct cupel__cursor {
    const struct cupel__doc *doc;
    uint32_t root;    /* pointers begin at this node */
    uint32_t nlevels; /* steps from the root to the last node that was sought */
    uint32_t max_levels;
    bool deep;          /* that node is deeper than max_levels: the steps lead to an ancestor */
    int64_t remaining;  /* steps that may be spent; at or below zero when they are gone */
    uint32_t span_node; /* the node whose span was sought last, and the offset of its end */
    size_t span_end;
    size_t offset; /* of the byte whose line and column are known */
    uint32_t line, column;
    struct cupel__level level[];
};

/* The most levels of a cursor; the pointer of a deeper node is cut. */
enum { CUPEL__CURSOR_LEVELS = 4096 };

/* The bytes of a cursor for a document of this depth. */
size_t cupel__cursor_size(uint32_t depth);
/* Starts a cursor in memory of `size` bytes, as cupel__cursor_size gave them. */
void cupel__cursor_begin(struct cupel__cursor *, size_t size, const struct cupel__doc *,
                         uint32_t root, int64_t steps);

/* Moves to a node below the root: a value, or a key.  False if the steps do not suffice. */
bool cupel__cursor_seek(struct cupel__cursor *, uint32_t node);
/* Appends the JSON Pointer from the root to a node.  Sets `cut` of the pointer if its bound, the
 * steps or the levels do not suffice. */
void cupel__cursor_pointer(struct cupel__cursor *, uint32_t node, struct cupel__pointer *);
/* Line and column of a byte of the text, both counted from 1. */
void cupel__cursor_line(struct cupel__cursor *, size_t offset, uint32_t *ret_line,
                        uint32_t *ret_column);
/* The text of a node, as cupel__doc_span gives it. */
struct cupel__str cupel__cursor_span(struct cupel__cursor *, uint32_t node);

#endif
