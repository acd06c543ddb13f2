/* exec_only.c: for a library that has the threaded loop alone. */
#include "vm/run/exec.h"

enum cupel_verdict cupel__exec_switch(struct cupel__vm *vm, uint32_t node)
{
    return cupel__exec_threaded(vm, node);
}
