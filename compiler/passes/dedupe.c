/* dedupe.c: equal schemas become one.
 *
 * Needs   nothing.  Best after the passes that rewrite operations, when schemas are as alike as
 *         they will be.
 * Keeps   verdicts; of equal schemas the one that the sweep meets first, with its locations: in the
 *         first sweep the one with the highest number.
 * Breaks  use counts, which are those before this pass.
 *
 * Two schemas are equal if they have the same mask, are both tracked or both not, and have the same
 * operations with equal operands in the same order; locations do not count.  The sweep goes from
 * the last schema to the first, so that subschemas mostly come before the schemas that refer to
 * them.  Each reference is first redirected to the schema that represents its target, so comparing
 * references is comparing numbers.  If a reference was read before its target was merged, another
 * sweep goes in the other direction.  Schemas that refer to themselves are never merged.
 *
 *     before                          after
 *     schema @0 object                schema @0 object
 *       props "a":@1, "b":@2            props "a":@2, "b":@2
 *     schema @1 string                schema @2 string
 *     schema @2 string
 *
 * A hash of parts of the operands finds candidates.  A schema is compared with at most MAX_PROBES
 * of them, so schemas that were made to collide stay separate, which costs only space. */
#include "compiler/passes/passes.h"

#include "base/hash.h"
#include "base/json/equal.h"
#include "base/json/tape.h"
#include <string.h>

enum {
    FEW = 32,             /* schemas that are compared without a table */
    MAX_PROBES = 16,      /* candidates that a schema is compared with */
    MAX_SWEEPS = 8,       /* over all schemas */
    MAX_COMPARE = 1 << 16 /* work for comparing one pair of values */
};

struct dedupe {
    struct ir_module *m;
    uint32_t *stands; /* for each schema, its representative: mostly itself */
    uint32_t *hash;
    uint32_t *table; /* schemas plus one by hash, or NULL */
    uint32_t mask;   /* of the table */
    uint32_t done;   /* schemas that this sweep has processed */
    bool forward;    /* this sweep goes from the first to the last */
};

/* -- Hashing ----------------------------------------------------------------------------------- */

/* Hashes the length, the first and the last bytes. */
static uint64_t mix_str(uint64_t hash, struct cupel__str s)
{
    uint32_t first = 0, last = 0;
    size_t n = s.n < sizeof first ? s.n : sizeof first;
    if (n != 0) {
        memcpy(&first, s.p, n);
        memcpy(&last, s.p + s.n - n, n);
    }
    return cupel__hash_add(hash ^ s.n, (uint64_t)first << 32 | last);
}

/* Equal values have equal hashes, however they are spelled. */
static uint64_t mix_value(uint64_t hash, const struct ir_value *v)
{
    struct cupel__node *node = ir_value_node(v);
    switch ((enum cupel__type)node->type) {
    case CUPEL__STRING:
    case CUPEL__ESCAPED:
        return mix_str(hash, cupel__doc_str(v->doc, node));
    case CUPEL__INT:
    case CUPEL__BIGINT:
    case CUPEL__INTREAL:
    case CUPEL__REAL:
        return (node->flags & CUPEL__BIG) != 0 ? cupel__hash_add(hash, 1)
                                               : cupel__hash_add(hash, (uint64_t)node->i);
    case CUPEL__ARRAY:
    case CUPEL__OBJECT:
        return cupel__hash_add(hash, (uint64_t)node->type << 32 | node->count);
    default:
        return cupel__hash_add(hash, (uint64_t)node->type << 32);
    }
}

static uint64_t mix_op(uint64_t hash, const struct ir_op *op)
{
    hash = cupel__hash_add(hash, (uint64_t)op->kind << 32 | (op->mask ^ op->pattern << 16));
    hash = cupel__hash_add(hash, (uint64_t)op->a << 32 | op->b);
    if (op->name.p != NULL)
        hash = mix_str(hash, op->name);
    for (uint32_t i = 0; i < op->nvalues; i++)
        hash = mix_value(hash, &op->values[i]);
    for (uint32_t i = 0; i < op->nschemas; i++)
        hash = cupel__hash_add(hash, op->schemas[i]);
    for (uint32_t i = 0; i < op->nnames; i++)
        hash = mix_str(cupel__hash_add(hash, op->names[i].schema), op->names[i].name);
    for (uint32_t i = 0; i < op->nmatches; i++)
        hash =
            cupel__hash_add(hash, (uint64_t)op->matches[i].pattern << 32 | op->matches[i].schema);
    return op->other == IR_NONE ? hash : cupel__hash_add(hash, op->other);
}

