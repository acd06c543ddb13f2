/* debug.c: asserts the invariants of the VM, in builds with the option debug_vm.
 *
 * The loop tests nothing that the verifier has proved.  In such a build each statement of
 * program/invariants.def is tested before every instruction, from the image alone and without any
 * result of the verifier.  A statement that does not hold ends the process.  The tests and the fuzz
 * targets run valid and broken images in such a build. */
#include "vm/formats/formats.h"
#include "vm/run/vm.h"
#include <stdio.h>
#include <stdlib.h>

#if CUPEL__DEBUG_VM
enum cupel__invariant {
    CUPEL__ALL_HOLD,
#    define INVARIANT_ALL(id, by, statement)        CUPEL__INVARIANT_##id,
#    define INVARIANT_KIND(kind, id, by, statement) CUPEL__INVARIANT_##id,
#    define INVARIANT_OP(op, id, by, statement)     CUPEL__INVARIANT_##id,
#    include "vm/program/invariants.def"
    CUPEL__INVARIANTS
};

/* Returns the invariant from the calling function unless the condition holds. */
#    define REQUIRE(id, condition)            \
        do {                                  \
            if (!(condition))                 \
                return CUPEL__INVARIANT_##id; \
        } while (0)

/* Goes on unless a part is broken. */
#    define EACH(call)                                    \
        do {                                              \
            const enum cupel__invariant broken_ = (call); \
            if (broken_ != CUPEL__ALL_HOLD)               \
                return broken_;                           \
        } while (0)

#    define HOLDS CUPEL__ALL_HOLD
enum { COUNTED = 1024 }; /* code words up to which instructions are counted from the first */

struct instruction {
    const struct cupel__vm *vm;
    const struct cupel__image *image;
    const struct cupel__op_info *info;
    uint32_t pc;
};

static bool in_section(const struct cupel__section *s, size_t element, uint32_t at, size_t need)
{
    size_t size = s->count * element;
    return at >= s->at && at - s->at <= size && need <= size - (at - s->at);
}

static bool is_mask(uint32_t x)
{
    uint32_t strings = x & CUPEL__M_STRING;
    return (x & ~(uint32_t)CUPEL__M_ANY) == 0 && (strings == 0 || strings == CUPEL__M_STRING);
}

static bool is_sub(const struct instruction *q, uint32_t sub)
{
    return is_mask(CUPEL__SUB_TYPES(sub)) && CUPEL__SUB_PC(sub) < q->image->code.count;
}

static bool is_label(const struct instruction *q, uint32_t x)
{
    return x > q->pc && x < q->image->code.count;
}

/* -- Lists ----------------------------------------------------------------------------------------
 */

static const struct cupel__list *list_at(const struct instruction *q, uint32_t at)
{
    const struct cupel__section *tables = &q->image->tables;
    if (at % 4 != 0 || !in_section(tables, 4, at, 4))
        return NULL;
    const struct cupel__list *list = cupel__image_list(q->image, at);
    return in_section(tables, 4, at, 4 + 4 * (size_t)list->count) ? list : NULL;
}

typedef bool item_is(const struct instruction *, uint32_t);

static bool all_items(const struct instruction *q, const struct cupel__list *list, item_is *is)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!is(q, list->item[i]))
            return false;
    return true;
}

static bool is_value(const struct instruction *q, uint32_t x)
{
    return x < q->image->values.count;
}

static bool is_sub_or_none(const struct instruction *q, uint32_t x)
{
    return x == CUPEL__NO_SUB || is_sub(q, x);
}

static bool is_label_or_none(const struct instruction *q, uint32_t x)
{
    return x == 0 || is_label(q, x);
}

/* A schema of CHECKs alone. */
static bool is_plain(const struct instruction *q, uint32_t sub)
{
    uint32_t pc = CUPEL__SUB_PC(sub);
    for (bool last = pc == 0; !last;) {
        if (pc >= q->image->code.count)
            return false;
        uint32_t op = CUPEL__WORD_OP(q->vm->code[pc]);
        if (op >= CUPEL__OPS || op == CUPEL__OP_EITHER || (cupel__op_checks >> op & 1) == 0)
            return false;
        last = (q->vm->code[pc] & CUPEL__LAST) != 0;
        pc += cupel__op_info[op].words;
    }
    return true;
}

