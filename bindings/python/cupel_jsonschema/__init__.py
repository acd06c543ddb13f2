"""JSON Schema, from bytes to a verdict.

>>> import cupel_jsonschema
>>> v = cupel_jsonschema.compile({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}})
>>> v.is_valid_json(b'{"id": 7}')
True
>>> v.is_valid({"id": "seven"})
False
>>> v.validate_json(b'{"id": "seven"}')
Traceback (most recent call last):
...
cupel_jsonschema.ValidationError: /id: expected integer, found string

A schema is compiled once into a Validator, which is immutable and used by any number of threads.  Every text has one of
three outcomes: valid, invalid, or undecided where a limit was reached; undecided is an exception and never a verdict.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _core
from ._errors import JSONError, SchemaError, Undecided, ValidationError, from_record

if TYPE_CHECKING:
    from typing_extensions import Buffer

    Text = Union[Buffer, str]
    Schema = Union[Mapping[str, Any], bool, str, bytes]
    Registry = Union[Mapping[str, Schema], Callable[[str], "Schema | None"], object]

__all__ = ["Fault", "JSONError", "Repair", "SchemaError", "Undecided", "ValidationError", "Validator", "compile",
           "lint"]
__version__ = _core.version

_DIALECTS = {"default": 0, "draft-04": 4, "draft-06": 6, "draft-07": 7, "2019-09": 2019, "2020-12": 2020}
_ASSERT_FORMAT = 1 << 9  # CUPEL_ASSERT_FORMAT
_MODEL, _DOCUMENT = 0, 1 << 2  # CUPEL_RENDER_MODEL, CUPEL_DOCUMENT


class Repair(NamedTuple):
    """What a repair came to."""

    result: str
    """``"repaired"``, ``"not-needed"``, ``"impossible"`` or ``"ambiguous"``."""
    patch: list[dict[str, Any]]
    """The changes, as JSON Patch (RFC 6902); empty unless repaired."""
    text: bytes
    """The repaired text; empty unless repaired."""


class Fault(NamedTuple):
    """A fault of a schema, or a warning."""

    code: str
    is_warning: bool
    line: int
    column: int
    offset: int
    pointer: str
    kind: str
    detail: str
    help: str
    replacement: str


class Validator(_core.Validator):
    """A compiled schema.  Made by `compile`; immutable; any number of threads may use it.

    >>> v = compile(b'{"type": "array", "items": {"type": "integer"}}')
    >>> v.loads(b'[1, 2]')
    [1, 2]
    >>> v.check_many([b'[1]', b'["a"]', b'[1'])
    b'\\x00\\x01\\x02'
    """

    __slots__ = ()

    def iter_errors(self, value: object) -> Iterator[ValidationError]:
        """The problems of objects, in order; none if they are valid.

        >>> [e.pointer for e in compile({"items": {"type": "null"}}).iter_errors([1, None, 2])]
        ['/0', '/2']
        """
        return self._errors_of(value, False)

    def iter_errors_json(self, text: Text) -> Iterator[ValidationError]:
        """The problems of a JSON text, with line and column.

        >>> [(e.line, e.column) for e in compile({"items": {"type": "null"}}).iter_errors_json('[1,\\n 2]')]
        [(1, 2), (2, 2)]
        """
        return self._errors_of(text, True)

    def _errors_of(self, value: object, is_json: bool) -> Iterator[ValidationError]:
        records = self._records(value, is_json, False)
        model = self._render(value, is_json, _MODEL, _DOCUMENT, "") if records else ""
        return iter([from_record(record, model) for record in records])

    def model_message(self, value: object, *, tool: str = "") -> str:
        """What is wrong with objects, for a language model that shall write them anew; "" if nothing is.

        >>> print(compile({"required": ["path"]}).model_message({}, tool="read"))
        tool "read": 1 problem in the arguments
        - path: required, missing
        """
        return self._render(value, False, _MODEL, 0, tool)

    def model_message_json(self, text: Text, *, tool: str = "") -> str:
        """The same for a JSON text."""
        return self._render(text, True, _MODEL, 0, tool)

    def repair(self, value: object) -> Repair:
        """Changes that make objects valid and that are beyond doubt, such as "5" where an integer belongs.

        >>> compile({"properties": {"n": {"type": "integer"}}}).repair({"n": "5"}).text
        b'{"n":5}'
        """
        return _repair(*self._repair(value, False))

    def repair_json(self, text: Text) -> Repair:
        """The same for a JSON text."""
        return _repair(*self._repair(text, True))

    def check_arrow(self, array: object, *, jobs: int = 1, undecided: str = "raise") -> Any:
        """`cupel_jsonschema.arrow.check` of this validator."""
        from . import arrow

        return arrow.check(self, array, jobs=jobs, undecided=undecided)

    def explain(self, document: object) -> Any:
        """Why a document is valid or not: an object that a notebook shows as HTML."""
        from . import notebook

        return notebook.Explanation(self, document)

    def disassemble(self, *, report: bool = False) -> str:
        """The program, in words: of the verdict, or of the report."""
        return self._disassemble(report)

    def _repr_html_(self) -> str:
        from . import notebook

        return notebook.program_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickle, (__version__, self.schema_text, self.image, *self._made))

    def __repr__(self) -> str:
        text = self.schema_text.decode(errors="replace")
        return f"<Validator {text if len(text) <= 60 else text[:57] + '...'}>"


def _repair(result: str, patch: bytes, text: bytes) -> Repair:
    return Repair(result, json.loads(patch) if patch else [], text)


def dialect_number(dialect: str | int | None) -> int:
    """The library's number of a dialect: ``"draft-07"``, ``"2020-12"``, a URI of ``$schema``, or None."""
    if dialect is None:
        return 0
    name = str(dialect).rstrip("#").removesuffix("/schema")
    for prefix in ("https://json-schema.org/", "http://json-schema.org/", "draft/"):
        name = name.removeprefix(prefix)
    name = {"draft4": "draft-04", "draft6": "draft-06", "draft7": "draft-07", "4": "draft-04", "6": "draft-06",
            "7": "draft-07", "2019": "2019-09", "2020": "2020-12", "draft201909": "2019-09",
            "draft202012": "2020-12"}.get(name, name)
    try:
        return _DIALECTS[name]
    except KeyError:
        raise SchemaError("DIALECT", f"{dialect!r} is not a known dialect") from None


