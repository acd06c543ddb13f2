/* reader.h: what the parts of the JSON reader know of each other; nobody else includes it.
 *
 *   json/read.c    entry, limits, buffers, errors
 *   json/scan.c    stage 1: the text to an index of positions
 *   json/scan_simd.c    the same with SIMD, whose loop is json/scan_simd_loop.h
 *   json/tape.c    stage 2: the index to the tape, which is in json/tape_loop.h
 *   json/strings.c  escapes
 *   json/numbers.c  numbers
 *   json/duplicates.c    members with the same name
 *   json/lookup.c     the accessors of json/tape.h that are not inline
 *
 * The index has, in ascending order, the positions of `{}[]:,` outside strings, of both quotes of
 * each string and of each backslash in it that begins an escape, and of the first byte of every
 * other token, whether it is one or not.  Beside it, in `kinds`, are the bytes that stand there, so
 * that stage 2 sees several tokens at once.  Stage 1 checks UTF-8 and the control characters in
 * strings.  Everything else is stage 2's, so a text is refused for what
 * comes first in it (a duplicate key counts as found where its object ends). */
#ifndef CUPEL_BASE_JSON_READER_H
#define CUPEL_BASE_JSON_READER_H

#include "base/json/tape.h"
#include "base/json/token.h"
#include "base/load.h"

#if !defined(CUPEL__PORTABLE_ONLY) && defined(__x86_64__)
#    define CUPEL__SIMD_X86 1
#elif !defined(CUPEL__PORTABLE_ONLY) && defined(__AARCH64EL__)
#    define CUPEL__SIMD_NEON 1
#endif

/* From the slowest to the fastest. */
enum cupel__scanner {
    CUPEL__SCAN_PORTABLE,
    CUPEL__SCAN_SSE42,
    CUPEL__SCAN_AVX2,
    CUPEL__SCAN_AVX512,
    CUPEL__SCAN_NEON,
    CUPEL__SCANNERS
};

enum {
    CUPEL__READ_PADDING = 64,         /* readable bytes after the text, and after the side buffer */
    CUPEL__SHORT = 255,               /* bytes of a text that is tried as plain at first */
    CUPEL__INDEX_SLACK = 64,          /* entries that the scanner may write after the last one */
    CUPEL__NODE_OVERRIDDEN = 8,       /* flag of a key: a later member has the same name */
    CUPEL__NODE_MAYBE_DUPLICATES = 16 /* flag of an object: two of its names may be the same */
};

/* No node: the parent of the root. */
#define CUPEL__NO_NODE UINT32_MAX

/* Stage 1, which may be run over a text in several parts. */
struct cupel__scan {
    const char *text;
    uint32_t len;
    uint32_t utf8; /* everything before this has been checked */
    char *copy;    /* where the text goes, with room for whole blocks and a padding; or NULL */

    uint32_t *index; /* room for an entry a byte of the part, and the slack */
    char *kinds;     /* the same, of the bytes at these positions */
    size_t count;

    /* Carried from one block of 64 bytes to the next. */
    uint64_t mark;      /* bits of bytes of the next block that count as white space */
    uint64_t escaped;   /* bit 0: the next byte is escaped */
    uint64_t in_string; /* all ones or 0 */
    uint64_t apart;     /* bit 0: the last byte belonged to no token without quotes */

    /* The first error, if status is not CUPEL_OK; the scan has stopped there. */
    enum cupel_status status;
    uint32_t error;
};

/* Everything but `copy`, `index` and `kinds`.  Member by member: cleared as a whole it would be
 * written in pieces that overlap the members, from which the processor cannot forward what it reads
 * next. */
static inline void cupel__scan_begin(struct cupel__scan *s, const char *text, uint32_t len)
{
    s->text = text;
    s->len = len;
    s->utf8 = 0;
    s->count = 0;
    s->mark = s->escaped = s->in_string = 0;
    s->apart = 1;
    s->status = CUPEL_OK;
    s->error = 0;
}

bool cupel__scanner_supported(enum cupel__scanner);
enum cupel__scanner cupel__scanner_best(void);
const char *cupel__scanner_name(enum cupel__scanner);

/* Scans the bytes [from, to), and copies them.  `from` is a multiple of 64 and so is `to`, unless
 * it is the end of the text. */
typedef void cupel__scan_part(struct cupel__scan *, uint32_t from, uint32_t to);

/* The same for a whole text of at most CUPEL__SHORT bytes, if nothing in it has to be looked at
 * more closely: no escapes, no control characters but white space, ASCII alone.  Otherwise it
 * returns false.  The text is copied in any case, with padding. */
struct cupel__reader;
typedef bool cupel__scan_short(struct cupel__reader *);

