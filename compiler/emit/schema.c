/* schema.c: the code of one schema: which instructions, in which order, for which types.
 *
 * Operations that look at every type come in the order of their cost after those that look at one.
 * If there are operations for one class of types only, they stand behind an ONLY that lets the
 * other types pass; if for several, a SWITCH goes to a sequence for each class.  Where there are
 * both kinds the sequences end with a jump to the common tail:
 *
 *     SWITCH [null: tail, number: a, string: b, …]
 *     a: …  JUMP tail
 *     b: …
 *     tail: …
 *
 * The last instruction of each way through carries LAST. */
#include "base/always.h"
#include "base/error.h"
#include "base/json/equal.h"
#include "compiler/emit/emit.h"
#include <string.h>

/* The sequence being written. */
struct sequence {
    struct emit *e;
    const struct ir_schema *schema;
    uint32_t types; /* that may arrive */
    uint32_t last;  /* word index of the last instruction that may carry LAST; 0: none */
};

/* -- Instructions ---------------------------------------------------------------------------------
 */

static uint32_t put(struct sequence *s, const struct ir_op *op, enum cupel__op code, uint32_t a,
                    uint32_t b)
{
    struct emit *e = s->e;
    uint32_t at = emit_word(e, &e->code, (uint32_t)code | a << 8 | b << 16);
    uint32_t loc = op != NULL ? op->loc : s->schema->loc;
    s->last = at;
    if (e->kind != EMIT_REPORT || loc == IR_NONE || !emit_ok(e))
        return at;
    if (e->nmarks == e->marks_cap &&
        !cupel__emit_grow(e, &e->marks, &e->marks_cap, e->nmarks + 1, sizeof *e->marks))
        return at;
    e->marks[e->nmarks++] = (struct cupel__image_mark){at, loc};
    return at;
}

static uint32_t operand(struct sequence *s, uint32_t word)
{
    return emit_word(s->e, &s->e->code, word);
}

static void operand_sub(struct sequence *s, uint32_t schema)
{
    cupel__emit_sub(s->e, EMIT_CODE, operand(s, 0), schema);
}

static void operand_left(struct sequence *s, uint32_t schema)
{
    if (schema == IR_NONE)
        operand(s, CUPEL__NO_SUB);
    else
        operand_sub(s, schema);
}

/* `offset`: in bytes, in the tables section. */
static void operand_table(struct sequence *s, uint32_t offset)
{
    emit_reloc(s->e, EMIT_CODE, operand(s, offset), EMIT_FIX_TABLE);
}

static void operand_words(struct sequence *s, const uint32_t *words, uint32_t n)
{
    struct emit *e = s->e;
    uint32_t at = (uint32_t)e->tables.n, *room = emit_room(e, &e->tables, 1 + (size_t)n);
    if (room == NULL)
        return;
    room[0] = n;
    memcpy(room + 1, words, n * sizeof *words);
    operand_table(s, at * 4);
}

static void operand_values(struct sequence *s, const struct ir_op *op)
{
    struct emit *e = s->e;
    uint32_t *index = cupel__arena_array(e->ir->arena, op->nvalues, sizeof *index);
    if (index == NULL) {
        cupel__emit_no_memory(e);
        return;
    }
    for (uint32_t i = 0; i < op->nvalues; i++)
        index[i] = cupel__emit_value(e, &op->values[i]);
    operand_words(s, index, op->nvalues);
}

/* A list of references; its offset. */
static void operand_subs(struct sequence *s, const uint32_t *schemas, uint32_t n)
{
    struct emit *e = s->e;
    uint32_t at = 4 * emit_word(e, &e->tables, n);
    for (uint32_t i = 0; i < n; i++)
        cupel__emit_sub(e, EMIT_TABLES, emit_word(e, &e->tables, 0), schemas[i]);
    operand_table(s, at);
}

static void operand_branches(struct sequence *s, const struct ir_op *op)
{
    operand_subs(s, op->schemas, op->nschemas);
}

/* One for each bit of the discriminator.  The target of a bit that several branches share is never
 * used. */
static void operand_targets(struct sequence *s, const struct ir_op *op)
{
    const struct ir_discriminator *discriminator = op->discriminator;
    uint32_t *targets = discriminator->targets;
    if (targets == NULL) {
        targets = cupel__arena_array(s->e->ir->arena, discriminator->nbits, sizeof *targets);
        if (targets == NULL) {
            cupel__emit_no_memory(s->e);
            return;
        }
        for (uint32_t b = 0; b < discriminator->nbits; b++)
            targets[b] = op->schemas[discriminator->spans[b].first];
    }
    operand_subs(s, targets, discriminator->nbits);
}

