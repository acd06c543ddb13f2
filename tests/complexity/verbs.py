#!/usr/bin/env python3
"""Verbs that read whole catalogs do work in proportion to them.

usage: verbs.py CUPEL [--full]

Each verb runs over a catalog and over one of four times the work: in tools, in files, in properties of
one tool, in definitions that are referred to, in depth, in problems.  Instructions are counted with
valgrind.  Work that grows with the square is sixteen times as much; the bound is five times.  --full
takes eight times as large catalogs.  Without valgrind the test says so and passes with 0 tests.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

GROWTH, BOUND = 4, 5
TARGETS = ("openai", "openai-strict", "anthropic", "gemini")


def leaf(i):
    return {"type": "string", "description": f"text {i}", "minLength": 1}


def tool(name, properties):
    names = list(properties)
    return {"name": name, "description": "Does something.", "inputSchema": {
        "type": "object", "properties": properties, "required": names[::2]},
        "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}


def tools(n):
    return [[tool(f"t{i}", {f"p{j}": leaf(j) for j in range(4)}) for i in range(n)]]


def files(n):
    return [[tool(f"t{i}", {"p": leaf(i)})] for i in range(n)]


def properties(n):
    return [[tool("t", {f"p{i}": leaf(i) for i in range(n)})]]


def definitions(n):
    made = tool("t", {f"p{i}": {"$ref": f"#/$defs/d{i}", "maxLength": 9} for i in range(n)})
    made["inputSchema"]["$defs"] = {f"d{i}": leaf(i) for i in range(n)}
    return [[made]]


def keywords(n):
    made = tool("t", {"p": {**leaf(0), **{f"x-{i}": i for i in range(n)}}})
    return [[made]]


def problems(n):
    return [[tool(f"a b {i}", {f"p{j}": {"format": "x", "$ref": "#/none"} for j in range(4)})
             for i in range(n)]]


def depth(n):
    schema = leaf(0)
    for _ in range(n):
        schema = {"type": "object", "properties": {"p": schema}}
    return [[tool("t", {"p": schema})]]


SHAPES = {tools: 1000, files: 60, properties: 4000, definitions: 3000, keywords: 4000,
          problems: 800, depth: 100}
VERBS = [["list"], ["list", "--format", "json"], ["list", "--wire"], ["check"],
         ["check", "--format", "json"], ["pin"], ["diff"], ["call"], ["result"]]
VERBS += [["check", "--target", t] for t in TARGETS] + [["export", "--target", t] for t in TARGETS]
# A problem at every level is reported with its whole pointer.
DEARER = {("depth", "export --target openai-strict"): 6}
LIMITS = ["--limit", "schema_bytes=16777216", "--limit", "subschemas=1000000", "--limit",
          "image_bytes=67108864"]


def command(cupel, verb, paths):
    if verb[0] == "diff":
        return [cupel, "tools", "diff", *verb[1:], paths[0], paths[-1]]
    if verb[0] == "call":
        return [cupel, "tools", "call", paths[0], "/dev/null"]
    if verb[0] == "result":
        return [cupel, "tools", "result", "--tool", "t", paths[0], "/dev/null"]
    return [cupel, "tools", *verb, *LIMITS, *paths]


def instructions(words):
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no",
                "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(valgrind + words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for line in done.stderr.decode(errors="replace").splitlines():
        if "I " in line and "refs:" in line:
            return int(line.split()[-1].replace(",", ""))
    sys.exit(f"no count of instructions: {done.stderr.decode()[-300:]}")


def write(folder, catalogs):
    paths = []
    for i, made in enumerate(catalogs):
        paths.append(str(folder / f"{i}.json"))
        pathlib.Path(paths[-1]).write_text(json.dumps({"tools": made}))
    return paths


def main():
    cupel = str(pathlib.Path(sys.argv[1]).resolve())
    if not shutil.which("valgrind"):
        print("skipped: no valgrind\n0 passed, 0 failed")
        return 0
    smaller = 1 if "--full" in sys.argv else 8
    sys.setrecursionlimit(20000)
    passed = failed = 0
    for shape, size in ((shape, full // smaller) for shape, full in SHAPES.items()):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "a").mkdir(), (folder / "b").mkdir()
            small = write(folder / "a", shape(size))
            large = write(folder / "b", shape(size * GROWTH))
            for verb in VERBS:
                few, many = (command(cupel, verb, paths) for paths in (small, large))
                ratio = instructions(many) / instructions(few)
                good = ratio <= DEARER.get((shape.__name__, " ".join(verb)), BOUND)
                passed += good
                failed += not good
                if not good or smaller == 1:
                    print(f"{'' if good else 'failed: '}{shape.__name__} {' '.join(verb)}: "
                          f"{ratio:.2f} times")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
