/* model_line.c: the line of one problem: path, what is expected, what was found (model.h).
 *
 * Simple kinds have their sentence in problems.def.  The functions here write the kinds for which a
 * model needs more than the keyword that failed: all restrictions of the value, the declared names,
 * the alternatives, a suggestion. */
#include "messages/declared_names.h"
#include "messages/expect.h"
#include "messages/model.h"
#include "messages/place.h"
#include "messages/rename.h"
#include <limits.h>
#include <string.h>

/* Alternatives and names listed, branches gathered, bytes of a pattern. */
enum { MAX_ALTERNATIVES = 6, MAX_BRANCHES = 128, PATTERN_BYTES = 160 };

const char *cupel__model_root(const struct render *r)
{
    return r->options->flags & CUPEL_DOCUMENT        ? "document"
           : r->options->flags & CUPEL_OUTPUT_RESULT ? "result"
                                                     : "arguments";
}

static const char *member_word(const struct render *r)
{
    return r->options->flags & (CUPEL_OUTPUT_RESULT | CUPEL_DOCUMENT) ? "property" : "parameter";
}

void cupel__add_code(struct cupel_text *text, struct cupel__str name)
{
    cupel_text_adds(text, "`");
    cupel__escape_untrusted(text, name, CUPEL__NAME_BYTES, '`');
    cupel_text_adds(text, "`");
}

/* -- Paths ------------------------------------------------------------------------------------- */

void cupel__write_model_path(const struct model *m, const struct cupel__event *e, uint32_t blank,
                             struct cupel__model_path *place, struct cupel_text *text)
{
    char buf[16];
    enum cupel_problem_code code = cupel__problem_code(m->r->s, e);
    size_t start = text->len;
    bool missing = code == CUPEL_P_REQUIRED || code == CUPEL_P_DEPENDENT;
    bool tag = code == CUPEL_P_NO_ALTERNATIVE && e->choice == CUPEL_CHOICE_NO_TAG;
    cupel__add_model_path(m->r, tag ? e->tag : e->node, blank,
                          missing ? "" : cupel__model_root(m->r), text, place);
    if (missing)
        cupel__add_model_step(text, start, cupel__problem_name(m->r->s, e, buf));
}

/* Writes both paths with the index blank and compares them. */
bool cupel__same_path_except(const struct model *m, const struct line *a, const struct line *b,
                             uint32_t at)
{
    struct cupel_text x, y;
    struct cupel__model_path ignored;
    cupel_text_init(&x, &m->r->text->alloc);
    cupel_text_init(&y, &m->r->text->alloc);
    cupel__write_model_path(m, a->event, at, &ignored, &x);
    cupel__write_model_path(m, b->event, at, &ignored, &y);
    bool equal = x.len == y.len && (x.len == 0 || memcmp(x.bytes, y.bytes, x.len) == 0);
    m->r->text->failed |= x.failed | y.failed;
    cupel_text_free(&x);
    cupel_text_free(&y);
    return equal;
}

/* -- Members ----------------------------------------------------------------------------------- */

/* The innermost choice around an event that a tag in `object` has decided, or NULL. */
static const struct cupel__event *tagged_choice(const struct render *r,
                                                const struct cupel__event *e, uint32_t object)
{
    while (e->group != 0) {
        e = cupel__event_of(r, e->group - 1);
        if (e->choice == CUPEL_CHOICE_BY_TAG && e->tag != 0 && e->node == object)
            return e;
    }
    return NULL;
}

/* The tag's value is one that the schema lists, so it may be repeated. */
void cupel__add_tag(const struct render *r, const struct cupel__event *e, uint32_t object,
                    struct cupel_text *text)
{
    const struct cupel__event *choice = tagged_choice(r, e, object);
    if (choice == NULL)
        return;
    struct cupel__node *value = &r->doc->nodes[choice->tag];
    struct cupel__str name = cupel__doc_str(r->doc, value - 1);
    if (r->people)
        cupel__add_code(text, name);
    else
        cupel__add_model_step(text, text->len, name);
    cupel_text_adds(text, " is ");
    if (CUPEL__BIT(value->type) & CUPEL__M_STRING)
        cupel__text_quoted(text, cupel__doc_str(r->doc, value), CUPEL__NAME_BYTES);
    else
        cupel__escape_untrusted(text, cupel__doc_span(r->doc, choice->tag), CUPEL__NAME_BYTES, 0);
}

