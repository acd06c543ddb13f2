/* canonical.c: writes canonical JSON (RFC 8785), and the other forms of a definition that are
 * digested (cupel/pin.h).
 *
 * RFC 8785 rounds numbers to binary64 (section 3.2.2.3).  Here a number keeps its exact value in
 * the same spelling: json/number_text.c.
 *
 * The semantic form sorts lists in schemas whose order has no meaning; the text form has the names
 * and texts that a model reads; the other form has the fields that no other part of a pin covers.
 * What is sorted or left out depends on the role of a value: `required` of a schema is a set, a
 * member of that name in a `default` is data.  Roles follow from the key and the role of the
 * enclosing object.
 *
 * An explicit stack of levels; the members that remain to be written of all open objects are in one
 * stack of items, sorted by key. */
#include "mcp/identity/canonical.h"
#include "mcp/containers/pool.h"
#include "mcp/json/number_text.h"
#include "mcp/text/characters.h"

#include <string.h>

/* The role of a value in a definition. */
enum role {
    DATA,
    DEFINITION,
    SCHEMA,
    SCHEMAS, /* an array of them */
    MAP,     /* an object whose members are schemas, by names that are shown */
    SET,     /* an array without order */
    SETS,    /* an object whose members are such, or schemas */
    LABEL,   /* a text for people and models */
    DROPPED
};

/* A member of an object that remains to be written, or the text of an item of a SET. */
struct item {
    const char *key;
    size_t len;
    uint32_t value;
    size_t start, end; /* in the text */
};

struct level {
    enum role role;
    bool object;
    uint64_t lengths; /* a bit for each length of an array in unknown keywords, here and above */
    uint64_t beside;  /* the same of arrays that are members here */
    uint32_t node, child; /* of an array */
    size_t first, next;   /* in the items, which end with the innermost level's */
};

struct writer {
    struct cupel_alloc alloc;
    struct cupel_document *doc;
    enum cupel__canonical_form form;
    struct cupel_text *text, scratch;
    struct level *levels;
    size_t depth, level_capacity;
    struct item *items;
    size_t count, item_capacity;
    bool ordered; /* a reference leads into a set: then order counts everywhere */
    bool failed;
};

/* -- Memory ----------------------------------------------------------------------------------- */

/* Grows an array to at least `need` items of `size` bytes. When out of memory sets w->failed and
 * returns the old array. */
static void *grow(struct writer *w, void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return array;
    size_t wider = need + need / 2 + 16;
    void *grown = w->alloc.realloc(w->alloc.ctx, array, *capacity * size, wider * size);
    w->failed |= grown == NULL;
    if (grown == NULL)
        return array;
    *capacity = wider;
    return grown;
}

static struct item *add_item(struct writer *w)
{
    w->items = grow(w, w->items, &w->item_capacity, w->count + 1, sizeof(*w->items));
    return w->failed ? NULL : &w->items[w->count++];
}

/* -- Roles ------------------------------------------------------------------------------------ */

static const struct role_of {
    const char *key;
    enum role role;
} schema_roles[] = {
    {"properties", MAP},
    {"patternProperties", MAP},
    {"$defs", MAP},
    {"definitions", MAP},
    {"dependentSchemas", MAP},
    {"dependentRequired", SETS},
    {"dependencies", SETS},
    {"required", SET},
    {"enum", SET},
    {"type", SET},
    {"allOf", SCHEMAS},
    {"anyOf", SCHEMAS},
    {"oneOf", SCHEMAS},
    {"prefixItems", SCHEMAS},
    {"items", SCHEMA},
    {"additionalItems", SCHEMA},
    {"unevaluatedItems", SCHEMA},
    {"contains", SCHEMA},
    {"additionalProperties", SCHEMA},
    {"unevaluatedProperties", SCHEMA},
    {"propertyNames", SCHEMA},
    {"contentSchema", SCHEMA},
    {"not", SCHEMA},
    {"if", SCHEMA},
    {"then", SCHEMA},
    {"else", SCHEMA},
    {"title", LABEL},
    {"description", LABEL},
    {NULL, DATA},
};

static const struct role_of definition_roles[] = {
    {"name", LABEL},
    {"title", LABEL},
    {"description", LABEL},
    {"inputSchema", SCHEMA},
    {"outputSchema", SCHEMA},
    {"annotations", SETS},
    {NULL, DATA},
};

