/* validate.h: judging instances.
 *
 *     struct cupel_scratch *scratch;              // one for each thread, used again and again
 *     cupel_scratch_new(NULL, &scratch);
 *     if (cupel_validate(program, scratch, text, len, NULL) != CUPEL_VALID)
 *         reject();                               // invalid, undecided and unreadable alike
 *
 * There are three outcomes.  VALID is 0 and everything else is not, so a plain `if` fails closed.
 * A limit, a failed allocation or a pattern that ran out of its budget is UNDECIDED and never
 * anything else.
 *
 * Threads: a scratch and a document belong to one thread at a time; threads share programs. */
#ifndef CUPEL_VALIDATE_H
#define CUPEL_VALIDATE_H

#include <cupel/json.h>
#include <cupel/program.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum cupel_verdict { CUPEL_VALID = 0, CUPEL_INVALID = 1, CUPEL_UNDECIDED = 2 };

/* The memory for validations: a document, stacks, tables, match data.  It serves any program.  It
 * grows as needed and keeps its memory, so a repeated validation allocates nothing.  The exception
 * is libidn2, for names that need IDNA (`idn-hostname`, `hostname` with A-labels, `idn-email` with
 * a domain beyond ASCII): it takes a few kilobytes from malloc and frees them before the call ends.
 */
struct cupel_scratch;

/* Makes a scratch, which the caller frees.  The options' allocator, limits and flags apply to the
 * validations made with it.  CUPEL_OK, CUPEL_E_ARGUMENT or CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_scratch_new(const struct cupel_options *options,
                                    struct cupel_scratch **ret);

/* Frees a scratch and its document. */
void cupel_scratch_free(struct cupel_scratch *scratch);

/* The details of a validation besides its verdict.  Frozen: this struct never changes. */
struct cupel_outcome {
    enum cupel_status reason; /* CUPEL_OK with a verdict; else why there is none */
    uint32_t reserved32;      /* 0 */
    uint64_t steps;           /* work done: the same on every machine */
    uint64_t reserved[4];     /* 0 */
    /* Where the text is wrong, if reason is of the group "Reading JSON"; otherwise not written. */
    struct cupel_error error;
};

/* Reads a JSON text (RFC 8259; `len` bytes of UTF-8, also a slice of a larger message) and runs the
 * program on it.  The text is not used after the call, unless CUPEL_INPUT_PADDED is set.  VALID;
 * INVALID; UNDECIDED with the reason in *ret: a status of the group "Reading JSON" if the text is
 * not JSON, a limit (CUPEL_E_LIMIT_…), CUPEL_E_ARGUMENT or CUPEL_E_NO_MEMORY. */
CUPEL_MUST_CHECK enum cupel_verdict cupel_validate(const struct cupel_program *program,
                                                   struct cupel_scratch *scratch, const char *text,
                                                   size_t len, struct cupel_outcome *ret);

/* Runs the program on a node of a document of the caller's, with the results of cupel_validate. */
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
 * negative or less than the one before it, or if an argument is NULL.  `base` is not used if all
 * texts are empty, nor `verdicts` if there are no texts. */
CUPEL_MUST_CHECK enum cupel_status cupel_validate_many(const struct cupel_program *program,
                                                       struct cupel_scratch *scratch,
                                                       const char *base, const int64_t *offsets,
                                                       size_t count, uint8_t *verdicts);

/* The number of bytes that the scratch and its document have allocated. */
size_t cupel_scratch_memory(const struct cupel_scratch *scratch);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
