/* test_gw_held.c: what is cut out of lists, with all other bytes unchanged, and why tools are held
 * back. */
#include "test.h"

#include "gateways/common/learn/withheld.h"

#include <cupel/pin.h>

static int append(void *ctx, const char *bytes, size_t len)
{
    cupel_text_add(ctx, bytes, len);
    return 0;
}

/* The items of an array of digits, letters by letter. */
static size_t items_of(const char *text, struct cupel_gw_cut *ret)
{
    size_t count = 0;
    for (size_t i = 0; text[i] != '\0'; i++)
        if (text[i] >= '0' && text[i] <= '9')
            ret[count++] = (struct cupel_gw_cut){i, 1};
    return count;
}

/* Cuts the items for which `hide` has an x. */
static void check_cuts(const char *text, const char *hide, const char *want)
{
    struct cupel_gw_cut items[16], cuts[16];
    uint8_t flags[16] = {0};
    struct cupel_text out;
    struct cupel_gw_sink sink = {append, &out};
    size_t count = items_of(text, items);
    cupel_text_init(&out, NULL);
    for (size_t i = 0; i < count; i++)
        flags[i] = hide[i] == 'x';
    size_t cut_count = cupel_gw_cuts(text, items, flags, count, cuts);
    CHECK_INT(cupel_gw_cut_text(text, strlen(text), cuts, cut_count, &sink), 0);
    CHECK_MEM(out.bytes != NULL ? out.bytes : "", out.len, want);
    cupel_text_free(&out);
}

static void test_cuts(void)
{
    check_cuts("[1,2,3]", "...", "[1,2,3]");
    check_cuts("[1,2,3]", "x..", "[2,3]");
    check_cuts("[1,2,3]", ".x.", "[1,3]");
    check_cuts("[1,2,3]", "..x", "[1,2]");
    check_cuts("[1,2,3]", "xx.", "[3]");
    check_cuts("[1,2,3]", ".xx", "[1]");
    check_cuts("[1,2,3]", "x.x", "[2]");
    check_cuts("[1,2,3]", "xxx", "[]");
    check_cuts("a [ 1 , 2 ,\n 3 ] b", "x..", "a [  2 ,\n 3 ] b");
    check_cuts("a [ 1 , 2 ,\n 3 ] b", ".x.", "a [ 1  ,\n 3 ] b");
    check_cuts("a [ 1 , 2 ,\n 3 ] b", "..x", "a [ 1 , 2  ] b");
    check_cuts("[]", "", "[]");
}

/* All ways to hide: what is left is an array of the others. */
static void test_all(void)
{
    static const char text[] = "{\"a\": [ 1 ,2,\t3 , 4\n,5 ]}";
    struct cupel_document *doc = NULL;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    for (unsigned hidden = 0; hidden < 32; hidden++) {
        struct cupel_gw_cut items[16], cuts[16];
        uint8_t flags[5];
        struct cupel_text out;
        struct cupel_gw_sink sink = {append, &out};
        size_t count = items_of(text, items);
        cupel_text_init(&out, NULL);
        for (unsigned i = 0; i < 5; i++)
            flags[i] = hidden >> i & 1;
        size_t cut_count = cupel_gw_cuts(text, items, flags, count, cuts);
        CHECK_INT(cupel_gw_cut_text(text, strlen(text), cuts, cut_count, &sink), 0);
        if (CHECK_INT(cupel_document_read(doc, out.bytes, out.len, NULL), CUPEL_OK)) {
            uint32_t array = cupel_json_member(doc, 0, "a", 1), want = 0;
            uint32_t node = cupel_json_first(doc, array);
            for (; node != CUPEL_NO_NODE; node = cupel_json_next(doc, array, node)) {
                int64_t value = 0;
                while (want < 5 && flags[want])
                    want++;
                CHECK(cupel_json_integer(doc, node, &value) == 0 && value == ++want);
            }
        }
        cupel_text_free(&out);
    }
    cupel_document_free(doc);
}

/* -- Events ---------------------------------------------------------------------------------- */

/* Cuts `len` bytes at `at` out of the data of an event. */
static void check_event(const char *event, size_t at, size_t len, const char *want)
{
    struct cupel_gw_cut cut = {at, len};
    struct cupel_text out;
    struct cupel_gw_sink sink = {append, &out};
    cupel_text_init(&out, NULL);
    CHECK_INT(cupel_gw_cut_event(event, strlen(event), &cut, 1, &sink), 0);
    CHECK_MEM(out.bytes, out.len, want);
    cupel_text_free(&out);
}

