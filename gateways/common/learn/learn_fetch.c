/* learn_fetch.c: lists that the gateway requests itself: what is sent, which message of the
 * answer is the response, and when to stop.
 *
 * The host does the I/O.  The store decides whose turn it is, for all processes.  Each fetch has
 * a reader name of its own, so its pages mix with those of no client. */
#include "gateways/common/learn/learn_internal.h"

#include <stdlib.h>
#include <string.h>

enum { ID_RANDOM = 16, ID_CHARS = 6 + 2 * ID_RANDOM };

struct cupel_gw_fetch {
    struct cupel_gw_learner *learner;
    const struct cupel_gw_learn_config *learning;
    struct cupel_gw_identity
        id; /* with a reader of its own, so that no client's pages mix with these */
    struct cupel_gw_name name; /* under which others wait */
    char request_id[ID_CHARS + 1];
    struct cupel_text request, cursor;
    bool has_cursor;
    uint32_t pages;
    size_t bytes;
};

/* Makes an id with 128 random bits.  No client can have used it, so a response on a shared stream
 * that is addressed to a client is never read as the list. */
static bool make_request_id(struct cupel_gw_fetch *fetch)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[ID_RANDOM];
    const struct cupel_gw_learner_host *host = &fetch->learner->host;
    if (host->random(host->ctx, bytes, sizeof(bytes)) != 0)
        return false;
    memcpy(fetch->request_id, "cupel-", 6);
    for (size_t i = 0; i < ID_RANDOM; i++) {
        fetch->request_id[6 + 2 * i] = digits[bytes[i] >> 4];
        fetch->request_id[7 + 2 * i] = digits[bytes[i] & 15];
    }
    return true;
}

/* Makes a fetch for the list of this session, or of this caller if there is no session. */
static struct cupel_gw_fetch *make_fetch(struct cupel_gw_learner *learner,
                                         const struct cupel_gw_learn_config *learning,
                                         const struct cupel_gw_identity *id)
{
    struct cupel_gw_fetch *fetch = calloc(1, sizeof(*fetch));
    if (fetch == NULL)
        return NULL;
    fetch->learner = learner;
    fetch->learning = learning;
    fetch->id = *id;
    fetch->name = cupel_gw_name_is_set(&id->session) ? id->session : id->key;
    cupel_text_init(&fetch->request, NULL);
    cupel_text_init(&fetch->cursor, NULL);
    if (!make_request_id(fetch)) {
        free(fetch);
        return NULL;
    }
    cupel_gw_derive(cupel_gw_store_secret(learner->store), "fetch", &id->reader, fetch->request_id,
                    ID_CHARS, &fetch->id.reader);
    return fetch;
}

static void free_fetch(struct cupel_gw_fetch *fetch)
{
    cupel_text_free(&fetch->request);
    cupel_text_free(&fetch->cursor);
    free(fetch);
}

/* Makes a fetch and asks the store for a turn.  Only START sets *ret. */
enum cupel_gw_fetch_turn cupel_gw_fetch_begin(struct cupel_gw_learner *learner,
                                              const struct cupel_gw_learn_config *learning,
                                              const struct cupel_gw_identity *id,
                                              struct cupel_gw_fetch **ret)
{
    if (id->sharing == CUPEL_GW_SHARE_NOTHING)
        return CUPEL_GW_FETCH_FAILED;
    struct cupel_gw_fetch *fetch = make_fetch(learner, learning, id);
    if (fetch == NULL)
        return CUPEL_GW_FETCH_FAILED;
    enum cupel_gw_fetch_turn turn = cupel_gw_store_fetch_begin(
        learner->store, &fetch->name, &id->address, &learning->fetches, learner_now(learner));
    if (turn == CUPEL_GW_FETCH_START)
        *ret = fetch;
    else
        free_fetch(fetch);
    return turn;
}

/* -- Requests -------------------------------------------------------------------------------- */

/* Whether requests of this version carry `_meta`.  Versions are dates, so they are in the order
 * of their bytes. */
static bool has_meta(struct cupel_gw_text version)
{
    static const char first[] = "2026-07-28";
    return version.bytes != NULL && version.len == sizeof(first) - 1 &&
           memcmp(version.bytes, first, version.len) >= 0;
}

/* Appends `params`: the cursor of the next page, and from 2026-07-28 on the `_meta` that each
 * request has. */
