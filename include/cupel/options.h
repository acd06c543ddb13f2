/* options.h: the settings and bounds that every entry point takes.
 *
 *     struct cupel_options options;
 *     cupel_options_init(&options);
 *     options.limits.depth = 64;
 *
 * The defaults are the gateway profile: every bound is finite, and none is one that normal traffic
 * reaches.  NULL in place of options means the defaults. */
#ifndef CUPEL_OPTIONS_H
#define CUPEL_OPTIONS_H

#include <cupel/alloc.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The dialect of a schema that does not say (`$schema`, core 8.1.1). */
enum cupel_dialect {
    CUPEL_DIALECT_DEFAULT = 0, /* 2020-12 */
    CUPEL_DRAFT_4 = 4,
    CUPEL_DRAFT_6 = 6,
    CUPEL_DRAFT_7 = 7,
    CUPEL_2019_09 = 2019,
    CUPEL_2020_12 = 2020,
    CUPEL_V1 = 9999 /* "https://json-schema.org/v1", not released yet; with CUPEL_EXPERIMENTAL */
};

enum cupel_option {
    CUPEL_ALLOW_DUPLICATE_KEYS = 1 << 0, /* in instances: the last member of a name counts */
    CUPEL_ALLOW_BOM = 1 << 1,            /* in instances: a leading U+FEFF is skipped */
    CUPEL_INPUT_PADDED = 1 << 2,    /* 64 readable bytes follow every instance text, and the text
                                       outlives the validation and does not change during it,
                                       nor do these 64 bytes: it need not be copied */
    CUPEL_STRICT_REGEX = 1 << 3,    /* patterns must follow ECMA-262 with `u` to the letter */
    CUPEL_NO_JIT = 1 << 4,          /* never make machine code (PCRE2's JIT) */
    CUPEL_NO_REPORT = 1 << 5,       /* compile the verdict only: smaller, but no messages */
    CUPEL_NO_SIMD = 1 << 6,         /* read JSON with the portable scanner */
    CUPEL_SWITCH_DISPATCH = 1 << 7, /* run the VM's portable loop */
    CUPEL_ANNOTATIONS = 1 << 8,     /* compile annotations into the report program */
    CUPEL_ASSERT_FORMAT = 1 << 9,   /* `format` asserts, in every dialect that has the keyword */
    CUPEL_IDN_OPTIONAL = 1 << 10,   /* in scratches: names that need IDNA pass a `format` where the
                                       build has no libidn2; without this they are UNDECIDED */
    CUPEL_ASSERT_CONTENT = 1 << 11, /* in schemas of draft 7, `contentEncoding: base64` and
                                       `contentMediaType: application/json` assert; in later
                                       drafts content only annotates (2019-09 validation 8.1) */
    CUPEL_FORMAT_ANNOTATES = 1 << 12, /* `format` asserts nowhere, whatever else is said */
    CUPEL_EXPERIMENTAL = 1 << 13,     /* dialects that are not released: what a schema means in them
                                         may change with any version of cupel */
    CUPEL_UNKNOWN_KEYWORDS = 1 << 14, /* in v1, keywords that it does not know are let pass, as in
                                         all dialects before it; without this they are refused
                                         unless they begin with `x-` */
    CUPEL_NO_DIRECT = 1 << 15,        /* put short texts on a tape too before they are judged */
    CUPEL_EAGER_MEMO = 1 << 16, /* keep results from the first step on, not when a run is long */
    CUPEL_NO_BACK_REFERENCES = 1 << 20, /* refuse patterns whose work only a budget bounds:
                                           BACK_REFERENCE */
    CUPEL_NO_REGEX_SHAPES = 1 << 21,    /* patterns without loops of their own, */
    CUPEL_NO_REGEX_TABLES = 1 << 22,    /* without tables made at load, */
    CUPEL_NO_REGEX_LINEAR = 1 << 23     /* or without automata: slower, and the same verdicts */
};

/* Formats.  `format` describes a string and decides nothing, unless CUPEL_ASSERT_FORMAT is set or
 * the dialect's `$vocabulary` says so: that of 2020-12 lists `format-assertion`, that of 2019-09
 * requires `format` (validation 7.2), v1 says so by itself.  Then the formats that the dialect's
 * specification defines assert, for strings; any other name (`int32`, `float` and `password` of
 * OpenAPI, say) decides nothing in any case, unless the host adds it with a struct cupel_format; v1
 * refuses it. */

/* The bounds.  Each has its own status when it is reached (error.h); none ever becomes a verdict.
 */
