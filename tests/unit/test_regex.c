/* test_regex.c: patterns are read as ECMA-262 says, judged, translated, and matched under a budget.
 */
#include "base/regex/pcre2_engine.h"
#include "base/regex/regex.h"
#include "regex_check.h"

#include <cupel/debug.h>

/* What is asked of every pattern in one go. */
struct outcome {
    enum cupel_status parsed, printed;
    bool safe, lenient;
    uint64_t offset;  /* of the error */
    char text[40000]; /* translated */
    size_t len;
};

static struct outcome translate(const char *pattern, size_t len, unsigned flags)
{
    struct outcome o = {.parsed = CUPEL_OK};
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel_text text;
    struct cupel_error err = {.status = CUPEL_OK};
    cupel__arena_init(&arena, NULL, 0);
    cupel_text_init(&text, NULL);
    o.parsed = cupel__regex_parse(&arena, pattern, len, flags, &re, &err);
    if (o.parsed == CUPEL_OK) {
        o.safe = cupel__regex_is_linear(&re);
        o.lenient = re.lenient;
        o.printed = cupel__regex_print_pcre2(&re, &text, &err);
        o.len = text.len < sizeof(o.text) ? text.len : sizeof(o.text) - 1;
        if (o.len > 0)
            memcpy(o.text, text.bytes, o.len);
    }
    o.offset = err.offset;
    cupel_text_free(&text);
    cupel__arena_free(&arena);
    return o;
}

/* Whether the strict grammar takes it. */
static bool is_pattern(const char *z)
{
    return translate(z, strlen(z), CUPEL__REGEX_STRICT).parsed == CUPEL_OK;
}

static bool is_safe(const char *z)
{
    struct outcome o = translate(z, strlen(z), 0);
    return o.parsed == CUPEL_OK && o.safe;
}

static bool is_translated(const char *z)
{
    struct outcome o = translate(z, strlen(z), 0);
    return o.parsed == CUPEL_OK && o.printed == CUPEL_OK;
}

/* -- ECMA-262 against PCRE2, a row for each construct in which they differ
 * -------------------------- */

