/* msan.h: what the memory sanitizer has to be told.
 *
 * The libraries of the system are compiled without it, so that it does not see them write; what
 * they write into our memory, or into theirs for us to read, is declared written here; what they
 * compare among themselves is none of its business.  Elsewhere this is nothing. */
#ifndef CUPEL_BASE_MSAN_H
#define CUPEL_BASE_MSAN_H

#if defined(__has_feature)
#    if __has_feature(memory_sanitizer)
#        include <sanitizer/msan_interface.h>
#        define MSAN_UNPOISON(p, size)  __msan_unpoison(p, size)
#        define MSAN_UNPOISON_STRING(p) __msan_unpoison_string(p)
#        define MSAN_PAUSE_CHECKS()     __msan_scoped_disable_interceptor_checks()
#        define MSAN_RESUME_CHECKS()    __msan_scoped_enable_interceptor_checks()
#    endif
#endif

#ifndef MSAN_UNPOISON
#    define MSAN_UNPOISON(p, size)  ((void)0)
#    define MSAN_UNPOISON_STRING(p) ((void)0)
#    define MSAN_PAUSE_CHECKS()     ((void)0)
#    define MSAN_RESUME_CHECKS()    ((void)0)
#endif

#endif
