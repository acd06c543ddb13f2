/* peer.c: what copying the text takes, in the protocol of driver.h. */
#define PEER_PARSES_ONLY
#include "../driver.h"

static char *room;

static void peer_start(void)
{
    room = (char *)malloc(64 << 20);
}

static int peer_read(const char *text, size_t len)
{
    memcpy(room, text, len);
    __asm__ volatile("" : : "r"(room) : "memory");
    return 1;
}