static void operand_str(struct sequence *s, struct cupel__str string)
{
    emit_reloc(s->e, EMIT_CODE, operand(s, cupel__emit_str(s->e, string)), EMIT_FIX_STRING);
}

/* -- Operations -----------------------------------------------------------------------------------
 */

static int compare_hashes(const void *context, uint32_t a, uint32_t b)
{
    const uint32_t *hash = context;
    return (hash[a] > hash[b]) - (hash[a] < hash[b]);
}

/* The hashes of the values. False if there is one of a number that is not calculated with. */
static bool hash_values(const struct ir_op *op, uint32_t *hashes)
{
    for (uint32_t i = 0; i < op->nvalues; i++) {
        struct cupel__budget budget = {.remaining = INT64_MAX};
        uint64_t hash;
        if (!cupel__json_hash(op->values[i].doc, op->values[i].node, CUPEL__HASH_KEY, &budget,
                              &hash))
            return false;
        hashes[i] = (uint32_t)hash;
    }
    return true;
}

static bool put_lookup(struct sequence *s, const struct ir_op *op)
{
    const struct ir_module *ir = s->e->ir;
    uint32_t n = op->nvalues;
    uint32_t *hashes = cupel__arena_array(ir->arena, n, sizeof *hashes);
    uint32_t *order = cupel__arena_array(ir->arena, n, sizeof *order);
    uint32_t *pairs = cupel__arena_array(ir->arena, n, 2 * sizeof *pairs);
    if (hashes == NULL || order == NULL || pairs == NULL) {
        cupel__emit_no_memory(s->e);
        return true;
    }
    if (!hash_values(op, hashes))
        return false;
    if (cupel__ir_sort(&ir->arena->alloc, order, n, compare_hashes, hashes) != CUPEL_OK)
        cupel__emit_no_memory(s->e);
    for (uint32_t i = 0; i < n; i++) {
        pairs[2 * i] = hashes[order[i]];
        pairs[2 * i + 1] = order[i];
    }
    put(s, op, CUPEL__OP_LOOKUP, 0, 0);
    operand_values(s, op);
    operand_words(s, pairs, 2 * n);
    return true;
}

enum { FEW_VALUES = 8 };

static void put_equal(struct sequence *s, const struct ir_op *op)
{
    if (op->nvalues == 1) {
        put(s, op, CUPEL__OP_CONST, 0, 0);
        operand(s, cupel__emit_value(s->e, &op->values[0]));
        return;
    }
    if (op->nvalues > FEW_VALUES && put_lookup(s, op))
        return;
    put(s, op, CUPEL__OP_ENUM, 0, 0);
    operand_values(s, op);
}

static struct cupel__str string_of(const struct ir_value *v)
{
    return cupel__doc_str(v->doc, &v->doc->nodes[v->node]);
}

static void put_strings(struct sequence *s, const struct ir_op *op)
{
    struct cupel__str first = string_of(&op->values[0]);
    if (op->nvalues == 1 && first.n <= 8) {
        uint32_t words[2] = {0, 0};
        for (size_t i = 0; i < first.n; i++)
            words[i / 4] |= (uint32_t)(uint8_t)first.p[i] << (8 * (i % 4));
        put(s, op, CUPEL__OP_STRING, 0, (uint32_t)first.n);
        operand(s, words[0]);
        operand(s, words[1]);
        return;
    }
    struct ir_name *names = cupel__arena_array(s->e->ir->arena, op->nvalues, sizeof *names);
    if (names == NULL) {
        cupel__emit_no_memory(s->e);
        return;
    }
    for (uint32_t i = 0; i < op->nvalues; i++)
        names[i] = (struct ir_name){string_of(&op->values[i]), IR_NONE, 0};
    uint32_t at =
        cupel__emit_table(s->e, &(struct emit_table){.names = names, .count = op->nvalues});
    put(s, op, CUPEL__OP_STRINGS, 0, 0);
    operand_table(s, at);
}

static void put_bound(struct sequence *s, const struct ir_op *op)
{
    put(s, op, op->kind == IR_MIN ? CUPEL__OP_MIN : CUPEL__OP_MAX, op->exclusive, 0);
    operand(s, cupel__emit_value(s->e, &op->values[0]));
}

static void put_counts(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    put(s, op, code, 0, 0);
    operand(s, op->a);
    operand(s, op->b);
}

