/* conformance_server.c: the tools that the official conformance suite asks a server for, as far as
 * they need nothing but calls and results. */
#include "server.h"

/* A red point, and silence. */
#define IMAGE                                                                          \
    "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":"                         \
    "\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQ" \
    "AAAABJRU5ErkJggg==\"}"
#define AUDIO                                                  \
    "{\"type\":\"audio\",\"mimeType\":\"audio/wav\",\"data\":" \
    "\"UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=\"}"
#define RESOURCE(uri, type, text)                                                   \
    "{\"type\":\"resource\",\"resource\":{\"uri\":\"" uri "\",\"mimeType\":\"" type \
    "\",\"text\":\"" text "\"}}"
#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"

#define TOOL(name, result)                                                        \
    static enum cupel_status name(struct cupel_document *doc, uint32_t arguments, \
                                  struct cupel_text *text)                        \
    {                                                                             \
        (void)doc;                                                                \
        (void)arguments;                                                          \
        cupel_text_adds(text, result);                                            \
        return CUPEL_OK;                                                          \
    }

TOOL(simple_text, "\"content\":[" TEXT("This is a simple text response for testing.") "]")
TOOL(image, "\"content\":[" IMAGE "]")
TOOL(audio, "\"content\":[" AUDIO "]")
TOOL(resource, "\"content\":[" RESOURCE("test://embedded-resource", "text/plain",
                                        "This is an embedded resource content.") "]")
TOOL(mixed, "\"content\":[" TEXT("Multiple content types test:") "," IMAGE "," RESOURCE(
                "test://mixed-content-resource", "application/json",
                "{\\\"test\\\":\\\"data\\\",\\\"value\\\":123}") "]")
TOOL(error, "\"isError\":true,\"content\":[" TEXT(
                "This tool intentionally returns an error for testing") "]")

static const struct cupel_declared_tool tools[] = {
    {.name = "test_simple_text", .description = "Returns a text."},
    {.name = "test_image_content", .description = "Returns an image."},
    {.name = "test_audio_content", .description = "Returns a sound."},
    {.name = "test_embedded_resource", .description = "Returns a resource."},
    {.name = "test_multiple_content_types", .description = "Returns several things."},
    {.name = "test_error_handling", .description = "Fails."},
    {.name = "json_schema_2020_12_tool",
     .description = "Has a schema with keywords of 2020-12.",
     .input_schema =
         "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","
         "\"$defs\":{\"address\":{\"type\":\"object\",\"properties\":{\"street\":{\"type\":"
         "\"string\"},\"city\":{\"type\":\"string\"}}}},\"properties\":{\"name\":{\"type\":"
         "\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"}},\"additionalProperties\":"
         "false}"},
};

static run_tool *const runs[] = {simple_text, image, audio, resource, mixed, error, simple_text};

int main(void)
{
    return serve(tools, runs, sizeof(tools) / sizeof(tools[0]));
}
