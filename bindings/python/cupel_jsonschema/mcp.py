"""Tools of the Model Context Protocol: catalogs, calls, results, digests, exports.

>>> from cupel_jsonschema import mcp
>>> catalog = mcp.Catalog([{"name": "read", "inputSchema": {"type": "object", "required": ["path"]}}])
>>> call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read", "arguments": {}}}
>>> catalog.check_call(call)["verdict"]
'invalid'
"""
from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from . import JSONError, SchemaError, Undecided, ValidationError, _core

__all__ = ["Catalog", "check_arguments", "export", "hidden_text", "middleware"]

_CATALOG, _CALL, _RESULT, _LIST, _PINS, _LOCK, _LOCK_DIFF, _HIDDEN, _EXPORT = range(10, 19)


def _bytes(value: Any) -> bytes:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


def _raise(error: dict[str, Any]) -> None:
    place = (error["code"], error["message"], error.get("line", 0), error.get("column", 0), error.get("offset", 0),
             error.get("pointer", ""))
    if error["code"] in ("SYNTAX", "UTF8", "SURROGATE", "BOM", "TRAILING", "DUPLICATE_KEY"):
        raise JSONError(*place)
    raise SchemaError(*place)


class _Tools:
    """A core with a lock around it."""

    def __init__(self) -> None:
        self._core = _core.Tools(os.urandom(16))
        self._lock = threading.RLock()

    def invoke(self, op: int, handle: int, text: bytes, more: bytes = b"", number: int = 0) -> tuple[int, Any]:
        with self._lock:
            result, output = self._core.invoke(op, handle, text, more, number)
        return result, json.loads(output) if output and op not in (_LOCK, _LIST) else output


class Catalog:
    """The tools of a server, compiled.  Immutable; threads wait for each other.

    ``tools`` is a list of definitions, a ``tools/list`` result, or the JSON text of either.  ``options``:
    ``protocolVersion`` ("2025-06-18", …), ``strictNames``, ``strictDialects``, ``strictText``, ``exactArguments``,
    ``formats``, ``limits``.
    """

    def __init__(self, tools: Any, **options: Any) -> None:
        if isinstance(tools, Sequence) and not isinstance(tools, (str, bytes, bytearray)):
            tools = {"tools": list(tools)}
        self._tools = _Tools()
        self._handle, described = self._tools.invoke(_CATALOG, 0, _bytes(tools),
                                                     _bytes(options) if options else b"")
        if self._handle == 0:
            _raise(described)
        self.tools: list[dict[str, Any]] = described
        """Each tool's name, verdict ("ok", "warning", "invalid") and problems."""

    def check_call(self, message: Any) -> dict[str, Any]:
        """Judges a JSON-RPC message, or a batch, from a client.

        ``verdict`` is that of the whole; ``messages`` has for each one its verdict and the answer to send back.
        """
        return dict(self._tools.invoke(_CALL, self._handle, _bytes(message))[1])

    def check_result(self, tool: str, response: Any) -> dict[str, Any]:
        """Judges the response of a tool by its ``outputSchema``."""
        result, output = self._tools.invoke(_RESULT, self._handle, _bytes(response), tool.encode())
        if result < 0:
            raise KeyError(tool)
        return dict(output)

    def list_tools(self, request: Any, page: int = 0) -> bytes:
        """The answer to a ``tools/list`` request."""
        return bytes(self._tools.invoke(_LIST, self._handle, _bytes(request), number=page)[1])

    def pins(self) -> list[dict[str, str]]:
        """The digests of each tool."""
        result, output = self._tools.invoke(_PINS, self._handle, b"")
        if not result:
            _raise(output)
        return list(output)

    def lock(self) -> bytes:
        """The text of a lock file, with which a later catalog can be compared."""
        result, output = self._tools.invoke(_LOCK, self._handle, b"")
        if not result:
            _raise(json.loads(output))
        return bytes(output)

    def changes_since(self, lock: bytes) -> list[dict[str, Any]]:
        """What has changed since a lock file was made."""
        result, output = self._tools.invoke(_LOCK_DIFF, self._handle, lock)
        if not result:
            _raise(output)
        return list(output)


def check_arguments(catalog: Catalog, tool: str, arguments: Mapping[str, Any] | None) -> None:
    """Raise ValidationError, with the text for the model, if a tool's arguments are not valid.

    >>> catalog = Catalog([{"name": "read", "inputSchema": {"type": "object", "required": ["path"]}}])
    >>> check_arguments(catalog, "read", {"path": "/etc/hosts"})
    """
    params: dict[str, Any] = {"name": tool}
    if arguments is not None:
        params["arguments"] = dict(arguments)
    outcome = catalog.check_call({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    if outcome["verdict"] == "valid":
        return
    message = outcome["messages"][0] if outcome["messages"] else outcome
    if outcome["verdict"] == "undecided":
        raise Undecided("CALL", message.get("reason") or "the call was not decided")
    raise ValidationError(message.get("reason") or "the arguments are not valid", pointer="/params/arguments",
                          model_message=_text_for_model(message))


def _text_for_model(message: dict[str, Any]) -> str:
    answer = message.get("answer") or {}
    for item in (answer.get("result") or {}).get("content", []):
        if item.get("type") == "text":
            return str(item["text"])
    return str((answer.get("error") or {}).get("message", ""))


def hidden_text(text: str, *, is_name: bool = False) -> dict[str, Any] | None:
    """The first hidden text: its kind, code point and offset; None if there is none.

    >>> hidden_text("plain") is None
    True
    """
    found = _Tools().invoke(_HIDDEN, 0, text.encode(errors="replace"), number=int(is_name))[1]
    return found if found is None else dict(found)


def export(tool: Any, target: str) -> dict[str, Any]:
    """A tool's definition as a vendor of models takes it, and the changes that were made.

    ``target``: "openai", "openai-strict", "anthropic" or "gemini".
    """
    result, output = _Tools().invoke(_EXPORT, 0, _bytes(tool), target.encode())
    if result != 1:
        _raise(output)
    return dict(output)


def middleware(catalog: Catalog | None = None) -> Any:
    """A middleware for FastMCP that judges each call before the tool runs.

    Without a catalog it compiles the schemas of the server's own tools when they are first called.
    """
    from fastmcp.exceptions import ToolError
    from fastmcp.server.middleware import Middleware

    class CupelMiddleware(Middleware):  # type: ignore[misc]
        """Refuses calls that are not valid with a text that the model can act on."""

        def __init__(self) -> None:
            self._catalogs: dict[str, Catalog] = {}

        async def _catalog_for(self, context: Any, name: str) -> Catalog | None:
            if catalog is not None:
                return catalog
            tool = await context.fastmcp_context.fastmcp.get_tool(name)
            if tool is None:
                return None
            text = json.dumps(tool.parameters, sort_keys=True)
            if text not in self._catalogs:
                if len(self._catalogs) >= 1024:
                    self._catalogs.clear()
                self._catalogs[text] = Catalog([{"name": name, "inputSchema": tool.parameters}])
            return self._catalogs[text]

        async def on_call_tool(self, context: Any, call_next: Any) -> Any:
            found = await self._catalog_for(context, context.message.name)
            if found is not None:
                try:
                    check_arguments(found, context.message.name, context.message.arguments)
                except (Undecided, ValidationError) as error:
                    raise ToolError(getattr(error, "model_message", "") or str(error)) from error
            return await call_next(context)

    return CupelMiddleware()
