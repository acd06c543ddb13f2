/* law.c: work for an instruction counter: what each entry point costs for the families of
 * families.def, at default limits, beside what it charges.  law.py runs it under callgrind and
 * holds the two against each other.
 *
 *   law [--quick]
 *
 * Prints a line for each call of work_counted, in their order (law.h). */
#include "law_entries.h"

static void run(const struct family *f)
{
    struct subject s;
    begin_subject(&s);
    s.family = f;
    bool ready = grow(&s, TEXT_BYTES);
    for (size_t i = 0; ready && i < sizeof entries / sizeof *entries; i++)
        if (is_needed(&entries[i], &s))
            measure(entries[i].name, f->name, entries[i].work, &s);
    end_subject(&s);
}

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!quick || i % QUICK == 0)
            run(&families[i]);
    return 0;
}
