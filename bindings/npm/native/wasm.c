/* wasm.c: the exports of the WebAssembly module.
 *
 * An instance has one core.  JavaScript writes an input at the address that `input` returns, calls
 * a function with its length, and reads an output at `output_bytes` and `output_length`.  Memory
 * may grow in any call, so JavaScript makes its view of it anew when its size has changed.
 *
 * The module imports one function, `cupel.sha256`, and that only with tools.  The C library would
 * import functions for its streams, which nothing here writes to; they are defined at the end. */
#include "core.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name))) wasm_##name

static struct core *core;

/* -- The instance ---------------------------------------------------------------------------- */

#ifdef CORE_WITHOUT_MCP
static cupel_sha256 *const sha256 = NULL;
#else
__attribute__((import_module("cupel"), import_name("sha256"))) int
host_sha256(const char *bytes, size_t len, unsigned char *ret_digest);

static int sha256(void *ctx, const char *bytes, size_t len, unsigned char *ret_digest)
{
    (void)ctx;
    return host_sha256(bytes, len, ret_digest);
}
#endif

/* Makes the core; the words are the secret numbers for hashes.  Returns whether there was memory.
 */
int EXPORT(begin)(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint64_t key[2] = {(uint64_t)a << 32 | b, (uint64_t)c << 32 | d};
    if (core != NULL)
        return core_rekey(core, key);
    core = core_new(key, sha256, NULL);
    return core != NULL;
}

const char *EXPORT(version)(void)
{
    return core_version();
}

char *EXPORT(input)(uint32_t handle, size_t len)
{
    return core_input(core, handle, len);
}

const char *EXPORT(output_bytes)(void)
{
    size_t len;
    return core_output(core, &len);
}

size_t EXPORT(output_length)(void)
{
    size_t len;
    (void)core_output(core, &len);
    return len;
}

void EXPORT(release)(uint32_t handle)
{
    core_release(core, handle);
}

size_t EXPORT(size)(uint32_t handle)
{
    return core_size(core, handle);
}

size_t EXPORT(scratch_bytes)(void)
{
    return core_memory(core);
}

/* -- Validators ------------------------------------------------------------------------------ */

int EXPORT(check)(uint32_t validator, size_t len)
{
    return core_check(core, validator, len);
}

/* core_invoke; what it returns fits a double. */
double EXPORT(invoke)(uint32_t op, uint32_t handle, size_t len, size_t more, uint32_t number)
{
    return (double)core_invoke(core, (enum core_op)op, handle, len, more, number);
}

/* -- The C library's streams ----------------------------------------------------------------- */

/* vsnprintf brings functions of streams along, which would import these from the host.  Nothing
 * calls them. */
#define NOSYS 52 /* of enum __wasi_errno_t */

int __imported_wasi_snapshot_preview1_fd_close(int fd);
int __imported_wasi_snapshot_preview1_fd_close(int fd)
{
    (void)fd;
    return NOSYS;
}

int __imported_wasi_snapshot_preview1_fd_seek(int fd, int64_t offset, int whence, int ret);
int __imported_wasi_snapshot_preview1_fd_seek(int fd, int64_t offset, int whence, int ret)
{
    (void)fd, (void)offset, (void)whence, (void)ret;
    return NOSYS;
}

int __imported_wasi_snapshot_preview1_fd_write(int fd, int vectors, int count, int ret);
int __imported_wasi_snapshot_preview1_fd_write(int fd, int vectors, int count, int ret)
{
    (void)fd, (void)vectors, (void)count, (void)ret;
    return NOSYS;
}
