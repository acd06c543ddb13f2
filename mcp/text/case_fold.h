/* fold.h: the letters of a name without regard to case (fold.c). */
#ifndef CUPEL_MCP_FOLD_H
#define CUPEL_MCP_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUPEL__FOLD_END UINT32_MAX

struct cupel__fold {
    const char *at, *end;
    uint32_t pending[2]; /* letters of an expansion that are still to come; 0: none */
    uint32_t last;
};

static inline struct cupel__fold cupel__fold_of(const char *name, size_t len)
{
    return (struct cupel__fold){name, name + len, {0, 0}, 0};
}

/* The next letter, or CUPEL__FOLD_END. */
uint32_t cupel__fold_next(struct cupel__fold *fold);

/* Equal for names that fold to the same letters.  Not keyed: collisions cost time alone. */
uint32_t cupel__fold_hash(const char *name, size_t len);

#endif
