/* compile.h: from a JSON Schema to a program. */
#ifndef CUPEL_COMPILE_H
#define CUPEL_COMPILE_H

#include <cupel/json.h>
#include <cupel/program.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Compiles a schema: `len` bytes of JSON text in UTF-8 (JSON Schema core 2020-12, or the dialect
 * that `$schema` or options->dialect names).  NULL options are the defaults.  Any thread; nothing
 * is shared between two compilations, `$id`s included.  The caller frees the program.
 *
 * CUPEL_OK, or with the place in the schema in *err (which may be NULL):
 *   a status of the group "Reading JSON"     the text is not JSON
 *   CUPEL_E_SCHEMA                           a keyword's value is wrong
 *   CUPEL_E_DIALECT, CUPEL_E_UNRESOLVED_REF, CUPEL_E_REF_CYCLE, CUPEL_E_IDENTIFIER, CUPEL_E_PATTERN
 *   CUPEL_E_UNSUPPORTED                      a feature this version does not implement
 *   CUPEL_E_SCHEMA_DEPTH, CUPEL_E_SCHEMA_SIZE, CUPEL_E_IMAGE_SIZE   a limit
 *   CUPEL_E_NO_MEMORY, CUPEL_E_INTERNAL */
enum cupel_status cupel_compile(const char *schema, size_t len, const struct cupel_options *options,
                                struct cupel_program **ret, struct cupel_error *err);

/* The same for a schema that is node `node` of a document already read, such as the `inputSchema`
 * in a tools/list result.  Pointers in *err begin at that node; line, column and offset are the
 * document's. */
enum cupel_status cupel_compile_node(struct cupel_document *doc, uint32_t node,
                                     const struct cupel_options *options,
                                     struct cupel_program **ret, struct cupel_error *err);

/* Appends the compiler's intermediate form after the pass `pass` ("lower" for before any; see
 * docs/ir.md).  CUPEL_E_ARGUMENT if there is no such pass; otherwise as cupel_compile. */
enum cupel_status cupel_compile_dump(const char *schema, size_t len,
                                     const struct cupel_options *options, const char *pass,
                                     struct cupel_text *text, struct cupel_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
