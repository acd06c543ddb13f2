/* walk.c: a walk over a schema that can also follow its references, with an explicit stack,
 * and that knows where in the schema it is.  What it says and writes on the way is in
 * vendor/schema.c. */
#include "mcp/vendor/target.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cupel__target_walk_free(struct cupel__target_walk *walk)
{
    const struct cupel_alloc *alloc = &walk->alloc;
    if (walk->frames != NULL)
        alloc->realloc(alloc->ctx, walk->frames, walk->capacity * sizeof(*walk->frames), 0);
    if (walk->marks != NULL)
        alloc->realloc(alloc->ctx, walk->marks, walk->marks_bytes, 0);
    cupel__mcp_index_free(&walk->index);
    cupel_text_free(&walk->out);
    cupel_text_free(&walk->pointer);
    cupel_text_free(&walk->message);
}

struct cupel__target_frame *cupel__target_enter(struct cupel__target_walk *walk,
                                                enum cupel__target_shape shape, uint32_t node)
{
    if (walk->depth == walk->capacity) {
        size_t capacity = walk->capacity + walk->capacity / 2 + 32, size = sizeof(*walk->frames);
        void *frames = walk->alloc.realloc(walk->alloc.ctx, walk->frames, walk->capacity * size,
                                           capacity * size);
        if (frames == NULL) {
            walk->status = CUPEL_E_NO_MEMORY;
            return NULL;
        }
        walk->frames = frames;
        walk->capacity = capacity;
    }
    const struct cupel__target_frame *below =
        walk->depth != 0 ? &walk->frames[walk->depth - 1] : NULL;
    struct cupel__target_frame *frame = &walk->frames[walk->depth];
    *frame = (struct cupel__target_frame){.shape = shape,
                                          .node = node,
                                          .key = CUPEL_NO_NODE,
                                          .value = CUPEL_NO_NODE,
                                          .index = UINT32_MAX,
                                          .written = walk->depth++,
                                          .properties = CUPEL_NO_NODE,
                                          .nesting = below != NULL ? below->nesting : 0,
                                          .embedded = below != NULL && below->embedded};
    if (shape == CUPEL__TARGET_SCHEMA)
        cupel__target_set(walk, CUPEL__TARGET_OPEN, node, true);
    return frame;
}

void cupel__target_leave(struct cupel__target_walk *walk)
{
    const struct cupel__target_frame *frame = &walk->frames[--walk->depth];
    if (frame->shape == CUPEL__TARGET_SCHEMA)
        cupel__target_set(walk, CUPEL__TARGET_OPEN, frame->node, false);
}

/* -- Members and marks ------------------------------------------------------------------------ */

uint32_t cupel__target_member(struct cupel__target_walk *walk, uint32_t node, const char *name,
                              size_t len)
{
    uint32_t found = cupel__mcp_index_member(&walk->index, walk->doc, node, name, len);
    if (walk->index.failed)
        walk->status = CUPEL_E_NO_MEMORY;
    return found;
}

/* The bit of a mark, and its byte; NULL for what is not in the schema. */
static unsigned char *find_mark(const struct cupel__target_walk *walk, enum cupel__target_mark mark,
                                uint32_t node, unsigned char *ret_bit)
{
    uint64_t offset = cupel_json_offset(walk->doc, node);
    if (offset < walk->start || offset >= walk->end)
        return NULL;
    size_t at = (size_t)(offset - walk->start) * CUPEL__TARGET_MARKS + (size_t)mark;
    *ret_bit = (unsigned char)(1u << (at & 7));
    return &walk->marks[at / 8];
}

bool cupel__target_set(struct cupel__target_walk *walk, enum cupel__target_mark mark, uint32_t node,
                       bool value)
{
    unsigned char bit = 0, *byte = find_mark(walk, mark, node, &bit);
    if (byte == NULL)
        return false;
    bool before = *byte & bit;
    *byte = (unsigned char)(value ? *byte | bit : *byte & ~bit);
    return before;
}

bool cupel__target_has(const struct cupel__target_walk *walk, enum cupel__target_mark mark,
                       uint32_t node)
{
    unsigned char bit = 0, *byte = find_mark(walk, mark, node, &bit);
    return byte != NULL && (*byte & bit) != 0;
}

bool cupel__target_step(struct cupel__target_walk *walk)
{
    struct cupel__target_frame *top = &walk->frames[walk->depth - 1];
    uint32_t next = top->value == CUPEL_NO_NODE ? cupel_json_first(walk->doc, top->node)
                                                : cupel_json_next(walk->doc, top->node, top->value);
    if (next == CUPEL_NO_NODE)
        return false;
    bool object = top->shape != CUPEL__TARGET_LIST;
    top->key = object ? next : CUPEL_NO_NODE;
    top->value = object ? next + 1 : next;
    top->index++;
    return true;
}

/* -- Places ----------------------------------------------------------------------------------- */

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte at bytes[*at], percent-decoded (RFC 3986 section 2.1); moves *at past it. */
static char next_byte(const char *bytes, size_t len, size_t *at)
{
    size_t i = (*at)++;
    if (bytes[i] != '%' || i + 2 >= len || hex(bytes[i + 1]) < 0 || hex(bytes[i + 2]) < 0)
        return bytes[i];
    *at = i + 3;
    return (char)(hex(bytes[i + 1]) * 16 + hex(bytes[i + 2]));
}

