/* test_pin.c: canonical JSON, and what locks say of definitions that changed. */
#include "float_modes.h"
#include "test.h"
#include <cupel/cupel.h>

#define LEN(s) (sizeof(s) - 1)

/* -- Canonical JSON --------------------------------------------------------------------------- */

static const char *const canonical_cases[][2] = {
    {" [ ] ", "[]"},
    {"{ }", "{}"},
    {"[null, true , false]", "[null,true,false]"},
    {"{\"b\":1,\"a\":{\"d\":[{}],\"c\":\"\"}}", "{\"a\":{\"c\":\"\",\"d\":[{}]},\"b\":1}"},
    {"\"\\u0000\\u001F\\b\\t\\n\\f\\r\\u000b\\\"\\\\\\/\\u20ac\x7f\"",
     "\"\\u0000\\u001f\\b\\t\\n\\f\\r\\u000b\\\"\\\\/\xe2\x82\xac\x7f\""},
    {"{\"\\uffff\":1,\"\\ud83d\\ude00\":2,\"\\ud7ff\":3}",
     "{\"\xed\x9f\xbf\":3,\"\xf0\x9f\x98\x80\":2,\"\xef\xbf\xbf\":1}"},
    {"[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]",
     "[333333333.33333329,1e+30,4.5,0.002,1e-27]"},
    {"[-0, -0.0, 0e99, 100, 1e2, 1e21, 123e-7]", "[0,0,0,100,100,1e+21,0.0000123]"},
    {"[9007199254740993, 1152921504606846977]", "[9007199254740993,1152921504606846977]"},
    {"[4.9e-324, 1.7976931348623157e308, 1e999]", "[4.9e-324,1.7976931348623157e+308,1e+999]"},
    {"[0.1000000000000000055511151231257827]", "[0.1000000000000000055511151231257827]"},
    {"[1.00000000000000000001, 1e400, 1e0000000001, 0e9999999999999999]",
     "[1.00000000000000000001,1e+400,10,0]"},
    {"{\"ab\":1,\"a\":2,\"\":3,\"aa\":4}", "{\"\":3,\"a\":2,\"aa\":4,\"ab\":1}"},
    {"[-0.30000000000000004, 1234567890.12345678e-400, 1.00000000000000001e000000001]",
     "[-0.30000000000000004,1.23456789012345678e-391,10.0000000000000001]"},
};

static void check_canonical(const char *const c[2])
{
    struct cupel_document *doc = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, c[0], strlen(c[0]), NULL), CUPEL_OK);
    CHECK_INT(cupel_json_canonical_write(doc, 0, NULL, &text), CUPEL_OK);
    CHECK_MEM(text.bytes, text.len, c[1]);
    cupel_document_free(doc);
    cupel_text_free(&text);
}

/* In each floating-point mode of the host. */
static void test_canonical(void)
{
    for (int mode = 0; mode < FLOAT_MODES; mode++) {
        struct float_environment saved = float_mode_set(mode);
        for (size_t i = 0; i < sizeof(canonical_cases) / sizeof(canonical_cases[0]); i++)
            check_canonical(canonical_cases[i]);
        float_mode_restore(&saved);
    }
}

/* RFC 8785: the numbers of appendix B and the example of section 3.2.2.  What that document prints
 * is canonical here too; only an input that binary64 does not hold keeps more digits. */
static void test_rfc_8785(void)
{
    static const char *const canonical[] = {
        "0",
        "5e-324",
        "-5e-324",
        "1.7976931348623157e+308",
        "-1.7976931348623157e+308",
        "9007199254740992",
        "-9007199254740992",
        "295147905179352830000",
        "9.999999999999997e+22",
        "1e+23",
        "1.0000000000000001e+23",
        "999999999999999700000",
        "999999999999999900000",
        "1e+21",
        "9.999999999999997e-7",
        "0.000001",
        "333333333.3333332",
        "333333333.33333325",
        "333333333.3333333",
        "333333333.3333334",
        "333333333.33333343",
        "-0.0000033333333333333333",
        "1424953923781206.2",
    };
    static const char *const different[][3] = {
        /* read          RFC 8785             here */
        {"333333333.33333329", "333333333.3333333", "333333333.33333329"},
        {"1.00000000000000000001", "1", "1.00000000000000000001"},
        {"9007199254740993", "9007199254740992", "9007199254740993"},
        {"4.9e-324", "5e-324", "4.9e-324"},
        {"1e-400", "0", "1e-400"},
    };
    for (size_t i = 0; i < sizeof(canonical) / sizeof(canonical[0]); i++)
        check_canonical((const char *const[2]){canonical[i], canonical[i]});
    for (size_t i = 0; i < sizeof(different) / sizeof(different[0]); i++) {
        check_canonical((const char *const[2]){different[i][0], different[i][2]});
        check_canonical((const char *const[2]){different[i][1], different[i][1]});
        CHECK_INT(strtod(different[i][0], NULL) == strtod(different[i][1], NULL), 1);
    }
}

