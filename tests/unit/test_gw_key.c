/* test_gw_key.c: names of callers: equal for equal fields, different for everything else. */
#include "test.h"

#include "gateways/common/store/key.h"

static const unsigned char secret[CUPEL_GW_SECRET_BYTES] = "0123456789abcdef0123456789abcde";
static struct cupel_catalog_options options;
static struct cupel_options engine_options;

static struct cupel_gw_text text(const char *z)
{
    return (struct cupel_gw_text){z, z != NULL ? strlen(z) : 0};
}

static struct cupel_gw_identity_fields base(void)
{
    return (struct cupel_gw_identity_fields){.location = text("main/mcp"),
                                             .upstream = text("http://a:1"),
                                             .prefix = text("/mcp"),
                                             .options = &options,
                                             .caller = text("Bearer x"),
                                             .session = text("s"),
                                             .reader = text("10.0.0.1")};
}

static struct cupel_gw_identity identify(const struct cupel_gw_identity_fields *fields)
{
    struct cupel_gw_identity id;
    CHECK_INT(cupel_gw_identify(secret, fields, &id), CUPEL_OK);
    return id;
}

static bool same(const struct cupel_gw_name *a, const struct cupel_gw_name *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

static void test_equal(void)
{
    struct cupel_gw_identity_fields fields = base();
    struct cupel_gw_identity a = identify(&fields), b = identify(&fields);
    CHECK(memcmp(&a, &b, sizeof(a)) == 0);
    CHECK_INT(a.sharing, CUPEL_GW_SHARE_CALLER);
    CHECK(cupel_gw_name_is_set(&a.key) && cupel_gw_name_is_set(&a.session));
    CHECK(!same(&a.key, &a.session) && !same(&a.key, &a.reader) && !same(&a.caller, &a.key));
}

/* Every field makes another key, and bytes that move from one field to the next do too. */
static void test_different(void)
{
    struct cupel_catalog_options other = options;
    struct cupel_options engine;
    cupel_options_init(&engine);
    engine.limits[CUPEL_LIMIT_PATTERN_STEPS]--;
    other.engine = &engine;
    struct cupel_gw_identity_fields all[10];
    for (int i = 0; i < 10; i++)
        all[i] = base();
    all[1].location = text("main/other");
    all[2].upstream = text("http://a:2");
    all[3].prefix = text("/mcp/2");
    all[4].options = &other;
    all[5].caller = text("Bearer y");
    all[6].by = CUPEL_GW_BY_VARIABLE;
    all[7].by = CUPEL_GW_BY_NOTHING;
    all[8].upstream = text("http://a:1/");
    all[8].prefix = text("mcp");
    all[9].caller = text(NULL);
    for (int i = 0; i < 10; i++) {
        struct cupel_gw_identity a = identify(&all[i]);
        for (int j = 0; j < i; j++) {
            struct cupel_gw_identity b = identify(&all[j]);
            CHECK(!same(&a.key, &b.key));
            CHECK(!same(&a.session, &b.session));
        }
    }
}

static void test_sessions(void)
{
    struct cupel_gw_identity_fields fields = base();
    struct cupel_gw_identity a = identify(&fields);
    fields.session = text("t");
    struct cupel_gw_identity b = identify(&fields);
    CHECK(same(&a.key, &b.key) && !same(&a.session, &b.session) && !same(&a.reader, &b.reader));
    fields.session = text(NULL);
    struct cupel_gw_identity none = identify(&fields);
    CHECK(same(&a.key, &none.key) && !cupel_gw_name_is_set(&none.session));
    fields.reader = text("10.0.0.2");
    struct cupel_gw_identity far = identify(&fields);
    CHECK(same(&none.key, &far.key) && !same(&none.reader, &far.reader) &&
          !same(&none.address, &far.address));
}

static void test_sharing(void)
{
    struct cupel_gw_identity_fields fields = base();
    struct cupel_gw_identity none = {0};
    fields.caller = text("");
    struct cupel_gw_identity empty = identify(&fields);
    CHECK(memcmp(&empty, &none, sizeof(none)) == 0);
    fields.by = CUPEL_GW_BY_VARIABLE;
    empty = identify(&fields);
    CHECK(memcmp(&empty, &none, sizeof(none)) == 0);
    fields.caller = text(NULL);
    empty = identify(&fields);
    CHECK(memcmp(&empty, &none, sizeof(none)) == 0);
    fields.by = CUPEL_GW_BY_AUTHORIZATION;
    CHECK_INT(identify(&fields).sharing, CUPEL_GW_SHARE_PUBLIC);
    fields.by = CUPEL_GW_BY_NOTHING;
    struct cupel_gw_identity shared = identify(&fields);
    CHECK_INT(shared.sharing, CUPEL_GW_SHARE_CALLER);
    fields.caller = text("Bearer x");
    struct cupel_gw_identity again = identify(&fields);
    CHECK(same(&shared.key, &again.key));
}

static void test_secret(void)
{
    unsigned char other[CUPEL_GW_SECRET_BYTES];
    struct cupel_gw_identity_fields fields = base();
    struct cupel_gw_identity a = identify(&fields), b;
    memcpy(other, secret, sizeof(other));
    other[CUPEL_GW_SECRET_BYTES - 1] ^= 1;
    CHECK_INT(cupel_gw_identify(other, &fields, &b), CUPEL_OK);
    CHECK(!same(&a.key, &b.key));
}

/* RFC 4231, test case 2, has HMAC-SHA-256 itself; here, that purposes and parts do not run
 * together. */
static void test_parts(void)
{
    struct cupel_gw_name zero = {{0}}, a, b;
    cupel_gw_derive(secret, "ab", &zero, "c", 1, &a);
    cupel_gw_derive(secret, "a", &zero, "bc", 2, &b);
    CHECK(!same(&a, &b));
    unsigned char x[CUPEL_GW_DIGEST_BYTES], y[CUPEL_GW_DIGEST_BYTES];
    struct cupel_gw_part one[] = {{"ab", 2}, {"c", 1}}, two[] = {{"a", 1}, {"bc", 2}};
    cupel_gw_digest(one, 2, x);
    cupel_gw_digest(two, 2, y);
    CHECK(memcmp(x, y, sizeof(x)) != 0);
}

int main(void)
{
    cupel_catalog_options_init(&options);
    cupel_options_init(&engine_options);
    options.engine = &engine_options;
    test_equal();
    test_different();
    test_sessions();
    test_sharing();
    test_secret();
    test_parts();
    return test_end();
}
