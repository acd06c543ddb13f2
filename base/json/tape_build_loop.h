/* tape_build_loop.h: stage 2 of the reader: the grammar of JSON (RFC 8259), and the tape.
 *
 *     text ── stage 1 ──▶ index ── stage 2 ──▶ tape
 *
 * One loop goes through the index and writes a node for each value and each name.  The tape is also
 * the stack of open containers: until a container is closed, its `end` is the index of the
 * container around it.
 *
 * The loop does not test for the end of the index.  Behind the last token `kinds` is 0, with which
 * no token begins, so every rule fails there, and note_failure reports the end of the text.
 *
 * Invariants: t->node is the next free node, which fits (json/reader.c); t->at and t->kind stand at
 * the same token; t->count is the number of children of the open container before this one.
 *
 * Numbers, escapes and equal names are left to other files.  The file that includes this one
 * defines TAPE_BUILD, the name of the function, and FIRST_BYTES, which keeps the first n bytes of a
 * word (json/tape_build.c, json/tape_build_bmi2.c). */

/* Bloom filters of the names of each open object: a name sets two bits of one of the words.  A name
 * that finds both bits set may have occurred before.  One filter a depth, so that nothing is saved
 * around an inner object; containers deeper than FILTERS share one that is full, where every name
 * may have occurred.  Filters of two words had so many false hits that comparing names was 8 % of
 * reading some sets. */
enum { FILTERS = 32, FILTER_WORDS = 8 };

/* The state of the loop; a local of cupel__tape_build, whose members live in registers. */
struct builder {
    struct cupel__reader *r;
    const char *text;
    const uint32_t *at; /* the position of the next token in the index */
    const char *kind;   /* the first byte of that token */
    struct cupel__node *nodes;
    struct cupel__node *node; /* the next to write */

    uint32_t open;  /* the innermost open container, or CUPEL__NO_NODE */
    uint32_t count; /* of its members or items before this one */
    uint32_t depth, deepest, max_depth;
    uint64_t *filter; /* of the innermost container */
    uint64_t *filters;
};

/* The rule of the grammar that comes next, or that reading is over. */
enum next { FAILED, DONE, MEMBER, ITEM, SEPARATOR };

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* -- Errors ------------------------------------------------------------------------------------ */

/* Each of these notes what the error names (cupel__reader.where): a node, or the value that was
 * being read when it has no node yet. */

static __attribute__((noinline, cold)) void note_failure(struct cupel__reader *r,
                                                         const uint32_t *at, uint32_t where,
                                                         enum cupel_status status,
                                                         const char *detail)
{
    r->where = where;
    if (at >= r->doc->index + r->nindex)
        cupel__reader_fail_end(r);
    else
        cupel__reader_fail(r, status, *at, detail);
}

/* Fails at the token of this index entry. */
ALWAYS_INLINE enum next fail_at(struct builder *t, const uint32_t *at, uint32_t where,
                                enum cupel_status status, const char *detail)
{
    note_failure(t->r, at, where, status, detail);
    return FAILED;
}

ALWAYS_INLINE enum next fail_value(struct builder *t, enum cupel_status status, const char *detail)
{
    return fail_at(t, t->at, (uint32_t)(t->node - t->nodes), status, detail);
}

ALWAYS_INLINE enum next fail_container(struct builder *t, const uint32_t *at, const char *detail)
{
    return fail_at(t, at, t->open, CUPEL_E_SYNTAX, detail);
}

/* Moves over n tokens. */
ALWAYS_INLINE void skip(struct builder *t, unsigned n)
{
    t->at += n;
    t->kind += n;
}

/* -- Nodes ------------------------------------------------------------------------------------- */

/* Writes a node as two words of 64 bits.  Compilers store a struct member by member: up to 4 %
 * slower, and a 64-bit load right afterwards waits.  Two words that gcc can see become one vector,
 * which is slower too; the empty asm hides one. */
ALWAYS_INLINE void put_node(struct builder *t, unsigned type, unsigned flags, uint32_t off,
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

/* Writes the node of an integer. */
ALWAYS_INLINE void put_integer(struct builder *t, uint32_t off, uint64_t i)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    put_node(t, CUPEL__INT, 0, off, (uint32_t)i, (uint32_t)(i >> 32));
#else
    put_node(t, CUPEL__INT, 0, off, (uint32_t)(i >> 32), (uint32_t)i);
#endif
}

/* Writes the node of a string without escapes, whose quotes come next. */
ALWAYS_INLINE void put_string(struct builder *t, unsigned flags)
{
    const uint32_t first = t->at[0] + 1;
    put_node(t, CUPEL__STRING, flags, first, t->at[1] - first, first);
}

