/* loop_portable.c: the verdict loop for compilers that do not make last calls jumps. */
#define LOOP     cupel__run_portable
#define THREADED 0
#define INLINE   static inline
#include "vm/run/loop.h"
