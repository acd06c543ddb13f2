/* repair.c: repairs an invalid instance if exactly one combination of edits makes it valid.
 *
 * Each problem has candidate edits (edit_find.c); a combination takes one of them for each problem
 * that has any.  Every combination is applied to the text and the result validated.  One that is
 * valid: edits without which it is valid too are dropped, so that no value changes that needs no
 * change.  Two combinations, or two ways to drop: ambiguous, nothing is guessed.  If the only
 * combination leaves problems that were hidden before (inside a string that was read, behind a name
 * that was wrong), another round starts from its result; names come before values, because they
 * decide which values are wrong.
 *
 * Reports, texts and validations of all rounds share one budget of steps: REPORTS times that of a
 * run. */
#include "messages/edit.h"
#include "messages/rename.h"
#include <cupel/repair.h>

enum {
    MAX_ROUNDS = 16,
    MAX_COMBINATIONS = 64,
    BYTES_A_STEP = 4,
    STEPS_A_COMBINATION = 64,
    REPORTS = 2
};

/* An edited instance. */
struct version {
    struct cupel_document doc;
    struct cupel_text text; /* which the document refers to */
};

struct repair {
    const struct cupel_program *program;
    struct render r;                         /* for the functions that read the last report */
    struct cupel_render_options options;     /* of r: the defaults */
    struct version versions[2];              /* rounds alternate between them */
    struct cupel_text patch;                 /* operations of all rounds so far */
    struct cupel_text value;                 /* operations of the combination at hand */
    struct candidates candidates[MAX_EDITS]; /* of each problem */
    uint32_t nproblems;
    struct edit edits[MAX_EDITS]; /* of the combination at hand … */
    struct edit valid[MAX_EDITS]; /* … and of the valid one */
    uint32_t nedits, nvalid;
    bool duplicates; /* the instance has two members of one name, or an edit would make them */
    int64_t left;    /* steps that remain for all rounds */
    uint64_t used;   /* steps used so far */
    struct cupel_outcome outcome;
};

const char *cupel_repair_name(enum cupel_repair_result result)
{
    static const char *const names[] = {"repaired", "not-needed", "impossible", "ambiguous",
                                        "undecided"};
    return (size_t)result < sizeof names / sizeof *names ? names[result] : "?";
}

/* -- Combinations ------------------------------------------------------------------------------ */

/* Finds the candidates of each problem that has any and counts the combinations.  REPAIRED: there
 * are some; UNDECIDED: more than are tried. */
static enum cupel_repair_result find_candidates(struct repair *p, uint32_t *ret_n)
{
    const struct cupel_scratch *s = p->r.s;
    const uint32_t wrapper = cupel__wrapper_of(&p->r);
    bool tie = false;
    p->nproblems = 0;
    *ret_n = 1;
    if (wrapper != 0) {
        p->candidates[p->nproblems++] = (struct candidates){
            .edit = {{.kind = EDIT_UNWRAP, .node = s->node, .value = wrapper + 1}}, .n = 1};
        return CUPEL_REPAIRED;
    }
    if (s->norder > MAX_EDITS || s->log.events_lost > 0)
        return CUPEL_REPAIR_UNDECIDED;
    for (uint32_t i = 0; i < s->norder; i++) {
        struct candidates *found = &p->candidates[p->nproblems];
        cupel__find_edits(&p->r, cupel__event_of(&p->r, s->order[i]), found);
        tie |= found->tie;
        p->nproblems += found->n > 0;
        if (found->n > 0)
            *ret_n = *ret_n > MAX_COMBINATIONS ? *ret_n : *ret_n * found->n;
    }
    if (tie)
        return CUPEL_REPAIR_AMBIGUOUS;
    if (p->nproblems == 0)
        return CUPEL_REPAIR_IMPOSSIBLE;
    return *ret_n > MAX_COMBINATIONS ? CUPEL_REPAIR_UNDECIDED : CUPEL_REPAIRED;
}

/* Whether two edits exclude each other: they change the same key or value, or add the same member.
 */
static bool clash(const struct render *r, const struct edit *a, const struct edit *b)
{
    if (a->node != b->node)
        return false;
    return a->kind != EDIT_DEFAULT || b->kind != EDIT_DEFAULT || cupel__same_edit(r, a, b);
}

/* Fills p->edits with combination number `n`, whose digits select the candidates.  False if two of
 * its edits exclude each other. */
static bool select_combination(struct repair *p, uint32_t n)
{
    p->nedits = 0;
    for (uint32_t i = 0; i < p->nproblems; i++) {
        const struct edit *e = &p->candidates[i].edit[n % p->candidates[i].n];
        bool present = false;
        n /= p->candidates[i].n;
        for (uint32_t k = 0; k < p->nedits && !present; k++) {
            present = cupel__same_edit(&p->r, &p->edits[k], e);
            if (!present && clash(&p->r, &p->edits[k], e))
                return false;
        }
        if (!present)
            p->edits[p->nedits++] = *e;
    }
    return true;
}

