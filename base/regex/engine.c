/* engine.c: chooses the engine of a pattern, and the public functions of a matcher.
 *
 *   1. a specialised loop, if the pattern is simple (regex/simple_compile.c);
 *   2. automata with tables that are made when the pattern is compiled (regex/automata.c);
 *   3. if the tables would be too large: PCRE2, if regex/linear_time.c proves that it needs linear
 *      time; otherwise automata that are determinised while matching;
 *   4. backtracking under a budget (regex/backtrack.h), for back-references and for patterns that
 * are too large for automata.
 *
 * The choice depends on the pattern and the flags alone, and so do the steps that a match charges:
 * they are the same on every machine, with JIT and without. */
#include "base/error.h"
#include "base/regex/automata.h"
#include "base/regex/backtrack.h"
#include "base/regex/pcre2_engine.h"
#include "base/regex/regex.h"
#include <cupel/debug.h>

struct cupel__matcher {
    struct cupel_alloc alloc;
    uint32_t *words; /* a program of regex/automata.h or regex/backtrack.h; NULL: `pcre2` matches */
    uint32_t nwords;
    struct cupel__pcre2 *pcre2;
    uint32_t cost; /* of PCRE2: cupel__regex_linear_cost */
    enum cupel_engine engine;
    bool lenient;
};

struct cupel__matcher_scratch {
    struct cupel__linear_scratch linear;
    struct cupel__pcre2_scratch *pcre2; /* NULL until a pattern needs it */
};

unsigned cupel__matcher_flags(const struct cupel_options *options)
{
    static const struct {
        uint32_t option, flag;
    } flags[] = {{CUPEL_NO_JIT, CUPEL__MATCHER_NO_JIT},
                 {CUPEL_NO_BACK_REFERENCES, CUPEL__MATCHER_NO_BACKREF},
                 {CUPEL_NO_REGEX_SIMPLE, CUPEL__MATCHER_NO_SIMPLE},
                 {CUPEL_NO_REGEX_TABLES, CUPEL__MATCHER_NO_TABLE},
                 {CUPEL_NO_REGEX_LINEAR, CUPEL__MATCHER_NO_LINEAR}};
    unsigned result = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        result |= options->flags & flags[i].option ? flags[i].flag : 0;
    return result;
}

/* -- Compiling ------------------------------------------------------------------------------- */

/* Steps of compiling: any pattern, a leaf, a range in a class, PCRE2's compiler, a byte of its
 * input. */
enum { PATTERN = 300, LEAF = 20, RANGE = 20, PCRE2 = 4000, PCRE2_BYTE = 20 };

/* Prints the pattern for PCRE2 and compiles the text. */
static enum cupel_status add_pcre2(struct cupel__matcher *m, const struct cupel__regex *re,
                                   unsigned flags, int64_t *work, struct cupel_error *err)
{
    struct cupel_text text;
    unsigned how = (flags & CUPEL__MATCHER_NO_JIT) != 0 ? CUPEL__PCRE2_NO_JIT : 0;
    cupel_text_init(&text, &m->alloc);
    enum cupel_status status = cupel__regex_print_pcre2(re, &text, err);
    *work -= PCRE2 + PCRE2_BYTE * (int64_t)text.len;
    if (status == CUPEL_OK)
        status = cupel__pcre2_new(&m->alloc, text.bytes, text.len, how, &m->pcre2, err);
    cupel_text_free(&text);
    m->engine = CUPEL_ENGINE_PCRE2;
    return status;
}

/* Compiles the pattern for the linear engine. */
static enum cupel_status add_words(struct cupel__matcher *m, const struct cupel__regex *re,
                                   unsigned flags, int64_t *work)
{
    unsigned how = (flags & CUPEL__MATCHER_NO_SIMPLE) != 0 ? CUPEL__LINEAR_NO_SIMPLE : 0;
    if ((flags & CUPEL__MATCHER_NO_TABLE) != 0)
        how |= CUPEL__LINEAR_NO_TABLE;
    enum cupel_status status =
        cupel__linear_compile(&m->alloc, re, how, work, &m->words, &m->nwords);
    if (status == CUPEL_OK)
        m->engine = cupel__linear_engine(m->words);
    return status;
}

