/* extension.h: what the files of the extension module `_core` share.
 *
 * The module keeps all that changes in its state, one for each interpreter.  Everything in it is
 * used with the GIL held; a thread that judges without the GIL has a worker of its own.  The
 * extension uses the limited API of CPython 3.11 alone. */
#ifndef CUPEL_PYTHON_EXTENSION_H
#define CUPEL_PYTHON_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "cupel/cupel.h"
#include <stdbool.h>

/* A text of this many bytes or more is read and judged without the GIL. */
enum { RELEASE_BYTES = 4096 };

/* What one thread needs to judge. */
struct worker {
    struct cupel_scratch *scratch;
    struct cupel_document *doc;
    struct frame *frames; /* of objects.c and loads.c */
    size_t frame_count;
    struct worker *next;
};

/* Idle workers for one set of instance options.  Validators with equal options share a pool. */
struct pool {
    struct cupel_options options;
    struct worker *idle;
    unsigned idle_count, users;
    struct pool *next;
};

enum { NAME_CACHE = 2048, CACHED_NAME_BYTES = 48 };

/* A member's name as the last objects that loads() made have it. */
struct cached_name {
    PyObject *object; /* NULL: none */
    const char *bytes;
    Py_ssize_t len;
};

struct state {
    PyTypeObject *validator_type;
    PyObject *json_error, *undecided, *invalid, *schema_error; /* callables of _errors.py */
    PyObject *decimal;                                         /* decimal.Decimal */
    PyObject *decimal_text;                                    /* its method __str__ */
    struct pool *pools;
    struct cached_name names[NAME_CACHE];
};

/* The type Validator: immutable once made. */
struct validator {
    PyObject_HEAD struct state *state;
    struct cupel_program *program;
    struct pool *pool;
    PyObject *schema; /* bytes */
    PyObject *made;   /* how it was compiled, for pickles */
    bool tuples;      /* tuples are arrays */
};

/* -- pool.c ---------------------------------------------------------------------------------- */

/* The pool for the options, with one more user; NULL with MemoryError. */
struct pool *pool_get(struct state *state, const struct cupel_options *options);
void pool_put(struct state *state, struct pool *pool);

/* An idle worker, or a new one; NULL with MemoryError.  worker_put gives it back. */
struct worker *worker_get(struct pool *pool);
void worker_put(struct pool *pool, struct worker *worker);

/* -- text.c ---------------------------------------------------------------------------------- */

/* The bytes of a str or of an object with the buffer protocol. */
struct text {
    const char *bytes;
    size_t len;
    Py_buffer view;
    bool has_view;
};

/* Takes the bytes of `object`; false with TypeError, or JSONError where a str has a lone surrogate.
 * text_put gives them back. */
bool text_get(struct state *state, PyObject *object, struct text *ret);
void text_put(struct text *text);

/* Raises JSONError where a text is no JSON, Undecided for every other reason.  `err` may be NULL.
 */
void raise_reason(struct state *state, enum cupel_status reason, const struct cupel_error *err);

/* A str of a text of the library; NULL with an exception. */
PyObject *text_object(const struct cupel_text *text);

/* -- objects.c ------------------------------------------------------------------------------- */

/* Makes a document of Python objects.  False with TypeError (no JSON value), JSONError (NaN, lone
 * surrogates) or Undecided (too deep, too large). */
bool document_build(struct state *state, struct worker *worker, PyObject *object, bool tuples);

/* -- loads.c --------------------------------------------------------------------------------- */

/* Makes Python objects of the worker's document; NULL with an exception. */
PyObject *document_objects(struct state *state, struct worker *worker);

/* -- report.c -------------------------------------------------------------------------------- */

/* What is wrong with the worker's document: a list of tuples (_core.pyi), or NULL with an
 * exception. `all`: every record and not the problems alone. */
PyObject *report_list(struct validator *self, struct worker *worker, bool all);

/* The text for a language model. */
PyObject *report_model(struct validator *self, struct worker *worker, const char *tool, size_t len,
                       uint32_t flags);

/* Raises ValidationError for the worker's document, which was found invalid. */
void raise_invalid(struct validator *self, struct worker *worker);

/* Methods of Validator. */
PyObject *validator_records(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *validator_render(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *validator_repair(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *validator_disassemble(PyObject *self, PyObject *report);

/* -- judge.c --------------------------------------------------------------------------------- */

/* Fills the worker's document from a text or from objects; false with an exception. */
bool document_fill(struct validator *self, struct worker *worker, PyObject *value, bool is_json);

PyObject *validator_is_valid_json(PyObject *self, PyObject *text);
PyObject *validator_validate_json(PyObject *self, PyObject *text);
PyObject *validator_loads(PyObject *self, PyObject *text);
PyObject *validator_is_valid(PyObject *self, PyObject *value);
PyObject *validator_validate(PyObject *self, PyObject *value);
PyObject *validator_check_many(PyObject *self, PyObject *texts);

/* -- compile.c ------------------------------------------------------------------------------- */

PyObject *module_compile(PyObject *module, PyObject *args);
PyObject *module_lint(PyObject *module, PyObject *args);

/* -- columns.c ------------------------------------------------------------------------------- */

PyObject *validator_check_column(PyObject *self, PyObject *args);
PyObject *module_export(PyObject *module, PyObject *tree);

/* -- tools.c --------------------------------------------------------------------------------- */

PyType_Spec *tools_type(void);

#endif