static uint32_t hash_schema(const struct ir_schema *s)
{
    uint64_t hash = s->types | (uint64_t)s->tracked << 32;
    for (const struct ir_op *op = s->first; op != NULL; op = op->next)
        hash = mix_op(hash, op);
    hash = cupel__hash_add(hash, 0);
    return (uint32_t)(hash >> 32);
}

/* -- Comparing --------------------------------------------------------------------------------- */

static bool same_values(const struct ir_op *a, const struct ir_op *b)
{
    if (a->nvalues != b->nvalues)
        return false;
    for (uint32_t i = 0; i < a->nvalues; i++) {
        const struct ir_value *va = &a->values[i], *vb = &b->values[i];
        struct cupel__budget budget = {.remaining = MAX_COMPARE};
        if (va->doc == vb->doc && va->node == vb->node)
            continue;
        if (cupel__json_equal(va->doc, va->node, vb->doc, vb->node, &budget) != 1)
            return false;
    }
    return true;
}

static bool same_schemas(const struct ir_op *a, const struct ir_op *b)
{
    if (a->nschemas != b->nschemas)
        return false;
    for (uint32_t i = 0; i < a->nschemas; i++)
        if (a->schemas[i] != b->schemas[i])
            return false;
    return true;
}

static bool same_names(const struct ir_op *a, const struct ir_op *b)
{
    if (a->nnames != b->nnames)
        return false;
    for (uint32_t i = 0; i < a->nnames; i++) {
        const struct ir_name *na = &a->names[i], *nb = &b->names[i];
        if (na->schema != nb->schema || na->flags != nb->flags ||
            !cupel__str_eq(na->name, nb->name))
            return false;
    }
    return true;
}

static bool same_matches(const struct ir_op *a, const struct ir_op *b)
{
    if (a->nmatches != b->nmatches || a->unlisted != b->unlisted)
        return false;
    for (uint32_t i = 0; i < a->nmatches; i++)
        if (a->matches[i].pattern != b->matches[i].pattern ||
            a->matches[i].schema != b->matches[i].schema)
            return false;
    return true;
}

/* Compares the discriminators of two CASES: one key whose tags are strings, one bit for each case.
 */
static bool same_discriminator(const struct ir_discriminator *a, const struct ir_discriminator *b)
{
    if (a == b || a == NULL || b == NULL)
        return a == b;
    const struct ir_key *x = a->keys, *y = b->keys;
    bool same = a->nbits == b->nbits && memcmp(a->types, b->types, sizeof a->types) == 0 &&
                cupel__str_eq(x->name, y->name) && x->unlisted == y->unlisted &&
                x->absent == y->absent && memcmp(x->types, y->types, sizeof x->types) == 0 &&
                x->ntags == y->ntags;
    for (uint32_t i = 0; same && i < x->ntags; i++)
        same = cupel__str_eq(x->tags[i].text, y->tags[i].text) && x->tags[i].set == y->tags[i].set;
    return same;
}

static bool same_op(const struct ir_op *a, const struct ir_op *b)
{
    return a->kind == b->kind && a->mask == b->mask && a->a == b->a && a->b == b->b &&
           a->exclusive == b->exclusive && a->pattern == b->pattern && a->other == b->other &&
           same_schemas(a, b) && same_matches(a, b) && cupel__str_eq(a->name, b->name) &&
           same_names(a, b) && same_values(a, b) &&
           same_discriminator(a->discriminator, b->discriminator);
}

