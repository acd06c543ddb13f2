/* scratch.c: the memory of validating, and the two ways in: text and node. */
#include "vm/run/scratch.h"
#include "base/always.h"
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* What is only there to save work takes a fixed part of the limit, so that what is saved does not
 * depend on what the scratch was used for before. */
enum { FRAMES_PART = 2, MEMO_PART = 4, INDEX_PART = 8, KEPT_PART = 16 };

/* No text is so long that its budget overflows. */
static void bound_steps(uint64_t *limits)
{
    const uint64_t half = INT64_MAX / 2;
    limits[CUPEL_LIMIT_STEPS] = limits[CUPEL_LIMIT_STEPS] < half ? limits[CUPEL_LIMIT_STEPS] : half;
    if (limits[CUPEL_LIMIT_STEPS_PER_BYTE] > half >> 32)
        limits[CUPEL_LIMIT_STEPS_PER_BYTE] = half >> 32;
}

/* The largest power of two of slots in `bytes`.  No run has use for more than MOST_SLOTS, whatever
 * the limit. */
enum { MOST_SLOTS = 1 << 22 };

static size_t most_slots(size_t bytes)
{
    size_t n = 1;
    while (n < MOST_SLOTS && 2 * n <= bytes / sizeof(struct cupel__slot))
        n *= 2;
    return n;
}

/* The words of sets in `bytes`. */
static size_t most_kept(size_t bytes)
{
    size_t n = bytes / sizeof(uint64_t);
    return n < CUPEL__MEMO_WORDS ? n : CUPEL__MEMO_WORDS;
}

enum cupel_status cupel_scratch_new(const struct cupel_options *given, struct cupel_scratch **ret)
{
    struct cupel_options options;
    if (ret == NULL)
        return CUPEL_E_ARGUMENT;
    enum cupel_status status = cupel__options_copy(given, &options, NULL);
    if (status != CUPEL_OK)
        return status;
    bound_steps(options.limits);
    struct cupel_scratch *s = cupel__realloc(&options.alloc, NULL, 0, sizeof *s);
    if (s == NULL)
        return CUPEL_E_NO_MEMORY;
    memset(s, 0, sizeof *s);
    s->options = options;
    cupel__document_init(&s->document, &options);
    cupel_text_init(&s->text, &options.alloc);
    cupel__arena_init(&s->vm.checks.arena, &options.alloc,
                      options.limits[CUPEL_LIMIT_SCRATCH_BYTES]);
    s->vm.checks.idn_optional = (options.flags & CUPEL_IDN_OPTIONAL) != 0;
    cupel__options_key(&options, s->vm.checks.key); /* of UNIQUE and of large objects */
    memcpy(s->vm.checks.index.key, s->vm.checks.key, sizeof s->vm.checks.key);
    size_t bytes = options.limits[CUPEL_LIMIT_SCRATCH_BYTES];
    s->vm.checks.index.map.max_slots = most_slots(bytes / INDEX_PART);
    s->vm.memo.results.max_slots = most_slots(bytes / MEMO_PART);
    s->vm.memo.most = most_kept(bytes / KEPT_PART);
    s->vm.budget.index = &s->vm.checks.index;
    s->vm.log = &s->log;
    *ret = s;
    return CUPEL_OK;
}

void cupel_scratch_free(struct cupel_scratch *s)
{
    if (s == NULL)
        return;
    struct cupel_alloc alloc = s->options.alloc;
    cupel__doc_free(&s->document.doc);
    cupel__free(&alloc, s->vm.stack.frames, s->nframes * sizeof *s->vm.stack.frames);
    cupel__free(&alloc, s->log.events, s->nevents * sizeof *s->log.events);
    cupel__free(&alloc, s->log.paths, s->npaths * sizeof *s->log.paths);
    cupel__free(&alloc, s->order, s->order_cap * sizeof *s->order);
    cupel__free(&alloc, s->cursor, s->cursor_bytes);
    cupel__free(&alloc, s->log.notes, s->nnotes * sizeof *s->log.notes);
    cupel__free(&alloc, s->vm.checks.unique, s->nunique * sizeof *s->vm.checks.unique);
    cupel__free(&alloc, s->vm.evaluated.words, s->nbits * sizeof *s->vm.evaluated.words);
    cupel__free(&alloc, s->vm.memo.results.slots,
                s->vm.memo.results.n * sizeof *s->vm.memo.results.slots);
    cupel__free(&alloc, s->vm.checks.index.map.slots,
                s->vm.checks.index.map.n * sizeof *s->vm.checks.index.map.slots);
    cupel__free(&alloc, s->vm.memo.sets, s->vm.memo.capacity * sizeof *s->vm.memo.sets);
    cupel__matcher_scratch_free(s->vm.checks.matching);
    cupel__arena_free(&s->vm.checks.arena);
    cupel_text_free(&s->text);
    cupel__free(&alloc, s, sizeof *s);
}

