/* simple_match.c: matches simple patterns (regex/simple_compile.c), each kind with a loop of its
 * own.
 *
 * A class is a bit in a table of all bytes.  The loop for fixed rows reads ASCII only and has no
 * branch that depends on a byte; a subject with other code points goes to the loop for templates.
 * docs/regex.md has the measured gain over automata. */
#include "base/regex/automata_program.h"

#include <string.h>

typedef const unsigned char *bytes;

/* -- Literals -------------------------------------------------------------------------------- */

/* A literal anywhere: memchr finds its first byte.  Comparisons after a false start are charged. */
static bool find_literal(const char *p, size_t n, const char *needle, size_t size, int64_t *steps)
{
    const char *end = p + n;
    while ((size_t)(end - p) >= size) {
        p = memchr(p, needle[0], (size_t)(end - p) - size + 1);
        if (p == NULL)
            return false;
        if (memcmp(p, needle, size) == 0)
            return true;
        *steps -= 1 + (int64_t)(size / 64);
        p++;
    }
    return false;
}

static bool run_literal(const uint32_t *data, const char *p, size_t n, int64_t *steps)
{
    size_t size = data[1];
    const char *needle = (const char *)(data + 2);
    if (n < size)
        return false;
    switch (data[0]) {
    case CUPEL__AT_START | CUPEL__AT_END:
        return n == size && memcmp(p, needle, size) == 0;
    case CUPEL__AT_START:
        return memcmp(p, needle, size) == 0;
    case CUPEL__AT_END:
        return memcmp(p + n - size, needle, size) == 0;
    }
    return find_literal(p, n, needle, size, steps);
}

/* Binary search; the words are sorted by length, then by bytes. */
static bool run_words(const uint32_t *data, const char *p, size_t n)
{
    const uint32_t *at = data + 1;
    uint32_t low = 0, high = data[0];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const uint32_t *word = data + at[middle];
        int order = n == word[0] ? memcmp(p, word + 1, n) : n < word[0] ? -1 : 1;
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* -- Templates ------------------------------------------------------------------------------- */

/* The length of the code point at p, which is beyond ASCII, if the class has it, else 0.  The table
 * of bytes has its first byte. */
static size_t rare_length(const struct cupel__template *t, uint32_t class, bytes p)
{
    size_t n;
    uint32_t cp = cupel__decode(p, &n), nranges = t->class[class].nranges;
    const uint32_t *ranges = (const uint32_t *)t + t->class[class].at;
    return nranges == 0 || cupel__in_ranges(ranges, nranges, cp) ? n : 0;
}

static const struct cupel__template_item *items(const struct cupel__template *t)
{
    return (const struct cupel__template_item *)(t + 1);
}

/* Reads a class as often as possible, up to max times; NULL if that is less than min times.  The
 * rest of the template begins with other code points, so reading fewer cannot help. */
static bytes run_item(const struct cupel__template *t, struct cupel__template_item item, bytes p,
                      bytes end)
{
    bytes member = (bytes)t->bytes;
    unsigned bit = 1u << item.class;
    uint32_t n = 0;
    for (; n < item.max && p < end && (member[*p] & bit) != 0; n++) {
        size_t length = *p < 0x80 ? 1 : rare_length(t, item.class, p);
        if (length == 0)
            break;
        p += length;
    }
    return n < item.min ? NULL : p;
}

/* Reads the items of a template one after the other. */
static bool run_template(const struct cupel__template *t, bytes p, bytes end)
{
    const struct cupel__template_item *item = items(t);
    for (uint32_t i = 0; i < t->nitems && p != NULL; i++)
        p = run_item(t, item[i], p, end);
    return p != NULL && ((t->flags & CUPEL__AT_END) == 0 || p == end);
}

static inline unsigned any_absent(bytes absent, bytes p)
{
    return absent[p[0]] | absent[p[1]] | absent[p[2]] | absent[p[3]];
}

/* Whether all bytes are ASCII characters of the class with this bit.  Reads some bytes twice, so
 * that short strings of different lengths take the same branches. */
static bool all_of_class(bytes absent, unsigned bit, bytes p, size_t n)
{
    unsigned any = 0;
    if (n >= 4) {
        any = any_absent(absent, p) | any_absent(absent, p + n - 4);
        for (size_t i = 4; i + 4 < n; i += 4)
            any |= any_absent(absent, p + i);
    } else if (n > 0) {
        any = absent[p[0]] | absent[p[n / 2]] | absent[p[n - 1]];
    }
    return (any & bit) == 0;
}

/* Whether each byte is an ASCII character of the class at its position. */
static bool are_wanted(bytes absent, bytes wanted, bytes p, size_t n)
{
    unsigned any = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        any |= (absent[p[i]] & wanted[i]) | (absent[p[i + 1]] & wanted[i + 1]) |
               (absent[p[i + 2]] & wanted[i + 2]) | (absent[p[i + 3]] & wanted[i + 3]);
    for (; i < n; i++)
        any |= absent[p[i]] & wanted[i];
    return any == 0;
}

/* A fixed row: compares the fixed positions, then the tail.  Only a subject with code points beyond
 * ASCII can fail here and match as a template. */
static bool run_fixed(const struct cupel__template *t, bytes p, size_t n)
{
    bytes absent = (bytes)((const uint32_t *)t + t->absent);
    bytes wanted = (bytes)((const uint32_t *)t + t->wanted);
    size_t rest = n - t->length;
    if (n < t->length || rest < t->min)
        return false; /* a code point has at least a byte */
    if ((t->flags & CUPEL__AT_END) == 0)
        rest = t->min;
    if (rest <= t->max && are_wanted(absent, wanted, p, t->length) &&
        all_of_class(absent, t->tail, p + t->length, rest))
        return true;
    return !t->is_ascii && run_template(t, p, p + n);
}

/* One code point of a class, anywhere. */
static bool run_find(const struct cupel__template *t, bytes p, bytes end)
{
    bytes member = (bytes)t->bytes;
    for (; p < end; p++) {
        if ((member[*p] & 1) != 0 && (*p < 0x80 || rare_length(t, 0, p) > 0))
            return true;
    }
    return false;
}

static bool run_simple(const uint32_t *words, const char *p, size_t n, int64_t *steps)
{
    const uint32_t *data = words + CUPEL__HEAD_WORDS;
    const struct cupel__template *t = (const struct cupel__template *)data;
    switch (words[CUPEL__HEAD_SIMPLE]) {
    case CUPEL__SIMPLE_LITERAL:
        return run_literal(data, p, n, steps);
    case CUPEL__SIMPLE_WORDS:
        return run_words(data, p, n);
    case CUPEL__SIMPLE_FIXED:
        return run_fixed(t, (bytes)p, n);
    case CUPEL__SIMPLE_TEMPLATE:
        return run_template(t, (bytes)p, (bytes)p + n);
    case CUPEL__SIMPLE_FIND:
        return run_find(t, (bytes)p, (bytes)p + n);
    }
    return true;
}

int cupel__linear_run(const uint32_t *words, struct cupel__linear_scratch *s, const char *subject,
                      size_t len, int64_t *steps)
{
    const char *text = len == 0 ? "" : subject;
    if (words[CUPEL__HEAD_SIMPLE] == CUPEL__SIMPLE_NONE)
        return cupel__automata_run(words, s, text, len, steps);
    *steps -= 1 + (int64_t)(len / 4);
    if (*steps < 0)
        return CUPEL_E_LIMIT_STEPS;
    bool found = run_simple(words, text, len, steps);
    return *steps < 0 ? CUPEL_E_LIMIT_STEPS : found;
}
