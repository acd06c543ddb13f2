/* target.c: any bytes as a string of every format.
 *
 * The answer must be yes, no or a status that says why not, the same with memory that was used before, and consistent between formats of which
 * one takes all that the other takes. */
#include "formats/formats.h"
#include "utf8.h"
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
    if (!ok)
        abort();
}

/* What conforms to a also conforms to b. */
static void require_within(const int *results, enum cupel__format a, enum cupel__format b)
{
    require(results[a] != 1 || results[b] == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *p = (const char *)data;
    int results[CUPEL__FORMATS];
    struct cupel__arena work;
    if (!cupel__utf8_valid(p, size))
        return 0;
    cupel__arena_init(&work, NULL, 0);
    for (unsigned i = 0; i < CUPEL__FORMATS; i++) {
        results[i] = cupel__format_check((enum cupel__format)i, p, size, &work);
        require(results[i] == 0 || results[i] == 1 || results[i] == CUPEL_E_LIMIT_FORMAT ||
                results[i] == CUPEL_E_UNSUPPORTED);
        require(cupel__format_check((enum cupel__format)i, p, size, &work) == results[i]);
    }
    cupel__arena_free(&work);
    require_within(results, CUPEL__FORMAT_URI, CUPEL__FORMAT_URI_REFERENCE);
    require_within(results, CUPEL__FORMAT_URI, CUPEL__FORMAT_IRI);
    require_within(results, CUPEL__FORMAT_URI_REFERENCE, CUPEL__FORMAT_IRI_REFERENCE);
    require_within(results, CUPEL__FORMAT_IRI, CUPEL__FORMAT_IRI_REFERENCE);
    require_within(results, CUPEL__FORMAT_EMAIL, CUPEL__FORMAT_IDN_EMAIL);
    require_within(results, CUPEL__FORMAT_HOSTNAME, CUPEL__FORMAT_HOSTNAME_LDH);
    require_within(results, CUPEL__FORMAT_IPV4, CUPEL__FORMAT_HOSTNAME_LDH);
    return 0;
}
