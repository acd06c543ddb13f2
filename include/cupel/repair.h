/* repair.h: making an invalid instance valid where its intended meaning is certain.
 *
 *     struct cupel_text patch, repaired;
 *     …
 *     if (cupel_validate(program, scratch, text, len, NULL) == CUPEL_INVALID &&
 *         cupel_repair(program, scratch, NULL, 0, &patch, &repaired, NULL) == CUPEL_REPAIRED)
 *         // repaired holds the new instance, patch says what was done (RFC 6902)
 *
 * Repairing is apart from validating: the verdict on the original instance stays, and the host
 * decides whether to use the repaired one.  These changes are tried:
 *   - A string with the text of a number, boolean, null, array or object becomes that value where
 *     the schema requires that type: JSON, JSON that was encoded twice, or a literal of Python.
 *   - A single value becomes an array with it where the schema requires an array of such values,
 *     unless it is a string that may be a list or the text of one.
 *   - A member that is null and must be something else is left out.
 *   - A member whose name no schema at its place declares gets the name of a missing or optional
 *     member, if that name is the nearest.
 *   - A required member that is missing gets the default of its schema, unless the object has an
 *     undeclared member (only if the program was compiled with CUPEL_ANNOTATIONS, without which it
 *     has no defaults).
 *   - A call inside a member (`arguments`, `input` …), also as text, becomes the call.
 * The changes have to mend all problems, and the result has to be VALID.  The smallest change
 * counts; if several changes are equally small, none is chosen.
 *
 * Threads: a scratch, a document and a text belong to one thread at a time; threads share
 * programs. */
#ifndef CUPEL_REPAIR_H
#define CUPEL_REPAIR_H

#include <cupel/report.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum cupel_repair_result {
    CUPEL_REPAIRED = 0,
    CUPEL_REPAIR_NOT_NEEDED, /* the instance is valid */
    CUPEL_REPAIR_IMPOSSIBLE, /* no such changes make it valid */
    CUPEL_REPAIR_AMBIGUOUS,  /* different changes make it valid, or two members have one name */
    CUPEL_REPAIR_UNDECIDED   /* a limit, or memory: the reason is in *ret */
};

/* Tries to repair a node of a document.  Without `doc` the node is one of the text that
 * cupel_validate read last with this scratch.  The document does not change.  The records of an
 * earlier report are lost.
 *
 * CUPEL_REPAIRED: appends to `patch` a JSON array of operations on the node (RFC 6902), and to
 * `repaired` the JSON text of the repaired value.  CUPEL_REPAIR_NOT_NEEDED,
 * CUPEL_REPAIR_IMPOSSIBLE, CUPEL_REPAIR_AMBIGUOUS or CUPEL_REPAIR_UNDECIDED with the reason in
 * *ret: appends nothing.  All attempts together may take twice the steps of a report; with more it
 * is UNDECIDED with CUPEL_E_LIMIT_STEPS, and with more than 256 problems, 64 combinations or 16
 * rounds with CUPEL_E_LIMIT_REPAIR.
 * NULL: doc, patch, repaired. */
CUPEL_MUST_CHECK enum cupel_repair_result
cupel_repair(const struct cupel_program *program, struct cupel_scratch *scratch,
             struct cupel_document *doc, uint32_t node, struct cupel_text *patch,
             struct cupel_text *repaired, struct cupel_outcome *ret);

/* "repaired", "not-needed", "impossible", "ambiguous", "undecided"; "?" for another
 * number.  Never NULL; static. */
const char *cupel_repair_name(enum cupel_repair_result result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
