/* columns.c: judging Arrow columns.
 *
 * The column belongs to the capsules that its producer made; it is read and never changed.  The
 * rows are judged without the GIL.  The result is a code for each row, of which columns.py makes
 * arrays. */
#include "extension.h"

#include "arrow_abi.h"
#include <string.h>

/* The code of a row; columns.py has them too. */
enum row { ROW_OK, ROW_INVALID, ROW_UNDECIDED, ROW_NOT_JSON, ROW_NULL };

enum { BLOCK = 1024 };

/* How the column stores its rows. */
enum layout { LAYOUT_32, LAYOUT_64, LAYOUT_VIEW, LAYOUT_UNKNOWN };

struct column {
    const struct ArrowArray *array;
    enum layout layout;
};

static enum layout layout_of(const char *format)
{
    if (strcmp(format, "u") == 0 || strcmp(format, "z") == 0)
        return LAYOUT_32;
    if (strcmp(format, "U") == 0 || strcmp(format, "Z") == 0)
        return LAYOUT_64;
    if (strcmp(format, "vu") == 0 || strcmp(format, "vz") == 0)
        return LAYOUT_VIEW;
    return LAYOUT_UNKNOWN;
}

static bool is_null(const struct ArrowArray *array, int64_t row)
{
    const uint8_t *bits = array->buffers[0];
    return bits != NULL && (bits[row >> 3] >> (row & 7) & 1) == 0;
}

/* The text of a row; false if the offsets of the column are wrong. */
static bool row_text(const struct column *column, int64_t row, const char **ret, size_t *ret_len)
{
    const struct ArrowArray *array = column->array;
    if (column->layout == LAYOUT_VIEW) {
        enum { INLINE_BYTES = 12 };
        const char *view = (const char *)array->buffers[1] + row * 16;
        int32_t parts[4];
        memcpy(parts, view, sizeof parts);
        *ret_len = (size_t)parts[0];
        if (parts[0] < 0)
            return false;
        if (parts[0] <= INLINE_BYTES) {
            *ret = view + 4;
            return true;
        }
        if (parts[2] < 0 || parts[2] >= array->n_buffers - 3 || parts[3] < 0)
            return false;
        *ret = (const char *)array->buffers[2 + parts[2]] + parts[3];
        return true;
    }
    int64_t begin, end;
    if (column->layout == LAYOUT_32) {
        begin = ((const int32_t *)array->buffers[1])[row];
        end = ((const int32_t *)array->buffers[1])[row + 1];
    } else {
        begin = ((const int64_t *)array->buffers[1])[row];
        end = ((const int64_t *)array->buffers[1])[row + 1];
    }
    *ret = array->buffers[2] != NULL ? (const char *)array->buffers[2] + begin : "";
    *ret_len = (size_t)(end - begin);
    return begin >= 0 && end >= begin;
}

static uint8_t code_of(enum cupel_verdict verdict, enum cupel_status reason)
{
    if (verdict != CUPEL_UNDECIDED)
        return verdict == CUPEL_VALID ? ROW_OK : ROW_INVALID;
    return reason <= CUPEL_E_SYNTAX && reason >= CUPEL_E_DUPLICATE_KEY ? ROW_NOT_JSON
                                                                       : ROW_UNDECIDED;
}

static bool judge_row(struct validator *self, struct worker *w, const struct column *column,
                      int64_t row, uint8_t *ret)
{
    struct cupel_outcome outcome;
    const char *text;
    size_t len;
    if (!row_text(column, row, &text, &len))
        return false;
    const enum cupel_verdict verdict =
        cupel_validate(self->program, w->scratch, text, len, &outcome);
    *ret = code_of(verdict, outcome.reason);
    return true;
}

/* Judges `count` rows from `row` on, which have offsets, in one call. */
static bool judge_offsets(struct validator *self, struct worker *w, const struct column *column,
                          int64_t row, int64_t count, uint8_t *codes)
{
    int64_t widened[BLOCK + 1];
    const int64_t *offsets = (const int64_t *)column->array->buffers[1] + row;
    const char *base = column->array->buffers[2];
    if (column->layout == LAYOUT_32) {
        for (int64_t i = 0; i <= count; i++)
            widened[i] = ((const int32_t *)column->array->buffers[1])[row + i];
        offsets = widened;
    }
    return cupel_validate_many(self->program, w->scratch, base != NULL ? base : "", offsets,
                               (size_t)count, codes) == CUPEL_OK;
}

/* Judges a block of rows; their codes distinguish nulls and texts that are no JSON. */
static bool judge_block(struct validator *self, struct worker *w, const struct column *column,
                        int64_t row, int64_t count, uint8_t *codes)
{
    const bool at_once = column->layout != LAYOUT_VIEW;
    if (at_once && !judge_offsets(self, w, column, row, count, codes))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (is_null(column->array, row + i))
            codes[i] = ROW_NULL;
        else if ((!at_once || codes[i] == ROW_UNDECIDED) &&
                 !judge_row(self, w, column, row + i, &codes[i]))
            return false;
    }
    return true;
}

static bool judge_rows(struct validator *self, struct worker *w, const struct column *column,
                       int64_t start, int64_t count, uint8_t *codes)
{
    for (int64_t done = 0; done < count; done += BLOCK) {
        const int64_t n = count - done < BLOCK ? count - done : BLOCK;
        if (!judge_block(self, w, column, column->array->offset + start + done, n, codes + done))
            return false;
    }
    return true;
}

/* _check_column(schema, array, start, stop): the codes of rows as bytes. */
PyObject *validator_check_column(PyObject *object, PyObject *args)
{
    struct validator *self = (struct validator *)object;
    PyObject *schema_capsule, *array_capsule;
    long long start, stop;
    if (!PyArg_ParseTuple(args, "OOLL", &schema_capsule, &array_capsule, &start, &stop))
        return NULL;
    const struct ArrowSchema *schema = PyCapsule_GetPointer(schema_capsule, ARROW_SCHEMA_CAPSULE);
    const struct ArrowArray *array =
        schema != NULL ? PyCapsule_GetPointer(array_capsule, ARROW_ARRAY_CAPSULE) : NULL;
    if (array == NULL)
        return NULL;
    const struct column column = {array, layout_of(schema->format)};
    if (column.layout == LAYOUT_UNKNOWN || schema->dictionary != NULL)
        return PyErr_Format(PyExc_TypeError, "a column of strings or binaries is needed, not %s",
                            schema->dictionary != NULL ? "a dictionary" : schema->format);
    if (start < 0 || stop < start || stop > array->length) {
        PyErr_SetString(PyExc_IndexError, "the column has no such rows");
        return NULL;
    }
    PyObject *codes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(stop - start));
    struct worker *w = codes != NULL ? worker_get(self->pool) : NULL;
    bool good = w != NULL;
    if (good) {
        uint8_t *to = (uint8_t *)PyBytes_AsString(codes);
        Py_BEGIN_ALLOW_THREADS good = judge_rows(self, w, &column, start, stop - start, to);
        Py_END_ALLOW_THREADS worker_put(self->pool, w);
        if (!good)
            PyErr_SetString(PyExc_ValueError, "the column has offsets that decrease");
    }
    if (!good)
        Py_CLEAR(codes);
    return codes;
}
