/* pcre2.c: compiles printed patterns with PCRE2 and matches with them.  The only file that includes
 * pcre2.h.
 *
 * PCRE2's match limit bounds neither time nor, under JIT, memory: it restarts at each position of
 * the subject and does not count scans of single characters.  So the library only gives PCRE2
 * patterns that are proved linear (regex/linear_time.c); the limit is a second defence.  Tests give
 * it any pattern.
 *
 * An error of PCRE2 is never "no match".  Memory goes through the caller's allocator, except for
 * memory that PCRE2 maps itself: the machine code of JIT, and a JIT stack of at most 1 MiB in each
 * scratch. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/always.h"
#include "base/error.h"
#include "base/msan.h"
#include "base/regex/pcre2_engine.h"

#include <pcre2.h>
#include <string.h>

enum {
    NEST_LIMIT = 250,            /* nested parentheses; bounds the stack that compiling needs */
    JIT_STACK_MIN = 32 * 1024,   /* the size that PCRE2 uses by default */
    JIT_STACK_MAX = 1024 * 1024, /* enough for ^(a|b)*$ on about 30,000 characters */
    HEAP_LIMIT_KIB = 16 * 1024,  /* of the interpreter, which runs if the JIT stack is too small */
    MATCH_LIMIT = 10 * 1000 * 1000 /* and 16 more for each byte of the subject */
};

/* The allocator for PCRE2. */
struct memory {
    struct cupel_alloc alloc;
    bool failed; /* an allocation has failed */
};

/* Precedes each block of memory: its size, which the allocator needs to free it. */
union header {
    size_t size;
    max_align_t align;
};

struct cupel__pcre2 {
    struct memory memory;
    pcre2_code *code;
};

struct cupel__pcre2_scratch {
    struct memory memory;
    pcre2_match_data *data; /* one pair of offsets; keeps the interpreter's frames */
    pcre2_match_context *context;
    pcre2_jit_stack *stack; /* NULL without JIT */
};

/* -- Memory ---------------------------------------------------------------------------------- */

static void *memory_get(PCRE2_SIZE size, void *ctx)
{
    struct memory *memory = ctx;
    union header *h = NULL;
    if (ALWAYS(size <= PTRDIFF_MAX - sizeof(*h)))
        h = cupel__realloc(&memory->alloc, NULL, 0, size + sizeof(*h));
    if (h == NULL) {
        memory->failed = true;
        return NULL;
    }
    MSAN_UNPOISON(h, size + sizeof(*h));
    h->size = size;
    return h + 1;
}

static void memory_put(void *p, void *ctx)
{
    const struct memory *memory = ctx;
    if (p != NULL) {
        union header *h = (union header *)p - 1;
        cupel__free(&memory->alloc, h, h->size + sizeof(*h));
    }
}

/* -- Compiling ------------------------------------------------------------------------------- */

/* The status and the message for an error of PCRE2's compiler. */
static enum cupel_status refuse(int code, size_t offset, struct cupel_error *err)
{
    static const int too_large[] = {
        PCRE2_ERROR_PATTERN_TOO_LARGE, PCRE2_ERROR_PATTERN_TOO_COMPLICATED,
        PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP, PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED};
    char message[128] = "";
    if (code == PCRE2_ERROR_HEAP_FAILED)
        return cupel__error_set(err, CUPEL_E_NO_MEMORY, "out of memory for a pattern");
    for (size_t i = 0; i < sizeof(too_large) / sizeof(*too_large); i++) {
        if (code == too_large[i])
            return cupel__error_set(err, CUPEL_E_PATTERN_SIZE, "the pattern is too large");
    }
    (void)pcre2_get_error_message(code, (PCRE2_UCHAR *)message, sizeof(message));
    cupel__error_set(err, CUPEL_E_PATTERN, "the pattern cannot be compiled: %s", message);
    if (err != NULL)
        err->offset = offset;
    return CUPEL_E_PATTERN;
}

static pcre2_compile_context *compile_context(struct memory *memory)
{
    pcre2_general_context *general = pcre2_general_context_create(memory_get, memory_put, memory);
    if (general == NULL)
        return NULL;
    pcre2_compile_context *context = pcre2_compile_context_create(general);
    pcre2_general_context_free(general);
    if (context != NULL) {
        (void)pcre2_set_newline(context, PCRE2_NEWLINE_LF);
        (void)pcre2_set_parens_nest_limit(context, NEST_LIMIT);
    }
    return context;
}

/* The options keep PCRE2 to the semantics of ECMA-262: UTF, $ at the very end only, empty classes.
 */
static enum cupel_status compile(struct cupel__pcre2 *m, const char *text, size_t len,
                                 struct cupel_error *err)
{
    uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_ALLOW_EMPTY_CLASS |
                       PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UCP;
    int code = PCRE2_ERROR_HEAP_FAILED;
    PCRE2_SIZE offset = 0;
    pcre2_compile_context *context = compile_context(&m->memory);
    if (context == NULL)
        return refuse(code, 0, err);
    m->code =
        pcre2_compile((PCRE2_SPTR)(len == 0 ? "" : text), len, options, &code, &offset, context);
    pcre2_compile_context_free(context);
    return m->code != NULL ? CUPEL_OK : refuse(code, offset, err);
}

/* JIT may be unavailable: not built, or the system forbids executable memory.  That is no error; a
 * failure of the caller's allocator is. */
static enum cupel_status add_jit(struct cupel__pcre2 *m, unsigned flags, struct cupel_error *err)
{
    if ((flags & CUPEL__PCRE2_NO_JIT) == 0)
        (void)pcre2_jit_compile(m->code, PCRE2_JIT_COMPLETE);
    return m->memory.failed ? refuse(PCRE2_ERROR_HEAP_FAILED, 0, err) : CUPEL_OK;
}

