/* hidden.c: finds text that hides something from its reader: controls, invisible characters, tags,
 * odd white space, comments, misleading links (cupel/checks.h lists the kinds).
 *
 * One pass from left to right.  The same character is ordinary in one context and suspicious in
 * another, so the scan keeps the two code points before the current one and decodes the one after
 * it: U+200D joins parts of an emoji, and hides between Latin letters.  The tables of
 * hidden_data.h (printed by scripts/hidden_tables.py from Unicode's data) say which contexts are
 * ordinary.  The search stops at its first finding and takes time linear in the text: even a text
 * of nothing but beginnings of links looks at each byte at most three times. */
#include "mcp/text/hidden.h"

#include "mcp/text/hidden_data.h"

#include <cupel/checks.h>
#include <stdbool.h>
#include <string.h>

/* -- Code points ------------------------------------------------------------------------------ */

enum { END = 0x110000, BROKEN = 0x110001 }; /* no code points */

uint32_t cupel__code_point(const char *bytes, size_t len, size_t *ret_len)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)bytes;
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    uint32_t c = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    *ret_len = 1;
    if (n == 0 || n > len || p[0] > 0xf4)
        return BROKEN;
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return BROKEN;
        c = c << 6 | (p[i] & 0x3fu);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return BROKEN;
    *ret_len = n;
    return c;
}

/* Whether a sorted table of ranges has the code point: a binary search. */
#define IS_IN(table, c) is_in(table, sizeof(table) / sizeof((table)[0]), c)

static bool is_in(const uint32_t (*table)[2], size_t count, uint32_t c)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c > table[middle][1])
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && c >= table[low][0];
}

static bool is_between(uint32_t c, uint32_t from, uint32_t to)
{
    return c >= from && c <= to;
}

static bool is_braille(uint32_t c)
{
    return is_between(c, 0x2801, 0x28ff);
}

static bool is_mongolian(uint32_t c)
{
    return is_between(c, 0x1807, 0x18aa) && !is_between(c, 0x180b, 0x180f);
}

/* -- The scan --------------------------------------------------------------------------------- */

struct scan {
    const char *text;
    size_t len, at, next; /* the offsets of the current code point and of the next */
    uint32_t c;
    uint32_t before, earlier; /* the previous code point and the one before it; END: none */
    uint32_t mark;            /* the last nonspacing mark */
    uint32_t marks;           /* nonspacing marks in a row */
    bool name;
};

/* Returns the code point after the current one, or END. */
static uint32_t following(const struct scan *s)
{
    size_t n;
    return s->next < s->len ? cupel__code_point(s->text + s->next, s->len - s->next, &n) : END;
}

/* Whether U+200C or U+200D is ordinary here: after a virama, between letters of scripts that need
 * joiners, and (U+200D) between parts of an emoji. */
static bool is_joiner_right(const struct scan *s)
{
    uint32_t after = following(s);
    if (IS_IN(viramas, s->before) || (IS_IN(joining, s->before) && IS_IN(joining, after)))
        return true;
    uint32_t part = is_between(s->before, 0xfe0e, 0xfe0f) ? s->earlier : s->before;
    return s->c == 0x200d && IS_IN(pictures, part) && IS_IN(pictures, after);
}

/* Whether the variation selector follows a base for which Unicode standardizes a sequence. */
static bool is_selector_right(const struct scan *s)
{
    if (s->before == END)
        return false;
    if (is_between(s->c, 0xe0100, 0xe01ef))
        return IS_IN(han, s->before);
    if (is_between(s->c, 0xfe0e, 0xfe0f))
        return IS_IN(picture_variants, s->before);
    if (is_between(s->c, 0xfe00, 0xfe0d))
        return IS_IN(text_variants, s->before) || IS_IN(han, s->before);
    return is_mongolian(s->before);
}

/* Returns the length of a flag's tag sequence after U+1F3F4, or 0.  The flags of England, Scotland
 * and Wales are a black flag, the letters of the region as tag characters, and a cancel tag; no
 * other tag sequence is in use. */
