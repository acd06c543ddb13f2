/* report.c: from events to problems that a person can read.
 *
 * The report loop leaves events: an instruction, a value, and which.  Here they become pointers and
 * sentences.  Nothing of the instance's values is repeated; what comes from the schema is quoted. */
#include "formats/formats.h"
#include "scratch.h"
#include "table.h"
#include <string.h>

struct reporter {
    struct cupel_scratch *scratch;
    const struct cupel__code *code;
    struct cupel__doc *doc;
    uint32_t node; /* that is judged */
    const struct cupel__event *event;
    struct cupel_text *text;
    size_t left; /* of limits.error_bytes */
};

/* Pointers into a schema are no longer than the deepest schema; an image from elsewhere may claim so. */
enum { MAX_STEPS = 4096 };

/* -- Where ---------------------------------------------------------------------------------------- */

/* The location of the instruction, UINT32_MAX without one. */
static uint32_t loc_of(const struct cupel__code *code, uint32_t pc)
{
    const struct cupel__image *image = code->image;
    const struct cupel__image_mark *mark = cupel__at(image, image->marks.at);
    uint32_t lo = 0, hi = image->marks.count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (mark[mid].pc == pc)
            return mark[mid].loc;
        if (mark[mid].pc < pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return UINT32_MAX;
}

static struct cupel__str token_of(const struct reporter *r, uint32_t loc)
{
    if (loc == UINT32_MAX)
        return CUPEL__STR("");
    const struct cupel__image_loc *locs = cupel__at(r->code->image, r->code->image->locs.at);
    return (struct cupel__str){cupel__at(r->code->image, locs[loc].at), locs[loc].len};
}

static uint32_t parent_of(const struct reporter *r, uint32_t loc)
{
    const struct cupel__image_loc *locs = cupel__at(r->code->image, r->code->image->locs.at);
    return locs[loc].parent;
}

static void add_token(struct cupel_text *text, struct cupel__str token)
{
    cupel_text_add(text, "/", 1);
    for (size_t i = 0; i < token.n; i++) {
        if (token.p[i] == '~')
            cupel_text_add(text, "~0", 2);
        else if (token.p[i] == '/')
            cupel_text_add(text, "~1", 2);
        else
            cupel_text_add(text, &token.p[i], 1);
    }
}

/* The pointer of a location: its chain of parents, turned round. Parents have smaller numbers, so the
 * chain ends; it is as long as the schema is deep. */
static void add_schema_pointer(const struct reporter *r, uint32_t loc)
{
    uint32_t depth = 0;
    size_t most = r->text->len + r->scratch->options.limits.error_bytes;
    for (uint32_t l = loc; l != UINT32_MAX && parent_of(r, l) != UINT32_MAX && depth < MAX_STEPS;
         l = parent_of(r, l))
        depth++;
    for (uint32_t d = depth; d > 0 && r->text->len < most; d--) {
        uint32_t l = loc;
        for (uint32_t i = 1; i < d; i++)
            l = parent_of(r, l);
        add_token(r->text, token_of(r, l));
    }
}

/* The pointer of a value below the judged one. */
static void add_instance_pointer(const struct reporter *r, uint32_t node)
{
    struct cupel_text *t = r->text;
    size_t start = t->len;
    cupel__doc_pointer(r->doc, r->node, t);
    size_t prefix = t->len - start;
    t->len = start;
    cupel__doc_pointer(r->doc, node, t);
    if (t->failed)
        return;
    memmove(t->bytes + start, t->bytes + start + prefix, t->len - start - prefix);
    t->len -= prefix;
}

/* -- What ----------------------------------------------------------------------------------------- */

static const char *type_name(const struct cupel__node *n)
{
    static const char *const names[CUPEL__CLASSES] = {"null",   "boolean", "number",
                                                      "string", "array",   "object"};
    if (CUPEL__BIT(n->type) & CUPEL__M_INTEGER)
        return "integer";
    return names[cupel__class_of[n->type]];
}

/* A name or string constant of the schema, as JSON, at most 64 bytes of it. */
static void add_quoted(const struct reporter *r, struct cupel__str s)
{
    size_t n = s.n <= 64 ? s.n : 64;
    while (n > 0 && n < s.n && ((unsigned char)s.p[n] & 0xc0) == 0x80)
        n--;
    cupel_text_json(r->text, s.p, n);
    if (n < s.n)
        cupel_text_adds(r->text, "…");
}

static void add_value(const struct reporter *r, uint32_t i)
{
    const struct cupel__image *image = r->code->image;
    const struct cupel__node *n = &r->code->values.nodes[i];
    if (n->type == CUPEL__STRING)
        add_quoted(r, (struct cupel__str){cupel__at(image, n->off), n->len});
    else if (n->type < CUPEL__ARRAY)
        cupel__value_text(image, i, r->text);
    else
        cupel_text_adds(r->text, n->type == CUPEL__ARRAY ? "a certain array" : "a certain object");
}

static void add_values(const struct reporter *r, uint32_t at)
{
    const struct cupel__list *list = cupel__image_list(r->code->image, at);
    uint32_t shown = list->count <= 12 ? list->count : 12;
    cupel_text_adds(r->text, "expected one of ");
    for (uint32_t i = 0; i < shown; i++) {
        cupel_text_adds(r->text, i > 0 ? ", " : "");
        add_value(r, list->item[i]);
    }
    if (shown < list->count)
        cupel_text_addf(r->text, " … and %u more", list->count - shown);
}

static void add_count(const struct reporter *r, const uint32_t *word, const char *one, const char *many)
{
    bool min = word[1] > 0;
    uint32_t n = min ? word[1] : word[2];
    cupel_text_addf(r->text, "expected at %s %u %s", min ? "least" : "most", n, n == 1 ? one : many);
}

static void add_missing(const struct reporter *r, uint32_t table)
{
    const struct cupel__table *t = cupel__at(r->code->image, table);
    char buf[16];
    struct cupel__str name = cupel__entry_name(
        r->code->image, t, &cupel__table_entries(t)[r->event->which], buf);
    cupel_text_adds(r->text, "required property ");
    add_quoted(r, name);
    cupel_text_adds(r->text, " is missing");
}

static void add_bound(const struct reporter *r, const uint32_t *word, const char *inclusive,
                      const char *exclusive)
{
    cupel_text_addf(r->text, "expected %s ", CUPEL__WORD_A(*word) ? exclusive : inclusive);
    add_value(r, word[1]);
}

static void add_matching(const struct reporter *r)
{
    if (r->event->which > 1)
        cupel_text_adds(r->text, "matches more than one of the alternatives");
    else
        cupel_text_adds(r->text, "matches none of the alternatives");
}

static void add_pattern(const struct reporter *r, uint32_t i)
{
    const struct cupel__image *image = r->code->image;
    const struct cupel__image_pattern *p = cupel__at(image, image->patterns.at);
    cupel_text_adds(r->text, "does not match the pattern ");
    add_quoted(r, (struct cupel__str){cupel__at(image, p[i].at), p[i].len});
}

static void add_message(const struct reporter *r, const struct cupel__node *v)
{
    const uint32_t *word = r->code->words + r->event->pc;
    struct cupel_text *t = r->text;
    switch ((enum cupel__op)CUPEL__WORD_OP(*word)) {
    case CUPEL__OP_TYPE:
        cupel_text_adds(t, "expected ");
        cupel__types_text(CUPEL__WORD_B(*word), " or ", t);
        cupel_text_addf(t, ", got %s", type_name(v));
        return;
    case CUPEL__OP_CONST:
        cupel_text_adds(t, "expected ");
        add_value(r, word[1]);
        return;
    case CUPEL__OP_ENUM:
        add_values(r, word[1]);
        return;
    case CUPEL__OP_MIN:
        add_bound(r, word, "at least", "more than");
        return;
    case CUPEL__OP_MAX:
        add_bound(r, word, "at most", "less than");
        return;
    case CUPEL__OP_MULTIPLE:
        cupel_text_adds(t, "expected a multiple of ");
        add_value(r, word[1]);
        return;
    case CUPEL__OP_LENGTH:
        add_count(r, word, "character", "characters");
        return;
    case CUPEL__OP_COUNT:
        if (v->type == CUPEL__ARRAY)
            add_count(r, word, "item", "items");
        else
            add_count(r, word, "property", "properties");
        return;
    case CUPEL__OP_PATTERN:
        add_pattern(r, word[1]);
        return;
    case CUPEL__OP_FORMAT:
        cupel_text_addf(t, "does not conform to the format %s",
                        cupel__format_name((enum cupel__format)CUPEL__WORD_B(*word)));
        return;
    case CUPEL__OP_HOST_FORMAT:
        cupel_text_adds(t, "does not conform to the format ");
        add_quoted(r, cupel__image_format(r->code->image, CUPEL__WORD_B(*word)));
        return;
    case CUPEL__OP_UNIQUE:
        cupel_text_adds(t, "two items are equal");
        return;
    case CUPEL__OP_CONTAINS:
        cupel_text_adds(t, "too few or too many items match");
        return;
    case CUPEL__OP_REQUIRED:
        add_missing(r, word[1]);
        return;
    case CUPEL__OP_DEPENDS:
        add_missing(r, word[2]);
        return;
    case CUPEL__OP_ANY_OF:
    case CUPEL__OP_ONE_OF:
        add_matching(r);
        return;
    case CUPEL__OP_NOT:
        cupel_text_adds(t, "matches what is excluded");
        return;
    case CUPEL__OP_FAIL:
        cupel_text_adds(t, "nothing is allowed here");
        return;
    default:
        cupel_text_adds(t, "does not conform");
        return;
    }
}

/* -- Problems ------------------------------------------------------------------------------------- */

static bool is_number(struct cupel__str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > 0;
}

/* Whether the steps below a keyword are names: properties, patternProperties, dependentSchemas, $defs … */
static bool has_names(struct cupel__str keyword)
{
    return keyword.n > 4 && strchr("pd$", keyword.p[0]) != NULL && keyword.p[keyword.n - 1] == 's';
}

/* The keyword at a location: its last step, or the one before where that is a name or an index in the
 * keyword's value (dependentRequired/name, allOf/0). */
static struct cupel__str keyword_at(const struct reporter *r, uint32_t loc)
{
    uint32_t op = CUPEL__WORD_OP(r->code->words[r->event->pc]);
    if (loc == UINT32_MAX || parent_of(r, loc) == UINT32_MAX)
        return CUPEL__STR("false");
    struct cupel__str step = token_of(r, loc), before = token_of(r, parent_of(r, loc));
    bool inner = op == CUPEL__OP_DEPENDS || is_number(step) ||
                 (op == CUPEL__OP_FAIL && has_names(before));
    return inner ? before : step;
}

/* Ends a string in the text and gives where it began; the text may move until all are there. */
static size_t end_string(struct cupel_text *t, size_t *start)
{
    size_t at = *start;
    cupel_text_add(t, "", 1);
    *start = t->len;
    return at;
}

/* Where the strings of a problem or an annotation begin in the text. */
struct strings {
    size_t keyword, instance, schema, last;
};

/* The first three; the caller adds the last at *ret_start and ends it. */
static struct strings begin_strings(const struct reporter *r, bool note, size_t *ret_start)
{
    struct cupel_text *t = r->text;
    struct strings at;
    size_t start = 0;
    cupel_text_clear(t);
    uint32_t loc = loc_of(r->code, r->event->pc);
    struct cupel__str keyword = note ? token_of(r, loc) : keyword_at(r, loc);
    cupel_text_add(t, keyword.p, keyword.n);
    at.keyword = end_string(t, &start);
    add_instance_pointer(r, r->event->node);
    at.instance = end_string(t, &start);
    add_schema_pointer(r, loc);
    at.schema = end_string(t, &start);
    at.last = *ret_start = start;
    return at;
}

static int report_event(struct reporter *r, cupel_on_problem *on_problem, void *ctx)
{
    struct cupel_text *t = r->text;
    size_t start;
    struct strings at = begin_strings(r, false, &start);
    add_message(r, &r->doc->nodes[r->event->node]);
    end_string(t, &start);
    if (t->failed)
        return CUPEL_E_NO_MEMORY;
    /* The first problem is told whatever its length: INVALID comes with one. */
    if (r->event > r->scratch->vm.events && t->len > r->left)
        return 1;
    r->left -= t->len < r->left ? t->len : r->left;
    struct cupel_problem problem = {
        .keyword = t->bytes + at.keyword,
        .instance = t->bytes + at.instance,
        .schema = t->bytes + at.schema,
        .message = t->bytes + at.last,
        .node = r->event->node,
        .offset = (uint64_t)(cupel__doc_span(r->doc, r->event->node).p - r->doc->base[0]),
    };
    return on_problem(ctx, &problem);
}

static int report_note(struct reporter *r, cupel_on_annotation *on_annotation, void *ctx)
{
    struct cupel_text *t = r->text;
    size_t start;
    struct strings at = begin_strings(r, true, &start);
    cupel__value_text(r->code->image, r->event->which, t);
    end_string(t, &start);
    if (t->failed)
        return CUPEL_E_NO_MEMORY;
    struct cupel_annotation annotation = {
        .keyword = t->bytes + at.keyword,
        .instance = t->bytes + at.instance,
        .schema = t->bytes + at.schema,
        .value = t->bytes + at.last,
        .node = r->event->node,
    };
    return on_annotation(ctx, &annotation);
}

/* Runs the report program, if there is one. */
static __attribute__((noinline)) enum cupel_verdict run_report(const struct cupel_program *program, struct cupel_scratch *s,
                                     struct cupel__doc *doc, uint32_t node, enum cupel__how how,
                                     struct cupel_outcome *ret)
{
    ret->reason = program->report.image == NULL ? CUPEL_E_UNSUPPORTED : CUPEL_E_ARGUMENT;
    ret->steps = 0;
    if (program->report.image == NULL || node >= doc->nnodes)
        return CUPEL_UNDECIDED;
    return cupel__run(s, &program->report, doc, node, how, ret);
}

enum cupel_verdict cupel_annotate(const struct cupel_program *program, struct cupel_scratch *s,
                                  struct cupel_document *given, uint32_t node,
                                  cupel_on_annotation *on_annotation, void *ctx,
                                  struct cupel_outcome *ret)
{
    struct cupel__doc *doc = given != NULL ? &given->doc : &s->document.doc;
    struct cupel_outcome ignored;
    if (ret == NULL)
        ret = &ignored;
    enum cupel_verdict verdict = run_report(program, s, doc, node, CUPEL__RUN_NOTES, ret);
    struct reporter r = {s, &program->report, doc, node, NULL, &s->text, SIZE_MAX};
    for (size_t i = 0; verdict == CUPEL_VALID && i < s->vm.nnotes; i++) {
        r.event = &s->vm.notes[i];
        int stop = report_note(&r, on_annotation, ctx);
        if (stop == CUPEL_E_NO_MEMORY && s->text.failed) {
            ret->reason = CUPEL_E_NO_MEMORY;
            return CUPEL_UNDECIDED;
        }
        if (stop != 0)
            break;
    }
    return verdict;
}

enum cupel_verdict cupel_report(const struct cupel_program *program, struct cupel_scratch *s,
                                struct cupel_document *given, uint32_t node,
                                cupel_on_problem *on_problem, void *ctx,
                                struct cupel_outcome *ret)
{
    struct cupel__doc *doc = given != NULL ? &given->doc : &s->document.doc;
    struct cupel_outcome ignored;
    if (ret == NULL)
        ret = &ignored;
    enum cupel_verdict verdict = run_report(program, s, doc, node, CUPEL__RUN_REPORT, ret);
    struct reporter r = {s,    &program->report, doc, node,
                         NULL, &s->text,         s->options.limits.error_bytes};
    for (uint32_t i = 0; verdict == CUPEL_INVALID && i < s->vm.nevents; i++) {
        r.event = &s->vm.events[i];
        int stop = report_event(&r, on_problem, ctx);
        if (stop == CUPEL_E_NO_MEMORY && s->text.failed) {
            ret->reason = CUPEL_E_NO_MEMORY;
            return CUPEL_UNDECIDED;
        }
        if (stop != 0)
            break;
    }
    return verdict;
}
