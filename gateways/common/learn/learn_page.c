/* learn_page.c: one page of a list: where its tools are in the text.
 *
 * A definition with duplicate names costs its own tool only.  So a page with duplicates is read
 * again without that check, and the text around the definitions is checked by itself. */
#include "gateways/common/learn/learn_internal.h"

#include <stdlib.h>
#include <string.h>

static enum cupel_status make_document(const struct cupel_catalog_options *options, uint32_t flags,
                                       struct cupel_document **ret)
{
    struct cupel_options engine = *options->engine;
    engine.flags &= ~((uint32_t)CUPEL_INPUT_PADDED | CUPEL_ALLOW_DUPLICATE_KEYS);
    engine.flags |= flags;
    engine.limits[CUPEL_LIMIT_BODY_BYTES] = options->catalog_bytes;
    engine.limits[CUPEL_LIMIT_DEPTH] = options->catalog_depth;
    return cupel_document_new(&engine, ret);
}

static enum cupel_status read_text(const struct cupel_catalog_options *options, uint32_t flags,
                                   const char *text, size_t len, struct cupel_document **ret,
                                   struct cupel_error *err)
{
    cupel_document_free(*ret);
    *ret = NULL;
    enum cupel_status status = make_document(options, flags, ret);
    return status == CUPEL_OK ? cupel_document_read(*ret, text, len, err) : status;
}

/* The range of a node in the text. */
static struct cupel_gw_cut range_of(const struct cupel_document *doc, uint32_t node, size_t root_at,
                                    const char *root)
{
    struct cupel_gw_cut range;
    const char *span = cupel_json_span(doc, node, &range.len);
    range.at = root_at + (size_t)(span - root);
    return range;
}

/* Notes the range of each definition in the text, and after them the range of the whole array. */
static enum cupel_status find_items(struct page_text *page)
{
    struct cupel_document *doc = page->doc;
    uint64_t root_at;
    uint32_t line, column, list = page->page.tools, i = 0;
    size_t len;
    const char *root = cupel_json_span(doc, 0, &len);
    cupel_json_place(doc, 0, &root_at, &line, &column);
    page->count = cupel_json_count(doc, list);
    page->items = calloc((size_t)page->count + 1, sizeof(*page->items));
    if (page->items == NULL)
        return CUPEL_E_NO_MEMORY;
    uint32_t node = cupel_json_first(doc, list);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(doc, list, node))
        page->items[i++] = range_of(doc, node, (size_t)root_at, root);
    page->items[i] = range_of(doc, list, (size_t)root_at, root);
    return CUPEL_OK;
}

/* Whether the text is free of duplicate names outside the definitions: it is read again with an
 * empty array in place of the list. */
static enum cupel_status check_envelope(const struct cupel_catalog_options *options,
                                        const struct page_text *page, struct cupel_gw_text text,
                                        struct cupel_error *err)
{
    struct cupel_gw_cut list = page->items[page->count];
    struct cupel_document *doc = NULL;
    struct cupel_text rest;
    cupel_text_init(&rest, NULL);
    cupel_text_add(&rest, text.bytes, list.at);
    cupel_text_adds(&rest, "[]");
    cupel_text_add(&rest, text.bytes + list.at + list.len, text.len - list.at - list.len);
    enum cupel_status status = CUPEL_E_NO_MEMORY;
    if (!rest.failed)
        status = read_text(options, 0, rest.bytes, rest.len, &doc, err);
    cupel_document_free(doc);
    cupel_text_free(&rest);
    return status;
}

enum cupel_status page_read(const struct cupel_catalog_options *options, struct cupel_gw_text text,
                            struct page_text *ret, struct cupel_error *err)
{
    memset(ret, 0, sizeof(*ret));
    enum cupel_status status = read_text(options, 0, text.bytes, text.len, &ret->doc, err);
    bool duplicates = status == CUPEL_E_DUPLICATE_KEY;
    if (duplicates)
        status =
            read_text(options, CUPEL_ALLOW_DUPLICATE_KEYS, text.bytes, text.len, &ret->doc, err);
    if (status == CUPEL_OK)
        status = cupel_list_page_read(ret->doc, &ret->page, err);
    if (status == CUPEL_OK)
        status = find_items(ret);
    if (status == CUPEL_OK && duplicates)
        status = check_envelope(options, ret, text, err);
    return status;
}

void page_free(struct page_text *page)
{
    cupel_document_free(page->doc);
    free(page->items);
    page->doc = NULL;
    page->items = NULL;
}