/* Stage 2.  The document has room for (nindex + 1 + depth) / 2 + 8 nodes. */
typedef enum cupel_status cupel__build(struct cupel__reader *);

/* What reads with a scanner, all of it NULL where there is none. */
struct cupel__json_engine {
    cupel__scan_part *scan;
    cupel__scan_short *scan_short;
    cupel__build *build;
};
extern const struct cupel__json_engine cupel__json_engines[CUPEL__SCANNERS];

/* The first, and padding of white space behind the end of the text; notes no token behind an error.
 */
void cupel__scan_run(struct cupel__scan *, const struct cupel__json_engine *, uint32_t from,
                     uint32_t to);

/* Of several errors of stage 1 the first in the text counts. */
void cupel__scan_note_error(struct cupel__scan *, enum cupel_status, uint32_t offset);

/* json/scan_simd.c, json/tape.c, json/tape_bmi2.c */
cupel__scan_part cupel__scan_sse42, cupel__scan_avx2, cupel__scan_avx512, cupel__scan_neon;
cupel__scan_short cupel__scan_short_sse42, cupel__scan_short_avx2, cupel__scan_short_avx512,
    cupel__scan_short_neon;
cupel__build cupel__tape_build, cupel__tape_build_bmi2;

/* One read, from stage 1 to the error report. */
struct cupel__reader {
    struct cupel__doc *doc; /* has the text, the index and the kinds */
    const struct cupel__read_options *options;
    struct cupel__read_options copied; /* those of a second try, on a copy of the text */
    const struct cupel__json_engine *engine;
    const char *text;
    struct cupel_error *err;
    uint32_t len;
    bool in_place; /* the text is the caller's */

    /* Of the index, behind which is an entry that is `len`, and of the kinds, behind which are four
     * that are 0: no token begins with that. */
    uint32_t nindex;

    /* What to say where the index ends too early: the error of stage 1, or that the text is cut. */
    enum cupel_status end_status;
    uint32_t end_offset;

    size_t side_need; /* bytes of the side buffer that are used or promised */
    bool dead;        /* some key has CUPEL__NODE_OVERRIDDEN */

    /* Why it failed, and where; without `open` the rest is not set. */
    enum cupel_status status;
    const char *detail;
    uint32_t offset;
    uint32_t open;  /* the innermost open container, or CUPEL__NO_NODE; `end` has its parent */
    uint32_t nodes; /* on the tape */
    uint32_t where; /* the node to be named; if it is `nodes`, the value that was being read */
};

/* cupel__json_read with this scanner, which must be supported. */
enum cupel_status cupel__json_read_with(struct cupel__doc *, enum cupel__scanner, const char *text,
                                        size_t len, const struct cupel__read_options *,
                                        struct cupel_error *err);

/* Puts the end behind the n entries of the index. */
static inline void cupel__terminate_index(struct cupel__reader *r, size_t n)
{
    r->nindex = (uint32_t)n;
    r->doc->index[n] = r->len;
    memset(r->doc->kinds + n, 0, sizeof(uint32_t));
}

/* Notes why the read fails; returns the status. */
enum cupel_status cupel__reader_fail(struct cupel__reader *, enum cupel_status, uint32_t offset,
                                     const char *detail);

/* The same where the index has ended. */
enum cupel_status cupel__reader_fail_end(struct cupel__reader *);

/* Reads a string; `next` is the entry of its first escape, and `node` has its place.  Checks the
 * escapes and makes room in the side buffer; a key is decoded into it.  Returns the entry after the
 * closing quote, or 0 when it has failed. */
uint32_t cupel__read_escaped_string(struct cupel__reader *, struct cupel__node *node,
                                    uint32_t next);

/* Makes room for `need` bytes in the side buffer, and padding. */
enum cupel_status cupel__side_reserve(struct cupel__reader *, size_t need);

/* -- Names that occur twice -------------------------------------------------------------------- */

/* Looks for equal names in an object, which is complete on the tape.  `work` has room for five
 * words a member: what such an object has taken of the index.  Depending on the options it fails
 * with CUPEL_E_DUPLICATE_KEY and returns false, or marks the earlier members as dead and does not
 * count them.  Clears the flag CUPEL__NODE_MAYBE_DUPLICATES. */
bool cupel__duplicates_check(struct cupel__reader *, uint32_t object, uint32_t *work);

/* Takes the members marked as dead off the tape. */
void cupel__duplicates_remove(struct cupel__reader *);

/* The JSON Pointer of node i, cut if it has more than `size` bytes; returns the length. */
size_t cupel__pointer_write(const struct cupel__doc *, uint32_t i, char *p, size_t size);

#endif
