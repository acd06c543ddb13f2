/* json_tape_loop.h: stage 2 of the JSON reader: the index to the tape, and with it the grammar (RFC
 * 8259).
 *
 * One loop goes over the index and writes a node for each value and each key.  The stack of open
 * containers is the tape: until a container is closed, its `end` is the container around it.
 *
 * The loop does not ask whether the index has ended.  Behind it are entries for the end of the
 * text, where in a copy a space stands, which fits nowhere.  In place it may be anything but a
 * quote, and the loop cannot get far there: what opens or closes a container asks, and everything
 * else has to be followed by another byte.  What is wrong behind the end is reported as the end.
 *
 * Numbers, escapes and what is unusual about names are left to other files.  The includer defines
 * TAPE_BUILD, the name of the function, and FIRST_BYTES, which cuts a word after so many bytes (json_tape.c,
 * json_tape_bmi2.c). */

/* Which names may have occurred in an object: two bits of one of the words for each name.  Objects
 * that are nested deeper than there are filters are always checked. */
enum { FILTERS = 32, FILTER_WORDS = 8 };

/* What the loop keeps; a local of cupel__tape_build. */
struct tape {
    struct cupel__reader *r;
    const char *text;
    const uint32_t *next, *end; /* what is left of the index */
    struct cupel__node *nodes;
    struct cupel__node *node; /* the next one to write */

    uint32_t open;  /* the innermost open container, or CUPEL__NO_NODE */
    uint32_t count; /* of its members or items before this one */
    uint32_t depth, deepest;
    uint64_t *seen; /* the filter of the innermost container */
    uint64_t *filters;
};

/* What comes next. */
enum next { FAILED, MEMBER, ITEM, SEPARATOR };

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* -- Errors ------------------------------------------------------------------------------------ */

/* The failing functions note what the pointer of the error names: a node, or the value that was
 * being read when there is none yet (cupel__reader.where). */

static __attribute__((noinline, cold)) void note_failure(struct cupel__reader *r, bool ended,
                                                         uint32_t where, enum cupel_status status,
                                                         uint32_t offset, const char *detail)
{
    r->where = where;
    if (ended)
        cupel__reader_fail_end(r);
    else
        cupel__reader_fail(r, status, offset, detail);
}

ALWAYS_INLINE enum next fail_at(struct tape *t, uint32_t where, enum cupel_status status,
                                uint32_t offset, const char *detail)
{
    note_failure(t->r, t->next > t->end, where, status, offset, detail);
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

/* The same for a number whose value is the word `i`. */
ALWAYS_INLINE void put_small(struct tape *t, uint32_t off, uint32_t i)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    put_node(t, CUPEL__INT, 0, off, i, 0);
#else
    put_node(t, CUPEL__INT, 0, off, 0, i);
#endif
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

/* A string whose opening quote is at `at`.  If it has no closing quote, whoever looks for the next
 * token finds out. */
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
    put_small(t, at, small);
    if (length != 0)
        end = p + length;
    else
        end = t->next <= t->end ? cupel__number_read(p, node) : NULL;
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

/* As cupel__name_hash, all of it. */
ALWAYS_INLINE uint64_t hash_name(const char *name, uint32_t n)
{
    const uint32_t most = n < 8 ? n : 8;
    uint64_t first = FIRST_BYTES(cupel__load64(name), most);
    uint64_t last = FIRST_BYTES(cupel__load64(name + (n - most)), most);
    return cupel__name_mix(first, last, n);
}

/* Notes a name.  If it may have been there before, the object is checked when it is closed. */
ALWAYS_INLINE void see_name(struct tape *t, uint64_t hash)
{
    uint64_t *word = t->seen + (hash >> 61);
    uint64_t bits = (uint64_t)1 << (hash >> 55 & 63) | (uint64_t)1 << (hash >> 49 & 63);
    uint64_t known = *word;
    *word = known | bits;
    if (__builtin_expect((bits & ~known) == 0, 0))
        t->nodes[t->open].flags |= CUPEL__NODE_SUSPECT;
}

/* A member's name and the colon.  Returns MEMBER. */
ALWAYS_INLINE enum next read_name(struct tape *t)
{
    uint32_t at = *t->next++;
    if (t->text[at] != '"')
        return fail_container(t, at, "expected a member's name in quotes");
    uint32_t close = *t->next++, n = close - at - 1;
    if (__builtin_expect(t->text[close] == '\\', 0)) {
        put_node(t, CUPEL__STRING, CUPEL__KEY, at + 1, n, at + 1);
        struct cupel__node *key = t->node - 1;
        t->next = read_escaped(t->r, t->open, key, t->next - 1);
        if (t->next == NULL) {
            t->node--;
            return FAILED;
        }
        see_name(t, hash_name(t->r->doc->side + key->off, key->len));
    } else {
        uint64_t hash = hash_name(t->text + at + 1, n);
        put_node(t, CUPEL__STRING, CUPEL__KEY, at + 1, n, (uint32_t)(hash >> 32));
        see_name(t, hash);
    }
    at = *t->next++;
    if (t->text[at] != ':')
        return fail_at(t, t->next > t->end ? t->open : (uint32_t)(t->node - t->nodes),
                       CUPEL_E_SYNTAX, at, "expected ':' after a member's name");
    return MEMBER;
}

/* -- Containers -------------------------------------------------------------------------------- */

/* The filter of a container that is opened in the depth t->depth. */
ALWAYS_INLINE void enter_filter(struct tape *t, enum cupel__type type)
{
    if (t->depth >= FILTERS)
        return;
    t->seen = t->filters + (size_t)t->depth * FILTER_WORDS;
    if (type == CUPEL__OBJECT)
        memset(t->seen, 0, FILTER_WORDS * sizeof *t->seen);
}

/* An opening bracket at `at`.  An empty container is a node like a scalar's. */
ALWAYS_INLINE enum next open_container(struct tape *t, enum cupel__type type, uint32_t at)
{
    const uint32_t self = (uint32_t)(t->node - t->nodes);
    if (t->next > t->end)
        return fail_value(t, CUPEL_E_SYNTAX, at, NULL);
    if (t->depth >= t->r->options->max_depth)
        return fail_value(t, CUPEL_E_JSON_DEPTH, at, "nested deeper than the limit");
    if (t->depth + 1 > t->deepest)
        t->deepest = t->depth + 1;
    if (t->text[*t->next] == (type == CUPEL__OBJECT ? '}' : ']')) {
        t->next++;
        put_node(t, type, 0, at, 0, self + 1);
        return SEPARATOR;
    }
    if (t->open != CUPEL__NO_NODE)
        t->nodes[t->open].count = t->count;
    unsigned unfiltered = t->depth >= FILTERS && type == CUPEL__OBJECT ? CUPEL__NODE_SUSPECT : 0;
    put_node(t, type, unfiltered, at, 0, t->open);
    t->open = self;
    t->count = 0;
    enter_filter(t, type);
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
        !cupel__keys_check(t->r, self, t->r->index)) {
        container->end = t->open;
        t->open = self;
        return FAILED;
    }
    t->depth--;
    if (t->open == CUPEL__NO_NODE)
        return SEPARATOR;
    t->count = t->nodes[t->open].count;
    if (t->depth <= FILTERS)
        t->seen = t->filters + (size_t)(t->depth - 1) * FILTER_WORDS;
    return SEPARATOR;
}

