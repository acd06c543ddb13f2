/* report.h: what is wrong with an instance, as records.
 *
 *     struct cupel_report_counts counts;
 *     if (cupel_validate(program, scratch, text, len, NULL) == CUPEL_INVALID &&
 *         cupel_report_run(program, scratch, NULL, 0, 0, NULL) == CUPEL_INVALID) {
 *         cupel_report_count(scratch, &counts);
 *         for (uint32_t i = 0; i < counts.problems; i++) {
 *             struct cupel_record record;
 *             cupel_report_record(scratch, cupel_report_problem(scratch, i), &record);
 *             ...
 *         }
 *     }
 *
 * There is a record for every keyword that failed.  Records in branches of an anyOf or oneOf belong
 * to the record of that choice.  If one branch matches best beyond doubt, its records are problems;
 * otherwise the choice itself is a problem.  The problems are the records to show to a person or a
 * model: each once, in the order of the document.  The standard's output formats list all records
 * (messages.h).
 *
 * A record has a fixed size and is stored in the scratch; the functions below make its pointers,
 * locations and sentences.  No record and no sentence repeats a value of the instance; names and
 * constants of the schema are quoted, cut at 64 bytes.
 *
 * Threads: a scratch and a document belong to one thread at a time; threads share programs.
 * Records are valid until the scratch is used again, and while the document and the program exist.
 */
#ifndef CUPEL_REPORT_H
#define CUPEL_REPORT_H

#include <cupel/validate.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Problems, one callback each ------------------------------------------------------------ */

/* One thing that is wrong with an instance.  Pointers live until the next use of the scratch.  The
 * strings of all problems take at most CUPEL_LIMIT_ERROR_BYTES together, those of the first 256
 * bytes if that is more; one that takes more than a quarter of that is cut and ends with "…". */
struct cupel_problem {
    const char *keyword;  /* such as "required"; "false" for a false schema; "" if the problem was
                             not found within the bounds */
    const char *instance; /* JSON Pointer of the value, NUL-terminated; "" is the root */
    const char *schema;   /* JSON Pointer of the keyword in the schema document */
    const char *message;  /* one sentence for a person, without a full stop */
    uint32_t node;        /* the value in the validated document */
    uint64_t offset;      /* of the value in the text */
};

/* Called for each problem in document order; a non-zero return stops the calls. */
typedef int cupel_on_problem(void *ctx, const struct cupel_problem *problem);

/* Runs the report program on a node and calls `on_problem` for each problem, up to
 * CUPEL_LIMIT_ERRORS of them, but at least one.  If a value matches no branch of an anyOf or oneOf,
 * the problems are those of the best-matching branch, if there is one; cupel_report_run records all
 * branches.  Without `doc` the node is one of the text that cupel_validate read last with this
 * scratch.  Messages repeat no values of the instance.
 *
 * Returns the verdict of cupel_validate_node: VALID without a call; INVALID with at least one;
 * UNDECIDED with the reason in *ret, also CUPEL_E_UNSUPPORTED for a program compiled with
 * CUPEL_NO_REPORT.
 * NULL: doc. */
enum cupel_verdict cupel_report(const struct cupel_program *program, struct cupel_scratch *scratch,
                                struct cupel_document *doc, uint32_t node,
                                cupel_on_problem *on_problem, void *ctx, struct cupel_outcome *ret);

/* An annotation (core 7.7): a keyword's information about a value that its schema accepts.  All
 * pointers live until the next use of the scratch. */
struct cupel_annotation {
    const char *keyword;   /* such as "title" */
    const char *instance;  /* JSON Pointer of the value, NUL-terminated */
    const char *schema;    /* JSON Pointer of the keyword in the schema document */
    const char *value;     /* JSON text, NUL-terminated */
    uint32_t node;         /* the value in the document */
    uint64_t offset;       /* of the value in the text */
    uint32_t line, column; /* of that byte, counted from 1 */
};

/* Called for each annotation in document order; a non-zero return stops the calls. */
typedef int cupel_on_annotation(void *ctx, const struct cupel_annotation *annotation);

/* Runs the report program on a node, as cupel_report does, and calls `on_annotation` for each
 * annotation if the node is VALID: title, description, default, deprecated, readOnly, writeOnly,
 * examples, format, content…, and keywords that the dialect does not know.  The program must have
 * been compiled with CUPEL_ANNOTATIONS.  A pointer that is longer than a quarter of
 * CUPEL_LIMIT_ERROR_BYTES is cut and ends with "…".
 *
 * Returns the verdict of cupel_report, and UNDECIDED also with CUPEL_E_LIMIT_MEMORY if all
 * annotations together have more text than CUPEL_LIMIT_SCRATCH_BYTES, and with CUPEL_E_LIMIT_STEPS
 * if writing them takes more steps than a run may use.
 * NULL: doc. */
enum cupel_verdict cupel_annotate(const struct cupel_program *program,
                                  struct cupel_scratch *scratch, struct cupel_document *doc,
                                  uint32_t node, cupel_on_annotation *on_annotation, void *ctx,
                                  struct cupel_outcome *ret);

/* -- Problems as records --------------------------------------------------------------------- */

#define CUPEL_NO_RECORD UINT32_MAX

/* What kind of problem; problems.def has each one's meaning. */
enum cupel_problem_code {
    CUPEL_P_NONE = 0,
#define P(name, number, id, sentence, for_models, paragraph) CUPEL_P_##name = (number),
#include <cupel/problems.def>
};

