/* instructions.c: one operation as instructions.
 *
 * ir.def names the function put_… and the instruction of each kind of operation.  put_plain()
 * covers every operation whose operands are counts, a mask, a value, a pattern, a format or one
 * schema. */
#include "base/error.h"
#include "base/json/equal.h"
#include "compiler/emit/emit.h"

#include <string.h>

/* -- Instructions and operands ----------------------------------------------------------------- */

uint32_t cupel__emit_put(struct sequence *s, const struct ir_op *op, enum cupel__op code,
                         uint32_t a, uint32_t b)
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

uint32_t cupel__emit_operand(struct sequence *s, uint32_t word)
{
    return emit_word(s->e, &s->e->code, word);
}

static void operand_sub(struct sequence *s, uint32_t schema)
{
    cupel__emit_sub(s->e, EMIT_CODE, cupel__emit_operand(s, 0), schema);
}

/* The part of an UNEVALUATED, which may be absent. */
static void operand_unevaluated(struct sequence *s, uint32_t schema)
{
    if (schema == IR_NONE)
        cupel__emit_operand(s, CUPEL__NO_SUB);
    else
        operand_sub(s, schema);
}

/* `offset`: in bytes, in the tables section. */
void cupel__emit_operand_table(struct sequence *s, uint32_t offset)
{
    emit_reloc(s->e, EMIT_CODE, cupel__emit_operand(s, offset), EMIT_FIX_TABLE);
}

/* Writes a list of words to the tables, and an operand that refers to it. */
static void operand_words(struct sequence *s, const uint32_t *words, uint32_t n)
{
    struct emit *e = s->e;
    uint32_t at = (uint32_t)e->tables.n, *room = emit_reserve_words(e, &e->tables, 1 + (size_t)n);
    if (room == NULL)
        return;
    room[0] = n;
    memcpy(room + 1, words, n * sizeof *words);
    cupel__emit_operand_table(s, at * 4);
}

/* Writes a list of constants, as indices. */
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

/* Writes a list of references to schemas. */
static void operand_subs(struct sequence *s, const uint32_t *schemas, uint32_t n)
{
    struct emit *e = s->e;
    uint32_t at = 4 * emit_word(e, &e->tables, n);
    for (uint32_t i = 0; i < n; i++)
        cupel__emit_sub(e, EMIT_TABLES, emit_word(e, &e->tables, 0), schemas[i]);
    cupel__emit_operand_table(s, at);
}

static void operand_branches(struct sequence *s, const struct ir_op *op)
{
    operand_subs(s, op->schemas, op->nschemas);
}

/* One reference for each bit of the discriminator.  For a bit that several branches share the
 * target is never used. */
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
    emit_reloc(s->e, EMIT_CODE, cupel__emit_operand(s, cupel__emit_str(s->e, string)),
               EMIT_FIX_STRING);
}

/* -- Values ------------------------------------------------------------------------------------ */

static int compare_hashes(const void *context, uint32_t a, uint32_t b)
{
    const uint32_t *hash = context;
    return (hash[a] > hash[b]) - (hash[a] < hash[b]);
}

/* Computes the hashes of the values.  False if one is a number beyond the range of exact decimals.
 */
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

/* Writes a LOOKUP: the values, and pairs of hash and index sorted by hash, for binary search.
 * False if the values have no hashes. */
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
    cupel__emit_put(s, op, CUPEL__OP_LOOKUP, 0, 0);
    operand_values(s, op);
    operand_words(s, pairs, 2 * n);
    return true;
}

/* Up to here comparing with each value is faster than hashing. */
enum { FEW_VALUES = 8 };

/* One value is a CONST, few are an ENUM, many are a LOOKUP. */
static void put_equal(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    if (op->nvalues == 1) {
        cupel__emit_put(s, op, CUPEL__OP_CONST, 0, 0);
        cupel__emit_operand(s, cupel__emit_value(s->e, &op->values[0]));
        return;
    }
    if (op->nvalues > FEW_VALUES && put_lookup(s, op))
        return;
    cupel__emit_put(s, op, code, 0, 0);
    operand_values(s, op);
}

/* Writes a list of strings.  A single string of up to 8 bytes is stored in the instruction
 * (STRING), which saves the table: on code-climate and similar sets this is the most frequent
 * check. */
static void put_strings(struct sequence *s, const struct ir_op *op)
{
    struct cupel__str first = ir_value_str(&op->values[0]);
    if (op->nvalues == 1 && first.n <= 8) {
        uint32_t words[2] = {0, 0};
        for (size_t i = 0; i < first.n; i++)
            words[i / 4] |= (uint32_t)(uint8_t)first.p[i] << (8 * (i % 4));
        cupel__emit_put(s, op, CUPEL__OP_STRING, 0, (uint32_t)first.n);
        cupel__emit_operand(s, words[0]);
        cupel__emit_operand(s, words[1]);
        return;
    }
    struct ir_name *names = cupel__arena_array(s->e->ir->arena, op->nvalues, sizeof *names);
    if (names == NULL) {
        cupel__emit_no_memory(s->e);
        return;
    }
    for (uint32_t i = 0; i < op->nvalues; i++)
        names[i] = (struct ir_name){ir_value_str(&op->values[i]), IR_NONE, 0};
    uint32_t at =
        cupel__emit_table(s->e, &(struct emit_table){.names = names, .count = op->nvalues});
    cupel__emit_put(s, op, CUPEL__OP_STRINGS, 0, 0);
    cupel__emit_operand_table(s, at);
}

