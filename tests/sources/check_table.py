#!/usr/bin/env python3
"""docs/sources.md and the tests beside this file name the same rows.

usage: check_table.py SOURCES.md
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
IN_TABLE = re.compile(r"^\| (\d+\.\d+) \| .* \| `tests/sources/(\w+\.py)` \| .* \|$", re.MULTILINE)
IN_TEST = re.compile(r'^@row\("(\d+\.\d+)"', re.MULTILINE)


def main():
    table = set(IN_TABLE.findall(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
    tests = {(number, path.name) for path in HERE.glob("*.py")
             for number in IN_TEST.findall(path.read_text(encoding="utf-8"))}
    for number, name in sorted(table ^ tests):
        print(f"{number} {name}: only in {'the table' if (number, name) in table else 'the tests'}")
    print(f"{len(table & tests)} passed, {len(table ^ tests)} failed")
    return 1 if table ^ tests or not table else 0


if __name__ == "__main__":
    sys.exit(main())
