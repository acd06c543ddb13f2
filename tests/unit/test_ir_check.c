/* test_ir_check.c: the laws of the intermediate form: each can be broken, and is told by its name.
 */
#include "ir_bench.h"

#include "vm/formats/formats.h"

/* The module of the laws: every kind of operand there is, in @0. */
static const char lawful[] = "root @0\nloc 0 \"x\"\npattern 0 \"a\"\nschema @0 any loc 0\n"
                             "  const 1\n"
                             "  among string \"a\"\n"
                             "  min 0\n"
                             "  multiple 2\n"
                             "  multiple 1e9999999999999\n"
                             "  length 1 2\n"
                             "  pattern 0\n"
                             "  format date\n"
                             "  required \"a\" \"b\"\n"
                             "  props \"a\":@0, \"b\" required, pattern 0:@0, other:@0\n"
                             "  dep_schema \"a\" @0\n"
                             "  if @0 @0 -\n"
                             "  unevaluated @0 - @0\n"
                             "  dynamic 1 @0\n"
                             "  scope @0 @0 -\n"
                             "  scope @0 - @0\n";

enum {
    CONST,
    AMONG,
    MIN,
    MULTIPLE,
    FAR_MULTIPLE,
    LENGTH,
    PATTERN,
    FORMAT,
    REQUIRED,
    PROPS,
    DEP_SCHEMA,
    IF,
    UNEVALUATED,
    DYNAMIC,
    SCOPE,
    SCOPE_2,
    LAST
};

static struct ir_op *nth(struct bench *b, int n)
{
    struct ir_op *op = b->m.schemas[0].first;
    while (n-- > 0)
        op = op->next;
    return op;
}

/* The n-th of the following breaks its law, and what cupel__ir_check says of it is returned; NULL
 * if there are fewer. */
#define LAW(breaking, says) \
    if (n-- == 0) {         \
        breaking;           \
        return (says);      \
    }

static const char *break_module(struct bench *b, int n)
{
    struct ir_schema *s = &b->m.schemas[0];
    LAW(b->m.root = 1, "the root is not there")
    LAW(b->m.root = IR_NONE, "the root is not there")
    LAW(b->m.locs[0].parent = 0, "location 0 comes before its parent")
    LAW(s->id = 1, "its number is not its place")
    LAW(s->types = CUPEL__M_ANY + 1, "its types are not all types")
    LAW(s->loc = 1, "its location is not there")
    LAW(s->end = &s->first, "its list ends elsewhere")
    LAW(nth(b, IF)->kind = IR_KINDS, "an operation is of no kind")
    LAW(nth(b, CONST)->loc = 5, "const: its location is not there")
    return NULL;
}

static const char *break_value(struct bench *b, int n)
{
    LAW(nth(b, CONST)->nvalues = 0, "const: it has not one value")
    LAW(nth(b, CONST)->values[0].node = 99, "const: its value is not there")
    LAW(nth(b, CONST)->values[0].doc = NULL, "const: its value is not there")
    LAW(nth(b, AMONG)->mask = CUPEL__M_NUMBER,
        "among: a value is of a type that is not in its mask")
    LAW(nth(b, AMONG)->mask = UINT32_MAX, "among: its mask has unknown types")
    LAW(nth(b, MIN)->values[0] = nth(b, AMONG)->values[0], "min: its value is not a number")
    LAW(nth(b, MULTIPLE)->values[0] = nth(b, AMONG)->values[0],
        "multiple: its value is not a number")
    LAW(nth(b, MULTIPLE)->values[0] = nth(b, MIN)->values[0],
        "multiple: its divisor is not above zero")
    LAW(nth(b, LENGTH)->a = 3, "length: its bounds are not in order")
    LAW(nth(b, PATTERN)->pattern = 1, "pattern: its pattern is not there")
    LAW(nth(b, FORMAT)->a = CUPEL__FORMATS, "format: its format is not there")
    return NULL;
}

static const char *break_names(struct bench *b, int n)
{
    struct ir_op *required = nth(b, REQUIRED), *props = nth(b, PROPS);
    LAW(required->names[1].name = required->names[0].name, "required: a name is there twice")
    LAW(required->names[0].schema = 0, "required: a name in a list has a schema or flags")
    LAW(required->names[0].flags = IR_NAME_REQUIRED,
        "required: a name in a list has a schema or flags")
    LAW(props->names[0].schema = 9, "props: refers to a schema that is not there")
    LAW(props->names[0].schema = IR_NONE, "props: a name is neither a property nor required alone")
    LAW(props->names[1].flags = IR_NAME_UNKNOWN,
        "props: a name is neither a property nor required alone")
    LAW(props->names[1].schema = 0, "props: a name is neither a property nor required alone")
    LAW(props->names[0].flags = 1u << 30, "props: a property has unknown flags")
    LAW(props->unlisted = true, "props: a name is no property, and patterns are for unlisted names")
    LAW((props->unlisted = true, props->nmatches = 0),
        "props: it has no patterns for unlisted names")
    LAW(props->matches[0].pattern = 1, "props: its pattern is not there")
    LAW(props->matches[0].schema = 1, "props: refers to a schema that is not there")
    LAW(props->other = 1, "props: refers to a schema that is not there")
    LAW(nth(b, DEP_SCHEMA)->name.p = NULL, "dep_schema: it has no name")
    return NULL;
}

