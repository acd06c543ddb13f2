/* rename.h: the members of an object whose names are probably misspelt, and calls inside a member.
 *
 * Hints and repairs both decide here.  A name is never a misspelling if any schema at the place
 * knows it, be it that of a condition or of another branch, if a pattern matches it, or if an
 * object around declares it. */
#ifndef CUPEL_MESSAGES_RENAME_H
#define CUPEL_MESSAGES_RENAME_H

#include "messages/render.h"

struct cupel__rename {
    uint32_t key;          /* the node of the misspelt name; 0: none */
    uint32_t table, entry; /* the name that was meant */
    bool certain;          /* near enough for a repair; otherwise a hint at most */
    bool tie;              /* key is 0 because several readings are equally near */
};

/* The member that probably stands for the name that an event of REQUIRED or DEPENDENT misses. */
void cupel__rename_missing(const struct render *, const struct cupel__event *,
                           struct cupel__rename *ret);
/* The declared name that a member which is not allowed probably stands for. */
void cupel__rename_unknown(const struct render *, const struct cupel__event *,
                           struct cupel__rename *ret);
/* The name that was meant; its bytes are in `buf` or in the image. */
struct cupel__str cupel__rename_name(const struct render *, const struct cupel__rename *,
                                     char buf[16]);
/* Whether an object has a member that no schema at the place of the event knows. */
bool cupel__has_unknown_member(const struct render *, const struct cupel__event *, uint32_t object);

/* The key of the member of the validated value that holds the whole value, as an object or as the
 * JSON text of one: {"arguments": {…}}.  0: none does. */
uint32_t cupel__wrapper_of(const struct render *);

#endif
