/* compile.c: read this to know the compiler.
 *
 *     schema text ─ base/json ─▶ document ─ frontend ─▶ graph ─ lower ─▶ IR ─ passes ─▶ IR ─ emit
 * ─▶ image
 *
 * The report program is emitted from the IR as it was lowered, the verdict program from what the
 * passes made of it.  Both go through the verifier like any image from elsewhere. */
#include "base/arena_allocator.h"
#include "base/error.h"
#include "base/json/document.h"
#include "base/options.h"
#include "compiler/emit/emit.h"
#include "compiler/lower/lower.h"
#include "compiler/passes/passes.h"
#include <cupel/compile.h>
#include <string.h>

#define VALUES  (IR_BIT(IR_CONST) | IR_BIT(IR_ENUM))
#define NAMES   IR_BIT(IR_NAMES)
#define CHOICES (IR_BIT(IR_ANY_OF) | IR_BIT(IR_ONE_OF))

/* A pass that needs some kind of operation has nothing to do where lowering has left none. */
static const struct pass {
    const char *name;
    enum cupel_status (*run)(struct ir_module *);
    uint32_t option;
    uint64_t needs; /* one of these kinds; 0: nothing */
} passes[] = {
    /* decide what the schema alone decides */
    {"fold", cupel__pass_fold, CUPEL_PASS_FOLD, 0},
    /* CONST and ENUM by kind of value */
    {"enum", cupel__pass_enum, CUPEL_PASS_ENUM, VALUES},
    /* what is referred to goes where it is used */
    {"inline", cupel__pass_inline, CUPEL_PASS_INLINE, IR_BITS_IN_PLACE},
    /* UNEVALUATED where the set is known */
    {"unevaluated", cupel__pass_unevaluated, CUPEL_PASS_UNEVALUATED, IR_BIT(IR_UNEVALUATED)},
    /* only the types that arrive matter */
    {"narrow", cupel__pass_narrow, CUPEL_PASS_NARROW, IR_BITS_IN_PLACE | NAMES},
    /* conditions that the value of one member decides */
    {"cases", cupel__pass_cases, CUPEL_PASS_CASES, IR_BIT(IR_IF)},
    /* choices that the type makes */
    {"partition", cupel__pass_partition, CUPEL_PASS_PARTITION, IR_BITS_IN_PLACE},
    /* several walks become one … */
    {"merge", cupel__pass_merge, CUPEL_PASS_MERGE, IR_BITS_IN_PLACE},
    /* … which lets more be decided */
    {"refold", cupel__pass_fold, CUPEL_PASS_FOLD, IR_BITS_IN_PLACE | NAMES | VALUES},
    /* REQUIRED becomes part of the object's walk */
    {"required", cupel__pass_required, CUPEL_PASS_REQUIRED, IR_BIT(IR_REQUIRED)},
    /* which patterns the known names match */
    {"names", cupel__pass_names, CUPEL_PASS_NAMES, IR_BIT(IR_PROPS) | NAMES},
    /* equal schemas become one */
    {"dedupe", cupel__pass_dedupe, CUPEL_PASS_DEDUPE, 0},
    /* which branches the value leaves */
    {"discriminate", cupel__pass_discriminate, CUPEL_PASS_DISCRIMINATE, CHOICES},
    /* where a result is kept, which depends on them */
    {"memo", cupel__pass_memo, CUPEL_PASS_MEMO, 0},
};

/* Everything that lives as long as one compilation. */
struct compilation {
    struct cupel_options options;
    struct cupel__arena arena;
    bool holds_document; /* the arena does */
    struct ir_module ir;
    int64_t pattern_steps; /* that ir had when they were last taken from the budget */
    struct cupel_error *err;
};

static enum cupel_status check_ir(struct compilation *c)
{
#ifndef NDEBUG
    return cupel__ir_check(&c->ir, c->err);
#else
    (void)c;
    return CUPEL_OK;
#endif
}

/* CUPEL_OK, or CUPEL_E_ARGUMENT if the options are refused; then there is nothing to finish. */
static enum cupel_status begin(struct compilation *c, const struct cupel_options *given,
                               struct cupel_error *err)
{
    enum cupel_status s = cupel__options_copy(given, &c->options, err);
    if (s != CUPEL_OK)
        return s;
    c->err = err;
    cupel__arena_init(&c->arena, &c->options.alloc,
                      (size_t)c->options.limits[CUPEL_LIMIT_COMPILE_BYTES]);
    c->holds_document = false;
    cupel__ir_init(&c->ir, &c->arena);
    c->pattern_steps = c->ir.pattern_steps = cupel__pattern_steps(&c->options);
    return CUPEL_OK;
}

static void take_pattern_steps(struct compilation *c)
{
    cupel__pattern_steps_charge(&c->options, c->pattern_steps, c->ir.pattern_steps);
    c->pattern_steps = c->ir.pattern_steps;
}

static void finish(struct compilation *c)
{
    take_pattern_steps(c);
    cupel__arena_free(&c->arena);
}

