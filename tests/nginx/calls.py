"""Mixed calls to test with: a catalog, and messages of which some conform and some do not.  Those of the
corpora where they are at hand, otherwise our own."""
import glob
import json
import os
import random


def corpus_calls(shared):
    """(schema, arguments) as real models made them."""
    for path in sorted(glob.glob(os.path.join(shared, "corpora", "calls", "*.jsonl"))):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                case = json.loads(line)
                if isinstance(case.get("inputSchema"), dict):
                    yield case["inputSchema"], case.get("arguments")


def own_calls(rng):
    """The like, made up."""
    types = {"string": ["", "x", "caf\u00e9", "\U0001F600" * 9], "integer": [0, -3, 7.0, 10 ** 20],
             "number": [0.5, 1e300], "boolean": [True, False], "array": [[], [1, "a"]]}
    for _ in range(500):
        names = [f"p{i}" for i in range(rng.randint(0, 8))]
        chosen = {name: rng.choice(sorted(types)) for name in names}
        schema = {"type": "object", "properties": {n: {"type": t} for n, t in chosen.items()},
                  "required": [n for n in names if rng.random() < 0.5],
                  "additionalProperties": rng.random() < 0.5}
        yield schema, {name: rng.choice(types[type]) for name, type in chosen.items()}


def spoil(rng, arguments):
    """Arguments that may no longer conform; the verdict is for others to find."""
    if not isinstance(arguments, dict):
        return arguments
    spoiled = dict(arguments)
    names = list(spoiled)
    way = rng.randint(0, 4)
    if way == 0 and names:
        del spoiled[rng.choice(names)]
    elif way == 1 and names:
        spoiled[rng.choice(names)] = rng.choice([None, 1, "x", [], {}, 1.5, True])
    elif way == 2:
        spoiled["not_a_parameter"] = 1
    elif way == 3 and names:
        name = rng.choice(names)
        spoiled[name.upper() + "_"] = spoiled.pop(name)
    return spoiled


def mixed(count, shared, seed=1):
    """(catalog text, [message bytes]): `count` calls of at most 400 tools, ids from 0."""
    rng = random.Random(seed)
    sources = list(corpus_calls(shared)) or list(own_calls(rng))
    rng.shuffle(sources)
    sources = sources[:400]
    tools = [{"name": f"tool_{i}", "inputSchema": schema} for i, (schema, _) in enumerate(sources)]
    messages = []
    for id in range(count):
        index = rng.randrange(len(sources))
        arguments = sources[index][1]
        if rng.random() < 0.4:
            arguments = spoil(rng, arguments)
        name = "nobody" if rng.random() < 0.02 else f"tool_{index}"
        message = {"jsonrpc": "2.0", "id": id, "method": "tools/call",
                   "params": {"name": name, "arguments": arguments}}
        messages.append(json.dumps(message, ensure_ascii=rng.random() < 0.5).encode())
    return json.dumps({"tools": tools}), messages
