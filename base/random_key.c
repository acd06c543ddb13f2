/* random_key.c: the keys of hashes that strangers must not foresee. */
#include "base/json/document.h"
#include <cupel/options.h>
#include <string.h>
#ifdef __linux__
#    include <sys/random.h>
#endif

/* Where the system has nothing random, addresses and the layout of this process: little, but not
 * the same everywhere. */
static void take_addresses(uint64_t ret_key[2])
{
    ret_key[0] = (uint64_t)(uintptr_t)ret_key * 0x9e3779b97f4a7c15u;
    ret_key[1] = ((uint64_t)(uintptr_t)&take_addresses ^ ret_key[0] >> 29) * 0xd1342543de82ef95u;
}

void cupel_random_key(uint64_t ret_key[2])
{
#if defined __linux__ && defined GRND_NONBLOCK
    uint64_t key[2];
    if (getrandom(key, sizeof key, GRND_NONBLOCK) == (ssize_t)sizeof key) {
        memcpy(ret_key, key, sizeof key);
        return;
    }
#endif
    take_addresses(ret_key);
}

void cupel__options_key(const struct cupel_options *options, uint64_t ret_key[2])
{
    if (options->hash_key[0] == 0 && options->hash_key[1] == 0)
        cupel_random_key(ret_key);
    else
        memcpy(ret_key, options->hash_key, sizeof options->hash_key);
}
