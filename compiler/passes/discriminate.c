/* discriminate.c: which branches of a choice a value may pass.
 *
 * Needs   nothing.  Run it last, because branches must not change any more.
 * Keeps   everything except the discriminators of ANY_OF and ONE_OF and their `either` and
 *         `always`, which it makes anew.
 * Breaks  nothing.
 *
 * A discriminator (ir.h) computes from the type of a value, and from the members of an object, the
 * branches that may pass; the VM does not run the others.  In most choices one branch remains:
 * authors write a branch for each value of a tag, or one for each of several required names.
 * choice_facts.c collects what is known about the branches.
 *
 *     {"oneOf": [{"properties": {"t": {"const": "a"}}, "required": ["t"]}, {… "b" …}]}
 *
 * becomes a discriminator with the key "t": tag "a" selects branch 0, tag "b" branch 1, everything
 * else none.
 *
 * A set has a bit for each leaf (choice_facts.h) if there are enough bits, else for each branch, or
 * for several branches.  If a branch is nothing but another choice, the bit of a leaf leads past
 * it: an object for which only this bit remains must pass the leaf's target, whatever the choices
 * between are, since all their other branches fail.
 *
 * Every name that a leaf mentions is a possible key.  The names with the largest estimated gain
 * become candidates.  Then keys are chosen one after the other: the one that leaves the fewest
 * branches for an object that has exactly the members which some leaf requires, until no key leaves
 * fewer.  If objects keep more than two thirds of their leaves, members are not examined at all.
 *
 * If all values of some types pass a choice and the other types are of one class, the former are
 * recorded in `always`: their values skip the choice.
 *
 * Where members decide nothing and every branch is a check of the value alone, `either` lets emit
 * write the choice as one check.
 *
 * Work is bounded by a budget in proportion to the module; when it is used up, the remaining
 * choices have no discriminator.  Tracked schemas are left alone.
 *
 * Gain: 9 % of the instructions over the sets, four fifths for cql2; two thirds for a choice of ten
 * tagged objects. */
#include "compiler/passes/choice_facts.h"
#include "compiler/passes/passes.h"

#include "base/json/tape.h"
#include <string.h>

enum {
    MIN_WORK = 1 << 13,
    WORK_FACTOR = 64, /* for each operation and operand of the module */
    BITS = 64,        /* of a set of branches */
    CANDIDATES = 12,  /* names that are examined as keys */
    MAX_KEYS = 6      /* keys of a discriminator */
};

/* A tag that a leaf lists, as a value that it admits or refuses. */
struct listed {
    struct ir_tag tag;
    uint32_t leaf;
    bool refused;
};

struct listings {
    struct listed *p;
    size_t n, cap;
};

/* A name that may become a key, and the branches that remain for objects with it. */
struct candidate {
    uint32_t group, gain;
    struct ir_key key;
    uint64_t requires;   /* the bits with a leaf that requires the member or lists its values */
    uint64_t with[BITS]; /* of each of them: what remains for an object that passes such a leaf */
};

/* The requirements of one leaf for the member of a name. */
struct claim {
    uint32_t leaf;
    bool required, other_typed;
    struct values strings, integers;
};

struct chooser {
    struct facts facts;
    const struct ir_op *op;     /* the choice */
    struct numbers bits;        /* of each leaf */
    struct ir_span spans[BITS]; /* of each bit */
    uint32_t nbits;
    uint64_t live; /* the branches that objects may pass */

    /* Of each bit: how many open leaves it has, which admit names that they do not mention; how
     * many leaves. */
    uint32_t open[BITS], all[BITS];
    uint64_t some_open, some_all; /* the bits with an open leaf; with a leaf */
    struct claim *claims;         /* the claims of the group that was read, by leaf */
    size_t nclaims, max_claims;
    uint64_t mentioned; /* the bits of those leaves */
    struct candidate candidates[CANDIDATES];
    uint32_t ncandidates;

    /* For the key that is being made. */
    struct listings listings;
    struct numbers order;
    struct numbers refusers;    /* leaves that list what they refuse */
    struct numbers refused_tag; /* of each leaf: the last tag that it refuses */
    uint32_t tag;               /* number of the tag that is being made */
    uint64_t strings, integers; /* leaves without a list of strings, of integers */
};

static uint64_t bit_of(const struct chooser *c, uint32_t leaf)
{
    return UINT64_C(1) << c->bits.p[leaf];
}

