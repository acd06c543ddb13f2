/* http.c: compares the HTTP fields of a request with its body, and writes the fields for a body
 * (specification 2026-07-28, "Streamable HTTP", sections "Request Metadata" and "Server
 * Validation").
 *
 * Proxies route and decide by Mcp-Method, Mcp-Name, Mcp-Param-… and MCP-Protocol-Version.  Whoever
 * reads the body has to make sure that the fields say the same, otherwise a client can show one
 * call to the proxy and another to the server.  A field that occurs twice is refused for the same
 * reason.
 *
 * Fields are put into a hash table once (cupel__fields_open), and the arguments that fields repeat
 * are found in one pass over the arguments, so the cost is linear in fields, arguments and declared
 * headers together.
 *
 * A value that a field cannot carry as it is (not ASCII, white space at an end, the form of an
 * encoded value) is sent as =?base64?BASE64?=.  Only canonical Base64 is accepted, so that a value
 * has one encoding. */
#include "mcp/call/call.h"
#include "mcp/text/base64.h"
#include "mcp/text/untrusted.h"

#include <stdio.h>
#include <string.h>

#define PREFIX "=?base64?"
#define SUFFIX "?="

enum { PREFIX_LEN = sizeof(PREFIX) - 1, SUFFIX_LEN = sizeof(SUFFIX) - 1 };

#define VERSION_FIELD "MCP-Protocol-Version"
#define METHOD_FIELD  "Mcp-Method"
#define NAME_FIELD    "Mcp-Name"
#define PARAM_FIELD   "Mcp-Param-"

enum { WORD = 16 }; /* bytes of fields and names for which a step is charged */

/* -- Values ----------------------------------------------------------------------------------- */

/* Whether a value has the form =?base64?…?=. */
static bool is_encoded(const char *value, size_t len)
{
    return len >= PREFIX_LEN + SUFFIX_LEN && memcmp(value, PREFIX, PREFIX_LEN) == 0 &&
           memcmp(value + len - SUFFIX_LEN, SUFFIX, SUFFIX_LEN) == 0;
}

/* Whether a value consists of visible ASCII, spaces and tabs. */
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

/* Appends a value as a field can carry it: as it is, or encoded if it has other characters, white
 * space at an end, or the form of an encoded value. */
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

/* Appends the decoded value of a field; false if the field may not have this value. */
static bool read_value(const struct cupel_header *field, struct cupel_text *ret)
{
    if (!is_plain(field->value, field->value_len))
        return false;
    if (is_encoded(field->value, field->value_len)) {
        const char *text = field->value + PREFIX_LEN;
        size_t len = field->value_len - PREFIX_LEN - SUFFIX_LEN;
        return cupel__base64_canonical(text, len) && cupel__base64_decode(text, len, ret);
    }
    cupel_text_add(ret, field->value, field->value_len);
    return true;
}

/* -- Fields ----------------------------------------------------------------------------------- *
 *
 * Only fields whose names begin with Mcp- are kept.  Names are normalised by cupel__mcp_write_key.
 */

#define REPEATED (UINT32_C(1) << 31) /* in the value of a name: the field occurs more than once */

/* Whether the normalised name of a field begins with `key`. */
static bool begins(const struct cupel_header *field, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i < n; i++) {
        char c = i < field->name_len ? field->name[i] : '\0';
        cupel__mcp_write_key(&c, 1);
        if (c != key[i])
            return false;
    }
    return true;
}

/* Writes the normalised names to fields->keys.  Returns the length of all names and values. */
static uint64_t write_keys(struct cupel__fields *fields)
{
    uint64_t bytes = 0;
    cupel_text_clear(&fields->keys);
    for (size_t i = 0; i < fields->count; i++) {
        const struct cupel_header *field = &fields->list[i];
        if (!begins(field, "mcp-"))
            continue;
        cupel_text_add(&fields->keys, field->name, field->name_len);
        bytes += field->name_len + field->value_len;
    }
    if (fields->keys.len != 0 && !fields->keys.failed)
        cupel__mcp_write_key(fields->keys.bytes, fields->keys.len);
    return bytes;
}