static void drop_words(struct cupel__matcher *m)
{
    cupel__free(&m->alloc, m->words, m->nwords * sizeof *m->words);
    m->words = NULL;
    m->nwords = 0;
}

static enum cupel_status add_backtrack(struct cupel__matcher *m, const struct cupel__regex *re,
                                       struct cupel_error *err)
{
    m->engine = CUPEL_ENGINE_BACKTRACK;
    enum cupel_status status = cupel__backtrack_compile(&m->alloc, re, &m->words, &m->nwords);
    return status == CUPEL_OK ? status
                              : cupel__error_set(err, status, "out of memory for a pattern");
}

/* The engine of a pattern that has no tables.  PCRE2 if it is proved linear and steps remain for
 * its compiler; then the automata, if there are any, are dropped.  Otherwise the automata, and
 * without these backtracking. */
static enum cupel_status choose_other(struct cupel__matcher *m, const struct cupel__regex *re,
                                      unsigned flags, int64_t *work, struct cupel_error *err)
{
    m->cost = re->has_backref ? 0 : cupel__regex_linear_cost(re);
    if (re->has_backref || (m->cost == 0 && m->words == NULL))
        return add_backtrack(m, re, err);
    if (m->cost == 0 || (m->words != NULL && *work < CUPEL__MATCHER_RESERVE))
        return CUPEL_OK;
    enum cupel_status status = add_pcre2(m, re, flags, work, err);
    if (status == CUPEL_OK || status == CUPEL_E_NO_MEMORY) {
        drop_words(m);
        return status;
    }
    m->engine = CUPEL_ENGINE_STATES;
    return m->words != NULL ? CUPEL_OK : add_backtrack(m, re, err);
}

/* Tries the engines in the order of the file's first comment. */
static enum cupel_status choose(struct cupel__matcher *m, const struct cupel__regex *re,
                                unsigned flags, int64_t *work, struct cupel_error *err)
{
    enum cupel_status status = CUPEL_E_UNSUPPORTED;
    if (re->has_backref && (flags & CUPEL__MATCHER_NO_BACKREF) != 0)
        return cupel__error_set(err, CUPEL_E_BACK_REFERENCE,
                                "back-references are refused: no engine bounds their work");
    if ((flags & CUPEL__MATCHER_ONLY_BACKTRACK) != 0)
        return add_backtrack(m, re, err);
    if (!re->has_backref && (flags & CUPEL__MATCHER_NO_LINEAR) == 0)
        status = add_words(m, re, flags, work);
    if (status == CUPEL_E_NO_MEMORY)
        return cupel__error_set(err, status, "out of memory for a pattern");
    if (status == CUPEL_OK &&
        (m->engine != CUPEL_ENGINE_STATES || (flags & CUPEL__MATCHER_NO_TABLE) != 0))
        return CUPEL_OK;
    return choose_other(m, re, flags, work, err);
}

static enum cupel_status no_steps(struct cupel_error *err)
{
    return cupel__error_set(err, CUPEL_E_PATTERN_STEPS,
                            "the patterns take too many steps to compile");
}

enum cupel_status cupel__matcher_charge(const struct cupel__regex *re, int64_t *work,
                                        struct cupel_error *err)
{
    *work -= PATTERN + LEAF * (int64_t)re->nleaves + RANGE * (int64_t)re->work;
    return *work >= 0 ? CUPEL_OK : no_steps(err);
}

