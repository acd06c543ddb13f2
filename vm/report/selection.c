/* selection.c: from the events of a report run to the list of problems.
 *
 * Every keyword that failed has an event.  Problems are the events a reader needs:
 *   - of a choice with a best-matching branch, the events of that branch instead of the choice;
 *   - of a tie, the choice alone;
 *   - of the same failure reached along several paths, the first.
 * INVALID always comes with at least one problem. */
#include "vm/report/selection.h"
#include "base/order.h"
#include "vm/report/best_branch.h"
#include "vm/report/location_text.h"

/* -- Order ----------------------------------------------------------------------------------------
 */

/* Document order: nodes are numbered in it; events of one value keep their own order. */
static bool comes_after(void *ctx, uint32_t a, uint32_t b)
{
    const struct cupel__log *log = ctx;
    uint32_t x = log->events[a].node, y = log->events[b].node;
    return x > y || (x == y && a > b);
}

/* The steps charged for sorting n events: n * (1 + log2 n). */
static int64_t sorting_steps(uint32_t n)
{
    int64_t steps = n;
    for (uint32_t m = n; m > 1; m /= 2)
        steps += n;
    return steps;
}

static bool is_sorted(const struct cupel__log *log, uint32_t n)
{
    uint32_t i = 1;
    while (i < n && log->events[i - 1].node <= log->events[i].node)
        i++;
    return i >= n;
}

enum cupel_status cupel__sort_events(struct cupel_scratch *s, uint32_t n)
{
    enum cupel_status status = cupel__scratch_order(s, n);
    if (status != CUPEL_OK)
        return status;
    for (uint32_t i = 0; i < n; i++)
        s->order[i] = i;
    bool sorted = is_sorted(&s->log, n);
    if (!cupel__report_charge(s, sorted ? n / 4 : sorting_steps(n)))
        return CUPEL_E_LIMIT_STEPS;
    if (!sorted)
        cupel__order_sort(s->order, n, comes_after, &s->log);
    return CUPEL_OK;
}

/* -- Selection ------------------------------------------------------------------------------------
 */

/* Whether an event is outside every branch that the choices around it leave out.  Choices come
 * before their branches in the events, so the one around this event has been selected already.
 * With a wrong tag both the choice (it names the allowed tags) and the failures of the branch
 * that the names of the members single out are reported, but not those of the tag itself. */
static bool is_reached(const struct cupel__log *log, uint32_t i)
{
    const struct cupel__event *e = &log->events[i];
    if (e->group == 0)
        return true;
    const struct cupel__event *around = &log->events[e->group - 1];
    bool wrong_tag = around->choice == CUPEL_CHOICE_NO_TAG;
    if (around->chosen != e->branch || (wrong_tag && e->node == around->tag))
        return false;
    return wrong_tag ? around->reported : around->replaced;
}

/* Marks the events that are reported and lists them in s->order. */
static void mark_reported(struct cupel_scratch *s)
{
    for (uint32_t i = 0; i < s->log.nevents; i++) {
        struct cupel__event *e = &s->log.events[i];
        bool reached = is_reached(&s->log, i);
        bool by_branch = e->chosen != CUPEL_NO_RECORD && e->choice != CUPEL_CHOICE_NO_TAG;
        e->replaced = reached && by_branch;
        e->reported = reached && !by_branch;
        if (e->reported)
            s->order[s->norder++] = i;
    }
    if (s->norder == 0 && s->log.nevents > 0)
        s->order[s->norder++] = 0; /* INVALID comes with a problem */
}

/* Removes from the sorted list what the same instruction reported of the same value along another
 * path.  Compares with the NEAREST problems of the value, so that many of one value stay linear.
 * Returns the number that is left; *steps grows by the work. */
static uint32_t drop_repeated(struct cupel__log *log, uint32_t *order, uint32_t n, int64_t *steps)
{
    enum { NEAREST = 64, COMPARED_A_STEP = 4 };
    uint32_t kept = 0, compared = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct cupel__event *e = &log->events[order[i]];
        bool repeated = false;
        for (uint32_t k = kept; k > 0 && kept - k < NEAREST && !repeated; k--) {
            const struct cupel__event *f = &log->events[order[k - 1]];
            if (f->node != e->node)
                break;
            repeated = f->pc == e->pc && f->which == e->which;
            compared++;
        }
        e->reported = !repeated;
        if (!repeated)
            order[kept++] = order[i];
    }
    *steps += compared / COMPARED_A_STEP;
    return kept;
}

enum cupel_status cupel__select_problems(struct cupel_scratch *s)
{
    s->norder = 0;
    enum cupel_status status = cupel__scratch_order(s, s->log.nevents);
    if (status != CUPEL_OK)
        return status;
    int64_t steps =
        cupel__find_best_branches(&s->vm, &s->log, s->code) + sorting_steps(s->log.nevents);
    mark_reported(s);
    cupel__order_sort(s->order, s->norder, comes_after, &s->log);
    s->norder = drop_repeated(&s->log, s->order, s->norder, &steps);
    cupel__report_charge(s, steps);
    return CUPEL_OK;
}
