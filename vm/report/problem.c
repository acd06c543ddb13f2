/* problem.c: from an event to the code, the parts and the sentence of its problem (problem.h).
 *
 * A new kind of problem is a line of include/cupel/problems.def and a case of cupel__problem_code()
 * below; what `{expected}` stands for is decided by the instruction, in cupel__problem_expected().
 */
#include "vm/report/problem.h"
#include "base/always.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "vm/formats/formats.h"
#include "vm/report/location.h"
#include <string.h>

/* An enumeration is listed up to so many values; the rest is counted. */
enum { MAX_SHOWN = 12 };

/* -- The list of problems ------------------------------------------------------------------------
 */

/* problems.def by number. */
static const struct {
    const char *id, *meaning, *sentence, *for_models;
} problems[] = {
    [CUPEL_P_NONE] = {.id = "none",
                      .meaning = "",
                      .sentence = "does not conform",
                      .for_models = ""},
#define P(name, number, i, text, model, paragraph) \
    [number] = {.id = (i), .meaning = (paragraph), .sentence = (text), .for_models = (model)},
#include <cupel/problems.def>
};

static bool is_code(enum cupel_problem_code code)
{
    return (size_t)code < sizeof problems / sizeof *problems && problems[code].id != NULL;
}

const char *cupel_problem_id(enum cupel_problem_code code)
{
    return is_code(code) ? problems[code].id : "?";
}

const char *cupel_problem_meaning(enum cupel_problem_code code)
{
    return is_code(code) ? problems[code].meaning : "";
}

const char *cupel__type_name(const struct cupel__node *n)
{
    static const char *const names[CUPEL__CLASSES] = {"null",   "boolean", "number",
                                                      "string", "array",   "object"};
    if (CUPEL__BIT(n->type) & CUPEL__M_INTEGER)
        return "integer";
    return names[cupel__class_of[n->type]];
}

/* -- Codes ----------------------------------------------------------------------------------------
 */

/* Whether the instruction at `pc` comes from the keyword `name`. */
static bool keyword_is(const struct cupel__code *code, uint32_t pc, const char *name)
{
    struct cupel__str s = cupel__loc_token(code, cupel__loc_of(code, pc));
    return s.n == strlen(name) && memcmp(s.p, name, s.n) == 0;
}

/* A false schema fails everything; the keyword whose value it is tells what it forbids. */
static enum cupel_problem_code code_of_fail(const struct cupel__code *code, uint32_t pc)
{
    if (keyword_is(code, pc, "additionalProperties") ||
        keyword_is(code, pc, "unevaluatedProperties"))
        return CUPEL_P_UNKNOWN_PROPERTY;
    if (keyword_is(code, pc, "items") || keyword_is(code, pc, "additionalItems") ||
        keyword_is(code, pc, "unevaluatedItems"))
        return CUPEL_P_UNKNOWN_ITEM;
    return CUPEL_P_NOTHING_ALLOWED;
}

/* Returns the code of an event.  Some instructions serve two keywords; then an operand (a strict
 * bound, a lower bound), the type of the value or the keyword in the location decides. */
enum cupel_problem_code cupel__problem_code(const struct cupel__code *code,
                                            const struct cupel__doc *doc,
                                            const struct cupel__event *e)
{
    const uint32_t *word = code->words + e->pc;
    if (e->pc == 0 && e->which == CUPEL__UNREPORTED)
        return CUPEL_P_UNREPORTED;
    bool strict = CUPEL__WORD_A(*word), least = word[1] > 0;
    switch ((enum cupel__op)CUPEL__WORD_OP(*word)) {
    case CUPEL__OP_TYPE:
        return CUPEL_P_TYPE; /* also for a `contains` that no array passes: it became a type */
    case CUPEL__OP_CONST:
        return keyword_is(code, e->pc, "enum") ? CUPEL_P_ENUM : CUPEL_P_CONST;
    case CUPEL__OP_ENUM:
    case CUPEL__OP_LOOKUP:
        return CUPEL_P_ENUM;
    case CUPEL__OP_MIN:
        return strict ? CUPEL_P_EXCLUSIVE_MINIMUM : CUPEL_P_MINIMUM;
    case CUPEL__OP_MAX:
        return strict ? CUPEL_P_EXCLUSIVE_MAXIMUM : CUPEL_P_MAXIMUM;
    case CUPEL__OP_MULTIPLE:
        return CUPEL_P_MULTIPLE_OF;
    case CUPEL__OP_LENGTH:
        return least ? CUPEL_P_MIN_LENGTH : CUPEL_P_MAX_LENGTH;
    case CUPEL__OP_COUNT:
        if (doc->nodes[e->node].type == CUPEL__ARRAY)
            return least ? CUPEL_P_MIN_ITEMS : CUPEL_P_MAX_ITEMS;
        return least ? CUPEL_P_MIN_PROPERTIES : CUPEL_P_MAX_PROPERTIES;
    case CUPEL__OP_PATTERN:
        return CUPEL_P_PATTERN;
    case CUPEL__OP_FORMAT:
    case CUPEL__OP_HOST_FORMAT:
        return CUPEL_P_FORMAT;
    case CUPEL__OP_UNIQUE:
        return CUPEL_P_UNIQUE_ITEMS;
    case CUPEL__OP_CONTAINS:
        return e->which < word[2] ? CUPEL_P_CONTAINS_FEW : CUPEL_P_CONTAINS_MANY;
    case CUPEL__OP_REQUIRED:
        return CUPEL_P_REQUIRED;
    case CUPEL__OP_DEPENDS:
        return CUPEL_P_DEPENDENT;
    case CUPEL__OP_ANY_OF:
    case CUPEL__OP_ONE_OF:
    case CUPEL__OP_CHOOSE:
        return e->which == 0 ? CUPEL_P_NO_ALTERNATIVE : CUPEL_P_MANY_ALTERNATIVES;
    case CUPEL__OP_NOT:
        return CUPEL_P_EXCLUDED;
    case CUPEL__OP_FAIL:
        return code_of_fail(code, e->pc);
    default:
        return CUPEL_P_NOTHING_ALLOWED;
    }
}

