/* test_invariants.c: the assertions of the debug VM (debug.c), which this test has in every
 * build.
 *
 * Images are made by hand, as if a broken verifier had let them through.  Whole, each instruction
 * holds; each statement of invariants.def is then broken once, and is the one that is found. */
#undef CUPEL__DEBUG_VM
#define CUPEL__DEBUG_VM 1
#include "test.h"
#include "vm/run/debug.c"
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 32, TABLES = 256, VALUES = 4, STRINGS = 64 };
enum { THE_NULL, THE_INT, THE_STRING, THE_ARRAY };

/* An image, as it lies in memory, and a machine that is about to run word 1 of it. */
struct planted {
    struct cupel__image head;
    uint32_t code[WORDS];
    uint32_t tables[TABLES];
    struct cupel__node values[VALUES];
    char strings[STRINGS];
    char padding[16];
};

static struct planted p;
static struct cupel__code program;
static struct cupel__doc doc;
static struct cupel__node node;
static struct cupel__frame frames[2];
static struct cupel__vm vm;
static bool found[CUPEL__INVARIANTS];

static uint32_t at(const void *part)
{
    return (uint32_t)((const char *)part - (const char *)&p);
}

#define SUB(pc) CUPEL__SUB(CUPEL__M_ANY, pc)

/* An image of one instruction, whose fields a and b are given, and behind it a FAIL that is last.
 */
static void plant(enum cupel__op op, uint8_t type, uint32_t a, uint32_t b)
{
    memset(&p, 0, sizeof p);
    for (uint32_t i = 1; i < WORDS; i++)
        p.code[i] = CUPEL__OP_FAIL | CUPEL__LAST;
    p.code[1] = (uint32_t)op | a << 8 | b << 16;
    p.code[2] = 0;
    p.head.code = (struct cupel__section){at(p.code), WORDS};
    p.head.tables = (struct cupel__section){at(p.tables), TABLES};
    p.head.values = (struct cupel__section){at(p.values), VALUES};
    p.head.strings = (struct cupel__section){at(p.strings), STRINGS};
    p.values[THE_NULL].type = CUPEL__NULL;
    p.values[THE_INT] = (struct cupel__node){.type = CUPEL__INT, .i = 1};
    p.values[THE_STRING] = (struct cupel__node){.type = CUPEL__STRING, .off = at(p.strings)};
    p.values[THE_ARRAY] = (struct cupel__node){.type = CUPEL__ARRAY, .end = VALUES};
    node = (struct cupel__node){.type = type, .end = 1};
    doc.nnodes = 1;
    program.nmatchers = program.nformats = 1;
    vm.image = &p.head;
    vm.code = p.code;
    vm.program = &program;
    vm.doc = &doc;
    vm.nodes = &node;
    vm.stack.frames = vm.stack.limit = frames;
}

static void breaks(enum cupel__invariant want, int line)
{
    enum cupel__invariant got = broken_invariant(&vm, p.code + 1, &node);
    if (got != want)
        fprintf(stderr, "    line %d: \"%s\", not \"%s\"\n", line, statements[got],
                statements[want]);
    CHECK(got == want);
    found[got] = true;
}
#define HOLDS_NOW() breaks(CUPEL__ALL_HOLD, __LINE__)
#define BREAKS(id)  breaks(CUPEL__INVARIANT_##id, __LINE__)

/* Breaks one word, and mends it. */
#define PLANT(place, value, id)                \
    do {                                       \
        const __typeof__(place) was = (place); \
        HOLDS_NOW();                           \
        (place) = (__typeof__(place))(value);  \
        BREAKS(id);                            \
        (place) = was;                         \
    } while (0)

static uint32_t list(uint32_t from, uint32_t n, uint32_t item)
{
    p.tables[from] = n;
    for (uint32_t i = 0; i < n; i++)
        p.tables[from + 1 + i] = item;
    return at(&p.tables[from]);
}

enum { SLOTS = 4 };

