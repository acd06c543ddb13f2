/* exec_memo.c: what MEMO instructions have worked out in this run.
 *
 * An entry is made for an instruction, a value and a dynamic scope; scopes are numbered as they are
 * entered, by the scope around them and the SCOPE that made them, in the same table.  The result of
 * a schema that marks what it evaluates needs its set: while it runs, its frame owns a set of its
 * own, which is added to that of whoever asked and kept for the next to ask.  Where nobody asked,
 * no set is kept, and the schema is run once more when somebody does.
 *
 * When the table or the room for sets is full and may not grow, results are not kept any more: what
 * they would have saved is done again, and charged. */
#include "vm/run/exec.h"

/* Steps: the table is large, and where an entry stands is in no cache. */
enum { FIND = 6, KEEP = 10 };

enum { FAILED = 1, PASSED, PASSED_WITH_SET, STATE_BITS = 2 };
_Static_assert(CUPEL__MEMO_WORDS < 1u << (32 - STATE_BITS),
               "a state and the place of a set are a word");

/* A scope without a number, in which nothing is kept; numbers are smaller. */
enum { SCOPE_UNKNOWN = 0xfff };

/* No value is as far as this: a scope's key. */
#define NO_VALUE UINT32_MAX

static uint64_t key_of(const struct cupel__vm *vm, uint32_t pc, uint32_t v)
{
    return (uint64_t)pc << 44 | (uint64_t)vm->scope << 32 | v;
}

void cupel__memo_begin(struct cupel__vm *vm)
{
    cupel__map_clear(&vm->memo);
    vm->nkept = vm->kept_need = 0;
    vm->nscopes = 0;
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
    const struct cupel__slot *slot = cupel__map_next(&vm->memo, key_of(vm, pc, v), &at);
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
    add_set(vm, set, vm->kept + (slot->value >> STATE_BITS), words);
    return 1;
}

bool cupel__memo_enter(struct cupel__vm *vm, struct cupel__frame *f)
{
    size_t words;
    bool marks = CUPEL__WORD_A(vm->code[f->pc]) && cupel__track_set(vm, f->v, &words) != NULL;
    f->track = vm->track;
    f->bits = (uint32_t)vm->nbits;
    f->bound = vm->bound;
    f->scope = vm->scope;
    f->n = marks;
    if (!marks)
        return true;
    if (!cupel__track_take(vm, words))
        return false;
    memset(vm->bits + f->bits, 0, words * sizeof *vm->bits);
    vm->track = (uint32_t)(f - vm->frames);
    return true;
}

/* Room for a set: 1; 0 if there cannot be more; -1 if there can. */
static int take_kept(struct cupel__vm *vm, size_t words)
{
    if (words <= vm->max_kept - vm->nkept)
        return 1;
    size_t need = 2 * (vm->nkept + words) + 64;
    if (need > vm->kept_most)
        need = vm->kept_most;
    if (need < vm->nkept + words)
        return 0;
    vm->kept_need = need;
    return -1;
}

/* Keeps a state; `set` is there if the state is PASSED_WITH_SET.  1, 0 or -1 as above. */
static int keep(struct cupel__vm *vm, uint64_t key, uint32_t state, const uint64_t *set,
                size_t words)
{
    size_t at = 0;
    vm->budget.remaining -= KEEP;
    struct cupel__slot *slot = cupel__map_next(&vm->memo, key, &at);
    if (slot == NULL && !cupel__map_has_capacity(&vm->memo, 1))
        return vm->memo.need > 0 ? -1 : 0;
    if (state == PASSED_WITH_SET) {
        int r = take_kept(vm, words);
        if (r != 1)
            return r;
        vm->budget.remaining -= (int64_t)(words / CUPEL__WORDS_A_STEP);
        memcpy(vm->kept + vm->nkept, set, words * sizeof *set);
        state |= (uint32_t)vm->nkept << STATE_BITS;
        vm->nkept += words;
    }
    if (slot != NULL)
        slot->value = state;
    else
        cupel__map_put(&vm->memo, at, key, state);
    return 1;
}

bool cupel__memo_leave(struct cupel__vm *vm, struct cupel__frame *f, bool passed)
{
    const uint64_t *own = f->n ? vm->bits + f->bits : NULL;
    uint32_t state = !passed ? FAILED : own != NULL ? PASSED_WITH_SET : PASSED;
    size_t words = 0;
    vm->track = f->track;
    vm->nbits = f->bits;
    vm->bound = f->bound;
    vm->scope = f->scope;
    if (own != NULL) {
        uint64_t *set = cupel__track_set(vm, f->v, &words);
        add_set(vm, set, own,
                words); /* what failed is taken back by choices; in a report it counts */
    }
    if (vm->scope == SCOPE_UNKNOWN || keep(vm, key_of(vm, f->pc, f->v), state, own, words) >= 0)
        return true;
    vm->reason = CUPEL_E_LIMIT_MEMORY;
    return false;
}

bool cupel__memo_scope(struct cupel__vm *vm, uint32_t pc)
{
    uint64_t key = key_of(vm, pc, NO_VALUE);
    size_t at = 0;
    const struct cupel__slot *slot = cupel__map_next(&vm->memo, key, &at);
    if (vm->scope == SCOPE_UNKNOWN)
        return true;
    if (slot != NULL) {
        vm->scope = slot->value;
    } else if (vm->nscopes + 1 < SCOPE_UNKNOWN && cupel__map_has_capacity(&vm->memo, 1)) {
        cupel__map_put(&vm->memo, at, key, ++vm->nscopes);
        vm->scope = vm->nscopes;
    } else if (vm->memo.need > 0) {
        vm->reason = CUPEL_E_LIMIT_MEMORY;
        return false;
    } else {
        vm->scope = SCOPE_UNKNOWN;
    }
    return true;
}
