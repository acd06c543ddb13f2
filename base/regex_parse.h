/* regex_parse.h: what the files of the regular expression parser share: the state of one parse, the
 * set that a character class is collected in, and the names of Unicode properties.
 *
 * regex_ecma.c reads alternatives, groups and quantifiers; regex_class.c reads everything that
 * stands for one code point; regex_props.c knows the property names. */
#ifndef CUPEL_BASE_REGEX_PARSE_H
#define CUPEL_BASE_REGEX_PARSE_H

#include "regex.h"

enum { CUPEL__CP_MAX = 0x10FFFF };

/* Ranges and properties on their way into a CLASS node; reused from one class to the next. */
struct cupel__regex_set {
    struct cupel__regex_range *ranges;
    struct cupel__regex_prop *props;
    uint32_t nranges, ranges_cap, nprops, props_cap;
};

struct cupel__regex_parser {
    struct cupel__arena *arena;
    const char *p, *end; /* where in the pattern the parser is */
    bool lenient;
    uint32_t ngroups; /* captures in the whole pattern, counted ahead */
    struct cupel__regex_set set;

    /* Nodes that no parent has taken yet; each open group knows where its own begin. */
    struct cupel__regex_node **stack;
    uint32_t nstack, stack_cap;
    struct cupel__regex_frame *frame, *spare;
    struct cupel__regex_name *names;
    struct cupel__regex_named_ref *refs;
    uint32_t opened; /* captures so far */
    uint32_t depth;  /* of open groups */
    bool has_backref, has_look;

    /* The first failure; every function below returns false or NULL after one. */
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

/* Doubles an array in the arena if it is full; what it was before stays behind in the arena. */
bool cupel__regex_room(struct cupel__regex_parser *, void **array, uint32_t *cap, uint32_t used,
                       size_t size);

/* The code point at p, which is not the end; p moves behind it. */
bool cupel__regex_next(struct cupel__regex_parser *, uint32_t *ret_cp);

/* -- regex_class.c ---------------------------------------------------------------------------- */

/* A node for one code point; a surrogate, which no subject holds, gives a class that is empty. */
struct cupel__regex_node *cupel__regex_char(struct cupel__regex_parser *, uint32_t cp);

/* The class that `.` stands for. */
struct cupel__regex_node *cupel__regex_dot(struct cupel__regex_parser *);

/* A bracketed class; p is behind the `[`. */
struct cupel__regex_node *cupel__regex_class(struct cupel__regex_parser *);

/* An escape that stands for one code point, outside a class; p is behind the backslash. */
struct cupel__regex_node *cupel__regex_escape(struct cupel__regex_parser *);

/* What follows the `u` of an escape: four hex digits, two such escapes that are a surrogate pair,
 * or {digits}. */
bool cupel__regex_unicode_escape(struct cupel__regex_parser *, uint32_t *ret_cp);

/* -- regex_props.c ---------------------------------------------------------------------------- */

/* \p{name}, or \p{name=value} where value.p is not NULL, as ECMA-262 spells them (22.2.2.9 and the
 * tables it names); case counts. */
bool cupel__regex_property(struct cupel__str name, struct cupel__str value,
                           struct cupel__regex_prop *ret);

/* Whether a code point may stand in a group's name (ID_Start, or ID_Continue if `continues`). Exact
 * in ASCII.  Elsewhere symbols, punctuation, spaces, private use and unassigned planes are refused
 * by block and all else is taken for a letter. */
bool cupel__regex_is_name_char(uint32_t cp, bool continues);

#endif
