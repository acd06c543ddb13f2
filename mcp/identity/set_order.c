/* set_order.c: where the order of a list has a meaning although the list is a set: arrays that go
 * with it item by item, and references to its items by their places.  canonical.c asks; both tests
 * rather find a meaning too many than too few. */
#include "mcp/identity/canonical.h"

#include <string.h>

/* -- Arrays ----------------------------------------------------------------------------------- */

uint64_t cupel__length_bit(uint32_t length)
{
    return (uint64_t)1 << (length < 63 ? length : 63);
}

/* The number of nodes that follow a container's own directly below it.  The nodes of a document are
 * in the order of the text, each container before what is in it. */
static uint64_t children(const struct cupel_document *doc, uint32_t node)
{
    return (uint64_t)cupel_json_count(doc, node) *
           (cupel_json_type(doc, node) == CUPEL_JSON_OBJECT ? 2 : 1);
}

uint64_t cupel__lengths_in(const struct cupel_document *doc, uint32_t node)
{
    uint64_t bits = 0;
    for (uint64_t left = 1; left > 0; left--, node++) {
        left += children(doc, node);
        if (cupel_json_type(doc, node) == CUPEL_JSON_ARRAY)
            bits |= cupel__length_bit(cupel_json_count(doc, node));
    }
    return bits;
}

/* -- References ------------------------------------------------------------------------------- */

static bool is_one_of(const char *bytes, size_t len, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strlen(*words) == len && memcmp(*words, bytes, len) == 0)
            return true;
    return false;
}

/* One token of a pointer, percent-decoded; longer ones than any keyword are cut. */
struct token {
    char bytes[32];
    size_t len;
    bool digits; /* and nothing else */
};

static int hex_value(char c)
{
    char lower = (char)(c | 0x20);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static size_t read_token(const char *text, size_t len, struct token *ret)
{
    size_t i = 0;
    *ret = (struct token){.digits = len != 0 && text[0] != '/'};
    while (i < len && text[i] != '/') {
        char c = text[i++];
        if (c == '%' && len - i >= 2 && hex_value(text[i]) >= 0 && hex_value(text[i + 1]) >= 0) {
            c = (char)(hex_value(text[i]) * 16 + hex_value(text[i + 1]));
            i += 2;
        }
        ret->digits = ret->digits && c >= '0' && c <= '9';
        if (ret->len < sizeof(ret->bytes))
            ret->bytes[ret->len++] = c;
    }
    return i;
}

/* Whether a text has the form of a pointer to an item of a set. */
static bool points_into_set(const char *text, size_t len)
{
    static const char *const sets[] = {"enum", "required", "type", NULL};
    static const char *const maps[] = {"dependentRequired", "dependencies", NULL};
    struct token last = {.len = 0}, before = {.len = 0}, token;
    for (size_t i = 0; i < len; i++) {
        i += read_token(text + i, len - i, &token);
        if (token.digits &&
            (is_one_of(last.bytes, last.len, sets) || is_one_of(before.bytes, before.len, maps)))
            return true;
        before = last;
        last = token;
    }
    return false;
}

bool cupel__has_set_pointer(struct cupel_document *doc)
{
    uint32_t node = 0;
    for (uint64_t left = 1; left > 0; left--, node++) {
        size_t len;
        left += children(doc, node);
        const char *text = cupel_json_string(doc, node, &len);
        if (text != NULL && memchr(text, '/', len) != NULL && points_into_set(text, len))
            return true;
    }
    return false;
}
