/* short_text.c: finds a short text valid from its tokens, without a tape (cupel__run_direct).
 *
 * The commonest text of a gateway is an object of a few members and 60 bytes.  Stage 1 of the
 * reader has found its tokens.  One loop goes over them and does the work of stage 2 and of the
 * object loops together: grammar, duplicate names, types, and checks of values.
 *
 * It can only find a text to be JSON and valid.  It gives up at a failure, at a name that may have
 * occurred before, and at an instruction that is neither an object loop nor a check of one value.
 * Then the text takes the usual way from the same tokens.  Invariant: if it finds a text valid, the
 * usual way does, in as many steps; with CUPEL_NO_DIRECT all texts take that way. */
#include "base/json/token.h"
#include "vm/run/inline_checks.h"

enum { DIRECT_DEPTH = 8, DIRECT_MEMBERS = 31 };

/* What comes next. */
enum direct_next { GIVEN_UP, ENDED, MEMBER, ITEM, SEPARATOR };

/* A container that is open. */
struct level {
    const struct cupel__table *table; /* of an OBJECT, else NULL */
    uint64_t seen;             /* a bit for each entry that was met; entries 64 apart share one */
    uint64_t others;           /* two bits for each other name */
    uint32_t sub;              /* the subschema for children without an entry */
    uint32_t n, count;         /* required members met; children */
    uint32_t steps;            /* for each child */
    enum direct_next children; /* MEMBER or ITEM */
};

/* Kept in the processor's registers: no function keeps its address. */
struct direct {
    struct cupel__vm *vm;
    const char *text;
    const uint32_t *at;  /* positions of the remaining tokens */
    const char *kind;    /* first bytes of the remaining tokens */
    uint32_t max_number; /* characters */
    int64_t steps;
    struct level in; /* the innermost container */
    struct level *around;
    uint32_t depth, deepest;
};

INLINE void skip(struct direct *d, unsigned n)
{
    d->at += n;
    d->kind += n;
}

/* -- Containers
 * ------------------------------------------------------------------------------------- */

/* The instruction that a sequence begins with for a type, once ONLYs are taken; NULL: the value has
 * passed. */
INLINE const uint32_t *take_only(struct direct *d, uint32_t sub, uint32_t type)
{
    const uint32_t *pc = CUPEL__SUB_PC(sub) != 0 ? d->vm->code + CUPEL__SUB_PC(sub) : NULL;
    while (pc != NULL && CUPEL__WORD_OP(*pc) == CUPEL__OP_ONLY) {
        CUPEL__DEBUG_CHECK(d->vm, pc, NULL, NULL);
        d->steps--;
        pc = CUPEL__WORD_B(*pc) >> type & 1 && !(*pc & CUPEL__LAST) ? pc + 1 : NULL;
    }
    return pc;
}

/* Whether the instruction is a walk that says all that the children have to pass. */
INLINE bool begin_walk(struct direct *d, const uint32_t *pc)
{
    const uint32_t op = CUPEL__WORD_OP(*pc);
    CUPEL__DEBUG_CHECK(d->vm, pc, NULL, NULL);
    d->steps--;
    d->in.steps = 1;
    d->in.sub = pc[1];
    if (!(*pc & CUPEL__LAST) || *pc >> 8 != 0)
        return false;
    if (op != CUPEL__OP_OBJECT)
        return op == (d->in.children == MEMBER ? CUPEL__OP_MAP : CUPEL__OP_ITEMS);
    const struct cupel__table *t = cupel__at(d->vm->image, pc[1]);
    d->in.table = t;
    d->in.sub = t->other;
    return (t->flags & CUPEL__TABLE_PLAIN) && t->matches == 0;
}

/* The innermost container has ended. */
INLINE enum direct_next close_level(struct direct *d)
{
    const struct level *l = &d->in;
    d->steps -= l->steps * l->count;
    if ((l->table != NULL && l->n != l->table->required) || l->count > DIRECT_MEMBERS)
        return GIVEN_UP;
    if (--d->depth == 0)
        return ENDED;
    d->in = *--d->around;
    return SEPARATOR;
}

/* An opening bracket. */
INLINE enum direct_next open_level(struct direct *d, uint32_t sub)
{
    const bool object = *d->kind == '{';
    const uint32_t type = object ? CUPEL__OBJECT : CUPEL__ARRAY;
    if (!(sub >> type & 1) || d->depth == DIRECT_DEPTH)
        return GIVEN_UP;
    if (d->depth++ > 0)
        *d->around++ = d->in;
    d->deepest = d->depth > d->deepest ? d->depth : d->deepest;
    d->in = (struct level){.sub = CUPEL__SUB_ANY, .children = object ? MEMBER : ITEM};
    const uint32_t *pc = take_only(d, sub, type);
    if (pc != NULL && !begin_walk(d, pc))
        return GIVEN_UP;
    skip(d, 1);
    if (*d->kind != (object ? '}' : ']'))
        return d->in.children;
    skip(d, 1);
    return close_level(d);
}

/* -- Members
 * ---------------------------------------------------------------------------------------- */

/* Adds bits, of which those of a name that was there before are all known. */
INLINE bool is_new(uint64_t *known, uint64_t bits)
{
    const uint64_t before = *known;
    *known = before | bits;
    return (bits & ~before) != 0;
}

