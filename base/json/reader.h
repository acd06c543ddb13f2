/* reader.h: what the files of the JSON reader share.  No other file includes it, except tests.
 *
 *     text ── stage 1 ──▶ index ── stage 2 ──▶ tape
 *
 *   read.c              entry: runs the stages, reports errors
 *   reader.c            failures and buffers, which all of the following use
 *   cpu_dispatch.c      the scanner and the tape builder of this processor
 *   scan.c              stage 1, byte by byte
 *   scan_simd.c         stage 1 with SIMD; its loop is in scan_simd_loop.h
 *   tape_build.c        stage 2; its loop, which has the grammar, is in tape_build_loop.h
 *   tape_build_bmi2.c   the same, compiled for BMI2
 *   numbers.c, strings.c, duplicates.c    numbers, escapes and equal names, for stage 2
 *   lookup.c            accessors of a finished document
 *
 * The index has an entry for each token, in ascending order of position: `{}[]:,` outside strings,
 * both quotes of each string, the first backslash in it within each block of 64 bytes, and the
 * first byte of every other token, well-formed or not.  Beside each position, in `kinds`, stands
 * the byte at that position, so that stage 2 sees the kinds of the next tokens without reading the
 * text.
 *
 * Stage 1 checks UTF-8, and control characters and escapes in strings; stage 2 checks everything
 * else.  A text is refused for its first error in the order of the text; a duplicate name counts as
 * found where its object ends. */
#ifndef CUPEL_BASE_JSON_READER_H
#define CUPEL_BASE_JSON_READER_H

#include "base/json/tape.h"
#include "base/json/token.h"
#include "base/load.h"

#if !defined(CUPEL__PORTABLE_ONLY) && defined(__x86_64__)
#    define CUPEL__SIMD_X86 1
#elif !defined(CUPEL__PORTABLE_ONLY) && defined(__AARCH64EL__)
#    define CUPEL__SIMD_NEON 1
#elif !defined(CUPEL__PORTABLE_ONLY) && defined(__wasm_simd128__)
#    define CUPEL__SIMD_WASM 1
#endif

/* From the slowest to the fastest. */
enum cupel__scanner {
    CUPEL__SCAN_PORTABLE,
    CUPEL__SCAN_SSE42,
    CUPEL__SCAN_AVX2,
    CUPEL__SCAN_AVX512,
    CUPEL__SCAN_NEON,
    CUPEL__SCAN_WASM,
    CUPEL__SCANNERS
};

enum {
    CUPEL__READ_PADDING = 64,      /* readable bytes after the text, and after the side buffer */
    CUPEL__SHORT = 255,            /* bytes of a text that is tried without escapes at first */
    CUPEL__SMALL_TEXT = 16 * 1024, /* bytes of a text whose buffers are sized by its length alone */
    CUPEL__INDEX_ENTRY = 5,        /* bytes: a position, and the byte there */
    CUPEL__INDEX_SLACK = 64,       /* entries that the scanner may write after the last one */

    /* Flags of nodes while the tape is built, beside those of tape.h. */
    CUPEL__NODE_OVERRIDDEN = 8,       /* a name: a later member has the same name */
    CUPEL__NODE_MAYBE_DUPLICATES = 16 /* an object: two of its names may be equal */
};

/* No node: the parent of the root. */
#define CUPEL__NO_NODE UINT32_MAX

/* -- Stage 1 ----------------------------------------------------------------------------------- */

/* The state of a scanner, which may scan a text in several parts. */
struct cupel__scan {
    const char *text;
    uint32_t len;
    uint32_t utf8; /* the portable scanner: everything before this offset has been checked */
    char *copy;    /* where the text is copied to, with capacity for whole blocks and a padding; or
                      NULL */

    uint32_t *index; /* capacity for an entry a byte of the part, and the slack */
    char *kinds;     /* the same */
    size_t count;    /* entries written */

