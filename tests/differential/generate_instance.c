/* generate_instance.c: instances that follow a schema, more or less.
 *
 * All schemas that apply to a value are gathered first, as far as that is known without evaluating:
 * references, allOf, one branch of anyOf, oneOf and if.  Then a value is made of what they say,
 * with no claim that it satisfies them. */
#include "generate.h"

#include <string.h>

enum { MAX_VIEWS = 12, MAX_NAMES = 16, DEEPEST = 6 };

/* The schemas that apply to a value. */
struct views {
    uint32_t nodes[MAX_VIEWS];
    uint32_t count;
};

struct maker {
    struct chance chance;
    struct cupel_document *schema;
    struct cupel_text *out;
    uint32_t wild; /* how often, of 100, a rule is broken */
    int left;      /* values that may still be written */
};

static void make_value(struct maker *m, const struct views *v, int depth);

static bool percent(struct maker *m, uint32_t n)
{
    return chance_percent(&m->chance, n);
}

static uint32_t below(struct maker *m, uint32_t n)
{
    return chance_below(&m->chance, n);
}

/* -- The schema ------------------------------------------------------------------------------- */

static uint32_t get(struct maker *m, uint32_t node, const char *name)
{
    return cupel_json_member(m->schema, node, name, strlen(name));
}

static bool is(const struct maker *m, uint32_t node, enum cupel_json_type type)
{
    return node != CUPEL_NO_NODE && cupel_json_type(m->schema, node) == type;
}

static uint32_t next_member(const struct maker *m, uint32_t object, uint32_t key)
{
    return cupel_json_next(m->schema, object, key + 1);
}

static uint32_t nth(const struct maker *m, uint32_t array, uint32_t i)
{
    uint32_t item = cupel_json_first(m->schema, array);
    while (i-- > 0 && item != CUPEL_NO_NODE)
        item = cupel_json_next(m->schema, array, item);
    return item;
}

static void put_span(struct maker *m, uint32_t node)
{
    size_t len;
    const char *span = cupel_json_span(m->schema, node, &len);
    cupel_text_add(m->out, span, len);
}

/* The number of the definition that a reference of generate.c means, or DEFINITIONS: "…/TOKEN" of a
 * pointer, "…#nNUMBER" of an anchor, "…rNUMBER" of a resource. */
static uint32_t find_definition(const char *text, size_t len)
{
    while (len > 0 && text[len - 1] == '#')
        len--;
    if (len > 1 && text[len - 1] >= '0' && text[len - 1] < '0' + DEFINITIONS)
        return (uint32_t)(text[len - 1] - '0');
    for (uint32_t i = 0; i < DEFINITIONS; i++) {
        const char *token = definition_names[i].token;
        size_t n = strlen(token);
        if (len > n && text[len - n - 1] == '/' && memcmp(text + len - n, token, n) == 0)
            return i;
    }
    return DEFINITIONS;
}

/* The schema that a reference means; good enough for what generate.c writes. */
static uint32_t find_target(struct maker *m, uint32_t ref)
{
    size_t len;
    const char *text = cupel_json_string(m->schema, ref, &len);
    uint32_t defs = get(m, 0, "$defs");
    uint32_t number = text != NULL ? find_definition(text, len) : DEFINITIONS;
    if (defs == CUPEL_NO_NODE)
        defs = get(m, 0, "definitions");
    if (number == DEFINITIONS || defs == CUPEL_NO_NODE)
        return 0;
    return get(m, defs, definition_names[number].name);
}

/* -- Gathering -------------------------------------------------------------------------------- */

static void gather(struct maker *m, struct views *v, uint32_t node);

static void gather_list(struct maker *m, struct views *v, uint32_t list, bool every)
{
    if (!is(m, list, CUPEL_JSON_ARRAY))
        return;
    uint32_t count = cupel_json_count(m->schema, list);
    uint32_t first = every ? 0 : below(m, count), end = every ? count : first + 1;
    for (uint32_t i = first; i < end; i++)
        gather(m, v, nth(m, list, i));
}

static void gather_if(struct maker *m, struct views *v, uint32_t node)
{
    uint32_t condition = get(m, node, "if");
    bool then = percent(m, 50);
    if (condition == CUPEL_NO_NODE)
        return;
    if (then)
        gather(m, v, condition);
    gather(m, v, get(m, node, then ? "then" : "else"));
}