static const char *break_schemas(struct bench *b, int n)
{
    static const struct ir_discriminator discriminator = {.nbits = 2};
    struct ir_op *cases = nth(b, IF), *unevaluated = nth(b, UNEVALUATED);
    LAW(nth(b, DEP_SCHEMA)->schemas[0] = IR_NONE,
        "dep_schema: refers to a schema that is not there")
    LAW(nth(b, DEP_SCHEMA)->nschemas = 0, "dep_schema: it has not one schema")
    LAW(cases->schemas[0] = IR_NONE, "if: refers to a schema that is not there")
    LAW(cases->nschemas = 2, "if: it has not three schemas")
    LAW((cases->kind = IR_CASES, cases->nschemas = 2),
        "cases: it has no discriminator for its cases")
    LAW((cases->kind = IR_CASES, cases->discriminator = &discriminator, cases->nschemas = 1),
        "cases: it has no discriminator for its cases")
    LAW(unevaluated->nschemas = 2, "unevaluated: it has not three schemas")
    LAW(unevaluated->schemas[0] = IR_NONE, "unevaluated: refers to a schema that is not there")
    LAW(unevaluated->schemas[2] = 1, "unevaluated: refers to a schema that is not there")
    LAW(nth(b, DYNAMIC)->a = 2, "dynamic: its anchor is not there")
    LAW(nth(b, DYNAMIC)->schemas[0] = IR_NONE, "dynamic: refers to a schema that is not there")
    LAW(nth(b, SCOPE)->schemas[0] = IR_NONE, "scope: refers to a schema that is not there")
    LAW(nth(b, SCOPE_2)->nschemas = 2, "scope: it has not a schema for each anchor")
    LAW(nth(b, SCOPE_2)->nschemas = nth(b, SCOPE)->nschemas = 0,
        "scope: it has not a schema for each anchor")
    return NULL;
}

/* What the kind does not have must be as it was when it was made. */
static const char *break_empty(struct bench *b, int n)
{
    static const char says[] = "it has an operand that is not its own";
    struct ir_op *op = nth(b, CONST);
    LAW(op->mask = 1, says)
    LAW(op->a = 1, says)
    LAW(op->b = 0, says)
    LAW(op->exclusive = true, says)
    LAW(op->nschemas = 1, says)
    LAW(op->name = CUPEL__STR("x"), says)
    LAW(op->nnames = 1, says)
    LAW(op->nmatches = 1, says)
    LAW(op->other = 0, says)
    LAW(op->unlisted = true, says)
    LAW(op->pattern = 1, says)
    LAW(nth(b, LENGTH)->nvalues = 1, says)
    return NULL;
}

/* Breaks the laws one at a time; returns how many there were. */
static int check_laws(const char *(*break_law)(struct bench *, int))
{
    const char *says;
    int n = -1;
    do {
        struct bench b;
        struct cupel_error err = {.status = CUPEL_OK};
        start(&b, NULL);
        CHECK_INT(parse(&b, lawful, NULL), CUPEL_OK);
        CHECK(nth(&b, LAST) == NULL);
        says = break_law(&b, ++n);
        CHECK_INT(cupel__ir_check(&b.m, &err), says != NULL ? CUPEL_E_INTERNAL : CUPEL_OK);
        if (says != NULL && !CHECK(strstr(err.detail, says) != NULL))
            fprintf(stderr, "    law %d: %s, not %s\n", n, err.detail, says);
        stop(&b);
    } while (says != NULL);
    return n;
}

/* Many names are checked by sorting them. */
static void test_many_names(void)
{
    struct cupel_text text;
    struct bench b;
    for (int twice = 0; twice < 2; twice++) {
        cupel_text_init(&text, NULL);
        cupel_text_adds(&text, "root @0\nschema @0 any\n  required");
        for (int i = 0; i < 1000; i++)
            cupel_text_addf(&text, " \"n%d\"", i);
        cupel_text_adds(&text, twice != 0 ? " \"n500\"\n" : "\n");
        start(&b, NULL);
        CHECK_INT(parse(&b, text.bytes, NULL), twice != 0 ? CUPEL_E_INTERNAL : CUPEL_OK);
        stop(&b);
        cupel_text_free(&text);
    }
}

int main(void)
{
    CHECK(check_laws(break_module) > 0);
    CHECK(check_laws(break_value) > 0);
    CHECK(check_laws(break_names) > 0);
    CHECK(check_laws(break_schemas) > 0);
    CHECK(check_laws(break_empty) > 0);
    test_many_names();
    return test_end();
}
