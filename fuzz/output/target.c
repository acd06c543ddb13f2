/* target.c: whatever schema and instance hold, what is said of them.
 *
 * The input is a schema, a zero byte, and an instance.  Beyond what sanitizers see:
 *   - verdict and report agree, and INVALID comes with a problem;
 *   - every rendering is valid UTF-8 without control characters, marks of direction or line
 *     separators, keeps to its bound, and is the same again;
 *   - those that are JSON are;
 *   - the faults of a schema or text that is refused are as clean, in every rendering;
 *   - a repair makes a valid instance of an invalid one, and leaves the verdict on that alone. */
#include "../choice.h"
#include "../kept.h"
#include "base/utf8.h"
#include <cupel/cupel.h>
#include <stdbool.h>
#include <string.h>

struct setup {
    uint32_t choice;
    const struct cupel_options *options;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_document *doc;
};

/* Line ends are the only control characters that a rendering may have; \t and the like are not. */
static void check_clean(const char *text, size_t len)
{
    require(cupel__utf8_check(text, len) == len);
    for (size_t i = 0; i < len; i++) {
        const unsigned char *p = (const unsigned char *)text + i;
        require((*p >= 0x20 || *p == '\n') && *p != 0x7f);
        if (*p == 0xe2 && p[1] == 0x80)
            require(!(p[2] >= 0x8b && p[2] <= 0x8f) && !(p[2] >= 0xa8 && p[2] <= 0xae));
        require(!(*p == 0xe2 && p[1] == 0x81 && p[2] >= 0xa0 && p[2] <= 0xaf));
        require(!(*p == 0xc2 && p[1] < 0xa0));
    }
}

/* With the flags of the instance: a value with duplicate names may be repeated. */
static void check_json(const struct setup *s, const char *text, size_t len)
{
    struct cupel_options options;
    struct cupel_document *doc;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = (size_t)1 << 28;
    options.limits[CUPEL_LIMIT_DEPTH] = 1 << 16;
    options.flags = s->options->flags & CUPEL_ALLOW_DUPLICATE_KEYS;
    require(cupel_document_new(&options, &doc) == CUPEL_OK);
    require(cupel_document_read(doc, text, len, NULL) == CUPEL_OK);
    cupel_document_free(doc);
}

static const enum cupel_rendering renderings[] = {
    CUPEL_RENDER_MODEL,       CUPEL_RENDER_TOOL_RESULT, CUPEL_RENDER_HUMAN,   CUPEL_RENDER_JSON,
    CUPEL_RENDER_GITHUB,      CUPEL_RENDER_SARIF,       CUPEL_RENDER_JUNIT,   CUPEL_RENDER_FLAG,
    CUPEL_RENDER_BASIC,       CUPEL_RENDER_DETAILED,    CUPEL_RENDER_VERBOSE, CUPEL_RENDER_LIST,
    CUPEL_RENDER_HIERARCHICAL};
enum { RENDERINGS = sizeof renderings / sizeof *renderings };

/* Finds some keywords, in a file with a hostile name. */
static int find_place(void *ctx, const char *uri, size_t uri_len, const char *pointer,
                      size_t pointer_len, const char **ret_file, uint32_t *ret_line,
                      uint32_t *ret_column)
{
    (void)ctx;
    (void)uri;
    require(pointer_len == 0 || pointer[0] == '/');
    *ret_file = "s\x1b\n.json";
    *ret_line = 1 + (uint32_t)pointer_len;
    *ret_column = 1;
    return uri_len % 2 == 0 ? 0 : -1;
}

static enum cupel_verdict render(struct setup *s, enum cupel_rendering rendering, size_t bytes,
                                 struct cupel_text *text)
{
    struct cupel_render_options options;
    struct cupel_outcome outcome;
    cupel_render_options_init(&options);
    options.tool = "t\x1b\"";
    options.tool_len = 3;
    options.bytes = bytes;
    options.flags = (bytes % 3 ? 0 : CUPEL_SHOW_VALUES) | (bytes % 7 ? 0 : CUPEL_OUTPUT_RESULT) |
                    (bytes % 2 ? 0 : CUPEL_DOCUMENT);
    options.schema_place = bytes % 2 ? find_place : NULL;
    options.schema_place_ctx = s;
    options.file = bytes % 7 ? NULL : "a\x1b:\n::b";
    options.line = (uint32_t)bytes;
    options.base = bytes % 3 ? NULL : "http://x/y";
    options.problems = bytes % 5 ? options.problems : 2;
    cupel_text_clear(text);
    return cupel_render(s->program, s->scratch, s->doc, 0, rendering, &options, text, &outcome);
}