/* The number of bits in a set.  Written out, because the compiler's builtin is a call where the
 * processor may lack the instruction. */
static uint32_t popcount(uint64_t set)
{
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    set = (set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(set * 0x0101010101010101u >> 56);
}

/* -- Mentions -------------------------------------------------------------------------------------
 */

static const struct mention *mention_at(const struct chooser *c, uint32_t place)
{
    return &c->facts.mentions[c->facts.order.p[place]];
}

/* The narrower of two lists, as far as that is obvious. */
static struct values narrower(struct values a, struct values b)
{
    return a.listing == LISTING_ALLOWED || b.listing == LISTING_NONE ? a : b;
}

static struct claim next_claim(const struct chooser *c, uint32_t *at, uint32_t end)
{
    struct claim w = {.leaf = mention_at(c, *at)->leaf, .other_typed = true};
    for (; *at < end && mention_at(c, *at)->leaf == w.leaf; ++*at) {
        const struct mention *m = mention_at(c, *at);
        w.required |= m->required;
        w.strings = narrower(w.strings, m->strings);
        w.integers = narrower(w.integers, m->integers);
        w.other_typed &= m->other_typed;
    }
    return w;
}

/* Reads the claims of all leaves about the name of a group. */
static void read_group(struct chooser *c, uint32_t group)
{
    const uint32_t *at = &c->facts.groups.p[group];
    facts_spend(&c->facts, at[1] - at[0]);
    c->nclaims = 0;
    c->mentioned = 0;
    for (uint32_t i = at[0]; i < at[1]; c->nclaims++) {
        c->claims[c->nclaims] = next_claim(c, &i, at[1]);
        c->mentioned |= bit_of(c, c->claims[c->nclaims].leaf);
    }
}

static bool has_list(const struct claim *w)
{
    return w->strings.op != NULL || w->integers.op != NULL;
}

/* Finds the leaves that may pass an object without the name of the group (those that do not require
 * it), and with it although they do not mention it. */
static void leaves_without(struct chooser *c, uint64_t *ret_absent, uint64_t *ret_open)
{
    uint64_t absent = c->some_all, open = c->some_open;
    for (size_t i = 0; i < c->nclaims; i++) {
        uint32_t leaf = c->claims[i].leaf, b = c->bits.p[leaf];
        c->all[b] -= c->claims[i].required;
        c->open[b] -= c->facts.leaves[leaf].closed == NULL;
        absent &= ~((uint64_t)(c->all[b] == 0) << b);
        open &= ~((uint64_t)(c->open[b] == 0) << b);
    }
    for (size_t i = 0; i < c->nclaims; i++) {
        uint32_t leaf = c->claims[i].leaf, b = c->bits.p[leaf];
        c->all[b] += c->claims[i].required;
        c->open[b] += c->facts.leaves[leaf].closed == NULL;
    }
    *ret_absent = absent;
    *ret_open = open;
}

/* Estimates by how many leaves all objects together are reduced if the name is a key and all tags
 * are different. */
static uint32_t estimate_gain(struct chooser *c, uint32_t group)
{
    uint64_t absent, open;
    uint32_t gain = 0, live = popcount(c->live);
    read_group(c, group);
    leaves_without(c, &absent, &open);
    for (size_t i = 0; i < c->nclaims; i++) {
        const struct claim *w = &c->claims[i];
        uint64_t remaining = open | (has_list(w) ? bit_of(c, w->leaf) : c->mentioned);
        gain += w->required || has_list(w) ? live - popcount(remaining) : 0;
    }
    return gain + popcount(c->live & ~c->mentioned) * (live - popcount(absent));
}

/* Keeps the names with the largest gain, and the earlier of equal ones. */
static void add_candidate(struct chooser *c, uint32_t group)
{
    uint32_t gain = estimate_gain(c, group), i;
    if (gain == 0)
        return;
    if (c->ncandidates < CANDIDATES)
        c->ncandidates++;
    else if (gain <= c->candidates[CANDIDATES - 1].gain)
        return;
    for (i = c->ncandidates - 1; i > 0 && c->candidates[i - 1].gain < gain; i--) {
        c->candidates[i].group = c->candidates[i - 1].group;
        c->candidates[i].gain = c->candidates[i - 1].gain;
    }
    c->candidates[i].group = group;
    c->candidates[i].gain = gain;
}

/* -- Tags -----------------------------------------------------------------------------------------
 */

/* Whether a value can be a tag; if so, the tag in *ret. */
static bool tag_of(const struct ir_value *v, struct ir_tag *ret)
{
    struct cupel__node *node = ir_value_node(v);
    uint32_t type = CUPEL__BIT(node->type);
    *ret = (struct ir_tag){.is_text = (type & CUPEL__M_STRING) != 0};
    if (ret->is_text)
        ret->text = cupel__doc_str(v->doc, node);
    else
        ret->integer = node->i;
    return ret->is_text || ((type & CUPEL__M_INTEGER) && !(node->flags & CUPEL__BIG));
}

static bool add_listed(struct chooser *c, const struct listed *listed)
{
    struct listings *l = &c->listings;
    if (l->n == l->cap &&
        cupel__grow(c->facts.alloc, (void **)&l->p, &l->cap, l->n + 1, sizeof *l->p) != CUPEL_OK)
        return false;
    l->p[l->n++] = *listed;
    return true;
}

/* Adds the tags that a leaf lists; a leaf without a list is added to *open. */
static bool list_claim(struct chooser *c, uint32_t leaf, struct values values, uint64_t *open)
{
    struct listed listed = {.leaf = leaf, .refused = values.listing == LISTING_REFUSED};
    if (values.listing == LISTING_NONE)
        *open |= bit_of(c, leaf);
    if (listed.refused && !cupel__facts_push(&c->facts, &c->refusers, leaf))
        return false;
    for (uint32_t i = 0;
         values.op != NULL && i < values.op->nvalues && facts_spend(&c->facts, FACTS_KEPT); i++)
        if (tag_of(&values.op->values[i], &listed.tag) && !add_listed(c, &listed))
            return false;
    return true;
}

static int by_tag(const void *context, uint32_t a, uint32_t b)
{
    const struct listed *listed = context;
    const struct ir_tag *x = &listed[a].tag, *y = &listed[b].tag;
    if (x->is_text != y->is_text)
        return x->is_text ? 1 : -1;
    if (x->is_text)
        return cupel__str_cmp(x->text, y->text);
    return (x->integer > y->integer) - (x->integer < y->integer);
}

/* Makes the tag that is listed at the places from *at on, and moves *at behind the last of them. */
static struct ir_tag make_tag(struct chooser *c, size_t *at)
{
    uint32_t first = c->order.p[*at];
    struct ir_tag tag = c->listings.p[first].tag;
    tag.set = tag.is_text ? c->strings : c->integers;
    c->tag++;
    for (; *at < c->listings.n && by_tag(c->listings.p, first, c->order.p[*at]) == 0; ++*at) {
        const struct listed *here = &c->listings.p[c->order.p[*at]];
        if (here->refused)
            c->refused_tag.p[here->leaf] = c->tag;
        else
            tag.set |= bit_of(c, here->leaf);
    }
    facts_spend(&c->facts, c->refusers.n);
    for (size_t i = 0; i < c->refusers.n && tag.is_text; i++)
        if (c->refused_tag.p[c->refusers.p[i]] != c->tag)
            tag.set |= bit_of(c, c->refusers.p[i]);
    return tag;
}

/* Sorts the listed tags and makes the key's tags of them. */
static enum cupel_status make_tags(struct chooser *c, struct ir_key *key)
{
    uint32_t n = (uint32_t)c->listings.n;
    key->tags = cupel__arena_array(c->facts.m->arena, n, sizeof *key->tags);
    if (key->tags == NULL || !cupel__facts_fill(&c->facts, &c->order, n, 0))
        return CUPEL_E_NO_MEMORY;
    enum cupel_status status =
        cupel__ir_sort(&c->facts.m->arena->alloc, c->order.p, n, by_tag, c->listings.p);
    for (size_t at = 0; at < n && status == CUPEL_OK && c->facts.work > 0;)
        key->tags[key->ntags++] = make_tag(c, &at);
    return status;
}

/* -- Keys -----------------------------------------------------------------------------------------
 */

static const struct ir_tag *find_tag(const struct ir_key *key, const struct ir_tag *tag)
{
    const struct listed wanted = {.tag = *tag};
    uint32_t lo = 0, hi = key->ntags;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        struct listed both[2] = {wanted, {.tag = key->tags[mid]}};
        int order = by_tag(both, 0, 1);
        if (order == 0)
            return &key->tags[mid];
        lo = order > 0 ? mid + 1 : lo;
        hi = order > 0 ? hi : mid;
    }
    return NULL;
}

