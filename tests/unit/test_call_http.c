/* test_call_http.c: headers of requests against their bodies, headers that a client has to send,
 * batches, and calls as tasks. */
#include "call_ways.h"
#include "test.h"
#include <cupel/cupel.h>

#define LEN(s) (sizeof(s) - 1)

static const char list[] =
    "[{\"name\":\"sql\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
    "\"limit\":{\"type\":\"integer\",\"x-mcp-header\":\"Limit\"},"
    "\"deep\":{\"type\":\"object\",\"properties\":{\"dry/run\":{\"type\":\"boolean\","
    "\"x-mcp-header\":\"Dry\"}}}}}},"
    "{\"name\":\"h\\u00e9\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"name\":\"slow\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":"
    "\"required\"}}]";

static struct cupel_catalog *catalog_of(enum cupel_mcp_profile profile)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    cupel_catalog_options_init(&options);
    options.profile = profile;
    CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, list, LEN(list), NULL), CUPEL_OK);
    return catalog;
}

#define REQUEST(params) \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":" params "}"
#define SQL_2(arguments)                                                                    \
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"sql\"," \
    "\"arguments\":" arguments "}}"
#define PING(id)       "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}"
#define SQL(arguments) REQUEST("{\"name\":\"sql\",\"arguments\":" arguments "}")

/* -- Headers ---------------------------------------------------------------------------------- */

/* Fields as "Name: value", a line each. */
static size_t split_fields(const char *text, struct cupel_header *ret)
{
    size_t count = 0;
    while (*text != '\0') {
        size_t line = strcspn(text, "\n"), name = strcspn(text, ":");
        ret[count++] = (struct cupel_header){text, name, text + name + 2, line - name - 2};
        text += line + (text[line] == '\n');
    }
    return count;
}

#define VERSION "MCP-Protocol-Version: 2026-07-28\n"
#define METHOD  "Mcp-Method: tools/call\n"
#define BASE    VERSION METHOD "Mcp-Name: sql\n"

