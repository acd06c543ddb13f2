/* emit.c: sections of an image: growing them, completing references, laying them out. */
#include "emit.h"
#include "formats/formats.h"
#include "table.h"
#include <string.h>

/* -- Growing -------------------------------------------------------------------------------------- */

bool emit_ok(const struct emit *e)
{
    return e->status == CUPEL_OK;
}

static void fail(struct emit *e, enum cupel_status status, const char *what)
{
    if (e->status == CUPEL_OK)
        e->status = cupel__error_set(e->err, status, "%s", what);
}

void emit_no_memory(struct emit *e)
{
    fail(e, CUPEL_E_NO_MEMORY, "cannot make the program");
}

static bool grow(struct emit *e, void *array, size_t *cap, size_t need, size_t size)
{
    if (need * size > e->limit)
        fail(e, CUPEL_E_IMAGE_SIZE, "the program is too large");
    else if (need > *cap && cupel__grow(&e->alloc, array, cap, need, size) != CUPEL_OK)
        emit_no_memory(e);
    return emit_ok(e);
}

uint32_t emit_word(struct emit *e, struct emit_words *words, uint32_t word)
{
    if (!emit_ok(e) || !grow(e, (void **)&words->p, &words->cap, words->n + 1, sizeof word))
        return 0;
    words->p[words->n] = word;
    return (uint32_t)words->n++;
}

void emit_reloc(struct emit *e, enum emit_space space, uint32_t at, enum emit_fix fix)
{
    if (!emit_ok(e) ||
        !grow(e, (void **)&e->relocs, &e->relocs_cap, e->nrelocs + 1, sizeof *e->relocs))
        return;
    e->relocs[e->nrelocs++] = (struct emit_reloc){at, (uint8_t)space, (uint8_t)fix};
}

/* -- Schemas to come ------------------------------------------------------------------------------ */

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

void emit_sub(struct emit *e, enum emit_space space, uint32_t at, uint32_t schema)
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

/* -- Strings -------------------------------------------------------------------------------------- */

static uint32_t hash_string(struct cupel__str s)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (uint8_t)s.p[i]) * 16777619u;
    return h ^ h >> 15;
}

static void reinsert(struct emit *e, uint32_t *old, uint32_t *old_len, size_t old_cap)
{
    for (size_t i = 0; i < old_cap; i++) {
        if (old[i] == 0)
            continue;
        struct cupel__str s = {e->strings.bytes + old[i] - 1, old_len[i]};
        size_t at = hash_string(s) & (e->interned_cap - 1);
        while (e->interned[at] != 0)
            at = (at + 1) & (e->interned_cap - 1);
        e->interned[at] = old[i];
        e->interned_len[at] = old_len[i];
    }
}

static bool grow_interned(struct emit *e)
{
    size_t cap = e->interned_cap != 0 ? 2 * e->interned_cap : 64;
    uint32_t *old = e->interned, *old_len = e->interned_len;
    size_t old_cap = e->interned_cap;
    uint32_t *both = cupel__arena_array(e->ir->arena, 2 * cap, sizeof *both);
    if (both == NULL) {
        emit_no_memory(e);
        return false;
    }
    e->interned = both;
    e->interned_len = both + cap;
    e->interned_cap = cap;
    reinsert(e, old, old_len, old_cap);
    return true;
}

static uint32_t add_string(struct emit *e, struct cupel__str s)
{
    uint32_t at = (uint32_t)e->strings.len;
    if (s.n > e->limit || e->strings.len > e->limit - s.n)
        fail(e, CUPEL_E_IMAGE_SIZE, "the program is too large");
    else
        cupel_text_add(&e->strings, s.p, s.n);
    if (e->strings.failed)
        emit_no_memory(e);
    return at;
}

uint32_t emit_string(struct emit *e, struct cupel__str s)
{
    if (!emit_ok(e) || s.n == 0)
        return 0;
    if (2 * (e->ninterned + 1) > e->interned_cap && !grow_interned(e))
        return 0;
    size_t i = hash_string(s) & (e->interned_cap - 1);
    for (; e->interned[i] != 0; i = (i + 1) & (e->interned_cap - 1))
        if (e->interned_len[i] == s.n &&
            memcmp(e->strings.bytes + e->interned[i] - 1, s.p, s.n) == 0)
            return e->interned[i] - 1;
    uint32_t at = add_string(e, s);
    e->interned[i] = at + 1;
    e->interned_len[i] = (uint32_t)s.n;
    e->ninterned++;
    return at;
}

/* 4-aligned, in a section that is 8-aligned. */
uint32_t emit_str(struct emit *e, struct cupel__str s)
{
    uint32_t len = (uint32_t)s.n;
    while (e->strings.len % 4 != 0 && !e->strings.failed)
        cupel_text_add(&e->strings, "", 1);
    uint32_t at = (uint32_t)e->strings.len;
    cupel_text_add(&e->strings, (const char *)&len, 4);
    cupel_text_add(&e->strings, s.p, s.n);
    if (e->strings.failed)
        emit_no_memory(e);
    return at;
}

