/* schema.c: the code of one schema: which operations, in which order, for which types.
 *
 * Operations that test one class of types come before those that test every type that can arrive.
 * Operations for one class only are preceded by an ONLY, which lets all other types pass.  With
 * operations for several classes a SWITCH goes to a sequence for each class.  Where there are both
 * kinds, the sequences end with a jump to the common tail:
 *
 *     SWITCH [null: tail, number: a, string: b, …]
 *     a: …  JUMP tail
 *     b: …
 *     tail: …
 *
 * The last instruction of each sequence carries LAST.  Within a sequence of a verdict program cheap
 * operations come first, so that a failure is found early; a report program keeps the author's
 * order. */
#include "base/always.h"
#include "base/json/equal.h"
#include "compiler/emit/emit.h"
#include <string.h>

/* -- Sequences ------------------------------------------------------------------------------------
 */

/* The types of the sequence for which an operation has to run.  Types that always pass a choice
 * need not run it, unless it is one check.  Gain: 4 % of cql2. */
static uint32_t types_of(const struct sequence *s, const struct ir_op *op)
{
    uint32_t types = s->types & cupel__emit_tested_types(op);
    bool skip =
        op->always != 0 && s->e->kind == EMIT_VERDICT && !cupel__emit_is_plain_choice(s, op);
    return skip ? types & ~(uint32_t)op->always : types;
}

/* Whether the operation is an inclusive bound with a value of 32 bits. */
static bool small_bound(const struct ir_op *op, enum ir_kind kind, int32_t *ret)
{
    if (op == NULL || op->kind != kind || op->exclusive)
        return false;
    const struct cupel__node *n = &op->values[0].doc->nodes[op->values[0].node];
    if (n->type != CUPEL__INT || n->i < INT32_MIN || n->i > INT32_MAX)
        return false;
    *ret = (int32_t)n->i;
    return true;
}

static const struct ir_op *find_op(const struct ir_schema *schema, enum ir_kind kind)
{
    for (const struct ir_op *op = schema->first; op != NULL; op = op->next)
        if (op->kind == kind)
            return op;
    return NULL;
}

/* Writes an inclusive MIN and MAX with values of 32 bits as one RANGE, in the place of MIN.
 * Returns true for either of them: nothing else is to be written for it. */
static bool put_range(struct sequence *s, const struct ir_op *op)
{
    int32_t min, max;
    if (s->e->kind == EMIT_REPORT || (op->kind != IR_MIN && op->kind != IR_MAX))
        return false;
    const struct ir_op *lo = find_op(s->schema, IR_MIN), *hi = find_op(s->schema, IR_MAX);
    if ((op != lo && op != hi) || !small_bound(lo, IR_MIN, &min) || !small_bound(hi, IR_MAX, &max))
        return false;
    if (op == lo) {
        cupel__emit_put(s, op, CUPEL__OP_RANGE, 0, 0);
        cupel__emit_operand(s, (uint32_t)min);
        cupel__emit_operand(s, (uint32_t)max);
    }
    return true;
}

/* Writes the operations that test the types `class`, and not all types of the sequence; class 0:
 * those that test all. */
static void put_ops(struct sequence *s, uint32_t class)
{
    for (int round = 0; round < (s->e->kind == EMIT_VERDICT ? EMIT_COSTS : 1); round++) {
        for (const struct ir_op *op = s->schema->first; op != NULL; op = op->next) {
            uint32_t types = types_of(s, op);
            bool all = types == s->types;
            if (types == 0 || all != (class == 0) || (class != 0 && (types & class) == 0))
                continue;
            if ((s->e->kind == EMIT_REPORT || (int)cupel__emit_cost(op) == round) &&
                !put_range(s, op))
                cupel__emit_op(s, op);
        }
    }
}

/* Marks the last instruction of a sequence. */
static void end(struct sequence *s)
{
    if (emit_ok(s->e) && ALWAYS(s->last != 0))
        s->e->code.p[s->last] |= CUPEL__LAST;
}

/* The types of the operations that do not test every type; *ret_common: whether there are other
 * operations. */
static uint32_t special_classes(const struct sequence *s, bool *ret_common)
{
    uint32_t classes = 0;
    *ret_common = false;
    for (const struct ir_op *op = s->schema->first; op != NULL; op = op->next)
        cupel__emit_add_types(s->types, types_of(s, op), &classes, ret_common);
    return classes;
}

/* Writes a SWITCH and the sequence of each class in `special`, then the common tail if there are
 * operations for all types.  Labels and jumps are filled in when the tail's place is known; a class
 * without operations goes to the tail, or passes. */
static void put_switch(struct sequence *s, uint32_t special, bool common)
{
    struct emit *e = s->e;
    uint32_t label[CUPEL__CLASSES] = {0}, jump[CUPEL__CLASSES], njumps = 0, left = 0;
    cupel__emit_put(s, NULL, CUPEL__OP_SWITCH, 0, 0);
    uint32_t list = emit_word(e, &e->tables, CUPEL__CLASSES);
    for (int c = 0; c < CUPEL__CLASSES; c++) {
        emit_word(e, &e->tables, 0);
        left += (special & cupel__class_types[c]) != 0;
    }
    cupel__emit_operand_table(s, list * 4);
    for (int c = 0; c < CUPEL__CLASSES; c++) {
        if ((special & cupel__class_types[c]) == 0)
            continue;
        label[c] = (uint32_t)e->code.n;
        put_ops(s, cupel__class_types[c] & s->types);
        if (!common) {
            end(s);
        } else if (--left > 0) {
            emit_word(e, &e->code, CUPEL__OP_JUMP);
            jump[njumps++] = emit_word(e, &e->code, 0);
        }
    }
    uint32_t tail = common ? (uint32_t)e->code.n : 0;
    if (!emit_ok(e))
        return;
    for (uint32_t i = 0; i < njumps; i++)
        e->code.p[jump[i]] = tail;
    for (uint32_t c = 0; c < CUPEL__CLASSES; c++)
        e->tables.p[list + 1 + c] = label[c] != 0 ? label[c] : tail;
    if (common) {
        put_ops(s, 0);
        end(s);
    }
}

/* Writes the operations of a schema that has at least one. */
static void put_body(struct sequence *s, uint32_t special, bool common)
{
    if (special == 0) {
        put_ops(s, 0);
        end(s);
    } else if (!common && cupel__emit_is_one_class(special)) {
        cupel__emit_put(s, NULL, CUPEL__OP_ONLY, 0, special);
        put_ops(s, special);
        end(s);
    } else {
        put_switch(s, special, common);
    }
}

/* Writes a MEMO, which runs the rest of the code once for each value. */
static void put_memo(struct sequence *s)
{
    cupel__emit_put(s, NULL, CUPEL__OP_MEMO, s->schema->tracked, s->schema->memo);
    end(s);
    cupel__emit_operand(s, CUPEL__SUB(s->types, s->e->code.n + 1));
}

uint32_t cupel__emit_schema(struct emit *e, const struct ir_schema *schema)
{
    bool common;
    struct sequence s = {e, schema, e->kind == EMIT_VERDICT ? schema->types : CUPEL__M_ANY, 0};
    uint32_t special = special_classes(&s, &common), start = (uint32_t)e->code.n;
    if (special == 0 && !common)
        return CUPEL__SUB(s.types, 0);
    if (schema->memo != 0)
        put_memo(&s);
    put_body(&s, special, common);
    return CUPEL__SUB(s.types, start);
}
