/* read.c: reading a JSON text: the limits, the memory, the two stages, and the error
 * report.
 *
 * The work itself is done in the files that json/reader.h lists.  Buffers are sized before a
 * stage runs, for the worst that the text can hold, so the stages test no capacity.  Up to SMALL
 * bytes the worst case depends on the length alone, and a document that has read such a text
 * never allocates for another that is not longer; beyond it the memory follows what has been
 * counted. */
#include "base/always.h"
#include "base/json/reader.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    SMALL = 16 * 1024,
    COPY_SLACK = CUPEL__READ_PADDING + 64, /* the scanner writes whole blocks */
    INDEX_ENTRY = sizeof(uint32_t) + 1     /* a position, and the byte there */
};

void cupel__doc_init(struct cupel__doc *doc, const struct cupel_alloc *alloc)
{
    *doc = (struct cupel__doc){.engine = &cupel__json_engines[cupel__scanner_best()],
                               .alloc = cupel__alloc_or_default(alloc)};
}

void cupel__doc_free(struct cupel__doc *doc)
{
    cupel__free(&doc->alloc, doc->nodes, doc->nodes_cap * sizeof *doc->nodes);
    cupel__free(&doc->alloc, doc->text, doc->text_cap);
    cupel__free(&doc->alloc, doc->side, doc->side_cap);
    cupel__free(&doc->alloc, doc->index, doc->index_cap * INDEX_ENTRY);
    *doc = (struct cupel__doc){.engine = doc->engine, .alloc = doc->alloc};
}

const char *cupel__json_scanner(void)
{
    return cupel__scanner_name(cupel__scanner_best());
}

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
    if (r->end_status == CUPEL_E_SYNTAX)
        return cupel__reader_fail(r, CUPEL_E_SYNTAX, r->end_offset,
                                  "a control character in a string must be escaped");
    return cupel__reader_fail(r, CUPEL_E_SYNTAX, r->len, "the text ends too early");
}

/* -- Memory ------------------------------------------------------------------------------------ */

/* The elements to allocate for `need` of them, or 0 if that is more than the limit: half as many
 * again as before, where the limit allows it. */
static size_t choose_cap(const struct cupel__reader *r, size_t cap, size_t need, size_t size)
{
    size_t limit = r->options->max_memory, others = r->doc->memory - cap * size;
    size_t room = limit == 0 ? PTRDIFF_MAX : limit < others ? 0 : limit - others;
    if (need > room / size)
        return 0;
    size_t want = cap + cap / 2 > need ? cap + cap / 2 : need;
    return want > room / size ? room / size : want;
}

/* Returns the array with room for `need` elements, or NULL when the read has failed. */
static void *reserve(struct cupel__reader *r, void *array, size_t *cap, size_t need, size_t size)
{
    if (__builtin_expect(need <= *cap, 1))
        return array;
    struct cupel__doc *doc = r->doc;
    size_t want = choose_cap(r, *cap, need, size);
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
    if (r->len <= SMALL)
        need = r->len;
    void *side = reserve(r, doc->side, &doc->side_cap, need + CUPEL__READ_PADDING, 1);
    if (side == NULL)
        return r->status;
    doc->side = side;
    doc->base[1] = side;
    return CUPEL_OK;
}

static bool reserve_index(struct cupel__reader *r, size_t need)
{
    struct cupel__doc *doc = r->doc;
    const size_t before = doc->index_cap;
    uint32_t *index =
        reserve(r, doc->index, &doc->index_cap, need + CUPEL__INDEX_SLACK, INDEX_ENTRY);
    if (index == NULL)
        return false;
    doc->index = index;
    doc->kinds = (char *)(index + doc->index_cap);
    if (before != doc->index_cap)
        memmove(doc->kinds, index + before, before);
    return true;
}

/* Each node but the root has a separator or an opening bracket before it and at least one entry
 * of its own, a container that is closed two; so n entries make (n + 1 + containers not closed)
 * / 2. */
static bool reserve_nodes(struct cupel__reader *r, uint32_t n)
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

/* Whether a text of this length needs no room that is not there. */
static bool is_ready(const struct cupel__reader *r)
{
    return r->len <= r->doc->ready && r->options->max_depth <= r->doc->ready_depth;
}

