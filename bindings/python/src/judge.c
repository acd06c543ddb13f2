/* judge.c: the verdicts of a Validator, from texts and from objects. */
#include "extension.h"

#include <string.h>

static enum cupel_verdict judge_text(struct validator *self, struct worker *worker,
                                     const struct text *text, struct cupel_outcome *outcome)
{
    enum cupel_verdict verdict;
    if (text->len < RELEASE_BYTES)
        return cupel_validate(self->program, worker->scratch, text->bytes, text->len, outcome);
    Py_BEGIN_ALLOW_THREADS verdict =
        cupel_validate(self->program, worker->scratch, text->bytes, text->len, outcome);
    Py_END_ALLOW_THREADS return verdict;
}

static void raise_outcome(struct state *state, const struct cupel_outcome *outcome)
{
    const enum cupel_status reason = outcome->reason;
    const bool is_text = reason <= CUPEL_E_SYNTAX && reason >= CUPEL_E_NUMBER_SIZE;
    raise_reason(state, reason, is_text ? &outcome->error : NULL);
}

/* True or False for a verdict, or an exception. */
static PyObject *verdict_object(struct state *state, enum cupel_verdict verdict,
                                const struct cupel_outcome *outcome)
{
    if (verdict == CUPEL_VALID)
        Py_RETURN_TRUE;
    if (verdict == CUPEL_INVALID)
        Py_RETURN_FALSE;
    raise_outcome(state, outcome);
    return NULL;
}

PyObject *validator_is_valid_json(PyObject *object, PyObject *value)
{
    struct validator *self = (struct validator *)object;
    struct cupel_outcome outcome;
    struct text text;
    if (!text_get(self->state, value, &text))
        return NULL;
    PyObject *ret = NULL;
    struct worker *worker = worker_get(self->pool);
    if (worker != NULL) {
        const enum cupel_verdict verdict = judge_text(self, worker, &text, &outcome);
        worker_put(self->pool, worker);
        ret = verdict_object(self->state, verdict, &outcome);
    }
    text_put(&text);
    return ret;
}

/* Reads a text into the worker's document. */
static bool read_document(struct validator *self, struct worker *worker, const struct text *text)
{
    struct cupel_error err = {.status = CUPEL_OK};
    enum cupel_status status;
    if (text->len < RELEASE_BYTES) {
        status = cupel_document_read(worker->doc, text->bytes, text->len, &err);
    } else {
        Py_BEGIN_ALLOW_THREADS status =
            cupel_document_read(worker->doc, text->bytes, text->len, &err);
        Py_END_ALLOW_THREADS
    }
    if (status != CUPEL_OK)
        raise_reason(self->state, status, &err);
    return status == CUPEL_OK;
}

static bool read_text(struct validator *self, struct worker *worker, PyObject *value)
{
    struct text text;
    if (!text_get(self->state, value, &text))
        return false;
    const bool good = read_document(self, worker, &text);
    text_put(&text);
    return good;
}

bool document_fill(struct validator *self, struct worker *worker, PyObject *value, bool is_json)
{
    return is_json ? read_text(self, worker, value)
                   : document_build(self->state, worker, value, self->tuples);
}

/* Judges the worker's document. */
static enum cupel_verdict judge_document(struct validator *self, struct worker *worker,
                                         struct cupel_outcome *outcome)
{
    enum cupel_verdict verdict;
    size_t len;
    (void)cupel_json_span(worker->doc, 0, &len);
    if (len < RELEASE_BYTES)
        return cupel_validate_node(self->program, worker->scratch, worker->doc, 0, outcome);
    Py_BEGIN_ALLOW_THREADS verdict =
        cupel_validate_node(self->program, worker->scratch, worker->doc, 0, outcome);
    Py_END_ALLOW_THREADS return verdict;
}

enum after { RETURN_VERDICT, RETURN_NONE, RETURN_OBJECTS };

/* Judges the worker's document and makes what the method returns. */
static PyObject *conclude(struct validator *self, struct worker *worker, enum after after)
{
    struct cupel_outcome outcome;
    const enum cupel_verdict verdict = judge_document(self, worker, &outcome);
    if (after == RETURN_VERDICT || verdict == CUPEL_UNDECIDED)
        return verdict_object(self->state, verdict, &outcome);
    if (verdict == CUPEL_INVALID) {
        raise_invalid(self, worker);
        return NULL;
    }
    if (after == RETURN_OBJECTS)
        return document_objects(self->state, worker);
    Py_RETURN_NONE;
}

