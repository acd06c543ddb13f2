/* program.c: loading a program from an image, freeing it, and its public accessors.
 *
 * Loading verifies both images, compiles their patterns, and binds the host formats that they name.
 * Every entry point leads through load_code, which is the only caller of the verifier. */
#include "vm/program/program.h"
#include "base/error.h"
#include "base/options.h"
#include "vm/formats/formats.h"
#include <cupel/debug.h>
#include <string.h>

/* -- Patterns -------------------------------------------------------------------------------- */

/* The state that compiling all patterns of a program shares. */
struct patterns {
    const struct cupel_options *options;
    struct cupel__arena tree;
    size_t left;  /* remaining bytes of CUPEL_LIMIT_MATCHER_BYTES */
    int64_t work; /* remaining steps of CUPEL_LIMIT_PATTERN_STEPS */
};

/* Compiles one pattern and charges its bytes to `left`, its work to `work`.  The image holds
 * untrusted ECMA-262 text, so it is parsed again, and no engine sees anything but the syntax tree.
 */
static enum cupel_status compile_pattern(struct patterns *all, struct cupel__str source,
                                         struct cupel__matcher **ret, struct cupel_error *err)
{
    const struct cupel_options *options = all->options;
    struct cupel__matcher *m;
    struct cupel__regex regex;
    if (source.n > options->limits[CUPEL_LIMIT_PATTERN_BYTES])
        return cupel__error_set(err, CUPEL_E_PATTERN_SIZE,
                                "a pattern of %zu bytes, the limit is %zu", source.n,
                                (size_t)options->limits[CUPEL_LIMIT_PATTERN_BYTES]);
    enum cupel_status s = cupel__regex_parse(&all->tree, source.p, source.n, 0, &regex, err);
    if (s == CUPEL_OK)
        s = cupel__matcher_new(&options->alloc, &regex, cupel__matcher_flags(options), &all->work,
                               &m, err);
    cupel__arena_reset(&all->tree);
    if (s != CUPEL_OK)
        return s;
    size_t size = cupel__matcher_size(m);
    if (size > all->left) {
        cupel__matcher_free(m);
        return cupel__error_set(err, CUPEL_E_PATTERN_SIZE, "the patterns need more than %zu bytes",
                                (size_t)options->limits[CUPEL_LIMIT_MATCHER_BYTES]);
    }
    all->left -= size;
    *ret = m;
    return CUPEL_OK;
}

/* The ECMA-262 text of pattern i, in the image. */
static struct cupel__str pattern_source(const struct cupel__code *code, uint32_t i)
{
    const struct cupel__image_pattern *p = cupel__at(code->image, code->image->patterns.at);
    return (struct cupel__str){cupel__at(code->image, p[i].at), p[i].len};
}

/* Compiles the patterns of an image.  Shares each matcher that `other` has with the same number and
 * the same text: the report program has the patterns of the verdict program, which are compiled
 * once. After a failure free_code frees what was compiled. */
static enum cupel_status compile_patterns(struct cupel__code *code, const struct cupel__code *other,
                                          struct patterns *all, struct cupel_error *err)
{
    const struct cupel_options *options = all->options;
    uint32_t n = code->image->patterns.count;
    if (n == 0)
        return CUPEL_OK;
    size_t size = n * sizeof *code->matchers;
    code->matchers = cupel__realloc(&options->alloc, NULL, 0, size);
    if (code->matchers == NULL)
        return cupel__error_set(err, CUPEL_E_NO_MEMORY, "cannot load the program");
    memset(code->matchers, 0, size);
    code->nmatchers = n;
    for (uint32_t i = 0; i < n; i++) {
        struct cupel__str source = pattern_source(code, i);
        if (other != NULL && i < other->nmatchers &&
            cupel__str_eq(source, pattern_source(other, i))) {
            code->matchers[i] = other->matchers[i];
            continue;
        }
        enum cupel_status s = compile_pattern(all, source, &code->matchers[i], err);
        if (s != CUPEL_OK)
            return s;
    }
    return CUPEL_OK;
}

/* -- Host formats ---------------------------------------------------------------------------- */

/* Finds in the options the function for each host format that the image names. */

static enum cupel_status bind_formats(struct cupel__code *code, const struct cupel_options *options,
                                      struct cupel_error *err)
{
    const struct cupel__image *image = code->image;
    uint32_t n = image->formats != 0 ? cupel__image_list(image, image->formats)->count : 0;
    if (n == 0)
        return CUPEL_OK;
    code->formats = cupel__realloc(&options->alloc, NULL, 0, n * sizeof *code->formats);
    if (code->formats == NULL)
        return cupel__error_set(err, CUPEL_E_NO_MEMORY, "cannot load the program");
    code->nformats = n;
    for (uint32_t i = 0; i < n; i++) {
        struct cupel__str name = cupel__image_format(image, i);
        const struct cupel_format *f = cupel__host_format_find(options, name);
        if (f == NULL)
            return cupel__error_set(err, CUPEL_E_FORMAT, "the format '%.*s' is not in the options",
                                    (int)(name.n < 100 ? name.n : 100), name.p);
        code->formats[i] = (struct cupel_format){NULL, f->check, f->ctx};
    }
    return CUPEL_OK;
}

