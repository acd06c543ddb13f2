/* options.h: how functions on tools read the options that their callers fill in. */
#ifndef CUPEL_MCP_OPTIONS_OPTIONS_H
#define CUPEL_MCP_OPTIONS_OPTIONS_H

#include "base/options.h"

#include <cupel/args.h>
#include <cupel/call.h>
#include <cupel/catalog.h>

/* Each function copies options that a caller gave, or the defaults for NULL.  Those with an engine
 * copy it too, into *ret_engine, to which ret->engine then points.  CUPEL_OK, or CUPEL_E_ARGUMENT
 * with the reason in *err (which may be NULL). */
enum cupel_status cupel__mcp_options_copy(const struct cupel_catalog_options *given,
                                          struct cupel_catalog_options *ret,
                                          struct cupel_options *ret_engine,
                                          struct cupel_error *err);
enum cupel_status cupel__args_options_copy(const struct cupel_argument_schema_options *given,
                                           struct cupel_argument_schema_options *ret,
                                           struct cupel_options *ret_engine,
                                           struct cupel_error *err);
enum cupel_status cupel__request_options_copy(const struct cupel_request_options *given,
                                              struct cupel_request_options *ret,
                                              struct cupel_error *err);

/* Sets the error for an argument that must not be NULL, and returns CUPEL_E_ARGUMENT. */
enum cupel_status cupel__mcp_refuse_null(struct cupel_error *err);

#endif
