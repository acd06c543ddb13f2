/* tool_id.c: IDs, versions and tags of tools, as texts.  record.c reads the
 * fields of a definition that they come from. */
#include "mcp/definition/tool_id.h"
#include "mcp/text/characters.h"

#include <stdbool.h>
#include <string.h>

/* -- IDs -------------------------------------------------------------------------------------- */

/* Splits namespace:name:version; a text without a colon is a name.  No part may be empty. */
enum cupel_status cupel__tool_id_read(const char *id, size_t len, struct cupel__tool_id *ret)
{
    const char *parts[3] = {id, NULL, NULL};
    size_t lens[3] = {0}, count = 0;
    for (size_t i = 0; i < len; i++) {
        if (id[i] != ':') {
            lens[count]++;
            continue;
        }
        if (lens[count] == 0 || ++count == 3)
            return CUPEL_E_ARGUMENT;
        parts[count] = id + i + 1;
    }
    if (lens[count] == 0)
        return CUPEL_E_ARGUMENT;
    size_t name = count == 0 ? 0 : 1; /* the part that is the name */
    *ret = (struct cupel__tool_id){"", 0, parts[name], lens[name], "", 0};
    if (count >= 1) {
        ret->space = parts[0];
        ret->space_len = lens[0];
    }
    if (count == 2) {
        ret->version = parts[2];
        ret->version_len = lens[2];
    }
    return CUPEL_OK;
}

void cupel__tool_id_write(const struct cupel__tool_id *id, struct cupel_text *text)
{
    if (id->space_len != 0) {
        cupel_text_add(text, id->space, id->space_len);
        cupel_text_adds(text, ":");
    }
    cupel_text_add(text, id->name, id->name_len);
    if (id->space_len != 0 && id->version_len != 0) {
        cupel_text_adds(text, ":");
        cupel_text_add(text, id->version, id->version_len);
    }
}

/* -- Versions --------------------------------------------------------------------------------- */

/* A position in a text. */
struct cursor {
    const char *at, *end;
};

/* Skips a character if it is the next one. */
static bool skip(struct cursor *cursor, char c)
{
    if (cursor->at == cursor->end || *cursor->at != c)
        return false;
    cursor->at++;
    return true;
}

static bool skip_number(struct cursor *cursor)
{
    const char *start = cursor->at;
    while (cursor->at != cursor->end && cupel__mcp_is_digit(*cursor->at))
        cursor->at++;
    return cursor->at != start;
}

/* Skips the letters, digits, hyphens and dots of a pre-release or of build metadata; at least one.
 */
static bool skip_identifiers(struct cursor *cursor)
{
    const char *start = cursor->at;
    for (; cursor->at != cursor->end; cursor->at++) {
        char c = *cursor->at, lower = (char)(c | 0x20);
        if (!cupel__mcp_is_digit(c) && !(lower >= 'a' && lower <= 'z') && c != '-' && c != '.')
            break;
    }
    return cursor->at != start;
}

/* Semantic versioning 2.0.0, with an optional v before it. */
int cupel__tool_version_valid(const char *version, size_t len)
{
    struct cursor cursor = {version, version + len};
    skip(&cursor, 'v');
    if (!skip_number(&cursor) || !skip(&cursor, '.') || !skip_number(&cursor) ||
        !skip(&cursor, '.') || !skip_number(&cursor))
        return 0;
    if (skip(&cursor, '-') && !skip_identifiers(&cursor))
        return 0;
    if (skip(&cursor, '+') && !skip_identifiers(&cursor))
        return 0;
    return cursor.at == cursor.end;
}

/* -- Tags ------------------------------------------------------------------------------------- */

/* Returns the length of the white-space character (Unicode, property White_Space) at the start of
 * the text, or 0. */
static size_t space_length(const char *text, size_t len)
{
    static const char *const spaces[] = {
        "\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x81",
        "\xe2\x80\x82", "\xe2\x80\x83", "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86",
        "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a", "\xe2\x80\xa8",
        "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80",
    };
    if (text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r'))
        return 1;
    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
        size_t n = strlen(spaces[i]);
        if (n <= len && memcmp(text, spaces[i], n) == 0)
            return n;
    }
    return 0;
}

/* Folds the two characters outside ASCII whose lower case is ASCII: the Kelvin sign, and U+0130,
 * whose dot is dropped. */
static char fold_non_ascii(const char *text, size_t len, size_t *ret_len)
{
    if (len >= 3 && memcmp(text, "\xe2\x84\xaa", 3) == 0) {
        *ret_len = 3;
        return 'k';
    }
    if (len >= 2 && memcmp(text, "\xc4\xb0", 2) == 0) {
        *ret_len = 2;
        return 'i';
    }
    return '\0';
}

/* Returns the normal form of the first character, or '\0' if it is dropped. */
static char tag_character(const char *text, size_t len, size_t *ret_len)
{
    char c = text[0];
    *ret_len = 1;
    if (c >= 'A' && c <= 'Z')
        return (char)(c | 0x20);
    if ((c >= 'a' && c <= 'z') || cupel__mcp_is_digit(c) || c == '-' || c == '_' || c == '.')
        return c;
    return fold_non_ascii(text, len, ret_len);
}

/* Writes the normal form of a tag: lower case, letters, digits and - _ . only, white space between
 * words as one hyphen, at most CUPEL_TAG_BYTES.  It may be empty. */
static void normalise(const char *tag, size_t len, struct cupel_tag *ret)
{
    bool word = false, gap = false; /* after a first word; white space since the last one */
    ret->len = 0;
    for (size_t i = 0, n; i < len && ret->len < CUPEL_TAG_BYTES; i += n) {
        n = space_length(tag + i, len - i);
        if (n != 0) {
            gap = word;
            continue;
        }
        char c = tag_character(tag + i, len - i, &n);
        if (gap)
            ret->bytes[ret->len++] = '-';
        if (c != '\0' && ret->len < CUPEL_TAG_BYTES)
            ret->bytes[ret->len++] = c;
        word = true;
        gap = false;
    }
    ret->bytes[ret->len] = '\0';
}

/* Adds a tag unless its normal form is empty or there already. */
int cupel__tags_add(struct cupel_tags *tags, const char *tag, size_t len)
{
    if (tags->count == CUPEL_TAGS)
        return 0;
    struct cupel_tag *added = &tags->tags[tags->count];
    normalise(tag, len, added);
    if (added->len == 0)
        return 0;
    for (uint32_t i = 0; i < tags->count; i++)
        if (tags->tags[i].len == added->len &&
            memcmp(tags->tags[i].bytes, added->bytes, added->len) == 0)
            return 0;
    tags->count++;
    return 1;
}
