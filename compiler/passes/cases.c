/* cases.c: IF whose conditions the value of one member decides.
 *
 * Needs   nothing.  Run enum and inline before it, after which conditions are plain, and merge
 *         after it, since the targets of a case can meet.
 * Keeps   verdicts, operations of other kinds.
 * Breaks  use counts.  Adds schemas.
 *
 * Authors write a switch over a tag as a chain of IF, or as many IF side by side, often in an
 * `allOf`, and each condition costs a loop over the object's members.  If all conditions test only
 * the type of the value and, of one member, whether it is present, its type, and which string it
 * is, then one look at that member decides all of them.  Each answer that makes a difference is a
 * class.  For each class this pass collects the schemas that the conditions select, following an IF
 * in `then` or `else` that tests the same member.  Equal collections are one case.  A CASES with a
 * discriminator replaces all IF of a schema that test one member.
 *
 *     before                                  after
 *     schema @0 any                           schema @0 any
 *       if @1 @3 -                              cases @3 @4 @7
 *     schema @1 object                        schema @7 any
 *       props "kind":@2
 *       required "kind"
 *     schema @2 string
 *       among string "a"
 *       …                                     kind "a" → @3, kind "b" → @4, else @7
 *
 * Work is bounded by a budget in proportion to the module; when it is used up, the remaining IF
 * stay.  Tracked schemas are left alone, because their conditions evaluate.
 *
 * Gain: ten conditions on a `const` in an `allOf` take 3.8 times the instructions without this
 * pass, as a chain of if/else 2.5 times. */
#include "compiler/passes/passes.h"

#include "base/json/tape.h"
#include <string.h>

enum {
    MIN_WORK = 1 << 12,
    WORK_FACTOR = 128, /* for each operation and operand of the module */
    DEPTH = 8,         /* of the schemas of a condition */
    LEAVES = 6,        /* schemas of a case */
    CASES = 60,        /* of a discriminator, whose sets are words of 64 bits */
    GROUP = 60,        /* IF of a schema that are replaced together */
    FOLLOWED = 60,     /* branches that are nothing but IF */
    TAGS = 250
};

/* What is known of the value, or of the member. */
enum answer { NO_OBJECT, ABSENT, OF_TYPE, TEXT, OTHER_TEXT };

struct class
{
    enum answer answer;
    uint32_t type;          /* NO_OBJECT: bit of the type of the value; OF_TYPE: of the member */
    struct cupel__str text; /* TEXT */
};

/* The schemas that values of a class must pass. */
struct leaves {
    uint32_t schema[LEAVES], n;
};

struct cases_pass {
    struct ir_module *m;
    size_t work;
    uint32_t any; /* a schema that always passes; IR_NONE until it is needed */

    /* The CASES that is being made. */
    uint32_t types; /* that can arrive */
    struct cupel__str key;
    bool has_key;
    struct ir_tag *tags; /* TAGS of them */
    uint32_t ntags;
    struct leaves cases[CASES];
    uint32_t ncases;
    struct ir_op *group[GROUP];
    uint32_t ngroup;
    uint32_t followed[FOLLOWED], nfollowed;
};

static bool spend(struct cases_pass *s, size_t n)
{
    s->work -= n < s->work ? n : s->work;
    return s->work > 0;
}

/* -- Conditions --------------------------------------------------------------------------------
 *
 * Each condition is read twice: is_plain…() checks that it tests only the key, and collects the
 * key's strings; …passes() evaluates it for a class. */

/* Adds a string to the tags, unless it is there. */
static bool add_tag(struct cases_pass *s, struct cupel__str text)
{
    for (uint32_t i = 0; i < s->ntags; i++)
        if (s->tags[i].text.n == text.n && cupel__str_eq(s->tags[i].text, text))
            return spend(s, 1 + i / 8);
    if (s->ntags == TAGS || !spend(s, 1 + s->ntags / 8))
        return false;
    s->tags[s->ntags++] = (struct ir_tag){.text = text, .is_text = true};
    return true;
}

static bool add_tags(struct cases_pass *s, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nvalues; i++)
        if (!add_tag(s, ir_value_str(&op->values[i])))
            return false;
    return true;
}

