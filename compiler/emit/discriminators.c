/* discriminators.c: the discriminator of a CHOOSE or CASES as tables.
 *
 * There is a table of keys, a table of tags for each key, and the sets of branches.  Tables refer
 * to sets by number, so the sets are numbered first, and written before the tables.  image.h has
 * the layout. */
#include "compiler/emit/emit.h"
#include "vm/program/name_table.h"
#include <string.h>

struct discriminator {
    struct emit *e;
    const struct ir_discriminator *from;
    uint64_t *sets;
    uint32_t nsets;
    struct ir_name **tags; /* of each key: its values, `schema` the number of a set */
    uint32_t *unlisted;    /* of each key: the number of the set for values that are no tag */
    uint32_t masks;        /* offset in the tables section */
};

/* The number of a set.  Only the last sets are searched for an equal one, since tags with equal
 * sets are mostly adjacent. */
static uint32_t number_of(struct discriminator *s, uint64_t set)
{
    enum { LOOK = 16 };
    for (uint32_t i = s->nsets; i > 0 && i + LOOK > s->nsets; i--)
        if (s->sets[i - 1] == set)
            return i - 1;
    s->sets[s->nsets] = set;
    return s->nsets++;
}

/* Makes a name of a tag.  An integer's name is its bytes (cupel__integer_name). */
static bool name_tag(struct discriminator *s, const struct ir_tag *tag, struct ir_name *ret)
{
    char *bytes = NULL;
    *ret = (struct ir_name){.name = tag->text, .schema = number_of(s, tag->set)};
    if (tag->is_text)
        return true;
    bytes = cupel__arena_alloc(s->e->ir->arena, CUPEL__INTEGER_NAME);
    if (bytes == NULL)
        return false;
    cupel__integer_name(tag->integer, bytes);
    ret->name = (struct cupel__str){bytes, CUPEL__INTEGER_NAME};
    return true;
}

static bool number_key(struct discriminator *s, uint32_t k)
{
    const struct ir_key *key = &s->from->keys[k];
    struct ir_name *names = cupel__arena_array(s->e->ir->arena, key->ntags, sizeof *names);
    s->tags[k] = names;
    s->unlisted[k] = number_of(s, key->unlisted);
    for (uint32_t i = 0; names != NULL && i < key->ntags; i++)
        if (!name_tag(s, &key->tags[i], &names[i]))
            return false;
    return names != NULL;
}

/* Numbers the sets in the order in which the VM expects them: for each type of the value; for each
 * key, if it is absent; for each key, if its value has another type, or if `exact` for each type of
 * the one key's value; then for each key those of values that are no tag, and of the tags. */
static bool number_sets(struct discriminator *s)
{
    struct cupel__arena *arena = s->e->ir->arena;
    size_t most = 2 * CUPEL__TYPES; /* of the value, and of a member */
    for (uint32_t k = 0; k < s->from->nkeys; k++)
        most += 3 + (size_t)s->from->keys[k].ntags;
    s->sets = cupel__arena_array(arena, most, sizeof *s->sets);
    s->tags = cupel__arena_array(arena, s->from->nkeys, sizeof(struct ir_name *));
    s->unlisted = cupel__arena_array(arena, s->from->nkeys, sizeof *s->unlisted);
    if (s->sets == NULL || s->tags == NULL || s->unlisted == NULL)
        return false;
    for (int type = 0; type < CUPEL__TYPES; type++)
        s->sets[s->nsets++] = s->from->types[type];
    for (uint32_t k = 0; k < s->from->nkeys; k++)
        s->sets[s->nsets++] = s->from->keys[k].absent;
    for (uint32_t k = 0; k < s->from->nkeys && !s->from->exact; k++)
        s->sets[s->nsets++] = s->from->keys[k].other_typed;
    for (int type = 0; type < CUPEL__TYPES && s->from->exact; type++)
        s->sets[s->nsets++] = s->from->keys[0].types[type];
    for (uint32_t k = 0; k < s->from->nkeys; k++)
        if (!number_key(s, k))
            return false;
    return true;
}

/* Writes both halves in this machine's order, since the VM reads them as one word. */
static void put64(struct emit *e, uint64_t x)
{
    uint32_t half[2];
    memcpy(half, &x, sizeof x);
    emit_word(e, &e->tables, half[0]);
    emit_word(e, &e->tables, half[1]);
}

/* Writes a struct cupel__masks.  `needed` has the keys that an object must be searched for. */
static void put_masks(struct discriminator *s, uint32_t branches)
{
    struct emit *e = s->e;
    uint64_t needed = 0;
    for (uint32_t k = 0; k < s->from->nkeys; k++)
        if (s->from->exact || (s->from->types[CUPEL__OBJECT] & ~s->from->keys[k].absent) != 0)
            needed |= UINT64_C(1) << k;
    if (e->tables.n % 2 != 0)
        emit_word(e, &e->tables, 0);
    uint32_t words =
        (uint32_t)offsetof(struct cupel__masks, set) / 4 - 1 + 2 * s->nsets + s->from->nbits;
    s->masks = 4 * emit_word(e, &e->tables, words);
    emit_word(e, &e->tables, branches);
    emit_word(e, &e->tables, s->from->nbits);
    emit_word(e, &e->tables, s->nsets);
    put64(e, needed);
    for (uint32_t i = 0; i < s->nsets; i++)
        put64(e, s->sets[i]);
    for (uint32_t i = 0; i < s->from->nbits; i++)
        emit_word(e, &e->tables, CUPEL__SPAN(s->from->spans[i].first, s->from->spans[i].n));
}

/* Writes the tables; returns the offset of the table of keys. */
static uint32_t put_tables(struct discriminator *s)
{
    struct emit *e = s->e;
    uint32_t n = s->from->nkeys;
    struct ir_name *names = cupel__arena_array(e->ir->arena, n, sizeof *names);
    if (names == NULL) {
        cupel__emit_no_memory(e);
        return 0;
    }
    for (uint32_t k = 0; k < n; k++) {
        struct emit_table tags = {.names = s->tags[k],
                                  .count = s->from->keys[k].ntags,
                                  .masks = s->masks,
                                  .use = EMIT_TAGS,
                                  .other = s->unlisted[k],
                                  .name = k};
        names[k] =
            (struct ir_name){.name = s->from->keys[k].name, .schema = cupel__emit_table(e, &tags)};
    }
    return cupel__emit_table(
        e, &(struct emit_table){.names = names, .count = n, .masks = s->masks, .use = EMIT_KEYS});
}

uint32_t cupel__emit_discriminator(struct emit *e, const struct ir_discriminator *discriminator,
                                   uint32_t branches)
{
    struct discriminator s = {.e = e, .from = discriminator};
    if (!emit_ok(e))
        return 0;
    if (!number_sets(&s)) {
        cupel__emit_no_memory(e);
        return 0;
    }
    put_masks(&s, branches);
    return put_tables(&s);
}
