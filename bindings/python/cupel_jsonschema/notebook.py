"""What notebooks show: a document with its problems, a validator with its program.

All text that comes from a document or a schema is escaped.
"""
from __future__ import annotations

from html import escape
from typing import Any

from . import JSONError, Undecided, ValidationError, Validator

_MOST_BYTES = 64 << 10
_STYLE = "font-family:monospace;white-space:pre-wrap;overflow-wrap:anywhere"


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_BYTES else text[:_MOST_BYTES] + "…"


class Explanation:
    """Why a document is valid, invalid or undecided.

    ``document`` is objects, or a JSON text as bytes.
    """

    def __init__(self, validator: Validator, document: Any) -> None:
        self._is_json = isinstance(document, (bytes, bytearray, memoryview))
        self.errors: tuple[ValidationError, ...] = ()
        self.verdict, self.reason = "valid", ""
        try:
            found = validator.iter_errors_json(document) if self._is_json else validator.iter_errors(document)
            self.errors = tuple(found)
            self.verdict = "invalid" if self.errors else "valid"
        except JSONError as error:
            self.verdict, self.reason = "not JSON", str(error)
        except Undecided as error:
            self.verdict, self.reason = "undecided", str(error)

    def __str__(self) -> str:
        lines = [self.verdict + (f": {self.reason}" if self.reason else "")]
        return "\n".join(lines + [f"  {error}" for error in self.errors])

    def __repr__(self) -> str:
        return f"<Explanation: {self.verdict}>"

    def _rows(self) -> str:
        rows: list[str] = []
        for error in self.errors:
            place = f"{error.line}:{error.column}" if self._is_json else ""
            cells = (place, error.pointer or "(root)", error.keyword, error.message, error.schema_pointer)
            rows.append("<tr>" + "".join(f"<td>{escape(_cut(cell))}</td>" for cell in cells) + "</tr>")
        return "".join(rows)

    def _repr_html_(self) -> str:
        html = f"<div><strong>{escape(self.verdict)}</strong> {escape(_cut(self.reason))}"
        if self.errors:
            head = "".join(f"<th>{name}</th>" for name in ("place", "value", "keyword", "problem", "in the schema"))
            html += f"<table><thead><tr>{head}</tr></thead><tbody>{self._rows()}</tbody></table>"
        return html + "</div>"


def program_html(validator: Validator) -> str:
    """A validator's schema and program."""
    schema = escape(_cut(validator.schema_text.decode(errors="replace")))
    program = escape(_cut(validator.disassemble()))
    return (f'<details open><summary>schema</summary><div style="{_STYLE}">{schema}</div></details>'
            f'<details><summary>program</summary><div style="{_STYLE}">{program}</div></details>')
