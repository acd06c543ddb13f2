/* disasm.c: the disassembler: a program as text, a line for each instruction.
 *
 * It prints operands by their kinds (operands.def) and never depends on an opcode, so a new
 * instruction with existing kinds needs no change. */
#include "base/always.h"
#include "vm/formats/formats.h"
#include "vm/program/name_table.h"
#include "vm/program/program.h"
#include <cupel/debug.h>
#include <stdio.h>
#include <string.h>

struct printer {
    const struct cupel__image *image;
    struct cupel_text *text;
};

static void add(struct printer *p, const char *z)
{
    cupel_text_adds(p->text, z);
}

/* A reference: its types, and the index of its sequence if it has one. */
static void print_sub(struct printer *p, uint32_t sub)
{
    if (sub == CUPEL__NO_SUB) {
        add(p, "-");
        return;
    }
    cupel__types_text(CUPEL__SUB_TYPES(sub), "|", p->text);
    if (CUPEL__SUB_PC(sub) != 0)
        cupel_text_addf(p->text, "->%u", CUPEL__SUB_PC(sub));
}

/* A constant; containers only with their size. */
static void print_value(struct printer *p, uint32_t i)
{
    const struct cupel__node *n =
        (const struct cupel__node *)cupel__at(p->image, p->image->values.at) + i;
    static const char *const words[] = {"null", "false", "true"};
    if (n->type <= CUPEL__TRUE)
        add(p, words[n->type]);
    else if (n->type <= CUPEL__REAL)
        cupel__number_text(p->image, n, p->text);
    else if (n->type == CUPEL__STRING)
        cupel_text_add_json(p->text, cupel__at(p->image, n->off), n->len);
    else
        cupel_text_addf(p->text, n->type == CUPEL__ARRAY ? "[%u items]" : "{%u members}", n->count);
}

/* The names of a table; `object`: with the schemas of their members ("!" for a required one), of
 * other members, of names, and of patterns. */
static void print_table(struct printer *p, uint32_t at, bool object)
{
    const struct cupel__table *t = cupel__at(p->image, at);
    const struct cupel__entry *entries = cupel__table_entries(t);
    add(p, "{");
    for (uint32_t i = 0; i < t->count; i++) {
        char buf[16];
        struct cupel__str name = cupel__entry_name(p->image, t, &entries[i], buf);
        add(p, i > 0 ? ", " : "");
        cupel_text_add_json(p->text, name.p, name.n);
        if (!object)
            continue;
        add(p, entries[i].required ? "! " : " ");
        if (entries[i].flags & CUPEL__ENTRY_UNKNOWN)
            add(p, "other"); /* the schema of members without an entry */
        else
            print_sub(p, entries[i].sub);
    }
    add(p, "}");
    if (!object)
        return;
    if (t->other != CUPEL__SUB_ANY || (t->flags & CUPEL__TABLE_OTHER)) {
        add(p, " other ");
        print_sub(p, t->other);
    }
    if (t->name != CUPEL__SUB_ANY) {
        add(p, " names ");
        print_sub(p, t->name);
    }
    const struct cupel__list *m = t->matches != 0 ? cupel__image_list(p->image, t->matches) : NULL;
    for (uint32_t i = 0; m != NULL && i < m->count; i += 2) {
        cupel_text_addf(p->text, " match %u ", m->item[i]);
        print_sub(p, m->item[i + 1]);
    }
}

/* The numbers of the branches of a set, each once, although spans may overlap. */
static void print_set(struct printer *p, const struct cupel__masks *m, uint32_t set)
{
    const uint32_t *spans = cupel__masks_spans(m);
    const char *between = "(";
    for (uint32_t bit = 0, at = 0; bit < m->bits; bit++) {
        uint32_t first = CUPEL__SPAN_FIRST(spans[bit]), end = first + CUPEL__SPAN_N(spans[bit]);
        for (at = at > first ? at : first; at < end && (m->set[set] >> bit & 1);
             at++, between = " ")
            cupel_text_addf(p->text, "%s%u", between, at);
    }
    add(p, *between == '(' ? "()" : ")");
}

/* A string or integer of a table of tags. */
static void print_tag(struct printer *p, struct cupel__str tag)
{
    if (cupel__is_integer_name(tag))
        cupel_text_addf(p->text, "%lld", (long long)cupel__name_integer(tag));
    else
        cupel_text_add_json(p->text, tag.p, tag.n);
}

