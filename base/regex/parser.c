/* parser.c: operations on the state of a parse: failures, new nodes, arrays in the arena, the next
 * code point of the pattern. */
#include "base/regex/parser.h"
#include "base/always.h"
#include "base/utf8.h"

#include <string.h>

bool cupel__regex_fail(struct cupel__regex_parser *ps, const char *where, const char *problem)
{
    if (ps->status == CUPEL_OK) {
        ps->status = CUPEL_E_PATTERN;
        ps->where = where;
        ps->problem = problem;
    }
    return false;
}

bool cupel__regex_no_memory(struct cupel__regex_parser *ps)
{
    ps->status = CUPEL_E_NO_MEMORY;
    return false;
}

struct cupel__regex_node *cupel__regex_node_new(struct cupel__regex_parser *ps,
                                                enum cupel__regex_kind kind)
{
    struct cupel__regex_node *node = cupel__arena_alloc(ps->arena, sizeof(*node));
    if (node == NULL) {
        cupel__regex_no_memory(ps);
        return NULL;
    }
    node->kind = kind;
    node->states = 1;
    return node;
}

void cupel__regex_list_add(struct cupel__regex_list *list, struct cupel__regex_node *node)
{
    if (list->first == NULL)
        list->first = node;
    else
        list->last->next = node;
    list->last = node;
    list->n++;
}

bool cupel__regex_reserve(struct cupel__regex_parser *ps, void **array, uint32_t *cap,
                          uint32_t used, size_t size)
{
    if (used < *cap)
        return true;
    uint32_t want = *cap == 0 ? 16 : *cap * 2;
    void *p = ALWAYS(want > *cap) ? cupel__arena_array(ps->arena, want, size) : NULL;
    if (p == NULL)
        return cupel__regex_no_memory(ps);
    /* *array has the type of a pointer to elements; memcpy avoids access through another type. */
    void *old;
    memcpy(&old, (const void *)array, sizeof(old));
    if (used > 0)
        memcpy(p, old, used * size);
    memcpy((void *)array, &p, sizeof(p));
    *cap = want;
    return true;
}

bool cupel__regex_next(struct cupel__regex_parser *ps, uint32_t *ret_cp)
{
    unsigned n = cupel__utf8_decode(ps->p, ps->end, ret_cp);
    if (n == 0)
        return cupel__regex_fail(ps, ps->p, "the pattern is not UTF-8");
    ps->p += n;
    return true;
}
