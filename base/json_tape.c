/* json_tape.c: stage 2 of the JSON reader: the index to the tape, and with it the grammar (RFC
 * 8259).
 *
 * One loop goes over the index and writes a node for each value and each key.  Whatever it needs to
 * remember lies in memory that is not used yet or not any more.  The stack of open containers is
 * the tape: until a container is closed, its `end` is the container around it.  The stack of keys,
 * which are compared when their object is closed, is the part of the index that has been read: a
 * key on it takes two entries and has cost at least three.
 *
 * Numbers, escapes and what is unusual about keys are left to other files. */
#include "json_internal.h"

/* What the loop keeps; a local of cupel__tape_build. */
struct tape {
    struct cupel__reader *r;
    const char *text;
    uint32_t *index;
    uint32_t n; /* entries of the index */
    uint32_t i; /* the next entry */
    struct cupel__node *nodes;
    struct cupel__node *node; /* the next one to write */

    uint32_t open;  /* the innermost open container, or CUPEL__NO_NODE */
    uint32_t count; /* of its members or items before this one */
    char closer;    /* } or ], by which it is closed */
    uint32_t depth, deepest;
    uint32_t keys; /* on the stack */
};

enum { FAILED = -1, NEXT_VALUE, NEXT_KEY, AFTER_VALUE, DONE };

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* -- Errors -------------------------------------------------------------------------------------
 */

/* The failing functions note what the pointer of the error names: a node, or the value that was
 * being read when there is none yet (cupel__reader.where). */

ALWAYS_INLINE int fail_at(struct tape *t, uint32_t where, enum cupel_status status, uint32_t offset,
                          const char *detail)
{
    t->r->where = where;
    cupel__reader_fail(t->r, status, offset, detail);
    return FAILED;
}

ALWAYS_INLINE int fail_value(struct tape *t, enum cupel_status status, uint32_t offset,
                             const char *detail)
{
    return fail_at(t, (uint32_t)(t->node - t->nodes), status, offset, detail);
}

ALWAYS_INLINE int fail_container(struct tape *t, uint32_t offset, const char *detail)
{
    return fail_at(t, t->open, CUPEL_E_SYNTAX, offset, detail);
}

ALWAYS_INLINE int fail_end(struct tape *t, uint32_t where)
{
    t->r->where = where;
    cupel__reader_fail_end(t->r);
    return FAILED;
}

/* -- Scalars ------------------------------------------------------------------------------------
 */

/* Whether a token without quotes ends at `end`: there is white space or the next token. */
ALWAYS_INLINE bool token_ends(const struct tape *t, uint32_t end)
{
    return end == t->index[t->i] || cupel__is_space(t->text[end]);
}

ALWAYS_INLINE int read_escaped(struct tape *t, unsigned flags, uint32_t at)
{
    struct cupel__node *node = t->node;
    *node = (struct cupel__node){.type = CUPEL__STRING, .flags = (uint8_t)flags, .off = at + 1};
    node->src = at + 1;
    t->r->where = flags & CUPEL__KEY ? t->open : (uint32_t)(node - t->nodes);
    uint32_t next = cupel__string_read(t->r, node, t->i);
    if (next == 0)
        return FAILED;
    t->i = next;
    t->node++;
    return AFTER_VALUE;
}

/* A string whose opening quote is at `at`.  If it has no closing quote, t->i is past the end of the
 * index afterwards, and whoever looks for the next token finds out. */
ALWAYS_INLINE int read_string(struct tape *t, unsigned flags, uint32_t at)
{
    uint32_t close = t->index[t->i];
    if (t->text[close] == '\\')
        return read_escaped(t, flags, at);
    t->i++;
    struct cupel__node *node = t->node++;
    *node = (struct cupel__node){.type = CUPEL__STRING, .flags = (uint8_t)flags, .off = at + 1};
    node->len = close - at - 1;
    node->src = at + 1;
    return AFTER_VALUE;
}