static const struct http_case {
    const char *header, *request;
    enum cupel_call_verdict verdict;
    const char *holds; /* in the answer */
} http_cases[] = {
    {BASE, SQL("{}"), CUPEL_CALL_VALID, NULL},
    {"mcp-protocol-version: 2026-07-28\nMCP-METHOD: tools/call\nmcp-name: sql\nHost: x", SQL("{}"),
     CUPEL_CALL_VALID, NULL},
    {METHOD "Mcp-Name: sql", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH,
     "Header mismatch: MCP-Protocol-Version is missing"},
    {VERSION "Mcp-Name: sql", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH, "Mcp-Method is missing"},
    {VERSION METHOD, SQL("{}"), CUPEL_CALL_HEADER_MISMATCH, "\"code\":-32020"},
    {VERSION "Mcp-Method: Tools/call\nMcp-Name: sql", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH,
     "Mcp-Method does not match"},
    {VERSION METHOD "Mcp-Name: other", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH,
     "Mcp-Name does not match"},
    {BASE "Mcp-Name: sql", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH, "more than once"},
    {VERSION METHOD "Mcp-Name: nope", REQUEST("{\"name\":\"nope\"}"), CUPEL_CALL_UNKNOWN_TOOL,
     "-32602"},
    {VERSION METHOD "Mcp-Name: =?base64?aMOp?=", REQUEST("{\"name\":\"h\\u00e9\"}"),
     CUPEL_CALL_VALID, NULL},
    {VERSION METHOD "Mcp-Name: h\xc3\xa9", REQUEST("{\"name\":\"h\\u00e9\"}"),
     CUPEL_CALL_HEADER_MISMATCH, "may not be sent"},
    {VERSION METHOD "Mcp-Name: =?base64?aMO?=", REQUEST("{\"name\":\"h\\u00e9\"}"),
     CUPEL_CALL_HEADER_MISMATCH, "may not be sent"},
    {VERSION METHOD "Mcp-Name: =?base64?c3Fs?=", SQL("{}"), CUPEL_CALL_VALID, NULL},
    {BASE,
     REQUEST("{\"name\":\"sql\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
             "\"2026-07-28\"}}"),
     CUPEL_CALL_VALID, NULL},
    {BASE,
     REQUEST("{\"name\":\"sql\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
             "\"2025-11-25\"}}"),
     CUPEL_CALL_HEADER_MISMATCH, "MCP-Protocol-Version does not match"},

    {BASE "Mcp-Param-Region: eu", SQL("{\"region\":\"eu\"}"), CUPEL_CALL_VALID, NULL},
    {BASE "mcp-param-region: eu", SQL("{\"region\":\"eu\"}"), CUPEL_CALL_VALID, NULL},
    {BASE, SQL("{\"region\":\"eu\"}"), CUPEL_CALL_HEADER_MISMATCH, "Mcp-Param-Region is missing"},
    {BASE "Mcp-Param-Region: us", SQL("{\"region\":\"eu\"}"), CUPEL_CALL_HEADER_MISMATCH,
     "Mcp-Param-Region does not match"},
    {BASE "Mcp-Param-Region: eu", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH, "no value in the body"},
    {BASE "Mcp-Param-Region: eu", SQL("{\"region\":null}"), CUPEL_CALL_HEADER_MISMATCH,
     "no value in the body"},
    {BASE "Mcp-Param-Region: a\nMcp-Param-Region: a", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH,
     "more than once"},
    {BASE "Mcp-Param-Region: ", SQL("{\"region\":\"\"}"), CUPEL_CALL_VALID, NULL},
    {BASE "Mcp-Param-Region: =?base64?IA==?=", SQL("{\"region\":\"\"}"), CUPEL_CALL_HEADER_MISMATCH,
     "Mcp-Param-Region does not match"},
    {BASE "Mcp-Param-Region: =?base64?SGVsbG8sIHdvcmxk?=", SQL("{\"region\":\"Hello, world\"}"),
     CUPEL_CALL_VALID, NULL},
    {BASE "Mcp-Param-Region: =?base32?eu-west-1?=", SQL("{\"region\":\"=?base32?eu-west-1?=\"}"),
     CUPEL_CALL_VALID, NULL},
    {BASE "Mcp-Param-Region: =?base64?SGVsbG8=", SQL("{\"region\":\"=?base64?SGVsbG8=\"}"),
     CUPEL_CALL_VALID, NULL},
    {BASE "Mcp-Param-Region: a\x7f", SQL("{\"region\":\"a\\u007f\"}"), CUPEL_CALL_HEADER_MISMATCH,
     "may not be sent"},
    {BASE, SQL("{\"limit\":42}"), CUPEL_CALL_HEADER_MISMATCH, "Mcp-Param-Limit is missing"},
    {BASE "Mcp-Param-Limit: 42\nMcp-Param-Limit: 42", SQL("{\"limit\":42}"),
     CUPEL_CALL_HEADER_MISMATCH, "more than once"},
    {BASE "Mcp-Param-Other: eu", SQL("{}"), CUPEL_CALL_VALID, NULL},
    {BASE "Mcp-Param-Limit: 42.0", SQL("{\"limit\":42}"), CUPEL_CALL_VALID, NULL},
    {BASE "Mcp-Param-Limit: 42", SQL("{\"limit\":4.2e1}"), CUPEL_CALL_VALID, NULL},
    {BASE "Mcp-Param-Limit: 43", SQL("{\"limit\":42}"), CUPEL_CALL_HEADER_MISMATCH, "Limit"},
    {BASE "Mcp-Param-Limit: \"42\"", SQL("{\"limit\":42}"), CUPEL_CALL_HEADER_MISMATCH, "Limit"},
    {BASE "Mcp-Param-Limit: ", SQL("{\"limit\":42}"), CUPEL_CALL_HEADER_MISMATCH, "Limit"},
    {BASE "Mcp-Param-Dry: true", SQL("{\"deep\":{\"dry/run\":true}}"), CUPEL_CALL_VALID, NULL},
    {BASE "Mcp-Param-Dry: True", SQL("{\"deep\":{\"dry/run\":true}}"), CUPEL_CALL_HEADER_MISMATCH,
     "Dry"},
    {BASE "Mcp-Param-Region: =?base64?ZXV=?=", SQL("{\"region\":\"eu\"}"),
     CUPEL_CALL_HEADER_MISMATCH, "may not be sent"},
    {BASE "Mcp-Param-Region: =?base64?ZXU=?=", SQL("{\"region\":\"eu\"}"), CUPEL_CALL_VALID, NULL},
    {BASE "Mcp-Param-Region: =?base64?ZR==?=", SQL("{\"region\":\"e\"}"),
     CUPEL_CALL_HEADER_MISMATCH, "may not be sent"},
    {BASE "Mcp_Param_Region: us\nMcp-Param-Region: eu", SQL("{\"region\":\"eu\"}"),
     CUPEL_CALL_HEADER_MISMATCH, "more than once"},
    {BASE "mcp_name: other", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH, "more than once"},
    {"", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH, "MCP-Protocol-Version is missing"},
    {"MCP-Protocol-Version: \n" METHOD "Mcp-Name: sql", SQL("{}"), CUPEL_CALL_HEADER_MISMATCH,
     "not a known version"},
    {"MCP-Protocol-Version: 2026-07-29\n" METHOD "Mcp-Name: sql", SQL("{}"),
     CUPEL_CALL_HEADER_MISMATCH, "not a known version"},
    {BASE, REQUEST("{\"name\":\"sql\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":7}}"),
     CUPEL_CALL_HEADER_MISMATCH, "not a known one"},
    {BASE,
     REQUEST("{\"name\":\"sql\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"\"}}"),
     CUPEL_CALL_HEADER_MISMATCH, "not a known one"},
    {BASE "Mcp-Param-Region: eu", SQL("{\"region\":[]}"), CUPEL_CALL_INVALID, "region"},
    {BASE, SQL("{\"region\":[]}"), CUPEL_CALL_INVALID, "region"},
};

