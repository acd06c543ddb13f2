/* expect.c: requirements in a few words, what was found, and suggestions (expect.h).
 *
 * The requirements of a schema are gathered from its instructions and those it applies in place;
 * the types that a choice allows count too, up to two choices deep. */
#include "messages/expect.h"
#include "base/similar.h"
#include "messages/decode.h"
#include "vm/formats/formats.h"
#include <string.h>

/* Bounds: choices within choices, branches of one, strings compared for a suggestion. */
enum { MAX_DEPTH = 2, MAX_BRANCHES = 64, MAX_COMPARED = 1024 };

/* -- Requirements ------------------------------------------------------------------------------ */

static uint32_t types_of_choice(const struct render *r, const uint32_t *word, int depth);

/* Adds what one instruction requires. */
static void add_word(const struct render *r, const uint32_t *word, int depth,
                     struct cupel__expect *x)
{
    switch (CUPEL__WORD_OP(*word)) {
    case CUPEL__OP_TYPE:
        x->types &= cupel__named_types(CUPEL__WORD_B(*word));
        return;
    case CUPEL__OP_CONST:
    case CUPEL__OP_ENUM:
    case CUPEL__OP_LOOKUP:
        x->values = word;
        return;
    case CUPEL__OP_MIN:
        x->min = word;
        return;
    case CUPEL__OP_MAX:
        x->max = word;
        return;
    case CUPEL__OP_LENGTH:
        *(word[1] > 0 ? &x->least_length : &x->most_length) = word;
        return;
    case CUPEL__OP_PATTERN:
        x->pattern = word;
        return;
    case CUPEL__OP_FORMAT:
    case CUPEL__OP_HOST_FORMAT:
        x->format = word;
        return;
    case CUPEL__OP_ITEMS:
        x->items = word[1];
        return;
    case CUPEL__OP_ANY_OF:
    case CUPEL__OP_ONE_OF:
    case CUPEL__OP_CHOOSE:
        x->types &= types_of_choice(r, word, depth);
        return;
    default:
        return;
    }
}

/* The steps for reading the types of allowed values. */
static int64_t value_steps(const struct render *r, const uint32_t *word)
{
    uint32_t n;
    cupel__values_of(r->code, word, &n);
    return n / 2;
}

static struct cupel__expect gather(const struct render *r, struct cupel__schema_iter *it, int depth)
{
    struct cupel__expect x = {.types = CUPEL__M_ANY, .items = CUPEL__NO_SUB};
    for (const uint32_t *word; (word = cupel__schema_iter_next(it)) != NULL;)
        add_word(r, word, depth, &x);
    if (x.values != NULL && cupel__report_charge(r->s, value_steps(r, x.values)))
        x.types &= cupel__value_types(r->code, x.values);
    return x;
}

/* The types that at least one branch of a choice allows. */
static uint32_t types_of_choice(const struct render *r, const uint32_t *word, int depth)
{
    const struct cupel__list *list = cupel__image_list(r->code->image, word[1]);
    uint32_t types = 0;
    if (depth >= MAX_DEPTH)
        return CUPEL__M_ANY;
    for (uint32_t i = 0; i < list->count && i < MAX_BRANCHES && types != CUPEL__M_ANY; i++) {
        struct cupel__schema_iter it;
        cupel__schema_iter_sub(&it, r->code, list->item[i], &r->s->cursor->remaining);
        types |= gather(r, &it, depth + 1).types;
    }
    return types;
}

void cupel__expect_siblings(const struct render *r, uint32_t pc, struct cupel__expect *ret)
{
    struct cupel__schema_iter it;
    cupel__schema_iter_siblings(&it, r->code, pc, &r->s->cursor->remaining);
    *ret = gather(r, &it, 0);
}

void cupel__expect_sub(const struct render *r, uint32_t sub, struct cupel__expect *ret)
{
    struct cupel__schema_iter it;
    cupel__schema_iter_sub(&it, r->code, sub, &r->s->cursor->remaining);
    *ret = gather(r, &it, 0);
}

void cupel__expect_any_branch(const struct render *r, uint32_t pc, struct cupel__expect *ret)
{
    const struct cupel__list *list = cupel__branches_of(r->code, pc);
    *ret = (struct cupel__expect){.types = 0, .items = CUPEL__NO_SUB};
    for (uint32_t i = 0; i < list->count; i++) {
        struct cupel__expect x;
        cupel__expect_sub(r, list->item[i], &x);
        ret->types |= x.types;
        ret->items = x.items != CUPEL__NO_SUB ? x.items : ret->items;
    }
}

