/* head.c: judging the head of a request: method, media type, fields and framing.  The body and
 * its messages are in request.c.
 *
 * Servers, proxies and frameworks read heads in different ways.  Each check here refuses a head
 * that two of them could read differently, or one under which a receiver could read other bytes
 * than the gateway judged.  Names are compared without case and with `_` as `-`, because servers
 * that get fields as variables (CGI, WSGI) see no difference. */
#include "gateways/common/request/incoming.h"

#include <string.h>

/* -- Names of fields ------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* A letter of a field's name, as names are compared. */
static char name_letter(char c)
{
    return c == '_' ? '-' : lower(c);
}

static bool begins(const struct cupel_header *field, const char *name, size_t len)
{
    if (field->name_len < len)
        return false;
    for (size_t i = 0; i < len; i++)
        if (name_letter(field->name[i]) != name[i])
            return false;
    return true;
}

bool cupel_gw_field_is(const struct cupel_header *field, const char *name)
{
    size_t len = strlen(name);
    return field->name_len == len && begins(field, name, len);
}

/* Orders names by length and then by letters.  Any order will do that puts equal names side by
 * side. */
static int compare_names(const struct cupel_header *a, const struct cupel_header *b)
{
    if (a->name_len != b->name_len)
        return a->name_len < b->name_len ? -1 : 1;
    for (size_t i = 0; i < a->name_len; i++) {
        char x = name_letter(a->name[i]), y = name_letter(b->name[i]);
        if (x != y)
            return (unsigned char)x < (unsigned char)y ? -1 : 1;
    }
    return 0;
}

static const struct cupel_header *find_field(const struct cupel_gw_request_head *head,
                                             const char *name)
{
    for (size_t i = 0; i < head->field_count; i++)
        if (cupel_gw_field_is(&head->fields[i], name))
            return &head->fields[i];
    return NULL;
}

/* -- Media type ------------------------------------------------------------------------------ */

/* Whether text is `word`, given in lower case, without regard to case. */
static bool is_word(const char *text, size_t len, const char *word)
{
    if (strlen(word) != len)
        return false;
    for (size_t i = 0; i < len; i++)
        if (lower(text[i]) != word[i])
            return false;
    return true;
}

static void trim(const char **text, size_t *len)
{
    while (*len != 0 && (**text == ' ' || **text == '\t')) {
        (*text)++;
        (*len)--;
    }
    while (*len != 0 && ((*text)[*len - 1] == ' ' || (*text)[*len - 1] == '\t'))
        (*len)--;
}

/* Accepts application/json alone or with the parameter charset=utf-8, quoted or not.  Any other
 * parameter is refused: some frameworks decode a body by a charset that others ignore. */
bool cupel_gw_is_json_type(const char *value, size_t len)
{
    const char *semicolon = len != 0 ? memchr(value, ';', len) : NULL;
    const char *rest = semicolon != NULL ? semicolon + 1 : value + len;
    size_t rest_len = (size_t)(value + len - rest);
    len = semicolon != NULL ? (size_t)(semicolon - value) : len;
    trim(&value, &len);
    trim(&rest, &rest_len);
    if (!is_word(value, len, "application/json"))
        return false;
    return semicolon == NULL || is_word(rest, rest_len, "charset=utf-8") ||
           is_word(rest, rest_len, "charset=\"utf-8\"");
}

/* -- Repeated fields ------------------------------------------------------------------------- */

/* Whether receivers decide by the first or by the last field of this name: credentials, the
 * session, and all fields of MCP.  is_typed() refuses a second Content-Type field. */
static bool is_guarded(const struct cupel_header *field)
{
    static const char *const names[] = {"authorization", "content-encoding", "last-event-id"};
    if (begins(field, "mcp-", 4))
        return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (cupel_gw_field_is(field, names[i]))
            return true;
    return false;
}

/* Restores the heap below an index: no entry is less than one of its two children. */
static void sift_down(const struct cupel_header **heap, size_t count, size_t index)
{
    for (size_t child; (child = 2 * index + 1) < count; index = child) {
        const struct cupel_header *parent = heap[index];
        if (child + 1 < count && compare_names(heap[child], heap[child + 1]) < 0)
            child++;
        if (compare_names(parent, heap[child]) >= 0)
            return;
        heap[index] = heap[child];
        heap[child] = parent;
    }
}

