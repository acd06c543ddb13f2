/* json_internal.h: what the parts of the JSON reader know of each other; nobody else includes it.
 *
 *   json_read.c    entry, limits, buffers, errors
 *   json_scan.c    stage 1: the text to an index of positions
 *   json_tape.c    stage 2: the index to the tape
 *   json_string.c  escapes
 *   json_number.c  numbers
 *   json_keys.c    members with the same name
 *   json_doc.c     the accessors of json.h that are not inline
 *
 * The index has, in ascending order, the positions of `{}[]:,` outside strings, of both quotes of
 * each string and of each backslash in it that begins an escape, and of the first byte of every
 * other token, whether it is one or not.  Stage 1 checks UTF-8 and the control characters in
 * strings.  Everything else is stage 2's, so a text is refused for what
 * comes first in it (a duplicate key counts as found where its object ends). */
#ifndef CUPEL_BASE_JSON_INTERNAL_H
#define CUPEL_BASE_JSON_INTERNAL_H

#include "json.h"
#include <string.h>

enum cupel__scanner {
    CUPEL__SCAN_PORTABLE,
    CUPEL__SCAN_SSE42,
    CUPEL__SCAN_AVX2,
    CUPEL__SCAN_NEON,
    CUPEL__SCANNERS
};

enum {
    CUPEL__READ_PADDING = 64, /* readable bytes after the text, and after the side buffer */
    CUPEL__INDEX_SLACK = 16,  /* entries that the scanner may write after the last one */
    CUPEL__NODE_DEAD = 8      /* flag of a key: a later member has the same name */
};

/* No node: the parent of the root. */
#define CUPEL__NO_NODE UINT32_MAX

/* Stage 1, which may be run over a text in several parts. */
struct cupel__scan {
    const char *text;
    uint32_t len;
    uint32_t skip; /* bytes at the start that count as white space, less than 64 */

    uint32_t *index; /* room for an entry a byte of the part, and the slack */
    size_t count;

    /* Carried from one block of 64 bytes to the next. */
    uint64_t escaped;   /* bit 0: the next byte is escaped */
    uint64_t in_string; /* all ones or 0 */
    uint64_t scalar;    /* bit 0: the last byte belonged to a token without quotes */
    uint32_t utf8;      /* everything before this has been checked */

    /* The first error, if status is not CUPEL_OK; the scan has stopped there. */
    enum cupel_status status;
    uint32_t error;
};

bool cupel__scanner_supported(enum cupel__scanner);
enum cupel__scanner cupel__scanner_best(void);
const char *cupel__scanner_name(enum cupel__scanner);

/* Scans the bytes [from, to).  `from` is a multiple of 64 and so is `to`, unless it is the end of
 * the text.  Reads up to 63 bytes past the text, and ignores them. */
void cupel__scan_run(struct cupel__scan *, enum cupel__scanner, uint32_t from, uint32_t to);

/* One read, from stage 1 to the error report. */
struct cupel__reader {
    struct cupel__doc *doc;
    const struct cupel__read_options *options;
    const char *text;
    uint32_t len;

    uint32_t *index; /* nindex entries, then at least four that are `len` */
    uint32_t nindex;

    /* What to say where the index ends too early: the error of stage 1, or that the text is cut. */
    enum cupel_status end_status;
    uint32_t end_offset;

    size_t side_need; /* bytes of the side buffer that are used or promised */
    bool dead;        /* some key has CUPEL__NODE_DEAD */

    /* Why it failed. */
    enum cupel_status status;
    const char *detail;
    uint32_t offset;
    uint32_t open;  /* the innermost open container, or CUPEL__NO_NODE; `end` has its parent */
    uint32_t nodes; /* on the tape */
    uint32_t where; /* the node to be named; if it is `nodes`, the value that was being read */
};

/* cupel__json_read with this scanner, which must be supported. */
enum cupel_status cupel__json_read_by(struct cupel__doc *, enum cupel__scanner, const char *text,
                                      size_t len, const struct cupel__read_options *,
                                      struct cupel_error *err);

/* Notes why the read fails; returns the status. */
enum cupel_status cupel__reader_fail(struct cupel__reader *, enum cupel_status, uint32_t offset,
                                     const char *detail);

/* The same where the index has ended. */
enum cupel_status cupel__reader_fail_end(struct cupel__reader *);

/* Stage 2.  The document has room for (nindex + 1 + depth) / 2 + 4 nodes. */
enum cupel_status cupel__tape_build(struct cupel__reader *);

/* Reads a string whose first escape is entry i of the index; `node` has its place.  Checks the
 * escapes and makes room in the side buffer; a key is decoded into it.  Returns the index after the
 * closing quote, or 0 when it has failed. */
uint32_t cupel__string_read(struct cupel__reader *, struct cupel__node *node, uint32_t i);

/* Makes room for `need` bytes in the side buffer, and padding. */
enum cupel_status cupel__side_reserve(struct cupel__reader *, size_t need);

/* Reads the number at p (RFC 8259 section 6) into type, flags, exp and i of the node.  Returns the
 * byte after it, or NULL if it is none.  The text goes on after the number with something that is
 * not a part of any. */
const char *cupel__number_read(const char *p, struct cupel__node *node);

/* -- Keys ----------------------------------------------------------------------------------------
 * The reader keeps a stack with a pair of words for each key of an object that is still open: a
 * hash and the index of its node. */

enum { CUPEL__KEYS_PAIRWISE = 8 };

/* Looks for equal names among the n keys at `keys`, which it may reorder.  `table` has room for 3n
 * words.  Depending on the options it fails with CUPEL_E_DUPLICATE_KEY and returns CUPEL__NO_NODE,
 * or marks the earlier keys as dead and returns their number. */
uint32_t cupel__keys_check(struct cupel__reader *, uint32_t *keys, uint32_t n, uint32_t *table);

/* Takes the members marked as dead off the tape. */
void cupel__keys_sweep(struct cupel__reader *);

/* The JSON Pointer of node i, cut if it has more than `size` bytes; returns the length. */
size_t cupel__pointer_write(const struct cupel__doc *, uint32_t i, char *p, size_t size);

/* -- Words of text ------------------------------------------------------------------------------
 */

/* Eight bytes, the first in the lowest bits. */
static inline uint64_t cupel__load64(const char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    return w;
}

static inline bool cupel__is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

#endif
