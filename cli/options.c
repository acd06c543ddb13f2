/* options.c: reading the command line by the table in options.def.  What an option does to a verb
 * is the verb's affair. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum option_id {
#define OPTION(id, name, letter, value, verbs, help) OPTION_##id,
#include "options.def"
    OPTION_COUNT
};

#define ON(id) (1u << CLI_VERB_##id)
#define TOOLS                                                                                  \
    (ON(TOOLS_CHECK) | ON(TOOLS_CALL) | ON(TOOLS_RESULT) | ON(TOOLS_LIST) | ON(TOOLS_PIN) |    \
     ON(TOOLS_DIFF))

static const struct option {
    const char *name;
    char letter;
    const char *value; /* NULL for a switch */
    unsigned verbs;
    const char *help;
} options[OPTION_COUNT] = {
#define OPTION(id, name, letter, value, verbs, help) {name, letter, value, verbs, help},
#include "options.def"
};

/* -- Named values ----------------------------------------------------------------------------- */

struct name {
    const char *name;
    int value;
};

static const struct name dialects[] = {
    {"draft4", CUPEL_DRAFT_4},
    {"draft6", CUPEL_DRAFT_6},
    {"draft7", CUPEL_DRAFT_7},
    {"2019-09", CUPEL_2019_09},
    {"2020-12", CUPEL_2020_12},
    {"v1", CUPEL_V1},
    {"draft-04", CUPEL_DRAFT_4},
    {"draft-06", CUPEL_DRAFT_6},
    {"draft-07", CUPEL_DRAFT_7},
    {"draft2019-09", CUPEL_2019_09},
    {"draft2020-12", CUPEL_2020_12},
    {NULL, 0},
};

static const struct name profiles[] = {
    {"2024-11-05", CUPEL_MCP_2024_11_05}, {"2025-03-26", CUPEL_MCP_2025_03_26},
    {"2025-06-18", CUPEL_MCP_2025_06_18}, {"2025-11-25", CUPEL_MCP_2025_11_25},
    {"2026-07-28", CUPEL_MCP_2026_07_28}, {NULL, 0},
};

static const struct name name_rules[] = {{"spec", CUPEL_NAMES_SPEC},
                                         {"sep986", CUPEL_NAMES_SEP_986},
                                         {"portable", CUPEL_NAMES_PORTABLE},
                                         {NULL, 0}};

static const struct name formats[] = {
    {"human", CLI_FORMAT_HUMAN}, {"json", CLI_FORMAT_JSON}, {NULL, 0}};

static const struct name renderings[] = {
    {"human", CUPEL_RENDER_HUMAN}, {"json", CUPEL_RENDER_JSON},     {"jsonl", CUPEL_RENDER_JSON},
    {"sarif", CUPEL_RENDER_SARIF}, {"junit", CUPEL_RENDER_JUNIT},   {"github", CUPEL_RENDER_GITHUB},
    {"model", CUPEL_RENDER_MODEL}, {NULL, 0},
};

static const struct name output_units[] = {
    {"flag", CUPEL_RENDER_FLAG},         {"basic", CUPEL_RENDER_BASIC},
    {"detailed", CUPEL_RENDER_DETAILED}, {"verbose", CUPEL_RENDER_VERBOSE},
    {"list", CUPEL_RENDER_LIST},         {"hierarchical", CUPEL_RENDER_HIERARCHICAL},
    {NULL, 0},
};

static const struct name languages[] = {{"en", CUPEL_ENGLISH}, {"de", CUPEL_GERMAN}, {NULL, 0}};

static bool find_name(const struct name *names, const char *option, const char *value, int *ret)
{
    for (; names->name != NULL; names++) {
        if (strcmp(names->name, value) == 0) {
            *ret = names->value;
            return true;
        }
    }
    cli_say("--%s: \"%s\" is not known", option, value);
    return false;
}

/* -- Limits ----------------------------------------------------------------------------------- */

static const struct limit {
    const char *name;
    size_t offset, size;
} limits[] = {
#define LIMIT(member)                                     \
    {                                                     \
#        member, offsetof(struct cupel_limits, member),   \
            sizeof(((struct cupel_limits *)NULL)->member) \
    }
    LIMIT(body_bytes),    LIMIT(depth),       LIMIT(number_chars), LIMIT(schema_bytes),
    LIMIT(schema_depth),  LIMIT(subschemas),  LIMIT(image_bytes),  LIMIT(pattern_bytes),
    LIMIT(matcher_bytes), LIMIT(pattern_steps), LIMIT(errors),     LIMIT(error_bytes),
    LIMIT(steps),         LIMIT(steps_per_byte), LIMIT(scratch_bytes),
#undef LIMIT
};

enum { LIMIT_COUNT = sizeof(limits) / sizeof(limits[0]) };

