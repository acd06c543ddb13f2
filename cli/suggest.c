/* suggest.c: suggests a word for a misspelt verb, option or value. */
#include "cli/cli.h"

#include <string.h>

enum { MOST_LETTERS = 32 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The letters in lower case, without hyphens and underscores. */
static int fold(const char *word, char ret[MOST_LETTERS])
{
    int n = 0;
    for (; *word != '\0' && n < MOST_LETTERS; word++)
        if (*word != '-' && *word != '_')
            ret[n++] = (char)(*word >= 'A' && *word <= 'Z' ? *word - 'A' + 'a' : *word);
    return n;
}

/* Insertions, deletions, substitutions and swaps of neighbours from one word to the other. */
static int distance(const char *a, const char *b)
{
    char x[MOST_LETTERS], y[MOST_LETTERS];
    int rows[MOST_LETTERS + 1][MOST_LETTERS + 1], n = fold(a, x), m = fold(b, y);
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            int d = least(rows[i - 1][j], rows[i][j - 1]) + 1;
            d = least(d, rows[i - 1][j - 1] + (x[i - 1] != y[j - 1]));
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
                d = least(d, rows[i - 2][j - 2] + 1);
            rows[i][j] = d;
        }
    }
    return rows[n][m];
}

void cli_suggest(struct cli_suggestion *s, const char *candidate)
{
    int letters = (int)strlen(s->word), d = distance(s->word, candidate);
    bool begins = letters >= 3 && strncmp(candidate, s->word, (size_t)letters) == 0;
    if (begins && d > 1)
        d = 1;
    if (3 * d > (letters > 3 ? letters : 3) || (s->best != NULL && d >= s->distance))
        return;
    s->best = candidate;
    s->distance = d;
}
