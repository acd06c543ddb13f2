/* pcre2_print.c: prints a syntax tree as a PCRE2 pattern that matches the same subjects.
 *
 * The text is ASCII and a small subset of PCRE2's syntax: code points as themselves or \x{…},
 * classes of ranges, non-capturing groups, look-arounds, greedy and lazy quantifiers, ^ \z \b \B.
 *
 * It refuses what PCRE2 (10.42 is the oldest supported version) cannot do: look-behinds of variable
 * length and very large counts.  It refuses back-references, because ECMA-262 resets captures when
 * a loop begins another turn (22.2.3.3.1) and PCRE2 does not. */
#include "base/error.h"
#include "base/regex/regex.h"

#include <string.h>

enum {
    MAX_COUNT = 65535, /* of a quantifier in PCRE2 */
    MAX_CHAIN = 16     /* the most quantifiers that replace one with a larger count */
};

/* The number of code points that printed text matches. */
struct width {
    bool fixed;    /* always `n` */
    bool nullable; /* may match the empty string */
    uint32_t n;
};

/* A node whose children are being printed. */
struct frame {
    const struct cupel__regex_node *node;
    uint32_t next; /* child */
    struct width width;
};

struct printer {
    const struct cupel__regex *re;
    struct cupel_text *out;
    struct frame *frames;
    size_t nframes, frames_cap;
    struct width done; /* of the node printed last */
    enum cupel_status status;
    const char *problem;
};

static bool refuse(struct printer *pr, const char *problem)
{
    pr->status = CUPEL_E_UNSUPPORTED;
    pr->problem = problem;
    return false;
}

static bool refuse_size(struct printer *pr)
{
    pr->status = CUPEL_E_PATTERN_SIZE;
    pr->problem = "a count is too large";
    return false;
}

/* -- One code point -------------------------------------------------------------------------- */

/* Letters, digits and the characters in `plain` are printed as themselves, others as \x{…}. */
static void print_cp(struct cupel_text *out, uint32_t cp, const char *plain)
{
    bool word = (cp >= '0' && cp <= '9') || (cp >= 'A' && cp <= 'Z') || (cp >= 'a' && cp <= 'z');
    if (word || (cp != 0 && cp < 0x80 && strchr(plain, (int)cp) != NULL))
        cupel_text_add(out, &(char){(char)cp}, 1);
    else
        cupel_text_addf(out, "\\x{%x}", (unsigned)cp);
}

/* A class as ranges; an empty one as an expression that never matches. */
static void print_class(struct cupel_text *out, const struct cupel__regex_node *node)
{
    if (node->nranges == 0) {
        cupel_text_adds(out, node->negated ? "[\\x{0}-\\x{10ffff}]" : "(?!)");
        return;
    }
    cupel_text_adds(out, node->negated ? "[^" : "[");
    for (uint32_t i = 0; i < node->nranges; i++) {
        const struct cupel__regex_range *range = &node->ranges[i];
        print_cp(out, range->first, "_");
        if (range->last > range->first + 1)
            cupel_text_adds(out, "-");
        if (range->last > range->first)
            print_cp(out, range->last, "_");
    }
    cupel_text_adds(out, "]");
}

static bool is_one_char(const struct cupel__regex_node *node)
{
    return node->kind == CUPEL__RE_CHAR || node->kind == CUPEL__RE_CLASS;
}

static void print_one_char(struct printer *pr, const struct cupel__regex_node *node)
{
    if (node->kind == CUPEL__RE_CHAR)
        print_cp(pr->out, node->cp, "_ /:;,@!\"'%&=<>~`-");
    else
        print_class(pr->out, node);
    pr->done = (struct width){.fixed = true, .n = 1};
}

/* -- Repeats --------------------------------------------------------------------------------- */

/* The shortest spelling of a quantifier. */
static void print_counts(struct cupel_text *out, uint32_t min, uint32_t max, bool greedy)
{
    if (min == 0 && max == UINT32_MAX)
        cupel_text_adds(out, "*");
    else if (min == 1 && max == UINT32_MAX)
        cupel_text_adds(out, "+");
    else if (min == 0 && max == 1)
        cupel_text_adds(out, "?");
    else if (min == max)
        cupel_text_addf(out, "{%u}", (unsigned)min);
    else if (max == UINT32_MAX)
        cupel_text_addf(out, "{%u,}", (unsigned)min);
    else
        cupel_text_addf(out, "{%u,%u}", (unsigned)min, (unsigned)max);
    if (!greedy)
        cupel_text_adds(out, "?");
}

