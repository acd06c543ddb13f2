/* problem.h: what an event means: its problem code, the parts of its sentence, the sentence.
 *
 * An event names an instruction and a value.  The functions here read both, the image and the
 * document; they run nothing and keep nothing.  Of the instance they repeat types, counts and names
 * of members; values only where the caller says so. */
#ifndef CUPEL_VM_PROBLEM_H
#define CUPEL_VM_PROBLEM_H

#include "vm/report/operands.h"
#include "vm/run/scratch.h"
#include <cupel/report.h>

/* The code of problems.def that an event of the last report has. */
enum cupel_problem_code cupel__problem_code(const struct cupel_scratch *,
                                            const struct cupel__event *);

/* The name of a value's type, such as "integer". */
const char *cupel__type_name(const struct cupel__node *);

/* The name that an event concerns: the missing property, or the property that is not allowed; n 0:
 * none.  The bytes are in `buf`, in the image or in the document. */
struct cupel__str cupel__problem_name(const struct cupel_scratch *, const struct cupel__event *,
                                      char buf[16]);

/* The number that the schema bounds: characters of a string, items, members, or items that
 * `contains` matched. */
size_t cupel__problem_count(const struct cupel__code *, struct cupel__doc *,
                            const struct cupel__event *);

/* Appends what the schema requires: a type, a bound, values, a pattern. */
void cupel__problem_expected(const struct cupel__code *, const struct cupel__event *,
                             enum cupel_problem_code, struct cupel_text *);

/* Appends the sentence of problems.def with its placeholders replaced. */
void cupel__problem_sentence(const struct cupel_scratch *, const struct cupel__event *,
                             struct cupel_text *);

/* Appends the sentence for models.  False if problems.def has none for this kind.  `show_value`:
 * values of the instance may appear in it. */
bool cupel__problem_for_models(const struct cupel_scratch *, const struct cupel__event *,
                               bool show_value, struct cupel_text *);

/* Appends constant number `value` as JSON, cut at CUPEL__NAME_BYTES. */
void cupel__problem_value(const struct cupel__code *, uint32_t value, struct cupel_text *);

/* The node of the key whose value `node` is; 0 for other nodes, and for the root of the run, which
 * may be a member in a larger document. */
uint32_t cupel__member_key(const struct cupel_scratch *, uint32_t node);

#endif