/* What the limit is on. */
static size_t working_memory(const struct cupel_scratch *s)
{
    const struct cupel__vm *vm = &s->vm;
    return s->nframes * sizeof *vm->stack.frames + s->nevents * sizeof *vm->log->events +
           s->npaths * sizeof *vm->log->paths + s->order_cap * sizeof *s->order + s->cursor_bytes +
           s->nunique * sizeof *vm->checks.unique + s->nbits * sizeof *vm->evaluated.words +
           s->nnotes * sizeof *vm->log->notes +
           vm->memo.results.n * sizeof *vm->memo.results.slots +
           vm->checks.index.map.n * sizeof *vm->checks.index.map.slots +
           vm->memo.capacity * sizeof *vm->memo.sets + vm->checks.arena.total +
           cupel__matcher_scratch_size(vm->checks.matching);
}

size_t cupel_scratch_memory(const struct cupel_scratch *s)
{
    return sizeof *s + s->document.doc.memory + working_memory(s) + s->text.capacity;
}

/* -- Room -----------------------------------------------------------------------------------------
 */

/* Replaces an array that nobody is using by one of `n` elements. */
static enum cupel_status resize(struct cupel_scratch *s, void *array, size_t *have, size_t n,
                                size_t size)
{
    void **at = array;
    if (n <= *have)
        return CUPEL_OK;
    size_t others = working_memory(s) - *have * size;
    if (n > (s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES] - others) / size ||
        others > s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES])
        return CUPEL_E_LIMIT_MEMORY;
    void *p = cupel__realloc(&s->options.alloc, NULL, 0, n * size);
    if (p == NULL)
        return CUPEL_E_NO_MEMORY;
    cupel__free(&s->options.alloc, *at, *have * size);
    *at = p;
    *have = n;
    return CUPEL_OK;
}

/* Failures are kept beyond CUPEL_LIMIT_ERRORS, for most of those in the branches of a choice are
 * never told. */
enum { FIRST_EVENTS = 64, MOST_EVENTS = 4096, MOST_TRACED = 1 << 16 };

/* Every level of the instance needs at most the program's longest chain of frames, and one to come
 * back to. */
static uint64_t frames_needed(const struct cupel__code *code, uint32_t depth)
{
    return ((uint64_t)depth + 1) * code->chain + 2;
}

/* Where the limit does not allow for the worst case, a run that really needs it stops. */
static enum cupel_status reserve_frames(struct cupel_scratch *s, uint64_t need)
{
    uint64_t most =
        s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES] / FRAMES_PART / sizeof *s->vm.stack.frames;
    enum cupel_status r = resize(s, &s->vm.stack.frames, &s->nframes,
                                 (size_t)(need < most ? need : most), sizeof *s->vm.stack.frames);
    if (r == CUPEL_OK && s->nframes == 0)
        r = CUPEL_E_LIMIT_MEMORY;
    if (r == CUPEL_OK)
        s->vm.stack.frames[0] = (struct cupel__frame){.kind = CUPEL__FRAME_BASE};
    if (!(s->options.flags & CUPEL_SWITCH_DISPATCH))
        s->ready_frames = s->nframes;
    return r;
}

static enum cupel_status resize_map(struct cupel_scratch *s, struct cupel__map *map, size_t n)
{
    bool more = n > map->n;
    enum cupel_status r = resize(s, &map->slots, &map->n, n, sizeof *map->slots);
    if (r == CUPEL_OK && more)
        memset(map->slots, 0, map->n * sizeof *map->slots);
    return r;
}

