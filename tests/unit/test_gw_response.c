/* test_gw_response.c: responses judged in JSON and in event streams, whatever the split: what the
 * client receives in place of what the server sent. */
#include "gateways/common/exchange/elicit.h"
#include "gateways/common/request/request.h"
#include "gateways/common/response/response.h"
#include "test.h"
#include "test_arena.h"

static const char tools[] = "[{\"name\":\"out\",\"inputSchema\":{\"type\":\"object\"},"
                            "\"outputSchema\":{\"type\":\"object\",\"required\":[\"a\"]}},"
                            "{\"name\":\"free\",\"inputSchema\":{\"type\":\"object\"}},"
                            "{\"name\":\"broken\",\"inputSchema\":{\"type\":\"object\"},"
                            "\"outputSchema\":{\"type\":1}}]";

#define RESULT(id, inner) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{" inner "}}"
#define TEXT_A            "\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}]"
#define GOOD              TEXT_A ",\"structuredContent\":{\"a\":1}"
#define BAD               "\"content\":[],\"structuredContent\":{\"b\":1}"
#define ERROR(id, text) \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":-32603,\"message\":\"" text "\"}}"
#define INVALID(id)                                           \
    ERROR(id, "The result of tool \\\"out\\\" is not valid: " \
              "/structuredContent: required property "        \
              "\\\"a\\\" is missing")
#define UNKNOWN(id) ERROR(id, "The response belongs to no request that is known")
#define NOTE        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}"
#define UNREAD(id)  ERROR(id, "The response could not be read")
#define MESSAGE(id) ERROR(id, "The response is no message of JSON-RPC")
#define NAMES(id)   ERROR(id, "The result has a name that receivers may read in two ways")
#define TYPE(id)    ERROR(id, "The media type of the response is not one of MCP")

static const char json[] = "application/json", stream[] = "text/event-stream";

/* -- A host ---------------------------------------------------------------------------------- */

static struct cupel_catalog *catalogs[2]; /* before 2026-07-28, and since */
static struct cupel_gw_worker *worker;
static struct cupel_text seen, first, counts;
static uint64_t now;
static const char *session = "s1";

static uint64_t read_clock(void *ctx)
{
    (void)ctx;
    return now;
}

static int write_sink(void *ctx, const char *bytes, size_t len)
{
    cupel_text_add(ctx, bytes, len);
    return 0;
}

static void add_count(void *ctx, struct cupel_gw_exchange *x, const struct cupel_tool *definition,
                      const struct cupel_gw_count *count)
{
    (void)x;
    cupel_text_addf(ctx, "%s:%s:%s;", count->verdict, count->reason,
                    definition != NULL ? definition->name : "");
}

static const struct cupel_gw_counter counter = {add_count, &counts};

/* A MAC that tells parts apart is enough here. */
static void make_mac(void *ctx, const struct cupel_gw_text *parts, size_t part_count,
                     unsigned char ret[CUPEL_GW_TAG])
{
    uint64_t sums[2] = {14695981039346656037u, 88172645463325252u};
    (void)ctx;
    for (size_t i = 0; i < part_count; i++)
        for (size_t k = 0; k <= parts[i].len; k++)
            for (int n = 0; n < 2; n++)
                sums[n] = (sums[n] ^ (k < parts[i].len ? (unsigned char)parts[i].bytes[k] : 256u)) *
                          (1099511628211u + (unsigned)n * 2);
    memcpy(ret, sums, CUPEL_GW_TAG);
}

static struct cupel_gw_memory memory = {.mac = make_mac};

static void make_memory(void)
{
    struct cupel_gw_table *tables[] = {&memory.requests, &memory.tasks, &memory.elicitations};
    for (int i = 0; i < 3; i++) {
        uint32_t value = i == 2 ? 500 : 100;
        size_t size = cupel_gw_table_size(16, value);
        CHECK(cupel_gw_table_open(tables[i], calloc(1, size), size, value, NULL));
    }
}

static void clear_memory(void)
{
    free(memory.requests.block);
    free(memory.tasks.block);
    free(memory.elicitations.block);
    make_memory();
}

struct request {
    enum cupel_gw_message_kind kind;
    const char *id, *id_key, *name; /* a tool or a task */
};

static struct cupel_gw_text text_of(const char *text)
{
    return (struct cupel_gw_text){text, text != NULL ? strlen(text) : 0};
}

/* The notes that reading the request has left. */
static void take_request(struct cupel_gw_exchange *x, const struct request *requests,
                         struct cupel_gw_request_note *notes)
{
    x->notes = notes;
    for (; requests->kind != CUPEL_GW_NOTHING; requests++) {
        struct cupel_gw_request_note *note = &notes[x->note_count++];
        *note = (struct cupel_gw_request_note){.kind = requests->kind};
        note->id = text_of(requests->id);
        note->id_key = text_of(requests->id_key);
        note->method = text_of(requests->kind == CUPEL_GW_LIST   ? "tools/list"
                               : requests->kind == CUPEL_GW_CALL ? "tools/call"
                                                                 : "ping");
        if (requests->kind == CUPEL_GW_CALL) {
            note->tool = text_of(requests->name);
            note->definition = cupel_catalog_find(x->catalog, note->tool.bytes, note->tool.len);
        } else {
            note->task = text_of(requests->name);
        }
    }
}

static const struct request call_out[] = {{CUPEL_GW_CALL, "7", "7", "out"}, {0, NULL, NULL, NULL}};
static const struct request call_free[] = {{CUPEL_GW_CALL, "\"x\"", "\"x", "free"},
                                           {0, NULL, NULL, NULL}};
static const struct request call_other[] = {{CUPEL_GW_CALL, "7", "7", "free"},
                                            {0, NULL, NULL, NULL}};
static const struct request call_escaped[] = {{CUPEL_GW_CALL, "\"\\u0078\"", "\"x", "out"},
                                              {0, NULL, NULL, NULL}};
static const struct request ping[] = {{CUPEL_GW_REQUEST, "7", "7", NULL}, {0, NULL, NULL, NULL}};
static const struct request note[] = {{CUPEL_GW_NOTIFICATION, NULL, NULL, NULL},
                                      {0, NULL, NULL, NULL}};
static const struct request get[] = {{0, NULL, NULL, NULL}};
static const struct request batch[] = {{CUPEL_GW_CALL, "1", "1", "out"},
                                       {CUPEL_GW_CALL, "2", "2", "free"},
                                       {CUPEL_GW_NOTIFICATION, NULL, NULL, NULL},
                                       {0, NULL, NULL, NULL}};
static const struct request task_result[] = {{CUPEL_GW_TASK_RESULT, "8", "8", "t1"},
                                             {0, NULL, NULL, NULL}};
static const struct request task_get[] = {{CUPEL_GW_TASK_GET, "8", "8", "t1"},
                                          {0, NULL, NULL, NULL}};
static const struct request list[] = {{CUPEL_GW_LIST, "7", "7", NULL}, {0, NULL, NULL, NULL}};

struct response_case {
    const struct request *requests;
    const char *type; /* NULL: no Content-Type */
    const char *body;
    const char *seen; /* the step, and what the client receives; NULL: PASS and the body */
    enum cupel_mcp_profile profile; /* 0: 2025-06-18 */
    unsigned status;                /* 0: 200 */
};

static const char *const steps[] = {"PASS", "BODY", "LEARN", "HOLD",  "STREAM",
                                    "WAIT", "END",  "ABORT", "REFUSE"};

static const struct cupel_gw_lists *reads_lists; /* or NULL */

/* How the body is handed over: in one piece, split at a place, or byte by byte. */
enum { WHOLE = 0, BYTES = -1 };

static size_t next_part(size_t at, size_t len, long split)
{
    if (split == BYTES)
        return 1;
    return split > 0 && at < (size_t)split ? (size_t)split : len - at;
}

static enum cupel_gw_step hand_over(struct cupel_gw_exchange *x, enum cupel_gw_step step,
                                    const char *body, size_t len, long split,
                                    const struct cupel_gw_sink *sink)
{
    for (size_t at = 0; step == CUPEL_GW_HOLD || step == CUPEL_GW_STREAM;) {
        size_t part = next_part(at, len, split);
        char *exact = malloc(part + 1);
        if (at + part > len)
            part = len - at;
        memcpy(exact, body + at, part);
        at += part;
        step = cupel_gw_response_body(x, exact, part, at == len, sink);
        memset(exact, 'x', part); /* WAIT keeps what it needs */
        while (step == CUPEL_GW_WAIT)
            step = cupel_gw_response_resume(x, sink);
        if (step == CUPEL_GW_PASS)
            cupel_text_add(sink->ctx, body + at, len - at);
        free(exact);
    }
    return step;
}

