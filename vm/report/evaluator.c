/* evaluator.c: steps that all files of the report evaluator share (evaluator.h). */
#include "vm/report/evaluator.h"
#include "vm/report/log.h"

enum cupel__next cupel__fail(struct cupel__evaluator *e, uint32_t which)
{
    cupel__record_failure(e, which);
    return cupel__failed(e);
}

enum cupel__next cupel__apply(struct cupel__evaluator *e, uint32_t sub)
{
    return cupel__apply_inline(e, sub);
}

/* -- Frames of choices ------------------------------------------------------------------------ */

bool cupel__push_choice(struct cupel__evaluator *e, enum cupel__frame_kind kind)
{
    struct cupel__vm *vm = e->vm;
    if (!cupel__push(e, kind))
        return false;
    e->top->choice = vm->stack.choice;
    vm->stack.choice = (uint32_t)(e->top - vm->stack.frames);
    cupel__record_choice(e);
    if (!vm->stateful)
        return true;
    if (kind != CUPEL__FRAME_CONTAINS)
        return cupel__choice_save(vm, e->top);
    cupel__choice_begin(vm, e->top);
    return true;
}

void cupel__pop_choice(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    vm->stack.choice = e->top->choice;
    if (vm->stateful)
        vm->evaluated.used = e->top->bits;
    cupel__record_end(e);
    cupel__pop(e);
}

void cupel__keep_attempt(struct cupel__evaluator *e)
{
    if (e->vm->stateful)
        cupel__choice_update(e->vm, e->top);
    e->extra->notes = (uint32_t)e->log->nnotes;
}

void cupel__undo_attempt(struct cupel__evaluator *e)
{
    if (e->vm->stateful)
        cupel__choice_restore(e->vm, e->top);
    e->extra->failed = 0;
}
