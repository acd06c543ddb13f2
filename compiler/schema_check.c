/* schema_check.c: everything that is wrong with a schema, and what to write instead (fault.h).
 *
 * A schema is compiled again and again.  After each refusal the keyword at fault gets the name "",
 * which no dialect knows, on the tape of the document, and the next attempt finds the next fault.
 * So what is a fault is decided by the compiler alone; this file says where it is and, from the
 * keyword and its value, what was probably meant.  A walk over the places of subschemas then finds
 * names that are no keywords and resemble one. */
#include "base/error.h"
#include "base/escape.h"
#include "base/json/document.h"
#include "base/name_hash.h"
#include "base/options.h"
#include "base/similar.h"
#include "compiler/frontend/frontend.h"
#include <cupel/fault.h>
#include <cupel/program.h>
#include <stdio.h>
#include <string.h>

/* Faults and warnings reported; levels of subschemas walked; names compared for one suggestion. */
enum { MAX_FAULTS = 64, MAX_WARNINGS = 32, MAX_LEVELS = 128, MAX_COMPARED = 512 };

struct check {
    struct cupel_document *doc;
    const char *text;
    size_t len;
    struct cupel_options options;
    cupel_on_fault *on_fault;
    void *ctx;
    unsigned draft; /* of the root, by `$schema` or the options */
    struct cupel_fault fault;
};

static struct cupel__node *node_at(const struct check *c, uint32_t i)
{
    return &c->doc->doc.nodes[i];
}

static struct cupel__str str(const struct check *c, uint32_t i)
{
    return cupel__doc_str(&c->doc->doc, node_at(c, i));
}

static bool is_string(const struct check *c, uint32_t i)
{
    return (CUPEL__BIT(node_at(c, i)->type) & CUPEL__M_STRING) != 0;
}

static bool is(struct cupel__str s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

#define HELP(c, ...) cupel__error_field((c)->fault.help, sizeof(c)->fault.help, __VA_ARGS__)
#define REPLACE(c, ...) \
    cupel__error_field((c)->fault.replacement, sizeof(c)->fault.replacement, __VA_ARGS__)

/* -- Places ------------------------------------------------------------------------------------ */

/* The way from the root to a node: containers and the keys in them, 0 for an item. */
struct way {
    uint32_t container[MAX_LEVELS], key[MAX_LEVELS];
    uint32_t n;
};

static void find_way(const struct check *c, uint32_t node, struct way *ret)
{
    const struct cupel__node *nodes = c->doc->doc.nodes;
    uint32_t at = 0;
    ret->n = 0;
    while (at != node && nodes[at].type >= CUPEL__ARRAY && ret->n < MAX_LEVELS) {
        bool object = nodes[at].type == CUPEL__OBJECT;
        uint32_t k = at + 1;
        while (k < nodes[at].end && cupel__node_next(nodes, k + object) <= node)
            k = cupel__node_next(nodes, k + object);
        ret->container[ret->n] = at;
        ret->key[ret->n++] = object ? k : 0;
        if (k == node) /* a key */
            return;
        at = k + object;
    }
}

/* The node that an error is at: the first that begins at its offset.  False if there is none. */
static bool find_node(const struct check *c, const struct cupel_error *err, uint32_t *ret)
{
    for (uint32_t i = 0; i < c->doc->doc.nnodes; i++) {
        if (cupel__doc_offset(&c->doc->doc, i) == err->offset) {
            *ret = i;
            return true;
        }
    }
    return false;
}

static enum keyword keyword_of(const struct check *c, uint32_t key)
{
    struct cupel__node *k = node_at(c, key);
    struct cupel__str name = cupel__doc_str(&c->doc->doc, k);
    return cupel__fe_keyword_find(name, cupel__key_hash(&c->doc->doc, k));
}

/* The level of the innermost key on the way that is a keyword, or n. */
static uint32_t keyword_level(const struct check *c, const struct way *way)
{
    for (uint32_t i = way->n; i-- > 0;) {
        bool names = i > 0 && way->key[i - 1] != 0 &&
                     (cupel__fe_keywords[keyword_of(c, way->key[i - 1])].shape == SHAPE_SCHEMA_MAP);
        if (way->key[i] != 0 && !names && keyword_of(c, way->key[i]) != KW_NONE)
            return i;
    }
    return way->n;
}

/* Takes the fault away: an unknown name in place of the keyword's, or a schema that allows all. */
static bool mask(struct check *c, const struct way *way, uint32_t node, bool no_schema)
{
    uint32_t level = keyword_level(c, way);
    struct cupel__node *v = node_at(c, node);
    if (no_schema && v->type < CUPEL__ARRAY && !(v->flags & CUPEL__KEY)) {
        v->type = CUPEL__TRUE;
        return true;
    }
    uint32_t key = v->flags & CUPEL__KEY && is_string(c, node) ? node
                   : level < way->n                            ? way->key[level]
                                                               : 0;
    if (key == 0)
        return false;
    static const char empty[16] = ""; /* the hash reads words */
    struct cupel__node *k = node_at(c, key);
    k->type = CUPEL__STRING;
    k->flags = CUPEL__KEY;
    k->len = 0;
    k->hash = cupel__name_hash(empty, 0);
    return true;
}

/* -- Suggestions ------------------------------------------------------------------------------- */

/* The name of a member of an object that is closest to a name; n 0: none is similar. */
static struct cupel__str closest_member(const struct check *c, uint32_t object,
                                        struct cupel__str name)
{
    const struct cupel__node *nodes = c->doc->doc.nodes;
    struct cupel__str best = {"", 0};
    int distance = CUPEL__NOT_SIMILAR, n = 0;
    if (nodes[object].type != CUPEL__OBJECT)
        return best;
    for (uint32_t k = object + 1; k < nodes[object].end && n < MAX_COMPARED;
         k = cupel__node_next(nodes, k + 1), n++) {
        int d = cupel__similar(str(c, k), name);
        if (d < distance) {
            distance = d;
            best = str(c, k);
        }
    }
    return best;
}

/* The type that a word stands for, or NULL. */
static const char *type_meant(struct cupel__str word)
{
    static const char *const types[] = {"string",  "object",  "array", "number",
                                        "integer", "boolean", "null"};
    static const char *const others[][2] = {
        {"str", "string"},    {"text", "string"},    {"char", "string"},    {"date", "string"},
        {"int", "integer"},   {"long", "integer"},   {"short", "integer"},  {"float", "number"},
        {"double", "number"}, {"decimal", "number"}, {"bool", "boolean"},   {"list", "array"},
        {"tuple", "array"},   {"dict", "object"},    {"map", "object"},     {"hash", "object"},
        {"none", "null"},     {"nil", "null"},       {"undefined", "null"}, {"numeric", "number"}};
    const char *best = NULL;
    int distance = CUPEL__NOT_SIMILAR;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cupel__similar(word, (struct cupel__str){others[i][0], strlen(others[i][0])}) <= 1)
            return others[i][1];
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        int d = cupel__similar(word, (struct cupel__str){types[i], strlen(types[i])});
        if (d < distance && d < 40) {
            distance = d;
            best = types[i];
        }
    }
    return best;
}

