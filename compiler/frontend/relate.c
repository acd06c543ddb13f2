/* relate.c: keywords whose meaning depends on a sibling keyword, on the dialect or on the options.
 *
 * It runs once for each schema, when all its keywords are indexed, and turns them into the forms
 * that graph.h describes: bounds made exclusive by a sibling, items after a prefix, formats that
 * assert, and NONE for keywords without effect where they stand. */
#include "compiler/frontend/frontend.h"

#include "vm/formats/formats.h"
#include <string.h>

/* -- Formats and content ---------------------------------------------------------------------- */

/* The number of a format: one of cupel's, CUPEL__FORMATS for one of the host's, GRAPH_NONE for an
 * unknown one. */
static uint32_t find_format(const struct cupel_options *options, unsigned draft,
                            struct cupel__str name)
{
    enum cupel__format format;
    if (cupel__host_format_find(options, name) != NULL)
        return CUPEL__FORMATS;
    if (cupel__format_find(name.p, name.n, (unsigned)cupel__fe_drafts[draft].option, &format))
        return format;
    return GRAPH_NONE;
}

/* `format` asserts if the options or the vocabularies say so and the format is known.  v1 refuses
 * unknown formats. */
static enum cupel_status relate_format(struct frontend *fe, const struct graph_schema *s,
                                       struct graph_keyword *kw)
{
    uint32_t flags = fe->options->flags;
    bool asserts =
        (flags & CUPEL_ASSERT_FORMAT) != 0 || (s->vocabularies & VOCAB_FORMAT_ASSERTION) != 0;
    if (kw == NULL || !asserts || (flags & CUPEL_FORMAT_ANNOTATES) != 0)
        return CUPEL_OK;
    struct cupel__str name = graph_str(&fe->g, s, kw->value);
    kw->from = find_format(fe->options, s->dialect, name);
    kw->strict = kw->from != GRAPH_NONE;
    if (!kw->strict && s->dialect == DRAFT_V1)
        return cupel__fe_fail(fe, CUPEL_E_FORMAT, s->doc, kw->value, "'%.*s' is not a known format",
                              FE_TEXT(name));
    return CUPEL_OK;
}

/* Encodings and media types are compared without regard to case (RFC 2045). */
static bool same_type(struct cupel__str s, struct cupel__str type)
{
    bool same = s.n == type.n;
    for (size_t i = 0; i < s.n && same; i++)
        same =
            s.p[i] == type.p[i] || (s.p[i] >= 'A' && s.p[i] <= 'Z' && (s.p[i] | 0x20) == type.p[i]);
    return same;
}

/* A media type without the parameters after the semicolon, which do not matter here. */
static struct cupel__str media_type(struct cupel__str s)
{
    const char *end = s.n > 0 ? memchr(s.p, ';', s.n) : NULL;
    size_t n = end != NULL ? (size_t)(end - s.p) : s.n;
    while (n > 0 && (s.p[n - 1] == ' ' || s.p[n - 1] == '\t'))
        n--;
    return (struct cupel__str){s.p, n};
}

static void assert_format(struct graph_keyword *kw, enum cupel__format format)
{
    kw->strict = true;
    kw->from = format;
}

/* In draft 7 the content keywords may assert (validation 8).  A media type is checked if there is
 * no encoding or an encoding that is understood; both together become one format. */
static void relate_content(struct frontend *fe, const struct graph_schema *s,
                           struct graph_keyword *encoding, struct graph_keyword *type)
{
    if (s->dialect != DRAFT_7 || (fe->options->flags & CUPEL_ASSERT_CONTENT) == 0)
        return;
    if (encoding != NULL && same_type(graph_str(&fe->g, s, encoding->value), CUPEL__STR("base64")))
        assert_format(encoding, CUPEL__FORMAT_BASE64);
    if (type == NULL ||
        !same_type(media_type(graph_str(&fe->g, s, type->value)), CUPEL__STR("application/json")))
        return;
    if (encoding == NULL)
        assert_format(type, CUPEL__FORMAT_JSON);
    else if (encoding->strict)
        assert_format(type, CUPEL__FORMAT_BASE64_JSON);
}

