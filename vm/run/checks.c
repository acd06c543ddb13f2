/* checks.c: the checks of one value, and searches in it (checks.h). */
#include "base/always.h"
#include "base/utf8.h"
#include "vm/formats/formats.h"
#include "vm/run/vm.h"

static int undecided(struct cupel__vm *vm, enum cupel_status reason)
{
    vm->reason = reason;
    return -1;
}

/* Charges `n` steps; false when the budget is spent. */
static bool charge(struct cupel__vm *vm, uint64_t n)
{
    vm->budget.remaining -= (int64_t)n;
    if (vm->budget.remaining >= 0)
        return true;
    vm->reason = CUPEL_E_LIMIT_STEPS;
    return false;
}

/* The constants, as a document.  No function writes to it: none of its strings is ESCAPED. */
static struct cupel__doc *constants(const struct cupel__vm *vm)
{
    return (struct cupel__doc *)&vm->program->values;
}

/* -- Numbers --------------------------------------------------------------------------------------
 */

/* The digits of a number that are not in a machine word. */
static uint64_t length(const struct cupel__dec *d)
{
    return d->digits != NULL ? d->ndigits : 0;
}

/* Whether a number whose decimal is x is on the right side of a bound. */
static int compare(struct cupel__vm *vm, const struct cupel__dec *x, const struct cupel__dec *bound,
                   int sign, bool exclusive)
{
    if (!charge(vm, 3 + ((uint64_t)x->chars + bound->chars) / CUPEL__CHARS_A_STEP))
        return -1;
    int c = cupel__dec_cmp(x, bound) * sign;
    return exclusive ? c > 0 : c >= 0;
}

/* Compares a number in a node with an integer, without a decimal; false if that is not possible. */
static bool order_of(const struct cupel__node *v, int64_t integer, int *ret)
{
    return !(v->flags & CUPEL__BIG) && cupel__dec_order(v->i, v->exp, integer, ret);
}

/* sign 1: v is not below the constant c; -1: not above it. */
static int check_bound(struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v,
                       int sign)
{
    struct cupel__dec x, bound;
    const struct cupel__node *limit = &vm->program->values.nodes[pc[1]];
    int order;
    if (cupel__is_small(limit) && order_of(v, limit->i, &order))
        return charge(vm, 3) ? order * sign >= (int)CUPEL__WORD_A(*pc) : -1;
    if (!cupel__doc_decimal(constants(vm), limit, &bound) || !cupel__doc_decimal(vm->doc, v, &x))
        return undecided(vm, CUPEL_E_LIMIT_NUMBER);
    return compare(vm, &x, &bound, sign, CUPEL__WORD_A(*pc));
}

static int check_MIN(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    return check_bound(vm, pc, v, 1);
}

static int check_MAX(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    return check_bound(vm, pc, v, -1);
}

static int check_RANGE(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    struct cupel__dec x, lo = {.i = (int32_t)pc[1]}, hi = {.i = (int32_t)pc[2]};
    int above, below;
    if (order_of(v, lo.i, &above) && order_of(v, hi.i, &below))
        return charge(vm, above >= 0 ? 6 : 3) ? above >= 0 && below <= 0 : -1;
    if (!cupel__doc_decimal(vm->doc, v, &x))
        return undecided(vm, CUPEL_E_LIMIT_NUMBER);
    int r = compare(vm, &x, &lo, 1, false);
    return r == 1 ? compare(vm, &x, &hi, -1, false) : r;
}

static int check_MULTIPLE(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    struct cupel__dec x, divisor;
    if (!cupel__doc_decimal(vm->doc, v, &x) ||
        !cupel__doc_decimal(constants(vm), &vm->program->values.nodes[pc[1]], &divisor))
        return undecided(vm, CUPEL_E_LIMIT_NUMBER);
    /* Long division, limb by limb, after the factors 2 and 5 are divided out. */
    uint64_t m = length(&x), n = length(&divisor);
    uint64_t read = ((uint64_t)x.chars + divisor.chars) / CUPEL__CHARS_A_STEP;
    if (!charge(vm, (x.exp == divisor.exp ? 3 : 9) + read + m + n + (m + n) * n / 64))
        return -1;
    int r = cupel__dec_multiple(&x, &divisor);
    return r < 0 ? undecided(vm, CUPEL_E_LIMIT_NUMBER) : r;
}

