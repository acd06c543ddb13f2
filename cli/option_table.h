/* option_table.h: what can stand on the command line, as data: options.c reads by it, help.c prints
 * it, and the programs that make the manual and the completions (tests/tools) print it too. */
#ifndef CUPEL_CLI_OPTION_TABLE_H
#define CUPEL_CLI_OPTION_TABLE_H

#include <cupel/options.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cli_option_id {
#define OPTION(id, name, letter, value, effect, verbs, help) CLI_OPTION_##id,
#include "cli/options.def"
    CLI_OPTIONS
};

/* A word that an option takes.  Lists of them end in one without a name. */
struct cli_choice {
    const char *name;
    int value;
    bool spare; /* another spelling of one before, of which help says nothing */
};

/* What becomes of an option's value. */
enum cli_effect_kind {
    CLI_FLAGS,   /* nothing more than the flags */
    CLI_SETS,    /* a bool becomes true */
    CLI_TAKES,   /* a const char * becomes the value */
    CLI_CHOOSES, /* an enumeration becomes what the choice stands for */
    CLI_READS    /* options.c looks at it */
};

struct cli_effect {
    enum cli_effect_kind kind;
    uint32_t engine, mcp; /* flags of struct cupel_options and struct cupel_mcp_options to set */
    size_t member;        /* where in struct cli_settings */
    const struct cli_choice *choices;
};

struct cli_option {
    const char *name;
    char letter;       /* of the short form, or 0 */
    const char *value; /* what help calls it; NULL for a switch */
    struct cli_effect effect;
    unsigned verbs; /* a bit for each enum cli_verb_id that has it */
    const char *help;
};

extern const struct cli_option cli_options[CLI_OPTIONS];

/* A bound of the library by its name for --limit NAME=N. */
struct cli_limit {
    const char *name;
    enum cupel_limit id;
    uint64_t most;
    const char *help;
};

enum {
    CLI_LIMITS = 0
#define L(name, number, lower, value, most, meaning) +1
#include <cupel/limits.def>
};

extern const struct cli_limit cli_limits[CLI_LIMITS];

#endif
