/* schema.c: schemas from files: compiled, with all their faults, and the places of their keywords.
 *
 * The library knows schemas by URI and JSON Pointer.  Here both become a file with a line and a
 * column: of the schema's own file, and of the files of --ref. */
#include "cli/cli.h"

#include <cupel/debug.h>
#include <stdlib.h>
#include <string.h>

/* Bounds the second reading of a schema, for warnings. */
enum { MOST_CHECKED = 4 << 20 };

/* -- Patterns ---------------------------------------------------------------------------------- */

/* Warns of patterns that only the lenient grammar of ECMA-262 allows: other engines may reject them
 * or match something else. */
static void warn_of_patterns(const char *file, const struct cupel_program *program)
{
    struct cupel_pattern_info pattern;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (uint32_t i = 0; cupel_program_pattern(program, i, &pattern) == CUPEL_OK; i++) {
        if (!pattern.lenient)
            continue;
        cupel_text_clear(&text);
        cupel_text_add_json(&text, pattern.text, pattern.len);
        cli_line(stderr, "%s: warning[PATTERN]: not ECMA-262 with the u flag: %.*s", file,
                 (int)text.len, text.bytes);
    }
    cupel_text_free(&text);
}

/* -- Faults ------------------------------------------------------------------------------------ */

/* The file that a URI was resolved to, or NULL. */
static const struct cli_ref *find_ref(const struct cli_refs *refs, const char *uri, size_t len)
{
    enum { CUT = 100 }; /* errors name documents by so much of their URI */
    for (size_t i = 0; i < refs->count; i++) {
        const struct cli_ref *ref = &refs->refs[i];
        size_t whole = strlen(ref->uri);
        if (ref->loaded && (whole == len || (len == CUT && whole > len)) &&
            memcmp(ref->uri, uri, len) == 0)
            return ref;
    }
    return NULL;
}

/* Prints faults as cupel_schema_check() finds them. */
struct faults {
    const struct cli_schema *schema;
    enum cupel_rendering rendering;
    struct cupel_text *out; /* of what is not for people; those have the standard error */
    uint32_t errors;
    bool warnings; /* only warnings are printed: the schema is accepted */
};

/* Adds why a reference was not resolved to a file. */
static void explain_reference(const struct cli_refs *refs, struct cupel_fault *fault)
{
    static const char general[] = "no schema has this";
    char *at = strstr(fault->detail, general);
    if (fault->status != CUPEL_E_UNRESOLVED_REF || at == NULL || refs->why[0] == '\0' ||
        fault->detail[1] == '/') /* '/x' is mostly meant as '#/x' */
        return;
    snprintf(at, (size_t)(fault->detail + sizeof(fault->detail) - at), "%s", refs->why);
    if (refs->help[0] != '\0')
        snprintf(fault->help, sizeof(fault->help), "%s", refs->help);
}

static void render(const struct faults *f, const struct cupel_fault *fault)
{
    const struct cli_ref *ref =
        find_ref(&f->schema->settings->refs, fault->document, strlen(fault->document));
    const struct cli_file *file = ref != NULL ? &ref->file : &f->schema->file;
    struct cupel_render_options options;
    struct cupel_text human;
    struct cupel_fault explained = *fault;
    struct cupel_error err = {.status = fault->status, .offset = fault->offset};
    bool other = fault->document[0] != '\0' && ref == NULL;
    cupel_render_options_init(&options);
    options.file = other ? fault->document : file->name;
    memcpy(err.detail, fault->detail, sizeof(err.detail));
    err.detail[sizeof(err.detail) - 1] = '\0';
    memcpy(err.where, fault->where, sizeof(err.where));
    if (!other && cli_is_read_status(fault->status) && !fault->is_warning)
        cupel_text_explain(file->text.bytes, file->text.len, &err, &explained);
    explain_reference(&f->schema->settings->refs, &explained);
    other |= ref != NULL && ref->hidden;
    bool people = f->rendering == CUPEL_RENDER_HUMAN || fault->is_warning;
    cupel_text_init(&human, NULL);
    cupel_render_fault(people ? CUPEL_RENDER_HUMAN : f->rendering, &explained,
                       other ? NULL : file->text.bytes, file->text.len, &options,
                       people ? &human : f->out);
    if (people)
        cli_flush_to(stderr, &human);
    cupel_text_free(&human);
}