/* A number that is longer than what is taken apart stays as exact as it is. */
static void test_long_number(void)
{
    enum { DIGITS = 1200 };
    struct cupel_options options;
    struct cupel_document *doc = NULL;
    struct cupel_text text;
    char number[DIGITS + 3] = "0.";
    memset(number + 2, '3', DIGITS);
    cupel_text_init(&text, NULL);
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_NUMBER_CHARS] = 2 * DIGITS;
    CHECK_INT(cupel_document_new(&options, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, number, DIGITS + 2, NULL), CUPEL_OK);
    CHECK_INT(cupel_json_canonical_write(doc, 0, NULL, &text), CUPEL_OK);
    CHECK_MEM(text.bytes, text.len, number);
    cupel_document_free(doc);
    cupel_text_free(&text);
}

/* With each allocation that fails: the same text, or NO_MEMORY. */
static void test_canonical_memory(void)
{
    for (size_t i = 0; i < sizeof(canonical_cases) / sizeof(canonical_cases[0]); i++) {
        const char *const *c = canonical_cases[i];
        struct cupel_document *doc = NULL;
        CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
        CHECK_INT(cupel_document_read(doc, c[0], strlen(c[0]), NULL), CUPEL_OK);
        for (unsigned long n = 1, more = 1; more; n++) {
            struct test_alloc failing = {.fail_at = n};
            struct cupel_alloc alloc = test_allocator(&failing);
            struct cupel_text text;
            cupel_text_init(&text, &alloc);
            enum cupel_status status = cupel_json_canonical_write(doc, 0, &alloc, &text);
            more = failing.requests >= n;
            CHECK(status == CUPEL_OK ? text.len == strlen(c[1])
                                     : more && status == CUPEL_E_NO_MEMORY);
            cupel_text_free(&text);
            CHECK_INT(failing.live, 0);
        }
        cupel_document_free(doc);
    }
}

/* -- Locks ------------------------------------------------------------------------------------ */

static enum cupel_status lock_of(const char *list, const struct cupel_alloc *alloc,
                                 struct cupel_lock **ret)
{
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_catalog *catalog = NULL;
    cupel_catalog_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    if (alloc != NULL)
        engine.alloc = *alloc;
    enum cupel_status status = cupel_catalog_new(&options, &catalog);
    if (status == CUPEL_OK)
        status = cupel_catalog_add(catalog, list, strlen(list), NULL);
    if (status == CUPEL_OK)
        status = cupel_lock_new(catalog, ret, NULL);
    cupel_catalog_free(catalog);
    return status;
}

static int note_change(void *ctx, const struct cupel_change *change)
{
    struct cupel_text *text = ctx;
    cupel_text_addf(text, "%s %.*s", cupel_change_kind_name(change->kind), (int)change->name_len,
                    change->name);
    for (int part = 0; part < CUPEL_PIN_PARTS; part++)
        if (change->parts & 1u << part)
            cupel_text_addf(text, " %s", cupel_pin_part_name((enum cupel_pin_part)part));
    cupel_text_adds(text, change->order_only ? " order;" : ";");
    return 0;
}

#define TOOL(name, rest) "{\"name\":\"" name "\",\"inputSchema\":{\"type\":\"object\"" rest "}}"
#define INPUT(rest)      TOOL("t", rest)
#define FIELD(rest)      "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}" rest "}"

#define ENUM(values, rest) INPUT(",\"properties\":{\"p\":{\"enum\":[" values "]" rest "}}")

