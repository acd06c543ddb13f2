/* generate.h: schemas and instances made up from a seed, for differential tests.
 *
 * The same seed gives the same texts, on every machine.  Schemas are valid in their dialect, and
 * all their references resolve without a cycle; instances follow a schema more or less, so that a
 * fair share of them is valid and most of the others nearly so. */
#ifndef CUPEL_TESTS_GENERATE_H
#define CUPEL_TESTS_GENERATE_H

#include <cupel/cupel.h>
#include <stdbool.h>

/* -- Chance and raw material (generate_values.c) ---------------------------------------------- */

struct chance {
    uint64_t state;
};

uint64_t chance_next(struct chance *);
/* A number from 0 to n - 1. */
uint32_t chance_below(struct chance *, uint32_t n);
/* True in n of 100 cases. */
bool chance_percent(struct chance *, uint32_t n);

/* A string that may hold NUL. */
struct words {
    const char *bytes;
    size_t len;
};

enum { WORDS = 36, NUMBERS = 48, DIVISORS = 14, PATTERNS = 16, FORMATS = 6, FORMAT_TEXTS = 6 };

/* Property names and other strings: of awkward lengths, alike at both ends, in need of escapes. */
extern const struct words words[WORDS];
/* Numbers as they are written.  Three in a row are different in value. */
extern const char *const numbers[NUMBERS];
extern const char *const divisors[DIVISORS];

/* A pattern as it stands in JSON without its quotes, and a string that matches it. */
struct sample {
    const char *pattern, *match;
};
extern const struct sample patterns[PATTERNS];

/* A format, or what the content keywords ask for, and strings as they stand in JSON, of which the
 * first half conform. */
struct format_sample {
    const char *keywords; /* members of a schema */
    int first, last;      /* the drafts whose generators use it */
    const char *texts[FORMAT_TEXTS];
};
extern const struct format_sample formats[FORMATS];

/* Names of definitions, and how a JSON Pointer in a URI fragment spells them. */
enum { DEFINITIONS = 7 };
extern const struct definition_name {
    const char *name, *token;
} definition_names[DEFINITIONS];

/* Appends a string in one of its spellings: characters may be written as escapes. */
void write_words(struct chance *, struct cupel_text *, const char *bytes, size_t len);
/* Appends any value, nested no deeper than `depth`. */
void write_value(struct chance *, struct cupel_text *, int depth);

/* -- Schemas (generate.c) --------------------------------------------------------------------- */

struct generate_options {
    enum cupel_dialect dialect; /* one of the six */
    bool unevaluated;           /* with unevaluatedItems and unevaluatedProperties */
    bool dynamic;               /* with $dynamicRef and $recursiveRef */
    bool formats;               /* with formats and content that assert */
};

void generate_schema(uint64_t seed, const struct generate_options *, struct cupel_text *);

/* -- Instances (generate_instance.c) ---------------------------------------------------------- */

void generate_instance(uint64_t seed, struct cupel_document *schema, struct cupel_text *);

/* -- Mutants (generate_mutant.c) -------------------------------------------------------------- */

/* Copies an instance with one change. */
void generate_mutant(uint64_t seed, struct cupel_document *instance, struct cupel_text *);

#endif
