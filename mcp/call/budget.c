/* budget.c: the steps that the checks of a call may take, beside the verdict program, which has its
 * own budget.  A message has steps in proportion to its length; the messages of a batch share the
 * steps of one message that is as long as the batch. */
#include "mcp/call/call.h"

void cupel__call_spend(struct cupel__call *call, uint64_t n)
{
    uint64_t *remaining = &call->context->batch_steps;
    if (*remaining != UINT64_MAX)
        *remaining -= n < *remaining ? n : *remaining;
}

/* Charges at most what remains.  The outcome reports the steps that were charged. */
bool cupel__call_charge(struct cupel__call *call, uint64_t steps)
{
    bool enough = steps <= call->steps;
    steps = enough ? steps : call->steps;
    call->steps -= steps;
    call->outcome->steps += steps;
    cupel__call_spend(call, steps);
    if (!enough)
        call->failed = CUPEL_E_LIMIT_STEPS;
    return enough;
}
