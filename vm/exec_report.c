/* exec_report.c: the loop that goes on after a failure and records it. */
#define EXEC     cupel__exec_report
#define THREADED 0
#define REPORT   1
#include "exec_loop.h"