static uint64_t get_limit(const struct cupel_limits *all, const struct limit *limit)
{
    const char *place = (const char *)all + limit->offset;
    uint32_t narrow;
    uint64_t wide;
    if (limit->size == sizeof(narrow)) {
        memcpy(&narrow, place, sizeof(narrow));
        return narrow;
    }
    memcpy(&wide, place, sizeof(wide));
    return wide;
}

static bool set_limit(struct cupel_limits *all, const struct limit *limit, uint64_t value)
{
    char *place = (char *)all + limit->offset;
    uint32_t narrow = (uint32_t)value;
    if (limit->size == sizeof(narrow) && narrow != value)
        return false;
    if (limit->size == sizeof(narrow))
        memcpy(place, &narrow, sizeof(narrow));
    else
        memcpy(place, &value, sizeof(value));
    return true;
}

/* Whether the first `len` bytes are the limit's name; a hyphen is as good as an underscore. */
static bool is_limit_name(const char *name, const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (name[i] != (word[i] == '-' ? '_' : word[i]))
            return false;
    return name[len] == '\0';
}

/* A decimal number, with nothing before or after. */
static bool parse_number(const char *text, uint64_t *ret)
{
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        unsigned digit = (unsigned)(*text - '0');
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *ret = value;
    return true;
}

static bool parse_limit(struct cupel_limits *all, const char *definition)
{
    const char *equals = strchr(definition, '=');
    uint64_t value;
    for (int i = 0; equals != NULL && i < LIMIT_COUNT; i++) {
        if (!is_limit_name(limits[i].name, definition, (size_t)(equals - definition)))
            continue;
        if (parse_number(equals + 1, &value) && set_limit(all, &limits[i], value))
            return true;
        break;
    }
    cli_say("--limit: \"%s\" is not NAME=N; see cupel help limits", definition);
    return false;
}

static bool parse_page(const char *text, uint32_t *ret)
{
    uint64_t value;
    if (!parse_number(text, &value) || value == 0 || value > UINT32_MAX) {
        cli_say("--page: \"%s\" is no number of tools", text);
        return false;
    }
    *ret = (uint32_t)value;
    return true;
}

/* -- Applying --------------------------------------------------------------------------------- */

void cli_settings_init(struct cli_settings *settings)
{
    memset(settings, 0, sizeof(*settings));
    cupel_options_init(&settings->engine);
    settings->profile = CUPEL_MCP_2026_07_28;
    settings->rendering = CUPEL_RENDER_HUMAN;
}

void cli_settings_free(struct cli_settings *settings)
{
    cli_refs_free(&settings->refs);
    free(settings->arguments);
}

/* Options that are values of names or need a look at what is given. */
static bool apply_value(struct cli_settings *settings, enum option_id id, const char *value)
{
    int number = 0;
    switch (id) {
    case OPTION_DIALECT:
        if (!find_name(dialects, "dialect", value, &number))
            return false;
        settings->engine.dialect = (enum cupel_dialect)number;
        return true;
    case OPTION_SPEC:
        if (!find_name(profiles, "spec", value, &number))
            return false;
        settings->profile = (enum cupel_mcp_profile)number;
        return true;
    case OPTION_NAMES:
        if (!find_name(name_rules, "names", value, &number))
            return false;
        settings->names = (enum cupel_name_rules)number;
        return true;
    case OPTION_FORMAT:
        if (!find_name(formats, "format", value, &number))
            return false;
        settings->format = (enum cli_format)number;
        return true;
    case OPTION_TARGET:
        if (cupel_target_find(value, &settings->target) == 0)
            return true;
        cli_say("--target: \"%s\" is not known", value);
        return false;
    case OPTION_RENDERING:
    case OPTION_OUTPUT_UNIT:
        if (!find_name(id == OPTION_RENDERING ? renderings : output_units, options[id].name, value,
                       &number))
            return false;
        settings->rendering = (enum cupel_rendering)number;
        if (id == OPTION_OUTPUT_UNIT)
            settings->engine.flags |= CUPEL_ANNOTATIONS;
        return true;
    case OPTION_LANGUAGE:
        if (!find_name(languages, "language", value, &number))
            return false;
        settings->language = (enum cupel_language)number;
        return true;
    case OPTION_PAGE:
        return parse_page(value, &settings->page);
    case OPTION_LIMIT:
        return parse_limit(&settings->engine.limits, value);
    case OPTION_REF:
        if (cli_refs_add(&settings->refs, value))
            return true;
        cli_say("--ref: \"%s\" is not URI=FILE", value);
        return false;
    case OPTION_EMIT:
        settings->emit = value;
        if (strcmp(value, "c-array") == 0)
            return true;
        cli_say("--emit: \"%s\" is not known", value);
        return false;
    default:
        return false;
    }
}