/* A key of a discriminator with `keys` keys: the branches that each tag selects, that other strings
 * and integers select, and that the absence of the key selects.  `all_types`: also the branches for
 * members of other types, if these differ. */
static void print_key(struct printer *p, const struct cupel__table *t, uint32_t keys,
                      bool all_types)
{
    const struct cupel__entry *entries = cupel__table_entries(t);
    const struct cupel__masks *m = cupel__at(p->image, t->matches);
    for (uint32_t i = 0; i < t->count; i++) {
        char buf[16];
        print_tag(p, cupel__entry_name(p->image, t, &entries[i], buf));
        print_set(p, m, entries[i].sub);
        add(p, " ");
    }
    print_set(p, m, t->other);
    if (all_types && t->count > 0 && m->set[CUPEL__TYPES + keys + t->name] != m->set[t->other]) {
        add(p, " other-typed");
        print_set(p, m, CUPEL__TYPES + keys + t->name);
    }
    if (m->needed >> t->name & 1) {
        add(p, " absent");
        print_set(p, m, CUPEL__TYPES + t->name);
    }
}

/* The sets for types, which begin with number `first`; types with the same set are printed
 * together. */
static void print_types(struct printer *p, const struct cupel__masks *m, uint32_t first)
{
    const uint64_t *set = m->set + first;
    for (uint32_t i = 0, printed = 0; i < CUPEL__TYPES; i++) {
        uint32_t alike = 0;
        for (uint32_t k = 0; k < CUPEL__TYPES; k++)
            alike |= set[k] == set[i] ? CUPEL__BIT(k) : 0;
        if (set[i] != 0 && !(printed & alike)) {
            add(p, printed != 0 ? " " : "");
            cupel__types_text(alike, "|", p->text);
            print_set(p, m, first + i);
        }
        printed |= set[i] != 0 ? alike : 0;
    }
}

/* A discriminator.  `cases`: of a CASES, whose key has sets for the types of members that are not
 * strings. */
static void print_discriminator(struct printer *p, uint32_t at, bool cases)
{
    const struct cupel__table *t = cupel__at(p->image, at);
    const struct cupel__entry *entries = cupel__table_entries(t);
    print_types(p, cupel__at(p->image, t->matches), 0);
    for (uint32_t i = 0; i < t->count; i++) {
        char buf[16];
        struct cupel__str name = cupel__entry_name(p->image, t, &entries[i], buf);
        add(p, i > 0 ? ", " : " {");
        cupel_text_add_json(p->text, name.p, name.n);
        add(p, " ");
        print_key(p, cupel__at(p->image, entries[i].sub), t->count, !cases);
        add(p, cases ? " " : "");
        if (cases)
            print_types(p, cupel__at(p->image, t->matches), CUPEL__TYPES + 1);
    }
    add(p, t->count > 0 ? "}" : "");
}

static void print_pattern(struct printer *p, uint32_t i)
{
    const struct cupel__image_pattern *pattern = cupel__at(p->image, p->image->patterns.at);
    cupel_text_add_json(p->text, cupel__at(p->image, pattern[i].at), pattern[i].len);
}

static void print_list(struct printer *p, uint32_t at, enum cupel__operand kind)
{
    const struct cupel__list *list = cupel__image_list(p->image, at);
    add(p, "[");
    for (uint32_t i = 0; i < list->count; i++) {
        add(p, i > 0 ? ", " : "");
        if (kind == CUPEL__OPERAND_hashes)
            cupel_text_addf(p->text, i % 2 == 0 ? "%08x" : "%u", list->item[i]);
        else if (kind == CUPEL__OPERAND_values)
            print_value(p, list->item[i]);
        else if (kind == CUPEL__OPERAND_labels)
            cupel_text_addf(p->text, "%u", list->item[i]);
        else
            print_sub(p, list->item[i]);
    }
    add(p, "]");
}

