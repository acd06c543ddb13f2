/* target.c: a request from strangers, handed over in pieces and whole.
 *
 * The input is a byte that chooses the policy, a byte that chooses the length of the pieces, the
 * value of Content-Type up to a LF, and the body.  What becomes of the request, the reason and the
 * answer must not depend on how it was handed over; what passes can be read, and an answer is JSON.
 */
#include "../target.h"
#include "gateways/common/request/request.h"
#include <stdlib.h>
#include <string.h>

static const char tools[] =
    "[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"path\":{\"type\":"
    "\"string\"},\"o\":{\"properties\":{\"a\":{}}}},\"required\":[\"path\"]}}]";

/* -- An arena -------------------------------------------------------------------------------- */

struct block {
    struct block *next;
    size_t size; /* keeps what follows aligned */
};

static void *take(void *ctx, size_t size)
{
    struct block **blocks = ctx, *block = malloc(sizeof(*block) + size);
    if (block == NULL)
        return NULL;
    *block = (struct block){*blocks, size};
    *blocks = block;
    return block + 1;
}

static void free_blocks(struct block *block)
{
    while (block != NULL) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

/* -- A request ------------------------------------------------------------------------------- */

struct input {
    const char *type, *body;
    size_t type_len, body_len, piece; /* piece 0: whole */
    struct cupel_gw_policy policy;
    const struct cupel_catalog *catalog;
    struct cupel_gw_worker *worker;
};

static enum cupel_gw_step hand_over(const struct input *in, struct cupel_gw_exchange *x,
                                    struct block **blocks)
{
    const struct cupel_header field = {"Content-Type", 12, in->type, in->type_len};
    const struct cupel_gw_request_head head = {.method = {"POST", 4},
                                               .fields = &field,
                                               .field_count = 1,
                                               .has_length = in->piece == 0,
                                               .content_length = in->piece == 0 ? in->body_len : 0,
                                               .chunked = in->piece != 0};
    struct cupel_gw_arena arena = {take, blocks};
    cupel_gw_exchange_init(x, in->worker, &in->policy, &arena);
    x->catalog = in->catalog;
    enum cupel_gw_step step = cupel_gw_request_head(x, &head);
    if (step == CUPEL_GW_BODY && in->piece == 0)
        return cupel_gw_request_judge_text(x, in->body, in->body_len);
    for (size_t at = 0; at < in->body_len && step == CUPEL_GW_BODY; at += in->piece) {
        size_t left = in->body_len - at;
        step = cupel_gw_request_body(x, in->body + at, left < in->piece ? left : in->piece);
    }
    return step == CUPEL_GW_BODY ? cupel_gw_request_judge(x) : step;
}

static void must_be_json(const struct cupel_gw_answer *answer)
{
    struct cupel_options options;
    struct cupel_document *doc = NULL;
    cupel_options_init(&options);
    require(answer->len != 0 && answer->status >= 200);
    if (cupel_document_new(&options, &doc) == CUPEL_OK)
        require(cupel_document_read(doc, answer->bytes, answer->len, NULL) == CUPEL_OK);
    cupel_document_free(doc);
}

static void judge(struct input *in, size_t piece)
{
    struct cupel_gw_exchange whole, pieces;
    struct block *blocks = NULL;
    in->piece = 0;
    enum cupel_gw_step step = hand_over(in, &whole, &blocks);
    in->piece = piece;
    require(step == hand_over(in, &pieces, &blocks));
    require(step == CUPEL_GW_PASS || step == CUPEL_GW_REFUSE);
    require(strcmp(whole.request.reason, pieces.request.reason) == 0);
    require(whole.note_count == pieces.note_count && whole.request.steps == pieces.request.steps);
    if (step == CUPEL_GW_REFUSE) {
        must_be_json(&whole.answer);
        require(whole.answer.status == pieces.answer.status &&
                whole.answer.len == pieces.answer.len &&
                memcmp(whole.answer.bytes, pieces.answer.bytes, whole.answer.len) == 0);
    }
    free_blocks(blocks);
}

static struct cupel_catalog *make_catalog(enum cupel_mcp_profile profile)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    cupel_catalog_options_init(&options);
    options.profile = profile;
    if (cupel_catalog_new(&options, &catalog) == CUPEL_OK &&
        cupel_catalog_add(catalog, tools, sizeof(tools) - 1, NULL) != CUPEL_OK) {
        cupel_catalog_free(catalog);
        return NULL;
    }
    return catalog;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum cupel_mcp_profile profiles[] = {CUPEL_MCP_2026_07_28, CUPEL_MCP_2025_03_26};
    struct cupel_options options;
    struct input in = {.type = NULL};
    if (size < 2)
        return 0;
    cupel_options_init(&options);
    cupel_gw_policy_init(&in.policy);
    in.policy.profile = profiles[data[0] & 1];
    in.policy.mode = (data[0] & 2) != 0 ? CUPEL_GW_REPORT : CUPEL_GW_ENFORCE;
    in.policy.argument_names = (data[0] & 4) != 0 ? CUPEL_GW_NAMES_ANY : CUPEL_GW_NAMES_EXACT;
    in.policy.limits.body = (data[0] & 8) != 0 ? 100 : 1 << 20;
    in.policy.limits.answer = (data[0] & 16) != 0 ? 200 : 1 << 16;
    size_t piece = data[1] % 64u + 1u;
    in.type = (const char *)data + 2;
    const char *end = size > 2 ? memchr(in.type, '\n', size - 2) : NULL;
    in.type_len = end != NULL ? (size_t)(end - in.type) : size - 2;
    in.body = end != NULL ? end + 1 : in.type + in.type_len;
    in.body_len = size - 2 - in.type_len - (end != NULL);
    struct cupel_catalog *catalog = make_catalog(in.policy.profile);
    in.catalog = catalog;
    if (catalog != NULL && cupel_gw_worker_new(&options, NULL, NULL, &in.worker) == CUPEL_OK) {
        judge(&in, piece);
        cupel_gw_worker_free(in.worker);
    }
    cupel_catalog_free(catalog);
    return 0;
}
