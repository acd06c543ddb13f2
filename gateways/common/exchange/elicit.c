/* elicit.c: judging the user's answers to elicitations by the schemas that the server sent.
 *
 * Until 2025-11-25 the server asks in a request of its own (elicitation/create) and the client
 * answers with a response that has the same id.  From 2026-07-28 on the server asks in the result
 * of a request (`inputRequests`), and the client answers in its next request (`inputResponses`)
 * with the same `requestState`.
 *
 * Question and answer belong to different exchanges, so the schema is stored in the table
 * memory->elicitations, under a tag of the id or of the state.  A schema comes from the server
 * and is compiled within the worker's limits; a worker keeps the programs of the last schemas. */
#include "gateways/common/exchange/elicit.h"
#include "gateways/common/exchange/remember.h"
#include "gateways/common/exchange/worker.h"

#include <string.h>

static uint32_t member(struct cupel_document *doc, uint32_t node, const char *name)
{
    return node != CUPEL_NO_NODE ? cupel_json_member(doc, node, name, strlen(name)) : CUPEL_NO_NODE;
}

/* -- Schemas --------------------------------------------------------------------------------- */

static bool remembers_elicitations(const struct cupel_gw_exchange *x)
{
    return x->policy->elicitation && x->memory != NULL &&
           cupel_gw_has_table(x, &x->memory->elicitations);
}

/* Stores the schema of the elicitation with these `params`.  The tag is made of the name in
 * worker->key.  An elicitation without a schema, such as one by URL, is stored with an empty
 * text: its answer is known to belong to an elicitation and has no content to judge. */
static void remember(struct cupel_gw_exchange *x, const char *purpose, struct cupel_document *doc,
                     uint32_t params)
{
    const struct cupel_text *name = &x->worker->key;
    unsigned char tag[CUPEL_GW_TAG], owner[CUPEL_GW_TAG];
    uint32_t node = member(doc, params, "requestedSchema");
    struct cupel_gw_text schema = {"", 0};
    if (name->failed)
        return;
    if (node != CUPEL_NO_NODE)
        schema.bytes = cupel_json_span(doc, node, &schema.len);
    cupel_gw_make_tag(x, purpose, true, (struct cupel_gw_text){name->bytes, name->len}, tag);
    cupel_gw_make_owner(x, owner);
    cupel_gw_table_put(&x->memory->elicitations, tag, owner, schema.bytes, schema.len);
}

/* Copies the schema under the name in worker->key to the arena, because another process may
 * overwrite the table.  Returns CUPEL_E_ARGUMENT if there is none. */
static enum cupel_status recall(struct cupel_gw_exchange *x, const char *purpose,
                                struct cupel_gw_text *ret)
{
    const struct cupel_text *name = &x->worker->key;
    unsigned char tag[CUPEL_GW_TAG];
    if (name->failed)
        return CUPEL_E_NO_MEMORY;
    if (!remembers_elicitations(x))
        return CUPEL_E_ARGUMENT;
    char *bytes =
        x->arena.alloc(x->arena.ctx, cupel_gw_table_stats(&x->memory->elicitations).value);
    if (bytes == NULL)
        return CUPEL_E_NO_MEMORY;
    cupel_gw_make_tag(x, purpose, true, (struct cupel_gw_text){name->bytes, name->len}, tag);
    if (!cupel_gw_table_get(&x->memory->elicitations, tag, bytes, &ret->len))
        return CUPEL_E_ARGUMENT;
    ret->bytes = bytes;
    return CUPEL_OK;
}

/* -- Names ----------------------------------------------------------------------------------- */

static void name_by_id(struct cupel_gw_exchange *x, struct cupel_document *doc, uint32_t id)
{
    cupel_text_clear(&x->worker->key);
    cupel_message_id_key(doc, id, &x->worker->key);
}

/* Adds a part of a name, with its length before it: no two lists of parts give the same name. */
static void add_part(struct cupel_text *text, const char *bytes, size_t len)
{
    cupel_text_addf(text, "%zu:", len);
    if (len != 0)
        cupel_text_add(text, bytes, len);
}

/* Writes the name of an input request into worker->key: the method, the tool, the state and the
 * key of the input.  All four come back in the client's next request. */
static void name_by_state(struct cupel_gw_exchange *x, struct cupel_document *doc, uint32_t object,
                          struct cupel_gw_text method, struct cupel_gw_text tool, uint32_t key)
{
    struct cupel_text *name = &x->worker->key;
    uint32_t state = member(doc, object, "requestState");
    size_t len = 0;
    const char *bytes = state != CUPEL_NO_NODE ? cupel_json_string(doc, state, &len) : NULL;
    cupel_text_clear(name);
    add_part(name, method.bytes, method.len);
    add_part(name, tool.bytes, tool.len);
    add_part(name, bytes, bytes != NULL ? len : 0);
    bytes = cupel_json_string(doc, key, &len);
    add_part(name, bytes, len);
}

