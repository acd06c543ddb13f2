/* driver.c: runs a fuzz target once over each file it is given, without libFuzzer.
 *
 * Arguments are files or folders; of a folder every regular file is taken, in the order of names,
 * not what lies deeper.  A target reports a finding by crashing, so what is counted here are files
 * that could be read.  This file knows nothing of the targets but their one function. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long passed, failed;

static uint8_t *read_all(FILE *file, size_t *ret_size)
{
    size_t size = 0, capacity = 4096;
    uint8_t *data = malloc(capacity);
    while (data != NULL) {
        size += fread(data + size, 1, capacity - size, file);
        if (size < capacity)
            break;
        capacity *= 2;
        uint8_t *more = realloc(data, capacity);
        if (more == NULL)
            free(data);
        data = more;
    }
    *ret_size = size;
    return data;
}

/* The target gets a block of exactly the size of the input, so that the address sanitizer sees a
 * read past its end. */
static void run_input(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size == 0 ? 1 : size);
    if (exact == NULL)
        return;
    for (size_t i = 0; i < size; i++)
        exact[i] = data[i];
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    passed++;
}

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    uint8_t *data = file != NULL ? read_all(file, &size) : NULL;
    if (file != NULL)
        fclose(file);
    if (data == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        failed++;
        return;
    }
    fprintf(stderr, "%s\n", path);
    run_input(data, size);
    free(data);
}

static int is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void run_folder(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (!is_folder(path))
            run_file(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (is_folder(argv[i]))
            run_folder(argv[i]);
        else
            run_file(argv[i]);
    }
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
