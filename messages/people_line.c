/* people_line.c: the line of one problem for people and programs: the message, what is expected,
 * what was found, under which condition, and what to do (model.h).
 *
 * The parts are kept apart, for formats that have a field for each.  A message never repeats a
 * value of the instance unless the rendering shows the document anyway or CUPEL_SHOW_VALUES is set;
 * `help` names values of the instance only where the rendering shows the document. */
#include "base/utf8.h"
#include "messages/declared_names.h"
#include "messages/decode.h"
#include "messages/expect.h"
#include "messages/model.h"
#include "messages/place.h"
#include "messages/rename.h"
#include <limits.h>
#include <string.h>

/* Bytes of a pattern; names listed; pairs of items compared; bytes of a value that is repeated. */
enum { PATTERN_BYTES = 160, FEW_NAMES = 12, MAX_PAIRS = 4096, VALUE_BYTES = 40 };

/* What is being written: one part after the other, to the end of the words. */
struct writer {
    struct model *m;
    const struct render *r;
    const struct cupel__event *e;
    enum cupel_problem_code code;
    uint32_t i;
    struct cupel_text *text;
    struct line *line;
};

static size_t begin(const struct writer *w)
{
    return w->text->len;
}

static struct span end(const struct writer *w, size_t start)
{
    return (struct span){start, w->text->failed ? 0 : w->text->len - start};
}

static void adds(const struct writer *w, const char *s)
{
    cupel_text_adds(w->text, s);
}

static void add_span(const struct writer *w, struct span s)
{
    if (s.len == 0 || w->text->failed)
        return;
    /* The words may move while they grow, so a part of them is copied first. */
    struct cupel_text copy;
    cupel_text_init(&copy, &w->text->alloc);
    cupel_text_add(&copy, w->text->bytes + s.at, s.len);
    cupel_text_add(w->text, copy.bytes, copy.len);
    w->text->failed |= copy.failed;
    cupel_text_free(&copy);
}

static struct cupel__node *value_of(const struct writer *w)
{
    return &w->r->doc->nodes[w->e->node];
}

static bool shows_values(const struct writer *w)
{
    return w->r->frames || (w->r->options->flags & CUPEL_SHOW_VALUES);
}

static bool is_string(const struct cupel__node *v)
{
    return (CUPEL__BIT(v->type) & CUPEL__M_STRING) != 0;
}

/* Whether a value is short enough to be repeated whole. */
static bool is_short(const struct writer *w)
{
    const struct cupel__node *v = value_of(w);
    return v->type < CUPEL__ARRAY &&
           (v->type <= CUPEL__TRUE ||
            cupel__cursor_span(w->r->s->cursor, w->e->node).n <= VALUE_BYTES);
}

static void add_value(const struct writer *w)
{
    cupel__escape_untrusted(w->text, cupel__cursor_span(w->r->s->cursor, w->e->node), VALUE_BYTES,
                            0);
}

/* -- Expected ---------------------------------------------------------------------------------- */

/* Appends "at least 1 item" for a bound on characters, items or members. */
static void add_count(const struct writer *w, const char *bound, const char *unit,
                      const char *units)
{
    struct cupel_text n;
    cupel_text_init(&n, &w->text->alloc);
    cupel__problem_expected(w->r->code, w->e, w->code, &n);
    bool one = n.len == 1 && n.bytes[0] == '1';
    cupel_text_addf(w->text, "%s %.*s %s", bound, (int)n.len, n.len > 0 ? n.bytes : "",
                    one ? unit : units);
    w->text->failed |= n.failed;
    cupel_text_free(&n);
}

/* Appends " that is …" for the schema of `contains`. */
static void add_contained(const struct writer *w)
{
    const uint32_t *word = w->r->code->words + w->e->pc;
    const size_t start = w->text->len;
    adds(w, " that is ");
    const size_t described = w->text->len;
    cupel__add_alternative(w->r, word[1], w->text);
    bool any = w->text->len - described == 9 && !w->text->failed &&
               memcmp(w->text->bytes + described, "any value", 9) == 0;
    if (any && !w->text->failed)
        cupel__cut(w->text, start);
    if (any)
        adds(w, " of the kind that `contains` describes");
}

static void add_string(const struct writer *w)
{
    struct cupel__expect x;
    cupel__expect_siblings(w->r, w->e->pc, &x);
    x.types = CUPEL__M_STRING;
    x.values = x.pattern = x.format = NULL;
    cupel__add_expected(w->r, &x, w->text);
}

