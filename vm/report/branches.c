/* branches.c: what the branches of a choice require of a value's members (branches.h).
 *
 * One pass over each branch's instructions collects, as bit sets over the first MAX_MEMBERS
 * members: which names the branch declares, and which members have a value that its const or enum
 * allows or excludes.  Branches that are choices themselves are merged one level at a time, at most
 * MAX_NESTED of them.  Sets then answer all questions. */
#include "vm/report/branches.h"
#include "base/similar.h"
#include "vm/report/operands.h"
#include "vm/report/schema_iter.h"
#include <string.h>

/* Bounds on one choice: values compared of an enum, names compared of a table, nested branches. */
enum { MAX_VALUES = 256, MAX_NAMES = 64, MAX_NESTED = 64, MAX_WORK = 200000 };
/* Steps for one comparison of values; a pair that takes more counts as different. */
enum { COMPARISON = 1000 };

bool cupel__branches_begin(struct cupel__branches *b, uint32_t pc, uint32_t node)
{
    uint32_t n = cupel__branches_of(b->code, pc)->count;
    if (n > CUPEL__MAX_BRANCHES)
        return false;
    b->pc = pc;
    b->node = node;
    b->n = n;
    b->nmembers = 0;
    memset(b->branch, 0, n * sizeof *b->branch);
    return true;
}

/* -- Values ---------------------------------------------------------------------------------------
 */

/* The first instruction of a schema that lists allowed values, or NULL. */
static const uint32_t *value_op(struct cupel__branches *b, uint32_t sub)
{
    struct cupel__schema_iter it;
    cupel__schema_iter_sub(&it, b->code, sub, NULL);
    for (const uint32_t *word; b->left > 0 && (word = cupel__schema_iter_next(&it)) != NULL;
         b->left--)
        if (cupel__is_value_op(CUPEL__WORD_OP(*word)))
            return word;
    return NULL;
}

/* Whether a value is one of those that an instruction allows. */
static bool is_among(struct cupel__branches *b, uint32_t node, const uint32_t *word)
{
    uint32_t n;
    const uint32_t *values = cupel__values_of(b->code, word, &n);
    struct cupel__doc *constants = (struct cupel__doc *)&b->code->values; /* never written to */
    for (uint32_t i = 0; i < n && i < MAX_VALUES && b->left > 0; i++) {
        struct cupel__budget budget = {.remaining = COMPARISON};
        int equal = cupel__json_equal(b->doc, node, constants, values[i], &budget);
        b->left -= 1 + (COMPARISON - budget.remaining);
        if (equal == 1)
            return true;
    }
    return false;
}

/* The entry that a name table has for the name of a key, or NULL. */
static const struct cupel__entry *find_name(struct cupel__branches *b, uint32_t table, uint32_t key)
{
    struct cupel__str name = cupel__doc_str(b->doc, &b->doc->nodes[key]);
    b->left--;
    return cupel__table_find(b->code->image, cupel__at(b->code->image, table), name.p,
                             (uint32_t)name.n);
}

/* -- Requirements of a branch
 * ----------------------------------------------------------------------
 */

/* What one schema requires of the members; the sets as in struct cupel__branch. */
struct requirement {
    uint32_t fits, differs, knows;
    bool names; /* it declares names */
    bool never; /* it takes no object */
    bool open;  /* it has no choice of its own: what it requires is all */
};

/* The branches of the choices that a branch applies to the same value. */
struct nested {
    uint32_t sub[MAX_NESTED];
    uint32_t n;
};

static void read_table(struct cupel__branches *b, uint32_t table, struct requirement *req)
{
    req->names = true;
    for (uint32_t i = 0; i < b->nmembers && b->left > 0; i++) {
        const struct cupel__entry *e = find_name(b, table, b->members[i]);
        if (e == NULL)
            continue;
        req->knows |= 1u << i;
        const uint32_t *word = value_op(b, e->sub);
        if (word != NULL && is_among(b, b->members[i] + 1, word))
            req->fits |= 1u << i;
        else if (word != NULL)
            req->differs |= 1u << i;
    }
}

static void add_nested(struct cupel__branches *b, const uint32_t *word, struct nested *nested)
{
    const struct cupel__list *list = cupel__image_list(b->code->image, word[1]);
    for (uint32_t i = 0; i < list->count && nested->n < MAX_NESTED; i++)
        nested->sub[nested->n++] = list->item[i];
}

