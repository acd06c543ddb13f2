/* lookup.c: accessors of a finished document that are not inline: the member of a name, the value
 * of a number, the text of a node, the JSON Pointer of a node.
 *
 * The VM's loop calls only the first two.  Text and pointer traverse parts of the tape and serve
 * messages and errors. */
#include "base/decimal.h"
#include "base/json/reader.h"
#include "base/pointer.h"

/* Whether n bytes are equal.  Up to 16 bytes, as nearly all names have, are compared by two loads
 * that overlap, without a call. */
static bool same_bytes(const char *a, const char *b, size_t n)
{
    if (n > 16)
        return memcmp(a, b, n) == 0;
    if (n >= 8)
        return cupel__load64(a) == cupel__load64(b) &&
               cupel__load64(a + n - 8) == cupel__load64(b + n - 8);
    if (n >= 4)
        return cupel__load32(a) == cupel__load32(b) &&
               cupel__load32(a + n - 4) == cupel__load32(b + n - 4);
    while (n > 0 && a[n - 1] == b[n - 1])
        n--;
    return n == 0;
}

uint32_t cupel__doc_member(struct cupel__doc *doc, uint32_t i, struct cupel__str key)
{
    const struct cupel__node *nodes = doc->nodes;
    if (nodes[i].type != CUPEL__OBJECT)
        return 0;
    for (uint32_t k = i + 1; k < nodes[i].end; k = cupel__node_next(nodes, k + 1)) {
        if (nodes[k].len == key.n &&
            same_bytes(cupel__node_str(doc, &doc->nodes[k]).p, key.p, key.n))
            return k + 1;
    }
    return 0;
}

/* -- The text of a node ------------------------------------------------------------------------ */

/* The offset after a string and its closing quote. */
static uint32_t string_end(const struct cupel__doc *doc, const struct cupel__node *node)
{
    const char *text = doc->base[0];
    if (!(node->flags & CUPEL__DECODED))
        return node->off + node->len + 1;
    uint32_t i = node->src;
    while (text[i] != '"')
        i += text[i] == '\\' ? 2 : 1;
    return i + 1;
}

/* Whether a number may contain this byte. */
static bool is_of_number(char c)
{
    return (unsigned char)(c - '0') < 10 || c == '-' || c == '+' || c == '.' || (c | 0x20) == 'e';
}

/* The offset after a value that is no container. */
static uint32_t scalar_end(const struct cupel__doc *doc, const struct cupel__node *node)
{
    switch (node->type) {
    case CUPEL__NULL:
    case CUPEL__TRUE:
        return node->off + 4;
    case CUPEL__FALSE:
        return node->off + 5;
    case CUPEL__STRING:
    case CUPEL__ESCAPED:
        return string_end(doc, node);
    default:
        break;
    }
    uint32_t i = node->off;
    while (i < doc->len && is_of_number(doc->base[0][i]))
        i++;
    return i;
}

bool cupel__doc_decimal(const struct cupel__doc *doc, const struct cupel__node *n,
                        struct cupel__dec *ret)
{
    if (n->flags & CUPEL__BIG)
        return cupel__dec_parse(doc->base[0] + n->off, scalar_end(doc, n) - n->off, ret);
    *ret = (struct cupel__dec){.i = n->i, .exp = n->exp};
    return true;
}

/* The last child of a container that is not empty; adds the siblings passed to *steps. */
static uint32_t last_child(const struct cupel__node *nodes, uint32_t i, int64_t *steps)
{
    const uint32_t key = nodes[i].type == CUPEL__OBJECT;
    uint32_t child = i + 1 + key;
    *steps += nodes[i].count;
    for (uint32_t next; (next = cupel__node_next(nodes, child)) < nodes[i].end; child = next + key)
        ;
    return child;
}

/* The offset after a container.  The tape does not have the position of its closing bracket; but
 * between its last descendant and that bracket there are only white space and the brackets of the
 * containers that end with it, each the last child of the next.  So this finds the last descendant,
 * counting containers on the way, and skips as many brackets. */
static uint32_t container_end(const struct cupel__doc *doc, uint32_t i, int64_t *steps)
{
    const struct cupel__node *nodes = doc->nodes;
    uint32_t brackets = 1, last = i;
    while (nodes[last].count > 0) {
        last = last_child(nodes, last, steps);
        if (nodes[last].type < CUPEL__ARRAY)
            break;
        brackets++;
    }
    bool empty = nodes[last].type >= CUPEL__ARRAY;
    uint32_t at = empty ? nodes[last].off + 1 : scalar_end(doc, &nodes[last]);
    for (; brackets > 0; at++)
        brackets -= !cupel__is_space(doc->base[0][at]);
    return at;
}

uint32_t cupel__doc_offset(const struct cupel__doc *doc, uint32_t i)
{
    const struct cupel__node *node = &doc->nodes[i];
    bool string = node->type == CUPEL__STRING || node->type == CUPEL__ESCAPED;
    return string ? cupel__node_src(node) - 1 : node->off;
}

struct cupel__str cupel__doc_span_counted(const struct cupel__doc *doc, uint32_t i, int64_t *steps)
{
    enum { BYTES_A_STEP = 16 };
    const struct cupel__node *node = &doc->nodes[i];
    uint32_t from = cupel__doc_offset(doc, i);
    uint32_t to = node->type >= CUPEL__ARRAY ? container_end(doc, i, steps) : scalar_end(doc, node);
    *steps += (to - from) / BYTES_A_STEP;
    return (struct cupel__str){doc->base[0] + from, to - from};
}

struct cupel__str cupel__doc_span(const struct cupel__doc *doc, uint32_t i)
{
    int64_t steps = 0;
    return cupel__doc_span_counted(doc, i, &steps);
}

/* -- JSON Pointer (RFC 6901) ------------------------------------------------------------------- */

/* Writes the step from container c towards node i in it; returns the child that it leads to. */
static uint32_t put_step(const struct cupel__doc *doc, uint32_t c, uint32_t i,
                         struct cupel__pointer *to)
{
    const struct cupel__node *nodes = doc->nodes;
    bool object = nodes[c].type == CUPEL__OBJECT;
    uint32_t child = c + 1, place = 0;
    for (uint32_t next; (next = cupel__node_next(nodes, child + object)) <= i; child = next)
        place++;
    if (object)
        cupel__pointer_name(to, cupel__node_str(doc, &doc->nodes[child]));
    else
        cupel__pointer_index(to, place);
    return child == i ? i : child + object;
}

static void put_pointer(const struct cupel__doc *doc, uint32_t i, struct cupel__pointer *to)
{
    for (uint32_t c = 0; c != i;)
        c = put_step(doc, c, i, to);
}

void cupel__doc_pointer(struct cupel__doc *doc, uint32_t i, struct cupel_text *buf)
{
    struct cupel__pointer to = {.text = buf, .max = SIZE_MAX};
    put_pointer(doc, i, &to);
}

size_t cupel__pointer_write(const struct cupel__doc *doc, uint32_t i, char *p, size_t size)
{
    struct cupel__pointer to = {.array = p, .max = size};
    put_pointer(doc, i, &to);
    return to.n;
}
