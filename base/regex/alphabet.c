/* alphabet.c: the symbols of a pattern: classes of code points that its automata need not
 * distinguish.
 *
 * The ends of all ranges in the pattern cut the code points into pieces.  Pieces that are in the
 * same leaves of the tree form one symbol.  A property with hundreds of ranges is often one symbol,
 * which an automaton reads with one state; to read the bytes of its UTF-8 it would need hundreds.
 *
 * The symbols are found by partition refinement: all pieces begin as one symbol, and each leaf
 * splits every symbol of which it has some pieces but not all. */
#include "base/regex/automata_program.h"

#include "base/regex/parser.h"

#include <string.h>

enum { MAX_WORK = 200 * 1000, PIECE = 8 }; /* the most visits of pieces; steps for each */

static const struct cupel__regex_range word_ranges[] = {
    {'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};

struct alphabet {
    struct cupel_alloc alloc;
    const struct cupel__regex *re;
    struct cupel__regex_range *pieces; /* `first`: its first code point; `last`: its symbol */
    uint32_t npieces, cap;
    uint32_t nsymbols, work;
    /* For each symbol while a leaf splits it: all its pieces, those in the leaf, the symbol of
     * those. */
    uint32_t size[CUPEL__LINEAR_MAX_SYMBOLS], inside[CUPEL__LINEAR_MAX_SYMBOLS];
    uint32_t other[CUPEL__LINEAR_MAX_SYMBOLS];
};

/* The ranges of a leaf.  Its negation is ignored, because it has the same ends. */
static uint32_t leaf_ranges(const struct cupel__regex_node *leaf, struct cupel__regex_range *one,
                            const struct cupel__regex_range **ret)
{
    if (leaf->kind == CUPEL__RE_CLASS) {
        *ret = leaf->ranges;
        return leaf->nranges;
    }
    *one = (struct cupel__regex_range){leaf->cp, leaf->cp};
    *ret = one;
    return 1;
}

/* -- Pieces ---------------------------------------------------------------------------------- */

/* Adds the ends of ranges, at which pieces begin. */
static void cut(struct alphabet *a, const struct cupel__regex_range *ranges, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        a->pieces[a->npieces++].first = ranges[i].first;
        a->pieces[a->npieces++].first = ranges[i].last + 1;
    }
}

/* An upper bound of the number of pieces, or 0 if there are too many. */
static uint32_t count_ends(const struct cupel__regex *re)
{
    uint64_t n = 2 + 2 * 4; /* 0, 0x80, and words */
    for (const struct cupel__regex_node *leaf = re->leaves; leaf != NULL; leaf = leaf->next)
        n += leaf->kind == CUPEL__RE_CLASS ? 2 * (uint64_t)leaf->nranges : 2;
    return n < MAX_WORK ? (uint32_t)n : 0;
}

/* Sorts the beginnings and removes duplicates. */
static void sort_pieces(struct alphabet *a)
{
    uint32_t n = 0;
    cupel__regex_sort(a->pieces, a->npieces);
    for (uint32_t i = 0; i < a->npieces; i++) {
        uint32_t first = a->pieces[i].first;
        if (first <= CUPEL__CP_MAX && (n == 0 || a->pieces[n - 1].first != first))
            a->pieces[n++] = (struct cupel__regex_range){first, 0};
    }
    a->npieces = n;
}

/* Makes the pieces, all of symbol 0.  One piece begins at U+0080, so that ASCII has whole pieces.
 */
static enum cupel_status make_pieces(struct alphabet *a)
{
    struct cupel__regex_range one;
    const struct cupel__regex_range *ranges;
    a->cap = count_ends(a->re);
    if (a->cap == 0)
        return CUPEL_E_UNSUPPORTED;
    a->pieces = cupel__realloc(&a->alloc, NULL, 0, a->cap * sizeof *a->pieces);
    if (a->pieces == NULL)
        return CUPEL_E_NO_MEMORY;
    a->pieces[a->npieces++].first = 0;
    a->pieces[a->npieces++].first = 0x80;
    if (a->re->has_word)
        cut(a, word_ranges, 4);
    for (const struct cupel__regex_node *leaf = a->re->leaves; leaf != NULL; leaf = leaf->next) {
        uint32_t n = leaf_ranges(leaf, &one, &ranges);
        cut(a, ranges, n);
    }
    sort_pieces(a);
    a->nsymbols = 1;
    a->size[0] = a->npieces;
    return CUPEL_OK;
}

/* The index, at or after `low`, of the piece that begins at a code point.  It exists.  Galloping
 * search: the piece is often near `low`. */
static uint32_t piece_at(const struct alphabet *a, uint32_t low, uint32_t first)
{
    uint32_t step = 1, high = low;
    for (; high < a->npieces && a->pieces[high].first < first; step *= 2) {
        low = high + 1;
        high = step < a->npieces - high ? high + step : a->npieces;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->pieces[middle].first < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* -- Symbols --------------------------------------------------------------------------------- */

/* Counts the pieces in the ranges for each symbol.  The first pass resets the counters, so that the
 * work does not depend on the number of symbols. */
static void count_inside(struct alphabet *a, const struct cupel__regex_range *ranges, uint32_t n)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0, k = 0; i < n; i++) {
            k = piece_at(a, k, ranges[i].first);
            for (; k < a->npieces && a->pieces[k].first <= ranges[i].last; k++, a->work++) {
                uint32_t symbol = a->pieces[k].last;
                a->inside[symbol] = pass == 0 ? 0 : a->inside[symbol] + 1;
                a->other[symbol] = symbol;
            }
        }
    }
}