/* -- Parts ----------------------------------------------------------------------------------------
 */

/* REQUIRED and DEPENDS report the index of the missing name in their table. */
static struct cupel__str missing_name(const struct cupel__code *code, const struct cupel__event *e,
                                      char buf[16])
{
    const uint32_t *word = code->words + e->pc;
    uint32_t at = CUPEL__WORD_OP(*word) == CUPEL__OP_DEPENDS ? word[2] : word[1];
    const struct cupel__table *t = cupel__at(code->image, at);
    return cupel__entry_name(code->image, t, &cupel__table_entries(t)[e->which], buf);
}

/* The node before a member's value is its key.  The flag tells it from the last string of an array
 * before it. */
uint32_t cupel__member_key(const struct cupel__doc *doc, uint32_t node)
{
    const struct cupel__node *key = &doc->nodes[node > 0 ? node - 1 : 0];
    bool string = (CUPEL__BIT(key->type) & CUPEL__M_STRING) != 0;
    return node > 0 && string && (key->flags & CUPEL__KEY) ? node - 1 : 0;
}

struct cupel__str cupel__problem_name(const struct cupel__code *code, struct cupel__doc *doc,
                                      const struct cupel__event *e, char buf[16])
{
    uint32_t op = CUPEL__WORD_OP(code->words[e->pc]), key = cupel__member_key(doc, e->node);
    if (op == CUPEL__OP_REQUIRED || op == CUPEL__OP_DEPENDS)
        return missing_name(code, e, buf);
    return key != 0 ? cupel__doc_str(doc, &doc->nodes[key]) : CUPEL__STR("");
}

size_t cupel__problem_count(const struct cupel__code *code, struct cupel__doc *doc,
                            const struct cupel__event *e)
{
    struct cupel__node *n = &doc->nodes[e->node];
    if (CUPEL__WORD_OP(code->words[e->pc]) == CUPEL__OP_CONTAINS)
        return e->which;
    if (n->type >= CUPEL__ARRAY)
        return n->count;
    if (NEVER((CUPEL__BIT(n->type) & CUPEL__M_STRING) == 0))
        return 0;
    struct cupel__str s = cupel__doc_str(doc, n);
    return cupel__utf8_count(s.p, s.n);
}

/* Appends true, false, null or a number; long numbers are cut like strings. */
static void add_scalar(const struct cupel__image *image, uint32_t i, struct cupel_text *text)
{
    const size_t start = text->len;
    cupel__value_text(image, i, text);
    if (text->failed || text->len - start <= CUPEL__NAME_BYTES)
        return;
    text->len = start + CUPEL__NAME_BYTES;
    cupel_text_adds(text, "…");
}

void cupel__problem_value(const struct cupel__code *code, uint32_t i, struct cupel_text *text)
{
    const struct cupel__node *n = &code->values.nodes[i];
    if (n->type == CUPEL__STRING)
        cupel__text_quoted(text, (struct cupel__str){cupel__at(code->image, n->off), n->len},
                           CUPEL__NAME_BYTES);
    else if (n->type < CUPEL__ARRAY)
        add_scalar(code->image, i, text);
    else if (n->count == 0)
        cupel_text_adds(text, n->type == CUPEL__ARRAY ? "[]" : "{}");
    else
        cupel_text_adds(text, n->type == CUPEL__ARRAY ? "a certain array" : "a certain object");
}

/* Appends the allowed values of a CONST, ENUM or LOOKUP, the first MAX_SHOWN of them. */
static void add_values(const struct cupel__code *code, const uint32_t *word,
                       struct cupel_text *text)
{
    uint32_t n;
    const uint32_t *values = cupel__values_of(code, word, &n);
    for (uint32_t i = 0; i < n && i < MAX_SHOWN; i++) {
        cupel_text_adds(text, i > 0 ? ", " : "");
        cupel__problem_value(code, values[i], text);
    }
    if (n > MAX_SHOWN)
        cupel_text_addf(text, " … and %u more", (unsigned)(n - MAX_SHOWN));
}

