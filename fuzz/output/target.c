/* target.c: whatever schema and instance hold, what is said of them.
 *
 * The input is a schema, a zero byte, and an instance.  Beyond what sanitizers see:
 *   - verdict and report agree, and INVALID comes with a problem;
 *   - every rendering is valid UTF-8 without control characters, marks of direction or line
 *     separators, keeps to its bound, and is the same again;
 *   - those that are JSON are;
 *   - a repair makes a valid instance of an invalid one, and leaves the verdict on that alone. */
#include "../choice.h"
#include "../kept.h"
#include "utf8.h"
#include <cupel/cupel.h>
#include <stdbool.h>
#include <string.h>

struct setup {
    uint32_t choice;
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

static void check_json(const char *text, size_t len)
{
    struct cupel_options options;
    struct cupel_document *doc;
    cupel_options_init(&options);
    options.limits.body_bytes = (size_t)1 << 28;
    options.limits.depth = 1 << 16;
    require(cupel_document_new(&options, &doc) == CUPEL_OK);
    require(cupel_document_read(doc, text, len, NULL) == CUPEL_OK);
    cupel_document_free(doc);
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
    options.language = bytes % 2 ? CUPEL_GERMAN : CUPEL_ENGLISH;
    options.flags = bytes % 3 ? 0 : CUPEL_SHOW_VALUES;
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
            check_json(text.bytes, text.len);
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
        enum cupel_verdict repaired =
            cupel_validate(s->program, s->scratch, value.bytes, value.len, &outcome);
        require(repaired == CUPEL_VALID);
        check_json(patch.bytes, patch.len);
    }
    enum cupel_verdict again = cupel_validate_node(s->program, s->scratch, s->doc, 0, &outcome);
    require(again == verdict);
    cupel_text_free(&patch);
    cupel_text_free(&value);
}

/* Bounds of a rendering: odd ones are German, multiples of three show values. */
static const size_t sizes[] = {300, 2101, 14708, 102957};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void check(struct setup *s)
{
    struct cupel_outcome outcome;
    enum cupel_verdict verdict = cupel_validate_node(s->program, s->scratch, s->doc, 0, &outcome);
    if (verdict == CUPEL_UNDECIDED)
        return;
    enum cupel_verdict report =
        cupel_report_run(s->program, s->scratch, s->doc, 0, 0, &outcome);
    require(report == verdict || report == CUPEL_UNDECIDED);
    require((cupel_report_problems(s->scratch) > 0) == (report == CUPEL_INVALID));
    for (uint32_t r = CUPEL_RENDER_MODEL; r <= CUPEL_RENDER_HIERARCHICAL; r++)
        for (uint32_t way = 0; way < SIZES; way++)
            if (chosen(s->choice >> r, way, SIZES * 8))
                check_rendering(s, (enum cupel_rendering)r, sizes[way], verdict);
    check_repair(s, verdict);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct kept of;
    static struct cupel_program *program; /* of that schema; NULL: it was refused */
    struct pair in = pair_split(data, size);
    struct cupel_options options;
    pair_options(&options);
    options.flags |= CUPEL_ANNOTATIONS;
    if (!kept_is(&of, &in)) {
        cupel_program_free(program);
        program = NULL;
        (void)cupel_compile(in.schema, in.schema_len, &options, &program, NULL);
    }
    if (program == NULL)
        return 0;
    struct setup s = {.choice = choice_of(data, size), .program = program};
    require(cupel_document_new(&options, &s.doc) == CUPEL_OK);
    require(cupel_scratch_new(&options, &s.scratch) == CUPEL_OK);
    if (cupel_document_read(s.doc, in.text, in.text_len, NULL) == CUPEL_OK)
        check(&s);
    cupel_scratch_free(s.scratch);
    cupel_document_free(s.doc);
    return 0;
}
