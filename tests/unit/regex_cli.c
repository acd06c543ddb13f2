/* regex_cli.c: regular expressions on standard input, for tests/tools/check_regex.py.
 *
 *   regex_cli [FLAGS]     of cupel__matcher_new, as a number
 *
 * A line is the pattern and then subjects, each in hex, separated by spaces; an empty one is "-".
 * The answer is a line: "?" if it is no pattern (in the strict grammar), "!" if it cannot be
 * matched, otherwise a letter for the tier, and for each subject 1, 0, or "b" for a budget that is
 * gone. */
#include "base/regex/regex.h"
#include "regex_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 20 };

static void match_all(struct cupel__matcher *m, struct cupel__matcher_scratch *scratch)
{
    char *subject;
    while ((subject = strtok(NULL, " \n")) != NULL) {
        int64_t steps = 10 * 1000 * 1000;
        size_t n = from_hex(subject);
        int rc = cupel__matcher_run(m, scratch, subject, n, &steps);
        putchar(rc == 1 ? '1' : rc == 0 ? '0' : rc == CUPEL_E_LIMIT_REGEX ? 'b' : 'e');
    }
}

static void answer(char *pattern, struct cupel__arena *arena,
                   struct cupel__matcher_scratch *scratch, unsigned flags)
{
    struct cupel__regex re;
    struct cupel__matcher *m;
    int64_t work = CUPEL__MATCHER_WORK;
    size_t n = from_hex(pattern);
    if (cupel__regex_parse(arena, pattern, n, CUPEL__REGEX_STRICT, &re, NULL) != CUPEL_OK) {
        puts("?");
        return;
    }
    if (cupel__matcher_new(NULL, &re, flags, &work, &m, NULL) != CUPEL_OK) {
        puts("!");
        return;
    }
    putchar("ntspb"[cupel__matcher_engine(m)]);
    match_all(m, scratch);
    putchar('\n');
    cupel__matcher_free(m);
}

int main(int argc, char **argv)
{
    unsigned flags = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    char *line = malloc(LINE);
    struct cupel__matcher_scratch *scratch;
    if (line == NULL || cupel__matcher_scratch_new(NULL, SIZE_MAX, &scratch) != CUPEL_OK)
        return 1;
    while (fgets(line, LINE, stdin) != NULL) {
        struct cupel__arena arena;
        cupel__arena_init(&arena, NULL, 0);
        answer(strtok(line, " \n"), &arena, scratch, flags);
        cupel__arena_free(&arena);
    }
    cupel__matcher_scratch_free(scratch);
    free(line);
    return 0;
}
