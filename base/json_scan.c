/* json_scan.c: stage 1 of the JSON reader: where the tokens of a text are (json_internal.h).
 *
 * The text goes through in blocks of 64 bytes.  SIMD sorts the bytes of a block into a few classes,
 * each a word with a bit a byte; then ordinary arithmetic on those words does the work, the same
 * for every instruction set.  The portable scanner goes byte by byte instead.  All of them give the
 * same index and the same errors, for every input.
 *
 * Nothing here knows the grammar: stage 2 refuses what is out of place. */
#include "json_internal.h"
#include "utf8.h"

#if !defined(CUPEL_NO_SIMD) && defined(__x86_64__)
#    define SCAN_X86 1
#    include <immintrin.h>
#elif !defined(CUPEL_NO_SIMD) && defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#    define SCAN_NEON 1
#    include <arm_neon.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static void scan_fail(struct cupel__scan *s, enum cupel_status status, uint32_t offset)
{
    if (s->status == CUPEL_OK || offset < s->error) {
        s->status = status;
        s->error = offset;
    }
}

/* Drops what was indexed from the error on. */
static void drop_after_error(struct cupel__scan *s)
{
    while (s->count > 0 && s->index[s->count - 1] >= s->error)
        s->count--;
}

/* -- Blocks ------------------------------------------------------------------------------------- */

#if defined(SCAN_X86) || defined(SCAN_NEON)

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

/* Checks the sequences that begin in a block, given its bytes that are not ASCII. */
static __attribute__((noinline)) void check_utf8(struct cupel__scan *s, uint32_t pos, uint64_t high)
{
    if (s->utf8 > pos)
        high &= ~(uint64_t)0 << (s->utf8 - pos);
    while (high != 0) {
        uint32_t at = pos + low_bit(high), cp;
        unsigned length = cupel__utf8_decode(s->text + at, s->text + s->len, &cp);
        if (length == 0) {
            scan_fail(s, CUPEL_E_UTF8, at);
            return;
        }
        s->utf8 = at + length;
        if (s->utf8 - pos >= 64)
            return;
        high &= ~(uint64_t)0 << (s->utf8 - pos);
    }
}

/* Writes the positions of the bits, eight at a time, so that the number of rounds is easy to predict:
 * up to seven entries too many. */
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

/* The loop over blocks, the same for every instruction set; `state` is a copy of *s that lives in
 * registers.  A macro, because a function can be inlined only into one with the same target. */
#    define DEFINE_SCANNER(name, attribute, classify, prefix_xor, put_index)                               \
        attribute static void name(struct cupel__scan *s, uint32_t from, uint32_t to)           \
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
                if ((b.high | bad) != 0 && !check_block(s, pos, b.high, bad))                   \
                    break;                                                                      \
            }                                                                                   \
            save_state(s, &state, index);                                                       \
        }

/* What is rare: UTF-8, and control characters in strings.  False if the block has an error. */
static bool check_block(struct cupel__scan *s, uint32_t pos, uint64_t high, uint64_t bad)
{
    if (bad != 0)
        scan_fail(s, CUPEL_E_SYNTAX, pos + low_bit(bad));
    if (high != 0)
        check_utf8(s, pos, high);
    return s->status == CUPEL_OK;
}

static void save_state(struct cupel__scan *s, const struct cupel__scan *state, uint32_t *index)
{
    s->escaped = state->escaped;
    s->in_string = state->in_string;
    s->scalar = state->scalar;
    s->count = (size_t)(index - s->index);
}

#endif

/* -- x86-64 ------------------------------------------------------------------------------------- */

#ifdef SCAN_X86

/* Both tables are indexed by the low four bits of a byte, which pshufb makes 0 for bytes that are
 * not ASCII.  A byte is white space if its entry in the first is the byte itself; it is one of
 * {}[]:, (or one of two control characters) if its entry in the second is the byte with bit 5 set.
 */
#    define SPACE_TABLE ' ', -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1, '\r', -1, -1
#    define OP_TABLE    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0

