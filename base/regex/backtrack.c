/* backtrack.c: runs the programs of regex/backtrack.h.
 *
 * The alternatives that remain to be tried are a stack of entries.  Between them lie entries that
 * restore registers.  Each instruction, each popped entry and each compared byte is charged, so
 * every match ends, in memory bounded by the scratch.  Nothing here recurses. */
#include "base/regex/backtrack.h"
#include "base/regex/automata_program.h"

#include <string.h>

enum {
    BUDGET = 100 * 1000, /* steps of one match, and some for each byte */
    BUDGET_PER_BYTE = 2,
    INSTRUCTION = 2,
    FIRST_ENTRIES = 64
};

typedef const unsigned char *bytes;

enum entry_kind {
    TRY,       /* continue at instruction `to`, position a; b: 1 to begin a turn there */
    UNDO,      /* restore a to register `to` */
    GIVE,      /* a RUN before instruction `to` ended at position b and may end as early as a */
    GIVE_BACK, /* the same from right to left */
    LOOK,      /* a look-around that began at position a; b: the enclosing one */
    NOT_LOOK   /* the same, negated: if its body fails, continue at instruction `to` */
};

struct entry {
    uint32_t kind, to, a, b;
};

#define NO_LOOK UINT32_MAX
#define UNSET   UINT32_MAX

/* The state of a match.  Registers: for each group the start and end of its capture and its last
 * ENTER; for each repeat the number of turns and the start of the last. */
struct search {
    const uint32_t *words;
    const struct cupel__backtrack_program *program;
    const struct cupel__backtrack_step *steps;
    const struct cupel__backtrack_repeat *repeats;
    const struct cupel__backtrack_class *classes;
    struct cupel__linear_scratch *scratch;
    bytes p;
    uint32_t n;
    uint32_t *reg;
    size_t nregs;
    struct entry *entries;
    uint32_t nentries;
    size_t cap;
    uint32_t look; /* the entry of the innermost look-around that is being matched */
    uint32_t at, pc;
    int64_t left;
    enum cupel_status status; /* not CUPEL_OK: the reason why the match cannot continue */
};

/* -- Memory ---------------------------------------------------------------------------------- */

/* Reserves memory for the registers and behind them `cap` entries; keeps the entries so far. */
static bool lay_out(struct search *w, size_t cap)
{
    size_t head = (w->nregs * sizeof *w->reg + 15) / 16 * 16;
    uint32_t used = w->nentries;
    size_t keep = used == 0 ? 0 : head + used * sizeof *w->entries;
    w->status = cupel__linear_scratch_reserve(w->scratch, head + cap * sizeof *w->entries, keep);
    if (w->status != CUPEL_OK)
        return false;
    w->reg = w->scratch->memory;
    w->entries = (struct entry *)((char *)w->scratch->memory + head);
    w->cap = (w->scratch->size - head) / sizeof *w->entries;
    return true;
}

/* Pushes an entry; false with w->status if there is no memory for it. */
static bool push(struct search *w, enum entry_kind kind, uint32_t to, uint32_t a, uint32_t b)
{
    if (w->nentries == w->cap && !lay_out(w, 2 * w->cap))
        return false;
    w->entries[w->nentries++] = (struct entry){kind, to, a, b};
    return true;
}

/* Sets a register, with an UNDO entry if its value changes. */
static bool set(struct search *w, uint32_t reg, uint32_t value)
{
    uint32_t old = w->reg[reg];
    if (old == value)
        return true;
    if (!push(w, UNDO, reg, old, 0))
        return false;
    w->reg[reg] = value;
    return true;
}

static uint32_t group_reg(uint32_t group)
{
    return 3 * group;
}

static uint32_t repeat_reg(const struct search *w, uint32_t repeat)
{
    return 3 * (w->program->ngroups + 1) + 2 * repeat;
}

/* -- Reading --------------------------------------------------------------------------------- */