static const struct {
    const char *pattern, *subject;
    int match;
} verdicts[] = {
    {"^\\d$", "7", 1},
    {"^\\d$", "\xD9\xA7", 0}, /* ARABIC-INDIC DIGIT SEVEN */
    {"^\\D$", "\xD9\xA7", 1},
    {"^\\w$", "_", 1},
    {"^\\w$", "\xC3\xA9", 0},
    {"^\\W$", "\xC3\xA9", 1},
    {"^\\s+$", "\t\n\v\f\r \xC2\xA0\xE1\x9A\x80\xE2\x80\x83\xE2\x80\xA8\xE3\x80\x80\xEF\xBB\xBF",
     1},
    {"\\s", "\xC2\x85", 0},     /* U+0085 */
    {"\\s", "\xE1\xA0\x8E", 0}, /* U+180E */
    {"\\s", "\xE2\x80\x8B", 0}, /* U+200B */
    {"^\\S$", "\xE2\x80\x8B", 1},
    {"^[\\S]$", "\xC2\x85", 1},
    {"[\\S]", "\xEF\xBB\xBF", 0},
    {"^[\\s\\S]$", "\n", 1},
    {"[^\\s\\S]", "a", 0},
    {"^[^\\W]$", "a", 1},
    {"^[\\D]$", "x", 1},
    {"\\bb", "ab", 0},
    {"\\bb",
     "\xC3\xA9"
     "b",
     1},
    {"\\Bb", "ab", 1},
    {"^[\\b]$", "\b", 1},
    {"^.$", "\xF0\x9F\x90\xB2", 1},
    {".", "\n", 0},
    {".", "\r", 0},
    {".", "\xE2\x80\xA8", 0},
    {"^.$", "\xC2\x85", 1},
    {"^b", "a\nb", 0},
    {"a$", "a\n", 0},
    {"^\\t\\n\\v\\f\\r$", "\t\n\v\f\r", 1},
    {"^\\v$", "\n", 0},
    {"^\\cA\\cz$", "\x01\x1A", 1},
    {"^\\x41\\u0042\\u{43}\\u{0000044}$", "ABCD", 1},
    {"^\\uD83D\\uDC32$", "\xF0\x9F\x90\xB2", 1},
    {"^[\\uD83D\\uDC32]$", "\xF0\x9F\x90\xB2", 1},
    {"\\uD83D", "\xF0\x9F\x90\xB2", 0},
    {"\\u{D83D}\\u{DC32}", "\xF0\x9F\x90\xB2", 0},
    {"a\\uDC32?b", "ab", 1},
    {"^[^\\uD83D]$", "x", 1},
    {"^[\\uD000-\\uDFFF]$", "\xED\x80\x80", 1}, /* U+D000 */
    {"[\\uD000-\\uDFFF]", "\xEE\x80\x80", 0},   /* U+E000 */
    {"^[\xF0\x9F\x90\xB1-\xF0\x9F\x90\xB3]$", "\xF0\x9F\x90\xB2", 1},
    {"^(?:(a)|b)\\1$", "b", 1},
    {"^\\1(a)$", "a", 1},
    {"^(a\\1)$", "a", 1},
    {"^(a)\\1{2}$", "aaa", 1},
    {"(z)?\\1{3}a", "a", 1},
    {"^(?:(a)|b)\\1+$", "b", 1},
    {"^(?:(a)|b)*\\1$", "ab", 1}, /* a turn forgets */
    {"^(?:(a)|b)*\\1$", "baa", 1},
    {"^(?:(a)|(b)|\\1\\2c)+$", "abc", 1},
    {"^(a|)*\\1$", "aa", 1},
    {"^(?:(?=(a)))?\\1b", "b", 1}, /* an empty turn is none */
    {"^(?:(?!(a))b)*\\1$", "bb", 1},
    {"(?<=(a+)\\1)b", "aab", 1},
    {"(?<=\\1(a+))b", "aab", 1},
    {"(?<=^(?:\\1b|(a)(c)|\\2d)*)e", "acbde", 1},
    {"(?<=^(?:\\2b\\1(a)(c))*)e", "cbacbace", 0},
    {"(?<=^(?:\\2b\\1(a)(c))*)e", "cbaaccbaace", 1},
    {"(?<=^(?:(?:(x)|(y)|z)\\2\\1)+)e", "yyxxze", 1},
    {"(?<=^\\1(a+))b", "aaab", 0},
    {"^(?=(a+?))\\1b", "aab", 0},
    {"^(?=(a+))\\1b", "aab", 1},
    {"^(a+?)(?:b\\1){2}$", "aabaabaa", 1},
    {"^(.*)-\\1$", "\xC3\xA9x-\xC3\xA9x", 1},
    {"(?<![^x](.))\\1y", "axy", 0},
    {"(?<![^x](.))\\1y", "xxy", 1},
    {"^(?<n>a|b)\\k<n>$", "bb", 1},
    {"^(?<n>a|b)\\k<n>$", "ba", 0},
    {"^\\k<\\u0061>(?<a>x)$", "x", 1},
    {"^(?<\xCF\x80>a)\\k<\xCF\x80>$", "aa", 1},
    {"^(?=ab)a", "ab", 1},
    {"^(?!ab)a", "ab", 0},
    {"(?<=a|bc)d", "bcd", 1},
    {"(?<!a)b", "ab", 0},
    {"^(?:ab)$", "ab", 1},
    {"^[[:alpha:]$", ":", 1},
    {"^[]$", "a", 0},
    {"[]*b", "b", 1},
    {"^[^]$", "\n", 1},
    {"^\\p{Letter}$", "\xC3\xA9", 1},
    {"^\\p{L}$", "1", 0},
    {"^\\P{L}$", "1", 1},
    {"^[^\\p{L}]$", "1", 1},
    {"^\\p{digit}$", "\xD9\xA7", 1},
    {"^\\p{gc=Lu}\\p{General_Category=Uppercase_Letter}$", "AB", 1},
    {"^\\p{Script=Greek}\\p{sc=Grek}\\p{scx=Greek}$", "\xCE\xB1\xCE\xB2\xCE\xB3", 1},
    {"^\\p{sc=Han}$", "\xE3\x80\x85", 1},
    {"^\\p{LC}$", "a", 1},
    {"^\\p{Any}\\p{ASCII}\\p{Assigned}\\p{White_Space}$", "xyz ", 1},
    {"\\p{Cs}|\\P{Any}", "a", 0},
    {"^# a b$", "# a b", 1},
    {"^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", "^$\\.*+?()[]{}|/", 1},
    {"^[\\-a\\]\\[&~]+$", "-a][&~", 1},
    {"^a{2,3}?$", "aaa", 1},
    {"^a{0}$", "", 1},
    {"^(?:a|ab)(?:c|bcd)$", "abcd", 1},
    {"", "", 1},
    {"a||b", "", 1},
    /* The lenient grammar, which works on code points too. */
    {"^[\\w-.]+$", "a-.", 1},
    {"^\\-\\_\\@\\\xF0\x9F\x90\xB2$", "-_@\xF0\x9F\x90\xB2", 1},
    {"^a{$", "a{", 1},
    {"^a{,2}]}$", "a{,2}]}", 1},
    {"^(?=a)*b$", "b", 1},
    {"^\\101\\8\\7$", "A8\x07", 1},
    {"^[\\101\\0]+$", "A", 1},
    {"^\\e.$", "e\xF0\x9F\x90\xB2", 1},
};

static void test_verdicts(void)
{
    for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
        int rc = matches(verdicts[i].pattern, verdicts[i].subject);
        if (!CHECK_INT(rc, verdicts[i].match))
            fprintf(stderr, "    /%s/ row %zu\n", verdicts[i].pattern, i);
    }
}

static void test_nul(void)
{
    struct outcome o = translate("^a\0b$", 5, CUPEL__REGEX_STRICT);
    int64_t steps = BUDGET;
    CHECK(o.printed == CUPEL_OK);
    CHECK_STR(o.text, "^a\\x{0}b\\z");
    CHECK_INT(run("^a\\0b$", "a\0b", 3, 0, &steps), 1);
    CHECK_INT(run("^a\\0b$", "a", 1, 0, &steps), 0);
}

