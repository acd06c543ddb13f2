#!/usr/bin/env python3
"""What one client can do to its neighbours on the same worker: hostile bodies of 1 MiB delay a neighbour's call
by a bounded time, and bring bounded answers.  Times are asserted with wide bounds; `--measure` prints them.

usage: check_neighbours.py MODULE [--measure]
"""
import json
import sys
import threading
import time

from gateway import Checks, Gateway
from wire import Client, Upstream, exchange, reply, request

check = Checks()
MIB = 1 << 20

CATALOG = json.dumps({"tools": [
    {"name": "ping", "inputSchema": {"type": "object"}},
    {"name": "regex", "inputSchema": {"type": "object", "properties": {
        "s": {"type": "string", "pattern": "^(a|aa)+$"}, "t": {"type": "string", "pattern": "(x+x+)+y"}}}},
    {"name": "unique", "inputSchema": {"type": "object", "properties": {"a": {"type": "array", "uniqueItems": True}}}},
    {"name": "any", "inputSchema": {"type": "object", "properties": {"a": {"type": "array", "items": {"anyOf": [
        {"type": "object", "properties": {f"p{j}": {"const": i} for j in range(4)}, "required": [f"p{i % 4}"]}
        for i in range(40)]}}}}},
    {"name": "patterned", "inputSchema": {"type": "object", "patternProperties": {"^[a-z]+$": {}, "^x-[0-9]+$": {}}}},
    {"name": "closed", "inputSchema": {"type": "object", "properties": {"path": {}, "PATH2": {}}}},
]})


def call(name, arguments):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": name, "arguments": arguments}}).encode()


def filled(start, piece, end):
    """A body of about 1 MiB."""
    return start + piece * ((MIB - 2000 - len(start) - len(end)) // len(piece)) + end


PREFIX = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s'
HOSTILE = {
    "batch of ones": filled(b"[1", b",1", b"]"),
    "batch of pings": filled(b'[{"jsonrpc":"2.0","id":0,"method":"ping"}', b',{"jsonrpc":"2.0","id":0,"method":"ping"}', b"]"),
    "many names": PREFIX % (b"ping", b"{") + b",".join(b'"k%d":1' % i for i in range(80000)) + b"}}}",
    "many equal names but one": PREFIX % (b"ping", b'{"a":{') + b",".join(b'"%064d":1' % i for i in range(14000)) + b"}}}}",
    "many undeclared names": PREFIX % (b"closed", b"{") + b",".join(b'"PATH%d":1' % i for i in range(80000)) + b"}}}",
    "many names beside patterns": PREFIX % (b"patterned", b"{") + b",".join(b'"PA-TH%d":1' % i for i in range(70000)) + b"}}}",
    "a long name beside patterns": filled(PREFIX % (b"patterned", b'{"'), b"Aa", b'":1}}}'),
    "deep": filled(PREFIX % (b"ping", b'{"a":'), b"[", b""),
    "deep objects": filled(PREFIX % (b"ping", b'{"a":'), b'{"a":', b""),
    "numbers": filled(PREFIX % (b"ping", b'{"a":[1'), b",1", b"]}}}"),
    "a long number": filled(PREFIX % (b"ping", b'{"a":1'), b"0", b"}}}"),
    "a long exponent": filled(PREFIX % (b"ping", b'{"a":1e'), b"9", b"}}}"),
    "escapes": filled(PREFIX % (b"ping", b'{"a":"'), b"\\u0041", b'"}}}'),
    "surrogates": filled(PREFIX % (b"ping", b'{"a":"'), b"\\ud83d\\ude00", b'"}}}'),
    "regex": filled(PREFIX % (b"regex", b'{"s":"'), b"a", b'b"}}}'),
    "regex 2": filled(PREFIX % (b"regex", b'{"t":"'), b"x", b'"}}}'),
    "unique numbers": PREFIX % (b"unique", b'{"a":[') + b",".join(b"%d" % i for i in range(140000)) + b"]}}}",
    "unique objects": PREFIX % (b"unique", b'{"a":[') + b",".join(b'{"a":%d}' % i for i in range(80000)) + b"]}}}",
    "choices": PREFIX % (b"any", b'{"a":[') + b",".join(b'{"p%d":99}' % (i % 4) for i in range(90000)) + b"]}}}",
    "envelope": filled(b'{"jsonrpc":"2.0","id":1,"method":"ping"', b',"x":1', b"}"),
    "spaces": filled(PREFIX % (b"ping", b"{"), b" ", b"}}}"),
    "a long name": filled(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"', b"n", b'"}}'),
    "a long id": filled(b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"ping","arguments":5},"id":"', b"i", b'"}'),
    "a long method": filled(b'{"jsonrpc":"2.0","id":1,"method":"', b"m", b'"}'),
}


