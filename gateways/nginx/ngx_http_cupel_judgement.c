/* ngx_http_cupel_judgement.c: a judgement once it is made: it is counted and logged, and the
 * refusals that are the module's own; and which tools the policy holds back. */
#include "gateways/nginx/ngx_http_cupel.h"

/* -- Counting and logging -----------------------------------------------------------------------
 */

/* Logs a refusal in one line at level info: the tool's name, escaped and cut to 64 bytes, verdict
 * and reason.  Arguments never go to the log. */
static void log_refusal(const ngx_http_cupel_ctx_t *ctx)
{
    u_char name[6 * 64];
    struct cupel_gw_text tool = {"", 0};
    if (ctx->x.note_count != 0 && ctx->x.notes[0].tool.bytes != NULL)
        tool = ctx->x.notes[0].tool;
    u_char *end = (u_char *)ngx_escape_json(name, (u_char *)tool.bytes, ngx_min(tool.len, 64));
    const char *verdict = ctx->x.request.verdict, *reason = ctx->x.request.reason;
    ngx_log_error(NGX_LOG_INFO, ctx->r->connection->log, 0, "cupel: tool \"%*s\": %s%s%s",
                  (size_t)(end - name), name, verdict != NULL ? verdict : "refused",
                  *reason != '\0' ? ", " : "", reason);
}

/* Counts the judgement of the request.  A tool is counted by its name only if the catalog has it:
 * clients choose unknown names, and each would make a series of its own. */
static void count_request(ngx_http_cupel_ctx_t *ctx)
{
    const struct cupel_gw_exchange *x = &ctx->x;
    ngx_http_cupel_event_t event = {ctx->conf->catalog, {NULL, 0},        x->request.verdict,
                                    x->request.reason,  x->request.steps, ctx->nanoseconds};
    if (x->note_count != 0 && x->notes[0].definition != NULL)
        event.tool =
            (struct cupel_gw_text){x->notes[0].definition->name, x->notes[0].definition->name_len};
    ngx_http_cupel_count(ngx_http_cupel_main(ctx->r), &event);
}

void ngx_http_cupel_count_response(void *data, struct cupel_gw_exchange *x,
                                   const struct cupel_tool *definition,
                                   const struct cupel_gw_count *count)
{
    const ngx_http_cupel_ctx_t *ctx = data;
    ngx_http_cupel_event_t event = {.catalog = ctx->conf->catalog,
                                    .verdict = count->verdict,
                                    .reason = count->reason,
                                    .steps = count->steps};
    (void)x;
    if (count->verdict == NULL)
        return;
    if (definition != NULL)
        event.tool = (struct cupel_gw_text){definition->name, definition->name_len};
    ngx_http_cupel_count(ngx_http_cupel_main(ctx->r), &event);
}

/* Ends the judgement: counts it, and logs a refusal.  A valid call that is refused is one of a
 * withheld tool. */
void ngx_http_cupel_finish_judging(ngx_http_cupel_ctx_t *ctx)
{
    ctx->state = NGX_HTTP_CUPEL_JUDGED;
    if (ctx->refused && ctx->x.request.verdict == NULL)
        ctx->x.request.verdict = "bad-request";
    else if (ctx->refused && ngx_strcmp(ctx->x.request.verdict, "valid") == 0)
        ctx->x.request.verdict = "held"; /* the call is valid, the tool's definition not approved */
    if (ctx->x.request.verdict != NULL)
        count_request(ctx);
    if (ctx->refused)
        log_refusal(ctx);
}

void ngx_http_cupel_refuse(ngx_http_cupel_ctx_t *ctx, ngx_uint_t status, int code,
                           const char *verdict, const char *reason, const char *message)
{
    (void)cupel_gw_answer_error(&ctx->x, (unsigned)status, NULL, code, message);
    ctx->x.request.verdict = verdict;
    ctx->x.request.reason = reason;
    ctx->refused = 1;
    ngx_http_cupel_finish_judging(ctx);
}

void ngx_http_cupel_refuse_large(ngx_http_cupel_ctx_t *ctx)
{
    ngx_http_cupel_refuse(ctx, NGX_HTTP_REQUEST_ENTITY_TOO_LARGE, -32600, "bad-request",
                          "JSON_SIZE",
                          "Invalid request: the body is larger than this gateway takes");
}

/* -- Tools that are held back -------------------------------------------------------------------
 */

/* Why a tool is withheld: bits of enum cupel_gw_withheld_why. */
static uint8_t why_withheld(const ngx_http_cupel_ctx_t *ctx, const struct cupel_tool *tool)
{
    const ngx_http_cupel_catalog_t *catalog = ctx->conf->catalog;
    if (ctx->list != NULL)
        return cupel_gw_list_withheld(ctx->list, tool);
    if (catalog->withheld == NULL)
        return 0;
    return cupel_gw_withheld_by_name(catalog->tools, catalog->withheld, tool);
}

const char *ngx_http_cupel_why_withheld(void *data, const struct cupel_tool *tool)
{
    const ngx_http_cupel_ctx_t *ctx = data;
    uint8_t why = why_withheld(ctx, tool);
    if (why == 0 || cupel_gw_withheld_action(&ctx->conf->policy, why) == CUPEL_GW_WITHHOLD_REPORT)
        return NULL;
    return cupel_gw_withheld_word(why);
}
