/* ir.c: building a module of the intermediate form, and queries about it.
 *
 * The text form is in print.c and parse.c, the laws are in check.c.  ir.def says what operations
 * mean. */
#include "compiler/ir/ir.h"

#include "base/arena_allocator.h"
#include "base/error.h"
#include "base/json/tape.h"
#include <string.h>

void cupel__ir_init(struct ir_module *m, struct cupel__arena *arena)
{
    *m = (struct ir_module){.arena = arena, .root = IR_NONE, .pattern_steps = CUPEL__MATCHER_WORK};
}

enum cupel_status cupel__ir_reserve(struct ir_module *m, void *array, size_t *cap, size_t need,
                                    size_t size)
{
    const struct cupel_alloc region = cupel__arena_allocator(m->arena);
    return need <= *cap ? CUPEL_OK : cupel__grow(&region, array, cap, need, size);
}

/* Reserves one more element of an array.  The last number is IR_NONE and never used. */
static bool grow(struct ir_module *m, void *array, size_t *cap, uint32_t n, size_t size)
{
    return n < IR_NONE - 1 && cupel__ir_reserve(m, array, cap, (size_t)n + 1, size) == CUPEL_OK;
}

/* -- Schemas, locations, operations ------------------------------------------------------------ */

uint32_t cupel__ir_add_schema(struct ir_module *m, uint32_t loc)
{
    if (!grow(m, &m->schemas, &m->schemas_cap, m->nschemas, sizeof *m->schemas))
        return IR_NONE;
    m->schemas[m->nschemas] =
        (struct ir_schema){.id = m->nschemas, .loc = loc, .types = CUPEL__M_ANY};
    return m->nschemas++;
}

uint32_t cupel__ir_add_loc(struct ir_module *m, uint32_t parent, struct cupel__str token)
{
    if (!grow(m, &m->locs, &m->locs_cap, m->nlocs, sizeof *m->locs))
        return IR_NONE;
    m->locs[m->nlocs] = (struct ir_loc){.parent = parent, .token = token};
    return m->nlocs++;
}

struct ir_op *cupel__ir_add_op(struct ir_module *m, uint32_t schema, enum ir_kind kind,
                               uint32_t loc)
{
    struct ir_op *op = cupel__arena_alloc(m->arena, sizeof *op);
    if (op == NULL)
        return NULL;
    op->kind = kind;
    op->loc = loc;
    op->b = IR_MANY;
    op->other = IR_NONE;
    m->kinds |= IR_BIT(kind);
    struct ir_schema *s = &m->schemas[schema];
    *(s->first == NULL ? &s->first : s->end) = op;
    s->end = &op->next;
    return op;
}

bool cupel__ir_add_ref(struct ir_module *m, uint32_t schema, uint32_t target)
{
    m->schemas[schema].types &= m->schemas[target].types;
    if (m->schemas[target].first == NULL)
        return true;
    struct ir_op *op = cupel__ir_add_op(m, schema, IR_REF, m->schemas[target].loc);
    uint32_t *ref = op != NULL ? cupel__ir_op_schemas(m, op, 1) : NULL;
    if (ref == NULL)
        return false;
    *ref = target;
    return true;
}

uint32_t *cupel__ir_op_schemas(struct ir_module *m, struct ir_op *op, uint32_t n)
{
    uint32_t *schemas = cupel__arena_array(m->arena, n, sizeof *schemas);
    if (schemas == NULL)
        return NULL;
    op->schemas = schemas;
    op->nschemas = n;
    return schemas;
}

