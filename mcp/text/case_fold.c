/* case_fold.c: comparison of names without regard to case, as the most lenient decoder might do it.
 *
 * Two names are equal here if any common definition of "equal without case" makes them so: simple
 * case folding of Unicode, equal upper case, or equal lower case.  A name is read as a sequence of
 * letters.  Each code point is replaced by the representative of its equivalence class, or by two
 * or three letters where its upper case is that long (the tables of case_fold_data.h, printed by
 * scripts/fold_tables.js).  U+0130 has two lower cases, i and i followed by U+0307 (combining dot
 * above), so a U+0307 that follows an i is dropped. */
#include "mcp/text/case_fold.h"

#include <cupel/protocol.h>

/* Code points first, first + step, … last, whose representative is `difference` away. */
struct fold_run {
    uint32_t first, last;
    uint16_t step;
    int32_t difference;
};

/* A code point that folds to several letters. */
struct fold_expansion {
    uint32_t point;
    uint32_t letters[3]; /* 0: no more */
};

#include "mcp/text/case_fold_data.h"

enum { DOT_ABOVE = 0x307, NOT_UTF_8 = 0x110000 };

/* -- Code points ------------------------------------------------------------------------------ */

/* Returns the length of a UTF-8 sequence by its first byte, or 0 if no sequence begins with it. */
static unsigned sequence_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Decodes the next code point.  The names of a document are valid UTF-8; other callers may pass any
 * bytes, and each byte that is not UTF-8 counts as a letter of its own. */
static uint32_t next_point(struct cupel__fold *fold)
{
    unsigned char first = (unsigned char)*fold->at++;
    unsigned len = sequence_length(first);
    if (len == 1)
        return first;
    if (len == 0 || (size_t)(fold->end - fold->at) < len - 1)
        return NOT_UTF_8 + first;
    uint32_t point = first & (0x7fu >> len);
    for (unsigned i = 0; i + 1 < len; i++)
        point = point << 6 | ((unsigned char)fold->at[i] & 0x3f);
    fold->at += len - 1;
    return point;
}

/* Returns the representative of a code point: a binary search over the runs. */
static uint32_t letter_of(uint32_t point)
{
    size_t low = 0, high = sizeof(fold_runs) / sizeof(fold_runs[0]);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct fold_run *run = &fold_runs[middle];
        if (point > run->last)
            low = middle + 1;
        else if (point < run->first)
            high = middle;
        else
            return (point - run->first) % run->step == 0 ? point + (uint32_t)run->difference
                                                         : point;
    }
    return point;
}

/* Returns the expansion of a code point, or NULL if it folds to one letter. */
static const struct fold_expansion *expansion_of(uint32_t point)
{
    size_t low = 0, high = sizeof(fold_expansions) / sizeof(fold_expansions[0]);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fold_expansions[middle].point < point)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < sizeof(fold_expansions) / sizeof(fold_expansions[0]) &&
                 fold_expansions[low].point == point;
    return found ? &fold_expansions[low] : NULL;
}

/* -- Letters ---------------------------------------------------------------------------------- */

/* Returns the first letter of a code point and queues the others in fold->pending. */
static uint32_t fold_point(struct cupel__fold *fold, uint32_t point)
{
    if (point < 0x80)
        return point >= 'A' && point <= 'Z' ? point | 0x20 : point;
    const struct fold_expansion *expansion = expansion_of(point);
    if (expansion == NULL)
        return letter_of(point);
    fold->pending[0] = expansion->letters[1];
    fold->pending[1] = expansion->letters[2];
    return expansion->letters[0];
}

uint32_t cupel__fold_next(struct cupel__fold *fold)
{
    uint32_t before = fold->last;
    if (fold->pending[0] != 0) {
        fold->last = fold->pending[0];
        fold->pending[0] = fold->pending[1];
        fold->pending[1] = 0;
        return fold->last;
    }
    do {
        if (fold->at == fold->end)
            return CUPEL__FOLD_END;
        fold->last = fold_point(fold, next_point(fold));
    } while (fold->last == DOT_ABOVE && before == 'i');
    return fold->last;
}

/* FNV-1a over the letters. */
uint32_t cupel__fold_hash(const char *name, size_t len)
{
    struct cupel__fold fold = cupel__fold_of(name, len);
    uint32_t hash = 2166136261u;
    for (uint32_t letter; (letter = cupel__fold_next(&fold)) != CUPEL__FOLD_END;)
        hash = (hash ^ letter) * 16777619u;
    return hash;
}

int cupel_names_fold_equal(const char *a, size_t a_len, const char *b, size_t b_len)
{
    if ((a == NULL && a_len > 0) || (b == NULL && b_len > 0))
        return 0;
    struct cupel__fold x = cupel__fold_of(a, a_len), y = cupel__fold_of(b, b_len);
    uint32_t letter;
    do {
        letter = cupel__fold_next(&x);
        if (letter != cupel__fold_next(&y))
            return 0;
    } while (letter != CUPEL__FOLD_END);
    return 1;
}