/* What PCRE2 would take and ECMA-262 does not, and plain mistakes. */
static const char *const refused[] = {"\\a",
                                      "\\e",
                                      "\\A",
                                      "\\Z",
                                      "\\z",
                                      "\\G",
                                      "\\K",
                                      "\\Q",
                                      "\\E",
                                      "\\R",
                                      "\\X",
                                      "\\N",
                                      "\\C",
                                      "\\h",
                                      "\\H",
                                      "\\V",
                                      "\\g",
                                      "\\g{1}",
                                      "\\o{7}",
                                      "\\l",
                                      "\\L",
                                      "\\U",
                                      "\\y",
                                      "\\-",
                                      "\\_",
                                      "\\@",
                                      "\\\"",
                                      "\\'",
                                      "\\#",
                                      "\\%",
                                      "\\&",
                                      "\\,",
                                      "\\:",
                                      "\\;",
                                      "\\<",
                                      "\\=",
                                      "\\>",
                                      "\\!",
                                      "\\~",
                                      "\\`",
                                      "\\\xC3\xA9",
                                      "\\ ",
                                      "[\\_]",
                                      "[\\@]",
                                      "[\\Q..\\E]",
                                      "[\\N]",
                                      "[\\R]",
                                      "[\\X]",
                                      "[\\B]",
                                      "[\\1]",
                                      "[\\k]",
                                      "\\00",
                                      "\\01",
                                      "\\8",
                                      "\\9",
                                      "\\1",
                                      "(a)\\2",
                                      "\\c",
                                      "\\c1",
                                      "\\c_",
                                      "[\\c]",
                                      "\\x",
                                      "\\x4",
                                      "\\x{41}",
                                      "\\u",
                                      "\\u12",
                                      "\\u{}",
                                      "\\u{110000}",
                                      "\\u{12",
                                      "\\u{ 1}",
                                      "\\k",
                                      "\\k<a>",
                                      "\\k<a",
                                      "(?<a>b)\\k<c>",
                                      "(?<a>b)(?<a>c)",
                                      "(?<1a>b)",
                                      "(?<>b)",
                                      "(?<a",
                                      "(?<a b>c)",
                                      "(?<a\\x62>c)",
                                      "(?=a)*",
                                      "(?!a)+",
                                      "(?<=a)?",
                                      "(?<!a){2}",
                                      "(?i)a",
                                      "(?ims)",
                                      "(?i:a)",
                                      "(?-i:a)",
                                      "(?s)",
                                      "(?x)",
                                      "(?^)",
                                      "(?P<n>a)",
                                      "(?P=n)",
                                      "(?P>n)",
                                      "(?'n'a)",
                                      "(?#a)",
                                      "(?>a)",
                                      "(?|a)",
                                      "(?(1)a)",
                                      "(?R)",
                                      "(?1)",
                                      "(?&n)",
                                      "(?C)",
                                      "(*ACCEPT)z",
                                      "(*UTF)",
                                      "a++",
                                      "a*+",
                                      "a?+",
                                      "a{1}+",
                                      "a**",
                                      "a+*",
                                      "*",
                                      "+a",
                                      "?",
                                      "^*",
                                      "$+",
                                      "\\b+",
                                      "\\B?",
                                      "(?",
                                      "(",
                                      ")",
                                      "a)",
                                      "(a",
                                      "\\",
                                      "[",
                                      "[a",
                                      "[\\",
                                      "[a\\]",
                                      "{",
                                      "}",
                                      "]",
                                      "a{",
                                      "a{1",
                                      "a{,2}",
                                      "a{ 1 }",
                                      "a{1, 2}",
                                      "a{2,1}",
                                      "{1}",
                                      "a{1}{2}",
                                      "[]a]",
                                      "[^]a]",
                                      "[z-a]",
                                      "[a-\\d]",
                                      "[\\d-a]",
                                      "[\\s-\\w]",
                                      "[[:alpha:]]",
                                      "[[=a=]]",
                                      "\\p",
                                      "\\pL",
                                      "\\p{}",
                                      "\\p{letter}",
                                      "\\p{LETTER}",
                                      "\\p{L&}",
                                      "\\p{^L}",
                                      "\\p{Latin}",
                                      "\\p{Script=latin}",
                                      "\\p{sc=}",
                                      "\\p{Script}",
                                      "\\p{gc=Latin}",
                                      "\\p{IsL}",
                                      "\\p{ L}",
                                      "\\p{Xan}",
                                      "\\p{L",
                                      "[\\p{Foo}]",
                                      "\\p{sc:Latn}",
                                      "a|*",
                                      "(|*)",
                                      "\xFF",
                                      "\xED\xA0\x80",
                                      "[\xC3]"};

static const char *const accepted[] = {"(?<=a+)b",
                                       "(?<!a*)b",
                                       "(?<=a{2,})",
                                       "a{65536,}",
                                       "a{99999999999}",
                                       "(?:ab){70000}",
                                       "[[:alpha:]",
                                       "(?<$>a)",
                                       "(?<_\xC3\xA9>a)",
                                       "(?<\\u{61}>b)\\k<a>",
                                       "\\k<a>(?<a>b)",
                                       "\\2(a)(b)",
                                       "()",
                                       "(?:)",
                                       "|",
                                       "[a-]",
                                       "[-a]",
                                       "[--0]",
                                       "[\\b]",
                                       "[^^]",
                                       "[(|*+?.$]",
                                       "\\0",
                                       "[\\0]",
                                       "\\p{sc=Kawi}",
                                       "\\p{Changes_When_NFKC_Casefolded}",
                                       "\\p{scx=Qaai}",
                                       "\\p{punct}",
                                       "\\p{Script=Old_Turkic}"};

