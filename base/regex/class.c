/* class.c: the parts of a pattern that stand for one code point: escapes, bracketed classes, the
 * dot.
 *
 * Every set becomes a CLASS node in one normal form, whatever its spelling: ranges in order,
 * merged, without surrogates.  This file defines the sets of \d, \w and \s; properties come from
 * regex/unicode_properties.c. */
#include "base/regex/parser.h"
#include "base/utf8.h"

#include <string.h>

enum { FIND_PROPERTY = 20 }; /* steps of finding a property by name */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ECMA-262 22.2.2.9: with the u flag and without i, \w is ASCII. */
static const struct cupel__regex_range digits[] = {{'0', '9'}};
static const struct cupel__regex_range words[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};

/* WhiteSpace and LineTerminator (ECMA-262 12.2, 12.3). */
static const struct cupel__regex_range spaces[] = {
    {0x09, 0x0D},     {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
    {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};

static const struct cupel__regex_range line_ends[] = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};

/* -- Sets ------------------------------------------------------------------------------------ */

/* Appends a range to the set.  The bound on the ranges of a pattern bounds the work of all engines.
 */
static bool add_part(struct cupel__regex_parser *ps, uint32_t first, uint32_t last)
{
    enum { MOST = 1 << 15 }; /* \p{L} has about 700 */
    struct cupel__regex_set *set = &ps->set;
    if (++ps->work > MOST) {
        (void)cupel__regex_fail(ps, ps->p, "the classes have too many ranges");
        ps->status = CUPEL_E_PATTERN_SIZE;
        return false;
    }
    if (!cupel__regex_reserve(ps, (void **)&set->ranges, &set->cap, set->n, sizeof(*set->ranges)))
        return false;
    set->ranges[set->n++] = (struct cupel__regex_range){first, last};
    return true;
}

/* Adds the range without its surrogates. */
static bool add_range(struct cupel__regex_parser *ps, uint32_t first, uint32_t last)
{
    if (first < 0xD800 && !add_part(ps, first, last < 0xD800 ? last : 0xD7FF))
        return false;
    return last <= 0xDFFF || add_part(ps, first > 0xDFFF ? first : 0xE000, last);
}

/* Adds one of the lists above or its complement.  No list begins at U+0000, and no two of its
 * ranges touch, so no part of a complement is empty. */
static bool add_ranges(struct cupel__regex_parser *ps, const struct cupel__regex_range *ranges,
                       size_t n, bool complement)
{
    uint32_t after = 0; /* the first code point behind the previous range */
    for (size_t i = 0; i < n; i++) {
        uint32_t first = complement ? after : ranges[i].first;
        uint32_t last = complement ? ranges[i].first - 1 : ranges[i].last;
        if (!add_range(ps, first, last))
            return false;
        after = ranges[i].last + 1;
    }
    return !complement || add_range(ps, after, CUPEL__CP_MAX);
}

/* Adds the code points with a property, or with `complement` those without it. */
static bool add_prop(struct cupel__regex_parser *ps, struct cupel__regex_prop prop, bool complement)
{
    struct cupel__regex_prop_iter it;
    struct cupel__regex_range r;
    uint32_t after = 0;
    cupel__regex_prop_begin(&it, prop);
    while (cupel__regex_prop_next(&it, &r)) {
        bool ok = true;
        if (!complement)
            ok = add_range(ps, r.first, r.last);
        else if (r.first > after)
            ok = add_range(ps, after, r.first - 1);
        if (!ok)
            return false;
        after = r.last + 1;
    }
    return !complement || after > CUPEL__CP_MAX || add_range(ps, after, CUPEL__CP_MAX);
}

/* A step of heap sort: moves the range at i down to its place among the first n. */
static void sink(struct cupel__regex_range *r, size_t i, size_t n)
{
    struct cupel__regex_range x = r[i];
    for (size_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && r[child + 1].first > r[child].first)
            child++;
        if (r[child].first <= x.first)
            break;
        r[i] = r[child];
        i = child;
    }
    r[i] = x;
}

static bool is_sorted(const struct cupel__regex_range *r, size_t n)
{
    size_t i = 1;
    while (i < n && r[i - 1].first <= r[i].first)
        i++;
    return i >= n;
}

/* Heap sort: insertion sort would be quadratic in a hostile pattern, and qsort may allocate. */
void cupel__regex_sort(struct cupel__regex_range *r, size_t n)
{
    if (is_sorted(r, n))
        return;
    for (size_t i = n / 2; i-- > 0;)
        sink(r, i, n);
    for (size_t i = n; i-- > 1;) {
        struct cupel__regex_range last = r[i];
        r[i] = r[0];
        r[0] = last;
        sink(r, 0, i);
    }
}

