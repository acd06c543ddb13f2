/* json_simd.c: stage 1 of the JSON reader with SIMD (json_internal.h).
 *
 * The text goes through in blocks of 64 bytes.  SIMD sorts the bytes of a block into a few
 * classes, each a word with a bit a byte; then ordinary arithmetic on those words does the work,
 * the same for every instruction set.  Functions for an instruction set that a machine may lack
 * have a `target` attribute, and json_scan.c sees to it that they are called only where they
 * work. */
#include "json_internal.h"
#include "utf8.h"

#ifdef CUPEL__SIMD_X86
#    include <immintrin.h>
#endif
#ifdef CUPEL__SIMD_NEON
#    include <arm_neon.h>
#endif

#if defined(CUPEL__SIMD_X86) || defined(CUPEL__SIMD_NEON)

#    define ALWAYS_INLINE static inline __attribute__((always_inline))

/* -- Blocks ------------------------------------------------------------------------------------ */

/* The classes of 64 bytes; bit i is byte i. */
struct block {
    uint64_t quote, backslash;
    uint64_t op;      /* {}[]:, and perhaps some control characters */
    uint64_t space;   /* RFC 8259 section 2 */
    uint64_t control; /* below U+0020 */
    uint64_t high;    /* not ASCII */
};

/* The lowest set bit's place; for 0 some place. */
ALWAYS_INLINE uint32_t low_bit(uint64_t bits)
{
    return (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
}

/* Which bytes are escaped: those after a backslash that is not escaped itself. */
static uint64_t find_escaped(uint64_t backslash, uint64_t *carry)
{
    uint64_t escaped = *carry;
    *carry = 0;
    for (uint64_t left = backslash & ~escaped; left != 0;) {
        uint64_t bit = left & -left;
        escaped |= bit << 1;
        left &= ~(bit | bit << 1);
        *carry = bit >> 63;
    }
    return escaped;
}

/* The bytes of a block by what they may be in UTF-8; `from_90` are those that are 0x90 or more. */
struct sequences {
    uint64_t from_90, from_a0, from_c0, from_e0, from_f0, from_f5;
    uint64_t c0_c1, e0, ed, f0, f4;
};

/* Whether those of the bytes that are in `high` are whole, well-formed sequences (RFC 3629
 * section 4): as many continuation bytes as announced, no byte that cannot occur, and the second
 * byte not one that makes an overlong form, a surrogate, or something past U+10FFFF. */
static bool well_formed(const struct sequences *q, uint64_t high)
{
    uint64_t expected =
        (q->from_c0 & high) << 1 | (q->from_e0 & high) << 2 | (q->from_f0 & high) << 3;
    uint64_t wrong = expected ^ (high & ~q->from_c0);
    wrong |= (q->c0_c1 | q->from_f5) & high;
    wrong |= (q->e0 & high) << 1 & ~q->from_a0;
    wrong |= (q->ed & high) << 1 & q->from_a0;
    wrong |= (q->f0 & high) << 1 & ~q->from_90;
    wrong |= (q->f4 & high) << 1 & q->from_90;
    return wrong == 0;
}

/* Checks the sequences that begin in a block, one by one, given its bytes that are not ASCII. */
static void check_slowly(struct cupel__scan *s, uint32_t pos, uint64_t high)
{
    while (high != 0) {
        uint32_t at = pos + low_bit(high), cp;
        unsigned length = cupel__utf8_decode(s->text + at, s->text + s->len, &cp);
        if (length == 0) {
            cupel__scan_fail(s, CUPEL_E_UTF8, at);
            return;
        }
        s->utf8 = at + length;
        if (s->utf8 - pos >= 64)
            return;
        high &= ~(uint64_t)0 << (s->utf8 - pos);
    }
}

/* The same, together.  A sequence that goes on in the next block is left to the slow check,
 * which notes where it ends; so nothing else has to be known there. */
static void check_utf8(struct cupel__scan *s, uint32_t pos, uint64_t high,
                       const struct sequences *q)
{
    if (s->utf8 > pos)
        high &= ~(uint64_t)0 << (s->utf8 - pos);
    uint64_t crossing =
        high & ((q->from_c0 & (uint64_t)1 << 63) | (q->from_e0 & (uint64_t)3 << 62) |
                (q->from_f0 & (uint64_t)7 << 61));
    uint64_t rest = crossing != 0 ? ~(uint64_t)0 << low_bit(crossing) : 0;
    check_slowly(s, pos, well_formed(q, high & ~rest) ? high & rest : high);
}

/* Writes the positions of the bits, eight at a time, so that the number of rounds is easy to
 * predict: up to seven entries too many. */
ALWAYS_INLINE uint32_t *put_index(uint32_t *index, uint64_t bits, uint32_t pos)
{
    uint32_t *end = index + __builtin_popcountll(bits);
    while (index < end) {
        for (int i = 0; i < 8; i++) {
            index[i] = pos + low_bit(bits);
            bits &= bits - 1;
        }
        index += 8;
    }
    return end;
}

/* The bits of a block that lie in the text. */
ALWAYS_INLINE uint64_t valid_bits(const struct cupel__scan *s, uint32_t pos)
{
    uint64_t valid = ~(uint64_t)0;
    if (s->len - pos < 64)
        valid >>= 64 - (s->len - pos);
    if (pos == 0)
        valid &= ~(uint64_t)0 << s->skip;
    return valid;
}

ALWAYS_INLINE struct block cut_block(struct block b, uint64_t valid)
{
    return (struct block){b.quote & valid,  b.backslash & valid, b.op & valid,
                          b.space | ~valid, b.control & valid,   b.high & valid};
}

/* The bits of a block that belong into the index.  `strings` has, bit for bit, whether an odd
 * number of quotes stands at or before this byte: from an opening quote to the byte before the
 * closing one. */
ALWAYS_INLINE uint64_t index_bits(struct cupel__scan *s, const struct block *b, uint64_t quote,
                                  uint64_t strings, uint64_t escaped)
{
    uint64_t token = ~(strings | quote | b->op | b->space);
    uint64_t first = token & ~(token << 1 | s->scalar);
    s->scalar = token >> 63;
    return (b->op & ~strings) | quote | first | (b->backslash & ~escaped & strings);
}

/* The quotes that delimit strings. */
ALWAYS_INLINE uint64_t find_quotes(struct cupel__scan *s, const struct block *b,
                                   uint64_t *ret_escaped)
{
    uint64_t escaped = s->escaped;
    if (b->backslash != 0)
        escaped = find_escaped(b->backslash, &s->escaped);
    else
        s->escaped = 0;
    *ret_escaped = escaped;
    return b->quote & ~escaped;
}

/* What is rare: UTF-8, and control characters in strings.  False if the block has an error. */
static __attribute__((noinline)) bool check_block(struct cupel__scan *s, uint32_t pos,
                                                  uint64_t high, uint64_t bad,
                                                  const struct sequences *q)
{
    if (bad != 0)
        cupel__scan_fail(s, CUPEL_E_SYNTAX, pos + low_bit(bad));
    if (high != 0)
        check_utf8(s, pos, high, q);
    return s->status == CUPEL_OK;
}

static void save_state(struct cupel__scan *s, const struct cupel__scan *state, uint32_t *index)
{
    s->escaped = state->escaped;
    s->in_string = state->in_string;
    s->scalar = state->scalar;
    s->count = (size_t)(index - s->index);
}

/* The loop over blocks, the same for every instruction set; `state` is a copy of *s that lives
 * in registers.  A macro, because a function can be inlined only into one with the same target. */
#    define DEFINE_SCANNER(name, attribute, classify, sort, prefix_xor, put_index)              \
        attribute void name(struct cupel__scan *s, uint32_t from, uint32_t to)                  \
        {                                                                                       \
            struct cupel__scan state = *s;                                                      \
            uint32_t *index = s->index + s->count;                                              \
            for (uint64_t at = from; at < to; at += 64) {                                       \
                uint32_t pos = (uint32_t)at;                                                    \
                struct block b = classify(s->text + pos);                                       \
                if (to - pos < 64 || pos == 0)                                                  \
                    b = cut_block(b, valid_bits(&state, pos));                                  \
                uint64_t escaped, quote = find_quotes(&state, &b, &escaped);                    \
                uint64_t strings = prefix_xor(quote) ^ state.in_string;                         \
                state.in_string = -(strings >> 63);                                             \
                b.op &= ~b.control;                                                             \
                uint64_t bad = b.control & strings;                                             \
                index = put_index(index, index_bits(&state, &b, quote, strings, escaped), pos); \
                if ((b.high | bad) != 0) {                                                      \
                    struct sequences q = sort(s->text + pos);                                   \
                    if (!check_block(s, pos, b.high, bad, &q))                                  \
                        break;                                                                  \
                }                                                                               \
            }                                                                                   \
            save_state(s, &state, index);                                                       \
        }

/* Fills a struct sequences from vectors of bytes, of the same with the lowest bit cleared, and
 * two comparisons. */
#    define SORT_BYTES(q, v, even)      \
        (q).from_90 |= FROM(0x90);      \
        (q).from_a0 |= FROM(0xa0);      \
        (q).from_c0 |= FROM(0xc0);      \
        (q).from_e0 |= FROM(0xe0);      \
        (q).from_f0 |= FROM(0xf0);      \
        (q).from_f5 |= FROM(0xf5);      \
        (q).c0_c1 |= EQUAL(even, 0xc0); \
        (q).e0 |= EQUAL(v, 0xe0);       \
        (q).ed |= EQUAL(v, 0xed);       \
        (q).f0 |= EQUAL(v, 0xf0);       \
        (q).f4 |= EQUAL(v, 0xf4);

/* -- x86-64 ------------------------------------------------------------------------------------ */

#    ifdef CUPEL__SIMD_X86

/* Both tables are indexed by the low four bits of a byte, which pshufb makes 0 for bytes that
 * are not ASCII.  A byte is white space if its entry in the first is the byte itself; it is one
 * of {}[]:, (or one of two control characters) if its entry in the second is the byte with bit 5
 * set. */
#        define SPACE_TABLE ' ', -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1, '\r', -1, -1
#        define OP_TABLE    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0

#        define SSE42 __attribute__((target("sse4.2,popcnt,pclmul")))
#        define AVX2  __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#        define AVX512 \
            __attribute__((target("avx2,avx512f,avx512bw,avx512vbmi2,bmi,bmi2,popcnt,pclmul")))

/* Bit i of the result is the exclusive or of the bits 0 to i: a product without carries. */
SSE42 ALWAYS_INLINE uint64_t prefix_xor_sse42(uint64_t bits)
{
    __m128i ones = _mm_set1_epi8(-1);
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), ones, 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

AVX2 ALWAYS_INLINE uint64_t prefix_xor_avx2(uint64_t bits)
{
    __m128i ones = _mm_set1_epi8(-1);
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), ones, 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

SSE42 ALWAYS_INLINE struct block classify_sse42(const char *p)
{
    const __m128i space = _mm_setr_epi8(SPACE_TABLE), op = _mm_setr_epi8(OP_TABLE);
    struct block b = {0};
    for (int i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
#        define MASK(vector) ((uint64_t)(uint32_t)_mm_movemask_epi8(vector) << (16 * i))
        b.quote |= MASK(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
        b.backslash |= MASK(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
        __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
        b.op |= MASK(_mm_cmpeq_epi8(_mm_shuffle_epi8(op, v), folded));
        b.space |= MASK(_mm_cmpeq_epi8(_mm_shuffle_epi8(space, v), v));
        b.control |= MASK(_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v));
        b.high |= MASK(v);
#        undef MASK
    }
    return b;
}

SSE42 ALWAYS_INLINE struct sequences sort_sse42(const char *p)
{
    struct sequences q = {0};
    for (int i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        __m128i even = _mm_and_si128(v, _mm_set1_epi8((char)0xfe));
#        define MASK(vector) ((uint64_t)(uint32_t)_mm_movemask_epi8(vector) << (16 * i))
#        define FROM(c)      MASK(_mm_cmpeq_epi8(_mm_max_epu8(v, _mm_set1_epi8((char)(c))), v))
#        define EQUAL(x, c)  MASK(_mm_cmpeq_epi8(x, _mm_set1_epi8((char)(c))))
        SORT_BYTES(q, v, even)
#        undef EQUAL
#        undef FROM
#        undef MASK
    }
    return q;
}

AVX2 ALWAYS_INLINE struct block classify_avx2(const char *p)
{
    const __m256i space = _mm256_setr_epi8(SPACE_TABLE, SPACE_TABLE);
    const __m256i op = _mm256_setr_epi8(OP_TABLE, OP_TABLE);
    struct block b = {0};
    for (int i = 0; i < 2; i++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32 * i));
#        define MASK(vector) ((uint64_t)(uint32_t)_mm256_movemask_epi8(vector) << (32 * i))
        b.quote |= MASK(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')));
        b.backslash |= MASK(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')));
        __m256i folded = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
        b.op |= MASK(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(op, v), folded));
        b.space |= MASK(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(space, v), v));
        b.control |= MASK(_mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x1f)), v));
        b.high |= MASK(v);
