/* remember.c: remembering requests and tasks for answers that come later.  The
 * tables are in attribution.c, answers to elicitations in elicit.c. */
#include "gateways/common/exchange/remember.h"
#include "gateways/common/exchange/worker.h"

#include <string.h>

/* -- Marks ----------------------------------------------------------------------------------- */

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

void cupel_gw_make_owner(const struct cupel_gw_exchange *x, unsigned char ret[CUPEL_GW_TAG])
{
    bool known = x->identity.bytes != NULL;
    struct cupel_gw_text parts[] = {
        {"owner", 5}, text_or_empty(&x->identity), text_or_empty(known ? NULL : &x->address)};
    x->memory->mac(x->memory->mac_ctx, parts, sizeof(parts) / sizeof(parts[0]), ret);
}

/* -- Requests and tasks ---------------------------------------------------------------------- */

/* The first byte of a value is the kind, and a name follows. */
static void put(const struct cupel_gw_exchange *x, const struct cupel_gw_table *table,
                const unsigned char tag[CUPEL_GW_TAG], enum cupel_gw_message_kind kind,
                struct cupel_gw_text name)
{
    unsigned char owner[CUPEL_GW_TAG];
    char value[CUPEL_GW_REMEMBERED];
    if (name.len >= sizeof(value)) {
        cupel_gw_table_remove(table, tag);
        return;
    }
    value[0] = (char)kind;
    if (name.len != 0)
        memcpy(value + 1, name.bytes, name.len);
    cupel_gw_make_owner(x, owner);
    cupel_gw_table_put(table, tag, owner, value, name.len + 1);
}

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

static struct cupel_gw_text name_of(const struct cupel_gw_request_note *note)
{
    if (note->kind == CUPEL_GW_CALL)
        return note->tool;
    if (note->kind == CUPEL_GW_TASK_RESULT || note->kind == CUPEL_GW_TASK_GET)
        return note->task;
    return (struct cupel_gw_text){"", 0};
}

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
        put(x, &x->memory->requests, tag, note->kind, name_of(note));
    }
}

bool cupel_gw_recall_request(const struct cupel_gw_exchange *x, struct cupel_gw_text id_key,
                             struct cupel_gw_remembered *ret)
{
    unsigned char tag[CUPEL_GW_TAG];
    if (x->memory == NULL || !cupel_gw_has_table(x, &x->memory->requests))
        return false;
    cupel_gw_make_tag(x, "request", true, id_key, tag);
    return get(&x->memory->requests, tag, ret);
}

void cupel_gw_remember_task(struct cupel_gw_exchange *x, struct cupel_gw_text task,
                            struct cupel_gw_text tool)
{
    unsigned char tag[CUPEL_GW_TAG];
    if (x->memory == NULL || !cupel_gw_has_table(x, &x->memory->tasks))
        return;
    cupel_gw_make_tag(x, "task", false, task, tag);
    put(x, &x->memory->tasks, tag, CUPEL_GW_CALL, tool);
}

bool cupel_gw_recall_task(const struct cupel_gw_exchange *x, struct cupel_gw_text task,
                          struct cupel_gw_remembered *ret)
{
    unsigned char tag[CUPEL_GW_TAG];
    if (x->memory == NULL || !cupel_gw_has_table(x, &x->memory->tasks))
        return false;
    cupel_gw_make_tag(x, "task", false, task, tag);
    return get(&x->memory->tasks, tag, ret);
}
