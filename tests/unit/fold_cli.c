/* fold_cli.c: the letters of every code point without regard to case, a line each: the code point,
 * a colon, its letters.  tests/tools/check_fold.py reads it. */
#include "mcp/text/case_fold.h"
#include <stdio.h>

static size_t encode(unsigned point, char ret[4])
{
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t n = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; point >>= 6)
        ret[i] = (char)(0x80 | (point & 0x3f));
    ret[0] = (char)(marks[n] | point);
    return n;
}

int main(void)
{
    for (unsigned point = 0; point <= 0x10ffff; point++) {
        char bytes[4];
        if (point >= 0xd800 && point <= 0xdfff)
            continue;
        struct cupel__fold fold = cupel__fold_of(bytes, encode(point, bytes));
        printf("%x:", point);
        for (uint32_t letter; (letter = cupel__fold_next(&fold)) != CUPEL__FOLD_END;)
            printf(" %x", letter);
        putchar('\n');
    }
    return 0;
}