/* A member's name and the colon; what its value has to pass.  Returns MEMBER. */
INLINE enum direct_next read_name(struct direct *d, uint32_t *ret_sub)
{
    const uint32_t first = d->at[0] + 1, len = d->at[1] - first;
    const char *name = d->text + first;
    if (d->kind[0] != '"' || d->kind[1] != '"' || d->kind[2] != ':')
        return GIVEN_UP;
    skip(d, 3);
    const uint64_t hash = cupel__name_hash64(name, len);
    const struct cupel__table *t = d->in.table;
    *ret_sub = d->in.sub;
    if (t != NULL) {
        const size_t slot = cupel__table_plain_slot(t, (uint32_t)(hash >> 32));
        const struct cupel__entry *e =
            cupel__table_at(d->vm->image, t, cupel__table_entries(t), slot, name, len);
        if (e != NULL) {
            d->in.n += e->required;
            *ret_sub = e->sub;
            return is_new(&d->in.seen, (uint64_t)1 << (slot & 63)) ? MEMBER : GIVEN_UP;
        }
    }
    return is_new(&d->in.others, (uint64_t)1 << (hash >> 58) | (uint64_t)1 << (hash >> 52 & 63))
               ? MEMBER
               : GIVEN_UP;
}

/* -- Values
 * ----------------------------------------------------------------------------------------- */

/* Validates a value that is no container, in a tape with this value alone.  Returns the remaining
 * steps, or -1. */
static __attribute__((noinline)) int64_t check_alone(struct cupel__vm *vm, uint32_t sub,
                                                     struct cupel__node v, int64_t steps)
{
    struct cupel__traversal w = {
        .child = vm->nodes, .todo = vm->code + CUPEL__SUB_PC(sub), .steps = steps};
    *w.child = v;
    vm->doc->nnodes = 1;
    return cupel__run_sequence(vm, &w) == CUPEL__PASSED ? w.steps : -1;
}

/* A value that is no container, if it passes; its type has been checked. */
INLINE enum direct_next check_here(struct direct *d, uint32_t sub, struct cupel__node v)
{
    d->steps = check_alone(d->vm, sub, v, d->steps);
    return d->steps >= 0 ? SEPARATOR : GIVEN_UP;
}

INLINE enum direct_next read_string(struct direct *d, uint32_t sub)
{
    const uint32_t first = d->at[0] + 1, len = d->at[1] - first;
    if (d->kind[1] != '"' || !(sub >> CUPEL__STRING & 1))
        return GIVEN_UP;
    skip(d, 2);
    if (CUPEL__SUB_PC(sub) == 0)
        return SEPARATOR;
    struct cupel__node v = {.type = CUPEL__STRING, .off = first, .len = len};
    v.src = first;
    return check_here(d, sub, v);
}

INLINE enum direct_next read_number(struct direct *d, uint32_t sub)
{
    const uint32_t at = d->at[0], n = d->at[1] - at;
    uint32_t small = 0;
    struct cupel__node v = {.type = CUPEL__INT, .off = at};
    if (n > d->max_number)
        return GIVEN_UP;
    if (cupel__read_small(d->text + at, n, &small)) {
        v.i = small;
    } else {
        const char *end = cupel__number_read(d->text + at, n, &v);
        if (end == NULL || (end != d->text + d->at[1] && !cupel__is_space(*end)))
            return GIVEN_UP;
    }
    skip(d, 1);
    if (!cupel__admits(sub, &v))
        return GIVEN_UP;
    return CUPEL__SUB_PC(sub) == 0 ? SEPARATOR : check_here(d, sub, v);
}

INLINE enum direct_next read_literal(struct direct *d, uint32_t sub)
{
    struct cupel__node v = {.off = d->at[0]};
    const uint32_t end = v.off + cupel__read_literal(d->text + v.off, &v.type);
    if (end == v.off || (end != d->at[1] && !cupel__is_space(d->text[end])) ||
        !cupel__admits(sub, &v))
        return GIVEN_UP;
    skip(d, 1);
    return CUPEL__SUB_PC(sub) == 0 ? SEPARATOR : check_here(d, sub, v);
}

INLINE enum direct_next read_value(struct direct *d, uint32_t sub)
{
    const char kind = *d->kind;
    if (kind == '"')
        return read_string(d, sub);
    if (kind == '{' || kind == '[')
        return open_level(d, sub);
    if (kind == '-' || (kind >= '0' && kind <= '9'))
        return read_number(d, sub);
    return read_literal(d, sub);
}

/* What follows a value: another, or the end of its container. */
INLINE enum direct_next read_separator(struct direct *d)
{
    const char kind = *d->kind;
    d->in.count++;
    skip(d, 1);
    if (kind == ',')
        return d->in.children;
    return kind == (d->in.children == MEMBER ? '}' : ']') ? close_level(d) : GIVEN_UP;
}

bool cupel__run_direct(struct cupel__vm *vm, uint32_t tokens, uint32_t max_number,
                       uint32_t *ret_depth)
{
    struct level levels[DIRECT_DEPTH];
    struct direct d = {.vm = vm,
                       .text = vm->doc->base[0],
                       .at = vm->doc->index,
                       .kind = vm->doc->kinds,
                       .max_number = max_number,
                       .steps = vm->budget.remaining,
                       .around = levels};
    cupel__vm_begin(vm);
    enum direct_next next = *d.kind == '{' ? open_level(&d, vm->program->root) : GIVEN_UP;
    while (next > ENDED) {
        uint32_t sub = d.in.sub;
        if (next == MEMBER)
            next = read_name(&d, &sub);
        if (next != GIVEN_UP)
            next = read_value(&d, sub);
        while (next == SEPARATOR)
            next = read_separator(&d);
    }
    *ret_depth = d.deepest;
    vm->budget.remaining = d.steps;
    return next == ENDED && d.steps >= 0 && d.at == vm->doc->index + tokens;
}