/* Sorts and merges ranges; returns the new count.  Ranges on both sides of the surrogates are
 * adjacent. */
static uint32_t normalise(struct cupel__regex_range *r, uint32_t n)
{
    uint32_t kept = 0;
    cupel__regex_sort(r, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t next = kept == 0 ? 0 : r[kept - 1].last + 1;
        if (kept > 0 && (r[i].first <= next || (next == 0xD800 && r[i].first == 0xE000))) {
            if (r[i].last > r[kept - 1].last)
                r[kept - 1].last = r[i].last;
        } else {
            r[kept++] = r[i];
        }
    }
    return kept;
}

/* A copy of the ranges in the arena; NULL for none, or when out of memory. */
static struct cupel__regex_range *copy(struct cupel__regex_parser *ps,
                                       const struct cupel__regex_range *ranges, size_t n)
{
    if (n == 0)
        return NULL;
    struct cupel__regex_range *p = cupel__arena_array(ps->arena, n, sizeof(*p));
    if (p != NULL)
        memcpy(p, ranges, n * sizeof(*p));
    return p;
}

/* Makes a node of the set, which is empty afterwards. */
static struct cupel__regex_node *class_node(struct cupel__regex_parser *ps, bool negated)
{
    struct cupel__regex_set *set = &ps->set;
    struct cupel__regex_node *node = cupel__regex_node_new(ps, CUPEL__RE_CLASS);
    if (node == NULL)
        return NULL;
    node->negated = negated;
    node->nranges = normalise(set->ranges, set->n);
    node->ranges = copy(ps, set->ranges, node->nranges);
    set->n = 0;
    if (node->nranges > 0 && node->ranges == NULL) {
        cupel__regex_no_memory(ps);
        return NULL;
    }
    cupel__regex_list_add(&ps->leaves, node);
    return node;
}

struct cupel__regex_node *cupel__regex_char(struct cupel__regex_parser *ps, uint32_t cp)
{
    if (cp >= 0xD800 && cp <= 0xDFFF)
        return class_node(ps, false);
    struct cupel__regex_node *node = cupel__regex_node_new(ps, CUPEL__RE_CHAR);
    if (node != NULL) {
        node->cp = cp;
        cupel__regex_list_add(&ps->leaves, node);
    }
    return node;
}

struct cupel__regex_node *cupel__regex_dot(struct cupel__regex_parser *ps)
{
    return add_ranges(ps, line_ends, COUNT(line_ends), false) ? class_node(ps, true) : NULL;
}

/* -- Escapes that stand for one code point --------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads exactly n hex digits at p; leaves p unchanged if there are fewer. */
static bool hex(struct cupel__regex_parser *ps, size_t n, uint32_t *ret)
{
    uint32_t value = 0;
    if ((size_t)(ps->end - ps->p) < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        int digit = hex_digit(ps->p[i]);
        if (digit < 0)
            return false;
        value = value * 16 + (uint32_t)digit;
    }
    ps->p += n;
    *ret = value;
    return true;
}

/* The digits of \u{…}; p is behind the brace. */
static bool braced_hex(struct cupel__regex_parser *ps, uint32_t *ret)
{
    const char *start = ps->p;
    uint32_t value = 0;
    while (ps->p < ps->end && hex_digit(*ps->p) >= 0) {
        value = value * 16 + (uint32_t)hex_digit(*ps->p++);
        if (value > CUPEL__CP_MAX)
            return cupel__regex_fail(ps, start, "the code point is past U+10FFFF");
    }
    if (ps->p == start || ps->p == ps->end || *ps->p != '}')
        return cupel__regex_fail(ps, start, "\\u{ must be followed by hex digits and }");
    ps->p++;
    *ret = value;
    return true;
}

bool cupel__regex_unicode_escape(struct cupel__regex_parser *ps, uint32_t *ret_cp)
{
    uint32_t high, low;
    if (ps->p < ps->end && *ps->p == '{') {
        ps->p++;
        return braced_hex(ps, ret_cp);
    }
    if (!hex(ps, 4, &high))
        return cupel__regex_fail(ps, ps->p, "\\u must be followed by four hex digits or {");
    const char *mark = ps->p;
    if (high >= 0xD800 && high <= 0xDBFF && ps->end - ps->p >= 6 && mark[0] == '\\' &&
        mark[1] == 'u') {
        ps->p += 2;
        if (hex(ps, 4, &low) && low >= 0xDC00 && low <= 0xDFFF)
            high = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        else
            ps->p = mark;
    }
    *ret_cp = high;
    return true;
}

static bool is_digit(const struct cupel__regex_parser *ps)
{
    return ps->p < ps->end && *ps->p >= '0' && *ps->p <= '9';
}