struct ir_name *cupel__ir_op_names(struct ir_module *m, struct ir_op *op, uint32_t n)
{
    struct ir_name *names = cupel__arena_array(m->arena, n, sizeof *names);
    if (names == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        names[i].schema = IR_NONE;
    op->names = names;
    op->nnames = n;
    return names;
}

struct ir_match *cupel__ir_op_matches(struct ir_module *m, struct ir_op *op, uint32_t n)
{
    struct ir_match *matches = cupel__arena_array(m->arena, n, sizeof *matches);
    if (matches == NULL)
        return NULL;
    op->matches = matches;
    op->nmatches = n;
    return matches;
}

struct ir_value *cupel__ir_op_values(struct ir_module *m, struct ir_op *op, uint32_t n)
{
    struct ir_value *values = cupel__arena_array(m->arena, n, sizeof *values);
    if (values == NULL)
        return NULL;
    op->values = values;
    op->nvalues = n;
    return values;
}

/* -- Patterns -------------------------------------------------------------------------------------
 *
 * A crit-bit tree finds patterns by their source.  An inner node names the first bit in which the
 * sources below it differ.  A search reads no more bits than the source has, so it needs no secret
 * hash to be fast for every set of sources.  Each pattern but the first brings one inner node,
 * which is part of the pattern.  A link is 2i for the source of pattern i and 2i + 1 for the node
 * in it.
 *
 * A source is a sequence of nine-bit symbols, each byte with a leading 1, followed by endless
 * zeros, so that no source is a prefix of another. */

/* The i-th symbol of a source. */
static uint32_t symbol(struct cupel__str s, size_t i)
{
    return i < s.n ? 0x100u | (unsigned char)s.p[i] : 0;
}

static unsigned bit_at(struct cupel__str s, uint32_t bit)
{
    return symbol(s, bit / 9) >> (8 - bit % 9) & 1;
}

/* The only pattern whose source can be equal. */
static uint32_t nearest_pattern(const struct ir_module *m, struct cupel__str source)
{
    uint32_t link = m->patterns_top;
    while ((link & 1) != 0) {
        const struct ir_pattern *node = &m->patterns[link >> 1];
        link = node->child[bit_at(source, node->bit)];
    }
    return link >> 1;
}

/* The first bit in which two different sources differ. */
static uint32_t critical_bit(struct cupel__str a, struct cupel__str b)
{
    size_t i = 0;
    while (symbol(a, i) == symbol(b, i))
        i++;
    uint32_t differ = symbol(a, i) ^ symbol(b, i), bit = 0;
    while ((differ & 0x100u >> bit) == 0)
        bit++;
    return (uint32_t)(i * 9) + bit;
}

/* Inserts the newest pattern, number n, into the tree. */
static void insert_pattern(struct ir_module *m, uint32_t n, uint32_t bit)
{
    struct ir_pattern *p = &m->patterns[n];
    uint32_t *link = &m->patterns_top;
    if (n == 0) {
        *link = 0;
        return;
    }
    while ((*link & 1) != 0 && m->patterns[*link >> 1].bit < bit) {
        struct ir_pattern *node = &m->patterns[*link >> 1];
        link = &node->child[bit_at(p->source, node->bit)];
    }
    unsigned side = bit_at(p->source, bit);
    p->bit = bit;
    p->child[side] = 2 * n;
    p->child[!side] = *link;
    *link = 2 * n + 1;
}

/* Whether the program can have the pattern.  The program compiles it again when it is loaded, so
 * most patterns are only parsed here and get no tables.  The syntax tree is large and short-lived,
 * and has an arena of its own. */
static enum cupel_status check_pattern(struct ir_module *m, struct cupel__str source,
                                       unsigned regex_flags, unsigned match_flags,
                                       struct cupel_error *err)
{
    const struct cupel_alloc *alloc = &m->arena->alloc;
    struct cupel__arena tree;
    struct cupel__regex regex;
    struct cupel__matcher *matcher = NULL;
    cupel__arena_init(&tree, alloc, m->arena->limit);
    enum cupel_status status = cupel__regex_parse(&tree, source.p, source.n,
                                                  regex_flags | CUPEL__REGEX_SYNTAX, &regex, err);
    if (status == CUPEL_OK && cupel__regex_is_small(&regex)) {
        status = cupel__matcher_charge(&regex, &m->pattern_steps, err);
    } else if (status == CUPEL_OK) {
        cupel__arena_reset(&tree);
        status = cupel__regex_parse(&tree, source.p, source.n, regex_flags, &regex, err);
        if (status == CUPEL_OK)
            status = cupel__matcher_new(alloc, &regex, match_flags | CUPEL__MATCHER_NO_TABLE,
                                        &m->pattern_steps, &matcher, err);
    }
    cupel__matcher_free(matcher);
    cupel__arena_free(&tree);
    return status;
}

enum cupel_status cupel__ir_add_pattern(struct ir_module *m, struct cupel__str source,
                                        unsigned regex_flags, unsigned match_flags, uint32_t *ret,
                                        struct cupel_error *err)
{
    uint32_t bit = 0;
    if (source.n > UINT32_MAX / 9 - 1) /* bits of the tree are counted in 32 bits */
        return cupel__error_set(err, CUPEL_E_PATTERN_SIZE, "the pattern is too long");
    if (m->npatterns != 0) {
        uint32_t i = nearest_pattern(m, source);
        if (cupel__str_eq(m->patterns[i].source, source)) {
            *ret = i;
            return CUPEL_OK;
        }
        bit = critical_bit(m->patterns[i].source, source);
    }
    struct ir_pattern p = {.source = source};
    enum cupel_status status = check_pattern(m, source, regex_flags, match_flags, err);
    if (status != CUPEL_OK)
        return status;
    /* A link is twice the number of a pattern, so numbers have 31 bits. */
    if (m->npatterns >= INT32_MAX ||
        !grow(m, &m->patterns, &m->patterns_cap, m->npatterns, sizeof p))
        return cupel__error_set(err, CUPEL_E_NO_MEMORY, "no memory for a pattern");
    m->patterns[m->npatterns] = p;
    insert_pattern(m, m->npatterns, bit);
    *ret = m->npatterns++;
    return CUPEL_OK;
}

/* -- Queries ----------------------------------------------------------------------------------- */

bool cupel__ir_may_be_none(enum ir_kind kind, uint32_t i)
{
    return i > 0 && (kind == IR_IF || kind == IR_UNEVALUATED || kind == IR_SCOPE);
}

bool cupel__ir_in_place(enum ir_kind kind, uint32_t i)
{
    switch (kind) {
    case IR_DEP_SCHEMA:
    case IR_REF:
    case IR_ALL:
    case IR_ANY_OF:
    case IR_ONE_OF:
    case IR_NOT:
    case IR_IF:
    case IR_DYNAMIC:
    case IR_CASES:
        return true;
    default:
        return i == 0 && (kind == IR_UNEVALUATED || kind == IR_SCOPE);
    }
}

bool cupel__ir_evaluates(const struct ir_op *op)
{
    uint32_t i = 0;
    switch (op->kind) {
    case IR_PREFIX:
        return op->nschemas > 0;
    case IR_ITEMS:
        return true;
    case IR_CONTAINS:
        return op->exclusive;
    case IR_UNEVALUATED:
        return op->schemas[1] != IR_NONE || op->schemas[2] != IR_NONE;
    case IR_PROPS:
        while (i < op->nnames && (op->names[i].flags & IR_NAME_UNKNOWN) != 0)
            i++;
        return i < op->nnames || op->nmatches > 0 || op->other != IR_NONE;
    default:
        return false;
    }
}

const char *cupel__ir_kind_text(enum ir_kind kind)
{
    static const char *const texts[] = {
#define IR(name, text, on, operands, ...) text,
#include "compiler/ir/ir.def"
    };
    return texts[kind];
}

const char *cupel__ir_kind_operands(enum ir_kind kind)
{
    static const char *const letters[] = {
#define IR(name, text, on, operands, ...) operands,
#include "compiler/ir/ir.def"
    };
    return letters[kind];
}

uint32_t cupel__ir_kind_types(enum ir_kind kind)
{
    static const uint32_t masks[] = {
#define IR(name, text, on, operands, ...) CUPEL__M_##on,
#include "compiler/ir/ir.def"
    };
    return masks[kind];
}

uint32_t cupel__ir_value_types(const struct ir_value *v)
{
    const struct cupel__node *node = &v->doc->nodes[v->node];
    switch ((enum cupel__type)node->type) {
    case CUPEL__STRING:
    case CUPEL__ESCAPED:
        return CUPEL__M_STRING;
    case CUPEL__INT:
        return CUPEL__BIT(CUPEL__INT) | CUPEL__BIT(CUPEL__INTREAL);
    case CUPEL__BIGINT:
        return CUPEL__BIT(CUPEL__BIGINT) | CUPEL__BIT(CUPEL__INTREAL);
    case CUPEL__INTREAL: /* the tape has a value for every integer of 64 bits */
        return CUPEL__BIT(CUPEL__INTREAL) |
               CUPEL__BIT((node->flags & CUPEL__BIG) == 0 ? CUPEL__INT : CUPEL__BIGINT);
    default:
        return CUPEL__BIT(node->type);
    }
}

/* Counts a reference; a schema that is counted for the first time is pushed on the stack. */
static inline uint32_t *count_ref(struct ir_module *m, uint32_t ref, uint32_t *top)
{
    if (ref != IR_NONE && m->schemas[ref].uses++ == 0)
        *top++ = ref;
    return top;
}

/* Counts all references of a schema.  It does what ir_op_next_ref() would, without its tests for
 * each reference, because every pass calls it. */
static uint32_t *count_refs(struct ir_module *m, const struct ir_schema *s, uint32_t *top)
{
    for (const struct ir_op *op = s->first; op != NULL; op = op->next) {
        for (uint32_t i = 0; i < op->nschemas; i++)
            top = count_ref(m, op->schemas[i], top);
        for (uint32_t i = 0; i < op->nnames; i++)
            top = count_ref(m, op->names[i].schema, top);
        for (uint32_t i = 0; i < op->nmatches; i++)
            top = count_ref(m, op->matches[i].schema, top);
        top = count_ref(m, op->other, top);
    }
    return top;
}

void cupel__ir_drop_discriminators(struct ir_module *m)
{
    for (uint32_t i = 0; i < m->nschemas; i++)
        for (struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next) {
            op->discriminator = NULL;
            op->always = 0;
        }
}

enum cupel_status cupel__ir_count_uses(struct ir_module *m)
{
    struct ir_scratch scratch;
    uint32_t *stack = ir_scratch_init(&scratch, &m->arena->alloc, m->nschemas);
    if (stack == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < m->nschemas; i++)
        m->schemas[i].uses = 0;
    uint32_t *top = stack;
    if (m->root != IR_NONE) {
        m->schemas[m->root].uses = 1;
        *top++ = m->root;
    }
    while (top > stack) {
        --top;
        top = count_refs(m, &m->schemas[*top], top);
    }
    ir_scratch_free(&scratch);
    return CUPEL_OK;
}

/* -- Evaluation -----------------------------------------------------------------------------------
 *
 * Schemas and, after them, dynamic anchors are the nodes of a graph.  Edges lead from a schema to
 * the schemas that it applies in place, and from an anchor to its bindings.  OBSERVED spreads along
 * the edges from the first schema of an UNEVALUATED; EVALUATES spreads against them.  A schema with
 * both flags is tracked. */

enum { OBSERVED = 1, EVALUATES = 2 };

/* The graph of in-place applications: schemas and, after them, dynamic anchors. */
struct graph {
    uint32_t nschemas, nodes, nedges;
    uint32_t *from, *to; /* edges; NULL while they are counted */
    uint32_t *flags, *start, *stack, *order;
};

static void add_edge(struct graph *g, uint32_t from, uint32_t to)
{
    if (g->from != NULL) {
        g->from[g->nedges] = from;
        g->to[g->nedges] = to;
    }
    g->nedges++;
}

static void add_edges(struct graph *g, uint32_t schema, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nschemas && op->kind != IR_NOT; i++) {
        if (op->schemas[i] == IR_NONE)
            continue;
        if (cupel__ir_in_place(op->kind, i))
            add_edge(g, schema, op->schemas[i]);
        else if (op->kind == IR_SCOPE)
            add_edge(g, g->nschemas + i - 1, op->schemas[i]);
    }
    if (op->kind == IR_DYNAMIC && op->a < g->nodes - g->nschemas)
        add_edge(g, schema, g->nschemas + op->a);
}

