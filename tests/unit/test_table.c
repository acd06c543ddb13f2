/* test_table.c: vm/program/name_table.c and program/name_table.h, on tables as the compiler writes
 * them: each name is found at its own entry, and nothing else is, as comparing all names says. */
#include "test.h"
#include "vm/program/image.h"
#include "vm/program/name_table.h"
#include <cupel/cupel.h>

/* Names to be put into one table, as {"enum": […]}. */
struct names {
    char *bytes[3000];
    uint32_t len[3000];
    uint32_t count;
};

/* Padded, because look-ups read eight bytes at a time. */
static void add(struct names *names, const char *p, size_t n)
{
    char *copy = calloc(1, n + 16);
    memcpy(copy, p, n);
    names->bytes[names->count] = copy;
    names->len[names->count++] = (uint32_t)n;
}

static void clear(struct names *names)
{
    for (uint32_t i = 0; i < names->count; i++)
        free(names->bytes[i]);
    names->count = 0;
}

static bool listed(const struct names *names, const char *p, uint32_t n)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (names->len[i] == n && memcmp(names->bytes[i], p, n) == 0)
            return true;
    return false;
}

static struct cupel_program *compile(const struct names *names)
{
    struct cupel_text schema;
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    cupel_text_init(&schema, NULL);
    cupel_text_adds(&schema, "{\"enum\": [");
    for (uint32_t i = 0; i < names->count; i++) {
        cupel_text_adds(&schema, i > 0 ? "," : "");
        cupel_text_add_json(&schema, names->bytes[i], names->len[i]);
    }
    cupel_text_adds(&schema, "]}");
    cupel_options_init(&options);
    options.flags = CUPEL_NO_REPORT;
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 16 << 20;
    options.limits[CUPEL_LIMIT_COMPILE_BYTES] = SIZE_MAX;
    if (!CHECK_INT(cupel_compile(schema.bytes, schema.len, &options, &program, &err), CUPEL_OK))
        fprintf(stderr, "    %s\n", err.detail);
    cupel_text_free(&schema);
    return program;
}

/* The table of the only STRINGS instruction. */
static const struct cupel__table *table_of(const struct cupel__image *image)
{
    const uint32_t *code = cupel__at(image, image->code.at);
    for (uint32_t pc = 1; pc < image->code.count;
         pc += cupel__op_info[CUPEL__WORD_OP(code[pc])].words)
        if (CUPEL__WORD_OP(code[pc]) == CUPEL__OP_STRINGS)
            return cupel__at(image, code[pc + 1]);
    return NULL;
}

static void check_absent(const struct cupel__image *image, const struct cupel__table *t,
                         const struct names *names, const char *p, uint32_t n)
{
    CHECK((cupel__table_find(image, t, p, n) != NULL) == listed(names, p, n));
}

/* Everything that differs from a name in one place, or in its length. */
static void check_neighbours(const struct cupel__image *image, const struct cupel__table *t,
                             const struct names *names, uint32_t i)
{
    char p[800] = {0};
    uint32_t n = names->len[i];
    memcpy(p, names->bytes[i], n);
    for (uint32_t at = 0; at<n; at += n> 100 ? 13 : 1) {
        p[at] = (char)(p[at] ^ 1);
        check_absent(image, t, names, p, n);
        p[at] = (char)(p[at] ^ 1);
    }
    check_absent(image, t, names, p, n + 1);
    p[n] = 'x';
    check_absent(image, t, names, p, n + 1);
    for (uint32_t shorter = n > 3 ? n - 3 : 0; shorter < n; shorter++)
        check_absent(image, t, names, p, shorter);
}

