/* pass.c: a traversal of a schema that can follow references, with an explicit stack and the
 * pointer of the current place.  schema.c decides what to enter and what to write.
 *
 * A mark records whether a schema is open, so that a recursive reference is not followed.  Problems
 * have pointers into the original schema: below a reference that was followed, the pointer starts
 * at its target.
 *
 * The work is bounded by pass->steps, since replacing references by their targets can double the
 * output at each level. */
#include "mcp/vendor/pass.h"
#include "mcp/text/characters.h"

#include "mcp/json/traversal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Frees the stack, the marks and the texts. */
void cupel__target_pass_free(struct cupel__target_pass *pass)
{
    const struct cupel_alloc *alloc = &pass->alloc;
    if (pass->frames != NULL)
        alloc->realloc(alloc->ctx, pass->frames, pass->capacity * sizeof(*pass->frames), 0);
    if (pass->marks != NULL)
        alloc->realloc(alloc->ctx, pass->marks, pass->marks_bytes, 0);
    cupel__member_index_free(&pass->index);
    cupel_text_free(&pass->out);
    cupel_text_free(&pass->pointer);
    cupel_text_free(&pass->message);
}

/* The frame inherits nesting and `embedded` from the one below it. */
struct cupel__target_frame *cupel__target_enter(struct cupel__target_pass *pass,
                                                enum cupel__target_shape shape, uint32_t node)
{
    if (pass->depth == pass->capacity) {
        size_t capacity = pass->capacity + pass->capacity / 2 + 32, size = sizeof(*pass->frames);
        void *frames = pass->alloc.realloc(pass->alloc.ctx, pass->frames, pass->capacity * size,
                                           capacity * size);
        if (frames == NULL) {
            pass->status = CUPEL_E_NO_MEMORY;
            return NULL;
        }
        pass->frames = frames;
        pass->capacity = capacity;
    }
    const struct cupel__target_frame *below =
        pass->depth != 0 ? &pass->frames[pass->depth - 1] : NULL;
    struct cupel__target_frame *frame = &pass->frames[pass->depth];
    *frame = (struct cupel__target_frame){.shape = shape,
                                          .node = node,
                                          .key = CUPEL_NO_NODE,
                                          .value = CUPEL_NO_NODE,
                                          .index = UINT32_MAX,
                                          .written = pass->depth++,
                                          .properties = CUPEL_NO_NODE,
                                          .nesting = below != NULL ? below->nesting : 0,
                                          .embedded = below != NULL && below->embedded};
    if (shape == CUPEL__TARGET_SCHEMA)
        cupel__target_set(pass, CUPEL__TARGET_OPEN, node, true);
    return frame;
}

void cupel__target_leave(struct cupel__target_pass *pass)
{
    const struct cupel__target_frame *frame = &pass->frames[--pass->depth];
    if (frame->shape == CUPEL__TARGET_SCHEMA)
        cupel__target_set(pass, CUPEL__TARGET_OPEN, frame->node, false);
}

/* -- Members and marks ------------------------------------------------------------------------ */

uint32_t cupel__target_member(struct cupel__target_pass *pass, uint32_t node, const char *name,
                              size_t len)
{
    uint32_t found = cupel__member_index_member(&pass->index, pass->doc, node, name, len);
    if (pass->index.failed)
        pass->status = CUPEL_E_NO_MEMORY;
    return found;
}

/* Returns the byte of a mark and its bit; NULL for a node outside the schema. */
static unsigned char *find_mark(const struct cupel__target_pass *pass, enum cupel__target_mark mark,
                                uint32_t node, unsigned char *ret_bit)
{
    uint64_t offset = cupel_json_offset(pass->doc, node);
    if (offset < pass->start || offset >= pass->end)
        return NULL;
    size_t at = (size_t)(offset - pass->start) * CUPEL__TARGET_MARKS + (size_t)mark;
    *ret_bit = (unsigned char)(1u << (at & 7));
    return &pass->marks[at / 8];
}

bool cupel__target_set(struct cupel__target_pass *pass, enum cupel__target_mark mark, uint32_t node,
                       bool value)
{
    unsigned char bit = 0, *byte = find_mark(pass, mark, node, &bit);
    if (byte == NULL)
        return false;
    bool before = *byte & bit;
    *byte = (unsigned char)(value ? *byte | bit : *byte & ~bit);
    return before;
}

bool cupel__target_has(const struct cupel__target_pass *pass, enum cupel__target_mark mark,
                       uint32_t node)
{
    unsigned char bit = 0, *byte = find_mark(pass, mark, node, &bit);
    return byte != NULL && (*byte & bit) != 0;
}

/* Sets key, value and index of the frame. */
bool cupel__target_step(struct cupel__target_pass *pass)
{
    struct cupel__target_frame *top = &pass->frames[pass->depth - 1];
    uint32_t next = top->value == CUPEL_NO_NODE ? cupel_json_first(pass->doc, top->node)
                                                : cupel_json_next(pass->doc, top->node, top->value);
    if (next == CUPEL_NO_NODE)
        return false;
    bool object = top->shape != CUPEL__TARGET_LIST;
    top->key = object ? next : CUPEL_NO_NODE;
    top->value = object ? next + 1 : next;
    top->index++;
    return true;
}

