#!/usr/bin/env python3
"""Every kind of request through the gateway: what reaches the upstream and what is answered.

usage: check_requests.py MODULE
"""
import json
import shutil
import subprocess
import sys

from gateway import Checks, Client, Gateway

CATALOG = json.dumps({"tools": [
    {"name": "measure", "inputSchema": {
        "type": "object", "additionalProperties": False, "required": ["place"],
        "properties": {"place": {"type": "string", "minLength": 1},
                       "days": {"type": "integer", "minimum": 1, "maximum": 14},
                       "note": {"type": "string", "pattern": "^(a+)+$"}}}},
    {"name": "ping", "inputSchema": {"type": "object", "additionalProperties": False}},
    {"name": "broken", "inputSchema": {"type": "object", "properties": {"a": {"type": "text"}}}},
]})

check = Checks()


def call(name, arguments=None, id=7, **more):
    message = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": name}, **more}
    if id is not None:
        message["id"] = id
    if arguments is not None:
        message["params"]["arguments"] = arguments
    return json.dumps(message).encode()


def answer_of(body):
    try:
        return json.loads(body)
    except ValueError:
        return {}


def good_calls(gateway, client):
    """What conforms goes on byte for byte, however it arrives."""
    bodies = {
        "plain": call("measure", {"place": "Ljubljana", "days": 3}),
        "spaces": b' \n{"jsonrpc" : "2.0",\t"id":-1, "method":"tools\\/call","params":{"name":"ping"}}\r\n',
        "none": call("ping"),
        "empty": call("ping", {}),
        "long": call("measure", {"place": "x" * 15000}),
        "file": call("measure", {"place": "y" * 100000}),
        "unicode": call("measure", {"place": "\u0160marje \U0001F600"}),
    }
    for name, body in bodies.items():
        for way, pieces in (("length", None), ("chunks", [1, 7, 4096]), ("bytes", [1] * 40)):
            case = f"good-{name}-{way}"
            status, _, _ = client.post(body, case, pieces=pieces)
            seen = gateway.upstream.seen.get(case)
            check(case, status == 200 and seen == [body], f"{status}, reached {len(seen or [])}")
    case = "good-slow"
    client.post(bodies["long"], case, pieces=[100, 3000, 9000, 2000], pause=0.02)
    check(case, gateway.upstream.seen.get(case) == [bodies["long"]])


def other_messages(gateway, client):
    """The rest of the protocol is not the module's business."""
    for name, body in {
        "list": b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        "initialize": b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}',
        "notification": b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
    }.items():
        case = "other-" + name
        status, _, _ = client.post(body, case)
        check(case, status in (200, 202) and gateway.upstream.seen.get(case) == [body], status)
    status, _, body = client.get("/mcp")
    check("other-get", status == 202, status)


def bad_calls(gateway, client):
    """What does not conform never reaches the upstream, and each kind has its answer."""
    tool_error = lambda a: a.get("result", {}).get("isError") is True and a.get("id") == 7
    error = lambda code, id=7: lambda a: a.get("error", {}).get("code") == code and a.get("id") == id
    deep = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ping","arguments":'
    for name, body, status, right in [
        ("type", call("measure", {"place": 5}), 200, tool_error),
        ("missing", call("measure", {}), 200, tool_error),
        ("extra", call("measure", {"place": "x", "plaice": "y"}), 200, tool_error),
        ("range", call("measure", {"place": "x", "days": 15}), 200, tool_error),
        ("pattern", call("measure", {"place": "x", "note": "a" * 5000 + "b"}), 200, tool_error),
        ("unknown", call("destroy", {}), 200, error(-32602)),
        ("refused", call("broken", {}), 200, error(-32603)),
        ("array", call("measure", [1]), 400, error(-32602)),
        ("no-name", b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}', 400, error(-32602)),
        ("version", b'{"jsonrpc":"1.0","id":7,"method":"tools/call"}', 400, error(-32600)),
        ("not-json", b'{"jsonrpc":', 400, error(-32700, None)),
        ("trailing", call("ping") + b"{}", 400, error(-32700, None)),
        ("empty", b"", 400, error(-32600, None)),
        ("duplicate", b'{"jsonrpc":"2.0","id":7,"method":"tools/call","method":"x"}', 400, None),
        ("utf8", b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\xff"}}', 400, None),
        ("deep", deep + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}}", 400, None),
        ("notification", call("measure", {}, id=None), 400, lambda a: True),
    ]:
        for way, pieces in (("length", None), ("chunks", [3, 1000])):
            case = f"bad-{name}-{way}"
            got, headers, text = client.post(body, case, pieces=pieces)
            json_type = headers.get(b"content-type") == b"application/json"
            answer = answer_of(text)
            good = got == status and json_type and case not in gateway.upstream.seen
            check(case, good and (right is None or right(answer)), (got, text[:200]))


