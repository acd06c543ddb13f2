/* exec.h: running a program on a value: the machine's memory, its results, its loops.
 *
 * The loop (exec_loop.h) is compiled four times: threaded by tail calls, with a portable switch, as
 * the report loop, which goes on after a failure and records what failed, and as that which records
 * all that is run too. All share the helpers. */
#ifndef CUPEL_VM_EXEC_H
#define CUPEL_VM_EXEC_H

#include "base/json/equal.h"
#include "base/json/member_index.h"
#include "base/map.h"
#include "vm/program/name_table.h"
#include "vm/program/program.h"
#include <cupel/validate.h>

/* Sets of instructions, as bits: one of them, and the CHECKs. */
_Static_assert(CUPEL__OPS <= 64, "a set of instructions is a word");
#define CUPEL__OP_BIT(name) (UINT64_C(1) << CUPEL__OP_##name)
static const uint64_t cupel__op_checks = 0
#define OP(name, on, a, b, c, d, e, flow, summary) \
    | (CUPEL__FLOW_##flow == CUPEL__FLOW_CHECK ? CUPEL__OP_BIT(name) : 0)
#include "vm/program/opcodes.def"
    ;

/* How a frame goes on when the sequence above it ends. */
enum cupel__frame_kind {
    CUPEL__FRAME_BASE,    /* the run is over */
    CUPEL__FRAME_CALL,    /* after the instruction */
    CUPEL__FRAME_WALK,    /* with the next member or item of an OBJECT, MAP or ITEMS */
    CUPEL__FRAME_PICK,    /* with the next name of an OBJECT */
    CUPEL__FRAME_MEMBERS, /* with the next thing to do for this member */
    CUPEL__FRAME_PREFIX,
    CUPEL__FRAME_UNEVALUATED, /* with what is left, or the next of it */
    CUPEL__FRAME_SCOPE,
    /* From here on a failure comes back too: choices. */
    CUPEL__FRAME_CONTAINS,
    CUPEL__FRAME_ANY_OF, /* and ONE_OF, CHOOSE */
    CUPEL__FRAME_NOT,
    CUPEL__FRAME_IF,
    CUPEL__FRAME_MEMO, /* with the next instruction, when the result is noted */
    CUPEL__FRAMES
};

/* What a report does with the failures in a choice. */
enum cupel__phase {
    CUPEL__PHASE_TELL, /* they are recorded */
    CUPEL__PHASE_TRY,  /* they are nobody's: a branch may pass */
    CUPEL__PHASE_LOOK  /* those of the value itself are, to find out which branch is meant */
};

struct cupel__frame {
    uint32_t kind;
    uint32_t pc;     /* CALL: where to go on, 0: the sequence is over; else: of the instruction */
    uint32_t v;      /* node index of the instruction's value */
    uint32_t choice; /* choices: the choice around this one, an index of `frames` */
    uint32_t at;     /* loops: node index of the child; ANY_OF: of the branch; MEMO: it keeps */
    uint32_t left;   /* loops: children from this one on */
    uint32_t n;      /* OBJECT, MEMBERS: required members met; ONE_OF, CONTAINS: what has passed;
                        MEMO: whether it has a set */
    uint32_t stage;  /* MEMBERS, UNEVALUATED */
    uint32_t track;  /* choices, UNEVALUATED: the set's owner around it, an index of `frames` */
    uint32_t bits;   /* choices, UNEVALUATED: words of sets that were in use before it */
    uint32_t scope;  /* choices, SCOPE: the dynamic scope before it */
    uint32_t failed; /* report: something in the sequence above failed */
    uint64_t bound;  /* choices: the anchors that had a schema; SCOPE: that it gave one */
    uint64_t menu;   /* ANY_OF: the branches that a discriminator leaves, if there is one */
    uint32_t events; /* report: how many there were before … */
    uint32_t notes;  /* … and how many notes; those of a sequence that fails are dropped */
    uint32_t ref;    /* report, CALL and choices: the CALL around it */
    uint32_t
        step; /* report, CALL: its step in `paths`, if it has one; choices: enum cupel__phase */
};

/* Something failed: the instruction, the value, and which (of the missing names, say).  A choice
 * that fails stands before what failed in its branches. */
struct cupel__event {
    uint32_t pc, node, which;
    uint32_t path;   /* the last step of the way here through other schemas, 0: none */
    uint32_t group;  /* 1 + the event of the choice around it, 0: none … */
    uint32_t branch; /* … and which of its branches */

    /* Filled in by report/best_branch.c and report/selection.c. */
    uint32_t chosen; /* choices that failed: the best-matching branch, or CUPEL_NO_RECORD */
    uint32_t tag;    /* choices: the member's value that decided for it, 0: none */
    uint8_t choice;  /* enum cupel_choice */
    bool reported;   /* is a problem: outside branches that do not match best, and no repetition */
    bool replaced;   /* choices: the failures of the chosen branch are reported instead */
    bool passed;     /* trace: the instruction passed */
};

/* Whether what fails for v is recorded. */
#define CUPEL__TELLS(vm, v) \
    ((vm)->muted == 0 && ((vm)->only == 0 || (vm)->only == 1 + (uint32_t)((v) - (vm)->nodes)))

/* `which` of an event at instruction 0: something failed that no record tells of. */
enum { CUPEL__UNREPORTED = 1 };

/* A step of the way to an event: an instruction that applied another schema to its value. */
struct cupel__path {
    uint32_t pc, sub; /* sub: the schema */
    uint32_t up;      /* the step before, 0: none */
};

/* Annotations: NOTE instructions, one after the other, that were run on a value; the first of them.
 */
struct cupel__note {
    uint32_t pc, node, path;
};

/* What a format made of the string looked at last; `format` is one more than its number, 0: of
 * none. */
struct cupel__kept_format {
    uint32_t off, len; /* as in the string's node */
    int result;
    uint16_t format;
    uint8_t flags;
};

struct cupel__vm {
    const struct cupel__image *image;
    const uint32_t *code;
    const struct cupel__code *program;
    struct cupel__doc *doc;
    struct cupel__node *nodes;
    struct cupel__frame *frames, *limit; /* limit: the last frame there is */
    uint32_t choice;                     /* the innermost choice, 0: none */
    uint32_t track;                      /* frame whose set is being filled, 0: none */
    uint64_t bound;                      /* the anchors that have a schema … */
    size_t nbits;                        /* words of sets in use */
    enum cupel_status reason;            /* when undecided */
    bool stateful;                       /* the program has UNEVALUATED or SCOPE */
    bool in_callback;                    /* the host runs, so the scratch must not be used */
    bool memos;                          /* the program has MEMO */
    struct cupel__budget budget;         /* steps left, while no loop holds them in a register */
    struct cupel__matcher_scratch *matching;
    struct cupel__arena work_space;        /* of the format `regex`, empty between instructions */
    struct cupel__kept_format kept_format; /* of the formats that need IDNA */
    bool idn_optional;                     /* names that cannot be decided here pass */
    uint64_t *unique;                      /* table of UNIQUE */
    size_t nunique, unique_need;           /* words there are; words that were missing */
    uint64_t key[2];                       /* of its hash */
    struct cupel__member_index index;      /* of names in large objects */

    uint64_t *bits;                   /* sets of evaluated children, a stack of words */
    size_t max_bits, bits_need;       /* there are; were missing in all */
    uint32_t binding[CUPEL__ANCHORS]; /* the schemas of the anchors in `bound` */

    struct cupel__map memo; /* what MEMO has worked out … */
    int64_t memo_below;     /* … since fewer steps than this were left */
    uint64_t *kept;         /* its sets, one after the other */
    size_t nkept, max_kept, kept_most,
        kept_need;           /* words in use; there are; may be; were missing */
    uint32_t scope, nscopes; /* the dynamic scope, by number; how many there have been */

    /* What helpers return besides their result.  Not locals of the handlers, whose address would
       keep their last call from being a jump. */
    uint32_t which, next_sub, words;
    uint64_t menu;
    const uint32_t
        *sifted; /* the CHOOSE that is entered next, if vm->menu is what it leaves; or NULL */
    struct cupel__node *next;
    const uint32_t *todo;

    struct cupel__event *events; /* report */
    uint32_t nevents, max_events, events_lost;
    struct cupel__path *paths; /* paths[0] is none */
    uint32_t npaths, max_paths, paths_lost;
    uint32_t ref;              /* frame of the innermost CALL, 0: none */
    uint32_t retold;           /* kept failures that were found again, to be recorded */
    uint32_t muted;            /* choices whose failures are nobody's */
    uint32_t only;             /* 1 + the only node whose failures are recorded, 0: of all */
    struct cupel__note *notes; /* annotations, if they are wanted */
    size_t nnotes, max_notes, notes_need;
    bool want_notes;
    bool tracing; /* all that is run is recorded */
    bool brief;   /* what is in branches that are not meant is not wanted */

    /* The registers, where the loop does not keep them in the machine's. */
    const uint32_t *pc;
    struct cupel__node *v;
    struct cupel__frame *sp;
};

/* What the DYNAMIC at pc applies. */
static inline uint32_t cupel__dynamic_sub(const struct cupel__vm *vm, const uint32_t *pc)
{
    uint32_t anchor = CUPEL__WORD_B(*pc);
    return vm->bound >> anchor & 1 ? vm->binding[anchor] : pc[1];
}

/* Whether the text that vm->doc has as so many tokens is JSON and valid; false: it may be all the
 * same (exec_direct.h).  Its nesting; vm->budget is charged as by the run of a loop. */
bool cupel__exec_direct(struct cupel__vm *, uint32_t tokens, uint32_t max_number,
                        uint32_t *ret_depth);

/* What a report keeps (exec_record.c).  Where there is no room, `events_lost` and `paths_lost`
 * count, and the run goes on. */
void cupel__record_failure(struct cupel__vm *, const uint32_t *pc, const struct cupel__node *v,
                           uint32_t which);
/* Gives the innermost CALL its step, and returns it. */
uint32_t cupel__record_way(struct cupel__vm *);

/* Whether a number is an integer that its node has as one. */
static inline bool cupel__is_small(const struct cupel__node *v)
{
    return v->type == CUPEL__INT || (v->type == CUPEL__INTREAL && !(v->flags & CUPEL__BIG));
}

/* Whether a CALL frame has its step already, and it is not cut off.  What was cut off is not made
 * for another frame while this one stands: whoever needs a step gives those around it theirs first.
 */
static inline bool cupel__has_step(const struct cupel__vm *vm, uint32_t frame)
{
    uint32_t step = vm->frames[frame].step;
    return step != 0 && step < vm->npaths;
}

/* The last step of the way here. */
static inline uint32_t cupel__way_here(struct cupel__vm *vm)
{
    if (vm->ref == 0)
        return 0;
    return cupel__has_step(vm, vm->ref) ? vm->frames[vm->ref].step : cupel__record_way(vm);
}

/* The NOTE at pc and those behind it, which are wanted: 1, or -1 with vm->reason. */
static inline int cupel__record_note(struct cupel__vm *vm, const uint32_t *pc,
                                     const struct cupel__node *v)
{
    if (v->flags & CUPEL__KEY)
        return 1;
    if (vm->nnotes == vm->max_notes) {
        vm->notes_need = vm->nnotes + 1;
        vm->reason = CUPEL_E_LIMIT_MEMORY;
        return -1;
    }
    vm->notes[vm->nnotes++] = (struct cupel__note){(uint32_t)(pc - vm->code),
                                                   (uint32_t)(v - vm->nodes), cupel__way_here(vm)};
    return 1;
}
/* A choice begins, in the frame f.  It ends with failures of its own or without; in the first case
 * `which` says why, 0: no branch passed. */
void cupel__record_choice(struct cupel__vm *, struct cupel__frame *f);
/* No branch has passed: true if they are to be run once more, or the one that is meant, so that
 * their failures are recorded.  The frame then says so.  May be asked again when that is done. */
bool cupel__record_again(struct cupel__vm *, struct cupel__frame *f);
/* The run has been stopped: of what was recorded, that which is certain stays.  True if anything
 * is. */
bool cupel__record_cut(struct cupel__vm *);
void cupel__record_end(struct cupel__vm *, const struct cupel__frame *f);
void cupel__record_choice_failure(struct cupel__vm *, const uint32_t *pc,
                                  const struct cupel__node *v, uint32_t which, uint32_t slot,
                                  uint32_t end);

/* Runs from the root on a node; vm->budget.remaining is the budget.  VALID, INVALID, or UNDECIDED
 * with vm->reason. */
enum cupel_verdict cupel__exec_threaded(struct cupel__vm *, uint32_t node);
enum cupel_verdict cupel__exec_switch(struct cupel__vm *, uint32_t node);
enum cupel_verdict cupel__exec_report(struct cupel__vm *, uint32_t node);
enum cupel_verdict cupel__exec_trace(struct cupel__vm *, uint32_t node); /* not in libcupel-vm */

/* -- Helpers (exec_helpers.c) --------------------------------------------------------------------
 * *
 *
 * Each charges vm->budget and returns 1 passed, 0 failed, -1 undecided with vm->reason set. */

int cupel__check_bound(struct cupel__vm *, const struct cupel__node *v, uint32_t value, int sign,
                       bool exclusive);
int cupel__check_range(struct cupel__vm *, const struct cupel__node *v, int32_t min, int32_t max);
int cupel__check_multiple(struct cupel__vm *, const struct cupel__node *v, uint32_t value);
int cupel__check_equal(struct cupel__vm *, const struct cupel__node *v, uint32_t value);
int cupel__check_enum(struct cupel__vm *, const struct cupel__node *v, uint32_t list);
int cupel__check_lookup(struct cupel__vm *, const struct cupel__node *v, uint32_t list,
                        uint32_t hashes);
int cupel__check_length(struct cupel__vm *, struct cupel__node *v, uint32_t min, uint32_t max);
int cupel__check_pattern(struct cupel__vm *, struct cupel__node *v, uint32_t pattern);
int cupel__check_format(struct cupel__vm *, struct cupel__node *v, uint32_t format);
int cupel__check_host_format(struct cupel__vm *, struct cupel__node *v, uint32_t format);
int cupel__check_string(struct cupel__vm *, struct cupel__node *v, const uint32_t *pc);
int cupel__check_strings(struct cupel__vm *, struct cupel__node *v, uint32_t table);
int cupel__check_unique(struct cupel__vm *, const struct cupel__node *v);
int cupel__check_either(struct cupel__vm *, const uint32_t *pc, struct cupel__node *v);
/* The first name from vm->which on that v lacks: 0 and its index, or 1. */
int cupel__check_required(struct cupel__vm *, const struct cupel__node *v, uint32_t table);
/* The value of the entry's member in object node v: 1 and vm->next, 0, -1. */
int cupel__find_entry(struct cupel__vm *, const struct cupel__table *, const struct cupel__entry *,
                      uint32_t v);
int cupel__has_member(struct cupel__vm *, const struct cupel__node *v, uint32_t str);
int cupel__check_depends(struct cupel__vm *, const struct cupel__node *v, uint32_t str,
                         uint32_t table);

/* What the discriminator of the CHOOSE or CASES at pc leaves (run/discriminator.c): in vm->next_sub
 * what v has to pass, a reference that admits no type if nothing is left.  Of a CHOOSE false if
 * more than one branch is; vm->menu says which.  When the budget is gone the answer means nothing:
 * vm->budget.remaining is below zero, and the caller stops. */
bool cupel__sift_choice(struct cupel__vm *, const uint32_t *pc, struct cupel__node *v);
void cupel__sift_case(struct cupel__vm *, const uint32_t *pc, const struct cupel__node *v);

/* The schema of v that is all that an instruction leads to, in vm->next_sub; false if it is not
 * that simple. */
bool cupel__lead(struct cupel__vm *, const uint32_t *pc, struct cupel__node *v);

/* The next subschema that the members of a MEMBERS frame have to pass: 1 with vm->next_sub and the
 * value it is for in vm->next, 0 when there are no more, -1. */
int cupel__next_member(struct cupel__vm *, struct cupel__frame *);

/* The next of a table's patterns, from vm->which on, that a key matches: 1 with what its value has
 * to pass in vm->next_sub.  vm->which is then where to go on, 0 after the last; what matches none
 * has to pass `other`. */
int cupel__next_match(struct cupel__vm *, const struct cupel__table *, struct cupel__node *key);

/* The result of a CHECK. */
int cupel__check_value(struct cupel__vm *, const uint32_t *pc, struct cupel__node *v);

/* Evaluated children (exec_track.c).  A set belongs to the frame of an UNEVALUATED; what is marked
 * counts only for that frame's own value.  False: out of room, vm->reason is set. */
enum { CUPEL__WORDS_A_STEP = 8 }; /* of a set, copied or added */
bool cupel__track_begin(struct cupel__vm *, struct cupel__frame *);
/* Ends it: all children are evaluated, for the UNEVALUATED around it. */
void cupel__track_end(struct cupel__vm *, struct cupel__frame *);
bool cupel__is_evaluated(const struct cupel__vm *, const struct cupel__frame *, uint32_t child);
/* Children from `first` up to `end` of node v are evaluated. */
void cupel__mark(struct cupel__vm *, uint32_t v, uint32_t first, uint32_t end);
/* A choice notes the state that a failure has to bring back, and but for a CONTAINS keeps what has
 * been evaluated of the value; keeps that anew after a branch has passed; brings all of it back. */
void cupel__choice_begin(struct cupel__vm *, struct cupel__frame *);
bool cupel__choice_keep(struct cupel__vm *, struct cupel__frame *);
void cupel__choice_keep_anew(struct cupel__vm *, struct cupel__frame *);
void cupel__choice_restore(struct cupel__vm *, struct cupel__frame *);

/* With the build option debug_vm every instruction is looked at before it runs, with its value and
 * the top frame (NULL: none is at hand).  What the verifier should not have let through ends the
 * process. */
#if CUPEL__DEBUG_VM
void cupel__debug_check(const struct cupel__vm *, const uint32_t *pc, const struct cupel__node *v,
                        const struct cupel__frame *sp);
#    define CUPEL__DEBUG_CHECK(vm, pc, v, sp) cupel__debug_check(vm, pc, v, sp)
#else
#    define CUPEL__DEBUG_CHECK(vm, pc, v, sp) ((void)0)
#endif

/* What MEMO instructions have worked out (exec_memo.c). */
enum { CUPEL__MEMO_NONE = 2, CUPEL__MEMO_WORDS = 1 << 24 }; /* of sets that are kept: at the most */
/* Whether the MEMO whose first word is given keeps its result for v, with so many steps left. */
static inline bool cupel__memo_keeps(const struct cupel__vm *vm, uint32_t word, int64_t steps,
                                     const struct cupel__node *v)
{
    return steps <= vm->memo_below && (CUPEL__WORD_B(word) >> v->type & 1);
}
/* Begins a run. */
void cupel__memo_begin(struct cupel__vm *);
/* Whether the schema of the MEMO at `pc` passes v: 1 (what it evaluates is marked), 0, or
 * MEMO_NONE. */
int cupel__memo_find(struct cupel__vm *, uint32_t pc, uint32_t v);
/* The frame of a MEMO is on the stack; gets a set of its own if it needs one. */
bool cupel__memo_enter(struct cupel__vm *, struct cupel__frame *);
/* Keeps the result. False: out of room that there can be more of, vm->reason is set. */
bool cupel__memo_leave(struct cupel__vm *, struct cupel__frame *, bool passed);
/* The scope becomes what the SCOPE at `pc` makes of it.  False as above. */
bool cupel__memo_scope(struct cupel__vm *, uint32_t pc);

/* The set that is being filled for node v and its words, or NULL; NULL also for one without
 * children. */
uint64_t *cupel__track_set(const struct cupel__vm *, uint32_t v, size_t *ret_words);
/* Takes n words from the top of the stack of sets. */
bool cupel__track_take(struct cupel__vm *, size_t n);

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

#endif
