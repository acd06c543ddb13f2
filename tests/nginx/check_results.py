#!/usr/bin/env python3
"""Results on their way back, in JSON: what conforms to the tool's output schema passes byte for byte, what
does not is replaced by an error with the request's id.

usage: check_results.py MODULE
"""
import json
import sys

from gateway import Checks, Client, Gateway

CATALOG = json.dumps({"tools": [
    {"name": "weigh", "inputSchema": {"type": "object"}, "outputSchema": {
        "type": "object", "required": ["grams"],
        "properties": {"grams": {"type": "number", "minimum": 0}, "note": {"type": "string"}}}},
    {"name": "plain", "inputSchema": {"type": "object"}},
]})

check = Checks()


def result(structured, **more):
    text = {"type": "text", "text": json.dumps(structured)}
    return json.dumps({"jsonrpc": "2.0", "id": "q7", "result": {
        "resultType": "complete", "content": [text], "structuredContent": structured, **more}}).encode()


GOOD = result({"grams": 1.50, "note": "caf\u00e9"})
LARGE = result({"grams": 2, "note": "x" * 200000})
HUGE = result({"grams": 2, "note": "x" * 2000000})
NO_CONTENT = b'{"jsonrpc":"2.0","id":"q7","result":{"resultType":"complete","content":[]}}'

# What the upstream answers, and what the client is to see: the same, or an error.
ANSWERS = {
    "good": ("application/json", GOOD, True),
    "charset": ("application/json; charset=utf-8", GOOD, True),
    "large": ("application/json", LARGE, True),
    "tool-error": ("application/json", result({"grams": "?"}, isError=True), True),
    "rpc-error": ("application/json", b'{"jsonrpc":"2.0","id":"q7","error":{"code":-1,"message":"no"}}', True),
    "type": ("application/json", result({"grams": "heavy"}), False),
    "negative": ("application/json", result({"grams": -1}), False),
    "missing": ("application/json", NO_CONTENT, False),
    "not-json": ("application/json", b'{"jsonrpc":', False),
    "empty": ("application/json", b"", True),
    "huge": ("application/json", HUGE, False),
    "encoded": ("application/json\r\nContent-Encoding: gzip", GOOD, False),
}


def upstream(case, _):
    kind, text, _ = ANSWERS[case.split(".")[0]]
    return 200, kind, text


def call(name):
    return json.dumps({"jsonrpc": "2.0", "id": "q7", "method": "tools/call",
                       "params": {"name": name, "arguments": {}}}).encode()


def one(client, case, same):
    status, headers, text = client.post(call("weigh"), case)
    _, original, _ = ANSWERS[case.split(".")[0]]
    if same:
        check(case, status == 200 and text == original, (status, text[:200]))
        return
    try:
        answer = json.loads(text)
    except ValueError:
        answer = {"id": None, "error": {"code": text}}
    check(case, status == 200 and answer["error"]["code"] == -32603 and
          answer["id"] in ("q7", None) and headers[b"content-type"] == b"application/json",
          (status, text[:200]))


def main():
    module = sys.argv[1]
    with Gateway(module, {"local": CATALOG}, answer=upstream) as gateway:
        client = Client(gateway.port)
        for case, (_, _, same) in ANSWERS.items():
            one(client, case, same)
        status, _, text = client.post(call("plain"), "type.plain")
        check("a tool without an output schema", text == ANSWERS["type"][1], text[:100])
        page = client.get("/status")[2].decode()
        for verdict, count in (("result-valid", 4), ("result-invalid", 3)):
            check("counted " + verdict, f'verdict="{verdict}",reason=""}} {count}\n' in page, page)
    with Gateway(module, {"local": CATALOG}, "cupel local; cupel_mode report;", answer=upstream) as gateway:
        client = Client(gateway.port)
        for case in ANSWERS:
            one(client, case + ".report", True)
    with Gateway(module, {"local": CATALOG}, "cupel local; cupel_results off;", answer=upstream) as gateway:
        one(Client(gateway.port), "type.off", True)
    location = "cupel local; cupel_results count; proxy_buffering off;"
    with Gateway(module, {"local": CATALOG}, location, answer=upstream) as gateway:
        client = Client(gateway.port)
        for case in ("good", "type", "huge", "large", "encoded"):
            one(client, case + ".unbuffered", ANSWERS[case][2] or case in ("huge", "encoded"))
    return check.end()


sys.exit(main())