/* The width of a repeated part, capped at MAX_COUNT. */
static struct width repeated(struct width body, uint32_t min, uint32_t max)
{
    uint64_t n = (uint64_t)body.n * min;
    return (struct width){.fixed = body.fixed && min == max && n <= MAX_COUNT,
                          .nullable = body.nullable || min == 0,
                          .n = n <= MAX_COUNT ? (uint32_t)n : MAX_COUNT};
}

static uint32_t at_most(uint32_t n)
{
    return n < MAX_COUNT ? n : MAX_COUNT;
}

/* Prints a repeated code point.  Counts too large for one quantifier are distributed over several.
 */
static bool print_char_repeat(struct printer *pr, const struct cupel__regex_node *node,
                              const struct cupel__regex_node *one)
{
    bool bounded = node->max != UINT32_MAX;
    uint32_t min = node->min, max = node->max;
    for (int i = 0; i < MAX_CHAIN; i++) {
        uint32_t low = at_most(min), high = bounded ? at_most(max) : UINT32_MAX;
        if (!bounded && low < min)
            high = low;
        print_one_char(pr, one);
        print_counts(pr->out, low, high, node->greedy);
        min -= low;
        max -= bounded ? high : 0;
        if (min == 0 && (!bounded || max == 0)) {
            pr->done = repeated(pr->done, node->min, node->max);
            return true;
        }
    }
    return refuse_size(pr);
}

/* The CHAR or CLASS that a repeat repeats, possibly inside groups; NULL if it repeats anything
 * else. */
static const struct cupel__regex_node *repeated_char(const struct cupel__regex_node *node)
{
    const struct cupel__regex_node *child = node->child[0];
    while (child->kind == CUPEL__RE_GROUP)
        child = child->child[0];
    return is_one_char(child) ? child : NULL;
}

/* -- The tree -------------------------------------------------------------------------------- */

/* PCRE2 treats quantifiers on assertions in its own way, so the assertion gets a group. */
static bool needs_group(const struct cupel__regex_node *repeated)
{
    return repeated->kind == CUPEL__RE_LOOK;
}

/* The text that opens a node with children; empty if it needs none. */
static const char *opening(const struct cupel__regex_node *node)
{
    if (node->kind == CUPEL__RE_LOOK)
        return node->behind ? (node->negated ? "(?<!" : "(?<=") : (node->negated ? "(?!" : "(?=");
    if (node->kind == CUPEL__RE_GROUP)
        return "(?:";
    return node->kind == CUPEL__RE_REPEAT && needs_group(node->child[0]) ? "(?:" : "";
}

/* Begins a node that has children. */
static bool enter(struct printer *pr, const struct cupel__regex_node *node)
{
    if (cupel__grow(&pr->out->alloc, (void **)&pr->frames, &pr->frames_cap, pr->nframes + 1,
                    sizeof(*pr->frames)) != CUPEL_OK) {
        pr->status = CUPEL_E_NO_MEMORY;
        return false;
    }
    struct frame *f = &pr->frames[pr->nframes++];
    *f = (struct frame){.node = node};
    f->width = (struct width){.fixed = true, .nullable = node->kind != CUPEL__RE_ALT};
    cupel_text_adds(pr->out, opening(node));
    return true;
}

/* Prints a leaf, or begins a node with children. */
static bool visit(struct printer *pr, const struct cupel__regex_node *node)
{
    const struct cupel__regex_node *one;
    pr->done = (struct width){.fixed = true, .nullable = true};
    switch (node->kind) {
    case CUPEL__RE_EMPTY:
        return true;
    case CUPEL__RE_START:
        cupel_text_adds(pr->out, "^");
        return true;
    case CUPEL__RE_END:
        cupel_text_adds(pr->out, "\\z");
        return true;
    case CUPEL__RE_WORD:
        cupel_text_adds(pr->out, node->negated ? "\\B" : "\\b");
        return true;
    case CUPEL__RE_CHAR:
    case CUPEL__RE_CLASS:
        print_one_char(pr, node);
        return true;
    case CUPEL__RE_BACKREF:
        return refuse(pr, "back-references are not for PCRE2");
    case CUPEL__RE_REPEAT:
        one = repeated_char(node);
        return one != NULL ? print_char_repeat(pr, node, one) : enter(pr, node);
    default:
        return enter(pr, node);
    }
}

