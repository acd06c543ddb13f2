/* frame.h: a line of a text with carets below a part of it, and the escapes of formats; for
 * human.c, machine.c and render_fault.c. */
#ifndef CUPEL_MESSAGES_FRAME_H
#define CUPEL_MESSAGES_FRAME_H

#include "base/memory.h"
#include <stdbool.h>

/* Appends "  3 |   "limit": "500"," and, below, carets under the token, which lies in `whole`;
 * ends behind the carets.  Long lines are cut around the token. */
void cupel__add_frame(struct cupel_text *, struct cupel__str whole, struct cupel__str token,
                      uint32_t line);

/* Appends the beginning of a workflow command of GitHub, up to its message. */
void cupel__open_command(struct cupel_text *, const char *level, const char *file, uint32_t line,
                         uint32_t column, const char *title);
/* Percent-encodes what ends a workflow command's data and, in a property, what ends the property.
 */
void cupel__add_command_text(struct cupel_text *, const char *s, size_t n, bool property);
/* Appends a file name as a URI reference, a JSON string. */
void cupel__add_file_uri(struct cupel_text *, const char *file);
/* Appends text or an attribute's value of XML 1.0. */
void cupel__add_xml(struct cupel_text *, const char *s, size_t n);

#endif