enum cupel_status cupel__pcre2_new(const struct cupel_alloc *alloc, const char *text, size_t len,
                                   unsigned flags, struct cupel__pcre2 **ret,
                                   struct cupel_error *err)
{
    struct cupel_alloc a = cupel__alloc_or_default(alloc);
    struct cupel__pcre2 *m = cupel__realloc(&a, NULL, 0, sizeof(*m));
    if (m == NULL)
        return refuse(PCRE2_ERROR_HEAP_FAILED, 0, err);
    *m = (struct cupel__pcre2){.memory = {a, false}};
    enum cupel_status status = compile(m, text, len, err);
    if (status == CUPEL_OK)
        status = add_jit(m, flags, err);
    if (status != CUPEL_OK) {
        cupel__pcre2_free(m);
        return status;
    }
    *ret = m;
    return CUPEL_OK;
}

void cupel__pcre2_free(struct cupel__pcre2 *m)
{
    if (m == NULL)
        return;
    struct cupel_alloc a = m->memory.alloc;
    size_t jit = 0;
    (void)pcre2_pattern_info(m->code, PCRE2_INFO_JITSIZE, &jit);
    pcre2_code_free(m->code);
    /* PCRE2 keeps the pages of machine code for patterns to come; the process may have none. */
    if (jit != 0)
        pcre2_jit_free_unused_memory(NULL);
    cupel__free(&a, m, sizeof(*m));
}

size_t cupel__pcre2_size(const struct cupel__pcre2 *m)
{
    size_t code = 0, jit = 0;
    if (m == NULL)
        return 0;
    (void)pcre2_pattern_info(m->code, PCRE2_INFO_SIZE, &code);
    (void)pcre2_pattern_info(m->code, PCRE2_INFO_JITSIZE, &jit);
    return sizeof *m + code + jit;
}

/* -- Scratch --------------------------------------------------------------------------------- */

/* Without JIT, or if no JIT stack can be mapped, `stack` is NULL and PCRE2 uses the machine stack.
 */
static enum cupel_status fill_scratch(struct cupel__pcre2_scratch *s)
{
    pcre2_general_context *general =
        pcre2_general_context_create(memory_get, memory_put, &s->memory);
    if (general == NULL)
        return CUPEL_E_NO_MEMORY;
    s->data = pcre2_match_data_create(1, general);
    s->context = pcre2_match_context_create(general);
    s->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, general);
    pcre2_general_context_free(general);
    if (s->memory.failed)
        return CUPEL_E_NO_MEMORY;
    pcre2_jit_stack_assign(s->context, NULL, s->stack);
    (void)pcre2_set_heap_limit(s->context, HEAP_LIMIT_KIB);
    (void)pcre2_set_depth_limit(s->context, UINT32_MAX);
    return CUPEL_OK;
}

enum cupel_status cupel__pcre2_scratch_new(const struct cupel_alloc *alloc,
                                           struct cupel__pcre2_scratch **ret)
{
    struct cupel_alloc a = cupel__alloc_or_default(alloc);
    struct cupel__pcre2_scratch *s = cupel__realloc(&a, NULL, 0, sizeof(*s));
    if (s == NULL)
        return CUPEL_E_NO_MEMORY;
    *s = (struct cupel__pcre2_scratch){.memory = {a, false}};
    enum cupel_status status = fill_scratch(s);
    if (status == CUPEL_OK)
        *ret = s;
    else
        cupel__pcre2_scratch_free(s);
    return status;
}

void cupel__pcre2_scratch_free(struct cupel__pcre2_scratch *s)
{
    if (s == NULL)
        return;
    struct cupel_alloc a = s->memory.alloc;
    pcre2_jit_stack_free(s->stack);
    pcre2_match_context_free(s->context);
    pcre2_match_data_free(s->data);
    cupel__free(&a, s, sizeof(*s));
}

/* -- Matching -------------------------------------------------------------------------------- */

/* The match limit for a subject of this length. */
static uint32_t match_limit(size_t len)
{
    if (len >= (UINT32_MAX - MATCH_LIMIT) / 16)
        return UINT32_MAX;
    return (uint32_t)(MATCH_LIMIT + 16 * len);
}

/* Runs the machine code of the pattern; the interpreter if there is none or the JIT stack is too
 * small. */
static int match(const struct cupel__pcre2 *m, struct cupel__pcre2_scratch *s, const char *subject,
                 size_t len)
{
    PCRE2_SPTR text = (PCRE2_SPTR)(len == 0 ? "" : subject);
    uint32_t options = PCRE2_NO_UTF_CHECK;
    (void)pcre2_set_match_limit(s->context, match_limit(len));
    int rc = pcre2_match(m->code, text, len, 0, options, s->data, s->context);
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
        rc = pcre2_match(m->code, text, len, 0, options | PCRE2_NO_JIT, s->data, s->context);
    return rc;
}

/* The result of a match; every unexpected error is CUPEL_E_INTERNAL, never "no match". */
static int verdict(int rc)
{
    if (rc >= 0)
        return 1;
    switch (rc) {
    case PCRE2_ERROR_NOMATCH:
        return 0;
    case PCRE2_ERROR_NOMEMORY:
        return CUPEL_E_NO_MEMORY;
    case PCRE2_ERROR_MATCHLIMIT:
    case PCRE2_ERROR_HEAPLIMIT:
        return CUPEL_E_LIMIT_REGEX;
    }
    return CUPEL_E_INTERNAL;
}

int cupel__pcre2_run(const struct cupel__pcre2 *m, struct cupel__pcre2_scratch *s,
                     const char *subject, size_t len)
{
    return verdict(match(m, s, subject, len));
}