/* Whether a class decides all that the schema requires of the member. */
static bool is_plain_value(struct cases_pass *s, uint32_t schema, unsigned depth)
{
    if (depth++ == DEPTH)
        return false;
    for (const struct ir_op *op = s->m->schemas[schema].first; op != NULL; op = op->next) {
        bool list = op->kind == IR_AMONG && op->mask == CUPEL__M_STRING && add_tags(s, op);
        bool inner = op->kind == IR_NOT || op->kind == IR_REF;
        if (!spend(s, 1) || (!list && !(inner && is_plain_value(s, op->schemas[0], depth))))
            return false;
    }
    return true;
}

/* Whether a member of a class passes a schema.  Like the next two functions its result counts only
 * while work remains (find_case). */
static bool value_passes(struct cases_pass *s, uint32_t schema, const struct class *c)
{
    const struct ir_schema *of = &s->m->schemas[schema];
    uint32_t type = c->answer == OF_TYPE ? c->type : (uint32_t)CUPEL__BIT(CUPEL__STRING);
    bool passes = (of->types & type) != 0;
    for (const struct ir_op *op = of->first; op != NULL && passes; op = op->next) {
        spend(s, 1 + op->nvalues / 8);
        if (op->kind == IR_AMONG && c->answer != OF_TYPE) {
            passes = false;
            for (uint32_t i = 0; i < op->nvalues && !passes; i++)
                passes = c->answer == TEXT && cupel__str_eq(ir_value_str(&op->values[i]), c->text);
        } else if (op->kind != IR_AMONG) {
            passes = value_passes(s, op->schemas[0], c) == (op->kind == IR_REF);
        }
    }
    return passes;
}

/* Whether the operation names only the key.  The first name that is met becomes the key. */
static bool is_about_key(struct cases_pass *s, const struct ir_op *op)
{
    if (op->nnames != 1)
        return false;
    if (!s->has_key)
        s->key = op->names[0].name;
    s->has_key = true;
    return cupel__str_eq(s->key, op->names[0].name);
}

/* Whether members without a schema of their own pass. */
static bool passes_others(const struct ir_module *m, const struct ir_op *op)
{
    return op->other == IR_NONE || ir_is_always(&m->schemas[op->other]);
}

static bool is_plain_op(struct cases_pass *s, const struct ir_op *op, unsigned depth);

static bool is_plain(struct cases_pass *s, uint32_t schema, unsigned depth)
{
    for (const struct ir_op *op = s->m->schemas[schema].first; op != NULL; op = op->next)
        if (!spend(s, 1) || !is_plain_op(s, op, depth))
            return false;
    return true;
}

static bool is_plain_op(struct cases_pass *s, const struct ir_op *op, unsigned depth)
{
    if (depth++ == DEPTH)
        return false;
    switch (op->kind) {
    case IR_REQUIRED:
        return is_about_key(s, op);
    case IR_PROPS:
        return op->nmatches == 0 && passes_others(s->m, op) && is_about_key(s, op) &&
               (op->names[0].schema == IR_NONE || is_plain_value(s, op->names[0].schema, 0));
    case IR_NOT:
    case IR_REF:
        return is_plain(s, op->schemas[0], depth);
    default:
        return false;
    }
}

static bool member_passes(struct cases_pass *s, const struct ir_op *op, const struct class *c)
{
    const struct ir_name *name = &op->names[0];
    bool required = op->kind == IR_REQUIRED || (name->flags & IR_NAME_REQUIRED);
    if (c->answer == NO_OBJECT)
        return true;
    if (c->answer == ABSENT)
        return !required;
    return name->schema == IR_NONE || value_passes(s, name->schema, c);
}

/* Whether a value of a class passes a plain schema. */
static bool passes(struct cases_pass *s, uint32_t schema, const struct class *c)
{
    const struct ir_schema *of = &s->m->schemas[schema];
    uint32_t type = c->answer == NO_OBJECT ? c->type : (uint32_t)CUPEL__M_OBJECT;
    bool passed = (of->types & type) != 0;
    for (const struct ir_op *op = of->first; op != NULL && passed && spend(s, 1); op = op->next)
        passed = op->kind == IR_NOT || op->kind == IR_REF
                     ? passes(s, op->schemas[0], c) == (op->kind == IR_REF)
                     : member_passes(s, op, c);
    return passed;
}

