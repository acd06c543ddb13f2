#!/usr/bin/env python3
"""Source 000, discovery and the inputSchema: rows 0.1 to 0.19 of docs/sources.md.

usage: discovery.py CUPEL
"""
import collections
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import corpora  # noqa: E402
import rows  # noqa: E402
from rows import row  # noqa: E402
from toolkit import (OBJECT, call, changes, check, listed, pins, places, request, results,  # noqa: E402
                     rules, schema, text, tool, verdicts)

NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")


def catalogs():
    """(path, tools) of every real catalog at hand."""
    folder = corpora.folder("mcp-tools")
    for path in sorted(folder.glob("*.json")) if folder is not None else ():
        yield path, json.loads(path.read_text(encoding="utf-8"))["tools"]


@row("0.1", "tools/list response, Tool object")
def tool_object(cupel):
    answers = check(cupel, [tool(), tool("u", unheard="of", alsoNew=[1])])
    yield [a["verdict"] for a in answers] == ["ok", "ok"], "unknown fields"
    for path, tools in catalogs():
        _, out, _ = cupel.run("tools", "check", "--format", "json", str(path))
        answers = json.loads(out)["catalogs"][0]["tools"]
        yield [a["name"] for a in answers] == [t["name"] for t in tools], path.name
        yield all(p["rule"] and isinstance(p["pointer"], str)
                  for a in answers for p in a["problems"]), path.name


@row("0.2", "names")
def names(cupel):
    good = ["getUser", "DATA_EXPORT_v2", "admin.tools.list", "x" * 128]
    bad = ["", "my tool", "a,b", "x" * 129]
    answers = check(cupel, [tool(name) for name in good + bad])
    yield all(a["verdict"] == "ok" for a in answers[:4]), "good names"
    yield all(a["verdict"] == "warning" for a in answers[4:]), "bad names"
    answers = check(cupel, [tool(name) for name in bad], "--strict-names")
    yield all(a["verdict"] == "invalid" for a in answers), "bad names, strict"
    for path, tools in catalogs():
        _, out, _ = cupel.run("tools", "check", "--format", "json", str(path))
        found = collections.Counter(
            rule for a in json.loads(out)["catalogs"][0]["tools"] for rule in set(rules(a)))
        count = collections.Counter(t["name"] for t in tools)
        yield found["name-duplicate"] == sum(n for n in count.values() if n > 1), path.name
        yield (found["name-characters"] + found["name-length"] > 0) == any(
            not NAME.fullmatch(t["name"]) for t in tools), path.name


@row("0.3", "title, description")
def texts(cupel):
    answers = check(cupel, [tool(), tool("a", title=1), tool("b", description=None)])
    yield answers[0]["verdict"] == "ok", "absent"
    yield places(answers[1]) == [("title-type", "tool", "/title")], "title"
    yield places(answers[2]) == [("description-type", "tool", "/description")], "description"


@row("0.4", "inputSchema is required, and not null")
def input_schema(cupel):
    bad = [{"name": "a"}] + [{"name": "a", "inputSchema": s} for s in (None, "x", [], True)]
    answers = check(cupel, bad)
    messages = {a["problems"][0]["message"] for a in answers}
    yield all(a["verdict"] == "invalid" for a in answers), "refused"
    yield len(messages) == len(bad), messages


@row("0.5", "a tool without arguments")
def no_arguments(cupel):
    tools = [tool("closed", inputSchema=schema()), tool("open")]
    for name, extra in (("closed", "invalid"), ("open", "valid")):
        got = verdicts(cupel, tools, name, [{}, None, {"x": 1}])
        yield got == ["valid", "valid", extra], (name, got)


@row("0.6", "outputSchema")
def output_schema(cupel):
    wrong = {"type": "object", "properties": {"a": {"type": "whole"}}}
    answers = check(cupel, [tool("a", outputSchema=wrong), tool("b", inputSchema=wrong)])
    yield places(answers[0]) == [("schema-invalid", "outputSchema", "/properties/a/type")], "output"
    yield places(answers[1]) == [("schema-invalid", "inputSchema", "/properties/a/type")], "input"


