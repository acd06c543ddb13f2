/* budget.c: the steps of a call. */
#include "mcp/call/call.h"

/* Takes steps, or bytes that were written, from those that a batch has. */
void cupel__call_spend(struct cupel__call *call, uint64_t n)
{
    uint64_t *left = &call->caller->left;
    if (*left != UINT64_MAX)
        *left -= n < *left ? n : *left;
}

bool cupel__call_charge(struct cupel__call *call, uint64_t steps)
{
    bool enough = steps <= call->left;
    steps = enough ? steps : call->left;
    call->left -= steps;
    call->outcome->steps += steps;
    cupel__call_spend(call, steps);
    if (!enough)
        call->failed = CUPEL_E_LIMIT_STEPS;
    return enough;
}
