/* shrink.c: makes a JSON text smaller as long as it keeps a property.
 *
 * Tried for each value in turn: leave it out, put a part of it in its place, put something simple
 * in its place.  After a success the next attempt is made on the smaller text, at the same place;
 * the end is a text of which nothing can be taken any more. */
#include "differential.h"

#include <string.h>

enum { MOST_ATTEMPTS = 3000 };

/* How a text is copied: with one value left out, or replaced by a text. */
struct edit {
    struct cupel_document *doc;
    uint32_t node;
    const char *bytes; /* NULL: leave it out */
    size_t len;
    struct cupel_text *out;
};

/* Recursion is as deep as the text, which has been read and so is within the limits. */
static void copy(struct edit *e, uint32_t node)
{
    struct cupel_document *doc = e->doc;
    size_t len;
    const char *span = cupel_json_span(doc, node, &len);
    bool object = cupel_json_type(doc, node) == CUPEL_JSON_OBJECT, begun = false;
    if (node == e->node || (!object && cupel_json_type(doc, node) != CUPEL_JSON_ARRAY)) {
        cupel_text_add(e->out, node == e->node ? e->bytes : span, node == e->node ? e->len : len);
        return;
    }
    cupel_text_adds(e->out, object ? "{" : "[");
    uint32_t child = cupel_json_first(doc, node);
    for (; child != CUPEL_NO_NODE; child = cupel_json_next(doc, node, child + object)) {
        if (e->bytes == NULL && child + object == e->node)
            continue;
        cupel_text_adds(e->out, begun ? "," : "");
        begun = true;
        if (object) {
            span = cupel_json_span(doc, child, &len);
            cupel_text_add(e->out, span, len);
            cupel_text_adds(e->out, ":");
        }
        copy(e, child + object);
    }
    cupel_text_adds(e->out, object ? "}" : "]");
}

struct shrinker {
    struct cupel_document *doc; /* of the text */
    struct cupel_text *text, candidate;
    shrink_keeps *keeps;
    void *ctx;
    int left;
};

/* Tries an edit; what keeps the property becomes the text. */
static bool attempt(struct shrinker *s, uint32_t node, const char *bytes, size_t len)
{
    struct edit e = {s->doc, node, bytes, len, &s->candidate};
    cupel_text_clear(&s->candidate);
    copy(&e, 0);
    if (s->candidate.failed || s->left-- <= 0 || s->candidate.len >= s->text->len ||
        !s->keeps(s->ctx, &s->candidate))
        return false;
    cupel_text_clear(s->text);
    cupel_text_add(s->text, s->candidate.bytes, s->candidate.len);
    return cupel_document_read(s->doc, s->text->bytes, s->text->len, NULL) == CUPEL_OK;
}

static bool simplify(struct shrinker *s, uint32_t node)
{
    static const char *const simple[] = {"{}", "true", "0", "1", "\"\""};
    size_t len;
    if (node != 0 && attempt(s, node, NULL, 0))
        return true;
    bool object = cupel_json_type(s->doc, node) == CUPEL_JSON_OBJECT;
    uint32_t child = cupel_json_first(s->doc, node);
    for (; child != CUPEL_NO_NODE; child = cupel_json_next(s->doc, node, child + object)) {
        const char *span = cupel_json_span(s->doc, child + object, &len);
        if (attempt(s, node, span, len))
            return true;
    }
    for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++)
        if (attempt(s, node, simple[i], strlen(simple[i])))
            return true;
    return false;
}

/* The values in the order of the text.  A success begins anew, since nodes have other numbers then.
 */
static bool simplify_below(struct shrinker *s, uint32_t node)
{
    bool object = cupel_json_type(s->doc, node) == CUPEL_JSON_OBJECT;
    if (simplify(s, node))
        return true;
    uint32_t child = cupel_json_first(s->doc, node);
    for (; child != CUPEL_NO_NODE; child = cupel_json_next(s->doc, node, child + object))
        if (simplify_below(s, child + object))
            return true;
    return false;
}

void shrink(struct cupel_text *text, shrink_keeps *keeps, void *ctx)
{
    struct shrinker s = {.text = text, .keeps = keeps, .ctx = ctx, .left = MOST_ATTEMPTS};
    cupel_text_init(&s.candidate, NULL);
    if (cupel_document_new(NULL, &s.doc) == CUPEL_OK &&
        cupel_document_read(s.doc, text->bytes, text->len, NULL) == CUPEL_OK)
        while (s.left > 0 && simplify_below(&s, 0))
            ;
    cupel_document_free(s.doc);
    cupel_text_free(&s.candidate);
}
