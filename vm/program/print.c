/* print.c: types, number constants and other constants as text, for disassembly and reports. */
#include "vm/program/program.h"
#include <string.h>

/* Larger sets come first, so that "number" is printed rather than its parts. */
void cupel__types_text(uint32_t types, const char *bar, struct cupel_text *text)
{
    static const struct {
        const char *name;
        uint16_t types;
    } names[] = {
        {"any", CUPEL__M_ANY},
        {"null", CUPEL__M_NULL},
        {"boolean", CUPEL__M_BOOLEAN},
        {"false", CUPEL__BIT(CUPEL__FALSE)},
        {"true", CUPEL__BIT(CUPEL__TRUE)},
        {"number", CUPEL__M_NUMBER},
        {"integer", CUPEL__M_INTEGER},
        {"real", CUPEL__BIT(CUPEL__REAL)},
        {"int", CUPEL__BIT(CUPEL__INT)},
        {"bigint", CUPEL__BIT(CUPEL__BIGINT)},
        {"intreal", CUPEL__BIT(CUPEL__INTREAL)},
        {"string", CUPEL__M_STRING},
        {"array", CUPEL__M_ARRAY},
        {"object", CUPEL__M_OBJECT},
        {"plain", CUPEL__BIT(CUPEL__STRING)},
        {"escaped", CUPEL__BIT(CUPEL__ESCAPED)},
    };
    const char *between = "";
    if (types == 0)
        cupel_text_adds(text, "none");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (types == 0 || (types & names[i].types) != names[i].types)
            continue;
        cupel_text_addf(text, "%s%s", between, names[i].name);
        types &= ~(uint32_t)names[i].types;
        between = bar;
    }
}

/* vsnprintf takes 1,200 instructions for a number, twice the cost of all else in an annotation of
 * small numbers; this takes 60. */
static void add_integer(struct cupel_text *text, int64_t value)
{
    char digits[20]; /* -2^63 has 19, and a sign */
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digits[--at] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (value < 0)
        digits[--at] = '-';
    cupel_text_add(text, digits + at, sizeof digits - at);
}

/* Without loss: a node holds mantissa * 10^exponent, or the offset of the author's digits. */
void cupel__number_text(const struct cupel__image *image, const struct cupel__node *n,
                        struct cupel_text *text)
{
    if (!(n->flags & CUPEL__BIG)) {
        if (n->exp == 0)
            add_integer(text, n->i);
        else if (n->exp >= -18) {
            uint64_t digits = n->i < 0 ? 0 - (uint64_t)n->i : (uint64_t)n->i, scale = 1;
            for (int i = 0; i < -n->exp; i++)
                scale *= 10;
            cupel_text_addf(text, "%s%llu.%0*llu", n->i < 0 ? "-" : "",
                            (unsigned long long)(digits / scale), -n->exp,
                            (unsigned long long)(digits % scale));
        } else
            cupel_text_addf(text, "%llde%d", (long long)n->i, n->exp);
        return;
    }
    const char *s = cupel__at(image, n->off);
    cupel_text_add(text, s, strspn(s, "0123456789+-.eE")); /* the padding of the image ends it */
}

/* A node that is neither an array nor an object. */
static void add_scalar(const struct cupel__image *image, const struct cupel__node *n,
                       struct cupel_text *text)
{
    static const char *const words[] = {"null", "false", "true"};
    if (n->type <= CUPEL__TRUE)
        cupel_text_adds(text, words[n->type]);
    else if (n->type <= CUPEL__REAL)
        cupel__number_text(image, n, text);
    else
        cupel_text_add_json(text, cupel__at(image, n->off), n->len);
}

size_t cupel__value_size(const struct cupel__image *image, uint32_t value)
{
    const struct cupel__node *nodes = cupel__at(image, image->values.at);
    size_t size = 0;
    for (uint32_t i = value; i < cupel__node_next(nodes, value); i++)
        size += 1 + (nodes[i].type == CUPEL__STRING ? nodes[i].len : 0);
    return size;
}

uint32_t cupel__value_nodes(const struct cupel__image *image, uint32_t value)
{
    return cupel__node_next(cupel__at(image, image->values.at), value) - value;
}

/* Writes the nodes in the order of the tape.  The containers that are open are a stack of node
 * indexes, so that closing one takes the same time however many nodes it holds. */
void cupel__value_text(const struct cupel__image *image, uint32_t value, struct cupel_text *text)
{
    const struct cupel__node *nodes = cupel__at(image, image->values.at), *n;
    uint32_t end = cupel__node_next(nodes, value), i = value, outer;
    const char *between = "";
    struct cupel_text open; /* the stack, innermost last */
    cupel_text_init(&open, &text->alloc);
    for (;;) {
        for (; open.len > 0; open.len -= sizeof i) {
            memcpy(&outer, open.bytes + open.len - sizeof i, sizeof i);
            if (nodes[outer].end != i)
                break;
            cupel_text_add(text, &"]}"[nodes[outer].type - CUPEL__ARRAY], 1);
            between = ",";
        }
        if (i == end)
            break;
        cupel_text_adds(text, between);
        n = &nodes[i];
        if (n->type >= CUPEL__ARRAY) {
            cupel_text_add(text, &"[{"[n->type - CUPEL__ARRAY], 1);
            cupel_text_add(&open, (const char *)&i, sizeof i);
            between = "";
        } else {
            add_scalar(image, n, text);
            between = n->type == CUPEL__STRING && (n->flags & CUPEL__KEY) ? ":" : ",";
        }
        i++;
    }
    text->failed |= open.failed;
    cupel_text_free(&open);
}
