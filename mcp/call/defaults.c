/* defaults.c: writes the arguments of a call with the defaults of the schema filled in, for hosts
 * that want that.  The verdict never depends on defaults: a default is an annotation.
 *
 * Defaults come from the `properties` of the root and of objects in it, and of what a `$ref` within
 * the same schema refers to by a JSON Pointer, as repairs take them; composition is not followed.
 * Beside a `$ref` the keywords of the drafts before 2019-09 count for nothing.  Only optional
 * members are added, since a call without a required member is invalid.  The result is validated:
 * defaults can be wrong or contradict each other, and then the arguments stay as they were.
 *
 * An explicit stack of at most DEEPEST levels; deeper objects are copied. */
#include "mcp/call/context.h"

#include <string.h>

/* Objects within objects; references in a chain; bytes of a step of a pointer. */
enum { DEEPEST = 32, MOST_REFERENCES = 16, MOST_STEP_BYTES = 256 };

/* An object of the arguments that is open in the output. */
struct level {
    uint32_t properties, required; /* in the schema, or CUPEL_NO_NODE */
    uint32_t object, key;          /* in the arguments; the key of the next member */
    bool any;                      /* a member was written */
};

/* The state of the writer: the schema, the arguments, the output, the stack. */
struct writer {
    struct cupel_document *schema, *doc;
    struct cupel_text *text;
    struct level levels[DEEPEST];
    uint32_t depth, count;
    bool alone; /* the dialect ignores what stands beside a $ref */
};

static uint32_t member(struct cupel_document *doc, uint32_t node, const char *key)
{
    return node != CUPEL_NO_NODE ? cupel_json_member(doc, node, key, strlen(key)) : CUPEL_NO_NODE;
}

/* The item of an array or the member of an object that a step of a pointer names. */
static uint32_t child(struct cupel_document *doc, uint32_t node, const char *step, size_t len)
{
    if (cupel_json_type(doc, node) == CUPEL_JSON_OBJECT)
        return cupel_json_member(doc, node, step, len);
    if (cupel_json_type(doc, node) != CUPEL_JSON_ARRAY || len == 0 || len > 6)
        return CUPEL_NO_NODE;
    uint32_t index = 0, item = cupel_json_first(doc, node);
    for (size_t i = 0; i < len; i++) {
        if (step[i] < '0' || step[i] > '9')
            return CUPEL_NO_NODE;
        index = index * 10 + (uint32_t)(step[i] - '0');
    }
    while (index-- > 0 && item != CUPEL_NO_NODE)
        item = cupel_json_next(doc, node, item);
    return item;
}

/* Copies a step of a pointer without its escapes.  False: it is too long, or has an escape of URIs.
 */
static bool unescape(const char *step, size_t len, char *ret, size_t *ret_len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        char c = step[i];
        if (c == '%' || n == MOST_STEP_BYTES)
            return false;
        if (c == '~' && i + 1 < len && (step[i + 1] == '0' || step[i + 1] == '1'))
            c = step[++i] == '0' ? '~' : '/';
        ret[n++] = c;
    }
    *ret_len = n;
    return true;
}

/* The schema that a reference of the form #/a/b means, or CUPEL_NO_NODE. */
static uint32_t target_of(struct cupel_document *doc, uint32_t reference)
{
    size_t len, at = 1;
    const char *text = cupel_json_string(doc, reference, &len);
    uint32_t node = 0;
    if (text == NULL || len == 0 || text[0] != '#' || (len > 1 && text[1] != '/'))
        return CUPEL_NO_NODE;
    while (at < len && node != CUPEL_NO_NODE) {
        char step[MOST_STEP_BYTES];
        const char *slash = memchr(text + at + 1, '/', len - at - 1);
        size_t end = slash != NULL ? (size_t)(slash - text) : len, n;
        if (!unescape(text + at + 1, end - at - 1, step, &n))
            return CUPEL_NO_NODE;
        node = child(doc, node, step, n);
        at = end;
    }
    return node;
}

/* The value of a keyword of a schema or of the schemas that it refers to, one after the other. */
static uint32_t keyword(struct writer *w, uint32_t schema, const char *key)
{
    for (int n = 0; n < MOST_REFERENCES && schema != CUPEL_NO_NODE; n++) {
        uint32_t reference = member(w->schema, schema, "$ref");
        uint32_t own =
            reference != CUPEL_NO_NODE && w->alone ? CUPEL_NO_NODE : member(w->schema, schema, key);
        if (own != CUPEL_NO_NODE || reference == CUPEL_NO_NODE)
            return own;
        schema = target_of(w->schema, reference);
    }
    return CUPEL_NO_NODE;
}

