/* set_order.c: finds out whether the order of a set in a schema may have a meaning: an array that
 * corresponds to it item by item, or a reference to an item by its place.
 *
 * Both tests err on the side of a meaning: then the set is not sorted, and reordering it counts as
 * a change.
 *
 * For example {"enum": ["a", "b"], "x-names": ["Apple", "Banana"]} is ordered: sorting `enum` alone
 * would exchange the names. */
#include "mcp/identity/canonical.h"
#include "mcp/text/characters.h"

#include <string.h>

/* -- Arrays ----------------------------------------------------------------------------------- */

uint64_t cupel__length_bit(uint32_t length)
{
    return (uint64_t)1 << (length < 63 ? length : 63);
}

/* Returns the number of nodes of the children of a container: items, or keys and values.  Nodes are
 * in the order of the text, a container before its children. */
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

/* One token of a pointer, percent-decoded; cut if it is longer than any keyword. */
struct token {
    char bytes[32];
    size_t len;
    bool digits; /* and nothing else */
};

static size_t read_token(const char *text, size_t len, struct token *ret)
{
    size_t i = 0;
    *ret = (struct token){.digits = len != 0 && text[0] != '/'};
    while (i < len && text[i] != '/') {
        char c = text[i++];
        if (c == '%' && len - i >= 2 && cupel__mcp_hex_value(text[i]) >= 0 &&
            cupel__mcp_hex_value(text[i + 1]) >= 0) {
            c = (char)(cupel__mcp_hex_value(text[i]) * 16 + cupel__mcp_hex_value(text[i + 1]));
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
        if (token.digits && (cupel__mcp_is_one_of(last.bytes, last.len, sets) ||
                             cupel__mcp_is_one_of(before.bytes, before.len, maps)))
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