static void respond(const struct response_case *c, const struct cupel_gw_policy *policy, long split,
                    struct test_arena *arena, struct cupel_text *ret)
{
    struct cupel_gw_arena memory_of = test_arena_of(arena);
    struct cupel_gw_request_note notes[4];
    struct cupel_gw_exchange x;
    struct cupel_gw_sink sink = {write_sink, ret};
    struct cupel_header type = {"content-TYPE", 12, c->type, c->type != NULL ? strlen(c->type) : 0};
    size_t len = strlen(c->body);
    struct cupel_gw_response_head head = {c->status != 0 ? c->status : 200, &type, c->type != NULL,
                                          UINT64_MAX, true};
    cupel_gw_exchange_init(&x, worker, policy, &memory_of);
    x.catalog = catalogs[policy->profile >= CUPEL_MCP_2026_07_28];
    x.memory = &memory;
    x.counter = &counter;
    x.session = text_of(session);
    x.lists = reads_lists;
    take_request(&x, c->requests, notes);
    cupel_text_clear(&counts);
    cupel_text_clear(ret);
    enum cupel_gw_step step = cupel_gw_response_head(&x, &head);
    if (step == CUPEL_GW_PASS)
        cupel_text_add(ret, c->body, len);
    step = hand_over(&x, step, c->body, len, split, &sink);
    char prefix[32];
    int n = step == CUPEL_GW_REFUSE
                ? snprintf(prefix, sizeof(prefix), "REFUSE %u ", x.answer.status)
                : snprintf(prefix, sizeof(prefix), "%s ", steps[step]);
    if (step == CUPEL_GW_REFUSE) {
        CHECK_INT(ret->len, 0);
        cupel_text_add(ret, x.answer.bytes, x.answer.len);
    }
    struct cupel_text whole;
    cupel_text_init(&whole, NULL);
    cupel_text_add(&whole, prefix, (size_t)n);
    cupel_text_add(&whole, ret->bytes, ret->len);
    cupel_text_free(ret);
    *ret = whole;
    cupel_gw_response_end(&x);
}

static void policy_of(const struct response_case *c, struct cupel_gw_policy *ret)
{
    cupel_gw_policy_init(ret);
    ret->profile = c->profile != 0 ? c->profile : CUPEL_MCP_2025_06_18;
    ret->elicitation = true;
}

static void check_case(const struct response_case *c, const struct cupel_gw_policy *policy)
{
    struct cupel_text wanted;
    cupel_text_init(&wanted, NULL);
    cupel_text_adds(&wanted, c->seen != NULL ? c->seen : "PASS ");
    if (c->seen == NULL)
        cupel_text_adds(&wanted, c->body);
    for (long split = BYTES; split <= (long)strlen(c->body); split++) {
        struct test_arena arena = {.fail_at = 0};
        respond(c, policy, split, &arena, &seen);
        test_arena_free(&arena);
        if (!CHECK_MEM(seen.bytes, seen.len, wanted.bytes)) {
            fprintf(stderr, "    of %s, split at %ld\n", c->body, split);
            break;
        }
    }
    cupel_text_free(&wanted);
}

static void check_cases(const struct response_case *cases, size_t case_count)
{
    for (size_t i = 0; i < case_count; i++) {
        struct cupel_gw_policy policy;
        policy_of(&cases[i], &policy);
        clear_memory();
        check_case(&cases[i], &policy);
    }
}

#define CHECK_CASES(cases) check_cases(cases, sizeof(cases) / sizeof((cases)[0]))

/* -- JSON, and the media type ---------------------------------------------------------------- */

static const struct response_case json_cases[] = {
    {call_out, json, RESULT("7", GOOD), NULL, 0, 0},
    {call_out, json, RESULT("7", BAD), "REFUSE 200 " INVALID("7"), 0, 0},
    {call_out, "Application/JSON ; Charset=\"UTF-8\";x=y", RESULT("7", BAD),
     "REFUSE 200 " INVALID("7"), 0, 0},
    {call_out, NULL, RESULT("7", BAD), "REFUSE 200 " INVALID("7"), 0, 0},
    {call_out, "", " \r\n" RESULT("7", BAD), "REFUSE 200 " INVALID("7"), 0, 0},
    {call_out, json, RESULT("7", BAD), "REFUSE 201 " INVALID("7"), 0, 201},
    {call_out, json, RESULT("7", BAD), "REFUSE 299 " INVALID("7"), 0, 299},
    {call_out, json, RESULT("7", BAD), "REFUSE 404 " INVALID("7"), 0, 404},
    {call_out, json, "{\"error\":\"invalid_token\"}", NULL, 0, 401},
    {call_out, json, "oops", NULL, 0, 500},
    {call_out, "text/html", "<p>oops", NULL, 0, 500},
    {call_out, "text/plain", " \r\n", NULL, 0, 500},
    {call_out, "text/plain", "\xEF\xBB\xBF oops", NULL, 0, 500},
    {call_out, "text/plain",
     "\xEF\xBB\xBF"
     "{}",
     "REFUSE 500 " UNREAD("7"), 0, 500},
    {call_out, "text/plain", "{\"error\":\"invalid_token\"}", NULL, 0, 401},
    {call_out, "text/plain", " \n" RESULT("7", GOOD), NULL, 0, 404},
    {call_out, "text/plain", " \n" RESULT("7", BAD), "REFUSE 404 " INVALID("7"), 0, 404},
    {call_out, "text/html", "[" RESULT("7", BAD) "]",
     "REFUSE 500 " ERROR("7", "The response is a batch, which this version does not have"), 0, 500},
    {note, "text/plain", RESULT("7", BAD), NULL, 0, 404},
    {call_out, json, "{\"result\":{},\"result\":{}}", "REFUSE 400 " UNREAD("7"), 0, 400},
    {call_out, json, RESULT("7", BAD) "x", "REFUSE 500 " UNREAD("7"), 0, 500},
    {list, json, RESULT("7", "\"tools\":[]"), NULL, 0, 0},
    {list, json, RESULT("7", "\"tools\":[],\"Tools\":[]"), "REFUSE 200 " NAMES("7"), 0, 0},
    {list, json, RESULT("7", "\"tools\\u0000\":[]"), "REFUSE 200 " NAMES("7"), 0, 0},
    {call_out, "text/html", "<p>", "REFUSE 200 " TYPE("7"), 0, 0},
    {call_out, "application/json; charset=utf-16", RESULT("7", GOOD), "REFUSE 200 " TYPE("7"), 0,
     0},
    {call_out, "application/json; charset=utf-8; charset=utf-7", RESULT("7", GOOD),
     "REFUSE 200 " TYPE("7"), 0, 0},
    {call_out, "application/json-seq", RESULT("7", GOOD), "REFUSE 200 " TYPE("7"), 0, 0},
    {call_out, "text/html; a=application/json", RESULT("7", GOOD), "REFUSE 200 " TYPE("7"), 0, 0},
    {call_out, "application/json; a=\"text/event-stream\"", RESULT("7", GOOD),
     "REFUSE 200 " TYPE("7"), 0, 0},
    {call_out, json, "oops", "REFUSE 200 " UNREAD("7"), 0, 0},
    {call_out, NULL, "\xEF\xBB\xBF" RESULT("7", GOOD) "\n\n", "REFUSE 200 " UNREAD("7"), 0, 0},
    {call_out, json, "\xEF\xBB\xBF" RESULT("7", GOOD), "REFUSE 200 " UNREAD("7"), 0, 0},
    {call_out, json, RESULT("7", GOOD) "{}", "REFUSE 200 " UNREAD("7"), 0, 0},
    {call_out, json, RESULT("7", GOOD ",\"structuredContent\":{}"), "REFUSE 200 " UNREAD("7"), 0,
     0},
    {call_out, json, RESULT("7", GOOD ",\"StructuredContent\":{}"), "REFUSE 200 " NAMES("7"), 0, 0},
    {call_out, json,
     RESULT("7", "\"content\":[{\"type\":\"text\",\"text\":\"\",\"Text\":\"\"}]"
                 ",\"structuredContent\":{"
                 "\"a\":1}"),
     "REFUSE 200 " NAMES("7"), 0, 0},
    {call_free, json, RESULT("\"x\"", "\"content\":[{\"type\":\"image\",\"mimetype\":\"\"}]"), NULL,
     0, 0},
    {call_out, json, "{\"Result\":{},\"jsonrpc\":\"2.0\",\"id\":7}", "REFUSE 200 " MESSAGE("7"), 0,
     0},
    {call_out, json, "{\"jsonrpc\":\"2.0\",\"id\":7.0,\"result\":{" GOOD "}}",
     "REFUSE 200 " MESSAGE("7"), 0, 0},
    {call_out, json, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"result\":{" GOOD "}}",
     "REFUSE 200 " MESSAGE("7"), 0, 0},
    {call_out, json, RESULT("8", GOOD), "REFUSE 200 " UNKNOWN("7"), 0, 0},
    {call_out, json, RESULT("\"7\"", GOOD), "REFUSE 200 " UNKNOWN("7"), 0, 0},
    {call_out, json, "[" RESULT("7", GOOD) "]",
     "REFUSE 200 " ERROR("7", "The response is a batch, which this version does not have"), 0, 0},
    {call_out, json, "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-1,\"message\":\"x\"}}",
     NULL, 0, 0},
    {call_out, json,
     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1,\"message\":"
     "\"x\"}}",
     NULL, 0, 400},
    {call_out, json, "", NULL, 0, 0},
    {call_free, json, RESULT("\"x\"", BAD), NULL, 0, 0},
    {call_free, json, RESULT("\"\\u0078\"", BAD), NULL, 0, 0},
    {call_free, json, RESULT("7", GOOD), "REFUSE 200 " UNKNOWN("\"x\""), 0, 0},
    {call_escaped, json, RESULT("\"x\"", BAD), "REFUSE 200 " INVALID("\"\\u0078\""), 0, 0},
    {ping, json, RESULT("7", ""), NULL, 0, 0},
    {ping, json, RESULT("6", BAD), "REFUSE 200 " UNKNOWN("7"), 0, 0},
    {note, "text/plain", "Accepted", NULL, 0, 202},
    {note, json, "{\"status\":\"ok\"}", NULL, 0, 202},
    {note, json, RESULT("7", BAD), "REFUSE 502 " UNKNOWN("7"), 0, 202},
    {get, json, "{\"resource\":\"https://x\"}", NULL, 0, 0},
    {get, json, "[1]", NULL, 0, 0},
    {get, json, "{\"jsonrpc\":\"2.0\",\"Result\":{}}", "REFUSE 502 " MESSAGE("null"), 0, 0},
    {get, "text/html", "<p>", NULL, 0, 0},
    {call_out, json, RESULT("7", "\"resultType\":\"input_required\""), NULL, CUPEL_MCP_2026_07_28,
     0},
    {list, json, RESULT("7", "\"tools\":[]"), NULL, 0, 0},
};

