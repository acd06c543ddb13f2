/* test_message.c: which messages every receiver reads the same, and names without regard to case.
 */
#include "test.h"
#include <cupel/cupel.h>

#define LEN(s) (sizeof(s) - 1)

static struct cupel_document *doc;

/* -- Names ------------------------------------------------------------------------------------ */

static bool same(const char *a, const char *b)
{
    bool ab = cupel_names_fold_equal(a, strlen(a), b, strlen(b)) == 1;
    bool ba = cupel_names_fold_equal(b, strlen(b), a, strlen(a)) == 1;
    CHECK(ab == ba);
    return ab;
}

static void test_fold(void)
{
    CHECK(same("method", "Method") && same("PARAMS", "params") && same("", ""));
    CHECK(same("argument\xc5\xbf", "arguments")); /* U+017F */
    CHECK(same("\xc4\xb1"
               "d",
               "id") &&
          same("\xc4\xb0"
               "d",
               "ID"));                      /* U+0131, U+0130 */
    CHECK(same("tas\xe2\x84\xaa", "task")); /* U+212A */
    CHECK(same("stra\xc3\x9f"
               "e",
               "STRASSE") &&
          same("\xef\xac\x81"
               "le",
               "FILE"));
    CHECK(same("\xce\xa3", "\xcf\x82") && same("\xe1\xba\x9e", "ss"));
    CHECK(same("i\xcc\x87"
               "d",
               "\xc4\xb0"
               "d"));
    CHECK(!same("method", "methods") && !same("id", "i") && !same("a", "b") && !same("", "a"));
    CHECK(!same("caf\xc3\xa9", "cafe") && !same("\xce\xb1", "a"));
    CHECK(!same("a\xff", "a\xfe") && same("A\xff", "a\xff") && !same("a\xc3", "a"));
    CHECK(cupel_names_fold_equal("a\0B", 3, "A\0b", 3) == 1);
    CHECK(cupel_names_fold_equal("a\0b", 3, "a", 1) == 0);
}

static bool confused(enum cupel_place place, const char *method, const char *name, const char *want)
{
    const char *like = NULL;
    size_t len = cupel_protocol_name(place, method, method != NULL ? strlen(method) : 0, name,
                                     strlen(name), &like);
    if (want == NULL)
        return len == 0;
    return len == strlen(want) && memcmp(like, want, len) == 0;
}

static void test_places(void)
{
    CHECK(confused(CUPEL_PLACE_ENVELOPE, NULL, "Method", "method"));
    CHECK(confused(CUPEL_PLACE_ENVELOPE, NULL, "method", NULL));
    CHECK(confused(CUPEL_PLACE_ENVELOPE, NULL, "Name", NULL));
    CHECK(confused(CUPEL_PLACE_PARAMS, "tools/call", "Name", "name"));
    CHECK(confused(CUPEL_PLACE_PARAMS, "tools/call", "_META", "_meta"));
    CHECK(confused(CUPEL_PLACE_PARAMS, "tools/list", "Name", NULL));
    CHECK(confused(CUPEL_PLACE_PARAMS, "x/y", "Name", NULL));
    CHECK(confused(CUPEL_PLACE_PARAMS, NULL, "Name", NULL));
    CHECK(confused(CUPEL_PLACE_RESULT, "tools/list", "NextCursor", "nextCursor"));
    CHECK(confused(CUPEL_PLACE_RESULT, "tools/call", "structuredcontent", "structuredContent"));
    CHECK(confused(CUPEL_PLACE_RESULT, "tools/call", "resulttype", "resultType"));
    CHECK(confused(CUPEL_PLACE_TOOL, NULL, "InputSchema", "inputSchema"));
    CHECK(confused(CUPEL_PLACE_ANNOTATIONS, NULL, "readonlyhint", "readOnlyHint"));
    CHECK(confused(CUPEL_PLACE_CONTENT, NULL, "Text", "text"));
    CHECK(confused(CUPEL_PLACE_ERROR, NULL, "Code", "code"));
}

/* -- Messages --------------------------------------------------------------------------------- */

#define R            "{\"jsonrpc\":\"2.0\","
#define CALL(params) R "\"id\":1,\"method\":\"tools/call\",\"params\":" params "}"

