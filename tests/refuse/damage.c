/* damage.c: images broken anywhere: every truncation, and every bit turned, with the checksum as it
 * was and with the checksum repaired.
 *
 * What the verifier accepts is run, in both loops and in a report: sanitizers see what goes wrong.
 * With the checksum as it was nothing is accepted. */
#include "test.h"
#include "vm/program/image.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

static const char *const schemas[] = {
    "{\"type\": [\"string\", \"null\"], \"minLength\": 1, \"maxLength\": 3, \"pattern\": \"^a\"}",
    "{\"enum\": [\"red\", \"green\", 1, null, [1], {\"a\": 1e400}]}",
    "{\"minimum\": -1.5, \"maximum\": 70, \"multipleOf\": 0.5, \"maxLength\": 5, \"not\": "
    "{\"const\": "
    "3}}",
    "{\"properties\": {\"a\": {\"type\": \"string\"}, \"a long name of a member\": {\"minimum\": "
    "1}}, "
    "\"required\": [\"a\"], \"additionalProperties\": {\"minItems\": 1}}",
    "{\"patternProperties\": {\"^a\": {\"minLength\": 1}, \"b$\": {\"type\": \"integer\"}}, "
    "\"propertyNames\": {\"maxLength\": 9}, \"minProperties\": 1}",
    "{\"prefixItems\": [{\"minimum\": 1}, true], \"items\": {\"maxLength\": 2}, \"uniqueItems\": "
    "true}",
    "{\"contains\": {\"minimum\": 2}, \"maxContains\": 2, \"maxItems\": 9}",
    "{\"dependentRequired\": {\"a\": [\"b\", \"c\"]}, \"dependentSchemas\": {\"b\": "
    "{\"maxProperties\": "
    "2}}}",
    "{\"anyOf\": [{\"minLength\": 2}, {\"minimum\": 2}], \"oneOf\": [{\"maximum\": 5}, "
    "{\"maxItems\": "
    "1}], \"if\": {\"minimum\": 3}, \"then\": {\"multipleOf\": 2}, \"else\": {\"minItems\": 1}}",
    "{\"$ref\": \"#/$defs/n\", \"$defs\": {\"n\": {\"properties\": {\"next\": {\"$ref\": "
    "\"#/$defs/n\"}, "
    "\"v\": {\"type\": \"integer\"}}, \"required\": [\"v\"]}}}",
    "{\"oneOf\": [{\"const\": \"abc\"}, {\"maxLength\": 1}], \"items\": {\"minLength\": 1}}",
    "{\"type\": \"object\", \"required\": [\"a\"], \"oneOf\": [{\"properties\": {\"a\": "
    "{\"const\": "
    "\"x\"}}}, {\"properties\": {\"a\": {\"const\": \"y\"}}}]}",
    "{\"type\": \"object\", \"if\": {\"properties\": {\"a\": {\"const\": \"x\"}}}, \"then\": "
    "{\"required\": [\"b\"]}, \"else\": {\"required\": [\"v\"]}}",
    "{\"anyOf\": [{\"properties\": {\"a\": true}}, {\"prefixItems\": [true]}], "
    "\"unevaluatedProperties\": {\"type\": \"integer\"}, \"unevaluatedItems\": false}",
};

static const char *const instances[] = {
    "[1, 2.5, 1e400, \"a\\u0062\", null, true, [[]], {\"a\": 1}, \"green\"]",
    "{\"a\": \"x\", \"b\": 2, \"a long name of a member\": 0, \"v\": 1, \"next\": {\"v\": 2}}",
    "\"abc\"",
    "3",
};

enum { INSTANCES = sizeof instances / sizeof *instances };

/* A scratch for each loop, kept: what a bad program leaves behind must not matter. */
static struct cupel_scratch *scratches[2];
static unsigned long refused, accepted;

