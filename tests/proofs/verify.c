/* verify.c: the verifier on an image of any bytes.
 *
 * Where the sections are and how large is set (set_layout; layout.c is about any others); the rest
 * of the header and what is in the sections are any bytes.  One translation unit with what it
 * calls: of several, the analyser runs out of stack.  An error's text is left out; memory is a
 * block that is there, or is not.
 *
 * eva: -eva-precision 0 -eva-domains equality
 * eva: -inline-calls string_ok,str_ok,cupel__at,cupel__image_list,mask_ok,list_at,seen_before
 * eva: -inline-calls list_size,table_size,cupel__table_entries,cupel__table_disp
 * eva: -inline-calls cupel__table_ndisp,cupel__table_nslots,cupel__operand_of,section_ok
 * eva: -inline-calls text_ok,cupel__masks_spans,table_fits,masks_ok,table_begins,keys_ok
 * eva: -inline-calls value_ok,label_of,edge_of */
#include "proof.h"

#include "base/decimal.c"
#include "base/utf8.c"

#include "vm/program/isa.c"
#include "vm/program/verify.c"
#include "vm/program/verify_flow.c"
#include "vm/program/verify_termination.c"
#include "vm/program/verify_values.c"

#ifndef SIZE
#    define SIZE 512
#endif

static union {
    char bytes[SIZE];
    uint64_t aligned;
} image;

enum { BLOCK = 8192 };

static union {
    char bytes[BLOCK];
    uint64_t aligned;
} blocks[2];

/* The verifier takes one block at a time beside that of check(). */
static void *take(void *ctx, void *p, size_t old, size_t size)
{
    (void)ctx, (void)p, (void)old;
    if (size == 0 || any_size(0, 1) == 0)
        return NULL;
    //@ assert block: size <= BLOCK;
    return any_size(0, 1) ? blocks[0].bytes : blocks[1].bytes;
}

enum cupel_status cupel__error_set(struct cupel_error *err, enum cupel_status status,
                                   const char *format, ...)
{
    (void)err, (void)format;
    return status;
}

uint64_t cupel__image_checksum(const void *bytes, size_t size)
{
    (void)bytes, (void)size;
    return any_size(0, SIZE_MAX);
}

/* Sections of such sizes, one behind the other; what they hold is any bytes. */
enum { CODE = 12, TABLE_WORDS = 48, CONSTANTS = 4, PATTERNS = 2, LOCATIONS = 2, MARKS = 2 };

static uint32_t place(struct cupel__section *s, uint32_t at, uint32_t count, uint32_t size)
{
    s->at = at;
    s->count = count;
    return at + count * size;
}

static void set_layout(struct cupel__image *im)
{
    uint32_t at = place(&im->code, sizeof *im, CODE, 4);
    at = place(&im->tables, at, TABLE_WORDS, 4);
    at = place(&im->values, at, CONSTANTS, sizeof(struct cupel__node));
    at = place(&im->patterns, at, PATTERNS, sizeof(struct cupel__image_pattern));
    at = place(&im->locs, at, LOCATIONS, sizeof(struct cupel__image_loc));
    at = place(&im->marks, at, MARKS, sizeof(struct cupel__image_mark));
    place(&im->strings, at, SIZE - 16 - at, 1);
    im->size = SIZE;
}

int main(void)
{
    struct cupel__verified facts;
    struct cupel_error error;
    const struct cupel_alloc alloc = {.realloc = take};
    any_bytes(image.bytes, SIZE);
    any_bytes(blocks[0].bytes, BLOCK);
    any_bytes(blocks[1].bytes, BLOCK);
    set_layout((struct cupel__image *)(void *)image.bytes);
    return (int)cupel__verify_image(image.bytes, any_size(0, SIZE), &alloc, &facts, &error);
}
