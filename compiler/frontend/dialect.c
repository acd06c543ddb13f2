/* dialect.c: the dialects of JSON Schema and how they differ outside of keywords.
 *
 * Which keywords a dialect knows is in keywords.def, what their values may be in shape.c. */
#include "frontend.h"

#define URI(s)             \
    {                      \
        (s), sizeof(s) - 1 \
    }

const struct fe_dialect fe_dialects[DRAFTS] = {
    [DRAFT_4] = {URI("http://json-schema.org/draft-04/schema"), CUPEL_DRAFT_4, KW_ID_4, true},
    [DRAFT_6] = {URI("http://json-schema.org/draft-06/schema"), CUPEL_DRAFT_6, KW_ID, true},
    [DRAFT_7] = {URI("http://json-schema.org/draft-07/schema"), CUPEL_DRAFT_7, KW_ID, true},
    [DRAFT_2019] = {URI("https://json-schema.org/draft/2019-09/schema"), CUPEL_2019_09, KW_ID,
                    false},
    [DRAFT_2020] = {URI("https://json-schema.org/draft/2020-12/schema"), CUPEL_2020_12, KW_ID,
                    false}};

/* The URIs of the older drafts are written with an empty fragment, which says nothing. */
unsigned fe_dialect_find(struct cupel__str uri)
{
    if (uri.n > 0 && uri.p[uri.n - 1] == '#')
        uri.n--;
    unsigned d = 0;
    while (d < DRAFTS && !cupel__str_eq(uri, fe_dialects[d].uri))
        d++;
    return d;
}

unsigned fe_dialect_option(enum cupel_dialect option)
{
    for (unsigned d = 0; d < DRAFTS; d++) {
        if (fe_dialects[d].option == option)
            return d;
    }
    return DRAFT_2020;
}