static void put_names(struct sequence *s, const struct ir_op *op)
{
    uint32_t at =
        cupel__emit_table(s->e, &(struct emit_table){.names = op->names, .count = op->nnames});
    put(s, op, CUPEL__OP_REQUIRED, 0, 0);
    operand_table(s, at);
}

/* All members have to pass the same schema. */
static bool put_map(struct sequence *s, const struct ir_op *op, uint32_t name_schema)
{
    if (s->e->kind == EMIT_REPORT || s->schema->tracked || name_schema != IR_NONE ||
        op->nnames > 0 || op->nmatches > 0)
        return false;
    put(s, op, CUPEL__OP_MAP, 0, 0);
    operand_sub(s, op->other);
    return true;
}

/* Whether a PROPS is no more than a REQUIRED, which need not go through all members. */
static bool only_requires(const struct sequence *s, const struct ir_op *op)
{
    if (s->e->kind == EMIT_REPORT || op->kind != IR_PROPS || op->nmatches > 0 ||
        op->other != IR_NONE)
        return false;
    for (uint32_t i = 0; i < op->nnames; i++)
        if (op->names[i].flags != (IR_NAME_REQUIRED | IR_NAME_UNKNOWN))
            return false;
    return op->nnames > 0;
}

static void put_members(struct sequence *s, const struct ir_op *op, uint32_t name_schema)
{
    if (put_map(s, op, name_schema))
        return;
    if (only_requires(s, op)) {
        put_names(s, op);
        return;
    }
    struct emit_table t = {.names = op->names,
                           .count = op->nnames,
                           .object = true,
                           .other = op->other,
                           .name = name_schema,
                           .matches = op->matches,
                           .nmatches = op->nmatches};
    bool marks = s->schema->tracked && op->kind == IR_PROPS;
    t.has_other = marks && op->other != IR_NONE;
    uint32_t at = cupel__emit_table(s->e, &t);
    if (marks || (op->nmatches > 0 && !op->beyond) || name_schema != IR_NONE)
        put(s, op, CUPEL__OP_MEMBERS, marks, 0);
    else
        put(s, op, CUPEL__OP_OBJECT, 0, 0);
    operand_table(s, at);
}

static void put_name_schema(struct sequence *s, const struct ir_op *op)
{
    struct ir_op none = *op;
    none.nnames = none.nmatches = 0;
    none.other = IR_NONE;
    put_members(s, &none, op->schemas[0]);
}

static void put_depends(struct sequence *s, const struct ir_op *op)
{
    uint32_t at =
        cupel__emit_table(s->e, &(struct emit_table){.names = op->names, .count = op->nnames});
    put(s, op, CUPEL__OP_DEPENDS, 0, 0);
    operand_str(s, op->name);
    operand_table(s, at);
}

static void put_calls(struct sequence *s, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nschemas; i++) {
        put(s, op, CUPEL__OP_CALL, 0, 0);
        operand_sub(s, op->schemas[i]);
    }
}

static void put_items(struct sequence *s, const struct ir_op *op)
{
    if (op->a > UINT16_MAX) {
        s->e->status = cupel__error_set(s->e->err, CUPEL_E_IMAGE_SIZE, "too many prefix items");
        return;
    }
    put(s, op, CUPEL__OP_ITEMS, s->schema->tracked, op->a);
    operand_sub(s, op->schemas[0]);
}

static void put_scope(struct sequence *s, const struct ir_op *op)
{
    struct emit *e = s->e;
    put(s, op, CUPEL__OP_SCOPE, 0, 0);
    operand_sub(s, op->schemas[0]);
    uint32_t at = emit_word(e, &e->tables, op->nschemas - 1);
    for (uint32_t i = 1; i < op->nschemas; i++) {
        uint32_t word = emit_word(e, &e->tables, CUPEL__NO_SUB);
        if (op->schemas[i] != IR_NONE)
            cupel__emit_sub(e, EMIT_TABLES, word, op->schemas[i]);
    }
    operand_table(s, at * 4);
}

static bool is_plain_choice(const struct sequence *s, const struct ir_op *op);

static void put_choice(struct sequence *s, const struct ir_op *op)
{
    bool one = op->kind == IR_ONE_OF;
    if (is_plain_choice(s, op)) {
        put(s, op, CUPEL__OP_EITHER, one, 0);
        operand_branches(s, op);
        return;
    }
    if (op->discriminator != NULL)
        put(s, op, CUPEL__OP_CHOOSE, one, 0);
    else if (one)
        put(s, op, CUPEL__OP_ONE_OF, 0, 0);
    else
        put(s, op, CUPEL__OP_ANY_OF, s->schema->tracked, 0);
    operand_branches(s, op);
    if (op->discriminator == NULL)
        return;
    operand_table(s, cupel__emit_discriminator(s->e, op->discriminator, op->nschemas));
    operand_targets(s, op);
}

