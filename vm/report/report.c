/* report.c: the report program run, its records read, and the two simple ways to hear of them.
 *
 * What is told and in which order is selection.c's, what a record says problem.c's, where it is
 * location.c's. */
#include "vm/report/annotations.h"
#include "vm/report/location.h"
#include "vm/report/location_text.h"
#include "vm/report/problem.h"
#include "vm/report/selection.h"
#include <string.h>

/* -- Running --------------------------------------------------------------------------------------
 */

static bool is_bound(enum cupel_status reason)
{
    return reason == CUPEL_E_LIMIT_STEPS || reason == CUPEL_E_LIMIT_MEMORY ||
           reason == CUPEL_E_LIMIT_STACK;
}

/* A report has reached a bound.  What failed for the value itself has failed, whatever else there
 * may be.  If that is nothing yet, the verdict program, which has less to do, may know whether
 * anything has: then one record says so, at no instruction. */
static enum cupel_verdict settle(const struct cupel_program *program, struct cupel_scratch *s,
                                 enum cupel__how how, struct cupel_outcome *ret)
{
    struct cupel_outcome outcome;
    struct cupel__vm *vm = &s->vm;
    if (!is_bound(ret->reason))
        return CUPEL_UNDECIDED;
    if (vm->log->nevents > 0 && cupel__record_cut(vm))
        return CUPEL_INVALID;
    enum cupel_verdict verdict =
        cupel__run(s, &program->verdict, s->doc, s->node, CUPEL__RUN_VERDICT, &outcome);
    ret->steps += outcome.steps;
    if (verdict == CUPEL_VALID)
        return how == CUPEL__RUN_NOTES ? CUPEL_UNDECIDED : verdict;
    if (verdict == CUPEL_UNDECIDED || s->nevents == 0)
        return CUPEL_UNDECIDED;
    vm->log->nevents = vm->log->events_lost = 1;
    vm->log->events[0] = (struct cupel__event){
        .node = s->node, .which = CUPEL__UNREPORTED, .chosen = CUPEL_NO_RECORD};
    return verdict;
}

/* Positions get as much as a run, and what the run has left.  That is enough for those of the first
 * problems: in the order of the document they take no more steps than it has nodes. */
static enum cupel_verdict begin_positions(struct cupel_scratch *s, enum cupel_verdict verdict,
                                          struct cupel_outcome *ret)
{
    const uint64_t budget = cupel__budget_of(s->options.limits, s->doc);
    const uint64_t left = ret->steps < budget ? budget - ret->steps : 0;
    if (verdict == CUPEL_UNDECIDED)
        return verdict;
    enum cupel_status status = cupel__report_budget_begin(s, (int64_t)(left + budget));
    if (status == CUPEL_OK)
        return verdict;
    ret->reason = status;
    return CUPEL_UNDECIDED;
}

static __attribute__((noinline)) enum cupel_verdict
run(const struct cupel_program *program, struct cupel_scratch *s, struct cupel_document *given,
    uint32_t node, enum cupel__how how, struct cupel_outcome *ret)
{
    struct cupel_outcome ignored;
    if (ret == NULL)
        ret = &ignored;
    ret->reason = CUPEL_E_ARGUMENT;
    ret->reserved32 = 0;
    ret->steps = 0;
    memset(ret->reserved, 0, sizeof ret->reserved);
    if (program == NULL || !cupel__scratch_is_free(s))
        return CUPEL_UNDECIDED;
    struct cupel__doc *doc = given != NULL ? &given->doc : &s->document.doc;
    if (given == NULL)
        cupel__scratch_complete(s);
    if (program->report.image == NULL)
        ret->reason = CUPEL_E_UNSUPPORTED;
    s->norder = 0;
    s->log.nevents = 0;
    s->log.nnotes = 0;
    if (program->report.image == NULL || node >= doc->nnodes)
        return CUPEL_UNDECIDED;
    s->code = &program->report;
    s->doc = doc;
    s->node = node;
    enum cupel_verdict verdict = cupel__run(s, s->code, doc, node, how, ret);
    if (how == CUPEL__RUN_TRACE)
        return begin_positions(s, verdict, ret);
    if (verdict == CUPEL_UNDECIDED)
        verdict = settle(program, s, how, ret);
    verdict = begin_positions(s, verdict, ret);
    if (verdict == CUPEL_INVALID) {
        ret->reason = cupel__select_problems(s);
        return ret->reason == CUPEL_OK ? verdict : CUPEL_UNDECIDED;
    }
    s->log.nevents = 0;
    if (verdict == CUPEL_UNDECIDED)
        s->log.nnotes = 0;
    else
        ret->reason = CUPEL_OK; /* also where the verdict program gave it */
    return verdict;
}