/* An estimate of the branches that remain for an object that passes a leaf with this claim: those
 * for the first value that the claim lists, or without a list those for a value that is no tag. */
static uint64_t set_of_claim(const struct ir_key *key, const struct claim *w)
{
    const struct ir_op *among = w->strings.listing == LISTING_ALLOWED && w->strings.op != NULL
                                    ? w->strings.op
                                    : w->integers.op;
    struct ir_tag tag;
    const struct ir_tag *found = NULL;
    if (among != NULL && tag_of(&among->values[0], &tag))
        found = find_tag(key, &tag);
    return found != NULL ? found->set : key->unlisted;
}

/* Lists the tags of all leaves of a group. */
static bool list_group(struct chooser *c, uint64_t open)
{
    c->listings.n = c->refusers.n = 0;
    c->strings = c->integers = open;
    for (size_t i = 0; i < c->nclaims; i++) {
        const struct claim *w = &c->claims[i];
        if (!list_claim(c, w->leaf, w->strings, &c->strings) ||
            !list_claim(c, w->leaf, w->integers, &c->integers))
            return false;
    }
    return true;
}

/* Makes the key of a candidate and the sets it selects: for each tag, for other values, for values
 * of another type, without the member. */
static enum cupel_status make_candidate(struct chooser *c, struct candidate *k)
{
    uint64_t open;
    k->key = (struct ir_key){.name = mention_at(c, c->facts.groups.p[k->group])->name};
    read_group(c, k->group);
    leaves_without(c, &k->key.absent, &open);
    if (!list_group(c, open))
        return CUPEL_E_NO_MEMORY;
    if (c->facts.work == 0)
        return CUPEL_OK;
    enum cupel_status status = make_tags(c, &k->key);
    if (k->key.ntags == 0) {
        k->key.unlisted = open | c->mentioned;
    } else {
        k->key.unlisted = c->strings | c->integers;
        for (size_t i = 0; i < c->refusers.n; i++)
            k->key.unlisted |= bit_of(c, c->refusers.p[i]);
    }
    memset(k->with, 0, c->nbits * sizeof *k->with);
    k->requires = 0;
    k->key.other_typed = open;
    for (size_t i = 0; i < c->nclaims && status == CUPEL_OK; i++) {
        const struct claim *w = &c->claims[i];
        uint64_t bit = bit_of(c, w->leaf);
        k->requires |= w->required || has_list(w) ? bit : 0;
        k->key.other_typed |= w->other_typed ? bit : 0;
        k->with[c->bits.p[w->leaf]] |= set_of_claim(&k->key, w);
    }
    return status;
}

