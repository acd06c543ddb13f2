/* linear_time.c: the analyser: proves for many patterns that a backtracking matcher needs time
 * linear in the subject.  It is conservative: a pattern without a proof counts as unsafe.
 *
 * The proof is determinism, as for the content models of SGML: if after every prefix of the subject
 * the next code point determines the position in the pattern, the matcher visits each pair of
 * subject and pattern position once, however it fails.  Three relaxations admit ordinary patterns:
 *
 *   - outside loops a choice may stay open if the number of paths multiplies to at most MAX_PATHS;
 *   - one unbounded choice may stay open if the rest of the pattern is short (^.*foo$);
 *   - a repeat at the end of the pattern cannot fail once it has its minimum.
 *
 * A pattern without a leading ^ is tried at every position, so its cost at each has to be small.
 * Sets of code points are exact for ASCII, with one bit for all other code points. */
#include "base/always.h"
#include "base/regex/regex.h"

#define MANY UINT32_MAX

enum {
    MAX_DEPTH = 64, /* levels of the tree; deeper patterns have no proof */
    MAX_PATHS = 16, /* paths through the pattern for one prefix of the subject */
    MAX_COST = 100, /* code points read at each position where the pattern is tried */
    SLOTS = 129     /* each ASCII character, and all other code points */
};

struct set {
    uint64_t bits[2];
    bool other;
};

/* Facts about a part of the pattern. */
struct facts {
    struct set first; /* code points with which a match can begin */
    struct set more;  /* code points by which a complete match can be extended */
    bool nullable;    /* can match without consuming */
    bool no_width;    /* never consumes */
    uint32_t cost;    /* code points read on one path, or MANY if unbounded */
    uint32_t paths;   /* paths that match one given text */
    uint32_t ends;    /* positions at which a match from one given start can end */
};

/* The context of a part. */
struct place {
    uint32_t tail;  /* the cost of the pattern behind it */
    uint32_t depth; /* of the tree */
    bool in_loop;
    bool once;  /* entered at most once for the whole subject */
    bool final; /* nothing follows it */
};

static uint32_t plus(uint32_t a, uint32_t b)
{
    return a > MANY - b ? MANY : a + b;
}

static uint32_t times(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)a * b;
    return product > MANY ? MANY : (uint32_t)product;
}

/* -- Sets ------------------------------------------------------------------------------------ */

static struct set either(struct set a, struct set b)
{
    return (struct set){{a.bits[0] | b.bits[0], a.bits[1] | b.bits[1]}, a.other || b.other};
}

static bool overlap(struct set a, struct set b)
{
    return (a.bits[0] & b.bits[0]) != 0 || (a.bits[1] & b.bits[1]) != 0 || (a.other && b.other);
}

static bool has(const struct set *s, unsigned slot)
{
    return slot == SLOTS - 1 ? s->other : (s->bits[slot / 64] >> (slot % 64) & 1) != 0;
}

static struct set set_of_range(uint32_t first, uint32_t last)
{
    struct set s = {{0, 0}, last >= 0x80};
    for (uint32_t cp = first; cp <= last && cp < 0x80; cp++)
        s.bits[cp / 64] |= UINT64_C(1) << (cp % 64);
    return s;
}

/* A superset of the code points of a class. */
static struct set set_of_class(const struct cupel__regex_node *node)
{
    struct set s = {{0, 0}, false};
    for (uint32_t i = 0; i < node->nranges; i++)
        s = either(s, set_of_range(node->ranges[i].first, node->ranges[i].last));
    return node->negated ? (struct set){{~s.bits[0], ~s.bits[1]}, true} : s;
}

/* -- Parts ----------------------------------------------------------------------------------- */

static bool analyse(const struct cupel__regex_node *, struct place, struct facts *ret);

static struct facts nothing(void)
{
    return (struct facts){.nullable = true, .no_width = true, .cost = 1, .paths = 1, .ends = 1};
}

