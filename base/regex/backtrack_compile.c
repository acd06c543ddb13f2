/* backtrack_compile.c: compiles the tree of a pattern to a program of regex/backtrack.h.
 *
 * A part becomes a run of consecutive instructions that continues behind its last.  In a
 * look-behind the children of a sequence are emitted in reverse order and read to the left
 * (ECMA-262 22.2.2.4). */
#include "base/regex/automata_program.h"
#include "base/regex/backtrack.h"
#include "base/regex/parser.h"

#include <string.h>

/* The captures of a part, which have consecutive numbers. */
struct groups {
    uint32_t first, end;
};

/* A node whose children are being compiled. */
struct frame {
    const struct cupel__regex_node *node;
    uint32_t done;  /* children that are compiled */
    uint32_t at;    /* an instruction whose target is the end of a child */
    uint32_t jumps; /* ALT: a list, through their operands, of jumps to the end of the node */
    uint32_t repeat;
    struct groups around; /* REPEAT: the captures found before it */
    bool back;            /* the direction outside the node */
};

struct compiler {
    struct cupel__words steps, repeats, classes, ranges;
    struct frame *frames;
    size_t nframes, frames_cap;
    struct groups groups; /* captures found in the innermost repeat so far */
    bool back, failed;
};

enum { STEP_WORDS = sizeof(struct cupel__backtrack_step) / 4 };

#define NO_JUMP UINT32_MAX

static uint32_t here(const struct compiler *r)
{
    return (uint32_t)(r->steps.n / STEP_WORDS);
}

static struct cupel__backtrack_step *step_at(struct compiler *r, uint32_t i)
{
    return (struct cupel__backtrack_step *)r->steps.p + i;
}

/* Appends an instruction.  Failures are recorded in the words and tested at the end (has_failed).
 */
static void emit(struct compiler *r, uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
    struct cupel__backtrack_step s = {op, a, b, c};
    (void)cupel__words_add(&r->steps, &s, STEP_WORDS);
}

static bool is_one(const struct cupel__regex_node *node)
{
    return node->kind == CUPEL__RE_CHAR || node->kind == CUPEL__RE_CLASS;
}

/* The range that covers the captures of two parts; end 0 means none. */
static struct groups both(struct groups a, struct groups b)
{
    if (a.end == 0 || b.end == 0)
        return a.end == 0 ? b : a;
    return (struct groups){a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end};
}

/* -- Classes --------------------------------------------------------------------------------- */

/* Sets the bits of the ASCII characters, so that most subjects need no binary search. */
static void add_ascii(struct cupel__backtrack_class *c, const struct cupel__regex_range *ranges)
{
    for (uint32_t i = 0; i < c->n; i++) {
        for (uint32_t cp = ranges[i].first; cp <= ranges[i].last && cp < 0x80; cp++)
            c->ascii[cp / 32] |= UINT32_C(1) << (cp % 32);
    }
    for (unsigned i = 0; i < 4 && c->negated; i++)
        c->ascii[i] = ~c->ascii[i];
}

/* Appends the class of a CHAR or CLASS; returns its index. */
static uint32_t add_class(struct compiler *r, const struct cupel__regex_node *node)
{
    struct cupel__regex_range one = {node->cp, node->cp};
    bool single = node->kind == CUPEL__RE_CHAR;
    const struct cupel__regex_range *ranges = single ? &one : node->ranges;
    struct cupel__backtrack_class c = {.n = single ? 1 : node->nranges, .negated = node->negated};
    add_ascii(&c, ranges);
    c.at = cupel__words_add(&r->ranges, ranges, 2 * (size_t)c.n);
    return cupel__words_add(&r->classes, &c, sizeof c / 4) / (uint32_t)(sizeof c / 4);
}

/* -- The tree -------------------------------------------------------------------------------- */

static void push(struct compiler *r, const struct cupel__regex_node *node, uint32_t at,
                 uint32_t repeat)
{
    void *frames = r->frames;
    if (cupel__grow(r->steps.alloc, &frames, &r->frames_cap, r->nframes + 1, sizeof *r->frames) !=
        CUPEL_OK) {
        r->failed = true;
        return;
    }
    r->frames = frames;
    r->frames[r->nframes++] = (struct frame){.node = node,
                                             .at = at,
                                             .jumps = NO_JUMP,
                                             .repeat = repeat,
                                             .back = r->back,
                                             .around = r->groups};
}

