/* simple_compile.c: recognises simple patterns, which need no automaton, and compiles them:
 * literals, choices of whole words, rows of classes.  regex/simple_match.c matches them.
 *
 * A template reads each class as often as possible and never backtracks.  So a row of classes
 * becomes a template only if the code points that may follow a class with a variable count are not
 * in that class (is_forced). */
#include "base/regex/automata_program.h"
#include "base/utf8.h"

#include <string.h>

enum {
    MAX_ITEMS = 256,
    MAX_DEPTH = 16,
    MAX_CP = 0x10FFFF,
    MAX_WORDS = 512,
    MAX_LENGTH = 256, /* positions of a fixed row */
    MIN_TEMPLATE =
        CUPEL__LINEAR_MAX_TABLE / 2, /* code points: a table is faster than shorter ones */
    MAX_NEEDLE = 32 /* bytes of a literal that may occur anywhere; comparing a longer one at every
                       position costs more than an automaton */
};

/* A CHAR or CLASS with its repetitions. */
struct item {
    const struct cupel__regex_node *what;
    uint32_t min, max;
};

struct row {
    struct item item[MAX_ITEMS];
    uint32_t n;
    bool start, end; /* ^ before and $ behind */
};

/* -- Rows ------------------------------------------------------------------------------------ */

static const struct cupel__regex_node *without_groups(const struct cupel__regex_node *node)
{
    while (node->kind == CUPEL__RE_GROUP)
        node = node->child[0];
    return node;
}

/* Appends a CHAR or CLASS with its repetitions; false if the row cannot have it. */
static bool add_item(struct row *row, const struct cupel__regex_node *what, uint32_t min,
                     uint32_t max)
{
    what = without_groups(what);
    bool ok = what->kind == CUPEL__RE_CHAR || what->kind == CUPEL__RE_CLASS;
    if (!ok || row->end || row->n == MAX_ITEMS)
        return false;
    if (max > 0)
        row->item[row->n++] = (struct item){what, min, max};
    return true;
}

/* Appends a node if it is part of a row; otherwise false. */
static bool add_node(struct row *row, const struct cupel__regex_node *node, unsigned depth)
{
    if (depth++ == MAX_DEPTH)
        return false;
    switch (node->kind) {
    case CUPEL__RE_EMPTY:
        return true;
    case CUPEL__RE_START:
        row->start = true;
        return row->n == 0 && !row->end;
    case CUPEL__RE_END:
        row->end = true;
        return true;
    case CUPEL__RE_GROUP:
        return add_node(row, node->child[0], depth);
    case CUPEL__RE_CAT:
        for (uint32_t i = 0; i < node->nchild; i++) {
            if (!add_node(row, node->child[i], depth))
                return false;
        }
        return true;
    case CUPEL__RE_REPEAT:
        return add_item(row, node->child[0], node->min, node->max);
    default:
        return add_item(row, node, 1, 1);
    }
}

/* -- Sets of code points --------------------------------------------------------------------- */

/* An iterator over the ranges of a CHAR or CLASS, from *i = 0; of a negated class over its gaps. */
static bool next_range(const struct cupel__regex_node *node, uint32_t *i,
                       struct cupel__regex_range *ret)
{
    if (node->kind == CUPEL__RE_CHAR) {
        *ret = (struct cupel__regex_range){node->cp, node->cp};
        return (*i)++ == 0;
    }
    for (; *i < node->nranges + node->negated; ++*i) {
        struct cupel__regex_range r = {0, MAX_CP};
        if (!node->negated) {
            r = node->ranges[*i];
        } else { /* the gap before range i */
            if (*i > 0)
                r.first = node->ranges[*i - 1].last + 1;
            if (*i < node->nranges)
                r.last = node->ranges[*i].first - 1;
        }
        if (r.first <= r.last && r.last <= MAX_CP) {
            ++*i;
            *ret = r;
            return true;
        }
    }
    return false;
}

