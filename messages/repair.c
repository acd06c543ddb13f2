/* repair.c: readings of an invalid instance, tried one by one.
 *
 * Each problem has its ways of being mended (edit_find.c); a reading takes one of them for each.  A
 * reading is applied to the text and judged again.  Where there is one reading and it leaves
 * problems that were hidden before (inside a string that was read, say), those are mended in
 * another round. */
#include "messages/edit.h"
#include <cupel/repair.h>

enum { MAX_ROUNDS = 4, MAX_READINGS = 64, BYTES_A_STEP = 4, STEPS_A_READING = 64, REPORTS = 2 };

/* One version of the instance. */
struct version {
    struct cupel_document doc;
    struct cupel_text text; /* what the document holds */
};

struct repair {
    const struct cupel_program *program;
    struct render r;
    struct cupel_text patch, value; /* so far; of the reading at hand */
    struct ways ways[MAX_EDITS];
    uint32_t nways;
    struct edit edits[MAX_EDITS], found[MAX_EDITS];
    uint32_t nedits, nfound;
    int64_t left;  /* steps for all rounds */
    uint64_t used; /* … that have been used */
    struct cupel_outcome outcome;
};

const char *cupel_repair_name(enum cupel_repair_result result)
{
    static const char *const names[] = {"repaired", "not-needed", "impossible", "ambiguous",
                                        "undecided"};
    return (size_t)result < sizeof names / sizeof *names ? names[result] : "?";
}

/* -- Readings ---------------------------------------------------------------------------------- */

/* The ways of each problem; false if one has none, or there are too many. */
static bool find_all_ways(struct repair *p, uint32_t *ret_readings)
{
    const struct cupel_scratch *s = p->r.s;
    uint32_t readings = 1;
    p->nways = 0;
    if (s->norder > MAX_EDITS || s->log.events_lost > 0)
        return false;
    for (uint32_t i = 0; i < s->norder; i++) {
        struct ways *ways = &p->ways[p->nways++];
        cupel__find_edits(&p->r, cupel__event_of(&p->r, s->order[i]), ways);
        if (ways->n == 0)
            return false;
        readings = readings > MAX_READINGS || ways->more ? MAX_READINGS + 1 : readings * ways->n;
    }
    *ret_readings = readings;
    return true;
}

/* Whether two edits change the same thing: a name, a value, the member that an object gets. */
static bool clash(const struct render *r, const struct edit *a, const struct edit *b)
{
    char x[16], y[16];
    if (a->node != b->node)
        return false;
    if (a->kind != EDIT_DEFAULT || b->kind != EDIT_DEFAULT)
        return true;
    const struct cupel__table *t = cupel__at(r->code->image, a->table);
    const struct cupel__table *u = cupel__at(r->code->image, b->table);
    return cupel__str_eq(
        cupel__entry_name(r->code->image, t, &cupel__table_entries(t)[a->entry], x),
        cupel__entry_name(r->code->image, u, &cupel__table_entries(u)[b->entry], y));
}

/* The same edit is wanted by two problems: a member that is missing and one that is not known, say.
 * Their names may stand in different tables. */
static bool is_same_change(const struct render *r, const struct edit *a, const struct edit *b)
{
    char x[16], y[16];
    if (cupel__same_edit(a, b))
        return true;
    if (a->kind != b->kind || a->node != b->node || a->kind != EDIT_RENAME)
        return false;
    const struct cupel__table *t = cupel__at(r->code->image, a->table);
    const struct cupel__table *u = cupel__at(r->code->image, b->table);
    return cupel__str_eq(
        cupel__entry_name(r->code->image, t, &cupel__table_entries(t)[a->entry], x),
        cupel__entry_name(r->code->image, u, &cupel__table_entries(u)[b->entry], y));
}