/* -- Scalars ----------------------------------------------------------------------------------- */

/* Whether a token without quotes ends at `end`: with white space or the next token. */
ALWAYS_INLINE bool token_ends(const struct builder *t, uint32_t end)
{
    return end == t->at[1] || cupel__is_space(t->text[end]);
}

/* Writes the node of a string with escapes, which stage 1 has checked; false if it does not end. */
ALWAYS_INLINE bool put_escaped(struct builder *t, unsigned flags)
{
    const uint32_t first = t->at[0] + 1;
    do
        skip(t, 1);
    while (*t->kind == '\\');
    if (*t->kind != '"')
        return false;
    const uint32_t n = *t->at - first;
    put_node(t, CUPEL__ESCAPED, flags, first, n, first);
    t->r->side_need += n;
    skip(t, 1);
    return true;
}

ALWAYS_INLINE enum next read_string(struct builder *t)
{
    const uint32_t self = (uint32_t)(t->node - t->nodes);
    if (__builtin_expect(t->kind[1] == '"', 1)) {
        put_string(t, 0);
        skip(t, 2);
        return SEPARATOR;
    }
    if (t->kind[1] == '\\' && put_escaped(t, 0))
        return SEPARATOR;
    return fail_at(t, t->at + 1, self, CUPEL_E_SYNTAX, NULL);
}

/* Reads any number into the node that is already written for it. */
ALWAYS_INLINE enum next read_long_number(struct builder *t)
{
    const uint32_t at = t->at[0], n = t->at[1] - at;
    const char *p = t->text + at, *end = cupel__number_read(p, n, t->node - 1);
    const uint32_t length = end != NULL ? (uint32_t)(end - p) : 0;
    if (length != 0 && token_ends(t, at + length) && length <= t->r->options->max_number) {
        skip(t, 1);
        return SEPARATOR;
    }
    t->node--;
    if (length == 0 || !token_ends(t, at + length))
        return fail_value(t, CUPEL_E_SYNTAX, "this is not a number of JSON");
    return fail_value(t, CUPEL_E_NUMBER_SIZE, "the number has too many characters");
}

/* Reads a number; integers of at most eight digits that end at the next token need no other
 * function: about 1 ns less for each. */
ALWAYS_INLINE enum next read_number(struct builder *t)
{
    const uint32_t at = t->at[0], n = t->at[1] - at;
    uint32_t small = 0;
    const bool is_small =
        cupel__read_small(t->text + at, n, &small) && n <= t->r->options->max_number;
    put_integer(t, at, small);
    if (__builtin_expect(!is_small, 0))
        return read_long_number(t);
    skip(t, 1);
    return SEPARATOR;
}

ALWAYS_INLINE enum next read_literal(struct builder *t)
{
    const uint32_t at = *t->at;
    uint8_t type;
    const uint32_t n = cupel__read_literal(t->text + at, &type);
    if (n == 0 || !token_ends(t, at + n))
        return fail_value(t, CUPEL_E_SYNTAX, "expected a value");
    put_node(t, type, 0, at, 0, 0);
    skip(t, 1);
    return SEPARATOR;
}

/* -- Names ------------------------------------------------------------------------------------- */

/* cupel__name_hash64 with this file's FIRST_BYTES. */
ALWAYS_INLINE uint64_t hash_name(const char *name, uint32_t n)
{
    const uint32_t most = n < 8 ? n : 8;
    uint64_t first = FIRST_BYTES(cupel__load64(name), most);
    uint64_t last = FIRST_BYTES(cupel__load64(name + (n - most)), most);
    return cupel__name_mix(first, last, n);
}

/* Adds a name to the filter.  If it may have occurred before, the object is checked when it ends.
 */
ALWAYS_INLINE void filter_name(struct builder *t, uint64_t hash)
{
    uint64_t *word = t->filter + (hash >> 61);
    uint64_t bits = (uint64_t)1 << (hash >> 55 & 63) | (uint64_t)1 << (hash >> 49 & 63);
    uint64_t known = *word;
    *word = known | bits;
    if (__builtin_expect((bits & ~known) == 0, 0))
        t->nodes[t->open].flags |= CUPEL__NODE_MAYBE_DUPLICATES;
}