def bodies_refused(gateway, client):
    """Too large, of another type, or encoded."""
    huge = call("measure", {"place": "z" * 300000})
    for case, body, headers, pieces, status in [
        ("huge-length", huge, (), None, 413),
        ("huge-chunks", huge, (), [60000] * 6, 413),
        ("type-text", call("ping"), ["Content-Type: text/plain"], None, 415),
        ("type-none", call("ping"), ["Accept: */*"], None, 415),
        ("type-prefix", call("ping"), ["Content-Type: application/jsonx"], None, 415),
        ("encoded", call("ping"), ["Content-Type: application/json", "Content-Encoding: gzip"], None, 415),
    ]:
        got, answered, text = client.post(body, case, headers=headers, pieces=pieces)
        client.close()
        answer = answer_of(text)
        check(case, got == status and answer.get("error", {}).get("code") == -32600 and
              answered.get(b"content-type") == b"application/json" and
              case not in gateway.upstream.seen, (got, text[:100]))
    case = "type-charset"
    got, _, _ = client.post(call("ping"), case, headers=["content-type: Application/JSON; charset=utf-8"])
    check(case, got == 200 and case in gateway.upstream.seen, got)


def headers_compared(gateway, client):
    """The header of 2026-07-28 has to say what the body says, once any of it is there."""
    body = call("ping")
    version, method, name = "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: ping"
    kind = "Content-Type: application/json"
    for case, headers, reached in [
        ("fields-none", [kind], True),
        ("fields-old", [kind, "MCP-Protocol-Version: 2025-11-25"], True),
        ("fields-all", [kind, version, method, name], True),
        ("fields-case", [kind, version.lower(), method.upper().replace("TOOLS/CALL", "tools/call"), name], True),
        ("fields-missing", [kind, version, method], False),
        ("fields-other-tool", [kind, version, method, "Mcp-Name: measure"], False),
        ("fields-no-version", [kind, "Mcp-Name: measure"], False),
        ("fields-other-method", [kind, version, "Mcp-Method: tools/list", name], False),
    ]:
        got, _, text = client.post(body, case, headers=headers)
        seen = case in gateway.upstream.seen
        code = answer_of(text).get("error", {}).get("code")
        check(case, seen == reached and (reached or (got == 400 and code == -32020)), (got, text[:200]))


def over_http2(gateway, client):
    """HTTP/2, where bodies come in frames and may have no length (curl, if it is here)."""
    if shutil.which("curl") is None:
        return
    for case, body, reached in (("h2-good", call("measure", {"place": "q" * 70000}), True),
                                ("h2-small", call("ping"), True),
                                ("h2-bad", call("measure", {"place": 1}), False)):
        for way, more in (("length", []), ("stream", ["-H", "Content-Length:"])):
            name = f"{case}-{way}"
            run = subprocess.run(
                ["curl", "-s", "--http2-prior-knowledge", "-H", "Content-Type: application/json",
                 "-H", f"X-Case: {name}", *more, "--data-binary", "@-",
                 f"http://127.0.0.1:{gateway.port2}/mcp"],
                input=body, stdout=subprocess.PIPE, check=False)
            seen = gateway.upstream.seen.get(name)
            check(name, run.returncode == 0 and seen == ([body] if reached else None),
                  (run.returncode, run.stdout[:100]))


