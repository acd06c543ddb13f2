/* judge.h: pairs of a schema and an instance, judged by the library in every way it can and by the
 * reference. */
#ifndef CUPEL_TESTS_JUDGE_H
#define CUPEL_TESTS_JUDGE_H

#include "reference.h"
#include <stdbool.h>

enum { JUDGE_WAYS = 15 }; /* to compile */

/* What came of a pair. */
enum finding {
    AGREE,
    UNDECIDED, /* a number beyond range */
    UNKNOWN,   /* to the reference; the library agrees with itself */
    REFUSED,   /* by the compiler */
    DIFFERENT,
    FINDINGS
};

struct judge {
    bool reference_only;        /* nothing is compiled */
    bool roomy;                 /* large schemas, many steps */
    enum cupel_dialect dialect; /* of the schema at hand */
    struct cupel_document *schema, *instance;
    bool schema_beyond; /* a number in it is beyond range */
    struct reference *reference;
    struct cupel_program *programs[JUDGE_WAYS];
    struct cupel_scratch *scratch, *portable;
    enum reference_verdict expected;
    char why[512];            /* what differs, in words */
    enum cupel_status status; /* why a schema was refused, or there is no verdict */
};

const char *judge_dialect(enum cupel_dialect);

/* False if there is no memory. */
bool judge_init(struct judge *);
void judge_free(struct judge *);

/* Compiles a schema in all ways: AGREE, or REFUSED. */
enum finding judge_schema(struct judge *, const struct cupel_text *);

/* Judges an instance of the schema taken last. */
enum finding judge_instance(struct judge *, const struct cupel_text *);

#endif
