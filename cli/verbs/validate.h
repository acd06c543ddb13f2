/* validate.h: a run of cupel validate, between validate.c and validate_print.c. */
#ifndef CUPEL_CLI_VALIDATE_H
#define CUPEL_CLI_VALIDATE_H

#include "cli/cli.h"

/* Made once for all documents. */
struct validation {
    struct cli_settings *settings;
    struct cli_schema schema;
    struct cupel_program *program; /* the schema's */
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_text out, errors, notes;
    struct cli_origin place;               /* the origin of the document at hand */
    uint32_t count;                        /* of the annotations so far */
    uint32_t documents[CLI_UNDECIDED + 1]; /* counted by exit status */
    uint32_t results;                      /* SARIF: of the results so far */
    const char *text;                      /* of the document at hand */
    size_t len;
};

/* Print what comes once, before and after all results. */
void cli_print_begin(struct validation *v);
void cli_print_end(struct validation *v);

/* Prints that a schema was accepted, where there is nothing else to do, or what cli_schema_open()
 * rendered of its faults. */
void cli_print_schema(struct validation *v, int status);

/* Renders the problems for cli_print_result().  Returns the verdict of the report. */
enum cupel_verdict cli_render_problems(struct validation *v);
/* Adds an annotation to the result; a cupel_on_annotation. */
int cli_add_note(void *ctx, const struct cupel_annotation *note);

/* Prints the result of one document; err is why there is none, or NULL. */
void cli_print_result(struct validation *v, const char *verdict, enum cupel_status reason,
                      const struct cupel_error *err);

#endif
