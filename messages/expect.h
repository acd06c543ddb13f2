/* expect.h: what a schema requires of a value, in a few words, and what the value is instead. */
#ifndef CUPEL_MESSAGES_EXPECT_H
#define CUPEL_MESSAGES_EXPECT_H

#include "messages/render.h"

/* An allowed value is listed up to so many; the rest is counted. */
enum { CUPEL__MAX_LISTED = 12 };

/* What a schema requires of a value itself, without the schemas of its members. */
struct cupel__expect {
    uint32_t types;         /* allowed types */
    const uint32_t *values; /* the instruction that lists allowed values, or NULL */
    const uint32_t *min, *max, *least_length, *most_length; /* instructions, or NULL */
    const uint32_t *pattern, *format;                       /* instructions, or NULL */
    uint32_t items; /* reference to the schema of items, CUPEL__NO_SUB: none */
};

/* The requirements of the schema around the instruction at `pc`; of a subschema and what it applies
 * in place. */
void cupel__expect_siblings(const struct render *, uint32_t pc, struct cupel__expect *ret);
void cupel__expect_sub(const struct render *, uint32_t sub, struct cupel__expect *ret);
/* The types and items that at least one branch of the choice at `pc` allows. */
void cupel__expect_any_branch(const struct render *, uint32_t pc, struct cupel__expect *ret);

/* Whether the schema requires an array whose items have this type.  Items of any type do not count.
 */
bool cupel__takes_as_item(const struct render *, const struct cupel__expect *, uint32_t type);
/* The choice whose branch was chosen by the type of a scalar: the value failed in that branch, and
 * the other branches, which allow other types, are alternatives too.  NULL if there is none. */
const struct cupel__event *cupel__choice_around(const struct render *, const struct cupel__event *);

/* Appends the pattern of a PATTERN instruction as its author wrote it, between backquotes, cut at
 * `max` bytes.  Returns whether it was cut. */
bool cupel__add_pattern(const struct render *, const uint32_t *word, size_t max,
                        struct cupel_text *);
/* The name of the format that a FORMAT or HOST_FORMAT instruction asserts. */
struct cupel__str cupel__format_of(const struct render *, const uint32_t *word);

/* Appends requirements: `integer from 1 to 100`, `one of "a", "b"`. */
void cupel__add_expected(const struct render *, const struct cupel__expect *, struct cupel_text *);
/* Appends the allowed values of an instruction.  *count is the number of values that the list has
 * already; it grows by all values of the instruction, also by those that the list leaves out. */
void cupel__add_values(const struct render *, const uint32_t *word, uint32_t *count,
                       struct cupel_text *);
/* Appends " … and N more" if more than CUPEL__MAX_LISTED were counted. */
void cupel__add_rest(uint32_t count, struct cupel_text *);

/* The allowed string that is closest to a string value and closer than *distance, which it updates;
 * n 0: none, or two that are equally close. */
struct cupel__str cupel__closest_value(const struct render *, uint32_t node, const uint32_t *word,
                                       int *distance);
/* How to write a string with the text of a required type, such as "a number, without
 * quotes"; NULL if it holds none. */
const char *cupel__hint(const struct render *, uint32_t node, uint32_t wanted);
/* Appends the type of a value, with the hint that fits; `items` is the schema of items that is
 * wanted, or CUPEL__NO_SUB. */
void cupel__add_found(const struct render *, uint32_t node, uint32_t wanted, uint32_t items,
                      struct cupel_text *);

#endif