/* Takes reading number `n`; false if two of its edits exclude each other. */
static bool take_reading(struct repair *p, uint32_t n)
{
    p->nedits = 0;
    for (uint32_t i = 0; i < p->nways; i++) {
        const struct edit *e = &p->ways[i].way[n % p->ways[i].n];
        bool there = false;
        n /= p->ways[i].n;
        for (uint32_t k = 0; k < p->nedits && !there; k++) {
            there = is_same_change(&p->r, &p->edits[k], e);
            if (!there && clash(&p->r, &p->edits[k], e))
                return false;
        }
        if (!there)
            p->edits[p->nedits++] = *e;
    }
    return true;
}

/* Every run takes its steps from those that are left for the repair, and so do the texts that are
 * made and read. */
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

/* Applies the reading at hand and judges the result. */
static enum cupel_verdict judge(struct repair *p, struct version *to, struct cupel_text *patch)
{
    cupel_text_clear(&to->text);
    bool whole = cupel__apply_edits(&p->r, p->edits, p->nedits, &to->text, patch);
    charge(p, STEPS_A_READING + to->text.len / BYTES_A_STEP);
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
        return CUPEL_INVALID; /* two members of one name, or a limit of reading */
    begin_run(p);
    enum cupel_verdict verdict = cupel_validate_node(p->program, p->r.s, &to->doc, 0, &p->outcome);
    charge(p, p->outcome.steps);
    return verdict;
}

/* Tries every reading.  Leaves the one that fits in `to` and its patch in p->value. */
static enum cupel_repair_result try_readings(struct repair *p, uint32_t readings,
                                             struct version *to)
{
    uint32_t fits = 0, last = 0;
    for (uint32_t i = 0; i < readings && fits < 2; i++) {
        if (!take_reading(p, i))
            continue;
        enum cupel_verdict verdict = judge(p, to, NULL);
        if (verdict == CUPEL_UNDECIDED)
            return CUPEL_REPAIR_UNDECIDED;
        bool again = fits == 1 && p->nedits == p->nfound;
        for (uint32_t k = 0; again && k < p->nedits; k++)
            again = is_same_change(&p->r, &p->edits[k], &p->found[k]);
        if (verdict == CUPEL_VALID && !again) {
            fits++;
            last = i;
            p->nfound = p->nedits;
            for (uint32_t k = 0; k < p->nedits; k++)
                p->found[k] = p->edits[k];
        }
    }
    if (fits != 1)
        return fits == 0 ? CUPEL_REPAIR_IMPOSSIBLE : CUPEL_REPAIR_AMBIGUOUS;
    cupel_text_clear(&p->value);
    if (!take_reading(p, last) || judge(p, to, &p->value) != CUPEL_VALID)
        return CUPEL_REPAIR_UNDECIDED;
    return CUPEL_REPAIRED;
}

/* -- Rounds ------------------------------------------------------------------------------------ */

static void add_patch(struct repair *p)
{
    cupel_text_adds(&p->patch, p->patch.len > 0 && p->value.len > 0 ? "," : "");
    cupel_text_add(&p->patch, p->value.bytes, p->value.len);
}