static bool apply(struct cli_settings *settings, enum option_id id, const char *value)
{
    switch (id) {
    case OPTION_STRICT_REGEX:
        settings->engine.flags |= CUPEL_STRICT_REGEX;
        break;
    case OPTION_NO_BACK_REFERENCES:
        settings->engine.flags |= CUPEL_NO_BACK_REFERENCES;
        break;
    case OPTION_NO_JIT:
        settings->engine.flags |= CUPEL_NO_JIT;
        break;
    case OPTION_LENIENT_JSON:
        settings->engine.flags |= CUPEL_ALLOW_DUPLICATE_KEYS | CUPEL_ALLOW_BOM;
        break;
    case OPTION_ASSERT_FORMAT:
        settings->engine.flags |= CUPEL_ASSERT_FORMAT;
        break;
    case OPTION_ASSERT_CONTENT:
        settings->engine.flags |= CUPEL_ASSERT_CONTENT;
        break;
    case OPTION_EXPERIMENTAL:
        settings->engine.flags |= CUPEL_EXPERIMENTAL;
        break;
    case OPTION_UNKNOWN_KEYWORDS:
        settings->engine.flags |= CUPEL_UNKNOWN_KEYWORDS;
        break;
    case OPTION_FORMAT_ANNOTATES:
        settings->engine.flags |= CUPEL_FORMAT_ANNOTATES;
        break;
    case OPTION_IDN_OPTIONAL:
        settings->engine.flags |= CUPEL_IDN_OPTIONAL;
        break;
    case OPTION_ANNOTATIONS:
        settings->engine.flags |= CUPEL_ANNOTATIONS;
        settings->annotations = true;
        break;
    case OPTION_LINES:
        settings->lines = true;
        break;
    case OPTION_OUTPUT:
        settings->output = value;
        break;
    case OPTION_PERSONA:
        settings->persona = value;
        break;
    case OPTION_CURSOR:
        settings->cursor = value;
        break;
    case OPTION_WIRE:
        settings->wire = true;
        break;
    case OPTION_DEFAULTS:
        settings->defaults = true;
        break;
    case OPTION_HEADERS:
        settings->headers = true;
        break;
    case OPTION_TOOL:
        settings->tool = value;
        break;
    case OPTION_REPAIR:
        settings->repair = true;
        settings->engine.flags |= CUPEL_ANNOTATIONS; /* defaults are among them */
        break;
    case OPTION_SHOW_VALUES:
        settings->show_values = true;
        break;
    case OPTION_DUMP:
        settings->dump = value;
        break;
    case OPTION_REPORT:
        settings->report = true;
        break;
    case OPTION_MODES:
        settings->modes = true;
        break;
    case OPTION_STRICT_NAMES:
        settings->mcp_flags |= CUPEL_MCP_STRICT_NAMES;
        break;
    case OPTION_STRICT_DIALECTS:
        settings->mcp_flags |= CUPEL_MCP_STRICT_DIALECTS;
        break;
    case OPTION_PAGES:
        settings->pages = true;
        break;
    case OPTION_STATS:
        settings->stats = true;
        break;
    case OPTION_OPTIONAL:
        settings->optional = true;
        break;
    case OPTION_REMOTES:
        settings->remotes = value;
        break;
    case OPTION_OUTPUTS:
        settings->outputs = value;
        break;
    case OPTION_KNOWN:
        settings->known = value;
        break;
    case OPTION_JSON:
        settings->format = CLI_FORMAT_JSON;
        break;
    case OPTION_STRICT_INTEGER:
        settings->strict_integer = true;
        break;
    case OPTION_NULL_IS_ABSENT:
        settings->null_is_absent = true;
        break;
    case OPTION_CONVERT:
        settings->convert = true;
        break;
    case OPTION_PADDED:
        settings->padded = true;
        break;
    default:
        return apply_value(settings, id, value);
    }
    return true;
}

/* -- Reading ---------------------------------------------------------------------------------- */

/* The option a word names ("--limit", "--limit=…", "-o"), or OPTION_COUNT. */
static enum option_id find_option(const struct cli_verb *verb, const char *word,
                                  const char **ret_value)
{
    size_t len = strcspn(word, "=");
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options[i];
        if (!(option->verbs & 1u << verb->id))
            continue;
        *ret_value = word[len] == '=' ? word + len + 1 : NULL;
        if (word[1] == '-' && strlen(option->name) == len - 2 &&
            memcmp(option->name, word + 2, len - 2) == 0)
            return (enum option_id)i;
        if (word[1] != '-' && option->letter != 0 && word[1] == option->letter && word[2] == '\0')
            return (enum option_id)i;
    }
    return OPTION_COUNT;
}

/* Reads one option with its value, which may be the next word.  Returns the words used, 0 on error.
 */