/* Takes from the check of a file of --ref the fault that the schema stumbled over. */
static int take_same(void *ctx, const struct cupel_fault *fault)
{
    struct cupel_fault *same = ctx;
    if (fault->is_warning || fault->offset != same->offset || fault->document[0] != '\0')
        return 0;
    struct cupel_fault taken = *fault;
    memcpy(taken.document, same->document, sizeof(taken.document));
    *same = taken;
    return 1;
}

static int on_fault(void *ctx, const struct cupel_fault *fault)
{
    struct faults *f = ctx;
    bool json = f->rendering == CUPEL_RENDER_JSON, sarif = f->rendering == CUPEL_RENDER_SARIF;
    if (f->warnings && !fault->is_warning)
        return 1; /* the errors follow the warnings */
    if (!fault->is_warning && f->errors++ > 0 && (json || sarif))
        cupel_text_adds(f->out, json ? "," : ",\n");
    struct cupel_fault whole = *fault;
    const struct cli_ref *ref =
        find_ref(&f->schema->settings->refs, fault->document, strlen(fault->document));
    if (ref != NULL && fault->document[0] != '\0') {
        struct cupel_options options = f->schema->settings->engine;
        options.base_uri = strstr(ref->uri, ":") != NULL ? ref->uri : NULL;
        cupel_schema_check(ref->file.text.bytes, ref->file.text.len, &options, take_same, &whole);
    }
    render(f, &whole);
    return 0;
}

static bool is_for_people(enum cupel_rendering rendering)
{
    return rendering == CUPEL_RENDER_HUMAN || rendering == CUPEL_RENDER_MODEL ||
           rendering >= CUPEL_RENDER_FLAG;
}

/* Prints all faults of a schema that was refused. */
static void print_faults(const struct cli_schema *schema, const struct cupel_error *err,
                         enum cupel_rendering rendering, struct cupel_text *out)
{
    struct faults f = {.schema = schema, .rendering = rendering, .out = out};
    const struct cli_file *file = &schema->file;
    if (is_for_people(rendering))
        f.rendering = CUPEL_RENDER_HUMAN;
    bool json = f.rendering == CUPEL_RENDER_JSON;
    if (json) {
        cupel_text_adds(out, "{\"file\":");
        cupel_text_add_json(out, file->name, strlen(file->name));
        cli_json_number(out, "line", 1);
        cli_json_string(out, "verdict", "refused");
        cli_json_string(out, "reason", cupel_status_name(err->status));
        cupel_text_adds(out, ",\"errors\":[");
    }
    cupel_schema_check(file->text.bytes, file->text.len, &schema->settings->engine, on_fault, &f);
    if (f.errors == 0) { /* the check itself had no memory */
        cli_schema_error(file->name, err);
    }
    if (json)
        cupel_text_adds(out, "]}\n");
}

static void print_warnings(const struct cli_schema *schema)
{
    struct faults f = {
        .schema = schema, .rendering = CUPEL_RENDER_HUMAN, .warnings = true, .out = NULL};
    if (!schema->settings->quiet && schema->file.text.len <= MOST_CHECKED)
        cupel_schema_check(schema->file.text.bytes, schema->file.text.len,
                           &schema->settings->engine, on_fault, &f);
}

/* -- Places ------------------------------------------------------------------------------------ */

/* The node that a JSON Pointer leads to, or CUPEL_NO_NODE.  Steps are compared unescaped. */
static uint32_t follow(struct cupel_document *doc, const char *pointer, size_t len)
{
    uint32_t node = 0;
    char step[1024];
    for (size_t i = 0; i < len && node != CUPEL_NO_NODE;) {
        size_t n = 0, index = 0;
        bool number = true;
        for (i++; i < len && pointer[i] != '/'; i++) {
            char c = pointer[i];
            if (c == '~' && i + 1 < len)
                c = pointer[++i] == '1' ? '/' : '~';
            if (n == sizeof(step))
                return CUPEL_NO_NODE;
            step[n++] = c;
            number = number && c >= '0' && c <= '9' && n < 9;
            index = number ? index * 10 + (size_t)(c - '0') : 0;
        }
        if (cupel_json_type(doc, node) == CUPEL_JSON_OBJECT) {
            node = cupel_json_member(doc, node, step, n);
            continue;
        }
        uint32_t array = node;
        node = number && n > 0 && cupel_json_type(doc, array) == CUPEL_JSON_ARRAY
                   ? cupel_json_first(doc, array)
                   : CUPEL_NO_NODE;
        for (; index > 0 && node != CUPEL_NO_NODE; index--)
            node = cupel_json_next(doc, array, node);
    }
    return node;
}

