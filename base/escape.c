/* escape.c: writing text from strangers into messages and JSON (base/escape.h).
 *
 * Two writers share the classes of characters: `add` cuts a string at a bound and serves messages;
 * cupel_text_add_json writes a whole string and serves JSON that programs read, with the short
 * escapes of RFC 8259 and runs of plain bytes appended at once. */
#include "base/escape.h"
#include "base/ascii.h"
#include "base/utf8.h"

/* Control characters, bidirectional controls, line separators, private use, noncharacters, and the
 * code points that Unicode calls Default_Ignorable_Code_Point, which are invisible. */
bool cupel__is_unprintable(uint32_t c)
{
    static const uint32_t ranges[][2] = {
        {0x00, 0x1f},       {0x7f, 0x9f},        {0xad, 0xad},       {0x34f, 0x34f},
        {0x61c, 0x61c},     {0x115f, 0x1160},    {0x17b4, 0x17b5},   {0x180b, 0x180f},
        {0x200b, 0x200f},   {0x2028, 0x202e},    {0x2060, 0x206f},   {0x3164, 0x3164},
        {0xe000, 0xf8ff},   {0xfdd0, 0xfdef},    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
        {0xffa0, 0xffa0},   {0xfff0, 0xfffb},    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
        {0xe0000, 0xe0fff}, {0xf0000, 0x10ffff},
    };
    size_t i = 0;
    while (i < sizeof ranges / sizeof *ranges && c > ranges[i][1])
        i++;
    return (i < sizeof ranges / sizeof *ranges && c >= ranges[i][0]) || (c & 0xfffe) == 0xfffe;
}

bool cupel__is_ci_command(const char *p, const char *end)
{
    static const char vso[] = "vso";
    if (end - p < 3 || p[0] != '#' || p[1] != '#')
        return false;
    if (p[2] == '[')
        return true;
    for (size_t i = 0; i < 3; i++)
        if (end - p < 6 || (p[2 + i] | 0x20) != vso[i])
            return false;
    return p[5] == '[';
}

