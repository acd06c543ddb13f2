/* remember.c: what is remembered of an exchange for answers that come later, and the answers to
 * elicitations.  The tables are in attribution.c. */
#include "response_internal.h"

#include <string.h>

/* -- Marks ------------------------------------------------------------------------------------ */

static bool has_table(const struct cupel_gw_exchange *x, const struct cupel_gw_table *table)
{
    return x->memory->mac != NULL && table->block != NULL;
}

/* The session is a part of the mark only where `in_session` is set. */
static void make_mark(const struct cupel_gw_exchange *x, const char *purpose, bool in_session,
                      struct cupel_gw_text name, unsigned char ret[CUPEL_GW_MARK])
{
    struct cupel_gw_text parts[] = {
        {purpose, strlen(purpose)},
        {(const char *)x->key, sizeof(x->key)},
        in_session && x->session.bytes != NULL ? x->session : (struct cupel_gw_text){"", 0},
        name};
    x->memory->mac(x->memory->mac_ctx, parts, sizeof(parts) / sizeof(parts[0]), ret);
}

/* -- Requests and tasks ----------------------------------------------------------------------- */

/* The first byte of a value is the kind, and a name follows. */
static void put(const struct cupel_gw_table *table, const unsigned char mark[CUPEL_GW_MARK],
                enum cupel_gw_message_kind kind, struct cupel_gw_text name)
{
    char value[CUPEL_GW_REMEMBERED];
    if (name.len >= sizeof(value)) {
        cupel_gw_table_drop(table, mark);
        return;
    }
    value[0] = (char)kind;
    if (name.len != 0)
        memcpy(value + 1, name.bytes, name.len);
    cupel_gw_table_put(table, mark, value, name.len + 1);
}

static bool get(const struct cupel_gw_table *table, const unsigned char mark[CUPEL_GW_MARK],
                struct cupel_gw_remembered *ret)
{
    size_t len;
    if (cupel_gw_table_figures(table).value > sizeof(ret->bytes) ||
        !cupel_gw_table_get(table, mark, ret->bytes, &len) || len == 0)
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
    unsigned char mark[CUPEL_GW_MARK];
    if (x->memory == NULL || !has_table(x, &x->memory->requests))
        return;
    for (uint32_t i = 0; i < x->note_count; i++) {
        const struct cupel_gw_request_note *note = &x->notes[i];
        if (!cupel_gw_waits(note))
            continue;
        make_mark(x, "request", true, note->id_key, mark);
        put(&x->memory->requests, mark, note->kind, name_of(note));
    }
}

bool cupel_gw_recall_request(const struct cupel_gw_exchange *x, struct cupel_gw_text id_key,
                             struct cupel_gw_remembered *ret)
{
    unsigned char mark[CUPEL_GW_MARK];
    if (x->memory == NULL || !has_table(x, &x->memory->requests))
        return false;
    make_mark(x, "request", true, id_key, mark);
    return get(&x->memory->requests, mark, ret);
}

void cupel_gw_remember_task(struct cupel_gw_exchange *x, struct cupel_gw_text task,
                            struct cupel_gw_text tool)
{
    unsigned char mark[CUPEL_GW_MARK];
    if (x->memory == NULL || !has_table(x, &x->memory->tasks))
        return;
    make_mark(x, "task", false, task, mark);
    put(&x->memory->tasks, mark, CUPEL_GW_CALL, tool);
}

bool cupel_gw_recall_task(const struct cupel_gw_exchange *x, struct cupel_gw_text task,
                          struct cupel_gw_remembered *ret)
{
    unsigned char mark[CUPEL_GW_MARK];
    if (x->memory == NULL || !has_table(x, &x->memory->tasks))
        return false;
    make_mark(x, "task", false, task, mark);
    return get(&x->memory->tasks, mark, ret);
}

/* -- Elicitation ------------------------------------------------------------------------------ */

void cupel_gw_remember_question(struct cupel_gw_exchange *x, struct cupel_gw_text id_key,
                                struct cupel_gw_text schema)
{
    unsigned char mark[CUPEL_GW_MARK];
    if (x->memory == NULL || !has_table(x, &x->memory->questions))
        return;
    make_mark(x, "question", true, id_key, mark);
    cupel_gw_table_put(&x->memory->questions, mark, schema.bytes, schema.len);
}

static enum cupel_gw_step refuse_answer(struct cupel_gw_exchange *x, const char *reason,
                                        const char *why)
{
    x->request.verdict = "elicitation-invalid";
    x->request.reason = reason;
    if (x->policy->mode == CUPEL_GW_REPORT)
        return CUPEL_GW_PASS;
    return cupel_gw_answer_error(x, 400, NULL, -32602, why);
}