static size_t flag_length(const struct scan *s)
{
    static const char *const regions[] = {"gbeng", "gbsct", "gbwls"};
    for (size_t i = 0; s->c == 0x1f3f4 && i < sizeof(regions) / sizeof(regions[0]); i++) {
        size_t at = s->next, n = 0, k = 0;
        for (; k < 6 && at < s->len; k++, at += n) {
            uint32_t want = k < 5 ? 0xe0000u + (unsigned char)regions[i][k] : 0xe007f;
            if (cupel__code_point(s->text + at, s->len - at, &n) != want)
                break;
        }
        if (k == 6)
            return at - s->next;
    }
    return 0;
}

/* Whether white space is suspicious.  The list `never` always is.  In names, narrow spaces, U+00A0
 * and U+3000 are too.  In texts a narrow space is suspicious only behind another one: a single one
 * is usual in numbers and before punctuation.  The Ogham space is suspicious unless it stands
 * beside an Ogham letter. */
static bool is_suspicious_space(const struct scan *s)
{
    static const uint32_t never[][2] = {
        {0x2000, 0x2006}, {0x2008, 0x2008}, {0x2028, 0x2029}, {0x205f, 0x205f}};
    static const uint32_t narrow[][2] = {{0x2000, 0x200a}, {0x202f, 0x202f}, {0x205f, 0x205f}};
    if (s->c == 0x1680) /* the Ogham space, which shows as a line */
        return !is_between(s->before, 0x1681, 0x169c) && !is_between(following(s), 0x1681, 0x169c);
    if (IS_IN(never, s->c) || (s->name && (s->c == 0xa0 || s->c == 0x3000)))
        return true;
    return IS_IN(narrow, s->c) && (s->name || IS_IN(narrow, s->before));
}

enum { MOST_MARKS = 4 }; /* UTS 39 section 5.4 */

/* Counts nonspacing marks in a row.  True for more than MOST_MARKS, and for one of the general
 * marks twice in a row, which shows as one. */
static bool is_flood(struct scan *s)
{
    if (!IS_IN(marks, s->c)) {
        s->marks = 0;
        return false;
    }
    bool general = is_between(s->c, 0x300, 0x36f) || is_between(s->c, 0x1ab0, 0x1dff) ||
                   is_between(s->c, 0x20d0, 0x20ff);
    bool again = general && s->marks != 0 && s->mark == s->c;
    s->mark = s->c;
    return ++s->marks > MOST_MARKS || again;
}

/* Tabs and line ends are ordinary in texts; a carriage return only before a line feed, since alone
 * it lets a terminal overwrite the line. */
static enum cupel_hidden_kind judge_control(const struct scan *s)
{
    bool space = s->c == '\t' || s->c == '\n' || (s->c == '\r' && following(s) == '\n');
    return space && !s->name ? CUPEL_HIDDEN_NONE : CUPEL_HIDDEN_CONTROL;
}

/* A code point with the property Default_Ignorable_Code_Point. */
static enum cupel_hidden_kind judge_invisible(const struct scan *s)
{
    uint32_t c = s->c;
    if (c == 0x200c || c == 0x200d)
        return is_joiner_right(s) ? CUPEL_HIDDEN_NONE : CUPEL_HIDDEN_INVISIBLE;
    if (c == 0x200b) /* where a line may end, in scripts that write no spaces */
        return IS_IN(spaceless, s->before) && !s->name ? CUPEL_HIDDEN_NONE : CUPEL_HIDDEN_INVISIBLE;
    if (c == 0x61c || is_between(c, 0x200e, 0x200f) || is_between(c, 0x202a, 0x202e) ||
        is_between(c, 0x2066, 0x2069))
        return CUPEL_HIDDEN_DIRECTION;
    if (is_between(c, 0xe0000, 0xe007f))
        return CUPEL_HIDDEN_TAG;
    if (is_between(c, 0xfe00, 0xfe0f) || is_between(c, 0xe0100, 0xe01ef) ||
        is_between(c, 0x180b, 0x180f))
        return is_selector_right(s) ? CUPEL_HIDDEN_NONE : CUPEL_HIDDEN_VARIATION;
    return CUPEL_HIDDEN_INVISIBLE;
}

