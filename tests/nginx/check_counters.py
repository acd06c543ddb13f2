#!/usr/bin/env python3
"""Counters and logs: counters that Prometheus accepts, bounded and fair between catalogs; log variables that are
valid UTF-8 and escaped; reasons that `cupel explain` knows.

usage: check_counters.py MODULE CUPEL
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile

from gateway import Checks, Gateway, check_configuration
from wire import Upstream, exchange, reply, request

check = Checks()

NAMES = ["plain", "caf\u00e9", "quote\"s", "back\\slash", "new\nline", "bidi\u202eevil", "c1\u0085x", "tag\U000e0041x",
         "\U0001F600" * 40, "\u4e2d" * 100, "a" * 127 + "\u00e9", "zero\u200bwidth"]
SCHEMA = {"type": "object", "properties": {"n": {"type": "number"}}}


def answer(received):
    message = json.loads(received.body)
    return reply(json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": {
        "resultType": "complete", "content": []}}).encode())


def call(gateway, name, path="/mcp", arguments=None, fields=()):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": name, "arguments": arguments or {}}}).encode()
    return exchange(gateway.port, request(body, path=path, fields=["Content-Type: application/json", *fields]))


def page_of(gateway):
    return exchange(gateway.port, request(method="GET", path="/status", fields=[], length=False)).body


def promtool(page):
    if shutil.which("promtool") is None:
        print("no promtool: the page is not checked by it")
        return
    run = subprocess.run(["promtool", "check", "metrics"], input=page, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=False)
    check("promtool", run.returncode == 0 and not run.stdout.strip(), run.stdout.decode())


def names(gateway):
    """Names of tools from strangers, known and unknown, in labels and in the log."""
    for name in NAMES:
        call(gateway, name, fields=["X-Case: known"])
        call(gateway, "un" + name, fields=["X-Case: unknown"])
    page = page_of(gateway)
    text = page.decode("utf-8")
    check("labels", 'tool="caf\u00e9"' in text and 'tool="quote\\"s"' in text and 'tool="back\\\\slash"' in text, text)
    check("whole characters", 'tool="' + "\u4e2d" * 42 + '"' in text and 'tool="' + "a" * 127 + '"' in text)
    check("unknown names make no series", "unplain" not in text)
    series = [line.rsplit(" ", 1)[0] for line in text.splitlines() if not line.startswith("#")]
    check("no series twice", len(series) == len(set(series)))
    promtool(page)
    with open(gateway.path("access.log"), "rb") as file:
        log = file.read()
    lines = log.decode("utf-8")
    for bad in ("\u202e", "\u0085", "\U000e0041", "\u200b"):
        check(f"log without {bad!r}", bad not in lines)
    check("log escapes", "bidi\\u{202e}evil" in lines.replace("\\x5C", "\\"), lines[-500:])
    lines = [line for line in log.splitlines() if line.startswith((b"known ", b"unknown "))]
    check("log lines", len(lines) == 2 * len(NAMES), len(lines))


def fair(module):
    """A catalog of 930 tools takes its share of the zone and no more."""
    many = json.dumps({"tools": [{"name": f"tool_{i}", "inputSchema": SCHEMA} for i in range(930)]})
    one = json.dumps({"tools": [{"name": "single", "inputSchema": SCHEMA}]})
    server = "location /other { cupel second; proxy_pass http://behind; }"
    with Gateway(module, {"local": many, "second": one}, server=server, upstream=Upstream(answer), workers=1) as gateway:
        for i in range(930):
            call(gateway, f"tool_{i}")
        for _ in range(3):
            call(gateway, "single", "/other")
            call(gateway, "nobody", "/other")
            call(gateway, "nobody")
        text = page_of(gateway).decode()
        check("the other catalog", 'catalog="second",tool="single",verdict="valid",reason=""} 3' in text and
              'catalog="second",tool="",verdict="unknown-tool",reason="tool-unknown"} 3' in text, text[-3000:])
        check("its own unknown tools", 'catalog="local",tool="",verdict="unknown-tool",reason="tool-unknown"} 3' in text)
        counts = [int(each) for each in re.findall(r'cupel_messages_total{catalog="local".*} (\d+)', text)]
        check("none lost", sum(counts) == 933 and "cupel_lost_total 0" in text, sum(counts))
        promtool(text.encode())
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/one.json"
        with open(path, "w") as out:
            out.write(one)
        http = "cupel_status_zone 40k;\n" + "".join(f"cupel_catalog c{i} {path};\n" for i in range(9))
        status, text = check_configuration(module, http, folder)
        check("a zone too small", status != 0 and "too small for 9 catalogs" in text, text)


def explained(cupel, page):
    """Every reason that was counted is explained."""
    reasons = set(re.findall(r'reason="([^"]+)"', page))
    for reason in sorted(reasons):
        run = subprocess.run([cupel, "explain", reason], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        check("explain " + reason, run.returncode == 0 and run.stdout.strip(), run.stdout.decode()[:200])


def provoke(gateway):
    """Refusals of many kinds, for their reasons."""
    good = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "plain"}}).encode()
    kind = "Content-Type: application/json"
    for body, fields in (
            (good, ["Content-Type: text/plain"]), (good, []), (good, [kind, kind]), (good, [kind, "Content-Encoding: gzip"]),
            (good, [kind, "X-HTTP-Method-Override: PUT"]), (good, [kind, "Mcp-Session-Id: a", "Mcp-Session-Id: b"]),
            (b"", [kind]), (b"{", [kind]), (b"\xff\xfe{", [kind]), (b"\xef\xbb\xbf" + good, [kind]), (good + b"x", [kind]),
            (b"[" + good + b"]", [kind]), (b"[]", [kind]), (b"5", [kind]), (b"null", [kind]),
            (good.replace(b'"id": 1', b'"id": 1.5'), [kind]), (good.replace(b'"id": 1', b'"id": 12345678901234567890'), [kind]),
            (good.replace(b'"id": 1', b'"id": null'), [kind]), (good.replace(b'"id": 1', b'"id": [1]'), [kind]),
            (good.replace(b'"2.0"', b'"1.0"'), [kind]), (good.replace(b'"jsonrpc"', b'"x"'), [kind]),
            (good.replace(b'"method"', b'"Method"'), [kind]), (good.replace(b'"tools/call"', b'5'), [kind]),
            (good.replace(b'"name"', b'"name\\u0000"'), [kind]), (good.replace(b'"plain"', b'"pl\\u0000"'), [kind]),
            (good.replace(b'"name"', b'"Name"'), [kind]), (good.replace(b'"params"', b'"PARAMS"'), [kind]),
            (good.replace(b'{"name": "plain"}', b'[]'), [kind]), (good.replace(b'{"name": "plain"}', b'{"name":5}'), [kind]),
            (good.replace(b'"plain"', b'"plain","arguments":5'), [kind]),
            (good.replace(b'"plain"', b'"plain","arguments":{"N":1}'), [kind]),
            (good.replace(b'"plain"', b'"plain","arguments":{"n":"x"}'), [kind]),
            (good, [kind, "Mcp-Method: tools/list"]), (good, [kind, "Mcp-Name: other"]), (good, [kind, "MCP-Protocol-Version: x"]),
            (good, [kind, "MCP-Protocol-Version: "]), (good, [kind, "Mcp-Name: =?base64?x?="]),
            (b'{"a":' * 200 + b"1" + b"}" * 200, [kind]), (b" " * 300000, [kind])):
        exchange(gateway.port, request(body, fields=fields))
    for method in ("PUT", "PATCH", "GET", "DELETE"):
        exchange(gateway.port, request(good, method=method))


def main():
    module, cupel = sys.argv[1:3]
    catalog = json.dumps({"tools": [{"name": name, "inputSchema": SCHEMA} for name in NAMES]})
    with Gateway(module, {"local": catalog}, upstream=Upstream(answer), workers=1) as gateway:
        names(gateway)
        before = len(gateway.upstream.seen)
        provoke(gateway)
        check("nothing of it passed", len(gateway.upstream.seen) == before,
              [each.raw for each in gateway.upstream.seen[before:]])
        page = page_of(gateway)
        explained(cupel, page.decode())
        promtool(page)
    fair(module)
    return check.end()


sys.exit(main())
