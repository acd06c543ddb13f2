/* memo.h: results that MEMO instructions keep during a run (memo.c). */
#ifndef CUPEL_VM_RUN_MEMO_H
#define CUPEL_VM_RUN_MEMO_H

#include "base/map.h"
#include "vm/program/isa.h"

struct cupel__vm;
struct cupel__frame;

struct cupel__memo {
    struct cupel__map results;   /* by instruction, value and dynamic scope */
    int64_t below;               /* results are kept only while fewer steps than this remain */
    uint64_t *sets;              /* children that kept schemas evaluated, one set after the other */
    size_t used, capacity, most; /* words of sets */
    size_t need;                 /* words that a run lacked; 0: none */
};

/* MEMO_NONE: no result is kept.  MEMO_WORDS: the most words of sets that a state can refer to. */
enum { CUPEL__MEMO_NONE = 2, CUPEL__MEMO_WORDS = 1 << 24 };

/* Whether the MEMO whose first word is given keeps its result for v, with so many steps left. */
static inline bool cupel__memo_keeps(const struct cupel__memo *memo, uint32_t word, int64_t steps,
                                     const struct cupel__node *v)
{
    return steps <= memo->below && (CUPEL__WORD_B(word) >> v->type & 1);
}
/* Begins a run. */
void cupel__memo_begin(struct cupel__vm *);
/* Whether the schema of the MEMO at `pc` passes v: 1 (the children that it evaluates are marked),
 * 0, or MEMO_NONE. */
int cupel__memo_find(struct cupel__vm *, uint32_t pc, uint32_t v);
/* Begins a MEMO whose frame has just been pushed: saves the current set and scope in the frame and,
 * if the schema's evaluated children must be kept, gives it an empty set.  False as below. */
bool cupel__memo_enter(struct cupel__vm *, struct cupel__frame *);
/* Keeps the result.  False: no capacity, but it may grow; vm->reason is set. */
bool cupel__memo_leave(struct cupel__vm *, struct cupel__frame *, bool passed);
/* Sets the number of the scope to that of the scope which the SCOPE at `pc` enters: equal scopes
 * have equal numbers.  False as above. */
bool cupel__memo_scope(struct cupel__vm *, uint32_t pc);

#endif
