/* cursor.h: where the nodes of a document are, one after the other.
 *
 * The place of a node among its siblings, and its line, are not on the tape: they are counted.  A
 * cursor keeps what it counted for the last node, so that the places of nodes in the order of the
 * document cost no more in all than one pass over it; any other order costs more, and every sibling
 * and byte that is counted is charged to `remaining`. */
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
    uint32_t root;    /* places are below this node */
    uint32_t nlevels; /* steps from the root to the last node that was looked for */
    uint32_t max_levels;
    bool deep; /* that node is deeper than there are levels: the steps lead to one around it */
    int64_t remaining; /* steps that may be spent; below zero when they are gone */
    uint32_t
        span_node; /* the container whose end was looked for last, and the offset of that end */
    size_t span_end;
    size_t offset; /* line and column of this byte are known */
    uint32_t line, column;
    struct cupel__level level[];
};

/* Of the levels of one cursor: the steps of deeper nodes are not kept. */
enum { CUPEL__CURSOR_LEVELS = 4096 };

/* The bytes of a cursor for documents of so many levels. */
size_t cupel__cursor_size(uint32_t depth);
/* Begins at a node; `size` is that of the memory, as cupel__cursor_size gave it. */
void cupel__cursor_begin(struct cupel__cursor *, size_t size, const struct cupel__doc *,
                         uint32_t root, int64_t steps);

/* Finds a node below the root: a value, or a key.  False if the steps are gone before that. */
bool cupel__cursor_seek(struct cupel__cursor *, uint32_t node);
/* Appends the JSON Pointer from the root to a node; "…" ends one that is cut, by the bound of the
 * pointer, for want of steps or of levels. */
void cupel__cursor_pointer(struct cupel__cursor *, uint32_t node, struct cupel__pointer *);
/* Line and column of a byte of the text, counted from 1. */
void cupel__cursor_line(struct cupel__cursor *, size_t offset, uint32_t *ret_line,
                        uint32_t *ret_column);
/* The text of a node, as cupel__doc_span gives it. */
struct cupel__str cupel__cursor_span(struct cupel__cursor *, uint32_t node);

#endif