static void help_type(struct check *c, uint32_t node)
{
    static const char all[] = "the types are string, number, integer, boolean, object, array, null";
    const char *meant = is_string(c, node) ? type_meant(str(c, node)) : NULL;
    const bool date = is_string(c, node) && is(str(c, node), "date");
    if (meant != NULL) {
        HELP(c, "write \"%s\"%s", meant, date ? ", and \"format\": \"date\" beside it" : "");
        REPLACE(c, "\"%s\"", meant);
    } else if (is_string(c, node) && is(str(c, node), "any")) {
        HELP(c, "leave `type` out: a schema without it allows every type");
    } else if (is_string(c, node) && memchr(str(c, node).p, '|', str(c, node).n) != NULL) {
        HELP(c, "write several types as an array: [\"string\", \"null\"]");
    } else {
        HELP(c, "%s", all);
    }
}

/* `exclusiveMinimum: true` of draft 4, and numbers where draft 4 has booleans. */
static void help_exclusive(struct check *c, const struct way *way, uint32_t level, uint32_t node)
{
    bool least = keyword_of(c, way->key[level]) == KW_EXCLUSIVE_MINIMUM;
    const char *plain = least ? "minimum" : "maximum",
               *strict = least ? "exclusiveMinimum" : "exclusiveMaximum";
    uint32_t bound = cupel__doc_member(&c->doc->doc, way->container[level],
                                       (struct cupel__str){plain, strlen(plain)});
    if (node_at(c, node)->type == CUPEL__TRUE && bound != 0) {
        struct cupel__str n = cupel__doc_span(&c->doc->doc, bound);
        HELP(c, "since draft 6 it is the bound itself: write \"%s\": %.*s and remove `%s`", strict,
             FE_TEXT(n), plain);
    } else if (node_at(c, node)->type == CUPEL__FALSE) {
        HELP(c, "since draft 6 it is the bound itself: remove it, as `%s` includes its bound",
             plain);
    } else if (node_at(c, node)->type == CUPEL__TRUE) {
        HELP(c, "since draft 6 it is the bound itself: write \"%s\": N", strict);
    } else {
        HELP(c, "in draft 4 it is true or false, beside `%s`", plain);
    }
}

