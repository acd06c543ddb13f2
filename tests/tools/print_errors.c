/* print_errors.c: docs/errors.md, from include/cupel/errors.def and problems.def.  A test compares
 * the file with what this prints; after a change of the lists: print_errors > docs/errors.md. */
#include <stdio.h>

static void row(const char *name, int number, const char *message, const char *paragraph)
{
    printf("| `CUPEL_%s%s` | %d | %s | %s |\n", number == 0 ? "" : "E_", name, number, message,
           paragraph);
}

static void problem(const char *id, int number, const char *sentence, const char *paragraph)
{
    printf("| `%s` | %d | %s | %s |\n", id, number, sentence, paragraph);
}

int main(void)
{
    fputs("# Errors and problems\n"
          "\n"
          "Made from `include/cupel/errors.def` and `problems.def` by "
          "`tests/tools/print_errors.c`; do "
          "not edit.\n"
          "`cupel explain` prints a row of it.\n"
          "\n"
          "## Statuses\n"
          "\n"
          "A number keeps its meaning for ever. INVALID is not among them: it is a verdict, not an "
          "error.\n"
          "From -10 to -19 a text is not acceptable JSON, from -20 to -29 a schema does not "
          "compile, from\n"
          "-40 to -49 an image is refused, and from -50 to -59 a validation ended undecided.\n"
          "\n"
          "| status | number | message | meaning |\n"
          "|---|--:|---|---|\n",
          stdout);
#define E(name, number, message, paragraph) row(#name, number, message, paragraph);
#include <cupel/errors.def>
    fputs(
        "\n"
        "## Problems\n"
        "\n"
        "What can be wrong with an instance that is INVALID. A number and an id keep their meaning "
        "for ever;\n"
        "sentences may get better.\n"
        "\n"
        "| id | number | sentence | meaning |\n"
        "|---|--:|---|---|\n",
        stdout);
#define P(name, number, id, sentence, for_models, paragraph) \
    problem(id, number, sentence, paragraph);
#include <cupel/problems.def>
    return 0;
}
