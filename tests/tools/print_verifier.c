/* print_verifier.c: docs/verifier.md, from vm/program/invariants.def, vm/program/opcodes.def and
 * the text of docs/verifier.in.md.  A test compares the file with what this prints; after a change:
 * print_verifier docs/verifier.in.md > docs/verifier.md. */
#include <stdio.h>
#include <string.h>

struct statement {
    const char *of, *id, *by, *text;
};

static const struct statement of_all[] = {
#define INVARIANT_ALL(id, by, text) {"", #id, by, text},
#include "vm/program/invariants.def"
    {NULL, NULL, NULL, NULL}};

static const struct statement of_kinds[] = {
#define INVARIANT_KIND(kind, id, by, text) {#kind, #id, by, text},
#include "vm/program/invariants.def"
    {NULL, NULL, NULL, NULL}};

static const struct statement of_ops[] = {
#define INVARIANT_OP(op, id, by, text) {#op, #id, by, text},
#include "vm/program/invariants.def"
    {NULL, NULL, NULL, NULL}};

/* The functions' names, each as code. */
static void print_functions(const char *by)
{
    for (const char *p = by; *p != '\0';) {
        const size_t n = strcspn(p, " ");
        printf("%s`%.*s`", p == by ? "" : ", ", (int)n, p);
        p += n + strspn(p + n, " ");
    }
}

static void print_statement(const struct statement *s)
{
    printf("| %s | `%s` | %s | ", s->of, s->id, s->text);
    print_functions(s->by);
    puts(" |");
}

static void print_all(void)
{
    puts("| assertion | before an instruction runs | established by |\n|---|---|---|");
    for (const struct statement *s = of_all; s->id != NULL; s++) {
        printf("| `%s` | %s | ", s->id, s->text);
        print_functions(s->by);
        puts(" |");
    }
}

/* In the order of invariants.def; the kinds without an invariant come last. */
static void print_kinds(void)
{
    static const char *const free_kinds[] = {"word", "count", "int"};
    puts("| kind | assertion | invariant | established by |\n|---|---|---|---|");
    for (const struct statement *s = of_kinds; s->id != NULL; s++)
        print_statement(s);
    for (size_t i = 0; i < sizeof free_kinds / sizeof *free_kinds; i++)
        printf("| %s | | none: x is any word | |\n", free_kinds[i]);
}

static void print_op(const char *name, const char *on, const char *const kinds[5])
{
    const char *between = "";
    printf("| `%s` | %s | ", name, on);
    for (int i = 0; i < 5; i++) {
        if (strcmp(kinds[i], "none") == 0)
            continue;
        printf("%s%c: %s", between, "abcde"[i], kinds[i]);
        between = ", ";
    }
    printf(" | ");
    between = "";
    for (const struct statement *s = of_ops; s->id != NULL; s++) {
        if (strcmp(s->of, name) != 0)
            continue;
        printf("%s`%s`: %s (", between, s->id, s->text);
        print_functions(s->by);
        printf(")");
        between = "; ";
    }
    puts(" |");
}

static void print_ops(void)
{
    puts("| instruction | types | operands | additional invariants |\n|---|---|---|---|");
#define OP(name, on, a, b, c, d, e, flow, problem, summary) \
    print_op(#name, #on, (const char *const[5]){#a, #b, #c, #d, #e});
#include "vm/program/opcodes.def"
}

/* Copies the text; a line `@all`, `@kinds` or `@ops` becomes a table. */
int main(int argc, char **argv)
{
    char line[512];
    FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (in == NULL)
        return 2;
    while (fgets(line, sizeof line, in) != NULL) {
        if (strcmp(line, "@all\n") == 0)
            print_all();
        else if (strcmp(line, "@kinds\n") == 0)
            print_kinds();
        else if (strcmp(line, "@ops\n") == 0)
            print_ops();
        else
            fputs(line, stdout);
    }
    return fclose(in) != 0;
}
