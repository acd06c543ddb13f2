/* response.c: what is said about a call: the text a model reads, and the JSON-RPC message around
 * it. Values are never repeated; names are cut and made safe (untrusted.c). */
#include "mcp_internal.h"

#include <string.h>

enum {
    MOST_PROBLEMS = 10,
    MOST_BYTES = 2048,
    /* What the headline, the parameters and the count of what was left out may need of them. */
    RESERVED = 768,
    MESSAGE_BYTES = 400,
    PATH_BYTES = 200
};

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

/* -- Paths ------------------------------------------------------------------------------------ */

/* The child of a container for one token of a pointer; CUPEL_NO_NODE if it is not there. */
static uint32_t child_of(struct cupel_document *doc, uint32_t node, const char *token, size_t len)
{
    if (node == CUPEL_NO_NODE || cupel_json_type(doc, node) == CUPEL_JSON_OBJECT)
        return node != CUPEL_NO_NODE ? cupel_json_member(doc, node, token, len) : CUPEL_NO_NODE;
    uint64_t index = 0;
    for (size_t i = 0; i < len && index < UINT32_MAX; i++)
        index = index * 10 + (uint64_t)(token[i] - '0');
    uint32_t child = cupel_json_first(doc, node);
    while (child != CUPEL_NO_NODE && index-- > 0)
        child = cupel_json_next(doc, node, child);
    return child;
}

/* Undoes the escapes of one reference token (RFC 6901 section 4), cut at the size of `ret`. */
static size_t decode_token(const char *token, size_t len, char *ret, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < len && n < size; i++) {
        char c = token[i];
        if (c == '~' && i + 1 < len)
            c = token[++i] == '0' ? '~' : '/';
        ret[n++] = c;
    }
    return n;
}

/* Appends a pointer as models write paths: target.href, items[2].id.  Follows the document, for
 * only it knows whether "2" is an index or a key. */
static void add_path(struct cupel_text *text, struct cupel_document *doc, uint32_t node,
                     const char *pointer)
{
    size_t start = text->len;
    if (*pointer == '\0')
        cupel_text_adds(text, "arguments");
    for (bool first = true; *pointer == '/'; first = false) {
        char token[256];
        if (text->len - start > PATH_BYTES) {
            cupel_text_adds(text, " …");
            return;
        }
        size_t len = strcspn(++pointer, "/");
        size_t n = decode_token(pointer, len, token, sizeof(token));
        bool in_array = node != CUPEL_NO_NODE && cupel_json_type(doc, node) == CUPEL_JSON_ARRAY;
        if (in_array) {
            cupel_text_adds(text, "[");
            cupel__mcp_add_clean(text, token, n, 10);
            cupel_text_adds(text, "]");
        } else {
            cupel_text_adds(text, first ? "" : ".");
            cupel__mcp_add_name(text, token, n);
        }
        node = child_of(doc, node, token, n);
        pointer += len;
    }
}

/* Whether the problem is a member that nothing declares, which models know as a parameter. */
static bool is_undeclared(const struct cupel_problem *problem)
{
    return strcmp(problem->keyword, "additionalProperties") == 0 ||
           strcmp(problem->keyword, "unevaluatedProperties") == 0;
}

/* -- The text --------------------------------------------------------------------------------- */

int cupel__mcp_answer_problem(void *ctx, const struct cupel_problem *problem)
{
    struct cupel__mcp_answer *answer = ctx;
    struct cupel_text *lines = &answer->lines;
    size_t before = lines->len;
    answer->count++;
    if (answer->count <= MOST_PROBLEMS && answer->more == 0) {
        cupel_text_adds(lines, "- ");
        add_path(lines, answer->doc, answer->arguments, problem->instance);
        cupel_text_adds(lines, ": ");
        if (is_undeclared(problem))
            cupel_text_adds(lines, "not a parameter");
        else
            cupel__mcp_add_clean(lines, problem->message, strlen(problem->message), MESSAGE_BYTES);
        cupel_text_adds(lines, "\n");
    }
    if (lines->len == before || lines->len > MOST_BYTES - RESERVED) {
        lines->len = before;
        answer->more++;
    }
    return answer->next != NULL ? answer->next(answer->next_ctx, problem) : 0;
}

void cupel__mcp_answer_finish(struct cupel__mcp_answer *answer, const struct cupel__mcp_tool *tool,
                              bool all_seen)
{
    struct cupel_text *text = &answer->message;
    cupel_text_clear(text);
    cupel_text_adds(text, "tool ");
    cupel__mcp_add_quoted(text, tool->view.name, tool->view.name_len);
    cupel_text_addf(text, ": %s%u problem%s in the arguments\n", all_seen ? "" : "at least ",
                    (unsigned)answer->count, answer->count == 1 ? "" : "s");
    cupel_text_add(text, answer->lines.bytes, answer->lines.len);
    if (answer->more != 0)
        cupel_text_addf(text, "… and %u more\n", (unsigned)answer->more);
    size_t len = strlen(tool->parameters);
    if (text->len + len < MOST_BYTES)
        cupel_text_add(text, tool->parameters, len);
    else if (text->len != 0 && text->bytes[text->len - 1] == '\n')
        text->len--;
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
    cupel_text_json(text, message, len);
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
    cupel_text_json(text, message, len);
    cupel_text_adds(text, "}],\"isError\":true}}");
}