#        undef MASK
    }
    return b;
}

AVX2 ALWAYS_INLINE struct sequences sort_avx2(const char *p)
{
    struct sequences q = {0};
    for (int i = 0; i < 2; i++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32 * i));
        __m256i even = _mm256_and_si256(v, _mm256_set1_epi8((char)0xfe));
#        define MASK(vector) ((uint64_t)(uint32_t)_mm256_movemask_epi8(vector) << (32 * i))
#        define ALL(c)       _mm256_set1_epi8((char)(c))
#        define FROM(c)      MASK(_mm256_cmpeq_epi8(_mm256_max_epu8(v, ALL(c)), v))
#        define EQUAL(x, c)  MASK(_mm256_cmpeq_epi8(x, ALL(c)))
        SORT_BYTES(q, v, even)
#        undef ALL
#        undef EQUAL
#        undef FROM
#        undef MASK
    }
    return q;
}

/* put_index with instructions that are defined for 0. */
AVX2 ALWAYS_INLINE uint32_t *put_index_avx2(uint32_t *index, uint64_t bits, uint32_t pos)
{
    uint32_t *end = index + __builtin_popcountll(bits);
    for (; index < end; index += 8) {
        for (int i = 0; i < 8; i++) {
            index[i] = pos + (uint32_t)_tzcnt_u64(bits);
            bits = _blsr_u64(bits);
        }
    }
    return end;
}

