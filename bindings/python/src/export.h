/* export.h: functions of export.c for the module. */
#ifndef CUPEL_PYTHON_EXPORT_H
#define CUPEL_PYTHON_EXPORT_H

#include "extension.h"

PyObject *module_column_length(PyObject *module, PyObject *capsule);
PyObject *module_read_stream(PyObject *module, PyObject *capsule);

#endif
