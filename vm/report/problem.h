/* problem.h: what an event says, for sentences and renderings. */
#ifndef CUPEL_VM_PROBLEM_H
#define CUPEL_VM_PROBLEM_H

#include "vm/report/choose.h"

/* The name of a value's type, such as "integer". */
const char *cupel__type_name(const struct cupel__node *);
/* The types that an instruction TYPE asks for, in those that have a name: in draft 4 an integer is
 * not written 1.0. */
uint32_t cupel__named_types(uint32_t types);
/* The name that an event is about: the missing property, the property that is not allowed; n 0:
 * none.  The bytes are in `buf`, in the image or in the document. */
struct cupel__str cupel__problem_name(const struct cupel__code *, struct cupel__doc *,
                                      const struct cupel__event *, char buf[16]);
/* How many characters, items or members there are. */
size_t cupel__problem_count(const struct cupel__code *, struct cupel__doc *,
                            const struct cupel__event *);
/* Appends what the schema asks for. */
void cupel__problem_expected(const struct cupel__code *, const struct cupel__event *,
                             enum cupel_problem_code, struct cupel_text *);
/* Appends the sentence of problems.def. */
void cupel__problem_sentence(const struct cupel__code *, struct cupel__doc *,
                             const struct cupel__event *, struct cupel_text *);
/* Appends a constant: a string quoted and cut, an array or object not at all. */
void cupel__problem_value(const struct cupel__code *, uint32_t value, struct cupel_text *);
/* The key of a member's value, or 0 if the node is no member's. */
uint32_t cupel__member_key(const struct cupel__doc *, uint32_t node);

#endif
