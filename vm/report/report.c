/* report.c: the entry points of reports: a run, its records, and callbacks for problems and
 * annotations.
 *
 * selection.c decides which events are problems and their order, problem.c what a record says,
 * location.c and location_text.c where it is. */
#include "vm/report/annotations.h"
#include "vm/report/evaluate.h"
#include "vm/report/location.h"
#include "vm/report/location_text.h"
#include "vm/report/log.h"
#include "vm/report/problem.h"
#include "vm/report/selection.h"
#include "vm/report/verbose.h"
#include <string.h>

/* -- Running --------------------------------------------------------------------------------------
 */

/* Events are kept beyond CUPEL_LIMIT_ERRORS, because most of those in the branches of a choice are
 * no problems. */
enum { MAX_EVENTS = 4096, MAX_VERBOSE_EVENTS = 1 << 16 };

static enum cupel_verdict evaluate(struct cupel_scratch *s, uint32_t node, enum cupel__mode mode)
{
    struct cupel__log *log = &s->log;
    const size_t events = log->event_capacity, most = cupel__report_runs[mode].max_events;
    log->max_events = (uint32_t)(events < most ? events : most);
    log->max_paths = (uint32_t)log->path_capacity;
    return cupel__evaluate(&s->vm, log, mode, node);
}

static enum cupel_verdict find_problems(struct cupel_scratch *s, uint32_t node)
{
    return evaluate(s, node, CUPEL__MODE_PROBLEMS);
}

static enum cupel_verdict find_failures(struct cupel_scratch *s, uint32_t node)
{
    return evaluate(s, node, CUPEL__MODE_FAILURES);
}

static enum cupel_verdict collect_annotations(struct cupel_scratch *s, uint32_t node)
{
    return evaluate(s, node, CUPEL__MODE_ANNOTATIONS);
}

static enum cupel_verdict record_everything(struct cupel_scratch *s, uint32_t node)
{
    return evaluate(s, node, CUPEL__MODE_VERBOSE);
}

const struct cupel__run_kind cupel__report_runs[] = {
    [CUPEL__MODE_PROBLEMS] = {find_problems, MAX_EVENTS, false},
    [CUPEL__MODE_FAILURES] = {find_failures, MAX_EVENTS, false},
    [CUPEL__MODE_ANNOTATIONS] = {collect_annotations, MAX_EVENTS, true},
    [CUPEL__MODE_VERBOSE] = {record_everything, MAX_VERBOSE_EVENTS, true},
};

static bool is_bound(enum cupel_status reason)
{
    return reason == CUPEL_E_LIMIT_STEPS || reason == CUPEL_E_LIMIT_MEMORY ||
           reason == CUPEL_E_LIMIT_STACK;
}

/* A report has reached a bound.  What failed for the value itself has failed, whatever else there
 * may be.  If that is nothing yet, the verdict program, which has less to do, may know whether
 * anything has: then one record says so, at no instruction. */
static enum cupel_verdict settle(const struct cupel_program *program, struct cupel_scratch *s,
                                 enum cupel__mode mode, struct cupel_outcome *ret)
{
    struct cupel_outcome outcome;
    if (!is_bound(ret->reason))
        return CUPEL_UNDECIDED;
    if (s->log.nevents > 0 && cupel__log_cut(&s->log, s->vm.stack.frames))
        return CUPEL_INVALID;
    enum cupel_verdict verdict =
        cupel__run(s, &program->verdict, s->doc, s->node, &cupel__verdict_run, &outcome);
    ret->steps += outcome.steps;
    if (verdict == CUPEL_VALID)
        return mode == CUPEL__MODE_ANNOTATIONS ? CUPEL_UNDECIDED : verdict;
    if (verdict == CUPEL_UNDECIDED || s->log.event_capacity == 0)
        return CUPEL_UNDECIDED;
    s->log.nevents = s->log.events_lost = 1;
    s->log.events[0] = (struct cupel__event){
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
    uint32_t node, enum cupel__mode mode, struct cupel_outcome *ret)
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
    enum cupel_verdict verdict = cupel__run(s, s->code, doc, node, &cupel__report_runs[mode], ret);
    if (mode == CUPEL__MODE_VERBOSE)
        return begin_positions(s, verdict, ret);
    if (verdict == CUPEL_UNDECIDED)
        verdict = settle(program, s, mode, ret);
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
    enum cupel_verdict verdict = run(program, s, doc, node, CUPEL__MODE_VERBOSE, ret);
    return verdict != CUPEL_UNDECIDED && s->log.events_lost == 0 && s->log.paths_lost == 0;
}

enum cupel_verdict cupel_report_run(const struct cupel_program *program, struct cupel_scratch *s,
                                    struct cupel_document *doc, uint32_t node, uint32_t flags,
                                    struct cupel_outcome *ret)
{
    enum cupel__mode mode = flags & CUPEL_REPORT_ANNOTATIONS ? CUPEL__MODE_ANNOTATIONS
                            : flags & CUPEL_REPORT_PROBLEMS  ? CUPEL__MODE_PROBLEMS
                                                             : CUPEL__MODE_FAILURES;
    return run(program, s, doc, node, mode, ret);
}

/* -- Records --------------------------------------------------------------------------------------
 */

void cupel_report_count(const struct cupel_scratch *s, struct cupel_report_counts *ret)
{
    if (s == NULL || ret == NULL)
        return;
    *ret = (struct cupel_report_counts){
        .records = s->log.nevents, .problems = s->norder, .lost = s->log.events_lost};
}

uint32_t cupel_report_problem(const struct cupel_scratch *s, uint32_t i)
{
    return s != NULL && i < s->norder ? s->order[i] : CUPEL_NO_RECORD;
}