/* Whether two classes have no code point in common. */
static bool disjoint(const struct cupel__regex_node *a, const struct cupel__regex_node *b)
{
    struct cupel__regex_range ra, rb;
    uint32_t i = 0, j = 0;
    bool more = next_range(a, &i, &ra) && next_range(b, &j, &rb);
    while (more) {
        if (ra.last < rb.first)
            more = next_range(a, &i, &ra);
        else if (rb.last < ra.first)
            more = next_range(b, &j, &rb);
        else
            return false;
    }
    return true;
}

static bool equal(const struct cupel__regex_node *a, const struct cupel__regex_node *b)
{
    struct cupel__regex_range ra, rb;
    uint32_t i = 0, j = 0;
    for (;;) {
        bool more = next_range(a, &i, &ra);
        if (more != next_range(b, &j, &rb))
            return false;
        if (!more)
            return true;
        if (ra.first != rb.first || ra.last != rb.last)
            return false;
    }
}

/* Whether a class has none, all or some of the code points beyond ASCII.  The ranges of a class
 * have no gap at the surrogates, which no subject contains. */
enum share { NONE, ALL, PART };

static enum share beyond_ascii(const struct cupel__regex_node *node)
{
    struct cupel__regex_range r;
    uint32_t i = 0, after = 0x80;
    bool any = false, gap = false;
    while (next_range(node, &i, &r)) {
        if (r.last < 0x80)
            continue;
        gap = gap || r.first > after;
        any = true;
        after = r.last + 1;
    }
    return !any ? NONE : gap || after <= MAX_CP ? PART : ALL;
}

/* -- Programs -------------------------------------------------------------------------------- */

static void add_word(struct cupel__words *w, uint32_t word)
{
    cupel__words_add(w, &word, 1);
}

/* Appends the header of a program. */
static void begin(struct cupel__words *w, enum cupel__simple_kind kind)
{
    uint32_t at = cupel__words_add(w, NULL, CUPEL__HEAD_WORDS);
    if (!w->failed)
        w->p[at + CUPEL__HEAD_SIMPLE] = kind;
}

/* Appends the length and the UTF-8 bytes of a row of CHAR; returns the length. */
static size_t add_bytes(struct cupel__words *w, const struct row *row)
{
    char bytes[4 * MAX_ITEMS + 4] = {0};
    size_t n = 0;
    for (uint32_t i = 0; i < row->n; i++)
        n += cupel__utf8_encode(row->item[i].what->cp, bytes + n);
    add_word(w, (uint32_t)n);
    uint32_t at = cupel__words_add(w, NULL, (n + 3) / 4);
    if (!w->failed)
        memcpy(w->p + at, bytes, n);
    return n;
}

/* Whether each item is one character, once. */
static bool is_literal(const struct row *row)
{
    for (uint32_t i = 0; i < row->n; i++) {
        const struct item *item = &row->item[i];
        if (item->what->kind != CUPEL__RE_CHAR || item->min != 1 || item->max != 1)
            return false;
    }
    return true;
}

/* Whether the row matches the empty string at the start of every subject. */
static bool is_always(const struct row *row)
{
    for (uint32_t i = 0; i < row->n; i++) {
        if (row->item[i].min > 0)
            return false;
    }
    return !row->end;
}

/* Compiles a literal; false if it is long and may occur anywhere. */
static bool literal(struct cupel__words *w, const struct row *row)
{
    begin(w, CUPEL__SIMPLE_LITERAL);
    add_word(w, (row->start ? CUPEL__AT_START : 0) | (row->end ? CUPEL__AT_END : 0));
    return add_bytes(w, row) <= MAX_NEEDLE || row->start || row->end;
}

/* The alternatives of ^(?:…|…)$, or NULL. */
static const struct cupel__regex_node *find_choice(const struct cupel__regex_node *root)
{
    root = without_groups(root);
    if (root->kind != CUPEL__RE_CAT || root->nchild != 3 ||
        root->child[0]->kind != CUPEL__RE_START || root->child[2]->kind != CUPEL__RE_END)
        return NULL;
    const struct cupel__regex_node *choice = without_groups(root->child[1]);
    return choice->kind == CUPEL__RE_ALT ? choice : NULL;
}

