/* defaults.c: the arguments of a call with the defaults of its schema filled in, for hosts that ask
 * for that.  Judging never does: a default is an annotation.
 *
 * Only what `properties` of the root and of objects in them say is looked at, as other
 * implementations do, and only optional members are added: without a required one a call is not
 * valid. */
#include "mcp/call/context.h"

#include <string.h>

enum { DEEPEST = 32 }; /* objects in objects; what is deeper stays as it is */

/* An object of the arguments that is being written. */
struct level {
    uint32_t properties, required; /* in the schema, or CUPEL_NO_NODE */
    uint32_t object, key;          /* in the arguments; the member that is next */
    bool any;                      /* a member was written */
};

struct writer {
    struct cupel_document *schema, *doc;
    struct cupel_text *text;
    struct level levels[DEEPEST];
    uint32_t depth, count;
};

static uint32_t member(struct cupel_document *doc, uint32_t node, const char *key)
{
    return node != CUPEL_NO_NODE ? cupel_json_member(doc, node, key, strlen(key)) : CUPEL_NO_NODE;
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

/* Enters an object of the arguments whose schema is known. */
static void open_object(struct writer *w, uint32_t object, uint32_t schema)
{
    w->levels[w->depth++] = (struct level){
        .properties = member(w->schema, schema, "properties"),
        .required = member(w->schema, schema, "required"),
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

/* Writes the members that are absent and have a default, and leaves the object. */
static void close_object(struct writer *w, struct level *level)
{
    uint32_t map = level->properties;
    uint32_t key = map != CUPEL_NO_NODE ? cupel_json_first(w->schema, map) : CUPEL_NO_NODE;
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(w->schema, map, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(w->schema, key, &len);
        uint32_t value = member(w->schema, key + 1, "default");
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
        member(w->schema, schema, "properties") != CUPEL_NO_NODE)
        open_object(w, value, schema);
    else
        add_span(w, w->doc, value);
}

uint32_t cupel_call_defaults_write(struct cupel_caller *caller, struct cupel_text *text)
{
    const struct cupel__call_site *site = &caller->last;
    if (site->doc == NULL)
        return 0;
    const struct cupel__mcp_slice *schema = &site->definition->schemas[CUPEL__MCP_INPUT];
    struct cupel_text *filled = &caller->answer.message;
    struct writer w = {.schema = caller->copy, .doc = site->arguments_doc, .text = filled};
    cupel_text_clear(filled);
    if (cupel_document_read(caller->copy, schema->bytes, schema->len, NULL) == CUPEL_OK) {
        open_object(&w, site->arguments, 0);
        while (w.depth != 0) {
            struct level *level = &w.levels[w.depth - 1];
            if (level->key != CUPEL_NO_NODE)
                write_member(&w, level);
            else
                close_object(&w, level);
        }
    }
    /* A default may be wrong, or not go with the others. */
    if (w.count == 0 || filled->failed ||
        cupel_validate(site->definition->view.input, caller->scratch, filled->bytes, filled->len,
                       NULL) != CUPEL_VALID) {
        size_t len;
        const char *span = cupel_json_span(site->arguments_doc, site->arguments, &len);
        cupel_text_add(text, span, len);
        return 0;
    }
    cupel_text_add(text, filled->bytes, filled->len);
    return w.count;
}