/* Appends ` when kind is "url"`. */
static void add_tag(const struct render *r, const struct cupel__event *e, uint32_t object,
                    struct cupel_text *text)
{
    if (tagged_choice(r, e, object) == NULL)
        return;
    cupel_text_adds(text, " when ");
    cupel__add_tag(r, e, object, text);
}

/* After a suggested name: what its value has to be, if the value that is there has another type. */
static void add_value_expected(const struct render *r, uint32_t sub, uint32_t node,
                               struct cupel_text *text)
{
    struct cupel__expect x;
    if (CUPEL__SUB_PC(sub) == 0 && CUPEL__SUB_TYPES(sub) == CUPEL__M_ANY)
        return;
    cupel__expect_sub(r, sub, &x);
    x.types &= CUPEL__SUB_TYPES(sub);
    if (x.types == 0 || x.types >> r->doc->nodes[node].type & 1)
        return;
    cupel_text_adds(text, " Its value: expected ");
    cupel__add_expected(r, &x, text);
    cupel_text_adds(text, ", got ");
    cupel__add_found(r, node, x.types, x.items, text);
}

/* The same for a missing name, which may be declared by another schema than the one that requires
 * it. */
static void add_value_of_renamed(const struct render *r, const struct cupel__event *e,
                                 uint32_t node, struct cupel_text *text)
{
    char buf[16];
    struct cupel__place place;
    struct cupel__str name = cupel__problem_name(r->s, e, buf);
    uint32_t sub =
        cupel__place_of(r, e, &place) ? cupel__place_sub(r, &place, name) : CUPEL__NO_SUB;
    if (sub != CUPEL__NO_SUB)
        add_value_expected(r, sub, node, text);
}

/* Appends ` when `kind` is "url"` for the condition under which the schema of an event applies. */
static void add_condition(const struct render *r, const struct cupel__event *e, const char *before,
                          struct cupel_text *text)
{
    const size_t start = text->len;
    cupel_text_adds(text, before);
    const size_t condition = text->len;
    cupel__add_condition(r, e, text);
    if (text->len == condition)
        cupel__cut(text, start);
}

/* "required, missing", with the condition under which it is required and the member that is
 * probably a misspelling of it. */
static void write_missing(struct model *m, uint32_t i, struct cupel_text *text)
{
    const struct cupel__event *e = m->events[i];
    const struct render *r = m->r;
    char buf[16];
    cupel_text_adds(text, "required");
    add_tag(r, e, e->node, text);
    if (m->codes[i] == CUPEL_P_DEPENDENT) {
        cupel_text_adds(text, " when ");
        cupel__add_code(text, cupel__image_str(r->code->image, r->code->words[e->pc + 1]));
        cupel_text_adds(text, " is there");
    } else if (tagged_choice(r, e, e->node) == NULL) {
        add_condition(r, e, " when ", text);
    }
    cupel_text_adds(text, ", missing");
    if (m->renamed[i] == 0)
        return;
    cupel_text_adds(text, ". ");
    cupel__add_code(text, cupel__doc_str(r->doc, &r->doc->nodes[m->renamed[i]]));
    cupel_text_addf(text, " is not a %s; did you mean ", member_word(r));
    cupel__add_code(text, cupel__problem_name(r->s, e, buf));
    cupel_text_adds(text, "?");
    add_value_of_renamed(r, e, m->renamed[i] + 1, text);
}

/* "not a parameter", with a suggestion, the place where it belongs, or the declared names.  Those
 * of the validated value itself are listed at the end of the text, so not here. */