static uint32_t add_repeat(struct compiler *r, const struct cupel__regex_node *node)
{
    struct cupel__backtrack_repeat repeat = {node->min, node->max, node->greedy, 0, 0};
    return cupel__words_add(&r->repeats, &repeat, sizeof repeat / 4) /
           (uint32_t)(sizeof repeat / 4);
}

/* A greedy repeat of one code point is a single RUN.  Any other counts its iterations in a
 * register. */
static void begin_repeat(struct compiler *r, const struct cupel__regex_node *node)
{
    if (node->max == 0)
        return;
    uint32_t repeat = add_repeat(r, node);
    if (is_one(node->child[0]) && node->greedy) {
        emit(r, CUPEL__BACKTRACK_RUN, add_class(r, node->child[0]), r->back, repeat);
        return;
    }
    emit(r, CUPEL__BACKTRACK_ZERO, repeat, 0, 0);
    emit(r, CUPEL__BACKTRACK_TURN, repeat, 0, 0);
    push(r, node, here(r) - 1, repeat);
    r->groups = (struct groups){0, 0};
}

/* Compiles a leaf, or pushes a frame for a node with children. */
static void visit(struct compiler *r, const struct cupel__regex_node *node)
{
    switch (node->kind) {
    case CUPEL__RE_EMPTY:
        return;
    case CUPEL__RE_CHAR:
        emit(r, CUPEL__BACKTRACK_CHAR, node->cp, r->back, 0);
        return;
    case CUPEL__RE_CLASS:
        emit(r, CUPEL__BACKTRACK_CLASS, add_class(r, node), r->back, 0);
        return;
    case CUPEL__RE_GROUP:
        if (node->index > 0) {
            r->groups = both(r->groups, (struct groups){node->index, node->index + 1});
            emit(r, CUPEL__BACKTRACK_ENTER, node->index, r->back, 0);
        }
        push(r, node, 0, 0);
        return;
    case CUPEL__RE_CAT:
    case CUPEL__RE_ALT:
        push(r, node, 0, 0);
        return;
    case CUPEL__RE_LOOK:
        emit(r, CUPEL__BACKTRACK_LOOK, node->negated, 0, 0);
        push(r, node, here(r) - 1, 0);
        r->back = node->behind;
        return;
    case CUPEL__RE_REPEAT:
        begin_repeat(r, node);
        return;
    case CUPEL__RE_BACKREF:
        emit(r, CUPEL__BACKTRACK_REF, node->index, r->back, 0);
        return;
    case CUPEL__RE_START:
        emit(r, CUPEL__BACKTRACK_START, 0, 0, 0);
        return;
    case CUPEL__RE_END:
        emit(r, CUPEL__BACKTRACK_END, 0, 0, 0);
        return;
    case CUPEL__RE_WORD:
        emit(r, CUPEL__BACKTRACK_WORD, node->negated, 0, 0);
        return;
    }
}

/* Ends the node on top, whose children are compiled, and sets the targets that lead behind it. */
static void leave(struct compiler *r)
{
    struct frame f = r->frames[--r->nframes];
    r->back = f.back;
    if (f.node->kind == CUPEL__RE_GROUP && f.node->index > 0)
        emit(r, CUPEL__BACKTRACK_LEAVE, f.node->index, r->back, 0);
    if (f.node->kind == CUPEL__RE_LOOK)
        emit(r, CUPEL__BACKTRACK_LOOKED, 0, 0, 0);
    if (f.node->kind == CUPEL__RE_REPEAT)
        emit(r, CUPEL__BACKTRACK_AGAIN, f.repeat, f.at, 0);
    if (r->steps.failed)
        return;
    if (f.node->kind == CUPEL__RE_LOOK || f.node->kind == CUPEL__RE_REPEAT)
        step_at(r, f.at)->b = here(r);
    if (f.node->kind == CUPEL__RE_REPEAT) {
        struct cupel__backtrack_repeat *repeat =
            (struct cupel__backtrack_repeat *)r->repeats.p + f.repeat;
        repeat->first = r->groups.first;
        repeat->end = r->groups.end;
        r->groups = both(f.around, r->groups);
    }
    for (uint32_t i = f.jumps; i != NO_JUMP;) {
        uint32_t next = step_at(r, i)->a;
        step_at(r, i)->a = here(r);
        i = next;
    }
}

