/* test_gw_envelope.c: the envelope of a message that is not held, beside the
 * same message as a document: of every text that is JSON both see the same
 * members and the same id. */
#include "gateways/common/stream/envelope.h"
#include "test.h"
#include <cupel/cupel.h>

static const char *const texts[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"id\":1,\"text\":"
    "\"a\\\"}\"}]}}",
    " {\"id\" : \"x\\u0041\" "
    ",\"error\":{\"code\":-1,\"message\":\"]\"},\"jsonrpc\":\"2.0\"}\n",
    "{\"method\":\"x\",\"params\":[1,true,null,-2.5e+3,[[]],{}],\"jsonrpc\":"
    "\"2.0\"}",
    "{}",
    "{\"idx\":{\"id\":2},\"i\":[],\"\":0,\"id\":null}",
};
static const char spare[] = "{}[]\",:\\ \n0a-.eEidIDresult\x80\x01";

static struct cupel_document *doc;

static bool has(struct cupel_gw_envelope *envelope, unsigned member, const char *name)
{
    bool there = cupel_json_member(doc, 0, name, strlen(name)) != CUPEL_NO_NODE;
    return there == ((envelope->members & member) != 0);
}

/* Names with escapes, and names that only fold to one of the envelope, are
 * refused there. */
static bool has_odd_name(void)
{
    for (uint32_t key = cupel_json_first(doc, 0); key != CUPEL_NO_NODE;
         key = cupel_json_next(doc, 0, key + 1)) {
        size_t len, span_len;
        const char *folded, *name = cupel_json_string(doc, key, &len);
        cupel_json_span(doc, key, &span_len);
        if (span_len != len + 2 ||
            cupel_protocol_name(CUPEL_PLACE_ENVELOPE, NULL, 0, name, len, &folded) != 0)
            return true;
    }
    return false;
}

static void compare(const char *text, size_t len)
{
    struct cupel_gw_envelope envelope, parts;
    enum cupel_status status = cupel_document_read(doc, text, len, NULL);
    cupel_gw_envelope_init(&envelope);
    cupel_gw_envelope_init(&parts);
    cupel_gw_envelope_read(&envelope, text, len);
    for (size_t i = 0; i < len; i++)
        cupel_gw_envelope_read(&parts, text + i, 1);
    CHECK(memcmp(&envelope, &parts, sizeof(envelope)) == 0);
    if (status != CUPEL_OK || cupel_json_type(doc, 0) != CUPEL_JSON_OBJECT)
        return;
    if (envelope.state == CUPEL_GW_ENVELOPE_BAD) {
        uint32_t node = cupel_json_member(doc, 0, "id", 2);
        bool container = node != CUPEL_NO_NODE && (cupel_json_type(doc, node) == CUPEL_JSON_ARRAY ||
                                                   cupel_json_type(doc, node) == CUPEL_JSON_OBJECT);
        if (!CHECK(has_odd_name() || container))
            fprintf(stderr, "    of %.*s\n", (int)len, text);
        return;
    }
    CHECK_INT(envelope.state, CUPEL_GW_ENVELOPE_WHOLE);
    CHECK(has(&envelope, CUPEL_GW_ENVELOPE_HAS_JSONRPC, "jsonrpc") &&
          has(&envelope, CUPEL_GW_ENVELOPE_HAS_ID, "id") &&
          has(&envelope, CUPEL_GW_ENVELOPE_HAS_METHOD, "method") &&
          has(&envelope, CUPEL_GW_ENVELOPE_HAS_PARAMS, "params") &&
          has(&envelope, CUPEL_GW_ENVELOPE_HAS_RESULT, "result") &&
          has(&envelope, CUPEL_GW_ENVELOPE_HAS_ERROR, "error"));
    uint32_t node = cupel_json_member(doc, 0, "id", 2);
    size_t id_len = 0;
    const char *id = node != CUPEL_NO_NODE ? cupel_json_span(doc, node, &id_len) : "";
    CHECK(id_len == envelope.id_len && memcmp(id, envelope.id, id_len) == 0);
}

int main(void)
{
    uint32_t state = 1;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        for (int round = 0; round < 20000; round++) {
            char text[200];
            size_t len = strlen(texts[i]);
            memcpy(text, texts[i], len);
            for (int n = 0; n < round % 4; n++) {
                state = state * 1664525u + 1013904223u;
                size_t at = (state >> 8) % len;
                if (state >> 31 == 0) {
                    text[at] = spare[(state >> 16) % (sizeof(spare) - 1)];
                } else if (at + 8 < len) {
                    memmove(text + at, text + at + (state >> 28 & 3), len - at - (state >> 28 & 3));
                    len -= state >> 28 & 3;
                }
            }
            compare(text, len);
        }
    /* Nesting, and an id, without end. */
    struct cupel_gw_envelope envelope;
    cupel_gw_envelope_init(&envelope);
    cupel_gw_envelope_read(&envelope, "{\"a\":", 5);
    for (int i = 1; i < CUPEL_GW_ENVELOPE_DEPTH; i++)
        CHECK_INT(cupel_gw_envelope_read(&envelope, "[", 1), CUPEL_GW_ENVELOPE_OPEN);
    CHECK_INT(cupel_gw_envelope_read(&envelope, "[", 1), CUPEL_GW_ENVELOPE_BAD);
    cupel_gw_envelope_init(&envelope);
    cupel_gw_envelope_read(&envelope, "{\"id\":\"", 7);
    for (int i = 1; i < CUPEL_GW_ENVELOPE_ID; i++)
        CHECK_INT(cupel_gw_envelope_read(&envelope, "x", 1), CUPEL_GW_ENVELOPE_OPEN);
    CHECK_INT(cupel_gw_envelope_read(&envelope, "x", 1), CUPEL_GW_ENVELOPE_BAD);
    cupel_document_free(doc);
    return test_end();
}
