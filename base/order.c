/* order.c: heapsort of indices (order.h). */
#include "base/order.h"

static void swap(uint32_t *order, uint32_t a, uint32_t b)
{
    uint32_t t = order[a];
    order[a] = order[b];
    order[b] = t;
}

/* Moves element i down the heap of n elements until no child comes after it. */
static void sift_down(uint32_t *order, uint32_t i, uint32_t n, cupel__comes_after *comes_after,
                      void *ctx)
{
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && comes_after(ctx, order[child + 1], order[child]))
            child++;
        if (!comes_after(ctx, order[child], order[i]))
            return;
        swap(order, i, child);
    }
}

void cupel__order_sort(uint32_t *order, uint32_t n, cupel__comes_after *comes_after, void *ctx)
{
    for (uint32_t i = n / 2; i-- > 0;)
        sift_down(order, i, n, comes_after, ctx);
    for (uint32_t end = n; end-- > 1;) {
        swap(order, 0, end);
        sift_down(order, 0, end, comes_after, ctx);
    }
}