/* The same with a mask for each comparison. */
AVX512 ALWAYS_INLINE struct block classify_avx512(const char *p)
{
    const __m512i space = _mm512_broadcast_i32x4(_mm_setr_epi8(SPACE_TABLE));
    const __m512i op = _mm512_broadcast_i32x4(_mm_setr_epi8(OP_TABLE));
    __m512i v = _mm512_loadu_si512((const void *)p);
    struct block b;
    b.quote = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
    b.backslash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
    __m512i folded = _mm512_or_si512(v, _mm512_set1_epi8(0x20));
    b.op = _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(op, v), folded);
    b.space = _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(space, v), v);
    b.control = _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20));
    b.high = (uint64_t)_mm512_movepi8_mask(v);
    return b;
}

AVX512 ALWAYS_INLINE struct sequences sort_avx512(const char *p)
{
    struct sequences q = {0};
    __m512i v = _mm512_loadu_si512((const void *)p);
    __m512i even = _mm512_and_si512(v, _mm512_set1_epi8((char)0xfe));
#        define FROM(c)     _mm512_cmpge_epu8_mask(v, _mm512_set1_epi8((char)(c)))
#        define EQUAL(x, c) _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8((char)(c)))
    SORT_BYTES(q, v, even)
#        undef EQUAL
#        undef FROM
    return q;
}

