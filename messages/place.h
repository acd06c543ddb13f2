/* place.h: the schemas that apply to one value, seen from a problem in one of them: the names that
 * any of them declares, and the conditions under which one applies.
 *
 * A problem's keyword belongs to one schema, which others apply in place: through `$ref`, `allOf`,
 * `anyOf`, `then`, `dependentSchemas`.  The outermost of them is the place of the value. */
#ifndef CUPEL_MESSAGES_PLACE_H
#define CUPEL_MESSAGES_PLACE_H

#include "messages/render.h"

struct cupel__place {
    uint32_t loc;   /* of the outermost schema that is applied in place */
    uint32_t path;  /* the step of the event's path that remains outside, 0: none */
    uint32_t inner; /* the schema that has the keyword, or whose keyword is false */
};

/* The place of the value that an event is about; of an undeclared member, of its object.  False if
 * the event has no location. */
bool cupel__place_of(const struct render *, const struct cupel__event *, struct cupel__place *ret);
/* Moves to the place of the container.  False at the root or where it is not known. */
bool cupel__place_outer(const struct render *, struct cupel__place *);

/* Whether any schema at a place declares a name: in `properties`, `required` or
 * `dependentRequired`, also in the branches of choices and conditions. */
bool cupel__place_declares(const struct render *, const struct cupel__place *,
                           struct cupel__str name);
/* Whether a subschema is false. */
bool cupel__place_refuses(const struct render *, uint32_t sub);
/* Whether any schema at a place has a use for a member: it declares the name, a pattern of
 * `patternProperties` matches it, or members without a declared name have a schema.  True also when
 * the steps do not suffice to say so. */
bool cupel__place_knows(const struct render *, const struct cupel__place *, uint32_t key);
/* Whether a name that a place does not know is declared nearby: by an object around it, or by the
 * schema of a declared member. */
bool cupel__place_nearby(const struct render *, const struct cupel__place *,
                         struct cupel__str name);
/* Whether the value of an event is that of a member which no schema at its place requires, under
 * whatever condition. */
bool cupel__place_optional(const struct render *, const struct cupel__event *);
/* The first schema that any schema at a place declares for a name; CUPEL__NO_SUB: none. */
uint32_t cupel__place_sub(const struct render *, const struct cupel__place *,
                          struct cupel__str name);
/* Calls `visit` for each instruction that applies to the value at a place, branches of choices and
 * conditions included, until it returns true. */
bool cupel__place_each(const struct render *, const struct cupel__place *,
                       bool (*visit)(const struct render *, const uint32_t *word, void *),
                       void *ctx);
/* The offset of the table of names that an instruction has, or 0. */
uint32_t cupel__names_of(const uint32_t *word);
/* A declared member at a place whose own schema declares the name; n 0: none. */
struct cupel__str cupel__place_member_with(const struct render *, const struct cupel__place *,
                                           struct cupel__str name, char buf[16]);

/* Appends "`name` belongs in `member`" or "`name` belongs beside `member`, not in it" for a member
 * that is not allowed where the event is and that is declared nearby.  False: it is not. */
bool cupel__add_elsewhere(const struct render *, const struct cupel__event *,
                          struct cupel__str name, struct cupel_text *);

/* Appends the condition under which the schema of an event applies: "`kind` is "x"", "`a` is
 * there".  Appends nothing if it applies always or the condition has no short form. */
void cupel__add_condition(const struct render *, const struct cupel__event *, struct cupel_text *);

#endif
