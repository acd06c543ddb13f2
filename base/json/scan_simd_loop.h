/* scan_simd_loop.h: the loop of stage 1 over blocks of 64 bytes, for one instruction set.
 *
 * json/scan_simd.c includes this file once for each instruction set, after it has defined the
 * vector type and its operations; the end of this file undefines them.  The code is the same for
 * all, but a function can be inlined only into one with the same `target`, so each needs a copy. */

#define PASTE(name, isa)      name##_##isa
#define PASTE_THEM(name, isa) PASTE(name, isa)
#define NAME(name)            PASTE_THEM(name, ISA)
#define EACH(i)               for (int i = 0; i < VECTORS; i++)

/* Loads the last block of a text, filled up with white space. */
#ifndef LOAD_TAIL
#    define LOAD_TAIL NAME(load_tail)

TARGET ALWAYS_INLINE void NAME(load_tail)(VECTOR *x, const char *p, uint64_t n)
{
    char block[64];
    memset(block, ' ', sizeof block);
    memcpy(block, p, n);
    EACH(i) x[i] = LOAD(block + i * (int)sizeof *x);
}
#endif

TARGET ALWAYS_INLINE void NAME(load)(VECTOR *x, const char *p, uint64_t n)
{
    if (n >= 64) {
        EACH(i) x[i] = LOAD(p + i * (int)sizeof *x);
    } else {
        LOAD_TAIL(x, p, n);
    }
}

/* How a block of a short text is loaded. */
#ifndef LOAD_SHORT
#    define LOAD_SHORT NAME(load)
#endif

TARGET ALWAYS_INLINE uint64_t NAME(equal)(const VECTOR *x, int c)
{
    TRUTH truth[VECTORS];
    EACH(i) truth[i] = EQUAL(x[i], SPREAD(c));
    return BITS(truth);
}

TARGET ALWAYS_INLINE uint64_t NAME(from)(const VECTOR *x, int c)
{
    TRUTH truth[VECTORS];
    EACH(i) truth[i] = FROM(x[i], c);
    return BITS(truth);
}

#ifndef CLASSIFY
#    define CLASSIFY(x) NAME(classify)(x)

TARGET ALWAYS_INLINE struct block NAME(classify)(const VECTOR *x)
{
    TRUTH op[VECTORS], space[VECTORS], rare[VECTORS];
    EACH(i)
    {
        op[i] = EQUAL(PICK(TABLE(op_table), x[i]), OR(x[i], SPREAD(0x20)));
        space[i] = EQUAL(PICK(TABLE(space_table), x[i]), x[i]);
        rare[i] = BELOW(x[i], 0x20);
    }
    return (struct block){NAME(equal)(x, '"'), NAME(equal)(x, '\\'), BITS(op), BITS(space),
                          BITS(rare)};
}
#endif

/* Checks what only narrow first bytes need. */
TARGET static __attribute__((noinline)) uint64_t NAME(check_narrow)(struct cupel__scan *s,
                                                                    const VECTOR *x)
{
    const uint64_t from_f5 = NAME(from)(x, 0xf5);
    const struct narrow n = {
        .c0 = (NAME(from)(x, 0xc0) & ~NAME(from)(x, 0xc2)) | from_f5,
        .e0 = NAME(equal)(x, 0xe0),
        .ed = NAME(equal)(x, 0xed),
        .f4 = NAME(equal)(x, 0xf4),
    };
    return check_narrow(s, &n, NAME(from)(x, 0x90), NAME(from)(x, 0xa0));
}

/* Checks a block with rare bytes, or behind one that ends within a character: UTF-8, and control
 * characters, which strings must not have.  Returns the control characters.  Out of line, so that
 * the loop keeps its registers. */
