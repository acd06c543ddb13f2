/* output_tree.c: the tree of output_tree.h, made by sorting.
 *
 * Each unit gets a key: the steps of its evaluation path with the steps in the instance between
 * them, where the keywords lead down.  Sorted by key, units that share the beginning of a path are
 * adjacent, so that each new unit extends the last path of the tree.  A step of a key is SEPARATOR,
 * DOWN if it is one in the instance, and the token.
 *
 * Keys, nodes and units are bounded by the bytes that the output may have; a tree that exceeds them
 * fails as a whole, and so does one without memory or steps. */
#include "messages/output_tree.h"
#include "base/order.h"
#include <string.h>

/* MORE_NODES, MORE_UNITS: what a tree may have beyond those that its output has bytes for.
 * MOST_STEPS: steps from the root to a node. */
enum {
    STEPS_A_UNIT = 16,
    BYTES_A_STEP = 8,
    MORE_NODES = 2048,
    MORE_UNITS = 4096,
    MOST_STEPS = 512
};

/* -- Keywords ---------------------------------------------------------------------------------- */

static bool is_one_of(struct cupel__str s, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strlen(*names) == s.n && memcmp(*names, s.p, s.n) == 0)
            return true;
    return false;
}

/* Whether the step after a keyword is a name or an index in the keyword's value. */
static bool has_step(struct cupel__str keyword, struct cupel__str next)
{
    static const char *const names[] = {"allOf",
                                        "anyOf",
                                        "oneOf",
                                        "prefixItems",
                                        "properties",
                                        "patternProperties",
                                        "dependentSchemas",
                                        "dependencies",
                                        NULL};
    bool index = next.n > 0 && next.p[0] >= '0' && next.p[0] <= '9';
    static const char *const items[] = {"items", NULL};
    return is_one_of(keyword, names) || (index && is_one_of(keyword, items));
}

/* Whether a keyword applies its schemas to members or items, not to the value itself. */
static bool goes_down(struct cupel__str keyword)
{
    static const char *const names[] = {"properties",
                                        "patternProperties",
                                        "additionalProperties",
                                        "unevaluatedProperties",
                                        "propertyNames",
                                        "items",
                                        "prefixItems",
                                        "additionalItems",
                                        "unevaluatedItems",
                                        "contains",
                                        NULL};
    return is_one_of(keyword, names);
}

/* -- Keys -------------------------------------------------------------------------------------- */

/* Removes the first step of a pointer and returns it without its slash. */
static struct cupel__str take_step(struct cupel__str *pointer)
{
    struct cupel__str step = {pointer->p + 1, 0};
    while (step.n + 1 < pointer->n && step.p[step.n] != '/')
        step.n++;
    pointer->p += step.n + 1;
    pointer->n -= step.n + 1;
    return step;
}

static struct cupel__str next_step(struct cupel__str pointer)
{
    return pointer.n > 0 ? take_step(&pointer) : CUPEL__STR("");
}

enum { DOWN = 1, SEPARATOR = 0 };

static void add_step(struct cupel_text *keys, struct cupel__str step, bool down)
{
    static const char mark[2] = {SEPARATOR, DOWN};
    cupel_text_add(keys, mark, 1 + down);
    cupel_text_add(keys, step.p, step.n);
}

/* Appends the key of a unit from its evaluation path and its instance location. */
static void interleave(struct cupel_text *keys, struct cupel__str path, struct cupel__str instance)
{
    while (path.n > 0) {
        struct cupel__str keyword = take_step(&path);
        add_step(keys, keyword, false);
        if (path.n > 0 && has_step(keyword, next_step(path)))
            add_step(keys, take_step(&path), false);
        if (instance.n > 0 && goes_down(keyword))
            add_step(keys, take_step(&instance), true);
    }
}

/* The location of a DEPENDS ends with the property that requires others; the unit is that of the
 * keyword. */
static void drop_trigger(const struct render *r, const struct cupel__event *e,
                         struct cupel_text *path)
{
    if (CUPEL__WORD_OP(r->code->words[e->pc]) != CUPEL__OP_DEPENDS)
        return;
    while (path->len > 0 && path->bytes[--path->len] != '/')
        ;
}

/* Without memory the rendering fails; FLAG's output must not hide it. */
static void fail_memory(struct output_tree *t)
{
    t->failed = true;
    t->r->text->failed = 1;
}

/* Whether a unit has the key of the one before it: the same keyword, value and path. */
static bool repeats(const struct output_tree *t, uint32_t i)
{
    const struct cupel__event *e = &t->events[t->order[i]],
                              *before = &t->events[t->order[i > 0 ? i - 1 : 0]];
    return i > 0 && e->node == before->node && e->path == before->path &&
           cupel__loc_of(t->r->code, e->pc) == cupel__loc_of(t->r->code, before->pc);
}

