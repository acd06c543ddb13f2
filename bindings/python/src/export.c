/* export.c: Arrow arrays of Python buffers, and the parts of streams.
 *
 * The bytes are copied into memory of malloc, because consumers release arrays in any thread, with
 * or without the GIL.  An array and its children are released together or each on its own, as the
 * specification says. */
#include "export.h"

#include "arrow_abi.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* -- Schemas --------------------------------------------------------------------------------- */

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release != NULL)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    if (schema->dictionary != NULL && schema->dictionary->release != NULL)
        schema->dictionary->release(schema->dictionary);
    free(schema->dictionary);
    free(schema->children);
    free((void *)schema->format);
    free((void *)schema->name);
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release != NULL)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    if (array->dictionary != NULL && array->dictionary->release != NULL)
        array->dictionary->release(array->dictionary);
    for (int64_t i = 0; i < array->n_buffers; i++)
        free((void *)array->buffers[i]);
    free(array->dictionary);
    free(array->children);
    free(array->buffers);
    array->release = NULL;
}

/* -- From tuples ----------------------------------------------------------------------------- */

/* A copy of a bytes object, or of nothing for None; false with MemoryError. */
static bool copy_buffer(PyObject *object, const void **ret)
{
    *ret = NULL;
    if (object == Py_None)
        return true;
    char *bytes;
    Py_ssize_t len;
    if (PyBytes_AsStringAndSize(object, &bytes, &len) != 0)
        return false;
    char *copy = malloc(len > 0 ? (size_t)len : 1);
    if (copy == NULL) {
        PyErr_NoMemory();
        return false;
    }
    memcpy(copy, bytes, (size_t)len);
    *ret = copy;
    return true;
}

static char *copy_string(const char *z)
{
    const size_t len = strlen(z) + 1;
    char *copy = malloc(len);
    if (copy == NULL)
        PyErr_NoMemory();
    else
        memcpy(copy, z, len);
    return copy;
}

static void *zeroed(size_t count, size_t size)
{
    void *made = calloc(count > 0 ? count : 1, size);
    if (made == NULL)
        PyErr_NoMemory();
    return made;
}

static bool fill(PyObject *tree, struct ArrowSchema *schema, struct ArrowArray *array);

static bool fill_children(PyObject *children, struct ArrowSchema *schema, struct ArrowArray *array)
{
    const Py_ssize_t count = PyTuple_Size(children);
    schema->children = zeroed((size_t)count, sizeof *schema->children);
    array->children = zeroed((size_t)count, sizeof *array->children);
    if (schema->children == NULL || array->children == NULL)
        return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        struct ArrowSchema *child_schema = zeroed(1, sizeof *child_schema);
        struct ArrowArray *child_array = zeroed(1, sizeof *child_array);
        if (child_schema == NULL || child_array == NULL) {
            free(child_schema);
            free(child_array);
            return false;
        }
        schema->children[schema->n_children++] = child_schema;
        array->children[array->n_children++] = child_array;
        if (!fill(PyTuple_GetItem(children, i), child_schema, child_array))
            return false;
    }
    return true;
}

static bool fill_dictionary(PyObject *tree, struct ArrowSchema *schema, struct ArrowArray *array)
{
    if (tree == Py_None)
        return true;
    schema->dictionary = zeroed(1, sizeof *schema->dictionary);
    array->dictionary = zeroed(1, sizeof *array->dictionary);
    return schema->dictionary != NULL && array->dictionary != NULL &&
           fill(tree, schema->dictionary, array->dictionary);
}

static bool fill_buffers(PyObject *buffers, struct ArrowArray *array)
{
    const Py_ssize_t count = PyTuple_Size(buffers);
    array->buffers = zeroed((size_t)count, sizeof *array->buffers);
    if (array->buffers == NULL)
        return false;
    for (Py_ssize_t i = 0; i < count; i++, array->n_buffers++)
        if (!copy_buffer(PyTuple_GetItem(buffers, i), &array->buffers[i]))
            return false;
    return true;
}

