/* shape.h: large texts from small descriptions, for complexity.c and attacks.c.
 *
 * In them "@" is the number of the repetition, "!" counts down. */
#ifndef CUPEL_TESTS_SHAPE_H
#define CUPEL_TESTS_SHAPE_H

#include <cupel/text.h>
#include <string.h>

/* Text of size n: `before`, n times `each` with `between` between them, `after`.  An `each` with a "~" in
 * it is nested: what is left of it n times, then `between`, then what is right of it n times. */
struct shape {
    const char *before, *each, *between, *after;
};

static inline void shape_each(struct cupel_text *t, const char *p, const char *end, unsigned i, unsigned n)
{
    for (; p < end; p++) {
        if (*p == '@')
            cupel_text_addf(t, "%u", i);
        else if (*p == '!')
            cupel_text_addf(t, "%u", n - 1 - i);
        else
            cupel_text_add(t, p, 1);
    }
}

static inline void shape_build(struct cupel_text *t, const struct shape *s, unsigned n)
{
    const char *end = s->each + strlen(s->each), *middle = strchr(s->each, '~');
    cupel_text_clear(t);
    cupel_text_adds(t, s->before);
    for (unsigned i = 0; i < n; i++) {
        if (i > 0 && middle == NULL)
            cupel_text_adds(t, s->between);
        shape_each(t, s->each, middle != NULL ? middle : end, i, n);
    }
    if (middle != NULL)
        cupel_text_adds(t, s->between);
    for (unsigned i = n; middle != NULL && i-- > 0;)
        shape_each(t, middle + 1, end, i, n);
    cupel_text_adds(t, s->after);
}

#endif
