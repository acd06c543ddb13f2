/* rename.c: names that are probably misspelt, and calls inside a member (rename.h).
 *
 * A misspelling and the name that was meant have to be each other's nearest: of the members that
 * nobody knows, and of the declared names that the object lacks.  Two that are equally near are a
 * tie, and nothing is guessed. */
#include "messages/rename.h"
#include "base/similar.h"
#include "messages/declared_names.h"
#include "messages/decode.h"
#include "messages/model_path.h"
#include "messages/place.h"
#include <string.h>

/* From FAR on one name only contains the other (similar.h).  MAX_MEMBERS: members compared.
 * SHORT: names below so many bytes have no misspelling that is certain but in case, separators
 * or a final s. */
enum { FAR = 40, MAX_MEMBERS = 256, SHORT = 4 };

/* -- Names ------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether two names have the same digits: `arg1` is no misspelling of `arg2`. */
static bool same_digits(struct cupel__str a, struct cupel__str b)
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i < a.n && !is_digit(a.p[i]))
            i++;
        while (k < b.n && !is_digit(b.p[k]))
            k++;
        if (i == a.n || k == b.n)
            return i == a.n && k == b.n;
        if (a.p[i++] != b.p[k++])
            return false;
    }
}

static int distance(const struct render *r, struct cupel__str a, struct cupel__str b)
{
    if (!cupel__report_charge(r->s, cupel__similar_steps(a, b)) || !same_digits(a, b))
        return CUPEL__NOT_SIMILAR;
    int d = cupel__similar(a, b);
    return d > 0 ? d : CUPEL__NOT_SIMILAR;
}

static bool is_certain(struct cupel__str a, struct cupel__str b, int d)
{
    size_t n = a.n < b.n ? a.n : b.n;
    bool plural = a.n != b.n && n > 1 && memcmp(a.p, b.p, n) == 0;
    return d == 1 || (d < FAR && (n >= SHORT || (d == 2 && plural)));
}

struct cupel__str cupel__rename_name(const struct render *r, const struct cupel__rename *rename,
                                     char buf[16])
{
    const struct cupel__table *t = cupel__at(r->code->image, rename->table);
    return cupel__entry_name(r->code->image, t, &cupel__table_entries(t)[rename->entry], buf);
}

/* Whether the schema of an entry refuses every value. */
static bool is_forbidden(const struct render *r, const struct cupel__entry *e)
{
    return (e->flags & CUPEL__ENTRY_UNKNOWN) == 0 && cupel__place_refuses(r, e->sub);
}

static struct cupel__str name_of(const struct render *r, uint32_t key)
{
    return cupel__doc_str(r->doc, &r->doc->nodes[key]);
}

static bool lacks(const struct render *r, uint32_t object, struct cupel__str name)
{
    return cupel__report_charge(r->s, r->doc->nodes[object].count) &&
           cupel__doc_member(r->doc, object, name) == 0;
}

/* -- Members ----------------------------------------------------------------------------------- */

/* The unknown member whose name is nearest to `name`, apart from `except`. */
struct nearest {
    uint32_t key;
    int distance;
    bool tie;
};

static struct nearest nearest_member(const struct render *r, const struct cupel__place *place,
                                     uint32_t object, struct cupel__str name, uint32_t except)
{
    const struct cupel__node *nodes = r->doc->nodes;
    struct nearest best = {0, CUPEL__NOT_SIMILAR, false};
    uint32_t n = 0;
    for (uint32_t k = object + 1; k < nodes[object].end && n < MAX_MEMBERS;
         k = cupel__node_next(nodes, k + 1), n++) {
        int d = distance(r, name_of(r, k), name);
        if (k == except || d > best.distance || d == CUPEL__NOT_SIMILAR ||
            cupel__place_knows(r, place, k) || cupel__place_nearby(r, place, name_of(r, k)))
            continue;
        best = (struct nearest){k, d, d == best.distance};
    }
    return best;
}

/* The search for a declared name that the object lacks and that is as near to a member's name as
 * the name that is missing. */
