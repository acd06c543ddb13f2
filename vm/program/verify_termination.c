/* verify_termination.c: every run of a program ends.
 *
 * A schema for a child of the value ends because an instance is finite.  A sequence ends because
 * labels lead forward.  So a run can only fail to end if a schema applies itself to the same value
 * again.  This file searches the graph whose nodes are instructions and whose edges lead to the
 * next instruction, to each label, and to each schema for the same value (kinds inplace, branches,
 * targets).  It refuses a cycle.  The longest path, counted in schemas, bounds the frames that one
 * value needs.  docs/verifier.md has the proof, with the cases of EITHER and DYNAMIC. */
#include "vm/program/verify.h"
#include <string.h>

/* The state of a node in depth-first search: not visited, on the stack, done. */
enum { WHITE, GREY, BLACK };

/* The search follows at most this many edges and one for each byte of the image.  The images of the
 * compiler need fewer: it shares no list between instructions, so a word is at most one edge, and
 * each edge is examined at most twice. */
enum { EDGES = 4096 };

struct step {
    uint32_t pc, edge;
};

struct search {
    struct verifier *v;
    struct step *stack;
    uint32_t *depth; /* of black nodes: frames on the longest path from there */
    uint8_t *color;
    uint64_t edges_left; /* instructions of a hostile image may share lists, which would take
                            quadratic time */
};

/* Edge `e` of the instruction at `pc`: its target, 0 if there is no instruction, and whether it
 * takes a new frame (1 or 0).  False if the instruction has no edge `e`. */
static bool edge_of(const struct verifier *v, uint32_t pc, uint32_t e, uint32_t *ret_target,
                    uint32_t *ret_frame)
{
    uint32_t word = v->code[pc];
    const struct cupel__op_info *info = &cupel__op_info[CUPEL__WORD_OP(word)];
    *ret_frame = 0;
    if (e == 0) {
        bool on = info->flow != CUPEL__FLOW_JUMP && !(word & CUPEL__LAST);
        *ret_target = on ? pc + info->words : 0;
        return true;
    }
    e--;
    for (uint32_t i = 2; i < 1u + info->words; i++) {
        enum cupel__operand kind = info->operand[i];
        bool frames = kind == CUPEL__OPERAND_branches || kind == CUPEL__OPERAND_targets;
        uint32_t n = kind == CUPEL__OPERAND_label || kind == CUPEL__OPERAND_inplace;
        const uint32_t *item = &v->code[pc + i - 1];
        if (kind == CUPEL__OPERAND_labels || frames) {
            const struct cupel__list *list = cupel__image_list(v->image, *item);
            n = list->count;
            item = list->item;
        }
        if (e < n) {
            bool frame = kind == CUPEL__OPERAND_inplace || frames;
            *ret_target = frame ? CUPEL__SUB_PC(item[e]) : item[e];
            *ret_frame = frame;
            return true;
        }
        e -= n;
    }
    return false;
}

/* Depth-first search from one instruction, with an explicit stack. */
static enum cupel_status visit(struct search *w, uint32_t start)
{
    struct verifier *v = w->v;
    size_t n = 1;
    w->stack[0] = (struct step){start, 0};
    w->color[start] = GREY;
    while (n > 0) {
        struct step *top = &w->stack[n - 1];
        uint32_t target, frame;
        if (!edge_of(v, top->pc, top->edge, &target, &frame)) {
            w->color[top->pc] = BLACK;
            n--;
            continue;
        }
        if (w->edges_left-- == 0)
            return cupel__refuse(v, "too many references", top->pc);
        if (target != 0 && w->color[target] == GREY)
            return cupel__refuse(v, "schema that applies itself", top->pc);
        if (target != 0 && w->color[target] == WHITE) {
            w->color[target] = GREY;
            w->stack[n++] = (struct step){target, 0};
            continue; /* examines the edge again when the target is black */
        }
        uint32_t depth = (target != 0 ? w->depth[target] : 0) + frame;
        if (w->depth[top->pc] < depth)
            w->depth[top->pc] = depth;
        top->edge++;
    }
    return CUPEL_OK;
}

static enum cupel_status visit_all(struct search *w)
{
    struct verifier *v = w->v;
    for (uint32_t pc = 1; pc < v->ncode; pc++) {
        if (!(v->flow[pc] & STARTS))
            continue;
        enum cupel_status s = w->color[pc] == WHITE ? visit(w, pc) : CUPEL_OK;
        if (s != CUPEL_OK)
            return s;
        if (v->facts.max_inplace < w->depth[pc])
            v->facts.max_inplace = w->depth[pc];
    }
    return CUPEL_OK;
}

enum cupel_status cupel__verify_ends(struct verifier *v)
{
    size_t each = sizeof(struct step) + sizeof(uint32_t) + sizeof(uint8_t);
    size_t size = each * v->ncode;
    char *memory = cupel__realloc(&v->alloc, NULL, 0, size);
    if (memory == NULL)
        return cupel__verify_no_memory(v);
    memset(memory, 0, size);
    struct search w = {.v = v, .stack = (struct step *)memory};
    w.depth = (uint32_t *)(w.stack + v->ncode);
    w.color = (uint8_t *)(w.depth + v->ncode);
    w.edges_left = EDGES + (uint64_t)v->image->size;
    enum cupel_status s = visit_all(&w);
    cupel__free(&v->alloc, memory, size);
    return s;
}