#    define SSE42 __attribute__((target("sse4.2,popcnt,pclmul")))
#    define AVX2  __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#    define AVX512 \
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
#    define MASK(vector) ((uint64_t)(uint32_t)_mm_movemask_epi8(vector) << (16 * i))
        b.quote |= MASK(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
        b.backslash |= MASK(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
        __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
        b.op |= MASK(_mm_cmpeq_epi8(_mm_shuffle_epi8(op, v), folded));
        b.space |= MASK(_mm_cmpeq_epi8(_mm_shuffle_epi8(space, v), v));
        b.control |= MASK(_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v));
        b.high |= MASK(v);
#    undef MASK
    }
    return b;
}

AVX2 ALWAYS_INLINE struct block classify_avx2(const char *p)
{
    const __m256i space = _mm256_setr_epi8(SPACE_TABLE, SPACE_TABLE);
    const __m256i op = _mm256_setr_epi8(OP_TABLE, OP_TABLE);
    struct block b = {0};
    for (int i = 0; i < 2; i++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32 * i));
#    define MASK(vector) ((uint64_t)(uint32_t)_mm256_movemask_epi8(vector) << (32 * i))
        b.quote |= MASK(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')));
        b.backslash |= MASK(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')));
        __m256i folded = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
        b.op |= MASK(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(op, v), folded));
        b.space |= MASK(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(space, v), v));
        b.control |= MASK(_mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x1f)), v));
        b.high |= MASK(v);
#    undef MASK
    }
    return b;
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

/* Writes the positions of the bits, 16 at a time: up to 31 entries too many. */
AVX512 ALWAYS_INLINE uint32_t *put_index_avx512(uint32_t *index, uint64_t bits, uint32_t pos)
{
    static const uint8_t places[64] __attribute__((aligned(64))) = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i base = _mm512_set1_epi32((int)pos);
    __m512i set = _mm512_maskz_compress_epi8(bits, _mm512_load_si512((const void *)places));
#    define PUT(i)                                                          \
        _mm512_storeu_si512((void *)(index + 16 * (i)),                     \
                            _mm512_add_epi32(base, _mm512_cvtepu8_epi32(    \
                                                       _mm512_extracti32x4_epi32(set, i))))
    int count = __builtin_popcountll(bits);
    PUT(0);
    PUT(1);
    if (__builtin_expect(count > 32, 0)) {
        PUT(2);
        PUT(3);
    }
#    undef PUT
    return index + count;
}

DEFINE_SCANNER(scan_sse42, SSE42, classify_sse42, prefix_xor_sse42, put_index)
DEFINE_SCANNER(scan_avx2, AVX2, classify_avx2, prefix_xor_avx2, put_index)
DEFINE_SCANNER(scan_avx512, AVX512, classify_avx512, prefix_xor_avx2, put_index_avx512)

#endif

/* -- AArch64 ------------------------------------------------------------------------------------ */

#ifdef SCAN_NEON

