/* print_opcodes.c: docs/opcodes.md, from vm/program/opcodes.def and operands.def.  A test compares
 * the file with what this prints; after a change of the lists: print_opcodes > docs/opcodes.md. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void text(const char *z)
{
    fputs(z, stdout);
}

/* The operands that an instruction has, with their kinds. */
static void operands(const char *const kinds[5])
{
    static const char letters[] = "abcde";
    const char *between = "";
    for (int i = 0; i < 5; i++) {
        if (strcmp(kinds[i], "none") == 0)
            continue;
        printf("%s%c: %s", between, letters[i], kinds[i]);
        between = ", ";
    }
}

static void row(unsigned number, const char *name, const char *on, const char *const kinds[5],
                const char *flow, const char *summary)
{
    static const char *const types[][2] = {
        {"ANY", "any"},     {"NUMBER", "number"}, {"STRING", "string"},
        {"ARRAY", "array"}, {"OBJECT", "object"}, {"CONTAINER", "array, object"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(on, types[i][0]) == 0)
            on = types[i][1];
    printf("| %u | `%s` | %s | ", number, name, on);
    operands(kinds);
    bool jump = strcmp(flow, "JUMP") == 0, check = strcmp(flow, "CHECK") == 0;
    printf(" | %s | %s |\n", jump ? "jump" : check ? "check" : "test", summary);
}

static const char head[] =
    "# The instructions\n"
    "\n"
    "Printed from `vm/program/opcodes.def` and `vm/program/operands.def` by "
    "`tests/tools/print_opcodes.c`; do not edit.\n"
    "\n"
    "Code is an array of 32-bit words. The first word of an instruction has the opcode in bits 0 "
    "to "
    "6, the\n"
    "flag LAST in bit 7, operand `a` in bits 8 to 15 and operand `b` in bits 16 to 31. A word "
    "follows for\n"
    "each of the operands `c`, `d`, `e` that the instruction has. Fields without an operand are "
    "0.\n"
    "\n"
    "A sequence of instructions runs on one value, `v`. A *test* that succeeds continues with the "
    "next\n"
    "instruction, or, with LAST, ends the sequence: the value passes. A test that fails ends the "
    "sequence: the\n"
    "value does not pass. In a report program a failed test is recorded, and the sequence "
    "continues. "
    "A *check*\n"
    "is a test that applies no other schema. A *jump* goes to a later label. The verifier proves "
    "that a value\n"
    "of a type that is not listed never reaches an instruction.\n"
    "\n"
    "| code | name | types | operands | flow | effect |\n"
    "|--:|---|---|---|---|---|\n";

static const char kinds_head[] = "\n"
                                 "## Kinds of operands\n"
                                 "\n"
                                 "| kind | the field holds |\n"
                                 "|---|---|\n";

static const char tail[] = "\n"
                           "`image-format.md` describes lists, tables and references.\n";

int main(void)
{
    unsigned number = 0;
    text(head);
#define OP(name, on, a, b, c, d, e, flow, problem, summary) \
    row(number++, #name, #on, (const char *const[5]){#a, #b, #c, #d, #e}, #flow, summary);
#include "vm/program/opcodes.def"
    text(kinds_head);
#define OPERAND(name, holds) printf("| %s | %s |\n", #name, holds);
#define PART(name)
#include "vm/program/operands.def"
    text(tail);
    return 0;
}
