/* sections.c: the sections of an image as they grow: references, strings, constants.
 *
 * All arrays are in the module's arena.  A failure is kept in `status`. */
#include "base/error.h"
#include "base/hash.h"
#include "compiler/emit/emit.h"

#include "base/arena_allocator.h"
#include "vm/formats/formats.h"
#include <string.h>

/* -- Growing ----------------------------------------------------------------------------------- */

/* Keeps the first failure. */
void cupel__emit_fail(struct emit *e, enum cupel_status status, const char *what)
{
    if (e->status == CUPEL_OK)
        e->status = cupel__error_set(e->err, status, "%s", what);
}

void cupel__emit_no_memory(struct emit *e)
{
    cupel__emit_fail(e, CUPEL_E_NO_MEMORY, "cannot make the program");
}

/* Grows to at least twice the size.  The old arrays stay in the arena; together they are not larger
 * than the new one. */
bool cupel__emit_grow(struct emit *e, void *array, size_t *cap, size_t need, size_t size)
{
    const struct cupel_alloc region = cupel__arena_allocator(e->ir->arena);
    if (need * size > e->limit)
        cupel__emit_fail(e, CUPEL_E_IMAGE_SIZE, "the program is too large");
    else if (cupel__grow(&region, array, cap, need < 2 * *cap ? 2 * *cap : need, size) != CUPEL_OK)
        cupel__emit_no_memory(e);
    return emit_ok(e);
}

/* -- References to schemas --------------------------------------------------------------------- */

void cupel__emit_enqueue(struct emit *e, uint32_t schema)
{
    if (e->queued[schema])
        return;
    e->queued[schema] = true;
    e->queue[e->nqueue++] = schema;
}

void cupel__emit_sub(struct emit *e, enum emit_space space, uint32_t at, uint32_t schema)
{
    if (!emit_ok(e))
        return;
    if (schema == IR_NONE) {
        emit_space_words(e, space)->p[at] = CUPEL__SUB_ANY;
        return;
    }
    cupel__emit_enqueue(e, schema);
    emit_space_words(e, space)->p[at] = schema;
    emit_reloc(e, space, at, EMIT_FIX_SUB);
}

/* -- Strings ----------------------------------------------------------------------------------- */

/* Hashes eight bytes at a time; the last eight may overlap the ones before. */
static uint32_t hash_string(struct cupel__str s)
{
    uint64_t h = s.n, word = 0;
    for (size_t i = 0; i + 8 < s.n; i += 8) {
        memcpy(&word, s.p + i, 8);
        h = (h ^ word) * CUPEL__GOLDEN_RATIO;
        h ^= h >> 32;
    }
    if (s.n >= 8)
        memcpy(&word, s.p + s.n - 8, 8);
    else
        memcpy(&word, s.p, s.n);
    h = (h ^ word) * CUPEL__GOLDEN_RATIO;
    return (uint32_t)(h >> 32);
}

/* Doubles the table of interned strings; false without memory. */
static bool grow_interned(struct emit *e)
{
    size_t cap = e->interned_cap != 0 ? 2 * e->interned_cap : 64;
    struct emit_interned *grown = cupel__arena_array(e->ir->arena, cap, sizeof *grown);
    if (grown == NULL) {
        cupel__emit_no_memory(e);
        return false;
    }
    for (size_t k = 0; k < e->interned_cap; k++) {
        size_t i = e->interned[k].hash & (cap - 1);
        while (grown[i].len != 0)
            i = (i + 1) & (cap - 1);
        grown[i] = e->interned[k];
    }
    e->interned = grown;
    e->interned_cap = cap;
    return true;
}

/* Appends bytes to the strings section; their offset. */
static uint32_t add_string(struct emit *e, struct cupel__str s)
{
    size_t at = e->strings.n;
    if (s.n > e->limit || at > e->limit - s.n)
        cupel__emit_fail(e, CUPEL_E_IMAGE_SIZE, "the program is too large");
    else if (s.n <= e->strings.cap - at ||
             cupel__emit_grow(e, &e->strings.p, &e->strings.cap, at + s.n, 1)) {
        if (s.n > 0)
            memcpy(e->strings.p + at, s.p, s.n);
        e->strings.n += s.n;
    }
    return (uint32_t)at;
}

