#!/usr/bin/env python3
"""Holds `cupel args` to a model of the argument schema, on made-up schemas and arguments.

usage: check_args.py CUPEL [SCHEMAS [SEED]]

Each schema is judged in both shapes if it has both, and once more as the JSON Schema it turns into:
all give the same verdicts, and the shapes the same messages, which are the model's.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import model

NAMES = ["q", "limit", "tags", "a b", "a/b~c", "properties", "schemaVersion", "type", "Ω", ""]
WORDS = ["", "a", "ab", "abc", "1", "1.0", "2.5", "true", "null", "é", "😀😀", "1e+21", "-0"]
NUMBERS = ["0", "-0.0", "1", "1.0", "2", "2.5", "25e-1", "-3", "100", "1e2", "1000000", "1e21",
           "9007199254740993", "9007199254740992", "0.1", "1e-7", "-0.000001"]
TYPES = ["string", "integer", "float", "number", "boolean", "enum", "array", "object", "null",
         "any"]


class Maker:
    """Makes schemas and arguments as JSON text, so that numbers keep their spelling."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self, choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def scalar(self):
        kind = self.random.randrange(8)
        if kind < 3:
            return json.dumps(self.one(WORDS))
        return self.one(NUMBERS) if kind < 6 else self.one(["true", "false", "null"])

    def value(self):
        if self.chance(0.75):
            return self.scalar()
        if self.chance(0.8):
            return "[" + ",".join(self.scalar() for _ in range(self.random.randrange(4))) + "]"
        return self.one(['{}', '{"x":1}', '{"x":1.0,"y":[2]}', '{"y":[2],"x":1}'])

    def bounds(self):
        parts = []
        for key in ("minLength", "maxLength"):
            if self.chance(0.25):
                parts.append(f'"{key}":{self.one(["0", "1", "2", "2.0", "3"])}')
        for key in ("minimum", "maximum"):
            if self.chance(0.25):
                parts.append(f'"{key}":{self.one(NUMBERS)}')
        if self.chance(0.3):
            members = ",".join(self.value() for _ in range(self.random.randrange(5)))
            parts.append(f'"enum":[{members}]')
        if self.chance(0.03):
            parts.append(self.one(['"format":"email"', '"pattern":"^z"', '"minItems":3']))
        return parts

    def property(self, may_require):
        parts = self.bounds()
        if self.chance(0.85):
            parts.append(f'"type":"{self.one(TYPES)}"')
        if self.chance(0.25):
            parts.append(f'"isArray":{self.one(["true", "true", "false", "1"])}')
        if self.chance(0.3):
            inner = self.bounds()
            if self.chance(0.7):
                inner.append(f'"type":"{self.one(TYPES)}"')
            parts.append('"items":{' + ",".join(inner) + "}" if self.chance(0.9) else '"items":[]')
        if may_require and self.chance(0.3):
            parts.append(f'"required":{self.one(["true", "false", "true"])}')
        if self.chance(0.02):
            parts.append(self.one(['"minLength":"3"', '"maximum":true', '"maxLength":-1']))
            parts = list({p.split(":")[0]: p for p in parts}.values())
        self.random.shuffle(parts)
        return "{" + ",".join(parts) + "}"

    def schema(self):
        """The properties, and the names required beside them."""
        names = self.random.sample(NAMES, self.random.randrange(1, 5))
        properties = {name: self.property(True) for name in names}
        required = [name for name in names if self.chance(0.2)]
        return properties, required

    def arguments(self, names):
        parts = [f"{json.dumps(name)}:{self.value()}" for name in names if self.chance(0.75)]
        if self.chance(0.1):
            parts.append('"unknown":[1]')
        self.random.shuffle(parts)
        return "{" + ",".join(parts) + "}"


def as_map(properties):
    return "{" + ",".join(f"{json.dumps(n)}:{p}" for n, p in properties.items()) + "}"


def as_json_schema(properties, required):
    names = f',"required":{json.dumps(required)}' if required else ""
    return f'{{"properties":{as_map(properties)}{names}}}'


def run(cupel, folder, schema, *options):
    pathlib.Path(folder, "schema.json").write_text(schema, encoding="utf-8")
    result = subprocess.run([cupel, *options], cwd=folder, capture_output=True, text=True,
                            timeout=60, check=False)
    return result.returncode, result.stdout


def check_shape(cupel, folder, schema, lines):
    """(passed, failed) of one schema text."""
    status, out = run(cupel, folder, schema, "args", "--format", "json", "schema.json",
                      "calls.jsonl")
    rows = [json.loads(line) for line in out.splitlines()]
    try:
        properties = model.parse(model.loads(schema))
    except model.Refused as refused:
        good = status == 3 and rows[0]["errors"] == [str(refused)]
        if not good:
            print(f"schema {schema}\n  refused: {refused}\n  got {status} {out}")
        return int(good), int(not good)
    wrong = 0
    for line, row in zip(lines, rows):
        want = model.check(properties, model.loads(line))
        if row["errors"] != want or row["verdict"] != ("invalid" if want else "valid"):
            print(f"schema {schema}\n  arguments {line}\n  want {want}\n  got {row}")
            wrong += 1
    wrong += abs(len(lines) - len(rows))
    return len(lines) - wrong, wrong


def check_conversion(cupel, folder, schema, lines):
    """The JSON Schema of it gives the same verdicts."""
    status, converted = run(cupel, folder, schema, "args", "--convert", "schema.json")
    if status:
        return 0, 0
    _, out = run(cupel, folder, converted, "validate", "--format", "json", "schema.json",
                 "calls.jsonl")
    properties = model.parse(model.loads(schema))
    wrong = abs(len(lines) - len(out.splitlines()))
    for line, row in zip(lines, map(json.loads, out.splitlines())):
        want = "invalid" if model.check(properties, model.loads(line)) else "valid"
        if row["verdict"] != want:
            print(f"schema {schema}\n  as {converted}  arguments {line}\n  want {want}, got {row}")
            wrong += 1
    return len(lines) - wrong, wrong


def main():
    cupel = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    maker = Maker(int(sys.argv[3]) if len(sys.argv) > 3 else 20251009)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(count):
            properties, required = maker.schema()
            lines = [maker.arguments(properties) for _ in range(12)]
            pathlib.Path(folder, "calls.jsonl").write_text("\n".join(lines) + "\n",
                                                           encoding="utf-8")
            texts = [as_json_schema(properties, required)]
            if not required:
                texts.append(as_map(properties))
            for text in texts:
                for check in (check_shape, check_conversion):
                    good, bad = check(cupel, folder, text, lines)
                    passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
