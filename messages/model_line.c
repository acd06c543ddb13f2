/* model_line.c: what the line of one problem says: where, what is expected, what is there. */
#include "messages/model.h"
#include <limits.h>
#include <string.h>

enum { MAX_ALTERNATIVES = 6, MAX_SHOWN = 12 };

static const char *member_word(const struct render *r)
{
    return r->options->flags & CUPEL_OUTPUT_RESULT ? "property" : "parameter";
}

static void add_code(struct cupel_text *text, struct cupel__str name)
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
    enum cupel_problem_code code = cupel__problem_code(m->r->code, m->r->doc, e);
    size_t start = text->len;
    bool missing = code == CUPEL_P_REQUIRED || code == CUPEL_P_DEPENDENT;
    bool tag = code == CUPEL_P_NO_ALTERNATIVE && e->choice == CUPEL_CHOICE_NO_TAG;
    cupel__add_model_path(m->r, tag ? e->tag : e->node, blank,
                          missing ? "" : cupel__model_root(m->r), text, place);
    if (missing)
        cupel__add_model_step(text, start, cupel__problem_name(m->r->code, m->r->doc, e, buf));
}

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

/* The choice around an event that a member of `object` has decided, or NULL. */
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

/* " when kind is "url"": the value is one that the schema names. */
static void add_tag(const struct render *r, const struct cupel__event *e, uint32_t object,
                    struct cupel_text *text)
{
    const struct cupel__event *choice = tagged_choice(r, e, object);
    if (choice == NULL)
        return;
    struct cupel__node *value = &r->doc->nodes[choice->tag];
    struct cupel__str name = cupel__doc_str(r->doc, value - 1);
    cupel_text_adds(text, " when ");
    cupel__add_model_step(text, text->len, name);
    cupel_text_adds(text, " is ");
    if (CUPEL__BIT(value->type) & CUPEL__M_STRING)
        cupel__text_quoted(text, cupel__doc_str(r->doc, value), CUPEL__NAME_BYTES);
    else
        cupel__escape_untrusted(text, cupel__doc_span(r->doc, choice->tag), CUPEL__NAME_BYTES, 0);
}

static void write_missing(struct model *m, uint32_t i, struct cupel_text *text)
{
    const struct cupel__event *e = m->events[i];
    const struct render *r = m->r;
    char buf[16];
    cupel_text_adds(text, "required");
    add_tag(r, e, e->node, text);
    if (m->codes[i] == CUPEL_P_DEPENDENT) {
        cupel_text_adds(text, " when ");
        add_code(text, cupel__image_str(r->code->image, r->code->words[e->pc + 1]));
        cupel_text_adds(text, " is there");
    }
    cupel_text_adds(text, ", missing");
    if (m->mate[i] == 0)
        return;
    cupel_text_adds(text, ". ");
    add_code(text, cupel__doc_str(r->doc, &r->doc->nodes[m->mate[i]]));
    cupel_text_addf(text, " is not a %s; did you mean ", member_word(r));
    add_code(text, cupel__problem_name(r->code, r->doc, e, buf));
    cupel_text_adds(text, "?");
}

/* At the top the parameters are listed anyway. */
static void write_unknown(struct model *m, const struct cupel__event *e, uint32_t object,
                          struct cupel_text *text)
{
    const struct render *r = m->r;
    struct cupel__declared_names known;
    char buf[16];
    cupel__declared_names_parent(r, e->pc, &known);
    uint32_t key = cupel__member_key(r->doc, e->node);
    struct cupel__str name = cupel__doc_str(r->doc, &r->doc->nodes[key]);
    struct cupel__str meant = cupel__closest_name(r, &known, object, name, buf);
    cupel_text_addf(text, "not a %s", member_word(r));
    add_tag(r, e, object, text);
    if (meant.n > 0) {
        cupel_text_adds(text, "; did you mean ");
        add_code(text, meant);
        cupel_text_adds(text, "?");
    } else if (object != r->s->node && known.n > 0) {
        cupel_text_adds(text, "; expected: ");
        cupel__add_declared_names(r, &known, false, text);
    }
}

/* -- Values ------------------------------------------------------------------------------------ */

static void add_meant(struct cupel__str meant, struct cupel_text *text)
{
    if (meant.n == 0)
        return;
    cupel_text_adds(text, "; did you mean ");
    cupel__text_quoted(text, meant, CUPEL__NAME_BYTES);
    cupel_text_adds(text, "?");
}

