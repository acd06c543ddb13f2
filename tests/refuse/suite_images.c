/* suite_images.c: damage.c's damage, done to the images of the official suite's schemas.
 *
 * Every STRIDEth truncation and bit (1: all of them), the checksum repaired: what is accepted runs
 * on the group's own instances, in both loops, in a report and with results kept from the first
 * step on.  It has to end within its budget, and the loops have to agree; sanitizers and a debug VM
 * see the rest.
 *
 *   suite_images STRIDE FILE… */
#include "suite_groups.h"
#include "vm/program/image.h"

#include <cupel/debug.h>

enum { INSTANCES = 4, STEPS = 3000 };

struct damage {
    struct cupel_options options;
    struct cupel_scratch *scratches[3]; /* threaded; switch; threaded, results kept */
    size_t stride, next; /* next: of all bits and truncations so far, which is tried */
    unsigned long schemas, refused, accepted;
    const struct cupel_program *program;
    const struct suite_group *group;
};

static int ignore(void *ctx, const struct cupel_problem *problem)
{
    *(size_t *)ctx += strlen(problem->message) + strlen(problem->schema);
    return 0;
}

static void run_instance(uint32_t node, void *ctx)
{
    struct damage *d = ctx;
    enum cupel_verdict verdict[3];
    struct cupel_outcome outcome[3];
    size_t reported = 0;
    for (int way = 0; way < 3; way++) {
        verdict[way] =
            cupel_validate_node(d->program, d->scratches[way], d->group->doc, node, &outcome[way]);
        if (outcome[way].steps > STEPS + (1 << 16))
            test_check(false, "it ends within its budget", __FILE__, __LINE__);
    }
    if (verdict[0] != verdict[1] || outcome[0].steps != outcome[1].steps ||
        outcome[0].reason != outcome[1].reason)
        test_check(false, "the loops agree", __FILE__, __LINE__);
    if (outcome[0].reason == CUPEL_E_INTERNAL)
        test_check(false, "what was accepted can be run", __FILE__, __LINE__);
    (void)cupel_report(d->program, d->scratches[0], d->group->doc, node, ignore, &reported, NULL);
}

static void repair(char *bytes, size_t len)
{
    for (;;) {
        struct cupel__image *image = (struct cupel__image *)(void *)bytes;
        if (len < sizeof *image || image->size < sizeof *image || image->size > len ||
            image->size % 8 != 0)
            return;
        image->checksum = cupel__image_checksum(image, image->size);
        len -= image->size;
        bytes += image->size;
    }
}

static void load(struct damage *d, char *bytes, size_t len)
{
    struct cupel_program *program = NULL;
    repair(bytes, len);
    if (cupel_program_load(bytes, len, 0, &d->options, &program, NULL) != CUPEL_OK) {
        d->refused++;
        return;
    }
    d->accepted++;
    d->program = program;
    suite_each_instance(d->group, INSTANCES, run_instance, d);
    cupel_program_free(program);
}

static void damage_group(const struct suite_group *g, void *ctx)
{
    struct damage *d = ctx;
    struct cupel_program *program = NULL;
    struct cupel_options options = d->options;
    size_t len;
    if (cupel_compile_node(g->doc, g->schema, &options, &program, NULL) != CUPEL_OK)
        return; /* for want of another document, mostly */
    const char *image = cupel_program_image(program, &len);
    char *bytes = malloc(len);
    d->group = g;
    d->schemas++;
    for (; bytes != NULL && d->next < 9 * len; d->next += d->stride) {
        size_t n = d->next < len ? d->next : len, bit = d->next - n;
        memcpy(bytes, image, n);
        if (n == len)
            bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        load(d, bytes, n);
    }
    d->next -= d->next < 9 * len ? 0 : 9 * len;
    free(bytes);
    cupel_program_free(program);
}

int main(int argc, char **argv)
{
    static const uint32_t flags[3] = {0, CUPEL_SWITCH_DISPATCH, CUPEL_EAGER_MEMO};
    struct damage d = {.stride = argc > 1 ? strtoul(argv[1], NULL, 10) : 1};
    cupel_options_init(&d.options);
    d.options.limits[CUPEL_LIMIT_STEPS] = STEPS;
    d.options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 1;
    for (int way = 0; way < 3; way++) {
        d.options.flags = CUPEL_NO_JIT | flags[way];
        CHECK_INT(cupel_scratch_new(&d.options, &d.scratches[way]), CUPEL_OK);
    }
    d.options.flags = CUPEL_NO_JIT | CUPEL_ASSERT_FORMAT | CUPEL_ANNOTATIONS;
    for (int i = 2; i < argc; i++)
        suite_each_group(argv[i], &d.options, damage_group, &d);
    for (int way = 0; way < 3; way++)
        cupel_scratch_free(d.scratches[way]);
    CHECK(argc <= 2 || (d.refused > 0 && d.accepted > 0));
    printf("%lu schemas, %lu images refused, %lu run\n", d.schemas, d.refused, d.accepted);
    return test_end();
}
