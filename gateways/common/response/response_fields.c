/* response_fields.c: the fields of a response: its media type and coding, the fields that an
 * answer of the gateway has, and those of the upstream that it must not have.
 *
 * Clients disagree on how they find the media type: some compare it, others look for its name
 * anywhere in the field.  A response that two of them could read differently is ambiguous, and is
 * refused where a request waits for it. */
#include "gateways/common/response/response_internal.h"

#include <string.h>

/* -- Tokens ---------------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Whether the bytes are `word`, which is given in lower case, without regard to case. */
static bool is_word(const char *bytes, size_t len, const char *word)
{
    if (len != strlen(word))
        return false;
    for (size_t i = 0; i < len; i++)
        if (lower(bytes[i]) != word[i])
            return false;
    return true;
}

/* Whether `word` occurs anywhere in the bytes, without regard to case. */
static bool has_word(const char *bytes, size_t len, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= len; i++)
        if (is_word(bytes + i, n, word))
            return true;
    return false;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static void trim(const char **bytes, size_t *len)
{
    while (*len != 0 && is_space(**bytes)) {
        ++*bytes;
        --*len;
    }
    while (*len != 0 && is_space((*bytes)[*len - 1]))
        --*len;
}

/* -- Parameters of a media type (RFC 9110, 5.6.6) -------------------------------------------- */

/* The length of the part before the next `;` that is not in quotes. */
static size_t part_of(const char *bytes, size_t len)
{
    bool quoted = false;
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '"')
            quoted = !quoted;
        else if (quoted && bytes[i] == '\\')
            i++;
        else if (!quoted && bytes[i] == ';')
            return i;
    }
    return len;
}

/* Whether a parameter is no charset, or the charset UTF-8.  A name that merely contains "charset"
 * is not good: some clients search for it. */
static bool is_good_parameter(const char *bytes, size_t len)
{
    trim(&bytes, &len);
    const char *equals = memchr(bytes, '=', len);
    size_t name = equals != NULL ? (size_t)(equals - bytes) : len;
    const char *value = bytes + (equals != NULL ? name + 1 : name);
    size_t value_len = len - (size_t)(value - bytes);
    trim(&bytes, &name);
    if (!has_word(bytes, name, "charset"))
        return true;
    trim(&value, &value_len);
    if (value_len >= 2 && value[0] == '"' && value[value_len - 1] == '"') {
        value++;
        value_len -= 2;
    }
    return is_word(bytes, name, "charset") &&
           (is_word(value, value_len, "utf-8") || is_word(value, value_len, "utf8"));
}

/* The media type of a field's value.  AMBIGUOUS if clients that compare the type and clients that
 * search for its name would disagree, or if the charset may be another one. */
static enum cupel_gw_media media_of_value(const char *value, size_t len)
{
    static const char json[] = "application/json", events[] = "text/event-stream";
    bool has_json = has_word(value, len, json), has_events = has_word(value, len, events);
    size_t part = part_of(value, len);
    const char *type = value;
    size_t type_len = part;
    trim(&type, &type_len);
    if (len == 0)
        return CUPEL_GW_MEDIA_NONE;
    if (!has_json && !has_events)
        return CUPEL_GW_MEDIA_OTHER;
    if ((has_json && has_events) || !is_word(type, type_len, has_json ? json : events))
        return CUPEL_GW_MEDIA_AMBIGUOUS;
    while (part < len) {
        value += part + 1;
        len -= part + 1;
        part = part_of(value, len);
        if (!is_good_parameter(value, part))
            return CUPEL_GW_MEDIA_AMBIGUOUS;
    }
    return has_json ? CUPEL_GW_MEDIA_JSON : CUPEL_GW_MEDIA_EVENTS;
}

/* The media type by all Content-Type fields.  Two fields are ambiguous even if they are equal,
 * because clients may join them. */
enum cupel_gw_media cupel_gw_media_of(const struct cupel_gw_response_head *head)
{
    enum cupel_gw_media media = CUPEL_GW_MEDIA_NONE;
    bool seen = false;
    for (size_t i = 0; i < head->field_count; i++) {
        const struct cupel_header *field = &head->fields[i];
        if (!is_word(field->name, field->name_len, "content-type"))
            continue;
        if (seen)
            return CUPEL_GW_MEDIA_AMBIGUOUS;
        seen = true;
        media = media_of_value(field->value, field->value_len);
    }
    return media;
}