static void add_all_edges(struct graph *g, const struct ir_module *m)
{
    for (uint32_t i = 0; i < m->nschemas; i++)
        for (const struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next)
            add_edges(g, i, op);
}

/* Sets the flags from which the others follow: the first schemas of UNEVALUATED, and schemas that
 * evaluate by themselves. */
static void set_flags(struct graph *g, const struct ir_module *m)
{
    memset(g->flags, 0, g->nodes * sizeof *g->flags);
    for (uint32_t i = 0; i < m->nschemas; i++) {
        for (const struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next) {
            bool evaluates = cupel__ir_evaluates(op);
            g->flags[i] |= evaluates ? EVALUATES : 0;
            if (evaluates && op->kind == IR_UNEVALUATED)
                g->flags[op->schemas[0]] |= OBSERVED;
        }
    }
}

/* Fills `order` with the nodes that edges lead to, sorted by the node that they come from.  Those
 * of node i are order[start[i - 1]] to order[start[i] - 1]; for node 0 they begin at order[0]. */
static void order_edges(struct graph *g, const uint32_t *from, const uint32_t *to)
{
    memset(g->start, 0, g->nodes * sizeof *g->start);
    for (uint32_t e = 0; e < g->nedges; e++)
        g->start[from[e]]++;
    for (uint32_t i = 0, sum = 0; i < g->nodes; i++) {
        uint32_t n = g->start[i];
        g->start[i] = sum;
        sum += n;
    }
    for (uint32_t e = 0; e < g->nedges; e++)
        g->order[g->start[from[e]]++] = to[e];
}

