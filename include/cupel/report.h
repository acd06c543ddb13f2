/* report.h: what is wrong with an instance, as records.
 *
 *     if (cupel_validate(program, scratch, text, len, NULL) == CUPEL_INVALID &&
 *         cupel_report_run(program, scratch, NULL, 0, 0, NULL) == CUPEL_INVALID)
 *         for (uint32_t i = 0; i < cupel_report_problems(scratch); i++) {
 *             struct cupel_record r;
 *             cupel_report_record(scratch, cupel_report_problem(scratch, i), &r);
 *             …
 *         }
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

#include <cupel/text.h>
#include <cupel/validate.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

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

/* The number of records, and of records that were lost for want of room. */
uint32_t cupel_report_records(const struct cupel_scratch *scratch);
uint32_t cupel_report_lost(const struct cupel_scratch *scratch);
/* Record i of them.  A choice comes before what is in its branches. */
void cupel_report_record(const struct cupel_scratch *scratch, uint32_t i, struct cupel_record *ret);

/* The number of problems, and the record of the i-th in the order of the document. */
uint32_t cupel_report_problems(const struct cupel_scratch *scratch);
uint32_t cupel_report_problem(const struct cupel_scratch *scratch, uint32_t i);

/* Append to a text what record i says.  A pointer or URI takes at most CUPEL_LIMIT_ERROR_BYTES (256
 * if that is less), and all of them together the steps that a run may have besides those that the
 * report did not use: one that is cut, or for which there is nothing left, ends with "…". …_keyword
 * the keyword that failed, such as "required"; "false" for a false schema; "" of UNREPORTED
 * …_instance a JSON Pointer to the value, from the node that was judged …_schema      a JSON
 * Pointer to the keyword in the schema document, as its author wrote it …_absolute    the keyword
 * as a URI with a fragment; `base` where the schema has no identifier …_evaluation  the way to the
 * keyword through all references, as a JSON Pointer …_sentence    what is wrong, in a sentence
 * without a full stop
 */
void cupel_report_keyword(const struct cupel_scratch *scratch, uint32_t i, struct cupel_text *text);
void cupel_report_instance(const struct cupel_scratch *scratch, uint32_t i,
                           struct cupel_text *text);
void cupel_report_schema(const struct cupel_scratch *scratch, uint32_t i, struct cupel_text *text);
void cupel_report_absolute(const struct cupel_scratch *scratch, uint32_t i, const char *base,
                           struct cupel_text *text);
void cupel_report_evaluation(const struct cupel_scratch *scratch, uint32_t i,
                             struct cupel_text *text);
void cupel_report_sentence(const struct cupel_scratch *scratch, uint32_t i,
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
