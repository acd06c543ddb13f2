/* mutate.c: changes to a schema and an instance that keep them JSON, for the targets of pair.h.
 *
 * A half is cut into its values by a tolerant scan; then one value goes where another was, is
 * wrapped in a keyword, twice if the keyword takes several, becomes a reference, a number at an
 * edge, or another value altogether.  One time in twelve the engine's own mutation is taken
 * instead: what is not JSON is tried too. One change in four is the schema's: as long as it stays
 * it is compiled once (kept.h).  One time in six the choice (pair.h) changes too, mostly in the
 * bytes that leave the schema's program as it is.  Everything follows from the seed. */
#include "pair.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
                                 uint8_t *out, size_t max_size, unsigned int seed);

enum { MAX_VALUES = 1024, MAX_TEXT = 1 << 16 };

struct value {
    uint32_t at, len;
};

struct half {
    const char *p;
    size_t n;
    struct value values[MAX_VALUES];
    uint32_t count;
};

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return below == 0 ? 0 : (uint32_t)((uint64_t)(*seed >> 8) * below >> 24);
}

/* -- Values of a half
 * ------------------------------------------------------------------------------- */

static size_t skip_string(const char *p, size_t n, size_t i)
{
    for (i++; i < n && p[i] != '"'; i++)
        i += p[i] == '\\';
    return i < n ? i + 1 : n;
}

/* The end of the value at i: brackets are counted, whatever they are. */
static size_t skip_value(const char *p, size_t n, size_t i)
{
    int depth = 0;
    do {
        if (p[i] == '"') {
            i = skip_string(p, n, i);
        } else {
            depth += (p[i] == '[' || p[i] == '{') - (p[i] == ']' || p[i] == '}');
            i++;
            while (depth == 0 && i < n && strchr(",:]}[{\" \n", p[i]) == NULL)
                i++;
        }
    } while (depth > 0 && i < n);
    return i;
}

static void find_values(struct half *h)
{
    for (size_t i = 0; i < h->n && h->count < MAX_VALUES; i++) {
        if (strchr(",:]} \n", h->p[i]) != NULL)
            continue;
        size_t end = skip_value(h->p, h->n, i), next = end;
        while (next < h->n && (h->p[next] == ' ' || h->p[next] == '\n'))
            next++;
        bool name = next < h->n && h->p[next] == ':';
        if (!name && end > i)
            h->values[h->count++] = (struct value){(uint32_t)i, (uint32_t)(end - i)};
        if (h->p[i] != '[' && h->p[i] != '{')
            i = end - 1;
    }
}

/* -- Changes
 * ------------------------------------------------------------------------------------------- */

static const char *const leaves[] = {"null",
                                     "true",
                                     "false",
                                     "0",
                                     "-1",
                                     "1.0",
                                     "1e400",
                                     "9007199254740993",
                                     "0.1",
                                     "1e-9",
                                     "\"\"",
                                     "\"a\"",
                                     "\"\\u0000\"",
                                     "\"\\ud83d\\ude00\"",
                                     "[]",
                                     "{}",
                                     "{\"a\":1}",
                                     "[1,1]",
                                     "\"date-time\"",
                                     "\"^a+$\"",
                                     "18446744073709551616",
                                     "{\"type\":\"string\"}",
                                     "{\"$ref\":\"#\"}",
                                     "{\"$dynamicRef\":\"#a\"}",
                                     "{\"$ref\":\"#/$defs/a\"}",
                                     "{\"a\":{\"a\":{\"a\":1}}}",
                                     "[[[[0]]]]"};
/* A value goes where "%" is. */
static const char *const wraps[] = {
    "{\"not\":%}", "{\"allOf\":[%,%]}", "{\"anyOf\":[%,%]}", "{\"oneOf\":[%,false]}",
    "{\"if\":%,\"then\":%,\"else\":%}", "{\"properties\":{\"a\":%}}", "{\"items\":%}",
    "{\"prefixItems\":[%,%]}", "{\"contains\":%}", "{\"additionalProperties\":%}",
    "{\"patternProperties\":{\"^a\":%}}", "{\"propertyNames\":%}",
    "{\"dependentSchemas\":{\"a\":%}}", "{\"allOf\":[%],\"unevaluatedProperties\":false}",
    "{\"anyOf\":[%,{\"properties\":{\"a\":true}}],\"unevaluatedItems\":%}",
    "{\"$defs\":{\"a\":%},\"$ref\":\"#/$defs/a\"}",
    "{\"$id\":\"http://x/a\",\"$dynamicAnchor\":\"a\",\"items\":%}", "{\"const\":%}",
    "{\"enum\":[%,1]}", "[%]", "[%,%]", "{\"a\":%}", "{\"a\":%,\"b\":%}",
    "{\"required\":[\"a\"],\"properties\":{\"a\":%,\"b\":%}}",
    /* What becomes an EITHER, a CHOOSE, a CASES. */
    "{\"anyOf\":[%,{\"enum\":[\"a\",1]},{\"type\":\"string\",\"pattern\":\"^x\"}]}",
    ("{\"type\":\"object\",\"required\":[\"a\"],\"oneOf\":[{\"properties\":{\"a\":{\"const\":\"a\"}"
     ",\"b\":%}},"
     "{\"properties\":{\"a\":{\"enum\":[\"b\",1]},\"b\":%}}]}"),
    "{\"type\":\"object\",\"if\":{\"properties\":{\"a\":{\"const\":\"a\"}}},\"then\":%,\"else\":%"
    "}"};

