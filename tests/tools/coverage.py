#!/usr/bin/env python3
"""The branch coverage of a build made with -Db_coverage=true.

usage: coverage.py BUILD [--bless]

Asks gcov for each object of base, vm, compiler and mcp that ran, and adds up what the objects of one
source file say: a branch counts as taken if any of them took it (static and shared library are built
from the same sources).  --bless writes the table to tests/coverage.txt instead of printing it.
"""
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("base", "vm", "compiler", "mcp")


def gcov(note):
    done = subprocess.run(["gcov", "--branch-probabilities", "--json-format", "--stdout", str(note)],
                          capture_output=True, check=False, cwd=note.parent)
    for line in done.stdout.splitlines():
        yield from json.loads(line).get("files", [])


def gather(build):
    """file -> (line, number of the branch) -> taken; file -> line -> executed."""
    branches, lines = collections.defaultdict(dict), collections.defaultdict(dict)
    for note in sorted(build.rglob("*.gcda")):
        if note.relative_to(build).parts[0] not in FOLDERS:
            continue
        for file in gcov(note):
            path = pathlib.Path(note.parent, file["file"]).resolve()
            path = path if path.is_relative_to(ROOT) else pathlib.Path(build, file["file"]).resolve()
            if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in FOLDERS:
                continue
            name = str(path.relative_to(ROOT))
            for line in file["lines"]:
                number = line["line_number"]
                lines[name][number] = lines[name].get(number, 0) + line["count"]
                for i, branch in enumerate(line["branches"]):
                    key = (number, i)
                    branches[name][key] = branches[name].get(key, 0) + branch["count"]
    return branches, lines


def table(branches, lines):
    rows, sums = [], collections.defaultdict(lambda: [0, 0])
    for name in sorted(branches):
        taken = sum(1 for n in branches[name].values() if n)
        missed = sorted({line for (line, _), n in branches[name].items() if not n})
        for key in (name.split("/")[0], "all"):
            sums[key][0] += taken
            sums[key][1] += len(branches[name])
        run = sum(1 for n in lines[name].values() if n)
        rows.append(f"{name}: {taken} of {len(branches[name])} branches, {run} of {len(lines[name])} lines; "
                    f"lines with a branch not taken: {' '.join(map(str, missed)) or 'none'}")
    head = [f"{key}: {taken} of {total} branches, {100 * taken / total:.1f} %"
            for key, (taken, total) in sorted(sums.items())]
    return "\n".join(head + [""] + rows) + "\n"


def main():
    text = table(*gather(pathlib.Path(sys.argv[1]).resolve()))
    if "--bless" in sys.argv:
        pathlib.Path(ROOT, "tests/coverage.txt").write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