bool cupel__fields_open(struct cupel_call_context *context, const struct cupel_header *list,
                        size_t count)
{
    struct cupel__fields *fields = &context->fields;
    fields->list = list;
    fields->count = count;
    fields->first_param = NULL;
    fields->others = false;
    cupel__mcp_names_clear(&fields->names);
    fields->steps = count + write_keys(fields) / WORD;
    const char *key = fields->keys.bytes;
    if (fields->keys.failed || !cupel__mcp_names_reserve(&fields->names, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!begins(&list[i], "mcp-"))
            continue;
        size_t len = list[i].name_len;
        struct cupel__mcp_name *found = cupel__mcp_names_find(&fields->names, key, len);
        if (found != NULL)
            found->value |= REPEATED;
        else
            cupel__mcp_names_put(&fields->names, key, len, (uint32_t)i);
        if (fields->first_param == NULL && begins(&list[i], "mcp-param-"))
            fields->first_param = &list[i];
        fields->others |= begins(&list[i], "mcp-method") || begins(&list[i], "mcp-name") ||
                          begins(&list[i], "mcp-param-");
        key += len;
    }
    return true;
}

/* A field to look up, and its name for messages. */
struct lookup {
    const struct cupel__call *call;
    const char *start, *rest; /* the two parts of the name; the rest comes from a peer */
    size_t rest_len;
    struct cupel__mcp_slice key; /* the normalised name */
};

/* Refuses the request: "Header mismatch: FIELD WHY". */
static bool refuse(const struct lookup *lookup, const char *why)
{
    struct cupel_text *text = &lookup->call->context->answer.message;
    cupel_text_clear(text);
    cupel_text_addf(text, "Header mismatch: %s", lookup->start);
    cupel__add_untrusted(text, lookup->rest, lookup->rest_len, CUPEL__MCP_NAME);
    cupel_text_addf(text, " %s", why);
    return false;
}

/* Finds a field; *ret is NULL if it is absent.  False if it occurs twice: receivers differ in which
 * one they use. */
static bool find_field(const struct lookup *lookup, const struct cupel_header **ret)
{
    const struct cupel__fields *fields = &lookup->call->context->fields;
    const struct cupel__mcp_name *found =
        cupel__mcp_names_find(&fields->names, lookup->key.bytes, lookup->key.len);
    *ret = NULL;
    if (found != NULL && (found->value & REPEATED) != 0)
        return refuse(lookup, "is there more than once");
    if (found != NULL)
        *ret = &fields->list[found->value];
    return true;
}

/* Decodes a field into answer.lines.  *ret is false if it is absent.  False if the field is wrong,
 * or absent and required. */
static bool decode_field(const struct lookup *lookup, bool may_be_encoded, bool *ret)
{
    const struct cupel_header *field;
    struct cupel_text *value = &lookup->call->context->answer.lines;
    cupel_text_clear(value);
    *ret = false;
    if (!find_field(lookup, &field))
        return false;
    if (field == NULL)
        return !lookup->call->fields_needed || refuse(lookup, "is missing");
    *ret = true;
    if (may_be_encoded)
        return read_value(field, value) || refuse(lookup, "has characters that may not be sent");
    cupel_text_add(value, field->value, field->value_len);
    return true;
}

/* Whether a field that is there has this value. */
static bool expect_equal(const struct lookup *lookup, bool may_be_encoded, const char *text,
                         size_t len)
{
    const struct cupel_text *value = &lookup->call->context->answer.lines;
    bool found;
    if (!decode_field(lookup, may_be_encoded, &found))
        return false;
    if (found &&
        (value->failed || value->len != len || (len != 0 && memcmp(value->bytes, text, len) != 0)))
        return refuse(lookup, "does not match the value in the body");
    return true;
}

