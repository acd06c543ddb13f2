/* traversal.c: depth-first traversal of a document with an explicit stack, and JSON Pointers to the
 * current place.
 *
 *     cupel__mcp_traversal_enter(&traversal, root, 0);
 *     while (traversal.depth != 0) {
 *         frame = cupel__mcp_traversal_next(&traversal);
 *         if (frame != NULL && frame->value is a container)
 *             cupel__mcp_traversal_enter(&traversal, frame->value, 0);
 *     }
 *
 * The caller decides which containers are entered, so a traversal can skip whole subtrees.  A frame
 * is valid until the next call of enter, which may move the stack. */
#include "mcp/json/traversal.h"
#include "mcp/text/characters.h"

#include <stdio.h>
#include <string.h>

bool cupel__mcp_traversal_enter(struct cupel__mcp_traversal *traversal, uint32_t node, int kind)
{
    if (traversal->depth == traversal->capacity) {
        size_t capacity = traversal->capacity + traversal->capacity / 2 + 32,
               size = sizeof(*traversal->frames);
        void *frames = traversal->alloc.realloc(traversal->alloc.ctx, traversal->frames,
                                                traversal->capacity * size, capacity * size);
        if (frames == NULL)
            return false;
        traversal->frames = frames;
        traversal->capacity = capacity;
    }
    traversal->frames[traversal->depth++] = (struct cupel__mcp_frame){
        node, CUPEL_NO_NODE, CUPEL_NO_NODE, UINT32_MAX, kind, 0, CUPEL_NO_NODE};
    return true;
}

struct cupel__mcp_frame *cupel__mcp_traversal_next(struct cupel__mcp_traversal *traversal)
{
    struct cupel__mcp_frame *top = &traversal->frames[traversal->depth - 1];
    uint32_t next = top->value == CUPEL_NO_NODE
                        ? cupel_json_first(traversal->doc, top->node)
                        : cupel_json_next(traversal->doc, top->node, top->value);
    if (next == CUPEL_NO_NODE) {
        traversal->depth--;
        return NULL;
    }
    bool object = cupel_json_type(traversal->doc, top->node) == CUPEL_JSON_OBJECT;
    top->key = object ? next : CUPEL_NO_NODE;
    top->value = object ? next + 1 : next;
    top->index++;
    return top;
}

void cupel__mcp_traversal_free(struct cupel__mcp_traversal *traversal)
{
    if (traversal->frames != NULL)
        traversal->alloc.realloc(traversal->alloc.ctx, traversal->frames,
                                 traversal->capacity * sizeof(*traversal->frames), 0);
    traversal->frames = NULL;
    traversal->depth = traversal->capacity = 0;
}

void cupel__pointer_add_token(struct cupel_text *text, const char *bytes, size_t len)
{
    cupel_text_adds(text, "/");
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '~' || bytes[i] == '/')
            cupel_text_adds(text, bytes[i] == '~' ? "~0" : "~1");
        else
            cupel_text_add(text, bytes + i, 1);
    }
}

void cupel__json_separate(struct cupel_text *text)
{
    char last = text->len != 0 && !text->failed ? text->bytes[text->len - 1] : '{';
    if (last != '{' && last != '[')
        cupel_text_adds(text, ",");
}

/* A pointer under construction.  Its buffer of CUPEL__MCP_POINTER bytes always has space for the
 * ellipsis. */
struct pointer {
    char *bytes;
    size_t len;
    bool cut; /* the ellipsis was written; nothing follows it */
};

/* Appends bytes, or the ellipsis if they do not fit. */
static void add_bytes(struct pointer *p, const char *bytes, size_t len)
{
    static const char mark[] = "…";
    if (p->cut)
        return;
    if (p->len + len + sizeof(mark) > CUPEL__MCP_POINTER) {
        p->cut = true;
        memcpy(p->bytes + p->len, mark, sizeof(mark));
        return;
    }
    memcpy(p->bytes + p->len, bytes, len);
    p->len += len;
    p->bytes[p->len] = '\0';
}

/* Appends a reference token: escapes ~ and /, replaces control characters, never cuts a code point.
 */
static void add_key(struct pointer *p, const char *key, size_t len)
{
    for (size_t i = 0, n; i < len && !p->cut; i += n) {
        unsigned char c = (unsigned char)key[i];
        n = cupel__mcp_sequence_length((char)c);
        if (c == '~' || c == '/')
            add_bytes(p, c == '~' ? "~0" : "~1", 2);
        else if (c < 0x20 || c == 0x7f)
            add_bytes(p, "?", 1);
        else
            add_bytes(p, key + i, n <= len - i ? n : len - i);
    }
}

void cupel__mcp_traversal_pointer(const struct cupel__mcp_traversal *traversal,
                                  char ret[CUPEL__MCP_POINTER])
{
    struct pointer p = {ret, 0, false};
    ret[0] = '\0';
    for (size_t i = 0; i < traversal->depth && !p.cut; i++) {
        const struct cupel__mcp_frame *frame = &traversal->frames[i];
        add_bytes(&p, "/", 1);
        if (frame->key != CUPEL_NO_NODE) {
            size_t len;
            const char *key = cupel_json_string(traversal->doc, frame->key, &len);
            add_key(&p, key, len);
        } else {
            char number[16];
            int n = snprintf(number, sizeof(number), "%u", (unsigned)frame->index);
            add_bytes(&p, number, (size_t)n);
        }
    }
}
