/* order.h: sorting indices by a comparison with a context. */
#ifndef CUPEL_BASE_ORDER_H
#define CUPEL_BASE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether element `a` comes after element `b`.  A strict order: never true both ways. */
typedef bool cupel__comes_after(void *ctx, uint32_t a, uint32_t b);

/* Sorts the n indices of `order`.  A heapsort: in place, O(n log n) comparisons for every input. */
void cupel__order_sort(uint32_t *order, uint32_t n, cupel__comes_after *comes_after, void *ctx);

#endif
