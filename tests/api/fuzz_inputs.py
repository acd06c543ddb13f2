#!/usr/bin/env python3
"""Holds the inputs of fuzz targets to what engines make of them.

usage: fuzz_inputs.py PROJECT_ROOT [--bless]

Every target has options with a max_len that none of its seeds passes (an engine cuts longer ones off), and a
corpus.  fuzz/words.dict, which all targets share, has every keyword of schemas, every format and every name of the
protocol; --bless writes it.
"""
import pathlib
import re
import sys

TABLES = {"compiler/frontend/keywords.def": r'^K\(\w+,\s*"([^"]+)"',
          "vm/formats/formats.def": r'"([^"]+)"',
          "mcp/message/protocol.def": r'"([^"]+)"'}
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def words_of(root):
    words = list(TYPES)
    for name, pattern in TABLES.items():
        for path in root.glob(name):
            for names in re.findall(pattern, COMMENT.sub(" ", path.read_text()), re.MULTILINE):
                words += names.split()
    return [word for word in dict.fromkeys(words) if re.fullmatch(r"[!-~]+", word) and "\\" not in word]


def dictionary(root):
    lines = ["# Written by tests/api/fuzz_inputs.py --bless: keywords, formats, names of the protocol."]
    return "\n".join(lines + [f'"\\"{word}\\""' for word in words_of(root)]) + "\n"


def faults_of(target):
    options = target / "options"
    found = re.search(r"^max_len = (\d+)$", options.read_text(), re.MULTILINE) if options.is_file() else None
    if found is None:
        return ["no options with a max_len"]
    seeds = sorted(p for p in (target / "corpus").iterdir() if p.is_file())
    longer = [f"{p.name} has {p.stat().st_size} bytes, max_len is {found.group(1)}"
              for p in seeds if p.stat().st_size > int(found.group(1))]
    return longer if seeds else ["no corpus"]


def main():
    root = pathlib.Path(sys.argv[1])
    shared, want = root / "fuzz" / "words.dict", dictionary(root)
    if "--bless" in sys.argv:
        shared.write_text(want)
    failed = passed = 0
    for target in sorted(p.parent for p in root.glob("fuzz/*/target.c")):
        faults = faults_of(target)
        for fault in faults:
            print(f"{target.name}: {fault}")
        failed += bool(faults)
        passed += not faults
    if len(words_of(root)) < 130 or shared.read_text() != want:
        print("fuzz/words.dict: differs from the tables in the code; --bless writes it")
        failed += 1
    else:
        passed += 1
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
