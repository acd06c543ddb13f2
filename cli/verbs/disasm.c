/* disasm.c: cupel disasm: lists the instructions of a schema or a stored image. */
#include "cli/cli.h"

#include <cupel/debug.h>
#include <string.h>

/* A schema is an object or a boolean, and no image begins with such a byte. */
static bool looks_like_schema(const struct cupel_text *text)
{
    for (size_t i = 0; i < text->len; i++)
        if (strchr(" \t\r\n", text->bytes[i]) == NULL || text->bytes[i] == '\0')
            return text->bytes[i] != '\0' && strchr("{tf", text->bytes[i]) != NULL;
    return true;
}

/* Loads an image or compiles a schema, by the first byte of the file, and prints the program that
 * --report selects. */
int cli_run_disasm(struct cli_settings *settings)
{
    struct cli_file file = {.name = NULL};
    struct cupel_text text;
    struct cupel_program *program = NULL;
    struct cupel_error err;
    int status;
    if (settings->count != 1)
        return cli_usage(CLI_VERB_DISASM);
    cupel_text_init(&text, NULL);
    status = cli_refs_begin(&settings->refs, settings->arguments[0], &settings->engine);
    if (status == CLI_VALID && !cli_read(settings->arguments[0], &file))
        status = CLI_INPUT;
    if (status != CLI_VALID)
        goto out;
    memset(&err, 0, sizeof(err));
    if (looks_like_schema(&file.text))
        err.status =
            cupel_compile(file.text.bytes, file.text.len, &settings->engine, &program, &err);
    else
        err.status = cupel_program_load(file.text.bytes, file.text.len, 0, &settings->engine,
                                        &program, &err);
    if (err.status != CUPEL_OK) {
        status = cli_schema_error(file.name, &err);
        goto out;
    }
    cupel_program_disasm(program, settings->report, &text);
    cli_flush(&text);
    status = CLI_VALID;
out:
    cupel_program_free(program);
    cupel_text_free(&text);
    cli_file_free(&file);
    return status;
}
