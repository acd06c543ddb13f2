/* failing.c: a library for LD_PRELOAD under which one allocation of a process fails.
 *
 * The environment variable CUPEL_FAIL names a file of 8 bytes, which the process and its children
 * map.  The number in it is how many allocations succeed before one fails; 0 lets all succeed.  The
 * test writes it before each request, and afterwards finds 0 if an allocation has failed. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* glibc's own names of the functions that are replaced here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Atomic uint64_t *countdown;

__attribute__((constructor)) static void open_countdown(void)
{
    const char *path = getenv("CUPEL_FAIL");
    int file = path != NULL ? open(path, O_RDWR) : -1;
    void *mapped = MAP_FAILED;
    if (file >= 0)
        mapped = mmap(NULL, sizeof(*countdown), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED)
        countdown = mapped;
}

static bool fails(void)
{
    if (countdown == NULL || atomic_load(countdown) == 0 || atomic_fetch_sub(countdown, 1) != 1)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return size != 0 && fails() ? NULL : __libc_realloc(memory, size);
}

int posix_memalign(void **ret, size_t alignment, size_t size)
{
    void *memory = fails() ? NULL : __libc_memalign(alignment, size);
    if (memory == NULL)
        return ENOMEM;
    *ret = memory;
    return 0;
}