static struct cupel__table *table(uint32_t from, uint32_t count)
{
    struct cupel__table *t = (void *)&p.tables[from];
    *t = (struct cupel__table){.shift = 30, .flags = CUPEL__TABLE_PLAIN, .count = count};
    t->entries = sizeof *t + SLOTS;
    struct cupel__entry *entries = (void *)((char *)t + t->entries);
    for (uint32_t i = 0; i < count; i++)
        entries[i] =
            (struct cupel__entry){.name = "\"", .ignore = cupel__entry_ignore(0), .sub = SUB(0)};
    return t;
}

static struct cupel__entry *entry(struct cupel__table *t)
{
    return (void *)((char *)t + t->entries);
}

/* -- Every instruction
 * ------------------------------------------------------------------------------ */

static void test_fetch(void)
{
    plant(CUPEL__OP_UNIQUE, CUPEL__ARRAY, 0, 0);
    HOLDS_NOW();
    CHECK(broken_invariant(&vm, p.code, &node) == CUPEL__INVARIANT_IN_CODE);
    CHECK(broken_invariant(&vm, p.code + WORDS, &node) == CUPEL__INVARIANT_IN_CODE);
    found[CUPEL__INVARIANT_IN_CODE] = true;
    node.type = CUPEL__OBJECT;
    BREAKS(FITS);
    plant(CUPEL__OP_FAIL, CUPEL__NULL, 0, 0);
    p.code[2] = CUPEL__OP_FAIL | CUPEL__LAST;
    PLANT(p.code[1], CUPEL__OPS, OPCODE);
    PLANT(p.head.code.count, 2, GOES_ON);
    plant(CUPEL__OP_CALL, CUPEL__NULL, 0, 0);
    p.code[2] = SUB(0);
    PLANT(p.head.code.count, 2, WHOLE);
    CHECK(broken_invariant(&vm, p.code + 2, &node) == CUPEL__INVARIANT_STARTS);
    found[CUPEL__INVARIANT_STARTS] = true;
    plant(CUPEL__OP_JUMP, CUPEL__NULL, 0, 0);
    p.code[2] = 3;
    PLANT(p.code[1], p.code[1] | CUPEL__LAST, JUMP_LAST);
}

/* -- Operands in a word
 * ----------------------------------------------------------------------------- */

static void test_words(void)
{
    plant(CUPEL__OP_FAIL, CUPEL__NULL, 0, 0);
    PLANT(p.code[1], CUPEL__OP_FAIL | 1 << 8, NONE);
    PLANT(p.code[1], CUPEL__OP_FAIL | 1 << 16, NONE);
    plant(CUPEL__OP_TYPE, CUPEL__NULL, 0, CUPEL__M_STRING);
    PLANT(p.code[1], CUPEL__OP_TYPE | (CUPEL__M_ANY + 1) << 16, MASK);
    PLANT(p.code[1], CUPEL__OP_TYPE | CUPEL__BIT(CUPEL__ESCAPED) << 16, MASK);
    plant(CUPEL__OP_MEMO, CUPEL__NULL, 1, CUPEL__M_ANY);
    p.code[2] = SUB(0);
    PLANT(p.code[1], CUPEL__OP_MEMO | CUPEL__BIT(CUPEL__STRING) << 16, MEMO_TYPES);
    PLANT(p.code[1], CUPEL__OP_MEMO | 2 << 8, EVALUATES);
    plant(CUPEL__OP_STRING, CUPEL__STRING, 0, 8);
    PLANT(p.code[1], CUPEL__OP_STRING | 9 << 16, LENGTH8);
    plant(CUPEL__OP_DYNAMIC, CUPEL__NULL, 0, CUPEL__ANCHORS - 1);
    p.code[2] = SUB(3);
    PLANT(p.code[1], CUPEL__OP_DYNAMIC | CUPEL__ANCHORS << 16, ANCHOR);
    PLANT(p.code[2], SUB(WORDS), INPLACE);
    PLANT(p.code[2], CUPEL__SUB(CUPEL__M_ANY + 1, 3), INPLACE);
    PLANT(p.code[2], CUPEL__SUB(CUPEL__BIT(CUPEL__STRING), 3), INPLACE);
    plant(CUPEL__OP_PATTERN, CUPEL__STRING, 0, 0);
    PLANT(p.code[2], 1, PATTERN);
    plant(CUPEL__OP_FORMAT, CUPEL__STRING, 0, CUPEL__FORMATS - 1);
    PLANT(p.code[1], CUPEL__OP_FORMAT | CUPEL__FORMATS << 16, FORMAT);
    plant(CUPEL__OP_HOST_FORMAT, CUPEL__STRING, 0, 0);
    PLANT(p.code[1], CUPEL__OP_HOST_FORMAT | 1 << 16, HOST_FORMAT);
    plant(CUPEL__OP_ITEMS, CUPEL__ARRAY, 1, 0);
    p.code[2] = SUB(0);
    PLANT(p.code[2], SUB(WORDS), CHILD);
    plant(CUPEL__OP_UNEVALUATED, CUPEL__ARRAY, 0, 0);
    p.code[2] = SUB(0);
    p.code[3] = p.code[4] = CUPEL__NO_SUB;
    PLANT(p.code[3], SUB(WORDS), CHILD_OR_NONE);
    plant(CUPEL__OP_JUMP, CUPEL__NULL, 0, 0);
    p.code[2] = 3;
    PLANT(p.code[2], 1, LABEL);
    PLANT(p.code[2], WORDS, LABEL);
}

