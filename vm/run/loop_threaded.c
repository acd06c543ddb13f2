/* loop_threaded.c: the verdict loop in which each handler calls the next one as its last act.
 *
 * Such a call must be a jump, or the C stack grows with the run: clang has musttail for it; gcc
 * makes it one when it optimises and no sanitizer is in the way.  Where it does not, the build
 * leaves this loop out (CUPEL__NO_THREADING) and the portable one runs in its place. */
#if defined(CUPEL__NO_THREADING)
#    include "vm/run/vm.h"

enum cupel_verdict cupel__run_threaded(struct cupel__vm *vm, uint32_t node)
{
    return cupel__run_portable(vm, node);
}
#else
#    if !defined(__clang__) && !defined(__OPTIMIZE__)
#        error "this compiler keeps last calls only when it optimises: define CUPEL__NO_THREADING"
#    endif
#    define LOOP     cupel__run_threaded
#    define THREADED 1
#    include "vm/run/loop.h"
#endif