static void add_key(struct output_tree *t, const struct cupel__event *e, struct cupel_text *path,
                    struct cupel_text *instance)
{
    const size_t most = t->r->options->bytes;
    cupel_text_clear(path);
    cupel_text_clear(instance);
    cupel__add_evaluation_path(t->r->s, e, most, path);
    drop_trigger(t->r, e, path);
    cupel__add_instance_location(t->r->s, e->node, most, instance);
    interleave(&t->keys, (struct cupel__str){path->bytes, path->len},
               (struct cupel__str){instance->bytes, instance->len});
    t->keys.failed |= path->failed | instance->failed;
}

/* A key is at most twice as long as its two locations in the output, so keys of more than twice the
 * allowed bytes cannot belong to an output that fits. */
static bool keys_fit(const struct output_tree *t)
{
    const size_t bytes = t->r->options->bytes;
    return t->keys.len / 2 <= bytes && t->keys.len < UINT32_MAX / 2 &&
           cupel__report_charge(t->r->s, STEPS_A_UNIT);
}

/* Expects the units in document order, in which the cursor finds their values soonest. */
static void add_keys(struct output_tree *t)
{
    struct cupel_text path, instance;
    cupel_text_init(&path, &t->keys.alloc);
    cupel_text_init(&instance, &t->keys.alloc);
    for (uint32_t i = 0; i < t->nunits && !t->failed; i++) {
        const uint32_t unit = t->order[i];
        if (!repeats(t, i)) {
            t->start = (uint32_t)t->keys.len;
            add_key(t, &t->events[unit], &path, &instance);
        }
        t->starts[2 * unit] = t->start;
        t->starts[2 * unit + 1] = (uint32_t)t->keys.len;
        t->failed = !keys_fit(t);
    }
    if (t->keys.failed)
        fail_memory(t);
    cupel_text_free(&path);
    cupel_text_free(&instance);
}

static struct cupel__str unit_key(const struct output_tree *t, uint32_t unit)
{
    return (struct cupel__str){t->keys.len > 0 ? t->keys.bytes + t->starts[2 * unit] : "",
                               t->starts[2 * unit + 1] - t->starts[2 * unit]};
}

/* -- Order ------------------------------------------------------------------------------------- */

/* Document order: by value, then as the run recorded them. */
static bool by_value(void *ctx, uint32_t a, uint32_t b)
{
    const struct output_tree *t = ctx;
    const uint32_t x = t->events[a].node, y = t->events[b].node;
    return x > y || (x == y && a > b);
}

/* The order of the tree: by key, then as the run recorded them.  Charged by the bytes compared. */
static bool by_key(void *ctx, uint32_t a, uint32_t b)
{
    const struct output_tree *t = ctx;
    struct cupel__str x = unit_key(t, a), y = unit_key(t, b);
    cupel__report_charge(t->r->s, 1 + (int64_t)((x.n < y.n ? x.n : y.n) / BYTES_A_STEP));
    int c = cupel__str_cmp(x, y);
    return c > 0 || (c == 0 && a > b);
}

/* -- Nodes ------------------------------------------------------------------------------------- */

/* Appends a node to its parent.  Returns its index, or NO_NODE if the tree is full. */
static uint32_t add_node(struct output_tree *t, uint32_t parent, const char *step, size_t len,
                         bool down, uint32_t event)
{
    if (t->nnodes == t->max_nodes) {
        t->failed = true;
        return NO_NODE;
    }
    uint32_t i = (uint32_t)t->nnodes++;
    t->nodes[i] = (struct output_node){.parent = parent,
                                       .child = NO_NODE,
                                       .last_child = NO_NODE,
                                       .sibling = NO_NODE,
                                       .event = event,
                                       .down = down,
                                       .at = step != NULL ? (uint32_t)(step - t->keys.bytes) : 0,
                                       .len = (uint32_t)len};
    if (parent == NO_NODE)
        return i;
    struct output_node *p = &t->nodes[parent];
    t->nodes[i].steps = p->steps + !down;
    struct cupel__str around = {t->keys.bytes + p->at, p->len}, here = {step, len};
    t->nodes[i].name = !down && !p->name && !p->down && has_step(around, here);
    t->nodes[i].inner = t->nodes[i].name && goes_down(around);
    *(p->child == NO_NODE ? &p->child : &t->nodes[p->last_child].sibling) = i;
    p->last_child = i;
    p->children++;
    return i;
}

/* The child of a node for a step: the last child if it is this step, since units come sorted by
 * key, or a new one. */
