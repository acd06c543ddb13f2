/* builder.c: documents made value by value (include/cupel/builder.h).
 *
 * The builder writes two things side by side: the JSON text of the values, without white space, and
 * the tape that the reader would make of that text.  So everything that works on a document works
 * on one that was built: spans, locations, repairs.
 *
 * While a container is open its node's `end` holds the node around it, as in the reader.  A string
 * with characters that JSON escapes has its escaped form in the text and room in the side buffer,
 * where it is decoded on first use; a name of that kind is decoded at once. */
#include "base/error.h"
#include "base/json/document.h"
#include "base/json/reader.h"
#include "base/json/token.h"
#include "base/name_hash.h"
#include "base/shortest.h"
#include "base/utf8.h"
#include <cupel/json.h>
#include <string.h>

enum {
    TEXT_SLACK = CUPEL__READ_PADDING, /* readable bytes after the text: names are hashed by words */
    INTEGER_BYTES = 24,               /* of the text of a 64-bit integer */
    ESCAPE_BYTES = 6,                 /* of the longest escape, \u00XX */
    WORK_WORDS = 5                    /* a member, of cupel__duplicates_check */
};

/* -- State and memory -----------------------------------------------------------------------------
 */

static enum cupel_status fail(struct cupel_document *d, enum cupel_status status)
{
    d->build.status = status;
    return status;
}

static bool grow(struct cupel__doc *doc, void **array, size_t *cap, size_t need, size_t size)
{
    size_t before = *cap;
    if (cupel__grow(&doc->alloc, array, cap, need, size) != CUPEL_OK)
        return false;
    doc->memory += (*cap - before) * size;
    return true;
}

/* Room for `n` more bytes of text. */
static enum cupel_status reserve_text(struct cupel_document *d, size_t n)
{
    struct cupel__doc *doc = &d->doc;
    const size_t max = d->read.max_bytes < UINT32_MAX - 1 ? d->read.max_bytes : UINT32_MAX - 1;
    if (n > max || doc->len > max - n)
        return fail(d, CUPEL_E_JSON_SIZE);
    void *text = doc->text;
    if (doc->len + n + TEXT_SLACK > doc->text_cap &&
        !grow(doc, &text, &doc->text_cap, doc->len + n + TEXT_SLACK, 1))
        return fail(d, CUPEL_E_NO_MEMORY);
    doc->text = text;
    doc->base[0] = text;
    return CUPEL_OK;
}

/* A node for a token that begins at the end of the text, or NULL. */
static struct cupel__node *add_node(struct cupel_document *d, enum cupel__type type)
{
    struct cupel__doc *doc = &d->doc;
    void *nodes = doc->nodes;
    if (doc->nnodes + (size_t)1 >= doc->nodes_cap &&
        !grow(doc, &nodes, &doc->nodes_cap, doc->nnodes + (size_t)2, sizeof *doc->nodes)) {
        fail(d, CUPEL_E_NO_MEMORY);
        return NULL;
    }
    doc->nodes = nodes;
    doc->nodes[doc->nnodes] = (struct cupel__node){.type = (uint8_t)type, .off = doc->len};
    return &doc->nodes[doc->nnodes++];
}

static void put(struct cupel__doc *doc, char c)
{
    doc->text[doc->len++] = c;
}

/* -- Places ---------------------------------------------------------------------------------------
 */

static bool is_in_object(const struct cupel_document *d)
{
    return d->build.open != CUPEL__NO_NODE && d->doc.nodes[d->build.open].type == CUPEL__OBJECT;
}

/* Whether a value may stand here.  Notes the place for an error. */
static enum cupel_status check_place(struct cupel_document *d)
{
    struct cupel__build *b = &d->build;
    if (b->status != CUPEL_OK)
        return b->status;
    const bool has_root = b->open == CUPEL__NO_NODE && d->doc.nnodes > 0;
    const bool lacks_name = is_in_object(d) && !b->named;
    b->where = has_root ? 0 : lacks_name ? b->open : d->doc.nnodes;
    return has_root || lacks_name ? fail(d, CUPEL_E_ARGUMENT) : CUPEL_OK;
}

/* Begins a value where one may stand: makes room for its `n` bytes, and writes the comma before it.
 */
static enum cupel_status begin_value(struct cupel_document *d, size_t n)
{
    struct cupel__build *b = &d->build;
    if (check_place(d) != CUPEL_OK)
        return b->status;
    if (reserve_text(d, n + 1) != CUPEL_OK)
        return b->status;
    if (b->open != CUPEL__NO_NODE && !b->named && d->doc.nodes[b->open].count++ > 0)
        put(&d->doc, ',');
    b->named = false;
    return CUPEL_OK;
}

