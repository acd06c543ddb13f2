/* explain.c: cupel explain: what a code means: the id of a problem, a status, a rule, or a
 * gateway's reason. Without a code it lists all but rules, which docs/rules.md has. */
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

enum { MOST_CODES = 256 };

static void print(const char *id, int number, const char *what, const char *meaning)
{
    printf("%s (%d): %s\n    %s\n", id, number, what, meaning);
}

/* The paragraph of errors.def for a status. */
static const char *status_meaning(enum cupel_status status)
{
    switch ((int)status) {
#define E(name, number, message, paragraph) \
    case number:                            \
        return paragraph;
#include <cupel/errors.def>
    }
    return "";
}

/* Whether a word names the code.  Case is ignored, hyphens equal underscores, and the prefixes of
 * the header's constants may be there. */
static bool is_named(const char *word, const char *name)
{
    if (strncmp(word, "CUPEL_E_", 8) == 0 || strncmp(word, "CUPEL_P_", 8) == 0)
        word += 8;
    for (; *word != '\0' || *name != '\0'; word++, name++) {
        char a = *word == '_' ? '-' : (char)tolower((unsigned char)*word);
        char b = *name == '_' ? '-' : (char)tolower((unsigned char)*name);
        if (a != b)
            return false;
    }
    return true;
}

/* Prints the rule that the word names; returns how many were printed. */
static int explain_rule(const char *word)
{
    char id[64];
    size_t len = 0;
    for (; word != NULL && word[len] != '\0' && len < sizeof(id) - 1; len++)
        id[len] = word[len] == '_' ? '-' : (char)tolower((unsigned char)word[len]);
    id[len] = '\0';
    const char *paragraph = cupel_rule_meaning(id);
    if (paragraph == NULL)
        return 0;
    printf("%s: a rule\n    %s\n", id, paragraph);
    return 1;
}

static const struct {
    const char *word, *what, *meaning;
} reasons[] = {
#define W(word, meaning) {word, "the reason of a gateway", meaning},
#define V(word, meaning) {word, "the verdict of a gateway", meaning},
#include "cli/reasons.def"
};

/* Prints the reason of a gateway's counter that the word names, or all; returns how many were
 * printed. */
static int explain_reasons(const char *word)
{
    int found = 0;
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if (word != NULL && !is_named(word, reasons[i].word))
            continue;
        printf("%s: %s\n    %s\n", reasons[i].word, reasons[i].what, reasons[i].meaning);
        found++;
    }
    return found;
}

static const struct {
    const char *kind, *meaning;
} faults[] = {
#define F(kind, meaning) {kind, meaning},
#include "cli/faults.def"
};

/* Prints the kind of fault that the word names, or all; returns how many were printed. */
static int explain_faults(const char *word)
{
    int found = 0;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        if (word != NULL && !is_named(word, faults[i].kind))
            continue;
        printf("%s: a fault of a text or a schema\n    %s\n", faults[i].kind, faults[i].meaning);
        found++;
    }
    return found;
}

/* The problems of keywords whose names say something else. */
static const struct {
    const char *keyword, *id;
} keywords[] = {{"additionalProperties", "unknown-property"},
                {"unevaluatedProperties", "unknown-property"},
                {"properties", "nothing-allowed"},
                {"additionalItems", "unknown-item"},
                {"unevaluatedItems", "unknown-item"},
                {"items", "unknown-item"},
                {"anyOf", "no-alternative"},
                {"oneOf", "no-alternative"},
                {"oneOf", "many-alternatives"},
                {"not", "excluded"},
                {"contains", "contains-few"},
                {"minContains", "contains-few"},
                {"maxContains", "contains-many"},
                {"dependencies", "dependent-required"},
                {"false", "nothing-allowed"}};

/* Whether a word is a keyword that has this problem: minLength has min-length. */
static bool is_keyword_of(const char *word, const char *id)
{
    char hyphens[64];
    size_t n = 0;
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
        if (strcmp(keywords[i].keyword, word) == 0 && strcmp(keywords[i].id, id) == 0)
            return true;
    for (; *word != '\0' && n + 3 < sizeof(hyphens); word++) {
        if (isupper((unsigned char)*word))
            hyphens[n++] = '-';
        hyphens[n++] = (char)tolower((unsigned char)*word);
    }
    hyphens[n] = '\0';
    return strcmp(hyphens, id) == 0;
}

/* Whether a word is the number of a code. */
static bool is_number(const char *word, int code)
{
    char number[16];
    snprintf(number, sizeof(number), "%d", code);
    return strcmp(word, number) == 0;
}

/* Prints each problem, status, rule, reason and fault that the word names, or all that are listed
 * if it is NULL; returns how many were printed. */
static int explain(const char *word)
{
    int found = explain_rule(word) + explain_reasons(word) + explain_faults(word);
    for (int code = 1; code < MOST_CODES; code++) {
        const char *id = cupel_problem_id((enum cupel_problem_code)code);
        if (strcmp(id, "?") == 0 || (word != NULL && !is_named(word, id) &&
                                     !is_keyword_of(word, id) && !is_number(word, code)))
            continue;
        print(id, code, "a problem of an instance",
              cupel_problem_meaning((enum cupel_problem_code)code));
        found++;
    }
    for (int code = 0; code > -MOST_CODES; code--) {
        const char *name = cupel_status_name((enum cupel_status)code);
        if (strcmp(name, "?") == 0 ||
            (word != NULL && !is_named(word, name) && !is_number(word, code)))
            continue;
        print(name, code, cupel_status_message((enum cupel_status)code),
              status_meaning((enum cupel_status)code));
        found++;
    }
    return found;
}

int cli_run_explain(struct cli_settings *settings)
{
    if (settings->count == 0)
        explain(NULL);
    for (int i = 0; i < settings->count; i++) {
        if (explain(settings->arguments[i]) == 0) {
            cli_print_error("there is no code %s; cupel explain lists them",
                            settings->arguments[i]);
            return CLI_USAGE;
        }
    }
    return CLI_VALID;
}
