/* log.c: records failures, and the path to each of them (log.h).
 *
 * What fails under a NOT, an IF or a CONTAINS is no failure of the value: nothing of it is
 * recorded.  Nor are the failures of the branches of an ANY_OF or ONE_OF, as long as one may pass.
 * If none passes and the choice itself is not suppressed, its branches run once more, and their
 * failures stay behind the event of the choice.
 *
 * When only problems are wanted (CUPEL__MODE_PROBLEMS), the failures of one branch are enough: the
 * best-matching one, found by its tag or by a run that records what fails at the value itself
 * (evaluator.probed).  That branch alone then runs again.  Choices inside four other choices about
 * the same value skip the probe: each would run again for every one around it, twice over.
 *
 * Steps of a path are made when something first fails beyond them. */
#include "vm/report/log.h"
#include "vm/report/best_branch.h"
#include "vm/report/branches.h"

void cupel__log_begin(struct cupel__log *log)
{
    log->nevents = log->events_lost = log->paths_lost = 0;
    log->npaths = 1;
    log->nnotes = 0;
    log->open_choice = 0;
    log->frames[0] = (struct cupel__report_frame){0};
}

/* -- Paths ------------------------------------------------------------------------------------ */

/* The CALLs around it that have no step get theirs too, outermost first. */
uint32_t cupel__record_path(struct cupel__evaluator *e)
{
    struct cupel__log *log = e->log;
    struct cupel__report_frame *frames = log->frames;
    uint32_t n = 0, frame = e->call;
    for (; frame != 0 && !cupel__has_step(e, frame); frame = frames[frame].call)
        n++;
    uint32_t above = frame != 0 ? frames[frame].step : 0;
    e->vm->budget.remaining -= n;
    if (n > log->max_paths - log->npaths) {
        log->paths_lost += n;
        return above;
    }
    const uint32_t last = log->npaths + n - 1;
    log->npaths += n;
    frame = e->call;
    for (uint32_t i = last; n > 0; n--, i--, frame = frames[frame].call) {
        frames[frame].step = i;
        log->paths[i] = (struct cupel__path){
            .pc = frames[frame].pc, .sub = frames[frame].sub, .up = n > 1 ? i - 1 : above};
    }
    return last;
}

/* -- Events ----------------------------------------------------------------------------------- */

static struct cupel__event event_here(struct cupel__evaluator *e, uint32_t which)
{
    e->vm->budget.remaining -= 4;
    return (struct cupel__event){.pc = (uint32_t)(e->pc - e->vm->code),
                                 .node = cupel__index_of(e, e->v),
                                 .which = which,
                                 .path = cupel__path_here(e),
                                 .chosen = CUPEL_NO_RECORD};
}

static void record(struct cupel__evaluator *e, uint32_t which, struct cupel__event *ret)
{
    const uint32_t choice = e->vm->stack.choice;
    *ret = event_here(e, which);
    if (choice != 0 && e->vm->stack.frames[choice].kind == CUPEL__FRAME_ANY_OF) {
        ret->group = 1 + e->log->frames[choice].events;
        ret->branch = e->vm->stack.frames[choice].at;
    }
}

void cupel__record_failure(struct cupel__evaluator *e, uint32_t which)
{
    struct cupel__log *log = e->log;
    if (!cupel__is_recorded(e, e->v) && e->mode != CUPEL__MODE_VERBOSE)
        return;
    if (log->nevents == log->max_events)
        log->events_lost++;
    else
        record(e, which, &log->events[log->nevents++]);
}

/* Keywords do not stand for these. */
static const uint64_t unnamed = CUPEL__OP_BIT(ONLY) | CUPEL__OP_BIT(SWITCH) | CUPEL__OP_BIT(JUMP) |
                                CUPEL__OP_BIT(MEMO) | CUPEL__OP_BIT(SCOPE);

void cupel__record_instruction(struct cupel__evaluator *e)
{
    struct cupel__log *log = e->log;
    const uint32_t op = CUPEL__WORD_OP(*e->pc);
    const bool note = op == CUPEL__OP_NOTE;
    if (unnamed >> op & 1)
        return;
    if (note && (!(CUPEL__WORD_B(*e->pc) >> e->v->type & 1) || (e->v->flags & CUPEL__KEY)))
        return;
    if (log->nevents == log->max_events) {
        e->vm->budget.remaining -= 4;
        log->events_lost++;
        return;
    }
    struct cupel__event *event = &log->events[log->nevents++];
    *event = event_here(e, note ? e->pc[1] : 0);
    event->passed = true;
}

/* -- Choices ---------------------------------------------------------------------------------- */