/* The branches that a key leaves for an object that passes leaf b. */
static uint64_t remaining_with(const struct candidate *k, uint32_t b)
{
    return k->requires >> b & 1 ? k->with[b] : k->key.absent;
}

/* The number of the candidate that leaves the fewest branches, or CANDIDATES if none leaves fewer.
 */
static uint32_t find_best(struct chooser *c, const uint64_t *remaining, uint32_t taken)
{
    uint32_t best = CANDIDATES, most = 0;
    facts_spend(&c->facts, (size_t)c->nbits * c->ncandidates);
    for (uint32_t i = 0; i < c->ncandidates; i++) {
        uint32_t less = 0;
        for (uint32_t b = 0; b < c->nbits && !(taken >> i & 1); b++)
            less += popcount(remaining[b] & ~remaining_with(&c->candidates[i], b));
        best = less > most ? i : best;
        most = less > most ? less : most;
    }
    return best;
}

/* Chooses the keys of the discriminator. */
static enum cupel_status choose_keys(struct chooser *c, struct ir_discriminator *discriminator)
{
    uint64_t remaining[BITS];
    uint32_t taken = 0, live = popcount(c->live), sum = 0, best;
    discriminator->keys =
        cupel__arena_array(c->facts.m->arena, MAX_KEYS, sizeof *discriminator->keys);
    if (discriminator->keys == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t b = 0; b < c->nbits; b++)
        remaining[b] = c->live >> b & 1 ? c->live : 0;
    while (discriminator->nkeys < MAX_KEYS &&
           (best = find_best(c, remaining, taken)) != CANDIDATES) {
        taken |= 1u << best;
        discriminator->keys[discriminator->nkeys++] = c->candidates[best].key;
        for (uint32_t b = 0; b < c->nbits; b++)
            remaining[b] &= remaining_with(&c->candidates[best], b);
    }
    for (uint32_t b = 0; b < c->nbits; b++)
        sum += popcount(remaining[b]);
    if (3 * sum > 2 * live * live)
        discriminator->nkeys = 0;
    return CUPEL_OK;
}