static void test_grammar(void)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (!CHECK(!is_pattern(refused[i])))
            fprintf(stderr, "    /%s/\n", refused[i]);
    }
    for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
        if (!CHECK(is_pattern(accepted[i])))
            fprintf(stderr, "    /%s/\n", accepted[i]);
    }
}

/* -- Leniency and errors ---------------------------------------------------------------------- */

static void test_lenient(void)
{
    static const char *const still_refused[] = {"(?i)a",
                                                "(?P<n>a)",
                                                "(*ACCEPT)",
                                                "a++",
                                                "*",
                                                "(",
                                                ")",
                                                "[z-a]",
                                                "\\p{letter}",
                                                "\\x4",
                                                "\\c",
                                                "\\u{}",
                                                "\\k<a>",
                                                "(?<=a)*",
                                                "^*",
                                                "\\b+",
                                                "{1}",
                                                "\\",
                                                "\xFF",
                                                "a{2,1}",
                                                "]{2,1}",
                                                "(?<\\",
                                                "(?<a\xE2\x82\xAC>x)",
                                                "(?<a\xF4\x8F\xBF\xBF>x)"};
    CHECK(translate("\\-", 2, 0).lenient);
    CHECK(!translate("a-", 2, 0).lenient);
    CHECK_INT(translate("\\-", 2, CUPEL__REGEX_STRICT).parsed, CUPEL_E_PATTERN);
    CHECK_STR(translate("[\\w-.]", 6, 0).text, "[\\x{2d}\\x{2e}0-9A-Z_a-z]");
    CHECK_STR(translate("\\12\\1", 5, 0).text, "\\x{a}\\x{1}");
    CHECK_STR(translate("\\400", 4, 0).text, " 0");
    CHECK_STR(translate("\\\0", 2, 0).text, "\\x{0}");
    CHECK_INT(translate("\\\0", 2, CUPEL__REGEX_STRICT).parsed, CUPEL_E_PATTERN);
    CHECK_STR(translate("\\uD83D\\uE000", 12, 0).text, "(?!)\\x{e000}");
    for (size_t i = 0; i < sizeof(still_refused) / sizeof(still_refused[0]); i++) {
        const char *z = still_refused[i];
        if (!CHECK_INT(translate(z, strlen(z), 0).parsed, CUPEL_E_PATTERN))
            fprintf(stderr, "    /%s/\n", z);
    }
}

/* The place of each error, and what is said of it. */
static void test_error_texts(void)
{
    static const struct {
        const char *pattern;
        size_t offset;
        const char *detail;
    } errors[] = {
        {"ab\\p", 4, "\\p must be followed by {"},
        {"ab\\pL", 4, "\\p must be followed by {"},
        {"ab\\p{", 4, "not a Unicode property of ECMA-262"},
        {"ab\\p{Foo}x", 4, "not a Unicode property of ECMA-262"},
        {"ab\\p{L", 4, "not a Unicode property of ECMA-262"},
        {"a\\c1", 3, "\\c must be followed by a letter"},
        {"ab\\c", 4, "\\c must be followed by a letter"},
        {"a[\\c1]", 4, "\\c must be followed by a letter"},
        {"a\\u{110000}", 4, "the code point is past U+10FFFF"},
        {"a\\x1", 3, "\\x must be followed by two hex digits"},
        {"(?<a", 4, "a group's name has no closing >"},
        {"a(?<a>b)\\k<b>", 8, "no group has this name"},
        {"a{2,1}", 1, "the counts are out of order"},
        {"a**", 2, "there is nothing to repeat"},
        {"[b-a]", 1, "the range is out of order"},
        {"(?<a>b)(?<a>c)", 7, "two groups have the same name"},
        {"a)", 1, "no group is open here"},
        {"(a", 0, "the group has no closing )"},
        {"[a", 0, "the class has no closing ]"},
        {"a\\", 1, "a backslash ends the pattern"},
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct cupel__arena arena;
        struct cupel__regex re;
        struct cupel_error err = {.status = CUPEL_OK};
        const char *z = errors[i].pattern;
        cupel__arena_init(&arena, NULL, 0);
        CHECK_INT(cupel__regex_parse(&arena, z, strlen(z), 0, &re, &err), CUPEL_E_PATTERN);
        CHECK_INT(err.offset, errors[i].offset);
        CHECK_STR(err.detail, errors[i].detail);
        cupel__arena_free(&arena);
    }
}

static void test_errors(void)
{
    CHECK_INT(translate("ab(?i)c", 7, 0).offset, 2);
    CHECK_INT(translate("a(bc", 4, 0).offset, 1);
    CHECK_INT(translate("abc)", 4, 0).offset, 3);
    CHECK_INT(translate("x[b-a]", 6, 0).offset, 2);
    CHECK_INT(translate("\xC3\xA9**", 4, 0).offset, 3);
    CHECK_INT(translate("a\xFF", 2, 0).offset, 1);
    CHECK_INT(translate("a\\p{Foo}", 8, 0).offset, 3);
    CHECK_INT(translate("(?<a>b)\\k<c>", 12, 0).offset, 7);
}

/* -- Translation ------------------------------------------------------------------------------ */

static void check_text(const char *pattern, const char *text)
{
    CHECK_STR(translate(pattern, strlen(pattern), 0).text, text);
}