/* Judges a code point beyond ASCII.  Updates the count of marks. */
static enum cupel_hidden_kind judge_non_ascii(struct scan *s)
{
    uint32_t c = s->c;
    if (c == BROKEN || (c & 0xfffe) == 0xfffe || is_between(c, 0xfdd0, 0xfdef))
        return CUPEL_HIDDEN_NONCHARACTER;
    if (c <= 0x9f)
        return CUPEL_HIDDEN_CONTROL;
    if (is_between(c, 0xe000, 0xf8ff) || c >= 0xf0000)
        return CUPEL_HIDDEN_PRIVATE;
    bool flood = is_flood(s);
    if (IS_IN(ignorable, c))
        return judge_invisible(s);
    if (flood)
        return CUPEL_HIDDEN_MARKS;
    if (c == 0x2800)
        return is_braille(s->before) && is_braille(following(s)) ? CUPEL_HIDDEN_NONE
                                                                 : CUPEL_HIDDEN_INVISIBLE;
    if (is_between(c, 0xfff9, 0xfffb))
        return CUPEL_HIDDEN_INVISIBLE;
    return is_suspicious_space(s) ? CUPEL_HIDDEN_SPACE : CUPEL_HIDDEN_NONE;
}

/* -- Comments and links ----------------------------------------------------------------------- */

/* Whether the text continues with `what` at `at`. */
static bool begins(const struct scan *s, size_t at, const char *what)
{
    size_t n = strlen(what);
    return s->len - at >= n && memcmp(s->text + at, what, n) == 0;
}

struct part {
    const char *bytes;
    size_t len;
};

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool same_letters(const char *a, const char *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (to_lower(a[i]) != to_lower(b[i]))
            return false;
    return true;
}

static bool has_prefix(struct part p, const char *prefix)
{
    size_t n = strlen(prefix);
    return p.len >= n && same_letters(p.bytes, prefix, n);
}

/* Returns the host of a URL without user, port and "www.".  With `bare` the text may lack a scheme;
 * otherwise such a text has no host, and the result is empty. */
