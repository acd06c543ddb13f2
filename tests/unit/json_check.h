/* json_check.h: what must hold of every read, for the tests and the fuzz target of the JSON reader.
 *
 * Each check returns NULL or says what is wrong. */
#ifndef CUPEL_JSON_CHECK_H
#define CUPEL_JSON_CHECK_H

#include "base/json/reader.h"
#include "base/utf8.h"
#include <stdlib.h>

/* Limits that no test reaches by accident. */
static inline struct cupel__read_options check_options(uint32_t flags)
{
    return (struct cupel__read_options){flags, 1000, 1000, UINT32_MAX, 0};
}

/* The children of container i fill it and are as many as it says. */
static inline const char *check_container(const struct cupel__doc *doc, uint32_t i)
{
    const struct cupel__node *nodes = doc->nodes;
    uint32_t count = 0, child = i + 1;
    for (; child < nodes[i].end; count++) {
        if (nodes[i].type == CUPEL__OBJECT) {
            if (nodes[child].type != CUPEL__STRING || !(nodes[child].flags & CUPEL__KEY))
                return "a member does not begin with a key";
            child++;
        }
        if (child >= nodes[i].end || nodes[child].flags & CUPEL__KEY)
            return "a value is missing";
        child = cupel__node_next(nodes, child);
    }
    if (child != nodes[i].end)
        return "a child reaches past its container";
    return count == nodes[i].count ? NULL : "a count is wrong";
}

static inline const char *check_node(struct cupel__doc *doc, uint32_t i)
{
    struct cupel__node *node = &doc->nodes[i];
    struct cupel__str span = cupel__doc_span(doc, i);
    if (node->type >= CUPEL__TYPES)
        return "a type is none";
    if (span.p < doc->base[0] || span.p + span.n > doc->base[0] + doc->len || span.n == 0)
        return "a span is not in the text";
    if (node->type == CUPEL__REAL && !(node->flags & CUPEL__BIG) &&
        (node->exp >= 0 || node->i % 10 == 0))
        return "a real is not normalised";
    if (node->type < CUPEL__STRING && node->type != CUPEL__REAL && node->exp != 0)
        return "an exponent is not 0";
    if (node->type >= CUPEL__ARRAY)
        return node->end > i && node->end <= doc->nnodes ? check_container(doc, i)
                                                         : "a container has no end";
    if (node->type != CUPEL__STRING && node->type != CUPEL__ESCAPED)
        return NULL;
    struct cupel__str s = cupel__doc_str(doc, node);
    if (doc->side_used + (size_t)CUPEL__READ_PADDING > doc->side_cap && doc->side_used != 0)
        return "the side buffer is too small";
    return cupel__utf8_valid(s.p, s.n) ? NULL : "a string is not UTF-8";
}

/* What json/tape.h promises of a tape.  Decodes all strings. */
static inline const char *check_tape(struct cupel__doc *doc)
{
    const char *wrong = doc->nnodes == 0 ? "no root" : NULL;
    if (wrong == NULL && cupel__node_next(doc->nodes, 0) != doc->nnodes)
        wrong = "the root is not everything";
    for (uint32_t i = 0; wrong == NULL && i < doc->nnodes; i++)
        wrong = check_node(doc, i);
    return wrong;
}

/* Two documents that were read from the same text. */
static inline const char *check_same(const struct cupel__doc *a, const struct cupel__doc *b)
{
    if (a->nnodes != b->nnodes || a->depth != b->depth || a->side_used != b->side_used)
        return "the sizes differ";
    if (a->nnodes != 0 && memcmp(a->nodes, b->nodes, a->nnodes * sizeof *a->nodes) != 0)
        return "the nodes differ";
    if (a->side_used != 0 && memcmp(a->side, b->side, a->side_used) != 0)
        return "the decoded strings differ";
    return NULL;
}

static inline const char *check_same_error(const struct cupel_error *a, const struct cupel_error *b)
{
    if (a->status != b->status || a->offset != b->offset || a->line != b->line ||
        a->column != b->column)
        return "the errors differ";
    if (strcmp(a->where, b->where) != 0 || strcmp(a->detail, b->detail) != 0)
        return "the errors' words differ";
    return NULL;
}

/* One reading of `text`, which has n bytes, compared with the document and error of another. */
static inline const char *check_against(const struct cupel__doc *want,
                                        const struct cupel_error *want_err,
                                        enum cupel__scanner scanner, const char *text, size_t n,
                                        const struct cupel__read_options *options)
{
    struct cupel__doc doc;
    struct cupel_error err = {0};
    cupel__doc_init(&doc, NULL);
    enum cupel_status status = cupel__json_read_with(&doc, scanner, text, n, options, &err);
    const char *wrong = status != err.status ? "the status is not the error's" : NULL;
    if (wrong == NULL)
        wrong = check_same_error(&err, want_err);
    if (wrong == NULL)
        wrong = check_same(&doc, want);
    if (wrong == NULL && status == CUPEL_OK)
        wrong = check_tape(&doc);
    cupel__doc_free(&doc);
    return wrong;
}

/* Copies the text to a place that is `shift` bytes off a multiple of 64, with `filler` all around.
 */
static inline char *check_copy(const char *text, size_t n, unsigned shift, char filler,
                               void **ret_block)
{
    size_t size = n + shift + 64 + CUPEL__READ_PADDING;
    char *block = malloc(size);
    if (block == NULL)
        abort();
    memset(block, filler, size);
    char *copy = block + (64 - ((uintptr_t)block & 63)) % 64 + shift;
    if (n != 0)
        memcpy(copy, text, n);
    *ret_block = block;
    return copy;
}

/* Reads a text with every scanner, copied and in place; what follows the text in memory must not
 * matter.  *ret_status is what it came to. */
static inline const char *check_read(const char *text, size_t n, unsigned shift,
                                     struct cupel__read_options options,
                                     enum cupel_status *ret_status)
{
    static const char fillers[] = "]}1\" \\\xff";
    struct cupel__doc doc;
    struct cupel_error err = {0};
    cupel__doc_init(&doc, NULL);
    enum cupel_status status =
        cupel__json_read_with(&doc, CUPEL__SCAN_PORTABLE, text, n, &options, &err);
    const char *wrong = status == CUPEL_OK && err.line != 0 ? "an error without failure" : NULL;
    for (int s = 0; wrong == NULL && s < CUPEL__SCANNERS; s++) {
        if (!cupel__scanner_supported((enum cupel__scanner)s))
            continue;
        void *block;
        char filler = fillers[(n + shift + (unsigned)s) % (sizeof fillers - 1)];
        const char *copy = check_copy(text, n, shift, filler, &block);
        struct cupel__read_options padded = options;
        padded.flags |= CUPEL__READ_PADDED;
        wrong = check_against(&doc, &err, (enum cupel__scanner)s, copy, n, &options);
        if (wrong == NULL)
            wrong = check_against(&doc, &err, (enum cupel__scanner)s, copy, n, &padded);
        free(block);
    }
    cupel__doc_free(&doc);
    *ret_status = status;
    return wrong;
}

#endif