/* \0, and in the lenient grammar the octal escapes of ECMA-262 B.1.2; p is at the first digit. */
static bool octal(struct cupel__regex_parser *ps, uint32_t *ret_cp)
{
    const char *start = ps->p;
    uint32_t value = (uint32_t)(*ps->p++ - '0');
    if (!ps->lenient && (value != 0 || is_digit(ps)))
        return cupel__regex_fail(ps, start, "not an escape: only \\0 without a digit after it is");
    bool more = value < 8;
    for (int i = 0; i < 2 && more && is_digit(ps) && *ps->p < '8' && value < 32; i++)
        value = value * 8 + (uint32_t)(*ps->p++ - '0');
    *ret_cp = more ? value : value + '0';
    return true;
}

/* An escape that stands for its own character.  The strict grammar allows syntax characters, the
 * lenient one everything without another meaning. */
static bool identity(struct cupel__regex_parser *ps, uint32_t *ret_cp)
{
    static const char syntax[] = "^$\\.*+?()[]{}|/";
    const char *start = ps->p;
    uint32_t cp;
    if (!cupel__regex_next(ps, &cp))
        return false;
    bool letter = (cp | 0x20) >= 'a' && (cp | 0x20) <= 'z';
    bool ok = cp != 0 && cp < 0x80 && strchr(syntax, (int)cp) != NULL;
    if (ps->lenient)
        ok = !letter || strchr("bBcdDkpPsSuwWx", (int)cp) == NULL;
    if (!ok)
        return cupel__regex_fail(ps, start, "not an escape of ECMA-262");
    *ret_cp = cp;
    return true;
}

/* \cX; p is behind the c. */
static bool control(struct cupel__regex_parser *ps, uint32_t *ret_cp)
{
    char letter = ps->p < ps->end ? (char)(*ps->p | 0x20) : '\0';
    if (letter < 'a' || letter > 'z')
        return cupel__regex_fail(ps, ps->p, "\\c must be followed by a letter");
    *ret_cp = (uint32_t)(*ps->p++ & 31);
    return true;
}

/* An escape of one letter with a fixed code point. */
static bool sign_escape(char c, bool in_class, uint32_t *ret_cp)
{
    static const char names[] = "fnrtvb-", values[] = "\f\n\r\t\v\b-";
    const char *at = c == '\0' ? NULL : strchr(names, c);
    if (at == NULL || ((c == 'b' || c == '-') && !in_class))
        return false;
    *ret_cp = (uint32_t)values[at - names];
    return true;
}

/* Any escape that stands for one code point; p is behind the backslash. */
static bool char_escape(struct cupel__regex_parser *ps, bool in_class, uint32_t *ret_cp)
{
    if (ps->p == ps->end)
        return cupel__regex_fail(ps, ps->p - 1, "a backslash ends the pattern");
    char c = *ps->p;
    if (sign_escape(c, in_class, ret_cp)) {
        ps->p++;
        return true;
    }
    if (is_digit(ps))
        return octal(ps, ret_cp);
    if (c != 'c' && c != 'x' && c != 'u')
        return identity(ps, ret_cp);
    ps->p++;
    if (c == 'c')
        return control(ps, ret_cp);
    if (c == 'u')
        return cupel__regex_unicode_escape(ps, ret_cp);
    return hex(ps, 2, ret_cp) ||
           cupel__regex_fail(ps, ps->p, "\\x must be followed by two hex digits");
}

/* -- Escapes that stand for a set ------------------------------------------------------------ */

static bool is_ascii_name(uint32_t cp, bool continues)
{
    bool letter = (cp | 0x20) >= 'a' && (cp | 0x20) <= 'z';
    return letter || cp == '$' || cp == '_' || (continues && cp >= '0' && cp <= '9');
}

/* Reads the letters, digits and underscores at p. */
static struct cupel__str property_word(struct cupel__regex_parser *ps)
{
    struct cupel__str word = {ps->p, 0};
    while (ps->p < ps->end && is_ascii_name((unsigned char)*ps->p, true) && *ps->p != '$')
        ps->p++;
    word.n = (size_t)(ps->p - word.p);
    return word;
}

/* {name} or {name=value} behind \p or \P. */
/* Reads the property of \p or \P and adds its set; nothing is added if only the syntax counts. */
static bool property(struct cupel__regex_parser *ps, bool negated)
{
    const char *start = ps->p;
    struct cupel__str name, value = {NULL, 0};
    struct cupel__regex_prop prop;
    if (ps->p == ps->end || *ps->p++ != '{')
        return cupel__regex_fail(ps, start, "\\p must be followed by {");
    name = property_word(ps);
    if (ps->p < ps->end && *ps->p == '=') {
        ps->p++;
        value = property_word(ps);
    }
    if (ps->p == ps->end || *ps->p != '}' || !cupel__regex_property(name, value, &prop))
        return cupel__regex_fail(ps, start, "not a Unicode property of ECMA-262");
    ps->p++;
    ps->work += FIND_PROPERTY;
    return ps->syntax || add_prop(ps, prop, negated);
}