static enum cupel_status reserve(struct cupel_scratch *s, const struct cupel__code *code,
                                 const struct cupel__doc *doc, enum cupel__how how)
{
    enum cupel_status r = reserve_frames(s, frames_needed(code, doc->depth));
    if (r == CUPEL_OK && code->nmatchers > 0 && s->vm.checks.matching == NULL)
        r = cupel__matcher_scratch_new(&s->options.alloc,
                                       s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES],
                                       &s->vm.checks.matching);
    if (r == CUPEL_OK && how != CUPEL__RUN_VERDICT)
        r = resize(s, &s->log.events, &s->nevents, FIRST_EVENTS, sizeof *s->log.events);
    if (r == CUPEL_OK && how != CUPEL__RUN_VERDICT)
        r = resize(s, &s->log.paths, &s->npaths, FIRST_EVENTS, sizeof *s->log.paths);
    return r;
}

/* -- Running
 * ----------------------------------------------------------------------------------------- */

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

/* Whether the loop stopped for something that there may be more of. */
static bool lacks_room(const struct cupel__vm *vm)
{
    return vm->checks.unique_need > 0 || vm->evaluated.need > 0 || vm->log->notes_need > 0 ||
           vm->memo.results.need > 0 || vm->memo.need > 0 || vm->checks.index.map.need > 0;
}

/* Words of the table of UNIQUE for the longest array that a document may have. */
static size_t most_unique(const struct cupel__doc *doc)
{
    size_t n = 64;
    while (n < 2 * (size_t)doc->nnodes)
        n *= 2;
    return n;
}

/* UNIQUE gets room for any array at once, if there is so much: arrays that are longer and longer
 * would each be a reason to begin again. */
static enum cupel_status provide_unique(struct cupel_scratch *s, const struct cupel__doc *doc)
{
    struct cupel__vm *vm = &s->vm;
    enum cupel_status r = CUPEL_E_LIMIT_MEMORY;
    if (vm->checks.unique_need > s->nunique)
        r = resize(s, &vm->checks.unique, &s->nunique, most_unique(doc), sizeof *vm->checks.unique);
    if (r == CUPEL_E_LIMIT_MEMORY)
        r = resize(s, &vm->checks.unique, &s->nunique, vm->checks.unique_need,
                   sizeof *vm->checks.unique);
    return r;
}

/* The loop does not allocate: it says what it lacks, and is run again with that. */
static enum cupel_status provide(struct cupel_scratch *s, const struct cupel__doc *doc)
{
    struct cupel__vm *vm = &s->vm;
    size_t bits = vm->evaluated.need > 0 ? 2 * vm->evaluated.need + 64 : 0;
    enum cupel_status r = provide_unique(s, doc);
    if (r == CUPEL_OK)
        r = resize(s, &vm->evaluated.words, &s->nbits, bits, sizeof *vm->evaluated.words);
    if (r == CUPEL_OK && vm->log->notes_need > 0)
        r = resize(s, &vm->log->notes, &s->nnotes, 2 * vm->log->notes_need + 16,
                   sizeof *vm->log->notes);
    if (r == CUPEL_OK)
        r = resize_map(s, &vm->memo.results, vm->memo.results.need);
    if (r == CUPEL_OK)
        r = resize_map(s, &vm->checks.index.map, vm->checks.index.map.need);
    if (r == CUPEL_OK)
        r = resize(s, &vm->memo.sets, &vm->memo.capacity, vm->memo.need, sizeof *vm->memo.sets);
    vm->checks.nunique = s->nunique;
    vm->evaluated.capacity = s->nbits;
    vm->log->max_notes = s->nnotes;
    vm->checks.unique_need = vm->evaluated.need = vm->log->notes_need = vm->memo.results.need =
        vm->memo.need = 0;
    return r;
}

/* All that a run may lack but for the table of UNIQUE.  A run that takes long is not to be begun
 * again for every table that turns out to be small: what is abandoned is work that no budget
 * counts. */
