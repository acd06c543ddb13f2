/* test_formats.c: vm/formats: what conforms to each format and what does not, corner by corner.
 *
 * tests/tools/check_formats.py holds the same scanners to the official suite and to a reference;
 * here is what can be read as a description, and what those do not reach: NUL, lengths, drafts. */
#include "test.h"
#include "vm/formats/formats.h"
#include "vm/formats/idn.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A copy of just the length, so that the address sanitizer sees a read past its end. */
static int check(enum cupel__format format, const char *p, size_t n)
{
    char *exact = malloc(n == 0 ? 1 : n);
    if (exact == NULL)
        abort();
    if (n > 0)
        memcpy(exact, p, n);
    struct cupel__arena work;
    cupel__arena_init(&work, NULL, 0);
    int result = cupel__format_check(format, exact, n, &work);
    cupel__arena_free(&work);
    free(exact);
    return result;
}

static void expect(enum cupel__format format, const char *p, size_t n, int want)
{
    if (!CHECK_INT(check(format, p, n), want))
        fprintf(stderr, "    %s \"%.*s\"\n", cupel__format_name(format), (int)n, p);
}

/* Lists end with NULL.  What conforms is also tried with a NUL and a line feed after it. */
static void cases(enum cupel__format format, const char *const *good, const char *const *bad)
{
    char longer[512];
    for (; *good != NULL; good++) {
        size_t n = strlen(*good);
        expect(format, *good, n, 1);
        memcpy(longer, *good, n + 1);
        expect(format, longer, n + 1, format == CUPEL__FORMAT_REGEX);
        longer[n] = '\n';
        expect(format, longer, n + 1, format == CUPEL__FORMAT_REGEX);
    }
    for (; *bad != NULL; bad++)
        expect(format, *bad, strlen(*bad), 0);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_datetime(void)
{
    cases(CUPEL__FORMAT_DATE,
          LIST("1985-04-12", "0000-01-01", "9999-12-31", "2000-02-29", "0400-02-29", "2024-02-29"),
          LIST("", "1900-02-29", "2023-02-29", "2023-04-31", "2023-00-01", "2023-01-00",
               "2x23-01-01", "20x3-01-01", "2023-01x01", "2023-13-01", "2023-1-01", "23-01-01",
               "12023-01-01", "2023/01/01", "2023-01-0\xd9\xa1", " 2023-01-01", "2023-01-32"));
    cases(CUPEL__FORMAT_TIME,
          LIST("00:00:00Z", "23:59:59z", "12:00:00.5+00:00", "23:59:60Z", "01:29:60+01:30",
               "00:29:60+00:30", "15:59:60.123-08:00", "12:00:00-23:59"),
          LIST("", "12:00:00", "24:00:00Z", "12:60:00Z", "12:00:61Z", "12:00:60Z", "23:59:60+00:01",
               "12:00:00.Z", "12:00:00,5Z", "12:00:00+1:00", "12:00:00+0100", "12:00:00+24:00",
               "12:00:00+01:60", "12:00Z", "12:00:00 Z", "12:00:00ZZ", "12.00.00Z", "120000Z"));
    cases(CUPEL__FORMAT_TIME_V1, LIST("00:00:00Z", "23:59:59.9-01:00"),
          LIST("", "23:59:60Z", "01:29:60+01:30", "24:00:00Z"));
    cases(CUPEL__FORMAT_DATE_TIME,
          LIST("1963-06-19T08:30:06.283185Z", "1990-12-31t15:59:60-08:00",
               "1985-04-12T23:20:50-00:00"),
          LIST("", "1963-06-19", "1963-06-19T", "1963-06-19 08:30:06Z", "1963-06-31T08:30:06Z",
               "1963-06-19T08:30:06", "08:30:06Z", "1998-12-31T23:58:60Z"));
    cases(CUPEL__FORMAT_DURATION,
          LIST("P1W", "P1D", "P0Y", "P1Y2M3D", "P2M", "PT1S", "PT1H2M3S", "P1DT12H", "P1YT1M",
               "P0001234567890123456789Y", "PT36H"),
          LIST("", "P", "PT", "P1", "1D", "P1Y2D", "PT1H2S", "P1W1D", "P1D1Y", "P1DT", "PT1D",
               "P1H", "P-1D", "P1.5D", "p1d", "PW", "P1Y1Y", "P1M2W", "P1YT1M1M", "PT1S1S"));
}

static void test_net(void)
{
    cases(CUPEL__FORMAT_IPV4, LIST("0.0.0.0", "255.255.255.255", "192.168.0.1"),
          LIST("", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "01.2.3.4", "1.2.3.00", "1..2.3",
               "1.2.3.", ".1.2.3", "0x1.2.3.4", "1.2.3.4/8", "1.2.3.1000", "-1.2.3.4", " 1.2.3.4"));
    cases(CUPEL__FORMAT_IPV6,
          LIST("::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
               "ABCD:ef01::1", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1::2:3:4:5:1.2.3.4"),
          LIST("", ":", ":::", "1", ":1", "1:", "1::2::3", "1:::2", "1:2:3:4:5:6:7", "12345::",
               "1:2:3:4:5:6:7:8:9", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8::", "g::", "::1%eth0",
               "[::1]", "::/64", "1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "1::2:3:4:5:6:1.2.3.4",
               "::1.2.3", "::01.2.3.4", "1.2.3.4::", "::1.2.3.4:1", ":1.2.3.4"));
    cases(CUPEL__FORMAT_HOSTNAME_LDH,
          LIST("a", "1host", "www.example.com", "a--b", "ab--cd", "xn--X", "A.B"),
          LIST("", ".", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a_b", "a b",
               "\xe2\x84\xaa"
               "elvin"));
    cases(CUPEL__FORMAT_HOSTNAME, LIST("a", "a.b", "a--b.com", "xn-a", "axn--b"),
          LIST("", "a.", "-xn--a"));
}

static void test_name_lengths(void)
{
    char name[256];
    memset(name, 'a', sizeof name);
    expect(CUPEL__FORMAT_HOSTNAME, name, 63, 1);
    expect(CUPEL__FORMAT_HOSTNAME, name, 64, 0);
    for (size_t i = 63; i < sizeof name; i += 64)
        name[i] = '.';
    expect(CUPEL__FORMAT_HOSTNAME, name, 253, 1);
    expect(CUPEL__FORMAT_HOSTNAME, name, 254, 0);
}

static void test_email(void)
{
    cases(CUPEL__FORMAT_EMAIL,
          LIST("a@b", "joe.bloggs@example.com", "te~st!#$%&'*+-/=?^_`{|}@a", "\"\"@a",
               "\"a b@c..d\"@e", "\"\\\"\\a\\ \"@b", "a@1.2", "a@c--n", "a@[127.0.0.1]",
               "a@[IPv6:::1]", "a@[ipv6:1::2]"),
          LIST("", "@", "a", "a@", "@b", ".a@b", "a.@b", "a..b@c", "a b@c", "a@b.", "a@.b",
               "a@b..c", "a@-b", "a@b-", "a@b-.c", "a@b_c", "a@b@c", "\"a@b", "\"a\"b@c",
               "\"\\\"@b", "a@[1.2.3]", "a@[::1]", "a@[IPv6:1.2.3.4]", "a@[tag:x]", "a@[", "a@[]",
               "a@[1.2.3.4]x", "a(c)@b", "\"a\nb\"@c", "\xc3\xa9@b", "a@\xc3\xa9",
               "\"\xc3\xa9\"@b"));
    cases(CUPEL__FORMAT_IDN_EMAIL,
          LIST("\xc3\xa9@b", "a@\xc3\xa9", "\"\xc3\xa9\"@b",
               "\xf0\x9f\x90\xb2.\xc2\x85@\xc3\xa9-\xc3\xa9", "a@b",
               "a@\xef\xbc\xa1\xef\xbd\xa1\xc3\xa9"),
          LIST("",
               "a\xef\xbc\xa0"
               "b",
               "a@\xc3\xa9-", "a@-\xc3\xa9", "\"\\\xc3\xa9\"@b", "a@\xc3\xa9.",
               "a@\xc2\x85-\xc3\xa9", "a@\xef\xbc\x8f\xc3\xa9", "a@\xc3\xa9\xe2\x91\xb4",
               "a@b\xef\xbc\xbf"));
    expect(CUPEL__FORMAT_EMAIL, "\"\0\"@a", 5, 0);
    expect(CUPEL__FORMAT_EMAIL, "\0@a", 3, 0);
}

static void test_references(void)
{
    cases(CUPEL__FORMAT_URI,
          LIST("a:", "http://a", "http://u:p@h:80/p?q#f", "urn:a:b", "a:/", "a:b//c", "a://",
               "a://:", "a://[::1]:1", "a://[v1.x:y]", "a://h:", "a:?#", "a:%4f", "a://@/",
               "tel:+1-2", "a://087.1"),
          LIST("", "a", "//a", "1a:b", ":a", "a b:", "a:b c", "a:%", "a:%4", "a:%4g", "a:\\",
               "a:\"", "a:<", "a:{", "a:^", "a:`", "a:|", "a:[", "a://[::1", "a://::1]", "a://[1]",
               "a://[v.x]", "a://[v1.]", "a://[v1]", "a://h:8a", "a://x@y@z", "a://[::1]x", "a:##",
               "a:#[", "a:\xc3\xa9", "a://h:1:2", "a:b]c"));
    cases(CUPEL__FORMAT_URI_REFERENCE,
          LIST("", "a", "/", "//", "//a", "?q", "#f", "a/b:c", "./1:b", "..", "//h?a"),
          LIST("1:b", ":", "a b", "\\", "//[", "\xc3\xa9", "a%", "//h:x"));
    cases(CUPEL__FORMAT_IRI,
          LIST("a:\xc3\xa9", "a://\xc3\xa9@\xc3\xa9/\xc3\xa9?\xee\x80\x80#\xf0\x9f\x90\xb2"),
          LIST("\xc3\xa9", "a:\xee\x80\x80", "a:#\xee\x80\x80", "a:\xc2\x80", "a:\xef\xb7\x90",
               "\xc3\xa9:a", "a:\xef\xbf\xbf", "a:\xf3\xa0\x80\x81"));
    cases(CUPEL__FORMAT_IRI_REFERENCE, LIST("", "\xc3\xa9", "//\xc3\xa9", "?\xf3\xb0\x80\x80"),
          LIST("\xc3\xa9:a", "\xee\x80\x80", "\\\xc3\xa9"));
}

static void test_template(void)
{
    cases(CUPEL__FORMAT_URI_TEMPLATE,
          LIST("", "a/b", "{a}", "{+a}", "{#a,b*}", "{?a:9999,b.c}", "{|a}", "{%41_}", "it's",
               "%41\xc3\xa9\xee\x80\x80", "[x]", "{a}{b}"),
          LIST("{", "}", "{}", "{a", "a}", "{{a}}", "{-a}", "{a,}", "{a:0}", "{a:}", "{a:10000}",
               "{a:1*}", "{a*:1}", "{a..b}", "{.}", "{a.}", "{a b}", "{\xc3\xa9}", "{%4}", "%", "<",
               "\"", "^", "`", "|", "\\", " ", "\x7f", "{++a}"));
    expect(CUPEL__FORMAT_URI_TEMPLATE, "{\0}", 3, 0);
}

static void test_misc(void)
{
    cases(CUPEL__FORMAT_UUID,
          LIST("2EB8AA08-aa98-11ea-b4aa-73b441d16380", "00000000-0000-0000-0000-000000000000"),
          LIST("", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08-aa98-11ea-b4aa-73b441d163801",
               "2eb8aa08aa98-11ea-b4aa-73b441d16380-", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g",
               "{2eb8aa08-aa98-11ea-b4aa-73b441d163}", "2eb8aa08-aa98-11ea-b4aa073b441d16380"));
    static const struct {
        const char *p;
        size_t n;
        int pointer, relative;
    } pointers[] = {
        {"", 0, 1, 0},    {"/", 1, 1, 0},   {"/a~0~1", 6, 1, 0}, {"a", 1, 0, 0},
        {"#", 1, 0, 0},   {"/~", 2, 0, 0},  {"/~2", 3, 0, 0},    {"//\xc3\xa9/", 5, 1, 0},
        {"/\0", 2, 1, 0}, {"0", 1, 0, 1},   {"0#", 2, 0, 1},     {"120/a", 5, 0, 1},
        {"01", 2, 0, 0},  {"1##", 3, 0, 0}, {"1#/a", 4, 0, 0},   {"-1", 2, 0, 0},
        {"1/~", 3, 0, 0}, {"1a", 2, 0, 0},  {"0/\0", 3, 0, 1},   {"\xd9\xa1/a", 4, 0, 0},
    };
    for (size_t i = 0; i < COUNT(pointers); i++) {
        expect(CUPEL__FORMAT_POINTER, pointers[i].p, pointers[i].n, pointers[i].pointer);
        expect(CUPEL__FORMAT_REL_POINTER, pointers[i].p, pointers[i].n, pointers[i].relative);
    }
    cases(CUPEL__FORMAT_REGEX,
          LIST("", "^(a|b)+$", "(?<n>a)\\k<n>", "[]", "\\cA", "(?<=a+)b", "\\p{L}"),
          LIST("(", "\\a", "a**", "(?i)a", "[b-a]", "(?P<n>a)", "{", "\\p{l}", "\\"));
}

/* An answer in time, and none where a bound was met. */
static void test_long(void)
{
    enum { LONG = 1 << 20 };
    char *text = malloc(LONG);
    if (!CHECK(text != NULL))
        return;
    memset(text, '1', LONG);
    for (unsigned i = 0; i < CUPEL__FORMATS; i++) {
        int result = check((enum cupel__format)i, text, LONG);
        bool all = i == CUPEL__FORMAT_URI_REFERENCE || i == CUPEL__FORMAT_IRI_REFERENCE ||
                   i == CUPEL__FORMAT_URI_TEMPLATE || i == CUPEL__FORMAT_REL_POINTER ||
                   i == CUPEL__FORMAT_BASE64 || i == CUPEL__FORMAT_JSON;
        if (i == CUPEL__FORMAT_REGEX)
            CHECK_INT(result, CUPEL_E_LIMIT_FORMAT);
        else if (i == CUPEL__FORMAT_IDN_HOSTNAME && result != 0)
            CHECK_INT(result, CUPEL_E_UNSUPPORTED);
        else
            CHECK_INT(result, all);
    }
    expect(CUPEL__FORMAT_REGEX, text, 1000, 1);
    for (size_t i = 0; i < LONG; i += 2)
        memcpy(text + i, "\xc2\xad", 2); /* soft hyphens, all of which the mapping drops */
    int idn = check(CUPEL__FORMAT_IDN_HOSTNAME, text, LONG);
    CHECK(idn == CUPEL_E_LIMIT_FORMAT || idn == CUPEL_E_UNSUPPORTED);
    free(text);
}

/* The parser's bound on depth is not a verdict. */
static void test_deep_pattern(void)
{
    char text[512];
    for (size_t depth = 250; depth <= 251; depth++) {
        memset(text, '(', depth);
        memset(text + depth, ')', depth);
        expect(CUPEL__FORMAT_REGEX, text, 2 * depth, depth == 250 ? 1 : CUPEL_E_LIMIT_FORMAT);
        expect(CUPEL__FORMAT_REGEX, text, 2 * depth - 1, depth == 250 ? 0 : CUPEL_E_LIMIT_FORMAT);
    }
}

static void test_idn(void)
{
    static const struct {
        const char *name;
        int want;
    } names[] = {
        {"example.com", 1},
        {"\xec\x8b\xa4\xeb\xa1\x80.\xed\x85\x8c\xec\x8a\xa4\xed\x8a\xb8", 1},
        {"a\xe3\x80\x82"
         "b",
         1},                                            /* U+3002 separates labels */
        {"\xef\xbd\x98\xef\xbd\x8e--zca29lwxobi7a", 1}, /* mapped to "xn" first */
        {"", 0},
        {"a..b", 0},
        {"a\xe3\x80\x82", 0},
        {"ab--cd", 0},
        {"xa--b", 0},
        {"xnab", 1},
        {"xn-b", 1},
        {"xa-b", 1},
        {"a\xd7\xb3", 0}, /* geresh after a Latin letter */
        {"\xd7\x90"
         "a",
         0},
        {"\xd7\x90.0", 0}, /* in a name with Hebrew no label begins with a digit */
        {"\xf4\x8f\xbf\xbd", 0},
        {"-a", 0},
        {"\xcc\x80"
         "a",
         0},               /* a combining mark leads */
        {"l\xc2\xb7l", 1}, /* middle dot */
        {"a\xc2\xb7l", 0},
        {"\xce\xb1\xcd\xb5\xce\xb2", 1}, /* keraia before Greek */
        {"\xce\xb1\xcd\xb5s", 0},
        {"\xd7\x90\xd7\xb3\xd7\x91", 1}, /* geresh after Hebrew */
        {"\xd7\xb3\xd7\x91", 0},
        {"\xe3\x83\xbb\xe3\x81\x81", 1}, /* katakana dot with hiragana */
        {"\xe3\x83\xbb"
         "a",
         0},
        {"\xd8\xa8\xd9\xa0\xd8\xa8", 1},                         /* Arabic digits */
        {"\xd8\xa8\xd9\xa0\xdb\xb0", 0},                         /* of both kinds */
        {"\xe0\xa4\x95\xe0\xa5\x8d\xe2\x80\x8d\xe0\xa4\xb7", 1}, /* joiner after a virama */
        {"\xe0\xa4\x95\xe2\x80\x8d\xe0\xa4\xb7", 0},
        {"a.\xd7\x90", 1},
        {"0a.\xd7\x90", 0}, /* the Bidi rule holds for all labels */
        {"0a.b", 1},
        {"a\xd7\x90", 0},
        {"\xd7\x90"
         "0",
         1},
        {"\xd7\x90"
         "0\xd9\xa0",
         0},
        {"\xd7\x90-", 0},
    };
    static const struct {
        const char *name;
        int want;
    } alabels[] = {
        {"xn--9n2bp8q.xn--9t4b11yi5a", 1},
        {"a.xn--zca29lwxobi7a", 1},
        {"XN--ZCA29LWXOBI7A", 1},
        {"xn--X", 0},
        {"xn--7a", 0},
        {"xn--example-0", 0},
        {"xn--al-0ea", 0},
        {"xn--ll-0ea", 1},
        {"0a.xn--4dbc5h", 0},
        {"a.xn--4dbc5h", 1},
        {"xn---9uc", 0},
    };
    bool idna = check(CUPEL__FORMAT_IDN_HOSTNAME, "a", 1) != CUPEL_E_UNSUPPORTED;
    for (size_t i = 0; i < COUNT(names); i++)
        expect(CUPEL__FORMAT_IDN_HOSTNAME, names[i].name, strlen(names[i].name),
               idna ? names[i].want : CUPEL_E_UNSUPPORTED);
    for (size_t i = 0; i < COUNT(alabels); i++)
        expect(CUPEL__FORMAT_HOSTNAME, alabels[i].name, strlen(alabels[i].name),
               idna ? alabels[i].want : CUPEL_E_UNSUPPORTED);
    /* Nearly A-labels, which every build decides. */
    expect(CUPEL__FORMAT_HOSTNAME, "xa--b", 5, 1);
    expect(CUPEL__FORMAT_HOSTNAME, "xnab", 4, 1);
    expect(CUPEL__FORMAT_HOSTNAME, "xn-b", 4, 1);
    expect(CUPEL__FORMAT_IDN_HOSTNAME, "a\0b", 3, idna ? 0 : CUPEL_E_UNSUPPORTED);
    expect(CUPEL__FORMAT_IDN_HOSTNAME, "\xc3", 1, idna ? 0 : CUPEL_E_UNSUPPORTED); /* cut short */
}

/* The ends of the ranges that IRIs have beyond URIs (RFC 3987 section 2.2). */
static void test_ranges(void)
{
    cases(CUPEL__FORMAT_IRI,
          LIST("a:\xef\xb7\x8f", "a:\xef\xb7\xb0", "a:\xef\xbf\xaf", "a:\xf0\x90\x80\x80",
               "a:\xf0\x9f\xbf\xbd", "a:\xf3\xa1\x80\x80", "a:\xf3\xaf\xbf\xbd", "a:?\xee\x80\x80",
               "a:?\xef\xa3\xbf", "a:?\xf3\xb0\x80\x80", "a:?\xf4\x8f\xbf\xbd", "a://b#c",
               "a://[v1.x]", "a:\xc2\xa0"),
          LIST("a:\xef\xb7\x90", "a:\xef\xb7\xaf", "a:\xef\xbf\xb0", "a:\xf0\x9f\xbf\xbe",
               "a:\xf3\xa0\xbf\xbf", "a:\xee\x80\x80", "a:\xf3\xb0\x80\x80", "a:?\xf4\x8f\xbf\xbe",
               "a:?\xf3\xbf\xbf\xbf", "a:?\xef\xa4\x80\xef\xb7\x90", "a://[", "a://[v", "a://[v1",
               "a://[v1x]", "a://[v1.", "a://[v1.]", "a://[1::2", "a:\xc2\x9f"));
    cases(CUPEL__FORMAT_UUID, LIST("00000000-0000-0000-0000-0000000000aF"),
          LIST("00000000x0000-0000-0000-000000000000", "00000000-0000x0000-0000-000000000000",
               "00000000-0000-0000x0000-000000000000", "00000000-0000-0000-0000x000000000000",
               "0000000g-0000-0000-0000-000000000000"));
    cases(CUPEL__FORMAT_EMAIL, LIST("\"a\\\"b\"@c.d"),
          LIST("\"a\\", "\"a", "\"a\x7f\"@b.c", "\"a\\\x7f\"@b.c", "\"a\"", "\"a\"@"));
    cases(CUPEL__FORMAT_URI_TEMPLATE, LIST("{%20}", "{a%2fb}"),
          LIST("{%g0}", "{%0g}", "{%", "{%0"));
}

static void test_content(void)
{
    test_ranges();
    cases(CUPEL__FORMAT_BASE64, LIST("", "YQ==", "YWI=", "YWJj", "+/+/", "ZZ=="),
          LIST("YW{j", "YW[j", "YW`j", "YW@j", "YW:j", "Y", "YQ", "YQ=", "YWJ", "YQ==YQ==", "=",
               "==", "===", "====", "Y===", "YW%j", "YW-_", "YW j", "YWJj ", "\xc3\xa9YQ"));
    static const char *const good[] = {"null",
                                       " true\t",
                                       "false",
                                       "0",
                                       "-0",
                                       "12",
                                       "-1.50e+07",
                                       "1E9",
                                       "0e0",
                                       "[]",
                                       "{}",
                                       "[[],{},[1,2]]",
                                       "{\"a\":{\"b\":[1]},\"\":2}",
                                       "\"\"",
                                       "\"\\u00e9\\n\\\\\"",
                                       "\"\xc3\xa9\xf0\x9f\x90\xb2\"",
                                       "\n{ \"a\" : 1 , \"b\" : [ ] }\r",
                                       "\"\\ud800\"",
                                       "\"\\/\\b\\f\\r\\t\\\"\\uABcd\"",
                                       "1.5",
                                       "[1.5e-0]"};
    static const char *const bad[] = {"",
                                      " ",
                                      "nul",
                                      "nulll",
                                      "tru e",
                                      "01",
                                      "-",
                                      "1.",
                                      ".5",
                                      "1e",
                                      "1e+",
                                      "+1",
                                      "-a",
                                      "1 2",
                                      "[",
                                      "]",
                                      "[1,]",
                                      "[,1]",
                                      "[1 2]",
                                      "{",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "{\"a\" 1}",
                                      "[}",
                                      "{]",
                                      "[1}",
                                      "\"",
                                      "\"a",
                                      "\"\\x\"",
                                      "\"\\u12g4\"",
                                      "\"\\",
                                      "\"\n\"",
                                      "\xef\xbb\xbf{}",
                                      "{\"a\":1 \"b\":2}",
                                      "{}{}",
                                      "[],",
                                      "0x1",
                                      "1.e1",
                                      "\"\xc3\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xc0\x80\"",
                                      "\"\xf4\x90\x80\x80\"",
                                      "\"\xe0\x80\x80\"",
                                      "\"\x80\"",
                                      "\xc3\xa9",
                                      "\"\xc3\"\"",
                                      "NaN",
                                      "1]",
                                      "\"\xf5\x80\x80\x80\"",
                                      "\"\\u00G0\"",
                                      "\"\\u00@0\"",
                                      "\"\\u00`0\"",
                                      "\"\\u00/0\"",
                                      "\"\\u00:0\"",
                                      "1..",
                                      "1e-",
                                      "-.1",
                                      "\"a\"]",
                                      "{}]"};
    for (size_t i = 0; i < COUNT(good); i++)
        expect(CUPEL__FORMAT_JSON, good[i], strlen(good[i]), 1);
    for (size_t i = 0; i < COUNT(bad); i++)
        expect(CUPEL__FORMAT_JSON, bad[i], strlen(bad[i]), 0);
    expect(CUPEL__FORMAT_JSON, "\"\0\"", 3, 0);
    /* The same decoded: {"a":1}, then with two and with one byte of padding, then half of U+00E9.
     */
    expect(CUPEL__FORMAT_BASE64_JSON, "eyJhIjoxfQ==", 12, 1);
    expect(CUPEL__FORMAT_BASE64_JSON, "eyJhIjoxfSA=", 12, 1);
    expect(CUPEL__FORMAT_BASE64_JSON, "eyJhIjoxfSAg", 12, 1);
    expect(CUPEL__FORMAT_BASE64_JSON, "eyJhIjox", 8, 0);
    expect(CUPEL__FORMAT_BASE64_JSON, "IsMi", 4, 0);
    expect(CUPEL__FORMAT_BASE64_JSON, "", 0, 0);
    expect(CUPEL__FORMAT_BASE64_JSON, "eyJhIjoxf", 9, 1); /* no base64: not for this one to say */
}

/* Values nested deeper than there are bits for are not decided. */
static void test_deep_content(void)
{
    enum { DEEPEST = 2048 };
    char text[2 * DEEPEST + 2];
    for (size_t depth = DEEPEST; depth <= DEEPEST + 1; depth++) {
        for (size_t i = 0; i < depth; i++) {
            text[i] = '[';
            text[2 * depth - 1 - i] = ']';
        }
        expect(CUPEL__FORMAT_JSON, text, 2 * depth, depth == DEEPEST ? 1 : CUPEL_E_LIMIT_FORMAT);
    }
}

static void test_find(void)
{
    enum cupel__format format = CUPEL__FORMATS;
    CHECK(!cupel__format_find("hostnam", 7, 2020, &format));
    CHECK(!cupel__format_find("uuid", 4, 7, &format));
    CHECK(!cupel__format_find("date", 4, 6, &format));
    CHECK_INT(format, CUPEL__FORMATS);
    CHECK(cupel__format_find("hostname", 8, 4, &format) && format == CUPEL__FORMAT_HOSTNAME_LDH);
    CHECK(cupel__format_find("hostname", 8, 7, &format) && format == CUPEL__FORMAT_HOSTNAME);
    CHECK(cupel__format_find("uuid", 4, 2019, &format) && format == CUPEL__FORMAT_UUID);
    CHECK_STR(cupel__format_name(CUPEL__FORMAT_DATE_TIME), "date-time");
    CHECK_INT(cupel__format_check(CUPEL__FORMAT_POINTER, NULL, 0, NULL), 1);
    CHECK(!cupel__format_find("base64", 6, 1, &format) &&
          !cupel__format_find("JSON", 4, 2020, &format));
    for (unsigned i = 0; i < CUPEL__FORMAT_BASE64; i++) {
        const char *name = cupel__format_name((enum cupel__format)i);
        unsigned draft = i == CUPEL__FORMAT_HOSTNAME_LDH ? 6
                         : i == CUPEL__FORMAT_TIME_V1    ? 9999
                                                         : 2020;
        CHECK(cupel__format_find(name, strlen(name), draft, &format));
        CHECK_INT(format, i);
    }
}

/* Labels as RFC 5892 and RFC 5893 have them, without what libidn2 thinks of them before. */
static const struct {
    uint32_t label[4];
    size_t n;
    bool ok, rtl, broken;
} labels[] = {
    {{'a', 'b'}, 2, true, false, false},
    {{0x375, 0x3B1}, 2, true, false, true},   /* keraia before Greek */
    {{0x375, 0x4E00}, 2, false, false, true}, /* … before what is behind all Greek */
    {{0x375, 0x10FFFD}, 2, false, false, true},
    {{0x5D0, 0x5F3}, 2, true, true, false}, /* geresh behind Hebrew */
    {{'a', 0x5F3}, 2, false, true, true},   /* … behind Latin */
    {{0x5D0, 0x5D1}, 2, true, true, false},
    {{0x5D0, 'a', 0x5D1}, 3, true, true, true}, /* Latin among Hebrew */
    {{0x5D0, '-'}, 2, true, true, true},        /* the end of a name from right to left */
    {{0x5D0, '1', 0x5D1}, 3, true, true, false},
    {{'a', 0x5D0, 'b'}, 3, true, true, true}, /* Hebrew among Latin */
    {{'a', '-'}, 2, true, false, true},
};

static void test_labels(void)
{
    for (size_t i = 0; i < COUNT(labels); i++) {
        struct cupel__idn_name name = {false, false};
        bool ok = cupel__idn_label_ok(labels[i].label, labels[i].n, &name);
        if (!CHECK_INT(ok, labels[i].ok) || !CHECK_INT(name.rtl, labels[i].rtl) ||
            !CHECK_INT(name.broken, labels[i].broken))
            fprintf(stderr, "    label %zu\n", i);
    }
}

/* Percent signs and brackets that say nothing; bytes that are no UTF-8. */
static void test_uri_corners(void)
{
    static const char *const bad[] = {"http://a/%g0",    "http://a/%0g",  "http://[v1]/",
                                      "http://[v1xyz]/", "http://[v.x]/", "http://a/\xff",
                                      "http://a/?\xc3"};
    for (size_t i = 0; i < COUNT(bad); i++)
        for (int iri = 0; iri < 2; iri++)
            expect(iri ? CUPEL__FORMAT_IRI : CUPEL__FORMAT_URI, bad[i], strlen(bad[i]), 0);
    expect(CUPEL__FORMAT_URI, "http://[v1.x]/", 14, 1);
}

/* Of a host's formats so many are looked at. */
static void test_many_host_formats(void)
{
    static struct cupel_format formats[CUPEL__MAX_HOST_FORMATS + 1];
    static char names[CUPEL__MAX_HOST_FORMATS + 1][16];
    struct cupel_options options;
    cupel_options_init(&options);
    for (size_t i = 0; i < COUNT(formats); i++) {
        snprintf(names[i], sizeof names[i], "format-%zu", i);
        formats[i].name = names[i];
    }
    options.formats = formats;
    options.format_count = COUNT(formats);
    struct cupel__str last = {names[CUPEL__MAX_HOST_FORMATS - 1],
                              strlen(names[CUPEL__MAX_HOST_FORMATS - 1])};
    struct cupel__str beyond = {names[CUPEL__MAX_HOST_FORMATS],
                                strlen(names[CUPEL__MAX_HOST_FORMATS])};
    CHECK(cupel__host_format_find(&options, last) == &formats[CUPEL__MAX_HOST_FORMATS - 1]);
    CHECK(cupel__host_format_find(&options, beyond) == NULL);
    CHECK(cupel__host_format_find(&options, CUPEL__STR("format-")) == NULL);
}

int main(void)
{
    test_datetime();
    test_net();
    test_name_lengths();
    test_email();
    test_references();
    test_template();
    test_misc();
    test_long();
    test_deep_pattern();
    test_idn();
    test_labels();
    test_uri_corners();
    test_many_host_formats();
    test_content();
    test_deep_content();
    test_find();
    return test_end();
}
