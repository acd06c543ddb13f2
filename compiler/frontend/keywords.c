/* keywords.c: keywords.def as tables, and finding a keyword by its name. */
#include "frontend.h"

#include <string.h>

const struct fe_keyword fe_keywords[KEYWORDS] = {
#define K(name, json, slot, shape, vocabulary, first, last, apply)             \
    [KW_##name] = {{json, sizeof json - 1}, SHAPE_##shape, VOCAB_##vocabulary, \
                   DRAFT_##first,           DRAFT_##last,  APPLY_##apply},
#include "keywords.def"
};

static const uint8_t slots[256] = {
#define K(name, json, slot, shape, vocabulary, first, last, apply) [slot] = KW_##name,
#include "keywords.def"
};

enum { LONGEST_NAME = sizeof "unevaluatedProperties" - 1 };

/* The multiplier was searched for: it gives every keyword a slot of its own. */
unsigned fe_keyword_slot(struct cupel__str name)
{
    uint32_t h = (uint32_t)name.n;
    for (size_t i = 0; i < name.n; i++)
        h = (h ^ (unsigned char)name.p[i]) * 0xee24394fu;
    return h >> 24;
}

enum keyword fe_keyword_find(struct cupel__str name)
{
    if (name.n == 0 || name.n > LONGEST_NAME)
        return KW_NONE;
    enum keyword kw = slots[fe_keyword_slot(name)];
    const struct cupel__str *known = &fe_keywords[kw].name;
    return name.n == known->n && memcmp(name.p, known->p, name.n) == 0 ? kw : KW_NONE;
}
