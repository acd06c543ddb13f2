/* test_record.c: the fields of a definition, each rule from both sides, and every definition with
 * memory that runs out. */
#include "test.h"
#include <cupel/cupel.h>

#define INPUT   "\"inputSchema\":{\"type\":\"object\"}"
#define TOOL(t) "{\"name\":\"t\"," INPUT "," t "}"
#define P(text) "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":{" text "}}}"
#define S(text) "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"," text "}}"
#define LONG    "0123456789012345678901234567890123456789"

static const struct field_case {
    enum cupel_mcp_profile profile; /* 0: the default */
    const char *definition;
    const char *problems; /* rule and pointer of each */
} cases[] = {
    {0, TOOL("\"Description\":\"x\""), "member-name "},
    {0, TOOL("\"inputschema\":{\"type\":\"object\"}"), "member-name "},
    {0, TOOL("\"name\\u0000\":1"), "hidden-text /name?; member-name "},
    {0, TOOL("\"annotation\\u017f\":{}"), "member-name "},
    {0, TOOL("\"_META\":{}"), "member-name "},
    {0, TOOL("\"names\":1,\"input_schema\":{},\"x-Title\":1"), ""},
    {0, TOOL("\"annotations\":{\"ReadOnlyHint\":true}"), "member-name /annotations"},
    {0, TOOL("\"annotations\":{\"other\":true}"), ""},
    {0, TOOL("\"icons\":[{\"src\":\"https://e.org/i.png\"}]"), ""},
    {0, TOOL("\"icons\":[{\"src\":\"HTTPS://e.org/\"}]"), ""},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\"}]"), ""},
    {0, TOOL("\"icons\":[{\"src\":\"data\"}]"), "icon-source /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"http:\"}]"), "icon-source /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"daty:x\"}]"), "icon-source /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"https\"}]"), "icon-source /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"48x48\"]}]"), ""},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"any\"]}]"), ""},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"4:x4\"]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"x48\"]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"48\"]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"48y48\"]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"48x\"]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"48x4:\"]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"48x4/\"]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"4/x48\"]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[7]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":[\"\"]}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":{}}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"mimeType\":1}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"mimeType\":\"image/png\",\"theme\":\"dark\"}]"), ""},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"theme\":\"light\"}]"), ""},
    {0, TOOL("\"icons\":[{\"src\":\"data:,\",\"theme\":\"blue\"}]"), "icon-field /icons/0"},
    {0, TOOL("\"icons\":[7]"), "icons-type /icons/0"},
    {0, TOOL("\"icons\":[{\"src\":1}]"), "icons-type /icons/0"},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"Az09\"}"), ""},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"{\"}"),
     "header-token /properties/a/x-mcp-header"},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"[\"}"),
     "header-token /properties/a/x-mcp-header"},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"`a\"}"), ""},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"/\"}"),
     "header-token /properties/a/x-mcp-header"},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\\u0000\"}"),
     "hidden-text /properties/a/x-mcp-header; header-token /properties/a/x-mcp-header"},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a b\"}"),
     "header-token /properties/a/x-mcp-header"},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"!#$%&\"}"), ""},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\\u00e9\"}"),
     "header-token /properties/a/x-mcp-header"},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"@\"}"),
     "header-token /properties/a/x-mcp-header"},
    {0,
     P("\"a\":{\"type\":\"boolean\",\"x-mcp-header\":\"AZaz\"},\"b\":{\"type\":\"integer\",\"x-mcp-"
       "header\":\"azAZ\"},\"c\":{\"type\":\"integer\",\"x-mcp-header\":\"[^\"}"),
     "header-unique /properties/b/x-mcp-header; header-token /properties/c/x-mcp-header"},
    {0, TOOL("\"_meta\":{\"a\":1}"), ""},
    {0, TOOL("\"_meta\":{\"\":1}"), ""},
    {0, TOOL("\"_meta\":{\"-a\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a-\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a.b_c-d\":1}"), ""},
    {0, TOOL("\"_meta\":{\"a:b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a[b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a/b\":1}"), ""},
    {0, TOOL("\"_meta\":{\"a.b/c\":1}"), ""},
    {0, TOOL("\"_meta\":{\"a-b.c/d\":1}"), ""},
    {0, TOOL("\"_meta\":{\"1a/b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a1.b2/\":1}"), ""},
    {0, TOOL("\"_meta\":{\"a-/b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a..b/c\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"/b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a{/b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a:/b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a/:\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a/-\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a/b:c\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a`b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a@/b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a/b.\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a\\u0000/b\":1}"), "hidden-text /_meta/a?~1b; meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a\\u0000\":1}"), "hidden-text /_meta/a?; meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"a//b\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{}"), ""},
    {CUPEL_MCP_2025_03_26, TOOL("\"_meta\":7"), ""},
    {0, "{\"name\":\"a{\"," INPUT "}", "name-characters /name"},
    {0, "{\"name\":\"a[\"," INPUT "}", "name-characters /name"},
    {0, "{\"name\":\"a`\"," INPUT "}", "name-characters /name"},
    {0, "{\"name\":\"a/b\"," INPUT "}", "name-characters /name"},
    {0, "{\"name\":\"a.b\"," INPUT "}", ""},
    {0, "{\"name\":\"\\u00e9\"," INPUT "}", "name-characters /name"},
    {0, "{\"name\":\"\\u20ac\"," INPUT "}", "name-characters /name"},
    {0, "{\"name\":\"\\ud83d\\ude00\"," INPUT "}", "name-characters /name"},
    {0, "{\"name\":\"\\u00e9\\u00e9\"," INPUT "}", "name-characters /name"},
    {0, "{\"name\":\"a\\u0000b\"," INPUT "}", "hidden-text /name; name-characters /name"},
    {0, "{\"name\":\"!\\\"#$%&()*+\"," INPUT "}", "name-characters /name"},
    {0, "{\"name\":\"\\u202e\"," INPUT "}", "hidden-text /name; name-characters /name"},
    {0, TOOL("\"version\":\"1.2.3\""), ""},
    {0, TOOL("\"version\":\"\""), ""},
    {0, TOOL("\"version\":\"1\""), "version-format /version"},
    {0, TOOL("\"version\":7"), "identity-type /version"},
    {0, TOOL("\"version\":\"1.2.3-a+b\""), ""},
    {0, TOOL("\"namespace\":\"a\""), ""},
    {0, TOOL("\"namespace\":\"a\",\"version\":\"1.0.0\""), ""},
    {0, TOOL("\"namespace\":\"\""), ""},
    {0, TOOL("\"namespace\":\"\",\"version\":\"1.0.0\""), ""},
    {0, TOOL("\"namespace\":\"a:b\""), "namespace-format /namespace"},
    {0, TOOL("\"namespace\":\"a:b\",\"version\":\"1.0.0\""), "namespace-format /namespace"},
    {0, TOOL("\"namespace\":7"), "identity-type /namespace"},
    {0, TOOL("\"namespace\":7,\"version\":\"1.0.0\""), "identity-type /namespace"},
    {0, TOOL("\"namespace\":\"a/b\""), ""},
    {0, TOOL("\"namespace\":\"a/b\",\"version\":\"1.0.0\""), ""},
    {0, "{\"name\":\"\",\"namespace\":\"a\"," INPUT "}",
     "name-length /name; namespace-format /namespace"},
    {0, TOOL("\"tags\":[\"a\",\"b\"]"), ""},
    {0, TOOL("\"tags\":[\"a\",1]"), "identity-type /tags"},
    {0, TOOL("\"tags\":{}"), "identity-type /tags"},
    {0, TOOL("\"tags\":[]"), ""},
    {CUPEL_MCP_2025_11_25, TOOL("\"execution\":{}"), ""},
    {CUPEL_MCP_2025_11_25, TOOL("\"execution\":7"), "execution-type /execution"},
    {CUPEL_MCP_2025_11_25, TOOL("\"execution\":{\"taskSupport\":\"required\"}"), ""},
    {CUPEL_MCP_2025_11_25, TOOL("\"execution\":{\"taskSupport\":7}"),
     "execution-type /execution/taskSupport"},
    {CUPEL_MCP_2025_06_18, TOOL("\"execution\":{}"), ""},
    {0, TOOL("\"annotations\":{\"title\":\"x\"},\"title\":\"y\""), ""},
    {0, TOOL("\"annotations\":{\"title\":\"x\"}"), ""},
    {CUPEL_MCP_2025_03_26, TOOL("\"title\":\"y\""), ""},
    {CUPEL_MCP_2024_11_05, TOOL("\"annotations\":7"), ""},
    {0, S("\"properties\":7"), "schema-invalid /properties"},
    {0, S("\"properties\":{\"a\":7}"), "schema-invalid /properties/a"},
    {0, S("\"$schema\":\"\""), "schema-dialect /$schema"},
    {0, S("\"$schema\":7"), "schema-invalid /$schema"},
    {0, S("\"$ref\":\"#\""), "schema-cycle /$ref"},
    {0, S("\"allOf\":[{\"$ref\":\"#\"}]"), "schema-cycle /allOf/0/$ref"},
    {0, S("\"$id\":\"%%\""), "schema-identifier /$id"},
    {0, S("\"$anchor\":\"a\",\"$defs\":{\"b\":{\"$anchor\":\"a\"}}"),
     "schema-identifier /$defs/b/$anchor"},
    {CUPEL_MCP_2025_11_25, S("\"properties\":7"), "schema-invalid /properties"},
    {CUPEL_MCP_2025_11_25, S("\"properties\":{\"a\":true,\"b\":false}"),
     "property-boolean /properties"},
    {0, S("\"format\":\"x\""), ""},
    {0, S("\"$vocabulary\":{\"x\":true}"), ""},
    {0, S("\"$dynamicRef\":\"#x\""), "schema-reference /$dynamicRef"},
    {0, P("\"a\":{\"pattern\":\"a(?=b)\"}"), "pattern-portable /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"(?!b)\"}"), "pattern-portable /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"(?<=b)a\"}"), "pattern-portable /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"(?<!b)a\"}"), "pattern-portable /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"(?<n>b)\"}"), ""},
    {0, P("\"a\":{\"pattern\":\"(?<n>b)\\\\k<n>\"}"), "pattern-portable /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"(b)\\\\1\"}"), "pattern-portable /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"\\\\9\"}"), "pattern-portable /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"\\\\0\"}"), ""},
    {0, P("\"a\":{\"pattern\":\"[\\\\1]\"}"), ""},
    {0, P("\"a\":{\"pattern\":\"(?\"}"), "schema-pattern /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"(?<\"}"), "schema-pattern /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"(?:a)\"}"), ""},
    {0, P("\"a\":{\"pattern\":\"[(?=a)]\"}"), ""},
    {0, P("\"a\":{\"pattern\":\"\\\\\"}"), "schema-pattern /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"(?<\"}"), "schema-pattern /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"(?P\"}"), "schema-pattern /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"a(?<=\"}"),
     "schema-pattern /properties/a/pattern; pattern-portable /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":7}"), "schema-invalid /properties/a/pattern"},
    {0, P("\"a\":{\"patternProperties\":7}"), "schema-invalid /properties/a/patternProperties"},
    {0, P("\"a~b\":{\"type\":\"any\"}"), "schema-invalid /properties/a~0b/type"},
    {0, P("\"a/b\":{\"type\":\"any\"}"), "schema-invalid /properties/a~1b/type"},
    {0, P("\"\\u0001\":{\"type\":\"any\"}"),
     "hidden-text /properties/?; schema-invalid /properties/?/type"},
    {0, P("\"\\u007f\":{\"type\":\"any\"}"),
     "hidden-text /properties/?; schema-invalid /properties/?/type"},
    {0, P("\"\\u00e9\":{\"type\":\"any\"}"), "schema-invalid /properties/é/type"},
    {0, P("\"\\u20ac\":{\"type\":\"any\"}"), "schema-invalid /properties/€/type"},
    {0, P("\"\\ud83d\\ude00\":{\"type\":\"any\"}"), "schema-invalid /properties/😀/type"},
    {0, P("\"" LONG "" LONG "" LONG "" LONG "" LONG "" LONG "\":{\"type\":\"any\"}"),
     "schema-invalid "
     "/properties/"
     "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
     "345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345"
     "678901234567890123456789012345678901234567890123456789…"},
    {0, P("\"" LONG "" LONG "" LONG "" LONG "" LONG "\\u20ac\\u20ac" LONG "\":{\"type\":\"any\"}"),
     "schema-invalid "
     "/properties/"
     "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
     "345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345"
     "67890123456789€€0123456789012345678901234567890123…"},
    {0,
     P("\"" LONG "\":{\"properties\":{\"" LONG "\":{\"properties\":{\"" LONG
       "\":{\"properties\":{\"" LONG "\":{\"properties\":{\"" LONG "\":{\"properties\":{\"" LONG
       "\":{\"x-mcp-header\":1}}}}}}}}}}}"),
     "header-value "
     "/properties/0123456789012345678901234567890123456789/properties/"
     "0123456789012345678901234567890123456789/properties/0123456789012345678901234567890123456789/"
     "properties/0123456789012345678901234567890123456789/properties/"
     "01234567890123456789012345678901…; header-property-type "
     "/properties/0123456789012345678901234567890123456789/properties/"
     "0123456789012345678901234567890123456789/properties/0123456789012345678901234567890123456789/"
     "properties/0123456789012345678901234567890123456789/properties/"
     "01234567890123456789012345678901…"},
    {0, P("\"a\":{\"items\":{\"x-mcp-header\":\"X\"}}"),
     "header-place /properties/a/items/x-mcp-header"},
    {0, P("\"a\":{\"anyOf\":[true,{\"x-mcp-header\":\"X\"}]}"),
     "header-place /properties/a/anyOf/1/x-mcp-header"},
    {0,
     TOOL("\"icons\":[{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":"
          "\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":"
          "7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,"
          "\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{"
          "\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\","
          "\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":"
          "\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":"
          "7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,"
          "\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{"
          "\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\","
          "\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":"
          "\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":"
          "7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,"
          "\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{"
          "\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7},{\"src\":\"data:,\","
          "\"sizes\":7},{\"src\":\"data:,\",\"sizes\":7}]"),
     "icon-field /icons/0; icon-field /icons/1; icon-field /icons/2; icon-field /icons/3; "
     "icon-field /icons/4; icon-field /icons/5; icon-field /icons/6; icon-field /icons/7; "
     "icon-field /icons/8; icon-field /icons/9; icon-field /icons/10; icon-field /icons/11; "
     "icon-field /icons/12; icon-field /icons/13; icon-field /icons/14; icon-field /icons/15; "
     "icon-field /icons/16; icon-field /icons/17; icon-field /icons/18; icon-field /icons/19; "
     "icon-field /icons/20; icon-field /icons/21; icon-field /icons/22; icon-field /icons/23; "
     "icon-field /icons/24; icon-field /icons/25; icon-field /icons/26; icon-field /icons/27; "
     "icon-field /icons/28; icon-field /icons/29; icon-field /icons/30; icon-field /icons/31"},
    {0, TOOL("\"_meta\":{\"-\\u202e\":1}"), "hidden-text /_meta/-\xe2\x80\xae; meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"-\\ud800\\udc00\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"-\\udb40\\udc01x y\":1}"),
     "hidden-text /_meta/-\xf3\xa0\x80\x81x y; meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"-a\\\"b\\\\\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"-\\ufffd\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"-9\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"-_\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"-Z\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"-{\":1}"), "meta-key /_meta"},
    {0, TOOL("\"_meta\":{\"-@\":1}"), "meta-key /_meta"},
    {0,
     TOOL("\"_meta\":{\"-"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\":1}"),
     "meta-key /_meta"},
    {0,
     TOOL("\"_meta\":{\"-"
          "\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u0"
          "0e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9"
          "\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u0"
          "0e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9"
          "\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u0"
          "0e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9"
          "\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\":1}"),
     "meta-key /_meta"},
};

