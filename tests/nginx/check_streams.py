#!/usr/bin/env python3
"""Results in event streams, in other statuses and types, compressed, slow, and what the client sees of them.

usage: check_streams.py MODULE
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time

from gateway import Checks, Gateway
from wire import CLOSE, Client, Upstream, exchange, reply, request

check = Checks()

CATALOG = json.dumps({"tools": [
    {"name": "weigh", "inputSchema": {"type": "object"}, "outputSchema": {
        "type": "object", "required": ["grams"], "properties": {"grams": {"type": "number"}}}},
    {"name": "plain", "inputSchema": {"type": "object"}},
    {"name": "job", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"}, "outputSchema": {
        "type": "object", "required": ["grams"], "properties": {"grams": {"type": "number"}}}},
]})


def result(grams, id=7, **more):
    return {"jsonrpc": "2.0", "id": id, "result": {
        "resultType": "complete", "content": [{"type": "text", "text": json.dumps({"grams": grams})}],
        "structuredContent": {"grams": grams}, **more}}


GOOD, BAD = json.dumps(result(5)).encode(), json.dumps(result("heavy")).encode()
NOTE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'
ASK = b'{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}'

answers = {}


def answer(received):
    steps = answers.get((received.field("x-case") or b"").decode())
    return steps(received) if callable(steps) else steps or reply(GOOD)


def post(gateway, case, steps, name="weigh", id=7, path="/mcp", timeout=10, fields=()):
    answers[case] = steps
    body = json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                       "params": {"name": name, "arguments": {}}}).encode()
    return exchange(gateway.port, request(body, path=path, fields=[
        "Content-Type: application/json", "Accept: application/json, text/event-stream", f"X-Case: {case}",
        *fields]), timeout)


def stream(*events, chunk=0, end=b"\n"):
    body = b"".join(event.replace(b"\n", end) for event in events)
    return reply(body, kind="text/event-stream", chunked=chunk or len(body) or 1)


def event(data, before=b""):
    return before + b"data: " + data + b"\n\n"


def error_in(body, id=7):
    """Whether an event has an error with this id, and nothing of the result is there."""
    for line in body.removeprefix(b"\xef\xbb\xbf").splitlines():
        if line.startswith(b"data:"):
            message = json.loads(line[5:])
            if message.get("id") == id and "error" in message:
                return b"heavy" not in body
    return False


def judged(gateway, path):
    """Every event of a judged stream is judged, however it is split."""
    good = [event(NOTE), b": comment\n\n", event(GOOD, b"id: 4\nevent: message\nretry: 10\n")]
    bad = [event(NOTE), b": comment\n\n", event(BAD, b"id: 4\nevent: message\n")]
    for chunk in (0, 1, 2, 3, 7, 1000):
        for end in (b"\n", b"\r\n", b"\r"):
            case = f"{path} {chunk} {end}"
            response = post(gateway, "good" + case, stream(*good, chunk=chunk, end=end), path=path)
            whole = b"".join(good).replace(b"\n", end)
            check("good " + case, response.whole and response.body == whole, response.body)
            response = post(gateway, "bad" + case, stream(*bad, chunk=chunk, end=end), path=path)
            check("bad " + case, response.whole and error_in(response.body.replace(b"\r", b"\n")) and
                  b"notifications/message" in response.body, response.body)
    for name, events, expected in (
            ("BOM", [b"\xef\xbb\xbf" + event(BAD)], error_in),
            ("several lines", [b"data: " + BAD[:10] + b"\ndata:" + BAD[10:] + b"\n\n"], error_in),
            ("no space", [b"data:" + BAD + b"\n\n"], error_in),
            ("other event field", [event(BAD, b"event: ping\n")], error_in),
            ("second event", [event(GOOD), event(BAD)], lambda body: b"heavy" not in body),
            ("result with a method", [event(BAD[:-1] + b',"method":"notifications/message"}')],
             lambda body: b"heavy" not in body),
            ("two results", [event(b'{"jsonrpc":"2.0","id":7,"result":{},"result":' + BAD[BAD.index(b'{"resultType'):])],
             lambda body: b"heavy" not in body),
            ("another id", [event(json.dumps(result("heavy", 8)).encode())], lambda body: b"heavy" not in body),
            ("unfinished", [event(NOTE), b"data: " + BAD + b"\n"], lambda body: b"heavy" not in body),
            ("empty data", [b"id: 1\ndata:\n\n", event(GOOD)], lambda body: body == b"id: 1\ndata:\n\n" + event(GOOD)),
            ("request", [event(ASK), event(GOOD)], lambda body: body == event(ASK) + event(GOOD)),
            ("folded", [event(BAD.replace(b'"structuredContent"', b'"StructuredContent"'))],
             lambda body: b"heavy" not in body or b"error" in body)):
        response = post(gateway, path + name, stream(*events), path=path)
        check(f"{path} {name}", response.status in (200, 502) and expected(response.body), response.raw)


def at_once(gateway):
    """Notifications pass before what follows them has come."""
    answers["slow"] = [reply(b"", kind="text/event-stream", length=False, fields=["Transfer-Encoding: chunked"])] + [
        b"%x\r\n%s\r\n" % (len(event(NOTE)), event(NOTE)), 0.5, b"4\r\ndata\r\n", 0.5,
        b"%x\r\n%s\r\n" % (len(event(GOOD)) - 4, event(GOOD)[4:]), b"0\r\n\r\n"]
    client = Client(gateway.port)
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "weigh"}}).encode()
    start = time.monotonic()
    client.send(request(body, path="/direct", fields=["Content-Type: application/json", "X-Case: slow"]))
    response = client.receive(head_only=True)
    first = next(iter(client.events()))[1]
    check("at once", response.status == 200 and NOTE in first and time.monotonic() - start < 0.4,
          (time.monotonic() - start, first))
    client.close()


def silent(gateway):
    """The head of a stream passes before its first event: clients wait for it."""
    head = reply(b"", kind="text/event-stream", length=False, fields=["Transfer-Encoding: chunked"])
    call = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "weigh"}}
    for method in ("GET", "POST"):
        for name, first in (("nothing", b""), ("part of a comment", b"2\r\n: \r\n"),
                            ("part of an event", b"6\r\ndata: \r\n")):
            answers["silent"] = [head + first, 0.5, b"0\r\n\r\n"]
            client, start = Client(gateway.port), time.monotonic()
            client.send(request(json.dumps(call).encode() if method == "POST" else b"", method, "/direct",
                                ["Content-Type: application/json", "X-Case: silent"], length=method == "POST"))
            response = client.receive(head_only=True)
            check(f"head of a {method} stream before {name}", response.status == 200 and
                  time.monotonic() - start < 0.4, (time.monotonic() - start, response.raw))
            client.close()


def other_forms(gateway):
    """Statuses, types and codings under which a result may come."""
    for status in ("200 OK", "201 Created", "202 Accepted", "206 Partial Content", "299 X"):
        response = post(gateway, status, reply(BAD, status=status))
        check("status " + status, b"heavy" not in response.body and response.status < 600, response.raw)
    for kind in ("application/json; charset=utf-8", "Application/JSON", "application/json ;charset=\"UTF-8\"", None,
                 "application/json;x=y", "application/json; charset=utf-7", "text/plain", "application/x-ndjson"):
        response = post(gateway, f"type {kind}", reply(BAD, kind=kind))
        check(f"type {kind}", b"heavy" not in response.body, response.raw)
    for coding in ("gzip", "deflate", "br", "identity, gzip"):
        response = post(gateway, coding, reply(gzip.compress(BAD), fields=[f"Content-Encoding: {coding}"]))
        check("coding " + coding, b'"error"' in response.body and response.field("content-encoding") is None,
              response.raw)
    response = post(gateway, "identity", reply(GOOD, fields=["Content-Encoding: identity"]))
    check("coding identity", response.body == GOOD, response.raw)
    fields = ["ETag: \"x\"", "Last-Modified: Sat, 01 Jan 2022 00:00:00 GMT", "Cache-Control: public, max-age=600",
              "Expires: Sat, 01 Jan 2042 00:00:00 GMT", "Content-Language: de", "Content-Disposition: attachment",
              "Digest: sha-256=x", "Content-Digest: x", "Repr-Digest: x", "Content-MD5: x", "Accept-Ranges: bytes",
              "Content-Range: bytes 0-1/2", "Trailer: X", "Content-Location: /x", "Age: 3", "Vary: X", "X-Kept: yes"]
    response = post(gateway, "fields", reply(BAD, fields=fields, kind="application/json; charset=utf-8"))
    left = [name.decode() for name, _ in response.fields]
    dropped = ["etag", "last-modified", "expires", "content-language", "content-disposition", "digest", "content-digest",
               "repr-digest", "content-md5", "accept-ranges", "content-range", "trailer", "content-location"]
    check("fields of the answer", b'"error"' in response.body and not set(left) & set(dropped) and
          response.field("cache-control") == b"no-store" and response.field("x-kept") == b"yes" and
          response.field("content-type") == b"application/json", response.raw)
    for id in (7, "x\u00e9y", -1, 0, "\\\"q"):
        response = post(gateway, f"id {id!r}", reply(json.dumps(result("heavy", 99)).encode()), id=id)
        check(f"id {id!r}", response.whole and json.loads(response.body)["id"] == id, response.raw)
    response = post(gateway, "range", reply(GOOD), fields=["Range: bytes=0-3"])
    check("a range", response.status == 200 and response.body == GOOD, response.raw)


def dying(gateway):
    """A stream that breaks off: the client sees that it is not whole."""
    head = reply(b"", kind="text/event-stream", length=False, fields=["Transfer-Encoding: chunked"])
    for path in ("/mcp", "/direct"):
        note = b"%x\r\n%s\r\n" % (len(event(NOTE)), event(NOTE))
        response = post(gateway, "die" + path, [head, note, 0.05, CLOSE], path=path)
        check(f"{path} stream died", response.status in (200, 502) and (response.status == 502 or not response.whole)
              and response.took < 1, response.raw)


def dripping(gateway):
    """A body or an event that comes byte by byte, without a pause worth the name, is held for the time limit and no
    longer; the limit is for each event by itself."""
    def drip(data, pause=0.1, piece=4):
        steps = [reply(b"", kind="text/event-stream", length=False, fields=["Transfer-Encoding: chunked"])]
        for i in range(0, len(data), piece):
            part = data[i:i + piece]
            steps += [b"%x\r\n%s\r\n" % (len(part), part), pause]
        return steps

    end = [b"%x\r\n%s\r\n0\r\n\r\n" % (len(event(NOTE)), event(NOTE))]
    answers["drip"] = drip(event(BAD)) + end
    client = Client(gateway.port, 30)
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "weigh"}}).encode()
    client.send(request(body, path="/direct", fields=["Content-Type: application/json", "X-Case: drip"]))
    start = time.monotonic()
    client.receive(head_only=True)
    pieces = [(time.monotonic() - start, piece) for _, piece in client.events()]
    client.close()
    whole = b"".join(piece for _, piece in pieces)
    check("a dripping event is refused", error_in(whole) and b"took too long" in whole and event(NOTE) in whole, whole)
    check("a dripping event is refused at the limit", 0.4 < pieces[0][0] < 2 < pieces[-1][0], pieces)

    steps = [reply(b"", kind="application/json", length=False, fields=["Transfer-Encoding: chunked"])] + drip(GOOD)[1:]
    response = post(gateway, "drip json", steps + [b"0\r\n\r\n"], path="/direct", timeout=30)
    check("a dripping body is refused at the limit", error_in(b"data: " + response.body) and
          b"took too long" in response.body and 0.4 < response.took < 2, (response.took, response.raw))

    short = event(NOTE)
    steps = drip(short * 10, pause=0.1, piece=len(short) // 3) + [b"%x\r\n%s\r\n0\r\n\r\n" % (len(event(GOOD)), event(GOOD))]
    response = post(gateway, "drip events", steps, path="/direct", timeout=30)
    check("short events pass for longer than the limit", response.whole and response.took > 2 and
          response.body == short * 10 + event(GOOD), (response.took, response.raw))


def many_clients(gateway):
    """A client that leaves many calls without a result does not make the gateway forget those of others."""
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "weigh", "arguments": {}}}

    def leave(who, id):
        return send(gateway, {**message, "id": id}, "left", stream(b"id: 1\ndata:\n\n"), "/old", fields=[f"Authorization: {who}"])

    def resume(who, data):
        return send(gateway, None, "resumed", stream(event(data)), "/old", "GET",
                    ["Last-Event-ID: 1", f"Authorization: {who}"]).body

    leave("quiet", 7)
    for id in range(1000, 1300):
        leave("loud", id)
    check("the quiet client's call is remembered", resume("quiet", GOOD) == event(GOOD))
    check("the quiet client's call is judged", b"heavy" not in resume("quiet", BAD))
    newest, oldest = json.dumps(result(5, 1299)).encode(), json.dumps(result(5, 1000)).encode()
    check("the loud client's newest call is remembered", resume("loud", newest) == event(newest))
    check("the loud client's oldest call is not", b'"error"' in resume("loud", oldest))
    page = exchange(gateway.port, request(method="GET", path="/status", fields=[], length=False)).body.decode()
    evicted = next(line for line in page.splitlines() if line.startswith("cupel_attributions_evicted_total "))
    check("what was forgotten is counted", int(evicted.split()[1]) > 200, evicted)


def slow_readers(gateway, memory):
    """Clients that do not read make the worker hold no more than a bound."""
    answers["endless"] = [reply(b"", kind="text/event-stream", length=False)] + [event(NOTE) * 400] * 400
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "weigh"}}).encode()
    clients = []
    before = memory()
    for _ in range(20):
        client = Client(gateway.port)
        client.send(request(body, path="/direct", fields=["Content-Type: application/json", "X-Case: endless"]))
        clients.append(client)
    most = 0
    for _ in range(10):
        time.sleep(0.1)
        most = max(most, memory() - before)
    for client in clients:
        client.close()
    check("slow readers", most < 64 << 20, f"{most >> 20} MiB")


def worker_memory(gateway):
    def read():
        workers = subprocess.run(["ps", "-o", "rss=", "--ppid", str(gateway.process.pid)],
                                 stdout=subprocess.PIPE, check=False).stdout.split()
        return sum(int(each) for each in workers) << 10
    return read


def send(gateway, message, case, steps, path="/mcp", method="POST", fields=()):
    answers[case] = steps
    body = json.dumps(message).encode() if message else b""
    kind = ["Content-Type: application/json"] if message else []
    return exchange(gateway.port, request(body, method, path, [*kind, "Accept: application/json, text/event-stream",
                                                               f"X-Case: {case}", "Mcp-Session-Id: s", *fields],
                                          length=bool(message)))


def resumed(gateway):
    """A result that comes on a stream that was resumed is attributed to its call."""
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "weigh", "arguments": {}}}
    head = b"id: 1\ndata:\n\n"
    for name, data, expected in (("bad", BAD, False), ("good", GOOD, True)):
        response = send(gateway, message, "break " + name, stream(head), "/old")
        check(f"a stream that ends without a result, {name}", response.whole and response.body == head, response.raw)
        response = send(gateway, None, "resume " + name, stream(event(NOTE), event(data)), "/old", "GET",
                        ["Last-Event-ID: 1"])
        check(f"resumed, {name}", event(NOTE) in response.body and (event(data) in response.body) == expected and
              (expected or b'"error"' in response.body), response.raw)
    response = send(gateway, None, "unknown", stream(event(json.dumps(result("heavy", 4711)).encode())), "/old", "GET",
                    ["Last-Event-ID: 1"])
    check("an answer to nobody", b"heavy" not in response.body, response.raw)
    response = send(gateway, None, "requests", stream(event(ASK), event(NOTE)), "/old", "GET")
    check("requests on a GET stream", response.body == event(ASK) + event(NOTE), response.raw)


def not_streams(gateway):
    """What a client gets on a GET that asks for events it may read as events, whatever its type."""
    events = event(json.dumps(result("heavy", 4712)).encode())
    for kind in ("text/plain", "application/json", "text/html", "application/octet-stream", None):
        for body in (events, b"hello\n" + events, b"{}\n" + events):
            for field in ("Last-Event-ID: 1", "X-None: 1"):
                response = send(gateway, None, "no stream", reply(body, kind=kind), "/old", "GET", [field])
                check(f"no stream, {kind}, {field}", b"heavy" not in response.body, response.raw)
    page = reply(b"<p>data: {}</p>", kind="text/html")
    answers["page"] = page
    response = exchange(gateway.port, request(b"", "GET", "/old", ["Accept: text/html", "X-Case: page"], length=False))
    check("a page for people", response.body == b"<p>data: {}</p>", response.raw)


def elicitation(gateway):
    """An answer to an elicitation is judged by the schema that the server asked with."""
    schema = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
    ask = json.dumps({"jsonrpc": "2.0", "id": 55, "method": "elicitation/create",
                      "params": {"message": "?", "requestedSchema": schema}}).encode()
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "plain", "arguments": {}}}
    accepted = reply(b"", kind=None, status="202 Accepted")
    for path, judged in (("/asked", True), ("/old", False)):
        for name, result_of, good in (("bad", {"action": "accept", "content": {"n": "x"}}, False),
                                      ("good", {"action": "accept", "content": {"n": 5}}, True),
                                      ("folded", {"action": "decline", "Action": "accept"}, None),
                                      ("with NUL", {"action\0": "accept", "action": "decline"}, None),
                                      ("declined", {"action": "decline"}, True)):
            case = f"{path} {name}"
            send(gateway, message, "ask " + case, stream(event(ask), event(GOOD)), path)
            before = len(gateway.upstream.seen)
            response = send(gateway, {"jsonrpc": "2.0", "id": 55, "result": result_of}, "answer " + case, accepted, path)
            reached = len(gateway.upstream.seen) > before
            expected = good is not None and (good or not judged)
            check(f"elicitation {case}", reached == expected, response.raw)


def tasks(gateway):
    """The result of a task is judged by the tool of the call that created it."""
    message = {"jsonrpc": "2.0", "id": 8, "method": "tools/call",
               "params": {"name": "job", "arguments": {}, "task": {"ttl": 1000}}}
    task = {"taskId": "t-1", "status": "working", "createdAt": "2026-01-01T00:00:00Z",
            "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": 1000}
    created = reply(json.dumps({"jsonrpc": "2.0", "id": 8, "result": {"task": task}}).encode())
    response = send(gateway, message, "create", created, "/old")
    check("a task is created", b"t-1" in response.body, response.raw)
    fetch = {"jsonrpc": "2.0", "id": 9, "method": "tasks/result", "params": {"taskId": "t-1"}}
    for name, grams, expected in (("bad", "heavy", False), ("good", 5, True)):
        done = json.dumps({"jsonrpc": "2.0", "id": 9, "result": {
            "content": [{"type": "text", "text": json.dumps({"grams": grams})}],
            "structuredContent": {"grams": grams},
            "_meta": {"io.modelcontextprotocol/related-task": {"taskId": "t-1"}}}}).encode()
        response = send(gateway, fetch, "task " + name, reply(done), "/old")
        check(f"the result of a task, {name}", (response.body == done) == expected, response.raw)


def counters(gateway):
    page = exchange(gateway.port, request(method="GET", path="/status", fields=[], length=False)).body.decode()
    for verdict in ("result-valid", "result-invalid"):
        check("counted " + verdict, f'tool="weigh",verdict="{verdict}"' in page, page)


def main():
    module = sys.argv[1]
    upstream = Upstream(answer)
    server = ("location /direct { cupel local; proxy_http_version 1.1; proxy_buffering off; proxy_pass http://behind; } "
              "location /old { cupel old; proxy_http_version 1.1; proxy_buffering off; proxy_pass http://behind; } "
              "location /asked { cupel old; cupel_elicitation on; proxy_http_version 1.1; proxy_buffering off; "
              "proxy_pass http://behind; }")
    path = os.path.join(tempfile.mkdtemp(prefix="cupel-streams-"), "old.json")
    with open(path, "w") as out:
        out.write(CATALOG)
    os.chmod(os.path.dirname(path), 0o755)
    with Gateway(module, {"local": CATALOG}, server=server, http=f"cupel_catalog old {path} spec=2025-11-25; cupel_limits time=600ms; cupel_memory_zone 512k;", upstream=upstream, workers=1) as gateway:
        for path in ("/mcp", "/direct"):
            judged(gateway, path)
        for step in (at_once, silent, other_forms, dying, resumed, not_streams, tasks, elicitation, dripping, many_clients):
            step(gateway)
        slow_readers(gateway, worker_memory(gateway))
        counters(gateway)
        gateway.upstream.release()
        log = gateway.read("error.log")
        check("no crash", "exited on signal" not in log and "[alert]" not in log, log[-1000:])
    return check.end()


sys.exit(main())
