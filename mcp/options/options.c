/* options.c: defaults of the options of functions on tools, and which of them are refused.  Each
 * list of sizes has an entry for every released version of its struct (base/options.h). */
#include "mcp/options/options.h"
#include "base/error.h"
#include "base/options.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const size_t mcp_sizes[] = {
#ifdef CUPEL_OLDER_STRUCTS_TEST
    offsetof(struct cupel_catalog_options, previous), /* tests/api/growth.c */
#endif
    sizeof(struct cupel_catalog_options)};
static const size_t args_sizes[] = {
#ifdef CUPEL_OLDER_STRUCTS_TEST
    offsetof(struct cupel_argument_schema_options, flags),
#endif
    sizeof(struct cupel_argument_schema_options)};
static const size_t request_sizes[] = {
#ifdef CUPEL_OLDER_STRUCTS_TEST
    offsetof(struct cupel_request_options, batch),
#endif
    sizeof(struct cupel_request_options)};

static enum cupel_status refuse(struct cupel_error *err, const char *what)
{
    return cupel__error_set(err, CUPEL_E_ARGUMENT, "%s", what);
}

enum cupel_status cupel__mcp_refuse_null(struct cupel_error *err)
{
    return refuse(err, "an argument is NULL");
}

static const char not_initialized[] = "the options were not initialized, or are of a newer version";

static bool known_profile(enum cupel_mcp_profile profile)
{
    switch (profile) {
    case CUPEL_MCP_2024_11_05:
    case CUPEL_MCP_2025_03_26:
    case CUPEL_MCP_2025_06_18:
    case CUPEL_MCP_2025_11_25:
    case CUPEL_MCP_2026_07_28:
        return true;
    }
    return false;
}

/* -- Catalogs -------------------------------------------------------------------------------------
 */

static const struct cupel_catalog_options mcp_defaults = {
    .size = sizeof(mcp_defaults),
    .profile = CUPEL_MCP_2026_07_28,
    .catalog_bytes = (size_t)16 << 20,
    .catalog_depth = 2048,
    .tools = 10000,
};

void cupel_catalog_options_init_sized(struct cupel_catalog_options *options, size_t size)
{
    cupel__struct_init(options, size, &mcp_defaults, sizeof(mcp_defaults));
}

/* Why the options are refused, or NULL. */
static const char *mcp_fault(const struct cupel_catalog_options *options)
{
    const uint32_t flags = CUPEL_CATALOG_STRICT_NAMES | CUPEL_CATALOG_STRICT_DIALECTS |
                           CUPEL_CATALOG_STRICT_TEXT | CUPEL_CATALOG_EXACT_ARGUMENTS;
    if (!known_profile(options->profile))
        return "the options have a version of the specification that this library does not know";
    if ((options->flags & ~flags) != 0)
        return "the options have a flag that this version does not know";
    if ((unsigned)options->names > CUPEL_NAMES_PORTABLE)
        return "the options have rules of names that this version does not know";
    if ((unsigned)options->target > CUPEL_TARGET_GEMINI)
        return "the options have a target that this version does not know";
    return NULL;
}

enum cupel_status cupel__mcp_options_copy(const struct cupel_catalog_options *given,
                                          struct cupel_catalog_options *ret,
                                          struct cupel_options *ret_engine, struct cupel_error *err)
{
    *ret = mcp_defaults;
    if (given != NULL && !cupel__struct_copy(ret, given, mcp_sizes, COUNT(mcp_sizes)))
        return refuse(err, not_initialized);
    const char *fault = mcp_fault(ret);
    if (fault != NULL)
        return refuse(err, fault);
    enum cupel_status status = cupel__options_copy(ret->engine, ret_engine, err);
    ret_engine->base_uri = NULL; /* the schemas of tools have no URI in common */
    ret->engine = ret_engine;
    return status;
}

/* -- Argument schemas -----------------------------------------------------------------------------
 */

static const struct cupel_argument_schema_options args_defaults = {.size = sizeof(args_defaults)};

void cupel_argument_schema_options_init_sized(struct cupel_argument_schema_options *options,
                                              size_t size)
{
    cupel__struct_init(options, size, &args_defaults, sizeof(args_defaults));
}

enum cupel_status cupel__args_options_copy(const struct cupel_argument_schema_options *given,
                                           struct cupel_argument_schema_options *ret,
                                           struct cupel_options *ret_engine,
                                           struct cupel_error *err)
{
    const uint32_t flags = CUPEL_ARGS_STRICT_INTEGER | CUPEL_ARGS_NULL_IS_ABSENT;
    *ret = args_defaults;
    if (given != NULL && !cupel__struct_copy(ret, given, args_sizes, COUNT(args_sizes)))
        return refuse(err, not_initialized);
    if ((ret->flags & ~flags) != 0 || ret->reserved != 0)
        return refuse(err, "the options have a flag that this version does not know");
    enum cupel_status status = cupel__options_copy(ret->engine, ret_engine, err);
    ret_engine->base_uri = NULL;
    ret->engine = ret_engine;
    return status;
}

/* -- Requests -------------------------------------------------------------------------------------
 */

static const struct cupel_request_options request_defaults = {.size = sizeof(request_defaults),
                                                              .batch = UINT32_MAX};

void cupel_request_options_init_sized(struct cupel_request_options *options, size_t size)
{
    cupel__struct_init(options, size, &request_defaults, sizeof(request_defaults));
}

enum cupel_status cupel__request_options_copy(const struct cupel_request_options *given,
                                              struct cupel_request_options *ret,
                                              struct cupel_error *err)
{
    const uint32_t flags = CUPEL_REQUEST_FIELDS | CUPEL_REQUEST_FIELDS_NEEDED |
                           CUPEL_REQUEST_EXACT_ARGUMENTS | CUPEL_REQUEST_CALLS;
    *ret = request_defaults;
    if (given != NULL && !cupel__struct_copy(ret, given, request_sizes, COUNT(request_sizes)))
        return refuse(err, not_initialized);
    if ((int)ret->profile != 0 && !known_profile(ret->profile))
        return refuse(
            err, "the options have a version of the specification that this library does not know");
    if ((ret->flags & ~flags) != 0)
        return refuse(err, "the options have a flag that this version does not know");
    if (ret->headers == NULL && ret->header_count != 0)
        return refuse(err, "the options count header fields and have none");
    return CUPEL_OK;
}
