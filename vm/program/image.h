/* image.h: the program image: the layout of its sections, and accessors.
 *
 * An image is position-independent.  It has the byte order of the machine that compiled it, and a
 * reader of the other order refuses it.  All offsets are bytes from the start of the image.
 * Sections are 8-aligned, tables and lists 4-aligned.  docs/image-format.md describes the format in
 * full.
 *
 * The accessors check nothing: they may be used on an image that the verifier has accepted, and by
 * the verifier on parts that it has examined. */
#ifndef CUPEL_VM_IMAGE_H
#define CUPEL_VM_IMAGE_H

#include "vm/program/isa.h"

#define CUPEL__IMAGE_MAGIC   0x6c707563u /* "cupl", lowest byte first */
#define CUPEL__IMAGE_OTHER   0x6375706cu /* the same in the other byte order */
#define CUPEL__IMAGE_VERSION 6u

enum { CUPEL__IMAGE_REPORT = 1 }; /* in `flags`: a report program */

struct cupel__section {
    uint32_t at;    /* offset of the first element */
    uint32_t count; /* number of elements */
};

/* The first bytes of an image. */
struct cupel__image {
    uint32_t magic;
    uint32_t version;
    uint32_t size; /* of the whole image */
    uint32_t flags;
    uint64_t checksum;            /* of everything after this field */
    uint32_t root;                /* reference to the root schema */
    uint32_t formats;             /* offset of a list of strings: names of host formats; 0: none */
    struct cupel__section code;   /* words; word 0 is 0 and no instruction */
    struct cupel__section tables; /* words: tables and lists */
    struct cupel__section values; /* struct cupel__node: constants, as a tape */
    struct cupel__section patterns; /* struct cupel__image_pattern */
    struct cupel__section strings;  /* bytes, followed by at least 16 zero bytes */
    struct cupel__section locs;     /* struct cupel__image_loc */
    struct cupel__section marks;    /* struct cupel__image_mark, by code index */
};

/* A pattern: offset and length of its ECMA-262 source in `strings`. */
struct cupel__image_pattern {
    uint32_t at, len;
};

/* A step of a JSON Pointer into the schema document; parent UINT32_MAX is the document itself.
 * `base` is the URI of the schema resource that begins there, a string constant, 0: none. */
struct cupel__image_loc {
    uint32_t parent, at, len, base;
};

/* Several constants may share the bytes of a string up to this length.  The verifier reads each
 * constant, so this bounds its work by the number of constants. */
enum { CUPEL__SHARED_TEXT = 256 };

/* Maps an instruction to a location: the instruction at `pc` was compiled from the keyword at
 * `loc`. A SWITCH or ONLY begins the schema at `loc`. */
struct cupel__image_mark {
    uint32_t pc, loc;
};

/* -- Tables ---------------------------------------------------------------------------------- */

enum {
    CUPEL__TABLE_WIDE = 1,   /* slots are 16 bits, not 8 */
    CUPEL__TABLE_SORTED = 2, /* no slots: the entries are sorted, for binary search */
    CUPEL__TABLE_MIDDLE = 4, /* the hash includes the eight bytes in the middle of a name */
    CUPEL__TABLE_OTHER = 8,  /* `other` is a schema of the author: members that pass it become
                                evaluated */
    CUPEL__TABLE_QUOTE = 16, /* a name contains a quote */
    CUPEL__TABLE_WHOLE = 32, /* the hash includes the whole name, up to 256 bytes */
    CUPEL__TABLE_PLAIN = 64  /* no other flag but OTHER, and no displacements */
};

/* A set of names, for an object with the schemas of their members.
 *
 * A perfect hash table: the hash of a name (base/name_hash.h) times `mult` selects a slot, and the
 * slot holds the number of an entry, from 1 on, or 0.  No two names of a table share a slot.  This
 * header is followed by the displacements (1 << disp bytes, if disp > 0), the slots (1 << (32 -
 * shift)), padding to 4 bytes, and the entries. */
struct cupel__table {
    uint32_t mult;
    uint8_t shift;
    uint8_t flags;
    uint8_t zero;
    uint8_t disp;      /* log2 of the number of displacements, 0: none */
    uint32_t entries;  /* offset of the entries from the start of the table */
    uint32_t lengths;  /* bit n: a name has n bytes; bit 31: 31 or more */
    uint32_t count;    /* number of entries */
    uint32_t required; /* number of entries whose members are required */
    uint32_t other;    /* object: the schema of members without an entry */
    uint32_t names; /* offset of a list: for each entry the offset and the length of its name, 0 and
                       0 if the entry is not LONG; 0: no entry is LONG */
    uint32_t matches; /* object: offset of a list of {pattern, subschema}, or 0 */
    uint32_t name;    /* MEMBERS: the schema that applies to names */
};