static PyObject *judge_value(PyObject *object, PyObject *value, bool is_json, enum after after)
{
    struct validator *self = (struct validator *)object;
    struct worker *worker = worker_get(self->pool);
    PyObject *ret = NULL;
    if (worker == NULL)
        return NULL;
    if (document_fill(self, worker, value, is_json))
        ret = conclude(self, worker, after);
    worker_put(self->pool, worker);
    return ret;
}

PyObject *validator_is_valid(PyObject *self, PyObject *value)
{
    return judge_value(self, value, false, RETURN_VERDICT);
}

PyObject *validator_validate(PyObject *self, PyObject *value)
{
    return judge_value(self, value, false, RETURN_NONE);
}

PyObject *validator_loads(PyObject *self, PyObject *text)
{
    return judge_value(self, text, true, RETURN_OBJECTS);
}

/* The verdict first, by the shorter way; the document only for a text that is invalid. */
PyObject *validator_validate_json(PyObject *self, PyObject *text)
{
    PyObject *verdict = validator_is_valid_json(self, text);
    if (verdict == NULL)
        return NULL;
    const bool valid = verdict == Py_True;
    Py_DECREF(verdict);
    if (!valid)
        return judge_value(self, text, true, RETURN_NONE);
    Py_RETURN_NONE;
}

/* -- Many texts ------------------------------------------------------------------------------ */

struct slice {
    const char *bytes;
    size_t len;
};

/* The slices of a tuple of bytes and str, which keeps them alive.  NULL with an exception. */
static struct slice *slices_of(struct state *state, PyObject *texts, size_t *ret_total)
{
    const Py_ssize_t count = PyTuple_Size(texts);
    struct slice *slices = PyMem_Calloc(count > 0 ? (size_t)count : 1, sizeof *slices);
    if (slices == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    *ret_total = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_GetItem(texts, i);
        struct text text;
        if (!PyBytes_Check(item) && !PyUnicode_Check(item))
            PyErr_Format(PyExc_TypeError, "item %zd is neither bytes nor str", i);
        if (PyErr_Occurred() || !text_get(state, item, &text)) {
            PyMem_Free(slices);
            return NULL;
        }
        slices[i] = (struct slice){text.bytes, text.len};
        *ret_total += text.len;
        text_put(&text); /* the object lives on, and its bytes do not move */
    }
    return slices;
}

static void judge_slices(struct validator *self, struct worker *worker, const struct slice *slices,
                         Py_ssize_t count, char *verdicts)
{
    for (Py_ssize_t i = 0; i < count; i++)
        verdicts[i] = (char)cupel_validate(self->program, worker->scratch, slices[i].bytes,
                                           slices[i].len, NULL);
}

static PyObject *judge_tuple(struct validator *self, struct worker *worker, PyObject *texts)
{
    size_t total;
    const Py_ssize_t count = PyTuple_Size(texts);
    struct slice *slices = slices_of(self->state, texts, &total);
    PyObject *verdicts = slices != NULL ? PyBytes_FromStringAndSize(NULL, count) : NULL;
    if (verdicts != NULL) {
        char *to = PyBytes_AsString(verdicts);
        if (total < RELEASE_BYTES) {
            judge_slices(self, worker, slices, count, to);
        } else {
            Py_BEGIN_ALLOW_THREADS judge_slices(self, worker, slices, count, to);
            Py_END_ALLOW_THREADS
        }
    }
    PyMem_Free(slices);
    return verdicts;
}

PyObject *validator_check_many(PyObject *object, PyObject *texts)
{
    struct validator *self = (struct validator *)object;
    PyObject *tuple = PySequence_Tuple(texts);
    struct worker *worker = tuple != NULL ? worker_get(self->pool) : NULL;
    PyObject *ret = NULL;
    if (worker != NULL) {
        ret = judge_tuple(self, worker, tuple);
        worker_put(self->pool, worker);
    }
    Py_XDECREF(tuple);
    return ret;
}
