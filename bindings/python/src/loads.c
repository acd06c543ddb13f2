/* loads.c: Python objects of a document, as json.loads makes them.
 *
 * One loop goes through the tape, which has the nodes in the order of the text.  Names of members
 * repeat, so the last ones are kept in a table and used again.  The loop does not run Python code:
 * all objects have exact built-in types. */
#include "extension.h"

#include "base_json_document.h"
#include "frames.h"
#include <string.h>

/* -- Scalars --------------------------------------------------------------------------------- */

static PyObject *make_big_integer(const struct cupel_document *doc, uint32_t node)
{
    size_t len;
    const char *span = cupel_json_span(doc, node, &len);
    PyObject *text = PyUnicode_FromStringAndSize(span, (Py_ssize_t)len);
    PyObject *number =
        text != NULL ? PyObject_CallFunctionObjArgs((PyObject *)&PyLong_Type, text, NULL) : NULL;
    Py_XDECREF(text);
    return number;
}

/* A number with a fraction or an exponent.  A mantissa below 2^53 and a power of ten below 10^23
 * are exact as doubles, and one division of exact operands rounds correctly. */
static PyObject *make_float(struct state *state, struct cupel_document *doc, uint32_t i)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const struct cupel__node *node = &doc->doc.nodes[i];
    const int64_t most = (int64_t)1 << 53;
    double value;
    if (!(node->flags & CUPEL__BIG) && node->i <= most && node->i >= -most && node->i != 0 &&
        node->exp <= 0 && node->exp >= -22)
        return PyFloat_FromDouble((double)node->i / tens[-node->exp]);
    if (cupel_json_double(doc, i, &value) != CUPEL_OK) {
        raise_reason(state, CUPEL_E_LIMIT_NUMBER, NULL);
        return NULL;
    }
    size_t len;
    if (value == 0 && *cupel_json_span(doc, i, &len) == '-')
        value = -0.0;
    return PyFloat_FromDouble(value);
}

static PyObject *make_scalar(struct state *state, struct cupel_document *doc, uint32_t i)
{
    struct cupel__node *node = &doc->doc.nodes[i];
    PyObject *constant = Py_None;
    struct cupel__str string;
    switch (node->type) {
    case CUPEL__INT:
        return PyLong_FromLongLong(node->i);
    case CUPEL__BIGINT:
        return make_big_integer(doc, i);
    case CUPEL__INTREAL:
    case CUPEL__REAL:
        return make_float(state, doc, i);
    case CUPEL__STRING:
    case CUPEL__ESCAPED:
        string = cupel__doc_str(&doc->doc, node);
        return PyUnicode_FromStringAndSize(string.p, (Py_ssize_t)string.n);
    case CUPEL__TRUE:
        constant = Py_True;
        break;
    case CUPEL__FALSE:
        constant = Py_False;
        break;
    default:
        break;
    }
    Py_INCREF(constant);
    return constant;
}

/* The name at a node; a reference that the caller owns. */
static PyObject *make_name(struct state *state, struct cupel_document *doc, uint32_t i)
{
    struct cupel__node *node = &doc->doc.nodes[i];
    const struct cupel__str string = cupel__doc_str(&doc->doc, node);
    struct cached_name *cached = NULL;
    if (string.n <= CACHED_NAME_BYTES) {
        const uint32_t hash = cupel__key_hash(&doc->doc, node);
        cached = &state->names[(hash ^ hash >> 16) % NAME_CACHE];
        if (cached->object != NULL && (size_t)cached->len == string.n &&
            memcmp(cached->bytes, string.p, string.n) == 0) {
            Py_INCREF(cached->object);
            return cached->object;
        }
    }
    PyObject *name = PyUnicode_FromStringAndSize(string.p, (Py_ssize_t)string.n);
    if (name != NULL && cached != NULL) {
        Py_ssize_t len;
        const char *bytes = PyUnicode_AsUTF8AndSize(name, &len);
        if (bytes == NULL) {
            Py_DECREF(name);
            return NULL;
        }
        Py_XDECREF(cached->object);
        Py_INCREF(name);
        *cached = (struct cached_name){name, bytes, len};
    }
    return name;
}

/* -- Containers ------------------------------------------------------------------------------ */

/* Puts a value into the innermost container; takes the reference. */
static bool put_value(struct frame *frame, PyObject *value)
{
    if (frame->name == NULL)
        return PyList_SetItem(frame->container, frame->position++, value) == 0;
    const int failed = PyDict_SetItem(frame->container, frame->name, value);
    Py_DECREF(frame->name);
    Py_DECREF(value);
    frame->name = NULL;
    frame->position++;
    return failed == 0;
}

static PyObject *make_container(const struct cupel__node *node)
{
    return node->type == CUPEL__OBJECT ? PyDict_New() : PyList_New((Py_ssize_t)node->count);
}

/* Opens the container at a node. */
static bool open_container(struct worker *w, const struct cupel__node *node, size_t *depth)
{
    PyObject *container = make_container(node);
    struct frame *frame = container != NULL ? frame_at(w, *depth) : NULL;
    if (frame == NULL) {
        Py_XDECREF(container);
        return false;
    }
    *frame = (struct frame){.container = container, .count = node->count};
    (*depth)++;
    return true;
}

/* Makes the objects of the nodes from `i` on until the outermost container is complete. */
static PyObject *make_all(struct state *state, struct worker *w, size_t *depth)
{
    struct cupel_document *doc = w->doc;
    for (uint32_t i = 0;; i++) {
        const struct cupel__node *node = &doc->doc.nodes[i];
        if (node->flags & CUPEL__KEY) {
            w->frames[*depth - 1].name = make_name(state, doc, i);
            if (w->frames[*depth - 1].name == NULL)
                return NULL;
            continue;
        }
        PyObject *value;
        if (node->type >= CUPEL__ARRAY && node->count > 0) {
            if (!open_container(w, node, depth))
                return NULL;
            continue;
        }
        value = node->type >= CUPEL__ARRAY ? make_container(node) : make_scalar(state, doc, i);
        if (value == NULL)
            return NULL;
        for (;;) {
            if (*depth == 0)
                return value;
            struct frame *frame = &w->frames[*depth - 1];
            if (!put_value(frame, value))
                return NULL;
            if (frame->position < (Py_ssize_t)frame->count)
                break;
            value = frame->container;
            (*depth)--;
        }
    }
}

PyObject *document_objects(struct state *state, struct worker *w)
{
    size_t depth = 0;
    PyObject *made = make_all(state, w, &depth);
    while (depth > 0) {
        depth--;
        Py_XDECREF(w->frames[depth].name);
        Py_DECREF(w->frames[depth].container);
    }
    return made;
}

struct frame *frame_grow(struct worker *worker, size_t depth)
{
    const size_t count = depth < 32 ? 64 : depth * 2;
    struct frame *frames = PyMem_Realloc(worker->frames, count * sizeof *frames);
    if (frames == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    worker->frames = frames;
    worker->frame_count = count;
    return &frames[depth];
}
