/* exec_switch.c: the portable loop. */
#define EXEC     cupel__exec_switch
#define THREADED 0
#define REPORT   0
#include "vm/run/exec_loop.h"
