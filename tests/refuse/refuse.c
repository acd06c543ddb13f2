/* refuse.c: broken images, and exactly what is said of each.
 *
 * Each case compiles a schema, changes one word of the image, repairs the checksum so that the
 * change is looked at, and expects the words of the refusal.  Between them they reach every refusal
 * of verify*.c. damage.c does without knowing what it breaks. */
#include "image_file.h"

enum space {
    HEADER,        /* words of struct cupel__image */
    CODE,          /* words from the first instruction `op` on */
    OPERAND,       /* words of the list or table to which that instruction's first operand leads */
    MATCHES,       /* words of the list of pattern properties of that table */
    DISCRIMINATOR, /* of the table to which a CHOOSE leads … */
    TAGS,          /* … of that of its first key … */
    SETS,          /* … and of the sets of both */
    VALUES,        /* words of a section */
    PATTERNS,
    LOCS,
    MARKS,
    PADDING /* words after the strings, from the end */
};

enum change { SET, ADD, OR, CLEAR };

enum { UNREPAIRED = 1 }; /* the checksum stays as it was */

struct broken {
    const char *schema;
    const char *detail; /* that is expected */
    enum cupel__op op;
    enum space space;
    int32_t index;
    enum change change;
    uint32_t value;
    unsigned flags;
};

#define NO_OP CUPEL__OP_FAIL

/* Four bytes as a word of this machine, given as a number with the first byte lowest; and which
 * word of a number of 64 bits is the lower one. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#    define BYTES(x) \
        ((uint32_t)(x) >> 24 | ((x) >> 8 & 0xff00u) | ((x)&0xff00u) << 8 | (uint32_t)(x) << 24)
#    define LOW 1
#else
#    define BYTES(x) ((uint32_t)(x))
#    define LOW      0
#endif
/* The first bytes of a node. */
#define NODE(type, flags) BYTES((type) | (uint32_t)(flags) << 8)

#define ONE_NAME  "{\"properties\": {\"a\": {\"minLength\": 1}}}"
#define LONG_NAME "{\"enum\": [\"a name of more than sixteen bytes\"]}"
/* 4 is the EITHER, 7 an ITEMS, 9 a SWITCH, 17 a STRING, 21 a LENGTH that is last, 24 a NOT. */
#define CHECKED                                                                               \
    "{\"properties\": {\"a\": {\"oneOf\": [{\"const\": \"k\"}, {\"maxLength\": 1}]}, \"b\": " \
    "{\"items\": {\"not\": {\"minItems\": 1}}}, \"c\": {\"minLength\": 1, \"minItems\": 1}}}"
#define PATTERNS_1 "{\"patternProperties\": {\"^a\": {\"minLength\": 1}}}"
#define LENGTH_1   "{\"type\": \"string\", \"minLength\": 1}"
#define CLASSES    "{\"minimum\": 1.5, \"minLength\": 1, \"not\": {\"const\": [\"x\"]}}"
/* The vocabularies say that `format` asserts. */
#define FORMAT_1                                                                                \
    "{\"$schema\": \"x:meta\", \"format\": \"date\", \"$defs\": {\"m\": {\"$id\": \"x:meta\", " \
    "\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"$vocabulary\": {"         \
    "\"https://json-schema.org/draft/2020-12/vocab/core\": true, "                              \
    "\"https://json-schema.org/draft/2020-12/vocab/format-assertion\": true}}}}"
#define CONST_2 "{\"const\": [\"1+\", 1e400]}"
#define CONST_1 "{\"const\": [\"x\", 1e400, {\"k\": -2.5}]}"

