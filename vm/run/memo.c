/* memo.c: the results of MEMO instructions, kept during a run.
 *
 * The key of a result is an instruction, a value and a dynamic scope.  The same table numbers the
 * scopes, by the scope around them and the SCOPE instruction that made them.
 *
 * A schema that marks evaluated children also needs its set kept.  While it runs inside an
 * UNEVALUATED about the value, its frame owns a set of its own; at the end the set is added to that
 * around it, and kept.  Outside of one no set is kept, and the schema runs again when an
 * UNEVALUATED needs it.
 *
 * When the table or the memory of sets is full and may not grow, further results are not kept.  The
 * schemas then run again, and are charged. */
#include "vm/run/vm.h"

/* Steps.  The table is large, so an entry is in no cache. */
enum { FIND = 6, KEEP = 10 };

enum { FAILED = 1, PASSED, PASSED_WITH_SET, STATE_BITS = 2 };
_Static_assert(CUPEL__MEMO_WORDS < 1u << (32 - STATE_BITS),
               "a state and the place of a set are a word");

/* A scope without a number, in which nothing is kept; numbers are smaller. */
enum { SCOPE_UNKNOWN = 0xfff };

/* In keys of scopes, in place of a value. */
#define NO_VALUE UINT32_MAX

static uint64_t key_of(const struct cupel__vm *vm, uint32_t pc, uint32_t v)
{
    return (uint64_t)pc << 44 | (uint64_t)vm->scope.number << 32 | v;
}

void cupel__memo_begin(struct cupel__vm *vm)
{
    cupel__map_clear(&vm->memo.results);
    vm->memo.used = vm->memo.need = 0;
    vm->scope.count = 0;
}

/* Adds one set to another. */
static void add_set(struct cupel__vm *vm, uint64_t *to, const uint64_t *from, size_t words)
{
    vm->budget.remaining -= (int64_t)(words / CUPEL__WORDS_A_STEP);
    for (size_t i = 0; i < words; i++)
        to[i] |= from[i];
}

int cupel__memo_find(struct cupel__vm *vm, uint32_t pc, uint32_t v)
{
    size_t at = 0, words;
    vm->budget.remaining -= FIND;
    const struct cupel__slot *slot = cupel__map_next(&vm->memo.results, key_of(vm, pc, v), &at);
    if (slot == NULL) /* as in a scope that is not known */
        return CUPEL__MEMO_NONE;
    uint32_t state = slot->value & ((1 << STATE_BITS) - 1);
    if (state == FAILED)
        return 0;
    uint64_t *set = CUPEL__WORD_A(vm->code[pc]) ? cupel__track_set(vm, v, &words) : NULL;
    if (set == NULL)
        return 1;
    if (state == PASSED)
        return CUPEL__MEMO_NONE;
    add_set(vm, set, vm->memo.sets + (slot->value >> STATE_BITS), words);
    return 1;
}

bool cupel__memo_enter(struct cupel__vm *vm, struct cupel__frame *f)
{
    size_t words;
    bool marks = CUPEL__WORD_A(vm->code[f->pc]) && cupel__track_set(vm, f->v, &words) != NULL;
    f->track = vm->evaluated.owner;
    f->bits = (uint32_t)vm->evaluated.used;
    f->bound = vm->scope.bound;
    f->scope = vm->scope.number;
    f->n = marks;
    if (!marks)
        return true;
    if (!cupel__track_take(vm, words))
        return false;
    memset(vm->evaluated.words + f->bits, 0, words * sizeof *vm->evaluated.words);
    vm->evaluated.owner = (uint32_t)(f - vm->stack.frames);
    return true;
}

/* Whether there is memory for a set: 1; 0 if there cannot be more; -1 if there can. */
static int reserve_kept(struct cupel__vm *vm, size_t words)
{
    if (words <= vm->memo.capacity - vm->memo.used)
        return 1;
    size_t need = 2 * (vm->memo.used + words) + 64;
    if (need > vm->memo.most)
        need = vm->memo.most;
    if (need < vm->memo.used + words)
        return 0;
    vm->memo.need = need;
    return -1;
}

/* Keeps a state, with `set` if it is PASSED_WITH_SET.  Returns 1; 0 if there cannot be more memory;
 * -1 if there can. */
static int keep(struct cupel__vm *vm, uint64_t key, uint32_t state, const uint64_t *set,
                size_t words)
{
    size_t at = 0;
    vm->budget.remaining -= KEEP;
    struct cupel__slot *slot = cupel__map_next(&vm->memo.results, key, &at);
    if (slot == NULL && !cupel__map_has_capacity(&vm->memo.results, 1))
        return vm->memo.results.need > 0 ? -1 : 0;
    if (state == PASSED_WITH_SET) {
        int r = reserve_kept(vm, words);
        if (r != 1)
            return r;
        vm->budget.remaining -= (int64_t)(words / CUPEL__WORDS_A_STEP);
        memcpy(vm->memo.sets + vm->memo.used, set, words * sizeof *set);
        state |= (uint32_t)vm->memo.used << STATE_BITS;
        vm->memo.used += words;
    }
    if (slot != NULL)
        slot->value = state;
    else
        cupel__map_put(&vm->memo.results, at, key, state);
    return 1;
}

bool cupel__memo_leave(struct cupel__vm *vm, struct cupel__frame *f, bool passed)
{
    const uint64_t *own = f->n ? vm->evaluated.words + f->bits : NULL;
    uint32_t state = !passed ? FAILED : own != NULL ? PASSED_WITH_SET : PASSED;
    size_t words = 0;
    vm->evaluated.owner = f->track;
    vm->evaluated.used = f->bits;
    vm->scope.bound = f->bound;
    vm->scope.number = f->scope;
    if (own != NULL) {
        uint64_t *set = cupel__track_set(vm, f->v, &words);
        /* Also if the schema failed: a choice restores the set; in a report it counts. */
        add_set(vm, set, own, words);
    }
    if (vm->scope.number == SCOPE_UNKNOWN ||
        keep(vm, key_of(vm, f->pc, f->v), state, own, words) >= 0)
        return true;
    vm->reason = CUPEL_E_LIMIT_MEMORY;
    return false;
}

bool cupel__memo_scope(struct cupel__vm *vm, uint32_t pc)
{
    uint64_t key = key_of(vm, pc, NO_VALUE);
    size_t at = 0;
    const struct cupel__slot *slot = cupel__map_next(&vm->memo.results, key, &at);
    if (vm->scope.number == SCOPE_UNKNOWN)
        return true;
    if (slot != NULL) {
        vm->scope.number = slot->value;
    } else if (vm->scope.count + 1 < SCOPE_UNKNOWN &&
               cupel__map_has_capacity(&vm->memo.results, 1)) {
        cupel__map_put(&vm->memo.results, at, key, ++vm->scope.count);
        vm->scope.number = vm->scope.count;
    } else if (vm->memo.results.need > 0) {
        vm->reason = CUPEL_E_LIMIT_MEMORY;
        return false;
    } else {
        vm->scope.number = SCOPE_UNKNOWN;
    }
    return true;
}
