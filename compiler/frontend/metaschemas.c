/* metaschemas.c: the texts of the standard's meta-schemas, for `$ref` and `$schema`.
 *
 * The first reference to one makes it a document like any other (document.c); the others cost
 * nothing.  A schema that has one of these URIs as its `$id` takes the place of the meta-schema if
 * it is indexed before that is loaded, and must be equal to it otherwise (cupel__fe_claim_uri). */
#include "compiler/frontend/frontend.h"

/* The newest v1 meta-schema has a second URI.  embed.py makes the lines of metaschemas.inc from the
 * files in ../metaschemas during the build. */
bool cupel__fe_metaschema(struct cupel__str uri, struct cupel__str *ret_text)
{
    static const struct {
        struct cupel__str uri, text;
    } known[] = {
#define M(uri, text) {{(uri), sizeof(uri) - 1}, {(text), sizeof(text) - 1}},
#include "compiler/metaschemas.inc"
#undef M
    };
    if (cupel__fe_same_meta(uri, cupel__fe_drafts[DRAFT_V1].uri))
        uri = CUPEL__STR("https://json-schema.org/v1/2026");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (cupel__fe_same_meta(uri, known[i].uri)) {
            *ret_text = known[i].text;
            return true;
        }
    }
    return false;
}
