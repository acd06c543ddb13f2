#!/usr/bin/env python3
"""Lists of tools that two readers would read in two ways: names that fold, two tools of one name, a list beside
the result.  None of them makes a client or the gateway take one tool for another.

usage: check_lists.py MODULE CUPEL
"""
import json
import os
import subprocess
import sys
import tempfile
import time

from check_learned import NUMBER, OUTPUT, Server, call, gateway_for, list_tools, passed, refused, tool
from gateway import Checks
from wire import reply

check = Checks()

LOOSE = {"type": "object"}
HEAVY = {"resultType": "complete", "content": [{"type": "text", "text": '{"grams": "heavy"}'}],
         "structuredContent": {"grams": "heavy"}}


def lock_of(cupel, folder, tools):
    """The path of a lock file that approves these tools."""
    approved, lock = os.path.join(folder, "approved.json"), os.path.join(folder, "tools.lock")
    with open(approved, "w") as out:
        json.dump({"tools": tools}, out)
    subprocess.run([cupel, "tools", "pin", approved, "-o", lock], check=True, stdout=subprocess.DEVNULL)
    return lock


def folded(module, lock):
    """A list with a name that folds is refused whole, with and without pins, and teaches nothing."""
    add = json.dumps(tool("add"))
    evil = json.dumps(tool("evil", description="x"))
    bodies = {
        "result": '"tools":[%s],"Tools":[%s]' % (add, evil),
        "long s": '"tools":[%s],"tool\u017f":[%s]' % (add, evil),
        "definition": '"tools":[%s,"Name":"evil"}]' % add[:-1],
        "schema": '"tools":[%s,"input\\u017fchema":{}}]' % add[:-1],
        "hints": '"tools":[%s,"annotations":{"readonlyhint":true}}]' % add[:-1],
        "NUL": '"tools":[%s,"name\\u0000":"evil"}]' % add[:-1],
        "no list": '"content":[]',
        "cursor": '"tools":[%s],"nextCursor":7' % add,
    }
    for way in ("", f" pins={lock}"):
        for location in ("", "cupel_changed hide; cupel_hidden_text hide;"):
            server = Server()
            with gateway_for(module, server, "learn key=shared" + way, location + "cupel_unlearned refuse;") as gateway:
                for form in ("json", "stream"):
                    for name, body in bodies.items():
                        text = ('{"jsonrpc":"2.0","id":"l","result":{%s}}' % body).encode()
                        event = b"event: message\ndata: " + text + b"\n\n"
                        server.list_steps = lambda _, text=text, event=event, form=form: (
                            reply(text) if form == "json" else reply(event, kind="text/event-stream", chunked=5))
                        response = list_tools(gateway)
                        case = f"{form}, {name}{way and ', pins'}{location and ', hide'}"
                        check(f"folded: {case}", b'"error"' in response.body and b"evil" not in response.body and
                              b'"add"' not in response.body, response.raw)
                        check(f"folded: {case}: not learned", refused(call(gateway, "add")) and not server.calls())
                server.list_steps = None
                check("a list like it", b'"add"' in list_tools(gateway).body and passed(call(gateway, "add")))


def beside(module):
    """A list beside `result`, which some clients would take."""
    server = Server()
    text = ('{"jsonrpc":"2.0","id":"l","result":{"tools":[%s]},"tools":[%s]}' %
            (json.dumps(tool("add")), json.dumps(tool("evil")))).encode()
    server.list_steps = lambda _: reply(text)
    with gateway_for(module, server, location="cupel_unlearned refuse;") as gateway:
        response = list_tools(gateway)
        check("beside", b"evil" not in response.body and b'"error"' in response.body, response.raw)


def two_outputs(module):
    """Two tools of one name with different output schemas: no result is judged by either."""
    strict, loose, none = tool("weigh", outputSchema=OUTPUT), tool("weigh", outputSchema=LOOSE), tool("weigh")
    for name, pages in (("loose, strict", [[loose, strict]]), ("strict, loose", [[strict, loose]]),
                        ("none, strict", [[none, strict]]), ("pages", [[none], [strict]]),
                        ("three", [[loose, loose], [tool("x")], [strict]])):
        for location, count in (("", False), ("cupel_undecided pass;", False), ("cupel_mode report;", True)):
            server = Server()
            server.pages = lambda _, pages=pages: pages
            server.result = HEAVY
            with gateway_for(module, server, location=location) as gateway:
                response = call(gateway, "weigh")
                passes = b"heavy" in response.body
                check(f"two outputs: {name} {location}", passes == (location != ""), response.raw)
                until = time.time() + 5
                while "tool-ambiguous" not in gateway.read("access.log") and time.time() < until:
                    time.sleep(0.01) # a response is logged after it was sent
                page = gateway.read("access.log")
                check(f"two outputs: {name} {location}: the reason", "tool-ambiguous" in page, page)
    server = Server()
    server.pages = lambda _: [[strict, strict]]
    server.result = HEAVY
    with gateway_for(module, server) as gateway:
        response = call(gateway, "weigh")
        check("the same twice is judged", b"heavy" not in response.body and len(server.calls()) == 1, response.raw)


def namesakes(module, lock):
    """Of two tools with one name, one is not as it was approved: the name is withheld."""
    for action in ("report", "refuse", "hide"):
        for pages in ([[tool("add"), tool("add", description="now with more")]],
                      [[tool("add", description="now with more"), tool("add")]]):
            server = Server()
            server.pages = lambda _, pages=pages: pages
            with gateway_for(module, server, f"learn key=shared pins={lock}", f"cupel_changed {action};") as gateway:
                listed = list_tools(gateway).body
                check(f"namesakes: {action}: list", (b"now with more" in listed) == (action != "hide"), listed)
                response = call(gateway, "add")
                check(f"namesakes: {action}: call", refused(response) == (action != "report"), response.raw)


def resumed(module, lock):
    """A list that comes on a resumed stream is learned, and its tools are hidden, as in any other."""
    server = Server()
    server.list_steps = lambda _: reply(b"id: 1\ndata:\n\n", kind="text/event-stream", chunked=9)
    answer = json.dumps({"jsonrpc": "2.0", "id": "l", "result": {"tools": [tool("add"), tool("new")]}}).encode()
    plain = server.answer
    server.upstream.answer = lambda received: (
        reply(b"id: 2\ndata: " + answer + b"\n\n", kind="text/event-stream", chunked=11)
        if received.method == b"GET" else plain(received))
    with gateway_for(module, server, f"learn key=shared spec=2025-11-25 pins={lock}",
                     "cupel_changed hide; cupel_unlearned refuse;") as gateway:
        from wire import exchange, request
        session = ["Mcp-Session-Id: s"]
        check("the stream has no list yet", b"add" not in list_tools(gateway, fields=session).body)
        check("nothing is known", refused(call(gateway, "add", fields=session)))
        response = exchange(gateway.port, request(method="GET", length=False, fields=[
            "Accept: text/event-stream", "Last-Event-ID: 1", *session]), 10)
        check("resumed: hidden", b'"add"' in response.body and b'"new"' not in response.body, response.raw)
        check("resumed: learned", passed(call(gateway, "add", fields=session)))
        check("resumed: withheld", refused(call(gateway, "new", fields=session)))


def main():
    module, cupel = sys.argv[1:3]
    with tempfile.TemporaryDirectory(prefix="cupel-lists-") as folder:
        os.chmod(folder, 0o755)
        lock = lock_of(cupel, folder, [tool("add", NUMBER)])
        folded(module, lock)
        namesakes(module, lock)
        resumed(module, lock)
    beside(module)
    two_outputs(module)
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
