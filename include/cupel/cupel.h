/* cupel.h: JSON Schema compiled to bytecode, for programs that judge JSON from strangers.
 *
 * The five-line path:
 *
 *     struct cupel_program *program;
 *     struct cupel_scratch *scratch;
 *     struct cupel_error err;
 *     if (cupel_compile(schema, schema_len, NULL, &program, &err) != CUPEL_OK) …   // err says
 * where if (cupel_scratch_new(NULL, &scratch) != CUPEL_OK) … if (cupel_validate(program, scratch,
 * text, text_len, NULL) != CUPEL_VALID) reject();
 *
 * A schema is compiled once into a program, which is immutable and shared between threads; each
 * thread has a scratch, which it uses for every validation.  Both the compiler and the VM are
 * bounded (options.h), whatever the schema and the instance.
 *
 * JSON Schema:
 *
 *     options.h       bounds, switches, the allocator, the resolver of references
 *     compile.h       schema text to program
 *     program.h       stored images, disassembly
 *     validate.h      verdicts and messages
 *     report.h        what is wrong, as records
 *     messages.h      … and as texts, for people, models and programs
 *     repair.h        making it right, where there is one way to
 *     json.h          reading JSON and walking it
 *     builder.h       documents made value by value
 *
 * Tools of the Model Context Protocol:
 *
 *     gateway.h       all that a gateway needs, with a complete example
 *     mcp.h           definitions, and calls judged by them
 *     message.h       messages read one way by all receivers
 *     result.h        what a tool returned
 *     listing.h       what clients are shown of a catalog
 *     catalog_image.h a catalog as bytes, and back without compiling
 *     slot.h          replacing a catalog while other threads use it
 *     pin.h           recognising that a tool is not the one that was approved
 *     hidden.h        text that hides something
 *     identity.h      IDs and tags of tools beyond one server
 *     target.h        what vendors of models take of a tool
 *     elicitation.h   what servers may ask users for
 *     args.h          the argument schema of 2025-10-09
 *     declare.h       tools declared in C, for servers
 *
 * And for all: error.h statuses, text.h an output buffer, alloc.h the allocator.
 *
 * Two libraries: libcupel has all of it; libcupel-vm has what is needed to run stored images, which
 * is program.h without cupel_program_disasm, validate.h, report.h and json.h, with what those
 * include. */
#ifndef CUPEL_H
#define CUPEL_H

#include <cupel/alloc.h>
#include <cupel/args.h>
#include <cupel/builder.h>
#include <cupel/catalog_image.h>
#include <cupel/compile.h>
#include <cupel/debug.h>
#include <cupel/declare.h>
#include <cupel/elicitation.h>
#include <cupel/error.h>
#include <cupel/hidden.h>
#include <cupel/identity.h>
#include <cupel/json.h>
#include <cupel/listing.h>
#include <cupel/mcp.h>
#include <cupel/message.h>
#include <cupel/messages.h>
#include <cupel/options.h>
#include <cupel/pin.h>
#include <cupel/program.h>
#include <cupel/repair.h>
#include <cupel/report.h>
#include <cupel/result.h>
#include <cupel/slot.h>
#include <cupel/target.h>
#include <cupel/text.h>
#include <cupel/validate.h>

#define CUPEL_VERSION_MAJOR 0
#define CUPEL_VERSION_MINOR 1
#define CUPEL_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The version of the library that is linked, such as "0.1.0".  Static; any thread. */
const char *cupel_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
