/* target.c: a catalog of tools and requests to them, from strangers.
 *
 * The input is a pair: the result of tools/list, and a request; its choice sets the options of the
 * catalog.  The answer is JSON; a request whose arguments are judged was read once, and they are a
 * part of its own text; two readings agree. */
#include "../catalog_ways.h"
#include "../kept.h"
#include <cupel/catalog.h>

static void is_json(const char *text, size_t len)
{
    struct cupel_document *doc = NULL;
    require(cupel_document_new(NULL, &doc) == CUPEL_OK);
    require(cupel_document_read(doc, text, len, NULL) == CUPEL_OK);
    cupel_document_free(doc);
}

static void call(const struct cupel_catalog *catalog, const struct pair *in)
{
    struct cupel_options options;
    struct cupel_call_context *caller = NULL;
    struct cupel_call_outcome first, second;
    struct cupel_text answer;
    pair_options(&options);
    cupel_text_init(&answer, NULL);
    require(cupel_call_context_new(&options, &caller) == CUPEL_OK);
    enum cupel_call_verdict a = cupel_call_check(catalog, caller, in->text, in->text_len, NULL,
                                                 &answer, NULL, NULL, &first);
    if (answer.len > 0)
        is_json(answer.bytes, answer.len);
    if (first.arguments_len > 0 && first.arguments_len <= in->text_len)
        is_json(first.arguments, first.arguments_len);
    uint64_t steps = first.steps;
    enum cupel_call_verdict b = cupel_call_check(catalog, caller, in->text, in->text_len, NULL,
                                                 &answer, NULL, NULL, &second);
    require(a == b && steps == second.steps);
    cupel_call_context_free(caller);
    cupel_text_free(&answer);
}

static struct cupel_catalog *make(const struct pair *in)
{
    struct cupel_catalog *catalog = NULL;
    struct cupel_catalog_options options;
    struct cupel_options engine;
    catalog_ways_set(&options, &engine, in->options);
    require(cupel_catalog_new(&options, &catalog) == CUPEL_OK);
    if (cupel_catalog_add(catalog, in->schema, in->schema_len, NULL) == CUPEL_OK)
        return catalog;
    cupel_catalog_free(catalog);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct kept of;
    static struct cupel_catalog *catalog; /* NULL: it was refused */
    struct pair in = pair_split(data, size);
    if (!kept_is(&of, &in)) {
        cupel_catalog_free(catalog);
        catalog = make(&in);
    }
    if (catalog != NULL)
        call(catalog, &in);
    return 0;
}
