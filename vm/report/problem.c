/* problem.c: from an event to the code, the parts and the sentence of its problem (problem.h).
 *
 * opcodes.def names the problem of each instruction, or the function below that chooses between
 * two.
 * `{expected}` in a sentence stands for an operand of the instruction, by the kind of the operand.
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
    return is_code(code) ? problems[code].meaning : "?";
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

/* A failure, and the problems that opcodes.def has for its instruction. */
struct failure {
    const struct cupel_scratch *scratch;
    const struct cupel__code *code;
    const struct cupel__event *event;
    const uint32_t *word;
    const struct cupel__node *value;
    enum cupel_problem_code first, second;
};

typedef enum cupel_problem_code choose(const struct failure *);

static enum cupel_problem_code always(const struct failure *f)
{
    return f->first;
}

/* The second with operand a: an exclusive bound. */
static enum cupel_problem_code by_flag(const struct failure *f)
{
    return CUPEL__WORD_A(*f->word) ? f->second : f->first;
}

/* The second if there is no lower bound, c: each keyword has an instruction of its own. */
static enum cupel_problem_code by_bound(const struct failure *f)
{
    return f->word[1] > 0 ? f->first : f->second;
}

/* The first if fewer items passed than the lower bound, d. */
static enum cupel_problem_code by_count(const struct failure *f)
{
    return f->event->which < f->word[2] ? f->first : f->second;
}

/* The first if no branch passed, the second if several did. */
static enum cupel_problem_code by_passed(const struct failure *f)
{
    return f->event->which == 0 ? f->first : f->second;
}

/* An enum of one value is a CONST. */
static enum cupel_problem_code by_keyword(const struct failure *f)
{
    return keyword_is(f->code, f->event->pc, "enum") ? f->second : f->first;
}

static enum cupel_problem_code by_type(const struct failure *f)
{
    const bool least = f->word[1] > 0;
    if (f->value->type == CUPEL__ARRAY)
        return least ? CUPEL_P_MIN_ITEMS : CUPEL_P_MAX_ITEMS;
    return least ? CUPEL_P_MIN_PROPERTIES : CUPEL_P_MAX_PROPERTIES;
}

/* The node before a member's value is its key.  The flag tells it from the last string of an array
 * before it. */
uint32_t cupel__member_key(const struct cupel_scratch *s, uint32_t node)
{
    if (node == s->node)
        return 0;
    const struct cupel__node *key = &s->doc->nodes[node - 1];
    bool string = (CUPEL__BIT(key->type) & CUPEL__M_STRING) != 0;
    return string && (key->flags & CUPEL__KEY) ? node - 1 : 0;
}

/* A false schema fails everything; the keyword whose value it is tells what it forbids, unless a
 * `$ref` brought the schema to a value that is no member, or no item. */
static enum cupel_problem_code by_location(const struct failure *f)
{
    const uint32_t node = f->event->node;
    const bool member = cupel__member_key(f->scratch, node) != 0,
               item = !member && node != f->scratch->node;
    static const struct {
        const char *keyword;
        enum cupel_problem_code problem;
    } forbids[] = {
        {"additionalProperties", CUPEL_P_UNKNOWN_PROPERTY},
        {"unevaluatedProperties", CUPEL_P_UNKNOWN_PROPERTY},
        {"items", CUPEL_P_UNKNOWN_ITEM},
        {"additionalItems", CUPEL_P_UNKNOWN_ITEM},
        {"unevaluatedItems", CUPEL_P_UNKNOWN_ITEM},
    };
    for (size_t i = 0; i < sizeof forbids / sizeof *forbids; i++)
        if (keyword_is(f->code, f->event->pc, forbids[i].keyword) &&
            (forbids[i].problem == CUPEL_P_UNKNOWN_PROPERTY ? member : item))
            return forbids[i].problem;
    return CUPEL_P_NOTHING_ALLOWED;
}

