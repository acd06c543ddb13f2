/* target.c: documents that are built, against the reading of their text.
 *
 * The input is a byte of options and a JSON text, which is read and built again; then bytes, each
 * of which is a call of the builder in an order that need not make sense. */
#include "../target.h"
#include "../../tests/unit/rebuild.h"
#include <cupel/cupel.h>
#include <string.h>

/* What was built has a text; reading that gives an equal document with equal spans. */
static void compare(struct cupel_document *built, struct cupel_document *read)
{
    size_t len, other;
    const char *text = cupel_json_span(built, 0, &len);
    require(cupel_document_read(read, text, len, NULL) == CUPEL_OK);
    require(cupel_json_equal(built, 0, read, 0) != 0);
    const char *again = cupel_json_span(read, 0, &other);
    require(other == len && memcmp(text, again, len) == 0);
    require(cupel_json_count(built, 0) == cupel_json_count(read, 0));
}

static void call(struct cupel_document *doc, uint8_t what, const uint8_t *data, size_t size)
{
    size_t len = size < (what >> 4) ? size : what >> 4;
    double value = 0;
    if (len >= sizeof value)
        memcpy(&value, data, sizeof value);
    switch (what & 15) {
    case 0:
    case 1:
        (void)cupel_document_open_object(doc);
        break;
    case 2:
        (void)cupel_document_open_array(doc);
        break;
    case 3:
    case 4:
        (void)cupel_document_close(doc);
        break;
    case 5:
    case 6:
    case 7:
        (void)cupel_document_add_name(doc, (const char *)data, len);
        break;
    case 8:
    case 9:
        (void)cupel_document_add_string(doc, (const char *)data, len);
        break;
    case 10:
        (void)cupel_document_add_number(doc, (const char *)data, len);
        break;
    case 11:
        (void)cupel_document_add_double(doc, value);
        break;
    case 12:
        (void)cupel_document_add_integer(doc,
                                         what >> 4 & 1 ? (int64_t)what * 1000 : INT64_MIN + what);
        break;
    case 13:
        (void)cupel_document_add_unsigned(doc, UINT64_MAX - what);
        break;
    case 14:
        (void)cupel_document_add_boolean(doc, what >> 4);
        break;
    default:
        (void)cupel_document_add_null(doc);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cupel_document *built = NULL, *read = NULL;
    struct cupel_options options;
    struct cupel_error err;
    if (size == 0)
        return 0;
    cupel_options_init(&options);
    options.flags |= data[0] & 1 ? CUPEL_ALLOW_DUPLICATE_KEYS : 0;
    require(cupel_document_new(&options, &built) == CUPEL_OK);
    require(cupel_document_new(&options, &read) == CUPEL_OK);
    if (cupel_document_read(read, (const char *)data + 1, size - 1, NULL) == CUPEL_OK) {
        cupel_document_begin(built);
        rebuild_value(read, 0, built);
        require(cupel_document_end(built, &err) == CUPEL_OK);
        require(cupel_json_equal(built, 0, read, 0) != 0);
        compare(built, read);
    }
    cupel_document_begin(built);
    for (size_t i = 1; i < size; i++)
        call(built, data[i], data + i + 1, size - i - 1);
    if (cupel_document_end(built, &err) == CUPEL_OK)
        compare(built, read);
    cupel_document_free(built);
    cupel_document_free(read);
    return 0;
}
