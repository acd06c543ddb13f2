/* scan_simd.c: stage 1 of the reader with SIMD.
 *
 *     text ── stage 1 ──▶ index ── stage 2 ──▶ tape
 *
 * The text goes through in blocks of 64 bytes.  SIMD sorts the bytes of a block into a few classes,
 * each a word with one bit a byte (struct block); ordinary arithmetic on these words then finds
 * strings, escapes, the first bytes of tokens and errors, the same for every instruction set.
 *
 * The loop over blocks is in json/scan_simd_loop.h, which is included once for each instruction
 * set. This file has the operations on words, and for each instruction set the few operations on
 * vectors that the loop is made of.  Functions for an instruction set that a processor may lack
 * have a `target` attribute, and json/cpu_dispatch.c calls them only where they work. */
#include "base/json/reader.h"

#ifdef CUPEL__SIMD_X86
#    include <immintrin.h>
#endif
#ifdef CUPEL__SIMD_NEON
#    include <arm_neon.h>
#endif
#ifdef CUPEL__SIMD_WASM
#    include <wasm_simd128.h>
#endif

#if defined(CUPEL__SIMD_X86) || defined(CUPEL__SIMD_NEON) || defined(CUPEL__SIMD_WASM)

#    define ALWAYS_INLINE static inline __attribute__((always_inline))

/* -- Blocks ------------------------------------------------------------------------------------ */

/* The classes of 64 bytes; bit i is byte i. */
struct block {
    uint64_t quote, backslash;
    uint64_t op;    /* {}[]:, and with some scanners two control characters */
    uint64_t space; /* white space of RFC 8259 section 2 */
    uint64_t rare;  /* control characters, white space included, and bytes beyond ASCII */
};

/* Tables by the low four bits of a byte (PICK).  A byte is white space if its entry in the first is
 * the byte itself.  It is one of {}[]:, or one of two control characters, if its entry in the
 * second is the byte with bit 5 set, which joins [ with { and ] with }. */
