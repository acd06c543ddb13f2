/* shape.c: whether the value of each keyword has the shape that the dialect's meta-schema requires.
 *
 * It takes the place of validating a schema against its meta-schema.  Subschemas are checked when
 * the index reaches them; the formats that meta-schemas require (URIs, patterns) are checked where
 * the values are used. */
#include "compiler/frontend/frontend.h"

#include "base/json/equal.h"
#include "base/utf8.h"
#include <string.h>

/* The keyword that is being checked. */
struct site {
    struct frontend *fe;
    const struct graph_schema *schema;
    const struct graph_keyword *kw;
    struct cupel__doc *json;
};

/* The types that a value may have; 0 stands for every type. */
static const uint16_t types[SHAPES] = {
    [SHAPE_SCHEMA] = CUPEL__M_OBJECT | CUPEL__M_BOOLEAN,
    [SHAPE_SCHEMAS] = CUPEL__M_ARRAY,
    [SHAPE_SCHEMA_MAP] = CUPEL__M_OBJECT,
    [SHAPE_SCHEMA_MAPS] = CUPEL__M_OBJECT,
    [SHAPE_ITEMS] = CUPEL__M_OBJECT | CUPEL__M_BOOLEAN | CUPEL__M_ARRAY,
    [SHAPE_EXTRA] = CUPEL__M_OBJECT | CUPEL__M_BOOLEAN,
    [SHAPE_DEPENDENCIES] = CUPEL__M_OBJECT,
    [SHAPE_STRING] = CUPEL__M_STRING,
    [SHAPE_ID] = CUPEL__M_STRING,
    [SHAPE_SELF] = CUPEL__M_STRING,
    [SHAPE_ANCHOR] = CUPEL__M_STRING,
    [SHAPE_BOOLEAN] = CUPEL__M_BOOLEAN,
    [SHAPE_COUNT] = CUPEL__M_INTEGER,
    [SHAPE_NUMBER] = CUPEL__M_NUMBER,
    [SHAPE_DIVISOR] = CUPEL__M_NUMBER,
    [SHAPE_EXCLUSIVE] = CUPEL__M_NUMBER,
    [SHAPE_TYPE] = CUPEL__M_STRING | CUPEL__M_ARRAY,
    [SHAPE_ENUM] = CUPEL__M_ARRAY,
    [SHAPE_ARRAY] = CUPEL__M_ARRAY,
    [SHAPE_NAMES] = CUPEL__M_ARRAY,
    [SHAPE_NAMES_MAP] = CUPEL__M_OBJECT,
    [SHAPE_VOCABULARY] = CUPEL__M_OBJECT,
};

/* The same with the differences between dialects. */
static uint32_t allowed(enum fe_shape shape, unsigned dialect)
{
    if (dialect == DRAFT_4) {
        if (shape == SHAPE_EXCLUSIVE)
            return CUPEL__M_BOOLEAN;
        if (shape == SHAPE_COUNT)
            return CUPEL__M_INTEGER & ~CUPEL__BIT(CUPEL__INTREAL);
        if (shape == SHAPE_SCHEMA)
            return CUPEL__M_OBJECT;
        if (shape == SHAPE_ITEMS)
            return CUPEL__M_OBJECT | CUPEL__M_ARRAY;
    }
    if (shape == SHAPE_ITEMS && dialect >= DRAFT_2020)
        return CUPEL__M_OBJECT | CUPEL__M_BOOLEAN;
    return types[shape] != 0 ? types[shape] : CUPEL__M_ANY;
}

/* The text of shapes.def, or what an older draft requires instead. */
static const char *shape_text(enum fe_shape shape, unsigned dialect)
{
    static const char *const texts[SHAPES] = {
#define S(name, text) [SHAPE_##name] = text,
#include "compiler/frontend/shapes.def"
    };
    if (shape == SHAPE_EXCLUSIVE && dialect == DRAFT_4)
        return "a boolean";
    if (shape == SHAPE_NAMES && dialect == DRAFT_4)
        return "a non-empty array of unique strings";
    if (shape == SHAPE_ENUM && dialect <= DRAFT_7)
        return "a non-empty array of unique values";
    if (shape == SHAPE_ITEMS && dialect >= DRAFT_2020)
        return texts[SHAPE_SCHEMA];
    if (shape == SHAPE_ID && dialect >= DRAFT_2019)
        return "a URI reference without a fragment";
    if (shape == SHAPE_ANCHOR && dialect == DRAFT_2019)
        return "a letter, then letters, digits, '-', '_', ':' and '.'";
    if (shape == SHAPE_ANCHOR && dialect == DRAFT_V1)
        return "a name without colons (NCName)";
    return texts[shape];
}

