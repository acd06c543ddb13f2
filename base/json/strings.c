/* strings.c: strings with escapes (RFC 8259 section 7), for stage 2 and for later decoding.
 *
 * Strings without a backslash never come here.  The index has the position of each escape, so the
 * bytes between escapes are not read again.  A member's name is decoded at once, because names are
 * compared; any other string is decoded when its bytes are first asked for (cupel__doc_decode),
 * into the side buffer, where the reader has reserved the length of the undecoded text.  Decoding
 * never makes a string longer. */
#include "base/ascii.h"
#include "base/json/reader.h"
#include "base/utf8.h"

/* The value of the four digits of a \u escape, or -1.  Reads nothing behind a byte that is no
 * digit, so the end of the text stops it. */
static int32_t hex4(const char *p)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = cupel__hex_value(p[i]);
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

/* The character that a two-character escape stands for, or 0 if there is no such escape. */
static char simple_escape(char c)
{
    switch (c) {
    case '"':
    case '\\':
    case '/':
        return c;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return 0;
    }
}

/* Reads the escape whose backslash is at p.  Returns its length and the code point; a surrogate
 * pair is one escape of 12 characters.  Returns 0 for a malformed escape, with *ret_cp 0, and for
 * half of a surrogate pair alone, with *ret_cp that half. */
static unsigned read_escape(const char *p, uint32_t *ret_cp)
{
    *ret_cp = 0;
    if (p[1] != 'u') {
        *ret_cp = (unsigned char)simple_escape(p[1]);
        return *ret_cp != 0 ? 2 : 0;
    }
    int32_t unit = hex4(p + 2);
    if (unit < 0)
        return 0;
    *ret_cp = (uint32_t)unit;
    if (unit < 0xd800 || unit > 0xdfff)
        return 6;
    if (unit > 0xdbff || p[6] != '\\' || p[7] != 'u')
        return 0;
    int32_t low = hex4(p + 8);
    if (low < 0xdc00 || low > 0xdfff)
        return 0;
    *ret_cp = 0x10000 + ((uint32_t)unit - 0xd800) * 0x400 + ((uint32_t)low - 0xdc00);
    return 12;
}

/* Decodes n bytes of text, whose escapes are valid; returns the length of the result, at most n.
 * Another thread of the host's may write to the text, against the rules (CUPEL_INPUT_PADDED): what
 * is no escape then is copied byte by byte, so that the result never gets longer. */
static uint32_t decode(const char *text, uint32_t n, char *out)
{
    const char *p = text, *const end = text + n;
    char *to = out;
    while (p < end) {
        const char *escape = memchr(p, '\\', (size_t)(end - p));
        size_t plain = (size_t)((escape != NULL ? escape : end) - p);
        memcpy(to, p, plain);
        to += plain;
        if (escape == NULL)
            break;
        uint32_t cp;
        unsigned length = read_escape(escape, &cp);
        if (__builtin_expect(length == 0 || length > (size_t)(end - escape), 0)) {
            length = 1;
            cp = '\\';
        }
        p = escape + length;
        to += cupel__utf8_encode(cp, to);
    }
    return (uint32_t)(to - out);
}

void cupel__doc_decode(struct cupel__doc *doc, struct cupel__node *node)
{
    char *out = doc->side + doc->side_used;
    node->len = decode(doc->base[0] + node->src, node->len, out);
    node->type = CUPEL__STRING;
    node->flags |= CUPEL__DECODED;
    node->off = doc->side_used;
    doc->side_used += node->len;
}

/* Checks the escapes of a string from this entry of the index on.  Returns the entry of the closing
 * quote, or 0 when the read has failed. */
static uint32_t check_escapes(struct cupel__reader *r, uint32_t next)
{
    while (r->doc->kinds[next] == '\\') {
        uint32_t at = r->doc->index[next], cp;
        unsigned length = read_escape(r->doc->base[0] + at, &cp);
        if (length == 0 && cp != 0) {
            cupel__reader_fail(r, CUPEL_E_SURROGATE, at, "half of a surrogate pair stands alone");
            return 0;
        }
        if (length == 0) {
            cupel__reader_fail(r, CUPEL_E_SYNTAX, at, "this is no escape sequence of JSON");
            return 0;
        }
        next += length == 12 ? 2 : 1; /* a pair has two entries */
    }
    if (next < r->nindex)
        return next;
    cupel__reader_fail_end(r);
    return 0;
}

uint32_t cupel__read_escaped_string(struct cupel__reader *r, struct cupel__node *node,
                                    uint32_t next)
{
    next = check_escapes(r, next);
    if (next == 0)
        return 0;
    node->len = r->doc->index[next] - node->src;
    node->type = CUPEL__ESCAPED;
    r->side_need += node->len;
    if (cupel__side_reserve(r, r->side_need) != CUPEL_OK)
        return 0;
    if (node->flags & CUPEL__KEY)
        cupel__doc_decode(r->doc, node);
    return next + 1;
}
