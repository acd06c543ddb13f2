/* cases.c: cases that run for several dialects, each with its own documents for references. */
#include "cli/suite/suite.h"

#include <stdlib.h>
#include <string.h>

/* -- Compatibility ---------------------------------------------------------------------------- */

/* Whether a dialect meets one constraint, `N` or `>=N`, `<=N`, `=N`; -1 if the constraint is
 * malformed. */
static int meets(const char *word, size_t len, long dialect)
{
    char digits[8] = "";
    char *end;
    size_t skip = strspn(word, "<>=");
    if (skip >= len || len - skip >= sizeof(digits))
        return -1;
    memcpy(digits, word + skip, len - skip);
    long n = strtol(digits, &end, 10);
    if (*end != '\0' || n <= 0)
        return -1;
    if (skip == 0 || (skip == 2 && memcmp(word, ">=", 2) == 0))
        return dialect >= n;
    if (skip == 1 && *word == '=')
        return dialect == n;
    return skip == 2 && memcmp(word, "<=", 2) == 0 ? dialect <= n : -1;
}

/* Whether a dialect meets all constraints of a list separated by commas; -1 if one is malformed. */
static int compatible(const char *words, long dialect)
{
    int all = 1;
    for (;;) {
        size_t len = strcspn(words, ",");
        int one = meets(words, len, dialect);
        if (one < 0)
            return -1;
        all &= one;
        if (words[len] == '\0')
            return all;
        words += len + 1;
    }
}

/* -- Documents of a case ---------------------------------------------------------------------- */

/* A resolver that searches the documents of the case first, then those of --ref and --remotes. */
static int resolve(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                   size_t *ret_len)
{
    struct suite *suite = ctx;
    if (suite->externals != CUPEL_NO_NODE) {
        uint32_t schema = cupel_json_member(suite->doc, suite->externals, uri, uri_len);
        if (schema != CUPEL_NO_NODE) {
            *ret_text = cupel_json_span(suite->doc, schema, ret_len);
            return 0;
        }
    }
    return cli_refs_resolve(&suite->settings->refs, uri, uri_len, ret_text, ret_len);
}

/* -- Running ---------------------------------------------------------------------------------- */

/* Runs a case for each dialect that meets the constraints; false if they are malformed. */
static bool run_dialects(struct suite *suite, uint32_t group, const char *words,
                         void (*run)(struct suite *suite, uint32_t group))
{
    enum cupel_dialect only = suite->settings->engine.dialect;
    for (int i = 0; i < SUITE_DIALECTS; i++) {
        enum cupel_dialect dialect = suite_dialects[i].dialect;
        int fits = compatible(words, (long)dialect);
        if (fits < 0)
            return false;
        if (fits == 0 || (only != CUPEL_DIALECT_DEFAULT && only != dialect))
            continue;
        suite->engine.dialect = dialect;
        suite->dialect = suite_dialects[i].name;
        run(suite, group);
    }
    return true;
}

void suite_run_cases(struct suite *suite, uint32_t cases,
                     void (*run)(struct suite *suite, uint32_t group))
{
    uint32_t group = cupel_json_first(suite->doc, cases);
    suite->engine.resolver = resolve;
    suite->engine.resolver_ctx = suite;
    for (; group != CUPEL_NO_NODE; group = cupel_json_next(suite->doc, cases, group)) {
        bool some = cupel_json_member(suite->doc, group, "compatibility", 13) != CUPEL_NO_NODE;
        char *words = some ? suite_text(suite, group, "compatibility") : cli_copy("3", 1);
        suite->externals = cupel_json_member(suite->doc, group, "externalSchemas", 15);
        if (!run_dialects(suite, group, words, run)) {
            cli_print_error("%s: \"%s\" is no compatibility", suite->path, words);
            suite->worst = cli_worst(suite->worst, CLI_INPUT);
        }
        free(words);
    }
    suite->externals = CUPEL_NO_NODE;
    suite->dialect = NULL;
}