/* -- Places ----------------------------------------------------------------------------------- */

/* The byte at bytes[*at], percent-decoded (RFC 3986 section 2.1); moves *at past it. */
static char next_byte(const char *bytes, size_t len, size_t *at)
{
    size_t i = (*at)++;
    if (bytes[i] != '%' || i + 2 >= len || cupel__mcp_hex_value(bytes[i + 1]) < 0 ||
        cupel__mcp_hex_value(bytes[i + 2]) < 0)
        return bytes[i];
    *at = i + 3;
    return (char)(cupel__mcp_hex_value(bytes[i + 1]) * 16 + cupel__mcp_hex_value(bytes[i + 2]));
}

/* Appends the pointer in a fragment, percent-decoded. */
static void add_fragment(struct cupel_text *text, const char *bytes, size_t len)
{
    for (size_t at = 0; at < len;) {
        char c = next_byte(bytes, len, &at);
        cupel_text_add(text, &c, 1);
    }
}

/* Writes the pointer of the current child, from the target of the last reference on. */
static void find_pointer(struct cupel__target_pass *pass, const char *key)
{
    struct cupel_text *text = &pass->pointer;
    size_t from = pass->depth;
    cupel_text_clear(text);
    while (from > 0 && pass->frames[from - 1].base == NULL)
        from--;
    if (from > 0) {
        add_fragment(text, pass->frames[from - 1].base, pass->frames[from - 1].base_len);
        from--;
    }
    for (; from < pass->depth; from++) {
        const struct cupel__target_frame *frame = &pass->frames[from];
        size_t len;
        if (frame->value == CUPEL_NO_NODE)
            break;
        if (frame->key == CUPEL_NO_NODE) {
            cupel_text_addf(text, "/%u", (unsigned)frame->index);
            continue;
        }
        const char *token = cupel_json_string(pass->doc, frame->key, &len);
        cupel__pointer_add_token(text, token, len);
    }
    if (key != NULL)
        cupel__pointer_add_token(text, key, strlen(key));
    cupel_text_add(text, "", 0);
}

/* Formats the problem and passes it to the callback.  Sets pass->stopped if that returns non-zero.
 */
void cupel__target_report(struct cupel__target_pass *pass, enum cupel__mcp_rule rule,
                          enum cupel__target_effect effect, uint32_t node, const char *key,
                          const char *format, ...)
{
    char message[320];
    va_list arguments;
    enum cupel_severity severity = cupel__mcp_rule_severity(rule);
    if (pass->writes && effect == CUPEL__TARGET_REWRITTEN)
        severity = CUPEL_SEVERITY_INFO;
    enum cupel__target_mark mark =
        severity == CUPEL_SEVERITY_INFO ? CUPEL__TARGET_REPORTED_REST : CUPEL__TARGET_REPORTED_LOSS;
    /* An export that follows references visits a place more than once. */
    if (pass->stopped || (cupel__target_set(pass, mark, node, true) && pass->writes))
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    find_pointer(pass, key);
    struct cupel_rule_problem problem = {.rule = cupel__mcp_rule_id(rule),
                                         .severity = severity,
                                         .part = pass->part,
                                         .pointer = pass->pointer.bytes,
                                         .message = message,
                                         .offset = cupel_json_offset(pass->doc, node)};
    if (pass->pointer.failed)
        pass->status = CUPEL_E_NO_MEMORY;
    else if (pass->on_problem != NULL)
        pass->stopped = pass->on_problem(pass->ctx, &problem) != 0;
}

/* -- References ------------------------------------------------------------------------------- */

/* Decodes a token in a fragment (RFC 6901 section 6); false if it does not fit. */
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

bool cupel__target_is_resource(struct cupel__target_pass *pass, uint32_t schema)
{
    size_t len;
    if (cupel_json_type(pass->doc, schema) != CUPEL_JSON_OBJECT)
        return false;
    uint32_t id = cupel__target_member(pass, schema, "$id", 3);
    const char *uri = id != CUPEL_NO_NODE ? cupel_json_string(pass->doc, id, &len) : NULL;
    return uri != NULL && len != 0 && uri[0] != '#';
}

/* Resolves "#" and "#/…" only: anchors and other documents have no target here. */
uint32_t cupel__target_resolve(struct cupel__target_pass *pass, uint32_t reference,
                               const char **ret_pointer, size_t *ret_len)
{
    size_t len, n;
    const char *text = cupel_json_string(pass->doc, reference, &len);
    char token[256];
    if (text == NULL || len == 0 || text[0] != '#' || (len > 1 && text[1] != '/'))
        return CUPEL_NO_NODE;
    *ret_pointer = text + 1;
    *ret_len = len - 1;
    uint32_t node = pass->root;
    for (size_t i = 1, end; i < len && node != CUPEL_NO_NODE; i = end) {
        end = ++i;
        while (end < len && text[end] != '/')
            end++;
        if (!decode(text + i, end - i, token, sizeof(token), &n))
            return CUPEL_NO_NODE;
        node = cupel__target_member(pass, node, token, n);
        if (node != CUPEL_NO_NODE && cupel__target_is_resource(pass, node))
            return CUPEL_NO_NODE;
    }
    return node;
}