void cupel__record_choice(struct cupel__evaluator *e)
{
    struct cupel__report_frame *f = e->extra;
    f->events = e->log->nevents;
    f->paths = e->log->npaths;
    f->call = e->call;
    f->phase = CUPEL__PHASE_TRY;
    f->passed = f->end = 0;
    e->suppressed++;
}

/* All branches run once more; the event of the choice comes before what fails in them. */
static void run_all(struct cupel__evaluator *e)
{
    struct cupel__log *log = e->log;
    e->extra->phase = CUPEL__PHASE_RECORD;
    e->top->at = e->top->n = e->extra->end = 0;
    e->extra->events = log->nevents;
    if (log->nevents < log->max_events)
        log->events[log->nevents++] =
            (struct cupel__event){.pc = e->top->pc, .node = e->top->v, .chosen = CUPEL_NO_RECORD};
}

/* Only the best-matching branch runs, which the event of the choice names.  False: there is none.
 */
static bool run_best(struct cupel__evaluator *e)
{
    const uint32_t best = e->log->events[e->extra->events].chosen;
    e->extra->phase = CUPEL__PHASE_RECORD;
    if (best == CUPEL_NO_RECORD)
        return false;
    e->top->at = best;
    e->extra->end = best + 1;
    return true;
}

/* After the probe, only what it says about the choice itself is kept. */
static bool end_probe(struct cupel__evaluator *e)
{
    e->probed = 0;
    cupel__find_best_branch(e->vm, e->log, e->extra->events);
    e->log->nevents = e->extra->events + 1;
    e->log->npaths = e->extra->paths;
    return run_best(e);
}

/* Whether there are so many choices about the same value around this one that none is probed. */
static bool is_deep(const struct cupel__evaluator *e)
{
    enum { DEEP = 4 };
    const struct cupel__frame *frames = e->vm->stack.frames;
    uint32_t around = 0, at = e->top->choice;
    for (; around < DEEP && at != 0 && frames[at].v == e->top->v; at = frames[at].choice)
        around++;
    return around == DEEP;
}

bool cupel__record_again(struct cupel__evaluator *e)
{
    struct cupel__report_frame *f = e->extra;
    if (f->phase == CUPEL__PHASE_PROBE)
        return end_probe(e);
    if (f->phase == CUPEL__PHASE_RECORD || e->suppressed > 1 ||
        (e->probed != 0 && e->probed != 1 + e->top->v))
        return false;
    e->suppressed--;
    run_all(e);
    if (e->mode != CUPEL__MODE_PROBLEMS || e->probed != 0 || f->events == e->log->max_events)
        return true;
    cupel__branches_decide_by_tag(e->vm, &e->log->events[f->events]);
    if (run_best(e) || is_deep(e))
        return true;
    f->phase = CUPEL__PHASE_PROBE;
    e->probed = 1 + e->top->v;
    return true;
}

void cupel__record_end(struct cupel__evaluator *e)
{
    const struct cupel__report_frame *f = e->extra;
    e->suppressed -= f->phase == CUPEL__PHASE_TRY;
    if (e->mode == CUPEL__MODE_VERBOSE)
        return;
    e->log->nevents = f->events;
    if (e->mode != CUPEL__MODE_ANNOTATIONS) /* paths of notes in branches that passed stay */
        e->log->npaths = f->paths;
}

/* A choice that takes more than half of the capacity keeps only its own event.  If no branch
 * passed, that event may name the best-matching branch already. */
void cupel__record_choice_failure(struct cupel__evaluator *e, uint32_t which, uint32_t slot,
                                  uint32_t end)
{
    struct cupel__log *log = e->log;
    if (e->mode == CUPEL__MODE_VERBOSE) {
        cupel__record_failure(e, which);
        return;
    }
    if (!cupel__is_recorded(e, e->v))
        return;
    if (slot == log->max_events) {
        log->events_lost++;
        return;
    }
    bool keep = which == 0 && end - slot <= log->max_events / 2;
    log->nevents = keep ? end : slot + 1;
    log->events_lost += which == 0 && !keep;
    const struct cupel__event before = log->events[slot];
    record(e, which, &log->events[slot]);
    if (which == 0) {
        log->events[slot].choice = before.choice;
        log->events[slot].chosen = before.chosen;
        log->events[slot].tag = before.tag;
    }
}

/* Outside of choices a failure is the value's own; the events behind the outermost choice are not
 * certain. */
bool cupel__log_cut(struct cupel__log *log, const struct cupel__frame *frames)
{
    uint32_t outermost = log->open_choice;
    while (outermost != 0 && frames[outermost].choice != 0)
        outermost = frames[outermost].choice;
    if (outermost != 0 && log->frames[outermost].events < log->nevents)
        log->nevents = log->frames[outermost].events;
    log->events_lost++;
    return log->nevents > 0;
}
