/* beneath.c: opens files beneath a folder, whatever a name from a stranger says: no link, no "..",
 * no device leads out of the folder or makes the command wait.
 *
 * Linux resolves such a name itself (openat2 with RESOLVE_BENEATH), and links that stay beneath the
 * folder work.  Elsewhere each component is opened by itself, and no links are followed. */
#define _GNU_SOURCE
#include "cli/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#    include <sys/syscall.h>
#endif
#if defined(SYS_openat2)
#    include <linux/openat2.h>
#endif

/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
enum { FLAGS = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };

/* -1 with errno; ENOSYS where the system has no such call. */
static int open_by_kernel(int folder, const char *path)
{
#if defined(SYS_openat2)
    struct open_how how;
    memset(&how, 0, sizeof(how));
    how.flags = FLAGS;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
#else
    (void)folder;
    (void)path;
    errno = ENOSYS;
    return -1;
#endif
}

/* Opens one component after the other, none of them a link. */
static int open_by_component(int folder, const char *path)
{
    char name[256];
    int at = folder;
    for (;;) {
        size_t len = strcspn(path, "/");
        bool last = path[len] == '\0';
        int next = -1;
        errno = ENAMETOOLONG;
        if (len < sizeof(name)) {
            memcpy(name, path, len);
            name[len] = '\0';
            next = openat(at, name, FLAGS | O_NOFOLLOW | (last ? 0 : O_DIRECTORY));
        }
        int error = errno;
        if (at != folder)
            close(at);
        errno = error;
        if (next < 0 || last)
            return next;
        at = next;
        path += len + 1;
    }
}

bool cli_is_plain_path(const char *path)
{
    if (*path == '\0')
        return false;
    for (;; path++) {
        size_t len = strcspn(path, "/");
        if (len == 0 || (len == 1 && path[0] == '.') || (len == 2 && memcmp(path, "..", 2) == 0))
            return false;
        path += len;
        if (*path == '\0')
            return true;
    }
}

/* Why a file cannot be opened, for people. */
static const char *reason(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return "there is no such file";
    case EXDEV:
    case ELOOP:
        return "a symbolic link leads out of the folder";
    case ENXIO:
        return "it is not a regular file";
    default:
        return strerror(error);
    }
}

int cli_open_beneath(int folder, const char *path, const char **ret_why)
{
    struct stat about;
    if (!cli_is_plain_path(path)) {
        *ret_why = "its path leads out of the folder";
        return -1;
    }
    int fd = open_by_kernel(folder, path);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL))
        fd = open_by_component(folder, path);
    if (fd < 0) {
        *ret_why = reason(errno);
        return -1;
    }
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        *ret_why = "it is not a regular file";
        close(fd);
        return -1;
    }
    return fd;
}