bool cupel__takes_as_item(const struct render *r, const struct cupel__expect *x, uint32_t type)
{
    struct cupel__expect item;
    if ((x->types & CUPEL__M_ARRAY) == 0 || x->items == CUPEL__NO_SUB || type == CUPEL__ARRAY)
        return false;
    cupel__expect_sub(r, x->items, &item);
    return item.types != CUPEL__M_ANY && (item.types >> type & 1);
}

const struct cupel__event *cupel__choice_around(const struct render *r,
                                                const struct cupel__event *e)
{
    if (e->group == 0 || r->doc->nodes[e->node].type >= CUPEL__ARRAY)
        return NULL;
    const struct cupel__event *around = cupel__event_of(r, e->group - 1);
    bool by_type = around->choice == CUPEL_CHOICE_BY_TYPE;
    return by_type && around->node == e->node && cupel__branches_of(r->code, around->pc)->count > 1
               ? around
               : NULL;
}

/* -- In words ------------------------------------------------------------------------------------
 */

void cupel__add_values(const struct render *r, const uint32_t *word, uint32_t *count,
                       struct cupel_text *text)
{
    uint32_t n;
    const uint32_t *values = cupel__values_of(r->code, word, &n);
    for (uint32_t i = 0; i < n; i++, ++*count) {
        if (*count >= CUPEL__MAX_LISTED) {
            *count += n - i;
            return;
        }
        cupel_text_adds(text, *count > 0 ? ", " : "");
        cupel__problem_value(r->code, values[i], text);
    }
}

static void add_number(const struct render *r, const uint32_t *word, struct cupel_text *text)
{
    cupel__problem_value(r->code, word[1], text);
}

/* Appends the bounds of a number: " from 1 to 9", " above 1 and at most 9". */
static void add_range(const struct render *r, const struct cupel__expect *x,
                      struct cupel_text *text)
{
    bool above = x->min != NULL && CUPEL__WORD_A(*x->min);
    bool below = x->max != NULL && CUPEL__WORD_A(*x->max);
    if (x->min != NULL && x->max != NULL && !above && !below) {
        cupel_text_adds(text, " from ");
        add_number(r, x->min, text);
        cupel_text_adds(text, " to ");
        add_number(r, x->max, text);
        return;
    }
    if (x->min != NULL) {
        cupel_text_adds(text, above ? " above " : " of at least ");
        add_number(r, x->min, text);
    }
    if (x->max != NULL) {
        cupel_text_adds(text, x->min != NULL ? " and" : "");
        cupel_text_adds(text, below ? " below " : x->min != NULL ? " at most " : " of at most ");
        add_number(r, x->max, text);
    }
}

static void add_lengths(const struct cupel__expect *x, struct cupel_text *text)
{
    uint32_t least = x->least_length != NULL ? x->least_length[1] : 0;
    uint32_t most = x->most_length != NULL ? x->most_length[2] : UINT32_MAX;
    if (least == most)
        cupel_text_addf(text, " of %u character%s", (unsigned)least, least == 1 ? "" : "s");
    else if (least > 0 && most < UINT32_MAX)
        cupel_text_addf(text, " of %u to %u characters", (unsigned)least, (unsigned)most);
    else if (least > 0)
        cupel_text_addf(text, " of at least %u character%s", (unsigned)least,
                        least == 1 ? "" : "s");
    else if (most < UINT32_MAX)
        cupel_text_addf(text, " of at most %u character%s", (unsigned)most, most == 1 ? "" : "s");
}

bool cupel__add_pattern(const struct render *r, const uint32_t *word, size_t max,
                        struct cupel_text *text)
{
    const struct cupel__image_pattern *p = cupel__at(r->code->image, r->code->image->patterns.at);
    const struct cupel__str s = {cupel__at(r->code->image, p[word[1]].at), p[word[1]].len};
    cupel_text_adds(text, "`");
    cupel__escape_untrusted(text, s, max, '`');
    cupel_text_adds(text, "`");
    return s.n > max;
}

struct cupel__str cupel__format_of(const struct render *r, const uint32_t *word)
{
    if (CUPEL__WORD_OP(*word) == CUPEL__OP_HOST_FORMAT)
        return cupel__image_format(r->code->image, CUPEL__WORD_B(*word));
    const char *name = cupel__format_name((enum cupel__format)CUPEL__WORD_B(*word));
    return (struct cupel__str){name, strlen(name)};
}

