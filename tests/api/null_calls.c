/* null_calls.c: what may be NULL.  Each function of the public headers is called with NULL for each
 * of its pointers in turn, in a process of its own; docs/hosts.md, "NULL", has the rule.
 *
 * null_calls.py writes the calls and the table of rows from the headers.  Here are the samples that
 * stand for the other arguments, and the comparison of results. */
#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <cupel/gateway.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The result of a call, in memory that the process of the call shares with the one that compares.
 */
struct result {
    int returned; /* the call came back */
    intptr_t value;
    size_t text_len;          /* of the text that it appended to */
    int out_changed;          /* it wrote through a pointer to a result */
    enum cupel_status reason; /* in its outcome; -1 if it was not written */
    char call_reason[16];     /* likewise; "" if it was not written */
};

enum returns {
    RETURNS_VOID,
    RETURNS_INT,
    RETURNS_SIZE_T,
    RETURNS_UINT32_T,
    RETURNS_UINT64_T,
    RETURNS_POINTER,
    RETURNS_CUPEL_STATUS,
    RETURNS_CUPEL_VERDICT,
    RETURNS_CUPEL_CALL_VERDICT,
    RETURNS_CUPEL_RESULT_VERDICT,
    RETURNS_CUPEL_REPAIR_RESULT,
    RETURNS_CUPEL_TOOL_VERDICT,
    RETURNS_CUPEL_JSON_TYPE
};

struct row {
    const char *function, *parameter;
    void (*call)(int null, struct result *result);
    int null; /* the number of the parameter */
    int may_be_null;
    enum returns returns;
};

/* -- Samples ---------------------------------------------------------------------------------- */

static const char schema_text[] =
    "{\"title\":\"t\",\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"^b\"}}}";
static const char list_text[] =
    "{\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}}}]}";
static const char call_text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                                "\"params\":{\"name\":\"add\",\"arguments\":{}}}";
static const char list_request_text[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}";
static const char result_text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}";
static const char capabilities_text[] = "{\"capabilities\":{\"tools\":{}}}";
static const char column_base[] = "{}";

static union {
    max_align_t align;
    unsigned char bytes[4096];
} out; /* what a call returns through pointers */
static struct cupel_text text, second_text, image_text, lock_file;
static struct cupel_error detail;
static struct cupel_outcome outcome;
static struct cupel_call_outcome call_outcome;
static struct cupel_result_outcome result_outcome;

#define ADDING_FIELDS(F) F(string, a, optional, "a text", "")
CUPEL_ARGUMENTS(adding, ADDING_FIELDS)
static struct adding decoded;
static const struct cupel_declared_tool declared[] = {
    {.name = "add", .arguments = adding_arguments}};

static void need(int good, const char *what)
{
    if (!good) {
        printf("cannot make %s\n", what);
        exit(1);
    }
}

static struct cupel_document *read_document(const char *json)
{
    struct cupel_document *doc = NULL;
    need(cupel_document_new(NULL, &doc) == CUPEL_OK, "a document");
    need(cupel_document_read(doc, json, strlen(json), NULL) == CUPEL_OK, json);
    return doc;
}

static struct cupel_document *sample_struct_cupel_document_p(void)
{
    return read_document("{\"a\":\"b\",\"c\":1}");
}

static struct cupel_document *sample_list(void)
{
    return read_document(list_text);
}

static struct cupel_document *sample_message(void)
{
    return read_document(call_text);
}

static struct cupel_document *sample_result(void)
{
    return read_document(result_text);
}

static struct cupel_document *sample_open_object(void)
{
    struct cupel_document *doc = read_document("1");
    cupel_document_begin(doc);
    need(cupel_document_open_object(doc) == CUPEL_OK, "an object");
    return doc;
}

static struct cupel_document *sample_open_array(void)
{
    struct cupel_document *doc = read_document("1");
    cupel_document_begin(doc);
    need(cupel_document_open_array(doc) == CUPEL_OK, "an array");
    return doc;
}

static struct cupel_document *sample_complete(void)
{
    struct cupel_document *doc = read_document("1");
    cupel_document_begin(doc);
    need(cupel_document_add_null(doc) == CUPEL_OK, "a value");
    return doc;
}

static const struct cupel_document *sample_const_struct_cupel_document_p(void)
{
    return sample_struct_cupel_document_p();
}

