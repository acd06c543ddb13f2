/* key.h: names under which lists are stored, which identify the caller, and which no client can
 * choose.
 *
 * Every name is an HMAC-SHA-256, cut to 128 bits, under a secret that the host keeps in its shared
 * zone (store.h).  Its fields are length-prefixed, so no two different sets of fields are the same
 * bytes.  A build without Nettle has no names: cupel_gw_identify returns CUPEL_E_UNSUPPORTED.
 *
 * Nothing here allocates; any thread. */
#ifndef CUPEL_GATEWAY_KEY_H
#define CUPEL_GATEWAY_KEY_H

#include "gateways/common/base/text.h"

#include <cupel/cupel.h>

#include <string.h>

enum { CUPEL_GW_NAME_BYTES = 16, CUPEL_GW_SECRET_BYTES = 32, CUPEL_GW_DIGEST_BYTES = 32 };

struct cupel_gw_name {
    unsigned char bytes[CUPEL_GW_NAME_BYTES]; /* all 0: none */
};

/* For whom the list of a caller counts. */
enum cupel_gw_sharing {
    CUPEL_GW_SHARE_NOTHING = 0, /* the variable of key=, or Authorization, is empty: the list counts
                                   for no caller, and no learned list is used */
    CUPEL_GW_SHARE_PUBLIC, /* an anonymous caller: only a list with cacheScope "public" is for all
                              anonymous callers; another one counts within its session alone */
    CUPEL_GW_SHARE_CALLER  /* every list of this caller is for this caller; with key=shared there is
                              one caller, whom all requests share */
};

/* How a location identifies callers. */
enum cupel_gw_caller_by {
    CUPEL_GW_BY_AUTHORIZATION = 0, /* the value of the field; bytes NULL: anonymous */
    CUPEL_GW_BY_VARIABLE,          /* the value of key=$variable */
    CUPEL_GW_BY_NOTHING            /* key=shared */
};

/* What a list depends on.  The host evaluates upstream and prefix for each request, as it will send
 * it.  No text may have bytes NULL, except an absent `caller`, `session` or `reader`. */
struct cupel_gw_identity_fields {
    struct cupel_gw_text location; /* stable over reloads: the server's and the location's name */
    struct cupel_gw_text upstream; /* scheme, host and port, or the name of the group */
    struct cupel_gw_text prefix;   /* of the URI to which the request goes, without its query */
    const struct cupel_catalog_options *options; /* spec and limits of the location */
    enum cupel_gw_caller_by by;
    struct cupel_gw_text caller;
    struct cupel_gw_text session; /* Mcp-Session-Id of the request */
    struct cupel_gw_text reader;  /* distinguishes clients of one caller that read pages at the same
                                     time: the client's address */
};

struct cupel_gw_identity {
    enum cupel_gw_sharing sharing;
    struct cupel_gw_name key;     /* of the caller at this location, upstream and options; it goes
                                     into x->key */
    struct cupel_gw_name session; /* of the session under the key; all 0 without one */
    struct cupel_gw_name reader;  /* of the reader under key and session */
    struct cupel_gw_name caller;  /* of the caller at any upstream and prefix, for bounds; of an
                                     anonymous one the address */
    struct cupel_gw_name group;   /* of the location, for bounds */
    struct cupel_gw_name address; /* of the reader alone, for rates */
};

/* Fills in *ret, all of it 0 with CUPEL_GW_SHARE_NOTHING.  CUPEL_OK or CUPEL_E_UNSUPPORTED. */
enum cupel_status cupel_gw_identify(const unsigned char secret[CUPEL_GW_SECRET_BYTES],
                                    const struct cupel_gw_identity_fields *fields,
                                    struct cupel_gw_identity *ret);

/* A name derived from a name and bytes; `purpose` (static) keeps names of different use apart. */
void cupel_gw_derive(const unsigned char secret[CUPEL_GW_SECRET_BYTES], const char *purpose,
                     const struct cupel_gw_name *name, const char *bytes, size_t len,
                     struct cupel_gw_name *ret);

/* SHA-256 over what an image of a catalog depends on besides the definitions: the options, and the
 * version of cupel. */
void cupel_gw_options_digest(const struct cupel_catalog_options *options,
                             unsigned char ret[CUPEL_GW_DIGEST_BYTES]);

/* SHA-256 over parts, each length-prefixed. */
struct cupel_gw_part {
    const void *bytes;
    size_t len;
};
void cupel_gw_digest(const struct cupel_gw_part *parts, size_t count,
                     unsigned char ret[CUPEL_GW_DIGEST_BYTES]);

static inline bool cupel_gw_name_is_set(const struct cupel_gw_name *name)
{
    static const struct cupel_gw_name none;
    return memcmp(name, &none, sizeof(none)) != 0;
}

#endif
