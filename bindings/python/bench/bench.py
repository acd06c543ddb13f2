#!/usr/bin/env python3
"""Measures cupel_jsonschema beside its peers from PyPI.

usage: bench.py [--rounds N] [--documents N] [SET…]

Needs orjson and jsonschema-rs; jsonschema and fastjsonschema if they are installed.  All in one process and one run: each
round measures every way once, in turn, and the least time of all rounds counts.  Sets are folders with schema.json and
instances.jsonl.  A ratio is the peer's time by cupel's, so more than 1 is faster; `loads` is cupel's time by orjson's.

    bytes       is_valid_json of bytes               orjson.loads and jsonschema_rs is_valid
    dicts       is_valid of objects                  jsonschema_rs is_valid of the same objects
    loads       loads of bytes                       orjson.loads, which judges nothing
    column      check_arrow of a column              orjson.loads and jsonschema_rs, row by row
    catalog     compiling all tool schemas once      the peer's check of the schema, and compiling
"""
import argparse
import gc
import json
import math
import os
import pathlib
import time

import jsonschema_rs
import orjson

import cupel_jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[3]
CORPORA = pathlib.Path(os.environ.get("CUPEL_CORPORA", ROOT.parent / "shared/corpora"))
ROWS = 4096  # of a column, at least
ENOUGH = 0.004  # seconds that a measurement takes at least


def optional(name):
    try:
        return __import__(name)
    except ImportError:
        return None


pyarrow, jsonschema = optional("pyarrow"), optional("jsonschema")


def once(function, items):
    start = time.perf_counter()
    for item in items:
        function(item)
    return time.perf_counter() - start


class Way:
    """A function that is called with each item, and the least time of a call."""

    def __init__(self, function, items, calls=None):
        self.function, self.items = function, items
        self.calls, self.repeats, self.least = calls or len(items), 1, math.inf

    def round(self):
        taken = sum(once(self.function, self.items) for _ in range(self.repeats))
        self.least = min(self.least, taken / self.repeats / self.calls)
        if taken < ENOUGH:
            self.repeats = max(self.repeats + 1, int(self.repeats * ENOUGH / max(taken, 1e-9)))


def measure(ways, rounds):
    gc.collect()
    gc.freeze()
    for _ in range(rounds + 1):
        for way in ways.values():
            way.round()
    gc.unfreeze()
    return {name: way.least for name, way in ways.items()}


def measure_set(folder, settings):
    schema = json.loads((folder / "schema.json").read_bytes())
    texts = [t for t in (folder / "instances.jsonl").read_bytes().split(b"\n") if t.strip()][:settings.documents]
    large = {"schema_bytes": 1 << 24, "body_bytes": 1 << 24, "image_bytes": 1 << 26}
    v, peer = cupel_jsonschema.compile(schema, limits=large), jsonschema_rs.validator_for(schema)
    objects, loads, peer_valid = [orjson.loads(t) for t in texts], orjson.loads, peer.is_valid
    assert all(v.is_valid_json(t) == v.is_valid(o) == peer.is_valid(o) for t, o in zip(texts, objects)), folder
    ways = {"bytes": Way(v.is_valid_json, texts), "loads+rs": Way(lambda t: peer_valid(loads(t)), texts),
            "dicts": Way(v.is_valid, objects), "rs": Way(peer_valid, objects),
            "loads": Way(v.loads, texts), "orjson": Way(loads, texts)}
    if pyarrow:
        rows = texts * (ROWS // len(texts) + 1)
        ways["column"] = Way(v.check_arrow, [pyarrow.array(rows, pyarrow.large_binary())], len(rows))
    least = measure(ways, settings.rounds)
    if jsonschema:
        slow = jsonschema.validators.validator_for(schema)(schema)
        some = objects[:20]
        least["python"] = measure({"python": Way(slow.is_valid, some), "same": Way(v.is_valid, some)}, 1)
    return least


def geomean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def ratios(least):
    found = {"bytes": least["loads+rs"] / least["bytes"], "dicts": least["rs"] / least["dicts"],
             "loads": least["loads"] / least["orjson"]}
    if "column" in least:
        found["column"] = least["loads+rs"] / least["column"]
    if "python" in least:
        found["dicts/python"] = least["python"]["python"] / least["python"]["same"]
    return found


def catalog(rounds):
    schemas = [tool["inputSchema"] for path in sorted((CORPORA / "mcp-tools").glob("*.json"))
               for tool in json.loads(path.read_bytes())["tools"] if isinstance(tool.get("inputSchema"), dict)]

    def quietly(function):
        def run(schema):
            try:
                function(schema)
            except Exception:  # noqa: BLE001 - a schema that one of them refuses counts all the same
                pass
        return run

    def slow(schema):
        made = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        made.check_schema(schema)
        return made(schema)
    least = measure({"cupel": Way(quietly(cupel_jsonschema.compile), schemas, 1),
                     "rs": Way(quietly(jsonschema_rs.validator_for), schemas, 1)}, rounds)
    print(f"catalog of {len(schemas)} tools: cupel {least['cupel']:.3f} s, jsonschema-rs {least['rs']:.3f} s")
    if jsonschema:
        taken = once(quietly(slow), schemas)
        print(f"  python-jsonschema {taken:.2f} s, {taken / least['cupel']:.0f} times cupel's")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("sets", nargs="*")
    settings = parser.parse_args()
    folders = [CORPORA / "bench" / name for name in settings.sets] or sorted(
        folder for folder in (CORPORA / "bench").iterdir() if (folder / "schema.json").exists())
    table = {}
    for folder in folders:
        try:
            table[folder.name] = ratios(measure_set(folder, settings))
        except (cupel_jsonschema.SchemaError, ValueError) as error:
            print(f"{folder.name:28} left out: {error}")
            continue
        print(f"{folder.name:28}" + "".join(f" {name} {ratio:8.2f}" for name, ratio in table[folder.name].items()), flush=True)
    for name in next(iter(table.values())):
        column = [row[name] for row in table.values()]
        print(f"{name:14} geomean {geomean(column):7.2f}   least {min(column):7.2f}   most {max(column):7.2f}")
    catalog(settings.rounds)


if __name__ == "__main__":
    main()