static void write_params(struct cupel_gw_fetch *fetch, struct cupel_gw_text version)
{
    struct cupel_text *text = &fetch->request;
    bool meta = has_meta(version);
    cupel_text_adds(text, ",\"params\":{");
    if (fetch->has_cursor) {
        cupel_text_adds(text, "\"cursor\":");
        cupel_text_add_json(text, fetch->cursor.bytes != NULL ? fetch->cursor.bytes : "",
                            fetch->cursor.len);
        cupel_text_adds(text, meta ? "," : "");
    }
    if (meta) {
        cupel_text_adds(text, "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":");
        cupel_text_add_json(text, version.bytes, version.len);
        cupel_text_adds(text, ",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"cupel\","
                              "\"version\":");
        cupel_text_add_json(text, cupel_version(), strlen(cupel_version()));
        cupel_text_adds(text, "},\"io.modelcontextprotocol/clientCapabilities\":{}}");
    }
    cupel_text_adds(text, "}");
}

/* Writes the next request.  The text lives until the next call. */
enum cupel_status cupel_gw_fetch_request(struct cupel_gw_fetch *fetch, struct cupel_gw_text version,
                                         struct cupel_gw_text *ret)
{
    struct cupel_text *text = &fetch->request;
    cupel_text_clear(text);
    cupel_text_adds(text, "{\"jsonrpc\":\"2.0\",\"id\":\"");
    cupel_text_add(text, fetch->request_id, ID_CHARS);
    cupel_text_adds(text, "\",\"method\":\"tools/list\"");
    if (fetch->has_cursor || has_meta(version))
        write_params(fetch, version);
    cupel_text_adds(text, "}");
    if (text->failed)
        return CUPEL_E_NO_MEMORY;
    *ret = (struct cupel_gw_text){text->bytes, text->len};
    return CUPEL_OK;
}

/* -- Answers --------------------------------------------------------------------------------- */

enum answer { ANSWER_OURS, ANSWER_OTHER, ANSWER_BAD };

/* Whether a message is the response to the fetch, another message that may come before it, or an
 * error. */
static enum answer look_at(const struct cupel_gw_fetch *fetch, struct cupel_gw_text message)
{
    struct cupel_options options = fetch->learning->engine;
    struct cupel_document *doc = NULL;
    enum answer answer = ANSWER_BAD;
    options.flags =
        CUPEL_ALLOW_DUPLICATE_KEYS; /* in definitions; learning refuses duplicates elsewhere */
    options.limits[CUPEL_LIMIT_BODY_BYTES] = fetch->learning->bytes;
    options.limits[CUPEL_LIMIT_DEPTH] = fetch->learning->options.catalog_depth;
    if (cupel_document_new(&options, &doc) == CUPEL_OK &&
        cupel_document_read(doc, message.bytes, message.len, NULL) == CUPEL_OK) {
        uint32_t id = cupel_json_member(doc, 0, "id", 2);
        bool result = cupel_json_member(doc, 0, "result", 6) != CUPEL_NO_NODE;
        bool method = cupel_json_member(doc, 0, "method", 6) != CUPEL_NO_NODE;
        if (method && !result)
            answer = ANSWER_OTHER;
        else if (result && id != CUPEL_NO_NODE && cupel_json_is(doc, id, fetch->request_id))
            answer = ANSWER_OURS;
    }
    cupel_document_free(doc);
    return answer;
}

/* Hands a message of the answer to the core.  Returns 1 with a job if it is the list, 0 if it is
 * another message, −1 if the fetch has failed. */
int cupel_gw_fetch_response(struct cupel_gw_fetch *fetch, struct cupel_gw_text message,
                            struct cupel_gw_job **ret_job)
{
    fetch->bytes += message.len;
    if (fetch->bytes > fetch->learning->bytes)
        return -1;
    enum answer answer = look_at(fetch, message);
    if (answer != ANSWER_OURS)
        return answer == ANSWER_OTHER ? 0 : -1;
    struct cupel_gw_text cursor = {NULL, 0};
    if (fetch->has_cursor)
        cursor = (struct cupel_gw_text){fetch->cursor.bytes != NULL ? fetch->cursor.bytes : "",
                                        fetch->cursor.len};
    return cupel_gw_learn_begin(fetch->learner, fetch->learning, &fetch->id, cursor, message,
                                ret_job, NULL) == CUPEL_OK
               ? 1
               : -1;
}

/* Decides after a page: 1 to request the next one, 0 at the end, −1 if the page taught nothing or
 * there are too many. */
int cupel_gw_fetch_page(struct cupel_gw_fetch *fetch, const struct cupel_gw_job *job)
{
    const struct cupel_gw_page *page = cupel_gw_job_page(job);
    if (page->list == NULL || !page->teaches)
        return -1;
    if (page->next_cursor == NULL)
        return 0;
    if (++fetch->pages >= fetch->learning->fetch_pages)
        return -1;
    cupel_text_clear(&fetch->cursor);
    cupel_text_add(&fetch->cursor, page->next_cursor, page->next_cursor_len);
    fetch->has_cursor = true;
    return fetch->cursor.failed ? -1 : 1;
}

/* Ends the turn in the store and frees the fetch. */
void cupel_gw_fetch_end(struct cupel_gw_fetch *fetch, bool failed)
{
    struct cupel_gw_learner *learner = fetch->learner;
    cupel_gw_store_fetch_end(learner->store, &fetch->name, failed, &fetch->learning->fetches,
                             learner_now(learner));
    free_fetch(fetch);
}
