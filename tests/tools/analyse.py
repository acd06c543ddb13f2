#!/usr/bin/env python3
"""Runs static analysers over the library and the command, two files at a time.

usage: analyse.py BUILD TOOL...

Compiles nothing itself: BUILD is a build folder of gcc, whose compile_commands.json says how each file is
compiled.  The tools:

    analyzer  gcc -fanalyzer
    stack     gcc -fstack-usage: no function has a frame of more than 9 KiB, or of unknown size
    cppcheck  warnings and portability
    lint      clang-tidy with the checks in .clang-tidy, but for
    tidy      clang-tidy's own analyzer, which takes minutes

tests/analysis.txt lists findings that are no faults:

    tool | file | check | reason

An entry that finds nothing any more is a failure, so the list only shrinks.  A pass is a file in which a
tool found nothing else.  Prints `N passed, N failed` last.
"""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import corpora

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = {"base", "vm", "messages", "compiler", "mcp", "cli"}
FOUND = re.compile(r"^(/?[^\s:]+):(\d+):\d+: (?:warning|error): (.*) \[([\w.,=+-]+)\]$", re.MULTILINE)
FRAME = 9 << 10
CLANG = ["--extra-arg=-D__OPTIMIZE__", "--extra-arg=-Wno-ignored-optimization-argument"]


def commands(build):
    """The command of each file, once, as (path in the tree, folder, words without what names the output)."""
    seen = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = (pathlib.Path(entry["directory"]) / entry["file"]).resolve().relative_to(ROOT)
        if path.parts[0] not in FOLDERS or path.suffix != ".c":
            continue
        words = [w for w in shlex.split(entry["command"]) if w not in ("ccache", "-MD", "-Werror")]
        for option in ("-o", "-MQ", "-MF"):
            at = words.index(option)
            del words[at:at + 2]
        seen.setdefault(str(path), (entry["directory"], words))
    return [(path, *how) for path, how in sorted(seen.items())]


def output(words, folder):
    run = subprocess.run(words, cwd=folder, check=False, capture_output=True, text=True,
                         stdin=subprocess.DEVNULL)
    text = run.stdout + run.stderr
    if run.returncode != 0 and not FOUND.search(text):
        sys.exit(f"{words[0]} failed: {text}")
    return text


def findings(text, folder):
    for path, line, what, check in FOUND.findall(text):
        place = (pathlib.Path(folder) / path).resolve()
        if ROOT in place.parents:
            yield str(place.relative_to(ROOT)), line, what, check.lstrip("-W")


def run_analyzer(_path, folder, words):
    words = [w for w in words if not w.startswith("-O")]
    words += ["-O1", "-fanalyzer", "-Wno-analyzer-too-complex", "-fdiagnostics-color=never", "-o", "/dev/null"]
    return findings(output(words, folder), folder)


def run_stack(path, folder, words):
    with tempfile.TemporaryDirectory() as place:
        output(words + ["-fstack-usage", "-o", f"{place}/x.o"], folder)
        usage = pathlib.Path(place, "x.su").read_text(encoding="utf-8")
    for line in usage.splitlines():
        where, size, kind = line.split("\t")
        if int(size) > FRAME or kind == "dynamic":
            yield path, where.split(":")[1], f"{where.split(':')[-1]}: {size} bytes, {kind}", "frame"


def run_cppcheck(_path, folder, words):
    keep = [w for w in words if w.startswith(("-I", "-D"))] + [words[-1]]
    return findings(output(["cppcheck", "--quiet", "--std=c11", "--enable=warning,portability",
                            "--suppress=missingIncludeSystem", "--inline-suppr", "-D__OPTIMIZE__",
                            "--template={file}:{line}:{column}: warning: {message} [{id}]", *keep],
                           folder), folder)


def clang_tidy(path, folder, checks):
    return findings(output(["clang-tidy-14", "--quiet", f"--checks={checks}", "-p", folder, *CLANG,
                            str(ROOT / path)], ROOT), folder)


def run_lint(path, folder, _words):
    return clang_tidy(path, folder, "-clang-analyzer-*")


def run_tidy(path, folder, _words):
    return clang_tidy(path, folder, "-*,clang-analyzer-*")


TOOLS = {"analyzer": run_analyzer, "stack": run_stack, "cppcheck": run_cppcheck, "lint": run_lint,
         "tidy": run_tidy}


def run_tool(tool, files, known):
    """(files without fault, faults); strikes what it finds off `known`."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda how: set(TOOLS[tool](*how)), files))
    found = set().union(*results)
    excused = {(tool, path, check) for path, _, _, check in found} & set(known)
    faults = sorted(f for f in found if (tool, f[0], f[3]) not in known)
    for path, line, what, check in faults:
        print(f"{path}:{line}: {what} [{tool}: {check}]")
    stale = [entry for entry in known if entry[0] == tool and entry not in excused]
    for entry in stale:
        print("tests/analysis.txt: nothing is found any more: " + " | ".join(entry))
    clean = sum(not any(f in faults for f in result) for result in results)
    print(f"{tool}: {clean} files without fault, {len(excused)} excused, {len(faults) + len(stale)} failed",
          flush=True)
    return clean, len(faults) + len(stale)


def main():
    known = {tuple(row[:3]) for row in corpora.read_table(ROOT / "tests/analysis.txt", 4)}
    files = commands(pathlib.Path(sys.argv[1]).resolve())
    passed = failed = 0
    for tool in sys.argv[2:]:
        good, bad = run_tool(tool, files, known)
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