/* Order of words: by length, then by bytes. */
static int compare(const uint32_t *a, const uint32_t *b)
{
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return memcmp(a + 1, b + 1, a[0]);
}

/* Inserts the word at offset `at` into the sorted array of the n words before it. */
static void insert(uint32_t *data, uint32_t n, uint32_t at)
{
    uint32_t *offset = data + 1, low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare(data + offset[middle], data + at) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(offset + low + 1, offset + low, (n - low) * sizeof *offset);
    offset[low] = at;
}

/* Compiles a choice of literals as a sorted array of words. */
static bool words_of(struct cupel__words *w, const struct cupel__regex_node *choice)
{
    if (choice->nchild > MAX_WORDS)
        return false;
    begin(w, CUPEL__SIMPLE_WORDS);
    add_word(w, choice->nchild);
    (void)cupel__words_add(w, NULL, choice->nchild);
    for (uint32_t i = 0; i < choice->nchild; i++) {
        struct row row = {.n = 0};
        uint32_t at = (uint32_t)w->n - CUPEL__HEAD_WORDS;
        if (!add_node(&row, choice->child[i], 0) || row.start || row.end || !is_literal(&row))
            return false;
        (void)add_bytes(w, &row);
        if (!w->failed)
            insert(w->p + CUPEL__HEAD_WORDS, i, at);
    }
    return true;
}

/* -- Templates ------------------------------------------------------------------------------- */

/* Whether the repetitions of each item are determined by the subject: the items that may follow a
 * variable one have none of its code points. */
static bool is_forced(const struct row *row)
{
    for (uint32_t i = 0; i < row->n; i++) {
        if (row->item[i].min == row->item[i].max)
            continue;
        for (uint32_t j = i + 1; j < row->n; j++) {
            if (!disjoint(row->item[i].what, row->item[j].what))
                return false;
            if (row->item[j].min > 0)
                break;
        }
    }
    return true;
}

/* Sets the bit of class c in the table of bytes, and appends its ranges if it has only some of the
 * code points beyond ASCII. */
static void add_class(struct cupel__words *w, struct cupel__template *t, uint32_t c,
                      const struct cupel__regex_node *node)
{
    unsigned char *bytes = (unsigned char *)t->bytes;
    enum share share = beyond_ascii(node);
    struct cupel__regex_range r;
    uint32_t i = 0;
    t->class[c].at = (uint32_t)w->n - CUPEL__HEAD_WORDS; /* where the template begins */
    while (next_range(node, &i, &r)) {
        for (uint32_t cp = r.first; cp <= r.last && cp < 0x80; cp++)
            bytes[cp] |= (unsigned char)(1u << c);
        if (share == PART && r.last >= 0x80) {
            cupel__words_add(w, &r, 2);
            t->class[c].nranges++;
        }
    }
    for (uint32_t byte = 0xC0; byte < 0x100 && share != NONE; byte++)
        bytes[byte] |= (unsigned char)(1u << c);
}

/* The index of a class among *n, added if it is new; TEMPLATE_CLASSES if there are too many. */
static uint32_t class_of(const struct cupel__regex_node **class, uint32_t *n,
                         const struct cupel__regex_node *what)
{
    uint32_t c = 0;
    while (c < *n && !equal(class[c], what))
        c++;
    if (c == *n && c < CUPEL__TEMPLATE_CLASSES)
        class[(*n)++] = what;
    return c;
}

/* Whether only the last item has a variable count.  Expands the items before it to one byte for
 * each position, and sets the tail.  A last item with many repetitions is a tail too. */
