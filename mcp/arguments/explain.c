/* explain.c: the messages of the argument schema, in the words and the order of its specification.
 *
 * Runs only for arguments that the verdict program found invalid.  The report program of each value
 * says which keyword failed, so the meaning of a constraint is defined once; this file maps
 * keywords to messages.  The texts of the five messages are fixed by the specification.
 *
 * One value or element can have these problems, in this order:
 *
 *     a required argument is missing
 *     the argument must be an array
 *     the type is wrong
 *     the length or the value is out of bounds
 *     the value is none of the enum */
#include "mcp/arguments/arguments.h"
#include "mcp/json/traversal.h"

#include <cupel/report.h>
#include <string.h>

/* The state of an explanation. */
struct explain {
    const struct cupel_argument_schema *args;
    struct cupel_scratch *scratch;
    struct cupel_document *doc;
    struct cupel_text *text;
    cupel_on_argument_problem *on_problem;
    void *ctx;
    const struct cupel__arg_property *property;
    uint32_t count; /* of problems */
    bool stopped;
    enum cupel_status failure;
};

/* The keywords that failed for one value. */
struct faults {
    bool type;
    bool broken[CUPEL__ARG_SETS][CUPEL__ARG_KEYWORDS];
};

/* -- Faults of a value ------------------------------------------------------------------------ */

/* Records a problem by the location of its keyword: /type, /minLength, /allOf/0/minLength. */
static int record_fault(void *ctx, const struct cupel_problem *problem)
{
    static const char second[] = "/allOf/0";
    struct faults *faults = ctx;
    const char *where = problem->schema;
    bool nested = strncmp(where, second, sizeof(second) - 1) == 0;
    where += nested ? sizeof(second) - 1 : 0;
    where += *where == '/';
    faults->type |= strcmp(where, "type") == 0;
    for (int k = 0; k < CUPEL__ARG_KEYWORDS; k++)
        if (strcmp(where, cupel__arg_keyword_name((enum cupel__arg_keyword)k)) == 0)
            faults->broken[nested][k] = true;
    return 0;
}

/* Whether a value is valid for the property; otherwise *faults is filled in. */
static bool is_valid_value(struct explain *e, uint32_t node, struct faults *faults)
{
    const struct cupel_program *program = e->property->value;
    struct cupel_outcome outcome;
    if (program == NULL)
        return true;
    enum cupel_verdict verdict = cupel_validate_node(program, e->scratch, e->doc, node, &outcome);
    if (verdict == CUPEL_INVALID) {
        memset(faults, 0, sizeof(*faults));
        verdict = cupel_report(program, e->scratch, e->doc, node, record_fault, faults, &outcome);
    }
    if (verdict == CUPEL_UNDECIDED) {
        e->failure = outcome.reason;
        e->stopped = true;
    }
    return verdict != CUPEL_INVALID;
}

/* -- Messages --------------------------------------------------------------------------------- */

/* Reports the message in e->text.  `index` is the index of an element, or -1. */
static void report(struct explain *e, uint32_t node, int64_t index)
{
    struct cupel_text *text = e->text;
    size_t len = text->len;
    cupel_text_add(text, "", 1);
    if (e->property != NULL)
        cupel__pointer_add_token(text, e->property->name, e->property->name_len);
    if (index >= 0)
        cupel_text_addf(text, "/%lld", (long long)index);
    cupel_text_add(text, "", 1);
    if (text->failed) {
        e->failure = CUPEL_E_NO_MEMORY;
        e->stopped = true;
        return;
    }
    struct cupel_argument_problem problem = {.message = text->bytes,
                                             .message_len = len,
                                             .argument = "",
                                             .path = text->bytes + len + 1,
                                             .node = node};
    if (e->property != NULL) {
        problem.argument = e->property->name;
        problem.argument_len = e->property->name_len;
    }
    e->count++;
    e->stopped = e->on_problem(e->ctx, &problem) != 0 ||
                 e->count >= e->args->engine.limits[CUPEL_LIMIT_ERRORS];
}

/* Starts a message about the property, or about an element of it. */
static void open_message(struct explain *e, const char *before, int64_t index)
{
    cupel_text_clear(e->text);
    cupel_text_adds(e->text, before);
    cupel_text_add(e->text, e->property->name, e->property->name_len);
    if (index >= 0)
        cupel_text_addf(e->text, "[%lld]", (long long)index);
    cupel_text_adds(e->text, "'");
}

static void report_type(struct explain *e, uint32_t node, int64_t index)
{
    static const char *const nouns[] = {"", "a string", "an integer", "a number", "a boolean"};
    open_message(e, "argument '", index);
    cupel_text_addf(e->text, " must be %s", nouns[e->property->type]);
    report(e, node, index);
}

/* Reports a constraint that failed, with its bound in the spelling of the schema. */
static void report_constraint(struct explain *e, uint32_t node, int64_t index,
                              enum cupel__arg_keyword keyword, const char *bound)
{
    static const char *const asks[] = {
        " string length must be >= ", " string length must be <= ", " value must be >= ",
        " value must be <= ", " must be one of the enum values"};
    open_message(e, "argument '", index);
    cupel_text_adds(e->text, asks[keyword]);
    cupel_text_adds(e->text, bound);
    report(e, node, index);
}

