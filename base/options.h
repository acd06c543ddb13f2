/* options.h: how the library reads the option structs that its callers fill in. */
#ifndef CUPEL_BASE_OPTIONS_H
#define CUPEL_BASE_OPTIONS_H

#include "base/memory.h"
#include <cupel/common.h>
#include <cupel/debug.h>
#include <stdbool.h>

/* Copies a struct that begins with `size_t size` over the defaults in *ret, a struct of the newest
 * version.  `sizes` lists the sizes of all released versions, ascending; the last is that of *ret.
 * A shorter struct leaves the defaults of the members that it does not have.  Returns false, with
 * nothing copied, if no version has the given size, or if a longer struct is not zero behind what
 * this version knows. */
bool cupel__struct_copy(void *ret, const void *given, const size_t *sizes, size_t count);

/* Fills in a struct of the caller's, of `size` bytes, from the defaults in *from, of `newest`
 * bytes: what the caller's struct does not have is left out, and what only a newer version has is
 * 0. */
void cupel__struct_init(void *ret, size_t size, const void *from, size_t newest);

/* Copies options that a caller gave, or the defaults for NULL, into a struct that may be kept:
 * complete, with an allocator, and with each bound at most the largest value that its use has a
 * type for.  Every function that takes options begins with it.  CUPEL_OK, or CUPEL_E_ARGUMENT with
 * the reason in *err (which may be NULL). */
enum cupel_status cupel__options_copy(const struct cupel_options *given, struct cupel_options *ret,
                                      struct cupel_error *err);

/* The step budget of compiling patterns: the limit PATTERN_STEPS, or the rest of the shared
 * pattern_budget if that is smaller. */
int64_t cupel__pattern_steps(const struct cupel_options *);

/* Subtracts before - after steps from the shared pattern_budget, if there is one.  `before` and
 * `after` are the remaining steps of cupel__pattern_steps before and after a compilation. */
void cupel__pattern_steps_charge(const struct cupel_options *, int64_t before, int64_t after);

/* The key of hashes that the options give, or a random one. */
void cupel__options_key(const struct cupel_options *, uint64_t ret_key[2]);

#endif
