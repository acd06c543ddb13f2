/* target.c: patterns and subjects for base/regex/automata.h.
 *
 * The input is a pattern, the byte 0xFF, which is in no UTF-8, a subject, and perhaps another 0xFF
 * and a choice (choice.h).  Beyond what sanitizers see:
 *   - two of all ways, or all, have the same verdict: loops of their own, tables, states found on
 * the way; and, wherever they decide, PCRE2 and a walk;
 *   - a budget is charged, and not passed over. */
#include "../target.h"
#include "../choice.h"
#include "base/regex/automata.h"
#include "base/regex/pcre2_engine.h"
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

/* PCRE2 may need exponential time for a pattern that is not safe, and never gets one but here. */
enum { PATTERN_MAX = 1024, SUBJECT_MAX = 2048, UNSAFE_SUBJECT_MAX = 16, BUDGET = 100 * 1000 };

static int run(const struct cupel__regex *re, unsigned flags, struct cupel__str subject)
{
    struct cupel_alloc alloc = cupel__alloc_or_default(NULL);
    struct cupel__linear_scratch scratch;
    uint32_t *words, nwords;
    int64_t steps = BUDGET, work = CUPEL__MATCHER_WORK;
    int rc = cupel__linear_compile(NULL, re, flags, &work, &words, &nwords);
    if (rc != CUPEL_OK)
        return rc;
    cupel__linear_scratch_init(&scratch, NULL, SIZE_MAX);
    rc = cupel__linear_run(words, &scratch, subject.p, subject.n, &steps);
    cupel__linear_scratch_free(&scratch);
    cupel__free(&alloc, words, nwords * sizeof *words);
    require(rc == 0 || rc == 1 || rc == CUPEL_E_LIMIT_STEPS);
    require(steps <= BUDGET - 1 - (int64_t)(subject.n / 16));
    return rc;
}

static int run_pcre2(const struct cupel__regex *re, struct cupel__str subject)
{
    struct cupel__pcre2 *m;
    struct cupel__pcre2_scratch *scratch;
    struct cupel_text text;
    int rc = CUPEL_E_UNSUPPORTED;
    cupel_text_init(&text, NULL);
    if ((subject.n <= UNSAFE_SUBJECT_MAX || cupel__regex_is_linear(re)) &&
        cupel__regex_print_pcre2(re, &text, NULL) == CUPEL_OK &&
        cupel__pcre2_new(NULL, text.bytes, text.len, CUPEL__PCRE2_NO_JIT, &m, NULL) == CUPEL_OK) {
        require(cupel__pcre2_scratch_new(NULL, &scratch) == CUPEL_OK);
        rc = cupel__pcre2_run(m, scratch, subject.p, subject.n);
        cupel__pcre2_scratch_free(scratch);
        cupel__pcre2_free(m);
    }
    cupel_text_free(&text);
    return rc;
}

/* A walk, for which a budget may be too small. */
static int walk(const struct cupel__regex *re, struct cupel__str subject)
{
    struct cupel__matcher *m;
    struct cupel__matcher_scratch *scratch;
    int64_t steps = BUDGET, work = INT64_MAX;
    require(cupel__matcher_new(NULL, re, CUPEL__MATCHER_ONLY_BACKTRACK, &work, &m, NULL) ==
            CUPEL_OK);
    require(cupel__matcher_scratch_new(NULL, SIZE_MAX, &scratch) == CUPEL_OK);
    int rc = cupel__matcher_run(m, scratch, subject.p, subject.n, &steps);
    require(rc == 0 || rc == 1 || rc == CUPEL_E_LIMIT_STEPS || rc == CUPEL_E_LIMIT_REGEX);
    require((steps < 0) == (rc == CUPEL_E_LIMIT_STEPS));
    cupel__matcher_scratch_free(scratch);
    cupel__matcher_free(m);
    return rc;
}

/* The automata in four ways, PCRE2, a walk. */
enum { AUTOMATA = 4, PCRE2 = AUTOMATA, WALK, WAYS };

static int run_way(const struct cupel__regex *re, uint32_t way, struct cupel__str subject)
{
    if (way == PCRE2)
        return run_pcre2(re, subject);
    return way == WALK ? walk(re, subject) : run(re, way, subject);
}

/* The ways that are chosen agree where they decide; `pattern` may be anything. */
static void check(struct cupel__str pattern, struct cupel__str subject, uint32_t choice)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    cupel__arena_init(&arena, NULL, 0);
    if (cupel__regex_parse(&arena, pattern.p, pattern.n, 0, &re, NULL) == CUPEL_OK) {
        const uint32_t another = choice % WAYS + 1 + choice / WAYS % (WAYS - 1);
        int verdict = -1;
        for (uint32_t way = 0; way < WAYS; way++) {
            if (!chosen(choice, way, WAYS) && !chosen(another, way, WAYS))
                continue;
            int rc = run_way(&re, way, subject);
            require(rc < 0 || verdict < 0 || rc == verdict);
            verdict = rc < 0 ? verdict : rc;
        }
    }
    cupel__arena_free(&arena);
}

/* Cuts off what stands before the next 0xFF. */
static struct cupel__str cut(struct cupel__str *rest)
{
    struct cupel__str part = *rest;
    const char *end = rest->n == 0 ? NULL : memchr(rest->p, 0xFF, rest->n);
    part.n = end == NULL ? rest->n : (size_t)(end - rest->p);
    size_t used = end == NULL ? part.n : part.n + 1;
    *rest = (struct cupel__str){rest->p + used, rest->n - used};
    return part;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cupel__str rest = {size == 0 ? "" : (const char *)data, size};
    struct cupel__str pattern = cut(&rest), subject = cut(&rest);
    const uint32_t choice = (uint32_t)choice_read((const uint8_t *)rest.p, rest.n);
    if (pattern.n <= PATTERN_MAX && subject.n <= SUBJECT_MAX &&
        cupel__utf8_valid(subject.p, subject.n))
        check(pattern, subject, choice);
    return 0;
}
