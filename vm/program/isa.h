/* isa.h: the instruction set: layout of code words, opcodes, operand kinds.
 *
 * The VM owns this; the compiler is its client. What the instructions mean is in opcodes.def.
 *
 * Code is an array of 32-bit words.  An instruction is one word and up to three operand words:
 *
 *     bits  0-6   opcode            7      LAST
 *           8-15  a                 16-31  b
 *
 * A reference to a subschema is one word: {types that may pass : 12, code index : 20}.  A value
 * whose type is not among the types fails; otherwise it is run from the index, and index 0 means
 * that there is nothing more to run.  So a schema that only asks for a type costs no instruction.
 */
#ifndef CUPEL_VM_ISA_H
#define CUPEL_VM_ISA_H

#include "base/json/tape.h"

enum cupel__op {
#define OP(name, on, a, b, c, d, e, flow, summary) CUPEL__OP_##name,
#include "vm/program/opcodes.def"
    CUPEL__OPS
};

enum cupel__operand {
    CUPEL__OPERAND_none,    /* the field is zero */
    CUPEL__OPERAND_flag,    /* 0 or 1: exclusive */
    CUPEL__OPERAND_marks,   /* 0 or 1: what it applies to becomes evaluated */
    CUPEL__OPERAND_mask,    /* a set of types: those that go on, or are looked at */
    CUPEL__OPERAND_kept,    /* a set of types */
    CUPEL__OPERAND_len8,    /* 0 to 8 */
    CUPEL__OPERAND_anchor,  /* below CUPEL__ANCHORS */
    CUPEL__OPERAND_word,    /* 32 bits */
    CUPEL__OPERAND_count,   /* unsigned */
    CUPEL__OPERAND_int,     /* signed */
    CUPEL__OPERAND_value,   /* index of a constant; number instructions: of a number */
    CUPEL__OPERAND_divisor, /* the same, of a number above zero */
    CUPEL__OPERAND_values,  /* list of value indices */
    CUPEL__OPERAND_hashes,  /* list of pairs: a hash, an index in the list of values */
    CUPEL__OPERAND_pattern, /* index of a pattern */
    CUPEL__OPERAND_format,  /* enum cupel__format */
    CUPEL__OPERAND_named,   /* index in the image's list of the host's formats */
    CUPEL__OPERAND_str,     /* offset of a string constant: its length, then its bytes */
    CUPEL__OPERAND_table,   /* offset of a table of names */
    CUPEL__OPERAND_object,  /* offset of a table of members */
    CUPEL__OPERAND_sieve,   /* offset of a table of what tells the branches of a choice apart … */
    CUPEL__OPERAND_cases,   /* … of one that leaves one alone … */
    CUPEL__OPERAND_tags,    /* … in it: of a table of values … */
    CUPEL__OPERAND_masks,   /* … and of the sets of branches; of no instruction */
    CUPEL__OPERAND_sub,     /* subschema of a child of the value */
    CUPEL__OPERAND_left,    /* the same, or CUPEL__NO_SUB */
    CUPEL__OPERAND_subs,    /* list of them */
    CUPEL__OPERAND_here,    /* subschema of the value itself */
    CUPEL__OPERAND_heres,   /* list of them */
    CUPEL__OPERAND_targets, /* list of them, one for each bit of the sieve before it */
    CUPEL__OPERAND_plains,  /* list of them, each of CHECKs alone and of no EITHER; in no report */
    CUPEL__OPERAND_anchors, /* list of them, one for each anchor, CUPEL__NO_SUB for none */
    CUPEL__OPERAND_label,   /* code index after this instruction */
    CUPEL__OPERAND_labels   /* list of CUPEL__CLASSES labels, 0 for none */
};

enum cupel__flow { CUPEL__FLOW_TEST, CUPEL__FLOW_CHECK, CUPEL__FLOW_JUMP };

/* The key of the hashes in images, which are no secret: who collides them slows down his own
 * schema. */
#define CUPEL__HASH_KEY ((const uint64_t[2]){0, 0})

enum { CUPEL__M_CONTAINER = CUPEL__M_ARRAY | CUPEL__M_OBJECT };

enum {
    CUPEL__OPERANDS = 5
}; /* a, b, c, d, e: two in the first word, then one in each; none before one that is */

struct cupel__op_info {
    uint16_t on;
    uint8_t operand[CUPEL__OPERANDS];
    uint8_t words; /* of the whole instruction */
    uint8_t flow;
};

extern const struct cupel__op_info cupel__op_info[CUPEL__OPS];

/* Code words. */
#define CUPEL__LAST       0x80u
#define CUPEL__WORD_OP(w) ((w)&0x7fu)
#define CUPEL__WORD_A(w)  (((w) >> 8) & 0xffu)
#define CUPEL__WORD_B(w)  ((w) >> 16)
#define CUPEL__MAX_WORDS  4

/* Operand i of the instruction at a word; 0 if it has none. */
static inline uint32_t cupel__operand_of(const uint32_t *word, const struct cupel__op_info *info,
                                         int i)
{
    if (i == 0)
        return CUPEL__WORD_A(*word);
    if (i == 1)
        return CUPEL__WORD_B(*word);
    return info->operand[i] == CUPEL__OPERAND_none ? 0 : word[i - 1];
}

/* Whether it is a choice between branches, which are those of its first word. */
static inline bool cupel__is_choice_op(uint32_t op)
{
    return op == CUPEL__OP_ANY_OF || op == CUPEL__OP_ONE_OF || op == CUPEL__OP_CHOOSE;
}

/* References to subschemas. */
#define CUPEL__SUB(types, pc) ((uint32_t)(types) | (uint32_t)(pc) << 12)
#define CUPEL__SUB_TYPES(s)   ((s)&0xfffu)
#define CUPEL__SUB_PC(s)      ((s) >> 12)
#define CUPEL__MAX_PC         0xfffffu
#define CUPEL__SUB_ANY        CUPEL__SUB(CUPEL__M_ANY, 0)

#define CUPEL__NO_SUB UINT32_MAX

#define CUPEL__ANCHORS 64

/* Classes of types, for SWITCH. */
enum cupel__class {
    CUPEL__CLASS_NULL,
    CUPEL__CLASS_BOOLEAN,
    CUPEL__CLASS_NUMBER,
    CUPEL__CLASS_STRING,
    CUPEL__CLASS_ARRAY,
    CUPEL__CLASS_OBJECT,
    CUPEL__CLASSES
};

extern const uint16_t cupel__class_types[CUPEL__CLASSES];
extern const uint8_t cupel__class_of[16]; /* by type */

#endif
