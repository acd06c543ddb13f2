/* repair_print.c: the repair of an invalid instance, as JSON. */
#include "cli/cli.h"

/* Appends a JSON text on one line.  Line breaks in it are white space: strings have them as
 * escapes. */
static void add(struct cupel_text *text, const char *name, const struct cupel_text *value)
{
    for (size_t i = 0; i < value->len; i++)
        if (value->bytes[i] == '\n' || value->bytes[i] == '\r')
            value->bytes[i] = ' ';
    cupel_text_addf(text, ",\"%s\":", name);
    cupel_text_add(text, value->len != 0 ? value->bytes : "null", value->len != 0 ? value->len : 4);
}

/* Reads the instance again with a scratch of its own: repairing replaces the records of the
 * caller's. */
void cli_json_repair(struct cupel_text *text, const struct cupel_options *options,
                     const struct cupel_program *program, const char *instance, size_t len)
{
    struct cupel_document *doc = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_text patch, value;
    enum cupel_repair_result result = CUPEL_REPAIR_UNDECIDED;
    struct cupel_outcome outcome = {.reason = CUPEL_E_NO_MEMORY};
    cupel_text_init(&patch, NULL);
    cupel_text_init(&value, NULL);
    if (cupel_document_new(options, &doc) == CUPEL_OK &&
        cupel_scratch_new(options, &scratch) == CUPEL_OK &&
        cupel_document_read(doc, instance, len, NULL) == CUPEL_OK)
        result = cupel_repair(program, scratch, doc, 0, &patch, &value, &outcome);
    cupel_text_addf(text, "{\"result\":\"%s\"", cupel_repair_name(result));
    if (result == CUPEL_REPAIR_UNDECIDED)
        cli_json_string(text, "reason", cupel_status_name(outcome.reason));
    add(text, "patch", &patch);
    add(text, "value", &value);
    cupel_text_adds(text, "}");
    cupel_document_free(doc);
    cupel_scratch_free(scratch);
    cupel_text_free(&patch);
    cupel_text_free(&value);
}
