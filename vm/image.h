/* image.h: the program image: sections, their layout, and reading them.
 *
 * An image is position-independent and little-endian.  All offsets are bytes from its start; sections
 * and tables are 8-aligned, lists 4-aligned.  docs/image-format.md is the description for people. */
#ifndef CUPEL_VM_IMAGE_H
#define CUPEL_VM_IMAGE_H

#include "isa.h"

#define CUPEL__IMAGE_MAGIC   0x6c707563u /* "cupl" */
#define CUPEL__IMAGE_VERSION 3u

enum { CUPEL__IMAGE_REPORT = 1 }; /* kind: made to be run by the report loop */

struct cupel__section {
    uint32_t at;    /* offset */
    uint32_t count; /* of elements */
};

/* The first bytes of an image. */
struct cupel__image {
    uint32_t magic;
    uint32_t version;
    uint32_t size;     /* of the whole image */
    uint32_t flags;
    uint64_t checksum; /* of everything after this field */
    uint32_t root;     /* reference to the root schema */
    uint32_t formats;  /* offset of a list of strings: the host's formats; 0: none */
    struct cupel__section code;     /* words; the first is not an instruction */
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

/* A step of a JSON Pointer into the schema document; parent UINT32_MAX is the document itself.  `base` is
 * the URI of the schema resource that begins there, a string constant, 0: none. */
struct cupel__image_loc {
    uint32_t parent, at, len, base;
};

/* The instruction at `pc` comes from the keyword at `loc`; a SWITCH or ONLY begins the schema at `loc`. */
struct cupel__image_mark {
    uint32_t pc, loc;
};

/* -- Tables ------------------------------------------------------------------------------------- */

enum {
    CUPEL__TABLE_WIDE = 1,   /* slots are 16 bits, not 8 */
    CUPEL__TABLE_SORTED = 2, /* no slots: entries are in order, search them */
    CUPEL__TABLE_THIRD = 4,  /* the hash takes a third word, at `third` */
    CUPEL__TABLE_OTHER = 8   /* `other` is there: what passes it becomes evaluated */
};

/* A set of names, perhaps with what their members have to pass.
 *
 * A name is hashed by its length, its first and its last eight bytes (and for some tables eight more at
 * a fixed place), all in two or three loads.  The hash selects a slot, the slot an entry: no two names
 * of a table share a slot.  After this header: the displacements (1 << disp bytes, if disp > 0), the slots
 * (1 << (64 - shift)), padding to 8, the entries.  */
struct cupel__table {
    uint64_t lengths;  /* bit n: a name has n bytes; bit 63: 63 or more */
    uint64_t mult;
    uint32_t count;    /* entries */
    uint32_t required; /* entries that must be there */
    uint32_t other;    /* object: what members with other names have to pass */
    uint32_t names;    /* offset of a list: for each entry the offset of its name, 0 if it has at most
                          16 bytes; 0: all are that short */
    uint32_t matches;  /* MEMBERS: offset of a list of {pattern, subschema}, or 0 */
    uint32_t name;     /* MEMBERS: subschema of names */
    uint8_t shift;
    uint8_t flags;
    uint8_t third;
    uint8_t disp;      /* log2 of the number of displacements, 0: none */
    uint32_t plain;    /* where the entries are, from the start of the table, if it has slots of a byte, no
                          displacements and no third word; else 0 */
};

enum { CUPEL__ENTRY_UNKNOWN = 1, CUPEL__ENTRY_REQUIRED = 8 }; /* UNKNOWN: required, but no property */

struct cupel__entry {
    uint64_t head, tail; /* first and last eight bytes, zeroes after a shorter name */
    uint32_t len;
    uint32_t sub;        /* with UNKNOWN: `other` of the table, if there are no patterns */
};
/* `len` holds the flags in its upper bits. */
#define CUPEL__ENTRY_FLAG(e, flag) ((((e)->len >> 28) & (flag)) != 0)
#define CUPEL__ENTRY_MUST(e)       ((e)->len >> 31) /* FLAG(e, REQUIRED) */
#define CUPEL__ENTRY_LEN(e)        ((e)->len & 0xfffffffu)
#define CUPEL__MAX_NAME            0xfffffffu

/* A list: its length, then that many words. */
struct cupel__list {
    uint32_t count;
    uint32_t item[];
};

/* -- Access ------------------------------------------------------------------------------------- */

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
    return (struct cupel__str){(const char *)image + at + 4, *(const uint32_t *)cupel__at(image, at)};
}

/* The name of one of the host's formats. */
static inline struct cupel__str cupel__image_format(const struct cupel__image *image, uint32_t i)
{
    return cupel__image_str(image, cupel__image_list(image, image->formats)->item[i]);
}

struct cupel_program;
struct cupel_options;

/* Takes over `bytes` (allocated with `alloc`, `len` long) as a program; frees them on failure too. */
enum cupel_status cupel__program_adopt(void *bytes, size_t len, const struct cupel_options *,
                                       struct cupel_program **ret, struct cupel_error *err);

/* The checksum of the image's bytes after the field. */
uint64_t cupel__image_checksum(const void *image, size_t size);

#endif
