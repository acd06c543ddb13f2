/* json_tape.c: stage 2 of the JSON reader: the index to the tape, and with it the grammar (RFC
 * 8259).
 *
 * One loop goes over the index and writes a node for each value and each key.  Whatever it needs
 * to remember lies in memory that is not used yet or not any more.  The stack of open containers
 * is the tape: until a container is closed, its `end` is the container around it.  What is known
 * of the names in the objects around the innermost is on a stack in the part of the index that
 * has been read.
 *
 * Numbers, escapes and what is unusual about names are left to other files. */
#include "json_internal.h"

/* What the loop keeps; a local of cupel__tape_build. */
struct tape {
    struct cupel__reader *r;
    const char *text;
    uint32_t *index;
    const uint32_t *next, *end; /* what is left of the index */
    struct cupel__node *nodes;
    struct cupel__node *node; /* the next one to write */

    uint32_t open;  /* the innermost open container, or CUPEL__NO_NODE */
    uint32_t count; /* of its members or items before this one */
    uint32_t depth, deepest;
    uint64_t seen0, seen1; /* names in the innermost object: each has a bit in both words */
    uint32_t stacked;      /* entries of the index that hold these words of outer objects */
};

/* What comes next. */
enum next { FAILED, MEMBER, ITEM, SEPARATOR };

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* -- Errors ------------------------------------------------------------------------------------ */

/* The failing functions note what the pointer of the error names: a node, or the value that was
 * being read when there is none yet (cupel__reader.where). */

ALWAYS_INLINE enum next fail_at(struct tape *t, uint32_t where, enum cupel_status status,
                                uint32_t offset, const char *detail)
{
    t->r->where = where;
    cupel__reader_fail(t->r, status, offset, detail);
    return FAILED;
}

ALWAYS_INLINE enum next fail_value(struct tape *t, enum cupel_status status, uint32_t offset,
                                   const char *detail)
{
    return fail_at(t, (uint32_t)(t->node - t->nodes), status, offset, detail);
}

ALWAYS_INLINE enum next fail_container(struct tape *t, uint32_t offset, const char *detail)
{
    return fail_at(t, t->open, CUPEL_E_SYNTAX, offset, detail);
}

ALWAYS_INLINE enum next fail_end(struct tape *t, uint32_t where)
{
    t->r->where = where;
    cupel__reader_fail_end(t->r);
    return FAILED;
}

/* -- Scalars ----------------------------------------------------------------------------------- */

/* Writes a node as two words, which compilers do not make of a struct's members by themselves.
 * Of two words that they see through they make a vector, which is slower, so one of them is
 * hidden. */
ALWAYS_INLINE void put_node(struct tape *t, unsigned type, unsigned flags, uint32_t off,
                            uint32_t low, uint32_t high)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t head = type | flags << 8 | (uint64_t)off << 32, body = low | (uint64_t)high << 32;
    __asm__("" : "+r"(body));
    memcpy(t->node, &head, sizeof head);
    memcpy((char *)t->node + sizeof head, &body, sizeof body);
#else
    *t->node = (struct cupel__node){(uint8_t)type, (uint8_t)flags, 0, off, {.len = low}};
    t->node->src = high;
#endif
    t->node++;
}

/* Whether a token without quotes ends at `end`: there is white space or the next token. */
ALWAYS_INLINE bool token_ends(const struct tape *t, uint32_t end)
{
    return end == *t->next || cupel__is_space(t->text[end]);
}

/* A string with escapes, whose node is written but for its length. */
static __attribute__((noinline)) const uint32_t *read_escaped(struct cupel__reader *r,
                                                              uint32_t where,
                                                              struct cupel__node *node,
                                                              const uint32_t *next)
{
    r->where = where;
    return cupel__string_read(r, node, next);
}

/* A string whose opening quote is at `at`.  If it has no closing quote, t->next is past the end
 * afterwards, and whoever looks for the next token finds out. */
