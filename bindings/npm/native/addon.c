/* addon.c: the addon for Node.js and other hosts of Node-API 8.
 *
 * Each call of `begin` makes a core that belongs to its environment (the main thread or a worker
 * thread) and lives as long, so nothing is shared and nothing locked.  An input is copied into the
 * core's buffer before it is judged: bytes that another thread can write to (SharedArrayBuffer) are
 * therefore safe.
 *
 * JavaScript (src/engine-native.ts) passes arguments of the right types; a wrong one gives
 * undefined, never a fault. */
#include "core.h"

#define NAPI_VERSION 8
#include <node_api.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct addon {
    struct addon *next; /* of the same environment */
    struct core *core;
    napi_ref sha256; /* a function from bytes to a digest, or NULL */
    napi_env env;
    int64_t reported; /* bytes reported to the garbage collector (napi_adjust_external_memory) */
};

enum { MOST_ARGUMENTS = 5, DIGEST = 32 };

/* -- Inputs ---------------------------------------------------------------------------------- */

/* A text from JavaScript: a string, or the bytes of a Uint8Array. */
struct given {
    napi_value value;
    const void *bytes; /* NULL: a string */
    size_t len;
};

static bool given_read(napi_env env, napi_value value, struct given *ret)
{
    bool is_array;
    ret->value = value;
    ret->bytes = NULL;
    if (napi_get_value_string_utf8(env, value, NULL, 0, &ret->len) == napi_ok)
        return true;
    napi_typedarray_type type;
    void *bytes;
    if (napi_is_typedarray(env, value, &is_array) != napi_ok || !is_array ||
        napi_get_typedarray_info(env, value, &type, &ret->len, &bytes, NULL, NULL) != napi_ok ||
        type != napi_uint8_array)
        return false;
    ret->bytes = ret->len > 0 ? bytes : "";
    return true;
}

/* Writes it to a buffer, which has room for a NUL behind it. */
static void given_write(napi_env env, const struct given *given, char *to)
{
    size_t written;
    if (given->bytes == NULL)
        napi_get_value_string_utf8(env, given->value, to, given->len + 1, &written);
    else
        memcpy(to, given->bytes, given->len);
}

/* -- Judging --------------------------------------------------------------------------------- */

static napi_value number(napi_env env, double value)
{
    napi_value ret = NULL;
    napi_create_double(env, value, &ret);
    return ret;
}

static napi_value verdict(napi_env env, int value)
{
    napi_value ret = NULL;
    napi_create_int32(env, value, &ret);
    return ret;
}

enum { UNDECIDED = 2 };

/* check(handle, bytes): core_check. */
static napi_value check(napi_env env, napi_callback_info info)
{
    napi_value argv[2];
    size_t argc = 2, len;
    void *data, *bytes;
    uint32_t handle;
    napi_typedarray_type type;
    if (napi_get_cb_info(env, info, &argc, argv, NULL, &data) != napi_ok ||
        napi_get_value_uint32(env, argv[0], &handle) != napi_ok ||
        napi_get_typedarray_info(env, argv[1], &type, &len, &bytes, NULL, NULL) != napi_ok ||
        type != napi_uint8_array)
        return NULL;
    struct addon *addon = data;
    char *input = core_input(addon->core, handle, len);
    if (input == NULL)
        return verdict(env, UNDECIDED);
    if (len > 0)
        memcpy(input, bytes, len);
    return verdict(env, core_check(addon->core, handle, len));
}

/* checkText(handle, string): the same.  The string is written to the buffer as it is; one that may
 * have been cut there, before a character of up to four bytes, is measured and written again. */
