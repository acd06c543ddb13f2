/* edit_find.c: what may mend a problem. */
#include "messages/edit.h"
#include "vm/report/similar.h"
#include <string.h>

/* Names that are only a part of each other are too far apart to be changed without asking. */
enum { FAR = 40 };

bool cupel__same_edit(const struct edit *a, const struct edit *b)
{
    return a->kind == b->kind && a->node == b->node && a->table == b->table &&
           a->entry == b->entry && a->value == b->value;
}

static void add_way(struct ways *ways, struct edit edit)
{
    for (uint32_t i = 0; i < ways->n; i++)
        if (cupel__same_edit(&ways->way[i], &edit))
            return;
    if (ways->n < MAX_CANDIDATES)
        ways->way[ways->n++] = edit;
    else
        ways->more = true;
}

/* -- Values ------------------------------------------------------------------------------------ */

/* The types of the value whose JSON text a string holds, 0 if it holds none. */
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

/* Whether an array of such values is wanted, not just any. */
static bool takes_as_item(const struct render *r, const struct cupel__expect *x, uint32_t type)
{
    struct cupel__expect item;
    if ((x->types & CUPEL__M_ARRAY) == 0 || x->items == CUPEL__NO_SUB)
        return false;
    cupel__expect_sub(r, x->items, &item);
    return item.types != CUPEL__M_ANY && (item.types >> type & 1);
}

static void find_value_ways(const struct render *r, uint32_t node, const struct cupel__expect *x,
                            struct ways *ways)
{
    struct cupel__node *v = &r->doc->nodes[node];
    uint32_t types = 0;
    if (CUPEL__BIT(v->type) & CUPEL__M_STRING)
        types = types_of_text(r, cupel__doc_str(r->doc, v)) & x->types & ~(uint32_t)CUPEL__M_STRING;
    if (types != 0)
        add_way(ways, (struct edit){.kind = EDIT_PARSE, .node = node});
    /* The text of an array is that array and not its only item. */
    if (takes_as_item(r, x, v->type) && v->type != CUPEL__ARRAY && (types & CUPEL__M_ARRAY) == 0)
        add_way(ways, (struct edit){.kind = EDIT_WRAP, .node = node});
}

/* The types that some alternative takes. */
static void expect_any(const struct render *r, const struct cupel__event *e,
                       struct cupel__expect *ret)
{
    const struct cupel__list *list = cupel__branches_of(r->code, e->pc);
    *ret = (struct cupel__expect){.types = 0, .items = CUPEL__NO_SUB};
    for (uint32_t i = 0; i < list->count && i < 64; i++) {
        struct cupel__expect x;
        cupel__expect_sub(r, list->item[i], &x);
        ret->types |= x.types;
        ret->items = x.items != CUPEL__NO_SUB ? x.items : ret->items;
    }
}

/* -- Members ----------------------------------------------------------------------------------- */

static bool is_near(const struct render *r, struct cupel__str a, struct cupel__str b)
{
    if (!cupel__report_charge(r->s, cupel__similar_steps(a, b)))
        return false;
    int d = cupel__similar(a, b);
    return d > 0 && d < FAR;
}

/* The constant that is the default of what an entry's schema describes, + 1; 0 without one. */
static uint32_t default_of(const struct render *r, uint32_t sub)
{
    struct cupel__schema_iter shape;
    cupel__schema_iter_sub(&shape, r->code, sub, &r->s->cursor->remaining);
    for (const uint32_t *word; (word = cupel__schema_iter_next(&shape)) != NULL;) {
        struct cupel__str token =
            cupel__loc_token(r->code, cupel__loc_of(r->code, (uint32_t)(word - r->code->words)));
        if (CUPEL__WORD_OP(*word) == CUPEL__OP_NOTE && token.n == 7 &&
            memcmp(token.p, "default", 7) == 0)
            return 1 + word[1];
    }
    return 0;
}

