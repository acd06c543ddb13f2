/* print_opcodes.c: docs/opcodes.md, from vm/program/opcodes.def.  A test compares the file with
 * what this prints; after a change of the list: print_opcodes > docs/opcodes.md. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void text(const char *z)
{
    fputs(z, stdout);
}

/* `none` is nothing; the others are the names in the table of kinds. */
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
    "Made from `vm/program/opcodes.def` by `tests/tools/print_opcodes.c`; do not edit.\n"
    "\n"
    "Code is an array of 32-bit words. An instruction is one word, with the opcode in bits 0 to 6, "
    "the\n"
    "flag LAST in bit 7, operand `a` in bits 8 to 15 and `b` in bits 16 to 31, and then a word for "
    "each\n"
    "operand `c`, `d`, `e` that it has. What is no operand is zero.\n"
    "\n"
    "A sequence of instructions runs on one value, `v`. A *test* goes on with the next "
    "instruction, or,\n"
    "with LAST, ends the sequence: the value has passed. If it fails, the sequence ends with the "
    "other\n"
    "result; in a report it goes on and the failure is noted. A *check* is a test that runs no "
    "other "
    "schema. A *jump* goes to a label further on. "
    "The\n"
    "verifier proves that no value of another type than those listed reaches an instruction.\n"
    "\n"
    "| code | name | types | operands | flow | what it does |\n"
    "|--:|---|---|---|---|---|\n";

static const char tail[] =
    "\n"
    "## Kinds of operands\n"
    "\n"
    "| kind | the field holds |\n"
    "|---|---|\n"
    "| flag | 0 or 1 |\n"
    "| marks | 0 or 1: what the instruction applies to becomes evaluated |\n"
    "| mask | a set of types, a bit for each |\n"
    "| kept | a set of types |\n"
    "| len8 | 0 to 8 |\n"
    "| anchor | the number of a dynamic anchor |\n"
    "| word | 32 bits |\n"
    "| count | an unsigned number; 4294967295 as an upper bound is none |\n"
    "| int | a signed number |\n"
    "| value | the index of a constant; of a number, if the instruction looks at numbers |\n"
    "| divisor | the same, of a number above zero |\n"
    "| values | a list of such indices |\n"
    "| hashes | a list of pairs: a hash, an index in the list of values before it |\n"
    "| pattern | the index of a pattern |\n"
    "| format | the number of a format |\n"
    "| named | an index in the image's list of the host's formats |\n"
    "| str | the offset of a string: its length as a word, then its bytes |\n"
    "| table | the offset of a table of names |\n"
    "| object | the offset of a table of names with the schemas of their members |\n"
    "| sieve | the offset of a table of what tells the branches of a choice apart |\n"
    "| cases | the same, of one that leaves one branch |\n"
    "| sub | a reference to the schema of a child of `v` |\n"
    "| left | the same, or 4294967295 for none |\n"
    "| subs | a list of them |\n"
    "| here | a reference to a schema for `v` itself |\n"
    "| heres | a list of them |\n"
    "| plains | a list of them, each of checks alone and of no EITHER; in no report program |\n"
    "| anchors | a list of them, one for each dynamic anchor |\n"
    "| label | the index of a later instruction |\n"
    "| labels | a list of six labels: null, boolean, number, string, array, object; 0 for none |\n"
    "\n"
    "Lists, tables and references are described in `image-format.md`.\n";

int main(void)
{
    unsigned number = 0;
    text(head);
#define OP(name, on, a, b, c, d, e, flow, summary) \
    row(number++, #name, #on, (const char *const[5]){#a, #b, #c, #d, #e}, #flow, summary);
#include "vm/program/opcodes.def"
    text(tail);
    return 0;
}