/* `required: true` in a property belongs in the parent. */
static void help_required(struct check *c, const struct way *way, uint32_t level, uint32_t node)
{
    uint32_t type = node_at(c, node)->type;
    bool boolean = type == CUPEL__TRUE || type == CUPEL__FALSE;
    bool property = level >= 2 && way->key[level - 1] != 0 && way->key[level - 2] != 0 &&
                    keyword_of(c, way->key[level - 2]) == KW_PROPERTIES;
    if (boolean && property && type == CUPEL__TRUE)
        HELP(c, "write \"required\": [\"%.*s\"] in the object that has `properties`",
             FE_TEXT(str(c, way->key[level - 1])));
    else if (boolean)
        HELP(c, "remove it; required names stand in an array beside `properties`");
    else if (is_string(c, node) && node == way->key[level] + 1) {
        HELP(c, "write an array: [\"%.*s\"]", FE_TEXT(str(c, node)));
        REPLACE(c, "[\"%.*s\"]", FE_TEXT(str(c, node)));
    } else {
        HELP(c, "write an array of names, each once: \"required\": [\"name\"]");
    }
}

static void help_count(struct check *c, uint32_t node, bool count)
{
    struct cupel__str s = is_string(c, node) ? str(c, node) : (struct cupel__str){"", 0};
    bool digits = s.n > 0;
    for (size_t i = 0; i < s.n; i++)
        digits = digits && s.p[i] >= '0' && s.p[i] <= '9';
    if (digits) {
        HELP(c, "write %.*s without quotes", FE_TEXT(s));
        REPLACE(c, "%.*s", FE_TEXT(s));
    } else {
        HELP(c, count ? "write 0 or a greater integer, without quotes"
                      : "write a number such as 1, without quotes");
    }
}

/* What to write in place of a value of the wrong shape. */
static void help_shape(struct check *c, const struct way *way, uint32_t node)
{
    uint32_t level = keyword_level(c, way);
    if (level == way->n) {
        HELP(c, "a schema is an object such as {\"type\": \"object\"}");
        return;
    }
    enum keyword kw = keyword_of(c, way->key[level]);
    uint32_t type = node_at(c, node)->type;
    switch (cupel__fe_keywords[kw].shape) {
    case SHAPE_TYPE:
        if (type == CUPEL__ARRAY && node_at(c, node)->count == 0)
            HELP(c, "name at least one type, or leave `type` out");
        else
            help_type(c, node);
        return;
    case SHAPE_EXCLUSIVE:
        help_exclusive(c, way, level, node);
        return;
    case SHAPE_NAMES:
        help_required(c, way, level, node);
        return;
    case SHAPE_ITEMS:
        if (type == CUPEL__ARRAY && c->draft >= DRAFT_2020)
            HELP(c, "write `prefixItems` for schemas of single items; `items` is for those behind "
                    "them");
        else
            HELP(c, "write a schema: \"items\": {\"type\": \"string\"}");
        return;
    case SHAPE_COUNT:
    case SHAPE_NUMBER:
        help_count(c, node, cupel__fe_keywords[kw].shape == SHAPE_COUNT);
        return;
    case SHAPE_DIVISOR:
        HELP(c, "write a number above 0");
        return;
    case SHAPE_ENUM:
        if (type != CUPEL__ARRAY)
            HELP(c, "write an array: \"enum\": [\"a\", \"b\"]; for one value there is `const`");
        else
            HELP(c, "name at least one value, and each once");
        return;
    case SHAPE_SCHEMAS:
        HELP(c, type == CUPEL__OBJECT ? "put the schema in brackets: [{ … }]"
                                      : "write at least one schema: [{ … }]");
        return;
    case SHAPE_BOOLEAN:
        HELP(c, "write true or false, without quotes");
        return;
    case SHAPE_STRING:
    case SHAPE_ID:
        HELP(c, kw == KW_REF ? "write the reference as a string: {\"$ref\": \"#/$defs/name\"}"
                             : "write a text in quotes");
        return;
    case SHAPE_SCHEMA_MAP:
        if (type == CUPEL__ARRAY)
            HELP(c, "write an object: \"%.*s\": {\"name\": {\"type\": \"string\"}}",
                 FE_TEXT(str(c, way->key[level])));
        else if (is_string(c, node) && type_meant(str(c, node)) != NULL) {
            HELP(c, "write {\"type\": \"%s\"}", type_meant(str(c, node)));
            REPLACE(c, "{\"type\": \"%s\"}", type_meant(str(c, node)));
        } else {
            HELP(c, "write a schema: {\"type\": \"string\"}, or true for any value");
        }
        return;
    case SHAPE_SCHEMA:
    case SHAPE_EXTRA:
        if (is_string(c, node) && (is(str(c, node), "false") || is(str(c, node), "true"))) {
            HELP(c, "write %.*s without quotes", FE_TEXT(str(c, node)));
            REPLACE(c, "%.*s", FE_TEXT(str(c, node)));
        } else if (is_string(c, node) && type_meant(str(c, node)) != NULL) {
            HELP(c, "write {\"type\": \"%s\"}", type_meant(str(c, node)));
            REPLACE(c, "{\"type\": \"%s\"}", type_meant(str(c, node)));
        } else {
            HELP(c, "write a schema: {\"type\": \"string\"}, or true or false");
        }
        return;
    default:
        return;
    }
}

/* -- References -------------------------------------------------------------------------------- */

