/* text.c: texts that Python gives and gets, and the exceptions for texts without a verdict. */
#include "extension.h"

bool text_get(struct state *state, PyObject *object, struct text *ret)
{
    Py_ssize_t len;
    ret->has_view = false;
    if (Py_TYPE(object) == &PyBytes_Type) {
        ret->bytes = PyBytes_AsString(object);
        len = PyBytes_Size(object);
    } else if (PyUnicode_Check(object)) {
        ret->bytes = PyUnicode_AsUTF8AndSize(object, &len);
        if (ret->bytes == NULL) {
            if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
                PyErr_Clear();
                raise_reason(state, CUPEL_E_SURROGATE, NULL);
            }
            return false;
        }
    } else if (PyObject_CheckBuffer(object)) {
        if (PyObject_GetBuffer(object, &ret->view, PyBUF_SIMPLE) != 0)
            return false;
        ret->has_view = true;
        ret->bytes = ret->view.buf;
        len = ret->view.len;
    } else {
        PyObject *name = PyType_GetName(Py_TYPE(object));
        if (name != NULL)
            PyErr_Format(PyExc_TypeError,
                         "a JSON text is bytes, bytearray, memoryview or str, not %U", name);
        Py_XDECREF(name);
        return false;
    }
    ret->len = (size_t)len;
    return true;
}

void text_put(struct text *text)
{
    if (text->has_view)
        PyBuffer_Release(&text->view);
}

/* Whether the status says that a text is no JSON, not that it reaches a limit. */
static bool is_not_json(enum cupel_status status)
{
    return status <= CUPEL_E_SYNTAX && status >= CUPEL_E_DUPLICATE_KEY;
}

void raise_reason(struct state *state, enum cupel_status reason, const struct cupel_error *err)
{
    PyObject *class = is_not_json(reason) ? state->json_error : state->undecided;
    const bool placed = err != NULL && err->status == reason;
    if (class == NULL) { /* the interpreter ends */
        PyErr_SetString(PyExc_RuntimeError, cupel_status_message(reason));
        return;
    }
    const char *detail =
        placed && err->detail[0] != '\0' ? err->detail : cupel_status_message(reason);
    PyObject *made = PyObject_CallFunction(class, "ssIIKs", cupel_status_name(reason), detail,
                                           placed ? err->line : 0, placed ? err->column : 0,
                                           (unsigned long long)(placed ? err->offset : 0),
                                           placed ? err->where : "");
    if (made != NULL)
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_XDECREF(made);
}

PyObject *text_object(const struct cupel_text *text)
{
    if (text->failed)
        return PyErr_NoMemory();
    return PyUnicode_DecodeUTF8(text->len > 0 ? text->bytes : "", (Py_ssize_t)text->len, "replace");
}
