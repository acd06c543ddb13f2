#!/usr/bin/env python3
"""Learned catalogs: whose list counts, pages, fetching, sessions, changes, pins, reloads; and what the upstream
was sent decides.

usage: check_learned.py MODULE CUPEL [KILLS]
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

from gateway import Checks, Gateway
from wire import CLOSE, HANG, Upstream, exchange, reply, request

check = Checks()

NUMBER = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
TEXT = {"type": "object", "properties": {"n": {"type": "string"}}, "required": ["n"]}
OUTPUT = {"type": "object", "required": ["grams"], "properties": {"grams": {"type": "number"}}}


def tool(name, schema=None, **more):
    return {"name": name, "inputSchema": schema or NUMBER, **more}


class Server:
    """An upstream that lists tools and records what reaches it.  `pages(received)`: the list's pages."""

    def __init__(self):
        self.upstream = Upstream(self.answer)
        self.pages = lambda _: [[tool("add")]]
        self.form = "json"
        self.more = {}
        self.result = {"resultType": "complete", "content": []}
        self.list_steps = None

    def answer(self, received):
        if received.method != b"POST":
            return reply(b"", status="405 Method Not Allowed")
        message = json.loads(received.body)
        if "id" not in message:
            return reply(b"", kind=None, status="202 Accepted")
        if message["method"] == "tools/list":
            return self.list(received, message)
        return self.send(message, self.result)

    def list(self, received, message):
        if self.list_steps:
            return self.list_steps(received)
        pages = self.pages(received)
        at = int(message.get("params", {}).get("cursor", "0"))
        result = {"resultType": "complete", "tools": pages[at], **self.more}
        if at + 1 < len(pages):
            result["nextCursor"] = str(at + 1)
        return self.send(message, result)

    def send(self, message, result):
        text = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        if self.form == "stream":
            progress = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}'
            return reply(b": hello\n\nevent: message\ndata: " + progress + b"\n\nevent: message\ndata: " +
                         text + b"\n\n", kind="text/event-stream", chunked=7)
        return reply(text)

    def lists(self):
        return [each for each in self.upstream.seen if b"tools/list" in each.body]

    def calls(self):
        return [each for each in self.upstream.seen if b"tools/call" in each.body]


def post(gateway, message, path="/mcp", fields=(), timeout=10):
    return exchange(gateway.port, request(json.dumps(message).encode(), path=path, fields=[
        "Content-Type: application/json", "Accept: application/json, text/event-stream", *fields]), timeout)


def call(gateway, name, n=1, fields=(), path="/mcp", id=5, timeout=10):
    return post(gateway, {"jsonrpc": "2.0", "id": id, "method": "tools/call",
                          "params": {"name": name, "arguments": {"n": n}}}, path, fields, timeout)


def list_tools(gateway, cursor=None, fields=(), path="/mcp"):
    params = {} if cursor is None else {"params": {"cursor": cursor}}
    return post(gateway, {"jsonrpc": "2.0", "id": "l", "method": "tools/list", **params}, path, fields)


def refused(response):
    return response.whole and response.status == 200 and (b'"isError":true' in response.body or b'"error"' in response.body)


def passed(response):
    return response.whole and response.status == 200 and b'"content": []' in response.body


def gateway_for(module, server, catalog="learn key=shared", location="", **more):
    return Gateway(module, {}, f"cupel local; {location}", http=f"cupel_catalog local {catalog};",
                   upstream=server.upstream, **more)


def heard(module):
    """A list that passes is learned: in JSON and in streams, in pages, replaced whole."""
    for form in ("json", "stream"):
        server = Server()
        server.form = form
        server.pages = lambda _: [[tool("add")], [tool("name", TEXT)], [tool("sub")]]
        with gateway_for(module, server, location="cupel_unlearned refuse;") as gateway:
            response = call(gateway, "add")
            check(f"{form}: nothing is known", refused(response) and not server.upstream.seen, response.raw)
            for cursor in (None, "1"):
                check(f"{form}: page {cursor}", b"add" in list_tools(gateway, cursor).body or cursor)
            check(f"{form}: pages count as they come", passed(call(gateway, "add")) and
                  passed(call(gateway, "name", "x")), "")
            check(f"{form}: and are judged by", refused(call(gateway, "add", "x")))
            list_tools(gateway, "2")
            check(f"{form}: the last page", passed(call(gateway, "sub")))
            check(f"{form}: unknown", refused(call(gateway, "nobody")))
            server.pages = lambda _: [[tool("add", TEXT)], [tool("more")]]
            list_tools(gateway)
            check(f"{form}: the old list counts until the new one is whole",
                  passed(call(gateway, "add", 1)) and refused(call(gateway, "add", "x")))
            list_tools(gateway, "1")
            check(f"{form}: replaced whole", passed(call(gateway, "add", "x")) and refused(call(gateway, "add", 1))
                  and passed(call(gateway, "more")) and refused(call(gateway, "sub")))
        check(f"{form}: nothing was fetched", len(server.lists()) == 5, len(server.lists()))


