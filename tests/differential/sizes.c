/* sizes.c: schemas and instances of many sizes, judged in every way that differential.c does.
 *
 * usage: sizes [--all | --list] [--most N] [NAME…]
 *
 * Without --all the sizes are those in `sizes`, on both sides of numbers at which product code
 * takes another way; with it, choices have every size up to 300, in every context.  --list prints
 * what is made of which size.  With --most no size is over N.  NAMEs: only these subjects.  The
 * verdict of each instance is known by construction and compared besides the reference's. */
#include "generate_sizes.h"
#include "judge.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t sizes[] = {
    1,    2,    3,    4,     5,     6,     7,     8,     9,     10,   11,   12,   13,   15,
    16,   17,   18,   19,    20,    21,    23,    24,    25,    31,   32,   33,   47,   48,
    49,   59,   60,   61,    62,    63,    64,    65,    66,    67,   95,   97,   99,   100,
    101,  119,  120,  127,   128,   129,   130,   191,   193,   199,  200,  201,  254,  255,
    256,  257,  258,  300,   511,   512,   513,   514,   1023,  1024, 1025, 2047, 2048, 2049,
    4095, 4096, 4097, 16383, 16384, 16385, 65534, 65535, 65536, 65537};
enum { SIZES = sizeof sizes / sizeof *sizes, MANY = 300 };

struct run {
    struct judge judge;
    struct cupel_text schema, instance, inner, value;
    unsigned long passed, failed, unknown;
    uint32_t most; /* no larger size */
    bool all, list;
    char **only;
    int nonly;
};

static bool is_wanted(const struct run *r, const char *name)
{
    for (int i = 0; i < r->nonly; i++)
        if (strcmp(r->only[i], name) == 0)
            return true;
    return r->nonly == 0;
}

/* Writes a template with the text in place of each @. */
static void fill(struct cupel_text *t, const char *template, const struct cupel_text *text)
{
    cupel_text_clear(t);
    for (; *template != '\0'; template ++)
        if (*template == '@')
            cupel_text_add(t, text->bytes, text->len);
        else
            cupel_text_add(t, template, 1);
}

/* The first of the places that are used: of large instances the last few. */
static uint32_t first_place(const struct run *r, uint32_t n, uint32_t nplaces)
{
    uint32_t used = n > 10000 ? 3 : n > MANY && !r->all ? 6 : nplaces;
    return used < nplaces ? nplaces - used : 0;
}

static void report(struct run *r, const char *name, uint32_t n, const char *why)
{
    r->failed++;
    printf("%s of %u: %s\n", name, n, why);
    printf("  schema   %.3000s\n  instance %.1000s\n", r->schema.bytes, r->instance.bytes);
}

static void judge_one(struct run *r, const char *name, uint32_t n, bool valid)
{
    struct judge *j = &r->judge;
    enum finding finding = judge_instance(j, &r->instance);
    struct cupel_outcome outcome;
    if (finding >= REFUSED) {
        report(r, name, n, j->why);
        return;
    }
    if ((cupel_validate(j->programs[0], j->scratch, r->instance.bytes, r->instance.len, &outcome) ==
         CUPEL_VALID) != valid) {
        report(r, name, n,
               valid ? "invalid by all, but made valid" : "valid by all, but made invalid");
        return;
    }
    r->unknown += finding != AGREE;
    r->passed++;
}

static bool take_schema(struct run *r, const char *name, uint32_t n)
{
    if (judge_schema(&r->judge, &r->schema) == AGREE)
        return true;
    cupel_text_clear(&r->instance);
    report(r, name, n, r->judge.why);
    return false;
}

/* -- Choices --------------------------------------------------------------------------------------
 */

static void write_choice(struct cupel_text *t, const struct sizes_choice *c, uint32_t n, bool one)
{
    cupel_text_clear(t);
    cupel_text_adds(t, one ? "{\"oneOf\": [" : "{\"anyOf\": [");
    for (uint32_t i = 0; i < n; i++) {
        cupel_text_adds(t, i > 0 ? ", " : "");
        c->branch(t, n, i);
    }
    cupel_text_adds(t, "]}");
}

static void run_choice(struct run *r, const struct sizes_choice *c, uint32_t n, bool one,
                       const struct sizes_context *context)
{
    uint32_t places[SIZES_PLACES], nplaces = sizes_places(n, places);
    write_choice(&r->inner, c, n, one);
    fill(&r->schema, context->schema, &r->inner);
    if (!take_schema(r, c->name, n))
        return;
    for (uint32_t p = first_place(r, n, nplaces); p < nplaces; p++)
        for (int kind = 0; kind < c->kinds; kind++) {
            cupel_text_clear(&r->value);
            int passes = c->value(&r->value, n, places[p], kind);
            if (passes == SIZES_NONE)
                continue;
            fill(&r->instance, context->instance, &r->value);
            judge_one(r, c->name, n, (one ? passes == 1 : passes > 0) != context->inverts);
        }
}