/* Writes the positions of the bits, 16 at a time: up to 31 entries too many. */
AVX512 ALWAYS_INLINE uint32_t *put_index_avx512(uint32_t *index, uint64_t bits, uint32_t pos)
{
    static const uint8_t places[64] __attribute__((aligned(64))) = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i base = _mm512_set1_epi32((int)pos);
    __m512i set = _mm512_maskz_compress_epi8(bits, _mm512_load_si512((const void *)places));
#        define PUT(i)                      \
            _mm512_storeu_si512(            \
                (void *)(index + 16 * (i)), \
                _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(set, i))))
    int count = __builtin_popcountll(bits);
    PUT(0);
    PUT(1);
    if (__builtin_expect(count > 32, 0)) {
        PUT(2);
        PUT(3);
    }
#        undef PUT
    return index + count;
}

DEFINE_SCANNER(cupel__scan_sse42, SSE42, classify_sse42, sort_sse42, prefix_xor_sse42, put_index)
DEFINE_SCANNER(cupel__scan_avx2, AVX2, classify_avx2, sort_avx2, prefix_xor_avx2, put_index_avx2)
DEFINE_SCANNER(cupel__scan_avx512, AVX512, classify_avx512, sort_avx512, prefix_xor_avx2,
               put_index_avx512)