enum cupel_status cupel_report_record(const struct cupel_scratch *s, uint32_t i,
                                      struct cupel_record *ret)
{
    if (s == NULL || ret == NULL || i >= s->log.nevents)
        return CUPEL_E_ARGUMENT;
    const struct cupel__event *e = &s->log.events[i];
    *ret = (struct cupel_record){
        .code = cupel__problem_code(s, e),
        .node = e->node,
        .which = e->which,
        .group = e->group != 0 ? e->group - 1 : CUPEL_NO_RECORD,
        .branch = e->branch,
        .choice = (enum cupel_choice)e->choice,
        .chosen = e->chosen,
        .tag = e->tag != 0 ? e->tag : CUPEL_NO_NODE,
        .is_problem = e->reported,
    };
    return CUPEL_OK;
}

enum cupel_status cupel_report_write(const struct cupel_scratch *s, uint32_t i,
                                     enum cupel_record_text what, const char *base,
                                     struct cupel_text *text)
{
    if (s == NULL || text == NULL || i >= s->log.nevents)
        return CUPEL_E_ARGUMENT;
    const struct cupel__event *e = &s->log.events[i];
    const size_t most = cupel__location_max_bytes(s);
    struct cupel__str keyword;
    switch (what) {
    case CUPEL_RECORD_KEYWORD:
        keyword = cupel__loc_keyword(s->code, e->pc);
        cupel_text_add(text, keyword.p, keyword.n);
        return CUPEL_OK;
    case CUPEL_RECORD_INSTANCE:
        cupel__add_instance_location(s, e->node, most, text);
        return CUPEL_OK;
    case CUPEL_RECORD_SCHEMA:
        cupel__add_schema_location(s, cupel__loc_of(s->code, e->pc), most, text);
        return CUPEL_OK;
    case CUPEL_RECORD_ABSOLUTE:
        cupel__add_absolute_location(s, cupel__loc_of(s->code, e->pc), base != NULL ? base : "",
                                     most, text);
        return CUPEL_OK;
    case CUPEL_RECORD_EVALUATION:
        cupel__add_evaluation_path(s, e, most, text);
        return CUPEL_OK;
    case CUPEL_RECORD_SENTENCE:
        cupel__problem_sentence(s, e, text);
        return CUPEL_OK;
    }
    return CUPEL_E_ARGUMENT;
}

/* -- Callbacks --------------------------------------------------------------------------------- */

/* Of a problem or an annotation besides its positions; of its text. */
enum { STEPS_A_RECORD = 12, BYTES_A_STEP = 4 };

/* The callback that receives problems or annotations, and how much text it may still get. */
struct listener {
    struct cupel_scratch *s;
    cupel_on_problem *on_problem;
    cupel_on_annotation *on_annotation;
    void *ctx;
    size_t left; /* bytes */
    uint32_t reported;
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
        cupel__problem_sentence(s, e, t);
        cut_string(t, start, most);
    }
    at.last = end_string(t, &start);
    return at;
}

static int report_problem(struct listener *to, const struct cupel__event *e)
{
    struct cupel_scratch *s = to->s;
    if (to->reported > 0 && !cupel__report_charge(s, STEPS_A_RECORD))
        return 1;
    struct strings at = add_strings(s, e, false);
    struct cupel_text *t = &s->text;
    if (t->failed)
        return CUPEL_E_NO_MEMORY;
    /* INVALID comes with a problem: the first has strings that are cut, not left out. */
    if (to->reported++ > 0 && t->len > to->left)
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

static int report_annotation(struct listener *to, const struct cupel__event *e)
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
    if (!cupel__report_charge(s, STEPS_A_RECORD + cupel__value_nodes(s->code->image, e->which) +
                                     (int64_t)((t->len - at.last) / BYTES_A_STEP)))
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
 * enough, or a status.  CUPEL_OK, or why some are missing. */
static enum cupel_status report_all(struct listener *to,
                                    int (*report)(struct listener *, const struct cupel__event *),
                                    const struct cupel__event *events, const uint32_t *order,
                                    size_t n)
{
    int stop = 0;
    for (size_t i = 0; i < n && stop == 0; i++)
        stop = report(to, &events[order[i]]);
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
        return run(NULL, NULL, NULL, 0, CUPEL__MODE_ANNOTATIONS, ret);
    enum cupel_verdict verdict = run(program, s, doc, node, CUPEL__MODE_ANNOTATIONS, ret);
    struct listener to = {.s = s,
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
        status = report_all(&to, report_annotation, s->log.events, s->order, n);
    add_steps(s, verdict, ret);
    return unless(status, verdict, ret);
}

enum cupel_verdict cupel_report(const struct cupel_program *program, struct cupel_scratch *s,
                                struct cupel_document *doc, uint32_t node,
                                cupel_on_problem *on_problem, void *ctx, struct cupel_outcome *ret)
{
    if (program == NULL || !cupel__scratch_is_free(s))
        return run(NULL, NULL, NULL, 0, CUPEL__MODE_PROBLEMS, ret);
    enum cupel_verdict verdict = run(program, s, doc, node, CUPEL__MODE_PROBLEMS, ret);
    struct listener to = {.s = s,
                          .on_problem = on_problem,
                          .ctx = ctx,
                          .left = s->options.limits[CUPEL_LIMIT_ERROR_BYTES]};
    uint32_t most = s->options.limits[CUPEL_LIMIT_ERRORS] > 0
                        ? (uint32_t)s->options.limits[CUPEL_LIMIT_ERRORS]
                        : 1;
    size_t n = verdict == CUPEL_INVALID ? s->norder : 0;
    enum cupel_status status =
        report_all(&to, report_problem, s->log.events, s->order, n < most ? n : most);
    add_steps(s, verdict, ret);
    return unless(status, verdict, ret);
}