/* Whether a field for which the body has no value is absent. */
static bool expect_absent(const struct lookup *lookup)
{
    const struct cupel_header *field;
    if (!find_field(lookup, &field))
        return false;
    return field == NULL || refuse(lookup, "is there, and no value in the body");
}

/* -- The fields of every message -------------------------------------------------------------- */

#define LOOKUP(call, name, key)  \
    {                            \
        call, name, "", 0,       \
        {                        \
            key, sizeof(key) - 1 \
        }                        \
    }

/* Returns the node of the protocol version in _meta, or CUPEL_NO_NODE. */
static uint32_t body_version(const struct cupel__call *call)
{
    static const char key[] = "io.modelcontextprotocol/protocolVersion";
    struct cupel_document *doc = call->site.doc;
    uint32_t params = call->message->params;
    uint32_t meta =
        params != CUPEL_NO_NODE ? cupel_json_member(doc, params, "_meta", 5) : CUPEL_NO_NODE;
    return meta != CUPEL_NO_NODE ? cupel_json_member(doc, meta, key, sizeof(key) - 1)
                                 : CUPEL_NO_NODE;
}

/* Compares MCP-Protocol-Version with the version in _meta if there is one.  Sets fields_needed for
 * versions that require the other fields. */
static bool version_matches(struct cupel__call *call)
{
    const struct lookup lookup = LOOKUP(call, VERSION_FIELD, "mcp-protocol-version");
    const struct cupel_header *field;
    uint32_t node = body_version(call);
    size_t len = 0;
    const char *version =
        node != CUPEL_NO_NODE ? cupel_json_string(call->site.doc, node, &len) : NULL;
    if (node != CUPEL_NO_NODE && (version == NULL || !cupel_protocol_version_known(version, len)))
        return refuse(&lookup, "cannot be compared: the version in _meta is not a known one");
    if (!find_field(&lookup, &field))
        return false;
    if (field == NULL)
        return !call->fields_needed || refuse(&lookup, "is missing");
    if (version != NULL && (field->value_len != len || memcmp(field->value, version, len) != 0))
        return refuse(&lookup, "does not match the value in the body");
    if (!cupel_protocol_version_known(field->value, field->value_len))
        return refuse(&lookup, "is not a known version");
    call->fields_needed |= memcmp(field->value, "2026-07-28", 10) >= 0;
    return true;
}

static bool method_matches(const struct cupel__call *call)
{
    const struct lookup lookup = LOOKUP(call, METHOD_FIELD, "mcp-method");
    size_t len;
    if (call->message->method == CUPEL_NO_NODE)
        return expect_absent(&lookup);
    const char *method = cupel_json_string(call->site.doc, call->message->method, &len);
    return expect_equal(&lookup, false, method, len);
}

/* Returns the member of params that Mcp-Name repeats, or NULL. */
static const char *name_member(const char *method, size_t len)
{
    static const char *const members[][2] = {
        {"tools/call", "name"},           {"prompts/get", "name"},
        {"resources/read", "uri"},        {"resources/subscribe", "uri"},
        {"resources/unsubscribe", "uri"}, {"tasks/get", "taskId"},
        {"tasks/result", "taskId"},       {"tasks/update", "taskId"},
        {"tasks/cancel", "taskId"}};
    enum { COUNT = sizeof(members) / sizeof(members[0]) };
    for (int i = 0; i < COUNT; i++)
        if (strlen(members[i][0]) == len && memcmp(members[i][0], method, len) == 0)
            return members[i][1];
    return NULL;
}

/* Compares Mcp-Name.  It is required for three methods and optional for the other ones that have a
 * name. */