static uint32_t step_to(struct output_tree *t, uint32_t parent, const char *step, size_t len,
                        bool down, uint32_t event)
{
    uint32_t last = t->nodes[parent].last_child;
    if (last != NO_NODE && t->nodes[last].down == down && t->nodes[last].len == len &&
        memcmp(t->keys.bytes + t->nodes[last].at, step, len) == 0)
        return last;
    return add_node(t, parent, step, len, down, event);
}

/* Adds a unit, the `rank`-th in the order, and the nodes on its path. */
static void add_unit(struct output_tree *t, uint32_t unit, uint32_t rank)
{
    struct cupel__str key = unit_key(t, unit);
    uint32_t node = 0, steps = 0;
    for (size_t i = 0; i < key.n && node != NO_NODE; steps++) {
        bool down = i + 1 < key.n && key.p[i + 1] == DOWN;
        const char *step = key.p + i + 1 + down;
        size_t len = 0;
        while (step + len < key.p + key.n && step[len] != SEPARATOR)
            len++;
        node = step_to(t, node, step, len, down, unit);
        i = (size_t)(step + len - key.p);
    }
    t->failed |= steps > MOST_STEPS;
    if (node == NO_NODE)
        return;
    if (t->nodes[node].unit == 0)
        t->nodes[node].unit = 1 + rank;
    t->nodes[node].nunits++;
}

static const struct cupel__event *event_of(const struct output_tree *t, const struct output_node *n,
                                           uint32_t i)
{
    return &t->events[t->order[n->unit - 1 + i]];
}

/* Whether a keyword can pass although its schemas fail. */
static bool is_independent(const struct output_tree *t, const struct output_node *n)
{
    static const char *const names[] = {"anyOf", "oneOf", "not", "if", "contains", NULL};
    return !n->down && !n->name && n->len > 0 &&
           is_one_of((struct cupel__str){t->keys.bytes + n->at, n->len}, names);
}

/* Whether unit i of a node is a false schema, which has the location of the keyword above it. */
static bool is_fail(const struct output_tree *t, const struct output_node *n, uint32_t i)
{
    return CUPEL__WORD_OP(t->r->code->words[event_of(t, n, i)->pc]) == CUPEL__OP_FAIL;
}

/* Sets `failed` of all nodes: one of its units failed, or a child did on which its result depends.
 * Parents precede their children in the array, so it goes backwards. */
static void find_failed(struct output_tree *t)
{
    for (size_t i = t->nnodes; i-- > 0;) {
        struct output_node *n = &t->nodes[i];
        for (uint32_t u = 0; u < n->nunits; u++)
            n->failed |= !event_of(t, n, u)->passed && !(is_independent(t, n) && is_fail(t, n, u));
        if (i > 0 && n->failed && !is_independent(t, &t->nodes[n->parent]))
            t->nodes[n->parent].failed = true;
    }
}

/* Nearly every unit takes four bytes of output or more. */
static size_t max_units(const struct render *r)
{
    return r->options->bytes / 4 + MORE_UNITS;
}

/* Allocates the nodes: no more than the keys have steps. */
static void make_nodes(struct output_tree *t)
{
    const size_t bytes = t->r->options->bytes, most = bytes / sizeof *t->nodes + MORE_NODES;
    size_t steps = 1;
    for (size_t i = 0; i < t->keys.len; i++)
        steps += t->keys.bytes[i] == SEPARATOR;
    steps = steps < most ? steps : most;
    t->nodes = cupel__realloc(&t->keys.alloc, NULL, 0, steps * sizeof *t->nodes);
    if (t->nodes != NULL)
        t->max_nodes = steps;
    else
        fail_memory(t);
}

/* Leaves a tree with `failed` set, which cupel__tree_free() takes as well, when a bound is
 * exceeded. */
void cupel__tree_make(struct output_tree *t, struct render *r)
{
    *t = (struct output_tree){
        .r = r, .events = r->s->log.events, .nunits = r->nunits, .charged = r->text->len};
    cupel_text_init(&t->keys, &r->text->alloc);
    t->starts =
        cupel__realloc(&t->keys.alloc, NULL, 0, (3 * (size_t)t->nunits + 1) * sizeof *t->starts);
    if (t->starts == NULL) {
        fail_memory(t);
        return;
    }
    t->order = t->starts + 2 * (size_t)t->nunits;
    for (uint32_t i = 0; i < t->nunits; i++)
        t->order[i] = i;
    t->failed = t->nunits > max_units(r) || !cupel__report_charge(r->s, t->nunits);
    if (!t->failed)
        cupel__order_sort(t->order, t->nunits, by_value, t);
    add_keys(t);
    if (t->failed)
        return;
    cupel__order_sort(t->order, t->nunits, by_key, t);
    make_nodes(t);
    if (t->failed)
        return;
    add_node(t, NO_NODE, NULL, 0, false, 0);
    for (uint32_t i = 0; i < t->nunits && !t->failed; i++)
        add_unit(t, t->order[i], i);
    if (r->traced && !t->failed)
        find_failed(t);
}

