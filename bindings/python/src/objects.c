/* objects.c: documents of Python objects.
 *
 * The loop keeps the open containers on a stack of its own, so deep objects take no C stack, and a
 * container that holds itself ends at the limit of nesting.  Converting a Decimal may run Python
 * code, which may change the containers: the stack owns references to them, and a value is not used
 * after such a call. */
#include "extension.h"

#include "frames.h"
#include <math.h>

/* Makes the builder fail at the place of the next value, so that it reports the pointer of it. */
static void pointer_here(struct worker *w, struct cupel_error *err)
{
    *err = (struct cupel_error){.status = CUPEL_OK};
    (void)cupel_document_add_number(w->doc, "-", 1);
    (void)cupel_document_end(w->doc, err);
}

static bool refuse_type(struct worker *w, PyObject *value, const char *what)
{
    struct cupel_error err;
    PyObject *name = PyType_GetName(Py_TYPE(value));
    pointer_here(w, &err);
    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "%s%s: %U is not %s", err.where[0] != '\0' ? "at " : "value",
                     err.where, name, what);
    Py_XDECREF(name);
    return false;
}

/* Raises the exception for a value that the builder refused. */
static bool refuse(struct state *state, struct worker *w, enum cupel_status status)
{
    struct cupel_error err = {.status = CUPEL_OK};
    (void)cupel_document_end(w->doc, &err);
    if (err.status == CUPEL_OK)
        err.status = status;
    raise_reason(state, err.status, &err);
    return false;
}

static bool refuse_status(struct state *state, struct worker *w, enum cupel_status status,
                          const char *detail)
{
    struct cupel_error err;
    pointer_here(w, &err);
    err.status = status;
    PyOS_snprintf(err.detail, sizeof err.detail, "%s", detail);
    raise_reason(state, status, &err);
    return false;
}

/* -- Scalars --------------------------------------------------------------------------------- */

/* The UTF-8 of a str; NULL with JSONError if it has a lone surrogate. */
static const char *utf8(struct state *state, struct worker *w, PyObject *string, Py_ssize_t *len)
{
    const char *bytes = PyUnicode_AsUTF8AndSize(string, len);
    if (bytes == NULL && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        PyErr_Clear();
        refuse_status(state, w, CUPEL_E_SURROGATE, "a string has a lone surrogate");
    }
    return bytes;
}

static bool add_string(struct state *state, struct worker *w, PyObject *string)
{
    Py_ssize_t len;
    const char *bytes = utf8(state, w, string, &len);
    if (bytes == NULL)
        return false;
    enum cupel_status status = cupel_document_add_string(w->doc, bytes, (size_t)len);
    return status == CUPEL_OK || refuse(state, w, status);
}

/* A number as Python writes it; takes the reference. */
static bool add_number_text(struct state *state, struct worker *w, PyObject *text)
{
    Py_ssize_t len;
    const char *bytes = text != NULL ? PyUnicode_AsUTF8AndSize(text, &len) : NULL;
    if (bytes == NULL) {
        Py_XDECREF(text);
        return false;
    }
    enum cupel_status status = cupel_document_add_number(w->doc, bytes, (size_t)len);
    Py_DECREF(text);
    return status == CUPEL_OK || refuse(state, w, status);
}

static bool add_integer(struct state *state, struct worker *w, PyObject *number)
{
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0) {
        if (value == -1 && PyErr_Occurred())
            return false;
        enum cupel_status status = cupel_document_add_integer(w->doc, value);
        return status == CUPEL_OK || refuse(state, w, status);
    }
    PyObject *text = PyNumber_ToBase(number, 10);
    if (text == NULL && PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        return refuse_status(state, w, CUPEL_E_NUMBER_SIZE, "an integer has too many digits");
    }
    return add_number_text(state, w, text);
}

static bool add_float(struct state *state, struct worker *w, PyObject *number)
{
    const double value = PyFloat_AsDouble(number);
    if (!isfinite(value))
        return refuse_status(state, w, CUPEL_E_SYNTAX, "NaN and Infinity are no JSON numbers");
    enum cupel_status status = cupel_document_add_double(w->doc, value);
    return status == CUPEL_OK || refuse(state, w, status);
}

/* Finds decimal.Decimal, once.  False with an exception. */
static bool find_decimal(struct state *state)
{
    if (state->decimal != NULL)
        return true;
    PyObject *module = PyImport_ImportModule("decimal");
    if (module == NULL)
        return false;
    PyObject *decimal = PyObject_GetAttrString(module, "Decimal");
    PyObject *text = decimal != NULL ? PyObject_GetAttrString(decimal, "__str__") : NULL;
    Py_DECREF(module);
    if (text == NULL) {
        Py_XDECREF(decimal);
        return false;
    }
    if (state->decimal == NULL) {
        state->decimal = decimal;
        state->decimal_text = text;
    } else {
        Py_DECREF(decimal);
        Py_DECREF(text);
    }
    return true;
}

