/* options.c: reads the command line into struct cli_settings, by the tables of option_table.h. What
 * a verb does with a setting is in the verb's file. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* -- Values ----------------------------------------------------------------------------------- */

/* A number above 0 that fits into 32 bits. */
static bool read_count(const struct cli_option *option, const char *text, uint32_t *ret)
{
    uint64_t value;
    if (!cli_parse_number(text, &value) || value == 0 || value > UINT32_MAX) {
        cli_print_error("--%s: \"%s\" is not a number above 0", option->name, text);
        return false;
    }
    *ret = (uint32_t)value;
    return true;
}

/* The options whose effect is READ. */
static bool read_value(struct cli_settings *settings, enum cli_option_id id, const char *value)
{
    switch (id) {
    case CLI_OPTION_LIMIT:
        return cli_limit_set(settings->engine.limits, value);
    case CLI_OPTION_REF:
        if (cli_refs_add(&settings->refs, value))
            return true;
        cli_print_error("--ref: \"%s\" is not URI=FILE", value);
        return false;
    default:
        return false;
    }
}

/* Sets an enumeration, which has the size of int, to what a word stands for. */
static bool choose(const struct cli_option *option, const char *value, void *member)
{
    for (const struct cli_word *c = option->effect.words; c->name != NULL; c++) {
        if (strcmp(c->name, value) == 0) {
            memcpy(member, &c->value, sizeof(c->value));
            return true;
        }
    }
    cli_print_error("--%s: \"%s\" is not known", option->name, value);
    return false;
}

/* Applies an option's effect to the settings; false after an error message. */
static bool apply(struct cli_settings *settings, enum cli_option_id id, const char *value)
{
    const struct cli_option *option = &cli_options[id];
    const struct cli_effect *effect = &option->effect;
    void *member = (char *)settings + effect->member;
    settings->engine.flags |= effect->engine;
    settings->mcp_flags |= effect->mcp;
    switch (effect->kind) {
    case CLI_FLAGS:
        return true;
    case CLI_SWITCH:
        *(bool *)member = true;
        return true;
    case CLI_TEXT:
        *(const char **)member = value;
        return true;
    case CLI_COUNT:
        return read_count(option, value, member);
    case CLI_CHOICE:
        return choose(option, value, member);
    case CLI_READ:
        return read_value(settings, id, value);
    }
    return false;
}

/* -- Settings --------------------------------------------------------------------------------- */

void cli_settings_init(struct cli_settings *settings)
{
    memset(settings, 0, sizeof(*settings));
    cupel_options_init(&settings->engine);
    for (int i = 0; i < CLI_OPTIONS; i++) {
        const struct cli_effect *effect = &cli_options[i].effect;
        if (effect->kind == CLI_CHOICE && effect->initial >= 0)
            memcpy((char *)settings + effect->member, &effect->initial, sizeof(effect->initial));
    }
}

void cli_settings_free(struct cli_settings *settings)
{
    cli_refs_free(&settings->refs);
    free(settings->arguments);
}

/* -- Reading ---------------------------------------------------------------------------------- */

/* The option a word names ("--limit", "--limit=…", "-o"), or CLI_OPTIONS. */
static enum cli_option_id find_option(const struct cli_verb *verb, const char *word,
                                      const char **ret_value)
{
    size_t len = strcspn(word, "=");
    for (int i = 0; i < CLI_OPTIONS; i++) {
        const struct cli_option *option = &cli_options[i];
        if (!(option->verbs & 1u << verb->id))
            continue;
        *ret_value = word[len] == '=' ? word + len + 1 : NULL;
        if (word[1] == '-' && strlen(option->name) == len - 2 &&
            memcmp(option->name, word + 2, len - 2) == 0)
            return (enum cli_option_id)i;
        if (word[1] != '-' && option->letter != 0 && word[1] == option->letter && word[2] == '\0')
            return (enum cli_option_id)i;
    }
    return CLI_OPTIONS;
}

/* Reads one option and its value, which may be the next word.  Returns the number of words read, 0
 * after an error message. */
static int parse_option(const struct cli_verb *verb, int nwords, char **words,
                        struct cli_settings *settings, bool *ret_help)
{
    const char *value;
    int used = 1;
    enum cli_option_id id = find_option(verb, words[0], &value);
    if (id == CLI_OPTIONS) {
        cli_print_error("%s has no option %s; see cupel help %s", verb->name, words[0], verb->name);
        return 0;
    }
    if (cli_options[id].value == NULL && value != NULL) {
        cli_print_error("--%s takes no value", cli_options[id].name);
        return 0;
    }
    if (cli_options[id].value != NULL && value == NULL) {
        if (nwords < 2) {
            cli_print_error("--%s needs a value: %s", cli_options[id].name, cli_options[id].value);
            return 0;
        }
        value = words[1];
        used = 2;
    }
    if (id == CLI_OPTION_HELP) {
        *ret_help = true;
        return used;
    }
    return apply(settings, id, value) ? used : 0;
}

/* Raises the limits of schemas for verbs on files that the user names.  Schemas in a catalog come
 * from strangers and keep the library's limits. */
static void raise_limits(const struct cli_verb *verb, uint64_t *ret)
{
    if (strncmp(verb->name, "tools ", 6) == 0)
        return;
    ret[CUPEL_LIMIT_SCHEMA_BYTES] = (size_t)16 << 20;
    ret[CUPEL_LIMIT_SUBSCHEMAS] = 1 << 20;
    ret[CUPEL_LIMIT_COMPILE_BYTES] = (size_t)1 << 30;
    ret[CUPEL_LIMIT_IMAGE_BYTES] = (size_t)64 << 20;
    /* args prints all errors, and they are short. */
    if (verb->id == CLI_VERB_ARGS)
        ret[CUPEL_LIMIT_ERRORS] = 1000;
}

/* Options may stand anywhere; "--" ends them.  Fills in settings->arguments with the other words.
 */
int cli_parse(const struct cli_verb *verb, int argc, char **argv, struct cli_settings *settings,
              bool *ret_help)
{
    size_t capacity = 0;
    bool only_arguments = false;
    settings->arguments = cli_grow(NULL, &capacity, (size_t)argc + 1, sizeof(char *));
    *ret_help = false;
    raise_limits(verb, settings->engine.limits);
    for (int i = 0; i < argc;) {
        if (only_arguments || argv[i][0] != '-' || argv[i][1] == '\0') {
            settings->arguments[settings->count++] = argv[i++];
        } else if (strcmp(argv[i], "--") == 0) {
            only_arguments = true;
            i++;
        } else {
            int used = parse_option(verb, argc - i, argv + i, settings, ret_help);
            if (used == 0)
                return CLI_USAGE;
            i += used;
        }
    }
    settings->engine.resolver = cli_refs_resolve;
    settings->engine.resolver_ctx = &settings->refs;
    return CLI_VALID;
}