static enum cupel_status provide_all(struct cupel_scratch *s, const struct cupel__code *code,
                                     const struct cupel__doc *doc)
{
    struct cupel__vm *vm = &s->vm;
    bool sets = code->facts.stateful, memos = code->facts.memos > 0;
    enum cupel_status r = resize_map(s, &vm->checks.index.map, vm->checks.index.map.max_slots);
    if (r != CUPEL_E_NO_MEMORY && memos)
        r = resize_map(s, &vm->memo.results, vm->memo.results.max_slots);
    if (r != CUPEL_E_NO_MEMORY && memos && sets)
        r = resize(s, &vm->memo.sets, &vm->memo.capacity, vm->memo.most, sizeof *vm->memo.sets);
    if (r != CUPEL_E_NO_MEMORY && sets)
        r = resize(s, &vm->evaluated.words, &s->nbits, vm->memo.most, sizeof *vm->evaluated.words);
    return r == CUPEL_E_NO_MEMORY ? r : provide(s, doc);
}

static size_t most_events(const struct cupel__vm *vm)
{
    return vm->log->tracing ? MOST_TRACED : MOST_EVENTS;
}

/* Events that found no room get it as long as there is some to be had.  What is lost then is
 * counted. */
static bool provide_events(struct cupel_scratch *s, bool all)
{
    struct cupel__vm *vm = &s->vm;
    const size_t most = most_events(vm);
    bool more = false;
    size_t events = all ? most : 4 * s->nevents;
    size_t paths = all ? most : 4 * s->npaths;
    if (vm->log->events_lost > 0 && s->nevents < most)
        more |=
            resize(s, &vm->log->events, &s->nevents, events, sizeof *vm->log->events) == CUPEL_OK;
    if (vm->log->paths_lost > 0 && s->npaths < most)
        more |= resize(s, &vm->log->paths, &s->npaths, paths, sizeof *vm->log->paths) == CUPEL_OK;
    return more;
}

enum cupel_status cupel__scratch_events(struct cupel_scratch *s, uint32_t n)
{
    return resize(s, &s->log.events, &s->nevents, n, sizeof *s->log.events);
}

enum cupel_status cupel__scratch_cursor(struct cupel_scratch *s, size_t size)
{
    return resize(s, &s->cursor, &s->cursor_bytes, size, 1);
}

enum cupel_status cupel__scratch_order(struct cupel_scratch *s, uint32_t n)
{
    return resize(s, &s->order, &s->order_cap, n > FIRST_EVENTS ? n : FIRST_EVENTS,
                  sizeof *s->order);
}

uint64_t cupel__budget_of(const uint64_t *limits, const struct cupel__doc *doc)
{
    return limits[CUPEL_LIMIT_STEPS] + (uint64_t)limits[CUPEL_LIMIT_STEPS_PER_BYTE] * doc->len;
}

/* A run that goes beyond this part of its budget is begun again with room for all that it may need.
 */
enum { FIRST_LEG = 4 };

static bool is_roomy(const struct cupel_scratch *s, const struct cupel__code *code)
{
    const struct cupel__vm *vm = &s->vm;
    return vm->checks.index.map.n == vm->checks.index.map.max_slots &&
           (code->facts.memos == 0 || vm->memo.results.n == vm->memo.results.max_slots) &&
           (!code->facts.stateful || s->nbits >= vm->memo.most) &&
           (code->facts.memos == 0 || !code->facts.stateful || vm->memo.capacity == vm->memo.most);
}

/* Ordinary runs are over before results are worth keeping; in the others what is done twice until
 * then does not matter.  Counted in steps, so that it is the same on every machine. */
static int64_t memo_begins(const struct cupel_scratch *s, const struct cupel__doc *doc)
{
    enum { FIRST_STEPS = 1024, STEPS_PER_NODE = 16 };
    return s->options.flags & CUPEL_EAGER_MEMO
               ? 0
               : FIRST_STEPS + STEPS_PER_NODE * (int64_t)doc->nnodes;
}

static void begin_memo(struct cupel_scratch *s, const struct cupel__doc *doc)
{
    s->vm.memo.below = s->vm.budget.remaining - memo_begins(s, doc);
    cupel__memo_begin(&s->vm);
}