static enum role find_role(const struct role_of *roles, const char *key, size_t len)
{
    while (roles->key != NULL && (strlen(roles->key) != len || memcmp(roles->key, key, len) != 0))
        roles++;
    return roles->role;
}

/* Returns the role of a member by its key and the role of its object. */
static enum role member_role(const struct writer *w, enum role of, const char *key, size_t len)
{
    enum role role = DATA;
    if (of == DEFINITION) {
        role = find_role(definition_roles, key, len);
        if (w->form == CUPEL__CANONICAL_OTHER)
            return role == DATA ? DATA : DROPPED;
        if (role == SETS)
            role = DATA; /* annotations are distinguished from other fields only */
    } else if (of == SCHEMA) {
        role = find_role(schema_roles, key, len);
    } else if (of == MAP) {
        role = SCHEMA;
    } else if (of == SETS) {
        role = SET;
    }
    if (of == LABEL)
        role = LABEL; /* a text that is an object is written whole */
    bool words = role != DATA && role != SET && role != SETS;
    return w->form == CUPEL__CANONICAL_TEXT && !words ? DROPPED : role;
}

/* Returns the role of a value, given the role of its place and its type. */
static enum role role_of_type(enum role role, enum cupel_json_type type)
{
    if (role == SET && type == CUPEL_JSON_OBJECT)
        return SCHEMA; /* a schema among `dependencies` */
    if (role == SCHEMA && type == CUPEL_JSON_ARRAY)
        return SCHEMAS; /* `items` of older drafts */
    return role;
}

/* -- Order that has a meaning ------------------------------------------------------------------ */

/* Records the lengths of arrays that may correspond to an enum item by item (names for its values,
 * say): arrays beside it, and arrays in unknown keywords there or in an enclosing schema. */
static void record_arrays(const struct writer *w, struct level *level)
{
    static const char *const values[] = {"default", "const", "examples", NULL};
    for (size_t i = level->first; i < w->count; i++) {
        const struct item *item = &w->items[i];
        enum role role = find_role(schema_roles, item->key, item->len);
        if (role == SET)
            continue;
        if (cupel_json_type(w->doc, item->value) == CUPEL_JSON_ARRAY)
            level->beside |= cupel__length_bit(cupel_json_count(w->doc, item->value));
        if (role == DATA && !cupel__mcp_is_one_of(item->key, item->len, values))
            level->lengths |= cupel__lengths_in(w->doc, item->value);
    }
}

/* Whether the order of a set may have a meaning. */
static bool is_ordered(const struct writer *w, const struct level *level, const struct item *item)
{
    if (w->ordered)
        return true;
    uint64_t bit = cupel__length_bit(cupel_json_count(w->doc, item->value));
    return item->len == 4 && memcmp(item->key, "enum", 4) == 0 &&
           ((level->lengths | level->beside) & bit) != 0;
}

/* -- Sorting ----------------------------------------------------------------------------------- */

/* Compares UTF-8 in the order of its UTF-16 code units (RFC 8785 section 3.2.3): code points beyond
 * U+FFFF, which need surrogates, come before U+E000 to U+FFFF. */
static int compare_keys(const struct item *a, const struct item *b)
{
    size_t n = a->len < b->len ? a->len : b->len, i = 0;
    while (i < n && a->key[i] == b->key[i])
        i++;
    if (i == n)
        return a->len < b->len ? -1 : a->len > b->len;
    unsigned char x = (unsigned char)a->key[i], y = (unsigned char)b->key[i];
    if (x >= 0xee && y >= 0xee && (x >= 0xf0) != (y >= 0xf0))
        return x >= 0xf0 ? -1 : 1;
    return x < y ? -1 : 1;
}

/* Compares the texts that were written for two items of a set. */
static int compare_texts(const char *base, const struct item *a, const struct item *b)
{
    size_t len_a = a->end - a->start, len_b = b->end - b->start;
    int order = memcmp(base + a->start, base + b->start, len_a < len_b ? len_a : len_b);
    return order != 0 ? order : len_a < len_b ? -1 : len_a > len_b;
}

static int compare(const char *base, const struct item *a, const struct item *b)
{
    return base != NULL ? compare_texts(base, a, b) : compare_keys(a, b);
}