ALWAYS_INLINE enum next read_string(struct tape *t, uint32_t at)
{
    uint32_t close = *t->next++;
    put_node(t, CUPEL__STRING, 0, at + 1, close - at - 1, at + 1);
    if (__builtin_expect(t->text[close] != '\\', 1))
        return SEPARATOR;
    t->node--;
    t->next = read_escaped(t->r, (uint32_t)(t->node - t->nodes), t->node, t->next - 1);
    if (t->next == NULL)
        return FAILED;
    t->node++;
    return SEPARATOR;
}

/* An integer of one to seven digits.  Returns its length, or 0 if it is none or may be something
 * else as well. */
ALWAYS_INLINE unsigned read_small(const char *p, uint32_t *ret_value)
{
    uint64_t word = cupel__load64(p);
    unsigned n = cupel__count_digits(word);
    if (n - 1 > 6 || (*p == '0' && n > 1) || p[n] == '.' || (p[n] | 0x20) == 'e')
        return 0;
    *ret_value = (uint32_t)cupel__join_digits(word, n);
    return n;
}

ALWAYS_INLINE enum next read_number(struct tape *t, uint32_t at)
{
    const char *p = t->text + at, *end;
    uint32_t small = 0, length = read_small(p, &small);
    struct cupel__node *node = t->node;
    put_node(t, CUPEL__INT, 0, at, small, 0);
    end = length != 0 ? p + length : cupel__number_read(p, node);
    if (end != NULL && token_ends(t, (uint32_t)(end - t->text)) &&
        (size_t)(end - p) <= t->r->options->max_number)
        return SEPARATOR;
    t->node--;
    if (end == NULL || !token_ends(t, (uint32_t)(end - t->text)))
        return fail_value(t, CUPEL_E_SYNTAX, at, "this is not a number of JSON");
    return fail_value(t, CUPEL_E_NUMBER_SIZE, at, "the number has too many characters");
}

ALWAYS_INLINE enum next read_literal(struct tape *t, enum cupel__type type, const char *word,
                                     uint32_t n, uint32_t at)
{
    if (memcmp(t->text + at, word, n) != 0 || !token_ends(t, at + n))
        return fail_value(t, CUPEL_E_SYNTAX, at, "expected a value");
    put_node(t, type, 0, at, 0, 0);
    return SEPARATOR;
}

/* -- Names ------------------------------------------------------------------------------------- */

/* Equal for equal names.  Made of the length, the first eight bytes and the last one.  The text
 * and the side buffer are padded, so eight bytes can always be read, and those past a short name
 * are cut.  An empty name is never in the side buffer, and in the text its last byte is its
 * opening quote. */
ALWAYS_INLINE uint64_t hash_name(const char *name, uint32_t n)
{
    static const uint64_t masks[9] = {0,           0xff,         0xffff,         0xffffff,
                                      0xffffffff,  0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
                                      ~(uint64_t)0};
    uint64_t first = cupel__load64(name) & masks[n < 8 ? n : 8];
    uint64_t rest = (uint64_t)n << 8 | (unsigned char)name[(ptrdiff_t)n - 1];
    return (first ^ rest << 24) * 0x9e3779b97f4a7c15u;
}

/* Notes a name.  If it may have been there before, the object is checked when it is closed. */
ALWAYS_INLINE void see_name(struct tape *t, const char *name, uint32_t n)
{
    uint64_t hash = hash_name(name, n);
    uint64_t bit0 = (uint64_t)1 << (hash >> 58), bit1 = (uint64_t)1 << (hash >> 52 & 63);
    uint64_t known0 = t->seen0 & bit0, known1 = t->seen1 & bit1;
    t->seen0 |= bit0;
    t->seen1 |= bit1;
    if (__builtin_expect(known0 != 0, 0) && known1 != 0)
        t->nodes[t->open].flags |= CUPEL__NODE_SUSPECT;
}

/* An object in which a value is read has cost at least four entries: a bracket or comma, two
 * quotes and a colon. */
ALWAYS_INLINE void push_seen(struct tape *t)
{
    memcpy(t->index + t->stacked, &t->seen0, 8);
    memcpy(t->index + t->stacked + 2, &t->seen1, 8);
    t->stacked += 4;
}

