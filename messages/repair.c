/* repair.c: repairs an invalid instance if exactly one combination of edits makes it valid.
 *
 * Each problem has candidate edits (edit_find.c); a combination takes one of them for each problem.
 * Every combination is applied to the text and the result validated.  One that is valid: repaired.
 * Two: ambiguous, nothing is guessed.  If the only combination there is leaves problems that were
 * hidden before (inside a string that was parsed, say), another round starts from its result.
 *
 * Reports, texts and validations of all rounds share one budget of steps: REPORTS times that of a
 * run. */
#include "messages/edit.h"
#include <cupel/repair.h>

enum {
    MAX_ROUNDS = 4,
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
    struct edit edits[MAX_EDITS],
        valid[MAX_EDITS]; /* of the combination at hand; of the valid one */
    uint32_t nedits, nvalid;
    int64_t left;  /* steps that remain for all rounds */
    uint64_t used; /* steps used so far */
    struct cupel_outcome outcome;
};

const char *cupel_repair_name(enum cupel_repair_result result)
{
    static const char *const names[] = {"repaired", "not-needed", "impossible", "ambiguous",
                                        "undecided"};
    return (size_t)result < sizeof names / sizeof *names ? names[result] : "?";
}

/* -- Combinations ------------------------------------------------------------------------------ */

/* Finds the candidates of each problem and counts the combinations.  False if a problem has none,
 * or there are more problems than edits allow or records were kept. */
static bool find_candidates(struct repair *p, uint32_t *ret_n)
{
    const struct cupel_scratch *s = p->r.s;
    uint32_t combinations = 1;
    p->nproblems = 0;
    if (s->norder > MAX_EDITS || s->log.events_lost > 0)
        return false;
    for (uint32_t i = 0; i < s->norder; i++) {
        struct candidates *found = &p->candidates[p->nproblems++];
        cupel__find_edits(&p->r, cupel__event_of(&p->r, s->order[i]), found);
        if (found->n == 0)
            return false;
        combinations = combinations > MAX_COMBINATIONS || found->more ? MAX_COMBINATIONS + 1
                                                                      : combinations * found->n;
    }
    *ret_n = combinations;
    return true;
}

static bool same_name(const struct render *r, const struct edit *a, const struct edit *b)
{
    char x[16], y[16];
    return cupel__str_eq(cupel__edit_name(r, a, x), cupel__edit_name(r, b, y));
}

/* Whether two edits exclude each other: they change the same key or value, or add the same member.
 */
static bool clash(const struct render *r, const struct edit *a, const struct edit *b)
{
    if (a->node != b->node)
        return false;
    if (a->kind != EDIT_DEFAULT || b->kind != EDIT_DEFAULT)
        return true;
    return same_name(r, a, b);
}

/* Whether two problems want the same change: a missing member and an undeclared one may want the
 * same renaming, with the name from two tables. */
static bool is_same_change(const struct render *r, const struct edit *a, const struct edit *b)
{
    if (cupel__same_edit(a, b))
        return true;
    return a->kind == EDIT_RENAME && b->kind == EDIT_RENAME && a->node == b->node &&
           same_name(r, a, b);
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
            present = is_same_change(&p->r, &p->edits[k], e);
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

/* Applies the combination at hand and validates the result, which is left in `to`; writes the
 * operations to `patch` unless it is NULL.  UNDECIDED with p->outcome.reason. */
static enum cupel_verdict try_combination(struct repair *p, struct version *to,
                                          struct cupel_text *patch)
{
    cupel_text_clear(&to->text);
    bool whole = cupel__apply_edits(&p->r, p->edits, p->nedits, &to->text, patch);
    charge(p, STEPS_A_COMBINATION + to->text.len / BYTES_A_STEP);
    if (to->text.failed || (patch != NULL && patch->failed)) {
        p->outcome.reason = CUPEL_E_NO_MEMORY;
        return CUPEL_UNDECIDED;
    }
    if (!whole || p->left <= 0) {
        p->outcome.reason = whole ? CUPEL_E_LIMIT_STEPS : CUPEL_E_LIMIT_MEMORY;
        return CUPEL_UNDECIDED;
    }
    p->outcome.reason = cupel_document_read(&to->doc, to->text.bytes, to->text.len, NULL);
    if (p->outcome.reason == CUPEL_E_NO_MEMORY)
        return CUPEL_UNDECIDED;
    if (p->outcome.reason != CUPEL_OK)
        return CUPEL_INVALID; /* two members of one name, or a limit of the reader */
    begin_run(p);
    enum cupel_verdict verdict = cupel_validate_node(p->program, p->r.s, &to->doc, 0, &p->outcome);
    charge(p, p->outcome.steps);
    return verdict;
}

/* Tries all n combinations until two different ones are valid.  If one is, leaves its result in
 * `to` and its operations in p->value. */
static enum cupel_repair_result try_combinations(struct repair *p, uint32_t n, struct version *to)
{
    uint32_t nvalid = 0, last = 0;
    for (uint32_t i = 0; i < n && nvalid < 2; i++) {
        if (!select_combination(p, i))
            continue;
        enum cupel_verdict verdict = try_combination(p, to, NULL);
        if (verdict == CUPEL_UNDECIDED)
            return CUPEL_REPAIR_UNDECIDED;
        bool same = nvalid == 1 && p->nedits == p->nvalid;
        for (uint32_t k = 0; same && k < p->nedits; k++)
            same = is_same_change(&p->r, &p->edits[k], &p->valid[k]);
        if (verdict == CUPEL_VALID && !same) {
            nvalid++;
            last = i;
            p->nvalid = p->nedits;
            for (uint32_t k = 0; k < p->nedits; k++)
                p->valid[k] = p->edits[k];
        }
    }
    if (nvalid != 1)
        return nvalid == 0 ? CUPEL_REPAIR_IMPOSSIBLE : CUPEL_REPAIR_AMBIGUOUS;
    cupel_text_clear(&p->value);
    if (!select_combination(p, last) || try_combination(p, to, &p->value) != CUPEL_VALID)
        return CUPEL_REPAIR_UNDECIDED;
    return CUPEL_REPAIRED;
}

/* -- Rounds ------------------------------------------------------------------------------------ */

static void add_patch(struct repair *p)
{
    cupel_text_adds(&p->patch, p->patch.len > 0 && p->value.len > 0 ? "," : "");
    cupel_text_add(&p->patch, p->value.bytes, p->value.len);
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
    bool found = find_candidates(p, &n);
    if (p->value.failed) {
        p->outcome.reason = CUPEL_E_NO_MEMORY;
        return CUPEL_REPAIR_UNDECIDED;
    }
    if (!found)
        return CUPEL_REPAIR_IMPOSSIBLE;
    if (n > MAX_COMBINATIONS)
        return CUPEL_REPAIR_AMBIGUOUS;
    enum cupel_repair_result result = try_combinations(p, n, to);
    if (result == CUPEL_REPAIR_IMPOSSIBLE && n == 1 && select_combination(p, 0)) {
        cupel_text_clear(&p->value);
        verdict = try_combination(p, to, &p->value);
        *ret_on = verdict == CUPEL_INVALID && to->doc.doc.nnodes > 0;
        if (verdict == CUPEL_UNDECIDED)
            return CUPEL_REPAIR_UNDECIDED;
    }
    if (result == CUPEL_REPAIRED || *ret_on)
        add_patch(p);
    return result;
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
    return result;
}

static void init_version(struct version *v, const struct cupel_scratch *s)
{
    struct cupel_options options = s->options;
    options.flags &= ~(uint32_t)CUPEL_INPUT_PADDED;
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
