/* formats_cli.c: formats on standard input, for tests/tools/check_formats.py.
 *
 * A line is a format, a tab, and a string in hex.  The format is its name, and after a slash the
 * draft whose meaning of it is asked for, as in "hostname/4"; without one it is that of 2020-12.
 * The answer is a line: 1, 0 or, for what is not decided, -1; "?" if the draft has no such format.
 */
#include "vm/formats/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 20 };

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Decodes in place; returns the length. */
static size_t from_hex(char *s)
{
    size_t n = 0, end = strlen(s);
    for (; 2 * n < end; n++)
        s[n] = (char)(hex_digit(s[2 * n]) << 4 | hex_digit(s[2 * n + 1]));
    return n;
}

static void answer(char *line)
{
    enum cupel__format format;
    char *tab = strchr(line, '\t');
    if (tab == NULL) {
        puts("?");
        return;
    }
    *tab = '\0';
    char *slash = strchr(line, '/');
    unsigned draft = slash == NULL ? 2020 : (unsigned)strtoul(slash + 1, NULL, 10);
    size_t length = slash == NULL ? strlen(line) : (size_t)(slash - line);
    size_t n = from_hex(tab + 1);
    /* A copy of just the size, so that the address sanitizer sees a read past its end. */
    char *exact = malloc(n == 0 ? 1 : n);
    if (exact == NULL || !cupel__format_find(line, length, draft, &format)) {
        puts("?");
    } else {
        memcpy(exact, tab + 1, n);
        struct cupel__arena work;
        cupel__arena_init(&work, NULL, 0);
        int result = cupel__format_check(format, exact, n, &work);
        printf("%d\n", result < 0 ? -1 : result);
        cupel__arena_free(&work);
    }
    free(exact);
}

int main(void)
{
    char *line = malloc(LINE);
    if (line == NULL)
        return 1;
    while (fgets(line, LINE, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        answer(line);
    }
    free(line);
    return 0;
}