bool cupel_gw_is_coded(const struct cupel_gw_response_head *head)
{
    for (size_t i = 0; i < head->field_count; i++) {
        const struct cupel_header *field = &head->fields[i];
        const char *value = field->value;
        size_t len = field->value_len;
        trim(&value, &len);
        if (is_word(field->name, field->name_len, "content-encoding") && len != 0 &&
            !is_word(value, len, "identity"))
            return true;
    }
    return false;
}

/* -- Redirections ---------------------------------------------------------------------------- */

/* Whether a reference begins with the origin, and its authority ends there. */
static bool has_origin(const char *value, size_t len, struct cupel_gw_text origin)
{
    if (len < origin.len)
        return false;
    for (size_t i = 0; i < origin.len; i++)
        if (lower(value[i]) != lower(origin.bytes[i]))
            return false;
    return len == origin.len || memchr("/?#", value[origin.len], 3) != NULL;
}

/* Whether a reference stays at its server: it has the origin, or neither a scheme nor an authority.
 * URL parsers take backslashes for slashes, and leave out tabs and line ends. */
static bool stays(const char *value, size_t len, struct cupel_gw_text origin)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)value[i] <= ' ' || value[i] == '\\' || value[i] == 0x7f)
            return false;
    if (has_origin(value, len, origin))
        return true;
    if (len >= 2 && value[0] == '/' && value[1] == '/')
        return false;
    size_t path = 0;
    while (path < len && memchr("/?#", value[path], 3) == NULL)
        path++;
    return memchr(value, ':', path) == NULL;
}

bool cupel_gw_leads_away(const struct cupel_gw_response_head *head, struct cupel_gw_text origin)
{
    if (origin.bytes == NULL || head->status < 300 || head->status > 399)
        return false;
    for (size_t i = 0; i < head->field_count; i++) {
        const struct cupel_header *field = &head->fields[i];
        if (is_word(field->name, field->name_len, "location") &&
            !stays(field->value, field->value_len, origin))
            return true;
    }
    return false;
}

/* -- Bodies that are no JSON ----------------------------------------------------------------- */

bool cupel_gw_resembles_json(const char *text, size_t len, bool *ret_more)
{
    static const char skipped[] = " \t\r\n\xEF\xBB\xBF\xFE\xFF"; /* and NUL, its last byte */
    size_t i = 0;
    while (i < len && memchr(skipped, text[i], sizeof(skipped)) != NULL)
        i++;
    *ret_more = i == len;
    return i < len && (text[i] == '{' || text[i] == '[');
}

/* -- Fields that are left out ---------------------------------------------------------------- */

static const struct {
    const char *name;
    bool of_streams; /* also where events may be changed */
} dropped[] = {
    {"content-type", false},
    {"content-length", true},
    {"content-encoding", false},
    {"content-language", false},
    {"content-disposition", false},
    {"content-location", false},
    {"content-range", true},
    {"accept-ranges", true},
    {"content-md5", true},
    {"digest", true},
    {"content-digest", true},
    {"repr-digest", true},
    {"unencoded-digest", true},
    {"etag", true},
    {"last-modified", true},
    {"cache-control", false},
    {"expires", false},
    {"age", false},
    {"pragma", false},
    {"vary", false},
    {"trailer", true},
    {"signature", true},
    {"signature-input", true},
    {"refresh", false},
    {"link", false},
    {"location", false},
    {"cdn-cache-control", false},
};

/* After REFUSE all fields go that describe the body that was replaced.  In a stream those go that
 * depend on its bytes, because an event may be replaced later. */
bool cupel_gw_response_drops(const struct cupel_gw_exchange *x, const char *name, size_t len)
{
    const struct cupel_gw_response *response = x->reading;
    bool replaced = response != NULL && response->step == CUPEL_GW_REFUSE;
    bool changed = response != NULL && response->reading == CUPEL_GW_READ_EVENTS;
    for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
        if (is_word(name, len, dropped[i].name))
            return replaced || (changed && dropped[i].of_streams);
    return false;
}

const struct cupel_header *cupel_gw_response_fields(size_t *ret_count)
{
    static const struct cupel_header fields[] = {{"Content-Type", 12, "application/json", 16},
                                                 {"Cache-Control", 13, "no-store", 8}};
    *ret_count = sizeof(fields) / sizeof(fields[0]);
    return fields;
}
