/* annotations.c: notes of a run, expanded to one event per annotation (annotations.h).
 *
 * A note is the first of adjacent NOTE instructions and the value they ran on.  Most runs never
 * read them, so filtering by the value's type waits until here. */
#include "vm/report/annotations.h"

/* The NOTE that follows this one, or NULL. */
static const uint32_t *next_note(const uint32_t *pc)
{
    bool more = !(*pc & CUPEL__LAST) && CUPEL__WORD_OP(pc[2]) == CUPEL__OP_NOTE;
    return more ? pc + 2 : NULL;
}

/* Writes the annotations of a note to `out` unless it is NULL; returns their number. */
static uint32_t expand(const struct cupel__vm *vm, const struct cupel__note *note,
                       struct cupel__event *out)
{
    uint32_t n = 0;
    for (const uint32_t *pc = vm->code + note->pc; pc != NULL; pc = next_note(pc)) {
        if (!(CUPEL__WORD_B(*pc) >> vm->nodes[note->node].type & 1))
            continue;
        if (out != NULL)
            out[n] = (struct cupel__event){.pc = (uint32_t)(pc - vm->code),
                                           .node = note->node,
                                           .which = pc[1],
                                           .path = note->path};
        n++;
    }
    return n;
}

enum cupel_status cupel__annotations_expand(struct cupel_scratch *s, uint32_t *ret_n)
{
    const struct cupel__vm *vm = &s->vm;
    const size_t capacity = s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES] / sizeof *s->log.events;
    const uint64_t max = capacity < UINT32_MAX ? capacity : UINT32_MAX;
    uint64_t need = 0;
    uint32_t n = 0;
    for (size_t i = 0; i < s->log.nnotes && need <= max; i++)
        need += expand(vm, &s->log.notes[i], NULL);
    if (need > max)
        return CUPEL_E_LIMIT_MEMORY;
    enum cupel_status status = cupel__scratch_events(s, (uint32_t)need);
    if (status != CUPEL_OK)
        return status;
    for (size_t i = 0; i < s->log.nnotes; i++)
        n += expand(vm, &s->log.notes[i], &s->log.events[n]);
    *ret_n = n;
    return CUPEL_OK;
}
