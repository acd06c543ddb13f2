/* print.c: a module as text, one operation a line (docs/ir.md).
 *
 * ir.def says which operands a kind has, and in which order; no operation is named here.  parse.c
 * reads the text back. */
#include "compiler/ir/ir.h"

#include "base/always.h"
#include "base/json/tape.h"
#include "vm/formats/formats.h"
#include <string.h>

/* Prints a mask as names of sets (types.def), the largest sets first. */
static void print_types(struct cupel_text *b, uint32_t mask)
{
    static const struct {
        const char *name;
        uint32_t mask;
    } sets[] = {
#define SET(name, mask) {name, mask},
#include "compiler/ir/types.def"
    };
    const char *bar = " ";
    if (mask == 0)
        cupel_text_adds(b, " none");
    for (size_t i = 0; mask != 0 && ALWAYS(i < sizeof sets / sizeof *sets); i++) {
        if ((sets[i].mask & ~mask) != 0)
            continue;
        cupel_text_adds(b, bar);
        cupel_text_adds(b, sets[i].name);
        mask &= ~sets[i].mask;
        bar = "|";
    }
}

static void print_count(struct cupel_text *b, uint32_t count)
{
    if (count == IR_MANY)
        cupel_text_adds(b, " many");
    else
        cupel_text_addf(b, " %u", (unsigned)count);
}

static void print_name(struct cupel_text *b, struct cupel__str name)
{
    cupel_text_adds(b, " ");
    cupel_text_add_json(b, name.p, name.n);
}

/* Prints a value as it was written, without white space between tokens. */
static void print_value(struct cupel_text *b, const struct ir_value *v)
{
    struct cupel__str text = cupel__doc_span(v->doc, v->node);
    bool in_string = false;
    cupel_text_adds(b, " ");
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (in_string && c == '\\') { /* the escaped character may be a quote */
            cupel_text_add(b, text.p + i++, 2);
            continue;
        }
        if (c == '"')
            in_string = !in_string;
        if (in_string || (c != ' ' && c != '\t' && c != '\n' && c != '\r'))
            cupel_text_add(b, &c, 1);
    }
}

static void print_values(struct cupel_text *b, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nvalues; i++)
        print_value(b, &op->values[i]);
}

static void print_schemas(struct cupel_text *b, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nschemas; i++) {
        if (op->schemas[i] == IR_NONE)
            cupel_text_adds(b, " -");
        else
            cupel_text_addf(b, " @%u", (unsigned)op->schemas[i]);
    }
}

static void print_names(struct cupel_text *b, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nnames; i++)
        print_name(b, op->names[i].name);
}

static void print_props(struct cupel_text *b, const struct ir_op *op)
{
    const char *comma = "";
    for (uint32_t i = 0; i < op->nnames; i++) {
        const struct ir_name *n = &op->names[i];
        cupel_text_adds(b, comma);
        print_name(b, n->name);
        if ((n->flags & IR_NAME_UNKNOWN) == 0)
            cupel_text_addf(b, ":@%u", (unsigned)n->schema);
        if ((n->flags & IR_NAME_REQUIRED) != 0)
            cupel_text_adds(b, " required");
        comma = ",";
    }
    for (uint32_t i = 0; i < op->nmatches; i++) {
        const struct ir_match *match = &op->matches[i];
        cupel_text_addf(b, "%s %s %u:@%u", comma, op->unlisted ? "unlisted" : "pattern",
                        (unsigned)match->pattern, (unsigned)match->schema);
        comma = ",";
    }
    if (op->other != IR_NONE)
        cupel_text_addf(b, "%s other:@%u", comma, (unsigned)op->other);
}

/* Prints the operand of a letter (ir.def), with a space before it. */
static void print_operand(struct cupel_text *b, const struct ir_op *op, char letter)
{
    switch (letter) {
    case 'm':
        print_types(b, op->mask);
        break;
    case 'a':
        print_count(b, op->a);
        break;
    case 'b':
        print_count(b, op->b);
        break;
    case 'x':
        if (op->exclusive)
            cupel_text_adds(b, " exclusive");
        break;
    case 'd':
    case 'v':
    case 'V':
        print_values(b, op);
        break;
    case 's':
    case 'S':
        print_schemas(b, op);
        break;
    case 'n':
        print_name(b, op->name);
        break;
    case 'N':
        print_names(b, op);
        break;
    case 'P':
        print_props(b, op);
        break;
    case 'p':
        cupel_text_addf(b, " %u", (unsigned)op->pattern);
        break;
    case 'f':
        cupel_text_addf(b, " %s", cupel__format_scanner((enum cupel__format)op->a));
        break;
    }
}

static void print_loc(struct cupel_text *b, uint32_t loc)
{
    if (loc != IR_NONE)
        cupel_text_addf(b, " loc %u", (unsigned)loc);
    cupel_text_adds(b, "\n");
}

static void print_schema(struct cupel_text *b, const struct ir_schema *s)
{
    cupel_text_addf(b, "schema @%u", (unsigned)s->id);
    print_types(b, s->types);
    if (s->tracked)
        cupel_text_adds(b, " tracked");
    print_loc(b, s->loc);
    for (const struct ir_op *op = s->first; op != NULL; op = op->next) {
        cupel_text_adds(b, "  ");
        cupel_text_adds(b, cupel__ir_kind_text(op->kind));
        for (const char *letter = cupel__ir_kind_operands(op->kind); *letter != '\0'; letter++)
            print_operand(b, op, *letter);
        print_loc(b, op->loc);
    }
}

static void print_tables(struct cupel_text *b, const struct ir_module *m)
{
    for (uint32_t i = 0; i < m->nlocs; i++) {
        cupel_text_addf(b, "loc %u", (unsigned)i);
        if (m->locs[i].parent != IR_NONE)
            cupel_text_addf(b, " %u", (unsigned)m->locs[i].parent);
        print_name(b, m->locs[i].token);
        cupel_text_adds(b, "\n");
    }
    for (uint32_t i = 0; i < m->npatterns; i++) {
        cupel_text_addf(b, "pattern %u", (unsigned)i);
        print_name(b, m->patterns[i].source);
        cupel_text_adds(b, "\n");
    }
}

/* Sets reached[i] for every schema that the root reaches. */
static void reach(const struct ir_module *m, uint32_t *reached, uint32_t *stack)
{
    uint32_t *top = stack;
    memset(reached, 0, m->nschemas * sizeof *reached);
    *top++ = m->root;
    reached[m->root] = 1;
    while (top > stack) {
        for (struct ir_op *op = m->schemas[*--top].first; op != NULL; op = op->next) {
            uint32_t at = 0;
            for (uint32_t *ref; (ref = ir_op_next_ref(op, &at)) != NULL;) {
                if (reached[*ref] == 0)
                    *top++ = *ref;
                reached[*ref] = 1;
            }
        }
    }
}

void cupel__ir_print(const struct ir_module *m, struct cupel_text *b)
{
    struct ir_scratch scratch;
    uint32_t *words = ir_scratch_init(&scratch, &b->alloc, (size_t)m->nschemas * 2);
    if (words == NULL)
        b->failed = true;
    if (words == NULL || m->root == IR_NONE) {
        ir_scratch_free(&scratch);
        return;
    }
    reach(m, words, words + m->nschemas);
    cupel_text_addf(b, "root @%u\n", (unsigned)m->root);
    print_tables(b, m);
    for (uint32_t i = 0; i < m->nschemas; i++)
        if (words[i] != 0)
            print_schema(b, &m->schemas[i]);
    ir_scratch_free(&scratch);
}
