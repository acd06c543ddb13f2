/* target.c: images from strangers.
 *
 * The input is an image file: one image, or two.  Their checksums and versions are repaired first,
 * because behind a wrong one nothing is looked at.  What the verifier accepts is printed and run,
 * in all loops, on instances with every type of value in every place; sanitizers see what goes
 * wrong.  The verdicts need not make sense, but the two loops of the verdict program agree. */
#include "../target.h"
#include "vm/program/image.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <stdlib.h>
#include <string.h>

static const char *const instances[] = {
    "null",
    "[true, 1, -0.5, 1e400, 123456789012345678901234567890, \"\", \"a\\u0062c\", [[]], {\"a\": "
    "{}}]",
    "{\"a\": 1, \"b\": \"text\", \"\": null, \"c\\u0064\": [1, 1.0], \"a rather long name\": "
    "{\"b\": 2.50}}",
    "[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17], {\"name\": \"red\"}]",
    "\"2024-01-01\"",
    "42",
};

enum { INSTANCES = sizeof instances / sizeof *instances };

static void set_options(struct cupel_options *options)
{
    cupel_options_init(options);
    options->limits[CUPEL_LIMIT_IMAGE_BYTES] = 64 << 10;
    options->limits[CUPEL_LIMIT_STEPS] = 5000;
    options->limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 1;
    options->limits[CUPEL_LIMIT_SCRATCH_BYTES] = 256 << 10;
    options->flags = CUPEL_NO_JIT;
}

/* Repairs what nothing is looked at behind if it is wrong: the first words of the image at the
 * start, and its checksum.  So what was found stays a test when the version goes up.  The image's
 * size, 0 if none fits. */
static size_t repair(char *bytes, size_t size)
{
    struct cupel__image *image = (struct cupel__image *)(void *)bytes;
    if (size < sizeof *image || image->size < sizeof *image || image->size > size ||
        image->size % 8 != 0)
        return 0;
    image->magic = CUPEL__IMAGE_MAGIC;
    image->version = CUPEL__IMAGE_VERSION;
    image->checksum = cupel__image_checksum(image, image->size);
    return image->size;
}

static int ignore(void *ctx, const struct cupel_problem *problem)
{
    *(size_t *)ctx += strlen(problem->keyword) + strlen(problem->schema) +
                      strlen(problem->instance) + strlen(problem->message);
    return 0;
}

static void run(const struct cupel_program *program)
{
    for (int i = 0; i < INSTANCES; i++) {
        enum cupel_verdict verdict[2];
        struct cupel_outcome outcome[2];
        size_t reported = 0;
        for (int way = 0; way < 2; way++) {
            struct cupel_options options;
            struct cupel_scratch *scratch;
            set_options(&options);
            options.flags |= way ? CUPEL_SWITCH_DISPATCH : 0;
            require(cupel_scratch_new(&options, &scratch) == CUPEL_OK);
            verdict[way] =
                cupel_validate(program, scratch, instances[i], strlen(instances[i]), &outcome[way]);
            if (way == 1)
                (void)cupel_report(program, scratch, NULL, 0, ignore, &reported, NULL);
            cupel_scratch_free(scratch);
        }
        require(verdict[0] == verdict[1] && outcome[0].reason == outcome[1].reason &&
                outcome[0].steps == outcome[1].steps);
        require(outcome[0].reason != CUPEL_E_INTERNAL);
    }
}

static void print(const struct cupel_program *program)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_program_disasm(program, 0, &text);
    cupel_program_disasm(program, 1, &text);
    cupel_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_error err;
    char *bytes = malloc(size + 1);
    require(bytes != NULL);
    if (size > 0)
        memcpy(bytes, data, size);
    size_t first = repair(bytes, size);
    if (first > 0)
        repair(bytes + first, size - first);
    set_options(&options);
    enum cupel_status s = cupel_program_load(bytes, size, 0, &options, &program, &err);
    require(s != CUPEL_E_INTERNAL);
    if (s == CUPEL_OK) {
        print(program);
        run(program);
        cupel_program_free(program);
    }
    free(bytes);
    return 0;
}