def seen_outside(gateway, client):
    """Variables, counters and the log tell what happened."""
    status, headers, text = client.get("/status")
    check("status", status == 200 and headers[b"content-type"].startswith(b"text/plain"))
    lines = text.decode().splitlines()
    for line in ('cupel_messages_total{catalog="local",tool="broken",verdict="undecided",reason="tool-refused"} 2',
                 'cupel_messages_total{catalog="local",tool="",verdict="unknown-tool",reason="tool-unknown"} 2',
                 "cupel_lost_total 0"):
        check("status " + line, line in lines, text.decode())
    log = gateway.read("access.log")
    check("log valid", "good-plain-length 200 valid measure " in log)
    check("log invalid", "bad-type-length 200 invalid measure " in log)
    check("log unjudged", "/status" not in log)
    errors = gateway.read("error.log")
    check("no crash", "exited on signal" not in errors and "[alert]" not in errors, errors[-2000:])
    check("short lines", max(map(len, errors.splitlines())) < 1000)


def policies(module):
    """Only reporting; letting the unknown and the undecided pass."""
    location = "cupel local; cupel_mode report;"
    with Gateway(module, {"local": CATALOG}, location) as gateway:
        client = Client(gateway.port)
        status, _, _ = client.post(call("measure", {}), "report")
        check("report", status == 200 and "report" in gateway.upstream.seen)
        gateway.stop()
        check("report log", "report 200 invalid measure" in gateway.read("access.log"))
    location = "cupel local; cupel_unknown_tool pass; cupel_undecided pass;"
    with Gateway(module, {"local": CATALOG}, location) as gateway:
        client = Client(gateway.port)
        for case, body in (("unknown", call("destroy")), ("undecided", call("broken", {}))):
            client.post(body, case)
            check("pass " + case, case in gateway.upstream.seen)
        client.post(call("measure", {}), "invalid")
        check("pass invalid", "invalid" not in gateway.upstream.seen)


def batches(module):
    """A batch passes whole or is answered whole, where the version has batches."""
    good, bad = call("ping", id=1), call("measure", {"place": 5}, id=2)
    note = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    listing = b'{"jsonrpc":"2.0","id":3,"method":"tools/list"}'
    wrap = lambda *messages: b" [" + b",".join(messages) + b"]"
    with Gateway(module, {"local": CATALOG}, http="", spec=" spec=2025-03-26") as gateway:
        client = Client(gateway.port)
        for case, body, reached, ids in [
            ("batch-good", wrap(good, note, listing), True, None),
            ("batch-bad", wrap(good, bad, note, listing), False, [1, 2, 3]),
            ("batch-notes", wrap(note, call("measure", {}, id=None)), False, None),
            ("batch-empty", b"[]", False, None),
            ("batch-broken", b"[{]", False, None),
        ]:
            status, _, text = client.post(body, case)
            seen = gateway.upstream.seen.get(case)
            answer = answer_of(text)
            reported = sorted(each["id"] for each in answer) if isinstance(answer, list) else None
            check(case, seen == ([body] if reached else None), (status, text))
            check(case + " answer", reached or ids is None or reported == ids or (not ids and not text),
                  (status, text))
    with Gateway(module, {"local": CATALOG}) as gateway:
        status, _, text = Client(gateway.port).post(wrap(good), "batch-new")
        check("batch-new", status == 400 and not gateway.upstream.seen, (status, text))


def main():
    module = sys.argv[1]
    with Gateway(module, {"local": CATALOG}) as gateway:
        client = Client(gateway.port)
        for step in (good_calls, other_messages, bad_calls, bodies_refused, headers_compared, over_http2, seen_outside):
            step(gateway, client)
    policies(module)
    batches(module)
    return check.end()


sys.exit(main())