def fetched(module):
    """A call before any list: the module asks the upstream, with the caller's identity and nothing else."""
    for form in ("json", "stream"):
        server = Server()
        server.form = form
        server.pages = lambda _: [[tool("add")], [tool("name", TEXT)], [tool("sub")]]
        with gateway_for(module, server, "learn") as gateway:
            fields = ["Authorization: Bearer alice", "Mcp-Session-Id: s1", "MCP-Protocol-Version: 2026-07-28",
                      "Mcp-Method: tools/call", "Mcp-Name: sub", "X-Secret: 1", "Cookie: a=b", "User-Agent: test",
                      "X-Forwarded-For: 1.2.3.4", "Accept-Encoding: gzip"]
            response = call(gateway, "sub", fields=fields)
            check(f"{form}: fetched", passed(response), response.raw)
            lists = server.lists()
            check(f"{form}: all pages", len(lists) == 3, len(lists))
            for each in lists:
                names = sorted(name.decode() for name, _ in each.fields)
                allowed = ["accept", "authorization", "connection", "content-length", "content-type", "host",
                           "mcp-method", "mcp-protocol-version", "mcp-session-id"]
                check(f"{form}: fields", [name for name in names if name != "connection"] ==
                      [name for name in allowed if name != "connection"], names)
                check(f"{form}: values", each.field("authorization") == b"Bearer alice" and
                      each.field("mcp-session-id") == b"s1" and each.field("mcp-method") == b"tools/list" and
                      each.line.startswith(b"POST /mcp"), each.raw)
                message = json.loads(each.body)
                check(f"{form}: id", isinstance(message["id"], str) and len(message["id"]) >= 16, message)
            fields = [each for each in fields if not each.startswith(("Mcp-Name", "Mcp-Method", "MCP-"))]
            check(f"{form}: once", passed(call(gateway, "add", fields=fields)) and len(server.lists()) == 3)
            check(f"{form}: judged", refused(call(gateway, "add", "x", fields=fields)))
            calls = len(server.calls())
            check(f"{form}: unknown", refused(call(gateway, "nobody", fields=fields)) and len(server.calls()) == calls)


def callers(module):
    """A list teaches those alone who would get the same one."""
    server = Server()
    server.pages = lambda received: [[tool("add", TEXT if b"bob" in (received.field("authorization") or b"") else NUMBER)]]
    with gateway_for(module, server, "learn", "cupel_unlearned refuse;") as gateway:
        alice, bob = ["Authorization: Bearer alice"], ["Authorization: Bearer bob"]
        list_tools(gateway, fields=alice)
        check("alice", passed(call(gateway, "add", fields=alice)))
        check("bob has none", refused(call(gateway, "add", fields=bob)) and refused(call(gateway, "add", "x", fields=bob)))
        check("nor has nobody", refused(call(gateway, "add")))
        list_tools(gateway, fields=bob)
        check("bob", passed(call(gateway, "add", "x", fields=bob)) and refused(call(gateway, "add", fields=bob)))
        check("alice still", passed(call(gateway, "add", fields=alice)))
        list_tools(gateway)
        check("a private list of the anonymous", refused(call(gateway, "add")))
        server.more = {"cacheScope": "public", "ttlMs": 1000}
        list_tools(gateway)
        check("a public list of the anonymous", passed(call(gateway, "add")))
    server = Server()
    with gateway_for(module, server, "learn key=$http_x_api_key") as gateway:
        check("a variable", passed(call(gateway, "add", fields=["X-Api-Key: k1"])))
        check("its field is fetched with", server.lists()[0].field("x-api-key") == b"k1", server.lists()[0].raw)
        before = len(server.upstream.seen)
        check("an empty variable", refused(call(gateway, "add")) and len(server.upstream.seen) == before)
    server = Server()
    server.pages = lambda received: [[tool("add"), *([tool("extra")] if received.field("mcp-session-id") == b"two" else [])]]
    with gateway_for(module, server, location="cupel_unlearned refuse;") as gateway:
        one, two = ["Mcp-Session-Id: one"], ["Mcp-Session-Id: two"]
        list_tools(gateway, fields=one)
        check("a session's own list", passed(call(gateway, "add", fields=one)))
        check("another session uses the newest", passed(call(gateway, "add", fields=two)))
        list_tools(gateway, fields=two)
        check("the second session", passed(call(gateway, "extra", fields=two)))
        check("the first keeps its own", refused(call(gateway, "extra", fields=one)))