/* After "expected …": what is there instead of one of certain values. */
static void add_other(const struct render *r, uint32_t node, uint32_t types,
                      struct cupel__str meant, struct cupel_text *text)
{
    const struct cupel__node *v = &r->doc->nodes[node];
    bool same_type = types >> v->type & 1;
    cupel_text_adds(text, same_type ? ", got another " : ", got ");
    if (same_type && v->type <= CUPEL__TRUE)
        cupel_text_adds(text, "value");
    else
        cupel__add_found(r, node, same_type ? 0 : types, CUPEL__NO_SUB, text);
    add_meant(meant, text);
}

static void write_values(const struct render *r, const struct cupel__event *e,
                         struct cupel_text *text)
{
    const uint32_t *word = r->code->words + e->pc;
    struct cupel__expect x = {.types = cupel__value_types(r->code, word), .values = word};
    int distance = INT_MAX;
    cupel_text_adds(text, "expected ");
    cupel__add_expected(r, &x, text);
    add_other(r, e->node, x.types, cupel__closest_value(r, e->node, word, &distance), text);
}

static void write_type(const struct render *r, const struct cupel__event *e,
                       struct cupel_text *text)
{
    struct cupel__expect x;
    cupel__expect_siblings(r, e->pc, &x);
    x.types = cupel__named_types(CUPEL__WORD_B(r->code->words[e->pc]));
    x.values = NULL;
    cupel_text_adds(text, "expected ");
    cupel__add_expected(r, &x, text);
    cupel_text_adds(text, ", got ");
    cupel__add_found(r, e->node, x.types, x.items, text);
}

static void write_bound(const struct render *r, const struct cupel__event *e, const char *got,
                        struct cupel_text *text)
{
    struct cupel__expect x;
    cupel__expect_siblings(r, e->pc, &x);
    x.types &= CUPEL__M_NUMBER;
    if (x.types == 0)
        x.types = CUPEL__M_NUMBER;
    x.values = NULL;
    cupel_text_adds(text, "expected ");
    cupel__add_expected(r, &x, text);
    cupel_text_addf(text, ", got %s", got);
    if (r->options->flags & CUPEL_SHOW_VALUES) {
        cupel_text_adds(text, ": ");
        cupel__escape_untrusted(text, cupel__doc_span(r->doc, e->node), CUPEL__NAME_BYTES, 0);
    }
}

static void write_count(const struct render *r, const struct cupel__event *e, const char *thing,
                        struct cupel_text *text)
{
    const uint32_t *word = r->code->words + e->pc;
    bool contains = CUPEL__WORD_OP(*word) == CUPEL__OP_CONTAINS;
    bool least = contains ? e->which < word[2] : word[1] > 0;
    uint32_t n = contains ? word[least ? 2 : 3] : word[least ? 1 : 2];
    size_t got = cupel__problem_count(r->code, r->doc, e);
    cupel_text_addf(text, "expected at %s %u %s%s%s, got %zu", least ? "least" : "most",
                    (unsigned)n, thing,
                    n == 1                           ? ""
                    : strcmp(thing, "property") == 0 ? ""
                                                     : "s",
                    contains ? " of a certain kind" : "", got);
}

/* -- Alternatives ------------------------------------------------------------------------------ */

/* What a branch asks for, in a few words. */
static void add_alternative(const struct render *r, uint32_t sub, struct cupel_text *text)
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
        for (uint32_t i = 0; i < names.n && shown < MAX_SHOWN; i++) {
            char buf[16];
            if (names.name[i].required != required)
                continue;
            cupel_text_adds(text, shown++ > 0                  ? ", "
                                  : x.types == CUPEL__M_OBJECT ? "object with "
                                                               : "");
            add_code(text, cupel__declared_name(r, &names, i, buf));
        }
    }
}

static void write_tie(const struct render *r, const struct cupel__event *e, struct cupel_text *text)
{
    const struct cupel__list *list = cupel__branches_of(r->code, e->pc);
    uint32_t shown = 0;
    cupel_text_adds(text, "expected either ");
    for (uint32_t i = 0; i < list->count && shown < MAX_ALTERNATIVES; i++) {
        cupel_text_adds(text, shown++ > 0 ? " or " : "");
        add_alternative(r, list->item[i], text);
    }
    if (shown < list->count)
        cupel_text_addf(text, " … and %u more", (unsigned)(list->count - shown));
    cupel_text_addf(text, "; got %s that fits none", cupel__type_name(&r->doc->nodes[e->node]));
}

