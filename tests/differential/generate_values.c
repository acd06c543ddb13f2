/* generate_values.c: chance, and the strings, numbers and patterns that schemas and instances are
 * made of.  Both draw from the same lists, or they would never meet. */
#include "generate.h"

#include <string.h>

/* splitmix64: every seed gives a good sequence. */
uint64_t chance_next(struct chance *c)
{
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t chance_below(struct chance *c, uint32_t n)
{
    return (uint32_t)((chance_next(c) >> 32) * n >> 32);
}

bool chance_percent(struct chance *c, uint32_t n)
{
    return chance_below(c, 100) < n;
}

#define W(text)                 \
    {                           \
        text, sizeof(text) - 1, \
    }

const struct words words[WORDS] = {
    W("a"),
    W("b"),
    W("c"),
    W("d"),
    W("foo"),
    W("bar"),
    W("kind"),
    W(""),
    W("x-1"),
    W("x-two"),
    W("12"),
    W("seventh"),
    W("eighteen"),
    W("nineteen9"),
    W("sixteen-letters!"),
    W("seventeen-letters"),
    W("eeighteen"),
    W("abcdefgh1ijklmnop"),
    W("abcdefgh2ijklmnop"),
    W("abcdefgh1234567890123456ijklmnopq"),
    W("abcdefgh1234567x90123456ijklmnopq"),
    W("abcdefghijklmnop"),
    W("abcdefghijklmnoq"),
    W("a/b"),
    W("c~d"),
    W("p%q"),
    W("say \"hi\""),
    W("back\\slash"),
    W("nul\0here"),
    W("nul\0hare"),
    W("\xc3\xa9"),
    W("e\xcc\x81"),
    W("\xf0\x9f\x92\xa9"),
    W("$ref"),
    W("__proto__"),
    W("foo\n"),
};

const char *const numbers[NUMBERS] = {
    "0",
    "1",
    "2",
    "3",
    "1.0",
    "5",
    "10",
    "7",
    "100",
    "1e1",
    "-1",
    "-0",
    "1e2",
    "-2.0",
    "1.5",
    "0.1",
    "0.01",
    "-0.0",
    "2.50",
    "19.99",
    "0.3",
    "10e-1",
    "3.14159",
    "20E-1",
    "0.5e1",
    "9007199254740992",
    "9007199254740993",
    "2147483647",
    "4294967296",
    "9007199254740992.0",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "123456789012345678901234567890",
    "123456789012345678901234567891",
    "1.8446744073709551616e19",
    "0.1234567890123456789012345678901",
    "1e30",
    "1e-7",
    "1E+3",
    "1e400",
    "-1e400",
    "1e-400",
    "1000000000000000000000000000000",
    "12391239123",
};

const char *const divisors[DIVISORS] = {"1",   "2",     "0.1",  "0.01",
                                        "1.0", "3",     "1e-8", "0.5",
                                        "2.5", "1e2",   "7",    "12345678901234567890",
                                        "1E1", "0.0001"};

const struct sample patterns[PATTERNS] = {
    {"^a", "a"},         {"b$", "b"},
    {"^[a-z]+$", "foo"}, {"^x-", "x-1"},
    {"^\\\\d+$", "12"},  {"^(foo|bar)$", "bar"},
    {"", "c"},           {"[0-9]", "nineteen9"},
    {"^.{3}$", "foo"},   {"\\u00e9", "\xc3\xa9"},
    {"^(ab|c)*$", "c"},  {"^\\\\w*$", "kind"},
    {"^(?!x)", "d"},     {"o{2}", "foo"},
    {"^[^a-c]", "d"},    {"ijklmnop", "abcdefghijklmnop"},
};

const struct format_sample formats[FORMATS] = {
    {"\"format\":\"ipv4\"",
     4,
     9999,
     {"1.2.3.4", "\\u0031.0.0.255", "10.20.30.40", "1.2.3", "01.2.3.4", "1.2.3.256"}},
    {"\"format\":\"json-pointer\"", 6, 9999, {"", "/a~1b", "/~0\\u0000", "a", "/~", "/~2"}},
    {"\"format\":\"date\"",
     7,
     9999,
     {"2024-02-29", "1900-01-31", "2000-12-01", "2023-02-29", "2024-04-31", "2024-1-01"}},
    {"\"format\":\"uuid\"",
     2019,
     9999,
     {"2eb8aa08-aa98-11ea-b4aa-73b441d16380", "00000000-0000-0000-0000-00000000000F",
      "ABCDEFab-0000-0000-0000-000000000000", "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
      "2eb8aa08-aa98-11ea-b4aa073b441d16380", "g0000000-0000-0000-0000-000000000000"}},
    {"\"contentMediaType\":\"application/json\"",
     7,
     7,
     {"{}", " [1,{\\\"a\\\":null}]", "-1.5e3", "[1,]", "01", "{\\\"a\\\"}"}},
    {"\"contentMediaType\":\"application/json\",\"contentEncoding\":\"base64\"",
     7,
     7,
     {"e30=", "eyJhIjoxfQ==", "WzEsMl0g", "e3s=", "e30", "e3 0="}},
};

const struct definition_name definition_names[DEFINITIONS] = {
    {"a", "a"},      {"b", "b"},       {"c/d", "c~1d"},
    {"e~f", "e~0f"}, {"p%q", "p%25q"}, {"\xc3\xa9", "%C3%A9"},
    {"g h", "g%20h"}};

/* -- Strings ---------------------------------------------------------------------------------- */

void write_words(struct chance *c, struct cupel_text *text, const char *bytes, size_t len)
{
    if (!chance_percent(c, 12)) {
        cupel_text_add_json(text, bytes, len);
        return;
    }
    cupel_text_adds(text, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool escaped = byte < 0x20 || byte == '"' || byte == '\\';
        if (escaped || (byte < 0x80 && chance_percent(c, 30)))
            cupel_text_addf(text, chance_percent(c, 50) ? "\\u%04x" : "\\u%04X", byte);
        else
            cupel_text_add(text, bytes + i, 1);
    }
    cupel_text_adds(text, "\"");
}

static void write_string(struct chance *c, struct cupel_text *text)
{
    const struct words *w = &words[chance_below(c, chance_percent(c, 60) ? 12 : WORDS)];
    write_words(c, text, w->bytes, w->len);
}

/* -- Values ----------------------------------------------------------------------------------- */

static void write_number(struct chance *c, struct cupel_text *text)
{
    if (chance_percent(c, 1))
        cupel_text_adds(text, "1e9999999999999999");
    else
        cupel_text_adds(text, numbers[chance_below(c, chance_percent(c, 60) ? 16 : NUMBERS)]);
}

static void write_array(struct chance *c, struct cupel_text *text, int depth)
{
    uint32_t count = chance_below(c, 4);
    cupel_text_adds(text, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0)
            cupel_text_adds(text, ",");
        write_value(c, text, depth - 1);
    }
    cupel_text_adds(text, "]");
}

/* The names are a run of the list, so that none comes twice. */
static void write_object(struct chance *c, struct cupel_text *text, int depth)
{
    uint32_t count = chance_below(c, 4), first = chance_below(c, WORDS - 4);
    if (chance_percent(c, 60))
        first = chance_below(c, 6);
    cupel_text_adds(text, "{");
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0)
            cupel_text_adds(text, ",");
        write_words(c, text, words[first + i].bytes, words[first + i].len);
        cupel_text_adds(text, ":");
        write_value(c, text, depth - 1);
    }
    cupel_text_adds(text, "}");
}

void write_value(struct chance *c, struct cupel_text *text, int depth)
{
    static const char *const literals[] = {"null", "true", "false"};
    switch (chance_below(c, depth > 0 ? 8 : 6)) {
    case 0:
    case 1:
        cupel_text_adds(text, literals[chance_below(c, 3)]);
        break;
    case 2:
    case 3:
        write_string(c, text);
        break;
    case 4:
    case 5:
        write_number(c, text);
        break;
    case 6:
        write_array(c, text, depth);
        break;
    default:
        write_object(c, text, depth);
        break;
    }
}
