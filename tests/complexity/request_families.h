/* request_families.h: requests to a gateway that are made to cost much: fields of HTTP and names of
 * arguments.  requests.c measures how their cost grows, law_mcp.c the instructions for each byte.
 *
 * A family writes a schema, fields and arguments of size n. */
#ifndef CUPEL_TESTS_REQUEST_FAMILIES_H
#define CUPEL_TESTS_REQUEST_FAMILIES_H

#include <cupel/catalog.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 1 << 16 };

/* What is sent. */
struct request {
    struct cupel_text schema, names, arguments; /* names: of fields, each followed by a NUL */
    struct cupel_header fields[MOST_FIELDS];
    size_t field_count, field_names[MOST_FIELDS]; /* where each name begins in `names` */
    const char *value;                            /* of every field but Content-Type */
};

static void add_field(struct request *r, const char *name)
{
    r->field_names[r->field_count++] = r->names.len;
    cupel_text_add(&r->names, name, strlen(name) + 1);
}

static void add_fields(struct request *r, unsigned n, const char *prefix)
{
    char name[64];
    for (unsigned i = 0; i < n; i++) {
        snprintf(name, sizeof(name), "%s%u", prefix, i);
        add_field(r, name);
    }
}

static void distinct_fields(struct request *r, unsigned n)
{
    add_fields(r, n, "Mcp-Param-");
}

static void other_fields(struct request *r, unsigned n)
{
    add_fields(r, n, "X-");
}

/* Names that begin alike and end in the same place of a table of any size up to 2^14, if the table
 * is found by FNV-1a: only names whose hash has 14 zero bits are taken. */
static void colliding_fields(struct request *r, unsigned n)
{
    char name[64];
    for (unsigned i = 0; r->field_count < n; i++) {
        uint32_t hash = 2166136261u;
        snprintf(name, sizeof(name), "mcp-param-%u", i);
        for (const char *c = name; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * 16777619u;
        if (((hash ^ hash >> 15) & 0x3FFF) == 0)
            add_field(r, name);
    }
}

/* Each declared header parameter is looked for among as many fields. */
static void declared_fields(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"properties\":{");
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(&r->schema, "%s\"p%u\":{\"type\":\"string\",\"x-mcp-header\":\"H%u\"}",
                        i != 0 ? "," : "", i, i);
    cupel_text_adds(&r->schema, "}}");
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(&r->arguments, "%s\"p%u\":\"v\"", i != 0 ? "," : "", i);
    add_fields(r, n, "Mcp-Param-H");
}

static void names_of(struct cupel_text *text, unsigned n, const char *prefix, const char *value)
{
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(text, "%s\"%s%u\":%s",
                        text->len != 0 && text->bytes[text->len - 1] != '{' ? "," : "", prefix, i,
                        value);
}

static void undeclared_names(struct request *r, unsigned n)
{
    names_of(&r->arguments, n, "PATH", "1");
}

static void declared_and_undeclared(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"properties\":{");
    names_of(&r->schema, n, "name", "{}");
    cupel_text_adds(&r->schema, "}}");
    names_of(&r->arguments, n, "other", "1");
}

static void branches(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"allOf\":[true");
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(&r->schema, ",{\"properties\":{\"name%u\":{}}}", i);
    cupel_text_adds(&r->schema, "]}");
    names_of(&r->arguments, n, "other", "1");
}

static void small_objects(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"properties\":{\"list\":{\"items\":{"
                                "\"properties\":{\"path\":{},\"other\":{}}}}}}");
    cupel_text_adds(&r->arguments, "\"list\":[0");
    for (unsigned i = 0; i < n; i++)
        cupel_text_adds(&r->arguments, ",{\"path\":1,\"more\":2}");
    cupel_text_adds(&r->arguments, "]");
}

/* A name of letters whose folding is longer than they are. */
static void long_name(struct request *r, unsigned n)
{
    cupel_text_adds(&r->arguments, "\"");
    for (unsigned i = 0; i < n; i++)
        cupel_text_adds(&r->arguments, "\\u0149\xEF\xAC\x83");
    cupel_text_adds(&r->arguments, "\":1");
}

static void patterns(struct request *r, unsigned n)
{
    cupel_text_clear(&r->schema);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"properties\":{\"path\":{}},"
                                "\"patternProperties\":{\"^x[0-9]*$\":{},\"(a|b)+c\":{}}}");
    names_of(&r->arguments, n, "abab", "1");
}

static const struct request_family {
    const char *name;
    void (*write)(struct request *r, unsigned n);
    unsigned n;
} request_families[] = {
    {"distinct fields", distinct_fields, 250},
    {"other fields", other_fields, 250},
    {"colliding fields", colliding_fields, 250},
    {"declared fields", declared_fields, 100},
    {"undeclared names", undeclared_names, 1000},
    {"declared and undeclared names", declared_and_undeclared, 400},
    {"names of branches", branches, 200},
    {"small objects", small_objects, 1000},
    {"a long name", long_name, 1000},
    {"names and patterns", patterns, 500},
};

/* The fields' names and values, and a Content-Type behind them. */
static void set_fields(struct request *r)
{
    for (size_t i = 0; i < r->field_count; i++) {
        const char *name = r->names.bytes + r->field_names[i];
        r->fields[i] = (struct cupel_header){name, strlen(name), r->value, strlen(r->value)};
    }
    r->fields[r->field_count++] = (struct cupel_header){"Content-Type", 12, "application/json", 16};
}

/* Begins a request whose tool has the parameters `path` and `name`. */
static void begin_request(struct request *r)
{
    memset(r, 0, sizeof(*r));
    r->value = "v";
    cupel_text_init(&r->schema, NULL);
    cupel_text_init(&r->names, NULL);
    cupel_text_init(&r->arguments, NULL);
    cupel_text_adds(&r->schema, "{\"type\":\"object\",\"properties\":{\"path\":{},\"name\":{}}}");
}

/* Appends the JSON-RPC request. */
static void write_request(const struct request *r, struct cupel_text *body)
{
    cupel_text_adds(body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                          "\"name\":\"t\",\"arguments\":{");
    if (r->arguments.len != 0)
        cupel_text_add(body, r->arguments.bytes, r->arguments.len);
    cupel_text_adds(body, "}}}");
}

static void end_request(struct request *r)
{
    cupel_text_free(&r->schema);
    cupel_text_free(&r->names);
    cupel_text_free(&r->arguments);
}

#endif
