/* image.c: the whole image: code of all schemas, locations, patterns, layout, relocation, writing.
 *
 * The root is queued; emitting a schema queues the schemas that it refers to, until the queue is
 * empty.  Then every section has its size, and words that refer to sections or schemas are
 * completed. */
#include "base/error.h"
#include "compiler/emit/emit.h"

#include <string.h>

/* -- Locations, patterns, formats -------------------------------------------------------------- */

/* Numbers the locations of marked instructions and their ancestors, parents first; returns how many
 * there are. */
static uint32_t number_locs(struct emit *e, uint32_t *number)
{
    uint32_t n = 0;
    for (size_t i = 0; i < e->nmarks; i++)
        for (uint32_t l = e->marks[i].loc; l != IR_NONE && number[l] == 0;
             l = e->ir->locs[l].parent)
            number[l] = 1;
    for (uint32_t l = 0; l < e->ir->nlocs; l++)
        if (number[l] != 0)
            number[l] = ++n;
    return n;
}

/* Writes the locations that marks refer to, with their ancestors, and makes the marks refer to them
 * by their new numbers. */
static void put_locs(struct emit *e)
{
    if (e->nmarks == 0)
        return;
    uint32_t *number = cupel__arena_array(e->ir->arena, e->ir->nlocs, sizeof *number);
    e->locs = cupel__arena_alloc_uninit(e->ir->arena, e->ir->nlocs * sizeof *e->locs);
    if (number == NULL || e->locs == NULL) {
        cupel__emit_no_memory(e);
        return;
    }
    e->header.locs.count = number_locs(e, number);
    for (uint32_t l = 0; l < e->ir->nlocs; l++) {
        const struct ir_loc *from = &e->ir->locs[l];
        if (number[l] == 0)
            continue;
        e->locs[number[l] - 1] = (struct cupel__image_loc){
            from->parent == IR_NONE ? UINT32_MAX : number[from->parent] - 1,
            cupel__emit_string(e, from->token), (uint32_t)from->token.n,
            from->base.n > 0 ? 1 + cupel__emit_str(e, from->base) : 0};
    }
    for (size_t i = 0; i < e->nmarks; i++)
        e->marks[i].loc = number[e->marks[i].loc] - 1;
}

static void put_patterns(struct emit *e)
{
    uint32_t n = e->ir->npatterns;
    e->patterns = cupel__arena_alloc_uninit(e->ir->arena, n * sizeof *e->patterns);
    if (e->patterns == NULL) {
        cupel__emit_no_memory(e);
        return;
    }
    e->header.patterns.count = n;
    for (uint32_t i = 0; i < n; i++) {
        struct cupel__str s = e->ir->patterns[i].source;
        e->patterns[i] = (struct cupel__image_pattern){cupel__emit_string(e, s), (uint32_t)s.n};
    }
}

/* Appends the list of the host's formats to the tables; its offset there. */
static uint32_t put_formats(struct emit *e)
{
    uint32_t at = emit_word(e, &e->tables, (uint32_t)e->formats.n);
    for (size_t i = 0; i < e->formats.n; i++)
        emit_reloc(e, EMIT_TABLES, emit_word(e, &e->tables, e->formats.p[i]), EMIT_FIX_STRING);
    return at * 4;
}

/* -- Layout ------------------------------------------------------------------------------------ */

/* Places a section behind the previous one; `end` is where that one ends. */
static void place(struct cupel__section *s, size_t count, size_t element, size_t *end)
{
    size_t at = (*end + 7) & ~(size_t)7;
    *s = (struct cupel__section){(uint32_t)at, (uint32_t)count};
    *end = at + count * element;
}

/* Places all sections.  At least 16 bytes after the strings are readable, so that a reader may load
 * whole words. */
static void lay_out(struct emit *e)
{
    struct cupel__image *h = &e->header;
    size_t end = sizeof *h;
    place(&h->code, e->code.n, 4, &end);
    place(&h->tables, e->tables.n, 4, &end);
    place(&h->values, e->nvalues, sizeof *e->values, &end);
    place(&h->patterns, h->patterns.count, sizeof *e->patterns, &end);
    place(&h->locs, h->locs.count, sizeof *e->locs, &end);
    place(&h->marks, e->nmarks, sizeof *e->marks, &end);
    place(&h->strings, e->strings.n, 1, &end);
    end = (end + 16 + 7) & ~(size_t)7;
    if (end > e->limit || e->code.n > CUPEL__MAX_PC)
        cupel__emit_fail(e, CUPEL_E_IMAGE_SIZE, "the program is too large");
    h->size = (uint32_t)end;
}

/* Relocates words, constants, patterns and locations. */
static void fix(struct emit *e)
{
    const struct cupel__image *h = &e->header;
    for (size_t i = 0; i < e->nrelocs; i++) {
        const struct emit_reloc *r = &e->relocs[i];
        uint32_t *word = &emit_space_words(e, (enum emit_space)r->space)->p[r->at];
        if (r->fix == EMIT_FIX_SUB)
            *word = e->subs[*word];
        else
            *word += r->fix == EMIT_FIX_TABLE ? h->tables.at : h->strings.at;
    }
    for (size_t i = 0; i < e->nvalues; i++) {
        struct cupel__node *n = &e->values[i];
        if (n->type == CUPEL__STRING || (n->type <= CUPEL__REAL && (n->flags & CUPEL__BIG)))
            n->off += h->strings.at;
    }
    for (uint32_t i = 0; i < h->patterns.count; i++)
        e->patterns[i].at += h->strings.at;
    for (uint32_t i = 0; i < h->locs.count; i++) {
        e->locs[i].at += h->strings.at;
        e->locs[i].base += e->locs[i].base > 0 ? h->strings.at - 1 : 0;
    }
}

