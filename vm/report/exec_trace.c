/* exec_trace.c: the loop of VERBOSE output, for which all that is run is recorded, passed or
 * failed.
 *
 * Nothing ends early: all branches of a choice run, and each to its end, so this takes as long as
 * there is something to tell.  What has passed is an event at its instruction; what has failed
 * besides has one or more as in a report.  Results are not kept, for they tell of nothing.  Not in
 * libcupel-vm. */
#include "vm/report/log.h"
#include <cupel/report.h>

/* Instructions that no keyword stands for. */
static const uint64_t unnamed = CUPEL__OP_BIT(ONLY) | CUPEL__OP_BIT(SWITCH) | CUPEL__OP_BIT(JUMP) |
                                CUPEL__OP_BIT(MEMO) | CUPEL__OP_BIT(SCOPE);

/* The instruction is over, well or not. */
static void visit(struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v)
{
    bool note = CUPEL__WORD_OP(*pc) == CUPEL__OP_NOTE;
    if (unnamed >> CUPEL__WORD_OP(*pc) & 1)
        return;
    if (note && (!(CUPEL__WORD_B(*pc) >> v->type & 1) || (v->flags & CUPEL__KEY)))
        return;
    vm->budget.remaining -= 4;
    if (vm->log->nevents == vm->log->max_events) {
        vm->log->events_lost++;
        return;
    }
    vm->log->events[vm->log->nevents++] = (struct cupel__event){.pc = (uint32_t)(pc - vm->code),
                                                                .node = (uint32_t)(v - vm->nodes),
                                                                .which = note ? pc[1] : 0,
                                                                .path = cupel__way_here(vm),
                                                                .chosen = CUPEL_NO_RECORD,
                                                                .passed = true};
}

#define EXEC   cupel__exec_trace
#define REPORT 1
#define TRACE  1
#if defined(CUPEL__NO_THREADING)
#    define THREADED 0
#else
#    define THREADED 1
#endif
#include "vm/run/exec_loop.h"