bool cupel__report_trace(const struct cupel_program *program, struct cupel_scratch *s,
                         struct cupel_document *doc, uint32_t node, struct cupel_outcome *ret)
{
    enum cupel_verdict verdict = run(program, s, doc, node, CUPEL__RUN_TRACE, ret);
    return verdict != CUPEL_UNDECIDED && s->log.events_lost == 0 && s->log.paths_lost == 0;
}

enum cupel_verdict cupel_report_run(const struct cupel_program *program, struct cupel_scratch *s,
                                    struct cupel_document *doc, uint32_t node, uint32_t flags,
                                    struct cupel_outcome *ret)
{
    enum cupel__how how = flags & CUPEL_REPORT_ANNOTATIONS ? CUPEL__RUN_NOTES
                          : flags & CUPEL_REPORT_PROBLEMS  ? CUPEL__RUN_PROBLEMS
                                                           : CUPEL__RUN_REPORT;
    return run(program, s, doc, node, how, ret);
}

/* -- Records --------------------------------------------------------------------------------------
 */

uint32_t cupel_report_records(const struct cupel_scratch *s)
{
    return s->log.nevents;
}

uint32_t cupel_report_lost(const struct cupel_scratch *s)
{
    return s->log.events_lost;
}

uint32_t cupel_report_problems(const struct cupel_scratch *s)
{
    return s->norder;
}

uint32_t cupel_report_problem(const struct cupel_scratch *s, uint32_t i)
{
    return s->order[i];
}

void cupel_report_record(const struct cupel_scratch *s, uint32_t i, struct cupel_record *ret)
{
    const struct cupel__event *e = &s->log.events[i];
    *ret = (struct cupel_record){
        .code = cupel__problem_code(s->code, s->doc, e),
        .node = e->node,
        .which = e->which,
        .group = e->group != 0 ? e->group - 1 : CUPEL_NO_RECORD,
        .branch = e->branch,
        .choice = (enum cupel_choice)e->choice,
        .chosen = e->chosen,
        .tag = e->tag != 0 ? e->tag : CUPEL_NO_NODE,
        .is_problem = e->reported,
    };
}

void cupel_report_keyword(const struct cupel_scratch *s, uint32_t i, struct cupel_text *text)
{
    struct cupel__str keyword = cupel__loc_keyword(s->code, s->log.events[i].pc);
    cupel_text_add(text, keyword.p, keyword.n);
}

void cupel_report_instance(const struct cupel_scratch *s, uint32_t i, struct cupel_text *text)
{
    cupel__add_instance_location(s, s->log.events[i].node, cupel__location_max_bytes(s), text);
}

void cupel_report_schema(const struct cupel_scratch *s, uint32_t i, struct cupel_text *text)
{
    uint32_t loc = cupel__loc_of(s->code, s->log.events[i].pc);
    cupel__add_schema_location(s, loc, cupel__location_max_bytes(s), text);
}

void cupel_report_absolute(const struct cupel_scratch *s, uint32_t i, const char *base,
                           struct cupel_text *text)
{
    uint32_t loc = cupel__loc_of(s->code, s->log.events[i].pc);
    cupel__add_absolute_location(s, loc, base, cupel__location_max_bytes(s), text);
}

void cupel_report_evaluation(const struct cupel_scratch *s, uint32_t i, struct cupel_text *text)
{
    cupel__add_evaluation_path(s, &s->log.events[i], cupel__location_max_bytes(s), text);
}

void cupel_report_sentence(const struct cupel_scratch *s, uint32_t i, struct cupel_text *text)
{
    cupel__problem_sentence(s->code, s->doc, &s->log.events[i], text);
}

