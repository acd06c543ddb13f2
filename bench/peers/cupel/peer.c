/* peer.c: cupel in the protocol of driver.h. */
#include "../driver.h"
#include <cupel/cupel.h>

/* The largest schema of the sets is beyond what is taken from strangers by default. */
enum { SCHEMA_BYTES = 1 << 20 };

static struct cupel_options options;
static struct cupel_scratch *scratch;
static struct cupel_document *document;

static void peer_start(void)
{
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = SCHEMA_BYTES;
    if (cupel_scratch_new(&options, &scratch) != CUPEL_OK ||
        cupel_document_new(&options, &document) != CUPEL_OK)
        fail("no memory");
}

static void *peer_compile(const char *text, size_t len)
{
    struct cupel_program *program = NULL;
    return cupel_compile(text, len, &options, &program, NULL) == CUPEL_OK ? program : NULL;
}

static void peer_free(void *program)
{
    cupel_program_free((struct cupel_program *)program);
}

static int peer_read(const char *text, size_t len)
{
    return cupel_document_read(document, text, len, NULL) == CUPEL_OK;
}

static void *peer_keep(const char *text, size_t len)
{
    struct cupel_document *kept = NULL;
    if (cupel_document_new(&options, &kept) != CUPEL_OK ||
        cupel_document_read(kept, text, len, NULL) != CUPEL_OK)
        fail("a document is refused");
    return kept;
}

static int peer_validate(void *program, void *kept)
{
    return cupel_validate_node((const struct cupel_program *)program, scratch,
                               (struct cupel_document *)kept, 0, NULL) == CUPEL_VALID;
}

static int peer_judge(void *program, const char *text, size_t len)
{
    return cupel_validate((const struct cupel_program *)program, scratch, text, len, NULL) ==
           CUPEL_VALID;
}