/* Room for the text, if it is copied, and for all that the stages need if it is at most SMALL. */
static bool reserve_text(struct cupel__reader *r)
{
    struct cupel__doc *doc = r->doc;
    if (!is_ready(r)) {
        if (!r->in_place && !reserve_copy(r))
            return false;
        if (r->len <= SMALL) {
            if (!reserve_copy(r) || !reserve_index(r, r->len) || !reserve_nodes(r, r->len))
                return false;
            doc->ready = r->len;
            doc->ready_depth = r->options->max_depth;
        }
    }
    doc->base[0] = r->in_place ? r->text : doc->text;
    return true;
}

/* -- The text ---------------------------------------------------------------------------------- */

/* Whether a text with padding can be read in place: no token can be cut off by its end and seem to
 * go on in the bytes after it, and none of these looks like the quote of a string. */
static bool ends_clearly(const char *text, size_t len)
{
    char last = len == 0 ? 'x' : text[len - 1];
    return (last == '}' || last == ']' || last == '"' || cupel__is_space(last)) && text[len] != '"';
}

/* A byte order mark is white space to the scanner or an error. */
static enum cupel_status take_mark(struct cupel__reader *r, struct cupel__scan *scan)
{
    if (r->len < 3 || memcmp(scan->text, "\xef\xbb\xbf", 3) != 0)
        return CUPEL_OK;
    if (!(r->options->flags & CUPEL__READ_BOM))
        return cupel__reader_fail(r, CUPEL_E_BOM, 0, "the text begins with a byte order mark");
    scan->mark = 7;
    return CUPEL_OK;
}

/* -- The stages -------------------------------------------------------------------------------- */

/* Stage 1 of a text that is longer than SMALL, in parts of that size, so that the index can grow
 * between them. */
static bool scan_parts(struct cupel__reader *r, struct cupel__scan *scan)
{
    uint32_t part, from = 0;
    for (; from < r->len && scan->status == CUPEL_OK; from += part) {
        part = r->len - from < SMALL ? r->len - from : SMALL;
        if (!reserve_index(r, scan->count + SMALL))
            return false;
        scan->index = r->doc->index;
        scan->kinds = r->doc->kinds;
        cupel__scan_run(scan, r->engine, from, from + part);
    }
    return reserve_nodes(r, (uint32_t)scan->count);
}

/* What the scanner did not come to after an error becomes white space: words of eight bytes that
 * begin before the error may reach into it. */
static __attribute__((noinline, cold)) void blank_rest(struct cupel__reader *r, uint32_t error)
{
    const uint32_t block = 64, from = (error / block + 1) * block;
    const uint32_t at = from < r->len ? from : r->len;
    memset(r->doc->text + at, ' ', r->len - at + CUPEL__READ_PADDING);
}

static __attribute__((noinline)) enum cupel_status build_index(struct cupel__reader *r)
{
    struct cupel__scan scan;
    r->in_place = (r->options->flags & CUPEL__READ_PADDED) && ends_clearly(r->text, r->len);
    cupel__scan_begin(&scan, r->text, r->len);
    if (take_mark(r, &scan) != CUPEL_OK || !reserve_text(r))
        return r->status;
    scan.copy = r->in_place ? NULL : r->doc->text;
    if (r->len > SMALL) {
        if (!scan_parts(r, &scan))
            return r->status;
    } else {
        scan.index = r->doc->index;
        scan.kinds = r->doc->kinds;
        cupel__scan_run(&scan, r->engine, 0, r->len);
    }
    if (scan.status != CUPEL_OK && scan.copy != NULL)
        blank_rest(r, scan.error);
    cupel__terminate_index(r, scan.count);
    r->end_status = scan.status;
    r->end_offset = scan.error;
    return CUPEL_OK;
}

/* Gives the containers that are still open an end, so that the tape can be walked. */
static void close_open(struct cupel__reader *r)
{
    struct cupel__node *nodes = r->doc->nodes;
    if (r->where == r->nodes)
        nodes[r->nodes++] = (struct cupel__node){.type = CUPEL__NULL};
    for (uint32_t i = r->open, parent; i != CUPEL__NO_NODE; i = parent) {
        parent = nodes[i].end;
        nodes[i].end = r->nodes;
    }
    r->doc->nnodes = r->nodes;
}

/* The length is the text's own: it may be one that the reader has no room for. */
static __attribute__((noinline, cold)) enum cupel_status fail(struct cupel__reader *r, size_t len)
{
    struct cupel_error *err = r->err;
    cupel__error_set(err, r->status, "%s", r->detail);
    cupel__error_set_position(err, r->text, len, r->offset);
    if (err != NULL && r->open != CUPEL__NO_NODE) {
        char pointer[2 * sizeof err->where];
        close_open(r);
        cupel__error_set_pointer(err, pointer,
                                 cupel__pointer_write(r->doc, r->where, pointer, sizeof pointer));
    }
    r->doc->nnodes = 0;
    return r->status;
}