/* -- Questions ------------------------------------------------------------------------------- */

static bool is_elicitation(struct cupel_document *doc, uint32_t method)
{
    return method != CUPEL_NO_NODE && cupel_json_is(doc, method, "elicitation/create");
}

void cupel_gw_remember_elicitation(struct cupel_gw_exchange *x, struct cupel_document *doc,
                                   const struct cupel_message *message)
{
    if (!remembers_elicitations(x) || !is_elicitation(doc, message->method))
        return;
    name_by_id(x, doc, message->id);
    remember(x, "question", doc, message->params);
}

/* Stores the schemas of all elicitations in an InputRequiredResult.  There are at most
 * limits.batch of them: each entry costs a slot of the table. */
void cupel_gw_remember_input_requests(struct cupel_gw_exchange *x, struct cupel_document *doc,
                                      uint32_t result, struct cupel_gw_text method,
                                      struct cupel_gw_text tool)
{
    uint32_t inputs = member(doc, result, "inputRequests");
    if (!remembers_elicitations(x) || x->policy->profile < CUPEL_MCP_2026_07_28 ||
        inputs == CUPEL_NO_NODE || cupel_json_type(doc, inputs) != CUPEL_JSON_OBJECT ||
        cupel_json_count(doc, inputs) > x->policy->limits.batch)
        return;
    for (uint32_t key = cupel_json_first(doc, inputs); key != CUPEL_NO_NODE;
         key = cupel_json_next(doc, inputs, key + 1)) {
        if (!is_elicitation(doc, member(doc, key + 1, "method")))
            continue;
        name_by_state(x, doc, result, method, tool, key);
        remember(x, "input", doc, member(doc, key + 1, "params"));
    }
}

/* -- Answers --------------------------------------------------------------------------------- */

static enum cupel_gw_step refuse(struct cupel_gw_exchange *x, const char *reason, const char *why)
{
    x->request.verdict = "elicitation-invalid";
    x->request.reason = reason;
    if (x->policy->mode == CUPEL_GW_REPORT)
        return CUPEL_GW_PASS;
    return cupel_gw_answer_error(x, 400, NULL, -32602, why);
}

static enum cupel_gw_step undecided(struct cupel_gw_exchange *x, enum cupel_status status)
{
    x->request.verdict = "elicitation-undecided";
    x->request.reason = cupel_status_name(status);
    if (x->policy->mode == CUPEL_GW_REPORT || x->policy->undecided == CUPEL_GW_PASS_IT)
        return CUPEL_GW_PASS;
    return cupel_gw_answer_error(x, 400, NULL, -32603,
                                 "The answer to the elicitation could not be checked");
}

void cupel_gw_free_elicitation_programs(struct cupel_gw_worker *worker)
{
    for (size_t i = 0; i < CUPEL_GW_ELICITATION_PROGRAMS; i++) {
        cupel_program_free(worker->elicitations[i].program);
        cupel_text_free(&worker->elicitations[i].schema);
    }
    cupel_scratch_free(worker->scratch);
}

/* Returns the program of a schema from the worker's last ones, or compiles it in place of the
 * oldest.  A server sends one schema to many users, so most answers find their program. */
static enum cupel_status find_program(struct cupel_gw_worker *worker, struct cupel_gw_text schema,
                                      const struct cupel_program **ret)
{
    struct cupel_options options = worker->options;
    for (size_t i = 0; i < CUPEL_GW_ELICITATION_PROGRAMS; i++) {
        const struct cupel_gw_elicitation_program *known = &worker->elicitations[i];
        if (known->program != NULL && known->schema.len == schema.len &&
            memcmp(known->schema.bytes, schema.bytes, schema.len) == 0) {
            *ret = known->program;
            return CUPEL_OK;
        }
    }
    struct cupel_gw_elicitation_program *question = &worker->elicitations[worker->next_elicitation];
    worker->next_elicitation = (worker->next_elicitation + 1) % CUPEL_GW_ELICITATION_PROGRAMS;
    cupel_program_free(question->program);
    question->program = NULL;
    cupel_text_clear(&question->schema);
    cupel_text_add(&question->schema, schema.bytes, schema.len);
    if (question->schema.failed)
        return CUPEL_E_NO_MEMORY;
    options.flags |= CUPEL_ASSERT_FORMAT | CUPEL_NO_REPORT;
    enum cupel_status status =
        cupel_compile(schema.bytes, schema.len, &options, &question->program, NULL);
    *ret = question->program;
    return status;
}

