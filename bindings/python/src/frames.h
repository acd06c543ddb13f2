/* frames.h: the stack of open containers that objects.c and loads.c use. */
#ifndef CUPEL_PYTHON_FRAMES_H
#define CUPEL_PYTHON_FRAMES_H

#include "extension.h"

enum frame_kind { FRAME_DICT, FRAME_LIST, FRAME_TUPLE };

struct frame {
    PyObject *container;
    Py_ssize_t position; /* of the next item, or as PyDict_Next has it */
    union {
        enum frame_kind kind; /* objects.c */
        uint32_t count;       /* loads.c: items or members, 0 … */
    };
    PyObject *name; /* loads.c: of the member whose value comes next, borrowed; NULL in a list */
};

/* Makes room for frame `depth`; NULL with MemoryError. */
struct frame *frame_grow(struct worker *worker, size_t depth);

static inline struct frame *frame_at(struct worker *worker, size_t depth)
{
    return depth < worker->frame_count ? &worker->frames[depth] : frame_grow(worker, depth);
}

#endif
