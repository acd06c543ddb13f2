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
    case CLI_OPTION_REF_DIR:
        if (cli_refs_add_folder(&settings->refs, value))
            return true;
        cli_print_error("--ref-dir: \"%s\" is not URI-PREFIX=DIR", value);
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
    struct cli_suggestion near = {.word = value};
    struct cupel_text list;
    cupel_text_init(&list, NULL);
    for (const struct cli_word *c = option->effect.words; c->name != NULL; c++) {
        cli_suggest(&near, c->name);
        if (!c->spelling)
            cupel_text_addf(&list, "%s%s", list.len != 0 ? ", " : "", c->name);
    }
    if (near.best != NULL)
        cli_print_error("--%s: \"%s\" is not known; did you mean %s?", option->name, value,
                        near.best);
    else
        cli_print_error("--%s: \"%s\" is not known; it takes %s", option->name, value,
                        list.failed ? "other words" : list.bytes);
    cupel_text_free(&list);
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
    settings->refs.root = -1;
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

/* Says that a verb has no such option, with an option of a similar name, or the verbs that have
 * it. */
static void print_no_option(const struct cli_verb *verb, const char *word)
{
    char name[40], has[128] = "";
    const char *bare = word + (word[0] == '-') + (word[0] == '-' && word[1] == '-');
    struct cli_suggestion near = {.word = name};
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(bare, "="), bare);
    for (int i = 0; i < CLI_OPTIONS; i++) {
        bool same = strcmp(cli_options[i].name, name) == 0;
        if (cli_options[i].verbs & 1u << verb->id)
            cli_suggest(&near, cli_options[i].name);
        for (int v = 0; same && v < CLI_VERB_COUNT; v++)
            if (cli_options[i].verbs & 1u << v)
                snprintf(has + strlen(has), sizeof(has) - strlen(has), "%s%s",
                         has[0] != '\0' ? ", " : "", cli_verbs[v].name);
    }
    if (has[0] != '\0')
        cli_print_error("%s has no option %s; these verbs have: %s", verb->name, word, has);
    else if (near.best != NULL)
        cli_print_error("%s has no option %s; did you mean --%s?", verb->name, word, near.best);
    else
        cli_print_error("%s has no option %s; see cupel help %s", verb->name, word, verb->name);
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
        print_no_option(verb, words[0]);
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

/* Options may stand anywhere; "--" ends them.  Fills in settings->arguments with the other words.
 */
int cli_parse(const struct cli_verb *verb, int argc, char **argv, struct cli_settings *settings,
              bool *ret_help)
{
    size_t capacity = 0;
    bool only_arguments = false;
    settings->arguments = cli_grow(NULL, &capacity, (size_t)argc + 1, sizeof(char *));
    *ret_help = false;
    cli_limits_of(verb, settings->engine.limits);
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
    settings->refs.root_option = settings->root;
    settings->refs.finds_files = (cli_options[CLI_OPTION_ROOT].verbs & 1u << verb->id) != 0;
    return CLI_VALID;
}
