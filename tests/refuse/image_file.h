/* image_file.h: images in memory of their own, to be changed and loaded again. */
#ifndef CUPEL_IMAGE_FILE_H
#define CUPEL_IMAGE_FILE_H

#include "test.h"
#include "vm/program/image.h"
#include "vm/program/name_table.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

enum {
    REPORT = 2, /* the file has a report program, and that is to be changed */
    PLAIN = 4   /* compiled without the passes */
};

struct file {
    char *bytes; /* 8-aligned, by malloc */
    size_t len;
    struct cupel__image *image; /* the one to be changed */
};

static inline bool compile_file(const char *schema, unsigned flags, struct file *ret)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    cupel_options_init(&options);
    options.flags = flags & REPORT ? 0 : CUPEL_NO_REPORT;
    options.passes = flags & PLAIN ? 0 : CUPEL_PASS_ALL;
    if (cupel_compile(schema, strlen(schema), &options, &program, &err) != CUPEL_OK) {
        fprintf(stderr, "%s: %s\n", schema, err.detail);
        return false;
    }
    const void *bytes = cupel_program_image(program, &ret->len);
    ret->bytes = malloc(ret->len);
    memcpy(ret->bytes, bytes, ret->len);
    ret->image = (struct cupel__image *)(void *)ret->bytes;
    if (flags & REPORT)
        ret->image = (struct cupel__image *)(void *)(ret->bytes + ret->image->size);
    cupel_program_free(program);
    return true;
}

/* What was changed is to be looked at. */
static inline void repair_checksum(struct file *f)
{
    f->image->checksum = cupel__image_checksum(f->image, f->image->size);
}

static inline uint32_t *words_at(struct cupel__image *image, uint32_t offset)
{
    return (uint32_t *)(void *)((char *)image + offset);
}

/* The first instruction `op` from code index `pc` on, or NULL. */
static inline uint32_t *find_op_from(struct cupel__image *image, enum cupel__op op, uint32_t pc)
{
    uint32_t *code = words_at(image, image->code.at);
    for (; pc < image->code.count; pc += cupel__op_info[CUPEL__WORD_OP(code[pc])].words)
        if (CUPEL__WORD_OP(code[pc]) == (uint32_t)op)
            return &code[pc];
    return NULL;
}

static inline uint32_t *find_op(struct cupel__image *image, enum cupel__op op)
{
    return find_op_from(image, op, 1);
}

/* That it is refused, in these words. */
static inline void check_refused(const struct file *f, const char *schema, const char *detail)
{
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    enum cupel_status s = cupel_program_load(f->bytes, f->len, 0, NULL, &program, &err);
    if (!CHECK(s == CUPEL_E_BAD_IMAGE || s == CUPEL_E_IMAGE_VERSION) ||
        !CHECK_STR(err.detail, detail))
        fprintf(stderr, "    %s: %s, not: %s\n", schema, s == CUPEL_OK ? "accepted" : err.detail,
                detail);
    CHECK((program == NULL) == (s != CUPEL_OK) && err.status == s);
    cupel_program_free(program);
}

#define IN_HEADER(field) ((uint32_t)(offsetof(struct cupel__image, field) / 4))
#define IN_TABLE(field)  ((uint32_t)(offsetof(struct cupel__table, field) / 4))
#define IN_SETS(field)   ((uint32_t)(offsetof(struct cupel__masks, field) / 4))

/* The words of the only entry of a table with one name: after the header and four bytes of slots.
 */
#define IN_ENTRY(field) \
    (sizeof(struct cupel__table) / 4 + 1 + (uint32_t)(offsetof(struct cupel__entry, field) / 4))

/* A choice whose branches a member distinguishes, and one that has cases. */
#define TAGGED                                                                            \
    "{\"type\": \"object\", \"required\": [\"k\"], \"oneOf\": [{\"properties\": {\"k\": " \
    "{\"const\": \"a\"}}}, {\"properties\": {\"k\": {\"const\": \"b\"}}}]}"
#define SWITCHED                                                                               \
    "{\"type\": \"object\", \"if\": {\"properties\": {\"k\": {\"const\": \"a\"}}}, \"then\": " \
    "{\"required\": [\"x\"]}, \"else\": {\"required\": [\"y\"]}}"

#endif