/* Nodes of the documents above; the number is the same in each copy. */
static uint32_t node_of(struct cupel_document *doc, const char *name)
{
    uint32_t node = cupel_json_member(doc, 0, name, strlen(name));
    cupel_document_free(doc);
    return node;
}

static uint32_t string_node(void)
{
    return node_of(sample_struct_cupel_document_p(), "a");
}

static uint32_t number_node(void)
{
    return node_of(sample_struct_cupel_document_p(), "c");
}

static uint32_t result_node(void)
{
    return node_of(sample_result(), "result");
}

static uint32_t tool_node(void)
{
    struct cupel_document *doc = sample_list();
    uint32_t tool = cupel_json_first(doc, cupel_json_member(doc, 0, "tools", 5));
    cupel_document_free(doc);
    return tool;
}

static uint32_t tool_schema_node(void)
{
    struct cupel_document *doc = sample_list();
    uint32_t schema = cupel_json_member(doc, tool_node(), "inputSchema", 11);
    cupel_document_free(doc);
    return schema;
}

static struct cupel_program *compile_with(uint32_t flags)
{
    struct cupel_program *made = NULL;
    struct cupel_options options;
    cupel_options_init(&options);
    options.flags |= flags;
    need(cupel_compile(schema_text, strlen(schema_text), &options, &made, NULL) == CUPEL_OK,
         "a program");
    return made;
}

static struct cupel_program *new_program(void)
{
    return compile_with(0);
}

static const struct cupel_program *annotated(void)
{
    return compile_with(CUPEL_ANNOTATIONS);
}

static const struct cupel_program *sample_const_struct_cupel_program_p(void)
{
    return new_program();
}

static struct cupel_scratch *new_scratch(void)
{
    struct cupel_scratch *made = NULL;
    need(cupel_scratch_new(NULL, &made) == CUPEL_OK, "a scratch");
    return made;
}

/* A scratch that has a report. */
static struct cupel_scratch *sample_struct_cupel_scratch_p(void)
{
    struct cupel_scratch *made = new_scratch();
    struct cupel_program *program = new_program();
    need(cupel_validate(program, made, "{\"a\":1}", 7, NULL) == CUPEL_INVALID &&
             cupel_report_run(program, made, NULL, 0, 0, NULL) == CUPEL_INVALID,
         "a report");
    return made;
}

static const struct cupel_scratch *sample_const_struct_cupel_scratch_p(void)
{
    return sample_struct_cupel_scratch_p();
}

static struct cupel_catalog *new_catalog(void)
{
    struct cupel_catalog *made = NULL;
    need(cupel_catalog_new(NULL, &made) == CUPEL_OK &&
             cupel_catalog_add(made, list_text, strlen(list_text), NULL) == CUPEL_OK,
         "a catalog");
    return made;
}

static const struct cupel_catalog *sample_const_struct_cupel_catalog_p(void)
{
    return new_catalog();
}

static const struct cupel_tool *sample_const_struct_cupel_tool_p(void)
{
    return cupel_catalog_tool(new_catalog(), 0);
}

/* A context that has judged a call. */
static struct cupel_call_context *sample_struct_cupel_call_context_p(void)
{
    struct cupel_call_context *made = NULL;
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    need(cupel_call_context_new(NULL, &made) == CUPEL_OK &&
             cupel_call_check(new_catalog(), made, call_text, strlen(call_text), NULL, &answer,
                              NULL, NULL, NULL) == CUPEL_CALL_VALID,
         "a call");
    return made;
}

static struct cupel_slot *new_slot(void)
{
    struct cupel_slot *made = NULL;
    need(cupel_slot_new(1, NULL, &made) == CUPEL_OK, "a slot");
    return made;
}

static struct cupel_slot *sample_struct_cupel_slot_p(void)
{
    struct cupel_slot *made = new_slot();
    need(cupel_slot_publish_program(made, new_program()) == CUPEL_OK, "a slot");
    return made;
}

static struct cupel_lock *sample_struct_cupel_lock_p(void)
{
    struct cupel_lock *made = NULL;
    need(cupel_lock_new(new_catalog(), &made, NULL) == CUPEL_OK, "a lock");
    return made;
}

static const struct cupel_lock *sample_const_struct_cupel_lock_p(void)
{
    return sample_struct_cupel_lock_p();
}