static const char *const diff_cases[][3] = {
    {INPUT(""), "{ \"inputSchema\": {\"\\u0074ype\": \"object\"}, \"name\": \"t\" }", ""},
    {INPUT(",\"maximum\":10"), INPUT(",\"maximum\":1.0e1"), ""},
    {INPUT(""), "", "removed t;"},
    {"", INPUT(""), "added t;"},
    {INPUT(""), TOOL("u", ""), "removed t;added u;"},
    {INPUT(""), FIELD(",\"description\":\"x\""), "changed t text;"},
    {INPUT(""), FIELD(",\"title\":\"x\""), "changed t text;"},
    {INPUT(""), FIELD(",\"annotations\":{}"), "changed t annotations;"},
    {INPUT(""), FIELD(",\"outputSchema\":{}"), "changed t text outputSchema;"},
    {INPUT(""), FIELD(",\"icons\":[]"), "changed t other;"},
    {INPUT(",\"maxProperties\":1"), INPUT(",\"maxProperties\":2"), "changed t inputSchema;"},
    {INPUT(",\"properties\":{\"a\":{}}"), INPUT(",\"properties\":{\"a\":{\"description\":\"!\"}}"),
     "changed t text inputSchema;"},
    {INPUT(",\"properties\":{\"a\":{\"default\":{\"title\":1}}}"),
     INPUT(",\"properties\":{\"a\":{\"default\":{\"title\":2}}}"), "changed t inputSchema;"},
    {INPUT(",\"required\":[\"a\",\"b\"]"), INPUT(",\"required\":[\"b\",\"a\"]"),
     "changed t inputSchema order;"},
    {INPUT(",\"enum\":[1,{\"x\":[2,1]},\"ab\",\"a\"]"),
     INPUT(",\"enum\":[\"a\",{\"x\":[2,1]},\"ab\",1]"), "changed t inputSchema order;"},
    {INPUT(",\"enum\":[12,1,1,123]"), INPUT(",\"enum\":[1,123,12,1]"),
     "changed t inputSchema order;"},
    {INPUT(",\"enum\":[12,1,1]"), INPUT(",\"enum\":[12,1,12]"), "changed t inputSchema;"},
    {INPUT(",\"dependencies\":{\"a\":{\"required\":[\"b\",\"c\"]}}"),
     INPUT(",\"dependencies\":{\"a\":{\"required\":[\"c\",\"b\"]}}"),
     "changed t inputSchema order;"},
    {INPUT(",\"enum\":[[1,2]]"), INPUT(",\"enum\":[[2,1]]"), "changed t inputSchema;"},
    {INPUT(",\"default\":{\"required\":[1,2]}"), INPUT(",\"default\":{\"required\":[2,1]}"),
     "changed t inputSchema;"},
    {INPUT(",\"properties\":{\"required\":{\"type\":[\"null\",\"string\"]}}"),
     INPUT(",\"properties\":{\"required\":{\"type\":[\"string\",\"null\"]}}"),
     "changed t inputSchema order;"},
    {INPUT(
         ",\"dependentRequired\":{\"a\":[\"b\",\"c\"]},\"allOf\":[{\"items\":[{\"enum\":[1,2]}]}]"),
     INPUT(
         ",\"dependentRequired\":{\"a\":[\"c\",\"b\"]},\"allOf\":[{\"items\":[{\"enum\":[2,1]}]}]"),
     "changed t inputSchema order;"},
    {INPUT(",\"prefixItems\":[{},true]"), INPUT(",\"prefixItems\":[true,{}]"),
     "changed t text inputSchema;"},
    {TOOL("t", "") "," TOOL("t", ",\"not\":{}"), TOOL("t", "") "," TOOL("t", ",\"not\":true"),
     "changed t text inputSchema;"},
    {TOOL("t", "") "," TOOL("u", "") "," TOOL("t", ""), TOOL("u", "") "," TOOL("t", ""),
     "removed t;"},
    {TOOL("t", ""), TOOL("t", "") "," TOOL("t", ""), "added t;"},
    {"{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}", ""},
    {"{\"a\":1,\"a\":2}", "{ \"a\" :1,\n\"a\":2 }", ""},
    {"{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":3}", "changed  other;"},
    {"{\"a\":1,\"a\":2}", "{\"a\":7,\"a\":2}", "changed  other;"},
    {FIELD(""), FIELD(",\"title\":\"x\",\"title\":\"y\""), "changed t text other;"},
    {FIELD(",\"title\":\"x\""), FIELD(",\"title\":\"decoy\",\"title\":\"x\""), "changed t other;"},
    {INPUT(",\"not\":{\"a\":1,\"a\":2}"), INPUT(",\"not\":{\"a\":2,\"a\":1}"),
     "changed t inputSchema other;"},
    /* Members of another type than they should have. */
    {FIELD(",\"description\":{\"x\":1}"), FIELD(",\"description\":{\"x\":2}"), "changed t text;"},
    {FIELD(",\"title\":[{\"x\":[1]}]"), FIELD(",\"title\":[{\"x\":[2]}]"), "changed t text;"},
    {"{\"name\":{\"a\":1}}", "{\"name\":{\"a\":2}}", "changed  text;"},
    {"{\"inputSchema\":[[{\"a\":1}]]}", "{\"inputSchema\":[[{\"a\":2}]]}", "changed  inputSchema;"},
    {"[{\"a\":1}]", "[{\"a\":2}]", "changed  other;"},
    /* Numbers that validation tells apart. */
    {INPUT(",\"not\":{\"const\":1}"), INPUT(",\"not\":{\"const\":1.00000000000000000001}"),
     "changed t inputSchema;"},
    {INPUT(",\"minimum\":1e400"), INPUT(",\"minimum\":1e401"), "changed t inputSchema;"},
    {INPUT(",\"minimum\":1e400"), INPUT(",\"minimum\":0.1e00000000000000000401"), ""},
    {INPUT(",\"minimum\":10"), INPUT(",\"minimum\":1e0000000001"), ""},
    /* Order that has a meaning. */
    {ENUM("\"a\",\"b\"", ",\"enumNames\":[\"A\",\"B\"]"),
     ENUM("\"b\",\"a\"", ",\"enumNames\":[\"A\",\"B\"]"), "changed t inputSchema;"},
    {ENUM("\"a\",\"b\"", ",\"enumNames\":[\"A\"]"), ENUM("\"b\",\"a\"", ",\"enumNames\":[\"A\"]"),
     "changed t inputSchema order;"},
    {ENUM("\"a\",\"b\"", ",\"x-ui\":{\"k\":[{\"labels\":[1,2]}]}"),
     ENUM("\"b\",\"a\"", ",\"x-ui\":{\"k\":[{\"labels\":[1,2]}]}"), "changed t inputSchema;"},
    {INPUT(",\"x-labels\":[1,2],\"items\":{\"enum\":[1,2]}"),
     INPUT(",\"x-labels\":[1,2],\"items\":{\"enum\":[2,1]}"), "changed t inputSchema;"},
    {INPUT(",\"items\":{\"x-labels\":[1,2]},\"enum\":[1,2]"),
     INPUT(",\"items\":{\"x-labels\":[1,2]},\"enum\":[2,1]"), "changed t inputSchema order;"},
    {INPUT(",\"required\":[\"a\",\"b\"],\"enum\":[1,2]"),
     INPUT(",\"required\":[\"b\",\"a\"],\"enum\":[2,1]"), "changed t inputSchema order;"},
    {INPUT(",\"examples\":[1,2,3],\"default\":[[1,2]],\"enum\":[1,2]"),
     INPUT(",\"examples\":[1,2,3],\"default\":[[1,2]],\"enum\":[2,1]"),
     "changed t inputSchema order;"},
    {ENUM("1,2", ",\"$ref\":\"#/properties/p/enum/0\""),
     ENUM("2,1", ",\"$ref\":\"#/properties/p/enum/0\""), "changed t inputSchema;"},
    {ENUM("1,2", ",\"$ref\":\"#/properties/p/%65num/%31\""),
     ENUM("2,1", ",\"$ref\":\"#/properties/p/%65num/%31\""), "changed t inputSchema;"},
    {ENUM("1,2", ",\"$ref\":\"#/properties/enum\""), ENUM("2,1", ",\"$ref\":\"#/properties/enum\""),
     "changed t inputSchema order;"},
    {INPUT(",\"dependentRequired\":{\"a\":[1,2]},\"x\":\"/dependentRequired/a/1\""),
     INPUT(",\"dependentRequired\":{\"a\":[2,1]},\"x\":\"/dependentRequired/a/1\""),
     "changed t inputSchema;"},
    /* The order of tools. */
    {TOOL("t", "") "," TOOL("u", ""), TOOL("u", "") "," TOOL("t", ""), "reordered t;"},
    {TOOL("t", "") "," TOOL("u", "") "," TOOL("v", ""),
     TOOL("t", "") "," TOOL("v", "") "," TOOL("u", ""), "reordered u;"},
    {TOOL("t", "") "," TOOL("u", ""), TOOL("u", "") "," TOOL("w", "") "," TOOL("t", ""),
     "added w;reordered t;"},
    {TOOL("t", "") "," TOOL("u", ""),
     TOOL("w", "") "," TOOL("t", "") "," TOOL("x", "") "," TOOL("u", ""), "added w;added x;"},
    {TOOL("t", "") "," TOOL("u", "") "," TOOL("t", ""),
     TOOL("t", "") "," TOOL("t", "") "," TOOL("u", ""), "reordered u;"},
    {"7", "8", "changed  text other;"},
};