static enum cupel_gw_step undecided_answer(struct cupel_gw_exchange *x, enum cupel_status status)
{
    x->request.verdict = "elicitation-undecided";
    x->request.reason = cupel_status_name(status);
    if (x->policy->mode == CUPEL_GW_REPORT || x->policy->undecided == CUPEL_GW_PASS_IT)
        return CUPEL_GW_PASS;
    return cupel_gw_answer_error(x, 400, NULL, -32603,
                                 "The answer to the elicitation could not be checked");
}

/* Compiles the schema and runs it on the content. */
static enum cupel_gw_step judge_content(struct cupel_gw_exchange *x, struct cupel_gw_text schema,
                                        struct cupel_document *doc, uint32_t content)
{
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome = {.reason = CUPEL_OK};
    struct cupel_options options = x->worker->options;
    options.flags |= CUPEL_ASSERT_FORMAT | CUPEL_NO_REPORT;
    enum cupel_status status = cupel_compile(schema.bytes, schema.len, &options, &program, NULL);
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    if (status == CUPEL_OK)
        status = cupel_scratch_new(&options, &scratch);
    if (status == CUPEL_OK)
        verdict = cupel_validate_node(program, scratch, doc, content, &outcome);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    x->request.steps = outcome.steps;
    if (verdict == CUPEL_VALID)
        return CUPEL_GW_PASS;
    if (verdict == CUPEL_INVALID)
        return refuse_answer(x, "elicitation",
                             "The content does not conform to the schema of the elicitation");
    return undecided_answer(x, status != CUPEL_OK ? status : outcome.reason);
}

/* Copies the schema of the server's request with this id to the arena. */
static enum cupel_status recall_question(struct cupel_gw_exchange *x, struct cupel_gw_text id_key,
                                         struct cupel_gw_text *ret)
{
    unsigned char mark[CUPEL_GW_MARK];
    if (x->memory == NULL || !has_table(x, &x->memory->questions))
        return CUPEL_E_ARGUMENT;
    char *bytes = x->arena.take(x->arena.ctx, cupel_gw_table_figures(&x->memory->questions).value);
    if (bytes == NULL)
        return CUPEL_E_NO_MEMORY;
    make_mark(x, "question", true, id_key, mark);
    if (!cupel_gw_table_get(&x->memory->questions, mark, bytes, &ret->len))
        return CUPEL_E_ARGUMENT;
    ret->bytes = bytes;
    return CUPEL_OK;
}

enum cupel_gw_step cupel_gw_elicitation_answer(struct cupel_gw_exchange *x,
                                               struct cupel_document *doc, uint32_t node)
{
    uint32_t result = cupel_json_member(doc, node, "result", 6);
    uint32_t id = cupel_json_member(doc, node, "id", 2);
    if (!x->policy->elicitation || result == CUPEL_NO_NODE || id == CUPEL_NO_NODE)
        return CUPEL_GW_PASS;
    uint32_t action = cupel_json_member(doc, result, "action", 6);
    uint32_t content = cupel_json_member(doc, result, "content", 7);
    struct cupel_text *key = &x->worker->key;
    struct cupel_gw_text schema;
    cupel_text_clear(key);
    cupel_message_id_key(doc, id, key);
    if (key->failed)
        return undecided_answer(x, CUPEL_E_NO_MEMORY);
    enum cupel_status status =
        recall_question(x, (struct cupel_gw_text){key->bytes, key->len}, &schema);
    if (status == CUPEL_E_NO_MEMORY)
        return undecided_answer(x, status);
    bool is_elicitation = action != CUPEL_NO_NODE;
    if (status != CUPEL_OK && is_elicitation && x->policy->unattributed == CUPEL_GW_REFUSE_IT)
        return refuse_answer(x, "unattributed",
                             "The answer belongs to no elicitation that is known");
    if (status != CUPEL_OK)
        return CUPEL_GW_PASS;
    if (schema.len == 0) /* the server asked by URL */
        return CUPEL_GW_PASS;
    if (!is_elicitation)
        return refuse_answer(x, "elicitation", "The answer to the elicitation has no action");
    if (!cupel_json_is(doc, action, "accept"))
        return CUPEL_GW_PASS;
    if (content == CUPEL_NO_NODE)
        return refuse_answer(x, "elicitation", "The accepted elicitation has no content");
    return judge_content(x, schema, doc, content);
}