static void write_unknown(struct model *m, const struct cupel__event *e, uint32_t object,
                          struct cupel_text *text)
{
    const struct render *r = m->r;
    struct cupel__declared_names known;
    struct cupel__rename rename;
    char buf[16];
    uint32_t key = cupel__member_key(r->s, e->node);
    cupel__declared_names_parent(r, e->pc, &known);
    cupel__drop_forbidden_names(r, &known);
    cupel__rename_unknown(r, e, &rename);
    cupel_text_addf(text, "not a %s", member_word(r));
    add_tag(r, e, object, text);
    if (tagged_choice(r, e, object) == NULL)
        add_condition(r, e, " when ", text);
    size_t start = text->len;
    cupel_text_adds(text, "; ");
    if (rename.key != 0) {
        cupel_text_adds(text, "did you mean ");
        cupel__add_code(text, cupel__rename_name(r, &rename, buf));
        cupel_text_adds(text, "?");
        add_value_expected(
            r, cupel__table_entries(cupel__at(r->code->image, rename.table))[rename.entry].sub,
            key + 1, text);
    } else if (!cupel__add_elsewhere(r, e, cupel__doc_str(r->doc, &r->doc->nodes[key]), text)) {
        cupel__cut(text, start);
        if (object != r->s->node && known.n > 0) {
            cupel_text_adds(text, "; expected: ");
            cupel__add_declared_names(r, &known, false, text);
        }
    }
}

/* The whole call is inside a member. */
static void write_wrapped(const struct model *m, struct cupel_text *text)
{
    const struct render *r = m->r;
    struct cupel__node *value = &r->doc->nodes[m->wrapper + 1];
    const bool document = r->options->flags & (CUPEL_OUTPUT_RESULT | CUPEL_DOCUMENT);
    cupel_text_addf(text, "the %s are inside ", document ? "properties" : "parameters");
    cupel__add_code(text, cupel__doc_str(r->doc, value - 1));
    cupel_text_addf(text, "%s; write them directly, without it",
                    value->type == CUPEL__OBJECT ? "" : ", as text");
}

/* -- Values ------------------------------------------------------------------------------------ */

static void add_suggestion(struct cupel__str closest, struct cupel_text *text)
{
    if (closest.n == 0)
        return;
    cupel_text_adds(text, "; did you mean ");
    cupel__text_quoted(text, closest, CUPEL__NAME_BYTES);
    cupel_text_adds(text, "?");
}

/* After "expected …" with listed values: what was found, and the closest of them. */
static void add_other_value(const struct render *r, uint32_t node, uint32_t types,
                            struct cupel__str closest, struct cupel_text *text)
{
    const struct cupel__node *v = &r->doc->nodes[node];
    bool same_type = types >> v->type & 1;
    cupel_text_adds(text, same_type ? ", got another " : ", got ");
    if (same_type && v->type <= CUPEL__TRUE)
        cupel_text_adds(text, "value");
    else
        cupel__add_found(r, node, same_type ? 0 : types, CUPEL__NO_SUB, text);
    add_suggestion(closest, text);
}

static void write_values(const struct render *r, const struct cupel__event *e,
                         struct cupel_text *text)
{
    const uint32_t *word = r->code->words + e->pc;
    struct cupel__expect x = {.types = cupel__value_types(r->code, word), .values = word};
    int distance = INT_MAX;
    cupel_text_adds(text, "expected ");
    cupel__add_expected(r, &x, text);
    add_other_value(r, e->node, x.types, cupel__closest_value(r, e->node, word, &distance), text);
}

/* Writes all restrictions of the type that fits none: the range of a number, the length of a
 * string. */
void cupel__expect_value(const struct render *r, const struct cupel__event *e,
                         enum cupel_problem_code code, struct cupel__expect *ret)
{
    cupel__expect_siblings(r, e->pc, ret);
    if (code == CUPEL_P_TYPE)
        ret->types = cupel__named_types(CUPEL__WORD_B(r->code->words[e->pc]));
    else
        ret->types = ret->types & CUPEL__M_NUMBER ? ret->types & CUPEL__M_NUMBER : CUPEL__M_NUMBER;
    ret->values = NULL;
}

static void write_type(const struct render *r, const struct cupel__event *e,
                       struct cupel_text *text)
{
    struct cupel__expect x;
    cupel__expect_value(r, e, CUPEL_P_TYPE, &x);
    cupel_text_adds(text, "expected ");
    cupel__add_expected(r, &x, text);
    cupel_text_adds(text, ", got ");
    cupel__add_found(r, e->node, x.types, x.items, text);
}

/* Writes the whole range, not the bound that failed alone; `got` says on which side the number is.
 */