static const struct response_case batch_cases[] = {
    {batch, json, "[" RESULT("1", GOOD) ", " RESULT("2", BAD) "]", NULL, CUPEL_MCP_2025_03_26, 0},
    {batch, json, "[" NOTE "," RESULT("2", "") "," RESULT("3", BAD) "]",
     "REFUSE 200 [" NOTE "," RESULT("2", "") "," UNKNOWN("3") "]", CUPEL_MCP_2025_03_26, 0},
    {batch, json, "[" RESULT("1", "\"content\":{}") "," RESULT("2", GOOD) ",7]",
     "REFUSE 200 [" ERROR("1", "The result of tool \\\"out\\\" is not valid: /content: content is "
                               "not an array") "," RESULT("2", GOOD) "," MESSAGE("null") "]",
     CUPEL_MCP_2025_03_26, 0},
    {batch, json, "nonsense", "REFUSE 200 [" UNREAD("1") "," UNREAD("2") "]", CUPEL_MCP_2025_03_26,
     0},
    {batch, stream, "data: [" RESULT("3", BAD) "]\n\ndata: " RESULT("1", GOOD) "\n\n",
     "END data: [" UNKNOWN("3") "]\n\ndata: " RESULT("1", GOOD) "\n\n", CUPEL_MCP_2025_03_26, 0},
};

/* -- Event streams --------------------------------------------------------------------------- */

static const struct response_case stream_cases[] = {
    {call_out, stream, "data: " RESULT("7", GOOD) "\n\n", "END data: " RESULT("7", GOOD) "\n\n", 0,
     0},
    {call_out, "TEXT/event-stream; charset=utf-8",
     "\xEF\xBB\xBF: hi\r\nid: 1\r\ndata:\r\n\r\nid: 2\r\nevent: x\r\nretry: "
     "5\r\ndata: " RESULT("7", BAD) "\r\n\r\n",
     "END \xEF\xBB\xBF: hi\r\nid: 1\r\ndata:\r\n\r\nid: 2\r\nevent: "
     "x\r\nretry: "
     "5\r\ndata: " INVALID("7") "\n\n",
     0, 0},
    {call_out, NULL, "\r\n : no\ndata: " RESULT("7", BAD) "\n\n",
     "END \r\n : no\ndata: " INVALID("7") "\n\n", 0, 0},
    {call_out, stream,
     "data: " NOTE "\r\rdata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\r\r"
     "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"result\":{}}\r\r"
     "data: " RESULT("7", BAD) "\r\rdata: " RESULT("7", BAD) "\r\r",
     "END data: " NOTE "\r\rdata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\r\r"
     "data: " MESSAGE("7") "\n\ndata: " INVALID("7") "\n\ndata: " INVALID("7") "\n\n",
     0, 0},
    {call_out, stream,
     "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":7,\n:c\ndata:\"result\":{" BAD
     "}}\nid: 9\n\ndata: {\"unfinished\"",
     "END :c\nid: 9\ndata: " INVALID("7") "\n\n", 0, 0},
    {call_out, stream, "data: oops\n\ndata: \n\ndata: 1\n\nretry: 5\n\n",
     "END data: " UNREAD("7") "\n\ndata: \n\ndata: " MESSAGE("7") "\n\nretry: 5\n\n", 0, 0},
    {call_out, stream,
     ":\xE2\x80\xA8"
     "data: {}\nevent: \x85\nid: \x0B\ndata: " RESULT("7", GOOD) "\n\n",
     "END :\ndata: " ERROR("7", "The event has a line that receivers may end in two ways") "\n\n",
     0, 0},
    {call_out, stream, "data: " RESULT("8", GOOD) "\n\n", "END data: " UNKNOWN("7") "\n\n", 0, 0},
    {call_out, stream, "data: " RESULT("7", BAD) "\n\n", "END data: " INVALID("7") "\n\n", 0, 500},
    {call_free, stream, "data: " RESULT("\"x\"", BAD) "\n\ndata: " RESULT("7", GOOD) "\n\n",
     "END data: " RESULT("\"x\"", BAD) "\n\ndata: " UNKNOWN("\"x\"") "\n\n", 0, 0},
    {get, stream, "data: " NOTE "\n\ndata: " RESULT("7", GOOD) "\n\ndata: x\n\n",
     "END data: " NOTE "\n\ndata: " UNKNOWN("7") "\n\ndata: " UNREAD("null") "\n\n", 0, 0},
};

/* -- One stream after another ---------------------------------------------------------------- */

static void check_after(const struct response_case *before, const struct response_case *after,
                        const char *wanted)
{
    struct cupel_gw_policy policy;
    struct test_arena arena = {.fail_at = 0};
    policy_of(before, &policy);
    clear_memory();
    respond(before, &policy, WHOLE, &arena, &first);
    respond(after, &policy, WHOLE, &arena, &seen);
    test_arena_free(&arena);
    CHECK_MEM(seen.bytes, seen.len, wanted);
}

/* The answer to a call comes on a stream that was resumed. */
static void check_resumed(void)
{
    static const struct response_case began = {call_out, stream, "id: 1\ndata:\n\n", NULL, 0, 0};
    static const struct response_case good = {get,  stream, "data: " RESULT("7", GOOD) "\n\n",
                                              NULL, 0,      0};
    static const struct response_case bad = {
        get,  stream, "id: 4\ndata: " RESULT("7", BAD) "\n\ndata: " RESULT("9", BAD) "\n\n",
        NULL, 0,      0};
    static const struct response_case rpc = {ping, stream, "data:\n\n", NULL, 0, 0};
    check_after(&began, &good, "END data: " RESULT("7", GOOD) "\n\n");
    check_after(&began, &bad, "END id: 4\ndata: " INVALID("7") "\n\ndata: " UNKNOWN("9") "\n\n");
    CHECK_MEM(counts.bytes, counts.len, "result-invalid::out;result-unattributed::;");
    check_after(&rpc, &good, "END data: " RESULT("7", GOOD) "\n\n");

    /* The same id of another session is another request. */
    struct cupel_gw_policy policy;
    struct test_arena arena = {.fail_at = 0};
    policy_of(&began, &policy);
    clear_memory();
    respond(&began, &policy, WHOLE, &arena, &first);
    session = "s2";
    respond(&good, &policy, WHOLE, &arena, &seen);
    CHECK_MEM(seen.bytes, seen.len, "END data: " UNKNOWN("7") "\n\n");
    session = "s1";
    policy.unattributed = CUPEL_GW_PASS_IT;
    session = NULL;
    respond(&good, &policy, WHOLE, &arena, &seen);
    CHECK_MEM(seen.bytes, seen.len, "END data: " RESULT("7", GOOD) "\n\n");
    CHECK_MEM(counts.bytes, counts.len, "result-unattributed::;");
    session = "s1";
    test_arena_free(&arena);
}

/* A task's result comes by tasks/result, by tasks/get, or in a notification. */
static void check_tasks(void)
{
    static const enum cupel_mcp_profile old = CUPEL_MCP_2025_11_25, new = CUPEL_MCP_2026_07_28;
    static const char made[] = RESULT("7", "\"task\":{\"taskId\":\"t1\"}");
    static const char made_new[] = RESULT("7", "\"resultType\":\"task\",\"taskId\":\"t1\"");
    const struct response_case created = {call_out, json, made, NULL, old, 0};
    const struct response_case streamed = {
        call_out, stream, "data: " RESULT("7", "\"task\":{\"taskId\":\"t1\"}") "\n\n",
        NULL,     old,    0};
    const struct response_case other = {call_out, json, RESULT("7", "\"task\":{\"taskId\":\"t2\"}"),
                                        NULL,     old,  0};
    const struct response_case extended = {call_out, json, made_new, NULL, new, 0};
    const struct response_case good = {task_result, json, RESULT("8", GOOD), NULL, old, 0};
    const struct response_case bad = {task_result, json, RESULT("8", BAD), NULL, old, 0};
    const struct response_case got = {
        task_get, json, RESULT("8", "\"status\":\"completed\",\"result\":{" BAD "}"), NULL, new, 0};
    const struct response_case working = {task_get, json, RESULT("8", "\"status\":\"working\""),
                                          NULL,     new,  0};
#define TOLD(id, inner)                                \
    "data: "                                           \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" \
    "tasks\",\"params\":{\"taskId\":\"" id "\",\"result\":{" inner "}}}\n"
    const struct response_case told = {
        get,  stream, TOLD("t1", GOOD) "\nid: 5\n" TOLD("t1", BAD) "\n" TOLD("t2", GOOD) "\n",
        NULL, new,    0};
    check_after(&created, &good, "PASS " RESULT("8", GOOD));
    check_after(&created, &bad, "REFUSE 200 " INVALID("8"));
    check_after(&streamed, &bad, "REFUSE 200 " INVALID("8"));
    check_after(&other, &good, "REFUSE 200 " UNKNOWN("8"));
    check_after(&extended, &got, "REFUSE 200 " INVALID("8"));
    check_after(&extended, &working, "PASS " RESULT("8", "\"status\":\"working\""));
    check_after(&other, &working, "PASS " RESULT("8", "\"status\":\"working\""));
    check_after(&extended, &told, "END " TOLD("t1", GOOD) "\nid: 5\n\n\n");
}

