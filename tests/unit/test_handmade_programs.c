/* test_handmade_programs.c: programs that no compiler makes and the verifier accepts: instructions
 * in unusual places, lists with holes, references in circles.  Both loops run each. */
#include "made_image.h"
#include "vm/program/program.h"

#include <cupel/debug.h>

#define ANY(pc) CUPEL__SUB(CUPEL__M_ANY, pc)
enum { WORDS = 64, NULL_ONLY = CUPEL__M_NULL };

/* The verdict of both loops, with results kept from the first step on and not; they are the same.
 */
static enum cupel_verdict run(const struct cupel_program *program, const char *text,
                              enum cupel_status *ret_why)
{
    static const uint32_t ways[] = {0, CUPEL_SWITCH_DISPATCH, CUPEL_EAGER_MEMO,
                                    CUPEL_EAGER_MEMO | CUPEL_SWITCH_DISPATCH};
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct cupel_options options;
        struct cupel_scratch *scratch = NULL;
        struct cupel_outcome cold, warm;
        cupel_options_init(&options);
        options.flags = ways[i];
        CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
        enum cupel_verdict mine = cupel_validate(program, scratch, text, strlen(text), &cold);
        CHECK_INT(cupel_validate(program, scratch, text, strlen(text), &warm), mine);
        CHECK(cold.reason == warm.reason && (i == 0 || mine == verdict));
        verdict = mine;
        *ret_why = cold.reason;
        cupel_scratch_free(scratch);
    }
    return verdict;
}

/* Null passes, and nothing else. */
static void check_null_only(struct made_image *m, uint32_t root)
{
    struct cupel_program *program = made_end(m, root);
    enum cupel_status why;
    if (program == NULL)
        return;
    CHECK_INT(run(program, "null", &why), CUPEL_VALID);
    CHECK_INT(run(program, "1", &why), CUPEL_INVALID);
    CHECK_INT(run(program, "[null]", &why), CUPEL_INVALID);
    cupel_program_free(program);
}

/* -- Instructions where a compiler does not put them
 * ---------------------------------------------------- */

static uint32_t add_null_type(struct made_image *m)
{
    return made_op(m, CUPEL__OP_TYPE, CUPEL__LAST, 0, NULL_ONLY);
}

/* A verdict program has no NOTE; one that has goes past it, or ends with it. */
static void test_notes(void)
{
    struct made_image m = made_begin(WORDS, false);
    uint32_t root = made_op(&m, CUPEL__OP_TYPE, 0, 0, NULL_ONLY);
    made_op(&m, CUPEL__OP_NOTE, CUPEL__LAST, 0, CUPEL__M_ANY);
    made_word(&m, 0);
    check_null_only(&m, ANY(root));
    m = made_begin(WORDS, false);
    root = made_op(&m, CUPEL__OP_NOTE, 0, 0, CUPEL__M_ANY);
    made_word(&m, 0);
    add_null_type(&m);
    check_null_only(&m, ANY(root));
}

/* A MEMO or a SCOPE, of a schema with code and of one without, with something behind it and last.
 */
static void test_behind(enum cupel__op op, bool code, bool last)
{
    struct made_image m = made_begin(WORDS, false);
    uint32_t schema =
        last ? add_null_type(&m) : made_op(&m, CUPEL__OP_TYPE, CUPEL__LAST, 0, CUPEL__M_ANY);
    uint32_t pc =
        made_op(&m, op, last ? CUPEL__LAST : 0, 0, op == CUPEL__OP_MEMO ? CUPEL__M_ANY : 0);
    made_word(&m, code ? ANY(schema) : last ? CUPEL__SUB(NULL_ONLY, 0) : ANY(0));
    if (op == CUPEL__OP_SCOPE)
        made_word(&m, made_pair(&m, CUPEL__NO_SUB, CUPEL__NO_SUB));
    add_null_type(&m);
    uint32_t root = made_op(&m, CUPEL__OP_CALL, 0, 0, 0); /* twice, so that a result is found */
    made_word(&m, ANY(pc));
    made_op(&m, CUPEL__OP_CALL, CUPEL__LAST, 0, 0);
    made_word(&m, ANY(pc));
    check_null_only(&m, ANY(root));
}