static enum cupel__invariant check_plains(const struct instruction *q, uint32_t x)
{
    const struct cupel__list *list = list_at(q, x);
    REQUIRE(CHECK_BRANCHES_LIST, list != NULL);
    REQUIRE(CHECK_BRANCHES_ITEM, all_items(q, list, is_sub));
    REQUIRE(CHECK_BRANCHES_FLOW, all_items(q, list, is_plain));
    return HOLDS;
}

static enum cupel__invariant check_anchors(const struct instruction *q, uint32_t x)
{
    const struct cupel__list *list = list_at(q, x);
    REQUIRE(ANCHORS_LIST, list != NULL && list->count <= CUPEL__ANCHORS);
    REQUIRE(ANCHORS_ITEM, all_items(q, list, is_sub_or_none));
    return HOLDS;
}

static enum cupel__invariant check_labels(const struct instruction *q, uint32_t x)
{
    const struct cupel__list *list = list_at(q, x);
    REQUIRE(LABELS_LIST, list != NULL && list->count == CUPEL__CLASSES);
    REQUIRE(LABELS_ITEM, all_items(q, list, is_label_or_none));
    return HOLDS;
}

#    define CHECK_LIST(KIND, is)                             \
        do {                                                 \
            const struct cupel__list *list_ = list_at(q, x); \
            REQUIRE(KIND##_LIST, list_ != NULL);             \
            REQUIRE(KIND##_ITEM, all_items(q, list_, is));   \
            return HOLDS;                                    \
        } while (0)

/* -- Tables ---------------------------------------------------------------------------------------
 */

static bool table_fits(const struct instruction *q, uint32_t at)
{
    const struct cupel__section *s = &q->image->tables;
    if (at % 4 != 0 || !in_section(s, 4, at, sizeof(struct cupel__table)))
        return false;
    const struct cupel__table *t = cupel__at(q->image, at);
    if (t->disp > 31 || t->entries % 4 != 0)
        return false;
    const bool sorted = t->flags & CUPEL__TABLE_SORTED;
    size_t slots = sorted || t->shift > 32 ? 0 : (size_t)1 << (32 - t->shift);
    size_t before = sizeof *t + cupel__table_ndisp(t) + (slots << (t->flags & CUPEL__TABLE_WIDE));
    return t->entries >= before &&
           in_section(s, 4, at, (size_t)t->entries + t->count * sizeof(struct cupel__entry));
}

/* The highest displacement is 255, and is put into a slot's number by XOR. */
static bool shift_fits(const struct cupel__table *t)
{
    if (t->flags & CUPEL__TABLE_SORTED)
        return t->disp == 0;
    return t->shift >= 1 && t->shift <= 31 &&
           (t->disp == 0 || (t->disp <= t->shift && t->shift <= 24));
}

static bool slots_fit(const struct cupel__table *t)
{
    const uint8_t *slots = cupel__table_disp(t) + cupel__table_ndisp(t);
    const bool wide = t->flags & CUPEL__TABLE_WIDE;
    for (size_t i = 0, n = cupel__table_nslots(t); i < n; i++)
        if ((wide ? (size_t)slots[2 * i] | (size_t)slots[2 * i + 1] << 8 : slots[i]) > t->count)
            return false;
    return true;
}

static bool names_fit(const struct instruction *q, const struct cupel__table *t)
{
    const struct cupel__entry *entries = cupel__table_entries(t);
    const struct cupel__list *names = t->names != 0 ? list_at(q, t->names) : NULL;
    if (t->names != 0 && names == NULL)
        return false;
    for (uint32_t i = 0; i < t->count; i++) {
        if (!(entries[i].flags & CUPEL__ENTRY_LONG)) {
            if (__builtin_popcount(entries[i].ignore) > 15)
                return false;
        } else if (names == NULL || names->count / 2 <= i || names->item[2 * i + 1] < 16 ||
                   !in_section(&q->image->strings, 1, names->item[2 * i], names->item[2 * i + 1])) {
            return false;
        }
    }
    return true;
}

static bool required_fits(const struct cupel__table *t)
{
    uint32_t required = 0;
    for (uint32_t i = 0; i < t->count; i++)
        required += cupel__table_entries(t)[i].required;
    return required == t->required;
}

static bool subs_fit(const struct instruction *q, const struct cupel__table *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (!is_sub(q, cupel__table_entries(t)[i].sub))
            return false;
    return is_sub(q, t->other) && is_sub(q, t->name);
}

static enum cupel__invariant check_table(const struct instruction *q, uint32_t x)
{
    REQUIRE(TABLE_FITS, table_fits(q, x));
    const struct cupel__table *t = cupel__at(q->image, x);
    REQUIRE(TABLE_SHIFT, shift_fits(t));
    REQUIRE(TABLE_SLOTS, slots_fit(t));
    REQUIRE(TABLE_NAMES, names_fit(q, t));
    REQUIRE(TABLE_REQUIRED, required_fits(t));
    return HOLDS;
}

static enum cupel__invariant check_object(const struct instruction *q, uint32_t x)
{
    REQUIRE(OBJECT_FITS, table_fits(q, x));
    const struct cupel__table *t = cupel__at(q->image, x);
    REQUIRE(OBJECT_SHIFT, shift_fits(t));
    REQUIRE(OBJECT_SLOTS, slots_fit(t));
    REQUIRE(OBJECT_NAMES, names_fit(q, t));
    REQUIRE(OBJECT_REQUIRED, required_fits(t));
    REQUIRE(OBJECT_SUBS, subs_fit(q, t));
    return HOLDS;
}

/* -- Discriminators
 * ---------------------------------------------------------------------------------------
 */

/* The table and its tables of tags, which any of their functions may search. */
static bool discriminator_fits(const struct instruction *q, uint32_t at, uint32_t most)
{
    if (!table_fits(q, at))
        return false;
    const struct cupel__table *t = cupel__at(q->image, at);
    if (t->count > most || !shift_fits(t) || !slots_fit(t) || !names_fit(q, t))
        return false;
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t sub = cupel__table_entries(t)[i].sub;
        if (!table_fits(q, sub))
            return false;
        const struct cupel__table *tags = cupel__at(q->image, sub);
        if (!shift_fits(tags) || !slots_fit(tags) || !names_fit(q, tags))
            return false;
    }
    return true;
}

static const struct cupel__masks *masks_at(const struct instruction *q, uint32_t at, size_t least)
{
    const uint32_t head = offsetof(struct cupel__masks, set) / 4 - 1;
    const struct cupel__list *list = at % 8 == 0 ? list_at(q, at) : NULL;
    if (list == NULL || list->count < head)
        return NULL;
    const struct cupel__masks *m = (const void *)list;
    bool fits =
        m->bits >= 1 && m->bits <= 64 && 2 * (size_t)m->count + m->bits <= list->count - head;
    return fits && m->count >= least ? m : NULL;
}

static bool tags_fit(const struct instruction *q, const struct cupel__table *t,
                     const struct cupel__masks *m)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const struct cupel__table *tags = cupel__at(q->image, cupel__table_entries(t)[i].sub);
        if (tags->matches != t->matches || tags->other >= m->count || tags->name >= t->count)
            return false;
        for (uint32_t k = 0; k < tags->count; k++)
            if (cupel__table_entries(tags)[k].sub >= m->count)
                return false;
    }
    return m->needed >> t->count == 0;
}

