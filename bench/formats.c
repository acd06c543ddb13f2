/* formats.c: how long the scanner of a format takes for a string.
 *
 *   cc -O2 -D_DEFAULT_SOURCE -Iinclude -Ibase -Ivm bench/formats.c build/libcupel.a -lpcre2-8
 * -lidn2
 *
 * A row for each format: nanoseconds a string, over strings in turn that all conform, and of that
 * the time for one byte; the fastest of several rounds, which other work on the machine disturbs
 * least. */
#include "vm/formats/formats.h"
#include "measuring.h"
#include <string.h>

enum { TEXTS = 4, ROUNDS = 400, TURNS = 256 };

static const struct {
    enum cupel__format format;
    const char *texts[TEXTS];
} rows[] = {
    {CUPEL__FORMAT_DATE_TIME,
     {"2024-02-29T12:00:00Z", "1963-06-19T08:30:06.283185Z", "2025-11-21T23:59:59.999-08:00",
      "1990-12-31T15:59:50+01:00"}},
    {CUPEL__FORMAT_DATE, {"2024-02-29", "1963-06-19", "2025-11-30", "2000-01-01"}},
    {CUPEL__FORMAT_UUID,
     {"2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380",
      "00000000-0000-0000-0000-000000000000", "98d80576-482e-427f-8434-7f86890ab222"}},
    {CUPEL__FORMAT_URI,
     {"https://example.com/", "https://example.com/a/b/c?d=e&f=g#h",
      "https://user@host.example:8080/path/to/something/long?query=1%20x", "urn:isbn:0451450523"}},
    {CUPEL__FORMAT_EMAIL,
     {"joe@example.com", "first.last+tag@mail.example.org", "a@b.co", "info@sub.domain.example"}},
    {CUPEL__FORMAT_IPV4, {"127.0.0.1", "192.168.100.200", "10.0.0.255", "8.8.8.8"}},
    {CUPEL__FORMAT_IPV6, {"::1", "2001:db8::8a2e:370:7334", "fe80::1", "1:2:3:4:5:6:7:8"}},
    {CUPEL__FORMAT_HOSTNAME,
     {"example.com", "a.very.long.host.name.example", "localhost", "x-1.y"}},
    {CUPEL__FORMAT_IDN_HOSTNAME,
     {"example.com",
      "b\xc3\xbc"
      "cher.example",
      "xn--bcher-kva.example", "\xe4\xbe\x8b\xe3\x81\x88.jp"}},
    {CUPEL__FORMAT_POINTER, {"", "/a/b", "/properties/name~1x/items/0", "/0"}},
    {CUPEL__FORMAT_REGEX, {"^[a-z]+$", "a|b", "^(\\d{4})-(\\d{2})$", "\\p{L}+[^x]"}},
};

static double measure(enum cupel__format format, const char *const *texts,
                      struct cupel__arena *work)
{
    size_t length[TEXTS];
    double best = 1e18;
    for (int i = 0; i < TEXTS; i++)
        length[i] = strlen(texts[i]);
    for (int round = 0; round < ROUNDS; round++) {
        int conform = 0;
        double start = now_ns();
        for (int turn = 0; turn < TURNS; turn++)
            conform += cupel__format_check(format, texts[turn % TEXTS], length[turn % TEXTS], work);
        double took = (now_ns() - start) / TURNS;
        best = took < best ? took : best;
        if (conform != TURNS)
            return -1;
    }
    return best;
}

int main(void)
{
    struct cupel__arena work;
    cupel__arena_init(&work, NULL, 0);
    printf("%-16s %8s %8s\n", "format", "ns", "ns/byte");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t bytes = 0;
        for (int t = 0; t < TEXTS; t++)
            bytes += strlen(rows[i].texts[t]);
        double ns = measure(rows[i].format, rows[i].texts, &work);
        printf("%-16s %8.1f %8.2f\n", cupel__format_name(rows[i].format), ns,
               ns * TEXTS / (double)bytes);
    }
    cupel__arena_free(&work);
    return 0;
}