static void test_constants(void)
{
    plant(CUPEL__OP_CONST, CUPEL__NULL, 0, 0);
    PLANT(p.code[2], VALUES, VALUE);
    p.code[2] = THE_STRING;
    PLANT(p.values[THE_STRING].len, STRINGS + 1, VALUE_WHOLE);
    p.code[2] = THE_ARRAY;
    PLANT(p.values[THE_ARRAY].end, THE_ARRAY, VALUE_WHOLE);
    PLANT(p.values[THE_ARRAY].end, VALUES + 1, VALUE_WHOLE);
    p.code[2] = THE_INT;
    HOLDS_NOW();
    p.values[THE_INT] = (struct cupel__node){.type = CUPEL__REAL, .flags = CUPEL__BIG};
    BREAKS(VALUE_WHOLE);
    p.values[THE_INT].type = CUPEL__ESCAPED;
    BREAKS(VALUE_WHOLE);
    plant(CUPEL__OP_MIN, CUPEL__INT, 1, 0);
    p.code[2] = THE_INT;
    PLANT(p.code[2], THE_NULL, VALUE_NUMBER);
    PLANT(p.code[1], CUPEL__OP_MIN | 2 << 8, FLAG);
    plant(CUPEL__OP_MULTIPLE, CUPEL__INT, 0, 0);
    p.code[2] = THE_INT;
    PLANT(p.code[2], VALUES, DIVISOR);
    PLANT(p.code[2], THE_NULL, DIVISOR_ABOVE_0);
    p.values[THE_INT].i = 0;
    BREAKS(DIVISOR_ABOVE_0);
    p.values[THE_INT] =
        (struct cupel__node){.type = CUPEL__REAL, .flags = CUPEL__BIG, .off = at(p.strings)};
    p.strings[0] = '-';
    BREAKS(DIVISOR_ABOVE_0);
}

/* -- Strings and lists
 * ------------------------------------------------------------------------------ */

static void test_str(void)
{
    plant(CUPEL__OP_IMPLIES, CUPEL__OBJECT, 0, 0);
    p.code[2] = at(p.strings);
    p.code[3] = SUB(0);
    HOLDS_NOW();
    p.strings[0] = STRINGS - 4;
    PLANT(p.strings[0], STRINGS - 3, STR);
    PLANT(p.code[2], at(p.strings) + 2, STR);
    PLANT(p.code[2], at(p.strings) - 4, STR);
}

/* A list that is operand c of an instruction: a place that is none, a length that does not fit, a
 * bad item. */