void cupel_document_begin(struct cupel_document *d)
{
    if (d == NULL)
        return;
    d->build = (struct cupel__build){.open = CUPEL__NO_NODE, .where = CUPEL__NO_NODE};
    d->doc.nnodes = d->doc.len = d->doc.depth = d->doc.side_used = 0;
}

static enum cupel_status open_container(struct cupel_document *d, enum cupel__type type, char mark)
{
    if (begin_value(d, 1) != CUPEL_OK)
        return d->build.status;
    if (d->build.depth >= d->read.max_depth)
        return fail(d, CUPEL_E_JSON_DEPTH);
    struct cupel__node *node = add_node(d, type);
    if (node == NULL)
        return d->build.status;
    node->count = 0;
    node->end = d->build.open;
    d->build.open = d->doc.nnodes - 1;
    put(&d->doc, mark);
    if (++d->build.depth > d->doc.depth)
        d->doc.depth = d->build.depth;
    return CUPEL_OK;
}

enum cupel_status cupel_document_open_object(struct cupel_document *d)
{
    if (d == NULL)
        return CUPEL_E_ARGUMENT;
    return open_container(d, CUPEL__OBJECT, '{');
}

enum cupel_status cupel_document_open_array(struct cupel_document *d)
{
    if (d == NULL)
        return CUPEL_E_ARGUMENT;
    return open_container(d, CUPEL__ARRAY, '[');
}

/* Looks for names that occur twice in a complete object, as the reader does. */
static enum cupel_status check_names(struct cupel_document *d, uint32_t object)
{
    struct cupel__doc *doc = &d->doc;
    struct cupel__reader r = {.doc = doc, .options = &d->read};
    const size_t need = WORK_WORDS * (size_t)doc->nodes[object].count;
    if (doc->nodes[object].count < 2)
        return CUPEL_OK;
    if (!cupel__reader_reserve_index(&r, need))
        return fail(d, r.status);
    if (cupel__duplicates_check(&r, object, doc->index))
        d->build.dead |= r.overridden;
    else
        fail(d, r.status);
    d->build.where = r.status != CUPEL_OK ? r.where : object;
    return d->build.status;
}

enum cupel_status cupel_document_close(struct cupel_document *d)
{
    if (d == NULL)
        return CUPEL_E_ARGUMENT;
    struct cupel__build *b = &d->build;
    const uint32_t closed = b->open;
    if (b->status != CUPEL_OK)
        return b->status;
    b->where = closed;
    if (closed == CUPEL__NO_NODE || b->named)
        return fail(d, CUPEL_E_ARGUMENT);
    if (reserve_text(d, 1) != CUPEL_OK)
        return b->status;
    struct cupel__node *node = &d->doc.nodes[closed];
    put(&d->doc, node->type == CUPEL__OBJECT ? '}' : ']');
    const uint32_t outer = node->end;
    node->end = d->doc.nnodes;
    if (node->type == CUPEL__OBJECT && check_names(d, closed) != CUPEL_OK) {
        d->doc.nodes[closed].end = outer;
        return b->status;
    }
    b->open = outer;
    b->depth--;
    return CUPEL_OK;
}

/* -- Strings --------------------------------------------------------------------------------------
 */

static bool needs_escape(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\';
}

/* The bytes of the string as JSON has it between quotes. */
static size_t escaped_length(const char *p, size_t n)
{
    size_t length = n;
    for (size_t i = 0; i < n; i++)
        if (needs_escape((unsigned char)p[i]))
            length += strchr("\"\\\b\f\n\r\t", p[i]) != NULL && p[i] != '\0' ? 1 : ESCAPE_BYTES - 1;
    return length;
}

static void put_escape(struct cupel__doc *doc, unsigned char c)
{
    static const char controls[] = "\b\f\n\r\t", letters[] = "bfnrt", hex[] = "0123456789abcdef";
    const char *control = c != 0 ? strchr(controls, c) : NULL;
    put(doc, '\\');
    if (control != NULL) {
        put(doc, letters[control - controls]);
    } else if (c >= 0x20) {
        put(doc, (char)c);
    } else {
        memcpy(doc->text + doc->len, "u00", 3);
        doc->len += 3;
        put(doc, hex[c >> 4]);
        put(doc, hex[c & 15]);
    }
}

static void put_escaped(struct cupel__doc *doc, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (needs_escape((unsigned char)p[i]))
            put_escape(doc, (unsigned char)p[i]);
        else
            put(doc, p[i]);
    }
}

/* Room in the side buffer for strings that will be decoded there. */
static enum cupel_status reserve_side(struct cupel_document *d, size_t n)
{
    struct cupel__doc *doc = &d->doc;
    void *side = doc->side;
    d->build.side_need += n;
    if (d->build.side_need + CUPEL__READ_PADDING > doc->side_cap &&
        !grow(doc, &side, &doc->side_cap, d->build.side_need + CUPEL__READ_PADDING, 1))
        return fail(d, CUPEL_E_NO_MEMORY);
    doc->side = side;
    doc->base[1] = side;
    return CUPEL_OK;
}

