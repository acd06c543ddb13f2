/* model.h: the text for models, between its files. */
#ifndef CUPEL_MESSAGES_MODEL_H
#define CUPEL_MESSAGES_MODEL_H

#include "messages/render.h"

enum { MAX_LINES = 64, MAX_JOINED = 12, MODEL_EVENTS = 128 };

struct span {
    size_t at, len; /* in the words */
};

struct line {
    struct span path, body;
    struct cupel__model_path place;
    const struct cupel__event *event;
    uint32_t pc, parent;
    bool lists;      /* it says that a member is missing and no more … */
    uint32_t nalso;  /* … and these are missing too */
    uint32_t joined; /* other items with the same problem */
    uint32_t varies; /* the index in which the items differ */
    struct span also[MAX_JOINED];
    uint32_t items[MAX_JOINED];
};

struct model {
    struct render *r;
    const struct cupel__event *events[MODEL_EVENTS];
    enum cupel_problem_code codes[MODEL_EVENTS];
    uint32_t mate[MODEL_EVENTS]; /* of a missing member: the key that was meant as it, 0: none */
    bool gone[MODEL_EVENTS];     /* told by another */
    uint32_t nevents, nlines, more;
    struct line lines[MAX_LINES];
    struct cupel_text words;
};

/* What the judged value is called. */
const char *cupel__model_root(const struct render *);
/* Appends where a problem is, index number `blank` (UINT32_MAX: none) as []. */
void cupel__write_model_path(const struct model *, const struct cupel__event *, uint32_t blank,
                             struct cupel__model_path *ret, struct cupel_text *);
/* Writes path and body of the line of event i into the words. */
void cupel__write_line(struct model *, uint32_t i, struct line *ret);
/* Whether the paths of two lines are the same without index number `at`. */
bool cupel__same_path_except(const struct model *, const struct line *, const struct line *,
                             uint32_t at);

#endif
