/* key.c: names under which lists are stored, and digests (key.h), with Nettle's SHA-256.
 *
 * Every field that goes into a MAC or a digest has its length before it.  Two different sets of
 * fields therefore never are the same bytes, and no client can make its fields equal those of
 * another. */
#include "gateways/common/store/key.h"

#include <nettle/hmac.h>
#include <nettle/sha2.h>

/* -- Fields: the length in 8 bytes, then the bytes ------------------------------------------- */

enum { LENGTH_BYTES = 8 };

/* Writes a number as 8 bytes, lowest first: names must not depend on the machine that made them. */
static void length_bytes(uint64_t len, uint8_t ret[LENGTH_BYTES])
{
    for (int i = 0; i < LENGTH_BYTES; i++)
        ret[i] = (uint8_t)(len >> 8 * i);
}

/* Adds bytes with their length before them. */
static void add(struct hmac_sha256_ctx *mac, const void *bytes, size_t len)
{
    uint8_t length[LENGTH_BYTES];
    length_bytes(len, length);
    hmac_sha256_update(mac, sizeof(length), length);
    if (len != 0)
        hmac_sha256_update(mac, len, bytes);
}

static void add_text(struct hmac_sha256_ctx *mac, struct cupel_gw_text text)
{
    add(mac, text.bytes, text.len);
}

static void add_number(struct hmac_sha256_ctx *mac, uint64_t number)
{
    uint8_t bytes[LENGTH_BYTES];
    length_bytes(number, bytes);
    add(mac, bytes, sizeof(bytes));
}

static void begin(struct hmac_sha256_ctx *mac, const unsigned char *secret, const char *purpose)
{
    hmac_sha256_set_key(mac, CUPEL_GW_SECRET_BYTES, secret);
    add(mac, purpose, strlen(purpose));
}

static void end(struct hmac_sha256_ctx *mac, struct cupel_gw_name *ret)
{
    hmac_sha256_digest(mac, sizeof(ret->bytes), ret->bytes);
}

/* The name of bytes under another name.  `purpose` keeps names of different kinds apart. */
void cupel_gw_derive(const unsigned char secret[CUPEL_GW_SECRET_BYTES], const char *purpose,
                     const struct cupel_gw_name *name, const char *bytes, size_t len,
                     struct cupel_gw_name *ret)
{
    struct hmac_sha256_ctx mac;
    begin(&mac, secret, purpose);
    add(&mac, name->bytes, sizeof(name->bytes));
    add(&mac, bytes, len);
    end(&mac, ret);
}

/* -- Callers --------------------------------------------------------------------------------- */

/* Whom a list of this caller may teach.  A caller without Authorization is anonymous; one whose
 * variable of key= is empty cannot be distinguished from others, so its lists teach nothing. */
static enum cupel_gw_sharing sharing_of(const struct cupel_gw_identity_fields *fields)
{
    if (fields->by == CUPEL_GW_BY_NOTHING)
        return CUPEL_GW_SHARE_CALLER;
    if (fields->by == CUPEL_GW_BY_AUTHORIZATION && fields->caller.bytes == NULL)
        return CUPEL_GW_SHARE_PUBLIC;
    return fields->caller.len != 0 ? CUPEL_GW_SHARE_CALLER : CUPEL_GW_SHARE_NOTHING;
}

/* The way of distinguishing callers goes in too: no value of a field makes a caller "shared" or
 * anonymous.
 */
static void add_caller(struct hmac_sha256_ctx *mac, const struct cupel_gw_identity_fields *fields,
                       enum cupel_gw_sharing sharing)
{
    static const struct cupel_gw_text nobody = {"", 0};
    add_number(mac, fields->by);
    add_number(mac, sharing);
    add_text(mac, fields->by == CUPEL_GW_BY_NOTHING ? nobody : fields->caller);
}

/* Computes all names of a request.  Each one contains the one above it:
 *
 *     group (location) ─▶ caller ─▶ key (upstream, URI, options) ─▶ session ─▶ reader
 *
 * The address has a name of its own under the group, for rates.  Anonymous callers are bounded by
 * their address, so that one of them cannot evict the sessions of all others. */