static bool bits_fit(const struct cupel__masks *m)
{
    const uint32_t *spans = cupel__masks_spans(m);
    for (uint32_t i = 0; i < m->count; i++)
        if (m->bits < 64 && m->set[i] >> m->bits != 0)
            return false;
    for (uint32_t i = 0; i < m->bits; i++)
        if (CUPEL__SPAN_FIRST(spans[i]) + CUPEL__SPAN_N(spans[i]) > m->branches)
            return false;
    return true;
}

static enum cupel__invariant check_discriminator(const struct instruction *q, uint32_t x)
{
    REQUIRE(DISCRIMINATOR_FITS, discriminator_fits(q, x, 63));
    const struct cupel__table *t = cupel__at(q->image, x);
    const struct cupel__masks *m = masks_at(q, t->matches, CUPEL__TYPES + 2 * (size_t)t->count);
    REQUIRE(DISCRIMINATOR_SETS, m != NULL);
    REQUIRE(DISCRIMINATOR_TAGS, tags_fit(q, t, m));
    REQUIRE(DISCRIMINATOR_BITS, bits_fit(m));
    return HOLDS;
}

static enum cupel__invariant check_cases(const struct instruction *q, uint32_t x)
{
    REQUIRE(CASES_FITS, discriminator_fits(q, x, 1));
    const struct cupel__table *t = cupel__at(q->image, x);
    REQUIRE(CASES_FITS, t->count == 1);
    const struct cupel__masks *m = masks_at(q, t->matches, 2 * (size_t)CUPEL__TYPES + 1);
    REQUIRE(CASES_SETS, m != NULL);
    REQUIRE(CASES_TAGS, tags_fit(q, t, m));
    REQUIRE(CASES_BITS, bits_fit(m));
    return HOLDS;
}