/* -- Telling --------------------------------------------------------------------------------------
 */

/* Of a problem or an annotation besides its positions; of its text. */
enum { STEPS_A_RECORD = 12, BYTES_A_STEP = 4 };

/* Who is told of problems or annotations, and how much may be said. */
struct teller {
    struct cupel_scratch *s;
    cupel_on_problem *on_problem;
    cupel_on_annotation *on_annotation;
    void *ctx;
    size_t left; /* bytes */
    uint32_t told;
};

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

/* Cuts what was added to the text since `start` to so many bytes, and marks it; not within a
 * character. */
static void cut_string(struct cupel_text *t, size_t start, size_t most)
{
    if (t->failed || t->len - start <= most)
        return;
    size_t len = start + most;
    while (len > start && ((unsigned char)t->bytes[len] & 0xc0) == 0x80)
        len--;
    t->len = len;
    cupel_text_adds(t, "…");
}

/* No string takes more than a quarter of what may be said, so that the first problem fits with all
 * of its own. */
static struct strings add_strings(struct cupel_scratch *s, const struct cupel__event *e, bool note)
{
    enum { PART = 4, LEAST_PART = 8 };
    const size_t most = cupel__location_max_bytes(s) / PART - LEAST_PART;
    struct cupel_text *t = &s->text;
    struct strings at;
    size_t start = 0;
    uint32_t loc = cupel__loc_of(s->code, e->pc);
    cupel_text_clear(t);
    struct cupel__str keyword =
        note ? cupel__loc_token(s->code, loc) : cupel__loc_keyword(s->code, e->pc);
    cupel_text_add(t, keyword.p, keyword.n <= most ? keyword.n : most + 1);
    cut_string(t, start, most);
    at.keyword = end_string(t, &start);
    cupel__add_instance_location(s, e->node, most, t);
    at.instance = end_string(t, &start);
    cupel__add_schema_location(s, loc, most, t);
    at.schema = end_string(t, &start);
    if (note) {
        cupel__value_text(s->code->image, e->which, t);
    } else {
        cupel__problem_sentence(s->code, s->doc, e, t);
        cut_string(t, start, most);
    }
    at.last = end_string(t, &start);
    return at;
}

static int tell_problem(struct teller *to, const struct cupel__event *e)
{
    struct cupel_scratch *s = to->s;
    if (to->told > 0 && !cupel__report_charge(s, STEPS_A_RECORD))
        return 1;
    struct strings at = add_strings(s, e, false);
    struct cupel_text *t = &s->text;
    if (t->failed)
        return CUPEL_E_NO_MEMORY;
    /* INVALID comes with a problem: the first has strings that are cut, not left out. */
    if (to->told++ > 0 && t->len > to->left)
        return 1;
    to->left -= t->len < to->left ? t->len : to->left;
    if (to->on_problem == NULL)
        return 0;
    struct cupel_problem problem = {
        .keyword = t->bytes + at.keyword,
        .instance = t->bytes + at.instance,
        .schema = t->bytes + at.schema,
        .message = t->bytes + at.last,
        .node = e->node,
        .offset = cupel__doc_offset(s->doc, e->node),
    };
    cupel__callback_begin(&s->vm);
    int stop = to->on_problem(to->ctx, &problem);
    cupel__callback_end(&s->vm);
    return stop != 0;
}

static int tell_annotation(struct teller *to, const struct cupel__event *e)
{
    struct cupel_scratch *s = to->s;
    struct cupel_text *t = &s->text;
    if (cupel__value_size(s->code->image, e->which) > to->left)
        return CUPEL_E_LIMIT_MEMORY;
    struct strings at = add_strings(s, e, true);
    if (t->failed)
        return CUPEL_E_NO_MEMORY;
    if (t->len > to->left)
        return CUPEL_E_LIMIT_MEMORY;
    if (!cupel__report_charge(s, STEPS_A_RECORD + (int64_t)((t->len - at.last) / BYTES_A_STEP)))
        return CUPEL_E_LIMIT_STEPS;
    to->left -= t->len;
    if (to->on_annotation == NULL)
        return 0;
    struct cupel_annotation annotation = {
        .keyword = t->bytes + at.keyword,
        .instance = t->bytes + at.instance,
        .schema = t->bytes + at.schema,
        .value = t->bytes + at.last,
        .node = e->node,
        .offset = cupel__doc_offset(s->doc, e->node),
    };
    cupel__cursor_line(s->cursor, (size_t)annotation.offset, &annotation.line, &annotation.column);
    cupel__callback_begin(&s->vm);
    int stop = to->on_annotation(to->ctx, &annotation);
    cupel__callback_end(&s->vm);
    return stop != 0;
}

