/* edit_find.c: the edits that may solve a problem (edit.h).
 *
 * A wrong value: a string with the JSON text of an allowed type is parsed, an allowed item is
 * wrapped.  A missing member: a similar undeclared one is renamed, or the default of its schema is
 * added.  An undeclared member: it is renamed to a similar declared name that the object lacks.
 * Everything is read from the image and the document; whether an edit helps is decided by
 * validating the result. */
#include "base/similar.h"
#include "messages/declared_names.h"
#include "messages/edit.h"
#include "messages/expect.h"
#include "messages/model_path.h"
#include <string.h>

/* Names of which one only contains the other (similar.h) are too far apart for a repair.
 * MAX_MEMBERS: members compared with a missing name. */
enum { FAR = 40, MAX_MEMBERS = 256 };

bool cupel__same_edit(const struct edit *a, const struct edit *b)
{
    return a->kind == b->kind && a->node == b->node && a->table == b->table &&
           a->entry == b->entry && a->value == b->value;
}

static void add_candidate(struct candidates *found, struct edit edit)
{
    for (uint32_t i = 0; i < found->n; i++)
        if (cupel__same_edit(&found->edit[i], &edit))
            return;
    if (found->n < MAX_CANDIDATES)
        found->edit[found->n++] = edit;
    else
        found->more = true;
}

/* -- Values ------------------------------------------------------------------------------------ */

/* The type of the value whose JSON text a string holds, as a set; 0 if it holds none. */
static uint32_t types_of_text(const struct render *r, struct cupel__str s)
{
    struct cupel__read_options read = r->s->document.read;
    struct cupel__doc doc;
    uint32_t types = 0;
    read.flags &= ~(uint32_t)CUPEL__READ_PADDED;
    cupel__doc_init(&doc, &r->text->alloc);
    enum cupel_status status =
        s.n > 0 ? cupel__json_read(&doc, s.p, s.n, &read, NULL) : CUPEL_E_SYNTAX;
    if (status == CUPEL_OK)
        types = CUPEL__BIT(doc.nodes[0].type);
    r->text->failed |= status == CUPEL_E_NO_MEMORY;
    cupel__doc_free(&doc);
    return types;
}

/* Whether the schema wants an array whose items have this type.  Items of any type do not count:
 * then wrapping would be a guess. */
static bool takes_as_item(const struct render *r, const struct cupel__expect *x, uint32_t type)
{
    struct cupel__expect item;
    if ((x->types & CUPEL__M_ARRAY) == 0 || x->items == CUPEL__NO_SUB)
        return false;
    cupel__expect_sub(r, x->items, &item);
    return item.types != CUPEL__M_ANY && (item.types >> type & 1);
}

static void find_value_edits(const struct render *r, uint32_t node, const struct cupel__expect *x,
                             struct candidates *found)
{
    struct cupel__node *v = &r->doc->nodes[node];
    uint32_t types = 0;
    if (CUPEL__BIT(v->type) & CUPEL__M_STRING)
        types = types_of_text(r, cupel__doc_str(r->doc, v)) & x->types & ~(uint32_t)CUPEL__M_STRING;
    if (types != 0)
        add_candidate(found, (struct edit){.kind = EDIT_PARSE, .node = node});
    /* A string with the text of an array is that array, not its only item. */
    if (takes_as_item(r, x, v->type) && v->type != CUPEL__ARRAY && (types & CUPEL__M_ARRAY) == 0)
        add_candidate(found, (struct edit){.kind = EDIT_WRAP, .node = node});
}

/* -- Members ----------------------------------------------------------------------------------- */

/* Whether two names differ and are similar enough for a repair. */
static bool is_near(const struct render *r, struct cupel__str a, struct cupel__str b)
{
    if (!cupel__report_charge(r->s, cupel__similar_steps(a, b)))
        return false;
    int d = cupel__similar(a, b);
    return d > 0 && d < FAR;
}

/* 1 + the constant that a schema has as its `default`, or 0. */
static uint32_t default_of(const struct render *r, uint32_t sub)
{
    struct cupel__schema_iter it;
    cupel__schema_iter_sub(&it, r->code, sub, &r->s->cursor->remaining);
    for (const uint32_t *word; (word = cupel__schema_iter_next(&it)) != NULL;) {
        struct cupel__str token =
            cupel__loc_token(r->code, cupel__loc_of(r->code, (uint32_t)(word - r->code->words)));
        if (CUPEL__WORD_OP(*word) == CUPEL__OP_NOTE && token.n == 7 &&
            memcmp(token.p, "default", 7) == 0)
            return 1 + word[1];
    }
    return 0;
}

