"""Verdicts of Arrow columns.

A column is anything with ``__arrow_c_array__`` or ``__arrow_c_stream__`` whose values are strings or binaries (string,
large_string, string_view, binary, large_binary, binary_view): arrays of pyarrow, Series of polars, nanoarrow.  Results
are arrays of pyarrow where the column is one, and otherwise an `Array`, which every library with the Arrow C data
interface takes.
"""
from __future__ import annotations

import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from . import Undecided, Validator, _core

__all__ = ["Array", "check", "errors", "reasons"]

REASONS = ("ok", "invalid", "undecided", "not_json")
_OK, _INVALID, _UNDECIDED, _NOT_JSON, _NULL = range(5)
_ROWS_OF_A_JOB = 1024


class Array:
    """An Arrow array for any library that has the Arrow C data interface."""

    def __init__(self, tree: tuple[Any, ...]) -> None:
        self._tree = tree

    def __len__(self) -> int:
        return int(self._tree[2])

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return _core.export(self._tree)


def _chunks(column: Any) -> tuple[object, list[object]]:
    """The capsules of the schema and of the chunks."""
    if hasattr(column, "__arrow_c_array__"):
        schema, array = column.__arrow_c_array__()
        return schema, [array]
    if hasattr(column, "__arrow_c_stream__"):
        return _core.read_stream(column.__arrow_c_stream__())
    raise TypeError(f"{type(column).__name__} is no Arrow column: it has neither __arrow_c_array__ nor __arrow_c_stream__")