/* Reports the faults of a value.  A wrong type suppresses the others; equal constraints of two sets
 * give one message. */
static void report_faults(struct explain *e, uint32_t node, int64_t index,
                          const struct faults *faults)
{
    if (faults->type) {
        report_type(e, node, index);
        return;
    }
    const struct cupel__arg_set *sets = e->property->sets;
    for (int k = 0; k < CUPEL__ARG_KEYWORDS; k++) {
        const char *last = NULL;
        for (int s = 0; s < CUPEL__ARG_SETS && !e->stopped; s++) {
            const char *bound = sets[s].bounds[k] != NULL ? sets[s].bounds[k] : "";
            if (!faults->broken[s][k] || (last != NULL && strcmp(last, bound) == 0))
                continue;
            report_constraint(e, node, index, (enum cupel__arg_keyword)k, bound);
            last = bound;
        }
    }
}

/* -- Arguments -------------------------------------------------------------------------------- */

static void explain_value(struct explain *e, uint32_t node, int64_t index)
{
    struct faults faults;
    if (!is_valid_value(e, node, &faults))
        report_faults(e, node, index, &faults);
}

/* Explains one property: absent though required, no array where one is needed, or the faults of
 * its value or of each element. `node` is CUPEL_NO_NODE for an absent value. */
static void explain_argument(struct explain *e, uint32_t node)
{
    bool nulls = e->args->options.flags & CUPEL_ARGS_NULL_IS_ABSENT;
    if (nulls && node != CUPEL_NO_NODE && cupel_json_type(e->doc, node) == CUPEL_JSON_NULL)
        node = CUPEL_NO_NODE;
    if (node == CUPEL_NO_NODE) {
        if (!e->property->required)
            return;
        open_message(e, "missing required argument '", -1);
        report(e, node, -1);
    } else if (!e->property->array) {
        explain_value(e, node, -1);
    } else if (cupel_json_type(e->doc, node) != CUPEL_JSON_ARRAY) {
        open_message(e, "argument '", -1);
        cupel_text_adds(e->text, " must be an array");
        report(e, node, -1);
    } else {
        int64_t index = 0;
        uint32_t element = cupel_json_first(e->doc, node);
        for (; element != CUPEL_NO_NODE && !e->stopped;
             element = cupel_json_next(e->doc, node, element))
            explain_value(e, element, index++);
    }
}

/* Finds the value of each property in one pass over the arguments. */
static void find_values(const struct explain *e, uint32_t object, uint32_t *ret_values)
{
    for (uint32_t i = 0; i < e->args->count; i++)
        ret_values[i] = CUPEL_NO_NODE;
    if (object == CUPEL_NO_NODE)
        return;
    uint32_t key = cupel_json_first(e->doc, object);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(e->doc, object, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(e->doc, key, &len);
        const struct cupel__mcp_name *found = cupel__mcp_names_find(&e->args->names, name, len);
        if (found != NULL)
            ret_values[found->value] = key + 1;
    }
}

/* Explains all properties in the order of the schema. Allocates only for more than FEW
 * properties. */
static void explain_object(struct explain *e, uint32_t object)
{
    enum { FEW = 64 };
    const struct cupel_alloc *alloc = &e->args->pool.alloc;
    uint32_t few[FEW], *values = few, count = e->args->count;
    size_t size = count * sizeof(*values);
    if (count > FEW)
        values = alloc->realloc(alloc->ctx, NULL, 0, size);
    if (values == NULL) {
        e->failure = CUPEL_E_NO_MEMORY;
        return;
    }
    find_values(e, object, values);
    for (uint32_t i = 0; i < count && !e->stopped; i++) {
        e->property = &e->args->properties[i];
        explain_argument(e, values[i]);
    }
    if (values != few)
        alloc->realloc(alloc->ctx, values, size, 0);
}

/* Invalid arguments without a message would be a bug: CUPEL_E_INTERNAL. Otherwise returns why
 * messages are missing, or CUPEL_OK. */
enum cupel_status cupel__arg_explain(const struct cupel_argument_schema *args,
                                     struct cupel_scratch *scratch, struct cupel_document *doc,
                                     uint32_t node, struct cupel_text *text,
                                     cupel_on_argument_problem *on_problem, void *ctx)
{
    struct explain e = {.args = args,
                        .scratch = scratch,
                        .doc = doc,
                        .text = text,
                        .on_problem = on_problem,
                        .ctx = ctx,
                        .failure = CUPEL_OK};
    if (node != CUPEL_NO_NODE && cupel_json_type(doc, node) != CUPEL_JSON_OBJECT) {
        cupel_text_clear(text);
        cupel_text_adds(text, "arguments must be an object");
        report(&e, node, -1);
    } else {
        explain_object(&e, node);
    }
    return e.count == 0 && e.failure == CUPEL_OK ? CUPEL_E_INTERNAL : e.failure;
}
