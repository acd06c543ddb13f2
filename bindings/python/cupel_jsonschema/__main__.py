"""The command: python -m cupel_jsonschema validate | lint | tools check.

Exit status: 0 all is well, 1 something is not valid, 2 something was not decided or could not be read.
"""
from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Sequence

from . import JSONError, SchemaError, Undecided, Validator, __version__, compile, lint

_OK, _INVALID, _TROUBLE = 0, 1, 2


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else pathlib.Path(name).read_bytes()


def _judge(validator: Validator, name: str, text: bytes) -> int:
    try:
        errors = list(validator.iter_errors_json(text))
    except JSONError as error:
        print(f"{name}:{error.line}:{error.column}: not JSON: {error.detail}")
        return _TROUBLE
    except Undecided as error:
        print(f"{name}: undecided: {error}")
        return _TROUBLE
    for error in errors:
        print(f"{name}:{error.line}:{error.column}: {error.pointer or 'the value'}: {error.message} [{error.keyword}]")
    return _INVALID if errors else _OK


def _validate(arguments: argparse.Namespace) -> int:
    validator = compile(_read(arguments.schema), dialect=arguments.dialect, formats=arguments.formats)
    status = _OK
    for name in arguments.documents:
        status = max(status, _judge(validator, name, _read(name)))
    return status


def _lint(arguments: argparse.Namespace) -> int:
    status = _OK
    for name in arguments.schemas:
        for fault in lint(_read(name), dialect=arguments.dialect):
            kind = "warning" if fault.is_warning else "error"
            print(f"{name}:{fault.line}:{fault.column}: {kind}: {fault.detail}" + (f" ({fault.help})" if fault.help else ""))
            status = max(status, _OK if fault.is_warning else _INVALID)
    return status


def _tools_check(arguments: argparse.Namespace) -> int:
    from .mcp import Catalog

    status = _OK
    for name in arguments.lists:
        for tool in Catalog(_read(name)).tools:
            for problem in tool["problems"]:
                print(f"{name}: {tool['name']}: {problem['severity']}: {problem['message']} [{problem['rule']}]")
            status = max(status, _INVALID if tool["verdict"] == "invalid" else _OK)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cupel_jsonschema", description="Validates JSON documents by JSON Schema.")
    parser.add_argument("--version", action="version", version=__version__)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    validate = verbs.add_parser("validate", help="judge documents by a schema")
    validate.add_argument("schema", help="a file, or - for the standard input")
    validate.add_argument("documents", nargs="+", metavar="document")
    validate.add_argument("--formats", action="store_true", help="`format` asserts")
    validate.set_defaults(run=_validate)
    check = verbs.add_parser("lint", help="find the faults of schemas")
    check.add_argument("schemas", nargs="+", metavar="schema")
    check.set_defaults(run=_lint)
    for verb in (validate, check):
        verb.add_argument("--dialect", help="of schemas without $schema, such as draft-07")
    tools = verbs.add_parser("tools", help="tools of the Model Context Protocol").add_subparsers(required=True)
    listed = tools.add_parser("check", help="check the tools of a tools/list result")
    listed.add_argument("lists", nargs="+", metavar="list")
    listed.set_defaults(run=_tools_check)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    try:
        return int(arguments.run(arguments))
    except (OSError, JSONError, SchemaError, Undecided) as error:
        print(f"cupel_jsonschema: {error}", file=sys.stderr)
        return _TROUBLE


if __name__ == "__main__":
    sys.exit(main())
