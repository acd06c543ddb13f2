/* results.c: counts what became of tests and prints failures. */
#include "cli/suite/suite.h"

#include <string.h>

/* Control characters become spaces, so that a message stays one line. */
char *suite_text(struct suite *suite, uint32_t object, const char *key)
{
    size_t len = 0;
    uint32_t node = cupel_json_member(suite->doc, object, key, strlen(key));
    const char *text = node != CUPEL_NO_NODE ? cupel_json_string(suite->doc, node, &len) : NULL;
    char *copy = cli_copy(text != NULL ? text : "?", text != NULL ? len : 1);
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20)
            *c = ' ';
    return copy;
}

/* A failure on the list of known ones counts as skipped. */
static void count_failure(struct suite *suite, const char *expected, const char *got)
{
    struct suite_known *known =
        suite_list_find(&suite->known, suite->path, suite->group, suite->test);
    if (known != NULL) {
        known->failed++;
        suite->skipped++;
        return;
    }
    suite->failed++;
    cli_line(stdout, "%s | %s | %s | expected %s, got %s%s%s", suite->path, suite->group,
             suite->test, expected, got, suite->dialect != NULL ? " in " : "",
             suite->dialect != NULL ? suite->dialect : "");
}

static void count_pass(struct suite *suite)
{
    struct suite_known *known =
        suite_list_find(&suite->known, suite->path, suite->group, suite->test);
    if (known != NULL)
        known->passed++;
    suite->passed++;
}

/* A test that this build cannot decide (IDNA without libidn2) is skipped. */
void suite_count(struct suite *suite, const char *expected, const char *got)
{
    if (strcmp(got, cupel_status_name(CUPEL_E_UNSUPPORTED)) == 0)
        suite->skipped++;
    else if (strcmp(expected, got) == 0)
        count_pass(suite);
    else
        count_failure(suite, expected, got);
}

void suite_check_list(struct suite *suite)
{
    for (size_t i = 0; i < suite->known.count; i++) {
        const struct suite_known *known = &suite->known.entries[i];
        if (known->passed == 0 || known->failed != 0)
            continue;
        suite->failed++;
        cli_line(stdout, "%s:%u: %s | %s | %s passes: remove it from the list",
                 suite->settings->known, (unsigned)known->line, known->path, known->group,
                 known->test);
    }
}