static bool analyse_char(const struct cupel__regex_node *node, struct facts *ret)
{
    *ret = (struct facts){.cost = 1, .paths = 1, .ends = 1};
    ret->first =
        node->kind == CUPEL__RE_CHAR ? set_of_range(node->cp, node->cp) : set_of_class(node);
    return true;
}

/* A look-around that may be entered many times has to have a bounded cost. */
static bool analyse_look(const struct cupel__regex_node *node, struct place at, struct facts *ret)
{
    struct facts body;
    if (!analyse(node->child[0], (struct place){.depth = at.depth, .once = at.once}, &body))
        return false;
    *ret = nothing();
    ret->cost = plus(1, times(body.cost, body.paths));
    return body.paths <= MAX_PATHS && (at.once || body.cost <= MAX_COST);
}

/* A loop has to be deterministic: its body has one path, is not empty, and cannot be extended by a
 * code point with which the next repetition can begin. */
static bool analyse_repeat(const struct cupel__regex_node *node, struct place at, struct facts *ret)
{
    uint32_t min = node->min, max = node->max;
    struct facts body;
    if (at.final && max == UINT32_MAX)
        max = min;
    bool loop = node->max > 1;
    struct place inside = at;
    inside.in_loop = at.in_loop || loop;
    inside.once = at.once && !loop;
    inside.final = at.final && !loop;
    if (!analyse(node->child[0], inside, &body))
        return false;
    /* Repetitions of an empty body would not show in the facts. */
    if ((body.nullable && (min != 1 || node->max != 1)) ||
        (loop && (body.paths != 1 || overlap(body.more, body.first))))
        return false;
    if (max == 0) {
        *ret = nothing();
        return true;
    }
    *ret = body;
    ret->nullable = body.nullable || min == 0;
    ret->cost = max == UINT32_MAX ? MANY : times(body.cost, max);
    if (min != max) {
        ret->ends = max == UINT32_MAX ? MANY : times(body.ends, max - min + 1);
        if (loop)
            ret->more = either(body.more, body.first);
    }
    return true;
}

/* Adds an alternative.  count[] has the number of paths that are possible for each next code point,
 * up to 255. */
static void add_alternative(struct facts *all, const struct facts *alt, uint8_t count[SLOTS])
{
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (alt->nullable || has(&alt->first, slot)) {
            uint32_t n = plus(count[slot], alt->paths);
            count[slot] = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
            all->paths = n > all->paths ? n : all->paths;
        }
    }
    all->first = either(all->first, alt->first);
    all->more = either(all->more, alt->more);
    all->nullable = all->nullable || alt->nullable;
    all->no_width = all->no_width && alt->no_width;
    all->cost = alt->cost > all->cost ? alt->cost : all->cost;
    all->ends = plus(all->ends, alt->ends);
}

/* A choice: every alternative, and how many of them each next code point leaves possible. */
static bool analyse_alt(const struct cupel__regex_node *node, struct place at, struct facts *ret)
{
    struct facts all = {.no_width = true, .paths = 1};
    uint8_t count[SLOTS] = {0};
    for (uint32_t i = 0; i < node->nchild; i++) {
        struct facts alt;
        if (!analyse(node->child[i], at, &alt))
            return false;
        add_alternative(&all, &alt, count);
    }
    /* Of alternatives with a common first code point one may be a prefix of another. */
    if (all.paths > 1)
        all.more = either(all.more, (struct set){{~UINT64_C(0), ~UINT64_C(0)}, true});
    *ret = all;
    return true;
}

/* Prepends `part` to `rest`, which becomes the sequence of both.  The boundary is `open` if a code
 * point can either extend `part` or begin `rest`. */
