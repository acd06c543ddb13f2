/* peer.cc: RapidJSON's SchemaValidator in the protocol of driver.h.  From bytes it validates while
 * it reads, without a tree. */
#include "../driver.h"
#include <new>
#include <rapidjson/document.h>
#include <rapidjson/reader.h>
#include <rapidjson/schema.h>

using rapidjson::Document;
using rapidjson::SchemaDocument;
using rapidjson::SchemaValidator;

namespace
{
struct Program {
    Document text;
    SchemaDocument *schema;
    SchemaValidator *validator;
};
} // namespace

static void peer_start(void)
{
}

static void *peer_compile(const char *text, size_t len)
{
    Program *program = new Program;
    if (program->text.Parse(text, len).HasParseError()) {
        delete program;
        return NULL;
    }
    program->schema = new SchemaDocument(program->text);
    program->validator = new SchemaValidator(*program->schema);
    return program;
}

static void peer_free(void *p)
{
    Program *program = static_cast<Program *>(p);
    delete program->validator;
    delete program->schema;
    delete program;
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

static int peer_validate(void *p, void *document)
{
    SchemaValidator &validator = *static_cast<Program *>(p)->validator;
    validator.Reset();
    return static_cast<Document *>(document)->Accept(validator);
}

static int peer_judge(void *p, const char *text, size_t len)
{
    SchemaValidator &validator = *static_cast<Program *>(p)->validator;
    validator.Reset();
    rapidjson::MemoryStream bytes(text, len);
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
    rapidjson::Reader reader;
    bool whole = reader.Parse(stream, validator);
    return whole && validator.IsValid();
}