static void add_pattern(const struct cupel__code *code, uint32_t i, struct cupel_text *text)
{
    const struct cupel__image_pattern *p = cupel__at(code->image, code->image->patterns.at);
    cupel__text_quoted(text, (struct cupel__str){cupel__at(code->image, p[i].at), p[i].len},
                       CUPEL__NAME_BYTES);
}

/* The number that a bound on characters, items or members has. */
static uint32_t bound_of(const uint32_t *word, enum cupel_problem_code problem)
{
    if (CUPEL__WORD_OP(*word) == CUPEL__OP_CONTAINS)
        return problem == CUPEL_P_CONTAINS_FEW ? word[2] : word[3];
    return word[1] > 0 ? word[1] : word[2];
}

/* Each instruction keeps its requirement in its own operands.  Appends nothing for instructions
 * whose sentences have no {expected}. */
void cupel__problem_expected(const struct cupel__code *code, const struct cupel__event *e,
                             enum cupel_problem_code problem, struct cupel_text *text)
{
    const uint32_t *word = code->words + e->pc;
    uint32_t op = CUPEL__WORD_OP(*word);
    if (op == CUPEL__OP_TYPE && problem == CUPEL_P_TYPE)
        cupel__types_text(cupel__named_types(CUPEL__WORD_B(*word)), " or ", text);
    else if (op == CUPEL__OP_CONST || op == CUPEL__OP_ENUM || op == CUPEL__OP_LOOKUP)
        add_values(code, word, text);
    else if (op == CUPEL__OP_MIN || op == CUPEL__OP_MAX || op == CUPEL__OP_MULTIPLE)
        cupel__problem_value(code, word[1], text);
    else if (op == CUPEL__OP_LENGTH || op == CUPEL__OP_COUNT || op == CUPEL__OP_CONTAINS)
        cupel_text_addf(text, "%u", (unsigned)bound_of(word, problem));
    else if (op == CUPEL__OP_PATTERN)
        add_pattern(code, word[1], text);
    else if (op == CUPEL__OP_FORMAT)
        cupel_text_adds(text, cupel__format_name((enum cupel__format)CUPEL__WORD_B(*word)));
    else if (op == CUPEL__OP_HOST_FORMAT)
        cupel__text_quoted(text, cupel__image_format(code->image, CUPEL__WORD_B(*word)),
                           CUPEL__NAME_BYTES);
}

/* -- Sentences ------------------------------------------------------------------------------------
 */

/* Appends what replaces the placeholder at `part`; returns its closing brace.  The first letter
 * tells the placeholders apart. */
static const char *add_part(const struct cupel__code *code, struct cupel__doc *doc,
                            const struct cupel__event *e, const char *part, bool show_value,
                            struct cupel_text *text)
{
    const enum cupel_problem_code problem = cupel__problem_code(code, doc, e);
    struct cupel__node *v = &doc->nodes[e->node];
    char buf[16];
    if (part[1] == 'e') {
        cupel__problem_expected(code, e, problem, text);
    } else if (part[1] == 'f') {
        cupel_text_adds(text, v->type == CUPEL__INTREAL ? "number" : cupel__type_name(v));
    } else if (part[1] == 'c') {
        cupel_text_addf(text, "%zu", cupel__problem_count(code, doc, e));
    } else if (part[1] == 's') {
        cupel_text_adds(text, bound_of(code->words + e->pc, problem) == 1 ? "" : "s");
    } else if (part[1] == 'n') {
        cupel__text_quoted(text, cupel__problem_name(code, doc, e, buf), CUPEL__NAME_BYTES);
    } else if (show_value) {
        cupel_text_adds(text, ": ");
        cupel__text_quoted(text, cupel__doc_str(doc, v), CUPEL__NAME_BYTES);
    }
    return strchr(part, '}');
}

static void add_sentence(const struct cupel__code *code, struct cupel__doc *doc,
                         const struct cupel__event *e, const char *sentence, bool show_value,
                         struct cupel_text *text)
{
    for (const char *p = sentence; *p != '\0'; p++) {
        if (*p == '{')
            p = add_part(code, doc, e, p, show_value, text);
        else
            cupel_text_add(text, p, 1);
    }
}

void cupel__problem_sentence(const struct cupel__code *code, struct cupel__doc *doc,
                             const struct cupel__event *e, struct cupel_text *text)
{
    const char *sentence = problems[cupel__problem_code(code, doc, e)].sentence;
    add_sentence(code, doc, e, sentence, false, text);
}

bool cupel__problem_for_models(const struct cupel__code *code, struct cupel__doc *doc,
                               const struct cupel__event *e, bool show_value,
                               struct cupel_text *text)
{
    const char *sentence = problems[cupel__problem_code(code, doc, e)].for_models;
    add_sentence(code, doc, e, sentence, show_value, text);
    return *sentence != '\0';
}
