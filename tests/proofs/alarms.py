#!/usr/bin/env python3
"""That the alarms of scripts/prove.sh are those of alarms.txt.

usage: alarms.py [--print] FOLDER NAME...

FOLDER/NAME.csv is the analyser's report of tests/proofs/NAME.c.  An alarm is known by the proof, the file, the function
around its line, and what was not proved; not by the line.  With --print the alarms that have no entry are printed as
entries without a reason.
"""
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def functions(path, cache={}):
    """[(line, name)] of the functions that a file defines."""
    if path not in cache:
        text = path.read_text(encoding="utf-8")
        cache[path] = [(text.count("\n", 0, m.start()) + 1, m.group(1))
                       for m in re.finditer(r"^[a-z][\w *]*?\b(\w+)\([^;{]*\)\n\{", text, re.M)]
    return cache[path]


def around(path, line):
    return next((name for start, name in reversed(functions(path)) if start <= line), "-")


def plain(text):
    """Without the numbers that the analyser gives to variables of functions that it inlines."""
    return re.sub(r"\b([A-Za-z]\w*?)_\d+\b", r"\1", " ".join(text.split()))


def raised(folder, name):
    """{(proof, file, function, alarm)}"""
    found = set()
    with open(folder / f"{name}.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            path = ROOT / row["directory"].replace("FRAMAC_SHARE", "") / row["file"]
            inside = path.is_file() and row["property kind"] not in ("assigns clause", "from clause")
            if inside:
                alarm = f'{row["property kind"]}: {plain(row["property"])}'
                found.add((name, str(path.relative_to(ROOT)), around(path, int(row["line"])), alarm))
    return found


def argued(path):
    """{(proof, file, function, alarm): reason}"""
    entries = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 5 or not fields[4]:
            raise SystemExit(f"{path}:{number}: an entry has a proof, a file, a function, an alarm and a reason")
        entries[tuple(fields[:4])] = fields[4]
    return entries


def main():
    arguments = sys.argv[1:]
    printing = arguments[0] == "--print"
    folder, names = pathlib.Path(arguments[printing]), arguments[printing + 1:]
    known = {k for k in argued(ROOT / "tests/proofs/alarms.txt") if k[0] in names}
    found = set().union(*(raised(folder, name) for name in names))
    if printing:
        for entry in sorted(found - known):
            print("\t".join((*entry, "")))
        return 0
    for entry in sorted(found - known):
        print("not argued: " + "  ".join(entry), file=sys.stderr)
    for entry in sorted(known - found):
        print("is none any more: " + "  ".join(entry), file=sys.stderr)
    for name in names:
        print(f"{name}: {sum(e[0] == name for e in found)} alarms, {sum(e[0] == name for e in found & known)} argued")
    failed = len(found ^ known)
    print(f"{len(names) + len(found & known)} passed, {failed} failed")
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