/* -- Constants ------------------------------------------------------------------------------------
 */

static const struct cupel__node *nodes_of(const struct instruction *q)
{
    return cupel__at(q->image, q->image->values.at);
}

static bool is_number(const struct cupel__node *n)
{
    return n->type < CUPEL__TYPES && (CUPEL__BIT(n->type) & CUPEL__M_NUMBER) != 0;
}

/* The node and all in it. */
static bool is_whole(const struct instruction *q, uint32_t x)
{
    const struct cupel__node *nodes = nodes_of(q);
    const struct cupel__section *strings = &q->image->strings;
    uint32_t end = nodes[x].type >= CUPEL__ARRAY ? nodes[x].end : x + 1;
    if (end <= x || end > q->image->values.count)
        return false;
    for (uint32_t i = x; i < end; i++) {
        const struct cupel__node *n = &nodes[i];
        if (n->type >= CUPEL__TYPES || n->type == CUPEL__ESCAPED)
            return false;
        if (n->type >= CUPEL__ARRAY && (n->end <= i || n->end > end))
            return false;
        if (n->type == CUPEL__STRING && !in_section(strings, 1, n->off, n->len))
            return false;
        if (is_number(n) && (n->flags & CUPEL__BIG) && !in_section(strings, 1, n->off, 1))
            return false;
    }
    return true;
}

static enum cupel__invariant check_constant(const struct instruction *q, uint32_t x)
{
    REQUIRE(VALUE, is_value(q, x));
    REQUIRE(VALUE_NUMBER, q->info->on != CUPEL__M_NUMBER || is_number(nodes_of(q) + x));
    REQUIRE(VALUE_WHOLE, is_whole(q, x));
    return HOLDS;
}

static enum cupel__invariant check_divisor(const struct instruction *q, uint32_t x)
{
    REQUIRE(DIVISOR, is_value(q, x));
    const struct cupel__node *n = nodes_of(q) + x;
    REQUIRE(DIVISOR_ABOVE_0, is_number(n) && is_whole(q, x));
    const char first = n->flags & CUPEL__BIG ? *(const char *)cupel__at(q->image, n->off) : '0';
    REQUIRE(DIVISOR_ABOVE_0, n->flags & CUPEL__BIG ? first >= '0' && first <= '9' : n->i > 0);
    return HOLDS;
}

/* -- Operands -------------------------------------------------------------------------------------
 */

static bool is_str(const struct instruction *q, uint32_t x)
{
    const struct cupel__section *strings = &q->image->strings;
    return x % 4 == 0 && in_section(strings, 1, x, 4) &&
           in_section(strings, 1, x, 4 + (size_t)cupel__image_str(q->image, x).n);
}