static void write_bound(const struct render *r, const struct cupel__event *e, const char *got,
                        struct cupel_text *text)
{
    struct cupel__expect x;
    cupel__expect_value(r, e, CUPEL_P_MINIMUM, &x);
    cupel_text_adds(text, "expected ");
    cupel__add_expected(r, &x, text);
    cupel_text_addf(text, ", got %s", got);
    if (r->options->flags & CUPEL_SHOW_VALUES) {
        cupel_text_adds(text, ": ");
        cupel__escape_untrusted(text, cupel__doc_span(r->doc, e->node), CUPEL__NAME_BYTES, 0);
    }
}

/* The pattern as its author wrote it. */
static void write_pattern(const struct render *r, const struct cupel__event *e,
                          struct cupel_text *text)
{
    cupel_text_adds(text, "expected string that matches ");
    cupel__add_pattern(r, r->code->words + e->pc, PATTERN_BYTES, text);
    cupel_text_adds(text, ", got another string");
    if (r->options->flags & CUPEL_SHOW_VALUES) {
        cupel_text_adds(text, ": ");
        cupel__text_quoted(text, cupel__doc_str(r->doc, &r->doc->nodes[e->node]),
                           CUPEL__NAME_BYTES);
    }
}

/* -- Alternatives ------------------------------------------------------------------------------ */

/* After a name in an alternative: the values it may have, if they are few.  They tell alternatives
 * apart that require the same names. */
static void add_tag_values(const struct render *r, const struct cupel__declared_names *names,
                           uint32_t i, struct cupel_text *text)
{
    enum { FEW = 3 };
    const struct cupel__table *t = cupel__at(r->code->image, names->name[i].table);
    const struct cupel__entry *e = &cupel__table_entries(t)[names->name[i].entry];
    struct cupel__expect x;
    uint32_t n;
    if ((e->flags & CUPEL__ENTRY_UNKNOWN) || CUPEL__SUB_PC(e->sub) == 0)
        return;
    cupel__expect_sub(r, e->sub, &x);
    if (x.values == NULL || (cupel__values_of(r->code, x.values, &n), n > FEW))
        return;
    cupel_text_adds(text, ": ");
    cupel__add_expected(r, &x, text);
}

/* Appends what a branch requires: of an object its required names, or its declared ones if it
 * requires none; otherwise types and values. */
void cupel__add_alternative(const struct render *r, uint32_t sub, struct cupel_text *text)
{
    struct cupel__expect x;
    struct cupel__declared_names names;
    cupel__expect_sub(r, sub, &x);
    cupel__declared_names_sub(r, sub, &names);
    bool object = x.values == NULL && (x.types == CUPEL__M_OBJECT || x.types == CUPEL__M_ANY);
    uint32_t shown = 0;
    if (!object || names.n == 0) {
        cupel__add_expected(r, &x, text);
        return;
    }
    for (uint32_t required = 2; required-- > 0 && shown == 0;) {
        for (uint32_t i = 0; i < names.n && shown < CUPEL__MAX_LISTED; i++) {
            char buf[16];
            if (names.name[i].required != required)
                continue;
            cupel_text_adds(text, shown++ > 0                               ? ", "
                                  : x.types == CUPEL__M_OBJECT || r->people ? "object with "
                                                                            : "");
            cupel__add_code(text, cupel__declared_name(r, &names, i, buf));
            add_tag_values(r, &names, i, text);
        }
    }
}

/* Branches with the same description are one alternative; what has no short description says
 * nothing beside alternatives that have one. */
void cupel__add_alternatives(const struct render *r, const struct cupel__event *e,
                             struct cupel_text *text)
{
    const struct cupel__list *list = cupel__branches_of(r->code, e->pc);
    struct cupel_text all, one;
    struct span spans[MAX_ALTERNATIVES];
    uint32_t shown = 0, i = 0;
    cupel_text_init(&all, &text->alloc);
    cupel_text_init(&one, &text->alloc);
    for (; i < list->count && shown < MAX_ALTERNATIVES; i++) {
        cupel_text_clear(&one);
        cupel__add_alternative(r, list->item[i], &one);
        text->failed |= one.failed;
        struct cupel__str s = {one.len > 0 ? one.bytes : "", one.failed ? 0 : one.len};
        bool again = s.n == 0 || cupel__str_eq(s, CUPEL__STR("any value"));
        for (uint32_t k = 0; k < shown && !all.failed; k++)
            again |= cupel__str_eq(s, (struct cupel__str){all.bytes + spans[k].at, spans[k].len});
        if (again)
            continue;
        cupel_text_adds(&all, shown > 0 ? " or " : "");
        spans[shown++] = (struct span){all.len, s.n};
        cupel_text_add(&all, s.p, s.n);
    }
    cupel_text_adds(text, shown > 1 ? "either " : shown == 0 ? "one of several forms" : "");
    cupel_text_add(text, all.bytes, all.len);
    if (i < list->count)
        cupel_text_addf(text, " … and %u more", (unsigned)(list->count - i));
    text->failed |= all.failed;
    cupel_text_free(&all);
    cupel_text_free(&one);
}