/* Prints the value x of a field as its kind requires. */
static void print_operand(struct printer *p, enum cupel__operand kind, uint32_t x)
{
    switch (kind) {
        NEVER_CASE(CUPEL__OPERAND_none)
        NEVER_CASE(CUPEL__OPERAND_tags)
        NEVER_CASE(CUPEL__OPERAND_masks)
        return;
    case CUPEL__OPERAND_flag:
        add(p, x ? "exclusive" : "inclusive");
        return;
    case CUPEL__OPERAND_evaluates:
        add(p, "marks");
        return;
    case CUPEL__OPERAND_mask:
    case CUPEL__OPERAND_memo_types:
        cupel__types_text(x, "|", p->text);
        return;
    case CUPEL__OPERAND_word:
        cupel_text_addf(p->text, "0x%08x", x);
        return;
    case CUPEL__OPERAND_length8:
    case CUPEL__OPERAND_anchor:
        cupel_text_addf(p->text, "%u", x);
        return;
    case CUPEL__OPERAND_count:
        if (x == UINT32_MAX)
            add(p, "*");
        else
            cupel_text_addf(p->text, "%u", x);
        return;
    case CUPEL__OPERAND_int:
        cupel_text_addf(p->text, "%d", (int32_t)x);
        return;
    case CUPEL__OPERAND_label:
        cupel_text_addf(p->text, "%u", x);
        return;
    case CUPEL__OPERAND_value:
    case CUPEL__OPERAND_divisor:
        print_value(p, x);
        return;
    case CUPEL__OPERAND_pattern:
        print_pattern(p, x);
        return;
    case CUPEL__OPERAND_format:
        add(p, cupel__format_scanner((enum cupel__format)x));
        return;
    case CUPEL__OPERAND_host_format: {
        struct cupel__str name = cupel__image_format(p->image, x);
        cupel_text_add_json(p->text, name.p, name.n);
        return;
    }
    case CUPEL__OPERAND_str: {
        const char *s = cupel__at(p->image, x);
        cupel_text_add_json(p->text, s + 4, *(const uint32_t *)(const void *)s);
        return;
    }
    case CUPEL__OPERAND_table:
    case CUPEL__OPERAND_object:
        print_table(p, x, kind == CUPEL__OPERAND_object);
        return;
    case CUPEL__OPERAND_discriminator:
    case CUPEL__OPERAND_cases:
        print_discriminator(p, x, kind == CUPEL__OPERAND_cases);
        return;
    case CUPEL__OPERAND_child_or_none:
    case CUPEL__OPERAND_child:
    case CUPEL__OPERAND_inplace:
        print_sub(p, x);
        return;
    case CUPEL__OPERAND_values:
    case CUPEL__OPERAND_hashes:
    case CUPEL__OPERAND_children:
    case CUPEL__OPERAND_branches:
    case CUPEL__OPERAND_targets:
    case CUPEL__OPERAND_check_branches:
    case CUPEL__OPERAND_anchors:
    case CUPEL__OPERAND_labels:
        print_list(p, x, kind);
        return;
    }
}

static const char *const op_names[CUPEL__OPS] = {
#define OP(name, on, a, b, c, d, e, flow, problem, summary) #name,
#include "vm/program/opcodes.def"
};

/* A line: index, name (with a dot for LAST), operands; `evaluates` is omitted if it is 0. */
static void print_instruction(struct printer *p, const uint32_t *code, uint32_t pc)
{
    const struct cupel__op_info *info = &cupel__op_info[CUPEL__WORD_OP(code[pc])];
    const char *between = "";
    char name[16];
    snprintf(name, sizeof name, "%s%s", op_names[CUPEL__WORD_OP(code[pc])],
             code[pc] & CUPEL__LAST ? "." : "");
    cupel_text_addf(p->text, "%6u  %-9s ", pc, name);
    for (int i = 0; i < CUPEL__OPERANDS; i++) {
        uint32_t x = cupel__operand_of(&code[pc], info, i);
        enum cupel__operand kind = info->operand[i];
        if (kind == CUPEL__OPERAND_none || (kind == CUPEL__OPERAND_evaluates && x == 0))
            continue;
        add(p, between);
        between = " ";
        print_operand(p, kind, x);
    }
    add(p, "\n");
}

void cupel__disasm(const struct cupel__image *image, struct cupel_text *text)
{
    struct printer p = {image, text};
    const uint32_t *code = cupel__at(image, image->code.at);
    add(&p, "  root  ");
    print_sub(&p, image->root);
    add(&p, "\n");
    for (uint32_t pc = 1; pc < image->code.count;) {
        print_instruction(&p, code, pc);
        pc += cupel__op_info[CUPEL__WORD_OP(code[pc])].words;
    }
}

void cupel_program_disasm(const struct cupel_program *p, int report, struct cupel_text *text)
{
    if (p == NULL || text == NULL)
        return;
    const struct cupel__code *code = report ? &p->report : &p->verdict;
    if (code->image != NULL)
        cupel__disasm(code->image, text);
}