/* Adds a schema and what it applies to the same value.  That has no cycles, and the list an end. */
static void gather(struct maker *m, struct views *v, uint32_t node)
{
    if (!is(m, node, CUPEL_JSON_OBJECT) || v->count == MAX_VIEWS)
        return;
    v->nodes[v->count++] = node;
    static const char *const refs[] = {"$ref", "$dynamicRef", "$recursiveRef"};
    for (int i = 0; i < 3; i++) {
        uint32_t ref = get(m, node, refs[i]);
        if (ref != CUPEL_NO_NODE)
            gather(m, v, find_target(m, ref));
    }
    gather_list(m, v, get(m, node, "allOf"), true);
    gather_list(m, v, get(m, node, "anyOf"), false);
    gather_list(m, v, get(m, node, "oneOf"), false);
    gather_if(m, v, node);
}

/* One of the schemas' values of a keyword, or CUPEL_NO_NODE. */
static uint32_t any_of(struct maker *m, const struct views *v, const char *name)
{
    uint32_t found = CUPEL_NO_NODE, count = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t value = get(m, v->nodes[i], name);
        if (value != CUPEL_NO_NODE && below(m, ++count) == 0)
            found = value;
    }
    return found;
}

static bool any_has(struct maker *m, const struct views *v, const char *const *names)
{
    for (; *names != NULL; names++)
        if (any_of(m, v, *names) != CUPEL_NO_NODE)
            return true;
    return false;
}

static int64_t count_of(struct maker *m, const struct views *v, const char *name, int64_t absent)
{
    int64_t n = absent;
    uint32_t value = any_of(m, v, name);
    return value != CUPEL_NO_NODE && cupel_json_integer(m->schema, value, &n) == 0 ? n : absent;
}

/* A string that one of the schemas' formats is about; false if there is none. */
static bool make_format(struct maker *m, const struct views *v)
{
    static const char *const names[] = {"format", "contentMediaType"};
    uint32_t asked = any_of(m, v, names[0]);
    if (asked == CUPEL_NO_NODE)
        asked = any_of(m, v, names[1]);
    if (asked == CUPEL_NO_NODE || !percent(m, 80))
        return false;
    size_t len;
    const char *span = cupel_json_span(m->schema, asked, &len);
    uint32_t first = below(m, FORMATS);
    for (uint32_t i = 0; i < FORMATS; i++) {
        const struct format_sample *f = &formats[(first + i) % FORMATS];
        const char *at = strstr(f->keywords, "\":\"") + 2;
        if (strncmp(at, span, len) != 0)
            continue;
        uint32_t half = percent(m, 70) ? 0 : FORMAT_TEXTS / 2;
        cupel_text_addf(m->out, "\"%s\"", f->texts[half + below(m, FORMAT_TEXTS / 2)]);
        return true;
    }
    return false;
}

/* -- Strings and numbers ---------------------------------------------------------------------- */

static void make_string(struct maker *m, const struct views *v)
{
    if (make_format(m, v))
        return;
    uint32_t pattern = any_of(m, v, "pattern");
    int64_t least = count_of(m, v, "minLength", 0), most = count_of(m, v, "maxLength", 99);
    for (uint32_t i = 0; pattern != CUPEL_NO_NODE && i < PATTERNS; i++) {
        size_t len, n = strlen(patterns[i].pattern);
        const char *span = cupel_json_span(m->schema, pattern, &len);
        if (len == n + 2 && memcmp(span + 1, patterns[i].pattern, n) == 0 && percent(m, 85)) {
            write_words(&m->chance, m->out, patterns[i].match, strlen(patterns[i].match));
            return;
        }
    }
    const struct words *w = &words[below(m, WORDS)];
    for (int tries = 8; tries > 0 && ((int64_t)w->len < least || (int64_t)w->len > most); tries--)
        w = &words[below(m, WORDS)];
    write_words(&m->chance, m->out, w->bytes, w->len);
}

static void make_number(struct maker *m, const struct views *v, bool integer)
{
    static const char *const bounds[] = {"minimum", "maximum", "multipleOf", "exclusiveMinimum",
                                         "exclusiveMaximum"};
    uint32_t bound = any_of(m, v, bounds[below(m, 5)]);
    if (is(m, bound, CUPEL_JSON_NUMBER) && percent(m, 50))
        put_span(m, bound);
    else if (integer && percent(m, 60))
        cupel_text_addf(m->out, "%d", (int)below(m, 12) - 1);
    else
        cupel_text_adds(m->out, numbers[below(m, percent(m, 60) ? 16 : NUMBERS)]);
}

