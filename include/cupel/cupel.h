/* cupel.h: includes all headers of the library but debug.h.
 *
 *     struct cupel_program *program;
 *     struct cupel_scratch *scratch;
 *     struct cupel_error err;
 *     if (cupel_compile(schema, schema_len, NULL, &program, &err) != CUPEL_OK)
 *         fail(err.detail);
 *     if (cupel_scratch_new(NULL, &scratch) != CUPEL_OK)
 *         fail("no memory");
 *     if (cupel_validate(program, scratch, text, text_len, NULL) != CUPEL_VALID)
 *         reject();
 *
 * A schema is compiled once into a program, which is immutable and shared between threads; each
 * thread has a scratch, which it uses for every validation.  Both the compiler and the VM are
 * bounded (common.h) for every schema and instance.
 *
 *     common.h    the allocator, statuses, options, bounds, output texts
 *     json.h      documents: reading JSON, making it value by value, looking into it
 *
 * JSON Schema:
 *
 *     program.h   compiling schemas, storing and loading programs
 *     validate.h  verdicts
 *     report.h    the problems of an instance, and annotations
 *     messages.h  problems as texts, for people, models and programs
 *     fault.h     why a schema or a text was refused, and what to write
 *     repair.h    changes that make an instance valid
 *
 * Tools of the Model Context Protocol:
 *
 *     gateway.h   all that a gateway needs, with a complete example
 *     catalog.h   the tools of a server: checking, storing, replacing under load
 *     call.h      requests and results
 *     listing.h   tools/list, and catalogs for a user
 *     pin.h       digests of tools, lock files
 *     protocol.h  JSON-RPC messages
 *     checks.h    hidden text, schema subsets of vendors of models, elicitation
 *     args.h      the argument schema of 2025-10-09
 *     declare.h   tools declared in C, for servers
 *
 * There are two libraries.  libcupel has all functions.  libcupel-vm has those that run stored
 * programs; the headers name them.
 *
 * Threads: programs and catalogs are immutable and shared; scratches, documents, call contexts and
 * texts belong to one thread at a time. */
#ifndef CUPEL_H
#define CUPEL_H

#include <cupel/args.h>
#include <cupel/call.h>
#include <cupel/catalog.h>
#include <cupel/checks.h>
#include <cupel/common.h>
#include <cupel/declare.h>
#include <cupel/fault.h>
#include <cupel/json.h>
#include <cupel/listing.h>
#include <cupel/messages.h>
#include <cupel/pin.h>
#include <cupel/program.h>
#include <cupel/protocol.h>
#include <cupel/repair.h>
#include <cupel/report.h>
#include <cupel/validate.h>

#define CUPEL_VERSION_MAJOR 0
#define CUPEL_VERSION_MINOR 1
#define CUPEL_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The version of the linked library, such as "0.1.0".  Never NULL; static. */
const char *cupel_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