@row("0.7", "annotations")
def annotations(cupel):
    found = listed(cupel, [tool("plain"), tool("reads", annotations={
        "readOnlyHint": True, "idempotentHint": True, "openWorldHint": False})])
    yield found[0]["hints"] == {"readOnlyHint": False, "destructiveHint": True,
                                "idempotentHint": False, "openWorldHint": True}, found[0]
    yield found[1]["hints"] == {"readOnlyHint": True, "destructiveHint": None,
                                "idempotentHint": None, "openWorldHint": False}, found[1]
    _, out, _ = cupel.run("tools", "list", "list.json")
    yield out.count("n/a") == 2, "shown to people"
    answers = check(cupel, [tool(annotations={"readOnlyHint": "yes"})])
    yield answers[0]["verdict"] == "warning" and rules(answers[0]) == ["hint-type"], "no boolean"
    answers = check(cupel, [tool(annotations={"readOnlyHint": True, "destructiveHint": None})])
    yield rules(answers[0]) == ["hint-type"], "no contradiction with a hint that is absent"


@row("0.8", "icons")
def icons(cupel):
    sources = [{"src": "javascript:1"}, {"src": "https://e.org/i.png", "sizes": ["big"]},
               {"src": "https://e.org/i.png", "sizes": ["48x48", "any"]}, {"src": "data:,x"}]
    answers = check(cupel, [tool(str(i), icons=[icon]) for i, icon in enumerate(sources)])
    yield [bool(a["problems"]) for a in answers] == [True, True, False, False], answers


@row("0.9", "execution.taskSupport")
def task_support(cupel):
    tools = [tool("a", execution={"taskSupport": "maybe"}),
             tool("b", execution={"taskSupport": "optional"}), tool("c")]
    answers = check(cupel, tools, "--spec", "2025-11-25")
    yield [a["verdict"] for a in answers] == ["invalid", "ok", "ok"], answers
    found = listed(cupel, tools, "--spec", "2025-11-25")
    yield [t["taskSupport"] for t in found[1:]] == ["optional", "forbidden"], found
    answers = check(cupel, tools)
    yield [a["verdict"] for a in answers] == ["ok"] * 3, answers
    yield rules(answers[0]) == ["execution-obsolete"], answers[0]


@row("0.10", "2020-12 is the dialect of a schema that names none")
def default_dialect(cupel):
    given = {"type": "object", "$defs": {"s": {"type": "string"}},
             "properties": {"pair": {"prefixItems": [{"type": "integer"}]},
                            "short": {"$ref": "#/$defs/s", "maxLength": 1}}}
    got = verdicts(cupel, [tool(inputSchema=given)], "t",
                   [{"pair": [1]}, {"pair": ["1"]}, {"short": "a"}, {"short": "ab"}])
    yield got == ["valid", "invalid", "valid", "invalid"], got


SEARCH = schema(query_={"type": "string"}, max_results={"type": "integer"},
                case_sensitive={"type": "boolean"})


@row("0.11", "a schema generated by the Go SDK (search_files)")
def generated(cupel):
    got = verdicts(cupel, [tool("search_files", inputSchema=SEARCH)], "search_files", [
        {"query": "x"}, {}, {"query": 1}, {"query": "x", "max_results": 1.5},
        {"query": "x", "foo": 1}, {"query": "x", "max_results": 1.0}])
    yield got == ["valid"] + ["invalid"] * 4 + ["valid"], got


@row("0.12", "a schema written by hand (search_files_manual)")
def by_hand(cupel):
    manual = schema(query_={"type": "string"}, mode={"type": "string", "enum": ["fuzzy", "exact"]})
    answers = call(cupel, [tool("m", inputSchema=manual)],
                   [request("m", {"query": "x", "mode": m})
                    for m in ("fuzzy", "exact", "Exact", "regex")])
    yield [a["verdict"] for a in answers] == ["valid"] * 2 + ["invalid"] * 2, answers
    for answer in answers[2:]:
        said = json.dumps(answer["response"])
        yield "fuzzy" in said and "exact" in said, said


@row("0.13", "the schema goes out verbatim")
def verbatim(cupel):
    odd = ('{ "name" :"t" ,\t"inputSchema": {"type":"object", "properties":{"\\u0061":{"minimum":1.0e1}}},'
           '"z":1,"a":2 }')
    cupel.write("odd.json", '{"tools": [' + odd + "]}")
    _, out, _ = cupel.run("tools", "list", "--wire", "odd.json")
    yield odd in out, out
    for path, tools in list(catalogs())[:12]:
        _, out, _ = cupel.run("tools", "list", "--wire", str(path))
        given = path.read_text(encoding="utf-8")
        sent = json.loads(out)["tools"]
        refused = len(tools) - len(sent)
        yield all(t in tools for t in sent) and refused <= 9, path.name
        yield given.count('"description"') == out.count('"description"') or refused, path.name


@row("0.14", "annotations are not trusted")
def untrusted(cupel):
    found = changes(cupel, [tool()], [tool(annotations={"readOnlyHint": True})])
    yield found is None or found == {"t": ("changed", ["annotations"])}, found


