/* best_branch.c: the best-matching branch of a failed anyOf or oneOf.
 *
 * Rules, first match wins:
 *   1. tag: the value has a member whose const or enum only one branch matches (branches.h);
 *   2. type: only one branch takes values of this type;
 *   3. names: one branch declares more of the value's members than every other;
 *   4. depth: only one branch accepts the value itself and fails further down.
 * If no rule singles out a branch the choice is a tie and nothing is guessed; a tie also records
 * whether all branches failed by type or by allowed values, so that a message can list those.
 *
 * In the events an inner choice follows the outer one, so completing them backwards settles each
 * choice before the one around it.  All of it reads the image and the document and runs nothing.
 * MAX_WORK bounds the work per run; choices beyond the bound are ties. */
#include "vm/report/best_branch.h"
#include "base/always.h"
#include "vm/report/branches.h"
#include "vm/report/operands.h"

enum { MAX_WORK = 200000 };

struct chooser {
    struct cupel__vm *vm;
    struct cupel__log *log;
    const struct cupel__code *code;
    struct cupel__doc *doc;
    struct cupel__branches branches; /* of the choice at hand; its `left` is the work left */
};

static void begin(struct chooser *c, struct cupel__vm *vm, struct cupel__log *log,
                  const struct cupel__code *code)
{
    c->vm = vm;
    c->log = log;
    c->code = c->branches.code = code;
    c->doc = c->branches.doc = vm->doc;
    c->branches.left = MAX_WORK;
}

/* -- Evidence: what failed in each branch ---------------------------------------------------------
 */

/* Adds one failure to the evidence against its branch.  Failures below the value count for
 * nothing: a branch that fails only there accepts the value itself. */
static void note_failure(struct chooser *c, const struct cupel__event *e)
{
    struct cupel__branch *b = &c->branches.branch[e->branch];
    const uint32_t *word = c->code->words + e->pc;
    uint32_t op = CUPEL__WORD_OP(*word);
    if (e->node != c->branches.node)
        return;
    b->in_place = true;
    b->missing += op == CUPEL__OP_REQUIRED;
    b->type |= op == CUPEL__OP_TYPE || op == CUPEL__OP_FAIL || e->choice == CUPEL_CHOICE_TYPES;
    b->value |= e->choice == CUPEL_CHOICE_VALUES;
    if (cupel__is_value_op(op)) {
        bool type_fits = cupel__value_types(c->code, word) >> c->doc->nodes[e->node].type & 1;
        b->value |= type_fits;
        b->type |= !type_fits;
    }
}

/* The failures in the branches of choice g follow it; `group` is 1 + the choice's index. */
static void note_failures(struct chooser *c, uint32_t g)
{
    const struct cupel__log *log = c->log;
    for (uint32_t i = g + 1; i < log->nevents && log->events[i].group > g; i++, c->branches.left--)
        if (log->events[i].group == g + 1 && ALWAYS(log->events[i].branch < c->branches.n))
            note_failure(c, &log->events[i]);
}

/* -- Choosing -------------------------------------------------------------------------------------
 */

/* The only branch of a set without a failure at the value itself, or none. */
static uint64_t by_depth(const struct cupel__branches *b, uint64_t set)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if ((set >> i & 1) && !b->branch[i].in_place)
            found |= UINT64_C(1) << i;
    return cupel__set_single(found) ? found : 0;
}

static void settle(struct cupel__event *e, enum cupel_choice why, uint64_t branch)
{
    e->choice = (uint8_t)why;
    if (cupel__set_single(branch))
        e->chosen = cupel__set_lowest(branch);
}

/* Applies the rules of the file's head to the evidence and sets e->choice, e->chosen and e->tag.
 * `wrong_tag`: the value has the member that tells the branches apart, with a value that none of
 * them allows; the names of the other members may still single one out. */
static void choose(struct cupel__branches *b, struct cupel__event *e)
{
    uint64_t types = 0, values = 0;
    bool wrong_tag = false;
    uint64_t set = cupel__branches_by_tag(b, &e->tag, &wrong_tag);
    for (uint32_t i = 0; i < b->n; i++) {
        types |= (uint64_t)b->branch[i].type << i;
        values |= (uint64_t)b->branch[i].value << i;
    }
    if (cupel__set_single(set)) {
        settle(e, b->n == 1 ? CUPEL_CHOICE_BY_TYPE : CUPEL_CHOICE_BY_TAG, set);
        return;
    }
    bool tagged = e->tag != 0 && !wrong_tag;
    uint64_t rest = set & ~types, best;
    if (wrong_tag)
        settle(e, CUPEL_CHOICE_NO_TAG, cupel__branches_best_known(b, rest, CUPEL__KNOWN));
    else if (rest == 0)
        settle(e, CUPEL_CHOICE_TYPES, 0);
    else if (cupel__set_single(rest))
        settle(e, tagged ? CUPEL_CHOICE_BY_TAG : CUPEL_CHOICE_BY_TYPE, rest);
    else if ((rest & ~values) == 0)
        settle(e, CUPEL_CHOICE_VALUES, 0);
    else if ((best = cupel__branches_best_known(b, rest, 0)) != 0)
        settle(e, CUPEL_CHOICE_BY_NAMES, best);
    else if ((best = by_depth(b, rest)) != 0)
        settle(e, CUPEL_CHOICE_BY_TYPE, best);
}

static void settle_choice(struct chooser *c, uint32_t g)
{
    struct cupel__event *e = &c->log->events[g];
    e->choice = CUPEL_CHOICE_TIE;
    if (c->branches.left <= 0 || !cupel__branches_begin(&c->branches, e->pc, e->node))
        return;
    note_failures(c, g);
    cupel__branches_read_members(&c->branches);
    if (c->branches.left > 0)
        choose(&c->branches, e);
}

/* A choice without events of its branches: either they were lost for lack of capacity, or more
 * branches passed than oneOf allows.  It becomes a tie, reported by itself. */
static void settle_without_events(struct cupel__event *e)
{
    e->choice = CUPEL_CHOICE_TIE;
    e->chosen = CUPEL_NO_RECORD;
    e->tag = 0;
}

static bool is_choice(const struct chooser *c, const struct cupel__event *e)
{
    return cupel__is_choice_op(CUPEL__WORD_OP(c->code->words[e->pc]));
}

/* Settles the choices from event `first` on that the run has not settled itself. */
static void settle_choices(struct chooser *c, uint32_t first)
{
    const struct cupel__log *log = c->log;
    for (uint32_t i = log->nevents; i-- > first;) {
        struct cupel__event *e = &log->events[i];
        bool settled = e->choice != CUPEL_CHOICE_NONE;
        bool empty = i + 1 == log->nevents || log->events[i + 1].group != i + 1;
        if (!is_choice(c, e))
            continue;
        if (empty && (!settled || e->chosen != CUPEL_NO_RECORD))
            settle_without_events(e);
        else if (!settled)
            settle_choice(c, i);
    }
}

void cupel__find_best_branch(struct cupel__vm *vm, struct cupel__log *log, uint32_t g)
{
    struct chooser c; /* not cleared: it is large */
    begin(&c, vm, log, vm->program);
    settle_choices(&c, g + 1);
    settle_choice(&c, g);
    vm->budget.remaining -= MAX_WORK - c.branches.left;
}

int64_t cupel__find_best_branches(struct cupel__vm *vm, struct cupel__log *log,
                                  const struct cupel__code *code)
{
    struct chooser c; /* not cleared: it is large */
    begin(&c, vm, log, code);
    settle_choices(&c, 0);
    return MAX_WORK - c.branches.left;
}