static void check_rendering(struct setup *s, enum cupel_rendering rendering, size_t bytes,
                            enum cupel_verdict verdict)
{
    struct cupel_text text, again;
    cupel_text_init(&text, NULL);
    cupel_text_init(&again, NULL);
    if (rendering == CUPEL_RENDER_SARIF)
        cupel_text_adds(&text, "");
    enum cupel_verdict got = render(s, rendering, bytes, &text);
    require(got == verdict || got == CUPEL_UNDECIDED);
    if (got != CUPEL_UNDECIDED) {
        bool quoted = rendering == CUPEL_RENDER_TOOL_RESULT;
        require(text.len <= (quoted ? 2 * bytes : bytes));
        check_clean(text.len > 0 ? text.bytes : "", text.len);
        if (chosen(s->choice / 32, 0, 4))
            require(render(s, rendering, bytes, &again) == got && again.len == text.len &&
                    (text.len == 0 || memcmp(text.bytes, again.bytes, text.len) == 0));
        bool json = rendering == CUPEL_RENDER_JSON || rendering >= CUPEL_RENDER_FLAG ||
                    (quoted && text.len > 0);
        if (json)
            check_json(s, text.bytes, text.len);
        if (rendering == CUPEL_RENDER_MODEL && got == CUPEL_INVALID)
            require(text.len > 0);
    }
    cupel_text_free(&text);
    cupel_text_free(&again);
}

static void check_repair(struct setup *s, enum cupel_verdict verdict)
{
    struct cupel_text patch, value;
    struct cupel_outcome outcome;
    cupel_text_init(&patch, NULL);
    cupel_text_init(&value, NULL);
    enum cupel_repair_result result =
        cupel_repair(s->program, s->scratch, s->doc, 0, &patch, &value, &outcome);
    require(result == CUPEL_REPAIR_UNDECIDED ||
            (result == CUPEL_REPAIR_NOT_NEEDED) == (verdict == CUPEL_VALID));
    require((result == CUPEL_REPAIRED) == (value.len > 0));
    if (result == CUPEL_REPAIRED) {
        char *copy = ways_text(s->options, value.bytes, value.len);
        enum cupel_verdict repaired =
            cupel_validate(s->program, s->scratch, copy, value.len, &outcome);
        require(repaired == CUPEL_VALID);
        free(copy);
        check_json(s, patch.bytes, patch.len);
    }
    enum cupel_verdict again = cupel_validate_node(s->program, s->scratch, s->doc, 0, &outcome);
    require(again == verdict);
    cupel_text_free(&patch);
    cupel_text_free(&value);
}

/* What is said of a record: the same twice would cost its steps twice, so it is only looked at. */
static void check_record(const struct setup *s, uint32_t i, struct cupel_text *text)
{
    struct cupel_record record;
    cupel_report_record(s->scratch, i, &record);
    require(record.code != CUPEL_P_NONE && cupel_problem_id(record.code)[0] != '\0');
    cupel_text_clear(text);
    cupel_report_write(s->scratch, i, CUPEL_RECORD_INSTANCE, NULL, text);
    cupel_report_write(s->scratch, i, CUPEL_RECORD_SCHEMA, NULL, text);
    cupel_report_write(s->scratch, i, CUPEL_RECORD_ABSOLUTE, "http://x/", text);
    cupel_report_write(s->scratch, i, CUPEL_RECORD_EVALUATION, NULL, text);
    cupel_report_write(s->scratch, i, CUPEL_RECORD_KEYWORD, NULL, text);
    cupel_report_write(s->scratch, i, CUPEL_RECORD_SENTENCE, NULL, text);
    require(!text->failed && cupel__utf8_check(text->bytes, text->len) == text->len);
}

static void check_records(const struct setup *s)
{
    struct cupel_text text;
    struct cupel_report_counts counts;
    cupel_report_count(s->scratch, &counts);
    cupel_text_init(&text, NULL);
    for (uint32_t i = 0; i < counts.records; i++)
        check_record(s, i, &text);
    for (uint32_t i = 0; i < counts.problems; i++)
        require(cupel_report_problem(s->scratch, i) < counts.records);
    require(counts.problems <= counts.records && (counts.records > 0 || counts.lost == 0));
    cupel_text_free(&text);
}

/* What SARIF and JUNIT have around it, and in place of a report that is not there. */
static void check_frame(enum cupel_rendering rendering, enum cupel_verdict verdict)
{
    const struct cupel_error err = {.status = CUPEL_E_LIMIT_STEPS, .detail = "a\x1b\"<::"};
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_render_begin(rendering, &text);
    if (verdict == CUPEL_UNDECIDED)
        cupel_render_status(rendering, &err, NULL, &text);
    cupel_render_end(rendering, &text);
    check_clean(text.len > 0 ? text.bytes : "", text.len);
    cupel_text_free(&text);
}

