/* walk.c: going through a document without recursion, and saying where one is. */
#include "mcp/catalog/catalog.h"

#include <stdio.h>
#include <string.h>

bool cupel__mcp_walk_enter(struct cupel__mcp_walk *walk, uint32_t node, int kind)
{
    if (walk->depth == walk->capacity) {
        size_t capacity = walk->capacity + walk->capacity / 2 + 32, size = sizeof(*walk->frames);
        void *frames = walk->alloc.realloc(walk->alloc.ctx, walk->frames, walk->capacity * size,
                                           capacity * size);
        if (frames == NULL)
            return false;
        walk->frames = frames;
        walk->capacity = capacity;
    }
    walk->frames[walk->depth++] = (struct cupel__mcp_frame){
        node, CUPEL_NO_NODE, CUPEL_NO_NODE, UINT32_MAX, kind, 0, CUPEL_NO_NODE};
    return true;
}

struct cupel__mcp_frame *cupel__mcp_walk_step(struct cupel__mcp_walk *walk)
{
    struct cupel__mcp_frame *top = &walk->frames[walk->depth - 1];
    uint32_t next = top->value == CUPEL_NO_NODE ? cupel_json_first(walk->doc, top->node)
                                                : cupel_json_next(walk->doc, top->node, top->value);
    if (next == CUPEL_NO_NODE) {
        walk->depth--;
        return NULL;
    }
    bool object = cupel_json_type(walk->doc, top->node) == CUPEL_JSON_OBJECT;
    top->key = object ? next : CUPEL_NO_NODE;
    top->value = object ? next + 1 : next;
    top->index++;
    return top;
}

void cupel__mcp_walk_free(struct cupel__mcp_walk *walk)
{
    if (walk->frames != NULL)
        walk->alloc.realloc(walk->alloc.ctx, walk->frames, walk->capacity * sizeof(*walk->frames),
                            0);
    walk->frames = NULL;
    walk->depth = walk->capacity = 0;
}

void cupel__mcp_add_token(struct cupel_text *text, const char *bytes, size_t len)
{
    cupel_text_adds(text, "/");
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '~' || bytes[i] == '/')
            cupel_text_adds(text, bytes[i] == '~' ? "~0" : "~1");
        else
            cupel_text_add(text, bytes + i, 1);
    }
}

void cupel__mcp_separate(struct cupel_text *text)
{
    char last = text->len != 0 && !text->failed ? text->bytes[text->len - 1] : '{';
    if (last != '{' && last != '[')
        cupel_text_adds(text, ",");
}

/* A pointer under construction, in a buffer that always has room for the mark of a cut. */
struct pointer {
    char *bytes;
    size_t len;
    bool cut;
};

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

/* The bytes of the UTF-8 sequence that begins with `lead`. */
static size_t sequence_length(unsigned char lead)
{
    return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

static void add_key(struct pointer *p, const char *key, size_t len)
{
    for (size_t i = 0, n; i < len && !p->cut; i += n) {
        unsigned char c = (unsigned char)key[i];
        n = sequence_length(c);
        if (c == '~' || c == '/')
            add_bytes(p, c == '~' ? "~0" : "~1", 2);
        else if (c < 0x20 || c == 0x7f)
            add_bytes(p, "?", 1);
        else
            add_bytes(p, key + i, n <= len - i ? n : len - i);
    }
}

void cupel__mcp_walk_pointer(const struct cupel__mcp_walk *walk, char ret[CUPEL__MCP_POINTER])
{
    struct pointer p = {ret, 0, false};
    ret[0] = '\0';
    for (size_t i = 0; i < walk->depth && !p.cut; i++) {
        const struct cupel__mcp_frame *frame = &walk->frames[i];
        add_bytes(&p, "/", 1);
        if (frame->key != CUPEL_NO_NODE) {
            size_t len;
            const char *key = cupel_json_string(walk->doc, frame->key, &len);
            add_key(&p, key, len);
        } else {
            char number[16];
            int n = snprintf(number, sizeof(number), "%u", (unsigned)frame->index);
            add_bytes(&p, number, (size_t)n);
        }
    }
}