static void add_choice(const struct writer *w, struct cupel__str *ret_closest)
{
    const struct render *r = w->r;
    struct cupel__expect any;
    uint32_t types;
    switch ((enum cupel_choice)w->e->choice) {
    case CUPEL_CHOICE_TYPES:
        cupel__expect_any_branch(r, w->e->pc, &any);
        cupel__add_expected(r, &any, w->text);
        return;
    case CUPEL_CHOICE_VALUES:
        cupel__add_branch_values(r, w->e, w->e->node, &types, ret_closest, w->text);
        return;
    case CUPEL_CHOICE_NO_TAG:
        cupel__add_branch_values(r, w->e, w->e->tag, &types, ret_closest, w->text);
        return;
    default:
        cupel__add_alternatives(r, w->e, w->text);
        return;
    }
}

/* Appends what the schema asks for.  *ret_closest is the allowed value that a string is probably
 * meant to be, n 0: none. */
static void add_expected(const struct writer *w, struct cupel__str *ret_closest)
{
    const struct render *r = w->r;
    const uint32_t *word = r->code->words + w->e->pc;
    struct cupel__expect x;
    int distance = INT_MAX;
    *ret_closest = (struct cupel__str){"", 0};
    if (cupel__choice_around(w->r, w->e) != NULL) {
        cupel__add_alternatives(r, cupel__choice_around(w->r, w->e), w->text);
        if (cupel__is_value_op(CUPEL__WORD_OP(*word)))
            *ret_closest = cupel__closest_value(r, w->e->node, word, &distance);
        return;
    }
    switch (w->code) {
    case CUPEL_P_TYPE:
    case CUPEL_P_MINIMUM:
    case CUPEL_P_MAXIMUM:
    case CUPEL_P_EXCLUSIVE_MINIMUM:
    case CUPEL_P_EXCLUSIVE_MAXIMUM:
        cupel__expect_value(r, w->e, w->code, &x);
        cupel__add_expected(r, &x, w->text);
        return;
    case CUPEL_P_CONST:
    case CUPEL_P_ENUM:
        x = (struct cupel__expect){.types = cupel__value_types(r->code, word), .values = word};
        cupel__add_expected(r, &x, w->text);
        *ret_closest = cupel__closest_value(r, w->e->node, word, &distance);
        return;
    case CUPEL_P_MULTIPLE_OF:
        adds(w, "a multiple of ");
        cupel__problem_expected(r->code, w->e, w->code, w->text);
        return;
    case CUPEL_P_MIN_LENGTH:
    case CUPEL_P_MAX_LENGTH:
        add_string(w);
        return;
    case CUPEL_P_PATTERN:
        adds(w, "string that matches ");
        cupel__add_pattern(r, word, PATTERN_BYTES, w->text);
        return;
    case CUPEL_P_FORMAT:
        adds(w, "string in the format ");
        cupel__escape_untrusted(w->text, cupel__format_of(r, word), CUPEL__NAME_BYTES, '`');
        return;
    case CUPEL_P_MIN_ITEMS:
        add_count(w, "at least", "item", "items");
        return;
    case CUPEL_P_MAX_ITEMS:
        add_count(w, "at most", "item", "items");
        return;
    case CUPEL_P_MIN_PROPERTIES:
        add_count(w, "at least", "property", "properties");
        return;
    case CUPEL_P_MAX_PROPERTIES:
        add_count(w, "at most", "property", "properties");
        return;
    case CUPEL_P_UNIQUE_ITEMS:
        adds(w, "items that are all different");
        return;
    case CUPEL_P_CONTAINS_FEW:
        add_count(w, "at least", "item", "items");
        add_contained(w);
        return;
    case CUPEL_P_CONTAINS_MANY:
        add_count(w, "at most", "item", "items");
        add_contained(w);
        return;
    case CUPEL_P_NO_ALTERNATIVE:
        add_choice(w, ret_closest);
        return;
    default:
        return;
    }
}

/* -- Found ------------------------------------------------------------------------------------- */

