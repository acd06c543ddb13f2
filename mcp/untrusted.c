/* untrusted.c: text from schemas and requests on its way into messages that a model or a person
 * reads. It is cut, and what could hide or rearrange text is made visible. */
#include "mcp_internal.h"

#include <string.h>

/* The code point at bytes[0], and its length; the text is UTF-8 (it came out of a document), and a
 * broken end gives U+FFFD. */
static uint32_t code_point(const char *bytes, size_t len, size_t *ret_len)
{
    const unsigned char *p = (const unsigned char *)bytes;
    size_t n = p[0] < 0xc0 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    static const unsigned char lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    *ret_len = n <= len ? n : len;
    if (n > len || (n == 1 && p[0] >= 0x80))
        return 0xfffd;
    uint32_t c = p[0] & lead_bits[n];
    for (size_t i = 1; i < n; i++)
        c = c << 6 | (p[i] & 0x3fu);
    return c;
}

/* Control characters, marks of direction, what is invisible, line and paragraph separators,
 * variation selectors, tags. */
static bool is_hidden(uint32_t c)
{
    static const struct {
        uint32_t from, to;
    } ranges[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},       {0xad, 0xad},       {0x61c, 0x61c},
        {0x115f, 0x1160}, {0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},
        {0x2060, 0x206f}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
        {0xfff9, 0xfffb}, {0x1bca0, 0x1bca3}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (c >= ranges[i].from && c <= ranges[i].to)
            return true;
    return false;
}

static void add_escaped(struct cupel_text *text, const char *bytes, size_t len, size_t max,
                        bool quoted)
{
    for (size_t i = 0, n; i < len; i += n) {
        uint32_t c = code_point(bytes + i, len - i, &n);
        if (i + n > max) {
            cupel_text_adds(text, "…");
            return;
        }
        if (is_hidden(c))
            cupel_text_addf(text, c > 0xffff ? "\\u{%x}" : "\\u%04x", (unsigned)c);
        else if (quoted && (c == '"' || c == '\\'))
            cupel_text_addf(text, "\\%c", (char)c);
        else if (c == 0xfffd)
            cupel_text_adds(text, "\xef\xbf\xbd");
        else
            cupel_text_add(text, bytes + i, n);
    }
}

void cupel__mcp_add_clean(struct cupel_text *text, const char *bytes, size_t len, size_t max)
{
    add_escaped(text, bytes, len, max, false);
}

void cupel__mcp_add_quoted(struct cupel_text *text, const char *bytes, size_t len)
{
    cupel_text_adds(text, "\"");
    add_escaped(text, bytes, len, CUPEL__MCP_NAME, true);
    cupel_text_adds(text, "\"");
}

static bool is_plain_word(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char c = bytes[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '-' || c == '$'))
            return false;
    }
    return len != 0 && len <= CUPEL__MCP_NAME;
}

void cupel__mcp_add_name(struct cupel_text *text, const char *bytes, size_t len)
{
    if (is_plain_word(bytes, len))
        cupel_text_add(text, bytes, len);
    else
        cupel__mcp_add_quoted(text, bytes, len);
}
