/* law_entries.h: the entry points that a schema and an instance are given to, with what each
 * charges; for law.c and for the search in fuzz/hard. */
#ifndef CUPEL_TESTS_LAW_ENTRIES_H
#define CUPEL_TESTS_LAW_ENTRIES_H

#include "law.h"
#include <cupel/checks.h>
#include <cupel/pin.h>
#include <stdlib.h>

/* One family, with all that its entry points need. */
struct subject {
    const struct family *family;
    struct cupel_options options;
    struct cupel_text schema, text, tool, out;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_document *document, *schema_document;
    const void *image;
    size_t image_len;
    uint64_t pattern_steps; /* what compiling the patterns has taken */
    enum cupel_verdict verdict;
};

/* -- Entry points
 * ----------------------------------------------------------------------------------- */

static int no_problem(void *ctx, const struct cupel_problem *problem)
{
    (void)ctx, (void)problem;
    return 0;
}

static int no_note(void *ctx, const struct cupel_annotation *note)
{
    (void)ctx, (void)note;
    return 0;
}

static struct charge read_text(void *ctx)
{
    struct subject *s = ctx;
    (void)cupel_document_read(s->document, s->text.bytes, s->text.len, NULL);
    return (struct charge){0, s->text.len};
}

static struct charge compile(void *ctx)
{
    struct subject *s = ctx;
    struct cupel_program *program = NULL;
    uint64_t left = UINT64_MAX / 2;
    s->options.pattern_budget = &left;
    (void)cupel_compile(s->schema.bytes, s->schema.len, &s->options, &program, NULL);
    s->options.pattern_budget = NULL;
    s->pattern_steps = UINT64_MAX / 2 - left;
    cupel_program_free(program);
    return (struct charge){s->pattern_steps, s->schema.len};
}

static struct charge load(void *ctx)
{
    struct subject *s = ctx;
    struct cupel_program *program = NULL;
    uint64_t left = UINT64_MAX / 2;
    s->options.pattern_budget = &left;
    (void)cupel_program_load(s->image, s->image_len, 0, &s->options, &program, NULL);
    s->options.pattern_budget = NULL;
    cupel_program_free(program);
    return (struct charge){UINT64_MAX / 2 - left, s->image_len};
}

static struct charge judge(void *ctx)
{
    struct subject *s = ctx;
    struct cupel_outcome outcome = {.steps = 0};
    s->verdict = cupel_validate_node(s->program, s->scratch, s->document, 0, &outcome);
    return (struct charge){outcome.steps, 0};
}

static struct charge report(void *ctx)
{
    struct subject *s = ctx;
    struct cupel_outcome outcome = {.steps = 0};
    (void)cupel_report(s->program, s->scratch, s->document, 0, no_problem, NULL, &outcome);
    return (struct charge){outcome.steps, 0};
}

static struct charge annotate(void *ctx)
{
    struct subject *s = ctx;
    struct cupel_outcome outcome = {.steps = 0};
    (void)cupel_annotate(s->program, s->scratch, s->document, 0, no_note, NULL, &outcome);
    return (struct charge){outcome.steps, 0};
}

static struct charge render(struct subject *s, enum cupel_rendering rendering)
{
    struct cupel_outcome outcome = {.steps = 0};
    cupel_text_clear(&s->out);
    if (cupel_render(s->program, s->scratch, s->document, 0, rendering, NULL, &s->out, &outcome) ==
        CUPEL_UNDECIDED)
        cupel_text_clear(&s->out);
    return (struct charge){outcome.steps, 0};
}

static struct charge model(void *ctx)
{
    struct subject *s = ctx;
    return render(s, CUPEL_RENDER_MODEL);
}

static struct charge json(void *ctx)
{
    struct subject *s = ctx;
    return render(s, CUPEL_RENDER_JSON);
}

static struct charge human(void *ctx)
{
    struct subject *s = ctx;
    return render(s, CUPEL_RENDER_HUMAN);
}

static struct charge verbose(void *ctx)
{
    struct subject *s = ctx;
    return render(s, CUPEL_RENDER_VERBOSE);
}

static struct charge hierarchical(void *ctx)
{
    struct subject *s = ctx;
    return render(s, CUPEL_RENDER_HIERARCHICAL);
}

static struct charge repair(void *ctx)
{
    struct subject *s = ctx;
    struct cupel_outcome outcome = {.steps = 0};
    if (cupel_repair(s->program, s->scratch, s->document, 0, NULL, NULL, &outcome) ==
        CUPEL_REPAIRED)
        cupel_text_clear(&s->out);
    return (struct charge){outcome.steps, s->text.len};
}