/* What a value's first byte says, but for a quote. */
enum first { NOTHING, BRACE, BRACKET, DIGIT, LITTLE_T, LITTLE_F, LITTLE_N };

/* clang-format off */
static const uint8_t firsts[256] = {
    ['{'] = BRACE, ['['] = BRACKET, ['-'] = DIGIT, ['0'] = DIGIT, ['1'] = DIGIT, ['2'] = DIGIT,
    ['3'] = DIGIT, ['4'] = DIGIT, ['5'] = DIGIT, ['6'] = DIGIT, ['7'] = DIGIT, ['8'] = DIGIT,
    ['9'] = DIGIT, ['t'] = LITTLE_T, ['f'] = LITTLE_F, ['n'] = LITTLE_N};
/* clang-format on */

ALWAYS_INLINE enum next read_value(struct tape *t)
{
    uint32_t at = *t->next++;
    if (t->text[at] == '"')
        return read_string(t, at);
    switch ((enum first)firsts[(unsigned char)t->text[at]]) {
    case BRACE:
        return open_container(t, CUPEL__OBJECT, at);
    case BRACKET:
        return open_container(t, CUPEL__ARRAY, at);
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
    uint32_t at = *t->next++;
    t->count++;
    if (t->text[at] == ',')
        return in;
    if (t->text[at] == (in == MEMBER ? '}' : ']') && t->next <= t->end)
        return close_container(t);
    /* A string without an end has taken two entries for one, and is named. */
    if (t->next > t->end + 1)
        return fail_at(t, (uint32_t)(t->node - 1 - t->nodes), CUPEL_E_SYNTAX, at, NULL);
    return fail_container(t, at,
                          in == MEMBER ? "expected ',' or '}' after a member"
                                       : "expected ',' or ']' after an item");
}

/* -- Entry ------------------------------------------------------------------------------------- */

ALWAYS_INLINE enum cupel_status finish(struct tape *t)
{
    struct cupel__reader *r = t->r;
    if (t->next > t->end)
        return cupel__reader_fail_end(r);
    if (t->next < t->end)
        return cupel__reader_fail(r, CUPEL_E_TRAILING, *t->next,
                                  "the text goes on after the value");
    if (r->end_status != CUPEL_OK)
        return cupel__reader_fail_end(r);
    r->doc->nnodes = (uint32_t)(t->node - t->nodes);
    r->doc->depth = t->deepest;
    if (r->dead)
        cupel__keys_sweep(r);
    return CUPEL_OK;
}

enum cupel_status TAPE_BUILD(struct cupel__reader *r)
{
    uint64_t filters[FILTERS * FILTER_WORDS];
    struct tape t;
    t.r = r;
    t.text = r->text;
    t.next = r->index;
    t.end = r->index + r->nindex;
    t.nodes = t.node = r->doc->nodes;
    t.open = CUPEL__NO_NODE;
    t.count = t.depth = t.deepest = 0;
    t.filters = t.seen = filters;
    enum next next = read_value(&t);
    while (next != FAILED) {
        if (next == SEPARATOR) {
            if (t.open == CUPEL__NO_NODE)
                return finish(&t);
            next = read_separator(&t, t.nodes[t.open].type == CUPEL__OBJECT ? MEMBER : ITEM);
        }
        while (next == MEMBER) {
            next = read_name(&t);
            if (next == MEMBER)
                next = read_value(&t);
            if (next == SEPARATOR)
                next = read_separator(&t, MEMBER);
        }
        while (next == ITEM) {
            next = read_value(&t);
            if (next == SEPARATOR)
                next = read_separator(&t, ITEM);
        }
    }
    r->open = t.open;
    r->nodes = (uint32_t)(t.node - t.nodes);
    return r->status;
}
