/* edit_apply.c: edits applied to the text of an instance, and as a JSON Patch (RFC 6902).
 *
 * The spans that edits replace never overlap: a key, a value without edits within, the end of an
 * object. The text is copied around them in document order.  The operations of the patch go
 * backwards, so that a member changes before the object around it gets another name. */
#include "messages/decode.h"
#include "messages/edit.h"
#include "messages/model_path.h"

struct cupel__str cupel__edit_name(const struct render *r, const struct edit *e, char buf[16])
{
    const struct cupel__table *t = cupel__at(r->code->image, e->table);
    return cupel__entry_name(r->code->image, t, &cupel__table_entries(t)[e->entry], buf);
}

/* -- Spans ------------------------------------------------------------------------------------- */

/* The edits of one application, in document order. */
struct edits {
    const struct render *r;
    const struct edit *edit[MAX_EDITS];
    struct cupel__str span[MAX_EDITS]; /* that each replaces */
    uint32_t n;
};

static bool is_removed(const struct edits *all, uint32_t key)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (all->edit[i]->kind == EDIT_REMOVE && all->edit[i]->node == key)
            return true;
    return false;
}

/* The members of an object that stay, and the last of them. */
static uint32_t count_kept(const struct edits *all, uint32_t object, uint32_t *ret_last)
{
    const struct cupel__node *nodes = all->r->doc->nodes;
    uint32_t n = 0;
    *ret_last = 0;
    if (!cupel__report_charge(all->r->s, (int64_t)nodes[object].count * (1 + all->n / 8)))
        return 0;
    for (uint32_t k = object + 1; k < nodes[object].end; k = cupel__node_next(nodes, k + 1)) {
        if (is_removed(all, k))
            continue;
        *ret_last = k;
        n++;
    }
    return n;
}

static const char *end_of(const struct render *r, uint32_t node)
{
    struct cupel__str span = cupel__doc_span(r->doc, node);
    return span.p + span.n;
}

/* The span of a member that goes: up to the next member, or, if none stays behind it, from the end
 * of the last that stays. */
static struct cupel__str removed_span(const struct edits *all, uint32_t key)
{
    const struct render *r = all->r;
    uint32_t object = cupel__container_of(r, key + 1), last;
    const uint32_t kept = count_kept(all, object, &last);
    const char *start = cupel__doc_span(r->doc, key).p, *end;
    if (kept > 0 && last > key) {
        end = cupel__doc_span(r->doc, cupel__node_next(r->doc->nodes, key + 1)).p;
    } else {
        start = kept > 0 ? end_of(r, last + 1) : cupel__doc_span(r->doc, object).p + 1;
        end = end_of(r, key + 1);
    }
    return (struct cupel__str){start, (size_t)(end - start)};
}

/* The text that an edit replaces. */
static struct cupel__str span_of(const struct edits *all, const struct edit *e)
{
    if (e->kind == EDIT_REMOVE)
        return removed_span(all, e->node);
    struct cupel__str span = cupel__doc_span(all->r->doc, e->node);
    if (e->kind == EDIT_DEFAULT)
        return (struct cupel__str){span.p + span.n - 1, 0};
    return span;
}

/* -- Text -------------------------------------------------------------------------------------- */

/* Appends the value that a string holds. */
static void add_decoded(const struct render *r, uint32_t node, uint32_t wanted,
                        struct cupel_text *text)
{
    struct cupel__str s = cupel__doc_str(r->doc, &r->doc->nodes[node]);
    if (cupel__decode(r, s, wanted, text, NULL) == CUPEL__DECODED_NOT)
        text->failed = 1;
}

static void add_value(const struct render *r, const struct edit *e, struct cupel_text *text)
{
    struct cupel__str span = cupel__doc_span(r->doc, e->node);
    if (e->kind == EDIT_READ) {
        add_decoded(r, e->node, e->value, text);
    } else if (e->kind == EDIT_UNWRAP && r->doc->nodes[e->value].type != CUPEL__OBJECT) {
        add_decoded(r, e->value, CUPEL__M_OBJECT, text);
    } else if (e->kind == EDIT_UNWRAP) {
        span = cupel__doc_span(r->doc, e->value);
        cupel_text_add(text, span.p, span.n);
    } else if (e->kind == EDIT_WRAP) {
        cupel_text_adds(text, "[");
        cupel_text_add(text, span.p, span.n);
        cupel_text_adds(text, "]");
    } else {
        cupel__value_text(r->code->image, e->value, text);
    }
}

/* Appends what replaces the span.  `again`: the edit before this one added a member to the same
 * object. */
static void add_edited(const struct edits *all, const struct edit *e, bool again,
                       struct cupel_text *text)
{
    const struct render *r = all->r;
    uint32_t last;
    char buf[16];
    if (e->kind == EDIT_REMOVE)
        return;
    if (e->kind != EDIT_RENAME && e->kind != EDIT_DEFAULT) {
        add_value(r, e, text);
        return;
    }
    struct cupel__str name = cupel__edit_name(r, e, buf);
    if (e->kind == EDIT_DEFAULT && (again || count_kept(all, e->node, &last) > 0))
        cupel_text_adds(text, ",");
    cupel_text_add_json(text, name.p, name.n);
    if (e->kind == EDIT_DEFAULT) {
        cupel_text_adds(text, ":");
        add_value(r, e, text);
    }
}