static struct part find_host(struct part url, bool bare)
{
    static const char *const prefixes[] = {"https://", "http://", "//"};
    size_t from = 0, end;
    for (size_t i = 0; from == 0 && i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (has_prefix(url, prefixes[i]))
            from = strlen(prefixes[i]);
    if (from == 0 && !bare)
        return (struct part){url.bytes, 0};
    for (end = from; end < url.len && strchr("/?#:", url.bytes[end]) == NULL; end++)
        if (url.bytes[end] == '@')
            from = end + 1;
    struct part host = {url.bytes + from, end - from};
    if (has_prefix(host, "www."))
        host = (struct part){host.bytes + 4, host.len - 4};
    return host;
}

/* Whether the visible text of a link reads as a web address. */
static bool looks_like_address(struct part text)
{
    static const char *const ends[] = {".com", ".org", ".net", ".gov", ".edu"};
    if (memchr(text.bytes, ' ', text.len) != NULL)
        return false;
    if (has_prefix(text, "http://") || has_prefix(text, "https://") || has_prefix(text, "www."))
        return true;
    struct part host = find_host(text, true);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (host.len > strlen(ends[i]) &&
            same_letters(host.bytes + host.len - strlen(ends[i]), ends[i], strlen(ends[i])))
            return true;
    return false;
}

/* Whether two hosts are equal, or one is in the domain of the other. */
static bool is_same_site(struct part a, struct part b)
{
    struct part inner = a.len > b.len ? b : a, outer = a.len > b.len ? a : b;
    const char *end = outer.bytes + (outer.len - inner.len);
    return same_letters(inner.bytes, end, inner.len) && (inner.len == outer.len || end[-1] == '.');
}

/* Whether a link misleads: a target that runs code, a text that names another site than the target,
 * or no text at all. */
static bool hides_target(struct part text, struct part target, bool image)
{
    static const char *const schemes[] = {"javascript:", "data:", "vbscript:", "file:"};
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
        if (has_prefix(target, schemes[i]) && !(image && i == 1))
            return true;
    struct part host = find_host(target, false);
    if (host.len == 0)
        return false;
    if (text.len == 0)
        return !image;
    return looks_like_address(text) && !is_same_site(find_host(text, true), host);
}

/* Judges the Markdown link at "](".  Its text extends back to the previous bracket, its target to
 * the closing parenthesis.  Both also end at the next bracket, so that no byte belongs to more than
 * two links and the whole search stays linear. */
static bool is_hiding_link(const struct scan *s)
{
    size_t from = s->at, to = s->at + 2;
    while (from > 0 && s->text[from - 1] != '[' && s->text[from - 1] != ']')
        from--;
    while (to < s->len && strchr(")] \n\t", s->text[to]) == NULL)
        to++;
    if (from == 0 || s->text[from - 1] != '[')
        return false;
    struct part text = {s->text + from, s->at - from};
    struct part target = {s->text + s->at + 2, to - s->at - 2};
    if (target.len > 1 && target.bytes[0] == '<')
        target = (struct part){target.bytes + 1, target.len - 1};
    while (text.len != 0 && strchr("`*_<> ", text.bytes[0]) != NULL)
        text = (struct part){text.bytes + 1, text.len - 1};
    while (text.len != 0 && strchr("`*_<> ", text.bytes[text.len - 1]) != NULL)
        text.len--;
    return hides_target(text, target, from > 1 && s->text[from - 2] == '!');
}

/* Judges comments of HTML and Markdown, which a rendered page does not show, and links. */
static enum cupel_hidden_kind judge_markup(const struct scan *s)
{
    if (s->c == '<' && begins(s, s->at, "<!--"))
        return CUPEL_HIDDEN_COMMENT;
    if (s->c == '[' && begins(s, s->at, "[//]: #"))
        return CUPEL_HIDDEN_COMMENT;
    if (s->c == ']' && begins(s, s->at, "](") && is_hiding_link(s))
        return CUPEL_HIDDEN_LINK;
    return CUPEL_HIDDEN_NONE;
}

/* -- The search ------------------------------------------------------------------------------- */

/* Judges the current code point. */
static enum cupel_hidden_kind judge(struct scan *s)
{
    if (s->c >= 0x80)
        return judge_non_ascii(s);
    s->marks = 0;
    if (s->c < 0x20 || s->c == 0x7f)
        return judge_control(s);
    return s->c == '<' || s->c == '[' || s->c == ']' ? judge_markup(s) : CUPEL_HIDDEN_NONE;
}

/* Whether the byte is an ASCII character that judge() passes in any context. */
static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '<' && c != '[' && c != ']';
}

#define BYTES(c) ((uint64_t)0x0101010101010101 * (c))

/* Sets the high bit of each byte of `word` that is not 0, for bytes below 0x80.  No borrow crosses
 * a byte, because the minuend of each is at least 0x80. */
static uint64_t nonzero_bytes(uint64_t word)
{
    return (word | BYTES(0x80)) - BYTES(1);
}

/* Whether is_plain holds for all eight bytes. */
static bool is_plain_word(uint64_t word)
{
    uint64_t printable = (word | BYTES(0x80)) - BYTES(0x20);
    uint64_t plain = printable & nonzero_bytes(word ^ BYTES(0x7f)) &
                     nonzero_bytes(word ^ BYTES('<')) & nonzero_bytes(word ^ BYTES('[')) &
                     nonzero_bytes(word ^ BYTES(']')) & ~word;
    return (plain & BYTES(0x80)) == BYTES(0x80);
}

/* Returns the place of the first byte from `at` on that is not plain.  Nearly all of a definition
 * is plain; skipping it by words makes the search take a tenth of the instructions. */
static size_t skip_plain(const char *text, size_t len, size_t at)
{
    uint64_t word;
    for (; len - at >= sizeof(word); at += sizeof(word)) {
        memcpy(&word, text + at, sizeof(word));
        if (!is_plain_word(word))
            break;
    }
    while (at < len && is_plain(text[at]))
        at++;
    return at;
}

/* Moves the scan over plain characters. */
static void skip(struct scan *s)
{
    size_t end = skip_plain(s->text, s->len, s->at);
    if (end == s->at)
        return;
    s->earlier = end - s->at >= 2 ? (unsigned char)s->text[end - 2] : s->before;
    s->before = (unsigned char)s->text[end - 1];
    s->marks = 0;
    s->at = end;
}