static void find_default(const struct render *r, const struct cupel__event *e,
                         const struct cupel__declared_names *known, struct cupel__str name,
                         struct ways *ways)
{
    char buf[16];
    for (uint32_t i = 0; i < known->n; i++) {
        const struct cupel__table *t = cupel__at(r->code->image, known->name[i].table);
        const struct cupel__entry *entry = &cupel__table_entries(t)[known->name[i].entry];
        if (!cupel__str_eq(cupel__declared_name(r, known, i, buf), name))
            continue;
        uint32_t value = default_of(r, entry->sub);
        if (value != 0)
            add_way(ways, (struct edit){EDIT_DEFAULT, e->node, known->name[i].table,
                                        known->name[i].entry, value - 1});
    }
}

/* A member of another name, or the default. */
static void find_missing_ways(const struct render *r, const struct cupel__event *e,
                              struct ways *ways)
{
    const struct cupel__node *nodes = r->doc->nodes;
    const uint32_t *word = r->code->words + e->pc;
    struct cupel__declared_names known;
    char buf[16];
    struct cupel__str name = cupel__problem_name(r->code, r->doc, e, buf);
    uint32_t table = CUPEL__WORD_OP(*word) == CUPEL__OP_DEPENDS ? word[2] : word[1];
    cupel__declared_names_siblings(r, e->pc, &known);
    for (uint32_t k = e->node + 1, n = 0; k < nodes[e->node].end && n < 256;
         k = cupel__node_next(nodes, k + 1), n++) {
        struct cupel__str member = cupel__doc_str(r->doc, &r->doc->nodes[k]);
        if (!cupel__is_declared_name(r, &known, member) && is_near(r, member, name))
            add_way(ways, (struct edit){EDIT_RENAME, k, table, e->which, 0});
    }
    find_default(r, e, &known, name, ways);
}

/* Another name, one that the object does not have yet. */
static void find_unknown_ways(const struct render *r, const struct cupel__event *e,
                              struct ways *ways)
{
    struct cupel__declared_names known;
    struct cupel__model_path place;
    struct cupel_text ignored;
    uint32_t key = cupel__member_key(r->doc, e->node);
    if (key == 0)
        return;
    struct cupel__str member = cupel__doc_str(r->doc, &r->doc->nodes[key]);
    cupel_text_init(&ignored, &r->text->alloc);
    cupel__add_model_path(r, e->node, UINT32_MAX, "", &ignored, &place);
    cupel_text_free(&ignored);
    cupel__declared_names_parent(r, e->pc, &known);
    for (uint32_t i = 0; i < known.n; i++) {
        char buf[16];
        struct cupel__str name = cupel__declared_name(r, &known, i, buf);
        if (is_near(r, member, name) && cupel__doc_member(r->doc, place.parent, name) == 0)
            add_way(ways,
                    (struct edit){EDIT_RENAME, key, known.name[i].table, known.name[i].entry, 0});
    }
}

void cupel__find_edits(const struct render *r, const struct cupel__event *e, struct ways *ret)
{
    struct cupel__expect x;
    *ret = (struct ways){.n = 0};
    switch (cupel__problem_code(r->code, r->doc, e)) {
    case CUPEL_P_TYPE:
        cupel__expect_siblings(r, e->pc, &x);
        x.types = CUPEL__WORD_B(r->code->words[e->pc]);
        find_value_ways(r, e->node, &x, ret);
        return;
    case CUPEL_P_CONST:
    case CUPEL_P_ENUM:
        x = (struct cupel__expect){.items = CUPEL__NO_SUB};
        x.types = cupel__value_types(r->code, r->code->words + e->pc);
        find_value_ways(r, e->node, &x, ret);
        return;
    case CUPEL_P_NO_ALTERNATIVE:
        expect_any(r, e, &x);
        find_value_ways(r, e->node, &x, ret);
        return;
    case CUPEL_P_REQUIRED:
    case CUPEL_P_DEPENDENT:
        find_missing_ways(r, e, ret);
        return;
    case CUPEL_P_UNKNOWN_PROPERTY:
        find_unknown_ways(r, e, ret);
        return;
    default:
        return;
    }
}
