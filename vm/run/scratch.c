/* scratch.c: the memory of validation: it grows between runs, never during one (scratch.h).
 *
 * Each array has a capacity and an upper bound that depends on the limit of the scratch alone, so
 * that neither verdicts nor steps depend on the runs before.  A run that lacks capacity says how
 * much (`need` of its owner) and stops; cupel__scratch_provide() then resizes the arrays. */
#include "vm/run/scratch.h"
#include "base/always.h"
#include <cupel/debug.h>
#include <string.h>

/* Frames take at most half of the limit.  Tables that only save work take a fixed part of it, so
 * that steps do not depend on what the scratch was used for before. */
enum { FRAMES_PART = 2, MEMO_PART = 4, INDEX_PART = 8, KEPT_PART = 16 };

/* Bounds the limits so that no document is so long that its budget overflows. */
static void bound_steps(uint64_t *limits)
{
    const uint64_t half = INT64_MAX / 2;
    limits[CUPEL_LIMIT_STEPS] = limits[CUPEL_LIMIT_STEPS] < half ? limits[CUPEL_LIMIT_STEPS] : half;
    if (limits[CUPEL_LIMIT_STEPS_PER_BYTE] > half >> 32)
        limits[CUPEL_LIMIT_STEPS_PER_BYTE] = half >> 32;
}

/* Returns the largest power of two of slots that `bytes` hold, at most MOST_SLOTS. */
enum { MOST_SLOTS = 1 << 22 };

static size_t most_slots(size_t bytes)
{
    size_t n = 1;
    while (n < MOST_SLOTS && 2 * n <= bytes / sizeof(struct cupel__slot))
        n *= 2;
    return n;
}

/* Returns the words of kept sets that `bytes` hold. */
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
    s->vm.checks.fingerprints = (options.flags & CUPEL_NO_FINGERPRINTS) == 0;
    memcpy(s->vm.checks.index.key, s->vm.checks.key, sizeof s->vm.checks.key);
    size_t bytes = options.limits[CUPEL_LIMIT_SCRATCH_BYTES];
    s->vm.checks.index.map.max_slots = most_slots(bytes / INDEX_PART);
    s->vm.memo.results.max_slots = most_slots(bytes / MEMO_PART);
    s->vm.memo.most = most_kept(bytes / KEPT_PART);
    s->vm.budget.index = &s->vm.checks.index;
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
    cupel__free(&alloc, s->log.events, s->log.event_capacity * sizeof *s->log.events);
    cupel__free(&alloc, s->log.paths, s->log.path_capacity * sizeof *s->log.paths);
    cupel__free(&alloc, s->log.frames, s->log.frame_capacity * sizeof *s->log.frames);
    cupel__free(&alloc, s->order, s->order_cap * sizeof *s->order);
    cupel__free(&alloc, s->cursor, s->cursor_bytes);
    cupel__free(&alloc, s->log.notes, s->log.note_capacity * sizeof *s->log.notes);
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

/* The bytes that CUPEL_LIMIT_SCRATCH_BYTES bounds. */
static size_t working_memory(const struct cupel_scratch *s)
{
    const struct cupel__vm *vm = &s->vm;
    const struct cupel__log *log = &s->log;
    return s->nframes * sizeof *vm->stack.frames + log->frame_capacity * sizeof *log->frames +
           log->event_capacity * sizeof *log->events + log->path_capacity * sizeof *log->paths +
           log->note_capacity * sizeof *log->notes + s->order_cap * sizeof *s->order +
           s->cursor_bytes + s->nunique * sizeof *vm->checks.unique +
           s->nbits * sizeof *vm->evaluated.words +
           vm->memo.results.n * sizeof *vm->memo.results.slots +
           vm->checks.index.map.n * sizeof *vm->checks.index.map.slots +
           vm->memo.capacity * sizeof *vm->memo.sets + vm->checks.arena.total +
           cupel__matcher_scratch_size(vm->checks.matching);
}

size_t cupel_scratch_memory(const struct cupel_scratch *s)
{
    if (s == NULL)
        return 0;
    return sizeof *s + s->document.doc.memory + working_memory(s) + s->text.capacity;
}

/* -- Before a run ----------------------------------------------------------------------------- */

/* Replaces an array, whose content is not needed any more, by one of at least `n` elements. */
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

/* Gives a run the frames that it needs.  Where the limit does not allow for the worst case, the run
 * gets fewer, and stops if it really needs more. */
static enum cupel_status reserve_frames(struct cupel_scratch *s, uint64_t need, bool report)
{
    struct cupel__stack *stack = &s->vm.stack;
    struct cupel__log *log = &s->log;
    if (need <= s->nframes && (!report || need <= log->frame_capacity))
        return CUPEL_OK;
    const size_t size = sizeof *stack->frames + (report ? sizeof *log->frames : 0);
    const uint64_t most = s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES] / FRAMES_PART / size;
    const size_t n = (size_t)(need < most ? need : most);
    if (n == 0)
        return CUPEL_E_LIMIT_MEMORY;
    enum cupel_status r = resize(s, &stack->frames, &s->nframes, n, sizeof *stack->frames);
    if (r == CUPEL_OK)
        stack->frames[0] = (struct cupel__frame){.kind = CUPEL__FRAME_BASE};
    if (r == CUPEL_OK && report)
        r = resize(s, &log->frames, &log->frame_capacity, n, sizeof *log->frames);
    if (!(s->options.flags & CUPEL_SWITCH_DISPATCH))
        s->prepared_frames = s->nframes;
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

