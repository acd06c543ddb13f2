/* exec_switch.c: the portable loop. */
#define EXEC     cupel__run_portable
#define THREADED 0
#include "vm/run/exec_loop.h"
