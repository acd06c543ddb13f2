/* emit.h: from the intermediate form to an image.
 *
 * compile.c calls the first three functions.  The rest is shared by the files of this folder; calls
 * go downwards only:
 *
 *     image.c           the whole image: all schemas, layout, references
 *     schema.c          one schema: the order of its operations, dispatch on the type
 *     instructions.c    one operation
 *     discriminators.c  the discriminator of a choice
 *     name_tables.c     tables of names without collisions
 *     sections.c        code, tables, strings and constants as they grow */
#ifndef CUPEL_COMPILER_EMIT_H
#define CUPEL_COMPILER_EMIT_H

#include "compiler/ir/ir.h"
#include "vm/program/image.h"
#include <cupel/common.h>

enum emit_kind { EMIT_VERDICT, EMIT_REPORT };

struct emit;

/* Makes the sections of an image of a module, in the module's arena; they do not refer to the
 * module.  A report image keeps locations and admits every type everywhere, so that a value of a
 * wrong type fails at an instruction too.  CUPEL_E_IMAGE_SIZE beyond `limit` bytes,
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__emit_image(const struct ir_module *, enum emit_kind, size_t limit,
                                    struct emit **ret, struct cupel_error *err);
/* The size of the image in bytes. */
size_t cupel__emit_size(const struct emit *);
/* Writes the image to memory of that size, aligned to 8 bytes. */
void cupel__emit_write(const struct emit *, char *to);

/* -- The image as it grows ----------------------------------------------------------------------
 */

/* A word that refers to something whose place is known only when all sections are complete. */
enum emit_space { EMIT_CODE, EMIT_TABLES };
enum emit_fix {
    EMIT_FIX_SUB,   /* a schema's number; becomes the reference to its code */
    EMIT_FIX_TABLE, /* an offset in the tables section */
    EMIT_FIX_STRING /* an offset in the strings section */
};

struct emit_reloc {
    uint32_t at; /* index of the word */
    uint8_t space, fix;
};

/* Growing arrays, in the module's arena. */
struct emit_words {
    uint32_t *p;
    size_t n, cap;
};

struct emit_bytes {
    char *p;
    size_t n, cap;
};

/* A string in the strings section; len 0: a free slot. */
struct emit_interned {
    uint32_t at, len, hash;
};

/* An image that is being made.  After the first failure `status` keeps it, and every function
 * returns without effect. */
struct emit {
    const struct ir_module *ir;
    enum emit_kind kind;
    size_t limit;
    enum cupel_status status;
    struct cupel_error *err;

    struct cupel__image header; /* complete at the end, except the checksum */
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
    struct emit_words
        formats; /* offsets of the names of the host's formats in the strings section */
    struct cupel__str *format_names; /* those names: CUPEL__MAX_HOST_FORMATS, or NULL */
    uint32_t *subs;                  /* reference to each schema, once all are emitted */
    bool *queued;                    /* schemas that are or were in the queue */
    uint32_t *queue;
    uint32_t nqueue;
};

/* -- Sections (sections.c) ----------------------------------------------------------------------
 */

static inline bool emit_ok(const struct emit *e)
{
    return e->status == CUPEL_OK;
}

void cupel__emit_fail(struct emit *, enum cupel_status, const char *why);
void cupel__emit_no_memory(struct emit *);
/* Reserves `need` elements in one of the arrays; false after a failure. */
bool cupel__emit_grow(struct emit *, void *array, size_t *cap, size_t need, size_t size);

static inline struct emit_words *emit_space_words(struct emit *e, enum emit_space space)
{
    return space == EMIT_CODE ? &e->code : &e->tables;
}

/* Appends n words for the caller to fill; NULL after a failure. */
static inline uint32_t *emit_reserve_words(struct emit *e, struct emit_words *words, size_t n)
{
    if (n > words->cap - words->n &&
        !cupel__emit_grow(e, &words->p, &words->cap, words->n + n, sizeof *words->p))
        return NULL;
    uint32_t *first = words->p + words->n;
    words->n += n;
    return first;
}

/* Appends a word and returns its index. */
static inline uint32_t emit_word(struct emit *e, struct emit_words *words, uint32_t word)
{
    uint32_t *p = emit_reserve_words(e, words, 1);
    if (p == NULL)
        return 0;
    *p = word;
    return (uint32_t)(words->n - 1);
}

