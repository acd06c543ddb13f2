/* log.c: what the report loop keeps of failures: events, and the way to each of them.
 *
 * What fails under a NOT, an IF or a CONTAINS is no failure of the value: nothing of it is
 * recorded, and the first failure ends the attempt (vm->log->muted).  The branches of an ANY_OF or
 * ONE_OF are tried in the same way.  Only where that leaves none, and the choice itself is not
 * muted, they are run once more, and their failures stay, behind the event of the choice.  If only
 * what is to be told is wanted (vm->log->brief), it is first found out which branch is meant, by
 * its tag, or by what fails at the value itself (vm->log->only), and that one alone is run.  Where
 * choices about one value are deep in each other that is left out: each of them would be run again
 * for every one around it, twice over. Steps of the way are made when something first fails beyond
 * them. */
#include "vm/report/best_branch.h"
#include "vm/report/branches.h"

/* Those around it that have none get theirs first, which is below. */
uint32_t cupel__record_way(struct cupel__vm *vm)
{
    uint32_t n = 0, frame = vm->log->ref;
    for (; frame != 0 && !cupel__has_step(vm, frame); frame = vm->stack.frames[frame].ref)
        n++;
    uint32_t above = frame != 0 ? vm->stack.frames[frame].step : 0;
    vm->budget.remaining -= n;
    if (n > vm->log->max_paths - vm->log->npaths) {
        vm->log->paths_lost += n;
        return above;
    }
    uint32_t step = vm->log->npaths + n - 1;
    vm->log->npaths += n;
    frame = vm->log->ref;
    for (uint32_t i = step; n > 0; n--, i--, frame = vm->stack.frames[frame].ref) {
        vm->stack.frames[frame].step = i;
        vm->log->paths[i] = (struct cupel__path){.pc = vm->stack.frames[frame].at,
                                                 .sub = vm->stack.frames[frame].left,
                                                 .up = n > 1 ? i - 1 : above};
    }
    return step;
}

static void record(struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v,
                   uint32_t which, struct cupel__event *e)
{
    vm->budget.remaining -= 4;
    *e = (struct cupel__event){.pc = (uint32_t)(pc - vm->code),
                               .node = (uint32_t)(v - vm->nodes),
                               .which = which,
                               .path = cupel__way_here(vm),
                               .chosen = CUPEL_NO_RECORD};
    const struct cupel__frame *choice = &vm->stack.frames[vm->stack.choice];
    if (vm->stack.choice != 0 &&
        choice->kind == CUPEL__FRAME_ANY_OF) { /* whose event has room: it is before this */
        e->group = 1 + choice->events;
        e->branch = choice->at;
    }
}

void cupel__record_failure(struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v,
                           uint32_t which)
{
    if (!CUPEL__TELLS(vm, v) && !vm->log->tracing)
        return;
    if (vm->log->nevents == vm->log->max_events)
        vm->log->events_lost++;
    else
        record(vm, pc, v, which, &vm->log->events[vm->log->nevents++]);
}

void cupel__record_choice(struct cupel__vm *vm, struct cupel__frame *f)
{
    f->events = vm->log->nevents;
    f->stage = vm->log->npaths;
    f->ref = vm->log->ref;
    f->step = CUPEL__PHASE_TRY;
    vm->log->muted++;
}

/* All branches are run once more; the event of the choice comes before what fails in them. */
static void run_all(struct cupel__vm *vm, struct cupel__frame *f)
{
    f->step = CUPEL__PHASE_TELL;
    f->at = f->n = f->left = 0;
    f->events = vm->log->nevents;
    if (vm->log->nevents < vm->log->max_events)
        vm->log->events[vm->log->nevents++] =
            (struct cupel__event){.pc = f->pc, .node = f->v, .chosen = CUPEL_NO_RECORD};
}

/* Of the branches only the one that is meant is run, if any is; the event of the choice says which.
 */
