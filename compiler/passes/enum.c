/* enum.c: CONST and ENUM by class of values.
 *
 * Needs   nothing.  After fold fewer values have to be examined.
 * Keeps   use counts, locations, the order of operations and of values.
 * Breaks  nothing.
 *
 * The schema's mask takes over the types of the values, which is all there is to say of null, true
 * and false.  The other values become AMONG operations: one for strings, one for numbers, one for
 * arrays and objects, each without equal values, because emit makes a table of strings, in which a
 * key occurs once.  Long lists of arrays and objects may keep equal values.
 *
 *     before                          after
 *     schema @0 any                   schema @0 null|string
 *       enum "a" null "b" "a"           among string "a" "b"
 *
 * Few values are compared pair by pair, many through a hash table.  The hash is not secret, so
 * values can be made to collide; if they do, the values are sorted instead. */
#include "compiler/passes/passes.h"

#include "base/hash.h"
#include "base/json/equal.h"
#include "base/json/tape.h"
#include "base/load.h"

enum {
    FEW = 8,              /* scalars that are compared pair by pair */
    FEW_CONTAINERS = 32,  /* the same for arrays and objects */
    MAX_PROBES = 16,      /* probes in the hash table before sorting */
    MAX_COMPARE = 1 << 16 /* work for one pair of arrays or objects */
};

#define CONTAINERS ((uint32_t)(CUPEL__M_ARRAY | CUPEL__M_OBJECT))

/* -- Values ------------------------------------------------------------------------------------ */

static bool is_string(const struct ir_value *v)
{
    return (CUPEL__BIT(ir_value_node(v)->type) & CUPEL__M_STRING) != 0;
}

/* Whether two values of one class are equal; false if that is not decided within the work. */
static bool equal(const struct ir_value *a, const struct ir_value *b)
{
    if (is_string(a))
        return cupel__str_eq(ir_value_str(a), ir_value_str(b));
    struct cupel__budget budget = {.remaining = MAX_COMPARE};
    return cupel__json_equal(a->doc, a->node, b->doc, b->node, &budget) == 1;
}

/* An order of strings, or of numbers.  A number beyond the range of exact decimals comes after the
 * others and equals none. */
static int compare(const void *context, uint32_t a, uint32_t b)
{
    const struct ir_value *va = (const struct ir_value *)context + a;
    const struct ir_value *vb = (const struct ir_value *)context + b;
    if (is_string(va))
        return cupel__str_cmp(ir_value_str(va), ir_value_str(vb));
    struct cupel__dec da, db;
    bool known_a = cupel__doc_decimal(va->doc, ir_value_node(va), &da);
    bool known_b = cupel__doc_decimal(vb->doc, ir_value_node(vb), &db);
    if (known_a && known_b)
        return cupel__dec_cmp(&da, &db);
    return known_a != known_b ? (known_a ? -1 : 1) : (a > b) - (a < b);
}

static uint64_t hash_value(const struct ir_value *v)
{
    if (!is_string(v)) {
        struct cupel__dec d;
        return cupel__doc_decimal(v->doc, ir_value_node(v), &d) ? cupel__dec_hash(&d) : 0;
    }
    struct cupel__str s = ir_value_str(v);
    uint64_t hash = s.n;
    for (; s.n >= 8; s.p += 8, s.n -= 8)
        hash = cupel__hash_add(hash, cupel__load64(s.p));
    return cupel__hash_add(hash, cupel__load_partial(s.p, s.n));
}

/* -- Equal ones -------------------------------------------------------------------------------- */

/* Each of the following functions sets first[i] if no earlier value equals value i. */

static void find_by_pairs(const struct ir_value *values, uint32_t n, uint32_t *first)
{
    for (uint32_t i = 0; i < n; i++) {
        first[i] = true;
        for (uint32_t k = 0; k < i && first[i]; k++)
            first[i] = !equal(&values[i], &values[k]);
    }
}

/* Enters value i into a table of numbers of values plus one.  False after too many probes. */
static bool enter(const struct ir_value *values, uint32_t i, uint32_t *table, uint32_t mask,
                  uint32_t *first)
{
    uint32_t slot = (uint32_t)hash_value(&values[i]);
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        uint32_t *entry = &table[(slot + probe) & mask];
        first[i] = *entry == 0;
        if (*entry == 0)
            *entry = i + 1;
        else if (!equal(&values[i], &values[*entry - 1]))
            continue;
        return true;
    }
    return false;
}

/* False if the values collide. */
static bool find_by_hash(const struct ir_value *values, uint32_t n, uint32_t *table,
                         uint32_t table_size, uint32_t *first)
{
    memset(table, 0, table_size * sizeof *table);
    for (uint32_t i = 0; i < n; i++)
        if (!enter(values, i, table, table_size - 1, first))
            return false;
    return true;
}

static enum cupel_status find_by_order(const struct cupel_alloc *alloc,
                                       const struct ir_value *values, uint32_t n, uint32_t *order,
                                       uint32_t *first)
{
    enum cupel_status status = cupel__ir_sort(alloc, order, n, compare, values);
    if (status != CUPEL_OK)
        return status;
    for (uint32_t i = 0; i < n; i++)
        first[order[i]] = i == 0 || compare(values, order[i - 1], order[i]) != 0;
    return CUPEL_OK;
}

/* A power of two of at least twice n. */
static size_t table_size(uint32_t n)
{
    size_t size = 2 * FEW;
    while (size / 2 < n)
        size *= 2;
    return size;
}