ALWAYS_INLINE void pop_seen(struct tape *t)
{
    t->stacked -= 4;
    memcpy(&t->seen0, t->index + t->stacked, 8);
    memcpy(&t->seen1, t->index + t->stacked + 2, 8);
}

/* A member's name and the colon.  Returns MEMBER. */
ALWAYS_INLINE enum next read_name(struct tape *t)
{
    if (t->next >= t->end)
        return fail_end(t, t->open);
    uint32_t at = *t->next++;
    if (t->text[at] != '"')
        return fail_container(t, at, "expected a member's name in quotes");
    uint32_t close = *t->next++;
    put_node(t, CUPEL__STRING, CUPEL__KEY, at + 1, close - at - 1, at + 1);
    if (__builtin_expect(t->text[close] == '\\', 0)) {
        struct cupel__node *key = t->node - 1;
        t->next = read_escaped(t->r, t->open, key, t->next - 1);
        if (t->next == NULL) {
            t->node--;
            return FAILED;
        }
        see_name(t, t->r->doc->side + key->off, key->len);
    } else {
        see_name(t, t->text + at + 1, close - at - 1);
    }
    if (t->next >= t->end)
        return fail_end(t, t->open);
    at = *t->next++;
    if (t->text[at] != ':')
        return fail_value(t, CUPEL_E_SYNTAX, at, "expected ':' after a member's name");
    return MEMBER;
}

/* -- Containers -------------------------------------------------------------------------------- */

/* An opening bracket at `at`; `in` is what the container around it consists of.  An empty
 * container is a node like a scalar's. */
ALWAYS_INLINE enum next open_container(struct tape *t, enum next in, enum cupel__type type,
                                       uint32_t at)
{
    const uint32_t self = (uint32_t)(t->node - t->nodes);
    if (t->depth >= t->r->options->max_depth)
        return fail_value(t, CUPEL_E_JSON_DEPTH, at, "nested deeper than the limit");
    if (t->depth + 1 > t->deepest)
        t->deepest = t->depth + 1;
    if (t->next < t->end && t->text[*t->next] == (type == CUPEL__OBJECT ? '}' : ']')) {
        t->next++;
        put_node(t, type, 0, at, 0, self + 1);
        return SEPARATOR;
    }
    if (t->open != CUPEL__NO_NODE)
        t->nodes[t->open].count = t->count;
    if (in == MEMBER)
        push_seen(t);
    put_node(t, type, 0, at, 0, t->open);
    t->open = self;
    t->count = 0;
    t->seen0 = t->seen1 = 0;
    t->depth++;
    return type == CUPEL__OBJECT ? MEMBER : ITEM;
}

/* A closing bracket after an item or member.  Returns SEPARATOR. */
ALWAYS_INLINE enum next close_container(struct tape *t)
{
    const uint32_t self = t->open, end = (uint32_t)(t->node - t->nodes);
    struct cupel__node *container = t->nodes + self;
    t->open = container->end;
    container->count = t->count;
    container->end = end;
    if (__builtin_expect(container->flags & CUPEL__NODE_SUSPECT, 0) &&
        !cupel__keys_check(t->r, self, t->index + t->stacked)) {
        container->end = t->open;
        t->open = self;
        return FAILED;
    }
    t->depth--;
    if (t->open == CUPEL__NO_NODE)
        return SEPARATOR;
    t->count = t->nodes[t->open].count;
    if (t->nodes[t->open].type == CUPEL__OBJECT)
        pop_seen(t);
    return SEPARATOR;
}

/* What a value's first byte says. */
enum first { NOTHING, QUOTE, BRACE, BRACKET, DIGIT, LITTLE_T, LITTLE_F, LITTLE_N };

