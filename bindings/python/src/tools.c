/* tools.c: the type Tools: catalogs of tools of the Model Context Protocol, by the functions of
 * core.h, which all bindings share.
 *
 * A Tools object has one core.  mcp.py calls it with a lock held. */
#include "extension.h"

#include "core.h"
#include <string.h>

struct tools {
    PyObject_HEAD struct core *core;
};

/* SHA-256 by hashlib.  An exception is not passed on: the library reports that there is no digest.
 */
static int sha256(void *ctx, const char *bytes, size_t len, unsigned char *ret_digest)
{
    enum { DIGEST = 32 };
    PyObject *module = PyImport_ImportModule("hashlib"), *hash = NULL, *digest = NULL;
    (void)ctx;
    if (module != NULL)
        hash = PyObject_CallMethod(module, "sha256", "y#", bytes, (Py_ssize_t)len);
    if (hash != NULL)
        digest = PyObject_CallMethod(hash, "digest", NULL);
    const bool good = digest != NULL && PyBytes_Check(digest) && PyBytes_Size(digest) == DIGEST;
    if (good)
        memcpy(ret_digest, PyBytes_AsString(digest), DIGEST);
    PyErr_Clear();
    Py_XDECREF(digest);
    Py_XDECREF(hash);
    Py_XDECREF(module);
    return good ? 0 : -1;
}

static PyObject *tools_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const char *bytes;
    Py_ssize_t len;
    uint64_t key[2];
    (void)keywords;
    if (!PyArg_ParseTuple(args, "y#", &bytes, &len))
        return NULL;
    if (len != sizeof key) {
        PyErr_SetString(PyExc_ValueError, "a key has 16 bytes");
        return NULL;
    }
    memcpy(key, bytes, sizeof key);
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct tools *self = (struct tools *)alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->core = core_new(key, sha256, NULL);
    if (self->core == NULL) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void tools_dealloc(PyObject *object)
{
    struct tools *self = (struct tools *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->core != NULL)
        core_free(self->core);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* invoke(op, handle, input, more, number) -> (result, output) */
static PyObject *tools_invoke(PyObject *object, PyObject *args)
{
    struct tools *self = (struct tools *)object;
    int op;
    unsigned handle, number;
    Py_buffer input, more;
    if (!PyArg_ParseTuple(args, "iIy*y*I", &op, &handle, &input, &more, &number))
        return NULL;
    PyObject *ret = NULL;
    char *to = core_input(self->core, CORE_NONE, (size_t)(input.len + more.len));
    if (to == NULL) {
        PyErr_SetString(PyExc_ValueError, "the input is too long");
    } else {
        size_t len;
        if (input.len > 0)
            memcpy(to, input.buf, (size_t)input.len);
        if (more.len > 0)
            memcpy(to + input.len, more.buf, (size_t)more.len);
        const long long result = core_invoke(self->core, (enum core_op)op, handle,
                                             (size_t)input.len, (size_t)more.len, number);
        const char *output = core_output(self->core, &len);
        ret = Py_BuildValue("(Ly#)", result, output, (Py_ssize_t)len);
    }
    PyBuffer_Release(&input);
    PyBuffer_Release(&more);
    return ret;
}

static PyMethodDef methods[] = {
    {"invoke", tools_invoke, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, tools_new},
    {Py_tp_dealloc, tools_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "cupel_jsonschema._core.Tools",
    .basicsize = sizeof(struct tools),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

PyType_Spec *tools_type(void)
{
    return &spec;
}
