/* vectors.c: the vectors of tool records, read where they lie: names, IDs, versions, tags, and what
 * the validator of schemas says.
 *
 * usage: vectors FILE
 *
 * Each member of the file that is known here is an array of cases.  A case gives `expect`, and
 * perhaps `recommended` where ours is to be another answer than the one observed; either will do.
 */
#include "../../mcp/definition/tool_id.h"
#include "test.h"
#include <cupel/cupel.h>

static struct cupel_document *doc;

static uint32_t get(uint32_t node, const char *key)
{
    return cupel_json_member(doc, node, key, strlen(key));
}

/* A string member; NULL if it is none. */
static const char *get_string(uint32_t node, const char *key, size_t *ret_len)
{
    uint32_t member = get(node, key);
    *ret_len = 0;
    return member != CUPEL_NO_NODE ? cupel_json_string(doc, member, ret_len) : NULL;
}

/* -- Catalogs of one tool --------------------------------------------------------------------- */

static struct cupel_catalog *catalog_of(const struct cupel_text *definition)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    struct cupel_text list;
    cupel_catalog_options_init(&options);
    options.flags = CUPEL_CATALOG_STRICT_NAMES | CUPEL_CATALOG_STRICT_DIALECTS;
    cupel_text_init(&list, NULL);
    cupel_text_adds(&list, "[");
    cupel_text_add(&list, definition->bytes, definition->len);
    cupel_text_adds(&list, "]");
    bool ok = cupel_catalog_new(&options, &catalog) == CUPEL_OK &&
              cupel_catalog_add(catalog, list.bytes, list.len, NULL) == CUPEL_OK;
    cupel_text_free(&list);
    if (ok)
        return catalog;
    cupel_catalog_free(catalog);
    return NULL;
}

/* -- Names ------------------------------------------------------------------------------------ */

static const struct {
    const char *words; /* of the error that the vectors give … */
    const char *rule;  /* … and the rule that is ours */
} classes[] = {
    {"name is required", "name-length"},
    {"exceeds 128", "name-length"},
    {"invalid characters", "name-characters"},
    {"inputSchema is required", "input-schema-missing"},
};

static bool same_words(const char *text, size_t len, const char *words)
{
    char copy[512];
    snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
    return strstr(copy, words) != NULL;
}

/* Whether the first error of the tool is of the class that the words name. */
static bool same_class(const struct cupel_tool *tool, const char *words, size_t len)
{
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
        if (same_words(words, len, classes[i].words))
            return tool->problem_count != 0 && strcmp(tool->problems[0].rule, classes[i].rule) == 0;
    return false;
}

static bool check_name(uint32_t node)
{
    size_t name_len, words_len;
    const char *name = get_string(node, "name", &name_len);
    const char *words = get_string(node, "error", &words_len);
    struct cupel_text definition;
    cupel_text_init(&definition, NULL);
    cupel_text_adds(&definition, "{\"inputSchema\":{\"type\":\"object\"},\"name\":");
    cupel_text_add_json(&definition, name, name_len);
    cupel_text_adds(&definition, "}");
    struct cupel_catalog *catalog = catalog_of(&definition);
    cupel_text_free(&definition);
    if (catalog == NULL)
        return false;
    const struct cupel_tool *tool = cupel_catalog_tool(catalog, 0);
    bool ok = words == NULL
                  ? tool->verdict == CUPEL_TOOL_OK
                  : tool->verdict == CUPEL_TOOL_INVALID && same_class(tool, words, words_len);
    cupel_catalog_free(catalog);
    return ok;
}

/* -- IDs, versions, tags ---------------------------------------------------------------------- */

static bool check_id(uint32_t node)
{
    struct cupel__tool_id id = {0};
    size_t want_len;
    struct cupel_text text;
    const char *want = get_string(node, "id", &want_len);
    id.space = get_string(node, "namespace", &id.space_len);
    id.name = get_string(node, "name", &id.name_len);
    id.version = get_string(node, "version", &id.version_len);
    cupel_text_init(&text, NULL);
    cupel__tool_id_write(&id, &text);
    bool ok = text.len == want_len && memcmp(text.bytes, want, want_len) == 0;
    cupel_text_free(&text);
    return ok;
}

static bool same_part(uint32_t node, const char *bytes, size_t len)
{
    size_t want_len;
    const char *want = cupel_json_string(doc, node, &want_len);
    return want != NULL && len == want_len && (len == 0 || memcmp(bytes, want, len) == 0);
}

static bool check_parsed(uint32_t node)
{
    struct cupel__tool_id id;
    size_t len;
    const char *text = get_string(node, "id", &len);
    uint32_t parsed = get(node, "parsed");
    enum cupel_status status = cupel__tool_id_read(text, len, &id);
    if (cupel_json_type(doc, parsed) == CUPEL_JSON_NULL)
        return status == CUPEL_E_ARGUMENT;
    uint32_t space = cupel_json_first(doc, parsed);
    uint32_t name = cupel_json_next(doc, parsed, space);
    uint32_t version = cupel_json_next(doc, parsed, name);
    return status == CUPEL_OK && same_part(space, id.space, id.space_len) &&
           same_part(name, id.name, id.name_len) &&
           (version == CUPEL_NO_NODE || same_part(version, id.version, id.version_len));
}

static bool check_version(uint32_t node)
{
    size_t len;
    const char *version = get_string(node, "version", &len);
    return cupel__tool_version_valid(version, len) == cupel_json_boolean(doc, get(node, "valid"));
}

static void add_tags(struct cupel_tags *tags, uint32_t list)
{
    uint32_t node = cupel_json_first(doc, list);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(doc, list, node)) {
        size_t len;
        const char *tag = cupel_json_string(doc, node, &len);
        cupel__tags_add(tags, tag, len);
    }
}

