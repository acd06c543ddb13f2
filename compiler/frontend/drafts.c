/* drafts.c: the drafts of JSON Schema, by URI and by option. */
#include "compiler/frontend/frontend.h"

#include <string.h>

const struct fe_draft cupel__fe_drafts[DRAFTS] = {
    [DRAFT_4] = {FE_STR("http://json-schema.org/draft-04/schema"), CUPEL_DRAFT_4, KW_ID_4, true},
    [DRAFT_6] = {FE_STR("http://json-schema.org/draft-06/schema"), CUPEL_DRAFT_6, KW_ID, true},
    [DRAFT_7] = {FE_STR("http://json-schema.org/draft-07/schema"), CUPEL_DRAFT_7, KW_ID, true},
    [DRAFT_2019] = {FE_STR("https://json-schema.org/draft/2019-09/schema"), CUPEL_2019_09, KW_ID,
                    false},
    [DRAFT_2020] = {FE_STR("https://json-schema.org/draft/2020-12/schema"), CUPEL_2020_12, KW_ID,
                    false},
    [DRAFT_V1] = {FE_STR("https://json-schema.org/v1"), CUPEL_V1, KW_ID, false}};

/* The part of a URI behind http:// or https://; all of it if it has another scheme. */
static struct cupel__str without_scheme(struct cupel__str uri)
{
    static const struct cupel__str schemes[] = {FE_STR("https://"), FE_STR("http://")};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        if (uri.n > schemes[i].n && memcmp(uri.p, schemes[i].p, schemes[i].n) == 0)
            return (struct cupel__str){uri.p + schemes[i].n, uri.n - schemes[i].n};
    }
    return uri;
}

bool cupel__fe_same_meta(struct cupel__str a, struct cupel__str b)
{
    struct cupel__str x = without_scheme(a), y = without_scheme(b);
    return (x.n == a.n) == (y.n == b.n) && cupel__str_eq(x, y);
}

/* v1 also has a URI with the year; 2026 is the only one that is known here. */
unsigned cupel__fe_draft_find(struct cupel__str uri)
{
    if (uri.n > 0 && uri.p[uri.n - 1] == '#')
        uri.n--;
    unsigned d = 0;
    while (d < DRAFTS && !cupel__fe_same_meta(uri, cupel__fe_drafts[d].uri))
        d++;
    return cupel__fe_same_meta(uri, CUPEL__STR("https://json-schema.org/v1/2026")) ? DRAFT_V1 : d;
}

struct fe_dialect cupel__fe_draft_dialect(unsigned draft)
{
    unsigned set = VOCAB_STANDARD | (draft == DRAFT_V1 ? VOCAB_FORMAT_ASSERTION : 0u);
    return (struct fe_dialect){(uint8_t)draft, (uint8_t)set};
}

unsigned cupel__fe_draft_option(enum cupel_dialect option)
{
    for (unsigned d = 0; d < DRAFTS; d++) {
        if (cupel__fe_drafts[d].option == option)
            return d;
    }
    return DRAFT_2020;
}