/* Sorts by name.  A heap sort takes n log n comparisons whatever names a client chooses, and no
 * memory. */
static void sort_names(const struct cupel_header **fields, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(fields, count, i);
    for (size_t last = count; last-- > 1;) {
        const struct cupel_header *greatest = fields[0];
        fields[0] = fields[last];
        fields[last] = greatest;
        sift_down(fields, last, 0);
    }
}

/* Whether a guarded field is there twice.  Sets *ret_failed without memory, and then the request
 * is refused.  Up to 32 guarded fields, more than clients send, are sorted on the stack. */
static bool has_repeated(const struct cupel_gw_exchange *x,
                         const struct cupel_gw_request_head *head, bool *ret_failed)
{
    enum { FEW = 32 };
    const struct cupel_header *few[FEW], **guarded = few;
    size_t count = 0, at = 0;
    for (size_t i = 0; i < head->field_count; i++)
        count += is_guarded(&head->fields[i]);
    if (count > FEW) {
        guarded = x->arena.alloc(x->arena.ctx, count * sizeof(*guarded));
        *ret_failed = guarded == NULL;
        if (guarded == NULL)
            return false;
    }
    for (size_t i = 0; i < head->field_count; i++)
        if (is_guarded(&head->fields[i]))
            guarded[at++] = &head->fields[i];
    sort_names(guarded, count);
    for (size_t i = 1; i < count; i++)
        if (compare_names(guarded[i - 1], guarded[i]) == 0)
            return true;
    return false;
}

/* -- The head -------------------------------------------------------------------------------- */

static bool has_override(const struct cupel_gw_request_head *head)
{
    return find_field(head, "x-http-method-override") != NULL ||
           find_field(head, "x-http-method") != NULL ||
           find_field(head, "x-method-override") != NULL;
}

static bool is_encoded(const struct cupel_gw_request_head *head)
{
    for (size_t i = 0; i < head->field_count; i++)
        if (cupel_gw_field_is(&head->fields[i], "content-encoding") &&
            !is_word(head->fields[i].value, head->fields[i].value_len, "identity"))
            return true;
    return false;
}

/* Whether the request has exactly one Content-Type field, and that is JSON in UTF-8.  Repeated
 * fields are never permitted here: receivers differ in which of them they use. */
static bool is_typed(const struct cupel_gw_request_head *head)
{
    const struct cupel_header *type = NULL;
    for (size_t i = 0; i < head->field_count; i++) {
        if (!cupel_gw_field_is(&head->fields[i], "content-type"))
            continue;
        if (type != NULL)
            return false;
        type = &head->fields[i];
    }
    return type != NULL && cupel_gw_is_json_type(type->value, type->value_len);
}

/* Checks fields that matter whether there is a body or not.  Returns PASS, or what
 * cupel_gw_refuse returns. */
static enum cupel_gw_step check_fields(struct cupel_gw_exchange *x,
                                       const struct cupel_gw_request_head *head)
{
    const struct cupel_header *version = find_field(head, "mcp-protocol-version");
    uint32_t allow = x->policy->allow;
    bool failed = false;
    /* The server's 101 response would open a tunnel in which nothing is judged. */
    if ((allow & CUPEL_GW_ALLOW_UPGRADE) == 0 && find_field(head, "upgrade") != NULL)
        return cupel_gw_refuse(x, 400, "upgrade",
                               "Invalid request: the protocol cannot be changed here");
    if ((allow & CUPEL_GW_ALLOW_METHOD_OVERRIDE) == 0 && has_override(head))
        return cupel_gw_refuse(x, 400, "method-override",
                               "Invalid request: the method is overridden by a field");
    if ((allow & CUPEL_GW_ALLOW_REPEATED_FIELDS) == 0 && has_repeated(x, head, &failed))
        return cupel_gw_refuse(x, 400, "field-repeated", "Invalid request: a field is repeated");
    if (failed)
        return cupel_gw_refuse_memory(x);
    if (x->policy->headers != CUPEL_GW_HEADERS_OFF && version != NULL &&
        !cupel_protocol_version_known(version->value, version->value_len))
        return cupel_gw_refuse(x, 400, "header-mismatch",
                               "Invalid request: MCP-Protocol-Version is not a known version");
    return CUPEL_GW_PASS;
}