/* Appends pattern and format of a string. */
static void add_form(const struct render *r, const struct cupel__expect *x, struct cupel_text *text)
{
    if (x->pattern != NULL) {
        cupel_text_adds(text, " that matches ");
        cupel__add_pattern(r, x->pattern, CUPEL__NAME_BYTES, text);
    }
    if (x->format != NULL) {
        cupel_text_adds(text, x->pattern != NULL ? " and is in the format " : " in the format ");
        cupel__escape_untrusted(text, cupel__format_of(r, x->format), CUPEL__NAME_BYTES, '`');
    }
}

/* The types that an alternative is about: a schema without `type` that bounds strings or numbers
 * means these. */
static uint32_t meant_types(const struct cupel__expect *x)
{
    if (x->types != CUPEL__M_ANY)
        return x->types;
    if (x->pattern != NULL || x->format != NULL || x->least_length != NULL ||
        x->most_length != NULL)
        return CUPEL__M_STRING;
    if (x->min != NULL || x->max != NULL)
        return CUPEL__M_NUMBER;
    return x->items != CUPEL__NO_SUB ? (uint32_t)CUPEL__M_ARRAY : (uint32_t)CUPEL__M_ANY;
}

/* Appends "strings or integers". */
static void add_plural_types(uint32_t types, struct cupel_text *text)
{
    struct cupel_text names;
    cupel_text_init(&names, &text->alloc);
    cupel__types_text(types, "s or ", &names);
    cupel_text_add(text, names.bytes, names.len);
    bool null =
        names.len >= 4 && !names.failed && memcmp(names.bytes + names.len - 4, "null", 4) == 0;
    cupel_text_adds(text, null ? "" : "s");
    text->failed |= names.failed;
    cupel_text_free(&names);
}

static void add_items(const struct render *r, const struct cupel__expect *x,
                      struct cupel_text *text)
{
    struct cupel__expect item;
    if (x->items == CUPEL__NO_SUB)
        return;
    cupel__expect_sub(r, x->items, &item);
    if (item.types == CUPEL__M_ANY || item.types == 0)
        return;
    cupel_text_adds(text, " of ");
    add_plural_types(item.types, text);
}

/* Appends the allowed types, each with what bounds it: the range of a number, the length of a
 * string, the types of items.  "integer" is left out where "number" covers it. */
static void add_types(const struct render *r, const struct cupel__expect *x,
                      struct cupel_text *text)
{
    static const uint32_t kinds[] = {CUPEL__M_INTEGER, CUPEL__M_NUMBER, CUPEL__M_STRING,
                                     CUPEL__M_BOOLEAN, CUPEL__M_ARRAY,  CUPEL__M_OBJECT,
                                     CUPEL__M_NULL};
    const uint32_t types = meant_types(x);
    uint32_t remaining = types;
    const char *between = "";
    if (remaining == CUPEL__M_ANY)
        cupel_text_adds(text, "any value");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && types != CUPEL__M_ANY; i++) {
        uint32_t kind = kinds[i];
        if ((remaining & kind) != kind ||
            (kind == CUPEL__M_INTEGER && (remaining & CUPEL__M_NUMBER) != kind))
            continue;
        cupel_text_adds(text, between);
        cupel__types_text(kind, " or ", text);
        between = " or ";
        remaining &= ~kind;
        if (kind & CUPEL__M_NUMBER)
            add_range(r, x, text);
        if (kind == CUPEL__M_STRING)
            add_lengths(x, text);
        if (kind == CUPEL__M_STRING)
            add_form(r, x, text);
        if (kind == CUPEL__M_ARRAY)
            add_items(r, x, text);
    }
    if (remaining == types && remaining != CUPEL__M_ANY)
        cupel__types_text(remaining, " or ", text);
}

void cupel__add_rest(uint32_t count, struct cupel_text *text)
{
    if (count > CUPEL__MAX_LISTED)
        cupel_text_addf(text, " … and %u more", (unsigned)(count - CUPEL__MAX_LISTED));
}

void cupel__add_expected(const struct render *r, const struct cupel__expect *x,
                         struct cupel_text *text)
{
    uint32_t count = 0, n;
    if (x->values == NULL) {
        add_types(r, x, text);
        return;
    }
    cupel__values_of(r->code, x->values, &n);
    cupel_text_adds(text, n > 1 ? "one of " : "");
    cupel__add_values(r, x->values, &count, text);
    cupel__add_rest(count, text);
}