static enum cupel__invariant check_field(const struct instruction *q, enum cupel__operand kind,
                                         uint32_t x)
{
    switch (kind) {
    case CUPEL__OPERAND_none:
        REQUIRE(NONE, x == 0);
        return HOLDS;
    case CUPEL__OPERAND_flag:
        REQUIRE(FLAG, x <= 1);
        return HOLDS;
    case CUPEL__OPERAND_evaluates:
        REQUIRE(EVALUATES, x <= 1);
        return HOLDS;
    case CUPEL__OPERAND_mask:
        REQUIRE(MASK, is_mask(x));
        return HOLDS;
    case CUPEL__OPERAND_memo_types:
        REQUIRE(MEMO_TYPES, is_mask(x));
        return HOLDS;
    case CUPEL__OPERAND_length8:
        REQUIRE(LENGTH8, x <= 8);
        return HOLDS;
    case CUPEL__OPERAND_anchor:
        REQUIRE(ANCHOR, x < CUPEL__ANCHORS);
        return HOLDS;
    case CUPEL__OPERAND_pattern:
        REQUIRE(PATTERN, x < q->vm->program->nmatchers);
        return HOLDS;
    case CUPEL__OPERAND_format:
        REQUIRE(FORMAT, x < CUPEL__FORMATS);
        return HOLDS;
    case CUPEL__OPERAND_host_format:
        REQUIRE(HOST_FORMAT, x < q->vm->program->nformats);
        return HOLDS;
    case CUPEL__OPERAND_str:
        REQUIRE(STR, is_str(q, x));
        return HOLDS;
    case CUPEL__OPERAND_child:
        REQUIRE(CHILD, is_sub(q, x));
        return HOLDS;
    case CUPEL__OPERAND_child_or_none:
        REQUIRE(CHILD_OR_NONE, is_sub_or_none(q, x));
        return HOLDS;
    case CUPEL__OPERAND_inplace:
        REQUIRE(INPLACE, is_sub(q, x));
        return HOLDS;
    case CUPEL__OPERAND_label:
        REQUIRE(LABEL, is_label(q, x));
        return HOLDS;
    default: /* any word, or more than the word: check_operand() */
        return HOLDS;
    }
}

static enum cupel__invariant check_operand(const struct instruction *q, enum cupel__operand kind,
                                           uint32_t x)
{
    switch (kind) {
    case CUPEL__OPERAND_value:
        return check_constant(q, x);
    case CUPEL__OPERAND_divisor:
        return check_divisor(q, x);
    case CUPEL__OPERAND_values:
        CHECK_LIST(VALUES, is_value);
    case CUPEL__OPERAND_hashes:
        REQUIRE(HASHES_LIST, list_at(q, x) != NULL);
        return HOLDS;
    case CUPEL__OPERAND_table:
        return check_table(q, x);
    case CUPEL__OPERAND_object:
        return check_object(q, x);
    case CUPEL__OPERAND_discriminator:
        return check_discriminator(q, x);
    case CUPEL__OPERAND_cases:
        return check_cases(q, x);
    case CUPEL__OPERAND_children:
        CHECK_LIST(CHILDREN, is_sub);
    case CUPEL__OPERAND_branches:
        CHECK_LIST(BRANCHES, is_sub);
    case CUPEL__OPERAND_targets:
        CHECK_LIST(TARGETS, is_sub);
    case CUPEL__OPERAND_check_branches:
        return check_plains(q, x);
    case CUPEL__OPERAND_anchors:
        return check_anchors(q, x);
    case CUPEL__OPERAND_labels:
        return check_labels(q, x);
    default:
        return check_field(q, kind, x);
    }
}

/* -- Instructions ---------------------------------------------------------------------------------
 */

static bool matches_fit(const struct instruction *q, const uint32_t *word)
{
    const struct cupel__table *t = cupel__at(q->image, word[1]);
    const struct cupel__list *pairs = t->matches != 0 ? list_at(q, t->matches) : NULL;
    if (t->matches == 0)
        return true;
    if (pairs == NULL || pairs->count % 2 != 0)
        return false;
    for (uint32_t i = 0; i < pairs->count; i += 2)
        if (pairs->item[i] >= q->vm->program->nmatchers || !is_sub(q, pairs->item[i + 1]))
            return false;
    return true;
}

static const struct cupel__masks *masks_of(const struct instruction *q, const uint32_t *word)
{
    const struct cupel__table *discriminator = cupel__at(q->image, word[2]);
    return cupel__at(q->image, discriminator->matches);
}

/* The invariants of an instruction beyond those of its operands. */
static enum cupel__invariant check_op(const struct instruction *q, const uint32_t *word)
{
    const bool report = q->image->flags & CUPEL__IMAGE_REPORT;
    switch (CUPEL__WORD_OP(*word)) {
    case CUPEL__OP_OBJECT:
        REQUIRE(OBJECT_MATCHES, matches_fit(q, word));
        return HOLDS;
    case CUPEL__OP_MEMBERS:
        REQUIRE(MEMBERS_MATCHES, matches_fit(q, word));
        return HOLDS;
    case CUPEL__OP_CHOOSE:
        REQUIRE(CHOOSE_BRANCHES,
                masks_of(q, word)->branches == cupel__image_list(q->image, word[1])->count);
        REQUIRE(CHOOSE_TARGETS,
                masks_of(q, word)->bits == cupel__image_list(q->image, word[3])->count);
        return HOLDS;
    case CUPEL__OP_CASES:
        REQUIRE(CASES_VERDICT, !report);
        REQUIRE(CASES_BRANCHES,
                masks_of(q, word)->branches == cupel__image_list(q->image, word[1])->count &&
                    masks_of(q, word)->bits <= masks_of(q, word)->branches);
        return HOLDS;
    case CUPEL__OP_EITHER:
        REQUIRE(EITHER_VERDICT, !report);
        return HOLDS;
    default:
        return HOLDS;
    }
}