/* Refuses a body that libcupel would read otherwise than a server; PASS otherwise. */
static enum cupel_gw_step check_type(struct cupel_gw_exchange *x,
                                     const struct cupel_gw_request_head *head)
{
    if (!is_typed(head))
        return cupel_gw_refuse(x, 415, "content-type",
                               "Invalid request: the body has to be application/json in UTF-8");
    if ((x->policy->allow & CUPEL_GW_ALLOW_ENCODED_BODY) == 0 && is_encoded(head))
        return cupel_gw_refuse(x, 415, "content-encoding", "Invalid request: the body is encoded");
    return CUPEL_GW_PASS;
}

static bool is_post(const struct cupel_gw_request_head *head)
{
    return head->method.len == 4 && memcmp(head->method.bytes, "POST", 4) == 0;
}

/* Decides about a POST by its head: the media type, a length over the limit, or no body at all.
 * A body over the limit is refused before a byte of it is read. */
static enum cupel_gw_step start_post(struct cupel_gw_exchange *x,
                                     const struct cupel_gw_request_head *head)
{
    enum cupel_gw_step step = check_type(x, head);
    if (step != CUPEL_GW_PASS || x->incoming->decided)
        return step;
    if (head->has_length && head->content_length > x->policy->limits.body)
        return cupel_gw_refuse_size(x);
    if (head->has_length ? head->content_length == 0 : !head->chunked)
        return cupel_gw_refuse_empty(x);
    return CUPEL_GW_BODY;
}

/* Decides about another method.  With the other methods allowed, a body passes unjudged;
 * otherwise the body of a chunked request is read, because it may turn out to be empty. */
static enum cupel_gw_step start_other(struct cupel_gw_exchange *x,
                                      const struct cupel_gw_request_head *head)
{
    if ((x->policy->allow & CUPEL_GW_ALLOW_OTHER_METHODS) != 0)
        return CUPEL_GW_PASS;
    if (head->has_length && head->content_length != 0)
        return cupel_gw_refuse_method(x);
    return head->chunked && !head->has_length ? CUPEL_GW_BODY : CUPEL_GW_PASS;
}

/* Sets a text that the host has not set to the value of a field, which may be NULL. */
static void set_text(struct cupel_gw_text *text, const struct cupel_header *field)
{
    if (text->bytes == NULL && field != NULL)
        *text = (struct cupel_gw_text){field->value, field->value_len};
}

/* Whether a client asks for an event stream: some read the response as one whatever its type. */
static bool wants_events(const struct cupel_gw_request_head *head)
{
    static const char word[] = "text/event-stream";
    size_t len = sizeof(word) - 1;
    if (is_post(head))
        return false;
    for (size_t i = 0; i < head->field_count; i++) {
        const struct cupel_header *field = &head->fields[i];
        if (cupel_gw_field_is(field, "last-event-id"))
            return true;
        if (!cupel_gw_field_is(field, "accept"))
            continue;
        for (size_t at = 0; at + len <= field->value_len; at++)
            if (is_word(field->value + at, len, word))
                return true;
    }
    return false;
}

/* Starts the state of the request in the arena and judges the head.  Session and identity are
 * noted even if the request is refused, for the response may have to be attributed. */
enum cupel_gw_step cupel_gw_request_head(struct cupel_gw_exchange *x,
                                         const struct cupel_gw_request_head *head)
{
    struct cupel_gw_incoming *incoming = x->arena.alloc(x->arena.ctx, sizeof(*incoming));
    x->incoming = incoming;
    if (incoming == NULL)
        return cupel_gw_refuse_memory(x);
    *incoming = (struct cupel_gw_incoming){.head = *head, .is_post = is_post(head)};
    set_text(&x->session, find_field(head, "mcp-session-id"));
    set_text(&x->identity, find_field(head, "authorization"));
    x->wants_events = wants_events(head);
    enum cupel_gw_step step = check_fields(x, head);
    if (step != CUPEL_GW_PASS || incoming->decided)
        return step;
    return incoming->is_post ? start_post(x, head) : start_other(x, head);
}
