/* always.h: conditions that hold by construction, and cases that a test must cover.
 *
 * ALWAYS(x) and NEVER(x) mark a defensive test: x follows from what other code has checked, and is
 * tested again because the code behind it would be unsafe without it.
 *
 *   release build      x itself
 *   assertions on      x itself, and the program stops if x is not as claimed (sanitizer builds)
 *   coverage build     a constant: a branch that cannot be taken does not count as untested
 *
 * NEVER_CASE(x) is the same for a label of a switch.
 *
 * TESTCASE(x) says that both values of x matter although the code does not branch on it, such as a
 * size at its bound.  The coverage build counts it as a branch; other builds ignore it. */
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