@row("0.15", "pagination")
def pagination(cupel):
    cupel.write("one.json", json.dumps({"tools": [tool("a"), tool("b")], "nextCursor": ""}))
    cupel.write("two.json", json.dumps({"tools": [tool("c"), tool("a")]}))
    _, out, _ = cupel.run("tools", "check", "--pages", "--format", "json", "one.json", "two.json")
    answers = json.loads(out)["catalogs"][0]["tools"]
    yield [a["name"] for a in answers] == ["a", "b", "c", "a"], answers
    yield [bool(rules(a)) for a in answers] == [True, False, False, True], answers
    lines = [{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]
    for wanted in ("a", "b", "c"):
        got = call(cupel, [tool("a"), tool("b"), tool("c")], lines, "--page", "1")[0]["response"]
        result = got["result"]
        yield [t["name"] for t in result["tools"]] == [wanted], result
        lines = [{**lines[0], "params": {"cursor": result.get("nextCursor")}}]
    yield "nextCursor" not in result, result


@row("0.16", "listChanged; tests/mcp/replace.c has the threads")
def list_changed(cupel):
    before, after = [tool("a"), tool("b")], [tool("a"), tool("b", description="new"), tool("c")]
    found = changes(cupel, before, after)
    yield found is None or found == {"b": ("changed", ["text"]), "c": ("added", [])}, found
    _, out, _ = cupel.run("tools", "diff", "--format", "json", "before.json", "after.json")
    yield found is None or json.loads(out)["notification"] == {
        "jsonrpc": "2.0", "method": "notifications/tools/list_changed"}, out


OUTPUT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@row("0.17", "structuredContent against outputSchema, isError")
def structured(cupel):
    given = [{"content": [text({"n": 1})], "structuredContent": {"n": 1}},
             {"content": [text({"n": "1"})], "structuredContent": {"n": "1"}},
             {"content": []}, {"content": [], "isError": True}]
    answers = results(cupel, [tool(outputSchema=OUTPUT)], "t", given)
    yield [a["verdict"] for a in answers] == ["valid", "invalid", "invalid", "valid"], answers
    yield answers[1]["errors"][0]["instance"] == "/n", answers[1]
    yield "error" in answers[1]["response"], answers[1]


@row("0.18", "txn2/mcp-data-platform: personas, overrides, injected arguments")
def platform(cupel):
    query = schema(sql_={"type": "string"}, session_id={"type": "string"})
    opened = {"type": "object", "properties": {"rows": {"type": "array"}}}
    tools = [tool("trino_query", inputSchema=query, outputSchema=opened, description="Runs SQL."),
             tool("datahub_search", inputSchema=query), tool("api_invoke_endpoint")]
    got = verdicts(cupel, tools, "trino_query",
                   [{"sql": "select 1", "session_id": "s"}, {"sql": "select 1", "x": 1}])
    yield got == ["valid", "invalid"], got
    cupel.write("p.json", json.dumps({"allow": ["trino_*"], "descriptions": {
        "trino_query": "Reads the warehouse."}}))
    got = [a["verdict"] for a in call(cupel, tools, [
        request("trino_query", {"sql": "x"}), request("datahub_search", {"sql": "x"})],
        "--persona", "p.json")]
    yield got == ["valid", "unknown-tool"], got
    before = pins(cupel, tools)
    status, out, _ = cupel.run("tools", "pin", "--persona", "p.json", "pins.json")
    if before is not None:
        after = json.loads(out)["tools"]
        yield len(after) == 1 and status == 0, after
        yield after[0]["inputSchema"] == before[0]["inputSchema"], "schema digest"
        yield after[0]["text"] != before[0]["text"], "model-visible digest"


@row("0.19", "content types")
def content_types(cupel):
    blocks = [text("x"), {"type": "image", "data": "AAAA", "mimeType": "image/png"},
              {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
              {"type": "resource_link", "uri": "file:///a", "name": "a"},
              {"type": "resource", "resource": {"uri": "file:///a", "text": "x"}},
              {"type": "resource", "resource": {"uri": "file:///a", "blob": "AAAA"}}]
    answers = results(cupel, [tool()], "t", [{"content": [b]} for b in blocks] +
                      [{"content": blocks}, {"content": [{"type": "hologram"}]}])
    yield all(a["verdict"] == "valid" and not a["problems"] for a in answers[:-1]), answers
    yield [p["rule"] for p in answers[-1]["problems"]] == ["content-type"], answers[-1]


if __name__ == "__main__":
    sys.exit(rows.main())