uint32_t cupel__emit_string(struct emit *e, struct cupel__str s)
{
    if (!emit_ok(e) || s.n == 0)
        return 0;
    if (2 * (e->ninterned + 1) > e->interned_cap && !grow_interned(e))
        return 0;
    uint32_t hash = hash_string(s);
    struct emit_interned *slot;
    for (size_t i = hash;; i++) {
        slot = &e->interned[i & (e->interned_cap - 1)];
        if (slot->len == 0)
            break;
        if (slot->hash == hash && slot->len == s.n &&
            memcmp(e->strings.p + slot->at, s.p, s.n) == 0)
            return slot->at;
    }
    *slot = (struct emit_interned){add_string(e, s), (uint32_t)s.n, hash};
    e->ninterned++;
    return slot->at;
}

/* The section begins at a multiple of 8, so that a length at a multiple of 4 is aligned. */
uint32_t cupel__emit_str(struct emit *e, struct cupel__str s)
{
    uint32_t len = (uint32_t)s.n;
    (void)add_string(e, (struct cupel__str){"\0\0", -e->strings.n % 4});
    uint32_t at = add_string(e, (struct cupel__str){(const char *)&len, 4});
    (void)add_string(e, s);
    return at;
}

/* The options bound the number of host formats, so the list has a fixed size. */
uint32_t cupel__emit_format(struct emit *e, struct cupel__str name)
{
    if (e->format_names == NULL)
        e->format_names =
            cupel__arena_array(e->ir->arena, CUPEL__MAX_HOST_FORMATS, sizeof *e->format_names);
    if (e->format_names == NULL) {
        cupel__emit_no_memory(e);
        return 0;
    }
    for (uint32_t i = 0; i < e->formats.n; i++)
        if (cupel__str_eq(e->format_names[i], name))
            return i;
    uint32_t i = emit_word(e, &e->formats, cupel__emit_str(e, name));
    if (emit_ok(e))
        e->format_names[i] = name;
    return i;
}

/* -- Constants --------------------------------------------------------------------------------- */

/* A number's lexeme is followed by a byte that belongs to no number, so that readers stop there. */
static uint32_t add_lexeme(struct emit *e, const struct cupel__doc *doc, uint32_t node)
{
    uint32_t at = add_string(e, cupel__doc_span(doc, node));
    add_string(e, (struct cupel__str){"", 1});
    return at;
}

/* Appends one node of a constant.  Offsets are relative to the strings section until relocation.
 * Strings of more than CUPEL__SHARED_TEXT bytes are not interned. */
static void copy_node(struct emit *e, struct cupel__doc *doc, uint32_t node, uint32_t shift)
{
    struct cupel__node *from = &doc->nodes[node];
    struct cupel__node to = {.type = from->type, .exp = from->exp};
    if (from->type >= CUPEL__ARRAY) {
        to.count = from->count;
        to.end = from->end + shift;
    } else if (CUPEL__BIT(from->type) & CUPEL__M_STRING) {
        struct cupel__str s = cupel__doc_str(doc, from);
        to.type = CUPEL__STRING;
        to.flags = from->flags & CUPEL__KEY;
        to.len = (uint32_t)s.n;
        to.off = s.n > CUPEL__SHARED_TEXT ? add_string(e, s) : cupel__emit_string(e, s);
    } else if (from->flags & CUPEL__BIG) {
        to.flags = CUPEL__BIG;
        to.exp = 0;
        to.off = add_lexeme(e, doc, node);
    } else if (from->type > CUPEL__TRUE) {
        to.i = from->i;
    }
    e->values[e->nvalues++] = to;
}

uint32_t cupel__emit_value(struct emit *e, const struct ir_value *value)
{
    uint32_t end = cupel__node_next(value->doc->nodes, value->node);
    size_t n = end - value->node;
    if (!emit_ok(e) ||
        (e->nvalues + n > e->values_cap &&
         !cupel__emit_grow(e, &e->values, &e->values_cap, e->nvalues + n, sizeof *e->values)))
        return 0;
    uint32_t at = (uint32_t)e->nvalues;
    for (uint32_t i = value->node; i < end && emit_ok(e); i++)
        copy_node(e, value->doc, i, at - value->node);
    e->values[at].flags &=
        (uint8_t)~CUPEL__KEY; /* the value may be a member's name, which is a key there */
    return at;
}
