/* report.c: what is wrong with a document, in records and texts, and repairs. */
#include "extension.h"

#include "cupel/debug.h"

/* -- Records --------------------------------------------------------------------------------- */

static PyObject *record_text(struct worker *w, uint32_t i, enum cupel_record_text what)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    (void)cupel_report_write(w->scratch, i, what, NULL, &text);
    PyObject *made = text_object(&text);
    cupel_text_free(&text);
    return made;
}

static PyObject *number_or_none(uint32_t number)
{
    if (number == CUPEL_NO_RECORD)
        Py_RETURN_NONE;
    return PyLong_FromUnsignedLong(number);
}

/* Puts a new object into a tuple; false if it is NULL. */
static bool put_item(PyObject *tuple, Py_ssize_t i, PyObject *item)
{
    return item != NULL && PyTuple_SetItem(tuple, i, item) == 0;
}

/* (code, keyword, pointer, schema_pointer, message, line, column, offset, absolute, index, group,
 * branch, is_problem) */
static PyObject *record_tuple(struct worker *w, uint32_t i)
{
    struct cupel_record record;
    uint64_t offset;
    uint32_t line, column;
    (void)cupel_report_record(w->scratch, i, &record);
    cupel_json_place(w->doc, record.node, &offset, &line, &column);
    PyObject *tuple = PyTuple_New(13);
    if (tuple != NULL && put_item(tuple, 0, PyUnicode_FromString(cupel_problem_id(record.code))) &&
        put_item(tuple, 1, record_text(w, i, CUPEL_RECORD_KEYWORD)) &&
        put_item(tuple, 2, record_text(w, i, CUPEL_RECORD_INSTANCE)) &&
        put_item(tuple, 3, record_text(w, i, CUPEL_RECORD_SCHEMA)) &&
        put_item(tuple, 4, record_text(w, i, CUPEL_RECORD_SENTENCE)) &&
        put_item(tuple, 5, PyLong_FromUnsignedLong(line)) &&
        put_item(tuple, 6, PyLong_FromUnsignedLong(column)) &&
        put_item(tuple, 7, PyLong_FromUnsignedLongLong(offset)) &&
        put_item(tuple, 8, record_text(w, i, CUPEL_RECORD_ABSOLUTE)) &&
        put_item(tuple, 9, PyLong_FromUnsignedLong(i)) &&
        put_item(tuple, 10, number_or_none(record.group)) &&
        put_item(tuple, 11, PyLong_FromUnsignedLong(record.branch)) &&
        put_item(tuple, 12, PyBool_FromLong(record.is_problem)))
        return tuple;
    Py_XDECREF(tuple);
    return NULL;
}

