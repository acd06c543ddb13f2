/* emit.c: sections of an image: growing them, completing references, laying them out. */
#include "compiler/emit/emit.h"
#include "base/arena_allocator.h"
#include "base/error.h"
#include "vm/formats/formats.h"
#include "vm/program/name_table.h"
#include <string.h>

/* -- Growing --------------------------------------------------------------------------------------
 */

static void fail(struct emit *e, enum cupel_status status, const char *what)
{
    if (e->status == CUPEL_OK)
        e->status = cupel__error_set(e->err, status, "%s", what);
}

void cupel__emit_no_memory(struct emit *e)
{
    fail(e, CUPEL_E_NO_MEMORY, "cannot make the program");
}

/* To twice the size, so that what is left behind in the arena is no more than what is used. */
bool cupel__emit_grow(struct emit *e, void *array, size_t *cap, size_t need, size_t size)
{
    const struct cupel_alloc region = cupel__arena_allocator(e->ir->arena);
    if (need * size > e->limit)
        fail(e, CUPEL_E_IMAGE_SIZE, "the program is too large");
    else if (cupel__grow(&region, array, cap, need < 2 * *cap ? 2 * *cap : need, size) != CUPEL_OK)
        cupel__emit_no_memory(e);
    return emit_ok(e);
}

/* -- Schemas to come ------------------------------------------------------------------------------
 */

static struct emit_words *space_words(struct emit *e, enum emit_space space)
{
    return space == EMIT_CODE ? &e->code : &e->tables;
}

static void want(struct emit *e, uint32_t schema)
{
    if (e->wanted[schema])
        return;
    e->wanted[schema] = true;
    e->queue[e->nqueue++] = schema;
}

void cupel__emit_sub(struct emit *e, enum emit_space space, uint32_t at, uint32_t schema)
{
    if (!emit_ok(e))
        return;
    if (schema == IR_NONE) {
        space_words(e, space)->p[at] = CUPEL__SUB_ANY;
        return;
    }
    want(e, schema);
    space_words(e, space)->p[at] = schema;
    emit_reloc(e, space, at, EMIT_FIX_SUB);
}

/* -- Strings --------------------------------------------------------------------------------------
 */