#define PLANT_LIST(n, good, bad, ID_LIST, ID_ITEM)        \
    do {                                                  \
        p.code[2] = list(0, n, good);                     \
        PLANT(p.code[2], at(p.tables) + 2, ID_LIST);      \
        PLANT(p.code[2], at(&p.tables[TABLES]), ID_LIST); \
        PLANT(p.tables[0], TABLES, ID_LIST);              \
        PLANT(p.tables[1], bad, ID_ITEM);                 \
    } while (0)

static void test_lists(void)
{
    plant(CUPEL__OP_ENUM, CUPEL__NULL, 0, 0);
    PLANT_LIST(2, 0, VALUES, VALUES_LIST, VALUES_ITEM);
    plant(CUPEL__OP_PREFIX, CUPEL__ARRAY, 0, 0);
    PLANT_LIST(2, SUB(0), SUB(WORDS), CHILDREN_LIST, CHILDREN_ITEM);
    plant(CUPEL__OP_ANY_OF, CUPEL__NULL, 0, 0);
    PLANT_LIST(2, SUB(3), SUB(WORDS), BRANCHES_LIST, BRANCHES_ITEM);
    plant(CUPEL__OP_SWITCH, CUPEL__NULL, 0, 0);
    PLANT_LIST(CUPEL__CLASSES, 3, 1, LABELS_LIST, LABELS_ITEM);
    PLANT(p.tables[0], CUPEL__CLASSES - 1, LABELS_LIST);
    plant(CUPEL__OP_LOOKUP, CUPEL__NULL, 0, 0);
    p.code[2] = list(0, 2, 0);
    p.code[3] = list(8, 4, 0);
    PLANT(p.code[3], 1, HASHES_LIST);
    PLANT(p.tables[8], TABLES, HASHES_LIST);
    plant(CUPEL__OP_SCOPE, CUPEL__NULL, 0, 0);
    p.code[2] = SUB(3);
    p.code[3] = list(0, CUPEL__ANCHORS, CUPEL__NO_SUB);
    PLANT(p.tables[0], CUPEL__ANCHORS + 1, ANCHORS_LIST);
    PLANT(p.tables[1], SUB(WORDS), ANCHORS_ITEM);
}

static void test_plains(void)
{
    plant(CUPEL__OP_EITHER, CUPEL__NULL, 0, 0);
    PLANT_LIST(2, SUB(3), SUB(WORDS), CHECK_BRANCHES_LIST, CHECK_BRANCHES_ITEM);
    PLANT(p.code[3], CUPEL__OP_CALL | CUPEL__LAST, CHECK_BRANCHES_FLOW);
    PLANT(p.code[3], CUPEL__OP_EITHER | CUPEL__LAST, CHECK_BRANCHES_FLOW);
    PLANT(p.head.flags, CUPEL__IMAGE_REPORT, EITHER_VERDICT);
    p.tables[1] = p.tables[2] = SUB(WORDS - 1);
    PLANT(p.code[WORDS - 1], CUPEL__OP_FAIL, CHECK_BRANCHES_FLOW);
}

/* -- Tables
 * ----------------------------------------------------------------------------------------- */