/* Writes a string with its quotes, for which there is room. */
static struct cupel__node *add_string(struct cupel_document *d, const char *text, size_t n)
{
    struct cupel__doc *doc = &d->doc;
    const size_t length = escaped_length(text, n);
    struct cupel__node *node = add_node(d, length == n ? CUPEL__STRING : CUPEL__ESCAPED);
    if (node == NULL || (length != n && reserve_side(d, length) != CUPEL_OK))
        return NULL;
    put(doc, '"');
    node->off = node->src = doc->len;
    node->len = (uint32_t)length;
    if (length == n) {
        if (n > 0)
            memcpy(doc->text + doc->len, text, n);
        doc->len += (uint32_t)n;
    } else {
        put_escaped(doc, text, n);
    }
    put(doc, '"');
    return node;
}

/* What a string takes of the text, at most, or 0 if it is not UTF-8 or too long. */
static size_t string_room(struct cupel_document *d, const char *text, size_t n)
{
    enum { MARKS = 4 }; /* quotes, comma, colon */
    if (n >= UINT32_MAX / ESCAPE_BYTES - MARKS)
        fail(d, CUPEL_E_JSON_SIZE);
    else if (!cupel__utf8_valid(text, n))
        fail(d, CUPEL_E_UTF8);
    else
        return escaped_length(text, n) + MARKS;
    return 0;
}

enum cupel_status cupel_document_add_string(struct cupel_document *d, const char *text, size_t len)
{
    if (d == NULL || (text == NULL && len > 0))
        return CUPEL_E_ARGUMENT;
    if (check_place(d) != CUPEL_OK)
        return d->build.status;
    const size_t room = string_room(d, text, len);
    if (room != 0 && begin_value(d, room) == CUPEL_OK)
        (void)add_string(d, text, len);
    return d->build.status;
}

enum cupel_status cupel_document_add_name(struct cupel_document *d, const char *name, size_t len)
{
    if (d == NULL || (name == NULL && len > 0))
        return CUPEL_E_ARGUMENT;
    struct cupel__build *b = &d->build;
    if (b->status != CUPEL_OK)
        return b->status;
    b->where = b->open;
    if (!is_in_object(d) || b->named)
        return fail(d, CUPEL_E_ARGUMENT);
    const size_t room = string_room(d, name, len);
    if (room == 0 || reserve_text(d, room) != CUPEL_OK)
        return b->status;
    if (d->doc.nodes[b->open].count++ > 0)
        put(&d->doc, ',');
    struct cupel__node *node = add_string(d, name, len);
    if (node == NULL)
        return b->status;
    node->flags |= CUPEL__KEY;
    if (node->type == CUPEL__ESCAPED)
        cupel__doc_decode(&d->doc, node);
    else
        node->hash = cupel__name_hash(d->doc.text + node->off, node->len);
    put(&d->doc, ':');
    b->named = true;
    return CUPEL_OK;
}

/* -- Other values ---------------------------------------------------------------------------------
 */

static enum cupel_status add_word(struct cupel_document *d, enum cupel__type type, const char *word,
                                  size_t n)
{
    if (begin_value(d, n) != CUPEL_OK || add_node(d, type) == NULL)
        return d->build.status;
    memcpy(d->doc.text + d->doc.len, word, n);
    d->doc.len += (uint32_t)n;
    return CUPEL_OK;
}

enum cupel_status cupel_document_add_boolean(struct cupel_document *d, int value)
{
    if (d == NULL)
        return CUPEL_E_ARGUMENT;
    return value ? add_word(d, CUPEL__TRUE, "true", 4) : add_word(d, CUPEL__FALSE, "false", 5);
}

enum cupel_status cupel_document_add_null(struct cupel_document *d)
{
    if (d == NULL)
        return CUPEL_E_ARGUMENT;
    return add_word(d, CUPEL__NULL, "null", 4);
}

enum cupel_status cupel_document_add_number(struct cupel_document *d, const char *text, size_t len)
{
    if (d == NULL || (text == NULL && len > 0))
        return CUPEL_E_ARGUMENT;
    struct cupel__doc *doc = &d->doc;
    if (check_place(d) != CUPEL_OK)
        return d->build.status;
    if (len > d->read.max_number)
        return fail(d, CUPEL_E_NUMBER_SIZE);
    if (begin_value(d, len) != CUPEL_OK)
        return d->build.status;
    struct cupel__node *node = add_node(d, CUPEL__INT);
    if (node == NULL)
        return d->build.status;
    char *const to = doc->text + doc->len;
    if (len > 0)
        memcpy(to, text, len);
    memset(to + len, ' ', TEXT_SLACK); /* the end of the number, for a reader of words */
    if (cupel__number_read(to, (uint32_t)len, node) != to + len)
        return fail(d, CUPEL_E_SYNTAX);
    doc->len += (uint32_t)len;
    return CUPEL_OK;
}

