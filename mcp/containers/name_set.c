/* name_set.c: a map from names to numbers: a hash table with linear probing.
 *
 * The capacity is a power of two and at least twice the number of names, so every probe sequence
 * ends at an empty slot.  Names come from untrusted peers: the hash has a secret key, so that
 * nobody can choose names that collide.  A name's hash is kept in its slot; growing the table
 * hashes nothing again. */
#include "mcp/containers/name_set.h"
#include "base/hash.h"

#include <string.h>

/* The state of SipHash-1-3 (Aumasson, Bernstein 2012): one round for each word, three at the end.
 */
struct sip {
    uint64_t a, b, c, d;
};

static uint64_t rotate(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static inline __attribute__((always_inline)) void sip_round(struct sip *s)
{
    s->a += s->b;
    s->b = rotate(s->b, 13) ^ s->a;
    s->a = rotate(s->a, 32);
    s->c += s->d;
    s->d = rotate(s->d, 16) ^ s->c;
    s->a += s->d;
    s->d = rotate(s->d, 21) ^ s->a;
    s->c += s->b;
    s->b = rotate(s->b, 17) ^ s->c;
    s->c = rotate(s->c, 32);
}

static void sip_word(struct sip *s, uint64_t word)
{
    s->d ^= word;
    sip_round(s);
    s->a ^= word;
}

/* Returns four bytes as a number. */
static uint64_t load_four(const char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

/* Returns the last bytes of a name, at most eight.  Words overlap in names of 5 to 7 bytes, and
 * with the word before in longer ones; that is cheaper than masking. */
static uint64_t last_word(const char *bytes, size_t len)
{
    uint64_t word = 0;
    if (len >= 8)
        memcpy(&word, bytes + len - 8, 8);
    else if (len >= 4)
        word = load_four(bytes) | load_four(bytes + len - 4) << 32;
    else
        for (size_t i = 0; i < len; i++)
            word = word << 8 | (unsigned char)bytes[i];
    return word;
}

/* Hashes a name.  The length is part of the initial state: names of one length that differ give
 * different words, even where words overlap. */
static uint64_t hash_name(const uint64_t key[2], const char *bytes, size_t len)
{
    struct sip s = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
                    key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u ^ len};
    for (size_t remaining = len; remaining > 8; remaining -= 8) {
        uint64_t word;
        memcpy(&word, bytes + (len - remaining), 8);
        sip_word(&s, word);
    }
    sip_word(&s, last_word(bytes, len));
    s.c ^= 0xff;
    sip_round(&s);
    sip_round(&s);
    sip_round(&s);
    return (s.a ^ s.b ^ s.c ^ s.d) | 1; /* 0 marks an empty slot */
}

void cupel__mcp_hash_key(const struct cupel_options *options, uint64_t ret_key[2])
{
    if (options != NULL && (options->hash_key[0] != 0 || options->hash_key[1] != 0))
        memcpy(ret_key, options->hash_key, sizeof options->hash_key);
    else
        cupel__random_key(ret_key);
}

/* Returns the slot of a name, or the empty slot where it belongs.  The table must have slots; it
 * always has an empty one, because it is never more than half full. */
static struct cupel__mcp_name *slot_of(const struct cupel__mcp_names *names, uint64_t hash,
                                       const char *bytes, size_t len)
{
    size_t i = (size_t)(hash >> 1) & (names->capacity - 1);
    for (;; i = (i + 1) & (names->capacity - 1)) {
        struct cupel__mcp_name *slot = &names->slots[i];
        if (slot->hash == 0)
            return slot;
        if (slot->hash == hash && slot->len == len && memcmp(slot->bytes, bytes, len) == 0)
            return slot;
    }
}

/* Doubles the capacity until `more` names fit at half load, and moves the names into the new table.
 */
bool cupel__mcp_names_reserve(struct cupel__mcp_names *names, size_t more)
{
    size_t capacity = names->capacity != 0 ? names->capacity : 16;
    while (capacity / 2 < names->count + more)
        capacity *= 2;
    if (capacity == names->capacity)
        return true;
    size_t bytes = capacity * sizeof(*names->slots);
    struct cupel__mcp_names grown = *names;
    grown.slots = names->alloc.realloc(names->alloc.ctx, NULL, 0, bytes);
    if (grown.slots == NULL)
        return false;
    memset(grown.slots, 0, bytes);
    grown.capacity = capacity;
    for (size_t i = 0; i < names->capacity; i++) {
        const struct cupel__mcp_name *old = &names->slots[i];
        if (old->hash != 0)
            *slot_of(&grown, old->hash, old->bytes, old->len) = *old;
    }
    cupel__mcp_names_free(names);
    *names = grown;
    return true;
}

struct cupel__mcp_name *cupel__mcp_names_find(const struct cupel__mcp_names *names,
                                              const char *bytes, size_t len)
{
    if (names->count == 0)
        return NULL;
    uint64_t hash = hash_name(names->key, bytes, len);
    struct cupel__mcp_name *slot = slot_of(names, hash, bytes, len);
    return slot->hash != 0 ? slot : NULL;
}

struct cupel__mcp_name *cupel__mcp_names_slot(struct cupel__mcp_names *names, const char *bytes,
                                              size_t len)
{
    uint64_t hash = hash_name(names->key, bytes, len);
    struct cupel__mcp_name *slot = slot_of(names, hash, bytes, len);
    if (slot->hash == 0) {
        *slot = (struct cupel__mcp_name){hash, NULL, len, 0};
        names->count++;
    }
    return slot;
}

void cupel__mcp_names_put(struct cupel__mcp_names *names, const char *bytes, size_t len,
                          uint32_t value)
{
    struct cupel__mcp_name *slot = cupel__mcp_names_slot(names, bytes, len);
    slot->bytes = bytes;
    slot->value = value;
}

void cupel__mcp_names_clear(struct cupel__mcp_names *names)
{
    enum { KEPT = 256 }; /* slots of a table that is cleared; a larger one is freed */
    if (names->capacity > KEPT)
        cupel__mcp_names_free(names);
    else if (names->count != 0)
        memset(names->slots, 0, names->capacity * sizeof(*names->slots));
    names->count = 0;
}

void cupel__mcp_names_free(struct cupel__mcp_names *names)
{
    if (names->slots != NULL)
        names->alloc.realloc(names->alloc.ctx, names->slots,
                             names->capacity * sizeof(*names->slots), 0);
    names->slots = NULL;
    names->capacity = names->count = 0;
}
