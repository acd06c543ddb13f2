/* compile.c: from a schema's text to a verified program.  Start here to read the compiler.
 *
 *     schema text ── base/json ──▶ document ── frontend ──▶ graph ── lower ──▶ IR
 *     IR ── emit ──▶ report image          IR ── passes ──▶ IR ── emit ──▶ verdict image
 *
 * The report image is emitted from the module as it was lowered, so that every failure is reported
 * at the author's keyword; the verdict image from what the passes made of it.  Both go through the
 * verifier like every other image. */
#include "base/arena_allocator.h"
#include "base/error.h"
#include "base/json/document.h"
#include "base/options.h"
#include "compiler/emit/emit.h"
#include "compiler/lower/lower.h"
#include "compiler/passes/passes.h"
#include <cupel/debug.h>
#include <cupel/program.h>
#include <string.h>

#define VALUES  (IR_BIT(IR_CONST) | IR_BIT(IR_ENUM))
#define NAMES   IR_BIT(IR_NAMES)
#define CHOICES (IR_BIT(IR_ANY_OF) | IR_BIT(IR_ONE_OF))

/* The passes in their order.  One that needs some kind of operation is skipped if lowering made
 * none of it. */
static const struct pass {
    const char *name;
    enum cupel_status (*run)(struct ir_module *);
    uint32_t option;
    uint64_t needs; /* at least one of these kinds; 0: always runs */
} passes[] = {
    /* what the schema alone decides */
    {"fold", cupel__pass_fold, CUPEL_PASS_FOLD, 0},
    /* CONST and ENUM by class of values */
    {"enum", cupel__pass_enum, CUPEL_PASS_ENUM, VALUES},
    /* targets of references go where they are used */
    {"inline", cupel__pass_inline, CUPEL_PASS_INLINE, IR_BITS_IN_PLACE},
    /* UNEVALUATED with a static set */
    {"unevaluated", cupel__pass_unevaluated, CUPEL_PASS_UNEVALUATED, IR_BIT(IR_UNEVALUATED)},
    /* masks of schemas with one use */
    {"narrow", cupel__pass_narrow, CUPEL_PASS_NARROW, IR_BITS_IN_PLACE | NAMES},
    /* IF whose conditions test one member */
    {"cases", cupel__pass_cases, CUPEL_PASS_CASES, IR_BIT(IR_IF)},
    /* choices that the type decides */
    {"partition", cupel__pass_partition, CUPEL_PASS_PARTITION, IR_BITS_IN_PLACE},
    /* several PROPS or ITEMS become one */
    {"merge", cupel__pass_merge, CUPEL_PASS_MERGE, IR_BITS_IN_PLACE},
    /* merging gives further facts */
    {"refold", cupel__pass_fold, CUPEL_PASS_FOLD, IR_BITS_IN_PLACE | NAMES | VALUES},
    /* REQUIRED becomes part of PROPS */
    {"required", cupel__pass_required, CUPEL_PASS_REQUIRED, IR_BIT(IR_REQUIRED)},
    /* patterns against known names */
    {"names", cupel__pass_names, CUPEL_PASS_NAMES, IR_BIT(IR_PROPS) | NAMES},
    /* equal schemas become one */
    {"dedupe", cupel__pass_dedupe, CUPEL_PASS_DEDUPE, 0},
    /* which branches a value may pass */
    {"discriminate", cupel__pass_discriminate, CUPEL_PASS_DISCRIMINATE, CHOICES},
    /* which results are kept; needs the discriminators */
    {"memo", cupel__pass_memo, CUPEL_PASS_MEMO, 0},
};

