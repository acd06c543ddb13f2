/* utf8.c: every function of base/utf8.c on any text of up to SIZE bytes.
 *
 * eva: -eva-precision 6 */
#include "base/utf8.c"
#include "proof.h"

enum { SIZE = 24 };

int main(void)
{
    char text[SIZE];
    char out[4];
    uint32_t cp;
    size_t len = any_size(0, SIZE);
    any_bytes(text, SIZE);
    switch (any_size(0, 3)) {
    case 0:
        return (int)cupel__utf8_check(text, len);
    case 1:
        return (int)cupel__utf8_count(text, len);
    case 2:
        return len == 0 ? 0 : (int)cupel__utf8_decode(text, text + len, &cp);
    default:
        return (int)cupel__utf8_encode((uint32_t)any_size(0, 0x10ffff), out);
    }
}
