/* name_tables.c: tables of names: perfect hashing.
 *
 * A small table tries multipliers until every name has a slot of its own.  A large one has
 * displacements, which are found bucket by bucket, the fullest first.  The hash of a name reads its
 * length and its first and last eight bytes.  If names agree in it, the middle is hashed too, then
 * the whole name; if that does not help, the table is sorted and searched.  The same names give the
 * same table.
 *
 * vm/program/name_table.h has the layout and the look-up. */
#include "base/hash.h"
#include "compiler/emit/emit.h"
#include "vm/program/name_table.h"
#include <stdlib.h>
#include <string.h>

enum { SMALL = 64, SMALL_SLOTS = 1024, TRIES = 16, LAST_TRIES = 128, MAX_SLOT_BITS = 17 };

struct name {
    const char *p;
    uint32_t len, hash;
    char start[16]; /* zeroes after a shorter name */
};

struct builder {
    struct emit *e;
    const struct emit_table *spec;
    struct cupel__table t;
    struct name *names;
    uint32_t *hashes; /* of names; times mult for a large table */
    uint32_t *order;  /* entry i is name order[i] */
    uint16_t *slots;  /* entry + 1 */
    uint8_t *disp;
    uint32_t *buckets; /* names by bucket: heads and links */
    size_t nslots;

    /* The arrays of a small table, which needs no allocation. */
    struct name small_names[SMALL];
    uint32_t small_order[SMALL], small_hashes[SMALL];
    uint16_t small_slots[SMALL_SLOTS];
};

/* The next multiplier of a fixed sequence, so that images are reproducible. */
static uint32_t next_mult(uint64_t *state)
{
    uint64_t z = *state += CUPEL__GOLDEN_RATIO;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(z ^ z >> 31) | 1;
}

/* Prepares a name.  Reads only the name's bytes. */
static struct name name_of(struct cupel__str s)
{
    struct name n = {.p = s.p, .len = (uint32_t)s.n};
    if (s.n > 0)
        memcpy(n.start, s.p, s.n < 16 ? s.n : 16);
    n.hash = cupel__name_hash(s.n < 8 ? n.start : s.p, n.len);
    return n;
}

static uint32_t hash_of(const struct builder *b, const struct name *n)
{
    return cupel__table_hash(&b->t, n->hash, n->p, n->len);
}

static void hash_all(struct builder *b)
{
    for (uint32_t i = 0; i < b->spec->count; i++)
        b->hashes[i] = hash_of(b, &b->names[i]);
}

/* -- Small tables ---------------------------------------------------------------------------------
 */

/* The slot in a table without displacements. */
static size_t slot_of(const struct builder *b, uint32_t i)
{
    return b->hashes[i] * b->t.mult >> b->t.shift;
}

/* Whether the names have different slots. */
static bool are_apart(const struct builder *b)
{
    uint64_t taken[SMALL_SLOTS / 64] = {0};
    for (uint32_t i = 0; i < b->spec->count; i++) {
        size_t slot = slot_of(b, i);
        uint64_t bit = UINT64_C(1) << (slot % 64);
        if (taken[slot / 64] & bit)
            return false;
        taken[slot / 64] |= bit;
    }
    return true;
}

static void place_directly(struct builder *b)
{
    memset(b->slots, 0, b->nslots * sizeof *b->slots);
    for (uint32_t i = 0; i < b->spec->count; i++)
        b->slots[slot_of(b, i)] = (uint16_t)(i + 1);
}

/* Tries sizes from the smallest, and several multipliers for each.  Beyond FEW names small sizes
 * are hopeless and are skipped. */
static bool build_small(struct builder *b)
{
    enum { FEW = 33 };
    uint64_t state = 0;
    unsigned bits = 1, most;
    b->t.mult = 1;
    hash_all(b);
    while ((1u << bits) < b->spec->count)
        bits++;
    most = bits + (b->spec->count < FEW ? 4 : 5);
    for (bits += b->spec->count < FEW ? 0 : 2; bits < most; bits++) {
        b->t.shift = (uint8_t)(32 - bits);
        b->nslots = (size_t)1 << bits;
        for (int i = 0; i < (bits < most - 1 ? TRIES : LAST_TRIES); i++) {
            b->t.mult = next_mult(&state);
            if (are_apart(b)) {
                place_directly(b);
                return true;
            }
        }
    }
    return false;
}

/* -- Large tables ---------------------------------------------------------------------------------
 */