/* In the first context always, in the others by turns, or with --all in each; many branches in the
 * first alone. */
static void run_choices(struct run *r, const struct sizes_choice *c, uint32_t number, uint32_t n)
{
    if (r->list)
        printf("choices/%s %u\n", c->name, n);
    for (uint32_t i = 0; i < sizes_ncontexts && !r->list; i++) {
        bool turn = (n + number + i) % 12 == 0 && (n <= MANY || r->all);
        if (i > 0 && !turn && !(r->all && n <= MANY))
            continue;
        run_choice(r, c, n, true, &sizes_contexts[i]);
        if (turn || (i == 0 && (n <= MANY || r->all)))
            run_choice(r, c, n, false, &sizes_contexts[i]);
    }
}

/* -- Other subjects -------------------------------------------------------------------------------
 */

static void run_subject(struct run *r, const struct sizes_subject *s, uint32_t n,
                        const struct sizes_context *context)
{
    uint32_t places[SIZES_PLACES], nplaces = sizes_places(n, places);
    cupel_text_clear(&r->inner);
    s->schema(&r->inner, n);
    fill(&r->schema, context->schema, &r->inner);
    if (!take_schema(r, s->name, n))
        return;
    for (uint32_t p = first_place(r, n, nplaces); p < nplaces; p++)
        for (int kind = 0; kind < s->kinds; kind++) {
            cupel_text_clear(&r->value);
            int valid = s->value(&r->value, n, places[p], kind);
            if (valid == SIZES_NONE)
                continue;
            fill(&r->instance, context->instance, &r->value);
            judge_one(r, s->name, n, (valid != 0) != context->inverts);
        }
}

static void run_subjects(struct run *r, const struct sizes_subject *s, uint32_t number, uint32_t n)
{
    if (r->list)
        printf("subjects/%s %u\n", s->name, n);
    else
        run_subject(r, s, n, &sizes_contexts[0]);
    for (uint32_t i = 1; i < 4 && n <= MANY && !r->list; i++)
        if (r->all || (n + number) % 3 == i - 1)
            run_subject(r, s, n, &sizes_contexts[i]);
}

/* -- The command ----------------------------------------------------------------------------------
 */

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void run_all(struct run *r)
{
    for (uint32_t i = 0; i < sizes_nchoices; i++) {
        const struct sizes_choice *c = &sizes_choices[i];
        for (uint32_t n = 1; n <= MANY && r->all && is_wanted(r, c->name); n++)
            run_choices(r, c, i, n);
        for (uint32_t k = 0; k < SIZES && is_wanted(r, c->name); k++)
            if (sizes[k] <= min_u32(c->most, r->most) && !(r->all && sizes[k] <= MANY))
                run_choices(r, c, i, sizes[k]);
    }
    for (uint32_t i = 0; i < sizes_nsubjects; i++)
        for (uint32_t k = 0; k < SIZES && is_wanted(r, sizes_subjects[i].name); k++)
            if (sizes[k] <= min_u32(sizes_subjects[i].most, r->most))
                run_subjects(r, &sizes_subjects[i], i, sizes[k]);
}

int main(int argc, char **argv)
{
    struct run r = {.most = UINT32_MAX};
    int status = 2, arg = 1;
    for (; arg < argc && strncmp(argv[arg], "--", 2) == 0; arg++) {
        r.all |= strcmp(argv[arg], "--all") == 0;
        r.list |= strcmp(argv[arg], "--list") == 0;
        if (strcmp(argv[arg], "--most") == 0 && arg + 1 < argc)
            r.most = (uint32_t)strtoul(argv[++arg], NULL, 10);
    }
    r.only = argv + arg;
    r.nonly = argc - arg;
    r.judge.dialect = CUPEL_2020_12;
    r.judge.roomy = true;
    struct cupel_text *texts[] = {&r.schema, &r.instance, &r.inner, &r.value};
    for (size_t i = 0; i < 4; i++)
        cupel_text_init(texts[i], NULL);
    if (judge_init(&r.judge)) {
        run_all(&r);
        status = r.failed != 0;
        if (!r.list)
            printf("%lu unknown to the reference\n%lu passed, %lu failed\n", r.unknown, r.passed,
                   r.failed);
    }
    judge_free(&r.judge);
    for (size_t i = 0; i < 4; i++)
        cupel_text_free(texts[i]);
    return status;
}
