/* exec_debug.c: the machine looks where it goes, in builds with the option debug_vm.
 *
 * The VM takes for granted what verify.c has proved.  Here the same is asked again before every
 * instruction, of the state at hand and without using anything that the verifier worked out; what does not
 * hold ends the process.  Tests run images of all kinds, broken ones too, in such a build. */
#include "exec.h"
#include <stdlib.h>

#if CUPEL__DEBUG_VM
static void require(bool ok)
{
    if (!ok)
        abort();
}

static bool in_section(const struct cupel__section *s, size_t element, uint32_t at, size_t need)
{
    size_t size = s->count * element;
    return at >= s->at && at - s->at <= size && need <= size - (at - s->at);
}

static void check_sub(const struct cupel__vm *vm, uint32_t sub)
{
    require((CUPEL__SUB_TYPES(sub) & ~(uint32_t)CUPEL__M_ANY) == 0);
    require(CUPEL__SUB_PC(sub) < vm->image->code.count);
}

static const struct cupel__list *check_list(const struct cupel__vm *vm, uint32_t at)
{
    require(at % 4 == 0 && in_section(&vm->image->tables, 4, at, 4));
    const struct cupel__list *list = cupel__image_list(vm->image, at);
    require(in_section(&vm->image->tables, 4, at, 4 + 4 * (size_t)list->count));
    return list;
}

/* That a schema is CHECKs alone. */
static void check_plain(const struct cupel__vm *vm, uint32_t pc)
{
    for (bool last = pc == 0; !last;) {
        require(pc < vm->image->code.count);
        uint32_t op = CUPEL__WORD_OP(vm->code[pc]);
        require(op != CUPEL__OP_EITHER && (cupel__op_checks >> op & 1) != 0);
        last = (vm->code[pc] & CUPEL__LAST) != 0;
        pc += cupel__op_info[op].words;
    }
}

static void check_items(const struct cupel__vm *vm, enum cupel__operand kind, uint32_t at,
                        uint32_t pc)
{
    const struct cupel__list *list = check_list(vm, at);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t x = list->item[i];
        if (kind == CUPEL__OPERAND_values)
            require(x < vm->image->values.count);
        else if (kind == CUPEL__OPERAND_labels)
            require(x == 0 || (x > pc && x < vm->image->code.count));
        else if (kind != CUPEL__OPERAND_hashes && x != CUPEL__NO_SUB)
            check_sub(vm, x);
        if (kind == CUPEL__OPERAND_plains)
            check_plain(vm, CUPEL__SUB_PC(x));
    }
}

static void check_table(const struct cupel__vm *vm, uint32_t at, bool object)
{
    const struct cupel__section *s = &vm->image->tables;
    require(at % 4 == 0 && in_section(s, 4, at, sizeof(struct cupel__table)));
    const struct cupel__table *t = cupel__at(vm->image, at);
    const struct cupel__entry *entries = cupel__table_entries(t);
    size_t before = (size_t)((const char *)entries - (const char *)t);
    require(in_section(s, 4, at, before + t->count * sizeof *entries));
    for (uint32_t i = 0; object && i < t->count; i++)
        check_sub(vm, entries[i].sub);
    if (object) {
        check_sub(vm, t->other);
        check_sub(vm, t->name);
    }
}

static void check_sieve(const struct cupel__vm *vm, uint32_t at)
{
    check_table(vm, at, false);
    const struct cupel__table *t = cupel__at(vm->image, at);
    const struct cupel__masks *m = (const void *)check_list(vm, t->matches);
    require(2 * (size_t)m->count + m->bits + offsetof(struct cupel__masks, set) / 4 <= m->words + (size_t)1);
    require(m->count >= CUPEL__TYPES + t->count);
    for (uint32_t i = 0; i < t->count; i++) {
        check_table(vm, cupel__table_entries(t)[i].sub, false);
        const struct cupel__table *tags = cupel__at(vm->image, cupel__table_entries(t)[i].sub);
        require(tags->matches == t->matches && tags->other < m->count && tags->name < t->count);
        for (uint32_t k = 0; k < tags->count; k++)
            require(cupel__table_entries(tags)[k].sub < m->count);
    }
}

static void check_operand(const struct cupel__vm *vm, enum cupel__operand kind, uint32_t x, uint32_t pc)
{
    switch (kind) {
    case CUPEL__OPERAND_value:
    case CUPEL__OPERAND_divisor:
        require(x < vm->image->values.count);
        return;
    case CUPEL__OPERAND_pattern:
        require(x < vm->program->nmatchers);
        return;
    case CUPEL__OPERAND_str:
        require(x % 4 == 0 && in_section(&vm->image->strings, 1, x, 4));
        require(in_section(&vm->image->strings, 1, x, 4 + cupel__image_str(vm->image, x).n));
        return;
    case CUPEL__OPERAND_table:
    case CUPEL__OPERAND_object:
        check_table(vm, x, kind == CUPEL__OPERAND_object);
        return;
    case CUPEL__OPERAND_sieve:
    case CUPEL__OPERAND_cases:
        check_sieve(vm, x);
        return;
    case CUPEL__OPERAND_sub:
    case CUPEL__OPERAND_here:
        check_sub(vm, x);
        return;
    case CUPEL__OPERAND_left:
        if (x != CUPEL__NO_SUB)
            check_sub(vm, x);
        return;
    case CUPEL__OPERAND_anchor:
        require(x < CUPEL__ANCHORS);
        return;
    case CUPEL__OPERAND_label:
        require(x > pc && x < vm->image->code.count);
        return;
    case CUPEL__OPERAND_values:
    case CUPEL__OPERAND_hashes:
    case CUPEL__OPERAND_subs:
    case CUPEL__OPERAND_heres:
    case CUPEL__OPERAND_targets:
    case CUPEL__OPERAND_plains:
    case CUPEL__OPERAND_anchors:
    case CUPEL__OPERAND_labels:
        check_items(vm, kind, x, pc);
        return;
    default:
        return;
    }
}

void cupel__debug_check(const struct cupel__vm *vm, const uint32_t *word,
                        const struct cupel__node *v, const struct cupel__frame *sp)
{
    require(word > vm->code && word < vm->code + vm->image->code.count);
    require(v >= vm->nodes && v < vm->nodes + vm->doc->nnodes);
    require(sp == NULL || (sp >= vm->frames && sp <= vm->limit));
    uint32_t pc = (uint32_t)(word - vm->code), op = CUPEL__WORD_OP(*word);
    require(op < CUPEL__OPS);
    const struct cupel__op_info *info = &cupel__op_info[op];
    require(info->words <= vm->image->code.count - pc);
    require((info->on >> v->type & 1) != 0);
    if (v->type >= CUPEL__ARRAY)
        require(v->end > (uint32_t)(v - vm->nodes) && v->end <= vm->doc->nnodes);
    for (int i = 0; i < CUPEL__OPERANDS; i++)
        check_operand(vm, info->operand[i], cupel__operand_of(word, info, i), pc);
}
#else
/* A translation unit is not empty. */
typedef int cupel__no_debug_vm;
#endif
