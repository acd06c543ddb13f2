/* model.h: the problems of a report as lines, which every rendering but the standard's prints.
 *
 * model.c decides which problems get a line and which lines are one.  model_line.c writes a line
 * for models, people_line.c one for people and programs. */
#ifndef CUPEL_MESSAGES_MODEL_H
#define CUPEL_MESSAGES_MODEL_H

#include "messages/expect.h"
#include "messages/model_path.h"

/* Problems read, lines kept, items or names joined into one line.  The rest is counted. */
enum { MODEL_EVENTS = 256, MAX_LINES = 128, MAX_JOINED = 12 };

/* A part of model.words. */
struct span {
    size_t at, len;
};

/* A line of the text: "- path: body", or several problems joined into one. */
struct line {
    struct span path, body;
    struct cupel__model_path place; /* what the path led through */
    const struct cupel__event *event;
    uint32_t pc, parent;          /* of the event: its instruction; the container of its value */
    bool plain_missing;           /* it reports a missing member and nothing else */
    uint32_t nalso;               /* further missing members of the same object */
    struct span also[MAX_JOINED]; /* those members */
    uint32_t joined;              /* number of further items of the array with the same problem */
    uint32_t items[MAX_JOINED];   /* those items */
    uint32_t varies;              /* the index of the path in which they differ */

    /* For people and programs: body is the message. */
    enum cupel_problem_code code;
    uint32_t index;              /* of the event in the log */
    uint32_t shown;              /* the node whose position the line has */
    struct span expected, found; /* the two parts of most messages */
    struct span because;         /* the condition under which the schema requires it */
    struct span suggestion;      /* a name, or a value as JSON */
    struct span help;            /* sentences, a line each */
    struct span fix;             /* text that replaces the bytes below */
    size_t fix_offset,
        fix_length; /* bytes of the document that `fix` replaces; length 0: no certain fix */
    uint32_t others[MAX_JOINED]; /* nodes of the first joined problems, `joined` in all */
};

struct model {
    struct render *r;
    const struct cupel__event *events[MODEL_EVENTS];
    enum cupel_problem_code codes[MODEL_EVENTS];
    uint32_t renamed[MODEL_EVENTS]; /* of a missing member: the key that stands for it, 0: none */
    uint32_t missing[MODEL_EVENTS]; /* of an unknown member: 1 + the problem of the missing one for
                                       which it stands, 0: none */
    bool suppressed[MODEL_EVENTS];  /* another problem's line covers it */
    bool separate;                  /* equal lines are not joined */
    uint32_t wrapper; /* the key of the member that holds the whole call, 0: none … */
    uint32_t carrier; /* … and the problem whose line says so */
    uint32_t nevents, nlines;
    uint32_t more; /* problems without a line */
    struct line lines[MAX_LINES];
    struct cupel_text words; /* paths and bodies of all lines */
};

/* What the validated value is called: "arguments", "result" or "document". */
const char *cupel__model_root(const struct render *);
/* Appends the path of a problem, array index number `blank` (UINT32_MAX: none) as []. */
void cupel__write_model_path(const struct model *, const struct cupel__event *, uint32_t blank,
                             struct cupel__model_path *ret, struct cupel_text *);
/* Allocates the lines of the last report.  NULL when memory runs out, with text->failed set. */
struct model *cupel__model_new(struct render *, bool separate);
void cupel__model_free(struct model *);
/* The text of a span. */
static inline struct cupel__str cupel__model_span(const struct model *m, struct span s)
{
    bool empty = s.len == 0 || m->words.failed;
    return (struct cupel__str){empty ? "" : m->words.bytes + s.at, empty ? 0 : s.len};
}

/* -- Parts of lines (model_line.c) ---------------------------------------------------------------
 */

/* Appends a name between backquotes. */
void cupel__add_code(struct cupel_text *, struct cupel__str name);
/* Appends a value that a branch requires: "object with `a`, `b`", "string". */
void cupel__add_alternative(const struct render *, uint32_t sub, struct cupel_text *);
/* Appends all branches of a choice: "either A or B". */
void cupel__add_alternatives(const struct render *, const struct cupel__event *,
                             struct cupel_text *);
/* Appends "one of " and the values that any branch of a choice lists for a node, which is the
 * event's value or its tag.  *ret_types has their types; *ret_closest is the one that is closest to
 * the string at the node, n 0: none. */
void cupel__add_branch_values(const struct render *, const struct cupel__event *, uint32_t node,
                              uint32_t *ret_types, struct cupel__str *ret_closest,
                              struct cupel_text *);
/* Appends the two branches that a value fits. */
void cupel__add_both(const struct render *, const struct cupel__event *, struct cupel_text *);
/* Appends what `not` excludes. */
void cupel__add_excluded(const struct render *, const struct cupel__event *, struct cupel_text *);
/* Appends `kind is "url"` if a member's value decided for the branch of the event. */
void cupel__add_tag(const struct render *, const struct cupel__event *, uint32_t object,
                    struct cupel_text *);
/* The allowed types, bounds and items that the schema around a problem of type or bounds has. */
void cupel__expect_value(const struct render *, const struct cupel__event *,
                         enum cupel_problem_code, struct cupel__expect *ret);

/* Writes the line of event i for people and programs (people_line.c). */
void cupel__write_people_line(struct model *, uint32_t i, struct line *ret);
/* Appends path and body of the line of event i to the words and fills in the line. */
void cupel__write_line(struct model *, uint32_t i, struct line *ret);
/* Whether the paths of two lines are equal but for array index number `at`. */
bool cupel__same_path_except(const struct model *, const struct line *, const struct line *,
                             uint32_t at);

#endif
