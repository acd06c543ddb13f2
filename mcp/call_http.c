/* call_http.c: the header of an HTTP request that carries a call, and its body (specification
 * 2026-07-28, "Streamable HTTP", sections "Request Metadata" and "Server Validation").
 *
 * Others on the way route and decide by the header; whoever reads the body has to make sure that
 * both say the same. */
#include "caller.h"

#include <stdio.h>

#define PREFIX "=?base64?"
#define SUFFIX "?="

enum { PREFIX_LEN = sizeof(PREFIX) - 1, SUFFIX_LEN = sizeof(SUFFIX) - 1 };

static const char VERSION_FIELD[] = "MCP-Protocol-Version";
static const char METHOD_FIELD[] = "Mcp-Method";
static const char NAME_FIELD[] = "Mcp-Name";
static const char PARAM_FIELD[] = "Mcp-Param-";

/* -- Values ----------------------------------------------------------------------------------- */

static bool is_encoded(const char *value, size_t len)
{
    return len >= PREFIX_LEN + SUFFIX_LEN && memcmp(value, PREFIX, PREFIX_LEN) == 0 &&
           memcmp(value + len - SUFFIX_LEN, SUFFIX, SUFFIX_LEN) == 0;
}

/* Visible ASCII, spaces and tabs. */
static bool is_plain(const char *value, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((value[i] < 0x20 || value[i] > 0x7e) && value[i] != '\t')
            return false;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Appends a value as a header can carry it. */
static void write_value(struct cupel_text *text, const char *value, size_t len)
{
    bool bare = is_plain(value, len) && !is_encoded(value, len) &&
                (len == 0 || (!is_blank(value[0]) && !is_blank(value[len - 1])));
    if (bare) {
        cupel_text_add(text, value, len);
        return;
    }
    cupel_text_adds(text, PREFIX);
    cupel__base64_encode(value, len, text);
    cupel_text_adds(text, SUFFIX);
}

/* Appends what a field's value stands for; false if it is not one that may be sent. */
static bool read_value(const struct cupel_header *field, struct cupel_text *ret)
{
    if (!is_plain(field->value, field->value_len))
        return false;
    if (is_encoded(field->value, field->value_len))
        return cupel__base64_decode(field->value + PREFIX_LEN,
                                    field->value_len - PREFIX_LEN - SUFFIX_LEN, ret);
    cupel_text_add(ret, field->value, field->value_len);
    return true;
}

/* -- Fields ----------------------------------------------------------------------------------- */

static bool same_letter(char a, char b)
{
    char x = a >= 'A' && a <= 'Z' ? (char)(a | 0x20) : a;
    char y = b >= 'A' && b <= 'Z' ? (char)(b | 0x20) : b;
    return x == y;
}

/* Whether the field's name is `start` and then `rest`. */
static bool has_name(const struct cupel_header *field, const char *start, const char *rest,
                     size_t rest_len)
{
    size_t n = strlen(start);
    if (field->name_len != n + rest_len)
        return false;
    for (size_t i = 0; i < field->name_len; i++)
        if (!same_letter(field->name[i], i < n ? start[i] : rest[i - n]))
            return false;
    return true;
}

/* What the header says of one thing. */
struct look_up {
    struct cupel_caller *caller;
    const struct cupel_header *headers;
    size_t count;
    const char *start, *rest; /* the field's name */
    size_t rest_len;
};

/* Refuses the request: "Header mismatch: FIELD WHY". */
static bool refuse(const struct look_up *look_up, const char *why)
{
    struct cupel_text *text = &look_up->caller->answer.message;
    cupel_text_clear(text);
    cupel_text_addf(text, "Header mismatch: %s", look_up->start);
    cupel__mcp_add_clean(text, look_up->rest, look_up->rest_len, CUPEL__MCP_NAME);
    cupel_text_addf(text, " %s", why);
    return false;
}

/* Finds the field; *ret is NULL if it is not there.  False if it is there twice: then it depends on
 * who looks what the header says. */
static bool find_field(const struct look_up *look_up, const struct cupel_header **ret)
{
    *ret = NULL;
    for (size_t i = 0; i < look_up->count; i++) {
        const struct cupel_header *field = &look_up->headers[i];
        if (!has_name(field, look_up->start, look_up->rest, look_up->rest_len))
            continue;
        if (*ret != NULL)
            return refuse(look_up, "is there more than once");
        *ret = field;
    }
    return true;
}

/* Finds a field that has to be there and decodes it into `answer.lines`. */
static bool need_field(const struct look_up *look_up, bool may_be_encoded)
{
    const struct cupel_header *field;
    struct cupel_text *value = &look_up->caller->answer.lines;
    cupel_text_clear(value);
    if (!find_field(look_up, &field))
        return false;
    if (field == NULL)
        return refuse(look_up, "is missing");
    if (may_be_encoded)
        return read_value(field, value) || refuse(look_up, "has characters that may not be sent");
    cupel_text_add(value, field->value, field->value_len);
    return true;
}

static bool need_equal(const struct look_up *look_up, bool may_be_encoded, const char *text,
                       size_t len)
{
    const struct cupel_text *value = &look_up->caller->answer.lines;
    if (!need_field(look_up, may_be_encoded))
        return false;
    if (value->failed || value->len != len || (len != 0 && memcmp(value->bytes, text, len) != 0))
        return refuse(look_up, "does not match the value in the body");
    return true;
}

/* -- The fields of every call ----------------------------------------------------------------- */

/* The version that the body names, if it does. */
static const char *body_version(const struct cupel__call_site *site, size_t *ret_len)
{
    static const char key[] = "io.modelcontextprotocol/protocolVersion";
    uint32_t meta = cupel_json_member(site->doc, site->params, "_meta", 5);
    uint32_t version = meta != CUPEL_NO_NODE
                           ? cupel_json_member(site->doc, meta, key, sizeof(key) - 1)
                           : CUPEL_NO_NODE;
    return version != CUPEL_NO_NODE ? cupel_json_string(site->doc, version, ret_len) : NULL;
}

bool cupel__http_agrees(struct cupel_caller *caller, const struct cupel__call_site *site,
                        const struct cupel_header *headers, size_t count)
{
    struct look_up look_up = {caller, headers, count, VERSION_FIELD, "", 0};
    size_t len;
    const char *version = body_version(site, &len);
    if (version != NULL ? !need_equal(&look_up, false, version, len) : !need_field(&look_up, false))
        return false;
    look_up.start = METHOD_FIELD;
    if (!need_equal(&look_up, false, "tools/call", 10))
        return false;
    look_up.start = NAME_FIELD;
    return need_equal(&look_up, true, site->tool, site->tool_len);
}

/* -- Mcp-Param-… ------------------------------------------------------------------------------ */

/* The argument that a declared header repeats; CUPEL_NO_NODE if it is absent or null. */
static uint32_t find_argument(const struct cupel__call_site *site,
                              const struct cupel__mcp_header *header)
{
    struct cupel_document *doc = site->arguments_doc;
    uint32_t node = site->arguments;
    for (uint32_t i = 0; i < header->depth && node != CUPEL_NO_NODE; i++)
        node = cupel_json_member(doc, node, header->path[i].bytes, header->path[i].len);
    if (node != CUPEL_NO_NODE && cupel_json_type(doc, node) == CUPEL_JSON_NULL)
        return CUPEL_NO_NODE;
    return node;
}

/* Numbers are compared as such: 42.0 is 42. */
static bool same_number(const struct look_up *look_up, const struct cupel__call_site *site,
                        uint32_t node)
{
    struct cupel_document *copy = look_up->caller->copy;
    const struct cupel_text *value = &look_up->caller->answer.lines;
    return !value->failed && cupel_document_read(copy, value->bytes, value->len, NULL) == CUPEL_OK &&
           cupel_json_type(copy, 0) == CUPEL_JSON_NUMBER &&
           cupel_json_equal(site->arguments_doc, node, copy, 0) == 1;
}

static bool argument_agrees(const struct look_up *look_up, const struct cupel__call_site *site,
                            uint32_t node)
{
    struct cupel_document *doc = site->arguments_doc;
    size_t len;
    const char *text;
    switch (cupel_json_type(doc, node)) {
    case CUPEL_JSON_STRING:
        text = cupel_json_string(doc, node, &len);
        return need_equal(look_up, true, text, len);
    case CUPEL_JSON_BOOLEAN:
        text = cupel_json_span(doc, node, &len);
        return need_equal(look_up, true, text, len);
    case CUPEL_JSON_NUMBER:
        if (!need_field(look_up, true))
            return false;
        return same_number(look_up, site, node) ||
               refuse(look_up, "does not match the value in the body");
    default:
        return true; /* the schema asks for a scalar, and says so */
    }
}

bool cupel__http_parameters_agree(struct cupel_caller *caller, const struct cupel__call_site *site,
                                  const struct cupel_header *headers, size_t count)
{
    const struct cupel__mcp_header *header = site->definition->headers;
    for (; header != NULL; header = header->next) {
        struct look_up look_up = {caller,      headers,      count,
                                  PARAM_FIELD, header->name, header->name_len};
        const struct cupel_header *field;
        uint32_t node = find_argument(site, header);
        if (node != CUPEL_NO_NODE) {
            if (!argument_agrees(&look_up, site, node))
                return false;
        } else if (!find_field(&look_up, &field)) {
            return false;
        } else if (field != NULL) {
            return refuse(&look_up, "is there, and no value in the body");
        }
    }
    return true;
}

/* -- Writing ---------------------------------------------------------------------------------- */

static void write_field(struct cupel_text *text, const char *start, const char *rest,
                        size_t rest_len, const char *value, size_t len)
{
    cupel_text_adds(text, start);
    cupel_text_add(text, rest, rest_len);
    cupel_text_adds(text, ": ");
    write_value(text, value, len);
    cupel_text_adds(text, "\r\n");
}

/* Integers are sent in decimal, however they are written in the body. */
static void write_argument(struct cupel_text *text, const struct cupel__call_site *site,
                           const struct cupel__mcp_header *header, uint32_t node)
{
    size_t len;
    int64_t number;
    char decimal[24];
    const char *value = cupel_json_string(site->arguments_doc, node, &len);
    if (cupel_json_integer(site->arguments_doc, node, &number) == 0) {
        len = (size_t)snprintf(decimal, sizeof(decimal), "%lld", (long long)number);
        value = decimal;
    } else if (value == NULL) {
        value = cupel_json_span(site->arguments_doc, node, &len);
    }
    write_field(text, PARAM_FIELD, header->name, header->name_len, value, len);
}

void cupel_call_headers_write(struct cupel_caller *caller, struct cupel_text *text)
{
    const struct cupel__call_site *site = &caller->last;
    if (site->doc == NULL)
        return;
    write_field(text, METHOD_FIELD, "", 0, "tools/call", 10);
    write_field(text, NAME_FIELD, "", 0, site->tool, site->tool_len);
    const struct cupel__mcp_header *header = site->definition->headers;
    for (; header != NULL; header = header->next) {
        uint32_t node = find_argument(site, header);
        if (node != CUPEL_NO_NODE)
            write_argument(text, site, header, node);
    }
}