static void test_events(void)
{
    check_event("data: abcdef\n\n", 2, 2, "data: abef\n\n");
    check_event("id: 7\r\ndata:abcdef\r\n: c\r\n\r\n", 0, 3, "id: 7\r\ndata:def\r\n: c\r\n\r\n");
    check_event("data: abc\ndata:  def\nevent: message\n\n", 2, 4,
                "data: ab\ndata: ef\nevent: message\n\n"); /* c, LF, space, d */
    check_event("data: abc\rdata\rdata: def\r\r", 1, 6, "data: a\rdata\rdata: f\r\r");
    check_event("data: abc\ndata: def\n\n", 0, 3, "data: \ndata: def\n\n");
    check_event("datax: abc\n data: abc\ndata: def\n\n", 0, 1,
                "datax: abc\n data: abc\ndata: ef\n\n");
}

/* -- Why ------------------------------------------------------------------------------------- */

static void test_action(void)
{
    struct cupel_gw_policy policy;
    cupel_gw_policy_init(&policy);
    policy.changed = CUPEL_GW_WITHHOLD_REFUSE;
    policy.hidden_text = CUPEL_GW_WITHHOLD_HIDE;
    CHECK_INT(cupel_gw_withheld_action(&policy, 0), CUPEL_GW_WITHHOLD_REPORT);
    CHECK_INT(cupel_gw_withheld_action(&policy, CUPEL_GW_WITHHELD_CHANGED),
              CUPEL_GW_WITHHOLD_REFUSE);
    CHECK_INT(cupel_gw_withheld_action(&policy, CUPEL_GW_WITHHELD_MISSING),
              CUPEL_GW_WITHHOLD_REFUSE);
    CHECK_INT(cupel_gw_withheld_action(&policy, CUPEL_GW_WITHHELD_HIDDEN), CUPEL_GW_WITHHOLD_HIDE);
    CHECK_INT(
        cupel_gw_withheld_action(&policy, CUPEL_GW_WITHHELD_CHANGED | CUPEL_GW_WITHHELD_HIDDEN),
        CUPEL_GW_WITHHOLD_HIDE);
    CHECK_STR(cupel_gw_withheld_word(0), "");
    CHECK_STR(cupel_gw_withheld_word(CUPEL_GW_WITHHELD_MISSING), "unpinned");
}

static struct cupel_catalog *catalog_of(const char *list)
{
    struct cupel_catalog *catalog = NULL;
    CHECK(cupel_catalog_new(NULL, &catalog) == CUPEL_OK &&
          cupel_catalog_add(catalog, list, strlen(list), NULL) == CUPEL_OK);
    return catalog;
}

#define A "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}"
#define B "{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\"}}"

static void test_why(void)
{
    struct cupel_catalog *approved = catalog_of("[" A "," B ",7]");
    struct cupel_catalog *now =
        catalog_of("[{ \"inputSchema\":{\"type\":\"object\"},\"name\":\"a\"},"
                   "{\"name\":\"b\",\"description\":\"\",\"inputSchema\":{\"type\":\"object\"}},"
                   "{\"name\":\"c\",\"inputSchema\":{\"type\":\"object\"}},7,{\"name\":\"a\","
                   "\"name\":\"a\"}]");
    static const uint8_t want[] = {0, CUPEL_GW_WITHHELD_CHANGED, CUPEL_GW_WITHHELD_MISSING, 0,
                                   CUPEL_GW_WITHHELD_CHANGED};
    struct cupel_lock *pins = NULL;
    struct cupel_catalog_options options;
    cupel_catalog_options_init(&options);
    CHECK_INT(cupel_lock_new(approved, &pins, NULL), CUPEL_OK);
    for (uint32_t i = 0; i < 5; i++) {
        uint8_t why = 77;
        CHECK_INT(cupel_gw_withheld_find(&options, now, cupel_catalog_tool(now, i), pins, &why),
                  CUPEL_OK);
        CHECK_INT(why, want[i]);
        CHECK_INT(cupel_gw_withheld_find(&options, now, cupel_catalog_tool(now, i), NULL, &why),
                  CUPEL_OK);
        CHECK_INT(why, 0);
    }
    cupel_lock_free(pins);
    cupel_catalog_free(approved);
    cupel_catalog_free(now);
}

/* A zero-width space in a description, and the sign for right-to-left written as an escape. */
static void test_hidden(void)
{
    struct cupel_catalog *catalog = catalog_of(
        "[" A
        ",{\"name\":\"b\",\"description\":\"a\xe2\x80\x8b\",\"inputSchema\":{\"type\":\"object\"}},"
        "{\"name\":\"c\",\"description\":\"\\u202e\",\"inputSchema\":{\"type\":\"object\"}}]");
    struct cupel_catalog_options options;
    cupel_catalog_options_init(&options);
    for (uint32_t i = 0; i < 3; i++) {
        uint8_t why = 77;
        CHECK_INT(
            cupel_gw_withheld_find(&options, catalog, cupel_catalog_tool(catalog, i), NULL, &why),
            CUPEL_OK);
        CHECK_INT(why, i == 0 ? 0 : CUPEL_GW_WITHHELD_HIDDEN);
    }
    cupel_catalog_free(catalog);
}

int main(void)
{
    test_cuts();
    test_all();
    test_events();
    test_action();
    test_why();
    test_hidden();
    return test_end();
}
