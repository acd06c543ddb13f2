/* target.c: patterns and subjects for base/regex/regex.h.
 *
 * The input is a pattern, the byte 0xFF, which is in no UTF-8, and a subject.  Beyond what
 * sanitizers see:
 *   - a pattern of the strict grammar reads the same without REGEX_STRICT;
 *   - what is printed is ASCII, and holds nothing that PCRE2 has beyond ECMA-262;
 *   - JIT and interpreter agree wherever they decide, and safe patterns stay within the match
 * limit;
 *   - a budget is charged. */
#include "../target.h"
#include "base/regex/pcre2_engine.h"
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

/* PCRE2 may need exponential time for a pattern that is not safe, and never gets one but here. */
enum { PATTERN_MAX = 4096, SUBJECT_MAX = 2048, UNSAFE_SUBJECT_MAX = 16 };

static int run(const struct cupel_text *text, struct cupel__str subject, unsigned flags,
               struct cupel__pcre2_scratch *scratch)
{
    struct cupel_error err;
    struct cupel__pcre2 *m;
    enum cupel_status status = cupel__pcre2_new(NULL, text->bytes, text->len, flags, &m, &err);
    if (status != CUPEL_OK)
        return status;
    int rc = cupel__pcre2_run(m, scratch, subject.p, subject.n);
    cupel__pcre2_free(m);
    require(rc == 0 || rc == 1 || rc == CUPEL_E_LIMIT_REGEX);
    return rc;
}

static void match_all_ways(const struct cupel_text *text, struct cupel__str subject, bool safe)
{
    struct cupel__pcre2_scratch *scratch;
    require(cupel__pcre2_scratch_new(NULL, &scratch) == CUPEL_OK);
    int jit = run(text, subject, 0, scratch);
    int interpreter = run(text, subject, CUPEL__PCRE2_NO_JIT, scratch);
    require(jit < 0 || interpreter < 0 || jit == interpreter);
    require(!safe || (jit != CUPEL_E_LIMIT_REGEX && interpreter != CUPEL_E_LIMIT_REGEX));
    cupel__pcre2_scratch_free(scratch);
}

/* Appends the translation; false if the pattern is refused. */
static bool translate(struct cupel__str pattern, unsigned flags, struct cupel_text *text,
                      bool *ret_safe, bool *ret_lenient)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel_error err;
    cupel__arena_init(&arena, NULL, 0);
    bool ok = cupel__regex_parse(&arena, pattern.p, pattern.n, flags, &re, &err) == CUPEL_OK;
    if (ok) {
        *ret_safe = cupel__regex_is_linear(&re);
        *ret_lenient = re.lenient;
        ok = cupel__regex_print_pcre2(&re, text, &err) == CUPEL_OK;
    } else {
        require(err.status == CUPEL_E_PATTERN || err.status == CUPEL_E_PATTERN_SIZE);
        require(err.offset <= pattern.n);
    }
    cupel__arena_free(&arena);
    return ok;
}

static bool same(const struct cupel_text *a, const struct cupel_text *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->bytes, b->bytes, a->len) == 0);
}

/* ASCII without verbs, callouts, recursion, comments, named groups, other escapes than \b \B \x{}
 * \z. */
static bool is_harmless(const struct cupel_text *text)
{
    for (size_t i = 0; i < text->len; i++) {
        char c = text->bytes[i], next = i + 1 < text->len ? text->bytes[i + 1] : '\0';
        char after = i + 2 < text->len ? text->bytes[i + 2] : '\0';
        if (c < ' ' || c > '~' || (c == '\\' && (next == '\0' || strchr("bBxz", next) == NULL)))
            return false;
        if (c == '(' && (next != '?' || after == '\0' || strchr(":=!<", after) == NULL))
            return false;
    }
    return true;
}

static void check(struct cupel__str pattern, struct cupel__str subject)
{
    struct cupel_text text, strict;
    bool safe = false, lenient = false;
    cupel_text_init(&text, NULL);
    cupel_text_init(&strict, NULL);
    if (translate(pattern, 0, &text, &safe, &lenient)) {
        require(is_harmless(&text));
        bool ok = translate(pattern, CUPEL__REGEX_STRICT, &strict, &safe, &lenient);
        require(ok ? same(&strict, &text) : lenient);
        if ((safe || subject.n <= UNSAFE_SUBJECT_MAX) && cupel__utf8_valid(subject.p, subject.n))
            match_all_ways(&text, subject, safe);
    }
    cupel_text_free(&strict);
    cupel_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *p = (const char *)data;
    const char *end = size == 0 ? NULL : memchr(p, 0xFF, size);
    size_t n = end == NULL ? size : (size_t)(end - p);
    struct cupel__str subject = {"", 0};
    if (end != NULL)
        subject = (struct cupel__str){end + 1, size - n - 1};
    if (n <= PATTERN_MAX && subject.n <= SUBJECT_MAX)
        check((struct cupel__str){p, n}, subject);
    return 0;
}
