"""Requests that a gateway has to let through or to refuse, and the ways in which each can be framed: the
product of both is what an end-to-end test sends.  Knows no host.

    for row in ROWS:
        for framing in framings(row):
            pieces = framing(row, path="/mcp", host="localhost")     # bytes, a write each

A row that is refused must not reach the upstream with a byte of its body.  The tool is ECHO.
"""
import json

ECHO = {"name": "echo", "inputSchema": {
    "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}

JSON = ("Content-Type", "application/json")


class Row:
    """`status`: of the refusal, None if the request passes.  `only`: the protocol version that the row
    is about, None if any."""

    def __init__(self, name, body, status=None, fields=(JSON,), method="POST", only=None):
        self.name, self.method, self.fields, self.status, self.only = name, method, fields, status, only
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()


def call(name="echo", arguments=None, **more):
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments or {"path": "a"}, **more}}


GOOD = json.dumps(call()).encode()


def raw(text):
    """A call with `text` in place of the members of params."""
    return b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{' + text.encode() + b"}}"


def with_id(text):
    return b'{"jsonrpc":"2.0","id":' + text.encode() + b',"method":"ping"}'


def typed(value):
    return (("Content-Type", value),)


ECHOED = '"name":"echo","arguments":{"path":"a"}'

ROWS = [
    Row("call", GOOD),
    Row("ping", with_id("1")),
    Row("notification", {"jsonrpc": "2.0", "method": "notifications/initialized"}),
    Row("result", {"jsonrpc": "2.0", "id": 1, "result": {"action": "decline"}}),
    Row("error", {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}}),
    # media types and encodings
    Row("type-charset", GOOD, fields=typed('Application/JSON; charset="UTF-8"')),
    Row("type-utf-7", GOOD, 415, typed("application/json; charset=utf-7")),
    Row("type-two-charsets", GOOD, 415, typed("application/json; charset=utf-8; charset=utf-7")),
    Row("type-list", GOOD, 415, typed("application/json, text/plain")),
    Row("type-other", GOOD, 415, typed("text/plain")),
    Row("type-none", GOOD, 415, ()),
    Row("type-twice", GOOD, 415, (JSON, JSON)),
    Row("encoded", GOOD, 415, (JSON, ("Content-Encoding", "gzip"))),
    Row("encoded-identity", GOOD, fields=(JSON, ("Content-Encoding", "identity"))),
    # methods and fields
    Row("override", GOOD, 400, (JSON, ("X-HTTP-Method-Override", "PUT"))),
    Row("override-short", GOOD, 400, (JSON, ("X-HTTP-Method", "PUT"))),
    Row("override-other", GOOD, 400, (JSON, ("X-Method-Override", "PUT"))),
    Row("upgrade", GOOD, 400, (JSON, ("Upgrade", "websocket"))),
    Row("upgrade-get", b"", 400, (("Upgrade", "websocket"),), method="GET"),
    Row("upgrade-h2c", GOOD, 400, (JSON, ("Upgrade", "h2c"))),
    Row("put", GOOD, 400, method="PUT"),
    Row("patch", GOOD, 400, method="PATCH"),
    Row("get-body", GOOD, 400, method="GET"),
    Row("delete", b"", fields=(), method="DELETE"),
    Row("options", b"", fields=(), method="OPTIONS"),
    Row("session-twice", GOOD, 400, (JSON, ("Mcp-Session-Id", "a"), ("Mcp-Session-Id", "b"))),
    Row("authorization-twice", GOOD, 400, (JSON, ("Authorization", "a"), ("Authorization", "b"))),
    Row("method-field", GOOD, 400, (JSON, ("Mcp-Method", "tools/list"))),
    Row("method-field-ping", with_id("1"), 400, (JSON, ("Mcp-Method", "tools/list"))),
    Row("name-field", GOOD, 400, (JSON, ("Mcp-Method", "tools/call"), ("Mcp-Name", "other"))),
    Row("version-field", GOOD, 400, (JSON, ("MCP-Protocol-Version", "2020-01-01"))),
    Row("version-empty", GOOD, 400, (JSON, ("MCP-Protocol-Version", ""))),
    # text
    Row("bom", b"\xef\xbb\xbf" + GOOD, 400),
    Row("utf-16", GOOD.decode().encode("utf-16"), 400),
    Row("trailing", GOOD + b"x", 400),
    Row("nul", GOOD + b"\0", 400),
    Row("bad-utf-8", GOOD.replace(b'"a"', b'"\xff"'), 400),
    Row("surrogate", GOOD.replace(b'"a"', b'"\\ud800"'), 400),
    Row("empty", b"", 400),
    # names
    Row("duplicate", raw(ECHOED + ',"name":"wipe"'), 400),
    Row("duplicate-deep", raw('"name":"echo","arguments":{"path":"a","path":"b"}'), 400),
    Row("nul-name", raw('"name\\u0000":"wipe",' + ECHOED), 400),
    Row("nul-tool", raw('"name":"echo\\u0000","arguments":{"path":"a"}'), 400),
    Row("nul-method", b'{"jsonrpc":"2.0","id":1,"method":"ping\\u0000"}', 400),
    *(Row(f"folded-{i}", raw(ECHOED + "," + text), 400) for i, text in enumerate((
        '"Name":"wipe"', '"NAME":"wipe"', '"argument\\u017f":{}', '"argument\u017f":{}',
        '"_META":{}', '"\\u004eame":"wipe"'))),
    *(Row(f"envelope-{i}", GOOD[:-1] + b"," + text.encode() + b"}", 400) for i, text in enumerate((
        '"Method":"x"', '"PARAMS":{}', '"\\u0131d":2', '"\u0131d":2', '"Id":2', '"JSONRPC":"2.0"'))),
    Row("folded-argument", call(arguments={"path": "a", "PATH": "b"}), 200),
    Row("nul-argument", call(arguments={"path": "a", "x\0": "b"}), 200),
    Row("unknown-method", {"jsonrpc": "2.0", "id": 1, "method": "x/y", "params": {"Name": 1}}),
    # ids, and what is no message
    *(Row(f"id-{i}", with_id(text), 400) for i, text in enumerate((
        "1.0", "1e0", "1.5", "12345678901234567890", "9007199254740992", "null", "true", "[1]"))),
    *(Row(f"good-id-{i}", with_id(text)) for i, text in enumerate((
        "0", "-1", "9007199254740991", '""', '"1.0"'))),
    Row("method-number", b'{"jsonrpc":"2.0","id":1,"method":7}', 400),
    Row("both", b'{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', 400),
    Row("no-id", b'{"jsonrpc":"2.0","method":7}', 400),
    # batches
    Row("batch", b"[" + GOOD + b"]", 400, only="2026-07-28"),
    Row("batch-old", b"[" + GOOD + b"," + with_id("2") + b"]", only="2025-03-26"),
    Row("batch-empty", b"[]", 400, only="2025-03-26"),
    Row("batch-ids", b"[" + with_id("1") + b"," + with_id("1") + b"]", 400, only="2025-03-26"),
    Row("batch-escaped-ids", b"[" + with_id('"a"') + b"," + with_id('"\\u0061"') + b"]", 400,
        only="2025-03-26"),
    Row("batch-many", b"[" + b",".join([b"1"] * 1000) + b"]", 400, only="2025-03-26"),
]