/* An anchor without a schema leaves that of the DYNAMIC; one that has a schema does not. */
static void test_anchors(void)
{
    struct made_image m = made_begin(WORDS, false);
    uint32_t null = add_null_type(&m);
    uint32_t schema = made_op(&m, CUPEL__OP_DYNAMIC, 0, 0, 0);
    made_word(&m, CUPEL__SUB(NULL_ONLY | CUPEL__M_STRING, 0));
    made_op(&m, CUPEL__OP_DYNAMIC, CUPEL__LAST, 0, 1);
    made_word(&m, ANY(0));
    uint32_t root = made_op(&m, CUPEL__OP_SCOPE, CUPEL__LAST, 0, 0);
    made_word(&m, ANY(schema));
    made_word(&m, made_pair(&m, CUPEL__NO_SUB, ANY(null)));
    check_null_only(&m, ANY(root));
}

/* -- What leaves a run undecided
 * ---------------------------------------------------------------------------- */

/* A schema that by a DYNAMIC applies itself to the same value without end. */
static void test_cycle(void)
{
    struct made_image m = made_begin(WORDS, false);
    uint32_t schema = made_op(&m, CUPEL__OP_DYNAMIC, 0, 0, 0);
    made_word(&m, ANY(0));
    add_null_type(&m);
    uint32_t root = made_op(&m, CUPEL__OP_SCOPE, CUPEL__LAST, 0, 0);
    made_word(&m, ANY(schema));
    made_word(&m, made_pair(&m, ANY(schema), CUPEL__NO_SUB));
    struct cupel_program *program = made_end(&m, ANY(root));
    enum cupel_status why = CUPEL_OK;
    if (program == NULL)
        return;
    CHECK_INT(run(program, "null", &why), CUPEL_UNDECIDED);
    CHECK_INT(why, CUPEL_E_REF_CYCLE);
    CHECK_INT(run(program, "[[[1]]]", &why), CUPEL_UNDECIDED);
    CHECK_INT(why, CUPEL_E_REF_CYCLE);
    cupel_program_free(program);
}

/* -- Bounds
 * -------------------------------------------------------------------------------------------------
 */

/* The longest chain of frames is no more than what a word holds, however many DYNAMICs multiply it.
 */
static void test_chain(void)
{
    const uint32_t calls = 65533, most = 65537; /* (calls + 2) * most is UINT32_MAX */
    for (uint32_t dynamics = most - 2; dynamics <= most; dynamics++) {
        struct made_image m = made_begin(2 * (calls + dynamics) + 4, false);
        uint32_t sub = ANY(0);
        for (uint32_t i = 0; i < dynamics; i++) {
            made_op(&m, CUPEL__OP_DYNAMIC, CUPEL__LAST, 0, 0);
            made_word(&m, ANY(0));
        }
        for (uint32_t i = 0; i < calls; i++) {
            uint32_t pc = made_op(&m, CUPEL__OP_CALL, CUPEL__LAST, 0, 0);
            made_word(&m, sub);
            sub = ANY(pc);
        }
        struct cupel_program *program = made_end(&m, sub);
        enum cupel_status why = CUPEL_OK;
        if (program == NULL)
            continue;
        uint64_t chain = (uint64_t)(program->verdict.facts.max_inplace + 2) * (dynamics + 1);
        CHECK_INT(program->verdict.chain, chain < UINT32_MAX ? chain : UINT32_MAX);
        CHECK_INT(chain, (uint64_t)(calls + 2) * (dynamics + 1));
        CHECK_INT(run(program, "1", &why), CUPEL_VALID);
        cupel_program_free(program);
    }
}

/* An ONLY that ends its sequence lets everything pass: what it names, and the rest. */
static void test_last_only(void)
{
    struct made_image m = made_begin(WORDS, false);
    uint32_t child = made_op(&m, CUPEL__OP_ONLY, CUPEL__LAST, 0, CUPEL__M_ARRAY);
    uint32_t root = made_op(&m, CUPEL__OP_MAP, CUPEL__LAST, 0, 0);
    made_word(&m, ANY(child));
    struct cupel_program *program = made_end(&m, CUPEL__SUB(CUPEL__M_OBJECT, root));
    enum cupel_status why;
    if (program == NULL)
        return;
    CHECK_INT(run(program, "{\"a\":[[1]],\"b\":{\"c\":[]},\"d\":null}", &why), CUPEL_VALID);
    CHECK_INT(run(program, "[]", &why), CUPEL_INVALID);
    cupel_program_free(program);
}

int main(void)
{
    test_last_only();
    test_notes();
    for (int i = 0; i < 8; i++)
        test_behind(i & 1 ? CUPEL__OP_MEMO : CUPEL__OP_SCOPE, i & 2, i & 4);
    test_anchors();
    test_cycle();
    test_chain();
    return test_end();
}