static int parse_option(const struct cli_verb *verb, int left, char **words,
                        struct cli_settings *settings, bool *ret_help)
{
    const char *value;
    int used = 1;
    enum option_id id = find_option(verb, words[0], &value);
    if (id == OPTION_COUNT) {
        cli_say("%s has no option %s; see cupel help %s", verb->name, words[0], verb->name);
        return 0;
    }
    if (options[id].value == NULL && value != NULL) {
        cli_say("--%s takes no value", options[id].name);
        return 0;
    }
    if (options[id].value != NULL && value == NULL) {
        if (left < 2) {
            cli_say("--%s needs a value: %s", options[id].name, options[id].value);
            return 0;
        }
        value = words[1];
        used = 2;
    }
    if (id == OPTION_HELP) {
        *ret_help = true;
        return used;
    }
    return apply(settings, id, value) ? used : 0;
}

/* A schema that the user names is not a stranger's, as those in a catalog are: it may be larger. */
static void widen(const struct cli_verb *verb, struct cupel_limits *ret)
{
    if ((TOOLS | ON(TOOLS_EXPORT)) & 1u << verb->id)
        return;
    ret->schema_bytes = (size_t)16 << 20;
    ret->subschemas = 1 << 20;
    ret->image_bytes = (size_t)64 << 20;
    /* Every message is asked for there, and they are short. */
    if (verb->id == CLI_VERB_ARGS)
        ret->errors = 1000;
}

int cli_parse(const struct cli_verb *verb, int argc, char **argv, struct cli_settings *settings,
              bool *ret_help)
{
    size_t capacity = 0;
    bool only_arguments = false;
    settings->arguments = cli_grow(NULL, &capacity, (size_t)argc + 1, sizeof(char *));
    *ret_help = false;
    widen(verb, &settings->engine.limits);
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

/* -- Help ------------------------------------------------------------------------------------- */

static void print_option(const struct option *option, FILE *out)
{
    char left[64];
    int n = option->letter != 0
                ? snprintf(left, sizeof(left), "-%c, --%s", option->letter, option->name)
                : snprintf(left, sizeof(left), "    --%s", option->name);
    if (option->value != NULL)
        snprintf(left + n, sizeof(left) - (size_t)n, " %s", option->value);
    fprintf(out, "  %-26s %s\n", left, option->help);
}

void cli_print_options(const struct cli_verb *verb, FILE *out)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options[i].verbs & 1u << verb->id)
            print_option(&options[i], out);
}

/* cupel help limits */
static void print_limits(void)
{
    struct cupel_options defaults;
    cupel_options_init(&defaults);
    printf("Limits for --limit NAME=N, with their defaults:\n\n");
    for (int i = 0; i < LIMIT_COUNT; i++)
        printf("  %-16s %llu\n", limits[i].name,
               (unsigned long long)get_limit(&defaults.limits, &limits[i]));
    printf("\nWhere the schema is named on the command line (all verbs but those on tools),\n"
           "schema_bytes is 16 MiB, subschemas 1,048,576 and image_bytes 64 MiB.\n");
}

static void print_overview(void)
{
    printf("cupel compiles JSON Schema to bytecode and judges JSON by it.\n\n");
    for (int i = 0; i < CLI_VERB_COUNT; i++)
        printf("  cupel %-17s %-30s %s\n", cli_verbs[i].name, cli_verbs[i].arguments,
               cli_verbs[i].summary);
    printf("\ncupel help VERB lists a verb's options; cupel help limits the bounds.\n"
           "Exit status: 0 valid, 1 invalid, 2 usage, 3 schema refused, 4 input not JSON or\n"
           "unreadable, 5 undecided (a limit), 70 internal error; the largest of several.\n");
}

int cli_run_help(struct cli_settings *settings)
{
    char name[64] = "";
    for (int i = 0; i < settings->count && i < 2; i++)
        snprintf(name + strlen(name), sizeof(name) - strlen(name), "%s%s", i != 0 ? " " : "",
                 settings->arguments[i]);
    if (name[0] == '\0') {
        print_overview();
        return CLI_VALID;
    }
    if (strcmp(name, "limits") == 0) {
        print_limits();
        return CLI_VALID;
    }
    bool found = false;
    size_t len = strlen(name);
    for (int i = 0; i < CLI_VERB_COUNT; i++) {
        const struct cli_verb *verb = &cli_verbs[i];
        /* "tools" alone stands for every verb that begins with it. */
        if (strncmp(verb->name, name, len) != 0 ||
            (verb->name[len] != '\0' && verb->name[len] != ' '))
            continue;
        printf("%scupel %s [OPTION…] %s\n    %s\n\n", found ? "\n" : "", verb->name,
               verb->arguments, verb->summary);
        cli_print_options(verb, stdout);
        found = true;
    }
    if (!found)
        cli_say("there is no verb %s", name);
    return found ? CLI_VALID : CLI_USAGE;
}
