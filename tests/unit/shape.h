/* shape.h: large texts from small descriptions, for complexity.c and attacks.c.
 *
 * In them "@" is the number of the repetition, "!" counts down. */
#ifndef CUPEL_TESTS_SHAPE_H
#define CUPEL_TESTS_SHAPE_H

#include <cupel/common.h>
#include <string.h>

/* Text of size n: `before`, n times `each` with `between` between them, `after`.  An `each` with a
 * "~" in it is nested: what is left of it n times, then `between`, then what is right of it n
 * times.  If `second` is not NULL it follows n times in the same way, then `end`. */
struct shape {
    const char *before, *each, *between, *after, *second, *end;
};

static inline void shape_each(struct cupel_text *t, const char *p, const char *end, unsigned i,
                              unsigned n)
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

static inline void shape_list(struct cupel_text *t, const char *each, const char *between,
                              unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        cupel_text_adds(t, i > 0 ? between : "");
        shape_each(t, each, each + strlen(each), i, n);
    }
}

static inline void shape_nest(struct cupel_text *t, const struct shape *s, const char *middle,
                              unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        shape_each(t, s->each, middle, i, n);
    cupel_text_adds(t, s->between);
    for (unsigned i = n; i-- > 0;)
        shape_each(t, middle + 1, s->each + strlen(s->each), i, n);
}

static inline void shape_build(struct cupel_text *t, const struct shape *s, unsigned n)
{
    const char *middle = strchr(s->each, '~');
    cupel_text_clear(t);
    cupel_text_adds(t, s->before);
    if (middle != NULL)
        shape_nest(t, s, middle, n);
    else
        shape_list(t, s->each, s->between, n);
    cupel_text_adds(t, s->after);
    if (s->second == NULL)
        return;
    shape_list(t, s->second, s->between, n);
    cupel_text_adds(t, s->end);
}

/* before, then n times each, a format, with its number, then after; to be freed. */
static inline char *numbered(const char *before, const char *each, int n, const char *after)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_adds(&text, before);
    for (int i = 0; i < n; i++) {
        cupel_text_adds(&text, i > 0 ? "," : "");
        cupel_text_addf(&text, each, i);
    }
    cupel_text_adds(&text, after);
    return text.bytes;
}

#endif
