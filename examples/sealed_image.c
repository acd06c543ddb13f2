/* sealed_image.c: loads a stored program in place, from memory that cannot change (Linux).
 *
 * The verifier proves what holds for the bytes that it reads, so a borrowed image must not change.
 * A mapping of a file changes with the file.  Here the file is copied once into a memfd, which is
 * sealed and then mapped for reading: no process can write to it or cut it short, and processes
 * that are forked later share its pages. */
#define _GNU_SOURCE
#include "sealed_image.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Copies all of a file, which may change its length meanwhile; the bytes that were copied, or -1.
 */
static ssize_t copy_file(int from, int to)
{
    char buffer[16384];
    ssize_t total = 0, n;
    while ((n = read(from, buffer, sizeof buffer)) > 0) {
        for (ssize_t at = 0, put; at < n; at += put)
            if ((put = write(to, buffer + at, (size_t)(n - at))) < 0)
                return -1;
        total += n;
    }
    return n < 0 ? -1 : total;
}

/* Maps the copy, after it can no longer change. */
static void *seal(int memory, size_t len)
{
    const int seals = F_SEAL_SEAL | F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
    if (fcntl(memory, F_ADD_SEALS, seals) != 0)
        return MAP_FAILED;
    return mmap(NULL, len, PROT_READ, MAP_SHARED, memory, 0);
}

int sealed_image_open(const char *path, const struct cupel_options *options,
                      struct sealed_image *ret, struct cupel_error *err)
{
    struct sealed_image image = {.bytes = MAP_FAILED};
    int file = open(path, O_RDONLY | O_CLOEXEC), status = -1;
    int memory = memfd_create("cupel image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ssize_t len = file >= 0 && memory >= 0 ? copy_file(file, memory) : -1;
    if (len == 0)
        errno = ENODATA;
    if (len > 0) {
        image.len = (size_t)len;
        image.bytes = seal(memory, image.len);
    }
    if (image.bytes != MAP_FAILED) {
        status = (int)cupel_program_load(image.bytes, image.len, CUPEL_LOAD_BORROW, options,
                                         &image.program, err);
        if (status != CUPEL_OK)
            munmap(image.bytes, image.len);
    }
    int why = errno;
    if (file >= 0)
        close(file);
    if (memory >= 0)
        close(memory);
    errno = why;
    if (status == CUPEL_OK)
        *ret = image;
    return status;
}

void sealed_image_close(struct sealed_image *image)
{
    cupel_program_free(image->program);
    munmap(image->bytes, image->len);
}
