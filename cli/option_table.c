/* option_table.c: options.def and <cupel/limits.def> as tables, and the words that options take. */
#include "cli/option_table.h"
#include "cli/cli.h"

static const struct cli_choice cli_dialects[] = {
    {"draft4", CUPEL_DRAFT_4, false},      {"draft6", CUPEL_DRAFT_6, false},
    {"draft7", CUPEL_DRAFT_7, false},      {"2019-09", CUPEL_2019_09, false},
    {"2020-12", CUPEL_2020_12, false},     {"v1", CUPEL_V1, false},
    {"draft-04", CUPEL_DRAFT_4, true},     {"draft-06", CUPEL_DRAFT_6, true},
    {"draft-07", CUPEL_DRAFT_7, true},     {"draft2019-09", CUPEL_2019_09, true},
    {"draft2020-12", CUPEL_2020_12, true}, {NULL, 0, false},
};

static const struct cli_choice cli_profiles[] = {
    {"2024-11-05", CUPEL_MCP_2024_11_05, false}, {"2025-03-26", CUPEL_MCP_2025_03_26, false},
    {"2025-06-18", CUPEL_MCP_2025_06_18, false}, {"2025-11-25", CUPEL_MCP_2025_11_25, false},
    {"2026-07-28", CUPEL_MCP_2026_07_28, false}, {NULL, 0, false},
};

static const struct cli_choice cli_name_rules[] = {
    {"spec", CUPEL_NAMES_SPEC, false},
    {"sep986", CUPEL_NAMES_SEP_986, false},
    {"portable", CUPEL_NAMES_PORTABLE, false},
    {NULL, 0, false},
};

static const struct cli_choice cli_targets[] = {
    {"openai", CUPEL_TARGET_OPENAI, false},
    {"openai-strict", CUPEL_TARGET_OPENAI_STRICT, false},
    {"anthropic", CUPEL_TARGET_ANTHROPIC, false},
    {"gemini", CUPEL_TARGET_GEMINI, false},
    {NULL, 0, false},
};

static const struct cli_choice cli_formats[] = {
    {"human", CLI_FORMAT_HUMAN, false}, {"json", CLI_FORMAT_JSON, false}, {NULL, 0, false}};

static const struct cli_choice cli_emissions[] = {{"c-array", CLI_EMIT_C_ARRAY, false},
                                                  {NULL, 0, false}};

static const struct cli_choice cli_renderings[] = {
    {"human", CUPEL_RENDER_HUMAN, false},   {"json", CUPEL_RENDER_JSON, false},
    {"sarif", CUPEL_RENDER_SARIF, false},   {"junit", CUPEL_RENDER_JUNIT, false},
    {"github", CUPEL_RENDER_GITHUB, false}, {"model", CUPEL_RENDER_MODEL, false},
    {"jsonl", CUPEL_RENDER_JSON, true},     {NULL, 0, false},
};

static const struct cli_choice cli_output_units[] = {
    {"flag", CUPEL_RENDER_FLAG, false},
    {"basic", CUPEL_RENDER_BASIC, false},
    {"detailed", CUPEL_RENDER_DETAILED, false},
    {"verbose", CUPEL_RENDER_VERBOSE, false},
    {"list", CUPEL_RENDER_LIST, false},
    {"hierarchical", CUPEL_RENDER_HIERARCHICAL, false},
    {NULL, 0, false},
};

#define ON(id)    (1u << CLI_VERB_##id)
#define COMPILING (ON(VALIDATE) | ON(COMPILE) | ON(DISASM) | ON(SUITE) | ON(BENCH))
#define TOOLS                                                                               \
    (ON(TOOLS_CHECK) | ON(TOOLS_CALL) | ON(TOOLS_RESULT) | ON(TOOLS_LIST) | ON(TOOLS_PIN) | \
     ON(TOOLS_DIFF))

#define MEMBER(name) offsetof(struct cli_settings, name)
#define READS                    \
    {                            \
        CLI_READS, 0, 0, 0, NULL \
    }
#define ENGINE(flags)                \
    {                                \
        CLI_FLAGS, flags, 0, 0, NULL \
    }
#define MCP(flags)                   \
    {                                \
        CLI_FLAGS, 0, flags, 0, NULL \
    }
#define SETS(name)                         \
    {                                      \
        CLI_SETS, 0, 0, MEMBER(name), NULL \
    }
#define SETS_WITH(name, flags)                 \
    {                                          \
        CLI_SETS, flags, 0, MEMBER(name), NULL \
    }
#define TAKES(name)                         \
    {                                       \
        CLI_TAKES, 0, 0, MEMBER(name), NULL \
    }
#define CHOOSES(name, list)                   \
    {                                         \
        CLI_CHOOSES, 0, 0, MEMBER(name), list \
    }
#define CHOOSES_WITH(name, list, flags)           \
    {                                             \
        CLI_CHOOSES, flags, 0, MEMBER(name), list \
    }

const struct cli_option cli_options[CLI_OPTIONS] = {
#define OPTION(id, name, letter, value, effect, verbs, help) \
    {name, letter, value, effect, verbs, help},
#include "cli/options.def"
};

const struct cli_limit cli_limits[CLI_LIMITS] = {
#define L(name, number, lower, value, most, meaning) {#lower, CUPEL_LIMIT_##name, most, meaning},
#include <cupel/limits.def>
};
