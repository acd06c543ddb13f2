/* annotations.c: the annotations of a run, one event each.
 *
 * The report loop keeps one note for all NOTE instructions that stand one after the other, with the
 * value that they were run on.  Which of them say something of a value of its type is found out
 * here, for who reads them. */
#include "vm/report/annotations.h"

/* The NOTE behind this one, or NULL. */
static const uint32_t *next_note(const uint32_t *pc)
{
    bool more = !(*pc & CUPEL__LAST) && CUPEL__WORD_OP(pc[2]) == CUPEL__OP_NOTE;
    return more ? pc + 2 : NULL;
}

/* Writes what a note stands for, where there is room given; how many that are. */
static uint32_t spread(const struct cupel__vm *vm, const struct cupel__note *note,
                       struct cupel__event *room)
{
    uint32_t n = 0;
    for (const uint32_t *pc = vm->code + note->pc; pc != NULL; pc = next_note(pc)) {
        if (!(CUPEL__WORD_B(*pc) >> vm->nodes[note->node].type & 1))
            continue;
        if (room != NULL)
            room[n] = (struct cupel__event){.pc = (uint32_t)(pc - vm->code),
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
    const size_t room = s->options.limits[CUPEL_LIMIT_SCRATCH_BYTES] / sizeof *vm->log->events;
    const uint64_t most = room < UINT32_MAX ? room : UINT32_MAX;
    uint64_t need = 0;
    uint32_t n = 0;
    for (size_t i = 0; i < vm->log->nnotes && need <= most; i++)
        need += spread(vm, &vm->log->notes[i], NULL);
    if (need > most)
        return CUPEL_E_LIMIT_MEMORY;
    enum cupel_status status = cupel__scratch_events(s, (uint32_t)need);
    if (status != CUPEL_OK)
        return status;
    for (size_t i = 0; i < vm->log->nnotes; i++)
        n += spread(vm, &vm->log->notes[i], &vm->log->events[n]);
    *ret_n = n;
    return CUPEL_OK;
}