/* -- Chains ------------------------------------------------------------------------------------ */

/* Whether the operation is an IF that tests only the key.  If not, the tags and the key it added
 * are removed. */
static bool is_plain_if(struct cases_pass *s, const struct ir_op *op)
{
    uint32_t ntags = s->ntags;
    bool had_key = s->has_key;
    if (op->kind == IR_IF && is_plain(s, op->schemas[0], 0) && s->has_key)
        return true;
    s->ntags = ntags;
    s->has_key = had_key;
    return false;
}

/* Whether a branch is nothing but such IF, for every type that can arrive. */
static bool is_chain(struct cases_pass *s, uint32_t schema)
{
    const struct ir_schema *of = &s->m->schemas[schema];
    if (of->tracked || (s->types & ~of->types) != 0 || of->first == NULL)
        return false;
    for (const struct ir_op *op = of->first; op != NULL; op = op->next)
        if (!is_plain_if(s, op))
            return false;
    return true;
}

static bool is_followed(const struct cases_pass *s, uint32_t schema)
{
    for (uint32_t i = 0; i < s->nfollowed; i++)
        if (s->followed[i] == schema)
            return true;
    return false;
}

/* Adds the branches of an IF that are chains to the list of followed schemas. */
static void follow(struct cases_pass *s, const struct ir_op *op)
{
    for (uint32_t i = 1; i < op->nschemas; i++) {
        uint32_t schema = op->schemas[i];
        if (schema != IR_NONE && s->nfollowed < FOLLOWED && !is_followed(s, schema) &&
            is_chain(s, schema))
            s->followed[s->nfollowed++] = schema;
    }
}

/* Collects the IF of a schema that test one member, and the chains that they lead to. */
static void gather(struct cases_pass *s, const struct ir_schema *schema)
{
    s->types = schema->types;
    s->has_key = false;
    s->ntags = s->ncases = s->nfollowed = s->ngroup = 0;
    for (struct ir_op *op = schema->first; op != NULL && s->ngroup < GROUP; op = op->next)
        if (is_plain_if(s, op))
            s->group[s->ngroup++] = op;
    for (uint32_t i = 0; i < s->ngroup; i++)
        follow(s, s->group[i]);
    for (uint32_t i = 0; i < s->nfollowed; i++)
        for (struct ir_op *op = s->m->schemas[s->followed[i]].first; op != NULL; op = op->next)
            follow(s, op);
}

/* -- Cases ------------------------------------------------------------------------------------- */

struct stack {
    uint32_t schema[FOLLOWED], n;
};

/* Pushes the branch of an IF that a class selects; false when a limit is reached. */
static bool push_branch(struct cases_pass *s, const struct ir_op *op, const struct class *c,
                        struct stack *to)
{
    uint32_t branch = op->schemas[passes(s, op->schemas[0], c) ? 1 : 2];
    if (branch == IR_NONE)
        return true;
    if (to->n == FOLLOWED || !spend(s, 2))
        return false;
    to->schema[to->n++] = branch;
    return true;
}

static bool add_leaf(struct leaves *leaves, uint32_t schema)
{
    for (uint32_t i = 0; i < leaves->n; i++)
        if (leaves->schema[i] == schema)
            return true;
    if (leaves->n == LEAVES)
        return false;
    leaves->schema[leaves->n++] = schema;
    return true;
}

/* Collects the schemas that a class must pass. */
static bool find_leaves(struct cases_pass *s, const struct class *c, struct leaves *ret)
{
    struct stack stack = {.n = 0};
    ret->n = 0;
    for (uint32_t i = s->ngroup; i-- > 0;)
        if (!push_branch(s, s->group[i], c, &stack))
            return false;
    while (stack.n > 0) {
        uint32_t schema = stack.schema[--stack.n];
        if (!is_followed(s, schema)) {
            if (!add_leaf(ret, schema))
                return false;
            continue;
        }
        for (struct ir_op *op = s->m->schemas[schema].first; op != NULL; op = op->next)
            if (!push_branch(s, op, c, &stack))
                return false;
    }
    return true;
}

