/* compile.c: Validators: compiling a schema, or loading the image that a pickle has. */
#include "extension.h"

#include <string.h>

/* -- References to other documents ----------------------------------------------------------- */

/* A function of Python that has schemas by URI, and the bytes that it returned. */
struct resolver {
    PyObject *function;
    PyObject *kept; /* list */
};

/* The library must not see an exception, so one that the function raises stays set, and the
 * reference does not resolve. */
static int resolve(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                   size_t *ret_len)
{
    struct resolver *resolver = ctx;
    if (PyErr_Occurred())
        return -1;
    PyObject *found = PyObject_CallFunction(resolver->function, "s#", uri, (Py_ssize_t)uri_len);
    const bool usable =
        found != NULL && PyBytes_Check(found) && PyList_Append(resolver->kept, found) == 0;
    if (usable) {
        *ret_text = PyBytes_AsString(found);
        *ret_len = (size_t)PyBytes_Size(found);
    }
    Py_XDECREF(found);
    return usable ? 0 : -1;
}

/* -- Options --------------------------------------------------------------------------------- */

static bool set_limit(struct cupel_options *options, const char *name, PyObject *value)
{
    for (unsigned i = 0; i < CUPEL_LIMITS; i++) {
        const char *limit = cupel_limit_name((enum cupel_limit)i);
        if (limit != NULL && strcmp(limit, name) == 0) {
            options->limits[i] = PyLong_AsUnsignedLongLong(value);
            return !PyErr_Occurred();
        }
    }
    PyErr_Format(PyExc_ValueError, "no limit is called %s", name);
    return false;
}

static bool set_limits(struct cupel_options *options, PyObject *limits)
{
    PyObject *key, *value;
    Py_ssize_t position = 0;
    if (limits == Py_None)
        return true;
    if (!PyDict_Check(limits)) {
        PyErr_SetString(PyExc_TypeError, "limits are a dict from names to numbers");
        return false;
    }
    while (PyDict_Next(limits, &position, &key, &value)) {
        Py_ssize_t len;
        const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, &len) : NULL;
        if (name == NULL || !PyLong_Check(value)) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "limits are a dict from names to numbers");
            return false;
        }
        if (!set_limit(options, name, value))
            return false;
    }
    return true;
}

/* -- Schemas --------------------------------------------------------------------------------- */

static void raise_schema_error(struct state *state, enum cupel_status status,
                               const struct cupel_error *err)
{
    const bool placed = err->status == status;
    PyObject *made = PyObject_CallFunction(
        state->schema_error, "ssIIKs", cupel_status_name(status),
        placed && err->detail[0] != '\0' ? err->detail : cupel_status_message(status),
        placed ? err->line : 0, placed ? err->column : 0,
        (unsigned long long)(placed ? err->offset : 0), placed ? err->where : "");
    if (made != NULL)
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_XDECREF(made);
}

/* The text of a schema given as objects. */
static PyObject *schema_of_objects(struct state *state, const struct cupel_options *options,
                                   PyObject *object)
{
    struct cupel_options reading = *options;
    reading.limits[CUPEL_LIMIT_BODY_BYTES] = options->limits[CUPEL_LIMIT_SCHEMA_BYTES];
    reading.limits[CUPEL_LIMIT_DEPTH] = options->limits[CUPEL_LIMIT_SCHEMA_DEPTH] + 16;
    struct pool *pool = pool_get(state, &reading);
    struct worker *worker = pool != NULL ? worker_get(pool) : NULL;
    PyObject *text = NULL;
    if (worker != NULL) {
        if (document_build(state, worker, object, true)) {
            size_t len;
            const char *span = cupel_json_span(worker->doc, 0, &len);
            text = PyBytes_FromStringAndSize(span, (Py_ssize_t)len);
        }
        worker_put(pool, worker);
    }
    if (pool != NULL)
        pool_put(state, pool);
    return text;
}

static PyObject *schema_text(struct state *state, const struct cupel_options *options,
                             PyObject *schema)
{
    struct text text;
    if (PyDict_Check(schema) || PyBool_Check(schema))
        return schema_of_objects(state, options, schema);
    if (!text_get(state, schema, &text))
        return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(text.bytes, (Py_ssize_t)text.len);
    text_put(&text);
    return bytes;
}

