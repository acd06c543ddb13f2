/* schema_iter.c: the instructions of a schema, one after the other (schema_iter.h). */
#include "vm/report/schema_iter.h"
#include "vm/report/location.h"
#include <string.h>

/* The most instructions that one iterator visits.  An image may come from anywhere and its schemas
 * may apply each other in circles. */
enum { MAX_INSTRUCTIONS = 4096 };

static void begin(struct cupel__schema_iter *it, const struct cupel__code *code, uint32_t pc,
                  int64_t *steps)
{
    it->steps = steps;
    it->code = code;
    it->pc = pc;
    it->furthest = it->nqueue = 0;
    it->left = MAX_INSTRUCTIONS;
    it->alone = it->memos = false;
}

void cupel__schema_iter_sub(struct cupel__schema_iter *it, const struct cupel__code *code,
                            uint32_t sub, int64_t *steps)
{
    begin(it, code, CUPEL__SUB_PC(sub), steps);
}

/* False if no step remains. */
static bool pay(int64_t *steps)
{
    return steps == NULL || --*steps > 0;
}

/* Starts at the first instruction of the schema that the one at `pc` belongs to.  The marks of a
 * sequence are adjacent, so it goes back over marks of the same schema; it stops at a MEMO, which
 * has a sequence of its own before that of the schema it applies. */
void cupel__schema_iter_siblings(struct cupel__schema_iter *it, const struct cupel__code *code,
                                 uint32_t pc, int64_t *steps)
{
    uint32_t i = cupel__mark_find(code, pc), first = pc;
    bool found = i < code->image->marks.count && cupel__marks(code)[i].pc == pc;
    uint32_t schema = found ? cupel__mark_schema(code, &cupel__marks(code)[i]) : CUPEL__NO_LOC;
    for (uint32_t n = MAX_INSTRUCTIONS; found && i > 0 && n > 0 && pay(steps); n--) {
        const struct cupel__image_mark *before = &cupel__marks(code)[--i];
        found = cupel__mark_schema(code, before) == schema &&
                CUPEL__WORD_OP(code->words[before->pc]) != CUPEL__OP_MEMO;
        first = found ? before->pc : first;
    }
    begin(it, code, first, steps);
    it->alone = true;
}

/* Linear: no index leads from locations to instructions, and no other function needs one. */
void cupel__schema_iter_at(struct cupel__schema_iter *it, const struct cupel__code *code,
                           uint32_t loc, int64_t *steps)
{
    uint32_t i = 0, n = code->image->marks.count;
    while (i < n && pay(steps) && cupel__mark_schema(code, &cupel__marks(code)[i]) != loc)
        i++;
    bool found = i < n && (steps == NULL || *steps > 0);
    begin(it, code, found ? cupel__marks(code)[i].pc : 0, steps);
}

/* Queues the schema that an instruction applies in place to every value.  What does not fit into
 * the queue is not visited: a message then says less. */
static void follow(struct cupel__schema_iter *it, const uint32_t *word)
{
    uint32_t op = CUPEL__WORD_OP(*word);
    bool in_place = op == CUPEL__OP_CALL || op == CUPEL__OP_DYNAMIC || op == CUPEL__OP_SCOPE ||
                    op == CUPEL__OP_UNEVALUATED || (op == CUPEL__OP_MEMO && it->memos);
    if (in_place && !it->alone && CUPEL__SUB_PC(word[1]) != 0 &&
        it->nqueue < sizeof it->queue / sizeof *it->queue)
        it->queue[it->nqueue++] = CUPEL__SUB_PC(word[1]);
}

static uint32_t max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Moves past an instruction.  The branches of a sequence lie one after the other and labels lead
 * forward, so the sequence ends with the instruction that ends a branch and has no label beyond. */
static void advance(struct cupel__schema_iter *it, const uint32_t *word)
{
    const struct cupel__op_info *info = &cupel__op_info[CUPEL__WORD_OP(*word)];
    if (CUPEL__WORD_OP(*word) == CUPEL__OP_JUMP)
        it->furthest = max(it->furthest, word[1]);
    if (CUPEL__WORD_OP(*word) == CUPEL__OP_SWITCH) {
        const struct cupel__list *labels = cupel__image_list(it->code->image, word[1]);
        for (uint32_t i = 0; i < labels->count; i++)
            it->furthest = max(it->furthest, labels->item[i]);
    }
    bool branch_ends = (*word & CUPEL__LAST) || info->flow == CUPEL__FLOW_JUMP;
    it->pc = branch_ends && it->furthest <= it->pc ? 0 : it->pc + info->words;
}

/* Also charges the step; ends early after MAX_INSTRUCTIONS or when no step remains. */
const uint32_t *cupel__schema_iter_next(struct cupel__schema_iter *it)
{
    if (it->pc == 0 && it->nqueue > 0) {
        it->pc = it->queue[0];
        it->furthest = 0;
        memmove(it->queue, it->queue + 1, --it->nqueue * sizeof *it->queue);
    }
    if (it->pc == 0 || it->left == 0 || !pay(it->steps))
        return NULL;
    const uint32_t *word = it->code->words + it->pc;
    it->left--;
    follow(it, word);
    advance(it, word);
    return word;
}