/* Whether a node is a string that names no type. */
static bool is_text(const struct site *s, uint32_t node)
{
    struct cupel__node *n = &s->json->nodes[node];
    return (CUPEL__BIT(n->type) & CUPEL__M_STRING) != 0 &&
           cupel__graph_type(cupel__doc_str(s->json, n)) == 0;
}

/* Reports that a node does not have the shape of the keyword, with what stands there. */
static enum cupel_status refuse(const struct site *s, uint32_t node)
{
    const struct fe_keyword *info = &cupel__fe_keywords[s->kw->kind];
    const struct cupel__node *n = &s->json->nodes[node];
    struct cupel__str found = n->type == CUPEL__ARRAY    ? CUPEL__STR("an array")
                              : n->type == CUPEL__OBJECT ? CUPEL__STR("an object")
                                                         : cupel__doc_span(s->json, node);
    if (n->type == CUPEL__ARRAY && n->count == 0)
        found = CUPEL__STR("an empty array");
    if (info->shape == SHAPE_TYPE && is_text(s, node))
        return cupel__fe_fail(s->fe, CUPEL_E_SCHEMA, s->schema->doc, node,
                              "'type': there is no type %.*s", FE_TEXT(found));
    return cupel__fe_fail(s->fe, CUPEL_E_SCHEMA, s->schema->doc, node,
                          "'%s' must be %s, found %.*s", info->name.p,
                          shape_text(info->shape, s->schema->dialect), FE_TEXT(found));
}

static bool is(const struct site *s, uint32_t node, uint32_t mask)
{
    return (CUPEL__BIT(s->json->nodes[node].type) & mask) != 0;
}

static struct cupel__str str(const struct site *s, uint32_t node)
{
    return cupel__doc_str(s->json, &s->json->nodes[node]);
}

/* -- Numbers ---------------------------------------------------------------------------------- */

/* The sign of a number.  The lexeme decides for a number beyond the range of exact decimals. */
static int sign(const struct site *s, uint32_t node)
{
    const struct cupel__node *n = &s->json->nodes[node];
    if (!(n->flags & CUPEL__BIG))
        return (n->i > 0) - (n->i < 0);
    struct cupel__dec d;
    if (!cupel__doc_decimal(s->json, n, &d))
        return cupel__doc_span(s->json, node).p[0] == '-' ? -1 : 1;
    return d.digits != NULL ? (d.negative ? -1 : 1) : (d.i > 0) - (d.i < 0);
}

/* -- Names ------------------------------------------------------------------------------------ */

/* Makes the scratch table ready for n entries; returns its size, a power of two, or 0 without
 * memory. */
static size_t clear_table(struct frontend *fe, size_t n)
{
    size_t cap = 16;
    while (cap < 2 * n)
        cap *= 2;
    if (FE_GROW(fe, fe->scratch, fe->scratch_cap, cap) != CUPEL_OK)
        return 0;
    memset(fe->scratch, 0, cap * sizeof *fe->scratch);
    return cap;
}

/* Enters a string into the scratch table; false if it is already there. */
static bool insert(const struct site *s, size_t cap, uint32_t node)
{
    struct cupel__str name = str(s, node);
    size_t i = (size_t)cupel__fe_hash(s->fe, name) & (cap - 1);
    for (; s->fe->scratch[i] != 0; i = (i + 1) & (cap - 1)) {
        if (cupel__str_eq(str(s, (uint32_t)s->fe->scratch[i]), name))
            return false;
    }
    s->fe->scratch[i] = node;
    return true;
}

/* Whether an equal string stands between nodes `first` and `node`. */
static bool earlier(const struct site *s, uint32_t first, uint32_t node)
{
    while (first < node && !cupel__str_eq(str(s, first), str(s, node)))
        first++;
    return first < node;
}

/* Checks an array of different strings.  A string is one node, so item i is node `first` + i.  Up
 * to PAIRWISE strings are compared pair by pair. */
static enum cupel_status check_names(const struct site *s, uint32_t array)
{
    enum { PAIRWISE = 8 };
    uint32_t count = s->json->nodes[array].count, first = array + 1;
    if (!is(s, array, CUPEL__M_ARRAY) || (count == 0 && s->schema->dialect == DRAFT_4))
        return refuse(s, array);
    size_t cap = count > PAIRWISE ? clear_table(s->fe, count) : 1;
    if (cap == 0)
        return cupel__fe_no_memory(s->fe);
    for (uint32_t i = first; i < first + count; i++) {
        if (!is(s, i, CUPEL__M_STRING) ||
            (count > PAIRWISE ? !insert(s, cap, i) : earlier(s, first, i)))
            return refuse(s, i);
    }
    return CUPEL_OK;
}