/* -- Values ---------------------------------------------------------------------------------------
 */

static int equals(struct cupel__vm *vm, const struct cupel__node *v, uint32_t value)
{
    int r =
        cupel__json_equal(constants(vm), value, vm->doc, (uint32_t)(v - vm->nodes), &vm->budget);
    return r < 0 ? undecided(vm, vm->budget.why) : r;
}

static int check_CONST(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    return equals(vm, v, pc[1]);
}

/* A constant that could not be compared makes the result undecided, unless another one is equal. */
static int check_ENUM(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    const struct cupel__list *values = cupel__image_list(vm->image, pc[1]);
    int result = 0;
    for (uint32_t i = 0; i < values->count; i++) {
        int r = charge(vm, 1) ? equals(vm, v, values->item[i]) : -1;
        if (r == 1)
            return 1;
        if (vm->budget.remaining < 0 || vm->checks.index.map.need > 0)
            return -1;
        if (r < 0)
            result = -1;
    }
    return result;
}

/* The first of n ascending pairs whose hash is not below x. */
static uint32_t first_not_below(const uint32_t *pair, uint32_t n, uint32_t x)
{
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (pair[2 * (size_t)mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int check_LOOKUP(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    const struct cupel__list *values = cupel__image_list(vm->image, pc[1]);
    const struct cupel__list *pairs = cupel__image_list(vm->image, pc[2]);
    uint32_t n = pairs->count / 2;
    uint64_t hash;
    if (!cupel__json_hash(vm->doc, (uint32_t)(v - vm->nodes), CUPEL__HASH_KEY, &vm->budget, &hash))
        return undecided(vm, vm->budget.why);
    const uint32_t *pair = pairs->item, *end = pair + 2 * (size_t)n;
    pair += 2 * (size_t)first_not_below(pair, n, (uint32_t)hash);
    for (; pair < end && pair[0] == (uint32_t)hash; pair += 2) {
        int r = 0;
        if (pair[1] < values->count)
            r = charge(vm, 1) ? equals(vm, v, values->item[pair[1]]) : -1;
        if (r != 0)
            return r;
    }
    return 0;
}

/* -- UNIQUE -------------------------------------------------------------------------------------
 *
 * Up to FINGERPRINTED items are first compared by fingerprints, hashes without a key.  A stranger
 * can find values with equal fingerprints; that only costs a full comparison. */

enum { FINGERPRINTED = 64 }; /* comparing so many in pairs is faster than a keyed hash of each */

static uint64_t scramble(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

/* The fingerprint of a STRING, which has no escapes. */
static inline uint64_t string_fingerprint(const struct cupel__vm *vm, const struct cupel__node *v)
{
    return cupel__name_hash64(vm->doc->base[v->flags >> 1 & 1] + v->off, v->len) | 1;
}

/* The fingerprint of any other value from its node alone: equal for equal values, or 0 where the
 * node does not determine it. */
static uint64_t node_fingerprint(struct cupel__vm *vm, struct cupel__node *v)
{
    switch (v->type) {
    case CUPEL__ESCAPED:
        cupel__doc_decode(vm->doc, v);
        return string_fingerprint(vm, v);
    case CUPEL__INT:
    case CUPEL__BIGINT:
    case CUPEL__INTREAL:
    case CUPEL__REAL:
        return v->flags & CUPEL__BIG ? 0 : ((uint64_t)v->i ^ (uint64_t)v->exp << 48) + 2;
    default:
        return (uint64_t)v->type + 3; /* of a container the type */
    }
}

/* The fingerprint of a value with its children, of which containers count by their type alone. */
static uint64_t fingerprint(struct cupel__vm *vm, struct cupel__node *v)
{
    uint64_t sum = node_fingerprint(vm, v);
    bool object = v->type == CUPEL__OBJECT;
    struct cupel__node *at = v + 1;
    if (v->type < CUPEL__ARRAY)
        return sum;
    vm->budget.remaining -= v->count;
    for (uint32_t i = 0; i < v->count; i++) {
        uint64_t key = object ? cupel__key_hash(vm->doc, at) : i;
        at += object;
        uint64_t value =
            at->type == CUPEL__STRING ? string_fingerprint(vm, at) : node_fingerprint(vm, at);
        if (value == 0)
            return 0;
        sum += scramble(scramble(key) ^ value); /* members come in any order */
        at = vm->nodes + cupel__node_next(vm->nodes, (uint32_t)(at - vm->nodes));
    }
    return sum;
}

/* Whether all fingerprints differ.  The filter has a bit for each hash; only an item whose bit is
 * set already is compared with those before it. */
static bool fingerprints_differ(struct cupel__vm *vm, const struct cupel__node *v)
{
    uint64_t seen[FINGERPRINTED], filter[8] = {0};
    uint32_t at = (uint32_t)(v + 1 - vm->nodes);
    for (uint32_t i = 0; i < v->count; i++) {
        struct cupel__node *item = &vm->nodes[at];
        seen[i] =
            item->type == CUPEL__STRING ? string_fingerprint(vm, item) : fingerprint(vm, item);
        if (seen[i] == 0)
            return false;
        uint64_t hash = seen[i] * 0x9e3779b97f4a7c15u, bit = UINT64_C(1) << (hash >> 58);
        uint64_t *word = &filter[hash >> 55 & 7];
        for (uint32_t k = 0; k < i && (*word & bit); k++)
            if (seen[k] == seen[i])
                return false;
        *word |= bit;
        at = cupel__node_next(vm->nodes, at);
    }
    return true;
}

static int check_UNIQUE(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    (void)pc;
    if (!charge(vm, v->count))
        return -1;
    if (v->count <= FINGERPRINTED && vm->checks.fingerprints) {
        if (!charge(vm, v->count * v->count / 16))
            return -1;
        if (fingerprints_differ(vm, v))
            return 1;
    }
    size_t need = 0;
    if (v->count > CUPEL__UNIQUE_PAIRWISE)
        for (need = 64; need < 2 * (size_t)v->count; need *= 2)
            ;
    if (need > vm->checks.nunique) {
        vm->checks.unique_need = need;
        return undecided(vm, CUPEL_E_LIMIT_MEMORY);
    }
    const struct cupel__unique unique = {vm->doc, vm->checks.key, &vm->budget,
                                         vm->checks.fingerprints};
    int r = cupel__json_unique(&unique, (uint32_t)(v - vm->nodes), vm->checks.unique, need);
    return r < 0 ? undecided(vm, vm->budget.why) : r;
}

/* -- Strings --------------------------------------------------------------------------------------
 */

/* The length of a string with escapes needs no decoding.  A code point takes at most twelve bytes.
 */
static int check_escaped_length(struct cupel__vm *vm, const struct cupel__node *v, uint32_t min,
                                uint32_t max)
{
    if (v->len <= max && v->len / 12 >= min)
        return 1;
    if (!charge(vm, v->len / 16))
        return -1;
    const size_t n = cupel__escaped_count(vm->doc->base[0] + v->src, v->len);
    return n >= min && n <= max;
}

static int check_LENGTH(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    const uint32_t min = pc[1], max = pc[2];
    if (v->type == CUPEL__ESCAPED)
        return check_escaped_length(vm, v, min, max);
    struct cupel__str s = cupel__doc_str(vm->doc, v);
    if (s.n < min || (s.n + 3) / 4 > max)
        return 0;
    if (s.n <= max && (s.n + 3) / 4 >= min)
        return 1;
    if (!charge(vm, s.n / 64))
        return -1;
    size_t n = cupel__utf8_count(s.p, s.n);
    return n >= min && n <= max;
}

/* Charges FETCH besides the match, because the tables of a pattern are often in no cache. */
static int match(struct cupel__vm *vm, struct cupel__str s, uint32_t pattern)
{
    enum { FETCH = 3 };
    if (!charge(vm, FETCH))
        return -1;
    int r = cupel__matcher_run(vm->program->matchers[pattern], vm->checks.matching, s.p, s.n,
                               &vm->budget.remaining);
    if (r >= 0)
        return r;
    return undecided(vm, (enum cupel_status)r);
}

static int check_PATTERN(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    return match(vm, cupel__doc_str(vm->doc, v), pc[1]);
}

/* The result of a format that needs IDNA.  The library does much work for each label, so the result
 * for the last string is kept, for other branches of a schema. */
static int check_idna(struct cupel__vm *vm, const struct cupel__node *v, uint32_t format,
                      uint32_t labels, struct cupel__str s)
{
    struct cupel__idna_result *kept = &vm->checks.idna;
    if (kept->format == format + 1 && kept->off == v->off && kept->len == v->len &&
        kept->flags == v->flags)
        return kept->result;
    if (!charge(vm, cupel__format_idna_steps((enum cupel__format)format, labels, s.n)))
        return CUPEL_E_LIMIT_STEPS;
    int r = cupel__format_check((enum cupel__format)format, s.p, s.n, &vm->checks.arena);
    *kept = (struct cupel__idna_result){v->off, v->len, r, (uint16_t)(format + 1), v->flags};
    return r;
}

static int check_FORMAT(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    const uint32_t format = CUPEL__WORD_B(*pc);
    struct cupel__str s = cupel__doc_str(vm->doc, v);
    if (!charge(vm, cupel__format_steps((enum cupel__format)format, s.n)))
        return -1;
    uint32_t labels = cupel__format_labels((enum cupel__format)format, s.p, s.n);
    int r = labels > 0
                ? check_idna(vm, v, format, labels, s)
                : cupel__format_check((enum cupel__format)format, s.p, s.n, &vm->checks.arena);
    if (r == CUPEL_E_UNSUPPORTED && vm->checks.idn_optional)
        return 1;
    return r >= 0 ? r : undecided(vm, (enum cupel_status)r);
}

static int check_HOST_FORMAT(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    struct cupel__str s = cupel__doc_str(vm->doc, v);
    const struct cupel_format *f = &vm->program->formats[CUPEL__WORD_B(*pc)];
    if (!charge(vm, 4 + s.n / 4))
        return -1;
    cupel__callback_begin(vm);
    int r = f->check(f->ctx, s.n == 0 ? "" : s.p, s.n);
    cupel__callback_end(vm);
    if (r != CUPEL_VALID && r != CUPEL_INVALID)
        return undecided(vm, CUPEL_E_LIMIT_FORMAT);
    return r == CUPEL_VALID;
}

static int check_STRINGS(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    struct cupel__str s = cupel__doc_str(vm->doc, v); /* from now on a STRING */
    if (!charge(vm, s.n / 128))                       /* one name at most is compared in full */
        return -1;
    return cupel__table_find_node(vm->image, cupel__at(vm->image, pc[1]), vm->doc, v) != NULL;
}

static int check_STRING(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    struct cupel__str s = cupel__doc_str(vm->doc, v);
    return s.n == CUPEL__WORD_B(*pc) &&
           cupel__first_bytes(cupel__load64(s.p), (uint32_t)s.n) == ((uint64_t)pc[2] << 32 | pc[1]);
}

/* -- Objects --------------------------------------------------------------------------------------
 */

static int has(struct cupel__vm *vm, const struct cupel__node *v, struct cupel__str name)
{
    uint32_t key;
    int r = cupel__member_find(vm->doc, (uint32_t)(v - vm->nodes), name, &vm->budget, &key);
    return r < 0 ? undecided(vm, vm->budget.why) : r;
}

int cupel__find_entry(struct cupel__vm *vm, const struct cupel__table *t,
                      const struct cupel__entry *e, uint32_t v)
{
    char buf[16];
    uint32_t key;
    struct cupel__str name = cupel__entry_name(vm->image, t, e, buf);
    int r = cupel__member_find(vm->doc, v, name, &vm->budget, &key);
    if (r > 0)
        vm->result.value = &vm->nodes[key + 1];
    return r < 0 ? undecided(vm, vm->budget.why) : r;
}

int cupel__has_member(struct cupel__vm *vm, const struct cupel__node *v, uint32_t str)
{
    return has(vm, v, cupel__image_str(vm->image, str));
}

/* Whether a small object has all names, in one pass over its members. */
static bool has_all(struct cupel__vm *vm, const struct cupel__node *v, const struct cupel__table *t)
{
    uint32_t found = 0, end = v->end;
    if (v->count < t->count)
        return false;
    vm->budget.remaining -= v->count;
    for (uint32_t i = (uint32_t)(v + 1 - vm->nodes); i < end;
         i = cupel__node_next(vm->nodes, i + 1)) {
        found += cupel__table_find_key(vm->image, t, vm->doc, &vm->nodes[i]) != NULL;
    }
    return found == t->count;
}

/* The first name of a table that v lacks, from index vm->result.which on: 0 and its index, or 1. */
static int find_missing(struct cupel__vm *vm, const struct cupel__node *v, uint32_t table)
{
    enum { FEW = 16 }; /* of more members there is an index (json/member_index.h) */
    const struct cupel__table *t = cupel__at(vm->image, table);
    if (vm->result.which == 0 && v->count < FEW && has_all(vm, v, t))
        return 1;
    const struct cupel__entry *entries = cupel__table_entries(t);
    for (; vm->result.which < t->count; vm->result.which++) {
        char buf[16];
        vm->budget.remaining--;
        int r = has(vm, v, cupel__entry_name(vm->image, t, &entries[vm->result.which], buf));
        if (r != 1)
            return r;
    }
    return 1;
}

static int check_REQUIRED(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    return find_missing(vm, v, pc[1]);
}

static int check_DEPENDS(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    int r = cupel__has_member(vm, v, pc[1]);
    if (r != 1)
        return r == 0 ? 1 : -1;
    return find_missing(vm, v, pc[2]);
}

static int check_COUNT(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    (void)vm;
    return v->count >= pc[1] && v->count <= pc[2];
}

/* frame.stage of MEMBERS: the next step for the member, in this order.  From MATCHES on,
 * stage - MATCHES is the index of the next pattern.  MATCHED: a bit that says that some pattern
 * matched, or that the name is a property. */
enum { NAME, ENTRY, MATCHES, MATCHED = 1 << 30 };

static void next_key(struct cupel__vm *vm, struct cupel__frame *f)
{
    f->at = cupel__node_next(vm->nodes, f->at + 1);
    f->left--;
    f->stage = NAME;
}

/* The member of a MEMBERS frame becomes evaluated. */
static void mark(struct cupel__vm *vm, const struct cupel__frame *f)
{
    uint32_t i = vm->nodes[f->v].count - f->left;
    if (CUPEL__WORD_A(vm->code[f->pc]))
        cupel__mark(vm, f->v, i, i + 1);
}

static bool entry_sub(struct cupel__vm *vm, struct cupel__frame *f, const struct cupel__table *t,
                      struct cupel__str key, uint32_t *ret_sub)
{
    const struct cupel__entry *e = cupel__table_find(vm->image, t, key.p, (uint32_t)key.n);
    f->stage = MATCHES;
    if (e == NULL)
        return false;
    f->n += e->required;
    if (e->flags & CUPEL__ENTRY_UNKNOWN)
        return false;
    f->stage |= MATCHED;
    mark(vm, f);
    *ret_sub = e->sub;
    return true;
}

/* The next pattern that the key matches: 1 and its subschema, 0 if none is left. */
static int match_sub(struct cupel__vm *vm, struct cupel__frame *f, const struct cupel__table *t,
                     struct cupel__str key, uint32_t *ret_sub)
{
    const struct cupel__list *list = t->matches ? cupel__image_list(vm->image, t->matches) : NULL;
    for (;;) {
        uint32_t i = 2 * ((f->stage & ~(uint32_t)MATCHED) - MATCHES);
        if (list == NULL || i >= list->count)
            return 0;
        f->stage++;
        int r = charge(vm, 1) ? match(vm, key, list->item[i]) : -1;
        if (r == 0)
            continue;
        f->stage |= MATCHED;
        mark(vm, f);
        *ret_sub = list->item[i + 1];
        return r;
    }
}

int cupel__next_member(struct cupel__vm *vm, struct cupel__frame *f)
{
    const struct cupel__table *t = cupel__at(vm->image, vm->code[f->pc + 1]);
    for (; f->left > 0; next_key(vm, f)) {
        struct cupel__node *key = &vm->nodes[f->at];
        struct cupel__str name = cupel__doc_str(vm->doc, key);
        vm->result.value = key + 1;
        if (!charge(vm, 3))
            return -1;
        if (f->stage == NAME) {
            f->stage = ENTRY;
            vm->result.value = key;
            vm->result.sub = t->name;
            return 1;
        }
        if (f->stage == ENTRY && entry_sub(vm, f, t, name, &vm->result.sub))
            return 1;
        int r = match_sub(vm, f, t, name, &vm->result.sub);
        if (r != 0)
            return r;
        bool known = f->stage & MATCHED;
        if (!known) {
            f->stage |= MATCHED;
            if (t->flags & CUPEL__TABLE_OTHER)
                mark(vm, f);
            vm->result.sub = t->other;
            return 1;
        }
    }
    return 0;
}

int cupel__next_match(struct cupel__vm *vm, const struct cupel__table *t, struct cupel__node *key)
{
    const struct cupel__list *list = cupel__image_list(vm->image, t->matches);
    struct cupel__str name = cupel__doc_str(vm->doc, key);
    for (uint32_t i = 2 * vm->result.which; i < list->count; i += 2) {
        int r = charge(vm, 1) ? match(vm, name, list->item[i]) : -1;
        if (r < 0)
            return r;
        if (r > 0) {
            vm->result.which = i + 2 < list->count ? i / 2 + 1 : 0;
            vm->result.sub = list->item[i + 1];
            return 1;
        }
    }
    vm->result.sub = vm->result.which == 0 ? t->other : CUPEL__SUB_ANY;
    vm->result.which = 0;
    return 1;
}

int cupel__matches_any(struct cupel__vm *vm, const struct cupel__table *t, struct cupel__node *key)
{
    const struct cupel__list *list = cupel__image_list(vm->image, t->matches);
    struct cupel__str name = cupel__doc_str(vm->doc, key);
    int r = 0;
    for (uint32_t i = 0; i < list->count && r == 0; i += 2)
        r = charge(vm, 1) ? match(vm, name, list->item[i]) : -1;
    return r;
}

/* -- Any value --------------------------------------------------------------------------------- */

static int check_FAIL(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    (void)vm, (void)pc, (void)v;
    return 0;
}

static int check_TYPE(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    (void)vm;
    return CUPEL__WORD_B(*pc) >> v->type & 1;
}

static int check_ONLY(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    (void)vm;
    return CUPEL__WORD_B(*pc) >> v->type & 1 ? 1 : CUPEL__PASSED_ALL;
}

/* Whether v passes a schema of CHECKs. */
static int passes(struct cupel__vm *vm, uint32_t sub, struct cupel__node *v)
{
    const uint32_t *pc = vm->code + CUPEL__SUB_PC(sub);
    if ((sub >> v->type & 1) == 0)
        return 0;
    if (CUPEL__SUB_PC(sub) == 0)
        return 1;
    for (;; pc += cupel__op_info[CUPEL__WORD_OP(*pc)].words) {
        CUPEL__DEBUG_CHECK(vm, pc, v, NULL);
        const int result = charge(vm, 1) ? cupel__check_value(vm, pc, v) : -1;
        if (result == CUPEL__PASSED_ALL)
            return 1;
        if (result <= 0 || (*pc & CUPEL__LAST))
            return result;
    }
}

static int check_EITHER(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    const struct cupel__list *subs = cupel__image_list(vm->image, pc[1]);
    const uint32_t most = CUPEL__WORD_A(*pc) ? 2 : 1;
    uint32_t passed = 0;
    for (uint32_t i = 0; i < subs->count && passed < most; i++) {
        int result = charge(vm, 1) ? passes(vm, subs->item[i], v) : -1;
        if (result < 0)
            return result;
        passed += (uint32_t)result;
    }
    return passed == 1;
}

/* The functions of the CHECKs; NULL for other instructions, which the verifier keeps from here. */
int cupel__check_value(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    static int (*const checks[CUPEL__OPS])(struct cupel__vm *, const uint32_t *,
                                           struct cupel__node *) = {
#define FUNCTION_CHECK(name) check_##name
#define FUNCTION_TEST(name)  NULL
#define FUNCTION_JUMP(name)  NULL
#define OP(name, on, a, b, c, d, e, flow, problem, summary) \
    [CUPEL__OP_##name] = FUNCTION_##flow(name),
#include "vm/program/opcodes.def"
    };
    vm->result.which = 0;
    return checks[CUPEL__WORD_OP(*pc)](vm, pc, v);
}

int cupel__next_missing(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    vm->result.which++;
    return CUPEL__WORD_OP(*pc) == CUPEL__OP_DEPENDS ? check_DEPENDS(vm, pc, v)
                                                    : check_REQUIRED(vm, pc, v);
}
