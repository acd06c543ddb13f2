/* sequence.c: sequences without a frame, out of line (sequence.h). */
#include "vm/report/sequence.h"

int cupel__choose_by_type(struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v)
{
    const struct cupel__list *subs = cupel__image_list(vm->image, pc[1]);
    uint32_t n = 0;
    for (uint32_t i = 0; i < subs->count; i++) {
        uint32_t word = vm->code[CUPEL__SUB_PC(subs->item[i])];
        if (CUPEL__WORD_OP(word) != CUPEL__OP_TYPE || !(word & CUPEL__LAST))
            return CUPEL__UNKNOWN;
        vm->budget.remaining--;
        n += (CUPEL__WORD_B(word) & subs->item[i]) >> v->type & 1;
    }
    return CUPEL__WORD_OP(*pc) == CUPEL__OP_ONE_OF ? n == 1 : n > 0;
}

enum cupel__outcome cupel__try(struct cupel__evaluator *e, uint32_t sub, struct cupel__node *v)
{
    return cupel__try_inline(e, sub, v);
}