static void put_cases(struct sequence *s, const struct ir_op *op)
{
    put(s, op, CUPEL__OP_CASES, 0, 0);
    operand_branches(s, op);
    operand_table(s, cupel__emit_discriminator(s->e, op->discriminator, op->nschemas));
}

static void put_op(struct sequence *s, const struct ir_op *op)
{
    switch (op->kind) {
    case IR_TYPE:
        put(s, op, CUPEL__OP_TYPE, 0, op->mask);
        return;
    case IR_FAIL:
        put(s, op, CUPEL__OP_FAIL, 0, 0);
        return;
    case IR_CONST:
    case IR_ENUM:
        put_equal(s, op);
        return;
    case IR_AMONG:
        if (op->mask == CUPEL__M_STRING)
            put_strings(s, op);
        else
            put_equal(s, op);
        return;
    case IR_MIN:
    case IR_MAX:
        put_bound(s, op);
        return;
    case IR_MULTIPLE:
        put(s, op, CUPEL__OP_MULTIPLE, 0, 0);
        operand(s, cupel__emit_value(s->e, &op->values[0]));
        return;
    case IR_LENGTH:
        put_counts(s, op, CUPEL__OP_LENGTH);
        return;
    case IR_ITEMS_COUNT:
    case IR_PROPS_COUNT:
        put_counts(s, op, CUPEL__OP_COUNT);
        return;
    case IR_PATTERN:
        put(s, op, CUPEL__OP_PATTERN, 0, 0);
        operand(s, op->pattern);
        return;
    case IR_FORMAT:
        put(s, op, CUPEL__OP_FORMAT, 0, op->a);
        return;
    case IR_HOST_FORMAT:
        put(s, op, CUPEL__OP_HOST_FORMAT, 0, cupel__emit_format(s->e, op->name));
        return;
    case IR_UNIQUE:
        put(s, op, CUPEL__OP_UNIQUE, 0, 0);
        return;
    case IR_PREFIX:
        put(s, op, CUPEL__OP_PREFIX, s->schema->tracked, 0);
        operand_branches(s, op);
        return;
    case IR_ITEMS:
        put_items(s, op);
        return;
    case IR_CONTAINS:
        put(s, op, CUPEL__OP_CONTAINS, s->schema->tracked && op->exclusive, 0);
        operand_sub(s, op->schemas[0]);
        operand(s, op->a);
        operand(s, op->b);
        return;
    case IR_REQUIRED:
        put_names(s, op);
        return;
    case IR_PROPS:
        put_members(s, op, IR_NONE);
        return;
    case IR_NAMES:
        put_name_schema(s, op);
        return;
    case IR_DEP_REQUIRED:
        put_depends(s, op);
        return;
    case IR_DEP_SCHEMA:
        put(s, op, CUPEL__OP_IMPLIES, 0, 0);
        operand_str(s, op->name);
        operand_sub(s, op->schemas[0]);
        return;
    case IR_REF:
    case IR_ALL:
        put_calls(s, op);
        return;
    case IR_ANY_OF:
    case IR_ONE_OF:
        put_choice(s, op);
        return;
    case IR_CASES:
        put_cases(s, op);
        return;
    case IR_NOT:
        put(s, op, CUPEL__OP_NOT, 0, 0);
        operand_sub(s, op->schemas[0]);
        return;
    case IR_IF:
        put(s, op, CUPEL__OP_IF, 0, 0);
        operand_sub(s, op->schemas[0]);
        operand_sub(s, op->schemas[1]);
        operand_sub(s, op->schemas[2]);
        return;
    case IR_UNEVALUATED:
        put(s, op, CUPEL__OP_UNEVALUATED, 0, 0);
        operand_sub(s, op->schemas[0]);
        operand_left(s, op->schemas[1]);
        operand_left(s, op->schemas[2]);
        return;
    case IR_SCOPE:
        put_scope(s, op);
        return;
    case IR_DYNAMIC:
        put(s, op, CUPEL__OP_DYNAMIC, 0, op->a);
        operand_sub(s, op->schemas[0]);
        return;
    case IR_NOTE:
        put(s, op, CUPEL__OP_NOTE, 0, op->mask);
        operand(s, cupel__emit_value(s->e, &op->values[0]));
        return;
    case IR_KINDS:
        return;
    }
}

