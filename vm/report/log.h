/* log.h: how the report evaluator records events, the paths to them, and notes (records.h). */
#ifndef CUPEL_VM_REPORT_LOG_H
#define CUPEL_VM_REPORT_LOG_H

#include "vm/report/evaluator.h"

/* Empties the log before a run. */
void cupel__log_begin(struct cupel__log *);

/* The instruction at pc failed for v: records it, if failures of v are recorded. */
void cupel__record_failure(struct cupel__evaluator *, uint32_t which);

/* VERBOSE: records that the instruction at pc is over. */
void cupel__record_instruction(struct cupel__evaluator *);

/* Gives the innermost CALL its step of the path, and returns the step. */
uint32_t cupel__record_path(struct cupel__evaluator *);

/* Whether a CALL frame has its step already, and it has not been discarded since. */
static inline bool cupel__has_step(const struct cupel__evaluator *e, uint32_t frame)
{
    const uint32_t step = e->log->frames[frame].step;
    return step != 0 && step < e->log->npaths;
}

/* The last step of the path to here. */
static inline uint32_t cupel__path_here(struct cupel__evaluator *e)
{
    if (e->call == 0)
        return 0;
    return cupel__has_step(e, e->call) ? e->log->frames[e->call].step : cupel__record_path(e);
}

/* Records the NOTE at `pc` and those behind it.  False: no capacity, vm->reason is set. */
static inline bool cupel__record_note(struct cupel__evaluator *e, const uint32_t *pc,
                                      const struct cupel__node *v)
{
    struct cupel__log *log = e->log;
    if (v->flags & CUPEL__KEY)
        return true;
    if (log->nnotes == log->note_capacity) {
        log->notes_need = log->nnotes + 1;
        e->vm->reason = CUPEL_E_LIMIT_MEMORY;
        return false;
    }
    log->notes[log->nnotes++] = (struct cupel__note){(uint32_t)(pc - e->vm->code),
                                                     cupel__index_of(e, v), cupel__path_here(e)};
    return true;
}

/* The choice in the top frame begins. */
void cupel__record_choice(struct cupel__evaluator *);
/* Its branches have all failed.  True if some of them are to run once more, so that their failures
 * are recorded; the frame says which. */
bool cupel__record_again(struct cupel__evaluator *);
/* The choice in the top frame ends. */
void cupel__record_end(struct cupel__evaluator *);
/* Records that the choice at pc failed, once its frame is gone.  The event `slot` was left for it;
 * the events up to `end` are those of its branches. */
void cupel__record_choice_failure(struct cupel__evaluator *, uint32_t which, uint32_t slot,
                                  uint32_t end);

/* The run has stopped: keeps the events that are certain.  True if there are any. */
bool cupel__log_cut(struct cupel__log *, const struct cupel__frame *frames);

#endif