/* Gives the flag to every node that is reached from a node with it. */
static void spread(struct graph *g, uint32_t flag, const uint32_t *from, const uint32_t *to)
{
    uint32_t *top = g->stack;
    order_edges(g, from, to);
    for (uint32_t i = 0; i < g->nodes; i++)
        if ((g->flags[i] & flag) != 0)
            *top++ = i;
    while (top > g->stack) {
        uint32_t i = *--top;
        for (uint32_t e = i == 0 ? 0 : g->start[i - 1]; e < g->start[i]; e++) {
            if ((g->flags[g->order[e]] & flag) == 0)
                *top++ = g->order[e];
            g->flags[g->order[e]] |= flag;
        }
    }
}

/* Counts the edges, lays the graph out in one block, spreads both flags and sets `tracked`. */
static enum cupel_status mark_graph(struct ir_module *m, struct graph *g)
{
    struct ir_scratch scratch;
    add_all_edges(g, m);
    size_t edges = g->nedges, nodes = g->nodes;
    uint32_t *words = ir_scratch_init(&scratch, &m->arena->alloc, 3 * (edges + nodes));
    if (words == NULL)
        return CUPEL_E_NO_MEMORY;
    g->from = words;
    g->to = g->from + edges;
    g->order = g->to + edges;
    g->flags = g->order + edges;
    g->start = g->flags + nodes;
    g->stack = g->start + nodes;
    g->nedges = 0;
    add_all_edges(g, m);
    set_flags(g, m);
    spread(g, OBSERVED, g->from, g->to);
    spread(g, EVALUATES, g->to, g->from);
    for (uint32_t i = 0; i < m->nschemas; i++)
        m->schemas[i].tracked = g->flags[i] == (OBSERVED | EVALUATES);
    ir_scratch_free(&scratch);
    return CUPEL_OK;
}