/* Writes a pointer with one step replaced. */
static void suggest_pointer(struct check *c, struct cupel__str ref, size_t from, size_t to,
                            struct cupel__str step)
{
    HELP(c, "did you mean \"%.*s%.*s%.*s\"?", (int)from, ref.p, FE_TEXT(step),
         (int)(ref.n - to < 100 ? ref.n - to : 100), ref.p + to);
    REPLACE(c, "\"%.*s%.*s%.*s\"", (int)from, ref.p, FE_TEXT(step),
            (int)(ref.n - to < 100 ? ref.n - to : 100), ref.p + to);
}

/* Suggests ~1 for a slash that belongs to a name: looks for a member of the object whose name, with
 * its slash, begins the rest of the pointer.  False if there is none. */
static bool suggest_escape(struct check *c, uint32_t object, struct cupel__str ref, size_t from)
{
    const struct cupel__node *nodes = c->doc->doc.nodes;
    struct cupel__str rest = {ref.p + from, ref.n - from};
    if (nodes[object].type != CUPEL__OBJECT)
        return false;
    for (uint32_t k = object + 1; k < nodes[object].end; k = cupel__node_next(nodes, k + 1)) {
        struct cupel__str name = str(c, k);
        char escaped[128];
        size_t n = 0;
        if (name.n == 0 || memchr(name.p, '/', name.n) == NULL || name.n > rest.n ||
            memcmp(name.p, rest.p, name.n) != 0 || name.n > 60)
            continue;
        for (size_t i = 0; i < name.n; i++) {
            if (name.p[i] == '/' || name.p[i] == '~')
                escaped[n++] = '~';
            escaped[n++] = name.p[i] == '/' ? '1' : name.p[i] == '~' ? '0' : name.p[i];
        }
        suggest_pointer(c, ref, from, from + name.n, (struct cupel__str){escaped, n});
        return true;
    }
    return false;
}

/* Nothing resembles the step: says what there is, if it is little, or where to define it. */
static void help_undefined(struct check *c, uint32_t object, struct cupel__str ref, size_t from,
                           size_t to)
{
    enum { FEW = 6 };
    const struct cupel__node *nodes = c->doc->doc.nodes;
    char list[256];
    size_t n = 0;
    if (object == 0 || nodes[object].type != CUPEL__OBJECT || nodes[object].count == 0 ||
        nodes[object].count > FEW) {
        HELP(c, "define it at \"%.*s\"", (int)(to < 200 ? to : 200), ref.p);
        return;
    }
    for (uint32_t k = object + 1; k < nodes[object].end && n + 110 < sizeof list;
         k = cupel__node_next(nodes, k + 1))
        n += (size_t)snprintf(list + n, sizeof list - n, "%s`%.*s`", n > 0 ? ", " : "",
                              FE_TEXT(str(c, k)));
    HELP(c, "at \"%.*s\" there is %s", (int)(from > 1 ? from - 1 : 0), ref.p, list);
}

/* The first step of a local pointer that is not there, and what stands there instead. */
static void help_pointer(struct check *c, struct cupel__str ref)
{
    size_t at = 2;
    uint32_t node = 0;
    while (at <= ref.n && node_at(c, node)->type >= CUPEL__ARRAY) {
        const char *slash = at < ref.n ? memchr(ref.p + at, '/', ref.n - at) : NULL;
        size_t end = slash != NULL ? (size_t)(slash - ref.p) : ref.n;
        struct cupel__str step = {ref.p + at, end - at};
        uint32_t next = node_at(c, node)->type == CUPEL__OBJECT
                            ? cupel__doc_member(&c->doc->doc, node, step)
                            : 0;
        if (next == 0 && memchr(step.p, '~', step.n) != NULL)
            return;
        if (next == 0) {
            struct cupel__str near = closest_member(c, node, step);
            bool defs = is(step, "definitions"), old = is(step, "$defs");
            const char *other = defs ? "$defs" : "definitions";
            if ((defs || old) && cupel__doc_member(&c->doc->doc, node,
                                                   (struct cupel__str){other, strlen(other)}) != 0)
                suggest_pointer(c, ref, at, end, (struct cupel__str){other, strlen(other)});
            else if (suggest_escape(c, node, ref, at))
                return;
            else if (near.n > 0)
                suggest_pointer(c, ref, at, end, near);
            else
                help_undefined(c, node, ref, at, end);
            return;
        }
        node = next;
        at = end + 1;
    }
}

/* The anchor closest to a name anywhere in the document. */
static struct cupel__str closest_anchor(const struct check *c, struct cupel__str name)
{
    struct cupel__str best = {"", 0};
    int distance = CUPEL__NOT_SIMILAR, n = 0;
    for (uint32_t i = 1; i < c->doc->doc.nnodes && n < MAX_COMPARED; i++) {
        if (!(node_at(c, i - 1)->flags & CUPEL__KEY) || !is_string(c, i - 1) || !is_string(c, i))
            continue;
        struct cupel__str key = str(c, i - 1);
        if (!is(key, "$anchor") && !is(key, "$dynamicAnchor"))
            continue;
        n++;
        int d = cupel__similar(str(c, i), name);
        if (d < distance) {
            distance = d;
            best = str(c, i);
        }
    }
    return best;
}

