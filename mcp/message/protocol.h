/* protocol.h: the member names that the specification defines (protocol.c). */
#ifndef CUPEL_MCP_PROTOCOL_H
#define CUPEL_MCP_PROTOCOL_H

#include <cupel/protocol.h>
#include <stdbool.h>

/* The names of one kind of object, as two lists; a space follows each name. */
struct cupel__protocol_names {
    const char *lists[2];
};

/* Returns the names for an object.  The method matters for params and results only; NULL or an
 * unknown one leaves the names that all methods share. */
struct cupel__protocol_names cupel__protocol_names_of(enum cupel_place place, const char *method,
                                                      size_t len);

/* Returns the length of the listed name to which `name` folds, and its place in *ret; 0 if `name`
 * is listed itself or folds to none. */
size_t cupel__protocol_confused(const struct cupel__protocol_names *names, const char *name,
                                size_t len, const char **ret);

/* Whether a method is in the table. */
bool cupel__protocol_has_method(const char *name, size_t len);

#endif
