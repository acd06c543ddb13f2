/* key_none.c: key.h without Nettle.  There are no names and no digests, so nothing is learned:
 * cupel_gw_identify returns CUPEL_E_UNSUPPORTED, and hosts refuse a learned catalog at start-up. */
#include "gateways/common/store/key.h"

enum cupel_status cupel_gw_identify(const unsigned char secret[CUPEL_GW_SECRET_BYTES],
                                    const struct cupel_gw_identity_fields *fields,
                                    struct cupel_gw_identity *ret)
{
    (void)secret;
    (void)fields;
    memset(ret, 0, sizeof(*ret));
    return CUPEL_E_UNSUPPORTED;
}

void cupel_gw_derive(const unsigned char secret[CUPEL_GW_SECRET_BYTES], const char *purpose,
                     const struct cupel_gw_name *name, const char *bytes, size_t len,
                     struct cupel_gw_name *ret)
{
    (void)secret;
    (void)purpose;
    (void)name;
    (void)bytes;
    (void)len;
    memset(ret, 0, sizeof(*ret));
}

void cupel_gw_digest(const struct cupel_gw_part *parts, size_t count,
                     unsigned char ret[CUPEL_GW_DIGEST_BYTES])
{
    (void)parts;
    (void)count;
    memset(ret, 0, CUPEL_GW_DIGEST_BYTES);
}

void cupel_gw_options_digest(const struct cupel_catalog_options *options,
                             unsigned char ret[CUPEL_GW_DIGEST_BYTES])
{
    (void)options;
    memset(ret, 0, CUPEL_GW_DIGEST_BYTES);
}
