/* tape.h: the JSON document: RFC 8259 text read into a flat array of nodes, the tape.
 *
 *     text ── scan ──▶ index of tokens ── build ──▶ tape
 *
 * Nodes have 16 bytes and stand in document order.  A container is followed by its children: items,
 * or name, value, name, value …; it has their number and the index after its last descendant, so
 * that skipping it is one assignment.
 *
 * Strings stay slices of the text; one with escapes is decoded when its bytes are first needed.
 * Numbers are exact: a 64-bit integer where the value is one, a decimal mantissa and exponent where
 * they hold it, otherwise the token in the text (CUPEL__BIG).
 *
 * This file knows nothing of schemas.  The VM reaches the tape through the inline accessors alone,
 * so that a visit of a node is a load and no call. */
#ifndef CUPEL_BASE_JSON_TAPE_H
#define CUPEL_BASE_JSON_TAPE_H

#include "base/memory.h"
#include "base/name_hash.h"

/* Fine enough that one mask tests any `type` of JSON Schema.  The numbers are part of the program
 * image. */
enum cupel__type {
    CUPEL__NULL,
    CUPEL__FALSE,
    CUPEL__TRUE,
    CUPEL__INT,     /* written without fraction and exponent, fits int64_t */
    CUPEL__BIGINT,  /* the same, but does not fit; always CUPEL__BIG */
    CUPEL__INTREAL, /* written with a fraction or exponent, value integral: 1.0, 1e3, 1e400 */
    CUPEL__REAL,    /* value not integral */
    CUPEL__STRING,  /* without escapes in its text */
    CUPEL__ESCAPED, /* a string whose text holds a backslash and that is not decoded yet */
    CUPEL__ARRAY,
    CUPEL__OBJECT,
    CUPEL__TYPES
};

/* Sets of types: bit i for type i. */
#define CUPEL__BIT(type) (1u << (type))
enum {
    CUPEL__M_NULL = CUPEL__BIT(CUPEL__NULL),
    CUPEL__M_BOOLEAN = CUPEL__BIT(CUPEL__FALSE) | CUPEL__BIT(CUPEL__TRUE),
    CUPEL__M_INTEGER =
        CUPEL__BIT(CUPEL__INT) | CUPEL__BIT(CUPEL__BIGINT) | CUPEL__BIT(CUPEL__INTREAL),
    CUPEL__M_NUMBER = CUPEL__M_INTEGER | CUPEL__BIT(CUPEL__REAL),
    CUPEL__M_STRING = CUPEL__BIT(CUPEL__STRING) | CUPEL__BIT(CUPEL__ESCAPED),
    CUPEL__M_ARRAY = CUPEL__BIT(CUPEL__ARRAY),
    CUPEL__M_OBJECT = CUPEL__BIT(CUPEL__OBJECT),
    CUPEL__M_ANY = (1u << CUPEL__TYPES) - 1
};

enum {
    CUPEL__BIG = 1,     /* number: i and exp are not set, the value is in the text */
    CUPEL__DECODED = 2, /* string: `off` is an offset in the side buffer, and `src` the one in the
                           text.  The value 2 >> 1 indexes cupel__doc.base */
    CUPEL__KEY = 4      /* string: a member's name */
};

struct cupel__node {
    uint8_t type;
    uint8_t flags;
    int16_t exp;  /* number, not BIG: the value is i * 10^exp.  REAL: exp < 0 and 10 does not divide
                     i.  INT and INTREAL: exp is 0 */
    uint32_t off; /* of the token's first byte in the text; a string: of the byte after the quote */
    union {
        int64_t i; /* number, not BIG */
        struct {
            uint32_t len; /* string: bytes (ESCAPED: of the undecoded text) */
            union {
                uint32_t src; /* string: offset in the text, as `off` unless DECODED */
                uint32_t
                    hash; /* a name that is not DECODED: cupel__name_hash(), in place of `src` */
            };
        };
        struct {
            uint32_t count; /* array: items; object: members */
            uint32_t end;   /* index of the first node after this container */
        };
    };
};

struct cupel__json_engine;

/* A document, and the memory that it reuses from one read to the next.  One thread at a time may
 * use it: reading a string through cupel__doc_str may decode it in place. */
struct cupel__doc {
    const char *base[2];       /* [0] the text, [1] the side buffer with decoded strings */
    struct cupel__node *nodes; /* nodes[0] is the root */
    uint32_t nnodes;
    uint32_t len;   /* of the text */
    uint32_t depth; /* deepest nesting: a scalar 0, [] 1, [[]] 2 */
    uint32_t side_used;

    const struct cupel__json_engine *engine; /* of this processor, chosen by cupel__doc_init */
    struct cupel_alloc alloc;
    size_t nodes_cap, text_cap, side_cap, index_cap;
    char *text; /* the padded copy of the text, if one was made */
    char *side;
    uint32_t *index;  /* positions of the tokens; scratch once the tape is complete */
    char *kinds;      /* the bytes at these positions; in the same memory, behind the index */
    size_t memory;    /* bytes of all buffers */
    bool in_callback; /* a callback of the host runs that was given this document */
    uint32_t reserved_len, reserved_depth; /* texts up to this length and depth fit the buffers */
};

