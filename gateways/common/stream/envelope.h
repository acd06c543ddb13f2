/* envelope.h: reading the envelope of a JSON-RPC message as it passes, without holding it.
 *
 * A response that is too large to be held, and whose result needs no judgement, passes as it comes.
 * Only its envelope matters then: which request it answers, and that every parser reads it the same
 * way.  The last brace of the message must be sent only when the envelope has been found good:
 * without the brace the JSON is incomplete for every client.
 *
 * Nothing here allocates; any thread. */
#ifndef CUPEL_GATEWAY_ENVELOPE_H
#define CUPEL_GATEWAY_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cupel_gw_envelope_state {
    CUPEL_GW_ENVELOPE_OPEN = 0, /* more bytes are needed */
    CUPEL_GW_ENVELOPE_WHOLE,    /* the message has ended; white space may follow */
    CUPEL_GW_ENVELOPE_BAD       /* no message, or one that parsers may read differently */
};

enum { CUPEL_GW_ENVELOPE_ID = 256, CUPEL_GW_ENVELOPE_DEPTH = 1024 };

/* The members that decide what a message is. */
enum cupel_gw_envelope_member {
    CUPEL_GW_ENVELOPE_HAS_JSONRPC = 1 << 0,
    CUPEL_GW_ENVELOPE_HAS_ID = 1 << 1,
    CUPEL_GW_ENVELOPE_HAS_METHOD = 1 << 2,
    CUPEL_GW_ENVELOPE_HAS_PARAMS = 1 << 3,
    CUPEL_GW_ENVELOPE_HAS_RESULT = 1 << 4,
    CUPEL_GW_ENVELOPE_HAS_ERROR = 1 << 5
};

struct cupel_gw_envelope {
    enum cupel_gw_envelope_state state;
    unsigned members;              /* enum cupel_gw_envelope_member */
    char id[CUPEL_GW_ENVELOPE_ID]; /* its JSON text, without white space around it */
    size_t id_len;

    /* private to envelope.c */
    char key[64];
    size_t key_len;
    unsigned expected, member;
    unsigned depth;
    bool in_string, escaped, key_escaped;
    uint8_t kinds[CUPEL_GW_ENVELOPE_DEPTH / 8]; /* of the containers: 1 is an array */
};

/* Prepares for a message. */
void cupel_gw_envelope_init(struct cupel_gw_envelope *envelope);

/* Reads more bytes of it, and returns envelope->state. */
enum cupel_gw_envelope_state cupel_gw_envelope_read(struct cupel_gw_envelope *envelope,
                                                    const char *bytes, size_t len);

#endif