/* -- Arrays ----------------------------------------------------------------------------------- */

/* The schemas that apply to item number i. */
static void gather_item(struct maker *m, const struct views *v, uint32_t i, struct views *ret)
{
    static const char *const lists[] = {"prefixItems", "items"};
    static const char *const rest[] = {"items", "additionalItems", "unevaluatedItems"};
    for (uint32_t n = 0; n < v->count; n++) {
        uint32_t node = v->nodes[n], schema = CUPEL_NO_NODE;
        for (int k = 0; k < 2 && schema == CUPEL_NO_NODE; k++) {
            uint32_t list = get(m, node, lists[k]);
            if (is(m, list, CUPEL_JSON_ARRAY))
                schema = nth(m, list, i);
        }
        for (int k = 0; k < 3 && !is(m, schema, CUPEL_JSON_OBJECT); k++)
            schema = get(m, node, rest[k]);
        gather(m, ret, schema);
    }
    uint32_t contains = any_of(m, v, "contains");
    if (percent(m, 50))
        gather(m, ret, contains);
}

static void make_array(struct maker *m, const struct views *v, int depth)
{
    uint32_t least = (uint32_t)count_of(m, v, "minItems", 0), count = least + below(m, 4);
    cupel_text_adds(m->out, "[");
    for (uint32_t i = 0; i < count; i++) {
        struct views item = {.count = 0};
        cupel_text_adds(m->out, i != 0 ? "," : "");
        gather_item(m, v, i, &item);
        make_value(m, &item, depth - 1);
    }
    cupel_text_adds(m->out, "]");
}

/* -- Objects ---------------------------------------------------------------------------------- */

/* Names of an object, each once. */
struct names {
    struct words words[MAX_NAMES];
    uint32_t count;
};

static void add_name(struct names *names, const char *bytes, size_t len)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (names->words[i].len == len && memcmp(names->words[i].bytes, bytes, len) == 0)
            return;
    if (names->count < MAX_NAMES)
        names->words[names->count++] = (struct words){bytes, len};
}

/* Adds strings of the schema: the items of an array or the keys of an object. */
static void add_names(struct maker *m, struct names *names, uint32_t from, uint32_t chance)
{
    bool object = is(m, from, CUPEL_JSON_OBJECT);
    uint32_t node = from != CUPEL_NO_NODE ? cupel_json_first(m->schema, from) : CUPEL_NO_NODE;
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(m->schema, from, node + object)) {
        size_t len;
        const char *text = cupel_json_string(m->schema, node, &len);
        if (text != NULL && percent(m, chance))
            add_name(names, text, len);
    }
}

static void add_pattern_names(struct maker *m, struct names *names, uint32_t map)
{
    uint32_t key = map != CUPEL_NO_NODE ? cupel_json_first(m->schema, map) : CUPEL_NO_NODE;
    for (; key != CUPEL_NO_NODE; key = next_member(m, map, key)) {
        size_t len;
        const char *span = cupel_json_span(m->schema, key, &len);
        for (uint32_t i = 0; i < PATTERNS; i++)
            if (len == strlen(patterns[i].pattern) + 2 && percent(m, 50) &&
                memcmp(span + 1, patterns[i].pattern, len - 2) == 0)
                add_name(names, patterns[i].match, strlen(patterns[i].match));
    }
}

static void choose_names(struct maker *m, const struct views *v, struct names *ret)
{
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t node = v->nodes[i];
        add_names(m, ret, get(m, node, "required"), 100 - m->wild);
        add_names(m, ret, get(m, node, "properties"), 55);
        add_names(m, ret, get(m, node, "dependentSchemas"), 20);
        add_names(m, ret, get(m, node, "dependentRequired"), 20);
        add_names(m, ret, get(m, node, "dependencies"), 20);
        add_pattern_names(m, ret, get(m, node, "patternProperties"));
    }
    for (uint32_t extra = percent(m, 30) ? 1 + below(m, 2) : 0; extra > 0; extra--) {
        const struct words *w = &words[below(m, percent(m, 60) ? 8 : WORDS)];
        add_name(ret, w->bytes, w->len);
    }
}

