/* edit_apply.c: edits applied to the text of an instance, and as a JSON Patch (RFC 6902).
 *
 * The spans that edits replace never overlap: a key, a value without edits within, the end of an
 * object. The text is copied around them in document order.  The operations of the patch go
 * backwards, so that a member changes before the object around it gets another name. */
#include "messages/edit.h"

struct cupel__str cupel__edit_name(const struct render *r, const struct edit *e, char buf[16])
{
    const struct cupel__table *t = cupel__at(r->code->image, e->table);
    return cupel__entry_name(r->code->image, t, &cupel__table_entries(t)[e->entry], buf);
}

/* Where in the text the span of an edit begins. */
static const char *start_of(const struct render *r, const struct edit *e)
{
    struct cupel__str span = cupel__doc_span(r->doc, e->node);
    return e->kind == EDIT_DEFAULT ? span.p + span.n - 1 : span.p;
}

/* The length of the span. */
static size_t length_of(const struct render *r, const struct edit *e)
{
    return e->kind == EDIT_DEFAULT ? 0 : cupel__doc_span(r->doc, e->node).n;
}

/* -- Text -------------------------------------------------------------------------------------- */

static void add_value(const struct render *r, const struct edit *e, struct cupel_text *text)
{
    struct cupel__str span = cupel__doc_span(r->doc, e->node);
    if (e->kind == EDIT_PARSE) {
        struct cupel__str s = cupel__doc_str(r->doc, &r->doc->nodes[e->node]);
        cupel_text_add(text, s.p, s.n);
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
static void add_edited(const struct render *r, const struct edit *e, bool again,
                       struct cupel_text *text)
{
    char buf[16];
    if (e->kind == EDIT_PARSE || e->kind == EDIT_WRAP) {
        add_value(r, e, text);
        return;
    }
    struct cupel__str name = cupel__edit_name(r, e, buf);
    if (e->kind == EDIT_DEFAULT && (again || r->doc->nodes[e->node].count > 0))
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
    static const char *const names[] = {"replace", "replace", "move", "add"};
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
    if (e->kind != EDIT_RENAME) {
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
    size_t start[MAX_EDITS + 1] = {0}; /* of each operation, and the end of the last */
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

static bool comes_after(const struct render *r, const struct edit *a, const struct edit *b)
{
    const char *x = start_of(r, a), *y = start_of(r, b);
    return x > y || (x == y && a->entry > b->entry);
}

static void sort(const struct render *r, const struct edit **edits, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const struct edit *e = edits[i];
        uint32_t k = i;
        for (; k > 0 && comes_after(r, edits[k - 1], e); k--)
            edits[k] = edits[k - 1];
        edits[k] = e;
    }
}

bool cupel__apply_edits(const struct render *r, const struct edit *edits, uint32_t n,
                        struct cupel_text *value, struct cupel_text *patch)
{
    const struct edit *sorted[MAX_EDITS];
    struct cupel__str whole = cupel__doc_span(r->doc, r->s->node);
    const char *at = whole.p;
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = &edits[i];
    sort(r, sorted, n);
    for (uint32_t i = 0; i < n; i++) {
        const char *start = start_of(r, sorted[i]);
        cupel_text_add(value, at, (size_t)(start - at));
        add_edited(r, sorted[i], i > 0 && sorted[i - 1]->kind == EDIT_DEFAULT && start == at,
                   value);
        at = start + length_of(r, sorted[i]);
    }
    cupel_text_add(value, at, (size_t)(whole.p + whole.n - at));
    return patch == NULL || add_operations(r, sorted, n, patch);
}
