/* test_number.c: base/decimal.c on the numbers that are easily got wrong.  The bulk of the cases is
 * in tests/tools/check_number.py. */
#include "base/decimal.h"
#include "base/json/tape.h"
#include "test.h"

static struct cupel__dec dec(const char *token)
{
    struct cupel__dec d = {0};
    CHECK(cupel__dec_parse(token, strlen(token), &d));
    return d;
}

static void check_small(const char *token, int64_t i, int64_t exp)
{
    struct cupel__dec d = dec(token);
    CHECK(d.digits == NULL);
    CHECK_INT(d.i, i);
    CHECK_INT(d.exp, exp);
}

static void check_big(const char *token, bool negative, uint32_t ndigits, int64_t exp)
{
    struct cupel__dec d = dec(token);
    if (!CHECK(d.digits != NULL))
        return;
    CHECK(*d.digits >= '1' && *d.digits <= '9');
    CHECK_INT(d.negative, negative);
    CHECK_INT(d.ndigits, ndigits);
    CHECK_INT(d.exp, exp);
}

static void test_parse(void)
{
    check_small("0", 0, 0);
    check_small("-0.00e5", 0, 0);
    check_small("0e99999999999999999999999999", 0, 0);
    check_small("1", 1, 0);
    check_small("100", 1, 2);
    check_small("-1.50", -15, -1);
    check_small("0.00012e1", 12, -4);
    check_small("1e-0000000000000000000000000003", 1, -3);
    check_small("12.5E+4", 125, 3);
    check_small("9223372036854775807", INT64_MAX, 0);
    check_small("-9223372036854775808", INT64_MIN, 0);
    check_small("922337203685477580.7", INT64_MAX, -1);
    check_small("10000000000000000000000", 1, 22);
    check_small("1e1099511627776", 1, (int64_t)1 << 40);
    check_small("1e-1099511627776", 1, -((int64_t)1 << 40));
    check_big("9223372036854775808", false, 19, 0);
    check_big("-9223372036854775809", true, 19, 0);
    check_big("0.00123456789012345678901234567890", false, 29, -31);
    check_big("12345678901234567890.12345", false, 25, -5);

    static const char *const beyond[] = {"1e1099511627777", "1e-1099511627777",
                                         "1e99999999999999999999", "-0.1e-99999999999999999999"};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        struct cupel__dec d = {.i = 42};
        CHECK(!cupel__dec_parse(beyond[i], strlen(beyond[i]), &d));
        CHECK_INT(d.i, 42);
    }
}

/* Texts that are no numbers, with an exponent of many signs or digits: nothing overflows. */
static void test_long_exponents(void)
{
    enum { LONG = 4000 };
    static const char fill[] = {'-', '+', '.', 'e', '0'};
    char text[LONG + 4] = "1e-";
    struct cupel__dec d;
    for (size_t i = 0; i < sizeof fill; i++) {
        memset(text + 2, fill[i], LONG);
        if (CHECK(cupel__dec_parse(text, LONG + 2, &d)))
            CHECK(d.digits == NULL && d.i == 1 && d.exp == 0);
    }
    for (int sign = 0; sign < 2; sign++) {
        memset(text + 2, '9', LONG);
        text[2] = sign == 0 ? '-' : '9';
        CHECK(!cupel__dec_parse(text, LONG + 2, &d));
    }
    text[LONG + 1] = '-';
    CHECK(!cupel__dec_parse(text, LONG + 2, &d));
}

static void test_node(void)
{
    static const char text[] = "[12345678901234567890.5,1e2]";
    struct cupel__doc doc = {.base = {text, NULL}, .len = sizeof text - 1};
    struct cupel__node n = {.type = CUPEL__REAL, .flags = CUPEL__BIG, .off = 1};
    struct cupel__dec d;
    CHECK(cupel__doc_decimal(&doc, &n, &d));
    CHECK(d.digits == text + 1 && d.ndigits == 21 && d.exp == -1);
    n = (struct cupel__node){.type = CUPEL__INTREAL, .flags = CUPEL__BIG, .off = 24};
    CHECK(cupel__doc_decimal(&doc, &n, &d));
    CHECK(d.digits == NULL && d.i == 1 && d.exp == 2);
    n = (struct cupel__node){.type = CUPEL__REAL, .exp = -2, .off = 24, .i = 1999};
    CHECK(cupel__doc_decimal(&doc, &n, &d));
    CHECK(d.digits == NULL && d.i == 1999 && d.exp == -2);
}

