/* option_table.c: the tables of option_table.h, expanded from their lists. */
#include "cli/option_table.h"
#include "cli/cli.h"

const struct cli_verb cli_verbs[CLI_VERB_COUNT] = {
#define VERB(id, name, arguments, summary, explanation, run) \
    {CLI_VERB_##id, name, arguments, summary, explanation},
#include "cli/verbs.def"
};

#define WORDS(list)           static const struct cli_word list[] = {
#define WORD(word, value)     {word, value, false},
#define SPELLING(word, value) {word, value, true},
#define WORDS_END      \
    {                  \
        NULL, 0, false \
    }                  \
    }                  \
    ;
#include "cli/options.def"

/* Groups of verbs that share options. */
#define ON(id)    (1u << CLI_VERB_##id)
#define RESOLVING (ON(VALIDATE) | ON(COMPILE) | ON(DISASM))
#define COMPILING (ON(VALIDATE) | ON(COMPILE) | ON(DISASM) | ON(SUITE) | ON(BENCH))
#define TOOLS                                                                               \
    (ON(TOOLS_CHECK) | ON(TOOLS_CALL) | ON(TOOLS_RESULT) | ON(TOOLS_LIST) | ON(TOOLS_PIN) | \
     ON(TOOLS_DIFF))

/* Effects as initialisers of struct cli_effect. */
#define EFFECT(kind, engine, mcp, member, words, initial) \
    {                                                     \
        kind, engine, mcp, member, words, initial         \
    }
#define MEMBER(m)                    offsetof(struct cli_settings, m)
#define SWITCH(m)                    EFFECT(CLI_SWITCH, 0, 0, MEMBER(m), NULL, 0)
#define SWITCH_AND(m, flags)         EFFECT(CLI_SWITCH, flags, 0, MEMBER(m), NULL, 0)
#define TEXT(m)                      EFFECT(CLI_TEXT, 0, 0, MEMBER(m), NULL, 0)
#define COUNT(m)                     EFFECT(CLI_COUNT, 0, 0, MEMBER(m), NULL, 0)
#define CHOICE(type, m, list, first) EFFECT(CLI_CHOICE, 0, 0, MEMBER(m), list, first)
#define CHOICE_INTO(m, list, flags)  EFFECT(CLI_CHOICE, flags, 0, MEMBER(m), list, -1)
#define ENGINE(flags)                EFFECT(CLI_FLAGS, flags, 0, 0, NULL, 0)
#define MCP(flags)                   EFFECT(CLI_FLAGS, 0, flags, 0, NULL, 0)
#define READ                         EFFECT(CLI_READ, 0, 0, 0, NULL, 0)

const struct cli_option cli_options[CLI_OPTIONS] = {
#define OPTION(id, name, letter, value, effect, verbs, help) \
    {name, letter, value, effect, verbs, help},
#include "cli/options.def"
};

const struct cli_limit cli_limits[CLI_LIMITS] = {
#define L(name, number, lower, value, most, affects, meaning) \
    {#lower, CUPEL_LIMIT_##name, most, meaning},
#include <cupel/limits.def>
};