/* A task id that was used for another tool belongs to neither, and so does a request's id of which
 * it is not known whose it is.  In a session an id is that of the last request. */
static void check_reused(void)
{
    const struct response_case requests[] = {
        {call_out, stream, "data:\n\n", NULL, 0, 0},
        {call_other, stream, "data:\n\n", NULL, 0, 0},
        {get, stream, "data: " RESULT("7", BAD) "\n\n", NULL, 0, 0},
    };
    const struct response_case tasks[] = {
        {call_out, json, RESULT("7", "\"task\":{\"taskId\":\"t1\"}"), NULL, CUPEL_MCP_2025_11_25,
         0},
        {call_free, json, RESULT("\"x\"", "\"task\":{\"taskId\":\"t1\"}"), NULL,
         CUPEL_MCP_2025_11_25, 0},
        {task_result, json, RESULT("8", BAD), NULL, CUPEL_MCP_2025_11_25, 0},
    };
    /* Which requests came before, as indices; the last ones decide whether the answer passes. */
    static const char *const orders[] = {"0", "1", "00", "01", "10", "010", "101", "0110"};
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_policy policy;
    for (size_t i = 0; i < 3 * sizeof(orders) / sizeof(orders[0]); i++) {
        const struct response_case *cases = i % 3 == 0 ? tasks : requests;
        const char *order = orders[i / 3];
        session = i % 3 == 1 ? NULL : "s1";
        policy_of(&cases[2], &policy);
        clear_memory();
        for (const char *at = order; *at != '\0'; at++)
            respond(&cases[*at - '0'], &policy, WHOLE, &arena, &first);
        respond(&cases[2], &policy, WHOLE, &arena, &seen);
        const char *decides = i % 3 == 2 ? order + strlen(order) - 1 : order;
        bool strict = strchr(decides, '1') == NULL, loose = strchr(decides, '0') == NULL;
        const char *wanted = strict  ? "is not valid"
                             : loose ? BAD
                                     : "belongs to no request that is known";
        CHECK(strstr(seen.bytes, wanted) != NULL);
    }
    session = "s1";
    test_arena_free(&arena);
}

/* A tool that the catalog no longer has cannot vouch for the result of an earlier call. */
static void check_gone(void)
{
    static const struct response_case began = {call_out, stream, "data:\n\n", NULL, 0, 0};
    static const struct response_case made = {
        call_out, json, RESULT("7", "\"task\":{\"taskId\":\"t1\"}"), NULL, CUPEL_MCP_2025_11_25, 0};
    static const struct response_case resumed = {get,  stream, "data: " RESULT("7", GOOD) "\n\n",
                                                 NULL, 0,      0};
    static const struct response_case fetched = {
        task_result, json, RESULT("8", GOOD), NULL, CUPEL_MCP_2025_11_25, 0};
    struct test_arena arena = {.fail_at = 0};
    struct cupel_catalog *kept = catalogs[0];
    struct cupel_gw_policy policy;
    for (int i = 0; i < 2; i++) {
        const struct response_case *before = i == 0 ? &began : &made;
        const struct response_case *after = i == 0 ? &resumed : &fetched;
        policy_of(before, &policy);
        clear_memory();
        respond(before, &policy, WHOLE, &arena, &seen);
        catalogs[0] = NULL;
        respond(after, &policy, WHOLE, &arena, &seen);
        CHECK(strstr(seen.bytes, "The response belongs to no request that is known") != NULL);
        policy.unlearned = CUPEL_GW_UNLEARNED_PASS;
        respond(after, &policy, WHOLE, &arena, &seen);
        CHECK(strstr(seen.bytes, GOOD) != NULL);
        catalogs[0] = kept;
    }
    test_arena_free(&arena);
}

/* -- Elicitation ----------------------------------------------------------------------------- */

static enum cupel_gw_step answer_question(const char *text, struct cupel_gw_exchange *x,
                                          const struct cupel_gw_policy *policy,
                                          struct test_arena *arena)
{
    struct cupel_gw_arena memory_of = test_arena_of(arena);
    struct cupel_document *doc;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, text, strlen(text), NULL), CUPEL_OK);
    cupel_gw_exchange_init(x, worker, policy, &memory_of);
    x->memory = &memory;
    x->session = text_of("s1");
    enum cupel_gw_step step = cupel_gw_elicitation_answer(x, doc, 0);
    cupel_document_free(doc);
    return step;
}

static void check_elicitation(void)
{
    static const struct response_case asked = {
        call_out,
        stream,
        "data: "
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"elicitation/"
        "create\",\"params\":{"
        "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"n\":{"
        "\"type\":\"integer\"}},"
        "\"required\":[\"n\"]}}}\n\n"
        "data: "
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"elicitation/"
        "create\",\"params\":{"
        "\"mode\":\"url\",\"url\":\"https://x\"}}\n\n",
        NULL,
        0,
        0};
    static const struct {
        const char *text;
        enum cupel_gw_step step;
    } answers[] = {
        {RESULT("3", "\"action\":\"accept\",\"content\":{\"n\":1}"), CUPEL_GW_PASS},
        {RESULT("3", "\"action\":\"accept\",\"content\":{\"n\":\"1\"}"), CUPEL_GW_REFUSE},
        {RESULT("3", "\"action\":\"accept\",\"content\":{}"), CUPEL_GW_REFUSE},
        {RESULT("3", "\"action\":\"accept\""), CUPEL_GW_REFUSE},
        {RESULT("3", "\"content\":{}"), CUPEL_GW_REFUSE},
        {RESULT("3", "\"action\":\"decline\""), CUPEL_GW_PASS},
        {RESULT("3", "\"action\":\"cancel\""), CUPEL_GW_PASS},
        {RESULT("4", "\"action\":\"accept\""), CUPEL_GW_PASS},
        {RESULT("5", "\"action\":\"accept\",\"content\":{}"), CUPEL_GW_REFUSE},
        {RESULT("\"3\"", "\"action\":\"accept\",\"content\":{\"n\":1}"), CUPEL_GW_REFUSE},
        {RESULT("6", "\"role\":\"assistant\""), CUPEL_GW_PASS},
        {"{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":1,\"message\":\"\"}}", CUPEL_GW_PASS},
    };
    struct cupel_gw_policy policy;
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_exchange x;
    policy_of(&asked, &policy);
    clear_memory();
    respond(&asked, &policy, WHOLE, &arena, &seen);
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        if (!CHECK_INT(answer_question(answers[i].text, &x, &policy, &arena), answers[i].step))
            fprintf(stderr, "    of %s\n", answers[i].text);
        CHECK(answers[i].step != CUPEL_GW_REFUSE || x.answer.status == 400);
    }
    /* More schemas than a worker keeps, in turns: each answer is judged by its own. */
    for (unsigned i = 0; i < 40; i++) {
        char ask[400], answer[200];
        unsigned n = i * 7 % 11;
        struct response_case one = asked;
        snprintf(
            ask, sizeof(ask),
            "data: {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"elicitation/create\",\"params\":{"
            "\"requestedSchema\":{\"type\":\"object\",\"required\":[\"n%u\"]}}}\n\n",
            n);
        one.body = ask;
        respond(&one, &policy, WHOLE, &arena, &seen);
        snprintf(answer, sizeof(answer),
                 RESULT("3", "\"action\":\"accept\",\"content\":{\"n%u\":1}"), n);
        CHECK_INT(answer_question(answer, &x, &policy, &arena), CUPEL_GW_PASS);
        snprintf(answer, sizeof(answer),
                 RESULT("3", "\"action\":\"accept\",\"content\":{\"n%u\":1}"), n + 1);
        CHECK_INT(answer_question(answer, &x, &policy, &arena), CUPEL_GW_REFUSE);
    }
    policy.elicitation = false;
    CHECK_INT(answer_question(answers[1].text, &x, &policy, &arena), CUPEL_GW_PASS);
    test_arena_free(&arena);
}

/* Whether the text is no JSON, for a client that takes the first value. */
static bool is_unfinished(const char *text, size_t len)
{
    struct cupel_document *doc;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    bool bad = cupel_document_read(doc, text, len, NULL) != CUPEL_OK;
    cupel_document_free(doc);
    return bad;
}

