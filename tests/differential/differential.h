/* differential.h: what the files of the differential test share besides generate.h and reference.h.
 */
#ifndef CUPEL_TESTS_DIFFERENTIAL_H
#define CUPEL_TESTS_DIFFERENTIAL_H

#include <cupel/cupel.h>
#include <stdbool.h>

/* Whether a text still shows what it is shrunk for. */
typedef bool shrink_keeps(void *ctx, const struct cupel_text *text);

/* Makes a JSON text smaller, a member, an item or a level at a time, as long as `keeps` says so. */
void shrink(struct cupel_text *text, shrink_keeps *keeps, void *ctx);

#endif