static void write_types(const struct render *r, const struct cupel__event *e,
                        struct cupel_text *text)
{
    const struct cupel__list *list = cupel__branches_of(r->code, e->pc);
    struct cupel__expect all = {.types = 0, .items = CUPEL__NO_SUB}, x;
    uint32_t last = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        cupel__expect_sub(r, list->item[i], &x);
        all.types |= x.types;
        last = x.items != CUPEL__NO_SUB ? x.items : last;
        if (x.items != CUPEL__NO_SUB)
            all.items = x.items;
    }
    cupel_text_adds(text, "expected ");
    cupel__add_expected(r, &all, text);
    cupel_text_adds(text, ", got ");
    cupel__add_found(r, e->node, all.types, all.items, text);
}

/* The schema that a branch has for a member, or CUPEL__NO_SUB. */
static uint32_t member_sub(const struct render *r, uint32_t branch, struct cupel__str name)
{
    struct cupel__schema_iter shape;
    cupel__schema_iter_sub(&shape, r->code, branch, &r->s->cursor->remaining);
    for (const uint32_t *word; (word = cupel__schema_iter_next(&shape)) != NULL;) {
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

/* Branches, and those of the choices that they make of the same value. */
struct alternatives {
    uint32_t sub[128];
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
        struct cupel__schema_iter shape;
        cupel__schema_iter_sub(&shape, r->code, all->sub[i], &r->s->cursor->remaining);
        for (const uint32_t *word; (word = cupel__schema_iter_next(&shape)) != NULL;)
            if (cupel__is_choice_op(CUPEL__WORD_OP(*word)))
                add_branches(r, word, all);
    }
}

/* The values that the branches ask for, of the value itself or of one of its members. */
static void write_all_values(const struct render *r, const struct cupel__event *e, uint32_t node,
                             struct cupel_text *text)
{
    struct alternatives all;
    struct cupel__str meant = {"", 0}, name = {"", 0};
    uint32_t count = 0, types = 0;
    int distance = INT_MAX;
    if (node != e->node)
        name = cupel__doc_str(r->doc, &r->doc->nodes[node - 1]);
    gather_alternatives(r, e->pc, &all);
    cupel_text_adds(text, "expected one of ");
    for (uint32_t i = 0; i < all.n; i++) {
        uint32_t sub = node == e->node ? all.sub[i] : member_sub(r, all.sub[i], name);
        struct cupel__expect x = {.values = NULL};
        if (sub != CUPEL__NO_SUB)
            cupel__expect_sub(r, sub, &x);
        if (x.values == NULL)
            continue;
        int before = distance;
        struct cupel__str s = cupel__closest_value(r, node, x.values, &distance);
        meant = distance < before ? s : meant;
        types |= cupel__value_types(r->code, x.values);
        cupel__add_values(r, x.values, &count, text);
    }
    if (count > MAX_SHOWN)
        cupel_text_addf(text, " … and %u more", (unsigned)(count - MAX_SHOWN));
    add_other(r, node, types, meant, text);
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

static void write_many(const struct render *r, const struct cupel__event *e,
                       struct cupel_text *text)
{
    const struct cupel__list *list = cupel__branches_of(r->code, e->pc);
    uint32_t a = e->which & 0xffff, b = e->which >> 16;
    cupel_text_adds(text, "fits more than one form where exactly one is allowed: ");
    if (a < list->count && b < list->count) {
        add_alternative(r, list->item[a], text);
        cupel_text_adds(text, " and ");
        add_alternative(r, list->item[b], text);
    }
}

static void write_excluded(const struct render *r, const struct cupel__event *e,
                           struct cupel_text *text)
{
    struct cupel__expect x;
    struct cupel__declared_names names;
    uint32_t sub = r->code->words[e->pc + 1];
    cupel__expect_sub(r, sub, &x);
    cupel__declared_names_sub(r, sub, &names);
    bool object = x.values == NULL && (x.types == CUPEL__M_ANY || x.types == CUPEL__M_OBJECT);
    cupel_text_adds(text, "not allowed: ");
    if (object && names.n == 0)
        cupel_text_adds(text, "this value");
    else
        add_alternative(r, sub, text);
    cupel_text_adds(text, object && names.n > 1 ? " together" : "");
}

/* -- All --------------------------------------------------------------------------------------- */

static void write_string(const struct render *r, const struct cupel__event *e, const char *what,
                         struct cupel_text *text)
{
    cupel_text_addf(text, "expected string %s ", what);
    cupel__problem_expected(r->code, e, CUPEL_P_NONE, text);
    cupel_text_adds(text, ", got another string");
    if (r->options->flags & CUPEL_SHOW_VALUES) {
        cupel_text_adds(text, ": ");
        cupel__text_quoted(text, cupel__doc_str(r->doc, &r->doc->nodes[e->node]),
                           CUPEL__NAME_BYTES);
    }
}

static void write_body(struct model *m, uint32_t i, uint32_t parent, struct cupel_text *text)
{
    const struct render *r = m->r;
    const struct cupel__event *e = m->events[i];
    if (r->doc->nodes[e->node].flags & CUPEL__KEY &&
        (CUPEL__BIT(r->doc->nodes[e->node].type) & CUPEL__M_STRING))
        cupel_text_adds(text, "the name is not allowed: ");
    switch (m->codes[i]) {
    case CUPEL_P_TYPE:
        write_type(r, e, text);
        return;
    case CUPEL_P_CONST:
    case CUPEL_P_ENUM:
        write_values(r, e, text);
        return;
    case CUPEL_P_MINIMUM:
        write_bound(r, e, "a smaller one", text);
        return;
    case CUPEL_P_EXCLUSIVE_MINIMUM:
        write_bound(r, e, "one that is not", text);
        return;
    case CUPEL_P_MAXIMUM:
        write_bound(r, e, "a larger one", text);
        return;
    case CUPEL_P_EXCLUSIVE_MAXIMUM:
        write_bound(r, e, "one that is not", text);
        return;
    case CUPEL_P_MULTIPLE_OF:
        cupel_text_adds(text, "expected a multiple of ");
        cupel__problem_expected(r->code, e, m->codes[i], text);
        cupel_text_adds(text, ", got another number");
        return;
    case CUPEL_P_PATTERN:
        write_string(r, e, "that matches the pattern", text);
        return;
    case CUPEL_P_FORMAT:
        write_string(r, e, "in the format", text);
        return;
    case CUPEL_P_MIN_LENGTH:
    case CUPEL_P_MAX_LENGTH:
        write_count(r, e, "character", text);
        return;
    case CUPEL_P_MIN_ITEMS:
    case CUPEL_P_MAX_ITEMS:
    case CUPEL_P_CONTAINS_FEW:
    case CUPEL_P_CONTAINS_MANY:
        write_count(r, e, "item", text);
        return;
    case CUPEL_P_MIN_PROPERTIES:
    case CUPEL_P_MAX_PROPERTIES:
        write_count(r, e, "member", text);
        return;
    case CUPEL_P_UNIQUE_ITEMS:
        cupel_text_adds(text, "expected items that are all different, got equal ones");
        return;
    case CUPEL_P_UNKNOWN_ITEM:
        cupel_text_adds(text, "one item too many");
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
        return;
    case CUPEL_P_MANY_ALTERNATIVES:
        write_many(r, e, text);
        return;
    case CUPEL_P_EXCLUDED:
        write_excluded(r, e, text);
        return;
    default:
        cupel_text_adds(text, "not allowed here; leave it out");
        return;
    }
}

void cupel__write_line(struct model *m, uint32_t i, struct line *ret)
{
    const struct cupel__event *e = m->events[i];
    struct cupel_text *text = &m->words;
    bool missing = m->codes[i] == CUPEL_P_REQUIRED;
    *ret = (struct line){.pc = e->pc, .event = e};
    ret->path.at = text->len;
    cupel__write_model_path(m, e, UINT32_MAX, &ret->place, text);
    ret->path.len = text->len - ret->path.at;
    ret->parent = missing ? e->node : ret->place.parent;
    ret->lists = missing && m->mate[i] == 0;
    ret->body.at = text->len;
    write_body(m, i, ret->place.parent, text);
    ret->body.len = text->len - ret->body.at;
}