#    endif

/* -- AArch64 ----------------------------------------------------------------------------------- */

#    ifdef CUPEL__SIMD_NEON

/* Without a carry-less product, which not every AArch64 has. */
ALWAYS_INLINE uint64_t prefix_xor_neon(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* Four vectors of 0x00 or 0xff to a word: keep a bit of each byte, then add neighbours three
 * times. */
ALWAYS_INLINE uint64_t mask_neon(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bit = vld1q_u8(places);
    uint8x16_t ab = vpaddq_u8(vandq_u8(a, bit), vandq_u8(b, bit));
    uint8x16_t cd = vpaddq_u8(vandq_u8(c, bit), vandq_u8(d, bit));
    uint8x16_t all = vpaddq_u8(ab, cd);
    all = vpaddq_u8(all, all);
    return vgetq_lane_u64(vreinterpretq_u64_u8(all), 0);
}

struct bytes_neon {
    uint8x16_t v[4];
};

ALWAYS_INLINE uint64_t equal_neon(const struct bytes_neon *x, uint8_t c)
{
    uint8x16_t want = vdupq_n_u8(c);
    return mask_neon(vceqq_u8(x->v[0], want), vceqq_u8(x->v[1], want), vceqq_u8(x->v[2], want),
                     vceqq_u8(x->v[3], want));
}

ALWAYS_INLINE uint64_t below_neon(const struct bytes_neon *x, uint8_t c)
{
    uint8x16_t bound = vdupq_n_u8(c);
    return mask_neon(vcltq_u8(x->v[0], bound), vcltq_u8(x->v[1], bound), vcltq_u8(x->v[2], bound),
                     vcltq_u8(x->v[3], bound));
}

ALWAYS_INLINE struct block classify_neon(const char *p)
{
    struct bytes_neon x, brace;
    for (int i = 0; i < 4; i++) {
        x.v[i] = vld1q_u8((const uint8_t *)p + 16 * i);
        brace.v[i] = vorrq_u8(x.v[i], vdupq_n_u8(0x20)); /* [ and ] become { and } */
    }
    struct block b = {0};
    b.quote = equal_neon(&x, '"');
    b.backslash = equal_neon(&x, '\\');
    b.op = equal_neon(&brace, '{') | equal_neon(&brace, '}') | equal_neon(&x, ':') |
           equal_neon(&x, ',');
    b.space =
        equal_neon(&x, ' ') | equal_neon(&x, '\t') | equal_neon(&x, '\n') | equal_neon(&x, '\r');
    b.control = below_neon(&x, 0x20);
    b.high = ~below_neon(&x, 0x80);
    return b;
}

ALWAYS_INLINE struct sequences sort_neon(const char *p)
{
    struct sequences q = {0};
    struct bytes_neon x, even;
    for (int i = 0; i < 4; i++) {
        x.v[i] = vld1q_u8((const uint8_t *)p + 16 * i);
        even.v[i] = vandq_u8(x.v[i], vdupq_n_u8(0xfe));
    }
#        define FROM(c)     ~below_neon(&x, c)
#        define EQUAL(y, c) equal_neon(&(y), c)
    SORT_BYTES(q, x, even)
#        undef EQUAL
#        undef FROM
    return q;
}

DEFINE_SCANNER(cupel__scan_neon, , classify_neon, sort_neon, prefix_xor_neon, put_index)

#    endif

#endif
