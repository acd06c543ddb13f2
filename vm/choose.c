/* choose.c: which branch of a failed anyOf or oneOf is meant, and which events are told.
 *
 * In this order: the branch whose const or enum a member of the value has (a tag); the branch that
 * takes values of this type; the branch that knows most of the members.  What does not single one
 * out leaves a tie, and nothing is guessed.  Inner choices come after outer ones in the events, so
 * going backwards each is settled before the one around it.
 *
 * All of it reads the image and the document and runs nothing; `left` bounds the work, and choices
 * that it does not reach are ties. */
#include "choose.h"
#include "locate.h"
#include "similar.h"
#include <string.h>

enum { MAX_BRANCHES = 64, MAX_MEMBERS = 32, MAX_TABLES = 4, MAX_VALUES = 256, MAX_WORK = 200000 };

/* What a member counts that a branch knows; one that is like a name it knows counts 1. */
enum { KNOWN = 4 };

struct branch {
    uint32_t tables[MAX_TABLES]; /* of names that it knows */
    uint32_t ntables;
    uint32_t fits, differs; /* bit i: member i has a value that the branch asks for, or another */
    bool type, value;       /* it asks for other types, for other values of this type */
    bool here;              /* something failed at the value itself */
    int known, missing;
};

struct chooser {
    struct cupel_scratch *s;
    const struct cupel__code *code;
    struct cupel__doc *doc;
    int64_t left;
    const struct cupel__event *choice;
    uint32_t nbranches, nmembers;
    uint32_t members[MAX_MEMBERS]; /* keys */
    struct branch branches[MAX_BRANCHES];
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

static bool is_value_op(uint32_t op)
{
    return op == CUPEL__OP_CONST || op == CUPEL__OP_ENUM || op == CUPEL__OP_LOOKUP;
}

/* -- What the branches ask for --------------------------------------------------------------------
 */

static void gather_tables(struct chooser *c, struct branch *b, uint32_t sub)
{
    struct cupel__shape shape;
    cupel__shape_sub(&shape, c->code, sub);
    for (const uint32_t *word; c->left > 0 && (word = cupel__shape_next(&shape)) != NULL;
         c->left--) {
        uint32_t op = CUPEL__WORD_OP(*word);
        bool names = op == CUPEL__OP_OBJECT || op == CUPEL__OP_MEMBERS || op == CUPEL__OP_REQUIRED;
        if (names && b->ntables < MAX_TABLES)
            b->tables[b->ntables++] = word[1];
    }
}

/* The values that a schema asks for: the CONST or ENUM in it, or NULL. */
static const uint32_t *value_op(struct chooser *c, uint32_t sub)
{
    struct cupel__shape shape;
    cupel__shape_sub(&shape, c->code, sub);
    for (const uint32_t *word; c->left > 0 && (word = cupel__shape_next(&shape)) != NULL; c->left--)
        if (is_value_op(CUPEL__WORD_OP(*word)))
            return word;
    return NULL;
}

static bool is_among(struct chooser *c, uint32_t node, const uint32_t *word)
{
    uint32_t n;
    const uint32_t *values = cupel__values_of(c->code, word, &n);
    struct cupel__doc *constants = (struct cupel__doc *)&c->code->values; /* never written to */
    for (uint32_t i = 0; i < n && i < MAX_VALUES && c->left > 0; i++) {
        struct cupel__work work = {.left = 1000};
        int equal = cupel__json_equal(c->doc, node, constants, values[i], &work);
        c->left -= 1 + (1000 - work.left);
        if (equal == 1)
            return true;
    }
    return false;
}

/* What a branch says of member i. */
static void look_at_member(struct chooser *c, struct branch *b, uint32_t i)
{
    struct cupel__str name = cupel__doc_str(c->doc, &c->doc->nodes[c->members[i]]);
    bool known = false;
    for (uint32_t t = 0; t < b->ntables; t++) {
        const struct cupel__table *table = cupel__at(c->code->image, b->tables[t]);
        const struct cupel__entry *e =
            cupel__table_find(c->code->image, table, name.p, (uint32_t)name.n);
        c->left--;
        if (e == NULL)
            continue;
        known = true;
        const uint32_t *word = value_op(c, e->sub);
        if (word != NULL && is_among(c, c->members[i] + 1, word))
            b->fits |= 1u << i;
        else if (word != NULL)
            b->differs |= 1u << i;
    }
    b->known += KNOWN * known;
}

/* Members that a branch does not know may be ones that it misses, misspelt. */
static void look_for_likeness(struct chooser *c, struct branch *b, uint32_t key)
{
    struct cupel__str name = cupel__doc_str(c->doc, &c->doc->nodes[key]);
    for (uint32_t t = 0; t < b->ntables; t++) {
        const struct cupel__table *table = cupel__at(c->code->image, b->tables[t]);
        const struct cupel__entry *entry = cupel__table_entries(table);
        for (uint32_t i = 0; i < table->count && i < 64 && c->left > 0; i++) {
            char buf[16];
            c->left -= 8;
            int distance =
                cupel__similar(name, cupel__entry_name(c->code->image, table, &entry[i], buf));
            if (distance == 0)
                return;
            if (distance != CUPEL__UNLIKE) {
                b->known++;
                return;
            }
        }
    }
}

static void look_at_members(struct chooser *c)
{
    uint32_t node = c->choice->node;
    const struct cupel__node *nodes = c->doc->nodes;
    c->nmembers = 0;
    if (nodes[node].type != CUPEL__OBJECT)
        return;
    for (uint32_t k = node + 1; k < nodes[node].end && c->nmembers < MAX_MEMBERS;
         k = cupel__node_next(nodes, k + 1))
        c->members[c->nmembers++] = k;
    const struct cupel__list *list = cupel__branches_of(c->code, c->choice->pc);
    for (uint32_t i = 0; i < c->nbranches; i++) {
        struct branch *b = &c->branches[i];
        gather_tables(c, b, list->item[i]);
        for (uint32_t m = 0; m < c->nmembers; m++)
            look_at_member(c, b, m);
    }
}

/* -- What failed in them --------------------------------------------------------------------------
 */

static void look_at_event(struct chooser *c, const struct cupel__event *e)
{
    struct branch *b = &c->branches[e->branch];
    const uint32_t *word = c->code->words + e->pc;
    uint32_t op = CUPEL__WORD_OP(*word);
    if (e->node != c->choice->node)
        return;
    b->here = true;
    b->missing += op == CUPEL__OP_REQUIRED;
    b->type |= op == CUPEL__OP_TYPE || op == CUPEL__OP_FAIL || e->choice == CUPEL_CHOICE_TYPES;
    b->value |= e->choice == CUPEL_CHOICE_VALUES;
    if (is_value_op(op)) {
        bool fits = cupel__value_types(c->code, word) >> c->doc->nodes[e->node].type & 1;
        b->value |= fits;
        b->type |= !fits;
    }
}

/* The events after a choice that are in its branches. */
static void look_at_events(struct chooser *c, uint32_t g)
{
    const struct cupel__vm *vm = &c->s->vm;
    for (uint32_t i = g + 1; i < vm->nevents && vm->events[i].group > g; i++, c->left--)
        if (vm->events[i].group == g + 1 && vm->events[i].branch < c->nbranches)
            look_at_event(c, &vm->events[i]);
}

/* -- Choosing -------------------------------------------------------------------------------------
 */

static bool single(uint64_t set)
{
    return set != 0 && (set & (set - 1)) == 0;
}

static uint32_t lowest(uint64_t set)
{
    uint32_t i = 0;
    while ((set >> i & 1) == 0)
        i++;
    return i;
}

/* Members for which several branches ask for certain values, different ones: some fit and others do
 * not, or none fits and they are not all the same. */
static uint32_t find_tags(struct chooser *c, bool *ret_fits)
{
    uint32_t once = 0, twice = 0, fits = 0, differs = 0;
    for (uint32_t i = 0; i < c->nbranches; i++) {
        const struct branch *b = &c->branches[i];
        twice |= once & (b->fits | b->differs);
        once |= b->fits | b->differs;
        fits |= b->fits;
        differs |= b->differs;
    }
    *ret_fits = (twice & fits & differs) != 0;
    return *ret_fits ? twice & fits & differs : twice & differs & ~fits;
}

/* The first value that branch i asks of a member, or 0 (which is no constant's index + 1). */
static uint32_t first_value(struct chooser *c, uint32_t i, uint32_t member)
{
    struct cupel__str name = cupel__doc_str(c->doc, &c->doc->nodes[c->members[member]]);
    const struct branch *b = &c->branches[i];
    for (uint32_t t = 0; t < b->ntables; t++) {
        const struct cupel__table *table = cupel__at(c->code->image, b->tables[t]);
        const struct cupel__entry *e =
            cupel__table_find(c->code->image, table, name.p, (uint32_t)name.n);
        const uint32_t *word = e != NULL ? value_op(c, e->sub) : NULL;
        uint32_t n = 0;
        const uint32_t *values = word != NULL ? cupel__values_of(c->code, word, &n) : NULL;
        if (n > 0)
            return 1 + values[0];
    }
    return 0;
}

static bool asks_differently(struct chooser *c, uint32_t member)
{
    struct cupel__doc *constants = (struct cupel__doc *)&c->code->values;
    uint32_t first = 0;
    for (uint32_t i = 0; i < c->nbranches; i++) {
        uint32_t value = first_value(c, i, member);
        struct cupel__work work = {.left = 1000};
        if (value != 0 && first != 0 &&
            cupel__json_equal(constants, first - 1, constants, value - 1, &work) == 0)
            return true;
        first = first != 0 ? first : value;
    }
    return false;
}

/* The branches whose tags fit; all, if there are no tags; *ret_tag is the key of one. */
static uint64_t by_tag(struct chooser *c, uint64_t all, uint32_t *ret_tag, bool *ret_wrong)
{
    bool fit;
    uint32_t tags = find_tags(c, &fit);
    uint64_t left = 0;
    *ret_wrong = false;
    if (!fit) {
        for (uint32_t m = 0; m < c->nmembers && !*ret_wrong; m++) {
            if ((tags >> m & 1) && asks_differently(c, m)) {
                *ret_tag = c->members[m] + 1;
                *ret_wrong = true;
            }
        }
        return all;
    }
    for (uint32_t i = 0; i < c->nbranches; i++)
        if ((c->branches[i].fits & tags) != 0 && (c->branches[i].differs & tags) == 0)
            left |= UINT64_C(1) << i;
    if (left != 0)
        *ret_tag = c->members[lowest(tags)] + 1;
    return left != 0 ? left : all;
}

/* The one branch of a set that knows most members, and of those the one that misses least; none if
 * it is not the only one.  `discount` is for what does not tell them apart. */
static uint64_t by_names(struct chooser *c, uint64_t set, int discount)
{
    int best = 0;
    uint64_t found = 0;
    for (uint32_t i = 0; i < c->nbranches; i++) {
        if ((set >> i & 1) == 0)
            continue;
        struct branch *b = &c->branches[i];
        for (uint32_t m = 0; m < c->nmembers; m++)
            look_for_likeness(c, b, c->members[m]);
        int known = b->known - discount;
        int score = known <= 0 ? 0 : 1000 * known - (b->missing < 999 ? b->missing : 999);
        if (score < best || score == 0)
            continue;
        found = score > best ? 0 : found;
        best = score;
        found |= UINT64_C(1) << i;
    }
    return single(found) ? found : 0;
}

static uint64_t by_depth(const struct chooser *c, uint64_t set)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < c->nbranches; i++)
        if ((set >> i & 1) && !c->branches[i].here)
            found |= UINT64_C(1) << i;
    return single(found) ? found : 0;
}