static void help_reference(struct check *c, uint32_t node)
{
    struct cupel__str ref = str(c, node), near;
    bool web = ref.n > 8 && (memcmp(ref.p, "http://", 7) == 0 || memcmp(ref.p, "https://", 8) == 0);
    const char *hash = ref.n > 0 ? memchr(ref.p, '#', ref.n) : NULL;
    int before = hash != NULL ? (int)(hash - ref.p) : (int)(ref.n < 200 ? ref.n : 200);
    if (ref.n > 1 && ref.p[0] == '#' && ref.p[1] == '/') {
        help_pointer(c, ref);
    } else if (ref.n > 1 && ref.p[0] == '#') {
        near = closest_anchor(c, (struct cupel__str){ref.p + 1, ref.n - 1});
        if (near.n > 0)
            suggest_pointer(c, ref, 1, ref.n, near);
        else
            HELP(c, "define it with \"$anchor\": \"%.*s\", or write the pointer \"#/$defs/%.*s\"",
                 (int)(ref.n - 1 < 60 ? ref.n - 1 : 60), ref.p + 1,
                 (int)(ref.n - 1 < 60 ? ref.n - 1 : 60), ref.p + 1);
    } else if (web) {
        HELP(c, "cupel fetches nothing: save the schema to a file and pass --ref %.*s=FILE", before,
             ref.p);
    } else if (ref.n > 0 && ref.p[0] == '/') {
        HELP(c, "write \"#%.*s\" for a place in this document", before, ref.p);
    } else if (cupel__doc_member(&c->doc->doc, 0, CUPEL__STR("$id")) == 0) {
        HELP(c,
             "give this schema an \"$id\" such as https://example.com/schema.json, and pass the "
             "other file with --ref https://example.com/%.*s=FILE",
             before - (before > 2 && ref.p[0] == '.' && ref.p[1] == '/' ? 2 : 0),
             before > 2 && ref.p[0] == '.' && ref.p[1] == '/' ? ref.p + 2 : ref.p);
    } else {
        HELP(c, "pass the other file with --ref URI=FILE; its URI is the reference, resolved "
                "against `$id`");
    }
}

/* -- Dialects ---------------------------------------------------------------------------------- */

/* The draft that a URI probably means, or DRAFTS. */
static unsigned draft_meant(struct cupel__str uri)
{
    static const char *const marks[DRAFTS][4] = {
        [DRAFT_4] = {"draft-04", "draft-4", "draft4", "draft04"},
        [DRAFT_6] = {"draft-06", "draft-6", "draft6", "draft06"},
        [DRAFT_7] = {"draft-07", "draft-7", "draft7", "draft07"},
        [DRAFT_2019] = {"2019-09", "2019-9", "2019", "draft-08"},
        [DRAFT_2020] = {"2020-12", "2020", "latest", "draft/next"}};
    for (unsigned d = DRAFT_4; d <= DRAFT_2020; d++)
        for (int i = 0; i < 4; i++)
            for (size_t at = 0; marks[d][i] != NULL && at + strlen(marks[d][i]) <= uri.n; at++)
                if (memcmp(uri.p + at, marks[d][i], strlen(marks[d][i])) == 0)
                    return d;
    return DRAFTS;
}

static void help_dialect(struct check *c, uint32_t node)
{
    unsigned d = is_string(c, node) ? draft_meant(str(c, node)) : DRAFTS;
    if (d < DRAFTS) {
        const char *hash = d <= DRAFT_7 ? "#" : "";
        HELP(c, "write \"%.*s%s\"", FE_TEXT(cupel__fe_drafts[d].uri), hash);
        REPLACE(c, "\"%.*s%s\"", FE_TEXT(cupel__fe_drafts[d].uri), hash);
        c->options.dialect = cupel__fe_drafts[d].option;
        c->draft = d;
        return;
    }
    HELP(c, "the dialects are http://json-schema.org/draft-04/schema#, …/draft-06/schema#, "
            "…/draft-07/schema#, https://json-schema.org/draft/2019-09/schema and "
            "…/2020-12/schema; --ref URI=FILE adds one");
}

/* -- Patterns ---------------------------------------------------------------------------------- */

static void help_pattern(struct check *c, uint32_t node)
{
    struct cupel__str p = str(c, node);
    if (p.n >= 2 && p.p[0] == '(' && p.p[1] == '?' && p.n > 2 && strchr("imsx", p.p[2]) != NULL)
        HELP(c, "ECMA-262 has no flags in a pattern: write [Aa] for both cases");
    else if (p.n > 3 && memcmp(p.p, "(?P<", 4) == 0)
        HELP(c, "write (?<name>…): that is how ECMA-262 names a group");
    else if (memchr(p.p, '\\', p.n) != NULL && p.n >= 2 &&
             (memcmp(p.p + p.n - 2, "\\Z", 2) == 0 || memcmp(p.p, "\\A", 2) == 0))
        HELP(c, "write ^ and $ in place of \\A and \\Z");
    else
        HELP(c, "patterns are regular expressions of ECMA-262");
}

