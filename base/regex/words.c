/* words.c: the growing array of words.h. */
#include "base/regex/words.h"

#include <string.h>

uint32_t cupel__words_add(struct cupel__words *w, const void *from, size_t n)
{
    void *array = w->p;
    uint32_t at = (uint32_t)w->n;
    if (w->failed || cupel__grow(w->alloc, &array, &w->cap, w->n + n, sizeof *w->p) != CUPEL_OK) {
        w->failed = true;
        return 0;
    }
    w->p = array;
    if (n > 0 && from != NULL)
        memcpy(w->p + w->n, from, n * sizeof *w->p);
    else if (n > 0)
        memset(w->p + w->n, 0, n * sizeof *w->p);
    w->n += n;
    return at;
}
