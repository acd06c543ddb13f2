/* program.h: the verified program that the VM runs.
 *
 * cupel__verify_image is the only constructor of `struct cupel__verified`, and every program is
 * made by cupel_program_load or cupel__program_adopt, which call it.  A program is immutable after
 * that and may be shared between threads. */
#ifndef CUPEL_VM_PROGRAM_H
#define CUPEL_VM_PROGRAM_H

#include "base/regex/regex.h"
#include "vm/program/image.h"
#include <cupel/common.h>
#include <cupel/program.h>

/* Facts about an image that the verifier computes. */
struct cupel__verified {
    uint32_t instructions;
    uint32_t max_inplace; /* the most frames that in-place schemas need for one value */
    uint32_t dynamics;    /* number of DYNAMIC instructions: each may add such a chain */
    uint32_t memos;       /* number of MEMO instructions */
    bool stateful;        /* has UNEVALUATED or SCOPE */
};

/* One image, ready to run. */
struct cupel__code {
    /* The fields that every run reads come first, in one cache line. */
    const struct cupel__image *image;
    const uint32_t *words;
    uint64_t chain;  /* the most frames that one level of an instance needs */
    uint32_t root;   /* the reference in the image's header */
    bool needs_more; /* a run needs more of the scratch than frames: patterns, or MEMO */
    bool direct;     /* short texts may be validated without a tape (vm/run/short_text.c) */
    struct cupel__verified facts;
    uint32_t nmatchers;

    struct cupel__matcher **matchers;
    struct cupel__doc values; /* the constants, as a read-only document */
    struct cupel_format
        *formats; /* host formats, in the order of the image's list; without names */
    uint32_t nformats;
};

struct cupel_program {
    struct cupel__code verdict; /* first, for the cache line of cupel__code */
    struct cupel__code report;  /* image NULL: the program has no report program */
    struct cupel_alloc alloc;
    void *owned;       /* the images if the program owns them, else NULL */
    size_t len;        /* bytes of all images */
    const void *bytes; /* the images: the verdict program, and the report program behind it */
};

/* Proves all invariants of invariants.def for the image, which begins at an 8-aligned address and
 * has image->size <= `len` bytes.  CUPEL_OK with *ret; CUPEL_E_BAD_IMAGE, CUPEL_E_IMAGE_VERSION or
 * CUPEL_E_NO_MEMORY with *err.  Keeps no pointer into the image. */
enum cupel_status cupel__verify_image(const void *image, size_t len, const struct cupel_alloc *,
                                      struct cupel__verified *ret, struct cupel_error *err);

void cupel__disasm(const struct cupel__image *, struct cupel_text *);
/* Appends constant `value` as JSON text. */
void cupel__value_text(const struct cupel__image *, uint32_t value, struct cupel_text *);
/* A lower bound of the bytes that cupel__value_text appends, computed without writing them. */
size_t cupel__value_size(const struct cupel__image *, uint32_t value);
/* The nodes of a constant: writing it costs a step for each, beside its bytes. */
uint32_t cupel__value_nodes(const struct cupel__image *, uint32_t value);
/* Appends a set of types, as in "string|null" if `bar` is "|". */
void cupel__types_text(uint32_t types, const char *bar, struct cupel_text *);
/* Appends a number constant without loss. */
void cupel__number_text(const struct cupel__image *, const struct cupel__node *,
                        struct cupel_text *);

#endif