/* One round from the version at hand; *ret_on: there is one reading and it needs another round. */
static enum cupel_repair_result run_round(struct repair *p, struct cupel_document *doc,
                                          uint32_t node, struct version *to, bool *ret_on)
{
    uint32_t readings;
    *ret_on = false;
    begin_run(p);
    enum cupel_verdict verdict = cupel_report_run(p->program, p->r.s, doc, node, 0, &p->outcome);
    charge(p, p->outcome.steps);
    if (verdict != CUPEL_INVALID)
        return verdict == CUPEL_VALID ? CUPEL_REPAIR_NOT_NEEDED : CUPEL_REPAIR_UNDECIDED;
    p->r.code = p->r.s->code;
    p->r.doc = p->r.s->doc;
    bool found = find_all_ways(p, &readings);
    if (p->value.failed) {
        p->outcome.reason = CUPEL_E_NO_MEMORY;
        return CUPEL_REPAIR_UNDECIDED;
    }
    if (!found)
        return CUPEL_REPAIR_IMPOSSIBLE;
    if (readings > MAX_READINGS)
        return CUPEL_REPAIR_AMBIGUOUS;
    enum cupel_repair_result result = try_readings(p, readings, to);
    if (result == CUPEL_REPAIR_IMPOSSIBLE && readings == 1 && take_reading(p, 0)) {
        cupel_text_clear(&p->value);
        verdict = judge(p, to, &p->value);
        *ret_on = verdict == CUPEL_INVALID && to->doc.doc.nnodes > 0;
        if (verdict == CUPEL_UNDECIDED)
            return CUPEL_REPAIR_UNDECIDED;
    }
    if (result == CUPEL_REPAIRED || *ret_on)
        add_patch(p);
    return result;
}

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

/* The records that are left are those of versions that are gone. */
static void forget(struct cupel_scratch *s)
{
    s->norder = 0;
    s->log.nevents = 0;
    s->doc = &s->document.doc;
    s->node = 0;
}

enum cupel_repair_result cupel_repair(const struct cupel_program *program, struct cupel_scratch *s,
                                      struct cupel_document *doc, uint32_t node,
                                      struct cupel_text *patch, struct cupel_text *repaired,
                                      struct cupel_outcome *ret)
{
    struct version versions[2], *last = &versions[0];
    struct cupel_render_options options;
    enum cupel_repair_result result = CUPEL_REPAIR_UNDECIDED;
    if (program == NULL || !cupel__scratch_is_free(s)) {
        if (ret != NULL)
            *ret = (struct cupel_outcome){.reason = CUPEL_E_ARGUMENT};
        return result;
    }
    struct repair *p = cupel__realloc(&s->options.alloc, NULL, 0, sizeof *p);
    if (p == NULL) {
        if (ret != NULL)
            *ret = (struct cupel_outcome){.reason = CUPEL_E_NO_MEMORY};
        return result;
    }
    cupel_render_options_init(&options);
    *p = (struct repair){.program = program, .r = {.s = s, .options = &options}};
    init_version(&versions[0], s);
    init_version(&versions[1], s);
    cupel_text_init(&p->patch, &s->options.alloc);
    cupel_text_init(&p->value, &s->options.alloc);
    p->r.text = &p->value;
    const uint64_t steps = s->options.limits[CUPEL_LIMIT_STEPS];
    const uint64_t steps_per_byte = s->options.limits[CUPEL_LIMIT_STEPS_PER_BYTE];
    p->left = (int64_t)(REPORTS * cupel__budget_of(s->options.limits,
                                                   doc != NULL ? &doc->doc : &s->document.doc));
    result = run(p, doc, node, versions, &last);
    s->options.limits[CUPEL_LIMIT_STEPS] = steps;
    s->options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = steps_per_byte;
    p->outcome.steps = p->used;
    if (p->patch.failed) {
        result = CUPEL_REPAIR_UNDECIDED;
        p->outcome.reason = CUPEL_E_NO_MEMORY;
    }
    if (result == CUPEL_REPAIRED && patch != NULL) {
        cupel_text_adds(patch, "[");
        cupel_text_add(patch, p->patch.bytes, p->patch.len);
        cupel_text_adds(patch, "]");
    }
    if (result == CUPEL_REPAIRED && repaired != NULL)
        cupel_text_add(repaired, last->text.bytes, last->text.len);
    if (ret != NULL)
        *ret = p->outcome;
    forget(s);
    for (int i = 0; i < 2; i++) {
        cupel__doc_free(&versions[i].doc.doc);
        cupel_text_free(&versions[i].text);
    }
    cupel_text_free(&p->patch);
    cupel_text_free(&p->value);
    cupel__free(&s->options.alloc, p, sizeof *p);
    return result;
}
