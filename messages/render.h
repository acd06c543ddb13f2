/* render.h: what the renderings share.  Everything here is about the scratch's last report run. */
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
    size_t start;       /* where this rendering begins in the text */
    bool valid, traced; /* traced: units are all that was run, for VERBOSE */
    uint32_t nunits;    /* what the standard's formats list: failures, or annotations */
};

/* The renderings.  Each appends to r->text; a failed text is noticed by the caller. */
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

/* The member of an object whose name is not allowed is shown by its key. */
uint32_t cupel__shown_node(const struct render *, const struct cupel__event *);
/* Line and column of a node in its file, counted from 1. */
void cupel__source_position(const struct render *, uint32_t node, uint32_t *ret_line,
                            uint32_t *ret_column);
/* Appends a text of ours as a JSON string. */
void cupel__add_json(struct cupel_text *, const struct cupel_text *);
/* Appends the value of an annotation. */
void cupel__add_annotation(const struct render *, const struct cupel__event *);
/* The most bytes of one location. */
size_t cupel__max_location_bytes(const struct render *);
/* Appends a location as a JSON string of at most so many, and empties its text. */
void cupel__add_location(const struct render *, struct cupel_text *);

/* Charges for text that was written; true as long as there are steps. */
static inline bool cupel__charge_output(const struct render *r, size_t bytes)
{
    enum { BYTES_A_STEP = 4 };
    return cupel__report_charge(r->s, 1 + (int64_t)(bytes / BYTES_A_STEP));
}

/* Makes a text shorter. */
static inline void cupel__cut(struct cupel_text *text, size_t len)
{
    if (len < text->len)
        text->bytes[text->len = len] = '\0';
}

static inline const struct cupel__event *cupel__event_of(const struct render *r, uint32_t i)
{
    return &r->s->log.events[i];
}

/* -- Places (place.c) -------------------------------------------------------------------------- */

enum { CUPEL__PATH_INDEXES = 6 };

/* A path as models write it: target.href, items[2].id. */
struct cupel__model_path {
    uint32_t parent; /* the container of the value; CUPEL_NO_NODE: it is the judged one */
    uint32_t index[CUPEL__PATH_INDEXES]; /* the first indexes on the way … */
    uint32_t nindexes;
};

/* Appends the path of a value (or of the member of a key) below the judged one, index number
 * `blank` (UINT32_MAX: none) as []; the judged value itself is `root`. */
void cupel__add_model_path(const struct render *, uint32_t node, uint32_t blank, const char *root,
                           struct cupel_text *, struct cupel__model_path *ret);
/* Appends one more step, a name, to a path that has been written since `start`. */
void cupel__add_model_step(struct cupel_text *, size_t start, struct cupel__str name);

/* -- What is asked for (expect.c) -------------------------------------------------------------- */

/* What a schema says of a value by itself, without its subschemas. */
struct cupel__expect {
    uint32_t types;
    const uint32_t *values; /* the instruction CONST or ENUM, or NULL */
    const uint32_t *min, *max, *least_length, *most_length, *least_count, *most_count;
    uint32_t items; /* reference to the schema of items, CUPEL__NO_SUB: none */
};

/* Of the schema that the instruction at `pc` is in; of a reference and what it applies in place. */
void cupel__expect_siblings(const struct render *, uint32_t pc, struct cupel__expect *ret);
void cupel__expect_sub(const struct render *, uint32_t sub, struct cupel__expect *ret);
/* Appends it: "integer from 1 to 100", "one of "a", "b"". */
void cupel__add_expected(const struct render *, const struct cupel__expect *, struct cupel_text *);
/* Appends up to twelve values of an instruction CONST or ENUM, *count being those before them. */
void cupel__add_values(const struct render *, const uint32_t *word, uint32_t *count,
                       struct cupel_text *);
/* The string among the values that may have been meant; n 0: none. */
struct cupel__str cupel__closest_value(const struct render *, uint32_t node, const uint32_t *word,
                                       int *distance);
/* How a string that holds the text of a wanted value should be written, or NULL. */
const char *cupel__hint(const struct render *, uint32_t node, uint32_t wanted);
/* Appends "integer", or what a string that holds something else should be, with a hint. */
void cupel__add_found(const struct render *, uint32_t node, uint32_t wanted, uint32_t items,
                      struct cupel_text *);

/* -- Names (known_names.c) --------------------------------------------------------------------- */

enum { CUPEL__MAX_NAMES = 64 };

/* The members that an object's schema knows. */
struct cupel__declared_names {
    struct {
        uint32_t table, entry; /* the offset of a table, an entry in it */
        bool required;
    } name[CUPEL__MAX_NAMES];
    uint32_t n, more;
};

void cupel__declared_names_sub(const struct render *, uint32_t sub,
                               struct cupel__declared_names *ret);
void cupel__declared_names_siblings(const struct render *, uint32_t pc,
                                    struct cupel__declared_names *ret);
void cupel__declared_names_parent(const struct render *, uint32_t pc,
                                  struct cupel__declared_names *ret);
struct cupel__str cupel__declared_name(const struct render *, const struct cupel__declared_names *,
                                       uint32_t i, char buf[16]);
bool cupel__is_declared_name(const struct render *, const struct cupel__declared_names *,
                             struct cupel__str);
/* The known name that a member's may have been meant as, and that the object does not have; n 0:
 * none. */
struct cupel__str cupel__closest_name(const struct render *,
                                      const struct cupel__declared_names *known, uint32_t object,
                                      struct cupel__str name, char buf[16]);
/* Appends "a, b (required), c … and 9 more". */
void cupel__add_declared_names(const struct render *, const struct cupel__declared_names *,
                               bool required, struct cupel_text *);

#endif