static bool same_schema(const struct ir_schema *s, const struct ir_schema *t)
{
    const struct ir_op *a = s->first, *b = t->first;
    if (s->types != t->types || s->tracked != t->tracked)
        return false;
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        if (!same_op(a, b))
            return false;
    return a == b;
}

/* -- Finding ----------------------------------------------------------------------------------- */

/* The i-th schema in the order of the sweep. */
static uint32_t nth(const struct dedupe *d, uint32_t i)
{
    return d->forward ? i : d->m->nschemas - 1 - i;
}

/* Whether a schema is reachable and represents itself. */
static bool takes_part(const struct dedupe *d, uint32_t id)
{
    return d->stands[id] == id && d->m->schemas[id].uses != 0;
}

static bool is_equal(const struct dedupe *d, uint32_t a, uint32_t b)
{
    return d->hash[a] == d->hash[b] && same_schema(&d->m->schemas[a], &d->m->schemas[b]);
}

static uint32_t find_among_few(const struct dedupe *d, uint32_t id)
{
    for (uint32_t i = 0; i < d->done; i++) {
        uint32_t other = nth(d, i);
        if (takes_part(d, other) && is_equal(d, id, other))
            return other;
    }
    return id;
}

/* Finds an equal schema by the table, and enters this one if there is none. */
static uint32_t find_in_table(struct dedupe *d, uint32_t id)
{
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        uint32_t *slot = &d->table[(d->hash[id] + probe) & d->mask];
        if (*slot == 0) {
            *slot = id + 1;
            return id;
        }
        if (is_equal(d, id, *slot - 1))
            return *slot - 1;
    }
    return id;
}

/* Redirects references to representatives; whether any changed. */
static bool update_refs(const struct dedupe *d, struct ir_schema *s)
{
    bool changed = false;
    for (struct ir_op *op = s->first; op != NULL; op = op->next) {
        uint32_t at = 0;
        for (uint32_t *ref; (ref = ir_op_next_ref(op, &at)) != NULL;) {
            changed |= d->stands[*ref] != *ref;
            *ref = d->stands[*ref];
        }
    }
    return changed;
}

/* Merges equal schemas.  Returns whether that changed a schema which the sweep had already
 * processed. */
static bool sweep(struct dedupe *d)
{
    struct ir_module *m = d->m;
    bool merged = false, changed = false;
    if (d->table != NULL)
        memset(d->table, 0, ((size_t)d->mask + 1) * sizeof *d->table);
    for (d->done = 0; d->done < m->nschemas; d->done++) {
        uint32_t id = nth(d, d->done);
        if (!takes_part(d, id))
            continue;
        update_refs(d, &m->schemas[id]);
        d->hash[id] = hash_schema(&m->schemas[id]);
        d->stands[id] = d->table == NULL ? find_among_few(d, id) : find_in_table(d, id);
        merged |= d->stands[id] != id;
    }
    for (uint32_t i = 0; merged && i < m->nschemas; i++)
        if (takes_part(d, i))
            changed |= update_refs(d, &m->schemas[i]);
    m->root = d->stands[m->root];
    return changed;
}

enum cupel_status cupel__pass_dedupe(struct ir_module *m)
{
    struct dedupe d = {.m = m};
    struct ir_scratch scratch;
    size_t n = m->nschemas, table = 0;
    enum cupel_status status = cupel__ir_count_uses(m);
    if (status != CUPEL_OK)
        return status;
    if (n > FEW)
        for (table = 2 * FEW; table < 2 * n; table *= 2)
            continue;
    uint32_t *words = ir_scratch_init(&scratch, &m->arena->alloc, 2 * n + table);
    if (words == NULL)
        return CUPEL_E_NO_MEMORY;
    d.stands = words;
    d.hash = words + n;
    if (table != 0) {
        d.table = words + 2 * n;
        d.mask = (uint32_t)(table - 1);
    }
    for (uint32_t i = 0; i < n; i++)
        d.stands[i] = i;
    for (int i = 0; i < MAX_SWEEPS && sweep(&d); i++)
        d.forward = !d.forward;
    ir_scratch_free(&scratch);
    return CUPEL_OK;
}
