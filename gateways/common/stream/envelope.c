/* envelope.c: reading the envelope of a JSON-RPC message while it passes (envelope.h).
 *
 * A state machine over characters.  Brackets and strings are tracked at every depth, because they
 * tell which members belong to the envelope; the grammar of members is checked in the envelope
 * (depth 1) alone.  Text that is malformed deeper down is no message for any client, so letting
 * it pass is safe.
 *
 * The machine keeps one bit per open container and the text of the id, and never looks back, so
 * its state does not depend on how the bytes were split. */
#include "gateways/common/stream/envelope.h"

#include <cupel/protocol.h>
#include <string.h>

/* What may come next in the envelope. */
enum { START, FIRST_KEY, KEY, COLON, VALUE, WORD, AFTER_VALUE };

/* Of which member the value is read. */
static const struct {
    const char *name;
    unsigned member;
} members[] = {
    {"jsonrpc", CUPEL_GW_ENVELOPE_HAS_JSONRPC}, {"id", CUPEL_GW_ENVELOPE_HAS_ID},
    {"method", CUPEL_GW_ENVELOPE_HAS_METHOD},   {"params", CUPEL_GW_ENVELOPE_HAS_PARAMS},
    {"result", CUPEL_GW_ENVELOPE_HAS_RESULT},   {"error", CUPEL_GW_ENVELOPE_HAS_ERROR},
};

void cupel_gw_envelope_init(struct cupel_gw_envelope *envelope)
{
    memset(envelope, 0, sizeof(*envelope));
    envelope->expected = START;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Whether a character can be part of a number or of true, false or null. */
static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' ||
           c == '.';
}

/* -- Members --------------------------------------------------------------------------------- */

static bool add_id_char(struct cupel_gw_envelope *envelope, char c)
{
    if (envelope->member != CUPEL_GW_ENVELOPE_HAS_ID)
        return true;
    if (envelope->id_len == sizeof(envelope->id))
        return false;
    envelope->id[envelope->id_len++] = c;
    return true;
}

static bool add_key_char(struct cupel_gw_envelope *envelope, char c)
{
    if (envelope->key_len < sizeof(envelope->key))
        envelope->key[envelope->key_len] = c;
    envelope->key_len++;
    return true;
}

/* Ends the name of a member.  Returns false for names that receivers read in different ways: a
 * name with an escape, a repeated name, and a name that folds to one of the envelope.  Names
 * longer than the buffer fold to none. */
static bool end_key(struct cupel_gw_envelope *envelope)
{
    const char *folded;
    envelope->member = 0;
    envelope->expected = COLON;
    if (envelope->key_escaped)
        return false;
    if (envelope->key_len > sizeof(envelope->key))
        return true;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (strlen(members[i].name) == envelope->key_len &&
            memcmp(members[i].name, envelope->key, envelope->key_len) == 0)
            envelope->member = members[i].member;
    if ((envelope->members & envelope->member) != 0)
        return false;
    envelope->members |= envelope->member;
    return envelope->member != 0 ||
           cupel_protocol_name(CUPEL_PLACE_ENVELOPE, NULL, 0, envelope->key, envelope->key_len,
                               &folded) == 0;
}

/* -- Characters ------------------------------------------------------------------------------ */

static bool is_key(const struct cupel_gw_envelope *envelope)
{
    return envelope->depth == 1 && (envelope->expected == FIRST_KEY || envelope->expected == KEY);
}

/* Reads a character of a string: of a name or a value in the envelope, or of any string below it.
 */
static bool read_string_char(struct cupel_gw_envelope *envelope, char c)
{
    bool key = is_key(envelope);
    if ((unsigned char)c < 0x20)
        return false;
    if (!envelope->escaped && c == '"') {
        envelope->in_string = false;
        if (key)
            return end_key(envelope);
        if (envelope->depth == 1)
            envelope->expected = AFTER_VALUE;
        return envelope->depth != 1 || add_id_char(envelope, c);
    }
    bool starts = !envelope->escaped && c == '\\';
    envelope->key_escaped = envelope->key_escaped || (key && starts);
    envelope->escaped = starts;
    if (key)
        return add_key_char(envelope, c);
    return envelope->depth != 1 || add_id_char(envelope, c);
}