PyObject *report_list(struct validator *self, struct worker *w, bool all)
{
    struct cupel_report_counts counts;
    struct cupel_outcome outcome;
    PyObject *list = PyList_New(0);
    if (list == NULL)
        return NULL;
    if (cupel_report_run(self->program, w->scratch, w->doc, 0, all ? 0 : CUPEL_REPORT_PROBLEMS,
                         &outcome) == CUPEL_UNDECIDED) {
        Py_DECREF(list);
        raise_reason(self->state, outcome.reason, NULL);
        return NULL;
    }
    cupel_report_count(w->scratch, &counts);
    const uint32_t count = all ? counts.records : counts.problems;
    for (uint32_t i = 0; i < count; i++) {
        PyObject *tuple = record_tuple(w, all ? i : cupel_report_problem(w->scratch, i));
        if (tuple == NULL || PyList_Append(list, tuple) != 0) {
            Py_XDECREF(tuple);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(tuple);
    }
    return list;
}

/* -- Texts ----------------------------------------------------------------------------------- */

static PyObject *render(struct validator *self, struct worker *w, enum cupel_rendering rendering,
                        const struct cupel_render_options *options)
{
    struct cupel_outcome outcome;
    struct cupel_text text;
    PyObject *made = NULL;
    cupel_text_init(&text, NULL);
    if (cupel_render(self->program, w->scratch, w->doc, 0, rendering, options, &text, &outcome) ==
        CUPEL_UNDECIDED)
        raise_reason(self->state, outcome.reason, NULL);
    else
        made = text_object(&text);
    cupel_text_free(&text);
    return made;
}

PyObject *report_model(struct validator *self, struct worker *w, const char *tool, size_t len,
                       uint32_t flags)
{
    struct cupel_render_options options;
    cupel_render_options_init(&options);
    options.flags |= flags;
    options.tool = len > 0 ? tool : NULL;
    options.tool_len = len;
    return render(self, w, CUPEL_RENDER_MODEL, &options);
}

void raise_invalid(struct validator *self, struct worker *w)
{
    PyObject *model = report_model(self, w, NULL, 0, CUPEL_DOCUMENT);
    PyObject *records = model != NULL ? report_list(self, w, false) : NULL;
    PyObject *made = records != NULL && self->state->invalid != NULL
                         ? PyObject_CallFunctionObjArgs(self->state->invalid, records, model, NULL)
                         : NULL;
    if (made != NULL)
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    else if (!PyErr_Occurred()) /* the interpreter ends */
        PyErr_SetString(PyExc_RuntimeError, "the instance is not valid");
    Py_XDECREF(made);
    Py_XDECREF(records);
    Py_XDECREF(model);
}

/* A worker whose document has the value; NULL with an exception. */
static struct worker *worker_with(struct validator *self, PyObject *value, PyObject *is_json)
{
    struct worker *w = worker_get(self->pool);
    if (w != NULL && !document_fill(self, w, value, is_json == Py_True)) {
        worker_put(self->pool, w);
        return NULL;
    }
    return w;
}

static bool count_is(Py_ssize_t count, Py_ssize_t needed)
{
    if (count != needed)
        PyErr_Format(PyExc_TypeError, "%zd arguments are needed, not %zd", needed, count);
    return count == needed;
}

/* _records(value, is_json, all) */
PyObject *validator_records(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct validator *self = (struct validator *)object;
    struct worker *w = count_is(count, 3) ? worker_with(self, args[0], args[1]) : NULL;
    if (w == NULL)
        return NULL;
    PyObject *list = report_list(self, w, args[2] == Py_True);
    worker_put(self->pool, w);
    return list;
}

/* _render(value, is_json, rendering, flags, tool) */
PyObject *validator_render(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct validator *self = (struct validator *)object;
    struct cupel_render_options options;
    Py_ssize_t tool_len;
    if (!count_is(count, 5))
        return NULL;
    cupel_render_options_init(&options);
    const long rendering = PyLong_AsLong(args[2]), flags = PyLong_AsLong(args[3]);
    const char *tool = PyErr_Occurred() ? NULL : PyUnicode_AsUTF8AndSize(args[4], &tool_len);
    struct worker *w = tool != NULL ? worker_with(self, args[0], args[1]) : NULL;
    if (w == NULL)
        return NULL;
    options.flags = (uint32_t)flags;
    options.tool = tool_len > 0 ? tool : NULL;
    options.tool_len = (size_t)tool_len;
    PyObject *made = render(self, w, (enum cupel_rendering)rendering, &options);
    worker_put(self->pool, w);
    return made;
}

/* -- Repairs --------------------------------------------------------------------------------- */

static PyObject *repair(struct validator *self, struct worker *w)
{
    struct cupel_text patch, repaired;
    struct cupel_outcome outcome;
    PyObject *made = NULL;
    cupel_text_init(&patch, NULL);
    cupel_text_init(&repaired, NULL);
    const enum cupel_repair_result result =
        cupel_repair(self->program, w->scratch, w->doc, 0, &patch, &repaired, &outcome);
    if (result == CUPEL_REPAIR_UNDECIDED)
        raise_reason(self->state, outcome.reason, NULL);
    else if (patch.failed || repaired.failed)
        PyErr_NoMemory();
    else
        made = Py_BuildValue("(sy#y#)", cupel_repair_name(result), patch.len > 0 ? patch.bytes : "",
                             (Py_ssize_t)patch.len, repaired.len > 0 ? repaired.bytes : "",
                             (Py_ssize_t)repaired.len);
    cupel_text_free(&patch);
    cupel_text_free(&repaired);
    return made;
}

/* _repair(value, is_json) -> (result, patch, repaired) */
PyObject *validator_repair(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct validator *self = (struct validator *)object;
    struct worker *w = count_is(count, 2) ? worker_with(self, args[0], args[1]) : NULL;
    if (w == NULL)
        return NULL;
    PyObject *made = repair(self, w);
    worker_put(self->pool, w);
    return made;
}

/* disassemble(report) */
PyObject *validator_disassemble(PyObject *object, PyObject *report)
{
    struct validator *self = (struct validator *)object;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_program_disasm(self->program, report == Py_True, &text);
    PyObject *made = text_object(&text);
    cupel_text_free(&text);
    return made;
}