static bool same_leaves(const struct leaves *a, const struct leaves *b)
{
    return a->n == b->n && memcmp(a->schema, b->schema, a->n * sizeof *a->schema) == 0;
}

/* Finds or adds the case of a class; *ret is the case as a set. */
static bool find_case(struct cases_pass *s, const struct class *c, uint64_t *ret)
{
    struct leaves leaves;
    uint32_t i = 0;
    if (!find_leaves(s, c, &leaves) || !spend(s, s->ncases))
        return false;
    while (i < s->ncases && !same_leaves(&leaves, &s->cases[i]))
        i++;
    if (i == CASES)
        return false;
    if (i == s->ncases)
        s->cases[s->ncases++] = leaves;
    *ret = UINT64_C(1) << i;
    return true;
}

/* Assigns a case to every value that the key's member can have. */
static bool assign_members(struct cases_pass *s, struct ir_key *key)
{
    const struct class other = {.answer = OTHER_TEXT}, absent = {.answer = ABSENT};
    for (uint32_t i = 0; i < s->ntags; i++) {
        struct class c = {.answer = TEXT, .text = s->tags[i].text};
        if (!find_case(s, &c, &s->tags[i].set))
            return false;
    }
    if (!find_case(s, &other, &key->unlisted) || !find_case(s, &absent, &key->absent))
        return false;
    for (uint32_t type = 0; type < CUPEL__TYPES; type++) {
        struct class c = {.answer = OF_TYPE, .type = CUPEL__BIT(type)};
        key->types[type] = key->unlisted;
        if ((c.type & CUPEL__M_STRING) == 0 && !find_case(s, &c, &key->types[type]))
            return false;
    }
    return true;
}

/* The same for values that are no object. */
static bool assign_all(struct cases_pass *s, struct ir_discriminator *discriminator)
{
    struct ir_key *key = discriminator->keys;
    if (!assign_members(s, key))
        return false;
    for (uint32_t type = 0; type < CUPEL__TYPES; type++) {
        struct class c = {.answer = NO_OBJECT, .type = CUPEL__BIT(type)};
        discriminator->types[type] = key->absent;
        if (type != CUPEL__OBJECT && (s->types & c.type) &&
            !find_case(s, &c, &discriminator->types[type]))
            return false;
    }
    return true;
}

/* -- Operations -------------------------------------------------------------------------------- */

/* Returns the schema of a case, or IR_NONE when out of memory. */
static uint32_t make_case(struct cases_pass *s, const struct leaves *leaves)
{
    if (leaves->n == 1)
        return leaves->schema[0];
    if (leaves->n == 0 && s->any != IR_NONE)
        return s->any;
    uint32_t schema = cupel__ir_add_schema(s->m, IR_NONE);
    for (uint32_t i = 0; i < leaves->n && schema != IR_NONE; i++)
        if (!cupel__ir_add_ref(s->m, schema, leaves->schema[i]))
            return IR_NONE;
    if (leaves->n == 0)
        s->any = schema;
    return schema;
}

/* Turns the first IF of the group into the CASES and removes the others from the schema's list. */
static bool replace(struct cases_pass *s, uint32_t schema,
                    const struct ir_discriminator *discriminator)
{
    struct ir_op *first = s->group[0], made = *first;
    uint32_t *cases = cupel__ir_op_schemas(s->m, &made, s->ncases), next = 1;
    for (uint32_t i = 0; i < s->ncases && cases != NULL; i++)
        if ((cases[i] = make_case(s, &s->cases[i])) == IR_NONE)
            return false;
    if (cases == NULL)
        return false;
    made.kind = IR_CASES;
    made.discriminator = discriminator;
    *first = made;
    struct ir_op **at = &s->m->schemas[schema].first;
    while (*at != NULL)
        if (next < s->ngroup && *at == s->group[next]) {
            *at = (*at)->next;
            next++;
        } else {
            at = &(*at)->next;
        }
    s->m->schemas[schema].end = at;
    return true;
}