/* The first two items that are equal, as indices; false if they are not among the first pairs. */
static bool find_equal(const struct writer *w, uint32_t *ret_a, uint32_t *ret_b, uint32_t *ret_node)
{
    struct cupel__doc *doc = w->r->doc;
    const struct cupel__node *nodes = doc->nodes;
    uint32_t array = w->e->node, j = 1, pairs = 0;
    if (nodes[array].type != CUPEL__ARRAY || nodes[array].count < 2)
        return false;
    for (uint32_t b = cupel__node_next(nodes, array + 1); b < nodes[array].end;
         b = cupel__node_next(nodes, b), j++) {
        uint32_t i = 0;
        for (uint32_t a = array + 1; a < b; a = cupel__node_next(nodes, a), i++) {
            struct cupel__budget budget = {.remaining = 1000};
            if (++pairs > MAX_PAIRS || !cupel__report_charge(w->r->s, 2))
                return false;
            int equal = cupel__json_equal(doc, a, doc, b, &budget);
            cupel__report_charge(w->r->s, 1000 - budget.remaining);
            if (equal == 1) {
                *ret_a = i;
                *ret_b = j;
                *ret_node = b;
                return true;
            }
        }
    }
    return false;
}

static const char *type_of(const struct cupel__node *v)
{
    return v->type == CUPEL__INTREAL ? "number" : cupel__type_name(v);
}

/* Appends the value if it may be shown and is short, otherwise its type. */
static void add_found_value(const struct writer *w, const char *other)
{
    if (shows_values(w) && is_short(w) && value_of(w)->type > CUPEL__TRUE)
        add_value(w);
    else if (*other != '\0')
        adds(w, other);
    else
        adds(w, type_of(value_of(w)));
}

/* After an allowed value: "another string", or the type if that is not allowed either. */
static void add_other(const struct writer *w, uint32_t types)
{
    const struct cupel__node *v = value_of(w);
    bool same = types >> v->type & 1;
    if (shows_values(w) && is_short(w))
        add_value(w);
    else if (same && v->type <= CUPEL__TRUE)
        adds(w, "another value");
    else
        cupel_text_addf(w->text, "%s%s", same ? "another " : "", type_of(v));
}

/* The value of the member that should tell the branches of a choice apart. */
static void add_tag_value(const struct writer *w)
{
    const struct cupel__node *v = &w->r->doc->nodes[w->e->tag];
    struct cupel__str span = cupel__cursor_span(w->r->s->cursor, w->e->tag);
    if (shows_values(w) && v->type < CUPEL__ARRAY && span.n <= VALUE_BYTES)
        cupel__escape_untrusted(w->text, span, VALUE_BYTES, 0);
    else
        cupel_text_addf(w->text, "another %s", type_of(v));
}

static void add_found(const struct writer *w)
{
    const struct render *r = w->r;
    uint32_t a, b, node;
    size_t n;
    switch (w->code) {
    case CUPEL_P_TYPE:
        adds(w, type_of(value_of(w)));
        return;
    case CUPEL_P_CONST:
    case CUPEL_P_ENUM:
        add_other(w, cupel__value_types(r->code, r->code->words + w->e->pc));
        return;
    case CUPEL_P_MINIMUM:
    case CUPEL_P_EXCLUSIVE_MINIMUM:
        add_found_value(w, "a smaller one");
        return;
    case CUPEL_P_MAXIMUM:
    case CUPEL_P_EXCLUSIVE_MAXIMUM:
        add_found_value(w, "a larger one");
        return;
    case CUPEL_P_MULTIPLE_OF:
        add_found_value(w, "another number");
        return;
    case CUPEL_P_PATTERN:
    case CUPEL_P_FORMAT:
        add_found_value(w, "another string");
        return;
    case CUPEL_P_MIN_LENGTH:
    case CUPEL_P_MAX_LENGTH:
        n = cupel__problem_count(r->code, r->doc, w->e);
        cupel_text_addf(w->text, "%zu character%s", n, n == 1 ? "" : "s");
        return;
    case CUPEL_P_MIN_ITEMS:
    case CUPEL_P_MAX_ITEMS:
    case CUPEL_P_MIN_PROPERTIES:
    case CUPEL_P_MAX_PROPERTIES:
    case CUPEL_P_CONTAINS_FEW:
    case CUPEL_P_CONTAINS_MANY:
        cupel_text_addf(w->text, "%zu", cupel__problem_count(r->code, r->doc, w->e));
        return;
    case CUPEL_P_UNIQUE_ITEMS:
        if (!find_equal(w, &a, &b, &node)) {
            adds(w, "two that are equal");
            return;
        }
        cupel_text_addf(w->text, "items %u and %u equal to each other", (unsigned)a, (unsigned)b);
        w->line->shown = node;
        return;
    case CUPEL_P_NO_ALTERNATIVE:
        if (w->e->choice == CUPEL_CHOICE_NO_TAG && w->e->tag != 0)
            add_tag_value(w);
        else if (w->e->choice == CUPEL_CHOICE_TIE && value_of(w)->type >= CUPEL__ARRAY)
            cupel_text_addf(w->text, "%s that fits none", type_of(value_of(w)));
        else if (w->e->choice == CUPEL_CHOICE_VALUES || w->e->choice == CUPEL_CHOICE_TIE)
            add_found_value(w, w->e->choice == CUPEL_CHOICE_TIE ? "" : "another value");
        else
            adds(w, type_of(value_of(w)));
        return;
    default:
        return;
    }
}