static void test_headers(struct cupel_call_context *caller, struct cupel_text *answer)
{
    struct cupel_catalog *catalog = catalog_of(CUPEL_MCP_2026_07_28);
    struct cupel_catalog *older = catalog_of(CUPEL_MCP_2025_11_25);
    struct cupel_header headers[16];
    struct cupel_call_outcome outcome;
    for (size_t i = 0; i < sizeof(http_cases) / sizeof(http_cases[0]); i++) {
        const struct http_case *c = &http_cases[i];
        size_t count = split_fields(c->header, headers);
        enum cupel_call_verdict verdict = check_http(catalog, caller, 1, headers, count, c->request,
                                                     strlen(c->request), answer, &outcome);
        bool ok = CHECK_INT(verdict, c->verdict);
        ok = CHECK(c->holds == NULL ? answer->len == 0
                                    : answer->len != 0 && strstr(answer->bytes, c->holds)) &&
             ok;
        ok = CHECK_INT(strcmp(outcome.reason, "header-mismatch") == 0,
                       verdict == CUPEL_CALL_HEADER_MISMATCH) &&
             ok;
        if (!ok)
            fprintf(stderr, "    %s\n    %s\n    %.*s\n", c->header, c->request, (int)answer->len,
                    answer->len != 0 ? answer->bytes : "");
    }
    CHECK_INT(check_http(older, caller, 0, headers, 0, SQL("{\"region\":\"eu\"}"),
                         LEN(SQL("{\"region\":\"eu\"}")), answer, NULL),
              CUPEL_CALL_VALID);
    cupel_catalog_free(catalog);
    cupel_catalog_free(older);
}

/* Before 2026-07-28 the keyword x-mcp-header breaks no rule, and where it is sound the field is
 * compared. */
