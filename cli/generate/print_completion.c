/* print_completion.c: prints the completion script of a shell from the tables of the command; run
 * by the build.
 *
 *   print_completion bash|zsh|fish */
#include "cli/option_table.h"
#include <stdio.h>
#include <string.h>

/* Whether a text has this end. */
static bool ends_in(const char *text, const char *end)
{
    size_t len = strlen(text), n = strlen(end);
    return len >= n && strcmp(text + len - n, end) == 0;
}

/* The words that may follow an option, separated by spaces. */
static void put_words(const struct cli_option *option)
{
    const char *between = "";
    for (const struct cli_word *c = option->effect.words; c != NULL && c->name != NULL; c++) {
        if (c->spelling)
            continue;
        printf("%s%s", between, c->name);
        between = " ";
    }
    if (strcmp(option->name, "limit") == 0)
        for (int i = 0; i < CLI_LIMITS; i++)
            printf("%s%s=", i > 0 ? " " : "", cli_limits[i].name);
}

/* Whether the values of an option are completed from a list. */
static bool has_words(const struct cli_option *option)
{
    return option->effect.words != NULL || strcmp(option->name, "limit") == 0;
}

/* Whether a verb is two words. */
static bool is_pair(const char *name)
{
    return strchr(name, ' ') != NULL;
}

/* The first words of all verbs, each once. */
static bool is_first(int i)
{
    size_t len = strcspn(cli_verbs[i].name, " ");
    return i == 0 || strncmp(cli_verbs[i].name, cli_verbs[i - 1].name, len) != 0 ||
           strcspn(cli_verbs[i - 1].name, " ") != len;
}

/* Text inside single quotes of a shell; zsh's specifications give meaning to brackets and colons
 * too. */
static void put_quoted(const char *text, bool zsh)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            printf("%s", "'\\''");
        else if (zsh && strchr("[]:\\", *text) != NULL)
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

/* -- bash ------------------------------------------------------------------------------------- */

/* The options of a verb, for a word that begins with a hyphen. */
static void put_bash_options(int verb)
{
    printf("    '%s') options='", cli_verbs[verb].name);
    for (int i = 0; i < CLI_OPTIONS; i++)
        if (cli_options[i].verbs & 1u << verb)
            printf("--%s ", cli_options[i].name);
    printf("' ;;\n");
}

/* One option of one verb: the same name may take other words elsewhere. */
static void put_bash_value(int verb, const struct cli_option *option)
{
    printf("    '%s --%s'", cli_verbs[verb].name, option->name);
    if (option->letter != 0)
        printf(" | '%s -%c'", cli_verbs[verb].name, option->letter);
    if (has_words(option)) {
        printf(") words='");
        put_words(option);
        printf("' ;;\n");
    } else {
        printf(") kind=%s ;;\n", ends_in(option->value, "FILE")  ? "file"
                                 : ends_in(option->value, "DIR") ? "folder"
                                                                 : "none");
    }
}

/* The words of verbs, by how many of them are there. */
static void put_bash_verbs(void)
{
    printf("    case \"$COMP_CWORD ${COMP_WORDS[1]}\" in\n    1\\ *) words='");
    for (int i = 0; i < CLI_VERB_COUNT; i++)
        if (is_first(i))
            printf("%.*s ", (int)strcspn(cli_verbs[i].name, " "), cli_verbs[i].name);
    printf("' ;;\n");
    for (int i = 0; i < CLI_VERB_COUNT; i++) {
        size_t len = strcspn(cli_verbs[i].name, " ");
        if (!is_pair(cli_verbs[i].name) || !is_first(i))
            continue;
        printf("    '2 %.*s') words='", (int)len, cli_verbs[i].name);
        for (int k = i; k < CLI_VERB_COUNT && (k == i || !is_first(k)); k++)
            printf("%s ", cli_verbs[k].name + len + 1);
        printf("' ;;\n");
    }
    printf("    esac\n");
}

