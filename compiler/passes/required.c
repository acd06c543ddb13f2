/* required.c: REQUIRED becomes part of PROPS, so that one loop over an object's members answers
 * both.
 *
 * Needs   nothing.  After inline more of them have met.
 * Keeps   use counts, verdicts, the order of properties.
 * Breaks  that every name of a PROPS is a property.
 *
 * The names of all REQUIRED of a schema move into its first PROPS.  A property gets a flag; any
 * other name is added as only required.  Without a PROPS the first REQUIRED becomes one.
 *
 *     before                          after
 *     schema @0 object                schema @0 object
 *       props "a":@1                    props "a":@1 required, "b" required
 *       required "a" "b"
 *
 * Few names are searched one by one, beginning behind the last one found, because authors list them
 * in the same order twice.  Many names are sorted. */
#include "compiler/passes/passes.h"

#include "base/json/tape.h"

enum {
    FEW = 1024 /* comparisons, properties times required names, that cost less than sorting */
};

struct required_names {
    struct ir_module *m;
    struct ir_op *props;   /* gets the names */
    uint32_t known;        /* names of `props` at the start */
    uint32_t nrequired;    /* names of all REQUIRED of the schema */
    struct ir_name *names; /* a new list with space for all, or that of props */
    uint32_t n;            /* names in the list */
    bool copied;
};

/* Makes a new list with space for every name that may be added. */
static bool copy_names(struct required_names *w)
{
    const struct ir_name *old = w->props->names;
    w->names = cupel__ir_op_names(w->m, w->props, w->known + w->nrequired);
    if (w->names == NULL)
        return false;
    for (uint32_t i = 0; i < w->n; i++)
        w->names[i] = old[i];
    w->copied = true;
    return true;
}

/* Adds a name that is only required. */
static bool add_required(struct required_names *w, struct cupel__str name)
{
    if (!w->copied && !copy_names(w))
        return false;
    w->names[w->n++] = (struct ir_name){
        .name = name, .schema = IR_NONE, .flags = IR_NAME_REQUIRED | IR_NAME_UNKNOWN};
    return true;
}

/* -- Few names --------------------------------------------------------------------------------- */

/* The index of a name, searched from `from` on and then from the start; n if it is absent. */
static uint32_t find_name(const struct required_names *w, struct cupel__str name, uint32_t from)
{
    uint32_t i = from;
    for (uint32_t k = 0; k < w->n; k++, i++) {
        if (i >= w->n)
            i = 0;
        if (w->names[i].name.n == name.n && cupel__str_eq(w->names[i].name, name))
            return i;
    }
    return w->n;
}

static enum cupel_status merge_few(struct required_names *w, const struct ir_op *required)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < required->nnames; i++) {
        uint32_t found = find_name(w, required->names[i].name, next);
        if (found != w->n)
            w->names[found].flags |= IR_NAME_REQUIRED;
        else if (!add_required(w, required->names[i].name))
            return CUPEL_E_NO_MEMORY;
        next = found + 1;
    }
    return CUPEL_OK;
}

/* -- Many names -------------------------------------------------------------------------------- */

/* The list holds properties and then required names, some of them twice.  Moves the flag of a
 * duplicate to the first of its name, and marks the duplicate for removal with flags of 0. */
static void merge_equal(struct ir_name *names, uint32_t n, const uint32_t *order)
{
    for (uint32_t i = 0, first = 0; i < n; i++) {
        if (i == 0 || cupel__ir_compare_names(names, order[first], order[i]) != 0) {
            first = i;
            continue;
        }
        names[order[first]].flags |= IR_NAME_REQUIRED;
        names[order[i]].flags = 0;
    }
}

static enum cupel_status merge_many(struct required_names *w)
{
    struct ir_scratch scratch;
    uint32_t *order = ir_scratch_init(&scratch, &w->m->arena->alloc, w->n), k = w->known;
    enum cupel_status status = CUPEL_E_NO_MEMORY;
    if (order != NULL)
        status =
            cupel__ir_sort(&w->m->arena->alloc, order, w->n, cupel__ir_compare_names, w->names);
    if (status == CUPEL_OK) {
        merge_equal(w->names, w->n, order);
        for (uint32_t i = w->known; i < w->n; i++)
            if (w->names[i].flags != 0)
                w->names[k++] = w->names[i];
        w->n = k;
    }
    ir_scratch_free(&scratch);
    return status;
}

static enum cupel_status gather_required(struct required_names *w, const struct ir_op *required)
{
    for (uint32_t i = 0; i < required->nnames; i++)
        if (!add_required(w, required->names[i].name))
            return CUPEL_E_NO_MEMORY;
    return CUPEL_OK;
}

/* -- Schemas ----------------------------------------------------------------------------------- */

/* Removes the REQUIRED operations from the schema's list and merges their names. */
static enum cupel_status merge(struct required_names *w, struct ir_schema *s)
{
    bool few = (uint64_t)(w->known + w->nrequired) * w->nrequired <= FEW;
    struct ir_op **at = &s->first;
    while (*at != NULL) {
        if ((*at)->kind != IR_REQUIRED) {
            at = &(*at)->next;
            continue;
        }
        enum cupel_status status = few ? merge_few(w, *at) : gather_required(w, *at);
        if (status != CUPEL_OK)
            return status;
        *at = (*at)->next;
    }
    s->end = at;
    enum cupel_status status = few ? CUPEL_OK : merge_many(w);
    w->props->nnames = w->n;
    return status;
}

/* Inserts an empty PROPS before the REQUIRED at *at. */
static struct ir_op *insert_props(struct ir_module *m, struct ir_op **at)
{
    struct ir_op *op = cupel__arena_alloc(m->arena, sizeof *op);
    if (op == NULL)
        return NULL;
    *op = (struct ir_op){
        .kind = IR_PROPS, .loc = (*at)->loc, .b = IR_MANY, .other = IR_NONE, .next = *at};
    *at = op;
    return op;
}

/* Finds the schema's first PROPS and its REQUIRED operations, and merges them. */
static enum cupel_status merge_schema(struct ir_module *m, struct ir_schema *s)
{
    struct required_names w = {.m = m};
    struct ir_op **required = NULL; /* the link to the first REQUIRED */
    for (struct ir_op **at = &s->first; *at != NULL; at = &(*at)->next) {
        if ((*at)->kind == IR_PROPS && w.props == NULL)
            w.props = *at;
        if ((*at)->kind == IR_REQUIRED) {
            required = required == NULL ? at : required;
            w.nrequired += (*at)->nnames;
        }
    }
    if (required == NULL)
        return CUPEL_OK;
    if (w.props == NULL)
        w.props = insert_props(m, required);
    if (w.props == NULL)
        return CUPEL_E_NO_MEMORY;
    w.names = w.props->names;
    w.n = w.known = w.props->nnames;
    return merge(&w, s);
}

enum cupel_status cupel__pass_required(struct ir_module *m)
{
    for (uint32_t i = 0; i < m->nschemas; i++) {
        enum cupel_status status = merge_schema(m, &m->schemas[i]);
        if (status != CUPEL_OK)
            return status;
    }
    return CUPEL_OK;
}