/* There are no more than the options have. */
uint32_t emit_format(struct emit *e, struct cupel__str name)
{
    if (e->format_names == NULL)
        e->format_names =
            cupel__arena_array(e->ir->arena, CUPEL__MAX_HOST_FORMATS, sizeof *e->format_names);
    if (e->format_names == NULL) {
        emit_no_memory(e);
        return 0;
    }
    for (uint32_t i = 0; i < e->formats.n; i++)
        if (cupel__str_eq(e->format_names[i], name))
            return i;
    uint32_t i = emit_word(e, &e->formats, emit_str(e, name));
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

/* -- Constants ------------------------------------------------------------------------------------ */

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
        to.off = emit_string(e, s);
    } else if (from->flags & CUPEL__BIG) {
        to.flags = CUPEL__BIG;
        to.exp = 0;
        to.off = add_lexeme(e, doc, node);
    } else if (from->type > CUPEL__TRUE) {
        to.i = from->i;
    }
    e->values[e->nvalues++] = to;
}

uint32_t emit_value(struct emit *e, const struct ir_value *value)
{
    uint32_t end = cupel__node_next(value->doc->nodes, value->node);
    size_t n = end - value->node;
    if (!emit_ok(e) ||
        !grow(e, (void **)&e->values, &e->values_cap, e->nvalues + n, sizeof *e->values))
        return 0;
    uint32_t at = (uint32_t)e->nvalues;
    for (uint32_t i = value->node; i < end && emit_ok(e); i++)
        copy_node(e, value->doc, i, at - value->node);
    e->values[at].flags &= (uint8_t)~CUPEL__KEY; /* a member's name may be a value by itself */
    return at;
}

/* -- Layout --------------------------------------------------------------------------------------- */

struct layout {
    struct cupel__image header;
    size_t size;
};

static struct cupel__section place(struct layout *l, size_t count, size_t element)
{
    l->size = (l->size + 7) & ~(size_t)7;
    struct cupel__section s = {(uint32_t)l->size, (uint32_t)count};
    l->size += count * element;
    return s;
}

static void fix(struct emit *e, const struct cupel__image *h)
{
    for (size_t i = 0; i < e->nrelocs; i++) {
        const struct emit_reloc *r = &e->relocs[i];
        uint32_t *word = &space_words(e, (enum emit_space)r->space)->p[r->at];
        if (r->fix == EMIT_FIX_SUB)
            *word = e->subs[*word];
        else if (r->fix == EMIT_FIX_TABLE)
            *word += h->tables.at;
        else if (r->fix == EMIT_FIX_STRING)
            *word += h->strings.at;
    }
    for (size_t i = 0; i < e->nvalues; i++) {
        struct cupel__node *n = &e->values[i];
        if (n->type == CUPEL__STRING || (n->type <= CUPEL__REAL && (n->flags & CUPEL__BIG)))
            n->off += h->strings.at;
    }
}

/* The locations of marked keywords and what they are steps below, numbered from the top. */
static uint32_t number_locs(struct emit *e, uint32_t *number)
{
    uint32_t n = 0;
    for (size_t i = 0; i < e->nmarks; i++)
        for (uint32_t l = e->marks[i].loc; l != IR_NONE && number[l] == 0; l = e->ir->locs[l].parent)
            number[l] = 1;
    for (uint32_t l = 0; l < e->ir->nlocs; l++)
        if (number[l] != 0)
            number[l] = ++n;
    return n;
}

static struct cupel__image_loc *make_locs(struct emit *e, uint32_t *ret_n)
{
    uint32_t *number = cupel__arena_array(e->ir->arena, e->ir->nlocs, sizeof *number);
    struct cupel__image_loc *locs =
        cupel__arena_array(e->ir->arena, e->ir->nlocs, sizeof *locs);
    *ret_n = 0;
    if (number == NULL || locs == NULL) {
        emit_no_memory(e);
        return NULL;
    }
    *ret_n = number_locs(e, number);
    for (uint32_t l = 0; l < e->ir->nlocs; l++) {
        const struct ir_loc *from = &e->ir->locs[l];
        if (number[l] == 0)
            continue;
        locs[number[l] - 1] = (struct cupel__image_loc){
            from->parent == IR_NONE ? UINT32_MAX : number[from->parent] - 1,
            emit_string(e, from->token), (uint32_t)from->token.n,
            from->base.n > 0 ? 1 + emit_str(e, from->base) : 0};
    }
    for (size_t i = 0; i < e->nmarks; i++)
        e->marks[i].loc = number[e->marks[i].loc] - 1;
    return locs;
}

static struct cupel__image_pattern *make_patterns(struct emit *e)
{
    struct cupel__image_pattern *p =
        cupel__arena_array(e->ir->arena, e->ir->npatterns, sizeof *p);
    if (p == NULL) {
        emit_no_memory(e);
        return NULL;
    }
    for (uint32_t i = 0; i < e->ir->npatterns; i++) {
        struct cupel__str s = e->ir->patterns[i].source;
        p[i] = (struct cupel__image_pattern){emit_string(e, s), (uint32_t)s.n};
    }
    return p;
}