/* Writes the node of a name without escapes. */
ALWAYS_INLINE void put_name(struct builder *t)
{
    const uint32_t first = t->at[0] + 1, n = t->at[1] - first;
    const uint64_t hash = hash_name(t->text + first, n);
    put_node(t, CUPEL__STRING, CUPEL__KEY, first, n, (uint32_t)(hash >> 32));
    filter_name(t, hash);
}

/* Reads a name with escapes. */
static __attribute__((noinline)) bool decode_name(struct cupel__reader *r, uint32_t where,
                                                  struct cupel__node *node)
{
    r->where = where;
    return cupel__decode_name(r, node);
}

ALWAYS_INLINE enum next put_escaped_name(struct builder *t)
{
    if (!put_escaped(t, CUPEL__KEY))
        return fail_container(t, t->at, NULL);
    const struct cupel__node *key = t->node - 1;
    if (!decode_name(t->r, t->open, t->node - 1)) {
        t->node--;
        return FAILED;
    }
    filter_name(t, hash_name(t->r->doc->side + key->off, key->len));
    return MEMBER;
}

/* Reads a name with escapes and the colon, or fails at any other text. */
ALWAYS_INLINE enum next read_rare_name(struct builder *t)
{
    if (*t->kind != '"')
        return fail_container(t, t->at, "expected a member's name in quotes");
    if (t->kind[1] == '"') {
        put_name(t);
        skip(t, 2);
    } else if (t->kind[1] != '\\') {
        return fail_container(t, t->at + 1, NULL);
    } else if (put_escaped_name(t) == FAILED) {
        return FAILED;
    }
    const bool ended = t->at >= t->r->doc->index + t->r->nindex;
    if (*t->kind != ':')
        return fail_at(t, t->at, ended ? t->open : (uint32_t)(t->node - t->nodes), CUPEL_E_SYNTAX,
                       "expected ':' after a member's name");
    skip(t, 1);
    return MEMBER;
}

/* Whether a name without escapes and a colon come next.  Tests byte by byte: the AVX2 scanner
 * stores bytes one by one, and a load of all as one word would wait for them (77 ns instead of 71
 * for 59 bytes). */
ALWAYS_INLINE bool is_plain_name(const char *kind)
{
    return kind[0] == '"' && kind[1] == '"' && kind[2] == ':';
}

/* Reads a member's name and the colon.  Returns MEMBER if they are there. */
ALWAYS_INLINE enum next read_name(struct builder *t)
{
    if (__builtin_expect(!is_plain_name(t->kind), 0))
        return read_rare_name(t);
    put_name(t);
    skip(t, 3);
    return MEMBER;
}

/* -- Containers -------------------------------------------------------------------------------- */

/* The filter of a container inside `depth` others. */
ALWAYS_INLINE uint64_t *filter_of(const struct builder *t, uint32_t depth)
{
    return t->filters + (size_t)(depth < FILTERS ? depth : FILTERS) * FILTER_WORDS;
}

/* Empties the filter of an object that is opened, or fills the shared one. */
ALWAYS_INLINE void clear_filter(struct builder *t)
{
    if (__builtin_expect(t->depth < FILTERS, 1))
        memset(t->filter, 0, FILTER_WORDS * sizeof *t->filter);
    else
        memset(t->filter, 0xff, FILTER_WORDS * sizeof *t->filter);
}

/* Reads an opening bracket.  An empty container is complete with its node, like a scalar. */
ALWAYS_INLINE enum next open_container(struct builder *t, enum cupel__type type)
{
    const uint32_t self = (uint32_t)(t->node - t->nodes), at = *t->at;
    if (t->depth >= t->max_depth)
        return fail_value(t, CUPEL_E_JSON_DEPTH, "nested deeper than the limit");
    if (t->depth + 1 > t->deepest)
        t->deepest = t->depth + 1;
    skip(t, 1);
    if (*t->kind == (type == CUPEL__OBJECT ? '}' : ']')) {
        skip(t, 1);
        put_node(t, type, 0, at, 0, self + 1);
        return t->open == CUPEL__NO_NODE ? DONE : SEPARATOR;
    }
    if (t->open != CUPEL__NO_NODE)
        t->nodes[t->open].count = t->count;
    put_node(t, type, 0, at, 0, t->open);
    t->open = self;
    t->count = 0;
    t->filter = filter_of(t, t->depth);
    if (type == CUPEL__OBJECT)
        clear_filter(t);
    t->depth++;
    return type == CUPEL__OBJECT ? MEMBER : ITEM;
}