/* Makes a new symbol for the pieces inside, unless all pieces of the symbol are inside or it was
 * made already. */
static bool part_symbol(struct alphabet *a, uint32_t symbol)
{
    uint32_t inside = a->inside[symbol];
    if (inside == a->size[symbol] || a->other[symbol] != symbol)
        return true;
    if (a->nsymbols == CUPEL__LINEAR_MAX_SYMBOLS)
        return false;
    a->other[symbol] = a->nsymbols;
    a->size[symbol] -= inside;
    a->size[a->nsymbols++] = inside;
    return true;
}

/* Splits each symbol into its pieces inside and outside the ranges. */
static bool part(struct alphabet *a, const struct cupel__regex_range *ranges, uint32_t n)
{
    count_inside(a, ranges, n);
    for (uint32_t i = 0, k = 0; i < n; i++) {
        k = piece_at(a, k, ranges[i].first);
        for (; k < a->npieces && a->pieces[k].first <= ranges[i].last; k++) {
            if (!part_symbol(a, a->pieces[k].last))
                return false;
            a->pieces[k].last = a->other[a->pieces[k].last];
        }
    }
    return a->work < MAX_WORK;
}

/* Numbers the symbols in the order of their first code points, so that those of ASCII fit a byte.
 */
static void renumber(struct alphabet *a)
{
    memset(a->other, 0xFF, a->nsymbols * sizeof *a->other);
    for (uint32_t k = 0, n = 0; k < a->npieces; k++) {
        uint32_t *symbol = &a->pieces[k].last;
        if (a->other[*symbol] == UINT32_MAX)
            a->other[*symbol] = n++;
        *symbol = a->other[*symbol];
    }
}

static enum cupel_status find_symbols(struct alphabet *a)
{
    struct cupel__regex_range one;
    const struct cupel__regex_range *ranges;
    bool ok = true;
    if (a->re->has_word)
        (void)part(a, word_ranges, 4); /* cannot fail: makes a second symbol */
    for (const struct cupel__regex_node *leaf = a->re->leaves; ok && leaf != NULL;
         leaf = leaf->next) {
        uint32_t n = leaf_ranges(leaf, &one, &ranges);
        ok = part(a, ranges, n);
    }
    renumber(a);
    return ok ? CUPEL_OK : CUPEL_E_UNSUPPORTED;
}

/* -- Words ----------------------------------------------------------------------------------- */

/* Appends the map of ASCII and the runs beyond it. */
static void write_map(const struct alphabet *a, struct cupel__words *w)
{
    unsigned char map[256];
    uint32_t k = 0, n = 0;
    memset(map, CUPEL__RARE, sizeof map);
    for (uint32_t cp = 0; cp < 0x80; cp++) {
        k += a->pieces[k + 1].first == cp; /* a piece begins at 0x80 */
        map[cp] = (unsigned char)a->pieces[k].last;
    }
    uint32_t at = cupel__words_add(w, map, sizeof map / 4);
    uint32_t ranges = at + (uint32_t)sizeof map / 4;
    for (k++; k < a->npieces; k++, n++)
        (void)cupel__words_add(w, &a->pieces[k], 2);
    if (w->failed)
        return;
    w->p[CUPEL__HEAD_MAP] = at;
    w->p[CUPEL__HEAD_RANGES] = ranges;
    w->p[CUPEL__HEAD_NRANGES] = n;
    w->p[CUPEL__HEAD_NSYMBOLS] = a->nsymbols;
}

/* Adds the symbols of ranges to a set. */
static void set_of(const struct alphabet *a, const struct cupel__regex_range *ranges, uint32_t n,
                   uint32_t *set)
{
    for (uint32_t i = 0, k = 0; i < n; i++) {
        k = piece_at(a, k, ranges[i].first);
        for (; k < a->npieces && a->pieces[k].first <= ranges[i].last; k++) {
            uint32_t symbol = a->pieces[k].last;
            set[symbol / 32] |= UINT32_C(1) << (symbol % 32);
        }
    }
}