/* From 2026-07-28 on a result asks, and the next request answers. */
static void check_inputs(void)
{
#define ASKED(state, type)                                                                      \
    RESULT("7",                                                                                 \
           "\"resultType\":\"input_required\"," state "\"inputRequests\":{\"who\":{\"method\":" \
           "\"elicitation/"                                                                     \
           "create\",\"params\":{\"requestedSchema\":{\"type\":\"object\","                     \
           "\"properties\":{\"n\":{\"type\":\"" type "\"}}}}},\"llm\":{\"method\":"             \
           "\"sampling/createMessage\"}}")
    static const struct response_case asked = {call_out,
                                               json,
                                               ASKED("\"requestState\":\"s\\u0031\",", "integer"),
                                               NULL,
                                               CUPEL_MCP_2026_07_28,
                                               0};
    static const struct response_case stateless = {
        call_out, json, ASKED("", "string"), NULL, CUPEL_MCP_2026_07_28, 0};
    static const struct {
        const char *params, *tool;
        enum cupel_gw_step step;
    } answers[] = {
        {"{\"requestState\":\"s1\",\"inputResponses\":{\"who\":{\"action\":"
         "\"accept\",\"content\":{"
         "\"n\":1}},\"llm\":{\"role\":\"assistant\"}}}",
         "out", CUPEL_GW_PASS},
        {"{\"requestState\":\"s1\",\"inputResponses\":{\"who\":{\"action\":"
         "\"accept\",\"content\":{"
         "\"n\":\"1\"}}}}",
         "out", CUPEL_GW_REFUSE},
        {"{\"inputResponses\":{\"who\":{\"action\":\"accept\",\"content\":{\"n\":"
         "\"1\"}}}}",
         "out", CUPEL_GW_PASS},
        {"{\"inputResponses\":{\"who\":{\"action\":\"accept\",\"content\":{\"n\":"
         "1}}}}",
         "out", CUPEL_GW_REFUSE},
        {"{\"requestState\":\"s1\",\"inputResponses\":{\"who\":{\"action\":"
         "\"decline\"}}}",
         "out", CUPEL_GW_PASS},
        {"{\"requestState\":\"s2\",\"inputResponses\":{\"who\":{\"action\":"
         "\"decline\"}}}",
         "out", CUPEL_GW_REFUSE},
        {"{\"requestState\":\"s1\",\"inputResponses\":{\"who\":{\"action\":"
         "\"decline\"}}}",
         "free", CUPEL_GW_REFUSE},
        {"{\"inputResponses\":[]}", "out", CUPEL_GW_PASS},
        {"{}", "out", CUPEL_GW_PASS},
    };
    struct cupel_gw_policy policy;
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory_of = test_arena_of(&arena);
    struct cupel_document *doc;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    policy_of(&asked, &policy);
    clear_memory();
    respond(&asked, &policy, WHOLE, &arena, &seen);
    respond(&stateless, &policy, WHOLE, &arena, &seen);
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        struct cupel_gw_exchange x;
        const char *text = answers[i].params;
        CHECK_INT(cupel_document_read(doc, text, strlen(text), NULL), CUPEL_OK);
        cupel_gw_exchange_init(&x, worker, &policy, &memory_of);
        x.memory = &memory;
        x.session = text_of("s1");
        if (!CHECK_INT(cupel_gw_elicitation_inputs(&x, doc, 0, text_of("tools/call"),
                                                   text_of(answers[i].tool)),
                       answers[i].step))
            fprintf(stderr, "    of %s\n", text);
    }
    /* More answers than a batch may have messages. */
    struct cupel_gw_exchange x;
    policy.limits.batch = 1;
    CHECK_INT(cupel_document_read(doc, answers[0].params, strlen(answers[0].params), NULL),
              CUPEL_OK);
    cupel_gw_exchange_init(&x, worker, &policy, &memory_of);
    x.memory = &memory;
    CHECK_INT(cupel_gw_elicitation_inputs(&x, doc, 0, text_of("tools/call"), text_of("out")),
              CUPEL_GW_REFUSE);
    CHECK(strcmp(x.request.reason, "too-large") == 0);
    cupel_document_free(doc);
    test_arena_free(&arena);
}

/* The same through a request: an answer is refused with 400 and id null, a call with its own id. */
static void check_requests(void)
{
    static const struct response_case asked = {
        call_out,
        stream,
        "data: {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"elicitation/create\",\"params\":{"
        "\"requestedSchema\":{\"type\":\"object\",\"required\":[\"n\"]}}}\n\n",
        NULL,
        0,
        0};
#define INPUT(state, content)                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"out\"," state \
    "\"inputResponses\":{\"who\":{\"action\":\"accept\",\"content\":" content                     \
    "}},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}"
    static const char named[] =
        RESULT("7", "\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{"
                    "\"who\":{\"method\":\"elicitation/create\",\"params\":{\"requestedSchema\":{"
                    "\"type\":\"object\",\"required\":[\"n\"]}}}}");
    static const struct response_case required = {call_out, json, named, NULL, CUPEL_MCP_2026_07_28,
                                                  0};
    static const struct {
        const char *text;
        unsigned status;
        const char *id;
    } requests[2][3] = {
        {{RESULT("3", "\"action\":\"accept\",\"content\":{\"n\":1}"), 0, NULL},
         {RESULT("3", "\"action\":\"accept\",\"content\":{}"), 400, "\"id\":null"},
         {RESULT("9", "\"action\":\"accept\",\"content\":{}"), 400, "\"id\":null"}},
        {{INPUT("\"requestState\":\"s\",", "{\"n\":1}"), 0, NULL},
         {INPUT("\"requestState\":\"s\",", "{}"), 200, "\"id\":5"},
         {INPUT("", "{\"n\":1}"), 200, "\"id\":5"}},
    };
    for (int k = 0; k < 2; k++) {
        const struct response_case *before = k == 0 ? &asked : &required;
        struct test_arena arena = {.fail_at = 0};
        struct cupel_gw_arena memory_of = test_arena_of(&arena);
        struct cupel_gw_policy policy;
        policy_of(before, &policy);
        clear_memory();
        respond(before, &policy, WHOLE, &arena, &seen);
        for (int i = 0; i < 3; i++) {
            struct cupel_header fields[] = {{"Content-Type", 12, "application/json", 16}};
            const char *text = requests[k][i].text;
            struct cupel_gw_request_head head = {{"POST", 4}, fields, 1, true, strlen(text), false};
            struct cupel_gw_exchange x;
            cupel_gw_exchange_init(&x, worker, &policy, &memory_of);
            x.catalog = catalogs[k];
            x.memory = &memory;
            x.session = text_of("s1");
            CHECK_INT(cupel_gw_request_head(&x, &head), CUPEL_GW_BODY);
            enum cupel_gw_step step = cupel_gw_request_judge_text(&x, text, strlen(text));
            CHECK_INT(step, requests[k][i].status == 0 ? CUPEL_GW_PASS : CUPEL_GW_REFUSE);
            if (step != CUPEL_GW_REFUSE)
                continue;
            CHECK_INT(x.answer.status, requests[k][i].status);
            if (!CHECK(strstr(x.answer.bytes, requests[k][i].id) != NULL))
                fprintf(stderr, "    got %s\n", x.answer.bytes);
            CHECK(strcmp(x.request.reason, i == 1 ? "elicitation" : "unattributed") == 0);
        }
        test_arena_free(&arena);
    }
}

/* -- Policies, bounds, time ------------------------------------------------------------------ */

static void check_policies(void)
{
    static const struct response_case refused[] = {
        {call_out, json, RESULT("7", BAD), NULL, 0, 0},
        {call_out, json, "oops", NULL, 0, 0},
        {call_out, "text/html", "oops", NULL, 0, 0},
        {call_out, json, RESULT("8", GOOD), NULL, 0, 0},
        {call_out, stream, ":\x0B\nid: \x0B\ndata: x\n\ndata: " RESULT("7", BAD) "\n\n", NULL, 0,
         0},
    };
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        struct response_case c = refused[i];
        struct cupel_gw_policy policy;
        char wanted[500];
        policy_of(&c, &policy);
        clear_memory();
        snprintf(wanted, sizeof(wanted), "%s %s", c.type == stream ? "END" : "PASS", c.body);
        c.seen = wanted;
        policy.mode = CUPEL_GW_REPORT;
        check_case(&c, &policy);
        CHECK(counts.len != 0);
        policy.results = CUPEL_GW_RESULTS_OFF;
        snprintf(wanted, sizeof(wanted), "PASS %s", c.body);
        policy.mode = CUPEL_GW_ENFORCE;
        check_case(&c, &policy);
        CHECK_INT(counts.len, 0);
        policy.results = CUPEL_GW_RESULTS_COUNT;
        if (i == 0 || i == 4)
            continue;
        check_case(&c, &policy);
        CHECK(counts.len != 0);
    }
}

static void check_broken_tool(void)
{
    static const struct request requests[] = {{CUPEL_GW_CALL, "7", "7", "broken"},
                                              {0, NULL, NULL, NULL}};
    struct response_case c = {
        requests,
        json,
        RESULT("7", GOOD),
        "REFUSE 200 " ERROR("7", "The result of tool \\\"broken\\\" could not be checked: the "
                                 "tool's output schema is not valid"),
        0,
        0};
    struct cupel_gw_policy policy;
    policy_of(&c, &policy);
    check_case(&c, &policy);
    policy.undecided = CUPEL_GW_PASS_IT;
    c.seen = NULL;
    check_case(&c, &policy);
}

static void check_bounds(void)
{
    static const char big[] =
        RESULT("7", GOOD ",\"pad\":\"0123456789012345678901234567890123456789\"");
    struct response_case c = {
        call_out, json, big, "REFUSE 200 " ERROR("7", "The response is too large to be checked"),
        0,        0};
    struct response_case events = {
        call_out,
        stream,
        "id: 1\ndata: 0123456789012345678901234567890123456789\n\ndata: " NOTE "\n\n",
        "END id: 1\ndata: " ERROR("7", "The event is too large to be checked") "\n\ndata: " NOTE
                                                                               "\n\n",
        0,
        0};
    struct response_case many = {
        ping,
        stream,
        "data: " RESULT("7", "") "\n\ndata: " RESULT("7", "") "\n\ndata: " NOTE "\n\n",
        "END data: " RESULT("7", "") "\n\ndata: " ERROR(
            "7", "The stream is too large to be checked") "\n\n",
        0,
        0};
    struct cupel_gw_policy policy;
    policy_of(&c, &policy);
    policy.limits.result = sizeof(big) - 2;
    check_case(&c, &policy);
    policy.limits.result++;
    c.seen = NULL;
    check_case(&c, &policy);
    policy.limits.worker = 100;
    c.seen = "REFUSE 200 " ERROR("7", "The response is too large to be checked");
    check_case(&c, &policy);
    policy.limits.worker = 20000;
    c.seen = NULL;
    check_case(&c, &policy); /* each gives back what it held */
    policy_of(&c, &policy);
    policy.limits.event = strlen("data: " NOTE "\n\n");
    events.body = "id: 1\ndata: "
                  "0123456789012345678901234567890123456789012345678901234567890123456789"
                  "\n\ndata: " NOTE "\n\n";
    check_case(&events, &policy);
    policy_of(&c, &policy);
    policy.limits.batch = 2;
    policy.profile = CUPEL_MCP_2025_03_26;
    c.body = "[1,2]";
    c.seen = "REFUSE 200 [" MESSAGE("null") "," MESSAGE("null") "]";
    check_case(&c, &policy);
    c.body = "[1,2,3]";
    c.seen = "REFUSE 200 " ERROR("7", "The batch has too many messages");
    check_case(&c, &policy);
    policy_of(&c, &policy);
    policy.limits.stream = strlen(RESULT("7", "")) * 2 - 1;
    check_case(&many, &policy);
}

