/* common.h: the allocator, statuses, options and output texts that all other headers use.
 *
 *     struct cupel_options options;
 *     cupel_options_init(&options);
 *     options.flags |= CUPEL_ASSERT_FORMAT;
 *     options.limits[CUPEL_LIMIT_DEPTH] = 64;
 *
 * The defaults are the gateway profile: every bound is finite, and normal traffic reaches none.
 * NULL in place of options means the defaults.
 *
 * struct cupel_options grows at its end, and its `size` says which version of it a program was
 * compiled with; bounds are added inside the array.  A program therefore works with a newer library
 * without being compiled again.  Every function that takes options copies them before it returns,
 * and refuses them with CUPEL_E_ARGUMENT if
 *   - `size` is 0 or another size that no version of the struct had: cupel_options_init was not
 *     called,
 *   - the struct is longer than this library knows it, and not zero there,
 *   - a flag, dialect or bound is set that this library does not know.
 *
 * Functions that can fail return an enum cupel_status: 0 or a negative code.  The detail goes into
 * a struct cupel_error that the caller owns, so reporting an error never allocates.  An instance
 * that does not conform is a verdict (validate.h) and not an error.
 *
 * A comment says what its function does, then every result, and last, in a line "NULL:", the
 * pointers that may be NULL.  Some may be NULL in all functions: options and allocators (the
 * defaults), `err` and structs of an outcome (nothing is reported), callbacks (not called) and
 * their `ctx`, and the argument of `…_free`.  Any other NULL is refused: CUPEL_E_ARGUMENT, or the
 * verdict UNDECIDED with that reason; a function without a status returns 0, -1, NULL or
 * CUPEL_NO_NODE, and a function without a result does nothing.
 *
 * A text with a length is UTF-8 without a NUL at its end.  Lengths, sizes and offsets are in bytes.
 *
 * Threads: a text belongs to one thread at a time.  Any thread may call the other functions.
 *
 * docs/hosts.md has the rules for all functions of the interface. */
#ifndef CUPEL_COMMON_H
#define CUPEL_COMMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The caller must use the result of a function with this mark. */
#if defined(__GNUC__)
#    define CUPEL_MUST_CHECK __attribute__((warn_unused_result))
#else
#    define CUPEL_MUST_CHECK
#endif

/* -- The allocator ---------------------------------------------------------------------------- */

/* An allocator.  Frozen: this struct never changes.  It is copied into each object, so it may be
 * temporary; `ctx` must outlive the objects.
 *
 * realloc(ctx, ptr, old_size, new_size), sizes in bytes:
 *   ptr == NULL            allocate new_size bytes (old_size is 0)
 *   new_size == 0          free ptr; the return value is ignored
 *   otherwise              resize, keeping the first min(old_size, new_size) bytes
 * Returns memory aligned for any object (max_align_t), or NULL, in which case `ptr` is still valid.
 * Threads: called only from the thread that is inside a cupel call on that object. */
struct cupel_alloc {
    void *(*realloc)(void *ctx, void *ptr, size_t old_size, size_t new_size);
    void *ctx;
};

/* -- Statuses and errors ---------------------------------------------------------------------- */

/* The statuses, CUPEL_OK (0) and CUPEL_E_…; errors.def has each one's meaning. */
enum cupel_status {
    CUPEL_OK = 0,
#define E(name, number, message, paragraph) CUPEL_E_##name = (number),
#include <cupel/errors.def>
};

/* The detail of an error.  Owned by the caller, who may pass NULL wherever one is taken.  Frozen:
 * this struct never changes.  A function that succeeds leaves it untouched.  All strings are
 * NUL-terminated UTF-8 without control characters, cut short with "…" where they do not fit. */
