/* linear_cli.c: the linear engine beside PCRE2, for tests/tools/check_linear.py.
 *
 *   linear_cli [FLAGS]    of the linear engine, as a number
 *
 * A line is as in regex_cli.c.  Both engines are asked here, and what they differ in is printed as
 * a line; the last line has the counts: pairs that both decided and agree on, pairs that differ,
 * pairs that one did not decide, patterns that one does not take. */
#include "base/regex/automata.h"
#include "base/regex/pcre2_engine.h"
#include "regex_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 20 };

struct tools {
    struct cupel__pcre2_scratch *pcre2;
    struct cupel__linear_scratch linear;
    unsigned flags; /* of the linear engine */
    unsigned long agree, differ, undecided, left_out;
};

static void compare(struct tools *t, const struct cupel__pcre2 *m, const uint32_t *words,
                    unsigned number)
{
    char *subject;
    for (unsigned i = 0; (subject = strtok(NULL, " \n")) != NULL; i++) {
        int64_t steps = 10 * 1000 * 1000;
        size_t n = from_hex(subject);
        int a = cupel__pcre2_run(m, t->pcre2, subject, n);
        int b = cupel__linear_run(words, &t->linear, subject, n, &steps);
        if (a < 0 || b < 0) {
            t->undecided++;
        } else if (a == b) {
            t->agree++;
        } else {
            t->differ++;
            printf("differ %u %u pcre2 %d linear %d\n", number, i, a, b);
        }
    }
}

static struct cupel__pcre2 *pcre2_of(const struct cupel__regex *re)
{
    struct cupel__pcre2 *m = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    if (cupel__regex_print_pcre2(re, &text, NULL) == CUPEL_OK)
        (void)cupel__pcre2_new(NULL, text.bytes, text.len, 0, &m, NULL);
    cupel_text_free(&text);
    return m;
}

static void answer(struct tools *t, char *pattern, unsigned number)
{
    struct cupel_alloc alloc = cupel__alloc_or_default(NULL);
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel__pcre2 *m = NULL;
    uint32_t *words = NULL, nwords = 0;
    int64_t work = CUPEL__MATCHER_WORK;
    size_t n = from_hex(pattern);
    cupel__arena_init(&arena, NULL, 0);
    if (cupel__regex_parse(&arena, pattern, n, 0, &re, NULL) == CUPEL_OK &&
        cupel__linear_compile(NULL, &re, t->flags, &work, &words, &nwords) == CUPEL_OK)
        m = pcre2_of(&re);
    if (m != NULL)
        compare(t, m, words, number);
    else
        t->left_out++;
    cupel__pcre2_free(m);
    cupel__free(&alloc, words, nwords * sizeof *words);
    cupel__arena_free(&arena);
}

int main(int argc, char **argv)
{
    char *line = malloc(LINE);
    struct tools t = {.flags = argc > 1 ? (unsigned)atoi(argv[1]) : 0};
    if (line == NULL || cupel__pcre2_scratch_new(NULL, &t.pcre2) != CUPEL_OK)
        return 1;
    cupel__linear_scratch_init(&t.linear, NULL, SIZE_MAX);
    for (unsigned number = 0; fgets(line, LINE, stdin) != NULL; number++)
        answer(&t, strtok(line, " \n"), number);
    printf("%lu %lu %lu %lu\n", t.agree, t.differ, t.undecided, t.left_out);
    cupel__linear_scratch_free(&t.linear);
    cupel__pcre2_scratch_free(t.pcre2);
    free(line);
    return 0;
}
