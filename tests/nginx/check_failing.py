#!/usr/bin/env python3
"""Each allocation of a request fails in turn: nothing that is refused passes, a fetch of the list carries none of
the client's other fields, and the worker serves on.

usage: check_failing.py MODULE FAILING

FAILING is the library of failing.c.
"""
import json
import os
import struct
import sys
import tempfile

from gateway import Checks, Gateway
from wire import Upstream, exchange, reply, request

check = Checks()

TOOLS = [{"name": "weigh", "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}},
          "outputSchema": {"type": "object", "required": ["grams"], "properties": {"grams": {"type": "number"}}}}]
MOST = 3000


def answer(received):
    message = json.loads(received.body)
    if message["method"] == "tools/list":
        result = {"resultType": "complete", "tools": TOOLS}
    else:
        result = {"resultType": "complete", "content": [], "structuredContent": {"grams": "heavy"}}
    text = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
    if message["method"] == "tools/call" and b"stream" in received.body:
        return reply(b"data: " + text + b"\n\n", kind="text/event-stream")
    return reply(text)


def call(arguments):
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                       "params": {"name": "weigh", "arguments": arguments}}).encode()


CASES = {"a call that does not conform": call({"what": 5}), "a result that does not": call({"what": "x"}),
         "a streamed one": call({"what": "stream"}),
         "a list": b'{"jsonrpc":"2.0","id":7,"method":"tools/list"}'}


def run_case(gateway, name, body, countdown):
    """Sends the request with the first allocation failing, then the second, until none does."""
    for number in range(1, MOST):
        seen = len(gateway.upstream.seen)
        os.pwrite(countdown, struct.pack("<Q", number), 0)
        response = exchange(gateway.port, request(body, fields=[
            "Content-Type: application/json", f"X-Key: {name} {number}", "X-Secret: of the client",
            "Accept: application/json, text/event-stream"]))
        rest = struct.unpack("<Q", os.pread(countdown, 8, 0))[0]
        os.pwrite(countdown, struct.pack("<Q", 0), 0)
        for received in gateway.upstream.seen[seen:]:
            # nginx itself sends the head without Content-Length if it has no memory for that number.
            own = body != CASES["a call that does not conform"] and \
                (received.body == body or received.field("content-length") is None)
            fetched = b'"tools/list"' in received.body and b'"cupel-' in received.body and \
                received.field("x-secret") is None and received.method == b"POST"
            check(f"{name}, allocation {number}: what reaches the server", own or fetched, received.raw)
        check(f"{name}, allocation {number}: the response", b"heavy" not in response.raw, response.raw)
        if rest != 0:
            return number
    return MOST


def main():
    module, failing = sys.argv[1:3]
    with tempfile.NamedTemporaryFile(prefix="cupel-failing-") as file:
        file.write(bytes(8))
        file.flush()
        os.chmod(file.name, 0o666)
        wrapper = ["env", f"LD_PRELOAD={os.path.abspath(failing)}", f"CUPEL_FAIL={file.name}"]
        http = ("cupel_catalog local learn key=$http_x_key; cupel_learn_limits fetches=1000 address=1000 rate=100000 "
                "retry=0 time=2s; request_pool_size 256; connection_pool_size 256;")
        with Gateway(module, {}, "cupel local; cupel_hidden_text hide;", http=http, upstream=Upstream(answer), workers=1,
                     wrapper=wrapper) as gateway:
            # The first answer shows that the worker has started: nginx does not replace one that fails before.
            exchange(gateway.port, request(CASES["a list"], fields=["Content-Type: application/json"]))
            for name, body in CASES.items():
                count = run_case(gateway, name, body, file.fileno())
                print(f"{name}: {count} allocations")
                check(f"{name}: allocations", 20 < count < MOST, count)
                response = exchange(gateway.port, request(CASES["a call that does not conform"], fields=[
                    "Content-Type: application/json", "X-Key: afterwards"]))
                check(f"{name}: afterwards", response.status == 200 and b"expected string" in response.body, response.raw)
            log = gateway.read("error.log")
            check("no crash", "exited on signal" not in log and "[alert]" not in log and "[emerg] " not in
                  "\n".join(line for line in log.splitlines() if "malloc(" not in line and "posix_memalign(" not in line),
                  [line for line in log.splitlines() if "[alert]" in line or "signal" in line][:5])
    return check.end()


sys.exit(main())
