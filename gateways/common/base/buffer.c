/* buffer.c: growing a buffer in an arena (buffer.h).
 *
 * An arena frees nothing before its exchange ends, so a buffer that grew often would leave its
 * old memory behind many times.  Doubling bounds what is left behind by the final size. */
#include "gateways/common/base/buffer.h"

#include <string.h>

enum { LEAST_BUFFER = 8 * 1024 };

/* Grows the buffer to `capacity` bytes or to twice its size, whichever is more, and at least to
 * LEAST_BUFFER.  Returns false without memory, with the buffer unchanged. */
bool cupel_gw_buffer_reserve(struct cupel_gw_buffer *buffer, const struct cupel_gw_arena *arena,
                             size_t capacity)
{
    size_t more = buffer->capacity < LEAST_BUFFER / 2 ? LEAST_BUFFER : 2 * buffer->capacity;
    if (capacity <= buffer->capacity)
        return true;
    if (more < capacity)
        more = capacity;
    char *bytes = arena->alloc(arena->ctx, more);
    if (bytes == NULL)
        return false;
    if (buffer->len != 0)
        memcpy(bytes, buffer->bytes, buffer->len);
    *buffer = (struct cupel_gw_buffer){bytes, buffer->len, more};
    return true;
}