static struct cupel_catalog *new_catalog(const struct field_case *c,
                                         const struct cupel_alloc *alloc)
{
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_catalog *catalog = NULL;
    cupel_catalog_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    if (c->profile != 0)
        options.profile = c->profile;
    if (alloc != NULL)
        engine.alloc = *alloc;
    (void)cupel_catalog_new(&options, &catalog);
    return catalog;
}

static enum cupel_status add(struct cupel_catalog *catalog, const struct field_case *c)
{
    char text[4096];
    int n = snprintf(text, sizeof text, "{\"tools\":[%s]}", c->definition);
    CHECK(n > 0 && (size_t)n < sizeof text);
    return cupel_catalog_add(catalog, text, (size_t)n, NULL);
}

static void list_problems(const struct cupel_tool *tool, struct cupel_text *text)
{
    cupel_text_clear(text);
    cupel_text_adds(text, "");
    for (uint32_t i = 0; i < tool->problem_count; i++) {
        const struct cupel_rule_problem *p = &tool->problems[i];
        cupel_text_addf(text, "%s%s %s", i != 0 ? "; " : "", p->rule, p->pointer);
    }
}

static void check_case(const struct field_case *c, struct cupel_text *text)
{
    struct cupel_catalog *catalog = new_catalog(c, NULL);
    if (CHECK_INT(add(catalog, c), CUPEL_OK)) {
        list_problems(cupel_catalog_tool(catalog, 0), text);
        if (!CHECK_STR(text->bytes, c->problems))
            fprintf(stderr, "    %s\n", c->definition);
    }
    cupel_catalog_free(catalog);
}