/* The column `problem` of opcodes.def. */
static const struct {
    choose *choose;
    enum cupel_problem_code first, second;
} problem_of[CUPEL__OPS] = {
#define PROBLEM_always(p)                \
    {                                    \
        always, CUPEL_P_##p, CUPEL_P_##p \
    }
#define PROBLEM_by_flag(p, q)             \
    {                                     \
        by_flag, CUPEL_P_##p, CUPEL_P_##q \
    }
#define PROBLEM_by_bound(p, q)             \
    {                                      \
        by_bound, CUPEL_P_##p, CUPEL_P_##q \
    }
#define PROBLEM_by_count(p, q)             \
    {                                      \
        by_count, CUPEL_P_##p, CUPEL_P_##q \
    }
#define PROBLEM_by_passed(p, q)             \
    {                                       \
        by_passed, CUPEL_P_##p, CUPEL_P_##q \
    }
#define PROBLEM_by_keyword(p, q)             \
    {                                        \
        by_keyword, CUPEL_P_##p, CUPEL_P_##q \
    }
#define PROBLEM_by_type                     \
    {                                       \
        by_type, CUPEL_P_NONE, CUPEL_P_NONE \
    }
#define PROBLEM_by_location                     \
    {                                           \
        by_location, CUPEL_P_NONE, CUPEL_P_NONE \
    }
#define PROBLEM_unnamed                                          \
    {                                                            \
        always, CUPEL_P_NOTHING_ALLOWED, CUPEL_P_NOTHING_ALLOWED \
    }
#define OP(name, on, a, b, c, d, e, flow, problem, summary) [CUPEL__OP_##name] = PROBLEM_##problem,
#include "vm/program/opcodes.def"
};