/* Frees what `code` owns; matchers shared with `other` belong to that. */
static void free_code(struct cupel__code *code, const struct cupel__code *other,
                      const struct cupel_alloc *alloc)
{
    for (uint32_t i = 0; i < code->nmatchers; i++)
        if (other == NULL || i >= other->nmatchers || code->matchers[i] != other->matchers[i])
            cupel__matcher_free(code->matchers[i]);
    cupel__free(alloc, code->matchers, code->nmatchers * sizeof *code->matchers);
    cupel__free(alloc, code->formats, code->nformats * sizeof *code->formats);
}

/* -- Loading --------------------------------------------------------------------------------- */

/* Whether the root schema consists of a type test and at most an OBJECT or MAP.  Only then a short
 * text may be validated by its tokens (vm/run/short_text.c). */
static bool is_object_loop(const struct cupel__code *code)
{
    const uint32_t *pc = code->words + CUPEL__SUB_PC(code->root);
    if (CUPEL__SUB_PC(code->root) == 0)
        return code->root & CUPEL__M_OBJECT;
    while (CUPEL__WORD_OP(*pc) == CUPEL__OP_ONLY && !(*pc & CUPEL__LAST))
        pc++;
    return *pc & CUPEL__LAST &&
           (CUPEL__WORD_OP(*pc) == CUPEL__OP_OBJECT || CUPEL__WORD_OP(*pc) == CUPEL__OP_MAP);
}

/* Verifies the image at `bytes`, which is shorter than `len` if another follows, and fills `code`.
 * After a failure free_code frees what was allocated. */
static enum cupel_status load_code(struct cupel__code *code, const struct cupel__code *other,
                                   const void *bytes, size_t len, struct patterns *all,
                                   struct cupel_error *err)
{
    const struct cupel_options *options = all->options;
    enum cupel_status s = cupel__verify_image(bytes, len, &options->alloc, &code->facts, err);
    if (s != CUPEL_OK)
        return s;
    const struct cupel__image *image = bytes;
    if (image->size > options->limits[CUPEL_LIMIT_IMAGE_BYTES])
        return cupel__error_set(err, CUPEL_E_IMAGE_SIZE, "%u bytes", image->size);
    code->image = image;
    code->words = cupel__at(image, image->code.at);
    code->root = image->root;
    code->direct = is_object_loop(code);
    code->needs_more = code->facts.memos > 0 || image->patterns.count > 0;
    code->values.base[0] = code->values.base[1] = bytes;
    code->values.nodes = (struct cupel__node *)cupel__at(image, image->values.at);
    code->values.nnodes = image->values.count;
    code->values.len = image->size;
    uint64_t chain = ((uint64_t)code->facts.max_inplace + 2) * (code->facts.dynamics + 1);
    code->chain = chain < UINT32_MAX ? chain : UINT32_MAX;
    s = bind_formats(code, options, err);
    return s == CUPEL_OK ? compile_patterns(code, other, all, err) : s;
}

/* The bytes hold the image of the verdict program and, optionally, that of the report program
 * directly behind it. */
static enum cupel_status load_both(struct cupel_program *p, struct patterns *all,
                                   struct cupel_error *err)
{
    enum cupel_status s = load_code(&p->verdict, NULL, p->bytes, p->len, all, err);
    if (s != CUPEL_OK)
        return s;
    size_t first = p->verdict.image->size;
    if (p->verdict.image->flags & CUPEL__IMAGE_REPORT)
        return cupel__error_set(err, CUPEL_E_BAD_IMAGE, "not a verdict and a report program");
    if (first == p->len)
        return CUPEL_OK;
    const char *second = (const char *)p->bytes + first;
    s = load_code(&p->report, &p->verdict, second, p->len - first, all, err);
    if (s != CUPEL_OK)
        return s;
    if (p->report.image->size != p->len - first || !(p->report.image->flags & CUPEL__IMAGE_REPORT))
        return cupel__error_set(err, CUPEL_E_BAD_IMAGE, "not a verdict and a report program");
    return CUPEL_OK;
}

/* Loads both programs and charges the steps that their patterns took to the caller's budget. */
static enum cupel_status load(struct cupel_program *p, const struct cupel_options *options,
                              struct cupel_error *err)
{
    const int64_t steps = cupel__pattern_steps(options);
    struct patterns all = {.options = options,
                           .left = (size_t)options->limits[CUPEL_LIMIT_MATCHER_BYTES],
                           .work = steps};
    cupel__arena_init(&all.tree, &options->alloc, 0);
    enum cupel_status s = load_both(p, &all, err);
    cupel__arena_free(&all.tree);
    cupel__pattern_steps_charge(options, steps, all.work);
    return s;
}

