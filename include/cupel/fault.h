/* fault.h: all faults of a schema, or of a text that is not JSON, with corrections.
 *
 *     static int print(void *ctx, const struct cupel_fault *f) { puts(f->detail); return 0; }
 *     …
 *     if (cupel_compile(schema, len, NULL, &program, &err) != CUPEL_OK)
 *         cupel_schema_check(schema, len, NULL, print, NULL);
 *
 * A struct cupel_error has the first reason why a function refused its input.  The functions here
 * find all reasons, for the person who has to correct the input.  They accept and refuse the same
 * input as the functions that they explain.
 *
 * Threads: any thread may call these functions, several at the same time. */
#ifndef CUPEL_FAULT_H
#define CUPEL_FAULT_H

#include <cupel/common.h>
#include <cupel/messages.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A fault, or a warning: something that is allowed and probably a mistake.  All strings are
 * NUL-terminated UTF-8 without control characters, cut short with "…" where they do not fit, and
 * may be empty. */
struct cupel_fault {
    enum cupel_status status;
    int is_warning;
    uint32_t line, column; /* counted from 1, columns in code points; 0: no place in a text */
    uint64_t offset;       /* of the fault, in bytes from the start of the text */
    uint64_t length;       /* of the fault, in bytes */
    char document[256];    /* the URI of the document, "" of the text itself */
    char where[256];       /* JSON Pointer into the document */
    char kind[32];         /* an id, such as "trailing-comma", or the name of the status */
    char detail[512];      /* one sentence without a full stop */
    char help[512];        /* what to do */
    char replacement[256]; /* text for those bytes, if one is certain */
};

/* Called for each fault; a non-zero return stops the calls.  The fault is valid until it returns.
 */
typedef int cupel_on_fault(void *ctx, const struct cupel_fault *fault);

/* Finds the faults of a schema, at most 64, and warns of names that are one edit from a keyword's
 * or that the dialect does not know.  The text and the options are those of cupel_compile, whose
 * limits apply to each of at most 64 attempts.  The statuses of cupel_compile: that of the first
 * fault, or CUPEL_OK. */
enum cupel_status cupel_schema_check(const char *schema, size_t len,
                                     const struct cupel_options *options, cupel_on_fault *on_fault,
                                     void *ctx);

/* Explains why a text could not be read.  `err` is the error of the function that read it.  The
 * place is the one to correct; if a string or bracket is not closed, that is where it was opened.
 * Takes time linear in the text. */
void cupel_text_explain(const char *text, size_t len, const struct cupel_error *err,
                        struct cupel_fault *ret);

/* Appends a fault in the form in which a rendering has problems.  `text` is the text with the
 * fault, of which HUMAN shows lines.  MODEL and the standard's formats have no form for faults, and
 * append nothing.
 * NULL: text. */
void cupel_render_fault(enum cupel_rendering rendering, const struct cupel_fault *fault,
                        const char *text, size_t len, const struct cupel_render_options *options,
                        struct cupel_text *ret);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
