/* target.c: any bytes as a string of every format, with a choice behind them (choice.h).
 *
 * The answer must be yes, no or a status that says why not, the same with memory that was used
 * before, and consistent between formats of which one takes all that the other takes. */
#include "../target.h"
#include "../choice.h"
#include "base/json/tape.h"
#include "base/utf8.h"
#include "vm/formats/formats.h"
#include <stdint.h>

/* What conforms to a also conforms to b. */
static void require_within(const int *results, enum cupel__format a, enum cupel__format b)
{
    require(results[a] != 1 || results[b] == 1);
}

/* As the reader has it, which refuses more: surrogates alone, for one. */
static bool is_json(const char *p, size_t n)
{
    struct cupel__doc doc;
    const struct cupel__read_options read = {.flags = CUPEL__READ_DUPLICATES,
                                             .max_depth = UINT32_MAX,
                                             .max_number = UINT32_MAX,
                                             .max_bytes = SIZE_MAX};
    struct cupel_alloc alloc = cupel__alloc_or_default(NULL);
    cupel__doc_init(&doc, &alloc);
    enum cupel_status status = cupel__json_read(&doc, p, n, &read, NULL);
    cupel__doc_free(&doc);
    return status == CUPEL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint32_t choice = (uint32_t)choice_cut(data, &size);
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
        require(!chosen(choice, i, CUPEL__FORMATS) ||
                cupel__format_check((enum cupel__format)i, p, size, &work) == results[i]);
    }
    cupel__arena_free(&work);
    require(results[CUPEL__FORMAT_JSON] != 0 || !is_json(p, size));
    require_within(results, CUPEL__FORMAT_URI, CUPEL__FORMAT_URI_REFERENCE);
    require_within(results, CUPEL__FORMAT_URI, CUPEL__FORMAT_IRI);
    require_within(results, CUPEL__FORMAT_URI_REFERENCE, CUPEL__FORMAT_IRI_REFERENCE);
    require_within(results, CUPEL__FORMAT_IRI, CUPEL__FORMAT_IRI_REFERENCE);
    require_within(results, CUPEL__FORMAT_EMAIL, CUPEL__FORMAT_IDN_EMAIL);
    require_within(results, CUPEL__FORMAT_HOSTNAME, CUPEL__FORMAT_HOSTNAME_LDH);
    require_within(results, CUPEL__FORMAT_IPV4, CUPEL__FORMAT_HOSTNAME_LDH);
    return 0;
}