/* Restores the heap below `from`, as heapsort has it. */
static void sift_down(struct item *items, size_t from, size_t count, const char *base)
{
    for (size_t child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && compare(base, &items[child], &items[child + 1]) < 0)
            child++;
        if (compare(base, &items[from], &items[child]) >= 0)
            return;
        struct item swap = items[from];
        items[from] = items[child];
        items[child] = swap;
    }
}

/* Heapsort: in place, without recursion, O(n log n) for every input.  Sorts by the texts at `base`,
 * or by keys if that is NULL. */
static void sort(struct item *items, size_t count, const char *base)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(items, i, count, base);
    for (size_t i = count; i-- > 1;) {
        struct item swap = items[0];
        items[0] = items[i];
        items[i] = swap;
        sift_down(items, 0, i, base);
    }
}

/* -- Writing ---------------------------------------------------------------------------------- */

/* Escapes only what RFC 8785 section 3.2.2.2 requires. */
static void write_string(struct cupel_text *text, const char *bytes, size_t len)
{
    static const char names[] = "btn\0fr"; /* of U+0008 to U+000D */
    size_t from = 0;
    cupel_text_adds(text, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        cupel_text_add(text, bytes + from, i - from);
        from = i + 1;
        if (c == '"' || c == '\\')
            cupel_text_addf(text, "\\%c", c);
        else if (c >= 0x08 && c <= 0x0d && names[c - 0x08] != '\0')
            cupel_text_addf(text, "\\%c", names[c - 0x08]);
        else
            cupel_text_addf(text, "\\u%04x", c);
    }
    cupel_text_add(text, bytes + from, len - from);
    cupel_text_adds(text, "\"");
}

/* Numbers in their shortest exact spelling, strings with the fewest escapes. */
static void write_scalar(struct writer *w, uint32_t node, enum cupel_json_type type)
{
    size_t len;
    if (type == CUPEL_JSON_STRING) {
        const char *string = cupel_json_string(w->doc, node, &len);
        write_string(w->text, string, len);
        return;
    }
    const char *span = cupel_json_span(w->doc, node, &len);
    if (type == CUPEL_JSON_NUMBER)
        cupel__number_shortest(w->text, span, len);
    else
        cupel_text_add(w->text, span, len);
}

/* Appends the members of an object that this form has to the items, sorted by key.  write_member()
 * takes them in this order, from level->next on. */
static void list_members(struct writer *w, const struct level *level)
{
    uint32_t key = cupel_json_first(w->doc, level->node);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(w->doc, level->node, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(w->doc, key, &len);
        if (member_role(w, level->role, name, len) == DROPPED)
            continue;
        struct item *item = add_item(w);
        if (item == NULL)
            return;
        *item = (struct item){.key = name, .len = len, .value = key + 1};
    }
    if (w->count != level->first)
        sort(w->items + level->first, w->count - level->first, NULL);
}

/* Writes a scalar, or opens a container, which becomes the innermost level. */
static void open_value(struct writer *w, uint32_t node, enum role role)
{
    enum cupel_json_type type = cupel_json_type(w->doc, node);
    if (type != CUPEL_JSON_OBJECT && type != CUPEL_JSON_ARRAY) {
        write_scalar(w, node, type);
        return;
    }
    w->levels = grow(w, w->levels, &w->level_capacity, w->depth + 1, sizeof(*w->levels));
    if (w->failed)
        return;
    struct level *level = &w->levels[w->depth++];
    *level = (struct level){.role = role_of_type(role, type),
                            .object = type == CUPEL_JSON_OBJECT,
                            .node = node,
                            .child = cupel_json_first(w->doc, node),
                            .first = w->count,
                            .next = w->count,
                            .lengths = w->depth > 1 ? level[-1].lengths : 0};
    cupel_text_adds(w->text, level->object ? "{" : "[");
    if (level->object)
        list_members(w, level);
    if (level->object && level->role == SCHEMA && w->form == CUPEL__CANONICAL_SEMANTIC)
        record_arrays(w, level);
}

/* Sorts the texts of the items of a set, which stand between brackets and commas at the end of the
 * output. */