/* Writes the lock and reads it again. */
static struct cupel_lock *through_a_file(const struct cupel_lock *lock)
{
    struct cupel_lock *again = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_lock_save(lock, &text);
    CHECK_INT(cupel_lock_load(text.bytes, text.len, NULL, &again, NULL), CUPEL_OK);
    CHECK_INT(cupel_lock_diff(lock, again, NULL, NULL), 0);
    cupel_text_free(&text);
    return again;
}

static void test_diff(void)
{
    struct cupel_text list, found;
    cupel_text_init(&list, NULL);
    cupel_text_init(&found, NULL);
    for (size_t i = 0; i < sizeof(diff_cases) / sizeof(diff_cases[0]); i++) {
        struct cupel_lock *locks[2] = {NULL, NULL};
        for (int k = 0; k < 2; k++) {
            cupel_text_clear(&list);
            cupel_text_addf(&list, "[%s]", diff_cases[i][k]);
            CHECK_INT(lock_of(list.bytes, NULL, &locks[k]), CUPEL_OK);
        }
        struct cupel_lock *read = through_a_file(locks[0]);
        cupel_text_clear(&found);
        cupel_text_adds(&found, "");
        uint32_t count = cupel_lock_diff(read, locks[1], note_change, &found);
        CHECK((count == 0) == (found.len == 0));
        if (!CHECK_MEM(found.bytes != NULL ? found.bytes : "", found.len, diff_cases[i][2]))
            fprintf(stderr, "    %s\n    %s\n", diff_cases[i][0], diff_cases[i][1]);
        cupel_lock_free(read);
        cupel_lock_free(locks[0]);
        cupel_lock_free(locks[1]);
    }
    cupel_text_free(&list);
    cupel_text_free(&found);
    cupel_lock_free(NULL);
}