/* Compiles the names and looks all of them up; the flags that the table has. */
static unsigned check(const struct names *names)
{
    struct cupel_program *program = compile(names);
    if (program == NULL)
        return 0;
    size_t len;
    const struct cupel__image *image = cupel_program_image(program, &len);
    const struct cupel__table *t = table_of(image);
    unsigned flags = 0;
    if (CHECK(t != NULL)) {
        CHECK_INT(t->count, names->count);
        flags = t->flags | (t->disp != 0 ? 256u : 0);
        for (uint32_t i = 0; i < names->count; i++) {
            const struct cupel__entry *e =
                cupel__table_find(image, t, names->bytes[i], names->len[i]);
            char buf[16];
            if (!CHECK(e != NULL))
                continue;
            struct cupel__str name = cupel__entry_name(image, t, e, buf);
            CHECK(name.n == names->len[i] && memcmp(name.p, names->bytes[i], name.n) == 0);
            check_neighbours(image, t, names, i);
        }
    }
    cupel_program_free(program);
    return flags;
}

static struct names names;

static void test_lengths(void)
{
    char text[80];
    for (size_t n = 0; n <= 70; n++) {
        memset(text, 'a', sizeof text);
        add(&names, text, n);
        text[n / 2] = 'b';
        if (n > 0)
            add(&names, text, n);
    }
    check(&names); /* those that are alike in both ends included */
    clear(&names);
    for (size_t n = 9; n <= 70; n++) { /* a few at a time, of one length */
        for (char c = 'a'; c < 'd'; c++) {
            memset(text, c, sizeof text);
            add(&names, text, n);
        }
        CHECK_INT(check(&names) & CUPEL__TABLE_SORTED, 0);
        clear(&names);
    }
}

/* Names with these ends, and one byte of their own in the middle. */
static unsigned check_middles(size_t head, size_t tail, int count)
{
    char text[700];
    memset(text, 'x', head + 1);
    memset(text + head + 1, 'y', tail);
    for (int i = 0; i < count; i++) {
        text[head] = (char)('0' + i);
        add(&names, text, head + 1 + tail);
    }
    unsigned flags = check(&names);
    clear(&names);
    return flags;
}

static void test_alike(void)
{
    CHECK_INT(check_middles(7, 40, 5) & CUPEL__TABLE_MIDDLE, 0);
    for (size_t head = 8; head < 40; head++)
        CHECK(check_middles(head, 12, 5) & (CUPEL__TABLE_MIDDLE | CUPEL__TABLE_WHOLE));
    CHECK_INT(check_middles(300, 390, 7) & CUPEL__TABLE_SORTED, CUPEL__TABLE_SORTED);
    CHECK_INT(check_middles(300, 390, 40) & CUPEL__TABLE_SORTED, CUPEL__TABLE_SORTED);
}

static void test_counts(void)
{
    static const uint32_t counts[] = {2,   3,   31,  32,  33,  63,   64,  65,
                                      100, 254, 255, 256, 257, 1000, 3000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (uint32_t i = 0; i < counts[k]; i++) {
            char text[40];
            int n = snprintf(text, sizeof text,
                             i % 3 == 0 || i >= 1000 ? "n%u" : "a_longer_name_%u_of_it", i);
            add(&names, text, (size_t)n);
        }
        unsigned flags = check(&names);
        CHECK_INT((flags & CUPEL__TABLE_SORTED) != 0, false);
        CHECK_INT((flags & 256) != 0, counts[k] > 64);
        CHECK_INT((flags & CUPEL__TABLE_WIDE) != 0, counts[k] > 255);
        clear(&names);
    }
}

static void test_bytes(void)
{
    add(&names, "", 0);
    add(&names, "\0", 1);
    add(&names, "\0\0", 2);
    add(&names, "a\0", 2);
    add(&names, "a\0b\0c\0d\0", 8);
    add(&names, "\xc3\xa9", 2);
    add(&names, "\xf0\x9f\x92\xa9\xf0\x9f\x92\xa9", 8);
    check(&names);
    clear(&names);
}

int main(void)
{
    test_lengths();
    test_alike();
    test_counts();
    test_bytes();
    return test_end();
}
