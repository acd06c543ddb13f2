/* find_verb.c: the verb that words of the command line name. */
#include "cli/cli.h"

#include <string.h>

const struct cli_verb *cli_find_verb(int argc, char **argv, int *ret_words)
{
    char two[64];
    snprintf(two, sizeof(two), "%s %s", argv[0], argc > 1 ? argv[1] : "");
    for (int i = 0; i < CLI_VERB_COUNT; i++) {
        bool pair = strchr(cli_verbs[i].name, ' ') != NULL;
        if (strcmp(cli_verbs[i].name, pair ? two : argv[0]) == 0) {
            *ret_words = pair ? 2 : 1;
            return &cli_verbs[i];
        }
    }
    return NULL;
}

int cli_no_verb(const char *word)
{
    struct cli_suggestion near = {.word = word};
    for (int i = 0; i < CLI_VERB_COUNT; i++)
        cli_suggest(&near, cli_verbs[i].name);
    if (near.best != NULL)
        cli_print_error("there is no verb %s; did you mean %s?", word, near.best);
    else
        cli_print_error("there is no verb %s; see cupel help", word);
    return CLI_USAGE;
}
