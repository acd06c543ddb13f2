/* events.c: the reader of event streams on any bytes, in any number of pieces of up to PIECE bytes.
 *
 * Memory is a block of BLOCK bytes, or none: the model of cupel_gw_buffer_reserve() says what that
 * function does to the buffer, and not how.  Blocks hold any bytes; that none is read which nobody
 * wrote is for MemorySanitizer.
 *
 * eva: -eva-precision 0 */
#include "proof.h"
#include <string.h>

/* memchr(), a byte at a time. */
static const void *find_byte(const char *bytes, char byte, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] == byte)
            return bytes + i;
    return NULL;
}
#define memchr(bytes, byte, len) find_byte(bytes, byte, len)

#include "gateways/common/stream/events.c"

enum { PIECE = 64, BLOCK = 8192, LIMIT = 2048 };

static char raw_block[BLOCK], joined_block[BLOCK];

bool cupel_gw_buffer_reserve(struct cupel_gw_buffer *buffer, const struct cupel_gw_arena *arena,
                             size_t need)
{
    (void)arena;
    if (need <= buffer->capacity)
        return true;
    if (any_size(0, 1) == 0 || need > BLOCK)
        return false;
    buffer->bytes = any_size(0, 1) ? raw_block : joined_block;
    buffer->capacity = BLOCK;
    return true;
}

int main(void)
{
    struct cupel_gw_events events;
    struct cupel_gw_arena arena = {0};
    struct cupel_gw_piece piece;
    any_bytes(raw_block, BLOCK);
    any_bytes(joined_block, BLOCK);
    cupel_gw_events_init(&events, &arena, any_size(0, LIMIT));
    while (any_size(0, 1)) {
        char bytes[PIECE];
        const char *at = bytes;
        size_t len = any_size(0, PIECE);
        any_bytes(bytes, PIECE);
        while (cupel_gw_events_next(&events, &at, &len, &piece))
            ;
        if (any_size(0, 1))
            (void)cupel_gw_events_open(&events);
        if (any_size(0, 1))
            cupel_gw_events_discard(&events, &piece);
    }
    return 0;
}
