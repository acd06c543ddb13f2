/* log.h: what a report run records: events, the paths to them, notes.
 *
 * The arrays belong to the scratch and are full-grown before a run.  An event or path for which
 * there is no capacity is counted and left out; a note stops the run, which then starts again with
 * more capacity. */
#ifndef CUPEL_VM_REPORT_LOG_H
#define CUPEL_VM_REPORT_LOG_H

#include "vm/run/vm.h"

/* A failure: the instruction, the value, and `which` (the index of the missing name, say).  The
 * event of a choice that failed stands before the events of its branches. */
struct cupel__event {
    uint32_t pc, node, which;
    uint32_t path;   /* last step of the path to here, an index of `paths`, 0: none */
    uint32_t group;  /* 1 + the event of the choice around it, 0: none … */
    uint32_t branch; /* … and in which of its branches */

    /* Filled in by best_branch.c and selection.c. */
    uint32_t chosen; /* choices that failed: the best-matching branch, or CUPEL_NO_RECORD */
    uint32_t tag;    /* choices: the member's value that decided for it, 0: none */
    uint8_t choice;  /* enum cupel_choice */
    bool reported;   /* is a problem: outside branches that do not match best, and no repetition */
    bool replaced;   /* choices: the failures of the chosen branch are reported instead */
    bool passed;     /* of VERBOSE runs: an instruction that passed */
};

/* `which` of an event at instruction 0: something failed that no event describes. */
enum { CUPEL__UNREPORTED = 1 };

/* A step of the path to an event: an instruction that applied another schema to its value. */
struct cupel__path {
    uint32_t pc, sub; /* sub: the schema */
    uint32_t up;      /* the step before, 0: none */
};

/* The first of consecutive NOTE instructions that ran on a value. */
struct cupel__note {
    uint32_t pc, node, path;
};

struct cupel__log {
    struct cupel__event *events;
    uint32_t nevents, max_events, events_lost;
    struct cupel__path *paths; /* paths[0] is none */
    uint32_t npaths, max_paths, paths_lost;
    struct cupel__note *notes;
    size_t nnotes, max_notes;
    size_t notes_need; /* notes that a run lacked; 0: none */

    /* State of a run. */
    uint32_t ref;    /* frame of the innermost CALL, 0: none */
    uint32_t retold; /* kept failures that were found again, to be recorded */
    uint32_t muted;  /* choices whose failures are suppressed */
    uint32_t only;   /* 1 + the only node whose failures are recorded, 0: of all */
    bool want_notes;
    bool tracing; /* VERBOSE: every instruction is recorded */
    bool brief;   /* only the best-matching branches of choices are recorded */
};

/* What a report does with the failures in a choice. */
enum cupel__phase {
    CUPEL__PHASE_TELL, /* they are recorded */
    CUPEL__PHASE_TRY,  /* they are suppressed: a branch may pass */
    CUPEL__PHASE_LOOK /* those of the value itself are recorded, to find the best-matching branch */
};

/* Whether failures of v are recorded. */
#define CUPEL__TELLS(vm, v)   \
    ((vm)->log->muted == 0 && \
     ((vm)->log->only == 0 || (vm)->log->only == 1 + (uint32_t)((v) - (vm)->nodes)))

void cupel__record_failure(struct cupel__vm *, const uint32_t *pc, const struct cupel__node *v,
                           uint32_t which);
/* Gives the innermost CALL its step, and returns it. */
uint32_t cupel__record_way(struct cupel__vm *);

/* Whether a CALL frame has its step already, and it has not been discarded since. */
static inline bool cupel__has_step(const struct cupel__vm *vm, uint32_t frame)
{
    uint32_t step = vm->stack.frames[frame].step;
    return step != 0 && step < vm->log->npaths;
}

/* The last step of the path to here. */
static inline uint32_t cupel__way_here(struct cupel__vm *vm)
{
    if (vm->log->ref == 0)
        return 0;
    return cupel__has_step(vm, vm->log->ref) ? vm->stack.frames[vm->log->ref].step
                                             : cupel__record_way(vm);
}

/* Records the NOTE at pc and those behind it: 1, or -1 with vm->reason. */
static inline int cupel__record_note(struct cupel__vm *vm, const uint32_t *pc,
                                     const struct cupel__node *v)
{
    if (v->flags & CUPEL__KEY)
        return 1;
    if (vm->log->nnotes == vm->log->max_notes) {
        vm->log->notes_need = vm->log->nnotes + 1;
        vm->reason = CUPEL_E_LIMIT_MEMORY;
        return -1;
    }
    vm->log->notes[vm->log->nnotes++] = (struct cupel__note){
        (uint32_t)(pc - vm->code), (uint32_t)(v - vm->nodes), cupel__way_here(vm)};
    return 1;
}
/* A choice begins, in the frame f. */
void cupel__record_choice(struct cupel__vm *, struct cupel__frame *f);
/* No branch has passed: true if they are to be run once more, or the best-matching one, so that
 * their failures are recorded.  The frame then says so. */
bool cupel__record_again(struct cupel__vm *, struct cupel__frame *f);
/* The run has been stopped: keeps the events that are certain.  True if there are any. */
bool cupel__record_cut(struct cupel__vm *);
void cupel__record_end(struct cupel__vm *, const struct cupel__frame *f);
void cupel__record_choice_failure(struct cupel__vm *, const uint32_t *pc,
                                  const struct cupel__node *v, uint32_t which, uint32_t slot,
                                  uint32_t end);

/* Runs the report program from its root on a node (evaluate.c).  vm->budget is the budget.  VALID,
 * INVALID, or UNDECIDED with vm->reason. */
enum cupel_verdict cupel__evaluate(struct cupel__vm *, uint32_t node);

#endif