static void count_leaves(struct chooser *c)
{
    memset(c->all, 0, c->nbits * sizeof *c->all);
    memset(c->open, 0, c->nbits * sizeof *c->open);
    c->some_all = c->some_open = 0;
    for (uint32_t l = 0; l < c->facts.nleaves; l++) {
        bool open = c->facts.leaves[l].closed == NULL;
        c->all[c->bits.p[l]]++;
        c->open[c->bits.p[l]] += open;
        c->some_all |= bit_of(c, l);
        c->some_open |= open ? bit_of(c, l) : 0;
    }
}

static enum cupel_status add_keys(struct chooser *c, struct ir_discriminator *discriminator)
{
    enum cupel_status status = CUPEL_OK;
    c->ncandidates = 0;
    if (c->facts.nleaves > c->max_claims &&
        cupel__grow(c->facts.alloc, (void **)&c->claims, &c->max_claims, c->facts.nleaves,
                    sizeof *c->claims) != CUPEL_OK)
        return CUPEL_E_NO_MEMORY;
    count_leaves(c);
    for (uint32_t g = 0; g + 1 < c->facts.groups.n && c->facts.work > 0; g++)
        add_candidate(c, g);
    for (uint32_t i = 0; i < c->ncandidates && status == CUPEL_OK && c->facts.work > 0; i++)
        status = make_candidate(c, &c->candidates[i]);
    return status == CUPEL_OK && c->facts.work > 0 ? choose_keys(c, discriminator) : status;
}

/* -- Bits -----------------------------------------------------------------------------------------
 */

/* Sets first[0 … n] to where the bits of each branch begin.  Returns whether there are enough bits.
 */
static bool number_branches(struct chooser *c, uint32_t *first)
{
    const struct facts *f = &c->facts;
    uint32_t n = c->op->nschemas, bits = 0;
    memset(first, 0, (n + 1) * sizeof *first);
    for (uint32_t l = 0; l < f->nleaves; l++)
        first[f->leaves[l].branch]++;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t leaves = first[i] > 0 ? first[i] : 1;
        first[i] = bits;
        bits += leaves;
    }
    first[n] = bits;
    return bits <= BITS;
}

/* Gives one bit to each branch or, beyond 64 branches, to several. */
static void share_bits(struct chooser *c, uint32_t *first)
{
    uint32_t n = c->op->nschemas, shift = 0;
    while ((n - 1) >> shift >= BITS)
        shift++;
    for (uint32_t i = 0; i < n; i++)
        first[i] = i >> shift;
    first[n] = first[n - 1] + 1;
    for (uint32_t l = 0; l < c->facts.nleaves; l++)
        c->bits.p[l] = first[c->facts.leaves[l].branch];
}

/* Gives a bit to each leaf; the bits of a branch are adjacent. */
static void assign_bits(struct chooser *c, const uint32_t *first)
{
    uint32_t used[BITS] = {0};
    for (uint32_t l = 0; l < c->facts.nleaves; l++) {
        uint32_t b = first[c->facts.leaves[l].branch];
        c->bits.p[l] = b + used[b]++;
    }
}

/* The bits of branch i are those from first[i] on, at least one, up to first[i + 1]. */
static void make_spans(struct chooser *c, const uint32_t *first)
{
    uint32_t n = c->op->nschemas;
    c->nbits = first[n];
    memset(c->spans, 0, c->nbits * sizeof *c->spans);
    for (uint32_t i = n; i-- > 0;)
        for (uint32_t b = first[i]; b == first[i] || b < first[i + 1]; b++)
            c->spans[b] = (struct ir_span){i, c->spans[b].n + 1};
}

