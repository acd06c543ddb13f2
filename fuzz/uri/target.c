/* target.c: URI references (RFC 3986).
 *
 * The input is a base and a reference with a line feed between them.  Resolving does not fail,
 * normalising is idempotent, what was encoded decodes to itself. */
#include "../target.h"
#include "base/pointer.h"
#include "base/uri.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cupel_alloc alloc = cupel__alloc_or_default(NULL);
    struct cupel__arena arena;
    struct cupel_text text;
    struct cupel__uri parts;
    const char *p = (const char *)data, *cut = size > 0 ? memchr(p, '\n', size) : NULL;
    struct cupel__str base = {p, cut != NULL ? (size_t)(cut - p) : size}, ref = {"", 0};
    if (cut != NULL)
        ref = (struct cupel__str){cut + 1, size - base.n - 1};
    cupel__arena_init(&arena, &alloc, 0);
    cupel_text_init(&text, NULL);
    if (cupel__uri_split(base, &parts) && cupel__uri_split(ref, &parts)) {
        struct cupel__str whole = cupel__uri_resolve(&arena, base, ref);
        require(whole.p != NULL || whole.n == 0);
        struct cupel__str once = cupel__uri_normalise(&arena, whole);
        struct cupel__str twice = cupel__uri_normalise(&arena, once);
        require(cupel__str_eq(once, twice));
    }
    struct cupel__pointer fragment = {.text = &text, .max = SIZE_MAX, .fragment = true};
    cupel__pointer_add(&fragment, ref);
    struct cupel__str back = cupel__uri_decode(&arena, (struct cupel__str){text.bytes, text.len});
    require(text.failed || ref.n == 0 || cupel__str_eq(back, ref));
    cupel_text_free(&text);
    cupel__arena_free(&arena);
    return 0;
}
