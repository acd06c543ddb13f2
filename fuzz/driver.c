/* driver.c: runs a fuzz target once over each file it is given, without libFuzzer.
 *
 * Arguments are files or folders; of a folder every regular file is taken, in the order of names,
 * not what lies deeper.  With --rounds N every file is then changed N times by the target's own
 * mutator, if it has one (mutate.c), always in the same way.  A target reports a finding by
 * crashing, so what is counted here are files that could be read.  This file knows nothing of the
 * targets but their functions. */
#include "target.h"
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                                                     unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

enum { MAX_SIZE = 4096 }; /* of what a mutator makes */

static unsigned long passed, failed, rounds;

/* In place of the engine's own mutation: one byte changes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    if (size < max_size && size == 0)
        data[size++] = '{';
    if (size > 0)
        data[state / 7 % size] = (uint8_t)(state >> 24);
    return size;
}

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

/* Each change is made to what the one before left, for a while. */
static void run_mutants(const uint8_t *data, size_t size)
{
    uint8_t mutant[MAX_SIZE];
    size_t n = 0;
    for (unsigned long i = 0; i < rounds && LLVMFuzzerCustomMutator != NULL; i++) {
        if (i % 8 == 0) {
            n = size < sizeof mutant ? size : sizeof mutant;
            for (size_t k = 0; k < n; k++)
                mutant[k] = data[k];
        }
        n = LLVMFuzzerCustomMutator(mutant, n, sizeof mutant, (unsigned)(i * 2654435761u + size));
        run_input(mutant, n);
    }
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
    run_mutants(data, size);
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
        if (i + 1 < argc && strcmp(argv[i], "--rounds") == 0)
            rounds = strtoul(argv[++i], NULL, 10);
        else if (is_folder(argv[i]))
            run_folder(argv[i]);
        else
            run_file(argv[i]);
    }
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
