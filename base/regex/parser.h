/* parser.h: the interfaces between the files of the regular expression parser.
 *
 * Calls lead downwards: regex/parse.c reads alternatives, groups and quantifiers; regex/class.c
 * reads everything that stands for one code point; regex/unicode_properties.c has the properties of
 * Unicode; regex/parser.c has the operations on the state of a parse that all of them use. */
#ifndef CUPEL_BASE_REGEX_PARSE_H
#define CUPEL_BASE_REGEX_PARSE_H

#include "base/regex/regex.h"

enum { CUPEL__CP_MAX = 0x10FFFF };

/* The ranges of the CLASS node that is being read; its memory is reused for the next class. */
struct cupel__regex_set {
    struct cupel__regex_range *ranges;
    uint32_t n, cap;
};

/* A list of nodes, in the order in which they were added. */
struct cupel__regex_list {
    struct cupel__regex_node *first, *last;
    uint32_t n;
};

struct cupel__regex_parser {
    struct cupel__arena *arena;
    const char *p, *end;  /* the current place in the pattern, and its end */
    bool lenient, syntax; /* syntax: the tree is not used for matching */
    uint32_t ngroups;     /* captures in the whole pattern, counted before parsing */
    struct cupel__regex_set set;

    /* Nodes without a parent so far; each open group has the index of its first. */
    struct cupel__regex_node **stack;
    uint32_t nstack, stack_cap;
    struct cupel__regex_frame *frame, *spare;
    struct cupel__regex_name *names;
    struct cupel__regex_named_ref *refs;
    uint32_t opened; /* captures so far */
    uint32_t depth;  /* open groups */
    uint32_t work;   /* steps: a range that is put into a class, FIND_PROPERTY for a property */
    bool has_backref, has_word;
    struct cupel__regex_list leaves, looks;
    struct cupel__regex_set name_chars[2]; /* beyond ASCII: ID_Start, ID_Continue */

    /* The first failure; after one every function below returns false or NULL. */
    enum cupel_status status;
    const char *problem; /* static */
    const char *where;   /* in the pattern */
};

/* Records a failure at `where`; returns false, so that callers can return it. */
bool cupel__regex_fail(struct cupel__regex_parser *, const char *where, const char *problem);
bool cupel__regex_no_memory(struct cupel__regex_parser *);

/* A new node, or NULL. */
struct cupel__regex_node *cupel__regex_node_new(struct cupel__regex_parser *,
                                                enum cupel__regex_kind);

void cupel__regex_list_add(struct cupel__regex_list *, struct cupel__regex_node *);

/* Doubles an array in the arena if it is full.  The arena keeps the old memory until it is reset.
 */
bool cupel__regex_reserve(struct cupel__regex_parser *, void **array, uint32_t *cap, uint32_t used,
                          size_t size);

/* The code point at p, which is not the end; p moves behind it. */
bool cupel__regex_next(struct cupel__regex_parser *, uint32_t *ret_cp);

/* -- regex/class.c --------------------------------------------------------------------------- */

/* A node for one code point.  No subject contains a surrogate, so a surrogate gives an empty class.
 */
struct cupel__regex_node *cupel__regex_char(struct cupel__regex_parser *, uint32_t cp);

/* The class that `.` stands for. */
struct cupel__regex_node *cupel__regex_dot(struct cupel__regex_parser *);

/* A bracketed class; p is behind the `[`. */
struct cupel__regex_node *cupel__regex_class(struct cupel__regex_parser *);

/* An escape that stands for one code point, outside a class; p is behind the backslash. */
struct cupel__regex_node *cupel__regex_escape(struct cupel__regex_parser *);

/* The text behind the `u` of an escape: four hex digits, two such escapes that form a surrogate
 * pair, or {digits}. */
bool cupel__regex_unicode_escape(struct cupel__regex_parser *, uint32_t *ret_cp);

/* Sorts ranges by their first code point, in time n log n. */
void cupel__regex_sort(struct cupel__regex_range *, size_t n);

/* Whether a code point may occur in a group's name: ID_Start, or ID_Continue if `continues`.  False
 * when out of memory too. */
bool cupel__regex_is_name_char(struct cupel__regex_parser *, uint32_t cp, bool continues);

/* -- regex/unicode_properties.c -------------------------------------------------------------- */

/* A property of Unicode; `index` counts the names of its kind. */
struct cupel__regex_prop {
    enum cupel__regex_prop_kind {
        CUPEL__PROP_CATEGORY,
        CUPEL__PROP_SCRIPT,
        CUPEL__PROP_EXTENSIONS,
        CUPEL__PROP_BINARY
    } kind;
    uint32_t index;
};

/* Finds the property of \p{name}, or of \p{name=value} if value.p is not NULL, in the spelling of
 * ECMA-262 (22.2.2.9 and its tables), which is case-sensitive. */
bool cupel__regex_property(struct cupel__str name, struct cupel__str value,
                           struct cupel__regex_prop *ret);

/* An iterator over the ranges of a property, in ascending order.  Surrogates inside a range are to
 * be ignored. */
struct cupel__regex_prop_iter {
    enum cupel__regex_prop_kind kind;
    uint32_t wanted; /* the script, or a bit for each category */
    bool inside;
    const unsigned char *runs, *list; /* list NULL: it has ended */
    uint32_t run_end, list_end, runs_turn, list_turn;
};

void cupel__regex_prop_begin(struct cupel__regex_prop_iter *, struct cupel__regex_prop);
bool cupel__regex_prop_next(struct cupel__regex_prop_iter *, struct cupel__regex_range *ret);

#endif
