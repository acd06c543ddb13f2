/* server.h: an MCP server over standard input and output, for programs that bring the tools. */
#ifndef EXAMPLE_SERVER_H
#define EXAMPLE_SERVER_H

#include <cupel/cupel.h>
#include <stddef.h>

/* Appends the members of a tool's result: `content` and what goes with it.  The arguments were
 * found valid; CUPEL_NO_NODE stands for none.  The model gets a status that is not OK as a message.
 */
typedef enum cupel_status run_tool(struct cupel_document *doc, uint32_t arguments,
                                   struct cupel_text *result);

/* Appends a `content` of one text. */
void add_content(struct cupel_text *result, const char *bytes, size_t len);

/* Answers messages, one a line, until the input ends; runs[i] belongs to tools[i].  Returns the
 * exit status. */
int serve(const struct cupel_declared_tool *tools, run_tool *const *runs, size_t count);

#endif
