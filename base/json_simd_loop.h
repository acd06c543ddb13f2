/* json_simd_loop.h: the loop of stage 1 over blocks of 64 bytes, for one instruction set.
 *
 * json_simd.c includes it several times, each time after it has defined what a vector is there and
 * what can be done with it; all of that is undefined again at the end.  The functions are the same
 * for every instruction set, but a function can be inlined only into one with the same target. */

#define PASTE(name, isa)      name##_##isa
#define PASTE_THEM(name, isa) PASTE(name, isa)
#define NAME(name)            PASTE_THEM(name, ISA)
#define EACH(i)               for (int i = 0; i < VECTORS; i++)

/* A block that ends with the text, filled up with white space. */
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

/* What loads a block of a short text. */
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

TARGET ALWAYS_INLINE struct sequences NAME(sort)(const VECTOR *x)
{
    return (struct sequences){
        .control = ~NAME(from)(x, 0x20),
        .high = NAME(from)(x, 0x80),
        .from_90 = NAME(from)(x, 0x90),
        .from_a0 = NAME(from)(x, 0xa0),
        .from_c0 = NAME(from)(x, 0xc0),
        .from_c2 = NAME(from)(x, 0xc2),
        .from_e0 = NAME(from)(x, 0xe0),
        .from_f0 = NAME(from)(x, 0xf0),
        .from_f5 = NAME(from)(x, 0xf5),
        .e0 = NAME(equal)(x, 0xe0),
        .ed = NAME(equal)(x, 0xed),
        .f0 = NAME(equal)(x, 0xf0),
        .f4 = NAME(equal)(x, 0xf4),
    };
}

/* `state` is a copy of *s that lives in registers. */
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
        b.space |= state.mark;
        state.mark = 0;
        uint64_t escaped, quote = find_quotes(&state, &b, &escaped);
        uint64_t strings = PREFIX_XOR(quote) ^ state.in_string;
        state.in_string = -(strings >> 63);
        if ((b.rare & (strings | ~b.space)) != 0) {
            struct sequences q = NAME(sort)(x);
            b.op &= ~q.control;
            if (!check_block(s, (uint32_t)at, strings, &q))
                end = 0; /* this block is the last */
        }
        uint64_t bits = index_bits(&b, quote, strings, escaped, &state.apart);
        state.count += PUT_TOKENS(state.index + state.count, state.kinds + state.count, bits,
                                  (uint32_t)at, bytes + at);
    }
    save_state(s, &state);
}

/* The same for a short text in which nothing is unusual, with a copy in any case: what is carried
 * from one block to the next stays in registers. */
TARGET size_t NAME(cupel__scan_short)(const char *text, uint32_t len, char *copy, uint32_t *index,
                                      char *kinds)
{
    uint64_t in_string = 0, apart = 1;
    uint32_t at = 0;
    size_t n = 0;
    do {
        VECTOR x[VECTORS];
        LOAD_SHORT(x, text + at, len - at);
        EACH(i) STORE(copy + at + i * (int)sizeof *x, x[i]);
        struct block b = CLASSIFY(x);
        uint64_t strings = PREFIX_XOR(b.quote) ^ in_string;
        if ((b.backslash | (b.rare & (strings | ~b.space))) != 0)
            return CUPEL__NOT_SHORT;
        in_string = -(strings >> 63);
        uint64_t bits = index_bits(&b, b.quote, strings, 0, &apart);
        n += PUT_TOKENS(index + n, kinds + n, bits, at, copy + at);
        at += 64;
    } while (at < len);
    EACH(i) STORE(copy + at + i * (int)sizeof(VECTOR), SPREAD(' '));
    return n;
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