def failures(module):
    """Fetches that fail are bounded and remembered; waiting calls are answered."""
    for name, steps in (("refused", lambda _: reply(b"no", kind="text/plain", status="401 Unauthorized")),
                        ("closed", lambda _: [CLOSE]), ("garbage", lambda _: reply(b"[")),
                        ("another id", lambda _: reply(b'{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}')),
                        ("error", lambda r: reply(json.dumps({"jsonrpc": "2.0", "id": json.loads(r.body)["id"],
                                                              "error": {"code": -1, "message": "x"}}).encode())),
                        ("endless", lambda _: [reply(b"x" * 100, length=False)] + [b" " * 65536] * 200 + [HANG])):
        server = Server()
        server.list_steps = steps
        with gateway_for(module, server, "learn key=shared") as gateway:
            responses = [call(gateway, "add") for _ in range(3)]
            check(f"fetch {name}", all(refused(each) for each in responses) and not server.calls(),
                  [each.raw for each in responses])
            check(f"fetch {name}: remembered", len(server.lists()) == 1, len(server.lists()))
    server = Server()
    server.list_steps = lambda _: [HANG]
    with Gateway(module, {}, "cupel local;", http="cupel_catalog local learn key=shared; cupel_learn_limits time=1s;",
                 upstream=server.upstream) as gateway:
        start = time.monotonic()
        response = call(gateway, "add")
        check("a fetch without an end", refused(response) and time.monotonic() - start < 3, response.raw)