static int take_annotation(void *ctx, const struct cupel_annotation *annotation)
{
    const struct setup *s = ctx;
    require(annotation->keyword[0] != '\0' && annotation->line > 0 && annotation->column > 0);
    require(cupel_json_offset(s->doc, annotation->node) == annotation->offset);
    check_json(s, annotation->value, strlen(annotation->value));
    return 0;
}

static void check_annotations(struct setup *s, enum cupel_verdict verdict)
{
    struct cupel_outcome outcome;
    enum cupel_verdict got =
        cupel_annotate(s->program, s->scratch, s->doc, 0, take_annotation, s, &outcome);
    require(got == verdict || got == CUPEL_UNDECIDED);
    require(outcome.reason != CUPEL_E_INTERNAL && outcome.reason != CUPEL_E_ARGUMENT);
}

/* Bounds of a rendering; render() derives the options from them: multiples of three show values. */
static const size_t sizes[] = {300, 2101, 14708, 102957};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void check(struct setup *s)
{
    static const uint32_t reports[] = {0, CUPEL_REPORT_PROBLEMS, CUPEL_REPORT_ANNOTATIONS};
    struct cupel_outcome outcome;
    enum cupel_verdict verdict = cupel_validate_node(s->program, s->scratch, s->doc, 0, &outcome);
    check_frame(renderings[s->choice % RENDERINGS], verdict);
    if (verdict == CUPEL_UNDECIDED)
        return;
    enum cupel_verdict report =
        cupel_report_run(s->program, s->scratch, s->doc, 0, reports[s->choice / 8 % 3], &outcome);
    require(report == verdict || report == CUPEL_UNDECIDED);
    struct cupel_report_counts counts;
    cupel_report_count(s->scratch, &counts);
    require((counts.problems > 0) == (report == CUPEL_INVALID));
    if (chosen(s->choice / 2, 0, 2))
        check_records(s);
    if (chosen(s->choice / 2, 1, 2))
        check_annotations(s, verdict);
    for (uint32_t r = 0; r < RENDERINGS; r++)
        for (uint32_t way = 0; way < SIZES; way++)
            if (chosen(s->choice >> r, way, SIZES * 8))
                check_rendering(s, renderings[r], sizes[way], verdict);
    check_repair(s, verdict);
}

/* A text and one of its faults, in every rendering. */
struct faulty {
    const char *text;
    size_t len;
};

static int check_fault(void *ctx, const struct cupel_fault *fault)
{
    const struct faulty *of = ctx;
    struct cupel_text text;
    require(fault->detail[0] != '\0' && fault->kind[0] != '\0');
    require(fault->document[0] != '\0' || fault->offset <= of->len);
    for (uint32_t r = 0; r < RENDERINGS; r++) {
        cupel_text_init(&text, NULL);
        cupel_render_fault(renderings[r], fault, of->text, of->len, NULL, &text);
        check_clean(text.len > 0 ? text.bytes : "", text.len);
        cupel_text_free(&text);
    }
    return 0;
}

static void check_unreadable(const char *text, size_t len, const struct cupel_error *err)
{
    struct faulty of = {text, len};
    struct cupel_fault fault;
    cupel_text_explain(text, len, err, &fault);
    require(fault.offset <= len && fault.length <= len - fault.offset);
    check_fault(&of, &fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct kept of;
    static struct cupel_program *program; /* of that schema; NULL: it was refused */
    struct pair in = pair_split(data, size);
    struct cupel_options options;
    pair_chosen(&options, in.options ^ 1u << WAYS_ANNOTATIONS);
    if (!kept_is(&of, &in)) {
        cupel_program_free(program);
        program = NULL;
        (void)cupel_compile(in.schema, in.schema_len, &options, &program, NULL);
    }
    struct faulty schema = {in.schema, in.schema_len};
    if (program == NULL) {
        require(cupel_schema_check(in.schema, in.schema_len, &options, check_fault, &schema) !=
                CUPEL_OK);
        return 0;
    }
    struct setup s = {.choice = in.way, .options = &options, .program = program};
    char *text = ways_text(&options, in.text, in.text_len);
    require(cupel_document_new(&options, &s.doc) == CUPEL_OK);
    require(cupel_scratch_new(&options, &s.scratch) == CUPEL_OK);
    struct cupel_error err;
    if (cupel_document_read(s.doc, text, in.text_len, &err) == CUPEL_OK)
        check(&s);
    else
        check_unreadable(text, in.text_len, &err);
    cupel_scratch_free(s.scratch);
    cupel_document_free(s.doc);
    free(text);
    return 0;
}