static const struct message_case {
    const char *text, *rule; /* NULL: it is one */
    enum cupel_message_kind kind;
} messages[] = {
    {CALL("{\"name\":\"echo\",\"arguments\":{}}"), NULL, CUPEL_MESSAGE_REQUEST},
    {R "\"id\":\"a\",\"method\":\"ping\"}", NULL, CUPEL_MESSAGE_REQUEST},
    {R "\"id\":\"a\",\"method\":\"ping\",\"params\":null}", NULL, CUPEL_MESSAGE_REQUEST},
    {R "\"method\":\"notifications/initialized\"}", NULL, CUPEL_MESSAGE_NOTIFICATION},
    {R "\"id\":1,\"result\":{\"action\":\"accept\"}}", NULL, CUPEL_MESSAGE_RESULT},
    {R "\"id\":1,\"error\":{\"code\":-1,\"message\":\"\"}}", NULL, CUPEL_MESSAGE_ERROR},
    {R "\"id\":null,\"error\":{\"code\":-1,\"message\":\"\"}}", NULL, CUPEL_MESSAGE_ERROR},
    {R "\"error\":{\"code\":-1,\"message\":\"\"}}", NULL, CUPEL_MESSAGE_ERROR},
    {R "\"id\":1,\"method\":\"x/y\",\"params\":{\"Name\":1,\"Extra\":2}}", NULL, 0},
    {R "\"id\":1,\"method\":\"ping\",\"extra\":1}", NULL, 0},
    {"[]", "request-object", 0},
    {"1", "request-object", 0},
    {"{}", "request-version", 0},
    {"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", "request-version", 0},
    {R "\"id\":1}", "request-method", 0},
    {R "\"id\":1,\"method\":7}", "request-method", 0},
    {R "\"id\":1,\"method\":null}", "request-method", 0},
    {R "\"id\":1,\"method\":\"ping\",\"result\":{}}", "request-kind", 0},
    {R "\"id\":1,\"result\":{},\"error\":{}}", "request-kind", 0},
    {R "\"id\":1,\"result\":{},\"error\":null}", "request-kind", 0},
    {R "\"id\":1,\"error\":1}", "request-error", 0},
    {R "\"result\":{}}", "request-id", 0},
    {R "\"id\":null,\"result\":{}}", "request-id", 0},
    {R "\"id\":null,\"method\":\"ping\"}", "request-id", 0},
    {R "\"id\":[1],\"method\":\"ping\"}", "request-id", 0},
    {R "\"id\":true,\"method\":\"ping\"}", "request-id", 0},
    {R "\"id\":1,\"method\":\"ping\",\"params\":[]}", "params-object", 0},
    {R "\"id\":1,\"method\":\"ping\",\"params\":\"\"}", "params-object", 0},
    {R "\"id\":1,\"method\":\"ping\",\"Method\":\"x\"}", "request-name", 0},
    {R "\"id\":1,\"METHOD\":\"x\",\"method\":\"ping\"}", "request-name", 0},
    {R "\"id\":1,\"method\":\"x/y\",\"\\u0131d\":2}", "request-name", 0},
    {R "\"id\":1,\"method\":\"x/y\",\"\xc4\xb1"
       "d\":2}",
     "request-name", 0},
    {R "\"id\":1,\"method\":\"x/y\",\"PARAMS\":{}}", "request-name", 0},
    {R "\"id\":1,\"error\":{\"Code\":1}}", "request-name", 0},
    {R "\"id\":1,\"result\":{},\"Error\":{}}", "request-name", 0},
    {CALL("{\"name\":\"echo\",\"Name\":\"wipe\"}"), "request-name", 0},
    {CALL("{\"name\":\"echo\",\"argument\\u017f\":{}}"), "request-name", 0},
    {CALL("{\"name\":\"echo\",\"tas\\u212a\":{}}"), "request-name", 0},
    {CALL("{\"name\":\"echo\",\"_Meta\":{}}"), "request-name", 0},
    {CALL("{\"name\":\"echo\",\"_meta\":{\"ProgressToken\":1}}"), "request-name", 0},
    {CALL("{\"name\\u0000\":\"wipe\",\"name\":\"echo\"}"), "request-nul", 0},
    {CALL("{\"name\":\"wipe\\u0000\"}"), "request-nul", 0},
    {R "\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"a\\u0000b\"}}", "request-nul",
     0},
    {R "\"id\":1,\"method\":\"tools/call\\u0000\"}", "request-nul", 0},
    {R "\"id\":1,\"method\":\"ping\",\"id\\u0000\":2}", "request-nul", 0},
    {R "\"id\":1,\"method\":\"x/y\",\"params\":{\"a\\u0000\":2}}", "request-nul", 0},
};

static void test_messages(void)
{
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        const struct message_case *c = &messages[i];
        struct cupel_message message = {.kind = CUPEL_MESSAGE_REQUEST};
        struct cupel_message_problem problem = {.rule = NULL};
        CHECK_INT(cupel_document_read(doc, c->text, strlen(c->text), NULL), CUPEL_OK);
        enum cupel_status status = cupel_message_read(doc, 0, &message, &problem);
        if (c->rule == NULL) {
            CHECK_INT(status, CUPEL_OK);
            CHECK_INT(message.kind, c->kind);
        } else if (CHECK_INT(status, CUPEL_E_ARGUMENT)) {
            CHECK_STR(problem.rule, c->rule);
            CHECK(cupel_rule_meaning(problem.rule) != NULL);
            CHECK(strlen(problem.text) + 1 < sizeof(problem.text));
        } else {
            fprintf(stderr, "    %s\n", c->text);
        }
    }
}

