/* layout.c: what the verifier does first, check_layout(), on any bytes of any length as an image.
 *
 * eva: -eva-precision 3 -eva-domains equality,symbolic-locations -eva-split-return full
 * eva: -inline-calls section_ok,cupel__at */
#include "proof.h"

#include "vm/program/isa.c"
#include "vm/program/verify.c"

enum { SIZE = 512 };

static union {
    char bytes[SIZE];
    uint64_t aligned;
} image;

enum cupel_status cupel__error_set(struct cupel_error *err, enum cupel_status status,
                                   const char *format, ...)
{
    (void)err, (void)format;
    return status;
}

uint64_t cupel__image_checksum(const void *bytes, size_t size)
{
    (void)bytes;
    //@ assert checksum: size <= SIZE;
    return any_size(0, SIZE_MAX);
}

int main(void)
{
    struct cupel_error error;
    struct verifier v = {.image = (const struct cupel__image *)(const void *)image.bytes,
                         .err = &error};
    any_bytes(image.bytes, SIZE);
    return (int)check_layout(&v, any_size(0, SIZE));
}