struct cupel_error {
    enum cupel_status status;
    uint32_t line;        /* of the text, counted from 1; 0 if the error has no place in a text */
    uint32_t column;      /* in code points, counted from 1; 0 likewise */
    uint64_t offset;      /* in bytes, from the start of the text */
    char where[256];      /* JSON Pointer (RFC 6901) into the text; "" is the root */
    char detail[256];     /* one sentence without a full stop */
    uint64_t reserved[4]; /* 0 after an error */
};

/* The name of a status without its prefix, such as "DUPLICATE_KEY".  Never NULL: a number that is
 * no status gives "?".  The string is static. */
const char *cupel_status_name(enum cupel_status status);

/* The meaning of a status in a few words, such as "duplicate key".  Never NULL; static. */
const char *cupel_status_message(enum cupel_status status);

/* -- Options and bounds ----------------------------------------------------------------------- */

/* The dialect of a schema that has no `$schema` (core 8.1.1). */
enum cupel_dialect {
    CUPEL_DIALECT_DEFAULT = 0, /* 2020-12 */
    CUPEL_DRAFT_4 = 4,
    CUPEL_DRAFT_6 = 6,
    CUPEL_DRAFT_7 = 7,
    CUPEL_2019_09 = 2019,
    CUPEL_2020_12 = 2020,
    CUPEL_V1 = 9999 /* "https://json-schema.org/v1", not released yet; with CUPEL_EXPERIMENTAL */
};

/* Bits of cupel_options.flags.  Bits that only tests and measurements need are in debug.h. */
enum cupel_option {
    /* In instances: of several members with one name the last counts.  Without it they are refused.
     */
    CUPEL_ALLOW_DUPLICATE_KEYS = 1 << 0,
    /* In instances: a leading U+FEFF is skipped.  Without it such a text is refused. */
    CUPEL_ALLOW_BOM = 1 << 1,
    /* 64 readable bytes follow every instance text.  The text and these bytes outlive the
     * validation and do not change during it, so the library need not copy the text. */
    CUPEL_INPUT_PADDED = 1 << 2,
    /* Patterns must follow the grammar of ECMA-262 with the flag `u` exactly. */
    CUPEL_STRICT_REGEX = 1 << 3,
    /* Never make machine code (PCRE2's JIT). */
    CUPEL_NO_JIT = 1 << 4,
    /* Compile the verdict program only: the program is smaller, and has no reports. */
    CUPEL_NO_REPORT = 1 << 5,
    /* Compile annotations into the report program. */
    CUPEL_ANNOTATIONS = 1 << 8,
    /* `format` asserts, in every dialect that has the keyword. */
    CUPEL_ASSERT_FORMAT = 1 << 9,
    /* In scratches: names that need IDNA pass a `format` where the build has no libidn2.  Without
     * it they are UNDECIDED. */
    CUPEL_IDN_OPTIONAL = 1 << 10,
    /* In schemas of draft 7, `contentEncoding: base64` and `contentMediaType: application/json`
     * assert.  In later drafts content only annotates (2019-09 validation 8.1). */
    CUPEL_ASSERT_CONTENT = 1 << 11,
    /* `format` asserts nowhere, whatever the dialect and the other flags are. */
    CUPEL_FORMAT_ANNOTATES = 1 << 12,
    /* Allows dialects that are not released.  The meaning of a schema in one of them may change
       with any version. */
    CUPEL_EXPERIMENTAL = 1 << 13,
    /* In v1, unknown keywords are allowed, as in all dialects before it.  Without it they are
     * refused unless they begin with `x-`. */
    CUPEL_UNKNOWN_KEYWORDS = 1 << 14,
    /* Refuse patterns whose work only a budget bounds: BACK_REFERENCE. */
    CUPEL_NO_BACK_REFERENCES = 1 << 20
};

/* Formats.  `format` is an annotation, unless CUPEL_ASSERT_FORMAT is set or the dialect's
 * `$vocabulary` makes it an assertion: that of 2020-12 lists `format-assertion`, that of 2019-09
 * requires `format` (validation 7.2), v1 asserts always.  Then the formats that the dialect's
 * specification defines assert, for strings.  Any other name
 * (`int32`, `float` and `password` of OpenAPI, for example) stays an annotation, unless the host
 * adds it with a struct cupel_format; v1 refuses it. */