/* -- Help -------------------------------------------------------------------------------------- */

/* Begins another sentence of the help. */
static void add_sentence(const struct writer *w, size_t start)
{
    adds(w, w->text->len > start ? "\n" : "");
}

/* Sets the text between `from` and the end as the certain replacement of a node. */
static void set_fix(const struct writer *w, uint32_t node, size_t from)
{
    struct cupel__str span = cupel__cursor_span(w->r->s->cursor, node);
    w->line->fix = end(w, from);
    w->line->fix_offset = (size_t)(span.p - w->r->doc->base[0]);
    w->line->fix_length = span.n;
}

/* Writes the suggested name or value as JSON, apart from the sentences. */
static void suggest(const struct writer *w, struct cupel__str s, uint32_t node, bool certain)
{
    size_t start = begin(w);
    cupel__text_quoted(w->text, s, SIZE_MAX);
    w->line->suggestion = end(w, start);
    if (certain)
        set_fix(w, node, start);
}

/* The required types of a value that has another type; `items` is the schema of items, or NO_SUB.
 */
static uint32_t wanted_types(const struct writer *w, uint32_t *ret_items)
{
    const struct render *r = w->r;
    struct cupel__expect x = {.types = 0, .items = CUPEL__NO_SUB};
    if (w->code == CUPEL_P_TYPE)
        cupel__expect_value(r, w->e, w->code, &x);
    else if (w->code == CUPEL_P_ENUM || w->code == CUPEL_P_CONST)
        x.types = cupel__value_types(r->code, r->code->words + w->e->pc);
    else if (w->code == CUPEL_P_NO_ALTERNATIVE && w->e->choice == CUPEL_CHOICE_TYPES)
        cupel__expect_any_branch(r, w->e->pc, &x);
    *ret_items = x.items;
    return x.types;
}

static bool is_word(struct cupel__str s, const char *word)
{
    size_t i = 0;
    for (; i < s.n && word[i] != '\0'; i++)
        if ((s.p[i] | 0x20) != word[i])
            return false;
    return i == s.n && word[i] == '\0';
}

/* The boolean that a value stands for in other notations, or NULL. */
static const char *boolean_of(const struct writer *w)
{
    static const char *const words[][2] = {
        {"true", "false"}, {"yes", "no"}, {"on", "off"}, {"y", "n"}, {"t", "f"}};
    struct cupel__node *v = value_of(w);
    if (v->type == CUPEL__INT)
        return v->i == 1 ? "true" : v->i == 0 ? "false" : NULL;
    if (!is_string(v))
        return NULL;
    struct cupel__str s = cupel__doc_str(w->r->doc, v);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int k = 0; k < 2; k++)
            if (is_word(s, words[i][k]))
                return k == 0 ? "true" : "false";
    return NULL;
}

/* Whether a string is more than the only item of an array. */
static bool is_list_or_encoded(const struct writer *w)
{
    struct cupel__str s = cupel__doc_str(w->r->doc, value_of(w));
    return s.n == 0 || cupel__looks_encoded(s) || cupel__looks_like_list(s);
}

/* Appends the value whose text a string holds.  False: it holds none of a required type. */
static bool add_decoded(const struct writer *w, uint32_t wanted)
{
    struct cupel_text json;
    if (!is_string(value_of(w)))
        return false;
    cupel_text_init(&json, &w->text->alloc);
    bool decoded = cupel__decode(w->r, cupel__doc_str(w->r->doc, value_of(w)), wanted, &json,
                                 NULL) != CUPEL__DECODED_NOT;
    if (decoded && !json.failed)
        cupel__escape_untrusted(w->text, (struct cupel__str){json.bytes, json.len}, SIZE_MAX, 0);
    w->text->failed |= json.failed;
    cupel_text_free(&json);
    return decoded;
}