static bool takes_no_object(const uint32_t *word)
{
    uint32_t op = CUPEL__WORD_OP(*word);
    return op == CUPEL__OP_FAIL ||
           (op == CUPEL__OP_TYPE && !(CUPEL__WORD_B(*word) & CUPEL__M_OBJECT));
}

/* Reads the instructions of a schema.  Adds its name tables to the branch and the branches of its
 * choices to `nested`. */
static struct requirement read_schema(struct cupel__branches *b, uint32_t sub,
                                      struct cupel__branch *branch, struct nested *nested)
{
    struct requirement req = {.open = true};
    struct cupel__schema_iter it;
    cupel__schema_iter_sub(&it, b->code, sub, NULL);
    for (const uint32_t *word; b->left > 0 && (word = cupel__schema_iter_next(&it)) != NULL;
         b->left--) {
        uint32_t op = CUPEL__WORD_OP(*word);
        req.never |= takes_no_object(word);
        if (cupel__is_choice_op(op)) {
            add_nested(b, word, nested);
            req.open = false;
        }
        if (op != CUPEL__OP_OBJECT && op != CUPEL__OP_MEMBERS && op != CUPEL__OP_REQUIRED)
            continue;
        if (branch->ntables < CUPEL__MAX_TABLES)
            branch->tables[branch->ntables++] = word[1];
        read_table(b, word[1], &req);
    }
    return req;
}

static int popcount(uint32_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/* A branch requires what its schema requires and what at least one branch of the choices in it
 * does: a member fits if any nested branch accepts it and differs if all of them exclude it. Nested
 * branches of nested branches join the same list. */
static void read_branch(struct cupel__branches *b, uint32_t sub, struct cupel__branch *branch)
{
    struct nested nested = {.n = 0};
    struct requirement own = read_schema(b, sub, branch, &nested);
    struct requirement one = {.differs = nested.n > 0 ? UINT32_MAX : 0};
    for (uint32_t i = 0; i < nested.n && b->left > 0; i++) {
        struct requirement req = read_schema(b, nested.sub[i], branch, &nested);
        if (req.never || (!req.names && !req.open))
            continue;
        one.fits |= req.differs == 0 ? req.fits : 0;
        one.differs &= req.differs;
        if (popcount(req.knows) > popcount(one.knows))
            one.knows = req.knows;
    }
    branch->fits = own.fits | one.fits;
    branch->differs = own.differs | (one.differs & ~one.fits);
    branch->knows = own.knows | one.knows;
}

void cupel__branches_read_members(struct cupel__branches *b)
{
    const struct cupel__node *nodes = b->doc->nodes;
    if (nodes[b->node].type != CUPEL__OBJECT)
        return;
    for (uint32_t k = b->node + 1; k < nodes[b->node].end && b->nmembers < CUPEL__MAX_MEMBERS;
         k = cupel__node_next(nodes, k + 1))
        b->members[b->nmembers++] = k;
    const struct cupel__list *list = cupel__branches_of(b->code, b->pc);
    for (uint32_t i = 0; i < b->n; i++)
        read_branch(b, list->item[i], &b->branch[i]);
}

/* -- Tags -----------------------------------------------------------------------------------------
 */

/* The members for which at least two branches list allowed values and that tell branches apart: the
 * member fits some and differs from others (*ret_fits), or it fits none. */
static uint32_t find_tags(const struct cupel__branches *b, bool *ret_fits)
{
    uint32_t once = 0, twice = 0, fits = 0, differs = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct cupel__branch *branch = &b->branch[i];
        twice |= once & (branch->fits | branch->differs);
        once |= branch->fits | branch->differs;
        fits |= branch->fits;
        differs |= branch->differs;
    }
    *ret_fits = (twice & fits & differs) != 0;
    return *ret_fits ? twice & fits & differs : twice & differs & ~fits;
}

/* 1 + the constant that branch i lists first for a member, or 0. */
static uint32_t first_value(struct cupel__branches *b, uint32_t i, uint32_t member)
{
    const struct cupel__branch *branch = &b->branch[i];
    for (uint32_t t = 0; t < branch->ntables; t++) {
        const struct cupel__entry *e = find_name(b, branch->tables[t], b->members[member]);
        const uint32_t *word = e != NULL ? value_op(b, e->sub) : NULL;
        uint32_t n = 0;
        const uint32_t *values = word != NULL ? cupel__values_of(b->code, word, &n) : NULL;
        if (n > 0)
            return 1 + values[0];
    }
    return 0;
}

