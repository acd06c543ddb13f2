/* checks.c: what instructions do that is too large for the loop. Helpers never dispatch. */
#include "base/always.h"
#include "base/utf8.h"
#include "vm/formats/formats.h"
#include "vm/run/vm.h"

static int undecided(struct cupel__vm *vm, enum cupel_status reason)
{
    vm->reason = reason;
    return -1;
}

/* Charges `n` steps; false when the budget is gone. */
static bool charge(struct cupel__vm *vm, uint64_t n)
{
    vm->budget.remaining -= (int64_t)n;
    if (vm->budget.remaining >= 0)
        return true;
    vm->reason = CUPEL_E_LIMIT_STEPS;
    return false;
}

/* The constants are a document that is never written to: none of its strings is ESCAPED. */
static struct cupel__doc *constants(const struct cupel__vm *vm)
{
    return (struct cupel__doc *)&vm->program->values;
}

/* -- Numbers --------------------------------------------------------------------------------------
 */

/* The digits that a number does not hold in a word. */
static uint64_t length(const struct cupel__dec *d)
{
    return d->digits != NULL ? d->ndigits : 0;
}

static int compare(struct cupel__vm *vm, const struct cupel__node *v,
                   const struct cupel__dec *bound, int sign, bool exclusive)
{
    struct cupel__dec x;
    if (!cupel__doc_decimal(vm->doc, v, &x))
        return undecided(vm, CUPEL_E_LIMIT_NUMBER);
    if (!charge(vm, 3 + ((uint64_t)x.chars + bound->chars) / CUPEL__CHARS_A_STEP))
        return -1;
    int c = cupel__dec_cmp(&x, bound) * sign;
    return exclusive ? c > 0 : c >= 0;
}

/* sign 1: v is not below the constant; -1: not above it. */
int cupel__check_bound(struct cupel__vm *vm, const struct cupel__node *v, uint32_t value, int sign,
                       bool exclusive)
{
    struct cupel__dec bound;
    if (!cupel__doc_decimal(constants(vm), &vm->program->values.nodes[value], &bound))
        return undecided(vm, CUPEL_E_LIMIT_NUMBER);
    return compare(vm, v, &bound, sign, exclusive);
}

int cupel__check_range(struct cupel__vm *vm, const struct cupel__node *v, int32_t min, int32_t max)
{
    struct cupel__dec lo = {.i = min}, hi = {.i = max};
    int r = compare(vm, v, &lo, 1, false);
    return r == 1 ? compare(vm, v, &hi, -1, false) : r;
}

int cupel__check_multiple(struct cupel__vm *vm, const struct cupel__node *v, uint32_t value)
{
    struct cupel__dec x, divisor;
    if (!cupel__doc_decimal(vm->doc, v, &x) ||
        !cupel__doc_decimal(constants(vm), &vm->program->values.nodes[value], &divisor))
        return undecided(vm, CUPEL_E_LIMIT_NUMBER);
    /* A long divisor is taken from the digits limb by limb, after twos and fives have been taken
     * from it. */
    uint64_t m = length(&x), n = length(&divisor);
    uint64_t read = ((uint64_t)x.chars + divisor.chars) / CUPEL__CHARS_A_STEP;
    if (!charge(vm, (x.exp == divisor.exp ? 3 : 9) + read + m + n + (m + n) * n / 64))
        return -1;
    int r = cupel__dec_multiple(&x, &divisor);
    return r < 0 ? undecided(vm, CUPEL_E_LIMIT_NUMBER) : r;
}

/* -- Values ---------------------------------------------------------------------------------------
 */

int cupel__check_equal(struct cupel__vm *vm, const struct cupel__node *v, uint32_t value)
{
    int r =
        cupel__json_equal(constants(vm), value, vm->doc, (uint32_t)(v - vm->nodes), &vm->budget);
    return r < 0 ? undecided(vm, vm->budget.why) : r;
}