static bool find_positions(struct cupel__template *t, unsigned char wanted[MAX_LENGTH],
                           const struct row *row, const struct cupel__template_item *item)
{
    for (uint32_t i = 0; i < row->n; i++) {
        bool varies = item[i].min != item[i].max || item[i].min > MAX_LENGTH / 2;
        if (i == row->n - 1 && (varies || item[i].min > 8)) {
            t->tail = 1u << item[i].class;
            t->min = item[i].min;
            t->max = item[i].max;
            return true;
        }
        if (varies || item[i].min > MAX_LENGTH - t->length)
            return false;
        memset(wanted + t->length, 1 << item[i].class, item[i].min);
        t->length += item[i].min;
    }
    return true;
}

/* Turns a template whose last item alone varies into a FIXED one, if it can. */
static bool make_fixed(struct cupel__words *w, struct cupel__template *t, const struct row *row,
                       const struct cupel__template_item *item, uint32_t base)
{
    unsigned char wanted[MAX_LENGTH] = {0}, absent[256];
    if (!find_positions(t, wanted, row, item))
        return false;
    memset(absent, 0xFF, sizeof absent);
    for (unsigned byte = 0; byte < 0x80; byte++)
        absent[byte] = (unsigned char)~((const unsigned char *)t->bytes)[byte];
    t->is_ascii = t->bytes[0xC0 / 4] == 0; /* the bits are the same for all first bytes */
    t->absent = cupel__words_add(w, absent, sizeof absent / 4) - base;
    t->wanted = cupel__words_add(w, wanted, (t->length + 3) / 4) - base;
    if (!w->failed)
        w->p[CUPEL__HEAD_SIMPLE] = CUPEL__SIMPLE_FIXED;
    return true;
}

/* Whether an automaton for the row would have many states. */
static bool is_long(const struct row *row)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < row->n; i++)
        n += row->item[i].max == UINT32_MAX ? row->item[i].min : row->item[i].max;
    return n >= MIN_TEMPLATE;
}

/* Compiles a row as a template, or as one class for FIND. */
static bool template(struct cupel__words *w, const struct row *row, enum cupel__simple_kind kind)
{
    const struct cupel__regex_node *class[CUPEL__TEMPLATE_CLASSES];
    struct cupel__template t = {.flags = row->end ? CUPEL__AT_END : 0, .nitems = row->n};
    struct cupel__template_item item[MAX_ITEMS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t c = class_of(class, &n, row->item[i].what);
        if (c == CUPEL__TEMPLATE_CLASSES)
            return false;
        item[i] = (struct cupel__template_item){c, row->item[i].min, row->item[i].max};
    }
    begin(w, kind);
    uint32_t at = cupel__words_add(w, NULL, sizeof t / 4);
    cupel__words_add(w, item, row->n * (sizeof *item / 4));
    for (uint32_t c = 0; c < n; c++)
        add_class(w, &t, c, class[c]);
    if (kind == CUPEL__SIMPLE_TEMPLATE && !make_fixed(w, &t, row, item, at) && !is_long(row))
        return false;
    if (!w->failed)
        memcpy(w->p + at, &t, sizeof t);
    return true;
}

/* Compiles a row as the simplest kind that fits; false if none does. */
static bool compile_row(struct cupel__words *w, const struct row *row)
{
    if (is_always(row)) {
        begin(w, CUPEL__SIMPLE_ALWAYS);
        return true;
    }
    if (is_literal(row))
        return literal(w, row);
    if (row->start)
        return is_forced(row) && template(w, row, CUPEL__SIMPLE_TEMPLATE);
    if (row->end || row->n != 1 || row->item[0].min != 1)
        return false;
    return template(w, row, CUPEL__SIMPLE_FIND);
}

/* After a failure the words are empty again. */
bool cupel__simple_compile(struct cupel__words *w, const struct cupel__regex_node *root)
{
    const struct cupel__regex_node *choice = find_choice(root);
    struct row row = {.n = 0};
    bool ok =
        choice != NULL ? words_of(w, choice) : add_node(&row, root, 0) && compile_row(w, &row);
    if (!ok)
        w->n = 0;
    return ok;
}