TARGET static __attribute__((noinline)) uint64_t
NAME(take_rare)(struct cupel__scan *s, const VECTOR *x, uint64_t rare, uint64_t strings)
{
    const struct sequences q = {NAME(from)(x, 0x80), NAME(from)(x, 0xc0), NAME(from)(x, 0xe0),
                                NAME(from)(x, 0xf0)};
    const uint64_t control = rare & ~q.high;
    s->wrong |= (control & strings) | check_lengths(s, &q);
    uint64_t narrow = (q.from_c0 & ~NAME(from)(x, 0xc2)) | NAME(equal)(x, 0xe0) |
                      NAME(equal)(x, 0xed) | s->narrow;
    if ((q.from_f0 | s->after_f0) != 0) { /* emoji, which are more frequent than the others */
        const uint64_t f0 = NAME(equal)(x, 0xf0);
        s->wrong |= (f0 << 1 | s->after_f0) & ~NAME(from)(x, 0x90);
        s->after_f0 = f0 >> 63;
        narrow |= q.from_f0 & ~f0 & NAME(from)(x, 0xf4);
    }
    if (narrow != 0)
        s->wrong |= NAME(check_narrow)(s, x);
    return control;
}

/* The classes that the check of escapes needs.  Digits are looked for where there may be some. With
 * bit 5 set, which joins both cases of letters, control characters look like digits: stage 1 finds
 * these by themselves. */
TARGET ALWAYS_INLINE struct escape_bytes NAME(sort_escapes)(const VECTOR *x, uint64_t escaped,
                                                            bool pending)
{
    struct escape_bytes e = {0};
    TRUTH simple[VECTORS];
    EACH(i) simple[i] = EQUAL(PICK(TABLE(escape_table), x[i]), x[i]);
    e.simple = BITS(simple) | NAME(equal)(x, 'r');
    e.u = NAME(equal)(x, 'u');
    if ((escaped & e.u) != 0 || pending) {
        VECTOR low[VECTORS];
        EACH(i) low[i] = OR(x[i], SPREAD(0x20));
        const uint64_t from_8 = NAME(from)(low, '8'), from_a = NAME(from)(low, 'a'),
                       from_c = NAME(from)(low, 'c');
        e.d = NAME(equal)(low, 'd');
        e.lower = from_c & ~NAME(from)(low, 'g');
        e.upper = (from_8 & ~NAME(from)(low, ':')) | (from_a & ~from_c);
        e.hex = (NAME(from)(low, '0') & ~from_8) | e.upper | e.lower;
    }
    return e;
}

/* Finds and checks the escapes of a block.  Out of line, as take_rare is. */
TARGET static __attribute__((noinline)) struct escapes
NAME(take_escapes)(struct cupel__scan *s, const VECTOR *x, uint64_t quote, uint64_t backslash,
                   uint64_t in_string)
{
    uint64_t escaped = s->escaped;
    const uint64_t escapes = find_escapes(backslash, &s->escaped);
    escaped |= escapes << 1;
    const uint64_t quotes = quote & ~escaped, strings = PREFIX_XOR(quotes) ^ in_string;
    const struct escape_bytes e = NAME(sort_escapes)(x, escaped & strings, is_pending(s));
    s->wrong |= check_escapes(s, quote | backslash, escaped & strings, &e);
    s->pending = is_pending(s) | s->escaped;
    return (struct escapes){quotes, first_escapes(escapes & strings, strings, quotes)};
}

/* Stage 1 of the bytes [from, to); cupel__scan_part says more.  `state` is a copy of *s whose
 * members live in registers; *s itself has what rare blocks need. */
TARGET void NAME(cupel__scan)(struct cupel__scan *s, uint32_t from, uint32_t to)
{
    struct cupel__scan state = *s;
    const char *const bytes = state.copy != NULL ? state.copy : state.text;
    for (uint64_t at = from, end = to; at < end; at += 64) {
        VECTOR x[VECTORS];
        NAME(load)(x, state.text + at, end - at);
        if (state.copy != NULL)
            EACH(i) STORE(state.copy + at + i * (int)sizeof *x, x[i]);
        struct block b = CLASSIFY(x);
        b.space |= state.bom;
        state.bom = 0;
        struct escapes e = {b.quote, 0};
        if (__builtin_expect((b.backslash | s->pending) != 0, 0)) {
            VECTOR y[VECTORS]; /* x has no address, so that it stays in registers */
            EACH(i) y[i] = x[i];
            e = NAME(take_escapes)(s, y, b.quote, b.backslash, state.in_string);
        }
        uint64_t strings = PREFIX_XOR(e.quotes) ^ state.in_string;
        state.in_string = -(strings >> 63);
        if (((b.rare & (strings | ~b.space)) | s->continued) != 0) {
            VECTOR y[VECTORS];
            EACH(i) y[i] = x[i];
            b.op &= ~NAME(take_rare)(s, y, b.rare, strings);
        }
        uint64_t bits = index_bits(&b, e.quotes, strings, &state.boundary) | e.first;
        if (bits != 0)
            state.count += PUT_TOKENS(state.index + state.count, state.kinds + state.count, bits,
                                      (uint32_t)at, bytes + at);
        if (s->wrong != 0)
            break;
    }
    save_state(s, &state);
    if (s->wrong != 0 || (to == s->len && is_cut(s)))
        note_wrong(s, from);
}