/* -- Sequences ------------------------------------------------------------------------------------
 */

/* What a choice settles needs no look at the branches, unless that is one check. */
static uint32_t settled_types(const struct sequence *s, const struct ir_op *op)
{
    return s->e->kind == EMIT_REPORT || is_plain_choice(s, op) ? 0 : op->settled;
}

/* The types that an operation is about. */
static uint32_t asked_types(const struct ir_op *op)
{
    return op->kind == IR_AMONG ? op->mask : cupel__ir_kind_types(op->kind);
}

/* Those of the sequence that it looks at. */
static uint32_t types_of(const struct sequence *s, const struct ir_op *op)
{
    uint32_t types = s->types & asked_types(op);
    return op->settled != 0 ? types & ~settled_types(s, op) : types;
}

enum { ROUNDS = 4 };

/* In which round an operation is put: cheap and likely to fail first. */
static int cost(const struct ir_op *op)
{
    switch (op->kind) {
    case IR_PATTERN:
    case IR_FORMAT:
    case IR_HOST_FORMAT:
    case IR_UNIQUE:
        return 1;
    case IR_PROPS:
    case IR_PREFIX:
    case IR_ITEMS:
    case IR_CONTAINS:
    case IR_NAMES:
        return 2;
    case IR_REF:
    case IR_ALL:
    case IR_ANY_OF:
    case IR_ONE_OF:
    case IR_NOT:
    case IR_IF:
    case IR_DEP_SCHEMA:
    case IR_UNEVALUATED:
    case IR_SCOPE:
    case IR_DYNAMIC:
    case IR_CASES:
        return 3;
    default:
        return 0;
    }
}

/* MIN and MAX together, both inclusive and small, are one instruction. */
static bool small_bound(const struct ir_op *op, enum ir_kind kind, int32_t *ret)
{
    if (op == NULL || op->kind != kind || op->exclusive)
        return false;
    const struct cupel__node *n = &op->values[0].doc->nodes[op->values[0].node];
    if (n->type != CUPEL__INT || n->i < INT32_MIN || n->i > INT32_MAX)
        return false;
    *ret = (int32_t)n->i;
    return true;
}

static const struct ir_op *find_op(const struct ir_schema *schema, enum ir_kind kind)
{
    for (const struct ir_op *op = schema->first; op != NULL; op = op->next)
        if (op->kind == kind)
            return op;
    return NULL;
}

static bool put_range(struct sequence *s, const struct ir_op *op)
{
    int32_t min, max;
    if (s->e->kind == EMIT_REPORT || (op->kind != IR_MIN && op->kind != IR_MAX))
        return false;
    const struct ir_op *lo = find_op(s->schema, IR_MIN), *hi = find_op(s->schema, IR_MAX);
    if ((op != lo && op != hi) || !small_bound(lo, IR_MIN, &min) || !small_bound(hi, IR_MAX, &max))
        return false;
    if (op == lo) {
        put(s, op, CUPEL__OP_RANGE, 0, 0);
        operand(s, (uint32_t)min);
        operand(s, (uint32_t)max);
    }
    return true;
}

/* Puts the operations that look at `class` (and not at all types); class 0: those that look at all.
 */
static void put_ops(struct sequence *s, uint32_t class)
{
    for (int round = 0; round < (s->e->kind == EMIT_VERDICT ? ROUNDS : 1); round++) {
        for (const struct ir_op *op = s->schema->first; op != NULL; op = op->next) {
            uint32_t types = types_of(s, op);
            bool all = types == s->types;
            if (types == 0 || all != (class == 0) || (class != 0 && (types & class) == 0))
                continue;
            if ((s->e->kind == EMIT_VERDICT ? cost(op) : 0) == round && !put_range(s, op))
                put_op(s, op);
        }
    }
}

static void end(struct sequence *s)
{
    if (emit_ok(s->e) && ALWAYS(s->last != 0))
        s->e->code.p[s->last] |= CUPEL__LAST;
}

/* Adds an operation for some of a sequence's types: it is common to all, or of their classes. */
static void add_types(uint32_t all, uint32_t types, uint32_t *classes, bool *common)
{
    if (types == all && types != 0)
        *common = true;
    else
        *classes |= types;
}

