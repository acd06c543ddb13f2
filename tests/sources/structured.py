#!/usr/bin/env python3
"""Source 002, annotations and structured output: rows 2.1 to 2.7 of docs/sources.md.

usage: structured.py CUPEL
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import rows  # noqa: E402
from rows import row  # noqa: E402
from toolkit import call, check, listed, request, results, text, tool, verdicts  # noqa: E402

CONFETTI = {"type": "object", "required": ["color", "location"], "properties": {
    "color": {"type": "string"}, "location": {"type": "string"},
    "intensity": {"type": "string", "enum": ["low", "medium", "high"]}}}
CHARACTER = {"type": "object", "required": ["name", "species", "characterClass", "abilities"],
             "properties": {"name": {"type": "string"}, "species": {"type": "string"},
                            "characterClass": {"type": "string"},
                            "abilities": {"type": "array", "items": {"type": "string"}}}}
LAUNCH = tool("launch_confetti", inputSchema=CONFETTI, annotations={
    "readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True})
GENERATE = tool("generate_fantasy_character", outputSchema=CHARACTER, inputSchema={
    "type": "object", "properties": {"theme": {"type": "string"}}, "required": []})
HERO = {"name": "Mira", "species": "Elf", "characterClass": "Druid", "abilities": ["climb", "hide"]}


def response(structured, copy=None):
    return {"jsonrpc": "2.0", "id": 99, "result": {
        "content": [text(structured if copy is None else copy)], "structuredContent": structured}}


@row("2.1", "the table of defaults")
def defaults(cupel):
    cupel.write("list.json", json.dumps({"tools": [tool()]}))
    _, out, _ = cupel.run("tools", "list", "list.json")
    shown = [line.split() for line in out.splitlines()[1:]]
    yield shown == [["readOnlyHint", "false"], ["destructiveHint", "true"],
                    ["idempotentHint", "false"], ["openWorldHint", "true"]], out


@row("2.2", "annotations affect no verdict")
def no_effect(cupel):
    given = [{}, {"color": "red", "location": "here"}, {"color": 1, "location": "here"}]
    bare = {key: value for key, value in LAUNCH.items() if key != "annotations"}
    lies = {**LAUNCH, "annotations": {"readOnlyHint": True, "destructiveHint": True}}
    got = [verdicts(cupel, [t], "launch_confetti", given) for t in (LAUNCH, bare, lies)]
    yield got[0] == got[1] == got[2] == ["invalid", "valid", "invalid"], got


@row("2.3", "launch_confetti")
def confetti(cupel):
    answers = call(cupel, [LAUNCH], [request("launch_confetti", a) for a in (
        {"color": "red", "location": "main office"},
        {"color": "red", "location": "x", "intensity": "extreme"}, {},
        {"color": "red", "location": "x", "extra": 1})])
    yield [a["verdict"] for a in answers] == ["valid", "invalid", "invalid", "valid"], answers
    said = json.dumps(answers[1]["response"])
    yield all(level in said for level in ("low", "medium", "high")), said
    said = json.dumps(answers[2]["response"])
    yield "color" in said and "location" in said and answers[2]["errors"], said


@row("2.4", "generate_fantasy_character, its input")
def character_input(cupel):
    yield check(cupel, [GENERATE])[0]["verdict"] == "ok", "required: []"
    got = verdicts(cupel, [GENERATE], GENERATE["name"], [{}, {"theme": "forest"}, {"theme": 1}])
    yield got == ["valid", "valid", "invalid"], got


@row("2.5", "outputSchema and structuredContent")
def character_output(cupel):
    short = {key: value for key, value in HERO.items() if key != "abilities"}
    given = [response(HERO), response(short), response({**HERO, "abilities": [7]}),
             response(HERO, {**HERO, "name": "Other"})]
    answers = results(cupel, [GENERATE], GENERATE["name"], given)
    yield [a["verdict"] for a in answers] == ["valid", "invalid", "invalid", "valid"], answers
    yield not answers[0]["problems"], answers[0]
    yield answers[2]["errors"][0]["instance"] == "/abilities/0", answers[2]
    yield [(p["rule"], p["severity"]) for p in answers[3]["problems"]] == [
        ("text-copy", "warning")], answers[3]


@row("2.6", "an error is returned instead of invalid data")
def replaced(cupel):
    secret = response({"name": "do not pass this on"})
    answer = results(cupel, [GENERATE], GENERATE["name"], [secret])[0]
    yield answer["response"]["id"] == 99 and "error" in answer["response"], answer
    yield "do not pass" not in json.dumps(answer["response"]), answer


@row("2.7", "grouping by annotations")
def grouping(cupel):
    found = listed(cupel, [LAUNCH, tool("look", annotations={"readOnlyHint": True})])
    yield [t["name"] for t in found if t["hints"]["readOnlyHint"]] == ["look"], found
    yield [t["name"] for t in found if t["hints"]["destructiveHint"]] == ["launch_confetti"], found


if __name__ == "__main__":
    sys.exit(rows.main())
