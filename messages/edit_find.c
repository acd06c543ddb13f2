/* edit_find.c: the edits that may solve a problem (edit.h).
 *
 * A wrong value: a string with the text of a value of an allowed type is read, an allowed item is
 * wrapped, null is left out.  A missing member: a misspelt one is renamed, or the default of its
 * schema is added.  An undeclared member: it is renamed (rename.h).  Everything is read from the
 * image and the document; whether an edit helps is decided by validating the result. */
#include "messages/declared_names.h"
#include "messages/decode.h"
#include "messages/edit.h"
#include "messages/expect.h"
#include "messages/place.h"
#include "messages/rename.h"
#include <string.h>

static bool same_name(const struct render *r, const struct edit *a, const struct edit *b)
{
    char x[16], y[16];
    return cupel__str_eq(cupel__edit_name(r, a, x), cupel__edit_name(r, b, y));
}

/* A missing member and an undeclared one may want the same renaming, with the name from two tables;
 * two keywords may want a string read, each with its types. */
bool cupel__same_edit(const struct render *r, const struct edit *a, const struct edit *b)
{
    if (a->kind != b->kind || a->node != b->node)
        return false;
    return (a->kind != EDIT_RENAME && a->kind != EDIT_DEFAULT) || same_name(r, a, b);
}

static void add_candidate(const struct render *r, struct candidates *found, struct edit edit)
{
    for (uint32_t i = 0; i < found->n; i++)
        if (cupel__same_edit(r, &found->edit[i], &edit))
            return;
    if (found->n < MAX_CANDIDATES)
        found->edit[found->n++] = edit;
    else
        found->tie = true;
}

/* -- Values ------------------------------------------------------------------------------------ */

static bool is_string(const struct cupel__node *v)
{
    return (CUPEL__BIT(v->type) & CUPEL__M_STRING) != 0;
}

/* Whether a value may be more than the only item of an array: a string with the text of another
 * value or of a list, an object around an array. */
static bool is_wrapped_otherwise(const struct render *r, uint32_t node)
{
    struct cupel__node *v = &r->doc->nodes[node];
    if (v->type == CUPEL__OBJECT)
        return v->count == 1 && r->doc->nodes[node + 2].type == CUPEL__ARRAY;
    if (!is_string(v))
        return false;
    struct cupel__str s = cupel__doc_str(r->doc, v);
    return s.n == 0 || cupel__looks_encoded(s) || cupel__looks_like_list(s) ||
           cupel__decode(r, s, CUPEL__M_NULL, NULL, NULL) != CUPEL__DECODED_NOT;
}

static void find_value_edits(const struct render *r, const struct cupel__event *e,
                             const struct cupel__expect *x, struct candidates *found)
{
    const uint32_t node = e->node;
    struct cupel__node *v = &r->doc->nodes[node];
    const uint32_t wanted = x->types & ~(uint32_t)CUPEL__M_STRING;
    uint32_t type = 0;
    if (is_string(v) &&
        cupel__decode(r, cupel__doc_str(r->doc, v), wanted, NULL, &type) != CUPEL__DECODED_NOT)
        add_candidate(r, found, (struct edit){.kind = EDIT_READ, .node = node, .value = wanted});
    if (v->type != CUPEL__NULL && (type & CUPEL__M_ARRAY) == 0 &&
        cupel__takes_as_item(r, x, v->type)) {
        if (is_wrapped_otherwise(r, node))
            found->tie = true;
        else
            add_candidate(r, found, (struct edit){.kind = EDIT_WRAP, .node = node});
    }
    if (v->type == CUPEL__NULL && (x->types & CUPEL__M_NULL) == 0 && cupel__place_optional(r, e))
        add_candidate(r, found,
                      (struct edit){.kind = EDIT_REMOVE, .node = cupel__member_key(r->s, node)});
}

/* -- Members ----------------------------------------------------------------------------------- */

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
            add_candidate(r, found,
                          (struct edit){EDIT_DEFAULT, e->node, known->name[i].table,
                                        known->name[i].entry, value - 1});
    }
}

static void add_rename(const struct render *r, const struct cupel__rename *rename,
                       struct candidates *found)
{
    if (rename->key != 0 && rename->certain)
        add_candidate(r, found,
                      (struct edit){EDIT_RENAME, rename->key, rename->table, rename->entry, 0});
    found->tie |= rename->tie;
}

/* A default is no reading of an object with a member that nobody knows, which may be the missing
 * one. */
static void find_missing_edits(const struct render *r, const struct cupel__event *e,
                               struct candidates *found)
{
    struct cupel__declared_names known;
    struct cupel__rename rename;
    char buf[16];
    cupel__rename_missing(r, e, &rename);
    add_rename(r, &rename, found);
    if (rename.key != 0 || rename.tie || cupel__has_unknown_member(r, e, e->node))
        return;
    cupel__declared_names_siblings(r, e->pc, &known);
    find_default(r, e, &known, cupel__problem_name(r->s, e, buf), found);
}

static void find_unknown_edits(const struct render *r, const struct cupel__event *e,
                               struct candidates *found)
{
    struct cupel__rename rename;
    cupel__rename_unknown(r, e, &rename);
    add_rename(r, &rename, found);
}

/* -- Problems ---------------------------------------------------------------------------------- */

/* A value that failed in the branch for its type may be meant for another branch. */
static void find_other_branches(const struct render *r, const struct cupel__event *e,
                                struct candidates *found)
{
    const struct cupel__event *around = cupel__choice_around(r, e);
    struct cupel__expect x;
    if (around == NULL)
        return;
    cupel__expect_any_branch(r, around->pc, &x);
    x.types &= ~CUPEL__BIT(r->doc->nodes[e->node].type);
    find_value_edits(r, e, &x, found);
}

/* Kinds of problems without a case here have no repair. */
void cupel__find_edits(const struct render *r, const struct cupel__event *e, struct candidates *ret)
{
    struct cupel__expect x;
    *ret = (struct candidates){.n = 0};
    find_other_branches(r, e, ret);
    switch (cupel__problem_code(r->s, e)) {
    case CUPEL_P_TYPE:
        cupel__expect_siblings(r, e->pc, &x);
        x.types = CUPEL__WORD_B(r->code->words[e->pc]);
        find_value_edits(r, e, &x, ret);
        return;
    case CUPEL_P_CONST:
    case CUPEL_P_ENUM:
        x = (struct cupel__expect){.items = CUPEL__NO_SUB};
        x.types = cupel__value_types(r->code, r->code->words + e->pc);
        find_value_edits(r, e, &x, ret);
        return;
    case CUPEL_P_NO_ALTERNATIVE:
        cupel__expect_any_branch(r, e->pc, &x);
        find_value_edits(r, e, &x, ret);
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