/* No branch matches best: lists them. */
static void write_tie(const struct render *r, const struct cupel__event *e, struct cupel_text *text)
{
    cupel_text_adds(text, "expected ");
    cupel__add_alternatives(r, e, text);
    cupel_text_addf(text, "; got %s that fits none", cupel__type_name(&r->doc->nodes[e->node]));
}

static void write_types(const struct render *r, const struct cupel__event *e,
                        struct cupel_text *text)
{
    struct cupel__expect any;
    cupel__expect_any_branch(r, e->pc, &any);
    cupel_text_adds(text, "expected ");
    cupel__add_expected(r, &any, text);
    cupel_text_adds(text, ", got ");
    cupel__add_found(r, e->node, any.types, any.items, text);
}

/* The schema that a branch applies to a member, or CUPEL__NO_SUB. */
static uint32_t member_sub(const struct render *r, uint32_t branch, struct cupel__str name)
{
    struct cupel__schema_iter it;
    cupel__schema_iter_sub(&it, r->code, branch, &r->s->cursor->remaining);
    for (const uint32_t *word; (word = cupel__schema_iter_next(&it)) != NULL;) {
        uint32_t op = CUPEL__WORD_OP(*word);
        if (op != CUPEL__OP_OBJECT && op != CUPEL__OP_MEMBERS)
            continue;
        const struct cupel__entry *entry = cupel__table_find(
            r->code->image, cupel__at(r->code->image, word[1]), name.p, (uint32_t)name.n);
        if (entry != NULL)
            return entry->sub;
    }
    return CUPEL__NO_SUB;
}

/* The branches of a choice, and those of choices that they apply to the same value. */
struct alternatives {
    uint32_t sub[MAX_BRANCHES];
    uint32_t n;
};

static void add_branches(const struct render *r, const uint32_t *word, struct alternatives *all)
{
    const struct cupel__list *list = cupel__image_list(r->code->image, word[1]);
    for (uint32_t i = 0; i < list->count && all->n < sizeof all->sub / sizeof *all->sub; i++)
        all->sub[all->n++] = list->item[i];
}

static void gather_alternatives(const struct render *r, uint32_t pc, struct alternatives *all)
{
    all->n = 0;
    add_branches(r, r->code->words + pc, all);
    for (uint32_t i = 0; i < all->n; i++) {
        struct cupel__schema_iter it;
        cupel__schema_iter_sub(&it, r->code, all->sub[i], &r->s->cursor->remaining);
        for (const uint32_t *word; (word = cupel__schema_iter_next(&it)) != NULL;)
            if (cupel__is_choice_op(CUPEL__WORD_OP(*word)))
                add_branches(r, word, all);
    }
}

void cupel__add_branch_values(const struct render *r, const struct cupel__event *e, uint32_t node,
                              uint32_t *ret_types, struct cupel__str *ret_closest,
                              struct cupel_text *text)
{
    struct alternatives all;
    struct cupel__str name = {"", 0};
    uint32_t count = 0;
    int distance = INT_MAX;
    if (node != e->node)
        name = cupel__doc_str(r->doc, &r->doc->nodes[node - 1]);
    gather_alternatives(r, e->pc, &all);
    *ret_closest = (struct cupel__str){"", 0};
    *ret_types = 0;
    cupel_text_adds(text, "one of ");
    for (uint32_t i = 0; i < all.n; i++) {
        uint32_t sub = node == e->node ? all.sub[i] : member_sub(r, all.sub[i], name);
        struct cupel__expect x = {.values = NULL};
        if (sub != CUPEL__NO_SUB)
            cupel__expect_sub(r, sub, &x);
        if (x.values == NULL)
            continue;
        int before = distance;
        struct cupel__str s = cupel__closest_value(r, node, x.values, &distance);
        *ret_closest = distance < before ? s : *ret_closest;
        *ret_types |= cupel__value_types(r->code, x.values);
        cupel__add_values(r, x.values, &count, text);
    }
    cupel__add_rest(count, text);
}