static bool is_set_escape(const struct cupel__regex_parser *ps)
{
    return ps->p < ps->end && *ps->p != '\0' && strchr("dDsSwWpP", *ps->p) != NULL;
}

/* Adds the set of an escape such as \d, or its complement; p is at the letter. */
static bool add_escape(struct cupel__regex_parser *ps, bool complement)
{
    switch (*ps->p++ | 0x20) {
    case 'd':
        return add_ranges(ps, digits, COUNT(digits), complement);
    case 's':
        return add_ranges(ps, spaces, COUNT(spaces), complement);
    case 'w':
        return add_ranges(ps, words, COUNT(words), complement);
    }
    return property(ps, complement);
}

struct cupel__regex_node *cupel__regex_escape(struct cupel__regex_parser *ps)
{
    uint32_t cp;
    if (!is_set_escape(ps))
        return char_escape(ps, false, &cp) ? cupel__regex_char(ps, cp) : NULL;
    bool upper = *ps->p < 'a', prop = (*ps->p | 0x20) == 'p';
    if (!add_escape(ps, upper && prop))
        return NULL;
    return class_node(ps, upper && !prop);
}

/* -- Bracketed classes ----------------------------------------------------------------------- */

/* Reads an atom of a class.  It is a code point, or a set, which is added and sets *ret_set.  p is
 * not at the end. */
static bool class_atom(struct cupel__regex_parser *ps, uint32_t *ret_cp, bool *ret_set)
{
    *ret_set = false;
    if (*ps->p != '\\')
        return cupel__regex_next(ps, ret_cp);
    ps->p++;
    if (!is_set_escape(ps))
        return char_escape(ps, true, ret_cp);
    *ret_set = true;
    return add_escape(ps, *ps->p < 'a');
}

/* Reads an atom or a range.  The lenient grammar reads - beside a set as a character (B.1.2). */
static bool class_item(struct cupel__regex_parser *ps)
{
    const char *start = ps->p;
    uint32_t first = 0, last = 0;
    bool first_set, last_set;
    if (!class_atom(ps, &first, &first_set))
        return false;
    if (ps->end - ps->p < 2 || ps->p[0] != '-' || ps->p[1] == ']')
        return first_set || add_range(ps, first, first);
    ps->p++;
    if (!class_atom(ps, &last, &last_set))
        return false;
    if (first_set || last_set) {
        if (!ps->lenient)
            return cupel__regex_fail(ps, start, "a set cannot begin or end a range");
        return add_range(ps, '-', '-') && (first_set || add_range(ps, first, first)) &&
               (last_set || add_range(ps, last, last));
    }
    if (first > last)
        return cupel__regex_fail(ps, start, "the range is out of order");
    return add_range(ps, first, last);
}

struct cupel__regex_node *cupel__regex_class(struct cupel__regex_parser *ps)
{
    const char *start = ps->p - 1;
    bool negated = ps->p < ps->end && *ps->p == '^';
    ps->p += negated;
    while (ps->p < ps->end && *ps->p != ']') {
        if (!class_item(ps))
            return NULL;
    }
    if (ps->p == ps->end) {
        cupel__regex_fail(ps, start, "the class has no closing ]");
        return NULL;
    }
    ps->p++;
    return class_node(ps, negated);
}

/* -- Names of groups ------------------------------------------------------------------------- */

/* Loads the ranges of a property into `names`, for binary search. */
static bool load_names(struct cupel__regex_parser *ps, struct cupel__regex_set *names,
                       struct cupel__str property)
{
    struct cupel__regex_prop prop = {0};
    (void)cupel__regex_property(property, (struct cupel__str){NULL, 0}, &prop); /* always found */
    if (!add_prop(ps, prop, false))
        return false;
    names->n = ps->set.n;
    names->ranges = copy(ps, ps->set.ranges, ps->set.n);
    ps->set.n = 0;
    return names->ranges != NULL || cupel__regex_no_memory(ps);
}

bool cupel__regex_is_name_char(struct cupel__regex_parser *ps, uint32_t cp, bool continues)
{
    struct cupel__regex_set *names = &ps->name_chars[continues];
    if (cp < 0x80)
        return is_ascii_name(cp, continues);
    if (names->n == 0 && !load_names(ps, names, continues ? CUPEL__STR("IDC") : CUPEL__STR("IDS")))
        return false;
    uint32_t low = 0, high = names->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cp > names->ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < names->n && cp >= names->ranges[low].first;
}