static void test_printing(void)
{
    check_text(".", "[^\\x{a}\\x{d}\\x{2028}\\x{2029}]");
    check_text("\\s", "[\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}"
                      "\\x{202f}\\x{205f}\\x{3000}\\x{feff}]");
    check_text("\\D", "[^0-9]");
    check_text("[\\D]", "[\\x{0}-\\x{2f}\\x{3a}-\\x{10ffff}]");
    check_text("a$", "a\\z");
    check_text("[]", "(?!)");
    check_text("\\uD800", "(?!)");
    check_text("[^]", "[\\x{0}-\\x{10ffff}]");
    check_text("[\\s\\S]", "[\\x{0}-\\x{10ffff}]");
    check_text("[\\uD000-\\uDFFF]", "[\\x{d000}-\\x{d7ff}]");
    check_text("[c-eb-d\\u{61}x]", "[a-ex]");
    check_text("\\P{Zl}", "[\\x{0}-\\x{2027}\\x{2029}-\\x{10ffff}]");
    check_text("[^\\P{ASCII}a]", "[^a\\x{80}-\\x{10ffff}]");
    check_text("\\p{scx=Ogam}\\p{sc=Ogham}", "[\\x{1680}-\\x{169c}][\\x{1680}-\\x{169c}]");
    check_text("(a)(?<n>b)(?:c)", "(?:a)(?:b)(?:c)");
    check_text("(?:a)*?(b){2,}(?:cd)?", "a*?b{2,}(?:cd)?");
    check_text("(?=a)(?!b)(?<=c)(?<!d)\\b\\B", "(?=a)(?!b)(?<=c)(?<!d)\\b\\B");
    check_text("x{65536}", "x{65535}x{1}");
    check_text("x{70000,}", "x{65535}x{4465,}");
    check_text("x{60000}y{60000}", "x{60000}y{60000}");
    check_text("x{3,70000}?", "x{3,65535}?x{0,4465}?");
    check_text("(?:(?:a|b)|)", "(?:(?:a|b)|)");
}

static void test_untranslatable(void)
{
    CHECK(!is_translated("(?<=a+)b"));
    CHECK(!is_translated("(?<!a?)b"));
    CHECK(!is_translated("(?<=(?:a|bc)d)e"));
    CHECK(is_translated("(?<=a{3}|bc)d"));
    CHECK(is_translated("(?<=(?=a*)b)c"));
    CHECK(!is_translated("(?:ab){65536}"));
    CHECK(!is_translated("(?:ab){1,65536}"));
    CHECK(!is_translated("a{9999999}"));
    CHECK(!is_translated("(a)\\1"));
}

static void test_depth(void)
{
    enum { DEPTH = CUPEL__REGEX_MAX_DEPTH };
    char deep[2 * DEPTH + 2];
    memset(deep, '(', DEPTH);
    memset(deep + DEPTH, ')', DEPTH);
    CHECK_INT(translate(deep, 2 * DEPTH, 0).parsed, CUPEL_OK);
    memset(deep, '(', DEPTH + 1);
    memset(deep + DEPTH + 1, ')', DEPTH + 1);
    struct outcome o = translate(deep, 2 * DEPTH + 2, 0);
    CHECK_INT(o.parsed, CUPEL_E_PATTERN_SIZE);
    CHECK_INT(o.offset, DEPTH);
}

/* Patterns of 64 KiB that a careless parser takes quadratic time or deep recursion for. */
static void test_long(void)
{
    static const char *const pieces[] = {"a",  "a|",     "()",           "[z]",
                                         "a*", "\\p{L}", "(?<a%05zu>b)", "[\\W\\S]"};
    static char long_pattern[65536 + 64];
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        size_t n = 0;
        for (size_t k = 0; n < 65536 - 16; k++) {
            char piece[32];
            int len =
                snprintf(piece, sizeof(piece), strchr(pieces[i], '%') ? "(?<a%05zu>b)" : "%zu", k);
            if (strchr(pieces[i], '%') == NULL)
                len = snprintf(piece, sizeof(piece), "%s", pieces[i]);
            memcpy(long_pattern + n, piece, (size_t)len);
            n += (size_t)len;
        }
        bool wide = strchr(pieces[i], '\\') != NULL; /* many times many ranges */
        CHECK_INT(translate(long_pattern, n, CUPEL__REGEX_STRICT).parsed,
                  wide ? CUPEL_E_PATTERN_SIZE : CUPEL_OK);
    }
    /* One class of ranges in falling order. */
    size_t n = 0;
    long_pattern[n++] = '[';
    for (unsigned cp = 0xFFFF - 2000; n < 65536 - 16 && cp > 0xE000; cp -= 2)
        n += (size_t)snprintf(long_pattern + n, 16, "\\u%04X", cp);
    long_pattern[n++] = ']';
    CHECK_INT(translate(long_pattern, n, 0).parsed, CUPEL_OK);
}

/* -- The analyser ----------------------------------------------------------------------------- */