/* Reads a code point to the right, or with `back` to the left; false at the end. */
static bool read(struct search *w, bool back, uint32_t *ret_cp)
{
    uint32_t at = w->at;
    size_t n = 1;
    if (at == (back ? 0 : w->n))
        return false;
    if (back) {
        for (at--; (w->p[at] & 0xC0) == 0x80; at--)
            ;
    }
    *ret_cp = w->p[at] < 0x80 ? w->p[at] : cupel__decode(w->p + at, &n);
    w->at = back ? at : at + (uint32_t)n;
    return true;
}

/* Whether a class has a code point. */
static bool in_class(const struct search *w, const struct cupel__backtrack_class *c, uint32_t cp)
{
    if (cp < 0x80)
        return (c->ascii[cp / 32] >> (cp % 32) & 1) != 0;
    return cupel__in_ranges(w->words + c->at, c->n, cp) != (c->negated != 0);
}

static bool read_class(struct search *w, const struct cupel__backtrack_step *s)
{
    uint32_t cp;
    return read(w, s->b != 0, &cp) && in_class(w, &w->classes[s->a], cp);
}

/* Reads a class as often as possible, up to `max`; an entry lets fewer be tried later.  One entry
 * for all of them keeps the stack small. */
static bool read_run(struct search *w, const struct cupel__backtrack_step *s)
{
    const struct cupel__backtrack_repeat *repeat = &w->repeats[s->c];
    uint32_t least = w->at, n = 0;
    for (;; n++) {
        uint32_t before = w->at;
        if (n == repeat->min)
            least = before;
        if (n == repeat->max || !read_class(w, s)) {
            w->at = before;
            break;
        }
    }
    w->left -= n / 2;
    if (n < repeat->min)
        return false;
    return w->at == least || push(w, s->b != 0 ? GIVE_BACK : GIVE, w->pc, least, w->at);
}

/* Compares the text that the group captured; a group without a capture matches the empty string
 * (22.2.2.7). */
static bool read_ref(struct search *w, const struct cupel__backtrack_step *s)
{
    const uint32_t *reg = w->reg + group_reg(s->a);
    if (reg[0] == UNSET)
        return true;
    uint32_t n = reg[1] - reg[0];
    w->left -= n / 16;
    if (n > (s->b != 0 ? w->at : w->n - w->at))
        return false;
    bytes text = w->p + (s->b != 0 ? w->at - n : w->at);
    w->at = s->b != 0 ? w->at - n : w->at + n;
    return memcmp(text, w->p + reg[0], n) == 0;
}

