/* ends.c: images whose runs need not end, made by hand; the verifier refuses each.
 *
 * Without arguments all are tried.  With a name, that one is: the status is 0 if it is refused, 3
 * if it is let through. ends.py removes the verifier's checks one by one and runs the image that
 * needs the check. */
#include "made_image.h"
#include "vm/program/program.h"

#define ANY(pc) CUPEL__SUB(CUPEL__M_ANY, pc)

enum { WORDS = 16, LAST = CUPEL__LAST };

static uint32_t list(struct made_image *m, uint32_t n, uint32_t item)
{
    const uint32_t at = m->image->tables.at + 4 * m->ntables;
    m->tables[m->ntables++] = n;
    for (uint32_t i = 0; i < n; i++)
        m->tables[m->ntables++] = item;
    return at;
}

static void op(struct made_image *m, enum cupel__op code, uint32_t last, uint32_t c)
{
    made_op(m, code, last, 0, 0);
    made_word(m, c);
}

/* -- A schema that applies itself to the same value
 * -------------------------------------------------- */

static void make_call(struct made_image *m)
{
    op(m, CUPEL__OP_CALL, LAST, ANY(1));
}

static void make_any_of(struct made_image *m)
{
    op(m, CUPEL__OP_ANY_OF, LAST, list(m, 1, ANY(1)));
}

/* By the target of a CHOOSE whose discriminator has no key. */
static void make_target(struct made_image *m)
{
    enum { SLOTS = 2, HEAD = offsetof(struct cupel__masks, set) / 4 - 1 };
    struct cupel__table *t = (void *)(m->tables + 32);
    struct cupel__masks *sets = (void *)(m->tables + 64);
    *sets = (struct cupel__masks){HEAD + 2 * CUPEL__TYPES + 1, 1, 1, CUPEL__TYPES, 0};
    for (uint32_t i = 0; i < CUPEL__TYPES; i++)
        sets->set[i] = 1;
    m->tables[64 + 1 + HEAD + 2 * CUPEL__TYPES] = CUPEL__SPAN(0, 1);
    *t = (struct cupel__table){.shift = 31, .flags = CUPEL__TABLE_PLAIN, .entries = sizeof *t + 4};
    t->matches = m->image->tables.at + 4 * 64;
    op(m, CUPEL__OP_CHOOSE, LAST, list(m, 1, ANY(0)));
    made_word(m, m->image->tables.at + 4 * 32);
    made_word(m, list(m, 1, ANY(1)));
}

static void make_jump_and_call(struct made_image *m)
{
    op(m, CUPEL__OP_JUMP, 0, 3);
    op(m, CUPEL__OP_CALL, LAST, ANY(1));
}

static void make_switch_and_call(struct made_image *m)
{
    op(m, CUPEL__OP_SWITCH, 0, list(m, CUPEL__CLASSES, 3));
    op(m, CUPEL__OP_CALL, LAST, ANY(1));
}

static void make_next_and_call(struct made_image *m)
{
    made_op(m, CUPEL__OP_TYPE, 0, 0, CUPEL__M_ANY);
    op(m, CUPEL__OP_CALL, LAST, ANY(1));
}

/* -- Code that does not go forward
 * ------------------------------------------------------------------- */

static void make_jump_back(struct made_image *m)
{
    op(m, CUPEL__OP_JUMP, 0, 1);
}

static void make_switch_back(struct made_image *m)
{
    op(m, CUPEL__OP_SWITCH, 0, list(m, CUPEL__CLASSES, 1));
}

/* A label that leads to the word of an operand. */
static void make_label_inside(struct made_image *m)
{
    op(m, CUPEL__OP_SWITCH, 0, list(m, CUPEL__CLASSES, 4));
    op(m, CUPEL__OP_CONST, LAST, 0);
}

static void make_reference_inside(struct made_image *m)
{
    op(m, CUPEL__OP_CALL, LAST, ANY(2));
}

static void make_runs_off(struct made_image *m)
{
    m->code[WORDS - 1] = CUPEL__OP_FAIL;
}

