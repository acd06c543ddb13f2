"""The exceptions of the package."""
from __future__ import annotations

from typing import Optional

Record = tuple[str, str, str, str, str, int, int, int, str, int, Optional[int], int, bool]


class _Placed(Exception):
    """Base of the exceptions that have a place in a text."""

    def __init__(self, code: str, detail: str, line: int = 0, column: int = 0, offset: int = 0,
                 pointer: str = "") -> None:
        self.code = code
        """The name of the status, such as ``"SYNTAX"`` or ``"LIMIT_STEPS"``."""
        self.detail = detail
        """What is wrong, one sentence."""
        self.line = line
        """The line of the text, counted from 1; 0 if there is no place in a text."""
        self.column = column
        """The column in code points, counted from 1."""
        self.offset = offset
        """The place in bytes."""
        self.pointer = pointer
        """The JSON Pointer of the value that was being read."""
        super().__init__(code, detail, line, column, offset, pointer)

    def __str__(self) -> str:
        if self.line:
            return f"{self.line}:{self.column}: {self.detail}"
        return f"at {self.pointer}: {self.detail}" if self.pointer else self.detail


class JSONError(_Placed, ValueError):
    """A text is no JSON text, or objects have a value that JSON lacks (NaN, a lone surrogate)."""


class SchemaError(_Placed, ValueError):
    """A schema was refused."""


class Undecided(_Placed):
    """There is no verdict: a limit was reached.  It is neither valid nor invalid."""


class ValidationError(ValueError):
    """An instance is not valid.

    The attributes describe the first problem; ``errors`` has all of them, this one included, in the
    order of the document.
    """

    def __init__(self, message: str, *, code: str = "", keyword: str = "", pointer: str = "",
                 schema_pointer: str = "", line: int = 0, column: int = 0, offset: int = 0,
                 absolute_schema: str = "", model_message: str = "") -> None:
        super().__init__(message)
        self.message = message
        """The problem, one sentence without a full stop."""
        self.code = code
        """What kind of problem, such as ``"wrong-type"``."""
        self.keyword = keyword
        """The keyword of the schema that failed."""
        self.pointer = pointer
        """The JSON Pointer of the value."""
        self.schema_pointer = schema_pointer
        """The JSON Pointer of the keyword in the schema document."""
        self.line = line
        self.column = column
        self.offset = offset
        self.absolute_schema = absolute_schema
        """The keyword as a URI with a fragment."""
        self.model_message = model_message
        """All problems of the instance as a text that a language model can act on."""
        self.errors: tuple[ValidationError, ...] = (self,)

    def __str__(self) -> str:
        return f"{self.pointer or 'the value'}: {self.message}"

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (self.message, {k: v for k, v in self.__dict__.items() if k not in ("message", "errors")},
                           [e for e in self.errors if e is not self]))


def _restore(message: str, attributes: dict[str, object], others: list[ValidationError]) -> ValidationError:
    error = ValidationError(message)
    error.__dict__.update(attributes)
    error.errors = (error, *others)
    return error


for _public in (JSONError, SchemaError, Undecided, ValidationError):
    _public.__module__ = "cupel_jsonschema"


def from_record(record: Record, model_message: str = "") -> ValidationError:
    code, keyword, pointer, schema_pointer, message, line, column, offset, absolute = record[:9]
    return ValidationError(message, code=code, keyword=keyword, pointer=pointer, schema_pointer=schema_pointer,
                           line=line, column=column, offset=offset, absolute_schema=absolute,
                           model_message=model_message)


def from_records(records: list[Record], model_message: str) -> ValidationError:
    """The exception for an instance with these problems."""
    errors = tuple(from_record(record, model_message) for record in records)
    if not errors:
        return ValidationError("the instance is not valid", model_message=model_message)
    errors[0].errors = errors
    return errors[0]