/* Results that need no judgement and are too large to be held pass as they come, and those with
 * another envelope than the request's answer never pass whole. */
static void check_large(void)
{
#define PAD "\"pad\":[{\"id\":9,\"a\\\"\":[]},\"}\\\\\",-1.5e3,true,null,\"\\u0041\"]"
    static const struct {
        const struct request *requests;
        const char *body;
        bool passes;
        unsigned status;
    } cases[] = {
        {ping, RESULT("7", PAD), true, 0},
        {ping, " { \"result\" : {" PAD "} , \"id\" :\t7 ,\"jsonrpc\":\"2.0\" }\n ", true, 0},
        {ping, "{\"x\":{" PAD "},\"jsonrpc\":\"2.0\",\"id\":7,\"result\":[]}", true, 0},
        {call_free, "{\"result\":{" PAD "},\"id\":\"\\u0078\"}", true, 0},
        {ping, "{\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{" PAD "}}", true, 0},
        {ping, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"x\",\"params\":{" PAD "}}", true, 0},
        {ping, "{\"detail\":{" PAD "}}", true, 404},
        {get, "{\"detail\":{" PAD "}}", true, 0},
        {ping, "{\"detail\":{" PAD "}}", false, 0},
        {ping, RESULT("6", PAD), false, 0},
        {ping, RESULT("6", PAD), false, 404},
        {get, RESULT("6", PAD), false, 0},
        {ping, RESULT("\"7\"", PAD), false, 0},
        {ping, RESULT("7.0", PAD), false, 0},
        {ping, RESULT("[7]", PAD), false, 0},
        {ping, RESULT("7", PAD) ",", false, 0},
        {ping, RESULT("7", PAD) "{}", false, 0},
        {ping, "[" RESULT("7", PAD) "]", false, 0},
        {ping, "\xEF\xBB\xBF" RESULT("7", PAD), false, 0},
        {ping, "{\"result\":{" PAD "}}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "},\"id\":7}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "},\"result\":{}}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "},\"ID\":6}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "},\"\\u0069d\":6}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "},\"method\":\"x\"}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "},\"error\":{}}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "]}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "},}", false, 0},
        {ping, "{\"id\":7 7,\"result\":{" PAD "}}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD ",\"\n\":1}}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "},\"x\"}", false, 0},
        {ping, "{\"id\":7,\"result\" 1 {" PAD "}}", false, 0},
        {ping, "{,\"id\":7,\"result\":{" PAD "}}", false, 0},
        {ping, "{\"id\":7,\"result\":{" PAD "};}", false, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (long split = BYTES; split <= (long)strlen(cases[i].body); split++) {
            struct response_case c = {cases[i].requests, json, cases[i].body, NULL, 0,
                                      cases[i].status};
            struct test_arena arena = {.fail_at = 0};
            struct cupel_gw_policy policy;
            policy_of(&c, &policy);
            policy.limits.result = 20;
            respond(&c, &policy, split, &arena, &seen);
            test_arena_free(&arena);
            if (cases[i].passes) {
                cupel_text_clear(&first);
                cupel_text_addf(&first, "END %s", c.body);
                if (!CHECK_MEM(seen.bytes, seen.len, first.bytes))
                    fprintf(stderr, "    split at %ld\n", split);
                continue;
            }
            bool refused = memcmp(seen.bytes, "REFUSE", 6) == 0;
            bool cut =
                memcmp(seen.bytes, "ABORT ", 6) == 0 && is_unfinished(seen.bytes + 6, seen.len - 6);
            /* What follows a good message may be cut off after it. */
            bool after = strlen(c.body) > 2 && strchr(",{}", c.body[strlen(c.body) - 1]) != NULL &&
                         strncmp(c.body, RESULT("7", PAD), sizeof(RESULT("7", PAD)) - 1) == 0;
            if (!CHECK(refused || cut || after))
                fprintf(stderr, "    of %s, split at %ld: %.*s\n", c.body, split, (int)seen.len,
                        seen.bytes);
        }
}

/* The upstream sends a byte now and then: what counts is the time from the first to the last. */
static void check_time(void)
{
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory_of = test_arena_of(&arena);
    struct cupel_gw_sink sink = {write_sink, &seen};
    struct cupel_gw_request_note notes[4];
    struct cupel_gw_policy policy;
    struct cupel_gw_exchange x;
    struct cupel_header type = {"Content-Type", 12, stream, sizeof(stream) - 1};
    struct cupel_gw_response_head head = {200, &type, 1, UINT64_MAX, true};
    cupel_gw_policy_init(&policy);
    policy.profile = CUPEL_MCP_2025_06_18;
    policy.limits.stream_time = 1000;
    cupel_gw_exchange_init(&x, worker, &policy, &memory_of);
    x.catalog = catalogs[0];
    take_request(&x, call_out, notes);
    cupel_text_clear(&seen);
    now = 5;
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_STREAM);
    CHECK_INT(cupel_gw_response_deadline(&x), 0);
    CHECK_INT(cupel_gw_response_body(&x, "id: 4\ndat", 9, false, &sink), CUPEL_GW_STREAM);
    CHECK_INT(cupel_gw_response_deadline(&x), 1005);
    now = 1004;
    CHECK_INT(cupel_gw_response_body(&x, "a: x", 4, false, &sink), CUPEL_GW_STREAM);
    CHECK_INT(cupel_gw_response_expire(&x, &sink), CUPEL_GW_STREAM);
    CHECK_INT(seen.len, 0);
    now = 1005;
    CHECK_INT(cupel_gw_response_expire(&x, &sink), CUPEL_GW_STREAM);
    CHECK_INT(cupel_gw_response_deadline(&x), 0);
    static const char rest[] = "y\nevent: z\n\ndata: " NOTE "\n\nd";
    CHECK_INT(cupel_gw_response_body(&x, rest, sizeof(rest) - 1, false, &sink), CUPEL_GW_STREAM);
    CHECK_INT(cupel_gw_response_deadline(&x), 2005);
    now = 1500;
    CHECK_INT(cupel_gw_response_body(&x, "\n\ndat", 5, false, &sink), CUPEL_GW_STREAM);
    CHECK_INT(cupel_gw_response_deadline(&x), 2500);
    CHECK_INT(cupel_gw_response_body(&x, "", 0, true, &sink), CUPEL_GW_END);
    CHECK_MEM(seen.bytes, seen.len,
              "id: 4\ndata: " ERROR("7", "The response took too long") "\n\ndata: " NOTE
                                                                       "\n\nd\n\n");
    cupel_gw_response_end(&x);

    type.value = json;
    type.value_len = sizeof(json) - 1;
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_HOLD);
    now += 5000;
    CHECK_INT(cupel_gw_response_deadline(&x), 0);
    CHECK_INT(cupel_gw_response_body(&x, "{", 1, false, &sink), CUPEL_GW_HOLD);
    CHECK_INT(cupel_gw_response_deadline(&x), now + 1000);
    now += 1000;
    CHECK_INT(cupel_gw_response_body(&x, "}", 1, true, &sink), CUPEL_GW_REFUSE);
    CHECK_MEM(x.answer.bytes, x.answer.len, ERROR("7", "The response took too long"));
    cupel_gw_response_end(&x);
    now = 0;
    test_arena_free(&arena);
}

static void check_broken(void)
{
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory_of = test_arena_of(&arena);
    struct cupel_gw_request_note notes[4];
    struct cupel_gw_policy policy;
    struct cupel_gw_exchange x;
    struct cupel_header type = {"Content-Type", 12, json, sizeof(json) - 1};
    struct cupel_gw_response_head head = {200, &type, 1, UINT64_MAX, true};
    cupel_gw_policy_init(&policy);
    cupel_gw_exchange_init(&x, worker, &policy, &memory_of);
    x.catalog = catalogs[1];
    take_request(&x, call_out, notes);
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_HOLD);
    CHECK_INT(cupel_gw_response_broken(&x), CUPEL_GW_REFUSE);
    CHECK_INT(x.answer.status, 502);
    CHECK_MEM(x.answer.bytes, x.answer.len, ERROR("7", "The response of the server broke off"));
    type = (struct cupel_header){"Content-Type", 12, stream, sizeof(stream) - 1};
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_STREAM);
    CHECK_INT(cupel_gw_response_broken(&x), CUPEL_GW_ABORT);
    cupel_gw_response_end(&x);
    test_arena_free(&arena);
}

/* -- Fields ---------------------------------------------------------------------------------- */