static void make_types(struct chooser *c, const struct ir_schema *s, const uint32_t *first,
                       struct ir_discriminator *discriminator)
{
    for (uint32_t i = 0; i < c->op->nschemas; i++) {
        uint32_t types = cupel__facts_types(&c->facts, c->op->schemas[i]) & s->types;
        for (uint32_t b = first[i]; b == first[i] || b < first[i + 1]; b++)
            for (int type = 0; type < CUPEL__TYPES; type++)
                discriminator->types[type] |= (uint64_t)(types >> type & 1) << b;
    }
    c->live = discriminator->types[CUPEL__OBJECT];
}

/* Sets the targets of the bits, if some are not the branches themselves. */
static bool make_targets(struct chooser *c, struct ir_discriminator *discriminator)
{
    const struct facts *f = &c->facts;
    uint32_t other = c->nbits - c->op->nschemas;
    uint32_t *targets = cupel__arena_array(f->m->arena, c->nbits, sizeof *targets);
    facts_spend(&c->facts, FACTS_KEPT * (size_t)c->nbits);
    for (uint32_t b = 0; b < c->nbits && targets != NULL; b++)
        targets[b] = c->op->schemas[c->spans[b].first];
    for (uint32_t l = 0; l < f->nleaves && targets != NULL; l++) {
        uint32_t *target = &targets[c->bits.p[l]];
        other |= *target ^ f->leaves[l].target;
        *target = f->leaves[l].target;
    }
    if (other != 0)
        discriminator->targets = targets;
    return targets != NULL;
}

/* Numbers the bits of leaves or branches, and sets spans, targets and types of the discriminator.
 */
static enum cupel_status make_bits(struct chooser *c, const struct ir_schema *s,
                                   struct ir_discriminator *discriminator)
{
    struct cupel__arena *arena = c->facts.m->arena;
    uint32_t *first = cupel__arena_array(arena, c->op->nschemas + (size_t)1, sizeof *first);
    if (first == NULL || !cupel__facts_fill(&c->facts, &c->refused_tag, c->facts.nleaves, 0) ||
        !cupel__facts_fill(&c->facts, &c->bits, c->facts.nleaves, 0))
        return CUPEL_E_NO_MEMORY;
    facts_spend(&c->facts, c->facts.nleaves + (size_t)CUPEL__TYPES * c->op->nschemas);
    bool apart = number_branches(c, first);
    if (apart)
        assign_bits(c, first);
    else
        share_bits(c, first);
    make_spans(c, first);
    if (apart && !make_targets(c, discriminator))
        return CUPEL_E_NO_MEMORY;
    make_types(c, s, first, discriminator);
    discriminator->nbits = c->nbits;
    discriminator->spans = cupel__arena_array(arena, c->nbits, sizeof *discriminator->spans);
    if (discriminator->spans == NULL)
        return CUPEL_E_NO_MEMORY;
    memcpy(discriminator->spans, c->spans, c->nbits * sizeof *discriminator->spans);
    return CUPEL_OK;
}

/* -- Choices --------------------------------------------------------------------------------------
 */

/* Whether some type leaves at most one of three or more branches. */
static bool type_decides(const struct chooser *c, const struct ir_schema *s,
                         const struct ir_discriminator *discriminator)
{
    for (int type = 0; type < CUPEL__TYPES; type++)
        if ((s->types & CUPEL__BIT(type)) && popcount(discriminator->types[type]) < 2 &&
            c->op->nschemas > 2)
            return true;
    return false;
}

/* Records that all bits of a set can remain together: adds the set to the entry of each of them. */
static void add_compatible(struct chooser *c, uint64_t *compatible, uint64_t set)
{
    facts_spend(&c->facts, popcount(set));
    for (uint64_t rest = set; rest != 0; rest &= rest - 1)
        compatible[__builtin_ctzll(rest)] |= set;
}

static void add_key_compatible(struct chooser *c, uint64_t *compatible, const struct ir_key *key)
{
    add_compatible(c, compatible, key->absent);
    add_compatible(c, compatible, key->unlisted);
    add_compatible(c, compatible, key->other_typed);
    for (uint32_t i = 0; i < key->ntags; i++)
        if (i == 0 || key->tags[i].set != key->tags[i - 1].set)
            add_compatible(c, compatible, key->tags[i].set);
}

