#!/usr/bin/env python3
"""Writes null_calls.inc: each function of the public headers, called with NULL for each of its pointers in turn.

usage: null_calls.py INCLUDE_DIRECTORY OUTPUT

null_calls.c includes it and runs the calls.  The arguments of a call are samples: a function `sample_…` of null_calls.c
for each type, or for a parameter of one function the entry of SAMPLES.  The rule that the calls test is in docs/hosts.md,
"NULL": a parameter that the line "NULL:" of the function's comment names may be NULL; the others are refused.
"""
import re
import sys

import prototypes

# Samples of parameters by "type name", or for one function by "function.name".
SAMPLES = {
    "const char * schema": "schema_text", "const char * request": "call_text", "const void * image": "image()",
    "const void * bytes": "schema_text", "const char * text": "schema_text", "const char * name": '"add"',
    "const char * id": '"add"', "const char * pattern": '"add"', "const char * bytes": "schema_text", "const char * z": '"z"',
    "const char * format": '"100 %%"', "const char * pass": '"lower"', "const char * key": '"a"', "const char * a": '"a"',
    "const char * b": '"a"', "const char * method": '"tools/call"', "const char * cursor": "NULL", "const char * base": "column_base",
    "const char * version": '"2025-06-18"',
    "size_t len": "strlen(schema_text)", "size_t a_len": "1", "size_t b_len": "1", "size_t method_len": "10",
    "size_t cursor_len": "0", "size_t id_len": "3", "size_t most": "64", "size_t count": "1",
    "uint32_t count": "1", "uint32_t readers": "1", "uint32_t tool": "tool_node()", "uint32_t schema": "tool_schema_node()",
    "enum cupel_mcp_profile profile": "CUPEL_MCP_2026_07_28", "enum cupel_target target": "CUPEL_TARGET_OPENAI",
    "cupel_catalog_add.text": "list_text", "cupel_catalog_add.len": "strlen(list_text)",
    "cupel_catalog_find.len": "3", "cupel_catalog_find_id.len": "3", "cupel_declared_tool_find.len": "3",
    "cupel_rule_meaning.id": '"root-type"', "cupel_target_find.name": '"openai"', "cupel_target_find.len": "6",
    "cupel_call_check.len": "strlen(call_text)", "cupel_list_request_check.request": "list_request_text",
    "cupel_list_request_check.len": "strlen(list_request_text)", "cupel_request_check.text": "call_text",
    "cupel_request_check.len": "strlen(call_text)", "cupel_result_check.text": "result_text",
    "cupel_result_check.len": "strlen(result_text)", "cupel_result_check_node.node": "result_node()",
    "cupel_program_load.len": "image_len()", "cupel_catalog_load.image": "catalog_image()",
    "cupel_catalog_load.len": "catalog_image_len()", "cupel_catalog_add_image.image": "catalog_image()",
    "cupel_catalog_add_image.len": "catalog_image_len()", "cupel_catalog_image_check.image": "catalog_image()",
    "cupel_catalog_image_check.len": "catalog_image_len()", "cupel_lock_load.text": "lock_text()",
    "cupel_catalog_lock_load.text": "lock_text()", "cupel_catalog_lock_load.len": "strlen(lock_text())",
    "cupel_lock_load.len": "strlen(lock_text())", "cupel_capabilities_read.text": "capabilities_text",
    "cupel_capabilities_read.len": "strlen(capabilities_text)", "cupel_list_page_read.doc": "sample_list()",
    "cupel_target_check.doc": "sample_list()", "cupel_target_export.doc": "sample_list()",
    "cupel_elicitation_check.doc": "sample_list()", "cupel_message_read.doc": "sample_message()",
    "cupel_result_check_node.doc": "sample_result()", "cupel_json_string.node": "string_node()",
    "cupel_json_is.node": "string_node()", "cupel_json_is.text": '"b"', "cupel_json_double.node": "number_node()",
    "cupel_json_integer.node": "number_node()", "cupel_json_member.len": "1", "cupel_document_add_number.text": '"1"',
    "cupel_document_add_number.len": "1", "cupel_document_add_string.len": "1", "cupel_document_add_name.len": "1", "cupel_document_add_name.doc": "sample_open_object()",
    "cupel_document_close.doc": "sample_open_object()", "cupel_document_end.doc": "sample_complete()",
    "cupel_protocol_version_known.len": "10", "cupel_repair.repaired": "&second_text", "cupel_protocol_name.name": '"Name"', "cupel_protocol_name.len": "4",
    "cupel_protocol_name.place": "CUPEL_PLACE_PARAMS", "cupel_slot_publish_catalog.catalog": "new_catalog()",
    "cupel_slot_publish_program.program": "new_program()", "cupel_scratch_free.scratch": "new_scratch()",
    "cupel_program_free.program": "new_program()", "cupel_catalog_free.catalog": "new_catalog()",
    "cupel_slot_free.slot": "new_slot()", "cupel_slot_publish_catalog.slot": "new_slot()",
    "cupel_slot_publish_program.slot": "new_slot()", "cupel_catalog_add.catalog": "new_catalog()",
    "cupel_catalog_add_image.catalog": "new_catalog()", "cupel_arguments_decode.ret": "&decoded",
    "cupel_arguments_decode.doc": "sample_message()", "cupel_arguments_decode.node": "CUPEL_NO_NODE",
    "cupel_document_add_string.doc": "sample_open_array()",
    "cupel_document_add_boolean.doc": "sample_open_array()",
    "cupel_document_add_null.doc": "sample_open_array()",
    "cupel_document_add_integer.doc": "sample_open_array()",
    "cupel_document_add_unsigned.doc": "sample_open_array()",
    "cupel_document_add_number.doc": "sample_open_array()",
    "cupel_document_add_double.doc": "sample_open_array()",
    "cupel_document_open_object.doc": "sample_open_array()", "cupel_document_open_array.doc": "sample_open_array()",
    "cupel_annotate.program": "annotated()", "cupel_report_write.base": '"https://example.com/s"',
}