static bool name_matches(const struct cupel__call *call)
{
    static const char needed[] = "tools/call prompts/get resources/read ";
    const struct lookup lookup = LOOKUP(call, NAME_FIELD, "mcp-name");
    struct cupel_document *doc = call->site.doc;
    size_t len = 0, method_len = 0;
    const char *method = call->message->method != CUPEL_NO_NODE
                             ? cupel_json_string(doc, call->message->method, &method_len)
                             : "";
    const char *member = name_member(method, method_len);
    uint32_t params = call->message->params;
    uint32_t node = member != NULL && params != CUPEL_NO_NODE
                        ? cupel_json_member(doc, params, member, strlen(member))
                        : CUPEL_NO_NODE;
    const char *name = node != CUPEL_NO_NODE ? cupel_json_string(doc, node, &len) : NULL;
    const struct cupel_header *field;
    if (name == NULL)
        return expect_absent(&lookup);
    if (!find_field(&lookup, &field))
        return false;
    char copy[sizeof("resources/unsubscribe ")];
    snprintf(copy, sizeof(copy), "%.*s ", (int)method_len, method);
    return (field == NULL && strstr(needed, copy) == NULL) ||
           expect_equal(&lookup, true, name, len);
}

/* Mcp-Param-… fields belong to calls: no other message may have them. */
static bool parameters_have_call(const struct cupel__call *call)
{
    const struct cupel_header *field = call->context->fields.first_param;
    if (field == NULL || (call->message->method != CUPEL_NO_NODE &&
                          cupel_json_is(call->site.doc, call->message->method, "tools/call")))
        return true;
    const struct lookup lookup = {call, "", field->name, field->name_len, {"", 0}};
    return refuse(&lookup, "is there, and no call in the body");
}

bool cupel__http_fields_match(struct cupel__call *call)
{
    const struct cupel__fields *fields = &call->context->fields;
    call->fields_needed = (call->options->flags & CUPEL_REQUEST_FIELDS_NEEDED) != 0 ||
                          (call->profile >= CUPEL_MCP_2026_07_28 && fields->others);
    return cupel__call_charge(call, fields->steps) && version_matches(call) &&
           method_matches(call) && name_matches(call) && parameters_have_call(call);
}

/* -- Mcp-Param-… ------------------------------------------------------------------------------ */

/* Returns an array with a node for each path of a tool, all CUPEL_NO_NODE; NULL without memory. */
static uint32_t *make_places(struct cupel_call_context *context, uint32_t count)
{
    const struct cupel_alloc *alloc = &context->alloc;
    if (context->place_count < count) {
        void *places =
            alloc->realloc(alloc->ctx, context->places, context->place_count * sizeof(uint32_t),
                           count * sizeof(uint32_t));
        if (places == NULL)
            return NULL;
        context->places = places;
        context->place_count = count;
    }
    for (uint32_t i = 0; i < count; i++)
        context->places[i] = CUPEL_NO_NODE;
    return context->places;
}

/* Looks up the members of one object in the tool's trie of paths and stores their nodes in
 * context->places.  Returns the steps to charge. */
static uint64_t enter_object(struct cupel_call_context *context,
                             const struct cupel__call_site *site, uint32_t path, uint32_t node)
{
    struct cupel_text *text = &context->answer.lines;
    struct cupel_document *doc = site->arguments_doc;
    uint64_t steps = 1;
    uint32_t key = cupel_json_type(doc, node) == CUPEL_JSON_OBJECT ? cupel_json_first(doc, node)
                                                                   : CUPEL_NO_NODE;
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(doc, node, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(doc, key, &len);
        cupel_text_clear(text);
        cupel__mcp_path_key(text, path, name, len);
        const struct cupel__mcp_name *found =
            cupel__mcp_names_find(&site->definition->paths, text->bytes, text->len);
        if (found != NULL)
            context->places[found->value] = key + 1;
        steps += 1 + len / WORD;
    }
    return steps;
}

/* Finds the arguments that declared headers repeat, all in one pass: stores the node
 * of each path in context->places.  False without memory. */
static bool find_arguments(struct cupel_call_context *context, const struct cupel__call_site *site,
                           uint64_t *ret_steps)
{
    uint32_t count = site->definition->path_count + 1;
    uint32_t *places = make_places(context, count);
    *ret_steps = count;
    if (places == NULL)
        return false;
    places[0] = site->arguments;
    for (uint32_t path = 0; path < count; path++)
        if (places[path] != CUPEL_NO_NODE)
            *ret_steps += enter_object(context, site, path, places[path]);
    return !context->answer.lines.failed;
}