/* Lists the values that all branches allow, for the value itself or for its tag, with the closest
 * one. */
static void write_all_values(const struct render *r, const struct cupel__event *e, uint32_t node,
                             struct cupel_text *text)
{
    struct cupel__str closest;
    uint32_t types;
    cupel_text_adds(text, "expected ");
    cupel__add_branch_values(r, e, node, &types, &closest, text);
    add_other_value(r, node, types, closest, text);
}

static void write_choice(const struct render *r, const struct cupel__event *e,
                         struct cupel_text *text)
{
    if (e->choice == CUPEL_CHOICE_TYPES)
        write_types(r, e, text);
    else if (e->choice == CUPEL_CHOICE_VALUES)
        write_all_values(r, e, e->node, text);
    else if (e->choice == CUPEL_CHOICE_NO_TAG)
        write_all_values(r, e, e->tag, text);
    else
        write_tie(r, e, text);
}

/* `which` has the first two branches that passed. */
void cupel__add_both(const struct render *r, const struct cupel__event *e, struct cupel_text *text)
{
    const struct cupel__list *list = cupel__branches_of(r->code, e->pc);
    uint32_t a = e->which & 0xffff, b = e->which >> 16;
    if (a < list->count && b < list->count) {
        cupel__add_alternative(r, list->item[a], text);
        cupel_text_adds(text, " and ");
        cupel__add_alternative(r, list->item[b], text);
    }
}

static void write_many(const struct render *r, const struct cupel__event *e,
                       struct cupel_text *text)
{
    cupel_text_adds(text, "fits more than one form where exactly one is allowed: ");
    cupel__add_both(r, e, text);
}

/* The value passes the schema of `not`: says what that schema requires, if it is more than any
 * value. */
void cupel__add_excluded(const struct render *r, const struct cupel__event *e,
                         struct cupel_text *text)
{
    struct cupel__expect x;
    struct cupel__declared_names names;
    uint32_t sub = r->code->words[e->pc + 1];
    cupel__expect_sub(r, sub, &x);
    cupel__declared_names_sub(r, sub, &names);
    bool object = x.values == NULL && (x.types == CUPEL__M_ANY || x.types == CUPEL__M_OBJECT);
    if (object && names.n == 0)
        cupel_text_adds(text, "this value");
    else
        cupel__add_alternative(r, sub, text);
    cupel_text_adds(text, object && names.n > 1 ? " together" : "");
}

/* Whether a problem says that a value is of another kind than its type, rather than out of bounds.
 */
static bool is_about_kind(enum cupel_problem_code code)
{
    return code == CUPEL_P_TYPE || code == CUPEL_P_CONST || code == CUPEL_P_ENUM ||
           code == CUPEL_P_PATTERN || code == CUPEL_P_FORMAT;
}

/* A scalar failed in the branch for its type: the other branches are alternatives too. */
static void write_around(const struct render *r, const struct cupel__event *around,
                         const struct cupel__event *e, struct cupel_text *text)
{
    const uint32_t *word = r->code->words + e->pc;
    struct cupel__expect any;
    int distance = INT_MAX;
    cupel__expect_any_branch(r, around->pc, &any);
    cupel_text_adds(text, "expected ");
    cupel__add_alternatives(r, around, text);
    cupel_text_adds(text, ", got ");
    cupel__add_found(r, e->node, any.types & ~CUPEL__BIT(r->doc->nodes[e->node].type), any.items,
                     text);
    if (cupel__is_value_op(CUPEL__WORD_OP(*word)))
        add_suggestion(cupel__closest_value(r, e->node, word, &distance), text);
}