static void check_cmp(const char *a, const char *b, int want)
{
    struct cupel__dec x = dec(a), y = dec(b);
    if (!CHECK_INT(cupel__dec_cmp(&x, &y), want) || !CHECK_INT(cupel__dec_cmp(&y, &x), -want))
        fprintf(stderr, "    %s, %s\n", a, b);
}

static void test_cmp(void)
{
    check_cmp("9007199254740993", "9007199254740992.0", 1);
    check_cmp("18446744073709551615", "18446744073709551600", 1);
    check_cmp("-18446744073709551615", "-18446744073709551600", -1);
    check_cmp("972783798187987123879878123.18878137", "972783798187987123879878123.188781371", -1);
    check_cmp("1e400", "-1e400", 1);
    check_cmp("1e400", "1e399", 1);
    check_cmp("-1e-400", "0", -1);
    check_cmp("9223372036854775807", "1e18", 1);
    check_cmp("9223372036854775807", "1e19", -1);
    check_cmp("-9223372036854775808", "-1e19", 1);
    check_cmp("-9223372036854775808", "-9223372036854775808.5", 1);
    check_cmp("1e1099511627776", "1e-1099511627776", 1);
    check_cmp("12345678901234567890", "1.2345678901234567890e19", 0);
    check_cmp("123456789012345678901e-2", "1234567890123456789", 1);
    check_cmp("0.30", "3e-1", 0);

    struct cupel__dec hundred = {.i = 100}, million = {.i = 1000000}; /* not normalised */
    struct cupel__dec e2 = dec("1e2"), e6 = dec("1e6"), big = dec("100.00000000000000000001");
    CHECK_INT(cupel__dec_cmp(&hundred, &e2), 0);
    CHECK_INT(cupel__dec_cmp(&e6, &million), 0);
    CHECK_INT(cupel__dec_cmp(&hundred, &big), -1);
    CHECK(cupel__dec_hash(&hundred) == cupel__dec_hash(&e2));
}

static void test_integer(void)
{
    static const char *const yes[] = {
        "0", "-0.0", "1.0", "1e400", "-2.50e1", "1.5e1", "12345678901234567890123.0"};
    static const char *const no[] = {"0.5", "1e-400", "12345678901234567890123.1", "15e-2"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        struct cupel__dec d = dec(yes[i]);
        CHECK(cupel__dec_is_integer(&d));
    }
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        struct cupel__dec d = dec(no[i]);
        CHECK(!cupel__dec_is_integer(&d));
    }
}

static void check_multiple(const char *a, const char *b, int want)
{
    struct cupel__dec x = dec(a), y = dec(b);
    if (!CHECK_INT(cupel__dec_multiple(&x, &y), want))
        fprintf(stderr, "    %s, %s\n", a, b);
}