static const struct broken cases[] = {
    /* The header. */
    {LENGTH_1, "no image header at 0", NO_OP, HEADER, IN_HEADER(magic), ADD, 1, 0},
    {LENGTH_1, "image of a machine of the other byte order", NO_OP, HEADER, IN_HEADER(magic), SET,
     0x6375706c, 0},
    {LENGTH_1, "image version 9, this is 6", NO_OP, HEADER, IN_HEADER(version), SET, 9, 0},
    {LENGTH_1, "size in the header is wrong at 8", NO_OP, HEADER, IN_HEADER(size), SET, 8,
     UNREPAIRED},
    {LENGTH_1, "size in the header is wrong at 2048", NO_OP, HEADER, IN_HEADER(size), SET, 2048,
     UNREPAIRED},
    {LENGTH_1, "size in the header is wrong at 97", NO_OP, HEADER, IN_HEADER(size), SET, 97,
     UNREPAIRED},
    {LENGTH_1, "checksum does not match at 0", NO_OP, HEADER, IN_HEADER(checksum), ADD, 1,
     UNREPAIRED},
    {LENGTH_1, "checksum does not match at 0", CUPEL__OP_LENGTH, CODE, 1, ADD, 1, UNREPAIRED},
    {LENGTH_1, "reserved bits are set at 0", NO_OP, HEADER, IN_HEADER(flags), OR, 2, 0},
    {LENGTH_1, "bad list of formats at 1", NO_OP, HEADER, IN_HEADER(formats), SET, 1, 0},
    {LENGTH_1, "bad list of formats at 88", NO_OP, HEADER, IN_HEADER(formats), SET, 88, 0},
    {LENGTH_1, "not a verdict and a report program", NO_OP, HEADER, IN_HEADER(flags), SET, 1, 0},
    {LENGTH_1, "not a verdict and a report program", NO_OP, HEADER, IN_HEADER(flags), SET, 0,
     REPORT},
    {SWITCHED, "bad operand at 1", NO_OP, HEADER, IN_HEADER(flags), SET, 1,
     0}, /* no CASES in a report */
    {LENGTH_1, "bad root at 0", NO_OP, HEADER, IN_HEADER(root), OR, 0x800, 0},
    {LENGTH_1, "bad root at 0", NO_OP, HEADER, IN_HEADER(root), SET, CUPEL__SUB(1, 2), 0},
    {LENGTH_1, "bad root at 0", NO_OP, HEADER, IN_HEADER(root), SET, CUPEL__SUB(1, 500), 0},

    /* Sections. */
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(code.at), ADD, 4, 0},
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(code.at), SET, 0, 0},
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(code.count), SET, 0, 0},
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(code.count), SET, 1u << 30, 0},
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(tables.at), ADD, 1u << 31, 0},
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(values.count), SET, 99, 0},
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(patterns.count), SET, 99, 0},
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(locs.at), SET, 96, 0},
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(marks.count), SET, UINT32_MAX,
     0},
    {LENGTH_1, "sections do not fit at 0", NO_OP, HEADER, IN_HEADER(strings.count), ADD, 8, 0},
    {LENGTH_1, "padding is not zero at 104", NO_OP, PADDING, 1, SET, 0x31313131, 0},
    {"{\"pattern\": \"a+\"}", "pattern is no string at 0", NO_OP, PATTERNS, 0, ADD, 400, 0},
    {"{\"pattern\": \"a+\"}", "pattern is no string at 0", NO_OP, PATTERNS, 1, SET, 3, 0},
    {"{\"allOf\": [{\"pattern\": \"a+\"}, {\"pattern\": \"b\"}]}", "pattern is no string at 1",
     NO_OP, PATTERNS, 3, SET, 2, 0},
    {LENGTH_1, "bad location at 0", NO_OP, LOCS, 0, SET, 0, REPORT},
    {LENGTH_1, "bad location at 1", NO_OP, LOCS, 4, SET, 1, REPORT},
    {LENGTH_1, "bad location at 1", NO_OP, LOCS, 6, SET, 1u << 20, REPORT},
    {LENGTH_1, "bad location at 1", NO_OP, LOCS, 7, SET, 4, REPORT},
    {LENGTH_1, "bad mark at 0", NO_OP, MARKS, 1, SET, 99, REPORT},
    {LENGTH_1, "bad mark at 1", NO_OP, MARKS, 2, SET, 0, REPORT},
    {LENGTH_1, "mark of no instruction at 0", NO_OP, MARKS, 0, SET, 0, REPORT},

    /* Instructions. */
    {LENGTH_1, "first word is not 0 at 0", CUPEL__OP_LENGTH, CODE, -1, SET, CUPEL__OP_OBJECT, 0},
    {LENGTH_1, "no such opcode at 1", CUPEL__OP_LENGTH, CODE, 0, OR, 0x7f, 0},
    {LENGTH_1, "instruction is cut off at 1", NO_OP, HEADER, IN_HEADER(code.count), SET, 3, 0},
    {LENGTH_1, "sequence runs off the end at 4", CUPEL__OP_LENGTH, CODE, 0, CLEAR, CUPEL__LAST, 0},
    {LENGTH_1, "instruction does not fit the types at 1", NO_OP, HEADER, IN_HEADER(root), OR, 1, 0},
    {"{\"minLength\": 1}", "instruction does not fit the types at 2", CUPEL__OP_ONLY, CODE, 0, OR,
     1u << 16, 0},
    {CLASSES, "jump that is last at 1", CUPEL__OP_SWITCH, CODE, 0, OR, CUPEL__LAST, 0},
    {CLASSES, "bad label at 1", CUPEL__OP_SWITCH, OPERAND, 1, SET, 1, 0},
    {CLASSES, "bad label at 1", CUPEL__OP_SWITCH, OPERAND, 1, SET, 500, 0},
    {CLASSES, "bad label at 1", CUPEL__OP_SWITCH, OPERAND, 1, SET, 4, 0},
    {"{\"allOf\": [{\"minLength\": 1}]}", "schema that applies itself at 1", CUPEL__OP_CALL, CODE,
     1, SET, CUPEL__SUB(CUPEL__M_ANY, 1), PLAIN},

    /* Operands, by kind. */
    {LENGTH_1, "bad operand at 1", CUPEL__OP_LENGTH, CODE, 0, OR, 1u << 8, 0}, /* none */
    {LENGTH_1, "bad operand at 1", CUPEL__OP_LENGTH, CODE, 0, OR, 1u << 31, 0},
    {"{\"minimum\": 1}", "bad operand at 2", CUPEL__OP_MIN, CODE, 0, OR, 2u << 8, 0}, /* flag */
    {"{\"minLength\": 1}", "bad operand at 1", CUPEL__OP_ONLY, CODE, 0, OR, 0x800u << 16, 0},
    {"{\"items\": {\"minLength\": 1}}", "bad operand at 2", CUPEL__OP_ITEMS, CODE, 0, OR, 2u << 8,
     0},
    {"{\"const\": \"abc\"}", "bad operand at 1", CUPEL__OP_STRING, CODE, 0, SET,
     (uint32_t)CUPEL__OP_STRING | CUPEL__LAST | 9u << 16, 0},                    /* len8 */
    {"{\"minimum\": 1}", "bad operand at 2", CUPEL__OP_MIN, CODE, 1, SET, 1, 0}, /* value */
    {"{\"minimum\": 1}", "bad operand at 2", CUPEL__OP_MIN, VALUES, 0, SET, NODE(CUPEL__NULL, 0),
     0},
    {"{\"multipleOf\": 3}", "bad operand at 2", CUPEL__OP_MULTIPLE, VALUES, 2 + LOW, SET, 0,
     0}, /* divisor */
    {"{\"multipleOf\": 3}", "bad operand at 2", CUPEL__OP_MULTIPLE, VALUES, 3 - LOW, SET,
     UINT32_MAX, 0},
    {"{\"multipleOf\": 1e400, \"maximum\": -1e400}", "bad operand at 2", CUPEL__OP_MULTIPLE, CODE,
     1, SET, 1, 0},
    {"{\"multipleOf\": 1e400, \"minLength\": 1}", "bad operand at 3", CUPEL__OP_MULTIPLE, CODE, 1,
     SET, 9, 0},
    {FORMAT_1, "bad operand at 2", CUPEL__OP_FORMAT, CODE, 0, OR, 0xffffu << 16, 0},
    {"{\"pattern\": \"a\"}", "bad operand at 2", CUPEL__OP_PATTERN, CODE, 1, SET, 1, 0},
    {"{\"dependentRequired\": {\"a\": [\"b\"]}}", "bad operand at 2", CUPEL__OP_DEPENDS, CODE, 1,
     ADD, 1, 0}, /* str */
    {"{\"dependentRequired\": {\"a\": [\"b\"]}}", "bad operand at 2", CUPEL__OP_DEPENDS, CODE, 1,
     ADD, 4, 0},
    {"{\"dependentRequired\": {\"a\": [\"b\"]}}", "bad operand at 2", CUPEL__OP_DEPENDS, CODE, 1,
     SET, 0, 0},
    {"{\"allOf\": [{\"minLength\": 1}]}", "bad operand at 1", CUPEL__OP_CALL, CODE, 1, OR, 0x800,
     PLAIN},
    {"{\"allOf\": [{\"minLength\": 1}]}", "bad operand at 1", CUPEL__OP_CALL, CODE, 1, SET,
     CUPEL__SUB(1, 2), PLAIN},
    {"{\"items\": {\"minLength\": 1}}", "bad operand at 2", CUPEL__OP_ITEMS, CODE, 1, SET,
     CUPEL__SUB(1, 900), 0},
    {"{\"minimum\": 1.5, \"minLength\": 1, \"type\": \"string\"}", "bad operand at 1",
     CUPEL__OP_SWITCH, OPERAND, 0, SET, 5, PLAIN}, /* labels: one for each class */
    {CLASSES, "bad operand at 5", CUPEL__OP_JUMP, CODE, 1, SET, 5, 0}, /* label */
    {CLASSES, "bad operand at 5", CUPEL__OP_JUMP, CODE, 1, SET, 9, 0},
    {CLASSES, "bad operand at 5", CUPEL__OP_JUMP, CODE, 1, SET, 900, 0},

    /* Lists. */
    {"{\"enum\": [[1], [2]]}", "bad operand at 1", CUPEL__OP_ENUM, CODE, 1, ADD, 2, 0},
    {"{\"enum\": [[1], [2]]}", "bad operand at 1", CUPEL__OP_ENUM, CODE, 1, SET, 0, 0},
    {"{\"enum\": [[1], [2]]}", "bad operand at 1", CUPEL__OP_ENUM, CODE, 1, ADD, 12, 0},
    {"{\"enum\": [[1], [2]]}", "bad operand at 1", CUPEL__OP_ENUM, OPERAND, 0, SET, 3, 0},
    {"{\"enum\": [[1], [2]]}", "bad operand at 1", CUPEL__OP_ENUM, OPERAND, 1, SET, 4, 0},
    {"{\"anyOf\": [{\"minLength\": 1}, {\"type\": \"null\"}]}", "bad operand at 1",
     CUPEL__OP_EITHER, OPERAND, 1, OR, 0x800, 0},
    {"{\"prefixItems\": [{\"minLength\": 1}, {\"type\": \"null\"}]}", "bad operand at 2",
     CUPEL__OP_PREFIX, OPERAND, 2, SET, CUPEL__SUB(1, 900), 0},

    /* Choices of checks: branches that are none, or go on to what is none; in a report. */
    {CHECKED, "no check in a choice of checks at 4", CUPEL__OP_EITHER, OPERAND, 1, SET,
     CUPEL__SUB(CUPEL__M_ANY, 4), 0},
    {CHECKED, "no check in a choice of checks at 7", CUPEL__OP_EITHER, OPERAND, 1, SET,
     CUPEL__SUB(CUPEL__M_ARRAY, 7), 0},
    {CHECKED, "no check in a choice of checks at 7", CUPEL__OP_EITHER, OPERAND, 2, SET,
     CUPEL__SUB(CUPEL__M_ANY, 6), 0},
    {CHECKED, "no check in a choice of checks at 9", CUPEL__OP_EITHER, OPERAND, 2, SET,
     CUPEL__SUB(CUPEL__M_ANY, 9), 0},
    {CHECKED, "no check in a choice of checks at 24", CUPEL__OP_EITHER, OPERAND, 1, SET,
     CUPEL__SUB(CUPEL__M_NULL, 24), 0},
    {CHECKED, "no check in a choice of checks at 24", CUPEL__OP_STRING, CODE, 4, CLEAR, CUPEL__LAST,
     0},
    {"{\"anyOf\": [{\"minLength\": 1}, {\"minimum\": 1}]}", "bad operand at 1", CUPEL__OP_ANY_OF,
     CODE, 0, SET, (uint32_t)CUPEL__OP_EITHER | CUPEL__LAST, REPORT},

    /* Discriminators: tables, their tags, their sets. */
    {TAGGED, "bad choice at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(branches), ADD, 1, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, CODE, 2, ADD, 4, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, DISCRIMINATOR, IN_TABLE(matches), ADD, 4, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, DISCRIMINATOR, IN_TABLE(matches), SET, 8, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, DISCRIMINATOR, IN_TABLE(count), SET, 65, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, DISCRIMINATOR, IN_ENTRY(sub), ADD, 4, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, DISCRIMINATOR, IN_ENTRY(sub), SET, 16, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, TAGS, IN_TABLE(matches), ADD, 8, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, TAGS, IN_TABLE(name), SET, 1, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, TAGS, IN_TABLE(other), SET, 99, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, TAGS, IN_ENTRY(sub), SET, 99, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(words), ADD, 90, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(bits), SET, 0, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(bits), SET, 1, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(bits), SET, 65, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(count), ADD, 1, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(needed), OR, 2, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(set), OR, 4, 0},
    {TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(branches), SET, 1, 0},

    /* Cases: one key, sets by type of its values, and a case for each bit. */
    {SWITCHED, "bad choice at 1", CUPEL__OP_CASES, SETS, IN_SETS(branches), ADD, 1, 0},
    {SWITCHED, "bad operand at 1", CUPEL__OP_CASES, CODE, 2, ADD, 4, 0},
    {SWITCHED, "bad operand at 1", CUPEL__OP_CASES, DISCRIMINATOR, IN_TABLE(count), SET, 0, 0},
    {SWITCHED, "bad operand at 1", CUPEL__OP_CASES, SETS, IN_SETS(set), OR, 4, 0},
    {SWITCHED, "bad operand at 1", CUPEL__OP_CASES, SETS, IN_SETS(branches), SET, 1, 0},

    /* Tables. */
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, CODE, 1, ADD, 4, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, CODE, 1, ADD, 8, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, CODE, 1, SET, 0, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(count), SET, 2, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(count), SET, UINT32_MAX, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(required), SET, 1, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(other), OR, 0x800, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(name), OR, 0x800, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(names), SET, 4, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(entries), SET, 8, 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(shift), OR, BYTES(64), 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(shift), CLEAR, BYTES(0xff),
     0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(shift), OR, BYTES(16u << 8),
     0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(shift), OR, BYTES(1u << 24),
     0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(shift), OR, BYTES(17u << 24),
     0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(shift), OR,
     BYTES(2u << 8 | 1u << 24), 0}, /* displacements of a table that is sorted */
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(shift), SET,
     BYTES(12u | 13u << 24), 0}, /* more displacements than the shift leaves */
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, sizeof(struct cupel__table) / 4, OR,
     BYTES(0x0202), 0}, /* slots of an entry that is not there */
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_ENTRY(ignore), CLEAR,
     BYTES(1u << 3), 0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_ENTRY(ignore), OR, BYTES(1u << 16),
     0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_ENTRY(ignore), OR, BYTES(0xffff),
     0},
    {ONE_NAME, "bad operand at 2", CUPEL__OP_OBJECT, OPERAND, IN_ENTRY(sub), SET,
     CUPEL__SUB(1, 900), 0},
    {"{\"required\": [\"a\"]}", "bad operand at 2", CUPEL__OP_REQUIRED, OPERAND, IN_ENTRY(sub), SET,
     CUPEL__SUB(CUPEL__M_ANY, 9999), PLAIN},
    {ONE_NAME, "instruction does not fit the types at 2", CUPEL__OP_OBJECT, OPERAND, IN_ENTRY(sub),
     SET, CUPEL__SUB(CUPEL__M_ANY, 2), 0},
    {LONG_NAME, "bad operand at 1", CUPEL__OP_STRINGS, OPERAND, IN_TABLE(names), SET, 0, 0},
    {LONG_NAME, "bad operand at 1", CUPEL__OP_STRINGS, OPERAND, IN_ENTRY(ignore), OR, BYTES(1), 0},
    {LONG_NAME, "bad operand at 1", CUPEL__OP_STRINGS, OPERAND, IN_TABLE(shift), OR,
     BYTES(1u << 16), 0},
    {PATTERNS_1, "bad pattern properties at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(matches), SET,
     4, 0},
    {ONE_NAME, "bad pattern properties at 2", CUPEL__OP_OBJECT, OPERAND, IN_TABLE(matches), SET, 8,
     0},
    {PATTERNS_1, "bad pattern properties at 2", CUPEL__OP_OBJECT, MATCHES, 0, SET, 1, 0},
    {PATTERNS_1, "bad pattern properties at 2", CUPEL__OP_OBJECT, MATCHES, 1, SET, 1, 0},
    {PATTERNS_1, "bad pattern properties at 2", CUPEL__OP_OBJECT, MATCHES, 2, OR, 0x800, 0},

    /* Constants: 0 is an array of a string, a number and an object with one member, 3 to 5. */
    {CONST_1, "bad constant at 0", NO_OP, VALUES, 0, SET, NODE(CUPEL__TYPES, 0), 0},
    {CONST_1, "bad constant at 0", NO_OP, VALUES, 0, SET, NODE(0x75, 0), 0},
    {CONST_1, "bad constant at 0", NO_OP, VALUES, 0, OR, NODE(0, CUPEL__BIG), 0},
    {CONST_1, "bad constant at 0", NO_OP, VALUES, 2, SET, 6, 0}, /* more items than nodes */
    {CONST_1, "bad constant at 0", NO_OP, VALUES, 3, SET, 0, 0}, /* ends before it begins */
    {CONST_1, "bad constant at 0", NO_OP, VALUES, 3, SET, 7, 0}, /* ends after the section */
    {CONST_1, "bad constant at 2", NO_OP, VALUES, 2, SET, 2, 0}, /* … with nodes to spare */
    {CONST_1, "bad constant at 1", NO_OP, VALUES, 4, SET, NODE(CUPEL__ESCAPED, 0), 0},
    {CONST_1, "bad constant at 1", NO_OP, VALUES, 4, OR, NODE(0, CUPEL__KEY),
     0},                                                           /* a key in an array */
    {CONST_1, "bad constant at 1", NO_OP, VALUES, 5, SET, 8, 0},   /* not in the strings */
    {CONST_1, "bad constant at 1", NO_OP, VALUES, 6, SET, 200, 0}, /* too long */
    {CONST_1, "bad constant at 2", NO_OP, VALUES, 8, SET, NODE(CUPEL__INT, CUPEL__BIG), 0},
    {CONST_1, "bad constant at 2", NO_OP, VALUES, 8, SET, NODE(CUPEL__REAL, CUPEL__BIG), 0},
    {CONST_1, "bad constant at 2", NO_OP, VALUES, 8, SET, NODE(CUPEL__BIGINT, 0), 0},
    {CONST_1, "bad constant at 2", NO_OP, VALUES, 9, ADD, 1, 0}, /* "e400" */
    {CONST_1, "bad constant at 2", NO_OP, VALUES, 10, SET, 1, 0},
    {"{\"const\": 10e400}", "bad constant at 0", NO_OP, VALUES, 1, ADD, 1, 0}, /* "0e400" */
    {CONST_2, "bad constant at 2", NO_OP, VALUES, 9, ADD, (uint32_t)-2, 0},    /* "1+" */
    {CONST_1, "bad constant at 4", NO_OP, VALUES, 16, CLEAR, NODE(0, CUPEL__KEY), 0},
    {CONST_1, "bad constant at 5", NO_OP, VALUES, 20, SET, NODE(CUPEL__REAL, 0),
     0}, /* -25 that is no integer */
    {CONST_1, "bad constant at 5", NO_OP, VALUES, 22 + LOW, SET, (uint32_t)-20, 0},
};