static void sort_set(struct writer *w, const struct level *level)
{
    struct cupel_text *text = w->text;
    size_t count = w->count - level->first;
    if (count < 2 || text->failed)
        return;
    struct item *items = w->items + level->first;
    size_t start = items[0].start;
    items[count - 1].end = text->len;
    sort(items, count, text->bytes);
    cupel_text_clear(&w->scratch);
    for (size_t i = 0; i < count; i++) {
        cupel_text_adds(&w->scratch, i != 0 ? "," : "");
        cupel_text_add(&w->scratch, text->bytes + items[i].start, items[i].end - items[i].start);
    }
    w->failed |= w->scratch.failed != 0;
    if (!w->failed)
        memcpy(text->bytes + start, w->scratch.bytes, w->scratch.len);
}

static void close_level(struct writer *w)
{
    const struct level *level = &w->levels[w->depth - 1];
    if (level->role == SET)
        sort_set(w, level);
    cupel_text_adds(w->text, level->object ? "}" : "]");
    w->count = level->first;
    w->depth--;
}

/* Writes the next member of the innermost object and opens its value; closes the object after the
 * last one. */
static void write_member(struct writer *w, struct level *level)
{
    if (level->next == w->count) {
        close_level(w);
        return;
    }
    cupel_text_adds(w->text, level->next != level->first ? "," : "");
    const struct item *item = &w->items[level->next++];
    enum role role = member_role(w, level->role, item->key, item->len);
    if (role == SET && is_ordered(w, level, item))
        role = DATA;
    write_string(w->text, item->key, item->len);
    cupel_text_adds(w->text, ":");
    open_value(w, item->value, role);
}

/* Records where an item of a set begins in the output, and where the item before it ends. */
static void record_item(struct writer *w, const struct level *level, size_t start)
{
    struct item *item = add_item(w);
    if (item == NULL)
        return;
    *item = (struct item){.start = start};
    if (w->count - level->first > 1)
        item[-1].end = start - 1;
}

/* Writes the next item of the innermost array; closes the array after the last one. */
static void write_item(struct writer *w, struct level *level)
{
    uint32_t node = level->child;
    if (node == CUPEL_NO_NODE) {
        close_level(w);
        return;
    }
    cupel_text_adds(w->text, node != cupel_json_first(w->doc, level->node) ? "," : "");
    level->child = cupel_json_next(w->doc, level->node, node);
    if (level->role == SET)
        record_item(w, level, w->text->len);
    open_value(w, node, level->role == SCHEMAS ? SCHEMA : level->role == LABEL ? LABEL : DATA);
}

/* The loop over the stack of levels; no recursion. */
bool cupel__canonical_write(struct cupel_document *doc, uint32_t node,
                            enum cupel__canonical_form form, const struct cupel_alloc *alloc,
                            struct cupel_text *text)
{
    struct writer w = {.alloc = *alloc, .doc = doc, .form = form, .text = text};
    cupel_text_init(&w.scratch, alloc);
    w.ordered = form == CUPEL__CANONICAL_SEMANTIC && cupel__has_set_pointer(doc);
    open_value(&w, node, form == CUPEL__CANONICAL_PLAIN ? DATA : DEFINITION);
    while (w.depth != 0 && !w.failed) {
        struct level *level = &w.levels[w.depth - 1];
        if (level->object)
            write_member(&w, level);
        else
            write_item(&w, level);
    }
    if (w.levels != NULL)
        alloc->realloc(alloc->ctx, w.levels, w.level_capacity * sizeof(*w.levels), 0);
    if (w.items != NULL)
        alloc->realloc(alloc->ctx, w.items, w.item_capacity * sizeof(*w.items), 0);
    cupel_text_free(&w.scratch);
    return !w.failed && !text->failed;
}

enum cupel_status cupel_json_canonical_write(struct cupel_document *doc, uint32_t node,
                                             const struct cupel_alloc *alloc,
                                             struct cupel_text *text)
{
    if (doc == NULL || text == NULL)
        return CUPEL_E_ARGUMENT;
    struct cupel_alloc chosen =
        cupel__mcp_alloc(alloc != NULL ? alloc : &(struct cupel_alloc){NULL, NULL});
    return cupel__canonical_write(doc, node, CUPEL__CANONICAL_PLAIN, &chosen, text)
               ? CUPEL_OK
               : CUPEL_E_NO_MEMORY;
}
