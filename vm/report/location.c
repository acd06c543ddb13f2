/* location.c: schema locations of instructions, as pointers and URIs (location.h).
 *
 * The image has a mark for each instruction that can fail: its pc and its location.  Marks are
 * sorted by pc.  A location is a step (a keyword, a name, an index) and its parent, so that
 * locations form a tree; a location with a base URI begins a schema resource. */
#include "vm/report/location.h"
#include <string.h>

/* Bounds on the traversals below.  The verifier has checked the indices of an image, not the depth
 * that it claims: MAX_STEPS steps of a location, MAX_CALLS references of an evaluation path. */
enum { MAX_STEPS = 1024, MAX_CALLS = 256 };

/* -- Marks ----------------------------------------------------------------------------------------
 */

uint32_t cupel__mark_find(const struct cupel__code *code, uint32_t pc)
{
    const struct cupel__image_mark *mark = cupel__marks(code);
    uint32_t lo = 0, hi = code->image->marks.count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (mark[mid].pc < pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t cupel__loc_of(const struct cupel__code *code, uint32_t pc)
{
    uint32_t i = cupel__mark_find(code, pc);
    bool found = i < code->image->marks.count && cupel__marks(code)[i].pc == pc;
    return found ? cupel__marks(code)[i].loc : CUPEL__NO_LOC;
}

static const struct cupel__image_loc *locs(const struct cupel__code *code)
{
    return cupel__at(code->image, code->image->locs.at);
}

struct cupel__str cupel__loc_token(const struct cupel__code *code, uint32_t loc)
{
    if (loc == CUPEL__NO_LOC || locs(code)[loc].parent == CUPEL__NO_LOC)
        return CUPEL__STR("");
    return (struct cupel__str){cupel__at(code->image, locs(code)[loc].at), locs(code)[loc].len};
}

uint32_t cupel__loc_parent(const struct cupel__code *code, uint32_t loc)
{
    return loc == CUPEL__NO_LOC ? loc : locs(code)[loc].parent;
}

/* The steps from a schema's location down to that of an instruction of this kind: none for what is
 * the schema itself, two for a keyword with named parts (dependentRequired/NAME). */
static int steps_below(uint32_t op)
{
    switch (op) {
    case CUPEL__OP_SWITCH:
    case CUPEL__OP_ONLY:
    case CUPEL__OP_MEMO:
    case CUPEL__OP_FAIL:
    case CUPEL__OP_SCOPE:
        return 0;
    case CUPEL__OP_DEPENDS:
    case CUPEL__OP_IMPLIES:
        return 2;
    default:
        return 1;
    }
}

uint32_t cupel__mark_schema(const struct cupel__code *code, const struct cupel__image_mark *mark)
{
    uint32_t loc = mark->loc;
    for (int n = steps_below(CUPEL__WORD_OP(code->words[mark->pc])); n > 0; n--)
        loc = cupel__loc_parent(code, loc);
    return loc;
}

uint32_t cupel__loc_schema(const struct cupel__code *code, uint32_t pc)
{
    uint32_t i = cupel__mark_find(code, pc);
    bool found = i < code->image->marks.count && cupel__marks(code)[i].pc == pc;
    return found ? cupel__mark_schema(code, &cupel__marks(code)[i]) : CUPEL__NO_LOC;
}

uint32_t cupel__loc_root(const struct cupel__code *code)
{
    return cupel__loc_schema(code, CUPEL__SUB_PC(code->image->root));
}

static bool is_number(struct cupel__str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > 0;
}

/* Whether the steps below a keyword are names: properties, patternProperties, dependentSchemas,
 * dependencies, definitions, $defs.  (prefixItems matches too; its steps are numbers, which the
 * caller has handled.) */
static bool has_names(struct cupel__str keyword)
{
    return keyword.n > 4 && strchr("pd$", keyword.p[0]) != NULL && keyword.p[keyword.n - 1] == 's';
}

/* The last step is the keyword, except where it is a name or an index in the keyword's value. */
struct cupel__str cupel__loc_keyword(const struct cupel__code *code, uint32_t pc)
{
    uint32_t op = CUPEL__WORD_OP(code->words[pc]), loc = cupel__loc_of(code, pc);
    if (pc == 0)
        return CUPEL__STR("");
    if (cupel__loc_parent(code, loc) == CUPEL__NO_LOC)
        return CUPEL__STR("false");
    struct cupel__str step = cupel__loc_token(code, loc);
    struct cupel__str before = cupel__loc_token(code, cupel__loc_parent(code, loc));
    bool inner =
        op == CUPEL__OP_DEPENDS || is_number(step) || (op == CUPEL__OP_FAIL && has_names(before));
    return inner ? before : step;
}

/* -- Pointers -------------------------------------------------------------------------------------
 */

/* Appends the steps from `top` (exclusive) down to `loc`, or from the document's root if `top` is
 * not an ancestor.  Returns the number of locations read. */
static uint32_t add_steps(const struct cupel__code *code, uint32_t top, uint32_t loc,
                          struct cupel__pointer *to)
{
    uint32_t chain[MAX_STEPS], n = 0, looked;
    for (; !to->cut && loc != CUPEL__NO_LOC && loc != top; loc = cupel__loc_parent(code, loc)) {
        to->cut = n == MAX_STEPS;
        if (!to->cut && cupel__loc_parent(code, loc) != CUPEL__NO_LOC)
            chain[n++] = loc;
    }
    looked = n;
    while (n > 0 && !to->cut)
        cupel__pointer_name(to, cupel__loc_token(code, chain[--n]));
    return looked;
}

uint32_t cupel__loc_pointer(const struct cupel__code *code, uint32_t loc, struct cupel__pointer *to)
{
    return add_steps(code, CUPEL__NO_LOC, loc, to);
}

uint32_t cupel__loc_uri(const struct cupel__code *code, uint32_t loc, const char *base,
                        struct cupel__pointer *to)
{
    uint32_t top = loc, looked = 0;
    for (; looked < MAX_STEPS && cupel__loc_parent(code, top) != CUPEL__NO_LOC &&
           locs(code)[top].base == 0;
         looked++)
        top = cupel__loc_parent(code, top);
    struct cupel__str uri = {base, strlen(base)};
    if (top != CUPEL__NO_LOC && locs(code)[top].base != 0)
        uri = cupel__image_str(code->image, locs(code)[top].base);
    cupel__pointer_add(to, uri);
    cupel__pointer_add(to, CUPEL__STR("#"));
    to->fragment = true;
    return looked + add_steps(code, top, loc, to);
}

/* -- Evaluation paths
 * --------------------------------------------------------------------------------------
 */

static bool is_reference(const struct cupel__code *code, uint32_t pc)
{
    uint32_t op = CUPEL__WORD_OP(code->words[pc]);
    struct cupel__str token = cupel__loc_token(code, cupel__loc_of(code, pc));
    return op == CUPEL__OP_DYNAMIC || (op == CUPEL__OP_CALL && token.n > 0 && token.p[0] == '$');
}

/* An evaluation path (keyword location) is the path of the outermost schema to a reference, the
 * path from its target to the next reference, and so on.  Only references need a look at
 * vm->log->paths: every other step leads down in one schema, as the location of the next reference
 * does.  The innermost steps come first in the linked list; a ring keeps the MAX_CALLS outermost.
 */
uint32_t cupel__loc_evaluation(const struct cupel__code *code, const struct cupel__path *paths,
                               const struct cupel__event *e, struct cupel__pointer *to)
{
    uint32_t chain[MAX_CALLS], n = 0, top = CUPEL__NO_LOC, looked = 0;
    for (uint32_t p = e->path; p != 0 && !to->cut; p = paths[p].up, looked++)
        if (is_reference(code, paths[p].pc))
            chain[n++ % MAX_CALLS] = p;
    for (uint32_t i = 0; i < n && i < MAX_CALLS && !to->cut; i++) {
        const struct cupel__path *p = &paths[chain[(n - 1 - i) % MAX_CALLS]];
        looked += 1 + add_steps(code, top, cupel__loc_of(code, p->pc), to);
        top = cupel__loc_schema(code, CUPEL__SUB_PC(p->sub));
    }
    uint32_t loc = cupel__loc_of(code, e->pc);
    to->cut |= n > MAX_CALLS;
    return loc != top ? looked + add_steps(code, top, loc, to) : looked;
}

/* Steps from `top` down to `loc`. */
static uint32_t count_steps(const struct cupel__code *code, uint32_t top, uint32_t loc)
{
    uint32_t n = 0;
    for (; loc != CUPEL__NO_LOC && loc != top && n < MAX_STEPS; loc = cupel__loc_parent(code, loc))
        n += cupel__loc_parent(code, loc) != CUPEL__NO_LOC;
    return n;
}

/* Consumes `steps` segment by segment, a segment being what lies between two references, until they
 * end within one. */
uint32_t cupel__loc_on_path(const struct cupel__code *code, const struct cupel__path *paths,
                            const struct cupel__event *e, uint32_t steps, int64_t *looked)
{
    uint32_t chain[MAX_CALLS], n = 0, top = CUPEL__NO_LOC;
    for (uint32_t p = e->path; p != 0 && n < MAX_CALLS; p = paths[p].up, ++*looked)
        if (is_reference(code, paths[p].pc))
            chain[n++] = p;
    for (;;) {
        const struct cupel__path *p = n > 0 ? &paths[chain[--n]] : NULL;
        uint32_t loc = cupel__loc_of(code, p != NULL ? p->pc : e->pc);
        uint32_t down = count_steps(code, top, loc);
        *looked += 1 + down;
        if (steps < down || p == NULL) {
            for (; down > steps; down--)
                loc = cupel__loc_parent(code, loc);
            return loc;
        }
        steps -= down;
        top = cupel__loc_schema(code, CUPEL__SUB_PC(p->sub));
        if (steps == 0)
            return top;
    }
}
