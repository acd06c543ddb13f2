/* json_acceptor.c: recognises a JSON text (RFC 8259) one byte at a time.
 *
 * An automaton with a stack of one bit for each open array or object.  It stores nothing else, so
 * base64 can be decoded into it without a buffer.  base/json reads JSON into a document. */
#include "vm/formats/json_acceptor.h"
#include "base/ascii.h"

#include <cupel/common.h>

enum state {
    VALUE,      /* expects a value */
    ITEM_FIRST, /* expects a value or the end of the array */
    KEY_FIRST,  /* expects a name or the end of the object */
    KEY,        /* expects a name */
    COLON,
    AFTER, /* behind a value: expects a comma, an end, or the end of the text */
    STRING,
    POINT, /* inside a code point of several bytes */
    ESCAPE,
    HEX,
    WORD,  /* inside true, false or null */
    MINUS, /* from here on: the part of a number that was read last */
    ZERO,
    INT,
    DOT,
    FRACTION,
    E,
    E_SIGN,
    EXPONENT
};

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(unsigned char c)
{
    return cupel__is_digit((char)c);
}

/* Whether the innermost open container is an object; needs depth > 0. */
static bool in_object(const struct cupel__json_acceptor *j)
{
    uint32_t top = j->depth - 1;
    return j->object[top / 64] >> top % 64 & 1;
}

/* Opens an array or object. */
static int open(struct cupel__json_acceptor *j, bool object)
{
    if (j->depth == FMT_JSON_DEPTH)
        return CUPEL_E_LIMIT_FORMAT;
    uint64_t bit = (uint64_t)1 << j->depth % 64;
    if (object)
        j->object[j->depth / 64] |= bit;
    else
        j->object[j->depth / 64] &= ~bit;
    j->depth++;
    j->state = object ? KEY_FIRST : ITEM_FIRST;
    return 1;
}

/* Closes the innermost container, which has to be of this kind. */
static int close(struct cupel__json_acceptor *j, bool object)
{
    if (j->depth == 0 || in_object(j) != object)
        return 0;
    j->depth--;
    j->state = AFTER;
    return 1;
}

/* The opening quote of a string. */
static int begin_string(struct cupel__json_acceptor *j, bool key)
{
    j->key = key;
    j->state = STRING;
    return 1;
}

/* The first letter of true, false or null. */
static int begin_word(struct cupel__json_acceptor *j, const char *rest)
{
    j->word = rest;
    j->state = WORD;
    return 1;
}

/* The first byte of a value. */
static int begin_value(struct cupel__json_acceptor *j, unsigned char c)
{
    switch (c) {
    case '{':
        return open(j, true);
    case '[':
        return open(j, false);
    case '"':
        return begin_string(j, false);
    case 't':
        return begin_word(j, "rue");
    case 'f':
        return begin_word(j, "alse");
    case 'n':
        return begin_word(j, "ull");
    case '-':
        j->state = MINUS;
        return 1;
    default:
        j->state = c == '0' ? ZERO : INT;
        return is_digit(c);
    }
}

/* A byte behind a value. */
static int after(struct cupel__json_acceptor *j, unsigned char c)
{
    j->state = AFTER;
    if (is_space(c))
        return 1;
    if (c == ']' || c == '}')
        return close(j, c == '}');
    if (c != ',' || j->depth == 0)
        return 0;
    j->state = in_object(j) ? KEY : VALUE;
    return 1;
}

/* -- Strings --------------------------------------------------------------------------------- */

/* The first byte of a code point outside ASCII.  Sets the number of bytes that follow, and the
 * bounds of the next that exclude surrogates, code points above U+10FFFF and overlong forms (RFC
 * 3629 section 4). */
static int begin_point(struct cupel__json_acceptor *j, unsigned char c)
{
    if (c < 0xc2 || c > 0xf4)
        return 0;
    j->left = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    j->low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    j->high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    j->state = POINT;
    return 1;
}

