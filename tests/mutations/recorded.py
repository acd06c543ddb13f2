#!/usr/bin/env python3
"""The text for models names every error of the recorded calls that are invalid, and nothing else.

usage: recorded.py RENDER_LINES [--bless]

RENDER_LINES is the program built from render_lines.c.  recorded.txt beside this file lists what is
wrong with each call of ../shared/corpora/calls that ajv found invalid: a line for a call, its file,
its number and its tool, then each place with the keywords that fail there.  It was made by the few
lines of a model below, which know only the keywords that these schemas have, and read through.  The
model has to come to the list again, and so does the rendering: a line for each place, none for any
other, that says what the keywords ask for.
"""
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "tools"))
import corpora  # noqa: E402
import mutate  # noqa: E402

LIST = HERE / "recorded.txt"
KNOWN = {"type", "required", "enum", "items", "properties", "description", "default", "optional"}


# -- The model -------------------------------------------------------------------------------------

def equal(a, b):
    """As JSON: true is no number."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def errors(schema, value, path=()):
    """Pairs of a place and the keyword that fails there."""
    unknown = schema.keys() - KNOWN
    if unknown:
        raise ValueError(f"the model does not know {unknown}")
    types = mutate.types_of(schema)
    if types and not any(mutate.is_type(value, t) for t in types):
        yield path, "type"
    if "enum" in schema and not any(equal(value, x) for x in schema["enum"]):
        yield path, "enum"
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield path + (name,), "required"
        for name, sub in schema.get("properties", {}).items():
            if name in value:
                yield from errors(sub, value[name], path + (name,))
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from errors(schema["items"], item, path + (i,))


def places(schema, value):
    """Places as the rendering writes them, to the keywords that fail there."""
    found = {}
    for path, keyword in errors(schema, value):
        found.setdefault(mutate.path_text(path), []).append(keyword)
    return found


def invalid_calls(folder):
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            call = json.loads(line)
            if call["oracle"].get("ajv") is False:
                yield f"{file.name} {number} {call['tool']}", call


# -- The rendering ---------------------------------------------------------------------------------

def reported(text):
    """Places to what is said of them; of a place that stands for several items, each."""
    found = {}
    for path, body in mutate.lines_of(text):
        items = re.search(r" \(in items ([^)]*)\)$", body)
        if items and "[]" in path:
            for k in re.findall(r"\d+", items[1]):
                found[path.replace("[]", f"[{k}]")] = body
        else:
            for name in path.split(", "):
                found[name] = body
    return found


def says(body, keywords):
    if "required" in keywords:
        return body.startswith("required, missing")
    if "enum" in keywords:
        return body.startswith("expected one of ")
    return re.match(r"expected (?!one of )\S.*, got ", body) is not None


def judge(wanted, text):
    """Why a rendering is not right, or None."""
    if not isinstance(text, str):
        return "not invalid"
    found = reported(text)
    if found.keys() != wanted.keys():
        return f"names {sorted(found)}, not {sorted(wanted)}"
    wrong = [p for p in wanted if not says(found[p], wanted[p])]
    return f"{wrong[0]}: {found[wrong[0]]}" if wrong else None


def render(program, calls):
    given = "".join(json.dumps({"schema": c["inputSchema"], "instance": c["arguments"]}) + "\n"
                    for c in calls)
    out = subprocess.run([program], input=given, check=True, text=True, encoding="utf-8",
                         stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in out.splitlines()]


# -- Entry -----------------------------------------------------------------------------------------

def line_of(name, wanted):
    return " | ".join([name] + [f"{p}: {', '.join(k)}" for p, k in wanted.items()])


def main(program, *options):
    folder = corpora.folder("calls")
    if folder is None:
        corpora.skip()
    names, calls = zip(*invalid_calls(folder))
    wanted = [places(c["inputSchema"], c["arguments"]) for c in calls]
    lines = [line_of(n, w) for n, w in zip(names, wanted)]
    if options == ("--bless",):
        LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
    listed = LIST.read_text(encoding="utf-8").splitlines()
    failed = int(lines != listed)
    if failed:
        print("the model does not come to recorded.txt")
    for line, want, text in zip(listed, wanted, render(program, calls)):
        why = judge(want, text)
        failed += why is not None
        if why is not None:
            print(line, why, text, sep="\n  ")
    print(f"{len(calls) + 1 - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