static int ignore(void *ctx, const struct cupel_problem *problem)
{
    *(size_t *)ctx += strlen(problem->message) + strlen(problem->schema);
    return 0;
}

static void run(const struct cupel_program *program)
{
    size_t reported = 0;
    struct cupel_outcome outcome[2];
    for (int i = 0; i < INSTANCES; i++) {
        enum cupel_verdict verdict[2];
        for (int way = 0; way < 2; way++)
            verdict[way] = cupel_validate(program, scratches[way], instances[i],
                                          strlen(instances[i]), &outcome[way]);
        if (verdict[0] != verdict[1] || outcome[0].steps != outcome[1].steps ||
            outcome[0].reason != outcome[1].reason)
            test_check(false, "the loops agree", __FILE__, __LINE__);
        if (outcome[0].reason == CUPEL_E_INTERNAL)
            test_check(false, "what was accepted can be run", __FILE__, __LINE__);
        if (cupel_report(program, scratches[0], NULL, 0, ignore, &reported, NULL) ==
            CUPEL_UNDECIDED)
            reported++;
    }
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_program_disasm(program, 0, &text);
    cupel_program_disasm(program, 1, &text);
    cupel_text_free(&text);
}

/* Loads from memory of exactly this size, and runs what was accepted. */
static bool load(const char *bytes, size_t len, const struct cupel_options *options)
{
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    enum cupel_status s = cupel_program_load(bytes, len, 0, options, &program, &err);
    if (s != CUPEL_OK) {
        if (err.status != s || err.detail[0] == '\0' || s == CUPEL_E_INTERNAL)
            test_check(false, "a refusal says why", __FILE__, __LINE__);
        refused++;
        return false;
    }
    accepted++;
    run(program);
    cupel_program_free(program);
    return true;
}

static void repair(char *bytes, size_t len)
{
    struct cupel__image *image = (struct cupel__image *)(void *)bytes;
    if (len < sizeof *image || image->size < sizeof *image || image->size > len ||
        image->size % 8 != 0)
        return;
    image->checksum = cupel__image_checksum(image, image->size);
    if (image->size < len)
        repair(bytes + image->size, len - image->size); /* there are at most two */
}

static void damage(const char *image, size_t len, size_t first, const struct cupel_options *options)
{
    char *bytes = malloc(len);
    for (size_t n = 0; n < len; n++) {
        memcpy(bytes, image, n);
        CHECK(load(bytes, n, options) == (n == first)); /* the verdict program stands alone too */
    }
    for (size_t bit = 0; bit < 8 * len; bit++) {
        memcpy(bytes, image, len);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        if (load(bytes, len, options))
            test_check(false, "the checksum holds", __FILE__, __LINE__);
        repair(bytes, len);
        (void)load(bytes, len, options);
    }
    free(bytes);
}

int main(void)
{
    struct cupel_options options;
    cupel_options_init(&options);
    options.flags = CUPEL_NO_JIT; /* patterns are compiled again for every image */
    options.limits[CUPEL_LIMIT_STEPS] = 2000;
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 1;
    for (int way = 0; way < 2; way++) {
        options.flags = CUPEL_NO_JIT | (way ? CUPEL_SWITCH_DISPATCH : 0);
        CHECK_INT(cupel_scratch_new(&options, &scratches[way]), CUPEL_OK);
    }
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        struct cupel_program *program;
        struct cupel_program_info info;
        size_t len;
        if (!CHECK_INT(cupel_compile(schemas[i], strlen(schemas[i]), NULL, &program, NULL),
                       CUPEL_OK))
            continue;
        const char *image = cupel_program_image(program, &len);
        cupel_program_info(program, &info);
        damage(image, len, info.image_bytes, &options);
        cupel_program_free(program);
    }
    cupel_scratch_free(scratches[0]);
    cupel_scratch_free(scratches[1]);
    CHECK(refused > 0 && accepted > 0);
    printf("%lu images refused, %lu run\n", refused, accepted);
    return test_end();
}
