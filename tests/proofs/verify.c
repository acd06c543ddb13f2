/* verify.c: the verifier on any bytes as an image of up to SIZE bytes.
 *
 * One translation unit with what it calls: of several, the analyser runs out of stack.  An error's
 * text is left out; memory is a block that is there, or is not. */
#include "proof.h"

#include "../../base/number.c"
#include "../../base/utf8.c"

#include "../../vm/isa.c"
#include "../../vm/verify.c"
#include "../../vm/verify_ends.c"
#include "../../vm/verify_flow.c"
#include "../../vm/verify_values.c"

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

int main(void)
{
    struct cupel__verified facts;
    struct cupel_error error;
    const struct cupel_alloc alloc = {.realloc = take};
    any_bytes(image.bytes, SIZE);
    any_bytes(blocks[0].bytes, BLOCK);
    any_bytes(blocks[1].bytes, BLOCK);
    return (int)cupel__verify_image(image.bytes, any_size(0, SIZE), &alloc, &facts, &error);
}
