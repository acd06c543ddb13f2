#!/usr/bin/env python3
"""Source 001, the tool record and its schemas: rows 1.1 to 1.13 of docs/sources.md (1.11 is in
targets.py).

usage: record.py CUPEL MCP_VECTORS

MCP_VECTORS is the program built from tests/mcp/vectors.c, which reads the vectors of the corpus.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import corpora  # noqa: E402
import rows  # noqa: E402
from rows import row  # noqa: E402
from toolkit import (OBJECT, call, check, listed, request, results, rules, schema, text,  # noqa: E402
                     tool, verdicts)

DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def vectors(kind):
    """All vectors of a kind pass; nothing without the corpus."""
    folder = corpora.folder("vectors")
    if folder is None:
        return
    every = json.loads((folder / "tool-record.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place, "vectors.json")
        path.write_text(json.dumps({kind: every[kind]}), encoding="utf-8")
        run = subprocess.run([sys.argv[2], str(path)], text=True, capture_output=True, check=False)
    yield run.returncode == 0 and not run.stdout.startswith("2 passed"), run.stderr


@row("1.1", "fields of model.Tool and mcp.Tool")
def fields(cupel):
    yield from vectors("names")
    answers = check(cupel, [tool("x" * 129), tool("a b"), tool(""), {"name": "t"}])
    wanted = ["name-length", "name-characters", "name-length", "input-schema-missing"]
    yield [rules(a)[0] for a in answers] == wanted, answers


@row("1.2", "namespace, version, tool ID")
def identity(cupel):
    for kind in ("tool_id", "parse_id", "version"):
        yield from vectors(kind)
    found = listed(cupel, [tool("a"), tool("b", version="1.0.0"), tool("c", namespace="n"),
                           tool("d", namespace="n", version="v1.2.3-rc.1")])
    yield [t["id"] for t in found] == ["a", "b", "n:c", "n:d:v1.2.3-rc.1"], found


@row("1.3", "tags in normal form")
def tags(cupel):
    yield from vectors("tags")
    given = ["  Net Work", "net-work", "Ünder_Score", "a.b", "", "x" * 70]
    once = listed(cupel, [tool(tags=given)])[0]["tags"]
    yield once == ["net-work", "nder_score", "a.b", "x" * 64], once
    yield listed(cupel, [tool(tags=once)])[0]["tags"] == once, "twice changes nothing"


@row("1.4", "ValidateInput, ValidateOutput")
def validator(cupel):
    yield from vectors("tool_level")
    yield from vectors("schema_validator")
    yield check(cupel, [{"name": "t"}])[0]["verdict"] == "invalid", "no inputSchema"
    given = [{"content": [text(json.dumps(v))], "structuredContent": v} for v in (1, None, "x", [], {"a": 1})]
    answers = results(cupel, [tool()], "t", given)
    yield all(a["verdict"] == "valid" for a in answers), "no outputSchema"


@row("1.5", "representations: text and document, the caller's bytes unchanged")
def representations(cupel):
    yield from vectors("raw_bytes")
    given = schema(a_={"type": "integer"})
    cupel.write("schema.json", json.dumps(given))
    for arguments in ({"a": 1}, {"a": "1"}, {}):
        status, _, _ = cupel.run("validate", "schema.json", "-", stdin=json.dumps(arguments))
        got = verdicts(cupel, [tool(inputSchema=given)], "t", [arguments])
        yield got == [["valid", "invalid"][status]], (arguments, got)


@row("1.6", "dialects")
def dialects(cupel):
    names = {"https://json-schema.org/draft/2020-12/schema": "ok", DRAFT_7: "ok",
             DRAFT_7[:-1]: "ok", "http://json-schema.org/draft-04/schema#": "invalid",
             "https://example.org/mine": "invalid"}
    answers = check(cupel, [tool(str(i), inputSchema={**OBJECT, "$schema": uri})
                            for i, uri in enumerate(names)], "--strict-dialects")
    yield [a["verdict"] for a in answers] == list(names.values()), answers
    yield "https://example.org/mine" in answers[-1]["problems"][0]["message"], answers[-1]
    seven = {"$schema": DRAFT_7, "type": "object", "definitions": {"s": {"type": "string"}},
             "properties": {"a": {"$ref": "#/definitions/s", "maxLength": 1},
                            "b": {"items": [{"type": "string"}, {"type": "integer"}]}},
             "dependencies": {"c": ["d"]}}
    got = verdicts(cupel, [tool(inputSchema=seven)], "t",
                   [{"a": "xx"}, {"b": ["x", "y"]}, {"c": 1}, {"c": 1, "d": 1}])
    yield got == ["valid", "invalid", "invalid", "valid"], got


@row("1.7", "an external $ref is refused, and nothing is opened (tests/mcp/quiet.py)")
def external(cupel):
    local = {"type": "object", "$defs": {"n": {"type": "string"}},
             "properties": {"a": {"$ref": "#/$defs/n"}}}
    refs = ["https://e.org/s.json", "http://127.0.0.1:1/s", "file:///etc/hostname", "other.json"]
    answers = check(cupel, [tool(r, inputSchema={"type": "object", "properties": {"a": {"$ref": r}}})
                            for r in refs] + [tool("local", inputSchema=local)])
    yield all("schema-reference" in rules(a) for a in answers[:-1]), answers
    yield answers[-1]["verdict"] == "ok", answers[-1]
    got = verdicts(cupel, [tool(inputSchema=local)], "t", [{"a": "x"}, {"a": 1}])
    yield got == ["valid", "invalid"], got


@row("1.8", "format and content are annotations")
def formats(cupel):
    given = schema(d={"type": "string", "format": "date"}, f={"type": "string", "format": "secret"},
                   c={"type": "string", "contentEncoding": "base64",
                      "contentMediaType": "application/json"})
    odd = [{"d": "tomorrow"}, {"f": "x"}, {"c": "?"}]
    yield verdicts(cupel, [tool(inputSchema=given)], "t", odd) == ["valid"] * 3, "by default"
    got = verdicts(cupel, [tool(inputSchema=given)], "t", odd, "--assert-format")
    yield got == ["invalid", "valid", "valid"], got


@row("1.9", "schemas without parameters")
def no_parameters(cupel):
    got = verdicts(cupel, [tool(inputSchema=schema())], "t", [{}, {"x": 1}])
    yield got == ["valid", "invalid"], got
    yield verdicts(cupel, [tool()], "t", [{}, {"x": 1}]) == ["valid", "valid"], "open"


@row("1.10", "the four patterns of the page")
def patterns(cupel):
    item = schema(id_={"type": "string"}, value={"type": "number"})
    given = schema(path={"type": "string"},
                   encoding={"type": "string", "enum": ["utf8", "ascii"], "default": "utf8"},
                   items={"type": "array", "items": item},
                   mode={"oneOf": [{"enum": ["fast", "safe"]},
                                   {"type": "number", "minimum": 1, "maximum": 10}]})
    good = [{"path": "/"}, {"encoding": "ascii"}, {}, {"items": []}, {"items": [{"id": "a"}]},
            {"mode": "safe"}, {"mode": 10}]
    bad = [{"path": 1}, {"path": None}, {"encoding": "ASCII"}, {"items": [{"value": 1}]},
           {"items": [{"id": "a", "z": 0}]}, {"mode": 10.5}, {"mode": True}, {"other": 1}]
    yield verdicts(cupel, [tool(inputSchema=given)], "t", good) == ["valid"] * len(good), "good"
    yield verdicts(cupel, [tool(inputSchema=given)], "t", bad) == ["invalid"] * len(bad), "bad"
    filled = call(cupel, [tool(inputSchema=given)], [request("t", {})], "--defaults")[0]
    yield filled["arguments"] == {"encoding": "utf8"}, filled


@row("1.12", "what invopop/jsonschema writes")
def invopop(cupel):
    given = {"$schema": "https://json-schema.org/draft/2020-12/schema",
             "$id": "https://example.org/input", "$ref": "#/$defs/Input",
             "$defs": {"Input": schema(q_={"type": "string"})}}
    answer = check(cupel, [tool(inputSchema=given)])[0]
    yield rules(answer) == ["root-type"], answer
    got = verdicts(cupel, [tool(inputSchema={**given, "type": "object"})], "t", [{"q": ""}, {}])
    yield got == ["valid", "invalid"], got


@row("1.13", "santhosh-tekuri/jsonschema: the official suite")
def suite(cupel):
    folder = corpora.folder("json-schema-test-suite")
    for draft in ("draft7", "draft2020-12") if folder is not None else ():
        tests = next(folder.rglob(f"tests/{draft}"), None)
        if tests is None:
            continue
        status, out, _ = cupel.run("suite", "--remotes", str(tests.parent.parent / "remotes"),
                                   str(tests))
        yield status == 0 and " 0 failed" in out, out[-500:]
    status = call(cupel, [tool()], [request("t", {})])[0]["verdict"]
    yield status == "valid", "and a call"


if __name__ == "__main__":
    sys.exit(rows.main())
