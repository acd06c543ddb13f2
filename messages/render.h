/* render.h: a rendering in progress, and what several renderings write.
 *
 * Everything here concerns the scratch's last report run.  Functions append to r->text; when memory
 * runs out they set its `failed` and go on, and cupel_render() checks it at the end. */
#ifndef CUPEL_MESSAGES_RENDER_H
#define CUPEL_MESSAGES_RENDER_H

#include "base/escape.h"
#include "vm/report/location.h"
#include "vm/report/location_text.h"
#include "vm/report/problem.h"
#include "vm/report/schema_iter.h"
#include "vm/run/scratch.h"
#include <cupel/messages.h>

struct render {
    struct cupel_scratch *s;
    const struct cupel__code *code;
    struct cupel__doc *doc;
    const struct cupel_render_options *options;
    struct cupel_text *text;
    size_t start;    /* where this rendering begins in the text */
    bool valid;      /* the verdict */
    bool traced;     /* VERBOSE: the events are all instructions that ran */
    bool people;     /* the words are those for people and programs, not for models */
    bool frames;     /* the rendering shows lines of the document, so a text may repeat values */
    uint32_t nunits; /* the events that the standard's formats list: failures, or annotations */
};

/* -- The renderings ------------------------------------------------------------------------------
 */

void cupel__render_model(struct render *);
void cupel__render_tool_result(struct render *);
void cupel__render_human(struct render *);
void cupel__render_json(struct render *);
void cupel__render_github(struct render *);
void cupel__render_sarif(struct render *);
void cupel__render_junit(struct render *);
void cupel__render_flag(struct render *);
void cupel__render_basic(struct render *);
void cupel__render_detailed(struct render *);
void cupel__render_verbose(struct render *);
void cupel__render_list(struct render *);
void cupel__render_hierarchical(struct render *);

/* Copies options, NULL being the defaults.  False if they are refused: not initialized, or with a
 * flag that this version does not know. */
bool cupel__render_options_copy(const struct cupel_render_options *given,
                                struct cupel_render_options *ret);

/* -- Parts (parts.c) -----------------------------------------------------------------------------
 */

/* The node whose position a problem has: the key of a property that is not allowed, otherwise the
 * value. */
uint32_t cupel__shown_node(const struct render *, const struct cupel__event *);
/* Line and column of a node in its file, counted from 1, columns in code points. */
void cupel__source_position(const struct render *, uint32_t node, uint32_t *ret_line,
                            uint32_t *ret_column);
/* Appends "FILE:LINE:COLUMN" of a location in the schema, or nothing if the host does not know the
 * file. */
void cupel__add_schema_place(const struct render *, uint32_t loc, struct cupel_text *);
/* The same in parts; false if it is not known. */
bool cupel__schema_place(const struct render *, uint32_t loc, const char **ret_file,
                         uint32_t *ret_line, uint32_t *ret_column);
/* Appends a text as a JSON string. */
void cupel__add_json(struct cupel_text *, const struct cupel_text *);
/* Appends the value of an annotation, as JSON. */
void cupel__add_annotation(const struct render *, const struct cupel__event *);
/* The most bytes of one location. */
size_t cupel__max_location_bytes(const struct render *);
/* Appends a location as a JSON string of at most so many bytes, and empties its text. */
void cupel__add_location(const struct render *, struct cupel_text *);

/* Charges for bytes written; true while steps remain. */
static inline bool cupel__charge_output(const struct render *r, size_t bytes)
{
    enum { BYTES_A_STEP = 4 };
    return cupel__report_charge(r->s, 1 + (int64_t)(bytes / BYTES_A_STEP));
}

/* Shortens a text to `len` bytes. */
static inline void cupel__cut(struct cupel_text *text, size_t len)
{
    if (len < text->len)
        text->bytes[text->len = len] = '\0';
}

static inline const struct cupel__event *cupel__event_of(const struct render *r, uint32_t i)
{
    return &r->s->log.events[i];
}

#endif
