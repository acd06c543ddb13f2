/* mutant.c: which mutant is active, and which were reached (mutant.h).  A build with mutants has it
 * in its first static library; no other build has it. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int cupel__mutant_active = -1;
volatile unsigned char *cupel__mutant_reached;

__attribute__((constructor)) static void read_environment(void)
{
    const char *number = getenv("CUPEL_MUTANT"), *path = getenv("CUPEL_REACHED");
    struct stat info;
    if (number != NULL)
        cupel__mutant_active = atoi(number);
    if (path == NULL)
        return;
    int fd = open(path, O_RDWR);
    if (fd < 0 || fstat(fd, &info) != 0)
        return;
    void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (bytes != MAP_FAILED)
        cupel__mutant_reached = bytes;
}