static void settle(struct cupel__event *e, enum cupel_choice why, uint64_t branch)
{
    e->choice = (uint8_t)why;
    if (single(branch))
        e->chosen = lowest(branch);
}

static void choose(struct chooser *c, struct cupel__event *e)
{
    uint64_t all = c->nbranches == 64 ? UINT64_MAX : (UINT64_C(1) << c->nbranches) - 1, types = 0,
             values = 0;
    bool wrong = false;
    uint64_t set = by_tag(c, all, &e->tag, &wrong);
    for (uint32_t i = 0; i < c->nbranches; i++) {
        types |= (uint64_t)c->branches[i].type << i;
        values |= (uint64_t)c->branches[i].value << i;
    }
    if (single(set)) {
        settle(e, all == set ? CUPEL_CHOICE_BY_TYPE : CUPEL_CHOICE_BY_TAG, set);
        return;
    }
    bool tagged = e->tag != 0 && !wrong;
    uint64_t rest = set & ~types, names;
    if (wrong)
        settle(e, CUPEL_CHOICE_NO_TAG, by_names(c, rest, KNOWN));
    else if (rest == 0)
        settle(e, CUPEL_CHOICE_TYPES, 0);
    else if (single(rest))
        settle(e, tagged ? CUPEL_CHOICE_BY_TAG : CUPEL_CHOICE_BY_TYPE, rest);
    else if ((rest & ~values) == 0)
        settle(e, CUPEL_CHOICE_VALUES, 0);
    else if ((names = by_names(c, rest, 0)) != 0)
        settle(e, CUPEL_CHOICE_BY_NAMES, names);
    else if ((names = by_depth(c, rest)) != 0)
        settle(e, CUPEL_CHOICE_BY_TYPE, names);
}

