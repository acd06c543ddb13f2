/* pcre2_none.c: takes the place of pcre2.c in a build without PCRE2 (meson option pcre2=disabled).
 *
 * Compiling a pattern reports that the engine is not there.  engine.c then matches the pattern with
 * automata whose states are found while matching, or with the backtracking engine under its budget.
 */
#include "base/error.h"
#include "base/memory.h"
#include "base/regex/pcre2_engine.h"

enum cupel_status cupel__pcre2_new(const struct cupel_alloc *alloc, const char *text, size_t len,
                                   unsigned flags, struct cupel__pcre2 **ret,
                                   struct cupel_error *err)
{
    (void)alloc, (void)text, (void)len, (void)flags, (void)ret;
    return cupel__error_set(err, CUPEL_E_UNSUPPORTED, "this build has no PCRE2");
}

void cupel__pcre2_free(struct cupel__pcre2 *compiled)
{
    (void)compiled;
}

size_t cupel__pcre2_size(const struct cupel__pcre2 *compiled)
{
    (void)compiled;
    return 0;
}

enum cupel_status cupel__pcre2_scratch_new(const struct cupel_alloc *alloc,
                                           struct cupel__pcre2_scratch **ret)
{
    (void)alloc, (void)ret;
    return CUPEL_E_UNSUPPORTED;
}

void cupel__pcre2_scratch_free(struct cupel__pcre2_scratch *scratch)
{
    (void)scratch;
}

int cupel__pcre2_run(const struct cupel__pcre2 *compiled, struct cupel__pcre2_scratch *scratch,
                     const char *subject, size_t len)
{
    (void)compiled, (void)scratch, (void)subject, (void)len;
    return CUPEL_E_UNSUPPORTED;
}
