/* print_manual.c: prints the manual page cupel(1) from the tables of the command; run by the build.
 */
#include "cli/option_table.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Text as roff takes it: hyphens that can be copied, no escapes, no requests. */
static void put(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '-' || *text == '\\')
            printf("%s", *text == '-' ? "\\-" : "\\e");
        else if (*text == '\'' || *text == '"')
            printf("%s", *text == '\'' ? "\\(aq" : "\\(dq");
        else if (strncmp(text, "…", strlen("…")) == 0)
            printf("%s", "\\&..."), text += strlen("…") - 1;
        else
            putchar(*text);
    }
}

/* A verb with its synopsis; the summary becomes a sentence. */
static void put_verb(const struct cli_verb *verb)
{
    printf(".SS cupel ");
    put(verb->name);
    printf("\n.B cupel ");
    put(verb->name);
    printf("\n.RI [ OPTION \"...] ");
    put(verb->arguments);
    printf("\"\n.PP\n%c", toupper((unsigned char)verb->summary[0]));
    put(verb->summary + 1);
    printf(".\n");
    put(verb->explanation);
    printf("\n");
}

static void put_words(const struct cli_word *word)
{
    const char *between = "\nOne of ";
    for (; word != NULL && word->name != NULL; word++, between = ", ") {
        if (word->spelling)
            continue;
        printf("%s", between);
        put(word->name);
    }
    printf("%s\n", *between == ',' ? "." : "");
}

/* The verbs that have an option, but for --help, which all have. */
static void put_verbs(unsigned bits)
{
    const char *between = "Of ";
    if (bits == ~0u)
        return;
    for (unsigned i = 0; i < CLI_VERB_COUNT; i++) {
        if (!(bits & 1u << i))
            continue;
        printf("%s\\fB", between);
        put(cli_verbs[i].name);
        printf("\\fR");
        between = ", ";
    }
    printf(".\n");
}

/* An option with its letter, its value, its words and its verbs. */
static void put_option(const struct cli_option *option)
{
    printf(".TP\n");
    if (option->letter != 0)
        printf("\\fB\\-%c\\fR, ", option->letter);
    printf("\\fB\\-\\-");
    put(option->name);
    printf("\\fR");
    if (option->value != NULL) {
        printf(" \\fI");
        put(option->value);
        printf("\\fR");
    }
    printf("\n");
    put(option->help);
    put_words(option->effect.words);
    put_verbs(option->verbs);
}

static void put_status(int status, const char *meaning)
{
    printf(".TP\n.B %d\n", status);
    put(meaning);
    printf("\n");
}

/* The exit statuses, as enum cli_exit has them. */
static void put_statuses(void)
{
    printf(".SH EXIT STATUS\nWith several documents the largest counts.\n");
    put_status(0, "All documents are valid; nothing was found.");
    put_status(1, "A document is invalid, a definition breaks a rule, lists differ.");
    put_status(2, "The command line is wrong.");
    put_status(3, "A schema was refused.");
    put_status(4, "An input is not JSON, or cannot be read.");
    put_status(5, "A document is undecided: a limit was reached.");
    put_status(70, "An internal error, no memory, or output that cannot be written.");
}

/* The limits without their defaults, which `cupel help limits` prints. */
static void put_limits(void)
{
    printf(".SH LIMITS\n.B cupel help limits\nprints them with their defaults.\n");
    for (int i = 0; i < CLI_LIMITS; i++) {
        printf(".TP\n.B %s\n", cli_limits[i].name);
        put(cli_limits[i].help);
        printf("\n");
    }
}

/* The page: sections of man(7), with verbs, options and limits from the tables. */
int main(void)
{
    printf(".\\\" Made from cli/verbs.def and cli/options.def by cli/generate/print_manual.c.\n"
           ".TH CUPEL 1 \"\" cupel\n"
           ".SH NAME\ncupel \\- validate JSON against JSON Schema\n"
           ".SH SYNOPSIS\n.B cupel\n.I VERB\n.RI [ OPTION ...]\n.RI [ ARGUMENT ...]\n"
           ".SH DESCRIPTION\n"
           "cupel compiles a JSON Schema once and validates JSON against it quickly and safely: "
           "documents,\n"
           "and the messages between language models and servers of the Model Context Protocol.\n"
           "There are three outcomes: valid, invalid, and undecided if a limit was reached; cupel "
           "never "
           "guesses.\n"
           "Results go to the standard output, everything else to the standard error.\n"
           "Options may stand anywhere after the verb; \\fB\\-\\-\\fR ends them.  \\fB\\-\\fR as a "
           "file is the\n"
           "standard input.\n"
           ".SH VERBS\n");
    for (int i = 0; i < CLI_VERB_COUNT; i++)
        put_verb(&cli_verbs[i]);
    printf(".SH OPTIONS\n");
    for (int i = 0; i < CLI_OPTIONS; i++)
        put_option(&cli_options[i]);
    put_limits();
    put_statuses();
    printf(".SH EXAMPLES\n.nf\n"
           "cupel validate schema.json requests.jsonl\n"
           "cupel tools check catalog.json\n"
           "cupel tools call catalog.json < requests.jsonl\n"
           "cupel explain LIMIT_STEPS\n.fi\n");
    return 0;
}
