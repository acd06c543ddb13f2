/* json_tape.c: stage 2 of the JSON reader for any processor. */
#include "json_internal.h"

#define TAPE_BUILD  cupel__tape_build
#define FIRST_BYTES cupel__first_bytes
#include "json_tape_loop.h"
