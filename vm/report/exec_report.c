/* exec_report.c: the loop that goes on after a failure and records it.  Threaded where
 * exec_threaded.c is. */
#define EXEC   cupel__exec_report
#define REPORT 1
#if defined(CUPEL__NO_THREADING)
#    define THREADED 0
#else
#    define THREADED 1
#endif
#include "vm/run/exec_loop.h"