ALWAYS_INLINE int read_number(struct tape *t, uint32_t at)
{
    struct cupel__node *node = t->node;
    const char *p = t->text + at, *end = cupel__number_read(p, node);
    if (end == NULL || !token_ends(t, (uint32_t)(end - t->text)))
        return fail_value(t, CUPEL_E_SYNTAX, at, "this is not a number of JSON");
    if ((size_t)(end - p) > t->r->options->max_number)
        return fail_value(t, CUPEL_E_NUMBER_SIZE, at, "the number has too many characters");
    node->off = at;
    t->node++;
    return AFTER_VALUE;
}

ALWAYS_INLINE int read_literal(struct tape *t, enum cupel__type type, const char *word, uint32_t n,
                               uint32_t at)
{
    if (memcmp(t->text + at, word, n) != 0 || !token_ends(t, at + n))
        return fail_value(t, CUPEL_E_SYNTAX, at, "expected a value");
    *t->node++ = (struct cupel__node){.type = (uint8_t)type, .off = at};
    return AFTER_VALUE;
}

/* -- Keys ---------------------------------------------------------------------------------------
 */

/* Equal for equal names.  Made of the length and the first and last eight bytes; the text and the
 * side buffer are padded, so eight bytes can always be read, and those past a short name are cut.
 */
ALWAYS_INLINE uint32_t hash_name(const char *p, uint32_t n)
{
    uint64_t mask = n >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * n) - 1;
    uint64_t first = cupel__load64(p) & mask;
    uint64_t last = cupel__load64(n >= 8 ? p + n - 8 : p) & mask;
    uint64_t mixed = (first * 0x9e3779b97f4a7c15u) ^ ((last + n) * 0xc2b2ae3d27d4eb4fu);
    return (uint32_t)(mixed >> 32);
}

ALWAYS_INLINE void push_key(struct tape *t)
{
    const struct cupel__node *key = t->node - 1;
    const char *base = t->text;
    if (__builtin_expect(key->flags & CUPEL__DECODED, 0))
        base = t->r->doc->side;
    uint32_t *pair = t->index + 2 * (size_t)t->keys++;
    pair[0] = hash_name(base + key->off, key->len);
    pair[1] = (uint32_t)(key - t->nodes);
}

/* A member's name and the colon. */
ALWAYS_INLINE int read_key(struct tape *t)
{
    if (t->i >= t->n)
        return fail_end(t, t->open);
    uint32_t at = t->index[t->i++];
    if (t->text[at] != '"')
        return fail_container(t, at, "expected a member's name in quotes");
    if (read_string(t, CUPEL__KEY, at) == FAILED)
        return FAILED;
    if (t->i >= t->n)
        return fail_end(t, t->open);
    push_key(t);
    at = t->index[t->i++];
    if (t->text[at] != ':')
        return fail_value(t, CUPEL_E_SYNTAX, at, "expected ':' after a member's name");
    return NEXT_VALUE;
}

/* Compares the names of an object that is being closed.  There is room for the table: each of these
 * keys has cost five entries, each of those below at least four; together they take two each and
 * the table three for each of these. */
ALWAYS_INLINE int check_keys(struct tape *t, uint32_t n)
{
    uint32_t *keys = t->index + 2 * (size_t)(t->keys - n);
    bool equal = n > CUPEL__KEYS_PAIRWISE;
    if (!equal)
        for (uint32_t j = 1; j < n; j++)
            for (uint32_t i = 0; i < j; i++)
                equal |= keys[2 * i] == keys[2 * j];
    t->keys -= n;
    if (__builtin_expect(!equal, 1))
        return AFTER_VALUE;
    uint32_t dead = cupel__keys_check(t->r, keys, n, keys + 2 * (size_t)n);
    if (dead == CUPEL__NO_NODE)
        return FAILED;
    t->count -= dead;
    return AFTER_VALUE;
}

/* -- Containers ---------------------------------------------------------------------------------
 */

ALWAYS_INLINE int close_container(struct tape *t)
{
    struct cupel__node *container = t->nodes + t->open;
    if (t->closer == '}' && t->count > 1 && check_keys(t, t->count) == FAILED)
        return FAILED;
    if (t->closer == '}' && t->count == 1)
        t->keys--;
    uint32_t parent = container->end;
    container->count = t->count;
    container->end = (uint32_t)(t->node - t->nodes);
    t->depth--;
    t->open = parent;
    if (parent == CUPEL__NO_NODE)
        return DONE;
    t->count = t->nodes[parent].count;
    t->closer = t->nodes[parent].type == CUPEL__OBJECT ? '}' : ']';
    return AFTER_VALUE;
}

