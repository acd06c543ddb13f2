/* module.c: the module `_core` and its type Validator. */
#include "extension.h"

#include "export.h"

/* -- Validator ------------------------------------------------------------------------------- */

static void validator_dealloc(PyObject *object)
{
    struct validator *self = (struct validator *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->pool != NULL)
        pool_put(self->state, self->pool);
    cupel_program_free(self->program);
    Py_XDECREF(self->schema);
    Py_XDECREF(self->made);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *validator_schema(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *schema = ((struct validator *)self)->schema;
    Py_INCREF(schema);
    return schema;
}

static PyObject *validator_made(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *made = ((struct validator *)self)->made;
    Py_INCREF(made);
    return made;
}

static PyObject *validator_image(PyObject *self, void *closure)
{
    size_t len;
    (void)closure;
    const void *image = cupel_program_image(((struct validator *)self)->program, &len);
    return PyBytes_FromStringAndSize(image, (Py_ssize_t)len);
}

#define FAST(function) ((PyCFunction)(void (*)(void))(function))

static PyMethodDef validator_methods[] = {
    {"is_valid_json", validator_is_valid_json, METH_O,
     PyDoc_STR(
         "is_valid_json($self, text, /)\n--\n\n"
         "Whether a JSON text is valid. JSONError if it is no JSON text, Undecided at a limit.")},
    {"validate_json", validator_validate_json, METH_O,
     PyDoc_STR("validate_json($self, text, /)\n--\n\n"
               "Raise ValidationError if a JSON text is not valid; else as is_valid_json.")},
    {"loads", validator_loads, METH_O,
     PyDoc_STR("loads($self, text, /)\n--\n\n"
               "The objects of a JSON text that is valid; else as validate_json.")},
    {"is_valid", validator_is_valid, METH_O,
     PyDoc_STR(
         "is_valid($self, value, /)\n--\n\n"
         "Whether objects are valid. TypeError where one is no JSON value, Undecided at a limit.")},
    {"validate", validator_validate, METH_O,
     PyDoc_STR("validate($self, value, /)\n--\n\n"
               "Raise ValidationError if objects are not valid; else as is_valid.")},
    {"check_many", validator_check_many, METH_O,
     PyDoc_STR("check_many($self, texts, /)\n--\n\n"
               "A byte for each text: 0 valid, 1 invalid, 2 undecided or no JSON text.")},
    {"_records", FAST(validator_records), METH_FASTCALL, NULL},
    {"_render", FAST(validator_render), METH_FASTCALL, NULL},
    {"_repair", FAST(validator_repair), METH_FASTCALL, NULL},
    {"_disassemble", validator_disassemble, METH_O, NULL},
    {"_check_column", validator_check_column, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef validator_members[] = {
    {"schema_text", validator_schema, NULL, "The text of the schema, bytes.", NULL},
    {"image", validator_image, NULL, "The compiled program, bytes.", NULL},
    {"_made", validator_made, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot validator_slots[] = {
    {Py_tp_dealloc, validator_dealloc},
    {Py_tp_methods, validator_methods},
    {Py_tp_getset, validator_members},
    {0, NULL},
};

static PyType_Spec validator_spec = {
    .name = "cupel_jsonschema._core.Validator",
    .basicsize = sizeof(struct validator),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = validator_slots,
};

/* -- The module ------------------------------------------------------------------------------ */

static PyMethodDef functions[] = {
    {"compile", module_compile, METH_VARARGS, NULL},
    {"lint", module_lint, METH_VARARGS, NULL},
    {"export", module_export, METH_O, NULL},
    {"column_length", module_column_length, METH_O, NULL},
    {"read_stream", module_read_stream, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static bool take_errors(struct state *state)
{
    PyObject *errors = PyImport_ImportModule("cupel_jsonschema._errors");
    if (errors == NULL)
        return false;
    state->json_error = PyObject_GetAttrString(errors, "JSONError");
    state->undecided = PyObject_GetAttrString(errors, "Undecided");
    state->schema_error = PyObject_GetAttrString(errors, "SchemaError");
    state->invalid = PyObject_GetAttrString(errors, "from_records");
    Py_DECREF(errors);
    return state->json_error != NULL && state->undecided != NULL && state->schema_error != NULL &&
           state->invalid != NULL;
}

static int module_exec(PyObject *module)
{
    struct state *state = PyModule_GetState(module);
    if (!take_errors(state) || PyModule_AddStringConstant(module, "version", cupel_version()) != 0)
        return -1;
    state->validator_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &validator_spec, NULL);
    if (state->validator_type == NULL || PyModule_AddType(module, state->validator_type) != 0)
        return -1;
    PyObject *tools = PyType_FromModuleAndSpec(module, tools_type(), NULL);
    const int failed = tools == NULL || PyModule_AddType(module, (PyTypeObject *)tools) != 0;
    Py_XDECREF(tools);
    return failed ? -1 : 0;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct state *state = PyModule_GetState(module);
    if (state == NULL)
        return 0;
    Py_VISIT(state->validator_type);
    Py_VISIT(state->json_error);
    Py_VISIT(state->undecided);
    Py_VISIT(state->schema_error);
    Py_VISIT(state->invalid);
    Py_VISIT(state->decimal);
    Py_VISIT(state->decimal_text);
    return 0;
}

static int module_clear(PyObject *module)
{
    struct state *state = PyModule_GetState(module);
    if (state == NULL)
        return 0;
    Py_CLEAR(state->validator_type);
    Py_CLEAR(state->json_error);
    Py_CLEAR(state->undecided);
    Py_CLEAR(state->schema_error);
    Py_CLEAR(state->invalid);
    Py_CLEAR(state->decimal);
    Py_CLEAR(state->decimal_text);
    for (int i = 0; i < NAME_CACHE; i++)
        Py_CLEAR(state->names[i].object);
    return 0;
}

static void module_free(void *module)
{
    (void)module_clear(module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL},
};

/* From 3.12 on a module says that interpreters with a GIL of their own may load it.  The limited
 * API of 3.11 has no names for this slot, and 3.11 refuses a slot that it does not know. */
enum {
    MOD_MULTIPLE_INTERPRETERS = 3,
    PER_INTERPRETER_GIL_SUPPORTED = 2,
    VERSION_3_12 = 0x030C0000
};

static PyModuleDef_Slot module_slots_3_12[] = {
    {Py_mod_exec, module_exec},
    {MOD_MULTIPLE_INTERPRETERS, (void *)PER_INTERPRETER_GIL_SUPPORTED},
    {0, NULL},
};

#define DEFINITION(slots)                                                              \
    {                                                                                  \
        PyModuleDef_HEAD_INIT, .m_name = "_core", .m_size = sizeof(struct state),      \
                               .m_methods = functions, .m_slots = (slots),             \
                               .m_traverse = module_traverse, .m_clear = module_clear, \
                               .m_free = module_free,                                  \
    }

static struct PyModuleDef definition = DEFINITION(module_slots);
static struct PyModuleDef definition_3_12 = DEFINITION(module_slots_3_12);

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(Py_Version >= VERSION_3_12 ? &definition_3_12 : &definition);
}
