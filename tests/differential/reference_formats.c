/* reference_formats.c: `format` and the content keywords where they assert: a few formats, each as
 * plain as can be; generate.c uses no others.  That scanners follow their grammars to the letter is
 * checked elsewhere; here it matters when they are asked. */
#include "reference_internal.h"

#include <stdio.h>
#include <string.h>

/* Whether a text follows a picture of it: 9 stands for a digit, f for a hex digit, the rest for
 * itself. */
static bool looks_like(const char *text, size_t len, const char *picture)
{
    if (strlen(picture) != len)
        return false;
    for (size_t i = 0; i < len; i++) {
        const char *set = picture[i] == '9' ? "0123456789" : "0123456789abcdefABCDEF";
        bool any = picture[i] == '9' || picture[i] == 'f';
        if (any ? text[i] == '\0' || strchr(set, text[i]) == NULL : text[i] != picture[i])
            return false;
    }
    return true;
}

static bool is_date(const char *text, size_t len)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    char copy[11];
    if (!looks_like(text, len, "9999-99-99"))
        return false;
    snprintf(copy, sizeof(copy), "%.10s", text);
    if (sscanf(copy, "%4d-%2d-%2d", &year, &month, &day) != 3 || month < 1 || month > 12)
        return false;
    bool leap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
    return day >= 1 && day <= days[month - 1] + (leap && month == 2);
}

static bool is_ipv4(const char *text, size_t len)
{
    int parts[4];
    char copy[16] = "", again[64];
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    if (sscanf(copy, "%d.%d.%d.%d", &parts[0], &parts[1], &parts[2], &parts[3]) != 4)
        return false;
    for (int i = 0; i < 4; i++)
        if (parts[i] < 0 || parts[i] > 255)
            return false;
    /* Written again it is the same: no sign, no space, no leading zero. */
    snprintf(again, sizeof(again), "%d.%d.%d.%d", parts[0], parts[1], parts[2], parts[3]);
    return strlen(again) == len && memcmp(again, text, len) == 0;
}

static bool is_uuid(const char *text, size_t len)
{
    return looks_like(text, len, "ffffffff-ffff-ffff-ffff-ffffffffffff");
}

static bool is_pointer(const char *text, size_t len)
{
    bool ok = len == 0 || text[0] == '/';
    for (size_t i = 0; i < len; i++)
        ok = ok && (text[i] != '~' || (i + 1 < len && (text[i + 1] == '0' || text[i + 1] == '1')));
    return ok;
}

static const struct {
    const char *name;
    int first; /* the draft that defines it first */
    bool (*check)(const char *text, size_t len);
} formats[] = {
    {"ipv4", 4, is_ipv4},
    {"json-pointer", 6, is_pointer},
    {"date", 7, is_date},
    {"uuid", 2019, is_uuid},
};

/* Validation 2020-12 section 7; the dialect v1 asserts by itself. */
bool ref_check_format(const struct ref_at *at, uint32_t name)
{
    size_t len;
    if (!ref_is(at, CUPEL_JSON_STRING) || !(at->ref->asserts || ref_draft(at) == CUPEL_V1))
        return true;
    const char *text = cupel_json_string(ref_instance_doc(at), at->value, &len);
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (cupel_json_is(ref_schema_doc(at), name, formats[i].name) &&
            ref_draft(at) >= formats[i].first)
            return formats[i].check(text, len);
    return true;
}

/* -- Content (validation of draft 7, section 8)
 * ----------------------------------------------------- */

static const char sextets[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The decoded bytes, or NULL if it is no base64 (RFC 4648 section 4). */
static char *decode(struct reference *ref, const char *text, size_t len, size_t *ret_len)
{
    size_t data = len, out = 0;
    char *bytes = ref_take(ref, len + 1);
    while (data > 0 && len - data < 2 && text[data - 1] == '=')
        data--;
    if (len % 4 != 0)
        return NULL;
    for (size_t i = 0, held = 0; i < data; i++) {
        const char *at = text[i] != '\0' ? strchr(sextets, text[i]) : NULL;
        if (at == NULL)
            return NULL;
        held = held << 6 | (size_t)(at - sextets);
        if (i % 4 != 0)
            bytes[out++] = (char)(held >> (6 - 2 * (i % 4)) & 0xff);
    }
    *ret_len = out;
    return bytes;
}

static bool is_json(const char *text, size_t len)
{
    struct cupel_options options;
    struct cupel_document *doc;
    cupel_options_init(&options);
    options.flags = CUPEL_ALLOW_DUPLICATE_KEYS;
    if (cupel_document_new(&options, &doc) != CUPEL_OK)
        return false;
    bool ok = cupel_document_read(doc, text, len, NULL) == CUPEL_OK;
    cupel_document_free(doc);
    return ok;
}

bool ref_check_content_encoding(const struct ref_at *at, uint32_t name)
{
    size_t len;
    if (!ref_is(at, CUPEL_JSON_STRING) || !at->ref->asserts || ref_draft(at) != 7 ||
        !cupel_json_is(ref_schema_doc(at), name, "base64"))
        return true;
    const char *text = cupel_json_string(ref_instance_doc(at), at->value, &len);
    return decode(at->ref, text, len, &len) != NULL;
}

bool ref_check_content_media_type(const struct ref_at *at, uint32_t name)
{
    size_t len;
    uint32_t encoding = ref_get(at, "contentEncoding");
    if (!ref_is(at, CUPEL_JSON_STRING) || !at->ref->asserts || ref_draft(at) != 7 ||
        !cupel_json_is(ref_schema_doc(at), name, "application/json"))
        return true;
    const char *text = cupel_json_string(ref_instance_doc(at), at->value, &len);
    if (encoding == CUPEL_NO_NODE)
        return is_json(text, len);
    if (!cupel_json_is(ref_schema_doc(at), encoding, "base64"))
        return true;
    text = decode(at->ref, text, len, &len);
    return text == NULL || is_json(text, len);
}
