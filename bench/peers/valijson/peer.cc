/* peer.cc: valijson over RapidJSON's tree, in the protocol of driver.h. */
#define VALIJSON_USE_EXCEPTIONS 1 /* a schema that is not taken throws; otherwise the process would end */
#include "../driver.h"
#include <rapidjson/document.h>
#include <valijson/adapters/rapidjson_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

using rapidjson::Document;
using valijson::adapters::RapidJsonAdapter;

static valijson::Validator *validator;

static void peer_start(void)
{
    validator = new valijson::Validator;
}

static void *peer_compile(const char *text, size_t len)
{
    Document document;
    if (document.Parse(text, len).HasParseError())
        return NULL;
    valijson::Schema *schema = new valijson::Schema;
    try {
        valijson::SchemaParser parser;
        parser.populateSchema(RapidJsonAdapter(document), *schema);
        return schema;
    } catch (const std::exception &) {
        delete schema;
        return NULL;
    }
}

static void peer_free(void *program)
{
    delete static_cast<valijson::Schema *>(program);
}

static int peer_read(const char *text, size_t len)
{
    Document document;
    return !document.Parse(text, len).HasParseError();
}

static void *peer_keep(const char *text, size_t len)
{
    Document *document = new Document;
    if (document->Parse(text, len).HasParseError())
        fail("a document is refused");
    return document;
}

static int validate(void *program, const Document &document)
{
    try {
        return validator->validate(*static_cast<valijson::Schema *>(program),
                                   RapidJsonAdapter(document), NULL);
    } catch (const std::exception &) {
        return 0;
    }
}

static int peer_validate(void *program, void *document)
{
    return validate(program, *static_cast<Document *>(document));
}

static int peer_judge(void *program, const char *text, size_t len)
{
    Document document;
    return !document.Parse(text, len).HasParseError() && validate(program, document);
}
