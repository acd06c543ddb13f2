/* scan.c: stage 1 of the reader, byte by byte, and its end, which all scanners share.
 *
 *     text ── stage 1 ──▶ index ── stage 2 ──▶ tape
 *
 * json/reader.h says what the index has.  The SIMD scanners are in json/scan_simd.c; all scanners
 * give the same index and the same errors for every text.  Nothing here knows the grammar: stage 2
 * refuses tokens that are out of place. */
#include "base/json/reader.h"
#include "base/utf8.h"

void cupel__scan_note_error(struct cupel__scan *s, enum cupel_status status, uint32_t offset)
{
    if (s->status == CUPEL_OK || offset < s->error) {
        s->status = status;
        s->error = offset;
    }
}

/* -- Byte by byte ------------------------------------------------------------------------------ */

enum { OTHER, SPACE, OP, QUOTE, BACKSLASH, CONTROL, HIGH };

static unsigned class_of(unsigned char c)
{
    static const uint8_t classes[128] = {
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    CONTROL,       CONTROL,       CONTROL,           CONTROL,
        CONTROL,    CONTROL,    [' '] = SPACE, ['{'] = OP,    ['}'] = OP,        ['['] = OP,
        [']'] = OP, [':'] = OP, [','] = OP,    ['"'] = QUOTE, ['\\'] = BACKSLASH};
    return c < 128 ? classes[c] : HIGH;
}

/* The offset of the next byte from i on that is special inside a string, or `to`. */
static uint32_t skip_plain(const char *text, uint32_t i, uint32_t to)
{
    while (i < to && class_of((unsigned char)text[i]) <= OP)
        i++;
    return i;
}

/* Adds the token at i to the index. */
static void put_token(struct cupel__scan *s, uint32_t i)
{
    s->index[s->count] = i;
    s->kinds[s->count++] = s->text[i];
}

/* Checks the UTF-8 sequence at i, inside or outside a string.  Returns the offset after it, but at
 * most `to`: s->utf8 keeps the rest from being checked again with the next part. */
static uint32_t scan_high(struct cupel__scan *s, uint32_t i, uint32_t to)
{
    if (i >= s->utf8) {
        uint32_t cp;
        unsigned length = cupel__utf8_decode(s->text + i, s->text + s->len, &cp);
        if (length == 0) {
            cupel__scan_note_error(s, CUPEL_E_UTF8, i);
            return to;
        }
        s->utf8 = i + length;
    }
    return s->utf8 < to ? s->utf8 : to;
}

/* Checks the escape whose backslash is at i, unless it is the second half of a pair that has been
 * checked. */
static void check_escape(struct cupel__scan *s, uint32_t i)
{
    enum { LONGEST = 12 };
    char near[LONGEST] = {0};
    uint32_t cp;
    if (i < s->checked)
        return;
    memcpy(near, s->text + i, s->len - i < LONGEST ? s->len - i : LONGEST);
    const unsigned length = cupel__read_escape(near, &cp);
    if (length == 0)
        cupel__scan_note_error(s, cp != 0 ? CUPEL_E_SURROGATE : CUPEL_E_SYNTAX, i);
    s->checked = i + length;
}

/* Whether the last token is a backslash in the same block of 64 bytes, and so in this string. */
static bool is_indexed(const struct cupel__scan *s, uint32_t i)
{
    return s->count > 0 && s->kinds[s->count - 1] == '\\' && s->index[s->count - 1] / 64 == i / 64;
}

/* Scans one special byte or sequence inside a string; returns the offset after it. */
static uint32_t scan_inside(struct cupel__scan *s, uint32_t i, uint32_t to, bool escaped)
{
    switch (class_of((unsigned char)s->text[i])) {
    case HIGH:
        return scan_high(s, i, to);
    case CONTROL:
        cupel__scan_note_error(s, CUPEL_E_SYNTAX, i);
        break;
    case QUOTE:
        if (escaped)
            break;
        put_token(s, i);
        s->in_string = 0;
        break;
    default: /* a backslash */
        if (escaped)
            break;
        if (!is_indexed(s, i))
            put_token(s, i);
        check_escape(s, i);
        s->escaped = 1;
        break;
    }
    return i + 1;
}

/* Scans one byte or sequence outside strings; returns the offset after it. */
static uint32_t scan_outside(struct cupel__scan *s, uint32_t i, uint32_t to, bool escaped)
{
    unsigned class = class_of((unsigned char)s->text[i]);
    if (cupel__is_space(s->text[i])) {
        s->boundary = 1;
        return i + 1;
    }
    if (class == OP || (class == QUOTE && !escaped)) {
        put_token(s, i);
        s->in_string = class == QUOTE ? ~(uint64_t)0 : 0;
        s->boundary = 1;
        return i + 1;
    }
    if (s->boundary)
        put_token(s, i);
    s->boundary = 0;
    s->escaped = class == BACKSLASH && !escaped;
    return class == HIGH ? scan_high(s, i, to) : i + 1;
}

/* A byte order mark was found by the caller; it is skipped like white space. */
void cupel__scan_portable(struct cupel__scan *s, uint32_t from, uint32_t to)
{
    uint32_t i = from;
    for (; s->bom != 0; s->bom >>= 1)
        i++;
    if (s->copy != NULL)
        memcpy(s->copy + from, s->text + from, to - from);
    while (i < to && s->status == CUPEL_OK) {
        bool escaped = s->escaped;
        s->escaped = 0;
        if (s->in_string == 0) {
            i = scan_outside(s, i, to, escaped);
            continue;
        }
        uint32_t plain = skip_plain(s->text, i, to);
        if (plain < to)
            plain = scan_inside(s, plain, to, escaped && plain == i);
        i = plain;
    }
}

/* Byte by byte, a short text has no faster path than any other. */
bool cupel__scan_short_portable(struct cupel__reader *r)
{
    (void)r;
    return false;
}

/* -- Stage 1 ----------------------------------------------------------------------------------- */

/* Drops the tokens at and behind the error, which a SIMD scanner may have added with their block.
 */
static void drop_after_error(struct cupel__scan *s)
{
    while (s->count > 0 && s->index[s->count - 1] >= s->error)
        s->count--;
}

void cupel__scan_run(struct cupel__scan *s, const struct cupel__json_engine *engine, uint32_t from,
                     uint32_t to)
{
    engine->scan(s, from, to);
    if (s->copy != NULL && to == s->len)
        memset(s->copy + to, ' ', CUPEL__READ_PADDING);
    if (s->status != CUPEL_OK)
        drop_after_error(s);
}