/* Adds the member with the default of its schema, if that has one. */
static void find_default(const struct render *r, const struct cupel__event *e,
                         const struct cupel__declared_names *known, struct cupel__str name,
                         struct candidates *found)
{
    char buf[16];
    for (uint32_t i = 0; i < known->n; i++) {
        const struct cupel__table *t = cupel__at(r->code->image, known->name[i].table);
        const struct cupel__entry *entry = &cupel__table_entries(t)[known->name[i].entry];
        if (!cupel__str_eq(cupel__declared_name(r, known, i, buf), name))
            continue;
        uint32_t value = default_of(r, entry->sub);
        if (value != 0)
            add_candidate(found, (struct edit){EDIT_DEFAULT, e->node, known->name[i].table,
                                               known->name[i].entry, value - 1});
    }
}

static void find_missing_edits(const struct render *r, const struct cupel__event *e,
                               struct candidates *found)
{
    const struct cupel__node *nodes = r->doc->nodes;
    const uint32_t *word = r->code->words + e->pc;
    struct cupel__declared_names known;
    char buf[16];
    struct cupel__str name = cupel__problem_name(r->s, e, buf);
    uint32_t table = CUPEL__WORD_OP(*word) == CUPEL__OP_DEPENDS ? word[2] : word[1];
    cupel__declared_names_siblings(r, e->pc, &known);
    for (uint32_t k = e->node + 1, n = 0; k < nodes[e->node].end && n < MAX_MEMBERS;
         k = cupel__node_next(nodes, k + 1), n++) {
        struct cupel__str member = cupel__doc_str(r->doc, &r->doc->nodes[k]);
        if (!cupel__is_declared_name(r, &known, member) && is_near(r, member, name))
            add_candidate(found, (struct edit){EDIT_RENAME, k, table, e->which, 0});
    }
    find_default(r, e, &known, name, found);
}

static void find_unknown_edits(const struct render *r, const struct cupel__event *e,
                               struct candidates *found)
{
    struct cupel__declared_names known;
    uint32_t key = cupel__member_key(r->s, e->node);
    if (key == 0)
        return;
    struct cupel__str member = cupel__doc_str(r->doc, &r->doc->nodes[key]);
    uint32_t object = cupel__container_of(r, e->node);
    cupel__declared_names_parent(r, e->pc, &known);
    for (uint32_t i = 0; i < known.n; i++) {
        char buf[16];
        struct cupel__str name = cupel__declared_name(r, &known, i, buf);
        if (is_near(r, member, name) && cupel__doc_member(r->doc, object, name) == 0)
            add_candidate(found, (struct edit){EDIT_RENAME, key, known.name[i].table,
                                               known.name[i].entry, 0});
    }
}

/* Kinds of problems without a case here have no repair. */
void cupel__find_edits(const struct render *r, const struct cupel__event *e, struct candidates *ret)
{
    struct cupel__expect x;
    *ret = (struct candidates){.n = 0};
    switch (cupel__problem_code(r->s, e)) {
    case CUPEL_P_TYPE:
        cupel__expect_siblings(r, e->pc, &x);
        x.types = CUPEL__WORD_B(r->code->words[e->pc]);
        find_value_edits(r, e->node, &x, ret);
        return;
    case CUPEL_P_CONST:
    case CUPEL_P_ENUM:
        x = (struct cupel__expect){.items = CUPEL__NO_SUB};
        x.types = cupel__value_types(r->code, r->code->words + e->pc);
        find_value_edits(r, e->node, &x, ret);
        return;
    case CUPEL_P_NO_ALTERNATIVE:
        cupel__expect_any_branch(r, e->pc, &x);
        find_value_edits(r, e->node, &x, ret);
        return;
    case CUPEL_P_REQUIRED:
    case CUPEL_P_DEPENDENT:
        find_missing_edits(r, e, ret);
        return;
    case CUPEL_P_UNKNOWN_PROPERTY:
        find_unknown_edits(r, e, ret);
        return;
    default:
        return;
    }
}