static void put_among(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    if (op->mask == CUPEL__M_STRING)
        put_strings(s, op);
    else
        put_equal(s, op, code);
}

/* -- Members ----------------------------------------------------------------------------------- */

static void put_names(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    uint32_t at =
        cupel__emit_table(s->e, &(struct emit_table){.names = op->names, .count = op->nnames});
    cupel__emit_put(s, op, code, 0, 0);
    cupel__emit_operand_table(s, at);
}

/* Writes a PROPS without names and patterns as MAP: all members pass the same schema.  False if it
 * is not one. */
static bool put_map(struct sequence *s, const struct ir_op *op, uint32_t name_schema)
{
    if (s->e->kind == EMIT_REPORT || s->schema->tracked || name_schema != IR_NONE ||
        op->nnames > 0 || op->nmatches > 0)
        return false;
    cupel__emit_put(s, op, CUPEL__OP_MAP, 0, 0);
    operand_sub(s, op->other);
    return true;
}

/* Writes a PROPS as MAP, REQUIRED, OBJECT or MEMBERS.  `name_schema` is what each member's name
 * passes.  OBJECT is the fast loop: no evaluated sets, no patterns for listed names, no check of
 * names. */
static void put_object(struct sequence *s, const struct ir_op *op, uint32_t name_schema)
{
    if (put_map(s, op, name_schema))
        return;
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
    if (marks || (op->nmatches > 0 && !op->unlisted) || name_schema != IR_NONE)
        cupel__emit_put(s, op, CUPEL__OP_MEMBERS, marks, 0);
    else
        cupel__emit_put(s, op, CUPEL__OP_OBJECT, 0, 0);
    cupel__emit_operand_table(s, at);
}

static void put_members(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    (void)code;
    put_object(s, op, IR_NONE);
}

/* NAMES is a MEMBERS without properties. */
static void put_name_schema(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    struct ir_op none = *op;
    none.nnames = none.nmatches = 0;
    none.other = IR_NONE;
    (void)code;
    put_object(s, &none, op->schemas[0]);
}

static void put_depends(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    uint32_t at =
        cupel__emit_table(s->e, &(struct emit_table){.names = op->names, .count = op->nnames});
    cupel__emit_put(s, op, code, 0, 0);
    operand_str(s, op->name);
    cupel__emit_operand_table(s, at);
}

static void put_implies(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    cupel__emit_put(s, op, code, 0, 0);
    operand_str(s, op->name);
    operand_sub(s, op->schemas[0]);
}

/* -- Items ------------------------------------------------------------------------------------- */

static void put_prefix(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    cupel__emit_put(s, op, code, s->schema->tracked, 0);
    operand_branches(s, op);
}

/* The index of the first item must fit into 16 bits. */
static void put_items(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    if (op->a > UINT16_MAX) {
        s->e->status = cupel__error_set(s->e->err, CUPEL_E_IMAGE_SIZE, "too many prefix items");
        return;
    }
    cupel__emit_put(s, op, code, s->schema->tracked, op->a);
    operand_sub(s, op->schemas[0]);
}

static void put_contains(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    cupel__emit_put(s, op, code, s->schema->tracked && op->exclusive, 0);
    operand_sub(s, op->schemas[0]);
    cupel__emit_operand(s, op->a);
    cupel__emit_operand(s, op->b);
}

/* -- Schemas for the same value ---------------------------------------------------------------- */

static void put_calls(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    for (uint32_t i = 0; i < op->nschemas; i++) {
        cupel__emit_put(s, op, code, 0, 0);
        operand_sub(s, op->schemas[i]);
    }
}

static void put_if(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    cupel__emit_put(s, op, code, 0, 0);
    for (uint32_t i = 0; i < 3; i++)
        operand_sub(s, op->schemas[i]);
}

static void put_unevaluated(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    cupel__emit_put(s, op, code, 0, 0);
    operand_sub(s, op->schemas[0]);
    operand_unevaluated(s, op->schemas[1]);
    operand_unevaluated(s, op->schemas[2]);
}

/* The bindings follow in the tables: one reference for each anchor. */
static void put_scope(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    struct emit *e = s->e;
    cupel__emit_put(s, op, code, 0, 0);
    operand_sub(s, op->schemas[0]);
    uint32_t at = emit_word(e, &e->tables, op->nschemas - 1);
    for (uint32_t i = 1; i < op->nschemas; i++) {
        uint32_t word = emit_word(e, &e->tables, CUPEL__NO_SUB);
        if (op->schemas[i] != IR_NONE)
            cupel__emit_sub(e, EMIT_TABLES, word, op->schemas[i]);
    }
    cupel__emit_operand_table(s, at * 4);
}