/* Reads a closing bracket after an item or member; checks the names of the object. */
ALWAYS_INLINE enum next close_container(struct builder *t)
{
    const uint32_t self = t->open, end = (uint32_t)(t->node - t->nodes);
    struct cupel__node *container = t->nodes + self;
    t->open = container->end;
    container->count = t->count;
    container->end = end;
    if (__builtin_expect(container->flags & CUPEL__NODE_MAYBE_DUPLICATES, 0) &&
        !cupel__duplicates_check(t->r, self, t->r->doc->index)) {
        container->end = t->open;
        t->open = self;
        return FAILED;
    }
    t->depth--;
    if (t->open == CUPEL__NO_NODE)
        return DONE;
    t->count = t->nodes[t->open].count;
    t->filter = filter_of(t, t->depth - 1);
    return SEPARATOR;
}

/* Reads any value.  Strings are tested first: they are the most frequent values, and the switch is
 * a jump that is harder to predict. */
ALWAYS_INLINE enum next read_value(struct builder *t)
{
    const char kind = *t->kind;
    if (kind == '"')
        return read_string(t);
    switch (kind) {
    case '{':
        return open_container(t, CUPEL__OBJECT);
    case '[':
        return open_container(t, CUPEL__ARRAY);
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
        return read_number(t);
    case 't':
    case 'f':
    case 'n':
        return read_literal(t);
    default:
        return fail_value(t, CUPEL_E_SYNTAX, "expected a value");
    }
}

/* Reads the token behind a member or item: a comma or the end of the container.  A root that is a
 * scalar is an item that nothing may follow (end_scalar): that saves a third of the loop's code. */
ALWAYS_INLINE enum next read_separator(struct builder *t, enum next in)
{
    const char kind = *t->kind;
    t->count++;
    skip(t, 1);
    if (kind == ',')
        return in;
    if (kind == (in == MEMBER ? '}' : ']'))
        return close_container(t);
    if (t->open == CUPEL__NO_NODE) {
        t->at--;
        return DONE;
    }
    return fail_container(t, t->at - 1,
                          in == MEMBER ? "expected ',' or '}' after a member"
                                       : "expected ',' or ']' after an item");
}

/* -- Entry ------------------------------------------------------------------------------------- */

/* Ends the read: nothing may follow the root, and stage 1 must not have failed behind it. */
ALWAYS_INLINE enum cupel_status finish(struct builder *t)
{
    struct cupel__reader *r = t->r;
    if (t->at < r->doc->index + r->nindex)
        return cupel__reader_fail(r, CUPEL_E_TRAILING, *t->at, "the text goes on after the value");
    if (r->end_status != CUPEL_OK)
        return cupel__reader_fail_end(r);
    if (r->side_need > 0 && cupel__side_reserve(r, r->side_need) != CUPEL_OK)
        return r->status;
    r->doc->nnodes = (uint32_t)(t->node - t->nodes);
    r->doc->depth = t->deepest;
    if (r->overridden)
        cupel__duplicates_remove(r);
    return CUPEL_OK;
}

/* Puts a 0 into `kinds` behind a root that is a scalar, so that no rule takes the token behind it
 * for a separator.  The root is no object, whose bracket is tested before. */
static void end_scalar(struct cupel__reader *r)
{
    char *kind = r->doc->kinds;
    if (*kind == '[' || *kind == 0)
        return;
    if (*kind == '"')
        do
            kind++;
        while (*kind == '\\');
    if (*kind != 0)
        kind[1] = 0;
}

/* Runs stage 2.  An object at the root is opened first of all, because it is the most frequent
 * root. The inner loops keep MEMBER and ITEM apart, so that each has its own branches to predict.
 */
enum cupel_status TAPE_BUILD(struct cupel__reader *r)
{
    uint64_t filters[(FILTERS + 1) * FILTER_WORDS];
    struct builder t;
    t.r = r;
    t.text = r->doc->base[0];
    t.at = r->doc->index;
    t.kind = r->doc->kinds;
    t.nodes = t.node = r->doc->nodes;
    t.open = CUPEL__NO_NODE;
    t.count = t.depth = t.deepest = 0;
    t.max_depth = r->options->max_depth;
    t.filters = t.filter = filters;
    enum next next = ITEM;
    if (*t.kind == '{')
        next = open_container(&t, CUPEL__OBJECT);
    else
        end_scalar(r);
    while (next > DONE) {
        if (next == SEPARATOR)
            next = read_separator(&t, t.nodes[t.open].type == CUPEL__OBJECT ? MEMBER : ITEM);
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
    if (next == DONE)
        return finish(&t);
    r->open = t.open;
    r->nodes = (uint32_t)(t.node - t.nodes);
    return r->status;
}