static uint32_t bucket_of(const struct builder *b, uint32_t i)
{
    return b->hashes[i] << (32 - b->t.shift) >> (32 - b->t.disp);
}

/* Whether all names of a bucket find free slots with displacement d; if so, takes them. */
static bool try_displacement(struct builder *b, uint32_t head, const uint32_t *link, unsigned d)
{
    for (uint32_t i = head; i != 0; i = link[i - 1]) {
        size_t slot = (b->hashes[i - 1] >> b->t.shift) ^ d;
        if (b->slots[slot] == 0) {
            b->slots[slot] = (uint16_t)i;
            continue;
        }
        for (uint32_t j = head; j != i; j = link[j - 1])
            b->slots[(b->hashes[j - 1] >> b->t.shift) ^ d] = 0;
        return false;
    }
    return true;
}

static bool place_bucket(struct builder *b, uint32_t bucket, uint32_t head, const uint32_t *link)
{
    for (unsigned d = 0; d < 256; d++) {
        if (try_displacement(b, head, link, d)) {
            b->disp[bucket] = (uint8_t)d;
            return true;
        }
    }
    return false;
}

/* Places the buckets, the largest first.  False at once if a bucket has more than 8 names, which is
 * hardly ever so by chance. */
static bool place_displaced(struct builder *b)
{
    uint32_t n = b->spec->count, nbuckets = 1u << b->t.disp;
    uint32_t *head = b->buckets, *size = head + nbuckets, *link = size + nbuckets;
    memset(head, 0, 2 * nbuckets * sizeof *head);
    memset(b->slots, 0, b->nslots * sizeof *b->slots);
    memset(b->disp, 0, nbuckets);
    hash_all(b);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bucket = bucket_of(b, i);
        link[i] = head[bucket];
        head[bucket] = i + 1;
        if (++size[bucket] > 8)
            return false;
    }
    for (uint32_t want = 8; want > 0; want--)
        for (uint32_t i = 0; i < nbuckets; i++)
            if (size[i] == want && !place_bucket(b, i, head[i], link))
                return false;
    return true;
}

static bool build_large(struct builder *b)
{
    uint64_t state = 0;
    unsigned bits = 8;
    while ((1u << bits) < b->spec->count + b->spec->count / 2)
        bits++;
    if (bits >= MAX_SLOT_BITS)
        return false;
    b->t.shift = (uint8_t)(32 - bits);
    b->nslots = (size_t)1 << bits;
    b->t.disp = (uint8_t)(bits - 2);
    for (int i = 0; i < TRIES; i++) {
        b->t.mult = next_mult(&state);
        if (place_displaced(b))
            return true;
    }
    b->t.disp = 0;
    return false;
}

/* -- Names that are alike -------------------------------------------------------------------------
 */

/* The order in which name_table.c searches. */
static int by_name(const void *x, const void *y)
{
    const struct name *a = x, *b = y;
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    return a->len == 0 ? 0 : memcmp(a->p, b->p, a->len);
}

static bool build(struct builder *b)
{
    return b->spec->count <= SMALL ? build_small(b) : build_large(b);
}

static struct name *sort_names(struct builder *b)
{
    uint32_t n = b->spec->count;
    struct name *sorted = cupel__arena_array(b->e->ir->arena, n, sizeof *sorted);
    if (sorted == NULL) {
        cupel__emit_no_memory(b->e);
        return NULL;
    }
    memcpy(sorted, b->names, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_name);
    return sorted;
}

/* Sorts the entries as name_table.c searches them, each with its index in the original list. */
static void build_sorted(struct builder *b)
{
    const struct name *sorted = sort_names(b);
    if (sorted == NULL)
        return;
    b->t.flags = CUPEL__TABLE_SORTED;
    b->t.shift = 31;
    b->t.disp = 0;
    b->t.mult = 0;
    b->nslots = 0;
    for (uint32_t i = 0; i < b->spec->count; i++) {
        const struct name *hit =
            bsearch(&b->names[i], sorted, b->spec->count, sizeof *sorted, by_name);
        if (hit != NULL)
            b->order[hit - sorted] = i;
    }
    memcpy(b->names, sorted, b->spec->count * sizeof *sorted);
}

