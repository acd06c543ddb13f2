/* kept.h: the schema of the input before, with its options.
 *
 * Compiling is most of what an input costs, and most inputs have the schema of the one before
 * (mutate.c).  So what a target makes of a schema it keeps until an input comes with another one.
 */
#ifndef CUPEL_FUZZ_KEPT_H
#define CUPEL_FUZZ_KEPT_H

#include "pair.h"

struct kept {
    char *schema; /* NULL: there was none */
    size_t len;
    uint64_t options; /* what the input chose to make of it */
};

/* Whether the input has the schema and the options that are kept.  If not, it is kept from now on.
 */
static inline bool kept_is(struct kept *kept, const struct pair *in)
{
    if (kept->schema != NULL && kept->len == in->schema_len && kept->options == in->options &&
        memcmp(kept->schema, in->schema, kept->len) == 0)
        return true;
    free(kept->schema);
    kept->schema = malloc(in->schema_len + 1);
    require(kept->schema != NULL);
    memcpy(kept->schema, in->schema, in->schema_len);
    kept->len = in->schema_len;
    kept->options = in->options;
    return false;
}

#endif