static const char space_table[16] = {' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0};
static const char op_table[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0};

/* A byte may follow a backslash if its entry is the byte itself; r, which shares an entry with b,
 * u, quotes and backslashes are looked for by themselves. */
static const char escape_table[16] = {0, 0, 'b', 0, 't', 0, 'f', 0, 0, 0, 0, 0, 0, 0, 'n', '/'};

/* The index of the lowest set bit; for 0 some index. */
ALWAYS_INLINE uint32_t low_bit(uint64_t bits)
{
    return (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
}

/* What the escapes of a block come to. */
struct escapes {
    uint64_t quotes; /* that delimit strings, which are those that are not escaped */
    uint64_t first;  /* the first escape in each string */
};

/* The backslashes that begin an escape, which are every second of a run.  *carry has in bit 0
 * whether the first byte is escaped, and on return whether the next block's is.  Adding the first
 * bit of a run to the run clears it, so one addition finds the runs that begin at even places. */
ALWAYS_INLINE uint64_t find_escapes(uint64_t backslash, uint64_t *carry)
{
    const uint64_t even = 0x5555555555555555u;
    backslash &= ~*carry;
    const uint64_t first = backslash & ~(backslash << 1);
    const uint64_t from_even = backslash & ~(backslash + (first & even));
    const uint64_t escapes = (from_even & even) | (backslash & ~from_even & ~even);
    *carry = escapes >> 63;
    return escapes;
}

/* The first escape in each string of a block.  A sum carries from the first byte of each string
 * through the bytes before its first escape. */
ALWAYS_INLINE uint64_t first_escapes(uint64_t escapes, uint64_t strings, uint64_t quote)
{
    const uint64_t plain = strings & ~escapes;
    return (plain + ((quote | 1) & strings)) & escapes;
}

/* The bytes of a block by their role in escapes. */
struct escape_bytes {
    uint64_t simple; /* that may follow a backslash, u and those of struct block apart */
    uint64_t u;
    uint64_t hex;   /* digits */
    uint64_t d;     /* of either case */
    uint64_t upper; /* the second digit of the first half of a surrogate pair */
    uint64_t lower; /* of the second half */
};

/* The bytes of a block with which an escape goes wrong.  `escaped` are the bytes behind
 * backslashes, of which `plain` stand for themselves.  Digits and halves of pairs that are in the
 * next block are left to it, in *s. */
ALWAYS_INLINE uint64_t check_escapes(struct cupel__scan *s, uint64_t plain, uint64_t escaped,
                                     const struct escape_bytes *e)
{
    const uint64_t u = escaped & e->u;
    const uint64_t hex = u << 1 | u << 2 | u << 3 | u << 4 | s->hex;
    const uint64_t surrogate = (u << 1 | s->digits[0]) & e->d;
    const uint64_t second = surrogate << 1 | s->digits[1];
    const uint64_t high = second & e->upper, low = high << 6 | s->low;
    uint64_t wrong = escaped & ~(plain | e->simple | e->u);
    wrong |= hex & ~e->hex;
    wrong |= low ^ (second & e->lower);
    s->hex = u >> 63 | u >> 62 | u >> 61 | u >> 60;
    s->digits[0] = u >> 63;
    s->digits[1] = surrogate >> 63;
    s->low = high >> 58;
    return wrong;
}

/* Whether an escape goes on behind a block. */
ALWAYS_INLINE bool is_pending(const struct cupel__scan *s)
{
    return (s->hex | s->digits[0] | s->digits[1] | s->low) != 0;
}

/* Whether the text ends within an escape of a string, or within a character. */
static bool is_cut(const struct cupel__scan *s)
{
    return is_pending(s) || (s->escaped & s->in_string) != 0 || s->continued != 0;
}

/* Notes that something is wrong in the part that begins at `from`, or just before it. */
static __attribute__((noinline, cold)) void note_wrong(struct cupel__scan *s, uint32_t from)
{
    cupel__scan_note_error(s, CUPEL_E_SURROGATE, from < 64 ? 0 : from - 64);
}

/* The bytes of a block by their role in UTF-8. */
struct sequences {
    uint64_t high; /* 0x80 or more */
    uint64_t from_c0, from_e0, from_f0;
};

/* The first bytes that allow only a part of the continuation bytes behind them, or none. */
struct narrow {
    uint64_t c0; /* 0xc0, 0xc1 and those from 0xf5 on */
    uint64_t e0, ed, f4;
};

/* The bytes at which sequences (RFC 3629 section 4) do not have the lengths that their first bytes
 * announce.  Those that go on in the next block are left to it, in s->continued. */
ALWAYS_INLINE uint64_t check_lengths(struct cupel__scan *s, const struct sequences *q)
{
    const uint64_t expected = q->from_c0 << 1 | q->from_e0 << 2 | q->from_f0 << 3 | s->continued;
    s->continued = q->from_c0 >> 63 | q->from_e0 >> 62 | q->from_f0 >> 61;
    return expected ^ (q->high & ~q->from_c0);
}

/* The bytes that make an overlong form, a surrogate, or a code point past U+10FFFF. */
ALWAYS_INLINE uint64_t check_narrow(struct cupel__scan *s, const struct narrow *n, uint64_t from_90,
                                    uint64_t from_a0)
{
    const uint64_t carry = s->narrow;
    uint64_t wrong = n->c0;
    wrong |= (n->e0 << 1 | (carry & 1)) & ~from_a0;
    wrong |= (n->ed << 1 | (carry >> 1 & 1)) & from_a0;
    wrong |= (n->f4 << 1 | (carry >> 2 & 1)) & from_90;
    s->narrow = n->e0 >> 63 | n->ed >> 63 << 1 | n->f4 >> 63 << 2;
    return wrong;
}

/* Adds the tokens of a block to the index, one for each set bit: its position, and its byte from
 * `block`.  Writes eight at a time, up to seven too many, because a loop with few possible lengths
 * is easy to predict.  Returns the number of tokens. */
ALWAYS_INLINE size_t put_tokens(uint32_t *index, char *kinds, uint64_t bits, uint32_t pos,
                                const char *block)
{
    const size_t n = (size_t)__builtin_popcountll(bits);
    for (size_t done = 0; done < n; done += 8) {
        for (int i = 0; i < 8; i++) {
            uint32_t place = low_bit(bits);
            *index++ = pos + place;
            *kinds++ = block[place];
            bits &= bits - 1;
        }
    }
    return n;
}

/* The bits of a block that go into the index.  `strings` has the bytes from each opening quote to
 * the byte before the closing one.  A token without quotes begins behind a byte of any other kind;
 * *boundary carries in bit 0 whether the last byte of the block before was such a byte. */
ALWAYS_INLINE uint64_t index_bits(const struct block *b, uint64_t quote, uint64_t strings,
                                  uint64_t *boundary)
{
    uint64_t other = strings | quote | b->op | b->space;
    uint64_t first = (other << 1 | *boundary) & ~other;
    *boundary = other >> 63;
    return (b->op & ~strings) | quote | first;
}

static void save_state(struct cupel__scan *s, const struct cupel__scan *state)
{
    s->in_string = state->in_string;
    s->boundary = state->boundary;
    s->count = state->count;
}

/* -- x86-64 ------------------------------------------------------------------------------------ */

#    ifdef CUPEL__SIMD_X86

#        define SSE42 __attribute__((target("sse4.2,popcnt,pclmul")))
#        define AVX2  __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#        define AVX512      \
            __attribute__(( \
                target("avx2,avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt,pclmul")))

/* Bit i of the result is the exclusive or of bits 0 to i: a carry-less product with all ones.  Of
 * the bits of quotes, that gives the bytes inside strings. */
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

/* put_tokens with tzcnt and blsr, which are defined for 0: the index is then 64, the byte behind
 * the block, which is readable. */
AVX2 ALWAYS_INLINE size_t put_tokens_avx2(uint32_t *index, char *kinds, uint64_t bits, uint32_t pos,
                                          const char *block)
{
    const size_t n = (size_t)__builtin_popcountll(bits);
    for (size_t done = 0; done < n; done += 8) {
        for (int i = 0; i < 8; i++) {
            uint64_t place = _tzcnt_u64(bits);
            *index++ = pos + (uint32_t)place;
            *kinds++ = block[place];
            bits = _blsr_u64(bits);
        }
    }
    return n;
}

/* The bytes of a text of n bytes behind its last whole word of four, and spaces behind them. */
AVX2 ALWAYS_INLINE uint32_t last_word(const char *p, uint64_t n)
{
    const unsigned rest = 8 * (n % 4);
    uint64_t word = 0;
    if (n >= 4)
        word = (uint64_t)cupel__load32(p + n - 4) >> (32 - rest);
    else
        for (uint64_t i = 0; i < n; i++)
            word |= (uint64_t)(unsigned char)p[i] << 8 * i;
    return (uint32_t)(word | (uint64_t)0x20202020 << rest);
}

/* Loads a block of less than 64 bytes, filled up with spaces, and nothing behind it.  Masked loads
 * of words of four bytes took 58 ns for a text of 59 bytes; copying the bytes to a buffer of spaces
 * and loading that took 62, because the vector loads waited for the smaller stores. */
AVX2 ALWAYS_INLINE void load_tail_avx2(__m256i *x, const char *p, uint64_t n)
{
    const __m256i spaces = _mm256_set1_epi8(' '),
                  places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i last = _mm256_set1_epi32((int)last_word(p, n));
    for (int i = 0; i < 2; i++) {
        __m256i at = _mm256_set1_epi32((int)(n / 4) - 8 * i);
        __m256i whole = _mm256_maskload_epi32((const int *)(const void *)(p + 32 * i),
                                              _mm256_cmpgt_epi32(at, places));
        __m256i fill = _mm256_and_si256(_mm256_cmpgt_epi32(places, at), spaces);
        __m256i part = _mm256_and_si256(_mm256_cmpeq_epi32(places, at), last);
        x[i] = _mm256_or_si256(_mm256_or_si256(whole, fill), part);
    }
}

/* Each instruction set defines for json/scan_simd_loop.h how many vectors make a block, and these
 * operations:
 *
 *   SPREAD(c)        c in each byte
 *   TABLE(t)         sixteen bytes
 *   PICK(table, v)   the entries of a table for the low four bits of each byte; 0, or at least not
 *                    the byte itself, for those that are not ASCII
 *   BELOW, FROM      v < c with signs, v >= c without
 *   BITS(x)          a comparison, of type TRUTH, of each vector to a word */

#        define ISA              sse42
#        define TARGET           SSE42
#        define VECTOR           __m128i
#        define TRUTH            __m128i
#        define VECTORS          4
#        define LOAD(p)          _mm_loadu_si128((const __m128i *)(const void *)(p))
#        define STORE(p, v)      _mm_storeu_si128((__m128i *)(void *)(p), v)
#        define SPREAD(c)        _mm_set1_epi8((char)(c))
#        define TABLE(t)         LOAD(t)
#        define PICK(table, v)   _mm_shuffle_epi8(table, v)
#        define OR(a, b)         _mm_or_si128(a, b)
#        define EQUAL(a, b)      _mm_cmpeq_epi8(a, b)
#        define BELOW(v, c)      _mm_cmpgt_epi8(SPREAD(c), v)
#        define FROM(v, c)       EQUAL(_mm_max_epu8(v, SPREAD(c)), v)
#        define BITS_OF(x, i)    ((uint64_t)(uint32_t)_mm_movemask_epi8((x)[i]) << (16 * (i)))
#        define BITS(x)          (BITS_OF(x, 0) | BITS_OF(x, 1) | BITS_OF(x, 2) | BITS_OF(x, 3))
#        define PREFIX_XOR(bits) prefix_xor_sse42(bits)
#        define PUT_TOKENS       put_tokens
#        include "base/json/scan_simd_loop.h"

#        define ISA                avx2
#        define TARGET             AVX2
#        define VECTOR             __m256i
#        define TRUTH              __m256i
#        define VECTORS            2
#        define LOAD(p)            _mm256_loadu_si256((const __m256i *)(const void *)(p))
#        define LOAD_TAIL(x, p, n) load_tail_avx2(x, p, n)
#        define STORE(p, v)        _mm256_storeu_si256((__m256i *)(void *)(p), v)
#        define SPREAD(c)          _mm256_set1_epi8((char)(c))
#        define TABLE(t)           _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(t)))
#        define PICK(table, v)     _mm256_shuffle_epi8(table, v)
#        define OR(a, b)           _mm256_or_si256(a, b)
#        define EQUAL(a, b)        _mm256_cmpeq_epi8(a, b)
#        define BELOW(v, c)        _mm256_cmpgt_epi8(SPREAD(c), v)
#        define FROM(v, c)         EQUAL(_mm256_max_epu8(v, SPREAD(c)), v)
#        define BITS_OF(x, i)      ((uint64_t)(uint32_t)_mm256_movemask_epi8((x)[i]) << (32 * (i)))
#        define BITS(x)            (BITS_OF(x, 0) | BITS_OF(x, 1))
#        define PREFIX_XOR(bits)   prefix_xor_avx2(bits)
#        define PUT_TOKENS         put_tokens_avx2
#        include "base/json/scan_simd_loop.h"

/* The class of a byte, one bit each, by its seven low bits. */
enum { IS_QUOTE = 0x80, IS_OP = 0x40, IS_SPACE = 0x20, IS_BACKSLASH = 0x10 };

/* clang-format off */
static const uint8_t classes[128] __attribute__((aligned(64))) = {
    ['"'] = IS_QUOTE, ['\\'] = IS_BACKSLASH, ['{'] = IS_OP, ['}'] = IS_OP, ['['] = IS_OP,
    [']'] = IS_OP, [':'] = IS_OP, [','] = IS_OP, [' '] = IS_SPACE, ['\t'] = IS_SPACE,
    ['\n'] = IS_SPACE, ['\r'] = IS_SPACE};
/* clang-format on */

/* Classifies with one look-up of 128 entries in place of five comparisons, which all need the same
 * port of the processor.  Shifts move a class's bit to the top of its byte, where an instruction
 * for another port collects it. */
AVX512 ALWAYS_INLINE struct block classify_avx512(__m512i v)
{
    const __m512i low = _mm512_load_si512((const void *)classes);
    const __m512i high = _mm512_load_si512((const void *)(classes + 64));
    __mmask64 ascii = _knot_mask64(_mm512_movepi8_mask(v));
    __m512i kind = _mm512_maskz_permutex2var_epi8(ascii, low, v, high);
    struct block b;
    b.quote = _mm512_movepi8_mask(kind);
    b.backslash = _mm512_test_epi8_mask(kind, _mm512_set1_epi8(IS_BACKSLASH));
    b.op = _mm512_movepi8_mask(_mm512_slli_epi16(kind, 1));
    b.space = _mm512_movepi8_mask(_mm512_slli_epi16(kind, 2));
    b.rare = _mm512_cmplt_epi8_mask(v, _mm512_set1_epi8(0x20));
    /* Keeps `rare` in a general register: gcc would move its operand to a mask register and back.
     */
    __asm__("" : "+r"(b.rare));
    return b;
}

/* Loads any block: n is below 256, and bzhi takes eight bits of it, so a full block needs no test.
 */
AVX512 ALWAYS_INLINE void load_tail_avx512(__m512i *x, const char *p, uint32_t n)
{
    *x = _mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), _bzhi_u64(~(uint64_t)0, n), p);
}