/* An opening bracket at `at`.  An empty container is closed at once. */
ALWAYS_INLINE int open_container(struct tape *t, enum cupel__type type, char closer, uint32_t at)
{
    if (t->depth >= t->r->options->max_depth)
        return fail_value(t, CUPEL_E_JSON_DEPTH, at, "nested deeper than the limit");
    if (t->open != CUPEL__NO_NODE)
        t->nodes[t->open].count = t->count;
    struct cupel__node *node = t->node++;
    *node = (struct cupel__node){.type = (uint8_t)type, .off = at};
    node->end = t->open;
    t->open = (uint32_t)(node - t->nodes);
    t->count = 0;
    t->closer = closer;
    if (++t->depth > t->deepest)
        t->deepest = t->depth;
    if (t->i < t->n && t->text[t->index[t->i]] == closer) {
        t->i++;
        return close_container(t);
    }
    return type == CUPEL__OBJECT ? NEXT_KEY : NEXT_VALUE;
}

/* What follows a value in a container. */
ALWAYS_INLINE int read_separator(struct tape *t)
{
    if (t->i >= t->n)
        return fail_end(t, t->open);
    uint32_t at = t->index[t->i++];
    t->count++;
    if (t->text[at] == ',')
        return t->closer == '}' ? NEXT_KEY : NEXT_VALUE;
    if (t->text[at] == t->closer)
        return close_container(t);
    return fail_container(t, at,
                          t->closer == '}' ? "expected ',' or '}' after a member"
                                           : "expected ',' or ']' after an item");
}

ALWAYS_INLINE int read_value(struct tape *t)
{
    if (t->i >= t->n)
        return fail_end(t, (uint32_t)(t->node - t->nodes));
    uint32_t at = t->index[t->i++];
    switch (t->text[at]) {
    case '"':
        return read_string(t, 0, at);
    case '{':
        return open_container(t, CUPEL__OBJECT, '}', at);
    case '[':
        return open_container(t, CUPEL__ARRAY, ']', at);
    case 't':
        return read_literal(t, CUPEL__TRUE, "true", 4, at);
    case 'f':
        return read_literal(t, CUPEL__FALSE, "false", 5, at);
    case 'n':
        return read_literal(t, CUPEL__NULL, "null", 4, at);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return read_number(t, at);
    default:
        return fail_value(t, CUPEL_E_SYNTAX, at, "expected a value");
    }
}

/* -- Entry --------------------------------------------------------------------------------------
 */

static enum cupel_status finish(struct tape *t)
{
    struct cupel__reader *r = t->r;
    struct cupel__doc *doc = r->doc;
    r->where = r->nodes = 0;
    if (t->i > t->n)
        return cupel__reader_fail_end(r);
    if (t->i < t->n)
        return cupel__reader_fail(r, CUPEL_E_TRAILING, t->index[t->i],
                                  "the text goes on after the value");
    if (r->end_status != CUPEL_OK)
        return cupel__reader_fail_end(r);
    doc->nnodes = (uint32_t)(t->node - t->nodes);
    doc->depth = t->deepest;
    if (r->dead)
        cupel__keys_sweep(r);
    return CUPEL_OK;
}

enum cupel_status cupel__tape_build(struct cupel__reader *r)
{
    struct tape t = {.r = r,
                     .text = r->text,
                     .index = r->index,
                     .n = r->nindex,
                     .nodes = r->doc->nodes,
                     .node = r->doc->nodes,
                     .open = CUPEL__NO_NODE};
    int next = NEXT_VALUE;
    for (;;) {
        if (next == NEXT_KEY)
            next = read_key(&t);
        if (next == NEXT_VALUE)
            next = read_value(&t);
        while (next == AFTER_VALUE)
            next = t.open == CUPEL__NO_NODE ? DONE : read_separator(&t);
        if (next == DONE)
            return finish(&t);
        if (next == FAILED)
            break;
    }
    r->open = t.open;
    r->nodes = (uint32_t)(t.node - t.nodes);
    return r->status;
}
