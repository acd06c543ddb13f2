/* metaschemas.c: the meta-schemas of all dialects, for references to them and for `$schema`.
 *
 * They are only texts here: the first reference to one makes a document of it like any other
 * (resolve.c), and what no schema refers to costs nothing.  A schema that has one of these URIs as
 * its `$id` has to be the same schema (resource.c). */
#include "compiler/frontend/frontend.h"

bool cupel__fe_metaschema(struct cupel__str uri, struct cupel__str *ret_text)
{
    /* The lines are made by embed.py from the files in ../metaschemas when the library is built. */
    static const struct {
        struct cupel__str uri, text;
    } known[] = {
#define M(uri, text) {{(uri), sizeof(uri) - 1}, {(text), sizeof(text) - 1}},
#include "compiler/metaschemas.inc"
#undef M
    };
    /* The newest of v1 has a second URI. */
    if (cupel__str_eq(uri, cupel__fe_drafts[DRAFT_V1].uri))
        uri = CUPEL__STR("https://json-schema.org/v1/2026");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (cupel__str_eq(uri, known[i].uri)) {
            *ret_text = known[i].text;
            return true;
        }
    }
    return false;
}