    /* Carried from one block of 64 bytes to the next. */
    uint64_t bom;       /* bits of the bytes of the first block that are a byte order mark */
    uint64_t escaped;   /* bit 0: a backslash escapes the next byte */
    uint64_t pending;   /* 1: an escape goes on in the next block, where … */
    uint64_t hex;       /* … bits of bytes that must be digits of a \u escape */
    uint64_t digits[2]; /* … bit 0: the first byte is the first of them, or the second behind a d */
    uint64_t low; /* … bits of bytes that must be the second digit of a pair's second half */
    uint64_t continued; /* bits of bytes that must continue a character … */
    uint64_t after_f0;  /* … and bit 0: whether it began with 0xf0, … */
    uint64_t narrow;    /* … or bits 0 to 2: with 0xe0, 0xed or 0xf4 */
    uint64_t wrong;     /* not 0: something is wrong in a string, or with UTF-8 */
    uint64_t checked;   /* the portable scanner: escapes before this offset have been checked */
    uint64_t in_string; /* all ones inside a string, otherwise 0 */
    uint64_t boundary;  /* bit 0: the last byte was not part of a token without quotes, so that a
                           token may begin with the next */

    /* The first error, if status is not CUPEL_OK; the scan has stopped there.  A SIMD scanner
     * notes CUPEL_E_SURROGATE somewhere before any error: the text is then scanned again by the
     * portable one, which says what and where it is. */
    enum cupel_status status;
    uint32_t error;
};

/* Sets everything but `copy`, `index` and `kinds`.  Member by member: clearing the struct as a
 * whole writes it in vectors that overlap the members, and the processor cannot forward such a
 * store to the loads that follow. */
static inline void cupel__scan_begin(struct cupel__scan *s, const char *text, uint32_t len)
{
    s->text = text;
    s->len = len;
    s->utf8 = 0;
    s->count = 0;
    s->bom = s->escaped = s->in_string = 0;
    s->pending = s->hex = s->digits[0] = s->digits[1] = s->low = s->wrong = s->checked = 0;
    s->continued = s->after_f0 = s->narrow = 0;
    s->boundary = 1;
    s->status = CUPEL_OK;
    s->error = 0;
}

/* Scans the bytes [from, to), and copies them.  `from` is a multiple of 64, and so is `to` unless
 * it is the end of the text. */
typedef void cupel__scan_part(struct cupel__scan *, uint32_t from, uint32_t to);

/* Scans and copies a whole text of at most CUPEL__SHORT bytes, and pads the copy.  False if the
 * text has an escape, a byte beyond ASCII, or a control character that is not white space: the text
 * must then be scanned by the other function. */
struct cupel__reader;
typedef bool cupel__scan_short(struct cupel__reader *);

/* Stage 2: writes the tape.  The document holds (nindex + 1 + depth) / 2 + 8 nodes. */
typedef enum cupel_status cupel__build(struct cupel__reader *);

/* The functions that read for one kind of processor; all NULL where that kind is not supported. */
struct cupel__json_engine {
    cupel__scan_part *scan;
    cupel__scan_short *scan_short;
    cupel__build *build;
};
extern const struct cupel__json_engine cupel__json_engines[CUPEL__SCANNERS];

bool cupel__scanner_supported(enum cupel__scanner);
enum cupel__scanner cupel__scanner_best(void);
const char *cupel__scanner_name(enum cupel__scanner);

/* Runs the engine's scanner over a part; pads the copy behind the end of the text, and drops tokens
 * at or after an error. */
void cupel__scan_run(struct cupel__scan *, const struct cupel__json_engine *, uint32_t from,
                     uint32_t to);

/* Notes an error of stage 1; of several, the first in the text counts. */
void cupel__scan_note_error(struct cupel__scan *, enum cupel_status, uint32_t offset);

cupel__scan_part cupel__scan_portable, cupel__scan_sse42, cupel__scan_avx2, cupel__scan_avx512,
    cupel__scan_neon, cupel__scan_wasm;
cupel__scan_short cupel__scan_short_portable, cupel__scan_short_sse42, cupel__scan_short_avx2,
    cupel__scan_short_avx512, cupel__scan_short_neon, cupel__scan_short_wasm;
cupel__build cupel__tape_build, cupel__tape_build_bmi2;

/* -- One read ---------------------------------------------------------------------------------- */

/* One read, from stage 1 to the error report.  A local of json/read.c. */
struct cupel__reader {
    struct cupel__doc *doc; /* has the text, the index and the kinds */
    const struct cupel__read_options *options;
    struct cupel__read_options copied; /* the options of a second attempt, on a copy of the text */
    const struct cupel__json_engine *engine;
    const char *text;
    struct cupel_error *err;
    uint32_t len;
    bool in_place; /* the text is read where the host keeps it */