/* Without a carry-less product, which not every AArch64 has. */
ALWAYS_INLINE uint64_t prefix_xor_neon(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* Four vectors of 0x00 or 0xff to a word: keep a bit of each byte, then add neighbours three times.
 */
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

DEFINE_SCANNER(scan_neon, , classify_neon, prefix_xor_neon, put_index)

#endif

/* -- Byte by byte ------------------------------------------------------------------------------- */

enum { OTHER, SPACE, OP, QUOTE, BACKSLASH, CONTROL, HIGH };

static unsigned class_of(unsigned char c)
{
    static const uint8_t classes[128] = {
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    [' '] = SPACE, ['{'] = OP,    ['}'] = OP,        ['['] = OP,
        [']'] = OP, [':'] = OP, [','] = OP,    ['"'] = QUOTE, ['\\'] = BACKSLASH};
    return c < 128 ? classes[c] : HIGH;
}

/* The bytes from i on that are nothing special inside a string. */
static uint32_t skip_plain(const char *text, uint32_t i, uint32_t to)
{
    while (i < to && class_of((unsigned char)text[i]) <= OP)
        i++;
    return i;
}

/* A sequence that is not ASCII, the same inside strings and outside.  Returns the offset after what
 * of it lies before `to`. */
static uint32_t scan_high(struct cupel__scan *s, uint32_t i, uint32_t to)
{
    if (i >= s->utf8) {
        uint32_t cp;
        unsigned length = cupel__utf8_decode(s->text + i, s->text + s->len, &cp);
        if (length == 0) {
            scan_fail(s, CUPEL_E_UTF8, i);
            return to;
        }
        s->utf8 = i + length;
    }
    return s->utf8 < to ? s->utf8 : to;
}

/* One byte or sequence inside a string, which is not plain. */
static uint32_t scan_inside(struct cupel__scan *s, uint32_t i, uint32_t to, bool escaped)
{
    switch (class_of((unsigned char)s->text[i])) {
    case HIGH:
        return scan_high(s, i, to);
    case CONTROL:
        scan_fail(s, CUPEL_E_SYNTAX, i);
        break;
    case QUOTE:
        if (escaped)
            break;
        s->index[s->count++] = i;
        s->in_string = 0;
        break;
    case BACKSLASH:
        if (escaped)
            break;
        s->index[s->count++] = i;
        s->escaped = 1;
        break;
    default:
        break;
    }
    return i + 1;
}

/* One byte or sequence outside strings. */
static uint32_t scan_outside(struct cupel__scan *s, uint32_t i, uint32_t to, bool escaped)
{
    unsigned class = class_of((unsigned char)s->text[i]);
    if (cupel__is_space(s->text[i])) {
        s->scalar = 0;
        return i + 1;
    }
    if (class == OP || (class == QUOTE && !escaped)) {
        s->index[s->count++] = i;
        s->in_string = class == QUOTE ? ~(uint64_t)0 : 0;
        s->scalar = 0;
        return i + 1;
    }
    if (!s->scalar)
        s->index[s->count++] = i;
    s->scalar = 1;
    s->escaped = class == BACKSLASH && !escaped;
    return class == HIGH ? scan_high(s, i, to) : i + 1;
}

static void scan_portable(struct cupel__scan *s, uint32_t from, uint32_t to)
{
    uint32_t i = from == 0 ? s->skip : from;
    while (i < to && s->status == CUPEL_OK) {
        bool escaped = s->escaped;
        s->escaped = 0;
        if (s->in_string == 0) {
            i = scan_outside(s, i, to, escaped);
            continue;
        }
        uint32_t plain = skip_plain(s->text, i, to);
        if (plain < to)
            plain = scan_inside(s, plain, to, escaped && plain == i);
        i = plain;
    }
}

/* -- Dispatch ----------------------------------------------------------------------------------- */

bool cupel__scanner_supported(enum cupel__scanner scanner)
{
    switch (scanner) {
    case CUPEL__SCAN_PORTABLE:
        return true;
#ifdef SCAN_X86
    case CUPEL__SCAN_SSE42:
        return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt") &&
               __builtin_cpu_supports("pclmul");
    case CUPEL__SCAN_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2") && cupel__scanner_supported(CUPEL__SCAN_SSE42);
    case CUPEL__SCAN_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vbmi2") && cupel__scanner_supported(CUPEL__SCAN_AVX2);
#endif
#ifdef SCAN_NEON
    case CUPEL__SCAN_NEON:
        return true;
#endif
    default:
        return false;
    }
}

enum cupel__scanner cupel__scanner_best(void)
{
    enum cupel__scanner best = CUPEL__SCANNERS;
    do
        best--;
    while (!cupel__scanner_supported(best));
    return best;
}

const char *cupel__scanner_name(enum cupel__scanner scanner)
{
    static const char *const names[CUPEL__SCANNERS] = {"portable", "sse4.2", "avx2", "avx512", "neon"};
    return names[scanner];
}

void cupel__scan_run(struct cupel__scan *s, enum cupel__scanner scanner, uint32_t from, uint32_t to)
{
    switch (scanner) {
#ifdef SCAN_X86
    case CUPEL__SCAN_SSE42:
        scan_sse42(s, from, to);
        break;
    case CUPEL__SCAN_AVX2:
        scan_avx2(s, from, to);
        break;
    case CUPEL__SCAN_AVX512:
        scan_avx512(s, from, to);
        break;
#endif
#ifdef SCAN_NEON
    case CUPEL__SCAN_NEON:
        scan_neon(s, from, to);
        break;
#endif
    default:
        scan_portable(s, from, to);
        break;
    }
    if (s->status != CUPEL_OK)
        drop_after_error(s);
}
