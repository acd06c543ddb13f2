/* judge.c: a schema compiled in every way there is, and an instance run through all of these
 * programs, both loops and the report; the verdicts compared with each other and with the
 * reference. */
#include "judge.h"
#include "../unit/report_counts.h"
#include <cupel/debug.h>
#include <stdio.h>
#include <string.h>

enum { MANY_RECORDS = 32, ROOM = 16 << 20 };

/* The ways to compile.  The first one is also run by the other loop and by the report. */
static const struct way {
    const char *name;
    uint32_t passes, flags;
} ways[JUDGE_WAYS] = {
    {"all passes", CUPEL_PASS_ALL, 0},
    {"no passes", CUPEL_PASS_MEMO, CUPEL_NO_JIT},
    {"all but fold", CUPEL_PASS_ALL & ~CUPEL_PASS_FOLD, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but enum", CUPEL_PASS_ALL & ~CUPEL_PASS_ENUM, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but inline", CUPEL_PASS_ALL & ~CUPEL_PASS_INLINE, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but required", CUPEL_PASS_ALL & ~CUPEL_PASS_REQUIRED, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but dedupe", CUPEL_PASS_ALL & ~CUPEL_PASS_DEDUPE, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but unevaluated", CUPEL_PASS_ALL & ~CUPEL_PASS_UNEVALUATED,
     CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but merge", CUPEL_PASS_ALL & ~CUPEL_PASS_MERGE, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but partition", CUPEL_PASS_ALL & ~CUPEL_PASS_PARTITION, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but narrow", CUPEL_PASS_ALL & ~CUPEL_PASS_NARROW, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but discriminate", CUPEL_PASS_ALL & ~CUPEL_PASS_DISCRIMINATE,
     CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but names", CUPEL_PASS_ALL & ~CUPEL_PASS_NAMES, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but cases", CUPEL_PASS_ALL & ~CUPEL_PASS_CASES, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but memo", CUPEL_PASS_ALL & ~CUPEL_PASS_MEMO, CUPEL_NO_JIT | CUPEL_NO_REPORT},
};

const char *judge_dialect(enum cupel_dialect dialect)
{
    switch (dialect) {
    case CUPEL_DRAFT_4:
        return "draft-04";
    case CUPEL_DRAFT_6:
        return "draft-06";
    case CUPEL_DRAFT_7:
        return "draft-07";
    case CUPEL_2019_09:
        return "2019-09";
    case CUPEL_V1:
        return "v1";
    default:
        return "2020-12";
    }
}

/* -- Judging ---------------------------------------------------------------------------------- */

static void forget_schema(struct judge *j)
{
    for (int i = 0; i < JUDGE_WAYS; i++) {
        cupel_program_free(j->programs[i]);
        j->programs[i] = NULL;
    }
    reference_free(j->reference);
    j->reference = NULL;
}

static enum finding differ(struct judge *j, const char *who, const char *what)
{
    static const char *const verdicts[] = {"valid", "invalid", "unknown", "broken"};
    snprintf(j->why, sizeof(j->why), "%s: %s; reference: %s", who, what, verdicts[j->expected]);
    return DIFFERENT;
}

/* Whether a text has a number of the generator that no one has to calculate with. */
static bool is_beyond(const struct cupel_text *text)
{
    return strstr(text->bytes, "e9999999999999999") != NULL;
}

/* Bounds that are no subject here. */
static void make_room(struct cupel_options *options)
{
    options->limits[CUPEL_LIMIT_SCHEMA_BYTES] = options->limits[CUPEL_LIMIT_IMAGE_BYTES] = ROOM;
    options->limits[CUPEL_LIMIT_COMPILE_BYTES] = SIZE_MAX;
    options->limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 10000;
}

enum finding judge_schema(struct judge *j, const struct cupel_text *text)
{
    struct cupel_options options;
    struct cupel_error err;
    forget_schema(j);
    j->schema_beyond = is_beyond(text);
    j->status = cupel_document_read(j->schema, text->bytes, text->len, &err);
    if (j->status != CUPEL_OK) {
        snprintf(j->why, sizeof(j->why), "schema is not JSON: %s", err.detail);
        return REFUSED;
    }
    for (int i = 0; i < JUDGE_WAYS && !j->reference_only; i++) {
        cupel_options_init(&options);
        options.dialect = j->dialect;
        if (j->roomy)
            make_room(&options);
        options.passes = ways[i].passes;
        options.flags = ways[i].flags | CUPEL_EXPERIMENTAL | CUPEL_ASSERT_FORMAT |
                        CUPEL_ASSERT_CONTENT | CUPEL_ANNOTATIONS;
        j->status = cupel_compile(text->bytes, text->len, &options, &j->programs[i], &err);
        if (j->status != CUPEL_OK) {
            snprintf(j->why, sizeof(j->why), "%s: %s at %.100s: %.200s", ways[i].name,
                     cupel_status_name(err.status), err.where, err.detail);
            return REFUSED;
        }
    }
    j->reference = reference_new(j->schema, 0, j->dialect, NULL, NULL);
    if (j->reference != NULL && !j->reference_only)
        reference_assert(j->reference);
    return j->reference != NULL ? AGREE : REFUSED;
}

/* Compares one verdict with the first and with the reference. */
static enum finding compare(struct judge *j, const char *who, enum cupel_verdict got,
                            enum cupel_verdict first, const struct cupel_outcome *outcome,
                            bool beyond)
{
    static const char *const verdicts[] = {"valid", "invalid"};
    if (got == CUPEL_UNDECIDED && beyond &&
        (outcome->reason == CUPEL_E_LIMIT_NUMBER || outcome->reason == CUPEL_E_NUMBER_SIZE))
        return UNDECIDED;
    if (got == CUPEL_UNDECIDED) {
        j->status = outcome->reason;
        return differ(j, who, cupel_status_name(outcome->reason));
    }
    if (j->expected != REFERENCE_UNKNOWN && (int)got != (int)j->expected)
        return differ(j, who, verdicts[got]);
    if (first != CUPEL_UNDECIDED && got != first)
        return differ(
            j, who, got == CUPEL_VALID ? "valid, unlike all passes" : "invalid, unlike all passes");
    return j->expected != REFERENCE_UNKNOWN ? AGREE : UNKNOWN;
}

static int count_problem(void *ctx, const struct cupel_problem *problem)
{
    ++*(unsigned *)ctx;
    return problem->keyword == NULL || problem->message == NULL;
}

/* What a report run tells: the codes, places and keywords of its problems, one after the other.
 * False if there is so much that choices may have been left as ties, or failures that are kept been
 * reported again as often as they ever are: a report of problems alone looks into branches more
 * often than it tells them. */
static bool reported(struct judge *j, int way, struct cupel_scratch *scratch, uint32_t flags,
                     struct cupel_text *text)
{
    enum cupel_verdict verdict = cupel_report_run(j->programs[way], scratch, NULL, 0, flags, NULL);
    cupel_text_clear(text);
    for (uint32_t i = 0; verdict == CUPEL_INVALID && i < count_problems(scratch); i++) {
        struct cupel_record record;
        uint32_t k = cupel_report_problem(scratch, i);
        cupel_report_record(scratch, k, &record);
        cupel_text_addf(text, "%d %u %u ", record.code, record.node, record.which);
        cupel_report_write(scratch, k, CUPEL_RECORD_ABSOLUTE, "", text);
    }
    bool bounded = count_lost(scratch) > 0 || count_records(scratch) > MANY_RECORDS;
    return verdict == CUPEL_INVALID && !bounded;
}

/* Problems are the same whether all records are made or only theirs. */
static enum finding check_problems(struct judge *j, int way, struct cupel_scratch *scratch)
{
    struct cupel_text all, brief;
    enum finding finding = AGREE;
    cupel_text_init(&all, NULL);
    cupel_text_init(&brief, NULL);
    if (reported(j, way, scratch, 0, &all) &&
        reported(j, way, scratch, CUPEL_REPORT_PROBLEMS, &brief) &&
        strcmp(all.bytes, brief.bytes) != 0)
        finding = differ(j, "report of problems alone", brief.bytes);
    cupel_text_free(&all);
    cupel_text_free(&brief);
    return finding;
}

static int add_note(void *ctx, const struct cupel_annotation *note)
{
    struct cupel_text *text = ctx;
    cupel_text_adds(text, note->instance);
    cupel_text_adds(text, " ");
    cupel_text_adds(text, note->schema);
    cupel_text_adds(text, "\n");
    return 0;
}

/* What a report says in all: its problems, or what it notes. */
static bool say(struct judge *j, int way, bool valid, struct cupel_text *text)
{
    if (!valid)
        return reported(j, way, j->scratch, CUPEL_REPORT_PROBLEMS, text);
    cupel_text_clear(text);
    return cupel_annotate(j->programs[way], j->scratch, NULL, 0, add_note, text, NULL) ==
           CUPEL_VALID;
}

/* What passes make of a report changes nothing that it says. */
static enum finding check_passes(struct judge *j, bool valid)
{
    struct cupel_text all, none;
    enum finding finding = AGREE;
    cupel_text_init(&all, NULL);
    cupel_text_init(&none, NULL);
    if (say(j, 0, valid, &all) && say(j, 1, valid, &none) &&
        (all.len != none.len || (all.len > 0 && memcmp(all.bytes, none.bytes, all.len) != 0)))
        finding = differ(j, valid ? "notes of no passes" : "problems of no passes", "others");
    cupel_text_free(&all);
    cupel_text_free(&none);
    return finding;
}

/* The report of a program on the text read last: called back exactly when the verdict is INVALID.
 */
static enum finding check_report(struct judge *j, int way, struct cupel_scratch *scratch,
                                 enum cupel_verdict first, bool beyond)
{
    struct cupel_outcome outcome;
    unsigned problems = 0;
    enum cupel_verdict got =
        cupel_report(j->programs[way], scratch, NULL, 0, count_problem, &problems, &outcome);
    if (got != CUPEL_UNDECIDED && (problems != 0) != (got == CUPEL_INVALID))
        return differ(j, "report", problems != 0 ? "problems without INVALID" : "no problems");
    if (got == CUPEL_INVALID && check_problems(j, way, scratch) == DIFFERENT)
        return DIFFERENT;
    return compare(j, way == 0 ? "report" : "report of no passes", got, first, &outcome, beyond);
}

static enum finding worse(enum finding a, enum finding b)
{
    return a > b ? a : b;
}

static enum finding run_programs(struct judge *j, const struct cupel_text *text)
{
    struct cupel_outcome outcome;
    bool beyond = j->schema_beyond || is_beyond(text);
    enum cupel_verdict first = CUPEL_UNDECIDED;
    enum finding finding = AGREE;
    for (int i = 0; i < JUDGE_WAYS && finding < REFUSED; i++) {
        enum cupel_verdict got =
            cupel_validate(j->programs[i], j->scratch, text->bytes, text->len, &outcome);
        if (outcome.reason == CUPEL_E_LIMIT_STEPS && !(ways[i].passes & CUPEL_PASS_MEMO))
            continue; /* as is to be expected of it */
        finding = worse(finding, compare(j, ways[i].name, got, first, &outcome, beyond));
        first = i == 0 ? got : first;
        if (finding < REFUSED && i < 2)
            finding = worse(finding, check_report(j, i, j->scratch, first, beyond));
        if (finding < REFUSED && i == 1 && got != CUPEL_UNDECIDED)
            finding = worse(finding, check_passes(j, got == CUPEL_VALID));
    }
    if (finding >= REFUSED)
        return finding;
    enum cupel_verdict got =
        cupel_validate_node(j->programs[0], j->scratch, j->instance, 0, &outcome);
    finding = worse(finding, compare(j, "the document", got, first, &outcome, beyond));
    got = cupel_validate(j->programs[0], j->portable, text->bytes, text->len, &outcome);
    finding = worse(finding, compare(j, "the portable loop", got, first, &outcome, beyond));
    return worse(finding, check_report(j, 0, j->portable, first, beyond));
}

enum finding judge_instance(struct judge *j, const struct cupel_text *text)
{
    struct cupel_error err;
    const char *why = NULL;
    j->expected = REFERENCE_UNKNOWN;
    if (cupel_document_read(j->instance, text->bytes, text->len, &err) != CUPEL_OK)
        return differ(j, "instance is not JSON", err.detail);
    j->expected = reference_judge(j->reference, j->instance, 0, &why);
    return j->expected == REFERENCE_BROKEN ? differ(j, "reference", why) : run_programs(j, text);
}

/* -- The judge -------------------------------------------------------------------------------- */

bool judge_init(struct judge *j)
{
    struct cupel_options plain, portable;
    cupel_options_init(&plain);
    cupel_options_init(&portable);
    if (j->roomy) {
        make_room(&plain);
        make_room(&portable);
    }
    portable.flags |=
        CUPEL_SWITCH_DISPATCH | CUPEL_NO_SIMD | CUPEL_EAGER_MEMO | CUPEL_NO_FINGERPRINTS;
    return cupel_document_new(NULL, &j->schema) == CUPEL_OK &&
           cupel_document_new(NULL, &j->instance) == CUPEL_OK &&
           cupel_scratch_new(&plain, &j->scratch) == CUPEL_OK &&
           cupel_scratch_new(&portable, &j->portable) == CUPEL_OK;
}

void judge_free(struct judge *j)
{
    forget_schema(j);
    cupel_document_free(j->schema);
    cupel_document_free(j->instance);
    cupel_scratch_free(j->scratch);
    cupel_scratch_free(j->portable);
}
