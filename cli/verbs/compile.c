/* compile.c: cupel compile: writes an image, the same as C source, or the intermediate
 * representation. */
#include "cli/cli.h"

#include <cupel/debug.h>
#include <stdlib.h>
#include <string.h>

/* Writes an array for cupel_program_load() with CUPEL_LOAD_BORROW; hence its alignment. */
static int write_c_array(const char *path, const void *image, size_t len)
{
    const unsigned char *bytes = image;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_addf(&text, "/* A program of cupel %s; load it with cupel_program_load. */\n",
                    cupel_version());
    cupel_text_addf(&text, "static const _Alignas(8) unsigned char cupel_image[%zu] = {", len);
    for (size_t i = 0; i < len; i++)
        cupel_text_addf(&text, "%s%u,", i % 24 == 0 ? "\n    " : "", bytes[i]);
    cupel_text_adds(&text, "\n};\n");
    int status = text.failed ? CLI_INTERNAL : cli_write(path, text.bytes, text.len);
    cupel_text_free(&text);
    return status;
}

/* Writes the intermediate representation after the pass of --dump. */
static int dump(struct cli_settings *settings, const char *path)
{
    struct cli_file file = {.name = NULL};
    struct cupel_text text;
    struct cupel_error err;
    cupel_text_init(&text, NULL);
    int status = cli_refs_begin(&settings->refs, path, &settings->engine);
    if (status == CLI_VALID && !cli_read(path, &file))
        status = CLI_INPUT;
    if (status != CLI_VALID)
        goto out;
    memset(&err, 0, sizeof(err));
    err.status = cupel_compile_dump(file.text.bytes, file.text.len, settings->dump,
                                    &settings->engine, &text, &err);
    if (err.status == CUPEL_E_ARGUMENT) {
        cli_print_error("--dump: there is no pass \"%s\"", settings->dump);
        status = CLI_USAGE;
    } else if (err.status != CUPEL_OK) {
        status = cli_schema_error(file.name, &err);
    } else {
        struct cupel_text shown;
        cupel_text_init(&shown, NULL);
        cupel_text_add_escaped(&shown, text.bytes, text.len, SIZE_MAX, CUPEL_TEXT_LINES);
        status = text.failed || shown.failed ? CLI_INTERNAL
                                             : cli_write(settings->output, shown.bytes, shown.len);
        cupel_text_free(&shown);
    }
out:
    cupel_text_free(&text);
    cli_file_free(&file);
    return status;
}

/* Without --output: prints the size that the image would have. */
static void print_sizes(const char *path, const struct cupel_program *program, size_t len)
{
    struct cupel_program_info info;
    cupel_program_info(program, &info);
    cli_line(stdout,
             "%s: %zu bytes: verdict %zu (strings %zu), report %zu; %u instructions, %u patterns",
             path, len, info.image_bytes, info.string_bytes, info.report_bytes,
             (unsigned)info.instructions, (unsigned)info.patterns);
}

/* Writes an image with --output, the IR with --dump; otherwise prints sizes. */
int cli_run_compile(struct cli_settings *settings)
{
    struct cupel_program *program = NULL;
    size_t len;
    if (settings->count != 1)
        return cli_usage(CLI_VERB_COMPILE);
    if (settings->dump != NULL)
        return dump(settings, settings->arguments[0]);
    int status = cli_compile_file(settings, settings->arguments[0], &program);
    if (status != CLI_VALID)
        return status;
    const void *image = cupel_program_image(program, &len);
    if (settings->emit == CLI_EMIT_C_ARRAY)
        status = write_c_array(settings->output, image, len);
    else if (settings->output != NULL)
        status = cli_write(settings->output, image, len);
    else
        print_sizes(settings->arguments[0], program, len);
    cupel_program_free(program);
    return status;
}