struct rival_search {
    uint32_t object;
    struct cupel__str member, name;
    int distance, rival; /* of the name; of its nearest rival */
};

static bool find_rivals(const struct render *r, const uint32_t *word, void *ctx)
{
    struct rival_search *search = ctx;
    uint32_t table = cupel__names_of(word);
    if (table == 0)
        return false;
    const struct cupel__table *t = cupel__at(r->code->image, table);
    for (uint32_t i = 0; i < t->count; i++) {
        char buf[16];
        const struct cupel__entry *e = &cupel__table_entries(t)[i];
        struct cupel__str name = cupel__entry_name(r->code->image, t, e, buf);
        if (!cupel__report_charge(r->s, 1))
            return true;
        if (cupel__str_eq(name, search->name) || is_forbidden(r, e))
            continue;
        int d = distance(r, search->member, name);
        if (d < search->rival && lacks(r, search->object, name))
            search->rival = d;
    }
    return r->s->cursor->remaining <= 0;
}

static void settle(const struct render *r, uint32_t key, struct cupel__str name, int d,
                   struct cupel__rename *ret)
{
    ret->tie |= r->s->cursor->remaining <= 0;
    if (key == 0 || ret->tie)
        return;
    ret->key = key;
    ret->certain = is_certain(name_of(r, key), name, d);
}

void cupel__rename_missing(const struct render *r, const struct cupel__event *e,
                           struct cupel__rename *ret)
{
    const uint32_t *word = r->code->words + e->pc;
    struct cupel__place place;
    char buf[16];
    *ret = (struct cupel__rename){.entry = e->which};
    ret->table = CUPEL__WORD_OP(*word) == CUPEL__OP_DEPENDS ? word[2] : word[1];
    if (r->doc->nodes[e->node].type != CUPEL__OBJECT || !cupel__place_of(r, e, &place))
        return;
    struct cupel__str name = cupel__problem_name(r->s, e, buf);
    struct nearest best = nearest_member(r, &place, e->node, name, 0);
    if (best.key == 0)
        return;
    struct rival_search search = {e->node, name_of(r, best.key), name, best.distance,
                                  CUPEL__NOT_SIMILAR};
    cupel__place_each(r, &place, find_rivals, &search);
    if (search.rival < best.distance)
        return;
    ret->tie = best.tie || search.rival == best.distance;
    settle(r, best.key, name, best.distance, ret);
}

void cupel__rename_unknown(const struct render *r, const struct cupel__event *e,
                           struct cupel__rename *ret)
{
    struct cupel__declared_names known;
    struct cupel__place place;
    const uint32_t key = cupel__member_key(r->s, e->node);
    const uint32_t object = cupel__container_of(r, e->node);
    int best = CUPEL__NOT_SIMILAR;
    *ret = (struct cupel__rename){.key = 0};
    if (key == 0 || object == CUPEL_NO_NODE || !cupel__place_of(r, e, &place))
        return;
    cupel__declared_names_parent(r, e->pc, &known);
    for (uint32_t i = 0; i < known.n; i++) {
        char buf[16];
        const struct cupel__table *t = cupel__at(r->code->image, known.name[i].table);
        struct cupel__str name = cupel__declared_name(r, &known, i, buf);
        int d = distance(r, name_of(r, key), name);
        if (d > best || d == CUPEL__NOT_SIMILAR || !lacks(r, object, name) ||
            is_forbidden(r, &cupel__table_entries(t)[known.name[i].entry]))
            continue;
        ret->tie = d == best;
        best = d;
        ret->table = known.name[i].table;
        ret->entry = known.name[i].entry;
    }
    if (best == CUPEL__NOT_SIMILAR || cupel__place_knows(r, &place, key) ||
        cupel__place_nearby(r, &place, name_of(r, key))) {
        ret->tie = false;
        return;
    }
    char buf[16];
    struct cupel__str name = cupel__rename_name(r, ret, buf);
    struct nearest other = nearest_member(r, &place, object, name, key);
    if (other.key != 0 && other.distance < best)
        return;
    ret->tie |= other.key != 0 && other.distance == best;
    settle(r, key, name, best, ret);
}