void cupel__tree_free(struct output_tree *t)
{
    cupel__free(&t->keys.alloc, t->starts, (3 * (size_t)t->nunits + 1) * sizeof *t->starts);
    cupel__free(&t->keys.alloc, t->nodes, t->max_nodes * sizeof *t->nodes);
    cupel_text_free(&t->keys);
}

/* -- Reading ----------------------------------------------------------------------------------- */

/* Appends the steps to a node of one kind (down: in the instance) as a JSON Pointer in a JSON
 * string. */
static void add_steps(const struct output_tree *t, uint32_t node, bool down)
{
    struct cupel_text pointer;
    uint32_t chain[MOST_STEPS], n = 0;
    cupel_text_init(&pointer, &t->keys.alloc);
    for (; node != NO_NODE && n < MOST_STEPS; node = t->nodes[node].parent)
        if (t->nodes[node].parent != NO_NODE && t->nodes[node].down == down)
            chain[n++] = node;
    while (n > 0) {
        const struct output_node *step = &t->nodes[chain[--n]];
        cupel_text_adds(&pointer, "/");
        cupel_text_add(&pointer, t->keys.bytes + step->at, step->len);
    }
    cupel__add_json(t->r->text, &pointer);
    cupel_text_free(&pointer);
}

void cupel__tree_evaluation(const struct output_tree *t, uint32_t node)
{
    add_steps(t, node, false);
}

void cupel__tree_instance(const struct output_tree *t, uint32_t node)
{
    add_steps(t, node, true);
}

void cupel__tree_absolute(const struct output_tree *t, uint32_t node)
{
    struct cupel_text uri;
    const struct output_node *n = &t->nodes[node];
    uint32_t loc = CUPEL__NO_LOC;
    int64_t looked = 0;
    if (t->nunits > 0)
        loc = cupel__loc_on_path(t->r->code, t->r->s->log.paths, &t->events[n->event], n->steps,
                                 &looked);
    cupel__report_charge(t->r->s, looked);
    cupel_text_init(&uri, &t->keys.alloc);
    cupel__add_absolute_location(t->r->s, loc, t->r->options->base, t->r->options->bytes, &uri);
    cupel__add_json(t->r->text, &uri);
    cupel_text_free(&uri);
}

static bool is_note(const struct output_tree *t, const struct cupel__event *e)
{
    return CUPEL__WORD_OP(t->r->code->words[e->pc]) == CUPEL__OP_NOTE;
}

bool cupel__tree_has_message(const struct output_tree *t, uint32_t node)
{
    const struct output_node *n = &t->nodes[node];
    bool counts = !t->r->traced || n->failed;
    for (uint32_t i = 0; i < n->nunits; i++)
        if ((counts && !event_of(t, n, i)->passed) || is_note(t, event_of(t, n, i)))
            return true;
    return false;
}

/* Annotations of one keyword for one value are equal, so the first stands for all.
 */
void cupel__tree_add_message(const struct output_tree *t, uint32_t node)
{
    const struct output_node *n = &t->nodes[node];
    struct cupel_text text;
    bool first = true;
    for (uint32_t i = 0; !n->failed && i < n->nunits; i++) {
        if (is_note(t, event_of(t, n, i))) {
            cupel__add_annotation(t->r, event_of(t, n, i));
            return;
        }
    }
    cupel_text_init(&text, &t->keys.alloc);
    for (uint32_t i = 0; i < n->nunits && text.len <= t->r->options->bytes; i++) {
        if (event_of(t, n, i)->passed)
            continue;
        cupel_text_adds(&text, first ? "" : "; ");
        cupel__problem_sentence(t->r->s, event_of(t, n, i), &text);
        first = false;
    }
    if (text.len <= t->r->options->bytes)
        cupel__add_json(t->r->text, &text);
    else
        cupel_text_add(t->r->text, text.bytes,
                       text.len); /* exceeds the bound, which the caller notices */
    cupel_text_free(&text);
}

uint32_t cupel__tree_next(const struct output_tree *t, uint32_t node, uint32_t *ret_up)
{
    *ret_up = 0;
    if (t->nodes[node].child != NO_NODE)
        return t->nodes[node].child;
    for (; node != NO_NODE; node = t->nodes[node].parent, ++*ret_up)
        if (t->nodes[node].sibling != NO_NODE)
            return t->nodes[node].sibling;
    return NO_NODE;
}
