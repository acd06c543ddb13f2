/* keywords.c: keywords.def as tables, and the look-up of a keyword by its name. */
#include "compiler/frontend/frontend.h"

#include <string.h>

const struct fe_keyword cupel__fe_keywords[KEYWORDS] = {
#define K(name, json, slot, shape, vocabulary, first, last, apply, lower)      \
    [KW_##name] = {{json, sizeof json - 1}, SHAPE_##shape, VOCAB_##vocabulary, \
                   DRAFT_##first,           DRAFT_##last,  APPLY_##apply},
#include "compiler/frontend/keywords.def"
};

static const uint8_t slots[256] = {
#define K(name, json, slot, shape, vocabulary, first, last, apply, lower) [slot] = KW_##name,
#include "compiler/frontend/keywords.def"
};

/* The multiplier was found by search: it gives every keyword a slot of its own, so a look-up is one
 * comparison. */
unsigned cupel__fe_keyword_slot(uint32_t hash)
{
    return (hash * 0x219fd95bu) >> 24;
}

/* The reader has computed the hash already, to find names that occur twice. */
enum keyword cupel__fe_keyword_find(struct cupel__str name, uint32_t hash)
{
    enum keyword kw = slots[cupel__fe_keyword_slot(hash)];
    const struct cupel__str *known = &cupel__fe_keywords[kw].name;
    return name.n == known->n && memcmp(name.p, known->p, name.n) == 0 ? kw : KW_NONE;
}