/* Reads a file of schemas once, for positions. */
static struct cupel_document *document_of(struct cli_schema *s, const struct cli_file *file,
                                          struct cupel_document **cache)
{
    struct cupel_options options = s->settings->engine;
    options.limits[CUPEL_LIMIT_BODY_BYTES] = SIZE_MAX;
    options.limits[CUPEL_LIMIT_DEPTH] = UINT32_MAX;
    if (*cache == NULL && cupel_document_new(&options, cache) == CUPEL_OK &&
        cupel_document_read(*cache, file->text.bytes, file->text.len, NULL) != CUPEL_OK) {
        cupel_document_free(*cache);
        *cache = NULL;
    }
    return *cache;
}

/* A cupel_schema_place whose context is a struct cli_schema.  A document of --ref is known by the
 * URI given there. */
int cli_schema_place(void *ctx, const char *uri, size_t uri_len, const char *pointer,
                     size_t pointer_len, const char **ret_file, uint32_t *ret_line,
                     uint32_t *ret_column)
{
    struct cli_schema *s = ctx;
    const struct cli_file *file = &s->file;
    struct cli_line_index *lines = &s->lines;
    struct cupel_document **cache = &s->doc;
    if (uri_len > 0) {
        const struct cli_ref *ref = find_ref(&s->settings->refs, uri, uri_len);
        if (ref == NULL)
            return -1;
        if (s->ref != ref) {
            cupel_document_free(s->ref_doc);
            cli_line_index_free(&s->ref_lines);
            s->ref_lines = (struct cli_line_index){.text = &ref->file.text};
            s->ref_doc = NULL;
            s->ref = ref;
        }
        file = &ref->file;
        lines = &s->ref_lines;
        cache = &s->ref_doc;
    }
    struct cupel_document *doc = document_of(s, file, cache);
    uint32_t node = doc != NULL ? follow(doc, pointer, pointer_len) : CUPEL_NO_NODE;
    if (node == CUPEL_NO_NODE)
        return -1;
    *ret_file = file->name;
    cli_line_index_find(lines, (size_t)cupel_json_offset(doc, node), ret_line, ret_column);
    return 0;
}

/* -- Schemas ----------------------------------------------------------------------------------- */

int cli_schema_open(struct cli_schema *ret, struct cli_settings *settings, const char *path,
                    enum cupel_rendering rendering, struct cupel_text *out)
{
    struct cupel_error err;
    memset(ret, 0, sizeof(*ret));
    ret->settings = settings;
    int begun = cli_refs_begin(&settings->refs, path, &settings->engine);
    if (begun != CLI_VALID || !cli_read(path, &ret->file))
        return begun != CLI_VALID ? begun : CLI_INPUT;
    ret->lines = (struct cli_line_index){.text = &ret->file.text};
    memset(&err, 0, sizeof(err));
    err.status = cupel_compile(ret->file.text.bytes, ret->file.text.len, &settings->engine,
                               &ret->program, &err);
    if (err.status != CUPEL_OK) {
        print_faults(ret, &err, rendering, out);
        return err.status == CUPEL_E_INTERNAL ? CLI_INTERNAL : CLI_SCHEMA;
    }
    print_warnings(ret);
    warn_of_patterns(ret->file.name, ret->program);
    return CLI_VALID;
}

void cli_schema_close(struct cli_schema *s)
{
    cupel_program_free(s->program);
    cupel_document_free(s->doc);
    cupel_document_free(s->ref_doc);
    cli_line_index_free(&s->lines);
    cli_line_index_free(&s->ref_lines);
    cli_file_free(&s->file);
}

int cli_compile_file(struct cli_settings *settings, const char *path, struct cupel_program **ret)
{
    struct cli_schema schema;
    int status = cli_schema_open(&schema, settings, path, CUPEL_RENDER_HUMAN, NULL);
    *ret = schema.program;
    schema.program = NULL;
    cli_schema_close(&schema);
    return status;
}
