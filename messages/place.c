/* place.c: the schemas that apply to one value (place.h).
 *
 * Everything is read from locations, the path of the event and the instructions of the report
 * program.  All traversals are bounded and charged; a bound that is reached makes a message say
 * less. */
#include "messages/place.h"
#include "messages/expect.h"
#include "messages/model_path.h"
#include <string.h>

/* Steps of a location or a path; subschemas visited at a place; parts of a condition; objects
 * around a value. */
enum { MAX_STEPS = 256, MAX_SUBS = 64, MAX_CONDITIONS = 3, MAX_AROUND = 8 };

/* -- Locations --------------------------------------------------------------------------------- */

static bool is(struct cupel__str s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

static bool is_index(struct cupel__str s)
{
    size_t i = 0;
    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    return i == s.n && s.n > 0;
}

/* Whether the steps below a keyword are names. */
static bool has_names(struct cupel__str keyword)
{
    static const char *const words[] = {"properties",       "patternProperties", "$defs",
                                        "definitions",      "dependentSchemas",  "dependencies",
                                        "dependentRequired"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(keyword, words[i]))
            return true;
    return false;
}

/* The schema whose keyword applies the schema at `loc`, and whether it applies it in place. */
static uint32_t applied_by(const struct cupel__code *code, uint32_t loc, bool *ret_in_place)
{
    uint32_t parent = cupel__loc_parent(code, loc);
    struct cupel__str step = cupel__loc_token(code, loc), above = cupel__loc_token(code, parent);
    bool listed =
        is_index(step) && (is(above, "allOf") || is(above, "anyOf") || is(above, "oneOf"));
    bool dependent = is(above, "dependentSchemas") || is(above, "dependencies");
    bool named =
        has_names(above) && !has_names(cupel__loc_token(code, cupel__loc_parent(code, parent)));
    *ret_in_place =
        listed || dependent ||
        (!named && (is(step, "then") || is(step, "else") || is(step, "if") || is(step, "not")));
    bool two =
        listed || named || (is_index(step) && (is(above, "prefixItems") || is(above, "items")));
    return two ? cupel__loc_parent(code, parent) : parent;
}

/* The next reference on a path at or after step `path`, or 0. */
static uint32_t next_reference(const struct render *r, uint32_t path)
{
    const struct cupel__path *paths = r->s->log.paths;
    for (int n = 0; path != 0 && n < MAX_STEPS; path = paths[path].up, n++) {
        struct cupel__str token = cupel__loc_token(r->code, cupel__loc_of(r->code, paths[path].pc));
        if (token.n > 0 && token.p[0] == '$')
            return path;
    }
    return 0;
}

/* Moves from a schema to the one that applies it, through a reference where it is a target.  False
 * at the root. */
static bool step_up(const struct render *r, struct cupel__place *p, bool *ret_in_place)
{
    const struct cupel__path *paths = r->s->log.paths;
    uint32_t at = next_reference(r, p->path);
    if (!cupel__report_charge(r->s, 4) || p->loc == CUPEL__NO_LOC)
        return false;
    if (at != 0 && cupel__loc_schema(r->code, CUPEL__SUB_PC(paths[at].sub)) == p->loc) {
        p->loc = cupel__loc_schema(r->code, paths[at].pc);
        p->path = paths[at].up;
        *ret_in_place = true;
        return p->loc != CUPEL__NO_LOC;
    }
    uint32_t up = applied_by(r->code, p->loc, ret_in_place);
    if (up == CUPEL__NO_LOC)
        return false;
    p->loc = up;
    return true;
}

static void climb(const struct render *r, struct cupel__place *p)
{
    bool in_place = true;
    for (int n = 0; n < MAX_STEPS; n++) {
        struct cupel__place up = *p;
        if (!step_up(r, &up, &in_place) || !in_place)
            return;
        *p = up;
    }
}

bool cupel__place_of(const struct render *r, const struct cupel__event *e, struct cupel__place *ret)
{
    uint32_t op = CUPEL__WORD_OP(r->code->words[e->pc]);
    if (e->pc == 0)
        return false;
    ret->loc = cupel__loc_schema(r->code, e->pc);
    ret->path = e->path;
    if (op == CUPEL__OP_FAIL && ret->loc != CUPEL__NO_LOC)
        ret->loc = cupel__loc_parent(r->code, ret->loc);
    ret->inner = ret->loc;
    if (ret->loc == CUPEL__NO_LOC)
        return false;
    climb(r, ret);
    return true;
}

bool cupel__place_outer(const struct render *r, struct cupel__place *p)
{
    bool in_place = true;
    if (!step_up(r, p, &in_place))
        return false;
    p->inner = p->loc;
    climb(r, p);
    return true;
}

/* -- Names ------------------------------------------------------------------------------------- */

/* The subschemas that apply to the value at a place, to be visited. */
struct subs {
    uint32_t sub[MAX_SUBS];
    uint32_t n;
};

static void push(struct subs *subs, uint32_t sub)
{
    for (uint32_t i = 0; i < subs->n; i++)
        if (subs->sub[i] == sub)
            return;
    if (sub != CUPEL__NO_SUB && CUPEL__SUB_PC(sub) != 0 && subs->n < MAX_SUBS)
        subs->sub[subs->n++] = sub;
}

static void push_applied(const struct render *r, const uint32_t *word, struct subs *subs)
{
    uint32_t op = CUPEL__WORD_OP(*word);
    if (cupel__is_choice_op(op)) {
        const struct cupel__list *list = cupel__image_list(r->code->image, word[1]);
        for (uint32_t i = 0; i < list->count && i < MAX_SUBS; i++)
            push(subs, list->item[i]);
    } else if (op == CUPEL__OP_IF) {
        for (int i = 1; i <= 3; i++)
            push(subs, word[i]);
    } else if (op == CUPEL__OP_IMPLIES) {
        push(subs, word[2]);
    }
}

uint32_t cupel__names_of(const uint32_t *word)
{
    switch (CUPEL__WORD_OP(*word)) {
    case CUPEL__OP_OBJECT:
    case CUPEL__OP_MEMBERS:
    case CUPEL__OP_REQUIRED:
        return word[1];
    case CUPEL__OP_DEPENDS:
        return word[2];
    default:
        return 0;
    }
}

/* The same as cupel__place_each from the first instructions of a schema on. */
static bool each_from(const struct render *r, struct cupel__schema_iter it,
                      bool (*visit)(const struct render *, const uint32_t *word, void *), void *ctx)
{
    struct subs subs = {.n = 0};
    for (uint32_t next = 0;; next++) {
        it.memos = true;
        for (const uint32_t *word; (word = cupel__schema_iter_next(&it)) != NULL;) {
            push_applied(r, word, &subs);
            if (visit(r, word, ctx))
                return true;
        }
        if (next == subs.n)
            return false;
        cupel__schema_iter_sub(&it, r->code, subs.sub[next], &r->s->cursor->remaining);
    }
}

bool cupel__place_each(const struct render *r, const struct cupel__place *p,
                       bool (*visit)(const struct render *, const uint32_t *word, void *),
                       void *ctx)
{
    struct cupel__schema_iter it;
    cupel__schema_iter_at(&it, r->code, p->loc, &r->s->cursor->remaining);
    return each_from(r, it, visit, ctx);
}

static bool has_name(const struct render *r, const uint32_t *word, void *ctx)
{
    const struct cupel__str *name = ctx;
    uint32_t table = cupel__names_of(word);
    return table != 0 && cupel__report_charge(r->s, 4) &&
           cupel__table_find(r->code->image, cupel__at(r->code->image, table), name->p,
                             (uint32_t)name->n) != NULL;
}

static bool is_required(const struct render *r, const uint32_t *word, void *ctx)
{
    const struct cupel__str *name = ctx;
    const uint32_t table = cupel__names_of(word), op = CUPEL__WORD_OP(*word);
    if (table == 0 || !cupel__report_charge(r->s, 4))
        return false;
    const struct cupel__entry *e = cupel__table_find(
        r->code->image, cupel__at(r->code->image, table), name->p, (uint32_t)name->n);
    return e != NULL && (e->required || op == CUPEL__OP_REQUIRED || op == CUPEL__OP_DEPENDS);
}

bool cupel__place_optional(const struct render *r, const struct cupel__event *e)
{
    struct cupel__place place;
    const uint32_t key = cupel__member_key(r->s, e->node);
    if (key == 0 || !cupel__place_of(r, e, &place) || !cupel__place_outer(r, &place))
        return false;
    struct cupel__str name = cupel__doc_str(r->doc, &r->doc->nodes[key]);
    return !cupel__place_each(r, &place, is_required, &name) && r->s->cursor->remaining > 0;
}

struct sub_search {
    struct cupel__str name;
    uint32_t sub;
};

static bool has_sub(const struct render *r, const uint32_t *word, void *ctx)
{
    struct sub_search *search = ctx;
    uint32_t op = CUPEL__WORD_OP(*word);
    if ((op != CUPEL__OP_OBJECT && op != CUPEL__OP_MEMBERS) || !cupel__report_charge(r->s, 4))
        return false;
    const struct cupel__entry *e =
        cupel__table_find(r->code->image, cupel__at(r->code->image, word[1]), search->name.p,
                          (uint32_t)search->name.n);
    if (e != NULL && (e->flags & CUPEL__ENTRY_UNKNOWN) == 0)
        search->sub = e->sub;
    return search->sub != CUPEL__NO_SUB;
}

uint32_t cupel__place_sub(const struct render *r, const struct cupel__place *p,
                          struct cupel__str name)
{
    struct sub_search search = {name, CUPEL__NO_SUB};
    cupel__place_each(r, p, has_sub, &search);
    return search.sub;
}

bool cupel__place_declares(const struct render *r, const struct cupel__place *p,
                           struct cupel__str name)
{
    return cupel__place_each(r, p, has_name, &name);
}

bool cupel__place_refuses(const struct render *r, uint32_t sub)
{
    return CUPEL__SUB_TYPES(sub) == 0 ||
           (CUPEL__SUB_PC(sub) != 0 &&
            CUPEL__WORD_OP(r->code->words[CUPEL__SUB_PC(sub)]) == CUPEL__OP_FAIL);
}

/* Whether a schema for members without a name of their own says anything: it is neither absent nor
 * true nor false. */
static bool is_schema(const struct render *r, uint32_t sub)
{
    return sub != CUPEL__NO_SUB && sub != CUPEL__SUB_ANY && !cupel__place_refuses(r, sub);
}

/* Whether a pattern of a table matches a key.  The matchers belong to the program that ran last; if
 * that is another one, or the budget ends, the answer is true. */
static bool matches_pattern(const struct render *r, const struct cupel__table *t, uint32_t key)
{
    struct cupel__vm *vm = &r->s->vm;
    if (t->matches == 0)
        return false;
    if (vm->image != r->code->image || vm->doc != r->doc || r->s->cursor->remaining <= 0)
        return true;
    vm->budget.remaining = r->s->cursor->remaining;
    int matched = cupel__matches_any(vm, t, &r->doc->nodes[key]);
    r->s->cursor->remaining = vm->budget.remaining;
    return matched != 0;
}

static bool has_use(const struct render *r, const uint32_t *word, void *ctx)
{
    const uint32_t *key = ctx;
    const uint32_t op = CUPEL__WORD_OP(*word);
    struct cupel__str name = cupel__doc_str(r->doc, &r->doc->nodes[*key]);
    if (op == CUPEL__OP_MAP || op == CUPEL__OP_UNEVALUATED)
        return is_schema(r, word[op == CUPEL__OP_MAP ? 1 : 2]);
    if (op != CUPEL__OP_OBJECT && op != CUPEL__OP_MEMBERS)
        return has_name(r, word, &name);
    const struct cupel__table *t = cupel__at(r->code->image, word[1]);
    return is_schema(r, t->other) || has_name(r, word, &name) || matches_pattern(r, t, *key);
}

bool cupel__place_knows(const struct render *r, const struct cupel__place *p, uint32_t key)
{
    uint32_t at = key;
    return cupel__place_each(r, p, has_use, &at) || r->s->cursor->remaining <= 0;
}

bool cupel__place_nearby(const struct render *r, const struct cupel__place *p,
                         struct cupel__str name)
{
    struct cupel__place at = *p;
    char buf[16];
    if (cupel__place_member_with(r, p, name, buf).n > 0)
        return true;
    for (int n = 0; n < MAX_AROUND && cupel__place_outer(r, &at); n++)
        if (cupel__place_declares(r, &at, name))
            return true;
    return false;
}

struct member_search {
    struct cupel__str name, found;
    char *buf;
};

static bool declares(const struct render *r, const uint32_t *word, void *ctx)
{
    const uint32_t op = CUPEL__WORD_OP(*word);
    return (op == CUPEL__OP_OBJECT || op == CUPEL__OP_MEMBERS) && has_name(r, word, ctx);
}

/* Whether the schema of an entry declares the name that is searched for. */
static bool has_member_with(const struct render *r, const uint32_t *applied, void *ctx)
{
    struct member_search *search = ctx;
    const uint32_t table = cupel__names_of(applied);
    if (table == 0)
        return false;
    const struct cupel__table *t = cupel__at(r->code->image, table);
    const struct cupel__entry *entry = cupel__table_entries(t);
    for (uint32_t i = 0; i < t->count && i < MAX_SUBS; i++) {
        struct cupel__schema_iter it;
        if ((entry[i].flags & CUPEL__ENTRY_UNKNOWN) || entry[i].sub == CUPEL__NO_SUB ||
            CUPEL__SUB_PC(entry[i].sub) == 0)
            continue;
        cupel__schema_iter_sub(&it, r->code, entry[i].sub, &r->s->cursor->remaining);
        if (each_from(r, it, declares, &search->name)) {
            search->found = cupel__entry_name(r->code->image, t, &entry[i], search->buf);
            return true;
        }
    }
    return false;
}

struct cupel__str cupel__place_member_with(const struct render *r, const struct cupel__place *p,
                                           struct cupel__str name, char buf[16])
{
    struct member_search search = {name, {"", 0}, buf};
    cupel__place_each(r, p, has_member_with, &search);
    return search.found;
}

/* -- Conditions -------------------------------------------------------------------------------- */

static void add_code(struct cupel_text *text, struct cupel__str name)
{
    cupel_text_adds(text, "`");
    cupel__escape_untrusted(text, name, CUPEL__NAME_BYTES, '`');
    cupel_text_adds(text, "`");
}

bool cupel__add_elsewhere(const struct render *r, const struct cupel__event *e,
                          struct cupel__str name, struct cupel_text *text)
{
    struct cupel__place place;
    char buf[16];
    if (!cupel__place_of(r, e, &place))
        return false;
    struct cupel__str member = cupel__place_member_with(r, &place, name, buf);
    if (member.n > 0) {
        add_code(text, name);
        cupel_text_adds(text, " belongs in ");
        add_code(text, member);
        return true;
    }
    uint32_t object = cupel__container_of(r, e->node);
    uint32_t key = object != CUPEL_NO_NODE ? cupel__member_key(r->s, object) : 0;
    if (key == 0 || !cupel__place_outer(r, &place) || !cupel__place_declares(r, &place, name))
        return false;
    add_code(text, name);
    cupel_text_adds(text, " belongs beside ");
    add_code(text, cupel__doc_str(r->doc, &r->doc->nodes[key]));
    cupel_text_adds(text, ", not in it");
    return true;
}

/* The location of a keyword of the schema at `schema`, or CUPEL__NO_LOC. */
static uint32_t keyword_at(const struct render *r, uint32_t schema, const char *keyword)
{
    uint32_t n = r->code->image->locs.count;
    if (!cupel__report_charge(r->s, 1 + n / 8))
        return CUPEL__NO_LOC;
    for (uint32_t i = 0; i < n; i++)
        if (cupel__loc_parent(r->code, i) == schema && is(cupel__loc_token(r->code, i), keyword))
            return i;
    return CUPEL__NO_LOC;
}

/* Appends what a table of the condition asks of members that list their values. */
static void add_values_of(const struct render *r, uint32_t table, bool passes, uint32_t *count,
                          struct cupel_text *text)
{
    const struct cupel__table *t = cupel__at(r->code->image, table);
    const struct cupel__entry *entry = cupel__table_entries(t);
    for (uint32_t i = 0; i < t->count && *count < MAX_CONDITIONS; i++) {
        struct cupel__expect x = {.values = NULL};
        char buf[16];
        if ((entry[i].flags & CUPEL__ENTRY_UNKNOWN) == 0 && entry[i].sub != CUPEL__NO_SUB &&
            CUPEL__SUB_PC(entry[i].sub) != 0)
            cupel__expect_sub(r, entry[i].sub, &x);
        if (x.values == NULL)
            continue;
        cupel_text_adds(text, (*count)++ == 0 ? "" : passes ? " and " : " or ");
        add_code(text, cupel__entry_name(r->code->image, t, &entry[i], buf));
        cupel_text_adds(text, passes ? " is " : " is not ");
        cupel__add_expected(r, &x, text);
    }
}

/* Appends the names that the condition requires and nothing else. */
static void add_names_of(const struct render *r, uint32_t table, bool passes, uint32_t *count,
                         struct cupel_text *text)
{
    const struct cupel__table *t = cupel__at(r->code->image, table);
    for (uint32_t i = 0; i < t->count && *count < MAX_CONDITIONS; i++) {
        char buf[16];
        cupel_text_adds(text, (*count)++ == 0 ? "" : passes ? " and " : " or ");
        add_code(text, cupel__entry_name(r->code->image, t, &cupel__table_entries(t)[i], buf));
        cupel_text_adds(text, passes ? " is there" : " is missing");
    }
}

static void add_if(const struct render *r, uint32_t schema, bool passes, struct cupel_text *text)
{
    uint32_t loc = keyword_at(r, schema, "if"), count = 0;
    for (int names = 0; names < 2 && count == 0 && loc != CUPEL__NO_LOC; names++) {
        struct cupel__schema_iter it;
        cupel__schema_iter_at(&it, r->code, loc, &r->s->cursor->remaining);
        for (const uint32_t *word; (word = cupel__schema_iter_next(&it)) != NULL;) {
            uint32_t op = CUPEL__WORD_OP(*word);
            if (!names && (op == CUPEL__OP_OBJECT || op == CUPEL__OP_MEMBERS))
                add_values_of(r, word[1], passes, &count, text);
            if (names && op == CUPEL__OP_REQUIRED)
                add_names_of(r, word[1], passes, &count, text);
        }
    }
}

/* The innermost condition on the way from the root to the event. */
void cupel__add_condition(const struct render *r, const struct cupel__event *e,
                          struct cupel_text *text)
{
    struct cupel__place p = {cupel__loc_schema(r->code, e->pc), e->path, 0};
    const size_t start = text->len;
    bool in_place;
    for (int n = 0; e->pc != 0 && n < MAX_STEPS && p.loc != CUPEL__NO_LOC; n++) {
        struct cupel__str step = cupel__loc_token(r->code, p.loc);
        uint32_t parent = cupel__loc_parent(r->code, p.loc);
        struct cupel__str above = cupel__loc_token(r->code, parent);
        uint32_t from = p.loc;
        if (!step_up(r, &p, &in_place))
            return;
        bool local = in_place && p.loc == parent;
        if (local && (is(step, "then") || is(step, "else")))
            add_if(r, parent, is(step, "then"), text);
        if (in_place && from != p.loc && p.loc == cupel__loc_parent(r->code, parent) &&
            (is(above, "dependentSchemas") || is(above, "dependencies"))) {
            add_code(text, step);
            cupel_text_adds(text, " is there");
        }
        if (text->len > start || text->failed)
            return;
    }
}
