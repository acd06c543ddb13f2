/* tape_build.c: stage 2 of the reader for any processor; the loop is in tape_build_loop.h. */
#include "base/json/reader.h"

#define TAPE_BUILD  cupel__tape_build
#define FIRST_BYTES cupel__first_bytes
#include "base/json/tape_build_loop.h"