static enum cupel_status lower(struct compilation *c, struct cupel__doc *doc, uint32_t node)
{
    enum cupel_status s = cupel__lower_schema(&c->ir, doc, node, &c->options, c->err);
    if (s == CUPEL_OK && (s = cupel__ir_mark_tracked(&c->ir)) != CUPEL_OK)
        s = cupel__error_set(c->err, s, "no memory for the schema");
    return s == CUPEL_OK ? check_ir(c) : s;
}

/* Annotations decide nothing. */
static void drop_notes(struct ir_module *m)
{
    if ((m->kinds & IR_BIT(IR_NOTE)) == 0)
        return;
    for (uint32_t i = 0; i < m->nschemas; i++) {
        struct ir_op **link = &m->schemas[i].first;
        while (*link != NULL) {
            if ((*link)->kind == IR_NOTE)
                *link = (*link)->next;
            else
                link = &(*link)->next;
        }
        m->schemas[i].end = link;
    }
}

/* Runs the passes up to and including the one named (NULL: all). */
static enum cupel_status optimise(struct compilation *c, const char *upto)
{
    drop_notes(&c->ir);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        enum cupel_status s = CUPEL_OK;
        bool idle = passes[i].needs != 0 && (passes[i].needs & c->ir.kinds) == 0;
        if ((c->options.passes & passes[i].option) && !idle)
            s = passes[i].run(&c->ir);
        if (s != CUPEL_OK)
            return cupel__error_set(c->err, s, "pass %s", passes[i].name);
        if ((s = check_ir(c)) != CUPEL_OK)
            return s;
        if (upto != NULL && strcmp(upto, passes[i].name) == 0)
            break;
    }
    return CUPEL_OK;
}

/* -- Programs -------------------------------------------------------------------------------------
 */

/* The report program is made of what lowering left, with memos and discriminators, which change
 * nothing that could be told.  There schemas have one use each, unless something refers to them in
 * place.
 */
static enum cupel_status make_report(struct compilation *c, struct emit **ret)
{
    enum cupel_status s = CUPEL_OK;
    if (c->options.flags & CUPEL_NO_REPORT)
        return CUPEL_OK;
    bool shared = (c->ir.kinds & IR_BITS_IN_PLACE) != 0;
    bool choices = (c->ir.kinds & CHOICES) != 0 && (c->options.passes & CUPEL_PASS_DISCRIMINATE);
    if (shared && (c->options.passes & CUPEL_PASS_MEMO) &&
        (s = cupel__pass_memo(&c->ir)) != CUPEL_OK)
        return cupel__error_set(c->err, s, "pass memo");
    if (choices && (s = cupel__pass_discriminate(&c->ir)) != CUPEL_OK)
        return cupel__error_set(c->err, s, "pass choose");
    s = cupel__emit_image(&c->ir, EMIT_REPORT, (size_t)c->options.limits[CUPEL_LIMIT_IMAGE_BYTES],
                          ret, c->err);
    if (choices)
        cupel__ir_drop_discriminators(&c->ir);
    return s;
}

static enum cupel_status make_images(struct compilation *c, struct emit **ret_verdict,
                                     struct emit **ret_report)
{
    enum cupel_status s = make_report(c, ret_report);
    if (s == CUPEL_OK)
        s = optimise(c, NULL);
    if (s == CUPEL_OK)
        s = cupel__emit_image(&c->ir, EMIT_VERDICT,
                              (size_t)c->options.limits[CUPEL_LIMIT_IMAGE_BYTES], ret_verdict,
                              c->err);
    return s;
}

static enum cupel_status make_program(struct compilation *c, struct cupel_program **ret)
{
    struct emit *verdict = NULL, *report = NULL;
    enum cupel_status s = make_images(c, &verdict, &report);
    if (s != CUPEL_OK)
        return s;
    size_t len = cupel__emit_size(verdict) + (report != NULL ? cupel__emit_size(report) : 0);
    char *bytes = cupel__realloc(&c->options.alloc, NULL, 0, len);
    if (bytes == NULL)
        return cupel__error_set(c->err, CUPEL_E_NO_MEMORY, "cannot make the program");
    cupel__emit_write(verdict, bytes);
    if (report != NULL)
        cupel__emit_write(report, bytes + cupel__emit_size(verdict));
    take_pattern_steps(c);
    if (!c->holds_document) /* nothing needs it any more, and verifying and patterns take memory of
                               their own */
        cupel__arena_free(&c->arena);
    s = cupel__program_adopt(bytes, len, &c->options, ret, c->err);
    /* Our own images pass the verifier, or something is wrong with us and not with the schema. */
    if (s == CUPEL_E_BAD_IMAGE || s == CUPEL_E_IMAGE_VERSION)
        s = CUPEL_E_INTERNAL;
    return s;
}