/* The text without quotes, with quotes, or in brackets; true if one of them has a required type. */
static bool suggest_other_type(const struct writer *w, uint32_t wanted, uint32_t items)
{
    struct cupel__node *v = value_of(w);
    size_t start = begin(w);
    struct cupel__expect item = {.types = 0};
    const uint32_t bit = CUPEL__BIT(v->type);
    const char *boolean = wanted & CUPEL__M_BOOLEAN ? boolean_of(w) : NULL;
    if (wanted == 0 || wanted & bit)
        return false;
    if (add_decoded(w, wanted)) {
        /* It is written. */
    } else if (boolean != NULL) {
        adds(w, boolean);
    } else if ((wanted & CUPEL__M_STRING) && bit & (CUPEL__M_NUMBER | CUPEL__M_BOOLEAN)) {
        adds(w, "\"");
        cupel__escape_untrusted(w->text, cupel__cursor_span(w->r->s->cursor, w->e->node), SIZE_MAX,
                                0);
        adds(w, "\"");
    } else {
        if (items != CUPEL__NO_SUB)
            cupel__expect_sub(w->r, items, &item);
        if (!(wanted & CUPEL__M_ARRAY) || !(item.types & bit) || item.types == CUPEL__M_ANY ||
            v->type >= CUPEL__ARRAY || (is_string(v) && is_list_or_encoded(w)))
            return false;
        adds(w, "[");
        cupel__escape_untrusted(w->text, cupel__cursor_span(w->r->s->cursor, w->e->node), SIZE_MAX,
                                0);
        adds(w, "]");
    }
    w->line->suggestion = end(w, start);
    set_fix(w, w->e->node, start);
    return true;
}

/* Whether a JSON text is one of the values that the instruction lists. */
static bool is_listed(const struct writer *w, struct span value)
{
    uint32_t n;
    const uint32_t *values = cupel__values_of(w->r->code, w->r->code->words + w->e->pc, &n);
    struct cupel_text text;
    bool found = false;
    cupel_text_init(&text, &w->text->alloc);
    for (uint32_t i = 0; i < n && !found && cupel__report_charge(w->r->s, 4); i++) {
        struct cupel__str s = cupel__model_span(w->m, value);
        cupel_text_clear(&text);
        cupel__value_text(w->r->code->image, values[i], &text);
        w->text->failed |= text.failed;
        found = text.len == s.n && s.n > 0 && memcmp(text.bytes, s.p, s.n) == 0;
    }
    cupel_text_free(&text);
    return found;
}

/* Says how to write the value with another type.  Values are named only where they are shown. */
static void help_type(const struct writer *w)
{
    const char *how = boolean_of(w) != NULL && !cupel__hint(w->r, w->e->node, CUPEL__M_BOOLEAN) ? ""
                      : is_string(value_of(w)) ? " without quotes"
                                               : " in quotes";
    struct cupel__str s = cupel__model_span(w->m, w->line->suggestion);
    if (s.n > 0 && s.p[0] == '[' && value_of(w)->type < CUPEL__ARRAY &&
        !(is_string(value_of(w)) && cupel__hint(w->r, w->e->node, CUPEL__M_ARRAY) != NULL))
        how = " in brackets";
    if (s.n > 0 && s.p[0] == '"')
        how = " in quotes";
    adds(w, "write ");
    if (shows_values(w) && w->line->suggestion.len <= VALUE_BYTES)
        add_span(w, w->line->suggestion);
    else
        adds(w, "it");
    adds(w, shows_values(w) && how[0] != '\0' && how[1] == 'i' ? "" : how);
}

