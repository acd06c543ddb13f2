#!/usr/bin/env python3
"""Source 004, the argument schema of 2025-10-09: rows 4.1 to 4.8 of docs/sources.md.

usage: args.py CUPEL

The vectors are those of the corpus `vectors`; where our answer is a resolution of something the
document leaves open, the vector says so.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import corpora  # noqa: E402
import rows  # noqa: E402
from rows import row  # noqa: E402

VECTORS = []
DOCUMENTED = [
    "missing required argument 'q'",
    "argument 'tags' must be an array",
    "argument 'q' string length must be >= 3",
    "argument 'limit' value must be <= 100",
    "argument 'mode' must be one of the enum values",
]
SHAPES = ("direct/", "jsonschema/")


def judge(cupel, schema, *arguments):
    """(exit status, a row for each of the arguments)"""
    cupel.write("schema.json", json.dumps(schema))
    cupel.write("calls.jsonl", "".join(json.dumps(a) + "\n" for a in arguments))
    status, out, _ = cupel.run("args", "--format", "json", "schema.json", "calls.jsonl")
    return status, [json.loads(line) for line in out.splitlines()]


def holds(cupel, vector):
    status, found = judge(cupel, vector["schema"], vector["arguments"])
    if "parse_error" in vector:
        return status == 3 and found[0]["errors"] == [vector["parse_error"]]
    verdict = "valid" if vector["valid"] else "invalid"
    return found[0]["verdict"] == verdict and found[0]["errors"] == vector["errors"]


def vectors(cupel, *prefixes):
    for vector in VECTORS:
        if vector["id"].startswith(prefixes):
            yield holds(cupel, vector), vector["id"]


@row("4.1", "direct map shape")
def direct_map(cupel):
    yield from vectors(cupel, "direct/")


@row("4.2", "JSON-Schema-like shape")
def like_json_schema(cupel):
    yield from vectors(cupel, "jsonschema/")
    # Every pair of arguments gives the same in the other shape.
    schemas = [next(v["schema"] for v in VECTORS if v["id"].startswith(s)) for s in SHAPES]
    calls = [v["arguments"] for v in VECTORS if v["id"].startswith(SHAPES)]
    found = [judge(cupel, schema, *calls)[1] for schema in schemas]
    for one, other, call in zip(*found, calls):
        yield one == other, f"twins differ for {call}"


@row("4.3", "schemaVersion 2025-10-09")
def schema_version(cupel):
    yield from vectors(cupel, "shape/")
    q = {"type": "string", "required": True}
    for version in ("2025-10-09", "2026-01-01"):
        cupel.write("schema.json", json.dumps({"schemaVersion": version, "q": q}))
        status, out, said = cupel.run("args", "schema.json", "-", stdin="{}")
        yield status == 1 and "missing required argument 'q'" in out, f"{version} is accepted"
        yield ("warning" in said) == (version != "2025-10-09"), f"{version}: {said}"


@row("4.4", "types, isArray, items")
def types(cupel):
    yield from vectors(cupel, "array/", "required/", "boolean/", "bool-", "bad/")
    for kind in ("string", "integer", "float", "number", "boolean"):
        schema = {"a": {"type": kind}, "b": {"type": kind, "isArray": True},
                  "c": {"type": "array", "items": {"type": kind}}}
        wrong = 0 if kind in ("string", "boolean") else "0"
        _, found = judge(cupel, schema, {"a": wrong, "b": [wrong], "c": [wrong]})
        labels = [e.split("'")[1] for e in found[0]["errors"]]
        yield labels == ["a", "b[0]", "c[0]"], f"{kind}: {found[0]['errors']}"


@row("4.5", "enum by string form, and of arrays")
def enums(cupel):
    yield from vectors(cupel, "levels/", "enum/")


@row("4.6", "error messages")
def messages(cupel):
    said = set()
    for vector in VECTORS:
        if vector["id"].startswith(SHAPES):
            said.update(judge(cupel, vector["schema"], vector["arguments"])[1][0]["errors"])
    for text in DOCUMENTED:
        yield text in said, text


@row("4.7", "what is not enforced")
def not_enforced(cupel):
    yield from vectors(cupel, "ignored/")


@row("4.8", "the same engine")
def same_engine(cupel):
    """The JSON Schema of it gives the same verdict on every vector, and is what runs."""
    for vector in VECTORS:
        if "parse_error" in vector or vector["arguments"] is None:
            continue
        cupel.write("args.json", json.dumps(vector["schema"]))
        _, schema, _ = cupel.run("args", "--convert", "args.json")
        cupel.write("schema.json", schema)
        status, _, _ = cupel.run("validate", "schema.json", "-",
                                 stdin=json.dumps(vector["arguments"]))
        yield status == (0 if vector["valid"] else 1), vector["id"]


def main():
    folder = corpora.folder("vectors")
    if folder is None:
        return rows.skip()
    text = (folder / "arg-schema.json").read_text(encoding="utf-8")
    VECTORS.extend(json.loads(text)["vectors"])
    return rows.main()


if __name__ == "__main__":
    sys.exit(main())