static void test_safe(void)
{
    static const char *const safe[] = {"",
                                       "a",
                                       "^a$",
                                       "^[a-z]+$",
                                       "^.*foo$",
                                       "^[^,]*,[^,]*$",
                                       "^\\d{4}-\\d{2}-\\d{2}$",
                                       "^https?://\\S+$",
                                       "^(0|[1-9]\\d*)(\\.(0|[1-9]\\d*))*$",
                                       "^[a-z0-9]+(?:-[a-z0-9]+)*$",
                                       "^(a|b)*$",
                                       "foo|bar",
                                       "a+",
                                       "^(?=.*\\d)(?=.*[a-z]).{8,}$",
                                       "^((?!foo).)*$",
                                       "^(get|put|post|patch)$",
                                       "\\.json$",
                                       "x[a-z]*",
                                       "^\\d{1,3}\\d$",
                                       "^(?:a|ab)(?:c|bcd)$",
                                       "^[\\s\\S]*$",
                                       "^\\+?[1-9]\\d{1,14}$"};
    static const char *const unsafe[] = {"(a+)+$",
                                         "^(a+)+$",
                                         "(a|a)*b",
                                         "^(a|a)*b",
                                         "^(a|aa)+$",
                                         "^(a?)*$",
                                         "^(a*)*$",
                                         "\\s+$",
                                         "foo.*bar",
                                         "[a-z]+[0-9]",
                                         "^.*foo.*bar$",
                                         "^[a-z]*[a-z]*[0-9]",
                                         "^(.*,){3}x$",
                                         "^(\\w+\\s?)*$",
                                         "(a)\\1",
                                         "^(a)\\1$",
                                         "(?=[a-z]*)([a-z]*)[a-z]*[0-9]",
                                         "a(?=.*b)",
                                         "^a*(?=.*b)a",
                                         "^(?:(?=.*x)a)*$",
                                         "^(\\p{L}+\\d?)*$",
                                         "(?:a?){30}a{30}",
                                         "^((a)?b?)*$",
                                         "^(([a-z])+.)+[A-Z]([a-z])+$",
                                         "^(?:|a|)*$",
                                         "foo(?:(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)b)*",
                                         "^(?:.*a|.*b)*$",
                                         "x{200}y",
                                         "^.*.*=x",
                                         "^(?:a{0,5}){5}b"};
    for (size_t i = 0; i < sizeof(safe) / sizeof(safe[0]); i++) {
        if (!CHECK(is_safe(safe[i])))
            fprintf(stderr, "    /%s/\n", safe[i]);
    }
    for (size_t i = 0; i < sizeof(unsafe) / sizeof(unsafe[0]); i++) {
        if (!CHECK(!is_safe(unsafe[i])))
            fprintf(stderr, "    /%s/\n", unsafe[i]);
    }
}

/* -- Budgets ---------------------------------------------------------------------------------- */

static char *repeat(const char *piece, size_t len, const char *tail, size_t *ret_len)
{
    size_t n = strlen(piece), m = strlen(tail);
    char *s = malloc(len + m + 1);
    if (s == NULL)
        exit(2);
    for (size_t i = 0; i < len; i++)
        s[i] = piece[i % n];
    memcpy(s + len, tail, m + 1);
    *ret_len = len + m;
    return s;
}

/* A wrong verdict must never come out, however long the subject. */
static void test_evil(void)
{
    static const struct {
        const char *pattern, *piece, *tail;
        int right;
    } cases[] = {{"(a+)+$", "a", "!", 0},
                 {"^(a+)+$", "a", "", 1},
                 {"(a|a)*b", "a", "", 0},
                 {"^(a|a)*c", "a", "b", 0},
                 {"^(a|aa)+$", "a", "b", 0},
                 {"\\s+$", " ", "x", 0},
                 {"\\s+$", " ", "", 1},
                 {"(?=[a-z]*)([a-z]*)[a-z]*[0-9]", "a", "", 0},
                 {"(?=(a+))a*b\\1", "a", "c", 0},
                 {"(?=.*=.*=.*=)x", "=", "", 0},
                 {"(.*)(.*)(.*)(.*)(.*)[^a]", "a", "", 0},
                 {"^(\\w+\\s?)*$", "aaaaaaaa ", "!", 0},
                 {"(a?){60}a{60}b?c", "a", "", 0},
                 {"^(a*)b?\\1c", "a", "", 0},
                 {"[a-z]{300}x|\\1()", "aaaaaaaaaaaaaaaaaaaaaaa1", "x", 1}};
    static const size_t lengths[] = {1, 16, 40, 1000, 65536};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t k = 0; k < 5 * WAYS; k++) {
            size_t len;
            char *s = repeat(cases[i].piece, lengths[k / WAYS], cases[i].tail, &len);
            int64_t steps = BUDGET;
            int rc = run(cases[i].pattern, s, len, ways[k % WAYS], &steps);
            if (!CHECK(rc == cases[i].right || rc == CUPEL_E_LIMIT_REGEX ||
                       rc == CUPEL_E_LIMIT_STEPS || rc == CUPEL_E_LIMIT_MEMORY))
                fprintf(stderr, "    /%s/ on %zu: %d\n", cases[i].pattern, len, rc);
            CHECK(steps <= BUDGET - 1 - (int64_t)(len / 16));
            free(s);
        }
    }
    int64_t steps = 100000;
    CHECK_INT(run("(a+)+\\1$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", 41, 0, &steps),
              CUPEL_E_LIMIT_STEPS);
    steps = BUDGET;
    CHECK_INT(run("(a+)+\\1$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", 41, 0, &steps),
              CUPEL_E_LIMIT_REGEX);
}

/* The stack of JIT runs out somewhere beyond 1,000 characters; the verdict must not change there.
 */
