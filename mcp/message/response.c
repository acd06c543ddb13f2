/* response.c: writes the JSON-RPC messages that answer requests.
 *
 * A call that is refused is answered in one of two ways: with an error of JSON-RPC, which hosts
 * handle, or with a result that has `isError`, which the model reads and can correct.  Which one is
 * decided in call/call.c. */
#include "mcp/message/response.h"

#include <string.h>

enum { MOST_BYTES = 2048 }; /* of the text that a model usually gets */

/* Grows both buffers by writing to them, since texts have no function that reserves memory. */
bool cupel__mcp_answer_init(struct cupel__mcp_answer *answer, const struct cupel_alloc *alloc)
{
    static const char filler[MOST_BYTES * 2] = {0};
    memset(answer, 0, sizeof(*answer));
    cupel_text_init(&answer->lines, alloc);
    cupel_text_init(&answer->message, alloc);
    cupel_text_add(&answer->lines, filler, sizeof(filler));
    cupel_text_add(&answer->message, filler, sizeof(filler));
    if (answer->lines.failed || answer->message.failed) {
        cupel__mcp_answer_free(answer);
        return false;
    }
    cupel_text_clear(&answer->lines);
    cupel_text_clear(&answer->message);
    return true;
}

void cupel__mcp_answer_free(struct cupel__mcp_answer *answer)
{
    cupel_text_free(&answer->lines);
    cupel_text_free(&answer->message);
}

/* -- The messages ----------------------------------------------------------------------------- */

void cupel__mcp_open_message(struct cupel_text *text, const char *id, size_t id_len)
{
    cupel_text_adds(text, "{\"jsonrpc\":\"2.0\",\"id\":");
    cupel_text_add(text, id != NULL ? id : "null", id != NULL ? id_len : 4);
}

void cupel__mcp_write_error(struct cupel_text *text, const char *id, size_t id_len, int code,
                            const char *message, size_t len)
{
    cupel__mcp_open_message(text, id, id_len);
    cupel_text_addf(text, ",\"error\":{\"code\":%d,\"message\":", code);
    cupel_text_add_json(text, message, len);
    cupel_text_adds(text, "}}");
}

void cupel__mcp_write_tool_error(struct cupel_text *text, const char *id, size_t id_len,
                                 enum cupel_mcp_profile profile, const char *message, size_t len)
{
    cupel__mcp_open_message(text, id, id_len);
    cupel_text_adds(text, ",\"result\":{");
    if (profile >= CUPEL_MCP_2026_07_28)
        cupel_text_adds(text, "\"resultType\":\"complete\",");
    cupel_text_adds(text, "\"content\":[{\"type\":\"text\",\"text\":");
    cupel_text_add_json(text, message, len);
    cupel_text_adds(text, "}],\"isError\":true}}");
}