/* -- Patch ------------------------------------------------------------------------------------- */

static void add_pointer(struct cupel_text *patch, const char *member,
                        const struct cupel_text *pointer)
{
    cupel_text_addf(patch, ",\"%s\":", member);
    cupel_text_add_json(patch, pointer->bytes, pointer->len);
}

/* Appends a step to a pointer, or replaces its last one. */
static void add_last(struct cupel_text *pointer, struct cupel__str name, bool replace)
{
    struct cupel__pointer to = {.text = pointer, .max = SIZE_MAX};
    while (replace && pointer->len > 0 && pointer->bytes[--pointer->len] != '/')
        ;
    cupel__pointer_name(&to, name);
}

/* Appends one operation.  False if its location is cut: a patch with a part of one is useless. */
static bool add_operation(const struct render *r, const struct edit *e, struct cupel_text *patch)
{
    static const char *const names[] = {"replace", "replace", "move", "add", "remove", "replace"};
    struct cupel_text pointer;
    struct cupel__pointer to = {.text = &pointer, .max = cupel__location_max_bytes(r->s)};
    char buf[16];
    cupel_text_init(&pointer, &patch->alloc);
    cupel__cursor_pointer(r->s->cursor, e->node, &to);
    cupel_text_addf(patch, "{\"op\":\"%s\"", names[e->kind]);
    if (e->kind == EDIT_RENAME)
        add_pointer(patch, "from", &pointer);
    if (e->kind == EDIT_RENAME || e->kind == EDIT_DEFAULT)
        add_last(&pointer, cupel__edit_name(r, e, buf), e->kind == EDIT_RENAME);
    add_pointer(patch, "path", &pointer);
    if (e->kind != EDIT_RENAME && e->kind != EDIT_REMOVE) {
        cupel_text_adds(patch, ",\"value\":");
        add_value(r, e, patch);
    }
    cupel_text_adds(patch, "}");
    patch->failed |= pointer.failed;
    cupel_text_free(&pointer);
    return !to.cut;
}

/* Appends the operations of sorted edits.  They are written in document order, which moves the
 * cursor forward only, and then copied backwards. */
static bool add_operations(const struct render *r, const struct edit *const *sorted, uint32_t n,
                           struct cupel_text *patch)
{
    struct cupel_text all;
    size_t start[MAX_EDITS + 1] = {0}; /* where each operation begins, then the end of the last */
    bool whole = true;
    cupel_text_init(&all, &patch->alloc);
    for (uint32_t i = 0; i < n && whole; i++) {
        whole = add_operation(r, sorted[i], &all) &&
                all.len <= r->s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES];
        start[i + 1] = all.len;
    }
    for (uint32_t i = n; i-- > 0 && whole && !all.failed;) {
        cupel_text_adds(patch, patch->len > 0 ? "," : "");
        cupel_text_add(patch, all.bytes + start[i], start[i + 1] - start[i]);
    }
    patch->failed |= all.failed;
    cupel_text_free(&all);
    return whole;
}

/* -- Edits ------------------------------------------------------------------------------------- */

static bool comes_after(const struct edits *all, uint32_t i, uint32_t k)
{
    const struct edit *a = all->edit[i], *b = all->edit[k];
    const char *x = all->span[i].p, *y = all->span[k].p;
    if (x == y && a->node != b->node)
        return a->kind == EDIT_DEFAULT || (b->kind != EDIT_DEFAULT && a->node > b->node);
    return x > y || (x == y && a->entry > b->entry);
}

static void sort(struct edits *all)
{
    for (uint32_t i = 1; i < all->n; i++) {
        for (uint32_t k = i; k > 0 && comes_after(all, k - 1, k); k--) {
            const struct edit *e = all->edit[k];
            const struct cupel__str span = all->span[k];
            all->edit[k] = all->edit[k - 1];
            all->span[k] = all->span[k - 1];
            all->edit[k - 1] = e;
            all->span[k - 1] = span;
        }
    }
}

bool cupel__apply_edits(const struct render *r, const struct edit *edits, uint32_t n,
                        struct cupel_text *value, struct cupel_text *patch)
{
    struct edits all = {.r = r, .n = n};
    struct cupel__str whole = cupel__doc_span(r->doc, r->s->node);
    const char *at = whole.p;
    for (uint32_t i = 0; i < n; i++)
        all.edit[i] = &edits[i];
    for (uint32_t i = 0; i < n; i++)
        all.span[i] = span_of(&all, all.edit[i]);
    sort(&all);
    for (uint32_t i = 0; i < n; i++) {
        const struct cupel__str span = all.span[i];
        const bool again = i > 0 && all.edit[i - 1]->kind == EDIT_DEFAULT && span.p == at;
        if (span.p > at)
            cupel_text_add(value, at, (size_t)(span.p - at));
        add_edited(&all, all.edit[i], again, value);
        at = span.p + span.n > at ? span.p + span.n : at;
    }
    cupel_text_add(value, at, (size_t)(whole.p + whole.n - at));
    return r->s->cursor->remaining > 0 && (patch == NULL || add_operations(r, all.edit, n, patch));
}