/* Whether the same rules are there; where a schema is wrong may be missing for want of memory. */
static bool same_rules(const char *got, const char *want)
{
    for (;; got += strcspn(got, ";"), want += strcspn(want, ";")) {
        size_t n = strcspn(want, " ");
        if (strcspn(got, " ") != n || memcmp(got, want, n) != 0)
            return false;
        if (*got == '\0' || *want == '\0')
            return *got == *want;
        got += n;
        want += n;
    }
}

/* Each allocation fails: the same problems are found, or there was no memory. */
static void check_memory(const struct field_case *c, struct cupel_text *text)
{
    for (unsigned long n = 1, more = 1; more; n++) {
        struct test_alloc failing = {.fail_at = n};
        struct cupel_alloc alloc = test_allocator(&failing);
        struct cupel_catalog *catalog = new_catalog(c, &alloc);
        enum cupel_status status = catalog != NULL ? add(catalog, c) : CUPEL_E_NO_MEMORY;
        more = failing.requests >= n;
        CHECK(status == CUPEL_OK || (more && status == CUPEL_E_NO_MEMORY));
        if (status == CUPEL_OK) {
            list_problems(cupel_catalog_tool(catalog, 0), text);
            CHECK(same_rules(text->bytes, c->problems));
        }
        cupel_catalog_free(catalog);
        CHECK_INT(failing.live, 0);
    }
}

int main(void)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case(&cases[i], &text);
        check_memory(&cases[i], &text);
    }
    cupel_text_free(&text);
    return test_end();
}