/* The classes for which there are operations of their own. */
static uint32_t special_classes(const struct sequence *s, bool *ret_common)
{
    uint32_t classes = 0;
    *ret_common = false;
    for (const struct ir_op *op = s->schema->first; op != NULL; op = op->next)
        add_types(s->types, types_of(s, op), &classes, ret_common);
    return classes;
}

static void put_switch(struct sequence *s, uint32_t special, bool common)
{
    struct emit *e = s->e;
    uint32_t label[CUPEL__CLASSES] = {0}, jump[CUPEL__CLASSES], njumps = 0, left = 0;
    put(s, NULL, CUPEL__OP_SWITCH, 0, 0);
    uint32_t list = emit_word(e, &e->tables, CUPEL__CLASSES);
    for (int c = 0; c < CUPEL__CLASSES; c++) {
        emit_word(e, &e->tables, 0);
        left += (special & cupel__class_types[c]) != 0;
    }
    operand_table(s, list * 4);
    for (int c = 0; c < CUPEL__CLASSES; c++) {
        if ((special & cupel__class_types[c]) == 0)
            continue;
        label[c] = (uint32_t)e->code.n;
        put_ops(s, cupel__class_types[c] & s->types);
        if (!common) {
            end(s);
        } else if (--left > 0) {
            emit_word(e, &e->code, CUPEL__OP_JUMP);
            jump[njumps++] = emit_word(e, &e->code, 0);
        }
    }
    uint32_t tail = common ? (uint32_t)e->code.n : 0;
    if (!emit_ok(e))
        return;
    for (uint32_t i = 0; i < njumps; i++)
        e->code.p[jump[i]] = tail;
    for (uint32_t c = 0; c < CUPEL__CLASSES; c++)
        e->tables.p[list + 1 + c] = label[c] != 0 ? label[c] : tail;
    if (common) {
        put_ops(s, 0);
        end(s);
    }
}

static bool is_one_class(uint32_t types)
{
    int c = 0;
    while ((types & cupel__class_types[c]) == 0)
        c++;
    return (types & ~(uint32_t)cupel__class_types[c]) == 0;
}

/* Whether the code of a schema is CHECKs alone: no other schema is run, and no SWITCH. */
static bool is_plain(const struct ir_schema *schema)
{
    enum { MOST = 8 }; /* operations: they are looked at for each choice */
    uint32_t n = 0, special = 0;
    bool common = false;
    for (const struct ir_op *op = schema->first; op != NULL; op = op->next) {
        if (n++ == MOST || strpbrk(cupel__ir_kind_operands(op->kind), "sSPN") != NULL)
            return false;
        add_types(schema->types, schema->types & asked_types(op), &special, &common);
    }
    return schema->memo == 0 && (special == 0 || (!common && is_one_class(special)));
}

static bool is_plain_choice(const struct sequence *s, const struct ir_op *op)
{
    enum { FEW = 16 }; /* branches that may cost more than what says which of them it is */
    bool told = op->discriminator != NULL && (op->discriminator->nkeys > 0 || op->nschemas > FEW);
    if (s->e->kind == EMIT_REPORT || !op->either || told)
        return false;
    for (uint32_t i = 0; i < op->nschemas; i++)
        if (!is_plain(&s->e->ir->schemas[op->schemas[i]]))
            return false;
    return true;
}

/* The operations of a schema, of which there are some: in `special` classes, and `common` to all.
 */
static void put_body(struct sequence *s, uint32_t special, bool common)
{
    if (special == 0) {
        put_ops(s, 0);
        end(s);
    } else if (!common && is_one_class(special)) {
        put(s, NULL, CUPEL__OP_ONLY, 0, special);
        put_ops(s, special);
        end(s);
    } else {
        put_switch(s, special, common);
    }
}

/* A MEMO of what follows it. */
static void put_memo(struct sequence *s)
{
    put(s, NULL, CUPEL__OP_MEMO, s->schema->tracked, s->schema->memo);
    end(s);
    operand(s, CUPEL__SUB(s->types, s->e->code.n + 1));
}

uint32_t cupel__emit_schema(struct emit *e, const struct ir_schema *schema)
{
    bool common;
    struct sequence s = {e, schema, e->kind == EMIT_VERDICT ? schema->types : CUPEL__M_ANY, 0};
    uint32_t special = special_classes(&s, &common), start = (uint32_t)e->code.n;
    if (special == 0 && !common)
        return CUPEL__SUB(s.types, 0);
    if (schema->memo != 0)
        put_memo(&s);
    put_body(&s, special, common);
    return CUPEL__SUB(s.types, start);
}
