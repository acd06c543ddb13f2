/* test_idn.c: libidn2 without memory, or without an answer: of a name that leaves nothing decided,
 * or it is none.
 *
 * The linker puts these functions in the place of the library's (--wrap). */
#include "test.h"
#include "vm/formats/idn.h"
#include <cupel/cupel.h>
#include <idn2.h>

int __real_idn2_lookup_u8(const uint8_t *src, uint8_t **lookup, int flags);
int __real_idn2_to_unicode_8z4z(const char *input, uint32_t **output, int flags);
int __real_cupel__fmt_idn_hostname(const char *p, size_t n);
int __wrap_idn2_lookup_u8(const uint8_t *src, uint8_t **lookup, int flags);
int __wrap_idn2_to_unicode_8z4z(const char *input, uint32_t **output, int flags);
int __wrap_cupel__fmt_idn_hostname(const char *p, size_t n);

/* What they return, if that is not 0. */
static int lookup_result, unicode_result, format_result;

int __wrap_idn2_lookup_u8(const uint8_t *src, uint8_t **lookup, int flags)
{
    return lookup_result != 0 ? lookup_result : __real_idn2_lookup_u8(src, lookup, flags);
}

int __wrap_idn2_to_unicode_8z4z(const char *input, uint32_t **output, int flags)
{
    return unicode_result != 0 ? unicode_result : __real_idn2_to_unicode_8z4z(input, output, flags);
}

int __wrap_cupel__fmt_idn_hostname(const char *p, size_t n)
{
    return format_result != 0 ? format_result : __real_cupel__fmt_idn_hostname(p, n);
}

static void check(const char *format, const char *text, uint32_t flags, enum cupel_verdict want,
                  enum cupel_status why)
{
    char schema[64];
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome;
    cupel_options_init(&options);
    options.flags = CUPEL_ASSERT_FORMAT | flags;
    snprintf(schema, sizeof schema, "{\"format\":\"%s\"}", format);
    CHECK_INT(cupel_compile(schema, strlen(schema), &options, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), &outcome), want);
    CHECK_INT(outcome.reason, why);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

static const char name[] = "\"b\xc3\xbc"
                           "cher.example\"",
                  ascii[] = "\"xn--bcher-kva.example\"";

/* The library says that it has no memory, then that the name is none, then what it finds. */
static void test_library(void)
{
    lookup_result = IDN2_MALLOC;
    check("idn-hostname", name, 0, CUPEL_UNDECIDED, CUPEL_E_NO_MEMORY);
    check("hostname", ascii, 0, CUPEL_UNDECIDED, CUPEL_E_NO_MEMORY);
    lookup_result = IDN2_PUNYCODE_BAD_INPUT;
    check("idn-hostname", name, 0, CUPEL_INVALID, CUPEL_OK);
    check("hostname", ascii, 0, CUPEL_INVALID, CUPEL_OK);
    lookup_result = 0;
    unicode_result = IDN2_MALLOC;
    check("hostname", ascii, 0, CUPEL_UNDECIDED, CUPEL_E_NO_MEMORY);
    unicode_result = IDN2_PUNYCODE_BAD_INPUT;
    check("hostname", ascii, 0, CUPEL_INVALID, CUPEL_OK);
    unicode_result = 0;
    check("idn-hostname", name, 0, CUPEL_VALID, CUPEL_OK);
    check("hostname", ascii, 0, CUPEL_VALID, CUPEL_OK);
}

/* As in a build without the library. */
static void test_no_library(void)
{
    format_result = CUPEL_E_UNSUPPORTED;
    check("idn-hostname", name, 0, CUPEL_UNDECIDED, CUPEL_E_UNSUPPORTED);
    check("idn-hostname", name, CUPEL_IDN_OPTIONAL, CUPEL_VALID, CUPEL_OK);
    format_result = CUPEL_E_LIMIT_FORMAT;
    check("idn-hostname", name, CUPEL_IDN_OPTIONAL, CUPEL_UNDECIDED, CUPEL_E_LIMIT_FORMAT);
    format_result = 0;
}

int main(void)
{
    test_library();
    test_no_library();
    return test_end();
}