static void put_dynamic(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    cupel__emit_put(s, op, code, 0, op->a);
    operand_sub(s, op->schemas[0]);
}

/* -- Choices ----------------------------------------------------------------------------------- */

uint32_t cupel__emit_tested_types(const struct ir_op *op)
{
    return op->kind == IR_AMONG ? op->mask : cupel__ir_kind_types(op->kind);
}

void cupel__emit_add_types(uint32_t all, uint32_t types, uint32_t *classes, bool *common)
{
    if (types == all && types != 0)
        *common = true;
    else
        *classes |= types;
}

bool cupel__emit_is_one_class(uint32_t types)
{
    int c = 0;
    while ((types & cupel__class_types[c]) == 0)
        c++;
    return (types & ~(uint32_t)cupel__class_types[c]) == 0;
}

/* Whether the code of a schema is checks alone: it applies no other schema, keeps no result and
 * needs no SWITCH.  The verifier requires this of the branches of an EITHER. */
static bool is_plain(const struct ir_schema *schema)
{
    enum { MOST = 8 }; /* operations that are examined for each choice */
    uint32_t n = 0, special = 0;
    bool common = false;
    for (const struct ir_op *op = schema->first; op != NULL; op = op->next) {
        if (n++ == MOST || strpbrk(cupel__ir_kind_operands(op->kind), "sSPN") != NULL)
            return false;
        cupel__emit_add_types(schema->types, schema->types & cupel__emit_tested_types(op), &special,
                              &common);
    }
    return schema->memo == 0 && (special == 0 || (!common && cupel__emit_is_one_class(special)));
}

/* Gains: EITHER runs its branches without a frame for each; a choice of types and bounds takes a
 * third of the instructions. */
bool cupel__emit_is_plain_choice(const struct sequence *s, const struct ir_op *op)
{
    enum { FEW = 16 }; /* beyond these, selecting a branch costs less than trying all */
    bool selects =
        op->discriminator != NULL && (op->discriminator->nkeys > 0 || op->nschemas > FEW);
    if (s->e->kind == EMIT_REPORT || !op->either || selects)
        return false;
    for (uint32_t i = 0; i < op->nschemas; i++)
        if (!is_plain(&s->e->ir->schemas[op->schemas[i]]))
            return false;
    return true;
}

static void put_choice(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    bool one = op->kind == IR_ONE_OF, plain = cupel__emit_is_plain_choice(s, op);
    const struct ir_discriminator *discriminator = plain ? NULL : op->discriminator;
    if (plain)
        cupel__emit_put(s, op, CUPEL__OP_EITHER, one, 0);
    else if (discriminator != NULL)
        cupel__emit_put(s, op, CUPEL__OP_CHOOSE, one, 0);
    else
        cupel__emit_put(s, op, code, !one && s->schema->tracked, 0);
    operand_branches(s, op);
    if (discriminator == NULL)
        return;
    cupel__emit_operand_table(s, cupel__emit_discriminator(s->e, discriminator, op->nschemas));
    operand_targets(s, op);
}

static void put_cases(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    cupel__emit_put(s, op, code, 0, 0);
    operand_branches(s, op);
    cupel__emit_operand_table(s, cupel__emit_discriminator(s->e, op->discriminator, op->nschemas));
}

/* -- Operations -------------------------------------------------------------------------------- */

static void put_host_format(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    cupel__emit_put(s, op, code, 0, cupel__emit_format(s->e, op->name));
}

/* Writes one operand of a plain operation; masks, formats and flags are in the first word. */
static void put_operand(struct sequence *s, const struct ir_op *op, char letter)
{
    switch (letter) {
    case 'a':
        cupel__emit_operand(s, op->a);
        break;
    case 'b':
        cupel__emit_operand(s, op->b);
        break;
    case 'd':
    case 'v':
        cupel__emit_operand(s, cupel__emit_value(s->e, &op->values[0]));
        break;
    case 'p':
        cupel__emit_operand(s, op->pattern);
        break;
    case 's':
        operand_sub(s, op->schemas[0]);
        break;
    }
}

static void put_plain(struct sequence *s, const struct ir_op *op, enum cupel__op code)
{
    const char *letters = cupel__ir_kind_operands(op->kind);
    uint32_t b = *letters == 'f' ? op->a : op->mask; /* a format is a first operand */
    cupel__emit_put(s, op, code, op->exclusive, b);
    for (; *letters != '\0'; letters++)
        put_operand(s, op, *letters);
}

/* How the operations of each kind are emitted (ir.def). */
static const struct emission {
    void (*put)(struct sequence *, const struct ir_op *, enum cupel__op);
    enum cupel__op code;
    enum emit_cost cost;
} emissions[] = {
#define IR(name, text, on, operands, cost, put, code, ...) \
    {put_##put, CUPEL__OP_##code, EMIT_##cost},
#include "compiler/ir/ir.def"
};

void cupel__emit_op(struct sequence *s, const struct ir_op *op)
{
    const struct emission *how = &emissions[op->kind];
    how->put(s, op, how->code);
}

enum emit_cost cupel__emit_cost(const struct ir_op *op)
{
    return emissions[op->kind].cost;
}
