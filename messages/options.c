/* options.c: defaults of struct cupel_render_options, and which options are refused. */
#include "base/options.h"
#include "messages/render.h"

/* The size of each released version of the struct (base/options.h). */
static const size_t render_sizes[] = {
#ifdef CUPEL_OLDER_STRUCTS_TEST
    offsetof(struct cupel_render_options, bytes), /* tests/api/growth.c */
#endif
    sizeof(struct cupel_render_options)};

static const struct cupel_render_options render_defaults = {
    .size = sizeof render_defaults, .file = "-", .line = 1, .base = "urn:cupel:schema"};

void cupel_render_options_init_sized(struct cupel_render_options *options, size_t size)
{
    cupel__struct_init(options, size, &render_defaults, sizeof render_defaults);
}

bool cupel__render_options_copy(const struct cupel_render_options *given,
                                struct cupel_render_options *ret)
{
    const uint32_t flags = CUPEL_SHOW_VALUES | CUPEL_OUTPUT_RESULT | CUPEL_DOCUMENT;
    *ret = render_defaults;
    if (given == NULL)
        return true;
    return cupel__struct_copy(ret, given, render_sizes,
                              sizeof render_sizes / sizeof *render_sizes) &&
           (ret->flags & ~flags) == 0;
}
