/* tool_id.h: what a tool is known by beyond one server: IDs of a namespace, a name and a version,
 * and tags in their normal form.
 *
 *     namespace:name:version      or namespace:name, or name alone without a namespace
 *
 * No part of an ID has a colon, so an ID has one reading.  Nothing here allocates. */
#ifndef CUPEL_MCP_DEFINITION_TOOL_ID_H
#define CUPEL_MCP_DEFINITION_TOOL_ID_H

#include <cupel/catalog.h>

/* The parts of an ID, bytes of UTF-8 that are not terminated; a part that is absent has length 0.
 */
struct cupel__tool_id {
    const char *space; /* the namespace */
    size_t space_len;
    const char *name;
    size_t name_len;
    const char *version;
    size_t version_len;
};

/* Reads an ID; the parts are slices of it.  CUPEL_OK; CUPEL_E_ARGUMENT if it is empty, has more
 * than two colons, or an empty part beside a colon. */
enum cupel_status cupel__tool_id_read(const char *id, size_t len, struct cupel__tool_id *ret);

/* Appends the ID of the parts.  Without a namespace that is the name: a version then has no place.
 */
void cupel__tool_id_write(const struct cupel__tool_id *id, struct cupel_text *text);

/* Whether this is a semantic version as tool records write it: three numbers with dots between, a
 * `v` before them if one likes, `-` and a pre-release, `+` and build metadata after them.  Leading
 * zeros are let through, which Semantic Versioning 2.0 would not.  1 or 0. */
int cupel__tool_version_valid(const char *version, size_t len);

/* Adds a tag to a list that began with count 0: in lower case, trimmed, each run of white space (of
 * Unicode) a hyphen, every other byte dropped, cut to 64 bytes.  1 if it was added; 0 if nothing is
 * left of it, if it is there already, or if the list is full.  Adding a tag of the list to an empty
 * one gives the same tag. */
int cupel__tags_add(struct cupel_tags *tags, const char *tag, size_t len);

#endif