def _flags(formats: bool | None) -> int:
    return _ASSERT_FORMAT if formats else 0


def _schema_bytes(schema: Any) -> bytes:
    if isinstance(schema, bytes):
        return schema
    return schema.encode() if isinstance(schema, str) else json.dumps(schema).encode()


def _resolver(registry: Any) -> Callable[[str], bytes | None] | None:
    """A function from URIs to texts of schemas."""
    if registry is None:
        return None
    if hasattr(registry, "get_or_retrieve"):
        def find(uri: str) -> Any:
            try:
                return registry.get_or_retrieve(uri).value.contents
            except Exception:  # noqa: BLE001 - whatever a registry raises, the reference does not resolve
                return None
    elif isinstance(registry, Mapping):
        schemas = {str(uri).rstrip("#"): schema for uri, schema in registry.items()}

        def find(uri: str) -> Any:
            return schemas.get(uri)
    elif callable(registry):
        find = registry
    else:
        raise TypeError("a registry is a mapping, a function or a referencing.Registry")

    def resolve(uri: str) -> bytes | None:
        schema = find(uri)
        return None if schema is None else _schema_bytes(schema)
    return resolve


def compile(schema: Schema, *, dialect: str | int | None = None, formats: bool = False,  # noqa: A001
            limits: Mapping[str, int] | None = None, registry: Registry | None = None,
            tuples: bool = False) -> Validator:
    """Compile a schema: a dict, a bool, or JSON text.

    ``dialect`` is that of schemas without ``$schema``: "draft-04", "draft-06", "draft-07", "2019-09", "2020-12" (the
    default).  ``formats``: whether ``format`` asserts.  ``limits``: bounds by name, such as ``{"depth": 64}``.
    ``registry``: other schemas by URI, as a mapping, a function or a `referencing.Registry`; nothing is ever fetched.
    ``tuples``: whether a tuple is an array.

    >>> compile(True).is_valid_json("[]")
    True
    >>> compile({"$ref": "urn:x"}, registry={"urn:x": {"type": "null"}}).is_valid(None)
    True
    >>> compile({"type": 5})
    Traceback (most recent call last):
    ...
    cupel_jsonschema.SchemaError: 1:9: 'type' must be the name of a type or a non-empty array of unique names of types, found 5
    """
    number, flags = dialect_number(dialect), _flags(formats)
    bounds = dict(limits) if limits is not None else None
    if isinstance(schema, Mapping) and not isinstance(schema, dict):
        schema = dict(schema)
    resolver = _resolver(registry)
    if resolver is None:
        return _make(schema, number, flags, bounds, None, tuples, None, {})
    used: dict[str, bytes] = {}

    def recording(uri: str) -> bytes | None:
        text = resolver(uri)
        if text is not None:
            used[uri] = text
        return text
    return _make(schema, number, flags, bounds, recording, tuples, None, used)


def _make(schema: Any, dialect: int, flags: int, limits: dict[str, int] | None,
          resolver: Callable[[str], bytes | None] | None, tuples: bool, image: bytes | None,
          used: dict[str, bytes]) -> Validator:
    return _core.compile(Validator, schema, dialect, flags, limits, resolver, tuples, image,
                         (dialect, flags, limits, tuples, used))


def _unpickle(version: str, schema: bytes, image: bytes, dialect: int, flags: int, limits: dict[str, int] | None,
              tuples: bool, used: dict[str, bytes]) -> Validator:
    """A pickled validator: its image if this is the version that made it, else its schema compiled again."""
    return _make(schema, dialect, flags, limits, used.get if used else None, tuples,
                 image if version == __version__ else None, used)


def lint(schema: Schema, *, dialect: str | int | None = None, formats: bool = False) -> list[Fault]:
    """All faults of a schema, and warnings of what is probably not meant.

    >>> [(f.pointer, f.is_warning) for f in lint({"type": 5, "minLenght": 2})]
    [('/minLenght', True), ('/type', False)]
    """
    return [Fault(*fault) for fault in _core.lint(schema, dialect_number(dialect), _flags(formats))]


def __getattr__(name: str) -> Any:
    """The parts of the package are loaded when they are used."""
    if name in ("arrow", "mcp", "notebook"):
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
