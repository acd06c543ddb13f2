/* always.h: conditions that can only be one way, and cases that a test has to have.
 *
 * ALWAYS(x) and NEVER(x) stand where the code looks twice: x follows from what is checked
 * elsewhere, and is looked at again because what comes after would be unsafe without it.  As
 * delivered they are x itself. Where assertions are on (the sanitizers' builds) an x that is
 * otherwise stops the program.  Where coverage is measured they are constants: a branch that
 * nothing can take is not counted as one that no test takes.
 *
 * NEVER_CASE(x) is the same for a label of a switch.
 *
 * TESTCASE(x) says that x matters though it is no branch, such as a value at its bound: coverage
 * counts it as one, so that x has to be seen both ways.  Otherwise it is nothing. */
#ifndef CUPEL_BASE_ALWAYS_H
#define CUPEL_BASE_ALWAYS_H

#include <assert.h>
#include <stdbool.h>

#if defined CUPEL__COVERAGE
#    define ALWAYS(x) (true)
#    define NEVER(x)  (false)
#elif !defined NDEBUG
#    define ALWAYS(x) ((x) || (assert(false && "ALWAYS " #    x), false))
#    define NEVER(x)  ((x) && (assert(false && "NEVER " #    x), true))
#else
#    define ALWAYS(x) (x)
#    define NEVER(x)  (x)
#endif

/* The label of a value that a switch over an enumeration never sees. */
#if defined CUPEL__COVERAGE
#    define NEVER_CASE(x)
#elif !defined NDEBUG
#    define NEVER_CASE(x) \
    case x:               \
        assert(false && "NEVER_CASE " #x);
#else
#    define NEVER_CASE(x) case x:
#endif

#ifdef CUPEL__COVERAGE
#    define TESTCASE(x) \
        do {            \
            if (x) {    \
            }           \
        } while (0)
#else
#    define TESTCASE(x) ((void)0)
#endif

#endif
