/* buffer.h: a buffer that grows in an arena.  Its old memory stays with the arena until the
 * exchange ends. */
#ifndef CUPEL_GATEWAY_BUFFER_H
#define CUPEL_GATEWAY_BUFFER_H

#include "gateways/common/base/text.h"

/* Memory that grows. */
struct cupel_gw_buffer {
    char *bytes;
    size_t len, capacity;
};

/* Makes the capacity at least `capacity` bytes and keeps the contents.  Growing at least
 * doubles the capacity, so the memory left behind in the arena is at most the final capacity.
 * False without memory; the buffer is as it was. */
bool cupel_gw_buffer_reserve(struct cupel_gw_buffer *buffer, const struct cupel_gw_arena *arena,
                             size_t capacity);

#endif
