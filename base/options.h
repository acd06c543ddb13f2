/* options.h: what the library reads of a host's struct cupel_options.
 *
 * Every public function that takes options copies them with cupel__options_copy before it reads any
 * member, so that NULL and a shorter struct of an older header mean the same everywhere.  The
 * public header include/cupel/options.h documents the members. */
#ifndef CUPEL_BASE_OPTIONS_H
#define CUPEL_BASE_OPTIONS_H

#include "base/memory.h"
#include <cupel/options.h>

/* Copies the options, or the defaults if `given` is NULL.  Members that a shorter struct does not
 * have get their defaults; an allocator without a function becomes the C library's. */
void cupel__options_copy(const struct cupel_options *given, struct cupel_options *ret);

/* The key of the options for keyed hashes, or a random one if they have none. */
void cupel__options_key(const struct cupel_options *, uint64_t ret_key[2]);

/* The steps that compiling the patterns of one program may take: the program's bound, or what is
 * left of the budget that the options share between programs, whichever is less. */
int64_t cupel__pattern_steps(const struct cupel_options *);

/* Charges the steps used, `before` - `after`, to that shared budget, if there is one. */
void cupel__pattern_steps_charge(const struct cupel_options *, int64_t before, int64_t after);

#endif
