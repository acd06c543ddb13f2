/* remember.c: remembering requests and tasks for answers that come in another exchange.
 *
 * A response may reach the client on a stream that it resumed, long after the POST that asked for
 * it, and the result of a task comes with another request.  Both are found in tables of shared
 * memory (attribution.h) by a tag: a MAC of the purpose, the caller's key, the session and the
 * id.  A client cannot compute tags, so it can neither read nor overwrite the entries of others.
 *
 * The value of an entry is one byte with the kind of the request and then the name of the tool, the
 * task or the method; of a list, 'c' and the cursor, or nothing.  A tag that may stand for two
 * different requests keeps an empty value: an answer could belong to either. */
#include "gateways/common/exchange/remember.h"
#include "gateways/common/exchange/worker.h"

#include <string.h>

/* -- Marks ----------------------------------------------------------------------------------- */

/* Whether the host made this table.  Hosts leave out tables for which their memory is too small. */
bool cupel_gw_has_table(const struct cupel_gw_exchange *x, const struct cupel_gw_table *table)
{
    return x->memory->mac != NULL && table->block != NULL;
}

static struct cupel_gw_text text_or_empty(const struct cupel_gw_text *text)
{
    return text != NULL && text->bytes != NULL ? *text : (struct cupel_gw_text){"", 0};
}

static bool has_key(const struct cupel_gw_exchange *x)
{
    static const unsigned char none[sizeof(x->key)];
    return memcmp(x->key, none, sizeof(none)) != 0;
}

/* Computes the tag of a name under the caller's key.
 *
 * With `in_session` the session is part of the tag.  Ids of requests are unique in a session
 * only, ids of tasks are unique at the server. */
void cupel_gw_make_tag(const struct cupel_gw_exchange *x, const char *purpose, bool in_session,
                       struct cupel_gw_text name, unsigned char ret[CUPEL_GW_TAG])
{
    /* Clients without a session choose ids that other clients choose too.  A session's id is its
     * own, and the identity may change within it, as access tokens do. */
    bool by_identity = in_session && x->session.bytes == NULL && !has_key(x);
    struct cupel_gw_text parts[] = {{purpose, strlen(purpose)},
                                    {(const char *)x->key, sizeof(x->key)},
                                    text_or_empty(by_identity ? &x->identity : NULL),
                                    text_or_empty(in_session ? &x->session : NULL),
                                    name};
    x->memory->mac(x->memory->mac_ctx, parts, sizeof(parts) / sizeof(parts[0]), ret);
}

/* Computes the owner whose share of a table the entry takes (attribution.h).  A client without an
 * identity is known by its address.  A server that accepts any Authorization lets a client have
 * many owners; then the size of the table is the only bound. */
void cupel_gw_make_owner(const struct cupel_gw_exchange *x, unsigned char ret[CUPEL_GW_TAG])
{
    bool known = x->identity.bytes != NULL;
    struct cupel_gw_text parts[] = {
        {"owner", 5}, text_or_empty(&x->identity), text_or_empty(known ? NULL : &x->address)};
    x->memory->mac(x->memory->mac_ctx, parts, sizeof(parts) / sizeof(parts[0]), ret);
}

/* -- Requests and tasks ---------------------------------------------------------------------- */

/* Stores a request under a tag.  If the name does not fit, or `once` is set and an older entry has
 * another value, later answers under the tag are unattributed, rather than judged by the wrong
 * tool. */
static void put(const struct cupel_gw_exchange *x, const struct cupel_gw_table *table,
                const unsigned char tag[CUPEL_GW_TAG], bool once, enum cupel_gw_message_kind kind,
                struct cupel_gw_text name)
{
    unsigned char owner[CUPEL_GW_TAG];
    char value[CUPEL_GW_REMEMBERED];
    size_t len = name.len < sizeof(value) ? name.len + 1 : 0;
    value[0] = (char)kind;
    if (len > 1)
        memcpy(value + 1, name.bytes, name.len);
    cupel_gw_make_owner(x, owner);
    if (once)
        cupel_gw_table_put_once(table, tag, owner, value, len);
    else
        cupel_gw_table_put(table, tag, owner, value, len);
}

/* Reads the entry under a tag into *ret.  Returns false if there is none, if its tag stands for
 * several requests, or if the table's values could be longer than *ret can hold. */
