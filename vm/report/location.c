/* locate.c: locations of instructions, as pointers and URIs; the instructions of a schema. */
#include "vm/report/location.h"
#include <string.h>

/* A location is no deeper than the deepest schema; an image from elsewhere may claim so. */
enum { MAX_STEPS = 1024, MAX_CALLS = 256, MAX_SHAPE = 4096 };

/* -- Marks ----------------------------------------------------------------------------------------
 */

static const struct cupel__image_mark *marks(const struct cupel__code *code)
{
    return cupel__at(code->image, code->image->marks.at);
}

/* The index of the first mark that is not before `pc`. */
static uint32_t find_mark(const struct cupel__code *code, uint32_t pc)
{
    const struct cupel__image_mark *mark = marks(code);
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
    uint32_t i = find_mark(code, pc);
    bool found = i < code->image->marks.count && marks(code)[i].pc == pc;
    return found ? marks(code)[i].loc : CUPEL__NO_LOC;
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

/* How many steps the location of an instruction is below its schema's. */
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

static uint32_t schema_of_mark(const struct cupel__code *code, const struct cupel__image_mark *mark)
{
    uint32_t loc = mark->loc;
    for (int n = steps_below(CUPEL__WORD_OP(code->words[mark->pc])); n > 0; n--)
        loc = cupel__loc_parent(code, loc);
    return loc;
}

uint32_t cupel__loc_schema(const struct cupel__code *code, uint32_t pc)
{
    uint32_t i = find_mark(code, pc);
    bool found = i < code->image->marks.count && marks(code)[i].pc == pc;
    return found ? schema_of_mark(code, &marks(code)[i]) : CUPEL__NO_LOC;
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
 * $defs … */
static bool has_names(struct cupel__str keyword)
{
    return keyword.n > 4 && strchr("pd$", keyword.p[0]) != NULL && keyword.p[keyword.n - 1] == 's';
}

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

/* Appends the steps from `top` (not itself) down to `loc`; from the document, if `top` is not
 * above.  The locations that were looked at. */
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

/* -- The way --------------------------------------------------------------------------------------
 */

static bool is_reference(const struct cupel__code *code, uint32_t pc)
{
    uint32_t op = CUPEL__WORD_OP(code->words[pc]);
    struct cupel__str token = cupel__loc_token(code, cupel__loc_of(code, pc));
    return op == CUPEL__OP_DYNAMIC || (op == CUPEL__OP_CALL && token.n > 0 && token.p[0] == '$');
}

/* A step that is no reference leads down in the schema, where the next location is found anyway. */
uint32_t cupel__loc_evaluation(const struct cupel__code *code, const struct cupel__path *paths,
                               const struct cupel__event *e, struct cupel__pointer *to)
{
    uint32_t chain[MAX_CALLS], n = 0, top = CUPEL__NO_LOC, looked = 0;
    for (uint32_t p = e->path; p != 0 && !to->cut; p = paths[p].up, looked++)
        if (is_reference(code, paths[p].pc))
            chain[n++ % MAX_CALLS] = p; /* the outermost are kept */
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

/* -- Shapes ---------------------------------------------------------------------------------------
 */

static void begin(struct cupel__schema_iter *s, const struct cupel__code *code, uint32_t pc,
                  int64_t *steps)
{
    s->steps = steps;
    s->code = code;
    s->pc = pc;
    s->furthest = s->nqueue = 0;
    s->left = MAX_SHAPE;
    s->alone = s->memos = false;
}

void cupel__schema_iter_sub(struct cupel__schema_iter *s, const struct cupel__code *code,
                            uint32_t sub, int64_t *steps)
{
    begin(s, code, CUPEL__SUB_PC(sub), steps);
}

/* False if nothing is left. */
static bool pay(int64_t *steps)
{
    return steps == NULL || --*steps > 0;
}

/* The marks of a sequence stand side by side.  A MEMO is one of its own, before that of the schema,
 * which is what it applies. */
void cupel__schema_iter_siblings(struct cupel__schema_iter *s, const struct cupel__code *code,
                                 uint32_t pc, int64_t *steps)
{
    uint32_t i = find_mark(code, pc), first = pc;
    bool found = i < code->image->marks.count && marks(code)[i].pc == pc;
    uint32_t schema = found ? schema_of_mark(code, &marks(code)[i]) : CUPEL__NO_LOC;
    for (uint32_t n = MAX_SHAPE; found && i > 0 && n > 0 && pay(steps); n--) {
        const struct cupel__image_mark *before = &marks(code)[--i];
        found = schema_of_mark(code, before) == schema &&
                CUPEL__WORD_OP(code->words[before->pc]) != CUPEL__OP_MEMO;
        first = found ? before->pc : first;
    }
    begin(s, code, first, steps);
    s->alone = true;
}

/* The only look-up by location, for which there is no index. */
void cupel__schema_iter_at(struct cupel__schema_iter *s, const struct cupel__code *code,
                           uint32_t loc, int64_t *steps)
{
    uint32_t i = 0, n = code->image->marks.count;
    while (i < n && pay(steps) && schema_of_mark(code, &marks(code)[i]) != loc)
        i++;
    bool found = i < n && (steps == NULL || *steps > 0);
    begin(s, code, found ? marks(code)[i].pc : 0, steps);
}

/* The schemas that the instruction applies to its value whatever that is. */
static void follow(struct cupel__schema_iter *s, const uint32_t *word)
{
    uint32_t op = CUPEL__WORD_OP(*word);
    bool in_place = op == CUPEL__OP_CALL || op == CUPEL__OP_DYNAMIC || op == CUPEL__OP_SCOPE ||
                    op == CUPEL__OP_UNEVALUATED || (op == CUPEL__OP_MEMO && s->memos);
    if (in_place && !s->alone && CUPEL__SUB_PC(word[1]) != 0 &&
        s->nqueue < sizeof s->queue / sizeof *s->queue)
        s->queue[s->nqueue++] = CUPEL__SUB_PC(word[1]);
}

static uint32_t max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Goes on behind an instruction.  The ways through a sequence lie one behind the other, labels lead
 * forward: it is over with the way that no label is beyond. */
static void go_on(struct cupel__schema_iter *s, const uint32_t *word)
{
    const struct cupel__op_info *info = &cupel__op_info[CUPEL__WORD_OP(*word)];
    if (CUPEL__WORD_OP(*word) == CUPEL__OP_JUMP)
        s->furthest = max(s->furthest, word[1]);
    if (CUPEL__WORD_OP(*word) == CUPEL__OP_SWITCH) {
        const struct cupel__list *labels = cupel__image_list(s->code->image, word[1]);
        for (uint32_t i = 0; i < labels->count; i++)
            s->furthest = max(s->furthest, labels->item[i]);
    }
    bool way_ends = (*word & CUPEL__LAST) || info->flow == CUPEL__FLOW_JUMP;
    s->pc = way_ends && s->furthest <= s->pc ? 0 : s->pc + info->words;
}

const uint32_t *cupel__schema_iter_next(struct cupel__schema_iter *s)
{
    if (s->pc == 0 && s->nqueue > 0) {
        s->pc = s->queue[0];
        s->furthest = 0;
        memmove(s->queue, s->queue + 1, --s->nqueue * sizeof *s->queue);
    }
    if (s->pc == 0 || s->left == 0 || !pay(s->steps))
        return NULL;
    const uint32_t *word = s->code->words + s->pc;
    s->left--;
    follow(s, word);
    go_on(s, word);
    return word;
}