def together(module):
    """Many calls at once fetch once."""
    server = Server()
    plain = server.list
    server.list = lambda received, message: [0.3, plain(received, message)]
    results = []
    with gateway_for(module, server, workers=2) as gateway:
        threads = [threading.Thread(target=lambda: results.append(call(gateway, "add"))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check("all were answered", len(results) == 20 and all(map(passed, results)), [each.raw for each in results][:2])
        check("one fetch", len(server.lists()) == 1, len(server.lists()))
        status = gateway.read("error.log")
        check("no crash", "exited on signal" not in status)


def crowd(module):
    """More callers at once than may fetch in a second: each gets its turn."""
    server = Server()
    results = []
    with Gateway(module, {}, "cupel local;", http="cupel_catalog local learn; cupel_learn_limits rate=10;",
                 upstream=server.upstream) as gateway:
        threads = [threading.Thread(target=lambda n=n: results.append(call(gateway, "add", fields=[
            f"Authorization: Bearer {n}"]))) for n in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check("a crowd", len(results) == 16 and all(map(passed, results)), [each.raw for each in results][:2])


def passing(module):
    """cupel_unlearned pass: until the first list, and never after."""
    server = Server()
    with gateway_for(module, server, location="cupel_unlearned pass;") as gateway:
        check("passes", passed(call(gateway, "add", "x")) and not server.lists())
        list_tools(gateway)
        check("no more", refused(call(gateway, "add", "x")) and passed(call(gateway, "add")))


def pins(module, cupel):
    """Changed and new tools are held back; all other bytes of a list stay."""
    with tempfile.TemporaryDirectory(prefix="cupel-pins-") as folder:
        os.chmod(folder, 0o755)
        approved = os.path.join(folder, "approved.json")
        with open(approved, "w") as out:
            json.dump({"tools": [tool("add"), tool("sub")]}, out)
        lock = os.path.join(folder, "tools.lock")
        subprocess.run([cupel, "tools", "pin", approved, "-o", lock], check=True, stdout=subprocess.DEVNULL)
        for action in ("report", "refuse", "hide"):
            server = Server()
            server.pages = lambda _: [[tool("add"), tool("sub", TEXT), tool("new"),
                                       tool("odd", description="a\u202eb")]]
            with gateway_for(module, server, f"learn key=shared pins={lock}",
                             f"cupel_changed {action}; cupel_hidden_text {action};") as gateway:
                listed = list_tools(gateway)
                names = [each["name"] for each in json.loads(listed.body)["result"]["tools"]]
                check(f"{action}: list", names == (["add"] if action == "hide" else ["add", "sub", "new", "odd"]), names)
                check(f"{action}: add", passed(call(gateway, "add")))
                for name, value in (("sub", "x"), ("new", 1), ("odd", 1)):
                    before = len(server.calls())
                    response = call(gateway, name, value)
                    held = refused(response) and len(server.calls()) == before
                    check(f"{action}: {name}", held == (action != "report"), response.raw)
            server = Server()
            server.form = "stream"
            server.pages = lambda _: [[tool("new"), tool("add")]]
            with gateway_for(module, server, f"learn key=shared pins={lock}", f"cupel_changed {action};") as gateway:
                text = list_tools(gateway).body
                check(f"{action}: stream", (b'"new"' in text) == (action != "hide") and b'"add"' in text and
                      text.startswith(b": hello\n\nevent: message\n"), text)
                check(f"{action}: fetched", passed(call(gateway, "add")))


def changes(module):
    """notifications/tools/list_changed marks a list stale; the next call looks again."""
    server = Server()
    with gateway_for(module, server) as gateway:
        list_tools(gateway)
        check("known", passed(call(gateway, "add")) and len(server.lists()) == 1)
        note = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
        plain = server.send
        server.send = lambda message, result: reply(
            b"data: " + note + b"\n\ndata: " + json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
            + b"\n\n", kind="text/event-stream")
        call(gateway, "add")
        server.send = plain
        server.pages = lambda _: [[tool("add"), tool("later")]]
        check("a new tool is looked up", passed(call(gateway, "later")), len(server.lists()))
        page = exchange(gateway.port, request(method="GET", path="/status", fields=[], length=False)).body.decode()
        check("counted", "cupel_lists_stale_total 1" in page, page)


def results(module):
    """Results are judged by a learned output schema."""
    server = Server()
    server.pages = lambda _: [[tool("weigh", outputSchema=OUTPUT)]]
    server.result = {"resultType": "complete", "content": [{"type": "text", "text": "{}"}],
                     "structuredContent": {"grams": "heavy"}}
    with gateway_for(module, server) as gateway:
        response = call(gateway, "weigh")
        check("a bad result", refused(response) and b"heavy" not in response.body, response.raw)


def reload(module):
    """A reload keeps what was learned."""
    server = Server()
    with gateway_for(module, server, location="cupel_unlearned refuse;") as gateway:
        list_tools(gateway)
        gateway.reload()
        time.sleep(0.7)
        check("after a reload", passed(call(gateway, "add")) and refused(call(gateway, "add", "x")))


def killed(module, rounds=40):
    """Workers killed at any moment of learning: the others go on, and so does what replaces them."""
    server = Server()
    numbers = iter(range(10 ** 9))
    server.pages = lambda _: [[tool("add"), *(tool(f"t{next(numbers)}") for _ in range(30))], [tool("sub")]]
    with gateway_for(module, server, "learn", workers=2) as gateway:
        stop, bad = threading.Event(), []

        def learn(number):
            count = 0
            while not stop.is_set():
                count += 1
                fields = [f"Authorization: Bearer {number}-{count % 7}"]
                try:
                    list_tools(gateway, fields=fields)
                    response = call(gateway, "add", "x", fields=fields)
                    if response.whole and not refused(response):
                        bad.append(response.raw)
                except OSError:
                    pass
        threads = [threading.Thread(target=learn, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        kills = 0
        for number in range(rounds):
            time.sleep(0.02 + 0.013 * (number % 7))
            workers = subprocess.run(["ps", "-o", "pid=", "--ppid", str(gateway.process.pid)],
                                     stdout=subprocess.PIPE, check=False).stdout.split()
            if workers:
                os.kill(int(workers[number % len(workers)]), signal.SIGKILL)
                kills += 1
        stop.set()
        for thread in threads:
            thread.join()
        time.sleep(0.3)
        list_tools(gateway, fields=["Authorization: Bearer last"])
        check("after kills", passed(call(gateway, "add", fields=["Authorization: Bearer last"])))
        check("no wrong verdict", not bad, bad[:1])
        log = gateway.read("error.log")
        check("no other death", "exited on signal 11" not in log and "exited on signal 6" not in log)
        check("kills", kills >= rounds // 2, kills)


def main():
    module, cupel = sys.argv[1:3]
    for step in (heard, fetched, callers, failures, together, crowd, passing, changes, results, reload):
        step(module)
    killed(module, int(sys.argv[3]) if len(sys.argv) > 3 else 40)
    pins(module, cupel)
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
