/* exchange.h: the core that every gateway host shares (nginx today; Envoy, Caddy and others later).
 *
 * The host does the I/O and provides memory and clocks.  The core owns the protocol: it reads one
 * HTTP request and its response, decides what passes, writes replacement answers, learns catalogs
 * from tools/list responses, and attributes results to calls.  It sees the public headers of
 * libcupel only, and calls no operating system function except through the host's callbacks.
 *
 * One exchange is one HTTP request and its response:
 *
 *     cupel_gw_exchange_init(&x, worker, policy, arena)
 *     request.h    cupel_gw_request_head → _body… → _judge     PASS, REFUSE, or LEARN first
 *     response.h   cupel_gw_response_head → _body…             PASS, HOLD, STREAM, REFUSE, …
 *
 * Memory: everything that belongs to an exchange comes from the host's arena, which the host frees
 * as a whole when the exchange ends.  A worker's buffers are kept and reused, so once
 * they are large enough, a request whose body arrives in one piece allocates from the arena only.
 *
 * Threads: a worker and its exchanges belong to one thread at a time.  Policies are immutable. */
#ifndef CUPEL_GATEWAY_H
#define CUPEL_GATEWAY_H

#include "gateways/common/base/text.h"
#include "gateways/common/store/attribution.h"

#include <cupel/cupel.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- Policy: one judged location ------------------------------------------------------------- */

enum cupel_gw_mode {
    CUPEL_GW_ENFORCE = 0, /* refuse */
    CUPEL_GW_REPORT = 1   /* judge and count; let everything pass */
};

/* The default of each choice is 0 and is the strictest one. */
enum cupel_gw_choice { CUPEL_GW_REFUSE_IT = 0, CUPEL_GW_PASS_IT = 1 };

enum cupel_gw_headers {
    CUPEL_GW_HEADERS_AUTO = 0,    /* compare those Mcp-* fields that are there with the body */
    CUPEL_GW_HEADERS_REQUIRE = 1, /* and refuse requests without them */
    CUPEL_GW_HEADERS_OFF = 2
};

enum cupel_gw_argument_names {
    CUPEL_GW_NAMES_EXACT = 0, /* an undeclared name that folds to a declared one is refused */
    CUPEL_GW_NAMES_ANY = 1
};

enum cupel_gw_results {
    CUPEL_GW_RESULTS_ON = 0,   /* judge results of tools with an outputSchema, and refuse responses
                                  that cannot be read or attributed */
    CUPEL_GW_RESULTS_OFF = 1,  /* responses are not read */
    CUPEL_GW_RESULTS_COUNT = 2 /* as ON, but count what cannot be read or attributed, and pass it */
};

/* What happens to a tool that differs from its pin, or whose definition has hidden text. */
enum cupel_gw_withhold {
    CUPEL_GW_WITHHOLD_REPORT = 0,
    CUPEL_GW_WITHHOLD_REFUSE = 1,
    CUPEL_GW_WITHHOLD_HIDE = 2
};

/* What happens to a call while no list of tools is known. */
enum cupel_gw_unlearned {
    CUPEL_GW_UNLEARNED_FETCH = 0,
    CUPEL_GW_UNLEARNED_REFUSE = 1,
    CUPEL_GW_UNLEARNED_PASS = 2
};

/* Checks of the request's framing that an operator may switch off, one bit each. */
enum cupel_gw_allow {
    CUPEL_GW_ALLOW_ENCODED_BODY = 1 << 0,    /* Content-Encoding other than identity */
    CUPEL_GW_ALLOW_METHOD_OVERRIDE = 1 << 1, /* X-HTTP-Method-Override and its variants */
    CUPEL_GW_ALLOW_OTHER_METHODS = 1 << 2,   /* a body on a method other than POST */
    CUPEL_GW_ALLOW_REPEATED_FIELDS =
        1 << 3, /* repeated Mcp-*, Authorization, Content-Encoding, Last-Event-ID */
    CUPEL_GW_ALLOW_UPGRADE = 1 << 4, /* Upgrade; the host does not send the field on */
    CUPEL_GW_ALLOW_REDIRECT = 1 << 5 /* a response that leads to another server */
};

/* Sizes are in bytes, times in milliseconds. */
struct cupel_gw_limits {
    size_t body;          /* of a request */
    size_t answer;        /* written by the gateway for one request */
    uint32_t batch;       /* messages in one batch */
    size_t result;        /* of a JSON response that is held */
    size_t list;          /* of an answer to tools/list */
    size_t event;         /* of one event of a stream */
    size_t stream;        /* of all events of one stream that are held */
    size_t worker;        /* of all responses and events held by one worker */
    uint64_t stream_time; /* from the first byte of a held event to its end */
};