/* Whether an instruction starts at q->pc.  In large programs counting takes too long. */
static bool is_start(const struct instruction *q)
{
    uint32_t pc = q->image->code.count <= COUNTED ? 1 : q->pc;
    while (pc < q->pc) {
        const uint32_t op = CUPEL__WORD_OP(q->vm->code[pc]);
        if (op >= CUPEL__OPS)
            return false;
        pc += cupel__op_info[op].words;
    }
    return pc == q->pc;
}

/* The invariants of fetching the instruction at q->pc. */
static enum cupel__invariant check_fetch(struct instruction *q, const uint32_t *word)
{
    const uint32_t room = q->image->code.count - q->pc, op = CUPEL__WORD_OP(*word);
    REQUIRE(STARTS, is_start(q));
    REQUIRE(OPCODE, op < CUPEL__OPS);
    q->info = &cupel__op_info[op];
    const bool jump = q->info->flow == CUPEL__FLOW_JUMP, last = (*word & CUPEL__LAST) != 0;
    REQUIRE(WHOLE, q->info->words <= room);
    REQUIRE(GOES_ON, jump || last || q->info->words < room);
    REQUIRE(JUMP_LAST, !(jump && last));
    return HOLDS;
}

/* The first invariant that does not hold for the instruction at `word`, which is about to run on v
 * (NULL: on a value without a node), or CUPEL__ALL_HOLD. */
static enum cupel__invariant broken_invariant(const struct cupel__vm *vm, const uint32_t *word,
                                              const struct cupel__node *v)
{
    struct instruction q = {.vm = vm, .image = vm->image, .pc = (uint32_t)(word - vm->code)};
    REQUIRE(IN_CODE, word > vm->code && word < vm->code + vm->image->code.count);
    EACH(check_fetch(&q, word));
    REQUIRE(FITS, v == NULL || (q.info->on >> v->type & 1) != 0);
    for (int i = 0; i < CUPEL__OPERANDS; i++)
        EACH(check_operand(&q, q.info->operand[i], cupel__operand_of(word, q.info, i)));
    return check_op(&q, word);
}

static const char *const statements[] = {
    "nothing",
#    define INVARIANT_ALL(id, by, statement)        #    id ": " statement,
#    define INVARIANT_KIND(kind, id, by, statement) #    id ": " statement,
#    define INVARIANT_OP(op, id, by, statement)     #    id ": " statement,
#    include "vm/program/invariants.def"
};

/* Whether the registers are within their arrays.  A text without a tape has no nodes. */
static bool state_ok(const struct cupel__vm *vm, const struct cupel__node *v,
                     const struct cupel__frame *sp)
{
    if (v == NULL)
        return true;
    if (v < vm->nodes || v >= vm->nodes + vm->doc->nnodes)
        return false;
    if (v->type >= CUPEL__ARRAY &&
        (v->end <= (uint32_t)(v - vm->nodes) || v->end > vm->doc->nnodes))
        return false;
    return sp == NULL || (sp >= vm->stack.frames && sp <= vm->stack.limit);
}

void cupel__debug_check(const struct cupel__vm *vm, const uint32_t *word,
                        const struct cupel__node *v, const struct cupel__frame *sp)
{
    if (!state_ok(vm, v, sp))
        abort();
    enum cupel__invariant broken = broken_invariant(vm, word, v);
    if (broken == CUPEL__ALL_HOLD)
        return;
    fprintf(stderr, "debug VM: word %td: %s does not hold\n", word - vm->code, statements[broken]);
    abort();
}
#else
/* A translation unit is not empty. */
typedef int cupel__no_debug_vm;
#endif
