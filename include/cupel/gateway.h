/* gateway.h: the one header that a gateway for the Model Context Protocol needs.  It declares
 * nothing itself.
 *
 * A complete program, which tests/api/example.sh compiles and runs.  It reads the tools of a
 * server, and judges a call by a client and the result of the server.
 *
 *     #include <cupel/gateway.h>
 *     #include <stdio.h>
 *     #include <string.h>
 *
 *     static const char tools[] =
 *         "{\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
 *         "{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]},"
 *         "\"outputSchema\":{\"type\":\"object\",\"required\":[\"sum\"]}}]}";
 *     static const char call[] =
 *         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
 *         "\"params\":{\"name\":\"add\",\"arguments\":{\"a\":\"1\"}}}";
 *     static const char result[] =
 *         "{\"jsonrpc\":\"2.0\",\"id\":1,"
 *         "\"result\":{\"content\":[],\"structuredContent\":{}}}";
 *
 *     int main(void)
 *     {
 *         struct cupel_catalog *catalog;       // the tools of one server, shared by all threads
 *         struct cupel_call_context *context;        // one for each thread, used again and again
 *         struct cupel_text answer;
 *         struct cupel_error err;
 *         cupel_text_init(&answer, NULL);
 *         if (cupel_catalog_new(NULL, &catalog) != CUPEL_OK ||
 *             cupel_call_context_new(NULL, &context) != CUPEL_OK)
 *             return 1;
 *         if (cupel_catalog_add(catalog, tools, strlen(tools), &err) != CUPEL_OK) {
 *             fprintf(stderr, "%s: %s\n", cupel_status_name(err.status), err.detail);
 *             return 1;
 *         }
 *         // A request from a client: what does not conform never reaches the server.
 *         if (cupel_request_check(catalog, context, call, strlen(call), NULL, &answer, NULL,
 *                                 NULL) != CUPEL_CALL_VALID)
 *             printf("to the client: %.*s\n", (int)answer.len, answer.bytes);
 *         // A response from the server: an invalid result is replaced by an error.
 *         const struct cupel_tool *tool = cupel_catalog_find(catalog, "add", 3);
 *         if (cupel_result_check(tool, context, result, strlen(result), CUPEL_MCP_2026_07_28,
 *                                &answer, NULL, NULL) != CUPEL_RESULT_VALID)
 *             printf("to the client: %.*s\n", (int)answer.len, answer.bytes);
 *         cupel_text_free(&answer);
 *         cupel_call_context_free(context);
 *         cupel_catalog_free(catalog);
 *         return 0;
 *     }
 *
 * catalog.h also replaces a catalog while threads use it and stores compiled ones; listing.h
 * answers tools/list for a user, and pin.h recognises definitions that changed.
 *
 * Threads: threads share catalogs; a context and a text belong to one thread at a time. */
#ifndef CUPEL_GATEWAY_H
#define CUPEL_GATEWAY_H

#include <cupel/call.h>
#include <cupel/catalog.h>
#include <cupel/listing.h>
#include <cupel/pin.h>

#endif
