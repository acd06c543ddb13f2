/* text.h: the types that all files of the core use: texts, the arena of an exchange, the sink of
 * what goes to the client, and the host's clock. */
#ifndef CUPEL_GATEWAY_TEXT_H
#define CUPEL_GATEWAY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cupel_gw_text {
    const char *bytes;
    size_t len;
};

/* Memory of one exchange.  `alloc` returns memory aligned for any type that lives as long as the
 * exchange, or NULL. */
struct cupel_gw_arena {
    void *(*alloc)(void *ctx, size_t size);
    void *ctx;
};

/* Where the bytes that go to the client are written, in order.  `write` copies what it keeps.
 * Returns 0, or non-zero if nothing more can be written. */
struct cupel_gw_sink {
    int (*write)(void *ctx, const char *bytes, size_t len);
    void *ctx;
};

/* A monotonic clock in milliseconds; its origin is arbitrary. */
typedef uint64_t cupel_gw_clock(void *ctx);

#endif
