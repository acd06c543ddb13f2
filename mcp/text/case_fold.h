/* case_fold.h: the case-folded letters of a name (case_fold.c). */
#ifndef CUPEL_MCP_FOLD_H
#define CUPEL_MCP_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUPEL__FOLD_END UINT32_MAX

/* An iterator over the letters of a name. */
struct cupel__fold {
    const char *at, *end;
    uint32_t pending[2]; /* the remaining letters of an expansion; 0: none */
    uint32_t last;       /* the letter that was returned last */
};

static inline struct cupel__fold cupel__fold_of(const char *name, size_t len)
{
    return (struct cupel__fold){name, name + len, {0, 0}, 0};
}

/* Returns the next letter, or CUPEL__FOLD_END. */
uint32_t cupel__fold_next(struct cupel__fold *fold);

/* Returns a hash that is equal for names with the same letters.  It has no key: names that collide
 * cost time only. */
uint32_t cupel__fold_hash(const char *name, size_t len);

#endif
