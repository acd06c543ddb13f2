/* location_text.c: locations within a report's budget (location_text.h).
 *
 * The budget is `remaining` of the scratch's cursor, which charges its own moves as well. */
#include "vm/report/location_text.h"
#include <string.h>

/* MIN_BYTES: a report with a small bound still names a value in most documents. */
enum { MIN_BYTES = 256, BYTES_A_STEP = 4 };

enum cupel_status cupel__report_budget_begin(struct cupel_scratch *s, int64_t steps)
{
    const size_t size = cupel__cursor_size(s->doc->depth);
    enum cupel_status status = cupel__scratch_cursor(s, size);
    if (status != CUPEL_OK)
        return status;
    cupel__cursor_begin(s->cursor, size, s->doc, s->node, steps);
    s->cursor_steps = steps;
    return CUPEL_OK;
}

uint64_t cupel__report_budget_used(const struct cupel_scratch *s)
{
    const int64_t left = s->cursor->remaining > 0 ? s->cursor->remaining : 0;
    return (uint64_t)(s->cursor_steps - left);
}

bool cupel__report_charge(const struct cupel_scratch *s, int64_t steps)
{
    s->cursor->remaining -= steps;
    return s->cursor->remaining > 0;
}

size_t cupel__location_max_bytes(const struct cupel_scratch *s)
{
    const size_t bytes = s->options.limits[CUPEL_LIMIT_ERROR_BYTES];
    return bytes > MIN_BYTES ? bytes : MIN_BYTES;
}

/* Ends a pointer and charges the bytes written and the locations read for it. */
static void end(const struct cupel_scratch *s, struct cupel__pointer *to, int64_t looked)
{
    s->cursor->remaining -= looked + (int64_t)(to->n / BYTES_A_STEP) + 1;
    cupel__pointer_end(to);
}

void cupel__add_instance_location(const struct cupel_scratch *s, uint32_t node, size_t max,
                                  struct cupel_text *text)
{
    struct cupel__pointer to = {.text = text, .max = max};
    cupel__cursor_pointer(s->cursor, node, &to);
    end(s, &to, 0);
}

void cupel__add_schema_location(const struct cupel_scratch *s, uint32_t loc, size_t max,
                                struct cupel_text *text)
{
    struct cupel__pointer to = {.text = text, .max = max, .cut = s->cursor->remaining <= 0};
    end(s, &to, cupel__loc_pointer(s->code, loc, &to));
}

void cupel__add_absolute_location(const struct cupel_scratch *s, uint32_t loc, const char *base,
                                  size_t max, struct cupel_text *text)
{
    struct cupel__pointer to = {.text = text, .max = max, .cut = s->cursor->remaining <= 0};
    end(s, &to, cupel__loc_uri(s->code, loc, base, &to));
}

void cupel__add_evaluation_path(const struct cupel_scratch *s, const struct cupel__event *e,
                                size_t max, struct cupel_text *text)
{
    struct cupel__pointer to = {.text = text, .max = max, .cut = s->cursor->remaining <= 0};
    end(s, &to, cupel__loc_evaluation(s->code, s->log.paths, e, &to));
}