/* Compares with at most MAX_COMPARED strings and as many as steps remain. */
struct cupel__str cupel__closest_value(const struct render *r, uint32_t node, const uint32_t *word,
                                       int *distance)
{
    struct cupel__node *v = &r->doc->nodes[node];
    struct cupel__str best = {"", 0};
    uint32_t n;
    const uint32_t *values = cupel__values_of(r->code, word, &n);
    if ((CUPEL__BIT(v->type) & CUPEL__M_STRING) == 0)
        return best;
    struct cupel__str found = cupel__doc_str(r->doc, v);
    for (uint32_t i = 0; i < n && i < MAX_COMPARED; i++) {
        const struct cupel__node *c = &r->code->values.nodes[values[i]];
        if (c->type != CUPEL__STRING)
            continue;
        struct cupel__str s = {cupel__at(r->code->image, c->off), c->len};
        if (!cupel__report_charge(r->s, cupel__similar_steps(found, s)))
            break;
        int d = cupel__similar(found, s);
        if (d == CUPEL__NOT_SIMILAR || d > *distance)
            continue;
        best = d < *distance ? s : (struct cupel__str){"", 0};
        *distance = d;
    }
    return best;
}

/* -- What was found
 * ------------------------------------------------------------------------------------- */

/* How to write a string that has the text of a required type, or NULL. */
const char *cupel__hint(const struct render *r, uint32_t node, uint32_t wanted)
{
    struct cupel__node *v = &r->doc->nodes[node];
    uint32_t type;
    if ((CUPEL__BIT(v->type) & CUPEL__M_STRING) == 0)
        return NULL;
    enum cupel__decoded how = cupel__decode(r, cupel__doc_str(r->doc, v), wanted, NULL, &type);
    if (how == CUPEL__DECODED_NOT)
        return NULL;
    const bool python = how == CUPEL__DECODED_PYTHON;
    if (type & CUPEL__M_NUMBER)
        return "a number, without quotes";
    if (type & CUPEL__M_BOOLEAN)
        return python ? "a boolean, without quotes, in lower case" : "a boolean, without quotes";
    if (type & CUPEL__M_NULL)
        return python ? "null, without quotes, as in JSON" : "null, without quotes";
    if (type & CUPEL__M_ARRAY)
        return python ? "an array, without quotes, as in JSON" : "an array, without quotes";
    return python ? "an object, without quotes, as in JSON" : "an object, without quotes";
}

/* How a value should be written that is no array and may be an item of one. */
static const char *item_hint(const struct render *r, uint32_t node)
{
    struct cupel__node *v = &r->doc->nodes[node];
    if (v->type == CUPEL__NULL)
        return NULL;
    if ((CUPEL__BIT(v->type) & CUPEL__M_STRING) == 0)
        return "as an array, in brackets";
    struct cupel__str s = cupel__doc_str(r->doc, v);
    return s.n == 0                    ? NULL
           : cupel__looks_encoded(s)   ? "an array, without quotes, as in JSON"
           : cupel__looks_like_list(s) ? "an array, one item for each"
                                       : "as an array, in brackets";
}

static void add_value_text(const struct render *r, uint32_t node, struct cupel_text *text)
{
    struct cupel__node *v = &r->doc->nodes[node];
    cupel_text_adds(text, " ");
    if (CUPEL__BIT(v->type) & CUPEL__M_STRING)
        cupel__text_quoted(text, cupel__doc_str(r->doc, v), CUPEL__NAME_BYTES);
    else
        cupel__escape_untrusted(text, cupel__doc_span(r->doc, node), CUPEL__NAME_BYTES, 0);
}

/* A string in quotes that holds a wanted type gets a hint; any other value that would be a wanted
 * item gets one too.  Values appear only with CUPEL_SHOW_VALUES. */
void cupel__add_found(const struct render *r, uint32_t node, uint32_t wanted, uint32_t items,
                      struct cupel_text *text)
{
    struct cupel__node *v = &r->doc->nodes[node];
    bool string = (CUPEL__BIT(v->type) & CUPEL__M_STRING) != 0;
    const char *hint = cupel__hint(r, node, wanted);
    const struct cupel__expect x = {.types = wanted, .items = items};
    if (hint == NULL && cupel__takes_as_item(r, &x, v->type))
        hint = item_hint(r, node);
    cupel_text_adds(text, cupel__type_name(v));
    if ((r->options->flags & CUPEL_SHOW_VALUES) && v->type > CUPEL__NULL && v->type < CUPEL__ARRAY)
        add_value_text(r, node, text);
    else if (string && hint != NULL)
        cupel_text_adds(text, " \"…\"");
    if (hint != NULL)
        cupel_text_addf(text, " (%s)", hint);
}
