/* candidates.h: the branches of a choice that may pass.
 *
 * An ANY_OF or ONE_OF tries all of its branches, a CHOOSE those that its discriminator leaves. */
#ifndef CUPEL_VM_RUN_CANDIDATES_H
#define CUPEL_VM_RUN_CANDIDATES_H

#include "vm/run/inline_checks.h"

struct cupel__candidates {
    const struct cupel__list *subs;
    const uint32_t *spans; /* the branches of each bit of `set`; NULL: all are candidates */
    uint64_t set;
};

/* Whether exactly one branch has to pass. */
INLINE bool cupel__is_one_of(uint32_t word)
{
    const uint32_t op = CUPEL__WORD_OP(word);
    return op == CUPEL__OP_ONE_OF || (op == CUPEL__OP_CHOOSE && CUPEL__WORD_A(word));
}

/* Whether the branches evaluate children, so that all of them run. */
INLINE bool cupel__branches_mark(uint32_t word)
{
    return CUPEL__WORD_OP(word) != CUPEL__OP_CHOOSE && CUPEL__WORD_A(word);
}

/* Whether the choice passes if n branches did. */
INLINE bool cupel__is_chosen(uint32_t word, uint32_t n)
{
    return cupel__is_one_of(word) ? n == 1 : n > 0;
}

/* All branches of the choice at pc. */
INLINE struct cupel__candidates cupel__all_branches(const struct cupel__image *image,
                                                    const uint32_t *pc)
{
    return (struct cupel__candidates){cupel__image_list(image, pc[1]), NULL, 0};
}

/* Of a CHOOSE the branches of `set` (cupel__filter_branches), of others all. */
INLINE struct cupel__candidates cupel__candidates_of(const struct cupel__image *image,
                                                     const uint32_t *pc, uint64_t set)
{
    struct cupel__candidates c = cupel__all_branches(image, pc);
    if (CUPEL__WORD_OP(*pc) != CUPEL__OP_CHOOSE)
        return c;
    const struct cupel__table *discriminator = cupel__at(image, pc[2]);
    c.spans = cupel__masks_spans(cupel__at(image, discriminator->matches));
    c.set = set;
    return c;
}

/* The first candidate from branch `at` on; the number of branches if there is none. */
INLINE uint32_t cupel__next_candidate(const struct cupel__candidates *c, uint32_t at)
{
    if (c->spans == NULL)
        return at;
    for (uint64_t set = c->set; set != 0; set &= set - 1) {
        uint32_t span = c->spans[__builtin_ctzll(set)], first = CUPEL__SPAN_FIRST(span);
        if (at < first + CUPEL__SPAN_N(span))
            return at > first ? at : first;
    }
    return c->subs->count;
}

/* Whether no candidate after `at` admits v. */
INLINE bool cupel__is_last_candidate(const struct cupel__candidates *c, uint32_t at,
                                     const struct cupel__node *v)
{
    while ((at = cupel__next_candidate(c, at + 1)) < c->subs->count)
        if (cupel__admits(c->subs->item[at], v))
            return false;
    return true;
}

#endif
