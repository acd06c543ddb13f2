/* caller.c: making and freeing a caller. */
#include "mcp/call/context.h"

#include <string.h>

static enum cupel_status make_documents(struct cupel_caller *caller,
                                        const struct cupel_options *options)
{
    struct cupel_options plain = *options, wide = *options;
    plain.flags &= (uint32_t)~CUPEL_INPUT_PADDED;
    /* A limit below these cannot keep a call without arguments from being judged. */
    plain.limits[CUPEL_LIMIT_DEPTH] = 1;
    plain.limits[CUPEL_LIMIT_BODY_BYTES] = 2;
    /* The arguments lie two levels deep in the request. */
    wide.limits[CUPEL_LIMIT_DEPTH] = options->limits[CUPEL_LIMIT_DEPTH] < UINT32_MAX - 2
                                         ? options->limits[CUPEL_LIMIT_DEPTH] + 2
                                         : options->limits[CUPEL_LIMIT_DEPTH];
    enum cupel_status status = cupel_document_new(&wide, &caller->doc);
    if (status == CUPEL_OK)
        status = cupel_document_new(&plain, &caller->empty);
    if (status == CUPEL_OK)
        status = cupel_document_new(options, &caller->copy);
    /* Schemas of the catalog have been read before, with limits of their own. */
    wide.flags = CUPEL_ALLOW_DUPLICATE_KEYS;
    wide.limits[CUPEL_LIMIT_DEPTH] = UINT16_MAX;
    wide.limits[CUPEL_LIMIT_BODY_BYTES] = SIZE_MAX / 2;
    if (status == CUPEL_OK)
        status = cupel_document_new(&wide, &caller->schema);
    if (status == CUPEL_OK)
        status = cupel_document_read(caller->empty, "{}", 2, NULL);
    return status;
}

enum cupel_status cupel_caller_new(const struct cupel_options *options, struct cupel_caller **ret)
{
    struct cupel_options chosen;
    if (options != NULL)
        chosen = *options;
    else
        cupel_options_init(&chosen);
    chosen.alloc = cupel__mcp_alloc(&chosen.alloc);
    struct cupel_alloc alloc = chosen.alloc;
    struct cupel_caller *caller = alloc.realloc(alloc.ctx, NULL, 0, sizeof(*caller));
    if (caller == NULL)
        return CUPEL_E_NO_MEMORY;
    memset(caller, 0, sizeof(*caller));
    caller->alloc = alloc;
    caller->fields.names.alloc = alloc;
    cupel__mcp_hash_key(&chosen, caller->fields.names.key);
    cupel_text_init(&caller->fields.keys, &alloc);
    caller->max_errors = (uint32_t)chosen.limits[CUPEL_LIMIT_ERRORS];
    caller->steps = chosen.limits[CUPEL_LIMIT_STEPS];
    caller->steps_per_byte = chosen.limits[CUPEL_LIMIT_STEPS_PER_BYTE];
    enum cupel_status status = make_documents(caller, &chosen);
    if (status == CUPEL_OK)
        status = cupel_scratch_new(&chosen, &caller->scratch);
    if (status == CUPEL_OK && !cupel__mcp_answer_init(&caller->answer, &alloc))
        status = CUPEL_E_NO_MEMORY;
    if (status == CUPEL_OK)
        *ret = caller;
    else
        cupel_caller_free(caller);
    return status;
}

void cupel_caller_free(struct cupel_caller *caller)
{
    if (caller == NULL)
        return;
    struct cupel_alloc alloc = caller->alloc;
    cupel_document_free(caller->doc);
    cupel_document_free(caller->empty);
    cupel_document_free(caller->copy);
    cupel_document_free(caller->schema);
    cupel__mcp_traversal_free(&caller->traversal);
    cupel_scratch_free(caller->scratch);
    cupel__mcp_answer_free(&caller->answer);
    cupel__mcp_names_free(&caller->fields.names);
    cupel_text_free(&caller->fields.keys);
    if (caller->places != NULL)
        alloc.realloc(alloc.ctx, caller->places, caller->place_count * sizeof(uint32_t), 0);
    alloc.realloc(alloc.ctx, caller, sizeof(*caller), 0);
}
