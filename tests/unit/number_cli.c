/* number_cli.c: base/decimal.c behind a pipe, for tests/tools/check_number.py.
 *
 * Reads lines "cmp A B", "mul A B", "int A" and "hash A", where A and B are JSON numbers, and
 * answers each with a line: the result as a number, or "range" if dec_parse refuses one of them. */
#include "base/decimal.h"
#include "test.h"

static bool operand(struct cupel__dec *ret)
{
    const char *word = strtok(NULL, " \n");
    return word != NULL && cupel__dec_parse(word, strlen(word), ret);
}

static void answer(const char *verb)
{
    struct cupel__dec a, b;
    bool two = strcmp(verb, "cmp") == 0 || strcmp(verb, "mul") == 0;
    if (!operand(&a) || (two && !operand(&b)))
        puts("range");
    else if (strcmp(verb, "cmp") == 0)
        printf("%d\n", cupel__dec_cmp(&a, &b));
    else if (strcmp(verb, "mul") == 0)
        printf("%d\n", cupel__dec_multiple(&a, &b));
    else if (strcmp(verb, "int") == 0)
        printf("%d\n", cupel__dec_is_integer(&a));
    else
        printf("%016llx\n", (unsigned long long)cupel__dec_hash(&a));
}

int main(void)
{
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *verb = strtok(line, " \n");
        if (verb != NULL)
            answer(verb);
    }
    return 0;
}