/* What a report asks for besides the verdict. */
static void begin_report(struct cupel_scratch *s, enum cupel__how how)
{
    struct cupel__vm *vm = &s->vm;
    vm->log->tracing = how == CUPEL__RUN_TRACE;
    vm->log->nevents = vm->log->events_lost = vm->log->paths_lost = 0;
    vm->log->max_events = (uint32_t)(s->nevents < most_events(vm) ? s->nevents : most_events(vm));
    vm->log->npaths = 1;
    vm->log->max_paths = (uint32_t)s->npaths;
    vm->log->nnotes = 0;
    vm->log->retold = 0;
    vm->log->want_notes = how == CUPEL__RUN_NOTES;
    vm->log->brief = how == CUPEL__RUN_PROBLEMS;
}

static enum cupel_verdict run_once(struct cupel_scratch *s, uint32_t node, enum cupel__how how)
{
    struct cupel__vm *vm = &s->vm;
    if (how == CUPEL__RUN_VERDICT && !(s->options.flags & CUPEL_SWITCH_DISPATCH))
        return cupel__run_threaded(vm, node);
    if (how == CUPEL__RUN_VERDICT)
        return cupel__run_portable(vm, node);
    begin_report(s, how);
    return cupel__evaluate(vm, node);
}

/* It gets no more frames than are needed, whatever the scratch has: steps do not depend on what it
 * was used for before. */
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

/* A run goes on until it has a verdict, may not go on, or lacks room. */
static enum cupel_verdict run_leg(struct cupel_scratch *s, uint32_t node, enum cupel__how how,
                                  int64_t steps)
{
    struct cupel__vm *vm = &s->vm;
    vm->budget.remaining = steps;
    cupel__map_clear(&vm->checks.index.map);
    if (vm->memos)
        begin_memo(s, vm->doc);
    enum cupel_verdict verdict = run_once(s, node, how);
    TESTCASE(vm->budget.remaining == 0);
    if (verdict == CUPEL_UNDECIDED && vm->reason == CUPEL_E_LIMIT_STACK &&
        frames_needed(vm->program, vm->doc->depth) <= s->nframes)
        vm->reason = CUPEL_E_REF_CYCLE; /* more than any run needs that ends */
    return verdict;
}

/* Whether a report has to be run again, because it can keep more now.  One that took long gets all
 * the room there is at once. */
static bool may_tell_more(struct cupel_scratch *s, enum cupel__how how, enum cupel_verdict verdict,
                          int64_t leg)
{
    bool all = leg - s->vm.budget.remaining > leg / 16;
    bool tells = verdict == CUPEL_INVALID ? how != CUPEL__RUN_VERDICT : how >= CUPEL__RUN_NOTES;
    return tells && verdict != CUPEL_UNDECIDED && provide_events(s, all);
}

enum cupel_verdict cupel__run(struct cupel_scratch *s, const struct cupel__code *code,
                              struct cupel__doc *doc, uint32_t node, enum cupel__how how,
                              struct cupel_outcome *ret)
{
    struct cupel__vm *vm = &s->vm;
    enum cupel_status r = reserve(s, code, doc, how);
    if (r != CUPEL_OK)
        return finish(ret, CUPEL_UNDECIDED, r, 0);
    const uint64_t need = frames_needed(code, doc->depth);
    set_up(s, code, doc, need < s->nframes ? need : s->nframes);
    int64_t budget = (int64_t)cupel__budget_of(s->options.limits, doc), abandoned = 0;
    bool all = is_roomy(s, code);
    for (;;) {
        int64_t leg = all ? budget : budget / FIRST_LEG;
        enum cupel_verdict verdict = run_leg(s, node, how, leg);
        if (may_tell_more(s, how, verdict, leg))
            continue;
        bool further = !all && vm->reason == CUPEL_E_LIMIT_STEPS;
        if (verdict != CUPEL_UNDECIDED || !(lacks_room(vm) || further))
            return finish(ret, verdict, vm->reason, (uint64_t)(leg - vm->budget.remaining));
        abandoned += vm->budget.remaining < 0 ? leg : leg - vm->budget.remaining;
        all = all || further || abandoned > budget / FIRST_LEG;
        r = all ? provide_all(s, code, doc) : provide(s, doc);
        if (r == CUPEL_OK && abandoned / 2 > budget)
            r = CUPEL_E_LIMIT_STEPS;
        if (r != CUPEL_OK)
            return finish(ret, CUPEL_UNDECIDED, r, (uint64_t)abandoned);
    }
}

