/* context.c: creates and frees the context of calls.
 *
 * Documents: `doc` reads requests, `empty` holds {}, `copy` and `schema` are scratch.  One context
 * serves one thread; contexts share nothing. */
#include "mcp/call/context.h"
#include "mcp/options/options.h"

#include <string.h>

/* Creates the four documents; their limits differ because each reads a different kind of text. */
static enum cupel_status make_documents(struct cupel_call_context *context,
                                        const struct cupel_options *options)
{
    struct cupel_options plain = *options, wide = *options;
    plain.flags &= (uint32_t)~CUPEL_INPUT_PADDED;
    /* Large enough for {}, whatever the host's limits are: calls without arguments can be judged.
     */
    plain.limits[CUPEL_LIMIT_DEPTH] = 1;
    plain.limits[CUPEL_LIMIT_BODY_BYTES] = 2;
    /* The limit of depth is for the arguments, which stand at depth 2 of the request. */
    wide.limits[CUPEL_LIMIT_DEPTH] = options->limits[CUPEL_LIMIT_DEPTH] < UINT32_MAX - 2
                                         ? options->limits[CUPEL_LIMIT_DEPTH] + 2
                                         : options->limits[CUPEL_LIMIT_DEPTH];
    enum cupel_status status = cupel_document_new(&wide, &context->doc);
    if (status == CUPEL_OK)
        status = cupel_document_new(&plain, &context->empty);
    if (status == CUPEL_OK)
        status = cupel_document_new(options, &context->copy);
    /* The schemas of a catalog were read before, within the limits of the catalog. */
    wide.flags = CUPEL_ALLOW_DUPLICATE_KEYS;
    wide.limits[CUPEL_LIMIT_DEPTH] = UINT16_MAX;
    wide.limits[CUPEL_LIMIT_BODY_BYTES] = SIZE_MAX / 2;
    if (status == CUPEL_OK)
        status = cupel_document_new(&wide, &context->schema);
    if (status == CUPEL_OK)
        status = cupel_document_read(context->empty, "{}", 2, NULL);
    return status;
}

/* Copies the options. The limits on errors and steps are kept for the checks of this folder; all
 * others are in the documents and the scratch. */
enum cupel_status cupel_call_context_new(const struct cupel_options *options,
                                         struct cupel_call_context **ret)
{
    if (ret == NULL)
        return CUPEL_E_ARGUMENT;
    struct cupel_options chosen;
    enum cupel_status status = cupel__options_copy(options, &chosen, NULL);
    if (status != CUPEL_OK)
        return status;
    struct cupel_alloc alloc = chosen.alloc;
    struct cupel_call_context *context = alloc.realloc(alloc.ctx, NULL, 0, sizeof(*context));
    if (context == NULL)
        return CUPEL_E_NO_MEMORY;
    memset(context, 0, sizeof(*context));
    context->alloc = alloc;
    context->fields.names.alloc = alloc;
    cupel__mcp_hash_key(&chosen, context->fields.names.key);
    cupel_text_init(&context->fields.keys, &alloc);
    context->max_errors = (uint32_t)chosen.limits[CUPEL_LIMIT_ERRORS];
    context->steps = chosen.limits[CUPEL_LIMIT_STEPS];
    context->steps_per_byte = chosen.limits[CUPEL_LIMIT_STEPS_PER_BYTE];
    status = make_documents(context, &chosen);
    if (status == CUPEL_OK)
        status = cupel_scratch_new(&chosen, &context->scratch);
    if (status == CUPEL_OK && !cupel__mcp_answer_init(&context->answer, &alloc))
        status = CUPEL_E_NO_MEMORY;
    if (status == CUPEL_OK)
        *ret = context;
    else
        cupel_call_context_free(context);
    return status;
}

/* NULL is allowed, and a context that cupel_call_context_new could not complete. */
void cupel_call_context_free(struct cupel_call_context *context)
{
    if (context == NULL)
        return;
    struct cupel_alloc alloc = context->alloc;
    cupel_document_free(context->doc);
    cupel_document_free(context->empty);
    cupel_document_free(context->copy);
    cupel_document_free(context->schema);
    cupel_scratch_free(context->scratch);
    cupel__mcp_answer_free(&context->answer);
    cupel__mcp_names_free(&context->fields.names);
    cupel_text_free(&context->fields.keys);
    if (context->places != NULL)
        alloc.realloc(alloc.ctx, context->places, context->place_count * sizeof(uint32_t), 0);
    alloc.realloc(alloc.ctx, context, sizeof(*context), 0);
}
