/* reader.c: what every stage of the JSON reader needs: notes of a failure, and the buffers.
 *
 * Buffers are sized before a stage runs, for the most that the text can need, so the stages test no
 * capacity.  Up to CUPEL__SMALL_TEXT bytes that depends on the length of the text alone: a document
 * that has read one such text allocates nothing for another that is not longer.  Beyond it, memory
 * follows the tokens that stage 1 has counted.
 *
 * All buffers count against max_memory of the read options; `memory` of the document is their sum.
 */
#include "base/json/reader.h"

enum {
    COPY_SLACK = CUPEL__READ_PADDING + 64 /* the scanner writes whole blocks */
};

/* -- Failing ----------------------------------------------------------------------------------- */

enum cupel_status cupel__reader_fail(struct cupel__reader *r, enum cupel_status status,
                                     uint32_t offset, const char *detail)
{
    r->status = status;
    r->offset = offset;
    r->detail = detail;
    return status;
}

enum cupel_status cupel__reader_fail_end(struct cupel__reader *r)
{
    if (r->end_status == CUPEL_E_UTF8)
        return cupel__reader_fail(r, CUPEL_E_UTF8, r->end_offset, "this byte is not UTF-8");
    if (r->end_status == CUPEL_E_SURROGATE)
        return cupel__reader_fail(r, CUPEL_E_SURROGATE, r->end_offset,
                                  "half of a surrogate pair stands alone");
    if (r->end_status == CUPEL_E_SYNTAX && r->text[r->end_offset] == '\\')
        return cupel__reader_fail(r, CUPEL_E_SYNTAX, r->end_offset,
                                  "this is no escape sequence of JSON");
    if (r->end_status == CUPEL_E_SYNTAX)
        return cupel__reader_fail(r, CUPEL_E_SYNTAX, r->end_offset,
                                  "a control character in a string must be escaped");
    return cupel__reader_fail(r, CUPEL_E_SYNTAX, r->len, "the text ends too early");
}

/* -- Memory ------------------------------------------------------------------------------------ */

/* The capacity to allocate for `need` elements: half as much again as before, where the limit
 * allows that.  0 if the limit does not allow `need`. */
static size_t choose_capacity(const struct cupel__reader *r, size_t cap, size_t need, size_t size)
{
    size_t limit = r->options->max_memory, others = r->doc->memory - cap * size;
    size_t available = limit == 0 ? PTRDIFF_MAX : limit < others ? 0 : limit - others;
    if (need > available / size)
        return 0;
    size_t want = cap + cap / 2 > need ? cap + cap / 2 : need;
    return want > available / size ? available / size : want;
}

/* Returns the array, grown to hold `need` elements, or NULL when the read has failed. */
static void *reserve(struct cupel__reader *r, void *array, size_t *cap, size_t need, size_t size)
{
    if (__builtin_expect(need <= *cap, 1))
        return array;
    struct cupel__doc *doc = r->doc;
    size_t want = choose_capacity(r, *cap, need, size);
    if (want == 0) {
        cupel__reader_fail(r, CUPEL_E_LIMIT_MEMORY, 0,
                           "the document needs more memory than allowed");
        return NULL;
    }
    void *grown = cupel__realloc(&doc->alloc, array, *cap * size, want * size);
    if (grown == NULL) {
        cupel__reader_fail(r, CUPEL_E_NO_MEMORY, 0, "no memory for the document");
        return NULL;
    }
    doc->memory += (want - *cap) * size;
    *cap = want;
    return grown;
}

enum cupel_status cupel__side_reserve(struct cupel__reader *r, size_t need)
{
    struct cupel__doc *doc = r->doc;
    if (r->len <= CUPEL__SMALL_TEXT)
        need = r->len;
    void *side = reserve(r, doc->side, &doc->side_cap, need + CUPEL__READ_PADDING, 1);
    if (side == NULL)
        return r->status;
    doc->side = side;
    doc->base[1] = side;
    return CUPEL_OK;
}

bool cupel__reader_reserve_index(struct cupel__reader *r, size_t need)
{
    struct cupel__doc *doc = r->doc;
    const size_t before = doc->index_cap;
    uint32_t *index =
        reserve(r, doc->index, &doc->index_cap, need + CUPEL__INDEX_SLACK, CUPEL__INDEX_ENTRY);
    if (index == NULL)
        return false;
    doc->index = index;
    doc->kinds = (char *)(index + doc->index_cap);
    if (before != doc->index_cap)
        memmove(doc->kinds, index + before, before);
    return true;
}

/* Each node but the root has a separator or an opening bracket before it and at least one entry of
 * its own; a container that is closed has two.  So n entries make at most
 * (n + 1 + containers that stay open) / 2 nodes, and no more than max_depth stay open. */
bool cupel__reader_reserve_nodes(struct cupel__reader *r, uint32_t n)
{
    struct cupel__doc *doc = r->doc;
    size_t depth = n < r->options->max_depth ? n : r->options->max_depth;
    void *nodes =
        reserve(r, doc->nodes, &doc->nodes_cap, (n + 1 + depth) / 2 + 8, sizeof *doc->nodes);
    if (nodes == NULL)
        return false;
    doc->nodes = nodes;
    return true;
}

static bool reserve_copy(struct cupel__reader *r)
{
    struct cupel__doc *doc = r->doc;
    char *copy = reserve(r, doc->text, &doc->text_cap, r->len + COPY_SLACK, 1);
    if (copy == NULL)
        return false;
    doc->text = copy;
    return true;
}

bool cupel__reader_reserve_text(struct cupel__reader *r)
{
    struct cupel__doc *doc = r->doc;
    if (!cupel__reader_is_reserved(r)) {
        if (!r->in_place && !reserve_copy(r))
            return false;
        if (r->len <= CUPEL__SMALL_TEXT) {
            if (!reserve_copy(r) || !cupel__reader_reserve_index(r, r->len) ||
                !cupel__reader_reserve_nodes(r, r->len))
                return false;
            doc->reserved_len = r->len;
            doc->reserved_depth = r->options->max_depth;
        }
    }
    doc->base[0] = r->in_place ? r->text : doc->text;
    return true;
}

void cupel__doc_free(struct cupel__doc *doc)
{
    cupel__free(&doc->alloc, doc->nodes, doc->nodes_cap * sizeof *doc->nodes);
    cupel__free(&doc->alloc, doc->text, doc->text_cap);
    cupel__free(&doc->alloc, doc->side, doc->side_cap);
    cupel__free(&doc->alloc, doc->index, doc->index_cap * CUPEL__INDEX_ENTRY);
    *doc = (struct cupel__doc){.engine = doc->engine, .alloc = doc->alloc};
}