static void test_alternatives_in_loop(void)
{
    for (size_t len = 1; len <= 1 << 20; len = len < 1000 || len > 1100 ? len * 2 : len + 1) {
        size_t n;
        char *yes = repeat("ab", len, "", &n);
        int64_t steps = BUDGET;
        int rc = run("^(a|b)*$", yes, n, CUPEL__MATCHER_NO_LINEAR, &steps);
        CHECK(rc == 1 || (rc == CUPEL_E_LIMIT_REGEX && len > 65536));
        yes[n - 1] = 'c';
        steps = BUDGET;
        rc = run("^(a|b)*$", yes, n, CUPEL__MATCHER_NO_LINEAR, &steps); /* what `not` sees */
        CHECK(rc == 0 || (rc == CUPEL_E_LIMIT_REGEX && len > 65536));
        free(yes);
        if (len == 512)
            len = 500; /* 1,000 next, then every length to 1,101 */
    }
}

static void test_charges(void)
{
    static char subject[1600];
    int64_t steps = 1000;
    memset(subject, 'a', sizeof(subject));
    CHECK_INT(run("^a*$", subject, 1600, 0, &steps), 1);
    CHECK_INT(steps, 1000 - 401);
    steps = 100;
    CHECK_INT(run("^a*$", subject, 1600, 0, &steps), CUPEL_E_LIMIT_STEPS);
    CHECK(steps < 0);
    steps = 1000;
    CHECK_INT(run("a*a*b?$", subject, 20, CUPEL__MATCHER_ONLY_BACKTRACK, &steps), 1);
    CHECK(steps < 1000 - 5);
}

/* A look-behind of more parts than PCRE2 wants to measure is too large. */
static void test_pcre2_complicated(void)
{
    static char text[40000];
    for (size_t n = 1000; n < 3000; n += 100) {
        struct cupel__pcre2 *m = NULL;
        size_t len = (size_t)snprintf(text, sizeof text, "(?<=");
        for (size_t i = 0; i < n; i++)
            len += (size_t)snprintf(text + len, sizeof text - len, "(?:a)");
        len += (size_t)snprintf(text + len, sizeof text - len, ")");
        enum cupel_status status = cupel__pcre2_new(NULL, text, len, 0, &m, NULL);
        CHECK_INT(status, n <= 2000 ? CUPEL_OK : CUPEL_E_PATTERN_SIZE);
        cupel__pcre2_free(m);
    }
}

/* The limit does not overflow; of the subject only the beginning is looked at. */
static void test_pcre2_long(void)
{
    const size_t n = 270u << 20;
    struct cupel__pcre2 *m;
    struct cupel__pcre2_scratch *scratch;
    char *subject = calloc(n, 1);
    if (subject == NULL)
        return;
    CHECK_INT(cupel__pcre2_new(NULL, "^b", 2, 0, &m, NULL), CUPEL_OK);
    CHECK_INT(cupel__pcre2_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel__pcre2_run(m, scratch, subject, n), 0);
    cupel__pcre2_scratch_free(scratch);
    cupel__pcre2_free(m);
    free(subject);
}

static void test_compile_errors(void)
{
    struct cupel_error err;
    struct cupel__pcre2 *m;
    CHECK_INT(cupel__pcre2_new(NULL, "(a", 2, 0, &m, &err), CUPEL_E_PATTERN);
    CHECK(strstr(err.detail, "missing closing") != NULL);
    struct outcome o = translate("((((a{0,9}){0,9}){0,9}){0,9}){0,9}", 34, 0);
    CHECK_INT(cupel__pcre2_new(NULL, o.text, o.len, 0, &m, &err), CUPEL_E_PATTERN_SIZE);
    CHECK(strstr(err.detail, "too large") != NULL);
    static char deep[600];
    memset(deep, '(', 300);
    memset(deep + 300, ')', 300);
    CHECK_INT(cupel__pcre2_new(NULL, deep, 600, 0, &m, &err), CUPEL_E_PATTERN_SIZE);
    CHECK_INT(cupel__pcre2_new(NULL, "(a", 2, 0, &m, NULL), CUPEL_E_PATTERN);
    test_pcre2_complicated();
    test_pcre2_long();
}

/* -- Memory ----------------------------------------------------------------------------------- */

/* Compiles and matches with an allocator that may fail; a verdict or a status. */
static int whole_way(const struct cupel_alloc *alloc, const char *pattern, const char *subject,
                     size_t len, unsigned flags)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel__matcher *m = NULL;
    struct cupel__matcher_scratch *scratch = NULL;
    int64_t steps = BUDGET, work = CUPEL__MATCHER_WORK;
    cupel__arena_init(&arena, alloc, 0);
    int rc = cupel__regex_parse(&arena, pattern, strlen(pattern), 0, &re, NULL);
    if (rc == CUPEL_OK)
        rc = cupel__matcher_new(alloc, &re, flags, &work, &m, NULL);
    if (rc == CUPEL_OK)
        rc = cupel__matcher_scratch_new(alloc, 4 << 20, &scratch);
    if (rc == CUPEL_OK)
        rc = cupel__matcher_run(m, scratch, subject, len, &steps);
    /* After a failed allocation the same scratch works. */
    if (rc == CUPEL_E_NO_MEMORY && scratch != NULL)
        CHECK_INT(cupel__matcher_run(m, scratch, subject, len, &steps), 1);
    cupel__matcher_scratch_free(scratch);
    cupel__matcher_free(m);
    cupel__arena_free(&arena);
    return rc;
}