/* The state of one compilation. */
struct compilation {
    struct cupel_options options;
    struct cupel__arena arena;
    bool holds_document; /* the document is in the arena */
    struct ir_module ir;
    int64_t pattern_steps; /* of `ir`, when they were last charged to the options' budget */
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

/* Copies the options and starts the arena.  CUPEL_OK, or CUPEL_E_ARGUMENT if the options are
 * refused; then there is nothing to end_compilation. */
static enum cupel_status begin_compilation(struct compilation *c, const struct cupel_options *given,
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

/* Charges the pattern steps used since the last call to the host's budget. */
static void charge_pattern_steps(struct compilation *c)
{
    cupel__pattern_steps_charge(&c->options, c->pattern_steps, c->ir.pattern_steps);
    c->pattern_steps = c->ir.pattern_steps;
}

static void end_compilation(struct compilation *c)
{
    charge_pattern_steps(c);
    cupel__arena_free(&c->arena);
}

/* Lowers the schema and checks the module. */
static enum cupel_status lower(struct compilation *c, struct cupel__doc *doc, uint32_t node)
{
    enum cupel_status s = cupel__lower_schema(&c->ir, doc, node, &c->options, c->err);
    if (s == CUPEL_OK && (s = cupel__ir_mark_tracked(&c->ir)) != CUPEL_OK)
        s = cupel__error_set(c->err, s, "no memory for the schema");
    return s == CUPEL_OK ? check_ir(c) : s;
}

/* Removes annotations, which never fail, before the passes. */
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

/* Runs the passes up to and including the one named; NULL: all. */
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

/* Emits the report program from the module as it was lowered, with memos and discriminators,
 * neither of which changes what can be reported.  In a lowered module schemas have one use each
 * unless something refers to them in place, so memos are needed only then. */
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
        return cupel__error_set(c->err, s, "pass discriminate");
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

/* Writes both images into one block and has it verified.  The block belongs to the program. */
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
    charge_pattern_steps(c);
    if (!c->holds_document) /* release it before verification and patterns allocate theirs */
        cupel__arena_free(&c->arena);
    s = cupel__program_adopt(bytes, len, &c->options, ret, c->err);
    /* If the verifier refuses an image of the compiler, the error is the compiler's. */
    if (s == CUPEL_E_BAD_IMAGE || s == CUPEL_E_IMAGE_VERSION)
        s = CUPEL_E_INTERNAL;
    return s;
}

/* Reports that compilation needs more than its bound, in place of "no memory". */
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
    enum cupel_status s = begin_compilation(&c, options, err);
    if (s != CUPEL_OK)
        return s;
    s = compile(&c, &doc->doc, node, ret);
    end_compilation(&c);
    return s;
}

/* -- Text -----------------------------------------------------------------------------------------
 */

/* Most schemas need at most 50 bytes of memory for each byte of text. */
enum { SHORT_TEXT = 2000, ARENA_PER_BYTE = 50, ARENA_AT_LEAST = 8000 };

/* A short text is read into the arena, whose first block is sized for the whole compilation: one
 * allocation.  The tape of a long text grows, and would leave its old copies in the arena. */
static void init_document(struct compilation *c, struct cupel__doc *doc, size_t len)
{
    const struct cupel_alloc region = cupel__arena_allocator(&c->arena);
    c->holds_document = len <= SHORT_TEXT;
    if (len <= SHORT_TEXT)
        cupel__arena_reserve(&c->arena, ARENA_AT_LEAST + ARENA_PER_BYTE * len);
    cupel__doc_init(doc, len <= SHORT_TEXT ? &region : &c->options.alloc);
}

/* Reads a schema's text.  Its nesting is not limited here: the frontend limits the nesting of
 * subschemas. */
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
                                (size_t)limits[CUPEL_LIMIT_SCHEMA_BYTES]);
    return cupel__json_read(doc, text, len, &read, c->err);
}

enum cupel_status cupel_compile(const char *schema, size_t len, const struct cupel_options *options,
                                struct cupel_program **ret, struct cupel_error *err)
{
    struct compilation c;
    struct cupel__doc doc;
    if (schema == NULL || ret == NULL)
        return cupel__error_set(err, CUPEL_E_ARGUMENT, "no schema, or no place for the program");
    enum cupel_status s = begin_compilation(&c, options, err);
    if (s != CUPEL_OK)
        return s;
    s = read_schema(&c, schema, len, &doc);
    if (s == CUPEL_OK)
        s = compile(&c, &doc, 0, ret);
    cupel__doc_free(&doc);
    end_compilation(&c);
    return s;
}

static bool is_pass(const char *name)
{
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        if (strcmp(name, passes[i].name) == 0)
            return true;
    return strcmp(name, "lower") == 0;
}

enum cupel_status cupel_compile_dump(const char *schema, size_t len, const char *pass,
                                     const struct cupel_options *options, struct cupel_text *text,
                                     struct cupel_error *err)
{
    struct cupel__doc doc;
    struct compilation c;
    if (schema == NULL || text == NULL || pass == NULL || !is_pass(pass))
        return cupel__error_set(err, CUPEL_E_ARGUMENT, "there is no pass of that name");
    enum cupel_status s = begin_compilation(&c, options, err);
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
    end_compilation(&c);
    return s;
}