/* A discriminator is a table of fewer than 64 names, its keys.  Whether an object has the member of
 * a key, and which string or integer the member is, selects a set of branches that may pass.  The
 * sets of all keys are intersected.  In the table of keys `matches` is the offset of the sets
 * (struct cupel__masks), and `sub` of an entry is the offset of the key's table of tags.  In a
 * table of tags `matches` is the same offset, `name` is the number of the key, `sub` of an entry is
 * the number of the set for that tag, and `other` is the number of the set for strings and integers
 * without an entry, or for all values if the table is empty.
 *
 * The discriminator of a CASES has one key, whose tags are strings.  Behind the set for objects
 * without the key follows a set for each type of the member, used if the member is not a string.  A
 * set has one bit, the number of the case. */

/* A name in a table.  In a JSON text without escapes a closing quote follows the name, so a name of
 * up to fifteen bytes ends with a quote here too.  One comparison of sixteen bytes then compares
 * the name and its length at once. */
struct cupel__entry {
    char name[16];    /* its first bytes, then a quote, then zeroes */
    uint16_t ignore;  /* bit i: name[i] lies behind the quote and is not compared */
    uint8_t required; /* 0 or 1 */
    uint8_t flags;
    uint32_t sub; /* with UNKNOWN: `other` of the table, unless the table has patterns */
};

enum {
    CUPEL__ENTRY_UNKNOWN = 1, /* named by `required` but not by `properties` */
    CUPEL__ENTRY_LONG = 2     /* sixteen bytes or more: the table's `names` has the whole name */
};

/* A list: its length, then that many words. */
struct cupel__list {
    uint32_t count;
    uint32_t item[];
};

/* The sets of branches of a discriminator.  A bit stands for a span of consecutive branches.  First
 * a set for each type of value, then for each key the set for objects without it, then for each key
 * the set for members that are neither strings nor integers (not of a CASES).  The sets are
 * followed by a word for each bit, its span: the first branch, and in the upper half the number of
 * branches. The first branch does not decrease from bit to bit. */
struct cupel__masks {
    uint32_t words;    /* that follow this one */
    uint32_t branches; /* of the choice */
    uint32_t bits;     /* of a set */
    uint32_t count;    /* of sets */
    uint64_t needed;   /* bit k: the absence of key k excludes branches */
    uint64_t set[];
};

static inline const uint32_t *cupel__masks_spans(const struct cupel__masks *m)
{
    return (const void *)(m->set + m->count);
}
#define CUPEL__SPAN(first, n)   ((first) | (n) << 16)
#define CUPEL__SPAN_FIRST(span) ((span)&0xffffu)
#define CUPEL__SPAN_N(span)     ((span) >> 16)

/* An integer tag is a name of nine bytes: a byte with which no UTF-8 text begins, and the eight
 * bytes of the integer. */
enum { CUPEL__INTEGER_NAME = 9, CUPEL__INTEGER_MARK = 0xff };

static inline void cupel__integer_name(int64_t i, char ret[CUPEL__INTEGER_NAME])
{
    ret[0] = (char)CUPEL__INTEGER_MARK;
    cupel__store64(ret + 1, (uint64_t)i);
}

static inline bool cupel__is_integer_name(struct cupel__str name)
{
    return name.n == CUPEL__INTEGER_NAME && (uint8_t)name.p[0] == CUPEL__INTEGER_MARK;
}

static inline int64_t cupel__name_integer(struct cupel__str name)
{
    return (int64_t)cupel__load64(name.p + 1);
}

/* -- Access ---------------------------------------------------------------------------------- */

static inline const void *cupel__at(const struct cupel__image *image, uint32_t offset)
{
    return (const char *)image + offset;
}

static inline const struct cupel__list *cupel__image_list(const struct cupel__image *image,
                                                          uint32_t offset)
{
    return cupel__at(image, offset);
}

/* A string constant: its length, then its bytes. */
static inline struct cupel__str cupel__image_str(const struct cupel__image *image, uint32_t at)
{
    return (struct cupel__str){(const char *)image + at + 4,
                               *(const uint32_t *)cupel__at(image, at)};
}

/* The name of host format i. */
static inline struct cupel__str cupel__image_format(const struct cupel__image *image, uint32_t i)
{
    return cupel__image_str(image, cupel__image_list(image, image->formats)->item[i]);
}

struct cupel_program;
struct cupel_options;

/* Makes a program of an image in memory.  Takes ownership of `bytes` (`len` bytes from the
 * allocator of the options) and frees them on failure too. */
enum cupel_status cupel__program_adopt(void *bytes, size_t len, const struct cupel_options *,
                                       struct cupel_program **ret, struct cupel_error *err);

/* The checksum of the image's bytes after the field. */
uint64_t cupel__image_checksum(const void *image, size_t size);

#endif