/* Appends the pointer in a fragment. */
static void add_fragment(struct cupel_text *text, const char *bytes, size_t len)
{
    for (size_t at = 0; at < len;) {
        char c = next_byte(bytes, len, &at);
        cupel_text_add(text, &c, 1);
    }
}

/* The pointer of the current child in the schema, from the last reference on. */
static void find_pointer(struct cupel__target_walk *walk, const char *key)
{
    struct cupel_text *text = &walk->pointer;
    size_t from = walk->depth;
    cupel_text_clear(text);
    while (from > 0 && walk->frames[from - 1].base == NULL)
        from--;
    if (from > 0) {
        add_fragment(text, walk->frames[from - 1].base, walk->frames[from - 1].base_len);
        from--;
    }
    for (; from < walk->depth; from++) {
        const struct cupel__target_frame *frame = &walk->frames[from];
        size_t len;
        if (frame->value == CUPEL_NO_NODE)
            break;
        if (frame->key == CUPEL_NO_NODE) {
            cupel_text_addf(text, "/%u", (unsigned)frame->index);
            continue;
        }
        const char *token = cupel_json_string(walk->doc, frame->key, &len);
        cupel__mcp_add_token(text, token, len);
    }
    if (key != NULL)
        cupel__mcp_add_token(text, key, strlen(key));
    cupel_text_add(text, "", 0);
}

void cupel__target_tell(struct cupel__target_walk *walk, enum cupel__mcp_rule rule,
                        enum cupel__target_effect effect, uint32_t node, const char *key,
                        const char *format, ...)
{
    char message[320];
    va_list arguments;
    enum cupel_severity severity = cupel__mcp_rule_severity(rule);
    if (walk->writes && effect == CUPEL__TARGET_SAID)
        severity = CUPEL_SEVERITY_INFO;
    enum cupel__target_mark mark =
        severity == CUPEL_SEVERITY_INFO ? CUPEL__TARGET_TOLD_REST : CUPEL__TARGET_TOLD_LOSS;
    /* Only where references are followed is a place passed more than once. */
    if (walk->stopped || (cupel__target_set(walk, mark, node, true) && walk->writes))
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    find_pointer(walk, key);
    struct cupel_tool_problem problem = {.rule = cupel__mcp_rule_id(rule),
                                         .severity = severity,
                                         .part = walk->part,
                                         .pointer = walk->pointer.bytes,
                                         .message = message,
                                         .offset = cupel_json_offset(walk->doc, node)};
    if (walk->pointer.failed)
        walk->status = CUPEL_E_NO_MEMORY;
    else if (walk->check != NULL)
        cupel__mcp_problem(walk->check, rule, walk->part, node, problem.pointer, "%s", message);
    else if (walk->on_problem != NULL)
        walk->stopped = walk->on_problem(walk->ctx, &problem) != 0;
}

/* -- References ------------------------------------------------------------------------------- */

/* Undoes the escapes of a token in a fragment (RFC 6901 section 6); false if it does not fit. */
static bool decode(const char *token, size_t len, char *ret, size_t size, size_t *ret_len)
{
    size_t n = 0;
    for (size_t at = 0; at < len;) {
        char c = next_byte(token, len, &at);
        if (c == '~' && at < len)
            c = next_byte(token, len, &at) == '0' ? '~' : '/';
        if (n == size)
            return false;
        ret[n++] = c;
    }
    *ret_len = n;
    return true;
}

bool cupel__target_is_resource(struct cupel__target_walk *walk, uint32_t schema)
{
    size_t len;
    if (cupel_json_type(walk->doc, schema) != CUPEL_JSON_OBJECT)
        return false;
    uint32_t id = cupel__target_member(walk, schema, "$id", 3);
    const char *uri = id != CUPEL_NO_NODE ? cupel_json_string(walk->doc, id, &len) : NULL;
    return uri != NULL && len != 0 && uri[0] != '#';
}

uint32_t cupel__target_resolve(struct cupel__target_walk *walk, uint32_t reference,
                               const char **ret_pointer, size_t *ret_len)
{
    size_t len, n;
    const char *text = cupel_json_string(walk->doc, reference, &len);
    char token[256];
    if (text == NULL || len == 0 || text[0] != '#' || (len > 1 && text[1] != '/'))
        return CUPEL_NO_NODE;
    *ret_pointer = text + 1;
    *ret_len = len - 1;
    uint32_t node = walk->root;
    for (size_t i = 1, end; i < len && node != CUPEL_NO_NODE; i = end) {
        end = ++i;
        while (end < len && text[end] != '/')
            end++;
        if (!decode(text + i, end - i, token, sizeof(token), &n))
            return CUPEL_NO_NODE;
        node = cupel__target_member(walk, node, token, n);
        if (node != CUPEL_NO_NODE && cupel__target_is_resource(walk, node))
            return CUPEL_NO_NODE;
    }
    return node;
}