struct cupel_gw_policy {
    enum cupel_mcp_profile profile;
    enum cupel_gw_mode mode;
    enum cupel_gw_choice unknown_tool, undecided, unattributed;
    enum cupel_gw_headers headers;
    enum cupel_gw_argument_names argument_names;
    enum cupel_gw_results results;
    enum cupel_gw_withhold changed, hidden_text;
    enum cupel_gw_unlearned unlearned;
    bool elicitation; /* judge answers to elicitations by the schema that the server sent */
    bool learns;      /* the catalog is learned, not given by the host */
    uint32_t allow;   /* enum cupel_gw_allow */
    struct cupel_gw_limits limits;
};

/* Fills in the defaults. */
void cupel_gw_policy_init(struct cupel_gw_policy *policy);

struct cupel_gw_count;
struct cupel_gw_exchange;
struct cupel_gw_request_note;

/* -- Host callbacks -------------------------------------------------------------------------- */

/* The tables by which results are attributed to calls (attribution.h).  The host has one for all
 * exchanges. A table whose `block` is NULL does not exist. */
struct cupel_gw_memory {
    /* Writes a MAC of the parts under a secret; parts that are split otherwise give another MAC. */
    void (*mac)(void *ctx, const struct cupel_gw_text *parts, size_t count,
                unsigned char ret[CUPEL_GW_TAG]);
    void *mac_ctx;
    struct cupel_gw_table requests; /* (key, session, request id) to the name of a tool */
    struct cupel_gw_table tasks;    /* (key, task id) to the name of a tool */
    /* To a requestedSchema: from (key, session, id of the server's request), or from the state and
     * the key of an input that a result requests. */
    struct cupel_gw_table elicitations;
};

/* The host's counters of what is judged in responses. */
struct cupel_gw_counter {
    /* Called for each result that was judged and each message that is refused or could not be read;
     * `definition` is the tool's, or NULL. */
    void (*count)(void *ctx, struct cupel_gw_exchange *x, const struct cupel_tool *definition,
                  const struct cupel_gw_count *count);
    void *ctx;
};

/* What becomes of a list of tools. */
enum cupel_gw_list_disposition {
    CUPEL_GW_LIST_PASSES = 0, /* it goes on as it is */
    CUPEL_GW_LIST_REPLACED,   /* another text goes on in its place */
    CUPEL_GW_LIST_LATER       /* the decision is not known yet */
};

/* An answer to a tools/list request, in JSON or as the data of an event, with a 2xx status: one
 * JSON-RPC response with the request's id. */
struct cupel_gw_list_answer {
    const struct cupel_gw_request_note *note; /* the request */
    struct cupel_gw_text text;                /* lives until `take` returns */
    uint32_t index; /* among the lists of the body, event or batch that is judged, from 0 */
    bool again;     /* after LATER: this body, event or batch is judged from its beginning again */
};

/* What reads lists of tools (learn.h). */
struct cupel_gw_lists {
    /* REPLACED sets *ret to a text from the exchange's arena; with bytes NULL an error goes on.
     * After LATER the step of the response is CUPEL_GW_WAIT.  Once the host knows what becomes of
     * the list it calls cupel_gw_response_resume, which calls `take` again for this list and those
     * before it. */
    enum cupel_gw_list_disposition (*take)(void *ctx, struct cupel_gw_exchange *x,
                                           const struct cupel_gw_list_answer *answer,
                                           struct cupel_gw_text *ret);
    /* A notification notifications/tools/list_changed passes. */
    void (*changed)(void *ctx, struct cupel_gw_exchange *x);
    void *ctx;
};

/* -- Worker ---------------------------------------------------------------------------------- */

/* The working memory of one thread: call context, text buffers, and the count of bytes held. */
struct cupel_gw_worker;

/* Makes a worker.  `options` bound how messages are read and judged.  CUPEL_OK or
 * CUPEL_E_NO_MEMORY.  The host frees it after its exchanges. */
enum cupel_status cupel_gw_worker_new(const struct cupel_options *options, cupel_gw_clock *clock,
                                      void *clock_ctx, struct cupel_gw_worker **ret);
void cupel_gw_worker_free(struct cupel_gw_worker *worker);

/* -- Exchange -------------------------------------------------------------------------------- */

/* What the host does next. */
enum cupel_gw_step {
    CUPEL_GW_PASS = 0, /* send on, byte for byte, what arrived */
    CUPEL_GW_BODY,     /* request: read the body and hand it over */
    CUPEL_GW_LEARN,    /* request: the catalog has to be fetched first, then judge again */
    CUPEL_GW_HOLD,     /* response: send neither header nor body yet */
    CUPEL_GW_STREAM,   /* response: send the header; the body is what the sink receives */
    CUPEL_GW_WAIT,     /* response: a list is being read; send and hand over nothing until then */
    CUPEL_GW_END,      /* response: send what the sink received, and end the response */
    CUPEL_GW_ABORT,    /* response: break the connection, so that the response stays unfinished */
    CUPEL_GW_REFUSE    /* send x->answer instead; nothing of the original goes on */
};