enum {
    CUPEL__READ_PADDED = 1, /* 64 readable bytes follow the text, and it outlives the document: it
                            need not be copied */
    CUPEL__READ_DUPLICATES = 2, /* of members with the same name only the last gets on the tape */
    CUPEL__READ_BOM = 4,        /* a leading U+FEFF is skipped */
    CUPEL__READ_PORTABLE = 8    /* use the scanner without SIMD */
};

struct cupel__read_options {
    uint32_t flags;
    uint32_t max_depth;  /* of nesting */
    uint32_t max_number; /* characters of one number */
    size_t max_bytes;    /* of the text */
    size_t max_memory;   /* of the document; 0 is none */
};

void cupel__doc_init(struct cupel__doc *, const struct cupel_alloc *alloc);
void cupel__doc_free(struct cupel__doc *);

/* Reads one JSON value (RFC 8259 section 2) into a document, whose previous content is lost.
 * Allocates nothing if the document has held this text before, or one of this length and at most
 * 16 KiB.  On failure `err` has offset, line, column and the pointer of the value being read, and
 * the document is empty (nnodes 0). */
enum cupel_status cupel__json_read(struct cupel__doc *, const char *text, size_t len,
                                   const struct cupel__read_options *, struct cupel_error *err);

/* Stage 1 alone, for a short text without escapes and bytes beyond ASCII that the buffers can hold:
 * *ret_tokens tokens are then in `index` and `kinds`, the tape is empty, and it is not known
 * whether the text is JSON.  The VM judges such a text by its tokens where it can.  False for any
 * other text, which cupel__json_read must read. */
bool cupel__json_scan_short(struct cupel__doc *, const char *text, size_t len,
                            const struct cupel__read_options *, uint32_t *ret_tokens);

/* Stage 2 after cupel__json_scan_short: together they do what cupel__json_read does. */
enum cupel_status cupel__json_build_tape(struct cupel__doc *, uint32_t tokens,
                                         const struct cupel__read_options *,
                                         struct cupel_error *err);

/* The scanner that cupel__json_read uses on this processor without READ_PORTABLE: "avx512", "avx2",
 * "sse4.2", "neon", "simd128" or "portable". */
const char *cupel__json_scanner(void);

/* Decodes an ESCAPED string in place: its node becomes a STRING with the flag DECODED.  Cannot
 * fail: the reader has checked the escapes and reserved the memory. */
void cupel__doc_decode(struct cupel__doc *, struct cupel__node *);

/* The code points that n bytes of text with escapes stand for. */
size_t cupel__escaped_count(const char *text, size_t n);

/* The bytes of a string node that is not ESCAPED; names never are. */
static inline struct cupel__str cupel__node_str(const struct cupel__doc *doc,
                                                const struct cupel__node *n)
{
    return (struct cupel__str){doc->base[(n->flags >> 1) & 1] + n->off, n->len};
}

/* The bytes of any string node, decoded. */
static inline struct cupel__str cupel__doc_str(struct cupel__doc *doc, struct cupel__node *n)
{
    if (n->type == CUPEL__ESCAPED)
        cupel__doc_decode(doc, n);
    return cupel__node_str(doc, n);
}

/* The index after node i and everything in it. */
static inline uint32_t cupel__node_next(const struct cupel__node *nodes, uint32_t i)
{
    return nodes[i].type >= CUPEL__ARRAY ? nodes[i].end : i + 1;
}

/* The value node of the member `key` of object node i, or 0 if there is none. */
uint32_t cupel__doc_member(struct cupel__doc *, uint32_t i, struct cupel__str key);

/* The offset of a string in the text, after the quote. */
static inline uint32_t cupel__node_src(const struct cupel__node *n)
{
    return n->flags & CUPEL__DECODED ? n->src : n->off;
}

/* The hash of a name, which the node has unless the name was decoded. */
static inline uint32_t cupel__key_hash(const struct cupel__doc *doc, const struct cupel__node *key)
{
    if (!(key->flags & CUPEL__DECODED))
        return key->hash;
    return cupel__name_hash(doc->base[1] + key->off, key->len);
}

/* The offset at which node i begins in the text. */
uint32_t cupel__doc_offset(const struct cupel__doc *, uint32_t i);

/* The text of node i: the token, with quotes or brackets.  The tape has no ends, so finding that of
 * a container takes time in proportion to its children and those of its last descendants. */
struct cupel__str cupel__doc_span(const struct cupel__doc *, uint32_t i);
/* The same; adds the steps that it took to *steps. */
struct cupel__str cupel__doc_span_counted(const struct cupel__doc *, uint32_t i, int64_t *steps);

struct cupel__dec;

/* The value of a number node (base/decimal.h).  False if its exponent is out of range.  An integer
 * node gives its i with exponent 0, perhaps with trailing zeros; the functions on decimals take
 * that form as well as the normalised one. */
bool cupel__doc_decimal(const struct cupel__doc *, const struct cupel__node *,
                        struct cupel__dec *ret);

/* Appends the JSON Pointer (RFC 6901) of node i (a value, or a key, which gives its member's).
 * Takes time in proportion to all siblings on the path: for errors only; json/cursor.h is for
 * more. */
void cupel__doc_pointer(struct cupel__doc *, uint32_t i, struct cupel_text *);

#endif
