/* target.c: tools that a program declares, with arguments from strangers.
 *
 * The input has five parts with zero bytes between them: name, description, constraints of a field,
 * an output schema, and arguments.  What must hold whatever they are: a declaration is JSON or is
 * refused; arguments that a call with them was found valid with fill in the struct, or have a
 * number that it does not hold. */
#include "../target.h"
#include <cupel/cupel.h>
#include <stdio.h>
#include <string.h>

#define SEARCH_FIELDS(F)                                                    \
    F(string, query, required, "the text to search for", "\"minLength\":1") \
    F(integer, most, optional, "how many matches to return", "")            \
    F(number, weight, optional, "", "")                                     \
    F(boolean, exact, optional, "match case exactly", "")
CUPEL_ARGUMENTS(search, SEARCH_FIELDS)

enum { PARTS = 5, PART_BYTES = 512 };

/* The input's parts, each ended by a zero byte; the last one may hold some. */
struct input {
    char parts[PARTS][PART_BYTES];
    size_t len; /* of the last */
};

static void split(const uint8_t *data, size_t size, struct input *in)
{
    memset(in, 0, sizeof *in);
    for (int i = 0; i < PARTS; i++) {
        const uint8_t *zero = i + 1 < PARTS && size > 0 ? memchr(data, 0, size) : NULL;
        size_t n = zero != NULL ? (size_t)(zero - data) : size;
        in->len = n < PART_BYTES - 1 ? n : PART_BYTES - 1;
        if (in->len > 0)
            memcpy(in->parts[i], data, in->len);
        n += zero != NULL;
        data += n;
        size -= n;
    }
}

static struct cupel_document *read(const char *text, size_t len)
{
    struct cupel_document *doc = NULL;
    require(cupel_document_new(NULL, &doc) == CUPEL_OK);
    if (cupel_document_read(doc, text, len, NULL) == CUPEL_OK)
        return doc;
    cupel_document_free(doc);
    return NULL;
}

/* Arguments as they come, and as a call that the catalog has found valid. */
static void decode(const struct cupel_arguments *arguments, const struct cupel_catalog *catalog,
                   const char *name, struct cupel_document *doc, const char *text, size_t len)
{
    struct search search = {.query = {NULL, 0}};
    struct cupel_call_context *caller = NULL;
    struct cupel_text request, answer;
    enum cupel_status status = cupel_arguments_decode(arguments, doc, 0, &search);
    require(status == CUPEL_OK || (search.query.bytes == NULL && !search.has_most));
    cupel_text_init(&request, NULL);
    cupel_text_init(&answer, NULL);
    require(cupel_call_context_new(NULL, &caller) == CUPEL_OK);
    cupel_text_adds(
        &request, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":");
    cupel_text_add_json(&request, name, strlen(name));
    cupel_text_adds(&request, ",\"arguments\":");
    cupel_text_add(&request, text, len);
    cupel_text_adds(&request, "}}");
    if (cupel_call_check(catalog, caller, request.bytes, request.len, NULL, &answer, NULL, NULL,
                         NULL) == CUPEL_CALL_VALID)
        require(status == CUPEL_OK || status == CUPEL_E_LIMIT_NUMBER);
    cupel_call_context_free(caller);
    cupel_text_free(&request);
    cupel_text_free(&answer);
}

static void check(const struct cupel_declared_tool *tool, const struct cupel_arguments *arguments,
                  struct input *in)
{
    struct cupel_catalog *catalog = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_arguments_schema_write(arguments, &text);
    cupel_text_clear(&text);
    cupel_declared_list_write(tool, 1, &text);
    require(cupel_declared_tool_find(tool, 1, tool->name, strlen(tool->name)) == tool);
    enum cupel_status status = cupel_declared_catalog_new(tool, 1, NULL, &catalog, NULL);
    require(status != CUPEL_E_INTERNAL && (status == CUPEL_OK) == (catalog != NULL));
    struct cupel_document *doc = read(in->parts[PARTS - 1], in->len);
    if (catalog != NULL) {
        struct cupel_document *list = read(text.bytes, text.len);
        require(list != NULL);
        cupel_document_free(list);
    }
    if (catalog != NULL && doc != NULL)
        decode(arguments, catalog, tool->name, doc, in->parts[PARTS - 1], in->len);
    cupel_document_free(doc);
    cupel_catalog_free(catalog);
    cupel_text_free(&text);
}

static struct cupel_field fields[4];
static struct cupel_arguments declared;

static const struct cupel_arguments *declared_arguments(void)
{
    return &declared;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct input in; /* large; the engines call from one thread */
    split(data, size, &in);
    memcpy(fields, search_arguments()->fields, sizeof fields);
    fields[1].description = in.parts[1];
    fields[1].constraints = in.parts[2];
    declared = (struct cupel_arguments){fields, 4, sizeof(struct search)};
    const struct cupel_declared_tool tool = {.name = in.parts[0],
                                             .description = in.parts[1],
                                             .arguments = declared_arguments,
                                             .output_schema =
                                                 in.parts[3][0] != '\0' ? in.parts[3] : NULL};
    check(&tool, &declared, &in);
    return 0;
}