#define ZEROS          "000000000000000000000000000000000000000000000000000000000000"
#define WITH_DIGEST(d) "{\"cupelLock\":1,\"tools\":[{\"name\":\"t\",\"all\":\"" d "\"}]}"
#define NULLS                                                                                     \
    "\"semantic\":null,\"text\":null,\"inputSchema\":null,\"outputSchema\":null,\"annotations\":" \
    "null,"
#define OLD_ENTRY(more) \
    "{\"name\":\"t\",\"all\":\"sha256:" ZEROS "af09\"," NULLS "\"other\":null" more "}"

/* Writes the lock of a list, and tries each byte of it as something else. */
static void test_damage(void)
{
    static const char others[] = "\"0 9af\\{}x:,\n\x01\xff";
    struct cupel_lock *lock = NULL, *again = NULL;
    struct cupel_text text;
    size_t count = 0, spaces = 0;
    CHECK_INT(
        lock_of("[" TOOL("t\\n \u00e9", "") "," FIELD(",\"annotations\":{}") "]", NULL, &lock),
        CUPEL_OK);
    CHECK_INT(cupel_lock_version(lock), 2);
    cupel_text_init(&text, NULL);
    cupel_lock_save(lock, &text);
    for (size_t i = 0; i < text.len; i++) {
        char kept = text.bytes[i];
        for (size_t k = 0; k < LEN(others) + 1; k++) {
            text.bytes[i] = k < LEN(others) ? others[k] : (char)(kept ^ 0x20);
            if (text.bytes[i] == kept)
                continue;
            bool same = cupel_lock_load(text.bytes, text.len, NULL, &again, NULL) == CUPEL_OK;
            /* Only one white space for another is none. */
            bool white = strchr(" \n", kept) != NULL && strchr(" \n", text.bytes[i]) != NULL;
            count++;
            spaces += same;
            if (!CHECK(!same || white))
                fprintf(stderr, "    byte %zu: '%c' is '%c'\n", i, kept, text.bytes[i]);
            if (same)
                cupel_lock_free(again);
        }
        text.bytes[i] = kept;
    }
    CHECK(spaces > 2 && count > 10000);
    /* Less of it, and more. */
    for (size_t len = 0; len < text.len - 1; len++)
        CHECK(cupel_lock_load(text.bytes, len, NULL, &again, NULL) != CUPEL_OK);
    cupel_text_adds(&text, "{}");
    CHECK(cupel_lock_load(text.bytes, text.len, NULL, &again, NULL) != CUPEL_OK);
    cupel_text_free(&text);
    cupel_lock_free(lock);
}

/* Line ends and indents may be others. */
static void test_white_space(void)
{
    struct cupel_lock *lock = NULL, *again = NULL;
    struct cupel_text text, wide;
    CHECK_INT(lock_of("[" TOOL("a b", "") "]", NULL, &lock), CUPEL_OK);
    cupel_text_init(&text, NULL);
    cupel_text_init(&wide, NULL);
    cupel_lock_save(lock, &text);
    for (size_t i = 0; i < text.len; i++) {
        cupel_text_add(&wide, text.bytes + i, 1);
        if (strchr("{}[],\n", text.bytes[i]) != NULL)
            cupel_text_adds(&wide, "\r\n\t ");
    }
    CHECK_INT(cupel_lock_load(wide.bytes, wide.len, NULL, &again, NULL), CUPEL_OK);
    CHECK_INT(cupel_lock_diff(lock, again, NULL, NULL), 0);
    cupel_lock_free(again);
    /* In a name it counts. */
    memcpy(strstr(text.bytes, "a b"), "a\tb", 3);
    CHECK(cupel_lock_load(text.bytes, text.len, NULL, &again, NULL) != CUPEL_OK);
    cupel_text_free(&text);
    cupel_text_free(&wide);
    cupel_lock_free(lock);
}

/* An entry whose digests were exchanged for others of their kind, and a part with a new digest: the
 * sentence says which test found it. */
