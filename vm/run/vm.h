/* vm.h: the memory of the virtual machine.
 *
 * One struct cupel__vm belongs to a scratch and serves one run at a time.  Each part of it is
 * declared by the module that owns it: checks (checks.h), sets of evaluated children (evaluated.h),
 * the dynamic scope (scope.h), kept results (memo.h).  The verdict loop (loop.h) and the report
 * evaluator (report/evaluate.c) share all of them.
 *
 * A sequence of instructions runs on one value.  An instruction that applies another sequence
 * pushes a frame, which says how to go on when that sequence ends.  Frames, sets and tables have
 * their capacity before a run begins: no code that runs with a vm allocates.  Code that lacks
 * capacity sets its `need` and stops the run with LIMIT_MEMORY; scratch.c then grows the array and
 * starts the run again. */
#ifndef CUPEL_VM_RUN_VM_H
#define CUPEL_VM_RUN_VM_H

#include "base/json/equal.h"
#include "vm/program/name_table.h"
#include "vm/program/program.h"
#include "vm/run/checks.h"
#include "vm/run/evaluated.h"
#include "vm/run/memo.h"
#include "vm/run/scope.h"
#include <cupel/validate.h>

/* How a frame continues when the sequence above it ends. */
enum cupel__frame_kind {
    CUPEL__FRAME_BASE,    /* the run is over */
    CUPEL__FRAME_CALL,    /* after the instruction */
    CUPEL__FRAME_WALK,    /* with the next member or item of an OBJECT, MAP or ITEMS */
    CUPEL__FRAME_PICK,    /* with the next name of an OBJECT */
    CUPEL__FRAME_MEMBERS, /* with the next schema for this member, or the next member */
    CUPEL__FRAME_PREFIX,
    CUPEL__FRAME_UNEVALUATED, /* with the first or next unevaluated child */
    CUPEL__FRAME_SCOPE,
    /* Choices: from here on the frame also receives failures of the sequence. */
    CUPEL__FRAME_CONTAINS,
    CUPEL__FRAME_ANY_OF, /* and ONE_OF, CHOOSE */
    CUPEL__FRAME_NOT,
    CUPEL__FRAME_IF,
    CUPEL__FRAME_MEMO, /* keeps the result, then continues after the instruction */
    CUPEL__FRAMES
};

struct cupel__frame {
    uint32_t kind;
    uint32_t pc;     /* of the instruction; CALL: where to go on, 0: the sequence is over */
    uint32_t v;      /* node index of the instruction's value */
    uint32_t choice; /* choices: the choice around this one, an index of `frames` */
    uint32_t
        at; /* loops: node index of the child; ANY_OF: branch; MEMO: whether it keeps the result */
    uint32_t left;  /* loops: remaining children, this one included */
    uint32_t n;     /* OBJECT, MEMBERS: required members met; ONE_OF, CONTAINS: how many passed;
                       UNEVALUATED: position of the child; MEMO: whether it owns a set */
    uint32_t stage; /* MEMBERS, UNEVALUATED */
    uint32_t track; /* choices, UNEVALUATED: the set's owner around it, an index of `frames` */
    uint32_t bits;  /* choices, UNEVALUATED: words of sets that were in use before it */
    uint32_t scope; /* choices, SCOPE: the number of the dynamic scope before it */
    uint64_t bound; /* choices: anchors bound before it; SCOPE: anchors that it bound */
    uint64_t
        candidates; /* ANY_OF: the discriminator's bits of the branches to try, if it has one */
};
_Static_assert(sizeof(struct cupel__frame) == 64, "a frame is a cache line");

/* The frames of a run.  frames[0] is of kind BASE. */
struct cupel__stack {
    struct cupel__frame *frames, *limit; /* limit: the last frame that may be used */
    uint32_t choice;                     /* the innermost choice, 0: none */
};

struct cupel__vm;

/* A handler of the verdict loop (loop.h).  Returns a verdict, or that another one is next. */
typedef int cupel__handler(struct cupel__vm *, const uint32_t *pc, struct cupel__node *v,
                           struct cupel__frame *sp, int64_t steps);

/* The registers of the portable loop between two handlers, and the next handler. */
struct cupel__registers {
    cupel__handler *next;
    const uint32_t *pc;
    struct cupel__node *v;
    struct cupel__frame *sp;
};

/* Further results of helpers.  They are no locals of the loop's handlers: a handler that lets a
 * helper keep the address of a local cannot end with a jump. */
struct cupel__results {
    uint32_t which; /* REQUIRED, DEPENDS: index of the missing name; next_match: the next pattern */
    uint32_t sub, words; /* the schema to apply; words of the instruction that applies it */
    uint64_t candidates; /* the discriminator's bits of the branches that may pass */
    const uint32_t
        *filtered; /* the CHOOSE that `candidates` belongs to, if it runs next; or NULL */
    struct cupel__node *value;
    const uint32_t *pc; /* the instruction to go on with */
};

struct cupel__vm {
    /* The program and the document of the run. */
    const struct cupel__image *image;
    const uint32_t *code;
    const struct cupel__code *program;
    struct cupel__doc *doc;
    struct cupel__node *nodes;
    bool stateful; /* the program has UNEVALUATED or SCOPE */
    bool memos;    /* the program has MEMO */

    bool in_callback; /* a host's function runs, so the scratch must not be used */

    /* The budget. */
    struct cupel__budget budget; /* steps that are left, while no loop holds them in a register */
    enum cupel_status reason;    /* why the run is undecided */

    struct cupel__stack stack;
    struct cupel__registers registers;
    struct cupel__results result;
    struct cupel__evaluated evaluated;
    struct cupel__scope scope;
    struct cupel__memo memo;
    struct cupel__checks checks;
};

/* Around every call of a host's function from within a run or a report: until it returns, functions
 * refuse the scratch, and cupel_document_read the document.  If it does not return (a C++
 * exception, longjmp), that stays so, and the scratch can only be freed. */
static inline void cupel__callback_begin(struct cupel__vm *vm)
{
    vm->in_callback = vm->doc->in_callback = true;
}

static inline void cupel__callback_end(struct cupel__vm *vm)
{
    vm->in_callback = vm->doc->in_callback = false;
}

/* Resets what a run leaves behind, before the next one. */
static inline __attribute__((always_inline)) void cupel__vm_begin(struct cupel__vm *vm)
{
    vm->stack.choice = vm->evaluated.owner = 0;
    vm->evaluated.used = 0;
    vm->scope.bound = 0;
    vm->scope.number = 0;
    vm->result.filtered = NULL;
    vm->checks.idna.format = 0;
}

/* Runs the verdict program from its root on a node.  vm->budget.remaining is the budget.  VALID,
 * INVALID, or UNDECIDED with vm->reason. */
enum cupel_verdict cupel__run_threaded(struct cupel__vm *, uint32_t node);
enum cupel_verdict cupel__run_portable(struct cupel__vm *, uint32_t node);

/* True if the text, of which vm->doc holds `tokens` tokens, is JSON and valid; false decides
 * nothing (short_text.c).  Returns the text's nesting depth.  Charges vm->budget as the run of a
 * loop does. */
bool cupel__run_direct(struct cupel__vm *, uint32_t tokens, uint32_t max_number,
                       uint32_t *ret_depth);

#endif