/* A Decimal, or no JSON value.  The caller owns a reference: the type of the value may run code. */
static bool add_other(struct state *state, struct worker *w, PyObject *value)
{
    if (!find_decimal(state))
        return false;
    const int is_decimal = PyObject_IsInstance(value, state->decimal);
    if (is_decimal < 0)
        return false;
    if (!is_decimal)
        return refuse_type(w, value, "a JSON value");
    PyObject *text = PyObject_CallFunctionObjArgs(state->decimal_text, value, NULL);
    Py_ssize_t len;
    const char *bytes = text != NULL ? PyUnicode_AsUTF8AndSize(text, &len) : NULL;
    if (bytes != NULL && (bytes[len - 1] < '0' || bytes[len - 1] > '9')) {
        Py_DECREF(text);
        return refuse_status(state, w, CUPEL_E_SYNTAX, "NaN and Infinity are no JSON numbers");
    }
    return add_number_text(state, w, text);
}

/* -- Containers ------------------------------------------------------------------------------ */

static bool push(struct state *state, struct worker *w, size_t *depth, PyObject *container,
                 enum frame_kind kind)
{
    enum cupel_status status =
        kind == FRAME_DICT ? cupel_document_open_object(w->doc) : cupel_document_open_array(w->doc);
    if (status != CUPEL_OK)
        return refuse(state, w, status);
    struct frame *frame = frame_at(w, *depth);
    if (frame == NULL)
        return false;
    Py_INCREF(container);
    *frame = (struct frame){.container = container, .kind = kind};
    (*depth)++;
    return true;
}

/* Adds one value.  A container is opened and pushed. */
static bool add_value(struct state *state, struct worker *w, PyObject *value, bool tuples,
                      size_t *depth)
{
    if (PyUnicode_Check(value))
        return add_string(state, w, value);
    if (value == Py_True || value == Py_False) {
        enum cupel_status status = cupel_document_add_boolean(w->doc, value == Py_True);
        return status == CUPEL_OK || refuse(state, w, status);
    }
    if (PyLong_Check(value))
        return add_integer(state, w, value);
    if (PyDict_Check(value))
        return push(state, w, depth, value, FRAME_DICT);
    if (PyList_Check(value))
        return push(state, w, depth, value, FRAME_LIST);
    if (value == Py_None) {
        enum cupel_status status = cupel_document_add_null(w->doc);
        return status == CUPEL_OK || refuse(state, w, status);
    }
    if (PyFloat_Check(value))
        return add_float(state, w, value);
    if (tuples && PyTuple_Check(value))
        return push(state, w, depth, value, FRAME_TUPLE);
    Py_INCREF(value);
    const bool good = add_other(state, w, value);
    Py_DECREF(value);
    return good;
}

static bool add_name(struct state *state, struct worker *w, PyObject *key)
{
    Py_ssize_t len;
    if (!PyUnicode_Check(key))
        return refuse_type(w, key, "a name of a member (str)");
    const char *bytes = utf8(state, w, key, &len);
    if (bytes == NULL)
        return false;
    enum cupel_status status = cupel_document_add_name(w->doc, bytes, (size_t)len);
    return status == CUPEL_OK || refuse(state, w, status);
}

/* The next value of the innermost container, borrowed; NULL at its end, or with an exception. */
static PyObject *next_value(struct state *state, struct worker *w, struct frame *frame)
{
    PyObject *key, *value;
    switch (frame->kind) {
    case FRAME_DICT:
        if (!PyDict_Next(frame->container, &frame->position, &key, &value))
            return NULL;
        return add_name(state, w, key) ? value : NULL;
    case FRAME_LIST:
        if (frame->position >= PyList_Size(frame->container))
            return NULL;
        return PyList_GetItem(frame->container, frame->position++);
    default:
        if (frame->position >= PyTuple_Size(frame->container))
            return NULL;
        return PyTuple_GetItem(frame->container, frame->position++);
    }
}

/* Adds what follows in the innermost container, or closes it. */
static bool step(struct state *state, struct worker *w, bool tuples, size_t *depth)
{
    struct frame *frame = &w->frames[*depth - 1];
    PyObject *value = next_value(state, w, frame);
    if (value != NULL)
        return add_value(state, w, value, tuples, depth);
    if (PyErr_Occurred())
        return false;
    (*depth)--;
    Py_DECREF(frame->container);
    enum cupel_status status = cupel_document_close(w->doc);
    return status == CUPEL_OK || refuse(state, w, status);
}

bool document_build(struct state *state, struct worker *w, PyObject *object, bool tuples)
{
    size_t depth = 0;
    cupel_document_begin(w->doc);
    bool good = add_value(state, w, object, tuples, &depth);
    while (good && depth > 0)
        good = step(state, w, tuples, &depth);
    while (depth > 0)
        Py_DECREF(w->frames[--depth].container);
    if (!good)
        return false;
    struct cupel_error err = {.status = CUPEL_OK};
    enum cupel_status status = cupel_document_end(w->doc, &err);
    if (status != CUPEL_OK)
        raise_reason(state, status, &err);
    return status == CUPEL_OK;
}