/* The digits of a magnitude, right to left before `end`; returns where they begin. */
static char *put_digits(char *end, uint64_t magnitude)
{
    do
        *--end = (char)('0' + magnitude % 10);
    while ((magnitude /= 10) != 0);
    return end;
}

static enum cupel_status add_integer(struct cupel_document *d, uint64_t magnitude, bool negative)
{
    char text[INTEGER_BYTES], *const end = text + sizeof text, *p = put_digits(end, magnitude);
    if (negative)
        *--p = '-';
    if (magnitude > (uint64_t)INT64_MAX)
        return cupel_document_add_number(d, p, (size_t)(end - p));
    if ((size_t)(end - p) > d->read.max_number)
        return d->build.status != CUPEL_OK ? d->build.status : fail(d, CUPEL_E_NUMBER_SIZE);
    if (add_word(d, CUPEL__INT, p, (size_t)(end - p)) == CUPEL_OK)
        d->doc.nodes[d->doc.nnodes - 1].i = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return d->build.status;
}

enum cupel_status cupel_document_add_integer(struct cupel_document *d, int64_t value)
{
    if (d == NULL)
        return CUPEL_E_ARGUMENT;
    return add_integer(d, value < 0 ? -(uint64_t)value : (uint64_t)value, value < 0);
}

enum cupel_status cupel_document_add_unsigned(struct cupel_document *d, uint64_t value)
{
    if (d == NULL)
        return CUPEL_E_ARGUMENT;
    return add_integer(d, value, false);
}

enum cupel_status cupel_document_add_double(struct cupel_document *d, double value)
{
    if (d == NULL)
        return CUPEL_E_ARGUMENT;
    char text[CUPEL__SHORTEST_BYTES];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const size_t n = cupel__shortest_write(bits, text);
    if (d->build.status == CUPEL_OK && n == 0)
        return fail(d, CUPEL_E_SYNTAX);
    return cupel_document_add_number(d, text, n);
}

/* -- The end --------------------------------------------------------------------------------------
 */

/* Gives the containers that are open an end, so that the tape can be traversed. */
static void close_open(struct cupel_document *d)
{
    struct cupel__doc *doc = &d->doc;
    for (uint32_t i = d->build.open, outer; i != CUPEL__NO_NODE; i = outer) {
        outer = doc->nodes[i].end;
        doc->nodes[i].end = doc->nnodes;
    }
}

/* A value that failed before it had a node gets one here: add_node keeps room for it. */
static void describe(struct cupel_document *d, struct cupel_error *err)
{
    struct cupel__doc *doc = &d->doc;
    const uint32_t where = d->build.where;
    cupel__error_set(err, d->build.status, "%s", cupel_status_message(d->build.status));
    if (err == NULL || doc->nnodes == 0 || where == CUPEL__NO_NODE)
        return;
    char pointer[2 * sizeof err->where];
    if (where == doc->nnodes)
        doc->nodes[doc->nnodes++] = (struct cupel__node){.type = CUPEL__NULL};
    close_open(d);
    cupel__error_set_pointer(err, pointer,
                             cupel__pointer_write(doc, where, pointer, sizeof pointer));
}

enum cupel_status cupel_document_end(struct cupel_document *d, struct cupel_error *err)
{
    if (d == NULL)
        return cupel__error_set(err, CUPEL_E_ARGUMENT, "an argument is NULL");
    struct cupel__build *b = &d->build;
    struct cupel__doc *doc = &d->doc;
    if (b->status == CUPEL_OK && (b->open != CUPEL__NO_NODE || doc->nnodes == 0)) {
        b->where = b->open;
        fail(d, CUPEL_E_ARGUMENT);
    }
    if (b->status == CUPEL_OK && b->dead) {
        struct cupel__reader r = {.doc = doc, .options = &d->read};
        if (cupel__reader_reserve_index(&r, doc->nnodes + (size_t)1))
            cupel__duplicates_remove(&r);
        else
            fail(d, r.status);
    }
    const enum cupel_status status = b->status;
    if (status != CUPEL_OK) {
        describe(d, err);
        doc->nnodes = 0;
    } else {
        memset(doc->text + doc->len, 0, TEXT_SLACK);
    }
    *b = (struct cupel__build){.status = CUPEL_E_ARGUMENT, .open = CUPEL__NO_NODE};
    return status;
}