/* Validates the content of an accepted elicitation.  Returns PASS, or REFUSE with x->answer, and
 * notes verdict and reason in x->request.  A schema that does not compile makes the answer
 * undecided. */
static enum cupel_gw_step judge_content(struct cupel_gw_exchange *x, struct cupel_gw_text schema,
                                        struct cupel_document *doc, uint32_t content)
{
    struct cupel_gw_worker *worker = x->worker;
    const struct cupel_program *program = NULL;
    struct cupel_outcome outcome = {.reason = CUPEL_OK};
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    enum cupel_status status = find_program(worker, schema, &program);
    if (status == CUPEL_OK && worker->scratch == NULL)
        status = cupel_scratch_new(&worker->options, &worker->scratch);
    if (status == CUPEL_OK)
        verdict = cupel_validate_node(program, worker->scratch, doc, content, &outcome);
    x->request.steps += outcome.steps;
    if (verdict == CUPEL_VALID)
        return CUPEL_GW_PASS;
    if (verdict == CUPEL_INVALID)
        return refuse(x, "elicitation",
                      "The content does not conform to the schema of the elicitation");
    return undecided(x, status != CUPEL_OK ? status : outcome.reason);
}

/* Judges one answer: the object at `result` has `action`, and with "accept" `content`.  The
 * question's name is in worker->key.  Only answers to elicitations have an action; anything else
 * that is not known passes here, because a client also answers sampling and roots requests. */
static enum cupel_gw_step judge_answer(struct cupel_gw_exchange *x, const char *purpose,
                                       struct cupel_document *doc, uint32_t result)
{
    struct cupel_gw_text schema = {"", 0};
    uint32_t action = member(doc, result, "action"), content = member(doc, result, "content");
    enum cupel_status status = recall(x, purpose, &schema);
    if (status == CUPEL_E_NO_MEMORY)
        return undecided(x, status);
    if (status != CUPEL_OK && action != CUPEL_NO_NODE &&
        x->policy->unattributed == CUPEL_GW_REFUSE_IT)
        return refuse(x, "unattributed", "The answer belongs to no elicitation that is known");
    if (status != CUPEL_OK || schema.len == 0)
        return CUPEL_GW_PASS;
    if (action == CUPEL_NO_NODE)
        return refuse(x, "elicitation", "The answer to the elicitation has no action");
    if (!cupel_json_is(doc, action, "accept"))
        return CUPEL_GW_PASS;
    if (content == CUPEL_NO_NODE)
        return refuse(x, "elicitation", "The accepted elicitation has no content");
    return judge_content(x, schema, doc, content);
}

enum cupel_gw_step cupel_gw_elicitation_answer(struct cupel_gw_exchange *x,
                                               struct cupel_document *doc, uint32_t node)
{
    uint32_t result = member(doc, node, "result"), id = member(doc, node, "id");
    if (!x->policy->elicitation || result == CUPEL_NO_NODE || id == CUPEL_NO_NODE)
        return CUPEL_GW_PASS;
    name_by_id(x, doc, id);
    return judge_answer(x, "question", doc, result);
}

/* Judges each answer in `inputResponses` and stops at the first that is refused.  The number of
 * answers is bounded by limits.batch, for each costs a MAC and a look into shared memory. */
enum cupel_gw_step cupel_gw_elicitation_inputs(struct cupel_gw_exchange *x,
                                               struct cupel_document *doc, uint32_t params,
                                               struct cupel_gw_text method,
                                               struct cupel_gw_text tool)
{
    uint32_t inputs = member(doc, params, "inputResponses");
    enum cupel_gw_step step = CUPEL_GW_PASS;
    if (!x->policy->elicitation || x->policy->profile < CUPEL_MCP_2026_07_28 ||
        inputs == CUPEL_NO_NODE || cupel_json_type(doc, inputs) != CUPEL_JSON_OBJECT)
        return CUPEL_GW_PASS;
    if (cupel_json_count(doc, inputs) > x->policy->limits.batch)
        return refuse(x, "too-large", "The request answers too many requests of the server");
    for (uint32_t key = cupel_json_first(doc, inputs);
         key != CUPEL_NO_NODE && step == CUPEL_GW_PASS;
         key = cupel_json_next(doc, inputs, key + 1)) {
        name_by_state(x, doc, params, method, tool, key);
        step = judge_answer(x, "input", doc, key + 1);
    }
    return step;
}