enum cupel_status cupel__ir_mark_tracked(struct ir_module *m)
{
    struct graph g = {.nschemas = m->nschemas, .nodes = m->nschemas};
    bool found = false;
    if ((m->kinds & IR_BIT(IR_UNEVALUATED)) == 0) /* no schema was ever tracked */
        return CUPEL_OK;
    for (uint32_t i = 0; i < m->nschemas; i++) {
        m->schemas[i].tracked = false;
        for (const struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next) {
            found |= op->kind == IR_UNEVALUATED;
            if (op->kind == IR_SCOPE && op->nschemas - 1 > g.nodes - g.nschemas)
                g.nodes = g.nschemas + op->nschemas - 1;
        }
    }
    return found ? mark_graph(m, &g) : CUPEL_OK;
}

/* -- Locations --------------------------------------------------------------------------------- */

/* Appends "/" and a token, escaped (RFC 6901 section 3). */
static void add_token(struct cupel_text *b, struct cupel__str token)
{
    cupel_text_add(b, "/", 1);
    const char *plain = token.p, *p = token.p;
    for (size_t left = token.n; left > 0; left--, p++) {
        if (*p != '~' && *p != '/')
            continue;
        cupel_text_add(b, plain, (size_t)(p - plain));
        cupel_text_add(b, *p == '~' ? "~0" : "~1", 2);
        plain = p + 1;
    }
    cupel_text_add(b, plain, (size_t)(p - plain));
}