/* The state between two blocks of a short text. */
struct NAME(carry) {
    uint64_t in_string, boundary;
    size_t n; /* entries of the index */
};

/* Scans the block at `at` of a short text.  False if it has an escape or a rare byte that is not
 * white space outside strings. */
TARGET ALWAYS_INLINE bool NAME(scan_block)(const struct cupel__reader *r, uint32_t at,
                                           struct NAME(carry) * c)
{
    const struct cupel__doc *doc = r->doc;
    char *copy = doc->text + at;
    VECTOR x[VECTORS];
    LOAD_SHORT(x, r->text + at, r->len - at);
    EACH(i) STORE(copy + i * (int)sizeof *x, x[i]);
    struct block b = CLASSIFY(x);
    uint64_t strings = PREFIX_XOR(b.quote) ^ c->in_string;
    if ((b.backslash | (b.rare & (strings | ~b.space))) != 0)
        return false;
    c->in_string = -(strings >> 63);
    uint64_t bits = index_bits(&b, b.quote, strings, &c->boundary);
    c->n += PUT_TOKENS(doc->index + c->n, doc->kinds + c->n, bits, at, copy);
    return true;
}

/* Pads the copy and ends the index. */
TARGET ALWAYS_INLINE bool NAME(end_short)(struct cupel__reader *r, uint32_t at, size_t n)
{
    struct cupel__doc *doc = r->doc;
    EACH(i) STORE(doc->text + at + i * (int)sizeof(VECTOR), SPREAD(' '));
    doc->base[0] = doc->text;
    cupel__terminate_index(r, n);
    return true;
}

/* Scans a short text from its second block on.  Out of line: the median text of a call has 58 bytes
 * and saves no registers for this. */
TARGET static __attribute__((noinline)) bool
NAME(scan_rest)(struct cupel__reader *r, uint64_t in_string, uint64_t boundary, size_t n)
{
    struct NAME(carry) c = {in_string, boundary, n};
    uint32_t at = 64;
    do {
        if (!NAME(scan_block)(r, at, &c))
            return false;
        at += 64;
    } while (at < r->len);
    return NAME(end_short)(r, at, c.n);
}

/* Stage 1 of a short text; cupel__scan_short says more.  Two words of state stay in registers, and
 * the first block has none before it: 34 ns instead of 43 for a text of 57 bytes, 14 instead of 21
 * for
 * `{}`. */
TARGET bool NAME(cupel__scan_short)(struct cupel__reader *r)
{
    struct NAME(carry) c = {0, 1, 0};
    if (!NAME(scan_block)(r, 0, &c))
        return false;
    if (r->len > 64)
        return NAME(scan_rest)(r, c.in_string, c.boundary, c.n);
    return NAME(end_short)(r, 64, c.n);
}

#undef PASTE
#undef PASTE_THEM
#undef NAME
#undef EACH
#undef ISA
#undef TARGET
#undef VECTOR
#undef TRUTH
#undef VECTORS
#undef LOAD
#undef LOAD_TAIL
#undef LOAD_SHORT
#undef STORE
#undef SPREAD
#undef TABLE
#undef PICK
#undef OR
#undef EQUAL
#undef BELOW
#undef FROM
#undef BITS_OF
#undef BITS
#undef CLASSIFY
#undef PREFIX_XOR
#undef PUT_TOKENS