static void copy(char *image, struct cupel__section s, const void *from, size_t element)
{
    if (s.count > 0)
        memcpy(image + s.at, from, s.count * element);
}

/* Appends the image to *bytes. */
static void assemble(struct emit *e, uint32_t root, char **bytes, size_t *len)
{
    uint32_t nlocs;
    struct cupel__image_loc *locs = make_locs(e, &nlocs);
    struct cupel__image_pattern *patterns = make_patterns(e);
    uint32_t formats = e->formats.n > 0 ? put_formats(e) : 0;
    struct layout l = {.size = sizeof l.header};
    struct cupel__image *h = &l.header;
    h->magic = CUPEL__IMAGE_MAGIC;
    h->version = CUPEL__IMAGE_VERSION;
    h->flags = e->kind == EMIT_REPORT ? CUPEL__IMAGE_REPORT : 0;
    h->code = place(&l, e->code.n, 4);
    h->tables = place(&l, e->tables.n, 4);
    h->values = place(&l, e->nvalues, sizeof *e->values);
    h->patterns = place(&l, e->ir->npatterns, sizeof *patterns);
    h->locs = place(&l, nlocs, sizeof *locs);
    h->marks = place(&l, e->nmarks, sizeof *e->marks);
    h->strings = place(&l, e->strings.len, 1);
    l.size = (l.size + 16 + 7) & ~(size_t)7;
    if (l.size > e->limit || e->code.n > CUPEL__MAX_PC)
        fail(e, CUPEL_E_IMAGE_SIZE, "the program is too large");
    char *p = emit_ok(e) ? cupel__realloc(&e->alloc, *bytes, *len, *len + l.size) : NULL;
    if (p == NULL) {
        emit_no_memory(e);
        return;
    }
    *bytes = p;
    char *image = p + *len;
    *len += l.size;
    h->size = (uint32_t)l.size;
    h->root = e->subs[root];
    h->formats = e->formats.n > 0 ? h->tables.at + formats : 0;
    fix(e, h);
    for (uint32_t i = 0; i < h->patterns.count; i++)
        patterns[i].at += h->strings.at;
    for (uint32_t i = 0; i < nlocs; i++) {
        locs[i].at += h->strings.at;
        locs[i].base += locs[i].base > 0 ? h->strings.at - 1 : 0;
    }
    memset(image, 0, l.size);
    memcpy(image, h, sizeof *h);
    copy(image, h->code, e->code.p, 4);
    copy(image, h->tables, e->tables.p, 4);
    copy(image, h->values, e->values, sizeof *e->values);
    copy(image, h->patterns, patterns, sizeof *patterns);
    copy(image, h->locs, locs, sizeof *locs);
    copy(image, h->marks, e->marks, sizeof *e->marks);
    copy(image, h->strings, e->strings.bytes, 1);
    ((struct cupel__image *)(void *)image)->checksum = cupel__image_checksum(image, l.size);
}

static void release(struct emit *e)
{
    cupel__free(&e->alloc, e->code.p, e->code.cap * 4);
    cupel__free(&e->alloc, e->tables.p, e->tables.cap * 4);
    cupel__free(&e->alloc, e->formats.p, e->formats.cap * 4);
    cupel__free(&e->alloc, e->relocs, e->relocs_cap * sizeof *e->relocs);
    cupel__free(&e->alloc, e->values, e->values_cap * sizeof *e->values);
    cupel__free(&e->alloc, e->marks, e->marks_cap * sizeof *e->marks);
    cupel_text_free(&e->strings);
}

enum cupel_status emit_image(const struct ir_module *ir, enum emit_kind kind, size_t limit,
                             const struct cupel_alloc *alloc, char **bytes, size_t *len,
                             struct cupel_error *err)
{
    struct emit e = {.ir = ir, .kind = kind, .alloc = *alloc, .limit = limit, .err = err};
    cupel_text_init(&e.strings, alloc);
    e.subs = cupel__arena_array(ir->arena, ir->nschemas, sizeof *e.subs);
    e.queue = cupel__arena_array(ir->arena, ir->nschemas, sizeof *e.queue);
    e.wanted = cupel__arena_array(ir->arena, ir->nschemas, sizeof *e.wanted);
    emit_word(&e, &e.code, 0); /* index 0 means: nothing to run */
    if (e.subs == NULL || e.queue == NULL || e.wanted == NULL) {
        emit_no_memory(&e);
    } else {
        want(&e, ir->root);
        for (uint32_t i = 0; i < e.nqueue && emit_ok(&e); i++)
            e.subs[e.queue[i]] = emit_schema(&e, &ir->schemas[e.queue[i]]);
    }
    if (emit_ok(&e))
        assemble(&e, ir->root, bytes, len);
    release(&e);
    return e.status;
}
