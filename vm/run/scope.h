/* scope.h: the dynamic scope of a run: which schema each dynamic anchor stands for.
 *
 * SCOPE binds anchors that are not bound yet and unbinds them when its sequence ends; a choice that
 * fails brings back `bound` and `number` as they were. */
#ifndef CUPEL_VM_RUN_SCOPE_H
#define CUPEL_VM_RUN_SCOPE_H

#include "vm/program/isa.h"

struct cupel__scope {
    uint64_t bound;                   /* the anchors that have a schema, as bits */
    uint32_t binding[CUPEL__ANCHORS]; /* their schemas */
    uint32_t number, count; /* number of this scope; how many scopes there have been (memo.c) */
};

/* The schema that the DYNAMIC at pc applies. */
static inline uint32_t cupel__dynamic_sub(const struct cupel__scope *scope, const uint32_t *pc)
{
    uint32_t anchor = CUPEL__WORD_B(*pc);
    return scope->bound >> anchor & 1 ? scope->binding[anchor] : pc[1];
}

/* Binds the anchors of a list that are not bound yet.  Returns them. */
static inline uint64_t cupel__scope_bind(struct cupel__scope *scope, const uint32_t *schemas,
                                         uint32_t n)
{
    uint64_t bound = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bit = UINT64_C(1) << i;
        if (schemas[i] == CUPEL__NO_SUB || (scope->bound & bit))
            continue;
        scope->binding[i] = schemas[i];
        bound |= bit;
    }
    scope->bound |= bound;
    return bound;
}

#endif
