/* exec_threaded.c: the loop in which each handler calls the next as its last act.
 *
 * Such a call must be a jump, or the C stack grows with the run: clang is told so; gcc does it when
 * it optimises and no sanitizer is in the way.  Where it does not, the build leaves this loop out
 * (CUPEL__NO_THREADING) and the portable one runs in its place. */
#if defined(CUPEL__NO_THREADING)
#    include "vm/run/vm.h"

enum cupel_verdict cupel__run_threaded(struct cupel__vm *vm, uint32_t node)
{
    return cupel__run_portable(vm, node);
}

bool cupel__run_direct(struct cupel__vm *vm, uint32_t tokens, uint32_t max_number,
                       uint32_t *ret_depth)
{
    (void)vm, (void)tokens, (void)max_number, (void)ret_depth;
    return false;
}
#else
#    if !defined(__clang__) && !defined(__OPTIMIZE__)
#        error "this compiler keeps last calls only when it optimises: define CUPEL__NO_THREADING"
#    endif
#    define EXEC     cupel__run_threaded
#    define THREADED 1
#    include "vm/run/exec_loop.h"

#    include "vm/run/exec_direct.h"
#endif
