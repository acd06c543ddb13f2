/* answer.c: JSON-RPC errors that the gateway writes itself, and copies in the arena of an
 * exchange.
 *
 * The functions of this file read the notes of an exchange and write x->answer.  They know
 * neither requests nor responses, so that both sides use them. */
#include "gateways/common/exchange/worker.h"

#include <string.h>

/* Copies bytes into the arena and appends a NUL, which no length counts. */
struct cupel_gw_text cupel_gw_arena_copy(const struct cupel_gw_exchange *x, const char *bytes,
                                         size_t len)
{
    char *copy = x->arena.alloc(x->arena.ctx, len + 1);
    if (copy == NULL)
        return (struct cupel_gw_text){NULL, 0};
    if (len != 0)
        memcpy(copy, bytes, len);
    copy[len] = '\0';
    return (struct cupel_gw_text){copy, len};
}

static const char no_memory[] =
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,\"message\":\"Out of memory\"}}";

/* Writes the error into worker->answer, because its length is not known before, and copies it to
 * the arena, where it lives until the exchange ends.  Without memory the answer is a static text
 * with status 500, so that a refusal never turns into a pass.  Returns CUPEL_GW_REFUSE. */
enum cupel_gw_step cupel_gw_answer_error(struct cupel_gw_exchange *x, unsigned http_status,
                                         const struct cupel_gw_text *id, int code,
                                         const char *message)
{
    struct cupel_text *text = &x->worker->answer;
    cupel_text_clear(text);
    cupel_text_adds(text, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (id != NULL && id->bytes != NULL)
        cupel_text_add(text, id->bytes, id->len);
    else
        cupel_text_adds(text, "null");
    cupel_text_addf(text, ",\"error\":{\"code\":%d,\"message\":\"%s\"}}", code, message);
    struct cupel_gw_text kept = {NULL, 0};
    if (!text->failed)
        kept = cupel_gw_arena_copy(x, text->bytes, text->len);
    if (kept.bytes == NULL)
        x->answer = (struct cupel_gw_answer){500, no_memory, sizeof(no_memory) - 1};
    else
        x->answer = (struct cupel_gw_answer){http_status, kept.bytes, kept.len};
    return CUPEL_GW_REFUSE;
}

/* Whether JSON-RPC owes a response for the message: it is a request.  Responses of the client and
 * notifications get none. */
bool cupel_gw_expects_response(const struct cupel_gw_request_note *note)
{
    return note->id.bytes != NULL && note->kind != CUPEL_GW_ANSWER &&
           note->kind != CUPEL_GW_NOTIFICATION;
}
