/* render.c: cupel_render(): one report run and one rendering of it, within the caller's bounds.
 *
 * The run fills the scratch with events; the rendering reads them.  VERBOSE runs a second time, by
 * the tracing loop, for what passed. */
#include "messages/render.h"
#include "vm/report/annotations.h"
#include "vm/report/selection.h"
#include "vm/report/verbose.h"
#include <string.h>

/* Builds for which size matters, such as the module for browsers, define CUPEL__MODEL_TEXT_ONLY:
 * they have the text for models alone and refuse the other renderings. */
static void (*const renderings[CUPEL_RENDER_HIERARCHICAL + 1])(struct render *) = {
    [CUPEL_RENDER_MODEL] = cupel__render_model,
#ifndef CUPEL__MODEL_TEXT_ONLY
    [CUPEL_RENDER_TOOL_RESULT] = cupel__render_tool_result,
    [CUPEL_RENDER_HUMAN] = cupel__render_human,
    [CUPEL_RENDER_JSON] = cupel__render_json,
    [CUPEL_RENDER_GITHUB] = cupel__render_github,
    [CUPEL_RENDER_SARIF] = cupel__render_sarif,
    [CUPEL_RENDER_JUNIT] = cupel__render_junit,
    [CUPEL_RENDER_FLAG] = cupel__render_flag,
    [CUPEL_RENDER_BASIC] = cupel__render_basic,
    [CUPEL_RENDER_DETAILED] = cupel__render_detailed,
    [CUPEL_RENDER_VERBOSE] = cupel__render_verbose,
    [CUPEL_RENDER_LIST] = cupel__render_list,
    [CUPEL_RENDER_HIERARCHICAL] = cupel__render_hierarchical,
#endif
};

/* Replaces what is 0 or NULL in the options by the defaults of the rendering. */
static void complete(enum cupel_rendering rendering, const struct cupel_scratch *s,
                     struct cupel_render_options *ret)
{
    const uint64_t *limits = s->options.limits;
    bool model = rendering == CUPEL_RENDER_MODEL || rendering == CUPEL_RENDER_TOOL_RESULT;
    if (ret->problems == 0)
        ret->problems = model                            ? 10
                        : limits[CUPEL_LIMIT_ERRORS] > 0 ? (uint32_t)limits[CUPEL_LIMIT_ERRORS]
                                                         : 1;
    if (ret->bytes == 0)
        ret->bytes = model ? 2048 : (size_t)limits[CUPEL_LIMIT_ERROR_BYTES];
    ret->bytes = ret->bytes < 256 ? 256 : ret->bytes;
    ret->file = ret->file != NULL ? ret->file : "-";
    ret->base = ret->base != NULL ? ret->base : "urn:cupel:schema";
}

static enum cupel_verdict undecided(enum cupel_status reason, struct cupel_outcome *ret)
{
    if (ret != NULL)
        ret->reason = reason;
    return CUPEL_UNDECIDED;
}

/* The verdict if an argument breaks the contract of the function; nothing has run. */
static enum cupel_verdict refused(struct cupel_outcome *ret)
{
    if (ret != NULL)
        *ret = (struct cupel_outcome){.reason = CUPEL_E_ARGUMENT};
    return CUPEL_UNDECIDED;
}

/* Removes the events of instructions without a location, which the compiler made and no keyword
 * has. */
static void drop_unlocated(struct cupel_scratch *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->log.nevents; i++)
        if (cupel__loc_of(s->code, s->log.events[i].pc) != CUPEL__NO_LOC)
            s->log.events[n++] = s->log.events[i];
    s->log.nevents = n;
}

/* Runs again and records every instruction that runs, for VERBOSE.  False if they do not fit.  Adds
 * the steps to those of *ret. */
static bool trace(const struct cupel_program *program, struct cupel_scratch *s,
                  struct cupel_document *doc, uint32_t node, struct cupel_outcome *ret)
{
    struct cupel_outcome outcome;
    bool all = cupel__report_trace(program, s, doc, node, &outcome);
    if (ret != NULL)
        ret->steps += outcome.steps;
    drop_unlocated(s);
    return all;
}

/* Prepares the events that the standard's formats list: failures in the order of the run or, of a
 * valid value, annotations in document order.  Writes their number to *ret. */
static enum cupel_status prepare_units(struct cupel_scratch *s, bool annotations, uint32_t *ret)
{
    enum cupel_status status = CUPEL_OK;
    *ret = s->log.nevents;
    if (annotations)
        status = cupel__annotations_expand(s, ret);
    if (annotations && status == CUPEL_OK)
        status = cupel__sort_events(s, *ret);
    return status;
}

/* Runs a rendering on the scratch's last report.  Its options are not complete yet. */
static void render_report(struct cupel_scratch *s, enum cupel_rendering rendering, bool valid,
                          uint32_t nunits, struct cupel_render_options *options,
                          struct cupel_text *text)
{
    complete(rendering, s, options);
    struct render r = {.s = s,
                       .code = s->code,
                       .doc = s->doc,
                       .options = options,
                       .text = text,
                       .start = text->len,
                       .valid = valid,
                       .traced = rendering == CUPEL_RENDER_VERBOSE,
                       .nunits = nunits};
    renderings[rendering](&r);
}

/* Returns the verdict of the run, or UNDECIDED with the reason in *ret if an argument is refused or
 * memory or steps run out. */
enum cupel_verdict cupel_render(const struct cupel_program *program, struct cupel_scratch *s,
                                struct cupel_document *doc, uint32_t node,
                                enum cupel_rendering rendering,
                                const struct cupel_render_options *given, struct cupel_text *text,
                                struct cupel_outcome *ret)
{
    struct cupel_render_options options;
    const bool verbose = rendering == CUPEL_RENDER_VERBOSE;
    const bool notes = rendering >= CUPEL_RENDER_BASIC && !verbose;
    uint32_t nunits, flags = notes ? CUPEL_REPORT_ANNOTATIONS : CUPEL_REPORT_PROBLEMS;
    if (program == NULL || text == NULL || !cupel__scratch_is_free(s) ||
        !cupel__render_options_copy(given, &options) ||
        (unsigned)rendering > CUPEL_RENDER_HIERARCHICAL || renderings[rendering] == NULL)
        return refused(ret);
    enum cupel_verdict verdict = cupel_report_run(program, s, doc, node, flags, ret);
    if (verdict == CUPEL_UNDECIDED)
        return verdict;
    if (verbose && !trace(program, s, doc, node, ret))
        rendering = CUPEL_RENDER_FLAG; /* as for output that does not fit */
    enum cupel_status status = prepare_units(s, notes && verdict == CUPEL_VALID, &nunits);
    if (status != CUPEL_OK)
        return undecided(status, ret);
    render_report(s, rendering, verdict == CUPEL_VALID, nunits, &options, text);
    if (verbose)
        s->log.nevents = s->log.events_lost = 0; /* a trace is no list of failures */
    if (ret != NULL)
        ret->steps += cupel__report_budget_used(s);
    return text->failed ? undecided(CUPEL_E_NO_MEMORY, ret) : verdict;
}
