/* passes.h: the rewrites of the intermediate form.
 *
 * Each takes a module that cupel__ir_check accepts and leaves one that means the same: every
 * instance passes the root before if it passes it after.  The time is near-linear in the size of
 * the module for every input, the stack is bounded, and the result depends on nothing but the
 * module. CUPEL_E_NO_MEMORY leaves a module that is good for nothing.
 *
 * All of them may be run in any order and more than once, but after cupel__pass_names only those
 * below it, and after cupel__pass_discriminate cupel__pass_memo alone; what the order gains is in
 * docs/ir.md. */
#ifndef CUPEL_COMPILER_PASSES_H
#define CUPEL_COMPILER_PASSES_H

#include "compiler/ir/ir.h"

enum cupel_status cupel__pass_fold(struct ir_module *); /* decide what the schema alone decides */
enum cupel_status cupel__pass_enum(struct ir_module *); /* CONST and ENUM by kind of value */
enum cupel_status
cupel__pass_inline(struct ir_module *); /* what is referred to goes where it is referred to */
enum cupel_status
cupel__pass_unevaluated(struct ir_module *);              /* UNEVALUATED where the set is known */
enum cupel_status cupel__pass_narrow(struct ir_module *); /* masks of what is used in one place */
enum cupel_status cupel__pass_cases(struct ir_module *);  /* conditions that one member decides */
enum cupel_status cupel__pass_partition(struct ir_module *); /* choices that the type makes */
enum cupel_status cupel__pass_merge(struct ir_module *);     /* several walks become one */
enum cupel_status cupel__pass_required(struct ir_module *);  /* REQUIRED becomes part of PROPS */
enum cupel_status
cupel__pass_names(struct ir_module *); /* which patterns match the names that are known */
enum cupel_status cupel__pass_dedupe(struct ir_module *); /* equal schemas become one */
enum cupel_status
cupel__pass_discriminate(struct ir_module *);           /* which branches the value leaves */
enum cupel_status cupel__pass_memo(struct ir_module *); /* marks schemas whose result is kept */

#endif