static struct ir_discriminator *make_discriminator(struct cases_pass *s)
{
    struct cupel__arena *arena = s->m->arena;
    struct ir_discriminator *discriminator = cupel__arena_alloc(arena, sizeof *discriminator);
    struct ir_key *key = cupel__arena_alloc(arena, sizeof *key);
    if (discriminator == NULL || key == NULL)
        return NULL;
    discriminator->keys = key;
    discriminator->nkeys = 1;
    discriminator->exact = true;
    key->name = s->key;
    key->tags = s->tags;
    key->ntags = s->ntags;
    return discriminator;
}

/* One bit for each case. */
static bool make_spans(struct cases_pass *s, struct ir_discriminator *discriminator)
{
    discriminator->nbits = s->ncases;
    discriminator->spans = cupel__arena_array(s->m->arena, s->ncases, sizeof *discriminator->spans);
    if (discriminator->spans == NULL)
        return false;
    for (uint32_t i = 0; i < s->ncases; i++)
        discriminator->spans[i] = (struct ir_span){i, 1};
    return true;
}

/* The collected tags stay with the discriminator, so the next one needs a new array. */
static bool need_tags(struct cases_pass *s)
{
    if (s->tags == NULL)
        s->tags = cupel__arena_array(s->m->arena, TAGS, sizeof *s->tags);
    return s->tags != NULL;
}

/* Removes the uses that an IF gave to followed schemas. */
static void release(struct cases_pass *s, const struct ir_op *op)
{
    for (uint32_t i = 1; i < op->nschemas; i++)
        if (op->schemas[i] != IR_NONE && is_followed(s, op->schemas[i]))
            s->m->schemas[op->schemas[i]].uses--;
}

/* A followed schema without uses is not processed by itself; otherwise a chain would be processed
 * again at each of its links. */
static void release_followed(struct cases_pass *s)
{
    for (uint32_t i = 0; i < s->ngroup; i++)
        release(s, s->group[i]);
    for (uint32_t i = 0; i < s->nfollowed; i++) {
        const struct ir_schema *of = &s->m->schemas[s->followed[i]];
        for (const struct ir_op *op = of->first; op != NULL && of->uses == 0; op = op->next)
            release(s, op);
    }
}

/* Makes one CASES of a schema, if it has IF that test one member. */
static enum cupel_status rewrite_schema(struct cases_pass *s, uint32_t schema)
{
    if (!need_tags(s))
        return CUPEL_E_NO_MEMORY;
    gather(s, &s->m->schemas[schema]);
    if (s->ngroup == 0 || s->work == 0)
        return CUPEL_OK;
    struct ir_discriminator *discriminator = make_discriminator(s);
    if (discriminator == NULL)
        return CUPEL_E_NO_MEMORY;
    if (!assign_all(s, discriminator))
        return CUPEL_OK;
    s->tags = NULL;
    release_followed(s); /* while the operations of the group are still IF */
    return make_spans(s, discriminator) && replace(s, schema, discriminator) ? CUPEL_OK
                                                                             : CUPEL_E_NO_MEMORY;
}

/* -- Modules ----------------------------------------------------------------------------------- */

static bool has_if(const struct ir_schema *s)
{
    const struct ir_op *op = s->first;
    while (op != NULL && op->kind != IR_IF)
        op = op->next;
    return op != NULL && s->uses > 0 && !s->tracked;
}

/* A schema whose IF test several members gets a CASES for each member. */
static enum cupel_status rewrite_schemas(struct cases_pass *s)
{
    enum cupel_status status = CUPEL_OK;
    for (uint32_t i = 0, n = s->m->nschemas; i < n && status == CUPEL_OK && s->work > 0; i++)
        do {
            s->ngroup = 0;
            if (has_if(&s->m->schemas[i]))
                status = rewrite_schema(s, i);
        } while (status == CUPEL_OK && s->tags == NULL && s->ngroup > 0);
    return status;
}

enum cupel_status cupel__pass_cases(struct ir_module *m)
{
    struct cases_pass *s = cupel__arena_alloc(m->arena, sizeof *s);
    enum cupel_status status = cupel__ir_count_uses(m);
    if (s == NULL || status != CUPEL_OK)
        return CUPEL_E_NO_MEMORY;
    s->m = m;
    s->any = IR_NONE;
    s->work = MIN_WORK + WORK_FACTOR * cupel__ir_module_work(m);
    return rewrite_schemas(s);
}
