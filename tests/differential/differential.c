/* differential.c: made-up schemas and instances, judged by the library in every way it can and by
 * the reference evaluator.
 *
 * usage: differential [--pairs N] [--seed N] [--dialect D] [--print] [--no-unevaluated]
 *                     [--no-dynamic] [--no-formats]
 *
 * A schema is compiled with all passes, with none, and with each one left out; an instance is run
 * through all of these programs, through both loops, and through the report.  All must agree with
 * the reference; reports made with all passes and with none must tell the same, and note the same.  A pair for which they do not is printed as small as it can be made.
 *
 * --print writes pairs with their verdicts instead, a JSON object a line, for ajv.mjs: of released
 * dialects, in which formats and content only describe. */
#include "differential.h"

#include "generate.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 15, INSTANCES = 4, MOST_PRINTED = 20, MANY_RECORDS = 32 };

/* The ways to compile.  The first one is also run by the other loop and by the report. */
static const struct way {
    const char *name;
    uint32_t passes, flags;
} ways[PROGRAMS] = {
    {"all passes", CUPEL_PASS_ALL, 0},
    {"no passes", CUPEL_PASS_MEMO, CUPEL_NO_JIT},
    {"all but fold", CUPEL_PASS_ALL & ~CUPEL_PASS_FOLD, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but enum", CUPEL_PASS_ALL & ~CUPEL_PASS_ENUM, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but inline", CUPEL_PASS_ALL & ~CUPEL_PASS_INLINE, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but walk", CUPEL_PASS_ALL & ~CUPEL_PASS_WALK, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but dedupe", CUPEL_PASS_ALL & ~CUPEL_PASS_DEDUPE, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but evalset", CUPEL_PASS_ALL & ~CUPEL_PASS_EVALSET, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but merge", CUPEL_PASS_ALL & ~CUPEL_PASS_MERGE, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but partition", CUPEL_PASS_ALL & ~CUPEL_PASS_PARTITION, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but narrow", CUPEL_PASS_ALL & ~CUPEL_PASS_NARROW, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but choose", CUPEL_PASS_ALL & ~CUPEL_PASS_CHOOSE, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but names", CUPEL_PASS_ALL & ~CUPEL_PASS_NAMES, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but cases", CUPEL_PASS_ALL & ~CUPEL_PASS_CASES, CUPEL_NO_JIT | CUPEL_NO_REPORT},
    {"all but memo", CUPEL_PASS_ALL & ~CUPEL_PASS_MEMO, CUPEL_NO_JIT | CUPEL_NO_REPORT},
};

/* What came of a pair. */
enum finding {
    AGREE,
    UNDECIDED, /* a number beyond range */
    UNKNOWN,   /* to the reference; the library agrees with itself */
    REFUSED,   /* by the compiler */
    DIFFERENT,
    FINDINGS
};

struct settings {
    unsigned long pairs;
    uint64_t seed;
    enum cupel_dialect dialect; /* CUPEL_DIALECT_DEFAULT: one after the other */
    bool print, unevaluated, dynamic, formats;
};

struct judge {
    const struct settings *settings;
    enum cupel_dialect dialect; /* of the schema at hand */
    struct cupel_document *schema, *instance;
    bool schema_beyond; /* a number in it is beyond range */
    struct reference *reference;
    struct cupel_program *programs[PROGRAMS];
    struct cupel_scratch *scratch, *portable;
    enum reference_verdict expected;
    char why[512];            /* what differs, in words */
    enum cupel_status status; /* why a schema was refused, or there is no verdict */
    unsigned long counts[FINDINGS], valid;
};

static const char *dialect_name(enum cupel_dialect dialect)
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
    for (int i = 0; i < PROGRAMS; i++) {
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

/* Compiles a schema in all ways: AGREE, or REFUSED. */
static enum finding take_schema(struct judge *j, const struct cupel_text *text)
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
    for (int i = 0; i < PROGRAMS && !j->settings->print; i++) {
        cupel_options_init(&options);
        options.dialect = j->dialect;
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
    if (j->reference != NULL && !j->settings->print)
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

/* What a report run tells: the codes, places and keywords of its problems, one after the other.  False if there
 * is so much that choices may have been left as ties, or failures that are kept been told again as often as they
 * ever are: a report of problems alone looks into branches more often than it tells them. */
static bool told(struct judge *j, int way, struct cupel_scratch *scratch, uint32_t flags,
                     struct cupel_text *text)
{
    enum cupel_verdict verdict =
        cupel_report_run(j->programs[way], scratch, NULL, 0, flags, NULL);
    cupel_text_clear(text);
    for (uint32_t i = 0; verdict == CUPEL_INVALID && i < cupel_report_problems(scratch); i++) {
        struct cupel_record record;
        uint32_t k = cupel_report_problem(scratch, i);
        cupel_report_record(scratch, k, &record);
        cupel_text_addf(text, "%d %u %u ", record.code, record.node, record.which);
        cupel_report_absolute(scratch, k, "", text);
    }
    bool bounded = cupel_report_lost(scratch) > 0 || cupel_report_records(scratch) > MANY_RECORDS;
    return verdict == CUPEL_INVALID && !bounded;
}

/* Problems are the same whether all records are made or only theirs. */
static enum finding check_problems(struct judge *j, int way, struct cupel_scratch *scratch)
{
    struct cupel_text all, brief;
    enum finding finding = AGREE;
    cupel_text_init(&all, NULL);
    cupel_text_init(&brief, NULL);
    if (told(j, way, scratch, 0, &all) && told(j, way, scratch, CUPEL_REPORT_PROBLEMS, &brief) &&
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
        return told(j, way, j->scratch, CUPEL_REPORT_PROBLEMS, text);
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
    for (int i = 0; i < PROGRAMS && finding < REFUSED; i++) {
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
        cupel_validate(j->programs[0], j->portable, text->bytes, text->len, &outcome);
    finding = worse(finding, compare(j, "the portable loop", got, first, &outcome, beyond));
    return worse(finding, check_report(j, 0, j->portable, first, beyond));
}

/* Judges an instance of the schema taken last. */
static enum finding take_instance(struct judge *j, const struct cupel_text *text)
{
    struct cupel_error err;
    const char *why = NULL;
    j->expected = REFERENCE_UNKNOWN;
    if (cupel_document_read(j->instance, text->bytes, text->len, &err) != CUPEL_OK)
        return differ(j, "instance is not JSON", err.detail);
    j->expected = reference_judge(j->reference, j->instance, 0, &why);
    return j->expected == REFERENCE_BROKEN ? differ(j, "reference", why) : run_programs(j, text);
}

/* -- Shrinking -------------------------------------------------------------------------------- */

struct pair {
    struct judge *judge;
    struct cupel_text schema, instance;
    enum finding finding;
};

static bool keeps_schema(void *ctx, const struct cupel_text *text)
{
    struct pair *p = ctx;
    enum finding finding = take_schema(p->judge, text);
    if (finding == AGREE && p->finding != REFUSED)
        finding = take_instance(p->judge, &p->instance);
    return finding == p->finding;
}

static bool keeps_instance(void *ctx, const struct cupel_text *text)
{
    struct pair *p = ctx;
    return take_instance(p->judge, text) == p->finding;
}

/* A refusal is kept by its status: a smaller schema is easily refused for something else. */
static bool keeps_refusal(void *ctx, const struct cupel_text *text)
{
    struct pair *p = ctx;
    enum cupel_status before = p->judge->status;
    bool keeps = take_schema(p->judge, text) == REFUSED && p->judge->status == before;
    p->judge->status = before;
    return keeps;
}

static void shrink_pair(struct pair *p)
{
    if (p->finding == REFUSED) {
        shrink(&p->schema, keeps_refusal, p);
        (void)take_schema(p->judge, &p->schema);
        return;
    }
    for (int round = 0; round < 3; round++) {
        shrink(&p->schema, keeps_schema, p);
        (void)take_schema(p->judge, &p->schema);
        shrink(&p->instance, keeps_instance, p);
    }
    (void)take_instance(p->judge, &p->instance);
}

/* -- Pairs ------------------------------------------------------------------------------------ */

static void print_failure(struct pair *p, unsigned long group)
{
    struct judge *j = p->judge;
    if (j->counts[REFUSED] + j->counts[DIFFERENT] > MOST_PRINTED)
        return;
    /* One that takes too many steps takes too long to try a thousand times. */
    if (j->status != CUPEL_E_LIMIT_STEPS)
        shrink_pair(p);
    printf("schema %lu of seed %llu, %s: %s\n  schema   %s\n  instance %s\n", group,
           (unsigned long long)j->settings->seed, dialect_name(j->dialect), j->why, p->schema.bytes,
           p->instance.len > 0 ? p->instance.bytes : "-");
    fflush(stdout);
    /* Shrinking has replaced the programs. */
    (void)take_schema(j, &p->schema);
}

/* The reference alone judges what is printed. */
static void print_pair(struct judge *j, const struct pair *p)
{
    const char *why;
    enum reference_verdict verdict = REFERENCE_UNKNOWN;
    if (cupel_document_read(j->instance, p->instance.bytes, p->instance.len, NULL) == CUPEL_OK)
        verdict = reference_judge(j->reference, j->instance, 0, &why);
    if (verdict <= REFERENCE_INVALID)
        printf("{\"dialect\":\"%s\",\"schema\":%s,\"instance\":%s,\"valid\":%s}\n",
               dialect_name(j->dialect), p->schema.bytes, p->instance.bytes,
               verdict == REFERENCE_VALID ? "true" : "false");
}

/* The first two are made from the schema, each of the others is the one before with a change. */
static void run_instance(struct pair *p, unsigned long group, unsigned long number, uint64_t seed)
{
    struct judge *j = p->judge;
    cupel_text_clear(&p->instance);
    if (number < 2)
        generate_instance(seed, j->schema, &p->instance);
    else
        generate_mutant(seed, j->instance, &p->instance);
    if (j->settings->print) {
        print_pair(j, p);
        return;
    }
    p->finding = take_instance(j, &p->instance);
    j->counts[p->finding]++;
    j->valid += j->expected == REFERENCE_VALID;
    if (p->finding >= REFUSED)
        print_failure(p, group);
}

/* A schema and its instances; after a failure the next schema is the turn. */
static unsigned long run_group(struct pair *p, unsigned long group)
{
    static const enum cupel_dialect dialects[] = {CUPEL_2020_12, CUPEL_DRAFT_7, CUPEL_2019_09,
                                                  CUPEL_DRAFT_4, CUPEL_DRAFT_6, CUPEL_V1};
    struct judge *j = p->judge;
    struct chance chance = {j->settings->seed * 0x2545f4914f6cdd1du + group};
    struct generate_options options = {j->settings->dialect, j->settings->unevaluated,
                                       j->settings->dynamic, j->settings->formats};
    if (options.dialect == CUPEL_DIALECT_DEFAULT)
        options.dialect = dialects[group % (j->settings->print ? 5 : 6)];
    j->dialect = options.dialect;
    cupel_text_clear(&p->schema);
    cupel_text_clear(&p->instance);
    generate_schema(chance_next(&chance), &options, &p->schema);
    p->finding = take_schema(j, &p->schema);
    if (p->finding != AGREE) {
        j->counts[REFUSED]++;
        print_failure(p, group);
        return 1;
    }
    unsigned long pairs = 0;
    do {
        run_instance(p, group, pairs, chance_next(&chance));
        pairs++;
    } while (pairs < INSTANCES && p->finding < REFUSED);
    return pairs;
}

static int run(struct judge *j)
{
    struct pair pair = {.judge = j};
    cupel_text_init(&pair.schema, NULL);
    cupel_text_init(&pair.instance, NULL);
    unsigned long group = 0;
    for (unsigned long pairs = 0; pairs < j->settings->pairs; group++)
        pairs += run_group(&pair, group);
    cupel_text_free(&pair.schema);
    cupel_text_free(&pair.instance);
    unsigned long failed = j->counts[REFUSED] + j->counts[DIFFERENT];
    unsigned long passed = j->counts[AGREE] + j->counts[UNDECIDED] + j->counts[UNKNOWN];
    if (j->settings->print)
        return 0;
    printf("%lu schemas; %lu pairs valid, %lu undecided, %lu unknown to the reference, "
           "%lu schemas refused\n",
           group, j->valid, j->counts[UNDECIDED], j->counts[UNKNOWN], j->counts[REFUSED]);
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

/* -- The command ------------------------------------------------------------------------------ */

static bool read_setting(struct settings *s, const char *name, const char *value)
{
    if (strcmp(name, "--print") == 0)
        s->print = true;
    else if (strcmp(name, "--no-unevaluated") == 0)
        s->unevaluated = false;
    else if (strcmp(name, "--no-dynamic") == 0)
        s->dynamic = false;
    else if (strcmp(name, "--no-formats") == 0)
        s->formats = false;
    else if (value != NULL && strcmp(name, "--pairs") == 0)
        s->pairs = strtoul(value, NULL, 10);
    else if (value != NULL && strcmp(name, "--seed") == 0)
        s->seed = strtoull(value, NULL, 10);
    else if (value != NULL && strcmp(name, "--dialect") == 0)
        s->dialect = (enum cupel_dialect)strtoul(value, NULL, 10);
    else
        return false;
    return true;
}

static bool read_settings(struct settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!read_setting(s, argv[i], i + 1 < argc ? argv[i + 1] : NULL))
            return false;
        i += strcmp(argv[i], "--pairs") == 0 || strcmp(argv[i], "--seed") == 0 ||
             strcmp(argv[i], "--dialect") == 0;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct settings settings = {20000, 1, CUPEL_DIALECT_DEFAULT, false, true, true, true};
    struct judge judge = {.settings = &settings};
    struct cupel_options portable;
    int status = 2;
    if (!read_settings(&settings, argc, argv)) {
        fprintf(stderr, "usage: differential [--pairs N] [--seed N] [--dialect 4|6|7|2019|2020|9999]\n"
                        "                    [--print] [--no-unevaluated] [--no-dynamic] [--no-formats]\n");
        return status;
    }
    cupel_options_init(&portable);
    portable.flags |= CUPEL_SWITCH_DISPATCH | CUPEL_NO_SIMD | CUPEL_EAGER_MEMO;
    if (cupel_document_new(NULL, &judge.schema) == CUPEL_OK &&
        cupel_document_new(NULL, &judge.instance) == CUPEL_OK &&
        cupel_scratch_new(NULL, &judge.scratch) == CUPEL_OK &&
        cupel_scratch_new(&portable, &judge.portable) == CUPEL_OK)
        status = run(&judge);
    forget_schema(&judge);
    cupel_document_free(judge.schema);
    cupel_document_free(judge.instance);
    cupel_scratch_free(judge.scratch);
    cupel_scratch_free(judge.portable);
    return status;
}
