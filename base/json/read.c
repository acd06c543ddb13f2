/* read.c: the entry of the JSON reader: the two stages in order, and the error report.
 *
 *     text ── stage 1: scan ──▶ index of tokens ── stage 2: build ──▶ tape
 *
 * A text of at most CUPEL__SHORT bytes is first tried by the scanner's path for texts without
 * escapes and without bytes beyond ASCII.  Whatever that path refuses, and every longer text, goes
 * through read_any.
 *
 * Invariants: a stage runs only when its buffers hold the most that it can write (json/reader.c).
 * The bytes after the text, as the stages see it, are white space or cannot be taken for a part of
 * it.  After a failure the document is empty. */
#include "base/always.h"
#include "base/error.h"
#include "base/json/reader.h"

#define INLINE static inline __attribute__((always_inline))

void cupel__doc_init(struct cupel__doc *doc, const struct cupel_alloc *alloc)
{
    *doc = (struct cupel__doc){.engine = &cupel__json_engines[cupel__scanner_best()],
                               .alloc = cupel__alloc_or_default(alloc)};
}

const char *cupel__json_scanner(void)
{
    return cupel__scanner_name(cupel__scanner_best());
}

/* -- The text ---------------------------------------------------------------------------------- */

/* Whether a text can be read in place although the bytes behind it are the host's: its last byte
 * ends a token, so no token seems to continue there, and the next byte is not a quote. */
static bool ends_with_token(const char *text, size_t len)
{
    char last = len == 0 ? 'x' : text[len - 1];
    return (last == '}' || last == ']' || last == '"' || cupel__is_space(last)) && text[len] != '"';
}

/* A byte order mark (U+FEFF, three bytes of UTF-8) is an error, or with CUPEL__READ_BOM white space
 * to the scanner. */
static enum cupel_status check_bom(struct cupel__reader *r, struct cupel__scan *scan)
{
    if (r->len < 3 || memcmp(scan->text, "\xef\xbb\xbf", 3) != 0)
        return CUPEL_OK;
    if (!(r->options->flags & CUPEL__READ_BOM))
        return cupel__reader_fail(r, CUPEL_E_BOM, 0, "the text begins with a byte order mark");
    scan->bom = 7;
    return CUPEL_OK;
}

/* -- The stages -------------------------------------------------------------------------------- */

/* Stage 1 of a text longer than CUPEL__SMALL_TEXT, in parts of that size: the index grows between
 * them as tokens are found, and is not sized for a text of nothing but tokens. */
static bool scan_parts(struct cupel__reader *r, struct cupel__scan *scan)
{
    uint32_t part, from = 0;
    for (; from < r->len && scan->status == CUPEL_OK; from += part) {
        part = r->len - from < CUPEL__SMALL_TEXT ? r->len - from : CUPEL__SMALL_TEXT;
        if (!cupel__reader_reserve_index(r, scan->count + CUPEL__SMALL_TEXT))
            return false;
        scan->index = r->doc->index;
        scan->kinds = r->doc->kinds;
        cupel__scan_run(scan, r->engine, from, from + part);
    }
    return cupel__reader_reserve_nodes(r, (uint32_t)scan->count);
}

/* Fills the copy with white space from the first block that the scanner did not reach.  Stage 2
 * reads words of eight bytes, and one that begins before the error may extend there. */
static __attribute__((noinline, cold)) void blank_rest(struct cupel__reader *r, uint32_t error)
{
    const uint32_t block = 64, from = (error / block + 1) * block;
    const uint32_t at = from < r->len ? from : r->len;
    memset(r->doc->text + at, ' ', r->len - at + CUPEL__READ_PADDING);
}

/* Stage 1 of any text: chooses whether the text is copied, sizes the buffers, scans.  An error of
 * the scanner is not yet a failure: stage 2 may find one before it. */
static __attribute__((noinline)) enum cupel_status build_index(struct cupel__reader *r)
{
    struct cupel__scan scan;
    r->in_place = (r->options->flags & CUPEL__READ_PADDED) && ends_with_token(r->text, r->len);
    cupel__scan_begin(&scan, r->text, r->len);
    if (check_bom(r, &scan) != CUPEL_OK || !cupel__reader_reserve_text(r))
        return r->status;
    scan.copy = r->in_place ? NULL : r->doc->text;
    if (r->len > CUPEL__SMALL_TEXT) {
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

/* Ends the containers that are still open, so that a JSON Pointer can be written.  Until a
 * container is closed, its `end` is the container around it. */
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

/* Fills the error and empties the document.  `len` is the length of the text itself: one that is
 * over the limit has no valid r->len. */
static __attribute__((noinline, cold)) enum cupel_status fail(struct cupel__reader *r, size_t len)
{
    struct cupel_error *err = r->err;
    if (r->status == CUPEL_E_JSON_SIZE && len < UINT32_MAX)
        cupel__error_set(err, r->status, "the text has %zu bytes, the limit is %zu", len,
                         r->options->max_bytes);
    else if (r->status == CUPEL_E_JSON_DEPTH)
        cupel__error_set(err, r->status, "the text is nested deeper than %u levels",
                         (unsigned)r->options->max_depth);
    else if (r->status == CUPEL_E_NUMBER_SIZE)
        cupel__error_set(err, r->status, "%s: the limit is %u characters", r->detail,
                         (unsigned)r->options->max_number);
    else
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

/* Reads any text. */
static __attribute__((noinline)) enum cupel_status read_any(struct cupel__reader *r)
{
    enum cupel_status status = build_index(r);
    return status == CUPEL_OK ? r->engine->build(r) : status;
}

/* Called after a failure.  If the text was read in place, bytes behind it may have caused the
 * failure: reads it again from a copy, behind which there is white space.  A SIMD scanner only
 * detects errors; the portable scanner sets status and offset. */
static __attribute__((noinline, cold)) enum cupel_status read_again(struct cupel__reader *r)
{
    const size_t len = r->len;
    const struct cupel__json_engine *portable = &cupel__json_engines[CUPEL__SCAN_PORTABLE];
    const bool wrong = r->end_status == CUPEL_E_SURROGATE && r->engine != portable;
    if (!r->in_place && !wrong)
        return fail(r, len);
    if (wrong)
        r->engine = portable;
    r->copied = *r->options;
    r->copied.flags &= ~(uint32_t)CUPEL__READ_PADDED;
    r->options = &r->copied;
    r->doc->side_used = 0;
    r->side_need = 0;
    r->overridden = false;
    r->open = CUPEL__NO_NODE;
    return read_any(r) == CUPEL_OK ? CUPEL_OK : fail(r, len);
}

/* Whether a text is short and the buffers hold it. */
INLINE bool is_short(const struct cupel__reader *r)
{
    return r->len <= CUPEL__SHORT && cupel__reader_is_reserved(r);
}

/* Sets the members that the stages do not set.  One by one, because clearing the whole struct is
 * slower (cupel__scan_begin). */
INLINE void begin(struct cupel__reader *r, struct cupel__doc *doc, const char *text, size_t len,
                  const struct cupel__read_options *options,
                  const struct cupel__json_engine *engine)
{
    r->doc = doc;
    r->options = options;
    r->engine = engine;
    r->text = text;
    r->len = doc->len = (uint32_t)len;
    r->in_place = r->overridden = false;
    r->open = CUPEL__NO_NODE;
    r->end_status = CUPEL_OK;
    r->side_need = doc->side_used = 0;
}

/* Reads a text with one engine.  Inlined into both callers: the choice of an engine then costs no
 * branch in between. */
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