/* What is refused for the bound and not for want of memory. */
static enum cupel_status within_memory(struct compilation *c, enum cupel_status s)
{
    if (s != CUPEL_E_NO_MEMORY || !c->arena.limited)
        return s;
    return cupel__error_set(c->err, CUPEL_E_SCHEMA_SIZE, "compiling takes more than %zu bytes",
                            (size_t)c->options.limits[CUPEL_LIMIT_COMPILE_BYTES]);
}

static enum cupel_status compile(struct compilation *c, struct cupel__doc *doc, uint32_t node,
                                 struct cupel_program **ret)
{
    enum cupel_status s = lower(c, doc, node);
    if (s == CUPEL_OK)
        s = make_program(c, ret);
    if (s == CUPEL_E_INTERNAL && c->err != NULL)
        c->err->status = s;
    return within_memory(c, s);
}

enum cupel_status cupel_compile_node(struct cupel_document *doc, uint32_t node,
                                     const struct cupel_options *options,
                                     struct cupel_program **ret, struct cupel_error *err)
{
    struct compilation c;
    if (doc == NULL || ret == NULL || node >= doc->doc.nnodes)
        return cupel__error_set(err, CUPEL_E_ARGUMENT,
                                "no document, no such node, or no place for the result");
    enum cupel_status s = begin(&c, options, err);
    if (s != CUPEL_OK)
        return s;
    s = compile(&c, &doc->doc, node, ret);
    finish(&c);
    return s;
}

/* -- Text -----------------------------------------------------------------------------------------
 */

/* What a short text and its compilation take is one allocation; 50 bytes a byte is what most need.
 * The tape of a long one is too large to be left behind where it grows. */
enum { SHORT_TEXT = 2000, ARENA_PER_BYTE = 50, ARENA_AT_LEAST = 8000 };

static void init_document(struct compilation *c, struct cupel__doc *doc, size_t len)
{
    const struct cupel_alloc region = cupel__arena_allocator(&c->arena);
    c->holds_document = len <= SHORT_TEXT;
    if (len <= SHORT_TEXT)
        cupel__arena_reserve(&c->arena, ARENA_AT_LEAST + ARENA_PER_BYTE * len);
    cupel__doc_init(doc, len <= SHORT_TEXT ? &region : &c->options.alloc);
}

/* Reads a schema's text. Its nesting is the frontend's to judge, whose limit is on subschemas. */
static enum cupel_status read_schema(struct compilation *c, const char *text, size_t len,
                                     struct cupel__doc *doc)
{
    const uint64_t *limits = c->options.limits;
    const struct cupel__read_options read = {
        .flags = c->options.flags & CUPEL_NO_SIMD ? CUPEL__READ_PORTABLE : 0,
        .max_depth = UINT32_MAX,
        .max_number = (uint32_t)limits[CUPEL_LIMIT_NUMBER_CHARS],
        .max_bytes = SIZE_MAX};
    init_document(c, doc, len);
    if (len > limits[CUPEL_LIMIT_SCHEMA_BYTES])
        return cupel__error_set(c->err, CUPEL_E_SCHEMA_SIZE,
                                "the schema has %zu bytes, the limit is %zu", len,
                                limits[CUPEL_LIMIT_SCHEMA_BYTES]);
    return cupel__json_read(doc, text, len, &read, c->err);
}

enum cupel_status cupel_compile(const char *schema, size_t len, const struct cupel_options *options,
                                struct cupel_program **ret, struct cupel_error *err)
{
    struct compilation c;
    struct cupel__doc doc;
    if (schema == NULL || ret == NULL)
        return cupel__error_set(err, CUPEL_E_ARGUMENT, "no schema, or no place for the program");
    enum cupel_status s = begin(&c, options, err);
    if (s != CUPEL_OK)
        return s;
    s = read_schema(&c, schema, len, &doc);
    if (s == CUPEL_OK)
        s = compile(&c, &doc, 0, ret);
    cupel__doc_free(&doc);
    finish(&c);
    return s;
}

static bool is_pass(const char *name)
{
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        if (strcmp(name, passes[i].name) == 0)
            return true;
    return strcmp(name, "lower") == 0;
}

enum cupel_status cupel_compile_dump(const char *schema, size_t len,
                                     const struct cupel_options *options, const char *pass,
                                     struct cupel_text *text, struct cupel_error *err)
{
    struct cupel__doc doc;
    struct compilation c;
    if (schema == NULL || text == NULL || pass == NULL || !is_pass(pass))
        return cupel__error_set(err, CUPEL_E_ARGUMENT, "there is no pass of that name");
    enum cupel_status s = begin(&c, options, err);
    if (s != CUPEL_OK)
        return s;
    s = read_schema(&c, schema, len, &doc);
    if (s == CUPEL_OK)
        s = lower(&c, &doc, 0);
    if (s == CUPEL_OK && strcmp(pass, "lower") != 0)
        s = optimise(&c, pass);
    if (s == CUPEL_OK)
        cupel__ir_print(&c.ir, text);
    cupel__doc_free(&doc);
    finish(&c);
    return s;
}