/* Makes a program of `bytes`; `owned` is the same memory if the program has to free it, else NULL.
 */
static enum cupel_status make(const void *bytes, size_t len, void *owned,
                              const struct cupel_options *options, struct cupel_program **ret,
                              struct cupel_error *err)
{
    struct cupel_program *p = cupel__realloc(&options->alloc, NULL, 0, sizeof *p);
    if (p == NULL) {
        cupel__free(&options->alloc, owned, len);
        return cupel__error_set(err, CUPEL_E_NO_MEMORY, "cannot load the program");
    }
    memset(p, 0, sizeof *p);
    p->alloc = options->alloc;
    p->bytes = bytes;
    p->owned = owned;
    p->len = len;
    enum cupel_status s = load(p, options, err);
    if (s != CUPEL_OK)
        cupel_program_free(p);
    else
        *ret = p;
    return s;
}

/* The compiler's entry point: its output takes the same path as an image from a file. */
enum cupel_status cupel__program_adopt(void *bytes, size_t len, const struct cupel_options *options,
                                       struct cupel_program **ret, struct cupel_error *err)
{
    return make(bytes, len, bytes, options, ret, err);
}

enum cupel_status cupel_program_load(const void *image, size_t len, unsigned flags,
                                     const struct cupel_options *given, struct cupel_program **ret,
                                     struct cupel_error *err)
{
    struct cupel_options options;
    if (image == NULL || ret == NULL || (flags & ~(unsigned)CUPEL_LOAD_BORROW) != 0)
        return cupel__error_set(err, CUPEL_E_ARGUMENT,
                                "no image, no place for the program, or an unknown flag");
    enum cupel_status status = cupel__options_copy(given, &options, err);
    if (status != CUPEL_OK)
        return status;
    if (flags & CUPEL_LOAD_BORROW) {
        if ((uintptr_t)image % 8 != 0)
            return cupel__error_set(err, CUPEL_E_ARGUMENT, "the image is not 8-aligned");
        return make(image, len, NULL, &options, ret, err);
    }
    if (len < sizeof(struct cupel__image))
        return cupel__error_set(err, CUPEL_E_BAD_IMAGE, "no image header at 0");
    if (len > 2 * options.limits[CUPEL_LIMIT_IMAGE_BYTES])
        return cupel__error_set(err, CUPEL_E_IMAGE_SIZE, "%zu bytes", len);
    void *copy = cupel__realloc(&options.alloc, NULL, 0, len);
    if (copy == NULL)
        return cupel__error_set(err, CUPEL_E_NO_MEMORY, "cannot load the program");
    memcpy(copy, image, len);
    return make(copy, len, copy, &options, ret, err);
}

/* The report program goes first: it borrows matchers of the verdict program. */
void cupel_program_free(struct cupel_program *p)
{
    if (p == NULL)
        return;
    struct cupel_alloc alloc = p->alloc;
    free_code(&p->report, &p->verdict, &alloc);
    free_code(&p->verdict, NULL, &alloc);
    cupel__free(&alloc, p->owned, p->len);
    cupel__free(&alloc, p, sizeof *p);
}

/* -- Accessors ------------------------------------------------------------------------------- */

const void *cupel_program_image(const struct cupel_program *p, size_t *ret_len)
{
    if (p == NULL || ret_len == NULL)
        return NULL;
    *ret_len = p->len;
    return p->bytes;
}

void cupel_program_info(const struct cupel_program *p, struct cupel_program_info *ret)
{
    if (p == NULL || ret == NULL)
        return;
    const struct cupel__image *image = p->verdict.image;
    *ret = (struct cupel_program_info){
        .image_bytes = image->size,
        .string_bytes = image->strings.count,
        .report_bytes = p->len - image->size,
        .instructions = p->verdict.facts.instructions,
        .patterns = image->patterns.count,
    };
}

enum cupel_status cupel_program_pattern(const struct cupel_program *p, uint32_t i,
                                        struct cupel_pattern_info *ret)
{
    if (p == NULL || ret == NULL)
        return CUPEL_E_ARGUMENT;
    if (i >= p->verdict.nmatchers)
        return CUPEL_E_ARGUMENT;
    const struct cupel__matcher *m = p->verdict.matchers[i];
    struct cupel__str source = pattern_source(&p->verdict, i);
    *ret = (struct cupel_pattern_info){.text = source.p,
                                       .len = source.n,
                                       .bytes = cupel__matcher_size(m),
                                       .engine = cupel__matcher_engine(m),
                                       .lenient = cupel__matcher_is_lenient(m)};
    return CUPEL_OK;
}
