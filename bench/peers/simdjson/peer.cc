/* peer.cc: simdjson in the protocol of driver.h: its reader that builds a tree, or with
 * -DPEER_UTF8 its validation of UTF-8 alone. */
#define PEER_PARSES_ONLY
#include "../driver.h"
#include <simdjson.h>

static simdjson::dom::parser parser;
static char *room;

static void peer_start(void)
{
    room = static_cast<char *>(malloc(64 << 20));
}

#ifdef PEER_UTF8
static int peer_read(const char *text, size_t len)
{
    return simdjson::validate_utf8(text, len);
}
#else
/* The text may be a slice: it has no padding of its own, so it is copied, as cupel does. */
static int peer_read(const char *text, size_t len)
{
    memcpy(room, text, len);
    memset(room + len, 0, simdjson::SIMDJSON_PADDING);
    return parser.parse(room, len, false).error() == simdjson::SUCCESS;
}
#endif