/* Chooses the simplest hash without collisions. */
static void choose(struct builder *b)
{
    const uint32_t n = b->spec->count;
    for (uint32_t i = 0; i < n; i++)
        b->order[i] = i;
    if (n < UINT16_MAX && build(b))
        return;
    b->t.flags = CUPEL__TABLE_MIDDLE;
    if (n < UINT16_MAX && build(b))
        return;
    b->t.flags = CUPEL__TABLE_WHOLE;
    if (n < UINT16_MAX && build(b))
        return;
    build_sorted(b);
}

/* -- Writing --------------------------------------------------------------------------------------
 */

/* Writes displacements and slots, with zeros up to a whole word. */
static void write_slots(struct builder *b)
{
    bool wide = b->t.flags & CUPEL__TABLE_WIDE;
    size_t ndisp = cupel__table_ndisp(&b->t), size = ndisp + (b->nslots << wide);
    size_t padded = (size + 3) & ~(size_t)3;
    uint8_t *bytes = (uint8_t *)emit_reserve_words(b->e, &b->e->tables, padded / 4);
    if (bytes == NULL)
        return;
    memset(bytes + size, 0, padded - size);
    if (ndisp > 0)
        memcpy(bytes, b->disp, ndisp);
    bytes += ndisp;
    for (size_t i = 0; i < b->nslots; i++) {
        bytes[i << wide] = (uint8_t)b->slots[i];
        if (wide)
            bytes[(i << wide) + 1] = (uint8_t)(b->slots[i] >> 8);
    }
}

static bool is_long(const struct name *n)
{
    return n->len >= 16;
}

/* An entry with the name as the VM compares it: followed by the closing quote. */
static struct cupel__entry entry_of(const struct name *n, unsigned flags)
{
    struct cupel__entry entry = {.required = (flags & IR_NAME_REQUIRED) != 0};
    memcpy(entry.name, n->start, sizeof entry.name);
    if (flags & IR_NAME_UNKNOWN)
        entry.flags |= CUPEL__ENTRY_UNKNOWN;
    if (is_long(n)) {
        entry.flags |= CUPEL__ENTRY_LONG;
    } else {
        entry.name[n->len] = '"';
        entry.ignore = cupel__entry_ignore(n->len);
    }
    return entry;
}

enum {
    ENTRY_WORDS = sizeof(struct cupel__entry) / 4,
    ENTRY_SUB = offsetof(struct cupel__entry, sub) / 4
};

static void write_entry(struct builder *b, uint32_t i)
{
    struct emit *e = b->e;
    const struct ir_name *from = &b->spec->names[b->order[i]];
    const struct cupel__entry entry = entry_of(&b->names[i], from->flags);
    uint32_t at = (uint32_t)e->tables.n + ENTRY_SUB,
             *room = emit_reserve_words(e, &e->tables, ENTRY_WORDS);
    if (room == NULL)
        return;
    memcpy(room, &entry, sizeof entry);
    if (b->spec->use != EMIT_NAMES)
        room[ENTRY_SUB] = from->schema;
    if (b->spec->use == EMIT_KEYS)
        emit_reloc(e, EMIT_TABLES, at, EMIT_FIX_TABLE);
    if (b->spec->object)
        cupel__emit_sub(e, EMIT_TABLES, at,
                        from->flags & IR_NAME_UNKNOWN ? b->spec->other : from->schema);
}

/* Writes the list of long names.  Returns whether there are any. */
static bool write_names(struct builder *b)
{
    struct emit *e = b->e;
    bool any = false;
    for (uint32_t i = 0; i < b->spec->count; i++)
        any |= is_long(&b->names[i]);
    if (!any)
        return false;
    b->t.names = 4 * emit_word(e, &e->tables, 2 * b->spec->count);
    for (uint32_t i = 0; i < b->spec->count; i++) {
        const struct name *n = &b->names[i];
        bool has = is_long(n);
        uint32_t word = emit_word(
            e, &e->tables, has ? cupel__emit_string(e, (struct cupel__str){n->p, n->len}) : 0);
        emit_word(e, &e->tables, has ? n->len : 0);
        if (has)
            emit_reloc(e, EMIT_TABLES, word, EMIT_FIX_STRING);
    }
    return true;
}

/* Writes the patterns of a PROPS, or refers to the sets of a discriminator; whether there are any.
 */