/* Returns the next n bytes of a block; n is a multiple of 16. */
static void *carve(char **block, size_t n)
{
    char *p = *block;
    *block += n;
    return p;
}

/* Reserves the sections in one block, sized so that most modules never grow them: one allocation in
 * place of a dozen. */
static void reserve(struct emit *e)
{
    _Static_assert(sizeof *e->relocs == 8 && sizeof *e->marks == 8, "sizes of the carved arrays");
    const size_t n = e->ir->nschemas + (size_t)8, marks = e->kind == EMIT_REPORT ? 2 * n : 0;
    char *block = cupel__arena_alloc_uninit(e->ir->arena, 128 * n + marks * sizeof *e->marks);
    if (block == NULL) {
        cupel__emit_no_memory(e);
        return;
    }
    e->code = (struct emit_words){carve(&block, 16 * n), 0, 4 * n};
    e->tables = (struct emit_words){carve(&block, 64 * n), 0, 16 * n};
    e->relocs = carve(&block, 32 * n);
    e->relocs_cap = 4 * n;
    e->marks = carve(&block, marks * sizeof *e->marks);
    e->marks_cap = marks;
    e->strings = (struct emit_bytes){carve(&block, 16 * n), 0, 16 * n};
}

static void put_schemas(struct emit *e)
{
    const struct ir_module *ir = e->ir;
    emit_word(e, &e->code, 0); /* a reference to index 0 has no code */
    e->subs = cupel__arena_alloc_uninit(ir->arena, ir->nschemas * sizeof *e->subs);
    e->queue = cupel__arena_alloc_uninit(ir->arena, ir->nschemas * sizeof *e->queue);
    e->queued = cupel__arena_array(ir->arena, ir->nschemas, sizeof *e->queued);
    if (e->subs == NULL || e->queue == NULL || e->queued == NULL) {
        cupel__emit_no_memory(e);
        return;
    }
    cupel__emit_enqueue(e, ir->root);
    for (uint32_t i = 0; i < e->nqueue && emit_ok(e); i++)
        e->subs[e->queue[i]] = cupel__emit_schema(e, &ir->schemas[e->queue[i]]);
}

static void put_header(struct emit *e)
{
    struct cupel__image *h = &e->header;
    h->magic = CUPEL__IMAGE_MAGIC;
    h->version = CUPEL__IMAGE_VERSION;
    h->flags = e->kind == EMIT_REPORT ? CUPEL__IMAGE_REPORT : 0;
    h->root = e->subs[e->ir->root];
    h->formats = e->formats.n > 0 ? put_formats(e) : 0;
    lay_out(e);
    h->formats += e->formats.n > 0 ? h->tables.at : 0;
}

enum cupel_status cupel__emit_image(const struct ir_module *ir, enum emit_kind kind, size_t limit,
                                    struct emit **ret, struct cupel_error *err)
{
    struct emit *e = cupel__arena_alloc(ir->arena, sizeof *e);
    if (e == NULL)
        return cupel__error_set(err, CUPEL_E_NO_MEMORY, "cannot make the program");
    e->ir = ir;
    e->kind = kind;
    e->limit = limit;
    e->err = err;
    reserve(e);
    if (emit_ok(e))
        put_schemas(e);
    if (emit_ok(e))
        put_locs(e);
    if (emit_ok(e))
        put_patterns(e);
    if (emit_ok(e))
        put_header(e);
    if (emit_ok(e))
        fix(e);
    *ret = e;
    return e->status;
}

/* -- Writing ----------------------------------------------------------------------------------- */

size_t cupel__emit_size(const struct emit *e)
{
    return e->header.size;
}

/* Writes a section, and zeros up to the beginning of the next one. */
static void copy(char *image, struct cupel__section s, size_t element, uint32_t next,
                 const void *from)
{
    size_t end = s.at + s.count * element;
    if (s.count > 0)
        memcpy(image + s.at, from, s.count * element);
    memset(image + end, 0, next - end);
}

void cupel__emit_write(const struct emit *e, char *to)
{
    const struct cupel__image *h = &e->header;
    struct cupel__image *image = (struct cupel__image *)(void *)to;
    *image = *h;
    copy(to, h->code, 4, h->tables.at, e->code.p);
    copy(to, h->tables, 4, h->values.at, e->tables.p);
    copy(to, h->values, sizeof *e->values, h->patterns.at, e->values);
    copy(to, h->patterns, sizeof *e->patterns, h->locs.at, e->patterns);
    copy(to, h->locs, sizeof *e->locs, h->marks.at, e->locs);
    copy(to, h->marks, sizeof *e->marks, h->strings.at, e->marks);
    copy(to, h->strings, 1, h->size, e->strings.p);
    image->checksum = cupel__image_checksum(image, h->size);
}
