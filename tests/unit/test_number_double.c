/* test_number_double.c: JSON numbers as doubles, held to the C library's strtod in the C locale;
 * their grammar, digits and shortest texts. */
#include "float_modes.h"
#include "mcp/json/number_text.h"
#include "test.h"
#include <math.h>

static int mode; /* of floating point, in which the conversion runs */

static void check_double(const char *lexeme)
{
    double got = 0, want = strtod(lexeme, NULL);
    struct float_environment saved = float_mode_set(mode);
    bool fits = cupel__number_double(lexeme, strlen(lexeme), &got);
    float_mode_restore(&saved);
    bool ok = CHECK_INT(fits, !isinf(want));
    ok = ok && (!fits || CHECK(memcmp(&got, &want, sizeof got) == 0));
    if (!ok)
        fprintf(stderr, "    %.80s: got %.17g, want %.17g\n", lexeme, got, want);
}

static const char *const lexemes[] = {
    "0",
    "-0",
    "0.0",
    "0e5",
    "1",
    "-1",
    "1.5",
    "0.1",
    "1e22",
    "1e23",
    "-1e23",
    "123456789012345678",
    "1e-23",
    "9007199254740992",
    "9007199254740993",
    "9007199254740994",
    "9007199254740995",
    "9007199254740993.0000001",
    "-9007199254740993",
    "4503599627370496.5",
    "4503599627370497.5",
    "4503599627370496.49999999999999999999",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "1e308",
    "1e309",
    "-1e309",
    "1e401",
    "1e9999999",
    "2.2250738585072014e-308",
    "2.2250738585072011e-308",
    "4.9e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "5e-324",
    "1e-324",
    "-1e-324",
    "1e-330",
    "-1e-350",
    "1e-399",
    "1e-401",
    "1e-9999999",
    "1797693134862315807937289714053034150799341327100378269361737789804449682927647509466490179775"
    "87207096330286416"
    "6928879109465555478519404026306574886715058206819089020007083836762738548458177115317644757302"
    "70069855571366959"
    "622842914819860834936475292719074168444365510704342711559699508093042880",
};

static void test_doubles(void)
{
    for (size_t i = 0; i < sizeof lexemes / sizeof *lexemes; i++)
        check_double(lexemes[i]);
}

/* Many digits: more than are kept, ties that only the last digit decides, zeros at either end. */
static void test_long(void)
{
    static char text[3000];
    for (size_t n = 700; n < 1700; n += 99) {
        memset(text, '1', n);
        strcpy(text + n, "e-1000");
        check_double(text);
        memcpy(text, "0.", 2);
        strcpy(text + n, "e300");
        check_double(text);
        strcpy(text, "9007199254740993.");
        memset(text + 17, '0', n);
        strcpy(text + 17 + n, "1");
        check_double(text);
        text[17 + n] = '\0';
        check_double(text);
        memset(text, '9', n);
        strcpy(text + n, "e-900");
        check_double(text);
    }
}

/* Any digits with any exponent. */
static void test_random(void)
{
    char text[64];
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        unsigned long long digits = x >> x % 60;
        snprintf(text, sizeof text, "%s%llu.%llue%d", x & 64 ? "-" : "", digits % 1000, digits,
                 (int)(x >> 32) % 700 - 350);
        check_double(text);
    }
}

static void test_grammar(void)
{
    static const struct {
        const char *text;
        bool is_number;
    } cases[] = {
        {"0", true},
        {"-0", true},
        {"10", true},
        {"01", false},
        {"-", false},
        {"", false},
        {"+1", false},
        {"1.", false},
        {".5", false},
        {"1.5", true},
        {"1.x", false},
        {"1e", false},
        {"1e+", false},
        {"1e-5", true},
        {"1E+5", true},
        {"1f5", false},
        {"1x", false},
        {"1e5x", false},
        {"1e5.", false},
        {"a", false},
        {"-a", false},
        {"1e123456789", true},
        {"1e1234567890", false},
        {"1.5e0", true},
        {"1.5x", false},
        {"/", false},
        {":", false},
        {"1e/", false},
        {"1e:", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!CHECK_INT(cupel__number_is_json(cases[i].text, strlen(cases[i].text)),
                       cases[i].is_number))
            fprintf(stderr, "    %s\n", cases[i].text);
    }
}

static void test_shortest(void)
{
    static const struct {
        const char *lexeme, *text;
    } cases[] = {
        {"3.0", "3"},
        {"30e-1", "3"},
        {"1e-1", "0.1"},
        {"1000000000000000000000", "1e+21"},
        {"1e20", "100000000000000000000"},
        {"1e21", "1e+21"},
        {"1e22", "1e+22"},
        {"0.000001", "0.000001"},
        {"0.0000001", "1e-7"},
        {"-0", "0"},
        {"-0.0e9", "0"},
        {"-12.50", "-12.5"},
        {"100", "100"},
        {"1.5e3", "1500"},
        {"1.5e-3", "0.0015"},
        {"12345e-2", "123.45"},
        {"1.25e30", "1.25e+30"},
        {"1e1234567890", "1e+1234567890"},
        {"1e0000000001", "10"},
        {"1E-0000000000000000000000002", "0.01"},
        {"100e000000000000000000000", "100"},
        {"1e999999999999999", "1e+999999999999999"},
        {"10.0e-99999999999999", "1e-99999999999998"},
        {"1e1000000000000000", "1e1000000000000000"},
        {"0e1000000000000000", "0"},
        {"-0.00e-99999999999999999999999", "0"},
        {"1e400", "1e+400"},
        {"0.1e401", "1e+400"},
        {"1.00000000000000000001", "1.00000000000000000001"},
        {"x1e5", "x1e5"},
        {"1e999999999", "1e+999999999"},
        {"1e-999999999", "1e-999999999"},
        {"0.00120", "0.0012"},
        {"1E+2", "100"},
    };
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cupel_text_clear(&text);
        cupel__number_shortest(&text, cases[i].lexeme, strlen(cases[i].lexeme));
        CHECK_STR(text.bytes, cases[i].text);
    }
    cupel_text_free(&text);
}

static void test_digits(void)
{
    uint8_t digits[4];
    int count;
    int64_t point;
    bool cut;
    CHECK(!cupel__number_digits("12.345", 6, digits, 4, &count, &point, &cut));
    CHECK(count == 4 && point == 2 && cut && digits[0] == 1 && digits[3] == 4);
    CHECK(cupel__number_digits("-0.00120", 8, digits, 4, &count, &point, &cut));
    CHECK(count == 2 && point == -2 && !cut && digits[1] == 2);
    CHECK(!cupel__number_digits("0e99999999999999999999999", 25, digits, 4, &count, &point, &cut));
    CHECK_INT(count, 0);
    CHECK(!cupel__number_digits("1e99999999999999999999999", 25, digits, 4, &count, &point, &cut));
    CHECK(point > INT64_C(1000000000000));
    CHECK(!cupel__number_digits("1e-99999999999999999999999", 26, digits, 4, &count, &point, &cut));
    CHECK(point < -INT64_C(1000000000000));
}

int main(void)
{
    for (mode = 0; mode < FLOAT_MODES; mode++) {
        test_doubles();
        test_long();
        test_random();
    }
    test_grammar();
    test_shortest();
    test_digits();
    return test_end();
}