static struct cupel_argument_schema *sample_struct_cupel_argument_schema_p(void)
{
    struct cupel_argument_schema *made = NULL;
    need(cupel_argument_schema_new("{\"a\":{\"type\":\"string\"}}", 23, NULL, &made, NULL) ==
             CUPEL_OK,
         "an argument schema");
    return made;
}

static const struct cupel_argument_schema *sample_const_struct_cupel_argument_schema_p(void)
{
    return sample_struct_cupel_argument_schema_p();
}

static const void *image(void)
{
    size_t len;
    return cupel_program_image(new_program(), &len);
}

static size_t image_len(void)
{
    size_t len;
    (void)cupel_program_image(new_program(), &len);
    return len;
}

static const void *catalog_image(void)
{
    cupel_text_clear(&image_text);
    need(cupel_catalog_save(new_catalog(), &image_text, NULL, NULL) == CUPEL_OK, "an image");
    return image_text.bytes;
}

static size_t catalog_image_len(void)
{
    (void)catalog_image();
    return image_text.len;
}

static const char *lock_text(void)
{
    cupel_text_clear(&lock_file);
    cupel_lock_save(sample_const_struct_cupel_lock_p(), &lock_file);
    return lock_file.bytes;
}

#define SAMPLE_OPTIONS(kind)                                       \
    static const struct kind *sample_const_struct_##kind##_p(void) \
    {                                                              \
        static struct kind options;                                \
        kind##_init(&options);                                     \
        return &options;                                           \
    }
SAMPLE_OPTIONS(cupel_options)
SAMPLE_OPTIONS(cupel_catalog_options)
SAMPLE_OPTIONS(cupel_request_options)
SAMPLE_OPTIONS(cupel_render_options)
SAMPLE_OPTIONS(cupel_argument_schema_options)

#define SAMPLE_ZERO(type, name) \
    static type *name(void)     \
    {                           \
        static type zero;       \
        return &zero;           \
    }
SAMPLE_ZERO(const struct cupel_alloc, sample_const_struct_cupel_alloc_p)
SAMPLE_ZERO(const struct cupel_fault, sample_const_struct_cupel_fault_p)
SAMPLE_ZERO(const struct cupel_persona, sample_const_struct_cupel_persona_p)
SAMPLE_ZERO(const struct cupel_result_listener, sample_const_struct_cupel_result_listener_p)

static const struct cupel_error *sample_const_struct_cupel_error_p(void)
{
    static struct cupel_error error;
    struct cupel_document *doc = read_document("1");
    need(cupel_document_read(doc, "{", 1, &error) != CUPEL_OK, "an error");
    return &error;
}

static const struct cupel_arguments *sample_const_struct_cupel_arguments_p(void)
{
    return adding_arguments();
}

static const struct cupel_declared_tool *sample_const_struct_cupel_declared_tool_p(void)
{
    return declared;
}

static const int64_t *sample_const_int64_t_p(void)
{
    static const int64_t offsets[] = {0, 2};
    return offsets;
}

static struct cupel_text *sample_struct_cupel_text_p(void)
{
    return &text;
}

static int find(void *ctx, uint64_t ref, const void **ret_image, size_t *ret_len)
{
    (void)ctx, (void)ref, (void)ret_image, (void)ret_len;
    return 1;
}

static int keep(void *ctx, const char *schema, size_t schema_len, const void *bytes, size_t len,
                uint64_t *ret_ref)
{
    (void)ctx, (void)schema, (void)schema_len, (void)bytes, (void)len, (void)ret_ref;
    return 1;
}

static int on_annotation(void *ctx, const struct cupel_annotation *one)
{
    (void)ctx, (void)one;
    return 0;
}

static int on_argument_problem(void *ctx, const struct cupel_argument_problem *one)
{
    (void)ctx, (void)one;
    return 0;
}

static int on_change(void *ctx, const struct cupel_change *one)
{
    (void)ctx, (void)one;
    return 0;
}

static int on_fault(void *ctx, const struct cupel_fault *one)
{
    (void)ctx, (void)one;
    return 0;
}

static int on_problem(void *ctx, const struct cupel_problem *one)
{
    (void)ctx, (void)one;
    return 0;
}

static int on_rule_problem(void *ctx, const struct cupel_rule_problem *one)
{
    (void)ctx, (void)one;
    return 0;
}

