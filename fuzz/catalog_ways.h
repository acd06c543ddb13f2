/* catalog_ways.h: options of a catalog that bits of an input set, behind those of ways.h. */
#ifndef CUPEL_FUZZ_CATALOG_WAYS_H
#define CUPEL_FUZZ_CATALOG_WAYS_H

#include "ways.h"
#include <cupel/catalog.h>

enum {
    CATALOG_WAYS_PROFILE = WAYS_BITS, /* 3 bits */
    CATALOG_WAYS_FLAGS = CATALOG_WAYS_PROFILE + 3,
    CATALOG_WAYS_NAMES = CATALOG_WAYS_FLAGS + 4, /* 2 bits */
    CATALOG_WAYS_TARGET = CATALOG_WAYS_NAMES + 2 /* 3 bits */
};

static inline void catalog_ways_set(struct cupel_catalog_options *options,
                                    struct cupel_options *engine, uint64_t chosen)
{
    static const enum cupel_mcp_profile profiles[] = {
        CUPEL_MCP_2026_07_28, CUPEL_MCP_2025_03_26, CUPEL_MCP_2024_11_05, CUPEL_MCP_2025_06_18,
        CUPEL_MCP_2025_11_25, CUPEL_MCP_2026_07_28, CUPEL_MCP_2025_03_26, CUPEL_MCP_2025_11_25};
    static const uint32_t flags[] = {CUPEL_CATALOG_STRICT_NAMES, CUPEL_CATALOG_STRICT_DIALECTS,
                                     CUPEL_CATALOG_STRICT_TEXT, CUPEL_CATALOG_EXACT_ARGUMENTS};
    static const enum cupel_name_rules names[] = {CUPEL_NAMES_SPEC, CUPEL_NAMES_SEP_986,
                                                  CUPEL_NAMES_PORTABLE, CUPEL_NAMES_SPEC};
    static const enum cupel_target targets[] = {CUPEL_TARGET_NONE,          CUPEL_TARGET_OPENAI,
                                                CUPEL_TARGET_OPENAI_STRICT, CUPEL_TARGET_ANTHROPIC,
                                                CUPEL_TARGET_GEMINI,        CUPEL_TARGET_NONE,
                                                CUPEL_TARGET_NONE,          CUPEL_TARGET_NONE};
    cupel_catalog_options_init(options);
    cupel_options_init(engine);
    ways_set(engine, chosen);
    options->engine = engine;
    engine->flags &= ~(uint32_t)CUPEL_INPUT_PADDED; /* texts of targets end where they end */
    options->profile = profiles[chosen >> CATALOG_WAYS_PROFILE & 7];
    for (uint32_t i = 0; i < sizeof flags / sizeof *flags; i++)
        options->flags |= chosen >> (CATALOG_WAYS_FLAGS + i) & 1 ? flags[i] : 0;
    options->names = names[chosen >> CATALOG_WAYS_NAMES & 3];
    options->target = targets[chosen >> CATALOG_WAYS_TARGET & 7];
    options->hash_key[0] = 1; /* the same run each time */
    options->hash_key[1] = 2;
}

#endif
