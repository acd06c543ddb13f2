/* sealed_image.h: programs that are read from a file and used in place. */
#ifndef SEALED_IMAGE_H
#define SEALED_IMAGE_H

#include <cupel/program.h>

/* A program and the memory that its image lies in. */
struct sealed_image {
    struct cupel_program *program;
    void *bytes;
    size_t len;
};

/* Copies the file into memory that nobody can write to, and loads the program that it holds without
 * another copy.  0; -1 with errno set if the file cannot be read or the memory cannot be sealed; a
 * status of cupel_program_load otherwise.  After a failure nothing has to be closed. */
int sealed_image_open(const char *path, const struct cupel_options *options,
                      struct sealed_image *ret, struct cupel_error *err);

/* Frees the program, which nothing may be using, and the memory. */
void sealed_image_close(struct sealed_image *image);

#endif