/* The schemas that apply to the member of a name. */
static void gather_member(struct maker *m, const struct views *v, const struct words *name,
                          struct views *ret)
{
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t map = get(m, v->nodes[i], "properties"), schema = CUPEL_NO_NODE;
        if (map != CUPEL_NO_NODE)
            schema = cupel_json_member(m->schema, map, name->bytes, name->len);
        if (schema == CUPEL_NO_NODE)
            schema = get(m, v->nodes[i], "additionalProperties");
        if (schema == CUPEL_NO_NODE)
            schema = get(m, v->nodes[i], "unevaluatedProperties");
        gather(m, ret, schema);
    }
}

static void make_object(struct maker *m, const struct views *v, int depth)
{
    struct names names = {.count = 0};
    choose_names(m, v, &names);
    uint32_t turn = names.count > 0 ? below(m, names.count) : 0;
    cupel_text_adds(m->out, "{");
    for (uint32_t i = 0; i < names.count; i++) {
        const struct words *name = &names.words[(i + turn) % names.count];
        struct views value = {.count = 0};
        cupel_text_adds(m->out, i != 0 ? "," : "");
        write_words(&m->chance, m->out, name->bytes, name->len);
        cupel_text_adds(m->out, ":");
        gather_member(m, v, name, &value);
        make_value(m, &value, depth - 1);
    }
    cupel_text_adds(m->out, "}");
}

/* -- Values ----------------------------------------------------------------------------------- */

/* A type that the schemas ask for, by name or by their keywords; NULL if they do not care. */
static const char *guess_type(struct maker *m, const struct views *v)
{
    static const struct {
        const char *type;
        const char *keywords[8];
    } hints[] = {
        {"object",
         {"properties", "required", "additionalProperties", "patternProperties", "minProperties",
          "unevaluatedProperties", "propertyNames", NULL}},
        {"array", {"items", "prefixItems", "contains", "minItems", "uniqueItems", NULL}},
        {"number", {"minimum", "maximum", "multipleOf", "exclusiveMinimum", NULL}},
        {"string", {"minLength", "maxLength", "pattern", "format", "contentMediaType", NULL}},
    };
    static const char *const types[] = {"null",   "boolean", "number", "integer",
                                        "string", "array",   "object"};
    uint32_t named = any_of(m, v, "type");
    if (is(m, named, CUPEL_JSON_ARRAY))
        named = nth(m, named, below(m, cupel_json_count(m->schema, named)));
    for (size_t i = 0; named != CUPEL_NO_NODE && i < sizeof(types) / sizeof(types[0]); i++)
        if (cupel_json_is(m->schema, named, types[i]))
            return types[i];
    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
        if (any_has(m, v, hints[i].keywords) && percent(m, 85))
            return hints[i].type;
    return NULL;
}

static void make_typed(struct maker *m, const struct views *v, const char *type, int depth)
{
    if (strcmp(type, "object") == 0)
        make_object(m, v, depth);
    else if (strcmp(type, "array") == 0)
        make_array(m, v, depth);
    else if (strcmp(type, "string") == 0)
        make_string(m, v);
    else if (strcmp(type, "null") == 0)
        cupel_text_adds(m->out, "null");
    else if (strcmp(type, "boolean") == 0)
        cupel_text_adds(m->out, percent(m, 50) ? "true" : "false");
    else
        make_number(m, v, strcmp(type, "integer") == 0);
}

static void make_value(struct maker *m, const struct views *v, int depth)
{
    uint32_t constant = any_of(m, v, "const"), values = any_of(m, v, "enum");
    if (m->left-- <= 0 || depth <= 0 || percent(m, m->wild)) {
        write_value(&m->chance, m->out, depth > 0 ? 2 : 0);
        return;
    }
    if (constant != CUPEL_NO_NODE && percent(m, 80)) {
        put_span(m, constant);
    } else if (is(m, values, CUPEL_JSON_ARRAY) && percent(m, 80)) {
        put_span(m, nth(m, values, below(m, cupel_json_count(m->schema, values))));
    } else {
        const char *type = guess_type(m, v);
        if (type != NULL)
            make_typed(m, v, type, depth);
        else
            write_value(&m->chance, m->out, 2);
    }
}

void generate_instance(uint64_t seed, struct cupel_document *schema, struct cupel_text *text)
{
    static const uint32_t wildness[] = {0, 0, 4, 15};
    struct maker m = {{seed}, schema, text, 0, 60};
    struct views root = {.count = 0};
    m.wild = wildness[below(&m, 4)];
    gather(&m, &root, 0);
    make_value(&m, &root, DEEPEST);
}