/* The option that raises the limit of a status, or NULL. */
static const char *limit_of(const struct cupel_error *err)
{
    switch ((int)err->status) {
    case CUPEL_E_SCHEMA_SIZE:
        return strstr(err->detail, "subschemas") != NULL  ? "subschemas"
               : strstr(err->detail, "compiling") != NULL ? "compile_bytes"
                                                          : "schema_bytes";
    case CUPEL_E_SCHEMA_DEPTH:
        return "schema_depth";
    case CUPEL_E_IMAGE_SIZE:
        return "image_bytes";
    case CUPEL_E_PATTERN_STEPS:
        return "pattern_steps";
    case CUPEL_E_PATTERN_SIZE:
        return strstr(err->detail, "the pattern") != NULL ? "pattern_bytes" : "matcher_bytes";
    default:
        return NULL;
    }
}

/* -- Faults ------------------------------------------------------------------------------------ */

static const char *kind_of(enum cupel_status status)
{
    return cupel_status_name(status);
}

/* Fills in the fault of an error, with what to do. */
static void describe(struct check *c, const struct cupel_error *err, const struct way *way,
                     uint32_t node, bool found)
{
    struct cupel_fault *f = &c->fault;
    memset(f, 0, sizeof *f);
    f->status = err->status;
    f->line = err->line;
    f->column = err->column;
    f->offset = err->offset;
    snprintf(f->where, sizeof f->where, "%s", err->where);
    snprintf(f->detail, sizeof f->detail, "%s", err->detail);
    snprintf(f->kind, sizeof f->kind, "%s", kind_of(err->status));
    if (limit_of(err) != NULL)
        HELP(c, "allow more with --limit %s=N", limit_of(err));
    if (!found)
        return;
    f->length = node_at(c, node)->type >= CUPEL__ARRAY ? 1 : cupel__doc_span(&c->doc->doc, node).n;
    if (err->status == CUPEL_E_SCHEMA)
        help_shape(c, way, node);
    else if (err->status == CUPEL_E_UNRESOLVED_REF && is_string(c, node))
        help_reference(c, node);
    else if (err->status == CUPEL_E_DIALECT)
        help_dialect(c, node);
    else if (err->status == CUPEL_E_PATTERN && is_string(c, node))
        help_pattern(c, node);
    else if (err->status == CUPEL_E_REF_CYCLE)
        HELP(c, "let the reference lead to a schema of a property or an item");
}

static bool is_fault(enum cupel_status status)
{
    return (status <= CUPEL_E_SCHEMA && status >= CUPEL_E_UNSUPPORTED) ||
           status == CUPEL_E_IDENTIFIER || status == CUPEL_E_BACK_REFERENCE ||
           status == CUPEL_E_PATTERN_SIZE;
}

/* The URI in "(in URI)", with which errors of other documents end.  False for the schema itself. */
static bool other_document(struct cupel_fault *f)
{
    size_t n = strlen(f->detail);
    char *in = NULL;
    for (char *p = strstr(f->detail, " (in "); p != NULL; p = strstr(p + 1, " (in "))
        in = p;
    if (in == NULL || n == 0 || f->detail[n - 1] != ')')
        return false;
    f->detail[n - 1] = '\0';
    snprintf(f->document, sizeof f->document, "%s", in + 5);
    *in = '\0';
    return true;
}

/* Compiles until nothing is refused, or the fault cannot be taken away. */
static enum cupel_status find_faults(struct check *c)
{
    enum cupel_status first = CUPEL_OK;
    for (int n = 0; n < MAX_FAULTS; n++) {
        struct cupel_program *program = NULL;
        struct cupel_error err;
        struct way way = {.n = 0};
        uint32_t node = 0;
        memset(&err, 0, sizeof err);
        err.status = cupel_compile_node(c->doc, 0, &c->options, &program, &err);
        cupel_program_free(program);
        if (err.status == CUPEL_OK)
            return first;
        first = first == CUPEL_OK ? err.status : first;
        struct cupel_fault probe = {.status = err.status};
        snprintf(probe.detail, sizeof probe.detail, "%s", err.detail);
        bool read = err.status <= CUPEL_E_SYNTAX && err.status >= CUPEL_E_NUMBER_SIZE;
        bool other = (is_fault(err.status) || read) && other_document(&probe);
        bool found = !other && is_fault(err.status) && find_node(c, &err, &node);
        if (found)
            find_way(c, node, &way);
        describe(c, &err, &way, node, found);
        if (other)
            other_document(&c->fault);
        bool no_schema = strncmp(err.detail, "a schema must be", 16) == 0;
        if (c->on_fault(c->ctx, &c->fault) != 0 || !found || !mask(c, &way, node, no_schema))
            return first;
    }
    return first;
}