enum cupel_status cupel__matcher_new(const struct cupel_alloc *alloc, const struct cupel__regex *re,
                                     unsigned flags, int64_t *work, struct cupel__matcher **ret,
                                     struct cupel_error *err)
{
    struct cupel_alloc a = cupel__alloc_or_default(alloc);
    struct cupel__matcher *m = cupel__realloc(&a, NULL, 0, sizeof *m);
    if (m == NULL)
        return cupel__error_set(err, CUPEL_E_NO_MEMORY, "out of memory for a pattern");
    *m = (struct cupel__matcher){.alloc = a, .lenient = re->lenient};
    enum cupel_status status = cupel__matcher_charge(re, work, err);
    if (status == CUPEL_OK)
        status = choose(m, re, flags, work, err);
    if (status == CUPEL_OK && *work < 0)
        status = no_steps(err);
    if (status != CUPEL_OK)
        cupel__matcher_free(m);
    else
        *ret = m;
    return status;
}

void cupel__matcher_free(struct cupel__matcher *m)
{
    if (m == NULL)
        return;
    struct cupel_alloc alloc = m->alloc;
    drop_words(m);
    cupel__pcre2_free(m->pcre2);
    cupel__free(&alloc, m, sizeof *m);
}

enum cupel_engine cupel__matcher_engine(const struct cupel__matcher *m)
{
    return m->engine;
}

bool cupel__matcher_is_lenient(const struct cupel__matcher *m)
{
    return m->lenient;
}

size_t cupel__matcher_size(const struct cupel__matcher *m)
{
    return sizeof *m + m->nwords * sizeof *m->words + cupel__pcre2_size(m->pcre2);
}

/* -- Matching -------------------------------------------------------------------------------- */

enum cupel_status cupel__matcher_scratch_new(const struct cupel_alloc *alloc, size_t limit,
                                             struct cupel__matcher_scratch **ret)
{
    struct cupel_alloc a = cupel__alloc_or_default(alloc);
    struct cupel__matcher_scratch *s = cupel__realloc(&a, NULL, 0, sizeof *s);
    if (s == NULL)
        return CUPEL_E_NO_MEMORY;
    s->pcre2 = NULL;
    cupel__linear_scratch_init(&s->linear, &a, limit);
    *ret = s;
    return CUPEL_OK;
}

void cupel__matcher_scratch_free(struct cupel__matcher_scratch *s)
{
    if (s == NULL)
        return;
    struct cupel_alloc alloc = s->linear.alloc;
    cupel__linear_scratch_free(&s->linear);
    cupel__pcre2_scratch_free(s->pcre2);
    cupel__free(&alloc, s, sizeof *s);
}

size_t cupel__matcher_scratch_size(const struct cupel__matcher_scratch *s)
{
    return s == NULL ? 0 : sizeof *s + s->linear.size;
}

/* PCRE2's scratch is made when the first pattern needs it.  It reads a code point about
 * CHARS_A_STEP times in the time of a step. */
static int run_pcre2(const struct cupel__matcher *m, struct cupel__matcher_scratch *s,
                     const char *subject, size_t len, int64_t *steps)
{
    enum { CHARS_A_STEP = 16 };
    enum cupel_status status = CUPEL_OK;
    *steps -= 1 + (int64_t)(len * m->cost / CHARS_A_STEP);
    if (*steps < 0)
        return CUPEL_E_LIMIT_STEPS;
    if (s->pcre2 == NULL)
        status = cupel__pcre2_scratch_new(&s->linear.alloc, &s->pcre2);
    return status != CUPEL_OK ? (int)status : cupel__pcre2_run(m->pcre2, s->pcre2, subject, len);
}

/* Dispatches to the engine; a matcher without words is PCRE2's. */
int cupel__matcher_run(const struct cupel__matcher *m, struct cupel__matcher_scratch *s,
                       const char *subject, size_t len, int64_t *steps)
{
    if (m->words == NULL)
        return run_pcre2(m, s, subject, len, steps);
    if (m->engine == CUPEL_ENGINE_BACKTRACK)
        return cupel__backtrack_run(m->words, &s->linear, subject, len, steps);
    return cupel__linear_run(m->words, &s->linear, subject, len, steps);
}