static enum cupel_status find_first(const struct cupel_alloc *alloc, const struct ir_value *values,
                                    uint32_t n, uint32_t *first, uint32_t *table, size_t ntable)
{
    if (n <= FEW || (!is_string(values) && ir_value_node(values)->type >= CUPEL__ARRAY)) {
        find_by_pairs(values, n, first);
        return CUPEL_OK;
    }
    if (find_by_hash(values, n, table, (uint32_t)ntable, first))
        return CUPEL_OK;
    return find_by_order(alloc, values, n, table, first); /* the table has room for the order */
}

/* Gives the operation a new list without equal values; the old list may be shared. */
static enum cupel_status keep_first(struct ir_module *m, struct ir_op *op, const uint32_t *first)
{
    const struct ir_value *old = op->values;
    uint32_t n = 0, nold = op->nvalues;
    for (uint32_t i = 0; i < nold; i++)
        n += first[i];
    if (n == nold)
        return CUPEL_OK;
    struct ir_value *values = cupel__ir_op_values(m, op, n);
    if (values == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0, k = 0; i < nold; i++)
        if (first[i])
            values[k++] = old[i];
    return CUPEL_OK;
}

static enum cupel_status remove_equal(struct ir_module *m, struct ir_op *op)
{
    uint32_t n = op->nvalues;
    bool containers = (op->mask & CONTAINERS) != 0;
    if (n < 2 || (containers && n > FEW_CONTAINERS))
        return CUPEL_OK;
    struct ir_scratch scratch;
    size_t ntable = n <= FEW || containers ? 0 : table_size(n);
    if (n > UINT32_MAX / 8)
        return CUPEL_E_NO_MEMORY; /* more than any document can hold */
    uint32_t *first = ir_scratch_init(&scratch, &m->arena->alloc, n + ntable);
    if (first == NULL)
        return CUPEL_E_NO_MEMORY;
    enum cupel_status status =
        find_first(&m->arena->alloc, op->values, n, first, first + n, ntable);
    if (status == CUPEL_OK)
        status = keep_first(m, op, first);
    ir_scratch_free(&scratch);
    return status;
}

/* -- Operations -------------------------------------------------------------------------------- */

/* Makes *to an AMONG of the values that have a type in `mask` and in `types`. */
static enum cupel_status make_among(struct ir_module *m, const struct ir_op *from, uint32_t mask,
                                    uint32_t types, struct ir_op *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < from->nvalues; i++)
        n += (cupel__ir_value_types(&from->values[i]) & mask & types) != 0;
    *to = (struct ir_op){.kind = IR_AMONG,
                         .loc = from->loc,
                         .mask = mask,
                         .b = IR_MANY,
                         .values = from->values,
                         .nvalues = n,
                         .other = IR_NONE};
    if (n != from->nvalues) {
        struct ir_value *values = cupel__ir_op_values(m, to, n);
        if (values == NULL)
            return CUPEL_E_NO_MEMORY;
        for (uint32_t i = 0, k = 0; i < from->nvalues; i++)
            if ((cupel__ir_value_types(&from->values[i]) & mask & types) != 0)
                values[k++] = from->values[i];
    }
    return remove_equal(m, to);
}

/* Replaces the operation *at by its AMONG operations; *ret is the place after them. */
static enum cupel_status split(struct ir_module *m, uint32_t types, struct ir_op **at,
                               struct ir_op ***ret)
{
    static const uint32_t masks[] = {CUPEL__M_STRING, CUPEL__M_NUMBER, CONTAINERS};
    struct ir_op from = **at, *free_op = *at; /* the first new operation reuses the old one */
    for (int i = 0; i < 3; i++) {
        if ((masks[i] & types) == 0)
            continue;
        struct ir_op *op = free_op;
        free_op = NULL;
        if (op == NULL)
            op = cupel__arena_alloc(m->arena, sizeof *op);
        if (op == NULL)
            return CUPEL_E_NO_MEMORY;
        enum cupel_status status = make_among(m, &from, masks[i], types, op);
        *at = op;
        at = &op->next;
        if (status != CUPEL_OK)
            return status;
    }
    *at = from.next;
    *ret = at;
    return CUPEL_OK;
}

static bool has_values(const struct ir_op *op)
{
    return op->kind == IR_CONST || op->kind == IR_ENUM;
}

/* Narrows the schema's mask to the types of its values.  Returns whether it has any CONST or ENUM.
 */
static bool narrow(struct ir_schema *s)
{
    bool found = false;
    for (const struct ir_op *op = s->first; op != NULL; op = op->next) {
        if (!has_values(op))
            continue;
        uint32_t types = 0;
        for (uint32_t i = 0; i < op->nvalues; i++)
            types |= cupel__ir_value_types(&op->values[i]);
        s->types &= types;
        found = true;
    }
    return found;
}

static enum cupel_status split_all(struct ir_module *m, struct ir_schema *s)
{
    struct ir_op **at = &s->first;
    while (*at != NULL) {
        if (has_values(*at)) {
            enum cupel_status status = split(m, s->types, at, &at);
            if (status != CUPEL_OK)
                return status;
        } else {
            at = &(*at)->next;
        }
    }
    s->end = at;
    return CUPEL_OK;
}

enum cupel_status cupel__pass_enum(struct ir_module *m)
{
    for (uint32_t i = 0; i < m->nschemas; i++) {
        if (!narrow(&m->schemas[i]))
            continue;
        enum cupel_status status = split_all(m, &m->schemas[i]);
        if (status != CUPEL_OK)
            return status;
    }
    return CUPEL_OK;
}
