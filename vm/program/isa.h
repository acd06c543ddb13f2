/* isa.h: the instruction set: layout of code words, opcodes, operand kinds.
 *
 * opcodes.def says what each instruction does, operands.def what each kind of operand holds.  The
 * VM owns the instruction set; the compiler emits it.
 *
 * Code is an array of 32-bit words.  An instruction is one word and up to three operand words:
 *
 *     bits  0-6   opcode            7      LAST
 *           8-15  a                 16-31  b
 *
 * A reference to a subschema is one word: {types that may pass : 12, code index : 20}.  A value of
 * any other type fails.  Otherwise the sequence at the index runs on it; index 0 is no sequence,
 * and the value passes.  So a schema that only restricts the type costs no instruction.
 */
#ifndef CUPEL_VM_ISA_H
#define CUPEL_VM_ISA_H

#include "base/json/tape.h"

enum cupel__op {
#define OP(name, on, a, b, c, d, e, flow, problem, summary) CUPEL__OP_##name,
#include "vm/program/opcodes.def"
    CUPEL__OPS
};

enum cupel__operand {
#define OPERAND(name, holds) CUPEL__OPERAND_##name,
#define PART(name)           CUPEL__OPERAND_##name,
#include "vm/program/operands.def"
};

enum cupel__flow { CUPEL__FLOW_TEST, CUPEL__FLOW_CHECK, CUPEL__FLOW_JUMP };

/* The key of the hashes in images.  It is no secret: names of a schema that collide slow down that
 * schema only. */
#define CUPEL__HASH_KEY ((const uint64_t[2]){0, 0})

enum { CUPEL__M_CONTAINER = CUPEL__M_ARRAY | CUPEL__M_OBJECT };

/* a, b, c, d, e: a and b lie in the first word, the others take a word each.  Of c, d and e those
 * that an instruction has come first. */
enum { CUPEL__OPERANDS = 5 };

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

/* Operand i of the instruction at `word`; 0 if it has none. */
static inline uint32_t cupel__operand_of(const uint32_t *word, const struct cupel__op_info *info,
                                         int i)
{
    if (i == 0)
        return CUPEL__WORD_A(*word);
    if (i == 1)
        return CUPEL__WORD_B(*word);
    return info->operand[i] == CUPEL__OPERAND_none ? 0 : word[i - 1];
}

/* Whether the instruction is a choice whose operand c lists the branches. */
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

/* Classes of types: a SWITCH has a label for each. */
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
