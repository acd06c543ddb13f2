/* validate.c: the entry points cupel_validate*(), and how a run begins.
 *
 * Nearly every run takes the short way: judge_directly() for a short text, judge() for a
 * document, both with the memory that the scratch has already.  cupel__run() is the long way: it
 * allocates what the program may need and starts the run again if that was too little.
 *
 * Steps do not depend on the memory that a scratch happens to have.  So a run at first gets a part
 * of its budget (FIRST_PART); one that needs more starts again with all tables at their full size.
 * The work that it abandons is not charged; it is at most that part. */
#include "base/always.h"
#include "vm/run/scratch.h"
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { FIRST_PART = 4 };

uint64_t cupel__budget_of(const uint64_t *limits, const struct cupel__doc *doc)
{
    return limits[CUPEL_LIMIT_STEPS] + (uint64_t)limits[CUPEL_LIMIT_STEPS_PER_BYTE] * doc->len;
}

INLINE enum cupel_verdict finish(struct cupel_outcome *ret, enum cupel_verdict verdict,
                                 enum cupel_status reason, uint64_t steps)
{
    if (ret != NULL) {
        ret->reason = verdict == CUPEL_UNDECIDED ? reason : CUPEL_OK;
        ret->reserved32 = 0;
        ret->steps = steps;
        memset(ret->reserved, 0, sizeof ret->reserved);
    }
    return verdict;
}

/* Prepares the vm for a run with so many frames: never more than the run needs, whatever the
 * scratch has, so that steps do not depend on the runs before. */
INLINE void set_up(struct cupel_scratch *s, const struct cupel__code *code, struct cupel__doc *doc,
                   uint64_t frames)
{
    struct cupel__vm *vm = &s->vm;
    vm->stack.limit = vm->stack.frames + frames - 1;
    vm->image = code->image;
    vm->code = code->words;
    vm->program = code;
    vm->doc = doc;
    vm->nodes = doc->nodes;
    vm->stateful = code->facts.stateful;
    vm->memos = code->facts.memos > 0;
    vm->checks.index.doc = doc;
    cupel__map_clear(&vm->checks.index.map);
}

/* -- The long way ------------------------------------------------------------------------------ */

/* Results are kept only in runs of many steps: the others are over before that pays, and the work
 * that they do twice until then does not matter. */
static void begin_memo(struct cupel_scratch *s, const struct cupel__doc *doc)
{
    enum { FIRST_STEPS = 1024, STEPS_PER_NODE = 16 };
    const bool at_once = (s->options.flags & CUPEL_EAGER_MEMO) != 0;
    const int64_t steps = at_once ? 0 : FIRST_STEPS + STEPS_PER_NODE * (int64_t)doc->nnodes;
    s->vm.memo.below = s->vm.budget.remaining - steps;
    cupel__memo_begin(&s->vm);
}

/* One run, with so many steps. */
static enum cupel_verdict run_once(struct cupel_scratch *s, uint32_t node,
                                   const struct cupel__run_kind *kind, int64_t steps)
{
    struct cupel__vm *vm = &s->vm;
    vm->budget.remaining = steps;
    cupel__map_clear(&vm->checks.index.map);
    if (vm->memos)
        begin_memo(s, vm->doc);
    enum cupel_verdict verdict = kind->run(s, node);
    TESTCASE(vm->budget.remaining == 0);
    const uint64_t frames = (uint64_t)(vm->stack.limit - vm->stack.frames) + 1;
    if (verdict == CUPEL_UNDECIDED && vm->reason == CUPEL_E_LIMIT_STACK &&
        cupel__frames_needed(vm->program, vm->doc->depth) <= frames)
        vm->reason = CUPEL_E_REF_CYCLE; /* more than any run needs that ends */
    return verdict;
}

/* Whether the run has to start again, because its log can hold more now.  The log of a run that
 * took long gets its full size at once. */
static bool can_record_more(struct cupel_scratch *s, const struct cupel__run_kind *kind,
                            enum cupel_verdict verdict, int64_t steps)
{
    const bool all = steps - s->vm.budget.remaining > steps / 16;
    if (kind->max_events == 0 || verdict == CUPEL_UNDECIDED)
        return false;
    if (verdict == CUPEL_VALID && !kind->records_when_valid)
        return false;
    return cupel__scratch_grow_log(s, kind->max_events, all);
}

