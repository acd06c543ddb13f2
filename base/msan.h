/* msan.h: annotations for MemorySanitizer.
 *
 * The system's libraries are compiled without the sanitizer, so the sanitizer misses their writes
 * to the library's memory.  MSAN_UNPOISON declares such memory written.  Between MSAN_PAUSE_CHECKS
 * and MSAN_RESUME_CHECKS the sanitizer's interceptors of libc functions do not check what a library
 * passes to them.  Without the sanitizer all of them are nothing. */
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
