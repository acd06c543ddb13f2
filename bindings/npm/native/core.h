/* core.h: the library as JavaScript uses it, for the addon (addon.c) and the WebAssembly module
 * (wasm.c) alike.
 *
 * Numbers and bytes alone pass this interface.  A text goes in through the input buffer; structured
 * results come out as JSON in the output text, which JavaScript parses.  Objects that JavaScript
 * keeps (validators, catalogs) are numbers, handles, that never stand for two objects at one time.
 *
 *     char *input = core_input(core, validator, len);
 *     memcpy(input, text, len);
 *     int verdict = core_check(core, validator, len);
 *
 * Threads: a core belongs to one thread; each instance of the addon and of the module has its own.
 */
#ifndef CUPEL_NPM_CORE_H
#define CUPEL_NPM_CORE_H

#include <cupel/catalog.h>
#include <stddef.h>
#include <stdint.h>

struct core;

/* No object. */
#define CORE_NONE 0

/* Makes a core; `key` has the secret numbers for hashes.  NULL if there is no memory.  `sha256`
 * (cupel/catalog.h) may be NULL: then there are no digests. */
struct core *core_new(const uint64_t key[2], cupel_sha256 *sha256, void *ctx);

/* Gives a core, which has begun with predictable numbers, others.  Returns 0 if there is no memory.
 * For validators: catalogs that were made before keep their numbers. */
int core_rekey(struct core *core, const uint64_t key[2]);

/* Frees it and all objects in it. */
void core_free(struct core *core);

/* The version of the library. */
const char *core_version(void);

/* Room for an input of `len` bytes that the object `handle` is to judge, or, with CORE_NONE, for
 * any other input. NULL if the object's limits refuse an input of that length or there is no
 * memory: core_outcome says which. */
char *core_input(struct core *core, uint32_t handle, size_t len);

/* The bytes of the input buffer, at least 4,096 after the first call of core_input. */
size_t core_input_capacity(const struct core *core);

/* The output of the last function that has one; `*ret_len` bytes of UTF-8 that live until the next
 * call. */
const char *core_output(const struct core *core, size_t *ret_len);

/* Compiles the schema in the input: `schema_len` bytes, followed by `options_len` bytes of JSON, an
 * object of options (core.c lists them), or none.  Returns a handle, or CORE_NONE with an error
 * object in the output. */
uint32_t core_compile(struct core *core, size_t schema_len, size_t options_len);

/* Frees the object. Handles that are none are ignored. */
void core_release(struct core *core, uint32_t handle);

/* The bytes of memory that the object holds, roughly. */
size_t core_size(const struct core *core, uint32_t handle);

/* Judges the input: 0 valid, 1 invalid, 2 undecided or no JSON text (core_outcome says which), 3 no
 * such validator. */
int core_check(struct core *core, uint32_t validator, size_t len);

/* Writes the outcome of the last input as an object: the reason, the steps and, if the input is not
 * JSON, the place of the error. */
void core_outcome(struct core *core);

enum core_detail {
    CORE_PROBLEMS = 1 << 0, /* `errors`: each problem with its place */
    CORE_MODEL = 1 << 1,    /* `model`: the text for a language model */
    CORE_REPAIR = 1 << 2,   /* `repair`: how the value could be repaired */
    CORE_RESULT = 1 << 3    /* the text for a model speaks of a result, not of arguments */
};

/* Judges the input and writes an object with `verdict`, `reason` and the members that `details`
 * (bits of enum core_detail) select.  The input may be followed by `tool_len` bytes, the
 * name of a tool for the text for models. Returns the verdict, as core_check. */
int core_validate(struct core *core, uint32_t validator, size_t len, size_t tool_len,
                  uint32_t details);

/* The next two exist with CORE_WITH_TRACE alone, which the playground's module defines.
 *
 * Writes the program in words; `report` non-zero: the report program. */
void core_disassemble(struct core *core, uint32_t validator, int report);

/* Judges the input and writes the standard's output in the format "verbose", which names every
 * keyword that was evaluated. */
int core_trace(struct core *core, uint32_t validator, size_t len);

/* Bytes that the scratches hold; for tests of bounds. */
size_t core_memory(const struct core *core);

/* With CORE_WITHOUT_MCP defined, what follows is left out, and the library's MCP layer with it. */

/* -- Tools of the Model Context Protocol (mcp.c) --------------------------------------------- */

/* Makes a catalog of the list of tools in the input, followed by options as in core_compile.
 * Returns a handle and writes an array that describes the tools, or CORE_NONE with an error object.
 */
uint32_t core_catalog(struct core *core, size_t list_len, size_t options_len);

/* Judges a JSON-RPC message from a client, or a batch; writes an object with the verdict, the
 * answer to send back, and for each message what is known of it.  Returns enum cupel_call_verdict,
 * or -1 for no such catalog. */
int core_call(struct core *core, uint32_t catalog, size_t len);

/* Judges the response of a tool: the input is the response, followed by the name of the tool.
 * Writes an object with the verdict, the problems, and the error to pass on in place of what is not
 * valid. Returns enum cupel_result_verdict, or -1 for no such catalog or tool. */
int core_result(struct core *core, uint32_t catalog, size_t len, size_t tool_len);

/* Writes an array of the tools' digests, or an error object.  Returns whether there are digests. */
int core_pins(struct core *core, uint32_t catalog);

/* Writes the text of a lock file of the catalog, or an error object.  Returns whether there is a
 * lock. */
int core_lock(struct core *core, uint32_t catalog);

/* Compares the lock file in the input with the catalog: writes an array of changes, or an error
 * object.  Returns whether they could be compared. */
int core_lock_diff(struct core *core, uint32_t catalog, size_t len);

/* Looks for hidden text in the input: writes an object, or null where there is none.  `name`
 * non-zero: the input is a name. */
void core_hidden(struct core *core, size_t len, int name);

/* Writes the definition of a tool in the input as the target takes it, whose name follows, or an
 * error object. */
int core_export(struct core *core, size_t len, size_t target_len);

/* Writes the answer to the tools/list request in the input. */
int core_list(struct core *core, uint32_t catalog, size_t len, uint32_t page);

/* -- By number (invoke.c) -------------------------------------------------------------------- */

/* The functions above that have inputs or outputs.  JavaScript has these numbers too
 * (src/engine.ts). */
enum core_op {
    CORE_COMPILE = 1,
    CORE_OUTCOME = 2,
    CORE_VALIDATE = 3,
    CORE_DISASSEMBLE = 4,
    CORE_TRACE = 5,
    CORE_CATALOG = 10,
    CORE_CALL = 11,
    CORE_RESULT_OF = 12,
    CORE_LIST = 13,
    CORE_PINS = 14,
    CORE_LOCK = 15,
    CORE_LOCK_DIFF = 16,
    CORE_HIDDEN = 17,
    CORE_EXPORT = 18
};

/* Calls one of them: `len` bytes of input, followed by `more` bytes; `number` is its last argument.
 * Returns what it returns, or -1 for a function that this build does not have. */
int64_t core_invoke(struct core *core, enum core_op op, uint32_t handle, size_t len, size_t more,
                    uint32_t number);

#endif