OPTIONS_SIZE = "sizeof(struct {})"
# What may be NULL in every function: docs/hosts.md.
ALWAYS = re.compile(r"const struct cupel_(\w*options|alloc) \*|struct cupel_error \*|struct cupel_\w*outcome \*|cupel_\w+ \*")


def may_be_null(function, parameter):
    return bool(parameter.name in function.may_be_null or parameter.name == "ctx" or ALWAYS.fullmatch(parameter.type)
                or function.name.endswith("_free"))


def identifier(kind):
    return "sample_" + "_".join(kind.replace("*", " p ").split())


# Members of `struct result` and static objects of null_calls.c that functions fill in.
RESULTS = {"struct cupel_outcome *": "&outcome", "struct cupel_call_outcome *": "&call_outcome",
           "struct cupel_result_outcome *": "&result_outcome", "struct cupel_error *": "&detail"}


def sample(function, parameter):
    own = SAMPLES.get(f"{function.name}.{parameter.name}") or SAMPLES.get(f"{parameter.type} {parameter.name}")
    if own:
        return own
    if parameter.type in RESULTS:
        return RESULTS[parameter.type]
    if parameter.name.startswith("ret") or parameter.type == "struct cupel_message_problem *" or "_init" in function.name:
        return f"({parameter.type})out.bytes" if is_pointer(parameter) else OPTIONS_SIZE.format(function.name[:-len("_init_sized")])
    if parameter.name == "verdicts":
        return "out.bytes"
    if parameter.type.startswith("cupel_"):
        return parameter.type[len("cupel_"):].replace("_program *", "").removesuffix(" *")
    if parameter.type == "void *":
        return "&decoded"
    return f"{identifier(parameter.type)}()" if is_pointer(parameter) else "0"


def is_pointer(parameter):
    return parameter.is_pointer or parameter.type.startswith("cupel_") and parameter.type.endswith("*")


def call(function):
    """The C function that makes the call, with NULL for pointer number `null`."""
    arguments = [f"null == {i} ? NULL : {sample(function, p)}" if is_pointer(p) else sample(function, p)
                 for i, p in enumerate(function.parameters)]
    made = f"{function.name}({', '.join(arguments)})"
    kind = function.returns.replace("CUPEL_MUST_CHECK ", "")
    result = made if kind == "void" else f"result->value = (intptr_t){made}"
    return f"static void call_{function.name}(int null, struct result *result)\n{{\n    (void)result;\n    {result};\n}}\n"


def call_unknown(function):
    """The C function that asks for the name of a number that the enumeration does not have."""
    kind = function.parameters[0].type
    test = 'strcmp(name, "?") != 0' if function.name.endswith("_name") else "strlen(name) == 0"
    return (f"static void call_{function.name}(int null, struct result *result)\n{{\n    (void)null;\n"
            f"    const char *name = {function.name}(({kind})12345);\n    result->value = name != NULL && {test};\n}}\n")


def kind_of(function):
    kind = function.returns.replace("CUPEL_MUST_CHECK ", "")
    if kind.startswith("enum"):
        return kind.split()[1].upper()
    return "POINTER" if kind.endswith("*") else kind.upper()


def main():
    functions = [f for f in prototypes.all_functions(sys.argv[1]) if any(is_pointer(p) for p in f.parameters)]
    names = [f for f in prototypes.all_functions(sys.argv[1])
             if f.returns == "const char *" and [p.type.split()[0] for p in f.parameters] == ["enum"]]
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write("/* Written by tests/api/null_calls.py. */\n\n")
        out.write("\n".join(call(f) for f in functions))
        out.write("\n".join(call_unknown(f) for f in names))
        out.write("\nstatic const struct row rows[] = {\n")
        for f in names:
            out.write(f'    {{"{f.name}", "an unknown number", call_{f.name}, 0, 0, RETURNS_INT}},\n')
        for f in functions:
            for i, p in enumerate(f.parameters):
                if is_pointer(p):
                    out.write(f'    {{"{f.name}", "{p.name}", call_{f.name}, {i}, {int(may_be_null(f, p))}, '
                              f"RETURNS_{kind_of(f)}}},\n")
        out.write("};\n")


if __name__ == "__main__":
    main()
