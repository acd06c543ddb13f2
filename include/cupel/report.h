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
 * There is a record for every keyword that failed.  Those in branches of an anyOf or oneOf belong
 * to the record of that choice; where one branch is meant beyond doubt its records are problems,
 * otherwise the choice itself is one.  The problems are what a person or a model should be told:
 * each once, in the order of the document.  All records together are what the standard's output
 * formats list (messages.h).
 *
 * A record has a fixed size and lies in the scratch; pointers, locations and sentences are made
 * when they are asked for.  No record and no sentence repeats a value of the instance; names and
 * constants of the schema are quoted, cut at 64 bytes.
 *
 * Threads: those of the scratch.  Records live until the scratch is used again, and the document
 * and the program must too. */
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
    const char *keyword;  /* such as "required"; "false" for a false schema; "" if what is wrong was
                             not  found within the bounds */
    const char *instance; /* JSON Pointer of the value, NUL-terminated; "" is the root */
    const char *schema;   /* JSON Pointer of the keyword in the schema document */
    const char *message;  /* one sentence for a person, without a full stop */
    uint32_t node;        /* the value in the document that was judged */
    uint64_t offset;      /* of the value in the text */
};

/* Called for each problem in document order; a non-zero return stops the calls. */
typedef int cupel_on_problem(void *ctx, const struct cupel_problem *problem);

/* Runs the report program on a node and calls `on_problem` for each thing that is wrong, up to
 * CUPEL_LIMIT_ERRORS of them (but one in any case).  Where a value fits no alternative of an anyOf
 * or oneOf, the problems are those of the one that is meant, if that is beyond doubt (report.h has
 * all of them).  doc NULL: the text that cupel_validate read last with this scratch.  Values of the
 * instance are not repeated in messages.
 *
 * Returns what cupel_validate_node would: VALID without a call, INVALID with at least one,
 * UNDECIDED with the reason in *ret, which may be NULL (CUPEL_E_UNSUPPORTED: compiled with
 * CUPEL_NO_REPORT). */
enum cupel_verdict cupel_report(const struct cupel_program *program, struct cupel_scratch *scratch,
                                struct cupel_document *doc, uint32_t node,
                                cupel_on_problem *on_problem, void *ctx, struct cupel_outcome *ret);

/* An annotation (core 7.7): what a keyword says of a value in a schema that the value passes.  All
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
 * been compiled with CUPEL_ANNOTATIONS.  Returns what cupel_report does, and UNDECIDED with
 * CUPEL_E_LIMIT_MEMORY if the text of the annotations is longer than CUPEL_LIMIT_SCRATCH_BYTES in
 * all, with CUPEL_E_LIMIT_STEPS if writing it takes more steps than a run may.  A pointer that is
 * longer than a quarter of CUPEL_LIMIT_ERROR_BYTES is cut and ends with "…". */
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

/* Why a branch of an anyOf or oneOf is the one that is meant, or why none is. */
enum cupel_choice {
    CUPEL_CHOICE_NONE,   /* the record is no choice */
    CUPEL_CHOICE_TIE,    /* any branch may be meant */
    CUPEL_CHOICE_TYPES,  /* none: all ask for another type of value */
    CUPEL_CHOICE_VALUES, /* none: all ask for certain values */
    CUPEL_CHOICE_NO_TAG, /* none: they are told apart by a member, which has none of their values */
    CUPEL_CHOICE_BY_TAG, /* a member has a value that only this branch asks for */
    CUPEL_CHOICE_BY_TYPE, /* only this branch asks for a value of the type */
    CUPEL_CHOICE_BY_NAMES /* this branch knows more of the members than any other */
};

struct cupel_record {
    enum cupel_problem_code code;
    uint32_t node;            /* the value that failed; in propertyNames a key */
    uint32_t which;           /* REQUIRED, DEPENDENT: which of the names is missing; CONTAINS_…:
                                 how many items match; MANY_ALTERNATIVES: the first two branches
                                 that match, the second << 16 */
    uint32_t group;           /* the record of the choice it is in, or CUPEL_NO_RECORD … */
    uint32_t branch;          /* … and in which of its branches */
    enum cupel_choice choice; /* why the branch is meant, or why none is */
    uint32_t chosen;          /* choices: the branch that is meant, or CUPEL_NO_RECORD */
    uint32_t tag;             /* choices: the member's value that tells the branches apart, or
                                 CUPEL_NO_NODE */
    int is_problem;           /* whether it is to be told */
};

enum cupel_report_flag {
    /* Collects annotations, for a valid instance (compiled with CUPEL_ANNOTATIONS). */
    CUPEL_REPORT_ANNOTATIONS = 1 << 0,
    /* Only what is to be told: the branches of a choice that a member's value says are not meant
     * have no records.  The problems are found sooner, and are the same unless there are so many
     * that choices are left as ties.  Without effect beside annotations. */
    CUPEL_REPORT_PROBLEMS = 1 << 1
};

/* Runs the report program on a node and keeps its records in the scratch.  doc NULL: the text that
 * cupel_validate read last with this scratch.  The verdict is that of cupel_validate_node, whatever
 * may have been left out for want of room or steps: INVALID comes with at least one problem (if
 * nothing else, that it is INVALID: CUPEL_P_UNREPORTED), VALID with no record.  UNDECIDED with the
 * reason in *ret, which may be NULL (CUPEL_E_UNSUPPORTED: compiled with CUPEL_NO_REPORT). */
CUPEL_MUST_CHECK enum cupel_verdict cupel_report_run(const struct cupel_program *program,
                                                     struct cupel_scratch *scratch,
                                                     struct cupel_document *doc, uint32_t node,
                                                     uint32_t flags, struct cupel_outcome *ret);

/* The numbers of records after a report.  Frozen: this struct never changes. */
struct cupel_report_counts {
    uint32_t records;     /* all of them; a choice comes before the records in its branches */
    uint32_t problems;    /* the records to be shown */
    uint32_t lost;        /* records for which there was no room */
    uint32_t reserved[5]; /* 0 */
};

/* Fills in *ret: 0 before the first report. */
void cupel_report_count(const struct cupel_scratch *scratch, struct cupel_report_counts *ret);

/* Record i < counts.records.  CUPEL_OK, or CUPEL_E_ARGUMENT. */
enum cupel_status cupel_report_record(const struct cupel_scratch *scratch, uint32_t i,
                                      struct cupel_record *ret);

/* The number of the record of problem i < counts.problems, in the order of the document. */
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

/* Appends a text of record i.  `base` is the URI of a schema without an identifier, for ABSOLUTE;
 * NULL for none.  A pointer or URI takes at most CUPEL_LIMIT_ERROR_BYTES (256 if that is less), and
 * all of them together the steps that a run may have besides those that the report did not use: one
 * that is cut, or for which there is nothing left, ends with "…". */
enum cupel_status cupel_report_write(const struct cupel_scratch *scratch, uint32_t i,
                                     enum cupel_record_text what, const char *base,
                                     struct cupel_text *text);

/* The id of a code, such as "unknown-property", and what it means, a paragraph.  Never NULL;
 * static; any thread. */
const char *cupel_problem_id(enum cupel_problem_code code);
const char *cupel_problem_meaning(enum cupel_problem_code code);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