    /* Entries of the index.  Behind the last, the index has the length of the text and `kinds` has
     * four bytes 0, with which no token begins: stage 2 need not test for the end. */
    uint32_t nindex;

    /* The error where the index ends too early: that of stage 1, or CUPEL_OK if the text is cut. */
    enum cupel_status end_status;
    uint32_t end_offset;

    size_t side_need; /* bytes of the side buffer that are used or promised */
    bool overridden;  /* some name has CUPEL__NODE_OVERRIDDEN */

    /* Why the read failed, and where.  Without `open` the last two are not set. */
    enum cupel_status status;
    const char *detail;
    uint32_t offset;
    uint32_t open;  /* the innermost open container, whose `end` is its parent; or CUPEL__NO_NODE */
    uint32_t nodes; /* on the tape */
    uint32_t where; /* the node that the error names; `nodes` for the value that was being read */
};

/* cupel__json_read with this scanner, which the processor supports. */
enum cupel_status cupel__json_read_with(struct cupel__doc *, enum cupel__scanner, const char *text,
                                        size_t len, const struct cupel__read_options *,
                                        struct cupel_error *err);

/* Writes what stands behind the n entries of the index. */
static inline void cupel__terminate_index(struct cupel__reader *r, size_t n)
{
    r->nindex = (uint32_t)n;
    r->doc->index[n] = r->len;
    memset(r->doc->kinds + n, 0, sizeof(uint32_t));
}

/* Notes why the read fails; returns the status. */
enum cupel_status cupel__reader_fail(struct cupel__reader *, enum cupel_status, uint32_t offset,
                                     const char *detail);

/* The same for a text that ends too early, or where stage 1 found an error. */
enum cupel_status cupel__reader_fail_end(struct cupel__reader *);

/* Whether the buffers hold a text of this length already. */
static inline bool cupel__reader_is_reserved(const struct cupel__reader *r)
{
    return r->len <= r->doc->reserved_len && r->options->max_depth <= r->doc->reserved_depth;
}

/* These return false when the read has failed for lack of memory.  The first reserves the copy of
 * the text, if it is copied, and all buffers of both stages if it is a small one. */
bool cupel__reader_reserve_text(struct cupel__reader *);
bool cupel__reader_reserve_index(struct cupel__reader *, size_t need);
bool cupel__reader_reserve_nodes(struct cupel__reader *, uint32_t tokens);

/* Grows the side buffer to `need` bytes and a padding. */
enum cupel_status cupel__side_reserve(struct cupel__reader *, size_t need);

/* -- Parts of stage 2 -------------------------------------------------------------------------- */

/* Reads the escape whose backslash is at p.  Returns its length and the code point; a surrogate
 * pair is one escape of 12 characters.  Returns 0 for a malformed escape, with *ret_cp 0, and for
 * half of a surrogate pair alone, with *ret_cp that half.  Reads nothing behind a byte that is not
 * part of an escape. */
unsigned cupel__read_escape(const char *p, uint32_t *ret_cp);

/* Decodes a name with escapes, which is ESCAPED with the flag KEY.  False when the read has failed
 * for want of memory. */
bool cupel__decode_name(struct cupel__reader *, struct cupel__node *);

/* Looks for equal names in an object, whose members are all on the tape, and clears
 * CUPEL__NODE_MAYBE_DUPLICATES.  `work` is scratch of five words a member: the object's own entries
 * of the index have at least that size.  Equal names fail the read with CUPEL_E_DUPLICATE_KEY, and
 * then it returns false; with CUPEL__READ_DUPLICATES the earlier members are marked
 * CUPEL__NODE_OVERRIDDEN and are not counted any more. */
bool cupel__duplicates_check(struct cupel__reader *, uint32_t object, uint32_t *work);

/* Takes the members that are marked CUPEL__NODE_OVERRIDDEN off the tape. */
void cupel__duplicates_remove(struct cupel__reader *);

/* The JSON Pointer of node i, cut if it has more than `size` bytes; returns the length. */
size_t cupel__pointer_write(const struct cupel__doc *, uint32_t i, char *p, size_t size);

#endif