static bool write_matches(struct builder *b)
{
    struct emit *e = b->e;
    if (b->spec->use != EMIT_NAMES) {
        b->t.matches = b->spec->masks;
        b->t.other = b->spec->other;
        b->t.name = b->spec->name;
        return true;
    }
    if (b->spec->nmatches == 0)
        return false;
    b->t.matches = 4 * emit_word(e, &e->tables, 2 * b->spec->nmatches);
    for (uint32_t i = 0; i < b->spec->nmatches; i++) {
        emit_word(e, &e->tables, b->spec->matches[i].pattern);
        cupel__emit_sub(e, EMIT_TABLES, emit_word(e, &e->tables, 0), b->spec->matches[i].schema);
    }
    return true;
}

/* Offset of a field in words. */
#define WORD_OF(field) ((uint32_t)(offsetof(struct cupel__table, field) / 4))

/* Writes the header, the slots, the entries and the lists of the table; returns its offset in the
 * tables section.  Sets the header's flags and counts. */
static uint32_t write(struct builder *b)
{
    struct emit *e = b->e;
    for (uint32_t i = 0; i < b->spec->count; i++) {
        const struct name *n = &b->names[i];
        b->t.lengths |= 1u << (n->len < 31 ? n->len : 31);
        b->t.required += (b->spec->names[i].flags & IR_NAME_REQUIRED) != 0;
        if (n->len > 0 && memchr(n->p, '"', n->len) != NULL)
            b->t.flags |= CUPEL__TABLE_QUOTE;
    }
    if (b->spec->has_other)
        b->t.flags |= CUPEL__TABLE_OTHER;
    if (b->spec->count > UINT8_MAX && !(b->t.flags & CUPEL__TABLE_SORTED))
        b->t.flags |= CUPEL__TABLE_WIDE;
    b->t.count = b->spec->count;
    if (cupel__table_is_plain(&b->t))
        b->t.flags |= CUPEL__TABLE_PLAIN;
    size_t slots = b->nslots << ((b->t.flags & CUPEL__TABLE_WIDE) != 0);
    b->t.entries = (uint32_t)(sizeof b->t + ((cupel__table_ndisp(&b->t) + slots + 3) & ~(size_t)3));
    bool has_names = write_names(b), has_matches = write_matches(b);
    uint32_t at = (uint32_t)e->tables.n, *room = emit_reserve_words(e, &e->tables, sizeof b->t / 4);
    if (room == NULL)
        return 0;
    memcpy(room, &b->t, sizeof b->t);
    if (has_names)
        emit_reloc(e, EMIT_TABLES, at + WORD_OF(names), EMIT_FIX_TABLE);
    if (has_matches)
        emit_reloc(e, EMIT_TABLES, at + WORD_OF(matches), EMIT_FIX_TABLE);
    if (b->spec->object) {
        cupel__emit_sub(e, EMIT_TABLES, at + WORD_OF(other), b->spec->other);
        cupel__emit_sub(e, EMIT_TABLES, at + WORD_OF(name), b->spec->name);
    }
    write_slots(b);
    for (uint32_t i = 0; i < b->spec->count; i++)
        write_entry(b, i);
    return at * 4;
}

/* Reserves the arrays; small tables use those in the builder. */
static bool reserve(struct builder *b, uint32_t n)
{
    struct cupel__arena *arena = b->e->ir->arena;
    size_t slots = 4 * (size_t)n + 512;
    if (n <= SMALL) {
        b->names = b->small_names;
        b->order = b->small_order;
        b->hashes = b->small_hashes;
        b->slots = b->small_slots;
        return true;
    }
    b->names = cupel__arena_array(arena, n, sizeof *b->names);
    b->hashes = cupel__arena_array(arena, n, sizeof *b->hashes);
    b->order = cupel__arena_array(arena, n, sizeof *b->order);
    b->slots = cupel__arena_array(arena, slots, sizeof *b->slots);
    b->disp = cupel__arena_alloc(arena, slots);
    b->buckets = cupel__arena_array(arena, 2 * slots + n, sizeof *b->buckets);
    return b->names != NULL && b->hashes != NULL && b->order != NULL && b->slots != NULL &&
           b->disp != NULL && b->buckets != NULL;
}

uint32_t cupel__emit_table(struct emit *e, const struct emit_table *spec)
{
    struct builder b;
    memset(&b, 0, offsetof(struct builder, small_names));
    b.e = e;
    b.spec = spec;
    if (!reserve(&b, spec->count)) {
        cupel__emit_no_memory(e);
        return 0;
    }
    for (uint32_t i = 0; i < spec->count; i++)
        b.names[i] = name_of(spec->names[i].name);
    choose(&b);
    return emit_ok(e) ? write(&b) : 0;
}
