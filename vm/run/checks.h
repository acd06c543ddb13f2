/* checks.h: what instructions test of one value or search in it.
 *
 * Unless a comment says otherwise a function charges vm->budget and returns 1 passed, 0 failed, -1
 * undecided with vm->reason set.  None dispatches instructions. */
#ifndef CUPEL_VM_RUN_CHECKS_H
#define CUPEL_VM_RUN_CHECKS_H

#include "base/json/member_index.h"
#include "base/regex/regex.h"
#include "vm/program/isa.h"
#include "vm/program/name_table.h"

struct cupel__vm;
struct cupel__frame;

/* Sets of instructions, as bits: one of them, and the CHECKs. */
_Static_assert(CUPEL__OPS <= 64, "a set of instructions is a word");
#define CUPEL__OP_BIT(name) (UINT64_C(1) << CUPEL__OP_##name)
static const uint64_t cupel__op_checks = 0
#define OP(name, on, a, b, c, d, e, flow, problem, summary) \
    | (CUPEL__FLOW_##flow == CUPEL__FLOW_CHECK ? CUPEL__OP_BIT(name) : 0)
#include "vm/program/opcodes.def"
    ;

/* The result of a format that needs IDNA, for the string that was checked last. */
struct cupel__idna_result {
    uint32_t off, len; /* as in the string's node */
    int result;
    uint16_t format; /* 1 + enum cupel__format; 0: no result */
    uint8_t flags;
};

/* The memory of checks. */
struct cupel__checks {
    struct cupel__matcher_scratch *matching;
    struct cupel__arena arena; /* of the format `regex`; empty between instructions */
    struct cupel__idna_result idna;
    bool idn_optional;           /* names that need IDNA pass where there is no library for it */
    uint64_t *unique;            /* hash table of UNIQUE */
    size_t nunique, unique_need; /* its words; words that a run lacked, 0: none */
    uint64_t key[2];             /* of its hash */
    bool fingerprints; /* UNIQUE compares fingerprints, which are hashes without the key, first */
    struct cupel__member_index index; /* of names in large objects */
};

/* Whether a number is an integer that its node holds as one. */
static inline bool cupel__is_small(const struct cupel__node *v)
{
    return v->type == CUPEL__INT || (v->type == CUPEL__INTREAL && !(v->flags & CUPEL__BIG));
}

/* The result of a check that ends its sequence: the value has passed all of it. */
enum { CUPEL__PASSED_ALL = 2 };

/* Any instruction whose flow is CHECK: also PASSED_ALL.  After a failed REQUIRED or DEPENDS
 * vm->result.which is the index of the missing name. */
int cupel__check_value(struct cupel__vm *, const uint32_t *pc, struct cupel__node *v);
/* The next missing name of such an instruction: 0 and its index in vm->result.which, or 1. */
int cupel__next_missing(struct cupel__vm *, const uint32_t *pc, struct cupel__node *v);

/* Whether an object has the member whose name is at `str`. */
int cupel__has_member(struct cupel__vm *, const struct cupel__node *v, uint32_t str);

/* The value of the entry's member in object node v: 1 and vm->result.value, 0, -1. */
int cupel__find_entry(struct cupel__vm *, const struct cupel__table *, const struct cupel__entry *,
                      uint32_t v);

/* The next subschema that the members of a MEMBERS frame have to pass: 1 with vm->result.sub and
 * the value that it applies to in vm->result.value, 0 when there is none left, -1. */
int cupel__next_member(struct cupel__vm *, struct cupel__frame *);

/* The next of a table's patterns, from vm->result.which on, that a key matches: 1 with the schema
 * for its value in vm->result.sub.  vm->result.which is then the pattern to go on with, 0 after the
 * last; a name that matches no pattern has the schema `other`. */
int cupel__next_match(struct cupel__vm *, const struct cupel__table *, struct cupel__node *key);
/* Whether a key matches any pattern of a table that has some: 1, 0, -1. */
int cupel__matches_any(struct cupel__vm *, const struct cupel__table *, struct cupel__node *key);

/* Discriminators (discriminator.c).  The branches of the CHOOSE or CASES at pc that v may pass:
 * vm->result.sub is the schema that v has to pass, a reference that admits no type if there is no
 * branch.  Of a CHOOSE false if there is more than one branch: vm->result.candidates has their
 * bits.  When the budget is spent (vm->budget.remaining is below zero) the results mean nothing. */
bool cupel__filter_branches(struct cupel__vm *, const uint32_t *pc, struct cupel__node *v);
void cupel__select_case(struct cupel__vm *, const uint32_t *pc, const struct cupel__node *v);

/* The one schema that an instruction applies to v, in vm->result.sub; false if it is not that
 * simple. */
bool cupel__single_sub(struct cupel__vm *, const uint32_t *pc, struct cupel__node *v);

/* With the build option debug_vm each instruction is checked before it runs (debug.c), with its
 * value and the top frame (NULL: not known).  A statement of invariants.def that does not hold ends
 * the process. */
#if CUPEL__DEBUG_VM
void cupel__debug_check(const struct cupel__vm *, const uint32_t *pc, const struct cupel__node *v,
                        const struct cupel__frame *sp);
#    define CUPEL__DEBUG_CHECK(vm, pc, v, sp) cupel__debug_check(vm, pc, v, sp)
#else
#    define CUPEL__DEBUG_CHECK(vm, pc, v, sp) ((void)0)
#endif

#endif