static void test_older_profiles(struct cupel_call_context *caller, struct cupel_text *answer)
{
    static const char tools[] =
        "[{\"name\":\"sql\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
        "\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
        "\"limit\":{\"type\":\"number\",\"x-mcp-header\":\"Limit\"},"
        "\"other\":{\"type\":\"string\",\"x-mcp-header\":7}}}}]";
    static const char request[] = SQL("{\"region\":\"eu\",\"limit\":1}");
    struct cupel_header headers[16];
    static const enum cupel_mcp_profile profiles[] = {CUPEL_MCP_2024_11_05, CUPEL_MCP_2025_03_26,
                                                      CUPEL_MCP_2025_06_18, CUPEL_MCP_2025_11_25};
    for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        struct cupel_catalog_options options;
        struct cupel_catalog *catalog = NULL;
        cupel_catalog_options_init(&options);
        options.profile = profiles[i];
        CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
        CHECK_INT(cupel_catalog_add(catalog, tools, LEN(tools), NULL), CUPEL_OK);
        CHECK_INT(cupel_catalog_find(catalog, "sql", 3)->verdict, CUPEL_TOOL_OK);
        size_t count = split_fields("Mcp-Param-Region: eu\nMcp-Param-Limit: 2", headers);
        CHECK_INT(
            check_http(catalog, caller, 0, headers, count, request, LEN(request), answer, NULL),
            CUPEL_CALL_VALID);
        count = split_fields("Mcp-Param-Region: us", headers);
        CHECK_INT(
            check_http(catalog, caller, 0, headers, count, request, LEN(request), answer, NULL),
            CUPEL_CALL_HEADER_MISMATCH);
        cupel_catalog_free(catalog);
    }
}

/* -- Any request ------------------------------------------------------------------------------ */

#define M(method, params) \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":" params "}"
#define NOTE(method)  "{\"jsonrpc\":\"2.0\",\"method\":\"" method "\"}"
#define RESULT        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\"}}"
#define ANSWER(inner) "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" inner "}"
#define INPUTS(inner) \
    M("prompts/get", "{\"name\":\"a\",\"inputResponses\":{\"k\":{},\"l\":" inner "}}")
#define ALL CUPEL_REQUEST_FIELDS | CUPEL_REQUEST_FIELDS_NEEDED

