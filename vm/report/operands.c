/* operands.c: the operands of instructions, decoded for reports (operands.h). */
#include "vm/report/operands.h"

const uint32_t *cupel__values_of(const struct cupel__code *code, const uint32_t *word,
                                 uint32_t *ret_n)
{
    if (CUPEL__WORD_OP(*word) == CUPEL__OP_CONST) {
        *ret_n = 1;
        return &word[1];
    }
    const struct cupel__list *list = cupel__image_list(code->image, word[1]);
    *ret_n = list->count;
    return list->item;
}

/* All node types that one JSON type has: a number may be an INT, a REAL or a BIGINT. */
static uint32_t all_spellings(uint32_t type)
{
    uint32_t bit = CUPEL__BIT(type);
    return bit & CUPEL__M_NUMBER    ? CUPEL__M_NUMBER
           : bit & CUPEL__M_STRING  ? CUPEL__M_STRING
           : bit & CUPEL__M_BOOLEAN ? (uint32_t)CUPEL__M_BOOLEAN
                                    : bit;
}

uint32_t cupel__value_types(const struct cupel__code *code, const uint32_t *word)
{
    uint32_t n, types = 0;
    const uint32_t *values = cupel__values_of(code, word, &n);
    for (uint32_t i = 0; i < n; i++)
        types |= all_spellings(code->values.nodes[values[i]].type);
    return types;
}

uint32_t cupel__named_types(uint32_t types)
{
    bool strict = (types & CUPEL__M_NUMBER) == (CUPEL__BIT(CUPEL__INT) | CUPEL__BIT(CUPEL__BIGINT));
    return strict ? types | CUPEL__BIT(CUPEL__INTREAL) : types;
}

const struct cupel__list *cupel__branches_of(const struct cupel__code *code, uint32_t pc)
{
    return cupel__image_list(code->image, code->words[pc + 1]);
}