static __attribute__((noinline, cold)) enum cupel_status fail_size(struct cupel__reader *r,
                                                                   size_t len)
{
    cupel__reader_fail(r, CUPEL_E_JSON_SIZE, 0, "the text is longer than the limit");
    return fail(r, len);
}

/* Any text, by both stages. */
static __attribute__((noinline)) enum cupel_status read_any(struct cupel__reader *r)
{
    enum cupel_status status = build_index(r);
    return status == CUPEL_OK ? r->engine->build(r) : status;
}

/* After a failure.  What follows a text in place may have taken part in it; behind a copy there is
 * nothing. */
static __attribute__((noinline, cold)) enum cupel_status read_again(struct cupel__reader *r)
{
    const size_t len = r->len;
    if (!r->in_place)
        return fail(r, len);
    r->copied = *r->options;
    r->copied.flags &= ~(uint32_t)CUPEL__READ_PADDED;
    r->options = &r->copied;
    r->doc->side_used = 0;
    r->side_need = 0;
    r->dead = false;
    r->open = CUPEL__NO_NODE;
    return read_any(r) == CUPEL_OK ? CUPEL_OK : fail(r, len);
}

/* Whether a text can be tried as a short one: it needs no room that is not there. */
INLINE bool is_short(const struct cupel__reader *r)
{
    return r->len <= CUPEL__SHORT && is_ready(r);
}

/* What the stages do not set themselves, member by member, as in cupel__scan_begin. */
INLINE void begin(struct cupel__reader *r, struct cupel__doc *doc, const char *text, size_t len,
                  const struct cupel__read_options *options,
                  const struct cupel__json_engine *engine)
{
    r->doc = doc;
    r->options = options;
    r->engine = engine;
    r->text = text;
    r->len = doc->len = (uint32_t)len;
    r->in_place = r->dead = false;
    r->open = CUPEL__NO_NODE;
    r->end_status = CUPEL_OK;
    r->side_need = doc->side_used = 0;
}

INLINE enum cupel_status read_with(struct cupel__doc *doc, const char *text, size_t len,
                                   const struct cupel__read_options *options,
                                   struct cupel_error *err, const struct cupel__json_engine *engine)
{
    struct cupel__reader r;
    enum cupel_status status;
    begin(&r, doc, text, len, options, engine);
    r.err = err;
    TESTCASE(len == options->max_bytes);
    if (len > options->max_bytes || len >= UINT32_MAX)
        return fail_size(&r, len);
    if (is_short(&r) && engine->scan_short(&r))
        status = r.engine->build(&r);
    else
        status = read_any(&r);
    return status == CUPEL_OK ? CUPEL_OK : read_again(&r);
}

bool cupel__json_scan_short(struct cupel__doc *doc, const char *text, size_t len,
                            const struct cupel__read_options *options, uint32_t *ret_tokens)
{
    struct cupel__reader r;
    if (len > CUPEL__SHORT || len > options->max_bytes || (options->flags & CUPEL__READ_PORTABLE))
        return false;
    begin(&r, doc, text, len, options, doc->engine);
    if (!is_short(&r) || !r.engine->scan_short(&r))
        return false;
    doc->nnodes = 0;
    *ret_tokens = r.nindex;
    return true;
}

enum cupel_status cupel__json_build_tape(struct cupel__doc *doc, uint32_t tokens,
                                         const struct cupel__read_options *options,
                                         struct cupel_error *err)
{
    struct cupel__reader r;
    begin(&r, doc, doc->base[0], doc->len, options, doc->engine);
    r.nindex = tokens;
    r.err = err;
    return r.engine->build(&r) == CUPEL_OK ? CUPEL_OK : read_again(&r);
}

enum cupel_status cupel__json_read_with(struct cupel__doc *doc, enum cupel__scanner scanner,
                                        const char *text, size_t len,
                                        const struct cupel__read_options *options,
                                        struct cupel_error *err)
{
    return read_with(doc, text, len, options, err, &cupel__json_engines[scanner]);
}

enum cupel_status cupel__json_read(struct cupel__doc *doc, const char *text, size_t len,
                                   const struct cupel__read_options *options,
                                   struct cupel_error *err)
{
    const struct cupel__json_engine *engine = doc->engine;
    if (options->flags & CUPEL__READ_PORTABLE)
        engine = &cupel__json_engines[CUPEL__SCAN_PORTABLE];
    return read_with(doc, text, len, options, err, engine);
}
