#!/usr/bin/env python3
"""Source 003, what the specification expects: rows 3.1 to 3.9 of docs/sources.md.

usage: spec.py CUPEL CHECK_CAPABILITIES

CHECK_CAPABILITIES is the unit test of lists, which reads capabilities.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import corpora  # noqa: E402
import rows  # noqa: E402
from rows import row  # noqa: E402
from toolkit import (OBJECT, call, check, places, request, results, rules, schema, text,  # noqa: E402
                     tool, verdicts)

PROFILES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]


@row("3.1", "the capability tools.listChanged (tests/unit/test_listing.c)")
def capability(_):
    run = subprocess.run([sys.argv[2]], text=True, capture_output=True, check=False)
    yield run.returncode == 0 and " 0 failed" in run.stdout, run.stderr


@row("3.2", "tools/list, request and response")
def list_messages(cupel):
    lines = [{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}
             for params in ({}, {"cursor": "optional-cursor-value"}, {"cursor": 7}, {"cursor": None})]
    answers = call(cupel, [tool()], lines)
    yield answers[0]["response"]["result"]["tools"] == [tool()], answers[0]
    yield all(a["response"]["error"]["code"] == -32602 for a in answers[1:]), answers
    page = {"jsonrpc": "2.0", "id": 1, "result": {
        "tools": [tool("get_weather", title="Weather", inputSchema=schema(location_={"type": "string"}))],
        "nextCursor": "next-page-cursor"}}
    cupel.write("page.json", json.dumps(page))
    status, out, _ = cupel.run("tools", "check", "page.json")
    yield status == 0 and "1 ok" in out, out


@row("3.3", "core fields of a tool")
def core_fields(cupel):
    full = tool("full", title="T", description="D", outputSchema=OBJECT, annotations={},
                icons=[{"src": "https://e.org/i.png"}], _meta={"e.org/x": 1})
    yield check(cupel, [full])[0] | {"image_bytes": 0, "compile_ns": 0} == {
        "name": "full", "verdict": "ok", "problems": [], "image_bytes": 0, "compile_ns": 0}, "full"
    answers = check(cupel, [{"inputSchema": OBJECT}, {"name": "t"}, tool("m", _meta={"-x": 1})])
    yield [rules(a) for a in answers] == [["name-missing"], ["input-schema-missing"],
                                          ["meta-key"]], answers


@row("3.4", "constraints of names")
def names(cupel):
    answers = check(cupel, [tool("a"), tool("A"), tool("a b"), tool("é"), tool("x" * 129)])
    yield [a["verdict"] for a in answers] == ["ok", "ok"] + ["warning"] * 3, answers
    cupel.write("list.json", json.dumps({"tools": [tool("a"), tool("a")]}))
    answers = check(cupel, [tool("a"), tool("a")])
    yield all(rules(a) == ["name-duplicate"] for a in answers), answers


@row("3.5", "schemas MUST be valid; one that is not is refused alone")
def valid_schemas(cupel):
    broken = [{"type": "any"}, {"exclusiveMinimum": True}, {"enum": 1}, {"required": ["a", "a"]},
              {"properties": {"type": "string"}}, {"maxLength": -1}, {"$ref": "#/nowhere"},
              {"pattern": "("}]
    answers = check(cupel, [tool(str(i), inputSchema={"type": "object", "properties": {"a": s}})
                            for i, s in enumerate(broken)] + [tool("good")])
    for given, answer in zip(broken, answers):
        yield answer["verdict"] == "invalid" and answer["problems"][0]["pointer"].startswith(
            "/properties/a"), (given, answer)
    yield answers[-1]["verdict"] == "ok", answers[-1]
    tools = [tool("bad", inputSchema={"type": "objekt"}), tool("good")]
    got = [a["verdict"] for a in call(cupel, tools, [request("bad"), request("good")])]
    yield got == ["undecided", "valid"], got


@row("3.6", "tools without parameters")
def no_parameters(cupel):
    got = verdicts(cupel, [tool(inputSchema=schema())], "t", [{}, None, {"x": 1}])
    yield got == ["valid", "valid", "invalid"], got


@row("3.7", "arguments conform to inputSchema: recorded calls")
def recorded_calls(cupel):
    folder = corpora.folder("calls")
    for path in sorted(folder.glob("*.jsonl")) if folder is not None else ():
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        tools = [tool(str(i), inputSchema=line["inputSchema"]) for i, line in enumerate(lines)]
        usable = {a["name"] for a in check(cupel, tools) if a["verdict"] != "invalid"}
        asked = [(i, line) for i, line in enumerate(lines)
                 if str(i) in usable and line["oracle"]["ajv"] is not None]
        answers = call(cupel, tools, [request(str(i), line["arguments"]) for i, line in asked])
        wrong = [i for (i, line), answer in zip(asked, answers)
                 if (answer["verdict"] == "valid") != line["oracle"]["ajv"]]
        yield not wrong and len(asked) > 0.9 * len(lines), (path.name, wrong[:5], len(asked))
    yield verdicts(cupel, [tool()], "t", [{}]) == ["valid"], "a call"


@row("3.8", "output rules")
def output_rules(cupel):
    given = tool(outputSchema=schema(n_={"type": "integer"}))
    answers = results(cupel, [given], "t", [
        {"content": [text({"n": 1})], "structuredContent": {"n": 1}},
        {"content": [], "structuredContent": {"n": 1}}, {"content": [], "structuredContent": {}}])
    yield [a["verdict"] for a in answers] == ["valid", "valid", "invalid"], answers
    yield [p["rule"] for p in answers[1]["problems"]] == ["text-copy"], answers[1]


def by_profile(cupel, ask):
    """What `ask` gives in each profile."""
    return [ask(cupel, "--spec", profile) for profile in PROFILES]


@row("3.9", "the differences of the versions")
def versions(cupel):
    def definition(given):
        return by_profile(cupel, lambda c, *o: check(c, [given], *o)[0]["verdict"])

    def outcome(value, **fields):
        return by_profile(cupel, lambda c, *o: results(
            c, [tool(**fields)], "t", [value], *o)[0]["verdict"])

    def code(given, arguments):
        def ask(c, *options):
            answer = call(c, [given], [request("t", arguments)], *options)[0]["response"]
            return answer["error"]["code"] if "error" in answer else answer["result"]["isError"]
        return by_profile(cupel, ask)

    yield definition(tool(annotations=[])) == ["ok"] + ["invalid"] * 4, "annotations: 2025-03-26"
    yield definition(tool(title=1)) == ["ok"] * 2 + ["invalid"] * 3, "title: 2025-06-18"
    yield definition(tool(_meta=1)) == ["ok"] * 2 + ["invalid"] * 3, "_meta: 2025-06-18"
    yield definition(tool(outputSchema={"type": "array"})) == [
        "ok", "ok", "invalid", "invalid", "ok"], "the root of outputSchema"
    yield definition(tool(icons=1)) == ["ok"] * 3 + ["invalid"] * 2, "icons: 2025-11-25"
    yield definition(tool(execution=1)) == ["ok"] * 3 + ["invalid", "ok"], "execution: one version"
    yield definition(tool("a b")) == ["ok"] * 3 + ["warning"] * 2, "names: 2025-11-25"
    header = {"type": "object", "properties": {"a": {"type": "number", "x-mcp-header": "A"}}}
    yield definition(tool(inputSchema=header)) == ["ok"] * 4 + ["invalid"], "x-mcp-header"
    boolean = {"type": "object", "properties": {"a": True}}
    noted = by_profile(cupel, lambda c, *o: places(check(c, [tool(inputSchema=boolean)], *o)[0]))
    yield [bool(p) for p in noted] == [True] * 4 + [False], "a boolean for a property"
    closed = tool(inputSchema=schema())
    yield code(closed, {"x": 1}) == [-32602] * 3 + [True] * 2, "errors in arguments"
    yield code(tool("u"), {}) == [-32602] * 5, "an unknown tool"
    yield code(closed, []) == [-32602] * 5, "a malformed request"
    listed = {"content": [text([1])], "structuredContent": [1]}
    yield outcome(listed) == ["valid"] * 2 + ["invalid"] * 2 + ["valid"], "structuredContent"
    yield outcome({"content": []}, outputSchema=OBJECT) == ["valid"] * 2 + ["invalid"] * 3, "missing"
    audio = {"content": [{"type": "audio", "data": "", "mimeType": "audio/wav"}]}
    yield outcome(audio) == ["invalid"] + ["valid"] * 4, "audio: 2025-03-26"
    link = {"content": [{"type": "resource_link", "uri": "a:b", "name": "n"}]}
    yield outcome(link) == ["invalid"] * 2 + ["valid"] * 3, "resource_link: 2025-06-18"
    task = by_profile(cupel, lambda c, *o: call(
        c, [tool(execution={"taskSupport": "required"})], [request("t", {})], *o)[0]["verdict"])
    yield task == ["valid"] * 3 + ["bad-request", "valid"], "tasks: one version"
    batch = [request("t", {}), {**request("t", {}), "id": 2}]
    shapes = by_profile(cupel, lambda c, *o: [a["verdict"] for a in call(c, [tool()], [batch], *o)])
    yield shapes == [["bad-request"], ["valid"] * 2] + [["bad-request"]] * 3, "batches: one version"
    kinds = by_profile(cupel, lambda c, *o: "resultType" in call(
        c, [closed], [request("t", {"x": 1})], *o)[0]["response"].get("result", {}))
    yield kinds == [False] * 4 + [True], "resultType: 2026-07-28"


if __name__ == "__main__":
    sys.exit(rows.main())