static void test_forged_parts(void)
{
    struct cupel_lock *lock = NULL, *again = NULL;
    struct cupel_text text;
    struct cupel_error err;
    CHECK_INT(lock_of("[" INPUT("") "]", NULL, &lock), CUPEL_OK);
    cupel_text_init(&text, NULL);
    cupel_lock_save(lock, &text);
    for (int part = 0; part < CUPEL_PIN_PARTS; part++) {
        const char *name = cupel_pin_part_name((enum cupel_pin_part)part);
        char *at = strstr(text.bytes, name);
        char *digest = at + strlen(name) + 3 + 7;
        if (memcmp(digest - 8, "\"sha256:", 8) != 0)
            continue; /* null */
        char kept = *digest;
        *digest = kept == '0' ? '1' : '0';
        CHECK_INT(cupel_lock_load(text.bytes, text.len, NULL, &again, &err), CUPEL_E_ARGUMENT);
        CHECK_STR(err.detail, "the digests of the parts of a tool do not make its digest");
        *digest = kept;
    }
    char *digest = strstr(text.bytes, "sha256:") + 7;
    *digest = *digest == '0' ? '1' : '0';
    CHECK_INT(cupel_lock_load(text.bytes, text.len, NULL, &again, &err), CUPEL_E_ARGUMENT);
    CHECK_STR(err.detail, "the lock file was changed after it was written");
    cupel_text_free(&text);
    cupel_lock_free(lock);
}

/* What take allows, read allows: names that are long and escaped. */
static void test_large(void)
{
    enum { NAME = 9 << 20 };
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    struct cupel_lock *lock = NULL, *again = NULL;
    struct cupel_text list, text;
    cupel_catalog_options_init(&options);
    options.catalog_bytes = (size_t)64 << 20;
    cupel_text_init(&list, NULL);
    cupel_text_init(&text, NULL);
    char *name = malloc(NAME);
    memset(name, 0x7f, NAME);
    for (int tools = 1; tools < 4; tools++) {
        cupel_text_clear(&list);
        for (int i = 0; i < tools; i++) {
            cupel_text_adds(&list, i != 0 ? ",{\"name\":\"" : "[{\"name\":\"");
            cupel_text_add(&list, name, NAME);
            cupel_text_adds(&list, "\",\"inputSchema\":{\"type\":\"object\"}}");
        }
        cupel_text_adds(&list, "]");
        CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
        CHECK_INT(cupel_catalog_add(catalog, list.bytes, list.len, NULL), CUPEL_OK);
        bool fits = (size_t)tools * NAME * 6 + 4096 < CUPEL_LOCK_BYTES;
        CHECK_INT(cupel_lock_new(catalog, &lock, NULL), fits ? CUPEL_OK : CUPEL_E_JSON_SIZE);
        if (fits) {
            cupel_text_clear(&text);
            cupel_lock_save(lock, &text);
            CHECK_INT(cupel_lock_load(text.bytes, text.len, NULL, &again, NULL), CUPEL_OK);
            CHECK_INT(cupel_lock_diff(lock, again, NULL, NULL), 0);
            cupel_lock_free(again);
            cupel_lock_free(lock);
        }
        cupel_catalog_free(catalog);
    }
    free(name);
    cupel_text_free(&list);
    cupel_text_free(&text);
}

/* Version 1: its entries have no digest in common with those of version 2. */
static void test_old_lock(void)
{
    static const char old[] = "{\"cupelLock\":1,\"tools\":[" OLD_ENTRY("") "]}";
    struct cupel_lock *lock = NULL, *again = NULL, *now = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_lock_load(old, LEN(old), NULL, &lock, NULL), CUPEL_OK);
    CHECK_INT(cupel_lock_version(lock), 1);
    cupel_lock_save(lock, &text);
    CHECK_INT(cupel_lock_load(text.bytes, text.len, NULL, &again, NULL), CUPEL_OK);
    CHECK_INT(cupel_lock_diff(lock, again, NULL, NULL), 0);
    CHECK_INT(lock_of("[" INPUT("") "]", NULL, &now), CUPEL_OK);
    CHECK_INT(cupel_lock_diff(lock, now, NULL, NULL), 1);
    struct cupel_lock *read = through_a_file(now);
    CHECK_INT(cupel_lock_diff(lock, read, NULL, NULL), 1);
    cupel_lock_free(read);
    cupel_lock_free(now);
    cupel_lock_free(lock);
    cupel_lock_free(again);
    cupel_text_free(&text);
}

static int stop(void *ctx, const struct cupel_change *change)
{
    (void)change;
    return ++*(int *)ctx;
}

/* Whoever is told of a change can end it. */
static void test_stopping(void)
{
    struct cupel_lock *none = NULL, *two = NULL;
    int calls = 0;
    CHECK_INT(lock_of("[]", NULL, &none), CUPEL_OK);
    CHECK_INT(lock_of("[" TOOL("t", "") "," TOOL("u", "") "]", NULL, &two), CUPEL_OK);
    CHECK_INT(cupel_lock_diff(none, two, NULL, NULL), 2);
    (void)cupel_lock_diff(none, two, stop, &calls);
    CHECK_INT(calls, 1);
    calls = 0;
    (void)cupel_lock_diff(two, none, stop, &calls);
    CHECK_INT(calls, 1);
    cupel_lock_free(none);
    cupel_lock_free(two);
}

