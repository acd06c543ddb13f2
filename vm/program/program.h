/* program.h: the verified program: what the VM runs. */
#ifndef CUPEL_VM_PROGRAM_H
#define CUPEL_VM_PROGRAM_H

#include "base/regex/regex.h"
#include "vm/program/image.h"
#include <cupel/options.h>
#include <cupel/program.h>

/* What the verifier learnt about an image. */
struct cupel__verified {
    uint32_t instructions;
    uint32_t max_inplace; /* longest chain of frames that one value needs */
    uint32_t dynamics;    /* DYNAMIC instructions: each may add such a chain */
    uint32_t memos;       /* MEMO instructions */
    bool stateful;        /* has UNEVALUATED or SCOPE */
};

/* One image, ready to run. */
struct cupel__code {
    /* What every run looks at, on as few lines of the cache as may be. */
    const struct cupel__image *image;
    const uint32_t *words;
    uint64_t chain;  /* frames that one level of an instance needs at most */
    uint32_t root;   /* as the image has it */
    bool needs_more; /* of the scratch than frames: it has patterns, or MEMO */
    bool direct;     /* short texts may be judged by their tokens (exec_direct.h) */
    struct cupel__verified facts;
    uint32_t nmatchers;

    struct cupel__matcher **matchers;
    struct cupel__doc values;     /* the constants, as a document that nobody writes to */
    struct cupel_format *formats; /* the host's, in the order of the image's list; no names */
    uint32_t nformats;
};

struct cupel_program {
    struct cupel__code verdict; /* first: see there */
    struct cupel__code report;  /* image NULL: none */
    struct cupel_alloc alloc;
    void *owned; /* the images, if they were copied */
    size_t len;  /* of all images */
    const void *bytes;
};

/* Checks everything the VM relies on (verify.c has the list).  `len` bytes at an 8-aligned address;
 * the image may be shorter: its size is image->size.  CUPEL_E_BAD_IMAGE, CUPEL_E_IMAGE_VERSION,
 * CUPEL_E_NO_MEMORY.  Uses no memory of the image's after it returned. */
enum cupel_status cupel__verify_image(const void *image, size_t len, const struct cupel_alloc *,
                                      struct cupel__verified *ret, struct cupel_error *err);

void cupel__disasm(const struct cupel__image *, struct cupel_text *);
/* A constant as JSON text. */
void cupel__value_text(const struct cupel__image *, uint32_t value, struct cupel_text *);
/* No more bytes than that has. */
size_t cupel__value_size(const struct cupel__image *, uint32_t value);
/* "string|null", if `bar` is "|"; a number constant, exactly. */
void cupel__types_text(uint32_t types, const char *bar, struct cupel_text *);
void cupel__number_text(const struct cupel__image *, const struct cupel__node *,
                        struct cupel_text *);

#endif