static struct charge catalog(void *ctx)
{
    struct subject *s = ctx;
    struct cupel_catalog *made = NULL;
    if (cupel_catalog_new(NULL, &made) == CUPEL_OK)
        (void)cupel_catalog_add(made, s->tool.bytes, s->tool.len, NULL);
    cupel_catalog_free(made);
    return (struct charge){s->pattern_steps, s->tool.len};
}

static struct charge canonical(void *ctx)
{
    struct subject *s = ctx;
    cupel_text_clear(&s->out);
    (void)cupel_json_canonical_write(s->document, 0, NULL, &s->out);
    return (struct charge){0, s->text.len};
}

static struct charge export_tool(void *ctx)
{
    struct subject *s = ctx;
    uint32_t tools = cupel_json_first(s->schema_document, 0);
    cupel_text_clear(&s->out);
    (void)cupel_target_export(s->schema_document, tools, CUPEL_TARGET_OPENAI_STRICT, &s->options,
                              &s->out, NULL, NULL);
    return (struct charge){0, s->tool.len};
}

enum need { ANY, VALID, INVALID };

static const struct entry {
    const char *name;
    charged_work *work;
    enum need need;
} entries[] = {
    {"reading", read_text, ANY},
    {"compiling", compile, ANY},
    {"loading", load, ANY},
    {"verdict", judge, ANY},
    {"report", report, ANY},
    {"annotations", annotate, VALID},
    {"model", model, INVALID},
    {"json", json, INVALID},
    {"human", human, INVALID},
    {"verbose", verbose, ANY},
    {"hierarchical", hierarchical, ANY},
    {"repair", repair, INVALID},
    {"catalog", catalog, ANY},
    {"canonical", canonical, ANY},
    {"export", export_tool, ANY},
};

/* -- Families
 * --------------------------------------------------------------------------------------- */

static void build(struct subject *s, unsigned n)
{
    const struct family *f = s->family;
    cupel_text_clear(&s->schema);
    cupel_text_clear(&s->text);
    cupel_text_clear(&s->tool);
    shape_build(&s->schema, &f->schema, f->grows & SCHEMA_GROWS ? n : 1);
    shape_build(&s->text, &f->instance, f->grows & INSTANCE_GROWS ? n : 1);
    cupel_text_adds(&s->tool,
                    "[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":");
    cupel_text_add(&s->tool, s->schema.bytes, s->schema.len);
    cupel_text_adds(&s->tool, "}}}]");
}

static bool is_ready(struct subject *s)
{
    cupel_program_free(s->program);
    s->program = NULL;
    if (cupel_document_read(s->document, s->text.bytes, s->text.len, NULL) != CUPEL_OK ||
        cupel_document_read(s->schema_document, s->tool.bytes, s->tool.len, NULL) != CUPEL_OK ||
        cupel_compile(s->schema.bytes, s->schema.len, &s->options, &s->program, NULL) != CUPEL_OK)
        return false;
    s->image = cupel_program_image(s->program, &s->image_len);
    return true;
}

/* The largest size, by doubling, for which the limits allow the schema and both texts have at most
 * so many bytes. */
static bool grow(struct subject *s, size_t most)
{
    unsigned n = s->family->n;
    for (build(s, n); s->schema.len < most && s->text.len < most && n < 1u << 20; n *= 2)
        build(s, 2 * n);
    for (; n > 0; n /= 2) {
        build(s, n);
        if (s->schema.len <= most && s->text.len <= most && is_ready(s))
            return true;
    }
    return false;
}

/* Makes a subject with default limits; the caller sets its family. */
static void begin_subject(struct subject *s)
{
    memset(s, 0, sizeof *s);
    cupel_options_init(&s->options);
    s->options.flags |= CUPEL_ANNOTATIONS;
    struct cupel_text *texts[] = {&s->schema, &s->text, &s->tool, &s->out};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cupel_text_init(texts[i], NULL);
    if (cupel_document_new(&s->options, &s->document) != CUPEL_OK ||
        cupel_document_new(&s->options, &s->schema_document) != CUPEL_OK ||
        cupel_scratch_new(&s->options, &s->scratch) != CUPEL_OK)
        abort();
}

static void end_subject(struct subject *s)
{
    struct cupel_text *texts[] = {&s->schema, &s->text, &s->tool, &s->out};
    cupel_program_free(s->program);
    cupel_scratch_free(s->scratch);
    cupel_document_free(s->document);
    cupel_document_free(s->schema_document);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cupel_text_free(texts[i]);
}

/* Whether an entry point is for the verdict that the subject has; `verdict` comes before those that
 * depend on it. */
static bool is_needed(const struct entry *e, const struct subject *s)
{
    return e->need == ANY || (e->need == VALID && s->verdict == CUPEL_VALID) ||
           (e->need == INVALID && s->verdict == CUPEL_INVALID);
}

#endif
