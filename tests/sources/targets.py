#!/usr/bin/env python3
"""Adapters and vendors of models: row 1.11 of docs/sources.md, and what an export promises.

usage: targets.py CUPEL
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import corpora  # noqa: E402
import rows  # noqa: E402
from rows import row  # noqa: E402

TARGETS = ("openai", "openai-strict", "anthropic", "gemini")
# What the adapters of the source do not take, by target; values fit for any place.
FEATURES = {
    "$ref": "#/$defs/x", "$defs": {"x": {}}, "anyOf": [{}], "oneOf": [{}], "allOf": [{}],
    "not": {}, "pattern": "x", "format": "email", "title": "t", "examples": [1],
    "nullable": True, "deprecated": True, "readOnly": True, "writeOnly": True, "const": "x",
    "multipleOf": 2, "uniqueItems": True, "minimum": 1, "maximum": 9, "minLength": 1,
    "maxLength": 9, "minItems": 1, "maxItems": 9, "minProperties": 1, "maxProperties": 9,
    "enum": ["x"], "default": "x", "description": "d", "additionalProperties": False,
}
# The source drops anyOf for OpenAI, which takes it.
OPENAI = set("$ref $defs oneOf allOf not pattern format title examples nullable deprecated "
             "readOnly writeOnly".split())
LACKS = {
    "openai": OPENAI,
    "anthropic": OPENAI,
    "gemini": set("const multipleOf oneOf allOf not examples uniqueItems deprecated readOnly "
                  "writeOnly".split()),
}
PATTERNS = {
    "required string": {"path": {"type": "string", "description": "File path"}},
    "enum with default": {"e": {"type": "string", "enum": ["utf8"], "default": "utf8"}},
    "array of objects": {"items": {"type": "array", "items": {
        "type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"],
        "additionalProperties": False}}},
    "one of": {"mode": {"oneOf": [{"type": "string"}, {"type": "number", "minimum": 1}]}},
}


def problems(cupel, target, *schemas):
    """The target's problems, for each of the schemas: (rule, pointer)."""
    tools = [{"name": f"t{i}", "inputSchema": s} for i, s in enumerate(schemas)]
    cupel.write("catalog.json", json.dumps({"tools": tools}))
    _, out, _ = cupel.run("tools", "check", "--target", target, "--format", "json", "catalog.json")
    return [[(p["rule"], p["pointer"]) for p in tool["problems"] if p["rule"].startswith("target-")]
            for tool in json.loads(out)["catalogs"][0]["tools"]]


@row("1.11", "adapters (OpenAI and matrix)")
def adapters(cupel):
    names = list(FEATURES)
    schemas = [{"type": "object", "properties": {"a": {name: FEATURES[name]}},
                "$defs": {"x": {}}} for name in names]
    for target, lacks in LACKS.items():
        for name, found in zip(names, problems(cupel, target, *schemas)):
            at = f"/properties/a/{name}"
            # A format of its own list is what gemini takes.
            reported = any(pointer == at for _, pointer in found)
            want = name in lacks or (target, name) == ("gemini", "format")
            yield reported == want, f"{target} and {name}: {found}"
    patterns = [{"type": "object", "properties": p, "additionalProperties": False}
                for p in PATTERNS.values()]
    for name, found in zip(PATTERNS, problems(cupel, "openai", *patterns)):
        want = [("target-keyword", "/properties/mode/oneOf")] if name == "one of" else []
        yield found == want, f"the pattern {name}: {found}"


@row("1.11", "an export is taken by its target, on every catalog at hand")
def exports(cupel):
    folder = corpora.folder("mcp-tools")
    for path in sorted(folder.glob("*.json")) if folder else []:
        for target in TARGETS:
            status, out, _ = cupel.run("tools", "export", "--target", target, str(path))
            if not out:
                yield False, f"{path.name} for {target}: exit status {status}"
                continue
            cupel.write("exported.json", out)
            _, out, _ = cupel.run("tools", "check", "--target", target, "--format", "json",
                                  "exported.json")
            left = [(tool["name"], p["rule"], p["pointer"])
                    for tool in json.loads(out)["catalogs"][0]["tools"] for p in tool["problems"]
                    if p["rule"].startswith("target-") and p["rule"] != "target-name"]
            yield not left, f"{path.name} for {target}: {left[:3]}"


def main():
    if corpora.folder("mcp-tools") is None:
        return rows.skip()
    return rows.main()


if __name__ == "__main__":
    sys.exit(main())
