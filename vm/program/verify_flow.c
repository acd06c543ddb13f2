/* verify_flow.c: the types of value that reach each instruction.
 *
 * A data-flow analysis in one pass.  The types that reach the start of a sequence are the union
 * over all references to it (sub_ok of verify.c), and each instruction passes them on to the next
 * and to its labels.  CHECKS_ONLY is passed on in the same way.  Labels lead forward, so every
 * arrival at an instruction is known before the pass comes to it.  The pass refuses a type that an
 * instruction does not accept, and a sequence without an end. */
#include "vm/program/verify.h"

/* Label i of a jump, 0 if there is none, and the types that go there. */
static uint32_t label_of(const struct verifier *v, uint32_t pc, uint32_t i, uint16_t *ret_types)
{
    if (CUPEL__WORD_OP(v->code[pc]) == CUPEL__OP_JUMP) {
        *ret_types = CUPEL__M_ANY;
        return i == 0 ? v->code[pc + 1] : 0;
    }
    *ret_types = cupel__class_types[i];
    return cupel__image_list(v->image, v->code[pc + 1])->item[i];
}

/* Passes the types that reach a jump on to its labels. */
static enum cupel_status flow_jump(struct verifier *v, uint32_t pc, uint16_t types)
{
    for (uint32_t i = 0; i < CUPEL__CLASSES; i++) {
        uint16_t mine;
        uint32_t label = label_of(v, pc, i, &mine);
        if (label == 0)
            continue;
        if (label <= pc || label >= v->ncode || !(v->flow[label] & STARTS))
            return cupel__refuse(v, "bad label", pc);
        v->flow[label] |= types & mine;
    }
    return CUPEL_OK;
}

/* Refuses types that the instruction does not accept, and in a branch of an EITHER everything but
 * CHECKs. */
static enum cupel_status check_arrival(struct verifier *v, uint32_t pc, uint32_t op)
{
    const struct cupel__op_info *info = &cupel__op_info[op];
    bool is_check = info->flow == CUPEL__FLOW_CHECK && op != CUPEL__OP_EITHER;
    if ((v->flow[pc] & CUPEL__M_ANY & ~info->on) != 0)
        return cupel__refuse(v, "instruction does not fit the types", pc);
    if ((v->flow[pc] & CHECKS_ONLY) && !is_check)
        return cupel__refuse(v, "no check in a choice of checks", pc);
    return CUPEL_OK;
}

/* The types that reach the next instruction.  A report continues after a TYPE that failed, so there
 * it excludes no types. */
static uint16_t types_after(const struct verifier *v, uint32_t pc, uint32_t op)
{
    uint16_t types = v->flow[pc] & CUPEL__M_ANY;
    bool stays =
        op == CUPEL__OP_NOTE || (op == CUPEL__OP_TYPE && (v->image->flags & CUPEL__IMAGE_REPORT));
    if (cupel__op_info[op].operand[1] == CUPEL__OPERAND_mask && !stays)
        types &= (uint16_t)CUPEL__WORD_B(v->code[pc]);
    return types;
}

/* One pass in the order of addresses. */
enum cupel_status cupel__verify_flow(struct verifier *v)
{
    for (uint32_t pc = 1; pc < v->ncode;) {
        uint32_t word = v->code[pc], op = CUPEL__WORD_OP(word), from = pc;
        uint16_t types = types_after(v, pc, op);
        enum cupel_status s = check_arrival(v, pc, op);
        bool jumps = cupel__op_info[op].flow == CUPEL__FLOW_JUMP;
        if (s == CUPEL_OK && jumps)
            s = flow_jump(v, pc, types);
        if (s != CUPEL_OK)
            return s;
        pc += cupel__op_info[op].words;
        if (jumps || (word & CUPEL__LAST))
            continue;
        if (pc >= v->ncode)
            return cupel__refuse(v, "sequence runs off the end", pc);
        v->flow[pc] |= types | (v->flow[from] & CHECKS_ONLY);
    }
    return CUPEL_OK;
}
