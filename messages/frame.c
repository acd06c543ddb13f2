/* frame.c: a line of a text with carets below it, and the escapes of formats (frame.h). */
#include "messages/frame.h"
#include "base/escape.h"
#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

/* Characters of the line shown before and after the caret; carets. */
enum { BEFORE = 60, AFTER = 60, MAX_CARETS = 40 };

/* -- The frame --------------------------------------------------------------------------------- */

/* The part of a line that is shown: [from, to) with the token in it. */
struct window {
    const char *from, *token, *token_end, *to;
    bool cut; /* the line begins before `from` */
};

/* Whether a byte continues a UTF-8 sequence. */
static bool is_inside(const char *p)
{
    return ((unsigned char)*p & 0xc0) == 0x80;
}

/* Finds the part of the token's line that is shown, without cutting a character in two. */
static struct window find_window(struct cupel__str whole, struct cupel__str token)
{
    const char *text = whole.p, *end = text + whole.n;
    struct window w = {.from = token.p, .token = token.p, .token_end = token.p, .to = token.p};
    while (w.from > text && w.from[-1] != '\n' && w.from[-1] != '\r' && token.p - w.from < BEFORE)
        w.from--;
    while (w.from < token.p && is_inside(w.from))
        w.from++;
    w.cut = w.from > text && w.from[-1] != '\n' && w.from[-1] != '\r';
    while (w.to < end && *w.to != '\n' && *w.to != '\r' && w.to - token.p < AFTER)
        w.to++;
    while (w.to < end && w.to > token.p && is_inside(w.to))
        w.to--;
    w.token_end = (size_t)(w.to - token.p) < token.n ? w.to : token.p + token.n;
    return w;
}

/* Appends a part of the line, tabs as blanks; returns its width in characters. */
static size_t add_part(struct cupel_text *text, const char *from, const char *to)
{
    size_t start = text->len;
    for (const char *p = from, *next; p < to; p = next) {
        next = memchr(p, '\t', (size_t)(to - p));
        cupel_text_adds(text, next == p ? " " : "");
        next = next == p ? p + 1 : next == NULL ? to : next;
        if (*p != '\t')
            cupel__escape_untrusted(text, (struct cupel__str){p, (size_t)(next - p)}, SIZE_MAX, 0);
    }
    return text->failed ? 0 : cupel__utf8_count(text->bytes + start, text->len - start);
}

void cupel__add_frame(struct cupel_text *text, struct cupel__str whole, struct cupel__str token,
                      uint32_t line)
{
    struct window w = find_window(whole, token);
    char number[16];
    int width = snprintf(number, sizeof number, "%u", (unsigned)line);
    cupel_text_addf(text, "  %s | %s", number, w.cut ? "…" : "");
    size_t before = w.cut + add_part(text, w.from, w.token),
           carets = add_part(text, w.token, w.token_end);
    add_part(text, w.token_end, w.to);
    carets = carets < 1 ? 1 : carets > MAX_CARETS ? MAX_CARETS : carets;
    cupel_text_addf(text, "\n  %*s | %*s", width, "", (int)before, "");
    for (size_t k = 0; k < carets; k++)
        cupel_text_add(text, "^", 1);
}

/* -- Escapes ----------------------------------------------------------------------------------- */

/* Percent-encodes what ends a workflow command's data and, in a property, what ends the property.
 */
void cupel__add_command_text(struct cupel_text *text, const char *s, size_t n, bool property)
{
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            cupel_text_addf(text, "%%%02X", (unsigned)c);
        else
            cupel_text_add(text, &c, 1);
    }
}

void cupel__open_command(struct cupel_text *text, const char *level, const char *file,
                         uint32_t line, uint32_t column, const char *title)
{
    struct cupel_text name;
    cupel_text_init(&name, &text->alloc);
    cupel__escape_untrusted(&name, (struct cupel__str){file, strlen(file)}, 1024, 0);
    cupel_text_addf(text, "::%s file=", level);
    cupel__add_command_text(text, name.bytes, name.len, true);
    cupel_text_addf(text, ",line=%u,col=%u,title=%s::", (unsigned)line, (unsigned)column, title);
    text->failed |= name.failed;
    cupel_text_free(&name);
}

/* Appends a file name as a URI reference (RFC 3986): bytes that no path may contain are
 * percent-encoded, and so is a colon, which could end a scheme. */
void cupel__add_file_uri(struct cupel_text *text, const char *file)
{
    static const char plain[] = "-._~/!$&'()*+,;=@";
    cupel_text_adds(text, "\"");
    for (const char *p = file; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || strchr(plain, c) != NULL)
            cupel_text_add(text, p, 1);
        else
            cupel_text_addf(text, "%%%02X", c);
    }
    cupel_text_adds(text, "\"");
}

/* Appends text or an attribute's value; what XML 1.0 does not allow is escaped first. */
void cupel__add_xml(struct cupel_text *text, const char *s, size_t n)
{
    struct cupel_text clean;
    cupel_text_init(&clean, &text->alloc);
    cupel__escape_untrusted(&clean, (struct cupel__str){s, n}, SIZE_MAX, 0);
    for (size_t i = 0; i < clean.len; i++) {
        const char *c = &clean.bytes[i];
        if (*c == '&' || *c == '<' || *c == '>' || *c == '"')
            cupel_text_addf(text, "&#%d;", *c);
        else
            cupel_text_add(text, c, 1);
    }
    text->failed |= clean.failed;
    cupel_text_free(&clean);
}