static bool drops(const struct cupel_gw_exchange *x, const char *name)
{
    return cupel_gw_response_drops(x, name, strlen(name));
}

static void check_fields(void)
{
    static const struct cupel_header coded[] = {{"Content-Type", 12, "application/json", 16},
                                                {"content-encoding", 16, "GZIP", 4}};
    static const struct cupel_header plain[] = {{"Content-Type", 12, "text/event-stream", 17},
                                                {"Content-Encoding", 16, " identity ", 10}};
    static const struct cupel_header twice[] = {{"Content-Type", 12, "application/json", 16},
                                                {"Content-Type", 12, "application/json", 16}};
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory_of = test_arena_of(&arena);
    struct cupel_gw_request_note notes[4];
    struct cupel_gw_policy policy;
    struct cupel_gw_exchange x;
    struct cupel_gw_response_head head = {200, coded, 2, UINT64_MAX, true};
    size_t field_count;
    cupel_gw_policy_init(&policy);
    cupel_gw_exchange_init(&x, worker, &policy, &memory_of);
    CHECK(!drops(&x, "ETag"));
    x.catalog = catalogs[1];
    take_request(&x, call_out, notes);
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_REFUSE);
    CHECK_MEM(x.answer.bytes, x.answer.len,
              ERROR("7", "The response is encoded and cannot be checked"));
    CHECK(drops(&x, "content-TYPE") && drops(&x, "Content-Encoding") &&
          drops(&x, "Cache-Control") && drops(&x, "Repr-Digest") &&
          drops(&x, "Content-Disposition") && !drops(&x, "Set-Cookie") &&
          !drops(&x, "Mcp-Session-Id"));
    head.fields = twice;
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_REFUSE);
    head.fields = plain;
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_STREAM);
    CHECK(drops(&x, "Content-Length") && drops(&x, "ETag") && !drops(&x, "Content-Type") &&
          !drops(&x, "Cache-Control"));
    head.has_body = false;
    head.fields = coded;
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_PASS);
    CHECK(!drops(&x, "Content-Length"));
    head.has_body = true;
    head.field_count = 1;
    head.content_length = policy.limits.result + 1;
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_REFUSE);
    CHECK(cupel_gw_response_fields(&field_count)[0].value_len == 16 && field_count == 2);
    cupel_gw_response_end(&x);
    test_arena_free(&arena);
}

/* -- Lists ----------------------------------------------------------------------------------- */

static int list_calls, changes, later; /* later: lists that are known only after LATER */
static uint32_t known;                 /* lists of the text whose fate is known */

static enum cupel_gw_list_disposition take_list(void *ctx, struct cupel_gw_exchange *x,
                                                const struct cupel_gw_list_answer *answer,
                                                struct cupel_gw_text *ret)
{
    (void)x;
    CHECK_MEM(answer->text.bytes, answer->text.len, RESULT("7", "\"tools\":[]"));
    CHECK(answer->note->kind == CUPEL_GW_LIST);
    list_calls++;
    if (!answer->again && answer->index == 0)
        known = 0;
    CHECK(!later || answer->index <= known);
    if (later && answer->index == known) {
        known++;
        return CUPEL_GW_LIST_LATER;
    }
    if (ctx != NULL)
        *ret = text_of(ctx);
    return CUPEL_GW_LIST_REPLACED;
}

static void take_change(void *ctx, struct cupel_gw_exchange *x)
{
    (void)ctx;
    (void)x;
    changes++;
}

static void check_lists(void)
{
    static char other[] = RESULT("7", "\"tools\":[1]");
    static const char body[] = "id: 1\ndata: " RESULT(
        "7", "\"tools\":[]") "\n\n"
                             "data: "
                             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                             "tools/list_changed\"}\n\n";
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory_of = test_arena_of(&arena);
    struct cupel_gw_lists lists = {take_list, take_change, other};
    struct cupel_gw_sink sink = {write_sink, &seen};
    struct cupel_gw_request_note notes[4];
    struct cupel_gw_policy policy;
    struct cupel_gw_exchange x;
    struct cupel_header type = {"Content-Type", 12, stream, sizeof(stream) - 1};
    struct cupel_gw_response_head head = {200, &type, 1, UINT64_MAX, true};
    cupel_gw_policy_init(&policy);
    for (int i = 0; i < 2; i++) {
        lists.ctx = i == 0 ? other : NULL;
        cupel_gw_exchange_init(&x, worker, &policy, &memory_of);
        x.catalog = catalogs[1];
        x.lists = &lists;
        take_request(&x, list, notes);
        cupel_text_clear(&seen);
        CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_STREAM);
        CHECK_INT(cupel_gw_response_body(&x, body, sizeof(body) - 1, true, &sink), CUPEL_GW_END);
        cupel_gw_response_end(&x);
        CHECK(strstr(seen.bytes, i == 0 ? "id: 1\ndata: " RESULT("7", "\"tools\":[1]") "\n\ndata:"
                                        : ERROR("7", "The list of tools could not be checked")) !=
              NULL);
    }
    CHECK(list_calls == 2 && changes == 2);
    head.status = 404;
    CHECK_INT(cupel_gw_response_head(&x, &head), CUPEL_GW_STREAM);
    CHECK_INT(cupel_gw_response_body(&x, body, sizeof(body) - 1, true, &sink), CUPEL_GW_END);
    CHECK_INT(list_calls, 2);
    cupel_gw_response_end(&x);
    test_arena_free(&arena);
}

/* A redirection to another server is refused, in each spelling in which a client could read one. */
static void check_redirections(void)
{
    static const struct {
        const char *location;
        bool stays;
    } cases[] = {
        {"/mcp/", true},
        {"", true},
        {"mcp/?a=b:c", true},
        {"?a=http://evil.example", true},
        {"http://gate.example", true},
        {"HTTP://Gate.Example/mcp", true},
        {"http://gate.example:81/mcp", false},
        {"http://gate.example.evil.example/", false},
        {"http://gate.example@evil.example/", false},
        {"https://gate.example/mcp", false},
        {"http://evil.example/mcp", false},
        {"//evil.example/mcp", false},
        {"/\\evil.example", false},
        {"\\\\evil.example", false},
        {"/\t/evil.example", false},
        {" http://evil.example", false},
        {"http:evil.example", false},
        {"data:text/event-stream,data: {}", false},
    };
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory_of = test_arena_of(&arena);
    struct cupel_gw_request_note notes[4];
    struct cupel_gw_policy policy;
    struct cupel_gw_exchange x;
    cupel_gw_policy_init(&policy);
    for (size_t i = 0; i < 8 * sizeof(cases) / sizeof(cases[0]); i++) {
        const char *value = cases[i / 8].location;
        struct cupel_header location = {"location", 8, value, strlen(value)};
        unsigned status = i % 4 == 0 ? 301 : i % 4 == 1 ? 307 : i % 4 == 2 ? 308 : 302;
        struct cupel_gw_response_head head = {status, &location, 1, 0, i % 8 > 5};
        bool allowed = i % 8 == 5;
        policy.allow = allowed ? CUPEL_GW_ALLOW_REDIRECT : 0;
        cupel_gw_exchange_init(&x, worker, &policy, &memory_of);
        x.catalog = catalogs[1];
        x.origin = text_of("http://gate.example");
        if (i % 2 == 0)
            take_request(&x, call_out, notes);
        enum cupel_gw_step step = cupel_gw_response_head(&x, &head);
        bool good = CHECK_INT(step == CUPEL_GW_REFUSE, !allowed && !cases[i / 8].stays);
        if (step == CUPEL_GW_REFUSE)
            good = CHECK_INT(x.answer.status, 502) && CHECK_STR(x.response.reason, "redirect") &&
                   CHECK(cupel_gw_response_drops(&x, "Location", 8)) && good;
        if (!good)
            fprintf(stderr, "    %s\n", value);
        cupel_gw_response_end(&x);
    }
    test_arena_free(&arena);
}

/* A GET of an event stream is answered by one, or not at all. */
static void check_wanted_events(void)
{
    static const char *const types[] = {"text/event-stream", "text/plain", "application/json",
                                        "text/html", NULL};
    static const struct cupel_header asked[] = {{"accept", 6, "text/EVENT-stream, */*", 22},
                                                {"Last-Event-ID", 13, "1", 1},
                                                {"Accept", 6, "text/html", 9}};
    struct test_arena arena = {.fail_at = 0};
    struct cupel_gw_arena memory_of = test_arena_of(&arena);
    struct cupel_gw_policy policy;
    struct cupel_gw_exchange x;
    cupel_gw_policy_init(&policy);
    for (size_t i = 0; i < 15; i++) {
        const char *name = types[i % 5];
        struct cupel_header type = {"Content-Type", 12, name, name != NULL ? strlen(name) : 0};
        struct cupel_gw_request_head request = {
            .method = text_of("GET"), .fields = &asked[i / 5], .field_count = 1};
        for (unsigned status = 200; status < 500; status += 204) {
            struct cupel_gw_response_head head = {status, &type, name != NULL, UINT64_MAX, true};
            cupel_gw_exchange_init(&x, worker, &policy, &memory_of);
            x.catalog = catalogs[1];
            CHECK_INT(cupel_gw_request_head(&x, &request), CUPEL_GW_PASS);
            bool refused = cupel_gw_response_head(&x, &head) == CUPEL_GW_REFUSE;
            CHECK_INT(refused, status == 200 && i / 5 != 2 && i % 5 != 0 && i % 5 != 4);
            CHECK(!refused || x.answer.status == 502);
            cupel_gw_response_end(&x);
        }
    }
    test_arena_free(&arena);
}