/* Fills both structs from (format, name, length, null_count, buffers, children, dictionary).  Both
 * can be released afterwards, also when it fails. */
static bool fill(PyObject *tree, struct ArrowSchema *schema, struct ArrowArray *array)
{
    const char *format, *name;
    long long length, null_count;
    PyObject *buffers, *children, *dictionary;
    schema->release = release_schema;
    array->release = release_array;
    if (!PyArg_ParseTuple(tree, "ssLLOOO", &format, &name, &length, &null_count, &buffers,
                          &children, &dictionary))
        return false;
    schema->flags = ARROW_FLAG_NULLABLE;
    schema->format = copy_string(format);
    schema->name = copy_string(name);
    array->length = length;
    array->null_count = null_count;
    return schema->format != NULL && schema->name != NULL && fill_buffers(buffers, array) &&
           fill_children(children, schema, array) && fill_dictionary(dictionary, schema, array);
}

/* -- Capsules -------------------------------------------------------------------------------- */

static void free_schema_capsule(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, ARROW_SCHEMA_CAPSULE);
    if (schema->release != NULL)
        schema->release(schema);
    free(schema);
}

static void free_array_capsule(PyObject *capsule)
{
    struct ArrowArray *array = PyCapsule_GetPointer(capsule, ARROW_ARRAY_CAPSULE);
    if (array->release != NULL)
        array->release(array);
    free(array);
}

static PyObject *schema_capsule(struct ArrowSchema **ret)
{
    *ret = zeroed(1, sizeof **ret);
    return *ret != NULL ? PyCapsule_New(*ret, ARROW_SCHEMA_CAPSULE, free_schema_capsule) : NULL;
}

static PyObject *array_capsule(struct ArrowArray **ret)
{
    *ret = zeroed(1, sizeof **ret);
    return *ret != NULL ? PyCapsule_New(*ret, ARROW_ARRAY_CAPSULE, free_array_capsule) : NULL;
}

/* export(tree): the capsules of __arrow_c_array__. */
PyObject *module_export(PyObject *module, PyObject *tree)
{
    struct ArrowSchema *schema;
    struct ArrowArray *array;
    (void)module;
    PyObject *first = schema_capsule(&schema), *second = array_capsule(&array);
    PyObject *both = NULL;
    if (first != NULL && second != NULL && fill(tree, schema, array))
        both = PyTuple_Pack(2, first, second);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

/* column_length(array): the rows of an array. */
PyObject *module_column_length(PyObject *module, PyObject *capsule)
{
    (void)module;
    const struct ArrowArray *array = PyCapsule_GetPointer(capsule, ARROW_ARRAY_CAPSULE);
    return array != NULL ? PyLong_FromLongLong(array->length) : NULL;
}

static bool raise_stream(struct ArrowArrayStream *stream, int failed)
{
    const char *reason = stream->get_last_error(stream);
    if (failed != 0)
        PyErr_Format(PyExc_OSError, "the stream of arrays fails: %s",
                     reason != NULL ? reason : strerror(failed));
    return failed != 0;
}

/* read_stream(stream): (schema, [array, …]). */
PyObject *module_read_stream(PyObject *module, PyObject *capsule)
{
    (void)module;
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, ARROW_STREAM_CAPSULE);
    struct ArrowSchema *schema;
    PyObject *first = stream != NULL ? schema_capsule(&schema) : NULL;
    PyObject *list = first != NULL ? PyList_New(0) : NULL;
    bool good = list != NULL && !raise_stream(stream, stream->get_schema(stream, schema));
    while (good) {
        struct ArrowArray *array;
        PyObject *next = array_capsule(&array);
        good = next != NULL && !raise_stream(stream, stream->get_next(stream, array));
        const bool ended = good && array->release == NULL;
        good = good && (ended || PyList_Append(list, next) == 0);
        Py_XDECREF(next);
        if (ended)
            break;
    }
    PyObject *both = good ? PyTuple_Pack(2, first, list) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(list);
    return both;
}
