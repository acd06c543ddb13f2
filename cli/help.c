/* help.c: cupel help, printed from the tables of option_table.h. */
#include "cli/cli.h"

#include <string.h>

enum { COLUMNS = 80, TEXT_COLUMN = 28 };

/* The columns of a text: its code points. */
static size_t width(const char *text, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

/* Prints a text from column *at, wrapped at COLUMNS; lines begin at column `left`. */
static void print_wrapped(const char *text, size_t left, size_t *at)
{
    while (*text != '\0') {
        size_t len = strcspn(text, " "), columns = width(text, len);
        if (*at > left && *at + 1 + columns > COLUMNS) {
            printf("\n%*s", (int)left, "");
            *at = left;
        }
        bool first = *at == left;
        printf("%s%.*s", first ? "" : " ", (int)len, text);
        *at += columns + !first;
        text += len + strspn(text + len, " ");
    }
}

static void print_words(const struct cli_word *word, size_t *at)
{
    print_wrapped("One of", TEXT_COLUMN, at);
    for (; word->name != NULL; word++) {
        char shown[32];
        bool last = word[1].name == NULL || word[1].spelling;
        if (word->spelling)
            continue;
        snprintf(shown, sizeof(shown), "%s%s", word->name, last ? "." : ",");
        print_wrapped(shown, TEXT_COLUMN, at);
    }
}

/* An option in two columns: its spellings, and what it does with the words it takes. */
static void print_option(const struct cli_option *option)
{
    const char *value = option->value != NULL ? option->value : "";
    int n = option->letter != 0 ? printf("  -%c, --%s %s", option->letter, option->name, value)
                                : printf("      --%s %s", option->name, value);
    if (n >= TEXT_COLUMN) {
        printf("\n");
        n = 0;
    }
    printf("%*s", TEXT_COLUMN - n, "");
    size_t at = TEXT_COLUMN;
    print_wrapped(option->help, TEXT_COLUMN, &at);
    if (option->effect.words != NULL)
        print_words(option->effect.words, &at);
    printf("\n");
}

/* A verb: synopsis, summary, explanation, options. */
static void print_verb(const struct cli_verb *verb)
{
    size_t at = 0;
    printf("cupel %s [OPTION…]%s%s\n    %s\n\n", verb->name, verb->arguments[0] != '\0' ? " " : "",
           verb->arguments, verb->summary);
    print_wrapped(verb->explanation, 0, &at);
    printf("%s", at != 0 ? "\n\n" : "");
    for (int i = 0; i < CLI_OPTIONS; i++)
        if (cli_options[i].verbs & 1u << verb->id)
            print_option(&cli_options[i]);
}

/* All verbs, a line each, and the exit statuses. */
static void print_overview(void)
{
    printf("cupel says whether JSON documents conform to a JSON Schema and, if not, what to "
           "change.\n\n");
    for (int i = 0; i < CLI_VERB_COUNT; i++) {
        const char *arguments = cli_verbs[i].arguments;
        int pad = 32 - (int)width(arguments, strlen(arguments));
        printf("  cupel %-17s %s%*s %s\n", cli_verbs[i].name, arguments, pad > 0 ? pad : 0, "",
               cli_verbs[i].summary);
    }
    printf("\ncupel help VERB lists the options of a verb, cupel help limits VERB its limits.\n"
           "Exit status: 0 valid, 1 invalid, 2 usage, 3 schema refused, 4 input not JSON or\n"
           "unreadable, 5 undecided (a limit), 70 internal error; the largest of several.\n");
}

/* Prints the verbs whose first words are `name`: "tools" stands for all verbs that begin with it.
 */
static int print_verbs(const char *name)
{
    bool found = false;
    size_t len = strlen(name);
    for (int i = 0; i < CLI_VERB_COUNT; i++) {
        const struct cli_verb *verb = &cli_verbs[i];
        if (strncmp(verb->name, name, len) != 0 ||
            (verb->name[len] != '\0' && verb->name[len] != ' '))
            continue;
        printf("%s", found ? "\n" : "");
        print_verb(verb);
        found = true;
    }
    return found ? CLI_VALID : cli_no_verb(name);
}

/* The limits of the verb behind the word "limits", or of validate. */
static int print_limits(const struct cli_settings *settings)
{
    int words;
    const struct cli_verb *verb = &cli_verbs[CLI_VERB_VALIDATE];
    if (settings->count > 1)
        verb = cli_find_verb(settings->count - 1, settings->arguments + 1, &words);
    if (verb == NULL)
        return cli_no_verb(settings->arguments[1]);
    cli_limits_print(verb);
    return CLI_VALID;
}

int cli_run_help(struct cli_settings *settings)
{
    char name[64] = "";
    for (int i = 0; i < settings->count && i < 2; i++)
        snprintf(name + strlen(name), sizeof(name) - strlen(name), "%s%s", i != 0 ? " " : "",
                 settings->arguments[i]);
    if (settings->count > 0 && strcmp(settings->arguments[0], "limits") == 0)
        return print_limits(settings);
    if (name[0] == '\0')
        print_overview();
    else
        return print_verbs(name);
    return CLI_VALID;
}
