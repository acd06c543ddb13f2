/* verify_values.c: the constants of an image form a valid tape.
 *
 * A tape is a sequence of complete values.  Strings and lexemes lie in the strings section, strings
 * are UTF-8, and a number has the node that the JSON reader would make of it.  Constants may share
 * text, but each is read, so `spend` bounds the bytes that are read by the size of the image. */
#include "base/decimal.h"
#include "base/utf8.h"
#include "vm/program/verify.h"

/* A container whose children are being checked. */
struct open {
    uint32_t end;  /* index behind its last node */
    uint32_t left; /* remaining children: items, or names and values */
    bool object;
};

/* The bytes of text that may be read for each byte of the image.  Images of the compiler stay
 * below: it shares only strings of at most SHARED_TEXT bytes, each by a node of its own, and no
 * text of numbers (emit.c), which are charged TEXT_A_BYTE times their length. */
enum { TEXT_A_BYTE = CUPEL__SHARED_TEXT / sizeof(struct cupel__node) };

/* Charges `len` bytes of text; false if the budget is exceeded. */
static bool spend(struct verifier *v, uint64_t len)
{
    v->text += len;
    return v->text <= TEXT_A_BYTE * (uint64_t)v->image->size;
}

/* Whether `len` bytes of text lie in the strings section. */
static bool text_ok(const struct verifier *v, const struct cupel__node *n, uint32_t len)
{
    const struct cupel__section *s = &v->image->strings;
    return n->off >= s->at && n->off - s->at <= s->count && len <= s->count - (n->off - s->at);
}

/* The length of a number's lexeme, which ends at a byte that cannot belong to a number or at the
 * end of the section. */
static uint32_t lexeme_len(const struct verifier *v, const struct cupel__node *n)
{
    const char *p = cupel__at(v->image, n->off);
    uint32_t available = v->image->strings.count - (n->off - v->image->strings.at), len = 0;
    while (len < available && ((p[len] >= '0' && p[len] <= '9') || p[len] == '-' || p[len] == '+' ||
                               p[len] == '.' || p[len] == 'e' || p[len] == 'E'))
        len++;
    return len;
}

/* Skips digits; false if there is none. */
static bool digits(const char **p, const char *end)
{
    const char *start = *p;
    while (*p < end && **p >= '0' && **p <= '9')
        ++*p;
    return *p > start;
}

/* The grammar of RFC 8259 section 6. */
static bool is_number(const char *p, const char *end)
{
    if (p < end && *p == '-')
        p++;
    if (p < end && *p == '0')
        p++;
    else if (!digits(&p, end))
        return false;
    if (p < end && *p == '.' && (p++, !digits(&p, end)))
        return false;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        if (!digits(&p, end))
            return false;
    }
    return p == end;
}

/* Whether the type of a number that is kept as a lexeme agrees with the lexeme.  Zero always fits a
 * node, and the divisor check of verify.c depends on that. */
static bool big_ok(struct verifier *v, const struct cupel__node *n)
{
    struct cupel__dec dec;
    if (n->type == CUPEL__INT || n->exp != 0 || n->i != 0 || !text_ok(v, n, 1))
        return false;
    uint32_t len = lexeme_len(v, n);
    const char *p = cupel__at(v->image, n->off);
    if (!spend(v, TEXT_A_BYTE * (uint64_t)len) || !is_number(p, p + len))
        return false;
    /* A number out of range makes every comparison with it UNDECIDED. */
    if (!cupel__dec_parse(p, len, &dec))
        return true;
    bool zero = dec.digits == NULL && dec.i == 0;
    return !zero && cupel__dec_is_integer(&dec) == (n->type != CUPEL__REAL);
}

/* Whether a number has the node of the reader: an integer has exponent 0, and a real no trailing
 * zeroes in its mantissa, so that equal numbers have equal nodes. */
static bool number_ok(struct verifier *v, const struct cupel__node *n)
{
    if (n->flags & CUPEL__BIG)
        return big_ok(v, n);
    if (n->type == CUPEL__REAL)
        return n->exp < 0 && n->i % 10 != 0;
    return n->type != CUPEL__BIGINT && n->exp == 0;
}

/* Whether the type, the flags and the text of a node are valid. */
static bool scalar_ok(struct verifier *v, const struct cupel__node *n)
{
    if (n->type >= CUPEL__TYPES || n->type == CUPEL__ESCAPED)
        return false;
    bool number = (CUPEL__BIT(n->type) & CUPEL__M_NUMBER) != 0;
    if ((n->flags & ~(number ? CUPEL__BIG : n->type == CUPEL__STRING ? CUPEL__KEY : 0)) != 0)
        return false;
    if (number)
        return number_ok(v, n);
    if (n->type == CUPEL__STRING)
        return text_ok(v, n, n->len) && spend(v, n->len) &&
               cupel__utf8_valid(cupel__at(v->image, n->off), n->len);
    return true;
}

/* Checks that the nodes form complete values.  `stack` has an element for each node and one more.
 */
static enum cupel_status check_nodes(struct verifier *v, struct open *stack)
{
    const struct cupel__node *nodes = cupel__at(v->image, v->image->values.at);
    uint32_t count = v->image->values.count;
    size_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct cupel__node *n = &nodes[i];
        bool is_key = depth > 0 && stack[depth - 1].object && stack[depth - 1].left % 2 == 0;
        if (!scalar_ok(v, n) || is_key != ((n->type == CUPEL__STRING) && (n->flags & CUPEL__KEY)))
            return cupel__refuse(v, "bad constant", i);
        if (depth > 0)
            stack[depth - 1].left--;
        if (n->type >= CUPEL__ARRAY) {
            uint32_t limit = depth > 0 ? stack[depth - 1].end : count;
            bool object = n->type == CUPEL__OBJECT;
            if (n->end <= i || n->end > limit || n->count > (n->end - i - 1) / (1u + object))
                return cupel__refuse(v, "bad constant", i);
            stack[depth++] = (struct open){n->end, n->count << object, object};
        }
        while (depth > 0 && stack[depth - 1].left == 0) {
            if (stack[--depth].end != i + 1)
                return cupel__refuse(v, "bad constant", i);
        }
    }
    return depth == 0 ? CUPEL_OK : cupel__refuse(v, "bad constant", count);
}

enum cupel_status cupel__verify_values(struct verifier *v)
{
    struct open few[64], *stack = few;
    size_t size = (v->image->values.count + 1) * sizeof *stack;
    if (size > sizeof few && (stack = cupel__realloc(&v->alloc, NULL, 0, size)) == NULL)
        return cupel__verify_no_memory(v);
    enum cupel_status s = check_nodes(v, stack);
    if (stack != few)
        cupel__free(&v->alloc, stack, size);
    return s;
}
