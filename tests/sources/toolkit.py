"""What the tests of sources 000 to 003 share: lists of tools, and what the command says of them."""
import json

OBJECT = {"type": "object"}


def tool(name="t", **fields):
    return {"name": name, "inputSchema": OBJECT, **fields}


def schema(**properties):
    """A closed object schema; a property whose name ends with _ is required."""
    return {"type": "object",
            "properties": {name.rstrip("_"): value for name, value in properties.items()},
            "required": [name[:-1] for name in properties if name.endswith("_")],
            "additionalProperties": False}


def check(cupel, tools, *options):
    """The answer of `tools check` for each tool."""
    cupel.write("list.json", json.dumps({"tools": tools}))
    _, out, _ = cupel.run("tools", "check", "--format", "json", *options, "list.json")
    return json.loads(out)["catalogs"][0]["tools"]


def rules(answer):
    return [problem["rule"] for problem in answer["problems"]]


def places(answer):
    return [(p["rule"], p["part"], p["pointer"]) for p in answer["problems"]]


def listed(cupel, tools, *options):
    cupel.write("list.json", json.dumps({"tools": tools}))
    _, out, _ = cupel.run("tools", "list", "--format", "json", *options, "list.json")
    return json.loads(out)["tools"]


def request(name, arguments=None, **fields):
    params = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**params, **fields}}


def call(cupel, tools, requests, *options):
    """The answer of `tools call` for each request."""
    cupel.write("list.json", json.dumps({"tools": tools}))
    lines = "".join(json.dumps(r) + "\n" for r in requests)
    _, out, _ = cupel.run("tools", "call", *options, "list.json", stdin=lines)
    return [json.loads(line) for line in out.splitlines()]


def verdicts(cupel, tools, name, arguments, *options):
    answers = call(cupel, tools, [request(name, a) for a in arguments], *options)
    return [answer["verdict"] for answer in answers]


def results(cupel, tools, name, given, *options):
    """The answer of `tools result` for each result."""
    cupel.write("list.json", json.dumps({"tools": tools}))
    lines = "".join(json.dumps(r) + "\n" for r in given)
    _, out, _ = cupel.run("tools", "result", "--tool", name, *options, "list.json", stdin=lines)
    return [json.loads(line) for line in out.splitlines()]


def text(value):
    return {"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}


def pins(cupel, tools):
    cupel.write("pins.json", json.dumps({"tools": tools}))
    status, out, _ = cupel.run("tools", "pin", "pins.json")
    return json.loads(out)["tools"] if status == 0 else None


def changes(cupel, before, after):
    """{name: (change, parts)}; None if this build has no pins."""
    cupel.write("before.json", json.dumps({"tools": before}))
    cupel.write("after.json", json.dumps({"tools": after}))
    status, out, _ = cupel.run("tools", "diff", "--format", "json", "before.json", "after.json")
    if status not in (0, 1):
        return None
    return {c["name"]: (c["change"], c["parts"]) for c in json.loads(out)["changes"]}