struct cupel_limits {
    size_t body_bytes;      /* 1 MiB; one instance text: JSON_SIZE */
    uint32_t depth;         /* 128; its nesting: JSON_DEPTH */
    uint32_t number_chars;  /* 1,024; one number token: NUMBER_SIZE */
    size_t schema_bytes;    /* 256 KiB; one schema text: SCHEMA_SIZE */
    uint32_t schema_depth;  /* 256; its nesting: SCHEMA_DEPTH */
    uint32_t subschemas;    /* 65,536; compiled for one program: SCHEMA_SIZE */
    size_t image_bytes;     /* 4 MiB: IMAGE_SIZE */
    size_t pattern_bytes;   /* 4 KiB; one pattern: PATTERN_SIZE */
    size_t matcher_bytes;   /* 16 MiB; all patterns of a program, compiled: PATTERN_SIZE */
    uint64_t pattern_steps; /* 2,000,000; of compiling all patterns of a program: PATTERN_STEPS */
    uint64_t catalog_pattern_steps; /* 50,000,000; the same of all tools of a catalog:
                                       CATALOG_PATTERNS */
    uint32_t errors;                /* 16; reported for one instance */
    size_t error_bytes; /* 64 KiB; of all their text; the first may take 256 bytes in any case */
    uint64_t steps;     /* 120,000 … */
    uint32_t steps_per_byte; /* … + 10 for each byte of the instance; a report has its own:
                                LIMIT_STEPS */
    size_t scratch_bytes;    /* 4 MiB; held by one scratch beyond the document: LIMIT_MEMORY */
    size_t compile_bytes;    /* 12 MiB; what compiling one schema works in, beside the document, the
                                images and    the matchers: SCHEMA_SIZE */
};

/* The optimisation passes, each of which can be left out; verdicts do not change. */
enum cupel_pass {
    CUPEL_PASS_FOLD = 1 << 0,
    CUPEL_PASS_ENUM = 1 << 1,
    CUPEL_PASS_INLINE = 1 << 2,
    CUPEL_PASS_REQUIRED = 1 << 3,
    CUPEL_PASS_DEDUPE = 1 << 4,
    CUPEL_PASS_UNEVALUATED = 1 << 5,
    CUPEL_PASS_NARROW = 1 << 6,
    CUPEL_PASS_MEMO = 1 << 7, /* without it some schemas take time that grows exponentially */
    CUPEL_PASS_MERGE = 1 << 8,
    CUPEL_PASS_PARTITION = 1 << 9,
    CUPEL_PASS_DISCRIMINATE = 1 << 10,
    CUPEL_PASS_NAMES = 1 << 11,
    CUPEL_PASS_CASES = 1 << 12,
    CUPEL_PASS_ALL = 0x7fffffff
};

/* A reference to a document that is not in the schema.  Called while compiling, with the absolute
 * URI without its fragment (RFC 3986).  Returns 0 and sets *ret_text, *ret_len to a schema text
 * that stays readable until the compilation ends, or non-zero if it has none (UNRESOLVED_REF).
 * cupel itself never opens anything. */
typedef int cupel_resolver(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                           size_t *ret_len);

/* A format of the host's: whether a string (`len` bytes of UTF-8, which may hold NUL, not
 * terminated) conforms.  Returns 0, as CUPEL_VALID, if it does, 1, as CUPEL_INVALID, if it does
 * not, and anything else if that cannot be said: the validation is UNDECIDED then (LIMIT_FORMAT).
 *
 * Called while validating, in the thread that validates, and so in several at once if the program
 * is shared; from inside, the scratch and the document in use must not be touched.  The same string
 * has to get the same answer each time: cupel_report asks again.  A step is charged for every 4
 * bytes. */
typedef int cupel_format_check(void *ctx, const char *text, size_t len);

/* It asserts where `format` does, in every dialect; one of the specification's with the same name
 * gives way to it. */
struct cupel_format {
    const char *name; /* NUL-terminated */
    cupel_format_check *check;
    void *ctx;
};

struct cupel_options {
    size_t size;    /* of this struct as the caller knows it; set by cupel_options_init */
    uint32_t flags; /* enum cupel_option */
    enum cupel_dialect dialect; /* of schemas without `$schema` */
    uint32_t passes;            /* enum cupel_pass */
    struct cupel_limits limits;
    struct cupel_alloc alloc; /* realloc NULL: the C library's */
    cupel_resolver *resolver; /* NULL: no references to other documents */
    void *resolver_ctx;
    /* Formats of the host's own, when compiling and when loading: a stored program keeps the names
     * that it asserts, and cupel_program_load looks them up here again.  The array and the names
     * may go away when the call returns (of a catalog's options: with the catalog); what `ctx`
     * leads to may not before the program. */
    const struct cupel_format *formats;
    size_t format_count; /* at most 1,024 count; of several with one name the first */
    /* Steps that several compilations or loadings, one after the other, may spend on patterns
     * together: each takes what it has used, whether it succeeds or not, and has no more than is
     * left.  NULL: only limits.pattern_steps.  Of a catalog's options: the catalog has its own. */
    uint64_t *pattern_budget;
    /* Secret numbers for the hashes of texts, so that nobody can write a text whose names or values
     * collide; 0, 0: by cupel_random_key for each object that needs some.  No verdict, no number of
     * steps and no image depends on it. */
    uint64_t hash_key[2];
};

/* Fills in a key: by getrandom, or where the system has none to give, made of addresses, which a
 * stranger may guess.  A host without getrandom gives a key of its own. */
void cupel_random_key(uint64_t ret_key[2]);

/* Fills in the defaults. Any thread. */
void cupel_options_init(struct cupel_options *options);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
