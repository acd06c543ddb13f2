/* emit.h: from the intermediate form to an image. */
#ifndef CUPEL_COMPILER_EMIT_H
#define CUPEL_COMPILER_EMIT_H

#include "compiler/ir/ir.h"
#include "vm/program/image.h"
#include <cupel/text.h>

enum emit_kind { EMIT_VERDICT, EMIT_REPORT };

struct emit;

/* Makes the parts of an image of a module, in its arena; the module is not asked again.  A report
 * image keeps locations and admits every type everywhere, so that each failure is an instruction's.
 * CUPEL_E_IMAGE_SIZE beyond `limit` bytes, CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__emit_image(const struct ir_module *, enum emit_kind, size_t limit,
                                    struct emit **ret, struct cupel_error *err);
size_t cupel__emit_size(const struct emit *);
/* Writes the image: so many bytes, 8-aligned. */
void cupel__emit_write(const struct emit *, char *to);

/* -- Between the files of this folder -------------------------------------------------------------
 */

/* Where a word has to be completed when all sections have their place. */
enum emit_space { EMIT_CODE, EMIT_TABLES };
enum emit_fix {
    EMIT_FIX_SUB,   /* the word is a schema's number: becomes a reference to it */
    EMIT_FIX_TABLE, /* an offset in the tables section */
    EMIT_FIX_STRING /* an offset in the strings section */
};

struct emit_reloc {
    uint32_t at; /* index of the word */
    uint8_t space, fix;
};

/* Arrays, all of them in the module's arena. */
struct emit_words {
    uint32_t *p;
    size_t n, cap;
};

struct emit_bytes {
    char *p;
    size_t n, cap;
};

/* A string that is in the section; len 0: a free slot. */
struct emit_interned {
    uint32_t at, len, hash;
};

struct emit {
    const struct ir_module *ir;
    enum emit_kind kind;
    size_t limit;
    enum cupel_status status; /* sticky */
    struct cupel_error *err;

    struct cupel__image header; /* complete at the end, but for the checksum */
    struct emit_words code, tables;
    struct emit_reloc *relocs;
    size_t nrelocs, relocs_cap;
    struct cupel__node *values;
    size_t nvalues, values_cap;
    struct emit_bytes strings;
    struct emit_interned *interned; /* open addressing */
    size_t ninterned, interned_cap;
    struct cupel__image_mark *marks;
    size_t nmarks, marks_cap;
    struct cupel__image_loc *locs;
    struct cupel__image_pattern *patterns;
    struct emit_words formats;       /* names of the host's formats: offsets in strings … */
    struct cupel__str *format_names; /* … and the names; CUPEL__MAX_HOST_FORMATS, or NULL */
    uint32_t *subs;                  /* reference to each schema, when all are emitted */
    bool *wanted;                    /* schemas that are or were in the queue */
    uint32_t *queue;
    uint32_t nqueue;
};

static inline bool emit_ok(const struct emit *e)
{
    return e->status == CUPEL_OK;
}

void cupel__emit_no_memory(struct emit *);
/* Makes room for `need` elements in one of the arrays; false when that has failed. */
bool cupel__emit_grow(struct emit *, void *array, size_t *cap, size_t need, size_t size);

/* Room for n words behind the others, or NULL. */
static inline uint32_t *emit_room(struct emit *e, struct emit_words *words, size_t n)
{
    if (n > words->cap - words->n &&
        !cupel__emit_grow(e, &words->p, &words->cap, words->n + n, sizeof *words->p))
        return NULL;
    uint32_t *room = words->p + words->n;
    words->n += n;
    return room;
}

/* Appends a word; its index. */
static inline uint32_t emit_word(struct emit *e, struct emit_words *words, uint32_t word)
{
    uint32_t *room = emit_room(e, words, 1);
    if (room == NULL)
        return 0;
    *room = word;
    return (uint32_t)(words->n - 1);
}

static inline void emit_reloc(struct emit *e, enum emit_space space, uint32_t at, enum emit_fix fix)
{
    if (e->nrelocs == e->relocs_cap &&
        !cupel__emit_grow(e, &e->relocs, &e->relocs_cap, e->nrelocs + 1, sizeof *e->relocs))
        return;
    e->relocs[e->nrelocs++] = (struct emit_reloc){at, (uint8_t)space, (uint8_t)fix};
}

/* The offset of a string's bytes in the strings section; equal strings are one. */
uint32_t cupel__emit_string(struct emit *, struct cupel__str);
/* The offset in the strings section of a string constant: its length, then its bytes. */
uint32_t cupel__emit_str(struct emit *, struct cupel__str);
/* The index of the name in the list of the host's formats. */
uint32_t cupel__emit_format(struct emit *, struct cupel__str name);
/* The index of a constant. */
uint32_t cupel__emit_value(struct emit *, const struct ir_value *);
/* A word of tables that refers to a schema (IR_NONE: anything); the schema will be emitted. */
void cupel__emit_sub(struct emit *, enum emit_space, uint32_t at, uint32_t schema);

/* Emits the code of one schema; the reference to it (emit/schema.c). */
uint32_t cupel__emit_schema(struct emit *, const struct ir_schema *);

/* What a table holds (emit/name_tables.c). */
struct emit_table {
    const struct ir_name *names;
    uint32_t count;
    bool object;    /* entries refer to schemas */
    bool has_other; /* `other` evaluates */
    uint32_t other, name;
    const struct ir_match *matches;
    uint32_t nmatches;

    /* Of a discriminator (image.h): `schema` of a name is the offset of a table, of TAGS the number
     * of a set. */
    enum { EMIT_NO_DISCRIMINATOR, EMIT_DISCRIMINATOR, EMIT_TAGS } sifts;
    uint32_t masks; /* offset of the sets */
};

/* Emits the table; its offset in the tables section. */
uint32_t cupel__emit_table(struct emit *, const struct emit_table *);

/* Emits a discriminator for so many branches; its offset in the tables section
 * (emit/discriminators.c). */
uint32_t cupel__emit_discriminator(struct emit *, const struct ir_discriminator *,
                                   uint32_t branches);

#endif