def answer(received):
    if len(received.body) > 1000:
        return reply(b"", kind=None, status="202 Accepted")
    return reply(b'{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}')


def neighbour(port, stop, times):
    client, body = Client(port), request(call("ping", {}))
    while not stop.is_set():
        start = time.monotonic()
        client.send(body)
        response = client.receive()
        times.append((time.monotonic() - start) * 1000)
        if response.status != 200:
            times.append(1e9)
            return
        time.sleep(0.001)


def worst_delay(gateway, body):
    stop, times = threading.Event(), []
    thread = threading.Thread(target=neighbour, args=(gateway.port, stop, times))
    thread.start()
    time.sleep(0.02)
    largest = 0
    for _ in range(3):
        response = exchange(gateway.port, request(body, path="/large"))
        largest = max(largest, len(response.raw))
    stop.set()
    thread.join()
    return max(times), largest


def hidden_list(module, measure):
    """A long list of which tools may be hidden is learned in pieces: the neighbour is served meanwhile."""
    tools = [{"name": "ping", "inputSchema": {"type": "object"}}] + [
        {"name": f"t{i}", "description": "a\u200bb" if i % 2 else "ab", "inputSchema": {"type": "object", "properties": {
            f"p{i}_{j}": {"type": "string", "pattern": f"^[a-z]{{{j},{i + 9}}}$"} for j in range(12)}}}
        for i in range(1500)]
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", "tools": tools}}).encode()

    def answer_list(received):
        if b"tools/list" not in received.body:
            return answer(received)
        body = text.replace(b'"id": 1', b'"id": ' + json.dumps(json.loads(received.body)["id"]).encode(), 1)
        if received.field("x-case") == b"stream":
            return reply(b"data: " + body + b"\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n",
                         kind="text/event-stream")
        return reply(body)

    for case in ("json", "stream"):
        with Gateway(module, {}, "cupel local; cupel_hidden_text hide;", http="cupel_catalog local learn key=shared;",
                     upstream=Upstream(answer_list), workers=1) as gateway:
            small = request(call("ping", {}))
            exchange(gateway.port, small) # the gateway fetches the list
            stop, times, served = threading.Event(), [], []
            thread = threading.Thread(target=neighbour, args=(gateway.port, stop, times))
            text = text.replace(b'"ab"', b'"abc"') # another list, learned from its beginning
            thread.start()
            time.sleep(0.05)
            start, before = time.monotonic(), len(times)
            response = exchange(gateway.port, request(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', fields=[
                "Content-Type: application/json", f"X-Case: {case}"]))
            took, served = (time.monotonic() - start) * 1000, len(times) - before
            stop.set()
            thread.join()
            text = text.replace(b'"abc"', b'"ab"')
            if measure:
                print(f"hidden list, {case}: {took:.0f} ms, {served} calls of the neighbour, the slowest {max(times):.1f} ms")
            found = response.body.split(b"\n")[0].removeprefix(b"data: ")
            names = [tool["name"] for tool in json.loads(found)["result"]["tools"]]
            check(f"hidden list, {case}", names == ["ping"] + [f"t{i}" for i in range(0, 1500, 2)] and response.whole and
                  (case == "json" or b"notifications/x" in response.body), response.body[:200])
            check(f"hidden list, {case}: neighbour", served >= 3 and max(times) < max(100, took / 2),
                  f"{served} calls in {took:.0f} ms, the slowest {max(times):.1f} ms")


def main():
    module, measure = sys.argv[1], "--measure" in sys.argv
    server = ("location /large { cupel local; client_max_body_size 2m; client_body_buffer_size 2m; "
              "proxy_http_version 1.1; proxy_pass http://behind; }")
    for spec in ("2026-07-28", "2025-03-26"):
        with Gateway(module, {"local": CATALOG}, server=server, upstream=Upstream(answer), workers=1,
                     spec=f" spec={spec}") as gateway:
            for name, body in HOSTILE.items():
                if spec == "2025-03-26" and "batch" not in name:
                    continue
                delay, largest = worst_delay(gateway, body)
                if measure:
                    print(f"{spec} {name}: {delay:.1f} ms, answer of {largest} bytes")
                check(f"{spec} {name}: delay", delay < 300, f"{delay:.1f} ms")
                check(f"{spec} {name}: answer", largest < 70000 + len(body) // 8, largest)
    hidden_list(module, measure)
    return check.end()


sys.exit(main())