/* Returns the argument that a header repeats; CUPEL_NO_NODE if it is absent or null. */
static uint32_t argument_of(const struct cupel_call_context *context,
                            const struct cupel__call_site *site,
                            const struct cupel__mcp_header *header)
{
    uint32_t node = context->places[header->path];
    if (node != CUPEL_NO_NODE && cupel_json_type(site->arguments_doc, node) == CUPEL_JSON_NULL)
        return CUPEL_NO_NODE;
    return node;
}

/* Whether the value in answer.lines is the same number: 42.0 equals 42. */
static bool same_number(const struct cupel__call *call, uint32_t node)
{
    struct cupel_document *copy = call->context->copy;
    const struct cupel_text *value = &call->context->answer.lines;
    return !value->failed &&
           cupel_document_read(copy, value->bytes, value->len, NULL) == CUPEL_OK &&
           cupel_json_type(copy, 0) == CUPEL_JSON_NUMBER &&
           cupel_json_equal(call->site.arguments_doc, node, copy, 0) == 1;
}

/* Compares a field with the argument that it repeats. */
static bool argument_matches(const struct lookup *lookup, uint32_t node)
{
    const struct cupel__call *call = lookup->call;
    struct cupel_document *doc = call->site.arguments_doc;
    size_t len;
    const char *text;
    bool found;
    switch (cupel_json_type(doc, node)) {
    case CUPEL_JSON_STRING:
        text = cupel_json_string(doc, node, &len);
        return expect_equal(lookup, true, text, len);
    case CUPEL_JSON_BOOLEAN:
        text = cupel_json_span(doc, node, &len);
        return expect_equal(lookup, true, text, len);
    case CUPEL_JSON_NUMBER:
        if (!decode_field(lookup, true, &found))
            return false;
        return !found || same_number(call, node) ||
               refuse(lookup, "does not match the value in the body");
    default:
        return true; /* the schema requires a scalar: the verdict program refuses others */
    }
}

bool cupel__http_parameters_match(struct cupel__call *call)
{
    struct cupel_call_context *context = call->context;
    const struct cupel__mcp_header *header = call->site.definition->headers;
    uint64_t steps;
    if (header == NULL)
        return true;
    if (!find_arguments(context, &call->site, &steps)) {
        call->failed = CUPEL_E_NO_MEMORY;
        return false;
    }
    for (const struct cupel__mcp_header *h = header; h != NULL; h = h->next)
        steps += 1 + h->key.len / WORD;
    if (!cupel__call_charge(call, steps))
        return false;
    for (; header != NULL; header = header->next) {
        const struct lookup lookup = {call, PARAM_FIELD, header->name, header->name_len,
                                      header->key};
        uint32_t node = argument_of(context, &call->site, header);
        if (node != CUPEL_NO_NODE ? !argument_matches(&lookup, node) : !expect_absent(&lookup))
            return false;
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

/* Writes the field of an argument.  Integers are sent in decimal, also if the body has 42.0
 * or 4.2e1. */
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

/* Appends the fields for the last valid call. */
void cupel_call_headers_write(struct cupel_call_context *context, struct cupel_text *text)
{
    if (context == NULL || text == NULL)
        return;
    const struct cupel__call_site *site = &context->last;
    if (site->doc == NULL)
        return;
    write_field(text, METHOD_FIELD, "", 0, "tools/call", 10);
    write_field(text, NAME_FIELD, "", 0, site->tool, site->tool_len);
    const struct cupel__mcp_header *header = site->definition->headers;
    uint64_t steps;
    if (header != NULL && !find_arguments(context, site, &steps)) {
        text->failed = 1;
        return;
    }
    for (; header != NULL; header = header->next) {
        uint32_t node = argument_of(context, site, header);
        if (node != CUPEL_NO_NODE)
            write_argument(text, site, header, node);
    }
}