/* null where the schema wants something else, in a member that may be left out. */
static void add_leave_out(const struct render *r, const struct cupel__event *e,
                          struct cupel_text *text)
{
    if (r->doc->nodes[e->node].type == CUPEL__NULL && cupel__place_optional(r, e))
        cupel_text_adds(text, "; leave it out");
}

/* -- Lines ------------------------------------------------------------------------------------- */

/* Appends the part of a line after the path.  Kinds that name more than their own keyword have a
 * function here; the others have their sentence in problems.def. */
static void write_body(struct model *m, uint32_t i, uint32_t parent, struct cupel_text *text)
{
    const struct render *r = m->r;
    const struct cupel__event *e = m->events[i];
    const struct cupel__node *v = &r->doc->nodes[e->node];
    if (i == m->carrier) {
        write_wrapped(m, text);
        return;
    }
    const struct cupel__event *around = cupel__choice_around(r, e);
    if (around != NULL && (v->flags & CUPEL__KEY) == 0 && is_about_kind(m->codes[i])) {
        write_around(r, around, e, text);
        return;
    }
    if (v->flags & CUPEL__KEY && (CUPEL__BIT(v->type) & CUPEL__M_STRING))
        cupel_text_adds(text, "the name is not allowed: ");
    if (m->codes[i] == CUPEL_P_PATTERN && (v->flags & CUPEL__KEY) == 0) {
        write_pattern(r, e, text);
        return;
    }
    if (cupel__problem_for_models(r->s, e, r->options->flags & CUPEL_SHOW_VALUES, text))
        return;
    switch (m->codes[i]) {
    case CUPEL_P_TYPE:
        write_type(r, e, text);
        add_leave_out(r, e, text);
        return;
    case CUPEL_P_CONST:
    case CUPEL_P_ENUM:
        write_values(r, e, text);
        add_leave_out(r, e, text);
        return;
    case CUPEL_P_MINIMUM:
        write_bound(r, e, "a smaller one", text);
        return;
    case CUPEL_P_MAXIMUM:
        write_bound(r, e, "a larger one", text);
        return;
    case CUPEL_P_EXCLUSIVE_MINIMUM:
    case CUPEL_P_EXCLUSIVE_MAXIMUM:
        write_bound(r, e, "one that is not", text);
        return;
    case CUPEL_P_REQUIRED:
    case CUPEL_P_DEPENDENT:
        write_missing(m, i, text);
        return;
    case CUPEL_P_UNKNOWN_PROPERTY:
        write_unknown(m, e, parent, text);
        return;
    case CUPEL_P_NO_ALTERNATIVE:
        write_choice(r, e, text);
        add_leave_out(r, e, text);
        return;
    case CUPEL_P_MANY_ALTERNATIVES:
        write_many(r, e, text);
        return;
    case CUPEL_P_EXCLUDED:
        cupel_text_adds(text, "not allowed: ");
        cupel__add_excluded(r, e, text);
        return;
    default:
        cupel_text_adds(text, "not allowed here; leave it out");
        return;
    }
}

/* Problems whose words name the condition themselves. */
static bool is_member_problem(enum cupel_problem_code code)
{
    return code == CUPEL_P_REQUIRED || code == CUPEL_P_DEPENDENT ||
           code == CUPEL_P_UNKNOWN_PROPERTY;
}

void cupel__write_line(struct model *m, uint32_t i, struct line *ret)
{
    const struct cupel__event *e = m->events[i];
    struct cupel_text *text = &m->words;
    bool missing = m->codes[i] == CUPEL_P_REQUIRED;
    *ret = (struct line){.pc = e->pc, .event = e};
    ret->path.at = text->len;
    if (i == m->carrier)
        cupel__add_model_path(m->r, m->r->s->node, UINT32_MAX, cupel__model_root(m->r), text,
                              &ret->place);
    else
        cupel__write_model_path(m, e, UINT32_MAX, &ret->place, text);
    ret->path.len = text->len - ret->path.at;
    ret->parent = missing ? e->node : ret->place.parent;
    ret->plain_missing = missing && m->renamed[i] == 0 && i != m->carrier;
    ret->body.at = text->len;
    write_body(m, i, ret->place.parent, text);
    if (!is_member_problem(m->codes[i]) && i != m->carrier)
        add_condition(m->r, e, ", because ", text);
    ret->body.len = text->len - ret->body.at;
}