/* Opens an object or array.  The message itself is an object, and the id is neither.  Depth is
 * bounded by the bits that the state has. */
static bool open_container(struct cupel_gw_envelope *envelope, bool array)
{
    if (envelope->depth == CUPEL_GW_ENVELOPE_DEPTH ||
        (envelope->depth == 0 && (array || envelope->expected != START)) ||
        (envelope->depth == 1 &&
         (envelope->expected != VALUE || envelope->member == CUPEL_GW_ENVELOPE_HAS_ID)))
        return false;
    uint8_t bit = (uint8_t)(1u << envelope->depth % 8),
            *byte = &envelope->kinds[envelope->depth / 8];
    *byte = array ? *byte | bit : *byte & (uint8_t)~bit;
    if (envelope->depth++ == 0)
        envelope->expected = FIRST_KEY;
    return true;
}

/* Closes an object or array, which has to match the bit of its opening. */
static bool close_container(struct cupel_gw_envelope *envelope, bool array)
{
    if (envelope->depth == 0)
        return false;
    if (envelope->depth == 1 && envelope->expected != FIRST_KEY && envelope->expected != WORD &&
        envelope->expected != AFTER_VALUE)
        return false;
    envelope->depth--;
    if ((envelope->kinds[envelope->depth / 8] >> envelope->depth % 8 & 1) != array)
        return false;
    if (envelope->depth == 0)
        envelope->state = CUPEL_GW_ENVELOPE_WHOLE;
    if (envelope->depth == 1)
        envelope->expected = AFTER_VALUE;
    return true;
}

static bool open_string(struct cupel_gw_envelope *envelope)
{
    envelope->in_string = true;
    envelope->escaped = false;
    if (envelope->depth > 1)
        return true;
    if (is_key(envelope)) {
        envelope->key_len = 0;
        envelope->key_escaped = false;
        return true;
    }
    return envelope->depth == 1 && envelope->expected == VALUE && add_id_char(envelope, '"');
}

/* Reads a colon, a comma or a character of a word directly in the envelope. */
static bool read_envelope_char(struct cupel_gw_envelope *envelope, char c)
{
    bool value_ended = envelope->expected == AFTER_VALUE || envelope->expected == WORD;
    if (c == ':' && envelope->expected == COLON) {
        envelope->expected = VALUE;
        return true;
    }
    if (c == ',' && value_ended) {
        envelope->expected = KEY;
        return true;
    }
    if (!is_word(c) || (envelope->expected != VALUE && envelope->expected != WORD))
        return false;
    envelope->expected = WORD;
    return add_id_char(envelope, c);
}

/* Reads a character outside strings.  After the message only white space may follow. */
static bool read_char(struct cupel_gw_envelope *envelope, char c)
{
    if (is_space(c)) {
        if (envelope->depth == 1 && envelope->expected == WORD)
            envelope->expected = AFTER_VALUE;
        return true;
    }
    if (envelope->state == CUPEL_GW_ENVELOPE_WHOLE)
        return false;
    switch (c) {
    case '"':
        return open_string(envelope);
    case '{':
    case '[':
        return open_container(envelope, c == '[');
    case '}':
    case ']':
        return close_container(envelope, c == ']');
    default:
        if (envelope->depth == 1)
            return read_envelope_char(envelope, c);
        return envelope->depth > 1 && (c == ',' || c == ':' || is_word(c));
    }
}

enum cupel_gw_envelope_state cupel_gw_envelope_read(struct cupel_gw_envelope *envelope,
                                                    const char *bytes, size_t len)
{
    for (size_t i = 0; i < len && envelope->state != CUPEL_GW_ENVELOPE_BAD; i++) {
        bool good = envelope->in_string ? read_string_char(envelope, bytes[i])
                                        : read_char(envelope, bytes[i]);
        if (!good)
            envelope->state = CUPEL_GW_ENVELOPE_BAD;
    }
    return envelope->state;
}