/* Gives the next run the steps that remain, through the scratch's limits; cupel_repair() restores
 * them. */
static void begin_run(struct repair *p)
{
    uint64_t *limits = p->r.s->options.limits;
    limits[CUPEL_LIMIT_STEPS] = p->left > 0 ? (uint64_t)p->left : 0;
    limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
}

static void charge(struct repair *p, uint64_t steps)
{
    p->left -= (int64_t)steps;
    p->used += steps;
}

/* Reads the text of a version.  Two members of one name are refused whatever the options say: a
 * patch cannot tell them apart. */
static enum cupel_status read_version(struct repair *p, struct version *to)
{
    enum cupel_status status = cupel_document_read(&to->doc, to->text.bytes, to->text.len, NULL);
    p->duplicates |= status == CUPEL_E_DUPLICATE_KEY;
    return status;
}

/* Applies `n` edits and validates the result, which is left in `to`; writes the operations to
 * `patch` unless it is NULL.  UNDECIDED with p->outcome.reason. */
static enum cupel_verdict try_edits(struct repair *p, const struct edit *edits, uint32_t n,
                                    struct version *to, struct cupel_text *patch)
{
    cupel_text_clear(&to->text);
    bool whole = cupel__apply_edits(&p->r, edits, n, &to->text, patch);
    charge(p, STEPS_A_COMBINATION + to->text.len / BYTES_A_STEP);
    p->outcome.reason = CUPEL_OK;
    if (to->text.failed || (patch != NULL && patch->failed))
        p->outcome.reason = CUPEL_E_NO_MEMORY;
    else if (p->left <= 0 || p->r.s->cursor->remaining <= 0)
        p->outcome.reason = CUPEL_E_LIMIT_STEPS;
    else if (!whole)
        p->outcome.reason = CUPEL_E_LIMIT_MEMORY;
    if (p->outcome.reason != CUPEL_OK)
        return CUPEL_UNDECIDED;
    p->outcome.reason = read_version(p, to);
    if (p->outcome.reason == CUPEL_E_NO_MEMORY)
        return CUPEL_UNDECIDED;
    if (p->outcome.reason != CUPEL_OK)
        return CUPEL_INVALID; /* two members of one name, or a limit of the reader */
    begin_run(p);
    enum cupel_verdict verdict = cupel_validate_node(p->program, p->r.s, &to->doc, 0, &p->outcome);
    charge(p, p->outcome.steps);
    return verdict;
}

static bool is_known_combination(const struct repair *p)
{
    bool same = p->nedits == p->nvalid;
    for (uint32_t k = 0; same && k < p->nedits; k++)
        same = cupel__same_edit(&p->r, &p->edits[k], &p->valid[k]);
    return same;
}

/* Tries all n combinations until two different ones are valid.  REPAIRED: one is, in p->valid. */
static enum cupel_repair_result try_combinations(struct repair *p, uint32_t n, struct version *to)
{
    p->nvalid = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!select_combination(p, i))
            continue;
        enum cupel_verdict verdict = try_edits(p, p->edits, p->nedits, to, NULL);
        if (verdict == CUPEL_UNDECIDED)
            return CUPEL_REPAIR_UNDECIDED;
        if (verdict == CUPEL_INVALID || is_known_combination(p))
            continue;
        if (p->nvalid > 0)
            return CUPEL_REPAIR_AMBIGUOUS;
        p->nvalid = p->nedits;
        for (uint32_t k = 0; k < p->nedits; k++)
            p->valid[k] = p->edits[k];
    }
    return p->nvalid == 0 ? CUPEL_REPAIR_IMPOSSIBLE : CUPEL_REPAIRED;
}

/* Copies to p->edits the edits of p->valid but those that `dropped` marks. */
static void leave_out(struct repair *p, const bool *dropped)
{
    p->nedits = 0;
    for (uint32_t k = 0; k < p->nvalid; k++)
        if (!dropped[k])
            p->edits[p->nedits++] = p->valid[k];
}

/* Drops from the valid combination the edits that it does not need.  AMBIGUOUS if one of two could
 * be dropped and not both. */