/* A replacement for a request that is refused or for a response. */
struct cupel_gw_answer {
    unsigned status;   /* of HTTP */
    const char *bytes; /* JSON; in the arena */
    size_t len;        /* 0: no body */
};

/* The kind of a message in a request. The response is judged by it. */
enum cupel_gw_message_kind {
    CUPEL_GW_NOTHING = 0,  /* no body */
    CUPEL_GW_CALL,         /* tools/call */
    CUPEL_GW_LIST,         /* tools/list */
    CUPEL_GW_TASK_RESULT,  /* tasks/result */
    CUPEL_GW_TASK_GET,     /* tasks/get */
    CUPEL_GW_REQUEST,      /* another method with an id */
    CUPEL_GW_NOTIFICATION, /* no id */
    CUPEL_GW_ANSWER,       /* a response or error of the client */
    CUPEL_GW_BATCH
};

/* One message of the request, as far as its response needs it. Texts are in the arena. */
struct cupel_gw_request_note {
    enum cupel_gw_message_kind kind;
    struct cupel_gw_text id;             /* JSON text as the client wrote it; bytes NULL: none */
    struct cupel_gw_text id_key;         /* cupel_message_id_key of it: equal for equal ids */
    struct cupel_gw_text method;         /* decoded */
    struct cupel_gw_text tool;           /* decoded name; of a CALL */
    struct cupel_gw_text task;           /* decoded taskId; of a TASK_RESULT or TASK_GET */
    struct cupel_gw_text cursor;         /* decoded; of a LIST; bytes NULL: the first page */
    bool task_asked;                     /* CALL: as a task (2025-11-25) */
    const struct cupel_tool *definition; /* of a CALL, while x->catalog is held; or NULL */
};

/* For counters, logs and variables.  Strings are static. */
struct cupel_gw_count {
    const char *verdict; /* "valid", "invalid", …; NULL: nothing was judged */
    const char *reason;  /* "" or a rule, a status, a word of cli/reasons.def */
    uint64_t steps;
};

struct cupel_gw_exchange {
    /* set by the host before cupel_gw_request_head */
    struct cupel_gw_worker *worker;
    const struct cupel_gw_policy *policy;
    struct cupel_gw_arena arena;
    const struct cupel_catalog *catalog; /* the tools of this caller; the host keeps it until the
                                            exchange ends; NULL: none is known */
    bool fetched;  /* the list was fetched, or could not be: CUPEL_GW_LEARN is not returned again */
    bool borrowed; /* the catalog may lack tools: not this session's own, not whole, or stale
                      (learn.h: not certain).  A tool that is not in it may be looked up by
                      CUPEL_GW_LEARN */
    /* Returns the reason for which calls of the tool are refused, NULL if they are not. NULL: no
     * tool is withheld. */
    const char *(*withheld)(void *ctx, const struct cupel_tool *tool);
    void *withheld_ctx;
    unsigned char key[16];         /* of the caller at this location (key.h); all 0: none */
    struct cupel_gw_text address;  /* of the client; bytes NULL: not known */
    struct cupel_gw_text session;  /* the value of Mcp-Session-Id; bytes NULL: none */
    struct cupel_gw_text identity; /* who calls, as the host tells callers apart; the core sets it
                                      to the value of Authorization where it is not set */
    struct cupel_gw_text origin; /* scheme://host by which the client knows this server, to which a
                                    response may redirect it; bytes NULL: it may be redirected
                                    anywhere */
    const struct cupel_gw_memory *memory;   /* NULL: nothing is attributed */
    const struct cupel_gw_lists *lists;     /* NULL: lists pass unread */
    const struct cupel_gw_counter *counter; /* or NULL */

    /* set by the core */
    struct cupel_gw_request_note *notes; /* one, or one for each message of a batch */
    uint32_t note_count;
    bool wants_events; /* a GET of an event stream: clients may read any response as one */
    struct cupel_gw_answer answer; /* with CUPEL_GW_REFUSE */
    struct cupel_gw_count request, response;
    struct cupel_gw_incoming *incoming; /* the state of the request (request.h) */
    struct cupel_gw_response *reading;  /* the state of the response (response.h) */
};

/* Prepares an exchange. */
void cupel_gw_exchange_init(struct cupel_gw_exchange *x, struct cupel_gw_worker *worker,
                            const struct cupel_gw_policy *policy,
                            const struct cupel_gw_arena *arena);

/* Makes `x->answer` a JSON-RPC error with the id (NULL: null) and returns CUPEL_GW_REFUSE.  Without
 * memory the answer is a static text.  The message is ASCII without quotes, backslashes and control
 * characters. */
enum cupel_gw_step cupel_gw_answer_error(struct cupel_gw_exchange *x, unsigned http_status,
                                         const struct cupel_gw_text *id, int code,
                                         const char *message);

#endif