static void test_lock_files(void)
{
    static const char no_digest[] =
        "{\"cupelLock\":1,\"tools\":[{\"name\":\"t\",\"all\":null,\"semantic\":null,\"text\":null,"
        "\"inputSchema\":null,\"outputSchema\":null,\"annotations\":null,\"other\":null}]}";
    static const char *const bad[] = {
        "[]",
        "{}",
        "{\"cupelLock\":2,\"tools\":[]}",
        "{\"cupelLock\":2,\"digest\":\"\",\"tools\":[]}",
        "{\"cupelLock\":3,\"tools\":[]}",
        "{\"cupelLock\":0,\"tools\":[]}",
        "{\"cupelLock\":1.0,\"tools\":[]}",
        "{\"cupelLock\":1e0,\"tools\":[]}",
        "{\"cupelLock\":true,\"tools\":[]}",
        "{\"cupelLock\":1,\"tools\":[],\"result\":{}}",
        "{\"cupelLock\":1,\"tools\":[],\"nextCursor\":\"x\"}",
        "{\"cupelLock\":1,\"digest\":\"\",\"tools\":[]}",
        "{\"cupelLock\":1,\"tools\":[" OLD_ENTRY(",\"inputschema\":null") "]}",
        "{\"cupelLock\":1,\"tools\":[" OLD_ENTRY(",\"description\":\"x\"") "]}",
        "{\"cupelLock\":1}",
        "{\"cupelLock\":1,\"tools\":{}}",
        "{\"cupelLock\":1,\"tools\":[1]}",
        "{\"cupelLock\":1,\"tools\":[{\"name\":\"t\"}]}",
        no_digest,
        "{\"cupelLock\":1,\"tools\":[{\"name\":\"t\",\"all\":\"sha256:00\"}]}",
        "{\"cupelLock\":\"1\",\"tools\":[]}",
        "{\"cupelLock\":1,\"tools\":[{\"name\":\"t\",\"all\":7}]}",
        WITH_DIGEST("md5sum:" ZEROS "0000"),
        WITH_DIGEST("sha256:" ZEROS "0g00"),
        WITH_DIGEST("sha256:" ZEROS "g000"),
        WITH_DIGEST("sha256:" ZEROS "/000"),
        WITH_DIGEST("sha256:" ZEROS ":000"),
        WITH_DIGEST("sha256:" ZEROS "`000"),
        WITH_DIGEST("sha256:" ZEROS "00000"),
        WITH_DIGEST("sha256:" ZEROS "af09"), /* the others are not there */
    };
    struct cupel_lock *lock = NULL;
    struct cupel_error err;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_INT(cupel_lock_load(bad[i], strlen(bad[i]), NULL, &lock, &err), CUPEL_E_ARGUMENT);
        CHECK_INT(err.status, CUPEL_E_ARGUMENT);
    }
    static const char twice[] = "{\"cupelLock\":1,\"tools\":[],\"tools\":[]}";
    CHECK_INT(cupel_lock_load(twice, LEN(twice), NULL, &lock, &err), CUPEL_E_DUPLICATE_KEY);
    CHECK_INT(cupel_lock_load("{", 1, NULL, &lock, &err), CUPEL_E_SYNTAX);
    CHECK(lock == NULL);
}

/* -- Memory ----------------------------------------------------------------------------------- */

static enum cupel_status run_failing(struct test_alloc *failing)
{
    static const char list[] =
        "[" INPUT(",\"enum\":[3,2,1],\"properties\":{\"b\":{},\"a\":{}}") "]";
    struct cupel_alloc alloc = test_allocator(failing);
    struct cupel_lock *lock = NULL, *again = NULL;
    struct cupel_text text;
    cupel_text_init(&text, &alloc);
    enum cupel_status status = lock_of(list, &alloc, &lock);
    if (status == CUPEL_OK) {
        cupel_lock_save(lock, &text);
        status = text.failed ? CUPEL_E_NO_MEMORY
                             : cupel_lock_load(text.bytes, text.len, &alloc, &again, NULL);
    }
    if (status == CUPEL_OK)
        CHECK_INT(cupel_lock_diff(lock, again, NULL, NULL), 0);
    cupel_lock_free(lock);
    cupel_lock_free(again);
    cupel_text_free(&text);
    CHECK_INT(failing->live, 0);
    return status;
}