static enum cupel_repair_result drop_needless(struct repair *p, struct version *to)
{
    bool needless[MAX_EDITS] = {false};
    for (uint32_t i = 0; i < p->nvalid && p->nvalid > 1; i++) {
        bool dropped[MAX_EDITS] = {false};
        dropped[i] = true;
        leave_out(p, dropped);
        enum cupel_verdict verdict = try_edits(p, p->edits, p->nedits, to, NULL);
        if (verdict == CUPEL_UNDECIDED)
            return CUPEL_REPAIR_UNDECIDED;
        needless[i] = verdict == CUPEL_VALID;
    }
    leave_out(p, needless);
    if (p->nedits == 0)
        return CUPEL_REPAIR_AMBIGUOUS;
    cupel_text_clear(&p->value);
    enum cupel_verdict verdict = try_edits(p, p->edits, p->nedits, to, &p->value);
    if (verdict == CUPEL_UNDECIDED)
        return CUPEL_REPAIR_UNDECIDED;
    return verdict == CUPEL_VALID ? CUPEL_REPAIRED : CUPEL_REPAIR_AMBIGUOUS;
}

/* -- Rounds ------------------------------------------------------------------------------------ */

static void add_patch(struct repair *p)
{
    cupel_text_adds(&p->patch, p->patch.len > 0 && p->value.len > 0 ? "," : "");
    cupel_text_add(&p->patch, p->value.bytes, p->value.len);
}

/* Selects the only combination, or of its edits those of names, if it has some and others too. */
static void select_names_first(struct repair *p)
{
    bool value[MAX_EDITS];
    uint32_t values = 0;
    if (!select_combination(p, 0))
        p->nedits = 0;
    p->nvalid = p->nedits;
    for (uint32_t k = 0; k < p->nedits; k++) {
        p->valid[k] = p->edits[k];
        value[k] = p->edits[k].kind != EDIT_RENAME;
        values += value[k];
    }
    if (values > 0 && values < p->nvalid)
        leave_out(p, value);
}

/* No combination is valid.  Applies the only one and goes on with its result. */
static enum cupel_repair_result go_on(struct repair *p, struct version *to, bool *ret_on)
{
    select_names_first(p);
    if (p->nedits == 0)
        return CUPEL_REPAIR_IMPOSSIBLE;
    cupel_text_clear(&p->value);
    enum cupel_verdict verdict = try_edits(p, p->edits, p->nedits, to, &p->value);
    *ret_on = verdict == CUPEL_INVALID && to->doc.doc.nnodes > 0;
    return verdict == CUPEL_UNDECIDED ? CUPEL_REPAIR_UNDECIDED : CUPEL_REPAIR_IMPOSSIBLE;
}

static enum cupel_repair_result run_combinations(struct repair *p, uint32_t n, struct version *to,
                                                 bool *ret_on)
{
    enum cupel_repair_result result = try_combinations(p, n, to);
    if (result == CUPEL_REPAIRED)
        result = drop_needless(p, to);
    if (result == CUPEL_REPAIR_IMPOSSIBLE && p->duplicates)
        return CUPEL_REPAIR_AMBIGUOUS;
    if (result == CUPEL_REPAIR_IMPOSSIBLE && n == 1)
        result = go_on(p, to, ret_on);
    if (result == CUPEL_REPAIRED || *ret_on)
        add_patch(p);
    return result;
}

/* One round: reports the problems of a value, tries the combinations, appends to the patch what it
 * keeps. *ret_on: there is one combination and its result needs another round. */
static enum cupel_repair_result run_round(struct repair *p, struct cupel_document *doc,
                                          uint32_t node, struct version *to, bool *ret_on)
{
    uint32_t n;
    *ret_on = false;
    begin_run(p);
    enum cupel_verdict verdict = cupel_report_run(p->program, p->r.s, doc, node, 0, &p->outcome);
    charge(p, p->outcome.steps);
    if (verdict != CUPEL_INVALID)
        return verdict == CUPEL_VALID ? CUPEL_REPAIR_NOT_NEEDED : CUPEL_REPAIR_UNDECIDED;
    p->r.code = p->r.s->code;
    p->r.doc = p->r.s->doc;
    enum cupel_repair_result result = find_candidates(p, &n);
    const struct cupel_scratch *s = p->r.s;
    charge(p, (uint64_t)(s->cursor_steps - (s->cursor->remaining > 0 ? s->cursor->remaining : 0)));
    if (p->value.failed) {
        p->outcome.reason = CUPEL_E_NO_MEMORY;
        return CUPEL_REPAIR_UNDECIDED;
    }
    if (result == CUPEL_REPAIR_UNDECIDED)
        p->outcome.reason = CUPEL_E_LIMIT_REPAIR;
    return result == CUPEL_REPAIRED ? run_combinations(p, n, to, ret_on) : result;
}

/* Runs rounds, each from the result of the one before; two versions alternate.  *ret: the last one.
 */
