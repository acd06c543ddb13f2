/* scratch.h: what one thread needs to run programs. */
#ifndef CUPEL_VM_SCRATCH_H
#define CUPEL_VM_SCRATCH_H

#include "base/json/cursor.h"
#include "base/json/document.h"
#include "base/options.h"
#include "vm/report/log.h"

struct cupel_scratch {
    struct cupel_options options;
    struct cupel_document document; /* what cupel_validate reads into */
    size_t ready_frames; /* nframes, or 0 if no run may begin without looking any further */
    int64_t leg;         /* steps that the run in hand was given at first */
    uint32_t tokens;     /* of the document, which is not on its tape yet; 0: it is */
    uint32_t
        pause; /* texts that are not to be judged directly, since the last tries were in vain, … */
    uint32_t next_pause; /* … and how many there will be after another one */
    struct cupel__vm vm;
    struct cupel__log log; /* of the last report run */
    size_t nframes, nevents, npaths, nunique, nbits, nnotes;
    struct cupel_text text; /* of the problem being reported */
    struct cupel__cursor
        *cursor; /* positions of the last report, and what may still be spent on them … */
    int64_t cursor_steps; /* … of so many steps */
    size_t cursor_bytes;

    /* Of the last report run. */
    const struct cupel__code *code;
    struct cupel__doc *doc;
    uint32_t node;
    uint32_t *order; /* the events that are told, in the order of the document */
    uint32_t norder;
    size_t order_cap;
};

enum cupel__how {
    CUPEL__RUN_VERDICT,
    CUPEL__RUN_PROBLEMS,
    CUPEL__RUN_REPORT,
    CUPEL__RUN_NOTES,
    CUPEL__RUN_TRACE /* VERBOSE output */
};

/* Whether a scratch can be used: there is one, and no callback of a host runs that it called. */
static inline bool cupel__scratch_is_free(const struct cupel_scratch *s)
{
    return s != NULL && !s->vm.in_callback;
}

/* The steps of a run on a document. */
uint64_t cupel__budget_of(const uint64_t *limits, const struct cupel__doc *);

/* Puts the last text that was validated on its tape, if it has none; it is JSON, and there is room.
 */
void cupel__scratch_complete(struct cupel_scratch *);

/* Makes room for `n` elements of s->log.events. */
enum cupel_status cupel__scratch_events(struct cupel_scratch *, uint32_t n);

/* Makes room for so many bytes of s->cursor. */
enum cupel_status cupel__scratch_cursor(struct cupel_scratch *, size_t size);

/* Makes room for `n` elements of s->order. */
enum cupel_status cupel__scratch_order(struct cupel_scratch *, uint32_t n);

/* Runs the report program and records all instructions.  True if it has come to its end, and all
 * that was run is recorded. */
bool cupel__report_trace(const struct cupel_program *, struct cupel_scratch *,
                         struct cupel_document *, uint32_t node, struct cupel_outcome *ret);

/* Runs one of the program's images on a node, with frames and tables made large enough first. */
enum cupel_verdict cupel__run(struct cupel_scratch *, const struct cupel__code *,
                              struct cupel__doc *, uint32_t node, enum cupel__how,
                              struct cupel_outcome *ret);

#endif