static bool join(const struct facts *part, struct facts *rest, struct place at)
{
    struct facts both = *rest;
    bool open =
        overlap(part->more, rest->first) || (part->nullable && overlap(part->first, rest->first));
    both.paths = times(part->paths, rest->paths);
    if (open && part->ends != MANY)
        both.paths = times(both.paths, part->ends);
    else if (open && (at.in_loop || plus(rest->cost, at.tail) > MAX_COST))
        return false;
    both.cost = plus(part->cost, rest->cost);
    if (open)
        both.ends = times(part->ends, rest->ends);
    else if (rest->nullable)
        both.ends = rest->no_width ? part->ends : plus(part->ends, rest->ends);
    if (part->nullable)
        both.first = either(part->first, rest->first);
    else
        both.first = part->first;
    if (open || rest->nullable)
        both.more = either(rest->more, either(rest->first, part->more));
    both.nullable = part->nullable && rest->nullable;
    both.no_width = part->no_width && rest->no_width;
    *rest = both;
    return true;
}

/* The number of children that are entered at most once if the first is. */
static uint32_t fixed_prefix(const struct cupel__regex_node *node)
{
    uint32_t i = 0;
    while (i < node->nchild && node->child[i]->kind != CUPEL__RE_REPEAT &&
           node->child[i]->kind != CUPEL__RE_GROUP)
        i++;
    return i;
}

/* Goes from the last child to the first, because each child needs the cost of those after it. */
static bool analyse_cat(const struct cupel__regex_node *node, struct place at, struct facts *ret)
{
    struct facts all = nothing();
    uint32_t fixed = fixed_prefix(node);
    all.cost = 0;
    for (uint32_t i = node->nchild; i-- > 0;) {
        struct facts part;
        struct place inside = at;
        inside.tail = plus(at.tail, all.cost);
        inside.once = at.once && i <= fixed;
        inside.final = at.final && i == node->nchild - 1;
        if (!analyse(node->child[i], inside, &part) || !join(&part, &all, at))
            return false;
    }
    *ret = all;
    return true;
}

/* Recursive; MAX_DEPTH bounds the recursion. */
static bool analyse(const struct cupel__regex_node *node, struct place at, struct facts *ret)
{
    if (at.depth++ == MAX_DEPTH)
        return false;
    switch (node->kind) {
    case CUPEL__RE_CHAR:
    case CUPEL__RE_CLASS:
        return analyse_char(node, ret);
    case CUPEL__RE_EMPTY:
    case CUPEL__RE_START:
    case CUPEL__RE_END:
    case CUPEL__RE_WORD:
        *ret = nothing();
        return true;
    case CUPEL__RE_CAT:
        return analyse_cat(node, at, ret);
    case CUPEL__RE_ALT:
        return analyse_alt(node, at, ret);
    case CUPEL__RE_REPEAT:
        return analyse_repeat(node, at, ret);
    case CUPEL__RE_GROUP:
        return analyse(node->child[0], at, ret);
    case CUPEL__RE_LOOK:
        return analyse_look(node, at, ret);
        NEVER_CASE(CUPEL__RE_BACKREF)
        break;
    }
    return false;
}

/* Whether a match can only begin at the start of the subject.  PCRE2 detects this too and tries
 * once. */
static bool is_anchored(const struct cupel__regex_node *node)
{
    while (node->kind == CUPEL__RE_GROUP || node->kind == CUPEL__RE_CAT)
        node = node->child[0];
    return node->kind == CUPEL__RE_START;
}

uint32_t cupel__regex_linear_cost(const struct cupel__regex *re)
{
    const struct cupel__regex_node *root = re->root;
    uint32_t n = root->kind == CUPEL__RE_ALT ? root->nchild : 1;
    uint32_t paths = 0, cost = 0;
    if (re->has_backref)
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct cupel__regex_node *alt = root->kind == CUPEL__RE_ALT ? root->child[i] : root;
        bool anchored = is_anchored(alt);
        struct facts facts;
        if (!analyse(alt, (struct place){.once = anchored, .final = true}, &facts))
            return 0;
        if (anchored)
            paths = plus(paths, facts.paths);
        else
            cost = plus(cost, times(facts.cost, facts.paths));
    }
    return paths <= MAX_PATHS && cost <= MAX_COST ? plus(1, plus(paths, cost)) : 0;
}