static void test_words(void)
{
    static const char text[] = R "\"id\":\"x\",\"method\":\"ping\",\"\\u0131D\":1}";
    static const char nul[] = R "\"id\":1.5,\"method\":\"ping\",\"\\ud83d\\ude00\\u0000\":1}";
    struct cupel_message message;
    struct cupel_message_problem problem;
    CHECK_INT(cupel_document_read(doc, text, LEN(text), NULL), CUPEL_OK);
    CHECK_INT(cupel_message_read(doc, 0, &message, &problem), CUPEL_E_ARGUMENT);
    CHECK_STR(problem.text, "Invalid request: the member \"\\u0131D\" could be read as \"id\"");
    CHECK_INT(problem.code, -32600);
    CHECK(problem.id != CUPEL_NO_NODE && cupel_json_is(doc, problem.id, "x"));
    CHECK_INT(cupel_document_read(doc, nul, LEN(nul), NULL), CUPEL_OK);
    CHECK_INT(cupel_message_read(doc, 0, &message, &problem), CUPEL_E_ARGUMENT);
    CHECK_STR(problem.text,
              "Invalid request: the name of the member \"\\u1F600\\u0000\" holds NUL");
    CHECK(problem.id == CUPEL_NO_NODE);
}

/* A name of any length is shown within the bounds. */
static void test_long_name(void)
{
    static char text[5000];
    struct cupel_message message;
    struct cupel_message_problem problem;
    int n = snprintf(text, sizeof(text), R "\"id\":1,\"method\":\"ping\",\"");
    for (; n < 4000; n += 6)
        memcpy(text + n, "\\u0001", 6);
    n += snprintf(text + n, sizeof(text) - (size_t)n, "\\u0000\":1}");
    CHECK_INT(cupel_document_read(doc, text, (size_t)n, NULL), CUPEL_OK);
    CHECK_INT(cupel_message_read(doc, 0, &message, &problem), CUPEL_E_ARGUMENT);
    CHECK(strstr(problem.text, "\\u0001...\" holds NUL") != NULL);
}

/* -- Ids -------------------------------------------------------------------------------------- */

static const struct id_case {
    const char *text, *key; /* NULL: not valid */
} ids[] = {
    {"1", "1"},
    {"0", "0"},
    {"-0", "0"},
    {"-7", "-7"},
    {"9007199254740991", "9007199254740991"},
    {"-9007199254740991", "-9007199254740991"},
    {"\"a\"", "\"a"},
    {"\"\\u0061\"", "\"a"},
    {"\"\"", "\""},
    {"9007199254740992", NULL},
    {"-9007199254740992", NULL},
    {"12345678901234567890", NULL},
    {"1.0", NULL},
    {"1e0", NULL},
    {"1E2", NULL},
    {"1.5", NULL},
    {"true", NULL},
    {"{}", NULL},
    {"null", NULL},
};

static void test_ids(void)
{
    struct cupel_text key;
    cupel_text_init(&key, NULL);
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        char text[200];
        struct cupel_message message;
        struct cupel_message_problem problem;
        int n = snprintf(text, sizeof(text), R "\"id\":%s,\"method\":\"ping\"}", ids[i].text);
        CHECK_INT(cupel_document_read(doc, text, (size_t)n, NULL), CUPEL_OK);
        enum cupel_status status = cupel_message_read(doc, 0, &message, &problem);
        CHECK_INT(status, ids[i].key != NULL ? CUPEL_OK : CUPEL_E_ARGUMENT);
        if (status != CUPEL_OK)
            continue;
        cupel_text_clear(&key);
        cupel_message_id_key(doc, message.id, &key);
        CHECK_MEM(key.bytes, key.len, ids[i].key);
    }
    cupel_text_free(&key);
}

int main(void)
{
    if (cupel_document_new(NULL, &doc) != CUPEL_OK)
        return 1;
    test_fold();
    test_places();
    test_messages();
    test_words();
    test_long_name();
    test_ids();
    CHECK(cupel_protocol_version_known("2025-06-18", 10) == 1);
    CHECK(cupel_protocol_version_known("2025-06-19", 10) == 0);
    CHECK(cupel_protocol_version_known("", 0) == 0);
    cupel_document_free(doc);
    return test_end();
}