/* A further byte of a code point; only the second has bounds of its own. */
static int in_point(struct cupel__json_acceptor *j, unsigned char c)
{
    bool ok = c >= j->low && c <= j->high;
    j->low = 0x80;
    j->high = 0xbf;
    if (--j->left == 0)
        j->state = STRING;
    return ok;
}

/* A byte of a string; control characters have to be escaped (RFC 8259 section 7). */
static int in_string(struct cupel__json_acceptor *j, unsigned char c)
{
    if (c == '"')
        j->state = j->key ? COLON : AFTER;
    else if (c == '\\')
        j->state = ESCAPE;
    else if (c >= 0x80)
        return begin_point(j, c);
    return c >= ' ';
}

/* The byte behind a backslash. */
static int in_escape(struct cupel__json_acceptor *j, unsigned char c)
{
    j->state = c == 'u' ? HEX : STRING;
    j->left = 4;
    switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'u':
        return 1;
    default:
        return 0;
    }
}

/* A digit of \uXXXX.  Surrogates are not paired: RFC 8259 section 8.2 allows lone ones. */
static int in_hex(struct cupel__json_acceptor *j, unsigned char c)
{
    unsigned char low = c | 0x20;
    if (--j->left == 0)
        j->state = STRING;
    return is_digit(c) || (low >= 'a' && low <= 'f');
}

/* -- Numbers --------------------------------------------------------------------------------- */

/* A byte of a number, or the first behind it: a number has no end of its own. */
static int in_number(struct cupel__json_acceptor *j, unsigned char c)
{
    enum state s = (enum state)j->state;
    bool digit = is_digit(c), exponent = (c | 0x20) == 'e';
    if (s == MINUS) {
        j->state = c == '0' ? ZERO : INT;
        return digit;
    }
    if (s == DOT || s == E_SIGN || (s == E && c != '+' && c != '-')) {
        j->state = s == DOT ? FRACTION : EXPONENT;
        return digit;
    }
    if (s == E) {
        j->state = E_SIGN;
        return 1;
    }
    if (digit && s != ZERO)
        return 1;
    if ((s == ZERO || s == INT) && c == '.')
        j->state = DOT;
    else if (s != EXPONENT && exponent)
        j->state = E;
    else
        return after(j, c);
    return 1;
}

/* -- All of it ------------------------------------------------------------------------------- */

/* A byte between tokens. */
static int between(struct cupel__json_acceptor *j, unsigned char c)
{
    if (is_space(c))
        return 1;
    switch ((enum state)j->state) {
    case VALUE:
        return begin_value(j, c);
    case ITEM_FIRST:
        return c == ']' ? close(j, false) : begin_value(j, c);
    case KEY_FIRST:
        if (c == '}')
            return close(j, true);
        return c == '"' ? begin_string(j, true) : 0;
    case KEY:
        return c == '"' ? begin_string(j, true) : 0;
    case COLON:
        j->state = VALUE;
        return c == ':';
    default:
        return after(j, c);
    }
}

int cupel__fmt_json_step(struct cupel__json_acceptor *j, unsigned char c)
{
    switch ((enum state)j->state) {
    case STRING:
        return in_string(j, c);
    case POINT:
        return in_point(j, c);
    case ESCAPE:
        return in_escape(j, c);
    case HEX:
        return in_hex(j, c);
    case WORD:
        if ((unsigned char)*j->word != c)
            return 0;
        if (*++j->word == '\0')
            j->state = AFTER;
        return 1;
    case VALUE:
    case ITEM_FIRST:
    case KEY_FIRST:
    case KEY:
    case COLON:
    case AFTER:
        return between(j, c);
    default:
        return in_number(j, c);
    }
}

bool cupel__fmt_json_end(const struct cupel__json_acceptor *j)
{
    enum state s = (enum state)j->state;
    return j->depth == 0 && (s == AFTER || s == ZERO || s == INT || s == FRACTION || s == EXPONENT);
}