static int on_call(void *ctx, const char *message, size_t len, enum cupel_call_verdict verdict,
                   const struct cupel_call_outcome *one, const struct cupel_text *answer)
{
    (void)ctx, (void)message, (void)len, (void)verdict, (void)one, (void)answer;
    return 0;
}

#include "null_calls.inc"

/* -- Running and comparing -------------------------------------------------------------------- */

static void run(const struct row *row, int null, struct result *result)
{
    memset(result, 0, sizeof *result);
    fflush(stdout);
    pid_t child = fork();
    need(child >= 0, "a process");
    if (child > 0) {
        int status;
        need(waitpid(child, &status, 0) == child, "a process");
        result->returned = result->returned && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        return;
    }
    memset(out.bytes, 0x5a, sizeof out.bytes);
    outcome.reason = (enum cupel_status) - 1;
    row->call(null, result);
    result->text_len = text.len;
    result->reason = outcome.reason;
    for (size_t i = 0; i < sizeof out.bytes; i++)
        result->out_changed |= out.bytes[i] != 0x5a;
    const char *reason = call_outcome.reason ? call_outcome.reason : result_outcome.reason;
    if (reason)
        strncpy(result->call_reason, reason, sizeof result->call_reason - 1);
    result->returned = 1;
    _exit(0);
}

/* Whether a result refuses the arguments: with CUPEL_E_ARGUMENT where the function has a way to say
 * so, otherwise by the value for nothing, with nothing written. */
static int is_refusal(const struct row *row, const struct result *result)
{
    const intptr_t value = result->value;
    const int reason_fits =
        (result->reason == (enum cupel_status) - 1 || result->reason == CUPEL_E_ARGUMENT) &&
        (result->call_reason[0] == 0 || strcmp(result->call_reason, "ARGUMENT") == 0);
    switch (row->returns) {
    case RETURNS_CUPEL_STATUS:
        return value == CUPEL_E_ARGUMENT && !result->out_changed && result->text_len == 0;
    case RETURNS_CUPEL_VERDICT:
        return value == CUPEL_UNDECIDED && reason_fits;
    case RETURNS_CUPEL_CALL_VERDICT:
        return value == CUPEL_CALL_UNDECIDED && reason_fits;
    case RETURNS_CUPEL_RESULT_VERDICT:
        return value == CUPEL_RESULT_UNDECIDED && reason_fits;
    case RETURNS_CUPEL_REPAIR_RESULT:
        return value == CUPEL_REPAIR_UNDECIDED && reason_fits;
    case RETURNS_CUPEL_TOOL_VERDICT:
        return value == CUPEL_TOOL_INVALID;
    case RETURNS_INT:
        return value == 0 || value == -1;
    case RETURNS_UINT32_T:
        return value == 0 || value == (intptr_t)UINT32_MAX;
    default:
        return value == 0 && result->text_len == 0;
    }
}

/* Whether a result accepts the arguments.  It need not be that of the call without NULL: another
 * document or catalog may have another verdict. */
static int is_accepted(const struct row *row, const struct result *result)
{
    return row->returns < RETURNS_CUPEL_STATUS || row->returns == RETURNS_CUPEL_JSON_TYPE ||
           !is_refusal(row, result);
}

int main(void)
{
    int passed = 0, failed = 0;
    struct result *base =
        mmap(NULL, 2 * sizeof *base, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    need(base != MAP_FAILED, "shared memory");
    struct result *result = base + 1;
    cupel_text_init(&text, NULL);
    cupel_text_init(&second_text, NULL);
    cupel_text_init(&image_text, NULL);
    cupel_text_init(&lock_file, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        const char *wrong = NULL;
        run(row, -1, base);
        run(row, row->null, result);
        if (!base->returned)
            wrong = "does not return, without NULL";
        else if (!is_accepted(row, base))
            wrong = "refuses the samples, without NULL";
        else if (!result->returned)
            wrong = "does not return";
        else if (row->may_be_null && !is_accepted(row, result))
            wrong = "refuses it";
        else if (!row->may_be_null && !is_refusal(row, result))
            wrong = "does not refuse it";
        passed += wrong == NULL;
        failed += wrong != NULL;
        if (wrong)
            printf("%s: NULL for %s: %s (result %ld, text %zu, written %d, reason %d %s)\n",
                   row->function, row->parameter, wrong, (long)result->value, result->text_len,
                   result->out_changed, result->reason, result->call_reason);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
