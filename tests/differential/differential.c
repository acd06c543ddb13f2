/* differential.c: made-up schemas and instances, judged by the library in every way it can and by
 * the reference evaluator.
 *
 * usage: differential [--pairs N] [--seed N] [--dialect D] [--print] [--no-unevaluated]
 *                     [--no-dynamic] [--no-formats]
 *
 * A schema is compiled with all passes, with none, and with each one left out; an instance is run
 * through all of these programs, through both loops, and through the report.  All must agree with
 * the reference; reports made with all passes and with none must tell the same, and note the same.
 * A pair for which they do not is printed as small as it can be made.
 *
 * --print writes pairs with their verdicts instead, a JSON object a line, for ajv.mjs: of released
 * dialects, in which formats and content only describe. */
#include "differential.h"

#include "generate.h"
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 4, MOST_PRINTED = 20 };

struct settings {
    unsigned long pairs;
    uint64_t seed;
    enum cupel_dialect dialect; /* CUPEL_DIALECT_DEFAULT: one after the other */
    bool print, unevaluated, dynamic, formats;
};

/* A run: its settings, the judge, how many pairs ended how. */
struct tally {
    const struct settings *settings;
    struct judge judge;
    unsigned long counts[FINDINGS], valid;
};

/* -- Shrinking -------------------------------------------------------------------------------- */

struct pair {
    struct tally *tally;
    struct judge *judge; /* of the tally */
    struct cupel_text schema, instance;
    enum finding finding;
};

static bool keeps_schema(void *ctx, const struct cupel_text *text)
{
    struct pair *p = ctx;
    enum finding finding = judge_schema(p->judge, text);
    if (finding == AGREE && p->finding != REFUSED)
        finding = judge_instance(p->judge, &p->instance);
    return finding == p->finding;
}

static bool keeps_instance(void *ctx, const struct cupel_text *text)
{
    struct pair *p = ctx;
    return judge_instance(p->judge, text) == p->finding;
}

/* A refusal is kept by its status: a smaller schema is easily refused for something else. */
static bool keeps_refusal(void *ctx, const struct cupel_text *text)
{
    struct pair *p = ctx;
    enum cupel_status before = p->judge->status;
    bool keeps = judge_schema(p->judge, text) == REFUSED && p->judge->status == before;
    p->judge->status = before;
    return keeps;
}

static void shrink_pair(struct pair *p)
{
    if (p->finding == REFUSED) {
        shrink(&p->schema, keeps_refusal, p);
        (void)judge_schema(p->judge, &p->schema);
        return;
    }
    for (int round = 0; round < 3; round++) {
        shrink(&p->schema, keeps_schema, p);
        (void)judge_schema(p->judge, &p->schema);
        shrink(&p->instance, keeps_instance, p);
    }
    (void)judge_instance(p->judge, &p->instance);
}

/* -- Pairs ------------------------------------------------------------------------------------ */

static void print_failure(struct pair *p, unsigned long group)
{
    struct judge *j = p->judge;
    const struct tally *t = p->tally;
    if (t->counts[REFUSED] + t->counts[DIFFERENT] > MOST_PRINTED)
        return;
    /* One that takes too many steps takes too long to try a thousand times. */
    if (j->status != CUPEL_E_LIMIT_STEPS)
        shrink_pair(p);
    printf("schema %lu of seed %llu, %s: %s\n  schema   %s\n  instance %s\n", group,
           (unsigned long long)t->settings->seed, judge_dialect(j->dialect), j->why,
           p->schema.bytes, p->instance.len > 0 ? p->instance.bytes : "-");
    fflush(stdout);
    /* Shrinking has replaced the programs. */
    (void)judge_schema(j, &p->schema);
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
               judge_dialect(j->dialect), p->schema.bytes, p->instance.bytes,
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
    if (p->tally->settings->print) {
        print_pair(j, p);
        return;
    }
    p->finding = judge_instance(j, &p->instance);
    p->tally->counts[p->finding]++;
    p->tally->valid += j->expected == REFERENCE_VALID;
    if (p->finding >= REFUSED)
        print_failure(p, group);
}

/* A schema and its instances; after a failure the next schema is the turn. */
static unsigned long run_group(struct pair *p, unsigned long group)
{
    static const enum cupel_dialect dialects[] = {CUPEL_2020_12, CUPEL_DRAFT_7, CUPEL_2019_09,
                                                  CUPEL_DRAFT_4, CUPEL_DRAFT_6, CUPEL_V1};
    struct judge *j = p->judge;
    const struct settings *s = p->tally->settings;
    struct chance chance = {s->seed * 0x2545f4914f6cdd1du + group};
    struct generate_options options = {s->dialect, s->unevaluated, s->dynamic, s->formats};
    if (options.dialect == CUPEL_DIALECT_DEFAULT)
        options.dialect = dialects[group % (s->print ? 5 : 6)];
    j->dialect = options.dialect;
    cupel_text_clear(&p->schema);
    cupel_text_clear(&p->instance);
    generate_schema(chance_next(&chance), &options, &p->schema);
    p->finding = judge_schema(j, &p->schema);
    if (p->finding != AGREE) {
        p->tally->counts[REFUSED]++;
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

static int run(struct tally *t)
{
    struct pair pair = {.tally = t, .judge = &t->judge};
    cupel_text_init(&pair.schema, NULL);
    cupel_text_init(&pair.instance, NULL);
    unsigned long group = 0;
    for (unsigned long pairs = 0; pairs < t->settings->pairs; group++)
        pairs += run_group(&pair, group);
    cupel_text_free(&pair.schema);
    cupel_text_free(&pair.instance);
    unsigned long failed = t->counts[REFUSED] + t->counts[DIFFERENT];
    unsigned long passed = t->counts[AGREE] + t->counts[UNDECIDED] + t->counts[UNKNOWN];
    if (t->settings->print)
        return 0;
    printf("%lu schemas; %lu pairs valid, %lu undecided, %lu unknown to the reference, "
           "%lu schemas refused\n",
           group, t->valid, t->counts[UNDECIDED], t->counts[UNKNOWN], t->counts[REFUSED]);
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
    struct tally tally = {.settings = &settings};
    int status = 2;
    if (!read_settings(&settings, argc, argv)) {
        fprintf(stderr,
                "usage: differential [--pairs N] [--seed N] [--dialect 4|6|7|2019|2020|9999]\n"
                "                    [--print] [--no-unevaluated] [--no-dynamic] [--no-formats]\n");
        return status;
    }
    tally.judge.reference_only = settings.print;
    if (judge_init(&tally.judge))
        status = run(&tally);
    judge_free(&tally.judge);
    return status;
}
