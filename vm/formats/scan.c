/* scan.c: the table of character classes. */
#include "vm/formats/scan.h"

/* The classes that letters and digits share. */
#define ALNUM  (FMT_ALNUM | FMT_UNRESERVED | FMT_LITERAL | FMT_SCHEME | FMT_ATOM)
#define DIGIT  (ALNUM | FMT_HEX)
#define LETTER ALNUM
#define HEX_AF (ALNUM | FMT_HEX)
#define DELIM  (FMT_SUB_DELIM | FMT_LITERAL)

#define TWO(c, set)  [c] = (set), [(c) + 1] = (set)
#define FOUR(c, set) TWO(c, set), TWO((c) + 2, set)

const uint16_t cupel__fmt_class[256] = {
    FOUR('0', DIGIT),
    FOUR('4', DIGIT),
    TWO('8', DIGIT),
    FOUR('A', HEX_AF),
    TWO('E', HEX_AF),
    FOUR('G', LETTER),
    FOUR('K', LETTER),
    FOUR('O', LETTER),
    FOUR('S', LETTER),
    FOUR('W', LETTER),
    FOUR('a', HEX_AF),
    TWO('e', HEX_AF),
    FOUR('g', LETTER),
    FOUR('k', LETTER),
    FOUR('o', LETTER),
    FOUR('s', LETTER),
    FOUR('w', LETTER),
    ['!'] = DELIM | FMT_ATOM,
    ['#'] = FMT_LITERAL | FMT_ATOM,
    ['$'] = DELIM | FMT_ATOM,
    ['%'] = FMT_ATOM,
    ['&'] = DELIM | FMT_ATOM,
    ['\''] = DELIM | FMT_ATOM, /* in templates by erratum 6937 */
    ['('] = DELIM,
    [')'] = DELIM,
    ['*'] = DELIM | FMT_ATOM,
    ['+'] = DELIM | FMT_SCHEME | FMT_ATOM,
    [','] = DELIM,
    ['-'] = FMT_UNRESERVED | FMT_LITERAL | FMT_SCHEME | FMT_ATOM,
    ['.'] = FMT_UNRESERVED | FMT_LITERAL | FMT_SCHEME,
    ['/'] = FMT_SLASH | FMT_LITERAL | FMT_ATOM,
    [':'] = FMT_COLON | FMT_LITERAL,
    [';'] = DELIM,
    ['='] = DELIM | FMT_ATOM,
    ['?'] = FMT_QUESTION | FMT_LITERAL | FMT_ATOM,
    ['@'] = FMT_AT | FMT_LITERAL,
    ['['] = FMT_LITERAL,
    [']'] = FMT_LITERAL,
    ['^'] = FMT_ATOM,
    ['_'] = FMT_UNRESERVED | FMT_LITERAL | FMT_ATOM,
    ['`'] = FMT_ATOM,
    ['{'] = FMT_ATOM,
    ['|'] = FMT_ATOM,
    ['}'] = FMT_ATOM,
    ['~'] = FMT_UNRESERVED | FMT_LITERAL | FMT_ATOM,
};