static napi_value check_text(napi_env env, napi_callback_info info)
{
    napi_value argv[2];
    size_t argc = 2, len, room;
    void *data;
    uint32_t handle;
    if (napi_get_cb_info(env, info, &argc, argv, NULL, &data) != napi_ok ||
        napi_get_value_uint32(env, argv[0], &handle) != napi_ok)
        return NULL;
    struct addon *addon = data;
    char *input = core_input(addon->core, handle, 1);
    if (input == NULL)
        return verdict(env, UNDECIDED);
    room = core_input_capacity(addon->core);
    if (napi_get_value_string_utf8(env, argv[1], input, room + 1, &len) != napi_ok)
        return NULL;
    if (len + 4 > room) {
        napi_get_value_string_utf8(env, argv[1], NULL, 0, &len);
        input = core_input(addon->core, handle, len);
        if (input == NULL)
            return verdict(env, UNDECIDED);
        napi_get_value_string_utf8(env, argv[1], input, len + 1, &len);
    }
    return verdict(env, core_check(addon->core, handle, len));
}

/* -- Everything else ------------------------------------------------------------------------- */

/* Tells the garbage collector how much memory validators hold, so that it collects them in time. */
static void report_memory(struct addon *addon, int64_t change)
{
    int64_t ignored;
    addon->reported += change;
    napi_adjust_external_memory(addon->env, change, &ignored);
}

/* invoke(op, handle, text, more, number): core_invoke. */
static napi_value invoke(napi_env env, napi_callback_info info)
{
    napi_value argv[MOST_ARGUMENTS];
    size_t argc = MOST_ARGUMENTS;
    void *data;
    uint32_t op, handle, last;
    struct given text, more;
    if (napi_get_cb_info(env, info, &argc, argv, NULL, &data) != napi_ok ||
        napi_get_value_uint32(env, argv[0], &op) != napi_ok ||
        napi_get_value_uint32(env, argv[1], &handle) != napi_ok ||
        !given_read(env, argv[2], &text) || !given_read(env, argv[3], &more) ||
        napi_get_value_uint32(env, argv[4], &last) != napi_ok)
        return NULL;
    struct addon *addon = data;
    addon->env = env;
    char *input = core_input(addon->core, handle, text.len + more.len);
    if (input == NULL)
        return number(env, -1);
    given_write(env, &text, input);
    given_write(env, &more, input + text.len);
    int64_t result = core_invoke(addon->core, (enum core_op)op, handle, text.len, more.len, last);
    if ((op == CORE_COMPILE || op == CORE_CATALOG) && result > 0)
        report_memory(addon, (int64_t)core_size(addon->core, (uint32_t)result));
    return number(env, (double)result);
}

static napi_value output(napi_env env, napi_callback_info info)
{
    void *data;
    size_t len, argc = 0;
    napi_value ret = NULL;
    if (napi_get_cb_info(env, info, &argc, NULL, NULL, &data) != napi_ok)
        return NULL;
    const char *bytes = core_output(((struct addon *)data)->core, &len);
    napi_create_string_utf8(env, bytes, len, &ret);
    return ret;
}

static napi_value release(napi_env env, napi_callback_info info)
{
    napi_value argv[1];
    size_t argc = 1;
    void *data;
    uint32_t handle;
    if (napi_get_cb_info(env, info, &argc, argv, NULL, &data) == napi_ok &&
        napi_get_value_uint32(env, argv[0], &handle) == napi_ok) {
        struct addon *addon = data;
        addon->env = env;
        report_memory(addon, -(int64_t)core_size(addon->core, handle));
        core_release(addon->core, handle);
    }
    return NULL;
}

/* memory(): bytes of all scratches and buffers. */
static napi_value memory(napi_env env, napi_callback_info info)
{
    void *data;
    size_t argc = 0;
    if (napi_get_cb_info(env, info, &argc, NULL, NULL, &data) != napi_ok)
        return NULL;
    return number(env, (double)core_memory(((struct addon *)data)->core));
}

/* -- SHA-256 --------------------------------------------------------------------------------- */

/* Calls the host's function; a cupel_sha256.  An exception that it throws stays pending, and ends
 * the call of `invoke`. */