static void test_out_of_memory(void)
{
    static const char *const patterns[] = {
        "^(?<n>[\\w-.]|\\p{Zs}|b)(?:a|b)*\\k<n>?\\S{0,3}((((((((c?))))))))$",
        "^(?:[\\w-.]|\\p{Zs}|b)(?:a|b)*$"};
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        size_t len;
        char *subject = repeat("ab", 3000, "", &len);
        unsigned long failures = 0;
        struct test_alloc counter = {.fail_at = 0};
        do {
            counter = (struct test_alloc){.fail_at = counter.fail_at + 1};
            struct cupel_alloc alloc = test_allocator(&counter);
            int rc = whole_way(&alloc, patterns[i % 2], subject, len, ways[i / 2]);
            CHECK_INT(counter.live, 0);
            CHECK(rc == 1 || rc == CUPEL_E_NO_MEMORY);
            failures += rc == CUPEL_E_NO_MEMORY;
        } while (counter.requests >= counter.fail_at);
        CHECK(failures > 5);
        free(subject);
    }
}

static struct cupel__matcher *compile(const struct cupel_alloc *alloc, const char *pattern,
                                      unsigned flags)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel__matcher *m = NULL;
    int64_t work = CUPEL__MATCHER_WORK;
    cupel__arena_init(&arena, NULL, 0);
    if (cupel__regex_parse(&arena, pattern, strlen(pattern), 0, &re, NULL) == CUPEL_OK)
        (void)cupel__matcher_new(alloc, &re, flags, &work, &m, NULL);
    cupel__arena_free(&arena);
    return m;
}

/* Matching what was matched before allocates nothing, whatever the engine. */
static void test_warm(void)
{
    static const char *const patterns[] = {"^(?:a|b)*$", "(a|b)\\1c?$", "(?=a(?=b))(?:ab)+$"};
    enum { N = 3 * WAYS };
    struct test_alloc counter = {.requests = 0};
    struct cupel_alloc alloc = test_allocator(&counter);
    struct cupel__matcher *m[N];
    struct cupel__matcher_scratch *scratch;
    unsigned long cold = 0;
    size_t len;
    char *subject = repeat("ab", 20000, "", &len);
    for (unsigned i = 0; i < N; i++)
        CHECK((m[i] = compile(&alloc, patterns[i / WAYS], ways[i % WAYS])) != NULL);
    CHECK_INT(cupel__matcher_scratch_new(&alloc, 4 << 20, &scratch), CUPEL_OK);
    for (int turn = 0; turn < 3; turn++) {
        for (unsigned i = 0; i < N; i++) {
            int64_t steps = BUDGET;
            int rc = cupel__matcher_run(m[i], scratch, subject, len, &steps);
            CHECK(rc == (i / WAYS != 1) || rc == CUPEL_E_LIMIT_REGEX);
        }
        if (turn == 0)
            cold = counter.requests;
    }
    CHECK_INT(counter.requests, cold);
    for (unsigned i = 0; i < N; i++)
        cupel__matcher_free(m[i]);
    cupel__matcher_scratch_free(scratch);
    CHECK_INT(counter.live, 0);
    free(subject);
}

/* -- The choice ------------------------------------------------------------------------------- */

static int tier_of(const char *pattern)
{
    struct cupel__matcher *m = compile(NULL, pattern, 0);
    int tier = m == NULL ? -1 : (int)cupel__matcher_engine(m);
    cupel__matcher_free(m);
    return tier;
}

static void test_tiers(void)
{
    CHECK_INT(tier_of("^[a-z]+$"), CUPEL_ENGINE_SIMPLE);
    CHECK_INT(tier_of("^(?:ab)+$"), CUPEL_ENGINE_TABLE);
    CHECK_INT(tier_of("(?:a|b)*a(?:a|b){12}c"), CUPEL_ENGINE_STATES);
    CHECK_INT(tier_of("^(?:[a-z]{1,3}[0-9]){400}$"), CUPEL_ENGINE_PCRE2);
    CHECK_INT(tier_of("(a)\\1"), CUPEL_ENGINE_BACKTRACK);
    CHECK_INT(tier_of("(?:(?:a{99}b?){99}c?){99}"), CUPEL_ENGINE_BACKTRACK);
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel__matcher *m;
    struct cupel_error err;
    int64_t work = CUPEL__MATCHER_WORK;
    cupel__arena_init(&arena, NULL, 0);
    CHECK_INT(cupel__regex_parse(&arena, "(a)\\1", 5, 0, &re, NULL), CUPEL_OK);
    CHECK_INT(cupel__matcher_new(NULL, &re, CUPEL__MATCHER_NO_BACKREF, &work, &m, &err),
              CUPEL_E_BACK_REFERENCE);
    cupel__arena_free(&arena);
}

int main(void)
{
    test_verdicts();
    test_nul();
    test_grammar();
    test_lenient();
    test_errors();
    test_error_texts();
    test_printing();
    test_untranslatable();
    test_depth();
    test_long();
    test_safe();
    test_evil();
    test_alternatives_in_loop();
    test_charges();
    test_compile_errors();
    test_out_of_memory();
    test_warm();
    test_tiers();
    return test_end();
}