/* -- Siblings --------------------------------------------------------------------------------- */

/* A boolean `exclusiveMinimum` of draft 4 becomes a flag of `minimum`, and the keyword itself NONE.
 */
static enum cupel_status make_strict(struct frontend *fe, const struct graph_schema *s,
                                     struct graph_keyword *flag, struct graph_keyword *bound)
{
    if (flag == NULL || s->dialect != DRAFT_4)
        return CUPEL_OK;
    if (bound == NULL)
        return cupel__fe_fail(fe, CUPEL_E_SCHEMA, s->doc, flag->value,
                              "'%s' must not stand without the bound it belongs to",
                              cupel__fe_keywords[flag->kind].name.p);
    bound->strict = graph_json(&fe->g, s)->nodes[flag->value].type == CUPEL__TRUE;
    flag->kind = KW_NONE;
    return CUPEL_OK;
}

static void drop(struct graph_keyword *kw)
{
    if (kw != NULL)
        kw->kind = KW_NONE;
}

/* Whether any keyword of the schema needs this file.  Most schemas have none, and skip it. */
static bool has_related(const struct graph *g, const struct graph_schema *s)
{
    static const bool related[KEYWORDS] = {[KW_THEN] = true,
                                           [KW_ELSE] = true,
                                           [KW_CONTAINS] = true,
                                           [KW_MIN_CONTAINS] = true,
                                           [KW_MAX_CONTAINS] = true,
                                           [KW_ADDITIONAL_ITEMS] = true,
                                           [KW_PREFIX_ITEMS] = true,
                                           [KW_FORMAT] = true,
                                           [KW_CONTENT_ENCODING] = true,
                                           [KW_CONTENT_MEDIA_TYPE] = true};
    bool any = s->dialect == DRAFT_4;
    for (uint32_t k = s->keywords; k < s->keywords + s->nkeywords; k++)
        any |= related[g->keywords[k].kind];
    return any;
}

/* Changes the schema's keywords: `strict`, `from`, and kinds that become NONE or, for
 * `additionalItems` after a prefix, ITEMS. */
enum cupel_status cupel__fe_relate(struct frontend *fe, uint32_t i)
{
    const struct graph_schema *s = &fe->g.schemas[i];
    struct graph_keyword *by[KEYWORDS];
    if (!has_related(&fe->g, s))
        return CUPEL_OK;
    memset(by, 0, sizeof by);
    for (uint32_t k = s->keywords; k < s->keywords + s->nkeywords; k++)
        by[fe->g.keywords[k].kind] = &fe->g.keywords[k];
    if (by[KW_IF] == NULL) {
        drop(by[KW_THEN]);
        drop(by[KW_ELSE]);
    }
    if (by[KW_CONTAINS] != NULL) {
        by[KW_CONTAINS]->strict = s->dialect >= DRAFT_2020;
    } else {
        drop(by[KW_MIN_CONTAINS]);
        drop(by[KW_MAX_CONTAINS]);
    }
    struct graph_keyword *rest = by[KW_ADDITIONAL_ITEMS];
    if (rest != NULL)
        rest->kind = by[KW_PREFIX_ITEMS] != NULL ? KW_ITEMS : KW_NONE;
    else
        rest = by[KW_ITEMS];
    if (rest != NULL && by[KW_PREFIX_ITEMS] != NULL)
        rest->from = by[KW_PREFIX_ITEMS]->count;
    if (by[KW_TYPE] != NULL)
        by[KW_TYPE]->strict = s->dialect == DRAFT_4;
    relate_content(fe, s, by[KW_CONTENT_ENCODING], by[KW_CONTENT_MEDIA_TYPE]);
    enum cupel_status status = relate_format(fe, s, by[KW_FORMAT]);
    if (status == CUPEL_OK)
        status = make_strict(fe, s, by[KW_EXCLUSIVE_MINIMUM], by[KW_MINIMUM]);
    return status == CUPEL_OK ? make_strict(fe, s, by[KW_EXCLUSIVE_MAXIMUM], by[KW_MAXIMUM])
                              : status;
}