bool cupel__has_unknown_member(const struct render *r, const struct cupel__event *e,
                               uint32_t object)
{
    const struct cupel__node *nodes = r->doc->nodes;
    struct cupel__place place;
    if (!cupel__place_of(r, e, &place))
        return true;
    for (uint32_t k = object + 1; k < nodes[object].end; k = cupel__node_next(nodes, k + 1))
        if (r->s->cursor->remaining <= 0 || !cupel__place_knows(r, &place, k))
            return true;
    return false;
}

/* -- Calls inside a member --------------------------------------------------------------------- */

static bool is_any_word(struct cupel__str s, const char *const *words)
{
    for (; *words != NULL; words++)
        if (s.n == strlen(*words) && memcmp(s.p, *words, s.n) == 0)
            return true;
    return false;
}

/* Whether an object has a declared member and all required ones, as the arguments of a call do. */
static bool is_call(const struct render *r, struct cupel__doc *doc, uint32_t object,
                    const struct cupel__declared_names *known)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < known->n; i++) {
        char buf[16];
        if (!cupel__report_charge(r->s, 1 + doc->nodes[object].count))
            return false;
        bool has = cupel__doc_member(doc, object, cupel__declared_name(r, known, i, buf)) != 0;
        if (known->name[i].required && !has)
            return false;
        there += has;
    }
    return there > 0;
}

/* The same for the value of a member, which may be the JSON text of an object. */
static bool holds_call(const struct render *r, uint32_t node,
                       const struct cupel__declared_names *known)
{
    struct cupel__node *v = &r->doc->nodes[node];
    struct cupel_text json;
    struct cupel__doc doc;
    if (v->type == CUPEL__OBJECT)
        return is_call(r, r->doc, node, known);
    if ((CUPEL__BIT(v->type) & CUPEL__M_STRING) == 0)
        return false;
    cupel_text_init(&json, &r->text->alloc);
    cupel__doc_init(&doc, &r->text->alloc);
    struct cupel__read_options read = r->s->document.read;
    read.flags &= ~(uint32_t)CUPEL__READ_PADDED;
    bool call = cupel__decode(r, cupel__doc_str(r->doc, v), CUPEL__M_OBJECT, &json, NULL) !=
                    CUPEL__DECODED_NOT &&
                !json.failed &&
                cupel__json_read(&doc, json.bytes, json.len, &read, NULL) == CUPEL_OK &&
                is_call(r, &doc, 0, known);
    r->text->failed |= json.failed;
    cupel__doc_free(&doc);
    cupel_text_free(&json);
    return call;
}

uint32_t cupel__wrapper_of(const struct render *r)
{
    /* Members that hold a call, and those that name its tool. */
    static const char *const holders[] = {
        "arguments",  "args",      "input",      "inputs",    "parameters",     "params",
        "tool_input", "toolInput", "tool_args",  "kwargs",    "data",           "body",
        "payload",    "request",   "properties", "call_args", "tool_arguments", NULL};
    static const char *const names[] = {"name",     "tool",      "tool_name",     "toolName",
                                        "function", "tool_call", "function_name", "id",
                                        "type",     NULL};
    const struct cupel__node *nodes = r->doc->nodes;
    const uint32_t root = r->s->node;
    struct cupel__declared_names known;
    uint32_t found = 0;
    if (nodes[root].type != CUPEL__OBJECT || nodes[root].count == 0 || nodes[root].count > 4)
        return 0;
    cupel__declared_names_sub(r, r->code->image->root, &known);
    for (uint32_t k = root + 1; k < nodes[root].end; k = cupel__node_next(nodes, k + 1)) {
        struct cupel__str name = name_of(r, k);
        if (known.more > 0 || cupel__is_declared_name(r, &known, name))
            return 0;
        if (is_any_word(name, names))
            continue;
        if (found != 0 || !is_any_word(name, holders))
            return 0;
        found = k;
    }
    return found != 0 && holds_call(r, found + 1, &known) ? found : 0;
}