/* Whether the schema is of draft 3 to 7. */
static bool is_old(struct cupel_document *doc)
{
    size_t len;
    uint32_t dialect = member(doc, 0, "$schema");
    const char *text = dialect != CUPEL_NO_NODE ? cupel_json_string(doc, dialect, &len) : NULL;
    for (size_t i = 0; text != NULL && i + 7 <= len; i++)
        if (memcmp(text + i, "draft-0", 7) == 0)
            return true;
    return false;
}

static void add_span(struct writer *w, struct cupel_document *doc, uint32_t node)
{
    size_t len;
    const char *span = cupel_json_span(doc, node, &len);
    cupel_text_add(w->text, span, len);
}

/* Writes a member's key, after a comma if it is not the first. */
static void open_member(struct writer *w, struct level *level, struct cupel_document *doc,
                        uint32_t key)
{
    cupel_text_adds(w->text, level->any ? "," : "");
    level->any = true;
    add_span(w, doc, key);
    cupel_text_adds(w->text, ":");
}

/* Opens an object of the arguments; `schema` is its schema. */
static void open_object(struct writer *w, uint32_t object, uint32_t schema)
{
    w->levels[w->depth++] = (struct level){
        .properties = keyword(w, schema, "properties"),
        .required = keyword(w, schema, "required"),
        .object = object,
        .key = cupel_json_first(w->doc, object),
    };
    cupel_text_adds(w->text, "{");
}

static bool is_required(struct writer *w, const struct level *level, const char *name, size_t len)
{
    uint32_t list = level->required;
    uint32_t node = list != CUPEL_NO_NODE ? cupel_json_first(w->schema, list) : CUPEL_NO_NODE;
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(w->schema, list, node)) {
        size_t n;
        const char *text = cupel_json_string(w->schema, node, &n);
        if (text != NULL && n == len && memcmp(text, name, len) == 0)
            return true;
    }
    return false;
}

/* Writes the defaults of absent optional members and closes the object. */
static void close_object(struct writer *w, struct level *level)
{
    uint32_t map = level->properties;
    uint32_t key = map != CUPEL_NO_NODE ? cupel_json_first(w->schema, map) : CUPEL_NO_NODE;
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(w->schema, map, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(w->schema, key, &len);
        uint32_t value = keyword(w, key + 1, "default");
        if (value == CUPEL_NO_NODE || is_required(w, level, name, len) ||
            cupel_json_member(w->doc, level->object, name, len) != CUPEL_NO_NODE)
            continue;
        open_member(w, level, w->schema, key);
        add_span(w, w->schema, value);
        w->count++;
    }
    cupel_text_adds(w->text, "}");
    w->depth--;
}

/* Writes the next member.  An object whose schema has properties is opened; other values are
 * copied. */
static void write_member(struct writer *w, struct level *level)
{
    size_t len;
    uint32_t key = level->key, value = key + 1;
    const char *name = cupel_json_string(w->doc, key, &len);
    uint32_t schema = level->properties != CUPEL_NO_NODE
                          ? cupel_json_member(w->schema, level->properties, name, len)
                          : CUPEL_NO_NODE;
    level->key = cupel_json_next(w->doc, level->object, value);
    open_member(w, level, w->doc, key);
    if (w->depth < DEEPEST && cupel_json_type(w->doc, value) == CUPEL_JSON_OBJECT &&
        keyword(w, schema, "properties") != CUPEL_NO_NODE)
        open_object(w, value, schema);
    else
        add_span(w, w->doc, value);
}

/* Appends the arguments of the last valid call.  Returns the number of defaults that were added. */
uint32_t cupel_call_defaults_write(struct cupel_call_context *context, struct cupel_text *text)
{
    if (context == NULL || text == NULL)
        return 0;
    const struct cupel__call_site *site = &context->last;
    if (site->doc == NULL)
        return 0;
    const struct cupel__mcp_slice *schema = &site->definition->schemas[CUPEL__MCP_INPUT];
    struct cupel_text *filled = &context->answer.message;
    struct writer w = {.schema = context->copy, .doc = site->arguments_doc, .text = filled};
    cupel_text_clear(filled);
    if (cupel_document_read(context->copy, schema->bytes, schema->len, NULL) == CUPEL_OK) {
        w.alone = is_old(context->copy);
        open_object(&w, site->arguments, 0);
        while (w.depth != 0) {
            struct level *level = &w.levels[w.depth - 1];
            if (level->key != CUPEL_NO_NODE)
                write_member(&w, level);
            else
                close_object(&w, level);
        }
    }
    /* The defaults may be invalid, alone or together. */
    if (w.count == 0 || filled->failed ||
        cupel_validate(site->definition->view.input, context->scratch, filled->bytes, filled->len,
                       NULL) != CUPEL_VALID) {
        size_t len;
        const char *span = cupel_json_span(site->arguments_doc, site->arguments, &len);
        cupel_text_add(text, span, len);
        return 0;
    }
    cupel_text_add(text, filled->bytes, filled->len);
    return w.count;
}