/* Eight bytes at a time; the last may be among those before them. */
static uint32_t hash_string(struct cupel__str s)
{
    uint64_t h = s.n, word = 0;
    for (size_t i = 0; i + 8 < s.n; i += 8) {
        memcpy(&word, s.p + i, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    if (s.n >= 8)
        memcpy(&word, s.p + s.n - 8, 8);
    else
        memcpy(&word, s.p, s.n);
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

static bool grow_interned(struct emit *e)
{
    size_t cap = e->interned_cap != 0 ? 2 * e->interned_cap : 64;
    struct emit_interned *grown = cupel__arena_array(e->ir->arena, cap, sizeof *grown);
    if (grown == NULL) {
        cupel__emit_no_memory(e);
        return false;
    }
    for (size_t k = 0; k < e->interned_cap; k++) {
        size_t i = e->interned[k].hash & (cap - 1);
        while (grown[i].len != 0)
            i = (i + 1) & (cap - 1);
        grown[i] = e->interned[k]; /* a free slot into a free slot, or a string */
    }
    e->interned = grown;
    e->interned_cap = cap;
    return true;
}

static uint32_t add_string(struct emit *e, struct cupel__str s)
{
    size_t at = e->strings.n;
    if (s.n > e->limit || at > e->limit - s.n)
        fail(e, CUPEL_E_IMAGE_SIZE, "the program is too large");
    else if (s.n <= e->strings.cap - at ||
             cupel__emit_grow(e, &e->strings.p, &e->strings.cap, at + s.n, 1)) {
        if (s.n > 0)
            memcpy(e->strings.p + at, s.p, s.n);
        e->strings.n += s.n;
    }
    return (uint32_t)at;
}

uint32_t cupel__emit_string(struct emit *e, struct cupel__str s)
{
    if (!emit_ok(e) || s.n == 0)
        return 0;
    if (2 * (e->ninterned + 1) > e->interned_cap && !grow_interned(e))
        return 0;
    uint32_t hash = hash_string(s);
    struct emit_interned *slot;
    for (size_t i = hash;; i++) {
        slot = &e->interned[i & (e->interned_cap - 1)];
        if (slot->len == 0)
            break;
        if (slot->hash == hash && slot->len == s.n &&
            memcmp(e->strings.p + slot->at, s.p, s.n) == 0)
            return slot->at;
    }
    *slot = (struct emit_interned){add_string(e, s), (uint32_t)s.n, hash};
    e->ninterned++;
    return slot->at;
}

/* 4-aligned, in a section that is 8-aligned. */
uint32_t cupel__emit_str(struct emit *e, struct cupel__str s)
{
    uint32_t len = (uint32_t)s.n;
    (void)add_string(e, (struct cupel__str){"\0\0", -e->strings.n % 4});
    uint32_t at = add_string(e, (struct cupel__str){(const char *)&len, 4});
    (void)add_string(e, s);
    return at;
}

/* There are no more than the options have. */
uint32_t cupel__emit_format(struct emit *e, struct cupel__str name)
{
    if (e->format_names == NULL)
        e->format_names =
            cupel__arena_array(e->ir->arena, CUPEL__MAX_HOST_FORMATS, sizeof *e->format_names);
    if (e->format_names == NULL) {
        cupel__emit_no_memory(e);
        return 0;
    }
    for (uint32_t i = 0; i < e->formats.n; i++)
        if (cupel__str_eq(e->format_names[i], name))
            return i;
    uint32_t i = emit_word(e, &e->formats, cupel__emit_str(e, name));
    if (emit_ok(e))
        e->format_names[i] = name;
    return i;
}

/* Appends the list of them to the tables; its offset there. */
static uint32_t put_formats(struct emit *e)
{
    uint32_t at = emit_word(e, &e->tables, (uint32_t)e->formats.n);
    for (size_t i = 0; i < e->formats.n; i++)
        emit_reloc(e, EMIT_TABLES, emit_word(e, &e->tables, e->formats.p[i]), EMIT_FIX_STRING);
    return at * 4;
}

/* -- Constants ------------------------------------------------------------------------------------
 */

/* A lexeme ends with a byte that belongs to no number. */
static uint32_t add_lexeme(struct emit *e, const struct cupel__doc *doc, uint32_t node)
{
    uint32_t at = add_string(e, cupel__doc_span(doc, node));
    add_string(e, (struct cupel__str){"", 1});
    return at;
}

/* One node of a constant. `off` is completed when the strings have their place. */
static void copy_node(struct emit *e, struct cupel__doc *doc, uint32_t node, uint32_t shift)
{
    struct cupel__node *from = &doc->nodes[node];
    struct cupel__node to = {.type = from->type, .exp = from->exp};
    if (from->type >= CUPEL__ARRAY) {
        to.count = from->count;
        to.end = from->end + shift;
    } else if (CUPEL__BIT(from->type) & CUPEL__M_STRING) {
        struct cupel__str s = cupel__doc_str(doc, from);
        to.type = CUPEL__STRING;
        to.flags = from->flags & CUPEL__KEY;
        to.len = (uint32_t)s.n;
        to.off = s.n > CUPEL__SHARED_TEXT ? add_string(e, s) : cupel__emit_string(e, s);
    } else if (from->flags & CUPEL__BIG) {
        to.flags = CUPEL__BIG;
        to.exp = 0;
        to.off = add_lexeme(e, doc, node);
    } else if (from->type > CUPEL__TRUE) {
        to.i = from->i;
    }
    e->values[e->nvalues++] = to;
}

uint32_t cupel__emit_value(struct emit *e, const struct ir_value *value)
{
    uint32_t end = cupel__node_next(value->doc->nodes, value->node);
    size_t n = end - value->node;
    if (!emit_ok(e) ||
        (e->nvalues + n > e->values_cap &&
         !cupel__emit_grow(e, &e->values, &e->values_cap, e->nvalues + n, sizeof *e->values)))
        return 0;
    uint32_t at = (uint32_t)e->nvalues;
    for (uint32_t i = value->node; i < end && emit_ok(e); i++)
        copy_node(e, value->doc, i, at - value->node);
    e->values[at].flags &= (uint8_t)~CUPEL__KEY; /* a member's name may be a value by itself */
    return at;
}

/* -- Locations and patterns -----------------------------------------------------------------------
 */

/* The locations of marked keywords and what they are steps below, numbered from the top. */
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

/* -- Layout ---------------------------------------------------------------------------------------
 */

/* Gives a section its place behind the others; `end` is where those end. */
static void place(struct cupel__section *s, size_t count, size_t element, size_t *end)
{
    size_t at = (*end + 7) & ~(size_t)7;
    *s = (struct cupel__section){(uint32_t)at, (uint32_t)count};
    *end = at + count * element;
}

/* 16 bytes and more are readable behind the strings. */
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
        fail(e, CUPEL_E_IMAGE_SIZE, "the program is too large");
    h->size = (uint32_t)end;
}

/* Completes what refers to places that are known now. */
static void fix(struct emit *e)
{
    const struct cupel__image *h = &e->header;
    for (size_t i = 0; i < e->nrelocs; i++) {
        const struct emit_reloc *r = &e->relocs[i];
        uint32_t *word = &space_words(e, (enum emit_space)r->space)->p[r->at];
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

/* The next `n` bytes of a block; n is a multiple of 16. */
static void *carve(char **block, size_t n)
{
    char *p = *block;
    *block += n;
    return p;
}

/* What most modules need is one block, so that little has to grow. */
static void reserve(struct emit *e)
{
    _Static_assert(sizeof *e->relocs == 8 && sizeof *e->marks == 8, "what is carved for them");
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
    emit_word(e, &e->code, 0); /* index 0 means: nothing to run */
    e->subs = cupel__arena_alloc_uninit(ir->arena, ir->nschemas * sizeof *e->subs);
    e->queue = cupel__arena_alloc_uninit(ir->arena, ir->nschemas * sizeof *e->queue);
    e->wanted = cupel__arena_array(ir->arena, ir->nschemas, sizeof *e->wanted);
    if (e->subs == NULL || e->queue == NULL || e->wanted == NULL) {
        cupel__emit_no_memory(e);
        return;
    }
    want(e, ir->root);
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

/* -- Writing --------------------------------------------------------------------------------------
 */

size_t cupel__emit_size(const struct emit *e)
{
    return e->header.size;
}

/* Writes a section and the zeroes up to where the next one begins. */
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