/* The bounds: the index of each in cupel_options.limits.  limits.def has the default and the
 * meaning of each.  A function that reaches a bound returns a status or CUPEL_UNDECIDED; it never
 * makes a verdict of it. */
enum cupel_limit {
#define L(name, number, lower, value, most, affects, meaning) CUPEL_LIMIT_##name = (number),
#include <cupel/limits.def>
#ifdef CUPEL_LIMIT_EXTRA_TEST
    CUPEL_LIMIT_EXTRA = 17, /* a bound that no release has: tests/api/growth.c */
#endif
    CUPEL_LIMITS = 64 /* the length of the array, for ever */
};

/* Finds a document that a schema refers to.  The compiler calls it with the absolute URI without
 * its fragment (RFC 3986), `uri_len` bytes, not terminated.  It returns 0 and sets *ret_text,
 * *ret_len to a schema text that stays readable until the compilation ends, or non-zero if it has
 * none (UNRESOLVED_REF).  The library itself never opens a file or a connection. */
typedef int cupel_resolver(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                           size_t *ret_len);

/* A format that the host defines: whether a string (`len` bytes of UTF-8, which may hold NUL, not
 * terminated) conforms.  It returns 0 (as CUPEL_VALID) if the string conforms, 1 (as CUPEL_INVALID)
 * if it does not, and any other number if it cannot decide: the validation is UNDECIDED then
 * (LIMIT_FORMAT).
 *
 * The thread that validates calls it, so several threads may call it at once for a shared program.
 * It must not longjmp, and the library refuses the scratch and the document in use
 * (CUPEL_E_ARGUMENT).  The same string must get the same answer each time: a report calls it again.
 * The library charges a step for every 4 bytes. */
typedef int cupel_format_check(void *ctx, const char *text, size_t len);

/* A format of the host, which asserts where `format` does, in every dialect.  It replaces one of
 * the specification that has the same name.  Frozen: this struct never changes. */
struct cupel_format {
    const char *name; /* NUL-terminated */
    cupel_format_check *check;
    void *ctx;
};

/* Grows at its end; cupel_options_init fills it in. */
struct cupel_options {
    size_t size; /* of this struct as the program was compiled with it */
    /* Bits of enum cupel_option. */
    uint32_t flags;
    /* The dialect of schemas without `$schema`. */
    enum cupel_dialect dialect;
    /* Bits of enum cupel_pass (debug.h): the optimisation passes that run. */
    uint32_t passes;
    /* 0. */
    uint32_t reserved;
    /* realloc NULL: the C library's. */
    struct cupel_alloc alloc;
    /* NULL: references to other documents do not resolve. */
    cupel_resolver *resolver;
    void *resolver_ctx;
    /* Formats of the host, at most 1,024; of several with one name the first counts.  Compiling and
     * loading use them: a stored program keeps the names that it asserts, and cupel_program_load
     * finds them here again.  The array and the names may go away when the call returns; with the
     * options of a catalog, when the catalog is freed.  The `ctx` of a format must outlive the
     * program. */
    const struct cupel_format *formats;
    size_t format_count;
    /* Steps that several compilations or loadings, one after the other, may spend on patterns
     * together.  Each one subtracts what it used, whether it succeeds or not, and may use no more
     * than is left.  NULL: only CUPEL_LIMIT_PATTERN_STEPS bounds them.  A catalog uses its own
     * budget instead (CUPEL_LIMIT_CATALOG_PATTERN_STEPS). */
    uint64_t *pattern_budget;
    /* The bounds, by enum cupel_limit; 0 where no bound has that index. */
    uint64_t limits[CUPEL_LIMITS];
    /* Secret numbers for hashes of texts, so that no attacker can write a text whose names or
     * values collide.  0, 0: each object that needs a key gets random numbers from getrandom; where
     * the system has none, the key is made of addresses, which an attacker may guess, and a host
     * sets numbers of its own.  No verdict, no number of steps and no image depends on them. */
    uint64_t hash_key[2];
    /* The URI that the schema was retrieved by (RFC 3986 section 5.1.3): absolute, NUL-terminated,
     * a fragment does not count.  `$id` and references resolve against it, and a reference to it is
     * one to the schema itself.  Images and reports do not hold it: the `base` of struct
     * cupel_render_options names the schema there.  NULL: only `$id` gives a base.  Compiling reads
     * it; the string may go away when the call returns.  Catalogs and argument schemas ignore it.
     */
    const char *base_uri;
};