/* Returns whether the text hides something, and the first finding in *ret, which may be NULL. */
bool cupel__hidden_find(const char *text, size_t len, unsigned flags, struct cupel_hidden *ret)
{
    struct scan s = {.text = text,
                     .len = len,
                     .before = END,
                     .earlier = END,
                     .name = (flags & CUPEL_HIDDEN_IN_NAME) != 0};
    while (s.at < len) {
        size_t n;
        if ((flags & CUPEL__HIDDEN_NO_SKIP) == 0)
            skip(&s);
        if (s.at == len)
            break;
        s.c = cupel__code_point(text + s.at, len - s.at, &n);
        s.next = s.at + n;
        enum cupel_hidden_kind kind = judge(&s);
        if (kind != CUPEL_HIDDEN_NONE) {
            bool markup = kind == CUPEL_HIDDEN_COMMENT || kind == CUPEL_HIDDEN_LINK;
            if (ret != NULL)
                *ret = (struct cupel_hidden){kind, markup || s.c >= END ? 0 : s.c, s.at};
            return true;
        }
        s.at = s.next + flag_length(&s);
        s.earlier = s.before;
        s.before = s.c;
    }
    return false;
}

int cupel_hidden_find(const char *text, size_t len, uint32_t flags, struct cupel_hidden *ret)
{
    if (text == NULL && len > 0)
        return 0;
    return cupel__hidden_find(text, len, flags & CUPEL_HIDDEN_IN_NAME, ret);
}

const char *cupel_hidden_name(enum cupel_hidden_kind kind)
{
    static const char *const names[] = {"nothing hidden",
                                        "a control character",
                                        "a bidirectional control",
                                        "a tag character",
                                        "an invisible character",
                                        "a variation selector that varies nothing",
                                        "a private use character",
                                        "a noncharacter",
                                        "a flood of combining marks",
                                        "white space that is not what it looks like",
                                        "a comment that is not shown",
                                        "a link whose text hides its target",
                                        "a name that looks like another one beside it"};
    return (size_t)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "?";
}

/* -- Skeletons -------------------------------------------------------------------------------- */

/* Finds the skeleton of a code point: bisection finds its block, whose steps are then added up.
 * NULL if it is its own.  Without the blocks the table is three times as large in a compressed
 * module. */
static const char *find_skeleton(uint32_t c)
{
    enum { BLOCKS = sizeof skeleton_blocks / sizeof *skeleton_blocks };
    size_t low = 0, high = BLOCKS;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (skeleton_blocks[middle].code <= c)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    uint32_t i = skeleton_blocks[low - 1].index, code = skeleton_blocks[low - 1].code;
    const uint32_t end = low < BLOCKS ? skeleton_blocks[low].index : sizeof skeleton_steps;
    while (code < c && ++i < end)
        code += skeleton_steps[i];
    return code == c ? (const char *)skeleton_texts + skeleton_places[i] : NULL;
}

/* Returns the skeleton of a code point, or NULL if it is its own.  Nearly all names are ASCII,
 * which has a table of its own. */
static const char *skeleton_of(uint32_t c)
{
    if (c >= 0x80)
        return find_skeleton(c);
    return ascii_skeletons[c] != 0 ? (const char *)skeleton_texts + ascii_skeletons[c] - 1 : NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Appends characters that are their own skeletons in runs, and drops ignorable ones. */
void cupel__skeleton(struct cupel_text *text, const char *name, size_t len)
{
    while (len != 0 && is_blank(name[len - 1]))
        len--;
    while (len != 0 && is_blank(name[0])) {
        name++;
        len--;
    }
    size_t same = 0; /* where the characters begin that are their own skeletons */
    for (size_t i = 0, n; i < len; i += n) {
        uint32_t c = (unsigned char)name[i];
        n = 1;
        if (c >= 0x80)
            c = cupel__code_point(name + i, len - i, &n);
        const char *skeleton = skeleton_of(c);
        if (skeleton == NULL && (c < 0x80 || !IS_IN(ignorable, c)))
            continue;
        cupel_text_add(text, name + same, i - same);
        if (skeleton != NULL)
            cupel_text_adds(text, skeleton);
        same = i + n;
    }
    cupel_text_add(text, name + same, len - same);
}
