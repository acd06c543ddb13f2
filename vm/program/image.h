/* image.h: the program image: sections, their layout, and reading them.
 *
 * An image is position-independent and has the byte order of the machine that it was compiled on
 * and for.  All offsets are bytes from its start; sections are 8-aligned, tables and lists
 * 4-aligned. docs/image-format.md is the description for people. */
#ifndef CUPEL_VM_IMAGE_H
#define CUPEL_VM_IMAGE_H

#include "vm/program/isa.h"

#define CUPEL__IMAGE_MAGIC   0x6c707563u /* "cupl", lowest byte first */
#define CUPEL__IMAGE_OTHER   0x6375706cu /* the same in the other byte order */
#define CUPEL__IMAGE_VERSION 6u

enum { CUPEL__IMAGE_REPORT = 1 }; /* kind: made to be run by the report loop */

struct cupel__section {
    uint32_t at;    /* offset */
    uint32_t count; /* of elements */
};

/* The first bytes of an image. */
struct cupel__image {
    uint32_t magic;
    uint32_t version;
    uint32_t size; /* of the whole image */
    uint32_t flags;
    uint64_t checksum;              /* of everything after this field */
    uint32_t root;                  /* reference to the root schema */
    uint32_t formats;               /* offset of a list of strings: the host's formats; 0: none */
    struct cupel__section code;     /* words; the first is 0, and no instruction */
    struct cupel__section tables;   /* words: tables and lists */
    struct cupel__section values;   /* struct cupel__node: constants, as a tape */
    struct cupel__section patterns; /* struct cupel__image_pattern */
    struct cupel__section strings;  /* bytes, 16 more are readable */
    struct cupel__section locs;     /* struct cupel__image_loc */
    struct cupel__section marks;    /* struct cupel__image_mark, by code index */
};

/* A pattern: its ECMA-262 source, a slice of `strings` by offset in the image. */
struct cupel__image_pattern {
    uint32_t at, len;
};

/* A step of a JSON Pointer into the schema document; parent UINT32_MAX is the document itself.
 * `base` is the URI of the schema resource that begins there, a string constant, 0: none. */
struct cupel__image_loc {
    uint32_t parent, at, len, base;
};

/* Strings of constants up to so many bytes may be shared by many of them: a few bytes for each of a
 * node. */
enum { CUPEL__SHARED_TEXT = 256 };

/* The instruction at `pc` comes from the keyword at `loc`; a SWITCH or ONLY begins the schema at
 * `loc`. */
struct cupel__image_mark {
    uint32_t pc, loc;
};

/* -- Tables ---------------------------------------------------------------------------------- */

enum {
    CUPEL__TABLE_WIDE = 1,   /* slots are 16 bits, not 8 */
    CUPEL__TABLE_SORTED = 2, /* no slots: entries are in order, search them */
    CUPEL__TABLE_MIDDLE = 4, /* the hash takes the eight bytes in the middle of a name too */
    CUPEL__TABLE_OTHER = 8,  /* `other` is there: what passes it becomes evaluated */
    CUPEL__TABLE_QUOTE = 16, /* there is a quote in a name */
    CUPEL__TABLE_WHOLE = 32, /* the hash takes all of a name, up to 256 bytes */
    CUPEL__TABLE_PLAIN = 64  /* none of these but OTHER, and no displacements */
};

/* A set of names, perhaps with what their members have to pass.
 *
 * The hash of a name (base/name_hash.h) times `mult` selects a slot, the slot an entry: no two
 * names of a table share a slot.  After this header: the displacements (1 << disp bytes, if disp >
 * 0), the slots (1 << (32 - shift)), padding to 4, the entries.  */
struct cupel__table {
    uint32_t mult;
    uint8_t shift;
    uint8_t flags;
    uint8_t zero;
    uint8_t disp;      /* log2 of the number of displacements, 0: none */
    uint32_t entries;  /* where they are, from the start of the table */
    uint32_t lengths;  /* bit n: a name has n bytes; bit 31: 31 or more */
    uint32_t count;    /* entries */
    uint32_t required; /* entries that must be there */
    uint32_t other;    /* object: what members with other names have to pass */
    uint32_t names; /* offset of a list: for each entry the offset and the length of its name, 0 and
                       0 if it is not LONG; 0: none is */
    uint32_t matches; /* object: offset of a list of {pattern, subschema}, or 0 */
    uint32_t name;    /* MEMBERS: subschema of names */
};

/* A discriminator is a table of less than 64 names that tell the branches of a choice apart: an
 * object that has such a member, one that lacks it, and one where the member is a certain string or
 * integer leave some of the branches.  `matches` is the offset of the sets of branches (struct
 * cupel__masks); `sub` of an entry is that of a table of values, with the same sets: `name` is the
 * key's number, `sub` of its entries the number of a set, `other` that for strings and integers
 * that are not in it, or if it is empty, for all values. */

/* The discriminator of a CASES has one key, and of its values only strings are tags.  Behind the
 * set for objects without it there is one for each type of a member that is no string; the first
 * bit of a set is the case. */

/* A name.  Where it stands in a text without escapes its closing quote follows, so names of up to
 * fifteen bytes end with one here: to compare sixteen bytes is enough for them. */
struct cupel__entry {
    char name[16];    /* its first bytes, then a quote, then zeroes */
    uint16_t ignore;  /* bit i: name[i] is behind the quote */
    uint8_t required; /* 0 or 1 */
    uint8_t flags;
    uint32_t sub; /* with UNKNOWN: `other` of the table, if there are no patterns */
};

enum {
    CUPEL__ENTRY_UNKNOWN = 1, /* required, but no property */
    CUPEL__ENTRY_LONG = 2     /* sixteen bytes or more: its string is in the table's `names` */
};

/* A list: its length, then that many words. */
struct cupel__list {
    uint32_t count;
    uint32_t item[];
};

/* Sets of branches, each bit for one of them or a few.  First the set for each type of value, then
 * for each key the one for objects without it, then for each key the one for values that can be no
 * tags (not of a CASES). Behind the sets a word for each bit: its first branch, and in the upper
 * half how many there are; branches do not become less from bit to bit. */
struct cupel__masks {
    uint32_t words; /* in all, behind this one */
    uint32_t branches, bits, count;
    uint64_t needed; /* keys whose absence says something, by number */
    uint64_t set[];
};

static inline const uint32_t *cupel__masks_spans(const struct cupel__masks *m)
{
    return (const void *)(m->set + m->count);
}
#define CUPEL__SPAN(first, n)   ((first) | (n) << 16)
#define CUPEL__SPAN_FIRST(span) ((span)&0xffffu)
#define CUPEL__SPAN_N(span)     ((span) >> 16)

/* An integer among a discriminator's values is a name of nine bytes: one with which no text in
 * UTF-8 begins, and its own eight. */
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

/* The name of one of the host's formats. */
static inline struct cupel__str cupel__image_format(const struct cupel__image *image, uint32_t i)
{
    return cupel__image_str(image, cupel__image_list(image, image->formats)->item[i]);
}

struct cupel_program;
struct cupel_options;

/* Takes over `bytes` (allocated with `alloc`, `len` long) as a program; frees them on failure too.
 */
enum cupel_status cupel__program_adopt(void *bytes, size_t len, const struct cupel_options *,
                                       struct cupel_program **ret, struct cupel_error *err);

/* The checksum of the image's bytes after the field. */
uint64_t cupel__image_checksum(const void *image, size_t size);

#endif
