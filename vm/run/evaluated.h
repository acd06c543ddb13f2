/* evaluated.h: the sets of evaluated children (unevaluatedProperties, unevaluatedItems).
 *
 * A set has a bit for each child of a value, by its position.  It belongs to the frame of an
 * UNEVALUATED or of a MEMO; only children of that frame's value are marked in it.
 */
#ifndef CUPEL_VM_RUN_EVALUATED_H
#define CUPEL_VM_RUN_EVALUATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cupel__vm;
struct cupel__frame;

/* The sets, a stack of words. */
struct cupel__evaluated {
    uint64_t *words;
    size_t used, capacity;
    size_t need;    /* words that a run lacked in all; 0: none */
    uint32_t owner; /* frame of the set that is being filled, 0: none */
};

enum { CUPEL__WORDS_A_STEP = 8 }; /* of a set that is copied or added */

/* The frame of an UNEVALUATED begins a set.  False: no capacity, vm->reason is set. */
bool cupel__track_begin(struct cupel__vm *, struct cupel__frame *);
/* Ends it: all children are evaluated for the UNEVALUATED around it. */
void cupel__track_end(struct cupel__vm *, struct cupel__frame *);
bool cupel__is_evaluated(const struct cupel__vm *, const struct cupel__frame *, uint32_t child);
/* Children from `first` up to `end` of node v are evaluated. */
void cupel__mark(struct cupel__vm *, uint32_t v, uint32_t first, uint32_t end);

/* The set that is being filled for node v and its words; NULL if there is none or v has no
 * children. */
uint64_t *cupel__track_set(const struct cupel__vm *, uint32_t v, size_t *ret_words);
/* Reserves n words on the stack.  False: no capacity, vm->reason is set. */
bool cupel__track_take(struct cupel__vm *, size_t n);

/* A choice saves the state that a failure restores: sizes, owner, scope. */
void cupel__choice_begin(struct cupel__vm *, struct cupel__frame *);
/* Also saves a copy of the value's set.  False: no capacity, vm->reason is set. */
bool cupel__choice_save(struct cupel__vm *, struct cupel__frame *);
/* A branch has passed: the copy becomes the set as it is now. */
void cupel__choice_update(struct cupel__vm *, struct cupel__frame *);
/* A branch has failed: the state becomes as it was saved. */
void cupel__choice_restore(struct cupel__vm *, struct cupel__frame *);

#endif