/* Whether two branches list different first values for a member. */
static bool has_distinct_tags(struct cupel__branches *b, uint32_t member)
{
    struct cupel__doc *constants = (struct cupel__doc *)&b->code->values;
    uint32_t first = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t value = first_value(b, i, member);
        struct cupel__budget budget = {.remaining = COMPARISON};
        if (value != 0 && first != 0 &&
            cupel__json_equal(constants, first - 1, constants, value - 1, &budget) == 0)
            return true;
        first = first != 0 ? first : value;
    }
    return false;
}

/* Returns the branches that every tag fits.  Without a fitting tag it returns all branches and sets
 * *ret_wrong if a member is a tag with a value that no branch allows. */
uint64_t cupel__branches_by_tag(struct cupel__branches *b, uint32_t *ret_tag, bool *ret_wrong)
{
    bool fits;
    uint32_t tags = find_tags(b, &fits);
    uint64_t fitting = 0, all = cupel__branches_all(b);
    *ret_wrong = false;
    if (!fits) {
        for (uint32_t m = 0; m < b->nmembers && !*ret_wrong; m++) {
            if ((tags >> m & 1) && has_distinct_tags(b, m)) {
                *ret_tag = b->members[m] + 1;
                *ret_wrong = true;
            }
        }
        return all;
    }
    for (uint32_t i = 0; i < b->n; i++)
        if ((b->branch[i].fits & tags) != 0 && (b->branch[i].differs & tags) == 0)
            fitting |= UINT64_C(1) << i;
    if (fitting != 0)
        *ret_tag = b->members[cupel__set_lowest(tags)] + 1;
    return fitting != 0 ? fitting : all;
}

void cupel__branches_decide_by_tag(struct cupel__vm *vm, struct cupel__event *e)
{
    struct cupel__branches b; /* not cleared: it is large */
    uint32_t tag = 0;
    bool wrong;
    b.code = vm->program;
    b.doc = vm->doc;
    b.left = MAX_WORK;
    if (vm->nodes[e->node].type != CUPEL__OBJECT || !cupel__branches_begin(&b, e->pc, e->node))
        return;
    cupel__branches_read_members(&b);
    uint64_t set = cupel__branches_by_tag(&b, &tag, &wrong);
    vm->budget.remaining -= MAX_WORK - b.left;
    if (!cupel__set_single(set) || b.left <= 0)
        return;
    e->choice = b.n == 1 ? CUPEL_CHOICE_BY_TYPE : CUPEL_CHOICE_BY_TAG;
    e->chosen = cupel__set_lowest(set);
    e->tag = tag;
}

/* -- Names ----------------------------------------------------------------------------------------
 */

/* Whether a branch declares a name that is similar to a member's. */
static bool is_like(struct cupel__branches *b, const struct cupel__branch *branch, uint32_t key)
{
    struct cupel__str name = cupel__doc_str(b->doc, &b->doc->nodes[key]);
    for (uint32_t t = 0; t < branch->ntables; t++) {
        const struct cupel__table *table = cupel__at(b->code->image, branch->tables[t]);
        const struct cupel__entry *entry = cupel__table_entries(table);
        for (uint32_t i = 0; i < table->count && i < MAX_NAMES && b->left > 0; i++) {
            char buf[16];
            struct cupel__str known = cupel__entry_name(b->code->image, table, &entry[i], buf);
            b->left -= cupel__similar_steps(name, known);
            if (cupel__similar(name, known) != CUPEL__NOT_SIMILAR)
                return true;
        }
    }
    return false;
}

/* How well a branch matches: KNOWN points for each declared member and one for each member with a
 * similar name, and among equals the branch that misses fewest required members. */
static int score(struct cupel__branches *b, const struct cupel__branch *branch, int discount)
{
    int known = CUPEL__KNOWN * popcount(branch->knows) - discount;
    for (uint32_t i = 0; i < b->nmembers; i++)
        known += !(branch->knows >> i & 1) && is_like(b, branch, b->members[i]);
    return known <= 0 ? 0 : 1000 * known - (branch->missing < 999 ? branch->missing : 999);
}

uint64_t cupel__branches_best_known(struct cupel__branches *b, uint64_t set, int discount)
{
    int best = 0;
    uint64_t found = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        int n = set >> i & 1 ? score(b, &b->branch[i], discount) : 0;
        if (n < best || n == 0)
            continue;
        found = n > best ? 0 : found;
        best = n;
        found |= UINT64_C(1) << i;
    }
    return cupel__set_single(found) ? found : 0;
}
