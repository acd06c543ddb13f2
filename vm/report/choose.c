/* choose.c: which branch of a failed anyOf or oneOf is meant, and which events are told.
 *
 * In this order: the branch whose const or enum a member of the value has (a tag); the branch that
 * takes values of this type; the branch that knows most of the members.  What does not single one
 * out leaves a tie, and nothing is guessed.  Inner choices come after outer ones in the events, so
 * going backwards each is settled before the one around it.
 *
 * All of it reads the image and the document and runs nothing; `left` bounds the work, and choices
 * that it does not reach are ties. */
#include "vm/report/choose.h"
#include "base/always.h"
#include "vm/report/branches.h"
#include "vm/report/location_text.h"

enum { MAX_WORK = 200000 };

struct chooser {
    struct cupel__vm *vm;
    const struct cupel__code *code;
    struct cupel__doc *doc;
    struct cupel__branches branches; /* of the choice that is looked at */
};

const uint32_t *cupel__values_of(const struct cupel__code *code, const uint32_t *word,
                                 uint32_t *ret_n)
{
    if (CUPEL__WORD_OP(*word) == CUPEL__OP_CONST) {
        *ret_n = 1;
        return &word[1];
    }
    const struct cupel__list *list = cupel__image_list(code->image, word[1]);
    *ret_n = list->count;
    return list->item;
}

/* All spellings of a value of a type count. */
static uint32_t types_like(uint32_t type)
{
    uint32_t bit = CUPEL__BIT(type);
    return bit & CUPEL__M_NUMBER    ? CUPEL__M_NUMBER
           : bit & CUPEL__M_STRING  ? CUPEL__M_STRING
           : bit & CUPEL__M_BOOLEAN ? (uint32_t)CUPEL__M_BOOLEAN
                                    : bit;
}

uint32_t cupel__value_types(const struct cupel__code *code, const uint32_t *word)
{
    uint32_t n, types = 0;
    const uint32_t *values = cupel__values_of(code, word, &n);
    for (uint32_t i = 0; i < n; i++)
        types |= types_like(code->values.nodes[values[i]].type);
    return types;
}

const struct cupel__list *cupel__branches_of(const struct cupel__code *code, uint32_t pc)
{
    return cupel__image_list(code->image, code->words[pc + 1]);
}

/* -- What failed in them --------------------------------------------------------------------------
 */

static void look_at_event(struct chooser *c, const struct cupel__event *e)
{
    struct cupel__branch *b = &c->branches.branch[e->branch];
    const uint32_t *word = c->code->words + e->pc;
    uint32_t op = CUPEL__WORD_OP(*word);
    if (e->node != c->branches.node)
        return;
    b->here = true;
    b->missing += op == CUPEL__OP_REQUIRED;
    b->type |= op == CUPEL__OP_TYPE || op == CUPEL__OP_FAIL || e->choice == CUPEL_CHOICE_TYPES;
    b->value |= e->choice == CUPEL_CHOICE_VALUES;
    if (cupel__is_value_op(op)) {
        bool fits = cupel__value_types(c->code, word) >> c->doc->nodes[e->node].type & 1;
        b->value |= fits;
        b->type |= !fits;
    }
}

/* The events after a choice that are in its branches. */
static void look_at_events(struct chooser *c, uint32_t g)
{
    const struct cupel__vm *vm = c->vm;
    for (uint32_t i = g + 1; i < vm->nevents && vm->events[i].group > g; i++, c->branches.left--)
        if (vm->events[i].group == g + 1 && ALWAYS(vm->events[i].branch < c->branches.n))
            look_at_event(c, &vm->events[i]);
}

/* -- Choosing -------------------------------------------------------------------------------------
 */

static uint64_t by_depth(const struct cupel__branches *b, uint64_t set)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if ((set >> i & 1) && !b->branch[i].here)
            found |= UINT64_C(1) << i;
    return cupel__set_single(found) ? found : 0;
}

static void settle(struct cupel__event *e, enum cupel_choice why, uint64_t branch)
{
    e->choice = (uint8_t)why;
    if (cupel__set_single(branch))
        e->chosen = cupel__set_lowest(branch);
}

