#!/usr/bin/env python3
"""That a file is what a program prints.

usage: same_output.py PROGRAM FILE [ARGUMENT...]
"""
import difflib
import pathlib
import subprocess
import sys


def main():
    want = subprocess.run([sys.argv[1], *sys.argv[3:]], check=True, capture_output=True).stdout.decode("utf-8")
    have = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    diff = list(difflib.unified_diff(have.splitlines(), want.splitlines(), sys.argv[2],
                                     sys.argv[1], lineterm=""))
    for line in diff:
        print(line, file=sys.stderr)
    print("0 passed, 1 failed" if diff else "1 passed, 0 failed")
    return int(bool(diff))


if __name__ == "__main__":
    sys.exit(main())