/* Adds the width of the child that was printed last to its parent's.  PCRE2 10.42 allows
 * alternatives of different widths only directly in a look-behind. */
static void absorb(struct printer *pr, struct frame *f, bool behind)
{
    struct width w = pr->done;
    if (f->node->kind == CUPEL__RE_ALT) {
        bool same = f->next == 1 || f->width.n == w.n || behind;
        f->width.fixed = f->width.fixed && w.fixed && same;
        f->width.nullable = f->width.nullable || w.nullable;
        f->width.n = w.n;
    } else {
        uint64_t n = (uint64_t)f->width.n + w.n;
        f->width.fixed = f->width.fixed && w.fixed && n <= MAX_COUNT;
        f->width.nullable = f->width.nullable && w.nullable;
        f->width.n = n <= MAX_COUNT ? (uint32_t)n : MAX_COUNT;
    }
}

/* Prints the quantifier behind a repeated part. */
static bool close_repeat(struct printer *pr, const struct frame *f)
{
    const struct cupel__regex_node *node = f->node;
    bool too_large = node->min > MAX_COUNT || (node->max != UINT32_MAX && node->max > MAX_COUNT);
    if (too_large)
        return refuse_size(pr);
    if (needs_group(node->child[0]))
        cupel_text_adds(pr->out, ")");
    print_counts(pr->out, node->min, node->max, node->greedy);
    pr->done = repeated(pr->done, node->min, node->max);
    return true;
}

/* Ends the node on top, whose children are printed. */
static bool leave(struct printer *pr)
{
    struct frame *f = &pr->frames[--pr->nframes];
    const struct cupel__regex_node *node = f->node;
    pr->done = f->width;
    if (node->kind == CUPEL__RE_REPEAT)
        return close_repeat(pr, f);
    if (node->kind == CUPEL__RE_GROUP || node->kind == CUPEL__RE_LOOK)
        cupel_text_adds(pr->out, ")");
    if (node->kind == CUPEL__RE_LOOK) {
        if (node->behind && !f->width.fixed)
            return refuse(pr, "a look-behind of variable length is not supported");
        pr->done = (struct width){.fixed = true, .nullable = true};
    }
    return true;
}

/* Prints the next child of the node on top, or ends the node. */
static bool step(struct printer *pr)
{
    struct frame *f = &pr->frames[pr->nframes - 1];
    size_t depth = pr->nframes;
    bool end = f->next == f->node->nchild;
    if (!end && f->node->kind == CUPEL__RE_ALT && f->next > 0)
        cupel_text_adds(pr->out, "|");
    if (!(end ? leave(pr) : visit(pr, f->node->child[f->next++])))
        return false;
    if (pr->nframes > depth || pr->nframes == 0)
        return true;
    f = &pr->frames[pr->nframes - 1];
    absorb(pr, f, pr->nframes > 1 && pr->frames[pr->nframes - 2].node->behind);
    return true;
}

static void print(struct printer *pr)
{
    bool ok = visit(pr, pr->re->root);
    while (ok && pr->nframes > 0)
        ok = step(pr);
    if (ok && pr->out->failed)
        pr->status = CUPEL_E_NO_MEMORY;
}

enum cupel_status cupel__regex_print_pcre2(const struct cupel__regex *re, struct cupel_text *out,
                                           struct cupel_error *err)
{
    struct printer pr = {.re = re, .out = out, .status = CUPEL_OK};
    print(&pr);
    cupel__free(&out->alloc, pr.frames, pr.frames_cap * sizeof(*pr.frames));
    if (pr.status == CUPEL_E_NO_MEMORY)
        return cupel__error_set(err, pr.status, "out of memory for a pattern");
    if (pr.status != CUPEL_OK)
        return cupel__error_set(err, pr.status, "%s", pr.problem);
    return CUPEL_OK;
}