# -- Framings --------------------------------------------------------------------------------------

def head(row, path, host, version="1.1", more=()):
    lines = [f"{row.method} {path} HTTP/{version}", f"Host: {host}"]
    lines += [f"{name}: {value}" for name, value in (*row.fields, *more)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def with_length(row, path, host):
    return [head(row, path, host, more=[("Content-Length", len(row.body))]) + row.body]


def in_chunks(row, path, host, size=7):
    parts = [row.body[i:i + size] for i in range(0, len(row.body), size)]
    body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    return [head(row, path, host, more=[("Transfer-Encoding", "chunked")]) + body]


def byte_by_byte(row, path, host):
    whole = with_length(row, path, host)[0]
    return [whole[i:i + 1] for i in range(len(whole))]


def pipelined(row, path, host):
    """Behind a request that passes: two answers come."""
    return [with_length(ROWS[0], path, host)[0] + with_length(row, path, host)[0]]


def old_http(row, path, host):
    return [head(row, path, host, "1.0", [("Content-Length", len(row.body))]) + row.body]


def framings(row):
    """Those in which the row can be sent; HTTP/2 is a client's matter, from method, fields and body."""
    ways = [with_length, in_chunks, byte_by_byte, pipelined, old_http]
    return ways if row.body else [way for way in ways if way is not in_chunks or row.method == "POST"]