#define PLANT_TABLE(t, place, KIND)                  \
    do {                                             \
        PLANT(place, at(p.tables) + 2, KIND##_FITS); \
        PLANT(place, at(p.strings), KIND##_FITS);    \
        PLANT((t)->count, TABLES, KIND##_FITS);      \
        PLANT((t)->entries, 0, KIND##_FITS);         \
    } while (0)

#define PLANT_NAMES(t, KIND)                                                                  \
    do {                                                                                      \
        PLANT(((uint8_t *)((t) + 1))[0], 2, KIND##_SLOTS);                                    \
        PLANT(entry(t)->ignore, 0xffff, KIND##_NAMES);                                        \
        PLANT(entry(t)->flags, CUPEL__ENTRY_LONG, KIND##_NAMES);                              \
        PLANT((t)->required, 1, KIND##_REQUIRED);                                             \
        HOLDS_NOW();                                                                          \
        (t)->shift = 32;                                                                      \
        BREAKS(KIND##_SHIFT);                                                                 \
        (t)->shift = 31, (t)->disp = 1; /* a slot's number with eight bits of displacement */ \
        BREAKS(KIND##_SHIFT);                                                                 \
    } while (0)

static void test_tables(void)
{
    plant(CUPEL__OP_REQUIRED, CUPEL__OBJECT, 0, 0);
    struct cupel__table *t = table(0, 1);
    p.code[2] = at(t);
    PLANT_TABLE(t, p.code[2], TABLE);
    PLANT_NAMES(t, TABLE);
    plant(CUPEL__OP_MEMBERS, CUPEL__OBJECT, 0, 0);
    t = table(0, 1);
    p.code[2] = at(t);
    PLANT_TABLE(t, p.code[2], OBJECT);
    PLANT(t->other, SUB(WORDS), OBJECT_SUBS);
    PLANT(t->name, SUB(WORDS), OBJECT_SUBS);
    PLANT(entry(t)->sub, SUB(WORDS), OBJECT_SUBS);
    PLANT_NAMES(t, OBJECT);
}

/* The names of LONG entries. */
static void test_long_names(void)
{
    plant(CUPEL__OP_REQUIRED, CUPEL__OBJECT, 0, 0);
    struct cupel__table *t = table(0, 1);
    p.code[2] = at(t);
    entry(t)->flags = CUPEL__ENTRY_LONG;
    t->names = list(64, 2, 16);
    p.tables[65] = at(p.strings);
    PLANT(p.tables[66], 15, TABLE_NAMES);
    PLANT(p.tables[66], STRINGS + 1, TABLE_NAMES);
    PLANT(t->names, 2, TABLE_NAMES);
}

static void test_patterns(void)
{
    for (int members = 0; members < 2; members++) {
        plant(members ? CUPEL__OP_MEMBERS : CUPEL__OP_OBJECT, CUPEL__OBJECT, 0, 0);
        struct cupel__table *t = table(0, 0);
        p.code[2] = at(t);
        t->matches = list(64, 2, 0);
        p.tables[66] = SUB(0);
        const enum cupel__invariant id =
            members ? CUPEL__INVARIANT_MEMBERS_MATCHES : CUPEL__INVARIANT_OBJECT_MATCHES;
        HOLDS_NOW();
        p.tables[65] = 1;
        breaks(id, __LINE__);
        p.tables[65] = 0;
        p.tables[66] = SUB(WORDS);
        breaks(id, __LINE__);
        p.tables[66] = SUB(0);
        p.tables[64] = 1;
        breaks(id, __LINE__);
    }
}

/* -- Choices
 * ---------------------------------------------------------------------------------------- */

/* A discriminator of one key and its tags, with so many sets for `bits` branches. */
static struct cupel__masks *discriminator(uint32_t nsets, uint32_t bits)
{
    struct cupel__table *t = table(0, 1), *tags = table(32, 1);
    struct cupel__masks *m = (void *)&p.tables[64];
    m->words = (uint32_t)(offsetof(struct cupel__masks, set) / 4 - 1) + 2 * nsets + bits;
    m->branches = m->bits = bits;
    m->count = nsets;
    for (uint32_t i = 0; i < bits; i++)
        ((uint32_t *)(void *)(m->set + nsets))[i] = CUPEL__SPAN(i, 1);
    t->matches = tags->matches = at(m);
    entry(t)->sub = at(tags);
    entry(tags)->sub = 0;
    return m;
}

/* The statements that a discriminator and the discriminator of a CASES share. */
#define PLANT_DISCRIMINATOR(m, least, KIND)                                                      \
    do {                                                                                         \
        struct cupel__table *t = (void *)&p.tables[0], *tags = (void *)&p.tables[32];            \
        PLANT(p.code[3], at(t) + 2, KIND##_FITS);                                                \
        PLANT(entry(t)->sub, at(tags) + 2, KIND##_FITS);                                         \
        PLANT(tags->count, TABLES, KIND##_FITS);                                                 \
        PLANT(t->matches, at(m) + 4, KIND##_SETS);                                               \
        PLANT((m)->words, TABLES, KIND##_SETS);                                                  \
        PLANT((m)->count, TABLES, KIND##_SETS);                                                  \
        PLANT((m)->count, (least)-1, KIND##_SETS);                                               \
        PLANT((m)->bits, 0, KIND##_SETS);                                                        \
        PLANT((m)->bits, 65, KIND##_SETS);                                                       \
        PLANT(tags->other, (m)->count, KIND##_TAGS);                                             \
        PLANT(tags->name, 1, KIND##_TAGS);                                                       \
        PLANT(entry(tags)->sub, (m)->count, KIND##_TAGS);                                        \
        PLANT((m)->needed, 2, KIND##_TAGS);                                                      \
        PLANT((m)->set[0], 4, KIND##_BITS);                                                      \
        PLANT(((uint32_t *)(void *)((m)->set + (m)->count))[1], CUPEL__SPAN(1, 2), KIND##_BITS); \
    } while (0)

static void test_choose(void)
{
    enum { SETS = CUPEL__TYPES + 2 };
    plant(CUPEL__OP_CHOOSE, CUPEL__OBJECT, 0, 0);
    struct cupel__masks *m = discriminator(SETS, 2);
    p.code[2] = list(200, 2, SUB(5));
    p.code[3] = at(p.tables);
    p.code[4] = list(210, 2, SUB(5));
    PLANT_DISCRIMINATOR(m, SETS, DISCRIMINATOR);
    PLANT(p.tables[200], 1, CHOOSE_BRANCHES);
    PLANT(p.tables[210], 1, CHOOSE_TARGETS);
    PLANT(p.tables[210], TABLES, TARGETS_LIST);
    PLANT(p.tables[211], SUB(WORDS), TARGETS_ITEM);
}

static void test_cases(void)
{
    enum { SETS = 2 * CUPEL__TYPES + 1 };
    plant(CUPEL__OP_CASES, CUPEL__OBJECT, 0, 0);
    struct cupel__masks *m = discriminator(SETS, 2);
    p.code[2] = list(200, 2, SUB(4));
    p.code[3] = at(p.tables);
    PLANT_DISCRIMINATOR(m, SETS, CASES);
    PLANT(p.tables[200], 1, CASES_BRANCHES);
    PLANT(p.head.flags, CUPEL__IMAGE_REPORT, CASES_VERDICT);
}

/* -- All of it
 * ---------------------------------------------------------------------------------------- */

/* An assertion ends the process. */
static void test_abort(void)
{
    plant(CUPEL__OP_CALL, CUPEL__NULL, 0, 0);
    p.code[2] = SUB(WORDS);
    for (int broken = 0; broken < 2; broken++) {
        int status = 0;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            if (!broken)
                p.code[2] = SUB(0);
            fclose(stderr);
            cupel__debug_check(&vm, p.code + 1, &node, NULL);
            _exit(0);
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK(broken ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

/* Each statement has been broken; each kind of operand has one but those that may be any word. */
static void test_all(void)
{
    static const enum cupel__operand kinds[] = {
#define INVARIANT_KIND(kind, id, by, statement) CUPEL__OPERAND_##kind,
#include "vm/program/invariants.def"
    };
    for (int i = 1; i < CUPEL__INVARIANTS; i++)
        if (!CHECK(found[i]))
            fprintf(stderr, "    never broken: %s\n", statements[i]);
    for (int kind = 0; kind <= CUPEL__OPERAND_labels; kind++) {
        bool said = kind == CUPEL__OPERAND_word || kind == CUPEL__OPERAND_count ||
                    kind == CUPEL__OPERAND_int || kind == CUPEL__OPERAND_tags ||
                    kind == CUPEL__OPERAND_masks; /* parts of a discriminator */
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            said |= (int)kinds[i] == kind;
        CHECK(said);
    }
}

int main(void)
{
    test_fetch();
    test_words();
    test_constants();
    test_str();
    test_lists();
    test_plains();
    test_tables();
    test_long_names();
    test_patterns();
    test_choose();
    test_cases();
    test_abort();
    test_all();
    return test_end();
}
