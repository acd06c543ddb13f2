/* scratch.h: what one thread needs to run programs. */
#ifndef CUPEL_VM_SCRATCH_H
#define CUPEL_VM_SCRATCH_H

#include "document.h"
#include "exec.h"

struct cupel_scratch {
    struct cupel_options options;
    struct cupel_document document; /* what cupel_validate reads into */
    struct cupel__vm vm;
    size_t nframes, nevents, nunique, nbits, nnotes;
    struct cupel_text text; /* of the problem being reported */
};

enum cupel__how { CUPEL__RUN_VERDICT, CUPEL__RUN_REPORT, CUPEL__RUN_NOTES };

/* Runs one of the program's images on a node, with frames and tables made large enough first. */
enum cupel_verdict cupel__run(struct cupel_scratch *, const struct cupel__code *, struct cupel__doc *,
                              uint32_t node, enum cupel__how, struct cupel_outcome *ret);

#endif
