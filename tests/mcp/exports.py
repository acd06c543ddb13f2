#!/usr/bin/env python3
"""What `tools export` promises, on schemas that a generator makes: the target takes every export, an
export of an export is the same, and no export allows more than its tool unless a warning says so.

usage: exports.py CUPEL [--rounds N] [--seed N]

Each round makes a catalog of tools and arguments for each.  Arguments that the exported schema allows
and the tool's own refuses are a constraint that was lost: that tool needs a warning, and the exit
status has to be 1 if any tool has one.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

TARGETS = ("openai", "openai-strict", "anthropic", "gemini")
TOOLS, INSTANCES = 40, 24
NAMES = ("a", "b", "c")
TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")
VALUES = (None, True, False, 0, 1, 2, 3, 5, 2.5, -1, "", "a", "ab", "abc", "x1", [], [1], [1, 2],
          ["a", "b", "c"], {}, {"a": 1}, {"b": "a"}, {"a": 1, "b": "ab"}, {"a": {"a": 1}})


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, *choices):
        return self.rng.choice(choices)

    def small(self):
        return self.pick(0, 1, 2, 3, 5, 2.5, 1e1, -1)

    def reference(self):
        return self.pick("#/$defs/x", "#/$defs/y", "#/$defs/z", "#", "#/definitions/w",
                         "#/properties/a", "#/properties/b", "#/$defs/x/properties/a",
                         "#/$defs/l/items", "#/$defs/y/anyOf/0", "#/$defs/none", "#anchor")

    def keyword(self, schema, depth):
        rng, sub = self.rng, lambda: self.schema(depth - 1)
        kinds = ["type", "type", "types", "enum", "const", "bound", "bound", "length", "pattern",
                 "count", "note", "format", "unique", "multiple", "size"]
        if depth > 0:
            kinds += ["ref", "ref", "properties", "properties", "items", "anyOf", "oneOf", "allOf",
                      "not", "if", "additional", "prefix", "patterns", "id", "nullable", "closed", "required"]
        kind = rng.choice(kinds)
        if kind == "type":
            schema["type"] = rng.choice(TYPES)
        elif kind == "types":
            schema["type"] = rng.sample(TYPES, rng.randint(1, 3))
        elif kind == "enum":
            schema["enum"] = rng.sample(("a", "b", "ab", "abc"), 2) if rng.random() < 0.6 else \
                rng.sample((1, 2, "a", None, True, 2.5), 3)
        elif kind == "const":
            schema["const"] = rng.choice(("a", 1, None))
        elif kind == "bound":
            schema[self.pick("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")] = \
                self.small()
        elif kind == "length":
            schema[self.pick("minLength", "maxLength")] = rng.randint(0, 3)
        elif kind == "count":
            schema[self.pick("minItems", "maxItems")] = rng.randint(0, 3)
        elif kind == "size":
            schema[self.pick("minProperties", "maxProperties")] = rng.randint(0, 3)
        elif kind == "pattern":
            schema["pattern"] = self.pick("^a", "b", "[0-9]$")
        elif kind == "format":
            schema["format"] = self.pick("date", "email", "int32")
        elif kind == "unique":
            schema["uniqueItems"] = True
        elif kind == "multiple":
            schema["multipleOf"] = 2
        elif kind == "note":
            schema[self.pick("title", "description", "x-own", "$comment")] = "text"
        elif kind == "nullable":
            schema["nullable"] = True
        elif kind == "ref":
            schema["$ref"] = self.reference()
        elif kind == "properties":
            schema["properties"] = {n: sub() for n in NAMES if rng.random() < 0.6}
            if rng.random() < 0.5:
                schema["required"] = rng.sample(NAMES, rng.randint(0, 2))
        elif kind == "required":
            schema["required"] = rng.sample(NAMES, 1)
        elif kind == "items":
            schema["items"] = sub()
        elif kind in ("anyOf", "oneOf", "allOf"):
            schema[kind] = [sub() for _ in range(rng.randint(1, 3))]
        elif kind == "not":
            schema["not"] = sub()
        elif kind == "if":
            schema.update({"if": sub(), "then": sub()})
        elif kind == "additional":
            schema["additionalProperties"] = self.pick(True, False, sub())
        elif kind == "closed":
            schema["additionalProperties"] = False
        elif kind == "prefix":
            schema["prefixItems"] = [sub()]
        elif kind == "patterns":
            schema["patternProperties"] = {"^b": sub()}
        elif kind == "id" and rng.random() < 0.2:
            schema["$id"] = f"https://example.org/{rng.randint(0, 10**9)}"

    def schema(self, depth):
        if self.rng.random() < 0.06:
            return self.pick(True, False)
        schema = {}
        for _ in range(self.rng.randint(0, 3 if depth > 0 else 2)):
            self.keyword(schema, depth)
        return schema

    def root(self):
        schema = {}
        for _ in range(self.rng.randint(0, 3)):
            self.keyword(schema, 3)
        schema["type"] = "object"
        schema.setdefault("properties", {n: self.schema(2) for n in NAMES})
        if self.rng.random() < 0.15:
            del schema["properties"]
        schema["$defs"] = {n: self.schema(2) for n in "xyz"}
        schema["$defs"]["l"] = {"items": self.schema(1)}
        schema["definitions"] = {"w": self.schema(2)}
        items = list(schema.items())
        self.rng.shuffle(items)
        return dict(items)

    def value(self, depth):
        if depth == 0 or self.rng.random() < 0.6:
            return self.rng.choice(VALUES)
        if self.rng.random() < 0.3:
            return [self.value(depth - 1) for _ in range(self.rng.randint(0, 3))]
        return {n: self.value(depth - 1) for n in NAMES + ("d",) if self.rng.random() < 0.5}

    def arguments(self):
        return {n: self.value(2) for n in NAMES + ("d",) if self.rng.random() < 0.5}


def without_nulls(value):
    if isinstance(value, dict):
        return {k: without_nulls(v) for k, v in value.items() if v is not None}
    return [without_nulls(v) for v in value] if isinstance(value, list) else value


class Checker:
    def __init__(self, cupel, folder):
        self.cupel, self.folder = cupel, folder
        self.passed = self.failed = self.allowed = self.lost = 0

    def check(self, good, what):
        self.passed += good
        self.failed += not good
        if not good and self.failed <= 20:
            print(f"failed: {what}")

    def run(self, *args):
        done = subprocess.run([self.cupel, "tools", *args], capture_output=True, cwd=self.folder)
        return done.returncode, done.stdout, done.stderr

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def verdicts(self, catalog, calls):
        """Of each call: "valid", "invalid", or why there is none."""
        lines = "".join(json.dumps({"tool": t, "arguments": a}) + "\n" for t, a in calls)
        _, out, err = self.run("call", "--format", "json", catalog, self.write("calls", lines))
        found = [json.loads(line)["verdict"] for line in out.splitlines()]
        if len(found) != len(calls):
            sys.exit(f"{len(found)} verdicts for {len(calls)} calls: {err.decode()[:300]}")
        return found

    def check_target(self, target, tools, calls, own, bare):
        status, out, err = self.run("export", "--format", "json", "--target", target, "catalog")
        if status not in (0, 1):
            self.check(False, f"{target}: exit status {status}: {err.decode()[:300]}")
            return
        exported = json.loads(out)
        warned = {c["tool"] for c in exported["changes"] if c["severity"] != "info"}
        self.check(status == bool(warned), f"{target}: exit status {status}, warnings {warned}")
        self.write("exported", json.dumps({"tools": exported["tools"]}))
        _, out, _ = self.run("check", "--format", "json", "--target", target, "exported")
        by_name = {t["name"]: t for t in tools}
        after = {t["name"]: t["inputSchema"] for t in exported["tools"]}
        for tool in json.loads(out)["catalogs"][0]["tools"]:
            left = [p for p in tool["problems"]
                    if p["rule"].startswith("target-") and p["rule"] != "target-limit" and
                    p["severity"] != "info"]
            self.check(not left, f"{target} does not take its export: {left[:1]}\n"
                       f"    {json.dumps(by_name[tool['name']])}\n"
                       f"    {json.dumps(after[tool['name']])}")
        _, again, _ = self.run("export", "--format", "json", "--target", target, "exported")
        for tool in json.loads(again)["tools"]:
            self.check(tool["inputSchema"] == after[tool["name"]],
                       f"{target}: the export of {json.dumps(after[tool['name']])} is another")
        self.lost += len(warned)
        wide = self.verdicts("exported", calls)
        for (name, arguments), verdict, before, plain in zip(calls, wide, own, bare):
            if before not in ("valid", "invalid"):
                continue
            self.allowed += verdict == "valid"
            wider = verdict == "valid" and "valid" not in (
                (before, plain) if target == "openai-strict" else (before,))
            refused = verdict not in ("valid", "invalid")
            self.check(not wider or name in warned,
                       f"{target} allows {json.dumps(arguments)} and says nothing\n"
                       f"    {json.dumps(by_name[name]['inputSchema'])}\n"
                       f"    {json.dumps(after[name])}")
            self.check(not refused, f"{target}: {verdict} of {json.dumps(after[name])}\n"
                       f"    {json.dumps(by_name[name]['inputSchema'])}")

    def round(self, rng):
        maker = Maker(rng)
        tools = [{"name": f"t{i}", "inputSchema": maker.root()} for i in range(TOOLS)]
        self.write("catalog", json.dumps({"tools": tools}))
        calls = [(t["name"], maker.arguments()) for t in tools for _ in range(INSTANCES)]
        own = self.verdicts("catalog", calls)
        bare = self.verdicts("catalog", [(t, without_nulls(a)) for t, a in calls])
        for target in TARGETS:
            self.check_target(target, tools, calls, own, bare)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cupel")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(pathlib.Path(args.cupel).resolve(), pathlib.Path(folder))
        for i in range(args.rounds):
            checker.round(random.Random(args.seed * 1000003 + i))
    print(f"{checker.allowed} arguments allowed by exports, {checker.lost} exports with a loss")
    print(f"{checker.passed} passed, {checker.failed} failed")
    return checker.failed != 0 or checker.allowed == 0 or checker.lost == 0


if __name__ == "__main__":
    sys.exit(main())