/* Why a branch of an anyOf or oneOf is the best-matching one, or why none is. */
enum cupel_choice {
    CUPEL_CHOICE_NONE,    /* the record is no choice */
    CUPEL_CHOICE_TIE,     /* no branch matches better than the others */
    CUPEL_CHOICE_TYPES,   /* none: every branch requires another type of value */
    CUPEL_CHOICE_VALUES,  /* none: every branch requires certain values */
    CUPEL_CHOICE_NO_TAG,  /* none: a member distinguishes the branches, and has none of their values
                           */
    CUPEL_CHOICE_BY_TAG,  /* a member has a value that only this branch allows */
    CUPEL_CHOICE_BY_TYPE, /* only this branch allows a value of the type */
    CUPEL_CHOICE_BY_NAMES /* this branch declares more of the members than any other */
};

struct cupel_record {
    enum cupel_problem_code code;
    uint32_t node;            /* the value that failed; in propertyNames a key */
    uint32_t which;           /* REQUIRED, DEPENDENT: which of the names is missing; CONTAINS_…:
                                 how many items match; MANY_ALTERNATIVES: the first two branches
                                 that match, the second << 16 */
    uint32_t group;           /* the record of the choice around it, or CUPEL_NO_RECORD */
    uint32_t branch;          /* the branch of that choice */
    enum cupel_choice choice; /* why the branch matches best, or why none does */
    uint32_t chosen;          /* choices: the best-matching branch, or CUPEL_NO_RECORD */
    uint32_t tag;             /* choices: the member's value that distinguishes the branches, or
                                 CUPEL_NO_NODE */
    int is_problem;           /* whether it is a problem, to be shown */
};

enum cupel_report_flag {
    /* Collects annotations, for a valid instance (compiled with CUPEL_ANNOTATIONS). */
    CUPEL_REPORT_ANNOTATIONS = 1 << 0,
    /* Records problems only: if a member's value excludes branches of a choice, these have no
     * records.  The problems take fewer steps to find.  They are the same, unless there are so many
     * that choices stay ties.  No effect together with annotations. */
    CUPEL_REPORT_PROBLEMS = 1 << 1
};

/* Runs the report program on a node and keeps its records in the scratch.  `flags` are bits of enum
 * cupel_report_flag.  Without `doc` the node is one of the text that cupel_validate read last with
 * this scratch.
 *
 * The verdict is that of cupel_validate_node, also if records were left out for lack of memory or
 * steps: VALID with no record; INVALID with at least one problem, CUPEL_P_UNREPORTED if no other;
 * UNDECIDED with the reason in *ret, also CUPEL_E_UNSUPPORTED for a program compiled with
 * CUPEL_NO_REPORT.
 * NULL: doc. */
CUPEL_MUST_CHECK enum cupel_verdict cupel_report_run(const struct cupel_program *program,
                                                     struct cupel_scratch *scratch,
                                                     struct cupel_document *doc, uint32_t node,
                                                     uint32_t flags, struct cupel_outcome *ret);

/* The numbers of records after a report.  Frozen: this struct never changes. */
struct cupel_report_counts {
    uint32_t records;     /* all of them; a choice comes before the records in its branches */
    uint32_t problems;    /* the records to be shown */
    uint32_t lost;        /* records that did not fit */
    uint32_t reserved[5]; /* 0 */
};

/* Fills in *ret; all numbers are 0 before the first report. */
void cupel_report_count(const struct cupel_scratch *scratch, struct cupel_report_counts *ret);

/* Copies record i to *ret.  CUPEL_OK, or CUPEL_E_ARGUMENT if there are not so many records. */
enum cupel_status cupel_report_record(const struct cupel_scratch *scratch, uint32_t i,
                                      struct cupel_record *ret);

/* The number of the record of problem i, in the order of the document; CUPEL_NO_RECORD if there are
 * not so many problems. */
uint32_t cupel_report_problem(const struct cupel_scratch *scratch, uint32_t i);

/* The texts of a record. */
enum cupel_record_text {
    CUPEL_RECORD_KEYWORD = 0,  /* the keyword that failed, such as "required"; "false" for a false
                                  schema; "" of UNREPORTED */
    CUPEL_RECORD_INSTANCE = 1, /* a JSON Pointer to the value, from the node that was validated */
    CUPEL_RECORD_SCHEMA = 2,   /* a JSON Pointer to the keyword in the schema document, as its
                                  author wrote it */
    CUPEL_RECORD_ABSOLUTE = 3, /* the keyword as a URI with a fragment */
    CUPEL_RECORD_EVALUATION =
        4,                    /* the way to the keyword through all references, as a JSON Pointer */
    CUPEL_RECORD_SENTENCE = 5 /* the problem, in a sentence without a full stop */
};

/* Appends a text of record i.  `base`, NUL-terminated, is the URI of a schema without an
 * identifier, for ABSOLUTE.  A pointer or URI takes at most CUPEL_LIMIT_ERROR_BYTES (256 if that is
 * less).  All of them together take at most the steps of a run in addition to those that the report
 * left over. A text that is cut for either reason ends with "…".  CUPEL_OK, also if it was cut;
 * CUPEL_E_ARGUMENT if there is no such record or text; CUPEL_E_NO_MEMORY.
 * NULL: base. */
enum cupel_status cupel_report_write(const struct cupel_scratch *scratch, uint32_t i,
                                     enum cupel_record_text what, const char *base,
                                     struct cupel_text *text);

/* The id of a code, such as "unknown-property", and its meaning, a paragraph; "?" for another
 * number.  Never NULL; static.
 */
const char *cupel_problem_id(enum cupel_problem_code code);
const char *cupel_problem_meaning(enum cupel_problem_code code);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