void cupel__escape_code_point(struct cupel_text *text, uint32_t c)
{
    if (c < 0x10000) {
        cupel_text_addf(text, "\\u%04x", (unsigned)c);
        return;
    }
    cupel_text_addf(text, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
                    (unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
}

/* How `add` writes a string. */
struct style {
    size_t max; /* bytes of the string that are written */
    char quote; /* written as an apostrophe; 0: none */
    bool json;  /* the content of a JSON string */
    bool lines; /* keep line ends, as "\n", and tabs */
};

/* Whether `::` stands at the beginning of a line, where runners take it for a command. */
static bool is_colons(struct cupel__str s, size_t i, bool begins)
{
    return begins && s.n - i >= 2 && s.p[i] == ':' && s.p[i + 1] == ':';
}

/* Appends a string in the given style; "…" ends one that is cut.  `begins` is true as long as only
 * white space precedes on the line. */
static void add(struct cupel_text *text, struct cupel__str s, const struct style *style)
{
    bool begins = !style->json;
    for (size_t i = 0; i < s.n;) {
        uint32_t c = 0xfffd;
        unsigned n = cupel__utf8_decode(s.p + i, s.p + s.n, &c);
        if (i + (n > 0 ? n : 1) > style->max) {
            cupel_text_adds(text, "…");
            return;
        }
        bool end = style->lines && (c == '\n' || c == '\r');
        if (n == 0)
            cupel_text_adds(text, "\xef\xbf\xbd");
        else if (end)
            cupel_text_adds(text, "\n");
        else if (style->lines && c == '\t')
            cupel_text_adds(text, "\t");
        else if (cupel__is_unprintable(c) || is_colons(s, i, begins) ||
                 (c == '#' && cupel__is_ci_command(s.p + i, s.p + s.n)))
            cupel__escape_code_point(text, c);
        else if (style->json && (c == '"' || c == '\\'))
            cupel_text_addf(text, "\\%c", (char)c);
        else if (style->quote != 0 && c == (unsigned char)style->quote)
            cupel_text_adds(text, "'");
        else
            cupel_text_add(text, s.p + i, n);
        begins = end || (begins && (c == ' ' || c == '\t'));
        i += n > 0 ? n : 1;
    }
}

/* -- JSON strings in full ---------------------------------------------------------------------- */

/* Appends the escape of a control character, a quote or a backslash. */
static void add_escape(struct cupel_text *t, unsigned char c)
{
    static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *name = names; *name != '\0'; name += 2) {
        if ((unsigned char)name[0] == c) {
            char escape[2] = {'\\', name[1]};
            cupel_text_add(t, escape, 2);
            return;
        }
    }
    static const char hex[] = "0123456789abcdef";
    char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    cupel_text_add(t, escape, 6);
}

/* The length of the code point at p if it needs no escape, otherwise 0. */
static unsigned plain_length(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;
    uint32_t code;
    if (c < 0x80)
        return c >= 0x20 && c != 0x7f && c != '"' && c != '\\' &&
               !(c == '#' && cupel__is_ci_command(p, end));
    unsigned length = cupel__utf8_decode(p, end, &code);
    return length != 0 && !cupel__is_unprintable(code) ? length : 0;
}

/* The whole string as JSON with quotes.  Valid UTF-8 stays but for unprintable code points;
 * ill-formed bytes become U+FFFD each, so that the result is always a JSON text. */
void cupel_text_add_json(struct cupel_text *t, const char *bytes, size_t n)
{
    if (t == NULL || (bytes == NULL && n > 0))
        return;
    const char *p = bytes, *const end = n == 0 ? p : p + n; /* an empty string may be NULL */
    const char *plain = p; /* the bytes from here to p need no escape and are not yet appended */
    cupel_text_add(t, "\"", 1);
    while (p < end) {
        unsigned length = plain_length(p, end);
        if (length != 0) {
            p += length;
            continue;
        }
        uint32_t code = 0;
        cupel_text_add(t, plain, (size_t)(p - plain));
        length = (unsigned char)*p < 0x80 ? 1 : cupel__utf8_decode(p, end, &code);
        if ((unsigned char)*p < 0x80)
            add_escape(t, (unsigned char)*p);
        else if (length != 0)
            cupel__escape_code_point(t, code);
        else
            cupel_text_adds(t, "\xef\xbf\xbd");
        p += length != 0 ? length : 1;
        plain = p;
    }
    cupel_text_add(t, plain, (size_t)(p - plain));
    cupel_text_add(t, "\"", 1);
}

/* -- Entry ------------------------------------------------------------------------------------- */

void cupel__escape_untrusted(struct cupel_text *text, struct cupel__str s, size_t max, char quote)
{
    add(text, s, &(struct style){.max = max, .quote = quote});
}

void cupel__text_quoted(struct cupel_text *text, struct cupel__str s, size_t max)
{
    cupel_text_adds(text, "\"");
    add(text, s, &(struct style){.max = max, .json = true});
    cupel_text_adds(text, "\"");
}

void cupel_text_add_escaped(struct cupel_text *text, const char *bytes, size_t len, size_t most,
                            uint32_t flags)
{
    if (text == NULL || (bytes == NULL && len > 0))
        return;
    struct cupel__str s = {bytes, len};
    if ((flags & CUPEL_TEXT_QUOTED) != 0)
        cupel__text_quoted(text, s, most);
    else
        add(text, s, &(struct style){.max = most, .lines = (flags & CUPEL_TEXT_LINES) != 0});
}

bool cupel__is_plain_name(struct cupel__str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!cupel__is_alpha(c) && !cupel__is_digit(c) && c != '_' && c != '-' && c != '$' &&
            c != '@')
            return false;
    }
    return s.n > 0 && s.n <= CUPEL__NAME_BYTES;
}