/* Which bits can remain together: for objects by every key, else by a type. */
static enum cupel_status make_compatible(struct chooser *c, struct ir_discriminator *discriminator)
{
    uint64_t *compatible = cupel__arena_array(c->facts.m->arena, c->nbits, sizeof *compatible);
    if (compatible == NULL)
        return CUPEL_E_NO_MEMORY;
    facts_spend(&c->facts, FACTS_KEPT * (size_t)c->nbits);
    add_compatible(c, compatible, c->live);
    for (uint32_t k = 0; k < discriminator->nkeys; k++) {
        uint64_t by_key[BITS] = {0};
        add_key_compatible(c, by_key, &discriminator->keys[k]);
        for (uint32_t b = 0; b < c->nbits; b++)
            compatible[b] &= by_key[b];
    }
    for (int type = 0; type < CUPEL__OBJECT; type++)
        add_compatible(c, compatible, discriminator->types[type]);
    discriminator->compatible = compatible;
    return CUPEL_OK;
}

/* Makes the discriminator of one choice, if it selects anything. */
static enum cupel_status discriminate(struct chooser *c, const struct ir_schema *s,
                                      struct ir_op *op)
{
    struct ir_discriminator *discriminator =
        cupel__arena_alloc(c->facts.m->arena, sizeof *discriminator);
    if (discriminator == NULL)
        return CUPEL_E_NO_MEMORY;
    c->op = op;
    enum cupel_status status = cupel__facts_gather(&c->facts, s, op);
    if (status == CUPEL_OK)
        status = make_bits(c, s, discriminator);
    if (status == CUPEL_OK && popcount(c->live) > 1)
        status = add_keys(c, discriminator);
    if (status == CUPEL_OK)
        status = make_compatible(c, discriminator);
    if (c->facts.work > 0 && (discriminator->nkeys > 0 || type_decides(c, s, discriminator)))
        op->discriminator = discriminator;
    return status;
}

static bool is_choice(const struct ir_schema *s, const struct ir_op *op)
{
    return (op->kind == IR_ANY_OF || op->kind == IR_ONE_OF) && op->nschemas > 1 &&
           op->nschemas <= FACTS_MAX_LEAVES && !s->tracked;
}

static void set_always_types(struct chooser *c, struct ir_schema *s)
{
    for (struct ir_op *op = s->first; op != NULL; op = op->next)
        if (is_choice(s, op))
            op->always = (uint16_t)cupel__facts_always_types(&c->facts, s, op);
}

static enum cupel_status discriminate_schema(struct chooser *c, struct ir_schema *s)
{
    enum cupel_status status = CUPEL_OK;
    set_always_types(c, s); /* again, since more is known about choices in branches */
    for (struct ir_op *op = s->first; op != NULL && status == CUPEL_OK; op = op->next) {
        if (op->kind != IR_CASES)
            op->discriminator = NULL;
        op->either = is_choice(s, op);
        if (op->either && c->facts.work > 0)
            status = discriminate(c, s, op);
    }
    return status;
}

static void free_chooser(struct chooser *c)
{
    const struct cupel_alloc *alloc = c->facts.alloc;
    cupel__free(alloc, c->listings.p, c->listings.cap * sizeof *c->listings.p);
    cupel__free(alloc, c->order.p, c->order.cap * sizeof *c->order.p);
    cupel__free(alloc, c->refusers.p, c->refusers.cap * sizeof *c->refusers.p);
    cupel__free(alloc, c->bits.p, c->bits.cap * sizeof *c->bits.p);
    cupel__free(alloc, c->claims, c->max_claims * sizeof *c->claims);
    cupel__free(alloc, c->refused_tag.p, c->refused_tag.cap * sizeof *c->refused_tag.p);
    cupel__facts_free(&c->facts);
}

enum cupel_status cupel__pass_discriminate(struct ir_module *m)
{
    struct chooser *c = cupel__arena_alloc(m->arena, sizeof *c);
    enum cupel_status status = cupel__ir_count_uses(m);
    if (c == NULL || status != CUPEL_OK)
        return CUPEL_E_NO_MEMORY;
    c->facts.m = m;
    c->facts.alloc = &m->arena->alloc;
    c->facts.work = MIN_WORK + WORK_FACTOR * cupel__ir_module_work(m);
    for (uint32_t i = 0; i < m->nschemas; i++)
        if (m->schemas[i].uses > 0)
            set_always_types(c, &m->schemas[i]);
    for (uint32_t i = 0; i < m->nschemas && status == CUPEL_OK; i++)
        if (m->schemas[i].uses > 0)
            status = discriminate_schema(c, &m->schemas[i]);
    free_chooser(c);
    return status;
}