static bool get(const struct cupel_gw_table *table, const unsigned char tag[CUPEL_GW_TAG],
                struct cupel_gw_remembered *ret)
{
    size_t len;
    if (cupel_gw_table_stats(table).value > sizeof(ret->bytes) ||
        !cupel_gw_table_get(table, tag, ret->bytes, &len) || len == 0)
        return false;
    ret->kind = (enum cupel_gw_message_kind)ret->bytes[0];
    ret->name = (struct cupel_gw_text){ret->bytes + 1, len - 1};
    return true;
}

/* Copies the cursor behind a `c`.  Without memory, a text that does not fit an entry. */
static struct cupel_gw_text write_cursor(struct cupel_gw_exchange *x, struct cupel_gw_text cursor)
{
    char *copy = x->arena.alloc(x->arena.ctx, cursor.len + 1);
    if (copy == NULL)
        return (struct cupel_gw_text){NULL, CUPEL_GW_REMEMBERED};
    copy[0] = 'c';
    if (cursor.len != 0)
        memcpy(copy + 1, cursor.bytes, cursor.len);
    return (struct cupel_gw_text){copy, cursor.len + 1};
}

struct cupel_gw_text cupel_gw_remembered_cursor(const struct cupel_gw_remembered *remembered)
{
    struct cupel_gw_text name = remembered->name;
    return name.len == 0 ? (struct cupel_gw_text){NULL, 0}
                         : (struct cupel_gw_text){name.bytes + 1, name.len - 1};
}

/* The name by which a response to this request is judged. */
static struct cupel_gw_text name_of(struct cupel_gw_exchange *x,
                                    const struct cupel_gw_request_note *note)
{
    if (note->kind == CUPEL_GW_CALL)
        return note->tool;
    if (note->kind == CUPEL_GW_TASK_RESULT || note->kind == CUPEL_GW_TASK_GET)
        return note->task;
    if (note->kind != CUPEL_GW_LIST)
        return note->method;
    return note->cursor.bytes != NULL ? write_cursor(x, note->cursor)
                                      : (struct cupel_gw_text){"", 0};
}

/* Stores each request of the exchange that waits for a response.  Called when the response turns
 * out to be an event stream: before 2026-07-28 a client may resume a stream that broke off.
 *
 * A client that uses an id again in its session takes an answer for that to the later request.
 * Without a session the two requests may be those of two clients. */
void cupel_gw_remember_requests(struct cupel_gw_exchange *x)
{
    unsigned char tag[CUPEL_GW_TAG];
    if (x->memory == NULL || !cupel_gw_has_table(x, &x->memory->requests))
        return;
    for (uint32_t i = 0; i < x->note_count; i++) {
        const struct cupel_gw_request_note *note = &x->notes[i];
        if (!cupel_gw_expects_response(note))
            continue;
        cupel_gw_make_tag(x, "request", true, note->id_key, tag);
        put(x, &x->memory->requests, tag, x->session.bytes == NULL, note->kind, name_of(x, note));
    }
}

/* Finds the request that an id belongs to, for a response on a stream that the client resumed. */
bool cupel_gw_recall_request(const struct cupel_gw_exchange *x, struct cupel_gw_text id_key,
                             struct cupel_gw_remembered *ret)
{
    unsigned char tag[CUPEL_GW_TAG];
    if (x->memory == NULL || !cupel_gw_has_table(x, &x->memory->requests))
        return false;
    cupel_gw_make_tag(x, "request", true, id_key, tag);
    return get(&x->memory->requests, tag, ret);
}

/* Stores which tool a task runs.  The session is no part of the tag: a client may fetch the
 * result of a task from another session. */
void cupel_gw_remember_task(struct cupel_gw_exchange *x, struct cupel_gw_text task,
                            struct cupel_gw_text tool)
{
    unsigned char tag[CUPEL_GW_TAG];
    if (x->memory == NULL || !cupel_gw_has_table(x, &x->memory->tasks))
        return;
    cupel_gw_make_tag(x, "task", false, task, tag);
    put(x, &x->memory->tasks, tag, true, CUPEL_GW_CALL, tool);
}

/* Finds the tool that a task runs. */
bool cupel_gw_recall_task(const struct cupel_gw_exchange *x, struct cupel_gw_text task,
                          struct cupel_gw_remembered *ret)
{
    unsigned char tag[CUPEL_GW_TAG];
    if (x->memory == NULL || !cupel_gw_has_table(x, &x->memory->tasks))
        return false;
    cupel_gw_make_tag(x, "task", false, task, tag);
    return get(&x->memory->tasks, tag, ret);
}