def _codes(validator: Validator, column: Any, jobs: int) -> bytes:
    schema, arrays = _chunks(column)
    tasks: list[tuple[object, int, int]] = []
    for array in arrays:
        length = _core.column_length(array)
        size = max(_ROWS_OF_A_JOB, -(-length // max(jobs, 1)))
        tasks.extend((array, start, min(start + size, length)) for start in range(0, length, size))

    def judge(task: tuple[object, int, int]) -> bytes:
        return validator._check_column(schema, *task)  # pyright: ignore[reportPrivateUsage]
    if jobs <= 1 or len(tasks) <= 1:
        return b"".join(map(judge, tasks))
    with ThreadPoolExecutor(jobs) as pool:
        return b"".join(pool.map(judge, tasks))


def _bits(flags: bytes) -> bytes:
    """A bitmap of bytes that are 0 or 1, least significant bit first."""
    if not flags:
        return b""
    # int() reads the last digit as the lowest bit.
    digits = flags[::-1].translate(bytes([48, 49]) + bytes(254))
    return _from_binary(digits, len(flags))


def _from_binary(digits: bytes, count: int) -> bytes:
    return int(digits, 2).to_bytes(-(-count // 8), "little")


def _table(*ones: int) -> bytes:
    return bytes(1 if code in ones else 0 for code in range(256))


_IS_OK, _IS_VERDICT, _IS_PRESENT = _table(_OK), _table(_OK, _INVALID), _table(_OK, _INVALID, _UNDECIDED, _NOT_JSON)


def _native(column: Any, array: Array) -> Any:
    """The array as the library of the column has arrays, if that is pyarrow."""
    if type(column).__module__.partition(".")[0] == "pyarrow":
        return sys.modules["pyarrow"].array(array)
    return array


def _refuse(codes: bytes) -> None:
    """Raises Undecided for the first row without a verdict."""
    places = [place for place in (codes.find(_UNDECIDED), codes.find(_NOT_JSON)) if place >= 0]
    if places:
        row = min(places)
        count = codes.count(_UNDECIDED) + codes.count(_NOT_JSON)
        raise Undecided("ROWS", f"{count} rows have no verdict; row {row} is {REASONS[codes[row]]}", pointer=f"/{row}")


def check(validator: Validator, array: Any, *, jobs: int = 1, undecided: str = "raise") -> Any:
    """Whether each row is valid, as a boolean array; null where the column is null.

    A row that is no JSON text or reaches a limit is not "false": it raises `Undecided`, or is null too if
    ``undecided`` is "null".  ``jobs``: threads.

    >>> import pyarrow, cupel_jsonschema
    >>> v = cupel_jsonschema.compile({"type": "integer"})
    >>> check(v, pyarrow.array(["1", '"a"', None])).to_pylist()
    [True, False, None]
    """
    if undecided not in ("raise", "null"):
        raise ValueError('undecided is "raise" or "null"')
    codes = _codes(validator, array, jobs)
    if undecided == "raise":
        _refuse(codes)
    count = len(codes)
    nulls = count - codes.count(_OK) - codes.count(_INVALID)
    validity = _bits(codes.translate(_IS_VERDICT)) if nulls else None
    return _native(array, Array(("b", "", count, nulls, (validity, _bits(codes.translate(_IS_OK))), (), None)))


def _strings(texts: Iterable[str], name: str = "") -> tuple[Any, ...]:
    offsets, parts, total = [0], [], 0
    for text in texts:
        parts.append(text.encode())
        total += len(parts[-1])
        offsets.append(total)
    return ("U", name, len(parts), 0, (None, _int64(offsets), b"".join(parts)), (), None)


def _int64(numbers: Iterable[int]) -> bytes:
    import array

    return array.array("q", numbers).tobytes()


def reasons(validator: Validator, array: Any, *, jobs: int = 1) -> Any:
    """What is known of each row, as a dictionary array: "ok", "invalid", "undecided", "not_json", or null.

    >>> import pyarrow, cupel_jsonschema
    >>> v = cupel_jsonschema.compile({"type": "integer"})
    >>> reasons(v, pyarrow.array(["1", "{", None, '"a"'])).to_pylist()
    ['ok', 'not_json', None, 'invalid']
    """
    codes = _codes(validator, array, jobs)
    nulls = codes.count(_NULL)
    validity = _bits(codes.translate(_IS_PRESENT)) if nulls else None
    indices = codes.replace(b"\x04", b"\x00")
    return _native(array, Array(("c", "", len(codes), nulls, (validity, indices), (), _strings(REASONS))))


def _texts(column: Any) -> list[Any]:
    """The rows as Python objects."""
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, name):
            return list(getattr(column, name)())
    import pyarrow

    return list(pyarrow.array(column).to_pylist())


def errors(validator: Validator, array: Any, limit: int = 16) -> Any:
    """The problems of each row that is invalid, at most ``limit``: lists of structs with pointer, keyword and message.

    Rows that are valid have an empty list; rows without a verdict one problem with an empty keyword; nulls are null.

    >>> import pyarrow, cupel_jsonschema
    >>> v = cupel_jsonschema.compile({"items": {"type": "integer"}})
    >>> errors(v, pyarrow.array(["[1]", '["a"]'])).to_pylist()
    [[], [{'pointer': '/0', 'keyword': 'type', 'message': 'expected integer, found string'}]]
    """
    codes = _codes(validator, array, 1)
    found: list[tuple[str, str, str]] = []
    offsets = [0]
    rows = _texts(array) if codes.strip(b"\x00\x04") else []
    for i, code in enumerate(codes):
        if code == _INVALID:
            problems = list(validator.iter_errors_json(rows[i]))[:limit]
            found.extend((e.pointer, e.keyword, e.message) for e in problems)
        elif code in (_UNDECIDED, _NOT_JSON):
            found.append(("", "", _why(validator, rows[i])))
        offsets.append(len(found))
    columns = tuple(_strings((row[i] for row in found), name) for i, name in enumerate(("pointer", "keyword", "message")))
    items = ("+s", "item", len(found), 0, (None,), columns, None)
    nulls = codes.count(_NULL)
    validity = _bits(codes.translate(_IS_PRESENT)) if nulls else None
    return _native(array, Array(("+L", "", len(codes), nulls, (validity, _int64(offsets)), (items,), None)))


def _why(validator: Validator, text: Any) -> str:
    try:
        validator.is_valid_json(text)
    except Exception as error:  # noqa: BLE001 - the reason is the result
        return str(error)
    return "not decided"