/* A value that could not be compared decides nothing unless another one is equal. */
int cupel__check_enum(struct cupel__vm *vm, const struct cupel__node *v, uint32_t list)
{
    const struct cupel__list *values = cupel__image_list(vm->image, list);
    int result = 0;
    for (uint32_t i = 0; i < values->count; i++) {
        int r = charge(vm, 1) ? cupel__check_equal(vm, v, values->item[i]) : -1;
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

int cupel__check_lookup(struct cupel__vm *vm, const struct cupel__node *v, uint32_t list,
                        uint32_t hashes)
{
    const struct cupel__list *values = cupel__image_list(vm->image, list);
    const struct cupel__list *pairs = cupel__image_list(vm->image, hashes);
    uint32_t n = pairs->count / 2;
    uint64_t hash;
    if (!cupel__json_hash(vm->doc, (uint32_t)(v - vm->nodes), CUPEL__HASH_KEY, &vm->budget, &hash))
        return undecided(vm, vm->budget.why);
    const uint32_t *pair = pairs->item, *end = pair + 2 * (size_t)n;
    pair += 2 * (size_t)first_not_below(pair, n, (uint32_t)hash);
    for (; pair < end && pair[0] == (uint32_t)hash; pair += 2) {
        int r = 0;
        if (pair[1] < values->count)
            r = charge(vm, 1) ? cupel__check_equal(vm, v, values->item[pair[1]]) : -1;
        if (r != 0)
            return r;
    }
    return 0;
}

/* -- Items that are all different -----------------------------------------------------------------
 * *
 *
 * Few items are mostly seen to be different without comparing them in full.  Anybody can find
 * values whose fingerprints are the same; that only costs the comparison. */

enum { AT_SIGHT = 64 }; /* items, whose pairs take less time than a hash that cannot be foreseen */

static uint64_t scramble(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

/* Of a string that is a STRING, whose text stands as it is. */
static inline uint64_t string_print(const struct cupel__vm *vm, const struct cupel__node *v)
{
    return cupel__name_hash64(vm->doc->base[v->flags >> 1 & 1] + v->off, v->len) | 1;
}

/* A number that is the same for equal values, or 0 where that is not known from the node; of what
 * is no STRING yet. */
static uint64_t other_print(struct cupel__vm *vm, struct cupel__node *v)
{
    switch (v->type) {
    case CUPEL__ESCAPED:
        cupel__doc_decode(vm->doc, v);
        return string_print(vm, v);
    case CUPEL__INT:
    case CUPEL__BIGINT:
    case CUPEL__INTREAL:
    case CUPEL__REAL:
        return v->flags & CUPEL__BIG ? 0 : ((uint64_t)v->i ^ (uint64_t)v->exp << 48) + 2;
    default:
        return (uint64_t)v->type + 3; /* of a container the type */
    }
}

/* The same with what a container holds; of what that holds in containers nothing is known. */
static uint64_t print(struct cupel__vm *vm, struct cupel__node *v)
{
    uint64_t sum = other_print(vm, v);
    bool object = v->type == CUPEL__OBJECT;
    struct cupel__node *at = v + 1;
    if (v->type < CUPEL__ARRAY)
        return sum;
    vm->budget.remaining -= v->count;
    for (uint32_t i = 0; i < v->count; i++) {
        uint64_t key = object ? cupel__key_hash(vm->doc, at) : i;
        at += object;
        uint64_t value = at->type == CUPEL__STRING ? string_print(vm, at) : other_print(vm, at);
        if (value == 0)
            return 0;
        sum += scramble(scramble(key) ^ value); /* members come in any order */
        at = vm->nodes + cupel__node_next(vm->nodes, (uint32_t)(at - vm->nodes));
    }
    return sum;
}

/* Only where a bit of the filter is set already, the fingerprints before are looked at one by one.
 */
static bool differ_at_sight(struct cupel__vm *vm, const struct cupel__node *v)
{
    uint64_t seen[AT_SIGHT], filter[8] = {0};
    uint32_t at = (uint32_t)(v + 1 - vm->nodes);
    for (uint32_t i = 0; i < v->count; i++) {
        struct cupel__node *item = &vm->nodes[at];
        seen[i] = item->type == CUPEL__STRING ? string_print(vm, item) : print(vm, item);
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

int cupel__check_unique(struct cupel__vm *vm, const struct cupel__node *v)
{
    if (!charge(vm, v->count))
        return -1;
    if (v->count <= AT_SIGHT && !charge(vm, v->count * v->count / 16))
        return -1;
    if (v->count <= AT_SIGHT && differ_at_sight(vm, v))
        return 1;
    size_t need = 0;
    if (v->count > CUPEL__UNIQUE_PAIRWISE)
        for (need = 64; need < 2 * (size_t)v->count; need *= 2)
            ;
    if (need > vm->checks.nunique) {
        vm->checks.unique_need = need;
        return undecided(vm, CUPEL_E_LIMIT_MEMORY);
    }
    int r = cupel__json_unique(vm->doc, (uint32_t)(v - vm->nodes), vm->checks.unique, need,
                               vm->checks.key, &vm->budget);
    return r < 0 ? undecided(vm, vm->budget.why) : r;
}

/* -- Strings --------------------------------------------------------------------------------------
 */

int cupel__check_length(struct cupel__vm *vm, struct cupel__node *v, uint32_t min, uint32_t max)
{
    struct cupel__str s = cupel__doc_str(vm->doc, v);
    if (s.n < min || (s.n + 3) / 4 > max)
        return 0;
    if (s.n <= max && s.n / 4 >= min)
        return 1;
    if (!charge(vm, s.n / 64))
        return -1;
    size_t n = cupel__utf8_count(s.p, s.n);
    return n >= min && n <= max;
}

/* What a pattern needs is often in no cache: that is charged besides what the match takes. */
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

int cupel__check_pattern(struct cupel__vm *vm, struct cupel__node *v, uint32_t pattern)
{
    return match(vm, cupel__doc_str(vm->doc, v), pattern);
}

/* Every byte is looked at once.  `regex` and content do more with each.  IDNA has a charge of its
 * own. */
static uint64_t format_cost(enum cupel__format format, struct cupel__str s)
{
    enum { NAME = 256 };
    uint64_t n = s.n;
    switch (format) {
    case CUPEL__FORMAT_REGEX:
        return 4 + n * 24;
    case CUPEL__FORMAT_HOSTNAME:
        return 4 + (n < NAME ? n : NAME);
    case CUPEL__FORMAT_URI_TEMPLATE:
        return 2 + n / 2;
    case CUPEL__FORMAT_JSON:
    case CUPEL__FORMAT_BASE64_JSON:
        return 4 + n;
    default:
        return 2 + n / 4;
    }
}

/* The result of a format whose work is IDNA.  It is in a library where much is done before the
 * first byte of a label; so the result for the string that was looked at last is kept. */
static int check_idna(struct cupel__vm *vm, const struct cupel__node *v, uint32_t format,
                      uint32_t labels, struct cupel__str s)
{
    enum {
        NAME = 600,
        LABEL = 400,
        BYTE = 64,
        MOST = 127
    }; /* labels: names with more are refused before */
    const uint64_t name = format == CUPEL__FORMAT_HOSTNAME ? 0 : NAME;
    struct cupel__idna_result *kept = &vm->checks.idna;
    if (kept->format == format + 1 && kept->off == v->off && kept->len == v->len &&
        kept->flags == v->flags)
        return kept->result;
    if (!charge(vm,
                name + LABEL * (uint64_t)(labels < MOST ? labels : MOST) + BYTE * (uint64_t)s.n))
        return CUPEL_E_LIMIT_STEPS;
    int r = cupel__format_check((enum cupel__format)format, s.p, s.n, &vm->checks.arena);
    *kept = (struct cupel__idna_result){v->off, v->len, r, (uint16_t)(format + 1), v->flags};
    return r;
}

int cupel__check_format(struct cupel__vm *vm, struct cupel__node *v, uint32_t format)
{
    struct cupel__str s = cupel__doc_str(vm->doc, v);
    if (!charge(vm, format_cost((enum cupel__format)format, s)))
        return -1;
    uint32_t labels = cupel__format_labels((enum cupel__format)format, s.p, s.n);
    int r = labels > 0
                ? check_idna(vm, v, format, labels, s)
                : cupel__format_check((enum cupel__format)format, s.p, s.n, &vm->checks.arena);
    if (r == CUPEL_E_UNSUPPORTED && vm->checks.idn_optional)
        return 1;
    return r >= 0 ? r : undecided(vm, (enum cupel_status)r);
}

int cupel__check_host_format(struct cupel__vm *vm, struct cupel__node *v, uint32_t format)
{
    struct cupel__str s = cupel__doc_str(vm->doc, v);
    const struct cupel_format *f = &vm->program->formats[format];
    if (!charge(vm, 4 + s.n / 4))
        return -1;
    cupel__callback_begin(vm);
    int r = f->check(f->ctx, s.n == 0 ? "" : s.p, s.n);
    cupel__callback_end(vm);
    if (r != CUPEL_VALID && r != CUPEL_INVALID)
        return undecided(vm, CUPEL_E_LIMIT_FORMAT);
    return r == CUPEL_VALID;
}

int cupel__check_strings(struct cupel__vm *vm, struct cupel__node *v, uint32_t table)
{
    struct cupel__str s = cupel__doc_str(vm->doc, v); /* from now on a STRING */
    if (!charge(vm, s.n / 128))                       /* one name at most is compared in full */
        return -1;
    return cupel__table_find_node(vm->image, cupel__at(vm->image, table), vm->doc, v) != NULL;
}

int cupel__check_string(struct cupel__vm *vm, struct cupel__node *v, const uint32_t *pc)
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

/* Whether a small object has all names, seen in one walk. */
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

int cupel__check_required(struct cupel__vm *vm, const struct cupel__node *v, uint32_t table)
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

int cupel__check_depends(struct cupel__vm *vm, const struct cupel__node *v, uint32_t str,
                         uint32_t table)
{
    int r = cupel__has_member(vm, v, str);
    if (r != 1)
        return r == 0 ? 1 : -1;
    return cupel__check_required(vm, v, table);
}

/* What is done for one member, in this order; from MATCHES on, stage - MATCHES is the index of the
 * next pattern.  MATCHED: some pattern matched, or the name is a property. */
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

/* -- Sequences without dispatch -------------------------------------------------------------------
 */

/* The result of a CHECK other than EITHER and ONLY; the verifier lets nothing else come here. */
static int check(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    const uint32_t op = CUPEL__WORD_OP(*pc);
    vm->result.which = 0;
    switch (op) {
    case CUPEL__OP_FAIL:
        return 0;
    case CUPEL__OP_TYPE:
        return CUPEL__WORD_B(*pc) >> v->type & 1;
    case CUPEL__OP_CONST:
        return cupel__check_equal(vm, v, pc[1]);
    case CUPEL__OP_ENUM:
        return cupel__check_enum(vm, v, pc[1]);
    case CUPEL__OP_LOOKUP:
        return cupel__check_lookup(vm, v, pc[1], pc[2]);
    case CUPEL__OP_MIN:
        return cupel__check_bound(vm, v, pc[1], 1, CUPEL__WORD_A(*pc));
    case CUPEL__OP_MAX:
        return cupel__check_bound(vm, v, pc[1], -1, CUPEL__WORD_A(*pc));
    case CUPEL__OP_RANGE:
        return cupel__check_range(vm, v, (int32_t)pc[1], (int32_t)pc[2]);
    case CUPEL__OP_MULTIPLE:
        return cupel__check_multiple(vm, v, pc[1]);
    case CUPEL__OP_LENGTH:
        return cupel__check_length(vm, v, pc[1], pc[2]);
    case CUPEL__OP_PATTERN:
        return cupel__check_pattern(vm, v, pc[1]);
    case CUPEL__OP_FORMAT:
        return cupel__check_format(vm, v, CUPEL__WORD_B(*pc));
    case CUPEL__OP_HOST_FORMAT:
        return cupel__check_host_format(vm, v, CUPEL__WORD_B(*pc));
    case CUPEL__OP_STRINGS:
        return cupel__check_strings(vm, v, pc[1]);
    case CUPEL__OP_STRING:
        return cupel__check_string(vm, v, pc);
    case CUPEL__OP_COUNT:
        return v->count >= pc[1] && v->count <= pc[2];
    case CUPEL__OP_UNIQUE:
        return cupel__check_unique(vm, v);
    case CUPEL__OP_REQUIRED:
        return cupel__check_required(vm, v, pc[1]);
    case CUPEL__OP_DEPENDS:
        return cupel__check_depends(vm, v, pc[1], pc[2]);
    }
    (void)NEVER(true);
    return undecided(vm, CUPEL_E_INTERNAL);
}

/* Whether v passes a schema of CHECKs. */
static int check_plain(struct cupel__vm *vm, uint32_t sub, struct cupel__node *v)
{
    const uint32_t *pc = vm->code + CUPEL__SUB_PC(sub);
    if ((sub >> v->type & 1) == 0)
        return 0;
    if (CUPEL__SUB_PC(sub) == 0)
        return 1;
    for (;; pc += cupel__op_info[CUPEL__WORD_OP(*pc)].words) {
        uint32_t op = CUPEL__WORD_OP(*pc);
        CUPEL__DEBUG_CHECK(vm, pc, v, NULL);
        if (!charge(vm, 1))
            return -1;
        if (op == CUPEL__OP_ONLY && !(CUPEL__WORD_B(*pc) >> v->type & 1))
            return 1;
        int result = op == CUPEL__OP_ONLY ? 1 : check(vm, pc, v);
        if (result <= 0 || (*pc & CUPEL__LAST))
            return result;
    }
}

int cupel__check_either(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    const struct cupel__list *subs = cupel__image_list(vm->image, pc[1]);
    const uint32_t most = CUPEL__WORD_A(*pc) ? 2 : 1;
    uint32_t passed = 0;
    for (uint32_t i = 0; i < subs->count && passed < most; i++) {
        int result = charge(vm, 1) ? check_plain(vm, subs->item[i], v) : -1;
        if (result < 0)
            return result;
        passed += (uint32_t)result;
    }
    return passed == 1;
}

int cupel__check_value(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    if (CUPEL__WORD_OP(*pc) == CUPEL__OP_EITHER)
        return cupel__check_either(vm, pc, v);
    return check(vm, pc, v);
}
