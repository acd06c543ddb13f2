/* ngx_http_cupel_batch.c: several messages in one body, which JSON-RPC has and of MCP the version
 * 2025-03-26 alone.  A batch passes whole or not at all, for its bytes are not ours to change: if
 * one message of it must not pass, each request in it is answered, those that could have passed
 * with a word about that. */
#include "ngx_http_cupel.h"

struct batch {
    ngx_http_request_t *r;
    ngx_http_cupel_ctx_t *ctx;
    struct cupel_text *answers; /* "[…" */
    ngx_uint_t seen;
    ngx_uint_t refused;
};

static void add_answer(struct cupel_text *to, const char *text, size_t len)
{
    cupel_text_adds(to, to->len == 0 ? "[" : ",");
    cupel_text_add(to, text, len);
}

static void add_withheld(struct cupel_text *to, const struct cupel_call_outcome *outcome)
{
    cupel_text_adds(to, to->len == 0 ? "[" : ",");
    cupel_text_adds(to, "{\"jsonrpc\":\"2.0\",\"id\":");
    cupel_text_add(to, outcome->id, outcome->id_len);
    cupel_text_adds(to, ",\"error\":{\"code\":-32600,\"message\":\"Not sent on: another message of "
                        "the batch was refused\"}}");
}

/* Called for each message; the first that is refused is what logs tell of the batch. */
static int on_call(void *data, const char *message, size_t len, enum cupel_call_verdict verdict,
                   const struct cupel_call_outcome *outcome, const struct cupel_text *answer)
{
    struct batch *batch = data;
    (void)message;
    (void)len;
    batch->seen++;
    batch->ctx->steps += outcome->steps;
    if (ngx_http_cupel_passes(batch->r, verdict, outcome)) {
        if (outcome->id != NULL)
            add_withheld(batch->answers, outcome);
        return 0;
    }
    if (batch->refused++ == 0)
        ngx_http_cupel_note(batch->r, batch->ctx, verdict, outcome);
    if (answer->len != 0)
        add_answer(batch->answers, answer->bytes, answer->len);
    return 0;
}

ngx_uint_t ngx_http_cupel_is_batch(const ngx_http_cupel_catalog_t *catalog, const ngx_str_t *body)
{
    size_t i = 0;
    while (i < body->len && (body->data[i] == ' ' || body->data[i] == '\t' ||
                             body->data[i] == '\n' || body->data[i] == '\r'))
        i++;
    return catalog->profile == CUPEL_MCP_2025_03_26 && i < body->len && body->data[i] == '[';
}

ngx_int_t ngx_http_cupel_judge_batch(ngx_http_request_t *r, ngx_http_cupel_ctx_t *ctx,
                                     const ngx_str_t *body)
{
    ngx_http_cupel_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_cupel_module);
    const ngx_http_cupel_loc_conf_t *conf = ngx_http_cupel_get_ctx(r)->conf;
    struct batch batch = {r, ctx, &main->answers, 0, 0};
    cupel_text_clear(&main->answers);
    ctx->verdict = cupel_call_verdict_name(CUPEL_CALL_VALID);
    ctx->reason = "batch";
    enum cupel_call_verdict verdict =
        cupel_batch_check(conf->catalog->tools, main->caller, (const char *)body->data, body->len,
                          &main->answer, NULL, on_call, &batch);
    const struct cupel_text *answer = &main->answers;
    if (batch.seen == 0) { /* nothing was judged, so nothing passes: whatever the reason */
        ctx->verdict = cupel_call_verdict_name(verdict);
        ctx->status = NGX_HTTP_BAD_REQUEST;
        answer = &main->answer;
    } else if (batch.refused == 0) {
        return NGX_OK;
    } else {
        ctx->status = main->answers.len != 0 ? NGX_HTTP_OK : NGX_HTTP_BAD_REQUEST;
        if (main->answers.len != 0)
            cupel_text_adds(&main->answers, "]");
    }
    if (answer->failed)
        return NGX_ERROR;
    return ngx_http_cupel_keep(r->pool, answer->bytes, answer->len, &ctx->answer);
}
