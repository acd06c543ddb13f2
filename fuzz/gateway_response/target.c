/* target.c: a response from strangers, handed over whole, in pieces, and with lists that wait.
 *
 * The input is a byte that chooses the policy, a byte that chooses the length of the pieces, a byte
 * that chooses the request and the status, the value of Content-Type up to a LF, and the body. What
 * the client receives must not depend on how the body was handed over; an answer is JSON; and no
 * result that breaks the tool's output schema reaches the client. */
#include "../target.h"
#include "gateways/common/exchange/worker.h"
#include "gateways/common/response/response.h"
#include "gateways/common/stream/events.h"
#include <stdlib.h>
#include <string.h>

static const char tools[] = "[{\"name\":\"out\",\"inputSchema\":{\"type\":\"object\"},"
                            "\"outputSchema\":{\"type\":\"object\","
                            "\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}},"
                            "{\"name\":\"free\",\"inputSchema\":{\"type\":\"object\"}}]";

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

/* -- A response ------------------------------------------------------------------------------ */

struct input {
    const char *type, *body;
    size_t type_len, body_len;
    unsigned status;
    enum cupel_gw_message_kind kind; /* of the request that waits */
    struct cupel_gw_policy policy;
    const struct cupel_catalog *catalog;
    struct cupel_gw_worker *worker;
};

struct seen {
    enum cupel_gw_step step;
    struct cupel_text text;
    uint32_t counts;
};

static uint64_t no_time(void *ctx)
{
    (void)ctx;
    return 1;
}

static int write_seen(void *ctx, const char *bytes, size_t len)
{
    struct cupel_text *text = ctx;
    cupel_text_add(text, bytes, len);
    return 0;
}

static void count(void *ctx, struct cupel_gw_exchange *x, const struct cupel_tool *definition,
                  const struct cupel_gw_count *count)
{
    (void)x, (void)definition, (void)count;
    ++*(uint32_t *)ctx;
}

/* Lists whose fate is known at once, or with `known` not NULL only after LATER. */
static enum cupel_gw_list_disposition take_list(void *ctx, struct cupel_gw_exchange *x,
                                                const struct cupel_gw_list_answer *answer,
                                                struct cupel_gw_text *ret)
{
    uint32_t *known = ctx;
    (void)x;
    if (known != NULL && !answer->again && answer->index == 0)
        *known = 0;
    if (known != NULL && answer->index == *known) {
        ++*known;
        return CUPEL_GW_LIST_LATER;
    }
    *ret = (struct cupel_gw_text){"{\"list\":1}", 10};
    return answer->text.len % 2 ? CUPEL_GW_LIST_PASSES : CUPEL_GW_LIST_REPLACED;
}

static enum cupel_gw_step hand_over(const struct input *in, struct cupel_gw_exchange *x,
                                    size_t piece, struct cupel_text *text)
{
    const struct cupel_header type = {"Content-Type", 12, in->type, in->type_len};
    const struct cupel_gw_response_head head = {in->status, &type, in->type_len != 0, UINT64_MAX,
                                                true};
    struct cupel_gw_sink sink = {write_seen, text};
    enum cupel_gw_step step = cupel_gw_response_head(x, &head);
    size_t at = 0;
    while (step == CUPEL_GW_HOLD || step == CUPEL_GW_STREAM) {
        size_t part = in->body_len - at < piece ? in->body_len - at : piece;
        step = cupel_gw_response_body(x, in->body + at, part, at + part == in->body_len, &sink);
        at += part;
        while (step == CUPEL_GW_WAIT)
            step = cupel_gw_response_resume(x, &sink);
        require(at < in->body_len || (step != CUPEL_GW_HOLD && step != CUPEL_GW_STREAM));
    }
    if (step == CUPEL_GW_PASS)
        cupel_text_add(text, in->body + at, in->body_len - at);
    return step;
}

static void respond(const struct input *in, size_t piece, bool later, struct seen *ret)
{
    struct block *blocks = NULL;
    struct cupel_gw_arena arena = {take, &blocks};
    struct cupel_gw_exchange x;
    struct cupel_gw_request_note note = {
        .kind = in->kind, .id = {"7", 1}, .id_key = {"7", 1}, .method = {"tools/call", 10}};
    uint32_t known = 0;
    struct cupel_gw_lists lists = {take_list, NULL, later ? &known : NULL};
    struct cupel_gw_counter counter = {count, &ret->counts};
    ret->counts = 0;
    cupel_text_init(&ret->text, NULL);
    cupel_gw_exchange_init(&x, in->worker, &in->policy, &arena);
    x.catalog = in->catalog;
    x.counter = &counter;
    x.lists = &lists;
    if (note.kind == CUPEL_GW_CALL) {
        note.tool = (struct cupel_gw_text){"out", 3};
        note.definition = cupel_catalog_find(in->catalog, "out", 3);
    }
    if (note.kind == CUPEL_GW_LIST)
        note.method = (struct cupel_gw_text){"tools/list", 10};
    if (note.kind != CUPEL_GW_NOTHING) {
        x.notes = &note;
        x.note_count = 1;
    }
    ret->step = hand_over(in, &x, piece, &ret->text);
    if (ret->step == CUPEL_GW_REFUSE)
        cupel_text_add(&ret->text, x.answer.bytes, x.answer.len);
    cupel_gw_response_end(&x);
    require(in->worker->held == 0);
    free_blocks(blocks);
}

/* -- What the client receives ---------------------------------------------------------------- */