/* A list that receivers may read in two ways is refused before the host learns it, wherever the
 * name is, and so is one that comes on a resumed stream. */
static void check_list_names(void)
{
#define TOOL "\"inputSchema\":{\"type\":\"object\"}"
    static const char *const lists[] = {
        "\"Tools\":[],\"tools\":[]",
        "\"tools\":[],\"NextCursor\":\"x\"",
        "\"tools\":[{\"name\":\"a\",\"Name\":\"b\"," TOOL "}]",
        "\"tools\":[{\"name\":\"a\"," TOOL "},{\"name\":\"b\",\"de\u017fcription\":\"\"," TOOL "}]",
        "\"tools\":[{\"name\":\"a\",\"outputschema\":{}," TOOL "}]",
        "\"tools\":[{\"name\":\"a\",\"annotations\":{\"ReadOnlyHint\":true}," TOOL "}]",
        "\"tools\":[{\"name\":\"a\",\"name\\u0000\":\"b\"," TOOL "}]",
    };
    static const struct response_case began = {list, stream, "id: 1\ndata:\n\n", NULL, 0, 0};
    static char other[] = RESULT("7", "\"tools\":[1]");
    const struct cupel_gw_lists taking = {take_list, take_change, other};
    struct cupel_text body;
    cupel_text_init(&body, NULL);
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        reads_lists = i % 2 == 0 ? &taking : NULL;
        list_calls = 0;
        cupel_text_clear(&body);
        cupel_text_addf(&body, RESULT("7", "%s"), lists[i]);
        const struct response_case alone = {list, json, body.bytes, "REFUSE 200 " NAMES("7"), 0, 0};
        check_cases(&alone, 1);
        cupel_text_clear(&body);
        cupel_text_addf(&body, "data: " RESULT("7", "%s") "\n\n", lists[i]);
        const struct response_case streamed = {
            list, stream, body.bytes, "END data: " NAMES("7") "\n\n", 0, 0};
        const struct response_case resumed = {get, stream, body.bytes, NULL, 0, 0};
        check_cases(&streamed, 1);
        check_after(&began, &resumed, "END data: " NAMES("7") "\n\n");
        CHECK_INT(list_calls, 0);
    }
    /* The host hides tools in it as in any other list. */
    static const struct response_case good = {
        get, stream, "data: " RESULT("7", "\"tools\":[]") "\n\n", NULL, 0, 0};
    reads_lists = &taking;
    check_after(&began, &good, "END data: " RESULT("7", "\"tools\":[1]") "\n\n");
    reads_lists = NULL;
    cupel_text_free(&body);
#undef TOOL
}

/* Lists whose fate is known only after LATER: the client receives the same, and the same is
 * counted, as if it had been known at once. */
static void check_later(void)
{
#define LIST(id) RESULT(id, "\"tools\":[]")
#define CONTENT(id)                                                     \
    ERROR(id, "The result of tool \\\"out\\\" is not valid: /content: " \
              "content is not an array")
    static const struct request lists_and_call[] = {{CUPEL_GW_CALL, "1", "1", "out"},
                                                    {CUPEL_GW_LIST, "7", "7", NULL},
                                                    {CUPEL_GW_LIST, "7", "7", NULL},
                                                    {0, NULL, NULL, NULL}};
    static const struct response_case cases[] = {
        {list, json, LIST("7"), "REFUSE 200 " RESULT("7", "\"tools\":[1]"), 0, 0},
        {list, stream, "id: 1\ndata: " LIST("7") "\n\ndata: " NOTE "\n\n",
         "END id: 1\ndata: " RESULT("7", "\"tools\":[1]") "\n\ndata: " NOTE "\n\n", 0, 0},
        {list, stream, "data: " LIST("7") "\r\n\r\ndata: " LIST("7") "\n\n: x\n\n",
         "END data: " RESULT("7", "\"tools\":[1]") "\n\ndata: " RESULT(
             "7", "\"tools\":[1]") "\n\n: x\n\n",
         0, 0},
        {list, stream, "data: " LIST("7") "\n\ndata: {",
         "END data: " RESULT("7", "\"tools\":[1]") "\n\n", 0, 0},
        {lists_and_call, json, "[" RESULT("1", "\"content\":{}") "," LIST("7") "," LIST("7") "]",
         "REFUSE 200 [" CONTENT("1") "," RESULT("7", "\"tools\":[1]") "," RESULT(
             "7", "\"tools\":[1]") "]",
         CUPEL_MCP_2025_03_26, 0},
        {lists_and_call, stream,
         "data: [" LIST("7") "," RESULT("1", "\"content\":{}") "," LIST("7") "]\n\ndata: " LIST(
             "7") "\n\n",
         "END data: [" RESULT("7", "\"tools\":[1]") "," CONTENT("1") "," RESULT(
             "7", "\"tools\":[1]") "]\n\ndata: " RESULT("7", "\"tools\":[1]") "\n\n",
         CUPEL_MCP_2025_03_26, 0},
    };
    static char other[] = RESULT("7", "\"tools\":[1]");
    const struct cupel_gw_lists lists = {take_list, take_change, other};
    struct cupel_text counted;
    cupel_text_init(&counted, NULL);
    reads_lists = &lists;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        later = 0;
        check_cases(&cases[i], 1);
        cupel_text_clear(&counted);
        cupel_text_add(&counted, counts.bytes, counts.len);
        later = 1;
        check_cases(&cases[i], 1);
        CHECK_MEM(counts.bytes, counts.len, counted.bytes != NULL ? counted.bytes : "");
    }
    later = 0;
    reads_lists = NULL;
    cupel_text_free(&counted);
}

/* A second response like the first takes nothing but what the arena gives. */
static void check_warm(void)
{
    static const struct response_case cases[] = {
        {call_out, json, RESULT("7", GOOD), NULL, 0, 0},
        {call_out, stream, "id: 1\ndata: " NOTE "\n\ndata: " RESULT("7", GOOD) "\n\n", NULL, 0, 0},
        {get, stream, "data: " RESULT("7", BAD) "\n\n", NULL, 0, 0},
    };
    struct test_alloc alloc = {.fail_at = 0};
    struct cupel_gw_worker *kept = worker;
    struct cupel_options options;
    cupel_options_init(&options);
    options.alloc = test_allocator(&alloc);
    CHECK_INT(cupel_gw_worker_new(&options, read_clock, NULL, &worker), CUPEL_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct test_arena arena = {.fail_at = 0};
        struct cupel_gw_policy policy;
        policy_of(&cases[i], &policy);
        clear_memory();
        respond(&cases[i], &policy, WHOLE, &arena, &seen);
        unsigned long before = alloc.requests;
        respond(&cases[i], &policy, WHOLE, &arena, &seen);
        CHECK(before != 0);
        CHECK_INT(alloc.requests, before);
        test_arena_free(&arena);
    }
    cupel_gw_worker_free(worker);
    CHECK_INT(alloc.live, 0);
    worker = kept;
}

/* -- Memory ---------------------------------------------------------------------------------- */

/* The arena fails at each request: nothing that is refused passes, and no more is left counted. */
static void check_memory(void)
{
    static const struct response_case cases[] = {
        {call_out, json, RESULT("7", BAD), NULL, 0, 0},
        {call_out, stream, "data: " RESULT("7", BAD) "\n\n", NULL, 0, 0},
        {call_out, stream, "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":7,\"result\":{" BAD "}}\n\n",
         NULL, 0, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (unsigned long fail = 1; fail < 8; fail++) {
            struct test_arena arena = {.fail_at = fail};
            struct cupel_gw_policy policy;
            policy_of(&cases[i], &policy);
            respond(&cases[i], &policy, WHOLE, &arena, &seen);
            CHECK(strstr(seen.bytes, "\"result\"") == NULL && strstr(seen.bytes, "error") != NULL);
            test_arena_free(&arena);
        }
}

int main(void)
{
    struct cupel_options options;
    cupel_options_init(&options);
    for (int i = 0; i < 2; i++) {
        struct cupel_catalog_options mcp;
        cupel_catalog_options_init(&mcp);
        mcp.profile = i == 0 ? CUPEL_MCP_2025_11_25 : CUPEL_MCP_2026_07_28;
        CHECK_INT(cupel_catalog_new(&mcp, &catalogs[i]), CUPEL_OK);
        CHECK_INT(cupel_catalog_add(catalogs[i], tools, sizeof(tools) - 1, NULL), CUPEL_OK);
    }
    CHECK_INT(cupel_gw_worker_new(&options, read_clock, NULL, &worker), CUPEL_OK);
    cupel_text_init(&seen, NULL);
    cupel_text_init(&first, NULL);
    cupel_text_init(&counts, NULL);
    make_memory();
    CHECK_CASES(json_cases);
    CHECK_CASES(batch_cases);
    CHECK_CASES(stream_cases);
    check_resumed();
    check_tasks();
    check_reused();
    check_elicitation();
    check_inputs();
    check_requests();
    check_policies();
    check_broken_tool();
    check_bounds();
    check_large();
    check_gone();
    check_warm();
    check_time();
    check_broken();
    check_fields();
    check_lists();
    check_list_names();
    check_redirections();
    check_wanted_events();
    check_later();
    check_memory();
    free(memory.requests.block);
    free(memory.tasks.block);
    free(memory.elicitations.block);
    cupel_text_free(&seen);
    cupel_text_free(&first);
    cupel_text_free(&counts);
    cupel_gw_worker_free(worker);
    cupel_catalog_free(catalogs[0]);
    cupel_catalog_free(catalogs[1]);
    return test_end();
}
