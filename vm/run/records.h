/* records.h: what a report run leaves in its scratch: events, the paths to them, notes.
 *
 * The report evaluator (vm/report) fills the arrays.  The scratch allocates them before a run and
 * frees them, as it does with all memory of a run.  An event or path for which there is no capacity
 * is counted and left out; a note for which there is none stops the run, which then starts again
 * with more capacity. */
#ifndef CUPEL_VM_RUN_RECORDS_H
#define CUPEL_VM_RUN_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A failure: the instruction, the value, and `which` (the index of the missing name, say).  The
 * event of a choice that failed stands before the events of its branches. */
struct cupel__event {
    uint32_t pc, node, which;
    uint32_t path;   /* last step of the path to here, an index of `paths`, 0: none */
    uint32_t group;  /* 1 + the event of the choice around it, 0: none */
    uint32_t branch; /* the branch of that choice */

    /* Filled in by best_branch.c and selection.c. */
    uint32_t chosen; /* choices that failed: the best-matching branch, or CUPEL_NO_RECORD */
    uint32_t tag;    /* choices: the member's value that decided for it, 0: none */
    uint8_t choice;  /* enum cupel_choice */
    bool reported;   /* is a problem: in no branch left out, not replaced, not repeated */
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

/* What the report evaluator keeps of a frame besides struct cupel__frame (vm.h); both have the same
 * index.  `notes` is in use in every frame. */
struct cupel__report_frame {
    uint8_t failed;  /* whether an instruction of the sequence above failed */
    uint8_t phase;   /* choices: enum cupel__phase (evaluator.h) */
    uint32_t notes;  /* notes before it; those of a sequence that fails are dropped */
    uint32_t call;   /* CALL, choices and MEMO: frame of the CALL around it, 0: none */
    uint32_t pc;     /* CALL: the instruction */
    uint32_t sub;    /* CALL: the schema that it applies */
    uint32_t step;   /* CALL: its step in the log's paths, 0: it has none yet */
    uint32_t events; /* choices: events before it */
    uint32_t paths;  /* choices: steps of paths before it */
    uint32_t passed; /* choices: the first two branches that passed, 16 bits each */
    uint32_t end;    /* choices: 1 + the only branch that runs; 0: all run */
};

struct cupel__log {
    struct cupel__event *events;
    uint32_t nevents, events_lost;
    uint32_t max_events;       /* of the run; at most event_capacity */
    struct cupel__path *paths; /* paths[0] is none */
    uint32_t npaths, max_paths, paths_lost;
    struct cupel__note *notes;
    size_t nnotes;
    size_t notes_need; /* notes that a run lacked; 0: none */
    struct cupel__report_frame *frames;
    uint32_t open_choice; /* where the run stopped: the innermost choice, an index of `frames` */
    size_t event_capacity, path_capacity, note_capacity, frame_capacity;
};

#endif
