/* validate.h: judging instances.
 *
 *     struct cupel_scratch *scratch;              // one for each thread, used again and again
 *     cupel_scratch_new(NULL, &scratch);
 *     if (cupel_validate(program, scratch, text, len, NULL) != CUPEL_VALID)
 *         reject();                               // invalid, undecided and unreadable alike
 *
 * There are three outcomes.  VALID is 0 and everything else is not, so a plain `if` fails closed.
 * A limit, a failed allocation or a pattern that ran out of its budget is UNDECIDED and never
 * anything else. */
#ifndef CUPEL_VALIDATE_H
#define CUPEL_VALIDATE_H

#include <cupel/json.h>
#include <cupel/program.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum cupel_verdict { CUPEL_VALID = 0, CUPEL_INVALID = 1, CUPEL_UNDECIDED = 2 };

/* The memory that validating needs: a document, stacks, tables, match data.  One thread at a time;
 * any program.  It grows to what was needed and stays, so a warm validation allocates nothing;
 * except that libidn2, for names that need IDNA (`idn-hostname`, `hostname` with A-labels,
 * `idn-email` with a domain beyond ASCII), takes a few kilobytes of malloc's memory and gives them
 * back before the call ends. */
struct cupel_scratch;

/* Makes a scratch.  The options' allocator, limits and flags apply to the validations made with it.
 * CUPEL_OK or CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_scratch_new(const struct cupel_options *options,
                                    struct cupel_scratch **ret);

/* Frees it. NULL does nothing. */
void cupel_scratch_free(struct cupel_scratch *scratch);

/* What is known after a validation besides its verdict.  Frozen: this struct never changes. */
struct cupel_outcome {
    enum cupel_status reason; /* CUPEL_OK with a verdict; else why there is none */
    uint32_t reserved32;      /* 0 */
    uint64_t steps;           /* work done: the same on every machine */
    uint64_t reserved[4];     /* 0 */
    /* Where the text is wrong, if reason is of the group "Reading JSON"; otherwise not written. */
    struct cupel_error error;
};

/* Reads a JSON text (`len` bytes of UTF-8, may be a slice of a larger message) and runs the program
 * on it.  UNDECIDED with a reason of the group "Reading JSON" means that the text is not acceptable
 * JSON.  *ret may be NULL. */
CUPEL_MUST_CHECK enum cupel_verdict cupel_validate(const struct cupel_program *program,
                                                   struct cupel_scratch *scratch, const char *text,
                                                   size_t len, struct cupel_outcome *ret);

/* The same for a node of a document that was read before, which the scratch does not own. */
CUPEL_MUST_CHECK enum cupel_verdict cupel_validate_node(const struct cupel_program *program,
                                                        struct cupel_scratch *scratch,
                                                        struct cupel_document *doc, uint32_t node,
                                                        struct cupel_outcome *ret);

/* Validates a column of texts in one call, as columnar formats store them: text i is the bytes from
 * offsets[i] to offsets[i + 1] after `base`, so there are `count` + 1 offsets (Apache Arrow,
 * "Variable-size Binary Layout", 64-bit offsets).  Writes the verdict of each text to verdicts[i]:
 * 0, 1 or 2, as enum cupel_verdict; a text that is not JSON is 2.  Each text has its own budget.
 *
 * CUPEL_OK, whatever the verdicts are; CUPEL_E_ARGUMENT, with nothing written, if an offset is
 * negative or less than the one before it, or an argument is NULL (`base` may be NULL if all texts
 * are empty, `verdicts` if there are none). */
CUPEL_MUST_CHECK enum cupel_status cupel_validate_many(const struct cupel_program *program,
                                                       struct cupel_scratch *scratch,
                                                       const char *base, const int64_t *offsets,
                                                       size_t count, uint8_t *verdicts);

/* Bytes that the scratch, with its document, has now. */
size_t cupel_scratch_memory(const struct cupel_scratch *scratch);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