/* -- Warnings ---------------------------------------------------------------------------------- */

/* Subschemas that are still to be walked. */
struct walk {
    uint32_t *nodes;
    size_t n, capacity;
};

static bool push(struct check *c, struct walk *walk, uint32_t node)
{
    if (node_at(c, node)->type != CUPEL__OBJECT)
        return true;
    if (cupel__grow(&c->options.alloc, (void **)&walk->nodes, &walk->capacity, walk->n + 1,
                    sizeof *walk->nodes) != CUPEL_OK)
        return false;
    walk->nodes[walk->n++] = node;
    return true;
}

/* Adds the subschemas in the value of a keyword. */
static bool push_parts(struct check *c, struct walk *walk, enum keyword kw, uint32_t value)
{
    const struct cupel__node *nodes = c->doc->doc.nodes;
    bool ok = true, object = nodes[value].type == CUPEL__OBJECT;
    switch (cupel__fe_keywords[kw].shape) {
    case SHAPE_SCHEMA:
    case SHAPE_EXTRA:
        return push(c, walk, value);
    case SHAPE_ITEMS:
        if (object)
            return push(c, walk, value);
        break;
    case SHAPE_SCHEMAS:
    case SHAPE_SCHEMA_MAP:
    case SHAPE_DEPENDENCIES:
        break;
    default:
        return true;
    }
    if (nodes[value].type < CUPEL__ARRAY)
        return true;
    for (uint32_t k = value + 1; k < nodes[value].end && ok;
         k = cupel__node_next(nodes, k + object))
        ok = push(c, walk, k + object);
    return ok;
}

/* The keyword of the dialect that is one edit from a name, or KW_NONE. */
static enum keyword near_keyword(const struct check *c, struct cupel__str name)
{
    enum keyword best = KW_NONE;
    int distance = 3; /* 1: case and separators, 2: one edit */
    for (int k = 1; k < KEYWORDS; k++) {
        const struct fe_keyword *kw = &cupel__fe_keywords[k];
        int d = cupel__similar(name, kw->name);
        if (d < distance && kw->first <= c->draft && c->draft <= kw->last && name.n > 3) {
            distance = d;
            best = (enum keyword)k;
        }
    }
    return best;
}

/* Reports a warning at a key. */
static bool warn(struct check *c, uint32_t key, const char *kind)
{
    struct cupel_fault *f = &c->fault;
    struct cupel_error e;
    struct cupel_text where;
    cupel__error_set(&e, CUPEL_OK, "-");
    cupel__error_set_position(&e, c->doc->doc.base[0], c->doc->doc.len,
                              cupel__doc_offset(&c->doc->doc, key));
    cupel_text_init(&where, &c->options.alloc);
    cupel__doc_pointer(&c->doc->doc, key, &where);
    cupel__error_set_pointer(&e, where.bytes, where.len);
    cupel_text_free(&where);
    f->status = CUPEL_OK;
    f->is_warning = 1;
    f->line = e.line;
    f->column = e.column;
    f->offset = e.offset;
    f->length = cupel__doc_span(&c->doc->doc, key).n;
    snprintf(f->where, sizeof f->where, "%s", e.where);
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    return c->on_fault(c->ctx, f) == 0;
}

static const char *draft_name(unsigned draft)
{
    static const char *const names[DRAFTS] = {"draft 4", "draft 6", "draft 7",
                                              "2019-09", "2020-12", "v1"};
    return names[draft < DRAFTS ? draft : DRAFT_2020];
}

/* Warns of a name that is no keyword of the dialect and probably misspells one.  False to stop. */
static bool look_at_name(struct check *c, uint32_t key)
{
    enum keyword kw = keyword_of(c, key), near;
    struct cupel__str name = str(c, key);
    memset(&c->fault, 0, sizeof c->fault);
    if (kw == KW_NONE) {
        near = near_keyword(c, name);
        if (near == KW_NONE || name.n == 0)
            return true;
        cupel__error_field(c->fault.detail, sizeof c->fault.detail,
                           "`%.*s` is not a keyword and means nothing", FE_TEXT(name));
        HELP(c, "did you mean `%.*s`?", FE_TEXT(cupel__fe_keywords[near].name));
        REPLACE(c, "\"%.*s\"", FE_TEXT(cupel__fe_keywords[near].name));
        return warn(c, key, "unknown-keyword");
    }
    const struct fe_keyword *k = &cupel__fe_keywords[kw];
    if ((k->first <= c->draft && c->draft <= k->last) || kw == KW_ID_4 || kw == KW_DEFS)
        return true;
    cupel__error_field(c->fault.detail, sizeof c->fault.detail,
                       "`%.*s` is not a keyword of %s and means nothing there", FE_TEXT(name),
                       draft_name(c->draft));
    if (k->first > c->draft)
        HELP(c, "it came with %s: name that dialect in `$schema`", draft_name(k->first));
    else
        HELP(c, "%s was the last to have it", draft_name(k->last));
    return warn(c, key, "other-dialect");
}

