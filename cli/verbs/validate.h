/* validate.h: judging an instance, between verbs/validate.c and what prints the result. */
#ifndef CUPEL_CLI_VALIDATE_H
#define CUPEL_CLI_VALIDATE_H

#include "cli/cli.h"

/* What judging needs, made once for all instances. */
struct judge {
    struct cli_settings *settings;
    struct cupel_program *program;
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_text out, errors, notes;
    struct cli_origin place; /* of the document that is being judged */
    uint32_t count;          /* of the notes so far */
    uint32_t results;        /* of SARIF so far */
    const char *text;        /* that is being judged */
    size_t len;
};

/* What is printed once, around all results. */
void cli_print_begin(struct judge *judge);
void cli_print_end(struct judge *judge);

/* Renders what is wrong, for cli_print_result.  The verdict of the report. */
enum cupel_verdict cli_render_problems(struct judge *judge);
/* Adds an annotation to the result; a cupel_on_annotation. */
int cli_add_note(void *ctx, const struct cupel_annotation *note);

/* Prints the result of one document; err (may be NULL) says why there is none. */
void cli_print_result(struct judge *judge, const char *verdict, enum cupel_status reason,
                      const struct cupel_error *err);

#endif