/* -- Changes --------------------------------------------------------------------------------------
 */

static uint32_t *place(struct cupel__image *image, const struct broken *b)
{
    uint32_t *op = b->op != NO_OP ? find_op(image, b->op) : &image->magic;
    if (op == NULL)
        return NULL;
    switch (b->space) {
    case HEADER:
    case CODE:
        return op + b->index;
    case OPERAND:
        return words_at(image, op[1]) + b->index;
    case MATCHES:
        return words_at(image, words_at(image, op[1])[IN_TABLE(matches)]) + b->index;
    case DISCRIMINATOR:
        return words_at(image, op[2]) + b->index;
    case TAGS:
        return words_at(image, words_at(image, op[2])[IN_ENTRY(sub)]) + b->index;
    case SETS:
        return words_at(image, words_at(image, op[2])[IN_TABLE(matches)]) + b->index;
    case VALUES:
        return words_at(image, image->values.at) + b->index;
    case PATTERNS:
        return words_at(image, image->patterns.at) + b->index;
    case LOCS:
        return words_at(image, image->locs.at) + b->index;
    case MARKS:
        return words_at(image, image->marks.at) + b->index;
    case PADDING:
        return words_at(image, image->size) - b->index;
    }
    return NULL;
}

static void change(uint32_t *word, const struct broken *b)
{
    if (b->change == SET)
        *word = b->value;
    else if (b->change == ADD)
        *word += b->value;
    else if (b->change == OR)
        *word |= b->value;
    else
        *word &= ~b->value;
}