/* Says how many `format` are annotations only, unless the options set whether they assert. */
static void warn_of_formats(struct check *c, unsigned formats)
{
    struct cupel_fault *f = &c->fault;
    if (formats == 0 || c->draft == DRAFT_V1 ||
        (c->options.flags & (CUPEL_ASSERT_FORMAT | CUPEL_FORMAT_ANNOTATES)) != 0)
        return;
    memset(f, 0, sizeof *f);
    f->is_warning = 1;
    snprintf(f->kind, sizeof f->kind, "unchecked-format");
    cupel__error_field(f->detail, sizeof f->detail, "%u format%s not checked", formats,
                       formats == 1 ? " is" : "s are");
    HELP(c, "--assert-format checks them, --format-annotates says that they are annotations");
    c->on_fault(c->ctx, f);
}

static void find_warnings(struct check *c)
{
    const struct cupel__node *nodes = c->doc->doc.nodes;
    struct walk walk = {.nodes = NULL};
    bool ok = push(c, &walk, 0);
    int warnings = 0;
    unsigned formats = 0;
    while (walk.n > 0 && ok && warnings < MAX_WARNINGS) {
        uint32_t object = walk.nodes[--walk.n];
        for (uint32_t k = object + 1; k < nodes[object].end && ok;
             k = cupel__node_next(nodes, k + 1)) {
            ok = look_at_name(c, k);
            warnings += c->fault.is_warning;
            c->fault.is_warning = 0;
            enum keyword kw = keyword_of(c, k);
            formats += kw == KW_FORMAT;
            if (ok && kw != KW_NONE)
                ok = push_parts(c, &walk, kw, k + 1);
        }
    }
    warn_of_formats(c, formats);
    cupel__free(&c->options.alloc, walk.nodes, walk.capacity * sizeof *walk.nodes);
}

/* -- Entry ------------------------------------------------------------------------------------- */

/* The draft of the root; a custom meta-schema counts as the newest. */
static unsigned draft_of(const struct check *c)
{
    uint32_t uri = cupel__doc_member(&c->doc->doc, 0, CUPEL__STR("$schema"));
    if (uri == 0 || !is_string(c, uri))
        return cupel__fe_draft_option(c->options.dialect);
    unsigned draft = cupel__fe_draft_find(str(c, uri));
    return draft < DRAFTS ? draft : DRAFT_2020;
}

/* A text that is not JSON is one fault. */
static enum cupel_status report_text(struct check *c, struct cupel_error *err)
{
    describe(c, err, NULL, 0, false);
    c->on_fault(c->ctx, &c->fault);
    return err->status;
}

/* In place of a callback that is NULL. */
static int ignore_fault(void *ctx, const struct cupel_fault *fault)
{
    (void)ctx;
    (void)fault;
    return 0;
}

enum cupel_status cupel_schema_check(const char *schema, size_t len,
                                     const struct cupel_options *options, cupel_on_fault *on_fault,
                                     void *ctx)
{
    struct check c = {.text = schema,
                      .len = len,
                      .on_fault = on_fault != NULL ? on_fault : ignore_fault,
                      .ctx = ctx};
    struct cupel_error err;
    if (schema == NULL)
        return CUPEL_E_ARGUMENT;
    memset(&err, 0, sizeof err);
    if (len > SIZE_MAX / 2)
        return CUPEL_E_ARGUMENT;
    if (cupel__options_copy(options, &c.options, NULL) != CUPEL_OK)
        return CUPEL_E_ARGUMENT;
    struct cupel_options read = c.options;
    read.limits[CUPEL_LIMIT_BODY_BYTES] = read.limits[CUPEL_LIMIT_SCHEMA_BYTES];
    read.limits[CUPEL_LIMIT_DEPTH] = UINT32_MAX;
    read.flags &= ~(uint32_t)(CUPEL_INPUT_PADDED | CUPEL_ALLOW_BOM | CUPEL_ALLOW_DUPLICATE_KEYS);
    if (len > c.options.limits[CUPEL_LIMIT_SCHEMA_BYTES]) {
        cupel__error_set(&err, CUPEL_E_SCHEMA_SIZE, "the schema has %zu bytes, the limit is %zu",
                         len, (size_t)c.options.limits[CUPEL_LIMIT_SCHEMA_BYTES]);
        return report_text(&c, &err);
    }
    err.status = cupel_document_new(&read, &c.doc);
    if (err.status != CUPEL_OK)
        return err.status;
    err.status = cupel_document_read(c.doc, schema, len, &err);
    if (err.status == CUPEL_OK) {
        c.draft = draft_of(&c);
        find_warnings(&c);
        err.status = find_faults(&c);
    } else {
        report_text(&c, &err);
    }
    cupel_document_free(c.doc);
    return err.status;
}