/* Checks the members of an object, which are arrays of names.  In `dependencies` (arrays_only
 * false) other members are schemas, which the index checks. */
static enum cupel_status check_names_map(const struct site *s, bool arrays_only)
{
    const struct cupel__node *nodes = s->json->nodes;
    for (uint32_t k = s->kw->value + 1; k < nodes[s->kw->value].end;
         k = cupel__node_next(nodes, k + 1)) {
        if (!arrays_only && !is(s, k + 1, CUPEL__M_ARRAY))
            continue;
        enum cupel_status status = check_names(s, k + 1);
        if (status != CUPEL_OK)
            return status;
    }
    return CUPEL_OK;
}

/* Checks the types of all members. */
static enum cupel_status check_members(const struct site *s, uint32_t mask)
{
    const struct cupel__node *nodes = s->json->nodes;
    for (uint32_t k = s->kw->value + 1; k < nodes[s->kw->value].end;
         k = cupel__node_next(nodes, k + 1)) {
        if (!is(s, k + 1, mask))
            return refuse(s, k + 1);
    }
    return CUPEL_OK;
}

/* A range of code points. */
struct range {
    uint32_t first, last;
};

static bool in_ranges(const struct range *ranges, size_t count, uint32_t cp)
{
    size_t i = 0;
    while (i < count && (cp < ranges[i].first || cp > ranges[i].last))
        i++;
    return i < count;
}

/* Code points outside ASCII that an XML name may begin with, or contain after that. */
static bool is_ncname_wide(uint32_t cp, bool first)
{
    static const struct range start[] = {{0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0x2ff},
                                         {0x370, 0x37d},   {0x37f, 0x1fff},  {0x200c, 0x200d},
                                         {0x2070, 0x218f}, {0x2c00, 0x2fef}, {0x3001, 0xd7ff},
                                         {0xf900, 0xfdcf}, {0xfdf0, 0xfffd}, {0x10000, 0xeffff}};
    static const struct range more[] = {{0xb7, 0xb7}, {0x300, 0x36f}, {0x203f, 0x2040}};
    return in_ranges(start, sizeof start / sizeof *start, cp) ||
           (!first && in_ranges(more, sizeof more / sizeof *more, cp));
}

static bool is_anchor_ascii(unsigned char c, bool first, unsigned dialect)
{
    unsigned char letter = c | 0x20;
    if ((letter >= 'a' && letter <= 'z') || (c == '_' && dialect >= DRAFT_2020))
        return true;
    return !first && ((c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' ||
                      (c == ':' && dialect == DRAFT_2019));
}

/* In v1 an anchor may be any NCName (Namespaces in XML 1.0); before, only one in ASCII. */
static bool is_anchor(struct cupel__str name, unsigned dialect)
{
    const char *p = name.p, *end = p + name.n;
    for (bool first = true; p < end; first = false) {
        uint32_t cp = (unsigned char)*p;
        unsigned n = cp < 0x80 ? 1 : cupel__utf8_decode(p, end, &cp);
        bool ok = cp < 0x80 ? is_anchor_ascii((unsigned char)cp, first, dialect)
                            : dialect == DRAFT_V1 && n > 0 && is_ncname_wide(cp, first);
        if (!ok)
            return false;
        p += n;
    }
    return name.n > 0;
}

/* From 2019-09 on an identifier has at most an empty fragment; in v1 it has none. */
static bool is_id(struct cupel__str id, unsigned dialect)
{
    const char *hash = id.n == 0 ? NULL : memchr(id.p, '#', id.n);
    return dialect <= DRAFT_7 || hash == NULL || (dialect != DRAFT_V1 && hash == id.p + id.n - 1);
}

/* -- Types and enumerations ------------------------------------------------------------------- */

uint32_t cupel__graph_type(struct cupel__str name)
{
    static const struct {
        char name[8];
        uint8_t n;
        uint16_t types;
    } known[] = {{"string", 6, CUPEL__M_STRING},   {"object", 6, CUPEL__M_OBJECT},
                 {"array", 5, CUPEL__M_ARRAY},     {"number", 6, CUPEL__M_NUMBER},
                 {"integer", 7, CUPEL__M_INTEGER}, {"boolean", 7, CUPEL__M_BOOLEAN},
                 {"null", 4, CUPEL__M_NULL}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (name.n == known[i].n && name.p[0] == known[i].name[0] &&
            memcmp(name.p, known[i].name, name.n) == 0)
            return known[i].types;
    }
    return 0;
}

static enum cupel_status check_type(const struct site *s)
{
    uint32_t value = s->kw->value, count = s->json->nodes[value].count, seen[8];
    if (is(s, value, CUPEL__M_STRING))
        return cupel__graph_type(str(s, value)) == 0 ? refuse(s, value) : CUPEL_OK;
    if (count == 0)
        return refuse(s, value);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = value + 1 + i;
        uint32_t mask = is(s, item, CUPEL__M_STRING) ? cupel__graph_type(str(s, item)) : 0;
        bool again = false;
        for (uint32_t j = 0; j < i; j++)
            again = again || seen[j] == mask;
        if (mask == 0 || again)
            return refuse(s, item);
        seen[i] = mask; /* there are seven different masks, so the array suffices */
    }
    return CUPEL_OK;
}