enum cupel_status cupel__scratch_reserve(struct cupel_scratch *s, const struct cupel__code *code,
                                         const struct cupel__doc *doc, bool report)
{
    enum { FIRST_EVENTS = 64 };
    struct cupel__log *log = &s->log;
    enum cupel_status r = reserve_frames(s, cupel__frames_needed(code, doc->depth), report);
    if (r == CUPEL_OK && code->nmatchers > 0 && s->vm.checks.matching == NULL)
        r = cupel__matcher_scratch_new(&s->options.alloc,
                                       s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES],
                                       &s->vm.checks.matching);
    if (r == CUPEL_OK && report)
        r = resize(s, &log->events, &log->event_capacity, FIRST_EVENTS, sizeof *log->events);
    if (r == CUPEL_OK && report)
        r = resize(s, &log->paths, &log->path_capacity, FIRST_EVENTS, sizeof *log->paths);
    return r;
}

/* -- What a run lacked ------------------------------------------------------------------------ */

bool cupel__scratch_lacks(const struct cupel_scratch *s)
{
    const struct cupel__vm *vm = &s->vm;
    return vm->checks.unique_need > 0 || vm->evaluated.need > 0 || s->log.notes_need > 0 ||
           vm->memo.results.need > 0 || vm->memo.need > 0 || vm->checks.index.map.need > 0;
}

/* Returns the words of the table of UNIQUE for the longest array that a document may have. */
static size_t most_unique(const struct cupel__doc *doc)
{
    size_t n = 64;
    while (n < 2 * (size_t)doc->nnodes)
        n *= 2;
    return n;
}

/* UNIQUE gets capacity for any array at once, if the limit allows it.  Otherwise each array longer
 * than those before would make the run start again. */
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

enum cupel_status cupel__scratch_provide(struct cupel_scratch *s, const struct cupel__doc *doc)
{
    struct cupel__vm *vm = &s->vm;
    struct cupel__log *log = &s->log;
    size_t bits = vm->evaluated.need > 0 ? 2 * vm->evaluated.need + 64 : 0;
    enum cupel_status r = provide_unique(s, doc);
    if (r == CUPEL_OK)
        r = resize(s, &vm->evaluated.words, &s->nbits, bits, sizeof *vm->evaluated.words);
    if (r == CUPEL_OK && log->notes_need > 0)
        r = resize(s, &log->notes, &log->note_capacity, 2 * log->notes_need + 16,
                   sizeof *log->notes);
    if (r == CUPEL_OK)
        r = resize_map(s, &vm->memo.results, vm->memo.results.need);
    if (r == CUPEL_OK)
        r = resize_map(s, &vm->checks.index.map, vm->checks.index.map.need);
    if (r == CUPEL_OK)
        r = resize(s, &vm->memo.sets, &vm->memo.capacity, vm->memo.need, sizeof *vm->memo.sets);
    vm->checks.nunique = s->nunique;
    vm->evaluated.capacity = s->nbits;
    vm->checks.unique_need = vm->evaluated.need = log->notes_need = vm->memo.results.need =
        vm->memo.need = 0;
    return r;
}

bool cupel__scratch_has_all(const struct cupel_scratch *s, const struct cupel__code *code)
{
    const struct cupel__vm *vm = &s->vm;
    return vm->checks.index.map.n == vm->checks.index.map.max_slots &&
           (code->facts.memos == 0 || vm->memo.results.n == vm->memo.results.max_slots) &&
           (!code->facts.stateful || s->nbits >= vm->memo.most) &&
           (code->facts.memos == 0 || !code->facts.stateful || vm->memo.capacity == vm->memo.most);
}

enum cupel_status cupel__scratch_provide_all(struct cupel_scratch *s,
                                             const struct cupel__code *code,
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
    return r == CUPEL_E_NO_MEMORY ? r : cupel__scratch_provide(s, doc);
}

bool cupel__scratch_grow_log(struct cupel_scratch *s, size_t most, bool all)
{
    struct cupel__log *log = &s->log;
    const size_t events = all ? most : 4 * log->event_capacity;
    const size_t paths = all ? most : 4 * log->path_capacity;
    bool more = false;
    if (log->events_lost > 0 && log->event_capacity < most)
        more |=
            resize(s, &log->events, &log->event_capacity, events, sizeof *log->events) == CUPEL_OK;
    if (log->paths_lost > 0 && log->path_capacity < most)
        more |= resize(s, &log->paths, &log->path_capacity, paths, sizeof *log->paths) == CUPEL_OK;
    return more;
}

enum cupel_status cupel__scratch_events(struct cupel_scratch *s, uint32_t n)
{
    return resize(s, &s->log.events, &s->log.event_capacity, n, sizeof *s->log.events);
}

enum cupel_status cupel__scratch_cursor(struct cupel_scratch *s, size_t size)
{
    return resize(s, &s->cursor, &s->cursor_bytes, size, 1);
}

enum cupel_status cupel__scratch_order(struct cupel_scratch *s, uint32_t n)
{
    enum { FIRST = 64 };
    return resize(s, &s->order, &s->order_cap, n > FIRST ? n : FIRST, sizeof *s->order);
}