/* clang-format off */
static const uint8_t firsts[256] = {
    ['"'] = QUOTE, ['{'] = BRACE, ['['] = BRACKET, ['-'] = DIGIT, ['0'] = DIGIT, ['1'] = DIGIT,
    ['2'] = DIGIT, ['3'] = DIGIT, ['4'] = DIGIT, ['5'] = DIGIT, ['6'] = DIGIT, ['7'] = DIGIT,
    ['8'] = DIGIT, ['9'] = DIGIT, ['t'] = LITTLE_T, ['f'] = LITTLE_F, ['n'] = LITTLE_N};
/* clang-format on */

ALWAYS_INLINE enum next read_value(struct tape *t, enum next in)
{
    if (t->next >= t->end)
        return fail_end(t, (uint32_t)(t->node - t->nodes));
    uint32_t at = *t->next++;
    switch ((enum first)firsts[(unsigned char)t->text[at]]) {
    case QUOTE:
        return read_string(t, at);
    case BRACE:
        return open_container(t, in, CUPEL__OBJECT, at);
    case BRACKET:
        return open_container(t, in, CUPEL__ARRAY, at);
    case DIGIT:
        return read_number(t, at);
    case LITTLE_T:
        return read_literal(t, CUPEL__TRUE, "true", 4, at);
    case LITTLE_F:
        return read_literal(t, CUPEL__FALSE, "false", 5, at);
    case LITTLE_N:
        return read_literal(t, CUPEL__NULL, "null", 4, at);
    case NOTHING:
        break;
    }
    return fail_value(t, CUPEL_E_SYNTAX, at, "expected a value");
}

/* What follows a member or item: another, or the end of its container. */
ALWAYS_INLINE enum next read_separator(struct tape *t, enum next in)
{
    /* Past the end if the value is a string without one, which is then named. */
    if (t->next >= t->end)
        return fail_end(t, t->next > t->end ? (uint32_t)(t->node - 1 - t->nodes) : t->open);
    uint32_t at = *t->next++;
    t->count++;
    if (t->text[at] == ',')
        return in;
    if (t->text[at] == (in == MEMBER ? '}' : ']'))
        return close_container(t);
    return fail_container(t, at,
                          in == MEMBER ? "expected ',' or '}' after a member"
                                       : "expected ',' or ']' after an item");
}

/* -- Entry ------------------------------------------------------------------------------------- */

/* Takes the state by value, so that the loop can keep it in registers. */
static enum cupel_status finish(struct cupel__reader *r, struct tape t)
{
    struct cupel__doc *doc = r->doc;
    if (t.next > t.end)
        return cupel__reader_fail_end(r);
    if (t.next < t.end)
        return cupel__reader_fail(r, CUPEL_E_TRAILING, *t.next, "the text goes on after the value");
    if (r->end_status != CUPEL_OK)
        return cupel__reader_fail_end(r);
    doc->nnodes = (uint32_t)(t.node - t.nodes);
    doc->depth = t.deepest;
    if (r->dead)
        cupel__keys_sweep(r);
    return CUPEL_OK;
}

enum cupel_status cupel__tape_build(struct cupel__reader *r)
{
    struct tape t;
    t.r = r;
    t.text = r->text;
    t.index = r->index;
    t.next = r->index;
    t.end = r->index + r->nindex;
    t.nodes = t.node = r->doc->nodes;
    t.open = CUPEL__NO_NODE;
    t.count = t.depth = t.deepest = t.stacked = 0;
    t.seen0 = t.seen1 = 0;
    enum next next = read_value(&t, ITEM);
    while (next != FAILED) {
        if (next == SEPARATOR) {
            if (t.open == CUPEL__NO_NODE)
                return finish(r, t);
            next = read_separator(&t, t.nodes[t.open].type == CUPEL__OBJECT ? MEMBER : ITEM);
        }
        while (next == MEMBER) {
            next = read_name(&t);
            if (next == MEMBER)
                next = read_value(&t, MEMBER);
            if (next == SEPARATOR)
                next = read_separator(&t, MEMBER);
        }
        while (next == ITEM) {
            next = read_value(&t, ITEM);
            if (next == SEPARATOR)
                next = read_separator(&t, ITEM);
        }
    }
    r->open = t.open;
    r->nodes = (uint32_t)(t.node - t.nodes);
    return r->status;
}