/* A message that the client takes for the result of its call conforms. */
static void must_conform(const struct input *in, const char *text, size_t len)
{
    struct cupel_options options;
    struct cupel_document *doc = NULL;
    struct cupel_call_context *caller = NULL;
    struct cupel_text answer;
    cupel_options_init(&options);
    cupel_text_init(&answer, NULL);
    if (cupel_document_new(&options, &doc) == CUPEL_OK &&
        cupel_call_context_new(&options, &caller) == CUPEL_OK &&
        cupel_document_read(doc, text, len, NULL) == CUPEL_OK &&
        cupel_json_type(doc, 0) == CUPEL_JSON_OBJECT) {
        uint32_t id = cupel_json_member(doc, 0, "id", 2);
        uint32_t result = cupel_json_member(doc, 0, "result", 6);
        struct cupel_result_outcome outcome;
        size_t id_len = 0;
        const char *id_text = id != CUPEL_NO_NODE ? cupel_json_span(doc, id, &id_len) : "";
        if (result != CUPEL_NO_NODE && id_len == 1 && id_text[0] == '7')
            require(cupel_result_check_node(cupel_catalog_find(in->catalog, "out", 3), caller, doc,
                                            result, "7", 1, in->policy.profile, &answer, NULL,
                                            &outcome) != CUPEL_RESULT_INVALID);
    }
    cupel_text_free(&answer);
    cupel_call_context_free(caller);
    cupel_document_free(doc);
}

static void check_seen(const struct input *in, const struct seen *seen)
{
    struct block *blocks = NULL;
    struct cupel_gw_arena arena = {take, &blocks};
    struct cupel_gw_events events;
    struct cupel_gw_piece piece;
    const char *bytes = seen->text.bytes;
    size_t len = seen->text.len;
    const struct cupel_tool *tool = cupel_catalog_find(in->catalog, "out", 3);
    if (tool->output == NULL || /* before 2025-06-18 tools have none */
        in->kind != CUPEL_GW_CALL || in->status != 200 || in->policy.mode == CUPEL_GW_REPORT ||
        in->policy.results != CUPEL_GW_RESULTS_ON || len == 0)
        return;
    must_conform(in, bytes, len);
    cupel_gw_events_init(&events, &arena, SIZE_MAX / 4);
    while (cupel_gw_events_next(&events, &bytes, &len, &piece))
        if (piece.kind == CUPEL_GW_PIECE_EVENT && piece.data.len != 0)
            must_conform(in, piece.data.bytes, piece.data.len);
    free_blocks(blocks);
}

static void must_be_equal(const struct seen *a, const struct seen *b)
{
    require(a->step == b->step && a->counts == b->counts && a->text.len == b->text.len);
    require(a->text.len == 0 || memcmp(a->text.bytes, b->text.bytes, a->text.len) == 0);
}

static void judge(const struct input *in, size_t piece)
{
    struct seen whole, pieces, waiting;
    respond(in, in->body_len + 1, false, &whole);
    respond(in, piece, false, &pieces);
    respond(in, piece, true, &waiting);
    check_seen(in, &whole);
    check_seen(in, &pieces);
    must_be_equal(&pieces, &waiting);
    /* A body that is too large to be held, and turns out to be no answer, is refused if none of it
     * has gone out, and cut off otherwise. */
    if (whole.step != CUPEL_GW_REFUSE || pieces.step != CUPEL_GW_ABORT)
        must_be_equal(&whole, &pieces);
    cupel_text_free(&whole.text);
    cupel_text_free(&pieces.text);
    cupel_text_free(&waiting.text);
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
    static const enum cupel_mcp_profile profiles[] = {CUPEL_MCP_2025_06_18, CUPEL_MCP_2026_07_28,
                                                      CUPEL_MCP_2025_03_26, CUPEL_MCP_2025_11_25};
    static const enum cupel_gw_message_kind kinds[] = {CUPEL_GW_CALL, CUPEL_GW_LIST,
                                                       CUPEL_GW_REQUEST, CUPEL_GW_NOTHING};
    struct cupel_options options;
    struct input in = {.status = 200};
    if (size < 3)
        return 0;
    cupel_options_init(&options);
    cupel_gw_policy_init(&in.policy);
    in.policy.profile = profiles[data[0] & 3];
    in.policy.mode = (data[0] & 4) != 0 ? CUPEL_GW_REPORT : CUPEL_GW_ENFORCE;
    in.policy.results = (data[0] & 8) != 0 ? CUPEL_GW_RESULTS_COUNT : CUPEL_GW_RESULTS_ON;
    in.policy.unattributed = (data[0] & 16) != 0 ? CUPEL_GW_PASS_IT : CUPEL_GW_REFUSE_IT;
    in.policy.limits.result = (data[0] & 32) != 0 ? 100 : 1 << 20;
    in.policy.limits.event = (data[0] & 64) != 0 ? 100 : 1 << 20;
    in.kind = kinds[data[2] & 3];
    in.status = (data[2] & 4) != 0 ? 404 : 200;
    size_t piece = data[1] % 64u + 1u;
    in.type = (const char *)data + 3;
    const char *end = size > 3 ? memchr(in.type, '\n', size - 3) : NULL;
    in.type_len = end != NULL ? (size_t)(end - in.type) : size - 3;
    in.body = end != NULL ? end + 1 : in.type + in.type_len;
    in.body_len = size - 3 - in.type_len - (end != NULL);
    struct cupel_catalog *catalog = make_catalog(in.policy.profile);
    in.catalog = catalog;
    if (catalog != NULL && cupel_gw_worker_new(&options, no_time, NULL, &in.worker) == CUPEL_OK) {
        judge(&in, piece);
        cupel_gw_worker_free(in.worker);
    }
    cupel_catalog_free(catalog);
    return 0;
}
