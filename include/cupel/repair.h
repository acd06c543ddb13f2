/* repair.h: making an invalid instance valid where there is one way to read it.
 *
 *     struct cupel_text patch, repaired;
 *     …
 *     if (cupel_validate(program, scratch, text, len, NULL) == CUPEL_INVALID &&
 *         cupel_repair(program, scratch, NULL, 0, &patch, &repaired, NULL) == CUPEL_REPAIRED)
 *         // repaired holds the new instance, patch says what was done (RFC 6902)
 *
 * Opt-in, and apart from judging: the verdict on the original stays what it is, and whoever uses
 * the repaired instance decides to.  What is tried:
 *   - a string that holds the text of a number, boolean, null, array or object, where one of that
 *     type is wanted, becomes that value: JSON, JSON that was encoded twice, or a literal of Python
 *   - a single value where an array of such values is wanted becomes an array with it, unless it is
 *     a string that may be a list or the text of one
 *   - null where the schema wants something else is left out with its member
 *   - a member whose name no schema at its place knows, and whose name is nearest to one that is
 *     missing or optional, gets that name
 *   - a required member that is missing gets the default of its schema, unless the object has a
 *     member that nobody knows (only if the program was compiled with CUPEL_ANNOTATIONS, without
 *     which it has no defaults)
 *   - a call inside a member (`arguments`, `input` …), also as text, becomes the call
 * All problems have to be mended so, and the result has to be VALID.  The smallest change counts;
 * where several readings of the instance are equally small, nothing is guessed. */
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
    CUPEL_REPAIR_AMBIGUOUS,  /* several do, in different ways, or two members have one name */
    CUPEL_REPAIR_UNDECIDED   /* a limit, or memory: the reason is in *ret */
};

/* All that is tried for one repair takes at most twice the steps of a report; then it is UNDECIDED
 * (CUPEL_E_LIMIT_STEPS).  More than 256 problems, 64 combinations or 16 rounds are UNDECIDED too
 * (CUPEL_E_LIMIT_REPAIR).
 *
 * Tries to repair a node of a document (doc NULL: the text that cupel_validate read last with this
 * scratch). On CUPEL_REPAIRED appends the patch, a JSON array of operations on the node, and the
 * repaired value, its JSON text; either text may be NULL.  Otherwise both are untouched.  The
 * document is not changed; records of an earlier report are gone.  *ret may be NULL. */
CUPEL_MUST_CHECK enum cupel_repair_result
cupel_repair(const struct cupel_program *program, struct cupel_scratch *scratch,
             struct cupel_document *doc, uint32_t node, struct cupel_text *patch,
             struct cupel_text *repaired, struct cupel_outcome *ret);

/* "repaired", "not-needed", "impossible", "ambiguous", "undecided".  Static; any thread. */
const char *cupel_repair_name(enum cupel_repair_result result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