/* Fills in the defaults of a struct of `size` bytes: cupel_options_init for programs that are not
 * compiled with this header, such as bindings. */
void cupel_options_init_sized(struct cupel_options *options, size_t size);

/* Fills in the defaults. */
static inline void cupel_options_init(struct cupel_options *options)
{
    cupel_options_init_sized(options, sizeof(*options));
}

/* Whether functions accept these options: CUPEL_OK, or CUPEL_E_ARGUMENT with the reason in *err.
 * For hosts that read options from a configuration. */
enum cupel_status cupel_options_check(const struct cupel_options *options, struct cupel_error *err);

/* The name of a bound as `cupel help limits` lists it, such as "body_bytes"; NULL if there is no
 * such bound.  Static. */
const char *cupel_limit_name(enum cupel_limit limit);

/* -- Texts ------------------------------------------------------------------------------------ */

/* A buffer of bytes, grown as needed.  `bytes` is followed by a NUL once anything was added.  An
 * append that fails for lack of memory sets `failed`, and later appends do nothing: check once, at
 * the end. */
struct cupel_text {
    struct cupel_alloc alloc;
    char *bytes;
    size_t len, capacity;
    int failed;
};

/* Makes an empty buffer, which cupel_text_free frees.  Allocates nothing yet. */
void cupel_text_init(struct cupel_text *text, const struct cupel_alloc *alloc);

/* Frees the memory.  The buffer is empty and may be used again. */
void cupel_text_free(struct cupel_text *text);

/* Empties it and keeps the memory. */
void cupel_text_clear(struct cupel_text *text);

/* Append bytes, a NUL-terminated string, or the output of a NUL-terminated format of printf. */
void cupel_text_add(struct cupel_text *text, const char *bytes, size_t len);
void cupel_text_adds(struct cupel_text *text, const char *z);
void cupel_text_addf(struct cupel_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Appends bytes as a JSON string with its quotes (RFC 8259 section 7).  Escapes the characters that
 * cupel_text_add_escaped escapes.  Bytes that are not UTF-8 become U+FFFD, so the output is always
 * valid. */
void cupel_text_add_json(struct cupel_text *text, const char *bytes, size_t len);

enum cupel_text_flag {
    CUPEL_TEXT_LINES = 1 << 0, /* several lines: line ends and tabs stay, CR becomes a line end */
    CUPEL_TEXT_QUOTED = 1 << 1 /* as a JSON string with its quotes; not with CUPEL_TEXT_LINES */
};

/* Appends at most `most` bytes of untrusted text, for a terminal, a log or a model, and "…" if
 * there are more.  `flags` are bits of enum cupel_text_flag.  These characters become escapes
 * (\u202e; two of them beyond U+FFFF):
 *   - control characters, DEL, bidirectional controls, line separators,
 *   - default-ignorable code points, private use, noncharacters,
 *   - the first characters of workflow commands: `::` where a line may begin, `##[` and `##vso[`.
 * Bytes that are not UTF-8 become U+FFFD. */
void cupel_text_add_escaped(struct cupel_text *text, const char *bytes, size_t len, size_t most,
                            uint32_t flags);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
