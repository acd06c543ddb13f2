/* loop_alias.c: in place of loop_portable.c where libcupel-vm has the threaded loop alone. */
#include "vm/run/vm.h"

enum cupel_verdict cupel__run_portable(struct cupel__vm *vm, uint32_t node)
{
    return cupel__run_threaded(vm, node);
}