static int sha256(void *ctx, const char *bytes, size_t len, unsigned char *ret_digest)
{
    struct addon *addon = ctx;
    napi_env env = addon->env;
    napi_value function, receiver, argument, digest;
    napi_typedarray_type type;
    void *copy, *result;
    size_t digest_len;
    napi_handle_scope scope;
    if (addon->sha256 == NULL || napi_open_handle_scope(env, &scope) != napi_ok)
        return -1;
    bool ok =
        napi_get_reference_value(env, addon->sha256, &function) == napi_ok &&
        napi_get_undefined(env, &receiver) == napi_ok &&
        napi_create_buffer_copy(env, len, bytes, &copy, &argument) == napi_ok &&
        napi_call_function(env, receiver, function, 1, &argument, &digest) == napi_ok &&
        napi_get_typedarray_info(env, digest, &type, &digest_len, &result, NULL, NULL) == napi_ok &&
        type == napi_uint8_array && digest_len == DIGEST;
    if (ok)
        memcpy(ret_digest, result, DIGEST);
    napi_close_handle_scope(env, scope);
    return ok ? 0 : -1;
}

/* -- Loading --------------------------------------------------------------------------------- */

/* The addons of an environment, which are freed when it ends. */
struct list {
    struct addon *first;
};

static void list_free(napi_env env, void *data, void *hint)
{
    struct list *list = data;
    (void)env, (void)hint;
    while (list->first != NULL) {
        struct addon *addon = list->first;
        list->first = addon->next;
        core_free(addon->core);
        free(addon);
    }
    free(list);
}

/* begin(key, sha256): makes a core and returns its functions.  `key` is a
 * Uint8Array of 16 random bytes. */
static napi_value begin(napi_env env, napi_callback_info info)
{
    napi_value argv[2], ret, version;
    size_t argc = 2, len;
    void *bytes;
    napi_typedarray_type type;
    napi_valuetype given;
    uint64_t key[2];
    void *data;
    if (napi_get_cb_info(env, info, &argc, argv, NULL, &data) != napi_ok ||
        napi_get_typedarray_info(env, argv[0], &type, &len, &bytes, NULL, NULL) != napi_ok ||
        type != napi_uint8_array || len != sizeof key)
        return NULL;
    memcpy(key, bytes, sizeof key);
    struct addon *addon = calloc(1, sizeof *addon);
    if (addon == NULL || (addon->core = core_new(key, sha256, addon)) == NULL) {
        free(addon);
        napi_throw_error(env, NULL, "there is no memory");
        return NULL;
    }
    struct list *list = data;
    addon->env = env;
    addon->next = list->first;
    list->first = addon;
    if (napi_typeof(env, argv[1], &given) == napi_ok && given == napi_function)
        napi_create_reference(env, argv[1], 1, &addon->sha256);
    const napi_property_descriptor functions[] = {
        {"check", NULL, check, NULL, NULL, NULL, napi_enumerable, addon},
        {"checkText", NULL, check_text, NULL, NULL, NULL, napi_enumerable, addon},
        {"invoke", NULL, invoke, NULL, NULL, NULL, napi_enumerable, addon},
        {"output", NULL, output, NULL, NULL, NULL, napi_enumerable, addon},
        {"release", NULL, release, NULL, NULL, NULL, napi_enumerable, addon},
        {"memory", NULL, memory, NULL, NULL, NULL, napi_enumerable, addon}};
    if (napi_create_object(env, &ret) != napi_ok ||
        napi_define_properties(env, ret, sizeof functions / sizeof *functions, functions) !=
            napi_ok)
        return NULL;
    if (napi_create_string_utf8(env, core_version(), NAPI_AUTO_LENGTH, &version) == napi_ok)
        napi_set_named_property(env, ret, "version", version);
    return ret;
}

NAPI_MODULE_INIT()
{
    napi_value function;
    struct list *list = calloc(1, sizeof *list);
    if (list == NULL)
        return exports;
    if (napi_set_instance_data(env, list, list_free, NULL) != napi_ok)
        free(list);
    else if (napi_create_function(env, "begin", NAPI_AUTO_LENGTH, begin, list, &function) ==
             napi_ok)
        napi_set_named_property(env, exports, "begin", function);
    return exports;
}
