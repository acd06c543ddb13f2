/* made_image.h: images that no compiler makes, instruction by instruction.
 *
 * The code is as long as was said at the beginning; what is not written of it are FAILs that
 * nothing leads to. There is one constant, null. */
#ifndef CUPEL_MADE_IMAGE_H
#define CUPEL_MADE_IMAGE_H

#include "test.h"
#include "vm/program/image.h"
#include <cupel/cupel.h>

struct made_image {
    struct cupel__image *image; /* 8-aligned, by malloc */
    uint32_t *code, *tables;
    uint32_t ncode, ntables; /* words that are written */
};

enum { MADE_TABLES = 128, MADE_PADDING = 16 };

static inline struct made_image made_begin(uint32_t words, bool report)
{
    const uint32_t code = (words + 1) / 2 * 2, at = sizeof(struct cupel__image);
    const uint32_t tables = at + 4 * code, values = tables + 4 * MADE_TABLES;
    const uint32_t end = values + (uint32_t)sizeof(struct cupel__node);
    struct cupel__image *image = calloc(1, end + MADE_PADDING);
    *image = (struct cupel__image){.magic = CUPEL__IMAGE_MAGIC,
                                   .version = CUPEL__IMAGE_VERSION,
                                   .size = end + MADE_PADDING,
                                   .flags = report ? CUPEL__IMAGE_REPORT : 0,
                                   .code = {at, code},
                                   .tables = {tables, MADE_TABLES},
                                   .values = {values, 1},
                                   .patterns = {end, 0},
                                   .locs = {end, 0},
                                   .marks = {end, 0},
                                   .strings = {end, 0}};
    struct made_image m = {image, (uint32_t *)(void *)((char *)image + at),
                           (uint32_t *)(void *)((char *)image + tables), 1, 0};
    for (uint32_t pc = 1; pc < code; pc++)
        m.code[pc] = CUPEL__OP_FAIL | CUPEL__LAST;
    return m;
}

/* Appends an instruction with its flags and the fields a and b, and returns where it is; what it
 * has besides follows by made_word. */
static inline uint32_t made_op(struct made_image *m, enum cupel__op op, uint32_t last, uint32_t a,
                               uint32_t b)
{
    m->code[m->ncode] = (uint32_t)op | last | a << 8 | b << 16;
    return m->ncode++;
}

static inline void made_word(struct made_image *m, uint32_t word)
{
    m->code[m->ncode++] = word;
}

/* A list of two; its offset. */
static inline uint32_t made_pair(struct made_image *m, uint32_t first, uint32_t second)
{
    uint32_t at = m->image->tables.at + 4 * m->ntables;
    m->tables[m->ntables++] = 2;
    m->tables[m->ntables++] = first;
    m->tables[m->ntables++] = second;
    return at;
}

/* Gives the image its root, loads it, and frees it; NULL if it is refused. */
static inline struct cupel_program *made_end(struct made_image *m, uint32_t root)
{
    struct cupel_program *program = NULL;
    struct cupel_options options;
    struct cupel_error err = {0};
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_IMAGE_BYTES] = m->image->size;
    m->image->root = root;
    m->image->checksum = cupel__image_checksum(m->image, m->image->size);
    if (!CHECK_INT(cupel_program_load(m->image, m->image->size, 0, &options, &program, &err),
                   CUPEL_OK))
        fprintf(stderr, "    %s\n", err.detail);
    free(m->image);
    m->image = NULL;
    return program;
}

#endif
