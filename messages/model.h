/* model.h: the text for language models, between its two files.
 *
 * model.c decides which problems get a line and which lines are one; model_line.c writes a line. */
#ifndef CUPEL_MESSAGES_MODEL_H
#define CUPEL_MESSAGES_MODEL_H

#include "messages/model_path.h"

/* Problems read, lines kept, items or names joined into one line.  The rest is counted. */
enum { MODEL_EVENTS = 128, MAX_LINES = 64, MAX_JOINED = 12 };

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
    bool plain_missing;           /* it reports a missing member and nothing else … */
    uint32_t nalso;               /* … and so many more of the same object, … */
    struct span also[MAX_JOINED]; /* … these */
    uint32_t joined;              /* more items of an array with the same problem … */
    uint32_t items[MAX_JOINED];   /* … these … */
    uint32_t varies;              /* … which differ in this index of the path */
};

struct model {
    struct render *r;
    const struct cupel__event *events[MODEL_EVENTS];
    enum cupel_problem_code codes[MODEL_EVENTS];
    uint32_t renamed[MODEL_EVENTS]; /* of a missing member: the key that stands for it, 0: none */
    bool suppressed[MODEL_EVENTS];  /* another problem's line covers it */
    uint32_t nevents, nlines;
    uint32_t more; /* problems without a line */
    struct line lines[MAX_LINES];
    struct cupel_text words; /* paths and bodies of all lines */
};

/* What the validated value is called: "arguments" or "result". */
const char *cupel__model_root(const struct render *);
/* Appends the path of a problem, array index number `blank` (UINT32_MAX: none) as []. */
void cupel__write_model_path(const struct model *, const struct cupel__event *, uint32_t blank,
                             struct cupel__model_path *ret, struct cupel_text *);
/* Appends path and body of the line of event i to the words and fills in the line. */
void cupel__write_line(struct model *, uint32_t i, struct line *ret);
/* Whether the paths of two lines are equal but for array index number `at`. */
bool cupel__same_path_except(const struct model *, const struct line *, const struct line *,
                             uint32_t at);

#endif
