/* print_rules.c: docs/rules.md, from mcp/rules/rules.def and cli/reasons.def.  A test compares
 * the file with what this prints; after a change of the list: print_rules > docs/rules.md. */
#include <stdio.h>

static const char INFO[] = "info", WARNING[] = "warning", ERROR[] = "error";

static void row(const char *id, const char *severity, const char *paragraph)
{
    printf("| `%s` | %s | %s |\n", id, severity, paragraph);
}

int main(void)
{
    fputs("# The rules for tools\n"
          "\n"
          "Made from `mcp/rules/rules.def` by `tests/tools/print_rules.c`; do not edit.\n"
          "\n"
          "The rules for definitions (`cupel tools check`), results (`cupel tools result`) and "
          "messages (`cupel tools call`).\n"
          "An id keeps its meaning for ever. An error makes a definition invalid: calls of the "
          "tool are "
          "refused. A warning is\n"
          "a SHOULD of the specification, or something that other implementations do not support. "
          "With "
          "`--strict-names` the\n"
          "rules of names are errors, with `--strict-text` hidden text is an error. `name-length` "
          "and "
          "`name-characters` are info\n"
          "before profile 2025-11-25, which introduced them.\n"
          "\n"
          "| rule | severity | requirement |\n"
          "|---|---|---|\n",
          stdout);
#define R(name, id, severity, paragraph) row(id, severity, paragraph);
#include "mcp/rules/rules.def"
    fputs(
        "\n"
        "# The words of gateways\n"
        "\n"
        "Made from `cli/reasons.def`. Beside rules and [statuses](errors.md) a gateway gives these "
        "words, in logs and\n"
        "as labels of counters, as reasons and as verdicts ([gateway.md](gateway.md)). `cupel "
        "explain` knows all of them.\n"
        "\n"
        "| word | what | meaning |\n"
        "|---|---|---|\n",
        stdout);
#define W(word, meaning) row(word, "reason", meaning);
#define V(word, meaning) row(word, "verdict", meaning);
#include "cli/reasons.def"
    return 0;
}
