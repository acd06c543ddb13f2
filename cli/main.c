/* main.c: finds the verb, reads its options and runs it.  What a verb does is in its own file. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>

static int (*const run_verbs[CLI_VERB_COUNT])(struct cli_settings *) = {
#define VERB(id, name, arguments, summary, explanation, run) run,
#include "cli/verbs.def"
};

int cli_run_version(struct cli_settings *settings)
{
    (void)settings;
    printf("cupel %s\n", cupel_version());
    return CLI_VALID;
}

/* Runs the verb help for another verb. */
static int help_for(const struct cli_verb *verb)
{
    char name[32];
    snprintf(name, sizeof(name), "%s", verb->name);
    char *words[] = {name};
    struct cli_settings settings = {.arguments = words, .count = 1};
    return cli_run_help(&settings);
}

/* The first word of several verbs, alone, before --help, or before a word that is none of theirs.
 */
static int group_or_nothing(int argc, char **argv)
{
    const size_t len = strlen(argv[0]);
    const char *first = NULL;
    bool alone = argc < 2 || argv[1][0] == '-';
    char pair[64];
    for (int i = 0; i < CLI_VERB_COUNT && first == NULL; i++)
        if (strncmp(cli_verbs[i].name, argv[0], len) == 0 && cli_verbs[i].name[len] == ' ')
            first = cli_verbs[i].name;
    snprintf(pair, sizeof(pair), "%s %s", argv[0], argc > 1 ? argv[1] : "");
    if (first == NULL || !alone)
        return cli_no_verb(first != NULL ? pair : argv[0]);
    printf("cupel %s takes one more word:\n\n", argv[0]);
    for (int i = 0; i < CLI_VERB_COUNT; i++)
        if (strncmp(cli_verbs[i].name, argv[0], len) == 0 && cli_verbs[i].name[len] == ' ')
            printf("  cupel %-18s %s\n", cli_verbs[i].name, cli_verbs[i].summary);
    printf("\ncupel help %s lists their options.\n", argv[0]);
    return argc > 1 ? CLI_VALID : CLI_USAGE;
}

/* Reads the options of a verb and runs it, unless --help is among them. */
static int run_verb(const struct cli_verb *verb, int argc, char **argv)
{
    struct cli_settings settings;
    bool help;
    cli_settings_init(&settings);
    int status = cli_parse(verb, argc, argv, &settings, &help);
    if (status == CLI_VALID && !help && cli_output_is_input(&settings))
        status = CLI_USAGE;
    if (status == CLI_VALID)
        status = help ? help_for(verb) : run_verbs[verb->id](&settings);
    cli_settings_free(&settings);
    return status;
}

/* --help, -h and --version stand for the verbs of these names.  Output that cannot be written is an
 * error, even if it is noticed only when the buffer is flushed. */
int main(int argc, char **argv)
{
    int words = 0;
    signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error of the write */
    if (argc < 2) {
        cli_print_error("no verb; see cupel help");
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        argv[1] = "help";
    if (strcmp(argv[1], "--version") == 0)
        argv[1] = "version";
    const struct cli_verb *verb = cli_find_verb(argc - 1, argv + 1, &words);
    if (verb == NULL) {
        return group_or_nothing(argc - 1, argv + 1);
    }
    int status = run_verb(verb, argc - 1 - words, argv + 1 + words);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_print_error("the output cannot be written");
        return CLI_INTERNAL;
    }
    return status;
}