/* Calls one of them for `n` events, the i-th of which is order[i], until it returns 1, which is
 * enough, or a status.  CUPEL_OK, or why some were not told. */
static enum cupel_status tell_all(struct teller *to,
                                  int (*tell)(struct teller *, const struct cupel__event *),
                                  const struct cupel__event *events, const uint32_t *order,
                                  size_t n)
{
    int stop = 0;
    for (size_t i = 0; i < n && stop == 0; i++)
        stop = tell(to, &events[order[i]]);
    return stop < 0 ? (enum cupel_status)stop : CUPEL_OK;
}

/* The steps of positions are the report's. */
static void add_steps(const struct cupel_scratch *s, enum cupel_verdict verdict,
                      struct cupel_outcome *ret)
{
    if (ret != NULL && verdict != CUPEL_UNDECIDED)
        ret->steps += cupel__report_budget_used(s);
}

static enum cupel_verdict unless(enum cupel_status status, enum cupel_verdict verdict,
                                 struct cupel_outcome *ret)
{
    if (status == CUPEL_OK)
        return verdict;
    if (ret != NULL)
        ret->reason = status;
    return CUPEL_UNDECIDED;
}

enum cupel_verdict cupel_annotate(const struct cupel_program *program, struct cupel_scratch *s,
                                  struct cupel_document *doc, uint32_t node,
                                  cupel_on_annotation *on_annotation, void *ctx,
                                  struct cupel_outcome *ret)
{
    if (program == NULL || !cupel__scratch_is_free(s))
        return run(NULL, NULL, NULL, 0, CUPEL__RUN_NOTES, ret);
    enum cupel_verdict verdict = run(program, s, doc, node, CUPEL__RUN_NOTES, ret);
    struct teller to = {.s = s,
                        .on_annotation = on_annotation,
                        .ctx = ctx,
                        .left = s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES]};
    uint32_t n = 0;
    enum cupel_status status = CUPEL_OK;
    if (verdict == CUPEL_VALID)
        status = cupel__annotations_expand(s, &n);
    if (status == CUPEL_OK && n > 0)
        status = cupel__sort_events(s, n);
    if (status == CUPEL_OK)
        status = tell_all(&to, tell_annotation, s->log.events, s->order, n);
    add_steps(s, verdict, ret);
    return unless(status, verdict, ret);
}

enum cupel_verdict cupel_report(const struct cupel_program *program, struct cupel_scratch *s,
                                struct cupel_document *doc, uint32_t node,
                                cupel_on_problem *on_problem, void *ctx, struct cupel_outcome *ret)
{
    if (program == NULL || !cupel__scratch_is_free(s))
        return run(NULL, NULL, NULL, 0, CUPEL__RUN_PROBLEMS, ret);
    enum cupel_verdict verdict = run(program, s, doc, node, CUPEL__RUN_PROBLEMS, ret);
    struct teller to = {.s = s,
                        .on_problem = on_problem,
                        .ctx = ctx,
                        .left = s->options.limits[CUPEL_LIMIT_ERROR_BYTES]};
    uint32_t most = s->options.limits[CUPEL_LIMIT_ERRORS] > 0
                        ? (uint32_t)s->options.limits[CUPEL_LIMIT_ERRORS]
                        : 1;
    size_t n = verdict == CUPEL_INVALID ? s->norder : 0;
    enum cupel_status status =
        tell_all(&to, tell_problem, s->log.events, s->order, n < most ? n : most);
    add_steps(s, verdict, ret);
    return unless(status, verdict, ret);
}
