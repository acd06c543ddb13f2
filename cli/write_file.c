/* write_file.c: writes files: images, locks, exports.
 *
 * A regular file is replaced completely or not at all: the bytes go to a temporary file in the same
 * folder and are flushed to the disk; then it is renamed over the old one.  A symbolic link is
 * refused, so that nobody can redirect the output; devices and pipes are written to directly. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100, TEMPORARY_NAME = 64 };

/* A file to write: its folder, open, and its name there. */
struct target {
    int folder;
    const char *name;
    char temporary[TEMPORARY_NAME];
};

static bool open_folder(const char *path, struct target *ret)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = len != 0 ? cli_copy(path, len) : cli_copy(".", 1);
    ret->name = slash != NULL ? slash + 1 : path;
    ret->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    return ret->folder >= 0;
}

/* Creates a file with an unused name and returns its descriptor, or -1 with errno. */
static int open_temporary(struct target *target)
{
    uint64_t mark = cli_clock(NULL) ^ (uint64_t)getpid() << 40;
    int fd = -1;
    for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
        mark = (mark + 1) * 0x9e3779b97f4a7c15u;
        snprintf(target->temporary, sizeof(target->temporary), ".cupel-%ld-%016llx.tmp",
                 (long)getpid(), (unsigned long long)mark);
        fd = openat(target->folder, target->temporary,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len != 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

/* Closes a file.  Returns whether writing (`ok`) and closing succeeded; errno is that of the first
 * failure. */
static bool finish(int fd, bool ok)
{
    int error = errno;
    bool closed = close(fd) == 0;
    if (!ok)
        errno = error;
    return ok && closed;
}

/* Replaces or creates a file.  `old` is the state of the existing one, or NULL. */
static bool replace(struct target *target, const struct stat *old, const void *bytes, size_t len)
{
    int fd = open_temporary(target);
    if (fd < 0)
        return false;
    bool ok = old == NULL || fchmod(fd, old->st_mode & 0777) == 0;
    ok = finish(fd, ok && write_all(fd, bytes, len) && fsync(fd) == 0) &&
         renameat(target->folder, target->temporary, target->folder, target->name) == 0;
    if (!ok) {
        int error = errno;
        unlinkat(target->folder, target->temporary, 0);
        errno = error;
        return false;
    }
    /* Flush the folder as well, for the name.  Some file systems cannot. */
    return fsync(target->folder) == 0 || errno == EINVAL || errno == EROFS || errno == EBADF;
}

static bool write_through(const struct target *target, const void *bytes, size_t len)
{
    int fd = openat(target->folder, target->name, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    return fd >= 0 && finish(fd, write_all(fd, bytes, len));
}

static bool write_target(struct target *target, const void *bytes, size_t len)
{
    struct stat old;
    if (fstatat(target->folder, target->name, &old, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT && replace(target, NULL, bytes, len);
    if (S_ISLNK(old.st_mode) || S_ISDIR(old.st_mode)) {
        errno = S_ISLNK(old.st_mode) ? ELOOP : EISDIR;
        return false;
    }
    return S_ISREG(old.st_mode) ? replace(target, &old, bytes, len)
                                : write_through(target, bytes, len);
}

/* Blocks signals that end the process while a temporary file exists. */
static void hold_signals(sigset_t *ret_before)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    sigprocmask(SIG_BLOCK, &held, ret_before);
}

int cli_write(const char *path, const void *bytes, size_t len)
{
    struct target target;
    sigset_t before;
    if (path == NULL || strcmp(path, "-") == 0) {
        fwrite(bytes, 1, len, stdout);
        return CLI_VALID;
    }
    if (!open_folder(path, &target)) {
        cli_print_error("%s: %s", path, strerror(errno));
        return CLI_INTERNAL;
    }
    hold_signals(&before);
    bool ok = write_target(&target, bytes, len);
    if (!ok)
        cli_print_error("%s: %s", path, errno == ELOOP ? "is a symbolic link" : strerror(errno));
    close(target.folder);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok ? CLI_VALID : CLI_INTERNAL;
}

/* -- Outputs that are inputs ------------------------------------------------------------------- */

static bool same_file(const struct stat *output, const char *path)
{
    struct stat input;
    if (path == NULL)
        return false;
    int failed = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &input) : stat(path, &input);
    return failed == 0 && input.st_dev == output->st_dev && input.st_ino == output->st_ino;
}

bool cli_output_is_input(const struct cli_settings *settings)
{
    struct stat output;
    const char *path = settings->output;
    if (path == NULL || strcmp(path, "-") == 0 || stat(path, &output) != 0 ||
        !S_ISREG(output.st_mode))
        return false;
    bool found = same_file(&output, settings->persona) || same_file(&output, settings->lock) ||
                 same_file(&output, settings->known);
    for (int i = 0; i < settings->count && !found; i++)
        found = same_file(&output, settings->arguments[i]);
    for (size_t i = 0; i < settings->refs.count && !found; i++)
        found = same_file(&output, settings->refs.refs[i].path);
    if (found)
        cli_print_error("%s: is an input as well", path);
    return found;
}
