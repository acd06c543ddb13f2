/* scratch.h: the memory that one thread needs to run programs, and how a run begins.
 *
 * struct cupel_scratch owns all of it.  Runs do not allocate: cupel__run() gives a run its memory
 * before it begins, and starts it again with more if it lacked some. */
#ifndef CUPEL_VM_RUN_SCRATCH_H
#define CUPEL_VM_RUN_SCRATCH_H

#include "base/json/cursor.h"
#include "base/json/document.h"
#include "base/options.h"
#include "vm/run/records.h"
#include "vm/run/vm.h"

struct cupel_scratch {
    struct cupel_options options;
    struct cupel_document document; /* cupel_validate reads into it */
    size_t prepared_frames;         /* a verdict that needs at most so many frames may run without
                                       cupel__run(); 0: none may */
    int64_t granted;                /* steps that the run had at first */
    uint32_t tokens;                /* of the document, while it has no tape; 0: it has one */
    uint32_t backoff;      /* number of next texts that are read with a tape at once, after attempts
                              without one failed */
    uint32_t next_backoff; /* that number after one more failed attempt */
    struct cupel__vm vm;
    size_t nframes, nunique, nbits; /* capacities of arrays of the vm */

    /* Of the last report run. */
    struct cupel__log log;
    const struct cupel__code *code;
    struct cupel__doc *doc;
    uint32_t node;
    uint32_t *order; /* the events that are problems, in document order */
    uint32_t norder;
    size_t order_cap;
    struct cupel_text text;       /* of the problem being reported */
    struct cupel__cursor *cursor; /* finds instance locations within the steps that it has left */
    int64_t cursor_steps;         /* steps that `cursor` began with */
    size_t cursor_bytes;
};

/* Whether a scratch can be used: it is not NULL, and is not in use by a run whose callback of the
 * host is running. */
static inline bool cupel__scratch_is_free(const struct cupel_scratch *s)
{
    return s != NULL && !s->vm.in_callback;
}

/* -- Memory (scratch.c) ------------------------------------------------------------------------ */

/* The frames that a run on a document of so many levels needs at most: for every level the
 * program's longest chain of frames, and one frame to return to. */
static inline uint64_t cupel__frames_needed(const struct cupel__code *code, uint32_t depth)
{
    return ((uint64_t)depth + 1) * code->chain + 2;
}

/* Allocates what every run needs before it begins; with `report` also the log. */
enum cupel_status cupel__scratch_reserve(struct cupel_scratch *, const struct cupel__code *,
                                         const struct cupel__doc *, bool report);

/* Whether the last run stopped because it lacked memory that it can get. */
bool cupel__scratch_lacks(const struct cupel_scratch *);
/* Allocates the memory that the last run lacked. */
enum cupel_status cupel__scratch_provide(struct cupel_scratch *, const struct cupel__doc *);

/* Whether all tables but that of UNIQUE have their full size. */
bool cupel__scratch_has_all(const struct cupel_scratch *, const struct cupel__code *);
/* Gives all tables but that of UNIQUE their full size.  A run that takes long is not started again
 * for each table that turns out to be too small: no budget counts the abandoned work. */
enum cupel_status cupel__scratch_provide_all(struct cupel_scratch *, const struct cupel__code *,
                                             const struct cupel__doc *);

/* Allocates more memory for events and paths that the log lost, up to `most` of each; `all`: as
 * much at once.  False: the log stays as it is. */
bool cupel__scratch_grow_log(struct cupel_scratch *, size_t most, bool all);

/* Give s->log.events, s->cursor and s->order so many elements or bytes. */
enum cupel_status cupel__scratch_events(struct cupel_scratch *, uint32_t n);
enum cupel_status cupel__scratch_cursor(struct cupel_scratch *, size_t size);
enum cupel_status cupel__scratch_order(struct cupel_scratch *, uint32_t n);

/* -- Runs (validate.c) ------------------------------------------------------------------------- */

/* A way to run a program. */
struct cupel__run_kind {
    enum cupel_verdict (*run)(struct cupel_scratch *, uint32_t node);
    uint32_t max_events;     /* that it records; 0: it keeps no log */
    bool records_when_valid; /* whether a VALID document has records too */
};

extern const struct cupel__run_kind cupel__verdict_run;

/* The steps of a run on a document. */
uint64_t cupel__budget_of(const uint64_t *limits, const struct cupel__doc *);

/* Runs one of the program's images on a node, with enough memory. */
enum cupel_verdict cupel__run(struct cupel_scratch *, const struct cupel__code *,
                              struct cupel__doc *, uint32_t node, const struct cupel__run_kind *,
                              struct cupel_outcome *ret);

/* Builds the tape of the last text that was validated, if it has none; the text is JSON, and there
 * is capacity. */
void cupel__scratch_complete(struct cupel_scratch *);

#endif