static const struct any_case {
    enum cupel_mcp_profile profile;
    uint32_t flags;
    const char *header, *request;
    enum cupel_call_verdict verdict;
    const char *holds; /* in the answer */
} any_cases[] = {
    {CUPEL_MCP_2026_07_28, 0, "", M("ping", "{}"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, 0, "", RESULT, CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, 0, "", ANSWER("{\"Action\":\"accept\",\"action\":\"decline\"}"),
     CUPEL_CALL_BAD_REQUEST, "\\\"Action\\\" could be read as \\\"action\\\""},
    {CUPEL_MCP_2026_07_28, 0, "", ANSWER("{\"Role\":\"user\"}"), CUPEL_CALL_BAD_REQUEST, "role"},
    {CUPEL_MCP_2026_07_28, 0, "", ANSWER("{\"root\\u017f\":[]}"), CUPEL_CALL_BAD_REQUEST, "roots"},
    {CUPEL_MCP_2026_07_28, 0, "", ANSWER("{\"x\\u0000\":1}"), CUPEL_CALL_BAD_REQUEST, "NUL"},
    {CUPEL_MCP_2026_07_28, 0, "", ANSWER("{\"x\":{\"Action\":1}}"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, 0, "", ANSWER("[\"Action\"]"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, 0, "", INPUTS("{\"action\":\"decline\"}"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, 0, "", INPUTS("{\"ACTION\":\"decline\"}"), CUPEL_CALL_BAD_REQUEST,
     "action"},
    {CUPEL_MCP_2026_07_28, 0, "", INPUTS("{\"x\\u0000\":1}"), CUPEL_CALL_BAD_REQUEST, "NUL"},
    {CUPEL_MCP_2026_07_28, 0, "", M("prompts/get", "{\"name\":\"a\",\"inputResponses\":{}}"),
     CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, 0, "", NOTE("notifications/initialized"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, 0, "", M("no/such", "{\"Name\":1}"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, 0, "", M("tools/list", "{\"CURSOR\":\"\"}"), CUPEL_CALL_BAD_REQUEST,
     "could be read as"},
    {CUPEL_MCP_2026_07_28, 0, "", SQL("{}"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, 0, "", SQL("{\"region\":7}"), CUPEL_CALL_INVALID, "region"},
    {CUPEL_MCP_2026_07_28, 0, "", "[" PING("1") "]", CUPEL_CALL_BAD_REQUEST, "not a batch"},
    {CUPEL_MCP_2025_03_26, 0, "", "[" PING("9") "," RESULT "," SQL("{}") "]", CUPEL_CALL_VALID,
     NULL},
    {CUPEL_MCP_2025_03_26, 0, "", "[" PING("1") "," PING("2") "," PING("3") "," PING("4") "]",
     CUPEL_CALL_BAD_REQUEST, "too many messages"},
    {CUPEL_MCP_2026_07_28, CUPEL_REQUEST_FIELDS, "Host: x", SQL("{}"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, CUPEL_REQUEST_FIELDS, METHOD, SQL("{}"), CUPEL_CALL_HEADER_MISMATCH,
     "is missing"},
    {CUPEL_MCP_2026_07_28, CUPEL_REQUEST_FIELDS, "MCP-Protocol-Version: 2025-11-25", SQL("{}"),
     CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, METHOD, SQL("{}"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, METHOD, M("tools/list", "{}"),
     CUPEL_CALL_HEADER_MISMATCH, "Mcp-Method does not match"},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, METHOD, RESULT, CUPEL_CALL_HEADER_MISMATCH,
     "Mcp-Method is there"},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, METHOD, NOTE("notifications/initialized"),
     CUPEL_CALL_HEADER_MISMATCH, NULL},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, VERSION, M("ping", "{}"),
     CUPEL_CALL_HEADER_MISMATCH, "Mcp-Method is missing"},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, "Mcp-Name: a",
     M("resources/read", "{\"uri\":\"b\"}"), CUPEL_CALL_HEADER_MISMATCH, "Mcp-Name does not match"},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, "Mcp-Name: a",
     M("prompts/get", "{\"name\":\"a\"}"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, "Mcp-Name: a", M("tools/list", "{}"),
     CUPEL_CALL_HEADER_MISMATCH, "Mcp-Name is there"},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, "Mcp-Param-X: a", M("ping", "{}"),
     CUPEL_CALL_HEADER_MISMATCH, "Mcp-Param-X is there"},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, "MCP-Protocol-Version: 2025-06-18",
     M("initialize", "{\"protocolVersion\":\"2026-07-28\"}"), CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2025_06_18, CUPEL_REQUEST_FIELDS, "MCP-Protocol-Version: x", M("ping", "{}"),
     CUPEL_CALL_HEADER_MISMATCH, "not a known version"},
    {CUPEL_MCP_2026_07_28, ALL, VERSION "Mcp-Method: ping", M("ping", "{}"), CUPEL_CALL_VALID,
     NULL},
    {CUPEL_MCP_2026_07_28, ALL, VERSION "Mcp-Method: resources/read",
     M("resources/read", "{\"uri\":\"b\"}"), CUPEL_CALL_HEADER_MISMATCH, "Mcp-Name is missing"},
    {CUPEL_MCP_2026_07_28, ALL, VERSION, RESULT, CUPEL_CALL_VALID, NULL},
    {CUPEL_MCP_2026_07_28, ALL, "", M("ping", "{}"), CUPEL_CALL_HEADER_MISMATCH, "is missing"},
};

static int copy_answer(void *ctx, const char *message, size_t len, enum cupel_call_verdict verdict,
                       const struct cupel_call_outcome *outcome, const struct cupel_text *answer)
{
    CHECK(message != NULL && len != 0);
    CHECK(verdict != CUPEL_CALL_VALID || (outcome->message != NULL && outcome->doc != NULL));
    cupel_text_add(ctx, answer->bytes, answer->len);
    return 0;
}

static void test_any(struct cupel_call_context *caller, struct cupel_text *answer)
{
    struct cupel_header headers[16];
    struct cupel_text answers;
    cupel_text_init(&answers, NULL);
    for (size_t i = 0; i < sizeof(any_cases) / sizeof(any_cases[0]); i++) {
        const struct any_case *c = &any_cases[i];
        struct cupel_catalog *catalog = catalog_of(c->profile);
        struct cupel_request_options options;
        cupel_request_options_init(&options);
        options.profile = c->profile;
        options.flags = c->flags;
        options.headers = headers;
        options.header_count = split_fields(c->header, headers);
        options.batch = 3;
        cupel_text_clear(&answers);
        enum cupel_call_verdict verdict =
            cupel_request_check(catalog, caller, c->request, strlen(c->request), &options, answer,
                                copy_answer, &answers);
        if (answers.len == 0)
            cupel_text_add(&answers, answer->bytes, answer->len);
        bool ok = CHECK_INT(verdict, c->verdict);
        ok = CHECK(c->holds == NULL ? answers.len == 0
                                    : answers.len != 0 && strstr(answers.bytes, c->holds)) &&
             ok;
        if (!ok)
            fprintf(stderr, "    %s\n    %s\n    %.*s\n", c->header, c->request, (int)answers.len,
                    answers.len != 0 ? answers.bytes : "");
        cupel_catalog_free(catalog);
    }
    struct cupel_request_options options;
    cupel_request_options_init(&options);
    CHECK_INT(
        cupel_request_check(NULL, caller, SQL("{}"), LEN(SQL("{}")), &options, answer, NULL, NULL),
        CUPEL_CALL_UNKNOWN_TOOL);
    cupel_text_free(&answers);
}

/* -- Many fields and parameters --------------------------------------------------------------- */

/* `n` parameters of one object, each with a field of `size` bytes. */
static uint64_t compare_many(unsigned n, size_t size, enum cupel_call_verdict want)
{
    struct cupel_text tools, request, names;
    struct cupel_catalog_options mcp;
    struct cupel_catalog *catalog = NULL;
    struct cupel_call_context *caller = NULL;
    struct cupel_call_outcome outcome = {.steps = 0};
    struct cupel_header *headers = calloc(n + 3, sizeof(*headers));
    char *value = malloc(size + 1);
    cupel_text_init(&tools, NULL);
    cupel_text_init(&request, NULL);
    cupel_text_init(&names, NULL);
    memset(value, 'v', size);
    value[size] = '\0';
    cupel_text_adds(&tools,
                    "[{\"name\":\"sql\",\"inputSchema\":{\"type\":\"object\",\"properties\":{");
    cupel_text_adds(&request, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                              "{\"name\":\"sql\",\"arguments\":{");
    for (unsigned i = 0; i < n; i++) {
        cupel_text_addf(&tools, "%s\"p%05u\":{\"type\":\"string\",\"x-mcp-header\":\"P%05u\"}",
                        i != 0 ? "," : "", i, i);
        cupel_text_addf(&request, "%s\"p%05u\":\"%s\"", i != 0 ? "," : "", i, value);
        cupel_text_addf(&names, "Mcp-Param-P%05u", i);
    }
    cupel_text_adds(&tools, "}}}]");
    cupel_text_adds(&request, "}}}");
    size_t count = split_fields(BASE, headers);
    for (unsigned i = 0; i < n; i++)
        headers[count++] = (struct cupel_header){names.bytes + 16 * i, 16, value, size};
    cupel_catalog_options_init(&mcp);
    CHECK_INT(cupel_catalog_new(&mcp, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, tools.bytes, tools.len, NULL), CUPEL_OK);
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    CHECK_INT(check_http(catalog, caller, 1, headers, count, request.bytes, request.len, &answer,
                         &outcome),
              want);
    cupel_text_free(&answer);
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
    cupel_text_free(&tools);
    cupel_text_free(&request);
    cupel_text_free(&names);
    free(headers);
    free(value);
    return outcome.steps;
}

/* Twice the fields or bytes take twice the steps. */
static void test_many(void)
{
    uint64_t once = compare_many(500, 8, CUPEL_CALL_VALID);
    uint64_t twice = compare_many(1000, 8, CUPEL_CALL_VALID);
    uint64_t longer = compare_many(500, 800, CUPEL_CALL_VALID);
    CHECK(once > 1000 && twice < 2 * once + 100 && longer >= once + 500 * (800 - 8) / 16);
}

/* -- What a client sends ---------------------------------------------------------------------- */

static const char *const sent_cases[][2] = {
    {"{}", ""},
    {"{\"region\":null}", ""},
    {"{\"region\":\"us-west1\"}", "Mcp-Param-Region: us-west1\r\n"},
    {"{\"region\":\"Hello, \\u4e16\\u754c\"}",
     "Mcp-Param-Region: =?base64?SGVsbG8sIOS4lueVjA==?=\r\n"},
    {"{\"region\":\" padded \"}", "Mcp-Param-Region: =?base64?IHBhZGRlZCA=?=\r\n"},
    {"{\"region\":\"padded \"}", "Mcp-Param-Region: =?base64?cGFkZGVkIA==?=\r\n"},
    {"{\"region\":\"padded\\t\"}", "Mcp-Param-Region: =?base64?cGFkZGVkCQ==?=\r\n"},
    {"{\"region\":\"\\tpadded\"}", "Mcp-Param-Region: =?base64?CXBhZGRlZA==?=\r\n"},
    {"{\"region\":\"a\\u007f\"}", "Mcp-Param-Region: =?base64?YX8=?=\r\n"},
    {"{\"region\":\"=?base64?SGVsbG8=\"}", "Mcp-Param-Region: =?base64?SGVsbG8=\r\n"},
    {"{\"region\":\"line1\\nline2\"}", "Mcp-Param-Region: =?base64?bGluZTEKbGluZTI=?=\r\n"},
    {"{\"region\":\"=?base64?literal?=\"}",
     "Mcp-Param-Region: =?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=\r\n"},
    {"{\"region\":\"\"}", "Mcp-Param-Region: \r\n"},
    {"{\"region\":\"a b\\tc\"}", "Mcp-Param-Region: a b\tc\r\n"},
    {"{\"limit\":-7.0}", "Mcp-Param-Limit: -7\r\n"},
    {"{\"deep\":{\"dry/run\":false},\"region\":\"x\"}",
     "Mcp-Param-Region: x\r\nMcp-Param-Dry: false\r\n"},
};

static void test_sent(struct cupel_call_context *caller, struct cupel_text *answer)
{
    struct cupel_catalog *catalog = catalog_of(CUPEL_MCP_2026_07_28);
    struct cupel_text request, fields, want;
    cupel_text_init(&request, NULL);
    cupel_text_init(&fields, NULL);
    cupel_text_init(&want, NULL);
    for (size_t i = 0; i < sizeof(sent_cases) / sizeof(sent_cases[0]); i++) {
        cupel_text_clear(&request);
        cupel_text_clear(&fields);
        cupel_text_clear(&want);
        cupel_text_addf(&request, REQUEST("{\"name\":\"sql\",\"arguments\":%s}"), sent_cases[i][0]);
        cupel_text_addf(&want, "Mcp-Method: tools/call\r\nMcp-Name: sql\r\n%s", sent_cases[i][1]);
        enum cupel_call_verdict verdict = cupel_call_check(
            catalog, caller, request.bytes, request.len, NULL, answer, NULL, NULL, NULL);
        cupel_call_headers_write(caller, &fields);
        if (i == 1) { /* null is no string, whatever the header would be */
            CHECK_INT(verdict, CUPEL_CALL_INVALID);
            CHECK_INT(fields.len, 0);
            continue;
        }
        CHECK_INT(verdict, CUPEL_CALL_VALID);
        CHECK_MEM(fields.bytes, fields.len, want.bytes);
    }
    cupel_text_free(&request);
    cupel_text_free(&fields);
    cupel_text_free(&want);
    cupel_catalog_free(catalog);
}

/* -- Batches and tasks ------------------------------------------------------------------------ */

static int note_call(void *ctx, const char *message, size_t len, enum cupel_call_verdict verdict,
                     const struct cupel_call_outcome *outcome, const struct cupel_text *answer)
{
    CHECK(len != 0 && message[0] != ' ');
    cupel_text_addf(ctx, "%s %.*s %.*s %s;", cupel_call_verdict_name(verdict),
                    (int)outcome->method_len, outcome->method != NULL ? outcome->method : "",
                    (int)outcome->id_len, outcome->id != NULL ? outcome->id : "",
                    answer->len != 0 ? "answered" : "-");
    return 0;
}

static const struct batch_case {
    const char *batch;
    enum cupel_call_verdict verdict;
    const char *calls;
} batch_cases[] = {
    {"[" SQL("{}") "]", CUPEL_CALL_VALID, "valid tools/call 1 -;"},
    {"[" SQL("{}") ", " SQL_2(
         "{\"limit\":\"x\"}") ",{\"jsonrpc\":\"2.0\",\"method\":\"ping\","
                              "\"id\":\"p\"},{\"jsonrpc\":\"2.0\",\"method\":\"tools/"
                              "call\",\"params\":{\"name\":\"no\"}},7]",
     CUPEL_CALL_INVALID,
     "valid tools/call 1 -;invalid tools/call 2 answered;bad-request ping \"p\" answered;"
     "unknown-tool tools/call  -;bad-request   answered;"},
    {"[" SQL("{}") "," SQL("{}") "]", CUPEL_CALL_BAD_REQUEST, ""},
    {"[" PING("\"a\"") "," PING("\"\\u0061\"") "]", CUPEL_CALL_BAD_REQUEST, ""},
    {"[" PING("0") "," PING("-0") "]", CUPEL_CALL_BAD_REQUEST, ""},
    {"[" PING("1") "," PING("\"1\"") "]", CUPEL_CALL_BAD_REQUEST,
     "bad-request ping 1 answered;bad-request ping \"1\" answered;"},
    {"[" PING("1") ",{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{}}]",
     CUPEL_CALL_BAD_REQUEST, ""},
    {"[]", CUPEL_CALL_BAD_REQUEST, ""},
    {"[", CUPEL_CALL_BAD_REQUEST, ""},
};

static void test_batches(struct cupel_call_context *caller, struct cupel_text *answer)
{
    struct cupel_catalog *catalog = catalog_of(CUPEL_MCP_2025_03_26);
    struct cupel_catalog *newest = catalog_of(CUPEL_MCP_2026_07_28);
    struct cupel_text calls;
    cupel_text_init(&calls, NULL);
    for (size_t i = 0; i < sizeof(batch_cases) / sizeof(batch_cases[0]); i++) {
        const struct batch_case *c = &batch_cases[i];
        size_t len = strlen(c->batch);
        cupel_text_clear(&calls);
        CHECK_INT(check_batch(catalog, caller, c->batch, len, answer, note_call, &calls),
                  c->verdict);
        CHECK_MEM(calls.len != 0 ? calls.bytes : "", calls.len, c->calls);
        CHECK_INT(answer->len != 0, calls.len == 0);
        CHECK_INT(check_batch(newest, caller, c->batch, len, answer, NULL, NULL),
                  CUPEL_CALL_BAD_REQUEST);
    }
    cupel_text_free(&calls);
    cupel_catalog_free(catalog);
    cupel_catalog_free(newest);
}

static void test_tasks(struct cupel_call_context *caller, struct cupel_text *answer)
{
    static const struct {
        const char *request;
        enum cupel_call_verdict verdict;
    } cases[] = {
        {REQUEST("{\"name\":\"slow\",\"task\":{}}"), CUPEL_CALL_VALID},
        {REQUEST("{\"name\":\"slow\"}"), CUPEL_CALL_BAD_REQUEST},
        {REQUEST("{\"name\":\"sql\"}"), CUPEL_CALL_VALID},
        {REQUEST("{\"name\":\"sql\",\"task\":{}}"), CUPEL_CALL_BAD_REQUEST},
    };
    struct cupel_catalog *catalog = catalog_of(CUPEL_MCP_2025_11_25);
    struct cupel_catalog *newest = catalog_of(CUPEL_MCP_2026_07_28);
    struct cupel_call_outcome outcome;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *request = cases[i].request;
        size_t len = strlen(request);
        CHECK_INT(
            cupel_call_check(catalog, caller, request, len, NULL, answer, NULL, NULL, &outcome),
            cases[i].verdict);
        CHECK(answer->len == 0 || strstr(answer->bytes, "-32601") != NULL);
        CHECK_MEM(outcome.method, outcome.method_len, "tools/call");
        CHECK_MEM(outcome.arguments, outcome.arguments_len, "{}");
        CHECK_INT(cupel_call_check(newest, caller, request, len, NULL, answer, NULL, NULL, NULL),
                  CUPEL_CALL_VALID);
    }
    cupel_catalog_free(catalog);
    cupel_catalog_free(newest);
}

int main(void)
{
    struct cupel_call_context *caller = NULL;
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    test_headers(caller, &answer);
    test_older_profiles(caller, &answer);
    test_any(caller, &answer);
    test_many();
    test_sent(caller, &answer);
    test_batches(caller, &answer);
    test_tasks(caller, &answer);
    cupel_call_context_free(caller);
    cupel_text_free(&answer);
    return test_end();
}
