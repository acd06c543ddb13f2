/* random_key.c: random keys for the hashes whose values strangers must not be able to predict. */
#include "base/hash.h"
#include <cupel/common.h>
#include <string.h>
#ifdef __linux__
#    include <sys/random.h>
#endif

/* The fallback where the system gives no random bytes: a key from the addresses of this process.
 * That has little entropy, but differs between processes where the layout of memory is random. */
static void key_from_addresses(uint64_t ret_key[2])
{
    ret_key[0] = (uint64_t)(uintptr_t)ret_key * CUPEL__GOLDEN_RATIO;
    ret_key[1] =
        ((uint64_t)(uintptr_t)&key_from_addresses ^ ret_key[0] >> 29) * 0xd1342543de82ef95u;
}

void cupel__random_key(uint64_t ret_key[2])
{
#if defined __linux__ && defined GRND_NONBLOCK
    uint64_t key[2];
    if (getrandom(key, sizeof key, GRND_NONBLOCK) == (ssize_t)sizeof key) {
        memcpy(ret_key, key, sizeof key);
        return;
    }
#endif
    key_from_addresses(ret_key);
}