static void make_cut_off(struct made_image *m)
{
    m->code[WORDS - 1] =
        CUPEL__OP_CALL | LAST; /* its operand is the first word of tables: no types, no code */
}

/* -- Branches of EITHER
 * ------------------------------------------------------------------------------ */

static void make_either_call(struct made_image *m)
{
    op(m, CUPEL__OP_EITHER, LAST, list(m, 1, ANY(3)));
    op(m, CUPEL__OP_CALL, LAST, ANY(1));
}

static void make_either_later_call(struct made_image *m)
{
    op(m, CUPEL__OP_EITHER, LAST, list(m, 1, ANY(3)));
    made_op(m, CUPEL__OP_TYPE, 0, 0, CUPEL__M_ANY);
    op(m, CUPEL__OP_CALL, LAST, ANY(1));
}

static void make_either_itself(struct made_image *m)
{
    op(m, CUPEL__OP_EITHER, LAST, list(m, 1, ANY(1)));
}

/* -- Constants and locations
 * ------------------------------------------------------------------------- */

static void make_constant(struct made_image *m)
{
    struct cupel__node *n = (void *)((char *)m->image + m->image->values.at);
    *n = (struct cupel__node){.type = CUPEL__ARRAY};
}

/* Half of the tables' room is for the constant and a location, which is its own parent. */
static void make_location(struct made_image *m)
{
    struct cupel__image *image = m->image;
    image->tables.count = MADE_TABLES / 2;
    image->values.at = image->tables.at + 4 * image->tables.count;
    image->patterns.at = image->locs.at = image->values.at + (uint32_t)sizeof(struct cupel__node);
    image->locs.count = 1;
    struct cupel__image_loc *loc = (void *)((char *)image + image->locs.at);
    *loc = (struct cupel__image_loc){.parent = 0, .at = image->strings.at};
}

static const struct {
    const char *name;
    void (*make)(struct made_image *);
} images[] = {
    {"call", make_call},
    {"any-of", make_any_of},
    {"target", make_target},
    {"jump-and-call", make_jump_and_call},
    {"switch-and-call", make_switch_and_call},
    {"next-and-call", make_next_and_call},
    {"jump-back", make_jump_back},
    {"switch-back", make_switch_back},
    {"label-inside", make_label_inside},
    {"reference-inside", make_reference_inside},
    {"runs-off", make_runs_off},
    {"cut-off", make_cut_off},
    {"either-call", make_either_call},
    {"either-later-call", make_either_later_call},
    {"either-itself", make_either_itself},
    {"constant", make_constant},
    {"location", make_location},
};

static void *take(void *ctx, void *p, size_t old, size_t size)
{
    (void)ctx, (void)old;
    if (size > 0)
        return realloc(p, size);
    free(p);
    return NULL;
}

static enum cupel_status verify(void (*make)(struct made_image *))
{
    struct made_image m = made_begin(WORDS, false);
    const struct cupel_alloc alloc = {.realloc = take};
    struct cupel__verified facts;
    struct cupel_error err = {0};
    make(&m);
    m.image->root = m.ncode > 1 ? ANY(1) : ANY(0);
    m.image->checksum = cupel__image_checksum(m.image, m.image->size);
    enum cupel_status s = cupel__verify_image(m.image, m.image->size, &alloc, &facts, &err);
    free(m.image);
    return s;
}

static void make_nothing(struct made_image *m)
{
    made_op(m, CUPEL__OP_TYPE, LAST, 0, CUPEL__M_ANY);
}

int main(int argc, char **argv)
{
    enum { LET_THROUGH = 3 };
    CHECK_INT(verify(make_nothing), CUPEL_OK);
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        if (argc > 1 && strcmp(argv[1], images[i].name) != 0)
            continue;
        const enum cupel_status s = verify(images[i].make);
        if (argc > 1)
            return test_failed != 0         ? 1
                   : s == CUPEL_OK          ? LET_THROUGH
                   : s == CUPEL_E_BAD_IMAGE ? 0
                                            : 1;
        if (!CHECK_INT(s, CUPEL_E_BAD_IMAGE))
            fprintf(stderr, "    %s\n", images[i].name);
    }
    return argc > 1 ? 1 : test_end();
}
