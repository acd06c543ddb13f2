/* option_table.h: verbs, options and limits as data, from verbs.def, options.def and limits.def.
 *
 * The parser, help, and the programs that print the manual and the completions read these tables.
 */
#ifndef CUPEL_CLI_OPTION_TABLE_H
#define CUPEL_CLI_OPTION_TABLE_H

#include <cupel/common.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- Verbs ---------------------------------------------------------------------------------------
 */

enum cli_verb_id {
#define VERB(id, name, arguments, summary, explanation, run) CLI_VERB_##id,
#include "cli/verbs.def"
    CLI_VERB_COUNT
};

struct cli_verb {
    enum cli_verb_id id;
    const char *name, *arguments, *summary, *explanation;
};

extern const struct cli_verb cli_verbs[CLI_VERB_COUNT];

/* -- Options -------------------------------------------------------------------------------------
 */

enum cli_option_id {
#define OPTION(id, name, letter, value, effect, verbs, help) CLI_OPTION_##id,
#include "cli/options.def"
    CLI_OPTIONS
};

/* A word that an option takes.  A list of them ends with one without a name. */
struct cli_word {
    const char *name;
    int value;
    bool spelling; /* a second spelling, which help does not show */
};

/* What becomes of an option's value. */
enum cli_effect_kind {
    CLI_FLAGS,  /* nothing: the option is its flags */
    CLI_SWITCH, /* a bool becomes true */
    CLI_TEXT,   /* a const char * becomes the value */
    CLI_COUNT,  /* a uint32_t becomes the value */
    CLI_CHOICE, /* an enumeration becomes what the word stands for */
    CLI_READ    /* options.c reads it */
};

struct cli_effect {
    enum cli_effect_kind kind;
    uint32_t engine,
        mcp;       /* flags of struct cupel_options and struct cupel_catalog_options to set */
    size_t member; /* offset in struct cli_settings */
    const struct cli_word *words;
    int initial; /* CHOICE: the member's value without the option; -1: it has one already */
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

/* -- Limits --------------------------------------------------------------------------------------
 */

/* A bound of the library by its name for --limit NAME=N. */
struct cli_limit {
    const char *name;
    enum cupel_limit id;
    uint64_t most;
    const char *help;
};

enum {
    CLI_LIMITS = 0
#define L(name, number, lower, value, most, affects, meaning) +1
#include <cupel/limits.def>
};

extern const struct cli_limit cli_limits[CLI_LIMITS];

#endif