/* Of many programs most are not in the cache: the first lines of the image are asked for at once.
 * A small one is all there then. */
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

/* Whether patterns, for which there is a scratch, are all that the program needs besides. */
static bool has_matching(const struct cupel_scratch *s, const struct cupel__code *code)
{
    return code->facts.memos == 0 && s->vm.checks.matching != NULL;
}

/* After a first leg that ended without a verdict. */
static __attribute__((noinline, cold)) enum cupel_verdict
judge_further(struct cupel_scratch *s, uint32_t node, struct cupel_outcome *ret)
{
    struct cupel__vm *vm = &s->vm;
    if (vm->reason == CUPEL_E_LIMIT_STEPS &&
        provide_all(s, vm->program, vm->doc) == CUPEL_E_NO_MEMORY)
        return finish(ret, CUPEL_UNDECIDED, CUPEL_E_NO_MEMORY, (uint64_t)s->leg);
    if (lacks_room(vm) || vm->reason == CUPEL_E_LIMIT_STACK || vm->reason == CUPEL_E_LIMIT_STEPS)
        return cupel__run(s, vm->program, vm->doc, node, CUPEL__RUN_VERDICT, ret);
    return finish(ret, CUPEL_UNDECIDED, vm->reason, (uint64_t)(s->leg - vm->budget.remaining));
}

INLINE void begin_leg(struct cupel_scratch *s, const struct cupel__doc *doc)
{
    s->leg = s->vm.budget.remaining =
        (int64_t)(cupel__budget_of(s->options.limits, doc) / FIRST_LEG);
}

/* What nearly every run is: a verdict of a program that needs nothing but frames, for which there
 * is room. */
INLINE enum cupel_verdict judge(struct cupel_scratch *s, const struct cupel__code *code,
                                struct cupel__doc *doc, uint32_t node, struct cupel_outcome *ret)
{
    const uint64_t frames = frames_needed(code, doc->depth);
    if (frames > s->ready_frames || (code->needs_more && !has_matching(s, code)))
        return cupel__run(s, code, doc, node, CUPEL__RUN_VERDICT, ret);
    set_up(s, code, doc, frames);
    begin_leg(s, doc);
    enum cupel_verdict verdict = cupel__run_threaded(&s->vm, node);
    if (verdict == CUPEL_UNDECIDED)
        return judge_further(s, node, ret);
    return finish(ret, verdict, CUPEL_OK, (uint64_t)(s->leg - s->vm.budget.remaining));
}

/* Whether it is worth a try.  After several in vain there are pauses, twice as long each time.  A
 * scratch of the portable loop never has frames ready. */
INLINE bool may_be_direct(struct cupel_scratch *s, const struct cupel__code *code)
{
    if (!code->direct || s->ready_frames < frames_needed(code, 1) ||
        s->options.flags & CUPEL_NO_DIRECT || (code->needs_more && !has_matching(s, code)))
        return false;
    const bool now = s->pause == 0;
    s->pause -= !now;
    return now;
}

/* Whether the document is valid, as far as its tokens say.  What a run on its tape would need has
 * to be there. */
INLINE bool judge_directly(struct cupel_scratch *s, const struct cupel__code *code)
{
    enum { LONGEST = 31 };
    uint32_t depth;
    set_up(s, code, &s->document.doc, 1);
    begin_leg(s, &s->document.doc);
    const bool valid = cupel__run_direct(&s->vm, s->tokens, s->document.read.max_number, &depth) &&
                       frames_needed(code, depth) <= s->ready_frames &&
                       depth <= s->document.read.max_depth;
    s->pause = valid ? 0 : s->next_pause;
    s->next_pause = valid ? 0 : s->next_pause < LONGEST ? 2 * s->next_pause + 1 : LONGEST;
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
            return finish(ret, CUPEL_VALID, CUPEL_OK, (uint64_t)(s->leg - s->vm.budget.remaining));
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