static bool check_tags(uint32_t node)
{
    struct cupel_tags tags = {0}, again = {0};
    uint32_t want = get(node, "out"), index = 0;
    add_tags(&tags, get(node, "in"));
    add_tags(&again, want);
    bool ok = tags.count == cupel_json_count(doc, want) && again.count == tags.count;
    uint32_t item = cupel_json_first(doc, want);
    for (; ok && item != CUPEL_NO_NODE; item = cupel_json_next(doc, want, item), index++)
        ok = same_part(item, tags.tags[index].bytes, tags.tags[index].len) &&
             strcmp(tags.tags[index].bytes, again.tags[index].bytes) == 0;
    return ok;
}

/* -- Schemas ---------------------------------------------------------------------------------- */

/* "valid", "invalid" or "error" for an instance and a schema, which is taken for an outputSchema:
 * the root of that may be of any type. */
static const char *judge(uint32_t node)
{
    struct cupel_text definition;
    struct cupel_scratch *scratch = NULL;
    size_t len;
    const char *span = cupel_json_span(doc, get(node, "schema"), &len);
    cupel_text_init(&definition, NULL);
    cupel_text_adds(&definition, "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},"
                                 "\"outputSchema\":");
    cupel_text_add(&definition, span, len);
    cupel_text_adds(&definition, "}");
    struct cupel_catalog *catalog = catalog_of(&definition);
    cupel_text_free(&definition);
    if (catalog == NULL || cupel_scratch_new(NULL, &scratch) != CUPEL_OK)
        return "no memory";
    const struct cupel_tool *tool = cupel_catalog_tool(catalog, 0);
    const char *answer = "error";
    span = cupel_json_span(doc, get(node, "instance"), &len);
    if (tool->verdict != CUPEL_TOOL_INVALID && tool->output != NULL) {
        static const char *const names[] = {"valid", "invalid", "undecided"};
        enum cupel_verdict verdict = cupel_validate(tool->output, scratch, span, len, NULL);
        /* The same call gives the same answer. */
        answer = verdict == cupel_validate(tool->output, scratch, span, len, NULL)
                     ? names[verdict]
                     : "now this, now that";
    }
    cupel_scratch_free(scratch);
    cupel_catalog_free(catalog);
    return answer;
}

/* Whether the answer is what the member says; "error:" may be followed by words. */
static bool agrees(uint32_t node, const char *key, const char *answer)
{
    size_t len;
    const char *want = get_string(node, key, &len);
    size_t n = strlen(answer);
    return want != NULL && len >= n && memcmp(want, answer, n) == 0 && (len == n || want[n] == ':');
}

static bool check_schema(uint32_t node)
{
    const char *answer = judge(node);
    return agrees(node, "expect", answer) || agrees(node, "recommended", answer);
}

static bool check_bytes(uint32_t node)
{
    struct cupel_program *program = NULL;
    size_t len;
    const char *schema = get_string(node, "schema_bytes", &len);
    enum cupel_status status = cupel_compile(schema, len, NULL, &program, NULL);
    cupel_program_free(program);
    return agrees(node, "expect", status != CUPEL_OK ? "error" : "valid");
}

/* Cases that are sentences: those that are known here, and any about names of rules. */
static bool check_tool(uint32_t node)
{
    size_t len;
    const char *words = get_string(node, "expect", &len);
    struct cupel_text definition;
    if (words == NULL || len == 0 || !same_words(words, len, "inputSchema is required"))
        return words != NULL; /* what check_schema does anyway */
    cupel_text_init(&definition, NULL);
    cupel_text_adds(&definition, "{\"name\":\"t\"}");
    struct cupel_catalog *catalog = catalog_of(&definition);
    cupel_text_free(&definition);
    const struct cupel_tool *tool = catalog != NULL ? cupel_catalog_tool(catalog, 0) : NULL;
    bool ok = tool != NULL && tool->verdict == CUPEL_TOOL_INVALID && tool->input == NULL &&
              strcmp(tool->problems[0].rule, "input-schema-missing") == 0;
    cupel_catalog_free(catalog);
    return ok;
}

/* -- The file --------------------------------------------------------------------------------- */

static const struct {
    const char *key;
    bool (*check)(uint32_t node);
} kinds[] = {
    {"names", check_name},      {"tool_id", check_id},      {"parse_id", check_parsed},
    {"version", check_version}, {"tags", check_tags},       {"schema_validator", check_schema},
    {"raw_bytes", check_bytes}, {"tool_level", check_tool},
};

static void check_kind(const char *key, bool (*check)(uint32_t node))
{
    uint32_t list = get(0, key);
    uint32_t node = list != CUPEL_NO_NODE ? cupel_json_first(doc, list) : CUPEL_NO_NODE;
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(doc, list, node)) {
        size_t len;
        if (!CHECK(check(node))) {
            const char *span = cupel_json_span(doc, node, &len);
            fprintf(stderr, "    %s: %.*s\n", key, (int)len, span);
        }
    }
}

int main(int argc, char **argv)
{
    struct cupel_text text;
    char chunk[4096];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 2;
    cupel_text_init(&text, NULL);
    for (size_t n; (n = fread(chunk, 1, sizeof(chunk), file)) != 0;)
        cupel_text_add(&text, chunk, n);
    fclose(file);
    if (CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK) &&
        CHECK_INT(cupel_document_read(doc, text.bytes, text.len, NULL), CUPEL_OK))
        for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
            check_kind(kinds[i].key, kinds[i].check);
    cupel_document_free(doc);
    cupel_text_free(&text);
    return test_end();
}