/* The index of a set, appended if it is new; MAX_SETS if there are too many. */
static uint32_t find_set(struct cupel__words *w, uint32_t *nsets, const uint32_t *set,
                         uint32_t size)
{
    const uint32_t *sets = w->p + w->p[CUPEL__HEAD_SETS];
    uint32_t i = 0;
    while (i < *nsets && memcmp(sets + (size_t)i * size, set, size * sizeof *set) != 0)
        i++;
    if (i == *nsets && i < CUPEL__LINEAR_MAX_SETS) {
        (void)cupel__words_add(w, set, size);
        (*nsets)++;
    }
    return i;
}

/* The operation of a state that reads a set: ONE, SET or ANY.  False if there are too many sets. */
static bool op_of(struct cupel__words *w, uint32_t *nsets, const uint32_t *set, uint32_t nsymbols,
                  uint32_t *ret)
{
    uint32_t count = 0, last = 0, size = (nsymbols + 31) / 32;
    for (uint32_t i = 0; i < size; i++) {
        count += cupel__count_bits(set[i]);
        if (set[i] != 0)
            last = 32 * i + 31 - (uint32_t)__builtin_clz(set[i]);
    }
    *ret = count == 1 ? CUPEL__STATE_ONE | last << 8 : CUPEL__STATE_ANY;
    if (count == 1 || count == nsymbols)
        return true;
    uint32_t i = find_set(w, nsets, set, size);
    *ret = CUPEL__STATE_SET | i << 8;
    return i < CUPEL__LINEAR_MAX_SETS;
}

static void negate(uint32_t *set, uint32_t nsymbols)
{
    for (uint32_t i = 0; i < nsymbols; i++)
        set[i / 32] ^= UINT32_C(1) << (i % 32);
}

/* Appends the set of \w, which \b needs, and the sets of all leaves. */
static enum cupel_status write_sets(const struct alphabet *a, struct cupel__words *w)
{
    uint32_t set[(CUPEL__LINEAR_MAX_SYMBOLS + 31) / 32] = {0}, nsets = 1;
    uint32_t size = (a->nsymbols + 31) / 32;
    struct cupel__regex_range one;
    const struct cupel__regex_range *ranges;
    if (a->re->has_word)
        set_of(a, word_ranges, 4, set);
    uint32_t at = cupel__words_add(w, set, size);
    if (!w->failed)
        w->p[CUPEL__HEAD_SETS] = at;
    for (struct cupel__regex_node *leaf = a->re->leaves; leaf != NULL && !w->failed;
         leaf = leaf->next) {
        uint32_t n = leaf_ranges(leaf, &one, &ranges);
        memset(set, 0, size * sizeof *set);
        set_of(a, ranges, n, set);
        if (leaf->negated)
            negate(set, a->nsymbols);
        if (!op_of(w, &nsets, set, a->nsymbols, &leaf->symbols))
            return CUPEL_E_UNSUPPORTED;
    }
    return w->failed ? CUPEL_E_NO_MEMORY : CUPEL_OK;
}

enum cupel_status cupel__symbols_compile(struct cupel__words *w, const struct cupel__regex *re,
                                         int64_t *work)
{
    struct alphabet *a = cupel__realloc(w->alloc, NULL, 0, sizeof *a);
    if (a == NULL)
        return CUPEL_E_NO_MEMORY;
    memset(a, 0, offsetof(struct alphabet, size)); /* the arrays are initialised per symbol */
    a->alloc = *w->alloc;
    a->re = re;
    enum cupel_status status = make_pieces(a);
    if (status == CUPEL_OK)
        status = find_symbols(a);
    if (status == CUPEL_OK) {
        write_map(a, w);
        status = w->failed ? CUPEL_E_NO_MEMORY : write_sets(a, w);
    }
    *work -= PIECE * ((int64_t)a->npieces + a->work);
    struct cupel_alloc alloc = a->alloc;
    cupel__free(&alloc, a->pieces, a->cap * sizeof *a->pieces);
    cupel__free(&alloc, a, sizeof *a);
    return status;
}

uint32_t cupel__symbol(const uint32_t *words, uint32_t cp)
{
    const uint32_t *range = words + words[CUPEL__HEAD_RANGES];
    uint32_t n = words[CUPEL__HEAD_NRANGES];
    while (n > 1) {
        uint32_t half = n / 2;
        range = cp >= range[2 * half] ? range + 2 * half : range;
        n -= half;
    }
    return range[1];
}
