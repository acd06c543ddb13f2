/* frontend.c: what every file of the frontend uses: errors with a place in the schema, URIs, and
 * the list of reachable schemas.
 *
 * It calls no other file of the frontend. */
#include "compiler/frontend/frontend.h"
#include "base/error.h"

#include "base/arena_allocator.h"
#include "base/json/document.h"
#include "base/uri.h"
#include <stdarg.h>
#include <stdio.h>

/* -- Errors ----------------------------------------------------------------------------------- */

/* The document may be a subtree of a larger text (cupel_compile_node).  The pointer then begins at
 * the subtree's root, so the pointer to that root is cut off. */
void cupel__fe_pointer(const struct frontend *fe, uint32_t doc, uint32_t node,
                       struct cupel_text *buf)
{
    struct cupel_text whole;
    cupel_text_init(&whole, &fe->alloc);
    cupel__doc_pointer(fe->g.docs[doc].json, fe->g.docs[doc].root, &whole);
    size_t skip = whole.len;
    whole.len = 0;
    cupel__doc_pointer(fe->g.docs[doc].json, node, &whole);
    if (!whole.failed && whole.len > skip)
        cupel_text_add(buf, whole.bytes + skip, whole.len - skip);
    cupel_text_free(&whole);
}

/* Formats the sentence and fills in the place of the node and the JSON Pointer to it.  Documents
 * other than the first are named by their URI.  Without memory for the pointer the error has none.
 */
enum cupel_status cupel__fe_fail(const struct frontend *fe, enum cupel_status status, uint32_t doc,
                                 uint32_t node, const char *format, ...)
{
    const struct graph_doc *d = &fe->g.docs[doc];
    char text[384];
    va_list args;
    if (fe->err == NULL)
        return status;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (doc == 0)
        cupel__error_set(fe->err, status, "%s", text);
    else
        cupel__error_set(fe->err, status, "%s (in %.*s)", text, FE_TEXT(d->uri));
    cupel__error_set_position(fe->err, d->json->base[0], d->json->len,
                              (size_t)(cupel__doc_span(d->json, node).p - d->json->base[0]));
    struct cupel_text where;
    cupel_text_init(&where, &fe->alloc);
    cupel__fe_pointer(fe, doc, node, &where);
    if (!where.failed)
        cupel__error_set_pointer(fe->err, where.bytes, where.len);
    cupel_text_free(&where);
    return status;
}

enum cupel_status cupel__fe_no_memory(const struct frontend *fe)
{
    return cupel__error_set(fe->err, CUPEL_E_NO_MEMORY, "out of memory");
}

/* -- Identifiers ------------------------------------------------------------------------------ */

/* Returns the reference resolved against `base` and normalised, in the arena.  All URIs together
 * are bounded by four times `schema_bytes`: a long base and many short references would otherwise
 * take memory out of proportion to the schema. */
enum cupel_status cupel__fe_uri(struct frontend *fe, struct cupel__str base, struct cupel__str ref,
                                struct cupel__str *ret)
{
    struct cupel__str uri = cupel__uri_resolve(fe->arena, base, ref);
    if (uri.p != NULL)
        uri = cupel__uri_normalise(fe->arena, uri);
    if (uri.p == NULL)
        return cupel__fe_no_memory(fe);
    fe->uri_bytes += uri.n;
    if (fe->uri_bytes / 4 > fe->options->limits[CUPEL_LIMIT_SCHEMA_BYTES])
        return cupel__error_set(fe->err, CUPEL_E_SCHEMA_SIZE,
                                "the URIs of the schema are too long, all together");
    *ret = uri;
    return CUPEL_OK;
}

/* -- Reachable schemas ------------------------------------------------------------------------ */

enum cupel_status cupel__fe_reach(struct frontend *fe, uint32_t i)
{
    struct graph *g = &fe->g;
    if (g->schemas[i].number != GRAPH_NONE)
        return CUPEL_OK;
    if (FE_GROW(fe, g->order, fe->order_cap, g->nreached + (size_t)1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    g->schemas[i].number = g->nreached;
    g->order[g->nreached++] = i;
    return CUPEL_OK;
}