static void choose(struct cupel__branches *b, struct cupel__event *e)
{
    uint64_t types = 0, values = 0;
    bool wrong = false;
    uint64_t set = cupel__branches_by_tag(b, &e->tag, &wrong);
    for (uint32_t i = 0; i < b->n; i++) {
        types |= (uint64_t)b->branch[i].type << i;
        values |= (uint64_t)b->branch[i].value << i;
    }
    if (cupel__set_single(set)) {
        settle(e, b->n == 1 ? CUPEL_CHOICE_BY_TYPE : CUPEL_CHOICE_BY_TAG, set);
        return;
    }
    bool tagged = e->tag != 0 && !wrong;
    uint64_t rest = set & ~types, names;
    if (wrong)
        settle(e, CUPEL_CHOICE_NO_TAG, cupel__branches_best_known(b, rest, CUPEL__KNOWN));
    else if (rest == 0)
        settle(e, CUPEL_CHOICE_TYPES, 0);
    else if (cupel__set_single(rest))
        settle(e, tagged ? CUPEL_CHOICE_BY_TAG : CUPEL_CHOICE_BY_TYPE, rest);
    else if ((rest & ~values) == 0)
        settle(e, CUPEL_CHOICE_VALUES, 0);
    else if ((names = cupel__branches_best_known(b, rest, 0)) != 0)
        settle(e, CUPEL_CHOICE_BY_NAMES, names);
    else if ((names = by_depth(b, rest)) != 0)
        settle(e, CUPEL_CHOICE_BY_TYPE, names);
}

static bool is_choice(const struct chooser *c, const struct cupel__event *e)
{
    return cupel__is_choice_op(CUPEL__WORD_OP(c->code->words[e->pc]));
}

static void settle_choice(struct chooser *c, uint32_t g)
{
    struct cupel__event *e = &c->vm->events[g];
    e->choice = CUPEL_CHOICE_TIE;
    if (c->branches.left <= 0 || !cupel__branches_begin(&c->branches, e->pc, e->node))
        return;
    look_at_events(c, g);
    cupel__branches_read_members(&c->branches);
    if (c->branches.left > 0)
        choose(&c->branches, e);
}

/* A choice whose events were lost leads to nothing that could be told; one of which too many
 * branches passed has none. */
static void settle_lost(struct cupel__event *e)
{
    e->choice = CUPEL_CHOICE_TIE;
    e->chosen = CUPEL_NO_RECORD;
    e->tag = 0;
}

/* Those from event `first` on that the run has not settled itself. */
static void settle_choices(struct chooser *c, uint32_t first)
{
    const struct cupel__vm *vm = c->vm;
    for (uint32_t i = vm->nevents; i-- > first;) {
        struct cupel__event *e = &vm->events[i];
        bool settled = e->choice != CUPEL_CHOICE_NONE;
        bool empty = i + 1 == vm->nevents || vm->events[i + 1].group != i + 1;
        if (!is_choice(c, e))
            continue;
        if (empty && (!settled || e->chosen != CUPEL_NO_RECORD))
            settle_lost(e);
        else if (!settled)
            settle_choice(c, i);
    }
}

static void begin(struct chooser *c, struct cupel__vm *vm, const struct cupel__code *code)
{
    c->vm = vm;
    c->code = c->branches.code = code;
    c->doc = c->branches.doc = vm->doc;
    c->branches.left = MAX_WORK;
}

/* Where nothing is known but that its branches fail further down, that tells as well. */
void cupel__find_best_branch(struct cupel__vm *vm, uint32_t g)
{
    struct chooser c; /* not cleared: it is large */
    begin(&c, vm, vm->program);
    settle_choices(&c, g + 1);
    settle_choice(&c, g);
    vm->budget.remaining -= MAX_WORK - c.branches.left;
}

/* -- Telling --------------------------------------------------------------------------------------
 */

static bool is_told(const struct chooser *c, uint32_t i)
{
    const struct cupel__event *e = &c->vm->events[i];
    if (e->group != 0) {
        const struct cupel__event *around = &c->vm->events[e->group - 1];
        bool wrong = around->choice == CUPEL_CHOICE_NO_TAG;
        if (around->chosen != e->branch || (wrong && e->node == around->tag))
            return false;
        if (wrong ? !around->told : !around->through)
            return false;
    }
    return true;
}