static bool is_word_at(const struct search *w, uint32_t at)
{
    unsigned char c = at < w->n ? w->p[at] : ' ';
    unsigned char letter = c | 0x20;
    return (letter >= 'a' && letter <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether the position is a word boundary (\b). */
static bool at_edge(const struct search *w)
{
    return (w->at > 0 && is_word_at(w, w->at - 1)) != is_word_at(w, w->at);
}

/* -- Groups and repeats ---------------------------------------------------------------------- */

/* LEAVE: captures the text between ENTER and the position; with `back` ENTER lies to the right. */
static bool capture(struct search *w, const struct cupel__backtrack_step *s)
{
    uint32_t reg = group_reg(s->a), began = w->reg[reg + 2];
    uint32_t first = s->b != 0 ? w->at : began, end = s->b != 0 ? began : w->at;
    return set(w, reg, first) && set(w, reg + 1, end);
}

/* Begins a turn of a repeat: resets the captures of its body and counts the turn. */
static bool begin_turn(struct search *w, uint32_t i)
{
    const struct cupel__backtrack_repeat *repeat = &w->repeats[i];
    uint32_t reg = repeat_reg(w, i);
    w->left -= repeat->end - repeat->first;
    for (uint32_t group = repeat->first; group < repeat->end; group++) {
        if (!set(w, group_reg(group), UNSET))
            return false;
    }
    return set(w, reg, w->reg[reg] + 1) && set(w, reg + 1, w->at);
}

/* TURN: w->pc is the first instruction of the body. */
static bool turn(struct search *w, const struct cupel__backtrack_step *s)
{
    const struct cupel__backtrack_repeat *repeat = &w->repeats[s->a];
    uint32_t turns = w->reg[repeat_reg(w, s->a)], body = w->pc;
    if (turns == repeat->max) {
        w->pc = s->b;
        return true;
    }
    if (turns < repeat->min)
        return begin_turn(w, s->a);
    if (repeat->greedy)
        return push(w, TRY, s->b, w->at, 0) && begin_turn(w, s->a);
    /* Lazy: the entry begins a turn at this TURN if the rest fails. */
    w->pc = s->b;
    return push(w, TRY, body - 1, w->at, 1);
}

/* An optional iteration that read nothing fails (22.2.2.3.1), which ends loops over empty bodies.
 */
static bool again(struct search *w, const struct cupel__backtrack_step *s)
{
    uint32_t reg = repeat_reg(w, s->a);
    if (w->reg[reg] > w->repeats[s->a].min && w->reg[reg + 1] == w->at)
        return false;
    w->pc = s->b;
    return true;
}

/* -- Look-around ----------------------------------------------------------------------------- */

/* LOOK: pushes an entry that marks where the look-around began. */
static bool begin_look(struct search *w, const struct cupel__backtrack_step *s)
{
    if (!push(w, s->a != 0 ? NOT_LOOK : LOOK, s->b, w->at, w->look))
        return false;
    w->look = w->nentries - 1;
    return true;
}

/* The body of a look-around matched.  Its other alternatives are dropped.  Its UNDO entries are
 * kept, so that its captures are restored when the match backtracks behind the look-around. */
static bool end_look(struct search *w)
{
    struct entry look = w->entries[w->look];
    uint32_t kept = w->look;
    w->left -= (w->nentries - kept) / 4;
    if (look.kind == NOT_LOOK) { /* as LOOK, fall_back treats it as failed */
        w->entries[kept].kind = LOOK;
        for (uint32_t i = kept + 1; i < w->nentries; i++) {
            if (w->entries[i].kind == UNDO)
                w->entries[++kept] = w->entries[i];
        }
        w->nentries = kept + 1;
        return false;
    }
    for (uint32_t i = w->look + 1; i < w->nentries; i++) {
        if (w->entries[i].kind == UNDO)
            w->entries[kept++] = w->entries[i];
    }
    w->nentries = kept;
    w->at = look.a;
    w->look = look.b;
    return true;
}

/* -- Backtracking ---------------------------------------------------------------------------- */

/* Shortens a run by one code point and continues behind it. */
static void give(struct search *w, const struct entry *e)
{
    uint32_t at = e->b;
    if (e->kind == GIVE) {
        for (at--; (w->p[at] & 0xC0) == 0x80; at--)
            ;
    } else {
        for (at++; at < w->n && (w->p[at] & 0xC0) == 0x80; at++)
            ;
    }
    w->at = at;
    w->pc = e->to;
    if (at != e->a) /* the entry was just popped, so there is room */
        w->entries[w->nentries++] = (struct entry){e->kind, e->to, e->a, at};
}

/* Pops entries up to the next alternative; false if there is none. */
static bool fall_back(struct search *w)
{
    while (w->nentries > 0) {
        struct entry e = w->entries[--w->nentries];
        w->left--;
        switch (e.kind) {
        case UNDO:
            w->reg[e.to] = e.a;
            break;
        case LOOK:
            w->look = e.b;
            break;
        case NOT_LOOK:
            w->look = e.b;
            w->at = e.a;
            w->pc = e.to;
            return true;
        case TRY:
            w->at = e.a;
            w->pc = e.to + e.b;
            return e.b == 0 || begin_turn(w, w->steps[e.to].a);
        default:
            give(w, &e);
            return true;
        }
    }
    return false;
}

/* Runs one instruction; w->pc is already behind it.  False if it fails. */
static bool follow(struct search *w, const struct cupel__backtrack_step *s)
{
    uint32_t cp;
    switch (s->op) {
    case CUPEL__BACKTRACK_CHAR:
        return read(w, s->b != 0, &cp) && cp == s->a;
    case CUPEL__BACKTRACK_CLASS:
        return read_class(w, s);
    case CUPEL__BACKTRACK_RUN:
        return read_run(w, s);
    case CUPEL__BACKTRACK_REF:
        return read_ref(w, s);
    case CUPEL__BACKTRACK_START:
        return w->at == 0;
    case CUPEL__BACKTRACK_END:
        return w->at == w->n;
    case CUPEL__BACKTRACK_WORD:
        return at_edge(w) != (s->a != 0);
    case CUPEL__BACKTRACK_SPLIT:
        return push(w, TRY, s->a, w->at, 0);
    case CUPEL__BACKTRACK_JUMP:
        w->pc = s->a;
        return true;
    case CUPEL__BACKTRACK_ENTER:
        return set(w, group_reg(s->a) + 2, w->at);
    case CUPEL__BACKTRACK_LEAVE:
        return capture(w, s);
    case CUPEL__BACKTRACK_ZERO:
        return set(w, repeat_reg(w, s->a), 0);
    case CUPEL__BACKTRACK_TURN:
        return turn(w, s);
    case CUPEL__BACKTRACK_AGAIN:
        return again(w, s);
    case CUPEL__BACKTRACK_LOOK:
        return begin_look(w, s);
    case CUPEL__BACKTRACK_LOOKED:
        return end_look(w);
    }
    return false;
}

/* Whether the pattern matches from a position on. */
/* Whether the pattern matches from a position on; false too if w->left or w->status ends the match.
 */
static bool match_from(struct search *w, uint32_t at)
{
    w->at = at;
    w->pc = 0;
    w->look = NO_LOOK;
    for (;;) {
        const struct cupel__backtrack_step *s = &w->steps[w->pc++];
        if (s->op == CUPEL__BACKTRACK_MATCH)
            return true;
        bool ok = follow(w, s);
        w->left -= INSTRUCTION;
        if (w->left < 0 || w->status != CUPEL_OK || (!ok && !fall_back(w)))
            return false;
    }
}

/* Tries each position of the subject. */
static bool find_match(struct search *w)
{
    for (uint32_t at = 0;; at++) {
        if (match_from(w, at))
            return true;
        if (w->left < 0 || w->status != CUPEL_OK || at == w->n || w->program->anchored)
            return false;
        while (at + 1 < w->n && (w->p[at + 1] & 0xC0) == 0x80)
            at++;
    }
}

static struct search begin(const uint32_t *words, struct cupel__linear_scratch *scratch,
                           const char *subject, size_t len)
{
    const struct cupel__backtrack_program *program = (const struct cupel__backtrack_program *)words;
    struct search w = {.words = words, .program = program, .scratch = scratch};
    w.steps = (const struct cupel__backtrack_step *)(words + program->steps);
    w.repeats = (const struct cupel__backtrack_repeat *)(words + program->repeats);
    w.classes = (const struct cupel__backtrack_class *)(words + program->classes);
    w.p = (bytes)(len == 0 ? "" : subject);
    w.n = (uint32_t)len;
    w.nregs = 3 * ((size_t)program->ngroups + 1) + 2 * (size_t)program->nrepeats;
    return w;
}

/* The budget of a match is the smaller of the caller's steps and its own. */
int cupel__backtrack_run(const uint32_t *words, struct cupel__linear_scratch *scratch,
                         const char *subject, size_t len, int64_t *steps)
{
    struct search w = begin(words, scratch, subject, len);
    int64_t own = BUDGET + BUDGET_PER_BYTE * (int64_t)len;
    *steps -= 1 + (int64_t)(len / 16 + w.nregs / 16);
    if (*steps < 0)
        return CUPEL_E_LIMIT_STEPS;
    if (len >= UINT32_MAX)
        return CUPEL_E_LIMIT_REGEX;
    if (!lay_out(&w, FIRST_ENTRIES))
        return w.status;
    memset(w.reg, 0xFF, w.nregs * sizeof *w.reg);
    int64_t given = *steps < own ? *steps : own;
    w.left = given;
    bool found = find_match(&w);
    *steps -= given - w.left;
    if (w.left < 0)
        return *steps < 0 ? CUPEL_E_LIMIT_STEPS : CUPEL_E_LIMIT_REGEX;
    return w.status != CUPEL_OK ? (int)w.status : found;
}
