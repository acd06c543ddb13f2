/* limits.c: the limits of the library by name, as <cupel/limits.def> lists them. */
#include "cli/cli.h"

#include <string.h>

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
            all[cli_limits[i].id] = value;
            return true;
        }
        break;
    }
    cli_print_error("--limit: \"%s\" is not NAME=N; see cupel help limits", definition);
    return false;
}

/* Prints every limit with its default. */
void cli_limits_print(void)
{
    struct cupel_options defaults;
    cupel_options_init(&defaults);
    printf("Limits for --limit NAME=N, and what they are unless given:\n\n");
    for (int i = 0; i < CLI_LIMITS; i++)
        printf("  %-16s %8llu  %s\n", cli_limits[i].name,
               (unsigned long long)defaults.limits[cli_limits[i].id], cli_limits[i].help);
    printf(
        "\nAll verbs but those on tools allow a schema more: schema_bytes is 16777216, subschemas\n"
        "1048576 and image_bytes 67108864 there; args tells up to 1000 errors. Whatever reaches a\n"
        "limit is undecided, or refused if it is a schema; it is never valid or invalid.\n");
}