/* Adds the tokens of a block, 16 at a time and up to 63 too many: a compression moves the indexes
 * of the set bits together. */
AVX512 ALWAYS_INLINE size_t put_tokens_avx512(uint32_t *index, char *kinds, uint64_t bits,
                                              uint32_t pos, const char *block)
{
    static const uint8_t places[64] __attribute__((aligned(64))) = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i base = _mm512_set1_epi32((int)pos);
    __m512i set = _mm512_maskz_compress_epi8(bits, _mm512_load_si512((const void *)places));
    __m512i kind = _mm512_permutexvar_epi8(set, _mm512_loadu_si512((const void *)block));
    _mm512_storeu_si512((void *)kinds, kind);
#        define PUT(i)                      \
            _mm512_storeu_si512(            \
                (void *)(index + 16 * (i)), \
                _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(set, i))))
    const int n = __builtin_popcountll(bits);
    PUT(0);
    PUT(1);
    if (__builtin_expect(n > 32, 0)) {
        PUT(2);
        PUT(3);
    }
#        undef PUT
    return (size_t)n;
}

#        define ISA                avx512
#        define TARGET             AVX512
#        define VECTOR             __m512i
#        define TRUTH              __mmask64
#        define VECTORS            1
#        define LOAD(p)            _mm512_loadu_si512((const void *)(p))
#        define LOAD_TAIL(x, p, n) load_tail_avx512(x, p, (uint32_t)(n))
#        define LOAD_SHORT         LOAD_TAIL
#        define STORE(p, v)        _mm512_storeu_si512((void *)(p), v)
#        define SPREAD(c)          _mm512_set1_epi8((char)(c))
#        define TABLE(t)           _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(t)))
#        define PICK(table, v)     _mm512_shuffle_epi8(table, v)
#        define OR(a, b)           _mm512_or_si512(a, b)
#        define EQUAL(a, b)        _mm512_cmpeq_epi8_mask(a, b)
#        define FROM(v, c)         _mm512_cmpge_epu8_mask(v, SPREAD(c))
#        define BITS(x)            (x)[0]
#        define CLASSIFY(x)        classify_avx512((x)[0])
#        define PREFIX_XOR(bits)   prefix_xor_avx2(bits)
#        define PUT_TOKENS         put_tokens_avx512
#        include "base/json/scan_simd_loop.h"

