/* cursor.c: positions of nodes in document order (json/cursor.h).
 *
 * `level` is a stack: the step from each container on the path to its child, with the child's
 * index. Seeking pops the containers that the node is not in and counts on from where the remaining
 * level stands. */
#include "base/json/cursor.h"
#include "base/error.h"
#include "base/utf8.h"
#include <string.h>

/* The charges: a step for each sibling, and for so many bytes of text. */
enum { BYTES_A_STEP = 8, STEPS_A_CALL = 4 };

size_t cupel__cursor_size(uint32_t depth)
{
    const uint32_t levels = depth < CUPEL__CURSOR_LEVELS ? depth + 1 : CUPEL__CURSOR_LEVELS;
    return sizeof(struct cupel__cursor) + levels * sizeof(struct cupel__level);
}

void cupel__cursor_begin(struct cupel__cursor *c, size_t size, const struct cupel__doc *doc,
                         uint32_t root, int64_t steps)
{
    *c = (struct cupel__cursor){.doc = doc,
                                .root = root,
                                .max_levels =
                                    (uint32_t)((size - sizeof *c) / sizeof(struct cupel__level)),
                                .remaining = steps,
                                .span_node = UINT32_MAX,
                                .line = 1,
                                .column = 1};
}

/* -- Seeking ----------------------------------------------------------------------------------- */

/* Pops the containers that the node is not in. */
static void leave(struct cupel__cursor *c, uint32_t node)
{
    const struct cupel__node *nodes = c->doc->nodes;
    while (c->nlevels > 0) {
        const uint32_t container = c->level[c->nlevels - 1].container;
        if (container < node && node < nodes[container].end)
            return;
        c->nlevels--;
    }
}

/* Moves a level to the child that contains the node or is it: onwards from its child, or from the
 * first child if the node is before it. */
static void advance(struct cupel__cursor *c, struct cupel__level *level, uint32_t node)
{
    const struct cupel__node *nodes = c->doc->nodes;
    const uint32_t key = nodes[level->container].type == CUPEL__OBJECT;
    uint32_t next, index;
    if (node < level->child) {
        level->child = level->container + 1;
        level->index = 0;
    }
    index = level->index;
    while ((next = cupel__node_next(nodes, level->child + key)) <= node) {
        level->child = next;
        level->index++;
    }
    c->remaining -= level->index - index;
}

/* The node that a level leads to: the value of a member, unless its key is sought. */
static uint32_t target(const struct cupel__cursor *c, const struct cupel__level *level,
                       uint32_t node)
{
    const bool object = c->doc->nodes[level->container].type == CUPEL__OBJECT;
    return level->child == node ? node : level->child + object;
}

/* Pushes a level for each container on the path to the node, onwards from the innermost one that
 * the last seek left and that contains the node: `inside` says that this level exists already. */
bool cupel__cursor_seek(struct cupel__cursor *c, uint32_t node)
{
    c->remaining -= STEPS_A_CALL;
    c->deep = false;
    leave(c, node);
    uint32_t at = c->nlevels > 0 ? c->level[c->nlevels - 1].container : c->root;
    bool inside = c->nlevels > 0;
    while (at != node && c->remaining > 0 && !c->deep) {
        c->deep = !inside && c->nlevels == c->max_levels;
        if (c->deep)
            break;
        if (!inside)
            c->level[c->nlevels++] = (struct cupel__level){at, at + 1, 0};
        inside = false;
        advance(c, &c->level[c->nlevels - 1], node);
        at = target(c, &c->level[c->nlevels - 1], node);
        c->remaining--;
    }
    return at == node || c->deep;
}

/* -- Places ------------------------------------------------------------------------------------ */

/* Charges the steps on the path and the bytes written. */
void cupel__cursor_pointer(struct cupel__cursor *c, uint32_t node, struct cupel__pointer *to)
{
    const size_t before = to->n;
    const bool found = cupel__cursor_seek(c, node);
    for (uint32_t i = 0; found && i < c->nlevels && !to->cut; i++) {
        const struct cupel__level *level = &c->level[i];
        if (c->doc->nodes[level->container].type == CUPEL__OBJECT)
            cupel__pointer_name(to, cupel__node_str(c->doc, &c->doc->nodes[level->child]));
        else
            cupel__pointer_index(to, level->index);
        c->remaining--;
    }
    to->cut |= !found || c->deep;
    c->remaining -= (int64_t)((to->n - before) / BYTES_A_STEP);
}

/* Moves line and column back to an earlier byte.  On another line the column is counted from the
 * start of that line. */
static void line_back(struct cupel__cursor *c, size_t offset)
{
    const char *text = c->doc->base[0], *const to = text + offset, *const from = text + c->offset;
    const char *p = to, *start = to;
    const uint32_t line = c->line;
    while ((p = memchr(p, '\n', (size_t)(from - p))) != NULL) {
        c->line--;
        p++;
    }
    if (c->line == line) {
        c->column -= (uint32_t)cupel__utf8_count(to, (size_t)(from - to));
    } else {
        while (start > text && start[-1] != '\n')
            start--;
        c->column = 1 + (uint32_t)cupel__utf8_count(start, (size_t)(to - start));
    }
    c->remaining -= (from - start) / BYTES_A_STEP;
}

void cupel__cursor_line(struct cupel__cursor *c, size_t offset, uint32_t *ret_line,
                        uint32_t *ret_column)
{
    const char *text = c->doc->base[0];
    c->remaining -= STEPS_A_CALL;
    if (offset < c->offset / 2) { /* nearer to the first byte */
        c->offset = 0;
        c->line = c->column = 1;
    }
    if (offset < c->offset) {
        line_back(c, offset);
    } else {
        cupel__advance_position(text + c->offset, offset - c->offset, &c->line, &c->column);
        c->remaining -= (int64_t)((offset - c->offset) / BYTES_A_STEP);
    }
    c->offset = offset;
    *ret_line = c->line;
    *ret_column = c->column;
}

/* The end of a container takes a traversal to find, so that of the last node is kept: messages ask
 * for the same span several times. */
struct cupel__str cupel__cursor_span(struct cupel__cursor *c, uint32_t node)
{
    const char *from = c->doc->base[0] + cupel__doc_offset(c->doc, node);
    c->remaining -= STEPS_A_CALL;
    if (node != c->span_node) {
        int64_t steps = 0;
        struct cupel__str span = cupel__doc_span_counted(c->doc, node, &steps);
        c->remaining -= steps;
        c->span_node = node;
        c->span_end = (size_t)(span.p - c->doc->base[0]) + span.n;
    }
    return (struct cupel__str){from, c->span_end - (size_t)(from - c->doc->base[0])};
}