static void run_case(const struct broken *b)
{
    struct file f = {0};
    if (!CHECK(compile_file(b->schema, b->flags, &f)))
        return;
    uint32_t *word = place(f.image, b);
    if (CHECK(word != NULL)) {
        change(word, b);
        if (!(b->flags & UNREPAIRED))
            repair_checksum(&f);
        check_refused(&f, b->schema, b->detail);
    }
    free(f.bytes);
}

/* Changes that only together come to what they are meant for. */
static const struct broken several[][3] = {
    {{TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(words), ADD, (uint32_t)-2, 0},
     {"", "", CUPEL__OP_CHOOSE, SETS, IN_SETS(count), ADD, (uint32_t)-1, 0}},
    {{TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(words), SET, 7, 0},
     {"", "", CUPEL__OP_CHOOSE, SETS, IN_SETS(count), SET, 0, 0}},
    {{TAGGED, "bad operand at 3", CUPEL__OP_CHOOSE, SETS, IN_SETS(words), ADD, (uint32_t)-2, 0},
     {"", "", CUPEL__OP_CHOOSE, SETS, IN_SETS(bits), SET, 0, 0}},
    /* A CASES, which is a word shorter, in a report. */
    {{TAGGED, "bad operand at 6", CUPEL__OP_CHOOSE, CODE, 0, SET,
      (uint32_t)CUPEL__OP_CASES | CUPEL__LAST, REPORT},
     {"", "", CUPEL__OP_CHOOSE, CODE, 3, SET, (uint32_t)CUPEL__OP_FAIL | CUPEL__LAST, REPORT}},
};

static void run_several(const struct broken changes[3])
{
    struct file f = {0};
    if (!CHECK(compile_file(changes[0].schema, changes[0].flags, &f)))
        return;
    uint32_t *words[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3 && changes[i].schema != NULL; i++)
        words[i] = place(f.image, &changes[i]);
    for (int i = 0; i < 3 && changes[i].schema != NULL; i++)
        if (CHECK(words[i] != NULL))
            change(words[i], &changes[i]);
    repair_checksum(&f);
    check_refused(&f, changes[0].schema, changes[0].detail);
    free(f.bytes);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_case(&cases[i]);
    for (size_t i = 0; i < sizeof several / sizeof *several; i++)
        run_several(several[i]);
    return test_end();
}