static enum cupel_repair_result run(struct repair *p, struct cupel_document *doc, uint32_t node,
                                    struct version versions[2], struct version **ret)
{
    enum cupel_repair_result result = CUPEL_REPAIR_IMPOSSIBLE;
    bool on = true;
    for (int round = 0; round < MAX_ROUNDS && on; round++) {
        struct version *to = &versions[round % 2];
        result = run_round(p, doc, node, to, &on);
        *ret = to;
        doc = &to->doc;
        node = 0;
    }
    if (on)
        p->outcome.reason = CUPEL_E_LIMIT_REPAIR;
    return on ? CUPEL_REPAIR_UNDECIDED : result;
}

static void init_version(struct version *v, const struct cupel_scratch *s)
{
    struct cupel_options options = s->options;
    options.flags &= ~(uint32_t)(CUPEL_INPUT_PADDED | CUPEL_ALLOW_DUPLICATE_KEYS);
    cupel__document_init(&v->doc, &options);
    cupel_text_init(&v->text, &s->options.alloc);
}

/* Everything that a repair allocates, or NULL without memory. */
static struct repair *new_repair(const struct cupel_program *program, struct cupel_scratch *s)
{
    struct repair *p = cupel__realloc(&s->options.alloc, NULL, 0, sizeof *p);
    if (p == NULL)
        return NULL;
    *p = (struct repair){.program = program, .r = {.s = s, .text = &p->value}};
    cupel_render_options_init(&p->options);
    p->r.options = &p->options;
    init_version(&p->versions[0], s);
    init_version(&p->versions[1], s);
    cupel_text_init(&p->patch, &s->options.alloc);
    cupel_text_init(&p->value, &s->options.alloc);
    return p;
}

/* Also drops the records in the scratch: they refer to versions that are freed here. */
static void free_repair(struct repair *p)
{
    struct cupel_scratch *s = p->r.s;
    s->norder = 0;
    s->log.nevents = 0;
    s->doc = &s->document.doc;
    s->node = 0;
    for (int i = 0; i < 2; i++) {
        cupel__doc_free(&p->versions[i].doc.doc);
        cupel_text_free(&p->versions[i].text);
    }
    cupel_text_free(&p->patch);
    cupel_text_free(&p->value);
    cupel__free(&s->options.alloc, p, sizeof *p);
}

/* Runs the rounds within a budget of their own; the scratch's limits are restored after them.  Sets
 * p->outcome and *ret_last, the version that the last round left. */
static enum cupel_repair_result run_within_budget(struct repair *p, struct cupel_document *doc,
                                                  uint32_t node, struct version **ret_last)
{
    struct cupel_scratch *s = p->r.s;
    const uint64_t steps = s->options.limits[CUPEL_LIMIT_STEPS];
    const uint64_t steps_per_byte = s->options.limits[CUPEL_LIMIT_STEPS_PER_BYTE];
    const struct cupel__doc *of = doc != NULL ? &doc->doc : &s->document.doc;
    p->left = (int64_t)(REPORTS * cupel__budget_of(s->options.limits, of));
    enum cupel_repair_result result = run(p, doc, node, p->versions, ret_last);
    s->options.limits[CUPEL_LIMIT_STEPS] = steps;
    s->options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = steps_per_byte;
    p->outcome.steps = p->used;
    if (!p->patch.failed)
        return result;
    p->outcome.reason = CUPEL_E_NO_MEMORY;
    return CUPEL_REPAIR_UNDECIDED;
}

static enum cupel_repair_result refuse(enum cupel_status reason, struct cupel_outcome *ret)
{
    if (ret != NULL)
        *ret = (struct cupel_outcome){.reason = reason};
    return CUPEL_REPAIR_UNDECIDED;
}

enum cupel_repair_result cupel_repair(const struct cupel_program *program, struct cupel_scratch *s,
                                      struct cupel_document *doc, uint32_t node,
                                      struct cupel_text *patch, struct cupel_text *repaired,
                                      struct cupel_outcome *ret)
{
    struct version *last = NULL;
    if (program == NULL || !cupel__scratch_is_free(s))
        return refuse(CUPEL_E_ARGUMENT, ret);
    struct repair *p = new_repair(program, s);
    if (p == NULL)
        return refuse(CUPEL_E_NO_MEMORY, ret);
    enum cupel_repair_result result = run_within_budget(p, doc, node, &last);
    if (result == CUPEL_REPAIRED && patch != NULL) {
        cupel_text_adds(patch, "[");
        cupel_text_add(patch, p->patch.bytes, p->patch.len);
        cupel_text_adds(patch, "]");
    }
    if (result == CUPEL_REPAIRED && repaired != NULL)
        cupel_text_add(repaired, last->text.bytes, last->text.len);
    if (ret != NULL)
        *ret = p->outcome;
    free_repair(p);
    return result;
}