/* Up to draft 7 an enumeration has at least one value and no two equal values. */
static enum cupel_status check_enum(const struct site *s)
{
    uint32_t value = s->kw->value, count = s->json->nodes[value].count;
    if (s->schema->dialect > DRAFT_7)
        return CUPEL_OK;
    if (count == 0)
        return refuse(s, value);
    size_t cap = clear_table(s->fe, count);
    if (cap == 0)
        return cupel__fe_no_memory(s->fe);
    uint64_t secret[2] = {s->fe->seed, ~s->fe->seed};
    struct cupel__budget budget = {.remaining = INT64_MAX};
    const struct cupel__unique unique = {s->json, secret, &budget, true};
    return cupel__json_unique(&unique, value, s->fe->scratch, cap) == 0 ? refuse(s, value)
                                                                        : CUPEL_OK;
}

/* -- Entry points ----------------------------------------------------------------------------- */

enum cupel_status cupel__fe_check_schema(const struct frontend *fe,
                                         const struct graph_schema *around, uint32_t node)
{
    unsigned type = graph_json(&fe->g, around)->nodes[node].type;
    if (type == CUPEL__OBJECT ||
        (around->dialect != DRAFT_4 && (type == CUPEL__TRUE || type == CUPEL__FALSE)))
        return CUPEL_OK;
    return cupel__fe_fail(
        fe, CUPEL_E_SCHEMA, around->doc, node, "a schema must be an object%s, found %.*s",
        around->dialect == DRAFT_4 ? "" : " or a boolean",
        FE_TEXT(type == CUPEL__ARRAY ? CUPEL__STR("an array")
                                     : cupel__doc_span(graph_json(&fe->g, around), node)));
}

/* Checks of a value as a whole, once its type is allowed. */
static bool is_scalar_fine(const struct site *s, enum fe_shape shape)
{
    uint32_t value = s->kw->value;
    unsigned dialect = s->schema->dialect;
    switch (shape) {
    case SHAPE_ID:
        return is_id(str(s, value), dialect);
    case SHAPE_SELF:
        return cupel__str_eq(str(s, value), CUPEL__STR("#"));
    case SHAPE_ANCHOR:
        return is_anchor(str(s, value), dialect);
    case SHAPE_COUNT:
        return sign(s, value) >= 0;
    case SHAPE_DIVISOR:
        return sign(s, value) > 0;
    case SHAPE_SCHEMAS:
    case SHAPE_ITEMS:
        return !is(s, value, CUPEL__M_ARRAY) || s->json->nodes[value].count > 0;
    default:
        return true;
    }
}

enum cupel_status cupel__fe_check_shape(struct frontend *fe, const struct graph_schema *schema,
                                        const struct graph_keyword *kw)
{
    const struct site s = {fe, schema, kw, graph_json(&fe->g, schema)};
    enum fe_shape shape = cupel__fe_keywords[kw->kind].shape;
    if (!is(&s, kw->value, allowed(shape, schema->dialect)) || !is_scalar_fine(&s, shape))
        return refuse(&s, kw->value);
    switch (shape) {
    case SHAPE_TYPE:
        return check_type(&s);
    case SHAPE_ENUM:
        return check_enum(&s);
    case SHAPE_NAMES:
        return check_names(&s, kw->value);
    case SHAPE_NAMES_MAP:
        return check_names_map(&s, true);
    case SHAPE_DEPENDENCIES:
        return check_names_map(&s, false);
    case SHAPE_VOCABULARY:
        return check_members(&s, CUPEL__M_BOOLEAN);
    case SHAPE_SCHEMA_MAPS:
        return check_members(&s, CUPEL__M_OBJECT);
    default:
        return CUPEL_OK;
    }
}
