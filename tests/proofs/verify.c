/* verify.c: the verifier on any image of up to SIZE bytes. */
#include "program.h"
#include "proof.h"

enum { SIZE = 512 };

static union {
    char bytes[SIZE];
    uint64_t aligned;
} image;

int main(void)
{
    struct cupel__verified facts;
    struct cupel_error error;
    struct cupel_alloc alloc = {0};
    any_bytes(image.bytes, SIZE);
    return (int)cupel__verify_image(image.bytes, any_size(0, SIZE), &alloc, &facts, &error);
}
