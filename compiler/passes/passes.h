/* passes.h: the rewrites of the intermediate form.
 *
 * Each pass takes a module that cupel__ir_check() accepts and leaves one with the same meaning: an
 * instance passes the root afterwards if and only if it passed before.  The time is near-linear in
 * the size of the module for every input, the stack is bounded, and the result depends on the
 * module alone.  After CUPEL_E_NO_MEMORY the module must not be used.
 *
 * Passes may run in any order and more than once, with two exceptions: after cupel__pass_names()
 * only dedupe, discriminate and memo, and after cupel__pass_discriminate() only memo.  docs/ir.md
 * says what the order in compile.c gains. */
#ifndef CUPEL_COMPILER_PASSES_H
#define CUPEL_COMPILER_PASSES_H

#include "compiler/ir/ir.h"

enum cupel_status cupel__pass_fold(struct ir_module *); /* decides what the schema alone decides */
enum cupel_status cupel__pass_enum(struct ir_module *); /* CONST and ENUM by class of values */
enum cupel_status cupel__pass_inline(struct ir_module *); /* replaces REF by its target */
enum cupel_status
cupel__pass_unevaluated(struct ir_module *); /* UNEVALUATED where the evaluated set is static */
enum cupel_status cupel__pass_narrow(struct ir_module *); /* masks of schemas with one use */
enum cupel_status cupel__pass_cases(struct ir_module *);  /* IF whose conditions test one member */
enum cupel_status cupel__pass_partition(struct ir_module *); /* choices that the type decides */
enum cupel_status cupel__pass_merge(struct ir_module *);     /* several PROPS or ITEMS become one */
enum cupel_status cupel__pass_required(struct ir_module *);  /* REQUIRED becomes part of PROPS */
enum cupel_status cupel__pass_names(struct ir_module *);  /* matches patterns against known names */
enum cupel_status cupel__pass_dedupe(struct ir_module *); /* equal schemas become one */
enum cupel_status
cupel__pass_discriminate(struct ir_module *);           /* which branches a value may pass */
enum cupel_status cupel__pass_memo(struct ir_module *); /* marks schemas whose results are kept */

#endif
