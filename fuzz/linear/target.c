/* target.c: patterns and subjects for base/regex_linear.h, and programs of strangers.
 *
 * The input is a pattern, the byte 0xFF, which is in no UTF-8, a subject, and perhaps another 0xFF
 * and changes: of each three bytes two say which word and one what is flipped in it.  Beyond what
 * sanitizers see:
 *   - what is compiled is verified;
 *   - PCRE2 has the same verdict wherever both decide;
 *   - a budget is charged;
 *   - a program that was changed, if it is verified, runs within its bounds. */
#include "regex_linear.h"
#include "utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_MAX = 1024, SUBJECT_MAX = 2048, BUDGET = 2000 * 1000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    struct cupel__str pattern, subject, changes;
};

static void require(bool ok)
{
    if (!ok)
        abort();
}

static int run(const uint32_t *words, struct cupel__str subject)
{
    struct cupel__linear_scratch scratch;
    int64_t steps = BUDGET;
    cupel__linear_scratch_init(&scratch, NULL);
    int rc = cupel__linear_run(words, &scratch, subject.p, subject.n, &steps);
    cupel__linear_scratch_free(&scratch);
    require(rc == 0 || rc == 1 || rc == CUPEL_E_LIMIT_REGEX);
    require(steps <= BUDGET - 1 - (int64_t)(subject.n / 16));
    return rc;
}

static int run_pcre2(const struct cupel__regex *re, struct cupel__str subject)
{
    struct cupel__matcher *m;
    struct cupel__matcher_scratch *scratch;
    struct cupel_text text;
    int64_t steps = BUDGET;
    int rc = CUPEL_E_UNSUPPORTED;
    cupel_text_init(&text, NULL);
    if (cupel__regex_print_pcre2(re, &text, NULL) == CUPEL_OK &&
        cupel__matcher_new(NULL, text.bytes, text.len, 0, &m, NULL) == CUPEL_OK) {
        require(cupel__matcher_scratch_new(NULL, &scratch) == CUPEL_OK);
        rc = cupel__matcher_run(m, scratch, subject.p, subject.n, &steps);
        cupel__matcher_scratch_free(scratch);
        cupel__matcher_free(m);
    }
    cupel_text_free(&text);
    return rc;
}

static void change(uint32_t *words, uint32_t nwords, struct cupel__str changes)
{
    for (size_t i = 0; i + 3 <= changes.n; i += 3) {
        unsigned char at[3];
        memcpy(at, changes.p + i, 3);
        words[(at[0] | (uint32_t)at[1] << 8) % nwords] ^= UINT32_C(1) << (at[2] % 32);
    }
}

static void check(const struct input *in)
{
    struct cupel_alloc alloc = cupel__alloc_or_default(NULL);
    struct cupel__arena arena;
    struct cupel__regex re;
    uint32_t *words, nwords;
    cupel__arena_init(&arena, NULL, 0);
    if (cupel__regex_parse(&arena, in->pattern.p, in->pattern.n, 0, &re, NULL) == CUPEL_OK &&
        cupel__linear_compile(NULL, &re, &words, &nwords, NULL) == CUPEL_OK) {
        require(cupel__linear_verify(words, nwords));
        int linear = run(words, in->subject), pcre2 = run_pcre2(&re, in->subject);
        require(linear < 0 || pcre2 < 0 || linear == pcre2);
        change(words, nwords, in->changes);
        if (cupel__linear_verify(words, nwords))
            (void)run(words, in->subject);
        cupel__free(&alloc, words, nwords * sizeof *words);
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
    struct input in;
    in.pattern = cut(&rest);
    in.subject = cut(&rest);
    in.changes = rest;
    if (in.pattern.n <= PATTERN_MAX && in.subject.n <= SUBJECT_MAX &&
        cupel__utf8_valid(in.subject.p, in.subject.n))
        check(&in);
    return 0;
}
