#!/usr/bin/env python3
"""The module under valgrind: calls of every kind, a reload, the end; no error, nothing lost.

usage: check_memory.py MODULE
"""
import json
import os
import shutil
import sys

from calls import mixed
from check_learned import OUTPUT, Server, call, list_tools, tool
from gateway import Client, Gateway
from wire import CLOSE, HANG, exchange, reply, request

SHARED = os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared")


def finish(gateway, problems):
    status = gateway.stop()
    if status != 0:
        problems.append(f"{status}: {gateway.read('stderr')[-3000:]}")


def learn(module, wrapper, problems):
    """Lists that are learned and fetched, in pages and streams; results in streams; clients that go away."""
    server = Server()
    server.pages = lambda _: [[tool("add"), tool("weigh", outputSchema=OUTPUT)], [tool("sub")]]
    server.result = {"resultType": "complete", "content": [], "structuredContent": {"grams": "heavy"}}
    with Gateway(module, {}, "cupel local; cupel_changed hide; cupel_hidden_text hide;",
                 http="cupel_catalog local learn; cupel_learn_limits time=1s;",
                 main="master_process off;", workers=1, wrapper=wrapper, wait=90, upstream=server.upstream) as gateway:
        for number in range(6):
            server.form = ("json", "stream")[number % 2]
            fields = [f"Authorization: Bearer {number % 4}", f"Mcp-Session-Id: {number % 3}"]
            if number % 3:
                list_tools(gateway, fields=fields)
                list_tools(gateway, "1", fields=fields)
            for name in ("add", "weigh", "sub", "nobody"):
                call(gateway, name, fields=fields)
        list_tools(gateway)
        for steps in ([HANG], [CLOSE], [reply(b"no", status="500 No")], [reply(b"{")]):
            server.list_steps = lambda _, steps=steps: steps
            call(gateway, "add", fields=[f"Authorization: Bearer {steps!r:.20}"], timeout=0.3)
        exchange(gateway.port, request(method="GET", path="/status", fields=[], length=False))
        finish(gateway, problems)


def main():
    if shutil.which("valgrind") is None:
        print("no valgrind")
        return 77
    catalog, messages = mixed(200, SHARED)
    messages += [b"", b"{", b"[]", b'{"jsonrpc":"2.0","id":1,"method":"x"}', b" " * 300000,
                 json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                             "params": {"name": "tool_0", "arguments": {"x": "y" * 90000}}}).encode()]
    catalog = json.loads(catalog)
    catalog["tools"].append({"name": "weigh", "inputSchema": {"type": "object"}, "outputSchema": {
        "type": "object", "required": ["grams"]}})
    messages += [b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weigh"}}'] * 3
    catalog = json.dumps(catalog)
    wrapper = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=definite",
               "--errors-for-leak-kinds=definite", "--error-exitcode=9",
               "--suppressions=" + os.path.join(os.path.dirname(os.path.abspath(__file__)), "valgrind.supp")]
    problems = []
    # nginx without a master: its worker's code in the process that valgrind watches.
    with Gateway(sys.argv[1], {"local": catalog}, main="master_process off;", workers=1,
                 wrapper=wrapper, wait=90) as gateway:
        client = Client(gateway.port)
        for number, body in enumerate(messages):
            client.post(body, pieces=[len(body) // 2] if number % 2 else None)
        client.get("/status")
        client.close()
        finish(gateway, problems)
    learn(sys.argv[1], wrapper, problems)
    print("\n".join(problems))
    print(f"{len(messages) - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


sys.exit(main())