static void test_multiple(void)
{
    check_multiple("19.99", "0.01", 1);
    check_multiple("0.0075", "0.0001", 1);
    check_multiple("0.00751", "0.0001", 0);
    check_multiple("4.5", "1.5", 1);
    check_multiple("35", "1.5", 0);
    check_multiple("1e308", "0.5", 1);
    check_multiple("1e308", "0.123456789", 0);
    check_multiple("12391239123", "1e-8", 1);
    check_multiple("1e999999999", "3", 0);
    check_multiple("3e999999999", "3", 1);
    check_multiple("0", "1e400", 1);
    check_multiple("-0.0", "7", 1);
    check_multiple("-21", "7", 1);
    check_multiple("-9223372036854775808", "2", 1);
    check_multiple("-9223372036854775808", "9223372036854775808", 1);
    check_multiple("5", "10", 0);
    check_multiple("1", "9223372036854775808", 0);
    /* Divisors whose multiples by ten do not fit a word. */
    check_multiple("1821900649460228180080531653015272784150", "18446744073709551615", 1);
    check_multiple("1821900649460228180080531653015272784151", "18446744073709551615", 0);
    check_multiple("1821900649460228180080531653015272784149", "18446744073709551615", 0);
    check_multiple("910950324730114089990883110452698120470", "9223372036854775807", 1);
    check_multiple("910950324730114089990883110452698120471", "9223372036854775807", 0);
    check_multiple("910950324730114089990883110452698120469", "9223372036854775807", 0);
    check_multiple("53024287312904866631288524769253", "4294967311", 1);
    check_multiple("53024287312904866631288524769254", "4294967311", 0);
    check_multiple("53024287312904866631288524769252", "4294967311", 0);
    check_multiple("1e63", "9223372036854775808", 1);
    check_multiple("1e62", "9223372036854775808", 0);
    check_multiple("340282366920938463463374607431768211457",
                   "340282366920938463463374607431768211457", 1);
    check_multiple("340282366920938463463374607431768211456",
                   "340282366920938463463374607431768211457", 0);

    struct cupel__dec a = {.i = 300}, b = dec("1e2"), zero = {0};
    CHECK_INT(cupel__dec_multiple(&a, &b), 1);
    a.i = 350;
    CHECK_INT(cupel__dec_multiple(&a, &b), 0);
    CHECK_INT(cupel__dec_multiple(&a, &zero), -1);
}

/* Numbers as long as the reader lets through are decided; far longer divisors are not. */
static void test_multiple_long(void)
{
    char digits[2049];
    memset(digits, '7', sizeof digits - 1);
    digits[1024] = '\0';
    struct cupel__dec b = dec(digits), a = b;
    CHECK_INT(cupel__dec_multiple(&a, &b), 1);
    a.exp += 1000000;
    CHECK_INT(cupel__dec_multiple(&a, &b), 1);
    char other[1025];
    memcpy(other, digits, sizeof other);
    other[1000] = '8';
    a = dec(other);
    CHECK_INT(cupel__dec_multiple(&a, &b), 0);

    memset(digits, '7', sizeof digits - 1);
    digits[2048] = '\0';
    b = dec(digits);
    CHECK_INT(cupel__dec_multiple(&b, &b), -1);
    a = dec("7");
    CHECK_INT(cupel__dec_multiple(&b, &a), 1);
}

static void test_hash(void)
{
    static const char *const same[][3] = {
        {"1", "1.0", "10e-1"},
        {"0", "-0", "0e7"},
        {"12345678901234567890123", "12345678901234567890123.000", "1234567890123.4567890123e10"},
        {"9223372036854775807", "9.223372036854775807e18", "92233720368547758070e-1"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct cupel__dec a = dec(same[i][0]), b = dec(same[i][1]), c = dec(same[i][2]);
        CHECK(cupel__dec_hash(&a) == cupel__dec_hash(&b));
        CHECK(cupel__dec_hash(&a) == cupel__dec_hash(&c));
    }
    struct cupel__dec a = dec("12345678901234567890123"), b = dec("-12345678901234567890123");
    struct cupel__dec c = dec("12345678901234567890124"), d = dec("1e1"), e = dec("1");
    CHECK(cupel__dec_hash(&a) != cupel__dec_hash(&b));
    CHECK(cupel__dec_hash(&a) != cupel__dec_hash(&c));
    CHECK(cupel__dec_hash(&d) != cupel__dec_hash(&e));
}

/* What no reader lets through, and zeros with exponents. */
static void test_corners(void)
{
    struct cupel__dec a = {.exp = -2}, b = {.i = 0}, c = {.i = 3};
    CHECK_INT(cupel__dec_cmp(&a, &b), 0);
    CHECK_INT(cupel__dec_cmp(&a, &c), -1);
    CHECK(cupel__dec_parse("", 0, &a) && a.i == 0 && a.digits == NULL);
    CHECK(cupel__dec_parse("5e", 2, &a) && a.i == 5 && a.exp == 0);
    CHECK(cupel__dec_parse("5e-", 3, &a) && a.i == 5 && a.exp == 0);
}

int main(void)
{
    test_corners();
    test_parse();
    test_long_exponents();
    test_node();
    test_cmp();
    test_integer();
    test_multiple();
    test_multiple_long();
    test_hash();
    return test_end();
}
