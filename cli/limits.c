/* limits.c: the limits of the library by name, as <cupel/limits.def> lists them. */
#include "cli/cli.h"

#include <string.h>

/* The library renders messages in so many bytes whatever the limit says (messages.h). */
enum { LEAST_ERROR_BYTES = 256 };

/* Whether the first `len` bytes are the limit's name; a hyphen is as good as an underscore. */
static bool is_limit_name(const char *name, const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (name[i] != (word[i] == '-' ? '_' : word[i]))
            return false;
    return name[len] == '\0';
}

/* Refuses signs, blanks and numbers above 64 bits, which strtoull accepts. */
bool cli_parse_number(const char *text, uint64_t *ret)
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

bool cli_limit_set(uint64_t *all, const char *definition)
{
    const char *equals = strchr(definition, '=');
    uint64_t value;
    for (int i = 0; equals != NULL && i < CLI_LIMITS; i++) {
        if (!is_limit_name(cli_limits[i].name, definition, (size_t)(equals - definition)))
            continue;
        if (cli_parse_number(equals + 1, &value) && value <= cli_limits[i].most) {
            if (cli_limits[i].id == CUPEL_LIMIT_ERROR_BYTES && value < LEAST_ERROR_BYTES) {
                cli_print_error("--limit: error_bytes is at least %d", LEAST_ERROR_BYTES);
                return false;
            }
            all[cli_limits[i].id] = value;
            return true;
        }
        break;
    }
    struct cli_suggestion near = {.word = NULL};
    char name[32];
    if (equals != NULL && (size_t)(equals - definition) < sizeof(name)) {
        snprintf(name, sizeof(name), "%.*s", (int)(equals - definition), definition);
        near.word = name;
        for (int i = 0; i < CLI_LIMITS; i++)
            cli_suggest(&near, cli_limits[i].name);
    }
    if (near.best != NULL && near.distance > 0)
        cli_print_error("--limit: there is no limit \"%s\"; did you mean %s?", name, near.best);
    else
        cli_print_error("--limit: \"%s\" is not NAME=N; see cupel help limits", definition);
    return false;
}

/* Raises the limits of schemas for verbs on files that the user names.  Schemas in a catalog come
 * from strangers and keep the library's limits. */
void cli_limits_of(const struct cli_verb *verb, uint64_t *ret)
{
    struct cupel_options defaults;
    cupel_options_init(&defaults);
    memcpy(ret, defaults.limits, sizeof(defaults.limits));
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

void cli_limits_print(const struct cli_verb *verb)
{
    uint64_t limits[CUPEL_LIMITS];
    cli_limits_of(verb, limits);
    printf("Limits of cupel %s for --limit NAME=N, and what they are unless given:\n\n",
           verb->name);
    for (int i = 0; i < CLI_LIMITS; i++)
        printf("  %-21s %10llu  %s\n", cli_limits[i].name,
               (unsigned long long)limits[cli_limits[i].id], cli_limits[i].help);
    printf("\nA schema that reaches a limit is refused; a document that does is undecided, never "
           "valid\n"
           "or invalid.  cupel help limits VERB prints the limits of another verb.\n");
}
