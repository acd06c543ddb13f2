/* exec_threaded.c: the loop in which each handler calls the next as its last act. */
#include "exec.h"

/* A last call must be a jump, or the C stack grows with the run: clang is told so; gcc does it when it
 * optimises, but not always under a sanitizer. */
#if defined(__has_attribute)
#if __has_attribute(musttail)
#define CAN_THREAD 1
#endif
#endif
#if !defined(CAN_THREAD) && defined(__GNUC__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(CUPEL__NO_THREADING)
#define CAN_THREAD 1
#endif

#if defined(CAN_THREAD)
#define EXEC     cupel__exec_threaded
#define THREADED 1
#define REPORT   0
#include "exec_loop.h"
#else
enum cupel_verdict cupel__exec_threaded(struct cupel__vm *vm, uint32_t node)
{
    return cupel__exec_switch(vm, node);
}
#endif