static void test_no_memory(void)
{
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        for (unsigned long n = 1;; n++) {
            struct test_alloc failing = {.fail_at = n, .for_ever = for_ever != 0};
            enum cupel_status status = run_failing(&failing);
            CHECK(status == CUPEL_OK || status == CUPEL_E_NO_MEMORY);
            if (failing.requests < n || !CHECK(n < 5000))
                break;
        }
    }
}

/* -- SHA-256 of the host ---------------------------------------------------------------------- */

/* A digest that is none of SHA-256's; it fails at call `fail_at`, counted from 1. */
struct host_digest {
    unsigned calls, fail_at;
};

static int host_sha256(void *ctx, const char *bytes, size_t len, unsigned char *ret)
{
    struct host_digest *host = ctx;
    if (++host->calls == host->fail_at)
        return -1;
    uint64_t sum = cupel_checksum(bytes, len);
    memset(ret, 7, CUPEL_DIGEST_BYTES);
    memcpy(ret, &sum, sizeof(sum));
    return 0;
}

static struct cupel_catalog *host_catalog(struct host_digest *host)
{
    static const char list[] = "[" TOOL("t", "") "," TOOL("u", "") "]";
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    cupel_catalog_options_init(&options);
    options.sha256 = host != NULL ? host_sha256 : NULL;
    options.sha256_ctx = host;
    CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, list, LEN(list), NULL), CUPEL_OK);
    return catalog;
}

/* Takes, writes and reads a lock. */
static enum cupel_status host_lock(const struct cupel_catalog *catalog)
{
    struct cupel_lock *lock = NULL, *again = NULL;
    struct cupel_error err = {.status = CUPEL_OK};
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    enum cupel_status status = cupel_lock_new(catalog, &lock, &err);
    if (status == CUPEL_OK) {
        cupel_lock_save(lock, &text);
        status = text.failed ? CUPEL_E_UNSUPPORTED
                             : cupel_catalog_lock_load(catalog, text.bytes, text.len, &again, &err);
    }
    if (status == CUPEL_OK)
        CHECK_INT(cupel_lock_diff(lock, again, NULL, NULL), 0);
    else
        CHECK(again == NULL && (text.failed || err.status == CUPEL_E_UNSUPPORTED));
    cupel_lock_free(lock);
    cupel_lock_free(again);
    cupel_text_free(&text);
    return status;
}

/* Each call failing makes the whole fail. */
static void test_host_sha256(void)
{
    struct host_digest host = {0};
    struct cupel_catalog *catalog = host_catalog(&host);
    struct cupel_pin pin;
    CHECK_INT(cupel_tool_pin(catalog, cupel_catalog_tool(catalog, 0), &pin), CUPEL_OK);
    CHECK_INT(pin.digests[CUPEL_PIN_ALL][CUPEL_DIGEST_BYTES - 1], 7);
    host.calls = 0;
    CHECK_INT(host_lock(catalog), CUPEL_OK);
    unsigned calls = host.calls;
    CHECK(calls > 10);
    for (unsigned i = 1; i <= calls; i++) {
        host = (struct host_digest){.fail_at = i};
        CHECK_INT(host_lock(catalog), CUPEL_E_UNSUPPORTED);
    }
    host = (struct host_digest){.fail_at = 1};
    CHECK_INT(cupel_tool_pin(catalog, cupel_catalog_tool(catalog, 0), &pin), CUPEL_E_UNSUPPORTED);
    cupel_catalog_free(catalog);
}

/* A catalog without the function uses the library's, and refuses what another one has digested. */
static void test_own_sha256(void)
{
    struct host_digest host = {0};
    struct cupel_catalog *own = host_catalog(NULL), *other = host_catalog(&host);
    struct cupel_lock *lock = NULL, *again = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    CHECK_INT(host_lock(own), CUPEL_OK);
    CHECK_INT(host.calls, 0);
    CHECK_INT(cupel_lock_new(other, &lock, NULL), CUPEL_OK);
    cupel_lock_save(lock, &text);
    CHECK_INT(cupel_catalog_lock_load(own, text.bytes, text.len, &again, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_lock_load(text.bytes, text.len, NULL, &again, NULL), CUPEL_E_ARGUMENT);
    cupel_lock_free(lock);
    cupel_text_free(&text);
    cupel_catalog_free(own);
    cupel_catalog_free(other);
}

int main(void)
{
    struct cupel_lock *lock = NULL;
    test_canonical();
    test_rfc_8785();
    test_long_number();
    test_canonical_memory();
    test_lock_files();
    test_host_sha256();
    enum cupel_status status = lock_of("[{}]", NULL, &lock);
    cupel_lock_free(lock);
    if (status == CUPEL_E_UNSUPPORTED) {
        fprintf(stderr, "this build has no SHA-256\n");
        return test_end();
    }
    test_diff();
    test_stopping();
    test_damage();
    test_white_space();
    test_forged_parts();
    test_large();
    test_old_lock();
    test_no_memory();
    test_own_sha256();
    return test_end();
}