/* Records that the word at an index is to be relocated. */
static inline void emit_reloc(struct emit *e, enum emit_space space, uint32_t at, enum emit_fix fix)
{
    if (e->nrelocs == e->relocs_cap &&
        !cupel__emit_grow(e, &e->relocs, &e->relocs_cap, e->nrelocs + 1, sizeof *e->relocs))
        return;
    e->relocs[e->nrelocs++] = (struct emit_reloc){at, (uint8_t)space, (uint8_t)fix};
}

/* The offset of a string's bytes in the strings section; equal strings share them. */
uint32_t cupel__emit_string(struct emit *, struct cupel__str);
/* The offset in the strings section of a string constant: its length, then its bytes. */
uint32_t cupel__emit_str(struct emit *, struct cupel__str);
/* The index of a name in the list of the host's formats. */
uint32_t cupel__emit_format(struct emit *, struct cupel__str name);
/* The index of a constant. */
uint32_t cupel__emit_value(struct emit *, const struct ir_value *);
/* Queues a schema to be emitted, unless it was queued before. */
void cupel__emit_enqueue(struct emit *, uint32_t schema);
/* Makes a word refer to a schema (IR_NONE: one that every value passes), and queues the schema. */
void cupel__emit_sub(struct emit *, enum emit_space, uint32_t at, uint32_t schema);

/* -- Tables (name_tables.c, discriminators.c) ---------------------------------------------------
 */

/* What a table of names holds. */
struct emit_table {
    const struct ir_name *names;
    uint32_t count;
    bool object;    /* entries refer to schemas */
    bool has_other; /* members that `other` takes become evaluated */
    /* Of an object: the schemas of members without an entry and of names.  TAGS: the number of the
     * set for values that are no tag, and the number of the key. */
    uint32_t other, name;
    const struct ir_match *matches;
    uint32_t nmatches;

    /* Tables of a discriminator (image.h).  In the table of keys the `schema` of a name is the
     * offset of the key's table of tags; in a table of tags it is the number of a set. */
    enum { EMIT_NAMES, EMIT_KEYS, EMIT_TAGS } use;
    uint32_t masks; /* KEYS and TAGS: offset of the sets */
};

/* Emits a table; its offset in the tables section. */
uint32_t cupel__emit_table(struct emit *, const struct emit_table *);
/* Emits the discriminator of a choice with `branches` branches; its offset in the tables section.
 */
uint32_t cupel__emit_discriminator(struct emit *, const struct ir_discriminator *,
                                   uint32_t branches);

/* -- Operations (instructions.c) ----------------------------------------------------------------
 */

/* The sequence of instructions that is being written. */
struct sequence {
    struct emit *e;
    const struct ir_schema *schema;
    uint32_t types; /* that can arrive */
    uint32_t last;  /* word index of the last instruction that may carry LAST; 0: none */
};

/* The order of operations in a verdict program (ir.def). */
enum emit_cost { EMIT_CHEAP, EMIT_SCAN, EMIT_LOOP, EMIT_APPLY, EMIT_COSTS };

enum emit_cost cupel__emit_cost(const struct ir_op *);
/* Writes one operation. */
void cupel__emit_op(struct sequence *, const struct ir_op *);
/* Writes the first word of an instruction, with its location in a report image; the word's index.
 * `op` NULL: the location is the schema's. */
uint32_t cupel__emit_put(struct sequence *, const struct ir_op *op, enum cupel__op code, uint32_t a,
                         uint32_t b);
/* Writes an operand word; its index. */
uint32_t cupel__emit_operand(struct sequence *, uint32_t word);
/* Writes an operand that refers to a table; `offset` in bytes, in the tables section. */
void cupel__emit_operand_table(struct sequence *, uint32_t offset);
/* Whether a choice is written as one EITHER: its branches are checks of the value alone. */
bool cupel__emit_is_plain_choice(const struct sequence *, const struct ir_op *);
/* The types that an operation tests; values of every other type pass it. */
uint32_t cupel__emit_tested_types(const struct ir_op *);
/* Classifies an operation that tests `types` in a sequence for the types `all`.  If it tests all of
 * them, *common becomes true; otherwise its types are added to *classes. */
void cupel__emit_add_types(uint32_t all, uint32_t types, uint32_t *classes, bool *common);
/* Whether the types, of which there are some, belong to one class. */
bool cupel__emit_is_one_class(uint32_t types);

/* -- Schemas (schema.c) -------------------------------------------------------------------------
 */

/* Emits the code of a schema; the reference to it. */
uint32_t cupel__emit_schema(struct emit *, const struct ir_schema *);

#endif