/* Links lead upwards and the pointer is written downwards.  It is written in pieces of 64 steps,
 * each found by climbing from the location, so that depth needs no memory. */
void cupel__ir_loc_pointer(const struct ir_module *m, uint32_t loc, struct cupel_text *b)
{
    uint32_t depth = 0, steps[64];
    const uint32_t room = sizeof steps / sizeof *steps;
    for (uint32_t i = loc; i != IR_NONE && m->locs[i].parent != IR_NONE; i = m->locs[i].parent)
        depth++;

    for (uint32_t done = 0, n; done < depth; done += n) {
        uint32_t i = loc;
        n = depth - done < room ? depth - done : room;
        for (uint32_t climb = depth - done - n; climb > 0; climb--)
            i = m->locs[i].parent;
        for (uint32_t k = n; k > 0; k--, i = m->locs[i].parent)
            steps[k - 1] = i;
        for (uint32_t k = 0; k < n; k++)
            add_token(b, m->locs[steps[k]].token);
    }
}

/* -- Sorting ----------------------------------------------------------------------------------- */

int cupel__ir_compare_names(const void *names, uint32_t a, uint32_t b)
{
    const struct ir_name *array = names;
    return cupel__str_cmp(array[a].name, array[b].name);
}

/* A merge sort from the bottom up. */
enum cupel_status cupel__ir_sort(const struct cupel_alloc *alloc, uint32_t *order, uint32_t n,
                                 int (*compare)(const void *context, uint32_t a, uint32_t b),
                                 const void *context)
{
    struct ir_scratch scratch;
    uint32_t *from = order, *to = ir_scratch_init(&scratch, alloc, n);
    if (to == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t width = 1; width < n; width *= 2) { /* merge neighbouring runs of this width */
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t middle = start + width < n ? start + width : n;
            size_t end = middle + width < n ? middle + width : n;
            for (size_t a = start, b = middle, k = start; k < end; k++) {
                bool left = b == end || (a < middle && compare(context, from[a], from[b]) <= 0);
                to[k] = left ? from[a++] : from[b++];
            }
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != order)
        memcpy(order, from, n * sizeof *order);
    ir_scratch_free(&scratch);
    return CUPEL_OK;
}