enum cupel_verdict cupel__run(struct cupel_scratch *s, const struct cupel__code *code,
                              struct cupel__doc *doc, uint32_t node,
                              const struct cupel__run_kind *kind, struct cupel_outcome *ret)
{
    struct cupel__vm *vm = &s->vm;
    const bool report = kind->max_events > 0;
    enum cupel_status r = cupel__scratch_reserve(s, code, doc, report);
    if (r != CUPEL_OK)
        return finish(ret, CUPEL_UNDECIDED, r, 0);
    const uint64_t need = cupel__frames_needed(code, doc->depth);
    const uint64_t have =
        report && s->log.frame_capacity < s->nframes ? s->log.frame_capacity : s->nframes;
    set_up(s, code, doc, need < have ? need : have);
    int64_t budget = (int64_t)cupel__budget_of(s->options.limits, doc), abandoned = 0;
    bool all = cupel__scratch_has_all(s, code);
    for (;;) {
        int64_t steps = all ? budget : budget / FIRST_PART;
        enum cupel_verdict verdict = run_once(s, node, kind, steps);
        if (can_record_more(s, kind, verdict, steps))
            continue;
        bool further = !all && vm->reason == CUPEL_E_LIMIT_STEPS;
        if (verdict != CUPEL_UNDECIDED || !(cupel__scratch_lacks(s) || further))
            return finish(ret, verdict, vm->reason, (uint64_t)(steps - vm->budget.remaining));
        abandoned += vm->budget.remaining < 0 ? steps : steps - vm->budget.remaining;
        all = all || further || abandoned > budget / FIRST_PART;
        r = all ? cupel__scratch_provide_all(s, code, doc) : cupel__scratch_provide(s, doc);
        if (r == CUPEL_OK && abandoned / 2 > budget)
            r = CUPEL_E_LIMIT_STEPS;
        if (r != CUPEL_OK)
            return finish(ret, CUPEL_UNDECIDED, r, (uint64_t)abandoned);
    }
}

static enum cupel_verdict run_verdict(struct cupel_scratch *s, uint32_t node)
{
    if (s->options.flags & CUPEL_SWITCH_DISPATCH)
        return cupel__run_portable(&s->vm, node);
    return cupel__run_threaded(&s->vm, node);
}

const struct cupel__run_kind cupel__verdict_run = {.run = run_verdict};

/* -- The short way ----------------------------------------------------------------------------- */

/* Among many programs most are not in the cache.  The first lines of the image are fetched while
 * the text is read; a small image is complete then. */
INLINE void fetch(const struct cupel__image *image)
{
    const char *line = (const char *)image;
    __builtin_prefetch(line);
    __builtin_prefetch(line + 64);
    __builtin_prefetch(line + 128);
    __builtin_prefetch(line + 192);
    __builtin_prefetch(line + 256);
    __builtin_prefetch(line + 320);
}

/* Whether a verdict of this program needs no memory but frames and that of patterns, which is
 * there. */
INLINE bool is_prepared(const struct cupel_scratch *s, const struct cupel__code *code,
                        uint64_t frames)
{
    return frames <= s->prepared_frames &&
           (!code->needs_more || (code->facts.memos == 0 && s->vm.checks.matching != NULL));
}

/* After a first part of the budget that ended without a verdict. */
static __attribute__((noinline, cold)) enum cupel_verdict
judge_further(struct cupel_scratch *s, uint32_t node, struct cupel_outcome *ret)
{
    struct cupel__vm *vm = &s->vm;
    if (vm->reason == CUPEL_E_LIMIT_STEPS &&
        cupel__scratch_provide_all(s, vm->program, vm->doc) == CUPEL_E_NO_MEMORY)
        return finish(ret, CUPEL_UNDECIDED, CUPEL_E_NO_MEMORY, (uint64_t)s->granted);
    if (cupel__scratch_lacks(s) || vm->reason == CUPEL_E_LIMIT_STACK ||
        vm->reason == CUPEL_E_LIMIT_STEPS)
        return cupel__run(s, vm->program, vm->doc, node, &cupel__verdict_run, ret);
    return finish(ret, CUPEL_UNDECIDED, vm->reason, (uint64_t)(s->granted - vm->budget.remaining));
}

INLINE void grant_steps(struct cupel_scratch *s, const struct cupel__doc *doc)
{
    s->granted = s->vm.budget.remaining =
        (int64_t)(cupel__budget_of(s->options.limits, doc) / FIRST_PART);
}

INLINE enum cupel_verdict judge(struct cupel_scratch *s, const struct cupel__code *code,
                                struct cupel__doc *doc, uint32_t node, struct cupel_outcome *ret)
{
    const uint64_t frames = cupel__frames_needed(code, doc->depth);
    if (!is_prepared(s, code, frames))
        return cupel__run(s, code, doc, node, &cupel__verdict_run, ret);
    set_up(s, code, doc, frames);
    grant_steps(s, doc);
    enum cupel_verdict verdict = cupel__run_threaded(&s->vm, node);
    if (verdict == CUPEL_UNDECIDED)
        return judge_further(s, node, ret);
    return finish(ret, verdict, CUPEL_OK, (uint64_t)(s->granted - s->vm.budget.remaining));
}