enum cupel_status cupel_gw_identify(const unsigned char secret[CUPEL_GW_SECRET_BYTES],
                                    const struct cupel_gw_identity_fields *fields,
                                    struct cupel_gw_identity *ret)
{
    struct hmac_sha256_ctx mac;
    struct cupel_gw_identity id = {.sharing = sharing_of(fields)};
    unsigned char digest[CUPEL_GW_DIGEST_BYTES];
    *ret = id;
    if (id.sharing == CUPEL_GW_SHARE_NOTHING)
        return CUPEL_OK;
    begin(&mac, secret, "group");
    add_text(&mac, fields->location);
    end(&mac, &id.group);
    begin(&mac, secret, "caller");
    add_text(&mac, fields->location);
    add_caller(&mac, fields, id.sharing);
    end(&mac, &id.caller);
    begin(&mac, secret, "key");
    add(&mac, id.caller.bytes, sizeof(id.caller.bytes));
    add_text(&mac, fields->upstream);
    add_text(&mac, fields->prefix);
    cupel_gw_options_digest(fields->options, digest);
    add(&mac, digest, sizeof(digest));
    end(&mac, &id.key);
    if (fields->session.bytes != NULL && fields->session.len != 0)
        cupel_gw_derive(secret, "session", &id.key, fields->session.bytes, fields->session.len,
                        &id.session);
    cupel_gw_derive(secret, "reader", cupel_gw_name_is_set(&id.session) ? &id.session : &id.key,
                    fields->reader.bytes, fields->reader.len, &id.reader);
    cupel_gw_derive(secret, "address", &id.group, fields->reader.bytes, fields->reader.len,
                    &id.address);
    if (id.sharing == CUPEL_GW_SHARE_PUBLIC)
        id.caller = id.address; /* nobody evicts the sessions of all others */
    *ret = id;
    return CUPEL_OK;
}

/* -- Digests --------------------------------------------------------------------------------- */

/* SHA-256 over the parts, each with its length before it. */
void cupel_gw_digest(const struct cupel_gw_part *parts, size_t count,
                     unsigned char ret[CUPEL_GW_DIGEST_BYTES])
{
    struct sha256_ctx state;
    sha256_init(&state);
    for (size_t i = 0; i < count; i++) {
        uint8_t length[LENGTH_BYTES];
        length_bytes(parts[i].len, length);
        sha256_update(&state, sizeof(length), length);
        if (parts[i].len != 0)
            sha256_update(&state, parts[i].len, parts[i].bytes);
    }
    sha256_digest(&state, CUPEL_GW_DIGEST_BYTES, ret);
}

/* SHA-256 over all options that change what is compiled from a definition.  Limits of a run are
 * left out: they change no image. */
void cupel_gw_options_digest(const struct cupel_catalog_options *options,
                             unsigned char ret[CUPEL_GW_DIGEST_BYTES])
{
    const struct cupel_options *engine = options->engine;
    const uint64_t *limits = engine->limits;
    const uint64_t numbers[] = {
        options->profile, options->flags,         options->names,         options->target,
        options->tools,   options->catalog_depth, options->catalog_bytes, engine->flags,
        engine->dialect,  engine->passes,
#define AFFECTS_PROGRAM(limit) limits[limit],
#define AFFECTS_CATALOG(limit) limits[limit],
#define AFFECTS_RUN(limit)
#define L(name, number, lower, value, most, affects, meaning) AFFECTS_##affects(CUPEL_LIMIT_##name)
#include <cupel/limits.def>
    };
    struct sha256_ctx state;
    sha256_init(&state);
    sha256_update(&state, strlen(cupel_version()) + 1, (const uint8_t *)cupel_version());
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        uint8_t bytes[LENGTH_BYTES];
        length_bytes(numbers[i], bytes);
        sha256_update(&state, sizeof(bytes), bytes);
    }
    for (size_t i = 0; i < engine->format_count; i++)
        sha256_update(&state, strlen(engine->formats[i].name) + 1,
                      (const uint8_t *)engine->formats[i].name);
    sha256_digest(&state, CUPEL_GW_DIGEST_BYTES, ret);
}
