/* content.c: the assertions of `contentEncoding` and `contentMediaType` of draft 7: base64 (RFC
 * 4648 section 4), JSON (RFC 8259), and JSON in base64.  Schemas cannot name these as a `format`.
 */
#include "vm/formats/formats.h"
#include "vm/formats/json_acceptor.h"
#include "vm/formats/scan.h"

/* The six bits that a character stands for, or 64. */
static unsigned sextet(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 26;
    if (is_digit(c))
        return (unsigned)(c - '0') + 52;
    return c == '+' ? 62 : c == '/' ? 63 : 64;
}

/* The number of characters before the padding; *ret_ok: the length with padding is a multiple of 4.
 */
static size_t data_length(const char *p, size_t n, bool *ret_ok)
{
    *ret_ok = n % 4 == 0;
    if (n > 0 && p[n - 1] == '=')
        n -= n > 1 && p[n - 2] == '=' ? 2 : 1;
    return n;
}

int cupel__fmt_base64(const char *p, size_t n)
{
    bool ok;
    size_t data = data_length(p, n, &ok);
    for (size_t i = 0; i < data && ok; i++)
        ok = sextet(p[i]) < 64;
    return ok;
}

int cupel__fmt_json(const char *p, size_t n)
{
    struct cupel__json_acceptor json = {0};
    for (size_t i = 0; i < n; i++) {
        int result = cupel__fmt_json_step(&json, (unsigned char)p[i]);
        if (result != 1)
            return result;
    }
    return cupel__fmt_json_end(&json);
}

/* A string that is not base64 conforms: the BASE64 check that `contentEncoding` adds refuses it. */
int cupel__fmt_base64_json(const char *p, size_t n)
{
    struct cupel__json_acceptor json = {0};
    unsigned bits = 0, held = 0;
    bool ok;
    size_t data = data_length(p, n, &ok);
    if (!cupel__fmt_base64(p, n))
        return 1;
    for (size_t i = 0; i < data; i++) {
        held = (held << 6 | sextet(p[i])) & 0x3fff;
        bits += 6;
        if (bits < 8)
            continue;
        bits -= 8;
        int result = cupel__fmt_json_step(&json, (unsigned char)(held >> bits & 0xff));
        if (result != 1)
            return result;
    }
    return cupel__fmt_json_end(&json);
}
