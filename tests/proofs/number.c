/* base/decimal.c: every function of base/decimal.c on any text of up to SIZE bytes, and on any
 * decimals made from two.
 *
 * The texts are numbers by the characters that they consist of: digits, a sign, a point and an
 * exponent's letter.
 *
 * eva: -eva-precision 2 -eva-split-return full */
#include "proof.h"

#include "base/decimal.c"

enum { SIZE = 24 };

/* Those that a lexeme consists of, by the reader's scan (json/numbers.c) or the verifier's
 * (verify_values.c). */
static void any_number(char *text)
{
    static const char characters[] = "0123456789-+.eE";
    for (size_t i = 0; i < SIZE; i++)
        text[i] = characters[any_size(0, sizeof characters - 2)];
}

static int64_t any_int(void)
{
    return (int64_t)any_size(0, SIZE_MAX);
}

/* The number of a node that holds it, or of a text. */
/* The number of a node that holds it, or of a text. */
static bool any_dec(char *text, struct cupel__dec *ret)
{
    if (any_size(0, 1) == 0) {
        *ret = (struct cupel__dec){.i = any_int(), .exp = -(int64_t)any_size(0, 32768)};
        return true;
    }
    size_t len = any_size(1, SIZE);
    any_number(text);
    return cupel__dec_parse(text, len, ret);
}

int main(void)
{
    static char first[SIZE], second[SIZE];
    struct cupel__dec a = {0}, b = {0};
    if (!any_dec(first, &a) || !any_dec(second, &b))
        return 0;
    switch (any_size(0, 4)) {
    case 0:
        return cupel__dec_cmp(&a, &b);
    case 1:
        return cupel__dec_is_integer(&a);
    case 2:
        return cupel__dec_multiple(&a, &b);
    case 3:
        cupel__dec_normalise(&a);
        return 0;
    default:
        return (int)cupel__dec_hash(&a);
    }
}
