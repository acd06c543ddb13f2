/* neutral.c: text from strangers, cut and made harmless: what could hide, rearrange or colour the
 * text around it is written as an escape. */
#include "neutral.h"
#include "utf8.h"

static bool is_hidden(uint32_t c)
{
    static const uint32_t ranges[][2] = {
        {0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},
        {0x61c, 0x61c},     {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
        {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},
        {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},
        {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

/* An escape of six characters, or two of them. */
static void add_escape(struct cupel_text *text, uint32_t c)
{
    if (c < 0x10000) {
        cupel_text_addf(text, "\\u%04x", (unsigned)c);
        return;
    }
    cupel_text_addf(text, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
                    (unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
}

static void add(struct cupel_text *text, struct cupel__str s, size_t max, char quote, bool json)
{
    for (size_t i = 0; i < s.n;) {
        uint32_t c = 0xfffd;
        unsigned n = cupel__utf8_decode(s.p + i, s.p + s.n, &c);
        if (i + (n > 0 ? n : 1) > max) {
            cupel_text_adds(text, "…");
            return;
        }
        if (n == 0)
            cupel_text_adds(text, "\xef\xbf\xbd");
        else if (is_hidden(c))
            add_escape(text, c);
        else if (json && (c == '"' || c == '\\'))
            cupel_text_addf(text, "\\%c", (char)c);
        else if (quote != 0 && c == (unsigned char)quote)
            cupel_text_adds(text, "'");
        else
            cupel_text_add(text, s.p + i, n);
        i += n > 0 ? n : 1;
    }
}

void cupel__text_neutral(struct cupel_text *text, struct cupel__str s, size_t max, char quote)
{
    add(text, s, max, quote, false);
}

void cupel__text_quoted(struct cupel_text *text, struct cupel__str s, size_t max)
{
    cupel_text_adds(text, "\"");
    add(text, s, max, 0, true);
    cupel_text_adds(text, "\"");
}

bool cupel__is_plain_name(struct cupel__str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '-' || c == '$' || c == '@'))
            return false;
    }
    return s.n > 0 && s.n <= CUPEL__NAME_BYTES;
}