static bool run_meant(struct cupel__vm *vm, struct cupel__frame *f)
{
    uint32_t meant = vm->log->events[f->events].chosen;
    f->step = CUPEL__PHASE_TELL;
    if (meant == CUPEL_NO_RECORD)
        return false;
    f->at = meant;
    f->left = meant + 1;
    return true;
}

/* What failed at the value itself has been looked at; only what it told of the choice is left of
 * it. */
static bool looked(struct cupel__vm *vm, struct cupel__frame *f)
{
    vm->log->only = 0;
    cupel__find_best_branch(vm, f->events);
    vm->log->nevents = f->events + 1;
    vm->log->npaths = f->stage;
    return run_meant(vm, f);
}

/* Whether as many choices about the same value are around this one as are looked at before they are
 * told of. */
static bool is_deep(const struct cupel__vm *vm, const struct cupel__frame *f)
{
    enum { DEEP = 4 };
    uint32_t around = 0, at = f->choice;
    for (; around < DEEP && at != 0 && vm->stack.frames[at].v == f->v;
         at = vm->stack.frames[at].choice)
        around++;
    return around == DEEP;
}

bool cupel__record_again(struct cupel__vm *vm, struct cupel__frame *f)
{
    if (f->step == CUPEL__PHASE_LOOK)
        return looked(vm, f);
    if (f->step == CUPEL__PHASE_TELL || vm->log->muted > 1 ||
        (vm->log->only != 0 && vm->log->only != 1 + f->v))
        return false;
    vm->log->muted--;
    run_all(vm, f);
    if (!vm->log->brief || vm->log->only != 0 || f->events == vm->log->max_events)
        return true;
    cupel__branches_decide_by_tag(vm, &vm->log->events[f->events]);
    if (run_meant(vm, f))
        return true;
    if (is_deep(vm, f)) {
        f->at = f->left = 0;
        return true;
    }
    f->step = CUPEL__PHASE_LOOK;
    vm->log->only = 1 + f->v;
    return true;
}

void cupel__record_end(struct cupel__vm *vm, const struct cupel__frame *f)
{
    vm->log->muted -= f->step == CUPEL__PHASE_TRY;
    if (vm->log->tracing)
        return;
    vm->log->nevents = f->events;
    if (!vm->log->want_notes) /* notes of branches that passed stay, and their ways with them */
        vm->log->npaths = f->stage;
}

/* Outside of choices a failure is the value's own; what came behind the outermost one is not known.
 */
bool cupel__record_cut(struct cupel__vm *vm)
{
    uint32_t outermost = vm->stack.choice;
    while (outermost != 0 && vm->stack.frames[outermost].choice != 0)
        outermost = vm->stack.frames[outermost].choice;
    if (outermost != 0 && vm->stack.frames[outermost].events < vm->log->nevents)
        vm->log->nevents = vm->stack.frames[outermost].events;
    vm->log->events_lost++;
    return vm->log->nevents > 0;
}

/* When the choice is over and its frame gone: `slot` was left for its event and says which branch
 * is meant, if that is known by now; the events up to `end` are those of its branches.  A choice
 * that takes more than half of the room keeps only its own. */
void cupel__record_choice_failure(struct cupel__vm *vm, const uint32_t *pc,
                                  const struct cupel__node *v, uint32_t which, uint32_t slot,
                                  uint32_t end)
{
    if (vm->log->tracing) {
        cupel__record_failure(vm, pc, v, which);
        return;
    }
    if (!CUPEL__TELLS(vm, v))
        return;
    if (slot == vm->log->max_events) {
        vm->log->events_lost++;
        return;
    }
    bool keep = which == 0 && end - slot <= vm->log->max_events / 2;
    vm->log->nevents = keep ? end : slot + 1;
    vm->log->events_lost += which == 0 && !keep;
    const struct cupel__event before = vm->log->events[slot];
    record(vm, pc, v, which, &vm->log->events[slot]);
    if (which == 0) {
        vm->log->events[slot].choice = before.choice;
        vm->log->events[slot].chosen = before.chosen;
        vm->log->events[slot].tag = before.tag;
    }
}
