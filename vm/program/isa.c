/* isa.c: the instruction set as tables: operand kinds, length and flow of each opcode; the classes
 * of types. */
#include "vm/program/isa.h"

#define PRESENT(kind) ((CUPEL__OPERAND_##kind) != CUPEL__OPERAND_none)

const struct cupel__op_info cupel__op_info[CUPEL__OPS] = {
#define OP(name, on, a, b, c, d, e, flow, problem, summary)                            \
    [CUPEL__OP_##name] = {CUPEL__M_##on,                                               \
                          {CUPEL__OPERAND_##a, CUPEL__OPERAND_##b, CUPEL__OPERAND_##c, \
                           CUPEL__OPERAND_##d, CUPEL__OPERAND_##e},                    \
                          1 + PRESENT(c) + PRESENT(d) + PRESENT(e),                    \
                          CUPEL__FLOW_##flow},
#include "vm/program/opcodes.def"
};

/* The types of each class: a SWITCH has a label for a class. */
const uint16_t cupel__class_types[CUPEL__CLASSES] = {
    [CUPEL__CLASS_NULL] = CUPEL__M_NULL,     [CUPEL__CLASS_BOOLEAN] = CUPEL__M_BOOLEAN,
    [CUPEL__CLASS_NUMBER] = CUPEL__M_NUMBER, [CUPEL__CLASS_STRING] = CUPEL__M_STRING,
    [CUPEL__CLASS_ARRAY] = CUPEL__M_ARRAY,   [CUPEL__CLASS_OBJECT] = CUPEL__M_OBJECT,
};

/* The class of each type. */
const uint8_t cupel__class_of[16] = {
    [CUPEL__NULL] = CUPEL__CLASS_NULL,      [CUPEL__FALSE] = CUPEL__CLASS_BOOLEAN,
    [CUPEL__TRUE] = CUPEL__CLASS_BOOLEAN,   [CUPEL__INT] = CUPEL__CLASS_NUMBER,
    [CUPEL__BIGINT] = CUPEL__CLASS_NUMBER,  [CUPEL__INTREAL] = CUPEL__CLASS_NUMBER,
    [CUPEL__REAL] = CUPEL__CLASS_NUMBER,    [CUPEL__STRING] = CUPEL__CLASS_STRING,
    [CUPEL__ESCAPED] = CUPEL__CLASS_STRING, [CUPEL__ARRAY] = CUPEL__CLASS_ARRAY,
    [CUPEL__OBJECT] = CUPEL__CLASS_OBJECT,
};
