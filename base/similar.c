/* similar.c: the distance of two names (similar.h).
 *
 * Names are folded first (case and separators, which spelling habits change), then compared by
 * restricted Damerau-Levenshtein distance.  A cheap lower bound rejects most pairs before the table
 * of the distance is filled. */
#include "base/similar.h"
#include <string.h>

/* Longer names are compared by their first MAX_NAME characters among the first MAX_BYTES bytes. */
enum { MAX_NAME = 48, MAX_BYTES = 96 };

struct folded {
    char s[MAX_NAME];
    int n;
    uint32_t letters; /* bit i: a character of the name is i modulo 32 */
};

/* The name in lower case without separators. */
static struct folded fold(struct cupel__str s)
{
    struct folded f;
    f.n = 0;
    f.letters = 0;
    for (size_t i = 0; i < s.n && i < MAX_BYTES && f.n < MAX_NAME; i++) {
        char c = s.p[i];
        if (c == '_' || c == '-' || c == ' ' || c == '.')
            continue;
        c = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        f.letters |= UINT32_C(1) << (c & 31);
        f.s[f.n++] = c;
    }
    return f;
}

static int shorter(struct cupel__str s)
{
    return s.n < MAX_NAME ? (int)s.n : MAX_NAME;
}

int cupel__similar_steps(struct cupel__str a, struct cupel__str b)
{
    enum { STEPS = 8, CELLS_A_STEP = 4 };
    return STEPS + shorter(a) * shorter(b) / CELLS_A_STEP;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

/* The least number of insertions, deletions, substitutions and swaps of neighbours from a to b.
 * Three rows of the table suffice: a swap looks two rows back. */
static int edits(const struct folded *a, const struct folded *b)
{
    int row[3][MAX_NAME + 1];
    for (int j = 0; j <= b->n; j++)
        row[0][j] = row[1][j] = j;
    for (int i = 1; i <= a->n; i++) {
        int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= b->n; j++) {
            int same = a->s[i - 1] == b->s[j - 1];
            now[j] = min(min(up[j], now[j - 1]) + 1, up[j - 1] + !same);
            if (i > 1 && j > 1 && a->s[i - 1] == b->s[j - 2] && a->s[i - 2] == b->s[j - 1])
                now[j] = min(now[j], up2[j - 2] + 1);
        }
    }
    return row[a->n % 3][b->n];
}

/* Whether one name begins or ends with another of three characters or more. */
static bool is_part(const struct folded *part, const struct folded *whole)
{
    if (part->n < 3 || part->n >= whole->n)
        return false;
    return memcmp(whole->s, part->s, (size_t)part->n) == 0 ||
           memcmp(whole->s + whole->n - part->n, part->s, (size_t)part->n) == 0;
}

static int popcount(uint32_t x)
{
    int n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

/* A lower bound of edits(): an edit changes the length by at most one, and removes and adds at most
 * one letter each. */
static int fewest_edits(const struct folded *a, const struct folded *b)
{
    int by_length = a->n > b->n ? a->n - b->n : b->n - a->n;
    int by_letters = (popcount(a->letters ^ b->letters) + 1) / 2;
    return by_length > by_letters ? by_length : by_letters;
}

/* Returns the distance that similar.h defines.  One edit is allowed in names of two characters and
 * more if the lengths agree; otherwise an edit for every three characters. */
int cupel__similar(struct cupel__str x, struct cupel__str y)
{
    if (cupel__str_eq(x, y))
        return 0;
    struct folded a = fold(x), b = fold(y);
    if (a.n == 0 || b.n == 0)
        return CUPEL__NOT_SIMILAR;
    bool part = is_part(&a, &b) || is_part(&b, &a);
    int longest = a.n > b.n ? a.n : b.n, least = fewest_edits(&a, &b);
    if (!part && least > 1 && 3 * least > longest)
        return CUPEL__NOT_SIMILAR;
    int n = edits(&a, &b);
    bool plural = n == 1 && a.n != b.n && a.s[a.n - 1] != b.s[b.n - 1] &&
                  (a.s[a.n - 1] == 's' || b.s[b.n - 1] == 's');
    if (n == 0 || plural || 3 * n <= longest || (n == 1 && a.n == b.n && longest > 1))
        return 1 + n;
    return part ? MAX_NAME + n : CUPEL__NOT_SIMILAR;
}