struct out {
    char *p;
    size_t n, max;
};

static void put(struct out *o, const char *p, size_t n)
{
    if (n > o->max - o->n)
        n = o->max - o->n;
    memcpy(o->p + o->n, p, n);
    o->n += n;
}

static void put_wrapped(struct out *o, const char *wrap, const char *p, size_t n)
{
    for (; *wrap != '\0'; wrap++) {
        if (*wrap == '%')
            put(o, p, n);
        else
            put(o, wrap, 1);
    }
}

/* Writes the half with one value changed; `other` lends values. */
static void change(struct out *o, const struct half *h, const struct half *other, uint32_t *seed)
{
    struct value v = {0, (uint32_t)h->n};
    if (h->count > 0)
        v = h->values[draw(seed, h->count)];
    put(o, h->p, v.at);
    uint32_t what = draw(seed, 8);
    if (what < 3) {
        put_wrapped(o, wraps[draw(seed, sizeof wraps / sizeof *wraps)], h->p + v.at, v.len);
    } else if (what < 5) {
        const char *leaf = leaves[draw(seed, sizeof leaves / sizeof *leaves)];
        put(o, leaf, strlen(leaf));
    } else {
        const struct half *from = what == 7 && other->count > 0 ? other : h;
        struct value w = from->count > 0 ? from->values[draw(seed, from->count)] : v;
        put(o, from->p + w.at, w.len);
    }
    put(o, h->p + v.at + v.len, h->n - v.at - v.len);
}

/* The engine's own mutation, of all or of what is behind the schema; not of the choice. */
static size_t mutate_bytes(uint8_t *data, size_t size, size_t max_size, bool all)
{
    size_t schema = pair_split(data, size).schema_len, at = all || schema >= size ? 0 : schema + 1;
    if (at >= max_size)
        at = 0;
    return at + LLVMFuzzerMutate(data + at, size - at, max_size - at);
}

/* -- The choice
 * ---------------------------------------------------------------------------------------- */

enum { CHOICE_SIZE = CHOICE_BYTES + 1 };

/* The mark and the bytes of a choice, one of them changed; no byte is another mark. */
static void change_choice(uint8_t choice[CHOICE_SIZE], uint32_t *seed)
{
    uint32_t way = draw(seed, 4), at = way > 0 ? draw(seed, 2) : draw(seed, CHOICE_BYTES);
    choice[1 + at] = (uint8_t)draw(seed, CHOICE_MARK);
}

/* Takes the choice of an input into `choice`, zeros where there are none.  The size without it. */
static size_t take_choice(const uint8_t *data, size_t size, uint8_t choice[CHOICE_SIZE])
{
    size_t at = choice_find(data, size);
    memset(choice, 0, CHOICE_SIZE);
    choice[0] = CHOICE_MARK;
    if (at < size)
        memcpy(choice + 1, data + at + 1, size - at - 1);
    return at;
}

/* -- What engines call
 * --------------------------------------------------------------------------------- */

static size_t mutate_halves(uint8_t *data, size_t size, size_t max_size, uint32_t s)
{
    static struct half schema, instance; /* large; the engines call from one thread */
    static char text[MAX_TEXT];
    bool first = draw(&s, 4) == 0;
    if (draw(&s, 12) == 0 || size == 0)
        return mutate_bytes(data, size, max_size, first);
    struct pair in = pair_split(data, size);
    schema = (struct half){.p = in.schema, .n = in.schema_len};
    instance = (struct half){.p = in.text, .n = in.text_len};
    find_values(&schema);
    find_values(&instance);
    struct out o = {text, 0, max_size < MAX_TEXT ? max_size : MAX_TEXT};
    if (first)
        change(&o, &schema, &instance, &s);
    else
        put(&o, schema.p, schema.n);
    put(&o, "", 1);
    if (first)
        put(&o, instance.p, instance.n);
    else
        change(&o, &instance, &schema, &s);
    memcpy(data, text, o.n);
    return o.n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    uint8_t choice[CHOICE_SIZE];
    uint32_t s = seed ^ 0x5bd1e995;
    size_t pair = take_choice(data, size, choice);
    if (max_size <= CHOICE_SIZE)
        return LLVMFuzzerMutate(data, size, max_size);
    if (draw(&s, 6) == 0)
        change_choice(choice, &s);
    if (pair > max_size - CHOICE_SIZE)
        pair = max_size - CHOICE_SIZE;
    pair = mutate_halves(data, pair, max_size - CHOICE_SIZE, seed);
    memcpy(data + pair, choice, CHOICE_SIZE);
    return pair + CHOICE_SIZE;
}

/* The schema of one with the instance and the choice of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
                                 uint8_t *out, size_t max_size, unsigned int seed)
{
    struct pair x = pair_split(a, na), y = pair_split(b, nb);
    struct out o = {(char *)out, 0, max_size};
    (void)seed;
    put(&o, x.schema, x.schema_len);
    put(&o, "", 1);
    put(&o, y.text, y.text_len);
    size_t at = choice_find(b, nb);
    put(&o, (const char *)b + at, nb - at);
    return o.n;
}