#    endif

/* -- AArch64 and WebAssembly ----------------------------------------------------------------------
 */

#    if defined(CUPEL__SIMD_NEON) || defined(CUPEL__SIMD_WASM)

/* prefix_xor by six shifts: not every AArch64 has a carry-less product, and WebAssembly has none.
 */
ALWAYS_INLINE uint64_t prefix_xor_shifts(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

#    endif

/* -- AArch64 ----------------------------------------------------------------------------------- */

#    ifdef CUPEL__SIMD_NEON

/* Makes a word of four vectors of 0x00 or 0xff: keeps one bit of each byte, then adds neighbours
 * three times. */
ALWAYS_INLINE uint64_t bits_neon(const uint8x16_t *x)
{
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bit = vld1q_u8(places);
    uint8x16_t ab = vpaddq_u8(vandq_u8(x[0], bit), vandq_u8(x[1], bit));
    uint8x16_t cd = vpaddq_u8(vandq_u8(x[2], bit), vandq_u8(x[3], bit));
    uint8x16_t all = vpaddq_u8(ab, cd);
    all = vpaddq_u8(all, all);
    return vgetq_lane_u64(vreinterpretq_u64_u8(all), 0);
}

#        define ISA neon
#        define TARGET
#        define VECTOR           uint8x16_t
#        define TRUTH            uint8x16_t
#        define VECTORS          4
#        define LOAD(p)          vld1q_u8((const uint8_t *)(p))
#        define STORE(p, v)      vst1q_u8((uint8_t *)(p), v)
#        define SPREAD(c)        vdupq_n_u8((uint8_t)(c))
#        define TABLE(t)         LOAD(t)
#        define PICK(table, v)   vqtbl1q_u8(table, vandq_u8(v, SPREAD(0x0f)))
#        define OR(a, b)         vorrq_u8(a, b)
#        define EQUAL(a, b)      vceqq_u8(a, b)
#        define BELOW(v, c)      vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(c))
#        define FROM(v, c)       vcgeq_u8(v, SPREAD(c))
#        define BITS(x)          bits_neon(x)
#        define PREFIX_XOR(bits) prefix_xor_shifts(bits)
#        define PUT_TOKENS       put_tokens
#        include "base/json/scan_simd_loop.h"

#    endif

/* -- WebAssembly with fixed-width SIMD -----------------------------------------------------------
 */

#    ifdef CUPEL__SIMD_WASM

#        define ISA wasm
#        define TARGET
#        define VECTOR           v128_t
#        define TRUTH            v128_t
#        define VECTORS          4
#        define LOAD(p)          wasm_v128_load(p)
#        define STORE(p, v)      wasm_v128_store(p, v)
#        define SPREAD(c)        wasm_i8x16_splat((int8_t)(c))
#        define TABLE(t)         LOAD(t)
#        define PICK(table, v)   wasm_i8x16_swizzle(table, wasm_v128_and(v, SPREAD(0x0f)))
#        define OR(a, b)         wasm_v128_or(a, b)
#        define EQUAL(a, b)      wasm_i8x16_eq(a, b)
#        define BELOW(v, c)      wasm_i8x16_lt(v, SPREAD(c))
#        define FROM(v, c)       wasm_u8x16_ge(v, SPREAD(c))
#        define BITS_OF(x, i)    ((uint64_t)wasm_i8x16_bitmask((x)[i]) << (16 * (i)))
#        define BITS(x)          (BITS_OF(x, 0) | BITS_OF(x, 1) | BITS_OF(x, 2) | BITS_OF(x, 3))
#        define PREFIX_XOR(bits) prefix_xor_shifts(bits)
#        define PUT_TOKENS       put_tokens
#        include "base/json/scan_simd_loop.h"

#    endif

#endif