/* In the order of the document; of one value in the order of the events. */
static bool comes_after(const struct cupel__vm *vm, uint32_t a, uint32_t b)
{
    uint32_t x = vm->events[a].node, y = vm->events[b].node;
    return x > y || (x == y && a > b);
}

static void sift(const struct cupel__vm *vm, uint32_t *order, uint32_t i, uint32_t n)
{
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && comes_after(vm, order[child + 1], order[child]))
            child++;
        if (!comes_after(vm, order[child], order[i]))
            return;
        uint32_t t = order[i];
        order[i] = order[child];
        order[child] = t;
    }
}

static void sort(const struct cupel__vm *vm, uint32_t *order, uint32_t n)
{
    for (uint32_t i = n / 2; i-- > 0;)
        sift(vm, order, i, n);
    for (uint32_t end = n; end-- > 1;) {
        uint32_t t = order[0];
        order[0] = order[end];
        order[end] = t;
        sift(vm, order, 0, end);
    }
}

/* The steps of sorting n events. */
static int64_t sorting(uint32_t n)
{
    int64_t steps = n;
    for (uint32_t m = n; m > 1; m /= 2)
        steps += n;
    return steps;
}

static bool is_sorted(const struct cupel__vm *vm, uint32_t n)
{
    uint32_t i = 1;
    while (i < n && vm->events[i - 1].node <= vm->events[i].node)
        i++;
    return i >= n;
}

enum cupel_status cupel__sort_events(struct cupel_scratch *s, uint32_t n)
{
    enum cupel_status status = cupel__scratch_order(s, n);
    if (status != CUPEL_OK)
        return status;
    for (uint32_t i = 0; i < n; i++)
        s->order[i] = i;
    bool sorted = is_sorted(&s->vm, n);
    if (!cupel__report_charge(s, sorted ? n / 4 : sorting(n)))
        return CUPEL_E_LIMIT_STEPS;
    if (!sorted)
        sort(&s->vm, s->order, n);
    return CUPEL_OK;
}

/* Leaves out what the same keyword said of the same value on another way.  Among many problems of
 * one value only the nearest are looked at. */
static uint32_t drop_repeated(struct cupel__vm *vm, uint32_t *order, uint32_t n, int64_t *steps)
{
    enum { NEAREST = 64, COMPARED_A_STEP = 4 };
    uint32_t kept = 0, compared = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct cupel__event *e = &vm->events[order[i]];
        bool again = false;
        for (uint32_t k = kept; k > 0 && kept - k < NEAREST && !again; k--) {
            const struct cupel__event *f = &vm->events[order[k - 1]];
            if (f->node != e->node)
                break;
            again = f->pc == e->pc && f->which == e->which;
            compared++;
        }
        e->told = !again;
        if (!again)
            order[kept++] = order[i];
    }
    *steps += compared / COMPARED_A_STEP;
    return kept;
}

/* Which events are told, in s->order. */
static void tell(struct chooser *c, struct cupel_scratch *s)
{
    struct cupel__vm *vm = c->vm;
    for (uint32_t i = 0; i < vm->nevents; i++) {
        struct cupel__event *e = &vm->events[i];
        bool reached = is_told(c, i);
        bool leads_on = e->chosen != CUPEL_NO_RECORD && e->choice != CUPEL_CHOICE_NO_TAG;
        e->through = reached && leads_on;
        e->told = reached && !leads_on;
        if (e->told)
            s->order[s->norder++] = i;
    }
    if (s->norder == 0 && vm->nevents > 0)
        s->order[s->norder++] = 0; /* INVALID comes with a problem */
}

enum cupel_status cupel__select_problems(struct cupel_scratch *s)
{
    struct chooser c; /* not cleared: it is large */
    struct cupel__vm *vm = &s->vm;
    s->norder = 0;
    enum cupel_status status = cupel__scratch_order(s, vm->nevents);
    if (status != CUPEL_OK)
        return status;
    begin(&c, vm, s->code);
    settle_choices(&c, 0);
    tell(&c, s);
    sort(vm, s->order, s->norder);
    int64_t steps = MAX_WORK - c.branches.left + sorting(vm->nevents);
    s->norder = drop_repeated(vm, s->order, s->norder, &steps);
    cupel__report_charge(s, steps);
    return CUPEL_OK;
}
