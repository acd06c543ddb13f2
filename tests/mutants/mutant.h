/* mutant.h: included before every file of a build with mutants (tests/mutants/mutants.py).
 *
 * CUPEL_MUTANT is the number of the one mutant that is active; without it the program behaves as if
 * it had none.  CUPEL_REACHED names a file with one byte for each mutant; the byte of each mutant
 * whose code runs is set to 1.
 *
 * tests/mutants/thresholds.py makes no mutants but probes: the byte of a comparison with a constant
 * has bit 0, 1 or 2 set when a value was compared that is one less, equal, or one more, and
 * bit 3 when another was. */
#if defined(__OPTIMIZE__) && \
    !defined(CUPEL_MUTANT_H) /* not in what meson compiles to try the compiler */
#    define CUPEL_MUTANT_H

extern int cupel__mutant_active;
extern volatile unsigned char *cupel__mutant_reached;

static inline int cupel__mutant(int number)
{
    if (cupel__mutant_reached)
        cupel__mutant_reached[number] = 1;
    return cupel__mutant_active == number;
}

static inline void cupel__probe(int number, long long value, long long constant)
{
    if (cupel__mutant_reached)
        cupel__mutant_reached[number] |=
            (unsigned char)(value >= constant - 1 && value <= constant + 1
                                ? 1 << (value - constant + 1)
                                : 8);
}

#endif
