/* sealed_image.c: a program that is used in place goes on to work while its file is rewritten
 * and cut short (examples/sealed_image.c). */
#include "sealed_image.h"
#include "test.h"
#include <cupel/cupel.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static const char schema[] = "{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[\"one\","
                             "\"two\",\"three\"]},\"b\":{\"pattern\":"
                             "\"^[a-z]+$\"}},\"required\":[\"a\"]}";

static void write_file(const char *path, const void *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        CHECK(fwrite(bytes, 1, len, file) == len);
        CHECK(fclose(file) == 0);
    }
}

static void judge(const struct cupel_program *program)
{
    static const char good[] = "{\"a\":\"two\",\"b\":\"x\"}", bad[] = "{\"a\":\"six\",\"b\":\"x\"}";
    struct cupel_scratch *scratch = NULL;
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, good, strlen(good), NULL), CUPEL_VALID);
    CHECK_INT(cupel_validate(program, scratch, bad, strlen(bad), NULL), CUPEL_INVALID);
    cupel_scratch_free(scratch);
}

static void test_rewritten(const char *path, const void *image, size_t len)
{
    struct sealed_image sealed = {.program = NULL};
    struct cupel_error err;
    char zeros[256] = {0};
    write_file(path, image, len);
    if (!CHECK_INT(sealed_image_open(path, NULL, &sealed, &err), CUPEL_OK))
        return;
    judge(sealed.program);
    write_file(path, zeros, sizeof zeros); /* cuts it short and rewrites it */
    judge(sealed.program);
    CHECK(mprotect(sealed.bytes, sealed.len, PROT_READ | PROT_WRITE) != 0);
    judge(sealed.program);
    sealed_image_close(&sealed);
}

static void test_refused(const char *path, const void *image, size_t len)
{
    struct sealed_image sealed = {.program = NULL};
    struct cupel_error err;
    write_file(path, image, len / 2);
    CHECK_INT(sealed_image_open(path, NULL, &sealed, &err), CUPEL_E_BAD_IMAGE);
    write_file(path, image, 0);
    CHECK_INT(sealed_image_open(path, NULL, &sealed, &err), -1);
    CHECK_INT(errno, ENODATA);
    CHECK(unlink(path) == 0);
    CHECK_INT(sealed_image_open(path, NULL, &sealed, &err), -1);
    CHECK_INT(errno, ENOENT);
    CHECK(sealed.program == NULL);
}

int main(void)
{
    struct cupel_program *program = NULL;
    char path[] = "/tmp/cupel-sealed-XXXXXX";
    int file = mkstemp(path);
    size_t len = 0;
    CHECK(file >= 0);
    close(file);
    if (CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK)) {
        const void *image = cupel_program_image(program, &len);
        test_rewritten(path, image, len);
        test_refused(path, image, len);
    }
    cupel_program_free(program);
    return test_end();
}