/* What the words, or the kind of argument, that were found propose. */
static void put_bash_end(void)
{
    printf("    if [[ -z $words && $word == -* && $COMP_CWORD -ge $first ]]; then\n"
           "        words=$options\n"
           "    fi\n"
           "    if [[ -n $words ]]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "        [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null\n"
           "    elif [[ $kind == folder ]]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n"
           "    elif [[ $kind == file ]]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
           "    fi\n"
           "    return 0\n"
           "}\n"
           "complete -o filenames -F _cupel cupel\n");
}

/* bash: a function that fills COMPREPLY.  `verb` is the word or pair of words on the line, so that
 * options and their words are found by one `case` each. */
static void put_bash(void)
{
    printf("# Completion of bash for cupel.  Made by cli/generate/print_completion.c.\n"
           "_cupel()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local verb=${COMP_WORDS[1]} first=2 options='' words='' kind=file\n"
           "    COMPREPLY=()\n"
           "    case $verb in\n");
    for (int i = 0; i < CLI_VERB_COUNT; i++) {
        int len = (int)strcspn(cli_verbs[i].name, " ");
        if (is_pair(cli_verbs[i].name) && is_first(i))
            printf("    %.*s) verb+=\" ${COMP_WORDS[2]}\" first=3 ;;\n", len, cli_verbs[i].name);
    }
    printf("    esac\n");
    put_bash_verbs();
    printf("    case \"$verb $before\" in\n");
    for (int v = 0; v < CLI_VERB_COUNT; v++)
        for (int i = 0; i < CLI_OPTIONS; i++)
            if (cli_options[i].verbs & 1u << v && cli_options[i].value != NULL)
                put_bash_value(v, &cli_options[i]);
    printf("    esac\n    case $verb in\n");
    for (int v = 0; v < CLI_VERB_COUNT; v++)
        put_bash_options(v);
    printf("    esac\n");
    put_bash_end();
}

/* -- zsh -------------------------------------------------------------------------------------- */

/* A specification of _arguments: the spellings, a `*` for options that may be repeated, help, the
 * value. */
static void put_zsh_option(const struct cli_option *option)
{
    printf("        '");
    if (option->letter != 0)
        printf("(-%c --%s)'{-%c,--%s}'", option->letter, option->name, option->letter,
               option->name);
    else
        printf("%s--%s",
               strcmp(option->name, "limit") == 0 || strcmp(option->name, "ref") == 0 ? "*" : "",
               option->name);
    printf("[");
    put_quoted(option->help, true);
    printf("]");
    if (option->value == NULL) {
        printf("'\n");
        return;
    }
    printf(":%s:", option->value);
    if (has_words(option)) {
        printf("(");
        put_words(option);
        printf(")");
    } else {
        printf("%s", ends_in(option->value, "FILE")  ? "_files"
                     : ends_in(option->value, "DIR") ? "_files -/"
                                                     : " ");
    }
    printf("'\n");
}

/* The second words of the verbs that begin like verb i. */
static void put_zsh_pairs(int i)
{
    size_t len = strcspn(cli_verbs[i].name, " ");
    printf("    if [[ $verb == %.*s ]]; then\n        verbs=(\n", (int)len, cli_verbs[i].name);
    for (int k = i; k < CLI_VERB_COUNT && (k == i || !is_first(k)); k++) {
        printf("            '%s:", cli_verbs[k].name + len + 1);
        put_quoted(cli_verbs[k].summary, true);
        printf("'\n");
    }
    printf("        )\n"
           "        if (( CURRENT == 3 )); then\n"
           "            _describe verb verbs\n"
           "            return\n"
           "        fi\n"
           "        verb+=\" $words[3]\"\n"
           "        shift words\n"
           "        (( CURRENT-- ))\n"
           "    fi\n");
}

static void put_zsh_verbs(void)
{
    printf("    verbs=(\n");
    for (int i = 0; i < CLI_VERB_COUNT; i++) {
        if (!is_first(i))
            continue;
        printf("        '%.*s:", (int)strcspn(cli_verbs[i].name, " "), cli_verbs[i].name);
        put_quoted(is_pair(cli_verbs[i].name) ? "a group of verbs" : cli_verbs[i].summary, true);
        printf("'\n");
    }
    printf("    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe verb verbs\n"
           "        return\n"
           "    fi\n");
}

/* zsh: specifications for _arguments, chosen by the verb. */
static void put_zsh(void)
{
    printf("#compdef cupel\n"
           "# Completion of zsh for cupel.  Made by cli/generate/print_completion.c.\n"
           "_cupel() {\n"
           "    local -a verbs options\n"
           "    local verb=$words[2]\n");
    put_zsh_verbs();
    for (int i = 0; i < CLI_VERB_COUNT; i++)
        if (is_pair(cli_verbs[i].name) && is_first(i))
            put_zsh_pairs(i);
    printf("    shift words\n    (( CURRENT-- ))\n    case $verb in\n");
    for (int v = 0; v < CLI_VERB_COUNT; v++) {
        printf("    '%s') options=(\n", cli_verbs[v].name);
        for (int i = 0; i < CLI_OPTIONS; i++)
            if (cli_options[i].verbs & 1u << v)
                put_zsh_option(&cli_options[i]);
        printf("    ) ;;\n");
    }
    printf("    esac\n"
           "    _arguments $options '*:file:_files'\n"
           "}\n"
           "_cupel \"$@\"\n");
}

/* -- fish ------------------------------------------------------------------------------------- */

static void put_fish_condition(const char *name)
{
    const char *space = strchr(name, ' ');
    if (space == NULL)
        printf("__cupel_at %s", name);
    else
        printf("__cupel_at %.*s %s", (int)(space - name), name, space + 1);
}

/* Prints the completion of an option for fish, under the condition of its verb. */
static void put_fish_option(int verb, const struct cli_option *option)
{
    printf("complete -c cupel -n '");
    put_fish_condition(cli_verbs[verb].name);
    printf("' -l %s", option->name);
    if (option->letter != 0)
        printf(" -s %c", option->letter);
    if (option->value != NULL) {
        bool files =
            !has_words(option) && (ends_in(option->value, "FILE") || ends_in(option->value, "DIR"));
        printf(" -r%s", files ? " -F" : " -f");
    }
    if (has_words(option)) {
        printf(" -a '");
        put_words(option);
        printf("'");
    }
    printf(" -d '");
    put_quoted(option->help, false);
    printf("'\n");
}

static void put_fish_verb(int i)
{
    const char *name = cli_verbs[i].name;
    int len = (int)strcspn(name, " ");
    if (is_first(i)) {
        printf("complete -c cupel -f -n 'test (count (commandline -opc)) -eq 1' -a %.*s -d '", len,
               name);
        put_quoted(is_pair(name) ? "a group of verbs" : cli_verbs[i].summary, false);
        printf("'\n");
    }
    if (is_pair(name)) {
        printf("complete -c cupel -f -n '__cupel_after %.*s' -a %s -d '", len, name,
               name + len + 1);
        put_quoted(cli_verbs[i].summary, false);
        printf("'\n");
    }
}

/* fish: one `complete` command for each verb, option and list of words. */
static void put_fish(void)
{
    printf("# Completion of fish for cupel.  Made by cli/generate/print_completion.c.\n"
           "# Whether the words behind cupel begin with these.\n"
           "function __cupel_at\n"
           "    set -l words (commandline -opc)\n"
           "    set -l last (math 1 + (count $argv))\n"
           "    test (count $words) -ge $last\n"
           "    and test \"$words[2..$last]\" = \"$argv\"\n"
           "end\n"
           "# Whether they are these and no more.\n"
           "function __cupel_after\n"
           "    set -l words (commandline -opc)\n"
           "    test (count $words) -eq (math 1 + (count $argv))\n"
           "    and test \"$words[2..-1]\" = \"$argv\"\n"
           "end\n");
    for (int i = 0; i < CLI_VERB_COUNT; i++)
        put_fish_verb(i);
    for (int v = 0; v < CLI_VERB_COUNT; v++)
        for (int i = 0; i < CLI_OPTIONS; i++)
            if (cli_options[i].verbs & 1u << v)
                put_fish_option(v, &cli_options[i]);
}

int main(int argc, char **argv)
{
    const char *shell = argc == 2 ? argv[1] : "";
    if (strcmp(shell, "bash") == 0)
        put_bash();
    else if (strcmp(shell, "zsh") == 0)
        put_zsh();
    else if (strcmp(shell, "fish") == 0)
        put_fish();
    else
        return 2;
    return 0;
}