enum cupel_problem_code cupel__problem_code(const struct cupel_scratch *s,
                                            const struct cupel__event *e)
{
    const struct cupel__code *code = s->code;
    const uint32_t *word = code->words + e->pc, op = CUPEL__WORD_OP(*word);
    if (e->pc == 0 && e->which == CUPEL__UNREPORTED)
        return CUPEL_P_UNREPORTED;
    const struct failure f = {.scratch = s,
                              .code = code,
                              .event = e,
                              .word = word,
                              .value = &s->doc->nodes[e->node],
                              .first = problem_of[op].first,
                              .second = problem_of[op].second};
    return problem_of[op].choose(&f);
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

struct cupel__str cupel__problem_name(const struct cupel_scratch *s, const struct cupel__event *e,
                                      char buf[16])
{
    uint32_t op = CUPEL__WORD_OP(s->code->words[e->pc]), key = cupel__member_key(s, e->node);
    if (op == CUPEL__OP_REQUIRED || op == CUPEL__OP_DEPENDS)
        return missing_name(s->code, e, buf);
    return key != 0 ? cupel__doc_str(s->doc, &s->doc->nodes[key]) : CUPEL__STR("");
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

/* Appends an array or an object as JSON, cut like strings. */
static void add_container(const struct cupel__image *image, uint32_t i, struct cupel_text *text)
{
    struct cupel_text value;
    cupel_text_init(&value, &text->alloc);
    cupel__value_text(image, i, &value);
    cupel__escape_untrusted(text, (struct cupel__str){value.bytes, value.len}, CUPEL__NAME_BYTES,
                            0);
    text->failed |= value.failed;
    cupel_text_free(&value);
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
        add_container(code->image, i, text);
}

/* Appends the first MAX_SHOWN constants of a list. */
static void add_values(const struct cupel__code *code, uint32_t list, struct cupel_text *text)
{
    const struct cupel__list *values = cupel__image_list(code->image, list);
    for (uint32_t i = 0; i < values->count && i < MAX_SHOWN; i++) {
        cupel_text_adds(text, i > 0 ? ", " : "");
        cupel__problem_value(code, values->item[i], text);
    }
    if (values->count > MAX_SHOWN)
        cupel_text_addf(text, " … and %u more", (unsigned)(values->count - MAX_SHOWN));
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

/* Appends an operand as a requirement, if its kind is one.  False: it is none. */
static bool add_requirement(const struct cupel__code *code, enum cupel__operand kind, uint32_t x,
                            struct cupel_text *text)
{
    switch (kind) {
    case CUPEL__OPERAND_mask:
        cupel__types_text(cupel__named_types(x), " or ", text);
        return true;
    case CUPEL__OPERAND_value:
    case CUPEL__OPERAND_divisor:
        cupel__problem_value(code, x, text);
        return true;
    case CUPEL__OPERAND_values:
        add_values(code, x, text);
        return true;
    case CUPEL__OPERAND_pattern:
        add_pattern(code, x, text);
        return true;
    case CUPEL__OPERAND_format:
        cupel_text_adds(text, cupel__format_name((enum cupel__format)x));
        return true;
    case CUPEL__OPERAND_host_format:
        cupel__text_quoted(text, cupel__image_format(code->image, x), CUPEL__NAME_BYTES);
        return true;
    default:
        return false;
    }
}

/* The first operand of a kind that is a requirement is the one.  Appends nothing for instructions
 * whose sentences have no {expected}. */
void cupel__problem_expected(const struct cupel__code *code, const struct cupel__event *e,
                             enum cupel_problem_code problem, struct cupel_text *text)
{
    const uint32_t *word = code->words + e->pc;
    const struct cupel__op_info *info = &cupel__op_info[CUPEL__WORD_OP(*word)];
    for (int i = 0; i < CUPEL__OPERANDS; i++) {
        const enum cupel__operand kind = (enum cupel__operand)info->operand[i];
        if (kind == CUPEL__OPERAND_count) {
            cupel_text_addf(text, "%u", (unsigned)bound_of(word, problem));
            return;
        }
        if (add_requirement(code, kind, cupel__operand_of(word, info, i), text))
            return;
    }
}

/* -- Sentences ------------------------------------------------------------------------------------
 */

/* Appends what replaces the placeholder at `part`; returns its closing brace.  The first letter
 * tells the placeholders apart. */
static const char *add_part(const struct cupel_scratch *s, const struct cupel__event *e,
                            const char *part, bool show_value, struct cupel_text *text)
{
    const enum cupel_problem_code problem = cupel__problem_code(s, e);
    struct cupel__node *v = &s->doc->nodes[e->node];
    char buf[16];
    if (part[1] == 'e') {
        cupel__problem_expected(s->code, e, problem, text);
    } else if (part[1] == 'f') {
        cupel_text_adds(text, v->type == CUPEL__INTREAL ? "number" : cupel__type_name(v));
    } else if (part[1] == 'c') {
        cupel_text_addf(text, "%zu", cupel__problem_count(s->code, s->doc, e));
    } else if (part[1] == 's') {
        cupel_text_adds(text, bound_of(s->code->words + e->pc, problem) == 1 ? "" : "s");
    } else if (part[1] == 'n') {
        cupel__text_quoted(text, cupel__problem_name(s, e, buf), CUPEL__NAME_BYTES);
    } else if (show_value) {
        cupel_text_adds(text, ": ");
        cupel__text_quoted(text, cupel__doc_str(s->doc, v), CUPEL__NAME_BYTES);
    }
    return strchr(part, '}');
}

static void add_sentence(const struct cupel_scratch *s, const struct cupel__event *e,
                         const char *sentence, bool show_value, struct cupel_text *text)
{
    for (const char *p = sentence; *p != '\0'; p++) {
        if (*p == '{')
            p = add_part(s, e, p, show_value, text);
        else
            cupel_text_add(text, p, 1);
    }
}

void cupel__problem_sentence(const struct cupel_scratch *s, const struct cupel__event *e,
                             struct cupel_text *text)
{
    const char *sentence = problems[cupel__problem_code(s, e)].sentence;
    add_sentence(s, e, sentence, false, text);
}

bool cupel__problem_for_models(const struct cupel_scratch *s, const struct cupel__event *e,
                               bool show_value, struct cupel_text *text)
{
    const char *sentence = problems[cupel__problem_code(s, e)].for_models;
    add_sentence(s, e, sentence, show_value, text);
    return *sentence != '\0';
}