/* -- Short texts without a tape ---------------------------------------------------------------- */

/* Whether to try.  After failed tries some texts are not tried, twice as many after each.  A
 * scratch of the portable loop has no prepared frames. */
INLINE bool may_be_direct(struct cupel_scratch *s, const struct cupel__code *code)
{
    if (!code->direct || !is_prepared(s, code, cupel__frames_needed(code, 1)) ||
        s->options.flags & CUPEL_NO_DIRECT)
        return false;
    const bool now = s->backoff == 0;
    s->backoff -= !now;
    return now;
}

/* Whether the tokens show that the document is valid.  The frames and levels that a run on its tape
 * would need have to be within the limits. */
INLINE bool judge_directly(struct cupel_scratch *s, const struct cupel__code *code)
{
    enum { LONGEST = 31 };
    uint32_t depth;
    set_up(s, code, &s->document.doc, 1);
    grant_steps(s, &s->document.doc);
    const bool valid = cupel__run_direct(&s->vm, s->tokens, s->document.read.max_number, &depth) &&
                       cupel__frames_needed(code, depth) <= s->prepared_frames &&
                       depth <= s->document.read.max_depth;
    s->backoff = valid ? 0 : s->next_backoff;
    s->next_backoff = valid ? 0 : s->next_backoff < LONGEST ? 2 * s->next_backoff + 1 : LONGEST;
    return valid;
}

void cupel__scratch_complete(struct cupel_scratch *s)
{
    if (s->tokens == 0)
        return;
    enum cupel_status r =
        cupel__json_build_tape(&s->document.doc, s->tokens, &s->document.read, NULL);
    (void)ALWAYS(r == CUPEL_OK);
    s->tokens = 0;
}

/* -- Entry points ------------------------------------------------------------------------------ */

enum cupel_verdict cupel_validate_node(const struct cupel_program *program, struct cupel_scratch *s,
                                       struct cupel_document *doc, uint32_t node,
                                       struct cupel_outcome *ret)
{
    if (program == NULL || !cupel__scratch_is_free(s) || doc == NULL || node >= doc->doc.nnodes)
        return finish(ret, CUPEL_UNDECIDED, CUPEL_E_ARGUMENT, 0);
    fetch(program->verdict.image);
    return judge(s, &program->verdict, &doc->doc, node, ret);
}

enum cupel_verdict cupel_validate(const struct cupel_program *program, struct cupel_scratch *s,
                                  const char *text, size_t len, struct cupel_outcome *ret)
{
    struct cupel_error *err = ret != NULL ? &ret->error : NULL;
    enum cupel_status r;
    if (program == NULL || !cupel__scratch_is_free(s) || (text == NULL && len != 0))
        return finish(ret, CUPEL_UNDECIDED, CUPEL_E_ARGUMENT, 0);
    struct cupel__doc *doc = &s->document.doc;
    fetch(program->verdict.image); /* while the text is read */
    if (may_be_direct(s, &program->verdict) &&
        cupel__json_scan_short(doc, text, len, &s->document.read, &s->tokens)) {
        if (judge_directly(s, &program->verdict))
            return finish(ret, CUPEL_VALID, CUPEL_OK,
                          (uint64_t)(s->granted - s->vm.budget.remaining));
        r = cupel__json_build_tape(doc, s->tokens, &s->document.read, err);
    } else {
        r = cupel__json_read(doc, text, len, &s->document.read, err);
    }
    s->tokens = 0;
    if (r != CUPEL_OK)
        return finish(ret, CUPEL_UNDECIDED, r, 0);
    return judge(s, &program->verdict, doc, 0, ret);
}

enum cupel_status cupel_validate_many(const struct cupel_program *program,
                                      struct cupel_scratch *scratch, const char *base,
                                      const int64_t *offsets, size_t count, uint8_t *verdicts)
{
    if (program == NULL || scratch == NULL || offsets == NULL || (verdicts == NULL && count != 0))
        return CUPEL_E_ARGUMENT;
    if (!cupel__scratch_is_free(scratch) || offsets[0] < 0 || (base == NULL && offsets[count] != 0))
        return CUPEL_E_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (offsets[i] > offsets[i + 1])
            return CUPEL_E_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        const char *text = offsets[i] != offsets[i + 1] ? base + offsets[i] : "";
        size_t len = (size_t)(offsets[i + 1] - offsets[i]);
        verdicts[i] = (uint8_t)cupel_validate(program, scratch, text, len, NULL);
    }
    return CUPEL_OK;
}