/* Begins the next alternative: lets the one before it continue behind the whole node. */
static void next_alternative(struct compiler *r, struct frame *f)
{
    if (f->done > 0) {
        emit(r, CUPEL__BACKTRACK_JUMP, f->jumps, 0, 0);
        f->jumps = here(r) - 1;
        if (!r->steps.failed)
            step_at(r, f->at)->a = here(r);
    }
    f->at = here(r);
    if (f->done + 1 < f->node->nchild)
        emit(r, CUPEL__BACKTRACK_SPLIT, 0, 0, 0);
}

/* Compiles the next child of the node on top, or ends the node. */
static void advance(struct compiler *r)
{
    struct frame *f = &r->frames[r->nframes - 1];
    const struct cupel__regex_node *node = f->node;
    if (f->done == node->nchild) {
        leave(r);
        return;
    }
    if (node->kind == CUPEL__RE_ALT)
        next_alternative(r, f);
    uint32_t i = f->done++;
    if (node->kind == CUPEL__RE_CAT && r->back)
        i = node->nchild - 1 - i;
    visit(r, node->child[i]);
}

static bool has_failed(const struct compiler *r)
{
    return r->failed || r->steps.failed || r->repeats.failed || r->classes.failed ||
           r->ranges.failed;
}

/* -- Words ----------------------------------------------------------------------------------- */

/* Puts the parts into one block behind the head and turns their offsets into offsets from its
 * start. NULL when out of memory. */
static uint32_t *assemble(struct compiler *r, const struct cupel__regex *re, uint32_t *ret_nwords)
{
    struct cupel__backtrack_program head = {.ngroups = re->ngroups};
    struct cupel__words *parts[] = {&r->steps, &r->repeats, &r->classes, &r->ranges};
    uint32_t *at[] = {&head.steps, &head.repeats, &head.classes, NULL}, ranges = 0;
    size_t n = sizeof head / 4;
    for (unsigned i = 0; i < 4; i++) {
        *(at[i] != NULL ? at[i] : &ranges) = (uint32_t)n;
        n += parts[i]->n;
    }
    head.nrepeats = (uint32_t)(r->repeats.n / (sizeof(struct cupel__backtrack_repeat) / 4));
    head.anchored = ((struct cupel__backtrack_step *)r->steps.p)->op == CUPEL__BACKTRACK_START;
    uint32_t *words = cupel__realloc(r->steps.alloc, NULL, 0, n * sizeof *words);
    if (words == NULL)
        return NULL;
    memcpy(words, &head, sizeof head);
    n = sizeof head / 4;
    for (unsigned i = 0; i < 4; n += parts[i++]->n) {
        if (parts[i]->n > 0)
            memcpy(words + n, parts[i]->p, parts[i]->n * sizeof *words);
    }
    struct cupel__backtrack_class *c = (struct cupel__backtrack_class *)(words + head.classes);
    for (size_t i = 0; i < r->classes.n / (sizeof *c / 4); i++)
        c[i].at += ranges;
    *ret_nwords = (uint32_t)n;
    return words;
}

enum cupel_status cupel__backtrack_compile(const struct cupel_alloc *alloc,
                                           const struct cupel__regex *re, uint32_t **ret_words,
                                           uint32_t *ret_nwords)
{
    struct cupel_alloc a = cupel__alloc_or_default(alloc);
    struct compiler r = {
        .steps.alloc = &a, .repeats.alloc = &a, .classes.alloc = &a, .ranges.alloc = &a};
    uint32_t *words = NULL;
    visit(&r, re->root);
    while (!has_failed(&r) && r.nframes > 0)
        advance(&r);
    emit(&r, CUPEL__BACKTRACK_MATCH, 0, 0, 0);
    if (!has_failed(&r))
        words = assemble(&r, re, ret_nwords);
    cupel__free(&a, r.frames, r.frames_cap * sizeof *r.frames);
    cupel__free(&a, r.steps.p, r.steps.cap * sizeof *r.steps.p);
    cupel__free(&a, r.repeats.p, r.repeats.cap * sizeof *r.repeats.p);
    cupel__free(&a, r.classes.p, r.classes.cap * sizeof *r.classes.p);
    cupel__free(&a, r.ranges.p, r.ranges.cap * sizeof *r.ranges.p);
    if (words == NULL)
        return CUPEL_E_NO_MEMORY;
    *ret_words = words;
    return CUPEL_OK;
}
