/* protocol.h: the names of members that the specification gives (protocol.c). */
#ifndef CUPEL_MCP_PROTOCOL_H
#define CUPEL_MCP_PROTOCOL_H

#include <cupel/message.h>
#include <stdbool.h>

/* The names of one object: lists of names with a space after each. */
struct cupel__declared_names {
    const char *lists[2];
};

struct cupel__declared_names cupel__names_of(enum cupel_place place, const char *method,
                                             size_t len);

/* The length of the name in the lists that `name` folds to without being one of them, and where it
 * is; 0 if there is none. */
size_t cupel__names_confused(const struct cupel__declared_names *names, const char *name,
                             size_t len, const char **ret);

bool cupel__method_known(const char *name, size_t len);

#endif
