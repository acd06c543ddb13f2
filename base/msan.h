/* msan.h: what the memory sanitizer has to be told.
 *
 * The libraries of the system are compiled without it, so that it does not see them write; what
 * they write into our memory, or into theirs for us to read, is declared written here; what they
 * compare among themselves is none of its business.  Elsewhere this is nothing. */
#ifndef CUPEL_BASE_UNSEEN_H
#define CUPEL_BASE_UNSEEN_H

#if defined(__has_feature)
#    if __has_feature(memory_sanitizer)
#        include <sanitizer/msan_interface.h>
#        define WRITTEN_UNSEEN(p, size) __msan_unpoison(p, size)
#        define WRITTEN_UNSEEN_TEXT(p)  __msan_unpoison_string(p)
#        define BEGIN_UNSEEN()          __msan_scoped_disable_interceptor_checks()
#        define END_UNSEEN()            __msan_scoped_enable_interceptor_checks()
#    endif
#endif

#ifndef WRITTEN_UNSEEN
#    define WRITTEN_UNSEEN(p, size) ((void)0)
#    define WRITTEN_UNSEEN_TEXT(p)  ((void)0)
#    define BEGIN_UNSEEN()          ((void)0)
#    define END_UNSEEN()            ((void)0)
#endif

#endif