static bool is_choice(const struct chooser *c, const struct cupel__event *e)
{
    uint32_t op = CUPEL__WORD_OP(c->code->words[e->pc]);
    return op == CUPEL__OP_ANY_OF || op == CUPEL__OP_ONE_OF;
}

static void settle_choice(struct chooser *c, uint32_t g)
{
    struct cupel__event *e = &c->s->vm.events[g];
    uint32_t count = cupel__branches_of(c->code, e->pc)->count;
    bool has_details = g + 1 < c->s->vm.nevents && c->s->vm.events[g + 1].group == g + 1;
    e->choice = CUPEL_CHOICE_TIE;
    if (e->which != 0 || count > MAX_BRANCHES || !has_details || c->left <= 0)
        return;
    c->choice = e;
    c->nbranches = count;
    memset(c->branches, 0, count * sizeof *c->branches);
    look_at_events(c, g);
    look_at_members(c);
    if (c->left > 0)
        choose(c, e);
}

/* -- Telling --------------------------------------------------------------------------------------
 */

static bool is_told(const struct chooser *c, uint32_t i)
{
    const struct cupel__event *e = &c->s->vm.events[i];
    if (e->group != 0) {
        const struct cupel__event *around = &c->s->vm.events[e->group - 1];
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

/* Leaves out what the same keyword said of the same value on another way.  Among many problems of
 * one value only the nearest are looked at. */
static uint32_t drop_repeated(struct cupel__vm *vm, uint32_t *order, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct cupel__event *e = &vm->events[order[i]];
        bool again = false;
        for (uint32_t k = kept; k > 0 && kept - k < 256 && !again; k--) {
            const struct cupel__event *f = &vm->events[order[k - 1]];
            if (f->node != e->node)
                break;
            again = f->pc == e->pc && f->which == e->which;
        }
        e->told = !again;
        if (!again)
            order[kept++] = order[i];
    }
    return kept;
}

enum cupel_status cupel__choose(struct cupel_scratch *s, const struct cupel__code *code,
                                struct cupel__doc *doc)
{
    struct chooser c = {.s = s, .code = code, .doc = doc, .left = MAX_WORK};
    struct cupel__vm *vm = &s->vm;
    s->norder = 0;
    enum cupel_status status = cupel__scratch_order(s, vm->nevents);
    if (status != CUPEL_OK)
        return status;
    for (uint32_t i = vm->nevents; i-- > 0;) {
        vm->events[i].chosen = CUPEL_NO_RECORD;
        if (is_choice(&c, &vm->events[i]))
            settle_choice(&c, i);
    }
    for (uint32_t i = 0; i < vm->nevents; i++) {
        struct cupel__event *e = &vm->events[i];
        bool reached = is_told(&c, i);
        bool leads_on = e->chosen != CUPEL_NO_RECORD && e->choice != CUPEL_CHOICE_NO_TAG;
        e->through = reached && leads_on;
        e->told = reached && !leads_on;
        if (e->told)
            s->order[s->norder++] = i;
    }
    if (s->norder == 0 && vm->nevents > 0)
        s->order[s->norder++] = 0; /* INVALID comes with a problem */
    sort(vm, s->order, s->norder);
    s->norder = drop_repeated(vm, s->order, s->norder);
    return CUPEL_OK;
}
