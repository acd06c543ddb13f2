/* evaluated.c: the sets of evaluated children, and the state that choices restore (evaluated.h).
 *
 * The sets lie on a stack of words, in the order of the frames that own them.  A choice that begins
 * while a set is filled puts a copy of it on the same stack. */
#include "vm/run/vm.h"
#include <string.h>

static size_t words_for(uint32_t children)
{
    return ((size_t)children + 63) / 64;
}

/* For a value without children n is 0, and the stack may not be allocated yet. */
bool cupel__track_take(struct cupel__vm *vm, size_t n)
{
    if (n > vm->evaluated.capacity - vm->evaluated.used) {
        vm->evaluated.need = vm->evaluated.used + n;
        vm->reason = CUPEL_E_LIMIT_MEMORY;
        return false;
    }
    vm->budget.remaining -= (int64_t)(n / CUPEL__WORDS_A_STEP);
    vm->evaluated.used += n;
    return true;
}

uint64_t *cupel__track_set(const struct cupel__vm *vm, uint32_t v, size_t *ret_words)
{
    const struct cupel__frame *f = &vm->stack.frames[vm->evaluated.owner];
    if (vm->evaluated.owner == 0 || f->v != v)
        return NULL;
    *ret_words = words_for(vm->nodes[v].count);
    return *ret_words > 0 ? vm->evaluated.words + f->bits : NULL;
}

bool cupel__track_begin(struct cupel__vm *vm, struct cupel__frame *f)
{
    size_t words = words_for(vm->nodes[f->v].count);
    f->track = vm->evaluated.owner;
    f->bits = (uint32_t)vm->evaluated.used;
    f->stage = 0;
    if (!cupel__track_take(vm, words))
        return false;
    if (words > 0)
        memset(vm->evaluated.words + f->bits, 0, words * sizeof *vm->evaluated.words);
    vm->evaluated.owner = (uint32_t)(f - vm->stack.frames);
    return true;
}

void cupel__track_end(struct cupel__vm *vm, struct cupel__frame *f)
{
    vm->evaluated.owner = f->track;
    vm->evaluated.used = f->bits;
    cupel__mark(vm, f->v, 0, vm->nodes[f->v].count);
}

bool cupel__is_evaluated(const struct cupel__vm *vm, const struct cupel__frame *f, uint32_t child)
{
    return vm->evaluated.words[f->bits + child / 64] >> (child % 64) & 1;
}

void cupel__mark(struct cupel__vm *vm, uint32_t v, uint32_t first, uint32_t end)
{
    size_t words;
    uint64_t *set = cupel__track_set(vm, v, &words);
    if (set == NULL)
        return;
    vm->budget.remaining -= (end - first) / 64;
    for (uint32_t i = first; i < end;) {
        if (i % 64 == 0 && end - i >= 64) {
            set[i / 64] = UINT64_MAX;
            i += 64;
        } else {
            set[i / 64] |= UINT64_C(1) << (i % 64);
            i++;
        }
    }
}

/* The set that the branches of a choice may change, or NULL.  A CONTAINS has none: its attempts
 * concern items, and mark no items of the array itself. */
static uint64_t *set_of_choice(const struct cupel__vm *vm, const struct cupel__frame *f,
                               size_t *ret_words)
{
    return f->kind == CUPEL__FRAME_CONTAINS ? NULL : cupel__track_set(vm, f->v, ret_words);
}

void cupel__choice_begin(struct cupel__vm *vm, struct cupel__frame *f)
{
    f->track = vm->evaluated.owner;
    f->bits = (uint32_t)vm->evaluated.used;
    f->bound = vm->scope.bound;
    f->scope = vm->scope.number;
    vm->budget.remaining -= 4; /* for this and cupel__choice_restore() */
}

bool cupel__choice_save(struct cupel__vm *vm, struct cupel__frame *f)
{
    size_t words;
    const uint64_t *set = cupel__track_set(vm, f->v, &words);
    cupel__choice_begin(vm, f);
    if (set == NULL)
        return true;
    if (!cupel__track_take(vm, words))
        return false;
    memcpy(vm->evaluated.words + f->bits, set, words * sizeof *set);
    return true;
}

void cupel__choice_update(struct cupel__vm *vm, struct cupel__frame *f)
{
    size_t words;
    const uint64_t *set = set_of_choice(vm, f, &words);
    if (set == NULL)
        return;
    vm->budget.remaining -= (int64_t)(words / CUPEL__WORDS_A_STEP);
    memcpy(vm->evaluated.words + f->bits, set, words * sizeof *set);
}

void cupel__choice_restore(struct cupel__vm *vm, struct cupel__frame *f)
{
    size_t words = 0;
    vm->evaluated.owner = f->track;
    vm->scope.bound = f->bound;
    vm->scope.number = f->scope;
    uint64_t *set = set_of_choice(vm, f, &words);
    vm->evaluated.used = f->bits + (set != NULL ? words : 0);
    if (set == NULL)
        return;
    vm->budget.remaining -= (int64_t)(words / CUPEL__WORDS_A_STEP);
    memcpy(set, vm->evaluated.words + f->bits, words * sizeof *set);
}