/* An example of a format, for those that few people know by heart. */
static const char *example_of(struct cupel__str format)
{
    static const char *const examples[][2] = {
        {"date-time", "\"2025-03-31T14:30:00Z\""},
        {"date", "\"2025-03-31\""},
        {"time", "\"14:30:00Z\""},
        {"duration", "\"P3DT12H\", which is 3 days and 12 hours"},
        {"email", "\"name@example.com\""},
        {"idn-email", "\"name@example.com\""},
        {"hostname", "\"www.example.com\""},
        {"idn-hostname", "\"www.example.com\""},
        {"ipv4", "\"192.0.2.1\""},
        {"ipv6", "\"2001:db8::1\""},
        {"uri", "\"https://example.com/page\", with the scheme"},
        {"iri", "\"https://example.com/page\", with the scheme"},
        {"uri-reference", "\"../page#part\", without spaces"},
        {"uri-template", "\"/items/{id}\""},
        {"json-pointer", "\"/a/0\""},
        {"relative-json-pointer", "\"1/a\""},
        {"uuid", "\"123e4567-e89b-12d3-a456-426614174000\""},
        {"regex", "\"^[a-z]+$\", a pattern of ECMA-262"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (format.n == strlen(examples[i][0]) && memcmp(format.p, examples[i][0], format.n) == 0)
            return examples[i][1];
    return NULL;
}

/* Appends what a missing property must be. */
static void help_missing(const struct writer *w, struct cupel__str name)
{
    struct cupel__schema_iter it;
    cupel__schema_iter_siblings(&it, w->r->code, w->e->pc, &w->r->s->cursor->remaining);
    it.alone = false;
    adds(w, "add ");
    cupel__add_code(w->text, name);
    for (const uint32_t *word; (word = cupel__schema_iter_next(&it)) != NULL;) {
        uint32_t op = CUPEL__WORD_OP(*word);
        if (op != CUPEL__OP_OBJECT && op != CUPEL__OP_MEMBERS)
            continue;
        const struct cupel__entry *entry = cupel__table_find(
            w->r->code->image, cupel__at(w->r->code->image, word[1]), name.p, (uint32_t)name.n);
        struct cupel__expect x;
        if (entry == NULL || (entry->flags & CUPEL__ENTRY_UNKNOWN) ||
            CUPEL__SUB_PC(entry->sub) == 0)
            continue;
        cupel__expect_sub(w->r, entry->sub, &x);
        if (x.types == CUPEL__M_ANY && x.values == NULL)
            return;
        adds(w, ": ");
        cupel__add_expected(w->r, &x, w->text);
        return;
    }
}

/* The names that the object may have and has not yet, or a way out. */
static void help_allowed(const struct writer *w, const struct cupel__declared_names *known)
{
    if (known->n == 0) {
        adds(w, "leave it out");
    } else if (known->n + known->more <= FEW_NAMES) {
        adds(w, "allowed here: ");
        cupel__add_declared_names(w->r, known, false, w->text);
    } else {
        cupel_text_addf(w->text,
                        "leave it out; the schema lists the %u names that are allowed here",
                        (unsigned)(known->n + known->more));
    }
}

static void write_unknown(const struct writer *w)
{
    const struct render *r = w->r;
    struct cupel__declared_names known;
    struct cupel__rename rename;
    char buf[16];
    uint32_t key = cupel__member_key(r->s, w->e->node);
    struct cupel__str name = cupel__doc_str(r->doc, &r->doc->nodes[key]), closest = {"", 0};
    size_t start = begin(w);
    cupel__declared_names_parent(r, w->e->pc, &known);
    cupel__drop_forbidden_names(r, &known);
    cupel__rename_unknown(r, w->e, &rename);
    if (rename.key != 0)
        closest = cupel__rename_name(r, &rename, buf);
    adds(w, "property ");
    cupel__add_code(w->text, name);
    adds(w, " is not allowed");
    w->line->body = end(w, start);
    if (closest.n > 0)
        suggest(w, closest, key, rename.certain);
    start = begin(w);
    if (closest.n > 0) {
        adds(w, "did you mean ");
        cupel__add_code(w->text, closest);
        adds(w, "?");
    } else if (!cupel__add_elsewhere(w->r, w->e, name, w->text)) {
        help_allowed(w, &known);
    }
    w->line->help = end(w, start);
    w->line->shown = key;
}

/* A misspelt name and the required one that it stands for. */
static void write_renamed(const struct writer *w, uint32_t key, const struct cupel__event *missing)
{
    char buf[16];
    struct cupel__str wanted = cupel__problem_name(w->r->s, missing, buf);
    size_t start = begin(w);
    adds(w, "property ");
    cupel__add_code(w->text, cupel__doc_str(w->r->doc, &w->r->doc->nodes[key]));
    adds(w, " is unknown; did you mean ");
    cupel__add_code(w->text, wanted);
    adds(w, ", which is required?");
    w->line->body = end(w, start);
    struct cupel__rename rename;
    cupel__rename_missing(w->r, missing, &rename);
    suggest(w, wanted, key, rename.certain);
    w->line->shown = key;
}

/* The missing names of an object are one message: those of later problems are suppressed. */
static void write_missing(const struct writer *w)
{
    struct model *m = w->m;
    struct cupel__str first;
    char buf[16];
    uint32_t n = 1, also[MAX_JOINED];
    for (uint32_t k = w->i + 1; k < m->nevents && !m->separate && n <= MAX_JOINED; k++) {
        if (m->suppressed[k] || m->renamed[k] != 0 || m->events[k]->pc != w->e->pc ||
            m->events[k]->node != w->e->node || w->code != CUPEL_P_REQUIRED)
            continue;
        also[n++ - 1] = k;
        m->suppressed[k] = true;
    }
    size_t start = begin(w);
    adds(w, n > 1 ? "required properties " : "required property ");
    first = cupel__problem_name(w->r->s, w->e, buf);
    cupel__add_code(w->text, first);
    for (uint32_t k = 1; k < n; k++) {
        char other[16];
        adds(w, k + 1 == n ? " and " : ", ");
        cupel__add_code(w->text, cupel__problem_name(w->r->s, m->events[also[k - 1]], other));
    }
    adds(w, n > 1 ? " are missing" : " is missing");
    w->line->body = end(w, start);
    start = begin(w);
    cupel__add_code(w->text, first);
    w->line->expected = end(w, start);
    start = begin(w);
    if (n == 1)
        help_missing(w, first);
    w->line->help = end(w, start);
}

/* -- Messages ---------------------------------------------------------------------------------- */

/* Kinds whose message is no pair of expected and found. */
static bool write_plain(const struct writer *w)
{
    size_t start = begin(w);
    uint32_t key = cupel__member_key(w->r->s, w->e->node);
    switch (w->code) {
    case CUPEL_P_MANY_ALTERNATIVES:
        adds(w, "fits more than one form where exactly one is allowed: ");
        cupel__add_both(w->r, w->e, w->text);
        break;
    case CUPEL_P_EXCLUDED:
        adds(w, "not allowed: ");
        cupel__add_excluded(w->r, w->e, w->text);
        break;
    case CUPEL_P_UNKNOWN_ITEM:
        adds(w, "one item too many");
        break;
    case CUPEL_P_NOTHING_ALLOWED:
        if (key != 0) {
            adds(w, "property ");
            cupel__add_code(w->text, cupel__doc_str(w->r->doc, &w->r->doc->nodes[key]));
            adds(w, " is not allowed here");
            w->line->shown = key;
        } else {
            adds(w, "no value is allowed here");
        }
        break;
    case CUPEL_P_UNREPORTED:
        adds(w, "not valid; a limit ended the search for what is wrong");
        break;
    default:
        return false;
    }
    w->line->body = end(w, start);
    start = begin(w);
    if (w->code == CUPEL_P_UNKNOWN_ITEM || w->code == CUPEL_P_NOTHING_ALLOWED)
        adds(w, "leave it out");
    else if (w->code == CUPEL_P_UNREPORTED)
        adds(w, "raise the limit: --limit steps=N or --limit scratch_bytes=N");
    else if (w->code == CUPEL_P_MANY_ALTERNATIVES)
        adds(w, "change the value so that it fits one of them only");
    w->line->help = end(w, start);
    return true;
}

/* A string that may be a list, or the text of one. */
static void help_list(const struct writer *w)
{
    struct cupel__str s = cupel__doc_str(w->r->doc, value_of(w));
    adds(w, s.n == 0                  ? "write [] for an empty array"
            : cupel__looks_encoded(s) ? "write the array without quotes, as in JSON"
                                      : "write an array, one item for each");
}

/* Sentences that help with an expected value. */
static void write_help(const struct writer *w, struct cupel__str closest)
{
    uint32_t items, wanted = wanted_types(w, &items);
    const uint32_t *word = w->r->code->words + w->e->pc;
    bool typed = closest.n == 0 && suggest_other_type(w, wanted, items);
    if (typed && cupel__is_value_op(CUPEL__WORD_OP(*word)) && !is_listed(w, w->line->suggestion)) {
        w->line->suggestion = w->line->fix = (struct span){0, 0};
        w->line->fix_length = 0;
        typed = false;
    }
    if (closest.n > 0)
        suggest(w, closest, w->e->choice == CUPEL_CHOICE_NO_TAG ? w->e->tag : w->e->node, true);
    size_t start = begin(w);
    if (closest.n > 0 && w->code == CUPEL_P_CONST && cupel__choice_around(w->r, w->e) == NULL) {
        adds(w, ""); /* the message names the only value */
    } else if (closest.n > 0) {
        adds(w, "did you mean ");
        cupel__text_quoted(w->text, closest, CUPEL__NAME_BYTES);
        adds(w, "?");
    } else if (typed) {
        help_type(w);
    } else if (is_string(value_of(w)) &&
               cupel__takes_as_item(w->r, &(struct cupel__expect){.types = wanted, .items = items},
                                    CUPEL__STRING) &&
               is_list_or_encoded(w)) {
        help_list(w);
    }
    if (w->code == CUPEL_P_FORMAT && example_of(cupel__format_of(w->r, word)) != NULL) {
        add_sentence(w, start);
        adds(w, "for example ");
        adds(w, example_of(cupel__format_of(w->r, word)));
    } else if (w->code == CUPEL_P_PATTERN) {
        struct cupel_text whole;
        cupel_text_init(&whole, &w->text->alloc);
        if (cupel__add_pattern(w->r, word, PATTERN_BYTES, &whole))
            adds(w, "the schema has the whole pattern");
        w->text->failed |= whole.failed;
        cupel_text_free(&whole);
    } else if (w->code == CUPEL_P_UNIQUE_ITEMS) {
        adds(w, "remove one of them");
    } else if (value_of(w)->type == CUPEL__NULL && !typed && w->code == CUPEL_P_TYPE &&
               cupel__member_key(w->r->s, w->e->node) != 0) {
        adds(w, "leave the property out, or give it a value");
    }
    w->line->help = end(w, start);
}

static void write_expected(const struct writer *w)
{
    struct cupel__str closest;
    size_t start = begin(w);
    add_expected(w, &closest);
    w->line->expected = end(w, start);
    start = begin(w);
    add_found(w);
    w->line->found = end(w, start);
    start = begin(w);
    if (value_of(w)->flags & CUPEL__KEY && is_string(value_of(w))) {
        adds(w, "the name ");
        cupel__add_code(w->text, cupel__doc_str(w->r->doc, value_of(w)));
        adds(w, " is not allowed: ");
    }
    if (w->e->choice == CUPEL_CHOICE_NO_TAG && w->e->tag != 0) {
        cupel__add_code(w->text, cupel__doc_str(w->r->doc, &w->r->doc->nodes[w->e->tag - 1]));
        adds(w, ": ");
    }
    adds(w, "expected ");
    add_span(w, w->line->expected);
    if (w->line->found.len > 0 && !(value_of(w)->flags & CUPEL__KEY)) {
        adds(w, ", found ");
        add_span(w, w->line->found);
    }
    w->line->body = end(w, start);
    write_help(w, closest);
}

/* The condition under which the schema of the problem applies. */
static void write_because(const struct writer *w)
{
    size_t start = begin(w);
    uint32_t object = w->code == CUPEL_P_UNKNOWN_PROPERTY || w->code == CUPEL_P_NOTHING_ALLOWED
                          ? cupel__container_of(w->r, w->e->node)
                          : w->e->node;
    if (w->code == CUPEL_P_DEPENDENT) {
        cupel__add_code(w->text,
                        cupel__image_str(w->r->code->image, w->r->code->words[w->e->pc + 1]));
        adds(w, " is there");
    } else {
        cupel__add_tag(w->r, w->e, object, w->text);
        if (w->text->len == start)
            cupel__add_condition(w->r, w->e, w->text);
    }
    w->line->because = end(w, start);
}

/* Writes the parts of a line in this order: expected, found, message, suggestion, help. */
void cupel__write_people_line(struct model *m, uint32_t i, struct line *ret)
{
    const struct cupel__event *e = m->events[i];
    const struct writer w = {m, m->r, e, m->codes[i], i, &m->words, ret};
    *ret = (struct line){.pc = e->pc, .event = e, .code = m->codes[i], .shown = e->node};
    ret->index = (uint32_t)(e - m->r->s->log.events);
    if (e->choice == CUPEL_CHOICE_NO_TAG && w.code == CUPEL_P_NO_ALTERNATIVE && e->tag != 0)
        ret->shown = e->tag;
    write_because(&w);
    if (m->missing[i] != 0)
        write_renamed(&w, cupel__member_key(m->r->s, e->node), m->events[m->missing[i] - 1]);
    else if (m->renamed[i] != 0)
        write_renamed(&w, m->renamed[i], e);
    else if (w.code == CUPEL_P_REQUIRED || w.code == CUPEL_P_DEPENDENT)
        write_missing(&w);
    else if (w.code == CUPEL_P_UNKNOWN_PROPERTY)
        write_unknown(&w);
    else if (!write_plain(&w))
        write_expected(&w);
    if (ret->because.len == 0)
        return;
    /* The message ends with the condition: it is written again behind all parts. */
    size_t start = m->words.len;
    add_span(&w, ret->body);
    cupel_text_adds(&m->words, ", because ");
    add_span(&w, ret->because);
    ret->body = end(&w, start);
}