/* Compiles, or loads `image` if there is one that this version takes. */
static enum cupel_status make_program(const struct cupel_options *options, PyObject *schema,
                                      PyObject *image, struct cupel_program **ret,
                                      struct cupel_error *err)
{
    if (image != Py_None && cupel_program_load(PyBytes_AsString(image), (size_t)PyBytes_Size(image),
                                               0, options, ret, err) == CUPEL_OK)
        return CUPEL_OK;
    return cupel_compile(PyBytes_AsString(schema), (size_t)PyBytes_Size(schema), options, ret, err);
}

static PyObject *make_validator(struct state *state, PyTypeObject *type,
                                const struct cupel_options *options, PyObject *schema,
                                PyObject *image, bool tuples)
{
    struct cupel_error err = {.status = CUPEL_OK};
    struct cupel_program *program;
    enum cupel_status status = cupel_options_check(options, &err);
    if (status == CUPEL_OK)
        status = make_program(options, schema, image, &program, &err);
    if (status != CUPEL_OK) {
        if (!PyErr_Occurred())
            raise_schema_error(state, status, &err);
        return NULL;
    }
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct validator *made = PyErr_Occurred() ? NULL : (struct validator *)alloc(type, 0);
    struct pool *pool = made != NULL ? pool_get(state, options) : NULL;
    if (pool == NULL) {
        cupel_program_free(program);
        Py_XDECREF((PyObject *)made);
        return NULL;
    }
    made->state = state;
    made->program = program;
    made->pool = pool;
    made->tuples = tuples;
    Py_INCREF(schema);
    made->schema = schema;
    return (PyObject *)made;
}

/* compile(type, schema, dialect, flags, limits, resolver, tuples, image, made): a validator that
 * keeps `made` for pickles. */
PyObject *module_compile(PyObject *module, PyObject *args)
{
    struct state *state = PyModule_GetState(module);
    PyObject *type, *schema, *limits, *function, *image, *origin;
    int dialect, tuples;
    unsigned flags;
    struct cupel_options options;
    if (!PyArg_ParseTuple(args, "OOiIOOpOO", &type, &schema, &dialect, &flags, &limits, &function,
                          &tuples, &image, &origin))
        return NULL;
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, state->validator_type) ||
        (image != Py_None && !PyBytes_Check(image))) {
        PyErr_SetString(PyExc_TypeError, "a subtype of Validator, and an image as bytes or None");
        return NULL;
    }
    cupel_options_init(&options);
    options.flags |= flags;
    options.dialect = (enum cupel_dialect)dialect;
    if (!set_limits(&options, limits))
        return NULL;
    struct resolver resolver = {function, NULL};
    PyObject *made = NULL, *text = schema_text(state, &options, schema);
    if (text != NULL && function != Py_None) {
        resolver.kept = PyList_New(0);
        options.resolver = resolve;
        options.resolver_ctx = &resolver;
    }
    if (text != NULL && (function == Py_None || resolver.kept != NULL))
        made = make_validator(state, (PyTypeObject *)type, &options, text, image, tuples != 0);
    if (made != NULL) {
        Py_INCREF(origin);
        ((struct validator *)made)->made = origin;
    }
    Py_XDECREF(resolver.kept);
    Py_XDECREF(text);
    return made;
}

/* -- Faults of schemas ----------------------------------------------------------------------- */

static int add_fault(void *ctx, const struct cupel_fault *f)
{
    PyObject *list = ctx;
    PyObject *made = Py_BuildValue("(sOIIKsssss)", cupel_status_name(f->status),
                                   f->is_warning ? Py_True : Py_False, f->line, f->column,
                                   (unsigned long long)f->offset, f->where, f->kind, f->detail,
                                   f->help, f->replacement);
    const int failed = made == NULL || PyList_Append(list, made) != 0;
    Py_XDECREF(made);
    return failed;
}

/* lint(schema, dialect, flags) */
PyObject *module_lint(PyObject *module, PyObject *args)
{
    struct state *state = PyModule_GetState(module);
    struct cupel_options options;
    PyObject *schema;
    int dialect;
    unsigned flags;
    if (!PyArg_ParseTuple(args, "OiI", &schema, &dialect, &flags))
        return NULL;
    cupel_options_init(&options);
    options.dialect = (enum cupel_dialect)dialect;
    options.flags |= flags;
    PyObject *text = schema_text(state, &options, schema);
    PyObject *list = text != NULL ? PyList_New(0) : NULL;
    if (list != NULL)
        (void)cupel_schema_check(PyBytes_AsString(text), (size_t)PyBytes_Size(text), &options,
                                 add_fault, list);
    Py_XDECREF(text);
    if (PyErr_Occurred())
        Py_CLEAR(list);
    return list;
}
